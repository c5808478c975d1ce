// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two stages of asynchronous copies: cuda::pipeline of a block, and cuda::barrier.
#include "check.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
__global__ void smooth(const float *in, float *out, int tiles) {
  __shared__ float buffer[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int next = 0, i = 0; i < tiles; ++i) {
    for (; next < tiles && next < i + 2; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer[next % 2], in + 128 * next, cuda::aligned_size_t<16>(512), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    block.sync();
    int t = threadIdx.x;
    out[128 * i + t] = buffer[i % 2][t] + buffer[i % 2][(t + 1) % 128];
    block.sync();
    pipe.consumer_release();
  }
}
__global__ void phases(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  __shared__ int value[64];
  if (threadIdx.x == 0)
    init(&full, blockDim.x);
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    value[threadIdx.x] = i * 100 + threadIdx.x;
    full.arrive_and_wait();
    out[i * 64 + threadIdx.x] = value[63 - threadIdx.x];
    full.arrive_and_wait();
  }
}
int main() {
  const int tiles = 6, n = 128 * tiles;
  std::vector<float> host(n), result(n);
  for (int i = 0; i < n; ++i)
    host[i] = float(i * 3 % 101);
  float *in, *out;
  CHECK(cudaMalloc(&in, n * 4));
  CHECK(cudaMalloc(&out, n * 4));
  CHECK(cudaMemcpy(in, host.data(), n * 4, cudaMemcpyHostToDevice));
  smooth<<<1, 128>>>(in, out, tiles);
  CHECK(cudaMemcpy(result.data(), out, n * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    EXPECT(result[i] == host[i] + host[i / 128 * 128 + (i + 1) % 128]);
  int *numbers;
  std::vector<int> seen(256);
  CHECK(cudaMalloc(&numbers, 1024));
  phases<<<1, 64>>>(numbers);
  CHECK(cudaMemcpy(seen.data(), numbers, 1024, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i)
    EXPECT(seen[i] == i / 64 * 100 + 63 - i % 64);
  std::puts("good");
}
