//===- CudaTileAtomicOps.td - Atomic operations on memory ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_ATOMICOPS_TD
#define TILEIRAS_CUDATILE_ATOMICOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

let opDocGroup = CudaTile_AtomicGroup in {

def CudaTile_AtomicRMWTkoOp : CudaTile_Op<"atomic_rmw_tko", [AttrSizedOperandSegments,
    AllShapesMatch<["pointers", "arg", "result"]>, AllTypesMatch<["arg", "result"]>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Atomic read-modify-write per pointer";
  let description = [{
    For every pointer, in no particular order and each atomically: read the old value, write what `mode` makes of it
    and the argument, return the old value. Where the optional mask is false nothing happens and the result is
    unspecified (the reference gives 0). `addf` rounds to nearest even; `max`/`min` are signed, `umax`/`umin`
    unsigned.

    | mode | element types |
    |---|---|
    | `and` `or` `xor` `add` `max` `min` `umax` `umin` | i32, i64 |
    | `addf` | f16, bf16 (since 13.3), f32, f64 |
    | `xchg` | i32, i64, f32, f64 |

    Ordering: `relaxed`, `acquire`, `release` or `acq_rel`, with a scope ("memory ordering semantics must be one of:
    .."). Errors: "expected pointee type (..) to match element type of 'arg' (..)"; "'add' works only with integers
    i32 and i64" and its like; shapes that differ. Since 13.1.

    ```mlir
    // $ tileiras-run atomic_rmw_tko.mlir --grid=4 'out:y:i32[1]=zeros' --show=y
    // y: 6
    cuda_tile.module @kernels {
      entry @example(%y: tile<ptr<i32>>) {
        %i, %j, %k = get_tile_block_id : tile<i32>
        %old, %t = atomic_rmw_tko relaxed device %y, add, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      }
    }
    ```
  }];
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
    AllShapesMatch<["pointers", "cmp", "val", "result"]>,
    AllTypesMatch<["cmp", "val", "result"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Atomic compare-and-swap per pointer";
  let description = [{
    For every pointer, each atomically: read the old value, write `val` if it equals `cmp`, return the old value.
    Floats are compared as *bits*: -0 is not +0, and a NaN equals itself. Where the optional mask is false nothing
    happens and the result is `cmp`.

    Element types: i32, i64, f32, f64 ("expect only float or integer types with 32 or 64 bit"). Ordering and scope
    as for `atomic_rmw_tko`. Errors: "expected pointee type (..) to match element type of 'val' (..)"; shapes that
    differ. Since 13.1.

    ```mlir
    // $ tileiras-run atomic_cas_tko.mlir 'out:y:f32[2]=zeros' --show=y
    // old [0, 0]
    // y: 5 0
    cuda_tile.module @kernels {
      entry @example(%y: tile<ptr<f32>>) {
        %i = iota : tile<2xi32>
        %y1 = reshape %y : tile<ptr<f32>> -> tile<1xptr<f32>>
        %y2 = broadcast %y1 : tile<1xptr<f32>> -> tile<2xptr<f32>>
        %p = offset %y2, %i : tile<2xptr<f32>>, tile<2xi32> -> tile<2xptr<f32>>
        %cmp = constant <f32: [0.0, -0.0]> : tile<2xf32>
        %val = constant <f32: 5.0> : tile<2xf32>
        %old, %t0 = atomic_cas_tko acq_rel device %p, %cmp, %val
            : tile<2xptr<f32>>, tile<2xf32> -> tile<2xf32>, token
        %t1 = print_tko "old %g\n", %old : tile<2xf32> -> token
      }
    }
    ```
  }];
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

def CudaTile_AtomicRedViewTkoOp : CudaTile_Op<"atomic_red_view_tko", [AttrSizedOperandSegments,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Atomic combination of a tile into a tensor";
  let description = [{
    Combines the elements of the tile atomically with those of the tensor that the view and the indices address,
    without returning the old ones. Elements outside the tensor are left out. Modes and element types are those of
    `atomic_rmw_tko` except `xchg`.

    Ordering is `relaxed`, scope `tl_blk` or `device`. The view is a partition or strided view without padding
    ("views with padding_value are not supported for atomic reductions"; "gather_scatter_view is not supported; use
    partition_view instead"); the value has its tile's shape and element type; indices as for `load_view_tko`. Since
    13.3.

    ```mlir
    // $ tileiras-run atomic_red_view_tko.mlir --grid=3 'out:y:f32[6]=1' --show=y
    // y: 1 1 1 1 7 7
    cuda_tile.module @kernels {
      entry @example(%y: tile<ptr<f32>>) {
        %tensor = make_tensor_view %y, shape = [6], strides = [1] : tensor_view<6xf32, strides=[1]>
        %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<6xf32, strides=[1]>>
        %one = constant <i32: 1> : tile<i32>
        %x = constant <f32: 2.0> : tile<4xf32>
        // Tile 1 holds elements 4 to 7, of which the tensor has two.
        %t = atomic_red_view_tko relaxed device %view[%one], addf, %x
            : tile<4xf32>, partition_view<tile=(4), tensor_view<6xf32, strides=[1]>>, tile<i32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_MemoryOrderingSemantics:$memory_ordering_semantics,
                       CudaTile_MemoryScope:$memory_scope, CudaTile_TileView:$view, Variadic<AnyType>:$index,
                       CudaTile_AtomicRMWMode:$mode, CudaTile_Number:$value, Optional<CudaTile_Token>:$token);
  let results = (outs CudaTile_Token:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

} // opDocGroup

#endif
