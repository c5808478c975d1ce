// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefix sums in one pass: blocks publish their sums and read those of the blocks before them.
#include "check.h"
#include <cuda/atomic>
struct Tile {
  cuda::atomic<unsigned, cuda::thread_scope_device> state; // 0 nothing, 1 own sum, 2 sum of all up to here
  int sum, prefix;
};
__global__ void scan(const int *in, int *out, Tile *tiles) {
  __shared__ int buffer[128], before;
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  buffer[t] = in[i];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    int add = t >= step ? buffer[t - step] : 0;
    __syncthreads();
    buffer[t] += add;
    __syncthreads();
  }
  if (t == 0) {
    Tile &own = tiles[blockIdx.x];
    own.sum = buffer[127];
    own.state.store(1, cuda::memory_order_release);
    int sum = 0;
    for (int b = int(blockIdx.x) - 1; b >= 0; --b) {
      unsigned state;
      while ((state = tiles[b].state.load(cuda::memory_order_acquire)) == 0)
        ;
      if (state == 2) {
        sum += tiles[b].prefix;
        break;
      }
      sum += tiles[b].sum;
    }
    own.prefix = sum + buffer[127];
    own.state.store(2, cuda::memory_order_release);
    before = sum;
  }
  __syncthreads();
  out[i] = before + buffer[t];
}
int main() {
  const int blocks = 20, n = 128 * blocks;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i)
    host[i] = i % 7 - 2;
  int *in, *out;
  Tile *tiles;
  CHECK(cudaMalloc(&in, n * 4));
  CHECK(cudaMalloc(&out, n * 4));
  CHECK(cudaMalloc(&tiles, blocks * sizeof(Tile)));
  CHECK(cudaMemset(tiles, 0, blocks * sizeof(Tile)));
  CHECK(cudaMemcpy(in, host.data(), n * 4, cudaMemcpyHostToDevice));
  scan<<<blocks, 128>>>(in, out, tiles);
  CHECK(cudaMemcpy(result.data(), out, n * 4, cudaMemcpyDeviceToHost));
  for (int i = 0, sum = 0; i < n; ++i)
    EXPECT(result[i] == (sum += host[i]));
  std::puts("good");
}
