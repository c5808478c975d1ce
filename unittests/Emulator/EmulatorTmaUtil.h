//===- EmulatorTmaUtil.h - Shared by the tests of tensor copies -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_UNITTESTS_EMULATOR_EMULATORTMAUTIL_H
#define TILEIRAS_UNITTESTS_EMULATOR_EMULATORTMAUTIL_H

#include "EmulatorTestUtil.h"

#include "tileiras/Emulator/Machine/Async/Tensormap.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <unistd.h>

namespace tileiras::emu::test {

using MapBytes = std::array<uint8_t, 128>;

inline MapBytes encoded(const Tensormap &map) {
  EXPECT_EQ(validateTensormap(map), "");
  uint8_t bytes[TensormapBytes];
  encodeTensormap(map, bytes);
  MapBytes result;
  std::copy(bytes, bytes + TensormapBytes, result.begin());
  return result;
}

/// Every module these tests run, for the assembler to agree with.
inline std::set<std::pair<std::string, std::string>> &modules() {
  static std::set<std::pair<std::string, std::string>> texts;
  return texts;
}

struct TmaRun {
  LaunchResult result;
  std::vector<uint8_t> out;
};

struct TmaSetup {
  std::string target = "sm_90a", version = "8.7";
  uint32_t threads = 32, blocks = 1, outBytes = 0;
  Dim3 cluster;
  LaunchOptions options;
  bool checkRaces = true; ///< kernels that are right must not be accused
};

/// A kernel with a tensor map as parameter, `out`, and an address `aux`. In shared memory: bar[4], buf[64 KiB],
/// 1024-byte aligned. %rd1: the map; %rd2: out, for this block; %rd3: aux; %r0: tid; %r1: block; %r2: buf; %p0: thread
/// 0.
inline TmaRun runTma(const std::string &body, const MapBytes &map, Memory &memory, uint64_t aux, TmaSetup s) {
  TmaRun r;
  std::string text = R"(
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 out, .param .u64 aux)
{
.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<40>; .reg .b64 %rd<24>; .reg .f32 %f<8>;
.shared .align 8 .b64 bar[4];
.shared .align 1024 .b8 buf[40960];
mov.b64 %rd0, map; cvta.param.u64 %rd1, %rd0; ld.param.u64 %rd2, [out]; ld.param.u64 %rd3, [aux];
mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, buf; setp.eq.u32 %p0, %r0, 0;
mul.wide.u32 %rd4, %r1, )" +
                     std::to_string(s.outBytes) + R"(; add.u64 %rd2, %rd2, %rd4;
)" + body + "\nret;\n}\n";
  text = ptx(text, s.target, s.version);
  auto m = parse(text);
  if (!m)
    return r;
  modules().insert({s.target, text});
  uint64_t out = memory.allocate(s.outBytes * s.blocks, "out", Memory::Init::Zero);
  LaunchConfig c;
  c.block = {s.threads};
  c.grid = {s.blocks};
  c.cluster = s.cluster;
  c.args.addBytes(map.data(), map.size()).add(out).add(aux);
  c.options = s.options;
  c.options.hostThreads = 1;
  c.options.checkRaces = s.checkRaces;
  r.result = launch(*m, memory, c);
  r.out = download<uint8_t>(memory, out, s.outBytes * s.blocks);
  return r;
}

/// Statements by all 32 threads: `bytes` bytes of buf become 0xee, visible to the async proxy.
inline std::string fillBuffer(uint32_t bytes) {
  return "{ .reg .b32 %a, %v; .reg .pred %q; shl.b32 %a, %r0, 2; add.u32 %a, %a, %r2; mov.u32 %v, 0;\n"
         "$F: st.shared.b32 [%a], 0xeeeeeeee; add.u32 %a, %a, 128; add.u32 %v, %v, 128; setp.lt.u32 %q, %v, " +
         std::to_string(bytes) + "; @%q bra $F; fence.proxy.async.shared::cta; bar.sync 0; }\n";
}
/// Thread 0 initialises bar[0..3] with one arrival each.
inline std::string initBarriers() {
  return "@%p0 mbarrier.init.shared::cta.b64 [bar], 1; @%p0 mbarrier.init.shared::cta.b64 [bar+8], 1;\n"
         "@%p0 mbarrier.init.shared::cta.b64 [bar+16], 1; @%p0 mbarrier.init.shared::cta.b64 [bar+24], 1;\n"
         "fence.mbarrier_init.release.cluster; bar.sync 0;\n";
}
inline std::string expectTx(uint64_t bytes, unsigned n = 0) {
  return "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar+" + std::to_string(8 * n) + "], " +
         std::to_string(bytes) + ";\n";
}
inline std::string waitBarrier(unsigned n = 0, unsigned parity = 0) {
  std::string l = "$W" + std::to_string(n) + std::to_string(parity);
  return "{ .reg .pred %q;\n" + l + ": mbarrier.try_wait.parity.shared::cta.b64 %q, [bar+" + std::to_string(8 * n) +
         "], " + std::to_string(parity) + "; @!%q bra " + l + "; }\n";
}
/// All threads copy the first `bytes` bytes of buf to out.
inline std::string copyOut(uint32_t bytes) {
  return "{ .reg .b32 %a, %v, %x; .reg .b64 %o; .reg .pred %q; shl.b32 %v, %r0, 2;\n"
         "$C: add.u32 %a, %v, %r2; ld.shared.b32 %x, [%a]; cvt.u64.u32 %o, %v; add.u64 %o, %o, %rd2; st.global.b32 "
         "[%o], %x;\n"
         "add.u32 %v, %v, 128; setp.lt.u32 %q, %v, " +
         std::to_string(bytes) + "; @%q bra $C; }\n";
}
/// All threads copy `bytes` bytes from aux to buf, visible to the async proxy.
inline std::string copyIn(uint32_t bytes) {
  return "{ .reg .b32 %a, %v, %x; .reg .b64 %o; .reg .pred %q; shl.b32 %v, %r0, 2;\n"
         "$I: add.u32 %a, %v, %r2; cvt.u64.u32 %o, %v; add.u64 %o, %o, %rd3; ld.global.b32 %x, [%o]; st.shared.b32 "
         "[%a], %x;\n"
         "add.u32 %v, %v, 128; setp.lt.u32 %q, %v, " +
         std::to_string(bytes) + "; @%q bra $I; fence.proxy.async.shared::cta; bar.sync 0; }\n";
}

inline std::string braces(const std::vector<int64_t> &values) {
  std::string s = "{";
  for (size_t i = 0; i != values.size(); ++i)
    s += (i ? ", " : "") + std::to_string(values[i]);
  return s + "}";
}

/// All combinations of order and timing that matter.
template <typename F> void everyTiming(F f) {
  for (AsyncTiming timing : {AsyncTiming::Early, AsyncTiming::Late, AsyncTiming::Random})
    for (uint64_t seed = 0; seed != (timing == AsyncTiming::Random ? 4u : 1u); ++seed) {
      LaunchOptions o;
      o.asyncTiming = timing;
      o.schedule = seed & 1 ? Schedule::Random : Schedule::RoundRobin;
      o.seed = seed;
      f(o);
    }
}

inline std::string ptxasPath() {
  for (const char *path : {"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas", "/opt/cuda/bin/ptxas"})
    if (access(path, X_OK) == 0)
      return path;
  return {};
}

/// Assembles all collected modules; the message of the first that fails.
inline std::string assembleAll() {
  std::string dir = ::testing::TempDir() + "tma" + std::to_string(getpid());
  std::string errors;
  // One file per target, the kernels renamed.
  std::map<std::string, std::string> files;
  unsigned n = 0;
  for (auto &[target, text] : modules()) {
    std::string &file = files[target];
    std::string kernel = text.substr(text.find(".visible"));
    kernel.replace(kernel.find(" k("), 3, " k" + std::to_string(n++) + "(");
    if (file.empty())
      file = ".version 8.8\n.target " + target + "\n.address_size 64\n";
    file += kernel;
  }
  for (auto &[target, text] : files) {
    std::ofstream(dir + ".ptx") << text;
    std::string command = ptxasPath() + " -O0 -arch=" + target + " " + dir + ".ptx -o /dev/null > " + dir + ".log 2>&1";
    if (std::system(command.c_str()) != 0) {
      std::ifstream log(dir + ".log");
      std::stringstream s;
      s << log.rdbuf();
      errors += target + ":\n" + s.str();
      std::ofstream(::testing::TempDir() + "tma-failed-" + target + ".ptx") << text;
    }
  }
  std::remove((dir + ".ptx").c_str());
  std::remove((dir + ".log").c_str());
  return errors;
}

} // namespace tileiras::emu::test

#endif // TILEIRAS_UNITTESTS_EMULATOR_EMULATORTMAUTIL_H
