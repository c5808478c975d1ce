//===- EmulatorTmaModesTest.cpp - Reductions, clusters, odd types -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTmaUtil.h"

#include <bit>
#include <cmath>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

uint16_t half(float f) {
  _Float16 h = _Float16(f);
  uint16_t bits;
  std::memcpy(&bits, &h, 2);
  return bits;
}
uint16_t bfloat(float f) { // of numbers it can represent
  return uint16_t(std::bit_cast<uint32_t>(f) >> 16);
}

struct Reduction {
  std::string op, type;
  unsigned size;
  uint64_t onto, value, result;
};
const Reduction reductions[] = {
    {"add", "u32", 4, 0xfffffff0, 0x20, 0x10},
    {"add", "s32", 4, 7, uint32_t(-9), uint32_t(-2)},
    {"add", "u64", 8, 0xffffffffull, 1, 0x100000000ull},
    {"add", "f32", 4, 0x3fc00000, 0x40000000, 0x40600000},
    {"add", "f32", 4, 0x00000001, 0x00000001, 0}, // global reductions flush subnormals
    {"add", "f64", 8, std::bit_cast<uint64_t>(1.5), std::bit_cast<uint64_t>(0.25), std::bit_cast<uint64_t>(1.75)},
    {"add.noftz", "f16", 2, half(1.5f), half(2048.0f), half(2050.0f)}, // 2049.5, the spacing is 2
    {"add.noftz", "bf16", 2, bfloat(1.5f), bfloat(0.25f), bfloat(1.75f)},
    {"min", "u32", 4, 5, 0xffffffff, 5},
    {"max", "u32", 4, 5, 0xffffffff, 0xffffffff},
    {"min", "s32", 4, 5, 0xffffffff, 0xffffffff},
    {"max", "s64", 8, uint64_t(-3), 2, 2},
    {"max", "u64", 8, uint64_t(-3), 2, uint64_t(-3)},
    {"min", "f16", 2, half(-1), half(0.5f), half(-1)},
    {"max", "bf16", 2, bfloat(-1), bfloat(0.5f), bfloat(0.5f)},
    {"inc", "u32", 4, 6, 7, 7},
    {"inc", "u32", 4, 7, 7, 0},
    {"dec", "u32", 4, 0, 7, 7},
    {"dec", "u32", 4, 3, 7, 2},
    {"and", "b32", 4, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
    {"or", "b64", 8, 0xff00000000000000, 1, 0xff00000000000001},
    {"xor", "b32", 4, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0},
};

TEST(EmulatorTma, BulkReductions) {
  for (const Reduction &k : reductions)
    for (AsyncTiming timing : {AsyncTiming::Early, AsyncTiming::Late}) {
      Memory memory;
      // The source in the first 64 bytes, the destination in the next.
      std::vector<uint8_t> data(128);
      for (unsigned b = 0; b != 64; ++b) {
        data[b] = uint8_t(k.value >> 8 * (b % k.size));
        data[64 + b] = uint8_t(k.onto >> 8 * (b % k.size));
      }
      uint64_t aux = upload(memory, data, "data");
      TmaSetup s;
      s.options.asyncTiming = timing;
      TmaRun r = runTma(copyIn(64) + "@%p0 cp.reduce.async.bulk.global.shared::cta.bulk_group." + k.op + "." + k.type +
                            " [%rd3+64], [%r2], 48;\ncp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
                        MapBytes{}, memory, aux, s);
      ASSERT_TRUE(r.result.ok) << reports(r.result) << k.op << k.type;
      auto got = download<uint8_t>(memory, aux + 64, 64);
      for (unsigned b = 0; b != 64; ++b)
        ASSERT_EQ(got[b], uint8_t((b < 48 ? k.result : k.onto) >> 8 * (b % k.size)))
            << k.op << "." << k.type << " byte " << b;
    }
}

TEST(EmulatorTma, TensorReductions) {
  const std::pair<std::string, TensorType> types[] = {
      {"u32", TensorType::U32},   {"s32", TensorType::S32}, {"u64", TensorType::U64},
      {"s64", TensorType::S64},   {"f32", TensorType::F32}, {"f16", TensorType::F16},
      {"bf16", TensorType::BF16}, {"b32", TensorType::U32}, {"b64", TensorType::U64}};
  for (const Reduction &k : reductions) {
    auto it = std::find_if(std::begin(types), std::end(types), [&](auto &t) { return t.first == k.type; });
    if (it == std::end(types))
      continue; // f64 does not exist here
    Memory memory;
    Tensormap m;
    m.type = it->second;
    m.rank = 2;
    m.dims[0] = 64 / k.size - 1; // the last element of each row hangs over
    m.dims[1] = 3;
    m.box[0] = 64 / k.size;
    m.box[1] = 4;
    m.strides[0] = 80;
    std::vector<uint8_t> tensor(320), image(256);
    for (size_t b = 0; b != tensor.size(); ++b)
      tensor[b] = uint8_t(k.onto >> 8 * (b % k.size));
    for (size_t b = 0; b != image.size(); ++b)
      image[b] = uint8_t(k.value >> 8 * (b % k.size));
    m.address = upload(memory, tensor, "tensor");
    uint64_t aux = upload(memory, image, "image");
    std::string op = k.op.substr(0, 3) == "add" ? "add" : k.op;
    TmaRun r =
        runTma(copyIn(256) + "@%p0 cp.reduce.async.bulk.tensor.2d.global.shared::cta." + op +
                   ".tile.bulk_group [%rd1, {0, 0}], [%r2];\ncp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
               encoded(m), memory, aux, {});
    ASSERT_TRUE(r.result.ok) << reports(r.result) << k.op << k.type;
    auto got = download<uint8_t>(memory, m.address, 320);
    for (unsigned b = 0; b != 320; ++b) {
      bool inside = b / 80 < 3 && b % 80 < 64 - k.size;
      ASSERT_EQ(got[b], uint8_t((inside ? k.result : k.onto) >> 8 * (b % k.size)))
          << k.op << "." << k.type << " byte " << b;
    }
  }
}

/// Many blocks on several host threads add onto the same elements.
TEST(EmulatorTma, ReductionsAreAtomic) {
  Memory memory;
  uint64_t target = upload(memory, std::vector<uint32_t>(256), "target");
  auto m = parse(ptx(R"(
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<8>; .reg .b64 %rd<4>; .shared .align 16 .b8 buf[1024];
ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, buf; mad.lo.u32 %r2, %r0, 16, %r1;
st.shared.v4.u32 [%r2], {%r0, 1, 2, 3}; fence.proxy.async.shared::cta; bar.warp.sync 0xffffffff;
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd0], [%r2], 16;
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;
})"));
  LaunchConfig c;
  c.block = {32};
  c.grid = {64};
  c.args.add(target);
  LaunchResult r = launch(*m, memory, c);
  EXPECT_TRUE(r.ok) << reports(r);
  auto got = download<uint32_t>(memory, target, 4);
  EXPECT_EQ(got[0], 64u * 496);
  EXPECT_EQ(got[1], 64u * 32);
  EXPECT_EQ(got[3], 64u * 96);
}

/// A ring: every block sends 256 bytes to the next one, and reduces onto its own share there afterwards.
TEST(EmulatorTma, SharedToShared) {
  everyTiming([](LaunchOptions o) {
    Memory memory;
    TmaSetup s;
    s.blocks = 4;
    s.cluster = {4};
    s.outBytes = 256;
    s.options = o;
    TmaRun r = runTma(initBarriers() + expectTx(256) + expectTx(128, 1) + R"(
        shl.b32 %r3, %r0, 3; add.u32 %r3, %r3, %r2; mad.lo.u32 %r4, %r1, 1000, %r0;
        st.shared.v2.u32 [%r3+1024], {%r4, 5}; fence.proxy.async; bar.sync 0;
        barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
        add.u32 %r5, %r1, 1; and.b32 %r5, %r5, 3; mapa.shared::cluster.u32 %r6, %r2, %r5; mov.u32 %r7, bar; mapa.shared::cluster.u32 %r8, %r7, %r5;
        @%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r6], [%r2+1024], 256, [%r8];
        )" + waitBarrier() +
                          R"(
        barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
        @%p0 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r6], [%r2+1024], 128, [%r8+8];
        )" + waitBarrier(1) +
                          copyOut(256) + "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
                      MapBytes{}, memory, 0, s);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
    for (uint32_t block = 0; block != 4; ++block)
      for (uint32_t i = 0; i != 64; ++i) {
        uint32_t got, from = (block + 3) % 4;
        std::memcpy(&got, &r.out[256 * block + 4 * i], 4);
        uint32_t value = i % 2 ? 5 : from * 1000 + i / 2;
        ASSERT_EQ(got, i < 32 ? 2 * value : value) << block << " " << i;
      }
  });
}

/// st.async and red.async to the other block of a pair.
TEST(EmulatorTma, AsyncStores) {
  everyTiming([](LaunchOptions o) {
    Memory memory;
    TmaSetup s;
    s.blocks = 2;
    s.cluster = {2};
    s.outBytes = 1024;
    s.options = o;
    TmaRun r =
        runTma(initBarriers() + fillBuffer(1024) + expectTx(32 * 16 + 32 * 8) + expectTx(32 * 4 + 32 * 8, 1) + R"(
        barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
        xor.b32 %r5, %r1, 1; mapa.shared::cluster.u32 %r6, %r2, %r5; mov.u32 %r7, bar; mapa.shared::cluster.u32 %r8, %r7, %r5;
        mad.lo.u32 %r9, %r0, 16, %r6; mad.lo.u32 %r10, %r0, 8, %r6; mad.lo.u32 %r11, %r1, 100, %r0; cvt.u64.u32 %rd10, %r11;
        st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r9], {%r11, 1, 2, 3}, [%r8];
        st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%r10+512], %rd10, [%r8];
        )" + waitBarrier() +
                   R"(
        barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
        red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r6+4], %r0, [%r8+8];
        red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%r10+512], 1, [%r8+8];
        )" + waitBarrier(1) +
                   copyOut(1024) + "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
               MapBytes{}, memory, 0, s);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
    for (uint32_t block = 0; block != 2; ++block)
      for (uint32_t t = 0; t != 32; ++t) {
        uint32_t got[4];
        uint64_t wide;
        std::memcpy(got, &r.out[1024 * block + 16 * t], 16);
        std::memcpy(&wide, &r.out[1024 * block + 512 + 8 * t], 8);
        ASSERT_EQ(got[0], (block ^ 1) * 100 + t);
        ASSERT_EQ(got[1], t == 0 ? 1u + 496 : 1u);
        ASSERT_EQ(got[3], 3u);
        ASSERT_EQ(wide, (block ^ 1) * 100 + t + 1);
      }
  });
}

/// A store to memory-mapped space of a device, here to global memory that another thread acquires.
TEST(EmulatorTma, AsyncStoresToDevices) {
  std::unique_ptr<Module> m = parse(ptx(R"(.visible .entry k(.param .u64 a) {
  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d;
  ld.param.u64 %d, [a]; mov.u32 %r0, %tid.x; setp.ne.u32 %p, %r0, 0; @%p bra READ;
  mov.u32 %r1, 41; st.async.mmio.release.gpu.global.b32 [%d], %r1; ret;
READ:
  ld.acquire.gpu.global.b32 %r1, [%d]; setp.ne.u32 %p, %r1, 41; @%p bra READ;
  st.global.b32 [%d+4], %r1; ret;
}
)",
                                        "sm_100a"));
  ASSERT_TRUE(m);
  Memory memory;
  uint64_t a = memory.allocate(8, "a", Memory::Init::Zero);
  LaunchConfig config;
  config.block = {33};
  config.args.add(a);
  config.options.checkRaces = true;
  LaunchResult r = launch(*m, memory, config);
  EXPECT_TRUE(r.ok) << reports(r);
  EXPECT_EQ(download<uint32_t>(memory, a, 2), (std::vector<uint32_t>{41, 41}));
}

/// The packed types: images of 16 elements take 8 bytes, or 16 with padding that stays as it is; complete_tx counts
/// bytes without padding.
TEST(EmulatorTma, PackedTypes) {
  struct Case {
    TensorType type;
    uint32_t packed, image;
  };
  for (const Case &k :
       {Case{TensorType::B4x16, 8, 8}, Case{TensorType::B4x16P64, 8, 16}, Case{TensorType::B6x16P32, 12, 16}}) {
    Memory memory;
    Tensormap m;
    m.type = k.type;
    m.rank = 2;
    m.dims[0] = 256;
    m.dims[1] = 3;
    m.box[0] = 128;
    m.box[1] = 4;
    m.strides[0] = 16 * k.packed + 32;
    std::vector<uint8_t> tensor(3 * m.strides[0]);
    for (size_t i = 0; i != tensor.size(); ++i)
      tensor[i] = uint8_t(i * 37 + 1);
    m.address = upload(memory, tensor, "tensor");
    TmaSetup s;
    s.target = "sm_100a";
    s.outBytes = 512;
    TmaRun r = runTma(initBarriers() + fillBuffer(512) + expectTx(4 * 8 * k.packed) +
                          "@%p0 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], "
                          "[%rd1, {128, 0}], [bar];\n" +
                          waitBarrier() + copyOut(512),
                      encoded(m), memory, 0, s);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
    for (uint32_t y = 0; y != 4; ++y)
      for (uint32_t group = 0; group != 8; ++group)
        for (uint32_t b = 0; b != k.image; ++b) {
          uint8_t want = b >= k.packed ? 0xee : y == 3 ? 0 : tensor[y * m.strides[0] + (8 + group) * k.packed + b];
          ASSERT_EQ(r.out[(y * 8 + group) * k.image + b], want) << tensorTypeName(k.type) << y << group << b;
        }
    if (k.type != TensorType::B6x16P32)
      continue;
    // A store takes one element from each byte and drops the upper two bits.
    std::vector<uint8_t> image(512);
    for (size_t i = 0; i != image.size(); ++i)
      image[i] = uint8_t(i * 11 + 3);
    uint64_t aux = upload(memory, image, "image");
    r = runTma(copyIn(512) + "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {0, 0}], [%r2];\n"
                             "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
               encoded(m), memory, aux, s);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
    for (uint32_t y = 0; y != 3; ++y)
      for (uint32_t e = 0; e != 128; ++e) {
        auto bytes = download<uint8_t>(memory, m.address + y * m.strides[0] + e / 4 * 3, 3);
        uint32_t four = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
        ASSERT_EQ(four >> 6 * (e % 4) & 63, image[y * 128 + e] & 63u) << y << " " << e;
      }
  }
}

/// tf32 maps round to the nearest, ties to even, ftz maps flush subnormals; other bits pass, as infinities and NaNs do.
TEST(EmulatorTma, ConvertingTypes) {
  const uint32_t in[8] = {0x3f801000, 0x80000123, 0x7fc00001, 0x3f800fff,
                          0x3f803000, 0x3f801001, 0x7f7fffff, 0xff800000};
  const std::pair<TensorType, std::array<uint32_t, 8>> cases[] = {
      {TensorType::F32,
       {0x3f801000, 0x80000123, 0x7fc00001, 0x3f800fff, 0x3f803000, 0x3f801001, 0x7f7fffff, 0xff800000}},
      {TensorType::F32Ftz,
       {0x3f801000, 0x80000000, 0x7fc00001, 0x3f800fff, 0x3f803000, 0x3f801001, 0x7f7fffff, 0xff800000}},
      {TensorType::TF32,
       {0x3f800000, 0x80000000, 0x7fc00001, 0x3f800000, 0x3f804000, 0x3f802000, 0x7f800000, 0xff800000}},
      {TensorType::TF32Ftz,
       {0x3f800000, 0x80000000, 0x7fc00001, 0x3f800000, 0x3f804000, 0x3f802000, 0x7f800000, 0xff800000}},
  };
  for (auto &[type, want] : cases) {
    Memory memory;
    Tensormap m;
    m.type = type;
    m.dims[0] = m.box[0] = 8;
    m.address = upload(memory, std::vector<uint32_t>(in, in + 8), "tensor");
    TmaSetup s;
    s.outBytes = 128;
    TmaRun r = runTma(initBarriers() + fillBuffer(128) + expectTx(32) +
                          "@%p0 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], "
                          "[%rd1, {0}], [bar];\n" +
                          waitBarrier() + copyOut(128),
                      encoded(m), memory, 0, s);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
    EXPECT_EQ(std::memcmp(r.out.data(), want.data(), 32), 0) << tensorTypeName(type);
  }
}

/// NC/8HWC8: slices of 16 bytes; the box keeps the order of memory: images, slices, rows, pixels.
TEST(EmulatorTma, Interleaved) {
  Memory memory;
  Tensormap m;
  m.type = TensorType::F16;
  m.rank = 4;
  m.interleave = TensorInterleave::B16;
  m.dims[0] = 24, m.dims[1] = 5, m.dims[2] = 4, m.dims[3] = 2; // C, W, H, N
  m.strides[1] = 5 * 16;                                       // H
  m.strides[0] = 4 * 80;                                       // slices
  m.strides[2] = 3 * 320;                                      // N
  m.box[0] = 16, m.box[1] = 3, m.box[2] = 2, m.box[3] = 2;
  std::vector<uint32_t> tensor(2 * 960 / 4);
  for (uint32_t i = 0; i != tensor.size(); ++i)
    tensor[i] = i + 1;
  m.address = upload(memory, tensor, "tensor");
  TmaSetup s;
  s.outBytes = 384;
  // From channel 16 (the second slice of the box is outside), w 3 (one pixel is outside), h -1, n 1 (one outside).
  TmaRun r = runTma(initBarriers() + fillBuffer(384) + expectTx(384) +
                        "@%p0 cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], "
                        "[%rd1, {16, 3, -1, 1}], [bar];\n" +
                        waitBarrier() + copyOut(384),
                    encoded(m), memory, 0, s);
  ASSERT_TRUE(r.result.ok) << reports(r.result);
  uint32_t at = 0;
  for (int n = 1; n != 3; ++n)
    for (int slice = 2; slice != 4; ++slice)
      for (int h = -1; h != 1; ++h)
        for (int w = 3; w != 6; ++w)
          for (int word = 0; word != 4; ++word, ++at) {
            uint32_t got, want = 0;
            std::memcpy(&got, &r.out[4 * at], 4);
            if (n < 2 && slice < 3 && h >= 0 && w < 5)
              want = tensor[size_t(n * 960 + slice * 320 + h * 80 + w * 16) / 4 + word];
            ASSERT_EQ(got, want) << n << slice << h << w << word;
          }
}

/// What the hardware would not accept, each with its report and place.
TEST(EmulatorTma, Misuse) {
  struct Case {
    std::string text;
    ReportKind kind;
    std::string message;
    std::string target = "sm_90a";
  };
  auto load = [](const std::string &operands) {
    return "@%p0 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes " + operands + ";";
  };
  const Case cases[] = {
      {load("[%r2+64], [%rd1, {0, 0}], [bar]"), ReportKind::Misaligned, "multiple of 128"},
      {"add.u64 %rd5, %rd1, 32;" + load("[%r2], [%rd5, {0, 0}], [bar]"), ReportKind::Misaligned, "multiple of 64"},
      {load("[%r2], [%rd3, {0, 0}], [bar]"), ReportKind::Descriptor, "not a tensor map"},
      {"add.u64 %rd5, %rd3, 1024;" + load("[%r2], [%rd5, {0, 0}], [bar]"), ReportKind::OutOfBounds, "no tensor map"},
      {load("[%r2], [%rd1, {0, 0}], [bar+4]"), ReportKind::Misaligned, "mbarrier"},
      {load("[%r2], [%rd1, {0, 0}], [%r2]"), ReportKind::Mbarrier, "no mbarrier"},
      {load("[%r2+40832], [%rd1, {0, 0}], [bar]"), ReportKind::OutOfBounds, "shared memory"},
      {"@%p0 cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1, {0, 0, 0}], "
       "[bar];",
       ReportKind::Descriptor, "rank 2"},
      {"@%p0 cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r2], [%rd1, {0, 0, "
       "0}], [bar], {%h1};",
       ReportKind::Descriptor, "rank 2"},
      {"@%p0 cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%r2], [%rd1, {0, "
       "0, 0, 0, 0}], [bar];",
       ReportKind::Descriptor, "one row", "sm_100a"},
      {"@%p0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {-4, 0}], [%r2];", ReportKind::Descriptor,
       "negative"},
      {"@%p0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {2, 0}], [%r2];", ReportKind::Descriptor,
       "multiple of 16"},
      {"mov.u32 %r9, 24; @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd3], %r9, "
       "[bar];",
       ReportKind::Misaligned, "multiple of 16"},
      {"@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2+8], [%rd3], 16, [bar];",
       ReportKind::Misaligned, "destination"},
      {"@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd3+4], 16, [bar];",
       ReportKind::Misaligned, "source"},
      {"@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd3+1008], 32, [bar];",
       ReportKind::OutOfBounds, "read"},
      {"@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd3+1008], [%r2], 32;", ReportKind::OutOfBounds, "write"},
      {"@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r2], [%rd3], 16, "
       "[bar], 2;",
       ReportKind::InvalidOperation, "does not have"},
      {"@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2+0x1000000], [%rd3], 16, [bar];",
       ReportKind::InvalidOperation, "only 1 blocks"},
      {"@%p0 cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.bulk_group [%rd1, {0, 0}], [%r2];",
       ReportKind::Descriptor, "reduction"},
      {"mov.u32 %r9, bar; @%p0 st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r2+4], {1, 2}, [%r9];",
       ReportKind::Misaligned, "multiple of 8"},
  };
  for (const Case &k : cases)
    for (AsyncTiming timing : {AsyncTiming::Early, AsyncTiming::Late}) {
      Memory memory;
      Tensormap m;
      m.type = TensorType::F32;
      m.rank = 2;
      m.dims[0] = m.box[0] = 8;
      m.dims[1] = m.box[1] = 8;
      m.strides[0] = 32;
      m.address = upload(memory, std::vector<float>(64), "tensor");
      uint64_t aux = upload(memory, std::vector<uint8_t>(1024, 3), "aux");
      TmaSetup s;
      s.target = k.target;
      s.options.asyncTiming = timing;
      TmaRun r = runTma("mov.b16 %h1, 0;" + initBarriers() + fillBuffer(1024) + "\n" + k.text +
                            "\ncp.async.bulk.commit_group; cp.async.bulk.wait_group 0; bar.sync 0;",
                        encoded(m), memory, aux, s);
      ASSERT_FALSE(r.result.ok) << k.text;
      const Report *report = findReport(r.result, k.kind);
      ASSERT_TRUE(report) << k.text << "\n" << reports(r.result);
      EXPECT_NE(report->message.find(k.message), std::string::npos) << report->message;
      EXPECT_NE(k.text.find(report->ptx), std::string::npos) << report->ptx;
    }
}

/// A remote copy must go to another block, and its mbarrier must be there.
TEST(EmulatorTma, MisuseInClusters) {
  const std::pair<std::string, std::string> cases[] = {
      {"@%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r2], [%r2+1024], 16, [bar];",
       "another block"},
      {"@%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r6], [%r2+1024], 16, [bar];",
       "same block"},
      {"@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r6], 16;", "own shared memory"},
      {"@%p0 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r6], [%rd2], 16, [bar];",
       "own shared memory"},
      {"@%p0 st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r6], 3, [%r9];", "same block"},
  };
  for (auto &[text, message] : cases) {
    Memory memory;
    TmaSetup s;
    s.blocks = 2;
    s.cluster = {2};
    s.outBytes = 128;
    TmaRun r = runTma(initBarriers() + fillBuffer(2048) +
                          "mov.u32 %r9, bar; xor.b32 %r5, %r1, 1; mapa.shared::cluster.u32 %r6, %r2, "
                          "%r5;\nbarrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n" +
                          text +
                          "\ncp.async.bulk.commit_group; cp.async.bulk.wait_group 0; barrier.cluster.arrive.aligned; "
                          "barrier.cluster.wait.aligned;",
                      MapBytes{}, memory, 0, s);
    const Report *report = findReport(r.result, ReportKind::InvalidOperation);
    ASSERT_TRUE(report) << text << "\n" << reports(r.result);
    EXPECT_NE(report->message.find(message), std::string::npos) << report->message;
  }
}

/// Forms that do not exist are refused when the text is read.
TEST(EmulatorTma, RefusedForms) {
  const std::pair<std::string, std::string> cases[] = {
      {"cp.async.bulk.tensor.2d.shared::cluster.global.bulk_group [%r2], [%rd1, {0, 0}], [%r2];",
       "mbarrier::complete_tx::bytes"},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1, {0, 0, 0}], [%r2];",
       "2 coordinates"},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], [%r2];",
       "coordinates"},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r2], [%rd1, {0, 0}], "
       "[%r2], {0};",
       "3 to 5"},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes [%r2], [%rd1, {0, 0, "
       "0, 0, 0}], [%r2];",
       "sm_100"},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r2], [%rd1, "
       "{0, 0}], [%r2];",
       "4 operands"},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1, {%rd1, 0}], [%r2];",
       "32 bits"},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1, {%none, 0}], [%r2];",
       "undefined"},
      {"cp.async.bulk.tensor.2d.global.shared::cta.im2col.bulk_group [%rd1, {0, 0}], [%r2];", "direction"},
      {"cp.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%rd1, {0, 0}], [%r2];",
       "cp.reduce.async.bulk.tensor"},
      {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%rd1], [%r2], 16;", "unsupported"},
      {"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.f32 [%r2], [%r2], 16, [%r2];",
       "unsupported"},
      {"tensormap.replace.tile.rank.b1024.b64 [%rd1], %rd1;", "unsupported"},
      {"tensormap.replace.tile.box_dim.global.b1024.b32 [%rd1], 5, %r2;", "out of range"},
      {"st.async.mmio.release.gpu.global.b32 [%rd1], %r2;", "needs sm_100"},
  };
  for (auto &[text, message] : cases) {
    std::string errors = parseError(
        ptx(".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<4>; .reg .b64 %rd<4>;\n" + text + "\nret;\n}\n"));
    EXPECT_NE(errors.find(message), std::string::npos) << text << "\n" << errors;
    EXPECT_NE(errors.find("test.ptx:7:"), std::string::npos) << errors;
  }
}

/// Runs last: everything above that runs is also accepted by the assembler.
TEST(EmulatorTmaZ, AssemblerAgrees) {
  if (ptxasPath().empty())
    GTEST_SKIP() << "no ptxas";
  ASSERT_FALSE(modules().empty());
  EXPECT_EQ(assembleAll(), "");
}

} // namespace
