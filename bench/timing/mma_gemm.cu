// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A B^T in bf16 by mma.sync as published ladders describe it, for bench/timing/validate.py: cp.async into swizzled shared memory,
// ldmatrix, STAGES buffers. The tile is a macro.
#include <cuda_bf16.h>

#ifndef BM
#define BM 128
#define BN 128
#define BK 32
#define WARPS_M 2
#define WARPS_N 2
#define STAGES 2
#endif

constexpr int Threads = 32 * WARPS_M * WARPS_N, TM = BM / WARPS_M, TN = BN / WARPS_N, Chunks = BK / 8;

__device__ unsigned place(int row, int chunk) { // of sixteen bytes
  int mask = BK == 64 ? row % 8 : (row / 2) % 4;
  return (row * Chunks + (chunk ^ mask)) * 16;
}

__device__ void copyTile(unsigned to, const __nv_bfloat16 *from, int rows, int k) {
  for (int i = threadIdx.x; i < rows * Chunks; i += Threads) {
    int row = i / Chunks, chunk = i % Chunks;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + place(row, chunk)),
                 "l"(from + size_t(row) * k + chunk * 8));
  }
}

extern "C" __global__ void __launch_bounds__(Threads) gemm(const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *c, int n, int k) {
  extern __shared__ __align__(128) unsigned char shared[];
  const unsigned base = unsigned(__cvta_generic_to_shared(shared));
  constexpr int StageBytes = (BM + BN) * BK * 2;
  const int tilesN = n / BN, tm = blockIdx.x / tilesN, tn = blockIdx.x % tilesN;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, wm = warp / WARPS_N * TM, wn = warp % WARPS_N * TN;
  a += size_t(tm) * BM * k;
  b += size_t(tn) * BN * k;
  float acc[TM / 16][TN / 8][4] = {};
  const int steps = k / BK;
  for (int s = 0; s < STAGES - 1; ++s) {
    copyTile(base + s * StageBytes, a + s * BK, BM, k);
    copyTile(base + s * StageBytes + BM * BK * 2, b + s * BK, BN, k);
    asm volatile("cp.async.commit_group;");
  }
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES > 1 ? STAGES - 2 : 0));
    __syncthreads();
    const int next = step + STAGES - 1;
    if (next < steps) {
      const unsigned to = base + next % STAGES * StageBytes;
      copyTile(to, a + next * BK, BM, k);
      copyTile(to + BM * BK * 2, b + next * BK, BN, k);
    }
    asm volatile("cp.async.commit_group;");
    const unsigned at = base + step % STAGES * StageBytes;
#pragma unroll
    for (int kk = 0; kk < BK / 16; ++kk) {
      unsigned ra[TM / 16][4], rb[TN / 8][2];
#pragma unroll
      for (int i = 0; i < TM / 16; ++i)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(ra[i][0]), "=r"(ra[i][1]), "=r"(ra[i][2]), "=r"(ra[i][3])
                     : "r"(at + place(wm + i * 16 + lane % 16, kk * 2 + lane / 16)));
#pragma unroll
      for (int j = 0; j < TN / 16; ++j)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(rb[2 * j][0]), "=r"(rb[2 * j][1]), "=r"(rb[2 * j + 1][0]), "=r"(rb[2 * j + 1][1])
                     : "r"(at + BM * BK * 2 + place(wn + j * 16 + lane / 16 * 8 + lane % 8, kk * 2 + lane / 8 % 2)));
#pragma unroll
      for (int i = 0; i < TM / 16; ++i)
#pragma unroll
        for (int j = 0; j < TN / 8; ++j)
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                       : "+f"(acc[i][j][0]), "+f"(acc[i][j][1]), "+f"(acc[i][j][2]), "+f"(acc[i][j][3])
                       : "r"(ra[i][0]), "r"(ra[i][1]), "r"(ra[i][2]), "r"(ra[i][3]), "r"(rb[j][0]), "r"(rb[j][1]));
    }
  }
  for (int i = 0; i < TM / 16; ++i)
    for (int j = 0; j < TN / 8; ++j) {
      const size_t row = size_t(tm) * BM + wm + i * 16 + lane / 4, column = tn * BN + wn + j * 8 + lane % 4 * 2;
      *reinterpret_cast<__nv_bfloat162 *>(c + row * n + column) = __floats2bfloat162_rn(acc[i][j][0], acc[i][j][1]);
      *reinterpret_cast<__nv_bfloat162 *>(c + (row + 8) * n + column) = __floats2bfloat162_rn(acc[i][j][2], acc[i][j][3]);
    }
}
