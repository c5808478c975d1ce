//===- JitLink.cpp - nvJitLink that leaves PTX as it is ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Front ends that assemble PTX themselves (numba-cuda, cuda.core) do it with libnvJitLink, and hand the "cubin" to the
// driver. This one hands the PTX on, for our driver executes PTX. One input of PTX, or a fatbin that has some; what
// needs a linker or a compiler (several inputs, LTO-IR, objects) is refused.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Image.h"
#include "tileiras/Device/PtxMerge.h"

#include <cstdlib>
#include <cstring>
#include <string>

using namespace tileiras::device;

namespace {

struct Link {
  unsigned sm = 90;
  std::vector<std::string> inputs;
  std::string ptx, error;
  bool complete = false;
};

/// nvJitLinkResult.
enum Result { Success, UnrecognisedOption, MissingArch, InvalidInput, PtxCompile, Version, NvvmCompile, Internal };
/// nvJitLinkInputType.
enum Input { Ptx = 2, Fatbin = 4, Any = 10 };

Result fail(Link &link, std::string why, Result result = InvalidInput) {
  link.error = std::move(why);
  return result;
}

Result add(Link &link, int type, const void *data, size_t size) {
  if (type != Ptx && type != Fatbin && type != Any)
    return fail(
        link,
        "tileiras: only PTX can be linked for the emulated device, not cubins, LTO-IR or objects (an input of type " +
            std::to_string(type) + ")");
  Image image = ptxOfImage(data, link.sm, size);
  if (!image.error.empty())
    return fail(link, "tileiras: " + image.error);
  link.inputs.push_back(std::move(image.ptx));
  return Success;
}

Result text(const std::string &from, char *to) {
  std::memcpy(to, from.c_str(), from.size() + 1);
  return Success;
}

Link &linkOf(void *handle) { return *static_cast<Link *>(handle); }

} // namespace

#define TILEIRAS_LINK(NAME, PARAMETERS, ARGUMENTS, ...)                                                                \
  extern "C" __attribute__((visibility("default"))) int nvJitLink##NAME PARAMETERS { __VA_ARGS__ }                     \
  /* The name that programs in C are linked with. */                                                                   \
  extern "C" __attribute__((visibility("default"))) int __nvJitLink##NAME##_13_0 PARAMETERS {                          \
    return nvJitLink##NAME ARGUMENTS;                                                                                  \
  }

// clang-format off
TILEIRAS_LINK(Create, (void **handle, uint32_t count, const char **options), (handle, count, options),
  auto *link = new Link();
  for (uint32_t k = 0; k != count; ++k)
    if (!std::strncmp(options[k], "-arch=sm_", 9))
      link->sm = unsigned(std::atoi(options[k] + 9));
  *handle = link;
  return Success;)
TILEIRAS_LINK(Destroy, (void **handle), (handle),
  delete static_cast<Link *>(*handle);
  *handle = nullptr;
  return Success;)
TILEIRAS_LINK(AddData, (void *handle, int type, const void *data, size_t size, const char *name), (handle, type, data, size, name),
  (void)name;
  return add(linkOf(handle), type, data, size);)
TILEIRAS_LINK(AddFile, (void *handle, int type, const char *name), (handle, type, name),
  (void)type;
  return fail(linkOf(handle), std::string("tileiras: linking files is not supported: ") + name);)
TILEIRAS_LINK(Complete, (void *handle), (handle),
  Link &link = linkOf(handle);
  link.complete = !link.inputs.empty();
  if (link.complete)
    link.ptx = tileiras::device::mergePtx(link.inputs);
  return link.complete ? Success : fail(link, link.error.empty() ? "tileiras: nothing to link" : link.error);)
// With the zero byte that ends a text.
TILEIRAS_LINK(GetLinkedCubinSize, (void *handle, size_t *size), (handle, size), *size = linkOf(handle).ptx.size() + 1; return Success;)
TILEIRAS_LINK(GetLinkedCubin, (void *handle, char *to), (handle, to), return text(linkOf(handle).ptx, to);)
TILEIRAS_LINK(GetLinkedPtxSize, (void *handle, size_t *size), (handle, size), *size = linkOf(handle).ptx.size() + 1; return Success;)
TILEIRAS_LINK(GetLinkedPtx, (void *handle, char *to), (handle, to), return text(linkOf(handle).ptx, to);)
TILEIRAS_LINK(GetLinkedLTOIRSize, (void *handle, size_t *size), (handle, size), (void)handle; *size = 0; return NvvmCompile;)
TILEIRAS_LINK(GetLinkedLTOIR, (void *handle, void *to), (handle, to), (void)handle; (void)to; return NvvmCompile;)
TILEIRAS_LINK(GetErrorLogSize, (void *handle, size_t *size), (handle, size), *size = linkOf(handle).error.size() + 1; return Success;)
TILEIRAS_LINK(GetErrorLog, (void *handle, char *to), (handle, to), return text(linkOf(handle).error, to);)
TILEIRAS_LINK(GetInfoLogSize, (void *handle, size_t *size), (handle, size), (void)handle; *size = 1; return Success;)
TILEIRAS_LINK(GetInfoLog, (void *handle, char *to), (handle, to), (void)handle; *to = 0; return Success;)
// clang-format on

extern "C" __attribute__((visibility("default"))) int nvJitLinkVersion(unsigned *major, unsigned *minor) {
  // One that cannot do LTO (that begins with 12.3): front ends bring PTX then.
  *major = 12;
  *minor = 0;
  return Success;
}
