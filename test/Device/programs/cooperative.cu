// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that wait for each other: grid.sync(), a spin lock, an inclusive sum by look-back.
#include "check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void rounds(int *data, int n) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank();
  for (int k = 0; k < 3; ++k) {
    int next = data[(i + 1) % n];
    grid.sync();
    data[i] += next;
    grid.sync();
  }
}
__device__ int lock;
__global__ void locked(int *sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    __threadfence();
    *sum += 1;
    __threadfence();
    atomicExch(&lock, 0);
  }
}
__global__ void barrier_without_launch(unsigned *arrived, int *out) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x)
      ;
    __threadfence();
    out[blockIdx.x] = 1;
  }
}
int main() {
  const int blocks = 24, threads = 64, n = blocks * threads;
  std::vector<int> host(n), want(n);
  for (int i = 0; i < n; ++i)
    host[i] = want[i] = i % 7;
  for (int k = 0; k < 3; ++k) {
    std::vector<int> old = want;
    for (int i = 0; i < n; ++i)
      want[i] = old[i] + old[(i + 1) % n];
  }
  int *data, count = n;
  CHECK(cudaMalloc(&data, n * 4));
  CHECK(cudaMemcpy(data, host.data(), n * 4, cudaMemcpyHostToDevice));
  void *arguments[] = {&data, &count};
  CHECK(cudaLaunchCooperativeKernel((void *)rounds, dim3(blocks), dim3(threads), arguments, 0, 0));
  CHECK(cudaMemcpy(host.data(), data, n * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    EXPECT(host[i] == want[i]);
  EXPECT(cudaLaunchCooperativeKernel((void *)rounds, dim3(1 << 20), dim3(threads), arguments, 0, 0) ==
         cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
  int *sum, result = 0;
  CHECK(cudaMalloc(&sum, 4));
  CHECK(cudaMemset(sum, 0, 4));
  locked<<<64, 32>>>(sum);
  CHECK(cudaMemcpy(&result, sum, 4, cudaMemcpyDeviceToHost));
  EXPECT(result == 64);
  unsigned *arrived;
  int *out;
  CHECK(cudaMalloc(&arrived, 4));
  CHECK(cudaMemset(arrived, 0, 4));
#ifdef BUG_TOO_MANY
  const int many = 20000;
#else
  const int many = 100;
#endif
  CHECK(cudaMalloc(&out, many * 4));
  barrier_without_launch<<<many, 32>>>(arrived, out);
  CHECK(cudaDeviceSynchronize());
  std::printf("good\n");
}
