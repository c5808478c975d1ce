# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of e4m3 with scales on sm_90a as the set of rows J describes them (DeepGEMM, first version), written for this project: persistent
blocks, one thread copies, one or two warpgroups multiply 128 columns of K at a time and add the results up in registers of their own, scaled.

    source(BM, BN, stages, multicast) -> CUDA C++; bytes of shared memory; threads

C = A B^T: A e4m3 [m][k] with an f32 scale for each row and 128 columns of K ([k / 128][m]), B e4m3 [n][k] with one for each 128 x 128
([n / 128][k / 128]), C bf16 [m][n]. BM = 64 or 128. `multicast`: two blocks beside each other are a cluster, the first copies A for both. Maps of
A (boxes of 128 x BM), of B (128 x BN), both with the 128-byte swizzle, of A's scales (BM x 1) and of C (BN x BM), then the scales of B, m, n, k."""


def source(bm, bn, stages, multicast):
    k = bn // 2
    d = ", ".join(f"%{i}" for i in range(k))
    outs = ", ".join(f'"+f"(d[{i}])' for i in range(k))
    text = f"""#include <cuda_bf16.h>
#define MULTICAST {int(multicast)}
constexpr int BM = {bm}, BN = {bn}, STAGES = {stages}, CLUSTER = {1 + multicast}, Uniform = 128 % BN == 0;
__device__ __forceinline__ void multiply(float (&d)[{k}], unsigned long long a, unsigned long long b, int add) {{
  asm volatile("{{.reg .pred p; setp.ne.b32 p, %{k + 2}, 0;\\n"
               "wgmma.mma_async.sync.aligned.m64n{bn}k32.f32.e4m3.e4m3 {{{d}}}, %{k}, %{k + 1}, p, 1, 1;}}"
               : {outs} : "l"(a), "l"(b), "r"(add));
}}
"""
    return text + TEXT, shared_bytes(bm, bn, stages), 128 * (1 + bm // 64)


def shared_bytes(bm, bn, stages):
    scales_b = 4 * 256 # of two rows, K up to 16384
    return (bm * bn * 2 + 1023) // 1024 * 1024 + stages * (bm * 128 + bn * 128 + bm * 4) + scales_b + 16 * stages


def choose(m, n, sms=132):
    """BM, BN, stages, multicast as the first version chose them: fewest waves, then the fullest last one, then as many stages as fit."""
    bm = 64 if m <= 64 else 128
    def rank(bn):
        blocks = -(-m // bm) * -(-n // bn)
        return -(-blocks // sms), -((blocks - 1) % sms + 1), -bn
    bn = min(range(16, 129, 8), key=rank)
    stages = next(s for s in ((6, 5, 4) if 128 % bn else (8, 7, 6, 5, 4)) if shared_bytes(bm, bn, s) <= 227 * 1024)
    return bm, bn, stages, m >= 1024 and n % (2 * bn) == 0


TEXT = r"""
struct alignas(64) Map { char bytes[128]; };
constexpr unsigned BytesA = BM * 128, BytesB = BN * 128, BytesS = BM * 4, AtA = (BM * BN * 2 + 1023) / 1024 * 1024, AtB = AtA + STAGES * BytesA,
                   AtS = AtB + STAGES * BytesB, AtScalesB = AtS + STAGES * BytesS, AtBarriers = AtScalesB + 4 * 256;
constexpr int Math = 2 * BM, Group = 16; // threads that multiply; columns of tiles that are taken together

__device__ __forceinline__ void wait(unsigned at, unsigned parity) {
  asm volatile("{.reg .pred p;\nAGAIN: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN;}" ::"r"(at), "r"(parity) : "memory");
}
__device__ __forceinline__ void copy(unsigned to, const Map *map, int x, int y, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(barrier) : "memory");
}
__device__ __forceinline__ void copyBoth(unsigned to, const Map *map, int x, int y, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
               ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(barrier), "h"((short)3) : "memory");
}
__device__ __forceinline__ float shared32(unsigned at) { float v; asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(at) : "memory"); return v; }
__device__ __forceinline__ unsigned long long descriptor(unsigned at) {
  return (unsigned long long)((at & 0x3ffff) >> 4) | 1ull << 16 | (1024ull >> 4) << 32 | 1ull << 62;
}
__device__ __forceinline__ void meet() { // those that multiply
  asm volatile("bar.sync 1, %0;" ::"n"(Math) : "memory");
}
__device__ __forceinline__ void meetCluster() {
#if MULTICAST
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
#else
  __syncthreads();
#endif
}

extern "C" __global__ void __launch_bounds__(Math + 128, 1)
#if MULTICAST
__cluster_dims__(2)
#endif
gemm(const __grid_constant__ Map mapA, const __grid_constant__ Map mapB, const __grid_constant__ Map mapS, const __grid_constant__ Map mapC,
     const float *scalesB, int m, int n, int k) {
  extern __shared__ __align__(1024) unsigned char shared[];
  const unsigned base = unsigned(__cvta_generic_to_shared(shared)), full = base + AtBarriers, empty = full + 8 * STAGES;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, steps = k / 128, tilesM = (m + BM - 1) / BM, tilesN = (n + BN - 1) / BN;
  [[maybe_unused]] unsigned rank = 0;
#if MULTICAST
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
  if (threadIdx.x == Math) {
    for (int i = 0; i < STAGES; ++i) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(full + 8 * i));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(empty + 8 * i), "r"(CLUSTER * Math / 32));
    }
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  meetCluster();
  auto place = [&](int tile, int &tm, int &tn) {
    const int group = tile / (tilesM * Group), inGroup = tile % (tilesM * Group), width = min(Group, tilesN - group * Group);
    tm = inGroup / width;
    tn = group * Group + inGroup % width;
  };
  int stage = 0, phase = 0;
  auto next = [&] {
    if (++stage == STAGES)
      stage = 0, phase ^= 1;
  };
  if (threadIdx.x >= Math) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == Math) {
      for (int tile = blockIdx.x; tile < tilesM * tilesN; tile += gridDim.x) {
        int tm, tn;
        place(tile, tm, tn);
        for (int i = 0; i < steps; ++i, next()) {
          const unsigned bar = full + 8 * stage;
          wait(empty + 8 * stage, phase ^ 1);
          asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(BytesA + BytesB + BytesS) : "memory");
#if MULTICAST
          if (rank == 0) {
            copyBoth(base + AtA + stage * BytesA, &mapA, i * 128, tm * BM, bar);
            copyBoth(base + AtS + stage * BytesS, &mapS, tm * BM, i, bar);
          }
#else
          copy(base + AtA + stage * BytesA, &mapA, i * 128, tm * BM, bar);
          copy(base + AtS + stage * BytesS, &mapS, tm * BM, i, bar);
#endif
          copy(base + AtB + stage * BytesB, &mapB, i * 128, tn * BN, bar);
        }
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int row = warp * 16 + lane / 4;
    for (int tile = blockIdx.x; tile < tilesM * tilesN; tile += gridDim.x) {
      int tm, tn;
      place(tile, tm, tn);
      const int former = Uniform ? BN / 8 : min(BN, 128 - tn * BN % 128) / 8;
      const bool two = !Uniform && former < min(n - tn * BN, BN) / 8;
      const float *mine = scalesB + size_t(tn * BN / 128) * steps;
      if (threadIdx.x >= 32) // the first warp may still be storing
        for (int i = threadIdx.x - 32; i < steps * (1 + two); i += Math - 32)
          asm volatile("st.shared.f32 [%0], %1;" ::"r"(base + AtScalesB + 4 * i), "f"(__ldg(mine + i)) : "memory");
      meet();
      float part[BN / 2], sum[BN / 2] = {};
#pragma unroll 1
      for (int i = 0; i < steps; ++i, next()) {
        const float b0 = shared32(base + AtScalesB + 4 * i), b1 = two ? shared32(base + AtScalesB + 4 * (i + steps)) : b0;
        wait(full + 8 * stage, phase);
        const float a0 = shared32(base + AtS + stage * BytesS + 4 * row), a1 = shared32(base + AtS + stage * BytesS + 4 * (row + 8));
        const unsigned long long a = descriptor(base + AtA + stage * BytesA + warp / 4 * 8192), b = descriptor(base + AtB + stage * BytesB);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int j = 0; j < 4; ++j)
          multiply(part, a + 2 * j, b + 2 * j, j != 0);
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
        for (int j = 0; j < BN / 2; ++j)
          asm volatile("" : "+f"(part[j])::"memory");
        __syncwarp(); // all of a warp's threads have their scales
#if MULTICAST
        if (lane < 2)
          asm volatile("{.reg .b32 r; mapa.shared::cluster.u32 r, %0, %1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r];}" ::"r"(empty + 8 * stage), "r"(lane) : "memory");
#else
        if (lane == 0)
          asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(empty + 8 * stage) : "memory");
#endif
        const float s00 = a0 * b0, s10 = a1 * b0, s01 = a0 * b1, s11 = a1 * b1;
#pragma unroll
        for (int j = 0; j < BN / 8; ++j) {
          const bool first = Uniform || j < former;
          const float upper = first ? s00 : s01, lower = first ? s10 : s11;
          sum[4 * j] += upper * part[4 * j];
          sum[4 * j + 1] += upper * part[4 * j + 1];
          sum[4 * j + 2] += lower * part[4 * j + 2];
          sum[4 * j + 3] += lower * part[4 * j + 3];
        }
      }
      if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      meet();
#pragma unroll
      for (int j = 0; j < BN / 8; j += 2) {
        const unsigned to = base + ((warp * 16 + lane % 16) * BN + 8 * (j + lane / 16)) * 2;
        unsigned h[4];
#pragma unroll
        for (int i = 0; i < (j + 1 < BN / 8 ? 4 : 2); ++i)
          asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(h[i]) : "f"(sum[4 * j + 2 * i + 1]), "f"(sum[4 * j + 2 * i]));
        if (j + 1 < BN / 8)
          asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(h[0]), "r"(h[1]), "r"(h[2]), "r"(h[3]) : "memory");
        else
          asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(to), "r"(h[0]), "r"(h[1]) : "memory");
      }
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      meet();
      if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];\ncp.async.bulk.commit_group;"
                     ::"l"(&mapC), "r"(tn * BN), "r"(tm * BM), "r"(base) : "memory");
    }
    if (threadIdx.x == 0)
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
#if MULTICAST // nobody leaves while the other may still arrive at its barriers
  asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory");
#endif
}
"""
