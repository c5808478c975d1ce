//===- TimingTestUtil.h - Cycles of small programs --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_UNITTESTS_EMULATOR_TIMINGTESTUTIL_H
#define TILEIRAS_UNITTESTS_EMULATOR_TIMINGTESTUTIL_H

#include "EmulatorTestUtil.h"

#include "tileiras/Emulator/Timing/Engine.h"
#include "tileiras/Emulator/Timing/Predict.h"

#include <functional>

namespace tileiras::emu::test {

inline timing::MachineDescription machineOf(const std::string &name) {
  std::string error;
  auto m = timing::findMachine(name, error);
  EXPECT_TRUE(m) << error;
  return m ? *m : timing::MachineDescription();
}

/// One cluster of a kernel on one SM that has L2 and DRAM for itself; everything hits L2.
struct Timed {
  double cycles = 0;
  std::array<double, timing::NumStalls> warp[32] = {};
  std::array<double, timing::NumUnits> busy{};
  std::string problem;
};

struct TimedSetup {
  std::string machine = "h200", target = "sm_90a", version = "8.7";
  uint32_t threads = 32, dynamicShared = 0, blocks = 1;
  Args args;
  Memory *memory = nullptr;
  double missRatio = 0, writeRatio = 0, localMisses = 0, activeSms = 1;
  /// What the assembler would say, from the program.
  std::function<timing::MachineCounts(const Program &)> counts;
  const timing::MachineDescription *description = nullptr; ///< instead of `machine`
  timing::Slowdown slower;
};

inline Timed timeOf(const std::string &body, const TimedSetup &s) {
  Timed out;
  auto module = parse(ptx(body, s.target, s.version));
  if (!module)
    return out;
  Memory own;
  timing::MachineDescription machine = s.description ? *s.description : machineOf(s.machine);
  timing::Costs costs(module->program(), machine, s.counts ? s.counts(module->program()) : timing::MachineCounts());
  timing::TraceStore store;
  store.costs = &costs;
  LaunchConfig c;
  c.grid = {s.blocks};
  c.block = {s.threads};
  c.args = s.args;
  c.dynamicSharedBytes = s.dynamicShared;
  c.options.asyncTiming = AsyncTiming::Early;
  c.options.checkUninitialized = false;
  c.options.observers = {store.factory()};
  LaunchResult r = launch(*module, s.memory ? *s.memory : own, c);
  EXPECT_TRUE(r.ok) << reports(r);
  if (!r.ok || store.traces.size() != 1)
    return out;
  timing::orderEvents(*store.traces[0], costs);
  timing::EngineConfig config;
  config.missRatio = s.missRatio;
  config.writeRatio = s.writeRatio;
  config.localMisses = s.localMisses;
  config.activeSms = s.activeSms;
  config.slower = s.slower;
  timing::Engine engine(costs, config);
  EXPECT_TRUE(engine.run({store.traces[0].get()})) << engine.problem;
  out.cycles = engine.end;
  out.problem = engine.problem;
  for (size_t w = 0; w != engine.byWarp.size(); ++w)
    out.warp[w] = engine.byWarp[w];
  out.busy = engine.busy;
  return out;
}

inline std::string repeated(const std::string &text, unsigned n) {
  std::string s;
  for (unsigned i = 0; i != n; ++i)
    s += text;
  return s;
}

/// One block of 132 SMs each, `units` times 100 dependent fmas: %r0 and %r1 are the block's coordinates, %r2 and %r3
/// those of the grid's last block.
inline timing::Prediction predictUnequal(const std::string &units, Dim3 grid) {
  auto module = parse(ptx(R"(.visible .entry k()
.reqntid 32
{
.reg .pred %p<2>; .reg .b32 %r<8>; .reg .f32 %f<4>;
mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ctaid.y; mov.u32 %r2, %nctaid.x; sub.u32 %r2, %r2, 1; mov.u32 %r3, %nctaid.y; sub.u32 %r3, %r3, 1;
)" + units + R"(
mov.u32 %r5, 0;
L: add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, %r4;
)" + repeated("fma.rn.f32 %f1, %f1, %f1, %f1;\n", 100) +
                              "@%p0 bra L;\nret;\n}\n",
                          "sm_90a"));
  if (!module)
    return {};
  Memory memory;
  LaunchConfig c;
  c.grid = grid;
  c.dynamicSharedBytes = 150000;
  c.options.checkUninitialized = false;
  timing::PredictOptions options;
  options.useAssembler = false;
  return timing::predict(*module, memory, c, options);
}

} // namespace tileiras::emu::test

#endif // TILEIRAS_UNITTESTS_EMULATOR_TIMINGTESTUTIL_H
