//===- RuntimeDevice.cpp - Devices, streams, events -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Runtime.h"

#include <cstring>

using namespace tileiras::device::runtime;

extern "C" {
/// As of CUDA 13.
struct cudaDeviceProp {
  char name[256];
  CUuuid uuid;
  char luid[8];
  unsigned luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int multiProcessorCount, integrated, canMapHostMemory;
  int textures[39]; ///< sizes of textures and surfaces
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing,
      memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported,
      globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported,
      pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem,
      cooperativeLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor,
      accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported, timelineSemaphoreInteropSupported,
      memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers, deviceNumaConfig,
      deviceNumaId, mpsEnabled, hostNumaId;
  unsigned gpuPciDeviceID, gpuPciSubsystemID;
  int hostNumaMultinodeIpcSupported, reserved[56];
};
static_assert(sizeof(cudaDeviceProp) == 1008 && offsetof(cudaDeviceProp, surfaceAlignment) == 552 &&
              offsetof(cudaDeviceProp, sharedMemPerBlockOptin) == 672 && offsetof(cudaDeviceProp, reserved) == 784);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

TILEIRAS_RUNTIME cudaGetDeviceCount(int *count) {
  TILEIRAS_READY;
  if (!count)
    TILEIRAS_RETURN(InvalidValue);
  *count = 1;
  return Success;
}
TILEIRAS_RUNTIME cudaGetDevice(int *device) {
  TILEIRAS_READY;
  if (!device)
    TILEIRAS_RETURN(InvalidValue);
  *device = 0;
  return Success;
}
TILEIRAS_RUNTIME cudaSetDevice(int device) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(device ? InvalidDevice : Success);
}
TILEIRAS_RUNTIME cudaInitDevice(int device, unsigned, unsigned) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(device ? InvalidDevice : Success);
}
TILEIRAS_RUNTIME cudaSetValidDevices(int *, int) { return Success; }
TILEIRAS_RUNTIME cudaChooseDevice(int *device, const cudaDeviceProp *) {
  *device = 0;
  return Success;
}
TILEIRAS_RUNTIME cudaDeviceGetAttribute(int *value, int attribute, int device) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(cuDeviceGetAttribute(value, attribute, device));
}
TILEIRAS_RUNTIME cudaDeviceGetPCIBusId(char *text, int length, int device) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(cuDeviceGetPCIBusId(text, length, device));
}
TILEIRAS_RUNTIME cudaDeviceCanAccessPeer(int *can, int, int) {
  *can = 0;
  return Success;
}
TILEIRAS_RUNTIME cudaDriverGetVersion(int *version) {
  *version = 13000;
  return Success;
}
TILEIRAS_RUNTIME cudaRuntimeGetVersion(int *version) {
  *version = 13000;
  return Success;
}

TILEIRAS_RUNTIME cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
  TILEIRAS_READY;
  if (!p || device)
    TILEIRAS_RETURN(p ? InvalidDevice : InvalidValue);
  *p = cudaDeviceProp();
  cuDeviceGetName(p->name, sizeof p->name, 0);
  cuDeviceGetUuid(&p->uuid, 0);
  cuDeviceTotalMem_v2(&p->totalGlobalMem, 0);
  auto get = [](int attribute) {
    int value = 0;
    cuDeviceGetAttribute(&value, attribute, 0);
    return value;
  };
  struct Field {
    int *place, attribute;
  };
  const Field fields[] = {{&p->regsPerBlock, 12},
                          {&p->warpSize, 10},
                          {&p->maxThreadsPerBlock, 1},
                          {&p->maxThreadsDim[0], 2},
                          {&p->maxThreadsDim[1], 3},
                          {&p->maxThreadsDim[2], 4},
                          {&p->maxGridSize[0], 5},
                          {&p->maxGridSize[1], 6},
                          {&p->maxGridSize[2], 7},
                          {&p->major, 75},
                          {&p->minor, 76},
                          {&p->multiProcessorCount, 16},
                          {&p->canMapHostMemory, 19},
                          {&p->concurrentKernels, 31},
                          {&p->asyncEngineCount, 40},
                          {&p->unifiedAddressing, 41},
                          {&p->memoryBusWidth, 37},
                          {&p->l2CacheSize, 38},
                          {&p->maxThreadsPerMultiProcessor, 39},
                          {&p->streamPrioritiesSupported, 78},
                          {&p->globalL1CacheSupported, 79},
                          {&p->localL1CacheSupported, 80},
                          {&p->regsPerMultiprocessor, 82},
                          {&p->managedMemory, 83},
                          {&p->hostNativeAtomicSupported, 86},
                          {&p->pageableMemoryAccess, 88},
                          {&p->concurrentManagedAccess, 89},
                          {&p->computePreemptionSupported, 90},
                          {&p->canUseHostPointerForRegisteredMem, 91},
                          {&p->cooperativeLaunch, 95},
                          {&p->directManagedMemAccessFromHost, 101},
                          {&p->maxBlocksPerMultiProcessor, 106},
                          {&p->hostRegisterSupported, 99},
                          {&p->memoryPoolsSupported, 115},
                          {&p->clusterLaunch, 120},
                          {&p->unifiedFunctionPointers, 129},
                          {&p->deviceNumaId, 131},
                          {&p->hostNumaId, 134}};
  for (const Field &f : fields)
    *f.place = get(f.attribute);
  p->sharedMemPerBlock = size_t(get(8));
  p->memPitch = size_t(get(11));
  p->totalConstMem = size_t(get(9));
  p->textureAlignment = size_t(get(14));
  // One-dimensional and so on, in the order of the members.
  static constexpr int sizes[] = {21, 77, 22, 23, 73, 74, 70, 71, 72, 45, 46, 24, 25, 26, 47, 48, 49, 52, 42, 43,
                                  27, 28, 29, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68};
  static_assert(sizeof sizes == sizeof p->textures);
  for (int k = 0; k != 39; ++k)
    p->textures[k] = get(sizes[k]);
  p->texturePitchAlignment = size_t(get(51));
  p->surfaceAlignment = size_t(get(30));
  p->sharedMemPerMultiprocessor = size_t(get(81));
  p->sharedMemPerBlockOptin = size_t(get(97));
  p->reservedSharedMemPerBlock = size_t(get(111));
  return Success;
}

TILEIRAS_RUNTIME cudaDeviceSynchronize() {
  TILEIRAS_READY;
  TILEIRAS_RETURN(cuCtxSynchronize());
}
TILEIRAS_RUNTIME cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
TILEIRAS_RUNTIME cudaDeviceReset() {
  TILEIRAS_READY;
  cuCtxSynchronize();
  cuDevicePrimaryCtxReset_v2(0);
  return Success;
}
TILEIRAS_RUNTIME cudaSetDeviceFlags(unsigned flags) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(cuDevicePrimaryCtxSetFlags_v2(0, flags));
}
TILEIRAS_RUNTIME cudaGetDeviceFlags(unsigned *flags) {
  TILEIRAS_READY;
  int active = 0;
  TILEIRAS_RETURN(cuDevicePrimaryCtxGetState(0, flags, &active));
}
TILEIRAS_RUNTIME cudaDeviceGetLimit(size_t *value, int limit) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(cuCtxGetLimit(value, limit));
}
TILEIRAS_RUNTIME cudaDeviceSetLimit(int limit, size_t value) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(cuCtxSetLimit(limit, value));
}
TILEIRAS_RUNTIME cudaDeviceGetCacheConfig(int *config) {
  *config = 0;
  return Success;
}
TILEIRAS_RUNTIME cudaDeviceSetCacheConfig(int) { return Success; }
TILEIRAS_RUNTIME cudaCtxResetPersistingL2Cache() { return Success; }
TILEIRAS_RUNTIME cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(cuCtxGetStreamPriorityRange(least, greatest));
}
TILEIRAS_RUNTIME cudaProfilerStart() { return Success; }
TILEIRAS_RUNTIME cudaProfilerStop() { return Success; }

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

TILEIRAS_RUNTIME cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(cuStreamCreateWithPriority(stream, flags, priority));
}
TILEIRAS_RUNTIME cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
TILEIRAS_RUNTIME cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }

#define TILEIRAS_FORWARD(NAME, PARAMETERS, ...)                                                                        \
  TILEIRAS_RUNTIME NAME PARAMETERS {                                                                                   \
    TILEIRAS_READY;                                                                                                    \
    TILEIRAS_RETURN(__VA_ARGS__);                                                                                      \
  }
// clang-format off
TILEIRAS_FORWARD(cudaStreamDestroy, (cudaStream_t s), cuStreamDestroy_v2(s))
TILEIRAS_FORWARD(cudaStreamSynchronize, (cudaStream_t s), cuStreamSynchronize(s))
TILEIRAS_FORWARD(cudaStreamQuery, (cudaStream_t s), cuStreamQuery(s))
TILEIRAS_FORWARD(cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t e, unsigned flags), cuStreamWaitEvent(s, e, flags))
TILEIRAS_FORWARD(cudaStreamGetPriority, (cudaStream_t s, int *p), cuStreamGetPriority(s, p))
TILEIRAS_FORWARD(cudaStreamGetFlags, (cudaStream_t s, unsigned *f), cuStreamGetFlags(s, f))
TILEIRAS_FORWARD(cudaStreamGetId, (cudaStream_t s, unsigned long long *id), cuStreamGetId(s, id))
TILEIRAS_FORWARD(cudaStreamAddCallback, (cudaStream_t s, CUstreamCallback f, void *data, unsigned flags), cuStreamAddCallback(s, f, data, flags))
TILEIRAS_FORWARD(cudaLaunchHostFunc, (cudaStream_t s, CUhostFn f, void *data), cuLaunchHostFunc(s, f, data))
TILEIRAS_FORWARD(cudaEventCreateWithFlags, (cudaEvent_t *e, unsigned flags), cuEventCreate(e, flags))
TILEIRAS_FORWARD(cudaEventCreate, (cudaEvent_t *e), cuEventCreate(e, 0))
TILEIRAS_FORWARD(cudaEventDestroy, (cudaEvent_t e), cuEventDestroy_v2(e))
TILEIRAS_FORWARD(cudaEventRecord, (cudaEvent_t e, cudaStream_t s), cuEventRecord(e, s))
TILEIRAS_FORWARD(cudaEventRecordWithFlags, (cudaEvent_t e, cudaStream_t s, unsigned flags), cuEventRecordWithFlags(e, s, flags))
TILEIRAS_FORWARD(cudaEventQuery, (cudaEvent_t e), cuEventQuery(e))
TILEIRAS_FORWARD(cudaEventSynchronize, (cudaEvent_t e), cuEventSynchronize(e))
TILEIRAS_FORWARD(cudaEventElapsedTime, (float *ms, cudaEvent_t from, cudaEvent_t to), cuEventElapsedTime_v2(ms, from, to))
// clang-format on

//===----------------------------------------------------------------------===//
// The driver's functions
//===----------------------------------------------------------------------===//

/// `status`: 0 found, 1 no such symbol (cudaDriverEntryPointQueryResult).
TILEIRAS_RUNTIME cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version, uint64_t flags,
                                                  int *status) {
  TILEIRAS_READY;
  if (!symbol || !function)
    TILEIRAS_RETURN(InvalidValue);
  int found = 1;
  cuGetProcAddress_v2(symbol, function, int(version), flags, &found);
  if (status)
    *status = found;
  TILEIRAS_RETURN(found && !status ? 500 : Success); // cudaErrorSymbolNotFound
}
TILEIRAS_RUNTIME cudaGetDriverEntryPoint(const char *symbol, void **function, uint64_t flags, int *status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, 13000, flags, status);
}
TILEIRAS_RUNTIME cudaStreamGetDevice(cudaStream_t stream, int *device) {
  TILEIRAS_READY;
  if (!device)
    TILEIRAS_RETURN(InvalidValue);
  unsigned long long id = 0;
  *device = 0;
  TILEIRAS_RETURN(cuStreamGetId(stream, &id));
}
TILEIRAS_RUNTIME cudaDeviceGetByPCIBusId(int *device, const char *id) {
  TILEIRAS_READY;
  TILEIRAS_RETURN(device && id ? cuDeviceGetByPCIBusId(device, id) : CUDA_ERROR_INVALID_VALUE);
}
