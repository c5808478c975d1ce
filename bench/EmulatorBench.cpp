//===- EmulatorBench.cpp - Speed of the PTX emulator ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   EmulatorBench [--threads N] [--checks] [kernel...]
//
// Prints million thread instructions per second of CPU time for small kernels of different character, without and with
// the race checker (median, least and most of nine runs each), and seconds for bf16 matrix products by wgmma (kernels
// wgmma512, wgmma1024, and only if named, wgmma4096), which use all cores unless --threads says otherwise. Bounds
// checks are always on; --checks adds the check for uninitialised reads and the memory statistics.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Async/Tensormap.h"
#include "tileiras/Emulator/Machine/Exec/Isa.h"
#include "tileiras/Emulator/Machine/Launch.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>

using namespace tileiras::emu;

namespace {

const char *header = ".version 8.7\n.target sm_90a\n.address_size 64\n";

/// One block per row of 4096 floats: every thread keeps 32 values (8 vector loads), row maximum and sum by shuffles
/// and shared memory, exponentials, vector stores.
std::string softmax() {
  std::string s = R"(
.visible .entry bench(.param .u64 in, .param .u64 out)
.reqntid 128
{
  .reg .pred %p<4>; .reg .b32 %r<32>; .reg .f32 %f<200>; .reg .b64 %rd<16>;
  .shared .align 16 .b8 scratch[64];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd3, %r1, 16384;
  mul.wide.u32 %rd4, %r2, 16;
  add.s64 %rd5, %rd3, %rd4;
  add.s64 %rd6, %rd1, %rd5;
  add.s64 %rd7, %rd2, %rd5;
)";
  auto f = [](int i) { return "%f" + std::to_string(i); };
  for (int i = 0; i != 8; ++i)
    s += "  ld.global.v4.f32 {" + f(4 * i) + "," + f(4 * i + 1) + "," + f(4 * i + 2) + "," + f(4 * i + 3) +
         "}, [%rd6+" + std::to_string(2048 * i) + "];\n";
  auto reduce = [&](const std::string &op, const std::string &acc, const std::string &label) {
    std::string t;
    for (int d = 16; d; d >>= 1)
      t += "  mov.b32 %r4, " + acc + ";\n  shfl.sync.bfly.b32 %r5, %r4, " + std::to_string(d) +
           ", 31, -1;\n  mov.b32 %f150, %r5;\n  " + op + ".f32 " + acc + ", " + acc + ", %f150;\n";
    t += "  and.b32 %r6, %r2, 31;\n  shr.u32 %r7, %r2, 5;\n  setp.ne.u32 %p1, %r6, 0;\n  shl.b32 %r8, %r7, 2;\n"
         "  mov.u32 %r9, scratch;\n  add.s32 %r8, %r9, %r8;\n  @%p1 bra " +
         label + ";\n  st.shared.f32 [%r8], " + acc + ";\n" + label +
         ":\n  bar.sync 0;\n  ld.shared.v4.f32 {%f151,%f152,%f153,%f154}, [scratch];\n  " + op +
         ".f32 %f151, %f151, %f152;\n  " + op + ".f32 %f153, %f153, %f154;\n  " + op + ".f32 " + acc +
         ", %f151, %f153;\n"
         "  bar.sync 0;\n";
    return t;
  };
  s += "  mov.f32 %f100, %f0;\n";
  for (int i = 1; i != 32; ++i)
    s += "  max.f32 %f100, %f100, " + f(i) + ";\n";
  s += reduce("max", "%f100", "$L1");
  s += "  mov.f32 %f101, 0f00000000;\n  mul.f32 %f102, %f100, 0fBFB8AA3B;\n";
  for (int i = 0; i != 32; ++i)
    s += "  fma.rn.f32 " + f(i) + ", " + f(i) + ", 0f3FB8AA3B, %f102;\n  ex2.approx.ftz.f32 " + f(i) + ", " + f(i) +
         ";\n  add.f32 %f101, %f101, " + f(i) + ";\n";
  s += reduce("add", "%f101", "$L2");
  s += "  rcp.approx.ftz.f32 %f103, %f101;\n";
  for (int i = 0; i != 32; ++i)
    s += "  mul.f32 " + f(i) + ", " + f(i) + ", %f103;\n";
  for (int i = 0; i != 8; ++i)
    s += "  st.global.v4.f32 [%rd7+" + std::to_string(2048 * i) + "], {" + f(4 * i) + "," + f(4 * i + 1) + "," +
         f(4 * i + 2) + "," + f(4 * i + 3) + "};\n";
  return s + "  ret;\n}\n";
}

/// Dependent fused multiply-adds in a loop: the arithmetic limit.
std::string fma() {
  std::string s = R"(
.visible .entry bench(.param .u64 in, .param .u64 out)
.reqntid 128
{
  .reg .pred %p; .reg .b32 %r<8>; .reg .f32 %f<16>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;
  ld.global.f32 %f8, [%rd1]; mov.u32 %r2, 0;
)";
  for (int i = 0; i != 8; ++i)
    s += "mov.f32 %f" + std::to_string(i) + ", 0f3F800000;\n";
  s += "$L:\n";
  for (int k = 0; k != 4; ++k)
    for (int i = 0; i != 8; ++i)
      s += "fma.rn.f32 %f" + std::to_string(i) + ", %f" + std::to_string(i) + ", %f8, 0f3F000000;\n";
  s += "add.s32 %r2, %r2, 1; setp.lt.s32 %p, %r2, 200; @%p bra $L;\n";
  for (int i = 1; i != 8; ++i)
    s += "add.f32 %f0, %f0, %f" + std::to_string(i) + ";\n";
  return s + "st.global.f32 [%rd2], %f0; ret; }\n";
}

/// Matrix product through shared memory, 16 x 16 tiles: shared loads with broadcasts, barriers, a loop.
std::string matmul() {
  std::string s = R"(
.visible .entry bench(.param .u64 in, .param .u64 out)
.reqntid 16,16
{
  .reg .pred %p; .reg .b32 %r<24>; .reg .f32 %f<40>; .reg .b64 %rd<16>;
  .shared .align 16 .b8 A[1024]; .shared .align 16 .b8 B[1024];
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y;
  shl.b32 %r3, %r2, 6; shl.b32 %r4, %r1, 2;
  mov.u32 %r5, A; mov.u32 %r6, B;
  add.s32 %r7, %r5, %r3; add.s32 %r8, %r6, %r4; add.s32 %r9, %r7, %r4; add.s32 %r10, %r8, %r3;
  mad.lo.s32 %r11, %r2, 256, %r1; mul.wide.s32 %rd3, %r11, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  mov.f32 %f0, 0f00000000; mov.u32 %r12, 0;
$L:
  ld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd4+64];
  st.shared.f32 [%r9], %f1; st.shared.f32 [%r10], %f2;
  bar.sync 0;
)";
  for (int k = 0; k != 16; ++k)
    s += "ld.shared.f32 %f3, [%r7+" + std::to_string(4 * k) + "]; ld.shared.f32 %f4, [%r8+" + std::to_string(64 * k) +
         "]; fma.rn.f32 %f0, %f3, %f4, %f0;\n";
  return s +
         "bar.sync 0; add.s32 %r12, %r12, 1; setp.lt.s32 %p, %r12, 16; @%p bra $L; st.global.f32 [%rd5], %f0; ret; }\n";
}

/// Running sums in shared memory: loads, stores and barriers in a loop, and lanes that sit out.
const char *scan = R"(
.visible .entry bench(.param .u64 in, .param .u64 out)
.reqntid 256
{
  .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %d<4>; .shared .align 16 .b8 s[2048];
  ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, s; add.u32 %r3, %r2, %r1;
  mov.u32 %r4, %ctaid.x; shl.b32 %r5, %r4, 8; add.u32 %r5, %r5, %r0; mul.wide.u32 %d1, %r5, 4; add.u64 %d0, %d0, %d1;
  mov.u32 %r6, %r5; mov.u32 %r12, 0;
AGAIN:
  st.shared.u32 [%r3], %r6; bar.sync 0; mov.u32 %r7, 1;
LOOP:
  setp.lt.u32 %p0, %r0, %r7; mov.u32 %r8, 0; @%p0 bra SKIP;
  sub.u32 %r9, %r0, %r7; shl.b32 %r9, %r9, 2; add.u32 %r9, %r2, %r9; ld.shared.u32 %r8, [%r9];
SKIP:
  bar.sync 0; ld.shared.u32 %r10, [%r3]; add.u32 %r10, %r10, %r8; st.shared.u32 [%r3], %r10; bar.sync 0;
  shl.b32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 256; @%p1 bra LOOP;
  xor.b32 %r11, %r0, 37; shl.b32 %r11, %r11, 2; add.u32 %r11, %r2, %r11; ld.shared.u32 %r6, [%r11]; bar.sync 0;
  add.u32 %r12, %r12, 1; setp.lt.u32 %p2, %r12, 16; @%p2 bra AGAIN;
  st.global.u32 [%d0], %r6; ret;
}
)";

/// Counters of bytes in shared memory, at places that the lanes choose.
const char *histogram = R"(
.visible .entry bench(.param .u64 in, .param .u64 out)
.reqntid 256
{
  .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %d<4>; .shared .align 16 .b8 s[16384];
  ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r2, s; mov.u32 %r7, 0; mov.u32 %r6, %r0; shl.b32 %r12, %r0, 2; add.u32 %r13, %r2, %r12; mov.u32 %r14, 0;
Z: st.shared.u32 [%r13], %r14; add.u32 %r13, %r13, 1024; add.u32 %r7, %r7, 1; setp.lt.u32 %p0, %r7, 16; @%p0 bra Z; bar.sync 0; mov.u32 %r7, 0;
LOOP:
  mad.lo.u32 %r6, %r6, 1664525, 1013904223; shr.u32 %r8, %r6, 26; shl.b32 %r8, %r8, 8; add.u32 %r8, %r8, %r0; add.u32 %r8, %r8, %r2;
  ld.shared.u8 %r10, [%r8]; add.u32 %r10, %r10, 1; st.shared.u8 [%r8], %r10;
  add.u32 %r7, %r7, 1; setp.lt.u32 %p0, %r7, 400; @%p0 bra LOOP;
  ret;
}
)";

/// 64-bit integers, and lanes that go their own ways for ever longer.
const char *collatz = R"(
.visible .entry bench(.param .u64 in, .param .u64 out)
.reqntid 256
{
  .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %d<16>;
  ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r4, %ctaid.x; shl.b32 %r5, %r4, 8; add.u32 %r5, %r5, %r0; mul.wide.u32 %d1, %r5, 4; add.u64 %d0, %d0, %d1;
  add.u32 %r6, %r5, 1; cvt.u64.u32 %d2, %r6; mov.u32 %r7, 0;
LOOP:
  setp.le.u64 %p0, %d2, 1; @%p0 bra END;
  and.b64 %d3, %d2, 1; setp.eq.s64 %p1, %d3, 0; @%p1 bra EVEN;
  mad.lo.s64 %d2, %d2, 3, 1; bra NEXT;
EVEN:
  shr.u64 %d2, %d2, 1;
NEXT:
  add.u32 %r7, %r7, 1; bra LOOP;
END:
  st.global.u32 [%d0], %r7; ret;
}
)";

/// 64-bit products and remainders in half of the lanes.
const char *powers = R"(
.visible .entry bench(.param .u64 in, .param .u64 out)
.reqntid 256
{
  .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %d<16>;
  ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r4, %ctaid.x; shl.b32 %r5, %r4, 8; add.u32 %r5, %r5, %r0; mul.wide.u32 %d1, %r5, 4; add.u64 %d0, %d0, %d1;
  add.u32 %r6, %r5, 12345; cvt.u64.u32 %d2, %r6; mov.u64 %d4, 1; mov.u32 %r7, 0;
LOOP:
  and.b64 %d3, %d2, 1; setp.eq.s64 %p1, %d3, 0; @%p1 bra EVEN;
  mul.lo.u64 %d4, %d4, %d2; rem.u64 %d4, %d4, 1000003;
EVEN:
  mul.lo.u64 %d5, %d2, %d2; rem.u64 %d5, %d5, 1000003; shr.u64 %d2, %d2, 1; add.u64 %d2, %d2, %d5; and.b64 %d2, %d2, 0xffffff;
  add.u32 %r7, %r7, 1; setp.lt.u32 %p0, %r7, 200; @%p0 bra LOOP;
  cvt.u32.u64 %r9, %d4; st.global.u32 [%d0], %r9; ret;
}
)";

/// Integer address arithmetic with scattered loads.
const char *gather = R"(
.visible .entry bench(.param .u64 in, .param .u64 out)
.reqntid 128
{
  .reg .pred %p; .reg .b32 %r<16>; .reg .f32 %f<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.s32 %r3, %r2, 128, %r1;
  mov.f32 %f0, 0f00000000; mov.u32 %r4, 0; mov.u32 %r5, %r3;
$L:
  mad.lo.s32 %r5, %r5, 1664525, 1013904223;
  shr.u32 %r6, %r5, 18; mul.wide.u32 %rd3, %r6, 4; add.s64 %rd4, %rd1, %rd3; ld.global.f32 %f1, [%rd4];
  add.f32 %f0, %f0, %f1; add.s32 %r4, %r4, 1; setp.lt.s32 %p, %r4, 64; @%p bra $L;
  mul.wide.u32 %rd5, %r3, 4; add.s64 %rd6, %rd2, %rd5; st.global.f32 [%rd6], %f0; ret;
}
)";

/// The matrix product above with cp.async: the next tiles arrive while these are multiplied.
std::string cpAsync() {
  std::string s = R"(
.visible .entry bench(.param .u64 in, .param .u64 out)
.reqntid 16,16
{
  .reg .pred %p; .reg .b32 %r<24>; .reg .f32 %f<40>; .reg .b64 %rd<16>;
  .shared .align 16 .b8 A[2048]; .shared .align 16 .b8 B[2048];
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y;
  shl.b32 %r3, %r2, 6; shl.b32 %r4, %r1, 2;
  mov.u32 %r5, A; mov.u32 %r6, B;
  add.s32 %r7, %r5, %r3; add.s32 %r8, %r6, %r4; add.s32 %r9, %r7, %r4; add.s32 %r10, %r8, %r3;
  mad.lo.s32 %r11, %r2, 256, %r1; mul.wide.s32 %rd3, %r11, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  mov.f32 %f0, 0f00000000; mov.u32 %r12, 0; mov.u32 %r13, 0; mov.u32 %r14, 1024;
  cp.async.ca.shared.global [%r9], [%rd4], 4; cp.async.ca.shared.global [%r10], [%rd4+64], 4; cp.async.commit_group;
$L:
  cp.async.wait_group 0; bar.sync 0;
  add.s32 %r15, %r9, %r14; add.s32 %r16, %r10, %r14;
  cp.async.ca.shared.global [%r15], [%rd4], 4; cp.async.ca.shared.global [%r16], [%rd4+64], 4; cp.async.commit_group;
  add.s32 %r17, %r7, %r13; add.s32 %r18, %r8, %r13; xor.b32 %r13, %r13, 1024; xor.b32 %r14, %r14, 1024;
)";
  for (int k = 0; k != 16; ++k)
    s += "ld.shared.f32 %f3, [%r17+" + std::to_string(4 * k) + "]; ld.shared.f32 %f4, [%r18+" + std::to_string(64 * k) +
         "]; fma.rn.f32 %f0, %f3, %f4, %f0;\n";
  return s + "add.s32 %r12, %r12, 1; setp.lt.s32 %p, %r12, 16; @%p bra $L; cp.async.wait_all; bar.sync 0;\n"
             "st.global.f32 [%rd5], %f0; ret; }\n";
}

/// A ring of four stages of 8 KiB, which a fifth warp fills by `copy` and four warps sum up.
std::string ring(const std::string &copy) {
  std::string s = R"(
.visible .entry bench(.param .u64 in, .param .u64 out, .param .align 64 .b8 map[128])
.reqntid 160
{
  .reg .pred %p<4>; .reg .b32 %r<24>; .reg .f32 %f<40>; .reg .b64 %rd<16>;
  .shared .align 8 .b64 bar[8]; .shared .align 1024 .b8 buf[32768];
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.b64 %rd3, map; cvta.param.u64 %rd3, %rd3;
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, bar; mov.u32 %r4, buf; mov.u32 %r5, 0; mov.f32 %f0, 0f00000000;
  setp.ne.u32 %p0, %r1, 128; @%p0 bra $READY;
)";
  for (int k = 0; k != 4; ++k)
    s += "mbarrier.init.shared::cta.b64 [bar+" + std::to_string(8 * k) + "], 1; mbarrier.init.shared::cta.b64 [bar+" +
         std::to_string(32 + 8 * k) + "], 128;\n";
  s += R"(
  fence.mbarrier_init.release.cluster;
$READY:
  bar.sync 0; setp.lt.u32 %p1, %r1, 128; @%p1 bra $CONSUME; @%p0 bra $END;
$PRODUCE:
  and.b32 %r6, %r5, 3; shl.b32 %r7, %r6, 3; add.u32 %r7, %r3, %r7; shl.b32 %r8, %r6, 13; add.u32 %r8, %r4, %r8;
  shr.u32 %r9, %r5, 2; and.b32 %r9, %r9, 1; xor.b32 %r9, %r9, 1;
$EMPTY:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r7+32], %r9; @!%p2 bra $EMPTY;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r7], 8192;
  shl.b32 %r10, %r5, 5; and.b32 %r11, %r2, 3; shl.b32 %r11, %r11, 6; shl.b32 %r12, %r5, 13; cvt.u64.u32 %rd4, %r12; add.u64 %rd4, %rd1, %rd4;
  )" + copy +
       R"(
  add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 64; @%p3 bra $PRODUCE; bra $END;
$CONSUME:
  shl.b32 %r13, %r1, 4; add.u32 %r13, %r4, %r13;
$NEXT:
  and.b32 %r6, %r5, 3; shl.b32 %r7, %r6, 3; add.u32 %r7, %r3, %r7; shl.b32 %r8, %r6, 13; add.u32 %r8, %r13, %r8;
  shr.u32 %r9, %r5, 2; and.b32 %r9, %r9, 1;
$FULL:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r7], %r9; @!%p2 bra $FULL;
)";
  for (int k = 0; k != 4; ++k) {
    s += "ld.shared.v4.f32 {%f1,%f2,%f3,%f4}, [%r8+" + std::to_string(2048 * k) + "];\n";
    for (int i = 1; i != 5; ++i)
      s += "fma.rn.f32 %f0, %f" + std::to_string(i) + ", 0f3F000000, %f0;\n";
  }
  return s + R"(
  mbarrier.arrive.shared::cta.b64 _, [%r7+32];
  add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 64; @%p3 bra $NEXT;
  mad.lo.u32 %r14, %r2, 128, %r1; mul.wide.u32 %rd5, %r14, 4; add.u64 %rd5, %rd2, %rd5; st.global.f32 [%rd5], %f0;
$END:
  ret; }
)";
}

/// The tensor of `in`, 256 rows of 4096 numbers, in boxes of 64 rows and 32 columns.
void encodeBoxes(uint64_t in, uint8_t (&bytes)[TensormapBytes]) {
  Tensormap map;
  map.address = in;
  map.type = TensorType::F32;
  map.rank = 2;
  map.dims[0] = 4096;
  map.dims[1] = 256;
  map.strides[0] = 16384;
  map.box[0] = 32;
  map.box[1] = 64;
  map.swizzle = TensorSwizzle::B128;
  encodeTensormap(map, bytes);
}

/// C = A * B^T for bf16 A and B with rows along K, f32 C, all of order n: tiles of 128 x 256, two warpgroups with
/// m64n256k16, operands through shared memory with the 128-byte swizzle.
std::string wgmma(unsigned n) {
  auto str = [](uint64_t v) { return std::to_string(v); };
  std::string s = R"(
.visible .entry bench(.param .u64 a, .param .u64 b, .param .u64 c)
.reqntid 256
{
  .reg .pred %p; .reg .b32 %r<32>, %v<48>; .reg .f32 %d<128>; .reg .b64 %rd<16>, %da, %db;
  .shared .align 1024 .b8 s[49152];
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];
  mov.u32 %r1, %tid.x; mov.u32 %r2, s; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y;
  shr.u32 %r5, %r1, 3; and.b32 %r6, %r1, 7; and.b32 %r7, %r5, 7; xor.b32 %r7, %r6, %r7;
  shl.b32 %r8, %r5, 7; shl.b32 %r7, %r7, 4; add.u32 %r8, %r8, %r7; add.u32 %r8, %r8, %r2;
  shl.b32 %r9, %r4, 7; add.u32 %r9, %r9, %r5; mul.wide.u32 %rd4, %r9, )" +
                  str(2 * n) + R"(; add.u64 %rd1, %rd1, %rd4;
  shl.b32 %r10, %r3, 8; add.u32 %r10, %r10, %r5; mul.wide.u32 %rd4, %r10, )" +
                  str(2 * n) + R"(; add.u64 %rd2, %rd2, %rd4;
  mul.wide.u32 %rd4, %r6, 16; add.u64 %rd1, %rd1, %rd4; add.u64 %rd2, %rd2, %rd4;
  shr.u32 %r11, %r1, 7; shl.b32 %r12, %r11, 13; add.u32 %r12, %r12, %r2; shr.u32 %r12, %r12, 4; cvt.u64.u32 %da, %r12;
  add.u32 %r13, %r2, 16384; shr.u32 %r13, %r13, 4; cvt.u64.u32 %db, %r13;
  or.b64 %da, %da, 0x4000004000010000; or.b64 %db, %db, 0x4000004000010000;
  mov.u32 %r14, 0;
)";
  for (unsigned i = 0; i != 128; ++i)
    s += "mov.f32 %d" + str(i) + ", 0f00000000;\n";
  s += "$L:\n";
  auto quad = [&](unsigned j) {
    return "{%v" + str(4 * j) + ",%v" + str(4 * j + 1) + ",%v" + str(4 * j + 2) + ",%v" + str(4 * j + 3) + "}";
  };
  for (unsigned j = 0; j != 12; ++j)
    s += "ld.global.v4.b32 " + quad(j) + ", [" + (j < 4 ? "%rd1+" : "%rd2+") +
         str(uint64_t(j < 4 ? j : j - 4) * 64 * n) + "];\n";
  for (unsigned j = 0; j != 12; ++j)
    s += "st.shared.v4.b32 [%r8+" + str(j * 4096) + "], " + quad(j) + ";\n";
  s += "fence.proxy.async.shared::cta; bar.sync 0; wgmma.fence.sync.aligned;\n";
  for (unsigned k = 0; k != 4; ++k) {
    s += "add.u64 %rd8, %da, " + str(2 * k) + "; add.u64 %rd9, %db, " + str(2 * k) +
         ";\nwgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {";
    for (unsigned i = 0; i != 128; ++i)
      s += (i ? ",%d" : "%d") + str(i);
    s += "}, %rd8, %rd9, 1, 1, 1, 0, 0;\n";
  }
  s += "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; bar.sync 0;\n"
       "add.u64 %rd1, %rd1, 128; add.u64 %rd2, %rd2, 128; add.u32 %r14, %r14, 64; setp.lt.u32 %p, %r14, " +
       str(n) + "; @%p bra $L;\n";
  // Thread 4g + t of warp w: rows 16w + g and + 8, columns 8j + 2t.
  s += "shr.u32 %r15, %r1, 5; shl.b32 %r15, %r15, 4; and.b32 %r16, %r1, 31; shr.u32 %r17, %r16, 2; add.u32 %r15, %r15, "
       "%r17;\n"
       "shl.b32 %r18, %r4, 7; add.u32 %r15, %r15, %r18; and.b32 %r16, %r16, 3; shl.b32 %r16, %r16, 1; shl.b32 %r19, "
       "%r3, 8;\n"
       "add.u32 %r16, %r16, %r19; mad.lo.u32 %r15, %r15, " +
       str(n) + ", %r16; mul.wide.u32 %rd10, %r15, 4; add.u64 %rd3, %rd3, %rd10;\n";
  for (unsigned i = 0; i != 128; i += 2)
    s += "st.global.v2.f32 [%rd3+" + str(uint64_t(i / 2 % 2) * 32 * n + i / 4 * 32) + "], {%d" + str(i) + ",%d" +
         str(i + 1) + "};\n";
  return s + "ret; }\n";
}

bool runWgmma(unsigned n, LaunchOptions options, unsigned threads) {
  std::vector<Diagnostic> errors;
  std::unique_ptr<Module> module = Module::parse(header + wgmma(n), "wgmma", errors);
  if (!module) {
    std::printf("%s\n", errors[0].str().c_str());
    return false;
  }
  Memory memory;
  size_t count = size_t(n) * n;
  // Small multiples of 1/8: all sums are exact.
  std::vector<uint16_t> a(count), b(count);
  auto number = [](size_t i, unsigned salt) { return float(int((i * 2654435761u + salt) >> 13 & 31) - 16) / 8; };
  auto bfloat = [](float f) {
    uint32_t u;
    std::memcpy(&u, &f, 4);
    return uint16_t(u >> 16);
  };
  for (size_t i = 0; i != count; ++i) {
    a[i] = bfloat(number(i, 1));
    b[i] = bfloat(number(i, 77));
  }
  uint64_t pa = memory.allocate(count * 2, "a"), pb = memory.allocate(count * 2, "b"),
           pc = memory.allocate(count * 4, "c");
  memory.copyIn(pa, a.data(), count * 2);
  memory.copyIn(pb, b.data(), count * 2);
  LaunchConfig config;
  config.grid = {n / 256, n / 128};
  config.options = options;
  config.options.hostThreads = threads;
  config.args.add(pa).add(pb).add(pc);
  auto start = std::chrono::steady_clock::now();
  std::clock_t cpu = std::clock();
  LaunchResult r = launch(*module, memory, config);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  double cpuSeconds = double(std::clock() - cpu) / CLOCKS_PER_SEC;
  if (!r.ok) {
    std::printf("wgmma%u: %s\n", n, r.reports[0].str().c_str());
    return false;
  }
  std::vector<float> c(count);
  memory.copyOut(pc, c.data(), count * 4);
  for (size_t at = 5; at < count; at += count / 61) {
    double s = 0;
    for (size_t k = 0; k != n; ++k)
      s += double(number(at / n * n + k, 1)) * number(at % n * n + k, 77);
    if (s != c[at]) {
      std::printf("wgmma%u: element %zu is %g, not %g\n", n, at, double(c[at]), s);
      return false;
    }
  }
  std::printf("wgmma%-5u %8.3f s, %.3f s of CPU, %.1f GFLOP/s", n, seconds, cpuSeconds,
              2e-9 * double(n) * n * n / seconds);
  if (n > 1024) {
    std::printf("\n");
    return true;
  }
  config.options.checkRaces = true;
  cpu = std::clock();
  r = launch(*module, memory, config);
  if (!r.ok) {
    std::printf("\nwgmma%u: %s\n", n, r.reports[0].str().c_str());
    return false;
  }
  double checked = double(std::clock() - cpu) / CLOCKS_PER_SEC;
  std::printf("; with the race checker %.3f s of CPU, %.1f times slower\n", checked, checked / cpuSeconds);
  return true;
}

} // namespace

int main(int argc, char **argv) {
  struct Case {
    const char *name;
    std::string text;
  } cases[] = {
      {"softmax", softmax()},
      {"fma", fma()},
      {"matmul", matmul()},
      {"gather", gather},
      {"scan", scan},
      {"histogram", histogram},
      {"collatz", collatz},
      {"powers", powers},
      {"cp.async", cpAsync()},
      {"bulk", ring("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r8], [%rd4], 8192, [%r7];")},
      {"tma", ring("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r8], "
                   "[%rd3, {%r10, %r11}], [%r7];")}};
  LaunchOptions options;
  options.hostThreads = 1;
  options.checkUninitialized = options.memoryStats = false;
  std::vector<std::string> wanted;
  unsigned wgmmaThreads = 0;
  int rounds = 9;
  for (int i = 1; i < argc; ++i) {
    std::string a = argv[i];
    if (a == "--threads" && i + 1 < argc)
      wgmmaThreads = options.hostThreads = unsigned(std::atoi(argv[++i]));
    else if (a == "--checks")
      options.checkUninitialized = options.memoryStats = true;
    else
      wanted.push_back(a);
  }
  std::printf("handlers: %s, host threads: %u, checks: %s\n", currentIsa().name, options.hostThreads,
              options.checkUninitialized ? "on" : "bounds only");
  for (const Case &c : cases) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), c.name) == wanted.end())
      continue;
    std::vector<Diagnostic> errors;
    std::unique_ptr<Module> module = Module::parse(header + c.text, c.name, errors);
    if (!module) {
      std::printf("%s\n", errors[0].str().c_str());
      return 1;
    }
    Memory memory;
    const uint32_t blocks = 256;
    std::vector<float> values(4096 * blocks);
    for (size_t i = 0; i != values.size(); ++i)
      values[i] = float(i * 2654435761u >> 8 & 0xffff) / 65536;
    LaunchConfig config;
    config.grid = {blocks};
    config.options = options;
    uint64_t in = memory.allocate(values.size() * 4, "in"), out = memory.allocate(values.size() * 4, "out");
    memory.copyIn(in, values.data(), values.size() * 4);
    uint8_t map[TensormapBytes];
    encodeBoxes(in, map);
    config.args.add(in).add(out);
    if (c.text.find("map[128]") != std::string::npos)
      config.args.addBytes(map, sizeof map);
    // In turn without and with the race checker. Of the process's time, for the machine may have other things to do.
    std::vector<double> rates[2];
    for (int round = 0; round != 2 * rounds; ++round) {
      config.options.checkRaces = round & 1;
      std::clock_t start = std::clock();
      LaunchResult r = launch(*module, memory, config);
      double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
      if (!r.ok) {
        std::printf("%s: %s\n", c.name, r.reports[0].str().c_str());
        return 1;
      }
      rates[round & 1].push_back(double(r.stats.threadInstructions) / seconds / 1e6);
    }
    for (auto &r : rates)
      std::sort(r.begin(), r.end());
    double off = rates[0][rates[0].size() / 2], on = rates[1][rates[1].size() / 2];
    std::printf(
        "%-10s %8.0f Mthread-instr/s (%.0f to %.0f), with the race checker %6.0f (%.0f to %.0f), %.1f times slower\n",
        c.name, off, rates[0].front(), rates[0].back(), on, rates[1].front(), rates[1].back(), off / on);
    if (std::string_view(c.name) == "softmax") {
      // The benchmark computes what it says: every row sums to one.
      std::vector<float> row(4096);
      memory.copyOut(out + 4096 * 4 * 17, row.data(), 4096 * 4);
      double sum = 0;
      for (float f : row)
        sum += f;
      if (std::fabs(sum - 1) > 1e-4) {
        std::printf("softmax row sums to %f\n", sum);
        return 1;
      }
    }
  }
  for (unsigned n : {512u, 1024u, 4096u}) {
    bool named = std::find(wanted.begin(), wanted.end(), "wgmma" + std::to_string(n)) != wanted.end();
    if ((named || (wanted.empty() && n != 4096)) && !runWgmma(n, options, wgmmaThreads))
      return 1;
  }
}
