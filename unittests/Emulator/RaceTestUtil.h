//===- RaceTestUtil.h - Kernels that race and kernels that do not -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_UNITTESTS_EMULATOR_RACETESTUTIL_H
#define TILEIRAS_UNITTESTS_EMULATOR_RACETESTUTIL_H

#include "EmulatorTestUtil.h"

namespace tileiras::emu::test::race {

struct Shape {
  uint32_t threads = 64, blocks = 1;
  Dim3 cluster = {};
  std::string target = "sm_90a";
};

/// %r0 = tid, %r1 = block, %rd0 = out, %rd1 = in, %rd2 = &out[global thread], `buf` 1024 words, `bar` 4 mbarriers.
inline LaunchResult run(const std::string &body, LaunchOptions options, Shape s = {}, bool checkRaces = true) {
  auto m = parse(ptx(R"(
.visible .entry k(.param .u64 out, .param .u64 in)
{
.reg .pred %p<16>; .reg .b32 %r<64>; .reg .b64 %rd<32>; .reg .f32 %f<8>;
.shared .align 8 .b64 bar[4];
.shared .align 128 .b32 buf[1024];
ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in];
mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd0, %rd2;
mov.u32 %r4, buf; shl.b32 %r5, %r0, 2; add.u32 %r4, %r4, %r5;
xor.b32 %r6, %r0, 33; shl.b32 %r6, %r6, 2; mov.u32 %r7, buf; add.u32 %r6, %r7, %r6;
)" + body + "\n}\n",
                     s.target, "8.7"));
  if (!m)
    return {};
  Memory memory;
  uint64_t out = upload(memory, std::vector<uint32_t>(4096), "out");
  std::vector<uint32_t> source(4096);
  for (size_t i = 0; i != source.size(); ++i)
    source[i] = uint32_t(1000 + i);
  uint64_t in = upload(memory, source, "in");
  LaunchConfig c;
  c.block = {s.threads};
  c.grid = {s.blocks};
  c.cluster = s.cluster;
  c.args.add(out).add(in);
  c.options = options;
  c.options.checkRaces = checkRaces;
  c.options.checkUninitialized = false; // the checker must do without
  return launch(*m, memory, c);
}

template <typename F> void everySchedule(F f) {
  for (Schedule schedule : {Schedule::RoundRobin, Schedule::Forward, Schedule::Reverse, Schedule::Random})
    for (AsyncTiming timing : {AsyncTiming::Early, AsyncTiming::Late, AsyncTiming::Random}) {
      LaunchOptions o;
      o.schedule = schedule;
      o.asyncTiming = timing;
      o.seed = 7;
      f(o);
    }
}

inline void clean(const std::string &body, Shape s = {}) {
  everySchedule([&](LaunchOptions o) {
    LaunchResult r = run(body, o, s);
    EXPECT_TRUE(r.ok) << reports(r) << body;
  });
}

/// Some report has this kind and these words in it.
inline void reported(const std::string &body, ReportKind kind, const std::string &words, Shape s = {}) {
  everySchedule([&](LaunchOptions o) {
    LaunchResult r = run(body, o, s);
    bool found = false;
    for (const Report &report : r.reports)
      found |= report.kind == kind && report.str().find(words) != std::string::npos;
    EXPECT_TRUE(found) << scheduleName(o.schedule) << ", timing " << int(o.asyncTiming) << ": expected '" << words
                       << "', got:\n"
                       << reports(r) << body;
  });
}

/// Some report says that a copy and a thread touch the same bytes without order, whoever comes second.
inline void conflict(const std::string &body, Shape s = {}) {
  everySchedule([&](LaunchOptions o) {
    LaunchResult r = run(body, o, s);
    bool found = false;
    for (const Report &report : r.reports)
      found |= (report.kind == ReportKind::Async || report.kind == ReportKind::Race) &&
               report.str().find("cp.async.bulk") != std::string::npos;
    EXPECT_TRUE(found) << scheduleName(o.schedule) << ", timing " << int(o.asyncTiming) << ", got:\n"
                       << reports(r) << body;
  });
}

inline std::string without(std::string text, const std::string &what) {
  size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.erase(at, what.size());
}
inline std::string replaced(std::string text, const std::string &from, const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

} // namespace tileiras::emu::test::race

#endif // TILEIRAS_UNITTESTS_EMULATOR_RACETESTUTIL_H
