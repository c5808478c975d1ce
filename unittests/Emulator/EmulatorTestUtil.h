//===- EmulatorTestUtil.h - Shared by the emulator's unit tests -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_UNITTESTS_EMULATOR_EMULATORTESTUTIL_H
#define TILEIRAS_UNITTESTS_EMULATOR_EMULATORTESTUTIL_H

#include "tileiras/Emulator/Machine/Exec/Isa.h"
#include "tileiras/Emulator/Machine/Launch.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace tileiras::emu::test {

/// Module text: header for a target plus the given functions.
inline std::string ptx(const std::string &body, const std::string &target = "sm_90a",
                       const std::string &version = "8.7") {
  return ".version " + version + "\n.target " + target + "\n.address_size 64\n" + body;
}

inline std::string messages(const std::vector<Diagnostic> &errors) {
  std::string s;
  for (const Diagnostic &d : errors)
    s += d.str() + "\n";
  return s;
}

inline std::unique_ptr<Module> parse(const std::string &text) {
  std::vector<Diagnostic> errors;
  std::unique_ptr<Module> m = Module::parse(text, "test.ptx", errors);
  EXPECT_TRUE(m) << messages(errors);
  return m;
}

inline std::string parseError(const std::string &text) {
  std::vector<Diagnostic> errors;
  std::unique_ptr<Module> m = Module::parse(text, "test.ptx", errors);
  EXPECT_FALSE(m) << "no error found";
  return messages(errors);
}

inline std::string reports(const LaunchResult &r) {
  std::string s;
  for (const Report &report : r.reports)
    s += report.str() + "\n";
  return s;
}

inline bool hasReport(const LaunchResult &r, ReportKind kind) {
  for (const Report &report : r.reports)
    if (report.kind == kind)
      return true;
  return false;
}
inline const Report *findReport(const LaunchResult &r, ReportKind kind) {
  for (const Report &report : r.reports)
    if (report.kind == kind)
      return &report;
  return nullptr;
}

/// Values in device memory.
template <typename T> uint64_t upload(Memory &memory, const std::vector<T> &values, const std::string &name) {
  uint64_t a = memory.allocate(values.size() * sizeof(T), name);
  EXPECT_TRUE(memory.copyIn(a, values.data(), values.size() * sizeof(T)));
  return a;
}
template <typename T> std::vector<T> download(const Memory &memory, uint64_t address, size_t count) {
  std::vector<T> values(count);
  EXPECT_TRUE(memory.copyOut(address, values.data(), count * sizeof(T)));
  return values;
}

/// Small deterministic generator (splitmix64).
class Rng {
public:
  explicit Rng(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }

private:
  uint64_t state;
};

/// Runs `code` in one thread per element: sources are loaded from arrays into %a0, %a1, ..., and %d is stored.
/// Types are PTX types of the registers ("b32", "f32", ...). All threads of several warps, the last one partial. The
/// code runs on the handlers of every instruction set extension this machine has, which must agree.
template <typename D, typename... S>
std::vector<D> runElementwise(const std::string &code, const std::string &dType, const std::vector<std::string> &sTypes,
                              const std::string &target, const std::vector<S> &...sources) {
  size_t n = 0;
  ((n = sources.size()), ...);
  std::string body = ".visible .entry k(.param .u64 out";
  for (size_t i = 0; i != sTypes.size(); ++i)
    body += ", .param .u64 in" + std::to_string(i);
  body +=
      ", .param .u32 n)\n{\n.reg .pred %p, %q, %r, %guard; .reg .b32 %gid, %n, %t<16>; .reg .b64 %addr, %w<16>; .reg "
      ".b16 %h<16>;\n.reg ." +
      dType + " %d;\n";
  for (size_t i = 0; i != sTypes.size(); ++i)
    body += ".reg ." + sTypes[i] + " %a" + std::to_string(i) + ";\n";
  body += "mov.u32 %t0, %ctaid.x; mov.u32 %t1, %ntid.x; mov.u32 %t2, %tid.x; mad.lo.u32 %gid, %t0, %t1, %t2;\n"
          "ld.param.u32 %n, [n]; setp.ge.u32 %guard, %gid, %n; @%guard ret;\n";
  size_t sizes[] = {sizeof(S)..., 0};
  auto memType = [](const std::string &t) { return t == "pred" ? std::string("u32") : t; };
  for (size_t i = 0; i != sTypes.size(); ++i)
    body += "ld.param.u64 %addr, [in" + std::to_string(i) + "]; mul.wide.u32 %w0, %gid, " + std::to_string(sizes[i]) +
            "; add.u64 %addr, %addr, %w0; ld.global." + memType(sTypes[i]) + " %a" + std::to_string(i) + ", [%addr];\n";
  body += code;
  body += "\nld.param.u64 %addr, [out]; mul.wide.u32 %w0, %gid, " + std::to_string(sizeof(D)) +
          "; add.u64 %addr, %addr, %w0; st.global." + dType + " [%addr], %d;\nret;\n}\n";
  std::vector<D> result;
  for (const IsaTable *isa : availableIsas()) {
    setIsa(isa->name);
    std::vector<D> mine(n);
    std::unique_ptr<Module> m = parse(ptx(body, target, "9.0"));
    if (!m)
      return mine;
    Memory memory;
    LaunchConfig config;
    uint64_t out = memory.allocate(n * sizeof(D), "out");
    config.args.add(out);
    size_t index = 0;
    ((config.args.add(upload(memory, sources, "in" + std::to_string(index++)))), ...);
    config.args.add(uint32_t(n));
    config.block = {96};
    config.grid = {uint32_t((n + 95) / 96)};
    config.options.hostThreads = 1;
    LaunchResult r = launch(*m, memory, config);
    EXPECT_TRUE(r.ok) << reports(r) << code;
    memory.copyOut(out, mine.data(), n * sizeof(D));
    if (result.empty())
      result = mine;
    EXPECT_EQ(std::memcmp(result.data(), mine.data(), n * sizeof(D)), 0)
        << isa->name << " and " << availableIsas().front()->name << " differ: " << code;
  }
  setIsa(availableIsas().front()->name);
  return result;
}

} // namespace tileiras::emu::test

#endif // TILEIRAS_UNITTESTS_EMULATOR_EMULATORTESTUTIL_H
