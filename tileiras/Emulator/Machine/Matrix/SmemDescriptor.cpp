//===- SmemDescriptor.cpp - Matrices in shared memory -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Matrix/SmemDescriptor.h"

#include <cstdio>

using namespace tileiras::emu;

const char *tileiras::emu::smemSwizzleName(SmemSwizzle s) {
  switch (s) {
  case SmemSwizzle::None:
    return "none";
  case SmemSwizzle::B32:
    return "32B";
  case SmemSwizzle::B64:
    return "64B";
  case SmemSwizzle::B128:
    return "128B";
  case SmemSwizzle::B128Atom32:
    return "128B with 32B atoms";
  }
  return "?";
}

uint32_t tileiras::emu::smemSwizzleWidth(SmemSwizzle s) {
  switch (s) {
  case SmemSwizzle::None:
    return 16;
  case SmemSwizzle::B32:
    return 32;
  case SmemSwizzle::B64:
    return 64;
  default:
    return 128;
  }
}

uint32_t tileiras::emu::smemSwizzlePattern(SmemSwizzle s) {
  return s == SmemSwizzle::B128Atom32 ? 512 : 8 * smemSwizzleWidth(s);
}

uint32_t tileiras::emu::smemSwizzled(SmemSwizzle s, uint32_t a) {
  switch (s) {
  case SmemSwizzle::None:
    return a;
  case SmemSwizzle::B32:
    return a ^ (a >> 7 & 1) << 4;
  case SmemSwizzle::B64:
    return a ^ (a >> 7 & 3) << 4;
  case SmemSwizzle::B128:
    return a ^ (a >> 7 & 7) << 4;
  case SmemSwizzle::B128Atom32:
    return a ^ (a >> 7 & 3) << 5;
  }
  return a;
}

static SmemDescriptor commonFields(uint64_t bits) {
  SmemDescriptor d;
  d.start = uint32_t(bits & 0x3fff) << 4;
  d.leading = uint32_t(bits >> 16 & 0x3fff) << 4;
  d.stride = uint32_t(bits >> 32 & 0x3fff) << 4;
  d.baseOffset = uint8_t(bits >> 49 & 7);
  return d;
}

static void checkReserved(SmemDescriptor &d, uint64_t bits, uint64_t reserved) {
  if (!(bits & reserved))
    return;
  char buffer[96];
  std::snprintf(buffer, sizeof buffer, "reserved bits 0x%016llx are set",
                static_cast<unsigned long long>(bits & reserved));
  d.fault = buffer;
}

SmemDescriptor tileiras::emu::wgmmaDescriptor(uint64_t bits) {
  // PTX ISA, "Matrix Descriptor Format" of wgmma: start 13:0, leading 29:16, stride 45:32, base 51:49, mode 63:62.
  SmemDescriptor d = commonFields(bits);
  static const SmemSwizzle modes[] = {SmemSwizzle::None, SmemSwizzle::B128, SmemSwizzle::B64, SmemSwizzle::B32};
  d.swizzle = modes[bits >> 62];
  checkReserved(d, bits, 0x3ff1c000c000c000ull);
  return d;
}

SmemDescriptor tileiras::emu::tcgen05Descriptor(uint64_t bits) {
  // PTX ISA, "Shared memory descriptor" of tcgen05: as above, version 0b001 in 48:46, leading mode 52, layout 63:61.
  SmemDescriptor d = commonFields(bits);
  d.leadingAbsolute = bits >> 52 & 1;
  switch (bits >> 61) {
  case 0:
    d.swizzle = SmemSwizzle::None;
    break;
  case 1:
    d.swizzle = SmemSwizzle::B128Atom32;
    break;
  case 2:
    d.swizzle = SmemSwizzle::B128;
    break;
  case 4:
    d.swizzle = SmemSwizzle::B64;
    break;
  case 6:
    d.swizzle = SmemSwizzle::B32;
    break;
  default:
    d.fault = "layout type " + std::to_string(bits >> 61) + " does not exist";
    return d;
  }
  checkReserved(d, bits, 0x1fe18000c000c000ull);
  return d;
}

bool tileiras::emu::smemUnits(const SmemDescriptor &d, const SmemTile &tile, std::vector<uint32_t> &units,
                              std::string &fault) {
  auto fail = [&](std::string text) {
    fault = std::move(text);
    return false;
  };
  units.clear();
  if (!d.fault.empty())
    return fail(d.fault);
  const uint32_t width = smemSwizzleWidth(d.swizzle), pattern = smemSwizzlePattern(d.swizzle);
  const uint32_t rows = pattern / width; // of the pattern
  const bool swizzled = d.swizzle != SmemSwizzle::None;
  // Swizzles act on absolute addresses, like those of tensor copies, so a buffer that is aligned to 128 bytes only has
  // the pattern from its middle on. A start elsewhere is in the middle of another row's bytes.
  if (swizzled && d.baseOffset)
    // What hardware does then is not known well enough to imitate it.
    return fail("base offset " + std::to_string(d.baseOffset) + " with the " + smemSwizzleName(d.swizzle) +
                " pattern (start address " + std::to_string(d.start) + ")");
  if (swizzled && d.start % 128 >= width)
    return fail("the " + std::string(smemSwizzleName(d.swizzle)) + " pattern does not begin within " +
                std::to_string(width) + " bytes of a multiple of 128 (start address " + std::to_string(d.start) + ")");
  auto aligned = [&](uint32_t offset, bool used) { return !swizzled || !used || offset % pattern == 0; };
  auto misaligned = [&](const char *name, uint32_t offset) {
    return fail(std::string(name) + " byte offset " + std::to_string(offset) + " is not a multiple of the " +
                std::to_string(pattern) + " bytes of the " + smemSwizzleName(d.swizzle) + " pattern");
  };
  if (!tile.mnMajor) {
    // Rows of the pattern are rows of the matrix; groups of 8 rows are `stride` apart. Without a swizzle, `leading` is
    // the way to the next 16 bytes along K; with one, K stays inside the pattern's row.
    uint32_t bytes = tile.k * tile.elementBits / 8;
    uint32_t within = swizzled ? d.start % 128 : 0;
    if (swizzled && within + bytes > width && !d.leadingAbsolute)
      return fail("the instruction reads " + std::to_string(bytes) + " bytes along K from byte " +
                  std::to_string(within) + " of a row, but a row of the " + smemSwizzleName(d.swizzle) +
                  " pattern has " + std::to_string(width));
    if (!aligned(d.stride, tile.mn > 8))
      return misaligned("stride", d.stride);
    units.reserve(tile.mn * (bytes / 16));
    for (uint32_t mn = 0; mn != tile.mn; ++mn) {
      // 128-byte rows of the 32-byte-atom pattern: 8 rows per group all the same.
      uint32_t step = (mn % 8) * width + (mn / 8) * d.stride, row = d.start + step;
      for (uint32_t b = 0; b < bytes; b += 16)
        if (d.leadingAbsolute && within + b >= width) // goes on in the chunk that `leading` names
          units.push_back(smemSwizzled(d.swizzle, d.leading + step + within + b - width));
        else
          units.push_back(smemSwizzled(d.swizzle, row + (swizzled ? b : b / 16 * d.leading)));
    }
    return true;
  }
  // Rows of the pattern are values of k. Swizzled: `leading` leads to the next `width` bytes along MN and `stride` to
  // the next group of k; not swizzled: the other way round.
  uint32_t stepMn = swizzled ? d.leading : d.stride, stepK = swizzled ? d.stride : d.leading;
  uint32_t bytes = (tile.mn * tile.elementBits / 8 + 15) / 16 * 16;
  uint32_t within = swizzled ? d.start % 128 : 0;
  if (within)
    return fail("an MN-major matrix must begin at the start of the " + std::string(smemSwizzleName(d.swizzle)) +
                " pattern, not at byte " + std::to_string(within));
  if (!aligned(d.leading, bytes > width))
    return misaligned("leading", d.leading);
  if (!aligned(d.stride, tile.k > rows))
    return misaligned("stride", d.stride);
  units.reserve(tile.k * (bytes / 16));
  for (uint32_t k = 0; k != tile.k; ++k) {
    uint32_t row = d.start + (k % rows) * width + (k / rows) * stepK;
    for (uint32_t b = 0; b < bytes; b += 16)
      units.push_back(smemSwizzled(d.swizzle, row + b / width * stepMn + b % width));
  }
  return true;
}
