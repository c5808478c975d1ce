//===- RuntimeLibrary.cpp - Libraries that programs load --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cudaLibrary_t is the driver's CUlibrary, and cudaKernel_t its CUkernel. Attributes of streams and of pools, too.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Runtime.h"

using namespace tileiras::device::runtime;

#define TILEIRAS_FORWARD(NAME, PARAMETERS, ...)                                                                        \
  TILEIRAS_RUNTIME NAME PARAMETERS {                                                                                   \
    TILEIRAS_READY;                                                                                                    \
    TILEIRAS_RETURN(__VA_ARGS__);                                                                                      \
  }
// clang-format off
TILEIRAS_FORWARD(cudaLibraryLoadData, (CUlibrary *l, const void *image, int *jit, void **values, unsigned n, int *o, void **v, unsigned m), cuLibraryLoadData(l, image, jit, values, n, o, v, m))
TILEIRAS_FORWARD(cudaLibraryLoadFromFile, (CUlibrary *l, const char *file, int *jit, void **values, unsigned n, int *o, void **v, unsigned m), cuLibraryLoadFromFile(l, file, jit, values, n, o, v, m))
TILEIRAS_FORWARD(cudaLibraryUnload, (CUlibrary l), cuLibraryUnload(l))
TILEIRAS_FORWARD(cudaLibraryGetGlobal, (void **p, size_t *bytes, CUlibrary l, const char *name), cuLibraryGetGlobal(reinterpret_cast<CUdeviceptr *>(p), bytes, l, name))
TILEIRAS_FORWARD(cudaLibraryGetManaged, (void **p, size_t *bytes, CUlibrary l, const char *name), cuLibraryGetManaged(reinterpret_cast<CUdeviceptr *>(p), bytes, l, name))
TILEIRAS_FORWARD(cudaLibraryGetKernelCount, (unsigned *n, CUlibrary l), cuLibraryGetKernelCount(n, l))
TILEIRAS_FORWARD(cudaKernelSetAttributeForDevice, (CUkernel k, int attribute, int value, int device), cuKernelSetAttribute(attribute, value, k, device))
TILEIRAS_FORWARD(cudaStreamSetAttribute, (cudaStream_t s, int attribute, const void *value), cuStreamSetAttribute(s, attribute, value))
TILEIRAS_FORWARD(cudaStreamGetAttribute, (cudaStream_t s, int attribute, void *value), cuStreamGetAttribute(s, attribute, value))
TILEIRAS_FORWARD(cudaStreamCopyAttributes, (cudaStream_t to, cudaStream_t from), cuStreamCopyAttributes(to, from))
TILEIRAS_FORWARD(cudaMemPoolSetAccess, (CUmemoryPool pool, const void *list, size_t n), cuMemPoolSetAccess(pool, list, n))
// clang-format on

// Kernels of libraries are launched by their handles, as those of the program by their stubs.
TILEIRAS_RUNTIME cudaLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  TILEIRAS_READY;
  CUresult r = cuLibraryGetKernel(kernel, library, name);
  if (r == CUDA_SUCCESS)
    rememberKernel(*kernel);
  TILEIRAS_RETURN(r);
}
TILEIRAS_RUNTIME cudaLibraryEnumerateKernels(CUkernel *kernels, unsigned count, CUlibrary library) {
  TILEIRAS_READY;
  unsigned there = 0;
  CUresult r = cuLibraryGetKernelCount(&there, library);
  if (r == CUDA_SUCCESS)
    r = cuLibraryEnumerateKernels(kernels, count, library);
  for (unsigned k = 0; r == CUDA_SUCCESS && k != count && k != there; ++k)
    rememberKernel(kernels[k]);
  TILEIRAS_RETURN(r);
}
