//===- Rings.h - The pipelines of a function and who uses them --*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the lowering of pipelines (PipelineToNVVM.cpp) knows of each ring of stages before it rewrites anything: which
// agents fill and release it and how, how many threads arrive at its barriers, and where its tiles stand.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_PIPELINETONVVM_RINGS_H
#define TILEIRAS_CONVERSION_PIPELINETONVVM_RINGS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tileiras/Conversion/PipelineToNVVM/CopyGroups.h"
#include "tileiras/Conversion/PipelineToNVVM/ElectedProducer.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras {

/// Who fills the stages.
enum class Filling { Threads, Copies, Tma, TmaOrOthers };

/// What the lowering knows of a pipeline.
struct Ring {
  /// An agent_switch and the number of the agent; the function and -1 outside of agents.
  using Agents = llvm::SetVector<std::pair<mlir::Operation *, int>>;

  mlir::nv_tileas::CreatePipelineOp op;
  Filling filling = Filling::Threads;
  bool byTma() const { return filling == Filling::Tma || filling == Filling::TmaOrOthers; }
  llvm::SmallVector<mlir::nv_tileas::ProducerWriteOp> writes;
  mlir::RankedTensorType barriers;
  llvm::ArrayRef<mlir::Type> elements;
  int64_t barrierOffset = 0;                                 ///< in bytes, in global_smem
  mutable mlir::Value barriersAt;                            ///< holdBarriers, where the ring was made; not in agents
  llvm::SmallVector<llvm::SmallVector<int64_t>> tileOffsets; ///< per element: of each stage, likewise
  Agents producers, consumers;
  llvm::DenseMap<int32_t, std::pair<mlir::Operation *, int>> consumerNumbers;
  int32_t fullCount = 0, emptyCount = 0; ///< arrivals
  bool readByThreads = false;            ///< not by matrix units alone
  bool noStage = false;                  ///< there is a barrier for the release of none
  std::optional<CopyGroups> groups;      ///< of a ring that does without barriers for full stages
  bool byProducts = false;               ///< products release the stages
  int32_t blocks = 1;                    ///< that fill the stages together (ClusterRings.h)
  bool pair = false;                     ///< of two blocks that multiply together
  /// Of a pair: where there are no tensor maps, a thread of each block arrives at the even one's full barrier.
  bool arrivesFromBoth = false;
  /// Of a pair: threads copy a part of each stage, and a thread of the odd block arrives for those of its block.
  bool relays = false;
  /// Whether threads or products of other blocks may arrive at full.
  bool filledByOthers() const { return blocks > 1 && (filledByProducts || arrivesFromBoth || relays); }
  bool alsoByThreads = false; ///< threads copy a part of each stage that tensor copies fill
  /// Beside the copies one thread of the producer arrives itself, behind its wait for the empty stage. Copies arrive
  /// for nothing but what they have written (PTX ISA, "cp.async.mbarrier.arrive"): that products have read the stage,
  /// and its columns of tensor memory, is for whoever fills these to know, too.
  bool oneArrives = false;
  bool filledByProducts = false; ///< products fill the stages, which are tiles in tensor memory
};

/// The agent of an operation, as in `Agents`: its agent_switch and number, or the function and -1.
std::pair<mlir::Operation *, int> agentOf(mlir::Operation *op);

/// The pipelines of a function. Their operations are marked with the number of their ring (kPipelineNumberAttr).
class Rings {
public:
  /// Finds all pipelines of a function and who uses them. Fails with a diagnostic.
  mlir::LogicalResult collect(mlir::func::FuncOp func);
  /// Of an operation that `collect` has marked.
  const Ring &of(mlir::Operation *op) const;
  bool empty() const { return rings.empty(); }
  llvm::ArrayRef<Ring> all() const { return rings; }
  /// Whether tokens of consumers say where the barriers of their stage are.
  bool tokensHaveAddresses() const;
  /// In whose loops threads arrive for stages of earlier rounds.
  llvm::DenseMap<mlir::Operation *, LaggingArrival> lagging;
  /// When a release happens; null: always.
  mlir::Value conditionOf(mlir::nv_tileas::ConsumerReleaseOp release) const { return conditions.lookup(release); }

  /// Releases that stand alone in a branch leave it: their arrivals have a predicate anyway. Where a loop releases the
  /// stage of the round before, the first round arrives at a barrier that nobody waits for, behind those of the stages.
  void takeReleasesOutOfBranches();

private:
  mlir::LogicalResult visit(mlir::Operation *op);
  mlir::LogicalResult add(mlir::nv_tileas::CreatePipelineOp op);
  mlir::LogicalResult checkConsumer(mlir::Operation *op, int32_t index);

  std::vector<Ring> rings;
  llvm::DenseMap<mlir::Operation *, int64_t> numbers;
  llvm::DenseMap<mlir::Operation *, mlir::Value> conditions;        ///< of releases
  llvm::SmallVector<std::pair<mlir::Operation *, int32_t>> indices; ///< of consumers
};

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_PIPELINETONVVM_RINGS_H
