//===- CopyGroups.cpp - Rings that groups of cp.async fill ----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/PipelineToNVVM/CopyGroups.h"
#include "tileiras/Conversion/PipelineToNVVM/StagePlaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using tileiras::CopyGroups;

namespace {

using Place = tileiras::StagePlace;

class Analysis {
public:
  explicit Analysis(CreatePipelineOp ring) : ring(ring), stages(ring.getNumStages()) {}

  FailureOr<CopyGroups> run() {
    for (Operation *user : ring.getPipeline().getUsers()) {
      Block *block = user->getBlock();
      auto loop = dyn_cast<CountedLoop>(block->getParentOp());
      if (block != ring->getBlock() && !(loop && loop->getBlock() == ring->getBlock()))
        return user->emitOpError("of a ring of groups expects to be beside create_pipeline or in a loop there");
    }
    for (Operation *op = ring->getNextNode(); op; op = op->getNextNode()) {
      auto loop = dyn_cast<CountedLoop>(op);
      if (loop && llvm::any_of(*loop.getBody(), [&](Operation &inner) { return isOfRing(inner); })) {
        if (failed(visit(loop)))
          return failure();
      } else if (isOfRing(*op) && failed(visit(op))) {
        return failure();
      }
    }
    if (failed(checkSharedPlace()))
      return failure();
    return std::move(groups);
  }

private:
  bool isOfRing(Operation &op) { return llvm::is_contained(op.getOperands(), ring.getPipeline()); }

  LogicalResult check(Operation *op, std::optional<Place> place, Place expected) {
    if (place && *place == expected)
      return success();
    return op->emitOpError("of a ring of groups expects to fill the stage behind the one that was filled before it");
  }

  LogicalResult checkWait(ConsumerWaitOp wait, int64_t committed) {
    std::optional<Place> place = tileiras::placeOfIterator(wait.getIterator());
    if (!place || place->loop != now.loop || place->behind != now.behind || place->offset >= committed)
      return wait.emitOpError("of a ring of groups expects a stage that has been committed to");
    groups.pending[wait] = committed - place->offset - 1 + committedByOthers(wait, place->offset);
    return success();
  }

  static bool isOfGroups(Value pipeline) {
    auto ring = pipeline.getDefiningOp<CreatePipelineOp>();
    return ring && ring.getGroups();
  }

  /// How many groups of other rings are committed for certain between the stage's group, which is number `offset` for
  /// the first round of the wait, and the wait: those that stand beside the commits of this ring, in rounds played
  /// through until they repeat themselves.
  int64_t committedByOthers(ConsumerWaitOp wait, int64_t offset) {
    std::vector<bool> own; ///< by commit, in the order in which they happen: whether it is of this ring
    auto commit = [&](Operation &op) {
      if (auto commit = dyn_cast<ProducerCommitOp>(op); commit && isOfGroups(commit.getPipeline()))
        own.push_back(commit.getPipeline() == ring.getPipeline());
    };
    auto laterOfOthers = [&](int64_t number) -> int64_t {
      auto group = own.begin();
      while (group != own.end() && (!*group || number-- > 0))
        ++group;
      return std::count(group, own.end(), false);
    };
    Operation *outer = now.loop ? now.loop : wait.getOperation();
    for (Operation *op = ring->getNextNode(); op && op != outer; op = op->getNextNode())
      commit(*op);
    if (outer == wait)
      return laterOfOthers(offset);
    if (now.behind)
      return 0;
    std::optional<int64_t> least;
    for (int64_t round = 0; round < 2 * stages + 2; ++round)
      for (Operation &op : *cast<CountedLoop>(outer).getBody()) {
        commit(op);
        if (&op == wait) {
          int64_t later = laterOfOthers(offset + round);
          least = std::min(least.value_or(later), later);
        }
      }
    return least.value_or(0);
  }

  /// Outside of loops.
  LogicalResult visit(Operation *op) {
    if (auto commit = dyn_cast<ProducerCommitOp>(op)) {
      if (failed(check(op, tileiras::placeOfToken(commit.getToken()), now)))
        return failure();
      ++now.offset;
    } else if (auto wait = dyn_cast<ConsumerWaitOp>(op)) {
      return checkWait(wait, now.offset);
    } else if (isa<ProducerAcquireOp>(op)) {
      // The first round finds the stages empty.
      if (now.behind || now.offset >= stages)
        groups.meet.insert(op);
    } else if (isa<ConsumerReleaseOp>(op)) {
      releasedBefore = true;
    }
    return success();
  }

  LogicalResult visit(CountedLoop loop) {
    if (now.loop)
      return loop.emitOpError("is the second one with a ring of groups, which is not supported");
    int64_t before = now.offset;
    now = Place{loop, false, before};
    ProducerCommitOp commit;
    SmallVector<ProducerAcquireOp> acquires;
    SmallVector<ConsumerReleaseOp> releases;
    SmallVector<ConsumerWaitOp> waits; ///< of any ring: all threads meet there
    for (Operation &op : *loop.getBody()) {
      if (auto wait = dyn_cast<ConsumerWaitOp>(op); wait && isOfGroups(wait.getPipeline()))
        waits.push_back(wait);
      if (!isOfRing(op))
        continue;
      if (auto next = dyn_cast<ProducerCommitOp>(op)) {
        if (commit)
          return op.emitOpError("of a ring of groups expects to be the only one in its loop");
        commit = next;
        if (failed(check(&op, tileiras::placeOfToken(commit.getToken()), now)))
          return failure();
      } else if (auto wait = dyn_cast<ConsumerWaitOp>(op)) {
        if (failed(checkWait(wait, before + (commit ? 1 : 0))))
          return failure();
      } else if (auto acquire = dyn_cast<ProducerAcquireOp>(op)) {
        acquires.push_back(acquire);
      } else if (auto release = dyn_cast<ConsumerReleaseOp>(op)) {
        releases.push_back(release);
      }
    }
    if (!commit)
      return loop.emitOpError("only reads a ring of groups, which is not supported");
    for (ProducerAcquireOp acquire : acquires)
      for (ConsumerReleaseOp release : releases) {
        std::optional<Place> read = tileiras::placeOfToken(release.getToken());
        if (!read || read->loop != loop || read->behind)
          return release.emitOpError("of a ring of groups expects a stage of this iteration");
        // How many iterations ago what the acquired stage held before was released.
        int64_t ago = stages - before + read->offset;
        bool inOrder = release->isBeforeInBlock(acquire);
        if (ago < 0 || (ago == 0 && !inOrder))
          return acquire.emitOpError("of a ring of groups fills a stage that has not been read");
        bool met = llvm::any_of(waits, [&](ConsumerWaitOp wait) {
          bool behindRelease = release->isBeforeInBlock(wait), beforeAcquire = wait->isBeforeInBlock(acquire);
          return ago > 1 || (ago == 1 ? behindRelease || beforeAcquire : behindRelease && beforeAcquire);
        });
        if (!met || releasedBefore)
          groups.meet.insert(acquire);
      }
    now.behind = true;
    return success();
  }

  /// The rings that have one place in turns (kSharedPlaceAttr): in a round of their loop each is filled when the one
  /// that had the place before it has been released, and all threads have met in between.
  LogicalResult checkSharedPlace() {
    std::optional<int64_t> place = getSharedPlace(ring);
    if (!place)
      return success();
    auto loop = dyn_cast_if_present<CountedLoop>(now.loop);
    if (!loop)
      return ring.emitOpError("with a shared place expects to be filled in a loop");
    auto isOfPlace = [&](Value pipeline) {
      return getSharedPlace(pipeline.getDefiningOp<CreatePipelineOp>()) == place;
    };
    Value holder; // whose copies the round begins with
    for (Operation &op : llvm::make_range(ring->getBlock()->begin(), loop->getIterator()))
      if (auto commit = dyn_cast<ProducerCommitOp>(op); commit && isOfPlace(commit.getPipeline())) {
        if (holder)
          return commit.emitOpError("fills the shared place of another ring before a loop");
        holder = commit.getPipeline();
      }
    Value before = holder;
    SmallVector<Operation *> events; ///< releases, acquires of this ring, and all waits
    for (Operation &op : *loop.getBody()) {
      if (auto wait = dyn_cast<ConsumerWaitOp>(op); wait && isOfGroups(wait.getPipeline()))
        events.push_back(&op);
      if (auto acquire = dyn_cast<ProducerAcquireOp>(op); acquire && isOfPlace(acquire.getPipeline())) {
        if (holder)
          return acquire.emitOpError("of a shared place fills what another ring has not been read from");
        holder = acquire.getPipeline();
        if (holder == ring.getPipeline())
          events.push_back(&op);
      }
      if (auto release = dyn_cast<ConsumerReleaseOp>(op); release && isOfPlace(release.getPipeline())) {
        if (holder != release.getPipeline())
          return release.emitOpError("of a shared place expects what this ring was filled with");
        holder = {};
        events.push_back(&op);
      }
    }
    if (holder != before)
      return loop.emitOpError("leaves a shared place to another ring than it begins with");
    // From the last event before an acquire backwards, and around.
    for (auto [number, op] : llvm::enumerate(events))
      if (isa<ProducerAcquireOp>(op))
        if (Operation *last = events[(number + events.size() - 1) % events.size()]; !isa<ConsumerWaitOp>(last))
          groups.meet.insert(op);
    return success();
  }

  CreatePipelineOp ring;
  int64_t stages;
  Place now; ///< of the next commit
  bool releasedBefore = false;
  CopyGroups groups;
};

} // namespace

FailureOr<CopyGroups> CopyGroups::of(CreatePipelineOp ring) { return Analysis(ring).run(); }
