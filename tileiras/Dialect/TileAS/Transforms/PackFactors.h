//===- PackFactors.h - Pairs of 4-bit elements ------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tcgen05.mma of kinds mxf4 and mxf4nvf4 reads f4E2M1FN from shared memory as it lies in global memory, two neighbours
// along k in a byte. So factors of such products are tiles of bytes from where they are loaded on, and copies to shared
// memory, rings and tensor maps know nothing about 4 bits:
//
//     %x = tiled_load %view[%i, %k] : 128x128xf4E2M1FN        %x = tiled_load %bytes[%i, %k] : 128x64xi8
//     mma_block_scale %x, ...                            ->   mma_block_scale %x, ...
//
// Tiles that were unpacked from bytes are those bytes. Elements that are computed, that lie across in memory, or whose
// rows may begin or end in the middle of a byte become pairs in registers.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PACKFACTORS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PACKFACTORS_H

#include "mlir/IR/Builders.h"
#include "tileiras/Dialect/TileAA/Analysis/AxisInfo.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::nv_tileas {

class FactorPacking {
public:
  explicit FactorPacking(nv_tileaa::FuncOp func) : func(func), builder(func.getContext()) {}
  /// When all products are done: a load of elements that others still use comes before that of its bytes, whose token
  /// its users have got.
  void chainLoads();

  /// Has a product of f4E2M1FN multiply pairs of them, and erases what nobody needs any more. Returns how many of its
  /// factors become pairs in registers.
  int pack(nv_tileaa::MmaBlockScaleOp op);

private:
  Value packed(Value tile, int k);
  Value packedLoad(nv_tileaa::TiledLoadOp load, int k);
  Value packedInRegisters(Value tile, int k);
  Value bytesOf(nv_tileaa::BlockTileOp block, int k);
  Value viewAs(Value source, ArrayRef<int64_t> shape);
  int64_t divisor(Value number);
  void eraseDead();

  nv_tileaa::FuncOp func;
  OpBuilder builder;
  std::optional<nv_tileaa::AxisInfoAnalysisResult> axes; ///< of the function as it was when they were first asked for
  DenseMap<std::pair<Value, int>, Value> done;
  SmallVector<Operation *> old;                               ///< what may be of no use any more
  llvm::MapVector<Operation *, nv_tileaa::TiledLoadOp> twice; ///< loads of elements, and those of their bytes
  int inRegisters = 0;
};

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PACKFACTORS_H
