//===- EmulatorMemoryTest.cpp - State spaces, atomics, checks ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include <bit>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

struct Env {
  Memory memory;
  LaunchConfig config;
  LaunchResult run(const std::string &text, const std::string &target = "sm_90a") {
    module = parse(ptx(text, target, "9.0"));
    if (!module)
      return {};
    config.options.hostThreads = 1;
    return launch(*module, memory, config);
  }
  std::unique_ptr<Module> module;
};

std::string kernel(const std::string &body, const std::string &params = ".param .u64 out") {
  return ".visible .entry k(" + params +
         ")\n{\n.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .b64 %rd<16>; .reg .f32 %f<8>; .reg .f64 "
         "%fd<8>;\n"
         "ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x;\n" +
         body + "\n}\n";
}

TEST(EmulatorMemory, VectorAndNarrowAccesses) {
  Env e;
  std::vector<uint8_t> in(256);
  for (size_t i = 0; i != in.size(); ++i)
    in[i] = uint8_t(i * 37 + 11);
  uint64_t src = upload(e.memory, in, "in"), out = e.memory.allocate(32 * 64, "out");
  e.config.block = {4};
  e.config.args.add(out).add(src);
  LaunchResult r = e.run(kernel(R"(
    ld.param.u64 %rd1, [in]; mul.wide.u32 %rd2, %r0, 32; add.u64 %rd1, %rd1, %rd2; mul.wide.u32 %rd3, %r0, 64; add.u64 %rd0, %rd0, %rd3;
    ld.global.s8 %r1, [%rd1]; ld.global.u8 %h1, [%rd1+1]; ld.global.s16 %rd4, [%rd1+2]; ld.global.nc.u16 %r2, [%rd1+2];
    st.global.u32 [%rd0], %r1; st.global.u16 [%rd0+4], %h1; st.global.u8 [%rd0+6], %r1; st.global.b8 [%rd0+7], 5; st.global.u64 [%rd0+8], %rd4;
    ld.global.v2.b64 {%rd5, %rd6}, [%rd1+16]; st.global.v2.b64 [%rd0+16], {%rd6, %rd5};
    ld.global.v4.u8 {%r3, %r4, _, %r5}, [%rd1+4]; st.global.v4.u8 [%rd0+32], {%r3, %r4, 9, %r5};
    ld.volatile.global.v2.u16 {%h2, %h3}, [%rd1+8]; st.global.cg.v2.u16 [%rd0+36], {%h3, %h2};
    { .reg .b128 %q; ld.global.b128 %q, [%rd1]; st.global.b128 [%rd0+48], %q; }
    ret;)",
                                ".param .u64 out, .param .u64 in"));
  ASSERT_TRUE(r.ok) << reports(r);
  auto v = download<uint8_t>(e.memory, out, 256);
  for (int t = 0; t != 4; ++t) {
    const uint8_t *i = &in[32 * t], *o = &v[64 * t];
    auto at = [](const uint8_t *p, auto zero) {
      std::memcpy(&zero, p, sizeof zero);
      return zero;
    };
    EXPECT_EQ(at(o, int32_t()), int8_t(i[0]));
    EXPECT_EQ(at(o + 4, uint16_t()), i[1]);
    EXPECT_EQ(o[6], i[0]);
    EXPECT_EQ(o[7], 5);
    EXPECT_EQ(at(o + 8, int64_t()), at(i + 2, int16_t()));
    EXPECT_EQ(0, std::memcmp(o + 16, i + 24, 8));
    EXPECT_EQ(0, std::memcmp(o + 24, i + 16, 8));
    EXPECT_EQ(o[32], i[4]);
    EXPECT_EQ(o[33], i[5]);
    EXPECT_EQ(o[34], 9);
    EXPECT_EQ(o[35], i[7]);
    EXPECT_EQ(0, std::memcmp(o + 36, i + 10, 2));
    EXPECT_EQ(0, std::memcmp(o + 38, i + 8, 2));
    EXPECT_EQ(0, std::memcmp(o + 48, i, 16));
  }
  // 32-byte vectors of Blackwell, strided so that no lane is next to another.
  Env b;
  std::vector<uint32_t> words(4 * 16);
  for (size_t i = 0; i != words.size(); ++i)
    words[i] = uint32_t(i * 2654435761u);
  uint64_t s = upload(b.memory, words, "in"), d = b.memory.allocate(256, "out", Memory::Init::Zero);
  b.config.block = {4};
  b.config.args.add(d).add(s);
  r = b.run(
      kernel(R"(ld.param.u64 %rd1, [in]; mul.wide.u32 %rd2, %r0, 64; add.u64 %rd1, %rd1, %rd2; add.u64 %rd0, %rd0, %rd2;
    ld.global.v8.b32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1+32]; st.global.v8.b32 [%rd0], {%r8,%r7,%r6,%r5,%r4,%r3,%r2,%r1}; ret;)",
             ".param .u64 out, .param .u64 in"),
      "sm_100a");
  ASSERT_TRUE(r.ok) << reports(r);
  auto w = download<uint32_t>(b.memory, d, 64);
  for (int t = 0; t != 4; ++t)
    for (int k = 0; k != 8; ++k)
      EXPECT_EQ(w[16 * t + k], words[16 * t + 8 + 7 - k]);
}

// Elements of '_' keep what memory has there, and are nobody's access: two threads that write the rest of each other's
// vector do not race.
TEST(EmulatorMemory, PartialStores) {
  Env e;
  uint64_t out = upload(e.memory, std::vector<uint32_t>(24, 7), "out");
  e.config.block = {2};
  e.config.args.add(out);
  e.config.options.checkRaces = true;
  LaunchResult r = e.run(kernel(R"(add.u32 %r1, %r0, 1; cvt.u64.u32 %rd1, %r1; setp.eq.u32 %p1, %r0, 0;
    @%p1 st.global.v8.b32 [%rd0], {%r1,_,_,%r1,%r1,_,_,_}; @!%p1 st.global.v8.b32 [%rd0], {_,%r1,_,_,_,%r1,%r1,_};
    @%p1 st.global.v4.b64 [%rd0+32], {_,%rd1,_,%rd1};
    or.b64 %rd2, %rd1, 0x500000000; @!%p1 st.global.v8.b32 [%rd0+64], {%rd1,_,_,%rd2,_,_,_,9}; ret;)"),
                         "sm_100a");
  ASSERT_TRUE(r.ok) << reports(r);
  EXPECT_EQ(r.reports.size(), 0u);
  EXPECT_EQ(download<uint32_t>(e.memory, out, 24),
            (std::vector<uint32_t>{1, 2, 7, 1, 1, 2, 2, 7, 7, 7, 1, 0, 7, 7, 1, 0, 2, 7, 7, 2, 7, 7, 7, 9}));
}

TEST(EmulatorCheck, PartialStores) {
  auto fault = [](const std::string &body, ReportKind kind) {
    Env e;
    uint64_t out = upload(e.memory, std::vector<uint32_t>(8), "out");
    e.config.block = {2};
    e.config.args.add(out);
    e.config.options.checkRaces = true;
    LaunchResult r = e.run(kernel(body + "\nret;"), "sm_100a");
    ASSERT_FALSE(r.reports.empty()) << body;
    EXPECT_EQ(r.reports[0].kind, kind) << reports(r);
  };
  fault("st.global.v8.b32 [%rd0+4], {%r0,%r0,_,_,_,_,_,_};", ReportKind::Misaligned);
  fault("st.global.v8.b32 [%rd0+32], {%r0,%r0,_,_,_,_,_,_};", ReportKind::OutOfBounds);
  fault("st.global.v8.b32 [%rd0], {%r0,_,_,_,_,_,_,_};", ReportKind::Race);
}

TEST(EmulatorMemory, SpacesAndGenericAddresses) {
  Env e;
  uint64_t out = e.memory.allocate(64 * 40, "out");
  e.config.block = {64};
  e.config.args.add(out).add(std::array<uint32_t, 3>{10, 20, 30});
  LaunchResult r = e.run(R"(
.const .align 4 .u32 table[4] = {100, 200, 300, 400};
.global .align 8 .u64 pointers[2] = {generic(table), counter+4};
.global .u32 counter[2] = {7, 8};
.shared .align 4 .u32 shared[64];
)" + kernel(R"(
    .local .align 8 .b8 depot[16];
    mul.wide.u32 %rd1, %r0, 40; add.u64 %rd0, %rd0, %rd1;
    // local, directly and through a generic address
    mov.u64 %rd2, depot; cvta.local.u64 %rd3, %rd2; st.local.u32 [depot+4], %r0; ld.u32 %r1, [%rd3+4];
    add.u32 %r1, %r1, 1; st.u32 [%rd3+8], %r1; ld.local.u32 %r2, [%rd2+8];
    st.global.u32 [%rd0], %r2;
    // shared, generic and back
    mov.u32 %r3, shared; shl.b32 %r4, %r0, 2; add.u32 %r3, %r3, %r4; cvt.u64.u32 %rd4, %r3; cvta.shared.u64 %rd5, %rd4;
    st.u32 [%rd5], %r1; cvta.to.shared.u64 %rd6, %rd5; ld.shared.u32 %r5, [%rd6]; st.global.u32 [%rd0+4], %r5;
    // constants and pointers in initialisers
    and.b32 %r6, %r0, 3; mul.wide.u32 %rd7, %r6, 4; mov.u64 %rd8, table; add.u64 %rd8, %rd8, %rd7; ld.const.u32 %r7, [%rd8]; st.global.u32 [%rd0+8], %r7;
    ld.global.u64 %rd9, [pointers]; add.u64 %rd9, %rd9, %rd7; ld.u32 %r8, [%rd9]; st.global.u32 [%rd0+12], %r8;
    ld.global.u64 %rd10, [pointers+8]; ld.u32 %r9, [%rd10]; st.global.u32 [%rd0+16], %r9;
    // parameters: indexed, and by generic address
    rem.u32 %r10, %r0, 3; mul.wide.u32 %rd11, %r10, 4; mov.b64 %rd12, array; add.u64 %rd12, %rd12, %rd11; ld.param.u32 %r11, [%rd12]; st.global.u32 [%rd0+20], %r11;
    cvta.param.u64 %rd13, %rd12; ld.u32 %r12, [%rd13]; st.global.u32 [%rd0+24], %r12;
    isspacep.shared %p1, %rd5; isspacep.local %p2, %rd3; isspacep.global %p3, %rd0; isspacep.const %p4, %rd9; isspacep.global %p5, %rd5; isspacep.param %p6, %rd13;
    selp.u32 %r13, 1, 0, %p1; selp.u32 %r14, 2, 0, %p2; add.u32 %r13, %r13, %r14; selp.u32 %r14, 4, 0, %p3; add.u32 %r13, %r13, %r14;
    selp.u32 %r14, 8, 0, %p4; add.u32 %r13, %r13, %r14; selp.u32 %r14, 16, 0, %p5; add.u32 %r13, %r13, %r14; selp.u32 %r14, 32, 0, %p6; add.u32 %r13, %r13, %r14;
    st.global.u32 [%rd0+28], %r13;
    // lanes of one instruction in two state spaces
    and.b32 %r15, %r0, 1; setp.eq.u32 %p7, %r15, 0; selp.b64 %rd14, %rd5, %rd3, %p7; selp.b64 %rd15, 0, 4, %p7; add.u64 %rd14, %rd14, %rd15; ld.u32 %r16, [%rd14]; st.global.u32 [%rd0+32], %r16;
    ret;)",
            ".param .u64 out, .param .align 4 .b8 array[12]"));
  ASSERT_TRUE(r.ok) << reports(r);
  auto v = download<uint32_t>(e.memory, out, 640);
  for (uint32_t t = 0; t != 64; ++t) {
    const uint32_t expect[] = {t + 1,
                               t + 1,
                               100 * (t % 4 + 1),
                               100 * (t % 4 + 1),
                               8,
                               10 * (t % 3 + 1),
                               10 * (t % 3 + 1),
                               1 + 2 + 4 + 8 + 32,
                               t & 1 ? t : t + 1};
    for (int k = 0; k != 9; ++k)
      ASSERT_EQ(v[10 * t + k], expect[k]) << t << " " << k;
  }
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

TEST(EmulatorMemory, AtomicOperations) {
  // Every operation once per thread on a word of its own: result and memory against the definition.
  auto one = [](const std::string &op, const std::string &type, const std::string &reg, auto zero, auto f,
                const std::string &space, bool red = true) {
    using T = decltype(zero);
    Env e;
    std::vector<T> a(64), b(64);
    Rng rng(op.size() * 7 + type.size());
    for (int i = 0; i != 64; ++i) {
      a[i] = T(rng.next() >> (i % 3 ? 60 : 8 * (8 - sizeof(T))));
      b[i] = T(rng.next() >> (i % 2 ? 60 : 8 * (8 - sizeof(T))));
    }
    std::string size = std::to_string(sizeof(T));
    uint64_t pa = upload(e.memory, a, "a"), pb = upload(e.memory, b, "b"),
             out = e.memory.allocate(64 * sizeof(T), "out");
    e.config.block = {64};
    e.config.args.add(out).add(pa).add(pb);
    std::string prefix = "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mul.wide.u32 %rd3, %r0, " + size +
                         "; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; add.u64 %rd0, %rd0, %rd3;"
                         "ld.global." +
                         type + " %x, [%rd2]; ld.global." + type + " %c, [%rd1];";
    std::string address = "%rd1", space2 = space;
    if (space == "shared")
      prefix += "mov.u64 %rd4, buffer; add.u64 %rd4, %rd4, %rd3; st.shared." + type + " [%rd4], %c;", address = "%rd4";
    bool cas = op == "cas";
    std::string body = ".reg ." + reg + " %x, %y, %c; .shared .align 16 .b8 buffer[1024];\n" + prefix + "atom." +
                       space + "." + op + "." + type + " %y, [" + address + "], " + (cas ? "%c, %x" : "%x") +
                       "; st.global." + type + " [%rd0], %y;";
    if (red && !cas && op != "exch")
      body += "red." + space + "." + op + "." + type + " [" + address + "], %x;";
    if (space == "shared")
      body += "ld.shared." + type + " %c, [%rd4]; st.global." + type + " [%rd1], %c;";
    LaunchResult r = e.run(kernel(body + " ret;", ".param .u64 out, .param .u64 a, .param .u64 b"));
    ASSERT_TRUE(r.ok) << reports(r) << op << type;
    auto old = download<T>(e.memory, out, 64), now = download<T>(e.memory, pa, 64);
    for (int i = 0; i != 64; ++i) {
      ASSERT_EQ(old[i], a[i]) << op << type;
      T want = f(a[i], b[i]);
      if (red && !cas && op != "exch")
        want = f(want, b[i]);
      ASSERT_EQ(now[i], want) << op << type << " of " << +a[i] << ", " << +b[i];
    }
  };
  for (std::string space : {"global", "shared"}) {
    auto ints = [&](auto zero, const std::string &bits, const std::string &u, const std::string &s) {
      using T = decltype(zero);
      using S = std::make_signed_t<T>;
      one("add", u, "b" + bits, zero, [](T a, T b) { return T(a + b); }, space);
      one("min", u, "b" + bits, zero, [](T a, T b) { return std::min(a, b); }, space);
      one("max", s, "b" + bits, zero, [](T a, T b) { return T(std::max(S(a), S(b))); }, space);
      one("min", s, "b" + bits, zero, [](T a, T b) { return T(std::min(S(a), S(b))); }, space);
      one("and", "b" + bits, "b" + bits, zero, [](T a, T b) { return T(a & b); }, space);
      one("or", "b" + bits, "b" + bits, zero, [](T a, T b) { return T(a | b); }, space);
      one("xor", "b" + bits, "b" + bits, zero, [](T a, T b) { return T(a ^ b); }, space);
      one("exch", "b" + bits, "b" + bits, zero, [](T, T b) { return b; }, space);
      one("cas", "b" + bits, "b" + bits, zero, [](T, T b) { return b; }, space);
    };
    ints(uint32_t(), "32", "u32", "s32");
    ints(uint64_t(), "64", "u64", "s64");
    one("inc", "u32", "b32", uint32_t(), [](uint32_t a, uint32_t b) { return a >= b ? 0 : a + 1; }, space);
    one("dec", "u32", "b32", uint32_t(), [](uint32_t a, uint32_t b) { return a == 0 || a > b ? b : a - 1; }, space);
    one("cas", "b16", "b16", uint16_t(), [](uint16_t, uint16_t b) { return b; }, space);
  }
}

TEST(EmulatorMemory, AtomicContentionAndFloats) {
  Env e;
  uint64_t out = upload(e.memory, std::vector<uint32_t>(64), "out");
  e.config.block = {256};
  e.config.grid = {20};
  e.config.args.add(out);
  e.config.options.hostThreads = 4;
  auto m = parse(ptx(kernel(R"(
    atom.global.add.u32 %r1, [%rd0], 1;
    red.relaxed.gpu.global.add.f32 [%rd0+4], 0f3F800000;
    red.global.add.f64 [%rd0+8], 0d3FE0000000000000;
    mov.b32 %r2, 0x3c003c00; red.global.add.noftz.f16x2 [%rd0+16], %r2;
    mov.b32 %r3, 0x3f80; cvt.u16.u32 %h1, %r3; setp.gt.u32 %p1, %r0, 0; @!%p1 red.global.add.noftz.bf16 [%rd0+20], %h1;
    red.global.add.v4.f32 [%rd0+32], {0f3F800000, 0f40000000, 0f40400000, 0f40800000};
    atom.acq_rel.gpu.global.max.s32 %r4, [%rd0+48], %r0;
    ret;)")));
  LaunchResult r = launch(*m, e.memory, e.config);
  ASSERT_TRUE(r.ok) << reports(r);
  auto v = download<uint32_t>(e.memory, out, 64);
  EXPECT_EQ(v[0], 5120u);
  EXPECT_EQ(std::bit_cast<float>(v[1]), 5120.0f);
  EXPECT_EQ(std::bit_cast<double>(v[2] | uint64_t(v[3]) << 32), 2560.0);
  EXPECT_EQ(v[4], 0x68006800u);      // 2048 in f16: adding 1 no longer changes it
  EXPECT_EQ(v[5] & 0xffff, 0x41a0u); // 20 in bf16
  for (int k = 0; k != 4; ++k)
    EXPECT_EQ(std::bit_cast<float>(v[8 + k]), 5120.0f * (k + 1));
  EXPECT_EQ(v[12], 255u);
}

/// An operation that leaves bytes of its word alone does not touch them: they may lie after the end of an array.
TEST(EmulatorMemory, AtomicPartsOfWords) {
  auto attempt = [](const std::string &body, Memory::Init init = Memory::Init::Zero) {
    Env e;
    uint64_t out = e.memory.allocate(5, "out", init);
    e.config.args.add(out);
    e.config.options.checkUninitialized = true;
    LaunchResult r = e.run(kernel(body + " ret;"));
    return r.ok ? std::to_string(download<uint8_t>(e.memory, out, 5)[4]) : reports(r);
  };
  EXPECT_EQ(attempt("red.global.or.b32 [%rd0+4], 0xf0;"), "240");
  EXPECT_EQ(
      attempt(
          "red.global.or.b32 [%rd0+4], 0xf0; red.global.and.b32 [%rd0+4], 0xffffff3f; red.global.xor.b32 [%rd0+4], 1;"),
      "49");
  EXPECT_EQ(attempt("red.global.or.b32 [%rd0+4], 0;"), "0");
  EXPECT_EQ(attempt("atom.global.cas.b32 %r1, [%rd0+4], 0, 7;"), "7");
  for (const char *outside :
       {"red.global.or.b32 [%rd0+4], 0x1f0;", "red.global.and.b32 [%rd0+4], 15;", "red.global.or.b32 [%rd0+8], 0;",
        "red.global.or.b32 [%rd0+8], 1;", "red.global.xor.b32 [%rd0-4], 1;", "atom.global.or.b32 %r1, [%rd0+4], 1;",
        "atom.global.cas.b32 %r1, [%rd0+4], 7, 7;", "atom.global.cas.b32 %r1, [%rd0+4], 0, 0x107;",
        "red.global.add.u32 [%rd0+4], 1;", "red.global.or.b64 [%rd0], 0x10000000000;"})
    EXPECT_NE(attempt(outside).find("out"), std::string::npos) << outside << attempt(outside);
  // Half a byte of memory that nobody has written.
  EXPECT_EQ(attempt("red.global.and.b32 [%rd0], 0xfffffff0; red.global.or.b32 [%rd0], 3; ld.global.u8 %r1, [%rd0]; "
                    "st.global.u8 [%rd0+4], %r1;",
                    Memory::Init::Uninitialized),
            "195"); // what was there is 0xcd
  EXPECT_NE(attempt("red.global.or.b32 [%rd0], 3;", Memory::Init::Uninitialized).find("nobody has written"),
            std::string::npos);
}

TEST(EmulatorMemory, AtomicSubnormals) {
  // f32 addition flushes subnormals in global memory and keeps them in shared memory.
  Env e;
  uint64_t out = upload(e.memory, std::vector<uint32_t>{1, 0}, "out");
  e.config.args.add(out);
  LaunchResult r = e.run(
      kernel(R"(.shared .align 4 .b32 s; mov.b32 %f1, 0x00000001; st.shared.f32 [s], %f1; red.shared.add.f32 [s], %f1;
    red.global.add.f32 [%rd0], %f1; ld.shared.u32 %r1, [s]; st.global.u32 [%rd0+4], %r1; ret;)"));
  ASSERT_TRUE(r.ok) << reports(r);
  EXPECT_EQ(download<uint32_t>(e.memory, out, 2), (std::vector<uint32_t>{0, 2}));
}

TEST(EmulatorMemory, Atomic128) {
  Env e;
  uint64_t out = upload(e.memory, std::vector<uint64_t>{1, 2, 0, 0}, "out");
  e.config.args.add(out);
  LaunchResult r =
      e.run(kernel(R"({ .reg .b128 %a, %b, %c; mov.u64 %rd1, 1; mov.u64 %rd2, 2; mov.u64 %rd3, 30; mov.u64 %rd4, 40;
    mov.b128 %a, {%rd1, %rd2}; mov.b128 %b, {%rd3, %rd4}; atom.global.cas.b128 %c, [%rd0], %a, %b; st.global.b128 [%rd0+16], %c; } ret;)"));
  ASSERT_TRUE(r.ok) << reports(r);
  EXPECT_EQ(download<uint64_t>(e.memory, out, 4), (std::vector<uint64_t>{30, 40, 1, 2}));
}

//===----------------------------------------------------------------------===//
// Checks: each bug is planted and must be seen, at its place
//===----------------------------------------------------------------------===//

TEST(EmulatorCheck, OutOfBounds) {
  auto fault = [](const std::string &body, const char *message) {
    Env e;
    uint64_t out = upload(e.memory, std::vector<uint32_t>(32), "out");
    e.config.block = {32};
    e.config.args.add(out);
    LaunchResult r = e.run(".shared .align 4 .b8 tile[128];\n.const .u32 c[2] = {1, 2};\n" + kernel(body + "\nret;"));
    EXPECT_FALSE(r.ok);
    ASSERT_EQ(r.reports.size(), 1u) << reports(r);
    EXPECT_EQ(r.reports[0].kind, ReportKind::OutOfBounds) << reports(r);
    EXPECT_NE(r.reports[0].message.find(message), std::string::npos) << r.reports[0].message;
    EXPECT_EQ(r.reports[0].file, "test.ptx");
  };
  fault("st.global.u32 [%rd0+128], %r0;", "store of 4 bytes at global address");
  fault("ld.global.u32 %r1, [%rd0+-4];", "4 bytes before 'out' (128 bytes)");
  fault("ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd0+128];", "0 bytes past the end of 'out'");
  fault("mov.u64 %rd1, 0; ld.global.u32 %r1, [%rd1];", "not near any allocation");
  fault("mov.u64 %rd1, 0; ld.u32 %r1, [%rd1];", "load of 4 bytes at global address 0x0");
  fault("st.shared.u32 [tile+128], %r0;", "0 bytes past the end of 'tile' (128 bytes)");
  fault("mov.u32 %r2, tile; mov.u32 %r1, 0; st.shared.u32 [%r1], %r0;",
        "shared memory has bytes 1024 to 1152"); // system area of sm_90
  fault("ld.const.u32 %r1, [c+8];", "constant memory has 8 bytes");
  fault(".local .b8 l[8]; mov.u64 %rd1, l; st.local.u32 [%rd1+16], %r0;", "past the end of 'l'");
  fault("ld.param.u32 %r1, [out+8];", "the kernel has 8 parameter bytes");
  fault("mov.u64 %rd1, tile; cvta.shared.u64 %rd1, %rd1; ld.u32 %r1, [%rd1+4096];",
        "load of 4 bytes at shared address");
  fault("atom.global.add.u32 %r1, [%rd0+1024], 1;", "store of 4 bytes at global address");
  // Every element of a vector counts: here the last ones.
  fault("red.global.add.v4.f32 [%rd0+128], {0f3F800000, 0f3F800000, 0f3F800000, 0f3F800000};",
        "0 bytes past the end of 'out'");
  fault("red.global.add.v2.f32 [%rd0-8], {0f3F800000, 0f3F800000};", "8 bytes before 'out'");
}

/// A vector of which only a part is inside.
TEST(EmulatorCheck, VectorReductionsAcrossTheEnd) {
  for (auto [type, values, bytes] :
       {std::tuple("v4.f32", "{0f3F800000, 0f3F800000, 0f3F800000, 0f3F800000}", 16),
        std::tuple("v2.f32", "{0f3F800000, 0f3F800000}", 8), std::tuple("noftz.v4.f16x2", "{%r0, %r0, %r0, %r0}", 16),
        std::tuple("noftz.v2.bf16x2", "{%r0, %r0}", 8)})
    for (int missing : {0, 2, 4}) {
      Env e;
      uint64_t out = e.memory.allocate(64 - missing, "out", Memory::Init::Zero);
      e.config.args.add(out);
      LaunchResult r = e.run(kernel("red.relaxed.gpu.global.add." + std::string(type) + " [%rd0+" +
                                    std::to_string(64 - bytes) + "], " + values + ";\nret;"));
      EXPECT_EQ(r.ok, missing == 0) << type << " " << missing << "\n" << reports(r);
      if (missing && !r.ok)
        EXPECT_EQ(r.reports[0].kind, ReportKind::OutOfBounds) << reports(r);
    }
}

TEST(EmulatorCheck, FaultyLanesDoNotStopTheOthers) {
  Env e;
  uint64_t out = upload(e.memory, std::vector<uint32_t>(16), "out");
  e.config.block = {32};
  e.config.args.add(out);
  LaunchResult r = e.run(kernel(
      "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1; add.u32 %r1, %r0, 5; st.global.u32 [%rd1], %r1; ret;"));
  ASSERT_EQ(r.reports.size(), 1u) << reports(r);
  EXPECT_EQ(r.reports[0].count, 16u);
  EXPECT_EQ(r.reports[0].thread.x, 16u);
  auto v = download<uint32_t>(e.memory, out, 16);
  for (uint32_t t = 0; t != 16; ++t)
    EXPECT_EQ(v[t], t + 5);
}

TEST(EmulatorCheck, Misaligned) {
  auto fault = [](const std::string &body) {
    Env e;
    uint64_t out = upload(e.memory, std::vector<uint32_t>(64), "out");
    e.config.block = {32};
    e.config.args.add(out);
    LaunchResult r = e.run(".shared .align 16 .b8 tile[256];\n" + kernel(body + "\nret;"));
    ASSERT_EQ(r.reports.size(), 1u) << reports(r);
    EXPECT_EQ(r.reports[0].kind, ReportKind::Misaligned) << reports(r);
  };
  fault("ld.global.u32 %r1, [%rd0+2];");
  fault("st.global.v4.u32 [%rd0+8], {%r0,%r0,%r0,%r0};");
  fault("st.shared.u64 [tile+4], %rd0;");
  fault("atom.global.add.u32 %r1, [%rd0+1], 1;");
  fault("red.global.add.v4.f32 [%rd0+8], {0f3F800000, 0f3F800000, 0f3F800000, 0f3F800000};");
  fault("red.global.add.v2.f32 [%rd0+4], {0f3F800000, 0f3F800000};");
  fault("red.global.add.noftz.v4.f16x2 [%rd0+8], {%r0, %r0, %r0, %r0};");
  fault("red.global.add.noftz.f16x2 [%rd0+2], %r0;");
  fault("and.b32 %r1, %r0, 1; add.u32 %r1, %r1, 0; cvt.u64.u32 %rd1, %r1; add.u64 %rd1, %rd0, %rd1; ld.global.u16 %h1, "
        "[%rd1];"); // odd lanes only
}

TEST(EmulatorCheck, Uninitialized) {
  auto faults = [](const std::string &body, bool check = true) {
    Env e;
    uint64_t fresh = e.memory.allocate(256, "fresh"); // nobody has written it
    e.config.block = {32};
    e.config.args.add(fresh);
    e.config.options.checkUninitialized = check;
    LaunchResult r = e.run(".shared .align 16 .b8 tile[256];\n" +
                           kernel(".local .align 8 .b8 l[16];\nmul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1; "
                                  "mov.u32 %r9, tile; shl.b32 %r8, %r0, 2; add.u32 %r9, %r9, %r8;\n" +
                                  body + "\nret;"));
    std::string s;
    for (const Report &report : r.reports)
      s += std::string(reportKindName(report.kind)) + "*" + std::to_string(report.count) + "@" +
           std::to_string(report.thread.x) + " ";
    return s;
  };
  EXPECT_EQ(faults("ld.global.u32 %r1, [%rd1];"), "uninitialized*32@0 ");
  EXPECT_EQ(faults("ld.global.u32 %r1, [%rd1];", false), "");
  EXPECT_EQ(faults("st.global.u32 [%rd1], %r0; ld.global.u32 %r1, [%rd1];"), "");
  EXPECT_EQ(faults("st.global.u16 [%rd1], %r0; ld.global.u32 %r1, [%rd1];"), "uninitialized*32@0 ");
  EXPECT_EQ(faults("setp.ne.u32 %p1, %r0, 7; @%p1 st.global.u32 [%rd1], %r0; ld.global.u32 %r1, [%rd1];"),
            "uninitialized*1@7 ");
  EXPECT_EQ(faults("ld.shared.u32 %r1, [%r9];"), "uninitialized*32@0 ");
  EXPECT_EQ(faults("st.shared.u32 [%r9], %r0; bar.sync 0; ld.shared.u32 %r1, [%r9];"), "");
  EXPECT_EQ(faults("st.shared.u32 [%r9], %r0; bar.sync 0; ld.shared.u32 %r1, [%r9+4];"), "uninitialized*1@31 ");
  EXPECT_EQ(faults("ld.local.u32 %r1, [l];"), "uninitialized*32@0 ");
  EXPECT_EQ(faults("st.local.u32 [l], %r0; ld.local.v2.u32 {%r1, %r2}, [l];"), "uninitialized*32@0 ");
  EXPECT_EQ(faults("st.local.u64 [l], %rd0; ld.local.v2.u32 {%r1, %r2}, [l];"), "");
  EXPECT_EQ(faults("atom.shared.add.u32 %r1, [%r9], 1;"), "uninitialized*32@0 ");
  // Shared memory is not kept between blocks.
  Env e;
  uint64_t out = e.memory.allocate(256, "out", Memory::Init::Zero);
  e.config.block = {32};
  e.config.grid = {2};
  e.config.args.add(out);
  LaunchResult r = e.run(".shared .align 16 .b8 tile[256];\n" +
                         kernel("mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [tile], %r0; "
                                "ld.shared.u32 %r2, [tile]; ret;"));
  ASSERT_EQ(r.reports.size(), 1u);
  EXPECT_EQ(r.reports[0].block.x, 1u);
}

TEST(EmulatorCheck, ReadOnlySpacesAndTrap) {
  Env e;
  uint64_t out = e.memory.allocate(256, "out");
  e.config.args.add(out);
  LaunchResult r =
      e.run(".const .u32 c = 1;\n" + kernel("mov.u64 %rd1, c; cvta.const.u64 %rd1, %rd1; st.u32 [%rd1], %r0; ret;"));
  EXPECT_TRUE(hasReport(r, ReportKind::ReadOnlyWrite)) << reports(r);
  Env t;
  t.config.args.add(uint64_t(0));
  t.config.block = {32};
  r = t.run(kernel("setp.eq.u32 %p1, %r0, 9; @%p1 trap; ret;"));
  const Report *report = findReport(r, ReportKind::Trap);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->thread.x, 9u);
}

TEST(EmulatorCheck, ReportsCarrySourceLines) {
  Env e;
  uint64_t out = e.memory.allocate(4, "out");
  e.config.args.add(out);
  LaunchResult r =
      e.run(".file 1 \"kernel.cu\"\n" +
            kernel(".loc 1 41 7\nst.global.u32 [%rd0], 1;\n.loc 1 42 3\nst.global.u32 [%rd0+4], 1;\nret;"));
  ASSERT_EQ(r.reports.size(), 1u);
  EXPECT_EQ(r.reports[0].sourceFile, "kernel.cu");
  EXPECT_EQ(r.reports[0].sourceLine, 42u);
  EXPECT_EQ(r.reports[0].ptx, "st.global.u32 [%rd0+4], 1");
  EXPECT_NE(r.reports[0].str().find("test.ptx:12:1: error: [out-of-bounds] store of 4 bytes"), std::string::npos)
      << r.reports[0].str();
  EXPECT_NE(r.reports[0].str().find("source kernel.cu:42"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

TEST(EmulatorStats, SectorsAndBankConflicts) {
  auto stats = [](const std::string &body) {
    Env e;
    uint64_t out = e.memory.allocate(32 * 1024, "out", Memory::Init::Zero);
    e.config.block = {32};
    e.config.args.add(out);
    LaunchResult r = e.run(".shared .align 16 .b8 tile[16384];\n" + kernel("mov.u32 %r9, tile;\n" + body + "\nret;"));
    EXPECT_TRUE(r.ok) << reports(r);
    return r.stats;
  };
  auto global = [&](int stride) {
    return stats("mul.wide.u32 %rd1, %r0, " + std::to_string(stride) +
                 "; add.u64 %rd1, %rd0, %rd1; ld.global.u32 %r1, [%rd1];")
        .globalSectors;
  };
  EXPECT_EQ(global(4), 4u);
  EXPECT_EQ(global(8), 8u);
  EXPECT_EQ(global(32), 32u);
  EXPECT_EQ(global(512), 32u);
  EXPECT_EQ(global(0), 1u);
  auto shared = [&](int stride) {
    return stats("mul.lo.u32 %r1, %r0, " + std::to_string(stride) +
                 "; add.u32 %r1, %r1, %r9; st.shared.u32 [%r1], %r0;")
        .sharedBankConflicts;
  };
  EXPECT_EQ(shared(4), 0u);
  EXPECT_EQ(shared(8), 1u);
  EXPECT_EQ(shared(128), 31u);
  EXPECT_EQ(shared(132), 0u);
  EXPECT_EQ(shared(256), 31u);
  EXPECT_EQ(shared(0), 0u); // one word for all
  Stats v = stats("shl.b32 %r1, %r0, 4; add.u32 %r1, %r1, %r9; st.shared.v4.u32 [%r1], {%r0,%r0,%r0,%r0};");
  EXPECT_EQ(v.sharedBankConflicts, 0u);
  EXPECT_EQ(v.sharedStoreBytes, 512u);
}

TEST(EmulatorStats, InstructionCounts) {
  Env e;
  uint64_t out = e.memory.allocate(4096, "out");
  e.config.block = {48};
  e.config.grid = {3};
  e.config.args.add(out);
  LaunchResult r = e.run(kernel(R"(
    mov.u32 %r1, 0;
L:  add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 10; @%p1 bra L;
    setp.ge.u32 %p2, %r0, 40; @%p2 bra E;
    mul.f32 %f1, %f1, %f1;
E:  ret;)"));
  ASSERT_TRUE(r.ok) << reports(r);
  auto thread = [&](InstClass c) { return r.stats.threadByClass[unsigned(c)]; };
  auto warp = [&](InstClass c) { return r.stats.warpByClass[unsigned(c)]; };
  EXPECT_EQ(thread(InstClass::Integer), 3u * 48 * 10);
  EXPECT_EQ(warp(InstClass::Integer), 3u * 2 * 10);
  EXPECT_EQ(thread(InstClass::Float32), 3u * 40);
  EXPECT_EQ(warp(InstClass::Float32), 3u * 2);
  EXPECT_EQ(thread(InstClass::Branch), 3u * 48 * 11);
  EXPECT_EQ(r.stats.threadInstructions, 3u * (48 * (3 + 30 + 2 + 1) + 40));
  EXPECT_NE(r.stats.str().find("thread instructions"), std::string::npos);
}

TEST(EmulatorMemory, Arena) {
  Memory m;
  uint64_t a = m.allocate(100, "a"), b = m.allocate(200, "b", Memory::Init::Zero, 4096);
  EXPECT_EQ(b % 4096, 0u);
  EXPECT_GT(b, a + 100);
  uint8_t byte = 1;
  EXPECT_TRUE(m.copyIn(a + 99, &byte, 1));
  EXPECT_FALSE(m.copyIn(a + 99, &byte, 2));
  EXPECT_FALSE(m.copyOut(a - 1, &byte, 1));
  EXPECT_TRUE(m.copyOut(b, &byte, 1));
  EXPECT_EQ(byte, 0);
  EXPECT_EQ(m.describe(a + 50), "at byte 50 of 'a' (100 bytes)");
  EXPECT_TRUE(m.free(a));
  EXPECT_FALSE(m.free(a));
  EXPECT_FALSE(m.fill(a, 0, 1));
  EXPECT_NE(m.allocate(0, "empty"), 0u);
}

} // namespace
