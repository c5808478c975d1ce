// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A B^T in bf16 by tcgen05.mma as a published ladder describes it (set E), for bench/timing/validate.py. A tile has 128 rows and BN columns,
// a step of k 64. What is a macro: NARROW boxes of 16 bytes and no swizzle, STAGES (with 1 nothing overlaps), ROLES (a warp copies, a warp multiplies,
// four warps store), PAIR (two blocks of a cluster multiply together: 256 rows, half of B each), PERSISTENT (two accumulators; only with ROLES). WIDE
// (set G; only with ROLES): results are f32 and leave through shared memory by bulk copies, with a map of C (boxes of 32 x 32, 128-byte swizzle) instead of
// its address and 8 KB of shared memory more for each of the four warps; tiles that follow each other lie below each other.
// Maps of A and B by value: boxes of 64 x 128 and 64 x BN (half of that with PAIR), or of 8 columns with NARROW.
#include <cuda_bf16.h>

struct alignas(64) Map { char bytes[128]; };

#ifndef WIDE
#define WIDE 0
#endif
constexpr int BM = 128, Rows = PAIR ? BN / 2 : BN, Accumulators = PERSISTENT ? 2 : 1, Columns = BN * Accumulators;
constexpr unsigned BytesA = BM * 128, BytesB = Rows * 128, Stage = BytesA + BytesB;
constexpr int Threads = ROLES ? 192 : 128;
enum { Full, Empty = Full + STAGES, Done = Empty + STAGES, Stored = Done + Accumulators, Barriers = Stored + Accumulators };

__device__ __forceinline__ void wait(unsigned at, unsigned parity) {
  asm volatile("{.reg .pred p;\nAGAIN: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN;}" ::"r"(at), "r"(parity) : "memory");
}
__device__ __forceinline__ void copy(unsigned to, const Map *map, int column, int row, unsigned barrier) {
#if PAIR
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::2 [%0], [%1, {%2, %3}], [%4];"
#else
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
#endif
               ::"r"(to), "l"(map), "r"(column), "r"(row), "r"(barrier) : "memory");
}
__device__ __forceinline__ void commit(unsigned at) {
#if PAIR
  asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(at), "h"((short)3) : "memory");
#else
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(at) : "memory");
#endif
}
__device__ __forceinline__ unsigned long long descriptor(unsigned at, int rows) {
#if NARROW // rows of 16 bytes: groups of eight follow each other, the next eight columns after all rows
  return (unsigned long long)((at & 0x3ffff) >> 4) | (unsigned long long)(rows * 16 >> 4) << 16 | (128ull >> 4) << 32 | 1ull << 46;
#else
  return (unsigned long long)((at & 0x3ffff) >> 4) | 1ull << 16 | (1024ull >> 4) << 32 | 1ull << 46 | 2ull << 61;
#endif
}

extern "C" __global__ void __launch_bounds__(Threads)
#if PAIR
__cluster_dims__(2)
#endif
gemm(const __grid_constant__ Map mapA, const __grid_constant__ Map mapB,
#if WIDE
     const __grid_constant__ Map mapC,
#else
     __nv_bfloat16 *c,
#endif
     int n, int steps, int tilesM, int tilesN) {
  extern __shared__ __align__(1024) unsigned char shared[];
  __shared__ __align__(8) unsigned long long barriers[Barriers];
  __shared__ unsigned where;
  const unsigned base = unsigned(__cvta_generic_to_shared(shared)), bars = unsigned(__cvta_generic_to_shared(barriers));
  auto bar = [&](int i) { return bars + 8 * i; };
  const int warp = threadIdx.x / 32;
  unsigned rank = 0;
#if PAIR
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
  if (warp == 0) {
#if PAIR
    asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(unsigned(__cvta_generic_to_shared(&where))), "n"(Columns) : "memory");
#else
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(unsigned(__cvta_generic_to_shared(&where))), "n"(Columns) : "memory");
#endif
    if (threadIdx.x == 0) {
      for (int i = 0; i < Barriers; ++i)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar(i)), "r"(i >= Stored ? 4 * (1 + PAIR) : 1));
      asm volatile("fence.mbarrier_init.release.cluster;");
    }
  }
  auto meet = [&] {
    asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
#if PAIR
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
#else
    __syncthreads();
#endif
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  };
  meet();
  const unsigned tmem = where;
  const int first = blockIdx.x / (1 + PAIR);
#if ROLES
  const int last = tilesM * tilesN, step = PERSISTENT ? gridDim.x / (1 + PAIR) : last;
#endif
#if WIDE
  auto rowOf = [&](int tile) { return tile % tilesM; };
  auto columnOf = [&](int tile) { return tile / tilesM; };
#else
  auto rowOf = [&](int tile) { return tile / tilesN; };
  auto columnOf = [&](int tile) { return tile % tilesN; };
#endif
  auto load = [&](int tile, int k, int stage) { // into both blocks' stages, if there are two, and the leader's barrier
    const int row = (rowOf(tile) * (1 + PAIR) + rank) * BM, column = columnOf(tile) * BN + rank * Rows;
    const unsigned full = bar(Full + stage) & (PAIR ? 0xfeffffff : ~0u), to = base + stage * Stage;
    if (rank == 0)
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar(Full + stage)), "r"(Stage * (1 + PAIR)) : "memory");
#if NARROW
    for (int i = 0; i < 8; ++i) {
      copy(to + i * BM * 16, &mapA, k * 64 + 8 * i, row, full);
      copy(to + BytesA + i * Rows * 16, &mapB, k * 64 + 8 * i, column, full);
    }
#else
    copy(to, &mapA, k * 64, row, full);
    copy(to + BytesA, &mapB, k * 64, column, full);
#endif
  };
  auto multiply = [&](int k, int stage, unsigned to) {
    const unsigned at = base + stage * Stage;
    const unsigned long long a = descriptor(at, BM), b = descriptor(at + BytesA, Rows);
    const unsigned shape = 1 << 4 | 1 << 7 | 1 << 10 | (BN / 8) << 17 | (BM * (1 + PAIR) / 16) << 24;
#pragma unroll
    for (int i = 0; i < 4; ++i)
#if PAIR
      asm volatile("{.reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %2, %3, p;}"
#else
      asm volatile("{.reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;}"
#endif
                   ::"r"(to), "l"(a + i * (NARROW ? 2 * BM : 2)), "l"(b + i * (NARROW ? 2 * Rows : 2)), "r"(shape), "r"(k | i) : "memory");
    commit(bar(Empty + stage));
  };
  auto store = [&](int tile, unsigned from) {
    const int quarter = warp % 4, lane = threadIdx.x % 32, row = (rowOf(tile) * (1 + PAIR) + rank) * BM + quarter * 32;
#if WIDE
    const unsigned room = base + STAGES * Stage + quarter * 8192;
#else
    __nv_bfloat16 *to = c + size_t(row + lane) * n + columnOf(tile) * BN;
#endif
#pragma unroll 4
    for (int j = 0; j < BN; j += 32) {
      float v[32];
      asm volatile("tcgen05.ld.sync.aligned.32x32b.x32.b32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, "
                   "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, [%32];\ntcgen05.wait::ld.sync.aligned;"
                   : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]), "=f"(v[4]), "=f"(v[5]), "=f"(v[6]), "=f"(v[7]), "=f"(v[8]), "=f"(v[9]), "=f"(v[10]),
                     "=f"(v[11]), "=f"(v[12]), "=f"(v[13]), "=f"(v[14]), "=f"(v[15]), "=f"(v[16]), "=f"(v[17]), "=f"(v[18]), "=f"(v[19]), "=f"(v[20]),
                     "=f"(v[21]), "=f"(v[22]), "=f"(v[23]), "=f"(v[24]), "=f"(v[25]), "=f"(v[26]), "=f"(v[27]), "=f"(v[28]), "=f"(v[29]), "=f"(v[30]),
                     "=f"(v[31])
                   : "r"(from + j + (quarter << 21)) : "memory");
#if WIDE
      const unsigned to = room + j / 32 % 2 * 4096;
      if (lane == 0)
        asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
      __syncwarp();
#pragma unroll
      for (int i = 0; i < 8; ++i)
        asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(to + lane * 128 + (i ^ lane % 8) * 16), "f"(v[4 * i]), "f"(v[4 * i + 1]), "f"(v[4 * i + 2]),
                     "f"(v[4 * i + 3]) : "memory");
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      __syncwarp();
      if (lane == 0)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];\ncp.async.bulk.commit_group;"
                     ::"l"(&mapC), "r"(columnOf(tile) * BN + j), "r"(row), "r"(to) : "memory");
#else
#pragma unroll
      for (int i = 0; i < 32; i += 8) {
        uint4 word;
        unsigned *h = &word.x;
#pragma unroll
        for (int k = 0; k < 4; ++k)
          asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(h[k]) : "f"(v[i + 2 * k + 1]), "f"(v[i + 2 * k]));
        *reinterpret_cast<uint4 *>(to + j + i) = word;
      }
#endif
    }
  };
#if ROLES
  if (warp == 0) {
    if (threadIdx.x == 0) {
      int stage = 0, phase = 1;
      for (int tile = first; tile < last; tile += step)
        for (int k = 0; k < steps; ++k) {
          wait(bar(Empty + stage), phase);
          load(tile, k, stage);
          if (++stage == STAGES)
            stage = 0, phase ^= 1;
        }
#if PAIR
      // The last commits arrive in both blocks, in an order of their own: none ends before they are there.
      for (int i = 0; i < STAGES; ++i) {
        wait(bar(Empty + stage), phase);
        if (++stage == STAGES)
          stage = 0, phase ^= 1;
      }
#endif
    }
  } else if (warp == 1) {
    if (threadIdx.x == 32 && rank == 0) {
      int stage = 0, phase = 0, which = 0, free = 1;
      for (int tile = first; tile < last; tile += step) {
        wait(bar(Stored + which), free);
        asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
        for (int k = 0; k < steps; ++k) {
          wait(bar(Full + stage), phase);
          asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
          multiply(k, stage, tmem + which * BN);
          if (++stage == STAGES)
            stage = 0, phase ^= 1;
        }
        commit(bar(Done + which));
        if (++which == Accumulators)
          which = 0, free ^= 1;
      }
    }
  } else {
    int which = 0, phase = 0;
    for (int tile = first; tile < last; tile += step) {
      wait(bar(Done + which), phase);
      asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
      store(tile, tmem + which * BN);
      asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
      __syncwarp();
      if (threadIdx.x % 32 == 0) {
#if PAIR
        asm volatile("{.reg .b32 r; mapa.shared::cluster.u32 r, %0, 0; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r];}" ::"r"(bar(Stored + which)) : "memory");
#else
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar(Stored + which)) : "memory");
#endif
      }
      if (++which == Accumulators)
        which = 0, phase ^= 1;
    }
#if WIDE
    if (threadIdx.x % 32 == 0)
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#endif
  }
#else
  if (threadIdx.x == 0) {
    for (int k = 0; k < STAGES - 1 && k < steps; ++k)
      load(first, k, k);
    for (int k = 0; k < steps; ++k) {
      const int next = k + STAGES - 1, stage = next % STAGES;
      if (next < steps) {
        if (next >= STAGES)
          wait(bar(Empty + stage), (next / STAGES - 1) % 2);
        load(first, next, stage);
      }
      wait(bar(Full + k % STAGES), k / STAGES % 2);
      asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
      multiply(k, k % STAGES, tmem);
    }
    commit(bar(Done));
  }
  wait(bar(Done), 0);
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  store(first, tmem);
#endif
  meet();
  if (warp == 0) {
#if PAIR
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned; tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, %1;" ::"r"(tmem), "n"(Columns));
#else
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(tmem), "n"(Columns));
#endif
  }
}
