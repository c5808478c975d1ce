//===- DriverModule.cpp - Modules, libraries, kernels -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Device.h"
#include "tileiras/Device/Image.h"
#include "tileiras/Device/Options.h"
#include "tileiras/Device/PtxMerge.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace tileiras::device;

static Function *functionOf(const void *handle) { return static_cast<Function *>(const_cast<void *>(handle)); }
static bool isFunction(Device &device, const void *handle) {
  return device.functions.count(const_cast<void *>(handle));
}
static Module *moduleOf(Device &device, const void *handle) {
  auto found = device.modules.find(const_cast<void *>(handle));
  return found == device.modules.end() ? nullptr : found->second.get();
}

static CUresult load(Device &device, void **handle, const void *image) {
  if (!handle || !image)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult error;
  Module *module = device.load(image, 0, error);
  if (module)
    *handle = module;
  return error;
}

static bool readFile(const char *name, std::vector<char> &bytes) {
  FILE *file = std::fopen(name, "rb");
  if (!file)
    return false;
  char buffer[4096];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, file))
    bytes.insert(bytes.end(), buffer, buffer + n);
  std::fclose(file);
  bytes.push_back(0);
  return true;
}

static CUresult loadFile(Device &device, void **handle, const char *name) {
  std::vector<char> bytes;
  if (!handle || !name)
    return CUDA_ERROR_INVALID_VALUE;
  if (!readFile(name, bytes))
    return CUDA_ERROR_FILE_NOT_FOUND;
  return load(device, handle, bytes.data());
}

template <typename T> static void **out(T *handle) { return reinterpret_cast<void **>(handle); }

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

TILEIRAS_API cuModuleLoadData(CUmodule *module, const void *image) {
  TILEIRAS_CALL();
  return call.done(load(device, out(module), image));
}
TILEIRAS_API cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned, int *, void **) {
  TILEIRAS_CALL(); // options steer ptxas
  return call.done(load(device, out(module), image));
}
TILEIRAS_API cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  TILEIRAS_CALL();
  return call.done(load(device, out(module), image));
}
TILEIRAS_API cuModuleLoad(CUmodule *module, const char *name) {
  TILEIRAS_CALL();
  return call.done(loadFile(device, out(module), name));
}

TILEIRAS_API cuModuleUnload(CUmodule handle) {
  TILEIRAS_CALL(Call::Init);
  Module *module = moduleOf(device, handle);
  if (!module)
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  device.unload(module);
  return CUDA_SUCCESS;
}

TILEIRAS_API cuModuleGetLoadingMode(int *mode) {
  TILEIRAS_CALL(Call::Nothing);
  if (!mode)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *mode = 1; // CU_MODULE_EAGER_LOADING
  return CUDA_SUCCESS;
}

static CUresult find(Device &device, void **function, const void *handle, const char *name) {
  Module *module = moduleOf(device, handle);
  if (!module)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!function || !name)
    return CUDA_ERROR_INVALID_VALUE;
  Function *f = module->find(name);
  if (!f)
    return CUDA_ERROR_NOT_FOUND;
  *function = f;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  TILEIRAS_CALL();
  return call.done(find(device, out(function), module, name));
}
TILEIRAS_API cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  TILEIRAS_CALL();
  return call.done(find(device, out(kernel), library, name));
}

static CUresult count(Device &device, unsigned *number, const void *handle) {
  Module *module = moduleOf(device, handle);
  if (!module)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!number)
    return CUDA_ERROR_INVALID_VALUE;
  *number = unsigned(module->functions.size());
  return CUDA_SUCCESS;
}
TILEIRAS_API cuModuleGetFunctionCount(unsigned *number, CUmodule module) {
  TILEIRAS_CALL();
  return call.done(count(device, number, module));
}
TILEIRAS_API cuLibraryGetKernelCount(unsigned *number, CUlibrary library) {
  TILEIRAS_CALL();
  return call.done(count(device, number, library));
}

static CUresult enumerate(Device &device, void **list, unsigned number, const void *handle) {
  Module *module = moduleOf(device, handle);
  if (!module)
    return CUDA_ERROR_INVALID_HANDLE;
  for (unsigned k = 0; list && k != number && k != module->functions.size(); ++k)
    list[k] = module->functions[k].get();
  return list ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
TILEIRAS_API cuModuleEnumerateFunctions(CUfunction *list, unsigned number, CUmodule module) {
  TILEIRAS_CALL();
  return call.done(enumerate(device, out(list), number, module));
}
TILEIRAS_API cuLibraryEnumerateKernels(CUkernel *list, unsigned number, CUlibrary library) {
  TILEIRAS_CALL();
  return call.done(enumerate(device, out(list), number, library));
}

static CUresult global(Device &device, CUdeviceptr *address, size_t *bytes, const void *handle, const char *name) {
  Module *module = moduleOf(device, handle);
  if (!module)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  uint64_t found = device.memory.symbolAddress(*module->code, name);
  if (auto constant = module->constants.find(name); constant != module->constants.end())
    found = constant->second;
  if (!found)
    return CUDA_ERROR_NOT_FOUND;
  if (address)
    *address = found;
  if (bytes)
    *bytes = device.memory.find(found) ? device.memory.find(found)->size : 0;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  TILEIRAS_CALL();
  return call.done(global(device, address, bytes, module, name));
}
TILEIRAS_API cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  TILEIRAS_CALL();
  return call.done(global(device, address, bytes, library, name));
}
TILEIRAS_API cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  TILEIRAS_CALL();
  CUdeviceptr variable = 0;
  size_t size = 0;
  if (CUresult r = global(device, &variable, &size, library, name); r != CUDA_SUCCESS)
    return call.done(r);
  // The variable's own bytes, at an address that the host can use too.
  uint8_t *bytesOfHost = device.memory.hostPointer(variable, size);
  uint64_t &shared = moduleOf(device, library)->managed[name];
  if (!shared)
    shared = device.memory.adopt(bytesOfHost, size, name);
  if (address)
    *address = reinterpret_cast<uintptr_t>(bytesOfHost);
  if (bytes)
    *bytes = size;
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Libraries: modules of all contexts, and there is one memory
//===----------------------------------------------------------------------===//

TILEIRAS_API cuLibraryLoadData(CUlibrary *library, const void *image, int *, void **, unsigned, int *, void **,
                               unsigned) {
  TILEIRAS_CALL();
  return call.done(load(device, out(library), image));
}
TILEIRAS_API cuLibraryLoadFromFile(CUlibrary *library, const char *name, int *, void **, unsigned, int *, void **,
                                   unsigned) {
  TILEIRAS_CALL();
  return call.done(loadFile(device, out(library), name));
}
TILEIRAS_API cuLibraryUnload(CUlibrary library) {
  TILEIRAS_CALL(Call::Init);
  Module *module = moduleOf(device, library);
  if (!module)
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  device.unload(module);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  TILEIRAS_CALL();
  if (!moduleOf(device, library))
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  *module = reinterpret_cast<CUmodule>(library);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  TILEIRAS_CALL();
  if (!isFunction(device, kernel))
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  *function = reinterpret_cast<CUfunction>(kernel);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  TILEIRAS_CALL();
  if (!isFunction(device, kernel))
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  *library = reinterpret_cast<CUlibrary>(functionOf(kernel)->module);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuFuncGetModule(CUmodule *module, CUfunction function) {
  TILEIRAS_CALL();
  if (!isFunction(device, function))
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  *module = reinterpret_cast<CUmodule>(functionOf(function)->module);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static CUresult name(Device &device, const char **text, const void *handle) {
  if (!isFunction(device, handle))
    return CUDA_ERROR_INVALID_HANDLE;
  *text = functionOf(handle)->info->name.c_str();
  return CUDA_SUCCESS;
}
TILEIRAS_API cuFuncGetName(const char **text, CUfunction function) {
  TILEIRAS_CALL();
  return call.done(name(device, text, function));
}
TILEIRAS_API cuKernelGetName(const char **text, CUkernel kernel) {
  TILEIRAS_CALL();
  return call.done(name(device, text, kernel));
}

static CUresult parameter(Device &device, const void *handle, size_t index, size_t *offset, size_t *size) {
  if (!isFunction(device, handle))
    return CUDA_ERROR_INVALID_HANDLE;
  const auto &params = functionOf(handle)->info->params;
  if (index >= params.size() || !offset)
    return CUDA_ERROR_INVALID_VALUE;
  *offset = params[index].offset;
  if (size)
    *size = params[index].size;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size) {
  TILEIRAS_CALL();
  return call.done(parameter(device, function, index, offset, size));
}
TILEIRAS_API cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size) {
  TILEIRAS_CALL();
  return call.done(parameter(device, kernel, index, offset, size));
}

static CUresult attribute(Device &device, int *value, int number, const void *handle) {
  if (!isFunction(device, handle))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!value || number < 0 || number > 15)
    return CUDA_ERROR_INVALID_VALUE;
  const Function &f = *functionOf(handle);
  const tileiras::emu::KernelInfo &info = *f.info;
  switch (number) { // CUfunction_attribute
  case 0:           // MAX_THREADS_PER_BLOCK
    *value = int(info.hasReqntid ? info.reqntid.count() : info.hasMaxntid ? info.maxntid.count() : 1024);
    break;
  case 1: // SHARED_SIZE_BYTES
    *value = int(info.staticSharedBytes);
    break;
  case 4: // NUM_REGS: PTX has as many as it likes; the limit is what is known
    *value = int(info.maxnreg ? info.maxnreg : 32);
    break;
  case 5: // PTX_VERSION
  case 6: // BINARY_VERSION
    *value = int(options().sm);
    break;
  case 8: // MAX_DYNAMIC_SHARED_SIZE_BYTES
    *value = f.dynamicShared;
    break;
  case 9: // PREFERRED_SHARED_MEMORY_CARVEOUT
    *value = f.carveout;
    break;
  case 10: // CLUSTER_SIZE_MUST_BE_SET
    *value = 0;
    break;
  case 11:
    *value = f.cluster.count() > 1 ? int(f.cluster.x) : 0;
    break;
  case 12:
    *value = f.cluster.count() > 1 ? int(f.cluster.y) : 0;
    break;
  case 13:
    *value = f.cluster.count() > 1 ? int(f.cluster.z) : 0;
    break;
  case 14: // NON_PORTABLE_CLUSTER_SIZE_ALLOWED
    *value = f.nonPortableCluster;
    break;
  case 15:
    *value = f.clusterPolicy;
    break;
  default: // constant and local memory, cache mode
    *value = 0;
  }
  return CUDA_SUCCESS;
}
TILEIRAS_API cuFuncGetAttribute(int *value, int number, CUfunction function) {
  TILEIRAS_CALL();
  return call.done(attribute(device, value, number, function));
}
TILEIRAS_API cuKernelGetAttribute(int *value, int number, CUkernel kernel, CUdevice) {
  TILEIRAS_CALL();
  return call.done(attribute(device, value, number, kernel));
}

static CUresult setAttribute(Device &device, const void *handle, int number, int value) {
  if (!isFunction(device, handle))
    return CUDA_ERROR_INVALID_HANDLE;
  Function &f = *functionOf(handle);
  int most = 0;
  switch (number) {
  case 8:
    deviceAttribute(97, most);
    if (value < 0 || value > most - int(f.info->staticSharedBytes))
      return CUDA_ERROR_INVALID_VALUE;
    f.dynamicShared = value;
    return CUDA_SUCCESS;
  case 9:
    f.carveout = value;
    return CUDA_SUCCESS;
  case 11:
    f.cluster.x = unsigned(std::max(1, value));
    return CUDA_SUCCESS;
  case 12:
    f.cluster.y = unsigned(std::max(1, value));
    return CUDA_SUCCESS;
  case 13:
    f.cluster.z = unsigned(std::max(1, value));
    return CUDA_SUCCESS;
  case 14:
    f.nonPortableCluster = value;
    return CUDA_SUCCESS;
  case 15:
    f.clusterPolicy = value;
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}
TILEIRAS_API cuFuncSetAttribute(CUfunction function, int number, int value) {
  TILEIRAS_CALL();
  return call.done(setAttribute(device, function, number, value));
}
TILEIRAS_API cuKernelSetAttribute(int number, int value, CUkernel kernel, CUdevice) {
  TILEIRAS_CALL();
  return call.done(setAttribute(device, kernel, number, value));
}
TILEIRAS_API cuFuncSetCacheConfig(CUfunction, int) { return CUDA_SUCCESS; }
TILEIRAS_API cuKernelSetCacheConfig(CUkernel, int, CUdevice) { return CUDA_SUCCESS; }
TILEIRAS_API cuFuncLoad(CUfunction) { return CUDA_SUCCESS; }
TILEIRAS_API cuFuncIsLoaded(int *state, CUfunction) {
  *state = 1;
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Linking: PTX texts become one
//===----------------------------------------------------------------------===//

namespace {
struct Link {
  std::vector<std::string> inputs;
  std::string ptx;
};
} // namespace

TILEIRAS_API cuLinkCreate_v2(unsigned, int *, void **, CUlinkState *state) {
  TILEIRAS_CALL();
  if (!state)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *state = reinterpret_cast<CUlinkState>(new Link());
  return CUDA_SUCCESS;
}
TILEIRAS_API cuLinkAddData_v2(CUlinkState state, int, void *data, size_t size, const char *, unsigned, int *, void **) {
  TILEIRAS_CALL();
  Link &link = *reinterpret_cast<Link *>(state);
  Image image = ptxOfImage(data, options().sm, size);
  if (!image.error.empty()) {
    device.complain("cuLinkAddData: " + image.error);
    return call.done(CUDA_ERROR_NO_BINARY_FOR_GPU);
  }
  link.inputs.push_back(std::move(image.ptx));
  return CUDA_SUCCESS;
}
TILEIRAS_API cuLinkAddFile_v2(CUlinkState state, int type, const char *name, unsigned, int *, void **) {
  std::vector<char> bytes;
  if (!name || !readFile(name, bytes))
    return CUDA_ERROR_FILE_NOT_FOUND;
  return cuLinkAddData_v2(state, type, bytes.data(), bytes.size(), name, 0, nullptr, nullptr);
}
TILEIRAS_API cuLinkComplete(CUlinkState state, void **image, size_t *size) {
  TILEIRAS_CALL();
  Link &link = *reinterpret_cast<Link *>(state);
  if (!image || link.inputs.empty())
    return call.done(CUDA_ERROR_INVALID_VALUE);
  link.ptx = mergePtx(link.inputs);
  *image = link.ptx.data(); // a text with its zero byte
  if (size)
    *size = link.ptx.size() + 1;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuLinkDestroy(CUlinkState state) {
  delete reinterpret_cast<Link *>(state);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

TILEIRAS_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared) {
  TILEIRAS_CALL();
  if (!isFunction(device, function))
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  if (!blocks)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *blocks = blocksPerMultiprocessor(*functionOf(function), threads, shared);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int threads,
                                                                  size_t shared, unsigned) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}

TILEIRAS_API cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, CUoccupancyB2DSize sharedOf,
                                              size_t shared, int limit) {
  TILEIRAS_CALL();
  if (!isFunction(device, function))
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  int most = 1024, best = 0, sms = 1;
  attribute(device, &most, 0, function);
  deviceAttribute(16, sms);
  if (limit > 0)
    most = std::min(most, limit);
  *grid = *block = 0;
  for (int threads = most / 32 * 32; threads > 0; threads -= 32) {
    int blocks = blocksPerMultiprocessor(*functionOf(function), threads, sharedOf ? sharedOf(threads) : shared);
    if (blocks * threads > best) {
      best = blocks * threads;
      *block = threads;
      *grid = blocks * sms;
    }
  }
  return CUDA_SUCCESS;
}
TILEIRAS_API cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function,
                                                       CUoccupancyB2DSize sharedOf, size_t shared, int limit,
                                                       unsigned) {
  return cuOccupancyMaxPotentialBlockSize(grid, block, function, sharedOf, shared, limit);
}

TILEIRAS_API cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks, int threads) {
  TILEIRAS_CALL();
  if (!isFunction(device, function))
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  *bytes = 0;
  for (size_t k = 0; k <= 227 * 1024; k += 1024)
    if (blocksPerMultiprocessor(*functionOf(function), threads, k) >= blocks)
      *bytes = k;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuOccupancyMaxActiveClusters(int *clusters, CUfunction function, const CUlaunchConfig *config) {
  TILEIRAS_CALL();
  if (!isFunction(device, function) || !config)
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  bool cooperative = false;
  int sms = 1;
  deviceAttribute(16, sms);
  int blocks = blocksPerMultiprocessor(
      *functionOf(function), int(config->blockDimX * config->blockDimY * config->blockDimZ), config->sharedMemBytes);
  *clusters = int(sms * blocks / std::max<uint64_t>(1, clusterOf(*config, cooperative).count()));
  return CUDA_SUCCESS;
}
TILEIRAS_API cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function, const CUlaunchConfig *) {
  TILEIRAS_CALL();
  if (!isFunction(device, function))
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  *size = functionOf(function)->nonPortableCluster ? 16 : 8;
  return CUDA_SUCCESS;
}
