//===- DeviceStressTest.cpp - Eight threads on eight streams ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A client of libcuda.so.1 and libcudart.so that needs no toolkit: eight host threads, each with streams, events,
// memory, modules, graphs and textures of its own, all at once, then one kernel a great many times. It prints its
// checks as GoogleTest does, and is meant to be built with sanitizers too (docs/device.md).
//
//   DeviceStressTest [ROUNDS [LAUNCHES]]
//
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Runtime.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

extern "C" {
CUresult cuModuleLoadData(CUmodule *, const void *);
CUresult cuModuleUnload(CUmodule);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *, size_t *, CUmodule, const char *);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr, const void *, size_t, CUstream);
CUresult cuMemcpyDtoHAsync_v2(void *, CUdeviceptr, size_t, CUstream);
CUresult cuStreamCreate(CUstream *, unsigned);
cudaError_t cudaLibraryLoadData(CUlibrary *, const void *, int *, void **, unsigned, int *, void **, unsigned);
cudaError_t cudaLibraryUnload(CUlibrary);
cudaError_t cudaLibraryGetKernel(CUkernel *, CUlibrary, const char *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, int, cudaStream_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaGetLastError();
cudaError_t cudaSetDevice(int);
}

static const char ptx[] = R"(.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 total;
.visible .entry add(.param .u64 p, .param .u32 n, .param .u32 v) {
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %d<4>; .shared .align 4 .b8 s[512];
  ld.param.u64 %d0, [p]; ld.param.u32 %r0, [n]; ld.param.u32 %r1, [v];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r2, %r2, %r3, %r4;
  shl.b32 %r5, %r4, 2; mov.u32 %r6, s; add.u32 %r5, %r5, %r6; st.shared.u32 [%r5], %r1; bar.sync 0;
  ld.shared.u32 %r1, [%r6]; setp.ge.u32 %p0, %r2, %r0; @%p0 bra END;
  mul.wide.u32 %d1, %r2, 4; add.u64 %d0, %d0, %d1; ld.global.u32 %r4, [%d0]; add.u32 %r4, %r4, %r1; st.global.u32 [%d0], %r4;
  red.global.add.u32 [total], 1;
END: ret;
}
.visible .entry look(.param .u64 t, .param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .f32 %f<8>;
  ld.param.u64 %d0, [t]; ld.param.u64 %d1, [out]; mov.u32 %r0, %tid.x; cvt.rn.f32.u32 %f0, %r0; mov.f32 %f1, 0f3f000000;
  tex.2d.v4.f32.f32 {%f2,%f3,%f4,%f5}, [%d0, {%f0,%f1}]; mul.wide.u32 %d2, %r0, 4; add.u64 %d1, %d1, %d2; st.global.f32 [%d1], %f2; ret;
}
)";

static std::atomic<int> failures{0};
static void must(int r, const char *what, int line) {
  if (r == 0)
    return;
  std::printf("line %d: %s: %d\n", line, what, r);
  ++failures;
}
#define MUST(call) must(call, #call, __LINE__)
static void expect(bool good, const char *what) {
  if (!good) {
    std::printf("not true: %s\n", what);
    ++failures;
  }
}

static void launchAdd(CUfunction f, CUdeviceptr p, uint32_t n, uint32_t v, CUstream stream) {
  void *arguments[] = {&p, &n, &v};
  MUST(cuLaunchKernel(f, (n + 127) / 128, 1, 1, 128, 1, 1, 0, stream, arguments, nullptr));
}

static void client(CUcontext context, int rounds) {
  constexpr uint32_t n = 300;
  MUST(cuCtxSetCurrent(context));
  for (int round = 0; round != rounds; ++round) {
    CUmodule module;
    CUfunction add, look;
    CUstream stream, second;
    CUevent done;
    MUST(cuModuleLoadData(&module, ptx));
    MUST(cuModuleGetFunction(&add, module, "add"));
    MUST(cuModuleGetFunction(&look, module, "look"));
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuStreamCreate(&second, 1));
    MUST(cuEventCreate(&done, 0));
    CUdeviceptr p, total;
    size_t bytes;
    MUST(cuModuleGetGlobal_v2(&total, &bytes, module, "total"));
    MUST(cuMemAllocAsync(&p, n * 4, stream));
    std::vector<uint32_t> host(n, 1);
    MUST(cuMemcpyHtoDAsync_v2(p, host.data(), n * 4, stream));
    for (uint32_t k = 1; k <= 5; ++k)
      launchAdd(add, p, n, k, stream);
    MUST(cuEventRecord(done, stream));
    MUST(cuStreamWaitEvent(second, done, 0));
    // The same once more as a graph, on the other stream.
    CUgraph graph;
    CUgraphExec exec;
    MUST(cuStreamBeginCapture_v2(second, 1));
    launchAdd(add, p, n, 10, second);
    MUST(cuStreamEndCapture(second, &graph));
    MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
    for (int k = 0; k != 3; ++k)
      MUST(cuGraphLaunch(exec, second));
    MUST(cuMemcpyDtoHAsync_v2(host.data(), p, n * 4, second));
    uint32_t count = 0;
    MUST(cuMemcpyDtoHAsync_v2(&count, total, 4, second));
    MUST(cuStreamSynchronize(second));
    for (uint32_t v : host)
      if (v != 1 + 15 + 30) {
        expect(false, "every element has been added to by every launch");
        break;
      }
    expect(count == 8 * n, "the module's variable counts the threads");
    // A texture, read while other threads make theirs.
    CUDA_ARRAY3D_DESCRIPTOR shape = {32, 1, 0, 0x20, 1, 0};
    CUarray array;
    MUST(cuArray3DCreate_v2(&array, &shape));
    float texels[32], got[32];
    for (int k = 0; k != 32; ++k)
      texels[k] = float(k * round);
    MUST(cuMemcpyHtoAAsync_v2(array, 0, texels, sizeof texels, stream));
    CUDA_RESOURCE_DESC resource = {};
    resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC sampler = {};
    sampler.addressMode[0] = sampler.addressMode[1] = 1;
    CUtexObject texture = 0;
    MUST(cuTexObjectCreate(&texture, &resource, &sampler, nullptr));
    void *arguments[] = {&texture, &p};
    MUST(cuLaunchKernel(look, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
    MUST(cuMemcpyDtoHAsync_v2(got, p, sizeof got, stream));
    MUST(cuStreamSynchronize(stream));
    expect(!std::memcmp(texels, got, sizeof got), "a texture has the array's texels");
    MUST(cuTexObjectDestroy(texture));
    MUST(cuArrayDestroy(array));
    MUST(cuMemFreeAsync(p, stream));
    MUST(cuGraphExecDestroy(exec));
    MUST(cuGraphDestroy(graph));
    MUST(cuEventDestroy_v2(done));
    MUST(cuStreamDestroy_v2(second));
    MUST(cuStreamDestroy_v2(stream));
    MUST(cuModuleUnload(module));
  }
}

/// The same through the runtime; one error in between, which only its own thread sees.
static void runtimeClient(int thread, int rounds) {
  constexpr uint32_t n = 200;
  for (int round = 0; round != rounds; ++round) {
    CUlibrary library;
    CUkernel add;
    cudaStream_t stream;
    MUST(cudaLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    MUST(cudaLibraryGetKernel(&add, library, "add"));
    MUST(cudaStreamCreateWithFlags(&stream, 1));
    void *p = nullptr;
    MUST(cudaMallocAsync(&p, n * 4, stream));
    MUST(cudaMemsetAsync(p, 0, n * 4, stream));
    uint32_t count = n, value = 3;
    void *arguments[] = {&p, &count, &value};
    for (int k = 0; k != 4; ++k)
      MUST(cudaLaunchKernel(add, {2, 1, 1}, {128, 1, 1}, arguments, 0, stream));
    if (thread % 2)
      expect(cudaSetDevice(7) != 0, "there is no device 7");
    std::vector<uint32_t> host(n, 0);
    MUST(cudaMemcpyAsync(host.data(), p, n * 4, 2, stream));
    MUST(cudaStreamSynchronize(stream));
    expect(host[0] == 12 && host[n - 1] == 12, "the runtime's launches have been made");
    expect((cudaGetLastError() != 0) == (thread % 2), "each thread has an error of its own");
    MUST(cudaFreeAsync(p, stream));
    MUST(cudaStreamDestroy(stream));
    MUST(cudaLibraryUnload(library));
  }
}

// Sanitizers keep what is given back for a while, so growth says nothing there.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TILEIRAS_SANITIZED 1
#endif
#endif

/// Pages that the process has in memory.
static long resident() {
  long size = 0, pages = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &size, &pages) != 2)
      pages = 0;
    std::fclose(file);
  }
  return pages;
}

int main(int argc, char **argv) {
  // A runner's options are not for this program.
  while (argc > 1 && argv[argc - 1][0] == '-')
    --argc;
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
  const long launches = argc > 2 ? std::atol(argv[2]) : 20000;
  CUcontext context;
  MUST(cuInit(0));
  MUST(cuDevicePrimaryCtxRetain(&context, 0));
  std::vector<std::thread> threads;
  for (int t = 0; t != 8; ++t)
    threads.emplace_back([=] {
      client(context, rounds);
      runtimeClient(t, rounds);
    });
  for (std::thread &t : threads)
    t.join();
  std::printf("[ %s ] eight threads on their streams, %d rounds\n", failures ? "  FAILED" : "      OK", rounds);

  MUST(cuCtxSetCurrent(context));
  CUmodule module;
  CUfunction add;
  CUstream stream;
  CUdeviceptr p;
  MUST(cuModuleLoadData(&module, ptx));
  MUST(cuModuleGetFunction(&add, module, "add"));
  MUST(cuStreamCreate(&stream, 1));
  MUST(cuMemAlloc_v2(&p, 128 * 4));
  std::vector<uint32_t> host(128, 0);
  MUST(cuMemcpy(p, reinterpret_cast<uintptr_t>(host.data()), 512));
  long before = 0;
  for (long k = 0; k != launches; ++k) {
    if (k == launches / 4)
      before = resident();
    launchAdd(add, p, 128, 1, stream);
    CUdeviceptr q;
    if (k % 16 == 0) { // and what comes with launches
      CUevent event;
      MUST(cuMemAllocAsync(&q, 4096, stream));
      MUST(cuEventCreate(&event, 0));
      MUST(cuEventRecord(event, stream));
      MUST(cuMemFreeAsync(q, stream));
      MUST(cuEventDestroy_v2(event));
    }
  }
  MUST(cuStreamSynchronize(stream)); // which the default stream does not wait for
  MUST(cuMemcpy(reinterpret_cast<uintptr_t>(host.data()), p, 512));
  const long grown = resident() - before;
  expect(host[127] == uint32_t(launches), "every launch has been made");
#if !defined(__SANITIZE_ADDRESS__) && !TILEIRAS_SANITIZED
  expect(grown < 256, "the process does not grow by a MiB");
#endif
  std::printf("[ %s ] %ld launches, %ld pages more than after a quarter of them\n", failures ? "  FAILED" : "      OK",
              launches, grown);
  std::printf(failures ? "[  FAILED  ] %d\n" : "[  PASSED  ] all\n", failures.load());
  return failures != 0;
}
