//===- SmemDescriptorTest.cpp - Shared tiles that matrix units read -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The oracle is the address arithmetic of the PTX ISA ("Asynchronous warpgroup-level matrix shared memory layout"),
// written out element by element from the fields of the descriptor alone: the layout must have put the element there.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Support/SmemDescriptor.h"
#include "RandomLayouts.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "gtest/gtest.h"

using namespace tileiras;

namespace {

/// The byte address that the hardware reads element (mn, k) of an instruction from. The swizzle as tcgen05 has it, in
/// three bits; in descriptors of wgmma the lowest of them is 0.
uint32_t hardwareAddress(uint64_t descriptor, bool kMajor, int32_t elementBytes, int32_t mn, int32_t k) {
  uint32_t start = (descriptor & 0x3FFF) << 4, leading = (descriptor >> 16 & 0x3FFF) << 4,
           stride = (descriptor >> 32 & 0x3FFF) << 4;
  enum { None, Wide128, B128, B64 = 4, B32 = 6 };
  int mode = descriptor >> 61;
  uint32_t width = mode == B128 || mode == Wide128 ? 128 : mode == B64 ? 64 : mode == B32 ? 32 : 16;
  uint32_t rows = mode == Wide128 ? 4 : 8;
  uint32_t address = start;
  if (kMajor) {
    uint32_t along = k * elementBytes;
    address += mn % 8 * width + mn / 8 * stride;
    address += mode ? along : along / 16 * leading + along % 16;
  } else {
    uint32_t along = mn * elementBytes;
    address += along / width * (mode ? leading : stride) + along % width;
    address += k % rows * width + k / rows * (mode ? stride : leading);
  }
  if (mode == Wide128)
    return address ^ ((address >> 2) & 0x60);
  uint32_t bits = mode == B128 ? 0x70 : mode == B64 ? 0x30 : mode == B32 ? 0x10 : 0;
  return address ^ ((address >> 3) & bits);
}

/// Where `memory` has the element, in bytes from `base`.
uint32_t layoutAddress(const LinearLayout &inverse, const std::vector<int32_t> &coords, int32_t elementBytes,
                       uint32_t base) {
  LinearLayout::Point point;
  for (size_t i = 0; i < coords.size(); ++i)
    point.push_back({dimName(int(i)), coords[i]});
  return base + inverse.coords(point)[0] * elementBytes;
}

/// Compares every element of every instruction; returns the number that differ.
int64_t differences(const LinearLayout &memory, const SmemDescriptor &d, int mnDim, int kDim, int32_t mnExtent,
                    int32_t kExtent, int32_t elementBytes) {
  std::vector<int32_t> shape = memory.shape();
  LinearLayout inverse = *memory.invert();
  uint32_t base = 8 * 1024;
  int64_t wrong = 0;
  std::vector<int32_t> coords(shape.size());
  int batchDim = shape.size() == 3 ? 3 - mnDim - kDim : -1;
  for (int32_t batch = 0; batch < (batchDim < 0 ? 1 : shape[batchDim]); ++batch)
    for (int32_t mn = 0; mn < shape[mnDim]; mn += mnExtent)
      for (int32_t k = 0; k < shape[kDim]; k += kExtent) {
        coords[mnDim] = mn, coords[kDim] = k;
        if (batchDim >= 0)
          coords[batchDim] = batch;
        uint64_t descriptor =
            (d.atomBytes == 32 ? d.fieldsOfTcgen05() : d.fields()) | uint64_t(base + d.startOf(coords)) >> 4;
        for (int32_t i = 0; i < mnExtent; ++i)
          for (int32_t j = 0; j < kExtent; ++j) {
            coords[mnDim] = mn + i, coords[kDim] = k + j;
            wrong += hardwareAddress(descriptor, d.kMajor, elementBytes, i, j) !=
                     layoutAddress(inverse, coords, elementBytes, base);
          }
      }
  return wrong;
}

// The points of the sheet docs cite: start, strides and the address that comes out.
TEST(SmemDescriptor, HardwareAddressesOfKnownPoints) {
  auto descriptor = [](uint64_t start, uint64_t leading, uint64_t stride, uint64_t mode) {
    return mode << 62 | (stride >> 4) << 32 | (leading >> 4) << 16 | start >> 4;
  };
  EXPECT_EQ(hardwareAddress(descriptor(0x400, 16, 1024, 1), true, 2, 5, 20), 0x6F8u);
  EXPECT_EQ(hardwareAddress(descriptor(0x400, 16, 1024, 1), true, 2, 13, 50), 0xAB4u);
  EXPECT_EQ(hardwareAddress(descriptor(0x200, 16, 512, 2), true, 4, 6, 9), 0x394u);
  EXPECT_EQ(hardwareAddress(descriptor(0, 512, 128, 0), true, 2, 11, 12), 0x2B8u);
  EXPECT_EQ(hardwareAddress(descriptor(0, 8192, 1024, 1), false, 2, 70, 11), 0x25BCu);
  EXPECT_EQ(hardwareAddress(descriptor(0, 2048, 256, 0), false, 2, 13, 11), 0x93Au);
}

TEST(SmemDescriptor, EveryElementOfEveryInstruction) {
  int described = 0;
  for (int32_t elementBytes : {1, 2, 4})
    for (bool kMajor : {true, false}) {
      bool across = elementBytes != 2, words = !kMajor && elementBytes == 4;
      int32_t kExtent = 32 / elementBytes;
      for (int32_t mn : {8, 16, 64, 128, 256})
        for (int32_t k : {16, 32, 64, 128})
          for (int32_t batch : {1, 4})
            for (bool mnFirst : {true, false}) {
              if (k < kExtent || (!kMajor && mn * elementBytes < (words ? 128 : 16)) ||
                  mn * k * batch * elementBytes > 128 * 1024)
                continue;
              std::vector<int32_t> shape = mnFirst ? std::vector<int32_t>{mn, k} : std::vector<int32_t>{k, mn};
              int mnDim = mnFirst ? 0 : 1, kDim = 1 - mnDim;
              if (batch > 1)
                shape.insert(shape.begin(), batch), ++mnDim, ++kDim;
              int32_t extent = std::min(mn, 256);
              LinearLayout memory = smemOperandLayout(shape, mnDim, kDim, extent, elementBytes, kMajor);
              std::string error;
              auto d = describeSmemOperand(memory, mnDim, kDim, extent, kExtent, elementBytes, &error, across);
              ASSERT_TRUE(d) << error << memory.toString();
              EXPECT_EQ(differences(memory, *d, mnDim, kDim, extent, kExtent, elementBytes), 0) << memory.toString();
              int32_t wholeRows = kMajor ? 64 : std::max(64, 128 / elementBytes);
              if (mn >= wholeRows) {
                auto half = describeSmemOperand(memory, mnDim, kDim, wholeRows, kExtent, elementBytes, &error, across);
                ASSERT_TRUE(half) << error;
                EXPECT_EQ(differences(memory, *half, mnDim, kDim, wholeRows, kExtent, elementBytes), 0);
              }
              // Instructions of fewer columns than the tile has.
              int32_t few = words ? 32 : 16;
              if (mn >= 2 * few) {
                LinearLayout narrow = smemOperandLayout(shape, mnDim, kDim, few, elementBytes, kMajor);
                auto its = describeSmemOperand(narrow, mnDim, kDim, few, kExtent, elementBytes, &error, across);
                ASSERT_TRUE(its) << error;
                EXPECT_EQ(differences(narrow, *its, mnDim, kDim, few, kExtent, elementBytes), 0);
              }
              ++described;
            }
    }
  EXPECT_GT(described, 200);
}

TEST(SmemDescriptor, FieldsOfTheUsualTile) {
  LinearLayout memory = smemOperandLayout({128, 64}, 0, 1, 64, 2, true);
  auto d = describeSmemOperand(memory, 0, 1, 64, 16, 2);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->fields() | 0x8400 >> 4, 0x4000004000010840u);
  EXPECT_EQ(d->alignment(), 1024);
  EXPECT_EQ(d->startOf({64, 16}), 64 * 128 + 32);
}

// Elements of four bytes lie MN-major in one way, which only some instructions read, and never fewer than 32 of them.
TEST(SmemDescriptor, WordsAcross) {
  LinearLayout memory = smemOperandLayout({64, 128}, 1, 0, 128, 4, false);
  auto d = describeSmemOperand(memory, 1, 0, 128, 8, 4, nullptr, /*across=*/true);
  ASSERT_TRUE(d);
  EXPECT_FALSE(d->kMajor);
  EXPECT_EQ(d->atomBytes, 32);
  EXPECT_EQ(d->alignment(), 512);
  EXPECT_EQ(d->fieldsOfTcgen05(), 0x2000402002000000u);
  EXPECT_EQ(d->startOf({8, 0}), 1024);
  EXPECT_EQ(d->startOf({0, 32}), 64 * 128);
  EXPECT_FALSE(describeSmemOperand(memory, 1, 0, 128, 8, 4));
  EXPECT_FALSE(describeSmemOperand(memory, 1, 0, 16, 8, 4, nullptr, /*across=*/true));
  // The usual swizzle is that of K-major elements.
  LinearLayout usual = sharedLayout({64, 128}, {1, 0}, Swizzle::hardware(128, 4), 32);
  EXPECT_FALSE(describeSmemOperand(usual, 1, 0, 128, 8, 4, nullptr, /*across=*/true));
  // And the one of words is of no other elements.
  LinearLayout halves = sharedLayout({64, 128}, {1, 0}, wideAtoms(2), 64);
  EXPECT_FALSE(describeSmemOperand(halves, 1, 0, 128, 16, 2, nullptr, /*across=*/true));
}

// A layout is either refused or described right: bases of described layouts are exchanged at random.
TEST(SmemDescriptor, WhatIsNotCanonicalIsRefused) {
  std::mt19937 random(7);
  int refused = 0, accepted = 0;
  for (int round = 0; round < 400; ++round) {
    int32_t elementBytes = 1 << random() % 3;
    bool kMajor = random() % 2;
    LinearLayout memory = smemOperandLayout({64, 64}, 0, 1, 64, elementBytes, kMajor);
    std::vector<LinearLayout::InDim> ins{{kOffset, {}}};
    for (int bit = 0; bit < memory.inBits(kOffset); ++bit)
      ins[0].bases.push_back(memory.basis(kOffset, bit));
    std::swap(ins[0].bases[random() % ins[0].bases.size()], ins[0].bases[random() % ins[0].bases.size()]);
    LinearLayout changed(std::move(ins), memory.shape());
    std::string error;
    auto d = describeSmemOperand(changed, 0, 1, 64, 32 / elementBytes, elementBytes, &error, elementBytes != 2);
    if (!d) {
      EXPECT_EQ(error, "Not a canonical GMMA_MN Layout");
      ++refused;
      continue;
    }
    ++accepted;
    EXPECT_EQ(differences(changed, *d, 0, 1, 64, 32 / elementBytes, elementBytes), 0) << changed.toString();
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(accepted, 20);
}

// The oracle sees a wrong field.
TEST(SmemDescriptor, AWrongFieldIsSeen) {
  LinearLayout memory = smemOperandLayout({128, 128}, 0, 1, 64, 2, true);
  SmemDescriptor d = *describeSmemOperand(memory, 0, 1, 64, 16, 2);
  SmemDescriptor wrong = d;
  wrong.strideBytes = 512;
  EXPECT_GT(differences(memory, wrong, 0, 1, 64, 16, 2), 0);
  wrong = d;
  wrong.swizzleBytes = 64;
  EXPECT_GT(differences(memory, wrong, 0, 1, 64, 16, 2), 0);
  memory = smemOperandLayout({64, 64}, 0, 1, 64, 4, false);
  d = *describeSmemOperand(memory, 0, 1, 64, 8, 4, nullptr, /*across=*/true);
  EXPECT_EQ(differences(memory, d, 0, 1, 64, 8, 4), 0);
  d.atomBytes = 16;
  EXPECT_GT(differences(memory, d, 0, 1, 64, 8, 4), 0);
}

} // namespace
