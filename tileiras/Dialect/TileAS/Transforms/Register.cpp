//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/Passes.h"

using namespace mlir;

void nv_tileas::registerTileASPasses() {
  registerPass(createSliceTilesPass);
  registerPass(createAssignDotLayoutsPass);
  registerPass(createAssignLoadStoreLayoutsPass);
  registerPass(createRemoveLayoutConversionsPass);
  registerPass(createLegalizeReducePass);
  registerPass(createMaterializeConvertLayoutPass);
  registerPass(createOptimizeAllocTensorPass);
  registerPass(createPrintDecomposedTVLayoutPass);
}
