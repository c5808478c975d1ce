//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-optimize-alloc-tensor: where each shared tile lives in global_smem.
//
// All shared tiles of this stage are short-lived: written, a barrier, read, done.
// Two tiles whose lives do not overlap may share bytes, but then the second
// writer must wait for the last reader of the first, so each such write carries
// a barrier before it. A tile that is written only once, outside of loops, into
// bytes nobody had before needs none (`no_war_barrier`). Writes of several tiles in a row (the operands of a
// matrix product) share the barrier before the first and the one after the last (`nv_tileas.no_raw_barrier` on the
// others). A reduction needs none if all threads have met behind the last use of its scratch tile's bytes, which
// reductions of one loop do not share where there is room.
//
// Which tiles may share bytes, and where they lie: SharedPlan.h. The kernel's total stands on the function as
// nv_tileas.shared_bytes.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/ScaleColumns.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "tileiras/Dialect/TileAS/Transforms/WritesTogether.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_OPTIMIZEALLOCTENSORPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct OptimizeAllocTensorPass : nv_tileas::impl::OptimizeAllocTensorPassBase<OptimizeAllocTensorPass> {
  void runOnOperation() override {
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    if (failed(checkLifetimes()) || failed(placeInTensorMemory()))
      return signalPassFailure();
    writeTogether(getOperation(), columns);
    SharedPlan plan(getOperation());
    int64_t total = placeForBlocks(plan);
    sharedBytes += total;
    size_t tiles = 0;
    Builder builder(&getContext());
    for (auto [i, buffer] : llvm::enumerate(plan.buffers)) {
      for (auto [stage, op] : llvm::enumerate(buffer.ops))
        op.setOffsetAttr(builder.getI64IntegerAttr(buffer.offset + int64_t(stage) * buffer.stride()));
      for (AllocTensorOp op : buffer.inTurns)
        op.setOffsetAttr(builder.getI64IntegerAttr(buffer.offset));
      tiles += buffer.ops.size() + buffer.inTurns.size();
      markFreshWrites(plan.buffers, i);
    }
    markFreshRings(plan.buffers);
    reportRings(plan.buffers);
    dropBarriersOfWrites(plan.buffers);
    shareBarriers();
    dropBarriersOfReductions(plan.buffers);
    if (columns) {
      // The address of the columns, and the mbarriers.
      total = llvm::alignTo(total, 16);
      getOperation()->setAttr(kTensorMemoryAttr, DenseI64ArrayAttr::get(&getContext(), {columns, total}));
      total += llvm::alignTo(8 + 8 * countAllProductBarriers(getOperation()), 16);
    }
    tileiras::remarks::analysis(getOperation(), tileiras::remarks::kMemory, "SharedMemory")
        << tileiras::remarks::figure("Bytes", total) << tileiras::remarks::figure("Tiles", tiles)
        << tileiras::remarks::figure("Limit", getSharedBytes(getOperation().getOperation()))
        << tileiras::remarks::because(total ? "tiles that do not live at the same time share bytes"
                                            : "nothing is exchanged between warps");
    if (total)
      getOperation()->setAttr(kSharedBytesAttr, Builder(&getContext()).getI64IntegerAttr(total));
  }

  /// mbarriers, which are there until the kernel ends, part the bytes of a ring from those behind it, and a tile larger
  /// than the ring lies beside both. It takes the ring's bytes, and waits for its readers, if a multiprocessor then has
  /// room for more blocks. mbarriers also lie last if that saves bytes (tiles begin at multiples of 1,024) and no tiles
  /// share bytes for it. Scratch tiles of reductions in a loop lie apart, so that no reduction waits for those who
  /// read another one's, if it has room for as many.
  int64_t placeForBlocks(SharedPlan &plan) {
    SharedMemory shared(getOperation());
    SharedPlan::Places places;
    int64_t total = plan.place(places);
    auto blocks = [&](int64_t bytes) { return shared.blocksWith(bytes, columns); };
    auto attempt = [&](SharedPlan::Places changed, auto &&isBetter) {
      SharedPlan other = plan;
      int64_t bytes = other.place(changed);
      if (!isBetter(bytes, other))
        return;
      plan = std::move(other);
      total = bytes;
      places = changed;
    };
    attempt({.barriersLast = true}, [&](int64_t bytes, const SharedPlan &other) {
      return blocks(bytes) > blocks(total) || (bytes < total && !sharesMore(other, plan));
    });
    attempt({.barriersLast = places.barriersLast, .scratchApart = true}, [&](int64_t bytes, const SharedPlan &) {
      return bytes > total && bytes <= shared.room() && blocks(bytes) >= blocks(total);
    });
    return total;
  }

  /// Whether tiles share bytes that have their own in the other plan of the same tiles.
  static bool sharesMore(const SharedPlan &plan, const SharedPlan &other) {
    for (size_t i = 0; i < plan.buffers.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (plan.buffers[i].overlapsInSpace(plan.buffers[j]) && !other.buffers[i].overlapsInSpace(other.buffers[j]))
          return true;
    return false;
  }

  /// A tile lives until its last use under any name. Names that leave the function, or cross blocks, cannot be
  /// followed.
  LogicalResult checkLifetimes() {
    WalkResult result = getOperation().walk([](AllocTensorOp op) -> WalkResult {
      for (Operation *user : usersOfSharedTile(op))
        if (isa<nv_tileaa::ReturnOp, CallOpInterface, BranchOpInterface>(user)) {
          InFlightDiagnostic diagnostic = op.emitOpError("fails to resolve lifetime: ")
                                          << user->getName() << " passes the tile on to where it cannot be followed";
          diagnostic.attachNote(user->getLoc()) << "here";
          return diagnostic;
        }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Which rings have the bytes of other tiles, and what may not.
  static void reportRings(ArrayRef<SharedBuffer> buffers) {
    namespace remarks = tileiras::remarks;
    for (const SharedBuffer &buffer : buffers) {
      AllocTensorOp op = buffer.ops.front();
      CreatePipelineOp ring;
      bool isBarrier = false;
      for (Operation *user : op->getUsers())
        if (auto pipeline = dyn_cast<CreatePipelineOp>(user)) {
          ring = pipeline;
          isBarrier = pipeline.getBarriers() == op.getResult();
        }
      if (!ring || !remarks::enabled(op.getContext()))
        continue;
      int64_t others =
          llvm::count_if(buffers, [&](const SharedBuffer &b) { return &b != &buffer && b.overlapsInSpace(buffer); });
      if (isBarrier)
        remarks::missed(op, remarks::kMemory, "ShareRing")
            << remarks::figure("Bytes", buffer.bytes())
            << remarks::because("mbarrier has wait-like users, cannot share pipeline buffer.");
      else if (others)
        remarks::passed(op, remarks::kMemory, "ShareRing")
            << remarks::figure("Bytes", buffer.bytes()) << remarks::figure("Tiles", others)
            << remarks::because("share pipeline buffer: they do not live at the same time");
    }
  }

  //===--------------------------------------------------------------------===//
  // Tensor memory
  //===--------------------------------------------------------------------===//

  /// Gives tiles there their columns. A block takes a power of two of them, at least 32 (PTX ISA, "tcgen05.alloc").
  LogicalResult placeInTensorMemory() {
    columns = 0;
    SharedPlan plan(getOperation(), MemoryKind::Tensor);
    MutableArrayRef<SharedBuffer> buffers = plan.buffers;
    if (buffers.empty())
      return success();
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(getOperation());
    int64_t limit = target ? target->tensorMemoryColumns : 0;
    // Tiles that share columns with none need no barriers, if two blocks still find room, or would not anyway.
    int64_t apart = 0;
    for (const SharedBuffer &buffer : buffers)
      apart += buffer.bytes();
    int64_t total = plan.place();
    if (apart <= limit && (apart <= limit / 2 || llvm::PowerOf2Ceil(apart) == llvm::PowerOf2Ceil(total))) {
      total = 0;
      for (SharedBuffer &buffer : buffers) {
        buffer.offset = total;
        total += buffer.bytes();
      }
    }
    // Those of scales behind all others: each product has them for itself, and all threads wait for it.
    int64_t sums = total;
    getOperation().walk([&](DotOp dot) {
      if (int64_t scales = getScaleColumns(dot)) {
        dot->setAttr(kScaleColumnsAttr, Builder(&getContext()).getI64IntegerAttr(sums));
        total = std::max(total, sums + scales);
      }
    });
    if (total > limit)
      return getOperation().emitError("fails to assign tmem buffer: the kernel needs ")
             << total << " columns of tensor memory, " << (target ? target->compiledAs : "its target") << " has "
             << limit;
    columns = std::max<int64_t>(32, llvm::PowerOf2Ceil(total));
    Builder builder(&getContext());
    for (SharedBuffer &buffer : buffers) {
      for (auto [stage, op] : llvm::enumerate(buffer.ops))
        op.setOffsetAttr(builder.getI64IntegerAttr(buffer.offset + int64_t(stage) * buffer.stride()));
      markOwnColumns(buffers, buffer);
    }
    tileiras::remarks::analysis(getOperation(), tileiras::remarks::kMemory, "TensorMemory")
        << tileiras::remarks::figure("Columns", columns) << tileiras::remarks::figure("Tiles", buffers.size())
        << tileiras::remarks::figure("Limit", limit)
        << tileiras::remarks::because("sums of products are added up there");
    return success();
  }

  /// Where each place is copied from and to by one warp only, in all tiles that have the same columns, a copy into a
  /// tile waits for nobody: products are waited for by all. Tiles that lie the same way may follow each other.
  static void markOwnColumns(ArrayRef<SharedBuffer> buffers, SharedBuffer &buffer) {
    Attribute registers;
    SmallVector<CopyOp> writes;
    for (const SharedBuffer &other : buffers) {
      if (!other.overlapsInSpace(buffer))
        continue;
      bool its = &other == &buffer;
      if (!its && (other.offset != buffer.offset || other.ops.size() != 1 || buffer.ops.size() != 1 ||
                   other.firstTile().getType() != buffer.firstTile().getType()))
        return;
      for (Operation *user : other.firstTile().getUsers()) {
        Value held;
        if (auto copy = dyn_cast<CopyOp>(user)) {
          if (its)
            writes.push_back(copy);
          held = copy.getSource();
        } else if (auto load = dyn_cast<ConvertLayoutOp>(user)) {
          held = load.getResult();
        } else {
          continue;
        }
        Attribute layout = cast<RankedTensorType>(held.getType()).getEncoding();
        if (registers && registers != layout)
          return;
        registers = layout;
      }
    }
    for (CopyOp write : writes)
      write.setNoWarBarrier(true);
  }

  int64_t columns = 0; ///< of tensor memory that the kernel takes

  //===--------------------------------------------------------------------===//
  // Barriers of writes in a row
  //===--------------------------------------------------------------------===//

  struct Bytes {
    int64_t begin, end;
    bool overlaps(const Bytes &other) const { return begin < other.end && other.begin < end; }
  };

  static std::optional<Bytes> bytesOf(Value tile) {
    for (Operation *def; (def = tile.getDefiningOp()) && isReshape(def);)
      tile = def->getOperand(0);
    auto alloc = tile.getDefiningOp<AllocTensorOp>();
    if (!alloc || !alloc.getOffset())
      return std::nullopt;
    int64_t begin = *alloc.getOffset();
    return Bytes{begin, begin + getSharedBytes(cast<RankedTensorType>(alloc.getType()))};
  }

  static bool mayTouchShared(Operation &op) {
    // Barriers between agents publish what was written before them.
    return op.getNumRegions() != 0 || isa_and_nonnull<NVVM::NVVMDialect>(op.getDialect()) ||
           llvm::any_of(op.getOperandTypes(), [](Type type) { return isIn(type, MemoryKind::Shared); });
  }

  /// Writes of a group have nobody who reads shared memory between them. All threads meet before the first, and whoever
  /// read what they overwrite has done so; they meet after the last, or in the wait that follows it, and who reads what
  /// was written comes later.
  struct Group {
    SmallVector<Operation *> writes; ///< copies and asynchronous loads
    SmallVector<AsyncWaitOp> waits;
    SmallVector<Bytes> bytes;
    Operation *last = nullptr;

    bool overlaps(const Bytes &other) const {
      return llvm::any_of(bytes, [&](const Bytes &b) { return b.overlaps(other); });
    }
    void add(Operation *op, Bytes where) {
      writes.push_back(op);
      bytes.push_back(where);
      last = op;
    }
    static bool isFresh(Operation *op) { return op->hasAttr("no_war_barrier"); }
    /// Returns how many writes share the barriers of others.
    unsigned close(MLIRContext *context) {
      auto unit = UnitAttr::get(context);
      bool fresh = llvm::all_of(writes, isFresh);
      for (auto [i, op] : llvm::enumerate(writes)) {
        if (i > 0 || fresh)
          op->setAttr("no_war_barrier", unit);
        else
          op->removeAttr("no_war_barrier");
        if (isa<CopyOp>(op) && op != last)
          op->setAttr(kNoRawBarrierAttr, unit);
      }
      // One fence after all the writes; where they end in a wait, each thread makes its own visible before it.
      if (isa_and_nonnull<CopyOp>(last) &&
          llvm::any_of(writes, [](Operation *op) { return op->hasAttr(kAsyncProxyAttr); })) {
        for (Operation *op : writes)
          op->removeAttr(kAsyncProxyAttr);
        last->setAttr(kAsyncProxyAttr, unit);
      }
      // The last wait is for all of them.
      if (waits.size() > 1) {
        SmallVector<Value> tokens;
        for (AsyncWaitOp wait : waits)
          llvm::append_range(tokens, wait.getTokens());
        waits.back().getTokensMutable().assign(tokens);
        if (llvm::any_of(waits, [](AsyncWaitOp wait) { return wait->hasAttr(kAsyncProxyAttr); }))
          waits.back()->setAttr(kAsyncProxyAttr, unit);
        for (AsyncWaitOp wait : ArrayRef(waits).drop_back())
          wait.erase();
      }
      unsigned shared = writes.empty() ? 0 : writes.size() - 1;
      *this = Group();
      return shared;
    }
  };

  /// The shared tile that an operation writes as a whole.
  static Value writtenBy(Operation &op) {
    if (auto copy = dyn_cast<CopyOp>(op); copy && copy.getDest() && !copy.getResult())
      return isIn(copy.getDest().getType(), MemoryKind::Shared) ? copy.getDest() : Value();
    if (auto load = dyn_cast<AsyncCopyOpInterface>(op))
      return load.getDest();
    return {};
  }

  void shareBarriers() {
    getOperation().walk([&](Block *block) {
      Group group;
      for (Operation &op : llvm::make_early_inc_range(*block)) {
        if (auto wait = dyn_cast<AsyncWaitOp>(op); wait && !wait.getBarrier()) {
          group.last = wait;
          // What is written next may have the bytes that stores read.
          if (waitsForStores(wait))
            numShared += group.close(&getContext());
          else
            group.waits.push_back(wait);
          continue;
        }
        if (Value tile = writtenBy(op)) {
          std::optional<Bytes> bytes = bytesOf(tile);
          if (!bytes || group.overlaps(*bytes))
            numShared += group.close(&getContext());
          if (bytes)
            group.add(&op, *bytes);
          continue;
        }
        // Another shape is not an access.
        if (mayTouchShared(op) && !isReshape(&op))
          numShared += group.close(&getContext());
      }
      numShared += group.close(&getContext());
    });
  }

  /// Whether all threads meet in an operation, behind whatever they have done before it.
  static bool isMeeting(Operation *op) {
    if (auto wait = dyn_cast<ConsumerWaitOp>(op)) {
      auto ring = wait.getPipeline().getDefiningOp<CreatePipelineOp>();
      return ring && ring.getGroups();
    }
    if (auto wait = dyn_cast<AsyncWaitOp>(op))
      return !waitsForStores(wait);
    if (auto reduce = dyn_cast<ReduceOp>(op))
      return !reduce.getScratch().empty();
    return false;
  }

  using Users = llvm::SmallPtrSet<Operation *, 16>;

  /// Whether all threads have met behind the last of `users`, when `op` or what precedes it in its block is done.
  /// Nothing if neither is among them.
  static std::optional<bool> haveMetBehind(Operation *op, const Users &users) {
    for (; op; op = op->getPrevNode()) {
      auto found = op->walk(
          [&](Operation *inner) { return users.contains(inner) ? WalkResult::interrupt() : WalkResult::advance(); });
      if (found.wasInterrupted())
        return false;
      if (isMeeting(op))
        return true;
    }
    return std::nullopt;
  }

  /// The same when `op` begins, by whatever way: in a loop of counted rounds also from the end of the round before.
  static bool haveMetBefore(Operation *op, const Users &users) {
    for (;; op = op->getParentOp()) {
      if (std::optional<bool> met = haveMetBehind(op->getPrevNode(), users))
        return *met;
      if (isa<nv_tileaa::FuncOp>(op->getParentOp()))
        return true;
      auto loop = dyn_cast<nv_tileaa::CountedLoop>(op->getParentOp());
      if (!loop || !haveMetBehind(loop.getBody()->getTerminator(), users).value_or(true))
        return false;
    }
  }

  /// A reduction need not wait for those who read the bytes of its scratch tile if all threads have met since, in a
  /// wait for copies or another reduction.
  void dropBarriersOfReductions(ArrayRef<SharedBuffer> buffers) {
    getOperation().walk([&](ReduceOp reduce) {
      if (reduce.getScratch().size() != 1 || reduce.getNoWarBarrier())
        return;
      auto its = llvm::find_if(
          buffers, [&](const SharedBuffer &buffer) { return buffer.firstTile() == reduce.getScratch().front(); });
      if (its == buffers.end())
        return;
      Users users;
      for (const SharedBuffer &buffer : buffers)
        if (buffer.overlapsInSpace(*its))
          for (AllocTensorOp tile : llvm::concat<const AllocTensorOp>(buffer.ops, buffer.inTurns))
            for (Operation *user : usersOfSharedTile(tile))
              users.insert(user);
      if (!haveMetBefore(reduce, users))
        return;
      reduce.setNoWarBarrierAttr(UnitAttr::get(&getContext()));
      ++numShared;
    });
  }

  /// Whether a thread is done with a shared tile when it has gone past the operation: nothing goes on behind its back.
  static bool isDoneAtOnce(Operation *user) {
    if (auto dot = dyn_cast<DotOp>(user))
      return !dot.getAtom() || dot.getAtom()->getCompletion() == Completion::AtOnce;
    if (auto copy = dyn_cast<CopyOp>(user))
      return isIn(copy.getSource().getType(), MemoryKind::Registers);
    return isa<ConvertLayoutOp>(user) || isReshape(user);
  }

  /// Nor need threads that write a tile wait for those who read its bytes, if all have met since.
  void dropBarriersOfWrites(ArrayRef<SharedBuffer> buffers) {
    getOperation().walk([&](CopyOp copy) {
      if (!copy.getDest() || copy.getResult() || copy.getNoWarBarrier() || getAgentSwitch(copy) ||
          !isIn(copy.getDest().getType(), MemoryKind::Shared) ||
          !isIn(copy.getSource().getType(), MemoryKind::Registers))
        return;
      auto its =
          llvm::find_if(buffers, [&](const SharedBuffer &buffer) { return buffer.firstTile() == copy.getDest(); });
      if (its == buffers.end() || its->ops.size() > 1 || !its->inTurns.empty())
        return;
      Users users;
      bool done = true;
      for (const SharedBuffer &buffer : buffers)
        if (buffer.overlapsInSpace(*its))
          for (AllocTensorOp tile : llvm::concat<const AllocTensorOp>(buffer.ops, buffer.inTurns))
            for (Operation *user : usersOfSharedTile(tile)) {
              done &= isDoneAtOnce(user);
              users.insert(user);
            }
      users.erase(copy);
      if (!done || !haveMetBefore(copy, users))
        return;
      copy.setNoWarBarrier(true);
      ++numShared;
    });
  }

  /// Bytes that no tile before `buffer` had, in no earlier round either.
  static bool isFresh(ArrayRef<SharedBuffer> placed, const SharedBuffer &buffer) {
    return llvm::none_of(placed, [&](const SharedBuffer &b) { return b.overlapsInSpace(buffer); });
  }

  /// Only products read the tile, and all threads wait for each: whoever goes on may write it again.
  static bool isReadByAwaitedProducts(AllocTensorOp tile) {
    return llvm::all_of(usersOfSharedTile(tile.getResult()), [](Operation *user) {
      if (auto dot = dyn_cast<DotOp>(user))
        return dot.getAtom() && dot.getAtom()->getCompletion() == Completion::Mbarrier;
      if (auto copy = dyn_cast<CopyOp>(user))
        return !copy.getResult(); // else threads read their part of every round
      return isa<AsyncCopyOpInterface, ViewOp, nv_tileaa::ViewOp, nv_tileaa::PermuteOp>(user);
    });
  }

  void markFreshWrites(ArrayRef<SharedBuffer> buffers, size_t number) {
    const SharedBuffer &buffer = buffers[number];
    bool fresh = !buffer.inLoop && isFresh(buffers.take_front(number), buffer);
    bool hasReaders = llvm::any_of(buffers, [&](const SharedBuffer &b) {
      bool isLater = !b.inLoop && b.begin > buffer.end;
      return b.overlapsInSpace(buffer) && !isLater &&
             !llvm::all_of(b.ops, [](AllocTensorOp tile) { return isReadByAwaitedProducts(tile); });
    });
    if (buffer.ops.size() > 1 || (!fresh && hasReaders))
      return;
    // Several writers of one tile follow each other's readers; only a lone one is free.
    SmallVector<Operation *> writers;
    for (Operation *user : usersOfSharedTile(buffer.firstTile()))
      if (isa<ReduceOp, AsyncCopyOpInterface>(user) ||
          (isa<CopyOp>(user) && isIn(user->getOperand(0).getType(), MemoryKind::Registers)))
        writers.push_back(user);
    if (writers.size() != 1)
      return;
    auto unit = UnitAttr::get(&getContext());
    if (isa<CopyOp, AsyncCopyOpInterface>(writers.front()))
      writers.front()->setAttr("no_war_barrier", unit);
    else if (auto reduce = dyn_cast<ReduceOp>(writers.front()); reduce && reduce.getScratch().size() == 1)
      reduce.setNoWarBarrierAttr(unit);
  }

  /// Rings that no loop comes back to, all of whose bytes are fresh.
  void markFreshRings(ArrayRef<SharedBuffer> buffers) {
    getOperation().walk([&](CreatePipelineOp ring) {
      bool fresh = !ring->getParentOfType<LoopLikeOpInterface>();
      for (auto [i, buffer] : llvm::enumerate(buffers))
        if (llvm::is_contained(ring.getStages(), buffer.firstTile()) || buffer.firstTile() == ring.getBarriers() ||
            llvm::any_of(buffer.inTurns,
                         [&](AllocTensorOp tile) { return llvm::is_contained(ring.getStages(), tile.getResult()); }))
          fresh &= isFresh(buffers.take_front(i), buffer);
      ring.setNoWarBarrier(fresh);
    });
  }
};

} // namespace
