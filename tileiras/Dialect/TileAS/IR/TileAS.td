//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// nv_tileas: tiles with layouts. Every tensor carries a layout attribute as its
// encoding; memory movement, layout conversion and aggregates are operations of
// this dialect, shape and arithmetic stay nv_tileaa/arith/math on
// layout-carrying tensors (docs/dialects/nv_tileas.md).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEAS_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEAS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/TensorEncoding.td"

def TileAS_Dialect : Dialect {
  let name = "nv_tileas";
  let cppNamespace = "::mlir::nv_tileas";
  let summary = "Tile operations with layouts and asynchronous pipelines";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::nv_tileaa::TileAADialect", "::mlir::gpu::GPUDialect"];
}

def TileAS_LayoutAttrInterface : AttrInterface<"LayoutAttrInterface"> {
  let cppNamespace = "::mlir::nv_tileas";
  let description = [{
    What every layout attribute answers: in which memory the tile lives and
    which place of it holds which element. A layout of registers maps
    (register, lane, warp, block) to tile coordinates, one of shared memory
    (offset, block), one of tensor memory (row, column, block); block is the CTA
    of the cluster. See tileiras/Support/LinearLayout.h.
  }];
  let methods = [
    InterfaceMethod<"the layout as a linear map for a tile of this shape", "::tileiras::LinearLayout",
                    "toLinearLayout", (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<"where the tile lives", "::mlir::nv_tileas::MemoryKind", "getMemory", (ins), [{}],
                    [{ return ::mlir::nv_tileas::MemoryKind::Registers; }]>
  ];
}

def TileAS_MmaAtomAttrInterface : AttrInterface<"MmaAtomAttrInterface"> {
  let cppNamespace = "::mlir::nv_tileas";
  let description = [{
    How a matrix product is carried out: what every family of instructions
    answers. Passes choose among atoms and place operands by these answers
    alone; only the lowering of a family knows its instructions. Shapes are in
    elements, costs in cycles of one warp (tileiras/Dialect/TileAS/IR/Atoms.h).
  }];
  let methods = [
    InterfaceMethod<"the type that operands are converted to before they are multiplied", "::mlir::Type",
                    "getElement">,
    InterfaceMethod<"what the atom is called in cute_nvgpu: sm80.mma, SM120.mma_bs, ...", "::llvm::StringRef",
                    "getAtomName", (ins), [{}], [{ return $_attr.getMnemonic(); }]>,
    InterfaceMethod<"the cut of a product into instructions, and the warps it is given to", "::tileiras::DotTiling",
                    "getTiling">,
    InterfaceMethod<"m, n, k of one instruction", "::std::array<int32_t, 3>", "getInstructionShape", (ins), [{}],
                    [{ auto t = $_attr.getTiling(); return {t.m, t.n, t.k}; }]>,
    InterfaceMethod<"the memories in which the operand may be when the product begins", "::mlir::nv_tileas::MemorySet",
                    "getMemories", (ins "::tileiras::DotOperand":$operand)>,
    InterfaceMethod<"which register of which thread holds what of an operand in registers, copies included; where the "
                    "instruction reads shared memory itself, nothing", "::std::optional<::tileiras::LinearLayout>",
                    "getRegisterLayout", (ins "const ::tileiras::DotShape &":$shape, "::tileiras::DotOperand":$operand)>,
    InterfaceMethod<"the same for the scales of an operand, `block` elements along k to a scale",
                    "::std::optional<::tileiras::LinearLayout>", "getScaleLayout",
                    (ins "const ::tileiras::DotShape &":$shape, "::tileiras::DotOperand":$operand, "int32_t":$block)>,
    InterfaceMethod<"whether an operand that stands in memory may have this layout",
                    "bool", "acceptsLayout",
                    (ins "const ::tileiras::DotShape &":$shape, "::tileiras::DotOperand":$operand,
                         "::mlir::nv_tileas::MemoryKind":$memory, "const ::tileiras::LinearLayout &":$layout)>,
    InterfaceMethod<"where an operand that arrives in registers has to be put so that the instruction can read it from "
                    "shared memory; `registers` is the layout it arrives in. Nothing for operands in registers",
                    "::std::optional<::tileiras::LinearLayout>", "getStagingLayout",
                    (ins "const ::tileiras::DotShape &":$shape, "::tileiras::DotOperand":$operand,
                         "int32_t":$elementBytes, "const ::tileiras::LinearLayout &":$registers), [{}],
                    [{ return ::std::nullopt; }]>,
    InterfaceMethod<"warps that issue one instruction together", "int32_t", "getWarpsTogether", (ins), [{}],
                    [{ return 1; }]>,
    InterfaceMethod<"what tells that the result is there", "::mlir::nv_tileas::Completion", "getCompletion", (ins),
                    [{}], [{ return ::mlir::nv_tileas::Completion::AtOnce; }]>,
    InterfaceMethod<"what a product of this shape costs", "::mlir::nv_tileas::MmaCost", "getCost",
                    (ins "const ::tileiras::DotShape &":$shape)>,
    InterfaceMethod<"nothing if the atom can carry out a product of this shape, else why not", "::std::string", "whyNot",
                    (ins "const ::tileiras::DotShape &":$shape), [{}], [{ return $_attr.getTiling().whyNot(shape); }]>
  ];
}

def TileAS_CopyAtomAttrInterface : AttrInterface<"CopyAtomAttrInterface"> {
  let cppNamespace = "::mlir::nv_tileas";
  let description = [{
    How a tile gets from one memory to another: what every family of copy
    instructions answers.
  }];
  let methods = [
    InterfaceMethod<"what the atom is called in cute_nvgpu: ldsm, simt_async_copy, ...", "::llvm::StringRef",
                    "getAtomName", (ins), [{}], [{ return $_attr.getMnemonic(); }]>,
    InterfaceMethod<"memories the instruction reads", "::mlir::nv_tileas::MemorySet", "getSources">,
    InterfaceMethod<"memories the instruction writes", "::mlir::nv_tileas::MemorySet", "getDestinations">,
    InterfaceMethod<"bytes next to each other in memory that one thread gives the address of", "int32_t",
                    "getAccessBytes">,
    InterfaceMethod<"threads that issue one instruction together", "int32_t", "getThreadsTogether", (ins), [{}],
                    [{ return 1; }]>,
    InterfaceMethod<"what tells that the copy is done", "::mlir::nv_tileas::Completion", "getCompletion", (ins), [{}],
                    [{ return ::mlir::nv_tileas::Completion::AtOnce; }]>,
    InterfaceMethod<"instructions of one warp that move so many bytes of each of its threads", "int64_t", "getCost",
                    (ins "int64_t":$bytesPerThread)>
  ];
}

class TileAS_Attr<string name, string mnem, list<Trait> traits = []> : AttrDef<TileAS_Dialect, name, traits> {
  let mnemonic = mnem;
}

def TileAS_BlockedAttr : TileAS_Attr<"Blocked", "blocked", [DeclareAttrInterfaceMethods<TileAS_LayoutAttrInterface>, DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "thread-blocked registers";
  let description = [{
    Each thread holds sizePerThread neighbouring elements; threadsPerWarp lanes
    and warpsPerCTA warps are laid out along the dimensions, the dimension
    order[0] fastest. The pattern repeats as further registers when the tile is
    larger, and threads hold copies when it is smaller. All entries are powers of two.
  }];
  let parameters = (ins ArrayRefParameter<"int32_t">:$sizePerThread, ArrayRefParameter<"int32_t">:$threadsPerWarp,
                        ArrayRefParameter<"int32_t">:$warpsPerCTA, ArrayRefParameter<"int32_t">:$order);
  let assemblyFormat = [{
    `<` `size_per_thread` `=` `[` $sizePerThread `]` `,` `threads_per_warp` `=` `[` $threadsPerWarp `]` `,`
        `warps_per_cta` `=` `[` $warpsPerCTA `]` `,` `order` `=` `[` $order `]` `>`
  }];
  let genVerifyDecl = 1;
}

def TileAS_LinearAttr : TileAS_Attr<"Linear", "linear", [DeclareAttrInterfaceMethods<TileAS_LayoutAttrInterface>, DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "any distributed layout, by its bases";
  let description = [{
    The general form: one tile coordinate vector per input bit, flattened,
    `rank` numbers per basis. A zero basis of lane or warp means that those
    threads hold copies. Register bases are never zero. The tile shape must be
    covered. Text: #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], ...], warp = [...]>, and
    `block = [...]` behind it where the CTAs of a cluster hold different parts.
  }];
  let parameters = (ins "int32_t":$rank, ArrayRefParameter<"int32_t">:$registers, ArrayRefParameter<"int32_t">:$lanes,
                        ArrayRefParameter<"int32_t">:$warps, OptionalArrayRefParameter<"int32_t">:$blocks);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TileAS_SharedAttr : TileAS_Attr<"Shared", "shared", [DeclareAttrInterfaceMethods<TileAS_LayoutAttrInterface, ["toLinearLayout", "getMemory"]>, DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "shared memory, by the coordinates of each offset bit";
  let description = [{
    bases: one tile coordinate vector per bit of the element offset, flattened,
    `rank` numbers per basis; swizzles are XOR columns. Every offset holds
    another element. `block` as in #nv_tileas.linear.
    Text: #nv_tileas.shared<rank = 2, offset = [[0, 1], [1, 0]]>.
  }];
  let parameters = (ins "int32_t":$rank, ArrayRefParameter<"int32_t">:$bases, OptionalArrayRefParameter<"int32_t">:$blocks);
  let hasCustomAssemblyFormat = 1;
}

def TileAS_TensorMemoryAttr : TileAS_Attr<"TensorMemory", "tensor_memory", [DeclareAttrInterfaceMethods<TileAS_LayoutAttrInterface, ["toLinearLayout", "getMemory"]>, DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "tensor memory, by the coordinates of each row and column bit";
  let description = [{
    One tile coordinate vector per bit of the row (PTX ISA: lane, 128 of them)
    and of the column, flattened. A column is as wide as an element, so a tile
    of 16 bits has two of them in one 32-bit column of the hardware, 1024 in
    all. Tiles have two dimensions and elements of at least 8 bits; every place
    holds another element, but columns whose bit has coordinates of zero hold
    none. `block` as in #nv_tileas.linear.
    Text: #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0]], column = [[0, 1]]>.
  }];
  let parameters = (ins "int32_t":$rank, ArrayRefParameter<"int32_t">:$rows, ArrayRefParameter<"int32_t">:$columns,
                        OptionalArrayRefParameter<"int32_t">:$blocks);
  let hasCustomAssemblyFormat = 1;
}

def TileAS_UniversalCopyAttr : TileAS_Attr<"UniversalCopy", "universal_copy", [DeclareAttrInterfaceMethods<TileAS_CopyAtomAttrInterface>]> {
  let summary = "ld and st: each thread for itself, `bytes` at a time";
  let parameters = (ins "int32_t":$bytes);
  let assemblyFormat = "`<` `bytes` `=` $bytes `>`";
  let genVerifyDecl = 1;
}
def TileAS_SimtAsyncCopyAttr : TileAS_Attr<"SimtAsyncCopy", "simt_async_copy", [DeclareAttrInterfaceMethods<TileAS_CopyAtomAttrInterface, ["getSources", "getDestinations", "getAccessBytes", "getCompletion", "getCost"]>]> {
  let summary = "cp.async: from global to shared memory past the registers, 4, 8 or 16 bytes per thread";
  let parameters = (ins "int32_t":$bytes);
  let assemblyFormat = "`<` `bytes` `=` $bytes `>`";
  let genVerifyDecl = 1;
}
def TileAS_LdsmAttr : TileAS_Attr<"Ldsm", "ldsm", [DeclareAttrInterfaceMethods<TileAS_CopyAtomAttrInterface, ["getSources", "getDestinations", "getAccessBytes", "getThreadsTogether", "getCost"]>]> {
  let summary = "ldmatrix: 1, 2 or 4 matrices of 8 rows of 16 bytes, to the lanes of a warp as mma.sync holds them";
  let parameters = (ins "int32_t":$matrices, DefaultValuedParameter<"bool", "false">:$transposed);
  let assemblyFormat = "`<` `matrices` `=` $matrices (`,` `transposed` `=` $transposed^)? `>`";
  let genVerifyDecl = 1;
}
def TileAS_StsmAttr : TileAS_Attr<"Stsm", "stsm", [DeclareAttrInterfaceMethods<TileAS_CopyAtomAttrInterface, ["getSources", "getDestinations", "getAccessBytes", "getThreadsTogether", "getCost"]>]> {
  let summary = "stmatrix: the way back of ldsm (sm_90 and later)";
  let parameters = (ins "int32_t":$matrices, DefaultValuedParameter<"bool", "false">:$transposed);
  let assemblyFormat = "`<` `matrices` `=` $matrices (`,` `transposed` `=` $transposed^)? `>`";
  let genVerifyDecl = 1;
}

class TileAS_TmaAttr<string name, string mnem> : TileAS_Attr<name, mnem, [DeclareAttrInterfaceMethods<TileAS_CopyAtomAttrInterface, ["getSources", "getDestinations", "getAccessBytes", "getCompletion", "getCost"]>]> {
  let description = [{
    box: elements of the tile that one instruction moves, by dimensions of the tile. order: the dimensions as the tensor
    map has them, the one that is dense in global memory first. swizzle: 0, 32, 64 or 128 bytes; of a
    load also 160, which is 128 bytes with atoms of 32 instead of 16 (words that tcgen05.mma reads across). Boxes and
    shared layouts: tileiras/Support/TmaTile.h.
  }];
  let parameters = (ins ArrayRefParameter<"int32_t">:$box, ArrayRefParameter<"int32_t">:$order, "int32_t":$swizzle);
  let assemblyFormat = "`<` `box` `=` `[` $box `]` `,` `order` `=` `[` $order `]` `,` `swizzle` `=` $swizzle `>`";
  let genVerifyDecl = 1;
}
def TileAS_TmaLoadAttr : TileAS_TmaAttr<"TmaLoad", "tma_load"> {
  let summary = "cp.async.bulk.tensor from global to shared memory: one thread for a whole box, completed on an mbarrier";
}
def TileAS_TmaIm2colLoadAttr : TileAS_Attr<"TmaIm2colLoad", "tma_im2col_load", [DeclareAttrInterfaceMethods<TileAS_CopyAtomAttrInterface, ["getSources", "getDestinations", "getAccessBytes", "getCompletion", "getCost"]>]> {
  let summary = "cp.async.bulk.tensor in im2col mode: one thread for some channels of a run of pixels";
  let description = [{
    For tensors of images, batch and then one to three dimensions of pixels and the channels, which are dense. box, order
    and swizzle as for #nv_tileas.tma_load; the box is one image, one row, as many pixels as a copy moves, and channels.
    Pixels are walked along the dimensions in a bounding box (PTX ISA, "im2col mode"): it begins `lower` from the first
    pixel and ends `upper` from the last, by dimensions of pixels, and `steps` apart, by dimensions of the tensor.
  }];
  let parameters = (ins ArrayRefParameter<"int32_t">:$box, ArrayRefParameter<"int32_t">:$order, "int32_t":$swizzle,
                        ArrayRefParameter<"int32_t">:$lower, ArrayRefParameter<"int32_t">:$upper,
                        ArrayRefParameter<"int32_t">:$steps);
  let assemblyFormat = [{
    `<` `box` `=` `[` $box `]` `,` `order` `=` `[` $order `]` `,` `swizzle` `=` $swizzle `,`
    `lower` `=` `[` $lower `]` `,` `upper` `=` `[` $upper `]` `,` `steps` `=` `[` $steps `]` `>`
  }];
  let genVerifyDecl = 1;
}
def TileAS_TmaStoreAttr : TileAS_TmaAttr<"TmaStore", "tma_store"> {
  let summary = "cp.async.bulk.tensor and cp.reduce.async.bulk.tensor from shared to global memory, completed as a group";
}

def TileAS_AtomPlanAttr : TileAS_Attr<"AtomPlan", "atom_plan"> {
  let summary = "how a layout conversion is carried out";
  let description = [{
    tag 0: register to register, 1: through shared memory (docs/contract.md).
    vectorBytes: width of the widest access the plan uses.
  }];
  let parameters = (ins "int32_t":$tag, "int32_t":$vectorBytes);
  let assemblyFormat = "`<` `tag` `=` $tag `,` `vec` `=` $vectorBytes `>`";
}

def TileAS_MmaAtomAttr : TileAS_Attr<"MmaAtom", "mma_atom", [DeclareAttrInterfaceMethods<TileAS_MmaAtomAttrInterface, ["getAtomName", "getTiling", "getMemories", "getRegisterLayout", "getScaleLayout", "acceptsLayout", "getCost"]>]> {
  let summary = "a matrix product by mma.sync";
  let description = [{
    shape: m, n, k of one instruction. element: what operands are converted to
    before they are multiplied. warps: warps along batch, m and n; more of them
    than the tile has parts compute copies. Every warp multiplies for itself,
    operands and sums are in registers in the end; the product fetches operands
    that are in shared memory when it needs them. The layouts of the operands
    follow, see tileiras/Support/DotLayouts.h. block_scaled: the instruction
    multiplies by scales (sm_120), one for 32 elements along k, or for 16
    where its own k is 64, those of the
    product or, where it has none, 1. Which atoms a target has:
    tileiras/Support/AtomTable.h.
    Text: #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 2, 4]>.
  }];
  let parameters = (ins "::mlir::Type":$element, ArrayRefParameter<"int32_t">:$shape, ArrayRefParameter<"int32_t">:$warps,
                        DefaultValuedParameter<"bool", "false">:$blockScaled);
  let assemblyFormat = [{
    `<` $element `,` `shape` `=` `[` $shape `]` `,` `warps` `=` `[` $warps `]` (`,` `block_scaled` `=` $blockScaled^)? `>`
  }];
  let genVerifyDecl = 1;
}

def TileAS_FmaAtomAttr : TileAS_Attr<"FmaAtom", "fma_atom", [DeclareAttrInterfaceMethods<TileAS_MmaAtomAttrInterface, ["getAtomName", "getTiling", "getMemories", "getRegisterLayout", "getScaleLayout", "acceptsLayout", "getCost"]>]> {
  let summary = "a matrix product by multiply-adds of every thread";
  let description = [{
    box: rows and columns of the results that a thread has next to each other.
    lanes: lanes along m and n, 32 together. element and warps as in
    #nv_tileas.mma_atom.
    Text: #nv_tileas.fma_atom<f32, box = [4, 4], lanes = [4, 8], warps = [1, 2, 2]>.
  }];
  let parameters = (ins "::mlir::Type":$element, ArrayRefParameter<"int32_t">:$box, ArrayRefParameter<"int32_t">:$lanes,
                        ArrayRefParameter<"int32_t">:$warps);
  let assemblyFormat = [{
    `<` $element `,` `box` `=` `[` $box `]` `,` `lanes` `=` `[` $lanes `]` `,` `warps` `=` `[` $warps `]` `>`
  }];
  let genVerifyDecl = 1;
}

def TileAS_WgmmaAtomAttr : TileAS_Attr<"WgmmaAtom", "wgmma_atom", [DeclareAttrInterfaceMethods<TileAS_MmaAtomAttrInterface, ["getAtomName", "getTiling", "getInstructionShape", "getMemories", "getRegisterLayout", "getScaleLayout", "acceptsLayout", "getStagingLayout", "getWarpsTogether", "getCompletion", "getCost", "whyNot"]>]> {
  let summary = "a matrix product by wgmma.mma_async (sm_90a)";
  let description = [{
    Four warps, a warpgroup, multiply 64 rows by `n` columns, 32 bytes of k at a
    time (PTX ISA, "wgmma.mma_async"). element: what is multiplied, the type of
    both operands. groups: warpgroups along m and n. B is read from shared
    memory, where its layout has a descriptor (tileiras/Support/SmemDescriptor.h),
    and so is A unless `registers_a` is true. Sums are in registers
    (tileiras/Support/WgmmaLayouts.h).
    span: of 8-bit floats the unit adds up so much of k at a time, from zero, and
    the threads add that to the sums (0: the unit adds up everything).
    Text: #nv_tileas.wgmma_atom<f16, n = 256, groups = [2, 1]>,
    #nv_tileas.wgmma_atom<f8E4M3FN promoted by 128, n = 128, groups = [2, 1]>.
  }];
  let parameters = (ins "::mlir::Type":$element, "int32_t":$n, ArrayRefParameter<"int32_t">:$groups,
                        DefaultValuedParameter<"bool", "false">:$registersA,
                        DefaultValuedParameter<"int32_t", "0">:$span);
  let assemblyFormat = [{
    `<` $element (`promoted` `by` $span^)? `,` `n` `=` $n `,` `groups` `=` `[` $groups `]` (`,` `registers_a` `=` $registersA^)? `>`
  }];
  let genVerifyDecl = 1;
}

def TileAS_Sm100MmaAtomAttr : TileAS_Attr<"Sm100MmaAtom", "sm100_mma_atom", [DeclareAttrInterfaceMethods<TileAS_MmaAtomAttrInterface, ["getTiling", "getInstructionShape", "getMemories", "getRegisterLayout", "getScaleLayout", "acceptsLayout", "getStagingLayout", "getCompletion", "getCost", "whyNot"]>]> {
  let summary = "a matrix product by tcgen05.mma (sm_100a and its relatives with tensor memory)";
  let description = [{
    One thread has `m` rows (64 or 128) by `n` columns multiplied, 32 bytes of k at
    a time (PTX ISA, "tcgen05.mma"). element: what is multiplied, the type of both
    operands. Both are read from shared memory, where their layouts have
    descriptors (tileiras/Support/SmemDescriptor.h). Sums are in tensor memory
    while they are added to; as values they are in registers, in the layout in which
    `warps` warps copy them from and to there
    (tileiras/Support/Tcgen05.h). tileas-place-sums keeps them in tensor memory
    from one product to the next.
    Text: #nv_tileas.sm100_mma_atom<f16, m = 128, n = 256, warps = 8>.
  }];
  let parameters = (ins "::mlir::Type":$element, "int32_t":$m, "int32_t":$n, "int32_t":$warps);
  let assemblyFormat = "`<` $element `,` `m` `=` $m `,` `n` `=` $n `,` `warps` `=` $warps `>`";
  let genVerifyDecl = 1;
}

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEAS_TD
