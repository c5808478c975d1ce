//===- DriverStream.cpp - Streams, events, launches -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Device.h"
#include "tileiras/Device/Options.h"
#include "tileiras/Emulator/Machine/Occupancy.h"

#include <algorithm>
#include <cstring>

using namespace tileiras::device;

#define TILEIRAS_STREAM(handle)                                                                                        \
  Stream *stream = device.stream(handle);                                                                              \
  if (!stream)                                                                                                         \
  return call.done(CUDA_ERROR_INVALID_HANDLE)

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

TILEIRAS_API cuStreamCreateWithPriority(CUstream *handle, unsigned flags, int priority) {
  TILEIRAS_CALL();
  if (!handle || flags > 1)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  static unsigned long long count = 2;
  auto stream = std::make_unique<Stream>();
  stream->flags = flags;
  stream->priority = std::clamp(priority, -5, 0);
  stream->id = ++count;
  stream->agent = device.order.addStream();
  *handle = reinterpret_cast<CUstream>(stream.get());
  device.streams.emplace(stream.get(), std::move(stream));
  return CUDA_SUCCESS;
}
TILEIRAS_API cuStreamCreate(CUstream *handle, unsigned flags) { return cuStreamCreateWithPriority(handle, flags, 0); }

TILEIRAS_API cuStreamDestroy_v2(CUstream handle) {
  TILEIRAS_CALL(Call::Init);
  auto found = device.streams.find(handle);
  if (found == device.streams.end())
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  device.order.removeStream(found->second->agent);
  device.streams.erase(found);
  return CUDA_SUCCESS;
}

TILEIRAS_API cuStreamGetPriority(CUstream handle, int *priority) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(handle);
  *priority = stream->priority;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuStreamGetFlags(CUstream handle, unsigned *flags) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(handle);
  *flags = stream->flags;
  return CUDA_SUCCESS;
}
// Access windows, priorities of memory and the like: kept, and without effect.
TILEIRAS_API cuStreamSetAttribute(CUstream handle, int attribute, const void *value) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(handle);
  if (!value || attribute < 0)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  std::memcpy(stream->attributes[attribute].data(), value, 64);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuStreamGetAttribute(CUstream handle, int attribute, void *value) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(handle);
  if (!value || attribute < 0)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  auto found = stream->attributes.find(attribute);
  if (found == stream->attributes.end())
    std::memset(value, 0, 64);
  else
    std::memcpy(value, found->second.data(), 64);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuStreamCopyAttributes(CUstream to, CUstream from) {
  TILEIRAS_CALL();
  Stream *a = device.stream(to), *b = device.stream(from);
  if (!a || !b)
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  a->attributes = b->attributes;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuStreamGetId(CUstream handle, unsigned long long *id) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(handle);
  *id = handle == PerThreadStream ? 2 : stream == device.legacy() ? 1 : stream->id;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuStreamGetCtx(CUstream handle, CUcontext *context) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(handle);
  *context = reinterpret_cast<CUcontext>(contextStack().empty() ? device.primary : contextStack().back());
  return CUDA_SUCCESS;
}
TILEIRAS_API cuStreamGetDevice(CUstream, CUdevice *handle) {
  *handle = 0;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuStreamSynchronize(CUstream handle) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(handle);
  if (stream->capture)
    return call.done(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  return call.done(device.synchronize(stream));
}
TILEIRAS_API cuStreamQuery(CUstream handle) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(handle);
  if (stream->capture)
    return call.done(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  return call.done(device.synchronize(stream));
}

static CUresult runHost(Device &device, Stream &stream, CUhostFn function, void *data) {
  if (!function)
    return CUDA_ERROR_INVALID_VALUE;
  Work work;
  work.type = 3;
  work.name = "host function";
  work.run = [&device, function, data](Stream &s) {
    device.order.begin(s.agent, !(s.flags & 1));
    function(data);
    return CUDA_SUCCESS;
  };
  return device.submit(stream, std::move(work));
}
TILEIRAS_API cuLaunchHostFunc(CUstream handle, CUhostFn function, void *data) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(handle);
  return call.done(runHost(device, *stream, function, data));
}
TILEIRAS_API cuStreamAddCallback(CUstream handle, CUstreamCallback function, void *data, unsigned) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(handle);
  if (stream->capture)
    return call.done(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  function(handle, device.surface(), data);
  return CUDA_SUCCESS;
}

TILEIRAS_API cuStreamAttachMemAsync(CUstream, CUdeviceptr, size_t, unsigned) {
  TILEIRAS_CALL();
  return CUDA_SUCCESS;
}

// Values in memory. What is waited for must be there: work is done when it is submitted.
template <typename T> static CUresult writeValue(Device &device, CUstream handle, CUdeviceptr address, T value) {
  Stream *stream = device.stream(handle);
  return stream ? device.fill(*stream, address, &value, sizeof value, 1, "cuStreamWriteValue")
                : CUDA_ERROR_INVALID_HANDLE;
}
template <typename T> static CUresult waitValue(Device &device, CUdeviceptr address, T value, unsigned flags) {
  const uint8_t *p = device.reach(address, sizeof value, false, "cuStreamWaitValue");
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  T now;
  __builtin_memcpy(&now, p, sizeof now);
  const bool good = (flags & 3) == 0   ? std::make_signed_t<T>(now - value) >= 0
                    : (flags & 3) == 1 ? now == value
                    : (flags & 3) == 2 ? (now & value) != 0
                                       : T(~(now | value)) != 0;
  if (good)
    return CUDA_SUCCESS;
  device.complain(
      "cuStreamWaitValue: nothing that was submitted before writes the value; this device does work when it "
      "is submitted, so the stream would wait for ever");
  return CUDA_ERROR_NOT_SUPPORTED;
}
TILEIRAS_API cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value, unsigned) {
  TILEIRAS_CALL();
  return call.done(writeValue(device, stream, address, value));
}
TILEIRAS_API cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value, unsigned) {
  TILEIRAS_CALL();
  return call.done(writeValue(device, stream, address, value));
}
TILEIRAS_API cuStreamWaitValue32_v2(CUstream, CUdeviceptr address, uint32_t value, unsigned flags) {
  TILEIRAS_CALL();
  return call.done(waitValue(device, address, value, flags));
}
TILEIRAS_API cuStreamWaitValue64_v2(CUstream, CUdeviceptr address, uint64_t value, unsigned flags) {
  TILEIRAS_CALL();
  return call.done(waitValue(device, address, value, flags));
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

static Event *eventOf(Device &device, CUevent handle) {
  auto found = device.events.find(handle);
  return found == device.events.end() ? nullptr : found->second.get();
}

#define TILEIRAS_EVENT(handle)                                                                                         \
  Event *event = eventOf(device, handle);                                                                              \
  if (!event)                                                                                                          \
  return call.done(CUDA_ERROR_INVALID_HANDLE)

TILEIRAS_API cuEventCreate(CUevent *handle, unsigned flags) {
  TILEIRAS_CALL();
  if (!handle)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  auto event = std::make_unique<Event>();
  event->flags = flags;
  *handle = reinterpret_cast<CUevent>(event.get());
  device.events.emplace(event.get(), std::move(event));
  return CUDA_SUCCESS;
}
TILEIRAS_API cuEventDestroy_v2(CUevent handle) {
  TILEIRAS_CALL(Call::Init);
  return call.done(device.events.erase(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

void tileiras::device::recordEvent(Device &device, Event &event, Stream &stream) {
  event.recorded = true;
  event.milliseconds = options().time.empty() ? now() : device.predicted;
  event.clock = device.order.record(stream.agent, !(stream.flags & 1));
}

TILEIRAS_API cuEventRecord(CUevent handle, CUstream streamHandle) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(streamHandle);
  TILEIRAS_EVENT(handle);
  if (stream->capture) {
    event->capture = stream->capture;
    event->front = stream->front;
    return CUDA_SUCCESS;
  }
  event->capture = nullptr;
  recordEvent(device, *event, *stream);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuEventRecordWithFlags(CUevent handle, CUstream streamHandle, unsigned flags) {
  if (!(flags & 1))
    return cuEventRecord(handle, streamHandle);
  // CU_EVENT_RECORD_EXTERNAL: a node of the graph.
  TILEIRAS_CALL();
  TILEIRAS_STREAM(streamHandle);
  TILEIRAS_EVENT(handle);
  Work work;
  work.type = 7;
  work.run = [&device, handle](Stream &s) {
    if (Event *e = eventOf(device, handle))
      recordEvent(device, *e, s);
    return CUDA_SUCCESS;
  };
  return call.done(device.submit(*stream, std::move(work)));
}

TILEIRAS_API cuStreamWaitEvent(CUstream streamHandle, CUevent handle, unsigned) {
  TILEIRAS_CALL();
  TILEIRAS_STREAM(streamHandle);
  TILEIRAS_EVENT(handle);
  if (event->capture && event->capture->graph) {
    // The stream joins the capture.
    if (stream->capture && stream->capture != event->capture)
      return call.done(CUDA_ERROR_STREAM_CAPTURE_MERGE);
    stream->capture = event->capture;
    for (Node *n : event->front)
      if (std::find(stream->front.begin(), stream->front.end(), n) == stream->front.end())
        stream->front.push_back(n);
    return CUDA_SUCCESS;
  }
  if (event->recorded)
    device.order.wait(stream->agent, event->clock);
  return CUDA_SUCCESS;
}

TILEIRAS_API cuEventQuery(CUevent handle) {
  TILEIRAS_CALL();
  TILEIRAS_EVENT(handle);
  if (event->recorded)
    device.order.hostWaits(event->clock);
  return call.done(device.surface());
}
TILEIRAS_API cuEventSynchronize(CUevent handle) {
  TILEIRAS_CALL();
  TILEIRAS_EVENT(handle);
  if (event->recorded)
    device.order.hostWaits(event->clock);
  return call.done(device.surface());
}
TILEIRAS_API cuEventElapsedTime_v2(float *milliseconds, CUevent from, CUevent to) {
  TILEIRAS_CALL();
  Event *a = eventOf(device, from), *b = eventOf(device, to);
  if (!a || !b || !a->recorded || !b->recorded || (a->flags | b->flags) & 2)
    return call.done(CUDA_ERROR_INVALID_HANDLE);
  *milliseconds = float(b->milliseconds - a->milliseconds);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
  return cuEventElapsedTime_v2(milliseconds, from, to);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static CUresult launch(Device &device, const void *function, const CUlaunchConfig &config, void **arguments,
                       void **extra, bool cooperative) {
  if (!device.functions.count(const_cast<void *>(function)))
    return CUDA_ERROR_INVALID_HANDLE;
  Stream *stream = device.stream(config.hStream);
  if (!stream)
    return CUDA_ERROR_INVALID_HANDLE;
  Work work;
  work.type = 0;
  KernelCall &k = work.kernel;
  k.function = static_cast<Function *>(const_cast<void *>(function));
  k.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
  k.block = {config.blockDimX, config.blockDimY, config.blockDimZ};
  k.cluster = clusterOf(config, cooperative);
  if (k.cluster.count() <= 1 && k.function->cluster.count() > 1)
    k.cluster = k.function->cluster;
  k.shared = config.sharedMemBytes;
  k.cooperative = cooperative;
  work.name = k.function->info->name;
  if (!k.grid.count() || !k.block.count() || k.block.count() > 1024)
    return CUDA_ERROR_INVALID_VALUE;
  const unsigned most = k.function->nonPortableCluster ? 16 : 8;
  if (k.cluster.count() > most)
    return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  if (int(k.shared) > k.function->dynamicShared) {
    device.complain("launch of '" + work.name + "' asks for " + std::to_string(k.shared) +
                    " bytes of dynamic shared memory, but the kernel allows " +
                    std::to_string(k.function->dynamicShared) + " (CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)");
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (cooperative) {
    int sms = 1;
    deviceAttribute(16, sms);
    const int blocks = blocksPerMultiprocessor(*k.function, int(k.block.count()), k.shared);
    if (k.grid.count() > uint64_t(sms) * uint64_t(blocks))
      return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  }
  if (!packArguments(*k.function, arguments, extra, k.params))
    return CUDA_ERROR_INVALID_VALUE;
  return device.submit(*stream, std::move(work));
}

TILEIRAS_API cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                            unsigned blockY, unsigned blockZ, unsigned shared, CUstream stream, void **arguments,
                            void **extra) {
  TILEIRAS_CALL();
  const CUlaunchConfig config = {gridX, gridY, gridZ, blockX, blockY, blockZ, shared, stream, nullptr, 0};
  return call.done(launch(device, function, config, arguments, extra, false));
}
TILEIRAS_API cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra) {
  TILEIRAS_CALL();
  return call.done(config ? launch(device, function, *config, arguments, extra, false) : CUDA_ERROR_INVALID_VALUE);
}
TILEIRAS_API cuLaunchCooperativeKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                       unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
                                       CUstream stream, void **arguments) {
  TILEIRAS_CALL();
  const CUlaunchConfig config = {gridX, gridY, gridZ, blockX, blockY, blockZ, shared, stream, nullptr, 0};
  return call.done(launch(device, function, config, arguments, nullptr, true));
}
