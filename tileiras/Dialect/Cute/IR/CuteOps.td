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

def Cute_MakeLayoutRawOp : Cute_AlgebraOp<"make_layout_raw", "layout of a shape and a stride">;
def Cute_MakeIdentityTensorOp : Cute_AlgebraOp<"make_identity_tensor", "tensor of the coordinates of a shape">;
def Cute_TiledCopyRetileOp : Cute_AlgebraOp<"tiled.copy.retile", "a thread's fragment, (values, M, N) of a product, as the copy has it: (values, M, N)">;

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

class Cute_CompareOp<string mnemonic, string what> : Cute_Op<mnemonic, [Pure]> {
  let summary = what;
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "`(` $lhs `,` $rhs `)` attr-dict `:` type($lhs) `,` type($rhs)";
  let hasVerifier = 1;
}
def Cute_EqualOp : Cute_CompareOp<"equal", "whether two tuples or layouts have the same numbers">;
def Cute_TupleEqOp : Cute_CompareOp<"tuple_eq", "whether two tuples have the same numbers">;

def Cute_DerefineOp : Cute_Op<"derefine", [Pure]> {
  let summary = "the same value, of which the type says less: ? where it had a number";
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`(` $value `)` attr-dict `:` functional-type($value, $result)";
  let hasVerifier = 1;
}

def Cute_GetLayoutsFromTileOp : Cute_Op<"get_layouts_from_tile", [Pure]> {
  let summary = "the layouts of a tiler, one for each mode";
  let arguments = (ins Cute_TileType:$tile);
  let results = (outs Variadic<Cute_LayoutType>:$layouts);
  let assemblyFormat = "`(` $tile `)` attr-dict `:` functional-type($tile, $layouts)";
  let hasVerifier = 1;
}

class Cute_DivmodOp<string mnemonic, string what> : Cute_Op<"fast_divmod." # mnemonic, [Pure]> {
  let summary = what;
}
def Cute_CreateDivisorOp : Cute_DivmodOp<"create_divisor", "prepares division by a positive i32"> {
  let arguments = (ins I32:$divisor);
  let results = (outs Cute_FastDivmodDivisorType:$result);
  let assemblyFormat = "`(` $divisor `)` attr-dict `:` type($result)";
}
def Cute_MakeDivisorOp : Cute_DivmodOp<"make_divisor", "a divisor prepared elsewhere: what create_divisor computes"> {
  let description = [{
    For d with l = ceil(log2 d): multiplier = floor(2^32 (2^l - d) / d) + 1, shift1 = min(l, 1), shift2 = max(l - 1, 0).
  }];
  let arguments = (ins I32:$divisor, I32:$multiplier, I32:$shift1, I32:$shift2);
  let results = (outs Cute_FastDivmodDivisorType:$result);
  let assemblyFormat = "`(` operands `)` attr-dict `:` type($result)";
}
def Cute_GetDivisorOp : Cute_DivmodOp<"get_divisor", "the number that a divisor divides by"> {
  let arguments = (ins Cute_FastDivmodDivisorType:$divisor);
  let results = (outs I32:$result);
  let assemblyFormat = "`(` $divisor `)` attr-dict `:` type($divisor)";
}
def Cute_DivideOp : Cute_DivmodOp<"divide", "quotient and remainder of an unsigned i32"> {
  let arguments = (ins I32:$dividend, Cute_FastDivmodDivisorType:$divisor);
  let results = (outs I32:$quotient, I32:$remainder);
  let assemblyFormat = "`(` $dividend `,` $divisor `)` attr-dict `:` type($divisor)";
}

def Cute_MakeDescIterOp : Cute_Op<"make_desc_iter", [Pure]> {
  let summary = "what wgmma is told of a matrix in shared memory";
  let arguments = (ins Cute_MemRefType:$source);
  let results = (outs Cute_DescIterType:$result);
  let description = [{ The first mode of the source is the matrix of one instruction, (rows or columns, k), as `tiled.mma.partition` gives it. }];
  let assemblyFormat = "`(` $source `)` attr-dict `:` functional-type($source, $result)";
  let hasVerifier = 1;
}
def Cute_DerefDescIterOp : Cute_Op<"deref_desc_iter", [Pure]> {
  let summary = "the 64-bit matrix descriptor";
  let arguments = (ins Cute_DescIterType:$iterator);
  let results = (outs I64:$result);
  let assemblyFormat = "`(` $iterator `)` attr-dict `:` type($iterator)";
}

def Cute_PrintOp : Cute_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "prints values of cute and numbers, by printf";
  let arguments = (ins StrAttr:$text, Variadic<AnyType>:$values);
  let description = [{
    The text is followed by the values: `cute.print("tile", %layout) : !cute.layout<"(?,4):(4,1)">` prints `tile (12,4):(4,1)`.
  }];
  let assemblyFormat = "`(` $text (`,` $values^)? `)` attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}
class Cute_PrintDescOp<string mnemonic> : Cute_Op<mnemonic, [MemoryEffects<[MemWrite]>]> {
  let summary = "prints the 128 bytes of a tensor map, four words in a line";
  let arguments = (ins AnyType:$descriptor);
  let assemblyFormat = "`(` $descriptor `)` attr-dict `:` type($descriptor)";
}
def Cute_PrintTmaDescTiledOp : Cute_PrintDescOp<"print_tma_desc_tiled">;
def Cute_PrintTmaDescIm2colOp : Cute_PrintDescOp<"print_tma_desc_im2col">;

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

def Cute_MemRefStoreVecOp : Cute_Op<"memref.store_vec"> {
  let summary = "stores a vector, element i to element i";
  let arguments = (ins Arg<Cute_MemRefType, "", [MemWrite]>:$target, AnyType:$value);
  let assemblyFormat = "`(` $target `,` $value `)` attr-dict `:` type($target) `,` type($value)";
  let hasVerifier = 1;
}

def Cute_PtrStoreOp : Cute_Op<"ptr.store"> {
  let summary = "stores one element";
  let arguments = (ins Arg<Cute_PtrType, "", [MemWrite]>:$target, AnyType:$value);
  let assemblyFormat = "`(` $target `,` $value `)` attr-dict `:` type($target) `,` type($value)";
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

class Cute_MakeTiledOp<string mnemonic, string what, Type type> : Cute_Op<mnemonic, [Pure]> {
  let summary = what;
  let arguments = (ins AnyType:$atom);
  let results = (outs type:$result);
  let assemblyFormat = "`(` $atom `)` attr-dict `:` functional-type($atom, $result)";
  let hasVerifier = 1;
}
def Cute_MakeTiledCopyOp : Cute_MakeTiledOp<"make_tiled_copy", "copy atoms side by side", Cute_TiledCopyType>;
def Cute_MakeTiledMmaOp : Cute_MakeTiledOp<"make_tiled_mma", "mma atoms side by side", Cute_TiledMmaType>;

def Cute_MakeSwizzleOp : Cute_Op<"make_swizzle", [Pure]> {
  let summary = "a swizzle: all of it is in the type";
  let results = (outs Cute_SwizzleType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

class Cute_PrefetchLikeOp<string mnemonic, string what> : Cute_Op<mnemonic> {
  let summary = what;
  let arguments = (ins AnyType:$atom, Arg<AnyType, "", [MemRead, MemWrite]>:$source);
  let assemblyFormat = "`(` $atom `,` $source `)` attr-dict `:` type($atom) `,` type($source)";
  let hasVerifier = 1;
}
def Cute_PrefetchOp : Cute_PrefetchLikeOp<"prefetch", "fetches a tensor in global memory into L2, by a copy atom or a TMA load">;
def Cute_PrefetchAtomCallOp : Cute_PrefetchLikeOp<"prefetch_atom_call", "fetches what one copy of an atom reads into L2">;

def Cute_CopyOp : Cute_Op<"copy"> {
  let summary = "copies a tensor by a copy atom, element i to element i";
  let arguments = (ins AnyType:$atom, Arg<AnyType, "", [MemRead]>:$source,
                       Arg<AnyType, "", [MemWrite]>:$target);
  let assemblyFormat = "`(` $atom `,` $source `,` $target `)` attr-dict `:` type($atom) `,` type($source) `,` type($target)";
  let hasVerifier = 1;
}

def Cute_GemmOp : Cute_Op<"gemm", [AttrSizedOperandSegments]> {
  let summary = "D = A * B + C on fragments: D and C (values, M, N), A (values, M, K), B (values, N, K)";
  let description = [{
    `scaled by` the scales of A and B, `stored by` words that say which elements of A there are. Sums in tensor memory are added to
    where they are, so D is C, `if` a flag says so, and are overwritten if it says no; one thread executes the operation, and what waits for
    it is an mbarrier that the thread commits it to (nvvm.tcgen05.commit).
  }];
  let arguments = (ins AnyType:$atom, Arg<Cute_MemRefType, "", [MemWrite]>:$d, Arg<Cute_MemRefType, "", [MemRead]>:$a,
                       Arg<Cute_MemRefType, "", [MemRead]>:$b, Arg<Cute_MemRefType, "", [MemRead]>:$c,
                       Arg<Variadic<Cute_MemRefType>, "of A and B", [MemRead]>:$scales,
                       Arg<Optional<Cute_MemRefType>, "which elements of A are stored", [MemRead]>:$metadata,
                       Optional<I1>:$accumulate);
  let assemblyFormat = [{ `(` $atom `,` $d `,` $a `,` $b `,` $c (`scaled` `by` $scales^)? (`stored` `by` $metadata^)?
                          (`if` $accumulate^)? `)` attr-dict `:` type($atom) `,` type($d) `,` type($a) `,` type($b) `,` type($c)
                          (`scaled` `by` type($scales)^)? (`stored` `by` type($metadata)^)? }];
  let hasVerifier = 1;
}

def Cute_CopyAtomCallOp : Cute_Op<"copy_atom_call"> {
  let summary = "one copy of an atom, as many elements as it has bits";
  let arguments = (ins AnyType:$atom, Arg<AnyType, "", [MemRead]>:$source,
                       Arg<AnyType, "", [MemWrite]>:$target);
  let assemblyFormat = "`(` $atom `,` $source `,` $target `)` attr-dict `:` type($atom) `,` type($source) `,` type($target)";
  let hasVerifier = 1;
}

def Cute_MmaAtomCallOp : Cute_Op<"mma_atom_call", [AttrSizedOperandSegments]> {
  let summary = "one product of an atom: D = A * B + C on the values of a thread";
  let arguments = (ins AnyType:$atom, Arg<Cute_MemRefType, "", [MemWrite]>:$d, Arg<Cute_MemRefType, "", [MemRead]>:$a,
                       Arg<Cute_MemRefType, "", [MemRead]>:$b, Arg<Cute_MemRefType, "", [MemRead]>:$c,
                       Arg<Variadic<Cute_MemRefType>, "of A and B", [MemRead]>:$scales,
                       Arg<Optional<Cute_MemRefType>, "which elements of A are stored", [MemRead]>:$metadata,
                       Optional<I1>:$accumulate);
  let assemblyFormat = [{ `(` $atom `,` $d `,` $a `,` $b `,` $c (`scaled` `by` $scales^)? (`stored` `by` $metadata^)?
                          (`if` $accumulate^)? `)` attr-dict `:` type($atom) `,` type($d) `,` type($a) `,` type($b) `,` type($c)
                          (`scaled` `by` type($scales)^)? (`stored` `by` type($metadata)^)? }];
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_CUTE_IR_CUTEOPS_TD
