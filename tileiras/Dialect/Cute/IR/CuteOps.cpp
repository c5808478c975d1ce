//===- CuteOps.cpp - Operations of cute: verification and folding ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/Cute/IR/Evaluate.h"

using namespace mlir;
using namespace mlir::cute;
namespace alg = tileiras::cute;

#define GET_OP_CLASSES
#include "tileiras/Dialect/Cute/IR/CuteOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Results of the algebra
//===----------------------------------------------------------------------===//

/// A declared leaf may say less than is known (a smaller divisor), but not something else. `promise`: it may also claim
/// a larger divisor, as a fact that the program knows.
static bool agrees(const alg::Int &declared, const alg::Int &computed, bool promise) {
  if (declared.basis() != computed.basis())
    return false;
  if (declared.isDynamic() != computed.isDynamic())
    return false;
  if (!declared.isDynamic())
    return declared == computed;
  return declared.width() >= computed.width() && (promise || computed.divisor() % declared.divisor() == 0);
}

static bool agrees(const alg::IntTuple &declared, const alg::IntTuple &computed, bool promise) {
  if (!alg::congruent(declared, computed))
    return false;
  std::vector<alg::Int> a = declared.leaves(), b = computed.leaves();
  for (size_t i = 0; i < a.size(); ++i)
    if (!agrees(a[i], b[i], promise))
      return false;
  return true;
}

static bool agrees(const alg::ComposedLayout &declared, const alg::ComposedLayout &computed) {
  return declared.swizzle == computed.swizzle && agrees(declared.offset, computed.offset, false) &&
         agrees(declared.layout.shape, computed.layout.shape, false) &&
         agrees(declared.layout.stride, computed.layout.stride, false);
}

static std::string textOf(const Meaning &meaning) {
  switch (meaning.kind) {
  case Meaning::Kind::Tuple:
    return meaning.tuple.toString();
  case Meaning::Kind::Layout:
    return meaning.layout.toString();
  case Meaning::Kind::Tensor:
    return meaning.layout.toString() + " aligned to " + std::to_string(meaning.alignment);
  case Meaning::Kind::Tiler:
    return meaning.tiler->toString();
  case Meaning::Kind::Pointer:
    return "an address aligned to " + std::to_string(meaning.alignment);
  default:
    return "a value of another kind";
  }
}

LogicalResult cute::verifyEvaluated(Operation *op) {
  std::string error;
  std::optional<Meaning> computed = evaluate(op, error);
  if (!computed)
    return op->emitOpError() << error;
  unsigned next = 0;
  Type type = op->getResult(0).getType();
  Meaning declared = describe(type, next);
  bool promise = isa<MakeShapeOp, MakeStrideOp, MakeCoordOp, MakeIntTupleOp, MakeTupleOp>(op);
  bool fits = false;
  switch (computed->kind) {
  case Meaning::Kind::Tuple:
    // What kind of tuple it is, the program says.
    fits = declared.kind == Meaning::Kind::Tuple && agrees(declared.tuple, computed->tuple, promise);
    break;
  case Meaning::Kind::Layout:
    fits = declared.kind == Meaning::Kind::Layout && agrees(declared.layout, computed->layout);
    break;
  case Meaning::Kind::Tiler:
    fits = declared.kind == Meaning::Kind::Tiler && declared.tiler->toString() == computed->tiler->toString();
    break;
  case Meaning::Kind::Pointer:
  case Meaning::Kind::Tensor:
    fits = declared.kind == computed->kind && declared.element == computed->element &&
           declared.space == computed->space && computed->alignment % declared.alignment == 0 &&
           (declared.kind == Meaning::Kind::Pointer || agrees(declared.layout, computed->layout));
    break;
  default:
    break;
  }
  if (!fits)
    return op->emitOpError() << "expects the result to be " << textOf(*computed) << ", got " << type;
  return success();
}

/// What is known altogether needs no operands.
static LogicalResult foldToStatic(Operation *op, PatternRewriter &rewriter) {
  if (!op->hasTrait<OpTrait::cute::Evaluated>())
    return failure();
  unsigned next = 0;
  Type type = op->getResult(0).getType();
  Meaning result = describe(type, next);
  bool value = result.kind == Meaning::Kind::Tuple || result.kind == Meaning::Kind::Layout ||
               result.kind == Meaning::Kind::Tiler;
  if (!value || next != 0)
    return failure();
  rewriter.replaceOpWithNewOp<StaticOp>(op, type);
  return success();
}

namespace {
struct FoldToStatic : RewritePattern {
  FoldToStatic(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    return foldToStatic(op, rewriter);
  }
};
} // namespace

void CuteDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns.add<FoldToStatic>(patterns.getContext());
}

//===----------------------------------------------------------------------===//
// The others
//===----------------------------------------------------------------------===//

LogicalResult StaticOp::verify() {
  unsigned next = 0;
  Meaning result = describe(getType(), next);
  bool value = result.kind == Meaning::Kind::Tuple || result.kind == Meaning::Kind::Layout ||
               result.kind == Meaning::Kind::Tiler || result.kind == Meaning::Kind::Swizzle;
  if (!value || next != 0 || getType().isInteger())
    return emitOpError("expects a tuple, layout, tile or swizzle without ?, got ") << getType();
  return success();
}

LogicalResult UnpackTupleOp::verify() {
  unsigned next = 0;
  Meaning tuple = describe(getTuple().getType(), next);
  if (tuple.kind != Meaning::Kind::Tuple || tuple.tuple.hasAny())
    return emitOpError("expects a tuple of integers, got ") << getTuple().getType();
  std::vector<alg::Int> leaves = tuple.tuple.leaves();
  if (leaves.size() != getNumResults())
    return emitOpError("the tuple has ") << leaves.size() << " integers, but there are " << getNumResults()
                                         << " results";
  for (auto [leaf, type] : llvm::zip_equal(leaves, getResultTypes())) {
    if (!leaf.basis().empty())
      return emitOpError("a stride of coordinates is no integer");
    if ((!type.isInteger(32) && !type.isInteger(64)) || leaf.width() > int(type.getIntOrFloatBitWidth()))
      return emitOpError("expects i32 or i64, as wide as the number, got ") << type;
  }
  return success();
}

LogicalResult IntToPtrOp::verify() {
  Type type = getAddress().getType();
  if (!type.isInteger(64) && !type.isInteger(32) && type.getDialect().getNamespace() != "llvm")
    return emitOpError("expects i32, i64 or an LLVM pointer, got ") << type;
  return success();
}

static LogicalResult verifyAllocation(Operation *op, Type type, AddressSpace space) {
  auto tensor = cast<CuteMemRefType>(type);
  unsigned next = 0;
  Meaning meaning = describe(tensor, next);
  if (next != 0 || (space == AddressSpace::Register && !meaning.layout.isPlain()))
    return op->emitOpError("expects a static layout")
           << (space == AddressSpace::Register ? " without swizzle" : "") << ", got " << type;
  if (tensor.getSpace() != space)
    return op->emitOpError("expects a tensor in ")
           << (space == AddressSpace::Register ? "rmem" : "smem") << ", got " << type;
  alg::Int size = alg::cosize(meaning.layout.layout);
  int64_t most = space == AddressSpace::Register ? 4096 : 233472;
  if (!size.isStatic() || size.constant() * bytesOf(tensor.getElement()) > most)
    return op->emitOpError("a tensor of ") << size.toString() << " elements is larger than " << most << " bytes";
  for (const alg::Int &stride : meaning.layout.layout.stride.leaves())
    if (!stride.basis().empty() || stride.constant() < 0)
      return op->emitOpError("a tensor in memory has strides that are no coordinates and not negative");
  return success();
}

LogicalResult MemRefAllocaOp::verify() { return verifyAllocation(*this, getType(), AddressSpace::Register); }
LogicalResult MemRefAllocSmemOp::verify() { return verifyAllocation(*this, getType(), AddressSpace::Shared); }

LogicalResult MakeFragmentLikeOp::verify() {
  unsigned next = 0;
  Meaning source = describe(getSource().getType(), next), result = describe(getType(), next);
  if (failed(verifyAllocation(*this, getType(), AddressSpace::Register)))
    return failure();
  // Of the source, only the shape; the element may be another one.
  if (source.layout.layout.shape != result.layout.layout.shape)
    return emitOpError("expects the shape ")
           << source.layout.layout.shape.toString() << ", got " << result.layout.layout.shape.toString();
  if (!(alg::cosize(result.layout.layout) == alg::size(result.layout.layout)))
    return emitOpError("expects a compact layout, got ") << result.layout.toString();
  return success();
}

static LogicalResult verifyAccess(Operation *op, CuteMemRefType tensor, Type coord, Type value) {
  unsigned next = 0;
  Meaning t = describe(tensor, next), c = describe(coord, next);
  if (c.kind != Meaning::Kind::Tuple || c.tuple.hasAny() ||
      !(c.tuple.isLeaf() || alg::weaklyCongruent(c.tuple, t.layout.layout.shape)))
    return op->emitOpError("expects a coordinate of the shape ")
           << t.layout.layout.shape.toString() << ", got " << coord;
  if (value != tensor.getElement())
    return op->emitOpError("expects elements of type ") << tensor.getElement() << ", got " << value;
  for (const alg::Int &stride : t.layout.layout.stride.leaves())
    if (!stride.basis().empty())
      return op->emitOpError("a tensor of coordinates has no elements in memory");
  return success();
}

LogicalResult MemRefLoadOp::verify() {
  return verifyAccess(*this, getSource().getType(), getCoord().getType(), getType());
}
LogicalResult MemRefStoreOp::verify() {
  return verifyAccess(*this, getTarget().getType(), getCoord().getType(), getValue().getType());
}

static bool hasStaticShape(Type type) {
  unsigned next = 0;
  return describe(type, next).layout.layout.shape.isStatic();
}

LogicalResult FillOp::verify() {
  if (!hasStaticShape(getTarget().getType()))
    return emitOpError("expects a static shape, got ") << getTarget().getType();
  if (getValue().getType() != getTarget().getType().getElement())
    return emitOpError("expects elements of type ")
           << getTarget().getType().getElement() << ", got " << getValue().getType();
  return success();
}

LogicalResult MakeAtomOp::verify() {
  if (!isa<TiledCopyType, TiledMmaType, cute_nvgpu::UniversalCopyType, cute_nvgpu::SimtAsyncCopyType,
           cute_nvgpu::UniversalFmaType, cute_nvgpu::Sm80MmaType>(getType()))
    return emitOpError("expects an atom, a tiled copy or a tiled mma, got ") << getType();
  return success();
}

static LogicalResult verifyCopy(Operation *op, Type atom, CuteMemRefType source, CuteMemRefType target) {
  if (auto tiled = dyn_cast<TiledCopyType>(atom))
    atom = tiled.getAtom();
  if (!isa<cute_nvgpu::UniversalCopyType, cute_nvgpu::SimtAsyncCopyType>(atom))
    return op->emitOpError("expects a copy atom, got ") << atom;
  if (source.getElement() != target.getElement())
    return op->emitOpError("copies ") << source.getElement() << " to " << target.getElement();
  if (isa<cute_nvgpu::SimtAsyncCopyType>(atom) &&
      (source.getSpace() != AddressSpace::Global || target.getSpace() != AddressSpace::Shared))
    return op->emitOpError("cp.async copies from gmem to smem");
  if (!hasStaticShape(source) || !hasStaticShape(target))
    return op->emitOpError("expects static shapes");
  unsigned next = 0;
  alg::Int a = alg::size(describe(source, next).layout.layout), b = alg::size(describe(target, next).layout.layout);
  if (!(a == b))
    return op->emitOpError("copies ") << a.toString() << " elements to " << b.toString();
  return success();
}

LogicalResult CopyOp::verify() {
  return verifyCopy(*this, getAtom().getType(), getSource().getType(), getTarget().getType());
}

LogicalResult CopyAtomCallOp::verify() {
  Type atom = getAtom().getType();
  if (failed(verifyCopy(*this, atom, getSource().getType(), getTarget().getType())))
    return failure();
  if (isa<TiledCopyType>(atom))
    return emitOpError("expects an atom, not a tiled copy");
  auto async = dyn_cast<cute_nvgpu::SimtAsyncCopyType>(atom);
  int64_t bits = async ? async.getBits() : cast<cute_nvgpu::UniversalCopyType>(atom).getBits();
  unsigned next = 0;
  alg::Int elements = alg::size(describe(getSource().getType(), next).layout.layout);
  if (elements.constant() * 8 * bytesOf(getSource().getType().getElement()) != bits)
    return emitOpError("an atom of ") << bits << " bits does not copy " << elements.toString() << " elements of type "
                                      << getSource().getType().getElement();
  return success();
}

/// `rank` 3: (values, rows, columns); 1: values alone.
static LogicalResult verifyProduct(Operation *op, int rank) {
  Type atom = op->getOperand(0).getType();
  if (auto tiled = dyn_cast<TiledMmaType>(atom))
    atom = tiled.getAtom();
  std::optional<MmaFragment> fa = getMmaFragment(atom, 'A'), fb = getMmaFragment(atom, 'B'),
                             fc = getMmaFragment(atom, 'C');
  if (!fa)
    return op->emitOpError("expects an mma atom, got ") << atom;
  Type elements[3];
  if (auto mma = dyn_cast<cute_nvgpu::Sm80MmaType>(atom))
    elements[0] = mma.getA(), elements[1] = mma.getB(), elements[2] = mma.getC();
  else
    elements[0] = elements[1] = elements[2] = cast<cute_nvgpu::UniversalFmaType>(atom).getElement();
  alg::Int extents[4][2];
  auto tensor = [&](unsigned i) { return cast<CuteMemRefType>(op->getOperand(i).getType()); };
  struct Operand {
    const char *name;
    CuteMemRefType type;
    const MmaFragment &fragment;
    Type element;
  } operands[4] = {{"D", tensor(1), *fc, elements[2]},
                   {"A", tensor(2), *fa, elements[0]},
                   {"B", tensor(3), *fb, elements[1]},
                   {"C", tensor(4), *fc, elements[2]}};
  for (auto [i, operand] : llvm::enumerate(operands)) {
    unsigned next = 0;
    Meaning meaning = describe(operand.type, next);
    const alg::Layout &layout = meaning.layout.layout;
    if (next != 0 || !meaning.layout.isPlain() || (rank == 3 && (layout.shape.isLeaf() || layout.rank() != 3)) ||
        operand.type.getSpace() != AddressSpace::Register)
      return op->emitOpError("expects ") << operand.name << " to be a static tensor in rmem"
                                         << (rank == 3 ? " of three modes" : "") << ", got " << operand.type;
    if (operand.type.getElement() != operand.element)
      return op->emitOpError("expects ") << operand.name << " to have elements " << operand.element << ", got "
                                         << operand.type.getElement();
    alg::Int values = alg::size(operand.fragment.layout.mode(1));
    if (!(alg::size(rank == 3 ? layout.mode(0) : layout) == values))
      return op->emitOpError("expects ") << values.toString() << " values of " << operand.name << " in a thread, got "
                                         << alg::size(rank == 3 ? layout.mode(0) : layout).toString();
    if (rank == 1)
      continue;
    extents[i][0] = alg::size(layout.mode(1));
    extents[i][1] = alg::size(layout.mode(2));
  }
  bool fits = extents[0][0] == extents[1][0] && extents[0][1] == extents[2][0] && extents[1][1] == extents[2][1] &&
              extents[0][0] == extents[3][0] && extents[0][1] == extents[3][1];
  if (!fits)
    return op->emitOpError("D and C are (values, M, N), A (values, M, K), B (values, N, K): the extents differ");
  return success();
}

LogicalResult GemmOp::verify() { return verifyProduct(*this, 3); }

LogicalResult MmaAtomCallOp::verify() {
  if (isa<TiledMmaType>(getAtom().getType()))
    return emitOpError("expects an atom, not a tiled mma");
  return verifyProduct(*this, 1);
}
