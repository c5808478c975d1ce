//===- CudaTileControlFlowOps.td - Structured control flow ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_CONTROLFLOWOPS_TD
#define TILEIRAS_CUDATILE_CONTROLFLOWOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

class RegionOp<string mnemonic, list<Trait> traits> : CudaTile_Op<mnemonic, traits # [SingleBlock,
    RecursiveMemoryEffects, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def CudaTile_ForOp : RegionOp<"for", [AllTypesMatch<["lowerBound", "upperBound", "step"]>,
    DeclareOpInterfaceMethods<LoopLikeOpInterface>]> {
  let summary = "Counted loop with carried values; the step is positive";
  let arguments = (ins CudaTile_IntScalar:$lowerBound, CudaTile_IntScalar:$upperBound, CudaTile_IntScalar:$step,
                       Variadic<AnyType>:$initValues, UnitAttr:$unsignedCmp);
  let results = (outs Variadic<AnyType>:$resultValues);
  let regions = (region SizedRegion<1>:$region);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$lowerBound, "::mlir::Value":$upperBound, "::mlir::Value":$step,
      CArg<"::mlir::ValueRange", "{}">:$initValues,
      CArg<"::llvm::function_ref<void(::mlir::OpBuilder &, ::mlir::Location, ::mlir::Value, ::mlir::ValueRange)>",
           "nullptr">:$body, CArg<"bool", "false">:$unsignedCmp)>];
  let extraClassDeclaration = scopeDeclaration # [{
    ::mlir::BlockArgument getInductionVar() { return getBody()->getArgument(0); }
    ::mlir::Block::BlockArgListType getRegionIterValues() { return getBody()->getArguments().drop_front(); }
  }];
}

def CudaTile_LoopOp : RegionOp<"loop", [DeclareOpInterfaceMethods<LoopLikeOpInterface>]> {
  let summary = "Loop that only `break` (or `return`) leaves";
  let arguments = (ins Variadic<AnyType>:$initValues);
  let results = (outs Variadic<AnyType>:$resultValues);
  let regions = (region SizedRegion<1>:$region);
  let extraClassDeclaration = scopeDeclaration # [{
    ::mlir::Block::BlockArgListType getRegionIterValues() { return getBody()->getArguments(); }
  }];
}

def CudaTile_IfOp : RegionOp<"if", [NoRegionArguments]> {
  let arguments = (ins CudaTile_BoolScalar:$condition);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, MaxSizedRegion<1>:$elseRegion);
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$resultTypes, "::mlir::Value":$condition,
                                 CArg<"bool", "false">:$withElse)>];
  let extraClassDeclaration = scopeDeclaration # [{
    ::mlir::Block *getThenBlock() { return &getThenRegion().front(); }
    /// Null without an else branch.
    ::mlir::Block *getElseBlock() { return getElseRegion().empty() ? nullptr : &getElseRegion().front(); }
  }];
}

class TerminatorOp<string mnemonic, list<Trait> traits> : CudaTile_Op<mnemonic, traits # [Terminator]> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` custom<CudaTileTypes>(type($operands)))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}
// break, continue and return leave regions other than their parent's, so they are not ReturnLike in MLIR's
// sense (a branch point of their immediate parent), and they are not free of effects.
def CudaTile_BreakOp : TerminatorOp<"break", []> { let hasVerifier = 1; }
def CudaTile_ContinueOp : TerminatorOp<"continue", []> { let hasVerifier = 1; }
def CudaTile_ReturnOp : TerminatorOp<"return", []> { let hasVerifier = 1; }
def CudaTile_YieldOp : TerminatorOp<"yield", [Pure,
    ParentOneOf<["::mlir::cuda_tile::IfOp", "::mlir::cuda_tile::ReduceOp", "::mlir::cuda_tile::ScanOp"]>]>;

def CudaTile_AssertOp : CudaTile_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "Reports every false element; execution may go on";
  let arguments = (ins CudaTile_Bool:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` custom<CudaTileType>(type($condition))";
}

#endif
