//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// nv_tileaa: alias-aware tiles. Tile values are builtin tensors (rank 0 tiles
// are plain scalars), pointers carry their pointee, memory operations carry
// ordering tokens. Op and attribute names: docs/contract.md.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_TILEAA_TD
#define TILEIRAS_DIALECT_TILEAA_IR_TILEAA_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def TileAA_Dialect : Dialect {
  let name = "nv_tileaa";
  let cppNamespace = "::mlir::nv_tileaa";
  let summary = "Alias-aware tile operations";
  let description = [{
    The first internal dialect below cuda_tile. A tile<SxT> is tensor<SxT>; a
    rank-0 tile is the scalar T; pointers are !nv_tileaa.ptr<T>. Shape
    operations (splat, broadcast, permute, ...) of this dialect survive into
    the nv_tileas stage, where their tensors carry layouts.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// Enumerations and attributes
//===----------------------------------------------------------------------===//

class TileAA_Enum<string name, string mnem, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, mnem, cases> {
  let cppNamespace = "::mlir::nv_tileaa";
  let genSpecializedAttr = 0;
}

// The codes are those of the public rounding enumeration (spec cuda-tile 1.2).
def TileAA_RoundingMode : TileAA_Enum<"RoundingMode", "rounding mode", [
    I32EnumAttrCase<"NearestEven", 0, "nearest_even">, I32EnumAttrCase<"Zero", 1, "zero">,
    I32EnumAttrCase<"NegativeInf", 2, "negative_inf">, I32EnumAttrCase<"PositiveInf", 3, "positive_inf">,
    I32EnumAttrCase<"Approx", 4, "approx">, I32EnumAttrCase<"Full", 5, "full">,
    I32EnumAttrCase<"NearestIntToZero", 6, "nearest_int_to_zero">, I32EnumAttrCase<"NearestAway", 7, "nearest_away">]>;
def TileAA_RoundingModeAttr : EnumAttr<TileAA_Dialect, TileAA_RoundingMode, "rounding_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

def TileAA_MemSemantic : TileAA_Enum<"MemSemantic", "memory ordering", [
    I32EnumAttrCase<"Weak", 0, "weak">, I32EnumAttrCase<"Relaxed", 1, "relaxed">,
    I32EnumAttrCase<"Acquire", 2, "acquire">, I32EnumAttrCase<"Release", 3, "release">,
    I32EnumAttrCase<"AcqRel", 4, "acq_rel">]>;
def TileAA_MemSemanticAttr : EnumAttr<TileAA_Dialect, TileAA_MemSemantic, "mem_semantic"> {
  let assemblyFormat = "`<` $value `>`";
}

def TileAA_MemScope : TileAA_Enum<"MemScope", "memory scope", [
    I32EnumAttrCase<"TlBlk", 0, "tl_blk">, I32EnumAttrCase<"Cluster", 1, "cluster">,
    I32EnumAttrCase<"Gpu", 2, "gpu">, I32EnumAttrCase<"Sys", 3, "sys">]>;
def TileAA_MemScopeAttr : EnumAttr<TileAA_Dialect, TileAA_MemScope, "mem_scope"> {
  let assemblyFormat = "`<` $value `>`";
}

def TileAA_PaddingValue : TileAA_Enum<"PaddingValue", "padding of elements outside the tensor", [
    I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"NegZero", 1, "neg_zero">,
    I32EnumAttrCase<"NaN", 2, "nan">, I32EnumAttrCase<"PosInf", 3, "pos_inf">,
    I32EnumAttrCase<"NegInf", 4, "neg_inf">]>;
def TileAA_PaddingValueAttr : EnumAttr<TileAA_Dialect, TileAA_PaddingValue, "padding_value"> {
  let assemblyFormat = "`<` $value `>`";
}

def TileAA_Signedness : TileAA_Enum<"Signedness", "how the bits of an integer operand are read", [
    I32EnumAttrCase<"Unsigned", 0, "unsigned">, I32EnumAttrCase<"Signed", 1, "signed">]>;
def TileAA_SignednessAttr : EnumAttr<TileAA_Dialect, TileAA_Signedness, "signedness"> {
  let assemblyFormat = "`<` $value `>`";
}

def TileAA_RMWMode : TileAA_Enum<"RMWMode", "atomic read-modify-write operation", [
    I32EnumAttrCase<"And", 0, "and">, I32EnumAttrCase<"Or", 1, "or">, I32EnumAttrCase<"Xor", 2, "xor">,
    I32EnumAttrCase<"Add", 3, "add">, I32EnumAttrCase<"AddF", 4, "addf">, I32EnumAttrCase<"Max", 5, "max">,
    I32EnumAttrCase<"Min", 6, "min">, I32EnumAttrCase<"UMax", 7, "umax">, I32EnumAttrCase<"UMin", 8, "umin">,
    I32EnumAttrCase<"Xchg", 9, "xchg">]>;
def TileAA_RMWModeAttr : EnumAttr<TileAA_Dialect, TileAA_RMWMode, "rmw_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

// What a load asks of the caches, in the words of PTX (ISA 9.7.9.1); `none` leaves it to the hardware.
def TileAA_CacheModifier : TileAA_Enum<"CacheModifier", "cache operator", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"CA", 1, "ca">, I32EnumAttrCase<"CG", 2, "cg">,
    I32EnumAttrCase<"CS", 3, "cs">, I32EnumAttrCase<"LU", 4, "lu">, I32EnumAttrCase<"CV", 5, "cv">]>;
def TileAA_CacheModifierAttr : EnumAttr<TileAA_Dialect, TileAA_CacheModifier, "cache_modifier"> {
  let assemblyFormat = "`<` $value `>`";
}

def TileAA_EvictionPolicy : TileAA_Enum<"EvictionPolicy", "which lines the cache gives up", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"First", 1, "first">, I32EnumAttrCase<"Last", 2, "last">,
    I32EnumAttrCase<"Normal", 3, "normal">]>;
def TileAA_EvictionPolicyAttr : EnumAttr<TileAA_Dialect, TileAA_EvictionPolicy, "eviction_policy"> {
  let assemblyFormat = "`<` $value `>`";
}

def TileAA_PropagateNan : TileAA_Enum<"PropagateNan", "what a NaN among the operands does", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"All", 1, "all">]>;
def TileAA_PropagateNanAttr : EnumAttr<TileAA_Dialect, TileAA_PropagateNan, "propagate_nan"> {
  let assemblyFormat = "`<` $value `>`";
}

// N images, C channels, W H D extents, slowest first.
def TileAA_ActivationLayout : TileAA_Enum<"ActivationLayout", "order of the dimensions of a convolution's input", [
    I32EnumAttrCase<"NWC", 0, "nwc">, I32EnumAttrCase<"NHWC", 1, "nhwc">, I32EnumAttrCase<"NDHWC", 2, "ndhwc">,
    I32EnumAttrCase<"NCW", 3, "ncw">, I32EnumAttrCase<"NCHW", 4, "nchw">, I32EnumAttrCase<"NCDHW", 5, "ncdhw">]>;
def TileAA_ActivationLayoutAttr : EnumAttr<TileAA_Dialect, TileAA_ActivationLayout, "activation_layout"> {
  let assemblyFormat = "`<` $value `>`";
}

class TileAA_Attr<string name, string mnem> : AttrDef<TileAA_Dialect, name> { let mnemonic = mnem; }

def TileAA_KernelSpecAttr : TileAA_Attr<"KernelSpec", "kernel_spec"> {
  let summary = "launch shape of a kernel";
  let description = [{
    numWarps: warps per CTA (total). clusterDim: CTAs per cluster along x, y, z.
    numCTAs: product of clusterDim. occupancy 0 means not requested.
    Built from the entry's optimization_hints (target key first, then default)
    with the num-warps / num-ctas options as fallback.
  }];
  let parameters = (ins "int32_t":$numWarps, "int32_t":$clusterDimX, "int32_t":$clusterDimY,
                        "int32_t":$clusterDimZ, "int32_t":$numCTAs);
  let assemblyFormat = [{
    `<` `numWarps` `=` $numWarps `,` `clusterDim` `=` `[` $clusterDimX `,` $clusterDimY `,` $clusterDimZ `]` `,`
        `numCTAs` `=` $numCTAs `>`
  }];
  let genVerifyDecl = 1;
}

def TileAA_DivByAttr : TileAA_Attr<"DivBy", "div_by"> {
  let summary = "every element (or the first of each group of `every` along `along`) is divisible by `divisor`";
  let parameters = (ins "uint64_t":$divisor, OptionalParameter<"std::optional<int64_t>">:$every,
                        OptionalParameter<"std::optional<int64_t>">:$along);
  let assemblyFormat = "`<` $divisor (`,` `every` $every^)? (`along` $along^)? `>`";
  let genVerifyDecl = 1;
}
def TileAA_BoundedAttr : TileAA_Attr<"Bounded", "bounded"> {
  let summary = "inclusive signed bounds; a missing side is unbounded";
  let parameters = (ins OptionalParameter<"std::optional<int64_t>">:$lb, OptionalParameter<"std::optional<int64_t>">:$ub);
  let assemblyFormat = "`<` (`lb` `=` $lb^)? (` ` `ub` `=` $ub^)? `>`";
  let genVerifyDecl = 1;
}
def TileAA_SameElementsAttr : TileAA_Attr<"SameElements", "same_elements"> {
  let summary = "every block of that shape holds one value";
  let parameters = (ins ArrayRefParameter<"int64_t">:$values);
  let assemblyFormat = "`<` `[` $values `]` `>`";
  let genVerifyDecl = 1;
}

def TileAA_ConvParamsAttr : TileAA_Attr<"ConvParams", "conv_params"> {
  let summary = "window of a convolution: per spatial dimension padding before and behind, stride and dilation";
  let parameters = (ins ArrayRefParameter<"int64_t">:$padLow, ArrayRefParameter<"int64_t">:$padHigh,
                        ArrayRefParameter<"int64_t">:$strides, ArrayRefParameter<"int64_t">:$dilations);
  let assemblyFormat = [{
    `<` `pad_low` `=` `[` $padLow `]` `,` `pad_high` `=` `[` $padHigh `]` `,` `strides` `=` `[` $strides `]` `,`
        `dilations` `=` `[` $dilations `]` `>`
  }];
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class TileAA_Type<string name, string mnem> : TypeDef<TileAA_Dialect, name> { let mnemonic = mnem; }

def TileAA_PtrType : TileAA_Type<"Ptr", "ptr"> {
  let summary = "global-memory address of a pointee";
  let parameters = (ins "::mlir::Type":$pointee);
  let assemblyFormat = "`<` $pointee `>`";
}

def TileAA_MemTokenType : TileAA_Type<"MemToken", "mem_token"> {
  let summary = "orders memory operations; carries no data";
}

def TileAA_MemRefType : TileAA_Type<"MemRef", "memref"> {
  let summary = "a strided tensor in global memory";
  let description = [{
    shape and strides (in elements) per dimension; ShapedType::kDynamic where
    known only at run time. Text: !nv_tileaa.memref<?x16xf32, strides = [?, 1]>.
  }];
  let parameters = (ins "::mlir::Type":$elementType, ArrayRefParameter<"int64_t">:$shape,
                        ArrayRefParameter<"int64_t">:$strides);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{ int64_t getRank() const { return getShape().size(); } }];
}

def TileAA_TiledViewType : TileAA_Type<"TiledView", "tiled_view"> {
  let summary = "a memref cut into tiles";
  let description = [{
    tileShape: extent per tile dimension. dimMap: tile dimension -> memref
    dimension (a permutation). traversalStrides: distance in elements between
    consecutive tiles per tile dimension; equals tileShape for a partition.
    padding: value of elements outside the memref on load; absent = unspecified.
    rounded: the element type of tiles where it is not the memref's. Only tf32, of an f32 memref: what is loaded is rounded
    to the nearest tf32, ties to even (infinities and NaNs stay), as tensor copies of type .tf32 do
    (docs/pipelines.md). Such a view is for loads only.
    Text: !nv_tileaa.tiled_view<[64, 32], dim_map = [0, 1], steps = [64, 32], padding = zero, rounded = tf32, !nv_tileaa.memref<...>>
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$tileShape, ArrayRefParameter<"int64_t">:$dimMap,
                        ArrayRefParameter<"int64_t">:$traversalStrides,
                        "std::optional<::mlir::nv_tileaa::PaddingValue>":$padding,
                        "::mlir::nv_tileaa::MemRefType":$source, "::mlir::Type":$rounded);
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$tileShape, "::llvm::ArrayRef<int64_t>":$dimMap,
                                   "::llvm::ArrayRef<int64_t>":$traversalStrides,
                                   "std::optional<::mlir::nv_tileaa::PaddingValue>":$padding,
                                   "::mlir::nv_tileaa::MemRefType":$source), [{
    return $_get($_ctxt, tileShape, dimMap, traversalStrides, padding, source, ::mlir::Type());
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getTileShape().size(); }
    /// Of tiles.
    ::mlir::Type getElementType() const { return getRounded() ? getRounded() : getSource().getElementType(); }
    /// The same array in other tiles.
    TiledViewType withTiles(::llvm::ArrayRef<int64_t> tileShape, ::llvm::ArrayRef<int64_t> traversalStrides) const {
      return get(getContext(), tileShape, getDimMap(), traversalStrides, getPadding(), getSource(), getRounded());
    }
    TiledViewType withPadding(std::optional<PaddingValue> padding) const {
      return get(getContext(), getTileShape(), getDimMap(), getTraversalStrides(), padding, getSource(), getRounded());
    }
    TiledViewType withRounded(::mlir::Type element) const {
      return get(getContext(), getTileShape(), getDimMap(), getTraversalStrides(), getPadding(), getSource(), element);
    }
  }];
}

def TileAA_ProgramIdType : TileAA_Type<"ProgramId", "program_id"> {
  let summary = "which tile block a persistent kernel works on next, or none";
}

def TileAA_QueueType : TileAA_Type<"Queue", "queue"> {
  let summary = "a first-in, first-out channel between agents; each entry holds one value of each type";
  let description = [{
    isolated: the regions of queue.put and queue.get use nothing from outside.
    Text: !nv_tileaa.queue<tensor<64x32xf16>, tensor<32x64xf16>, isolated>.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$types, "bool":$isolated);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // TILEIRAS_DIALECT_TILEAA_IR_TILEAA_TD
