//===- TensorMemory.cpp - What a kernel has of tensor memory --------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Warp 0 allocates columns and frees them (PTX ISA, "tcgen05.alloc"); the address comes by way of shared memory. A
// thread orders what it did in tensor memory before the others go on by tcgen05.fence::before_thread_sync, which stands
// behind every wait for its loads and stores, so that any barrier later on will do (PTX ISA, "tcgen05.fence"). What
// threads do there: TensorMemoryAccess.cpp.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/TensorMemory.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/ScaleColumns.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Support/LoweringFacts.h"
#include "tileiras/Support/Tcgen05.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::tilellvm;
using nv_tileas::MemoryKind;

Operation *tilellvm::tcgen05Ptx(Emitter &e, TypeRange results, ValueRange operands, const Twine &text,
                                StringRef constraints) {
  auto op = LLVM::InlineAsmOp::create(e.b, e.loc, results, operands, text.str(), constraints.str() + ",~{memory}",
                                      /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                      LLVM::AsmDialectAttr(), ArrayAttr());
  op->setAttr(::tileiras::kPtxVersionAttr, e.b.getI32IntegerAttr(86));
  return op;
}

void tilellvm::beforeThreadSync(Emitter &e) { tcgen05Ptx(e, {}, {}, "tcgen05.fence::before_thread_sync;", ""); }
void tilellvm::afterThreadSync(Emitter &e) { tcgen05Ptx(e, {}, {}, "tcgen05.fence::after_thread_sync;", ""); }

static Value addressOf(Emitter &e, Value pointer) { return LLVM::PtrToIntOp::create(e.b, e.loc, e.intTy(32), pointer); }

/// Unit, in kernels with nv_tileas.pair_relays, beside nv_tileas.issuer: whether this thread issues products, or would
/// in the even block.
static constexpr StringLiteral kRelayAttr = "nv_tileas.relay";

func::FuncOp tilellvm::functionAround(Emitter &e) {
  Operation *op = e.b.getInsertionBlock()->getParentOp();
  return isa<func::FuncOp>(op) ? cast<func::FuncOp>(op) : op->getParentOfType<func::FuncOp>();
}

Value tilellvm::issuingThread(Emitter &e) {
  Region *region = e.b.getInsertionBlock()->getParent();
  while (!isa<FunctionOpInterface, nv_tileas::AgentSwitchOp>(region->getParentOp()))
    region = region->getParentRegion();
  bool single = nv_tileas::isSingleThread(region->getParentOp(), region->getRegionNumber());
  if (single && !relaysInPairs(e))
    return {}; // of a pair, the odd block does not run it
  for (Operation &op : region->front())
    if (op.hasAttr(nv_tileas::kIssuerAttr))
      return op.getResult(0);
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToStart(&region->front());
  Emitter first(e.b, e.loc);
  // It is at the start, too, but not before what it is computed from.
  if (first.threads().isWholeBlock || first.threads().numWarps > 1)
    e.b.setInsertionPointAfter(uniformWarp(first).getDefiningOp());
  // Of an agent that one thread runs, only the block is asked.
  Value elected;
  if (functionAround(first)->hasAttr(nv_tileas::kByWarpgroupAttr)) {
    elected =
        first.andi(first.icmp(LLVM::ICmpPredicate::eq, first.andi(uniformWarp(first), first.i32(3)), first.i32(0)),
                   electedLane(first));
    if (first.threads().numWarps > 2 * kWarpsOfTurn)
      elected =
          first.andi(elected, first.icmp(LLVM::ICmpPredicate::ult, uniformWarp(first), first.i32(2 * kWarpsOfTurn)));
  } else if (!single)
    elected = electedThread(first);
  if (elected && relaysInPairs(first))
    elected.getDefiningOp()->setAttr(kRelayAttr, e.b.getUnitAttr());
  if (multipliesInPairs(first))
    elected = first.both(elected, first.icmp(LLVM::ICmpPredicate::eq, first.block(), first.i32(0)));
  elected.getDefiningOp()->setAttr(nv_tileas::kIssuerAttr, e.b.getUnitAttr());
  return elected;
}

Value tilellvm::relayingThread(Emitter &e) {
  Region *region = e.b.getInsertionBlock()->getParent();
  while (!isa<FunctionOpInterface, nv_tileas::AgentSwitchOp>(region->getParentOp()))
    region = region->getParentRegion();
  if (nv_tileas::isSingleThread(region->getParentOp(), region->getRegionNumber()))
    return {};
  issuingThread(e); // finds both
  for (Operation &op : region->front())
    if (op.hasAttr(kRelayAttr))
      return op.getResult(0);
  llvm_unreachable("the issuing thread of a kernel that relays stages is one of those elected");
}

static bool kernelHas(Emitter &e, StringRef attribute) {
  func::FuncOp func = functionAround(e);
  return func && func->hasAttr(attribute);
}

bool tilellvm::multipliesInPairs(Emitter &e) { return kernelHas(e, nv_tileas::kCtaPairAttr); }
bool tilellvm::relaysInPairs(Emitter &e) { return kernelHas(e, nv_tileas::kPairRelaysAttr); }

Value tilellvm::multiplyingWarpgroup(Emitter &e) {
  func::FuncOp func = functionAround(e);
  if (!func || !func->hasAttr(nv_tileas::kByWarpgroupAttr))
    return {};
  Value warpgroup = e.lshr(uniformWarp(e), 2);
  return e.threads().numWarps > 2 * kWarpsOfTurn ? e.andi(warpgroup, e.i32(1)) : warpgroup;
}

void tilellvm::meetToMultiply(Emitter &e, bool byWarpgroup) {
  if (!byWarpgroup)
    return e.barrier();
  NVVM::BarrierOp::create(e.b, e.loc, TypeRange(), e.add(multiplyingWarpgroup(e), e.i32(nv_tileas::kWarpgroupBarrier)),
                          e.i32(128), NVVM::BarrierReductionAttr(), Value());
}

void tilellvm::commitProducts(Emitter &e, Value barrier, int32_t blocks) {
  std::string text = multipliesInPairs(e) ? "tcgen05.commit.cta_group::2" : "tcgen05.commit.cta_group::1";
  text += ".mbarrier::arrive::one.shared::cluster";
  e.onlyIf(issuingThread(e), [&](Emitter &one) {
    if (blocks > 1)
      tcgen05Ptx(one, {}, {addressOf(one, barrier), one.constant(one.intTy(16), (1 << blocks) - 1)},
                 text + ".multicast::cluster.b64 [$0], $1;", "r,h");
    else
      tcgen05Ptx(one, {}, {addressOf(one, barrier)}, text + ".b64 [$0];", "r");
  });
}

//===----------------------------------------------------------------------===//
// Of a kernel
//===----------------------------------------------------------------------===//

LogicalResult tilellvm::openTensorMemory(func::FuncOp func) {
  auto plan = func->getAttrOfType<DenseI64ArrayAttr>(nv_tileas::kTensorMemoryAttr);
  if (!plan)
    return success();
  if (plan.size() != 2 || !func->hasAttr(kSmemSymbolAttr))
    return func.emitError("fails to assign tmem buffer: tileas-optimize-alloc-tensor says how much the kernel takes");
  int64_t columns = plan[0], slot = plan[1];
  OpBuilder builder(func.getBody());
  builder.setInsertionPointToStart(&func.getBody().front());
  Emitter e(builder, func.getLoc());
  auto turnNumber = func->getAttrOfType<IntegerAttr>(nv_tileas::kTurnNumberAttr);
  const int64_t turn = turnNumber ? turnNumber.getInt() : -1;
  auto correctionNumber = func->getAttrOfType<IntegerAttr>(nv_tileas::kCorrectionsAttr);
  const int64_t factors = correctionNumber ? correctionNumber.getInt() : -2;
  int64_t barriers = std::max({nv_tileas::countProductBarriers(func), turn + 1, factors + 2});
  llvm::SmallDenseSet<int64_t> ofIterationBefore;
  func.walk([&](nv_tileas::AwaitProductOp wait) {
    if (wait.getBehindLoop())
      ofIterationBefore.insert(wait.getProduct());
  });
  for (int64_t number = 0; number < barriers; ++number) {
    Value phase = LLVM::AllocaOp::create(builder, func.getLoc(), e.ptrTy(kGeneric), e.intTy(32), e.i32(1));
    phase.getDefiningOp()->setAttr(nv_tileas::kTensorMemoryPhaseAttr, builder.getI64IntegerAttr(number));
    if (number == turn) {
      // The first warpgroup need not wait for its first turn.
      Value isFirst = e.icmp(LLVM::ICmpPredicate::ult, e.warp(), e.i32(kWarpsOfTurn));
      LLVM::StoreOp::create(builder, func.getLoc(), e.resize(isFirst, e.intTy(32)), phase);
      continue;
    }
    // Who waits for the product of the iteration before finds the phase before the first complete (PTX ISA,
    // "mbarrier.try_wait").
    LLVM::StoreOp::create(builder, func.getLoc(), e.i32(ofIterationBefore.contains(number)), phase);
  }
  Value address = addressOf(e, sharedAddress(e, slot));
  bool pairs = func->hasAttr(nv_tileas::kCtaPairAttr);
  StringRef group = pairs ? "2" : "1";
  if (pairs) {
    // The two allocate together, so both have to have begun. Nothing that either has done is ordered by that (PTX ISA,
    // "barrier.cluster", .relaxed).
    NVVM::ClusterArriveRelaxedOp::create(builder, func.getLoc(), builder.getUnitAttr());
    NVVM::ClusterWaitOp::create(builder, func.getLoc(), builder.getUnitAttr());
  }
  auto isWarp0 = [](Emitter &e) { return e.icmp(LLVM::ICmpPredicate::eq, e.warp(), e.i32(0)); };
  e.onlyIf(isWarp0(e), [&](Emitter &warp) {
    tcgen05Ptx(warp, {}, {address},
               "tcgen05.alloc.cta_group::" + group + ".sync.aligned.shared::cta.b32 [$0], " + Twine(columns) +
                   ";\n\ttcgen05.relinquish_alloc_permit.cta_group::" + group + ".sync.aligned;",
               "r");
  });
  llvm::SmallSetVector<int64_t, 4> awaited;
  func.walk([&](nv_tileas::DotOp dot) {
    auto later = dot->getAttrOfType<IntegerAttr>(nv_tileas::kAwaitedAsAttr);
    if (isIn(dot.getC().getType(), MemoryKind::Tensor) && !dot->hasAttr(nv_tileas::kUnderWayAttr))
      awaited.insert(later ? later.getInt() : 0);
  });
  if (!awaited.empty())
    e.onlyIf(e.isFirstThread(), [&](Emitter &one) {
      std::string text;
      for (int64_t number = 0, all = nv_tileas::countAllProductBarriers(func); number < all; ++number) {
        int64_t which = number % barriers;
        bool byWarps = which == turn || which == factors || which == factors + 1;
        if (byWarps || awaited.contains(which))
          text += ("mbarrier.init.shared::cta.b64 [$0 + " + Twine(8 + 8 * number) + "], " +
                   Twine(byWarps ? kWarpsOfTurn : 1) + ";\n\t")
                      .str();
      }
      tcgen05Ptx(one, {}, {address}, text + "fence.mbarrier_init.release.cluster;", "r");
    });
  beforeThreadSync(e);
  e.barrier();
  afterThreadSync(e);
  Value base = LLVM::LoadOp::create(builder, func.getLoc(), e.intTy(32), sharedAddress(e, slot));
  base.getDefiningOp()->setAttr(nv_tileas::kTensorMemoryBaseAttr, builder.getI64IntegerAttr(slot));
  func.walk([&](func::ReturnOp end) {
    OpBuilder b(end);
    Emitter last(b, end.getLoc());
    beforeThreadSync(last);
    last.barrier();
    afterThreadSync(last);
    last.onlyIf(isWarp0(last), [&](Emitter &warp) {
      tcgen05Ptx(warp, {}, {base},
                 "tcgen05.dealloc.cta_group::" + group + ".sync.aligned.b32 $0, " + Twine(columns) + ";", "r");
    });
  });
  return success();
}

void tilellvm::closeTensorMemory(func::FuncOp func) {
  func->removeAttr(nv_tileas::kCtaPairAttr);
  func->removeAttr(nv_tileas::kPairRelaysAttr);
  func->removeAttr(nv_tileas::kByWarpgroupAttr);
  func->removeAttr(nv_tileas::kTurnNumberAttr);
  func->removeAttr(nv_tileas::kCorrectionsAttr);
  if (!func->removeAttr(nv_tileas::kTensorMemoryAttr))
    return;
  func.walk([](Operation *op) {
    op->removeAttr(nv_tileas::kIssuerAttr);
    op->removeAttr(kRelayAttr);
    op->removeAttr(nv_tileas::kTensorMemoryBaseAttr);
    op->removeAttr(nv_tileas::kTensorMemoryPhaseAttr);
  });
}

TensorMemory TensorMemory::of(Emitter &e, int64_t number, std::optional<int32_t> named) {
  auto func = e.b.getInsertionBlock()->getParentOp()->getParentOfType<func::FuncOp>();
  if (auto outer = dyn_cast<func::FuncOp>(e.b.getInsertionBlock()->getParentOp()))
    func = outer;
  TensorMemory memory;
  for (Operation &op : func.getBody().front()) {
    if (auto phase = op.getAttrOfType<IntegerAttr>(nv_tileas::kTensorMemoryPhaseAttr);
        phase && phase.getInt() == number)
      memory.phase = op.getResult(0);
    if (auto slot = op.getAttrOfType<IntegerAttr>(nv_tileas::kTensorMemoryBaseAttr)) {
      memory.base = op.getResult(0);
      memory.barrier = addressOf(e, sharedAddress(e, slot.getInt() + 8 + 8 * number));
      if (auto each = func->getAttrOfType<IntegerAttr>(nv_tileas::kByWarpgroupAttr)) {
        Value warpgroup = named ? e.i32(*named) : multiplyingWarpgroup(e);
        memory.barrier = e.add(memory.barrier, e.mul(warpgroup, e.i32(8 * each.getInt())));
      }
      break;
    }
  }
  return memory;
}

std::string TensorMemory::waitText(unsigned first) {
  return ("{\n\t.reg .pred done;\nagain${:uid}:\n\tmbarrier.try_wait.parity.shared::cta.b64 done, [$" + Twine(first) +
          "], $" + Twine(first + 1) + ";\n\t@!done bra.uni again${:uid};\n\t}\n\ttcgen05.fence::after_thread_sync;")
      .str();
}

Value TensorMemory::nextParity(Emitter &e) const {
  Value parity = LLVM::LoadOp::create(e.b, e.loc, e.intTy(32), phase);
  LLVM::StoreOp::create(e.b, e.loc, e.xori(parity, e.i32(1)), phase);
  return parity;
}

void TensorMemory::wait(Emitter &e, bool behindLoop) const {
  Value parity = behindLoop ? LLVM::LoadOp::create(e.b, e.loc, e.intTy(32), phase).getResult() : nextParity(e);
  tcgen05Ptx(e, {}, {barrier, parity}, waitText(0), "r,r");
}

/// A thread that holds a whole row of sums while factors of its next product are computed, and a whole row of others
/// when it multiplies these, has no room for anything of the first beside the second.
static void planReductions(Operation *func) {
  constexpr int64_t many = 128;
  llvm::SmallDenseMap<Operation *, int> reads;
  func->walk([&](nv_tileas::ConvertLayoutOp read) {
    if (isIn(read.getSource().getType(), MemoryKind::Tensor) &&
        nv_tileas::getLinearLayout(read.getType()).inSize(::tileiras::kRegister) >= many)
      ++reads[read->getParentOfType<LoopLikeOpInterface>()];
  });
  func->walk([&](nv_tileas::ReduceOp reduce) {
    Operation *loop = reduce->getParentOfType<LoopLikeOpInterface>();
    if (loop && reads.lookup(loop) > 1)
      reduce->setAttr(kComputedHereAttr, UnitAttr::get(reduce->getContext()));
  });
}

namespace {

bool isPlanned(nv_tileas::DotOp dot) {
  return dot && dot.getAtom() && dot.getAtom()->getCompletion() == nv_tileas::Completion::Mbarrier &&
         !dot->hasAttr(nv_tileas::kUnderWayAttr);
}

bool touchesTensorMemory(Operation *op) {
  return !isa<nv_tileas::AllocTensorOp>(op) &&
         llvm::any_of(op->getOperandTypes(), [](Type type) { return nv_tileas::isIn(type, MemoryKind::Tensor); });
}

/// The number of the mbarrier that a product is waited for at.
int64_t barrierOf(nv_tileas::DotOp dot) {
  auto later = dot->getAttrOfType<IntegerAttr>(nv_tileas::kAwaitedAsAttr);
  return later ? later.getInt() : 0;
}

enum class Met { Yes, No, NotHere };

bool isCopyToShared(Operation *op) {
  auto copy = dyn_cast<nv_tileas::CopyOp>(op);
  return copy && copy.getDest() && nv_tileas::isIn(copy.getDest().getType(), MemoryKind::Shared);
}

bool has(Operation *op, function_ref<bool(Operation *)> what) {
  return op->walk([&](Operation *inner) { return what(inner) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// Whether all threads have met behind the last of them that wrote an operand, or read or wrote sums, from `op` back to
/// `until`. What only asks for copies, in a branch perhaps, has to be waited for before a product reads it. A warpgroup
/// that meets without the other one is in a loop in which threads write nothing to shared memory
/// (ProductsByWarpgroup.cpp); and they have met before each product. But only if that has an mbarrier of its own: a
/// warp that still waits for it does not find its phase if the next product ends another one of the same mbarrier.
Met haveMet(nv_tileas::DotOp dot, Operation *op, Operation *until, bool byWarpgroup) {
  for (; op && op != until; op = op->getPrevNode()) {
    // Of an agent a barrier that it names has all its threads.
    bool isOfAgent = isa<NVVM::BarrierOp>(op) && nv_tileas::getAgentSwitch(op);
    if (isOfAgent || isa<nv_tileas::AsyncWaitOp, NVVM::Barrier0Op>(op) ||
        (isCopyToShared(op) && !op->hasAttr(nv_tileas::kNoRawBarrierAttr)))
      return Met::Yes;
    if (auto other = dyn_cast<nv_tileas::DotOp>(op); byWarpgroup && isPlanned(other))
      return barrierOf(other) != barrierOf(dot) ? Met::Yes : Met::No;
    bool isApart = byWarpgroup && op->getNumRegions() && !has(op, touchesTensorMemory);
    if (!isApart && has(op, [](Operation *inner) {
          return isCopyToShared(inner) || touchesTensorMemory(inner) || isa<LoopLikeOpInterface>(inner);
        }))
      return Met::No;
  }
  return Met::NotHere;
}

} // namespace

void tilellvm::planProductBarriers(Operation *func) {
  planReductions(func);
  func->walk([](nv_tileas::DotOp dot) {
    if (!isPlanned(dot))
      return;
    bool byWarpgroup = dot->hasAttr(nv_tileas::kMeetsByWarpgroupAttr);
    Met met = haveMet(dot, dot->getPrevNode(), nullptr, byWarpgroup);
    // Before the loop, and in the round before.
    auto loop = dyn_cast<LoopLikeOpInterface>(dot->getParentOp());
    if (met == Met::NotHere && byWarpgroup && loop &&
        haveMet(dot, loop->getPrevNode(), nullptr, /*byWarpgroup=*/false) == Met::Yes)
      met = haveMet(dot, dot->getBlock()->getTerminator()->getPrevNode(), dot, byWarpgroup);
    if (met != Met::Yes)
      dot->setAttr(kBarrierBeforeAttr, UnitAttr::get(dot.getContext()));
  });
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//
