//===- Gemm.cpp - Atoms of products become instructions -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CuteToLLVM/Lowering.h"
#include "tileiras/Support/LoweringFacts.h"
#include "tileiras/Support/SmemDescriptor.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tileiras;
using mlir::cute::AddressSpace;
using mlir::cute::Meaning;
using mlir::cute::Product;
namespace alg = tileiras::cute;

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

Fragment::Fragment(ImplicitLocOpBuilder &builder, const Lowered &tensor)
    : builder(builder), tensor(tensor), emitter(builder, {}) {}

int64_t Fragment::extent(int mode) const { return alg::size(tensor.meaning.layout.layout.mode(mode)).constant(); }

int64_t Fragment::perWord() const { return std::max<int64_t>(1, 4 / mlir::cute::bytesOf(tensor.meaning.element)); }

Value Fragment::address(int64_t value, int64_t row, int64_t column) {
  alg::IntTuple at{alg::IntTuple(value), alg::IntTuple(row), alg::IntTuple(column)};
  return emitter.advance(tensor.address, tensor.meaning.element,
                         alg::crd2idx(at, tensor.meaning.layout.layout).asInt());
}

Value Fragment::load(int64_t value, int64_t row, int64_t column) {
  return LLVM::LoadOp::create(builder, tensor.meaning.element, address(value, row, column),
                              unsigned(mlir::cute::bytesOf(tensor.meaning.element)));
}

void Fragment::store(Value element, int64_t value, int64_t row, int64_t column) {
  LLVM::StoreOp::create(builder, element, address(value, row, column),
                        unsigned(mlir::cute::bytesOf(tensor.meaning.element)));
}

Type tileiras::storedType(Type element) {
  bool known = isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element) || element.isSignlessInteger();
  return known ? element : IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth());
}

Value Fragment::loadWord(int64_t first, int64_t row, int64_t column) {
  Type element = storedType(tensor.meaning.element);
  unsigned alignment = unsigned(mlir::cute::bytesOf(element));
  int64_t count = std::min(perWord(), extent(0) - first);
  auto read = [&](int64_t i) -> Value {
    return LLVM::LoadOp::create(builder, element, address(first + i, row, column), alignment);
  };
  Type i32 = builder.getI32Type();
  if (perWord() == 1) {
    Value value = read(0);
    return element.isInteger() ? value : Value(LLVM::BitcastOp::create(builder, i32, value));
  }
  auto type = VectorType::get({perWord()}, element);
  Value result = LLVM::ZeroOp::create(builder, type);
  for (int64_t i = 0; i < count; ++i) {
    Value at = LLVM::ConstantOp::create(builder, i32, builder.getI32IntegerAttr(int32_t(i)));
    result = LLVM::InsertElementOp::create(builder, result, read(i), at);
  }
  return LLVM::BitcastOp::create(builder, i32, result);
}

void Fragment::storeWord(Value word, int64_t first, int64_t row, int64_t column) {
  Type element = storedType(tensor.meaning.element);
  unsigned alignment = unsigned(mlir::cute::bytesOf(element));
  auto write = [&](Value value, int64_t i) {
    LLVM::StoreOp::create(builder, value, address(first + i, row, column), alignment);
  };
  if (perWord() == 1) {
    write(element.isInteger() ? word : Value(LLVM::BitcastOp::create(builder, element, word)), 0);
    return;
  }
  Value vector = LLVM::BitcastOp::create(builder, VectorType::get({perWord()}, element), word);
  for (int64_t i = 0; i < perWord(); ++i) {
    Value at = LLVM::ConstantOp::create(builder, builder.getI32Type(), builder.getI32IntegerAttr(int32_t(i)));
    write(LLVM::ExtractElementOp::create(builder, vector, at), i);
  }
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// What PTX calls elements.
static std::string nameOf(Type type) {
  if (type.isInteger())
    return (type.isUnsignedInteger() ? "u" : "s") + std::to_string(type.getIntOrFloatBitWidth());
  if (isa<Float8E4M3FNType>(type))
    return "e4m3";
  if (isa<Float8E5M2Type>(type))
    return "e5m2";
  if (isa<FloatTF32Type>(type))
    return "tf32";
  return type.isBF16() ? "bf16" : type.isF16() ? "f16" : "f32";
}

namespace {
/// One text of inline PTX: sums, which are results tied to operands, and further operands.
class Assembly {
public:
  Assembly(ImplicitLocOpBuilder &builder, ArrayRef<Value> sums)
      : builder(builder), inputs(sums.begin(), sums.end()), count(sums.size()) {
    for (size_t i = 0; i < count; ++i)
      constraints += std::string(i ? ",=" : "=") + kindOf(sums[i]);
    for (size_t i = 0; i < count; ++i)
      constraints += "," + std::to_string(i);
  }
  std::string operand(Value value) {
    constraints += std::string(",") + kindOf(value);
    inputs.push_back(value);
    return "$" + std::to_string(count + inputs.size() - 1);
  }
  std::string operands(ArrayRef<Value> values) {
    std::string list;
    for (Value value : values)
      list += (list.empty() ? "{" : ", ") + operand(value);
    return list + "}";
  }
  std::string sums() const {
    std::string list;
    for (size_t i = 0; i < count; ++i)
      list += (i ? ", $" : "{$") + std::to_string(i);
    return list + "}";
  }
  /// `ordered`: nothing that accesses memory may pass it.
  SmallVector<Value> finish(StringRef text, bool ordered, int ptxVersion) {
    Type type = inputs.front().getType();
    if (count > 1)
      type = LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(count, type));
    auto op = LLVM::InlineAsmOp::create(builder, TypeRange{type}, inputs, text,
                                        constraints + (ordered ? ",~{memory}" : ""), /*has_side_effects=*/ordered,
                                        /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                        LLVM::AsmDialectAttr(), ArrayAttr());
    op->setAttr(kPtxVersionAttr, builder.getI32IntegerAttr(ptxVersion));
    SmallVector<Value> results;
    for (size_t i = 0; i < count; ++i)
      results.push_back(count == 1 ? op.getResult(0)
                                   : Value(LLVM::ExtractValueOp::create(builder, op.getResult(0), int64_t(i))));
    return results;
  }

private:
  static const char *kindOf(Value value) {
    return value.getType().isF32() ? "f" : value.getType().isInteger(64) ? "l" : "r";
  }
  ImplicitLocOpBuilder &builder;
  SmallVector<Value> inputs;
  size_t count;
  std::string constraints;
};
} // namespace

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

static std::string shapeOf(const Product &product) {
  return ("m" + Twine(product.m) + "n" + Twine(product.n) + "k" + Twine(product.k)).str();
}

static SmallVector<Value> multiply(ImplicitLocOpBuilder &builder, const Product &product, ArrayRef<Value> a,
                                   ArrayRef<Value> b, ArrayRef<Value> c, ArrayRef<Value> scales) {
  Assembly text(builder, c);
  std::string sums = text.sums(), left = text.operands(a), right = text.operands(b);
  std::string types = "." + nameOf(product.a) + "." + nameOf(product.b) + ".", type = nameOf(product.c);
  std::string line = std::string("mma.sync.aligned.") +
                     (scales.empty() ? "" : "kind::mxf8f6f4.block_scale.scale_vec::1X.") + shapeOf(product) +
                     ".row.col." + type + types + type + (scales.empty() ? " " : ".ue8m0 ") + sums + ", " + left +
                     ", " + right + ", " + sums;
  for (Value scale : scales)
    line += ", {" + text.operand(scale) + "}, {0, 0}";
  // PTX ISA, "mma", PTX ISA Notes: block scales came with 8.7, 8-bit floats with 8.4.
  bool floats8 = isa<FloatType>(product.a) && product.a.getIntOrFloatBitWidth() == 8;
  return text.finish(line + ";", /*ordered=*/false, scales.empty() ? floats8 ? 84 : 70 : 87);
}

LogicalResult CuteLowering::lowerGemm(Operation *op) {
  Type atom = mlir::cute::getAtom(op->getOperand(0).getType());
  Product product = *mlir::cute::getProduct(atom);
  std::vector<Lowered> tensors;
  for (Value operand : op->getOperands().drop_front()) { // behind the atom: D, A, B, C, scales
    FailureOr<Lowered> lowered = get(operand, op);
    if (failed(lowered))
      return failure();
    tensors.push_back(*lowered);
    // The values of one product have no rows and columns.
    alg::Layout &layout = tensors.back().meaning.layout.layout;
    if (isa<mlir::cute::MmaAtomCallOp>(op))
      layout = alg::makeLayout({layout, alg::Layout(), alg::Layout()});
  }
  if (product.shared)
    return lowerWgmma(op, tensors);
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  std::vector<Fragment> fragments;
  for (const Lowered &tensor : tensors)
    fragments.emplace_back(builder, tensor);
  Fragment &d = fragments[0], &a = fragments[1], &b = fragments[2], &c = fragments[3];
  bool scalar = product.threads == 1;
  int64_t perSum = product.c.isF16() && !scalar ? 2 : 1; // elements of a register of sums
  auto perWord = [&](Type type) { return std::max<int64_t>(1, 4 / mlir::cute::bytesOf(type)); };
  for (int64_t n = 0; n < b.extent(1); ++n)
    for (int64_t m = 0; m < a.extent(1); ++m) {
      SmallVector<Value> sums;
      for (int64_t v = 0; v < c.extent(0); v += perSum)
        sums.push_back(perSum == 2 ? c.loadWord(v, m, n) : c.load(v, m, n));
      for (int64_t k = 0; k < a.extent(2); ++k) {
        if (scalar) {
          sums[0] = LLVM::FMAOp::create(builder, a.load(0, m, k), b.load(0, n, k), sums[0]);
          continue;
        }
        SmallVector<Value> left, right, scales;
        for (int64_t v = 0; v < a.extent(0); v += perWord(product.element('A')))
          left.push_back(a.loadWord(v, m, k));
        for (int64_t v = 0; v < b.extent(0); v += perWord(product.element('B')))
          right.push_back(b.loadWord(v, n, k));
        if (product.scaled)
          scales = {fragments[4].loadWord(0, m, k), fragments[5].loadWord(0, n, k)};
        sums = multiply(builder, product, left, right, sums, scales);
      }
      for (auto [i, sum] : llvm::enumerate(sums))
        perSum == 2 ? d.storeWord(sum, int64_t(i) * 2, m, n) : d.store(sum, int64_t(i), m, n);
    }
  return success();
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

static SmemDescriptor fieldsOf(mlir::cute::DescIterType type) {
  SmemDescriptor descriptor;
  descriptor.kMajor = type.getMajor() == "k";
  descriptor.swizzleBytes = int32_t(type.getSwizzle());
  descriptor.leadingBytes = int32_t(type.getLeading());
  descriptor.strideBytes = int32_t(type.getStride());
  return descriptor;
}

Value tileiras::descriptorAt(ImplicitLocOpBuilder &builder, Value address, mlir::cute::DescIterType type) {
  Type i64 = builder.getI64Type();
  auto constant = [&](uint64_t value) {
    return LLVM::ConstantOp::create(builder, i64, builder.getI64IntegerAttr(int64_t(value)));
  };
  // 18 bits of address, in units of 16 bytes.
  Value start = LLVM::PtrToIntOp::create(builder, i64, address);
  start = LLVM::AndOp::create(builder, start, constant(0x3FFFF));
  start = LLVM::LShrOp::create(builder, start, constant(4));
  return LLVM::OrOp::create(builder, start, constant(fieldsOf(type).fields()));
}

/// Why no instruction can begin so many bytes behind a matrix; empty if one can. The unit takes the swizzle from
/// absolute addresses, so a start may move inside the first row of a pattern, or by whole patterns.
static std::string whyNoStart(const alg::Int &offset, int64_t bytes, const SmemDescriptor &descriptor) {
  int64_t pattern = descriptor.swizzleBytes ? 8 * descriptor.swizzleBytes : 16;
  if (offset.divisor() * bytes % pattern == 0)
    return "";
  if (offset.isStatic() && descriptor.kMajor && descriptor.swizzleBytes && offset.constant() * bytes % 16 == 0 &&
      offset.constant() * bytes % pattern < descriptor.swizzleBytes)
    return "";
  return "an instruction begins inside a pattern of " + std::to_string(pattern) + " bytes";
}

/// A product is one group: fence, instructions, commit and wait, and the sums are results of what waits, so nobody has
/// them earlier (PTX ISA, "wgmma.fence", "wgmma.wait_group").
LogicalResult CuteLowering::lowerWgmma(Operation *op, ArrayRef<Lowered> tensors) {
  Product product = *mlir::cute::getProduct(mlir::cute::getAtom(op->getOperand(0).getType()));
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Fragment d(builder, tensors[0]), c(builder, tensors[3]);
  struct Shared {
    const char *name;
    const Lowered &tensor;
    Value operand;
    SmemDescriptor fields = {};
    Value first = {};
  } operands[2] = {{"A", tensors[1], op->getOperand(2)}, {"B", tensors[2], op->getOperand(3)}};
  for (Shared &shared : operands) {
    std::string error;
    auto type = mlir::cute::describeMatrix(cast<mlir::cute::CuteMemRefType>(shared.operand.getType()), error);
    if (!type)
      return op->emitOpError() << shared.name << ": " << error;
    shared.fields = fieldsOf(*type);
    const Meaning &meaning = shared.tensor.meaning;
    int64_t bytes = mlir::cute::bytesOf(meaning.element);
    alg::Int begin = meaning.layout.offset.asInt();
    if (std::string why = whyNoStart(begin, bytes, shared.fields); !why.empty())
      return op->emitOpError() << shared.name << ": " << why;
    Emitter emitter(builder, shared.tensor.numbers);
    shared.first = descriptorAt(builder, emitter.advance(shared.tensor.address, meaning.element, begin), *type);
    int64_t rows = alg::size(meaning.layout.layout.mode(1)).constant(),
            columns = alg::size(meaning.layout.layout.mode(2)).constant();
    for (int64_t i = 0; i < rows * columns; ++i) {
      alg::Int step = alg::crd2idx(alg::IntTuple{alg::IntTuple(0), alg::IntTuple(i % rows), alg::IntTuple(i / rows)},
                                   meaning.layout.layout)
                          .asInt();
      if (std::string why = whyNoStart(step, bytes, shared.fields); !why.empty())
        return op->emitOpError() << shared.name << ": " << why;
    }
  }
  auto at = [&](const Shared &shared, int64_t row, int64_t k) -> Value {
    alg::Int step = alg::crd2idx(alg::IntTuple{alg::IntTuple(0), alg::IntTuple(row), alg::IntTuple(k)},
                                 shared.tensor.meaning.layout.layout)
                        .asInt();
    int64_t units = step.constant() * mlir::cute::bytesOf(shared.tensor.meaning.element) / 16;
    if (units == 0)
      return shared.first;
    Value more = LLVM::ConstantOp::create(builder, builder.getI64Type(), builder.getI64IntegerAttr(units));
    return LLVM::AddOp::create(builder, shared.first, more);
  };
  auto countOf = [&](int i, int mode) {
    return alg::size(tensors[size_t(i)].meaning.layout.layout.mode(mode)).constant();
  };
  int64_t rows = countOf(1, 1), columns = countOf(2, 1), steps = countOf(1, 2), values = c.extent(0);
  bool integers = product.c.isInteger(), turns = product.a.getIntOrFloatBitWidth() == 16;
  // Signed by unsigned bytes came with PTX 8.4, 8-bit floats with 8.1.
  int version = product.a != product.b && integers ? 84 : 81;
  std::string name = "wgmma.mma_async.sync.aligned." + shapeOf(product) + "." + nameOf(product.c) + "." +
                     nameOf(product.a) + "." + nameOf(product.b) + " ";
  StringRef wait = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
  SmallVector<Value> all;
  bool one = rows * columns == 1;
  for (int64_t n = 0; n < columns; ++n)
    for (int64_t m = 0; m < rows; ++m) {
      SmallVector<Value> sums;
      for (int64_t v = 0; v < values; ++v)
        sums.push_back(c.load(v, m, n));
      Assembly text(builder, sums);
      std::string lines = "{\n.reg .pred always;\nsetp.ne.b32 always, 1, 0;\nwgmma.fence.sync.aligned;\n";
      for (int64_t k = 0; k < steps; ++k) {
        std::string left = text.operand(at(operands[0], m, k)), right = text.operand(at(operands[1], n, k));
        lines += name + text.sums() + ", " + left + ", " + right + ", always";
        if (!integers)
          lines += ", 1, 1"; // neither is negated
        if (turns)
          lines += std::string(operands[0].fields.kMajor ? ", 0" : ", 1") + (operands[1].fields.kMajor ? ", 0" : ", 1");
        lines += ";\n";
      }
      lines += (one ? wait.str() : "") + "}";
      llvm::append_range(all, text.finish(lines, /*ordered=*/true, version));
    }
  if (!one) {
    Assembly text(builder, all);
    all = text.finish(wait, /*ordered=*/true, version);
  }
  for (auto [i, sum] : llvm::enumerate(all)) {
    int64_t tile = int64_t(i) / values;
    d.store(sum, int64_t(i) % values, tile % rows, tile / rows);
  }
  return success();
}
