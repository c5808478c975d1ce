//===- EmulatorNvccUtil.h - Kernels compiled by nvcc -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// CUDA C++ to PTX by nvcc, and what the tests that run such kernels have in common: orders and timings, tensor maps,
// and PTX with an instruction taken out.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_UNITTESTS_EMULATOR_EMULATORNVCCUTIL_H
#define TILEIRAS_UNITTESTS_EMULATOR_EMULATORNVCCUTIL_H

#include "EmulatorTestUtil.h"

#include "tileiras/Emulator/Machine/Async/Tensormap.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace tileiras::emu::test {

/// Empty without nvcc.
inline const std::string &nvccPath() {
  static const std::string path = [] {
    for (const char *p : {"/usr/local/cuda/bin/nvcc", "/usr/bin/nvcc"})
      if (access(p, X_OK) == 0)
        return std::string(p);
    const char *variable = std::getenv("PATH");
    std::stringstream list(variable ? variable : "");
    for (std::string dir; std::getline(list, dir, ':');)
      if (access((dir + "/nvcc").c_str(), X_OK) == 0)
        return dir + "/nvcc";
    return std::string();
  }();
  return path;
}

/// PTX of CUDA C++ with these options ("-arch=sm_90a -O3"); empty with a failure if nvcc does not take it, or without
/// nvcc.
inline std::string compileCuda(const std::string &source, const std::string &options) {
  char dir[] = "/tmp/emulator-nvcc-XXXXXX";
  if (nvccPath().empty() || !mkdtemp(dir))
    return "";
  const std::string base = dir;
  std::ofstream(base + "/k.cu") << source;
  const std::string command =
      nvccPath() + " -std=c++17 -ptx " + options + " -o " + base + "/k.ptx " + base + "/k.cu > " + base + "/log 2>&1";
  const int rc = std::system(command.c_str());
  std::stringstream ptx, log;
  ptx << std::ifstream(base + "/k.ptx").rdbuf();
  log << std::ifstream(base + "/log").rdbuf();
  EXPECT_EQ(rc, 0) << command << "\n" << log.str();
  for (const char *f : {"/k.cu", "/k.ptx", "/log"})
    unlink((base + f).c_str());
  rmdir(dir);
  return rc ? "" : ptx.str();
}

/// Tests of compiled CUDA C++: skipped without nvcc, failing where it compiled nothing.
class NvccTest : public ::testing::Test {
protected:
  virtual const std::string &compiled() const = 0;
  void SetUp() override {
    if (nvccPath().empty())
      GTEST_SKIP() << "no nvcc";
    ASSERT_FALSE(compiled().empty());
  }
};

/// How a kernel is run.
struct Setting {
  AsyncTiming timing;
  Schedule schedule;
  uint64_t seed;
  bool races = true;
  void applyTo(LaunchOptions &o) const {
    o.asyncTiming = timing;
    o.schedule = schedule;
    o.seed = seed;
    o.checkRaces = races;
    o.hostThreads = 1;
  }
};
/// Early, late, and `random` seeded orders; with the race checker, or without and two more with it.
inline std::vector<Setting> settings(uint64_t random, bool races) {
  std::vector<Setting> s = {{AsyncTiming::Early, Schedule::RoundRobin, 0, races},
                            {AsyncTiming::Late, Schedule::RoundRobin, 0, races}};
  for (uint64_t seed = 1; seed <= random; ++seed)
    s.push_back({AsyncTiming::Random, Schedule::Random, seed, races});
  if (!races) {
    s.push_back({AsyncTiming::Late, Schedule::RoundRobin, 0, true});
    s.push_back({AsyncTiming::Random, Schedule::Random, random + 1, true});
  }
  return s;
}

struct Outcome {
  bool right = false;
  LaunchResult result;
};

/// Adds the tensor map of a row-major matrix, 128-byte swizzle.
inline void addMatrixMap(Args &args, uint64_t address, TensorType type, unsigned bytes, uint64_t columns, uint64_t rows,
                         uint32_t boxColumns, uint32_t boxRows) {
  uint8_t map[TensormapBytes];
  const uint64_t dims[] = {columns, rows}, strides[] = {columns * bytes};
  const uint32_t box[] = {boxColumns, boxRows}, steps[] = {1, 1};
  EXPECT_EQ(encodeTiled(map, type, 2, address, dims, strides, box, steps, TensorInterleave::None, TensorSwizzle::B128),
            "");
  args.addBytes(map, sizeof map);
}

/// `text` with occurrence `which` (from 0; -1: all) of `from` in one kernel replaced. `whole`: up to the next
/// semicolon.
inline std::string mutated(std::string text, const std::string &kernel, const std::string &from, const std::string &to,
                           int which = -1, bool whole = false) {
  const size_t begin = text.find(".entry " + kernel + "(");
  size_t end = text.find(".entry", begin + 6);
  EXPECT_NE(begin, std::string::npos) << kernel;
  int count = 0;
  for (size_t at = begin; (at = text.find(from, at)) < end && at != std::string::npos; ++count) {
    if (which >= 0 && count != which) {
      at += from.size();
      continue;
    }
    const size_t length = whole ? text.find(';', at) + 1 - at : from.size();
    text.replace(at, length, to);
    end += to.size() - length;
    at += to.size();
  }
  EXPECT_GT(count, which < 0 ? 0 : which) << from;
  return text;
}

} // namespace tileiras::emu::test

#endif // TILEIRAS_UNITTESTS_EMULATOR_EMULATORNVCCUTIL_H
