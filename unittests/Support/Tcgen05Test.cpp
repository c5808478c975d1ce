//===- Tcgen05Test.cpp - Products with sums in tensor memory --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The oracles are tables of the PTX ISA: "Instruction descriptor" and "Shared memory descriptor", field by field; the
// organisation of accumulators for 128 and for 64 rows; and the shape .32x32b of tcgen05.ld.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Support/Tcgen05.h"
#include "tileiras/Support/SmemDescriptor.h"
#include "tileiras/Support/Tcgen05Scales.h"
#include "gtest/gtest.h"

using namespace tileiras;

namespace {

DotShape shapeOf(int32_t m, int32_t n, int32_t k) {
  DotShape shape;
  shape.m = m, shape.n = n, shape.k = k;
  return shape;
}

TEST(Tcgen05, ScaledInstructionDescriptors) {
  // PTX ISA, "Instruction descriptor", table of kind mxf8f6f4: 128 x 128 of e4m3, and the same by the last byte of
  // both.
  Tcgen05Instruction i;
  i.kind = Tcgen05Instruction::Kind::F8F6F4;
  auto bytes = [](int32_t a, int32_t b) {
    Tcgen05Scaling scaling;
    scaling.byteA = a, scaling.byteB = b;
    return scaling;
  };
  EXPECT_EQ(scaledDescriptor(i, bytes(0, 0)), 0x08A00000u);
  EXPECT_EQ(scaledDescriptor(i, bytes(3, 3)), 0x68A00030u);
  EXPECT_EQ(scaledDescriptor(i, bytes(1, 0)), 0x28A00000u);
  i.typeA = 1, i.mnMajorB = true, i.n = 64;
  EXPECT_EQ(scaledDescriptor(i, bytes(0, 2)),
            0x08A00000u - (128u >> 3 << 17) + (64u >> 3 << 17) + (1u << 7) + (1u << 16) + 0x20u);
}

TEST(Tcgen05, ScaledPairs) {
  // The same table, of kinds mxf4 and mxf4nvf4: e2m1 is 1 there; powers of two, or ue4m3 where bit 23 is clear.
  Tcgen05Instruction i;
  i.typeA = i.typeB = 1;
  Tcgen05Scaling s;
  s.elements = 64;
  EXPECT_EQ(scaledDescriptor(i, s), 0x08A00480u);
  EXPECT_EQ(s.suffix(), "mxf4.block_scale.scale_vec::2X");
  s.byteA = s.byteB = 2;
  EXPECT_EQ(scaledDescriptor(i, s), 0x48A004A0u);
  s.byteA = s.byteB = 0, s.powers = false, s.block = 16;
  i.n = 256;
  EXPECT_EQ(scaledDescriptor(i, s), 0x08400480u);
  EXPECT_EQ(s.suffix(), "mxf4nvf4.block_scale.scale_vec::4X");
  s.elements = 96;
  EXPECT_EQ(scaledDescriptor(i, s), 0x88400480u);
  EXPECT_EQ(s.suffix(), "mxf4nvf4.block_scale.block16");
}

TEST(Tcgen05, StepsOfPairs) {
  auto text = [](int32_t bytes, int32_t panel, bool may96) {
    std::string all;
    for (Tcgen05PairStep step : tcgen05PairSteps(bytes, panel, may96))
      all += std::to_string(step.k) + ":" + std::to_string(step.elements) + " ";
    return all;
  };
  EXPECT_EQ(text(128, 128, false), "0:64 32:64 64:64 96:64 ");
  EXPECT_EQ(text(128, 128, true), "0:96 48:96 96:64 ");
  EXPECT_EQ(text(256, 128, true), "0:96 48:96 96:64 128:96 176:96 224:64 ");
  EXPECT_EQ(text(128, 64, true), "0:64 32:64 64:64 96:64 "); // 96 elements would go from one row to another
  EXPECT_EQ(text(64, 128, true), "0:64 32:64 ");
}

TEST(Tcgen05, PlacesOfScales) {
  // Row 100, k = 32 * 6 of 256 rows: lane 4 of each warp, byte 2; rows 96 to 127 are the fourth column of the second
  // group, which begins eight columns on.
  Tcgen05Scales scales{256, 8};
  EXPECT_EQ(scales.columns(), 16);
  EXPECT_EQ(scales.columnOf(100, 6), 3 + 8);
  LinearLayout registers = scales.registers(/*dim=*/0, /*warps=*/8);
  for (int32_t warp : {0, 3, 7}) {
    LinearLayout::Point at = registers.apply({{kRegister, 6 + 8 * 3}, {kLane, 4}, {kWarp, warp}, {kBlock, 0}});
    EXPECT_EQ(at[0].second, 100);
    EXPECT_EQ(at[1].second, 6);
  }
  // Columns of B are the other way round, and fewer than lanes have copies.
  LinearLayout few = Tcgen05Scales{16, 2}.registers(/*dim=*/1, /*warps=*/4);
  LinearLayout::Point at = few.apply({{kRegister, 1}, {kLane, 16 + 5}, {kWarp, 2}, {kBlock, 0}});
  EXPECT_EQ(at[0].second, 1);
  EXPECT_EQ(at[1].second, 5);
}

TEST(Tcgen05, InstructionDescriptorFieldByField) {
  // One field at a time, against the bits that the table gives it.
  Tcgen05Instruction zero;
  zero.typeD = 0, zero.m = 0, zero.n = 0;
  ASSERT_EQ(zero.descriptor(), 0u);
  auto bits = [&](auto set) {
    Tcgen05Instruction i = zero;
    set(i);
    return i.descriptor();
  };
  EXPECT_EQ(bits([](auto &i) { i.saturate = true; }), 1u << 3);
  for (uint32_t type : {1u, 2u})
    EXPECT_EQ(bits([&](auto &i) { i.typeD = type; }), type << 4);
  for (uint32_t type = 1; type < 6; ++type) {
    EXPECT_EQ(bits([&](auto &i) { i.typeA = type; }), type << 7);
    EXPECT_EQ(bits([&](auto &i) { i.typeB = type; }), type << 10);
  }
  EXPECT_EQ(bits([](auto &i) { i.negateA = true; }), 1u << 13);
  EXPECT_EQ(bits([](auto &i) { i.negateB = true; }), 1u << 14);
  EXPECT_EQ(bits([](auto &i) { i.mnMajorA = true; }), 1u << 15);
  EXPECT_EQ(bits([](auto &i) { i.mnMajorB = true; }), 1u << 16);
  for (int32_t n = 8; n <= 256; n += 8)
    EXPECT_EQ(bits([&](auto &i) { i.n = n; }), uint32_t(n / 8) << 17);
  for (int32_t m : {64, 128})
    EXPECT_EQ(bits([&](auto &i) { i.m = m; }), uint32_t(m / 16) << 24);
}

TEST(Tcgen05, InstructionDescriptorsAsOthersWriteThem) {
  using Kind = Tcgen05Instruction::Kind;
  Tcgen05Instruction f16{.m = 128, .n = 128};
  EXPECT_EQ(f16.descriptor(), 0x08200010u);
  Tcgen05Instruction small{.typeD = 0, .m = 64, .n = 64};
  EXPECT_EQ(small.descriptor(), 0x04100000u);
  Tcgen05Instruction tf32{.kind = Kind::Tf32, .typeA = 2, .typeB = 2, .m = 128, .n = 256};
  EXPECT_EQ(tf32.descriptor(), 0x08400910u);
  Tcgen05Instruction f8{.kind = Kind::F8F6F4, .typeA = 0, .typeB = 1, .mnMajorB = true, .m = 128, .n = 64};
  EXPECT_EQ(f8.descriptor(), 0x08110410u);
  Tcgen05Instruction i8{.kind = Kind::I8, .typeD = 2, .typeA = 1, .typeB = 1, .saturate = true, .m = 128, .n = 128};
  EXPECT_EQ(i8.descriptor(), 0x082004A8u);
  EXPECT_STREQ(i8.kindName(), "i8");
}

TEST(Tcgen05, SharedMemoryDescriptors) {
  // Swizzles in bits 61 to 63: 2 for 128 bytes, 4 for 64, 6 for 32, 0 for none; a one in bit 46.
  for (auto [swizzle, field] : {std::pair(128, 2), {64, 4}, {32, 6}, {0, 0}}) {
    SmemDescriptor d;
    d.swizzleBytes = swizzle, d.leadingBytes = 8192, d.strideBytes = 1024;
    uint64_t fields = d.fieldsOfTcgen05();
    EXPECT_EQ(fields >> 61, uint64_t(field));
    EXPECT_EQ(fields >> 46 & 7, 1u);
    EXPECT_EQ(fields >> 49 & 0xFFF, 0u);
    EXPECT_EQ(fields >> 32 & 0x3FFF, 1024u >> 4);
    EXPECT_EQ(fields >> 16 & 0x3FFF, 8192u >> 4);
    EXPECT_EQ(fields & 0xFFFF, 0u);
  }
  // Start 0x400, LBO 16, SBO 1024, 128 bytes: a K-major tile of 128 x 64 f16.
  LinearLayout tile = smemOperandLayout({128, 64}, 0, 1, 128, 2, /*kMajor=*/true);
  auto d = describeSmemOperand(tile, 0, 1, 128, 16, 2);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->fieldsOfTcgen05() | 0x400 >> 4, 0x4000404000010040u);
  // MN-major with two panels of 64 rows, 64 deep: LBO 8192 from panel to panel, SBO 1024.
  tile = smemOperandLayout({128, 64}, 0, 1, 128, 2, /*kMajor=*/false);
  d = describeSmemOperand(tile, 0, 1, 128, 16, 2);
  ASSERT_TRUE(d);
  EXPECT_FALSE(d->kMajor);
  EXPECT_EQ(d->fieldsOfTcgen05() | 0x2000 >> 4, 0x4000404002000200u);
}

TEST(Tcgen05, SumsOf128Rows) {
  Tcgen05Tiling t{128, 64, 16, 4};
  LinearLayout memory = tcgen05SumsInTensorMemory(t, shapeOf(256, 128, 64));
  ASSERT_TRUE(memory.isPermutation());
  for (int32_t row = 0; row < 128; ++row)
    for (int32_t column = 0; column < 256; ++column)
      ASSERT_EQ(memory.coords({{DimName::Row, row}, {DimName::Column, column}}),
                (std::vector<int32_t>{row + 128 * (column / 128), column % 128}));
}

TEST(Tcgen05, SumsOf64Rows) {
  Tcgen05Tiling t{64, 32, 16, 4};
  LinearLayout memory = tcgen05SumsInTensorMemory(t, shapeOf(64, 128, 64));
  ASSERT_TRUE(memory.isPermutation());
  // Each instruction's row r is in row 32 (r / 16) + r % 16 of tensor memory, from row 0 or from row 16.
  for (int32_t pair = 0; pair < 2; ++pair)
    for (int32_t half = 0; half < 2; ++half)
      for (int32_t r = 0; r < 64; ++r)
        for (int32_t n = 0; n < 32; ++n)
          ASSERT_EQ(
              memory.coords({{DimName::Row, 32 * (r / 16) + r % 16 + 16 * half}, {DimName::Column, n + 32 * pair}}),
              (std::vector<int32_t>{r, n + 32 * half + 64 * pair}));
}

TEST(Tcgen05, Registers) {
  for (int32_t m : {64, 128, 256})
    for (int32_t warps : {4, 8, 16}) {
      DotShape shape = shapeOf(m, 64, 16);
      Tcgen05Tiling t = *Tcgen05Tiling::choose(shape, 16, warps);
      LinearLayout memory = tcgen05SumsInTensorMemory(t, shape);
      LinearLayout registers = *tensorMemoryRegisters(memory, warps);
      ASSERT_TRUE(registers.isPermutation());
      int32_t each = t.columns(shape) / (warps / 4);
      ASSERT_EQ(registers.inSize(kRegister), each);
      for (int32_t warp = 0; warp < warps; ++warp)
        for (int32_t lane = 0; lane < 32; ++lane)
          for (int32_t r = 0; r < each; ++r)
            ASSERT_EQ(
                registers.coords({{kRegister, r}, {kLane, lane}, {kWarp, warp}}),
                memory.coords({{DimName::Row, 32 * (warp % 4) + lane}, {DimName::Column, r + each * (warp / 4)}}));
      auto copy = planTensorMemoryCopy(registers, memory);
      ASSERT_TRUE(copy);
      EXPECT_EQ(copy->width, each);
      for (int32_t r = 0; r < each; ++r)
        ASSERT_EQ(copy->columnOf(r), r);
    }
}

TEST(Tcgen05, MoreWarpsThanColumns) {
  Tcgen05Tiling t{128, 16, 16, 4};
  LinearLayout memory = tcgen05SumsInTensorMemory(t, shapeOf(128, 16, 16));
  // 32 times 4 warps for 16 columns: the last bit of the warp's number makes a copy.
  LinearLayout registers = *tensorMemoryRegisters(memory, 128);
  EXPECT_EQ(registers.inSize(kRegister), 1);
  EXPECT_EQ(registers.basis(kWarp, 6), (std::vector<int32_t>{0, 0}));
  EXPECT_TRUE(planTensorMemoryCopy(registers, memory));
}

TEST(Tcgen05, RegistersThatNoInstructionReaches) {
  LinearLayout memory = tcgen05SumsInTensorMemory({128, 32, 16, 4}, shapeOf(128, 32, 16));
  // Rows in registers, columns in lanes.
  LinearLayout registers = *tensorMemoryRegisters(memory, 4);
  auto across = LinearLayout({{kRegister, {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}}},
                              {kLane, {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}}},
                              {kWarp, {{32, 0}, {64, 0}}},
                              {kBlock, {}}},
                             std::vector<int32_t>{128, 32});
  EXPECT_FALSE(planTensorMemoryCopy(across, memory));
  EXPECT_TRUE(planTensorMemoryCopy(registers, memory));
}

TEST(Tcgen05, Choice) {
  std::string why;
  auto t = Tcgen05Tiling::choose(shapeOf(128, 256, 64), 16, 8);
  ASSERT_TRUE(t);
  EXPECT_EQ(std::tuple(t->m, t->n, t->k()), std::tuple(128, 256, 16));
  t = Tcgen05Tiling::choose(shapeOf(64, 256, 64), 8, 4);
  ASSERT_TRUE(t);
  EXPECT_EQ(std::tuple(t->m, t->n, t->k()), std::tuple(64, 128, 32));
  EXPECT_FALSE(Tcgen05Tiling::choose(shapeOf(128, 256, 64), 16, 2, &why));
  EXPECT_EQ(why, "2 warps do not reach all rows of tensor memory");
  EXPECT_FALSE(Tcgen05Tiling::choose(shapeOf(32, 256, 64), 16, 4, &why));
  EXPECT_EQ(why, "an instruction has 64 rows, the product 32");
  EXPECT_FALSE(Tcgen05Tiling::choose(shapeOf(128, 8, 64), 16, 4, &why));
  EXPECT_EQ(why, "the instructions have 16 columns, the product 8");
  EXPECT_FALSE(Tcgen05Tiling::choose(shapeOf(128, 64, 8), 16, 4, &why));
  EXPECT_EQ(why, "an instruction has k = 16, the product 8");
  EXPECT_FALSE(Tcgen05Tiling::choose(shapeOf(256, 512, 64), 16, 4, &why));
  EXPECT_EQ(why, "its sums take 1024 columns of tensor memory, which has 512");
  DotShape batches = shapeOf(128, 64, 64);
  batches.batch = 2, batches.batched = true;
  EXPECT_FALSE(Tcgen05Tiling::choose(batches, 16, 4, &why));
  EXPECT_EQ(why, "tensor memory holds matrices, the product is batched");
}

} // namespace
