// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A B in f16 by mma.sync, all three by rows (B's are fetched by ldmatrix.trans), as set U's source for an RTX 4090 describes its steps. What is a macro:
// the tile, the warps (pieces of sixteen rows and of sixteen columns go to warps in turn), STAGES; SWIZZLE; HALF has sums, and so results, of f16 (else f32);
// AHEAD fetches the first half of a tile's fragments before the last products of the tile before; STAGED puts results into rows of sixteen bytes for the
// stores, eight rows of each warp's sixteen at a time. Without, they are stored one by one, as the source does. `direct` takes fragments from global memory.
#include <cuda_fp16.h>

#ifndef BM
#define BM 64
#define BN 128
#define BK 64
#define WARPS_M 2
#define WARPS_N 2
#define STAGES 2
#endif
#ifndef SWIZZLE
#define SWIZZLE 1
#endif
#ifndef HALF
#define HALF 0
#endif
#ifndef AHEAD
#define AHEAD 0
#endif
#ifndef STAGED
#define STAGED 0
#endif

#if HALF
using Result = __half;
using Sums = unsigned[2];
#else
using Result = float;
using Sums = float[4];
#endif

constexpr int Threads = 32 * WARPS_M * WARPS_N, MI = BM / WARPS_M / 16, NI = BN / WARPS_N / 16, Steps = BK / 16;
// A row of A in shared memory has 128 bytes: of several rows of the tile, Lines apart, if those are shorter.
constexpr int Chunks = BK / 8, Lines = BM * BK / 64, Wide = BN / 8, Left = BM * BK * 2, Stage = Left + BN * BK * 2;

__device__ void copy16(unsigned to, const __half *from) { asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory"); }

struct Fragments {
  unsigned a[MI][4], b[NI][4];
};

__device__ void product(Sums &d, const unsigned (&a)[4], const unsigned *b) {
#if HALF
  asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
      : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/// Two neighbours of a row: the upper eight rows' (0) or the lower ones' (1).
__device__ void put(Result *to, const Sums &d, int low) {
#if HALF
  const __half2 v = *reinterpret_cast<const __half2 *>(&d[low]);
  to[0] = v.x;
  to[1] = v.y;
#else
  to[0] = d[2 * low];
  to[1] = d[2 * low + 1];
#endif
}

extern "C" __global__ void __launch_bounds__(Threads) gemm(const __half *a, const __half *b, Result *c, int n, int k) {
  extern __shared__ __align__(128) unsigned char shared[];
  const unsigned base = unsigned(__cvta_generic_to_shared(shared));
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, wm = warp / WARPS_N * 16, wn = warp % WARPS_N * 16;
  c += size_t(blockIdx.x) * BM * n + size_t(blockIdx.y) * BN;
  // Each thread's first pieces of sixteen bytes; the others are whole eights of rows further, where the swizzle is the same.
  constexpr unsigned Down = Threads / 8, DownB = Threads / Wide;
  static_assert(Down % 8 == 0 && DownB % 8 == 0 && Lines % Down == 0 && BK % DownB == 0 && WARPS_N * 16 % 32 == 0, "pieces");
  const unsigned t = threadIdx.x, line = t / 8, piece = t % 8, rowB = t / Wide, pieceB = t % Wide;
  const unsigned toA = base + line * 128 + (SWIZZLE ? piece ^ line % 8 : piece) * 16;
  const unsigned toB = base + Left + rowB * Wide * 16 + (SWIZZLE ? pieceB ^ rowB % 8 : pieceB) * 16;
  a += size_t(blockIdx.x * BM + line + piece / Chunks * Lines) * k + piece % Chunks * 8;
  b += size_t(rowB) * n + blockIdx.y * BN + pieceB * 8;
  auto copy = [&](int stage) {
#pragma unroll
    for (int i = 0; i < Lines / Down; ++i)
      copy16(toA + stage * Stage + i * Down * 128, a + size_t(i * Down) * k);
#pragma unroll
    for (int i = 0; i < BK / DownB; ++i)
      copy16(toB + stage * Stage + i * DownB * Wide * 16, b + size_t(i * DownB) * n);
    a += BK;
    b += size_t(BK) * n;
  };
  // A step along k, and one of a few columns, is an xor where rows are swizzled: of the bits above those that a lane has.
  const unsigned row = lane % 8, half = lane / 16;
  const unsigned fromA = base + (wm + lane % 16) * 128, fromB = base + Left + lane % 16 * Wide * 16, inA = (SWIZZLE ? half ^ row : half) * 16,
                 inB = (SWIZZLE ? (wn / 8 + half) ^ row : wn / 8 + half) * 16;
  auto fetch = [&](Fragments &f, unsigned stage, int kk) {
#pragma unroll
    for (int i = 0; i < MI; ++i) {
      const int first = i * 16 * WARPS_M;
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(f.a[i][0]), "=r"(f.a[i][1]), "=r"(f.a[i][2]), "=r"(f.a[i][3])
                   : "r"(fromA + stage + first % Lines * 128 + (inA ^ (kk * 2 + first / Lines * Chunks) * 16)) : "memory");
    }
#pragma unroll
    for (int j = 0; j < NI; ++j)
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(f.b[j][0]), "=r"(f.b[j][1]), "=r"(f.b[j][2]), "=r"(f.b[j][3])
                   : "r"(fromB + stage + kk * 16 * Wide * 16 + (inB ^ j * 2 * WARPS_N * 16)) : "memory");
  };
  Sums sums[MI][2 * NI] = {};
  auto multiply = [&](const Fragments &f) {
#pragma unroll
    for (int i = 0; i < MI; ++i)
#pragma unroll
      for (int j = 0; j < 2 * NI; ++j)
        product(sums[i][j], f.a[i], &f.b[j / 2][j % 2 * 2]);
  };
  const int steps = k / BK;
#if AHEAD
  static_assert(STAGES == 3 && Steps == 2, "fragments of one tile ahead");
  for (int i = 0; i < 2; ++i) {
    copy(i);
    asm volatile("cp.async.commit_group;");
  }
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  __syncthreads();
  Fragments first, second;
  fetch(first, 0, 0);
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    fetch(second, step % 3 * Stage, 1);
    multiply(first);
    if (step + 2 < steps)
      copy((step + 2) % 3);
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    fetch(first, (step + 1) % 3 * Stage, 0);
    multiply(second);
  }
#else
  for (int i = 0; i < STAGES; ++i) {
    copy(i);
    asm volatile("cp.async.commit_group;");
  }
  asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 1) : "memory");
  __syncthreads();
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    const unsigned stage = step % STAGES;
    Fragments f;
#pragma unroll
    for (int kk = 0; kk < Steps; ++kk) {
      fetch(f, stage * Stage, kk);
      multiply(f);
    }
    __syncthreads(); // nobody reads the stage any more
    if (step + STAGES < steps)
      copy(stage);
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 1) : "memory");
    __syncthreads();
  }
#endif
#if STAGED
  // Eight rows of each warp's sixteen, padded by sixteen bytes.
  static_assert(HALF, "rows of f16");
  constexpr int Row = BN * 2 + 16, Rows = 8 * WARPS_M;
#pragma unroll
  for (int i = 0; i < MI; ++i)
#pragma unroll
    for (int low = 0; low < 2; ++low) {
      __syncthreads();
#pragma unroll
      for (int j = 0; j < 2 * NI; ++j)
        *reinterpret_cast<unsigned *>(shared + (wm / 2 + lane / 4) * Row + (j / 2 * 16 * WARPS_N + wn + j % 2 * 8) * 2 + lane % 4 * 4) = sums[i][j][low];
      __syncthreads();
#pragma unroll
      for (int r = 0; r < Rows * Wide / Threads; ++r) {
        const unsigned row = rowB + r * DownB, column = pieceB * 8;
        *reinterpret_cast<uint4 *>(c + size_t(i * 16 * WARPS_M + row / 8 * 16 + low * 8 + row % 8) * n + column) =
            *reinterpret_cast<const uint4 *>(shared + row * Row + column * 2);
      }
    }
#else
#pragma unroll
  for (int i = 0; i < MI; ++i)
#pragma unroll
    for (int j = 0; j < 2 * NI; ++j) {
      Result *to = c + size_t(i * 16 * WARPS_M + wm + lane / 4) * n + j / 2 * 16 * WARPS_N + wn + j % 2 * 8 + lane % 4 * 2;
      put(to, sums[i][j], 0);
      put(to + size_t(8) * n, sums[i][j], 1);
    }
#endif
}

// Four warps side by side, 64 x 32 each; no shared memory. Sums are of f32, results of f16.
extern "C" __global__ void __launch_bounds__(128) direct(const __half *a, const __half *b, __half *c, int n, int k) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  a += (size_t(blockIdx.y) * 64 + lane / 4) * k + lane % 4 * 2;
  b += size_t(lane % 4 * 2) * n + blockIdx.x * 128 + warp * 32 + lane / 4;
  float sums[4][4][4] = {};
#pragma unroll 1
  for (int step = 0; step < k; step += 16) {
    unsigned of[4][2];
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const __half *from = b + size_t(half * 8) * n + j * 8;
        const __half2 v = __halves2half2(from[0], from[n]);
        of[j][half] = *reinterpret_cast<const unsigned *>(&v);
      }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      unsigned left[4];
#pragma unroll
      for (int part = 0; part < 4; ++part)
        left[part] = *reinterpret_cast<const unsigned *>(a + size_t(i * 16 + part % 2 * 8) * k + part / 2 * 8);
#pragma unroll
      for (int j = 0; j < 4; ++j)
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(sums[i][j][0]), "+f"(sums[i][j][1]), "+f"(sums[i][j][2]), "+f"(sums[i][j][3])
            : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(of[j][0]), "r"(of[j][1]));
    }
    a += 16;
    b += size_t(16) * n;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      __half *to = c + (size_t(blockIdx.y) * 64 + i * 16 + lane / 4) * n + blockIdx.x * 128 + warp * 32 + j * 8 + lane % 4 * 2;
      *reinterpret_cast<__half2 *>(to) = __floats2half2_rn(sums[i][j][0], sums[i][j][1]);
      *reinterpret_cast<__half2 *>(to + size_t(8) * n) = __floats2half2_rn(sums[i][j][2], sums[i][j][3]);
    }
}
