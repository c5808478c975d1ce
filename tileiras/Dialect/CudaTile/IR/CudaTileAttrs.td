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
  let parameters = (ins "uint64_t":$divisor, OptionalParameter<"std::optional<int64_t>">:$every,
                        OptionalParameter<"std::optional<int64_t>">:$along);
  let genVerifyDecl = 1;
}
def CudaTile_SameElementsAttr : CudaTile_Predicate<"SameElements", "same_elements"> {
  let summary = "Every block of this shape holds one value";
  let parameters = (ins ArrayRefParameter<"int64_t">:$values);
}
def CudaTile_BoundedAttr : CudaTile_Predicate<"Bounded", "bounded"> {
  let summary = "Elements lie between two inclusive signed bounds";
  let parameters = (ins OptionalParameter<"std::optional<int64_t>">:$lb, OptionalParameter<"std::optional<int64_t>">:$ub);
}

def CudaTile_OptimizationHintsAttr : CudaTile_AttrDef<"OptimizationHints", "optimization_hints"> {
  let summary = "Per-architecture hints: a dictionary of dictionaries";
  let description = [{
    Keys are architectures (`sm_100`) or `default`. A lookup takes the entry of the architecture first, then
    `default`, and ignores values that are not valid for the hint.
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
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::StringAttr":$directory);
  let assemblyFormat = "`<` $name `in` $directory `>`";
}
def CudaTile_DICompileUnitAttr : CudaTile_AttrDef<"DICompileUnit", "di_compile_unit"> {
  let parameters = (ins "::mlir::cuda_tile::DIFileAttr":$file);
  let assemblyFormat = "`<` struct(params) `>`";
}
def CudaTile_DISubprogramAttr : CudaTile_AttrDef<"DISubprogram", "di_subprogram"> {
  let parameters = (ins "::mlir::cuda_tile::DIFileAttr":$file, "unsigned":$line, "::mlir::StringAttr":$name,
                        "::mlir::StringAttr":$linkageName, "::mlir::cuda_tile::DICompileUnitAttr":$compileUnit,
                        OptionalParameter<"unsigned">:$scopeLine);
  let assemblyFormat = "`<` struct(params) `>`";
}
def CudaTile_DILexicalBlockAttr : CudaTile_AttrDef<"DILexicalBlock", "di_lexical_block"> {
  // The scope is a subprogram or another lexical block.
  let parameters = (ins "::mlir::Attribute":$scope, "::mlir::cuda_tile::DIFileAttr":$file, "unsigned":$line,
                        OptionalParameter<"unsigned">:$column);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}
def CudaTile_DILocAttr : LocationAttrDef<CudaTile_Dialect, "DILoc"> {
  let summary = "A source position inside a debug-info scope";
  let mnemonic = "di_loc";
  let attrName = "cuda_tile.di_loc";
  // The scope is a subprogram or a lexical block.
  let parameters = (ins "::mlir::FileLineColLoc":$sourceLoc, "::mlir::Attribute":$scope);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif
