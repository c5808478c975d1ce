//===- CuteNvgpuTypes.cpp - Atoms -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectImplementation.h"
#include "tileiras/Dialect/Cute/IR/Atoms.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::cute_nvgpu;
using mlir::cute::Matrices;
using mlir::cute::Product;

#include "tileiras/Dialect/Cute/IR/AtomInterfaces.cpp.inc"
#include "tileiras/Dialect/Cute/IR/CuteNvgpuDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/Cute/IR/CuteNvgpuTypes.cpp.inc"

void CuteNvgpuDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tileiras/Dialect/Cute/IR/CuteNvgpuTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/Cute/IR/CuteNvgpuOps.cpp.inc"
      >();
}

using Emit = function_ref<InFlightDiagnostic()>;

int64_t UniversalCopyType::getCopyBits() const { return getBits(); }
LogicalResult UniversalCopyType::verify(Emit emitError, int64_t bits) {
  if (!llvm::is_contained({8, 16, 32, 64, 128}, bits))
    return emitError() << "expects 8, 16, 32, 64 or 128 bits, got " << bits;
  return success();
}
int64_t SimtAsyncCopyType::getCopyBits() const { return getBits(); }
StringRef SimtAsyncCopyType::getCompletion() const { return "cp.async.wait_group"; }
LogicalResult SimtAsyncCopyType::verify(Emit emitError, int64_t bits) {
  if (!llvm::is_contained({32, 64, 128}, bits))
    return emitError() << "cp.async copies 32, 64 or 128 bits, not " << bits;
  return success();
}
Product UniversalFmaType::getProduct() const {
  Product product;
  product.a = product.b = product.c = getElement();
  return product;
}
LogicalResult UniversalFmaType::verify(Emit emitError, Type element) {
  if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element))
    return emitError() << "expects f16, bf16, f32 or f64, got " << element;
  return success();
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// `<` count (`,` `trans`)? `>`
template <typename T> static Type parseMatrices(AsmParser &parser) {
  int64_t count;
  if (parser.parseLess() || parser.parseInteger(count))
    return {};
  bool transposed = succeeded(parser.parseOptionalComma());
  if ((transposed && parser.parseKeyword("trans")) || parser.parseGreater())
    return {};
  return parser.getChecked<T>(parser.getContext(), count, transposed);
}
static void printMatrices(AsmPrinter &printer, int64_t count, bool transposed) {
  printer << '<' << count << (transposed ? ", trans" : "") << '>';
}
static LogicalResult verifyMatrices(Emit emitError, int64_t count) {
  if (count != 1 && count != 2 && count != 4)
    return emitError() << "expects 1, 2 or 4 matrices, got " << count;
  return success();
}

Type LdsmType::parse(AsmParser &parser) { return parseMatrices<LdsmType>(parser); }
void LdsmType::print(AsmPrinter &printer) const { printMatrices(printer, getMatrices(), getTransposed()); }
std::optional<Matrices> LdsmType::getMoved() const { return Matrices{getMatrices(), getTransposed(), true}; }
LogicalResult LdsmType::verify(Emit emitError, int64_t count, bool) { return verifyMatrices(emitError, count); }
Type StsmType::parse(AsmParser &parser) { return parseMatrices<StsmType>(parser); }
void StsmType::print(AsmPrinter &printer) const { printMatrices(printer, getMatrices(), getTransposed()); }
std::optional<Matrices> StsmType::getMoved() const { return Matrices{getMatrices(), getTransposed(), false}; }
LogicalResult StsmType::verify(Emit emitError, int64_t count, bool) { return verifyMatrices(emitError, count); }

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// `<` m `x` n `x` k `,` A `,` B `,` sums (`,` what `parseMore` parses, as a further parameter)? `>`
template <typename T, typename... More>
static Type parseProduct(AsmParser &parser, function_ref<ParseResult()> parseMore = nullptr, More &...more) {
  SmallVector<int64_t> shape;
  Type a, b, c;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/false))
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseComma() || parser.parseType(a) || parser.parseComma() || parser.parseType(b) || parser.parseComma() ||
      parser.parseType(c) || (parseMore && succeeded(parser.parseOptionalComma()) && parseMore()) ||
      parser.parseGreater())
    return {};
  if (shape.size() != 3) {
    parser.emitError(loc, "expects three extents: 16x8x16");
    return {};
  }
  return parser.getChecked<T>(parser.getContext(), shape[0], shape[1], shape[2], a, b, c, more...);
}
template <typename T> static void printProduct(AsmPrinter &printer, T type, StringRef more = "") {
  printer << '<' << type.getM() << 'x' << type.getN() << 'x' << type.getK() << ", " << type.getA() << ", "
          << type.getB() << ", " << type.getC() << more << '>';
}

template <typename T> static Product productOf(T type, int64_t threads) {
  Product product;
  product.m = type.getM(), product.n = type.getN(), product.k = type.getK();
  product.a = type.getA(), product.b = type.getB(), product.c = type.getC();
  product.threads = threads;
  return product;
}

static LogicalResult refuse(Emit emitError, const char *expected, int64_t m, int64_t n, int64_t k, Type a, Type b,
                            Type c) {
  return emitError() << expected << "; got " << m << "x" << n << "x" << k << " of " << a << ", " << b << ", " << c;
}
static bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }
static bool isByte(Type type) { return type.isSignlessInteger(8) || type.isUnsignedInteger(8); }
static bool isNibble(Type type) { return type.isSignlessInteger(4) || type.isUnsignedInteger(4); }

Product Sm80MmaType::getProduct() const { return productOf(*this, 32); }
Type Sm80MmaType::parse(AsmParser &parser) { return parseProduct<Sm80MmaType>(parser); }
void Sm80MmaType::print(AsmPrinter &printer) const { printProduct(printer, *this); }
LogicalResult Sm80MmaType::verify(Emit emitError, int64_t m, int64_t n, int64_t k, Type a, Type b, Type c) {
  bool sixteen =
      isa<Float16Type, BFloat16Type>(a) && a == b && (k == 16 || k == 8) && (c.isF32() || (c.isF16() && a.isF16()));
  bool tf32 = isa<FloatTF32Type>(a) && a == b && (k == 8 || k == 4) && c.isF32();
  bool bytes = isByte(a) && isByte(b) && (k == 32 || k == 16) && c.isSignlessInteger(32);
  bool nibbles = isNibble(a) && isNibble(b) && (k == 64 || k == 32) && c.isSignlessInteger(32);
  if (m == 16 && n == 8 && (sixteen || tf32 || bytes || nibbles))
    return success();
  return refuse(emitError,
                "mma.sync of this kind: 16x8x16 and 16x8x8 of f16 or bf16, with f32 (or f16 for f16) sums, 16x8x8 and "
                "16x8x4 of tf32 with f32 sums, 16x8x32 and 16x8x16 of i8 or ui8 and 16x8x64 and 16x8x32 of i4 or ui4 "
                "with i32 sums",
                m, n, k, a, b, c);
}

Product Sm80SparseMmaType::getProduct() const {
  Product product = productOf(*this, 32);
  product.sparse = true;
  return product;
}
/// A word has 16 bits: four codes of four bits, each of which says which two of four elements there are, or which of
/// two tf32.
int64_t Sm80SparseMmaType::getMetadataBlock() const { return isa<FloatTF32Type>(getA()) ? 8 : 16; }
Type Sm80SparseMmaType::parse(AsmParser &parser) { return parseProduct<Sm80SparseMmaType>(parser); }
void Sm80SparseMmaType::print(AsmPrinter &printer) const { printProduct(printer, *this); }
LogicalResult Sm80SparseMmaType::verify(Emit emitError, int64_t m, int64_t n, int64_t k, Type a, Type b, Type c) {
  bool sixteen =
      isa<Float16Type, BFloat16Type>(a) && a == b && (k == 32 || k == 16) && (c.isF32() || (c.isF16() && a.isF16()));
  bool tf32 = isa<FloatTF32Type>(a) && a == b && (k == 16 || k == 8) && c.isF32();
  bool bytes = isByte(a) && isByte(b) && (k == 64 || k == 32) && c.isSignlessInteger(32);
  if (m == 16 && n == 8 && (sixteen || tf32 || bytes))
    return success();
  return refuse(
      emitError,
      "mma.sp.sync: 16x8x32 and 16x8x16 of f16 or bf16, with f32 (or f16 for f16) sums, 16x8x16 and 16x8x8 of "
      "tf32 with f32 sums, 16x8x64 and 16x8x32 of i8 or ui8 with i32 sums",
      m, n, k, a, b, c);
}

Product Sm89MmaType::getProduct() const { return productOf(*this, 32); }
Type Sm89MmaType::parse(AsmParser &parser) { return parseProduct<Sm89MmaType>(parser); }
void Sm89MmaType::print(AsmPrinter &printer) const { printProduct(printer, *this); }
LogicalResult Sm89MmaType::verify(Emit emitError, int64_t m, int64_t n, int64_t k, Type a, Type b, Type c) {
  if (m == 16 && n == 8 && k == 32 && isFloat8(a) && isFloat8(b) && c.isF32())
    return success();
  return refuse(emitError, "mma.sync of this kind: 16x8x32 of f8E4M3FN or f8E5M2, with f32 sums", m, n, k, a, b, c);
}

Product Sm90MmaType::getProduct() const {
  Product product = productOf(*this, 128);
  product.shared = true;
  product.registersA = getRegistersA();
  return product;
}
Type Sm90MmaType::parse(AsmParser &parser) {
  bool registersA = false;
  auto where = [&]() -> ParseResult {
    registersA = true;
    return failure(parser.parseKeyword("a") || parser.parseEqual() || parser.parseKeyword("rmem"));
  };
  return parseProduct<Sm90MmaType>(parser, where, registersA);
}
void Sm90MmaType::print(AsmPrinter &printer) const {
  printProduct(printer, *this, getRegistersA() ? ", a = rmem" : "");
}
LogicalResult Sm90MmaType::verify(Emit emitError, int64_t m, int64_t n, int64_t k, Type a, Type b, Type c, bool) {
  bool sixteen = isa<Float16Type, BFloat16Type>(a) && a == b && k == 16 && c.isF32();
  bool tf32 = isa<FloatTF32Type>(a) && a == b && k == 8 && c.isF32();
  bool eight = isFloat8(a) && isFloat8(b) && k == 32 && c.isF32();
  // PTX ISA, "wgmma.mma_async": integer shapes have N of 8, 16, 24, 32, 48, 64, ...
  bool bytes = isByte(a) && isByte(b) && k == 32 && c.isSignlessInteger(32) && (n <= 24 || n % 16 == 0);
  if (m == 64 && n >= 8 && n <= 256 && n % 8 == 0 && (sixteen || tf32 || eight || bytes))
    return success();
  return refuse(emitError,
                "wgmma: 64xNx16 of f16 or bf16, 64xNx8 of tf32, 64xNx32 of 8-bit floats with f32 sums, or of i8 or ui8 "
                "with i32 sums; N a multiple of 8 up to 256 (of 16 above 24 for integers)",
                m, n, k, a, b, c);
}

Product Sm100MmaType::getProduct() const {
  Product product = productOf(*this, 1);
  product.shared = product.tensor = true;
  product.blocks = getCtas();
  return product;
}
Type Sm100MmaType::parse(AsmParser &parser) {
  int64_t ctas = 1;
  auto blocks = [&]() -> ParseResult {
    return failure(parser.parseKeyword("ctas") || parser.parseEqual() || parser.parseInteger(ctas));
  };
  return parseProduct<Sm100MmaType>(parser, blocks, ctas);
}
void Sm100MmaType::print(AsmPrinter &printer) const {
  printProduct(printer, *this, getCtas() == 1 ? "" : ", ctas = " + std::to_string(getCtas()));
}
/// PTX ISA, "tcgen05.mma", shapes of cta_group::1 and 2 with dense operands.
LogicalResult Sm100MmaType::verify(Emit emitError, int64_t m, int64_t n, int64_t k, Type a, Type b, Type c,
                                   int64_t ctas) {
  if (ctas != 1 && ctas != 2)
    return emitError() << "tcgen05.mma is executed by one block or by two, not by " << ctas;
  bool sixteen = isa<Float16Type, BFloat16Type>(a) && a == b && k == 16 && c.isF32();
  bool tf32 = isa<FloatTF32Type>(a) && a == b && k == 8 && c.isF32();
  bool eight = isFloat8(a) && isFloat8(b) && k == 32 && c.isF32();
  bool bytes = isByte(a) && isByte(b) && k == 32 && c.isSignlessInteger(32) && n % (16 * ctas) == 0;
  if (m == 128 * ctas && n >= 16 * ctas && n <= 256 && n % 16 == 0 && (sixteen || tf32 || eight || bytes))
    return success();
  return refuse(
      emitError,
      ctas == 2 ? "tcgen05.mma of two blocks: 256xNx16 of f16 or bf16, 256xNx8 of tf32, 256xNx32 of 8-bit floats with "
                  "f32 sums, or of i8 or ui8 with i32 sums; N a multiple of 16 from 32 to 256 (of 32 for integers)"
                : "tcgen05.mma: 128xNx16 of f16 or bf16, 128xNx8 of tf32, 128xNx32 of 8-bit floats with f32 sums, or "
                  "of i8 or ui8 with i32 sums; N a multiple of 16 up to 256",
      m, n, k, a, b, c);
}

Product Sm100MmaBsType::getProduct() const {
  Product product = productOf(*this, 1);
  product.shared = product.tensor = product.scaled = true;
  return product;
}
int64_t Sm100MmaBsType::getScaleBlock() const { return 32; }
Type Sm100MmaBsType::parse(AsmParser &parser) { return parseProduct<Sm100MmaBsType>(parser); }
void Sm100MmaBsType::print(AsmPrinter &printer) const { printProduct(printer, *this); }
/// PTX ISA, "tcgen05.mma", kind mxf8f6f4.
LogicalResult Sm100MmaBsType::verify(Emit emitError, int64_t m, int64_t n, int64_t k, Type a, Type b, Type c) {
  if (m == 128 && n >= 16 && n <= 256 && n % 16 == 0 && k == 32 && isFloat8(a) && isFloat8(b) && c.isF32())
    return success();
  return refuse(emitError,
                "tcgen05.mma with block scales: 128xNx32 of f8E4M3FN or f8E5M2 (smaller elements have no address of "
                "their own), with f32 sums; N a multiple of 16 up to 256",
                m, n, k, a, b, c);
}

Product Sm100MmaSpType::getProduct() const {
  Product product = productOf(*this, 1);
  product.shared = product.tensor = product.sparse = true;
  return product;
}
/// A word has 32 bits: eight codes of four bits.
int64_t Sm100MmaSpType::getMetadataBlock() const { return isa<FloatTF32Type>(getA()) ? 16 : 32; }
Type Sm100MmaSpType::parse(AsmParser &parser) { return parseProduct<Sm100MmaSpType>(parser); }
void Sm100MmaSpType::print(AsmPrinter &printer) const { printProduct(printer, *this); }
/// PTX ISA, "tcgen05.mma.sp", shapes of cta_group::1.
LogicalResult Sm100MmaSpType::verify(Emit emitError, int64_t m, int64_t n, int64_t k, Type a, Type b, Type c) {
  bool sixteen = isa<Float16Type, BFloat16Type>(a) && a == b && k == 32 && c.isF32();
  bool tf32 = isa<FloatTF32Type>(a) && a == b && k == 16 && c.isF32();
  bool eight = isFloat8(a) && isFloat8(b) && k == 64 && c.isF32();
  bool bytes = isByte(a) && isByte(b) && k == 64 && c.isSignlessInteger(32);
  if (m == 128 && n >= 16 && n <= 256 && n % 16 == 0 && (sixteen || tf32 || eight || bytes))
    return success();
  return refuse(emitError,
                "tcgen05.mma.sp: 128xNx32 of f16 or bf16, 128xNx16 of tf32, 128xNx64 of 8-bit floats with f32 sums, or "
                "of i8 or ui8 with i32 sums; N a multiple of 16 up to 256",
                m, n, k, a, b, c);
}

Product Sm100MmaBsSpType::getProduct() const {
  Product product = productOf(*this, 1);
  product.shared = product.tensor = product.scaled = product.sparse = true;
  return product;
}
/// Of A 32 are stored.
int64_t Sm100MmaBsSpType::getScaleBlock() const { return 64; }
int64_t Sm100MmaBsSpType::getMetadataBlock() const { return 32; }
Type Sm100MmaBsSpType::parse(AsmParser &parser) { return parseProduct<Sm100MmaBsSpType>(parser); }
void Sm100MmaBsSpType::print(AsmPrinter &printer) const { printProduct(printer, *this); }
/// PTX ISA, "tcgen05.mma.sp", kind mxf8f6f4 of cta_group::1.
LogicalResult Sm100MmaBsSpType::verify(Emit emitError, int64_t m, int64_t n, int64_t k, Type a, Type b, Type c) {
  if (m == 128 && n >= 16 && n <= 256 && n % 16 == 0 && k == 64 && isFloat8(a) && isFloat8(b) && c.isF32())
    return success();
  return refuse(emitError,
                "tcgen05.mma.sp with block scales: 128xNx64 of f8E4M3FN or f8E5M2 (smaller elements have no address of "
                "their own), with f32 sums; N a multiple of 16 up to 256",
                m, n, k, a, b, c);
}

Product Sm120MmaBsType::getProduct() const {
  Product product = productOf(*this, 32);
  product.scaled = true;
  return product;
}
int64_t Sm120MmaBsType::getScaleBlock() const { return 32; }
Type Sm120MmaBsType::parse(AsmParser &parser) { return parseProduct<Sm120MmaBsType>(parser); }
void Sm120MmaBsType::print(AsmPrinter &printer) const { printProduct(printer, *this); }
LogicalResult Sm120MmaBsType::verify(Emit emitError, int64_t m, int64_t n, int64_t k, Type a, Type b, Type c) {
  if (m == 16 && n == 8 && k == 32 && isFloat8(a) && isFloat8(b) && c.isF32())
    return success();
  return refuse(emitError,
                "mma.sync with block scales: 16x8x32 of f8E4M3FN or f8E5M2 (smaller elements have no address of their "
                "own), with f32 sums",
                m, n, k, a, b, c);
}

//===----------------------------------------------------------------------===//
// TMA
//===----------------------------------------------------------------------===//

static LogicalResult verifyBox(Emit emitError, StringRef text) {
  std::string error;
  auto box = ::tileiras::cute::parseIntTuple(std::string_view(text), &error);
  if (!box)
    return emitError() << error;
  bool fits = !box->isLeaf() && box->depth() == 1 && box->rank() >= 1 && box->rank() <= 5 && box->isStatic();
  for (const auto &extent : box->leaves())
    fits &= extent.constant() >= 1 && extent.constant() <= 256;
  if (!fits || box->toString() != text.str())
    return emitError() << "expects the extents of a box, one to five from 1 to 256: (64,32), got '" << text << "'";
  return success();
}
StringRef TmaLoadType::getCompletion() const { return "mbarrier.try_wait"; }
StringRef TmaStoreType::getCompletion() const { return "cp.async.bulk.wait_group"; }
StringRef TmaReduceType::getCompletion() const { return "cp.async.bulk.wait_group"; }
bool TmaLoadType::isLoad() const { return true; }
bool TmaStoreType::isLoad() const { return false; }
bool TmaReduceType::isLoad() const { return false; }
LogicalResult TmaLoadType::verify(Emit emitError, StringRef box) { return verifyBox(emitError, box); }
LogicalResult TmaStoreType::verify(Emit emitError, StringRef box) { return verifyBox(emitError, box); }
LogicalResult TmaReduceType::verify(Emit emitError, StringRef box, StringRef kind) {
  static constexpr StringLiteral kinds[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
  if (!llvm::is_contained(kinds, kind))
    return emitError() << "expects add, min, max, inc, dec, and, or or xor, got '" << kind << "'";
  return verifyBox(emitError, box);
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

static LogicalResult verifyColumns(Emit emitError, int64_t columns) {
  if (columns < 1 || columns > 128 || !llvm::isPowerOf2_64(columns))
    return emitError() << "expects a power of two up to 128 of columns, got " << columns;
  return success();
}
bool TmemLoadType::isLoad() const { return true; }
bool TmemStoreType::isLoad() const { return false; }
LogicalResult TmemLoadType::verify(Emit emitError, int64_t columns) { return verifyColumns(emitError, columns); }
LogicalResult TmemStoreType::verify(Emit emitError, int64_t columns) { return verifyColumns(emitError, columns); }

StringRef S2tCopyType::getCompletion() const { return "tcgen05.commit"; }
int64_t S2tCopyType::getWords() const { return getShape() == "128x256b" ? 8 : 4; }
StringRef S2tCopyType::getRows() const {
  return llvm::StringSwitch<StringRef>(getShape())
      .Case("32x128b.warpx4", "(32,4):(1,0)")
      .Case("64x128b.warpx2::02_13", "(64,2):(1,0)")
      .Case("64x128b.warpx2::01_23", "(32,2,2):(1,0,32)")
      .Default("128:1");
}
LogicalResult S2tCopyType::verify(Emit emitError, StringRef shape) {
  static constexpr StringLiteral shapes[] = {"128x256b", "128x128b", "64x128b.warpx2::02_13", "64x128b.warpx2::01_23",
                                             "32x128b.warpx4"};
  if (!llvm::is_contained(shapes, shape))
    return emitError() << "expects 128x256b, 128x128b, 64x128b.warpx2::02_13, 64x128b.warpx2::01_23 or "
                          "32x128b.warpx4, got '"
                       << shape << "'";
  return success();
}
