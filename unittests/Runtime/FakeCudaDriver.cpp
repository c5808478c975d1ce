//===- FakeCudaDriver.cpp - A stand-in for libcuda.so.1 in tests -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Device memory is host memory, and a "kernel" is one of the functions below, chosen by the
// entry name. It shows that CudaEngine calls the driver the way the driver wants to be called
// (argument slots, sizes, copies, guard zones, errors) on machines without a GPU. The first
// line of the loaded image switches failures on.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {
std::string image, function;
int modulesLoaded = 0, bytesAllocated = 0;
constexpr int kInvalidValue = 1, kInvalidPtx = 218, kNotFound = 500, kLaunchFailed = 719;

template <typename T> T argument(void **params, int i) {
  T value;
  std::memcpy(&value, params[i], sizeof(T));
  return value;
}
} // namespace

extern "C" {

int cuInit(unsigned) { return 0; }
int cuGetErrorString(int code, const char **text) {
  *text = code == kInvalidPtx     ? "a PTX JIT compilation failed"
          : code == kNotFound     ? "named symbol not found"
          : code == kLaunchFailed ? "unspecified launch failure"
                                  : "some other error";
  return 0;
}
int cuDeviceGetCount(int *count) { return *count = 1, 0; }
int cuDeviceGet(int *device, int index) { return *device = index + 40, 0; }
int cuDeviceGetName(char *name, int size, int device) {
  return device == 40 && size > 8 ? (std::strcpy(name, "Fake"), 0) : kInvalidValue;
}
int cuDeviceGetAttribute(int *value, int attribute, int) { return *value = attribute == 75 ? 9 : 0, 0; }
int cuDevicePrimaryCtxRetain(void **context, int) { return *context = &image, 0; }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void *context) { return context == &image ? 0 : kInvalidValue; }
int cuCtxSynchronize() { return image.rfind("fail sync", 0) == 0 ? kLaunchFailed : 0; }

int cuModuleLoadDataEx(void **module, const void *data, unsigned count, int *options, void **values) {
  image = static_cast<const char *>(data);
  if (image.rfind("fail load", 0) == 0) {
    if (count == 2 && options[0] == 5 && options[1] == 6 && reinterpret_cast<uintptr_t>(values[1]) > 32)
      std::strcpy(static_cast<char *>(values[0]), "ptxas fatal: line 7");
    return kInvalidPtx;
  }
  ++modulesLoaded;
  return *module = &modulesLoaded, 0;
}
int cuModuleUnload(void *) { return --modulesLoaded, 0; }
int cuModuleGetFunction(void **result, void *, const char *name) {
  function = name;
  return function == "axpy" || function == "stray" ? (*result = &function, 0) : kNotFound;
}
int cuMemAlloc_v2(unsigned long long *address, size_t size) {
  ++bytesAllocated;
  // Not aligned to more than 16, so that the engine has to align by itself.
  *address = reinterpret_cast<unsigned long long>(std::malloc(size + 16)) + 16;
  return 0;
}
int cuMemFree_v2(unsigned long long address) {
  --bytesAllocated;
  return std::free(reinterpret_cast<void *>(address - 16)), 0;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t size) {
  return std::memcpy(reinterpret_cast<void *>(to), from, size), 0;
}
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t size) {
  return std::memcpy(to, reinterpret_cast<void *>(from), size), 0;
}
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **params, void **extra) {
  // The launch contract: one thread per block, no dynamic shared memory.
  if (f != &function || bx * by * bz != 1 || shared != 0 || stream || extra)
    return kInvalidValue;
  float *x = argument<float *>(params, 0), *y = argument<float *>(params, 1);
  float a = argument<float>(params, 2);
  int n = argument<int>(params, 3);
  for (int i = 0; i < n && i < int(gx * gy * gz) * 4; ++i)
    y[i] += a * x[i];
  if (function == "stray")
    y[n] = 0;
  return 0;
}
/// What is still allocated or loaded, for the test to see.
int fakeLeaks() { return modulesLoaded + bytesAllocated; }

} // extern "C"
