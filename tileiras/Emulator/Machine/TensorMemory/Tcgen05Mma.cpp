//===- Tcgen05Mma.cpp - tcgen05.mma in flight -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, tcgen05.mma, .sp, .ws and .ws.sp. An instruction reads 32 bytes of K per stored row. It is performed bank by
// bank of D (TensorLayout): a bank's lanes take A, metadata and scale factors from the same lanes, which is why
// operands in tensor memory are repeated there where D has several banks.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Exec/Isa.h"
#include "tileiras/Emulator/Machine/Matrix/MatrixKernels.h"
#include "tileiras/Emulator/Machine/TensorMemory/Tcgen05.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

using namespace tileiras::emu;

TensorMmaOp::TensorMmaOp(Warp &w, const Inst &i, uint32_t l)
    : TensorOp(w, i, l), aux(*static_cast<const TensorAux *>(i.aux)) {}

static uint32_t columnOf(uint32_t address) { return address & 0xffff; }
static uint32_t laneOf(uint32_t address) { return address >> 16; }

bool TensorMmaOp::check() {
  std::string fault;
  char text[64];
  auto fail = [&](ReportKind kind, std::string message) {
    report(kind, std::move(message));
    return false;
  };
  if (!decodeInstructionDescriptor(aux, idesc, warp->launch->program->ast->sm, shape, fault)) {
    std::snprintf(text, sizeof text, "instruction descriptor 0x%08x: ", idesc);
    return fail(ReportKind::Descriptor, text + fault);
  }
  bytes = uint64_t(shape.m) * shape.n * shape.k;
  if (aux.ashift && shape.m == 64)
    return fail(ReportKind::Descriptor, "an instruction with .ashift needs M = 128 or 256");
  const bool spread = shape.layout.spread;
  auto address = [&](uint32_t a, const char *what) {
    uint32_t lane = laneOf(a), base = laneOf(d);
    if (columnOf(a) < TensorColumns && (spread ? lane == base && (lane == 0 || lane == 16) : lane == 0))
      return true;
    std::snprintf(text, sizeof text, "tensor address 0x%08x of ", a);
    report(ReportKind::TensorMemory,
           text + std::string(what) + ": " +
               (columnOf(a) >= TensorColumns ? "there are 512 columns"
                : spread                     ? "the lane of D, A and metadata must be the same, 0 or 16, in this shape"
                                             : "the lane must be 0 in this shape"));
    return false;
  };
  if (!address(d, "D") || (aux.aInTensor && !address(aAddress, "A")) || (aux.sparse && !address(meta, "the metadata")))
    return false;
  if (aux.sparse && (meta & 1))
    return fail(ReportKind::TensorMemory,
                "the column of the metadata must be even, not " + std::to_string(columnOf(meta)));
  if (aux.blockScaled) {
    // The two highest bits may repeat the id, which the instruction descriptor gives.
    sfa &= 0x3fffffff;
    sfb &= 0x3fffffff;
    for (auto [a, name] : {std::pair(sfa, "the scale factors of A"), std::pair(sfb, "the scale factors of B")})
      if (laneOf(a) || columnOf(a) >= TensorColumns)
        return fail(ReportKind::TensorMemory, std::string("the lane of ") + name + " must be 0");
  }
  auto descriptor = [&](uint64_t bits, const char *what, TensorElement e, bool mnMajor) {
    SmemDescriptor desc = tcgen05Descriptor(bits);
    std::string wrong = desc.fault;
    if (wrong.empty() && (desc.swizzle == SmemSwizzle::B128Atom32) != (e == TensorElement::TF32 && mnMajor))
      wrong = e == TensorElement::TF32 && mnMajor
                  ? "an MN-major matrix of tf32 needs the 128B swizzle with 32-byte atoms"
                  : "the 128B swizzle with 32-byte atoms is for MN-major tf32";
    if (wrong.empty() && desc.leadingAbsolute && !shape.k96)
      wrong = "the absolute mode of the leading byte offset is for K = 96";
    if (wrong.empty())
      return true;
    std::snprintf(text, sizeof text, "descriptor 0x%016llx of ", static_cast<unsigned long long>(bits));
    report(ReportKind::Descriptor, text + std::string(what) + ": " + wrong);
    return false;
  };
  if (!aux.aInTensor && !descriptor(aDescriptor, "A", shape.a, shape.aMnMajor))
    return false;
  if (!descriptor(bDescriptor, "B", shape.b, shape.bMnMajor))
    return false;
  if (aux.hasZeroMask && (zeroMask & 0xc0000070'00000000ull) && (zeroMask >> 39 & 1))
    return fail(ReportKind::Descriptor, "reserved bits of the zero-column mask are set");
  if (uint32_t shift = tensorColumnShift(zeroMask); shift > shape.maxShift)
    return fail(ReportKind::Descriptor, "the zero-column mask shifts B by " + std::to_string(shift) +
                                            " columns, the instruction descriptor allows " +
                                            std::to_string(shape.maxShift));
  return true;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
/// Values of the formats the kernels do not know, by code.
const std::array<double, 64> &smallFloats(int exponentBits, int fractionBits) {
  auto make = [](int e, int f) {
    std::array<double, 64> t{};
    for (int code = 0; code != 1 << (1 + e + f); ++code) {
      int exponent = code >> f & ((1 << e) - 1), fraction = code & ((1 << f) - 1), bias = (1 << (e - 1)) - 1;
      double v = exponent ? std::ldexp(double((1 << f) + fraction), exponent - bias - f)
                          : std::ldexp(double(fraction), 1 - bias - f);
      t[size_t(code)] = code >> (e + f) ? -v : v;
    }
    return t;
  };
  static const std::array<double, 64> e2m3 = make(2, 3), e3m2 = make(3, 2), e2m1 = make(2, 1);
  return exponentBits == 3 ? e3m2 : fractionBits == 3 ? e2m3 : e2m1;
}
} // namespace

void TensorMmaOp::decode(TensorElement e, const uint8_t *from, size_t count, bool inTensor, double *to) const {
  static constexpr Type types[] = {Type::F16,  Type::BF16, Type::TF32, Type::E4M3, Type::E5M2,
                                   Type::None, Type::None, Type::None, Type::U8,   Type::S8};
  if (Type t = types[unsigned(e)]; t != Type::None) {
    currentIsa().matrix->decode(t, from, count, to);
    return;
  }
  const bool four = e == TensorElement::E2M1;
  const auto &table = four ? smallFloats(2, 1) : e == TensorElement::E2M3 ? smallFloats(2, 3) : smallFloats(3, 2);
  if (tensorStorageBits(aux.kind, e) == 4) {
    for (size_t i = 0; i != count; ++i)
      to[i] = table[from[i / 2] >> 4 * (i & 1) & 15];
    return;
  }
  for (size_t i = 0; i != count; ++i) {
    if (inTensor) { // one element per byte
      to[i] = table[four ? from[i] >> 2 & 15 : from[i] & 63];
      continue;
    }
    // 16 elements in the low bytes of 16.
    const uint8_t *unit = from + i / 16 * 16;
    unsigned bit = unsigned(i % 16) * (four ? 4 : 6);
    unsigned pair = unit[bit / 8] | unsigned(unit[bit / 8 + 1]) << 8;
    to[i] = table[pair >> bit % 8 & (four ? 15 : 63)];
  }
}

static uint32_t paddedBytes(const TensorAux &x, TensorElement e) {
  if (tensorStorageBits(x.kind, e) == 4)
    return 0;
  return e == TensorElement::E2M1 ? 8 : e == TensorElement::E2M3 || e == TensorElement::E3M2 ? 12 : 0;
}

bool TensorMmaOp::fetchB(const std::vector<Cta *> &ctas, std::vector<double> &b) {
  static thread_local std::vector<uint8_t> raw;
  static thread_local std::vector<double> part;
  const uint32_t shift = (tensorColumnShift(zeroMask) + 7) / 8 * 8;
  const uint32_t each = shape.n / uint32_t(ctas.size()) + shift;
  bColumns = each * uint32_t(ctas.size());
  b.resize(size_t(shape.k) * bColumns);
  for (size_t c = 0; c != ctas.size(); ++c) {
    SmemTile tile{shape.bMnMajor, each, shape.k, tensorStorageBits(aux.kind, shape.b), paddedBytes(aux, shape.b)};
    if (!readMatrix(*ctas[c], bDescriptor, tile, "B", raw))
      return false;
    const uint32_t stride = shape.bMnMajor ? uint32_t(raw.size() * 8 / tile.elementBits / shape.k) : 0;
    part.resize(raw.size() * 8 / tile.elementBits);
    decode(shape.b, raw.data(), part.size(), false, part.data());
    double *to = b.data() + c * each;
    if (shape.bMnMajor) {
      for (uint32_t k = 0; k != shape.k; ++k)
        std::copy_n(&part[size_t(k) * stride], each, to + size_t(k) * bColumns);
    } else {
      for (uint32_t n0 = 0; n0 < each; n0 += 8)
        for (uint32_t k = 0; k != shape.k; ++k)
          for (uint32_t n = n0; n != n0 + 8; ++n)
            to[size_t(k) * bColumns + n] = part[size_t(n) * shape.k + k];
    }
  }
  return true;
}

bool TensorMmaOp::fetchA(Cta &where, uint32_t bank, std::vector<double> &a) {
  static thread_local std::vector<uint8_t> raw;
  static thread_local std::vector<double> part;
  const uint32_t k = storedK(), bits = tensorStorageBits(aux.kind, shape.a);
  a.resize(size_t(rows()) * k);
  if (aux.aInTensor) {
    const uint32_t columns = k * bits / 32;
    if (!owned(where, columnOf(aAddress), columns, "A"))
      return false;
    raw.resize(size_t(rows()) * columns * 4);
    for (uint32_t m = 0; m != rows(); ++m)
      load(where, shape.layout.lane(m, bank, laneOf(aAddress)), columnOf(aAddress), columns,
           reinterpret_cast<uint32_t *>(&raw[size_t(m) * columns * 4]), "A");
    decode(shape.a, raw.data(), a.size(), true, a.data());
  } else {
    SmemTile tile{shape.aMnMajor, rows(), k, bits, paddedBytes(aux, shape.a)};
    if (!readMatrix(where, aDescriptor, tile, "A", raw))
      return false;
    if (!shape.aMnMajor) {
      decode(shape.a, raw.data(), a.size(), false, a.data());
    } else {
      part.resize(raw.size() * 8 / bits);
      const size_t stride = part.size() / k;
      decode(shape.a, raw.data(), part.size(), false, part.data());
      for (uint32_t m = 0; m != rows(); ++m)
        for (uint32_t x = 0; x != k; ++x)
          a[size_t(m) * k + x] = part[x * stride + m];
    }
  }
  if (shape.negate)
    for (double &v : a)
      v = -v;
  return true;
}

bool TensorMmaOp::fetchIndex(Cta &where, uint32_t bank, std::vector<uint16_t> &index) {
  const uint32_t k = storedK(), columns = aux.kind <= TensorKind::TF32 ? 1 : 2;
  const bool fp4 = aux.kind >= TensorKind::MXF4, tf32 = aux.kind == TensorKind::TF32;
  const uint32_t group = tf32 ? 2 : fp4 ? 8 : 4; // elements of K
  const uint32_t column = columnOf(meta) + (columns == 1 ? shape.selector : 0);
  if (!owned(where, column, columns, "the sparsity metadata"))
    return false;
  index.resize(size_t(rows()) * k);
  for (uint32_t m = 0; m != rows(); ++m) {
    const uint32_t lane = shape.layout.lane(m, bank, laneOf(d));
    for (uint32_t g = 0; g * group != shape.k; ++g) {
      TensorBits at = tensorMetadata(aux.kind, lane, g * group);
      uint32_t cell;
      load(where, at.cell.lane, column + at.cell.column, 1, &cell, "the sparsity metadata");
      const uint32_t code = cell >> at.bit & 15, first = code & 3, second = code >> 2;
      if (tf32 ? code != 4 && code != 14 : first == second) {
        report(ReportKind::InvalidOperation, "sparsity metadata " + std::to_string(code) + " of row " +
                                                 std::to_string(m) + ", group " + std::to_string(g) +
                                                 (tf32 ? ": must be 4 or 14" : ": its two indices are equal"));
        return false;
      }
      uint16_t *to = &index[size_t(m) * k + g * (group / 2)];
      if (tf32) {
        to[0] = uint16_t(2 * g + (code == 14));
      } else if (!fp4) {
        to[0] = uint16_t(4 * g + first);
        to[1] = uint16_t(4 * g + second);
      } else { // neighbours go together
        for (uint32_t e = 0; e != 2; ++e) {
          to[e] = uint16_t(8 * g + 2 * first + e);
          to[2 + e] = uint16_t(8 * g + 2 * second + e);
        }
      }
    }
  }
  return true;
}

/// factors[row or column][block of K].
bool TensorMmaOp::scaleFactors(Cta &where, bool isA, std::vector<double> &factors) {
  const uint32_t blocks = aux.scaleVector * (shape.k96 ? 3 : 2) / 2, count = isA ? rows() : shape.n;
  const uint32_t id = isA ? shape.sfaId : shape.sfbId, base = columnOf(isA ? sfa : sfb);
  const bool split = !isA && shape.layout.name == 'B';
  const uint32_t copies = split ? 2 : 4;
  const char *what = isA ? "the scale factors of A" : "the scale factors of B";
  auto place = [&](uint32_t x, uint32_t s, uint32_t copy) {
    return split ? tensorScaleSplit(count, x, id + s, copy) : tensorScale(count, x, id + s, copy);
  };
  static thread_local std::array<std::array<uint32_t, 33>, TensorLanes> cells;
  std::array<uint64_t, TensorLanes> needed{};
  uint32_t columns = 0;
  for (uint32_t x = 0; x != count; ++x)
    for (uint32_t s = 0; s != blocks; ++s)
      for (uint32_t c = 0; c != copies; ++c) {
        TensorCell at = place(x, s, c).cell;
        needed[at.lane] |= uint64_t(1) << at.column;
        columns = std::max(columns, at.column + 1);
      }
  if (!owned(where, base, columns, what))
    return false;
  for (uint32_t lane = 0; lane != TensorLanes; ++lane)
    for (uint32_t c = 0; c != columns; ++c)
      if (needed[lane] >> c & 1)
        load(where, lane, base + c, 1, &cells[lane][c], what);
  factors.resize(size_t(count) * blocks);
  for (uint32_t x = 0; x != count; ++x)
    for (uint32_t s = 0; s != blocks; ++s) {
      uint32_t value = 0;
      for (uint32_t c = 0; c != copies; ++c) {
        TensorBits at = place(x, s, c);
        uint32_t v = cells[at.cell.lane][at.cell.column] >> at.bit & 255;
        if (c && v != value) {
          report(ReportKind::InvalidOperation,
                 std::string(what) + " must be the same in " + (split ? "both" : "all four") +
                     " groups of lanes that hold them, but " + (isA ? "row " : "column ") + std::to_string(x) +
                     " has " + std::to_string(value) + " and " + std::to_string(v) + " (in lane " +
                     std::to_string(at.cell.lane) + ")");
          return false;
        }
        value = v;
      }
      double f;
      if (shape.scaleE4M3) {
        uint8_t code = uint8_t(value & 127);
        currentIsa().matrix->decode(Type::E4M3, &code, 1, &f);
      } else {
        f = value == 255 ? NAN : std::ldexp(1.0, int(value) - 127);
      }
      factors[size_t(x) * blocks + s] = f;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

bool TensorMmaOp::compute(Cta &where, uint32_t half, const std::vector<double> &allB) {
  static thread_local std::vector<double> a, sa, sb, scaledB, bankB, acc;
  static thread_local std::vector<uint16_t> index, halves;
  static thread_local std::vector<uint32_t> cells;
  const MatrixKernels &kernels = *currentIsa().matrix;
  const TensorLayout &layout = shape.layout;
  const uint32_t k = storedK(), columns = shape.n / layout.banks, column = columnOf(d);
  if (!owned(where, column, columns, "D"))
    return false;
  const double *b = allB.data();
  if (aux.blockScaled) {
    if (!scaleFactors(where, true, sa) || !scaleFactors(where, false, sb))
      return false;
    const uint32_t blocks = uint32_t(sb.size() / shape.n), length = shape.k / blocks;
    scaledB.resize(allB.size());
    for (uint32_t x = 0; x != shape.k; ++x)
      for (uint32_t n = 0; n != shape.n; ++n)
        scaledB[size_t(x) * bColumns + n] = allB[size_t(x) * bColumns + n] * sb[size_t(n) * blocks + x / length];
    b = scaledB.data();
  }
  bool haveA = false;
  for (uint32_t bank = 0; bank != layout.banks; ++bank) {
    if (!haveA || aux.aInTensor) {
      if (!fetchA(where, bank, a))
        return false;
      haveA = true;
    }
    if (aux.sparse && !fetchIndex(where, bank, index))
      return false;
    if (aux.blockScaled && (bank == 0 || aux.aInTensor)) {
      const uint32_t blocks = uint32_t(sa.size() / rows()), length = shape.k / blocks;
      for (uint32_t m = 0; m != rows(); ++m)
        for (uint32_t x = 0; x != k; ++x)
          a[size_t(m) * k + x] *= sa[size_t(m) * blocks + (aux.sparse ? index[size_t(m) * k + x] : x) / length];
    }
    TensorProduct p;
    p.m = rows();
    p.n = columns;
    p.k = k;
    p.a = a.data();
    p.b = b + size_t(bank) * columns;
    p.ldb = bColumns;
    if (aux.hasZeroMask && (zeroMask >> 39 & 1)) {
      const uint32_t shift = tensorColumnShift(zeroMask);
      bankB.resize(size_t(shape.k) * columns);
      for (uint32_t x = 0; x != shape.k; ++x)
        for (uint32_t n = 0; n != columns; ++n)
          bankB[size_t(x) * columns + n] =
              tensorColumnZeroed(zeroMask, bank, n) ? 0 : b[size_t(x) * bColumns + bank * columns + n + shift];
      p.b = bankB.data();
      p.ldb = columns;
    }
    p.index = aux.sparse ? index.data() : nullptr;
    // C, or zero. Lanes that are not written are computed all the same.
    const size_t size = size_t(p.m) * columns;
    acc.assign(size, 0);
    auto laneAt = [&](uint32_t m) { return layout.lane(m, bank, laneOf(d)); };
    auto disabled = [&](uint32_t lane) { return laneMask[4 * half + lane / 32] >> lane % 32 & 1; };
    cells.resize(columns);
    if (enable)
      for (uint32_t m = 0; m != p.m; ++m) {
        if (disabled(laneAt(m)))
          continue;
        load(where, laneAt(m), column, columns, cells.data(), "the accumulator");
        double *to = &acc[size_t(m) * columns];
        if (shape.d == Type::F32) {
          for (uint32_t n = 0; n != columns; ++n)
            to[n] = std::bit_cast<float>(cells[n]);
        } else if (shape.d == Type::S32) {
          for (uint32_t n = 0; n != columns; ++n)
            to[n] = int32_t(cells[n]);
        } else {
          halves.resize(columns);
          for (uint32_t n = 0; n != columns; ++n)
            halves[n] = uint16_t(cells[n]);
          kernels.decode(Type::F16, reinterpret_cast<const uint8_t *>(halves.data()), columns, to);
        }
        if (aux.scaleD)
          for (uint32_t n = 0; n != columns; ++n)
            to[n] = std::ldexp(to[n], -int(aux.scaleD));
      }
    p.c = acc.data();
    p.ldc = columns;
    kernels.multiply(p);
    for (uint32_t m = 0; m != p.m; ++m) {
      const double *from = &acc[size_t(m) * columns];
      if (disabled(laneAt(m)))
        continue;
      if (shape.d == Type::S32) {
        for (uint32_t n = 0; n != columns; ++n) {
          int64_t s = int64_t(from[n]);
          if (shape.saturate)
            s = std::clamp<int64_t>(s, INT32_MIN, INT32_MAX);
          cells[n] = uint32_t(uint64_t(s));
        }
      } else {
        kernels.roundTo(shape.d, from, columns, cells.data());
      }
      store(where, laneAt(m), column, columns, cells.data());
    }
  }
  if (!aux.ashift)
    return true;
  // The rows of A move up by one, as with tcgen05.shift.
  TensorMemory &memory = where.tensorMemory();
  const uint32_t from = columnOf(aAddress);
  for (uint32_t lane = 0; lane != TensorLanes; ++lane)
    if (lane % 32 != 31) {
      observeCells(where, lane, from, 8, true);
      std::memcpy(memory.cell(lane, from), memory.cell(lane + 1, from), 32);
      std::memcpy(memory.written(lane, from), memory.written(lane + 1, from), 8);
    }
  return true;
}

bool TensorMmaOp::step() {
  static thread_local std::vector<double> b;
  finishEarlier();
  const uint32_t bits = aux.kind == TensorKind::TF32                                       ? 32
                        : aux.kind == TensorKind::F16                                      ? 16
                        : aux.kind == TensorKind::MXF4 || aux.kind == TensorKind::MXF4NVF4 ? 4
                                                                                           : 8;
  warp->countMatrix(bytes, bits, aux.sparse);
  std::vector<Cta *> ctas = blocks(aux.group);
  for (Cta *c : ctas)
    if (!c->liveWarps && c != cta) {
      report(ReportKind::InvalidOperation, "the other block of the pair has exited");
      return true;
    }
  if (!fetchB(ctas, b))
    return true;
  for (size_t c = 0; c != ctas.size(); ++c)
    if (!compute(*ctas[c], uint32_t(c), b))
      break;
  return true;
}
