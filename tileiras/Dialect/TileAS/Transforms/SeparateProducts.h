//===- SeparateProducts.h - An agent for products ---------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Products in tensor memory are issued by one thread, which waits for stages and for nothing else. So they get an agent
// of one warp, and of that one lane:
//
//     agent { for k { wait, read { dot into %t },           agent { wait %sums; convert_layout %t; release %sums; store
//     }
//             release }                               ->    agent { acquire %sums
//             convert_layout %t; store }                            for k { wait, read { dot into %t }, release }
//                                                                   commit %sums }
//
// %sums is a ring of one stage, the tile in tensor memory: it is full when the products are done, and empty when the
// threads that need the sums have read them. Its place is carried through the loops around the products. In such loops,
// as those of persistent kernels, it has two stages where tensor memory has room for two such tiles, so that the next
// products begin while the sums are still being read:
//
//     agent { for { wait %sums; read { ^(%t) convert_layout %t }; release %sums; store } }
//     agent { for { acquire %sums; for k { wait, read { ^(%a, %b) write %sums { ^(%t) dot into %t } }, release };
//                   commit %sums } }
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SEPARATEPRODUCTS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SEPARATEPRODUCTS_H

#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace mlir::nv_tileas {

/// Gives products in tensor memory of the agent `number` an agent of their own, behind the others; `agents` becomes the
/// new operation. Returns why that is not possible, or nothing; then the function may have been changed in part. An
/// agent without such products stays as it is.
StringRef separateProducts(AgentSwitchOp &agents, unsigned number);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SEPARATEPRODUCTS_H
