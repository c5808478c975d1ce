//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Passes of nv_tileas, under their contract names (spec internals 2.2).
//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PASSES_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace mlir::nv_tileas {

/// On a kernel: the blocks of its cluster share the work (tileas-slice-tiles). Without it the first block does
/// everything.
inline constexpr llvm::StringLiteral kDividedClusterAttr = "nv_tileas.divided_cluster";

/// tileas-assign-dot-layouts: instructions and layouts of matrix products.
std::unique_ptr<Pass> createAssignDotLayoutsPass();
/// tileas-assign-load-store-layouts: layouts and vector widths of memory operations.
std::unique_ptr<Pass> createAssignLoadStoreLayoutsPass();
/// tileas-remove-layout-conversions: spread the layouts of memory operations over everything else.
std::unique_ptr<Pass> createRemoveLayoutConversionsPass();
/// tileas-legalize-reduce: shared scratch tiles for reductions across warps.
std::unique_ptr<Pass> createLegalizeReducePass();
/// tileas-materialize-convert-layout: layout conversions as copies, shuffles or shared-memory round trips.
std::unique_ptr<Pass> createMaterializeConvertLayoutPass();
/// tileas-optimize-alloc-tensor: offsets of shared tiles in global_smem.
std::unique_ptr<Pass> createOptimizeAllocTensorPass();

/// tileas-print-decomposed-tv-layout: remarks with every tensor's layout in CuTe text.
std::unique_ptr<Pass> createPrintDecomposedTVLayoutPass();

/// tileas-slice-tiles: kernels whose tiles exceed the register file, slice by slice (runs before tiles have layouts).
std::unique_ptr<Pass> createSliceTilesPass();

void registerTileASPasses();

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PASSES_H
