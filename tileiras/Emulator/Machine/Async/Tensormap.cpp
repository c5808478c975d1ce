//===- Tensormap.cpp - Tensor maps ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Async/Tensormap.h"

#include <cstring>

using namespace tileiras::emu;

namespace {

/// The object. Sizes are stored less one, strides in units of 16 bytes, like the hardware does it, so that every
/// field of tensormap.replace has one place and 0 means something.
struct Raw {
  uint32_t magic;
  uint32_t checksum;
  uint64_t address;
  uint32_t dims[5];
  uint32_t strides[4];     ///< low 32 bits
  uint16_t stridesHigh;    ///< 4 bits each
  uint16_t elementStrides; ///< 3 bits each
  uint8_t box[5];
  uint8_t mode, rank, type, interleave, swizzle, atomicity, fill, l2, pad;
  uint16_t channels, pixels;
  int16_t lower[3], upper[3];
  uint8_t reserved[42];
};
static_assert(sizeof(Raw) == TensormapBytes);

constexpr uint32_t Magic = 0x70614d54; // "TMap"

uint32_t checksum(const Raw &raw) {
  const uint8_t *p = reinterpret_cast<const uint8_t *>(&raw);
  uint64_t h = 0xcbf29ce484222325ull;
  for (unsigned i = 8; i != TensormapBytes; i += 8) {
    uint64_t w;
    std::memcpy(&w, p + i, 8);
    h = (h ^ w) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 29;
  }
  return uint32_t(h ^ h >> 32);
}

void seal(Raw &raw) {
  raw.magic = Magic;
  raw.checksum = checksum(raw);
}

/// Swizzle mode and atomicity, as tensormap.replace counts them.
struct SwizzleCode {
  uint8_t mode, atomicity;
};
constexpr SwizzleCode swizzleCodes[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}, {3, 2}, {3, 3}, {4, 0}};

struct TypeInfo {
  const char *name;
  unsigned bits;
  bool isFloat;
};
constexpr TypeInfo types[] = {
    {"u8", 8, false},       {"u16", 16, false},  {"u32", 32, false},      {"s32", 32, false},
    {"u64", 64, false},     {"s64", 64, false},  {"f16", 16, true},       {"f32", 32, true},
    {"f32.ftz", 32, true},  {"f64", 64, true},   {"bf16", 16, true},      {"tf32", 32, true},
    {"tf32.ftz", 32, true}, {"b4x16", 4, false}, {"b4x16_p64", 4, false}, {"b6x16_p32", 6, false},
};
constexpr unsigned NumTypes = sizeof types / sizeof types[0];

constexpr const char *swizzleNames[] = {"none",          "32B", "64B", "128B", "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B",
                                        "128B_ATOM_64B", "96B"};

std::string number(uint64_t v) { return std::to_string(v); }

} // namespace

const char *tileiras::emu::tensorTypeName(TensorType t) { return types[unsigned(t)].name; }
bool tileiras::emu::parseTensorType(std::string_view name, TensorType &t) {
  for (unsigned i = 0; i != NumTypes; ++i)
    if (name == types[i].name) {
      t = TensorType(i);
      return true;
    }
  return false;
}
bool tileiras::emu::tensorTypeOfDriver(unsigned code, TensorType &t) {
  using T = TensorType;
  static constexpr T inOrder[NumTypes] = {T::U8,      T::U16,   T::U32,      T::S32,     T::U64,    T::S64,
                                          T::F16,     T::F32,   T::F64,      T::BF16,    T::F32Ftz, T::TF32,
                                          T::TF32Ftz, T::B4x16, T::B4x16P64, T::B6x16P32};
  if (code >= NumTypes)
    return false;
  t = inOrder[code];
  return true;
}
const char *tileiras::emu::tensorSwizzleName(TensorSwizzle s) { return swizzleNames[unsigned(s)]; }
bool tileiras::emu::parseTensorSwizzle(std::string_view name, TensorSwizzle &s) {
  for (unsigned i = 0; i != 8; ++i)
    if (name == swizzleNames[i]) {
      s = TensorSwizzle(i);
      return true;
    }
  return false;
}
unsigned tileiras::emu::tensorTypeBits(TensorType t) { return types[unsigned(t)].bits; }
unsigned tileiras::emu::tensorSwizzleSpan(TensorSwizzle s) {
  switch (s) {
  case TensorSwizzle::None:
    return 0;
  case TensorSwizzle::B32:
    return 32;
  case TensorSwizzle::B64:
    return 64;
  case TensorSwizzle::B96:
    return 96;
  default:
    return 128;
  }
}

std::string tileiras::emu::validateTensormap(const Tensormap &m) {
  bool im2col = m.mode != TensorMode::Tiled, wide = m.mode == TensorMode::Im2colWide;
  bool padded = m.type == TensorType::B4x16P64 || m.type == TensorType::B6x16P32;
  if (m.rank < 1 || m.rank > 5)
    return "rank " + number(m.rank) + " is not 1 to 5";
  if ((im2col || m.interleave != TensorInterleave::None) && m.rank < 3)
    return std::string(im2col ? "im2col" : "an interleaved layout") + " needs rank 3 to 5, not " + number(m.rank);
  unsigned align = padded || m.interleave == TensorInterleave::B32 ? 32 : 16;
  if (m.address % align)
    return "the global address is not a multiple of " + number(align);
  for (unsigned k = 0; k != m.rank; ++k)
    if (m.dims[k] == 0 || m.dims[k] > uint64_t(1) << 32)
      return "dimension " + number(k) + " has " + number(m.dims[k]) + " elements; it must be 1 to 2^32";
  if (padded && m.dims[0] % 128)
    return "dimension 0 of type " + std::string(tensorTypeName(m.type)) + " must be a multiple of 128";
  if (m.type == TensorType::B4x16 && m.dims[0] % 2)
    return "dimension 0 of type b4x16 must be even";
  for (unsigned k = 0; k + 1 < m.rank; ++k) {
    if (m.strides[k] % align)
      return "stride " + number(k) + " (" + number(m.strides[k]) + " bytes) is not a multiple of " + number(align);
    if (m.strides[k] >= uint64_t(1) << 40)
      return "stride " + number(k) + " is 2^40 bytes or more";
  }
  for (unsigned k = 0; k != m.rank; ++k)
    if ((k || m.interleave != TensorInterleave::None) && (m.elementStrides[k] < 1 || m.elementStrides[k] > 8))
      return "element stride " + number(k) + " is " + number(m.elementStrides[k]) + "; it must be 1 to 8";
  if (!im2col)
    for (unsigned k = 0; k != m.rank; ++k)
      if (m.box[k] < 1 || m.box[k] > 256)
        return "box dimension " + number(k) + " is " + number(m.box[k]) + "; it must be 1 to 256";
  if (im2col) {
    if (m.channels < 1 || m.channels > 256)
      return "channels per pixel is " + number(m.channels) + "; it must be 1 to 256";
    if (m.pixels < 1 || m.pixels > 1024)
      return "pixels per column is " + number(m.pixels) + "; it must be 1 to 1024";
    unsigned spatial = wide ? 1 : m.rank - 2;
    int32_t limit = spatial == 1 ? 32768 : spatial == 2 ? 128 : 16;
    for (unsigned k = 0; k != spatial; ++k) {
      for (int32_t corner : {m.lower[k], m.upper[k]})
        if (corner < -limit || corner >= limit)
          return "box corner " + std::to_string(corner) + " is not in [" + std::to_string(-limit) + ", " +
                 std::to_string(limit - 1) + "]";
      if (int64_t(m.dims[k + 1]) - 1 + m.upper[k] < m.lower[k])
        return "the im2col bounding box is empty in dimension " + number(k + 1);
    }
  }
  uint64_t rowBits = uint64_t(m.rowElements()) * tensorTypeBits(m.type);
  if (padded && m.rowElements() != 128)
    return "a box of type " + std::string(tensorTypeName(m.type)) + " is 128 elements wide, not " +
           number(m.rowElements());
  if (m.interleave == TensorInterleave::None) {
    if (rowBits % 128)
      return "a box row of " + number(rowBits / 8) + " bytes is not a multiple of 16 bytes";
    // In shared memory a padded row takes 128 bytes.
    uint64_t span = tensorSwizzleSpan(m.swizzle), row = padded ? 128 : rowBits / 8;
    if (span && row > span)
      return "a box row of " + number(row) + " bytes is longer than the swizzle span of " + number(span) + " bytes";
  } else {
    if (padded)
      return "type " + std::string(tensorTypeName(m.type)) + " cannot be interleaved";
    if (m.interleave == TensorInterleave::B32 && m.swizzle != TensorSwizzle::B32)
      return "interleave 32B needs swizzle 32B";
    if (m.swizzle == TensorSwizzle::B96)
      return "swizzle 96B cannot be interleaved";
    if (wide)
      return "im2col::w cannot be interleaved";
    if (rowBits % (8 * m.sliceBytes()))
      return "an interleaved box must hold whole slices of " + number(m.sliceBytes()) + " bytes";
  }
  if (padded && m.swizzle != TensorSwizzle::None && m.swizzle != TensorSwizzle::B128 &&
      m.swizzle != TensorSwizzle::B128Atom32 &&
      !(m.swizzle == TensorSwizzle::B128Atom64 && m.type == TensorType::B6x16P32))
    return "type " + std::string(tensorTypeName(m.type)) + " does not go with swizzle " + tensorSwizzleName(m.swizzle);
  if (wide && m.swizzle != TensorSwizzle::B64 && m.swizzle != TensorSwizzle::B128 &&
      m.swizzle != TensorSwizzle::B128Atom32)
    return "im2col::w needs swizzle 64B, 128B or 128B_ATOM_32B";
  if (m.fill == TensorFill::NaN && !types[unsigned(m.type)].isFloat)
    return "filling with NaN needs a floating-point type, not " + std::string(tensorTypeName(m.type));
  return {};
}

void tileiras::emu::encodeTensormap(const Tensormap &m, uint8_t (&bytes)[TensormapBytes]) {
  Raw raw{};
  raw.address = m.address;
  for (unsigned k = 0; k != 5; ++k) {
    raw.dims[k] = k < m.rank ? uint32_t(m.dims[k] - 1) : 0;
    raw.box[k] = k < m.rank ? uint8_t(m.box[k] - 1) : 0;
    raw.elementStrides |= uint16_t(k < m.rank ? ((m.elementStrides[k] - 1) & 7) << 3 * k : 0);
  }
  for (unsigned k = 0; k != 4; ++k) {
    uint64_t s = k + 1 < m.rank ? m.strides[k] >> 4 : 0;
    raw.strides[k] = uint32_t(s);
    raw.stridesHigh |= uint16_t((s >> 32 & 15) << 4 * k);
  }
  raw.mode = uint8_t(m.mode);
  raw.rank = uint8_t(m.rank - 1);
  raw.type = uint8_t(m.type);
  raw.interleave = uint8_t(m.interleave);
  raw.swizzle = swizzleCodes[unsigned(m.swizzle)].mode;
  raw.atomicity = swizzleCodes[unsigned(m.swizzle)].atomicity;
  raw.fill = uint8_t(m.fill);
  raw.l2 = uint8_t(m.l2);
  raw.channels = uint16_t(m.channels - 1);
  raw.pixels = uint16_t(m.pixels - 1);
  for (unsigned k = 0; k != 3; ++k) {
    raw.lower[k] = int16_t(m.lower[k]);
    raw.upper[k] = int16_t(m.upper[k]);
  }
  seal(raw);
  std::memcpy(bytes, &raw, TensormapBytes);
}

/// Empty if the bytes are of our encoding.
static std::string open(const uint8_t *bytes, Raw &raw) {
  std::memcpy(&raw, bytes, TensormapBytes);
  if (raw.magic != Magic) {
    for (unsigned i = 0; i != TensormapBytes; ++i)
      if (bytes[i])
        return "these 128 bytes are not a tensor map";
    return "these 128 bytes are zero, not a tensor map";
  }
  if (raw.checksum != checksum(raw))
    return "the tensor map was modified by something else than tensormap.replace";
  return {};
}

std::string tileiras::emu::decodeTensormap(const uint8_t *bytes, Tensormap &m) {
  Raw raw;
  if (std::string error = open(bytes, raw); !error.empty())
    return error;
  m = Tensormap();
  m.mode = TensorMode(raw.mode);
  m.rank = raw.rank + 1u;
  m.type = TensorType(raw.type);
  m.address = raw.address;
  for (unsigned k = 0; k != 5; ++k) {
    m.dims[k] = uint64_t(raw.dims[k]) + 1;
    m.box[k] = raw.box[k] + 1u;
    m.elementStrides[k] = (raw.elementStrides >> 3 * k & 7) + 1u;
  }
  for (unsigned k = 0; k != 4; ++k)
    m.strides[k] = (raw.strides[k] | uint64_t(raw.stridesHigh >> 4 * k & 15) << 32) << 4;
  m.interleave = TensorInterleave(raw.interleave);
  m.fill = TensorFill(raw.fill);
  m.l2 = TensorL2Promotion(raw.l2);
  m.channels = raw.channels + 1u;
  m.pixels = raw.pixels + 1u;
  for (unsigned k = 0; k != 3; ++k) {
    m.lower[k] = raw.lower[k];
    m.upper[k] = raw.upper[k];
  }
  // PTX ISA, table "Valid combination of swizzle-atomicity with swizzling-mode". Atomicity means nothing without
  // swizzle.
  bool found = raw.swizzle == 0;
  for (unsigned s = 0; s != 8; ++s)
    if (swizzleCodes[s].mode == raw.swizzle && swizzleCodes[s].atomicity == raw.atomicity) {
      m.swizzle = TensorSwizzle(s);
      found = true;
    }
  if (!found)
    return "swizzle mode " + number(raw.swizzle) + " does not go with swizzle atomicity " + number(raw.atomicity);
  return validateTensormap(m);
}

std::string tileiras::emu::replaceTensormapField(uint8_t *bytes, TensormapField field, unsigned ordinal,
                                                 uint64_t value) {
  Raw raw;
  if (std::string error = open(bytes, raw); !error.empty()) {
    for (unsigned i = 0; i != TensormapBytes; ++i)
      if (bytes[i])
        return error;
    raw = Raw{};
  }
  bool strided = field == TensormapField::GlobalStride;
  if (ordinal >= (strided ? 4u : 5u))
    return "ordinal " + number(ordinal) + " is out of range";
  auto small = [&](uint8_t &where, unsigned limit, const char *name) -> std::string {
    if (value >= limit)
      return std::string(name) + " " + number(value) + " is not below " + number(limit);
    where = uint8_t(value);
    return {};
  };
  std::string error;
  switch (field) {
  case TensormapField::GlobalAddress:
    raw.address = value;
    break;
  case TensormapField::Rank:
    error = small(raw.rank, 5, "rank - 1");
    break;
  // Sizes are stored less one: 0 is the largest.
  case TensormapField::BoxDim:
    if (uint32_t(value) > 256)
      return "box dimension " + number(uint32_t(value)) + " is larger than 256";
    raw.box[ordinal] = uint8_t(value - 1);
    break;
  case TensormapField::GlobalDim:
    raw.dims[ordinal] = uint32_t(value) - 1;
    break;
  case TensormapField::GlobalStride:
    if (value % 16 || value >= uint64_t(1) << 40)
      return "global stride " + number(value) + " is not a multiple of 16 below 2^40";
    raw.strides[ordinal] = uint32_t(value >> 4);
    raw.stridesHigh = uint16_t((raw.stridesHigh & ~(15u << 4 * ordinal)) | (value >> 36 & 15) << 4 * ordinal);
    break;
  case TensormapField::ElementStride:
    if (uint32_t(value) > 8)
      return "element stride " + number(uint32_t(value)) + " is larger than 8";
    raw.elementStrides = uint16_t((raw.elementStrides & ~(7u << 3 * ordinal)) | ((value - 1) & 7) << 3 * ordinal);
    break;
  case TensormapField::ElemType:
    error = small(raw.type, NumTypes, "element type");
    break;
  case TensormapField::InterleaveLayout:
    error = small(raw.interleave, 3, "interleave layout");
    break;
  case TensormapField::SwizzleMode:
    error = small(raw.swizzle, 5, "swizzle mode");
    break;
  case TensormapField::SwizzleAtomicity:
    error = small(raw.atomicity, 4, "swizzle atomicity");
    break;
  case TensormapField::FillMode:
    error = small(raw.fill, 2, "fill mode");
    break;
  }
  if (!error.empty())
    return error;
  seal(raw);
  std::memcpy(bytes, &raw, TensormapBytes);
  return {};
}

/// Fills what the three encoders share.
static Tensormap common(TensorMode mode, TensorType type, unsigned rank, uint64_t address, const uint64_t *dims,
                        const uint64_t *strides, const uint32_t *elementStrides) {
  Tensormap m;
  m.mode = mode;
  m.type = type;
  m.rank = rank;
  m.address = address;
  for (unsigned k = 0; k < rank && k != 5; ++k) {
    m.dims[k] = dims[k];
    m.elementStrides[k] = elementStrides ? elementStrides[k] : 1;
    if (k)
      m.strides[k - 1] = strides[k - 1];
  }
  return m;
}

static std::string finish(const Tensormap &m, uint8_t (&bytes)[TensormapBytes]) {
  std::string error = validateTensormap(m);
  if (error.empty())
    encodeTensormap(m, bytes);
  return error;
}

std::string tileiras::emu::encodeTiled(uint8_t (&bytes)[TensormapBytes], TensorType type, unsigned rank,
                                       uint64_t address, const uint64_t *dims, const uint64_t *strides,
                                       const uint32_t *box, const uint32_t *elementStrides, TensorInterleave interleave,
                                       TensorSwizzle swizzle, TensorL2Promotion l2, TensorFill fill) {
  Tensormap m = common(TensorMode::Tiled, type, rank, address, dims, strides, elementStrides);
  for (unsigned k = 0; k < rank && k != 5; ++k)
    m.box[k] = box[k];
  m.interleave = interleave;
  m.swizzle = swizzle;
  m.l2 = l2;
  m.fill = fill;
  return finish(m, bytes);
}

std::string tileiras::emu::encodeIm2col(uint8_t (&bytes)[TensormapBytes], TensorType type, unsigned rank,
                                        uint64_t address, const uint64_t *dims, const uint64_t *strides,
                                        const int *lowerCorner, const int *upperCorner, uint32_t channels,
                                        uint32_t pixels, const uint32_t *elementStrides, TensorInterleave interleave,
                                        TensorSwizzle swizzle, TensorL2Promotion l2, TensorFill fill) {
  Tensormap m = common(TensorMode::Im2col, type, rank, address, dims, strides, elementStrides);
  for (unsigned k = 0; k + 2 < rank && k != 3; ++k) {
    m.lower[k] = lowerCorner[rank - 3 - k];
    m.upper[k] = upperCorner[rank - 3 - k];
  }
  m.channels = channels;
  m.pixels = pixels;
  m.interleave = interleave;
  m.swizzle = swizzle;
  m.l2 = l2;
  m.fill = fill;
  return finish(m, bytes);
}

std::string tileiras::emu::encodeIm2colWide(uint8_t (&bytes)[TensormapBytes], TensorType type, unsigned rank,
                                            uint64_t address, const uint64_t *dims, const uint64_t *strides,
                                            int lowerCornerWidth, int upperCornerWidth, uint32_t channels,
                                            uint32_t pixels, const uint32_t *elementStrides, TensorSwizzle swizzle,
                                            TensorL2Promotion l2, TensorFill fill) {
  Tensormap m = common(TensorMode::Im2colWide, type, rank, address, dims, strides, elementStrides);
  m.lower[0] = lowerCornerWidth;
  m.upper[0] = upperCornerWidth;
  m.channels = channels;
  m.pixels = pixels;
  m.swizzle = swizzle;
  m.l2 = l2;
  m.fill = fill;
  return finish(m, bytes);
}
