//===- Values.h - Run-time values of the reference evaluator ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_REFERENCE_VALUES_H
#define TILEIRAS_REFERENCE_VALUES_H

#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Support/NumericTypes.h"

#include <memory>
#include <variant>
#include <vector>

namespace tileiras::reference {

/// The element type behind an MLIR type; pointers count as i64. The type must be a number or a
/// pointer.
DType dtypeOf(mlir::Type elementType);

/// A tile: raw bits of every element, row-major. Pointers are 64-bit addresses.
struct Tile {
  DType type = DType::I32;
  llvm::SmallVector<int64_t, 4> shape;
  std::vector<uint64_t> data;

  Tile() = default;
  Tile(DType type, llvm::ArrayRef<int64_t> shape, uint64_t fill = 0);
  int64_t size() const { return int64_t(data.size()); }
  /// Signed and unsigned readings of an integer element.
  int64_t asSigned(int64_t i) const { return signExtend(data[size_t(i)], bitWidth(type)); }
  uint64_t asUnsigned(int64_t i) const { return data[size_t(i)]; }
};
/// Values are immutable once bound to an SSA name, so they are shared, not copied.
using TileRef = std::shared_ptr<const Tile>;

/// Shape of a tile type as the evaluator holds it.
Tile makeTile(mlir::Type tileType, uint64_t fill = 0);

llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// A tensor_view: base address, run-time extents and strides (in elements).
struct TensorView {
  DType type = DType::I32;
  uint64_t base = 0;
  llvm::SmallVector<int64_t, 4> shape, strides;
};
using TensorViewRef = std::shared_ptr<const TensorView>;

/// A partition, strided or gather/scatter view: the tensor and the type that says how it is cut.
struct View {
  TensorViewRef tensor;
  mlir::cuda_tile::TileView type;
};
using ViewRef = std::shared_ptr<const View>;

/// Tokens order memory operations; here program order does, so they carry nothing.
struct Token {};

using RuntimeValue = std::variant<Token, TileRef, TensorViewRef, ViewRef>;

} // namespace tileiras::reference

#endif // TILEIRAS_REFERENCE_VALUES_H
