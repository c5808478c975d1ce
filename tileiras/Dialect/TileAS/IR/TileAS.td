//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// nv_tileas: tiles with layouts. Every tensor carries a layout attribute as its
// encoding; memory movement, layout conversion and aggregates are operations of
// this dialect, shape and arithmetic stay nv_tileaa/arith/math on
// layout-carrying tensors (spec internals 3.2, 5.2).
//
//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
  let dependentDialects = ["::mlir::nv_tileaa::TileAADialect", "::mlir::gpu::GPUDialect"];
}

def TileAS_LayoutAttrInterface : AttrInterface<"LayoutAttrInterface"> {
  let cppNamespace = "::mlir::nv_tileas";
  let description = [{
    What every layout attribute answers. A distributed layout maps
    (register, lane, warp, block) to tile coordinates; a shared layout maps
    (offset, block) to tile coordinates. See tileiras/Support/LinearLayout.h.
  }];
  let methods = [
    InterfaceMethod<"the layout as a linear map for a tile of this shape", "::tileiras::LinearLayout",
                    "toLinearLayout", (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<"true for layouts of shared memory", "bool", "isShared", (ins), [{}], [{ return false; }]>
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
    covered. Text: #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], ...], warp = [...]>.
  }];
  let parameters = (ins "int32_t":$rank, ArrayRefParameter<"int32_t">:$registers, ArrayRefParameter<"int32_t">:$lanes,
                        ArrayRefParameter<"int32_t">:$warps);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TileAS_SharedAttr : TileAS_Attr<"Shared", "shared", [DeclareAttrInterfaceMethods<TileAS_LayoutAttrInterface, ["toLinearLayout", "isShared"]>, DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "shared memory, by the coordinates of each offset bit";
  let description = [{
    bases: one tile coordinate vector per bit of the element offset, flattened,
    `rank` numbers per basis; swizzles are XOR columns.
  }];
  let parameters = (ins "int32_t":$rank, ArrayRefParameter<"int32_t">:$bases);
  let hasCustomAssemblyFormat = 1;
}

def TileAS_AtomPlanAttr : TileAS_Attr<"AtomPlan", "atom_plan"> {
  let summary = "how a layout conversion is carried out";
  let description = [{
    tag 0: register to register, 1: through shared memory (seed 004, AtomPlan).
    vectorBytes: width of the widest access the plan uses.
  }];
  let parameters = (ins "int32_t":$tag, "int32_t":$vectorBytes);
  let assemblyFormat = "`<` `tag` `=` $tag `,` `vec` `=` $vectorBytes `>`";
}

def TileAS_MmaAtomAttr : TileAS_Attr<"MmaAtom", "mma_atom"> {
  let summary = "how a matrix product is cut into instructions and given to warps";
  let description = [{
    shape: m, n, k of one mma.sync instruction, and no `lanes`; or the box of
    results a thread computes with multiply-adds (k = 1), with `lanes` = lanes
    along m and n. element: what operands are converted to before they are
    multiplied. warps: warps along batch, m and n; more of them than the tile
    has parts compute copies. The layouts of the operands follow, see
    tileiras/Support/DotLayouts.h.
  }];
  let parameters = (ins "::mlir::Type":$element, ArrayRefParameter<"int32_t">:$shape, OptionalArrayRefParameter<"int32_t">:$lanes,
                        ArrayRefParameter<"int32_t">:$warps);
  let assemblyFormat = [{
    `<` $element `,` `shape` `=` `[` $shape `]` `,` `warps` `=` `[` $warps `]` (`,` `lanes` `=` `[` $lanes^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
}

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEAS_TD
