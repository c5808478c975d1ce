//===- CuteNvgpuOps.td - Operations of cute_nvgpu -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Instructions on addresses, and atoms that carry values. Atoms of which all is in the type are made by cute.make_atom
// and executed by cute.copy and cute.gemm.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUTE_IR_CUTENVGPUOPS_TD
#define TILEIRAS_DIALECT_CUTE_IR_CUTENVGPUOPS_TD

include "tileiras/Dialect/Cute/IR/Cute.td"

class CuteNvgpu_Op<string mnemonic, list<Trait> traits = []> : Op<CuteNvgpu_Dialect, mnemonic, traits>;

class CuteNvgpu_AllocOp<string mnemonic, string what> : CuteNvgpu_Op<mnemonic, [MemoryEffects<[MemAlloc]>]> {
  let summary = what;
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$elements);
  let results = (outs Res<Cute_PtrType, "", [MemAlloc]>:$result);
  let assemblyFormat = "$elements attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def CuteNvgpu_AllocRmemOp : CuteNvgpu_AllocOp<"arch.alloc_rmem", "so many elements in registers">;
def CuteNvgpu_AllocSmemOp : CuteNvgpu_AllocOp<"arch.alloc_smem", "so many elements in shared memory">;

def CuteNvgpu_GetDynSmemOp : CuteNvgpu_Op<"arch.get_dyn_smem", [Pure]> {
  let summary = "where dynamic shared memory begins";
  let results = (outs Cute_PtrType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def CuteNvgpu_GetDynSmemSizeOp : CuteNvgpu_Op<"arch.get_dyn_smem_size", [Pure]> {
  let summary = "bytes of dynamic shared memory that the launch asked for";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def CuteNvgpu_MakeWarpUniformOp : CuteNvgpu_Op<"arch.make_warp_uniform"> {
  let summary = "the value of the warp's first lane, in all of them; every lane executes it";
  let arguments = (ins I32:$value);
  let results = (outs I32:$result);
  let assemblyFormat = "`(` $value `)` attr-dict `:` type($result)";
}

class CuteNvgpu_PrefetchDescOp<string mnemonic> : CuteNvgpu_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "fetches a tensor map into its cache (sm_90 and later)";
  let arguments = (ins AnyType:$descriptor);
  let assemblyFormat = "`(` $descriptor `)` attr-dict `:` type($descriptor)";
}
def CuteNvgpu_ArchPrefetchTmaDescOp : CuteNvgpu_PrefetchDescOp<"arch.prefetch_tma_desc">;
def CuteNvgpu_PrefetchTmaDescOp : CuteNvgpu_PrefetchDescOp<"prefetch_tma_desc">;

def CuteNvgpu_ArchLdsmOp : CuteNvgpu_Op<"arch.copy.ldsm"> {
  let summary = "ldmatrix: each lane gives the address of a row of eight 16-bit elements and gets one word of each matrix";
  let arguments = (ins Arg<Cute_PtrType, "", [MemRead]>:$source, UnitAttr:$transposed);
  let results = (outs Variadic<I32>:$words);
  let assemblyFormat = "`(` $source `)` (`trans` $transposed^)? attr-dict `:` functional-type($source, $words)";
  let hasVerifier = 1;
}
def CuteNvgpu_ArchStsmOp : CuteNvgpu_Op<"arch.copy.stsm"> {
  let summary = "stmatrix (sm_90 and later)";
  let arguments = (ins Arg<Cute_PtrType, "", [MemWrite]>:$target, Variadic<I32>:$words, UnitAttr:$transposed);
  let assemblyFormat = "`(` $target `,` $words `)` (`trans` $transposed^)? attr-dict `:` type($target)";
  let hasVerifier = 1;
}
def CuteNvgpu_ArchCpAsyncOp : CuteNvgpu_Op<"arch.copy.SM80.cp_async"> {
  let summary = "cp.async of 4, 8 or 16 bytes from global to shared memory";
  let arguments = (ins Arg<Cute_PtrType, "", [MemWrite]>:$target, Arg<Cute_PtrType, "", [MemRead]>:$source, I64Attr:$bytes);
  let assemblyFormat = "`(` $target `,` $source `)` $bytes attr-dict `:` type($target) `,` type($source)";
  let hasVerifier = 1;
}

class CuteNvgpu_ExecTmaOp<string mnemonic, string what, Type type, dag more> : CuteNvgpu_Op<mnemonic, [Pure]> {
  let summary = what;
  let arguments = !con((ins AnyType:$descriptor), more);
  let results = (outs type:$result);
}
def CuteNvgpu_AtomTmaLoadOp : CuteNvgpu_ExecTmaOp<"atom.tma_load", "a TMA load: the address of its tensor map, its mbarrier in shared memory",
                                                  CuteNvgpu_TmaLoadType, (ins Cute_PtrType:$barrier)> {
  let assemblyFormat = "`(` $descriptor `,` $barrier `)` attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}
def CuteNvgpu_AtomTmaStoreOp : CuteNvgpu_ExecTmaOp<"atom.tma_store", "a TMA store: the address of its tensor map",
                                                   CuteNvgpu_TmaStoreType, (ins)> {
  let assemblyFormat = "`(` $descriptor `)` attr-dict `:` functional-type(operands, $result)";
}

def CuteNvgpu_AtomTmaReduceOp : CuteNvgpu_ExecTmaOp<"atom.tma_reduce", "a reduction by TMA: the address of its tensor map",
                                                    CuteNvgpu_TmaReduceType, (ins)> {
  let assemblyFormat = "`(` $descriptor `)` attr-dict `:` functional-type(operands, $result)";
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

def CuteNvgpu_AllocTmemOp : CuteNvgpu_Op<"arch.sm100.alloc_tmem"> {
  let summary = "tcgen05.alloc by one warp: so many columns (a power of two from 32 to 512), whose address is put into shared memory";
  let description = [{
    `two_cta`: a warp of each of two blocks executes it, and both get the same columns (.cta_group::2). What a kernel allocates so it gives back so.
  }];
  let arguments = (ins I32:$columns, Arg<Cute_PtrType, "", [MemWrite]>:$slot, UnitAttr:$two_cta);
  let assemblyFormat = "`(` $columns `,` $slot `)` (`two_cta` $two_cta^)? attr-dict `:` type($slot)";
  let hasVerifier = 1;
}
def CuteNvgpu_RetrieveTmemPtrOp : CuteNvgpu_Op<"arch.sm100.retrieve_tmem_ptr"> {
  let summary = "the address that alloc_tmem put into shared memory";
  let arguments = (ins Arg<Cute_PtrType, "", [MemRead]>:$slot);
  let results = (outs Cute_PtrType:$result);
  let assemblyFormat = "`(` $slot `)` attr-dict `:` functional-type($slot, $result)";
  let hasVerifier = 1;
}
def CuteNvgpu_DeallocTmemOp : CuteNvgpu_Op<"arch.sm100.dealloc_tmem", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "tcgen05.dealloc by one warp";
  let arguments = (ins Cute_PtrType:$address, I32:$columns, UnitAttr:$two_cta);
  let assemblyFormat = "`(` $address `,` $columns `)` (`two_cta` $two_cta^)? attr-dict `:` type($address)";
  let hasVerifier = 1;
}
def CuteNvgpu_RelinquishTmemAllocPermitOp
    : CuteNvgpu_Op<"arch.sm100.relinquish_tmem_alloc_permit", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "tcgen05.relinquish_alloc_permit: the block will not allocate again";
  let arguments = (ins UnitAttr:$two_cta);
  let assemblyFormat = "(`two_cta` $two_cta^)? attr-dict";
}

def CuteNvgpu_ArchTmemLoadOp : CuteNvgpu_Op<"arch.copy.SM100.tmem_load"> {
  let summary = "tcgen05.ld .32x32b: as many neighbouring columns as words, of the lane's row; the address is the first lane's";
  let arguments = (ins Arg<Cute_PtrType, "", [MemRead]>:$source);
  let results = (outs Variadic<I32>:$words);
  let assemblyFormat = "`(` $source `)` attr-dict `:` functional-type($source, $words)";
  let hasVerifier = 1;
}
def CuteNvgpu_ArchTmemStoreOp : CuteNvgpu_Op<"arch.copy.SM100.tmem_store"> {
  let summary = "tcgen05.st .32x32b";
  let arguments = (ins Arg<Cute_PtrType, "", [MemWrite]>:$target, Variadic<I32>:$words);
  let assemblyFormat = "`(` $target `,` $words `)` attr-dict `:` type($target)";
  let hasVerifier = 1;
}

def CuteNvgpu_ArchCopyS2tOp : CuteNvgpu_Op<"arch.copy.SM100.copy_s2t"> {
  let summary = "tcgen05.cp of a matrix in shared memory, given by its descriptor (cute.deref_desc_iter)";
  let description = [{
    `"32x128b.warpx4" (%scales, %columns) : !cute.ptr<i32, tmem>`: shapes are those of !cute_nvgpu.s2t_copy.
  }];
  let arguments = (ins StrAttr:$shape, I64:$source, Arg<Cute_PtrType, "", [MemWrite]>:$target);
  let assemblyFormat = "$shape `(` $source `,` $target `)` attr-dict `:` type($target)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Single instructions
//===----------------------------------------------------------------------===//

def CuteNvgpu_ArchTmaLoadOp : CuteNvgpu_Op<"arch.copy.SM100.tma_load"> {
  let summary = "cp.async.bulk.tensor of the box at the coordinates, contiguous one first (sm_90 and later)";
  let arguments = (ins AnyType:$descriptor, Arg<Cute_PtrType, "", [MemWrite]>:$target, Cute_PtrType:$barrier, Variadic<I32>:$coordinates);
  let assemblyFormat = "`(` $descriptor `,` $target `,` $barrier `at` $coordinates `)` attr-dict `:` type($descriptor) `,` type($target) `,` type($barrier)";
  let hasVerifier = 1;
}
def CuteNvgpu_ArchTmaStoreOp : CuteNvgpu_Op<"arch.copy.SM100.tma_store"> {
  let summary = "the same from shared memory; bulk groups count it";
  let arguments = (ins AnyType:$descriptor, Arg<Cute_PtrType, "", [MemRead]>:$source, Variadic<I32>:$coordinates);
  let assemblyFormat = "`(` $descriptor `,` $source `at` $coordinates `)` attr-dict `:` type($descriptor) `,` type($source)";
  let hasVerifier = 1;
}
def CuteNvgpu_ArchTmaReduceOp : CuteNvgpu_Op<"arch.copy.SM100.tma_reduce"> {
  let summary = "cp.reduce.async.bulk.tensor: add, min, max, inc, dec, and, or, xor";
  let arguments = (ins AnyType:$descriptor, Arg<Cute_PtrType, "", [MemRead]>:$source, Variadic<I32>:$coordinates, StrAttr:$kind);
  let assemblyFormat = "$kind `(` $descriptor `,` $source `at` $coordinates `)` attr-dict `:` type($descriptor) `,` type($source)";
  let hasVerifier = 1;
}

/// Words of A and B, sums, and what else the atom takes.
class CuteNvgpu_ArchMmaOp<string mnemonic, dag more, string moreFormat>
    : CuteNvgpu_Op<mnemonic, [Pure, AttrSizedOperandSegments]> {
  let summary = "one instruction on the registers of a thread: words of A and B, sums";
  let arguments = !con((ins TypeAttr:$atom, Variadic<I32>:$a, Variadic<I32>:$b, Variadic<AnyTypeOf<[I32, F32]>>:$c), more);
  let results = (outs Variadic<AnyTypeOf<[I32, F32]>>:$d);
  let assemblyFormat = "$atom `(` $a `)` `(` $b `)` `(` $c `)` " # moreFormat # " attr-dict `:` type($c) `->` type($d)";
  let hasVerifier = 1;
}
def CuteNvgpu_ArchMmaSM80Op : CuteNvgpu_ArchMmaOp<"arch.mma.SM80", (ins), "">;
def CuteNvgpu_ArchMmaSM80SparseOp : CuteNvgpu_ArchMmaOp<"arch.mma.SM80.sparse", (ins I32:$metadata), "`stored` `by` $metadata">;
def CuteNvgpu_ArchMmaSM89Op : CuteNvgpu_ArchMmaOp<"arch.mma.SM89", (ins), "">;
def CuteNvgpu_ArchMmaSM120BlockScaledOp
    : CuteNvgpu_ArchMmaOp<"arch.mma.SM120.block_scaled", (ins I32:$sfa, I32:$sfb), "`scaled` `by` $sfa `,` $sfb">;

class CuteNvgpu_ArchDescriptorMmaOp<string mnemonic, list<Trait> traits> : CuteNvgpu_Op<mnemonic, traits> {
  let description = [{
    A and B by their descriptors (cute.deref_desc_iter): `a_mn`, `b_mn` where M or N is contiguous.
  }];
  let hasVerifier = 1;
}
def CuteNvgpu_ArchMmaSM90Op : CuteNvgpu_ArchDescriptorMmaOp<"arch.mma.SM90", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one wgmma, and the wait for it";
  let arguments = (ins TypeAttr:$atom, I64:$a, I64:$b, Variadic<AnyTypeOf<[I32, F32]>>:$c, UnitAttr:$a_mn, UnitAttr:$b_mn);
  let results = (outs Variadic<AnyTypeOf<[I32, F32]>>:$d);
  let assemblyFormat = "$atom `(` $a (`mn` $a_mn^)? `,` $b (`mn` $b_mn^)? `)` `(` $c `)` attr-dict `:` type($c) `->` type($d)";
}
def CuteNvgpu_ArchMmaSM100UmmaOp : CuteNvgpu_ArchDescriptorMmaOp<"arch.mma.SM100.umma", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one tcgen05.mma by one thread; sums are overwritten where the flag says no";
  let arguments = (ins TypeAttr:$atom, Cute_PtrType:$d, I64:$a, I64:$b, I1:$accumulate, UnitAttr:$a_mn, UnitAttr:$b_mn);
  let assemblyFormat = "$atom `(` $d `,` $a (`mn` $a_mn^)? `,` $b (`mn` $b_mn^)? `if` $accumulate `)` attr-dict `:` type($d)";
}

def CuteNvgpu_ArchMmaSM100UmmaBlockScaledOp : CuteNvgpu_ArchDescriptorMmaOp<"arch.mma.SM100.umma_block_scaled", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one tcgen05.mma with block scales: where those of A and B are in tensor memory, and which byte of their words";
  let arguments = (ins TypeAttr:$atom, Cute_PtrType:$d, I64:$a, I64:$b, I1:$accumulate, Cute_PtrType:$sfa, I64Attr:$byte_a,
                       Cute_PtrType:$sfb, I64Attr:$byte_b, UnitAttr:$a_mn, UnitAttr:$b_mn);
  let assemblyFormat = "$atom `(` $d `,` $a (`mn` $a_mn^)? `,` $b (`mn` $b_mn^)? `if` $accumulate `)` `scaled` `by` $sfa $byte_a `,` $sfb $byte_b attr-dict `:` type($d) `,` type($sfa) `,` type($sfb)";
}
def CuteNvgpu_ArchMmaSM100UmmaSparseOp : CuteNvgpu_ArchDescriptorMmaOp<"arch.mma.SM100.umma_sparse", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one tcgen05.mma.sp: the even column of its metadata, and whether they are in the next one";
  let arguments = (ins TypeAttr:$atom, Cute_PtrType:$d, I64:$a, I64:$b, I1:$accumulate, Cute_PtrType:$metadata, I64Attr:$selector,
                       UnitAttr:$a_mn, UnitAttr:$b_mn);
  let assemblyFormat = "$atom `(` $d `,` $a (`mn` $a_mn^)? `,` $b (`mn` $b_mn^)? `if` $accumulate `)` `stored` `by` $metadata $selector attr-dict `:` type($d) `,` type($metadata)";
}
def CuteNvgpu_ArchMmaSM100UmmaBlockScaledSparseOp
    : CuteNvgpu_ArchDescriptorMmaOp<"arch.mma.SM100.umma_block_scaled_sparse", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one tcgen05.mma.sp with block scales: scales and their bytes as of umma_block_scaled, metadata as of umma_sparse";
  let arguments = (ins TypeAttr:$atom, Cute_PtrType:$d, I64:$a, I64:$b, I1:$accumulate, Cute_PtrType:$sfa, I64Attr:$byte_a,
                       Cute_PtrType:$sfb, I64Attr:$byte_b, Cute_PtrType:$metadata, I64Attr:$selector, UnitAttr:$a_mn, UnitAttr:$b_mn);
  let assemblyFormat = "$atom `(` $d `,` $a (`mn` $a_mn^)? `,` $b (`mn` $b_mn^)? `if` $accumulate `)` `scaled` `by` $sfa $byte_a `,` $sfb $byte_b `stored` `by` $metadata $selector attr-dict `:` type($d) `,` type($sfa) `,` type($sfb) `,` type($metadata)";
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

class CuteNvgpu_MapAddressOp<string mnemonic, string what> : CuteNvgpu_Op<mnemonic, [Pure]> {
  let summary = what;
  let arguments = (ins AnyType:$descriptor);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`(` $descriptor `)` attr-dict `:` functional-type($descriptor, $result)";
  let hasVerifier = 1;
}
def CuteNvgpu_GetGridConstantPointerOp : CuteNvgpu_MapAddressOp<"get_grid_constant_pointer", "the address of a parameter of the kernel">;
def CuteNvgpu_GetTmaDescAddrOp : CuteNvgpu_MapAddressOp<"get_tma_desc_addr", "the address of an atom's tensor map">;
def CuteNvgpu_CastTmaDescToIntegerOp : CuteNvgpu_Op<"cast_tma_desc_to_integer", [Pure]> {
  let summary = "the address of a tensor map as a number";
  let arguments = (ins AnyType:$descriptor);
  let results = (outs I64:$result);
  let assemblyFormat = "`(` $descriptor `)` attr-dict `:` type($descriptor)";
}
def CuteNvgpu_CopyTmaDescOp : CuteNvgpu_Op<"copy_tma_desc"> {
  let summary = "copies a tensor map, 128 bytes, to shared or global memory, by one thread";
  let arguments = (ins AnyType:$source, Arg<Cute_PtrType, "", [MemWrite]>:$target);
  let assemblyFormat = "`(` $source `,` $target `)` attr-dict `:` type($source) `,` type($target)";
  let hasVerifier = 1;
}

def CuteNvgpu_MakeTmaDescTiledAtOp : CuteNvgpu_Op<"make_tma_desc_tiled_at"> {
  let summary = "makes a tensor map in shared or global memory, by one thread (sm_90 and later)";
  let description = [{
    `"(32,8)" (%at, %tensor) swizzle 64 : !cute.ptr<i64, gmem, align<128>>, !cute.memref<i32, gmem, align<16>, "(32,?):(1,32)">`: boxes of 32 by 8, in
    shared memory with the swizzle of 64 bytes. The tensor has one to five modes, the first one contiguous; what lies outside is zero.
    TMA finds what other instructions wrote after nvvm.fence.proxy.release by who wrote it and nvvm.fence.proxy.acquire of the map's 128
    bytes by who uses it. PTX ISA, "tensormap.replace".
  }];
  let arguments = (ins StrAttr:$box, Arg<Cute_PtrType, "", [MemWrite]>:$target, Cute_MemRefType:$tensor,
                       DefaultValuedAttr<I64Attr, "0">:$swizzle);
  let assemblyFormat = "$box `(` $target `,` $tensor `)` (`swizzle` $swizzle^)? attr-dict `:` type($target) `,` type($tensor)";
  let hasVerifier = 1;
}
def CuteNvgpu_UpdateTmaDescOp : CuteNvgpu_Op<"update_tma_desc"> {
  let summary = "changes address, extents and strides of a tensor map in shared or global memory to those of another tensor, by one thread";
  let arguments = (ins Arg<Cute_PtrType, "", [MemRead, MemWrite]>:$target, Cute_MemRefType:$tensor);
  let assemblyFormat = "`(` $target `,` $tensor `)` attr-dict `:` type($target) `,` type($tensor)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Known by name, and refused by the lowering with a reason (Conversion/CuteToLLVM/Nvgpu.cpp)
//===----------------------------------------------------------------------===//

class CuteNvgpu_ListedOp<string mnemonic> : CuteNvgpu_Op<mnemonic> {
  let summary = "of the roster; has no lowering";
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = "`(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)";
}

def CuteNvgpu_AtomGetCopyS2tSmemDescViewOp : CuteNvgpu_ListedOp<"atom.get_copy_s2t_smem_desc_view">;
def CuteNvgpu_AtomGetValueOp : CuteNvgpu_ListedOp<"atom.get_value">;
def CuteNvgpu_AtomMakeExecTmaOp : CuteNvgpu_ListedOp<"atom.make_exec_tma">;
def CuteNvgpu_AtomMakeNonExecTiledTmaLoadOp : CuteNvgpu_ListedOp<"atom.make_non_exec_tiled_tma_load">;
def CuteNvgpu_AtomMakeNonExecTiledTmaReduceOp : CuteNvgpu_ListedOp<"atom.make_non_exec_tiled_tma_reduce">;
def CuteNvgpu_AtomMakeS2tCopyOp : CuteNvgpu_ListedOp<"atom.make_s2t_copy">;
def CuteNvgpu_AtomMakeTmaLoadOp : CuteNvgpu_ListedOp<"atom.make_tma_load">;
def CuteNvgpu_AtomMakeTmaReduceOp : CuteNvgpu_ListedOp<"atom.make_tma_reduce">;
def CuteNvgpu_AtomMakeTmaStoreOp : CuteNvgpu_ListedOp<"atom.make_tma_store">;
def CuteNvgpu_AtomMakeTmemCopyOp : CuteNvgpu_ListedOp<"atom.make_tmem_copy">;
def CuteNvgpu_AtomNonExecTiledTmaLoadOp : CuteNvgpu_ListedOp<"atom.non_exec_tiled_tma_load">;
def CuteNvgpu_AtomNonExecTiledTmaReduceOp : CuteNvgpu_ListedOp<"atom.non_exec_tiled_tma_reduce">;
def CuteNvgpu_AtomNonExecTiledTmaStoreOp : CuteNvgpu_ListedOp<"atom.non_exec_tiled_tma_store">;
def CuteNvgpu_AtomS2tCopyOp : CuteNvgpu_ListedOp<"atom.s2t_copy">;
def CuteNvgpu_AtomTmemLoadOp : CuteNvgpu_ListedOp<"atom.tmem_load">;
def CuteNvgpu_AtomTmemStoreOp : CuteNvgpu_ListedOp<"atom.tmem_store">;
def CuteNvgpu_MakeSm120MmaBsOp : CuteNvgpu_ListedOp<"make_sm120_mma_bs">;
def CuteNvgpu_MakeTmaDescIm2colOp : CuteNvgpu_ListedOp<"make_tma_desc_im2col">;
def CuteNvgpu_MakeTmaDescIm2colAtOp : CuteNvgpu_ListedOp<"make_tma_desc_im2col_at">;
def CuteNvgpu_MakeTmaDescTiledOp : CuteNvgpu_ListedOp<"make_tma_desc_tiled">;
def CuteNvgpu_SmemDescViewOp : CuteNvgpu_ListedOp<"smem_desc_view">;

#endif // TILEIRAS_DIALECT_CUTE_IR_CUTENVGPUOPS_TD
