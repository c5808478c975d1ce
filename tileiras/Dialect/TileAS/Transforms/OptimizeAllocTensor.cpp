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
// others).
//
// Addresses: a tile's life runs from its allocation to its last use under any name, in program order (uses inside a
// loop extend over the whole loop when the tile was allocated outside of it, and so do those inside an agent_switch).
// Agents run at the same time, so tiles of two of them never share bytes. First fit by start of life; 16-byte
// alignment, or 128 for tiles of at least 128 bytes. The kernel's total stands on the function as
// nv_tileas.shared_bytes.
//
// Before that: a tile that a loop writes in every round with what it has been given from outside (the queries of
// attention, operand of the first product) is written once before the loop, if there is shared memory for it. That
// saves the writes, and the registers it came from.
//
//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/TargetTable.h"
#include "tileiras/Support/LinearLayout.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_OPTIMIZEALLOCTENSORPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct Buffer {
  AllocTensorOp op;
  int64_t size, alignment;
  int64_t begin, end; ///< positions in program order, inclusive
  int64_t offset = 0;
  bool inLoop;
};

struct OptimizeAllocTensorPass : nv_tileas::impl::OptimizeAllocTensorPassBase<OptimizeAllocTensorPass> {
  void runOnOperation() override {
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    keepInvariantTiles();
    if (failed(placeInTensorMemory()))
      return signalPassFailure();
    SmallVector<Buffer> buffers = collect(MemoryKind::Shared);
    int64_t total = place(buffers);
    sharedBytes += total;
    for (size_t i = 0; i < buffers.size(); ++i) {
      Builder builder(&getContext());
      buffers[i].op.setOffsetAttr(builder.getI64IntegerAttr(buffers[i].offset));
      markFreshWrites(buffers, i);
    }
    shareBarriers();
    if (columns) {
      // The address of the columns, and the mbarrier.
      total = llvm::alignTo(total, 16);
      getOperation()->setAttr(kTensorMemoryAttr, DenseI64ArrayAttr::get(&getContext(), {columns, total}));
      total += 16;
    }
    tileiras::remarks::analysis(getOperation(), tileiras::remarks::kMemory, "SharedMemory")
        << tileiras::remarks::figure("Bytes", total) << tileiras::remarks::figure("Tiles", buffers.size())
        << tileiras::remarks::figure("Limit", SharedMemory(getOperation()).room())
        << tileiras::remarks::because(total ? "tiles that do not live at the same time share bytes"
                                            : "nothing is exchanged between warps");
    if (total)
      getOperation()->setAttr(kSharedBytesAttr, Builder(&getContext()).getI64IntegerAttr(total));
  }

  /// Gives every buffer its offset; returns how many bytes there are.
  static int64_t place(MutableArrayRef<Buffer> buffers) {
    int64_t total = 0;
    for (size_t i = 0; i < buffers.size(); ++i) {
      buffers[i].offset = firstFit(buffers.take_front(i), buffers[i]);
      total = std::max(total, buffers[i].offset + buffers[i].size);
    }
    return total;
  }

  //===--------------------------------------------------------------------===//
  // Tensor memory
  //===--------------------------------------------------------------------===//

  /// Gives tiles there their columns. A block takes a power of two of them, at least 32 (PTX ISA, "tcgen05.alloc").
  LogicalResult placeInTensorMemory() {
    columns = 0;
    SmallVector<Buffer> buffers = collect(MemoryKind::Tensor);
    if (buffers.empty())
      return success();
    for (Buffer &buffer : buffers) {
      auto type = cast<RankedTensorType>(buffer.op.getType());
      buffer.size = llvm::divideCeil(getLinearLayout(type).inSize(kColumn) * getStorageBytes(type.getElementType()), 4);
      buffer.alignment = 4;
    }
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(getOperation());
    int64_t limit = target ? target->tensorMemoryColumns : 0;
    // Tiles that share columns with none need no barriers, if two blocks still find room.
    int64_t apart = 0;
    for (const Buffer &buffer : buffers)
      apart += buffer.size;
    int64_t total = place(buffers);
    if (std::max(apart, total) <= limit / 2) {
      total = 0;
      for (Buffer &buffer : buffers) {
        buffer.offset = total;
        total += buffer.size;
      }
    }
    if (total > limit)
      return getOperation().emitError("fails to assign tmem buffer: the kernel needs ")
             << total << " columns of tensor memory, " << (target ? target->compiledAs : "its target") << " has "
             << limit;
    columns = std::max<int64_t>(32, llvm::PowerOf2Ceil(total));
    Builder builder(&getContext());
    for (Buffer &buffer : buffers) {
      buffer.op.setOffsetAttr(builder.getI64IntegerAttr(buffer.offset));
      markOwnColumns(buffers, buffer);
    }
    tileiras::remarks::analysis(getOperation(), tileiras::remarks::kMemory, "TensorMemory")
        << tileiras::remarks::figure("Columns", columns) << tileiras::remarks::figure("Tiles", buffers.size())
        << tileiras::remarks::figure("Limit", limit)
        << tileiras::remarks::because("sums of products are added up there");
    return success();
  }

  /// Where no other tile has had its columns, and each place is copied from and to by one warp only, a copy into a tile
  /// waits for nobody: products are waited for by all.
  static void markOwnColumns(ArrayRef<Buffer> buffers, Buffer &buffer) {
    if (llvm::any_of(buffers, [&](const Buffer &b) { return b.op != buffer.op && overlapInSpace(b, buffer); }))
      return;
    Attribute registers;
    SmallVector<CopyOp> writes;
    for (Operation *user : buffer.op->getUsers()) {
      Value held;
      if (auto copy = dyn_cast<CopyOp>(user)) {
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
    for (CopyOp write : writes)
      write.setNoWarBarrier(true);
  }

  int64_t columns = 0; ///< of tensor memory that the kernel takes

  //===--------------------------------------------------------------------===//
  // Tiles that are the same in every round
  //===--------------------------------------------------------------------===//

  /// The one write of a tile, if a loop repeats it with a value from outside.
  static CopyOp invariantWrite(AllocTensorOp alloc) {
    auto loop = dyn_cast<LoopLikeOpInterface>(alloc->getParentOp());
    CopyOp write;
    for (OpOperand &use : alloc->getUses()) {
      auto copy = dyn_cast<CopyOp>(use.getOwner());
      if (copy && copy.getDest() == alloc.getResult()) {
        if (write || copy->getBlock() != alloc->getBlock())
          return {};
        write = copy;
      } else if (!isa<DotOp>(use.getOwner())) {
        return {}; // only products take their operands from where they lie
      }
    }
    if (!loop || !write)
      return {};
    // Another view of what comes from outside is registers by other names.
    SmallVector<Operation *> views;
    Value source = write.getSource();
    while (!loop.isDefinedOutsideOfLoop(source)) {
      Operation *view = source.getDefiningOp();
      if (!isa_and_nonnull<ViewOp, nv_tileaa::PermuteOp>(view) || view->getParentOp() != loop)
        return {};
      views.push_back(view);
      source = view->getOperand(0);
    }
    for (Operation *view : llvm::reverse(views))
      view->moveBefore(loop);
    return write;
  }

  void keepInvariantTiles() {
    SmallVector<AllocTensorOp> allocs;
    getOperation().walk([&](AllocTensorOp op) {
      if (isIn(op.getType(), MemoryKind::Shared))
        allocs.push_back(op);
    });
    int64_t room = SharedMemory(getOperation()).roomToKeep();
    for (AllocTensorOp alloc : allocs)
      while (CopyOp write = invariantWrite(alloc)) {
        Operation *loop = alloc->getParentOp(), *behindAlloc = alloc->getNextNode(),
                  *behindWrite = write->getNextNode();
        alloc->moveBefore(loop);
        write->moveBefore(loop);
        SmallVector<Buffer> buffers = collect(MemoryKind::Shared);
        int64_t bytes = place(buffers);
        auto report = [&](tileiras::remarks::InFlight remark, StringRef why) {
          remark << tileiras::remarks::figure("Bytes", bytes) << tileiras::remarks::figure("Room", room)
                 << tileiras::remarks::because(why);
        };
        if (bytes <= room) {
          ++numInvariant;
          report(tileiras::remarks::passed(alloc, tileiras::remarks::kMemory, "InvariantTile"),
                 "an operand that is the same in every round is written once before the loop");
          continue;
        }
        report(tileiras::remarks::missed(alloc, tileiras::remarks::kMemory, "InvariantTile"),
               "an operand that is the same in every round is written in each: all shared tiles have no room at once");
        write->moveBefore(behindWrite);
        alloc->moveBefore(behindAlloc == write ? write.getOperation() : behindAlloc);
        break;
      }
  }

  //===--------------------------------------------------------------------===//
  // Barriers of writes in a row
  //===--------------------------------------------------------------------===//

  struct Bytes {
    int64_t begin, end;
    bool overlaps(const Bytes &other) const { return begin < other.end && other.begin < end; }
  };

  static std::optional<Bytes> bytesOf(Value tile) {
    for (Operation *def; (def = tile.getDefiningOp()) && isa<ViewOp, nv_tileaa::ViewOp, nv_tileaa::PermuteOp>(def);)
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
    if (auto load = dyn_cast<AsyncTiledLoadOp>(op))
      return load.getDest();
    return {};
  }

  void shareBarriers() {
    getOperation().walk([&](Block *block) {
      Group group;
      for (Operation &op : llvm::make_early_inc_range(*block)) {
        if (auto wait = dyn_cast<AsyncWaitOp>(op)) {
          group.waits.push_back(wait);
          group.last = wait;
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
        if (mayTouchShared(op) && !isa<ViewOp, nv_tileaa::ViewOp, nv_tileaa::PermuteOp>(op))
          numShared += group.close(&getContext());
      }
      numShared += group.close(&getContext());
    });
  }

  /// Who uses a tile, under whatever shape and name: views of it, what loops, branches and agents make of it, and the
  /// pipelines whose stage it is.
  static SmallVector<Operation *> usersOf(Value tile) {
    SmallVector<Operation *> users;
    llvm::SetVector<Value> names;
    names.insert(tile);
    for (size_t i = 0; i < names.size(); ++i)
      for (OpOperand &use : names[i].getUses()) {
        users.push_back(use.getOwner());
        SmallVector<Value, 2> next = nv_tileaa::getDestinations(use);
        if (next.empty())
          llvm::copy_if(use.getOwner()->getResults(), std::back_inserter(next), [](Value result) {
            return isIn(result.getType(), MemoryKind::Shared) || isa<PipelineType>(result.getType());
          });
        names.insert(next.begin(), next.end());
      }
    return users;
  }

  /// What the regions of producers and consumers call the tile, if it is a stage of a ring.
  static void appendStageArguments(AllocTensorOp op, SmallVectorImpl<Value> &tiles) {
    for (OpOperand &use : op->getUses()) {
      auto pipeline = dyn_cast<CreatePipelineOp>(use.getOwner());
      if (!pipeline || use.get() == pipeline.getBarriers())
        continue;
      unsigned element = use.getOperandNumber() % pipeline.getPipeline().getType().getElements().size();
      SmallVector<Value> names = {pipeline.getPipeline()};
      for (size_t i = 0; i < names.size(); ++i)
        for (OpOperand &user : names[i].getUses()) {
          if (auto agents = dyn_cast<AgentSwitchOp>(user.getOwner()))
            for (Region &agent : agents.getAgents())
              names.push_back(agent.getArgument(user.getOperandNumber()));
          else if (isa<ProducerWriteOp, ConsumerReadOp>(user.getOwner()))
            tiles.push_back(user.getOwner()->getRegion(0).getArgument(element));
        }
    }
  }

  /// Swizzles that matrix units and tensor copies undo are made of absolute addresses: the tile begins where the
  /// pattern does.
  static int64_t alignmentOf(AllocTensorOp op, int64_t size) {
    int64_t alignment = size >= 128 ? 128 : 16;
    SmallVector<Value> tiles = {op.getResult()};
    appendStageArguments(op, tiles);
    SmallVector<Operation *> users;
    for (Value tile : tiles)
      llvm::append_range(users, usersOf(tile));
    for (Operation *user : users) {
      if (auto load = dyn_cast<AsyncTiledTmaLoadOp>(user))
        alignment = std::max<int64_t>(alignment, getTmaAlignment(load.getAtom()));
      if (auto store = dyn_cast<AsyncTiledTmaStoreOp>(user))
        alignment = std::max<int64_t>(alignment, getTmaAlignment(store.getAtom()));
      if (auto dot = dyn_cast<DotOp>(user); dot && dot.getAtom())
        for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()})
          if (auto type = cast<RankedTensorType>(operand->get().getType()); isIn(type, MemoryKind::Shared))
            if (auto descriptor =
                    describeOperand(*dot.getAtom(), getDotShape(dot), getDotOperand(*operand), getLinearLayout(type)))
              alignment = std::max<int64_t>(alignment, descriptor->alignment());
    }
    return alignment;
  }

  /// The tiles that are in one memory, and when.
  SmallVector<Buffer> collect(MemoryKind memory) {
    DenseMap<Operation *, int64_t> first, last; // positions of an op and of the end of its regions
    int64_t now = 0;
    std::function<void(Operation *)> number = [&](Operation *op) {
      first[op] = now++;
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Operation &inner : block)
            number(&inner);
      last[op] = now++;
    };
    number(getOperation());

    SmallVector<Buffer> buffers;
    getOperation().walk<WalkOrder::PreOrder>([&](AllocTensorOp op) {
      if (!isIn(op.getType(), memory))
        return;
      Buffer buffer{op, getSharedBytes(cast<RankedTensorType>(op.getType())), 0, first[op], first[op],
                    0,  bool(op->getParentOfType<LoopLikeOpInterface>())};
      buffer.alignment = alignmentOf(op, buffer.size);
      // Nothing else may be where an mbarrier is (PTX ISA, "mbarrier").
      for (Operation *user : op->getUsers())
        if (auto pipeline = dyn_cast<CreatePipelineOp>(user); pipeline && pipeline.getBarriers() == op.getResult())
          buffer.end = last[getOperation()];
      for (Operation *user : usersOf(op)) {
        // What a loop takes into its next round meets all that the round makes.
        if (auto loop = dyn_cast<LoopLikeOpInterface>(user->getParentOp());
            loop && user->hasTrait<OpTrait::IsTerminator>() && loop->isAncestor(op)) {
          buffer.begin = std::min(buffer.begin, first[loop]);
          buffer.end = std::max(buffer.end, last[loop]);
        }
        // A use deeper inside a loop keeps the tile alive for the whole loop.
        Operation *top = user, *loop = nullptr;
        for (Operation *p = user; p && p->getParentRegion() != op->getParentRegion(); p = p->getParentOp())
          if (isa_and_nonnull<LoopLikeOpInterface, AgentSwitchOp>(p->getParentOp())) {
            top = p->getParentOp();
            loop = isa<LoopLikeOpInterface>(top) ? top : loop;
          }
        buffer.end = std::max(buffer.end, last[top]);
        buffer.inLoop |= loop != nullptr;
      }
      buffers.push_back(buffer);
    });
    return buffers;
  }

  static bool inDifferentAgents(AllocTensorOp a, AllocTensorOp b) {
    AgentSwitchOp agents = getAgentSwitch(a);
    return agents && agents == getAgentSwitch(b) && agents.agentOf(a) != agents.agentOf(b);
  }
  static bool overlapInTime(const Buffer &a, const Buffer &b) {
    return (a.begin <= b.end && b.begin <= a.end) || inDifferentAgents(a.op, b.op);
  }
  static bool overlapInSpace(const Buffer &a, const Buffer &b) {
    return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
  }

  static int64_t firstFit(ArrayRef<Buffer> placed, Buffer buffer) {
    buffer.offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (const Buffer &other : placed)
        if (overlapInTime(other, buffer) && overlapInSpace(other, buffer)) {
          buffer.offset = llvm::alignTo(other.offset + other.size, buffer.alignment);
          moved = true;
        }
    }
    return buffer.offset;
  }

  /// Only products read the tile, and all threads wait for each: whoever goes on may write it again.
  static bool isReadByAwaitedProducts(AllocTensorOp tile) {
    return llvm::all_of(usersOf(tile), [](Operation *user) {
      if (auto dot = dyn_cast<DotOp>(user))
        return dot.getAtom() && dot.getAtom()->getCompletion() == Completion::Mbarrier;
      if (auto copy = dyn_cast<CopyOp>(user))
        return !copy.getResult(); // else threads read their part of every round
      return isa<AsyncTiledLoadOp, ViewOp, nv_tileaa::ViewOp, nv_tileaa::PermuteOp>(user);
    });
  }

  void markFreshWrites(ArrayRef<Buffer> buffers, size_t number) {
    Buffer buffer = buffers[number];
    auto sharesWith = [&](ArrayRef<Buffer> others, function_ref<bool(const Buffer &)> who) {
      return llvm::any_of(others, [&](const Buffer &b) { return overlapInSpace(b, buffer) && who(b); });
    };
    bool fresh = !buffer.inLoop && !sharesWith(buffers.take_front(number), [](const Buffer &) { return true; });
    auto readByThreads = [&](const Buffer &b) {
      bool isLater = !b.inLoop && b.begin > buffer.end;
      return !isLater && !isReadByAwaitedProducts(b.op);
    };
    if (!fresh && sharesWith(buffers, readByThreads))
      return;
    // Several writers of one tile follow each other's readers; only a lone one is free.
    SmallVector<Operation *> writers;
    for (Operation *user : usersOf(buffer.op))
      if (isa<ReduceOp, AsyncTiledLoadOp>(user) ||
          (isa<CopyOp>(user) && isIn(user->getOperand(0).getType(), MemoryKind::Registers)))
        writers.push_back(user);
    if (writers.size() != 1)
      return;
    auto unit = UnitAttr::get(&getContext());
    if (isa<CopyOp, AsyncTiledLoadOp>(writers.front()))
      writers.front()->setAttr("no_war_barrier", unit);
    else if (auto reduce = dyn_cast<ReduceOp>(writers.front()); reduce && reduce.getScratch().size() == 1)
      reduce.setNoWarBarrierAttr(unit);
  }
};

} // namespace
