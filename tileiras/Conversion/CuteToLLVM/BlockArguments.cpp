//===- BlockArguments.cpp - Values of cute through control flow -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A value of cute is an address and the numbers that its type leaves open. Where it goes through a block argument, a
// result of an operation with regions, a call or a return, these go instead; a value of which all is known does not go
// at all.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CuteToLLVM/Lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tileiras;
using mlir::cute::AddressSpace;

bool tileiras::isCuteType(Type type) {
  return isa<mlir::cute::CuteDialect, mlir::cute_nvgpu::CuteNvgpuDialect>(type.getDialect());
}

SmallVector<Type> tileiras::loweredTypes(Type type) {
  MLIRContext *context = type.getContext();
  SmallVector<Type> parts;
  unsigned next = 0;
  mlir::cute::Meaning meaning = mlir::cute::describe(type, next);
  if (meaning.kind == mlir::cute::Meaning::Kind::Pointer || meaning.kind == mlir::cute::Meaning::Kind::Tensor)
    parts.push_back(pointerType(context, meaning.space));
  if (isa<mlir::cute::DescIterType>(type))
    parts.push_back(pointerType(context, AddressSpace::Shared));
  if (mlir::cute::getBox(type))
    parts.push_back(pointerType(context, AddressSpace::Generic));
  if (isa<mlir::cute_nvgpu::TmaLoadType>(type))
    parts.push_back(pointerType(context, AddressSpace::Shared));
  for (const cute::Int &leaf : meaning.leaves())
    parts.push_back(IntegerType::get(context, unsigned(leaf.width())));
  return parts;
}

/// Arguments with their attributes: those of a tensor's address go to the address.
static LogicalResult expandArguments(FunctionOpInterface function) {
  if (function.isExternal() || llvm::none_of(function.getArgumentTypes(), isCuteType))
    return success();
  Block &entry = function.getFunctionBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  for (unsigned i = 0; i < function.getNumArguments();) {
    Type type = function.getArgument(i).getType();
    if (!isCuteType(type)) {
      ++i;
      continue;
    }
    SmallVector<Type> types = loweredTypes(type);
    SmallVector<unsigned> places(types.size(), i + 1);
    SmallVector<DictionaryAttr> attributes(types.size(), builder.getDictionaryAttr({}));
    if (!types.empty())
      if (DictionaryAttr given = function.getArgAttrDict(i))
        attributes.front() = given;
    SmallVector<Location> locs(types.size(), function.getArgument(i).getLoc());
    if (failed(function.insertArguments(places, types, attributes, locs)))
      return function.emitError("cannot take arguments of cute");
    SmallVector<Value> parts;
    for (unsigned k = 0; k < types.size(); ++k)
      parts.push_back(function.getArgument(i + 1 + k));
    Value whole =
        UnrealizedConversionCastOp::create(builder, function.getArgument(i).getLoc(), type, parts).getResult(0);
    function.getArgument(i).replaceAllUsesWith(whole);
    if (failed(function.eraseArgument(i)))
      return function.emitError("cannot take arguments of cute");
    i += unsigned(types.size());
  }
  return success();
}

/// Arguments of blocks that are branched to. What branches are operands of changes with them.
static LogicalResult expandBranches(Region &region) {
  for (Block &block : llvm::drop_begin(region)) {
    OpBuilder builder = OpBuilder::atBlockBegin(&block);
    for (unsigned i = 0; i < block.getNumArguments();) {
      BlockArgument argument = block.getArgument(i);
      if (!isCuteType(argument.getType())) {
        ++i;
        continue;
      }
      SmallVector<Type> types = loweredTypes(argument.getType());
      for (auto it = block.pred_begin(); it != block.pred_end(); ++it) {
        auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
        if (!branch)
          return (*it)->getTerminator()->emitOpError("cannot hand on values of cute");
        SuccessorOperands operands = branch.getSuccessorOperands(it.getSuccessorIndex());
        if (operands.isOperandProduced(i))
          return branch.emitOpError("cannot make values of cute");
        MutableOperandRange passed =
            operands.getMutableForwardedOperands().slice(i - operands.getProducedOperandCount(), 1);
        OpBuilder before(branch);
        // Where nothing of the value is open, nothing goes.
        SmallVector<Value> parts;
        if (!types.empty())
          llvm::append_range(
              parts,
              UnrealizedConversionCastOp::create(before, branch.getLoc(), types, Value(passed[0].get())).getResults());
        passed.assign(parts);
      }
      SmallVector<Value> parts;
      for (auto [k, type] : llvm::enumerate(types))
        parts.push_back(block.insertArgument(i + 1 + unsigned(k), type, argument.getLoc()));
      argument.replaceAllUsesWith(
          UnrealizedConversionCastOp::create(builder, argument.getLoc(), argument.getType(), parts).getResult(0));
      block.eraseArgument(i);
      i += unsigned(types.size());
    }
  }
  return success();
}

LogicalResult tileiras::expandBlockArguments(Operation *root) {
  // A tensor map as a parameter: the conversion to NVVM knows it by this name.
  root->walk([](gpu::GPUFuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (function.removeArgAttr(i, StringAttr::get(function.getContext(), "cute_nvgpu.grid_constant")))
        function.setArgAttr(i, "nvgpu.grid_constant", UnitAttr::get(function.getContext()));
  });
  WalkResult expanded = root->walk([](FunctionOpInterface function) { return WalkResult(expandArguments(function)); });
  if (expanded.wasInterrupted())
    return failure();
  // What is never reached has no order in which it could be lowered.
  IRRewriter rewriter(root->getContext());
  (void)eraseUnreachableBlocks(rewriter, root->getRegions());
  WalkResult branches = root->walk([](Operation *op) {
    for (Region &region : op->getRegions())
      if (!region.empty() && !llvm::hasSingleElement(region) && failed(expandBranches(region)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (branches.wasInterrupted())
    return failure();

  // Only what carries values of cute is touched.
  auto carries = [](Operation *op) {
    auto any = [](TypeRange types) { return llvm::any_of(types, isCuteType); };
    bool found = any(op->getOperandTypes()) || any(op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        found |= any(block.getArgumentTypes());
    return found;
  };
  bool needed = false;
  root->walk([&](Operation *op) {
    needed |= !isa<UnrealizedConversionCastOp>(op) &&
              !isa_and_present<mlir::cute::CuteDialect, mlir::cute_nvgpu::CuteNvgpuDialect>(op->getDialect()) &&
              carries(op);
  });
  if (auto function = dyn_cast<FunctionOpInterface>(root))
    needed |= llvm::any_of(function.getResultTypes(), isCuteType);
  root->walk([&](FunctionOpInterface function) { needed |= llvm::any_of(function.getResultTypes(), isCuteType); });
  if (!needed)
    return success();

  TypeConverter types;
  types.addConversion([](Type type) { return type; });
  types.addConversion([](Type type, SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
    if (!isCuteType(type))
      return std::nullopt;
    llvm::append_range(parts, loweredTypes(type));
    return success();
  });
  types.addSourceMaterialization([](OpBuilder &builder, Type type, ValueRange parts, Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, parts).getResult(0);
  });
  types.addTargetMaterialization(
      [](OpBuilder &builder, TypeRange parts, ValueRange whole, Location loc) -> SmallVector<Value> {
        return UnrealizedConversionCastOp::create(builder, loc, parts, whole).getResults();
      });

  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, types);
  populateCallOpTypeConversionPattern(patterns, types);
  populateReturnOpTypeConversionPattern(patterns, types);
  target.addDynamicallyLegalOp<func::FuncOp>(
      [&](func::FuncOp function) { return types.isSignatureLegal(function.getFunctionType()); });
  target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp>([&](Operation *op) { return types.isLegal(op); });
  return applyPartialConversion(root, target, std::move(patterns));
}
