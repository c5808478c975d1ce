//===- Runtime.cpp - Registration, errors, launches -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Runtime.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

using namespace tileiras::device::runtime;

namespace {

/// What the compiler puts into a program: registered before main, loaded when something of it is needed.
struct Binary {
  const void *image = nullptr;
  CUlibrary library = nullptr;
  cudaError_t error = Success;
};
struct Kernel {
  Binary *binary;
  std::string name;
  CUfunction function = nullptr;
};
struct Variable {
  Binary *binary;
  std::string name;
  size_t bytes;
  void **managed = nullptr; ///< the host's pointer to it
};

struct Registry {
  std::recursive_mutex mutex;
  std::unordered_map<const void *, Kernel> kernels;
  std::unordered_map<const void *, Variable> variables;
  std::unordered_map<const void *, CUfunction> functions; ///< cudaKernel_t handed out
};
Registry &registry() {
  static Registry *r = new Registry();
  return *r;
}

struct Configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;
thread_local cudaError_t lastError = Success;

cudaError_t load(Binary &binary) {
  if (binary.library || binary.error)
    return binary.error;
  binary.error = ready();
  if (!binary.error)
    binary.error = cuLibraryLoadData(&binary.library, binary.image, nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (binary.error)
    return binary.error;
  for (auto &[key, v] : registry().variables) {
    CUdeviceptr address = 0;
    size_t bytes = 0;
    // The host reaches managed variables through a pointer.
    if (v.binary == &binary && v.managed &&
        cuLibraryGetManaged(&address, &bytes, binary.library, v.name.c_str()) == CUDA_SUCCESS)
      *v.managed = reinterpret_cast<void *>(address);
  }
  return Success;
}

} // namespace

cudaError_t tileiras::device::runtime::note(cudaError_t error) {
  if (error != Success && error != 600) // cudaErrorNotReady
    lastError = error;
  return error;
}

cudaError_t tileiras::device::runtime::ready() {
  thread_local bool current = false;
  if (current)
    return Success;
  CUcontext context = nullptr;
  if (CUresult r = cuInit(0); r != CUDA_SUCCESS)
    return r;
  if (cuCtxGetCurrent(&context) != CUDA_SUCCESS || !context) {
    if (CUresult r = cuDevicePrimaryCtxRetain(&context, 0); r != CUDA_SUCCESS)
      return r;
    cuCtxSetCurrent(context);
  }
  current = true;
  return Success;
}

void tileiras::device::runtime::rememberKernel(CUkernel kernel) {
  std::lock_guard<std::recursive_mutex> lock(registry().mutex);
  registry().functions[kernel] = reinterpret_cast<CUfunction>(kernel);
}

CUfunction tileiras::device::runtime::kernelOf(const void *function, cudaError_t &error) {
  error = Success;
  std::lock_guard<std::recursive_mutex> lock(registry().mutex);
  auto found = registry().kernels.find(function);
  if (found == registry().kernels.end()) {
    auto handle = registry().functions.find(function);
    error = handle == registry().functions.end() ? InvalidDeviceFunction : Success;
    return handle == registry().functions.end() ? nullptr : handle->second;
  }
  Kernel &k = found->second;
  if (k.function)
    return k.function;
  error = load(*k.binary);
  CUkernel kernel = nullptr;
  if (!error && cuLibraryGetKernel(&kernel, k.binary->library, k.name.c_str()) != CUDA_SUCCESS)
    error = InvalidDeviceFunction;
  k.function = reinterpret_cast<CUfunction>(kernel);
  if (k.function)
    registry().functions[k.function] = k.function;
  return k.function;
}

cudaError_t tileiras::device::runtime::variableOf(const void *symbol, CUdeviceptr &address, size_t &bytes) {
  std::lock_guard<std::recursive_mutex> lock(registry().mutex);
  auto found = registry().variables.find(symbol);
  if (found == registry().variables.end())
    return InvalidSymbol;
  if (cudaError_t e = load(*found->second.binary))
    return e;
  if (cuLibraryGetGlobal(&address, &bytes, found->second.binary->library, found->second.name.c_str()) != CUDA_SUCCESS)
    return InvalidSymbol;
  return Success;
}

//===----------------------------------------------------------------------===//
// What the compiler calls
//===----------------------------------------------------------------------===//

#define TILEIRAS_HIDDEN_API extern "C" __attribute__((visibility("default")))

TILEIRAS_HIDDEN_API void **__cudaRegisterFatBinary(void *wrapper) {
  auto *binary = new Binary();
  binary->image = wrapper;
  return reinterpret_cast<void **>(binary);
}
TILEIRAS_HIDDEN_API void __cudaRegisterFatBinaryEnd(void **) {}
TILEIRAS_HIDDEN_API void __cudaUnregisterFatBinary(void **) {
  // At the end of the program: nothing is worth unloading any more.
}
TILEIRAS_HIDDEN_API char __cudaInitModule(void **handle) {
  std::lock_guard<std::recursive_mutex> lock(registry().mutex);
  return char(note(load(*reinterpret_cast<Binary *>(handle))) == Success);
}
TILEIRAS_HIDDEN_API void __cudaRegisterFunction(void **handle, const char *host, char *, const char *name, int, void *,
                                                void *, void *, void *, int *) {
  std::lock_guard<std::recursive_mutex> lock(registry().mutex);
  registry().kernels[host] = {reinterpret_cast<Binary *>(handle), name};
}
TILEIRAS_HIDDEN_API void __cudaRegisterVar(void **handle, char *host, char *, const char *name, int, size_t bytes, int,
                                           int) {
  std::lock_guard<std::recursive_mutex> lock(registry().mutex);
  registry().variables[host] = {reinterpret_cast<Binary *>(handle), name, bytes};
}
TILEIRAS_HIDDEN_API void __cudaRegisterManagedVar(void **handle, void **host, char *, const char *name, int,
                                                  size_t bytes, int, int) {
  std::lock_guard<std::recursive_mutex> lock(registry().mutex);
  registry().variables[host] = {reinterpret_cast<Binary *>(handle), name, bytes, host};
}
TILEIRAS_HIDDEN_API void __cudaRegisterTexture(void **, const void *, const void **, const char *name, int, int, int) {
  std::fprintf(stderr, "tileiras: texture reference '%s': only texture objects are supported\n", name);
}
TILEIRAS_HIDDEN_API void __cudaRegisterSurface(void **, const void *, const void **, const char *name, int, int) {
  std::fprintf(stderr, "tileiras: surface reference '%s': only surface objects are supported\n", name);
}

TILEIRAS_HIDDEN_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
TILEIRAS_HIDDEN_API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (configurations.empty())
    return note(InvalidConfiguration);
  Configuration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  std::memcpy(stream, &c.stream, sizeof c.stream);
  return Success;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

namespace {
/// Codes of the runtime that the driver does not have, or names otherwise.
struct ErrorRow {
  int code;
  const char *name, *text;
};
constexpr ErrorRow errors[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {3, "cudaErrorInitializationError", "initialization error"},
    {4, "cudaErrorCudartUnloading", "driver shutting down"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {200, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    {201, "cudaErrorDeviceUninitialized", "invalid device context"},
    {209, "cudaErrorNoKernelImageForDevice", "no kernel image is available for execution on the device"},
    {215, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"},
    {217, "cudaErrorPeerAccessUnsupported", "peer access is not supported between these two devices"},
    {218, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    {301, "cudaErrorFileNotFound", "file not found"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {401, "cudaErrorIllegalState", "the operation cannot be performed in the present state"},
    {500, "cudaErrorSymbolNotFound", "named symbol not found"},
    {600, "cudaErrorNotReady", "device not ready"},
    {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {710, "cudaErrorAssert", "device-side assert triggered"},
    {712, "cudaErrorHostMemoryAlreadyRegistered", "part or all of the requested memory range is already mapped"},
    {713, "cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
    {715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    {716, "cudaErrorMisalignedAddress", "misaligned address"},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {801, "cudaErrorNotSupported", "operation not supported"},
    {900, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
    {901, "cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture"},
    {904, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    {910, "cudaErrorGraphExecUpdateFailure", "the graph update was not performed"},
    {912, "cudaErrorInvalidClusterSize", "cluster configuration is invalid"},
    {999, "cudaErrorUnknown", "unknown error"}};
} // namespace

TILEIRAS_HIDDEN_API const char *cudaGetErrorName(cudaError_t error) {
  for (const ErrorRow &r : errors)
    if (r.code == error)
      return r.name;
  const char *text = nullptr;
  return cuGetErrorName(CUresult(error), &text) == CUDA_SUCCESS ? text : "unrecognized error code";
}
TILEIRAS_HIDDEN_API const char *cudaGetErrorString(cudaError_t error) {
  for (const ErrorRow &r : errors)
    if (r.code == error)
      return r.text;
  const char *text = nullptr;
  return cuGetErrorString(CUresult(error), &text) == CUDA_SUCCESS ? text : "unrecognized error code";
}
/// A fault stays until the context is reset: cuStreamQuery brings it up.
TILEIRAS_RUNTIME cudaPeekAtLastError() { return lastError; }
TILEIRAS_RUNTIME cudaGetLastError() {
  cudaError_t e = lastError;
  lastError = Success;
  return e;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static cudaError_t launch(const void *function, const cudaLaunchConfig_t &c, void **arguments) {
  cudaError_t error = ready();
  CUfunction kernel = error ? nullptr : kernelOf(function, error);
  if (!kernel)
    return note(error);
  if (!c.gridDim.x || !c.gridDim.y || !c.gridDim.z || !c.blockDim.x || !c.blockDim.y || !c.blockDim.z ||
      uint64_t(c.blockDim.x) * c.blockDim.y * c.blockDim.z > 1024)
    return note(InvalidConfiguration);
  const CUlaunchConfig config = {
      c.gridDim.x, c.gridDim.y, c.gridDim.z, c.blockDim.x, c.blockDim.y, c.blockDim.z, unsigned(c.dynamicSmemBytes),
      c.stream,    c.attrs,     c.numAttrs};
  return note(cuLaunchKernelEx(&config, kernel, arguments, nullptr));
}

TILEIRAS_RUNTIME cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                                  cudaStream_t stream) {
  return launch(function, {grid, block, shared, stream, nullptr, 0}, arguments);
}
TILEIRAS_RUNTIME cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments) {
  return config ? launch(function, *config, arguments) : note(InvalidValue);
}
TILEIRAS_RUNTIME cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                             size_t shared, cudaStream_t stream) {
  CUlaunchAttribute attribute = {};
  attribute.id = 2;
  attribute.value.cooperative = 1;
  return launch(function, {grid, block, shared, stream, &attribute, 1}, arguments);
}
TILEIRAS_HIDDEN_API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                                   size_t shared, cudaStream_t stream) {
  return launch(kernel, {grid, block, shared, stream, nullptr, 0}, arguments);
}
TILEIRAS_HIDDEN_API cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  cudaError_t error;
  CUfunction f = kernelOf(function, error);
  *kernel = reinterpret_cast<cudaKernel_t>(f);
  return note(error);
}
TILEIRAS_RUNTIME cudaGetKernel(cudaKernel_t *kernel, const void *function) { return __cudaGetKernel(kernel, function); }
TILEIRAS_RUNTIME cudaGetFuncBySymbol(CUfunction *result, const void *function) {
  cudaError_t error;
  *result = kernelOf(function, error);
  return note(error);
}

//===----------------------------------------------------------------------===//
// Functions and occupancy
//===----------------------------------------------------------------------===//

TILEIRAS_RUNTIME cudaFuncGetAttributes(cudaFuncAttributes *a, const void *function) {
  TILEIRAS_READY;
  cudaError_t error;
  CUfunction f = kernelOf(function, error);
  if (!f || !a)
    TILEIRAS_RETURN(f ? InvalidValue : error);
  auto get = [&](int number) {
    int value = 0;
    cuFuncGetAttribute(&value, number, f);
    return value;
  };
  *a = cudaFuncAttributes();
  a->maxThreadsPerBlock = get(0);
  a->sharedSizeBytes = size_t(get(1));
  a->constSizeBytes = size_t(get(2));
  a->localSizeBytes = size_t(get(3));
  int *fields[] = {&a->numRegs,
                   &a->ptxVersion,
                   &a->binaryVersion,
                   &a->cacheModeCA,
                   &a->maxDynamicSharedSizeBytes,
                   &a->preferredShmemCarveout,
                   &a->clusterDimMustBeSet,
                   &a->requiredClusterWidth,
                   &a->requiredClusterHeight,
                   &a->requiredClusterDepth};
  for (int k = 0; k != 10; ++k)
    *fields[k] = get(4 + k);
  a->nonPortableClusterSizeAllowed = get(14);
  a->clusterSchedulingPolicyPreference = get(15);
  return Success;
}
TILEIRAS_RUNTIME cudaFuncSetAttribute(const void *function, int attribute, int value) {
  TILEIRAS_READY;
  cudaError_t error;
  CUfunction f = kernelOf(function, error);
  TILEIRAS_RETURN(f ? cudaError_t(cuFuncSetAttribute(f, attribute, value)) : error);
}
TILEIRAS_RUNTIME cudaFuncSetCacheConfig(const void *, int) { return Success; }
TILEIRAS_RUNTIME cudaFuncGetName(const char **name, const void *function) {
  cudaError_t error;
  CUfunction f = kernelOf(function, error);
  TILEIRAS_RETURN(f ? cudaError_t(cuFuncGetName(name, f)) : error);
}
TILEIRAS_RUNTIME cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *size) {
  cudaError_t error;
  CUfunction f = kernelOf(function, error);
  TILEIRAS_RETURN(f ? cudaError_t(cuFuncGetParamInfo(f, index, offset, size)) : error);
}
TILEIRAS_RUNTIME cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                               size_t shared) {
  TILEIRAS_READY;
  cudaError_t error;
  CUfunction f = kernelOf(function, error);
  TILEIRAS_RETURN(f ? cudaError_t(cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, threads, shared)) : error);
}
TILEIRAS_RUNTIME cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
                                                                        size_t shared, unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}
TILEIRAS_RUNTIME cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
                                                           int threads) {
  TILEIRAS_READY;
  cudaError_t error;
  CUfunction f = kernelOf(function, error);
  TILEIRAS_RETURN(f ? cudaError_t(cuOccupancyAvailableDynamicSMemPerBlock(bytes, f, blocks, threads)) : error);
}
TILEIRAS_RUNTIME cudaOccupancyMaxActiveClusters(int *clusters, const void *function, const cudaLaunchConfig_t *c) {
  TILEIRAS_READY;
  cudaError_t error;
  CUfunction f = kernelOf(function, error);
  if (!f || !c)
    TILEIRAS_RETURN(f ? InvalidValue : error);
  const CUlaunchConfig config = {c->gridDim.x,
                                 c->gridDim.y,
                                 c->gridDim.z,
                                 c->blockDim.x,
                                 c->blockDim.y,
                                 c->blockDim.z,
                                 unsigned(c->dynamicSmemBytes),
                                 c->stream,
                                 c->attrs,
                                 c->numAttrs};
  TILEIRAS_RETURN(cuOccupancyMaxActiveClusters(clusters, f, &config));
}
TILEIRAS_RUNTIME cudaOccupancyMaxPotentialClusterSize(int *size, const void *function, const cudaLaunchConfig_t *) {
  TILEIRAS_READY;
  cudaError_t error;
  CUfunction f = kernelOf(function, error);
  TILEIRAS_RETURN(f ? cudaError_t(cuOccupancyMaxPotentialClusterSize(size, f, nullptr)) : error);
}
