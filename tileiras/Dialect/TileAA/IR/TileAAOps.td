//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operations of nv_tileaa. "Value" below is a scalar or a ranked tensor; at the
// nv_tileas stage the tensors carry a layout attribute and the same ops apply.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_TILEAAOPS_TD
#define TILEIRAS_DIALECT_TILEAA_IR_TILEAAOPS_TD

include "tileiras/Dialect/TileAA/IR/MemoryAccessOpInterface.td"
include "tileiras/Dialect/TileAA/IR/ShapeTraits.td"
include "tileiras/Dialect/TileAA/IR/TileAA.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// What numbers an operation may give, for MLIR's range analysis, which finds masks that are always true.
defvar TileAA_Ranges = DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>;

class TileAA_Op<string mnemonic, list<Trait> traits = []> : Op<TileAA_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def TileAA_FuncOp : TileAA_Op<"func", [IsolatedFromAbove, FunctionOpInterface, OpAsmOpInterface, AffineScope, AutomaticAllocationScope]> {
  let summary = "a kernel (with nv_tileaa.kernel_spec) or a helper function";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
      CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attrs)>];
  let extraClassDeclaration = [{
    /// A kernel carries a kernel_spec.
    bool isKernel() { return (*this)->hasAttr("nv_tileaa.kernel_spec"); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}

def TileAA_ReturnOp : TileAA_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

//===----------------------------------------------------------------------===//
// Program ids, tokens
//===----------------------------------------------------------------------===//

class TileAA_GridOp<string mnemonic, string what> : TileAA_Op<mnemonic, [Pure, TileAA_Ranges]> {
  let summary = what;
  let results = (outs I32:$x, I32:$y, I32:$z);
  let assemblyFormat = "attr-dict";
}
def TileAA_GetProgramIdOp : TileAA_GridOp<"get_program_id", "tile block id (cluster id when a cluster has several CTAs)">;
def TileAA_GetNumProgramsOp : TileAA_GridOp<"get_num_programs", "grid size in tile blocks">;

def TileAA_CreateMemTokenOp : TileAA_Op<"create_mem_token", [Pure]> {
  let summary = "a token that waits for nothing";
  let results = (outs TileAA_MemTokenType:$token);
  let assemblyFormat = "attr-dict";
}
def TileAA_JoinMemTokenOp : TileAA_Op<"join_mem_token", [Pure]> {
  let summary = "a token that waits for all its operands";
  let arguments = (ins Variadic<TileAA_MemTokenType>:$tokens);
  let results = (outs TileAA_MemTokenType:$token);
  let assemblyFormat = "$tokens attr-dict";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Construction and shape
//===----------------------------------------------------------------------===//

def TileAA_SplatOp : TileAA_Op<"splat", [Pure, TileAA_Ranges]> {
  let summary = "a tensor whose elements all equal the scalar operand";
  let arguments = (ins AnyType:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TileAA_ConstantTensorOp : TileAA_Op<"constant_tensor", [Pure, ConstantLike]> {
  let summary = "a dense constant; the attribute's type has the result's shape and element type, without layout";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
def TileAA_MakeRangeOp : TileAA_Op<"make_range", [Pure, TileAA_Ranges]> {
  let summary = "rank-1 tensor start, start+1, ..., end-1";
  let arguments = (ins I64Attr:$start, I64Attr:$end);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "`(` $start `,` $end `)` attr-dict `:` type($result)";
  let hasVerifier = 1;
}
class TileAA_ShapeOp<string mnemonic, string what, list<Trait> traits = []>
    : TileAA_Op<mnemonic, !listconcat([Pure, TileAA_Ranges], traits)> {
  let summary = what;
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TileAA_ViewOp : TileAA_ShapeOp<"view", "reshape in row-major order", [TileAA_ReshapesRowMajor]> {
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}
def TileAA_BroadcastOp : TileAA_ShapeOp<"broadcast", "repeat along dimensions of extent 1; equal rank"> {
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}
def TileAA_ExpandDimsOp : TileAA_Op<"expand_dims", [Pure, TileAA_Ranges]> {
  let summary = "insert a dimension of extent 1 at `axis`";
  let arguments = (ins AnyRankedTensor:$source, I32Attr:$axis);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasCanonicalizer = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}
def TileAA_PermuteOp : TileAA_Op<"permute", [Pure, TileAA_Ranges]> {
  let summary = "result dimension i is source dimension permutation[i]";
  let arguments = (ins AnyRankedTensor:$source, DenseI32ArrayAttr:$permutation);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source) `->` type($result)";
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}
def TileAA_CatOp : TileAA_Op<"cat", [Pure, TileAA_Ranges]> {
  let summary = "concatenation along `axis`; both operands have one type";
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs, I32Attr:$axis);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
}
def TileAA_ExtractSliceOp : TileAA_Op<"extract_slice", [Pure, TileAA_Ranges, TileAA_TakesBlock]> {
  let summary = "the block number `indices` (counted in result-sized blocks, unsigned) of the source";
  let arguments = (ins AnyRankedTensor:$source, Variadic<I32>:$indices);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `[` $indices `]` attr-dict `:` type($source) `->` type($result)";
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}
def TileAA_ExtractOp : TileAA_Op<"extract", [Pure, TileAA_Ranges]> {
  let summary = "the scalar held by a tensor of one element";
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

def TileAA_AddPtrOp : TileAA_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "ptr + offset * sizeof(pointee); offset signed, scalar or tensor like ptr";
  let arguments = (ins AnyType:$ptr, AnyType:$offset);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}
class TileAA_CastOp<string mnemonic, string what> : TileAA_Op<mnemonic, [Pure]> {
  let summary = what;
  let arguments = (ins AnyType:$source);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TileAA_IntToPtrOp : TileAA_CastOp<"int_to_ptr", "i64 address to pointer">;
def TileAA_PtrToIntOp : TileAA_CastOp<"ptr_to_int", "pointer to i64 address">;
def TileAA_BitcastOp : TileAA_CastOp<"bitcast", "pointer to pointer of another pointee">;
def TileAA_AssumeOp : TileAA_Op<"assume", [Pure, TileAA_Ranges, AllTypesMatch<["value", "result"]>]> {
  let summary = "value, promised to satisfy a div_by, bounded or same_elements predicate";
  let arguments = (ins AnyType:$value, AnyAttr:$predicate);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$predicate `,` $value attr-dict `:` type($value)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Floating point with modes that arith does not have
//===----------------------------------------------------------------------===//

class TileAA_BinaryFOp<string mnemonic, string what> : TileAA_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = what;
  let arguments = (ins AnyType:$lhs, AnyType:$rhs,
                       DefaultValuedAttr<TileAA_RoundingModeAttr, "::mlir::nv_tileaa::RoundingMode::NearestEven">:$rounding_mode,
                       UnitAttr:$ftz);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def TileAA_AddFOp : TileAA_BinaryFOp<"addf", "lhs + rhs in the given rounding mode">;
def TileAA_SubFOp : TileAA_BinaryFOp<"subf", "lhs - rhs in the given rounding mode">;
def TileAA_MulFOp : TileAA_BinaryFOp<"mulf", "lhs * rhs in the given rounding mode">;
def TileAA_DivFOp : TileAA_BinaryFOp<"divf", "lhs / rhs; also approx and full (f32 only)">;
def TileAA_FmaOp : TileAA_Op<"fma", [Pure, SameOperandsAndResultType]> {
  let summary = "a * b + c, rounded once";
  let arguments = (ins AnyType:$a, AnyType:$b, AnyType:$c,
                       DefaultValuedAttr<TileAA_RoundingModeAttr, "::mlir::nv_tileaa::RoundingMode::NearestEven">:$rounding_mode,
                       UnitAttr:$ftz);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$a `,` $b `,` $c attr-dict `:` type($result)";
  let hasVerifier = 1;
}
class TileAA_UnaryFOp<string mnemonic, string what> : TileAA_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = what;
  let arguments = (ins AnyType:$source,
                       DefaultValuedAttr<TileAA_RoundingModeAttr, "::mlir::nv_tileaa::RoundingMode::NearestEven">:$rounding_mode,
                       UnitAttr:$ftz);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def TileAA_SqrtOp : TileAA_UnaryFOp<"sqrt", "square root; IEEE modes or approx">;
def TileAA_RsqrtOp : TileAA_UnaryFOp<"rsqrt", "1 / sqrt(x)">;
def TileAA_Exp2Op : TileAA_UnaryFOp<"exp2", "2 to the power x">;
class TileAA_MinMaxFOp<string mnemonic, string what> : TileAA_Op<mnemonic, [Pure, Commutative, SameOperandsAndResultType]> {
  let summary = what;
  let arguments = (ins AnyType:$lhs, AnyType:$rhs, UnitAttr:$propagate_nan, UnitAttr:$ftz);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasVerifier = 1;
}
// Only for the ftz forms; without ftz, arith.{maximum,maxnum,minimum,minnum}f are used.
def TileAA_MaxFOp : TileAA_MinMaxFOp<"maxf", "maximum with flush to zero">;
def TileAA_MinFOp : TileAA_MinMaxFOp<"minf", "minimum with flush to zero">;
def TileAA_ClampFOp : TileAA_Op<"clampf", [Pure, SameOperandsAndResultType]> {
  let summary = "min(max(source, low), high)";
  let description = [{
    propagate_nan none: a NaN among the operands is ignored as by maxNum and
    minNum; all: the result is a NaN.
  }];
  let arguments = (ins AnyType:$source, AnyType:$low, AnyType:$high,
                       DefaultValuedAttr<TileAA_PropagateNanAttr, "::mlir::nv_tileaa::PropagateNan::None">:$propagate_nan);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source `,` $low `,` $high attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def TileAA_FpToFpOp : TileAA_Op<"fp_to_fp", [Pure]> {
  let summary = "float conversion that arith.extf/truncf cannot express (equal width, other formats, other modes)";
  let arguments = (ins AnyType:$source,
                       DefaultValuedAttr<TileAA_RoundingModeAttr, "::mlir::nv_tileaa::RoundingMode::NearestEven">:$rounding_mode);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TileAA_MulhiUIOp : TileAA_Op<"mulhiui", [Pure, Commutative, SameOperandsAndResultType]> {
  let summary = "high half of the unsigned product";
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Memory through pointers
//===----------------------------------------------------------------------===//

def TileAA_LoadOp : TileAA_Op<"load", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "element-wise load through pointers";
  let description = [{
    ptrs: scalar pointer or tensor of pointers. mask: i1 like ptrs; where false
    nothing is read and the result is `other` (0 when absent). The write effect
    keeps program order between memory operations, which is always legal.
  }];
  let arguments = (ins AnyType:$ptrs, Optional<AnyType>:$mask, Optional<AnyType>:$other,
                       Optional<TileAA_MemTokenType>:$token,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<I32Attr>:$latency,
                       OptionalAttr<TileAA_CacheModifierAttr>:$cache_modifier,
                       OptionalAttr<TileAA_EvictionPolicyAttr>:$eviction_policy);
  let results = (outs AnyType:$result, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $ptrs custom<NamedOperands>($mask, $other, $token) attr-dict `:`
    type($ptrs) (`,` `mask` type($mask)^)? `->` type($result) custom<SameTypeOptional>(ref($other), ref(type($result)), type($other))
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}
def TileAA_StoreOp : TileAA_Op<"store", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "element-wise store through pointers; masked-out elements are untouched";
  let arguments = (ins AnyType:$ptrs, AnyType:$value, Optional<AnyType>:$mask, Optional<TileAA_MemTokenType>:$token,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<I32Attr>:$latency);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $ptrs `,` $value custom<NamedOperands>($mask, $token) attr-dict `:`
    type($ptrs) `,` type($value) (`,` `mask` type($mask)^)?
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Memory through views
//===----------------------------------------------------------------------===//

def TileAA_MakeMemRefOp : TileAA_Op<"make_memref", [Pure, AttrSizedOperandSegments]> {
  let summary = "pointer, dynamic extents and dynamic strides (in order) to memref; extents and strides are i32/i64, read as signed";
  let arguments = (ins TileAA_PtrType:$base, Variadic<AnySignlessInteger>:$sizes, Variadic<AnySignlessInteger>:$strides);
  let results = (outs TileAA_MemRefType:$result);
  let assemblyFormat = [{
    $base `,` `sizes` `[` $sizes `]` `,` `strides` `[` $strides `]` attr-dict
    `:` type($base) `,` custom<TypeList>(type($sizes)) `,` custom<TypeList>(type($strides)) `->` type($result)
  }];
  let hasVerifier = 1;
}
def TileAA_BlockTileOp : TileAA_Op<"block_tile", [Pure]> {
  let summary = "cut a memref into tiles; everything is in the result type";
  let arguments = (ins TileAA_MemRefType:$source);
  let results = (outs TileAA_TiledViewType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TileAA_GetDimSizeOp : TileAA_Op<"get_dim_size", [Pure, TileAA_Ranges]> {
  let summary = "extent of dimension `axis`: elements of a memref, tiles of a tiled_view";
  let arguments = (ins AnyType:$source, I32Attr:$axis);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TileAA_TiledLoadOp : TileAA_Op<"tiled_load", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "load the tile with the given (unsigned) tile indices";
  let arguments = (ins TileAA_TiledViewType:$view, Variadic<AnySignlessInteger>:$indices, Optional<TileAA_MemTokenType>:$token,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I32Attr>:$latency, OptionalAttr<BoolAttr>:$allow_tma);
  let results = (outs AnyRankedTensor:$result, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` (`,` `token` $token^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `->` type($result)
  }];
  let hasVerifier = 1;
}
def TileAA_TiledStoreOp : TileAA_Op<"tiled_store", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "store a tile; elements outside the memref are not written";
  let arguments = (ins TileAA_TiledViewType:$view, AnyRankedTensor:$value, Variadic<AnySignlessInteger>:$indices,
                       Optional<TileAA_MemTokenType>:$token,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I32Attr>:$latency, OptionalAttr<BoolAttr>:$allow_tma);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` `,` $value (`,` `token` $token^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `,` type($value)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Aggregates
//===----------------------------------------------------------------------===//

class TileAA_AggregateOp<string mnemonic, list<Trait> traits> : TileAA_Op<mnemonic, traits> {
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}
def TileAA_ReduceOp : TileAA_AggregateOp<"reduce", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "reduction along `axis`; block arguments (element, accumulator) per operand, scalars";
  let arguments = (ins Variadic<AnyRankedTensor>:$sources, I32Attr:$axis, ArrayAttr:$identities);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$sources attr-dict `:` type($sources) `->` type($results) $body";
}
def TileAA_ScanOp : TileAA_AggregateOp<"scan", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "inclusive prefix along `axis`; block arguments (accumulator, element) per operand, scalars";
  let arguments = (ins Variadic<AnyRankedTensor>:$sources, I32Attr:$axis, UnitAttr:$reverse, ArrayAttr:$identities);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = "$sources attr-dict `:` type($sources) `->` type($results) $body";
}
def TileAA_YieldOp : TileAA_Op<"yield", [Pure, ReturnLike, Terminator, ParentOneOf<["ReduceOp", "ScanOp", "GenerateOp", "PragmaOp", "ExecuteOp"]>]> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), [{ }]>];
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

def TileAA_DotOp : TileAA_Op<"dot", [Pure, AllTypesMatch<["c", "result"]>]> {
  let summary = "a x b + c: [batch x] M x K times [batch x] K x N";
  let description = [{
    Integer operands carry a signedness each. f32 operands are multiplied as
    f32, never as tf32. fast_acc permits fewer accumulator bits for 8-bit
    floats.
  }];
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b, AnyRankedTensor:$c,
                       OptionalAttr<TileAA_SignednessAttr>:$signedness_a, OptionalAttr<TileAA_SignednessAttr>:$signedness_b,
                       UnitAttr:$fast_acc);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$a `,` $b `,` $c attr-dict `:` type($a) `,` type($b) `,` type($c)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def TileAA_MmaBlockScaleOp : TileAA_Op<"mma_block_scale", [Pure, AllTypesMatch<["c", "result"]>]> {
  let summary = "(a * sfa) x (b * sfb) + c, one scale per block of neighbours along K";
  let description = [{
    sfa: [batch x] M x K/V, sfb: [batch x] K/V x N, V elements per block. Factors of i8 are pairs of f4E2M1FN, neighbours
    along K, the first one in the low half of the byte: their tiles have K/2 bytes along K (`tileas-legalize-fma-dot`
    makes such).
  }];
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b, AnyRankedTensor:$c, AnyRankedTensor:$sfa, AnyRankedTensor:$sfb);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c `,` $sfa `,` $sfb attr-dict `:` type($a) `,` type($b) `,` type($c) `,` type($sfa) `,` type($sfb)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Side effects for people
//===----------------------------------------------------------------------===//

def TileAA_PrintOp : TileAA_Op<"print", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "formatted print, once per tile block";
  let arguments = (ins StrAttr:$format, Variadic<AnyType>:$args);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = "$format (`,` $args^ `:` type($args))? attr-dict";
  let hasVerifier = 1;
}
def TileAA_AssertOp : TileAA_Op<"assert", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "report `message` for every zero of the condition";
  let arguments = (ins AnyType:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
  let hasVerifier = 1;
}

include "tileiras/Dialect/TileAA/IR/TileAAMemoryOps.td"
include "tileiras/Dialect/TileAA/IR/TileAAAgentOps.td"
include "tileiras/Dialect/TileAA/IR/TileAAEscapeOps.td"

#endif // TILEIRAS_DIALECT_TILEAA_IR_TILEAAOPS_TD
