//===- AgentSwitch.cpp - Agents as branches by warp -----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// While bodies are converted an agent_switch stays, because its regions say which threads run them
// (ExecutionContext.h). Then it becomes
//
//     all warps meet                                     unless nothing before it could matter to an agent
//     setmaxnreg, one per warpgroup that agents share
//     if warp in agent 0 {setmaxnreg ...} else if warp in agent 1 {setmaxnreg ...} ...   one elected lane of it, if it
//     has
//                                                                                          nv_tileas.single_thread
//     all warps meet, setmaxnreg back                    unless the kernel ends here; before, agents that do not meet
//                                                        the other blocks of the cluster do so, too, if one does
//
// setmaxnreg must be executed by all four warps of a warpgroup, the same instruction at the same place (PTX ISA). An
// agent of whole warpgroups does it itself: ptxas wants the registers of all code behind it, and in front of the branch
// to the agents that is everybody's code, for which what one of them keeps is too few. For warpgroups that agents share
// it stands before the branch.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/TensorMemory.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/StructuralConversion.h"
#include "tileiras/Support/TargetTable.h"

using namespace mlir;
using namespace mlir::tilellvm;
using nv_tileas::AgentSwitchOp;
using nv_tileas::ExecutionContext;

namespace {

constexpr int32_t kWarpgroup = 4; ///< warps

/// `nvvm.barrier.arrive` would become inline assembly that LLVM may move memory accesses across and duplicate; the
/// intrinsic is convergent and touches memory.
struct BarrierArrive : TilePattern<NVVM::BarrierArriveOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(NVVM::BarrierArriveOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Value id = adaptor.getBarrierId() ? adaptor.getBarrierId() : e.i32(0);
    LLVM::CallIntrinsicOp::create(rewriter, op.getLoc(),
                                  rewriter.getStringAttr("llvm.nvvm.barrier.cta.arrive.aligned.count"),
                                  ValueRange{id, adaptor.getNumberOfThreads()});
    rewriter.eraseOp(op);
    return success();
  }
};

class AgentSwitchLowering {
public:
  AgentSwitchLowering(AgentSwitchOp op, IRRewriter &rewriter)
      : op(op), rewriter(rewriter), around(ExecutionContext::of(op.getOperation())) {}

  LogicalResult run() {
    if (failed(check()))
      return failure();
    rewriter.setInsertionPoint(op);
    Emitter e(rewriter, op.getLoc());
    if (!isFirst())
      e.barrier();
    // What threads wrote to tensor memory has been waited for where it was written.
    auto func = op->getParentOfType<func::FuncOp>();
    bool sharesSums = func && func->hasAttr(nv_tileas::kCorrectionsAttr);
    if (sharesSums)
      afterThreadSync(e);
    // The same in all lanes, which the assembler cannot know of a thread number.
    Value warp = e.shuffleIndex(e.warp(), e.i32(0));
    if (changesRegisters())
      setRegisters(e, warp, /*back=*/false, /*onlyShared=*/true);
    branch(warp, isLast() ? 0 : meetings());
    if (!isLast()) {
      rewriter.setInsertionPointAfter(op);
      Emitter after(rewriter, op.getLoc());
      // Who is done must not take registers back that another agent still waits for.
      if (sharesSums)
        beforeThreadSync(after);
      after.barrier();
      if (sharesSums)
        afterThreadSync(after);
      if (changesRegisters())
        setRegisters(after, warp, /*back=*/true, /*onlyShared=*/false);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  LogicalResult check() {
    if (!op.getNumWarps() || !op.getWarpId())
      return op.emitOpError("has no warps yet; optimize-execution-unit-mapping gives every agent its own");
    for (Region &agent : op.getAgents()) {
      ExecutionContext threads = op.getExecutionContext(agent);
      if (threads.needsNamedBarrier() && !threads.barrierId)
        return op.emitOpError("has no barrier for agent ")
               << agent.getRegionNumber() << "; tileas-assign-named-barriers gives it one";
    }
    if (!around.isDeclared)
      return op.emitOpError("stands in a function that does not say how many warps it has");
    return op.getMaxRegs() ? checkRegisters() : success();
  }

  //===--------------------------------------------------------------------===//
  // Registers
  //===--------------------------------------------------------------------===//

  LogicalResult checkRegisters() {
    FailureOr<StringRef> spec = nv_tileaa::getTargetSpec(op);
    FailureOr<int64_t> capability = nv_tileaa::getComputeCapability(op);
    const ::tileiras::TargetInfo *target =
        ::tileiras::lookupTarget(succeeded(spec)         ? spec->str()
                                 : succeeded(capability) ? std::to_string(*capability)
                                                         : "");
    if (!target || !target->setMaxNReg)
      return success(); // the budgets were a wish
    auto func = op->getParentOfType<func::FuncOp>();
    auto number = [&](StringRef name) -> int64_t {
      auto attr = func ? func->getAttrOfType<IntegerAttr>(name) : IntegerAttr();
      return attr ? attr.getInt() : 0;
    };
    atStart = number("nvvm.maxnreg");
    if (!atStart)
      atStart = target->registersPerSm / (around.numThreads() * std::max<int64_t>(number("nvvm.minctasm"), 1)) / 8 * 8;
    // Registers are given out in eights; what setmaxnreg takes begins with 24.
    atStart = std::clamp<int64_t>(llvm::alignTo(atStart, 8), 24, target->maxRegistersPerThread / 8 * 8);
    budgets.assign(llvm::divideCeil(around.numWarps, kWarpgroup), int32_t(atStart));
    for (auto [budget, first, warps] : llvm::zip_equal(*op.getMaxRegs(), *op.getWarpId(), *op.getNumWarps()))
      for (int32_t group = first / kWarpgroup; budget && group <= (first + warps - 1) / kWarpgroup; ++group)
        budgets[group] = budget;
    int64_t wanted = 0;
    for (int32_t budget : budgets)
      wanted += budget;
    // setmaxnreg.inc waits for registers that others give back; there are no more than the block began with.
    if (int64_t held = atStart * budgets.size(); wanted > held)
      return op.emitOpError("the agents want ")
             << wanted * kWarpgroup * 32 << " registers, the block has " << held * kWarpgroup * 32;
    if (changesRegisters() && around.numWarps % kWarpgroup != 0)
      return op.emitOpError("'max_regs' needs whole warpgroups of four warps, the kernel has ")
             << around.numWarps << " warps";
    return success();
  }

  bool changesRegisters() const {
    return llvm::any_of(budgets, [&](int32_t budget) { return budget != atStart; });
  }

  bool hasWholeWarpgroups(unsigned agent) {
    return (*op.getWarpId())[agent] % kWarpgroup == 0 && (*op.getNumWarps())[agent] % kWarpgroup == 0;
  }

  static void setRegisters(Emitter &e, int64_t registers, bool more) {
    NVVM::SetMaxRegisterOp::create(e.b, e.loc, registers,
                                   more ? NVVM::SetMaxRegisterAction::increase : NVVM::SetMaxRegisterAction::decrease);
  }

  void setRegisters(Emitter &e, Value warp, bool back, bool onlyShared) {
    llvm::SmallDenseSet<int32_t> theirs; // warpgroups whose agent does it itself
    for (unsigned agent = 0; onlyShared && agent < op.getAgents().size(); ++agent)
      if (hasWholeWarpgroups(agent))
        for (int32_t group = 0; group < (*op.getNumWarps())[agent] / kWarpgroup; ++group)
          theirs.insert((*op.getWarpId())[agent] / kWarpgroup + group);
    Value group = e.lshr(warp, 2);
    for (auto [number, budget] : llvm::enumerate(budgets)) {
      if (budget == atStart || theirs.contains(number))
        continue;
      Value mine = e.icmp(LLVM::ICmpPredicate::eq, group, e.i32(number));
      e.onlyIf(mine, [&, budget = budget](Emitter &inner) {
        setRegisters(inner, back ? atStart : budget, (budget > atStart) != back);
      });
    }
  }

  //===--------------------------------------------------------------------===//
  // Fork and join
  //===--------------------------------------------------------------------===//

  bool isKernelBody() const {
    return isa<func::FuncOp>(op->getParentOp()) && op->getBlock() == &op->getParentRegion()->front();
  }
  /// Nothing before it touches memory, or all warps have met since (create_pipeline ends so).
  bool isFirst() const {
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
      if (isa<NVVM::Barrier0Op, NVVM::ClusterWaitOp>(before))
        return true;
      if (!isMemoryEffectFree(before))
        return false;
    }
    return isKernelBody();
  }
  bool isLast() const { return isKernelBody() && op->getNextNode() == op->getBlock()->getTerminator(); }

  static int64_t meetingsIn(Region &agent) {
    int64_t count = 0;
    agent.walk([&](NVVM::ClusterWaitOp) { ++count; });
    return count;
  }
  /// How often an agent meets the other blocks of its cluster. They wait for all threads that have not left the kernel,
  /// so where agents wait for each other behind what they do, those that have no reason to meet them come as well.
  int64_t meetings() {
    int64_t most = 0;
    for (Region &agent : op.getAgents())
      most = std::max(most, meetingsIn(agent));
    return most;
  }

  void meetCluster(int64_t times) {
    for (int64_t i = 0; i < times; ++i) {
      NVVM::ClusterArriveOp::create(rewriter, op.getLoc(), rewriter.getUnitAttr());
      NVVM::ClusterWaitOp::create(rewriter, op.getLoc(), rewriter.getUnitAttr());
    }
  }

  void branch(Value warp, int64_t meetings) {
    for (Region &agent : op.getAgents()) {
      Emitter e(rewriter, op.getLoc());
      unsigned number = agent.getRegionNumber();
      int32_t first = (*op.getWarpId())[number], count = (*op.getNumWarps())[number];
      Value local = first ? e.sub(warp, e.i32(first)) : warp;
      Value mine = e.icmp(LLVM::ICmpPredicate::ult, local, e.i32(count));
      bool last = number + 1 == op.getAgents().size();
      auto branch = scf::IfOp::create(rewriter, op.getLoc(), mine, /*withElseRegion=*/!last || meetings);
      Block *body = &agent.front(), *into = branch.thenBlock();
      if (meetingsIn(agent) == 0) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPoint(into->getTerminator());
        meetCluster(meetings);
      }
      if (nv_tileas::isSingleThread(op, number)) {
        // Elected here, so that ptxas sees one thread in all that the agent does.
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(into);
        // Of a pair of blocks that multiply together, one does.
        Emitter single(rewriter, op.getLoc());
        if (multipliesInPairs(single) && !relaysInPairs(single)) {
          Value even = single.icmp(LLVM::ICmpPredicate::eq, single.block(), single.i32(0));
          into = scf::IfOp::create(rewriter, op.getLoc(), even, /*withElseRegion=*/false).thenBlock();
          rewriter.setInsertionPointToStart(into);
        }
        Value elected = NVVM::ElectSyncOp::create(rewriter, op.getLoc(), rewriter.getI1Type(), Value());
        into = scf::IfOp::create(rewriter, op.getLoc(), elected, /*withElseRegion=*/false).thenBlock();
      }
      rewriter.eraseOp(body->getTerminator());
      rewriter.inlineBlockBefore(body, into, into->begin(), op.getCaptures());
      if (!budgets.empty() && hasWholeWarpgroups(number) && budgets[first / kWarpgroup] != atStart) {
        rewriter.setInsertionPointToStart(branch.thenBlock());
        Emitter inside(rewriter, op.getLoc());
        setRegisters(inside, budgets[first / kWarpgroup], budgets[first / kWarpgroup] > atStart);
        rewriter.setInsertionPointAfter(branch);
      }
      if (branch.elseBlock())
        rewriter.setInsertionPointToStart(branch.elseBlock());
      if (last) // warps of no agent
        meetCluster(meetings);
    }
  }

  AgentSwitchOp op;
  IRRewriter &rewriter;
  ExecutionContext around;
  int64_t atStart = 0;          ///< registers per thread
  SmallVector<int32_t> budgets; ///< per warpgroup of the block
};

} // namespace

LogicalResult tilellvm::lowerAgentSwitches(Operation *func) {
  SmallVector<AgentSwitchOp> switches;
  func->walk([&](AgentSwitchOp op) { switches.push_back(op); });
  IRRewriter rewriter(func->getContext());
  for (AgentSwitchOp op : switches)
    if (failed(AgentSwitchLowering(op, rewriter).run()))
      return failure();
  return success();
}

void tilellvm::populateAgentPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                     ConversionTarget &target, const LoweringOptions &options) {
  patterns.add<BarrierArrive>(converter, patterns.getContext(), options);
  target.addIllegalOp<NVVM::BarrierArriveOp>();
  target.addLegalOp<nv_tileas::PipelineYieldOp>();
  nv_tileas::populateAgentTypeConversionsAndLegality(converter, patterns, target);
}
