//===- Enums.cpp - Enumerations as bytecode stores them -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Bytecode/Enums.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace mlir::cuda_tile::bytecode;

template <typename AttrT> static Attribute buildEnum(MLIRContext *context, uint32_t code) {
  return AttrT::get(context, static_cast<decltype(std::declval<AttrT>().getValue())>(code));
}

template <typename AttrT> static std::optional<uint32_t> enumCode(Attribute attr) {
  if (auto typed = dyn_cast_or_null<AttrT>(attr))
    return static_cast<uint32_t>(typed.getValue());
  return std::nullopt;
}

// Three enumerations are plain i32 attributes in the dialect.
static Attribute buildI32(MLIRContext *context, uint32_t code) {
  return IntegerAttr::get(IntegerType::get(context, 32), code);
}

static std::optional<uint32_t> i32Code(Attribute attr) {
  auto integer = dyn_cast_or_null<IntegerAttr>(attr);
  if (!integer || !integer.getType().isSignlessInteger(32))
    return std::nullopt;
  return static_cast<uint32_t>(integer.getValue().getZExtValue());
}

template <typename AttrT>
static constexpr EnumInfo row(llvm::StringLiteral name, uint32_t numCodes, uint32_t firstNew = ~0u,
                              BytecodeVersion newSince = v13_1) {
  return {name, numCodes, firstNew, newSince, buildEnum<AttrT>, enumCode<AttrT>};
}

static constexpr EnumInfo i32Row(llvm::StringLiteral name, uint32_t numCodes) {
  return {name, numCodes, ~0u, v13_1, buildI32, i32Code};
}

static constexpr EnumInfo enums[] = {
    row<PaddingValueAttr>("padding", 5),
    row<PtrAttrAttr>("ptr_attr", 1),
    row<SymbolVisibilityAttr>("visibility", 2),
    row<SignednessAttr>("signedness", 2),
    row<OverflowAttr>("overflow", 4),
    row<RoundingModeAttr>("rounding", 8, /*firstNew=*/7, v13_4), // nearest_away
    row<ComparisonOrderingAttr>("ordering", 2),
    row<ComparisonPredicateAttr>("predicate", 6),
    i32Row("mode", 10),
    i32Row("scope", 3),
    i32Row("semantics", 5),
};

const EnumInfo *bytecode::findEnum(StringRef name) {
  const auto *found = llvm::find_if(enums, [&](const EnumInfo &info) { return info.name == name; });
  return found == std::end(enums) ? nullptr : found;
}
const EnumInfo &bytecode::paddingEnum() { return enums[0]; }
const EnumInfo &bytecode::ptrAttrEnum() { return enums[1]; }
const EnumInfo &bytecode::visibilityEnum() { return enums[2]; }
