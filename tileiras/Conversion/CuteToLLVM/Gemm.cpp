//===- Gemm.cpp - Atoms of products become instructions -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CuteToLLVM/Products.h"
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
// Of registers
//===----------------------------------------------------------------------===//

LogicalResult CuteLowering::lowerGemm(Operation *op) {
  Type atom = mlir::cute::getAtom(op->getOperand(0).getType());
  Product product = *mlir::cute::getProduct(atom);
  std::vector<Lowered> tensors;
  // Behind the atom: D, A, B, C, scales, metadata; a flag is no tensor.
  for (Value operand :
       llvm::make_filter_range(op->getOperands().drop_front(), [](Value v) { return !v.getType().isInteger(1); })) {
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
    return lowerDescriptorGemm(op, tensors);
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
        Value metadata;
        for (int64_t v = 0; v < a.extent(0); v += perWord(product.element('A')))
          left.push_back(a.loadWord(v, m, k));
        for (int64_t v = 0; v < b.extent(0); v += perWord(product.element('B')))
          right.push_back(b.loadWord(v, n, k));
        if (product.scaled)
          scales = {fragments[4].loadWord(0, m, k), fragments[5].loadWord(0, n, k)};
        if (product.sparse)
          metadata = fragments.back().loadWord(0, m, k);
        sums = multiplyWords(builder, product, left, right, sums, scales, metadata);
      }
      for (auto [i, sum] : llvm::enumerate(sums))
        perSum == 2 ? d.storeWord(sum, int64_t(i) * 2, m, n) : d.store(sum, int64_t(i), m, n);
    }
  return success();
}

//===----------------------------------------------------------------------===//
// By descriptors
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

struct tileiras::SharedFactor {
  const char *name;
  const Lowered &tensor;
  Value operand;
  SmemDescriptor fields = {};
  Value first = {};

  LogicalResult describe(Operation *op, ImplicitLocOpBuilder &builder) {
    std::string error;
    auto type = mlir::cute::describeMatrix(cast<mlir::cute::CuteMemRefType>(operand.getType()), error);
    if (!type)
      return op->emitOpError() << name << ": " << error;
    fields = fieldsOf(*type);
    const Meaning &meaning = tensor.meaning;
    int64_t bytes = mlir::cute::bytesOf(meaning.element);
    alg::Int begin = meaning.layout.offset.asInt();
    if (std::string why = whyNoStart(begin, bytes, fields); !why.empty())
      return op->emitOpError() << name << ": " << why;
    Emitter emitter(builder, tensor.numbers);
    first = descriptorAt(builder, emitter.advance(tensor.address, meaning.element, begin), *type);
    for (int64_t k = 0; k < count(2); ++k)
      for (int64_t row = 0; row < count(1); ++row)
        if (std::string why = whyNoStart(stepTo(row, k), bytes, fields); !why.empty())
          return op->emitOpError() << name << ": " << why;
    return success();
  }
  int64_t count(int mode) const { return alg::size(tensor.meaning.layout.layout.mode(mode)).constant(); }
  alg::Int stepTo(int64_t row, int64_t k) const {
    return alg::crd2idx(alg::IntTuple{alg::IntTuple(0), alg::IntTuple(row), alg::IntTuple(k)},
                        tensor.meaning.layout.layout)
        .asInt();
  }
  Value at(ImplicitLocOpBuilder &builder, int64_t row, int64_t k) const {
    int64_t units = stepTo(row, k).constant() * mlir::cute::bytesOf(tensor.meaning.element) / 16;
    if (units == 0)
      return first;
    Value more = LLVM::ConstantOp::create(builder, builder.getI64Type(), builder.getI64IntegerAttr(units));
    return LLVM::AddOp::create(builder, first, more);
  }
};

/// Words in tensor memory that an instruction takes, (values, rows, columns): checks that they lie as it has them.
static LogicalResult checkWords(Operation *op, const char *name, const Lowered &tensor, int64_t columns) {
  const alg::Layout &layout = tensor.meaning.layout.layout;
  if (mlir::cute::areRowsOfTensorMemory(layout.mode(0), 128, columns))
    return success();
  return op->emitOpError() << name << " lie in the lanes of tensor memory: expects ((128," << columns
                           << "),...):((65536,1),...), got " << layout.toString();
}

/// wgmma: a product is one group: fence, instructions, commit and wait, and the sums are results of what waits, so
/// nobody has them earlier (PTX ISA, "wgmma.fence", "wgmma.wait_group"). Registers of A belong to the group until then,
/// too, so a piece that has them waits itself. tcgen05.mma: instructions.
LogicalResult CuteLowering::lowerDescriptorGemm(Operation *op, ArrayRef<Lowered> tensors) {
  Product product = *mlir::cute::getProduct(mlir::cute::getAtom(op->getOperand(0).getType()));
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  SharedFactor a{"A", tensors[1], op->getOperand(2)}, b{"B", tensors[2], op->getOperand(3)};
  if ((!product.registersA && failed(a.describe(op, builder))) || failed(b.describe(op, builder)))
    return failure();
  Fragment registers(builder, tensors[1]);
  int64_t rows = a.count(1), columns = b.count(1);
  bool turnA = !product.registersA && !a.fields.kMajor, turnB = !b.fields.kMajor;
  if (product.tensor)
    return multiplyTensorMemory(op, product, tensors, a, b);
  auto steps = [&](int64_t m, int64_t n) {
    SmallVector<DescriptorStep> all;
    for (int64_t k = 0; k < b.count(2); ++k) {
      DescriptorStep &step = all.emplace_back();
      step.b = b.at(builder, n, k);
      if (!product.registersA)
        step.a = a.at(builder, m, k);
      else
        for (int64_t v = 0, each = std::max<int64_t>(1, 4 / mlir::cute::bytesOf(product.element('A')));
             v < registers.extent(0); v += each)
          step.wordsA.push_back(registers.loadWord(v, m, k));
    }
    return all;
  };
  Fragment d(builder, tensors[0]), c(builder, tensors[3]);
  int64_t values = c.extent(0);
  SmallVector<Value> all;
  bool alone = rows * columns == 1 || product.registersA;
  for (int64_t n = 0; n < columns; ++n)
    for (int64_t m = 0; m < rows; ++m) {
      SmallVector<Value> sums;
      for (int64_t v = 0; v < values; ++v)
        sums.push_back(c.load(v, m, n));
      llvm::append_range(all, multiplyByWarpgroup(builder, product, sums, steps(m, n), turnA, turnB, alone));
    }
  if (!alone)
    all = waitForWarpgroup(builder, all);
  for (auto [i, sum] : llvm::enumerate(all)) {
    int64_t tile = int64_t(i) / values;
    d.store(sum, int64_t(i) % values, tile % rows, tile / rows);
  }
  return success();
}

LogicalResult CuteLowering::multiplyTensorMemory(Operation *op, const Product &product, ArrayRef<Lowered> tensors,
                                                 const SharedFactor &a, const SharedFactor &b) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  const Meaning &sums = tensors[0].meaning;
  int64_t m = product.rowsOf('A'), n = product.n;
  if (!mlir::cute::areRowsOfTensorMemory(sums.layout.layout.mode(0), m, n))
    return op->emitOpError("sums of tcgen05.mma lie in rows of tensor memory: expects ((")
           << m << "," << n << "),M,N):((65536,1),...), got " << sums.layout.toString();
  if (product.scaled && (failed(checkWords(op, "the scales of A", tensors[4], product.columnsOf('S'))) ||
                         failed(checkWords(op, "the scales of B", tensors[5], product.columnsOf('T')))))
    return failure();
  if (product.sparse && failed(checkWords(op, "the metadata", tensors.back(), product.columnsOf('E'))))
    return failure();
  auto offsetOf = [&](const Lowered &tensor, int64_t row, int64_t column) {
    alg::IntTuple at{alg::IntTuple(0), alg::IntTuple(row), alg::IntTuple(column)};
    return alg::crd2idx(at, tensor.meaning.layout.layout).asInt();
  };
  auto address = [&](const Lowered &tensor, const alg::Int &offset) {
    Emitter emitter(builder, tensor.numbers);
    return emitter.advance(tensor.address, tensor.meaning.element, offset);
  };
  auto word = [&](const Lowered &tensor, const alg::Int &offset) -> Value {
    return LLVM::PtrToIntOp::create(builder, builder.getI32Type(), address(tensor, offset));
  };
  Value accumulate = llvm::cast<mlir::cute::GemmOp>(op).getAccumulate();
  for (int64_t column = 0; column < b.count(1); ++column)
    for (int64_t row = 0; row < a.count(1); ++row) {
      SmallVector<DescriptorStep> steps;
      for (int64_t k = 0; k < a.count(2); ++k) {
        DescriptorStep &step = steps.emplace_back();
        step.a = a.at(builder, row, k), step.b = b.at(builder, column, k);
        if (product.scaled) {
          step.scalesA = word(tensors[4], offsetOf(tensors[4], row, k / 4));
          step.scalesB = word(tensors[5], offsetOf(tensors[5], column, k / 4));
          step.byteA = step.byteB = k % 4;
        }
        if (product.sparse) {
          // An address is that of an even column, and the selector says whether the next one is meant.
          alg::Int offset = offsetOf(tensors.back(), row, k);
          if (!offset.isStatic() || (product.columnsOf('E') == 2 && offset.constant() % 2))
            return op->emitOpError("the metadata of an instruction begin in an even column, at a known distance from "
                                   "the first");
          step.selector = offset.constant() % 2;
          step.metadata = word(tensors.back(), offset - alg::Int(step.selector));
        }
      }
      multiplyInTensorMemory(builder, product, address(tensors[0], offsetOf(tensors[0], row, column)), steps,
                             !a.fields.kMajor, !b.fields.kMajor, accumulate);
    }
  return success();
}

//===----------------------------------------------------------------------===//
// To tensor memory
//===----------------------------------------------------------------------===//

/// tcgen05.cp, piece by piece of 128 lanes. Lanes that get the same row are the same row of the source, and that is
/// what the descriptor speaks of.
LogicalResult CuteLowering::lowerS2tCopy(Operation *op, const Lowered &source, const Lowered &target) {
  auto atom = cast<mlir::cute_nvgpu::S2tCopyType>(mlir::cute::getAtom(op->getOperand(0).getType()));
  const alg::Layout &from = source.meaning.layout.layout, &to = target.meaning.layout.layout;
  int64_t words = atom.getWords(), piece = 128 * words;
  if (!mlir::cute::areRowsOfTensorMemory(alg::makeLayout({to.mode(0), to.mode(1)}), 128, words))
    return op->emitOpError("copies to lanes of tensor memory: expects (128,")
           << words << ",...):(65536,1,...), got " << to.toString();
  alg::Layout rows = alg::parseLayout(std::string_view(atom.getRows()))->layout; // of each lane
  std::optional<alg::Layout> first = alg::rightInverse(rows);
  for (int64_t lane = 0; lane < 128; ++lane) {
    int64_t same = alg::offsetOf(*first, alg::offsetOf(rows, lane));
    if (alg::offsetOf(from.mode(0), lane) != alg::offsetOf(from.mode(0), same))
      return op->emitOpError() << atom.getShape() << " gives lanes " << same << " and " << lane
                               << " the same row, which are two of the source: " << from.toString();
  }
  std::string error;
  std::optional<alg::Layout> lanes = alg::composition(from.mode(0), *first, &error);
  std::optional<mlir::cute::DescIterType> type;
  if (lanes)
    type = mlir::cute::describeMatrix(cast<mlir::cute::CuteMemRefType>(op->getOperand(1).getType()),
                                      alg::makeLayout({*lanes, from.mode(1)}), error);
  if (!type)
    return op->emitOpError("the source: ") << error;
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Emitter read(builder, source.numbers), written(builder, target.numbers);
  for (int64_t i = 0, n = alg::size(from).constant() / piece; i < n; ++i) {
    FailureOr<alg::Int> begin = offsetOf(op, alg::IntTuple(i * piece), source.meaning),
                        end = offsetOf(op, alg::IntTuple(i * piece), target.meaning);
    if (failed(begin) || failed(end))
      return failure();
    std::string why = whyNoStart(*begin, mlir::cute::bytesOf(source.meaning.element), fieldsOf(*type));
    if (!why.empty())
      return op->emitOpError("the source: ") << why;
    Value descriptor = descriptorAt(builder, read.advance(source.address, source.meaning.element, *begin), *type);
    copyToTensorMemory(builder, atom.getShape(), descriptor,
                       written.advance(target.address, target.meaning.element, *end));
  }
  return success();
}
