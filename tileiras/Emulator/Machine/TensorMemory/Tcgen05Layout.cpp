//===- Tcgen05Layout.cpp - Where tcgen05 keeps what -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/TensorMemory/Tcgen05Layout.h"

#include <algorithm>

using namespace tileiras::emu;

uint32_t tileiras::emu::tensorShapeRegisters(TensorShape s) {
  return s == TensorShape::S16x128 ? 2 : s == TensorShape::S16x256 ? 4 : 1;
}

TensorCell tileiras::emu::tensorCell(TensorShape s, uint32_t half, uint32_t t, uint32_t r) {
  // PTX ISA, "Matrix and Data Movement Shape": the figures of .32x32b, .16x64b, ...
  switch (s) {
  case TensorShape::S32x32:
    return {t, r};
  case TensorShape::S16x64:
    return {t / 4 + 8 * (t & 1), 2 * r + (t >> 1 & 1)};
  case TensorShape::S16x128:
    return {t / 4 + 8 * (r & 1), 4 * (r >> 1) + (t & 3)};
  case TensorShape::S16x256:
    return {t / 4 + 8 * (r >> 1 & 1), 8 * (r >> 2) + 2 * (t & 3) + (r & 1)};
  case TensorShape::S16x32x2:
    return {t % 16, r + (t >= 16 ? half : 0)};
  }
  return {};
}

const char *tileiras::emu::tensorElementName(TensorElement e) {
  static const char *const names[] = {"f16", "bf16", "tf32", "e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "u8", "s8"};
  return names[unsigned(e)];
}

uint32_t tileiras::emu::tensorStorageBits(TensorKind kind, TensorElement e) {
  switch (e) {
  case TensorElement::F16:
  case TensorElement::BF16:
    return 16;
  case TensorElement::TF32:
    return 32;
  case TensorElement::E2M1:
    return kind == TensorKind::MXF4 || kind == TensorKind::MXF4NVF4 ? 4 : 8;
  default:
    return 8; // six-bit types: 16 elements and padding in 16 bytes
  }
}

TensorLayout tileiras::emu::tensorLayout(uint32_t m, uint8_t group, bool ws, bool sparse) {
  if (group == 2)
    return m == 256 ? TensorLayout{'A', 128, 1, 0, false}
           : sparse ? TensorLayout{'C', 64, 1, 0, true}
                    : TensorLayout{'B', 64, 2, 64, false};
  if (m == 128)
    return {'D', 128, 1, 0, false};
  if (m == 64)
    return ws ? TensorLayout{'E', 64, 2, 64, false} : TensorLayout{'F', 64, 1, 0, true};
  return {'G', 32, 4, 32, false};
}

namespace {
bool isScaled(TensorKind k) { return k >= TensorKind::MXF8F6F4; }

/// Element types of kinds f8f6f4 and mxf8f6f4.
bool narrowElement(uint32_t code, TensorElement &e) {
  static constexpr TensorElement types[] = {TensorElement::E4M3, TensorElement::E5M2, TensorElement::U8,
                                            TensorElement::E2M3, TensorElement::E3M2, TensorElement::E2M1};
  if (code == 2 || code > 5)
    return false;
  e = types[code];
  return true;
}
} // namespace

bool tileiras::emu::decodeInstructionDescriptor(const TensorAux &x, uint32_t bits, unsigned sm, TensorProductShape &s,
                                                std::string &fault) {
  auto fail = [&](std::string text) {
    fault = std::move(text);
    return false;
  };
  auto field = [&](unsigned lo, unsigned count) { return bits >> lo & ((1u << count) - 1); };
  s = TensorProductShape();
  const TensorKind kind = x.kind;
  const bool fp4 = kind == TensorKind::MXF4 || kind == TensorKind::MXF4NVF4, selects = kind <= TensorKind::TF32;
  // Bits that are zero whatever the instruction.
  uint32_t reserved = 1u << 6;
  if (!isScaled(kind)) {
    reserved |= 1u << 23 | 1u << 29;
    if (!x.ws)
      reserved |= 3u << 30;
    if (kind != TensorKind::I8)
      reserved |= 1u << 3;
    else
      reserved |= 3u << 13;
  } else {
    reserved |= 1u << 3 | 7u << 24;
    if (fp4)
      reserved |= 1u << 12 | 3u << 15;
    if (!fp4 || sm != 103)
      reserved |= 1u << 31; // K of 96
  }
  if (!x.sparse || !selects)
    reserved |= 3; // sparsity selector
  if (bits & reserved) {
    char text[64];
    std::snprintf(text, sizeof text, "bits 0x%08x must be zero", bits & reserved);
    return fail(text);
  }
  if (bool(field(2, 1)) != x.sparse)
    return fail(x.sparse ? "the sparsity bit is not set, but the instruction is sparse"
                         : "the sparsity bit is set, but the instruction is not sparse");
  s.selector = field(0, 2);
  if (s.selector > 1)
    return fail("sparsity selector " + std::to_string(s.selector) + "; 0 and 1 are known");
  s.saturate = field(3, 1);
  s.negate = field(13, 1) ^ field(14, 1);
  s.aMnMajor = field(15, 1);
  s.bMnMajor = field(16, 1);
  s.n = 8 * field(17, 6);
  // Types.
  const uint32_t a = field(7, 3), b = field(10, fp4 ? 2 : 3), d = field(4, 2);
  bool good = true;
  switch (kind) {
  case TensorKind::F16:
    good = a <= 1 && b == a;
    s.a = s.b = a ? TensorElement::BF16 : TensorElement::F16;
    break;
  case TensorKind::TF32:
    good = a == 2 && b == 2;
    s.a = s.b = TensorElement::TF32;
    break;
  case TensorKind::I8:
    good = a <= 1 && b <= 1;
    s.a = a ? TensorElement::S8 : TensorElement::U8;
    s.b = b ? TensorElement::S8 : TensorElement::U8;
    break;
  case TensorKind::F8F6F4:
  case TensorKind::MXF8F6F4:
    good = narrowElement(a, s.a) && narrowElement(b, s.b);
    break;
  case TensorKind::MXF4:
  case TensorKind::MXF4NVF4:
    good = a == 1 && b == 1;
    s.a = s.b = TensorElement::E2M1;
    break;
  }
  if (!good)
    return fail("the types of A (" + std::to_string(a) + ") and B (" + std::to_string(b) +
                ") do not exist in this kind");
  if (!isScaled(kind)) {
    s.d = d == 0 ? Type::F16 : d == 1 ? Type::F32 : Type::S32;
    const bool half = kind == TensorKind::F8F6F4 || (kind == TensorKind::F16 && a == 0);
    if (kind == TensorKind::I8 ? d != 2 : d != 1 && !(d == 0 && half))
      return fail("type " + std::to_string(d) + " of D does not exist for these types of A and B");
    s.m = 16 * field(24, 5);
    s.maxShift = field(30, 2) ? 4u << field(30, 2) : 0;
  } else {
    s.m = 128 * field(27, 2);
    s.sfbId = field(4, 2);
    s.sfaId = field(29, 2);
    s.scaleE4M3 = !field(23, 1);
    if (s.scaleE4M3 && !(kind == TensorKind::MXF4NVF4 && x.scaleVector == 4))
      return fail("scale type ue4m3 exists only with mxf4nvf4 and blocks of 16");
    s.k96 = field(31, 1);
    const uint32_t step = x.scaleVector == 1 ? 1 : x.scaleVector == 2 ? 2 : 4;
    if (!s.k96 && (s.sfaId % step || s.sfbId % step))
      return fail("scale factor ids " + std::to_string(s.sfaId) + " and " + std::to_string(s.sfbId) +
                  " must be multiples of " + std::to_string(step));
    if (s.k96 && x.scaleVector == 4 && (s.sfaId % 2 || s.sfbId % 2))
      return fail("scale factor ids must be 0 or 2 with K = 96 and blocks of 16");
    if (s.k96 && x.sparse)
      return fail("K = 96 is for dense products");
  }
  auto narrow = [](TensorElement e) { return e >= TensorElement::E2M3 && e <= TensorElement::E2M1; };
  if ((s.aMnMajor && narrow(s.a)) || (s.bMnMajor && narrow(s.b)))
    return fail("matrices of four- and six-bit types must be K-major");
  if (x.aInTensor && s.aMnMajor)
    return fail("A in tensor memory cannot be transposed");
  // Shapes: PTX ISA, "Matrix shape" of tcgen05.mma.
  const bool pair = x.group == 2, integer = kind == TensorKind::I8;
  bool goodM = pair ? s.m == 256 || (s.m == 128 && !(isScaled(kind) && x.sparse))
                    : s.m == 128 || (!isScaled(kind) && (s.m == 64 || (x.ws && s.m == 32)));
  if (!goodM)
    return fail("M = " + std::to_string(s.m) + " does not exist for this instruction");
  const bool bytesN = s.bMnMajor && tensorStorageBits(kind, s.b) == 8;
  bool goodN;
  if (x.ws)
    goodN = s.n == 64 || s.n == 128 || (s.n == 256 && !x.sparse);
  else if (pair)
    goodN = s.n >= 16 && s.n <= 256 && s.n % (integer || bytesN ? 32 : 16) == 0;
  else
    goodN = s.n >= 8 && s.n <= 256 && (integer ? s.n == 8 || s.n == 24 || s.n % 16 == 0 : s.n % (bytesN ? 16 : 8) == 0);
  if (!goodN)
    return fail("N = " + std::to_string(s.n) + " does not exist for this instruction");
  switch (kind) {
  case TensorKind::F16:
    s.k = 16;
    break;
  case TensorKind::TF32:
    s.k = 8;
    break;
  case TensorKind::MXF4:
  case TensorKind::MXF4NVF4:
    s.k = s.k96 ? 96 : 64;
    break;
  default:
    s.k = 32;
    break;
  }
  if (x.sparse)
    s.k *= 2;
  s.layout = tensorLayout(s.m, x.group, x.ws, x.sparse);
  return true;
}

TensorBits tileiras::emu::tensorMetadata(TensorKind kind, uint32_t m, uint32_t k) {
  // PTX ISA, "Sparse matrices": one column for 16-bit and tf32 elements, two for the others.
  switch (kind) {
  case TensorKind::F16:
    return {{m % 8 + 16 * (m / 16) + 8 * (k / 16), 0}, 16 * (m / 8 % 2) + k % 16};
  case TensorKind::TF32:
    return {{m % 8 + 16 * (m / 16) + 8 * (k / 8), 0}, 16 * (m / 8 % 2) + 2 * (k % 8)};
  case TensorKind::MXF4:
  case TensorKind::MXF4NVF4:
    return {{m, k / 64}, k / 2 % 32};
  default:
    return {{m, k / 32}, k % 32};
  }
}

TensorBits tileiras::emu::tensorScale(uint32_t count, uint32_t x, uint32_t s, uint32_t p) {
  // PTX ISA, "Scale factor A/B layout in Tensor Memory": four scales in a cell, 32 rows side by side; all 128 rows (256
  // columns) before the next four scales.
  const uint32_t group = 4 * ((count + 127) / 128);
  return {{32 * p + x % 32, x / 32 + group * (s / 4)}, 8 * (s % 4)};
}

TensorBits tileiras::emu::tensorScaleSplit(uint32_t n, uint32_t x, uint32_t s, uint32_t q) {
  const uint32_t upper = x >= n / 2, y = x % (n / 2);
  return {{64 * upper + 32 * q + y % 32, y / 32 + 4 * (s / 4)}, 8 * (s % 4)};
}

bool tileiras::emu::tensorColumnZeroed(uint64_t mask, uint32_t bank, uint32_t column) {
  // PTX ISA, "Zero-Column Mask Descriptor", with the names of the two spans as its examples use them.
  if (!(mask >> 39 & 1))
    return false;
  const uint32_t start = uint32_t(mask >> 8 * bank & 255), skip = uint32_t(mask >> 40 & 255) + 1,
                 use = uint32_t(mask >> 48 & 255) + 1;
  const bool zeroFirst = mask >> (32 + bank) & 1;
  const uint32_t first = zeroFirst ? skip : use, position = column + std::min(start, first - 1);
  uint32_t inPeriod = position % (skip + use);
  return (inPeriod < first) == zeroFirst;
}
