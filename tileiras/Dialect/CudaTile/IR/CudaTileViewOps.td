//===- CudaTileViewOps.td - Tensor views and tile views ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_VIEWOPS_TD
#define TILEIRAS_CUDATILE_VIEWOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

class ViewNamed<list<Trait> traits> {
  list<Trait> all = traits # [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>];
}

let opDocGroup = CudaTile_ViewGroup in {

//===----------------------------------------------------------------------===//
// Making views
//===----------------------------------------------------------------------===//

def CudaTile_MakeTensorViewOp : CudaTile_Op<"make_tensor_view",
    ViewNamed<[NoMemoryEffect, AttrSizedOperandSegments]>.all> {
  let summary = "A pointer with a shape and strides";
  let description = [{
    Element (i, j, ..) of the tensor lies i * stride 0 + j * stride 1 + .. *elements* behind the base. Numbers in
    the type are repeated in the text; each `?` takes an operand. The tensor must lie inside one allocation: that is
    what bounds checks of accesses rely on. Nothing is copied.

    Base: rank-0 pointer to the element type; operands: rank-0 integer tiles of one type, read as not negative.
    Errors: "expected pointer to .. to build tensor_view of this type, got .."; "expected .. dynamic shape operands,
    got .." (and stride); numbers in the text that contradict the type. Since 13.1.

    ```mlir
    // $ tileiras-run make_tensor_view.mlir 'x:i32[2x4]=iota' i32=2
    // [[0, 1], [4, 5]]
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<i32>>, %rows: tile<i32>) {
        %tensor = make_tensor_view %x, shape = [%rows, 4], strides = [4, 1]
            : tile<i32> -> tensor_view<?x4xi32, strides=[4,1]>
        %view = make_partition_view %tensor : partition_view<tile=(2x2), tensor_view<?x4xi32, strides=[4,1]>>
        %zero = constant <i32: 0> : tile<i32>
        %v, %t0 = load_view_tko weak %view[%zero, %zero]
            : partition_view<tile=(2x2), tensor_view<?x4xi32, strides=[4,1]>>, tile<i32> -> tile<2x2xi32>, token
        %t1 = print_tko "%d\n", %v : tile<2x2xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_PtrScalar:$base, Variadic<CudaTile_IntScalar>:$dynamicShape,
                       Variadic<CudaTile_IntScalar>:$dynamicStrides);
  let results = (outs CudaTile_TensorView:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

class MakeViewOp<string mnemonic, TypeConstraint view> : CudaTile_Op<mnemonic, ViewNamed<[Pure]>.all> {
  let arguments = (ins CudaTile_TensorView:$tensor_view);
  let results = (outs view:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CudaTile_MakePartitionViewOp : MakeViewOp<"make_partition_view", CudaTile_PartitionView> {
  let summary = "Cuts a tensor into adjacent tiles";
  let description = [{
    Tile i along a dimension holds elements i * T to (i + 1) * T - 1, T being the tile's extent; the last tiles may
    hang over the end of the tensor. With `dim_map` tile dimension d runs along tensor dimension dim_map[d].
    Everything is in the type, which is written once.

    "expected the type of the provided tensor_view value (..) to be the same as the view's tensor_view type (..)";
    the rules of the type are those of `partition_view`. Since 13.1.

    ```mlir
    // $ tileiras-run make_partition_view.mlir 'x:i32[2x4]=iota'
    // [[2, 6], [3, 7]]
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<i32>>) {
        %tensor = make_tensor_view %x, shape = [2, 4], strides = [4, 1] : tensor_view<2x4xi32, strides=[4,1]>
        %view = make_partition_view %tensor
            : partition_view<tile=(2x2), tensor_view<2x4xi32, strides=[4,1]>, dim_map=[1, 0]>
        %zero = constant <i32: 0> : tile<i32>
        %one = constant <i32: 1> : tile<i32>
        // Columns 2 and 3, rows 0 and 1.
        %v, %t0 = load_view_tko weak %view[%one, %zero]
            : partition_view<tile=(2x2), tensor_view<2x4xi32, strides=[4,1]>, dim_map=[1, 0]>, tile<i32>
            -> tile<2x2xi32>, token
        %t1 = print_tko "%d\n", %v : tile<2x2xi32> -> token
      }
    }
    ```
  }];
}

def CudaTile_MakeStridedViewOp : MakeViewOp<"make_strided_view", CudaTile_StridedView> {
  let summary = "Tiles at a distance of their own";
  let description = [{
    Like a partition view, but tile i along a dimension starts at element i * traversal stride: tiles overlap where
    the stride is below the tile's extent and leave gaps where it is above. There are ceil(extent / stride) tiles,
    the last of which may hang over the end.

    "expected the type of the provided tensor_view value (..) to be the same as the view's tensor_view type (..)";
    the rules of the type are those of `strided_view`. Since 13.3.

    ```mlir
    // $ tileiras-run make_strided_view.mlir 'x:i32[8]=iota'
    // [3, 4, 5, 6]
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<i32>>) {
        %tensor = make_tensor_view %x, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
        %view = make_strided_view %tensor
            : strided_view<tile=(4), traversal_strides=[3], tensor_view<8xi32, strides=[1]>>
        %one = constant <i32: 1> : tile<i32>
        %v, %t0 = load_view_tko weak %view[%one]
            : strided_view<tile=(4), traversal_strides=[3], tensor_view<8xi32, strides=[1]>>, tile<i32>
            -> tile<4xi32>, token
        %t1 = print_tko "%d\n", %v : tile<4xi32> -> token
      }
    }
    ```
  }];
}

def CudaTile_MakeGatherScatterViewOp : MakeViewOp<"make_gather_scatter_view", CudaTile_GatherScatterView> {
  let summary = "Tiles made of rows that are listed";
  let description = [{
    Along `sparse_dim` every slice of the tile has a position of its own, which an access gives as a rank-1 tile of
    element positions, one per slice; along the other dimensions an index is the position of the tile's first element.

    "expected the type of the provided tensor_view value (..) to be the same as the view's tensor_view type (..)";
    the rules of the type are those of `gather_scatter_view`. Since 13.3.

    ```mlir
    // $ tileiras-run make_gather_scatter_view.mlir 'x:i32[4x4]=iota'
    // [[13, 14], [1, 2]]
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<i32>>) {
        %tensor = make_tensor_view %x, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xi32, strides=[4,1]>
        %view = make_gather_scatter_view %tensor
            : gather_scatter_view<tile=(2x2), tensor_view<4x4xi32, strides=[4,1]>, sparse_dim=0>
        %rows = constant <i32: [3, 0]> : tile<2xi32>
        %one = constant <i32: 1> : tile<i32>
        // Rows 3 and 0, the two columns from the second on.
        %v, %t0 = load_view_tko weak %view[%rows, %one]
            : gather_scatter_view<tile=(2x2), tensor_view<4x4xi32, strides=[4,1]>, sparse_dim=0>, tile<2xi32>, tile<i32>
            -> tile<2x2xi32>, token
        %t1 = print_tko "%d\n", %v : tile<2x2xi32> -> token
      }
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Shape queries
//===----------------------------------------------------------------------===//

class ShapeQueryOp<string mnemonic, TypeConstraint type> : CudaTile_Op<mnemonic, [NoMemoryEffect]> {
  let arguments = (ins type:$src);
  let results = (outs Variadic<CudaTile_IntScalar>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CudaTile_GetTensorShapeOp : ShapeQueryOp<"get_tensor_shape", CudaTile_TensorView> {
  let summary = "Extents of a tensor view";
  let description = [{
    One number per dimension, in elements. Choose a type that holds the extents: the rest would be cut off.

    Results: rank-0 integer tiles of one type, which is written once. "expected .. results due to tensor rank, but
    got ..". Since 13.1.

    ```mlir
    // $ tileiras-run get_tensor_shape.mlir 'x:f32[6x4]=zeros' i64=6
    // 6 by 4
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<f32>>, %rows: tile<i64>) {
        %tensor = make_tensor_view %x, shape = [%rows, 4], strides = [4, 1]
            : tile<i64> -> tensor_view<?x4xf32, strides=[4,1]>
        %n, %m = get_tensor_shape %tensor : tensor_view<?x4xf32, strides=[4,1]> -> tile<i32>
        %t = print_tko "%d by %d\n", %n, %m : tile<i32>, tile<i32> -> token
      }
    }
    ```
  }];
}

def CudaTile_GetIndexSpaceShapeOp : ShapeQueryOp<"get_index_space_shape", CudaTile_TileView> {
  let summary = "How many tiles a view has along each index";
  let description = [{
    One number per index: ceil(extent / tile extent) for a partition view, ceil(extent / traversal stride) for a
    strided view, and along the sparse dimension of a gather/scatter view the extent itself. Valid indices are below
    it.

    Results: rank-0 integer tiles of one type, which is written once. "expected .. results due to view index space
    rank, but got ..". Since 13.1.

    ```mlir
    // $ tileiras-run get_index_space_shape.mlir 'x:f32[6x4]=zeros'
    // 2 by 1 tiles
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<f32>>) {
        %tensor = make_tensor_view %x, shape = [6, 4], strides = [4, 1] : tensor_view<6x4xf32, strides=[4,1]>
        %view = make_partition_view %tensor : partition_view<tile=(4x4), tensor_view<6x4xf32, strides=[4,1]>>
        %n, %m = get_index_space_shape %view
            : partition_view<tile=(4x4), tensor_view<6x4xf32, strides=[4,1]>> -> tile<i32>
        %t = print_tko "%d by %d tiles\n", %n, %m : tile<i32>, tile<i32> -> token
      }
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Loads and stores through views
//===----------------------------------------------------------------------===//

def CudaTile_LoadViewTkoOp : CudaTile_Op<"load_view_tko", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Loads one tile of a view";
  let description = [{
    Loads the tile at the indices, which count tiles, are *unsigned* and must be below `get_index_space_shape`,
    otherwise the behaviour is undefined. Elements of the tile outside the tensor get the view's padding value;
    without one they are undefined (the reference gives 0). `inbounds = [true, ..]` promises, per index, that there
    are none; breaking it is undefined. Order, scope and token as for `load_ptr_tko`.

    One rank-0 index per dimension, all of one integer type; for a gather/scatter view a rank-1 tile of element
    positions along the sparse one. Errors: "expected .. index operands (based on view type), got .."; "expected
    tile type to be .. (based on view type), got ..". Hints: `latency`, `allow_tma`. Since 13.1, `inbounds` since
    13.4.

    ```mlir
    // $ tileiras-run load_view_tko.mlir 'x:f32[6]=iota'
    // [4, 5, -inf, -inf]
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<f32>>) {
        %tensor = make_tensor_view %x, shape = [6], strides = [1] : tensor_view<6xf32, strides=[1]>
        %view = make_partition_view %tensor
            : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf32, strides=[1]>>
        %one = constant <i32: 1> : tile<i32>
        %v, %t0 = load_view_tko weak %view[%one] optimization_hints = <default = {latency = 2}>
            : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf32, strides=[1]>>, tile<i32>
            -> tile<4xf32>, token
        %t1 = print_tko "%g\n", %v : tile<4xf32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_MemoryOrderingSemantics:$memory_ordering_semantics,
                       OptionalAttr<CudaTile_MemoryScope>:$memory_scope, CudaTile_TileView:$view,
                       Variadic<AnyType>:$index, Optional<CudaTile_Token>:$token,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints,
                       OptionalAttr<DenseBoolArrayAttr>:$inbounds);
  let results = (outs CudaTile_Tile:$tile, CudaTile_Token:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CudaTile_StoreViewTkoOp : CudaTile_Op<"store_view_tko", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let summary = "Stores one tile of a view";
  let description = [{
    Stores the tile at the indices, which count tiles, are *unsigned* and must be below `get_index_space_shape`,
    otherwise the behaviour is undefined. Elements of the tile outside the tensor are not written, whatever the
    view's padding; `inbounds = [true, ..]` promises, per index, that there are none. Order, scope and token as for
    `store_ptr_tko`.

    Indices and errors as for `load_view_tko`. Where tiles overlap, or a gather/scatter view names a row twice, the
    element keeps one of the values. Hints: `latency`, `allow_tma`. Since 13.1, `inbounds` since 13.4.

    ```mlir
    // $ tileiras-run store_view_tko.mlir 'out:y:i32[6]=zeros' --show=y
    // y: 10 11 12 13 10 11
    cuda_tile.module @kernels {
      entry @example(%y: tile<ptr<i32>>) {
        %tensor = make_tensor_view %y, shape = [6], strides = [1] : tensor_view<6xi32, strides=[1]>
        %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>
        %v = constant <i32: [10, 11, 12, 13]> : tile<4xi32>
        %zero = constant <i32: 0> : tile<i32>
        %one = constant <i32: 1> : tile<i32>
        %t0 = store_view_tko weak %v, %view[%zero] inbounds = [true]
            : tile<4xi32>, partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>, tile<i32> -> token
        %t1 = store_view_tko weak %v, %view[%one]
            : tile<4xi32>, partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>, tile<i32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_MemoryOrderingSemantics:$memory_ordering_semantics,
                       OptionalAttr<CudaTile_MemoryScope>:$memory_scope, CudaTile_Tile:$tile,
                       CudaTile_TileView:$view, Variadic<AnyType>:$index, Optional<CudaTile_Token>:$token,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints,
                       OptionalAttr<DenseBoolArrayAttr>:$inbounds);
  let results = (outs CudaTile_Token:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

} // opDocGroup

#endif
