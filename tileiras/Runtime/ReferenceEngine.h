//===- ReferenceEngine.h - Launching on the reference evaluator --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_RUNTIME_REFERENCEENGINE_H
#define TILEIRAS_RUNTIME_REFERENCEENGINE_H

#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Runtime/Launch.h"

namespace tileiras {

/// All cuda_tile modules in `op`, itself included.
std::vector<mlir::cuda_tile::ModuleOp> findTileModules(mlir::Operation *op);

/// The entry called `name`, or the only one when the name is empty. Null with a message that lists
/// what there is.
mlir::cuda_tile::EntryOp findEntry(mlir::Operation *op, llvm::StringRef name, std::string &error);

/// Checks the arguments of a launch against the entry's signature. Empty, or what is wrong.
std::string checkArguments(mlir::cuda_tile::EntryOp entry, const LaunchRequest &request);

/// `op` must outlive the engine. `maxSteps` bounds the operations of one launch; a false
/// `assume` is a report unless `checkAssumptions` is false.
std::unique_ptr<Engine> makeReferenceEngine(mlir::Operation *op, uint64_t maxSteps, bool checkAssumptions = true);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_REFERENCEENGINE_H
