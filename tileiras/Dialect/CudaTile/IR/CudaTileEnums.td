//===- CudaTileEnums.td - Enumerations ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_ENUMS_TD
#define TILEIRAS_CUDATILE_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileDialect.td"

// The numbers are the codes that bytecode stores: never renumber.

class CudaTile_Enum<string name, string text, string long, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::mlir::cuda_tile";
  let genSpecializedAttr = 0;
  let description = long;
}
class CudaTile_EnumAttr<EnumInfo info, string mnemonic> : EnumAttr<CudaTile_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
  let description = "How `" # info.className # "` is spelled in the generic form: `#cuda_tile." # mnemonic # "<" #
                    info.enumerants[0].str # ">`. Custom forms write the bare word.";
}

def CudaTile_Signedness : CudaTile_Enum<"Signedness", "signedness", [{
  How an operation reads integers: their types have no sign; `signed` operands and results are in two's complement.
}], [I32EnumAttrCase<"Unsigned", 0, "unsigned">, I32EnumAttrCase<"Signed", 1, "signed">]>;

def CudaTile_Overflow : CudaTile_Enum<"Overflow", "integer overflow behaviour", [{
  A promise that the exact result fits, read as signed, as unsigned, or both ways (`no_wrap`). Breaking it is
  undefined. With `none`, the default, results wrap around.
}], [I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"NoSignedWrap", 1, "no_signed_wrap">,
  I32EnumAttrCase<"NoUnsignedWrap", 2, "no_unsigned_wrap">, I32EnumAttrCase<"NoWrap", 3, "no_wrap">]>;

def CudaTile_RoundingMode : CudaTile_Enum<"RoundingMode", "rounding mode", [{
  The first four are those of IEEE 754. `approx` and `full` name faster, less accurate versions of f32 functions.
  `nearest_int_to_zero` is what `ftoi` does; `nearest_away` (ties away from zero) exists for `ftof` only, since
  13.4. Every operation lists what it takes and what it assumes where nothing is written.
}], [I32EnumAttrCase<"NearestEven", 0, "nearest_even">, I32EnumAttrCase<"Zero", 1, "zero">,
  I32EnumAttrCase<"NegativeInf", 2, "negative_inf">, I32EnumAttrCase<"PositiveInf", 3, "positive_inf">,
  I32EnumAttrCase<"Approx", 4, "approx">, I32EnumAttrCase<"Full", 5, "full">,
  I32EnumAttrCase<"NearestIntToZero", 6, "nearest_int_to_zero">,
  I32EnumAttrCase<"NearestAway", 7, "nearest_away">]>;

def CudaTile_ComparisonOrdering : CudaTile_Enum<"ComparisonOrdering", "floating-point comparison ordering", [{
  What `cmpf` gives where an operand is a NaN: true if `unordered`, false if `ordered`.
}], [I32EnumAttrCase<"Unordered", 0, "unordered">, I32EnumAttrCase<"Ordered", 1, "ordered">]>;

def CudaTile_ComparisonPredicate : CudaTile_Enum<"ComparisonPredicate", "comparison predicate", [{
  What `cmpi` and `cmpf` ask of their left operand with regard to the right one.
}], [I32EnumAttrCase<"Equal", 0, "equal">, I32EnumAttrCase<"NotEqual", 1, "not_equal">,
  I32EnumAttrCase<"LessThan", 2, "less_than">, I32EnumAttrCase<"LessThanOrEqual", 3, "less_than_or_equal">,
  I32EnumAttrCase<"GreaterThan", 4, "greater_than">,
  I32EnumAttrCase<"GreaterThanOrEqual", 5, "greater_than_or_equal">]>;

def CudaTile_PaddingValue : CudaTile_Enum<"PaddingValue", "value of tile elements outside the tensor", [{
  What a load through a view gives for elements outside the tensor. All but `zero` need a float element type. Stores
  never write padding.
}], [I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"NegZero", 1, "neg_zero">, I32EnumAttrCase<"NaN", 2, "nan">,
  I32EnumAttrCase<"PosInf", 3, "pos_inf">, I32EnumAttrCase<"NegInf", 4, "neg_inf">]>;

def CudaTile_SymbolVisibility : CudaTile_Enum<"SymbolVisibility", "visibility of a global", [{
  Whether code outside the module may find a `global` by its name. Since 13.3.
}], [I32EnumAttrCase<"Public", 0, "public">, I32EnumAttrCase<"Private", 1, "private">]>;

def CudaTile_PtrAttr : CudaTile_Enum<"PtrAttr", "kind of memory behind a pointer", [{
  A parameter of pointers and tensor views, since 13.4. A type with `none` is another type than one without the
  parameter.
}], [I32EnumAttrCase<"None", 0, "none">]>;

def CudaTile_SignednessAttr : CudaTile_EnumAttr<CudaTile_Signedness, "signedness">;
def CudaTile_OverflowAttr : CudaTile_EnumAttr<CudaTile_Overflow, "overflow">;
def CudaTile_RoundingModeAttr : CudaTile_EnumAttr<CudaTile_RoundingMode, "rounding">;
def CudaTile_ComparisonOrderingAttr : CudaTile_EnumAttr<CudaTile_ComparisonOrdering, "comparison_ordering">;
def CudaTile_ComparisonPredicateAttr : CudaTile_EnumAttr<CudaTile_ComparisonPredicate, "comparison_predicate">;
def CudaTile_PaddingValueAttr : CudaTile_EnumAttr<CudaTile_PaddingValue, "padding_value">;
def CudaTile_SymbolVisibilityAttr : CudaTile_EnumAttr<CudaTile_SymbolVisibility, "symbol_visibility">;
def CudaTile_PtrAttrAttr : CudaTile_EnumAttr<CudaTile_PtrAttr, "ptr_attr">;

// These three are plain i32 attributes in the generic form.
class CudaTile_I32Enum<string name, string text, string long, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::mlir::cuda_tile";
  let description = long;
}

def CudaTile_AtomicRMWMode : CudaTile_I32Enum<"AtomicRMWMode", "atomic read-modify-write operation", [{
  What an atomic operation makes of the old value and its argument: a bitwise operation, a wrap-around integer sum,
  a float sum (`addf`, to nearest even), an extreme of signed (`max`, `min`) or unsigned (`umax`, `umin`) integers,
  or the argument itself (`xchg`). In the generic form an i32.
}], [I32EnumAttrCase<"And", 0, "and">, I32EnumAttrCase<"Or", 1, "or">, I32EnumAttrCase<"Xor", 2, "xor">,
  I32EnumAttrCase<"Add", 3, "add">, I32EnumAttrCase<"AddF", 4, "addf">, I32EnumAttrCase<"Max", 5, "max">,
  I32EnumAttrCase<"Min", 6, "min">, I32EnumAttrCase<"UMax", 7, "umax">, I32EnumAttrCase<"UMin", 8, "umin">,
  I32EnumAttrCase<"Xchg", 9, "xchg">]>;

def CudaTile_MemoryScope : CudaTile_I32Enum<"MemoryScope", "memory scope", [{
  Among whom an access that is not `weak` is ordered: this tile block, all of the device, or other devices and the
  host too. In the generic form an i32.
}], [I32EnumAttrCase<"TlBlk", 0, "tl_blk">, I32EnumAttrCase<"Device", 1, "device">, I32EnumAttrCase<"Sys", 2, "sys">]>;

def CudaTile_MemoryOrderingSemantics : CudaTile_I32Enum<"MemoryOrderingSemantics", "memory ordering semantics", [{
  As in the memory model of PTX. `weak`: nobody else accesses the memory meanwhile. `relaxed`: others may, each
  access is seen whole. `acquire` (loads): what the writer released before is visible to what takes the result
  token. `release` (stores): what the token stands for is visible to who acquires the value. `acq_rel` (atomics):
  both. In the generic form an i32.
}], [I32EnumAttrCase<"Weak", 0, "weak">, I32EnumAttrCase<"Relaxed", 1, "relaxed">,
  I32EnumAttrCase<"Acquire", 2, "acquire">, I32EnumAttrCase<"Release", 3, "release">,
  I32EnumAttrCase<"AcqRel", 4, "acq_rel">]>;

#endif
