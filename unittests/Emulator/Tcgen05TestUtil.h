//===- Tcgen05TestUtil.h - One tcgen05 instruction at a time ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel fills all of tensor memory and an image of shared memory, executes a few tcgen05 instructions, and writes
// all of tensor memory back. What should be there afterwards is computed here, element by element, by formulas that
// share nothing with the emulator. Values are such that every correct sum is exact.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_UNITTESTS_EMULATOR_TCGEN05TESTUTIL_H
#define TILEIRAS_UNITTESTS_EMULATOR_TCGEN05TESTUTIL_H

#include "WgmmaTestUtil.h"

#include <algorithm>

namespace tileiras::emu::test::tcgen05 {

using wgmma::Layout;

constexpr uint32_t Image = 40960;

/// Registers of `middle`: %taddr tensor base, %rda, %rdb, %rdc matrix descriptors, %id instruction descriptor, %en
/// predicate, %x0.. %x7 32-bit parameters, %y0 64-bit parameter.
inline std::string kernel(unsigned group, const std::string &middle) {
  std::string g = ".cta_group::" + std::to_string(group), image = std::to_string(Image);
  std::string commit =
      group == 2
          ? "mov.b16 %h0, 3; tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 "
            "[%bar], %h0;"
          : "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%bar];";
  return ".visible .entry k(.param .u64 image, .param .u64 tin, .param .u64 tout, .param .u64 params)\n.reqntid 128" +
         std::string(group == 2 ? " .reqnctapercluster 2" : "") + R"(
{
  .reg .pred %p, %q, %en, %done, %issuer; .reg .b16 %h<2>; .reg .b32 %r<12>, %v<8>, %x<8>, %mk<8>, %id, %taddr, %bar, %c, %ta, %t, %rank;
  .reg .b64 %rd<12>, %rda, %rdb, %rdc, %y<2>, %in, %out;
  .shared .align 1024 .b8 s[)" +
         image + R"(]; .shared .align 8 .b64 bar; .shared .align 4 .b32 where;
  mov.u32 %t, %tid.x; mov.u32 %rank, %cluster_ctarank; mov.u32 %r2, s; mov.u32 %bar, bar;
  ld.param.u64 %rd1, [image]; mul.wide.u32 %rd2, %rank, )" +
         image + R"(; add.u64 %rd1, %rd1, %rd2;
  shl.b32 %r3, %t, 4;
$copy:
  cvt.u64.u32 %rd2, %r3; add.u64 %rd3, %rd1, %rd2; add.u32 %r5, %r2, %r3;
  ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%rd3]; st.shared.v4.b32 [%r5], {%v0, %v1, %v2, %v3};
  add.u32 %r3, %r3, 2048; setp.lt.u32 %q, %r3, )" +
         image + R"(; @%q bra $copy;
  fence.proxy.async.shared::cta;
  setp.ne.u32 %p, %t, 0; @%p bra $noinit;
  mbarrier.init.shared::cta.b64 [%bar], 1; fence.mbarrier_init.release.cluster;
$noinit:
  bar.sync 0;
  setp.ge.u32 %p, %t, 32; @%p bra $noalloc;
  mov.u32 %r4, where; tcgen05.alloc)" +
         g + R"(.sync.aligned.shared::cta.b32 [%r4], 512;
$noalloc:
  tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
  ld.shared.b32 %taddr, [where];
  mad.lo.u32 %r6, %rank, 128, %t; mul.wide.u32 %rd4, %r6, 2048;
  ld.param.u64 %in, [tin]; add.u64 %in, %in, %rd4; ld.param.u64 %out, [tout]; add.u64 %out, %out, %rd4;
  mov.u32 %c, 0;
$fill:
  mul.wide.u32 %rd5, %c, 4; add.u64 %rd6, %in, %rd5; add.u32 %ta, %taddr, %c;
  ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%rd6]; ld.global.v4.b32 {%v4, %v5, %v6, %v7}, [%rd6+16];
  tcgen05.st.sync.aligned.32x32b.x8.b32 [%ta], {%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7};
  add.u32 %c, %c, 8; setp.lt.u32 %q, %c, 512; @%q bra $fill;
  tcgen05.wait::st.sync.aligned;
  ld.param.u64 %rd7, [params]; ld.global.u64 %rda, [%rd7]; ld.global.u64 %rdb, [%rd7+8]; ld.global.u64 %rdc, [%rd7+16];
  ld.global.u64 %y0, [%rd7+24]; ld.global.u32 %id, [%rd7+32]; ld.global.u32 %r7, [%rd7+36]; setp.ne.u32 %en, %r7, 0;
  ld.global.v4.u32 {%x0, %x1, %x2, %x3}, [%rd7+48]; ld.global.v4.u32 {%x4, %x5, %x6, %x7}, [%rd7+64];
  and.b32 %r8, %r2, 0x3ffff; shr.u32 %r8, %r8, 4; cvt.u64.u32 %rd8, %r8;
  add.u64 %rda, %rda, %rd8; add.u64 %rdb, %rdb, %rd8; add.u64 %rdc, %rdc, %rd8;
  tcgen05.fence::before_thread_sync;
)" + (group == 2 ? "  barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n" : "  bar.sync 0;\n") +
         R"(
  or.b32 %r9, %t, %rank; setp.ne.u32 %issuer, %r9, 0; @%issuer bra $wait;
  tcgen05.fence::after_thread_sync;
)" + middle +
         "\n  " + commit + R"(
$wait:
  mbarrier.try_wait.parity.shared::cta.b64 %done, [%bar], 0; @!%done bra $wait;
  tcgen05.fence::after_thread_sync;
  bar.warp.sync 0xffffffff;
  mov.u32 %c, 0;
$read:
  add.u32 %ta, %taddr, %c;
  tcgen05.ld.sync.aligned.32x32b.x8.b32 {%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7}, [%ta];
  tcgen05.wait::ld.sync.aligned;
  mul.wide.u32 %rd5, %c, 4; add.u64 %rd6, %out, %rd5;
  st.global.v4.b32 [%rd6], {%v0, %v1, %v2, %v3}; st.global.v4.b32 [%rd6+16], {%v4, %v5, %v6, %v7};
  add.u32 %c, %c, 8; setp.lt.u32 %q, %c, 512; @%q bra $read;
  tcgen05.fence::before_thread_sync;
)" + (group == 2 ? "  barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n" : "  bar.sync 0;\n") +
         R"(
  setp.ge.u32 %p, %t, 32; @%p bra $end;
  tcgen05.dealloc)" +
         g + ".sync.aligned.b32 %taddr, 512;\n  tcgen05.relinquish_alloc_permit" + g + R"(.sync.aligned;
$end:
  ret;
}
)";
}

/// Tensor memory, shared memory and parameters of one or two blocks.
struct State {
  unsigned group = 1;
  std::vector<uint32_t> cells[2]; ///< [128][512]
  std::vector<uint8_t> image[2];
  uint64_t descriptors[3] = {}, y = 0;
  uint32_t idesc = 0, enable = 1, x[8] = {};
  AsyncTiming timing = AsyncTiming::Late;
  uint64_t seed = 0;

  explicit State(unsigned group = 1, uint64_t seed = 1) : group(group), seed(seed) {
    Rng rng(seed * 77 + 5);
    for (unsigned c = 0; c != 2; ++c) {
      cells[c].resize(128 * 512);
      for (uint32_t &v : cells[c])
        v = uint32_t(rng.next() >> 20);
      image[c].resize(Image);
      for (uint8_t &v : image[c])
        v = uint8_t(rng.next() >> 33);
    }
  }
  uint32_t &cell(unsigned cta, uint32_t lane, uint32_t column) { return cells[cta][lane * 512 + column]; }

  /// Runs; `out` is tensor memory afterwards.
  LaunchResult run(const std::string &middle, std::vector<uint32_t> (&out)[2], const std::string &target = "sm_100a",
                   const std::string &version = "8.8") const {
    LaunchResult none;
    std::vector<Diagnostic> errors;
    std::unique_ptr<Module> module = Module::parse(ptx(kernel(group, middle), target, version), "tcgen05.ptx", errors);
    EXPECT_TRUE(module) << messages(errors) << middle;
    if (!module)
      return none;
    Memory memory;
    std::vector<uint8_t> images = image[0];
    std::vector<uint32_t> in = cells[0];
    if (group == 2) {
      images.insert(images.end(), image[1].begin(), image[1].end());
      in.insert(in.end(), cells[1].begin(), cells[1].end());
    }
    std::vector<uint32_t> params(20, 0);
    std::memcpy(&params[0], descriptors, 24);
    std::memcpy(&params[6], &y, 8);
    params[8] = idesc;
    params[9] = enable;
    std::copy_n(x, 8, &params[12]);
    uint64_t result = memory.allocate(in.size() * 4, "out");
    LaunchConfig config;
    config.grid = {group};
    config.block = {128};
    config.args.add(upload(memory, images, "image"))
        .add(upload(memory, in, "in"))
        .add(result)
        .add(upload(memory, params, "params"));
    config.options.asyncTiming = timing;
    config.options.seed = seed;
    config.options.checkRaces = true;
    config.options.schedule = timing == AsyncTiming::Random ? Schedule::Random : Schedule::RoundRobin;
    LaunchResult r = launch(*module, memory, config);
    std::vector<uint32_t> all = download<uint32_t>(memory, result, in.size());
    for (unsigned c = 0; c != group; ++c)
      out[c].assign(all.begin() + c * 65536, all.begin() + (c + 1) * 65536);
    return r;
  }
};

/// Descriptor of an image at byte `offset`: PTX ISA, "Shared memory descriptor" of tcgen05.
inline uint64_t descriptor(const Layout &l, uint32_t offset) {
  static const uint64_t codes[] = {0, 2, 4, 6, 1};
  return codes[l.swizzle] << 61 | uint64_t(1) << 46 | uint64_t(l.stride >> 4) << 32 | uint64_t(l.leading >> 4) << 16 |
         (offset + l.start) >> 4;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

struct Element {
  uint32_t code = 0;
  double value = 0;
};
inline bool isNarrow(const std::string &t) { return t == "e2m1" || t == "e2m3" || t == "e3m2"; }
inline double narrowValue(const std::string &t, uint32_t code) {
  int e = t == "e3m2" ? 3 : 2, f = t == "e2m1" ? 1 : t == "e2m3" ? 3 : 2;
  int exponent = int(code >> f) & ((1 << e) - 1), bias = (1 << (e - 1)) - 1;
  double m = (code & ((1u << f) - 1)) / double(1 << f);
  double v = exponent ? std::ldexp(1 + m, exponent - bias) : std::ldexp(m, 1 - bias);
  return code >> (e + f) & 1 ? -v : v;
}
inline Element randomElement(const std::string &t, Rng &rng) {
  if (isNarrow(t)) {
    uint32_t code = uint32_t(rng.next() >> 30) & (t == "e2m1" ? 15 : 63);
    return {code, narrowValue(t, code)};
  }
  double v = wgmma::smallValue(t, rng);
  return {wgmma::encode(t, v), v};
}

} // namespace tileiras::emu::test::tcgen05

#endif // TILEIRAS_UNITTESTS_EMULATOR_TCGEN05TESTUTIL_H
