// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: captured from two streams, built by hand, updated, launched again.
#include "check.h"
__global__ void add(int *x, int v) { x[threadIdx.x] += v; }
__global__ void multiply(int *x, int v) { x[threadIdx.x] *= v; }
int main() {
  int *x, *y;
  CHECK(cudaMalloc(&x, 256));
  CHECK(cudaMalloc(&y, 256));
  CHECK(cudaMemset(x, 0, 256));
  CHECK(cudaMemset(y, 0, 256));
  cudaStream_t a, b;
  cudaEvent_t forked, joined;
  CHECK(cudaStreamCreate(&a));
  CHECK(cudaStreamCreate(&b));
  CHECK(cudaEventCreate(&forked));
  CHECK(cudaEventCreate(&joined));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  add<<<1, 64, 0, a>>>(x, 1);
  CHECK(cudaEventRecord(forked, a));
  CHECK(cudaStreamWaitEvent(b, forked, 0));
  add<<<1, 64, 0, b>>>(y, 10);
  multiply<<<1, 64, 0, a>>>(x, 3);
  CHECK(cudaEventRecord(joined, b));
  CHECK(cudaStreamWaitEvent(a, joined, 0));
  CHECK(cudaMemcpyAsync(y, x, 4, cudaMemcpyDeviceToDevice, a));
  CHECK(cudaStreamEndCapture(a, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; ++i)
    CHECK(cudaGraphLaunch(exec, a));
  CHECK(cudaStreamSynchronize(a));
  int rx[64], ry[64];
  CHECK(cudaMemcpy(rx, x, 256, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(ry, y, 256, cudaMemcpyDeviceToHost));
  EXPECT(rx[5] == 39 && ry[5] == 30 && ry[0] == 39);
  cudaGraph_t own;
  cudaGraphNode_t first, second;
  CHECK(cudaGraphCreate(&own, 0));
  int five = 5, two = 2;
  void *one[] = {&x, &five}, *other[] = {&x, &two};
  cudaKernelNodeParams p = {};
  p.func = (void *)add, p.gridDim = dim3(1), p.blockDim = dim3(64), p.kernelParams = one;
  CHECK(cudaGraphAddKernelNode(&first, own, nullptr, 0, &p));
  p.func = (void *)multiply, p.kernelParams = other;
  CHECK(cudaGraphAddKernelNode(&second, own, &first, 1, &p));
  cudaGraphExec_t run;
  CHECK(cudaGraphInstantiate(&run, own, 0));
  CHECK(cudaGraphLaunch(run, b));
  two = 10;
  CHECK(cudaGraphExecKernelNodeSetParams(run, second, &p));
  CHECK(cudaGraphLaunch(run, b));
  CHECK(cudaStreamSynchronize(b));
  CHECK(cudaMemcpy(rx, x, 256, cudaMemcpyDeviceToHost));
  EXPECT(rx[5] == ((39 + 5) * 2 + 5) * 10);
  std::puts("good");
}
