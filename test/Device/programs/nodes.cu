// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs node by node: parameters asked for and changed, edges, events, switches; libraries and the driver's functions.
#include "check.h"
#include <cuda.h>
#include <cstring>
__device__ int variable[4];
__global__ void add(int *x, int v) { x[threadIdx.x] += v; }
static void count(void *p) { ++*static_cast<int *>(p); }
static const char library[] = R"(.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 seen = 3;
.visible .entry twice(.param .u64 p) {
  .reg .b64 %d<4>; .reg .b32 %r<4>;
  ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1;
  ld.global.u32 %r1, [%d0]; add.u32 %r1, %r1, %r1; st.global.u32 [%d0], %r1; ret;
}
)";

static void nodes() {
  int *x, host[4] = {1, 2, 3, 4}, other[4] = {9, 9, 9, 9}, back[4] = {}, calls = 0;
  CHECK(cudaMalloc(&x, 16));
  cudaGraph_t graph;
  cudaGraphNode_t fill, store, kernel, load, call, mark;
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams clear = {x, 16, 0, 4, 4, 1}, cleared;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &clear));
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&store, graph, nullptr, 0, variable, host, 16, 0, cudaMemcpyHostToDevice));
  int v = 5;
  void *arguments[] = {&x, &v};
  cudaKernelNodeParams p = {}, q;
  p.func = (void *)add, p.gridDim = dim3(1), p.blockDim = dim3(4), p.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &p));
  CHECK(cudaGraphAddMemcpyNodeFromSymbol(&load, graph, &store, 1, back, variable, 16, 0, cudaMemcpyDeviceToHost));
  cudaHostNodeParams h = {count, &calls};
  CHECK(cudaGraphAddHostNode(&call, graph, &load, 1, &h));
  CHECK(cudaGraphAddEventRecordNode(&mark, graph, &kernel, 1, event));

  size_t edges = 0, n = 9;
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  EXPECT(edges == 4);
  cudaGraphNode_t list[9];
  CHECK(cudaGraphNodeGetDependentNodes(kernel, list, nullptr, &n));
  EXPECT(n == 1 && list[0] == mark);
  CHECK(cudaGraphMemsetNodeGetParams(fill, &cleared));
  EXPECT(cleared.dst == x && cleared.width == 4);
  // The node's own arguments, one of them changed, go back into it.
  CHECK(cudaGraphKernelNodeGetParams(kernel, &q));
  EXPECT(q.blockDim.x == 4 && *static_cast<int *>(q.kernelParams[1]) == 5);
  q.kernelParams[1] = &(v = 6);
  CHECK(cudaGraphKernelNodeSetParams(kernel, &q));

  // What ends with the last graph that holds it.
  cudaUserObject_t user;
  int ended = 0;
  CHECK(cudaUserObjectCreate(&user, &ended, count, 1, cudaUserObjectNoDestructorSync));
  CHECK(cudaGraphRetainUserObject(graph, user, 1, cudaGraphUserObjectMove));

  cudaGraphExec_t exec;
  cudaGraphInstantiateParams how = {};
  CHECK(cudaGraphInstantiateWithParams(&exec, graph, &how));
  EXPECT(how.result_out == cudaGraphInstantiateSuccess);
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaEventSynchronize(event));
  CHECK(cudaStreamSynchronize(s));
  int r[4];
  CHECK(cudaMemcpy(r, x, 16, cudaMemcpyDeviceToHost));
  EXPECT(r[2] == 6 && back[3] == 4 && calls == 1);

  clear.value = 100;
  CHECK(cudaGraphExecMemsetNodeSetParams(exec, fill, &clear));
  CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, store, variable, other, 16, 0, cudaMemcpyHostToDevice));
  CHECK(cudaGraphNodeSetEnabled(exec, kernel, 0));
  unsigned on = 1;
  CHECK(cudaGraphNodeGetEnabled(exec, kernel, &on));
  EXPECT(!on);
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaMemcpy(r, x, 16, cudaMemcpyDeviceToHost));
  EXPECT(r[2] == 100 && back[3] == 9 && calls == 2);

  cudaGraph_t copy;
  cudaGraphNode_t same;
  CHECK(cudaGraphClone(&copy, graph));
  CHECK(cudaGraphNodeFindInClone(&same, kernel, copy));
  CHECK(cudaGraphDestroyNode(same));
  CHECK(cudaGraphGetEdges(copy, nullptr, nullptr, nullptr, &edges));
  EXPECT(edges == 2);
  CHECK(cudaGraphRemoveDependencies(graph, &load, &call, nullptr, 1));
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  EXPECT(edges == 3);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(copy));
  EXPECT(!ended);
  CHECK(cudaGraphDestroy(graph));
  EXPECT(ended == 1);
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaFree(x));
}

// Memory that a graph takes and gives back, by capture and by hand.
static void allocations() {
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int *x, *y, r[4] = {};
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&x, 16, s));
  CHECK(cudaMemsetAsync(x, 0, 16, s));
  add<<<1, 4, 0, s>>>(x, 7);
  CHECK(cudaMemcpyAsync(r, x, 16, cudaMemcpyDeviceToHost, s));
  CHECK(cudaFreeAsync(x, s));
  CHECK(cudaStreamEndCapture(s, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  for (int k = 0; k < 3; ++k) {
    r[3] = 0;
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    EXPECT(r[3] == 7);
  }
  CHECK(cudaGraphExecDestroy(exec));
  cudaPointerAttributes a;
  CHECK(cudaPointerGetAttributes(&a, x));
  EXPECT(a.type == cudaMemoryTypeUnregistered); // gone with the graph

  cudaGraphNode_t take, fill, give;
  cudaMemAllocNodeParams p = {};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = 64;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &p));
  y = static_cast<int *>(p.dptr);
  cudaMemsetParams m = {y, 64, 9, 4, 16, 1};
  CHECK(cudaGraphAddMemsetNode(&fill, graph, &take, 1, &m));
  CHECK(cudaGraphAddMemcpyNode1D(&give, graph, &fill, 1, r, y, 16, cudaMemcpyDeviceToHost));
  CHECK(cudaGraphAddMemFreeNode(&take, graph, &give, 1, y));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  EXPECT(r[2] == 9);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(s));
}

// Two modules: a function of one is called by the other, and each has a table of its own of the same name.
static const char first[] = R"(.version 7.0
.target sm_70
.address_size 64
.global .align 4 .u32 table[2] = {5, 7};
.visible .func (.param .b32 result) pick(.param .b32 index) {
  .reg .b64 %d<4>; .reg .b32 %r<4>;
  ld.param.u32 %r0, [index]; mul.wide.u32 %d0, %r0, 4; mov.u64 %d1, table; add.u64 %d1, %d1, %d0;
  ld.global.u32 %r1, [%d1]; st.param.b32 [result], %r1; ret;
}
)";
static const char second[] = R"(.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 table[2] = {100, 200};
.extern .func (.param .b32 result) pick(.param .b32 index);
.visible .entry both(.param .u64 p) {
  .reg .b64 %d<4>; .reg .b32 %r<4>;
  ld.param.u64 %d0, [p]; mov.u32 %r0, 1;
  { .param .b32 i; .param .b32 r; st.param.b32 [i], %r0; call.uni (r), pick, (i); ld.param.b32 %r1, [r]; }
  ld.global.u32 %r2, [table+4]; add.u32 %r1, %r1, %r2; st.global.u32 [%d0], %r1; ret;
}
)";
template <typename F> static F driver(const char *name, F *) {
  void *f = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion(name, &f, 12000, cudaEnableDefault, &found));
  return reinterpret_cast<F>(f);
}
#define DRIVER(name) driver(#name, static_cast<decltype(&name) *>(nullptr))
static void link() {
  CUlinkState state;
  void *image;
  size_t size;
  EXPECT(!DRIVER(cuLinkCreate)(0, nullptr, nullptr, &state));
  EXPECT(!DRIVER(cuLinkAddData)(state, CU_JIT_INPUT_PTX, (void *)first, sizeof first, "first", 0, nullptr, nullptr));
  EXPECT(!DRIVER(cuLinkAddData)(state, CU_JIT_INPUT_PTX, (void *)second, sizeof second, "second", 0, nullptr, nullptr));
  EXPECT(!DRIVER(cuLinkComplete)(state, &image, &size));
  cudaLibrary_t lib;
  cudaKernel_t both;
  CHECK(cudaLibraryLoadData(&lib, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT(!DRIVER(cuLinkDestroy)(state));
  CHECK(cudaLibraryGetKernel(&both, lib, "both"));
  int *x, r = 0;
  CHECK(cudaMalloc(&x, 4));
  void *arguments[] = {&x};
  CHECK(cudaLaunchKernel((void *)both, dim3(1), dim3(1), arguments, 0, nullptr));
  CHECK(cudaMemcpy(&r, x, 4, cudaMemcpyDeviceToHost));
  EXPECT(r == 207);
  CHECK(cudaFree(x));
  CHECK(cudaLibraryUnload(lib));
}

int main() {
  nodes();
  allocations();
  link();
  cudaLibrary_t lib;
  CHECK(cudaLibraryLoadData(&lib, library, nullptr, nullptr, 0, nullptr, nullptr, 0));
  cudaKernel_t twice;
  CHECK(cudaLibraryGetKernel(&twice, lib, "twice"));
  unsigned kernels = 0;
  CHECK(cudaLibraryGetKernelCount(&kernels, lib));
  void *seen;
  size_t bytes;
  CHECK(cudaLibraryGetGlobal(&seen, &bytes, lib, "seen"));
  EXPECT(kernels == 1 && bytes == 4);
  void *arguments[] = {&seen};
  CHECK(cudaLaunchKernel((void *)twice, dim3(1), dim3(1), arguments, 0, nullptr));
  int r = 0;
  CHECK(cudaMemcpy(&r, seen, 4, cudaMemcpyDeviceToHost));
  EXPECT(r == 6);
  CHECK(cudaLibraryUnload(lib));
  // How programs without libcuda on their link line find what makes tensor maps, as link() its functions.
  void *encode = nullptr, *nothing = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
  EXPECT(encode && found == cudaDriverEntryPointSuccess);
  CHECK(cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &nothing, 12000, cudaEnableDefault, &found));
  EXPECT(!nothing && found == cudaDriverEntryPointSymbolNotFound);
  cudaStreamAttrValue window = {}, kept = {};
  window.accessPolicyWindow.num_bytes = 4096;
  CHECK(cudaStreamSetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &window));
  CHECK(cudaStreamGetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &kept));
  EXPECT(kept.accessPolicyWindow.num_bytes == 4096);
  std::puts("good");
}
