//===- Deadlock.cpp - Who waits for whom -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One report for a cluster in which nothing can go on: every warp that waits, where, on what, who has not come there,
// and where those are instead.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/TensorMemory/TensorMemory.h"

#include <bit>

using namespace tileiras::emu;

namespace {

/// Where a warp stands.
struct Place {
  const Function *function = nullptr;
  const Inst *inst = nullptr;
  uint32_t lane = 0;
  const Fragment *fragment = nullptr; ///< null: the warp polls, in the middle of its code
  uint32_t line() const { return function->body[inst->source].loc.line; }
};

Place placeOf(const Warp &w) {
  Place p;
  const Fragment *f = w.state == WarpState::Ready || w.fragments.empty() ? nullptr : &w.fragments[0];
  for (const Fragment &candidate : w.fragments)
    if (f && candidate.state == FragmentState::Waiting)
      f = &candidate;
  p.fragment = f;
  p.inst = f ? f->pc : w.pc;
  p.function = (f ? f->frame : w.frame)->fn->ast;
  p.lane = uint32_t(std::countr_zero(f && f->mask ? f->mask : w.live ? w.live : 1));
  return p;
}

class Graph {
public:
  explicit Graph(const Cluster &cluster) : cluster(cluster) {}

  std::string name(const Warp &w) const {
    std::string text = "warp " + std::to_string(w.index);
    return cluster.ctas.size() > 1 ? text + " of block " + std::to_string(w.cta->rank) : text;
  }
  /// "warp 3, which has exited".
  std::string whereabouts(const Warp &w) const {
    if (w.state == WarpState::Done)
      return name(w) + ", which has exited";
    Place p = placeOf(w);
    return name(w) + ", which " + (p.fragment ? "waits" : "polls") + " at line " + std::to_string(p.line());
  }

  std::string barrier(const Cta &cta, uint32_t number) const {
    const BarrierState &b = cta.barriers[number];
    std::string text =
        "barrier " + std::to_string(number) + " (" + std::to_string(b.arrived) + " of " +
        (b.expected == AllThreads ? "all " + std::to_string(cta.liveWarps * 32) : std::to_string(b.expected)) +
        " threads have arrived";
    std::string missing;
    for (uint32_t i = 0; i != cta.warpCount; ++i) {
      const Warp &w = *cta.warps[i];
      if (!(w.state == WarpState::AtBarrier && w.barrierNumber == number) && missing.size() < 400)
        missing += (missing.empty() ? "" : "; ") + whereabouts(w);
    }
    return text + (missing.empty() ? ")" : "; not there: " + missing + ")");
  }

  std::string mbarrier(uint64_t key) const {
    const Cta &owner = *cluster.ctas[key >> 24];
    auto it = owner.mbarriers.find(uint32_t(key & 0xffffff));
    if (it == owner.mbarriers.end())
      return "an mbarrier that no longer exists";
    const Mbarrier &b = it->second;
    std::string text = mbarrierText(b), here, before;
    for (const MbarrierArrival &a : b.arrivals) {
      std::string &list = a.phase == b.phase ? here : before;
      if (list.size() > 400)
        continue;
      list += list.empty() ? "" : "; ";
      std::string line = " of line " + std::to_string(a.line);
      if (a.async)
        list += "the operation" + line + " that " + name(*a.warp) + " issued";
      else
        list += "the arrival" + line + " by " + (a.phase == b.phase ? name(*a.warp) : whereabouts(*a.warp));
    }
    if (b.arrivals.empty())
      return text + ", at which nobody has ever arrived";
    if (!here.empty())
      text += ", reached in this phase by " + here;
    if (!before.empty())
      text += ", reached only in earlier phases by " + before;
    return text;
  }

  std::string clusterBarrier() const {
    std::string missing;
    for (auto &cta : cluster.ctas)
      for (uint32_t i = 0; i != cta->warpCount; ++i) {
        const Warp &w = *cta->warps[i];
        if (w.state != WarpState::Done && (w.live & ~w.clusterOpen) && missing.size() < 400)
          missing += (missing.empty() ? "" : "; ") + whereabouts(w);
      }
    return "barrier.cluster" + (missing.empty() ? "" : " (not there: " + missing + ")");
  }

  std::string what(const Warp &w, const Place &p) const {
    if (w.state == WarpState::AtBarrier)
      return barrier(*w.cta, w.barrierNumber);
    if (!p.fragment)
      return w.polled ? mbarrier(w.polledKey) : "global memory to change";
    if (p.fragment->state != FragmentState::Waiting)
      return "other threads of the warp";
    if (p.fragment->waitKey & WarpgroupKey)
      return "the other warps of its warpgroup to execute a wgmma.mma_async";
    if (p.fragment->waitKey & RegisterKey)
      return std::to_string(p.inst->imm - w.registers) +
             " more registers per thread (setmaxnreg.inc); the block's pool has " + std::to_string(w.cta->registerPool);
    if (p.fragment->waitKey & TensorKey)
      return w.cta->tensor->waitText();
    return p.fragment->waitKey == ClusterBarrierKey ? clusterBarrier() : mbarrier(p.fragment->waitKey);
  }

private:
  const Cluster &cluster;
};

} // namespace

void Runner::reportDeadlock(Resident &resident, std::string reason) {
  Cluster &cluster = resident.cluster;
  Graph graph(cluster);
  std::string text;
  Warp *first = nullptr;
  Place where;
  for (auto &cta : cluster.ctas) {
    std::string done;
    for (uint32_t i = 0; i != cta->warpCount; ++i) {
      Warp &w = *cta->warps[i];
      if (w.state == WarpState::Done) {
        done += (done.empty() ? "" : ",") + std::to_string(i);
        continue;
      }
      Place p = placeOf(w);
      if (!first) {
        first = &w;
        where = p;
      }
      text += std::string(text.empty() ? " " : "; ") + graph.name(w) + " waits at line " + std::to_string(p.line()) +
              " for " + graph.what(w, p);
    }
    if (!done.empty())
      text += std::string(text.empty() ? " " : "; ") + "warps " + done +
              (cluster.ctas.size() > 1 ? " of block " + std::to_string(cta->rank) : "") + " have exited";
  }
  if (first) {
    first->reportAt(*where.function, ReportKind::Deadlock, *where.inst, where.lane, std::move(reason) + text);
    first->cta->failed = true;
  }
}
