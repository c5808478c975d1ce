# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward on sm_90a as FlashAttention-3's paper and its set of rows (K) describe it, written for this project: one thread copies, `WG`
warpgroups take turns (named barriers) and have the scores of the next block of keys under way while they sum up the values of this one.

    source(D, WG, BN, causal) -> CUDA C++; bytes of shared memory; threads

f16, D = 64 or 128. Tiles of 64 WG queries and BN keys, two stages of keys and of values. All tensors are [heads][length][D]; maps of Q
(boxes of 64 x 64 WG x 1), K and V (64 x BN x 1) and O (64 x 64 x 1) with the 128-byte swizzle, then length, log2(e) / sqrt(D). Grid: (length / (64 WG), heads),
or `persistent`: as many blocks as there is room for, and the number of heads, and of heads that
are taken together (a divisor of the former), as last parameters. `p_shared`: the weights go to the second product
through shared memory (BN a multiple of 64)."""


def wgmma(name, n, from_registers, turned):
    d = ", ".join(f"%{i}" for i in range(n // 2))
    outs = ", ".join(f'"+f"(d[{i}])' for i in range(n // 2))
    k = n // 2
    if from_registers:
        return f"""__device__ __forceinline__ void {name}(float (&d)[{k}], const unsigned *a, unsigned long long b, int add) {{
  asm volatile("{{.reg .pred p; setp.ne.b32 p, %{k + 5}, 0;\\n"
               "wgmma.mma_async.sync.aligned.m64n{n}k16.f32.f16.f16 {{{d}}}, {{%{k}, %{k + 1}, %{k + 2}, %{k + 3}}}, %{k + 4}, p, 1, 1, {int(turned)};}}"
               : {outs} : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}}
"""
    return f"""__device__ __forceinline__ void {name}(float (&d)[{k}], unsigned long long a, unsigned long long b, int add) {{
  asm volatile("{{.reg .pred p; setp.ne.b32 p, %{k + 2}, 0;\\n"
               "wgmma.mma_async.sync.aligned.m64n{n}k16.f32.f16.f16 {{{d}}}, %{k}, %{k + 1}, p, 1, 1, 0, {int(turned)};}}"
               : {outs} : "l"(a), "l"(b), "r"(add));
}}
"""


TEXT = r"""
#include <cuda_fp16.h>
struct alignas(64) Map { char bytes[128]; };

constexpr int BM = 64 * WG, Panels = D / 64, Stages = 2;
constexpr unsigned QBytes = BM * D * 2, TileBytes = BN * D * 2, PanelQ = BM * 128, PanelK = BN * 128;
constexpr unsigned AtK = QBytes, AtV = AtK + Stages * TileBytes, AtP = AtV + Stages * TileBytes;
constexpr unsigned AtBarriers = AtP + (P_SHARED ? 64 * WG * BN * 2 : 0);
// Barriers: Q full, Q empty, O has left (it takes the room of V's first stage), then K full, K empty, V full, V empty of each stage.
enum { QFull, QEmpty, OLeft, KFull, KEmpty = KFull + Stages, VFull = KEmpty + Stages, VEmpty = VFull + Stages, Barriers = VEmpty + Stages };

__device__ __forceinline__ void wait(unsigned at, unsigned parity) {
  asm volatile("{.reg .pred p;\nAGAIN: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN;}" ::"r"(at), "r"(parity) : "memory");
}
__device__ __forceinline__ void arrive(unsigned at) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at) : "memory"); }
__device__ __forceinline__ void expect(unsigned at, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
}
__device__ __forceinline__ void copy(unsigned to, const Map *map, int column, int row, int head, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
               ::"r"(to), "l"(map), "r"(column), "r"(row), "r"(head), "r"(barrier) : "memory");
}
__device__ __forceinline__ void sync(int id) { asm volatile("bar.sync %0, 256;" ::"r"(id) : "memory"); }
__device__ __forceinline__ void pass(int id) { asm volatile("bar.arrive %0, 256;" ::"r"(id) : "memory"); }
__device__ __forceinline__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N, int C> __device__ __forceinline__ void retire(float (&d)[C]) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
#pragma unroll
  for (int i = 0; i < C; ++i)
    asm volatile("" : "+f"(d[i])::"memory");
}
__device__ __forceinline__ float power(float x) { float r; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
__device__ __forceinline__ unsigned long long descriptor(unsigned at, unsigned leading) {
  return (unsigned long long)((at & 0x3ffff) >> 4) | (unsigned long long)(leading >> 4) << 16 | (1024ull >> 4) << 32 | 1ull << 62;
}

__device__ __forceinline__ void scores(float (&s)[BN / 2], unsigned q, unsigned k) {
  const unsigned long long a = descriptor(q, 16), b = descriptor(k, 16);
  fence();
#pragma unroll
  for (int i = 0; i < D / 16; ++i)
    multiplyQK(s, a + (i / 4 * PanelQ + i % 4 * 32) / 16, b + (i / 4 * PanelK + i % 4 * 32) / 16, i != 0);
  commit();
}
__device__ __forceinline__ void values(float (&o)[D / 2], const unsigned (&p)[BN / 4], unsigned shared, unsigned v) {
  const unsigned long long a = descriptor(shared, 16), b = descriptor(v, PanelK);
  fence();
#pragma unroll
  for (int i = 0; i < BN / 16; ++i)
#if P_SHARED
    multiplyPV(o, a + (i / 4 * 8192 + i % 4 * 32) / 16, b + i * 2048 / 16, 1);
#else
    multiplyPV(o, p + 4 * i, b + i * 2048 / 16, 1);
#endif
  commit();
}

__device__ __forceinline__ void store4(unsigned to, const unsigned *h) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(h[0]), "r"(h[1]), "r"(h[2]), "r"(h[3]) : "memory");
}

struct Rows { float top[2], sum[2], less[2]; };

template <bool First> __device__ __forceinline__ void softmax(float (&s)[BN / 2], Rows &rows, float scale) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    float top = First ? -INFINITY : rows.top[h];
#pragma unroll
    for (int j = 0; j < BN / 8; ++j)
      top = fmaxf(top, fmaxf(s[4 * j + 2 * h], s[4 * j + 2 * h + 1]));
    top = fmaxf(top, __shfl_xor_sync(~0u, top, 1));
    top = fmaxf(top, __shfl_xor_sync(~0u, top, 2));
    rows.less[h] = First ? 0.f : power((rows.top[h] - top) * scale);
    rows.top[h] = top;
    const float shift = top == -INFINITY ? 0.f : top * scale;
    float sum = 0;
#pragma unroll
    for (int j = 0; j < BN / 8; ++j)
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        float &x = s[4 * j + 2 * h + i];
        x = power(x * scale - shift);
        sum += x;
      }
    rows.sum[h] = First ? sum : rows.sum[h] * rows.less[h] + sum;
  }
}
// `shared`: where this thread's warp has its rows of P, if that goes through shared memory.
__device__ __forceinline__ void narrow(unsigned (&p)[BN / 4], const float (&s)[BN / 2], unsigned shared) {
#pragma unroll
  for (int i = 0; i < BN / 4; ++i)
    asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(p[i]) : "f"(s[2 * i + 1]), "f"(s[2 * i]));
#if P_SHARED
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int j = 0; j < BN / 8; j += 2)
    store4(shared + (lane % 8 + lane / 8 % 2 * 8) * 128 + j / 8 * 8192 + ((j % 8 + lane / 16) ^ (lane % 8)) * 16, p + 2 * j);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncwarp(); // a warp's rows of A are its own
#endif
}
__device__ __forceinline__ void mask(float (&s)[BN / 2], int row, int column, int length) {
  // Of this thread: row and row + 8, columns column + 8 j + {0, 1}. One limit a row, so that each comparison is with a constant (FA3's way).
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int first = (CAUSAL ? min(row + 8 * h + 1, length) : length) - column;
#pragma unroll
    for (int j = 0; j < BN / 8; ++j)
#pragma unroll
      for (int i = 0; i < 2; ++i)
        if (8 * j + i >= first)
          s[4 * j + 2 * h + i] = -INFINITY;
  }
}

extern "C" __global__ void __launch_bounds__(128 * (WG + 1), 1)
attention(const __grid_constant__ Map mapQ, const __grid_constant__ Map mapK, const __grid_constant__ Map mapV,
          const __grid_constant__ Map mapO, int length, float scale
#if PERSISTENT
          , int heads, int together
#endif
          ) {
  extern __shared__ __align__(1024) unsigned char shared[];
  const unsigned base = unsigned(__cvta_generic_to_shared(shared)), bars = base + AtBarriers;
  auto bar = [&](int i) { return bars + 8 * i; };
  const int group = threadIdx.x / 128, thread = threadIdx.x % 128, lane = thread % 32;
  if (threadIdx.x == 0) {
    for (int i = 0; i < Barriers; ++i)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar(i)), "r"((i >= KEmpty && i < VFull) || i >= VEmpty || i == QEmpty ? 4 * WG : i == OLeft ? WG : 1));
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  const int blocksM = (length + BM - 1) / BM;
#if PERSISTENT
  const int first = blockIdx.x, last = blocksM * heads, step = gridDim.x;
#else
  const int first = 0, last = 1, step = 1;
#endif
  auto place = [&](int tile, int &m, int &head) {
#if PERSISTENT // some heads, whose keys and values fit into L2, and the same rows of each of them
    const int inGroup = tile % (together * blocksM);
    m = inGroup / together;
    head = tile / (together * blocksM) * together + inGroup % together;
#else
    m = blockIdx.x;
    head = blockIdx.y;
#endif
    if (CAUSAL)
      m = blocksM - 1 - m; // the longest first
  };
  auto blocks = [&](int m) {
    const int all = (length + BN - 1) / BN;
    return CAUSAL ? min(all, ((m + 1) * BM + BN - 1) / BN) : all;
  };
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(WG == 2 ? 24 : 32));
    if (threadIdx.x)
      return;
    int stage = 0, phase = 1, qPhase = 1;
    auto next = [&] { if (++stage == Stages) stage = 0, phase ^= 1; };
    for (int tile = first; tile < last; tile += step, qPhase ^= 1) {
      int m, head;
      place(tile, m, head);
      const int n = blocks(m);
      wait(bar(QEmpty), qPhase);
      expect(bar(QFull), QBytes);
      for (int p = 0; p < Panels; ++p)
        copy(base + p * PanelQ, &mapQ, 64 * p, m * BM, head, bar(QFull));
      int stageV = stage, phaseV = phase;
      for (int i = 0; i <= n; ++i) { // keys a block ahead of values, the last block of a row first
        if (i < n) {
          wait(bar(KEmpty + stage), phase);
          expect(bar(KFull + stage), TileBytes);
          for (int p = 0; p < Panels; ++p)
            copy(base + AtK + stage * TileBytes + p * PanelK, &mapK, 64 * p, (n - 1 - i) * BN, head, bar(KFull + stage));
          next();
        }
        if (i > 0) {
          if (i == 1)
            wait(bar(OLeft), qPhase);
          wait(bar(VEmpty + stageV), phaseV);
          expect(bar(VFull + stageV), TileBytes);
          for (int p = 0; p < Panels; ++p)
            copy(base + AtV + stageV * TileBytes + p * PanelK, &mapV, 64 * p, (n - i) * BN, head, bar(VFull + stageV));
          if (++stageV == Stages)
            stageV = 0, phaseV ^= 1;
        }
      }
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(WG == 2 ? 240 : 160));
  const int g = group - 1, mine = 1 + g, following = 1 + (g + 1) % WG;
  const int row = g * 64 + thread / 32 * 16 + lane / 4, column = lane % 4 * 2;
  if (g == WG - 1)
    pass(1);
  int stage = 0, phase = 0, stageV = 0, phaseV = 0, qPhase = 0;
  for (int tile = first; tile < last; tile += step, qPhase ^= 1) {
    int m, head;
    place(tile, m, head);
    const int n = blocks(m), masked = CAUSAL ? n - m * BM / BN : length % BN ? 1 : 0; // the last ones
    float s[BN / 2], o[D / 2];
    unsigned p[BN / 4];
    Rows rows;
#pragma unroll
    for (int i = 0; i < D / 2; ++i)
      o[i] = 0;
    const unsigned q = base + g * 8192, ofP = base + AtP + g * 64 * BN * 2, mineP = ofP + thread / 32 * 2048;
    wait(bar(QFull), qPhase);
    wait(bar(KFull + stage), phase);
    scores(s, q, base + AtK + stage * TileBytes);
    retire<0>(s);
    if (lane == 0)
      arrive(bar(KEmpty + stage));
    if (++stage == Stages)
      stage = 0, phase ^= 1;
    if (masked)
      mask(s, m * BM + row, (n - 1) * BN + column, length);
    softmax<true>(s, rows, scale);
    narrow(p, s, mineP);
    auto turn = [&](int block, bool hidden) {
      wait(bar(KFull + stage), phase);
      sync(mine);
      scores(s, q, base + AtK + stage * TileBytes);
      wait(bar(VFull + stageV), phaseV);
      values(o, p, ofP, base + AtV + stageV * TileBytes);
      pass(following);
      retire<1>(s);
      if (lane == 0)
        arrive(bar(KEmpty + stage));
      if (hidden)
        mask(s, m * BM + row, block * BN + column, length);
      softmax<false>(s, rows, scale);
      retire<0>(o);
      if (lane == 0)
        arrive(bar(VEmpty + stageV));
      if (++stage == Stages)
        stage = 0, phase ^= 1;
      if (++stageV == Stages)
        stageV = 0, phaseV ^= 1;
      narrow(p, s, mineP);
#pragma unroll
      for (int i = 0; i < D / 2; ++i)
        o[i] *= rows.less[i / 2 % 2];
    };
    int block = n - 2;
#pragma unroll 1
    for (; block >= 0 && block >= n - masked; --block)
      turn(block, true);
#pragma unroll 1
    for (; block >= 0; --block)
      turn(block, false);
    wait(bar(VFull + stageV), phaseV);
    if (lane == 0)
      arrive(bar(QEmpty));
    values(o, p, ofP, base + AtV + stageV * TileBytes);
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      rows.sum[h] += __shfl_xor_sync(~0u, rows.sum[h], 1);
      rows.sum[h] += __shfl_xor_sync(~0u, rows.sum[h], 2);
      rows.sum[h] = 1 / rows.sum[h];
    }
    retire<0>(o);
    if (lane == 0)
      arrive(bar(VEmpty + stageV));
    if (++stageV == Stages)
      stageV = 0, phaseV ^= 1;
    const unsigned to = base + AtV + g * 8192, panel = PanelQ;
    asm volatile("bar.sync 12, %0;" ::"n"(128 * WG) : "memory"); // nobody reads V any more
    const unsigned place0 = to + (thread / 32 * 16 + lane % 8 + lane / 8 % 2 * 8) * 128;
#pragma unroll
    for (int j = 0; j < D / 8; j += 2) {
      unsigned h[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(h[i]) : "f"(o[4 * j + 2 * i + 1] * rows.sum[i % 2]), "f"(o[4 * j + 2 * i] * rows.sum[i % 2]));
      store4(place0 + j / 8 * panel + ((j % 8 + lane / 16) ^ (lane % 8)) * 16, h);
    }
    asm volatile("fence.proxy.async.shared::cta;\nbar.sync %0, 128;" ::"r"(8 + g) : "memory");
    if (thread == 0) {
      for (int c = 0; c < Panels; ++c)
        asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&mapO), "r"(64 * c), "r"(m * BM + g * 64), "r"(head), "r"(to + c * panel) : "memory");
      asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
      arrive(bar(OLeft));
    }
  }
  if (thread == 0)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  if (g == 0)
    sync(1);
}
"""


def source(d, groups, bn, causal, persistent=False, p_shared=False):
    shared = 64 * groups * d * 2 + 4 * bn * d * 2 + 128 + (64 * groups * bn * 2 if p_shared else 0)
    macros = f"#define D {d}\n#define WG {groups}\n#define BN {bn}\n#define CAUSAL {int(causal)}\n#define PERSISTENT {int(persistent)}\n#define P_SHARED {int(p_shared)}\n"
    return macros + wgmma("multiplyQK", bn, False, False) + wgmma("multiplyPV", d, not p_shared, True) + TEXT, shared, 128 * (groups + 1)
