// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A B^T in bf16 by mma.sync as published ladders describe it, for bench/timing/validate.py. What is a macro: the tile, the warps,
// STAGES buffers (with 1, copies are waited for at once); ASYNC 0 copies through registers; PLACE 0 lays rows out one after the other, 1
// pads them by 16 bytes, 2 swizzles them; WIDE 0 fetches B by ldmatrix.x2; EARLY has the fetches of a k step precede its products, with
// addresses computed once; without it B is fetched first, and rows of A just before the products that need them.
#include <cuda_bf16.h>

#ifndef BM
#define BM 128
#define BN 128
#define BK 32
#define WARPS_M 2
#define WARPS_N 2
#define STAGES 2
#endif
#ifndef ASYNC
#define ASYNC 1
#endif
#ifndef PLACE
#define PLACE 2
#endif
#ifndef WIDE
#define WIDE 1
#endif
#ifndef EARLY
#define EARLY 1
#endif

constexpr int Threads = 32 * WARPS_M * WARPS_N, TM = BM / WARPS_M, TN = BN / WARPS_N, Chunks = BK / 8;
constexpr int RowBytes = BK * 2 + (PLACE == 1 ? 16 : 0), StageBytes = (BM + BN) * RowBytes;

__device__ unsigned place(int row, int chunk) { // of sixteen bytes
  int mask = PLACE != 2 ? 0 : BK == 64 ? row % 8 : (row / 2) % 4;
  return row * RowBytes + (chunk ^ mask) * 16;
}

template <int Rows> __device__ void copyTile(unsigned to, const __nv_bfloat16 *from, int k) {
#pragma unroll
  for (int r = 0; r < Rows * Chunks / Threads; ++r) {
    const int i = r * Threads + threadIdx.x, row = i / Chunks, chunk = i % Chunks;
    const __nv_bfloat16 *source = from + size_t(row) * k + chunk * 8;
#if ASYNC
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + place(row, chunk)), "l"(source));
#else
    const uint4 v = *reinterpret_cast<const uint4 *>(source);
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to + place(row, chunk)), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
#endif
  }
}

__device__ void fetch4(unsigned (&r)[4], unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from) : "memory");
}

__device__ void fetch2(unsigned &r0, unsigned &r1, unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r0), "=r"(r1) : "r"(from) : "memory");
}

struct Fragments {
  unsigned a[TM / 16][4], b[TN / 16][4];
};

extern "C" __global__ void __launch_bounds__(Threads) gemm(const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *c, int n, int k) {
  extern __shared__ __align__(128) unsigned char shared[];
  const unsigned base = unsigned(__cvta_generic_to_shared(shared));
  const int tilesN = n / BN, tm = blockIdx.x / tilesN, tn = blockIdx.x % tilesN;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, wm = warp / WARPS_N * TM, wn = warp % WARPS_N * TN;
  a += size_t(tm) * BM * k;
  b += size_t(tn) * BN * k;
  // With rows that are swizzled, a step of sixteen along k is an xor; along the rows it is a constant either way.
  const unsigned ofA = place(wm + lane % 16, lane / 16), ofB = BM * RowBytes + place(wn + lane / 16 * 8 + lane % 8, lane / 8 % 2);
  float acc[TM / 16][TN / 8][4] = {};
  const int steps = k / BK;
  auto copy = [&](int step) {
    if (step < steps) {
      const unsigned to = base + step % STAGES * StageBytes;
      copyTile<BM>(to, a, k);
      copyTile<BN>(to + BM * RowBytes, b, k);
      a += BK;
      b += BK;
    }
    asm volatile("cp.async.commit_group;");
  };
  auto fetchA = [&](unsigned (&to)[4], unsigned at, int kk, int i) {
    fetch4(to, EARLY && PLACE == 2 ? (at + ofA + i * 16 * RowBytes) ^ kk * 32 : at + place(wm + i * 16 + lane % 16, kk * 2 + lane / 16));
  };
  auto fetch = [&](Fragments &f, unsigned at, int kk) {
#pragma unroll
    for (int i = 0; EARLY && i < TM / 16; ++i)
      fetchA(f.a[i], at, kk, i);
#pragma unroll
    for (int j = 0; j < TN / 16; ++j)
      if (WIDE) {
        fetch4(f.b[j], EARLY && PLACE == 2 ? (at + ofB + j * 16 * RowBytes) ^ kk * 32
                                           : at + BM * RowBytes + place(wn + j * 16 + lane / 16 * 8 + lane % 8, kk * 2 + lane / 8 % 2));
      } else {
        fetch2(f.b[j][0], f.b[j][1], at + BM * RowBytes + place(wn + j * 16 + lane % 8, kk * 2 + lane / 8 % 2));
        fetch2(f.b[j][2], f.b[j][3], at + BM * RowBytes + place(wn + j * 16 + 8 + lane % 8, kk * 2 + lane / 8 % 2));
      }
  };
  auto multiply = [&](Fragments &f, unsigned at, int kk) {
#pragma unroll
    for (int i = 0; i < TM / 16; ++i) {
      if (!EARLY)
        fetchA(f.a[i], at, kk, i);
#pragma unroll
      for (int j = 0; j < TN / 8; ++j)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(acc[i][j][0]), "+f"(acc[i][j][1]), "+f"(acc[i][j][2]), "+f"(acc[i][j][3])
                     : "r"(f.a[i][0]), "r"(f.a[i][1]), "r"(f.a[i][2]), "r"(f.a[i][3]), "r"(f.b[j / 2][j % 2 * 2]), "r"(f.b[j / 2][j % 2 * 2 + 1]));
    }
  };
  for (int s = 0; s < STAGES - 1; ++s)
    copy(s);
  for (int step = 0; step < steps; ++step) {
    if (STAGES > 1)
      __syncthreads(); // nobody reads the stage any more
    copy(step + STAGES - 1);
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 1) : "memory");
    __syncthreads();
    const unsigned at = base + step % STAGES * StageBytes;
    Fragments f[EARLY ? BK / 16 : 1];
    if (EARLY) {
#pragma unroll
      for (int kk = 0; kk < BK / 16; ++kk)
        fetch(f[kk], at, kk);
    }
#pragma unroll
    for (int kk = 0; kk < BK / 16; ++kk) {
      if (!EARLY)
        fetch(f[0], at, kk);
      multiply(f[EARLY ? kk : 0], at, kk);
    }
    if (STAGES == 1)
      __syncthreads();
  }
  for (int i = 0; i < TM / 16; ++i)
    for (int j = 0; j < TN / 8; ++j) {
      const size_t row = size_t(tm) * BM + wm + i * 16 + lane / 4, column = tn * BN + wn + j * 8 + lane % 4 * 2;
      *reinterpret_cast<__nv_bfloat162 *>(c + row * n + column) = __floats2bfloat162_rn(acc[i][j][0], acc[i][j][1]);
      *reinterpret_cast<__nv_bfloat162 *>(c + (row + 8) * n + column) = __floats2bfloat162_rn(acc[i][j][2], acc[i][j][3]);
    }
}
