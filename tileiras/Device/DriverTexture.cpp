//===- DriverTexture.cpp - Arrays, textures, surfaces -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Arrays.h"

#include "tileiras/Device/Options.h"

#include <algorithm>
#include <cstring>

using namespace tileiras;
using namespace tileiras::device;

namespace {

struct MipmappedArray {
  CUDA_ARRAY3D_DESCRIPTOR descriptor = {};
  std::vector<std::unique_ptr<Array>> levels;
};

/// Texture and surface objects as programs described them.
struct Described {
  CUDA_RESOURCE_DESC resource = {};
  CUDA_TEXTURE_DESC texture = {};
  CUDA_RESOURCE_VIEW_DESC view = {};
  bool hasView = false;
};

struct Objects {
  std::unordered_map<void *, std::unique_ptr<Array>> arrays;
  std::unordered_map<void *, std::unique_ptr<MipmappedArray>> mipmapped;
  std::unordered_map<uint64_t, Described> textures, surfaces;
  uint64_t made = 0;
};
Objects &objects() {
  static Objects *o = new Objects(); // never destroyed, like the device
  return *o;
}

MipmappedArray *mipmappedOf(CUmipmappedArray handle) {
  auto found = objects().mipmapped.find(handle);
  return found == objects().mipmapped.end() ? nullptr : found->second.get();
}

enum : unsigned { Layered = 1, SurfaceLoadStore = 2, Cubemap = 4, TextureGather = 8 };
enum : unsigned { ReadAsInteger = 1, NormalizedCoordinates = 2, Srgb = 0x10 };
enum : int { ResourceArray, ResourceMipmapped, ResourceLinear, ResourcePitch2D };

} // namespace

Array *tileiras::device::arrayOf(CUarray handle) {
  auto found = objects().arrays.find(handle);
  if (found != objects().arrays.end())
    return found->second.get();
  for (auto &[key, m] : objects().mipmapped)
    for (auto &level : m->levels)
      if (static_cast<void *>(level.get()) == static_cast<void *>(handle))
        return level.get();
  return nullptr;
}

bool tileiras::device::texelFormat(int format, unsigned channels, emu::TexelFormat &result) {
  using emu::TexelKind;
  if (format >= 0xc0 && format <= 0xcb) { // UNORM_INT8X1 ... SNORM_INT16X4
    const int k = format - 0xc0;
    result.channels = uint8_t(1 << k % 3);
    result.bits = k / 3 % 2 ? 16 : 8;
    result.kind = k >= 6 ? TexelKind::Signed : TexelKind::Unsigned;
    result.normalized = true;
    return true;
  }
  switch (format) {
  case 0x01:
  case 0x02:
  case 0x03:
    result.kind = TexelKind::Unsigned;
    result.bits = uint8_t(8 << (format - 0x01));
    break;
  case 0x08:
  case 0x09:
  case 0x0a:
    result.kind = TexelKind::Signed;
    result.bits = uint8_t(8 << (format - 0x08));
    break;
  case 0x10:
  case 0x20:
    result.kind = TexelKind::Float;
    result.bits = uint8_t(format);
    break;
  default:
    return false;
  }
  result.channels = uint8_t(channels);
  return channels == 1 || channels == 2 || channels == 4;
}

bool tileiras::device::boxOf(const Array &array, size_t x, size_t y, size_t z, size_t width, size_t height,
                             size_t depth, Device::Box &box) {
  const emu::TextureImage &image = array.image;
  const size_t row = size_t(image.width) * array.format.bytes();
  auto inside = [](size_t begin, size_t count, size_t size) { return begin <= size && count <= size - begin; };
  if (!inside(x, width, row) || !inside(y, height, image.height) || !inside(z, depth, image.depth))
    return false;
  box = {image.address + z * image.slice + y * image.pitch + x, image.pitch, image.slice};
  return true;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static CUresult makeArray(Device &device, const CUDA_ARRAY3D_DESCRIPTOR &d, std::unique_ptr<Array> &result) {
  auto array = std::make_unique<Array>();
  if (!texelFormat(d.Format, d.NumChannels, array->format)) {
    device.complain("arrays of format " + std::to_string(d.Format) + " with " + std::to_string(d.NumChannels) +
                    " channels are not supported");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  constexpr unsigned known = Layered | SurfaceLoadStore | Cubemap | TextureGather;
  if (d.Flags & ~known) {
    device.complain("arrays with flags " + std::to_string(d.Flags & ~known) + " are not supported");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  const bool layered = d.Flags & Layered, cube = d.Flags & Cubemap;
  if (!d.Width || (cube && (d.Width != d.Height || d.Depth % 6 || !d.Depth || (!layered && d.Depth != 6))) ||
      (!layered && !cube && d.Depth && !d.Height) || (layered && !d.Depth))
    return CUDA_ERROR_INVALID_VALUE;
  using emu::TextureShape;
  array->shape = cube       ? layered ? TextureShape::LayeredCube : TextureShape::Cube
                 : layered  ? d.Height ? TextureShape::Layered2D : TextureShape::Layered1D
                 : d.Depth  ? TextureShape::D3
                 : d.Height ? TextureShape::D2
                            : TextureShape::D1;
  emu::TextureImage &image = array->image;
  image.width = uint32_t(d.Width);
  image.height = uint32_t(std::max<size_t>(1, d.Height));
  image.depth = uint32_t(std::max<size_t>(1, d.Depth));
  image.pitch = (d.Width * array->format.bytes() + 63) / 64 * 64;
  image.slice = image.pitch * image.height;
  const uint64_t bytes = image.slice * image.depth;
  if (CUresult r = device.allocate(image.address, bytes); r != CUDA_SUCCESS)
    return r;
  if (emu::Allocation *a = device.memory.find(image.address))
    a->name = "array " + std::to_string(++objects().made);
  array->descriptor = d;
  result = std::move(array);
  return CUDA_SUCCESS;
}

static CUresult create(Device &device, CUarray *handle, const CUDA_ARRAY3D_DESCRIPTOR &d) {
  std::unique_ptr<Array> array;
  if (CUresult r = makeArray(device, d, array); r != CUDA_SUCCESS)
    return r;
  *handle = reinterpret_cast<CUarray>(array.get());
  objects().arrays.emplace(array.get(), std::move(array));
  return CUDA_SUCCESS;
}

TILEIRAS_API cuArrayCreate_v2(CUarray *handle, const CUDA_ARRAY_DESCRIPTOR *d) {
  TILEIRAS_CALL();
  if (!handle || !d)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  return call.done(create(device, handle, {d->Width, d->Height, 0, d->Format, d->NumChannels, 0}));
}
TILEIRAS_API cuArray3DCreate_v2(CUarray *handle, const CUDA_ARRAY3D_DESCRIPTOR *d) {
  TILEIRAS_CALL();
  return call.done(handle && d ? create(device, handle, *d) : CUDA_ERROR_INVALID_VALUE);
}
TILEIRAS_API cuArrayDestroy(CUarray handle) {
  TILEIRAS_CALL();
  Array *array = arrayOf(handle);
  if (!array || array->level)
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  device.synchronize();
  device.giveBack(array->image.address);
  objects().arrays.erase(handle);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray handle) {
  TILEIRAS_CALL();
  Array *array = arrayOf(handle);
  if (!array || !d)
    return call.done(array ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
  *d = array->descriptor;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *d, CUarray handle) {
  TILEIRAS_CALL();
  Array *array = arrayOf(handle);
  if (!array || !d)
    return call.done(array ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
  *d = {array->descriptor.Width, array->descriptor.Height, array->descriptor.Format, array->descriptor.NumChannels};
  return CUDA_SUCCESS;
}

TILEIRAS_API cuMipmappedArrayCreate(CUmipmappedArray *handle, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned count) {
  TILEIRAS_CALL();
  if (!handle || !d)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  const bool layers = d->Flags & (Layered | Cubemap);
  size_t longest = std::max(d->Width, std::max(d->Height, layers ? 0 : d->Depth));
  unsigned most = 1;
  for (; longest > 1; longest /= 2)
    ++most;
  auto mipmapped = std::make_unique<MipmappedArray>();
  mipmapped->descriptor = *d;
  CUDA_ARRAY3D_DESCRIPTOR level = *d;
  auto halve = [](size_t &n) { n = n > 1 ? n / 2 : n; };
  for (unsigned k = 0; k != std::clamp(count, 1u, most); ++k) {
    mipmapped->levels.emplace_back();
    if (CUresult r = makeArray(device, level, mipmapped->levels.back()); r != CUDA_SUCCESS) {
      mipmapped->levels.pop_back();
      for (auto &made : mipmapped->levels)
        device.giveBack(made->image.address);
      return call.done(r);
    }
    mipmapped->levels.back()->level = true;
    halve(level.Width);
    halve(level.Height);
    if (!layers)
      halve(level.Depth);
  }
  *handle = reinterpret_cast<CUmipmappedArray>(mipmapped.get());
  objects().mipmapped.emplace(mipmapped.get(), std::move(mipmapped));
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMipmappedArrayGetLevel(CUarray *array, CUmipmappedArray handle, unsigned level) {
  TILEIRAS_CALL();
  MipmappedArray *mipmapped = mipmappedOf(handle);
  if (!mipmapped || !array)
    return call.done(mipmapped ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
  if (level >= mipmapped->levels.size())
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *array = reinterpret_cast<CUarray>(mipmapped->levels[level].get());
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMipmappedArrayDestroy(CUmipmappedArray handle) {
  TILEIRAS_CALL();
  MipmappedArray *mipmapped = mipmappedOf(handle);
  if (!mipmapped)
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  device.synchronize();
  for (auto &level : mipmapped->levels)
    device.giveBack(level->image.address);
  objects().mipmapped.erase(handle);
  return CUDA_SUCCESS;
}

TILEIRAS_API cuDeviceGetTexture1DLinearMaxWidth(size_t *width, int format, unsigned channels, CUdevice) {
  TILEIRAS_CALL(Call::Init);
  emu::TexelFormat texels;
  if (!width || !texelFormat(format, channels, texels))
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *width = size_t(1) << 28;
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Copies between an array, byte by byte in the order of its rows, and memory or another array
//===----------------------------------------------------------------------===//

namespace {
/// One end of a copy: an address, or an array from an offset on.
struct End {
  CUarray array = nullptr;
  uint64_t at = 0;
};
} // namespace

static CUresult copyRows(Device &device, End to, End from, size_t bytes, const char *name, bool waits,
                         CUstream handle = nullptr) {
  Stream *stream = device.stream(handle);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  if (waits && device.surface() != CUDA_SUCCESS)
    return device.sticky;
  // The address of byte `at`, and how many bytes follow it in its row.
  auto place = [&](const End &end, uint64_t &address, size_t &rest) {
    if (!end.array) {
      address = end.at;
      rest = bytes;
      return CUDA_SUCCESS;
    }
    const Array *array = arrayOf(end.array);
    if (!array)
      return CUDA_ERROR_INVALID_HANDLE;
    const size_t row = size_t(array->image.width) * array->format.bytes();
    if (end.at / row >= uint64_t(array->image.height) * array->image.depth)
      return CUDA_ERROR_INVALID_VALUE;
    address = array->image.address + end.at / row * array->image.pitch + end.at % row;
    rest = row - end.at % row;
    return CUDA_SUCCESS;
  };
  while (bytes) {
    uint64_t t = 0, f = 0;
    size_t mostTo = 0, mostFrom = 0;
    CUresult r = place(to, t, mostTo);
    if (r == CUDA_SUCCESS)
      r = place(from, f, mostFrom);
    const size_t count = std::min(bytes, std::min(mostTo, mostFrom));
    if (r == CUDA_SUCCESS)
      r = device.copy(*stream, t, f, count, name);
    if (r != CUDA_SUCCESS)
      return r;
    to.at += count;
    from.at += count;
    bytes -= count;
  }
  return waits ? device.synchronize(stream) : CUDA_SUCCESS;
}

static uint64_t addressOf(const void *p) { return reinterpret_cast<uintptr_t>(p); }

TILEIRAS_API cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t bytes) {
  TILEIRAS_CALL();
  return call.done(copyRows(device, {nullptr, addressOf(to)}, {from, offset}, bytes, "cuMemcpyAtoH", true));
}
TILEIRAS_API cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t bytes) {
  TILEIRAS_CALL();
  return call.done(copyRows(device, {to, offset}, {nullptr, addressOf(from)}, bytes, "cuMemcpyHtoA", true));
}
TILEIRAS_API cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  TILEIRAS_CALL();
  return call.done(copyRows(device, {nullptr, to}, {from, offset}, bytes, "cuMemcpyAtoD", true));
}
TILEIRAS_API cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  TILEIRAS_CALL();
  return call.done(copyRows(device, {to, offset}, {nullptr, from}, bytes, "cuMemcpyDtoA", true));
}
TILEIRAS_API cuMemcpyAtoA_v2(CUarray to, size_t offset, CUarray from, size_t fromOffset, size_t bytes) {
  TILEIRAS_CALL();
  return call.done(copyRows(device, {to, offset}, {from, fromOffset}, bytes, "cuMemcpyAtoA", true));
}
TILEIRAS_API cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
  TILEIRAS_CALL();
  return call.done(
      copyRows(device, {nullptr, addressOf(to)}, {from, offset}, bytes, "cuMemcpyAtoHAsync", false, stream));
}
TILEIRAS_API cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void *from, size_t bytes, CUstream stream) {
  TILEIRAS_CALL();
  return call.done(
      copyRows(device, {to, offset}, {nullptr, addressOf(from)}, bytes, "cuMemcpyHtoAAsync", false, stream));
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

/// What a resource view reads the texels as; false if it is none that keeps their size.
static bool viewFormat(int view, emu::TexelFormat &format) {
  if (view == 0)
    return true;
  if (view < 1 || view > 0x18) // the others are block-compressed
    return false;
  static constexpr int kinds[] = {0x01, 0x08, 0x02, 0x09, 0x03, 0x0a, 0x10, 0x20};
  emu::TexelFormat other;
  if (!texelFormat(kinds[(view - 1) / 3], 1u << (view - 1) % 3, other) || other.bytes() != format.bytes())
    return false;
  format = other;
  return true;
}

/// Levels, format and shape of a resource; an error after a message.
static CUresult resourceOf(Device &device, const CUDA_RESOURCE_DESC &d, emu::TextureObject &object) {
  switch (d.resType) {
  case ResourceArray: {
    Array *array = arrayOf(d.res.array.hArray);
    if (!array)
      return CUDA_ERROR_INVALID_HANDLE;
    object.format = array->format;
    object.shape = array->shape;
    object.levels = {array->image};
    return CUDA_SUCCESS;
  }
  case ResourceMipmapped: {
    MipmappedArray *mipmapped = mipmappedOf(d.res.mipmap.hMipmappedArray);
    if (!mipmapped)
      return CUDA_ERROR_INVALID_HANDLE;
    object.format = mipmapped->levels[0]->format;
    object.shape = mipmapped->levels[0]->shape;
    for (auto &level : mipmapped->levels)
      object.levels.push_back(level->image);
    return CUDA_SUCCESS;
  }
  case ResourceLinear:
  case ResourcePitch2D: {
    const bool flat = d.resType == ResourceLinear;
    const int format = flat ? d.res.linear.format : d.res.pitch2D.format;
    const unsigned channels = flat ? d.res.linear.numChannels : d.res.pitch2D.numChannels;
    if (!texelFormat(format, channels, object.format))
      return CUDA_ERROR_INVALID_VALUE;
    object.shape = flat ? emu::TextureShape::Linear : emu::TextureShape::D2;
    emu::TextureImage image;
    image.address = flat ? d.res.linear.devPtr : d.res.pitch2D.devPtr;
    const uint32_t bytes = object.format.bytes();
    image.width = uint32_t(flat ? d.res.linear.sizeInBytes / bytes : d.res.pitch2D.width);
    image.height = flat ? 1 : uint32_t(d.res.pitch2D.height);
    image.pitch = flat ? uint64_t(image.width) * bytes : d.res.pitch2D.pitchInBytes;
    image.slice = image.pitch * image.height;
    if (!image.width || !image.height || image.address % bytes || image.pitch < uint64_t(image.width) * bytes)
      return CUDA_ERROR_INVALID_VALUE;
    if (!device.memory.hostPointer(image.address, image.pitch * (image.height - 1) + uint64_t(image.width) * bytes)) {
      device.complain("out-of-bounds", "cuTexObjectCreate: the texture does not lie in one allocation: " +
                                           device.memory.describe(image.address));
      return CUDA_ERROR_INVALID_VALUE;
    }
    object.levels = {image};
    return CUDA_SUCCESS;
  }
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

TILEIRAS_API cuTexObjectCreate(CUtexObject *handle, const CUDA_RESOURCE_DESC *resource,
                               const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view) {
  TILEIRAS_CALL();
  if (!handle || !resource || !texture)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  emu::TextureObject object;
  if (CUresult r = resourceOf(device, *resource, object); r != CUDA_SUCCESS)
    return call.done(r);
  if (view) {
    const bool arrays = resource->resType <= ResourceMipmapped;
    if (!arrays || !viewFormat(view->format, object.format)) {
      device.complain("cuTexObjectCreate: this resource view is not supported");
      return call.done(CUDA_ERROR_NOT_SUPPORTED);
    }
    if (view->firstMipmapLevel > view->lastMipmapLevel || view->lastMipmapLevel >= object.levels.size() ||
        view->firstLayer > view->lastLayer)
      return call.done(CUDA_ERROR_INVALID_VALUE);
    object.levels = {object.levels.begin() + view->firstMipmapLevel, object.levels.begin() + view->lastMipmapLevel + 1};
    if (object.shape != emu::TextureShape::D3 && view->lastLayer)
      for (emu::TextureImage &image : object.levels) {
        if (view->lastLayer >= image.depth)
          return call.done(CUDA_ERROR_INVALID_VALUE);
        image.address += view->firstLayer * image.slice;
        image.depth = view->lastLayer - view->firstLayer + 1;
      }
  }
  for (unsigned k = 0; k != 3; ++k) {
    if (texture->addressMode[k] < 0 || texture->addressMode[k] > 3)
      return call.done(CUDA_ERROR_INVALID_VALUE);
    object.address[k] = emu::TextureAddress(texture->addressMode[k]);
  }
  object.linear = texture->filterMode == 1;
  object.normalizedCoordinates = texture->flags & NormalizedCoordinates;
  object.readAsFloat = !(texture->flags & ReadAsInteger);
  object.srgb = texture->flags & Srgb;
  object.mipmapLinear = texture->mipmapFilterMode == 1;
  object.levelBias = texture->mipmapLevelBias;
  object.minLevel = texture->minMipmapLevelClamp;
  object.maxLevel = texture->maxMipmapLevelClamp;
  std::copy(texture->borderColor, texture->borderColor + 4, object.border);
  const bool linearMemory = object.shape == emu::TextureShape::Linear;
  if ((object.linear && !linearMemory && !object.yieldsFloats()) ||
      (resource->resType == ResourceMipmapped && !object.normalizedCoordinates))
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *handle = device.memory.textures().add(std::move(object));
  Described &d = objects().textures[*handle];
  d.resource = *resource;
  d.texture = *texture;
  d.hasView = view;
  if (view)
    d.view = *view;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuSurfObjectCreate(CUsurfObject *handle, const CUDA_RESOURCE_DESC *resource) {
  TILEIRAS_CALL();
  if (!handle || !resource || resource->resType != ResourceArray)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  emu::TextureObject object;
  if (CUresult r = resourceOf(device, *resource, object); r != CUDA_SUCCESS)
    return call.done(r);
  if (!(arrayOf(resource->res.array.hArray)->descriptor.Flags & SurfaceLoadStore)) {
    device.complain("cuSurfObjectCreate: the array was made without CUDA_ARRAY3D_SURFACE_LDST");
    return call.done(CUDA_ERROR_INVALID_VALUE);
  }
  object.surface = true;
  *handle = device.memory.textures().add(std::move(object));
  objects().surfaces[*handle].resource = *resource;
  return CUDA_SUCCESS;
}

static CUresult destroy(Device &device, std::unordered_map<uint64_t, Described> &list, uint64_t handle) {
  if (!list.erase(handle))
    return CUDA_ERROR_INVALID_VALUE;
  device.memory.textures().remove(handle);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuTexObjectDestroy(CUtexObject handle) {
  TILEIRAS_CALL();
  return call.done(destroy(device, objects().textures, handle));
}
TILEIRAS_API cuSurfObjectDestroy(CUsurfObject handle) {
  TILEIRAS_CALL();
  return call.done(destroy(device, objects().surfaces, handle));
}

static const Described *described(const std::unordered_map<uint64_t, Described> &list, uint64_t handle) {
  auto found = list.find(handle);
  return found == list.end() ? nullptr : &found->second;
}
TILEIRAS_API cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *result, CUtexObject handle) {
  TILEIRAS_CALL();
  const Described *d = described(objects().textures, handle);
  if (!d || !result)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *result = d->resource;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *result, CUsurfObject handle) {
  TILEIRAS_CALL();
  const Described *d = described(objects().surfaces, handle);
  if (!d || !result)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *result = d->resource;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *result, CUtexObject handle) {
  TILEIRAS_CALL();
  const Described *d = described(objects().textures, handle);
  if (!d || !result)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *result = d->texture;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *result, CUtexObject handle) {
  TILEIRAS_CALL();
  const Described *d = described(objects().textures, handle);
  if (!d || !result || !d->hasView)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *result = d->view;
  return CUDA_SUCCESS;
}
