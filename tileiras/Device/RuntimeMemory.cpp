//===- RuntimeMemory.cpp - Memory of the runtime API ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Runtime.h"

using namespace tileiras::device::runtime;

#define TILEIRAS_FORWARD(NAME, PARAMETERS, ...)                                                                        \
  TILEIRAS_RUNTIME NAME PARAMETERS {                                                                                   \
    TILEIRAS_READY;                                                                                                    \
    TILEIRAS_RETURN(__VA_ARGS__);                                                                                      \
  }

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

TILEIRAS_RUNTIME cudaMalloc(void **pointer, size_t bytes) {
  TILEIRAS_READY;
  CUdeviceptr address = 0;
  if (!pointer)
    TILEIRAS_RETURN(InvalidValue);
  *pointer = nullptr;
  if (!bytes) // no error, unlike in the driver API
    return Success;
  CUresult r = cuMemAlloc_v2(&address, bytes);
  *pointer = reinterpret_cast<void *>(address);
  TILEIRAS_RETURN(r);
}
TILEIRAS_RUNTIME cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  TILEIRAS_READY;
  CUdeviceptr address = 0;
  CUresult r = cuMemAllocPitch_v2(&address, pitch, width, height, 4);
  *pointer = reinterpret_cast<void *>(address);
  TILEIRAS_RETURN(r);
}
TILEIRAS_RUNTIME cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent) {
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}
TILEIRAS_RUNTIME cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  TILEIRAS_READY;
  CUdeviceptr address = 0;
  CUresult r = cuMemAllocManaged(&address, bytes, flags);
  *pointer = reinterpret_cast<void *>(address);
  TILEIRAS_RETURN(r);
}
TILEIRAS_RUNTIME cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  TILEIRAS_READY;
  CUdeviceptr address = 0;
  CUresult r = cuMemAllocAsync(&address, bytes, stream);
  *pointer = reinterpret_cast<void *>(address);
  TILEIRAS_RETURN(r);
}
TILEIRAS_RUNTIME cudaMallocFromPoolAsync(void **pointer, size_t bytes, CUmemoryPool, cudaStream_t stream) {
  return cudaMallocAsync(pointer, bytes, stream);
}
// clang-format off
TILEIRAS_FORWARD(cudaFree, (void *p), cuMemFree_v2(addressOf(p)))
TILEIRAS_FORWARD(cudaFreeAsync, (void *p, cudaStream_t s), cuMemFreeAsync(addressOf(p), s))
TILEIRAS_FORWARD(cudaMallocHost, (void **p, size_t bytes), cuMemHostAlloc(p, bytes, 0))
TILEIRAS_FORWARD(cudaHostAlloc, (void **p, size_t bytes, unsigned flags), cuMemHostAlloc(p, bytes, flags))
TILEIRAS_FORWARD(cudaFreeHost, (void *p), p ? cuMemFreeHost(p) : CUDA_SUCCESS)
TILEIRAS_FORWARD(cudaHostRegister, (void *p, size_t bytes, unsigned flags), cuMemHostRegister_v2(p, bytes, flags))
TILEIRAS_FORWARD(cudaHostUnregister, (void *p), cuMemHostUnregister(p))
TILEIRAS_FORWARD(cudaHostGetFlags, (unsigned *flags, void *p), cuMemHostGetFlags(flags, p))
TILEIRAS_FORWARD(cudaHostGetDevicePointer, (void **d, void *p, unsigned flags), cuMemHostGetDevicePointer_v2(reinterpret_cast<CUdeviceptr *>(d), p, flags))
TILEIRAS_FORWARD(cudaMemGetInfo, (size_t *left, size_t *total), cuMemGetInfo_v2(left, total))
TILEIRAS_FORWARD(cudaDeviceGetDefaultMemPool, (CUmemoryPool *pool, int device), cuDeviceGetDefaultMemPool(pool, device))
TILEIRAS_FORWARD(cudaDeviceGetMemPool, (CUmemoryPool *pool, int device), cuDeviceGetDefaultMemPool(pool, device))
TILEIRAS_FORWARD(cudaDeviceSetMemPool, (int, CUmemoryPool), Success)
TILEIRAS_FORWARD(cudaMemPoolCreate, (CUmemoryPool *pool, const CUmemPoolProps *p), cuMemPoolCreate(pool, p))
TILEIRAS_FORWARD(cudaMemPoolDestroy, (CUmemoryPool pool), cuMemPoolDestroy(pool))
TILEIRAS_FORWARD(cudaMemPoolTrimTo, (CUmemoryPool pool, size_t bytes), cuMemPoolTrimTo(pool, bytes))
TILEIRAS_FORWARD(cudaMemPoolSetAttribute, (CUmemoryPool pool, int a, void *value), cuMemPoolSetAttribute(pool, a, value))
TILEIRAS_FORWARD(cudaMemPoolGetAttribute, (CUmemoryPool pool, int a, void *value), cuMemPoolGetAttribute(pool, a, value))
// Managed memory is where it is.
TILEIRAS_FORWARD(cudaMemPrefetchAsync, (const void *, size_t, CUmemLocation, unsigned, cudaStream_t), Success)
TILEIRAS_FORWARD(cudaMemAdvise, (const void *, size_t, int, CUmemLocation), Success)
TILEIRAS_FORWARD(cudaStreamAttachMemAsync, (cudaStream_t, void *, size_t, unsigned), Success)
// clang-format on

TILEIRAS_RUNTIME cudaPointerGetAttributes(cudaPointerAttributes *a, const void *pointer) {
  TILEIRAS_READY;
  if (!a)
    TILEIRAS_RETURN(InvalidValue);
  *a = cudaPointerAttributes();
  unsigned type = 0;
  int managed = 0;
  if (cuPointerGetAttribute(&type, 2, addressOf(pointer)) != CUDA_SUCCESS) {
    a->device = -2;
    a->hostPointer = const_cast<void *>(pointer);
    return Success; // unregistered host memory
  }
  cuPointerGetAttribute(&managed, 8, addressOf(pointer));
  a->type = managed ? 3 : type == CU_MEMORYTYPE_HOST ? 1 : 2;
  cuPointerGetAttribute(&a->devicePointer, 3, addressOf(pointer));
  cuPointerGetAttribute(&a->hostPointer, 4, addressOf(pointer));
  return Success;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {
enum Direction { HostToHost, HostToDevice, DeviceToHost, DeviceToDevice, Default };

bool isDevice(CUdeviceptr address) {
  unsigned type = 0;
  return cuPointerGetAttribute(&type, 2, address) == CUDA_SUCCESS;
}

/// The direction must fit what the pointers are.
cudaError_t check(CUdeviceptr to, CUdeviceptr from, int kind) {
  if (kind < 0 || kind > Default)
    return InvalidMemcpyDirection;
  if ((kind == HostToDevice || kind == DeviceToDevice) && !isDevice(to))
    return InvalidValue;
  if ((kind == DeviceToHost || kind == DeviceToDevice) && !isDevice(from))
    return InvalidValue;
  return Success;
}

cudaError_t copy(CUdeviceptr to, CUdeviceptr from, size_t bytes, int kind, bool waits, cudaStream_t stream = nullptr) {
  if (cudaError_t e = ready())
    return note(e);
  if (!bytes)
    return Success;
  if (cudaError_t e = check(to, from, kind)) {
    // The driver says why the device's address is none.
    CUresult r = cuMemcpy(to, from, bytes);
    return note(r == CUDA_SUCCESS ? e : cudaError_t(r));
  }
  return note(waits ? cuMemcpy(to, from, bytes) : cuMemcpyAsync(to, from, bytes, stream));
}

cudaError_t copyBox(CUDA_MEMCPY3D c, int kind, bool waits, cudaStream_t stream) {
  if (cudaError_t e = ready())
    return note(e);
  c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  if (c.WidthInBytes > c.srcPitch || c.WidthInBytes > c.dstPitch)
    return note(12); // cudaErrorInvalidPitchValue
  if (cudaError_t e = check(c.dstDevice, c.srcDevice, kind))
    return note(e);
  return note(waits ? cuMemcpy3D_v2(&c) : cuMemcpy3DAsync_v2(&c, stream));
}

CUDA_MEMCPY3D flat(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height) {
  CUDA_MEMCPY3D c = {};
  c.dstDevice = addressOf(to);
  c.dstPitch = toPitch;
  c.srcDevice = addressOf(from);
  c.srcPitch = fromPitch;
  c.WidthInBytes = width;
  c.Height = height;
  c.Depth = 1;
  return c;
}

/// A rectangle between memory and an array, or two arrays; places in bytes and rows.
cudaError_t copyRectangle(CUDA_MEMCPY3D c, size_t width, size_t height, bool waits, cudaStream_t stream) {
  if (cudaError_t e = ready())
    return note(e);
  c.srcMemoryType = c.srcArray ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED;
  c.dstMemoryType = c.dstArray ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED;
  c.WidthInBytes = width;
  c.Height = height;
  c.Depth = 1;
  return note(waits ? cuMemcpy3D_v2(&c) : cuMemcpy3DAsync_v2(&c, stream));
}
CUDA_MEMCPY3D intoArray(CUarray to, size_t x, size_t y) {
  CUDA_MEMCPY3D c = {};
  c.dstArray = to;
  c.dstXInBytes = x;
  c.dstY = y;
  return c;
}
CUDA_MEMCPY3D outOfArray(CUarray from, size_t x, size_t y, CUDA_MEMCPY3D c = {}) {
  c.srcArray = from;
  c.srcXInBytes = x;
  c.srcY = y;
  return c;
}

cudaError_t copySolid(const cudaMemcpy3DParms *p, bool waits, cudaStream_t stream) {
  if (cudaError_t e = ready())
    return note(e);
  CUDA_MEMCPY3D c;
  if (cudaError_t e = p ? driverCopy(*p, c) : InvalidValue)
    return note(e);
  if (!p->srcArray && !p->dstArray)
    return copyBox(c, p->kind, waits, stream);
  return note(waits ? cuMemcpy3D_v2(&c) : cuMemcpy3DAsync_v2(&c, stream));
}
} // namespace

/// With an array, extents and places in arrays count elements; without, everything is bytes.
cudaError_t tileiras::device::runtime::driverCopy(const cudaMemcpy3DParms &p, CUDA_MEMCPY3D &c) {
  const CUarray source = static_cast<CUarray>(p.srcArray), destination = static_cast<CUarray>(p.dstArray);
  size_t size = 1;
  if (source || destination) {
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    if (cuArray3DGetDescriptor_v2(&descriptor, source ? source : destination) != CUDA_SUCCESS)
      return 400; // cudaErrorInvalidResourceHandle
    size = elementBytes(descriptor);
  }
  c = {};
  c.srcMemoryType = source ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED;
  c.srcArray = source;
  c.srcXInBytes = p.srcPos.x * (source ? size : 1);
  c.srcY = p.srcPos.y;
  c.srcZ = p.srcPos.z;
  c.srcDevice = addressOf(p.srcPtr.ptr);
  c.srcPitch = p.srcPtr.pitch;
  c.srcHeight = p.srcPtr.ysize;
  c.dstMemoryType = destination ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED;
  c.dstArray = destination;
  c.dstXInBytes = p.dstPos.x * (destination ? size : 1);
  c.dstY = p.dstPos.y;
  c.dstZ = p.dstPos.z;
  c.dstDevice = addressOf(p.dstPtr.ptr);
  c.dstPitch = p.dstPtr.pitch;
  c.dstHeight = p.dstPtr.ysize;
  c.WidthInBytes = p.extent.width * size;
  c.Height = source || destination ? (p.extent.height ? p.extent.height : 1) : p.extent.height;
  c.Depth = source || destination ? (p.extent.depth ? p.extent.depth : 1) : p.extent.depth;
  return Success;
}

TILEIRAS_RUNTIME cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
  return copy(addressOf(to), addressOf(from), bytes, kind, true);
}
TILEIRAS_RUNTIME cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, cudaStream_t stream) {
  return copy(addressOf(to), addressOf(from), bytes, kind, false, stream);
}
TILEIRAS_RUNTIME cudaMemcpyPeer(void *to, int, const void *from, int, size_t bytes) {
  return copy(addressOf(to), addressOf(from), bytes, DeviceToDevice, true);
}
TILEIRAS_RUNTIME cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes, cudaStream_t stream) {
  return copy(addressOf(to), addressOf(from), bytes, DeviceToDevice, false, stream);
}
TILEIRAS_RUNTIME cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                              int kind) {
  return copyBox(flat(to, toPitch, from, fromPitch, width, height), kind, true, nullptr);
}
TILEIRAS_RUNTIME cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                   size_t height, int kind, cudaStream_t stream) {
  return copyBox(flat(to, toPitch, from, fromPitch, width, height), kind, false, stream);
}
TILEIRAS_RUNTIME cudaMemcpy3D(const cudaMemcpy3DParms *p) { return copySolid(p, true, nullptr); }
TILEIRAS_RUNTIME cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream) {
  return copySolid(p, false, stream);
}

//===----------------------------------------------------------------------===//
// Copies of arrays
//===----------------------------------------------------------------------===//

static cudaError_t toArray(CUarray to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
                           bool waits, cudaStream_t stream) {
  CUDA_MEMCPY3D c = intoArray(to, x, y);
  c.srcDevice = addressOf(from);
  c.srcPitch = pitch;
  return copyRectangle(c, width, height, waits, stream);
}
static cudaError_t fromArray(void *to, size_t pitch, CUarray from, size_t x, size_t y, size_t width, size_t height,
                             bool waits, cudaStream_t stream) {
  CUDA_MEMCPY3D c = outOfArray(from, x, y);
  c.dstDevice = addressOf(to);
  c.dstPitch = pitch;
  return copyRectangle(c, width, height, waits, stream);
}
TILEIRAS_RUNTIME cudaMemcpy2DToArray(CUarray to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, int) {
  return toArray(to, x, y, from, pitch, width, height, true, nullptr);
}
TILEIRAS_RUNTIME cudaMemcpy2DToArrayAsync(CUarray to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                          size_t height, int, cudaStream_t stream) {
  return toArray(to, x, y, from, pitch, width, height, false, stream);
}
TILEIRAS_RUNTIME cudaMemcpy2DFromArray(void *to, size_t pitch, CUarray from, size_t x, size_t y, size_t width,
                                       size_t height, int) {
  return fromArray(to, pitch, from, x, y, width, height, true, nullptr);
}
TILEIRAS_RUNTIME cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, CUarray from, size_t x, size_t y, size_t width,
                                            size_t height, int, cudaStream_t stream) {
  return fromArray(to, pitch, from, x, y, width, height, false, stream);
}
TILEIRAS_RUNTIME cudaMemcpy2DArrayToArray(CUarray to, size_t x, size_t y, CUarray from, size_t fromX, size_t fromY,
                                          size_t width, size_t height, int) {
  return copyRectangle(outOfArray(from, fromX, fromY, intoArray(to, x, y)), width, height, true, nullptr);
}

/// Places that the old functions give as x in bytes and a row, as bytes from the array's beginning.
static cudaError_t byteOf(CUarray array, size_t x, size_t y, size_t &offset) {
  if (cudaError_t e = ready())
    return e;
  CUDA_ARRAY3D_DESCRIPTOR descriptor;
  if (CUresult r = cuArray3DGetDescriptor_v2(&descriptor, array); r != CUDA_SUCCESS)
    return r;
  offset = y * descriptor.Width * elementBytes(descriptor) + x;
  return Success;
}
TILEIRAS_RUNTIME cudaMemcpyToArrayAsync(CUarray to, size_t x, size_t y, const void *from, size_t bytes, int,
                                        cudaStream_t stream) {
  size_t offset = 0;
  if (cudaError_t e = byteOf(to, x, y, offset))
    return note(e);
  return note(cuMemcpyHtoAAsync_v2(to, offset, from, bytes, stream));
}
TILEIRAS_RUNTIME cudaMemcpyToArray(CUarray to, size_t x, size_t y, const void *from, size_t bytes, int kind) {
  cudaError_t e = cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, nullptr);
  return e ? e : note(cuStreamSynchronize(nullptr));
}
TILEIRAS_RUNTIME cudaMemcpyFromArrayAsync(void *to, CUarray from, size_t x, size_t y, size_t bytes, int,
                                          cudaStream_t stream) {
  size_t offset = 0;
  if (cudaError_t e = byteOf(from, x, y, offset))
    return note(e);
  return note(cuMemcpyAtoHAsync_v2(to, from, offset, bytes, stream));
}
TILEIRAS_RUNTIME cudaMemcpyFromArray(void *to, CUarray from, size_t x, size_t y, size_t bytes, int kind) {
  cudaError_t e = cudaMemcpyFromArrayAsync(to, from, x, y, bytes, kind, nullptr);
  return e ? e : note(cuStreamSynchronize(nullptr));
}
TILEIRAS_RUNTIME cudaMemcpyArrayToArray(CUarray to, size_t x, size_t y, CUarray from, size_t fromX, size_t fromY,
                                        size_t bytes, int) {
  size_t offset = 0, fromOffset = 0;
  cudaError_t e = byteOf(to, x, y, offset);
  if (!e)
    e = byteOf(from, fromX, fromY, fromOffset);
  return note(e ? e : cudaError_t(cuMemcpyAtoA_v2(to, offset, from, fromOffset, bytes)));
}

//===----------------------------------------------------------------------===//
// Filling
//===----------------------------------------------------------------------===//

TILEIRAS_RUNTIME cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(cuMemsetD8Async(addressOf(to), static_cast<unsigned char>(value), bytes, stream));
}
TILEIRAS_RUNTIME cudaMemset(void *to, int value, size_t bytes) { return cudaMemsetAsync(to, value, bytes, nullptr); }
TILEIRAS_RUNTIME cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                   cudaStream_t stream) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(cuMemsetD2D8Async(addressOf(to), pitch, static_cast<unsigned char>(value), width, height, stream));
}
TILEIRAS_RUNTIME cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset2DAsync(to, pitch, value, width, height, nullptr);
}
TILEIRAS_RUNTIME cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent extent, cudaStream_t stream) {
  for (size_t z = 0; z != extent.depth; ++z)
    if (cudaError_t e = cudaMemset2DAsync(static_cast<char *>(p.ptr) + z * p.pitch * p.ysize, p.pitch, value,
                                          extent.width, extent.height, stream))
      return e;
  return Success;
}
TILEIRAS_RUNTIME cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent extent) {
  return cudaMemset3DAsync(p, value, extent, nullptr);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static cudaError_t copySymbol(const void *symbol, void *host, const void *from, size_t bytes, size_t offset, int kind,
                              bool waits, cudaStream_t stream) {
  CUdeviceptr address = 0;
  size_t size = 0;
  if (cudaError_t e = variableOf(symbol, address, size))
    return note(e);
  if (offset > size || bytes > size - offset)
    return note(InvalidValue);
  return host ? copy(addressOf(host), address + offset, bytes, kind, waits, stream)
              : copy(address + offset, addressOf(from), bytes, kind, waits, stream);
}
TILEIRAS_RUNTIME cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind) {
  return copySymbol(symbol, nullptr, from, bytes, offset, kind, true, nullptr);
}
TILEIRAS_RUNTIME cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset, int kind,
                                         cudaStream_t stream) {
  return copySymbol(symbol, nullptr, from, bytes, offset, kind, false, stream);
}
TILEIRAS_RUNTIME cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind) {
  return copySymbol(symbol, to, nullptr, bytes, offset, kind, true, nullptr);
}
TILEIRAS_RUNTIME cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, int kind,
                                           cudaStream_t stream) {
  return copySymbol(symbol, to, nullptr, bytes, offset, kind, false, stream);
}
TILEIRAS_RUNTIME cudaGetSymbolAddress(void **pointer, const void *symbol) {
  CUdeviceptr address = 0;
  size_t size = 0;
  cudaError_t e = variableOf(symbol, address, size);
  if (!e)
    *pointer = reinterpret_cast<void *>(address);
  return note(e);
}
TILEIRAS_RUNTIME cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  CUdeviceptr address = 0;
  size_t size = 0;
  cudaError_t e = variableOf(symbol, address, size);
  if (!e)
    *bytes = size;
  return note(e);
}
