//===- RuntimeTexture.cpp - Arrays and textures of the runtime API -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Runtime.h"

#include <mutex>
#include <unordered_map>

using namespace tileiras::device::runtime;

extern "C" {
struct cudaResourceDesc {
  int resType;
  union {
    struct {
      CUarray array;
    } array;
    struct {
      CUmipmappedArray mipmap;
    } mipmap;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned flags;
};
struct cudaTextureDesc {
  int addressMode[3], filterMode, readMode, sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  int mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, seamlessCubemap;
};
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

size_t tileiras::device::runtime::elementBytes(const CUDA_ARRAY3D_DESCRIPTOR &d) {
  if (d.Format >= 0xc0) // UNORM_INT8X1 ...: the number of channels is part of the format
    return (size_t(1) << (d.Format - 0xc0) % 3) * ((d.Format - 0xc0) / 3 % 2 ? 2 : 1);
  const size_t bytes = d.Format == 0x20 ? 4 : d.Format == 0x10 ? 2 : size_t(1) << ((d.Format & 7) - (d.Format < 8));
  return bytes * d.NumChannels;
}

/// CUarray_format and number of channels; false for what there is none for.
static bool formatOf(const cudaChannelFormatDesc &d, int &format, unsigned &channels) {
  channels = unsigned((d.x > 0) + (d.y > 0) + (d.z > 0) + (d.w > 0));
  if (d.f >= 5 && d.f <= 16) { // UnsignedNormalized8X1 ...
    format = 0xc0 + (d.f - 5);
    return true;
  }
  if ((d.y && d.y != d.x) || (d.z && d.z != d.x) || (d.w && d.w != d.x) || channels == 0 || channels == 3)
    return false;
  const int size = d.x == 8 ? 0 : d.x == 16 ? 1 : d.x == 32 ? 2 : -1;
  if (size < 0 || d.f < 0 || d.f > 2 || (d.f == 2 && size == 0))
    return false;
  format = d.f == 0 ? 0x08 + size : d.f == 1 ? 0x01 + size : size == 1 ? 0x10 : 0x20;
  return true;
}

static cudaChannelFormatDesc channelOf(int format, unsigned channels) {
  cudaChannelFormatDesc d = {};
  int bits = 32;
  if (format >= 0xc0) {
    d.f = format - 0xc0 + 5;
    channels = 1u << (format - 0xc0) % 3;
    bits = (format - 0xc0) / 3 % 2 ? 16 : 8;
  } else if (format >= 0x10) {
    d.f = 2;
    bits = format;
  } else {
    d.f = format < 0x08;
    bits = 8 << (format < 0x08 ? format - 0x01 : format - 0x08);
  }
  int *parts[] = {&d.x, &d.y, &d.z, &d.w};
  for (unsigned k = 0; k != channels && k != 4; ++k)
    *parts[k] = bits;
  return d;
}

extern "C" __attribute__((visibility("default"))) cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z,
                                                                                              int w, int f) {
  return {x, y, z, w, f};
}
TILEIRAS_RUNTIME cudaGetChannelDesc(cudaChannelFormatDesc *result, CUarray array) {
  TILEIRAS_READY;
  CUDA_ARRAY3D_DESCRIPTOR d;
  if (CUresult r = cuArray3DGetDescriptor_v2(&d, array); r != CUDA_SUCCESS)
    TILEIRAS_RETURN(r);
  *result = channelOf(d.Format, d.NumChannels);
  return Success;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static cudaError_t describe(const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags,
                            CUDA_ARRAY3D_DESCRIPTOR &d) {
  d = {extent.width, extent.height, extent.depth, 0, 0, flags};               // the flags have the driver's values
  return format && formatOf(*format, d.Format, d.NumChannels) ? Success : 20; // cudaErrorInvalidChannelDescriptor
}

TILEIRAS_RUNTIME cudaMalloc3DArray(CUarray *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                                   unsigned flags) {
  TILEIRAS_READY;
  CUDA_ARRAY3D_DESCRIPTOR d;
  if (cudaError_t e = describe(format, extent, flags, d))
    TILEIRAS_RETURN(e);
  TILEIRAS_RETURN(cuArray3DCreate_v2(array, &d));
}
TILEIRAS_RUNTIME cudaMallocArray(CUarray *array, const cudaChannelFormatDesc *format, size_t width, size_t height,
                                 unsigned flags) {
  return cudaMalloc3DArray(array, format, {width, height, 0}, flags);
}
TILEIRAS_RUNTIME cudaFreeArray(CUarray array) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(array ? cuArrayDestroy(array) : CUDA_SUCCESS);
}
TILEIRAS_RUNTIME cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags, CUarray array) {
  TILEIRAS_READY;
  CUDA_ARRAY3D_DESCRIPTOR d;
  if (CUresult r = cuArray3DGetDescriptor_v2(&d, array); r != CUDA_SUCCESS)
    TILEIRAS_RETURN(r);
  if (format)
    *format = channelOf(d.Format, d.NumChannels);
  if (extent)
    *extent = {d.Width, d.Height, d.Depth};
  if (flags)
    *flags = d.Flags;
  return Success;
}
TILEIRAS_RUNTIME cudaMallocMipmappedArray(CUmipmappedArray *array, const cudaChannelFormatDesc *format,
                                          cudaExtent extent, unsigned levels, unsigned flags) {
  TILEIRAS_READY;
  CUDA_ARRAY3D_DESCRIPTOR d;
  if (cudaError_t e = describe(format, extent, flags, d))
    TILEIRAS_RETURN(e);
  TILEIRAS_RETURN(cuMipmappedArrayCreate(array, &d, levels));
}
TILEIRAS_RUNTIME cudaFreeMipmappedArray(CUmipmappedArray array) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(array ? cuMipmappedArrayDestroy(array) : CUDA_SUCCESS);
}
TILEIRAS_RUNTIME cudaGetMipmappedArrayLevel(CUarray *array, CUmipmappedArray mipmapped, unsigned level) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(cuMipmappedArrayGetLevel(array, mipmapped, level));
}
TILEIRAS_RUNTIME cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const cudaChannelFormatDesc *format, int device) {
  TILEIRAS_READY;
  int number = 0;
  unsigned channels = 0;
  if (!format || !formatOf(*format, number, channels))
    TILEIRAS_RETURN(20); // cudaErrorInvalidChannelDescriptor
  TILEIRAS_RETURN(cuDeviceGetTexture1DLinearMaxWidth(width, number, channels, device));
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

namespace {
/// Objects as programs described them.
struct Described {
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  CUDA_RESOURCE_VIEW_DESC view = {};
  bool hasView = false;
};
struct Objects {
  std::mutex mutex;
  std::unordered_map<uint64_t, Described> list;
};
Objects &objects() {
  static Objects *o = new Objects();
  return *o;
}

cudaError_t resourceOf(const cudaResourceDesc &from, CUDA_RESOURCE_DESC &to) {
  to = {};
  to.resType = from.resType;
  switch (from.resType) {
  case 0:
    to.res.array.hArray = from.res.array.array;
    return Success;
  case 1:
    to.res.mipmap.hMipmappedArray = from.res.mipmap.mipmap;
    return Success;
  case 2:
    to.res.linear.devPtr = addressOf(from.res.linear.devPtr);
    to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
    return formatOf(from.res.linear.desc, to.res.linear.format, to.res.linear.numChannels) ? Success : 20;
  case 3:
    to.res.pitch2D.devPtr = addressOf(from.res.pitch2D.devPtr);
    to.res.pitch2D.width = from.res.pitch2D.width;
    to.res.pitch2D.height = from.res.pitch2D.height;
    to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
    return formatOf(from.res.pitch2D.desc, to.res.pitch2D.format, to.res.pitch2D.numChannels) ? Success : 20;
  default:
    return InvalidValue;
  }
}

cudaError_t remember(uint64_t handle, const Described &d) {
  std::lock_guard<std::mutex> lock(objects().mutex);
  objects().list[handle] = d;
  return Success;
}
void forget(uint64_t handle) {
  std::lock_guard<std::mutex> lock(objects().mutex);
  objects().list.erase(handle);
}
bool find(uint64_t handle, Described &d) {
  std::lock_guard<std::mutex> lock(objects().mutex);
  auto found = objects().list.find(handle);
  if (found == objects().list.end())
    return false;
  d = found->second;
  return true;
}
} // namespace

TILEIRAS_RUNTIME cudaCreateTextureObject(uint64_t *handle, const cudaResourceDesc *resource,
                                         const cudaTextureDesc *texture, const CUDA_RESOURCE_VIEW_DESC *view) {
  TILEIRAS_READY;
  if (!handle || !resource || !texture)
    TILEIRAS_RETURN(InvalidValue);
  CUDA_RESOURCE_DESC r;
  if (cudaError_t e = resourceOf(*resource, r))
    TILEIRAS_RETURN(e);
  CUDA_TEXTURE_DESC t = {};
  for (int k = 0; k != 3; ++k)
    t.addressMode[k] = texture->addressMode[k];
  t.filterMode = texture->filterMode;
  t.flags = (texture->readMode == 0 ? 0x01u : 0) | (texture->normalizedCoords ? 0x02u : 0) |
            (texture->sRGB ? 0x10u : 0) | (texture->disableTrilinearOptimization ? 0x20u : 0) |
            (texture->seamlessCubemap ? 0x40u : 0);
  t.maxAnisotropy = texture->maxAnisotropy;
  t.mipmapFilterMode = texture->mipmapFilterMode;
  t.mipmapLevelBias = texture->mipmapLevelBias;
  t.minMipmapLevelClamp = texture->minMipmapLevelClamp;
  t.maxMipmapLevelClamp = texture->maxMipmapLevelClamp;
  for (int k = 0; k != 4; ++k)
    t.borderColor[k] = texture->borderColor[k];
  CUtexObject object = 0;
  if (CUresult e = cuTexObjectCreate(&object, &r, &t, view); e != CUDA_SUCCESS)
    TILEIRAS_RETURN(e);
  *handle = object;
  return remember(object, {*resource, *texture, view ? *view : CUDA_RESOURCE_VIEW_DESC(), view != nullptr});
}
TILEIRAS_RUNTIME cudaDestroyTextureObject(uint64_t handle) {
  TILEIRAS_READY;
  forget(handle);
  TILEIRAS_RETURN(cuTexObjectDestroy(handle));
}
TILEIRAS_RUNTIME cudaCreateSurfaceObject(uint64_t *handle, const cudaResourceDesc *resource) {
  TILEIRAS_READY;
  if (!handle || !resource)
    TILEIRAS_RETURN(InvalidValue);
  CUDA_RESOURCE_DESC r;
  if (cudaError_t e = resourceOf(*resource, r))
    TILEIRAS_RETURN(e);
  CUsurfObject object = 0;
  if (CUresult e = cuSurfObjectCreate(&object, &r); e != CUDA_SUCCESS)
    TILEIRAS_RETURN(e);
  *handle = object;
  return remember(object, {*resource, {}, {}, false});
}
TILEIRAS_RUNTIME cudaDestroySurfaceObject(uint64_t handle) {
  TILEIRAS_READY;
  forget(handle);
  TILEIRAS_RETURN(cuSurfObjectDestroy(handle));
}
TILEIRAS_RUNTIME cudaGetTextureObjectResourceDesc(cudaResourceDesc *result, uint64_t handle) {
  Described d;
  if (!result || !find(handle, d))
    TILEIRAS_RETURN(InvalidValue);
  *result = d.resource;
  return Success;
}
TILEIRAS_RUNTIME cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *result, uint64_t handle) {
  return cudaGetTextureObjectResourceDesc(result, handle);
}
TILEIRAS_RUNTIME cudaGetTextureObjectTextureDesc(cudaTextureDesc *result, uint64_t handle) {
  Described d;
  if (!result || !find(handle, d))
    TILEIRAS_RETURN(InvalidValue);
  *result = d.texture;
  return Success;
}
TILEIRAS_RUNTIME cudaGetTextureObjectResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *result, uint64_t handle) {
  Described d;
  if (!result || !find(handle, d) || !d.hasView)
    TILEIRAS_RETURN(InvalidValue);
  *result = d.view;
  return Success;
}
