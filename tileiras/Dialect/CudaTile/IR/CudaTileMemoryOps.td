//===- CudaTileMemoryOps.td - Tokens, pointer accesses, local memory, fences ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_MEMORYOPS_TD
#define TILEIRAS_CUDATILE_MEMORYOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

// Program order gives no order between `_tko` ops: only data and tokens do.

let opDocGroup = CudaTile_MemoryGroup in {

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

def CudaTile_MakeTokenOp : CudaTile_Op<"make_token", [Pure]> {
  let summary = "A token of nothing";
  let description = [{
    A token that orders nothing: the first link of a chain, for instance the initial value of a token that a loop
    carries. Tokens exist at compile time only. Since 13.1.

    ```mlir
    // $ tileiras-run make_token.mlir 'out:y:i32[1]=zeros' --show=y
    // y: 3
    cuda_tile.module @kernels {
      entry @example(%y: tile<ptr<i32>>) {
        %zero = constant <i32: 0> : tile<i32>
        %one = constant <i32: 1> : tile<i32>
        %three = constant <i32: 3> : tile<i32>
        %none = make_token : token
        // Each iteration loads what the one before stored, so the token is carried.
        %last = for %i in (%zero to %three, step %one) : tile<i32> iter_values(%t = %none) -> (token) {
          %v, %t1 = load_ptr_tko weak %y token=%t : tile<ptr<i32>> -> tile<i32>, token
          %w = addi %v, %one : tile<i32>
          %t2 = store_ptr_tko weak %y, %w token=%t1 : tile<ptr<i32>>, tile<i32> -> token
          continue %t2 : token
        }
      }
    }
    ```
  }];
  let results = (outs CudaTile_Token:$result);
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($result))";
}

def CudaTile_JoinTokensOp : CudaTile_Op<"join_tokens", [Pure]> {
  let summary = "After all of several operations";
  let description = [{
    A token that stands for everything its operands stand for: what takes it is ordered after all of them.

    "expect two or more tokens". Since 13.1.

    ```mlir
    // $ tileiras-run join_tokens.mlir 'out:y:i32[2]=zeros'
    // 12
    cuda_tile.module @kernels {
      entry @example(%y: tile<ptr<i32>>) {
        %one = constant <i32: 1> : tile<i32>
        %five = constant <i32: 5> : tile<i32>
        %seven = constant <i32: 7> : tile<i32>
        %y1 = offset %y, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %t0 = store_ptr_tko weak %y, %five : tile<ptr<i32>>, tile<i32> -> token
        %t1 = store_ptr_tko weak %y1, %seven : tile<ptr<i32>>, tile<i32> -> token
        %both = join_tokens %t0, %t1 : token
        %a, %ta = load_ptr_tko weak %y token=%both : tile<ptr<i32>> -> tile<i32>, token
        %b, %tb = load_ptr_tko weak %y1 token=%both : tile<ptr<i32>> -> tile<i32>, token
        %s = addi %a, %b : tile<i32>
        %t = print_tko "%d\n", %s : tile<i32> -> token
      }
    }
    ```
  }];
  let arguments = (ins Variadic<CudaTile_Token>:$tokens);
  let results = (outs CudaTile_Token:$result);
  let assemblyFormat = "$tokens attr-dict `:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Loads and stores through pointers
//===----------------------------------------------------------------------===//

def CudaTile_LoadPtrTkoOp : CudaTile_Op<"load_ptr_tko", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Loads one element per pointer";
  let description = [{
    Result element i is what pointer i points to. Where the optional mask is false nothing is accessed and the
    element is that of the optional padding, without which it is undefined (the reference gives 0). `weak` says that
    nobody else writes the memory meanwhile; `relaxed` and `acquire` take a scope (`tl_blk`, `device`, `sys`). The
    load is ordered after the operations its token stands for, and by nothing else: not by its place in the program.

    Pointers: any shape and pointee; mask: i1 of that shape; padding: the result's type. i1 is stored as a byte.
    Errors: types and shapes that disagree; "expect one of: weak, relaxed, or acquire, but got: .."; "weak load must
    not have memory scope"; "memory scope is required for .. load". Hint: `latency`. Since 13.1.

    ```mlir
    // $ tileiras-run load_ptr_tko.mlir 'x:i32[3]=iota(lo=5)'
    // [5, 6, 7, -1]
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<i32>>) {
        %i = iota : tile<4xi32>
        %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
        %x4 = broadcast %x1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
        %p = offset %x4, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
        %n = constant <i32: 3> : tile<4xi32>
        %in = cmpi less_than %i, %n, signed : tile<4xi32> -> tile<4xi1>
        %pad = constant <i32: -1> : tile<4xi32>
        %v, %t0 = load_ptr_tko weak %p, %in, %pad : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> tile<4xi32>, token
        %t1 = print_tko "%d\n", %v : tile<4xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_MemoryOrderingSemantics:$memory_ordering_semantics,
                       OptionalAttr<CudaTile_MemoryScope>:$memory_scope, CudaTile_Ptr:$source,
                       Optional<CudaTile_Bool>:$mask, Optional<CudaTile_Number>:$paddingValue,
                       Optional<CudaTile_Token>:$token,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
  let results = (outs CudaTile_Tile:$result, CudaTile_Token:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CudaTile_StorePtrTkoOp : CudaTile_Op<"store_ptr_tko", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let summary = "Stores one element per pointer";
  let description = [{
    Writes value element i to where pointer i points, unless the optional mask is false there. Two pointers to one
    place with different values leave one of the two. `weak` says that nobody else accesses the memory meanwhile;
    `relaxed` and `release` take a scope. The store is ordered after the operations its token stands for, and by
    nothing else.

    Pointers: any shape and pointee; value: the pointee's type and that shape; mask: i1 of that shape. i1 is stored
    as a byte, 0 or 1. Errors: types and shapes that disagree; "expect one of: weak, relaxed, or release, but got:
    .."; "weak store must not have memory scope"; "memory scope is required for .. store". Hint: `latency`. Since
    13.1.

    ```mlir
    // $ tileiras-run store_ptr_tko.mlir 'out:y:i32[4]=zeros' --show=y
    // y: 0 1 0 3
    cuda_tile.module @kernels {
      entry @example(%y: tile<ptr<i32>>) {
        %i = iota : tile<4xi32>
        %y1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
        %y4 = broadcast %y1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
        %p = offset %y4, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
        %odd = trunci %i : tile<4xi32> -> tile<4xi1>
        %t = store_ptr_tko release device %p, %i, %odd : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
      }
    }
    ```
  }];
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

def CudaTile_AllocaOp : CudaTile_Op<"alloca", [MemoryEffects<[MemAlloc]>]> {
  let summary = "Memory that lives as long as the block it stands in";
  let description = [{
    Uninitialised memory for `num_elem` elements, private to the tile block's thread of control; `global` makes it
    visible to others through its address. Every execution gives another allocation, which ends with the region
    around the operation.

    Result: a rank-0 tile of a pointer to the first element. Errors: "'alignment' must be power of two";
    "'alignment' (..) must be at least the natural size (.. bytes) for element type .."; a negative `num_elem`.
    Since 13.3.

    ```mlir
    // $ tileiras-run alloca.mlir
    // 42
    cuda_tile.module @kernels {
      entry @example() {
        %p = alloca num_elem = 4, alignment = 16 : tile<ptr<i32>>
        %v = constant <i32: 42> : tile<i32>
        %t0 = store_ptr_tko weak %p, %v : tile<ptr<i32>>, tile<i32> -> token
        %w, %t1 = load_ptr_tko weak %p token=%t0 : tile<ptr<i32>> -> tile<i32>, token
        %t2 = print_tko "%d\n", %w : tile<i32> -> token
      }
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntMinValue<0>]>:$num_elem, I64Attr:$alignment, UnitAttr:$global);
  let results = (outs CudaTile_PtrScalar:$result);
  let assemblyFormat = [{
    `num_elem` `=` $num_elem `,` `alignment` `=` $alignment (`global` $global^)? attr-dict
    `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Fences and dependent launches
//===----------------------------------------------------------------------===//

class FenceOp<string mnemonic> : CudaTile_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let results = (outs CudaTile_Token:$result_token);
}

def CudaTile_MemoryFenceAliasTkoOp : FenceOp<"memory_fence_alias_tko"> {
  let summary = "Orders accesses through two addresses of one memory";
  let description = [{
    Where the same physical memory is mapped at two virtual addresses, tokens alone do not order accesses through
    one after accesses through the other. This fence does: what its token stands for comes before what takes its
    result.

    Exactly one token in and one out. Since 13.4.

    ```mlir
    // $ tileiras-run memory_fence_alias_tko.mlir 'out:y:i32[1]=zeros'
    // 42
    cuda_tile.module @kernels {
      entry @example(%y: tile<ptr<i32>>) {
        %v = constant <i32: 42> : tile<i32>
        %t0 = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token
        %t1 = memory_fence_alias_tko token=%t0 -> token
        // %y may stand for a second mapping of the memory.
        %w, %t2 = load_ptr_tko weak %y token=%t1 : tile<ptr<i32>> -> tile<i32>, token
        %t3 = print_tko "%d\n", %w : tile<i32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Token:$token);
  let assemblyFormat = "`token` `` `=` `` $token attr-dict `->` custom<CudaTileType>(type($result_token))";
}

class GdcOp<string mnemonic> : FenceOp<mnemonic> {
  let arguments = (ins Optional<CudaTile_Token>:$token);
  let assemblyFormat = [{ (`token` `=` $token^)? attr-dict `->` custom<CudaTileType>(type($result_token)) }];
}

def CudaTile_GdcLaunchDependentsTkoOp : GdcOp<"gdc_launch_dependents_tko"> {
  let summary = "Lets the dependent grid start";
  let description = [{
    This tile block no longer holds back the grid that was launched to depend on this one; that grid may start once
    every block has got here or has ended. Gives *no* memory order: the dependent grid sees our stores only after
    its own `gdc_wait_tko`. Without such a launch, and below sm_90, it does nothing.

    An optional token in, a token out. Since 13.4.

    ```mlir
    // $ tileiras-run gdc_launch_dependents_tko.mlir 'out:y:i32[1]=zeros' --show=y
    // y: 42
    cuda_tile.module @kernels {
      entry @example(%y: tile<ptr<i32>>) {
        %v = constant <i32: 42> : tile<i32>
        %t0 = gdc_launch_dependents_tko -> token
        %t1 = store_ptr_tko weak %y, %v token=%t0 : tile<ptr<i32>>, tile<i32> -> token
      }
    }
    ```
  }];
}

def CudaTile_GdcWaitTkoOp : GdcOp<"gdc_wait_tko"> {
  let summary = "Waits for the grid this one depends on";
  let description = [{
    Returns when the prerequisite grid has completed; its stores are visible to every access that is ordered after
    the result token. Accesses that do not take the token may come earlier. Without such a launch, and below sm_90,
    it does nothing.

    An optional token in, a token out. Since 13.4.

    ```mlir
    // $ tileiras-run gdc_wait_tko.mlir 'x:i32[1]=7'
    // 7
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<i32>>) {
        %ready = gdc_wait_tko -> token
        %v, %t0 = load_ptr_tko weak %x token=%ready : tile<ptr<i32>> -> tile<i32>, token
        %t1 = print_tko "%d\n", %v : tile<i32> -> token
      }
    }
    ```
  }];
}

} // opDocGroup

#endif
