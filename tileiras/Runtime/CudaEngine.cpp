//===- CudaEngine.cpp - Running a kernel through the CUDA driver ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The driver is loaded with dlopen and never linked: the same binary works on machines
// without one. The few declarations below are the driver API's stable ABI.
//
// Every buffer is allocated with a guard zone on both sides; a kernel that writes next to
// an array is reported even though the hardware does not fault.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Runtime/Launch.h"

#include <chrono>
#include <cstring>
#include <dlfcn.h>

using namespace tileiras;

namespace {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct OpaqueContext *;
using CUmodule = struct OpaqueModule *;
using CUfunction = struct OpaqueFunction *;
using CUstream = struct OpaqueStream *;

// CUjit_option values of cuModuleLoadDataEx.
enum { kJitErrorLogBuffer = 5, kJitErrorLogBufferSize = 6 };
// CUdevice_attribute values.
enum { kComputeCapabilityMajor = 75, kComputeCapabilityMinor = 76 };

/// The entry points we use. Names carry the ABI version suffix the headers would add.
struct Driver {
  CUresult (*init)(unsigned);
  CUresult (*getErrorString)(CUresult, const char **);
  CUresult (*deviceGetCount)(int *);
  CUresult (*deviceGet)(CUdevice *, int);
  CUresult (*deviceGetName)(char *, int, CUdevice);
  CUresult (*deviceGetAttribute)(int *, int, CUdevice);
  CUresult (*primaryCtxRetain)(CUcontext *, CUdevice);
  CUresult (*primaryCtxRelease)(CUdevice);
  CUresult (*ctxSetCurrent)(CUcontext);
  CUresult (*ctxSynchronize)();
  CUresult (*moduleLoadDataEx)(CUmodule *, const void *, unsigned, int *, void **);
  CUresult (*moduleUnload)(CUmodule);
  CUresult (*moduleGetFunction)(CUfunction *, CUmodule, const char *);
  CUresult (*memAlloc)(CUdeviceptr *, size_t);
  CUresult (*memFree)(CUdeviceptr);
  CUresult (*memcpyHtoD)(CUdeviceptr, const void *, size_t);
  CUresult (*memcpyDtoH)(void *, CUdeviceptr, size_t);
  CUresult (*launchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                           void **, void **);

  // Tensor maps; null with drivers that do not have them.
  CUresult (*tensorMapEncodeTiled)(void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *,
                                   const uint32_t *, int, int, int, int);
  CUresult (*tensorMapEncodeIm2col)(void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const int *,
                                    const int *, uint32_t, uint32_t, const uint32_t *, int, int, int, int);
  CUresult (*tensorMapEncodeIm2colWide)(void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, int, int,
                                        uint32_t, uint32_t, const uint32_t *, int, int, int, int, int);

  bool load(const std::string &library, std::string &error);
  std::string describe(const char *call, CUresult code) const {
    const char *text = nullptr;
    getErrorString(code, &text);
    return std::string(call) + " failed: " + (text ? text : "unknown error") + " (CUDA error " + std::to_string(code) +
           ")";
  }
};

bool Driver::load(const std::string &library, std::string &error) {
  const char *name = library.empty() ? "libcuda.so.1" : library.c_str();
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    error = "no CUDA driver: " + std::string(why ? why : name) + " (--engine=emulator needs no GPU)";
    return false;
  }
  const std::pair<const char *, void *> symbols[] = {
      {"cuInit", &init},
      {"cuGetErrorString", &getErrorString},
      {"cuDeviceGetCount", &deviceGetCount},
      {"cuDeviceGet", &deviceGet},
      {"cuDeviceGetName", &deviceGetName},
      {"cuDeviceGetAttribute", &deviceGetAttribute},
      {"cuDevicePrimaryCtxRetain", &primaryCtxRetain},
      {"cuDevicePrimaryCtxRelease_v2", &primaryCtxRelease},
      {"cuCtxSetCurrent", &ctxSetCurrent},
      {"cuCtxSynchronize", &ctxSynchronize},
      {"cuModuleLoadDataEx", &moduleLoadDataEx},
      {"cuModuleUnload", &moduleUnload},
      {"cuModuleGetFunction", &moduleGetFunction},
      {"cuMemAlloc_v2", &memAlloc},
      {"cuMemFree_v2", &memFree},
      {"cuMemcpyHtoD_v2", &memcpyHtoD},
      {"cuMemcpyDtoH_v2", &memcpyDtoH},
      {"cuLaunchKernel", &launchKernel},
  };
  for (auto [symbol, slot] : symbols) {
    void *address = dlsym(handle, symbol);
    if (!address) {
      error = std::string(name) + " has no " + symbol;
      return false;
    }
    std::memcpy(slot, &address, sizeof(address));
  }
  const std::pair<const char *, void *> optional[] = {{"cuTensorMapEncodeTiled", &tensorMapEncodeTiled},
                                                      {"cuTensorMapEncodeIm2col", &tensorMapEncodeIm2col},
                                                      {"cuTensorMapEncodeIm2colWide", &tensorMapEncodeIm2colWide}};
  for (auto [symbol, slot] : optional) {
    void *address = dlsym(handle, symbol);
    std::memcpy(slot, &address, sizeof(address));
  }
  return true;
}

constexpr size_t kGuardBytes = 4096;
constexpr uint8_t kGuardByte = 0xA5;

class DriverEngine : public CudaEngine {
public:
  bool open(int index, const std::string &library, std::string &error);
  ~DriverEngine() override {
    if (context)
      driver.primaryCtxRelease(device);
  }
  const char *name() const override { return "cuda"; }
  void setImage(std::string text) override { image = std::move(text); }
  RunOutcome run(LaunchRequest &request) override;

private:
  bool check(const char *call, CUresult code, RunOutcome &outcome) {
    if (code != 0)
      outcome.reports.push_back(driver.describe(call, code));
    return code == 0;
  }
  bool encode(const TensorMapArg &map, uint64_t address, void *bytes, RunOutcome &outcome);
  bool runLoaded(LaunchRequest &request, CUmodule module, RunOutcome &outcome);
  void checkGuards(const Buffer &buffer, const std::vector<uint8_t> &image, size_t start, RunOutcome &outcome);

  std::string image;
  Driver driver{};
  CUdevice device = 0;
  CUcontext context = nullptr;
  std::string deviceName;
};

bool DriverEngine::open(int index, const std::string &library, std::string &error) {
  if (!driver.load(library, error))
    return false;
  auto check = [&](const char *call, CUresult code) {
    if (code != 0)
      error = driver.describe(call, code);
    return code == 0;
  };
  int count = 0;
  if (!check("cuInit", driver.init(0)) || !check("cuDeviceGetCount", driver.deviceGetCount(&count)))
    return false;
  if (index < 0 || index >= count) {
    error = "no CUDA device " + std::to_string(index) + ": the driver sees " + std::to_string(count);
    return false;
  }
  int major = 0, minor = 0;
  char buffer[256] = "";
  if (!check("cuDeviceGet", driver.deviceGet(&device, index)) ||
      !check("cuDeviceGetName", driver.deviceGetName(buffer, sizeof(buffer) - 1, device)) ||
      !check("cuDeviceGetAttribute", driver.deviceGetAttribute(&major, kComputeCapabilityMajor, device)) ||
      !check("cuDeviceGetAttribute", driver.deviceGetAttribute(&minor, kComputeCapabilityMinor, device)) ||
      !check("cuDevicePrimaryCtxRetain", driver.primaryCtxRetain(&context, device)) ||
      !check("cuCtxSetCurrent", driver.ctxSetCurrent(context)))
    return false;
  deviceName = std::string(buffer) + " (sm_" + std::to_string(major * 10 + minor) + ")";
  return true;
}

RunOutcome DriverEngine::run(LaunchRequest &request) {
  RunOutcome outcome;
  outcome.stats.push_back({"device", deviceName});
  std::string log(8192, '\0');
  int options[] = {kJitErrorLogBuffer, kJitErrorLogBufferSize};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  CUmodule module = nullptr;
  // c_str(): PTX must end in a zero byte.
  CUresult code = driver.moduleLoadDataEx(&module, image.c_str(), 2, options, values);
  if (!check("cuModuleLoadDataEx", code, outcome)) {
    if (log[0])
      outcome.reports.back() += std::string("\n") + log.c_str();
    return outcome;
  }
  outcome.ok = runLoaded(request, module, outcome) && outcome.reports.empty();
  driver.moduleUnload(module);
  return outcome;
}

bool DriverEngine::encode(const TensorMapArg &map, uint64_t address, void *bytes, RunOutcome &outcome) {
  bool tiled = map.mode == TensorMapArg::Mode::Tiled, wide = map.mode == TensorMapArg::Mode::Im2colWide;
  const char *call = tiled  ? "cuTensorMapEncodeTiled"
                     : wide ? "cuTensorMapEncodeIm2colWide"
                            : "cuTensorMapEncodeIm2col";
  if (tiled ? !driver.tensorMapEncodeTiled : wide ? !driver.tensorMapEncodeIm2colWide : !driver.tensorMapEncodeIm2col) {
    outcome.reports.push_back(std::string("this CUDA driver has no ") + call);
    return false;
  }
  void *where = reinterpret_cast<void *>(address);
  uint32_t rank = uint32_t(map.dims.size());
  int type = int(map.type), interleave = int(map.interleave), swizzle = int(map.swizzle), l2 = int(map.l2),
      fill = int(map.fill);
  // The driver wants corners innermost first, as all arrays of a tensor map.
  std::vector<int> lower(map.lower.rbegin(), map.lower.rend()), upper(map.upper.rbegin(), map.upper.rend());
  CUresult code;
  if (tiled)
    code = driver.tensorMapEncodeTiled(bytes, type, rank, where, map.dims.data(), map.strides.data(), map.box.data(),
                                       map.steps.data(), interleave, swizzle, l2, fill);
  else if (wide)
    code = driver.tensorMapEncodeIm2colWide(bytes, type, rank, where, map.dims.data(), map.strides.data(),
                                            map.lower.back(), map.upper.back(), map.channels, map.pixels,
                                            map.steps.data(), interleave,
                                            /*mode: W=*/0, swizzle, l2, fill);
  else
    code = driver.tensorMapEncodeIm2col(bytes, type, rank, where, map.dims.data(), map.strides.data(), lower.data(),
                                        upper.data(), map.channels, map.pixels, map.steps.data(), interleave, swizzle,
                                        l2, fill);
  return check(call, code, outcome);
}

bool DriverEngine::runLoaded(LaunchRequest &request, CUmodule module, RunOutcome &outcome) {
  CUfunction function = nullptr;
  if (!check("cuModuleGetFunction", driver.moduleGetFunction(&function, module, request.entry.c_str()), outcome)) {
    outcome.reports.back() += ": entry '" + request.entry + "'";
    return false;
  }

  // Allocate guard + array + guard, with the array at its alignment.
  std::vector<CUdeviceptr> blocks, addresses;
  std::vector<uint64_t> bases; // of the arrays
  std::vector<size_t> starts, sizes;
  bool ok = true;
  for (const Buffer &buffer : request.buffers) {
    size_t start = (kGuardBytes + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
    size_t size = start + buffer.array.bytes.size() + kGuardBytes;
    CUdeviceptr block = 0;
    if (!(ok = check("cuMemAlloc", driver.memAlloc(&block, size + buffer.alignment), outcome)))
      break;
    blocks.push_back(block);
    CUdeviceptr base = (block + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
    addresses.push_back(base);
    bases.push_back(base + start);
    starts.push_back(start);
    sizes.push_back(size);
  }
  if (ok)
    relocate(request.buffers, bases);
  for (size_t i = 0; ok && i < request.buffers.size(); ++i) {
    const std::vector<uint8_t> &array = request.buffers[i].array.bytes;
    std::vector<uint8_t> bytes(sizes[i], kGuardByte);
    std::copy(array.begin(), array.end(), bytes.begin() + int64_t(starts[i]));
    ok = check("cuMemcpyHtoD", driver.memcpyHtoD(addresses[i], bytes.data(), sizes[i]), outcome);
  }

  if (ok) {
    struct alignas(64) Slot {
      uint64_t words[16];
    };
    auto address = [&](int buffer) {
      return bases[size_t(buffer)] + uint64_t(request.buffers[size_t(buffer)].array.byteOffset);
    };
    std::vector<Slot> slots(request.args.size());
    std::vector<void *> params;
    for (size_t i = 0; ok && i != slots.size(); ++i) {
      const KernelArg &arg = request.args[i];
      if (arg.map >= 0) {
        const TensorMapArg &map = request.maps[size_t(arg.map)];
        ok = encode(map, address(map.buffer), slots[i].words, outcome);
      } else {
        slots[i].words[0] = arg.buffer < 0 ? arg.bits : address(arg.buffer);
      }
      params.push_back(slots[i].words);
    }
    const Grid &grid = request.grid, &block = request.block;
    auto start = std::chrono::steady_clock::now();
    ok = ok &&
         check("cuLaunchKernel",
               driver.launchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                   request.dynamicSharedBytes, nullptr, params.data(), nullptr),
               outcome) &&
         check("cuCtxSynchronize", driver.ctxSynchronize(), outcome);
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  for (size_t i = 0; ok && i < request.buffers.size(); ++i) {
    std::vector<uint8_t> bytes(sizes[i]);
    if (!(ok = check("cuMemcpyDtoH", driver.memcpyDtoH(bytes.data(), addresses[i], sizes[i]), outcome)))
      break;
    Buffer &buffer = request.buffers[i];
    checkGuards(buffer, bytes, starts[i], outcome);
    std::copy_n(bytes.begin() + int64_t(starts[i]), buffer.array.bytes.size(), buffer.array.bytes.begin());
  }
  if (bases.size() == request.buffers.size())
    unrelocate(request.buffers, bases);
  for (CUdeviceptr block : blocks)
    driver.memFree(block);
  return ok;
}

void DriverEngine::checkGuards(const Buffer &buffer, const std::vector<uint8_t> &bytes, size_t start,
                               RunOutcome &outcome) {
  size_t end = start + buffer.array.bytes.size();
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == start)
      i = end;
    if (i >= bytes.size() || bytes[i] == kGuardByte)
      continue;
    std::string where =
        i < start ? std::to_string(start - i) + " bytes before" : std::to_string(i - end) + " bytes past the end of";
    outcome.reports.push_back("the kernel wrote " + where + " array '" + buffer.name + "'");
    return;
  }
}

} // namespace

std::unique_ptr<CudaEngine> tileiras::makeCudaEngine(int device, const std::string &libcuda, std::string &error) {
  auto engine = std::make_unique<DriverEngine>();
  if (!engine->open(device, libcuda, error))
    return nullptr;
  return engine;
}
