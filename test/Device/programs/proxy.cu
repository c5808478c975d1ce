// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile written by threads and stored by a bulk copy: the fence between the proxies.
#include "check.h"
#include <cstdint>
__device__ __forceinline__ void store(int *to, uint32_t from) {
  // clang-format off
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(to), "r"(from) : "memory"); // PROXY
  // clang-format on
}
__global__ void stamp(int *out) {
  __shared__ alignas(128) int tile[256];
  tile[threadIdx.x] = 1000 * blockIdx.x + threadIdx.x;
#ifndef BUG_PROXY
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  __syncthreads();
  if (threadIdx.x == 0) {
    uint32_t from = uint32_t(__cvta_generic_to_shared(tile));
    store(out + 256 * blockIdx.x, from);
    asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
int main() {
  int *out;
  CHECK(cudaMalloc(&out, 4 * 256 * 4));
  stamp<<<4, 256>>>(out);
  std::vector<int> host(1024);
  CHECK(cudaMemcpy(host.data(), out, 4096, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 1024; ++i)
    EXPECT(host[i] == 1000 * (i / 256) + i % 256);
  std::puts("good");
}
