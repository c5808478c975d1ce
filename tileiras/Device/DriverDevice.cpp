//===- DriverDevice.cpp - Initialisation, devices, contexts -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Device.h"
#include "tileiras/Device/Options.h"
#include "tileiras/Emulator/Machine/Memory/DeviceHeap.h"

#include <cstdio>
#include <cstring>

using namespace tileiras::device;

static CUcontext handleOf(Context *c) { return reinterpret_cast<CUcontext>(c); }
static Context *contextOf(CUcontext c) { return reinterpret_cast<Context *>(c); }

TILEIRAS_API cuInit(unsigned flags) {
  TILEIRAS_CALL(Call::Nothing);
  if (flags)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  device.initialised = true;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuDriverGetVersion(int *version) {
  TILEIRAS_CALL(Call::Nothing);
  if (!version)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *version = 13000;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuGetErrorName(CUresult error, const char **text) {
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = resultName(error);
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

TILEIRAS_API cuGetErrorString(CUresult error, const char **text) {
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = resultText(error);
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

TILEIRAS_API cuDeviceGetCount(int *count) {
  TILEIRAS_CALL(Call::Init);
  if (!count)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *count = 1;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuDeviceGet(CUdevice *handle, int ordinal) {
  TILEIRAS_CALL(Call::Init);
  if (!handle)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  if (ordinal)
    return call.done(CUDA_ERROR_INVALID_DEVICE);
  *handle = 0;
  return CUDA_SUCCESS;
}

#define TILEIRAS_DEVICE_CALL(handle, pointer)                                                                          \
  TILEIRAS_CALL(Call::Init);                                                                                           \
  if (!(pointer))                                                                                                      \
    return call.done(CUDA_ERROR_INVALID_VALUE);                                                                        \
  if (handle)                                                                                                          \
  return call.done(CUDA_ERROR_INVALID_DEVICE)

TILEIRAS_API cuDeviceGetName(char *name, int length, CUdevice handle) {
  TILEIRAS_DEVICE_CALL(handle, name);
  std::snprintf(name, size_t(length), "%s", deviceName());
  return CUDA_SUCCESS;
}

TILEIRAS_API cuDeviceGetUuid(CUuuid *uuid, CUdevice handle) {
  TILEIRAS_DEVICE_CALL(handle, uuid);
  std::memcpy(uuid->bytes, "open-tileiras\0\0\0", 16);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice handle) { return cuDeviceGetUuid(uuid, handle); }

TILEIRAS_API cuDeviceTotalMem_v2(size_t *bytes, CUdevice handle) {
  TILEIRAS_DEVICE_CALL(handle, bytes);
  *bytes = deviceMemory();
  return CUDA_SUCCESS;
}

TILEIRAS_API cuDeviceGetAttribute(int *value, int attribute, CUdevice handle) {
  TILEIRAS_DEVICE_CALL(handle, value);
  return call.done(deviceAttribute(attribute, *value) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

TILEIRAS_API cuDeviceComputeCapability(int *major, int *minor, CUdevice handle) {
  TILEIRAS_DEVICE_CALL(handle, major && minor);
  *major = int(options().sm / 10);
  *minor = int(options().sm % 10);
  return CUDA_SUCCESS;
}

TILEIRAS_API cuDeviceGetProperties(CUdevprop *p, CUdevice handle) {
  TILEIRAS_DEVICE_CALL(handle, p);
  int *fields[] = {&p->maxThreadsPerBlock,  &p->maxThreadsDim[0], &p->maxThreadsDim[1], &p->maxThreadsDim[2],
                   &p->maxGridSize[0],      &p->maxGridSize[1],   &p->maxGridSize[2],   &p->sharedMemPerBlock,
                   &p->totalConstantMemory, &p->SIMDWidth,        &p->memPitch,         &p->regsPerBlock,
                   &p->clockRate,           &p->textureAlign};
  for (int k = 0; k != 14; ++k)
    deviceAttribute(k + 1, *fields[k]);
  return CUDA_SUCCESS;
}

TILEIRAS_API cuDeviceGetPCIBusId(char *text, int length, CUdevice handle) {
  TILEIRAS_DEVICE_CALL(handle, text);
  std::snprintf(text, size_t(length), "0000:00:00.0");
  return CUDA_SUCCESS;
}

TILEIRAS_API cuDeviceGetByPCIBusId(CUdevice *handle, const char *text) {
  TILEIRAS_CALL(Call::Init);
  if (!handle || !text)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  if (std::strcmp(text, "0000:00:00.0"))
    return call.done(CUDA_ERROR_INVALID_DEVICE);
  *handle = 0;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuDeviceCanAccessPeer(int *can, CUdevice, CUdevice) {
  TILEIRAS_CALL(Call::Init);
  if (!can)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *can = 0;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxEnablePeerAccess(CUcontext, unsigned) {
  TILEIRAS_CALL(Call::Init);
  return call.done(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

TILEIRAS_API cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice handle) {
  TILEIRAS_DEVICE_CALL(handle, context);
  if (!device.primary) {
    device.primary = new Context{device.primaryFlags, true};
    device.contexts.insert(device.primary);
  }
  ++device.primaryUses;
  *context = handleOf(device.primary);
  return CUDA_SUCCESS;
}

TILEIRAS_API cuDevicePrimaryCtxRelease_v2(CUdevice handle) {
  TILEIRAS_DEVICE_CALL(handle, true);
  if (!device.primaryUses)
    return call.done(CUDA_ERROR_INVALID_CONTEXT);
  --device.primaryUses;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuDevicePrimaryCtxReset_v2(CUdevice handle) {
  TILEIRAS_DEVICE_CALL(handle, true);
  // What a fault has left behind goes; memory and modules of the program stay valid until it gives them back.
  device.sticky = device.pending = CUDA_SUCCESS;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuDevicePrimaryCtxSetFlags_v2(CUdevice handle, unsigned flags) {
  TILEIRAS_DEVICE_CALL(handle, true);
  device.primaryFlags = flags;
  if (device.primary)
    device.primary->flags = flags;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuDevicePrimaryCtxGetState(CUdevice handle, unsigned *flags, int *active) {
  TILEIRAS_DEVICE_CALL(handle, flags && active);
  *flags = device.primaryFlags;
  *active = device.primaryUses != 0;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice handle) {
  TILEIRAS_DEVICE_CALL(handle, context);
  Context *c = new Context{flags, false};
  device.contexts.insert(c);
  contextStack().push_back(c);
  *context = handleOf(c);
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned flags, CUdevice handle) {
  if (params) {
    Device::get().complain("cuCtxCreate_v4: execution affinity and graphics are not supported");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return cuCtxCreate_v2(context, flags, handle);
}

static bool exists(Device &device, CUcontext context) { return device.contexts.count(contextOf(context)); }

TILEIRAS_API cuCtxDestroy_v2(CUcontext context) {
  TILEIRAS_CALL(Call::Init);
  if (!exists(device, context) || contextOf(context)->primary)
    return call.done(CUDA_ERROR_INVALID_CONTEXT);
  auto &stack = contextStack();
  std::erase(stack, contextOf(context));
  device.contexts.erase(contextOf(context));
  delete contextOf(context);
  if (device.contexts.empty())
    device.sticky = device.pending = CUDA_SUCCESS;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxGetCurrent(CUcontext *context) {
  TILEIRAS_CALL(Call::Init);
  if (!context)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *context = contextStack().empty() ? nullptr : handleOf(contextStack().back());
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxSetCurrent(CUcontext context) {
  TILEIRAS_CALL(Call::Init);
  auto &stack = contextStack();
  if (context && !exists(device, context))
    return call.done(CUDA_ERROR_INVALID_CONTEXT);
  if (!stack.empty())
    stack.pop_back();
  if (context)
    stack.push_back(contextOf(context));
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxPushCurrent_v2(CUcontext context) {
  TILEIRAS_CALL(Call::Init);
  if (!exists(device, context))
    return call.done(CUDA_ERROR_INVALID_CONTEXT);
  contextStack().push_back(contextOf(context));
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxPopCurrent_v2(CUcontext *context) {
  TILEIRAS_CALL(Call::Init);
  auto &stack = contextStack();
  if (stack.empty())
    return call.done(CUDA_ERROR_INVALID_CONTEXT);
  if (context)
    *context = handleOf(stack.back());
  stack.pop_back();
  return CUDA_SUCCESS;
}

#define TILEIRAS_CONTEXT_CALL(pointer)                                                                                 \
  TILEIRAS_CALL(Call::Init);                                                                                           \
  if (contextStack().empty())                                                                                          \
    return call.done(CUDA_ERROR_INVALID_CONTEXT);                                                                      \
  if (!(pointer))                                                                                                      \
  return call.done(CUDA_ERROR_INVALID_VALUE)

TILEIRAS_API cuCtxGetDevice(CUdevice *handle) {
  TILEIRAS_CONTEXT_CALL(handle);
  *handle = 0;
  return CUDA_SUCCESS;
}

/// The context that is asked is always one of the only device.
TILEIRAS_API cuCtxGetDevice_v2(CUdevice *handle, CUcontext context) {
  TILEIRAS_CALL(Call::Init);
  if (!handle || (context && !exists(device, context)))
    return call.done(handle ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE);
  *handle = 0;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxGetFlags(unsigned *flags) {
  TILEIRAS_CONTEXT_CALL(flags);
  *flags = contextStack().back()->flags;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxSetFlags(unsigned flags) {
  TILEIRAS_CONTEXT_CALL(true);
  contextStack().back()->flags = flags;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxGetId(CUcontext context, unsigned long long *id) {
  TILEIRAS_CONTEXT_CALL(id);
  *id = uintptr_t(context ? contextOf(context) : contextStack().back());
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxGetApiVersion(CUcontext, unsigned *version) {
  TILEIRAS_CALL(Call::Init);
  if (!version)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *version = 3020;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxSynchronize() {
  TILEIRAS_CONTEXT_CALL(true);
  return call.done(device.synchronize());
}

TILEIRAS_API cuCtxSynchronize_v2(CUcontext) {
  TILEIRAS_CALL(Call::Init);
  return call.done(device.synchronize());
}

TILEIRAS_API cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  TILEIRAS_CONTEXT_CALL(true);
  if (least)
    *least = 0;
  if (greatest)
    *greatest = -5;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxGetLimit(size_t *value, int limit) {
  TILEIRAS_CONTEXT_CALL(value);
  if (limit < 0 || limit > 7)
    return call.done(CUDA_ERROR_UNSUPPORTED_LIMIT);
  *value = limit == 2 ? device.memory.heap().size() : device.limits[limit];
  return CUDA_SUCCESS;
}

TILEIRAS_API cuCtxSetLimit(int limit, size_t value) {
  TILEIRAS_CONTEXT_CALL(true);
  if (limit < 0 || limit > 7)
    return call.done(CUDA_ERROR_UNSUPPORTED_LIMIT);
  if (limit == 2) // CU_LIMIT_MALLOC_HEAP_SIZE
    return call.done(device.memory.heap().resize(value) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
  device.limits[limit] = value;
  return CUDA_SUCCESS;
}

// Caches: there are none to prefer.
TILEIRAS_API cuCtxGetCacheConfig(int *config) {
  TILEIRAS_CONTEXT_CALL(config);
  *config = 0;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuCtxSetCacheConfig(int) {
  TILEIRAS_CONTEXT_CALL(true);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuCtxResetPersistingL2Cache() {
  TILEIRAS_CONTEXT_CALL(true);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuProfilerStart() { return CUDA_SUCCESS; }
TILEIRAS_API cuProfilerStop() { return CUDA_SUCCESS; }
