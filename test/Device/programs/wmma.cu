// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor cores by nvcuda::wmma, tiles through shared memory.
#include "check.h"
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
const int N = 64;
__global__ void multiply(const half *a, const half *b, float *c) {
  __shared__ half ta[32 * 16], tb[16 * 32];
  int warp = threadIdx.x / 32, row = blockIdx.y * 32, column = blockIdx.x * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.f);
  for (int k = 0; k < N; k += 16) {
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      ta[i] = a[(row + i / 16) * N + k + i % 16];
      tb[i] = b[(k + i / 32) * N + column + i % 32];
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::load_matrix_sync(fa, ta + (warp / 2) * 256, 16);
    wmma::load_matrix_sync(fb, tb + (warp % 2) * 16, 32);
    wmma::mma_sync(sum, fa, fb, sum);
    __syncthreads();
  }
  wmma::store_matrix_sync(c + (row + warp / 2 * 16) * N + column + warp % 2 * 16, sum, N, wmma::mem_row_major);
}
int main() {
  std::vector<half> a(N * N), b(N * N);
  std::vector<float> c(N * N);
  for (int i = 0; i < N * N; ++i)
    a[i] = __float2half(float(i % 5 - 2)), b[i] = __float2half(float(i % 7 - 3));
  half *da, *db;
  float *dc;
  CHECK(cudaMalloc(&da, N * N * 2));
  CHECK(cudaMalloc(&db, N * N * 2));
  CHECK(cudaMalloc(&dc, N * N * 4));
  CHECK(cudaMemcpy(da, a.data(), N * N * 2, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b.data(), N * N * 2, cudaMemcpyHostToDevice));
  multiply<<<dim3(N / 32, N / 32), 128>>>(da, db, dc);
  CHECK(cudaMemcpy(c.data(), dc, N * N * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      float want = 0;
      for (int k = 0; k < N; ++k)
        want += float((i * N + k) % 5 - 2) * float((k * N + j) % 7 - 3);
      EXPECT(c[i * N + j] == want);
    }
  std::puts("good");
}
