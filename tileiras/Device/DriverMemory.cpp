//===- DriverMemory.cpp - Allocations, copies, tensor maps ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Arrays.h"
#include "tileiras/Device/Device.h"
#include "tileiras/Device/Options.h"
#include "tileiras/Emulator/Machine/Async/Tensormap.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace tileiras;
using namespace tileiras::device;

#define TILEIRAS_STREAM(handle)                                                                                        \
  Stream *stream = device.stream(handle);                                                                              \
  if (!stream)                                                                                                         \
  return call.done(CUDA_ERROR_INVALID_HANDLE)

static uint64_t addressOf(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

TILEIRAS_API cuMemGetInfo_v2(size_t *left, size_t *total) {
  TILEIRAS_CALL();
  size_t used = 0;
  for (auto &a : device.memory.allocations())
    used += a->size;
  if (left)
    *left = deviceMemory() - std::min(used, deviceMemory());
  if (total)
    *total = deviceMemory();
  return CUDA_SUCCESS;
}

TILEIRAS_API cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  TILEIRAS_CALL();
  uint64_t result = 0;
  if (!address)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  if (device.legacy()->capture)
    return call.done(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CUresult r = device.allocate(result, bytes);
  *address = result;
  return call.done(r);
}

TILEIRAS_API cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned) {
  TILEIRAS_CALL();
  if (!address || !pitch)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *pitch = (width + 511) / 512 * 512;
  uint64_t result = 0;
  CUresult r = device.allocate(result, *pitch * height);
  *address = result;
  return call.done(r);
}

TILEIRAS_API cuMemFree_v2(CUdeviceptr address) {
  TILEIRAS_CALL();
  return call.done(device.release(address));
}

TILEIRAS_API cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address) {
  TILEIRAS_CALL();
  emu::Allocation *a = device.memory.find(address);
  if (!a)
    return call.done(CUDA_ERROR_NOT_FOUND);
  if (base)
    *base = a->base;
  if (bytes)
    *bytes = a->size;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuMemAllocHost_v2(void **pointer, size_t bytes) {
  TILEIRAS_CALL();
  return call.done(pointer ? device.allocateHost(*pointer, bytes, HostRange::Pinned, 2) : CUDA_ERROR_INVALID_VALUE);
}
TILEIRAS_API cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  TILEIRAS_CALL();
  return call.done(pointer ? device.allocateHost(*pointer, bytes, HostRange::Pinned, flags) : CUDA_ERROR_INVALID_VALUE);
}
TILEIRAS_API cuMemFreeHost(void *pointer) {
  TILEIRAS_CALL();
  return call.done(device.releaseHost(pointer, HostRange::Pinned));
}
TILEIRAS_API cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  TILEIRAS_CALL();
  void *pointer = nullptr;
  if (!address)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  CUresult r = device.allocateHost(pointer, bytes, HostRange::Managed, flags);
  *address = addressOf(pointer);
  return call.done(r);
}
TILEIRAS_API cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags) {
  TILEIRAS_CALL();
  return call.done(device.registerHost(pointer, bytes, flags));
}
TILEIRAS_API cuMemHostUnregister(void *pointer) {
  TILEIRAS_CALL();
  return call.done(device.releaseHost(pointer, HostRange::Registered));
}
TILEIRAS_API cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *pointer, unsigned) {
  TILEIRAS_CALL();
  uintptr_t base;
  HostRange *range = device.hostRange(addressOf(pointer), base);
  if (!range || !address)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *address = range->device + (addressOf(pointer) - base);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemHostGetFlags(unsigned *flags, void *pointer) {
  TILEIRAS_CALL();
  uintptr_t base;
  HostRange *range = device.hostRange(addressOf(pointer), base);
  if (!range || !flags)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *flags = range->flags;
  return CUDA_SUCCESS;
}

// Managed memory is where it is.
TILEIRAS_API cuMemPrefetchAsync_v2(CUdeviceptr, size_t, CUmemLocation, unsigned, CUstream) {
  TILEIRAS_CALL();
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemAdvise_v2(CUdeviceptr, size_t, int, CUmemLocation) {
  TILEIRAS_CALL();
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Memory in the order of streams. Pools are names: there is one memory.
//===----------------------------------------------------------------------===//

namespace {
struct Pool {
  uint64_t attributes[9] = {1, 1, 1, 0, 0, 0, 0, 0, 0};
};
Pool defaultPool;
CUmemoryPool poolHandle(Pool *p) { return reinterpret_cast<CUmemoryPool>(p); }
} // namespace

TILEIRAS_API cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream handle) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(handle);
  if (!address)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  uint64_t result = 0;
  CUresult r = device.allocate(result, bytes);
  *address = result;
  if (stream->capture && r == CUDA_SUCCESS)
    r = device.submit(*stream, allocationWork(device, result, bytes));
  return call.done(r);
}
TILEIRAS_API cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool, CUstream handle) {
  return cuMemAllocAsync(address, bytes, handle);
}
TILEIRAS_API cuMemFreeAsync(CUdeviceptr address, CUstream handle) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(handle);
  if (stream->capture && stream->capture->graph)
    return call.done(device.memory.find(address)
                         ? device.submit(*stream, freeWork(device, *stream->capture->graph, address))
                         : CUDA_ERROR_INVALID_VALUE);
  return call.done(device.giveBack(address) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
TILEIRAS_API cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice) {
  TILEIRAS_CALL(Call::Init);
  *pool = poolHandle(&defaultPool);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice handle) { return cuDeviceGetDefaultMemPool(pool, handle); }
TILEIRAS_API cuDeviceSetMemPool(CUdevice, CUmemoryPool) {
  TILEIRAS_CALL(Call::Init);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *) {
  TILEIRAS_CALL();
  *pool = poolHandle(new Pool());
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemPoolDestroy(CUmemoryPool pool) {
  TILEIRAS_CALL();
  if (pool != poolHandle(&defaultPool))
    delete reinterpret_cast<Pool *>(pool);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemPoolTrimTo(CUmemoryPool, size_t) {
  TILEIRAS_CALL();
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value) {
  TILEIRAS_CALL();
  if (attribute < 1 || attribute > 8 || !value)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  // The first three are int, the others 64 bits wide.
  std::memcpy(&reinterpret_cast<Pool *>(pool)->attributes[attribute - 1], value, attribute <= 3 ? 4 : 8);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value) {
  TILEIRAS_CALL();
  if (attribute < 1 || attribute > 8 || !value)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  std::memcpy(value, &reinterpret_cast<Pool *>(pool)->attributes[attribute - 1], attribute <= 3 ? 4 : 8);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemPoolSetAccess(CUmemoryPool, const void *, size_t) {
  TILEIRAS_CALL();
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

static CUresult pointerAttribute(Device &device, void *value, int attribute, uint64_t address) {
  uintptr_t base = 0;
  HostRange *host = device.hostRange(address, base);
  emu::Allocation *a = device.memory.find(address);
  if (!host && a) // an address of registered memory on the device
    for (auto &[start, range] : device.host)
      if (range.device == a->base) {
        host = &range;
        base = start;
      }
  if (!a && !host)
    return CUDA_ERROR_INVALID_VALUE;
  const uint64_t offset = a ? address - a->base : address - base;
  const uint64_t devicePointer = host ? host->device + offset : address;
  auto put = [&](auto v) {
    std::memcpy(value, &v, sizeof v);
    return CUDA_SUCCESS;
  };
  switch (attribute) { // CUpointer_attribute
  case 1:              // CONTEXT
    return put(contextStack().empty() ? device.primary : contextStack().back());
  case 2: // MEMORY_TYPE
    return put(host && host->kind != HostRange::Managed ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
  case 3: // DEVICE_POINTER
    return put(devicePointer);
  case 4: // HOST_POINTER
    return host ? put(uint64_t(base + offset)) : CUDA_ERROR_INVALID_VALUE;
  case 6: // SYNC_MEMOPS
    return put(int(1));
  case 7: // BUFFER_ID
    return put(uint64_t(a ? a->base : host->device));
  case 8: // IS_MANAGED
    return put(int(host && host->kind == HostRange::Managed));
  case 9: // DEVICE_ORDINAL
    return put(int(0));
  case 10: // IS_LEGACY_CUDA_IPC_CAPABLE
  case 15:
  case 21:
    return put(int(0));
  case 11: // RANGE_START_ADDR
    return put(uint64_t(a ? a->base : host->device));
  case 12: // RANGE_SIZE
    return put(size_t(a ? a->size : host->bytes));
  case 13: // MAPPED
    return put(int(1));
  case 14: // ALLOWED_HANDLE_TYPES
  case 17: // MEMPOOL_HANDLE
    return put(uint64_t(0));
  case 16: // ACCESS_FLAGS: read and write
    return put(int(3));
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}
TILEIRAS_API cuPointerGetAttribute(void *value, int attribute, CUdeviceptr address) {
  TILEIRAS_CALL();
  return call.done(value ? pointerAttribute(device, value, attribute, address) : CUDA_ERROR_INVALID_VALUE);
}
TILEIRAS_API cuPointerGetAttributes(unsigned count, int *attributes, void **values, CUdeviceptr address) {
  TILEIRAS_CALL();
  if (!attributes || !values)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  for (unsigned k = 0; k != count; ++k)
    if (values[k] && pointerAttribute(device, values[k], attributes[k], address) != CUDA_SUCCESS)
      std::memset(values[k], 0, 4); // unknown to CUDA: zero, and no error
  return CUDA_SUCCESS;
}
TILEIRAS_API cuPointerSetAttribute(const void *, int, CUdeviceptr) {
  TILEIRAS_CALL();
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// A copy that the host waits for, or one in a stream.
static CUresult copy(Device &device, uint64_t to, uint64_t from, size_t bytes, const char *name, bool waits,
                     CUstream handle = nullptr) {
  Stream *stream = device.stream(handle);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  if (waits && device.surface() != CUDA_SUCCESS)
    return device.sticky;
  CUresult r = device.copy(*stream, to, from, bytes, name);
  if (waits && r == CUDA_SUCCESS)
    r = device.synchronize(stream);
  return r;
}

#define TILEIRAS_COPY(NAME, TO, FROM)                                                                                  \
  TILEIRAS_API NAME##_v2(TO to, FROM from, size_t bytes) {                                                             \
    TILEIRAS_CALL();                                                                                                   \
    return call.done(copy(device, uint64_t(to), uint64_t(from), bytes, #NAME, true));                                  \
  }                                                                                                                    \
  TILEIRAS_API NAME##Async_v2(TO to, FROM from, size_t bytes, CUstream stream) {                                       \
    TILEIRAS_CALL();                                                                                                   \
    return call.done(copy(device, uint64_t(to), uint64_t(from), bytes, #NAME "Async", false, stream));                 \
  }
TILEIRAS_COPY(cuMemcpyHtoD, CUdeviceptr, const void *)
TILEIRAS_COPY(cuMemcpyDtoH, void *, CUdeviceptr)
TILEIRAS_COPY(cuMemcpyDtoD, CUdeviceptr, CUdeviceptr)
#undef TILEIRAS_COPY

TILEIRAS_API cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  TILEIRAS_CALL();
  return call.done(copy(device, to, from, bytes, "cuMemcpy", true));
}
TILEIRAS_API cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  TILEIRAS_CALL();
  return call.done(copy(device, to, from, bytes, "cuMemcpyAsync", false, stream));
}
TILEIRAS_API cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes) {
  TILEIRAS_CALL();
  return call.done(copy(device, to, from, bytes, "cuMemcpyPeer", true));
}
TILEIRAS_API cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes, CUstream stream) {
  TILEIRAS_CALL();
  return call.done(copy(device, to, from, bytes, "cuMemcpyPeerAsync", false, stream));
}

CUresult tileiras::device::copyOf(Device &device, const CUDA_MEMCPY3D &c, Stream &stream, const char *name) {
  Device::Box to, from;
  auto box = [&](Device::Box &result, unsigned type, const void *host, CUdeviceptr address, CUarray handle, size_t x,
                 size_t y, size_t z, size_t pitch, size_t height) {
    if (type == CU_MEMORYTYPE_ARRAY) {
      const Array *array = arrayOf(handle);
      return !array                                                              ? CUDA_ERROR_INVALID_HANDLE
             : boxOf(*array, x, y, z, c.WidthInBytes, c.Height, c.Depth, result) ? CUDA_SUCCESS
                                                                                 : CUDA_ERROR_INVALID_VALUE;
    }
    const uint64_t base = type == CU_MEMORYTYPE_HOST ? addressOf(host) : address;
    result = {base + x + y * pitch + z * pitch * height, pitch, pitch * height};
    return CUDA_SUCCESS;
  };
  if (CUresult r = box(to, c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, c.dstZ,
                       c.dstPitch, c.dstHeight);
      r != CUDA_SUCCESS)
    return r;
  if (CUresult r = box(from, c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, c.srcZ,
                       c.srcPitch, c.srcHeight);
      r != CUDA_SUCCESS)
    return r;
  return device.copyBox(stream, to, from, c.WidthInBytes, c.Height, c.Depth, name);
}

static CUresult copy3D(Device &device, const CUDA_MEMCPY3D &c, CUstream handle, bool waits, const char *name) {
  Stream *stream = device.stream(handle);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  if (waits && device.surface() != CUDA_SUCCESS)
    return device.sticky;
  CUresult r = copyOf(device, c, *stream, name);
  return waits && r == CUDA_SUCCESS ? device.synchronize(stream) : r;
}

static CUDA_MEMCPY3D flat(const CUDA_MEMCPY2D &c) {
  CUDA_MEMCPY3D d = {};
  d.srcXInBytes = c.srcXInBytes;
  d.srcY = c.srcY;
  d.srcMemoryType = c.srcMemoryType;
  d.srcHost = c.srcHost;
  d.srcDevice = c.srcDevice;
  d.srcArray = c.srcArray;
  d.srcPitch = c.srcPitch ? c.srcPitch : c.WidthInBytes;
  d.dstXInBytes = c.dstXInBytes;
  d.dstY = c.dstY;
  d.dstMemoryType = c.dstMemoryType;
  d.dstHost = c.dstHost;
  d.dstDevice = c.dstDevice;
  d.dstArray = c.dstArray;
  d.dstPitch = c.dstPitch ? c.dstPitch : c.WidthInBytes;
  d.WidthInBytes = c.WidthInBytes;
  d.Height = c.Height;
  d.Depth = 1;
  return d;
}

TILEIRAS_API cuMemcpy2D_v2(const CUDA_MEMCPY2D *c) {
  TILEIRAS_CALL();
  return call.done(c ? copy3D(device, flat(*c), nullptr, true, "cuMemcpy2D") : CUDA_ERROR_INVALID_VALUE);
}
TILEIRAS_API cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *c) { return cuMemcpy2D_v2(c); }
TILEIRAS_API cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *c, CUstream stream) {
  TILEIRAS_CALL();
  return call.done(c ? copy3D(device, flat(*c), stream, false, "cuMemcpy2DAsync") : CUDA_ERROR_INVALID_VALUE);
}
TILEIRAS_API cuMemcpy3D_v2(const CUDA_MEMCPY3D *c) {
  TILEIRAS_CALL();
  return call.done(c ? copy3D(device, *c, nullptr, true, "cuMemcpy3D") : CUDA_ERROR_INVALID_VALUE);
}
TILEIRAS_API cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *c, CUstream stream) {
  TILEIRAS_CALL();
  return call.done(c ? copy3D(device, *c, stream, false, "cuMemcpy3DAsync") : CUDA_ERROR_INVALID_VALUE);
}

//===----------------------------------------------------------------------===//
// Filling
//===----------------------------------------------------------------------===//

template <typename T>
static CUresult fill(Device &device, uint64_t to, T value, size_t count, const char *name, CUstream handle) {
  Stream *stream = device.stream(handle);
  return stream ? device.fill(*stream, to, &value, sizeof value, count, name) : CUDA_ERROR_INVALID_HANDLE;
}
template <typename T>
static CUresult fill2D(Device &device, uint64_t to, size_t pitch, T value, size_t width, size_t height,
                       const char *name, CUstream handle) {
  for (size_t y = 0; y != height; ++y)
    if (CUresult r = fill(device, to + y * pitch, value, width, name, handle); r != CUDA_SUCCESS)
      return r;
  return CUDA_SUCCESS;
}
#define TILEIRAS_FILL(BITS, TYPE)                                                                                      \
  TILEIRAS_API cuMemsetD##BITS##_v2(CUdeviceptr to, TYPE value, size_t count) {                                        \
    TILEIRAS_CALL();                                                                                                   \
    return call.done(fill(device, to, value, count, "cuMemsetD" #BITS, nullptr));                                      \
  }                                                                                                                    \
  TILEIRAS_API cuMemsetD##BITS##Async(CUdeviceptr to, TYPE value, size_t count, CUstream stream) {                     \
    TILEIRAS_CALL();                                                                                                   \
    return call.done(fill(device, to, value, count, "cuMemsetD" #BITS "Async", stream));                               \
  }                                                                                                                    \
  TILEIRAS_API cuMemsetD2D##BITS##_v2(CUdeviceptr to, size_t pitch, TYPE value, size_t width, size_t height) {         \
    TILEIRAS_CALL();                                                                                                   \
    return call.done(fill2D(device, to, pitch, value, width, height, "cuMemsetD2D" #BITS, nullptr));                   \
  }                                                                                                                    \
  TILEIRAS_API cuMemsetD2D##BITS##Async(CUdeviceptr to, size_t pitch, TYPE value, size_t width, size_t height,         \
                                        CUstream stream) {                                                             \
    TILEIRAS_CALL();                                                                                                   \
    return call.done(fill2D(device, to, pitch, value, width, height, "cuMemsetD2D" #BITS "Async", stream));            \
  }
TILEIRAS_FILL(8, unsigned char)
TILEIRAS_FILL(16, unsigned short)
TILEIRAS_FILL(32, unsigned)
#undef TILEIRAS_FILL

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

static CUresult encoded(Device &device, const char *name, const std::string &error) {
  if (error.empty())
    return CUDA_SUCCESS;
  device.complain(std::string(name) + ": " + error);
  return CUDA_ERROR_INVALID_VALUE;
}

static bool modes(int type, int interleave, int swizzle, int promotion, int fillMode, emu::TensorType &elements) {
  return emu::tensorTypeOfDriver(unsigned(type), elements) &&
         unsigned(interleave) <= unsigned(emu::TensorInterleave::B32) &&
         unsigned(swizzle) <= unsigned(emu::TensorSwizzle::B128Atom64) &&
         unsigned(promotion) <= unsigned(emu::TensorL2Promotion::B256) && unsigned(fillMode) <= 1;
}

TILEIRAS_API cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address, const uint64_t *dims,
                                    const uint64_t *strides, const uint32_t *box, const uint32_t *elementStrides,
                                    int interleave, int swizzle, int promotion, int fillMode) {
  TILEIRAS_CALL();
  emu::TensorType elements;
  if (!map || !dims || (!strides && rank > 1) || !box || !elementStrides ||
      !modes(type, interleave, swizzle, promotion, fillMode, elements))
    return call.done(CUDA_ERROR_INVALID_VALUE);
  uint8_t bytes[emu::TensormapBytes];
  std::string error = emu::encodeTiled(bytes, elements, rank, addressOf(address), dims, strides, box, elementStrides,
                                       emu::TensorInterleave(interleave), emu::TensorSwizzle(swizzle),
                                       emu::TensorL2Promotion(promotion), emu::TensorFill(fillMode));
  if (error.empty())
    std::memcpy(map, bytes, sizeof bytes);
  return call.done(encoded(device, "cuTensorMapEncodeTiled", error));
}

TILEIRAS_API cuTensorMapEncodeIm2col(void *map, int type, unsigned rank, void *address, const uint64_t *dims,
                                     const uint64_t *strides, const int *lower, const int *upper, uint32_t channels,
                                     uint32_t pixels, const uint32_t *elementStrides, int interleave, int swizzle,
                                     int promotion, int fillMode) {
  TILEIRAS_CALL();
  emu::TensorType elements;
  if (!map || !dims || !strides || !lower || !upper || !elementStrides ||
      !modes(type, interleave, swizzle, promotion, fillMode, elements))
    return call.done(CUDA_ERROR_INVALID_VALUE);
  uint8_t bytes[emu::TensormapBytes];
  // Innermost first, as all arrays of a tensor map are, and as CUTLASS passes them (the manual names them {D, H, W}).
  unsigned corners = rank >= 3 && rank <= 5 ? rank - 2 : 0;
  std::vector<int> first(lower, lower + corners), last(upper, upper + corners);
  std::reverse(first.begin(), first.end());
  std::reverse(last.begin(), last.end());
  std::string error = emu::encodeIm2col(bytes, elements, rank, addressOf(address), dims, strides,
                                        corners ? first.data() : lower, corners ? last.data() : upper, channels, pixels,
                                        elementStrides, emu::TensorInterleave(interleave), emu::TensorSwizzle(swizzle),
                                        emu::TensorL2Promotion(promotion), emu::TensorFill(fillMode));
  if (error.empty())
    std::memcpy(map, bytes, sizeof bytes);
  return call.done(encoded(device, "cuTensorMapEncodeIm2col", error));
}
