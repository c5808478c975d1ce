// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams, events, host functions, graphs by capture and by hand.
#include "check.h"
__global__ void fill(int *p, int v, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    p[i] = v;
}
__global__ void add(const int *a, const int *b, int *c, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    c[i] = a[i] + b[i];
}
static void bump(void *p) { ++*static_cast<int *>(p); }
int main() {
  const int n = 500;
  int *a, *b, *c;
  CHECK(cudaMalloc(&a, n * 4));
  CHECK(cudaMalloc(&b, n * 4));
  CHECK(cudaMalloc(&c, n * 4));
  cudaStream_t s, t;
  cudaEvent_t e, f;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&e));
  CHECK(cudaEventCreate(&f));
  int calls = 0;
  std::vector<int> host(n);
  fill<<<1, 64, 0, s>>>(a, 3, n);
  CHECK(cudaEventRecord(e, s));
  fill<<<1, 64, 0, t>>>(b, 4, n);
#ifndef BUG_ORDER
  CHECK(cudaStreamWaitEvent(t, e, 0));
#endif
  add<<<1, 64, 0, t>>>(a, b, c, n); // reads what stream s has written
  CHECK(cudaMemcpyAsync(host.data(), c, n * 4, cudaMemcpyDeviceToHost, t));
  CHECK(cudaLaunchHostFunc(t, bump, &calls));
  CHECK(cudaEventRecord(f, t));
  CHECK(cudaEventSynchronize(f));
  EXPECT(calls == 1);
  for (int v : host)
    EXPECT(v == 7);
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, e, f));
  EXPECT(ms >= 0);

  // A graph by capture, over two streams.
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  fill<<<1, 64, 0, s>>>(a, 10, n);
  CHECK(cudaEventRecord(e, s));
  CHECK(cudaStreamWaitEvent(t, e, 0));
  fill<<<1, 64, 0, t>>>(b, 20, n);
  CHECK(cudaLaunchHostFunc(t, bump, &calls));
  CHECK(cudaEventRecord(f, t));
  CHECK(cudaStreamWaitEvent(s, f, 0));
  add<<<1, 64, 0, s>>>(a, b, c, n);
  CHECK(cudaMemcpyAsync(host.data(), c, n * 4, cudaMemcpyDeviceToHost, s));
  CHECK(cudaStreamEndCapture(s, &graph));
  EXPECT(calls == 1 && host[0] == 7);
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 5);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int k = 0; k < 3; ++k)
    CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  EXPECT(calls == 4 && host[n - 1] == 30);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));

  // By hand, and updated.
  int v = 1, count = n;
  void *arguments[] = {&a, &v, &count};
  cudaKernelNodeParams params = {};
  params.func = (void *)fill;
  params.gridDim = dim3(1);
  params.blockDim = dim3(32);
  params.kernelParams = arguments;
  cudaGraphNode_t node;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  v = 77;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, node, &params));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaMemcpy(host.data(), a, n * 4, cudaMemcpyDeviceToHost));
  EXPECT(host[5] == 77);
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaStreamDestroy(t));
  std::printf("good\n");
}
