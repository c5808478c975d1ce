//===- Cute.td - The cute and cute_nvgpu dialects -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cute: CuTe's layouts, tensors and their algebra as values. A type says all that is known when a kernel is compiled, in
// CuTe's notation; every `?` in it is a number that the value carries at run time. What an operation means is one
// function (Evaluate.h) over tileiras/Layout, which its verifier, its folder and its lowering share.
//
// cute_nvgpu: the atoms, instructions that copy or multiply.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUTE_IR_CUTE_TD
#define TILEIRAS_DIALECT_CUTE_IR_CUTE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tileiras/Dialect/Cute/IR/AtomInterfaces.td"

def Cute_Dialect : Dialect {
  let name = "cute";
  let cppNamespace = "::mlir::cute";
  let summary = "CuTe's layouts, tensors and their algebra";
  let useDefaultTypePrinterParser = 1;
  let hasCanonicalizer = 1;
}

def CuteNvgpu_Dialect : Dialect {
  let name = "cute_nvgpu";
  let cppNamespace = "::mlir::cute_nvgpu";
  let summary = "Atoms of CuTe: instructions that copy and multiply";
  let useDefaultTypePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Cute_TextType<string name, string mnem, string what> : TypeDef<Cute_Dialect, name> {
  let mnemonic = mnem;
  let summary = what;
  let parameters = (ins StringRefParameter<"in CuTe's notation">:$text);
  let assemblyFormat = "`<` $text `>`";
  let genVerifyDecl = 1;
}

def Cute_IntTupleType : Cute_TextType<"IntTuple", "int_tuple", "nested tuple of integers: !cute.int_tuple<\"(4,(?,2))\">">;
def Cute_ShapeType : Cute_TextType<"Shape", "shape", "extents: !cute.shape<\"(?,64)\">">;
def Cute_StrideType : Cute_TextType<"Stride", "stride", "strides: !cute.stride<\"(?{div=8},1)\">">;
def Cute_CoordType : Cute_TextType<"Coord", "coord", "coordinate, _ for all of a mode: !cute.coord<\"(?,_)\">">;
def Cute_TileType : Cute_TextType<"Tile", "tile", "tiler, a layout for each mode: !cute.tile<\"[4:1;8:2]\">">;
def Cute_SwizzleType : Cute_TextType<"Swizzle", "swizzle", "!cute.swizzle<\"S<3,4,3>\">">;
def Cute_LayoutType : Cute_TextType<"Layout", "layout", "!cute.layout<\"(4,?):(1,4)\">">;
def Cute_ComposedLayoutType : Cute_TextType<"ComposedLayout", "composed_layout",
                                            "!cute.composed_layout<\"S<3,3,3> o 0 o (8,64):(64,1)\">">;

def Cute_PtrType : TypeDef<Cute_Dialect, "Ptr"> {
  let mnemonic = "ptr";
  let summary = "address of elements: !cute.ptr<f16, gmem, align<16>>";
  let description = [{
    Memories: generic, gmem, smem, rmem (registers: memory of a thread), tmem (tensor memory, elements of 32 bits). Alignment in
    bytes. Strides in tmem count columns, and rows in units of 65536: 128 rows of 64 columns are "(128,64):(65536,1)".
  }];
  let parameters = (ins "::mlir::Type":$element, "::mlir::cute::AddressSpace":$space, "int64_t":$alignment);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Cute_MemRefType : TypeDef<Cute_Dialect, "CuteMemRef"> {
  let mnemonic = "memref";
  let summary = "tensor: an address and a layout, !cute.memref<f16, gmem, align<16>, \"(?,64):(64,1)\">";
  let parameters = (ins "::mlir::Type":$element, "::mlir::cute::AddressSpace":$space, "int64_t":$alignment,
                        StringRefParameter<"layout">:$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Cute_TiledCopyType : TypeDef<Cute_Dialect, "TiledCopy"> {
  let mnemonic = "tiled_copy";
  let summary = "copy atom, (thread, value) -> column-major number in a tile, and the tile";
  let parameters = (ins "::mlir::Type":$atom, StringRefParameter<"">:$layout, StringRefParameter<"">:$tile);
  let assemblyFormat = "`<` $atom `,` $layout `,` $tile `>`";
  let genVerifyDecl = 1;
}

def Cute_TiledMmaType : TypeDef<Cute_Dialect, "TiledMma"> {
  let mnemonic = "tiled_mma";
  let summary = "mma atom, and how many of them side by side along (M, N, K): !cute.tiled_mma<!cute_nvgpu.sm80.mma<...>, \"(2,2,1)\">";
  let parameters = (ins "::mlir::Type":$atom, StringRefParameter<"">:$atoms);
  let assemblyFormat = "`<` $atom `,` $atoms `>`";
  let genVerifyDecl = 1;
}

def Cute_CoordTensorType : Cute_TextType<"CoordTensor", "coord_tensor",
    "tensor whose elements are coordinates: !cute.coord_tensor<\"(0,?) o (64,32):(1@0,1@1)\">">;

def Cute_FastDivmodDivisorType : TypeDef<Cute_Dialect, "FastDivmodDivisor"> {
  let mnemonic = "fast_divmod_divisor";
  let summary = "a positive i32, and what division by it as a multiplication takes";
}

def Cute_DescIterType : TypeDef<Cute_Dialect, "DescIter"> {
  let mnemonic = "desc_iter";
  let summary = "shared-memory address with what a wgmma descriptor says of the matrix there";
  let description = [{
    `!cute.desc_iter<k, 128, 0, 1024>`: which of the matrix's modes is contiguous (`k` or `mn`), the bytes of the swizzle (0, 32, 64,
    128), the leading and the stride byte offset; 0 where the hardware ignores it. PTX ISA, "Matrix Descriptor Format".
  }];
  let parameters = (ins StringRefParameter<"">:$major, "int64_t":$swizzle, "int64_t":$leading, "int64_t":$stride);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

class CuteNvgpu_Type<string name, string mnem, list<Trait> traits> : TypeDef<CuteNvgpu_Dialect, name, traits> {
  let mnemonic = mnem;
}
/// Interfaces, and which of their methods an atom has itself.
defvar Copies = DeclareTypeInterfaceMethods<Cute_CopyAtomTypeInterface, ["getCopyBits"]>;
defvar CopiesMatrices = DeclareTypeInterfaceMethods<Cute_CopyAtomTypeInterface, ["getMoved"]>;
defvar CopiesTogether = DeclareTypeInterfaceMethods<Cute_CopyAtomTypeInterface>;
defvar Async = DeclareTypeInterfaceMethods<Cute_AsyncCopyAtomTypeInterface>;
defvar Multiplies = DeclareTypeInterfaceMethods<Cute_MmaAtomTypeInterface>;

def CuteNvgpu_UniversalCopyType : CuteNvgpu_Type<"UniversalCopy", "universal_copy", [Copies, Cute_PrefetchAtomTypeInterface]> {
  let summary = "ld and st of so many bits at once";
  let parameters = (ins "int64_t":$bits);
  let assemblyFormat = "`<` $bits `>`";
  let genVerifyDecl = 1;
}
def CuteNvgpu_SimtAsyncCopyType : CuteNvgpu_Type<"SimtAsyncCopy", "simt_async_copy", [Copies, Async, Cute_PrefetchAtomTypeInterface]> {
  let summary = "cp.async from global to shared memory, 32, 64 or 128 bits";
  let parameters = (ins "int64_t":$bits);
  let assemblyFormat = "`<` $bits `>`";
  let genVerifyDecl = 1;
}
def CuteNvgpu_UniversalFmaType : CuteNvgpu_Type<"UniversalFma", "universal_fma", [Multiplies]> {
  let summary = "one multiply-add of one thread";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
  let genVerifyDecl = 1;
}

class CuteNvgpu_Matrices<string name, string mnem> : CuteNvgpu_Type<name, mnem, [CopiesMatrices]> {
  let parameters = (ins "int64_t":$matrices, "bool":$transposed);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}
def CuteNvgpu_LdsmType : CuteNvgpu_Matrices<"Ldsm", "ldsm"> {
  let summary = "ldmatrix of 1, 2 or 4 matrices of 8x8 16-bit elements: !cute_nvgpu.ldsm<4>, !cute_nvgpu.ldsm<4, trans>";
}
def CuteNvgpu_StsmType : CuteNvgpu_Matrices<"Stsm", "stsm"> {
  let summary = "stmatrix (sm_90 and later)";
}

class CuteNvgpu_TmemCopyType<string name, string mnem>
    : CuteNvgpu_Type<name, mnem, [CopiesTogether, Cute_TmemAtomTypeInterface]> {
  let description = [{
    `!cute_nvgpu.tmem_load<32>`: each warp has the 32 rows of its number modulo 4, a row to a lane, of 1 to 128 neighbouring columns
    (tcgen05.ld, tcgen05.st, .32x32b). The copy is done when the operation is.
  }];
  let parameters = (ins "int64_t":$columns);
  let assemblyFormat = "`<` $columns `>`";
  let extraClassDeclaration = "bool isLoad() const;";
  let genVerifyDecl = 1;
}
def CuteNvgpu_TmemLoadType : CuteNvgpu_TmemCopyType<"TmemLoad", "tmem_load"> {
  let summary = "tcgen05.ld from tensor memory";
}
def CuteNvgpu_TmemStoreType : CuteNvgpu_TmemCopyType<"TmemStore", "tmem_store"> {
  let summary = "tcgen05.st to tensor memory";
}

def CuteNvgpu_S2tCopyType : CuteNvgpu_Type<"S2tCopy", "s2t_copy", [CopiesTogether, Async]> {
  let summary = "tcgen05.cp from shared to tensor memory, by one thread: !cute_nvgpu.s2t_copy<\"32x128b.warpx4\">";
  let description = [{
    Words of 32 bits, (128,4) of them, or (128,8) for "128x256b". Which lanes get the same rows, the name says, as PTX does ("32x128b.warpx4",
    "64x128b.warpx2::02_13", "64x128b.warpx2::01_23", "128x128b"), and the source by strides of zero: ((32,4),4):((4,0),1) is copied to (128,4).
    Products that the thread issues later find what was copied.
  }];
  let parameters = (ins StringRefParameter<"as PTX writes it">:$shape);
  let assemblyFormat = "`<` $shape `>`";
  let extraClassDeclaration = [{
    /// Words in a row.
    int64_t getWords() const;
    /// The row of the source that each lane gets, as a layout.
    ::llvm::StringRef getRows() const;
  }];
  let genVerifyDecl = 1;
}

/// m x n x k of elements A and B, sums of C.
class CuteNvgpu_MmaType<string name, string mnem, list<Trait> traits = []> : CuteNvgpu_Type<name, mnem, !listconcat([Multiplies], traits)> {
  let parameters = (ins "int64_t":$m, "int64_t":$n, "int64_t":$k, "::mlir::Type":$a, "::mlir::Type":$b,
                        "::mlir::Type":$c);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}
def CuteNvgpu_Sm80MmaType : CuteNvgpu_MmaType<"Sm80Mma", "sm80.mma"> {
  let summary = "mma.sync of a warp: !cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>";
}
def CuteNvgpu_Sm80SparseMmaType : CuteNvgpu_MmaType<"Sm80SparseMma", "sm80.sparse_mma", [DeclareTypeInterfaceMethods<Cute_SparseMetadataAtomTypeInterface>]> {
  let summary = "mma.sp.sync, half of A stored: !cute_nvgpu.sm80.sparse_mma<16x8x32, f16, f16, f32>";
}
def CuteNvgpu_Sm89MmaType : CuteNvgpu_MmaType<"Sm89Mma", "sm89.mma"> {
  let summary = "mma.sync of 8-bit floats: !cute_nvgpu.sm89.mma<16x8x32, f8E4M3FN, f8E5M2, f32>";
}
def CuteNvgpu_Sm90MmaType : CuteNvgpu_MmaType<"Sm90Mma", "sm90.mma", [Cute_SmemDescriptorAtomTypeInterface]> {
  let summary = "wgmma of a warpgroup: !cute_nvgpu.sm90.mma<64x128x16, f16, f16, f32>";
  let description = [{
    B is in shared memory, and A, too, or with `a = rmem` in registers, partitioned over the threads as four warps of mma.sync have it:
    `!cute_nvgpu.sm90.mma<64x128x16, f16, f16, f32, a = rmem>`. PTX ISA, "wgmma.mma_async".
  }];
  let parameters = (ins "int64_t":$m, "int64_t":$n, "int64_t":$k, "::mlir::Type":$a, "::mlir::Type":$b, "::mlir::Type":$c,
                        "bool":$registersA);
}
def CuteNvgpu_Sm100MmaType : CuteNvgpu_MmaType<"Sm100Mma", "sm100.mma", [Cute_SmemDescriptorAtomTypeInterface]> {
  let summary = "tcgen05.mma of one thread, sums in tensor memory: !cute_nvgpu.sm100.mma<128x64x16, f16, f16, f32>";
  let description = [{
    With `ctas = 2` two blocks of a cluster multiply together, by one instruction of a thread of the block of even rank (.cta_group::2): each has
    half of the rows of A and of the sums, and half of the columns of B, at the same places of its shared and tensor memory:
    `!cute_nvgpu.sm100.mma<256x128x16, f16, f16, f32, ctas = 2>` has 128 rows of A and 64 columns of B in a block.
  }];
  let parameters = (ins "int64_t":$m, "int64_t":$n, "int64_t":$k, "::mlir::Type":$a, "::mlir::Type":$b, "::mlir::Type":$c,
                        "int64_t":$ctas);
}
def CuteNvgpu_Sm100MmaBsType : CuteNvgpu_MmaType<"Sm100MmaBs", "sm100.mma_bs", [Cute_SmemDescriptorAtomTypeInterface, DeclareTypeInterfaceMethods<Cute_BlockScaleAtomTypeInterface>]> {
  let summary = "tcgen05.mma, 32 along k with one ue8m0 scale: !cute_nvgpu.sm100.mma_bs<128x64x32, f8E4M3FN, f8E5M2, f32>";
  let description = [{
    Scales are words of 32 bits in tensor memory, each of the scales of four instructions along k. Those of A are ((128,4),M,K/4): lane l of column c
    has the scales of row 32 c + l % 32, so that there are four copies of each; those of B are ((128,N/32),N,K/4), likewise of columns. PTX ISA,
    "Scale factor A layout in Tensor Memory".
  }];
}
def CuteNvgpu_Sm100MmaSpType : CuteNvgpu_MmaType<"Sm100MmaSp", "sm100.mma_sp", [Cute_SmemDescriptorAtomTypeInterface, DeclareTypeInterfaceMethods<Cute_SparseMetadataAtomTypeInterface>]> {
  let summary = "tcgen05.mma.sp, half of A stored: !cute_nvgpu.sm100.mma_sp<128x64x32, f16, f16, f32>";
  let description = [{
    Which elements of A there are is said by words of 32 bits in tensor memory, a column of 128 lanes for an instruction, two for bytes; a
    matrix of metadata begins in an even column. PTX ISA, "Sparsity metadata" of tcgen05.
  }];
}
def CuteNvgpu_Sm100MmaBsSpType : CuteNvgpu_MmaType<"Sm100MmaBsSp", "sm100.mma_bs_sp", [Cute_SmemDescriptorAtomTypeInterface, DeclareTypeInterfaceMethods<Cute_BlockScaleAtomTypeInterface>, DeclareTypeInterfaceMethods<Cute_SparseMetadataAtomTypeInterface>]> {
  let summary = "tcgen05.mma.sp with block scales: !cute_nvgpu.sm100.mma_bs_sp<128x64x64, f8E4M3FN, f8E5M2, f32>";
  let description = [{
    Half of A is stored, and 64 along k, of which A has 32, have one ue8m0 scale. Scales are words of four instructions as of `sm100.mma_bs`, metadata two
    columns for an instruction as of `sm100.mma_sp`. PTX ISA, "tcgen05.mma.sp", kind mxf8f6f4.
  }];
}
def CuteNvgpu_Sm120MmaBsType : CuteNvgpu_MmaType<"Sm120MmaBs", "SM120.mma_bs", [DeclareTypeInterfaceMethods<Cute_BlockScaleAtomTypeInterface>]> {
  let summary = "mma.sync of 8-bit floats, 32 along k with one ue8m0 scale: !cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32>";
}

class CuteNvgpu_Tma<string name, string mnem, list<Trait> traits = []>
    : CuteNvgpu_Type<name, mnem, !listconcat([CopiesTogether, Async, Cute_TmaAtomTypeInterface], traits)> {
  let parameters = (ins StringRefParameter<"extents of the box, contiguous first">:$box);
  let assemblyFormat = "`<` $box `>`";
  let extraClassDeclaration = "bool isLoad() const;";
  let genVerifyDecl = 1;
}
def CuteNvgpu_TmaLoadType : CuteNvgpu_Tma<"TmaLoad", "tma_load", [Cute_PrefetchAtomTypeInterface]> {
  let summary = "cp.async.bulk.tensor to shared memory: a tensor map, and the mbarrier that counts the bytes";
}
def CuteNvgpu_TmaStoreType : CuteNvgpu_Tma<"TmaStore", "tma_store"> {
  let summary = "cp.async.bulk.tensor from shared memory: a tensor map";
}
def CuteNvgpu_TmaReduceType : CuteNvgpu_Tma<"TmaReduce", "tma_reduce"> {
  let summary = "cp.reduce.async.bulk.tensor from shared memory: !cute_nvgpu.tma_reduce<\"(32,8)\", \"add\">";
  let parameters = (ins StringRefParameter<"extents of the box, contiguous first">:$box,
                        StringRefParameter<"add, min, max, inc, dec, and, or, xor">:$kind);
  let assemblyFormat = "`<` $box `,` $kind `>`";
}

#endif // TILEIRAS_DIALECT_CUTE_IR_CUTE_TD
