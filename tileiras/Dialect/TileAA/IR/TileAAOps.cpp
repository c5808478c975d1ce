//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operations of nv_tileaa: verifiers, folds, assembly.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "tileiras/Dialect/TileAA/IR/AccessOrder.h"
#include "tileiras/Dialect/TileAA/IR/AsmDirectives.h"
#include "tileiras/Dialect/TileAA/IR/ShapeLayoutInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

using namespace mlir::nv_tileaa::detail;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/IR/TileAAOps.cpp.inc"

static RankedTensorType tensorOf(Value v) { return cast<RankedTensorType>(v.getType()); }

//===----------------------------------------------------------------------===//
// func
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                   ArrayRef<NamedAttribute> attrs) {
  state.addAttribute(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.attributes.append(attrs.begin(), attrs.end());
  state.addRegion();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> args, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(args, results); };
  return function_interface_impl::parseFunctionOp(parser, result, /*allowVariadic=*/false,
                                                  getFunctionTypeAttrName(result.name), buildType,
                                                  getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &p) {
  function_interface_impl::printFunctionOp(p, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

OpFoldResult JoinMemTokenOp::fold(FoldAdaptor) {
  if (getTokens().size() == 1)
    return getTokens().front();
  return {};
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

LogicalResult SplatOp::verify() {
  if (isa<RankedTensorType>(getSource().getType()))
    return emitOpError("expects a scalar source");
  if (getSource().getType() != getType().getElementType())
    return emitOpError("expects the result's element type ")
           << getType().getElementType() << ", got " << getSource().getType();
  return success();
}

LogicalResult ConstantTensorOp::verify() {
  auto type = cast<ShapedType>(getValue().getType());
  if (type.getShape() != getType().getShape() || type.getElementType() != getType().getElementType())
    return emitOpError("expects the attribute's shape and element type to be the result's, got ") << type;
  return success();
}
OpFoldResult ConstantTensorOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult MakeRangeOp::verify() {
  if (getType().getRank() != 1)
    return emitOpError("expects a rank-1 result");
  if (static_cast<int64_t>(getEnd() - getStart()) != getType().getDimSize(0))
    return emitOpError("expects end - start to be the number of elements");
  return success();
}

/// Source and result hold the same elements, and where they have layouts, each thread already holds its own.
static LogicalResult verifyShapeOp(Operation *op, RankedTensorType source, RankedTensorType result) {
  if (source.getElementType() != result.getElementType())
    return op->emitOpError("expects source and result of one element type");
  Attribute layout = result.getEncoding();
  auto *layouts = layout ? layout.getDialect().getRegisteredInterface<ShapeLayoutInterface>() : nullptr;
  return layouts ? layouts->verifyShapeLayouts(op) : success();
}

LogicalResult ViewOp::verify() {
  auto source = tensorOf(getSource());
  if (source.getNumElements() != getType().getNumElements())
    return emitOpError("expects source and result with the same number of elements");
  return verifyShapeOp(*this, source, getType());
}

LogicalResult BroadcastOp::verify() {
  auto source = tensorOf(getSource());
  if (source.getRank() != getType().getRank())
    return emitOpError("expects source and result of one rank");
  for (auto [s, r] : llvm::zip_equal(source.getShape(), getType().getShape()))
    if (s != r && s != 1)
      return emitOpError("expects each source dimension to be 1 or the result's");
  return verifyShapeOp(*this, source, getType());
}

LogicalResult ExpandDimsOp::verify() {
  auto source = tensorOf(getSource());
  SmallVector<int64_t> shape(source.getShape());
  if (getAxis() > shape.size())
    return emitOpError("expects axis in [0, ") << shape.size() << "], got " << getAxis();
  shape.insert(shape.begin() + getAxis(), 1);
  if (ArrayRef<int64_t>(shape) != getType().getShape())
    return emitOpError("result shape does not match");
  return verifyShapeOp(*this, source, getType());
}

LogicalResult PermuteOp::verify() {
  auto source = tensorOf(getSource());
  ArrayRef<int32_t> perm = getPermutation();
  if (int64_t(perm.size()) != source.getRank() || perm.size() != size_t(getType().getRank()))
    return emitOpError("expects one permutation entry per dimension");
  SmallVector<bool> seen(perm.size());
  for (auto [i, p] : llvm::enumerate(perm)) {
    if (p < 0 || p >= int32_t(perm.size()) || seen[p])
      return emitOpError("expects a permutation");
    seen[p] = true;
    if (getType().getDimSize(i) != source.getDimSize(p))
      return emitOpError("result shape invalid at index ") << i;
  }
  return verifyShapeOp(*this, source, getType());
}

LogicalResult CatOp::verify() {
  auto lhs = tensorOf(getLhs()), rhs = tensorOf(getRhs());
  if (lhs.getRank() != rhs.getRank() || lhs.getRank() != getType().getRank() || int64_t(getAxis()) >= lhs.getRank())
    return emitOpError("expects operands and result of one rank and an axis inside it");
  for (int64_t d = 0; d < lhs.getRank(); ++d) {
    int64_t want = d == int64_t(getAxis()) ? lhs.getDimSize(d) + rhs.getDimSize(d) : lhs.getDimSize(d);
    if (getType().getDimSize(d) != want || (d != int64_t(getAxis()) && rhs.getDimSize(d) != want))
      return emitOpError("shapes do not concatenate at dimension ") << d;
  }
  return verifyShapeOp(*this, lhs, getType());
}

LogicalResult ExtractSliceOp::verify() {
  auto source = tensorOf(getSource());
  if (source.getRank() != getType().getRank() || getIndices().size() != size_t(source.getRank()))
    return emitOpError("expects equal ranks and one index per dimension");
  for (auto [s, r] : llvm::zip_equal(source.getShape(), getType().getShape()))
    if (s % r != 0)
      return emitOpError("expects each source dimension to be a multiple of the result's");
  return verifyShapeOp(*this, source, getType());
}

LogicalResult ExtractOp::verify() {
  auto source = tensorOf(getSource());
  if (source.getNumElements() != 1)
    return emitOpError("expects a tensor of one element");
  if (source.getElementType() != getResult().getType())
    return emitOpError("expects the source's element type as result");
  return success();
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

static LogicalResult verifySameShape(Operation *op, Type a, Type b, StringRef what) {
  auto ta = dyn_cast<RankedTensorType>(a), tb = dyn_cast<RankedTensorType>(b);
  if (bool(ta) != bool(tb) || (ta && ta.getShape() != tb.getShape()))
    return op->emitOpError("expects ") << what << " of one shape";
  return success();
}

LogicalResult AddPtrOp::verify() {
  if (!isa<PtrType>(nv_tileaa::getElementTypeOrSelf(getPtr().getType())))
    return emitOpError("expects a pointer or a tensor of pointers");
  if (!nv_tileaa::getElementTypeOrSelf(getOffset().getType()).isSignlessInteger())
    return emitOpError("expects integer offsets");
  return verifySameShape(*this, getPtr().getType(), getOffset().getType(), "pointer and offset");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

LogicalResult nv_tileaa::verifyAccessOrder(Operation *op, MemSemantic semantic, std::optional<MemScope> scope,
                                           bool isLoad) {
  if (semantic == MemSemantic::Weak && scope)
    return op->emitOpError("mem_scope not supported when mem_semantic is weak");
  if (semantic != MemSemantic::Weak && !scope)
    return op->emitOpError("mem_scope required when mem_semantic is not weak");
  if (semantic == MemSemantic::AcqRel || semantic == (isLoad ? MemSemantic::Release : MemSemantic::Acquire))
    return op->emitOpError("unsupported mem_semantic: ") << stringifyMemSemantic(semantic);
  return success();
}

static LogicalResult verifyPointerAccess(Operation *op, Value ptrs, Value value, Value mask) {
  auto ptr = dyn_cast<PtrType>(nv_tileaa::getElementTypeOrSelf(ptrs.getType()));
  if (!ptr)
    return op->emitOpError("expects a pointer or a tensor of pointers");
  if (ptr.getPointee() != nv_tileaa::getElementTypeOrSelf(value.getType()))
    return op->emitOpError("expects the pointee to be the value's element type");
  if (failed(verifySameShape(op, ptrs.getType(), value.getType(), "pointers and value")))
    return failure();
  if (!mask)
    return success();
  if (!nv_tileaa::getElementTypeOrSelf(mask.getType()).isInteger(1))
    return op->emitOpError("expects an i1 mask");
  return verifySameShape(op, ptrs.getType(), mask.getType(), "pointers and mask");
}

LogicalResult LoadOp::verify() {
  if (failed(verifyPointerAccess(*this, getPtrs(), getResult(), getMask())))
    return failure();
  if (getOther() && getOther().getType() != getResult().getType())
    return emitOpError("expects 'other' of the result's type");
  return verifyAccessOrder(*this, getMemSemantic(), getMemScope(), /*isLoad=*/true);
}
LogicalResult StoreOp::verify() {
  if (failed(verifyPointerAccess(*this, getPtrs(), getValue(), getMask())))
    return failure();
  return verifyAccessOrder(*this, getMemSemantic(), getMemScope(), /*isLoad=*/false);
}

LogicalResult MakeMemRefOp::verify() {
  auto type = getType();
  if (getBase().getType().getPointee() != type.getElementType())
    return emitOpError("expects a pointer to the memref's element type");
  auto dynamic = [](ArrayRef<int64_t> v) { return llvm::count_if(v, ShapedType::isDynamic); };
  if (dynamic(type.getShape()) != int64_t(getSizes().size()))
    return emitOpError("expected ") << dynamic(type.getShape()) << " dynamic sizes, got " << getSizes().size();
  if (dynamic(type.getStrides()) != int64_t(getStrides().size()))
    return emitOpError("expected ") << dynamic(type.getStrides()) << " dynamic strides, got " << getStrides().size();
  return success();
}

LogicalResult BlockTileOp::verify() {
  if (getType().getSource() != getSource().getType())
    return emitOpError("expects the view's source type to be the operand's");
  return success();
}

LogicalResult GetDimSizeOp::verify() {
  int64_t rank;
  if (auto memref = dyn_cast<nv_tileaa::MemRefType>(getSource().getType()))
    rank = memref.getRank();
  else if (auto view = dyn_cast<TiledViewType>(getSource().getType()))
    rank = view.getRank();
  else
    return emitOpError("expects a memref or a tiled_view");
  if (int64_t(getAxis()) >= rank)
    return emitOpError("axis ") << getAxis() << " is out of bound [0, " << rank << ")";
  return success();
}

static LogicalResult verifyTiled(Operation *op, TiledViewType view, RankedTensorType tile, ValueRange indices,
                                 std::optional<ArrayRef<bool>> inBounds) {
  if (indices.size() != size_t(view.getRank()))
    return op->emitOpError("expects ") << view.getRank() << " coordinates, but got " << indices.size();
  for (Value i : indices)
    if (i.getType() != indices.front().getType())
      return op->emitOpError("expects coordinates of one type");
  if (tile.getShape() != view.getTileShape())
    return op->emitOpError("requires the same shape for tileSize and tensor value");
  if (tile.getElementType() != view.getElementType())
    return op->emitOpError("view elementType not equal with tensor element type: ")
           << view.getElementType() << " vs " << tile.getElementType();
  if (view.getRounded() && !isa<TiledLoadOp>(op))
    return op->emitOpError("expects a view whose tiles are not rounded: those are for tiled_load only");
  if (inBounds && int64_t(inBounds->size()) != view.getRank())
    return op->emitOpError("incorrect number of in_bounds elements: expected ") << view.getRank();
  return success();
}

LogicalResult TiledLoadOp::verify() {
  if (failed(verifyTiled(*this, getView().getType(), cast<RankedTensorType>(getResult().getType()), getIndices(),
                         getInBounds())))
    return failure();
  return verifyAccessOrder(*this, getMemSemantic(), getMemScope(), /*isLoad=*/true);
}
LogicalResult TiledStoreOp::verify() {
  if (failed(verifyTiled(*this, getView().getType(), tensorOf(getValue()), getIndices(), getInBounds())))
    return failure();
  return verifyAccessOrder(*this, getMemSemantic(), getMemScope(), /*isLoad=*/false);
}

//===----------------------------------------------------------------------===//
// Aggregates
//===----------------------------------------------------------------------===//

/// Common rules of reduce and scan: n operands of one shape, n identities, 2n scalar block arguments in
/// pairs, n yielded values.
static LogicalResult verifyAggregate(Operation *op, ValueRange sources, int64_t axis, ArrayAttr identities, Block &body,
                                     TypeRange results, bool dropsAxis) {
  size_t n = sources.size();
  if (n == 0)
    return op->emitOpError("expects at least one operand");
  auto first = tensorOf(sources.front());
  if (axis < 0 || axis >= first.getRank())
    return op->emitOpError("dimension (") << axis << ") is out of bound [0, " << first.getRank() << ")";
  if (identities.size() != n || results.size() != n || body.getNumArguments() != 2 * n)
    return op->emitOpError("expects one identity, one result and two block arguments per operand");
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getNumOperands() != n)
    return op->emitOpError("expects the body to yield one value per operand");
  for (size_t i = 0; i < n; ++i) {
    auto source = tensorOf(sources[i]);
    Type element = source.getElementType();
    if (source.getShape() != first.getShape())
      return op->emitOpError("requires the same shape for all operands");
    if (body.getArgument(2 * i).getType() != element || body.getArgument(2 * i + 1).getType() != element ||
        yield.getOperand(i).getType() != element)
      return op->emitOpError("expects block arguments and yielded value #") << i << " of type " << element;
    SmallVector<int64_t> shape(source.getShape());
    if (dropsAxis)
      shape.erase(shape.begin() + axis);
    auto tensor = dyn_cast<RankedTensorType>(results[i]);
    bool ok = shape.empty()
                  ? results[i] == element
                  : tensor && tensor.getShape() == ArrayRef<int64_t>(shape) && tensor.getElementType() == element;
    if (!ok)
      return op->emitOpError("result #") << i << " has the wrong type";
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  return verifyAggregate(*this, getSources(), getAxis(), getIdentities(), getBody().front(), getResultTypes(), true);
}
LogicalResult ScanOp::verify() {
  return verifyAggregate(*this, getSources(), getAxis(), getIdentities(), getBody().front(), getResultTypes(), false);
}
