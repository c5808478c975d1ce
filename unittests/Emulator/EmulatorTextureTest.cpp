//===- EmulatorTextureTest.cpp - Textures and surfaces ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What CUDA C++ does not write: forms of PTX, results by hand, faults. Filters and address modes against a reference:
// test/Device/programs/textures.cu.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include "tileiras/Emulator/Machine/Texture/Texture.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

/// A memory with a 4 x 2 image of floats, texel (x, y) = 10 y + x, as a texture and as a surface.
struct Textures : ::testing::Test {
  Memory memory;
  uint64_t image = 0, texture = 0, surface = 0, out = 0;

  void SetUp() override {
    image = memory.allocate(2 * 64, "image", Memory::Init::Zero);
    for (uint32_t y = 0; y != 2; ++y)
      for (uint32_t x = 0; x != 4; ++x) {
        const float v = float(10 * y + x);
        memory.copyIn(image + 64 * y + 4 * x, &v, 4);
      }
    texture = memory.textures().add(object(false));
    surface = memory.textures().add(object(true));
    out = memory.allocate(256, "out", Memory::Init::Zero);
  }
  TextureObject object(bool isSurface) const {
    TextureObject o;
    o.surface = isSurface;
    o.linear = true;
    o.levels = {{image, 4, 2, 1, 64, 128}};
    return o;
  }
  LaunchResult launchCode(const std::string &code, unsigned threads = 1, bool races = false) {
    std::unique_ptr<Module> m = parse(ptx(R"(.visible .entry k(.param .u64 t, .param .u64 s, .param .u64 out) {
  .reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<20>; .reg .b64 %d<8>; .reg .f32 %f<16>;
  ld.param.u64 %d0, [t]; ld.param.u64 %d1, [s]; ld.param.u64 %d2, [out]; mov.u32 %r0, %tid.x;
)" + code + "\n  ret;\n}\n"));
    LaunchConfig config;
    config.block = {threads};
    config.args.add(texture).add(surface).add(out);
    config.options.checkRaces = races;
    return m ? launch(*m, memory, config) : LaunchResult();
  }
  template <typename T> std::vector<T> results(size_t count) { return download<T>(memory, out, count); }
  void good(const std::string &code) {
    LaunchResult r = launchCode(code);
    EXPECT_TRUE(r.ok) << reports(r) << code;
  }
  void faulty(const std::string &code, ReportKind kind, const std::string &text) {
    LaunchResult r = launchCode(code);
    const Report *report = findReport(r, kind);
    ASSERT_TRUE(report) << reports(r) << code;
    EXPECT_NE(report->message.find(text), std::string::npos) << report->message;
  }
};

TEST_F(Textures, Fetch) {
  // The middle of four texels, with a predicate; offsets; halves; the whole four of a footprint.
  good("mov.f32 %f0, 0f40000000; mov.f32 %f1, 0f3f800000; " // (2, 1)
       "tex.2d.v4.f32.f32 {%f2,%f3,%f4,%f5}|%p1, [%d0, {%f0,%f1}]; selp.f32 %f6, %f2, %f3, %p1; "
       "st.global.v4.f32 [%d2], {%f6,%f3,%f4,%f5}; mov.u32 %r1, 1; mov.u32 %r2, -1; "
       "tex.2d.v4.f32.f32 {%f2,%f3,%f4,%f5}, [%d0, {%f0,%f1}], {%r1,%r2}; st.global.f32 [%d2+16], %f2; "
       "tld4.r.2d.v4.f32.f32 {%f2,%f3,%f4,%f5}, [%d0, {%f0,%f1}]; st.global.v4.f32 [%d2+32], {%f2,%f3,%f4,%f5};");
  std::vector<float> r = results<float>(12);
  EXPECT_EQ(r[0], 6.5f); // of 1, 2, 11, 12
  EXPECT_EQ(r[1], 0);
  EXPECT_EQ(r[3], 1);    // alpha of a format that has none
  EXPECT_EQ(r[4], 2.5f); // one to the right, and above the first row, which is clamped
  EXPECT_EQ((std::vector<float>(r.begin() + 8, r.end())), (std::vector<float>{11, 12, 2, 1}));
  good("mov.f32 %f0, 0f40000000; mov.f32 %f1, 0f3f800000; tex.2d.v2.f16x2.f32 {%r1,%r2}, [%d0, {%f0,%f1}]; "
       "st.global.v2.b32 [%d2], {%r1,%r2}; tex.2d.v4.f16.f32 {%h0,%h1,%h2,%h3}, [%d0, {%f0,%f1}]; st.global.b16 "
       "[%d2+8], %h0; "
       "mov.u32 %r3, 3; mov.u32 %r4, 9; tex.2d.v4.f32.s32 {%f2,%f3,%f4,%f5}, [%d0, {%r3,%r4}]; st.global.f32 [%d2+12], "
       "%f2;");
  EXPECT_EQ(results<uint32_t>(2), (std::vector<uint32_t>{0x00004680, 0x3c000000})); // 6.5, 0, 0, 1
  EXPECT_EQ(results<uint32_t>(3)[2] & 0xffff, 0x4680u);
  EXPECT_EQ(results<float>(4)[3], 13); // by index, clamped
}

TEST_F(Textures, Queries) {
  good("txq.width.b32 %r1, [%d0]; txq.height.b32 %r2, [%d0]; txq.channel_data_type.b32 %r3, [%d0]; "
       "suq.channel_order.b32 %r4, [%d1]; "
       "st.global.v4.b32 [%d2], {%r1,%r2,%r3,%r4}; istypep.texref %p0, %d0; istypep.surfref %p1, %d0; "
       "selp.u32 %r1, 1, 0, %p0; selp.u32 %r2, 1, 0, %p1; st.global.v2.b32 [%d2+16], {%r1,%r2};");
  EXPECT_EQ(results<uint32_t>(6), (std::vector<uint32_t>{4, 2, 0x10de, 0x10b0, 1, 0}));
}

TEST_F(Textures, Surfaces) {
  // Bytes and pixels as coordinates, the three modes at the border, reductions.
  good(
      "mov.u32 %r1, 4; mov.u32 %r2, 1; mov.b32 %r3, 0f40e00000; sust.b.2d.b32.trap [%d1, {%r1,%r2}], %r3; " // (1, 1) =
                                                                                                            // 7
      "mov.u32 %r4, 2; mov.b32 %r5, 0f41000000; sust.p.2d.b32.trap [%d1, {%r4,%r2}], {%r5}; " // (2, 1) = 8
      "mov.u32 %r6, 16; suld.b.2d.b32.zero %r7, [%d1, {%r6,%r2}]; suld.b.2d.b32.clamp %r8, [%d1, {%r6,%r2}]; "
      "mov.u32 %r12, 8; suld.b.2d.v2.b32.trap {%r9,%r10}, [%d1, {%r12,%r2}]; sust.b.2d.b32.zero [%d1, {%r6,%r2}], %r5; "
      "bar.warp.sync 1; sured.b.add.2d.u32.trap [%d1, {%r1,%r2}], %r2; suld.b.2d.b8.trap %r11, [%d1, {%r1,%r2}]; "
      "st.global.v4.b32 [%d2], {%r7,%r8,%r9,%r10}; st.global.b32 [%d2+16], %r11;");
  EXPECT_EQ(results<float>(4), (std::vector<float>{0, 13, 8, 13}));
  EXPECT_EQ(results<uint32_t>(5)[4], 1u);
}

TEST_F(Textures, Reductions) {
  // (0, 0) is 0 and (1, 0) is 1.0f; least and greatest, bits, and pixels counted as such. Levels have sizes of their
  // own.
  good("mov.u32 %r1, 4; mov.u32 %r2, 0; mov.u32 %r3, 0x40000000; mov.u32 %r5, 1; "
       "sured.b.max.2d.u32.trap [%d1, {%r1,%r2}], %r3; suld.b.2d.b32.trap %r6, [%d1, {%r1,%r2}]; "
       "sured.b.min.2d.s32.trap [%d1, {%r1,%r2}], -5; suld.b.2d.b32.trap %r7, [%d1, {%r1,%r2}]; "
       "sured.b.and.2d.b32.trap [%d1, {%r1,%r2}], 0xff; suld.b.2d.b32.trap %r8, [%d1, {%r1,%r2}]; "
       "sured.b.or.2d.b32.trap [%d1, {%r1,%r2}], 0x100; suld.b.2d.b32.trap %r9, [%d1, {%r1,%r2}]; "
       "sured.p.add.2d.b32.trap [%d1, {%r2,%r2}], 7; suld.b.2d.b32.trap %r10, [%d1, {%r2,%r2}]; "
       "txq.level.width.b32 %r11, [%d0], 0; txq.level.height.b32 %r12, [%d0], 0; "
       "st.global.v4.b32 [%d2], {%r6,%r7,%r8,%r9}; st.global.b32 [%d2+16], %r10; st.global.v2.b32 [%d2+24], "
       "{%r11,%r12};");
  EXPECT_EQ(results<uint32_t>(8), (std::vector<uint32_t>{0x40000000, uint32_t(-5), 0xfb, 0x1fb, 7, 0, 4, 2}));
}

TEST_F(Textures, Faults) {
  faulty("mov.u32 %r1, 16; mov.u32 %r2, 0; suld.b.2d.b32.trap %r3, [%d1, {%r1,%r2}];", ReportKind::OutOfBounds,
         "at byte 16 of row 0");
  faulty("mov.u32 %r1, 2; suld.b.2d.b32.clamp %r3, [%d1, {%r1,%r1}];", ReportKind::Misaligned, "x counts bytes");
  faulty("mov.u32 %r1, 0; suld.b.2d.b32.trap %r3, [%d0, {%r1,%r1}];", ReportKind::InvalidOperation,
         "but a texture object");
  faulty("mov.f32 %f0, 0f00000000; tex.2d.v4.f32.f32 {%f2,%f3,%f4,%f5}, [%d2, {%f0,%f0}];",
         ReportKind::InvalidOperation, "is no texture object");
  faulty("mov.f32 %f0, 0f00000000; tex.3d.v4.f32.f32 {%f2,%f3,%f4,%f5}, [%d0, {%f0,%f0,%f0,%f0}];",
         ReportKind::InvalidOperation, "this one is two-dimensional");
  // Two threads, one pixel, no order.
  LaunchResult r = launchCode("mov.u32 %r1, 0; sust.b.2d.b32.trap [%d1, {%r1,%r1}], %r0;", 2, true);
  EXPECT_TRUE(hasReport(r, ReportKind::Race)) << reports(r);
  r = launchCode("mov.u32 %r1, 0; sured.b.add.2d.u32.trap [%d1, {%r1,%r1}], %r0;", 64, true);
  EXPECT_TRUE(r.ok) << reports(r);
  r = launchCode("mov.u32 %r1, 0; sust.b.2d.b32.trap [%d1, {%r1,%r1}], 7;", 64, true);
  EXPECT_TRUE(r.ok) << reports(r); // equal values
}

TEST_F(Textures, Refused) {
  for (const char *wrong :
       {"tex.2d.v4.f32.f32 {%f2,%f3,%f4,%f5}, [%d0, {%f0}];", "tex.2d.v4.f32.f32 {%f2,%f3,%f4}, [%d0, {%f0,%f1}];",
        "tex.2d.v4.f32.f32 {%f2,%f3,%f4,%f5}, [%d0, %d1, {%f0,%f1}];",
        "tex.2d.v4.f32.f32 {%f2,%f3,%f4,%f5}, [%r0, {%f0,%f1}];",
        "tex.2d.v4.f32.f32 {%f2,%f3,%f4,%f5}, [%d0, {%r0,%r1}], %f0;",
        "suld.b.2d.v4.b64.trap {%d1,%d2,%d3,%d4}, [%d0, {%r0,%r1}];", "sust.b.2d.b32.trap [%d0, {%r0,%r1}], {%r2,%r3};",
        "txq.width.b32 %r0, [%d0, %r1];"})
    parseError(ptx(std::string(".visible .entry k() { .reg .b32 %r<20>; .reg .b64 %d<8>; .reg .f32 %f<8>; ") + wrong +
                   " ret; }"));
}

} // namespace
