//===- EmulatorTensormapTest.cpp - Tensor maps ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTmaUtil.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

struct Parameters {
  TensorType type = TensorType::BF16;
  unsigned rank = 2;
  uint64_t address = 0x200000000, dims[5] = {64, 64, 4, 4, 4}, strides[4] = {128, 8192, 32768, 131072};
  uint32_t box[5] = {64, 16, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
  TensorInterleave interleave = TensorInterleave::None;
  TensorSwizzle swizzle = TensorSwizzle::None;
  TensorFill fill = TensorFill::Zero;
  std::string encode() const {
    uint8_t bytes[128];
    return encodeTiled(bytes, type, rank, address, dims, strides, box, steps, interleave, swizzle,
                       TensorL2Promotion::B128, fill);
  }
};

/// Each requirement of cuTensorMapEncodeTiled, on both sides of its limit.
TEST(EmulatorTensormap, TiledRequirements) {
  struct Case {
    void (*change)(Parameters &);
    std::string message; ///< empty: accepted
  };
  const Case cases[] = {
      {[](Parameters &) {}, ""},
      {[](Parameters &p) { p.rank = 0; }, "rank 0"},
      {[](Parameters &p) { p.rank = 5; }, ""},
      {[](Parameters &p) { p.rank = 6; }, "rank 6"},
      {[](Parameters &p) { p.address += 8; }, "multiple of 16"},
      {[](Parameters &p) { p.address += 16; }, ""},
      {[](Parameters &p) { p.dims[1] = 0; }, "dimension 1"},
      {[](Parameters &p) { p.dims[1] = uint64_t(1) << 32; }, ""},
      {[](Parameters &p) { p.dims[1] = (uint64_t(1) << 32) + 1; }, "dimension 1"},
      {[](Parameters &p) { p.strides[0] = 136; }, "stride 0"},
      {[](Parameters &p) { p.strides[0] = (uint64_t(1) << 40) - 16; }, ""},
      {[](Parameters &p) { p.strides[0] = uint64_t(1) << 40; }, "2^40"},
      {[](Parameters &p) { p.box[1] = 256; }, ""},
      {[](Parameters &p) { p.box[1] = 257; }, "box dimension 1"},
      {[](Parameters &p) { p.box[1] = 0; }, "box dimension 1"},
      {[](Parameters &p) { p.box[0] = 12; }, "multiple of 16 bytes"},
      {[](Parameters &p) { p.steps[1] = 8; }, ""},
      {[](Parameters &p) { p.steps[1] = 9; }, "element stride 1"},
      {[](Parameters &p) { p.steps[1] = 0; }, "element stride 1"},
      {[](Parameters &p) { p.steps[0] = 0; }, ""}, // ignored without interleave
      {[](Parameters &p) { p.swizzle = TensorSwizzle::B128; }, ""},
      {[](Parameters &p) { p.swizzle = TensorSwizzle::B64; }, "swizzle span of 64"},
      {[](Parameters &p) {
         p.swizzle = TensorSwizzle::B64;
         p.box[0] = 32;
       },
       ""},
      {[](Parameters &p) {
         p.swizzle = TensorSwizzle::B32;
         p.box[0] = 32;
       },
       "swizzle span of 32"},
      {[](Parameters &p) {
         p.swizzle = TensorSwizzle::B128Atom64;
         p.box[0] = 128;
       },
       "swizzle span of 128"},
      {[](Parameters &p) { p.fill = TensorFill::NaN; }, ""},
      {[](Parameters &p) {
         p.fill = TensorFill::NaN;
         p.type = TensorType::U16;
       },
       "floating-point"},
      {[](Parameters &p) { p.interleave = TensorInterleave::B16; }, "rank 3 to 5"},
      {[](Parameters &p) {
         p.interleave = TensorInterleave::B16;
         p.rank = 3;
       },
       ""},
      {[](Parameters &p) {
         p.interleave = TensorInterleave::B32;
         p.rank = 3;
       },
       "swizzle 32B"},
      {[](Parameters &p) {
         p.interleave = TensorInterleave::B32;
         p.rank = 3;
         p.swizzle = TensorSwizzle::B32;
       },
       ""},
      {[](Parameters &p) {
         p.interleave = TensorInterleave::B32;
         p.rank = 3;
         p.swizzle = TensorSwizzle::B32;
         p.address += 16;
       },
       "multiple of 32"},
      {[](Parameters &p) {
         p.type = TensorType::B4x16;
         p.dims[0] = 65;
       },
       "even"},
      {[](Parameters &p) {
         p.type = TensorType::B4x16P64;
         p.dims[0] = 128;
         p.box[0] = 64;
       },
       "128 elements wide"},
      {[](Parameters &p) {
         p.type = TensorType::B4x16P64;
         p.dims[0] = 128;
         p.box[0] = 128;
       },
       ""},
      {[](Parameters &p) {
         p.type = TensorType::B4x16P64;
         p.dims[0] = 128;
         p.box[0] = 128;
         p.address += 16;
       },
       "multiple of 32"},
      {[](Parameters &p) {
         p.type = TensorType::B6x16P32;
         p.dims[0] = 128;
         p.box[0] = 128;
         p.swizzle = TensorSwizzle::B64;
       },
       "swizzle"},
  };
  for (size_t n = 0; n != std::size(cases); ++n) {
    Parameters p;
    cases[n].change(p);
    std::string error = p.encode();
    EXPECT_EQ(error.empty(), cases[n].message.empty()) << n << ": " << error;
    EXPECT_NE(error.find(cases[n].message), std::string::npos) << n << ": " << error;
  }
}

TEST(EmulatorTensormap, Im2colRequirements) {
  uint8_t bytes[128];
  uint64_t dims[5] = {64, 20, 20, 20, 4}, strides[4] = {128, 2560, 51200, 1024000};
  uint32_t steps[5] = {1, 1, 1, 1, 1};
  auto encode = [&](unsigned rank, int lower, int upper, uint32_t channels, uint32_t pixels) {
    int l[3] = {lower, lower, lower}, u[3] = {upper, upper, upper};
    return encodeIm2col(bytes, TensorType::BF16, rank, 0x200000000, dims, strides, l, u, channels, pixels, steps);
  };
  EXPECT_EQ(encode(4, -1, -1, 64, 128), "");
  EXPECT_NE(encode(2, -1, -1, 64, 128).find("rank 3 to 5"), std::string::npos);
  EXPECT_EQ(encode(3, -32768, 0, 64, 128), "");
  EXPECT_NE(encode(4, -129, 0, 64, 128), "");
  EXPECT_EQ(encode(5, -16, 15, 64, 128), "");
  EXPECT_NE(encode(5, -17, 0, 64, 128), "");
  EXPECT_NE(encode(4, 0, -20, 64, 128).find("empty"), std::string::npos);
  EXPECT_NE(encode(4, 0, 0, 257, 128).find("channels"), std::string::npos);
  EXPECT_NE(encode(4, 0, 0, 64, 1025).find("pixels"), std::string::npos);
  // The driver's corners come outermost first: D, H, W.
  int lower[3] = {-3, -2, -1}, upper[3] = {1, 2, 3};
  ASSERT_EQ(encodeIm2col(bytes, TensorType::BF16, 5, 0x200000000, dims, strides, lower, upper, 64, 128, steps), "");
  Tensormap m;
  ASSERT_EQ(decodeTensormap(bytes, m), "");
  EXPECT_EQ(m.lower[0], -1);
  EXPECT_EQ(m.upper[2], 1);
  EXPECT_NE(encodeIm2colWide(bytes, TensorType::BF16, 4, 0x200000000, dims, strides, 0, 0, 64, 128, steps,
                             TensorSwizzle::None),
            "");
  EXPECT_EQ(encodeIm2colWide(bytes, TensorType::BF16, 4, 0x200000000, dims, strides, 0, 0, 64, 128, steps,
                             TensorSwizzle::B128),
            "");
}

/// Every field survives, and every changed bit is noticed.
TEST(EmulatorTensormap, RoundTripAndChecksum) {
  Rng rng(5);
  for (int round = 0; round != 50; ++round) {
    Tensormap m;
    m.mode = TensorMode(rng.next() % 2);
    m.type = TensorType(rng.next() % 13);
    m.rank = 3 + unsigned(rng.next() % 3);
    m.address = rng.next() & ~uint64_t(15);
    unsigned size = tensorTypeBits(m.type) / 8;
    for (unsigned k = 0; k != m.rank; ++k) {
      m.dims[k] = 40 + rng.next() % ((uint64_t(1) << 32) - 40);
      m.elementStrides[k] = 1 + uint32_t(rng.next() % 8);
      if (k)
        m.strides[k - 1] = (rng.next() & ((uint64_t(1) << 40) - 1)) & ~uint64_t(15);
      if (m.mode == TensorMode::Tiled)
        m.box[k] = k ? 1 + uint32_t(rng.next() % 256) : 16 / size;
    }
    m.swizzle = TensorSwizzle(rng.next() % 8);
    m.l2 = TensorL2Promotion(rng.next() % 4);
    if (m.mode == TensorMode::Im2col) {
      m.channels = 16 / size;
      m.pixels = 1 + uint32_t(rng.next() % 1024);
      for (unsigned k = 0; k + 2 < m.rank; ++k) {
        m.lower[k] = int(rng.next() % 32) - 16;
        m.upper[k] = int(rng.next() % 16);
      }
    }
    MapBytes bytes = encoded(m);
    Tensormap back;
    ASSERT_EQ(decodeTensormap(bytes.data(), back), "");
    EXPECT_EQ(back.address, m.address);
    EXPECT_TRUE(std::equal(m.dims, m.dims + 5, back.dims));
    EXPECT_TRUE(std::equal(m.strides, m.strides + 4, back.strides));
    EXPECT_TRUE(std::equal(m.box, m.box + 5, back.box));
    EXPECT_TRUE(std::equal(m.elementStrides, m.elementStrides + 5, back.elementStrides));
    EXPECT_TRUE(std::equal(m.lower, m.lower + 3, back.lower));
    EXPECT_TRUE(std::equal(m.upper, m.upper + 3, back.upper));
    EXPECT_EQ(int(back.mode), int(m.mode));
    EXPECT_EQ(int(back.type), int(m.type));
    EXPECT_EQ(int(back.swizzle), int(m.swizzle));
    EXPECT_EQ(int(back.l2), int(m.l2));
    EXPECT_EQ(back.rank, m.rank);
    EXPECT_EQ(back.pixels, m.pixels);
    EXPECT_EQ(back.channels, m.channels);
    bytes[rng.next() % 128] ^= uint8_t(1 << rng.next() % 8);
    EXPECT_NE(decodeTensormap(bytes.data(), back), "");
  }
}

Tensormap smallMap(uint64_t address) {
  Tensormap m;
  m.type = TensorType::U32;
  m.rank = 2;
  m.dims[0] = 16, m.dims[1] = 8;
  m.box[0] = 8, m.box[1] = 4;
  m.strides[0] = 64;
  m.address = address;
  return m;
}
std::vector<uint32_t> counting(uint32_t n) {
  std::vector<uint32_t> v(n);
  for (uint32_t i = 0; i != n; ++i)
    v[i] = i + 1;
  return v;
}
/// Loads the box at (8, 2) of smallMap through the map at `map`, to out.
std::string loadSmall(const std::string &map) {
  return expectTx(128) + "@%p0 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [" +
         map + ", {8, 2}], [bar];\n" + waitBarrier() + copyOut(128);
}
void expectSmall(const TmaRun &r) {
  ASSERT_TRUE(r.result.ok) << reports(r.result);
  for (uint32_t i = 0; i != 32; ++i) {
    uint32_t got;
    std::memcpy(&got, &r.out[4 * i], 4);
    ASSERT_EQ(got, (2 + i / 8) * 16 + 8 + i % 8 + 1) << i;
  }
}

/// Maps as parameter (generic address), in global memory, and in constant memory.
TEST(EmulatorTensormap, Spaces) {
  Memory memory;
  uint64_t tensor = upload(memory, counting(128), "tensor");
  MapBytes bytes = encoded(smallMap(tensor));
  uint64_t inGlobal = upload(memory, std::vector<uint8_t>(bytes.begin(), bytes.end()), "map");
  TmaSetup s;
  s.outBytes = 128;
  expectSmall(
      runTma(initBarriers() +
                 "prefetch.tensormap [%rd1];\n@%p0 cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd1, {8, 2}];\n" +
                 loadSmall("%rd1"),
             bytes, memory, inGlobal, s));
  expectSmall(runTma(initBarriers() + loadSmall("%rd3"), bytes, memory, inGlobal, s));
  // The constant bank is part of the module.
  std::string list;
  for (uint8_t b : bytes)
    list += (list.empty() ? "" : ",") + std::to_string(b);
  auto m = parse(ptx(".const .align 64 .b8 cmap[128] = {" + list + R"(};
.visible .entry k(.param .u64 out)
{
.reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .shared .align 8 .b64 bar; .shared .align 128 .b8 buf[128];
mbarrier.init.shared::cta.b64 [bar], 1; mov.b64 %rd0, cmap; cvta.const.u64 %rd0, %rd0; mov.u32 %r2, buf; ld.param.u64 %rd2, [out];
mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%r2], [%rd0, {8, 2}], [bar];
W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra W;
cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 128; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;
})"));
  ASSERT_TRUE(m);
  LaunchConfig c;
  uint64_t out = memory.allocate(128, "out");
  c.args.add(out);
  TmaRun r;
  r.result = launch(*m, memory, c);
  r.out = download<uint8_t>(memory, out, 128);
  expectSmall(r);
}

const char *const replaceAll = R"(
    @!%p0 bra REPLACED;
    tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r10], %rd10;
    tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r10], 1;
    tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r10], 0, 8;
    tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r10], 1, 4;
    tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r10], 0, 16;
    tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r10], 1, 8;
    tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r10], 0, 64;
    tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r10], 0, 1;
    tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r10], 1, 1;
    tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%r10], 2;
    tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%r10], 0;
    tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%r10], 0;
    tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%r10], 0;
REPLACED: bar.warp.sync 0xffffffff;
)";

/// A map built in shared memory from zeros, published and used, as device code does it.
TEST(EmulatorTensormap, BuiltOnTheDevice) {
  for (const char *target : {"sm_90a", "sm_100a"})
    everyTiming([&](LaunchOptions o) {
      Memory memory;
      uint64_t tensor = upload(memory, counting(128), "tensor");
      uint64_t slot = memory.allocate(256, "map slot");
      memory.copyIn(slot + 128, &tensor, 8);
      TmaSetup s;
      s.target = target;
      s.outBytes = 128;
      s.options = o;
      std::string extra = std::string(target) == "sm_100a"
                              ? "@%p0 tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [%r10], "
                                "0;\nbar.warp.sync 0xffffffff;\n"
                              : "";
      TmaRun r = runTma(initBarriers() + R"(
          add.u32 %r10, %r2, 1024; mad.lo.u32 %r11, %r0, 4, %r10; st.shared.u32 [%r11], 0; bar.warp.sync 0xffffffff; ld.global.u64 %rd10, [%rd3+128];
          )" + replaceAll + extra +
                            R"(
          cvta.to.global.u64 %rd11, %rd3;
          tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd11], [%r10], 128;
          fence.proxy.tensormap::generic.acquire.gpu [%rd3], 128;
          )" + loadSmall("%rd3"),
                        MapBytes{}, memory, slot, s);
      expectSmall(r);
      // One that all threads load from, four of the map, four of what they write.
      EXPECT_EQ(r.result.stats.globalSectors, 9u);
    });
}

/// Without the fences of the tensormap proxy a copy may see an older map: the race checker says so.
TEST(EmulatorTensormap, MissingFences) {
  struct Case {
    std::string publish, fence;
    ReportKind kind;
  };
  const std::string release =
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd11], [%r10], 128;\n";
  const std::string copy = "ld.shared.u32 %r12, [%r11]; mul.wide.u32 %rd12, %r0, 4; add.u64 %rd12, %rd11, %rd12; "
                           "st.global.u32 [%rd12], %r12; bar.sync 0;\n";
  const std::string acquire = "fence.proxy.tensormap::generic.acquire.gpu [%rd3], 128;\n";
  const Case cases[] = {
      {release, acquire, ReportKind::Launch},
      {release, "", ReportKind::Proxy},
      {copy, acquire, ReportKind::Proxy},
      {copy + "fence.proxy.async;\n", "", ReportKind::Proxy},
      {copy + "fence.proxy.tensormap::generic.release.gpu; bar.sync 0;\n", acquire, ReportKind::Launch}};
  for (const Case &k : cases)
    for (AsyncTiming timing : {AsyncTiming::Early, AsyncTiming::Late}) {
      Memory memory;
      uint64_t tensor = upload(memory, counting(128), "tensor");
      uint64_t slot = memory.allocate(256, "map slot");
      memory.copyIn(slot + 128, &tensor, 8);
      TmaSetup s;
      s.outBytes = 128;
      s.options.asyncTiming = timing;
      TmaRun r = runTma(initBarriers() + R"(
          add.u32 %r10, %r2, 1024; mad.lo.u32 %r11, %r0, 4, %r10; st.shared.u32 [%r11], 0; bar.warp.sync 0xffffffff; ld.global.u64 %rd10, [%rd3+128];
          )" + replaceAll + "cvta.to.global.u64 %rd11, %rd3;\n" +
                            k.publish + k.fence + loadSmall("%rd3"),
                        MapBytes{}, memory, slot, s);
      EXPECT_EQ(r.result.ok, k.kind == ReportKind::Launch) << k.publish << k.fence << reports(r.result);
      EXPECT_EQ(hasReport(r.result, k.kind), k.kind != ReportKind::Launch) << k.publish << k.fence << reports(r.result);
    }
}

/// A host-made map that is changed in global memory; the template's other fields stay.
TEST(EmulatorTensormap, ReplacedInGlobalMemory) {
  Memory memory;
  uint64_t tensor = upload(memory, counting(128), "tensor");
  Tensormap wrong = smallMap(upload(memory, std::vector<uint32_t>(64), "wrong"));
  wrong.box[1] = 7;
  MapBytes bytes = encoded(wrong);
  std::vector<uint8_t> slot(bytes.begin(), bytes.end());
  slot.resize(136);
  std::memcpy(&slot[128], &tensor, 8);
  uint64_t map = upload(memory, slot, "map");
  TmaSetup s;
  s.outBytes = 128;
  expectSmall(runTma(initBarriers() + R"(
      ld.global.u64 %rd10, [%rd3+128]; mov.u32 %r11, 4;
      @%p0 tensormap.replace.tile.global_address.global.b1024.b64 [%rd3], %rd10;
      @%p0 tensormap.replace.tile.box_dim.b1024.b32 [%rd3], 1, %r11;
      fence.proxy.tensormap::generic.release.gpu; bar.sync 0; fence.proxy.tensormap::generic.acquire.gpu [%rd3], 128;
      )" + loadSmall("%rd3"),
                     MapBytes{}, memory, map, s));
}

TEST(EmulatorTensormap, Mistakes) {
  struct Case {
    std::string text, message;
    ReportKind kind;
  };
  const Case cases[] = {
      {"@%p0 st.global.u32 [%rd3+12], 5;" + loadSmall("%rd3"), "modified", ReportKind::Descriptor},
      {"@%p0 st.global.u32 [%rd3+12], 5; @%p0 tensormap.replace.tile.rank.global.b1024.b32 [%rd3], 1;", "modified",
       ReportKind::Descriptor},
      {"@%p0 tensormap.replace.tile.rank.global.b1024.b32 [%rd3], 5;", "rank - 1", ReportKind::Descriptor},
      {"@%p0 tensormap.replace.tile.rank.global.b1024.b32 [%rd3], 2;" + loadSmall("%rd3"), "rank 3",
       ReportKind::Descriptor},
      {"mov.u64 %rd10, 100; @%p0 tensormap.replace.tile.global_stride.global.b1024.b64 [%rd3], 0, %rd10;",
       "multiple of 16", ReportKind::Descriptor},
      {"mov.u64 %rd10, 8; @%p0 tensormap.replace.tile.global_address.global.b1024.b64 [%rd3], %rd10;" +
           loadSmall("%rd3"),
       "global address", ReportKind::Descriptor},
      {"@%p0 tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%rd3], 3; @%p0 "
       "tensormap.replace.tile.box_dim.global.b1024.b32 [%rd3], 0, 36;" +
           loadSmall("%rd3"),
       "swizzle span of 128", ReportKind::Descriptor},
      {"@%p0 tensormap.replace.tile.rank.b1024.b32 [%rd1], 1;", "can only be changed", ReportKind::OutOfBounds},
      {"@%p0 tensormap.replace.tile.rank.global.b1024.b32 [%rd3+16], 1;", "multiple of 64", ReportKind::Misaligned},
      {"@%p0 tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r2], 1;", "not all written",
       ReportKind::Uninitialized},
      {"@%p0 bra L; tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd3], "
       "[%r2], 128; L:",
       "all threads", ReportKind::WarpSync},
      {"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd3], [%r2+64], 128;",
       "multiples of 128", ReportKind::Misaligned},
  };
  for (const Case &k : cases) {
    Memory memory;
    uint64_t tensor = upload(memory, counting(128), "tensor");
    MapBytes bytes = encoded(smallMap(tensor));
    uint64_t map = upload(memory, std::vector<uint8_t>(bytes.begin(), bytes.end()), "map");
    TmaSetup s;
    s.outBytes = 128;
    TmaRun r = runTma(initBarriers() + k.text, bytes, memory, map, s);
    const Report *report = findReport(r.result, k.kind);
    ASSERT_TRUE(report) << k.text << "\n" << reports(r.result);
    EXPECT_NE(report->message.find(k.message), std::string::npos) << report->message;
  }
}

TEST(EmulatorTensormapZ, AssemblerAgrees) {
  if (ptxasPath().empty())
    GTEST_SKIP() << "no ptxas";
  EXPECT_EQ(assembleAll(), "");
}

} // namespace
