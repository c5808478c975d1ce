//===- TileAAEscapeOps.cpp - Calls, generators, escape hatches --------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Dot.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

static LogicalResult verifyOperands(Operation *op, ValueRange operands, FunctionType type) {
  if (type.getNumInputs() != operands.size())
    return op->emitOpError("incorrect number of operands for callee: expected ")
           << type.getNumInputs() << ", got " << operands.size();
  for (auto [i, operand] : llvm::enumerate(operands))
    if (operand.getType() != type.getInput(i))
      return op->emitOpError("operand type mismatch: expected operand type ")
             << type.getInput(i) << ", but provided " << operand.getType() << " for operand number " << i;
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "'" << getCallee() << "' does not reference a valid function";
  if (callee.isKernel())
    return emitOpError() << "'" << getCallee() << "' is a kernel; it can only be launched";
  FunctionType type = callee.getFunctionType();
  if (failed(verifyOperands(*this, getOperands(), type)))
    return failure();
  if (!llvm::equal(type.getResults(), getResultTypes()))
    return emitOpError("expects the results of the callee");
  return success();
}

LogicalResult LaunchFuncOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getKernelAttr());
  if (!kernel || !kernel.isKernel())
    return emitOpError() << getKernelAttr() << " does not reference a kernel";
  return verifyOperands(*this, getKernelArgs(), kernel.getFunctionType());
}

LogicalResult GetGlobalOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto global = symbols.lookupNearestSymbolFrom<GlobalOp>(*this, getNameAttr());
  if (!global)
    return emitOpError() << "'" << getName() << "' does not reference a valid global";
  Type element = cast<ShapedType>(global.getValue().getType()).getElementType();
  if (getType().getPointee() != element)
    return emitOpError("expects a pointer to ") << element << ", got " << getType();
  return success();
}

//===----------------------------------------------------------------------===//
// generate, histogram
//===----------------------------------------------------------------------===//

LogicalResult GenerateOp::verifyRegions() {
  auto type = cast<RankedTensorType>(getResult().getType());
  Block &block = getBody().front();
  if (int64_t(block.getNumArguments()) != type.getRank() ||
      llvm::any_of(block.getArgumentTypes(), [](Type t) { return !t.isInteger(32); }))
    return emitOpError("expects one i32 block argument per dimension");
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield || yield.getNumOperands() != 1 || yield.getOperand(0).getType() != type.getElementType())
    return emitOpError("expects the region to yield one ") << type.getElementType();
  return success();
}

LogicalResult HistogramOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType()), result = cast<RankedTensorType>(getResult().getType());
  if (source.getRank() != 1 || result.getRank() != 1)
    return emitOpError("expects source and result of rank 1");
  if (!source.getElementType().isSignlessInteger() || !result.getElementType().isInteger(32))
    return emitOpError("expects integers to count and i32 counts");
  if (getMask()) {
    auto mask = cast<RankedTensorType>(getMask().getType());
    if (!mask.getElementType().isInteger(1) || mask.getShape() != source.getShape())
      return emitOpError("expects an i1 mask of the source's shape");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

LogicalResult ConvParamsAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> padLow,
                                     ArrayRef<int64_t> padHigh, ArrayRef<int64_t> strides,
                                     ArrayRef<int64_t> dilations) {
  size_t rank = padLow.size();
  if (rank < 1 || rank > 3 || padHigh.size() != rank || strides.size() != rank || dilations.size() != rank)
    return emitError() << "expects one to three spatial dimensions, the same number in every list";
  for (int64_t i : llvm::concat<const int64_t>(padLow, padHigh))
    if (i < 0)
      return emitError() << "expects padding that is not negative, got " << i;
  for (int64_t i : llvm::concat<const int64_t>(strides, dilations))
    if (i < 1)
      return emitError() << "expects positive strides and dilations, got " << i;
  return success();
}

/// Spatial dimensions of an input in this order.
static int64_t spatialRank(ActivationLayout layout) {
  switch (layout) {
  case ActivationLayout::NWC:
  case ActivationLayout::NCW:
    return 1;
  case ActivationLayout::NHWC:
  case ActivationLayout::NCHW:
    return 2;
  case ActivationLayout::NDHWC:
  case ActivationLayout::NCDHW:
    return 3;
  }
  return 0;
}

static LogicalResult verifyConv(Operation *op, ConvParamsAttr params, ActivationLayout layout) {
  int64_t rank = spatialRank(layout);
  if (int64_t(params.getStrides().size()) != rank)
    return op->emitOpError("activation_layout ") << stringifyActivationLayout(layout) << " has " << rank
                                                 << " spatial dimensions, conv_params " << params.getStrides().size();
  return success();
}

LogicalResult ConvTileOp::verify() {
  if (failed(verifyConv(*this, getConvParams(), getActivationLayout())))
    return failure();
  if (getSource().getType().getRank() != spatialRank(getActivationLayout()) + 2)
    return emitOpError("expects a memref of rank ") << spatialRank(getActivationLayout()) + 2;
  if (getType().getSource() != getSource().getType())
    return emitOpError("expects the view's source type to be the operand's");
  return success();
}

LogicalResult ConvDotOp::verify() {
  if (failed(verifyConv(*this, getConvParams(), getActivationLayout())))
    return failure();
  return verifyDot(*this, getA().getType(), getB().getType(), getC().getType(), {}, {});
}

//===----------------------------------------------------------------------===//
// Element-wise escape hatches
//===----------------------------------------------------------------------===//

/// Operands are scalars or have the shape and layout of the result.
static LogicalResult verifyElementwise(Operation *op) {
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && (!result || tensor.getShape() != result.getShape() || tensor.getEncoding() != result.getEncoding()))
      return op->emitOpError("expects operand #") << i << " in the shape and layout of the result";
  }
  return success();
}

static LogicalResult verifyText(Operation *op, StringRef text, StringRef what) {
  if (text.empty())
    return op->emitOpError("expects ") << what;
  return verifyElementwise(op);
}

LogicalResult CallElementwiseIntrinsicOp::verify() {
  if (!getIntrinsic().starts_with("llvm."))
    return emitOpError("expects the name of an LLVM intrinsic, got '") << getIntrinsic() << "'";
  return verifyElementwise(*this);
}
LogicalResult ExternElementwiseOp::verify() { return verifyText(*this, getSymbol(), "the name of a function"); }
LogicalResult ElementwiseInlineAsmOp::verify() {
  if (getOperands().empty() && getConstraints().empty())
    return emitOpError("expects constraints, outputs first");
  size_t inputs = llvm::count_if(llvm::split(getConstraints(), ','),
                                 [](StringRef c) { return !c.starts_with("=") && !c.starts_with("~"); });
  if (inputs != getOperands().size())
    return emitOpError("has ") << getOperands().size() << " operands and " << inputs << " input constraints";
  return verifyText(*this, getAsmString(), "PTX text");
}

static void unknownEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}
void ExternElementwiseOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!getPure())
    unknownEffects(effects);
}
void ElementwiseInlineAsmOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!getPure())
    unknownEffects(effects);
}

//===----------------------------------------------------------------------===//
// Whole-tile escape hatches and annotations
//===----------------------------------------------------------------------===//

LogicalResult PluginOp::verify() {
  if (getName().empty())
    return emitOpError("expects the name of a plugin");
  return success();
}
LogicalResult InjectIROp::verify() {
  if (getIr().empty())
    return emitOpError("expects the text of a function");
  return success();
}

LogicalResult PragmaOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.getNumArguments())
    return emitOpError("expects no block arguments");
  if (!llvm::equal(block.getTerminator()->getOperandTypes(), getResultTypes()))
    return emitOpError("expects the region to yield the results");
  return success();
}

namespace {
struct DeadResultsOfPragma : OpRewritePattern<PragmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PragmaOp op, PatternRewriter &rewriter) const override {
    auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
    SmallVector<Value> kept;
    SmallVector<Type> types;
    for (auto [result, value] : llvm::zip_equal(op.getResults(), yield.getOperands()))
      if (!result.use_empty()) {
        kept.push_back(value);
        types.push_back(value.getType());
      }
    if (kept.size() == op.getNumResults())
      return failure();
    auto pragma =
        PragmaOp::create(rewriter, op.getLoc(), types, op.getOcgEnterDirectivesAttr(), op.getOcgLeaveDirectivesAttr());
    rewriter.inlineRegionBefore(op.getBody(), pragma.getBody(), pragma.getBody().end());
    rewriter.modifyOpInPlace(yield, [&] { yield.getOperandsMutable().assign(kept); });
    SmallVector<Value> replacements;
    for (auto [next, result] = std::pair(0u, op.result_begin()); result != op.result_end(); ++result)
      replacements.push_back((*result).use_empty() ? Value() : Value(pragma.getResult(next++)));
    rewriter.replaceOp(op, replacements);
    return success();
  }
};
} // namespace

void PragmaOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DeadResultsOfPragma>(context);
}
