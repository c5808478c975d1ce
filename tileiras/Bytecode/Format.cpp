//===- Format.cpp - The table of types ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Bytecode/Format.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::cuda_tile;
using namespace mlir::cuda_tile::bytecode;

static constexpr TypeRow typeRows[] = {
    {TypeTag::I1, v13_1, "i1"},
    {TypeTag::I8, v13_1, "i8"},
    {TypeTag::I16, v13_1, "i16"},
    {TypeTag::I32, v13_1, "i32"},
    {TypeTag::I64, v13_1, "i64"},
    {TypeTag::F16, v13_1, "Float16"},
    {TypeTag::BF16, v13_1, "BFloat16"},
    {TypeTag::F32, v13_1, "Float32"},
    {TypeTag::TF32, v13_1, "FloatTF32"},
    {TypeTag::F64, v13_1, "Float64"},
    {TypeTag::F8E4M3FN, v13_1, "Float8E4M3FN"},
    {TypeTag::F8E5M2, v13_1, "Float8E5M2"},
    {TypeTag::Pointer, v13_1, "Pointer"},
    {TypeTag::Tile, v13_1, "Tile"},
    {TypeTag::TensorView, v13_1, "TensorView"},
    {TypeTag::PartitionView, v13_1, "PartitionView"},
    {TypeTag::Function, v13_1, "Function"},
    {TypeTag::Token, v13_1, "Token"},
    {TypeTag::F8E8M0FNU, v13_2, "Float8E8M0FNU"},
    {TypeTag::F4E2M1FN, v13_3, "Float4E2M1FN"},
    {TypeTag::GatherScatterView, v13_3, "GatherScatterView"},
    {TypeTag::StridedView, v13_3, "StridedView"},
    {TypeTag::I4, v13_3, "i4"},
    {TypeTag::F8E5M3FNU, v13_4, "Float8E5M3FNU"},
};

const TypeRow *bytecode::findType(uint64_t tag) {
  if (tag <= static_cast<uint64_t>(TypeTag::I4))
    return &typeRows[tag]; // the first 23 stand in order
  const auto *row = llvm::find_if(typeRows, [&](const TypeRow &r) { return static_cast<uint64_t>(r.tag) == tag; });
  return row == std::end(typeRows) ? nullptr : row;
}

const TypeRow &bytecode::getTypeRow(TypeTag tag) { return *findType(static_cast<uint64_t>(tag)); }
