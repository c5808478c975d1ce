//===- EmulatorTcgen05MoveTest.cpp - Layouts, tcgen05.ld and st -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Tcgen05TestUtil.h"

#include "tileiras/Emulator/Machine/Matrix/SmemDescriptor.h"
#include "tileiras/Emulator/Machine/TensorMemory/Tcgen05Layout.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;
using namespace tileiras::emu::test::tcgen05;

namespace {

//===----------------------------------------------------------------------===//
// Geometry, against points written out by hand
//===----------------------------------------------------------------------===//

TEST(Tcgen05Layout, LiteralPoints) {
  using C = TensorCell;
  EXPECT_EQ(tensorCell(TensorShape::S16x256, 0, 5, 6), (C{9, 10}));
  EXPECT_EQ(tensorCell(TensorShape::S16x64, 0, 7, 3), (C{9, 7}));
  EXPECT_EQ(tensorCell(TensorShape::S16x128, 0, 30, 3), (C{15, 6}));
  EXPECT_EQ(tensorCell(TensorShape::S16x32x2, 20, 17, 3), (C{1, 23}));
  EXPECT_EQ(tensorCell(TensorShape::S32x32, 0, 17, 3), (C{17, 3}));
  TensorLayout b = tensorLayout(128, 2, false, false);
  EXPECT_EQ(b.name, 'B');
  EXPECT_EQ(b.lane(3, 40 / 32, 0), 67u); // N = 64: column 40 is column 8 of the second bank
  EXPECT_EQ(tensorLayout(128, 2, false, true).lane(21, 0, 16), 53u);
  EXPECT_EQ(tensorLayout(64, 1, false, false).lane(63, 0, 0), 111u);
  EXPECT_EQ(tensorLayout(32, 1, true, false).lane(7, 3, 0), 103u);
  EXPECT_EQ(tensorLayout(256, 2, false, false).name, 'A');
  EXPECT_EQ(tensorLayout(64, 1, true, false).name, 'E');
  TensorBits meta = tensorMetadata(TensorKind::F16, 21, 20);
  EXPECT_EQ(meta.cell, (C{29, 0}));
  EXPECT_EQ(meta.bit, 4u);
  meta = tensorMetadata(TensorKind::F8F6F4, 100, 44);
  EXPECT_EQ(meta.cell, (C{100, 1}));
  EXPECT_EQ(meta.bit, 12u);
  EXPECT_EQ(tensorScaleSplit(64, 40, 0, 0).cell, (C{72, 0}));
  EXPECT_EQ(tensorScaleSplit(64, 40, 0, 1).cell, (C{104, 0}));
  EXPECT_EQ(tensorScale(128, 70, 2, 1).cell, (C{38, 2}));
  EXPECT_EQ(tensorScale(128, 70, 2, 1).bit, 16u);
  EXPECT_EQ(tensorScale(256, 200, 5, 3).cell, (C{104, 14}));
}

TEST(Tcgen05Layout, InstructionDescriptors) {
  struct Vector {
    uint32_t bits;
    TensorKind kind;
    unsigned group, m, n;
    uint8_t vector;
    bool sparse;
  } vectors[] = {
      {0x08200010, TensorKind::F16, 1, 128, 128, 0, false},
      {0x10400490, TensorKind::F16, 2, 256, 256, 0, false},
      {0x04100000, TensorKind::F16, 1, 64, 64, 0, false},
      {0x08400910, TensorKind::TF32, 1, 128, 256, 0, false},
      {0x08110410, TensorKind::F8F6F4, 1, 128, 64, 0, false},
      {0x082004a8, TensorKind::I8, 1, 128, 128, 0, false},
      {0x08200495, TensorKind::F16, 1, 128, 128, 0, true},
      {0x08a00000, TensorKind::MXF8F6F4, 1, 128, 128, 1, false},
      {0x68a00030, TensorKind::MXF8F6F4, 1, 128, 128, 1, false},
      {0x08a00480, TensorKind::MXF4, 1, 128, 128, 2, false},
      {0x10400480, TensorKind::MXF4NVF4, 2, 256, 256, 4, false},
  };
  for (const Vector &v : vectors) {
    TensorAux x;
    x.kind = v.kind;
    x.group = uint8_t(v.group);
    x.sparse = v.sparse;
    x.blockScaled = v.vector;
    x.scaleVector = v.vector;
    TensorProductShape s;
    std::string fault;
    ASSERT_TRUE(decodeInstructionDescriptor(x, v.bits, 100, s, fault)) << std::hex << v.bits << ": " << fault;
    EXPECT_EQ(s.m, v.m) << std::hex << v.bits;
    EXPECT_EQ(s.n, v.n) << std::hex << v.bits;
    if (v.bits == 0x68a00030)
      EXPECT_EQ(s.sfaId * 10 + s.sfbId, 33u);
    if (v.bits == 0x08110410)
      EXPECT_TRUE(s.bMnMajor && !s.aMnMajor && s.b == TensorElement::E5M2);
    // Each of these bits is zero in every descriptor, or makes another instruction of it.
    for (unsigned bit : {2u, 6u})
      EXPECT_FALSE(decodeInstructionDescriptor(x, v.bits ^ 1u << bit, 100, s, fault))
          << std::hex << v.bits << " " << bit;
  }
}

TEST(Tcgen05Layout, ZeroColumns) {
  auto zeroed = [](uint64_t mask, uint32_t bank, uint32_t count) {
    std::string s;
    for (uint32_t c = 0; c != count; ++c)
      s += tensorColumnZeroed(mask, bank, c) ? '0' : '1';
    return s;
  };
  const uint64_t on = uint64_t(1) << 39;
  EXPECT_EQ(zeroed(0, 0, 8), "11111111");
  EXPECT_EQ(zeroed(on | uint64_t(1) << 40 | uint64_t(2) << 48, 0, 10), "1110011100"); // skip 2, use 3
  EXPECT_EQ(zeroed(on | uint64_t(1) << 40 | uint64_t(2) << 48 | uint64_t(1) << 33, 1, 10), "0011100111");
  EXPECT_EQ(zeroed(on | uint64_t(1) << 40 | uint64_t(2) << 48 | uint64_t(2) << 16, 2, 10), "1001110011");
}

TEST(Tcgen05Layout, AbsoluteLeadingOffset) {
  // 48-byte rows that begin at byte 96 of a 128-byte row and go on at address 8192.
  SmemDescriptor d = tcgen05Descriptor(uint64_t(2) << 61 | uint64_t(1) << 52 | uint64_t(1) << 46 | uint64_t(64) << 32 |
                                       uint64_t(512) << 16 | 6);
  std::vector<uint32_t> units;
  std::string fault;
  ASSERT_TRUE(smemUnits(d, {false, 8, 96, 4}, units, fault)) << fault;
  EXPECT_EQ(std::vector<uint32_t>(units.begin(), units.begin() + 6),
            (std::vector<uint32_t>{96, 112, 8192, 240, 224, 8336}));
}

//===----------------------------------------------------------------------===//
// ld and st
//===----------------------------------------------------------------------===//

struct ShapeCase {
  std::string name;
  unsigned registers, lanes, maxRepeat;
};
const ShapeCase shapes[] = {{"32x32b", 1, 32, 128},
                            {"16x64b", 1, 16, 128},
                            {"16x128b", 2, 16, 64},
                            {"16x256b", 4, 16, 32},
                            {"16x32bx2", 1, 16, 128}};

/// The tables of the PTX ISA once more: lane and column of register r of thread t.
std::pair<uint32_t, uint32_t> home(const std::string &shape, uint32_t half, uint32_t t, uint32_t r) {
  if (shape == "32x32b")
    return {t, r};
  if (shape == "16x64b") // threads 0..3: lanes 0, 8 and columns 0, 1
    return {t / 4 + (t % 2 ? 8 : 0), 2 * r + (t % 4 >= 2)};
  if (shape == "16x128b")
    return {t / 4 + (r % 2 ? 8 : 0), 4 * (r / 2) + t % 4};
  if (shape == "16x256b")
    return {t / 4 + (r % 4 >= 2 ? 8 : 0), 8 * (r / 4) + 2 * (t % 4) + r % 2};
  return {t % 16, r + (t < 16 ? 0 : half)};
}

/// Each warp executes one ld (or st) after tensor memory was filled with a pattern, by all warps.
std::string moveKernel(bool store, const std::string &instruction, unsigned registers) {
  std::string list = "{";
  for (unsigned r = 0; r != registers; ++r)
    list += (r ? ", %d" : "%d") + std::to_string(r);
  list += "}";
  std::string s = ".visible .entry k(.param .u64 data, .param .u64 tout, .param .u32 taddr)\n.reqntid 128\n{\n"
                  "  .reg .pred %p, %q; .reg .b32 %d<" +
                  std::to_string(registers) + R"(>, %t, %c, %ta, %where, %r<4>, %v<2>; .reg .b64 %rd<6>;
  .shared .align 4 .b32 where;
  mov.u32 %t, %tid.x; setp.ge.u32 %p, %t, 32; @%p bra $noalloc;
  mov.u32 %r1, where; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 512;
$noalloc:
  tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
  ld.shared.b32 %where, [where];
  // Cell (lane, column) = lane << 16 | column, both halves different.
  mov.u32 %c, 0;
$fill:
  shl.b32 %r2, %t, 16; or.b32 %r2, %r2, %c; add.u32 %ta, %where, %c;
  tcgen05.st.sync.aligned.32x32b.x1.b32 [%ta], {%r2};
  add.u32 %c, %c, 1; setp.lt.u32 %q, %c, 512; @%q bra $fill;
  tcgen05.wait::st.sync.aligned;
  ld.param.u64 %rd0, [data]; mul.wide.u32 %rd1, %t, )" +
                  std::to_string(4 * registers) + R"(; add.u64 %rd0, %rd0, %rd1;
  ld.param.u32 %ta, [taddr]; setp.ge.u32 %p, %ta, 0x80000000; // absolute: the warp's lanes are added
  shr.u32 %r3, %t, 5; shl.b32 %r3, %r3, 21; and.b32 %ta, %ta, 0x7fffffff; @%p add.u32 %ta, %ta, %r3;
)";
  auto each = [&](const char *op) {
    for (unsigned r = 0; r != registers; ++r)
      s += std::string("  ") + op +
           (op[0] == 'l' ? " %d" + std::to_string(r) + ", [%rd0+" + std::to_string(4 * r) + "];\n"
                         : " [%rd0+" + std::to_string(4 * r) + "], %d" + std::to_string(r) + ";\n");
  };
  if (store) {
    each("ld.global.b32");
    s += "  " + instruction + " " + "[%ta]HALF, " + list + ";\n  tcgen05.wait::st.sync.aligned;\n";
  } else {
    s += "  " + instruction + " " + list + ", [%ta]HALF;\n  tcgen05.wait::ld.sync.aligned;\n";
    each("st.global.b32");
  }
  // Low halves of everything: the upper ones of an .unpack are nobody's.
  s += R"(  ld.param.u64 %rd2, [tout]; mul.wide.u32 %rd3, %t, 1024; add.u64 %rd2, %rd2, %rd3; mov.u32 %c, 0;
$read:
  add.u32 %r1, %where, %c; tcgen05.ld.sync.aligned.32x32b.x1.pack::16b.b32 {%v0}, [%r1]; tcgen05.wait::ld.sync.aligned;
  mul.wide.u32 %rd4, %c, 2; add.u64 %rd5, %rd2, %rd4; st.global.b32 [%rd5], %v0;
  add.u32 %c, %c, 2; setp.lt.u32 %q, %c, 512; @%q bra $read;
  tcgen05.fence::before_thread_sync; bar.sync 0; setp.ge.u32 %p, %t, 32; @%p bra $end;
  tcgen05.dealloc.cta_group::1.sync.aligned.b32 %where, 512;
$end:
  ret;
}
)";
  return s;
}

TEST(Tcgen05LoadStore, Shapes) {
  unsigned count = 0;
  for (const ShapeCase &shape : shapes)
    for (unsigned repeat = 1; repeat <= shape.maxRepeat; repeat *= 2)
      for (bool store : {false, true})
        for (bool packed : {false, true}) {
          const unsigned registers = shape.registers * repeat,
                         half = shape.name != "16x32bx2" ? 0 : 2 * repeat + (repeat == 128 ? 0 : 3);
          // The number of columns must fit: .x128.pack needs 256.
          unsigned reach = shape.name == "32x32b"     ? repeat
                           : shape.name == "16x32bx2" ? repeat + (half + 1) / 2
                                                      : shape.registers * repeat * 2;
          if (shape.name == "16x128b" || shape.name == "16x256b")
            reach = 4 * shape.registers * repeat / 2;
          const unsigned column = reach * (packed ? 2 : 1) + 5 <= 512 ? 5 : 0,
                         lane = shape.lanes == 16 && count % 2 ? 16 : 0;
          const bool absolute = count % 3 == 1;
          ++count;
          std::string text =
              moveKernel(store,
                         std::string("tcgen05.") + (store ? "st" : "ld") + ".sync.aligned." + shape.name + ".x" +
                             std::to_string(repeat) + (packed ? store ? ".unpack::16b" : ".pack::16b" : "") + ".b32",
                         registers);
          text.replace(text.find("HALF"), 4, half ? ", " + std::to_string(half) : "");
          std::unique_ptr<Module> m = parse(ptx(text, "sm_100a", "8.6"));
          ASSERT_TRUE(m);
          Memory memory;
          std::vector<uint32_t> data(128 * registers);
          Rng rng(count);
          for (uint32_t &v : data)
            v = uint32_t(rng.next() >> 17);
          uint64_t d = upload(memory, data, "data"), out = memory.allocate(128 * 512 * 2, "out");
          LaunchConfig config;
          config.block = {128};
          config.args.add(d).add(out).add(uint32_t(lane << 16 | column | (absolute ? 0x80000000u : 0)));
          config.options.asyncTiming = count % 3 == 0   ? AsyncTiming::Early
                                       : count % 3 == 1 ? AsyncTiming::Late
                                                        : AsyncTiming::Random;
          config.options.seed = count;
          config.options.checkRaces = true;
          LaunchResult r = launch(*m, memory, config);
          ASSERT_TRUE(r.ok) << reports(r) << text;
          std::vector<uint32_t> got = download<uint32_t>(memory, d, data.size());
          std::vector<uint16_t> low = download<uint16_t>(memory, out, 128 * 512), want(128 * 512);
          for (unsigned l = 0; l != 128; ++l)
            for (unsigned c = 0; c != 512; ++c)
              want[l * 512 + c] = uint16_t(c);
          for (unsigned t = 0; t != 128; ++t)
            for (unsigned i = 0; i != registers; ++i) {
              // Packing doubles columns, but not immHalfSplitoff.
              auto [l, c] = home(shape.name, packed ? 0 : half, t % 32, i);
              l += t / 32 * 32 + lane;
              const unsigned low0 = column + 2 * c + (t % 32 < 16 ? 0 : half);
              uint32_t v = data[t * registers + i];
              if (!store) {
                uint32_t expected = packed ? low0 | (low0 + 1) << 16 : l << 16 | (column + c);
                ASSERT_EQ(got[t * registers + i], expected)
                    << shape.name << " x" << repeat << " packed " << packed << " t " << t << " r " << i;
              } else if (packed) {
                want[l * 512 + low0] = uint16_t(v);
                want[l * 512 + low0 + 1] = uint16_t(v >> 16);
              } else {
                want[l * 512 + column + c] = uint16_t(v);
              }
            }
          ASSERT_EQ(low, want) << shape.name << " x" << repeat << " store " << store << " packed " << packed;
        }
}

TEST(Tcgen05LoadStore, Reduction) {
  std::string text = R"(.visible .entry k(.param .u64 in, .param .u64 out) .reqntid 128 {
  .reg .pred %p; .reg .b32 %r<12>, %ta, %t; .reg .f32 %f<6>; .reg .b64 %rd<4>; .shared .align 4 .b32 where;
  mov.u32 %t, %tid.x; setp.ge.u32 %p, %t, 32; @%p bra $a; mov.u32 %r1, where;
  tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;
$a:
  bar.sync 0; ld.shared.b32 %ta, [where]; ld.param.u64 %rd0, [in]; mul.wide.u32 %rd1, %t, 16; add.u64 %rd0, %rd0, %rd1;
  ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%rd0]; tcgen05.st.sync.aligned.32x32b.x4.b32 [%ta], {%r2, %r3, %r4, %r5};
  tcgen05.wait::st.sync.aligned;
  tcgen05.ld.red.sync.aligned.32x32b.x4.max.abs.f32 {%f1, %f2, %f3, %f4}, %f5, [%ta];
  tcgen05.ld.red.sync.aligned.32x32b.x4.min.s32 {%r2, %r3, %r4, %r5}, %r6, [%ta];
  tcgen05.ld.red.sync.aligned.32x32b.x4.max.u32 {%r8, %r9, %r10, %r11}, %r7, [%ta];
  tcgen05.wait::ld.sync.aligned;
  ld.param.u64 %rd0, [out]; mul.wide.u32 %rd1, %t, 12; add.u64 %rd0, %rd0, %rd1;
  st.global.f32 [%rd0], %f5; st.global.b32 [%rd0+4], %r6; st.global.b32 [%rd0+8], %r7;
  bar.sync 0; @%p bra $b; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %ta, 32;
$b:
  ret;
})";
  std::unique_ptr<Module> m = parse(ptx(text, "sm_103a", "8.8"));
  ASSERT_TRUE(m);
  std::vector<uint32_t> in(512);
  Rng rng(4);
  for (uint32_t &v : in)
    v = uint32_t(rng.next() >> 11);
  in[0] = 0x7fc00000; // a NaN is ignored
  Memory memory;
  LaunchConfig config;
  uint64_t out = memory.allocate(128 * 12, "out");
  config.block = {128};
  config.options.checkRaces = true;
  config.args.add(upload(memory, in, "in")).add(out);
  LaunchResult r = launch(*m, memory, config);
  ASSERT_TRUE(r.ok) << reports(r);
  std::vector<uint32_t> got = download<uint32_t>(memory, out, 384);
  for (unsigned t = 0; t != 128; ++t) {
    uint32_t absolute = 0, most = 0;
    int32_t least = INT32_MAX;
    for (unsigned i = 0; i != 4; ++i) {
      uint32_t v = in[4 * t + i];
      if ((v & 0x7fffffff) <= 0x7f800000)
        absolute = std::max(absolute, v & 0x7fffffff);
      least = std::min(least, int32_t(v));
      most = std::max(most, v);
    }
    EXPECT_EQ(got[3 * t], absolute);
    EXPECT_EQ(int32_t(got[3 * t + 1]), least);
    EXPECT_EQ(got[3 * t + 2], most);
  }
}

} // namespace
