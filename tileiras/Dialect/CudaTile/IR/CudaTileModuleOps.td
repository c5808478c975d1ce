//===- CudaTileModuleOps.td - Module, entry, globals, grid ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_MODULEOPS_TD
#define TILEIRAS_CUDATILE_MODULEOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

let opDocGroup = CudaTile_CoreGroup in {

def CudaTile_ModuleOp : CudaTile_Op<"module", [IsolatedFromAbove, SymbolTable, Symbol, SingleBlock, NoTerminator,
    NoRegionArguments, OpAsmOpInterface, RegionKindInterface]> {
  let summary = "A program: entries and globals";
  let description = [{
    The unit that is compiled and loaded. Holds `entry` and `global` in any order; names are unique within it.
    `producer` says which front end wrote it. Inside, the prefix `cuda_tile.` is left out. Bytecode holds one module
    and does not keep its name: a module that is read back is called @kernels.

    Since 13.1, `producer` since 13.3.

    ```mlir
    // $ tileiras-run module.mlir --entry=second
    // second of two
    cuda_tile.module @kernels attributes {producer = "by hand"} {
      entry @first() {
      }
      entry @second() {
        %t = print_tko "second of two\n" -> token
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$producer);
  let regions = (region SizedRegion<1>:$bodyRegion);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $bodyRegion";
  let extraClassDeclaration = scopeDeclaration # [{
    static ::mlir::RegionKind getRegionKind(unsigned) { return ::mlir::RegionKind::Graph; }
  }];
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name)>];
}

def CudaTile_EntryOp : CudaTile_Op<"entry", [IsolatedFromAbove, FunctionOpInterface,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    SingleBlockImplicitTerminator<"::mlir::cuda_tile::ReturnOp">]> {
  let summary = "A kernel";
  let description = [{
    Code that every tile block of a grid of up to three dimensions executes once, in no particular order and perhaps
    at the same time. Arguments are tiles of rank 0, numbers or pointers, the same for all tile blocks.
    `optimization_hints` (`num_cta_in_cga`, `num_worker_warps_per_cta`, `occupancy`) advise the compiler and never
    change results. A missing `return` at the end is added.

    Errors: "entry op must not return values"; "entry op must have scalar types (rank 0 !cuda_tile.tile), but got
    ..". Since 13.1.

    ```mlir
    // $ tileiras-run entry.mlir --grid=4 'out:y:i32[4]=zeros' i32=10 --show=y
    // y: 10 11 12 13
    cuda_tile.module @kernels {
      entry @example(%y: tile<ptr<i32>>, %first: tile<i32>)
          optimization_hints=<sm_100 = {num_cta_in_cga = 2}, default = {occupancy = 4}> {
        %i, %j, %k = get_tile_block_id : tile<i32>
        %v = addi %first, %i : tile<i32>
        %p = offset %y, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %t = store_ptr_tko weak %p, %v : tile<ptr<i32>>, tile<i32> -> token
        return
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
                                 CArg<"::mlir::cuda_tile::OptimizationHintsAttr", "{}">:$hints)>];
  let extraClassDeclaration = scopeDeclaration # [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::LogicalResult verifyType();
  }];
}

def CudaTile_GlobalOp : CudaTile_Op<"global", [Symbol, HasParent<"::mlir::cuda_tile::ModuleOp">]> {
  let summary = "Device memory that lives as long as the loaded module";
  let description = [{
    An array in global memory, initialised when the module is loaded, not when a kernel starts: what one launch
    stores the next one sees. `constant` promises that nobody writes it. `private` hides the symbol from other
    modules. `alignment` is in bytes; 0, the default, means that of the element.

    The value is a literal of rank 1 of any element type but i4 and pointers. Errors: "type must have rank 1";
    "alignment must be zero or a power of two, but got .."; a place other than a `module`. Since 13.1, `constant`
    and visibility since 13.3.

    ```mlir
    // $ tileiras-run global.mlir --grid=3
    // 100
    // 101
    // 102
    cuda_tile.module @kernels {
      global private @counter alignment = 16 <i32: [100]> : tile<1xi32>
      entry @example() {
        %p = get_global @counter : tile<ptr<i32>>
        %one = constant <i32: 1> : tile<i32>
        %old, %t0 = atomic_rmw_tko relaxed device %p, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
        %t1 = print_tko "%d\n", %old : tile<i32> -> token
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, CudaTile_DenseAttr:$value,
                       DefaultValuedAttr<I64Attr, "0">:$alignment, UnitAttr:$constant,
                       DefaultValuedAttr<CudaTile_SymbolVisibilityAttr,
                                         "::mlir::cuda_tile::SymbolVisibility::Public">:$symbol_visibility);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::cuda_tile::TileType getType() { return ::llvm::cast<::mlir::cuda_tile::TileType>(getValue().getType()); }
  }];
}

def CudaTile_GetGlobalOp : CudaTile_Op<"get_global", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Address of a global";
  let description = [{
    A pointer to the first element of a `global` of the same module.

    The result is a rank-0 tile of a pointer to the global's element type. Errors: a name that is no global of the
    module; a pointee other than the global's element type. Since 13.1.

    ```mlir
    // $ tileiras-run get_global.mlir
    // third digit 4
    cuda_tile.module @kernels {
      global constant @digits <i32: [3, 1, 4, 1]> : tile<4xi32>
      entry @example() {
        %p = get_global @digits : tile<ptr<i32>>
        %two = constant <i32: 2> : tile<i32>
        %q = offset %p, %two : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %v, %t0 = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token
        %t1 = print_tko "third digit %d\n", %v : tile<i32> -> token
      }
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs CudaTile_PtrScalar:$result);
  let assemblyFormat = "$name attr-dict `:` custom<CudaTileType>(type($result))";
}

class BlockCoordinatesOp<string mnemonic, string prefix> : CudaTile_Op<mnemonic, [Pure,
    AllTypesMatch<[prefix # "_x", prefix # "_y", prefix # "_z"]>]> {
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($" # prefix # "_x))";
}

def CudaTile_GetTileBlockIdOp : BlockCoordinatesOp<"get_tile_block_id", "blockId"> {
  let summary = "Coordinates of this tile block in the grid";
  let description = [{
    Three numbers (x, y, z), each from 0 to the grid's extent minus one; 0 along dimensions that the launch does not
    use. The type, which is written once, is always `tile<i32>`; values stay below 2^24. Since 13.1.

    ```mlir
    // $ tileiras-run get_tile_block_id.mlir --grid=2,2
    // block 0 0 0
    // block 1 0 0
    // block 0 1 0
    // block 1 1 0
    cuda_tile.module @kernels {
      entry @example() {
        %x, %y, %z = get_tile_block_id : tile<i32>
        %t = print_tko "block %d %d %d\n", %x, %y, %z : tile<i32>, tile<i32>, tile<i32> -> token
      }
    }
    ```
  }];
  let results = (outs CudaTile_I32Scalar:$blockId_x, CudaTile_I32Scalar:$blockId_y, CudaTile_I32Scalar:$blockId_z);
}

def CudaTile_GetNumTileBlocksOp : BlockCoordinatesOp<"get_num_tile_blocks", "gridSize"> {
  let summary = "Extents of the grid of tile blocks";
  let description = [{
    Three numbers (x, y, z), the extents of the launch; 1 along dimensions that it does not use, at most 2^24 - 1.
    They count tile blocks, whatever number of thread blocks or clusters the compiler makes of them. The type, which
    is written once, is always `tile<i32>`. Since 13.1.

    ```mlir
    // $ tileiras-run get_num_tile_blocks.mlir --grid=2
    // 1 of 2 1 1
    // 2 of 2 1 1
    cuda_tile.module @kernels {
      entry @example() {
        %x, %y, %z = get_tile_block_id : tile<i32>
        %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
        %one = constant <i32: 1> : tile<i32>
        %n = addi %x, %one : tile<i32>
        %t = print_tko "%d of %d %d %d\n", %n, %nx, %ny, %nz : tile<i32>, tile<i32>, tile<i32>, tile<i32> -> token
      }
    }
    ```
  }];
  let results = (outs CudaTile_I32Scalar:$gridSize_x, CudaTile_I32Scalar:$gridSize_y, CudaTile_I32Scalar:$gridSize_z);
}

} // opDocGroup

#endif
