//===- CudaTileAttrs.td - Structured attributes ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_ATTRS_TD
#define TILEIRAS_CUDATILE_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileEnums.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileInterfaces.td"

class CudaTile_AttrDef<string name, string mn, list<Trait> traits = []> : AttrDef<CudaTile_Dialect, name, traits> {
  let mnemonic = mn;
}
class CudaTile_Predicate<string name, string mn> : CudaTile_AttrDef<name, mn,
    [DeclareAttrInterfaceMethods<CudaTile_AssumePredicateInterface>]> {
  let hasCustomAssemblyFormat = 1;
}

def CudaTile_DivByAttr : CudaTile_Predicate<"DivBy", "div_by"> {
  let summary = "Elements (or the first of every group of `every` along `along`) are multiples of the divisor";
  let description = [{
    A predicate of `assume`. `div_by<16>`: every element is a multiple of 16; of pointers and tensor views, the
    address in bytes. `div_by<16, every 4 along 0>`: along dimension 0 every fourth element is, and the three after
    it count up by one (for pointers, by the pointee's size).

    For tiles of integers or pointers; without `every`, also for rank-0 tiles and tensor views. Errors: "divisor
    must be a power of 2", "divisor is too large" (above 2^62), a dimension or group that the tile does not have.
  }];
  let parameters = (ins "uint64_t":$divisor, OptionalParameter<"std::optional<int64_t>">:$every,
                        OptionalParameter<"std::optional<int64_t>">:$along);
}
def CudaTile_SameElementsAttr : CudaTile_Predicate<"SameElements", "same_elements"> {
  let summary = "Every block of this shape holds one value";
  let description = [{
    A predicate of `assume`. `same_elements<[1, 4]>`: cut into blocks of 1x4, the elements of each block are equal.
    One number per dimension, from 0 to the extent; for tiles of integers or pointers.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$values);
}
def CudaTile_BoundedAttr : CudaTile_Predicate<"Bounded", "bounded"> {
  let summary = "Elements lie between two inclusive signed bounds";
  let description = [{
    A predicate of `assume`. `bounded<0, ?>`, `bounded<?, 127>`, `bounded<-4, 4>`: every element, read as signed, is
    at least the first and at most the second number; `?` leaves a side open. For tiles of integers; bounds must fit
    the width, in order.
  }];
  let parameters = (ins OptionalParameter<"std::optional<int64_t>">:$lb, OptionalParameter<"std::optional<int64_t>">:$ub);
}

def CudaTile_OptimizationHintsAttr : CudaTile_AttrDef<"OptimizationHints", "optimization_hints"> {
  let summary = "Per-architecture hints: a dictionary of dictionaries";
  let description = [{
    `optimization_hints=<sm_100 = {num_cta_in_cga = 2}, default = {occupancy = 4}>`. Keys are architectures or
    `default`. A lookup takes the entry of the architecture first, then `default`, and ignores values that are not
    valid for the hint. Hints never change results; bad ones are reported only if a tool is asked to.

    | hint | of | value |
    |---|---|---|
    | `num_cta_in_cga` | `entry` | thread blocks that share a tile block: a power of two up to 16, 1 below sm_90 |
    | `num_worker_warps_per_cta` | `entry` | a power of two up to 32, of which 4 to 8 is used |
    | `occupancy` | `entry` | thread blocks per multiprocessor to aim at, 1 to 32 |
    | `latency` | loads and stores | how slow the access will be, 1 to 10: the deeper it is pipelined |
    | `allow_tma` | view loads and stores | whether the tensor memory accelerator may be used |
  }];
  let parameters = (ins "::mlir::DictionaryAttr":$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The raw value of a hint for an architecture ("sm_100"), or null.
    ::mlir::Attribute lookup(::llvm::StringRef arch, ::llvm::StringRef key) const;
    std::optional<int64_t> lookupInt(::llvm::StringRef arch, ::llvm::StringRef key) const;
    std::optional<bool> lookupBool(::llvm::StringRef arch, ::llvm::StringRef key) const;
    std::optional<int64_t> getNumCTAInCGA(::llvm::StringRef arch) const;
    std::optional<int64_t> getNumWorkerWarpsPerCTA(::llvm::StringRef arch) const;
    std::optional<int64_t> getOccupancy(::llvm::StringRef arch) const;
    std::optional<bool> getAllowTMA(::llvm::StringRef arch) const;
    std::optional<int64_t> getLatency(::llvm::StringRef arch) const;
  }];
}

//===----------------------------------------------------------------------===//
// Debug information
//===----------------------------------------------------------------------===//

def CudaTile_DIFileAttr : CudaTile_AttrDef<"DIFile", "di_file"> {
  let summary = "Debug information: a source file";
  let description = [{ `#cuda_tile.di_file<"a.py" in "/src">`: a name and the directory it is relative to. }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::StringAttr":$directory);
  let assemblyFormat = "`<` $name `in` $directory `>`";
}
def CudaTile_DICompileUnitAttr : CudaTile_AttrDef<"DICompileUnit", "di_compile_unit"> {
  let summary = "Debug information: what was compiled together";
  let description = [{ `#cuda_tile.di_compile_unit<file = #f>`: named by its main file. }];
  let parameters = (ins "::mlir::cuda_tile::DIFileAttr":$file);
  let assemblyFormat = "`<` struct(params) `>`";
}
def CudaTile_DISubprogramAttr : CudaTile_AttrDef<"DISubprogram", "di_subprogram"> {
  let summary = "Debug information: a kernel in the source";
  let description = [{
    `#cuda_tile.di_subprogram<file = #f, line = 3, name = "k", linkageName = "k", compileUnit = #cu, scopeLine =
    4>`. The scope of the location of an `entry`, whose symbol is the linkage name; `scopeLine`, where the body
    starts, may be left out.
  }];
  let parameters = (ins "::mlir::cuda_tile::DIFileAttr":$file, "unsigned":$line, "::mlir::StringAttr":$name,
                        "::mlir::StringAttr":$linkageName, "::mlir::cuda_tile::DICompileUnitAttr":$compileUnit,
                        OptionalParameter<"unsigned">:$scopeLine);
  let assemblyFormat = "`<` struct(params) `>`";
}
def CudaTile_DILexicalBlockAttr : CudaTile_AttrDef<"DILexicalBlock", "di_lexical_block"> {
  let summary = "Debug information: a block in the source";
  let description = [{
    `#cuda_tile.di_lexical_block<scope = #sp, file = #f, line = 5, column = 2>`: a scope within a subprogram or
    another block. The column may be left out.
  }];
  // The scope is a subprogram or another lexical block.
  let parameters = (ins "::mlir::Attribute":$scope, "::mlir::cuda_tile::DIFileAttr":$file, "unsigned":$line,
                        OptionalParameter<"unsigned">:$column);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}
def CudaTile_DILocAttr : LocationAttrDef<CudaTile_Dialect, "DILoc"> {
  let summary = "A source position inside a debug-info scope";
  let description = [{
    `#cuda_tile.di_loc<loc("a.py":5:2) in #sp>`, a location. Operations may have one if their entry has one, and in
    the same subprogram; a `global` has none. Where functions were inlined, a call-site location holds one for each
    call.
  }];
  let mnemonic = "di_loc";
  let attrName = "cuda_tile.di_loc";
  // The scope is a subprogram or a lexical block.
  let parameters = (ins "::mlir::FileLineColLoc":$sourceLoc, "::mlir::Attribute":$scope);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif
