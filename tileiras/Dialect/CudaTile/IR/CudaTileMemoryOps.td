//===- CudaTileMemoryOps.td - Pointer memory ops, tokens, atomics and fences ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_MEMORYOPS_TD
#define TILEIRAS_CUDATILE_MEMORYOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

// Program order gives no order between `_tko` ops: only data and tokens do.

def CudaTile_MakeTokenOp : CudaTile_Op<"make_token", [Pure]> {
  let results = (outs CudaTile_Token:$result);
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($result))";
}
def CudaTile_JoinTokensOp : CudaTile_Op<"join_tokens", [Pure]> {
  let arguments = (ins Variadic<CudaTile_Token>:$tokens);
  let results = (outs CudaTile_Token:$result);
  let assemblyFormat = "$tokens attr-dict `:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_LoadPtrTkoOp : CudaTile_Op<"load_ptr_tko", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins CudaTile_MemoryOrderingSemantics:$memory_ordering_semantics,
                       OptionalAttr<CudaTile_MemoryScope>:$memory_scope, CudaTile_Ptr:$source,
                       Optional<CudaTile_Bool>:$mask, Optional<CudaTile_Tile>:$paddingValue,
                       Optional<CudaTile_Token>:$token,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
  let results = (outs CudaTile_Tile:$result, CudaTile_Token:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def CudaTile_StorePtrTkoOp : CudaTile_Op<"store_ptr_tko", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let arguments = (ins CudaTile_MemoryOrderingSemantics:$memory_ordering_semantics,
                       OptionalAttr<CudaTile_MemoryScope>:$memory_scope, CudaTile_Ptr:$destination,
                       CudaTile_Tile:$value, Optional<CudaTile_Bool>:$mask, Optional<CudaTile_Token>:$token,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
  let results = (outs CudaTile_Token:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics ($memory_scope^)? $destination `,` $value (`,` $mask^)?
    (`token` `` `=` `` $token^)? (`optimization_hints` `=` $optimization_hints^)? attr-dict
    `:` custom<CudaTileType>(type($destination)) `,` custom<CudaTileType>(type($value))
    `` custom<CommaCudaTileType>(type($mask)) `->` custom<CudaTileType>(type($result_token))
  }];
  let hasVerifier = 1;
}

def CudaTile_AtomicRMWTkoOp : CudaTile_Op<"atomic_rmw_tko", [AttrSizedOperandSegments,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins CudaTile_MemoryOrderingSemantics:$memory_ordering_semantics,
                       CudaTile_MemoryScope:$memory_scope, CudaTile_Ptr:$pointers, CudaTile_AtomicRMWMode:$mode,
                       CudaTile_Number:$arg, Optional<CudaTile_Bool>:$mask, Optional<CudaTile_Token>:$token);
  let results = (outs CudaTile_Number:$result, CudaTile_Token:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics $memory_scope $pointers `,` $mode `,` $arg (`,` $mask^)?
    (`token` `` `=` `` $token^)? attr-dict `:` custom<CudaTileType>(type($pointers)) `,`
    custom<CudaTileType>(type($arg)) `` custom<CommaCudaTileType>(type($mask)) `->`
    custom<CudaTileType>(type($result)) `,` custom<CudaTileType>(type($result_token))
  }];
  let hasVerifier = 1;
}
def CudaTile_AtomicCASTkoOp : CudaTile_Op<"atomic_cas_tko", [AttrSizedOperandSegments,
    AllTypesMatch<["cmp", "val", "result"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins CudaTile_MemoryOrderingSemantics:$memory_ordering_semantics,
                       CudaTile_MemoryScope:$memory_scope, CudaTile_Ptr:$pointers, CudaTile_Number:$cmp,
                       CudaTile_Number:$val, Optional<CudaTile_Bool>:$mask, Optional<CudaTile_Token>:$token);
  let results = (outs CudaTile_Number:$result, CudaTile_Token:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics $memory_scope $pointers `,` $cmp `,` $val (`,` $mask^)?
    (`token` `` `=` `` $token^)? attr-dict `:` custom<CudaTileType>(type($pointers)) `,`
    custom<CudaTileType>(type($val)) `` custom<CommaCudaTileType>(type($mask)) `->`
    custom<CudaTileType>(type($result)) `,` custom<CudaTileType>(type($result_token))
  }];
  let hasVerifier = 1;
}

def CudaTile_AllocaOp : CudaTile_Op<"alloca", [MemoryEffects<[MemAlloc]>]> {
  let summary = "Memory that lives as long as the block it stands in";
  let description = [{ Private to the tile block's thread of control unless `global`. }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntMinValue<0>]>:$num_elem, I64Attr:$alignment, UnitAttr:$global);
  let results = (outs CudaTile_PtrScalar:$result);
  let assemblyFormat = [{
    `num_elem` `=` $num_elem `,` `alignment` `=` $alignment (`global` $global^)? attr-dict
    `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

class FenceOp<string mnemonic> : CudaTile_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let results = (outs CudaTile_Token:$result_token);
}
def CudaTile_MemoryFenceAliasTkoOp : FenceOp<"memory_fence_alias_tko"> {
  let summary = "Orders accesses that reach the same memory through another virtual address";
  let arguments = (ins CudaTile_Token:$token);
  let assemblyFormat = "`token` `` `=` `` $token attr-dict `->` custom<CudaTileType>(type($result_token))";
}
class GdcOp<string mnemonic> : FenceOp<mnemonic> {
  let arguments = (ins Optional<CudaTile_Token>:$token);
  let assemblyFormat = [{ (`token` `=` $token^)? attr-dict `->` custom<CudaTileType>(type($result_token)) }];
}
def CudaTile_GdcLaunchDependentsTkoOp : GdcOp<"gdc_launch_dependents_tko"> {
  let summary = "This block no longer holds back the dependent grid; no memory order";
}
def CudaTile_GdcWaitTkoOp : GdcOp<"gdc_wait_tko"> {
  let summary = "Waits for the prerequisite grid; its stores are visible afterwards";
}

#endif
