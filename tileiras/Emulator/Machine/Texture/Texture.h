//===- Texture.h - Texture and surface objects ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is behind the 64-bit handles of `tex`, `tld4`, `suld`, `sust` and `sured`: images in global memory, row by row,
// and how to read them. Pixels are ordinary global memory to the checks: what a surface writes and a texture reads
// without order is a race.
//
// Sources: PTX ISA, "Texture Instructions" and "Surface Instructions"; CUDA C++ Programming Guide, "Texture Fetching"
// (point and linear filtering, weights of 8 fraction bits) and "Texture and Surface Memory" (addressing, cube maps).
//
// Not there: anisotropic filtering (a fetch with derivatives takes the level of the longer one), seamless cube maps
// (edges are clamped), depth comparison, several samples, block-compressed and planar formats, independent samplers.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_TEXTURE_TEXTURE_H
#define TILEIRAS_EMULATOR_MACHINE_TEXTURE_TEXTURE_H

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tileiras::emu {

enum class TexelKind : uint8_t { Unsigned, Signed, Float };

struct TexelFormat {
  TexelKind kind = TexelKind::Float;
  uint8_t bits = 32;       ///< of a channel: 8, 16, 32
  uint8_t channels = 1;    ///< 1, 2, 4
  bool normalized = false; ///< integers that stand for [0, 1] or [-1, 1] (UNORM, SNORM)
  uint32_t bytes() const { return uint32_t(bits) / 8 * channels; }
};

/// `Linear` is a one-dimensional buffer that is read by index.
enum class TextureShape : uint8_t { Linear, D1, D2, D3, Layered1D, Layered2D, Cube, LayeredCube };
/// Numbers of CUaddress_mode.
enum class TextureAddress : uint8_t { Wrap, Clamp, Mirror, Border };

/// One level. Faces of cubes are layers: layer 6 i + f is face f of cube i.
struct TextureImage {
  uint64_t address = 0;
  uint32_t width = 0, height = 1, depth = 1; ///< depth: or layers
  uint64_t pitch = 0, slice = 0;             ///< bytes from row to row, from layer to layer
};

struct TextureObject {
  bool surface = false;
  TexelFormat format;
  TextureShape shape = TextureShape::D2;
  std::vector<TextureImage> levels; ///< at least one
  // Textures only.
  TextureAddress address[3] = {TextureAddress::Clamp, TextureAddress::Clamp, TextureAddress::Clamp};
  bool linear = false;                ///< filter
  bool normalizedCoordinates = false; ///< [0, 1) instead of [0, size)
  bool readAsFloat = false;           ///< 8-bit and 16-bit integers become [0, 1] or [-1, 1]
  bool srgb = false;                  ///< and 8-bit colours are converted to linear ones
  float border[4] = {};
  bool mipmapLinear = false;
  float levelBias = 0, minLevel = 0, maxLevel = 0;

  /// Values are floats (or raw integers, as their bits).
  bool yieldsFloats() const { return format.kind == TexelKind::Float || format.normalized || converts(); }
  bool converts() const { return readAsFloat && format.kind != TexelKind::Float && format.bits != 32; }
};

/// Red, green, blue, alpha: bits of float, or integers. Channels that a format lacks are 0, alpha is 1.
using Texel = std::array<uint32_t, 4>;

uint16_t halfOfFloat(float value); ///< rounded to nearest even

/// One pixel's bytes as values.
Texel decodeTexel(const TextureObject &object, const uint8_t *bytes);

/// A fetch of one thread. `read` brings the bytes of one texel, at most 16; false if they cannot be read.
struct TextureFetch {
  float coordinates[3] = {}; ///< x, y, z; of a cube the direction
  int32_t index[3] = {};     ///< instead of `coordinates`, if `byIndex`
  bool byIndex = false;
  int32_t layer = 0;
  int32_t offset[3] = {}; ///< texels
  float level = 0;        ///< of mipmaps
  int gather = -1;        ///< tld4: which channel of the four texels is wanted
};
using TexelReader = std::function<bool(uint64_t address, uint32_t bytes, uint8_t *to)>;
Texel fetchTexture(const TextureObject &object, const TextureFetch &fetch, const TexelReader &read);

/// The objects of a memory, by handle.
class TextureTable {
public:
  uint64_t add(TextureObject object);
  bool remove(uint64_t handle);
  const TextureObject *find(uint64_t handle) const;

private:
  std::unordered_map<uint64_t, std::unique_ptr<const TextureObject>> objects;
  uint64_t made = 0;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_TEXTURE_TEXTURE_H
