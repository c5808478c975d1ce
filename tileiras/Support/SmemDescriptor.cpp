//===- SmemDescriptor.cpp - Shared tiles that matrix units read -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/SmemDescriptor.h"
#include <algorithm>
#include <bit>
#include <cassert>

namespace tileiras {

Swizzle wideAtoms(int32_t elementBytes) { return {2, 5 - std::countr_zero(uint32_t(elementBytes)), 2}; }

uint64_t SmemDescriptor::fields() const {
  // "Matrix Descriptor Format": bits 63:62 are the swizzle mode. Ignored fields are written as 1, as in every public
  // kernel.
  uint64_t mode = swizzleBytes == 128 ? 1 : swizzleBytes == 64 ? 2 : swizzleBytes == 32 ? 3 : 0;
  auto field = [](int32_t bytes) { return uint64_t(std::max(bytes >> 4, 1)) & 0x3FFF; };
  return mode << 62 | field(strideBytes) << 32 | field(leadingBytes) << 16;
}

uint64_t SmemDescriptor::fieldsOfTcgen05() const {
  constexpr uint64_t mode = uint64_t(7) << 61;
  uint64_t all = fields() | uint64_t(1) << 46;
  return atomBytes == 32 ? (all & ~mode) | uint64_t(1) << 61 : all;
}

int32_t SmemDescriptor::startOf(const std::vector<int32_t> &coords) const {
  LinearLayout::Point point;
  for (size_t i = 0; i < coords.size(); ++i)
    point.push_back({dimName(int(i)), coords[i]});
  return bytes.coords(point)[0];
}

namespace {

/// One reading of a layout: the byte steps of the bits of mn and k, the swizzle taken back.
struct Steps {
  std::vector<int32_t> mn, k;
};

/// The steps of `bits` are first, 2 first, 4 first, ... from bit `from` to bit `to`.
bool doubles(const std::vector<int32_t> &bits, int from, int to, int32_t first) {
  for (int i = from; i < to; ++i, first *= 2)
    if (bits[i] != first)
      return false;
  return true;
}

/// From bit `from` on, whole patterns are skipped.
bool skipsPatterns(const std::vector<int32_t> &bits, int from, int32_t pattern) {
  return std::all_of(bits.begin() + std::min<size_t>(from, bits.size()), bits.end(),
                     [&](int32_t step) { return step % pattern == 0; });
}

int log2(int32_t v) { return std::countr_zero(uint32_t(v)); }

/// The step of the first of the bits [from, to), 0 if there is none; false in `fits` if they do not double.
int32_t stride(const std::vector<int32_t> &bits, int from, int to, bool &fits) {
  if (from >= to)
    return 0;
  fits &= doubles(bits, from, to, bits[from]) && bits[from] % 16 == 0;
  return bits[from];
}

bool read(SmemDescriptor &d, const Steps &s, int mnBits, int kBits, int32_t elementBytes) {
  bool swizzled = d.swizzleBytes != 0, fits = true;
  int32_t row = swizzled ? d.swizzleBytes : 16; // bytes side by side
  int inRow = log2(row / elementBytes);
  const std::vector<int32_t> &major = d.kMajor ? s.k : s.mn, &minor = d.kMajor ? s.mn : s.k;
  int majorBits = d.kMajor ? kBits : mnBits, minorBits = d.kMajor ? mnBits : kBits;
  int inPattern = log2(d.patternRows());
  if (minorBits < inPattern || !doubles(major, 0, std::min<int>(inRow, major.size()), elementBytes) ||
      !doubles(minor, 0, inPattern, row))
    return false;
  // MN-major, every instruction begins where the swizzle's pattern does: it reads whole rows, unless there is no more.
  if (!d.kMajor && majorBits<inRow &&int(major.size())> majorBits)
    return false;
  int32_t acrossRows = stride(major, inRow, majorBits, fits),
          acrossPatterns = stride(minor, inPattern, minorBits, fits);
  // Where an instruction may start.
  if (!fits || !skipsPatterns(major, std::max(inRow, majorBits), d.alignment()) ||
      !skipsPatterns(minor, minorBits, d.alignment()) || (majorBits < inRow && (elementBytes << majorBits) % 16))
    return false;
  // Which field says what: see the table.
  if (swizzled || d.kMajor)
    d.leadingBytes = acrossRows, d.strideBytes = acrossPatterns;
  else
    d.leadingBytes = acrossPatterns, d.strideBytes = acrossRows;
  return true;
}

} // namespace

std::optional<SmemDescriptor> describeSmemOperand(const LinearLayout &memory, int mnDim, int kDim, int32_t mnExtent,
                                                  int32_t kExtent, int32_t elementBytes, std::string *error,
                                                  bool across) {
  auto fail = [&](const char *why) {
    if (error)
      *error = why;
    return std::nullopt;
  };
  std::vector<int32_t> shape = memory.shape();
  if (shape[mnDim] < mnExtent || shape[kDim] < kExtent)
    return fail("the tile is smaller than an instruction");
  // Addresses and strides have 18 bits.
  if (int64_t(memory.inSize(kOffset)) * elementBytes > 1 << 18)
    return fail("the tile is larger than what a descriptor can address");
  std::optional<LinearLayout> inverse = memory.sublayout({kOffset}, memory.outNames()).invert();
  if (!inverse)
    return fail("the tile does not lie in shared memory once and without gaps");
  bool words = elementBytes == 4 && across;
  for (auto [width, atom] : {std::pair(128, 16), {64, 16}, {32, 16}, {0, 16}, {128, 32}}) {
    if (atom == 32 && !words)
      continue;
    SmemDescriptor d;
    d.swizzleBytes = width, d.atomBytes = atom;
    Swizzle swizzle = atom == 32 ? wideAtoms(1) : Swizzle::hardware(width, 1);
    std::vector<LinearLayout::InDim> ins;
    int32_t size = elementBytes * inverse->outSize(kOffset);
    for (int dim = 0; dim < int(shape.size()); ++dim) {
      LinearLayout::InDim in{dimName(dim), {}};
      for (int bit = 0; bit < inverse->inBits(dimName(dim)); ++bit)
        in.bases.push_back({int32_t(swizzle.apply(uint64_t(inverse->flatBasis(dimName(dim), bit)) * elementBytes))});
      ins.push_back(std::move(in));
    }
    auto bitsOf = [&](int dim) {
      std::vector<int32_t> bits;
      for (const std::vector<int32_t> &basis : ins[dim].bases)
        bits.push_back(basis[0]);
      return bits;
    };
    Steps steps{bitsOf(mnDim), bitsOf(kDim)};
    bool batchesFit = true;
    for (int dim = 0; dim < int(shape.size()); ++dim)
      if (dim != mnDim && dim != kDim)
        batchesFit &= skipsPatterns(bitsOf(dim), 0, d.alignment());
    if (!batchesFit)
      continue;
    for (bool kMajor : {true, false}) {
      d.kMajor = kMajor;
      bool known = atom == 32 ? !kMajor : kMajor || elementBytes == 2 || (elementBytes == 1 && across);
      if (!known || !read(d, steps, log2(mnExtent), log2(kExtent), elementBytes))
        continue;
      d.bytes = LinearLayout(std::move(ins), {LinearLayout::OutDim{kOffset, size}});
      return d;
    }
  }
  return fail("Not a canonical GMMA_MN Layout");
}

LinearLayout smemOperandLayout(const std::vector<int32_t> &shape, int mnDim, int kDim, int32_t mnExtent,
                               int32_t elementBytes, bool kMajor) {
  int32_t rowBytes = (kMajor ? shape[kDim] : std::min(shape[mnDim], mnExtent)) * elementBytes;
  int32_t width = std::min(rowBytes, 128);
  if (width < 32)
    width = 0;
  bool wide = !kMajor && elementBytes == 4;
  assert((!wide || width == 128) && "the swizzle of elements of four bytes has one width");
  std::vector<int32_t> order{kMajor ? kDim : mnDim, kMajor ? mnDim : kDim};
  for (int dim = int(shape.size()) - 1; dim >= 0; --dim)
    if (dim != mnDim && dim != kDim)
      order.push_back(dim);
  Swizzle swizzle = wide ? wideAtoms(elementBytes) : Swizzle::hardware(width, elementBytes);
  return sharedLayout(shape, order, swizzle, (width ? width : 16) / elementBytes);
}

} // namespace tileiras
