//===- TmaBox.cpp - The rows of a tensor copy -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, Tensors: Tensor Access Modes, Interleave Layout. Not documented, and therefore choices:
//
// * a box row shorter than the swizzle span: the rows of the image stay packed;
// * interleave: see Tensormap::sliceBytes;
// * im2col::w: the bounding box is walked along W and, at its end, on to the next image; the halo pixels are the next
//   ones of that walk. im2col::w::128: after the 128 pixels follow, for each halo position, those after the four
//   groups of 32.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Async/Tma.h"

#include <algorithm>

using namespace tileiras::emu;

namespace {

/// Largest shared memory of a block; a larger box can only be a mistake.
constexpr uint64_t MaxImage = 228 * 1024;

std::string number(int64_t v) { return std::to_string(v); }

class Planner {
public:
  Planner(const Tensormap &map, const TmaRequest &request, TmaBox &box) : m(map), q(request), x(*request.x), box(box) {}

  std::string run() {
    if (std::string error = checkOperands(); !error.empty())
      return error;
    // Units of the packed types.
    unsigned elements = 1;
    switch (m.type) {
    case TensorType::B4x16:
      elements = 2, box.globalUnit = box.sharedUnit = 1;
      break;
    case TensorType::B4x16P64:
      elements = 16, box.globalUnit = 8, box.sharedUnit = 16;
      break;
    case TensorType::B6x16P32:
      elements = 16, box.globalUnit = 12, box.sharedUnit = 16;
      break;
    default:
      box.globalUnit = box.sharedUnit = tensorTypeBits(m.type) / 8;
    }
    if (q.coords[0] % int(elements == 16 ? 128 : elements))
      return "the first coordinate of type " + std::string(tensorTypeName(m.type)) + " must be a multiple of " +
             number(elements == 16 ? 128 : elements) + ", not " + number(q.coords[0]);
    start = q.coords[0] / int(elements);
    size = int64_t(m.dims[0] / elements);
    count = m.rowElements() / elements;
    if (m.interleave != TensorInterleave::None) {
      slice = m.sliceBytes() / box.globalUnit;
      if (q.coords[0] % int(slice))
        return "the channel coordinate of an interleaved tensor must be a multiple of " + number(slice) + ", not " +
               number(q.coords[0]);
    }
    box.rowUnits = slice ? slice : count;
    if (std::string error = isStore() ? checkStore() : std::string(); !error.empty())
      return error;
    uint64_t pixels = 1;
    if (m.mode == TensorMode::Tiled) {
      if (x.mode == TmaMode::Gather4)
        pixels = 4;
      else
        for (unsigned k = 1; k < m.rank; ++k)
          pixels *= m.boxCount(k);
    } else {
      pixels = x.mode == TmaMode::Im2colW128 ? 128 + 4 * q.info[0]
               : x.mode == TmaMode::Im2colW  ? m.pixels + q.info[0]
                                             : m.pixels;
    }
    if (pixels * count * box.sharedUnit > MaxImage)
      return "a box of " + number(int64_t(pixels * count * box.sharedUnit)) + " bytes does not fit into shared memory";
    box.rows.reserve(pixels * (slice ? count / slice : 1));
    // The slices of an interleaved tensor are an outer dimension, right outside of the spatial ones.
    if (m.mode == TensorMode::Tiled)
      tiled();
    else
      im2col();
    return {};
  }

private:
  bool isStore() const { return x.kind == TmaKind::TensorStore || x.kind == TmaKind::TensorReduce; }

  std::string checkOperands() const {
    if (m.rank != x.dim)
      return "the tensor map has rank " + number(m.rank) + ", the instruction is ." + number(x.dim) + "d";
    TensorMode want = x.mode == TmaMode::Tile || x.mode == TmaMode::Gather4         ? TensorMode::Tiled
                      : x.mode == TmaMode::Im2colW || x.mode == TmaMode::Im2colW128 ? TensorMode::Im2colWide
                                                                                    : TensorMode::Im2col;
    static const char *const names[] = {"tiled", "im2col", "im2col::w"};
    if (m.mode != want)
      return std::string("the tensor map is for ") + names[unsigned(m.mode)] + " copies, this one is " +
             names[unsigned(want)];
    if (x.mode == TmaMode::Gather4) {
      if (m.box[1] != 1)
        return "gather4 and scatter4 need a box of one row, not " + number(m.box[1]);
      if (m.interleave != TensorInterleave::None)
        return "gather4 and scatter4 do not work with interleaved layouts";
    }
    if (m.mode == TensorMode::Im2col)
      for (unsigned k = 1; k + 1 < m.rank; ++k)
        if (q.coords[k] < m.lower[k - 1] || q.coords[k] > int64_t(m.dims[k]) - 1 + m.upper[k - 1])
          return "coordinate " + number(k) + " (" + number(q.coords[k]) + ") lies outside of the bounding box, " +
                 number(m.lower[k - 1]) + " to " + number(int64_t(m.dims[k]) - 1 + m.upper[k - 1]);
    if (m.mode == TensorMode::Im2colWide && q.coords[1] > int64_t(m.dims[1]) - 1 + m.upper[0])
      return "coordinate 1 (" + number(q.coords[1]) + ") lies to the right of the bounding box, which ends at " +
             number(int64_t(m.dims[1]) - 1 + m.upper[0]);
    if (x.mode == TmaMode::Im2col) {
      // 3D: 16 bits, 4D: 8, 5D: 5 (PTX ISA, im2col mode, Bounding Box).
      unsigned limit = m.rank == 3 ? 1 << 16 : m.rank == 4 ? 1 << 8 : 1 << 5;
      for (unsigned k = 0; k + 2 < m.rank; ++k)
        if (q.info[k] >= limit)
          return "im2col offset " + number(q.info[k]) + " is not below " + number(limit);
    }
    if (x.mode == TmaMode::Im2colW || x.mode == TmaMode::Im2colW128) {
      unsigned limit = x.mode == TmaMode::Im2colW ? 512 : 32;
      if (q.info[0] >= limit)
        return "wHalo " + number(q.info[0]) + " is not below " + number(limit);
      if (q.info[1] >= 32)
        return "wOffset " + number(q.info[1]) + " is not below 32";
      if (m.swizzle == TensorSwizzle::B96 && x.mode == TmaMode::Im2colW128)
        return "swizzle 96B does not go with im2col::w::128";
    }
    if (x.kind == TmaKind::TensorReduce)
      return checkReduction();
    return {};
  }

  /// PTX ISA, cp.reduce.async.bulk.tensor, table of operations and types.
  std::string checkReduction() const {
    using T = TensorType;
    bool ok = false;
    switch (x.reduce) {
    case ReduceOp::Add:
      ok = m.type == T::U32 || m.type == T::S32 || m.type == T::U64 || m.type == T::F32 || m.type == T::F32Ftz ||
           m.type == T::F16 || m.type == T::BF16;
      break;
    case ReduceOp::Min:
    case ReduceOp::Max:
      ok = m.type == T::U32 || m.type == T::S32 || m.type == T::U64 || m.type == T::S64 || m.type == T::F16 ||
           m.type == T::BF16;
      break;
    case ReduceOp::Inc:
    case ReduceOp::Dec:
      ok = m.type == T::U32;
      break;
    default:
      ok = m.type == T::U32 || m.type == T::S32 || m.type == T::U64 || m.type == T::S64;
    }
    return ok ? std::string() : "this reduction does not exist for type " + std::string(tensorTypeName(m.type));
  }

  /// PTX ISA, Restriction on Tensor Copy instructions, direction .global.shared::cta.
  std::string checkStore() const {
    for (unsigned k = 0; k != x.coordCount; ++k)
      if (q.coords[k] < 0)
        return "coordinate " + number(k) + " of a store is negative (" + number(q.coords[k]) + ")";
    if (m.type == TensorType::B4x16P64)
      return "type b4x16_p64 can only be loaded";
    if (m.swizzle == TensorSwizzle::B128Atom32Flip8)
      return "swizzle 128B_ATOM_32B_FLIP_8B can only be loaded";
    // "The address of the bounding Box must also be aligned to 16 bytes."
    if (uint64_t(start) * box.globalUnit % 16)
      return "the box starts at byte " + number(start * box.globalUnit) + " of its row, which is not a multiple of 16";
    for (unsigned k = 0; m.mode == TensorMode::Im2col && k + 2 < m.rank; ++k)
      if (m.lower[k] < 0 || m.upper[k] > 0)
        return "the bounding box of an im2col store must lie inside the tensor";
    return {};
  }

  /// Appends the row at `base` (the address of channel 0 of its pixel).
  void row(uint64_t base, bool inside, uint32_t sliceIndex) {
    TmaBox::Row r;
    int64_t first = slice ? start + int64_t(sliceIndex) * slice * m.elementStrides[0] : start;
    int64_t lo = std::clamp<int64_t>(-first, 0, box.rowUnits), hi = std::clamp<int64_t>(size - first, lo, box.rowUnits);
    if (slice)
      base += uint64_t(first / int64_t(slice)) * m.strides[0];
    else
      base += uint64_t(first) * box.globalUnit;
    r.address = base;
    r.lo = inside ? uint32_t(lo) : 0;
    r.hi = inside ? uint32_t(hi) : 0;
    if (!inside || hi <= lo)
      r.lo = r.hi = 0;
    box.rows.push_back(r);
  }
  /// Bytes from one element of dimension k > 0 to the next.
  uint64_t stride(unsigned k) const { return slice && k == 1 ? m.sliceBytes() : m.strides[k - 1]; }
  uint32_t slices() const {
    if (!slice)
      return 1;
    uint32_t n = count / slice;
    return m.mode == TensorMode::Tiled ? (n + m.elementStrides[0] - 1) / m.elementStrides[0] : n;
  }

  /// Address of pixel `p` (dimensions 1..), and whether it lies inside.
  bool pixel(const int64_t *p, uint64_t &base) const {
    base = m.address;
    bool inside = true;
    for (unsigned k = 1; k < m.rank; ++k) {
      inside &= p[k] >= 0 && uint64_t(p[k]) < m.dims[k];
      base += uint64_t(p[k]) * stride(k);
    }
    return inside;
  }

  void tiled() {
    int64_t p[5];
    uint64_t base;
    if (x.mode == TmaMode::Gather4) {
      for (unsigned r = 0; r != 4; ++r) {
        p[1] = q.coords[1 + r];
        bool inside = pixel(p, base);
        row(base, inside, 0);
      }
      return;
    }
    // In memory order: the slices of an interleaved tensor (NC/8DHWC8) lie between the images and the space.
    unsigned last = m.rank - 1; // the images, if it is interleaved
    uint64_t outer = m.rank > 1 && slice ? m.boxCount(last) : 1, inner = 1;
    for (unsigned k = 1; k < m.rank - (slice ? 1 : 0); ++k)
      inner *= m.boxCount(k);
    for (uint64_t o = 0; o != outer; ++o)
      for (uint32_t s = 0; s != slices(); ++s)
        for (uint64_t n = 0; n != inner; ++n) {
          uint64_t rest = n;
          for (unsigned k = 1; k < m.rank - (slice ? 1 : 0); ++k) {
            p[k] = q.coords[k] + int64_t(rest % m.boxCount(k)) * m.elementStrides[k];
            rest /= m.boxCount(k);
          }
          if (slice)
            p[last] = q.coords[last] + int64_t(o) * m.elementStrides[last];
          bool inside = pixel(p, base);
          row(base, inside, s);
        }
  }

  void im2col() {
    bool wide = m.mode == TensorMode::Im2colWide;
    unsigned spatial = wide ? 1 : m.rank - 2;
    uint32_t walk = m.pixels, halo = wide ? q.info[0] : 0;
    if (x.mode == TmaMode::Im2colW)
      walk += halo;
    if (x.mode == TmaMode::Im2colW128)
      walk = 128 + halo;
    // Base pixels: inside the bounding box, W first, then H, D and the next image.
    struct Pixel {
      uint64_t base;
      bool inside;
    };
    std::vector<Pixel> pixels;
    pixels.reserve(walk);
    int64_t p[5], at[5];
    for (unsigned k = 1; k < m.rank; ++k)
      p[k] = q.coords[k];
    for (uint32_t n = 0; n != walk; ++n) {
      for (unsigned k = 1; k < m.rank; ++k) {
        at[k] = p[k];
        if (x.mode == TmaMode::Im2col && k <= spatial)
          at[k] += q.info[k - 1];
        if (wide && k == 1)
          at[k] += q.info[1];
      }
      Pixel made;
      made.inside = pixel(at, made.base);
      pixels.push_back(made);
      unsigned k = 1;
      for (; k <= spatial; ++k) {
        p[k] += m.elementStrides[k];
        if (p[k] <= int64_t(m.dims[k]) - 1 + m.upper[k - 1])
          break;
        p[k] = m.lower[k - 1];
      }
      if (k > spatial)
        ++p[m.rank - 1];
    }
    for (uint32_t s = 0; s != slices(); ++s) {
      uint32_t straight = x.mode == TmaMode::Im2colW128 ? 128 : walk;
      for (uint32_t n = 0; n != straight; ++n)
        row(pixels[n].base, pixels[n].inside, s);
      if (x.mode == TmaMode::Im2colW128)
        for (uint32_t h = 0; h != halo; ++h)
          for (uint32_t group = 1; group != 5; ++group)
            row(pixels[32 * group + h].base, pixels[32 * group + h].inside, s);
    }
  }

  const Tensormap &m;
  const TmaRequest &q;
  const TmaAux &x;
  TmaBox &box;
  int64_t start = 0, size = 0; ///< units of dimension 0
  uint32_t count = 0;          ///< units of the box in dimension 0
  uint32_t slice = 0;          ///< units of a slice, 0 without interleave
};

} // namespace

std::string tileiras::emu::planTmaBox(const Tensormap &map, const TmaRequest &request, TmaBox &box) {
  return Planner(map, request, box).run();
}
