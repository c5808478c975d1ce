//===- LaunchTimes.cpp - How long kernels would take ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Device/LaunchTimes.h"

#include "tileiras/Emulator/Machine/Memory/DeviceHeap.h"
#include "tileiras/Emulator/Timing/Predict.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace tileiras;
using namespace tileiras::device;

namespace {
/// All of a device's memory as it was. Allocations made meanwhile stay.
class Snapshot {
public:
  explicit Snapshot(emu::Memory &memory) : heap(memory.heap()), pieces(heap.state()) {
    for (const std::unique_ptr<emu::Allocation> &a : memory.allocations()) {
      if (a->readOnly || !a->size)
        continue;
      Saved saved{a.get(), std::vector<uint8_t>(a->data, a->data + a->size), {}};
      if (a->shadow)
        saved.shadow.assign(a->shadow.get(), a->shadow.get() + a->size);
      kept.push_back(std::move(saved));
    }
  }
  ~Snapshot() {
    heap.restore(std::move(pieces));
    for (const Saved &saved : kept) {
      std::memcpy(saved.allocation->data, saved.bytes.data(), saved.bytes.size());
      if (!saved.shadow.empty())
        std::memcpy(saved.allocation->shadow.get(), saved.shadow.data(), saved.shadow.size());
    }
  }

private:
  struct Saved {
    emu::Allocation *allocation;
    std::vector<uint8_t> bytes, shadow;
  };
  emu::DeviceHeap &heap;
  emu::DeviceHeap::Pieces pieces;
  std::vector<Saved> kept;
};
} // namespace

static std::string extents(const emu::Dim3 &d) {
  return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" + std::to_string(d.z);
}

double LaunchTimes::add(const emu::Module &module, const std::string &ptx, emu::Memory &memory,
                        const emu::LaunchConfig &config, const std::string &machine) {
  std::string name = config.kernel + " <" + extents(config.grid) + ", " + extents(config.block) +
                     (config.dynamicSharedBytes ? ", " + std::to_string(config.dynamicSharedBytes) : "") + ">";
  Shape &shape = shapes[{name, module.id()}];
  if (shape.launches++)
    return shape.seconds;
  Snapshot before(memory);
  emu::LaunchConfig sample = config;
  sample.options = {};
  sample.options.device = config.options.device;
  sample.options.maxWarpInstructionsPerBlock = config.options.maxWarpInstructionsPerBlock;
  sample.options.print = [](std::string_view) {};
  emu::timing::PredictOptions options;
  options.machine = machine;
  options.ptx = ptx;
  emu::timing::Prediction prediction = emu::timing::predict(module, memory, sample, options);
  shape.error = prediction.ok ? "" : prediction.error.empty() ? "not predicted" : prediction.error;
  shape.error = shape.error.substr(0, shape.error.find('\n'));
  shape.seconds = prediction.ok ? prediction.seconds : 0;
  shape.limiter = prediction.limiter;
  return shape.seconds;
}

std::string LaunchTimes::table(const std::string &machine) const {
  if (shapes.empty())
    return "";
  std::vector<const std::pair<const std::pair<std::string, uint64_t>, Shape> *> rows;
  double total = 0;
  for (const auto &row : shapes) {
    rows.push_back(&row);
    total += row.second.seconds * double(row.second.launches);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto *a, const auto *b) {
    return a->second.seconds * double(a->second.launches) > b->second.seconds * double(b->second.launches);
  });
  std::string text = "predicted on " + machine + " (docs/timing.md says how far to trust it):";
  char line[160];
  for (const auto *row : rows) {
    const Shape &shape = row->second;
    std::snprintf(line, sizeof line, "\n  %10.2f us  %6llu x %10.2f us  ", shape.seconds * double(shape.launches) * 1e6,
                  static_cast<unsigned long long>(shape.launches), shape.seconds * 1e6);
    text +=
        line + row->first.first +
        (shape.error.empty() ? shape.limiter.empty() ? "" : "  " + shape.limiter : "  not predicted: " + shape.error);
  }
  std::snprintf(line, sizeof line, "\n  %10.2f us  in kernels", total * 1e6);
  return text + line;
}
