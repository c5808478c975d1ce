//===- CopyAndGemm.cpp - Atoms become instructions ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CuteToLLVM/Lowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include <numeric>

using namespace mlir;
using namespace tileiras;
using mlir::cute::AddressSpace;
using mlir::cute::Meaning;
namespace alg = tileiras::cute;

//===----------------------------------------------------------------------===//
// copy
//===----------------------------------------------------------------------===//

/// Why vectors of `count` elements, numbered as in the layout, are not pieces of memory aligned to their size; empty if
/// they are.
static std::string whyNoVectors(const Meaning &tensor, int64_t count) {
  int64_t bytes = count * mlir::cute::bytesOf(tensor.element);
  if (count == 1 && tensor.alignment % bytes == 0)
    return "";
  alg::Layout flat = alg::coalesce(tensor.layout.layout);
  std::vector<alg::Int> shapes = flat.shape.leaves(), strides = flat.stride.leaves();
  if (!strides[0].is(1) || shapes[0].constant() % count != 0)
    return "its elements are not side by side in this number";
  if (!tensor.layout.swizzle.isNone() && count > int64_t(1) << tensor.layout.swizzle.base)
    return "its swizzle moves smaller pieces";
  int64_t together = tensor.layout.offset.asInt().divisor();
  for (size_t i = 1; i < strides.size(); ++i)
    together = std::gcd(together, strides[i].divisor());
  bool rmem = tensor.space == AddressSpace::Register;
  if (together % count != 0 || (!rmem && tensor.alignment % bytes != 0))
    return "its addresses are not known to be multiples of " + std::to_string(bytes);
  return "";
}

LogicalResult CuteLowering::lowerCopy(Operation *op) {
  FailureOr<Lowered> source = get(op->getOperand(1), op), target = get(op->getOperand(2), op);
  if (failed(source) || failed(target))
    return failure();
  Type atom = op->getOperand(0).getType();
  if (auto tiled = dyn_cast<mlir::cute::TiledCopyType>(atom))
    atom = tiled.getAtom();
  auto async = dyn_cast<mlir::cute_nvgpu::SimtAsyncCopyType>(atom);
  int64_t bits = async ? async.getBits() : cast<mlir::cute_nvgpu::UniversalCopyType>(atom).getBits();
  Type element = source->meaning.element;
  int64_t bytes = mlir::cute::bytesOf(element), count = bits / 8 / bytes;
  if (count < 1 || bits % (8 * bytes) != 0)
    return op->emitOpError("an atom of ") << bits << " bits cannot copy elements of type " << element;
  for (auto [name, tensor] : {std::pair("source", &*source), std::pair("target", &*target)})
    if (std::string why = whyNoVectors(tensor->meaning, count); !why.empty())
      return op->emitOpError("cannot copy ") << bits << " bits at once: of the " << name << ", " << why;

  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Emitter from(builder, source->numbers), to(builder, target->numbers);
  Type vector = count == 1 ? element : Type(VectorType::get({count}, element));
  int64_t elements = alg::size(source->meaning.layout.layout).constant();
  if (elements / count > kMostAccesses)
    return op->emitOpError() << elements / count << " copies are more than the " << kMostAccesses
                             << " that are unrolled";
  for (int64_t i = 0; i < elements; i += count) {
    std::optional<alg::Int> a = alg::crd2idx(alg::IntTuple(i), source->meaning.layout);
    std::optional<alg::Int> b = alg::crd2idx(alg::IntTuple(i), target->meaning.layout);
    if (!a || !b)
      return op->emitOpError("a tensor of coordinates has no elements in memory");
    Value read = from.advance(source->address, element, *a), written = to.advance(target->address, element, *b);
    if (async) {
      NVVM::CpAsyncOp::create(
          builder, written, read, builder.getI32IntegerAttr(int32_t(bits / 8)),
          NVVM::LoadCacheModifierKindAttr::get(op->getContext(), bits == 128 ? NVVM::LoadCacheModifierKind::CG
                                                                             : NVVM::LoadCacheModifierKind::CA),
          /*cpSize=*/Value());
      continue;
    }
    Value value = LLVM::LoadOp::create(builder, vector, read, unsigned(bits / 8));
    LLVM::StoreOp::create(builder, value, written, unsigned(bits / 8));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// gemm
//===----------------------------------------------------------------------===//

namespace {
/// Elements of a fragment in registers.
class Fragment {
public:
  Fragment(ImplicitLocOpBuilder &builder, const Lowered &tensor)
      : builder(builder), tensor(tensor), emitter(builder, {}) {}

  int64_t extent(int mode) const { return alg::size(tensor.meaning.layout.layout.mode(mode)).constant(); }
  Value load(int64_t value, int64_t row, int64_t column) {
    return LLVM::LoadOp::create(builder, tensor.meaning.element, address(value, row, column), alignment());
  }
  void store(Value element, int64_t value, int64_t row, int64_t column) {
    LLVM::StoreOp::create(builder, element, address(value, row, column), alignment());
  }
  /// Values 2i and 2i+1 as one register of an instruction: a vector of f16, an i32 of bf16.
  Value loadPair(int64_t pair, int64_t row, int64_t column) {
    auto type = VectorType::get({2}, tensor.meaning.element);
    Value result = LLVM::UndefOp::create(builder, type);
    for (int64_t i = 0; i < 2; ++i) {
      Value at = LLVM::ConstantOp::create(builder, builder.getI32Type(), builder.getI32IntegerAttr(int32_t(i)));
      result = LLVM::InsertElementOp::create(builder, result, load(2 * pair + i, row, column), at);
    }
    if (tensor.meaning.element.isBF16())
      result = LLVM::BitcastOp::create(builder, builder.getI32Type(), result);
    return result;
  }
  void storePair(Value vector, int64_t pair, int64_t row, int64_t column) {
    for (int64_t i = 0; i < 2; ++i) {
      Value at = LLVM::ConstantOp::create(builder, builder.getI32Type(), builder.getI32IntegerAttr(int32_t(i)));
      store(LLVM::ExtractElementOp::create(builder, vector, at), 2 * pair + i, row, column);
    }
  }

private:
  unsigned alignment() const { return unsigned(mlir::cute::bytesOf(tensor.meaning.element)); }
  Value address(int64_t value, int64_t row, int64_t column) {
    alg::IntTuple at{alg::IntTuple(value), alg::IntTuple(row), alg::IntTuple(column)};
    return emitter.advance(tensor.address, tensor.meaning.element,
                           alg::crd2idx(at, tensor.meaning.layout.layout).asInt());
  }
  ImplicitLocOpBuilder &builder;
  const Lowered &tensor;
  Emitter emitter;
};
} // namespace

/// One mma.sync: the sums in, the sums out.
static SmallVector<Value> multiply(ImplicitLocOpBuilder &builder, mlir::cute_nvgpu::Sm80MmaType mma, ArrayRef<Value> a,
                                   ArrayRef<Value> b, ArrayRef<Value> c) {
  SmallVector<Type> fields(c.size(), c.front().getType());
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), fields);
  std::optional<std::array<NVVM::MMATypes, 2>> types;
  if (mma.getA().isBF16())
    types = std::array{NVVM::MMATypes::bf16, NVVM::MMATypes::bf16};
  std::array layouts{NVVM::MMALayout::row, NVVM::MMALayout::col};
  Value result = NVVM::MmaOp::create(builder, type, a, b, c, {mma.getM(), mma.getN(), mma.getK()}, std::nullopt,
                                     std::nullopt, types, layouts);
  SmallVector<Value> sums;
  for (size_t i = 0; i < c.size(); ++i)
    sums.push_back(LLVM::ExtractValueOp::create(builder, result, ArrayRef<int64_t>{int64_t(i)}));
  return sums;
}

LogicalResult CuteLowering::lowerGemm(Operation *op) {
  Lowered tensors[4];
  for (unsigned i = 0; i < 4; ++i) {
    FailureOr<Lowered> lowered = get(op->getOperand(i + 1), op); // behind the atom: D, A, B, C
    if (failed(lowered))
      return failure();
    tensors[i] = *lowered;
    // The values of one product have no rows and columns.
    alg::Layout &layout = tensors[i].meaning.layout.layout;
    if (isa<mlir::cute::MmaAtomCallOp>(op))
      layout = alg::makeLayout({layout, alg::Layout(), alg::Layout()});
  }
  Type atom = op->getOperand(0).getType();
  if (auto tiled = dyn_cast<mlir::cute::TiledMmaType>(atom))
    atom = tiled.getAtom();
  auto mma = dyn_cast<mlir::cute_nvgpu::Sm80MmaType>(atom);
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Fragment d(builder, tensors[0]), a(builder, tensors[1]), b(builder, tensors[2]), c(builder, tensors[3]);
  bool pairs = mma && mma.getC().isF16();
  int64_t sums = pairs ? c.extent(0) / 2 : c.extent(0);
  for (int64_t n = 0; n < b.extent(1); ++n)
    for (int64_t m = 0; m < a.extent(1); ++m) {
      SmallVector<Value> acc;
      for (int64_t v = 0; v < sums; ++v)
        acc.push_back(pairs ? c.loadPair(v, m, n) : c.load(v, m, n));
      for (int64_t k = 0; k < a.extent(2); ++k) {
        if (!mma) {
          acc[0] = LLVM::FMAOp::create(builder, a.load(0, m, k), b.load(0, n, k), acc[0]);
          continue;
        }
        SmallVector<Value> left, right;
        for (int64_t v = 0; v < a.extent(0) / 2; ++v)
          left.push_back(a.loadPair(v, m, k));
        for (int64_t v = 0; v < b.extent(0) / 2; ++v)
          right.push_back(b.loadPair(v, n, k));
        acc = multiply(builder, mma, left, right, acc);
      }
      for (int64_t v = 0; v < sums; ++v)
        pairs ? d.storePair(acc[size_t(v)], v, m, n) : d.store(acc[size_t(v)], v, m, n);
    }
  return success();
}
