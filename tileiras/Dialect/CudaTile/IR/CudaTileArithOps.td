//===- CudaTileArithOps.td - Floating-point, integer and bitwise arithmetic ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_ARITHOPS_TD
#define TILEIRAS_CUDATILE_ARITHOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

def CudaTile_AbsFOp : UnaryOp<"absf", CudaTile_BaseFloat, [SameOperandsAndResultShape]>;
def CudaTile_NegFOp : UnaryOp<"negf", CudaTile_BaseFloat>;
def CudaTile_CeilOp : UnaryOp<"ceil", CudaTile_BaseFloat>;
def CudaTile_FloorOp : UnaryOp<"floor", CudaTile_BaseFloat>;
def CudaTile_CosOp : UnaryOp<"cos", CudaTile_BaseFloat>;
def CudaTile_SinOp : UnaryOp<"sin", CudaTile_BaseFloat>;
def CudaTile_TanOp : UnaryOp<"tan", CudaTile_BaseFloat>;
def CudaTile_CosHOp : UnaryOp<"cosh", CudaTile_BaseFloat>;
def CudaTile_SinHOp : UnaryOp<"sinh", CudaTile_BaseFloat>;
def CudaTile_LogOp : UnaryOp<"log", CudaTile_BaseFloat>;
def CudaTile_Log2Op : UnaryOp<"log2", CudaTile_BaseFloat>;

class UnaryWithFullRounding<string mnemonic> : UnaryOp<mnemonic, CudaTile_BaseFloat> {
  let arguments = (ins CudaTile_BaseFloat:$source, DefaultRounding<"Full">:$rounding_mode);
  let assemblyFormat = [{
    $source (`rounding` `` $rounding_mode^)? attr-dict `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}
def CudaTile_ExpOp : UnaryWithFullRounding<"exp">;
def CudaTile_TanHOp : UnaryWithFullRounding<"tanh">;

class UnaryWithFlush<string mnemonic> : UnaryOp<mnemonic, CudaTile_BaseFloat> {
  let arguments = (ins CudaTile_BaseFloat:$source, UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $source (`flush_to_zero` $flush_to_zero^)? attr-dict `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}
def CudaTile_Exp2Op : UnaryWithFlush<"exp2">;
def CudaTile_RsqrtOp : UnaryWithFlush<"rsqrt">;
def CudaTile_SqrtOp : UnaryOp<"sqrt", CudaTile_BaseFloat> {
  let arguments = (ins CudaTile_BaseFloat:$source, DefaultRounding<"NearestEven">:$rounding_mode,
                       UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $source (`rounding` `` $rounding_mode^)? (`flush_to_zero` $flush_to_zero^)? attr-dict
    `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_AddFOp : RoundedBinaryOp<"addf"> { let hasCanonicalizer = 1; }
def CudaTile_SubFOp : RoundedBinaryOp<"subf">;
def CudaTile_MulFOp : RoundedBinaryOp<"mulf">;
def CudaTile_DivFOp : RoundedBinaryOp<"divf"> {
  let description = [{
    `approx`: 2 ulp for |rhs| in [2^-126, 2^126]; `full`: 2 ulp over the whole range. Both f32 only.
  }];
}
def CudaTile_RemFOp : BinaryOp<"remf", CudaTile_BaseFloat> {
  let description = [{ Truncated remainder: the sign is that of the dividend. }];
}
def CudaTile_MaxFOp : MinMaxFOp<"maxf"> {
  let description = [{
    Without `propagate_nan` IEEE maximumNumber, with it maximum. +0 is larger than -0.
  }];
}
def CudaTile_MinFOp : MinMaxFOp<"minf">;

def CudaTile_FPowFOp : CudaTile_Op<"fpowf", [Pure, Elementwise, AllTypesMatch<["source", "exponent", "result"]>]> {
  let summary = "source ^ exponent (spelled `pow` before 13.4)";
  let arguments = (ins CudaTile_BaseFloat:$source, CudaTile_BaseFloat:$exponent);
  let results = (outs CudaTile_BaseFloat:$result);
  let assemblyFormat = "$source `,` $exponent attr-dict `:` custom<CudaTileType>(type($result))";
}
def CudaTile_FPowIOp : CudaTile_Op<"fpowi", [Pure, Elementwise, AllShapesMatch<["source", "exponent"]>,
                                             AllTypesMatch<["source", "result"]>]> {
  let summary = "source ^ exponent with a signed integer exponent";
  let arguments = (ins CudaTile_BaseFloat:$source, CudaTile_PowIExponent:$exponent);
  let results = (outs CudaTile_BaseFloat:$result);
  let assemblyFormat = [{
    $source `,` $exponent attr-dict `:` custom<CudaTileType>(type($source)) `,` custom<CudaTileType>(type($exponent))
  }];
}
def CudaTile_Atan2Op : CudaTile_Op<"atan2", [Pure, Elementwise, AllTypesMatch<["x", "y", "result"]>]> {
  let arguments = (ins CudaTile_BaseFloat:$x, CudaTile_BaseFloat:$y);
  let results = (outs CudaTile_BaseFloat:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` custom<CudaTileType>(type($result))";
}
def CudaTile_FmaOp : CudaTile_Op<"fma", [Pure, Elementwise, AllTypesMatch<["lhs", "rhs", "acc", "result"]>]> {
  let arguments = (ins CudaTile_BaseFloat:$lhs, CudaTile_BaseFloat:$rhs, CudaTile_BaseFloat:$acc,
                       DefaultRounding<"NearestEven">:$rounding_mode, UnitAttr:$flush_to_zero);
  let results = (outs CudaTile_BaseFloat:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`rounding` `` $rounding_mode^)? (`flush_to_zero` $flush_to_zero^)? attr-dict
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
def CudaTile_CmpFOp : ComparisonOp<"cmpf"> {
  let arguments = (ins CudaTile_ComparisonPredicateAttr:$comparison_predicate,
                       CudaTile_ComparisonOrderingAttr:$comparison_ordering,
                       CudaTile_BaseFloat:$lhs, CudaTile_BaseFloat:$rhs);
  let assemblyFormat = [{
    custom<ComparisonPredicate>($comparison_predicate) custom<ComparisonOrdering>($comparison_ordering)
    $lhs `,` $rhs attr-dict `:` custom<CudaTileType>(type($lhs)) `->` custom<CudaTileType>(type($result))
  }];
}
def CudaTile_CmpIOp : ComparisonOp<"cmpi"> {
  let arguments = (ins CudaTile_ComparisonPredicateAttr:$comparison_predicate, CudaTile_Int:$lhs, CudaTile_Int:$rhs,
                       CudaTile_SignednessAttr:$signedness);
  let assemblyFormat = [{
    custom<ComparisonPredicate>($comparison_predicate) $lhs `,` $rhs `,` custom<Signedness>($signedness)
    attr-dict `:` custom<CudaTileType>(type($lhs)) `->` custom<CudaTileType>(type($result))
  }];
}

def CudaTile_MmaFOp : CudaTile_Op<"mmaf", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "lhs x rhs + acc, optionally batched; f32 operands are true f32";
  let arguments = (ins CudaTile_MmaFOperand:$lhs, CudaTile_MmaFOperand:$rhs, CudaTile_MmaFAcc:$acc, UnitAttr:$fast_acc);
  let results = (outs CudaTile_MmaFAcc:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`fast_acc` $fast_acc^)? attr-dict `:` custom<CudaTileType>(type($lhs)) `,`
    custom<CudaTileType>(type($rhs)) `,` custom<CudaTileType>(type($acc))
  }];
  let hasVerifier = 1;
}
def CudaTile_MmaFScaledOp : CudaTile_Op<"mmaf_scaled", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "Block-scaled matrix multiply-accumulate";
  let arguments = (ins CudaTile_MmaFScaledOperand:$lhs, CudaTile_MmaFScaledOperand:$rhs,
                       CudaTile_MmaFScaledResult:$acc, CudaTile_MmaFScaledScale:$lhs_scale,
                       CudaTile_MmaFScaledScale:$rhs_scale);
  let results = (outs CudaTile_MmaFScaledResult:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc `,` $lhs_scale `,` $rhs_scale attr-dict `:` custom<CudaTileType>(type($lhs)) `,`
    custom<CudaTileType>(type($rhs)) `,` custom<CudaTileType>(type($acc)) `,`
    custom<CudaTileType>(type($lhs_scale)) `,` custom<CudaTileType>(type($rhs_scale))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Integer and bitwise
//===----------------------------------------------------------------------===//

def CudaTile_AbsIOp : UnaryOp<"absi", CudaTile_Int> {
  let description = [{ The input is signed, the result is read as unsigned. }];
}
def CudaTile_NegIOp : UnaryOp<"negi", CudaTile_Int> {
  let arguments = (ins CudaTile_Int:$source, DefaultOverflow:$overflow);
  let assemblyFormat = [{
    $source (`overflow` `` $overflow^)? attr-dict `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}
def CudaTile_AddIOp : OverflowBinaryOp<"addi">;
def CudaTile_SubIOp : OverflowBinaryOp<"subi">;
def CudaTile_MulIOp : OverflowBinaryOp<"muli">;
def CudaTile_ShLIOp : OverflowBinaryOp<"shli">;
def CudaTile_ShRIOp : SignedBinaryOp<"shri">;
def CudaTile_RemIOp : SignedBinaryOp<"remi">;
def CudaTile_MaxIOp : SignedBinaryOp<"maxi">;
def CudaTile_MinIOp : SignedBinaryOp<"mini">;
def CudaTile_AndIOp : BinaryOp<"andi", CudaTile_Int>;
def CudaTile_OrIOp : BinaryOp<"ori", CudaTile_Int>;
def CudaTile_XOrIOp : BinaryOp<"xori", CudaTile_Int>;
def CudaTile_MulhiIOp : CudaTile_Op<"mulhii", [Pure, Elementwise, AllTypesMatch<["x", "y", "result"]>]> {
  let summary = "High half of the unsigned product";
  let arguments = (ins CudaTile_Int:$x, CudaTile_Int:$y);
  let results = (outs CudaTile_Int:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` custom<CudaTileType>(type($result))";
}
// Division by zero is undefined, so it must not be hoisted: no speculation.
def CudaTile_DivIOp : BinaryOp<"divi", CudaTile_Int, [NoMemoryEffect]> {
  let arguments = (ins CudaTile_Int:$lhs, CudaTile_Int:$rhs, CudaTile_SignednessAttr:$signedness,
                       DefaultRounding<"Zero">:$rounding);
  let assemblyFormat = [{
    $lhs `,` $rhs custom<Signedness>($signedness) (`rounding` `` $rounding^)? attr-dict
    `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}
def CudaTile_MmaIOp : CudaTile_Op<"mmai", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let arguments = (ins CudaTile_MmaIOperand:$lhs, CudaTile_MmaIOperand:$rhs, CudaTile_MmaIAcc:$acc,
                       CudaTile_SignednessAttr:$signedness_lhs, CudaTile_SignednessAttr:$signedness_rhs);
  let results = (outs CudaTile_MmaIResult:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc custom<Signedness>($signedness_lhs) custom<Signedness>($signedness_rhs) attr-dict
    `:` custom<CudaTileType>(type($lhs)) `,` custom<CudaTileType>(type($rhs)) `,` custom<CudaTileType>(type($acc))
  }];
  let hasVerifier = 1;
}

#endif
