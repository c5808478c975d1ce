//===- ExecLaunchControl.cpp - clusterlaunchcontrol -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, Parallel Synchronization and Communication Instructions: clusterlaunchcontrol. A block that has finished its
// work takes over that of a cluster which has not begun; that cluster then never runs.
//
// The response is opaque. Ours: the coordinates in the first 12 bytes, then a word that says what it is. Programs
// know that 16 zero bytes are not a cancelled cluster.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Async/Tma.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Exec/LaneAddress.h"

#include <algorithm>
#include <bit>

using namespace tileiras::emu;

namespace {

constexpr uint32_t Cancelled = 0xc1a0ce11, NotCancelled = 0x0f000000;

struct Response {
  uint32_t x = 0, y = 0, z = 0, state = NotCancelled;
};
static_assert(sizeof(Response) == 16);

Response responseOf(Warp &w, const Inst &i, uint32_t l) {
  uint64_t words[2] = {w.row<uint64_t>(i.a)[l], w.row<uint64_t>(i.a + 256)[l]};
  Response r;
  std::memcpy(&r, words, sizeof r);
  return r;
}

class TryCancel : public AsyncOp {
public:
  TryCancel(Warp &w, const Inst &i, uint32_t lane, uint64_t address, uint64_t bar, bool multicast)
      : AsyncOp(AsyncUnit::Other, w, i, lane), address(address), bar(bar), multicast(multicast) {
    bytes = sizeof(Response);
    readsDone = true;
  }

  bool step() override {
    Cluster &cluster = *cta->cluster;
    LaunchContext &launch = *cluster.launch;
    Response r;
    uint64_t index;
    // A request may fail although clusters are left (another kernel may need the SM); then they run as usual.
    bool refused = launch.options->refuseCancels;
    refused |= cluster.async.timing == AsyncTiming::Random && cluster.async.random() % 4 == 0;
    if (!refused && launch.claim(index)) {
      Dim3 first = launch.firstBlock(index);
      r = {first.x, first.y, first.z, Cancelled};
      ++launch.done;
      warp->stats->cancelledBlocks += launch.cluster.count();
    }
    uint32_t own = uint32_t(address >> 24);
    for (uint32_t rank = 0; rank != cluster.ctas.size(); ++rank) {
      if (!multicast && rank != own)
        continue;
      uint64_t base = uint64_t(rank) << 24;
      if (!write(Space::Shared, base | (address & 0xffffff), &r, sizeof r) ||
          !mbarrierArrive({warp, inst, lane, this, {true, false, true, 2}}, base | (bar & 0xffffff), 0,
                          -int64_t(sizeof r))) {
        cta->failed = true;
        break;
      }
    }
    return true;
  }

private:
  uint64_t address, bar;
  bool multicast;
};

} // namespace

namespace tileiras::emu::handlers {

void launchTryCancel(Warp &w, const Inst &i, uint32_t m) {
  const TmaAux &x = *static_cast<const TmaAux *>(i.aux);
  auto stop = [&] {
    w.cta->failed = true;
    w.stop = true;
  };
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    uint64_t address, bar;
    if (!laneSharedAddress(w, i, x.dst.aux, x.dst.row, x.dst.offset, l, address) ||
        !laneSharedAddress(w, i, x.bar.aux, x.bar.row, x.bar.offset, l, bar))
      return stop();
    if (address % sizeof(Response)) {
      w.report(ReportKind::Misaligned, i, l, "the address of the response is not a multiple of 16", address);
      return stop();
    }
    if (address >> 24 != w.cta->rank || bar >> 24 != w.cta->rank) {
      w.report(ReportKind::InvalidOperation, i, l,
               "the response and its mbarrier must lie in the block's own shared memory",
               address >> 24 != w.cta->rank ? address : bar);
      return stop();
    }
    const std::vector<const Warp *> &saw = w.cta->cluster->sawNoCluster;
    if (std::find(saw.begin(), saw.end(), &w) != saw.end()) {
      w.report(ReportKind::InvalidOperation, i, l, "a cluster is asked for after a request is known to have failed");
      return stop();
    }
    w.cta->cluster->async.submit(std::make_shared<TryCancel>(w, i, l, address, bar, x.multicast));
    if (w.cta->failed) {
      w.stop = true;
      return;
    }
  }
}

void launchIsCanceled(Warp &w, const Inst &i, uint32_t m) {
  uint32_t yes = 0;
  bool no = false;
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    Response r = responseOf(w, i, l);
    yes |= uint32_t(r.state == Cancelled) << l;
    no |= r.state == NotCancelled;
  }
  if (no)
    w.cta->cluster->sawNoCluster.push_back(&w);
  w.setPred(i.d, yes, m);
}

void launchFirstBlock(Warp &w, const Inst &i, uint32_t m) {
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    uint32_t l = uint32_t(std::countr_zero(rest));
    Response r = responseOf(w, i, l);
    if (r.state != Cancelled) {
      w.report(ReportKind::InvalidOperation, i, l, "get_first_ctaid of a response that tells of no cancelled cluster");
      w.cta->failed = true;
      w.stop = true;
      return;
    }
    // The fourth element of the vector is undefined.
    const uint32_t values[] = {r.x, r.y, r.z, 0xcdcdcdcd};
    for (unsigned k = 0; k != x.count; ++k)
      w.row<uint32_t>(x.rows[k])[l] = values[i.e + k];
  }
}

} // namespace tileiras::emu::handlers
