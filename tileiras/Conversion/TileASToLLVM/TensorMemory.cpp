//===- TensorMemory.cpp - Tiles in tensor memory --------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Warp 0 allocates columns and frees them (PTX ISA, "tcgen05.alloc"); the address comes by way of shared memory. A
// thread orders what it did in tensor memory before the others go on by tcgen05.fence::before_thread_sync, which stands
// behind every wait for its loads and stores, so that any barrier later on will do (PTX ISA, "tcgen05.fence").
//
// The text that waits for loads has their registers as results: nobody can have them earlier.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/TensorMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Conversion/TileASToLLVM/PackedFloat.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/ScaleColumns.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Support/LoweringFacts.h"
#include "tileiras/Support/Tcgen05.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::tilellvm;
using nv_tileas::MemoryKind;

/// PTX that no pass on LLVM IR may move, of PTX 8.6.
static Operation *ptx(Emitter &e, TypeRange results, ValueRange operands, const Twine &text, StringRef constraints) {
  auto op = LLVM::InlineAsmOp::create(e.b, e.loc, results, operands, text.str(), constraints.str() + ",~{memory}",
                                      /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                      LLVM::AsmDialectAttr(), ArrayAttr());
  op->setAttr(::tileiras::kPtxVersionAttr, e.b.getI32IntegerAttr(86));
  return op;
}

void tilellvm::beforeThreadSync(Emitter &e) { ptx(e, {}, {}, "tcgen05.fence::before_thread_sync;", ""); }
void tilellvm::afterThreadSync(Emitter &e) { ptx(e, {}, {}, "tcgen05.fence::after_thread_sync;", ""); }

/// One thread of each warp of a warpgroup says that its turn is over.
static constexpr int kWarpsOfTurn = 4;

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
      ptx(one, {}, {addressOf(one, barrier), one.constant(one.intTy(16), (1 << blocks) - 1)},
          text + ".multicast::cluster.b64 [$0], $1;", "r,h");
    else
      ptx(one, {}, {addressOf(one, barrier)}, text + ".b64 [$0];", "r");
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
    ptx(warp, {}, {address},
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
      ptx(one, {}, {address}, text + "fence.mbarrier_init.release.cluster;", "r");
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
      ptx(warp, {}, {base}, "tcgen05.dealloc.cta_group::" + group + ".sync.aligned.b32 $0, " + Twine(columns) + ";",
          "r");
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
  ptx(e, {}, {barrier, parity}, waitText(0), "r,r");
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

namespace {

/// Places of a warp's registers, and the registers in groups of neighbouring columns.
class Copies {
public:
  /// Registers that one text moves: results of inline assembly are named one by one.
  static constexpr unsigned kMost = 128;

  /// `packed`: the most elements that a word may hold.
  static FailureOr<Copies> plan(Operation *op, RankedTensorType registers, RankedTensorType memory, unsigned packed) {
    Type element = memory.getElementType();
    unsigned together = 32 / std::clamp(element.getIntOrFloatBitWidth(), 1u, 32u);
    if (together > packed || 32 != together * element.getIntOrFloatBitWidth())
      return op->emitOpError("of elements of ") << element << " from or to tensor memory is not lowered yet";
    auto plan =
        ::tileiras::planTensorMemoryCopy(nv_tileas::getLinearLayout(registers), nv_tileas::getLinearLayout(memory));
    if (!plan)
      return op->emitOpError("between tensor memory and registers in which a warp does not have its 32 rows");
    Copies copies;
    copies.layout = std::move(*plan);
    copies.together = together;
    if (unsigned(copies.layout.width) < together)
      return op->emitOpError("between tensor memory and registers in which a thread does not have whole words");
    copies.count = nv_tileas::getLinearLayout(registers).inSize(::tileiras::kRegister) / together;
    copies.width = std::min<unsigned>({unsigned(copies.layout.width) / together, copies.count, 64});
    return copies;
  }

  /// The column of a word among those of a thread.
  int32_t columnOf(unsigned word) const { return layout.columnOf(word * together) / int32_t(together); }

  /// Where the running warp's rows and columns begin. `others`: those of the warp so many behind it.
  Value address(Emitter &e, Value tile, int32_t others = 0) const {
    // The same in all lanes, and so that ptxas sees it.
    Value warp = e.shuffleIndex(e.warp(), e.i32(0));
    if (others)
      warp = e.add(warp, e.i32(others));
    Value at = e.add(addressOf(e, tile), e.shl(e.andi(warp, e.i32(3)), 21));
    for (auto [bit, column] : llvm::enumerate(layout.warps))
      if (column)
        at = e.add(at, e.mul(e.andi(e.lshr(warp, bit + 2), e.i32(1)), e.i32(column / int32_t(together))));
    return at;
  }

  /// "tcgen05.ld.sync.aligned.32x32b.x64.b32", and so on.
  std::string name(StringRef what) const {
    return ("tcgen05." + what + ".sync.aligned.32x32b.x" + Twine(width) + ".b32 ").str();
  }
  /// "{$3, $4, ...}": operands of a text.
  std::string list(unsigned first) const {
    std::string text = "{";
    for (unsigned i = 0; i < width; ++i)
      text += (Twine(i ? ", $" : "$") + Twine(first + i)).str();
    return text + "}";
  }

  ::tileiras::TensorMemoryCopy layout;
  unsigned together = 1;         ///< elements in a word
  unsigned count = 0, width = 1; ///< words of a thread, and of an instruction
};

struct AllocInTensorMemory : TilePattern<nv_tileas::AllocTensorOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AllocTensorOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!nv_tileas::isIn(op.getType(), MemoryKind::Tensor))
      return failure();
    Emitter e(rewriter, op.getLoc());
    TensorMemory memory = TensorMemory::of(e);
    if (!op.getOffset() || !memory.base)
      return op.emitOpError("has no columns in tensor memory");
    Value address = e.add(memory.base, e.i32(*op.getOffset()));
    rewriter.replaceOpWithNewOp<LLVM::IntToPtrOp>(op, e.ptrTy(kTensor), address);
    return success();
  }
};

/// The registers of a tile that somebody wants: those of its parts, if nobody takes it as a whole.
BitVector registersRead(nv_tileas::ConvertLayoutOp op) {
  RankedTensorType type = op.getType();
  BitVector read(nv_tileas::getLinearLayout(type).inSize(::tileiras::kRegister));
  for (Operation *user : op->getUsers()) {
    auto part = dyn_cast<nv_tileas::ExtractSliceOp>(user);
    SmallVector<int32_t> origin;
    for (int64_t d = 0; part && d < type.getRank(); ++d) {
      int64_t extent = cast<RankedTensorType>(part.getType()).getDimSize(d);
      std::optional<int64_t> index = getConstantIntValue(part.getIndices()[d]);
      if (!index || *index < 0 || (*index + 1) * extent > type.getDimSize(d))
        part = {};
      else
        origin.push_back(*index * extent);
    }
    auto registers = part ? registersOfBlock(type, cast<RankedTensorType>(part.getType()), origin) : std::nullopt;
    if (!registers)
      return read.set();
    for (unsigned r : *registers)
      read.set(r);
  }
  return read;
}

/// Out of tensor memory.
struct LoadFromTensorMemory : TilePattern<nv_tileas::ConvertLayoutOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::ConvertLayoutOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getSource().getType());
    if (!nv_tileas::isIn(source, MemoryKind::Tensor))
      return failure();
    FailureOr<Copies> copies = Copies::plan(op, op.getType(), source, /*packed=*/1);
    if (failed(copies))
      return failure();
    Emitter e(rewriter, op.getLoc());
    Value address = copies->address(e, adaptor.getSource());
    Type element = types().convertElementType(source.getElementType());
    BitVector read = registersRead(op);
    // No part of an instruction for nothing.
    auto isCut = [&](unsigned first) {
      int unread = read.find_first_unset_in(first, first + copies->width);
      return unread >= 0 && read.find_first_in(first, first + copies->width) >= 0;
    };
    for (unsigned first = 0; first < copies->count && copies->width > 1;)
      if (isCut(first)) {
        copies->width /= 2;
        first = 0;
      } else {
        first += copies->width;
      }
    SmallVector<unsigned> starts; // of what an instruction loads
    for (unsigned first = 0; first < copies->count; first += copies->width)
      if (read.find_first_in(first, first + copies->width) >= 0)
        starts.push_back(first);
    SmallVector<Value> values(copies->count);
    ArrayRef<unsigned> rest = starts;
    while (!rest.empty()) {
      ArrayRef<unsigned> firsts = rest.take_front(Copies::kMost / copies->width);
      rest = rest.drop_front(firsts.size());
      unsigned here = firsts.size() * copies->width;
      std::string text, constraints;
      for (unsigned i = 0; i < here; ++i)
        constraints += i ? ",=r" : "=r";
      for (auto [i, first] : llvm::enumerate(firsts))
        text += copies->name("ld") + copies->list(i * copies->width) +
                (", [$" + Twine(here) + " + " + Twine(copies->columnOf(first)) + "];\n\t").str();
      text += "tcgen05.wait::ld.sync.aligned;\n\ttcgen05.fence::before_thread_sync;";
      Type word = e.intTy(32),
           result = here == 1 ? word : LLVM::LLVMStructType::getLiteral(e.context(), SmallVector<Type>(here, word));
      Value loaded = ptx(e, {result}, {address}, text, constraints + ",r")->getResult(0);
      for (auto [i, v] : llvm::enumerate(here == 1 ? SmallVector<Value>{loaded} : e.unpack(loaded)))
        values[firsts[i / copies->width] + i % copies->width] = e.bitcast(v, element);
    }
    for (Value &v : values)
      if (!v)
        v = LLVM::PoisonOp::create(e.b, e.loc, element);
    rewriter.replaceOp(op, e.pack(types().convertType(op.getType()), values));
    return success();
  }
};

/// 32 bits of neighbouring elements, the first in the lowest bits.
Value wordOf(Emitter &e, ArrayRef<Value> elements) {
  if (elements.size() == 1)
    return e.bitcast(elements.front(), e.intTy(32));
  Type vector = VectorType::get(elements.size(), elements.front().getType());
  Value word = LLVM::PoisonOp::create(e.b, e.loc, vector);
  for (auto [i, element] : llvm::enumerate(elements))
    word = LLVM::InsertElementOp::create(e.b, e.loc, word, element, e.i32(i));
  return e.bitcast(word, e.intTy(32));
}

/// Words of a part of sums that are multiplied where they are.
constexpr unsigned kPart = 64;
/// The same where others compute meanwhile, with the registers of the warps that multiply.
constexpr unsigned kPartBeside = 32;

/// Multiplies the words of a thread in tensor memory, part by part: it need not have all of them at once.
void changeSums(Emitter &e, Copies copies, Value address, unsigned most, bool pairs,
                function_ref<Value(unsigned)> factor) {
  const unsigned part = std::min(most, copies.count);
  copies.width = std::min(copies.width, part);
  for (unsigned first = 0; first < copies.count; first += part) {
    std::string load, store, results, operands = "r";
    for (unsigned i = 0; i < part; ++i) {
      results += i ? ",=r" : "=r";
      operands += ",r";
    }
    for (unsigned i = 0; i < part; i += copies.width) {
      load += copies.name("ld") + copies.list(i) +
              (", [$" + Twine(part) + " + " + Twine(copies.columnOf(first + i)) + "];\n\t").str();
      store += copies.name("st") + ("[$0 + " + Twine(copies.columnOf(first + i)) + "], ").str() + copies.list(1 + i) +
               ";\n\t";
    }
    Type result = LLVM::LLVMStructType::getLiteral(e.context(), SmallVector<Type>(part, e.intTy(32)));
    Value loaded = ptx(e, {result}, {address}, load + "tcgen05.wait::ld.sync.aligned;", results + ",r")->getResult(0);
    SmallVector<Value> sums, words{address};
    for (Value word : e.unpack(loaded))
      sums.push_back(e.bitcast(word, e.f32Ty()));
    for (unsigned i = 0; i < part; i += 2)
      if (pairs) {
        Value pair = LLVM::FMulOp::create(e.b, e.loc, packFloats(e, sums[i], sums[i + 1]),
                                          packFloats(e, factor(first + i), factor(first + i + 1)));
        sums[i] = unpackFloat(e, pair, 0);
        sums[i + 1] = unpackFloat(e, pair, 1);
      } else {
        sums[i] = LLVM::FMulOp::create(e.b, e.loc, sums[i], factor(first + i));
        sums[i + 1] = LLVM::FMulOp::create(e.b, e.loc, sums[i + 1], factor(first + i + 1));
      }
    for (Value sum : sums)
      words.push_back(e.bitcast(sum, e.intTy(32)));
    bool isLast = first + part >= copies.count;
    ptx(e, {}, words, store + (isLast ? "tcgen05.wait::st.sync.aligned;\n\ttcgen05.fence::before_thread_sync;" : ""),
        operands);
  }
}

/// Sums that are multiplied and put back (what tileas-place-sums makes of sums that change between products).
struct ChangeInTensorMemory : TilePattern<nv_tileas::ConvertLayoutOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(nv_tileas::ConvertLayoutOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getSource().getType());
    if (!nv_tileas::isIn(source, MemoryKind::Tensor) || !op->hasOneUse())
      return failure();
    auto product = dyn_cast<arith::MulFOp>(*op->user_begin());
    auto copy =
        product && product->hasOneUse() ? dyn_cast<nv_tileas::CopyOp>(*product->user_begin()) : nv_tileas::CopyOp();
    if (!copy || copy.getDest() != op.getSource() || !copy.getNoWarBarrier() || copy->hasAttr(nv_tileas::kAwaitsAttr) ||
        copy->hasAttr(nv_tileas::kEndsTurnAttr) || product.getFastmath() != arith::FastMathFlags::none ||
        !source.getElementType().isF32() || product->getBlock() != op->getBlock() || copy->getBlock() != op->getBlock())
      return failure();
    Value other = product.getLhs() == op.getResult() ? product.getRhs() : product.getLhs();
    Value factors = rewriter.getRemappedValue(other);
    FailureOr<Copies> copies = Copies::plan(op, op.getType(), source, /*packed=*/1);
    if (failed(copies) || !factors || copies->count <= kPart || factors.getType() != types().convertType(op.getType()))
      return failure();
    // Nothing but arithmetic in between, which may as well be done behind.
    for (Operation *at = op->getNextNode(); at != copy; at = at->getNextNode())
      if (at != product && !isMemoryEffectFree(at))
        return failure();
    Emitter e(rewriter, op.getLoc());
    if (ownerPredicate(e, nv_tileas::getLinearLayout(op.getType())))
      return failure();
    SmallVector<Value> each = e.unpack(factors);
    changeSums(e, *copies, copies->address(e, adaptor.getSource()), kPart, packsFloats(op, copies->count),
               [&](unsigned i) { return each[i]; });
    rewriter.eraseOp(copy);
    rewriter.eraseOp(product);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Into tensor memory.
struct StoreToTensorMemory : TilePattern<nv_tileas::CopyOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::CopyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getDest() || !nv_tileas::isIn(op.getDest().getType(), MemoryKind::Tensor))
      return failure();
    auto source = cast<RankedTensorType>(op.getSource().getType());
    FailureOr<Copies> copies = Copies::plan(op, source, cast<RankedTensorType>(op.getDest().getType()), /*packed=*/4);
    if (failed(copies))
      return failure();
    Emitter e(rewriter, op.getLoc());
    // With four warps a row is one thread's, whatever tile it is of, and who reads it without being a thread, a
    // product, is waited for by all of them.
    if (!op.getNoWarBarrier() && e.threads().numTileWarps() > 4) {
      e.barrier();
      afterThreadSync(e);
    }
    Value address = copies->address(e, adaptor.getDest());
    SmallVector<Value> words, elements = e.unpack(adaptor.getSource());
    for (unsigned first = 0; first < elements.size(); first += copies->together)
      words.push_back(wordOf(e, ArrayRef(elements).slice(first, copies->together)));
    // Warps that hold copies leave the writing to others; lanes never do.
    Value owner = ownerPredicate(e, nv_tileas::getLinearLayout(source));
    TensorMemory awaited;
    Value parity;
    if (auto number = op->getAttrOfType<IntegerAttr>(nv_tileas::kAwaitsAttr)) {
      awaited = TensorMemory::of(e, number.getInt());
      if (!awaited.base || !awaited.phase)
        return op.emitOpError("waits for a product that the kernel does not have");
      if (owner)
        awaited.wait(e);
      else // in the text of the first stores, whose operands have been computed then
        parity = awaited.nextParity(e);
    }
    e.onlyIf(owner, [&](Emitter &inner) {
      for (unsigned first = 0; first < copies->count; first += Copies::kMost) {
        unsigned here = std::min(Copies::kMost, copies->count - first);
        std::string text, constraints = "r";
        SmallVector<Value> operands{address};
        for (unsigned i = 0; i < here; ++i) {
          constraints += ",r";
          operands.push_back(words[first + i]);
        }
        if (first == 0 && parity) {
          text = TensorMemory::waitText(operands.size()) + "\n\t";
          operands.append({awaited.barrier, parity});
          constraints += ",r,r";
        }
        for (unsigned i = 0; i < here; i += copies->width)
          text += copies->name("st") + ("[$0 + " + Twine(copies->columnOf(first + i)) + "], ").str() +
                  copies->list(1 + i) + ";\n\t";
        ptx(inner, {}, operands, text + "tcgen05.wait::st.sync.aligned;\n\ttcgen05.fence::before_thread_sync;",
            constraints);
      }
    });
    if (op->hasAttr(nv_tileas::kEndsTurnAttr))
      endTurn(e);
    rewriter.eraseOp(op);
    return success();
  }

  /// Arrives where the other warpgroup waits.
  static void endTurn(Emitter &e) {
    func::FuncOp func = functionAround(e);
    int64_t number = func->getAttrOfType<IntegerAttr>(nv_tileas::kTurnNumberAttr).getInt();
    int64_t each = func->getAttrOfType<IntegerAttr>(nv_tileas::kByWarpgroupAttr).getInt();
    TensorMemory memory = TensorMemory::of(e, number);
    // The barriers of the first warpgroup, then those of the other.
    Value step = e.mul(e.xori(multiplyingWarpgroup(e), e.i32(1)), e.i32(8 * each));
    Value own = e.mul(multiplyingWarpgroup(e), e.i32(8 * each));
    Value other = e.add(e.sub(memory.barrier, own), step);
    e.onlyIf(electedLane(e),
             [&](Emitter &one) { ptx(one, {}, {other}, "mbarrier.arrive.shared::cta.b64 _, [$0];", "r"); });
  }
};

/// The wait for a product that is in tensor memory.
struct WaitForProduct : TilePattern<nv_tileas::AwaitProductOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AwaitProductOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    TensorMemory memory = TensorMemory::of(e, op.getProduct());
    if (!memory.base || !memory.phase)
      return op.emitOpError("waits for a product that the kernel does not have");
    memory.wait(e, op.getBehindLoop());
    rewriter.eraseOp(op);
    return success();
  }
};

/// A warp arrives at an mbarrier, all of whose lanes have done what they had to.
void arriveOfWarp(Emitter &e, Value barrier) {
  NVVM::SyncWarpOp::create(e.b, e.loc, e.i32(-1));
  e.onlyIf(electedLane(e),
           [&](Emitter &one) { ptx(one, {}, {barrier}, "mbarrier.arrive.shared::cta.b64 _, [$0];", "r"); });
}

/// Where the factor of a thread is.
Value factorAddress(Emitter &e, Value place, int32_t firstThread) {
  Value thread = e.threadId();
  if (firstThread)
    thread = e.add(thread, e.i32(firstThread));
  return e.offsetBytes(place, e.shl(thread, 2));
}

struct GiveFactorsLowering : TilePattern<nv_tileas::GiveFactorsOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::GiveFactorsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    TensorMemory given = TensorMemory::of(e, op.getNumber());
    if (!given.base || !given.phase || 32 * e.threads().numWarps != op.getFactors().getType().getNumElements())
      return op.emitOpError("is not lowered in a kernel without tensor memory, or by more threads than rows");
    LLVM::StoreOp::create(rewriter, op.getLoc(), e.unpack(adaptor.getFactors()).front(),
                          factorAddress(e, adaptor.getPlace(), 0));
    arriveOfWarp(e, given.barrier);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ScaleSumsLowering : TilePattern<nv_tileas::ScaleSumsOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::ScaleSumsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    auto registers = cast<RankedTensorType>(op.getRegisters());
    FailureOr<Copies> copies = Copies::plan(op, registers, op.getSums().getType(), /*packed=*/1);
    if (failed(copies))
      return failure();
    if (e.threads().numWarps != kWarpsOfTurn || e.threads().firstWarp % kWarpsOfTurn)
      return op.emitOpError("expects an agent of four warps, one warpgroup");
    TensorMemory given = TensorMemory::of(e, op.getNumber());
    if (!given.base || !given.phase)
      return op.emitOpError("is in a kernel that has no tensor memory");
    Value parity = given.nextParity(e);
    int32_t groups = registers.getDimSize(0) / (32 * kWarpsOfTurn);
    for (int32_t group = 0; group < groups; ++group) {
      ptx(e, {}, {TensorMemory::of(e, op.getNumber(), group).barrier, parity}, TensorMemory::waitText(0), "r,r");
      Value factor = LLVM::LoadOp::create(rewriter, op.getLoc(), e.f32Ty(),
                                          factorAddress(e, adaptor.getPlace(), 32 * kWarpsOfTurn * group));
      Value differs = LLVM::FCmpOp::create(rewriter, op.getLoc(), LLVM::FCmpPredicate::une, factor,
                                           e.constantFloat(e.f32Ty(), 1.0));
      Value any =
          NVVM::VoteSyncOp::create(rewriter, op.getLoc(), e.intTy(1), e.i32(-1), differs, NVVM::VoteSyncKind::any);
      e.onlyIf(any, [&](Emitter &inner) {
        changeSums(inner, *copies, copies->address(inner, adaptor.getSums(), kWarpsOfTurn * group), kPartBeside,
                   packsFloats(op, copies->count), [&](unsigned) { return factor; });
      });
      arriveOfWarp(e, TensorMemory::of(e, op.getNumber() + 1, group).barrier);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilellvm::populateTensorMemoryPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                            const LoweringOptions &options) {
  // Before the patterns for shared memory.
  patterns.add<AllocInTensorMemory, LoadFromTensorMemory, StoreToTensorMemory, WaitForProduct, GiveFactorsLowering,
               ScaleSumsLowering>(converter, patterns.getContext(), options, /*benefit=*/3);
  patterns.add<ChangeInTensorMemory>(converter, patterns.getContext(), options, /*benefit=*/4);
}
