//===- CudaTileEnums.td - Enumerations ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_ENUMS_TD
#define TILEIRAS_CUDATILE_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileDialect.td"

// The numbers are the codes that bytecode stores: never renumber.

class CudaTile_Enum<string name, string text, list<I32EnumAttrCase> cases> : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::mlir::cuda_tile";
  let genSpecializedAttr = 0;
}
class CudaTile_EnumAttr<EnumInfo info, string mnemonic> : EnumAttr<CudaTile_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def CudaTile_Signedness : CudaTile_Enum<"Signedness", "signedness", [
  I32EnumAttrCase<"Unsigned", 0, "unsigned">, I32EnumAttrCase<"Signed", 1, "signed">]>;
def CudaTile_Overflow : CudaTile_Enum<"Overflow", "integer overflow behaviour", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"NoSignedWrap", 1, "no_signed_wrap">,
  I32EnumAttrCase<"NoUnsignedWrap", 2, "no_unsigned_wrap">, I32EnumAttrCase<"NoWrap", 3, "no_wrap">]>;
def CudaTile_RoundingMode : CudaTile_Enum<"RoundingMode", "rounding mode", [
  I32EnumAttrCase<"NearestEven", 0, "nearest_even">, I32EnumAttrCase<"Zero", 1, "zero">,
  I32EnumAttrCase<"NegativeInf", 2, "negative_inf">, I32EnumAttrCase<"PositiveInf", 3, "positive_inf">,
  I32EnumAttrCase<"Approx", 4, "approx">, I32EnumAttrCase<"Full", 5, "full">,
  I32EnumAttrCase<"NearestIntToZero", 6, "nearest_int_to_zero">,
  I32EnumAttrCase<"NearestAway", 7, "nearest_away">]>;
def CudaTile_ComparisonOrdering : CudaTile_Enum<"ComparisonOrdering", "floating-point comparison ordering", [
  I32EnumAttrCase<"Unordered", 0, "unordered">, I32EnumAttrCase<"Ordered", 1, "ordered">]>;
def CudaTile_ComparisonPredicate : CudaTile_Enum<"ComparisonPredicate", "comparison predicate", [
  I32EnumAttrCase<"Equal", 0, "equal">, I32EnumAttrCase<"NotEqual", 1, "not_equal">,
  I32EnumAttrCase<"LessThan", 2, "less_than">, I32EnumAttrCase<"LessThanOrEqual", 3, "less_than_or_equal">,
  I32EnumAttrCase<"GreaterThan", 4, "greater_than">,
  I32EnumAttrCase<"GreaterThanOrEqual", 5, "greater_than_or_equal">]>;
def CudaTile_PaddingValue : CudaTile_Enum<"PaddingValue", "value of tile elements outside the tensor", [
  I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"NegZero", 1, "neg_zero">, I32EnumAttrCase<"NaN", 2, "nan">,
  I32EnumAttrCase<"PosInf", 3, "pos_inf">, I32EnumAttrCase<"NegInf", 4, "neg_inf">]>;
def CudaTile_SymbolVisibility : CudaTile_Enum<"SymbolVisibility", "visibility of a global", [
  I32EnumAttrCase<"Public", 0, "public">, I32EnumAttrCase<"Private", 1, "private">]>;
def CudaTile_PtrAttr : CudaTile_Enum<"PtrAttr", "kind of memory behind a pointer", [
  I32EnumAttrCase<"None", 0, "none">]>;

def CudaTile_SignednessAttr : CudaTile_EnumAttr<CudaTile_Signedness, "signedness">;
def CudaTile_OverflowAttr : CudaTile_EnumAttr<CudaTile_Overflow, "overflow">;
def CudaTile_RoundingModeAttr : CudaTile_EnumAttr<CudaTile_RoundingMode, "rounding">;
def CudaTile_ComparisonOrderingAttr : CudaTile_EnumAttr<CudaTile_ComparisonOrdering, "comparison_ordering">;
def CudaTile_ComparisonPredicateAttr : CudaTile_EnumAttr<CudaTile_ComparisonPredicate, "comparison_predicate">;
def CudaTile_PaddingValueAttr : CudaTile_EnumAttr<CudaTile_PaddingValue, "padding_value">;
def CudaTile_SymbolVisibilityAttr : CudaTile_EnumAttr<CudaTile_SymbolVisibility, "symbol_visibility">;
def CudaTile_PtrAttrAttr : CudaTile_EnumAttr<CudaTile_PtrAttr, "ptr_attr">;

// These three are plain i32 attributes in the generic form.
class CudaTile_I32Enum<string name, string text, list<I32EnumAttrCase> cases> : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::mlir::cuda_tile";
}
def CudaTile_AtomicRMWMode : CudaTile_I32Enum<"AtomicRMWMode", "atomic read-modify-write operation", [
  I32EnumAttrCase<"And", 0, "and">, I32EnumAttrCase<"Or", 1, "or">, I32EnumAttrCase<"Xor", 2, "xor">,
  I32EnumAttrCase<"Add", 3, "add">, I32EnumAttrCase<"AddF", 4, "addf">, I32EnumAttrCase<"Max", 5, "max">,
  I32EnumAttrCase<"Min", 6, "min">, I32EnumAttrCase<"UMax", 7, "umax">, I32EnumAttrCase<"UMin", 8, "umin">,
  I32EnumAttrCase<"Xchg", 9, "xchg">]>;
def CudaTile_MemoryScope : CudaTile_I32Enum<"MemoryScope", "memory scope", [
  I32EnumAttrCase<"TlBlk", 0, "tl_blk">, I32EnumAttrCase<"Device", 1, "device">, I32EnumAttrCase<"Sys", 2, "sys">]>;
def CudaTile_MemoryOrderingSemantics : CudaTile_I32Enum<"MemoryOrderingSemantics", "memory ordering semantics", [
  I32EnumAttrCase<"Weak", 0, "weak">, I32EnumAttrCase<"Relaxed", 1, "relaxed">,
  I32EnumAttrCase<"Acquire", 2, "acquire">, I32EnumAttrCase<"Release", 3, "release">,
  I32EnumAttrCase<"AcqRel", 4, "acq_rel">]>;

#endif
