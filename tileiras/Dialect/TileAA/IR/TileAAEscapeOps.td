//===- TileAAEscapeOps.td - Calls, generators, escape hatches -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_TILEAAESCAPEOPS_TD
#define TILEIRAS_DIALECT_TILEAA_IR_TILEAAESCAPEOPS_TD

// Included by TileAAOps.td.

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

def TileAA_CallOp : TileAA_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call of a helper function; gone after inlining";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() { return (*this)->getAttrOfType<::mlir::SymbolRefAttr>("callee"); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      (*this)->setAttr("callee", ::llvm::cast<::mlir::SymbolRefAttr>(callee));
    }
    operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
  }];
}
def TileAA_LaunchFuncOp : TileAA_Op<"launch_func", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "launch of a kernel on a grid of tile blocks";
  let arguments = (ins SymbolRefAttr:$kernel, I32:$grid_x, I32:$grid_y, I32:$grid_z, Variadic<AnyType>:$kernel_args);
  let assemblyFormat = [{
    $kernel `grid` `(` $grid_x `,` $grid_y `,` $grid_z `)` `args` `(` ($kernel_args^ `:` type($kernel_args))? `)` attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Tiles out of regions and counts
//===----------------------------------------------------------------------===//

def TileAA_GenerateOp : TileAA_Op<"generate", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "a tensor whose elements the region computes from their coordinates";
  let description = [{ Block arguments: one i32 per dimension. The region yields one scalar. }];
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict `:` type($result) $body";
  let hasRegionVerifier = 1;
}
def TileAA_HistogramOp : TileAA_Op<"histogram", [Pure]> {
  let summary = "how often each value 0, 1, ... occurs in the source; others are not counted";
  let arguments = (ins AnyRankedTensor:$source, Optional<AnyRankedTensor>:$mask);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source (`,` `mask` $mask^ `:` type($mask))? attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

def TileAA_ConvTileOp : TileAA_Op<"conv_tile", [Pure]> {
  let summary = "cut the input of a convolution into tiles of windows";
  let arguments = (ins TileAA_MemRefType:$source, TileAA_ConvParamsAttr:$conv_params,
                       TileAA_ActivationLayoutAttr:$activation_layout);
  let results = (outs TileAA_TiledViewType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TileAA_ConvDotOp : TileAA_Op<"conv_dot", [Pure, AllTypesMatch<["c", "result"]>]> {
  let summary = "a x b + c, the rows of a being windows of a convolution's input";
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b, AnyRankedTensor:$c, TileAA_ConvParamsAttr:$conv_params,
                       TileAA_ActivationLayoutAttr:$activation_layout);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$a `,` $b `,` $c attr-dict `:` type($a) `,` type($b) `,` type($c)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Element-wise escape hatches
//===----------------------------------------------------------------------===//

class TileAA_ElementwiseEscape<string mnemonic, string what> : TileAA_Op<mnemonic, [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = what;
  let hasVerifier = 1;
}
def TileAA_CallElementwiseIntrinsicOp : TileAA_Op<"call_elementwise_intrinsic", [Pure]> {
  let summary = "an LLVM intrinsic, applied to each element";
  let arguments = (ins StrAttr:$intrinsic, Variadic<AnyType>:$operands);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$intrinsic `(` $operands `)` attr-dict `:` functional-type($operands, $result)";
  let hasVerifier = 1;
}
def TileAA_ExternElementwiseOp : TileAA_ElementwiseEscape<"extern_elementwise", "a function of a bitcode library, applied to each element"> {
  let arguments = (ins StrAttr:$symbol, StrAttr:$libname, StrAttr:$libpath, UnitAttr:$pure, Variadic<AnyType>:$operands);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$symbol `of` $libname `at` $libpath `(` $operands `)` attr-dict `:` functional-type($operands, $result)";
}
def TileAA_ElementwiseInlineAsmOp : TileAA_ElementwiseEscape<"elementwise_inline_asm", "PTX text, applied to each element"> {
  let description = [{ constraints as in LLVM, outputs first: "=r,r,r". }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, UnitAttr:$pure, Variadic<AnyType>:$operands);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$asm_string `,` $constraints `(` $operands `)` attr-dict `:` functional-type($operands, $result)";
}

//===----------------------------------------------------------------------===//
// Whole-tile escape hatches and annotations
//===----------------------------------------------------------------------===//

def TileAA_PluginOp : TileAA_Op<"plugin", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "an operation that somebody else lowers";
  let arguments = (ins StrAttr:$name, OptionalAttr<DictionaryAttr>:$config, Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$name `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
  let hasVerifier = 1;
}
def TileAA_InjectIROp : TileAA_Op<"inject_ir", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the text of a function in MLIR, inlined where it stands";
  let arguments = (ins StrAttr:$ir, Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$ir `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
  let hasVerifier = 1;
}
def TileAA_MarkForReuseOp : TileAA_Op<"mark_for_reuse", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "the operand; whoever schedules should keep it at hand";
  let arguments = (ins AnyType:$source);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}
def TileAA_OptimizationBarrierOp : TileAA_Op<"optimization_barrier", [AllTypesMatch<["source", "result"]>]> {
  let summary = "the operand; nothing is known about it, and nothing is computed across it";
  let arguments = (ins AnyType:$source);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}
def TileAA_MessageOp : TileAA_Op<"message", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "text for the person who compiles, shown as a remark";
  let arguments = (ins StrAttr:$text);
  let assemblyFormat = "$text attr-dict";
}
def TileAA_PragmaOp : TileAA_Op<"pragma", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "directives for the back end around a region";
  let arguments = (ins OptionalAttr<StrArrayAttr>:$ocgEnterDirectives, OptionalAttr<StrArrayAttr>:$ocgLeaveDirectives);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict `->` `(` type($results) `)` $body";
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

#endif // TILEIRAS_DIALECT_TILEAA_IR_TILEAAESCAPEOPS_TD
