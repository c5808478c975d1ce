//===- CudaTileOpBase.td - Operand classes and op bases ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_OPBASE_TD
#define TILEIRAS_CUDATILE_OPBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileAttrs.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileTypes.td"

//===----------------------------------------------------------------------===//
// Groups of the reference page (build/docs/cuda_tile-ops.md)
//===----------------------------------------------------------------------===//

class CudaTile_DocGroup<string title, string text> : OpDocGroup {
  let summary = title;
  let description = text;
}

def CudaTile_AtomicGroup : CudaTile_DocGroup<"Atomics",
    "Read-modify-write operations that other tile blocks and grids cannot tear apart.">;
def CudaTile_BitwiseGroup : CudaTile_DocGroup<"Bitwise", "Element by element, on the bits of integers.">;
def CudaTile_ControlFlowGroup : CudaTile_DocGroup<"Control flow",
    "Structured: one decision for the whole tile block, values carried through arguments and results.">;
def CudaTile_ConversionGroup : CudaTile_DocGroup<"Conversions", "Element by element, to another element type.">;
def CudaTile_CoreGroup : CudaTile_DocGroup<"Core",
    "The frame of a program, constants, and operations that move elements without looking at them.">;
def CudaTile_FloatGroup : CudaTile_DocGroup<"Floating point",
    "Element by element. Functions without a rounding mode are accurate to a few ulp, the rest is rounded as IEEE 754"
    " says.">;
def CudaTile_IntegerGroup : CudaTile_DocGroup<"Integer",
    "Element by element, in two's complement. Types have no sign: operations that need one take `signed` or"
    " `unsigned`.">;
def CudaTile_MatrixGroup : CudaTile_DocGroup<"Matrix products", "What tensor cores do.">;
def CudaTile_MemoryGroup : CudaTile_DocGroup<"Memory",
    "Accesses through tiles of pointers, and tokens. Program order does *not* order operations whose name ends in"
    " `_tko`: data and tokens do, and nothing else. Atomics, view accesses and `print_tko` follow the same rule.">;
def CudaTile_MiscGroup : CudaTile_DocGroup<"Miscellaneous", "Promises to the compiler, and output.">;
def CudaTile_ViewGroup : CudaTile_DocGroup<"Views",
    "A tensor view is a tensor in global memory, a tile view a way to cut it into tiles; accesses name a tile by its"
    " indices.">;

//===----------------------------------------------------------------------===//
// Operand classes. Their texts are part of the public diagnostics.
//===----------------------------------------------------------------------===//

class TileOf<string pred, string prefix, string elements>
    : Type<CPred<"::mlir::cuda_tile::isTileOf($_self, ::mlir::cuda_tile::" # pred # ")">,
           prefix # "tile of " # elements # " values", "::mlir::cuda_tile::TileType">;
class ScalarTileOf<string pred, string elements>
    : Type<CPred<"::mlir::cuda_tile::isScalarTileOf($_self, ::mlir::cuda_tile::" # pred # ")">,
           "0D tile of " # elements # " values", "::mlir::cuda_tile::TileType">;

defvar ints = "i1 or i8 or i16 or i32 or i64";
defvar baseFloats = "f16 or bf16 or f32 or f64";
defvar floats = baseFloats # " or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN";

def CudaTile_Int : TileOf<"isInt", "", ints>;
def CudaTile_IntOrI4 : TileOf<"isIntOrI4", "", ints # " or i4">;
def CudaTile_BaseFloat : TileOf<"isBaseFloat", "", baseFloats>;
def CudaTile_Float : TileOf<"isFloat", "", floats>;
// Not with `#`, which takes the name of a variable on its right for a string.
def CudaTile_Number : TileOf<"isNumber", "", !strconcat(ints, " or ", floats)>;
def CudaTile_NumberOrI4 : TileOf<"isNumberOrI4", "", !strconcat(ints, " or ", floats, " or i4")>;
def CudaTile_Ptr : TileOf<"isPointer", "", "Pointer type">;
def CudaTile_Bool : TileOf<"isI1", "", "i1">;
def CudaTile_I8 : TileOf<"isI8", "", "i8">;
def CudaTile_I64Tile : TileOf<"isI64", "", "i64">;
def CudaTile_IntScalar : ScalarTileOf<"isInt", ints>;
def CudaTile_I32Scalar : ScalarTileOf<"isI32", "i32">;
def CudaTile_BoolScalar : ScalarTileOf<"isI1", "i1">;
def CudaTile_PtrScalar : ScalarTileOf<"isPointer", "Pointer type">;
def CudaTile_PowIExponent : TileOf<"isIntUpTo32", "", "i1 or i8 or i16 or i32">;
def CudaTile_MmaFOperand : TileOf<"isMmaFOperand", "mmaf operand ",
    "f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2"> { let summary = "mmaf operand tile type of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 values"; }
def CudaTile_MmaFAcc : TileOf<"isMmaFAcc", "", ""> { let summary = "mmaf acc/result tile type of f16 or f32 or f64 values"; }
def CudaTile_MmaIOperand : TileOf<"isI8", "", ""> { let summary = "mmai operand tile type of i8 values"; }
def CudaTile_MmaIAcc : TileOf<"isI32", "", ""> { let summary = "mmai acc tile type of i32 values"; }
def CudaTile_MmaIResult : TileOf<"isI32", "", ""> { let summary = "mmai result tile type of i32 values"; }
def CudaTile_MmaFScaledOperand : TileOf<"isMmaFScaledOperand", "", ""> {
  let summary = "mmaf_scaled operand tile type of f8E4M3FN or f8E5M2 or f4E2M1FN values";
}
def CudaTile_MmaFScaledScale : TileOf<"isMmaFScaledScale", "", ""> {
  let summary = "mmaf_scaled scale tile type of f8E4M3FN or f8E8M0FNU values";
}
def CudaTile_MmaFScaledResult : TileOf<"isF32", "", ""> { let summary = "mmaf_scaled result tile type of f32 values"; }

def CudaTile_Tile : Type<CPred<"::llvm::isa<::mlir::cuda_tile::TileType>($_self)">, "Tile type",
                         "::mlir::cuda_tile::TileType">;
def CudaTile_Token : Type<CPred<"::llvm::isa<::mlir::cuda_tile::TokenType>($_self)">, "cuda tile token type",
                          "::mlir::cuda_tile::TokenType">,
                     BuildableType<"::mlir::cuda_tile::TokenType::get($_builder.getContext())">;
def CudaTile_TensorView : Type<CPred<"::llvm::isa<::mlir::cuda_tile::TensorViewType>($_self)">, "tensor view type",
                               "::mlir::cuda_tile::TensorViewType">;
def CudaTile_TileView : Type<CPred<"::llvm::isa<::mlir::cuda_tile::TileView>($_self)">, "TileView instance",
                             "::mlir::cuda_tile::TileView">;
class ViewOf<string cls, string text> : Type<CPred<"::llvm::isa<::mlir::cuda_tile::" # cls # ">($_self)">, text,
                                             "::mlir::cuda_tile::" # cls>;
def CudaTile_PartitionView : ViewOf<"PartitionViewType", "partition view type">;
def CudaTile_StridedView : ViewOf<"StridedViewType", "strided view type">;
def CudaTile_GatherScatterView : ViewOf<"GatherScatterViewType", "gather scatter view type">;

// A literal of integers or floats whose type is the tile.
def CudaTile_DenseAttr : Attr<CPred<"::llvm::isa<::mlir::DenseIntOrFPElementsAttr>($_self)">,
                              "dense integer or floating-point elements"> {
  let storageType = "::mlir::DenseIntOrFPElementsAttr";
  let returnType = "::mlir::DenseIntOrFPElementsAttr";
  let convertFromStorage = "$_self";
}

//===----------------------------------------------------------------------===//
// Traits
//===----------------------------------------------------------------------===//

class SameElementTypeTrait<list<string> names> : PredOpTrait<
    "all of {" # !interleave(names, ", ") # "} have the same element type",
    AllMatchSameOperatorPred<names, "::mlir::getElementTypeOrSelf($_self.getType())">>;

class MmaTraits<list<Trait> more = []> {
  list<Trait> all = [Pure, AllTypesMatch<["acc", "result"]>, SameElementTypeTrait<["lhs", "rhs"]>,
                     AllRanksMatch<["lhs", "rhs", "acc"]>] # more;
}

class DefaultRounding<string mode> : DefaultValuedAttr<CudaTile_RoundingModeAttr,
    "::mlir::cuda_tile::RoundingMode::" # mode>;
def DefaultOverflow : DefaultValuedAttr<CudaTile_OverflowAttr, "::mlir::cuda_tile::Overflow::None">;

//===----------------------------------------------------------------------===//
// Bases
//===----------------------------------------------------------------------===//

class CudaTile_Op<string mnemonic, list<Trait> traits = []> : Op<CudaTile_Dialect, mnemonic, traits>;

// Ops whose regions are written without the `cuda_tile.` prefix.
def DefaultDialectScope : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>;
defvar scopeDeclaration = [{
    static ::llvm::StringRef getDefaultDialect() { return "cuda_tile"; }
}];

class UnaryOp<string mnemonic, TypeConstraint type, list<Trait> traits = []>
    : CudaTile_Op<mnemonic, [Pure, Elementwise, AllTypesMatch<["source", "result"]>] # traits> {
  let arguments = (ins type:$source);
  let results = (outs type:$result);
  let assemblyFormat = "$source attr-dict `:` custom<CudaTileType>(type($result))";
}
class BinaryOp<string mnemonic, TypeConstraint type, list<Trait> traits = [Pure],
               list<string> same = ["lhs", "rhs", "result"]>
    : CudaTile_Op<mnemonic, traits # [Elementwise, AllTypesMatch<same>]> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` custom<CudaTileType>(type($result))";
}
class SignedBinaryOp<string mnemonic, list<string> same = ["lhs", "rhs", "result"]>
    : BinaryOp<mnemonic, CudaTile_Int, [Pure], same> {
  let arguments = (ins CudaTile_Int:$lhs, CudaTile_Int:$rhs, CudaTile_SignednessAttr:$signedness);
  let assemblyFormat = [{
    $lhs `,` $rhs custom<Signedness>($signedness) attr-dict `:` custom<CudaTileType>(type($result))
  }];
}
class OverflowBinaryOp<string mnemonic> : BinaryOp<mnemonic, CudaTile_Int> {
  let arguments = (ins CudaTile_Int:$lhs, CudaTile_Int:$rhs, DefaultOverflow:$overflow);
  let assemblyFormat = [{
    $lhs `,` $rhs (`overflow` `` $overflow^)? attr-dict `:` custom<CudaTileType>(type($result))
  }];
}
class RoundedBinaryOp<string mnemonic> : BinaryOp<mnemonic, CudaTile_BaseFloat> {
  let arguments = (ins CudaTile_BaseFloat:$lhs, CudaTile_BaseFloat:$rhs,
                       DefaultRounding<"NearestEven">:$rounding_mode, UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<IEEERounding>($rounding_mode) (`flush_to_zero` $flush_to_zero^)? attr-dict
    `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}
class MinMaxFOp<string mnemonic> : BinaryOp<mnemonic, CudaTile_BaseFloat> {
  let arguments = (ins CudaTile_BaseFloat:$lhs, CudaTile_BaseFloat:$rhs, UnitAttr:$propagate_nan,
                       UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $lhs `,` $rhs oilist(`flush_to_zero` $flush_to_zero | `propagate_nan` $propagate_nan) attr-dict
    `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

class ComparisonOp<string mnemonic> : CudaTile_Op<mnemonic, [Pure, Elementwise,
    AllTypesMatch<["lhs", "rhs"]>,
    PredOpTrait<"Result type has i1 element type and same shape as operands",
                CPred<"$result.getType() == ::llvm::cast<::mlir::cuda_tile::TileType>($lhs.getType())"
                      ".withElementType(::mlir::IntegerType::get($_op.getContext(), 1))">>]> {
  let results = (outs CudaTile_Bool:$result);
}

#endif
