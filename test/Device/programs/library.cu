// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB and libcu++ of the toolkit.
#include "check.h"
#include <algorithm>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda/std/array>
#include <numeric>
__global__ void count(cuda::atomic<int, cuda::thread_scope_device> *c, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cuda::std::array<int, 2> v = {i < n ? in[i] : 0, 1};
  if (i < n && v[0] % 2)
    c->fetch_add(v[1], cuda::memory_order_relaxed);
}
int main() {
  const int n = 3000;
  std::vector<int> host(n), want(n);
  for (int i = 0; i < n; ++i)
    host[i] = int(i * 2654435761u >> 12) % 1000;
  int *in, *out;
  CHECK(cudaMalloc(&in, n * 4));
  CHECK(cudaMalloc(&out, n * 4));
  CHECK(cudaMemcpy(in, host.data(), n * 4, cudaMemcpyHostToDevice));
  void *scratch = nullptr;
  size_t bytes = 0;
  CHECK(cub::DeviceReduce::Sum(scratch, bytes, in, out, n));
  CHECK(cudaMalloc(&scratch, bytes + 1));
  CHECK(cub::DeviceReduce::Sum(scratch, bytes, in, out, n));
  int sum = 0;
  CHECK(cudaMemcpy(&sum, out, 4, cudaMemcpyDeviceToHost));
  EXPECT(sum == std::accumulate(host.begin(), host.end(), 0));
  CHECK(cudaFree(scratch));
  scratch = nullptr;
  CHECK(cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n));
  CHECK(cudaMalloc(&scratch, bytes + 1));
  CHECK(cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n));
  std::vector<int> got(n);
  CHECK(cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost));
  std::partial_sum(host.begin(), host.end(), want.begin());
  EXPECT(got == want);
  CHECK(cudaFree(scratch));
  scratch = nullptr;
  CHECK(cub::DeviceRadixSort::SortKeys(scratch, bytes, in, out, n));
  CHECK(cudaMalloc(&scratch, bytes + 1));
  CHECK(cub::DeviceRadixSort::SortKeys(scratch, bytes, in, out, n));
  CHECK(cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost));
  want = host;
  std::sort(want.begin(), want.end());
  EXPECT(got == want);
  cuda::atomic<int, cuda::thread_scope_device> *c;
  CHECK(cudaMallocManaged(&c, sizeof *c));
  new (c) cuda::atomic<int, cuda::thread_scope_device>(0);
  count<<<(n + 127) / 128, 128>>>(c, in, n);
  CHECK(cudaDeviceSynchronize());
  EXPECT(c->load() == std::count_if(host.begin(), host.end(), [](int v) { return v % 2; }));
  std::printf("good\n");
}
