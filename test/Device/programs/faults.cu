// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One program, and a bug for every macro.
#include "check.h"
__global__ void histogram(const int *in, int *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
#ifdef BUG_RACE
    bins[in[i] & 7] += 1; // RACE
#else
    atomicAdd(&bins[in[i] & 7], 1);
#endif
  }
}
__global__ void reverse(const int *in, int *out, int n) {
  __shared__ int tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
#ifndef BUG_SYNC
  __syncthreads();
#endif
  out[threadIdx.x] = tile[255 - threadIdx.x]; // SYNC
}
__global__ void shift(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG_BOUNDS
  out[i] = in[i + 1]; // BOUNDS
#else
  out[i] = i + 1 < n ? in[i + 1] : 0;
#endif
}
__global__ void sum(const int *in, int *out, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += in[i]; // UNINIT
  *out = s;
}
__global__ void checked(const int *in, int n) {
#ifdef BUG_ASSERT
  if (in[threadIdx.x] < 0 || threadIdx.x >= 0)
    __trap(); // ASSERT
#endif
}
int main() {
  const int n = 256;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = i * 37 % 101;
  int *in, *out, *bins;
  CHECK(cudaMalloc(&in, n * 4));
  CHECK(cudaMalloc(&out, n * 4));
  CHECK(cudaMalloc(&bins, 8 * 4));
#ifndef BUG_UNINIT
  CHECK(cudaMemset(bins, 0, 8 * 4));
#endif
  CHECK(cudaMemcpy(in, host.data(), n * 4, cudaMemcpyHostToDevice));
#ifndef BUG_UNINIT
  histogram<<<2, 128>>>(in, bins, n);
#endif
  sum<<<1, 1>>>(bins, out, 8);
  reverse<<<1, 256>>>(in, out, n);
  shift<<<1, 256>>>(in, out, n);
  checked<<<1, 32>>>(in, n);
#ifdef BUG_FREED
  CHECK(cudaFree(in));
  reverse<<<1, 256>>>(in, out, n);
#endif
#ifdef BUG_COPY
  cudaMemcpy(host.data(), out, n * 4 + 4, cudaMemcpyDeviceToHost);
#endif
#ifdef BUG_FREE
  cudaFree(out + 1);
#endif
  cudaError_t e = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(e));
  // A fault stays.
  EXPECT(cudaMemset(out, 0, 4) == e);
  return e == cudaSuccess ? 0 : 1;
}
