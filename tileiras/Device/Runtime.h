//===- Runtime.h - The CUDA runtime on our driver ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// libcudart.so calls the driver API and nothing else of the device. What it adds: the primary context, made when it is
// first needed; kernels and variables by the addresses of their host stubs (programs register them before main); the
// last error of each thread. Runtime error codes that are not the driver's: docs of cudaError_t.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DEVICE_RUNTIME_H
#define TILEIRAS_DEVICE_RUNTIME_H

#include "tileiras/Device/DriverApi.h"

extern "C" {
using cudaError_t = int;
using cudaStream_t = CUstream;
using cudaEvent_t = CUevent;
using cudaKernel_t = CUkernel;

struct dim3 {
  unsigned x, y, z;
};
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
  void *srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  void *dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  int kind;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  CUlaunchAttribute *attrs;
  unsigned numAttrs;
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
      preferredShmemCarveout, clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth,
      clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed, reserved[16];
};
struct cudaPointerAttributes {
  int type, device;
  void *devicePointer, *hostPointer;
  long reserved[8];
};
struct cudaKernelNodeParams {
  void *func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void **kernelParams, **extra;
};
struct cudaMemsetParams {
  void *dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};
struct cudaChannelFormatDesc {
  int x, y, z, w, f;
};
}

namespace tileiras::device::runtime {

constexpr cudaError_t Success = 0, InvalidValue = 1, InvalidConfiguration = 9, InvalidSymbol = 13,
                      InvalidMemcpyDirection = 21, InvalidDeviceFunction = 98, InvalidDevice = 101;

/// What the driver wants for a copy of boxes.
cudaError_t driverCopy(const cudaMemcpy3DParms &p, CUDA_MEMCPY3D &c);
/// Bytes of an array's element.
size_t elementBytes(const CUDA_ARRAY3D_DESCRIPTOR &descriptor);
/// Remembers an error for cudaGetLastError, and returns it.
cudaError_t note(cudaError_t error);
/// The primary context is current in this thread; else the error.
cudaError_t ready();
/// The kernel of a host stub or a cudaKernel_t; null if there is none.
CUfunction kernelOf(const void *function, cudaError_t &error);
/// A kernel that is launched by its handle.
void rememberKernel(CUkernel kernel);
/// Address and size of a variable on the device.
cudaError_t variableOf(const void *symbol, CUdeviceptr &address, size_t &bytes);
inline CUdeviceptr addressOf(const void *p) { return reinterpret_cast<uintptr_t>(p); }

} // namespace tileiras::device::runtime

#define TILEIRAS_RUNTIME extern "C" __attribute__((visibility("default"))) cudaError_t
/// Begins a function that needs the device.
#define TILEIRAS_READY                                                                                                 \
  if (cudaError_t notReady = tileiras::device::runtime::ready())                                                       \
  return tileiras::device::runtime::note(notReady)
#define TILEIRAS_RETURN(...) return tileiras::device::runtime::note(cudaError_t(__VA_ARGS__))

#endif // TILEIRAS_DEVICE_RUNTIME_H
