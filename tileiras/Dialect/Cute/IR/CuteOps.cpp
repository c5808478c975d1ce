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
  case Meaning::Kind::Coords:
    return meaning.layout.toString();
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
  case Meaning::Kind::Coords:
    fits = declared.kind == computed->kind && agrees(declared.layout, computed->layout);
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

LogicalResult MemRefStoreVecOp::verify() {
  auto vector = dyn_cast<VectorType>(getValue().getType());
  unsigned next = 0;
  alg::Int elements = alg::size(describe(getTarget().getType(), next).layout.layout);
  if (!vector || vector.getRank() != 1 || vector.isScalable() ||
      vector.getElementType() != getTarget().getType().getElement() || !elements.is(vector.getNumElements()))
    return emitOpError("expects a vector of ")
           << elements.toString() << " elements of type " << getTarget().getType().getElement() << ", got "
           << getValue().getType();
  return success();
}

LogicalResult PtrStoreOp::verify() {
  if (getValue().getType() != getTarget().getType().getElement())
    return emitOpError("expects elements of type ")
           << getTarget().getType().getElement() << ", got " << getValue().getType();
  return success();
}

static LogicalResult verifyComparison(Operation *op, bool layouts) {
  for (Value operand : op->getOperands()) {
    unsigned next = 0;
    Meaning meaning = describe(operand.getType(), next);
    bool tuple = meaning.kind == Meaning::Kind::Tuple && !meaning.tuple.hasAny();
    if (!tuple && !(layouts && meaning.kind == Meaning::Kind::Layout))
      return op->emitOpError("compares ")
             << (layouts ? "tuples or layouts" : "tuples") << ", not " << operand.getType();
  }
  return success();
}
LogicalResult EqualOp::verify() { return verifyComparison(*this, true); }
LogicalResult TupleEqOp::verify() { return verifyComparison(*this, false); }

LogicalResult DerefineOp::verify() {
  unsigned next = 0;
  Meaning from = describe(getValue().getType(), next), to = describe(getType(), next);
  bool fits = from.kind == to.kind && from.element == to.element && from.space == to.space &&
              from.alignment % to.alignment == 0 && from.layout.swizzle == to.layout.swizzle;
  std::vector<alg::Int> a = from.everyNumber(), b = to.everyNumber();
  switch (from.kind) {
  case Meaning::Kind::Tuple:
    fits &= alg::congruent(from.tuple, to.tuple);
    break;
  case Meaning::Kind::Layout:
  case Meaning::Kind::Tensor:
  case Meaning::Kind::Coords:
    fits &= alg::congruent(from.layout.layout.shape, to.layout.layout.shape) &&
            alg::congruent(from.layout.offset, to.layout.offset);
    break;
  default:
    return emitOpError("expects a tuple, a layout or a tensor, got ") << getValue().getType();
  }
  fits &= a.size() == b.size();
  for (size_t i = 0; fits && i < a.size(); ++i)
    fits = b[i].isDynamic() ? a[i].basis() == b[i].basis() && !a[i].isAny() && a[i].divisor() % b[i].divisor() == 0 &&
                                  (!a[i].isDynamic() || b[i].width() >= a[i].width())
                            : a[i] == b[i];
  if (!fits)
    return emitOpError("expects the result to say the same or less than ")
           << getValue().getType() << ", got " << getType();
  return success();
}

LogicalResult GetLayoutsFromTileOp::verify() {
  unsigned next = 0;
  std::vector<alg::Tiler> modes = describe(getTile().getType(), next).tiler->modes;
  if (modes.empty())
    modes.push_back(*describe(getTile().getType(), next).tiler);
  if (modes.size() != getNumResults())
    return emitOpError("the tile has ") << modes.size() << " modes, but there are " << getNumResults() << " results";
  for (auto [mode, type] : llvm::zip_equal(modes, getResultTypes())) {
    if (!mode.layout)
      return emitOpError("a mode that is no layout: ") << mode.toString();
    if (mode.layout->toString() != cast<LayoutType>(type).getText())
      return emitOpError("expects the result to be ") << mode.layout->toString() << ", got " << type;
  }
  return success();
}

LogicalResult PrintOp::verify() {
  for (Type type : getValues().getTypes()) {
    unsigned next = 0;
    Meaning::Kind kind = describe(type, next).kind;
    bool printed = type.isF32() || type.isF64() || kind == Meaning::Kind::Tuple || kind == Meaning::Kind::Layout ||
                   kind == Meaning::Kind::Tiler || kind == Meaning::Kind::Pointer || kind == Meaning::Kind::Tensor ||
                   kind == Meaning::Kind::Coords;
    if (!printed)
      return emitOpError("prints tuples, layouts, tiles, tensors, addresses, i32, i64, f32 and f64, not ") << type;
  }
  return success();
}
