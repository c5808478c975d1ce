//===- TensorMemory.h - Tensor memory of a kernel ---------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel whose tiles are in tensor memory takes columns of it when it begins and gives them back when it ends. Beside
// the address of the columns its shared memory holds mbarriers, at which products arrive when they are done: one for
// all that are waited for at once, and one for each that is waited for later (ProductsUnderWay.h). How many phases they
// have completed are variables of each thread, which LLVM turns into registers.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_TENSORMEMORY_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_TENSORMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"

namespace mlir::tilellvm {

/// Takes and gives back the tensor memory of a kernel, if it has tiles there; `func` has its nv_tileas.global_smem.
/// Fails with a diagnostic.
LogicalResult openTensorMemory(func::FuncOp func);

/// Behind the conversion: drops the marks by which TensorMemory::of finds things.
void closeTensorMemory(func::FuncOp func);

/// Unit, on nv_tileas.reduce: what is reduced is used up where the reduction stands.
inline constexpr llvm::StringLiteral kComputedHereAttr = "nv_tileas.computed_here";

/// Marks products before which the threads have to meet, and reductions that have to be done where they stand.
void planProductBarriers(Operation *func);

/// Warps of a warpgroup, one thread of each of which says that its turn is over, or its factors are there.
inline constexpr int kWarpsOfTurn = 4;

/// PTX that no pass on LLVM IR may move, of PTX 8.6.
Operation *tcgen05Ptx(Emitter &e, TypeRange results, ValueRange operands, const Twine &text,
                      llvm::StringRef constraints);

/// What a kernel knows of its tensor memory.
struct TensorMemory {
  Value base;    ///< i32: the address of its first column
  Value barrier; ///< i32: address of the mbarrier in shared memory
  Value phase;   ///< pointer to the variable: the parity of the phase that completes next

  /// Of the kernel that is being built; the mbarrier with this number, where warpgroups have their own that of the one
  /// that is named, or of the one that the running warp belongs to.
  static TensorMemory of(Emitter &e, int64_t number = 0, std::optional<int32_t> warpgroup = std::nullopt);
  /// All threads wait until the product that was committed last is done. `behindLoop`: they may have done so before.
  void wait(Emitter &e, bool behindLoop = false) const;
  /// The same as part of a text whose operands $`first` and $`first + 1` are `barrier` and what this returns.
  static std::string waitText(unsigned first);
  Value nextParity(Emitter &e) const;
};

/// The kernel that is being built; null in what is none.
func::FuncOp functionAround(Emitter &e);
/// True in the one thread that issues all products and commits them, always the same one, or in one of each warpgroup
/// where each issues its own (ProductsUnderWay.h); computed once, where the kernel or the agent begins. Who branches on
/// it lets ptxas see that a single thread runs what follows. Null in an agent that one thread runs.
Value issuingThread(Emitter &e);
/// The hardware arrives once at the mbarrier at `barrier`, a pointer, when all products are done that the issuing
/// thread has issued; in each of the first `blocks` blocks of the cluster, if they are several.
void commitProducts(Emitter &e, Value barrier, int32_t blocks = 1);
/// Whether the products of the kernel that is being built are those of pairs of blocks (Dialect/TileAS/IR/Cluster.h).
/// Then the issuing thread is one of the even block.
bool multipliesInPairs(Emitter &e);
/// Whether threads copy a part of their stages, so that the odd block has to say when its own have.
bool relaysInPairs(Emitter &e);
/// In such a kernel, true in the issuing thread and the one that corresponds to it in the odd block. Null in an agent
/// that one thread runs.
Value relayingThread(Emitter &e);
/// Which warpgroup of the two that issue products this one is, i32; null where one thread issues all. Warps of a block
/// that has more than those two, and all run the code, count as the first again: they hold copies.
Value multiplyingWarpgroup(Emitter &e);
/// The threads meet before a product of theirs: those of a warpgroup, or of the block.
void meetToMultiply(Emitter &e, bool byWarpgroup);
/// What is done in tensor memory before the first comes, by way of a barrier, before what others do there behind the
/// second (PTX ISA, "tcgen05.fence").
void beforeThreadSync(Emitter &e);
void afterThreadSync(Emitter &e);

void populateTensorMemoryPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_TENSORMEMORY_H
