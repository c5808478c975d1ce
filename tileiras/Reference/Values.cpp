//===- Values.cpp - Run-time values of the reference evaluator --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Reference/Values.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::reference;

DType reference::dtypeOf(Type type) {
  if (isa<cuda_tile::PointerType>(type))
    return DType::I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return DType::I1;
    case 4:
      return DType::I4;
    case 8:
      return DType::I8;
    case 16:
      return DType::I16;
    case 32:
      return DType::I32;
    default:
      return DType::I64;
    }
  }
  return TypeSwitch<Type, DType>(type)
      .Case<Float16Type>([](Type) { return DType::F16; })
      .Case<BFloat16Type>([](Type) { return DType::BF16; })
      .Case<Float32Type>([](Type) { return DType::F32; })
      .Case<FloatTF32Type>([](Type) { return DType::TF32; })
      .Case<Float64Type>([](Type) { return DType::F64; })
      .Case<Float8E4M3FNType>([](Type) { return DType::F8E4M3FN; })
      .Case<Float8E5M2Type>([](Type) { return DType::F8E5M2; })
      .Case<Float8E8M0FNUType>([](Type) { return DType::F8E8M0FNU; })
      .Case<Float4E2M1FNType>([](Type) { return DType::F4E2M1FN; })
      .Default([](Type) { return DType::I64; });
}

Tile::Tile(DType type, ArrayRef<int64_t> dims, uint64_t fill) : type(type), shape(dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  data.assign(size_t(count), fill);
}

Tile reference::makeTile(Type type, uint64_t fill) {
  auto tileType = cast<cuda_tile::TileType>(type);
  return Tile(dtypeOf(tileType.getElementType()), tileType.getShape(), fill);
}

SmallVector<int64_t> reference::rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size());
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= shape[i];
  }
  return strides;
}
