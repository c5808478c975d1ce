//===- ExecTexture.cpp - Textures and surfaces ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Texture Instructions" and "Surface Instructions". Thread by thread; each pixel is an access to global
// memory for the checks.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Texture/TextureAux.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tileiras::emu;

namespace {

std::string hex(uint64_t v) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(v));
  return buffer;
}

const char *shapeName(TextureShape shape) {
  static constexpr const char *names[] = {
      "linear memory",           "one-dimensional",         "two-dimensional", "three-dimensional",
      "layered one-dimensional", "layered two-dimensional", "a cube",          "a layered cube"};
  return names[unsigned(shape)];
}

/// The object behind a lane's handle, if the instruction can use it; null after a report.
const TextureObject *objectOf(Warp &w, const Inst &i, const TextureAux &x, uint32_t lane, bool surface, bool anyShape) {
  const uint64_t handle = w.row<uint64_t>(x.handle)[lane];
  const TextureObject *object = w.launch->memory->textures().find(handle);
  if (!object || object->surface != surface) {
    w.report(ReportKind::InvalidOperation, i, lane,
             hex(handle) + " is no " + (surface ? "surface" : "texture") + " object" +
                 (object ? surface ? ", but a texture object" : ", but a surface object" : ""));
    return nullptr;
  }
  auto fits = [&](TextureShape have) {
    if (anyShape || have == x.shape || (have == TextureShape::Linear && x.shape == TextureShape::D1 && !surface))
      return true;
    // Faces of cubes are layers to surfaces, and a single row is a line.
    if (surface && x.shape == TextureShape::Layered2D)
      return have == TextureShape::Cube || have == TextureShape::LayeredCube;
    return false;
  };
  if (!fits(object->shape)) {
    w.report(ReportKind::InvalidOperation, i, lane,
             std::string("the instruction is for ") + shapeName(x.shape) + " objects, and this one is " +
                 shapeName(object->shape));
    return nullptr;
  }
  return object;
}

/// Tells the checks about the access of one lane, after its bytes have been found.
void observe(Warp &w, const Inst &i, const Region &r, uint32_t lane, uint64_t address, unsigned bytes,
             AccessKind kind) {
  MemoryOrder order;
  if (kind == AccessKind::Atomic) {
    order.strong = true;
    order.scope = 3;
  }
  if (w.observer) {
    uint64_t at[32] = {};
    at[lane] = address;
    observeAccess(w, i, Space::Global, Space::Global, 1u << lane, at, bytes, kind, order);
  }
  if (kind == AccessKind::Read && r.shadow && w.checkInit) {
    const uint32_t rel[32] = {};
    w.findUninitialized(i, r, address, 1u << lane, rel, bytes);
  }
}

/// `write` only looks for memory that may be written.
bool find(Warp &w, const Inst &i, uint32_t lane, uint64_t address, unsigned bytes, bool write, Region &r) {
  r.space = Space::Global;
  if (w.region(Space::Global, address, address + bytes, write, r))
    return true;
  w.badAccess(i, Space::Global, lane, address, bytes, write);
  return false;
}

float floatOf(uint32_t u) {
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
uint16_t halfOf(uint32_t u) { return halfOfFloat(floatOf(u)); }

} // namespace

void handlers::textureFetch(Warp &w, const Inst &i, uint32_t m) {
  const TextureAux &x = *static_cast<const TextureAux *>(i.aux);
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(__builtin_ctz(rest));
    const TextureObject *object = objectOf(w, i, x, l, false, false);
    Texel texel = {};
    if (object) {
      TextureFetch fetch;
      fetch.byIndex = x.byIndex;
      for (unsigned k = 0; k != x.dimensions; ++k) {
        if (x.byIndex)
          fetch.index[k] = w.row<int32_t>(x.coords[k])[l];
        else
          fetch.coordinates[k] = w.row<float>(x.coords[k])[l];
        if (x.hasOffset)
          fetch.offset[k] = w.row<int32_t>(x.offset[k])[l];
      }
      if (x.layered)
        fetch.layer = w.row<int32_t>(x.layer)[l];
      if (x.withLevel)
        fetch.level = x.byIndex ? float(w.row<int32_t>(x.level)[l]) : w.row<float>(x.level)[l];
      if (x.withGradient) {
        // The longer derivative in texels says how many of them one pixel covers.
        float longest = 0;
        const TextureImage &base = object->levels[0];
        const uint32_t sizes[] = {base.width, base.height, base.depth};
        for (const auto &row : x.gradient) {
          float length = 0;
          for (unsigned k = 0; k != x.dimensions; ++k) {
            const float d = w.row<float>(row[k])[l] * (object->normalizedCoordinates ? float(sizes[k]) : 1.0f);
            length += d * d;
          }
          longest = std::max(longest, std::sqrt(length));
        }
        fetch.level = longest > 0 ? std::log2(longest) : 0;
      }
      if (x.gather)
        fetch.gather = x.component;
      texel = fetchTexture(*object, fetch, [&](uint64_t address, uint32_t bytes, uint8_t *to) {
        Region r;
        if (!find(w, i, l, address, bytes, false, r))
          return false;
        observe(w, i, r, l, address, bytes, AccessKind::Read);
        std::memcpy(to, r.host, bytes);
        return true;
      });
    }
    for (unsigned k = 0; k != x.count; ++k) {
      if (x.type == Type::F16x2)
        w.row<uint32_t>(x.data[k])[l] = halfOf(texel[2 * k]) | uint32_t(halfOf(texel[2 * k + 1])) << 16;
      else if (x.type == Type::F16)
        w.row<uint16_t>(x.data[k])[l] = halfOf(texel[k]);
      else
        w.row<uint32_t>(x.data[k])[l] = texel[k];
    }
  }
  if (x.residency)
    w.setPred(x.residency, m, m);
}

void handlers::isTexture(Warp &w, const Inst &i, uint32_t m) {
  uint32_t result = 0;
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(__builtin_ctz(rest));
    const TextureObject *object = w.launch->memory->textures().find(w.row<uint64_t>(i.a)[l]);
    if (object && i.flags != 2 && object->surface == (i.flags == 1))
      result |= 1u << l;
  }
  w.setPred(i.d, result, m);
}

/// Numbers of OpenCL, as the PTX ISA has it ("Channel Data Type and Channel Order Fields").
static uint32_t dataTypeOf(const TexelFormat &f) {
  const unsigned size = f.bits == 8 ? 0 : f.bits == 16 ? 1 : 2;
  if (f.kind == TexelKind::Float)
    return f.bits == 16 ? 0x10dd : 0x10de;
  if (f.normalized)
    return (f.kind == TexelKind::Signed ? 0x10d0 : 0x10d2) + size;
  return (f.kind == TexelKind::Signed ? 0x10d7 : 0x10da) + size;
}

void handlers::textureQuery(Warp &w, const Inst &i, uint32_t m) {
  const TextureAux &x = *static_cast<const TextureAux *>(i.aux);
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    const uint32_t l = uint32_t(__builtin_ctz(rest));
    uint32_t value = 0;
    if (const TextureObject *object = objectOf(w, i, x, l, i.flags, true)) {
      const uint32_t level = x.withLevel ? w.row<uint32_t>(x.level)[l] : 0;
      const TextureImage none, &image = level < object->levels.size() ? object->levels[level] : none;
      const bool solid = object->shape == TextureShape::D3;
      const bool cube = object->shape == TextureShape::Cube || object->shape == TextureShape::LayeredCube;
      switch (x.query) {
      case TextureQueryKind::Width:
        value = image.width;
        break;
      case TextureQueryKind::Height:
        value = image.height;
        break;
      case TextureQueryKind::Depth:
        value = solid ? image.depth : 1;
        break;
      case TextureQueryKind::DataType:
        value = dataTypeOf(object->format);
        break;
      case TextureQueryKind::Order:
        value = object->format.channels == 1 ? 0x10b0 : object->format.channels == 2 ? 0x10b2 : 0x10b5;
        break;
      case TextureQueryKind::Normalized:
        value = object->normalizedCoordinates;
        break;
      case TextureQueryKind::Layers:
        value = solid ? 1 : cube ? image.depth / 6 : image.depth;
        break;
      case TextureQueryKind::Levels:
        value = uint32_t(object->levels.size());
        break;
      case TextureQueryKind::Samples:
        value = 1;
        break;
      case TextureQueryKind::Layout:
        value = 0; // row by row
        break;
      }
    }
    w.row<uint32_t>(x.data[0])[l] = value;
  }
}

namespace {

/// Writes one channel of sust.p: 32-bit values become the surface's format.
void encodeChannel(const TexelFormat &f, uint32_t value, uint8_t *to) {
  if (f.kind == TexelKind::Float) {
    const uint32_t v = f.bits == 16 ? halfOf(value) : value;
    std::memcpy(to, &v, f.bits / 8);
    return;
  }
  int64_t v = f.kind == TexelKind::Signed ? int64_t(int32_t(value)) : int64_t(value);
  const int64_t top = f.kind == TexelKind::Signed ? (int64_t(1) << (f.bits - 1)) - 1 : (int64_t(1) << f.bits) - 1;
  if (f.normalized) {
    const float u = floatOf(value);
    v = u != u ? 0
               : int64_t(std::nearbyint(std::clamp(u, f.kind == TexelKind::Signed ? -1.0f : 0.0f, 1.0f) * float(top)));
  }
  v = std::clamp(v, f.kind == TexelKind::Signed ? -top - 1 : 0, top);
  std::memcpy(to, &v, f.bits / 8);
}

class SurfaceAccess {
public:
  SurfaceAccess(Warp &w, const Inst &i, uint32_t lane)
      : w(w), i(i), x(*static_cast<const TextureAux *>(i.aux)), lane(lane) {}

  void run() {
    uint8_t value[16] = {};
    const TextureObject *object = objectOf(w, i, x, lane, true, false);
    if (x.access != TextureAux::Access::Load)
      for (unsigned k = 0; k != x.count; ++k)
        std::memcpy(value + k * x.bytes, cell(k), x.bytes);
    if (object)
      access(*object, value);
    if (x.access == TextureAux::Access::Load)
      for (unsigned k = 0; k != x.count; ++k) {
        uint64_t wide = 0;
        std::memcpy(&wide, value + k * x.bytes, x.bytes);
        std::memcpy(cell(k), &wide, x.registerBytes);
      }
  }

private:
  uint8_t *cell(unsigned k) { return w.row<uint8_t>(x.data[k]) + lane * x.registerBytes; }

  void access(const TextureObject &object, uint8_t *value) {
    const TextureImage &image = object.levels[0];
    const uint32_t pixel = object.format.bytes();
    unsigned bytes = unsigned(x.bytes) * x.count;
    if (x.formatted) {
      // Channels that the format lacks are dropped, and those that the instruction lacks are 0.
      uint8_t packed[16] = {};
      for (unsigned k = 0; k != std::min<unsigned>(x.count, object.format.channels); ++k) {
        uint32_t v;
        std::memcpy(&v, value + 4 * k, 4);
        encodeChannel(object.format, v, packed + k * (object.format.bits / 8));
      }
      if (x.access == TextureAux::Access::Store) {
        std::memcpy(value, packed, 16);
        bytes = pixel;
      } else if (pixel != 4) {
        w.report(ReportKind::InvalidOperation, i, lane, "sured.p is for pixels of 32 bits");
        return;
      }
    }
    const int64_t step = x.formatted ? pixel : 1;
    int64_t at[3] = {int64_t(w.row<int32_t>(x.coords[0])[lane]) * step, 0, 0};
    for (unsigned k = 1; k != x.dimensions; ++k)
      at[k] = w.row<int32_t>(x.coords[k])[lane];
    if (x.layered)
      at[2] = w.row<int32_t>(x.layer)[lane];
    if (at[0] % bytes) {
      w.report(ReportKind::Misaligned, i, lane,
               "byte " + std::to_string(at[0]) + " of a surface's row is not a multiple of the access's " +
                   std::to_string(bytes) + " bytes (x counts bytes)");
      return;
    }
    const int64_t limits[3] = {int64_t(image.width) * pixel - bytes, int64_t(image.height) - 1,
                               int64_t(image.depth) - 1};
    bool inside = true;
    for (unsigned k = 0; k != 3; ++k)
      inside &= at[k] >= 0 && at[k] <= limits[k];
    if (!inside && x.border == SurfaceBorder::Zero)
      return;
    if (!inside && x.border == SurfaceBorder::Trap) {
      w.report(ReportKind::OutOfBounds, i, lane,
               std::string(x.access == TextureAux::Access::Load ? "load" : "store") + " of " + std::to_string(bytes) +
                   " bytes at byte " + std::to_string(at[0]) + " of row " + std::to_string(at[1]) + ", layer " +
                   std::to_string(at[2]) + " of a surface of " + std::to_string(image.width) + " x " +
                   std::to_string(image.height) + " x " + std::to_string(image.depth) + " pixels of " +
                   std::to_string(pixel) + " bytes",
               image.address);
      return;
    }
    for (unsigned k = 0; k != 3; ++k)
      at[k] = std::clamp<int64_t>(at[k], 0, std::max<int64_t>(limits[k], 0));
    const uint64_t address =
        image.address + uint64_t(at[2]) * image.slice + uint64_t(at[1]) * image.pitch + uint64_t(at[0]);
    const bool load = x.access == TextureAux::Access::Load;
    Region r;
    if (!find(w, i, lane, address, bytes, !load, r))
      return;
    if (load) {
      observe(w, i, r, lane, address, bytes, AccessKind::Read);
      std::memcpy(value, r.host, bytes);
      return;
    }
    const bool reduces = x.access == TextureAux::Access::Reduce;
    if (!reduces && w.observer) // what is stored: two stores of one value are no race
      w.stores = value;
    observe(w, i, r, lane, address, bytes, reduces ? AccessKind::Atomic : AccessKind::Write);
    w.stores = nullptr;
    if (reduces) {
      const bool isSigned = object.format.kind == TexelKind::Signed;
      atomicReduce(x.reduce,
                   !x.formatted || x.reduce == ReduceOp::And || x.reduce == ReduceOp::Or ? x.type
                   : isSigned                                                            ? Type::S32
                                                                                         : Type::U32,
                   r.host, value, bytes, true);
    } else {
      std::memcpy(r.host, value, bytes);
    }
    if (r.shadow)
      std::memset(r.shadow, 0xff, bytes);
  }

  Warp &w;
  const Inst &i;
  const TextureAux &x;
  uint32_t lane;
};

} // namespace

void handlers::surfaceAccess(Warp &w, const Inst &i, uint32_t m) {
  for (uint32_t rest = m; rest; rest &= rest - 1)
    SurfaceAccess(w, i, uint32_t(__builtin_ctz(rest))).run();
}
