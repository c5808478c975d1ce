//===- CuteOps.td - Operations of cute ----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUTE_IR_CUTEOPS_TD
#define TILEIRAS_DIALECT_CUTE_IR_CUTEOPS_TD

include "tileiras/Dialect/Cute/IR/Cute.td"

/// The result type is what Evaluate.h computes from the operands.
def Cute_Evaluated : NativeOpTrait<"cute::Evaluated"> {
  let cppNamespace = "::mlir::OpTrait";
}

class Cute_Op<string mnemonic, list<Trait> traits = []> : Op<Cute_Dialect, mnemonic, traits>;

class Cute_AlgebraOp<string mnemonic, string what, dag extra = (ins)> : Cute_Op<mnemonic, [Pure, Cute_Evaluated]> {
  let summary = what;
  let arguments = !con((ins Variadic<AnyType>:$inputs), extra);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`(` $inputs `)` attr-dict `:` functional-type($inputs, $result)";
}

def Cute_MakeShapeOp : Cute_AlgebraOp<"make_shape", "shape of integers and shapes; a `?` of the result may promise a divisor">;
def Cute_MakeStrideOp : Cute_AlgebraOp<"make_stride", "stride of integers and strides">;
def Cute_MakeCoordOp : Cute_AlgebraOp<"make_coord", "coordinate of integers and coordinates">;
def Cute_MakeIntTupleOp : Cute_AlgebraOp<"make_int_tuple", "tuple of integers and tuples">;
def Cute_MakeTupleOp : Cute_AlgebraOp<"make_tuple", "tuple of integers and tuples">;
def Cute_ToIntTupleOp : Cute_AlgebraOp<"to_int_tuple", "a shape, stride or coordinate as a tuple of integers">;
def Cute_MakeTileOp : Cute_AlgebraOp<"make_tile", "tiler of layouts, shapes and tilers, one for each mode">;
def Cute_MakeLayoutOp : Cute_AlgebraOp<"make_layout", "layout of a shape and a stride, compact without one">;
def Cute_MakeIdentityLayoutOp : Cute_AlgebraOp<"make_identity_layout", "layout whose values are its coordinates">;
def Cute_MakeOrderedLayoutOp : Cute_AlgebraOp<"make_ordered_layout", "compact layout of a shape with its modes in the given order">;
def Cute_MakeComposedLayoutOp : Cute_AlgebraOp<"make_composed_layout", "swizzle o offset o layout">;
def Cute_GetShapeOp : Cute_AlgebraOp<"get_shape", "shape of a layout or tensor">;
def Cute_GetStrideOp : Cute_AlgebraOp<"get_stride", "stride of a layout or tensor">;
def Cute_GetLayoutOp : Cute_AlgebraOp<"get_layout", "layout of a tensor">;
def Cute_GetIterOp : Cute_AlgebraOp<"get_iter", "address of a tensor">;
def Cute_SizeOp : Cute_AlgebraOp<"size", "number of elements, of all or of one mode", (ins OptionalAttr<I64Attr>:$mode)>;
def Cute_CosizeOp : Cute_AlgebraOp<"cosize", "largest offset plus one">;
def Cute_Crd2IdxOp : Cute_AlgebraOp<"crd2idx", "offset of a coordinate">;
def Cute_SliceOp : Cute_AlgebraOp<"slice", "modes of a layout or tensor where the coordinate is _, at the rest of it">;
def Cute_SelectOp : Cute_AlgebraOp<"select", "some modes, in the given order", (ins DenseI64ArrayAttr:$modes)>;
def Cute_GroupModesOp : Cute_AlgebraOp<"group_modes", "modes begin..end-1 as one", (ins I64Attr:$begin, I64Attr:$end)>;
def Cute_CoalesceOp : Cute_AlgebraOp<"coalesce", "as few modes as possible, of the whole or by a profile">;
def Cute_FilterZerosOp : Cute_AlgebraOp<"filter_zeros", "modes of stride 0 shrink to one element">;
def Cute_CompositionOp : Cute_AlgebraOp<"composition", "the first after the second">;
def Cute_ComplementOp : Cute_AlgebraOp<"complement", "what a layout leaves out of so many offsets">;
def Cute_RightInverseOp : Cute_AlgebraOp<"right_inverse", "the coordinate of each offset">;
def Cute_LeftInverseOp : Cute_AlgebraOp<"left_inverse", "the coordinate of each value, of injective layouts">;
def Cute_RecastLayoutOp : Cute_AlgebraOp<"recast_layout", "elements of `from` bits seen as elements of `to` bits", (ins I64Attr:$from, I64Attr:$to)>;
def Cute_LogicalDivideOp : Cute_AlgebraOp<"logical_divide", "every divided mode becomes (tile, rest)">;
def Cute_ZippedDivideOp : Cute_AlgebraOp<"zipped_divide", "((tiles), (rests))">;
def Cute_TiledDivideOp : Cute_AlgebraOp<"tiled_divide", "((tiles), rest, ...)">;
def Cute_FlatDivideOp : Cute_AlgebraOp<"flat_divide", "(tile, ..., rest, ...)">;
def Cute_StencilDivideOp : Cute_AlgebraOp<"stencil_divide", "overlapping windows: of a layout, by window and strides">;
def Cute_LogicalProductOp : Cute_AlgebraOp<"logical_product", "(layout, copies in the order of the second)">;
def Cute_ZippedProductOp : Cute_AlgebraOp<"zipped_product", "((layouts), (copies))">;
def Cute_TiledProductOp : Cute_AlgebraOp<"tiled_product", "((layouts), copies, ...)">;
def Cute_FlatProductOp : Cute_AlgebraOp<"flat_product", "(layout, ..., copies, ...)">;
def Cute_BlockedProductOp : Cute_AlgebraOp<"blocked_product", "mode by mode (element, block)">;
def Cute_RakedProductOp : Cute_AlgebraOp<"raked_product", "mode by mode (block, element)">;
def Cute_TileToShapeOp : Cute_AlgebraOp<"tile_to_shape", "the layout repeated over a shape">;
def Cute_ShapeDivOp : Cute_AlgebraOp<"shape_div", "exact division of shapes">;
def Cute_CeilDivOp : Cute_AlgebraOp<"ceil_div", "division rounded up, mode by mode">;
def Cute_TupleAddOp : Cute_AlgebraOp<"tuple_add", "sum, element by element">;
def Cute_TupleSubOp : Cute_AlgebraOp<"tuple_sub", "difference, element by element">;
def Cute_TupleMulOp : Cute_AlgebraOp<"tuple_mul", "product, element by element">;
def Cute_TupleDivOp : Cute_AlgebraOp<"tuple_div", "quotient, element by element">;
def Cute_TupleModOp : Cute_AlgebraOp<"tuple_mod", "remainder, element by element">;
def Cute_MakeViewOp : Cute_AlgebraOp<"make_view", "tensor of an address and a layout">;
def Cute_RecastIterOp : Cute_AlgebraOp<"recast_iter", "an address of elements of another type", (ins TypeAttr:$element)>;
def Cute_AddOffsetOp : Cute_AlgebraOp<"add_offset", "an address so many elements further">;
def Cute_LocalTileOp : Cute_AlgebraOp<"local_tile", "tiles of a tensor, at a coordinate of tiles">;
def Cute_LocalPartitionOp : Cute_AlgebraOp<"local_partition", "what a thread has of a tensor that a layout of threads covers">;
def Cute_TiledCopyPartitionSOp : Cute_AlgebraOp<"tiled.copy.partition_S", "what a thread reads of a tensor: (values, tiles, ...)">;
def Cute_TiledCopyPartitionDOp : Cute_AlgebraOp<"tiled.copy.partition_D", "what a thread writes">;
def Cute_TiledMmaPartitionShapeOp : Cute_AlgebraOp<"tiled.mma.partition_shape", "shape of what a thread has of operand A, B or C of this shape", (ins StrAttr:$operand)>;
def Cute_TiledMmaPartitionOp : Cute_AlgebraOp<"tiled.mma.partition", "what a thread has of operand A, B or C: (values, M, K), (values, N, K), (values, M, N)", (ins StrAttr:$operand)>;

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

def Cute_StaticOp : Cute_Op<"static", [Pure]> {
  let summary = "a value of which all is known";
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Cute_UnpackTupleOp : Cute_Op<"unpack_tuple", [Pure]> {
  let summary = "the integers of a tuple, flat";
  let arguments = (ins AnyType:$tuple);
  let results = (outs Variadic<AnySignlessInteger>:$values);
  let assemblyFormat = "`(` $tuple `)` attr-dict `:` functional-type($tuple, $values)";
  let hasVerifier = 1;
}

def Cute_IntToPtrOp : Cute_Op<"inttoptr", [Pure]> {
  let summary = "an address from an integer or an LLVM pointer";
  let arguments = (ins AnyType:$address);
  let results = (outs Cute_PtrType:$result);
  let assemblyFormat = "`(` $address `)` attr-dict `:` functional-type($address, $result)";
  let hasVerifier = 1;
}

def Cute_PtrToIntOp : Cute_Op<"ptrtoint", [Pure]> {
  let summary = "an address as i64";
  let arguments = (ins Cute_PtrType:$pointer);
  let results = (outs I64:$result);
  let assemblyFormat = "`(` $pointer `)` attr-dict `:` functional-type($pointer, $result)";
}

class Cute_AllocOp<string mnemonic, string what> : Cute_Op<mnemonic, [MemoryEffects<[MemAlloc]>]> {
  let summary = what;
  let results = (outs Res<Cute_MemRefType, "", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def Cute_MemRefAllocaOp : Cute_AllocOp<"memref.alloca", "a tensor in registers (rmem), of static layout">;
def Cute_MemRefAllocSmemOp : Cute_AllocOp<"memref.alloc_smem", "a tensor in shared memory, of static layout">;

def Cute_MakeFragmentLikeOp : Cute_Op<"make_fragment_like", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a compact tensor in registers of the shape of another";
  let arguments = (ins Cute_MemRefType:$source);
  let results = (outs Res<Cute_MemRefType, "", [MemAlloc]>:$result);
  let assemblyFormat = "`(` $source `)` attr-dict `:` functional-type($source, $result)";
  let hasVerifier = 1;
}

def Cute_MemRefLoadOp : Cute_Op<"memref.load"> {
  let summary = "the element at a coordinate";
  let arguments = (ins Arg<Cute_MemRefType, "", [MemRead]>:$source, AnyType:$coord);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`(` $source `,` $coord `)` attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

def Cute_MemRefStoreOp : Cute_Op<"memref.store"> {
  let summary = "stores an element at a coordinate";
  let arguments = (ins Arg<Cute_MemRefType, "", [MemWrite]>:$target, AnyType:$coord, AnyType:$value);
  let assemblyFormat = "`(` $target `,` $coord `,` $value `)` attr-dict `:` type($target) `,` type($coord) `,` type($value)";
  let hasVerifier = 1;
}

def Cute_FillOp : Cute_Op<"memref.fill"> {
  let summary = "stores a value in every element of a tensor of static shape";
  let arguments = (ins Arg<Cute_MemRefType, "", [MemWrite]>:$target, AnyType:$value);
  let assemblyFormat = "`(` $target `,` $value `)` attr-dict `:` type($target) `,` type($value)";
  let hasVerifier = 1;
}

def Cute_MakeAtomOp : Cute_Op<"make_atom", [Pure]> {
  let summary = "an atom, a tiled copy or a tiled mma: all of it is in the type";
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Cute_CopyOp : Cute_Op<"copy"> {
  let summary = "copies a tensor by a copy atom, element i to element i";
  let arguments = (ins AnyType:$atom, Arg<Cute_MemRefType, "", [MemRead]>:$source,
                       Arg<Cute_MemRefType, "", [MemWrite]>:$target);
  let assemblyFormat = "`(` $atom `,` $source `,` $target `)` attr-dict `:` type($atom) `,` type($source) `,` type($target)";
  let hasVerifier = 1;
}

def Cute_GemmOp : Cute_Op<"gemm"> {
  let summary = "D = A * B + C on fragments: D and C (values, M, N), A (values, M, K), B (values, N, K)";
  let arguments = (ins AnyType:$atom, Arg<Cute_MemRefType, "", [MemWrite]>:$d, Arg<Cute_MemRefType, "", [MemRead]>:$a,
                       Arg<Cute_MemRefType, "", [MemRead]>:$b, Arg<Cute_MemRefType, "", [MemRead]>:$c);
  let assemblyFormat = [{ `(` $atom `,` $d `,` $a `,` $b `,` $c `)` attr-dict `:` type($atom) `,` type($d) `,` type($a)
                          `,` type($b) `,` type($c) }];
  let hasVerifier = 1;
}

def Cute_CopyAtomCallOp : Cute_Op<"copy_atom_call"> {
  let summary = "one copy of an atom, as many elements as it has bits";
  let arguments = (ins AnyType:$atom, Arg<Cute_MemRefType, "", [MemRead]>:$source,
                       Arg<Cute_MemRefType, "", [MemWrite]>:$target);
  let assemblyFormat = "`(` $atom `,` $source `,` $target `)` attr-dict `:` type($atom) `,` type($source) `,` type($target)";
  let hasVerifier = 1;
}

def Cute_MmaAtomCallOp : Cute_Op<"mma_atom_call"> {
  let summary = "one product of an atom: D = A * B + C on the values of a thread";
  let arguments = (ins AnyType:$atom, Arg<Cute_MemRefType, "", [MemWrite]>:$d, Arg<Cute_MemRefType, "", [MemRead]>:$a,
                       Arg<Cute_MemRefType, "", [MemRead]>:$b, Arg<Cute_MemRefType, "", [MemRead]>:$c);
  let assemblyFormat = [{ `(` $atom `,` $d `,` $a `,` $b `,` $c `)` attr-dict `:` type($atom) `,` type($d) `,` type($a)
                          `,` type($b) `,` type($c) }];
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_CUTE_IR_CUTEOPS_TD
