// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention in bf16 by mma.sync, head dimension 128, nothing masked, as a published ladder describes it (set M), for bench/timing/validate.py.
// Four warps have a quarter of BM queries each, in registers; keys and values come in blocks of BN by cp.async. What is a macro: SWIZZLE of shared
// memory; STAGES of keys and of values (with 1 nothing overlaps: each block of keys, and then of values, is waited for when it is needed); WIDE
// fetches four 8 x 8 tiles of K and V at a time instead of two; SINGLE keeps one stage of values only, copied while the scores are computed.
#include <cuda_bf16.h>

constexpr int D = 128, Rows = BM / 64 /* of sixteen queries */, Threads = 128, RowBytes = D * 2, Tile = BN * RowBytes;
constexpr int ValueStages = SINGLE ? 1 : STAGES;

__device__ __forceinline__ unsigned place(int row, int chunk) { return row * RowBytes + (SWIZZLE ? chunk ^ row % 8 : chunk) * 16; }

template <int Count> __device__ __forceinline__ void copyTile(unsigned to, const __nv_bfloat16 *from) {
#pragma unroll
  for (int r = 0; r < Count * (D / 8) / Threads; ++r) {
    const int i = r * Threads + threadIdx.x, row = i / (D / 8), chunk = i % (D / 8);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + place(row, chunk)), "l"(from + row * D + chunk * 8));
  }
}
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;"); }
template <int N> __device__ __forceinline__ void settle() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
  __syncthreads();
}

__device__ __forceinline__ void fetch4(unsigned *r, unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from) : "memory");
}
__device__ __forceinline__ void fetch2(unsigned *r, unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(from) : "memory");
}
__device__ __forceinline__ void turned4(unsigned *r, unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from) : "memory");
}
__device__ __forceinline__ void turned2(unsigned *r, unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(from) : "memory");
}
__device__ __forceinline__ void multiply(float *d, const unsigned *a, const unsigned *b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

extern "C" __global__ void __launch_bounds__(Threads)
attention(const __nv_bfloat16 *q, const __nv_bfloat16 *k, const __nv_bfloat16 *v, __nv_bfloat16 *o, int queries, int keys, float scale) {
  extern __shared__ __align__(128) unsigned char shared[];
  const unsigned base = unsigned(__cvta_generic_to_shared(shared)), values = base + STAGES * Tile;
  const int blocks = queries / BM, head = blockIdx.x / blocks, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  q += size_t(blockIdx.x) * BM * D;
  o += size_t(blockIdx.x) * BM * D;
  k += size_t(head) * keys * D;
  v += size_t(head) * keys * D;

  unsigned qs[Rows][D / 16][4];
  copyTile<BM>(base, q);
  commit();
  settle<0>();
#pragma unroll
  for (int m = 0; m < Rows; ++m)
#pragma unroll
    for (int d = 0; d < D / 16; ++d)
      fetch4(qs[m][d], base + place((warp * Rows + m) * 16 + lane % 16, 2 * d + lane / 16));
  __syncthreads();

  float out[Rows][D / 8][4] = {}, top[Rows][2], total[Rows][2] = {};
#pragma unroll
  for (int m = 0; m < Rows; ++m)
    top[m][0] = top[m][1] = -INFINITY;
  const int steps = keys / BN;
  auto copyK = [&](int i) {
    if (i < steps)
      copyTile<BN>(base + i % STAGES * Tile, k + size_t(i) * BN * D);
    commit();
  };
  auto copyV = [&](int i) {
    if (i < steps)
      copyTile<BN>(values + i % ValueStages * Tile, v + size_t(i) * BN * D);
    commit();
  };
#if STAGES > 1
  copyK(0);
#if !SINGLE
  copyV(0);
#endif
#endif
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    float s[Rows][BN / 8][4] = {};
    unsigned ks[BN / 8][D / 16][2];
#if STAGES == 1
    copyK(i);
    settle<0>();
#elif SINGLE
    __syncthreads(); // nobody reads the values of before any more
    copyV(i);
    settle<1>();
#else
    copyK(i + 1);
    settle<2>();
#endif
    const unsigned atK = base + i % STAGES * Tile, atV = values + i % ValueStages * Tile;
#pragma unroll
    for (int n = 0; n < BN / 8; ++n)
#pragma unroll
      for (int d = 0; d < D / 16; d += 1 + WIDE) {
#if WIDE
        fetch4(ks[n][d], atK + place(n * 8 + lane % 8, 2 * d + lane / 8));
#else
        fetch2(ks[n][d], atK + place(n * 8 + lane % 8, 2 * d + lane / 8 % 2));
#endif
      }
#pragma unroll
    for (int m = 0; m < Rows; ++m)
#pragma unroll
      for (int n = 0; n < BN / 8; ++n)
#pragma unroll
        for (int d = 0; d < D / 16; ++d)
          multiply(s[m][n], qs[m][d], ks[n][d]);
#if STAGES > 1 && SINGLE
    copyK(i + 1);
#elif STAGES > 1
    copyV(i + 1);
#endif
    unsigned p[Rows][BN / 16][4];
#pragma unroll
    for (int mh = 0; mh < 2 * Rows; ++mh) {
      const int m = mh / 2, h = mh % 2;
      float highest = -INFINITY;
#pragma unroll
      for (int n = 0; n < BN / 8; ++n) {
        s[m][n][2 * h] *= scale;
        s[m][n][2 * h + 1] *= scale;
        highest = fmaxf(highest, fmaxf(s[m][n][2 * h], s[m][n][2 * h + 1]));
      }
      highest = fmaxf(highest, __shfl_xor_sync(~0u, highest, 1));
      highest = fmaxf(highest, __shfl_xor_sync(~0u, highest, 2));
      highest = fmaxf(highest, top[m][h]);
      const float less = __expf(top[m][h] - highest);
      top[m][h] = highest;
#pragma unroll
      for (int d = 0; d < D / 8; ++d) {
        out[m][d][2 * h] *= less;
        out[m][d][2 * h + 1] *= less;
      }
      float sum = 0;
#pragma unroll
      for (int n = 0; n < BN / 8; ++n) {
        const float x = __expf(s[m][n][2 * h] - highest), y = __expf(s[m][n][2 * h + 1] - highest);
        sum += x + y;
        const __nv_bfloat162 both = __floats2bfloat162_rn(x, y);
        p[m][n / 2][n % 2 * 2 + h] = *reinterpret_cast<const unsigned *>(&both);
      }
      sum += __shfl_xor_sync(~0u, sum, 1);
      sum += __shfl_xor_sync(~0u, sum, 2);
      total[m][h] = total[m][h] * less + sum;
    }
#if STAGES == 1
    copyV(i);
    settle<0>();
#elif SINGLE
    settle<1>();
#else
    settle<2>();
#endif
    unsigned vs[BN / 16][D / 8][2];
#pragma unroll
    for (int n = 0; n < BN / 16; ++n)
#pragma unroll
      for (int d = 0; d < D / 8; d += 1 + WIDE) {
#if WIDE
        turned4(vs[n][d], atV + place(n * 16 + lane % 16, d + lane / 16));
#else
        turned2(vs[n][d], atV + place(n * 16 + lane % 16, d));
#endif
      }
#pragma unroll
    for (int m = 0; m < Rows; ++m)
#pragma unroll
      for (int d = 0; d < D / 8; ++d)
#pragma unroll
        for (int n = 0; n < BN / 16; ++n)
          multiply(out[m][d], p[m][n], vs[n][d]);
  }
#pragma unroll
  for (int m = 0; m < Rows; ++m)
#pragma unroll
    for (int d = 0; d < D / 8; ++d)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int row = (warp * Rows + m) * 16 + lane / 4 + 8 * h;
        *reinterpret_cast<__nv_bfloat162 *>(o + row * D + d * 8 + lane % 4 * 2) =
            __floats2bfloat162_rn(out[m][d][2 * h] / total[m][h], out[m][d][2 * h + 1] / total[m][h]);
      }
}
