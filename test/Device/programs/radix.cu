// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Radix sort of keys and values: ballots, a table of counts in shared memory, several launches.
#include "check.h"
#include <algorithm>
__global__ void pass(const unsigned *in, const int *values, unsigned *out, int *moved, int n, int shift) {
  __shared__ int counts[16][33], offsets[16];
  int t = threadIdx.x, warp = t / 32, lane = t % 32, warps = blockDim.x / 32;
  unsigned key = t < n ? in[t] : ~0u, digit = (key >> shift) & 15, same = __match_any_sync(0xffffffff, digit);
  for (int i = t; i < 16 * 33; i += blockDim.x)
    counts[i / 33][i % 33] = 0;
  __syncthreads();
  int rank = __popc(same & ((1u << lane) - 1));
  if (rank == 0)
    counts[digit][warp] = __popc(same);
  __syncthreads();
  if (t < 16) {
    int sum = 0;
    for (int w = 0; w < warps; ++w) {
      int c = counts[t][w];
      counts[t][w] = sum;
      sum += c;
    }
    offsets[t] = sum;
  }
  __syncthreads();
  if (t == 0)
    for (int d = 0, sum = 0; d < 16; ++d) {
      int c = offsets[d];
      offsets[d] = sum;
      sum += c;
    }
  __syncthreads();
  int place = offsets[digit] + counts[digit][warp] + rank;
  if (t < n) {
    out[place] = key;
    moved[place] = values[t];
  }
}
int main() {
  const int n = 512;
  std::vector<unsigned> keys(n), k(n);
  std::vector<int> values(n), v(n);
  for (int i = 0; i < n; ++i)
    keys[i] = i * 2654435761u, values[i] = i;
  unsigned *a, *b;
  int *x, *y;
  CHECK(cudaMalloc(&a, n * 4));
  CHECK(cudaMalloc(&b, n * 4));
  CHECK(cudaMalloc(&x, n * 4));
  CHECK(cudaMalloc(&y, n * 4));
  CHECK(cudaMemcpy(a, keys.data(), n * 4, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(x, values.data(), n * 4, cudaMemcpyHostToDevice));
  for (int shift = 0; shift < 32; shift += 4) {
    pass<<<1, n>>>(a, x, b, y, n, shift);
    std::swap(a, b), std::swap(x, y);
  }
  CHECK(cudaMemcpy(k.data(), a, n * 4, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(v.data(), x, n * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    EXPECT(k[i] == keys[v[i]] && (i == 0 || k[i - 1] <= k[i]));
  std::puts("good");
}
