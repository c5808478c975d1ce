//===- RefineAtomByResource.cpp - tileas-refine-atom-by-resource ----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Atoms are chosen product by product (SelectMma.h). Once layouts are final it is known what all tiles of a kernel take
// together, and a choice may turn out not to fit: a factor for which shared memory has no room (WholeOperands.h) is
// held in registers as the instruction takes it, all of k at once, each element by every warp that multiplies it.
//
//     %a = convert_layout %x : 64x512 -> fragments           %x0 = extract_slice %x[0, 0] : 64x128 (registers by name)
//     %c1 = dot %a, %b, %c                               ->  %a0 = convert_layout %x0,   %c0 = dot %a0, %b0, %c
//                                                            ... three more, each adding to the sums before
//
// Where the tiles of a kernel exceed its registers, such a product becomes several of the same atom along k, in the
// same order of k. Their factors have room in shared memory, one after the other, and a copy atom (ldmatrix) fetches
// their fragments step by step, so registers hold none. A slice along k has to be a matter of registers: where lanes or
// warps tell them apart, those bits of the layout change places with registers of other rows, at the load if the tile
// is loaded for the product alone, else by a conversion.
//
// The same is done in loops that multiply what they load one after the other, as attention does keys and values, where
// shared memory has no room for all of it at once, nor registers for that of the next round: slices of those tiles are
// small enough to take turns in a few places, each copied while another one is multiplied
// (tileas-materialize-async).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadPastRegisters.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadSlices.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/PrefetchLoads.h"
#include "tileiras/Dialect/TileAS/Transforms/ProductSlices.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/RingCandidate.h"
#include "tileiras/Dialect/TileAS/Transforms/WholeOperands.h"
#include "tileiras/Remark/Remark.h"
#include <numeric>

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_REFINEATOMBYRESOURCEPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using tileiras::LinearLayout;
namespace remarks = tileiras::remarks;

namespace {

RankedTensorType tensorOf(Value v) { return cast<RankedTensorType>(v.getType()); }
LinearLayout clean(const LinearLayout &layout) { return layout.removeRedundantBasesAlongDim(tileiras::kRegister); }

/// Registers of a thread that a tile takes.
int64_t wordsOf(RankedTensorType type) {
  if (!isIn(type, MemoryKind::Registers) || !type.getElementType().isIntOrFloat() || type.getElementType().isInteger(1))
    return 0;
  return llvm::divideCeil(
      int64_t(clean(getLinearLayout(type)).inSize(tileiras::kRegister)) * getStorageBytes(type.getElementType()), 4);
}

struct RefineAtomByResourcePass : nv_tileas::impl::RefineAtomByResourcePassBase<RefineAtomByResourcePass> {
  using Base::Base;

  void runOnOperation() override {
    nv_tileaa::FuncOp func = getOperation();
    if (failed(checkTiles(func, /*needLayouts=*/true)))
      return signalPassFailure();
    SharedMemory shared(func);
    pieceBytes = shared.piece();
    if (numStages > 1)
      for (CountedLoop loop : nv_tileaa::getCountedLoops(func))
        takeTurns(loop, shared.roomToKeep());
    if (shared.demandWithOperands(func.getBody(), bringsFactors) <= shared.room())
      return;
    whole = chooseWholeOperands(func, shared, bringsFactors);
    int64_t room = wordsOfThread();
    SmallVector<DotOp> held;
    func.walk([&](DotOp dot) {
      if (isHeld(dot))
        held.push_back(dot);
    });
    int64_t words = held.empty() ? 0 : peak();
    for (DotOp dot : held) {
      if (words <= room)
        break;
      if (refine(dot, words, room))
        words = peak();
    }
  }

private:
  int64_t pieceBytes = 0;
  llvm::SmallPtrSet<Operation *, 8> whole;
  llvm::DenseMap<Type, int64_t> wordsOfTypes;

  /// Registers of a thread for tiles, beside what products need.
  int64_t wordsOfThread() {
    nv_tileaa::FuncOp func = getOperation();
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
    auto occupancy = func->getAttrOfType<IntegerAttr>(nv_tileaa::kOccupancyAttr);
    int64_t warps = getNumWarps(func), blocks = occupancy ? occupancy.getInt() : 1;
    auto kind = nv_tileaa::Products::Direct;
    int64_t words =
        target ? nv_tileaa::roomForTiles(warps, blocks, kind, target->registersPerSm, target->maxRegistersPerThread)
               : nv_tileaa::roomForTiles(warps, blocks, kind);
    return words / (32 * warps);
  }

  bool isInRegisters(ConvertLayoutOp op) const {
    return getSharedBytes(op.getType()) > pieceBytes && !whole.contains(op);
  }

  int64_t wordsOnce(RankedTensorType type) {
    auto [entry, fresh] = wordsOfTypes.try_emplace(type);
    if (fresh)
      entry->second = wordsOf(type);
    return entry->second;
  }

  int64_t peak() {
    return nv_tileaa::peakLiveWords(getOperation().getBody(), [&](Value v) -> int64_t {
      auto type = dyn_cast<RankedTensorType>(v.getType());
      Operation *def = v.getDefiningOp();
      if (!type ||
          isa_and_nonnull<nv_tileaa::SplatOp, nv_tileaa::MakeRangeOp, nv_tileaa::ConstantTensorOp, arith::ConstantOp>(
              def))
        return 0;
      if (auto convert = dyn_cast_if_present<ConvertLayoutOp>(def); convert && bringsFactors(convert))
        return isInRegisters(convert) ? wordsOnce(type) : 0;
      if (auto broadcast = dyn_cast_if_present<nv_tileaa::BroadcastOp>(def))
        return wordsOnce(tensorOf(broadcast.getSource()));
      return isReducedAsMade(v) || isCountedElsewhere(v) ? 0 : wordsOnce(type);
    });
  }

  /// The registers of a tile and those of its slices are the same ones: the slices' count where the tile is used by
  /// nobody else, in the order in which they die, and the tile's where it lives longer than the slice.
  static bool isCountedElsewhere(Value v) {
    auto isSliced = [&](OpOperand &use) {
      ExtractSliceOp slice = namedBy(use);
      return slice && slice->getBlock() == v.getParentBlock();
    };
    if (!v.use_empty() && llvm::all_of(v.getUses(), isSliced))
      return true;
    auto slice = v.getDefiningOp<ExtractSliceOp>();
    if (!slice || !namedBy(slice->getOpOperand(0)))
      return false;
    Value whole = slice.getSource();
    if (llvm::all_of(whole.getUses(), [&](OpOperand &use) {
          return namedBy(use) && use.getOwner()->getBlock() == whole.getParentBlock();
        }))
      return false;
    Block *block = whole.getParentBlock();
    auto isBefore = [&](OpOperand &use, Operation *other) {
      Operation *at = block->findAncestorOpInBlock(*use.getOwner());
      return at && (at == other || at->isBeforeInBlock(other));
    };
    return llvm::any_of(whole.getUses(), [&](OpOperand &last) {
      Operation *end = namedBy(last) ? nullptr : block->findAncestorOpInBlock(*last.getOwner());
      return end && llvm::all_of(v.getUses(), [&](OpOperand &use) { return isBefore(use, end); });
    });
  }

  /// Whether a product's factor is held in registers because shared memory has no room.
  bool isHeld(DotOp dot) {
    if (!dot.getAtom() || dot.getSfa() || getAgentSwitch(dot))
      return false;
    bool held = false;
    for (OpOperand &factor : dot->getOpOperands().take_front(2)) {
      auto convert = factor.get().getDefiningOp<ConvertLayoutOp>();
      bool moved = convert && bringsFactors(convert);
      if (!isIn((moved ? convert.getSource() : factor.get()).getType(), MemoryKind::Registers))
        return false;
      held |= moved && isInRegisters(convert);
    }
    return held;
  }

  //===--------------------------------------------------------------------===//
  // Slices along k
  //===--------------------------------------------------------------------===//

  /// Slices so that each of a factor is a piece of shared memory; 0 if an instruction needs more of k.
  int64_t slicesOf(DotOp dot) const {
    int64_t k = tensorOf(dot.getA()).getShape().back(), step = dot.getAtom()->getInstructionShape()[2], slices = 1;
    for (Value factor : {dot.getA(), dot.getB()})
      while (getSharedBytes(tensorOf(factor)) / slices > pieceBytes)
        slices *= 2;
    return slices > 1 && k / slices >= step ? slices : 0;
  }

  bool refine(DotOp dot, int64_t words, int64_t room) {
    auto figures = [&](remarks::InFlight remark, int64_t slices, StringRef why) {
      remark << remarks::figure("Words", words) << remarks::figure("Room", room) << remarks::figure("Slices", slices)
             << remarks::because(why);
    };
    StringRef why = "a slice along k would be less than an instruction takes";
    std::optional<SlicedProduct> plan = planSlices(dot, slicesOf(dot), why);
    if (!plan) {
      figures(remarks::missed(dot, remarks::kResources, "RefinedAtom"), 0, why);
      return false;
    }
    figures(remarks::passed(dot, remarks::kResources, "RefinedAtom"), plan->slices,
            "factors that shared memory has no room for are multiplied slice by slice");
    multiply(*plan);
    return true;
  }

  SmallVector<Value> multiply(const SlicedProduct &plan) {
    ++numRefined;
    return multiplySlices(plan, [&](Operation *op) { whole.erase(op); });
  }

  //===--------------------------------------------------------------------===//
  // Loads that take turns
  //===--------------------------------------------------------------------===//

  /// A product of a loop, and the factor of it that the loop loads for it alone.
  struct Loaded {
    DotOp dot;
    unsigned factor;
    TiledLoadOp load;
    int64_t bytes, others; ///< of that factor and of the other one, if it goes through shared memory
  };

  /// The load that brings a factor, if its tile may be copied to shared memory in an earlier round.
  static TiledLoadOp loadOf(CountedLoop loop, ConvertLayoutOp convert) {
    std::optional<LoadForOne> found =
        bringsFactors(convert) && convert->hasOneUse() ? LoadForOne::of(convert.getSource()) : std::nullopt;
    if (!found || found->load->getBlock() != loop.getBody() || !found->mayWaitUntil(convert) ||
        !found->load.getView().getDefiningOp<nv_tileaa::BlockTileOp>())
      return {};
    TiledLoadOp load = found->load;
    Type element = load.getResult().getType().getElementType();
    int64_t bytes = getStorageBytes(element);
    llvm::SetVector<Value> tokens;
    RingCandidate ring;
    ring.loop = loop;
    StringRef why;
    bool known = getMemoryBits(element) == 8 * bytes && load.getVec().value_or(1) * bytes >= 4 &&
                 succeeded(collectTokens(loop, load.getToken(), tokens)) &&
                 llvm::all_of(load->getOperands(), [&](Value operand) {
                   return operand == load.getToken() || succeeded(ring.addAddress(operand, why));
                 });
    return known ? load : TiledLoadOp();
  }

  /// The products of a loop, if each of them is by mma.sync and takes at most one factor that the loop loads.
  static SmallVector<Loaded> loadedFactors(CountedLoop loop) {
    SmallVector<Loaded> loaded;
    for (auto dot : loop.getBody()->getOps<DotOp>()) {
      if (!dot.getAtom() || !isa<MmaAtomAttr>(Attribute(*dot.getAtom())) || dot.getSfa() || getAgentSwitch(dot))
        return {};
      Loaded its{dot, 0, {}, 0, 0};
      for (OpOperand &factor : dot->getOpOperands().take_front(2)) {
        auto convert = factor.get().getDefiningOp<ConvertLayoutOp>();
        TiledLoadOp load = convert ? loadOf(loop, convert) : TiledLoadOp();
        if (load && its.load)
          return {};
        if (load)
          its.load = load, its.factor = factor.getOperandNumber(), its.bytes = getSharedBytes(tensorOf(factor.get()));
        else if (convert && bringsFactors(convert))
          its.others = getSharedBytes(tensorOf(factor.get()));
      }
      if (its.load)
        loaded.push_back(its);
    }
    return loaded;
  }

  /// In how many slices the products of a loop are done so that the slices have room in places which they take in
  /// turns, all equally often: the number of slices by product, for the most bytes under way; none if there are no two
  /// places.
  SmallVector<int64_t> slicesInTurns(ArrayRef<Loaded> loaded, int64_t scratch, int64_t room, bool keeps) const {
    constexpr int64_t leastBytes = 8192, mostSlices = 32;
    SmallVector<int64_t> best;
    int64_t most = 0;
    auto consider = [&](ArrayRef<int64_t> slices) {
      // Of other factors one slice after the other goes there, unless they stay.
      int64_t count = 0, largest = 0, others = scratch, all = scratch;
      for (auto [its, parts] : llvm::zip_equal(loaded, slices)) {
        count += parts;
        largest = std::max(largest, its.bytes / parts);
        others = std::max(others, std::min(its.others / parts, pieceBytes));
        all += its.others;
        StringRef why;
        if (parts > 1 && !planSlices(its.dot, parts, why))
          return;
      }
      int64_t places = count;
      while (places > 1 && (count % places || places * largest + (keeps ? all : others) > room))
        --places;
      // Fewer slices meet less often.
      if (int64_t underWay = (places - 1) * largest; count <= mostSlices && underWay > 0 && 2 * underWay >= 3 * most) {
        most = underWay;
        best.assign(slices.begin(), slices.end());
      }
    };
    for (int64_t bytes = pieceBytes; bytes >= leastBytes; bytes /= 2) {
      SmallVector<int64_t> slices, mostOf;
      for (const Loaded &its : loaded) {
        DotOp dot = its.dot;
        mostOf.push_back(llvm::bit_floor(
            uint64_t(tensorOf(dot.getA()).getShape().back() / dot.getAtom()->getInstructionShape()[2])));
        slices.push_back(std::min<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(its.bytes, bytes)), mostOf.back()));
      }
      consider(slices);
      // A number that has divisors.
      for (size_t i = 0; i < slices.size(); ++i)
        if (2 * slices[i] <= mostOf[i] && loaded[i].bytes / slices[i] > leastBytes) {
          slices[i] *= 2;
          consider(slices);
          slices[i] /= 2;
        }
    }
    return best;
  }

  /// Whether factors that are the same in every round are going to stay in shared memory (tileas-keep-invariant-tiles):
  /// there is room for them beside what is loaded before the first product, and behind it.
  static bool keepsFactors(ArrayRef<Loaded> loaded, int64_t others, int64_t room) {
    int64_t early = 0, late = 0;
    for (const Loaded &its : loaded) {
      TiledLoadOp load = its.load;
      (load->isBeforeInBlock(loaded.front().dot) ? early : late) += its.bytes;
    }
    return std::max(early, late) + others <= room;
  }

  void takeTurns(CountedLoop loop, int64_t room) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    bool nested = loop.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
    if (nested || (trips && trips->ule(1)))
      return;
    SmallVector<Loaded> loaded = loadedFactors(loop);
    int64_t bytes = 0, scratch = 0, others = 0;
    for (const Loaded &its : loaded)
      bytes += its.bytes, others += std::min(its.others, pieceBytes);
    loop->walk([&](AllocTensorOp tile) {
      if (isIn(tile.getType(), MemoryKind::Shared))
        scratch = std::max(scratch, getSharedBytes(cast<RankedTensorType>(tile.getType())));
    });
    if (loaded.empty() || bytes + std::max(others, scratch) <= room || registersHoldLoads(loop))
      return;
    // What is loaded for products is in no register then, nor is a factor whole.
    llvm::SmallPtrSet<Operation *, 8> past;
    for (const Loaded &its : loaded) {
      past.insert(its.load);
      for (Operation *op = its.dot->getOperand(its.factor).getDefiningOp(); op != its.load;
           op = op->getOperand(0).getDefiningOp())
        past.insert(op);
      if (its.others)
        past.insert(its.dot->getOperand(1 - its.factor).getDefiningOp());
    }
    int64_t words = wordsIn(loop, [&](Value v) { return past.contains(v.getDefiningOp()) ? 0 : wordsHeld(v); });
    // What ptxas has beside that: the addresses of all slices. (Measured: 0 to 40 bytes are spilled before the loops of
    // kernels below, 112 and 180 with loops of 167 and 181 words.)
    constexpr int64_t mostWords = 140;
    if (words > mostWords) {
      remarks::missed(loop, remarks::kResources, "TakeTurns")
          << remarks::figure("Words", words) << remarks::because("there are no registers for the addresses of slices");
      return;
    }
    SmallVector<int64_t> slices = slicesInTurns(loaded, scratch, room, keepsFactors(loaded, others, room));
    SmallVector<SlicedProduct, 0> plans;
    StringRef why;
    for (auto [its, parts] : llvm::zip(loaded, slices))
      if (std::optional<SlicedProduct> plan = parts > 1 ? planSlices(its.dot, parts, why) : SlicedProduct{its.dot})
        plans.push_back(*plan);
    if (plans.size() != loaded.size()) {
      remarks::missed(loop, remarks::kResources, "TakeTurns")
          << remarks::figure("Bytes", bytes) << remarks::figure("Room", room)
          << remarks::because(slices.empty() ? "there are no two places for slices of what the loop loads"
                                             : "slices along k are not a matter of registers");
      return;
    }
    remarks::passed(loop, remarks::kResources, "TakeTurns")
        << remarks::figure("Bytes", bytes) << remarks::figure("Room", room)
        << remarks::figure("Slices", std::accumulate(slices.begin(), slices.end(), int64_t(0)))
        << remarks::figure("Words", words)
        << remarks::because("there is no room for all that the loop loads, in shared memory or in registers: slices "
                            "of it take turns");
    for (auto [its, plan] : llvm::zip_equal(loaded, plans)) {
      if (plan.slices == 0) {
        its.load->setAttr(kTakesTurnsAttr, UnitAttr::get(&getContext()));
        continue;
      }
      int k = kOf(its.dot->getOpOperand(its.factor));
      loadSlices(multiply(plan)[its.factor], k, kTakesTurnsAttr);
    }
  }
};

} // namespace
