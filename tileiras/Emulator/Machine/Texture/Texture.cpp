//===- Texture.cpp - Filtering and addressing of textures -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Texture/Texture.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tileiras::emu;

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

/// No address, and no small number that a program could mean by mistake.
static constexpr uint64_t HandleBase = 0x7e57'0000'0000'0000;

uint64_t TextureTable::add(TextureObject object) {
  const uint64_t handle = HandleBase + 16 * ++made;
  objects.emplace(handle, std::make_unique<const TextureObject>(std::move(object)));
  return handle;
}

bool TextureTable::remove(uint64_t handle) { return objects.erase(handle); }

const TextureObject *TextureTable::find(uint64_t handle) const {
  auto found = objects.find(handle);
  return found == objects.end() ? nullptr : found->second.get();
}

//===----------------------------------------------------------------------===//
// Texels
//===----------------------------------------------------------------------===//

static uint32_t bitsOf(float f) {
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return u;
}
static float floatOf(uint32_t u) {
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}

static float halfValue(uint16_t h) {
  const int exponent = h >> 10 & 31, fraction = h & 0x3ff;
  float f = exponent == 31  ? (fraction ? NAN : INFINITY)
            : exponent == 0 ? std::ldexp(float(fraction), -24)
                            : std::ldexp(float(fraction | 0x400), exponent - 25);
  return h & 0x8000 ? -f : f;
}

uint16_t tileiras::emu::halfOfFloat(float value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const float magnitude = std::fabs(value);
  if (std::isnan(value))
    return 0x7fff;
  if (magnitude >= 65520.0f)
    return sign | 0x7c00;
  if (magnitude < std::ldexp(1.0f, -14))
    return sign | uint16_t(std::nearbyint(std::ldexp(magnitude, 24)));
  int exponent;
  std::frexp(magnitude, &exponent);
  const int fraction = int(std::nearbyint(std::ldexp(magnitude, 11 - exponent))); // 1024 to 2048
  return uint16_t(sign | (((exponent + 14) << 10) + fraction - 1024));
}

static float linearOfSrgb(float c) { return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f); }

Texel tileiras::emu::decodeTexel(const TextureObject &object, const uint8_t *bytes) {
  const TexelFormat &format = object.format;
  const bool floats = object.yieldsFloats();
  Texel texel = {0, 0, 0, floats ? bitsOf(1.0f) : 1u};
  for (unsigned c = 0; c != format.channels; ++c) {
    uint32_t raw = 0;
    std::memcpy(&raw, bytes + c * (format.bits / 8), format.bits / 8);
    if (format.kind == TexelKind::Float) {
      texel[c] = format.bits == 16 ? bitsOf(halfValue(uint16_t(raw))) : raw;
      continue;
    }
    const bool isSigned = format.kind == TexelKind::Signed;
    const int32_t value = isSigned ? int32_t(raw << (32 - format.bits)) >> (32 - format.bits) : int32_t(raw);
    if (!floats) {
      texel[c] = uint32_t(value);
      continue;
    }
    const float largest = float((1u << (format.bits - isSigned)) - 1);
    float f = std::max(float(value) / largest, -1.0f);
    if (object.srgb && format.bits == 8 && c != 3)
      f = linearOfSrgb(f);
    texel[c] = bitsOf(f);
  }
  return texel;
}

//===----------------------------------------------------------------------===//
// Addressing
//===----------------------------------------------------------------------===//

namespace {

/// One or two texels along an axis, and the weight of the second; negative: outside, where the border is.
struct Tap {
  int64_t first = 0, second = 0;
  float weight = 0;
};

int64_t resolve(TextureAddress mode, int64_t i, int64_t size) {
  switch (mode) {
  case TextureAddress::Wrap:
    return (i % size + size) % size;
  case TextureAddress::Mirror: {
    const int64_t m = (i % (2 * size) + 2 * size) % (2 * size);
    return m < size ? m : 2 * size - 1 - m;
  }
  case TextureAddress::Clamp:
    return std::clamp<int64_t>(i, 0, size - 1);
  case TextureAddress::Border:
    return i < 0 || i >= size ? -1 : i;
  }
  return -1;
}

/// Weights have 8 fraction bits, and 1 is one of them.
float weightOf(double fraction) { return float(std::nearbyint(fraction * 256) / 256); }

Tap place(TextureAddress mode, bool normalized, bool two, float x, int32_t offset, uint32_t size) {
  if (!normalized && (mode == TextureAddress::Wrap || mode == TextureAddress::Mirror))
    mode = TextureAddress::Clamp; // Programming Guide: these are for normalised coordinates
  double u = std::isfinite(x) ? x : std::isnan(x) ? 0 : x > 0 ? 1e9 : -1e9;
  if (normalized) {
    const double whole = std::floor(u);
    if (mode == TextureAddress::Wrap)
      u -= whole;
    else if (mode == TextureAddress::Mirror)
      u = std::fmod(whole, 2) != 0 ? 1 - (u - whole) : u - whole;
    u *= size;
  }
  u = std::clamp(u, -1e9, 1e9);
  if (two)
    u -= 0.5;
  int64_t i = int64_t(std::floor(u));
  const float weight = two ? weightOf(u - double(i)) : 0;
  // A coordinate that is mirrored from just below 1 is the texel count itself.
  if (!two && mode == TextureAddress::Mirror)
    i = std::min<int64_t>(i, size - 1);
  i += offset;
  return {resolve(mode, i, size), resolve(mode, i + 1, size), weight};
}

/// Face of a cube and the place on it, in [0, 1] (Programming Guide, Cubemap Textures).
unsigned faceOf(const float *d, float &s, float &t) {
  const float x = d[0], y = d[1], z = d[2], ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  unsigned face;
  float m;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1;
    m = ax, s = x >= 0 ? -z : z, t = -y;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3;
    m = ay, s = x, t = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5;
    m = az, s = z >= 0 ? x : -x, t = -y;
  }
  s = m > 0 ? (s / m + 1) / 2 : 0;
  t = m > 0 ? (t / m + 1) / 2 : 0;
  return face;
}

unsigned dimensionsOf(TextureShape shape) {
  switch (shape) {
  case TextureShape::Linear:
  case TextureShape::D1:
  case TextureShape::Layered1D:
    return 1;
  case TextureShape::D3:
    return 3;
  default:
    return 2;
  }
}

/// Fetches from one level.
class Level {
public:
  Level(const TextureObject &object, const TextureImage &image, const TextureFetch &fetch, const TexelReader &read)
      : object(object), image(image), fetch(fetch), read(read) {}

  Texel sample() {
    const unsigned dimensions = dimensionsOf(object.shape);
    const uint32_t sizes[] = {image.width, image.height, image.depth};
    float place_[3] = {fetch.coordinates[0], fetch.coordinates[1], fetch.coordinates[2]};
    bool normalized = object.normalizedCoordinates;
    TextureAddress modes[] = {object.address[0], object.address[1], object.address[2]};
    if (object.shape == TextureShape::Cube || object.shape == TextureShape::LayeredCube) {
      const unsigned face = faceOf(fetch.coordinates, place_[0], place_[1]);
      const int64_t cubes = std::max<int64_t>(1, image.depth / 6);
      const int64_t cube = object.shape == TextureShape::Cube ? 0 : std::clamp<int64_t>(fetch.layer, 0, cubes - 1);
      layer = 6 * cube + face;
      normalized = true;
      modes[0] = modes[1] = TextureAddress::Clamp;
    } else if (object.shape == TextureShape::Layered1D || object.shape == TextureShape::Layered2D) {
      layer = std::clamp<int64_t>(fetch.layer, 0, int64_t(image.depth) - 1);
    }
    // Only floats can be filtered.
    const bool filtered = object.linear && object.yieldsFloats() && object.shape != TextureShape::Linear;
    const bool two = !fetch.byIndex && (filtered || fetch.gather >= 0);
    Tap taps[3];
    for (unsigned k = 0; k != dimensions; ++k) {
      if (object.shape == TextureShape::Linear || fetch.byIndex) {
        const int64_t i = int64_t(fetch.byIndex ? fetch.index[k] : std::floor(place_[k])) + fetch.offset[k];
        const bool buffer = object.shape == TextureShape::Linear; // reads as zero beyond its ends
        taps[k].first = taps[k].second = resolve(
            buffer || modes[k] == TextureAddress::Border ? TextureAddress::Border : TextureAddress::Clamp, i, sizes[k]);
      } else {
        taps[k] = place(modes[k], normalized, two, place_[k], fetch.offset[k], sizes[k]);
      }
    }
    if (fetch.gather >= 0)
      return gatherFour(taps);
    if (!two)
      return texel(taps[0].first, taps[1].first, taps[2].first);
    float sum[4] = {};
    for (unsigned corner = 0; corner != 1u << dimensions; ++corner) {
      float weight = 1;
      int64_t at[3] = {};
      for (unsigned k = 0; k != dimensions; ++k) {
        const bool second = corner >> k & 1;
        weight *= second ? taps[k].weight : 1 - taps[k].weight;
        at[k] = second ? taps[k].second : taps[k].first;
      }
      if (weight == 0)
        continue;
      const Texel t = texel(at[0], at[1], at[2]);
      for (unsigned c = 0; c != 4; ++c)
        sum[c] += weight * floatOf(t[c]);
    }
    return {bitsOf(sum[0]), bitsOf(sum[1]), bitsOf(sum[2]), bitsOf(sum[3])};
  }

private:
  /// PTX ISA, tld4: counterclockwise from the lower left.
  Texel gatherFour(const Tap *taps) {
    const unsigned c = unsigned(fetch.gather);
    return {texel(taps[0].first, taps[1].second, 0)[c], texel(taps[0].second, taps[1].second, 0)[c],
            texel(taps[0].second, taps[1].first, 0)[c], texel(taps[0].first, taps[1].first, 0)[c]};
  }

  Texel texel(int64_t x, int64_t y, int64_t z) {
    if (x < 0 || y < 0 || z < 0) {
      if (object.shape == TextureShape::Linear)
        return {0, 0, 0, 0};
      Texel border;
      for (unsigned c = 0; c != 4; ++c)
        border[c] = object.yieldsFloats() ? bitsOf(object.border[c]) : uint32_t(int64_t(object.border[c]));
      return border;
    }
    const uint32_t bytes = object.format.bytes();
    const uint64_t slice = object.shape == TextureShape::D3 ? uint64_t(z) : uint64_t(layer);
    uint8_t buffer[16] = {};
    if (!read(image.address + slice * image.slice + uint64_t(y) * image.pitch + uint64_t(x) * bytes, bytes, buffer))
      return {0, 0, 0, 0};
    return decodeTexel(object, buffer);
  }

  const TextureObject &object;
  const TextureImage &image;
  const TextureFetch &fetch;
  const TexelReader &read;
  int64_t layer = 0;
};

} // namespace

Texel tileiras::emu::fetchTexture(const TextureObject &object, const TextureFetch &fetch, const TexelReader &read) {
  const float last = float(object.levels.size() - 1);
  if (last == 0)
    return Level(object, object.levels[0], fetch, read).sample();
  float level = std::clamp(fetch.level + object.levelBias, object.minLevel, std::max(object.minLevel, object.maxLevel));
  level = std::clamp(level, 0.0f, last);
  if (!object.mipmapLinear || !object.yieldsFloats() || fetch.gather >= 0)
    return Level(object, object.levels[size_t(std::floor(level + 0.5f))], fetch, read).sample();
  const size_t first = size_t(std::floor(level));
  const float weight = weightOf(level - float(first));
  const Texel a = Level(object, object.levels[first], fetch, read).sample();
  if (weight == 0)
    return a;
  const Texel b = Level(object, object.levels[std::min(first + 1, size_t(last))], fetch, read).sample();
  Texel mixed;
  for (unsigned c = 0; c != 4; ++c)
    mixed[c] = bitsOf((1 - weight) * floatOf(a[c]) + weight * floatOf(b[c]));
  return mixed;
}
