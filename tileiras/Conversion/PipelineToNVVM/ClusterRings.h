//===- ClusterRings.h - Rings that several blocks fill ----------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A ring whose stages tensor copies of all blocks of a cluster fill (Dialect/TileAS/IR/Cluster.h) differs from one of a
// block alone in three places:
//
//     create_pipeline      the blocks meet: nobody copies to a block or arrives there whose mbarriers are not ready
//     consumer_release     one thread for each block arrives at empty[stage] of that block, with cluster scope
//     the end              the blocks meet: nobody leaves while others may still arrive at its mbarriers
//
// What is copied to a block its own consumers wait for, so nothing is under way to a block whose consumers are done.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_PIPELINETONVVM_CLUSTERRINGS_H
#define TILEIRAS_CONVERSION_PIPELINETONVVM_CLUSTERRINGS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace tileiras {

/// Has the blocks meet where the last ring of `rings` that they fill together is done with, unless they do there
/// anyway. Fails with a diagnostic where some threads could not come.
mlir::LogicalResult meetAtEnd(mlir::func::FuncOp func, llvm::ArrayRef<mlir::nv_tileas::CreatePipelineOp> rings);

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_PIPELINETONVVM_CLUSTERRINGS_H
