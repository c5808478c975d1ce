//===- SeparateCorrections.cpp - tileas-separate-corrections --------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Attention multiplies its sums by how far the largest logit of their row has grown, in most rounds, between two
// products that add up to them. Whoever computes the powers of the round knows these factors before it begins with
// them, and has 64 to 128 registers full of logits at the time. So where two warpgroups have 128 rows each in tensor
// memory and issue the products of these themselves (ProductsByWarpgroup.h), a third one multiplies the sums meanwhile:
// FlashAttention-4's correction warpgroup.
//
//     agents of 8 warps, by warpgroup           agent of 4 warps
//     for {                                     for {
//       S = Q K^T, wait                           of the first 128 rows, then of the others:
//       maxima, factors -> give_factors  ------->   wait, factors, O = O * factors unless all of a warp are 1
//       powers, P                                   arrive
//       await_product             <---------------
//       O += P V
//     }                                         }
//
// The sums may be multiplied when the product before has added to them: that has been waited for in front of S, as P
// has the columns of S, or where the product stands. Loops that do something else there stay as they are.
//
// The agents begin in front of the first such loop and end with the kernel, so that the other one has nothing alive but
// what it multiplies by. In it stands what decides how often the loops run (AgentSlices.h). Where the kernel has a loop
// without tensor maps on the other side of a branch, which multiplies as before, the agent has nothing to do there.
//
// It runs where all that decides about barriers and products has run, and before shared memory is assigned.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/ExecutionContext.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/AgentSlices.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/SkipScaling.h"
#include "tileiras/Dialect/TileAS/Transforms/TileBlocks.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Schedule/MachineModel.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <numeric>

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_SEPARATECORRECTIONSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using nv_tileaa::getCountedLoops;
namespace remarks = tileiras::remarks;

namespace {

constexpr int32_t kWarps = 8;     ///< of the two warpgroups that multiply
constexpr int32_t kWarpgroup = 4; ///< warps
/// Registers of a thread that multiplies sums in parts of 32, and where kernels have more that all agents need (several
/// loops, or positions that masks are computed from) or the other agent needs fewer: powers that special functions
/// compute alone, as they do on targets that have more of them a clock.
constexpr int32_t kRegisters = 56, kMoreRegisters = 80, kFewPowers = 16;
constexpr int32_t kBarrier =
    kWarpgroupBarrier - 1; ///< at which the agent that multiplies meets as the block did before

bool isOfRings(Operation *op) {
  return isa<CreatePipelineOp, ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp, ConsumerWaitOp, ConsumerReadOp,
             ConsumerReleaseOp>(op);
}

/// A number for each row, that of a thread.
bool isOfRows(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && tile.getRank() > 0 && tile.getElementType().isF32() && tile.getDimSize(0) == tile.getNumElements() &&
         tile.getDimSize(0) == 32 * kWarps && hasRowPerThread(tile) &&
         getLinearLayout(tile).inSize(tileiras::kRegister) == 1;
}

/// Puts what `op` is computed from, as far as it is arithmetic of its block, and then itself, as early as that can
/// stand.
void moveUp(Operation *op) {
  Operation *behind = nullptr;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (!def || def->getBlock() != op->getBlock())
      continue;
    if ((isElementwise(def) || isReshape(def)) && isMemoryEffectFree(def))
      moveUp(def);
    if (!behind || behind->isBeforeInBlock(def))
      behind = def;
  }
  if (behind)
    op->moveAfter(behind);
  else
    op->moveBefore(&op->getBlock()->front());
}

bool isInRegisters(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !isIn(type, MemoryKind::Shared) && !isIn(type, MemoryKind::Tensor);
}

constexpr unsigned kDeepest = 8; ///< of what an agent computes again

/// Whether a tile is computed from scalars, by arithmetic.
bool isOfScalars(Value value, unsigned depth = 0) {
  if (!isInRegisters(value))
    return !isa<RankedTensorType>(value.getType());
  Operation *def = value.getDefiningOp();
  return def && depth < kDeepest && def->getNumRegions() == 0 && isMemoryEffectFree(def) &&
         llvm::all_of(def->getOperands(), [&](Value operand) { return isOfScalars(operand, depth + 1); });
}

Value computeAgain(OpBuilder &builder, Value value, IRMapping &map) {
  if (!isInRegisters(value) || map.contains(value))
    return map.lookupOrDefault(value);
  Operation *def = value.getDefiningOp();
  for (Value operand : def->getOperands())
    computeAgain(builder, operand, map);
  builder.clone(*def, map);
  return map.lookup(value);
}

/// A loop whose sums another agent multiplies.
struct Part {
  CountedLoop loop;
  Scaling scaling;
};

class Separation {
public:
  explicit Separation(nv_tileaa::FuncOp func) : func(func), block(&func.getBody().front()) {}

  /// Why all stays as it is, or nothing.
  StringRef find();
  /// Says how many loops it has changed. Fails with a diagnostic where find has overlooked something.
  FailureOr<unsigned> run();

private:
  StringRef findSums(CountedLoop loop);
  void findOperations();
  bool isKnownToAll(Value value, unsigned depth = 0);
  Value createPlace(OpBuilder &builder, Location loc, ArrayRef<int32_t> shape);
  void hand(Part &part, Value place, int64_t number);
  AgentSwitchOp createAgents(Location loc);
  void takeIn(AgentSwitchOp agents);

  nv_tileaa::FuncOp func;
  Block *block;
  SmallVector<Part, 2> parts;
  SmallVector<Operation *> ops; ///< of the agents: the end of the kernel's body
  llvm::SetVector<Value> tiles; ///< in registers, that these need from before
  int32_t atStart = 0;          ///< registers of a thread before the agents
};

StringRef Separation::find() {
  ExecutionContext threads = ExecutionContext::of(func);
  if (threads.numWarps != kWarps || threads.numCtas != 1)
    return "the kernel has another number of warps than eight";
  if (func.walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted())
    return "there are agents";
  const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
  if (!target || !target->setMaxNReg || shareMultiprocessor(func))
    return "registers stay where they are";
  atStart = std::min(target->registersPerSm / (32 * (kWarps + kWarpgroup)), target->maxRegistersPerThread) / 8 * 8;
  findOperations();
  StringRef why = "no sums are multiplied between products";
  for (CountedLoop loop : getCountedLoops(func))
    if (StringRef because = findSums(loop); !because.empty())
      why = because;
  if (parts.empty())
    return why;
  bool areOfScalars = llvm::all_of(tiles, [](Value tile) { return isOfScalars(tile); });
  return areOfScalars ? StringRef() : "the loops begin with tiles in registers that are not computed from scalars";
}

/// Sums that are multiplied once a round, for all of whose rows the factors are known in time.
StringRef Separation::findSums(CountedLoop loop) {
  SmallVector<DotOp> dots;
  loop->walk([&](DotOp dot) {
    if (dot.getAtom() && dot.getAtom()->getCompletion() == Completion::Mbarrier)
      dots.push_back(dot);
  });
  if (dots.empty())
    return {};
  if (llvm::any_of(dots, [](DotOp dot) { return !dot->hasAttr(kMeetsByWarpgroupAttr); }))
    return "all warps multiply together";
  if (dots.size() != 2)
    return "the registers of the kernel are too few for more than two products";
  SmallVector<Scaling> found;
  StringRef why;
  for (CopyOp copy : loop.getBody()->getOps<CopyOp>()) {
    if (!copy.getDest() || !isIn(copy.getDest().getType(), MemoryKind::Tensor))
      continue;
    Scaling scaling;
    scaling.copy = copy;
    StringRef because = findScaling(scaling);
    if (scaling.read && !because.empty())
      why = because;
    else if (scaling.read)
      found.push_back(scaling);
  }
  if (found.size() != 1)
    return found.empty() ? why : "several sums are multiplied";
  Part part{loop, found.front()};
  if (!isOfRows(part.scaling.factors.getType()) || !hasRowPerThread(part.scaling.read.getType()))
    return "a thread has more than a row";
  Operation *factors = part.scaling.factors.getDefiningOp();
  if (!factors || factors->getBlock() != loop.getBody())
    return "the factors are not computed in the round";
  // How often the agent goes through the loop.
  for (Operation *around = loop->getParentOp(); around != func; around = around->getParentOp()) {
    auto branch = dyn_cast<nv_tileaa::Branch>(around);
    if (!branch)
      return "a loop with products is in another one";
    if (!isKnownToAll(branch.getCondition()))
      return "how often products are added up depends on what is computed";
  }
  if (!llvm::all_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
                    [&](Value bound) { return isKnownToAll(bound); }))
    return "how often products are added up depends on what is computed";
  Operation *sums = part.scaling.copy.getDest().getDefiningOp();
  if (!sums || sums->getBlock() != block || llvm::is_contained(ops, sums))
    return "the sums are not in tensor memory before the loops";
  // The product before has added to them when the factors are given: it is waited for where it stands, or before.
  for (DotOp dot : dots)
    if (auto number = dot->getAttrOfType<IntegerAttr>(kAwaitedAsAttr);
        number && dot.getC() == part.scaling.copy.getDest() &&
        llvm::none_of(loop.getBody()->getOps<AwaitProductOp>(), [&](AwaitProductOp wait) {
          return wait.getProduct() == uint64_t(number.getInt()) && wait->isBeforeInBlock(factors);
        }))
      return "the product before is waited for behind the factors";
  parts.push_back(part);
  return {};
}

/// Whether every agent has a scalar, or can compute it.
bool Separation::isKnownToAll(Value value, unsigned depth) {
  Operation *here = block->findAncestorOpInBlock(*value.getParentBlock()->getParentOp());
  Operation *def = value.getDefiningOp();
  if (!here && !llvm::is_contained(ops, def))
    return true; // from before the agents
  return def && depth <= 2 * kDeepest && def->getNumRegions() == 0 && isMemoryEffectFree(def) &&
         llvm::all_of(def->getOperands(), [&](Value operand) { return isKnownToAll(operand, depth + 1); });
}

/// What the agents run, from what concerns the rings or products of these loops on.
void Separation::findOperations() {
  auto concerns = [](Operation *op) { return isOfRings(op) || isa<DotOp>(op); };
  for (Operation &op : block->without_terminator()) {
    bool isFirst = op.walk([&](Operation *inner) {
                       return concerns(inner) ? WalkResult::interrupt() : WalkResult::advance();
                     }).wasInterrupted();
    if (isFirst || !ops.empty())
      ops.push_back(&op);
  }
  llvm::SmallPtrSet<Operation *, 16> mine(ops.begin(), ops.end());
  for (Operation *op : ops)
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (isInRegisters(operand) && operand.getParentBlock() == block && !mine.contains(operand.getDefiningOp()))
          tiles.insert(operand);
    });
}

Value Separation::createPlace(OpBuilder &builder, Location loc, ArrayRef<int32_t> shape) {
  std::vector<int32_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  Attribute layout = getSharedLayoutAttr(func.getContext(), tileiras::sharedLayout(shape.vec(), order));
  auto type = RankedTensorType::get(SmallVector<int64_t>(shape), builder.getF32Type(), layout);
  return AllocTensorOp::create(builder, loc, type, IntegerAttr());
}

/// Puts both sides of the exchange into the loop.
void Separation::hand(Part &part, Value place, int64_t number) {
  Scaling &scaling = part.scaling;
  Operation *factors = scaling.factors.getDefiningOp();
  moveUp(factors);
  OpBuilder builder(func.getContext());
  builder.setInsertionPointAfter(factors);
  IntegerAttr named = builder.getI64IntegerAttr(number);
  GiveFactorsOp::create(builder, factors->getLoc(), scaling.factors, place, named);
  builder.setInsertionPoint(scaling.copy);
  Location loc = scaling.copy.getLoc();
  ScaleSumsOp::create(builder, loc, scaling.copy.getDest(), place, named, TypeAttr::get(scaling.read.getType()));
  AwaitProductOp::create(builder, loc, builder.getI64IntegerAttr(number + 1), UnitAttr());
  scaling.copy.erase();
  scaling.product->erase();
  scaling.read.erase();
  for (Operation *shape : scaling.shapes)
    shape->erase();
}

AgentSwitchOp Separation::createAgents(Location loc) {
  OpBuilder builder(block->getTerminator());
  OperationState state(loc, AgentSwitchOp::getOperationName());
  state.addRegion();
  state.addRegion();
  auto agents = cast<AgentSwitchOp>(builder.create(state));
  agents.setNumWarps(ArrayRef<int32_t>{kWarps, kWarpgroup});
  agents.setWarpId(ArrayRef<int32_t>{0, kWarps});
  agents.setAgentStrides(ArrayRef<int32_t>{kWarps, kWarpgroup});
  bool hasMasks = false;
  for (Part &part : parts)
    part.loop->walk([&](arith::SelectOp select) { hasMasks |= isInRegisters(select) && !isOfRows(select.getType()); });
  constexpr int32_t groups = kWarps / kWarpgroup;
  bool hasPolynomials = tileiras::schedule::powersOfTwo(nv_tileaa::getTarget(func)->computeCapability) <= kFewPowers;
  int32_t few = parts.size() > 1 || hasMasks || !hasPolynomials ? kMoreRegisters : kRegisters;
  agents.setMaxRegs(ArrayRef<int32_t>{(atStart * (groups + 1) - few) / groups / 8 * 8, few});
  for (Region &region : agents->getRegions()) {
    builder.createBlock(&region);
    PipelineYieldOp::create(builder, loc, ValueRange());
  }
  return agents;
}

/// Has the agent that multiplies do what the block did.
void Separation::takeIn(AgentSwitchOp agents) {
  Block *body = &agents->getRegion(0).front();
  OpBuilder inside(body, body->begin());
  IRMapping map;
  for (Value tile : tiles)
    computeAgain(inside, tile, map);
  for (Operation *op : ops)
    op->moveBefore(body->getTerminator());
  llvm::SmallPtrSet<Operation *, 16> mine(ops.begin(), ops.end());
  for (Value tile : tiles)
    tile.replaceUsesWithIf(map.lookup(tile),
                           [&](OpOperand &use) { return mine.contains(body->findAncestorOpInBlock(*use.getOwner())); });
  SmallVector<NVVM::Barrier0Op> meetings;
  body->walk([&](NVVM::Barrier0Op meeting) { meetings.push_back(meeting); });
  for (NVVM::Barrier0Op meeting : meetings) {
    OpBuilder builder(meeting);
    auto number = [&](int32_t value) -> Value {
      return arith::ConstantIntOp::create(builder, meeting.getLoc(), value, /*width=*/32);
    };
    NVVM::BarrierOp::create(builder, meeting.getLoc(), TypeRange(), number(kBarrier), number(32 * kWarps),
                            NVVM::BarrierReductionAttr(), Value());
    meeting.erase();
  }
}

FailureOr<unsigned> Separation::run() {
  OpBuilder builder(func.getContext());
  int64_t number = func->getAttrOfType<IntegerAttr>(kByWarpgroupAttr).getInt();
  func->setAttr(kCorrectionsAttr, builder.getI64IntegerAttr(number));
  func->setAttr(kByWarpgroupAttr, builder.getI64IntegerAttr(number + 2));
  auto spec = func->getAttrOfType<nv_tileaa::KernelSpecAttr>(nv_tileaa::kKernelSpecAttr);
  func->setAttr(nv_tileaa::kKernelSpecAttr,
                nv_tileaa::KernelSpecAttr::get(func.getContext(), kWarps + kWarpgroup, spec.getClusterDimX(),
                                               spec.getClusterDimY(), spec.getClusterDimZ(), spec.getNumCTAs()));
  Location loc = parts.front().loop.getLoc();
  builder.setInsertionPoint(ops.front());
  Value place = createPlace(builder, loc, {32 * kWarps});
  AgentSwitchOp agents = createAgents(loc);
  takeIn(agents);
  Block *body = &agents->getRegion(0).front();
  llvm::SetVector<Operation *> none;
  AgentSlice corrections(body, none, [](Operation *op) { return isMemoryEffectFree(op); });
  SmallVector<Operation *> scalings;
  for (Part &part : parts) {
    hand(part, place, number);
    part.loop->walk([&](ScaleSumsOp scaling) { scalings.push_back(scaling); });
    if (failed(corrections.addRoot(scalings.back())))
      return scalings.back()->emitOpError("depends on what one agent alone computes, by '")
             << corrections.obstacle()->getName() << "'";
    remarks::passed(part.loop, remarks::kSchedule, "Corrections")
        << remarks::because("another warpgroup multiplies the sums while this one computes powers")
        << remarks::figure("Registers", agents.getMaxRegs()->front());
  }
  IRMapping map;
  builder.setInsertionPointToStart(&agents->getRegion(1).front());
  corrections.clone(builder, map);
  for (Operation *scaling : scalings)
    scaling->erase();
  return unsigned(parts.size());
}

struct SeparateCorrectionsPass : nv_tileas::impl::SeparateCorrectionsPassBase<SeparateCorrectionsPass> {
  void runOnOperation() override {
    nv_tileaa::FuncOp func = getOperation();
    if (!func->hasAttr(kByWarpgroupAttr) || !func->hasAttr(nv_tileaa::kKernelSpecAttr))
      return;
    Separation separation(func);
    if (StringRef why = separation.find(); !why.empty()) {
      remarks::missed(func, remarks::kSchedule, "Corrections") << remarks::because(why);
      return;
    }
    FailureOr<unsigned> changed = separation.run();
    if (failed(changed))
      return signalPassFailure();
    numCorrections += *changed;
  }
};

} // namespace
