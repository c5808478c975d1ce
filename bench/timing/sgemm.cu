// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = alpha A B + beta C in f32 without tensor cores, all matrices n x n by rows: the steps of a published ladder (set B), for
// bench/timing/validate.py.
#include <cuda_runtime.h>

using Matrix = const float *__restrict__;

// One thread, one element; the threads of a warp lie in one column.
extern "C" __global__ void naive(Matrix a, Matrix b, float *c, int n, float alpha, float beta) {
  const unsigned row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

// The same, a warp in one row.
extern "C" __global__ void coalesced(Matrix a, Matrix b, float *c, int n, float alpha, float beta) {
  const unsigned row = blockIdx.x * 32 + threadIdx.x / 32, column = blockIdx.y * 32 + threadIdx.x % 32;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

// Tiles of 32 x 32 through shared memory.
extern "C" __global__ void tiled(Matrix a, Matrix b, float *c, int n, float alpha, float beta) {
  __shared__ float as[32 * 32], bs[32 * 32];
  const unsigned x = threadIdx.x % 32, y = threadIdx.x / 32;
  a += blockIdx.x * 32 * n;
  b += blockIdx.y * 32;
  c += blockIdx.x * 32 * n + blockIdx.y * 32;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    as[y * 32 + x] = a[y * n + x];
    bs[y * 32 + x] = b[y * n + x];
    __syncthreads();
    a += 32;
    b += 32 * n;
    for (int i = 0; i < 32; ++i)
      sum += as[y * 32 + i] * bs[i * 32 + x];
    __syncthreads();
  }
  c[y * n + x] = alpha * sum + beta * c[y * n + x];
}

// 64 x 64 of a block, k in steps of 8; a thread has eight rows of one column.
extern "C" __global__ void __launch_bounds__(512) strip(Matrix a, Matrix b, float *c, int n, float alpha, float beta) {
  __shared__ float as[64 * 8], bs[8 * 64];
  const unsigned column = threadIdx.x % 64, rows = threadIdx.x / 64 * 8, ay = threadIdx.x / 8, ax = threadIdx.x % 8, by = threadIdx.x / 64;
  a += blockIdx.y * 64 * n;
  b += blockIdx.x * 64;
  c += blockIdx.y * 64 * n + blockIdx.x * 64;
  float sums[8] = {};
  for (int k = 0; k < n; k += 8) {
    as[ay * 8 + ax] = a[ay * n + ax];
    bs[by * 64 + column] = b[by * n + column];
    __syncthreads();
    a += 8;
    b += 8 * n;
    for (unsigned i = 0; i < 8; ++i) {
      const float right = bs[i * 64 + column];
      for (unsigned r = 0; r < 8; ++r)
        sums[r] += as[(rows + r) * 8 + i] * right;
    }
    __syncthreads();
  }
  for (unsigned r = 0; r < 8; ++r)
    c[(rows + r) * n + column] = alpha * sums[r] + beta * c[(rows + r) * n + column];
}

// 128 x 128 of a block of 256 threads, k in steps of 8; a thread has 8 x 8.
extern "C" __global__ void __launch_bounds__(256, 1) square(Matrix a, Matrix b, float *c, int n, float alpha, float beta) {
  __shared__ float as[128 * 8], bs[8 * 128];
  const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16, ay = threadIdx.x / 8, ax = threadIdx.x % 8, by = threadIdx.x / 128,
                 bx = threadIdx.x % 128;
  a += blockIdx.y * 128 * n;
  b += blockIdx.x * 128;
  c += blockIdx.y * 128 * n + blockIdx.x * 128;
  float sums[8][8] = {}, left[8], right[8];
  for (int k = 0; k < n; k += 8) {
    for (unsigned i = 0; i < 128; i += 32)
      as[(ay + i) * 8 + ax] = a[(ay + i) * n + ax];
    for (unsigned i = 0; i < 8; i += 2)
      bs[(by + i) * 128 + bx] = b[(by + i) * n + bx];
    __syncthreads();
    a += 8;
    b += 8 * n;
    for (unsigned i = 0; i < 8; ++i) {
      for (unsigned r = 0; r < 8; ++r)
        left[r] = as[(y * 8 + r) * 8 + i];
      for (unsigned r = 0; r < 8; ++r)
        right[r] = bs[i * 128 + x * 8 + r];
      for (unsigned r = 0; r < 8; ++r)
        for (unsigned s = 0; s < 8; ++s)
          sums[r][s] += left[r] * right[s];
    }
    __syncthreads();
  }
  for (unsigned r = 0; r < 8; ++r)
    for (unsigned s = 0; s < 8; ++s) {
      float &to = c[(y * 8 + r) * n + x * 8 + s];
      to = alpha * sums[r][s] + beta * to;
    }
}

__device__ float4 scaled(float alpha, const float *sums, float beta, float4 old) {
  return make_float4(alpha * sums[0] + beta * old.x, alpha * sums[1] + beta * old.y, alpha * sums[2] + beta * old.z, alpha * sums[3] + beta * old.w);
}

// The same, sixteen bytes at a time; A is transposed on its way into shared memory.
template <int BK>
__device__ __forceinline__ void vectors(Matrix a, Matrix b, float *c, int n, float alpha, float beta) {
  constexpr int BM = 128, BN = 128;
  __shared__ float as[BK * BM], bs[BK * BN];
  const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
  const unsigned ay = threadIdx.x / (BK / 4), ax = threadIdx.x % (BK / 4), by = threadIdx.x / (BN / 4), bx = threadIdx.x % (BN / 4);
  constexpr unsigned AStep = 256 / (BK / 4), BStep = 256 / (BN / 4);
  a += blockIdx.y * BM * n;
  b += blockIdx.x * BN;
  c += blockIdx.y * BM * n + blockIdx.x * BN;
  float sums[8][8] = {}, left[8], right[8];
  for (int k = 0; k < n; k += BK) {
    for (unsigned i = 0; i < BM; i += AStep) {
      const float4 v = *reinterpret_cast<const float4 *>(a + (ay + i) * n + ax * 4);
      as[(ax * 4 + 0) * BM + ay + i] = v.x;
      as[(ax * 4 + 1) * BM + ay + i] = v.y;
      as[(ax * 4 + 2) * BM + ay + i] = v.z;
      as[(ax * 4 + 3) * BM + ay + i] = v.w;
    }
    for (unsigned i = 0; i < BK; i += BStep)
      *reinterpret_cast<float4 *>(bs + (by + i) * BN + bx * 4) = *reinterpret_cast<const float4 *>(b + (by + i) * n + bx * 4);
    __syncthreads();
    a += BK;
    b += BK * n;
    for (unsigned i = 0; i < BK; ++i) {
      for (unsigned r = 0; r < 8; ++r)
        left[r] = as[i * BM + y * 8 + r];
      for (unsigned r = 0; r < 8; ++r)
        right[r] = bs[i * BN + x * 8 + r];
      for (unsigned r = 0; r < 8; ++r)
        for (unsigned s = 0; s < 8; ++s)
          sums[r][s] += left[r] * right[s];
    }
    __syncthreads();
  }
  for (unsigned r = 0; r < 8; ++r)
    for (unsigned s = 0; s < 8; s += 4) {
      float4 *to = reinterpret_cast<float4 *>(c + (y * 8 + r) * n + x * 8 + s);
      *to = scaled(alpha, sums[r] + s, beta, *to);
    }
}
extern "C" __global__ void __launch_bounds__(256) vectorised(Matrix a, Matrix b, float *c, int n, float alpha, float beta) {
  vectors<8>(a, b, c, n, alpha, beta);
}
extern "C" __global__ void __launch_bounds__(256) autotuned(Matrix a, Matrix b, float *c, int n, float alpha, float beta) {
  vectors<16>(a, b, c, n, alpha, beta);
}

// Four warps of 64 x 64; a warp goes over its part in four steps of sixteen columns, a thread has 8 x 4 of each.
extern "C" __global__ void __launch_bounds__(128) warps(Matrix a, Matrix b, float *c, int n, float alpha, float beta) {
  constexpr int BM = 128, BN = 128, BK = 16, Columns = 4; // steps along n
  __shared__ float as[BK * BM], bs[BK * BN];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, wy = warp / 2 * 64, wx = warp % 2 * 64, ty = lane / 4 * 8, tx = lane % 4 * 4;
  const unsigned ay = threadIdx.x / (BK / 4), ax = threadIdx.x % (BK / 4), by = threadIdx.x / (BN / 4), bx = threadIdx.x % (BN / 4);
  a += blockIdx.y * BM * n;
  b += blockIdx.x * BN;
  c += (blockIdx.y * BM + wy) * n + blockIdx.x * BN + wx;
  float sums[8][4 * Columns] = {}, left[8], right[4 * Columns];
  for (int k = 0; k < n; k += BK) {
    for (unsigned i = 0; i < BM; i += 128 / (BK / 4)) {
      const float4 v = *reinterpret_cast<const float4 *>(a + (ay + i) * n + ax * 4);
      as[(ax * 4 + 0) * BM + ay + i] = v.x;
      as[(ax * 4 + 1) * BM + ay + i] = v.y;
      as[(ax * 4 + 2) * BM + ay + i] = v.z;
      as[(ax * 4 + 3) * BM + ay + i] = v.w;
    }
    for (unsigned i = 0; i < BK; i += 128 / (BN / 4))
      *reinterpret_cast<float4 *>(bs + (by + i) * BN + bx * 4) = *reinterpret_cast<const float4 *>(b + (by + i) * n + bx * 4);
    __syncthreads();
    for (unsigned i = 0; i < BK; ++i) {
      for (unsigned r = 0; r < 8; ++r)
        left[r] = as[i * BM + wy + ty + r];
      for (unsigned s = 0; s < 4 * Columns; ++s)
        right[s] = bs[i * BN + wx + s / 4 * 16 + tx + s % 4];
      for (unsigned r = 0; r < 8; ++r)
        for (unsigned s = 0; s < 4 * Columns; ++s)
          sums[r][s] += left[r] * right[s];
    }
    a += BK;
    b += BK * n;
    __syncthreads();
  }
  for (unsigned r = 0; r < 8; ++r)
    for (unsigned s = 0; s < 4 * Columns; s += 4) {
      float4 *to = reinterpret_cast<float4 *>(c + (ty + r) * n + s / 4 * 16 + tx);
      *to = scaled(alpha, sums[r] + s, beta, *to);
    }
}
