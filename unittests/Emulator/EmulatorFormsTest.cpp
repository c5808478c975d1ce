//===- EmulatorFormsTest.cpp - Rare forms of instructions -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Forms that no other test executes, a line or two each, with results worked out by hand from the PTX ISA.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

using Words = std::vector<uint32_t>;

/// Runs `code` in a block of `threads`: %d0 = 256 words of global memory, word i = i; %r0 = tid, %r1 = 2048 bytes of
/// shared memory, %r2 = two mbarriers, %d9 = a cache policy. Returns the words.
Words run(const std::string &code, const std::string &target = "sm_90a", unsigned threads = 1,
          const std::string &version = "8.8") {
  std::unique_ptr<Module> m = parse(ptx(R"(.visible .entry k(.param .u64 out) {
  .reg .pred %p<4>; .reg .b16 %h<16>; .reg .b32 %r<40>; .reg .b64 %d<20>; .reg .f32 %f<16>; .reg .f64 %g<4>;
  .shared .align 128 .b8 s[2048]; .shared .align 8 .b64 bar[2];
  ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, s; mov.u32 %r2, bar; createpolicy.fractional.L2::evict_last.b64 %d9;
)" + code + "\n  ret;\n}\n",
                                        target, version));
  Words words(256);
  if (!m)
    return words;
  for (uint32_t i = 0; i != 256; ++i)
    words[i] = i;
  Memory memory;
  uint64_t out = upload(memory, words, "out");
  LaunchConfig config;
  config.block = {threads};
  config.args.add(out);
  config.options.checkRaces = true;
  LaunchResult r = launch(*m, memory, config);
  EXPECT_TRUE(r.ok) << reports(r) << code;
  return download<uint32_t>(memory, out, 256);
}
/// The first words of the result.
#define EXPECT_WORDS(want, ...)                                                                                        \
  do {                                                                                                                 \
    Words expected_ = want, got_ = run(__VA_ARGS__);                                                                   \
    got_.resize(expected_.size());                                                                                     \
    EXPECT_EQ(got_, expected_);                                                                                        \
  } while (0)
#define W(...) (Words{__VA_ARGS__})

/// `op` with its operands in %r3 and so on, the result in %r10.
std::string with(const std::string &op, const Words &sources) {
  std::string s;
  for (size_t i = 0; i != sources.size(); ++i)
    s += "mov.b32 %r" + std::to_string(3 + i) + ", " + std::to_string(sources[i]) + "; ";
  return s + op + "; st.global.b32 [%d0], %r10;";
}

TEST(EmulatorForms, VideoSelectors) {
  // Bytes and halves of sources: 0xf6 + -1.
  EXPECT_WORDS(W(245), with("vadd.s32.u32.s32 %r10, %r3.b1, %r4.h1", {0x1234f678, 0xffff0001}));
  EXPECT_WORDS(W(1), with("vset.s32.s32.lt %r10, %r3.h0, %r4", {0xffff, 0}));
  // Parts of the destination; the rest is the third source's, and saturation is to the part.
  EXPECT_WORDS(W(0x117f3344), with("vadd.s32.s32.s32.sat %r10.b2, %r3, %r4, %r5", {100, 100, 0x11223344}));
  EXPECT_WORDS(W(0xaaaafffe), with("vsub.s32.s32.s32 %r10.h0, %r3, %r4, %r5", {5, 7, 0xaaaabbbb}));
  // vmad with negated operands, with one more, scaled.
  EXPECT_WORDS(W(8), with("vmad.s32.s32.s32 %r10, %r3, -%r4, %r5", {3, 4, 20}));
  EXPECT_WORDS(W(0xfffffff8), with("vmad.s32.s32.s32 %r10, %r3, %r4, -%r5", {3, 4, 20}));
  EXPECT_WORDS(W(156), with("vmad.u32.u32.u32.po.shr7 %r10, %r3, %r4, %r5", {100, 200, 30}));
  // Elements out of both sources, of which some are written: b.h0 + b.h1; a1 + a3, a3 + a2, b1 + a1 on top of 100.
  EXPECT_WORDS(W(0x77770070),
               with("vadd2.s32.s32.s32 %r10.h0, %r3.h32, %r4.h13, %r5", {0x00010002, 0x00300040, 0x77778888}));
  EXPECT_WORDS(W(121),
               with("vadd4.u32.u32.u32.add %r10.b210, %r3.b7531, %r4.b0123, %r5", {0x04030201, 0x08070605, 100}));
  for (const char *wrong :
       {"vadd.s32.s32.s32 %r10, %r3.b4, %r4;", "vadd.s32.s32.s32 %r10.b0, %r3, %r4;",
        "vadd2.s32.s32.s32 %r10.h01, %r3, %r4, %r5;", "vadd4.s32.s32.s32 %r10, %r3.b8888, %r4, %r5;",
        "vadd.s32.s32.s32 %r10, -%r3, %r4;", "add.u32 %r10, %r3.b0, %r4;"})
    parseError(ptx(std::string(".visible .entry k() { .reg .b32 %r<20>; ") + wrong + " ret; }"));
}

TEST(EmulatorForms, Integers) {
  // (2^23 - 1)^2 = 0x3fffff000001
  EXPECT_WORDS(W(0x3ffffefb), with("mad24.hi.sat.s32 %r10, %r3, %r4, %r5", {0x7fffff, 0x7fffff, uint32_t(-5)}));
  EXPECT_WORDS(W(0x7fffffff), with("mad24.hi.sat.s32 %r10, %r3, %r4, %r5", {0x7fffff, 0x7fffff, 0x7ffffff0}));
}

TEST(EmulatorForms, Video) {
  auto video = [](const std::string &op, uint32_t a, uint32_t b, uint32_t c) {
    return run(with(op + " %r10, %r3, %r4, %r5", {a, b, c}), "sm_80")[0];
  };
  EXPECT_EQ(video("vsub.s32.s32.s32.sat.max", 0x80000000, 1, 7), 7u);
  EXPECT_EQ(video("vsub.u32.u32.u32.add", 10, 3, 100), 107u);
  EXPECT_EQ(video("vabsdiff.u32.s32.s32.add", uint32_t(-4), 6, 1), 11u);
  EXPECT_EQ(video("vmin.s32.s32.s32.add", uint32_t(-4), 6, 1), uint32_t(-3));
  EXPECT_EQ(video("vmax.s32.s32.s32.min", uint32_t(-4), 6, 5), 5u);
  EXPECT_EQ(video("vset.s32.s32.lt.add", uint32_t(-4), 6, 41), 42u);
  EXPECT_EQ(video("vsub2.s32.s32.s32.sat", 0x80000005, 0x00010007, 0), 0x8000fffeu);
  EXPECT_EQ(video("vsub4.u32.u32.u32.sat", 0x05010009, 0x02020308, 0), 0x03000001u);
  EXPECT_EQ(video("vavrg2.s32.s32.s32", 0x0003fffd, 0x0004fffc, 0), 0x0004fffcu); // halves away from zero
  EXPECT_EQ(video("vmin2.s32.s32.s32", 0x0003fffd, 0xffff0004, 0), 0xfffffffdu);
  EXPECT_EQ(video("vmin4.u32.u32.u32", 0x01800305, 0x02020202, 0), 0x01020202u);
  EXPECT_EQ(video("vmax2.u32.u32.u32", 0x0003fffd, 0xffff0004, 0), 0xfffffffdu);
}

TEST(EmulatorForms, Floats) {
  EXPECT_WORDS(W(0x40400000, 0xc0400000),
               "mov.b32 %r3, 0x40a00000; mov.b32 %r4, 0x3f800000; mov.b64 %d1, {%r3, %r4}; mov.b32 %r3, 0x40000000; "
               "mov.b32 %r4, 0x40800000;"
               "mov.b64 %d2, {%r3, %r4}; sub.rn.f32x2 %d3, %d1, %d2; st.global.b64 [%d0], %d3;",
               "sm_100a");
  // Out-of-bounds NaN makes 0; 2 * 3 + 1 otherwise.
  EXPECT_WORDS(W(0x00004700, 0x40e00000),
               "mov.b16 %h0, 0x4000; mov.b16 %h1, 0x4200; mov.b16 %h2, 0x3c00; mov.b16 %h3, 0xffff; fma.rn.oob.f16 "
               "%h4, %h0, %h1, %h2;"
               "fma.rn.oob.f16 %h5, %h3, %h1, %h2; mov.b32 %r3, {%h4, %h5}; st.global.b32 [%d0], %r3;"
               "mov.b32 %r4, 0x4000ffff; mov.b32 %r5, 0x40404040; mov.b32 %r6, 0x3f803f80; fma.rn.oob.relu.bf16x2 %r7, "
               "%r4, %r5, %r6; st.global.b32 [%d0+4], %r7;");
  EXPECT_WORDS(W(0x40e00000, 0, 0x401c0000), "mov.f32 %f0, 0f40000000; mov.f32 %f1, 0f40400000; mov.f32 %f2, "
                                             "0f3f800000; mad.rn.f32 %f3, %f0, %f1, %f2; st.global.f32 [%d0], %f3;"
                                             "cvt.f64.f32 %g0, %f0; cvt.f64.f32 %g1, %f1; cvt.f64.f32 %g2, %f2; "
                                             "mad.rn.f64 %g3, %g0, %g1, %g2; mov.b64 {%r3, %r4}, %g3;"
                                             "st.global.b32 [%d0+4], %r3; st.global.b32 [%d0+8], %r4;");
  EXPECT_WORDS(W(0xbf800000, 0x7fffffff),
               "mov.f32 %f0, 0f40400000; mov.f32 %f1, 0fbf800000; mov.f32 %f2, 0f40000000; mov.f32 %f4, 0f7fc00000; "
               "min.f32 %f3, %f0, %f1, %f2;"
               "min.NaN.f32 %f5, %f0, %f4, %f2; st.global.f32 [%d0], %f3; st.global.f32 [%d0+4], %f5;",
               "sm_100a");
  EXPECT_WORDS(W(0x3f004100),
               "mov.b32 %r3, 0xbf804040; ex2.approx.ftz.bf16x2 %r4, %r3; st.global.b32 [%d0], %r4;"); // 2^-1, 2^3
  // Upper: 4, exactly 2^2; lower: 3.
  EXPECT_WORDS(W(0x81818180),
               "mov.b32 %r3, 0x40804040; cvt.rz.ue8m0x2.bf16x2 %h0, %r3; cvt.rp.ue8m0x2.bf16x2 %h1, %r3; mov.b32 %r4, "
               "{%h0, %h1};"
               "st.global.b32 [%d0], %r4;",
               "sm_100a");
}

TEST(EmulatorForms, Comparisons) {
  const std::string values = "mov.f32 %f0, 0f3f800000; mov.f32 %f1, 0f40000000; setp.lt.f32 %p0, %f0, %f1; setp.gt.f32 "
                             "%p1, %f0, %f1; mov.b32 %r3, 0x42003c00;"
                             "mov.b32 %r4, 0x40004000; "; // {1, 3} and {2, 2}
  EXPECT_WORDS(W(0xffffffff, 0, 0x3f800000),
               values + "set.lt.and.u32.f32 %r5, %f0, %f1, %p0; set.lt.and.s32.f32 %r6, %f0, %f1, %p1; "
                        "set.gt.or.f32.f32 %f2, %f0, %f1, %p0;"
                        "st.global.b32 [%d0], %r5; st.global.b32 [%d0+4], %r6; st.global.f32 [%d0+8], %f2;");
  EXPECT_WORDS(W(0x00003c00, 0x3c000000),
               values + "set.lt.and.f16x2.f16x2 %r5, %r3, %r4, %p0; set.lt.xor.f16x2.f16x2 %r6, %r3, %r4, %p0;"
                        "st.global.b32 [%d0], %r5; st.global.b32 [%d0+4], %r6;");
  EXPECT_WORDS(W(1, 0),
               values + "setp.lt.and.f16x2 %p2|%p3, %r3, %r4, %p0; selp.b32 %r5, 1, 0, %p2; selp.b32 %r6, 1, 0, %p3;"
                        "st.global.b32 [%d0], %r5; st.global.b32 [%d0+4], %r6;");
}

TEST(EmulatorForms, Memory) {
  EXPECT_WORDS(W(0, 5), "add.u32 %r3, %r1, 16; cvta.shared.u32 %r4, %r3; cvta.to.shared.u32 %r5, %r4; sub.u32 %r6, "
                        "%r5, %r3; st.global.b32 [%d0], %r6;"
                        "ldu.global.u32 %r7, [%d0+20]; st.global.b32 [%d0+4], %r7;");
  // Hints.
  EXPECT_WORDS(W(0, 1, 2),
               "prefetch.global.L2 [%d0]; prefetchu.L1 [%d0]; applypriority.global.L2::evict_normal [%d0], 128;"
               "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %d1, [%d0], 16, 32; "
               "createpolicy.cvt.L2.b64 %d2, 0x10000000000000;");
  EXPECT_WORDS(W(0, 1, 2), "discard.global.L2 [%d0+128], 128;");
  EXPECT_WORDS(W(7, 8), "mov.b32 %r3, 7; st.global.v2.b32 [%d0], {%r3, 8}; "
                        "cp.async.ca.shared.global.L2::cache_hint.L2::128B [%r1], [%d0], 8, %d9;"
                        "cp.async.wait_all; ld.shared.b32 %r4, [%r1+4]; st.global.b32 [%d0+4], %r4;");
}

TEST(EmulatorForms, VectorAtomics) {
  const std::string one = "mov.b32 %r3, 0x3c003c00; mov.b32 %r4, 0x40004000; st.global.v2.b32 [%d0], {%r3, %r4}; "
                          "mov.b16 %h0, 0x4000; mov.b16 %h1, 0x4200;";
  EXPECT_WORDS(W(0x3c004200, 0x40004000, 0x3c00), one + "atom.global.add.noftz.L2::cache_hint.f16 %h2, [%d0], %h0, "
                                                        "%d9; cvt.u32.u16 %r5, %h2; st.global.b32 [%d0+8], %r5;");
  // bf16: 1 + 2, of the pair {1, 1} + {2, 4}.
  EXPECT_WORDS(W(0x40a04040, 0x3f803f80),
               "mov.b32 %r3, 0x3f803f80; st.global.b32 [%d0], %r3; mov.b32 %r4, 0x40804000;"
               "atom.relaxed.gpu.global.add.noftz.bf16x2 %r5, [%d0], %r4; st.global.b32 [%d0+4], %r5;");
  EXPECT_WORDS(
      W(0x40400000, 0x40800000, 0x3f800000, 0x40000000),
      "mov.b32 %r3, 0x3f800000; mov.b32 %r4, 0x40000000; st.global.v2.b32 [%d0], {%r3, %r4}; mov.f32 %f0, 0f40000000;"
      "atom.global.add.v2.f32 {%f1, %f2}, [%d0], {%f0, %f0}; st.global.v2.f32 [%d0+8], {%f1, %f2};");
  EXPECT_WORDS(W(0x44004200, 0x40004000, 0x3c003c00),
               one + "atom.global.add.noftz.v2.f16 {%h2, %h3}, [%d0], {%h0, %h1}; mov.b32 %r5, {%h2, %h3}; "
                     "st.global.b32 [%d0+8], %r5;");
  EXPECT_WORDS(W(0x40003c00, 0x40004200), one + "mov.b32 %r5, 0x40000000; mov.b32 %r6, 0x3c004200; "
                                                "atom.global.max.noftz.v2.f16x2 {%r7, %r8}, [%d0], {%r5, %r6};");
  EXPECT_WORDS(W(0x44004200, 0x40004000), one + "red.global.add.noftz.v2.f16 [%d0], {%h0, %h1};");
  EXPECT_WORDS(
      W(0x00003c00, 0x3c004000),
      one + "mov.b32 %r5, 0x00004000; mov.b32 %r6, 0x3c004200; red.global.min.noftz.v2.f16x2 [%d0], {%r5, %r6};");
  EXPECT_WORDS(
      W(0x0000000c, 5, 0x44004200, 0x40004000, 0x3c004200, 0x40004000),
      "mov.b32 %r3, 0x3c003c00; mov.b32 %r4, 0x40004000; st.global.b32 [%d0], 0xff; st.global.v2.b32 [%d0+8], {%r3, "
      "%r4}; st.global.v2.b32 [%d0+16], {%r3, %r4}; mov.b16 %h0, 0x4000;"
      "mov.b16 %h1, 0x4200; multimem.red.relaxed.sys.global.and.b32 [%d0], 12; multimem.red.relaxed.sys.global.add.u32 "
      "[%d0+4], 4;"
      "multimem.red.relaxed.sys.global.add.v2.f16 [%d0+8], {%h0, %h1}; mov.b32 %r5, 0x00004000; mov.b32 %r6, 0;"
      "multimem.red.relaxed.sys.global.add.v2.f16x2 [%d0+16], {%r5, %r6};");
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

const std::string init = "mbarrier.init.shared::cta.b64 [%r2], 1; fence.mbarrier_init.release.cluster; ";
const std::string wait = "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p0, [%r2], 0; @!%p0 bra WAIT; ";
std::string expect(unsigned bytes) {
  return init + "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], " + std::to_string(bytes) + "; ";
}
/// Four words at s and at s + 64, visible to copies.
std::string fill(uint32_t a, uint32_t b) {
  auto four = [](uint32_t v) {
    std::string w = std::to_string(v);
    return "{" + w + ", " + w + ", " + w + ", " + w + "}";
  };
  return "st.shared.v4.b32 [%r1], " + four(a) + "; st.shared.v4.b32 [%r1+64], " + four(b) +
         "; fence.proxy.async.shared::cta; ";
}

TEST(EmulatorForms, Mbarriers) {
  // Without a sink for the state.
  EXPECT_WORDS(W(1, 0),
               "mbarrier.init.shared::cta.b64 [%r2], 2; mbarrier.arrive.release.cta.shared::cta.b64 [%r2], 2;" + wait +
                   "selp.b32 %r3, 1, 0, %p0;"
                   "mbarrier.test_wait.parity.shared::cta.b64 %p1, [%r2], 1; selp.b32 %r4, 1, 0, %p1; st.global.v2.b32 "
                   "[%d0], {%r3, %r4};");
  EXPECT_WORDS(
      W(1), init +
                "mbarrier.arrive.expect_tx.shared::cta.b64 [%r2], 16; mbarrier.complete_tx.shared::cta.b64 [%r2], 16;" +
                wait + "selp.b32 %r3, 1, 0, %p0; st.global.b32 [%d0], %r3;");
}

TEST(EmulatorForms, BulkCopies) {
  EXPECT_WORDS(W(15),
               expect(64) +
                   "mov.b16 %h0, 1; "
                   "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint"
                   " [%r1], [%d0], 64, [%r2], %h0, %d9;" +
                   wait + "ld.shared.b32 %r3, [%r1+60]; st.global.b32 [%d0], %r3;");
  // Bytes 0 and 2 of each 16.
  EXPECT_WORDS(W(0x00110011, 1, 2, 3),
               fill(0x11111111, 0) +
                   "mov.b16 %h0, 5; cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.cp_mask [%d0], [%r1], "
                   "16, %d9, %h0;"
                   "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
               "sm_100a");
  auto reduceShared = [](const std::string &op, uint32_t a, uint32_t b) {
    return run(expect(16) + fill(a, b) +
               "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." + op +
               " [%r1], [%r1+64], 16, [%r2];" + wait + "ld.shared.b32 %r3, [%r1+12]; st.global.b32 [%d0], %r3;")[0];
  };
  EXPECT_EQ(reduceShared("min.s32", uint32_t(-1), 5), uint32_t(-1));
  EXPECT_EQ(reduceShared("max.u32", uint32_t(-1), 5), uint32_t(-1));
  EXPECT_EQ(reduceShared("inc.u32", 5, 5), 0u);
  EXPECT_EQ(reduceShared("dec.u32", 0, 9), 9u);
  EXPECT_EQ(reduceShared("xor.b32", 12, 10), 6u);
  auto reduceGlobal = [](const std::string &op, uint32_t a, uint32_t b) {
    const std::string w = std::to_string(a);
    return run("st.global.b32 [%d0], " + w + "; fence.proxy.async.global; " + fill(b, 0) +
               "cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint." + op +
               " [%d0], [%r1], 16, %d9; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;")[0];
  };
  EXPECT_EQ(reduceGlobal("add.u32", 7, 5), 12u);
  EXPECT_EQ(reduceGlobal("add.noftz.f16", 0x3c004000, 0x42003c00), 0x44004200u);
  EXPECT_EQ(reduceGlobal("max.s32", uint32_t(-7), 5), 5u);
  EXPECT_EQ(reduceGlobal("min.bf16", 0x3f804040, 0x40003f80), 0x3f803f80u);
  EXPECT_EQ(reduceGlobal("inc.u32", 3, 9), 4u);
  EXPECT_EQ(reduceGlobal("and.b32", 12, 10), 8u);
}

TEST(EmulatorForms, AsynchronousReductions) {
  auto reduce = [](const std::string &op, uint32_t a, uint32_t b) {
    return run(expect(4) + fill(a, 0) + "mov.b32 %r3, " + std::to_string(b) +
               "; red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." + op +
               " [%r1], %r3, [%r2];" + wait + "ld.shared.b32 %r4, [%r1]; st.global.b32 [%d0], %r4;")[0];
  };
  EXPECT_EQ(reduce("inc.u32", 3, 9), 4u);
  EXPECT_EQ(reduce("dec.u32", 3, 9), 2u);
  EXPECT_EQ(reduce("min.s32", 3, uint32_t(-9)), uint32_t(-9));
  EXPECT_EQ(reduce("max.u32", 3, uint32_t(-9)), uint32_t(-9));
  EXPECT_EQ(reduce("or.b32", 12, 10), 14u);
}

//===----------------------------------------------------------------------===//
// Warps, fences, stacks
//===----------------------------------------------------------------------===//

TEST(EmulatorForms, Reductions) {
  const std::string store =
                        " shl.b32 %r8, %r0, 2; cvt.u64.u32 %d1, %r8; add.u64 %d1, %d0, %d1; st.global.b32 [%d1], %r3;",
                    some = "setp.lt.u32 %p0, %r0, 40; ";
  for (const char *op :
       {"bar.red.popc.u32 %r3, 1, 64, %p0;", "barrier.red.popc.u32 %r3, 1, %p0;",
        "barrier.red.popc.aligned.u32 %r3, 1, 64, %p0;", "barrier.cta.red.popc.u32 %r3, 2, 64, %p0;"}) {
    Words got = run(some + op + store, "sm_90a", 64);
    EXPECT_EQ(Words(got.begin(), got.begin() + 64), Words(64, 40)) << op;
  }
  for (auto [op, want] : {std::pair("barrier.red.and.pred %p1, 1, %p0;", 0u),
                          std::pair("barrier.red.or.aligned.pred %p1, 1, 64, %p0;", 1u),
                          std::pair("barrier.red.and.pred %p1, 1, !%p0;", 0u)}) {
    Words got = run(some + op + " selp.b32 %r3, 1, 0, %p1;" + store, "sm_90a", 64);
    EXPECT_EQ(Words(got.begin(), got.begin() + 64), Words(64, want)) << op;
  }
}

TEST(EmulatorForms, WithoutEffectHere) {
  EXPECT_WORDS(W(0, 1, 2),
               "membar.proxy.alias; fence.proxy.alias; fence.acquire.sync_restrict::shared::cluster.cluster; "
               "fence.release.sync_restrict::shared::cta.cluster;"
               "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster; brkpt; nanosleep.u32 20; "
               "pmevent 1; pmevent.mask 5;");
}

TEST(EmulatorForms, Stack) {
  // What was allocated last is gone after a restore, and may be allocated again at the same place.
  EXPECT_WORDS(W(41, 0), "stacksave.u64 %d1; alloca.u64 %d2, 16, 8; st.local.b32 [%d2], 41; ld.local.b32 %r3, [%d2]; "
                         "st.global.b32 [%d0], %r3;"
                         "stackrestore.u64 %d1; alloca.u64 %d3, 16, 8; sub.u64 %d4, %d3, %d2; cvt.u32.u64 %r4, %d4; "
                         "st.global.b32 [%d0+4], %r4;");
}

} // namespace
