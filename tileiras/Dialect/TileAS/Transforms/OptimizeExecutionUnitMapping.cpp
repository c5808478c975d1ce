//===- OptimizeExecutionUnitMapping.cpp - optimize-execution-unit-mapping -===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which warps of the block an agent gets. An agent of two warps begins at a multiple of two, one of three and more at a
// multiple of four, so that warps which act together, as those of a warpgroup do, are aligned; what that leaves unused
// is a hole. The largest agents are placed first, which leaves no holes between powers of two; agents of equal size
// keep their order. With agents of several warps the block is filled up to whole warpgroups.
//
// A function that agents call is run by as many warps wherever it is called.
//
// Writes `warp_id` and `agent_strides` on each agent_switch from its `num_warps`, and the sum into the kernel_spec,
// from which the block size comes. agent_switches that have their `warp_id` keep it.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "llvm/ADT/Sequence.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_OPTIMIZEEXECUTIONUNITMAPPINGPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct OptimizeExecutionUnitMappingPass
    : nv_tileas::impl::OptimizeExecutionUnitMappingPassBase<OptimizeExecutionUnitMappingPass> {
  void runOnOperation() override {
    if (failed(checkCalls()))
      return signalPassFailure();
    WalkResult walk = getOperation()->walk(
        [](nv_tileaa::FuncOp func) { return succeeded(map(func)) ? WalkResult::skip() : WalkResult::interrupt(); });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

private:
  /// A function is laid out for the warps that run it, so all that call it have as many: from the kernels on, through
  /// loops and branches, and through the functions that they call.
  LogicalResult checkCalls() {
    SymbolTableCollection symbols;
    DenseMap<Operation *, int32_t> warpsOf;
    SmallVector<nv_tileaa::FuncOp> work;
    getOperation()->walk([&](nv_tileaa::FuncOp func) {
      bool agents = func.walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted();
      if (agents || func->hasAttr(nv_tileaa::kKernelSpecAttr)) {
        warpsOf[func] = ExecutionContext::of(&func.getBody()).numWarps;
        work.push_back(func);
      }
    });
    for (size_t i = 0; i < work.size(); ++i) {
      nv_tileaa::FuncOp caller = work[i];
      WalkResult walk = caller.walk([&](nv_tileaa::CallOp call) {
        auto callee = dyn_cast_or_null<nv_tileaa::FuncOp>(
            cast<CallOpInterface>(call.getOperation()).resolveCallableInTable(&symbols));
        if (!callee || callee.isExternal())
          return WalkResult::advance();
        AgentSwitchOp agents = getAgentSwitch(call);
        int32_t warps =
            agents && agents.getNumWarps() ? (*agents.getNumWarps())[agents.agentOf(call)] : warpsOf[caller];
        auto [known, isNew] = warpsOf.try_emplace(callee, warps);
        if (isNew)
          work.push_back(callee);
        if (known->second != warps) {
          call.emitOpError("inconsistent numWarps in the agent switch, maybe it is called in different agents with "
                           "different numWarps");
          return WalkResult::interrupt();
        }
        return WalkResult::advance();
      });
      if (walk.wasInterrupted())
        return failure();
    }
    return success();
  }

  static LogicalResult map(nv_tileaa::FuncOp func) {
    SmallVector<AgentSwitchOp> switches;
    func.walk([&](AgentSwitchOp op) { switches.push_back(op); });
    if (switches.empty())
      return success();
    SmallVector<Mapping> mappings;
    int32_t total = 0;
    for (AgentSwitchOp op : switches) {
      if (!op.getNumWarps())
        return op.emitOpError("expects 'num_warps'");
      Mapping &mapping = mappings.emplace_back(place(op));
      total = std::max(total, mapping.warps);
    }
    auto spec = func->getAttrOfType<nv_tileaa::KernelSpecAttr>(nv_tileaa::kKernelSpecAttr);
    int32_t warps = std::max(total, spec ? spec.getNumWarps() : 0);
    if (warps > 32)
      return switches.front().emitOpError("the agents need ") << warps << " warps, a block has at most 32";
    MLIRContext *context = func.getContext();
    func->setAttr(nv_tileaa::kKernelSpecAttr,
                  spec ? nv_tileaa::KernelSpecAttr::get(context, warps, spec.getClusterDimX(), spec.getClusterDimY(),
                                                        spec.getClusterDimZ(), spec.getNumCTAs())
                       : nv_tileaa::KernelSpecAttr::get(context, warps, 1, 1, 1, 1));
    for (auto [op, mapping] : llvm::zip_equal(switches, mappings)) {
      op.setWarpId(mapping.first);
      op.setAgentStrides(mapping.strides);
    }
    return success();
  }

  struct Mapping {
    SmallVector<int32_t> first, strides;
    int32_t warps = 0; ///< of the block
  };

  static Mapping place(AgentSwitchOp op) {
    ArrayRef<int32_t> counts = *op.getNumWarps();
    Mapping mapping;
    if (op.getWarpId()) {
      mapping.first.assign(op.getWarpId()->begin(), op.getWarpId()->end());
    } else {
      mapping.first.resize(counts.size());
      SmallVector<size_t> order = llvm::to_vector(llvm::seq<size_t>(0, counts.size()));
      llvm::stable_sort(order, [&](size_t a, size_t b) { return counts[a] > counts[b]; });
      int32_t cursor = 0;
      for (size_t agent : order) {
        // Beyond four warps nothing needs more alignment than a warpgroup.
        cursor = llvm::alignTo(cursor, std::min<int32_t>(llvm::bit_ceil(uint32_t(counts[agent])), 4));
        mapping.first[agent] = cursor;
        cursor += counts[agent];
      }
    }
    int32_t most = 0;
    for (auto [first, count] : llvm::zip_equal(mapping.first, counts)) {
      mapping.warps = std::max(mapping.warps, first + count);
      most = std::max(most, count);
    }
    if (most > 1 && mapping.warps <= 32)
      mapping.warps = llvm::alignTo(mapping.warps, 4);
    for (int32_t first : mapping.first) {
      int32_t next = mapping.warps;
      for (int32_t other : mapping.first)
        if (other > first)
          next = std::min(next, other);
      mapping.strides.push_back(next - first);
    }
    return mapping;
  }
};

} // namespace
