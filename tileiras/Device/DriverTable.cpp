//===- DriverTable.cpp - Finding functions by name --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cuGetProcAddress, the functions under their names for the per-thread default stream (which is the legacy stream
// here: a stronger order), and the functions of the documented API that this device does not have. Those exist, so
// that programs link and load, and fail by name.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Device.h"

#include <cstring>
#include <dlfcn.h>

using namespace tileiras::device;

static CUresult unsupported(const char *name) {
  Device &device = Device::get();
  std::lock_guard<std::recursive_mutex> lock(device.mutex);
  device.complain(std::string(name) + " is not supported by this device");
  return CUDA_ERROR_NOT_SUPPORTED;
}

#define TILEIRAS_UNSUPPORTED(NAME)                                                                                     \
  TILEIRAS_API NAME() { return unsupported(#NAME); }
// One function under a second name: a jump, whatever its arguments.
#if defined(__x86_64__)
#define TILEIRAS_ALIAS(NAME, TARGET)                                                                                   \
  asm(".text\n.globl " #NAME "\n.type " #NAME ",@function\n" #NAME ": jmp " #TARGET "@PLT\n.size " #NAME ",.-" #NAME   \
      "\n");
#elif defined(__aarch64__)
#define TILEIRAS_ALIAS(NAME, TARGET)                                                                                   \
  asm(".text\n.globl " #NAME "\n.type " #NAME ",%function\n" #NAME ": b " #TARGET "\n.size " #NAME ",.-" #NAME "\n");
#else
#error "an instruction that jumps is needed"
#endif
#include "tileiras/Device/Driver.def"
#undef TILEIRAS_UNSUPPORTED
#undef TILEIRAS_ALIAS

static bool isRefused(const std::string &name) {
  static constexpr const char *names[] = {
#define TILEIRAS_UNSUPPORTED(NAME) #NAME,
#define TILEIRAS_ALIAS(NAME, TARGET)
#include "tileiras/Device/Driver.def"
#undef TILEIRAS_UNSUPPORTED
#undef TILEIRAS_ALIAS
  };
  for (const char *n : names)
    if (name == n)
      return true;
  return false;
}

TILEIRAS_API cuGetExportTable(const void **, const void *) {
  // Undocumented tables, which the static runtime of CUDA wants.
  return unsupported("cuGetExportTable (a program with the static CUDA runtime? link it with -cudart shared)");
}

/// A symbol of this library.
static void *symbol(const std::string &name) {
  static void *self = [] {
    Dl_info info;
    return dladdr(reinterpret_cast<void *>(&cuGetExportTable), &info)
               ? dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL)
               : nullptr;
  }();
  return self ? dlsym(self, name.c_str()) : nullptr;
}

/// Functions whose signature changed at a version: before it another symbol is meant.
static std::string symbolName(const std::string &name, int version) {
  struct Change {
    const char *name;
    int since;
    const char *symbol, *before;
  };
  static constexpr Change changes[] = {
      {"cuCtxCreate", 12050, "cuCtxCreate_v4", "cuCtxCreate_v2"},
      {"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3", "cuStreamGetCaptureInfo_v2"},
      {"cuGraphInstantiate", 12000, "cuGraphInstantiateWithFlags", "cuGraphInstantiate_v2"},
      {"cuGetProcAddress", 12000, "cuGetProcAddress_v2", "cuGetProcAddress"},
      {"cuMemPrefetchAsync", 12020, "cuMemPrefetchAsync_v2", "cuMemPrefetchAsync"},
      {"cuMemAdvise", 12020, "cuMemAdvise_v2", "cuMemAdvise"},
      {"cuCtxGetDevice", 13000, "cuCtxGetDevice_v2", "cuCtxGetDevice"},
      {"cuCtxSynchronize", 13000, "cuCtxSynchronize_v2", "cuCtxSynchronize"},
      {"cuGraphAddDependencies", 12030, "cuGraphAddDependencies_v2", "cuGraphAddDependencies"},
  };
  for (const Change &c : changes)
    if (name == c.name)
      return version >= c.since ? c.symbol : c.before;
  for (bool refused : {false, true})
    for (const char *suffix : {"_v4", "_v3", "_v2", ""})
      if (symbol(name + suffix) && isRefused(name + suffix) == refused)
        return name + suffix;
  return name;
}

TILEIRAS_API cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status) {
  if (!name || !function)
    return CUDA_ERROR_INVALID_VALUE;
  std::string found = symbolName(name, version);
  *function = nullptr;
  if (flags & 2) // CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM
    for (const char *suffix : {"_ptsz", "_ptds"})
      if (!*function)
        *function = symbol(found + suffix);
  if (!*function)
    *function = symbol(found);
  if (status)
    *status = *function ? 0 : 1; // CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
TILEIRAS_API cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}
