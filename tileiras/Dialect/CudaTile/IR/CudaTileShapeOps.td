//===- CudaTileShapeOps.td - Constants, shapes, pointer arithmetic ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_SHAPEOPS_TD
#define TILEIRAS_CUDATILE_SHAPEOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

let opDocGroup = CudaTile_CoreGroup in {

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

def CudaTile_ConstantOp : CudaTile_Op<"constant", [Pure, ConstantLike, AllTypesMatch<["value", "result"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "A tile known at compile time";
  let description = [{
    The literal is `<` element type `:` numbers `>`: nested lists in the shape of the tile, or one number for all
    elements. Floats need a point, or are bits in hexadecimal of the type's width (the way to write infinities and
    NaNs); integers may be anything that fits signed or unsigned; i1 also takes `true` and `false`.

    Element types: every integer and float type but i4; any shape. Errors: "unexpected decimal integer literal for a
    floating point value", "integer constant out of range for type", "inferred shape of elements literal ([..]) does
    not match type ([..])". Since 13.1.

    ```mlir
    // $ tileiras-run constant.mlir
    // [[1, -2.5], [inf, 0.1]] [7, 7] [255, 255] 1
    cuda_tile.module @kernels {
      entry @example() {
        %m = constant <f32: [[1.0, -2.5], [0x7F800000, 1.0e-1]]> : tile<2x2xf32>
        %sevens = constant <i32: 7> : tile<2xi32>
        %bytes = constant <i8: [255, -1]> : tile<2xi8>
        %yes = constant <i1: true> : tile<i1>
        %t = print_tko "%g %d %u %u\n", %m, %sevens, %bytes, %yes
            : tile<2x2xf32>, tile<2xi32>, tile<2xi8>, tile<i1> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_DenseAttr:$value);
  let results = (outs CudaTile_Number:$result);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def CudaTile_IotaOp : CudaTile_Op<"iota", [Pure]> {
  let summary = "The numbers 0, 1, 2, ...";
  let description = [{
    Element i is i, read as unsigned: an i8 tile may hold 256 elements, whose upper half is negative to signed
    operations.

    Result: rank 1 ("expects result type to be 1-d tile") of i1, i8, i16, i32 or i64, with at most 2^width elements
    ("the number of elements .. exceeds the maximum value of element type .."). Since 13.1.

    ```mlir
    // $ tileiras-run iota.mlir
    // [0, 1, 2, 3, 4, 5, 6, 7]
    cuda_tile.module @kernels {
      entry @example() {
        %i = iota : tile<8xi32>
        %t = print_tko "%d\n", %i : tile<8xi32> -> token
      }
    }
    ```
  }];
  let results = (outs CudaTile_Int:$result);
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

class ShapeOp<string mnemonic, list<Trait> traits = []> : CudaTile_Op<mnemonic, [Pure] # traits> {
  let arguments = (ins CudaTile_Tile:$source);
  let results = (outs CudaTile_Tile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<CudaTileType>(type($source)) `->` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_BroadcastOp : ShapeOp<"broadcast", [SameOperandsAndResultElementType,
    AllRanksMatch<["source", "result"]>, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Repeats along dimensions of extent 1";
  let description = [{
    Dimensions of extent 1 are repeated up to the extent of the result, the others stay. The rank does not change:
    add dimensions with `reshape` first.

    Element types: all, pointers too; equal in source and result, as is the rank. Extents other than 1 must agree:
    "expects the shape of source tile to be compatible with that of the result tile, but got: .. and ..". Since
    13.1.

    ```mlir
    // $ tileiras-run broadcast.mlir
    // [[5, 5, 5, 5], [6, 6, 6, 6]]
    cuda_tile.module @kernels {
      entry @example() {
        %column = constant <i32: [[5], [6]]> : tile<2x1xi32>
        %r = broadcast %column : tile<2x1xi32> -> tile<2x4xi32>
        %t = print_tko "%d\n", %r : tile<2x4xi32> -> token
      }
    }
    ```
  }];
}

def CudaTile_ReshapeOp : ShapeOp<"reshape", [SameOperandsAndResultElementType,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "The same elements in another shape";
  let description = [{
    Elements keep their row-major order (the last dimension runs fastest). A rank-0 tile and one of extents 1
    convert into each other.

    Element types: all, pointers too; equal in source and result. "expected source tile and result tile to have the
    same number of elements". Since 13.1.

    ```mlir
    // $ tileiras-run reshape.mlir
    // [[0, 1, 2, 3], [4, 5, 6, 7]]
    cuda_tile.module @kernels {
      entry @example() {
        %i = iota : tile<8xi32>
        %r = reshape %i : tile<8xi32> -> tile<2x4xi32>
        %t = print_tko "%d\n", %r : tile<2x4xi32> -> token
      }
    }
    ```
  }];
}

def CudaTile_PermuteOp : ShapeOp<"permute", [SameElementTypeTrait<["source", "result"]>,
    AllRanksMatch<["source", "result"]>]> {
  let summary = "Reorders dimensions";
  let description = [{
    Dimension i of the result is dimension permutation[i] of the source; `[1, 0]` transposes a matrix.

    Element types: all, pointers too; equal in source and result. Errors: "expects at least rank 2, but got: ..", a
    permutation with values that are missing, double or out of range, and "result shape invalid at index ..,
    expected: .., but got: ..". Since 13.1.

    ```mlir
    // $ tileiras-run permute.mlir
    // [[0, 4], [1, 5], [2, 6], [3, 7]]
    cuda_tile.module @kernels {
      entry @example() {
        %i = iota : tile<8xi32>
        %m = reshape %i : tile<8xi32> -> tile<2x4xi32>
        %r = permute %m [1, 0] : tile<2x4xi32> -> tile<4x2xi32>
        %t = print_tko "%d\n", %r : tile<4x2xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Tile:$source, DenseI32ArrayAttr:$permutation);
  let assemblyFormat = [{
    $source $permutation attr-dict `:` custom<CudaTileType>(type($source)) `->` custom<CudaTileType>(type($result))
  }];
}

def CudaTile_CatOp : CudaTile_Op<"cat", [Pure, SameElementTypeTrait<["lhs", "rhs", "result"]>,
    AllRanksMatch<["lhs", "rhs", "result"]>]> {
  let summary = "Two tiles one after the other";
  let description = [{
    Along `dim` the result holds lhs, then rhs. As every extent is a power of two, both have the same extent along
    `dim`.

    Element types: all, pointers too. Element type, rank and the other extents are equal in all three. Errors:
    "expect dim to be [0, ..), but got: ..", "invalid concat at position .., expected: .. but got: ..". Since 13.1.

    ```mlir
    // $ tileiras-run cat.mlir
    // [[1, 2, 5, 6], [3, 4, 7, 8]]
    cuda_tile.module @kernels {
      entry @example() {
        %a = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>
        %b = constant <i32: [[5, 6], [7, 8]]> : tile<2x2xi32>
        %r = cat %a, %b dim = 1 : tile<2x2xi32>, tile<2x2xi32> -> tile<2x4xi32>
        %t = print_tko "%d\n", %r : tile<2x4xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Tile:$lhs, CudaTile_Tile:$rhs, I64Attr:$dim);
  let results = (outs CudaTile_Tile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `dim` `=` $dim attr-dict `:` custom<CudaTileType>(type($lhs)) `,`
    custom<CudaTileType>(type($rhs)) `->` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_ExtractOp : CudaTile_Op<"extract", [Pure, AllRanksMatch<["source", "result"]>]> {
  let summary = "One block of a tile";
  let description = [{
    Cuts the source into blocks of the result's shape and gives the one at the indices, which count blocks, not
    elements: result[j] = source[index * extent + j] along every dimension. Indices are unsigned; a block outside is
    undefined.

    Element types: all, pointers too; element type and rank are equal in source and result, one `tile<i32>` index
    per dimension. Every extent of the source is a multiple of the result's; a constant index out of range is a
    warning only. Since 13.1.

    ```mlir
    // $ tileiras-run extract.mlir
    // [[4, 5], [12, 13]]
    cuda_tile.module @kernels {
      entry @example() {
        %i = iota : tile<16xi32>
        %m = reshape %i : tile<16xi32> -> tile<2x8xi32>
        %zero = constant <i32: 0> : tile<i32>
        %two = constant <i32: 2> : tile<i32>
        %r = extract %m[%zero, %two] : tile<2x8xi32> -> tile<2x2xi32>
        %t = print_tko "%d\n", %r : tile<2x2xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Tile:$source, Variadic<CudaTile_I32Scalar>:$indices);
  let results = (outs CudaTile_Tile:$result);
  let assemblyFormat = [{
    $source `` custom<BlockIndices>($indices, type($indices)) attr-dict `:` custom<CudaTileType>(type($source)) `->`
    custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_InsertOp : CudaTile_Op<"insert", [Pure, AllTypesMatch<["destination", "result"]>,
    SameElementTypeTrait<["source", "destination"]>, AllRanksMatch<["source", "destination"]>]> {
  let summary = "A copy of a tile with one block replaced";
  let description = [{
    Cuts the destination into blocks of the source's shape and gives a copy in which the one at the indices is the
    source: `extract` with the same indices gives the source back. Indices count blocks and are unsigned; a block
    outside is undefined. To insert one element, give it the shape 1x..x1.

    Element types: all, pointers too; element type and rank are equal in source and destination, one `tile<i32>`
    index per dimension. Every extent of the destination is a multiple of the source's. Since 13.4.

    ```mlir
    // $ tileiras-run insert.mlir
    // [0, 1, 2, 3, 70, 71, 6, 7]
    cuda_tile.module @kernels {
      entry @example() {
        %i = iota : tile<8xi32>
        %new = constant <i32: [70, 71]> : tile<2xi32>
        %two = constant <i32: 2> : tile<i32>
        %r = insert %new, %i[%two] : tile<2xi32>, tile<8xi32>
        %t = print_tko "%d\n", %r : tile<8xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Tile:$source, CudaTile_Tile:$destination, Variadic<CudaTile_I32Scalar>:$indices);
  let results = (outs CudaTile_Tile:$result);
  let assemblyFormat = [{
    $source `,` $destination `` custom<BlockIndices>($indices, type($indices)) attr-dict
    `:` custom<CudaTileType>(type($source)) `,` custom<CudaTileType>(type($destination))
  }];
  let hasVerifier = 1;
}

def CudaTile_SelectOp : CudaTile_Op<"select", [Pure, Elementwise, AllTypesMatch<["val_if_true", "val_if_false", "result"]>,
    AllShapesMatch<["cond", "val_if_true", "val_if_false", "result"]>]> {
  let summary = "Chooses between two tiles, element by element";
  let description = [{
    Element i is that of the first value where the condition is true, else that of the second. Both values are
    computed either way; `if` is the operation that leaves one out.

    Element types: all but f4E2M1FN ("cannot operate on sub-byte type F4E2M1FN"), pointers too; both values and the
    result have one type, the condition is i1 of the same shape. Since 13.1.

    ```mlir
    // $ tileiras-run select.mlir
    // [1, 20, 3, 40]
    cuda_tile.module @kernels {
      entry @example() {
        %c = constant <i1: [true, false, true, false]> : tile<4xi1>
        %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
        %b = constant <i32: [10, 20, 30, 40]> : tile<4xi32>
        %r = select %c, %a, %b : tile<4xi1>, tile<4xi32>
        %t = print_tko "%d\n", %r : tile<4xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Bool:$cond, CudaTile_Tile:$val_if_true, CudaTile_Tile:$val_if_false);
  let results = (outs CudaTile_Tile:$result);
  let assemblyFormat = [{
    $cond `,` $val_if_true `,` $val_if_false attr-dict `:` custom<CudaTileType>(type($cond)) `,`
    custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Pointers and bytes
//===----------------------------------------------------------------------===//

def CudaTile_OffsetOp : CudaTile_Op<"offset", [Pure, Elementwise, SameOperandsAndResultShape,
    AllTypesMatch<["result", "ptr"]>]> {
  let summary = "Pointer arithmetic";
  let description = [{
    Every pointer moved by a *signed* number of pointees: the address grows by offset times the pointee's size in
    bytes (i1 takes one byte). Nothing is accessed.

    Pointers: any pointee; offsets: i1, i8, i16, i32, i64; equal shapes; the result has the type of the pointers.
    Since 13.1.

    ```mlir
    // $ tileiras-run offset.mlir 'x:i32[8]=iota(lo=100)'
    // [107, 105, 103, 101]
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<i32>>) {
        %seven = constant <i32: 7> : tile<i32>
        %last = offset %x, %seven : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %l1 = reshape %last : tile<ptr<i32>> -> tile<1xptr<i32>>
        %l4 = broadcast %l1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
        %back = constant <i16: [0, -2, -4, -6]> : tile<4xi16>
        %p = offset %l4, %back : tile<4xptr<i32>>, tile<4xi16> -> tile<4xptr<i32>>
        %v, %t0 = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token
        %t1 = print_tko "%d\n", %v : tile<4xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Ptr:$ptr, CudaTile_Int:$offset);
  let results = (outs CudaTile_Ptr:$result);
  let assemblyFormat = [{
    $ptr `,` $offset attr-dict `:` custom<CudaTileType>(type($ptr)) `,` custom<CudaTileType>(type($offset)) `->`
    custom<CudaTileType>(type($result))
  }];
}

class PackBase<string mnemonic, TypeConstraint from, TypeConstraint to> : CudaTile_Op<mnemonic, [Pure]> {
  let arguments = (ins from:$source);
  let results = (outs to:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<CudaTileType>(type($source)) `->` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_PackOp : PackBase<"pack", CudaTile_NumberOrI4, CudaTile_I8> {
  let summary = "Numbers to the bytes that store them";
  let description = [{
    The memory image of the elements: little endian, 4-bit elements two to a byte with the first in the low half,
    tf32 in four bytes. Only i1 is denser than in memory: eight to a byte, the first in the lowest bit.

    Source: any number type, i4 too; result: i8; both of rank 1, with different widths ("expects source and result
    to have different element type widths") and the same number of bytes ("expects source and result to have the
    same size in bytes, but got .."). Since 13.3.

    ```mlir
    // $ tileiras-run pack.mlir
    // [1, 2, 3, 4] [21, 43] [8d]
    cuda_tile.module @kernels {
      entry @example() {
        %w = constant <i32: 0x04030201> : tile<1xi32>
        %b = pack %w : tile<1xi32> -> tile<4xi8>
        %i = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
        %n = trunci %i : tile<4xi32> -> tile<4xi4>
        %h = pack %n : tile<4xi4> -> tile<2xi8>
        %s = constant <i1: [true, false, true, true, false, false, false, true]> : tile<8xi1>
        %m = pack %s : tile<8xi1> -> tile<1xi8>
        %t = print_tko "%x %x %x\n", %b, %h, %m : tile<4xi8>, tile<2xi8>, tile<1xi8> -> token
      }
    }
    ```
  }];
}

def CudaTile_UnpackOp : PackBase<"unpack", CudaTile_I8, CudaTile_NumberOrI4> {
  let summary = "Bytes to the numbers they store";
  let description = [{
    Reads bytes as the memory image of other elements, the inverse of `pack`: little endian, 4-bit elements two to a
    byte with the first in the low half, i1 eight to a byte with the first in the lowest bit.

    Source: i8; result: any number type, i4 too; both of rank 1, with different widths and the same number of bytes
    (errors as of `pack`). Since 13.3.

    ```mlir
    // $ tileiras-run unpack.mlir
    // 1 [1, 2, 3, -4] [1, 0, 1, 1, 0, 0, 0, 1]
    cuda_tile.module @kernels {
      entry @example() {
        %b = constant <i8: [0, 0, 0x80, 0x3F]> : tile<4xi8>
        %f = unpack %b : tile<4xi8> -> tile<1xf32>
        %f0 = reshape %f : tile<1xf32> -> tile<f32>
        %h = constant <i8: [0x21, 0xC3]> : tile<2xi8>
        %n = unpack %h : tile<2xi8> -> tile<4xi4>
        %i = exti %n signed : tile<4xi4> -> tile<4xi32>
        %m = constant <i8: 0x8D> : tile<1xi8>
        %s = unpack %m : tile<1xi8> -> tile<8xi1>
        %t = print_tko "%g %d %u\n", %f0, %i, %s : tile<f32>, tile<4xi32>, tile<8xi1> -> token
      }
    }
    ```
  }];
}

} // opDocGroup

#endif
