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

// Set U's for an A100, C = A B of any height: eight warps of 64 x 64 side by side, four of them across; a thread has four times four rows, sixteen apart, and
// twice four columns, 32 apart. Copies of a word each fill the other of two buffers, fragments are fetched a step ahead, results leave by rows.
extern "C" __global__ void __launch_bounds__(256) wide(Matrix a, Matrix b, float *c, int n, int k) {
  constexpr unsigned BM = 128, BN = 256, BK = 8, Row = BM + 4;
  __shared__ __align__(16) float as[2][BK * Row], bs[2][BK * BN];
  const unsigned t = threadIdx.x, warp = t / 32, lane = t % 32, x = lane / 2 % 8 * 4, y = (lane / 16 * 2 + lane % 2) * 4;
  a += size_t(blockIdx.y * BM + t / BK) * k + t % BK;
  b += size_t(t / BM) * n + blockIdx.x * BN + t % BM;
  const unsigned toA = unsigned(__cvta_generic_to_shared(&as[0][t % BK * Row + t / BK])), toB = unsigned(__cvta_generic_to_shared(&bs[0][t / BM * BN + t % BM]));
  auto copy = [&](unsigned buffer, unsigned part) {
    auto word = [](unsigned to, const float *from) { asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory"); };
    word(toA + buffer * (BK * Row * 4) + part * 32 * 4, a + size_t(part * 32) * k);
    word(toB + buffer * (BK * BN * 4) + part * 2 * BN * 4, b + size_t(part * 2) * n);
    word(toB + buffer * (BK * BN * 4) + (part * 2 * BN + 128) * 4, b + size_t(part * 2) * n + 128);
  };
  float sums[16][8] = {}, left[2][16], right[2][8];
  auto fetch = [&](unsigned buffer, unsigned step) {
    for (unsigned i = 0; i < 4; ++i)
      *reinterpret_cast<float4 *>(&left[step % 2][i * 4]) = *reinterpret_cast<const float4 *>(&as[buffer][step * Row + warp / 4 * 64 + y + i * 16]);
    for (unsigned i = 0; i < 2; ++i)
      *reinterpret_cast<float4 *>(&right[step % 2][i * 4]) = *reinterpret_cast<const float4 *>(&bs[buffer][step * BN + warp % 4 * 64 + x + i * 32]);
  };
  for (unsigned part = 0; part < 4; ++part)
    copy(0, part);
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  fetch(0, 0);
  for (unsigned tile = 0, buffer = 0; tile < k / BK; ++tile) {
    const bool more = tile + 1 < k / BK;
    a += BK;
    b += size_t(BK) * n;
#pragma unroll
    for (unsigned step = 0; step < BK; ++step) {
      if (step + 1 < BK) {
        fetch(buffer, step + 1);
      } else if (more) {
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        buffer ^= 1;
        fetch(buffer, 0);
      }
      if (step < 4 && more)
        copy(buffer ^ 1, step);
#pragma unroll
      for (unsigned i = 0; i < 16; ++i)
#pragma unroll
        for (unsigned j = 0; j < 8; ++j)
          sums[i][j] += left[step % 2][i] * right[step % 2][j];
    }
  }
  c += size_t(blockIdx.y * BM + warp / 4 * 64) * n + blockIdx.x * BN + warp % 4 * 64 + lane;
  float *mine = &bs[0][warp * 512]; // sixteen rows of 32
#pragma unroll
  for (unsigned i = 0; i < 4; ++i)
#pragma unroll
    for (unsigned j = 0; j < 2; ++j) {
      __syncthreads();
      for (unsigned p = 0; p < 4; ++p)
        *reinterpret_cast<float4 *>(&mine[(y + p) * 32 + x]) = *reinterpret_cast<const float4 *>(&sums[i * 4 + p][j * 4]);
      __syncthreads();
      for (unsigned p = 0; p < 16; ++p)
        c[size_t(i * 16 + p) * n + j * 32] = mine[p * 32 + lane];
    }
}
