//===- EmulatorWgmmaGemmTest.cpp - Hopper matrix products through nvcc -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// CUDA C++ with wgmma in inline PTX, compiled by nvcc for sm_90a, under every timing of asynchronous operations; and
// the same PTX with one synchronising instruction removed or altered, which must be noticed. Skipped without nvcc.
//
//===----------------------------------------------------------------------===//
#include "EmulatorNvccUtil.h"

#include <numeric>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

const char *source = R"cuda(
#include <cstdint>
#include <cuda_bf16.h>
using bf16 = __nv_bfloat16;

#define F1(i) "+f"(d[i])
#define F4(i) F1(i), F1(i + 1), F1(i + 2), F1(i + 3)
#define F16(i) F4(i), F4(i + 4), F4(i + 8), F4(i + 12)
__device__ __forceinline__ void wgmma128(float (&d)[64], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "
               "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, "
               "%43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
               "%64, %65, 1, 1, 1, 0, 0;" : F16(0), F16(16), F16(32), F16(48) : "l"(a), "l"(b));
}
// A from registers, B with N contiguous.
__device__ __forceinline__ void wgmma32rs(float (&d)[16], const uint32_t (&a)[4], uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19}, %20, 1, 1, 1, 1;"
               : F16(0) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}
__device__ __forceinline__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N> __device__ __forceinline__ void waitGroup() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }
__device__ __forceinline__ unsigned sharedAddress(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// C = A * B^T, both with K contiguous: tiles 64 x 128 x 64, two buffers, ordinary stores. 128 threads.
extern "C" __global__ void __launch_bounds__(128) gemm(const bf16 *a, const bf16 *b, float *c, int n, int k, uint64_t mode) {
  extern __shared__ __align__(1024) unsigned char s[];
  int t = threadIdx.x, m0 = blockIdx.y * 64, n0 = blockIdx.x * 128;
  auto fill = [&](int step) {
    unsigned char *buffer = s + (step & 1) * 24576;
    for (int i = t; i < 192 * 8; i += 128) {
      int row = i / 8, unit = i % 8;
      const bf16 *from = row < 64 ? a + (size_t)(m0 + row) * k : b + (size_t)(n0 + row - 64) * k;
      *(uint4 *)(buffer + row * 128 + ((unit ^ (row & 7)) * 16)) = *(const uint4 *)(from + step * 64 + unit * 8);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  };
  float d[64];
  for (int i = 0; i < 64; ++i) d[i] = 0;
  fill(0);
  __syncthreads();
  for (int step = 0; step < k / 64; ++step) {
    unsigned base = sharedAddress(s) + (step & 1) * 24576;
    uint64_t da = mode | (uint64_t)(base >> 4), db = mode | (uint64_t)((base + 8192) >> 4);
    fence();
#pragma unroll
    for (int j = 0; j < 4; ++j) wgmma128(d, da + 2 * j, db + 2 * j);
    commit();
    if (step + 1 < k / 64) {
      waitGroup<1>(); // the product before this one has read the other buffer
      __syncthreads();
      fill(step + 1);
      __syncthreads();
    }
  }
  waitGroup<0>();
  int w = t / 32, l = t % 32;
  for (int i = 0; i < 64; ++i)
    c[(size_t)(m0 + 16 * w + l / 4 + 8 * ((i >> 1) & 1)) * n + n0 + 8 * (i >> 2) + 2 * (l % 4) + (i & 1)] = d[i];
}

// Attention without the softmax: (Q * K^T) * V for 64 queries, 128 keys, heads of 64 and 32; the first product goes
// from its accumulators into the fragments of the second. V is [key][32], N contiguous.
extern "C" __global__ void __launch_bounds__(128) chain(const bf16 *q, const bf16 *kk, const bf16 *v, float *o) {
  __shared__ __align__(1024) unsigned char s[8192 + 16384 + 8192];
  int t = threadIdx.x;
  for (int i = t; i < 192 * 8; i += 128) {
    int row = i / 8, unit = i % 8;
    *(uint4 *)(s + row * 128 + ((unit ^ (row & 7)) * 16)) = *(const uint4 *)((row < 64 ? q + row * 64 : kk + (row - 64) * 64) + unit * 8);
  }
  for (int i = t; i < 128 * 4; i += 128) { // 64-byte rows, 64B swizzle
    int row = i / 4, unit = i % 4;
    *(uint4 *)(s + 24576 + row * 64 + ((unit ^ ((row >> 1) & 3)) * 16)) = *(const uint4 *)(v + row * 32 + unit * 8);
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  unsigned base = sharedAddress(s);
  uint64_t mode = 0x4000004000010000ull, modeV = 2ull << 62 | 512ull >> 4 << 32 | 1ull << 16;
  float d[64], e[16];
  for (int i = 0; i < 64; ++i) d[i] = 0;
  for (int i = 0; i < 16; ++i) e[i] = 0;
  fence();
#pragma unroll
  for (int j = 0; j < 4; ++j) wgmma128(d, mode | ((base >> 4) + 2 * j), mode | (((base + 8192) >> 4) + 2 * j));
  commit();
  waitGroup<0>();
  uint32_t p[8][4];
#pragma unroll
  for (int j = 0; j < 8; ++j)
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      // Fragment of A: register r holds row +8*(r&1), columns 16j + 8*(r>>1) + 2t, +1; the accumulators 2i, 2i+1 of the first.
      __nv_bfloat162 h = __floats2bfloat162_rn(d[8 * j + 4 * (r >> 1) + 2 * (r & 1)], d[8 * j + 4 * (r >> 1) + 2 * (r & 1) + 1]);
      p[j][r] = *(uint32_t *)&h;
    }
  fence();
#pragma unroll
  for (int j = 0; j < 8; ++j) wgmma32rs(e, p[j], modeV | (uint64_t)((base + 24576 + j * 1024) >> 4));
  commit();
  waitGroup<0>();
  int w = t / 32, l = t % 32;
  for (int i = 0; i < 16; ++i)
    o[(16 * w + l / 4 + 8 * ((i >> 1) & 1)) * 32 + 8 * (i >> 2) + 2 * (l % 4) + (i & 1)] = e[i];
}

// The Hopper pipeline: a producer warp and two consumer warpgroups, three stages of 128 x 64 and 128 x 64 elements
// brought by tensor copies, a persistent loop over tiles of 128 x 128. 384 threads.
struct __align__(64) Map { char bytes[128]; };
__device__ __forceinline__ void barrierInit(unsigned b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(n) : "memory"); }
__device__ __forceinline__ void barrierWait(unsigned b, int parity) {
  int done;
  do
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.b32 %0, 1, 0, p;\n}"
                 : "=r"(done) : "r"(b), "r"(parity) : "memory");
  while (!done);
}
__device__ __forceinline__ void barrierArrive(unsigned b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(b) : "memory"); }
__device__ __forceinline__ void barrierExpect(unsigned b, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(bytes) : "memory");
}
__device__ __forceinline__ void load2d(unsigned to, const Map *map, int x, int y, unsigned b) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(b) : "memory");
}
extern "C" __global__ void __launch_bounds__(384) tmaGemm(const __grid_constant__ Map ma, const __grid_constant__ Map mb, float *c, int m, int n, int k) {
  extern __shared__ __align__(1024) unsigned char s[];
  __shared__ __align__(8) uint64_t barriers[6];
  const int stages = 3, stageBytes = 32768;
  int t = threadIdx.x, group = t / 128, tiles = (m / 128) * (n / 128), columns = n / 128;
  unsigned base = sharedAddress(s), full = sharedAddress(barriers), empty = full + 24;
  if (t == 0) {
    for (int i = 0; i < stages; ++i) {
      barrierInit(full + 8 * i, 1);
      barrierInit(empty + 8 * i, 2);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (t == 0) {
      int it = 0;
      for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
        for (int kk = 0; kk < k; kk += 64, ++it) {
          int stage = it % stages;
          barrierWait(empty + 8 * stage, (it / stages & 1) ^ 1);
          barrierExpect(full + 8 * stage, stageBytes);
          load2d(base + stage * stageBytes, &ma, kk, tile / columns * 128, full + 8 * stage);
          load2d(base + stage * stageBytes + 16384, &mb, kk, tile % columns * 128, full + 8 * stage);
        }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    int it = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      float d[64];
      for (int i = 0; i < 64; ++i) d[i] = 0;
      for (int kk = 0; kk < k; kk += 64, ++it) {
        int stage = it % stages;
        barrierWait(full + 8 * stage, it / stages & 1);
        unsigned at = base + stage * stageBytes;
        uint64_t mode = 0x4000004000010000ull, da = mode | (at + (group - 1) * 8192) >> 4, db = mode | (at + 16384) >> 4;
        fence();
#pragma unroll
        for (int j = 0; j < 4; ++j) wgmma128(d, da + 2 * j, db + 2 * j);
        commit();
        waitGroup<1>();
        if (kk > 0 && t % 128 == 0) barrierArrive(empty + 8 * ((it + stages - 1) % stages));
      }
      waitGroup<0>();
      if (t % 128 == 0) barrierArrive(empty + 8 * ((it + stages - 1) % stages));
      int w = t / 32 % 4, l = t % 32, row = tile / columns * 128 + (group - 1) * 64 + 16 * w + l / 4, column = tile % columns * 128 + 2 * (l % 4);
      for (int i = 0; i < 64; ++i) c[(size_t)(row + 8 * ((i >> 1) & 1)) * n + column + 8 * (i >> 2) + (i & 1)] = d[i];
    }
  }
}
)cuda";

/// The PTX, compiled once; empty without nvcc.
const std::string &ptxText() {
  static const std::string text = compileCuda(source, "-arch=sm_90a -O3");
  return text;
}

class WgmmaGemm : public NvccTest {
protected:
  const std::string &compiled() const override { return ptxText(); }
};

uint16_t bfloat(double v) {
  float f = float(v);
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return uint16_t(u >> 16);
}
std::vector<double> integers(size_t count, int range, uint64_t seed) {
  Rng rng(seed);
  std::vector<double> v(count);
  for (double &x : v)
    x = double(rng.next() >> 20 & 0xffff) - 0x8000 < 0 ? -double(rng.next() >> 30 & 0xff)
                                                       : double(rng.next() >> 30 & 0xff);
  for (double &x : v)
    x = double(int(x) % (range + 1));
  return v;
}
std::vector<uint16_t> bfloats(const std::vector<double> &v) {
  std::vector<uint16_t> r;
  for (double x : v)
    r.push_back(bfloat(x));
  return r;
}

std::vector<Setting> settings() { return test::settings(8, false); }

/// a (m x k) times the transpose of b (n x k).
std::vector<float> product(const std::vector<double> &a, const std::vector<double> &b, int m, int n, int k) {
  std::vector<float> result;
  for (int i = 0; i != m; ++i)
    for (int j = 0; j != n; ++j)
      result.push_back(float(std::inner_product(&a[i * k], &a[i * k] + k, &b[j * k], 0.0)));
  return result;
}

constexpr uint64_t Mode128 = 0x4000004000010000ull;

Outcome gemm(const std::string &text, const Setting &setting, uint64_t mode = Mode128) {
  const int m = 128, n = 256, k = 320;
  static const std::vector<double> a = integers(m * k, 7, 1), b = integers(n * k, 7, 2);
  static const std::vector<float> want = product(a, b, m, n, k);
  Outcome out;
  std::vector<Diagnostic> errors;
  std::unique_ptr<Module> module = Module::parse(text, "gemm.ptx", errors);
  EXPECT_TRUE(module) << messages(errors);
  if (!module)
    return out;
  Memory memory;
  uint64_t c = memory.allocate(m * n * 4, "c");
  LaunchConfig config;
  config.kernel = "gemm";
  config.grid = {n / 128, m / 64};
  config.block = {128};
  config.dynamicSharedBytes = 49152;
  config.args.add(upload(memory, bfloats(a), "a")).add(upload(memory, bfloats(b), "b")).add(c).add(n).add(k).add(mode);
  setting.applyTo(config.options);
  out.result = launch(*module, memory, config);
  out.right = download<float>(memory, c, m * n) == want;
  return out;
}

TEST_F(WgmmaGemm, Right) {
  for (const Setting &s : settings()) {
    Outcome out = gemm(ptxText(), s);
    EXPECT_TRUE(out.result.ok) << reports(out.result);
    EXPECT_TRUE(out.right) << int(s.timing) << " " << s.seed;
  }
}

TEST_F(WgmmaGemm, Chain) {
  std::vector<double> q = integers(64 * 64, 2, 5), k = integers(128 * 64, 1, 6), v = integers(128 * 32, 3, 7);
  std::unique_ptr<Module> module = parse(ptxText());
  ASSERT_TRUE(module);
  for (const Setting &s : settings()) {
    Memory memory;
    uint64_t o = memory.allocate(64 * 32 * 4, "o");
    LaunchConfig config;
    config.kernel = "chain";
    config.block = {128};
    config.args.add(upload(memory, bfloats(q), "q"))
        .add(upload(memory, bfloats(k), "k"))
        .add(upload(memory, bfloats(v), "v"))
        .add(o);
    s.applyTo(config.options);
    LaunchResult r = launch(*module, memory, config);
    ASSERT_TRUE(r.ok) << reports(r);
    std::vector<float> got = download<float>(memory, o, 64 * 32);
    for (int i = 0; i != 64; ++i)
      for (int j = 0; j != 32; ++j) {
        double sum = 0;
        for (int x = 0; x != 128; ++x) {
          double p = 0;
          for (int y = 0; y != 64; ++y)
            p += q[i * 64 + y] * k[x * 64 + y];
          sum += p * v[x * 32 + j]; // |p| <= 128: exact in bf16
        }
        ASSERT_EQ(got[i * 32 + j], sum) << i << " " << j;
      }
  }
}

/// Replaces occurrence `which` (from 0) of `from` in the kernel's text; -1: all.
std::string mutate(const std::string &kernel, const std::string &from, const std::string &to, int which = -1) {
  return mutated(ptxText(), kernel, from, to, which);
}

Outcome tmaGemm(const std::string &text, const Setting &setting) {
  const int m = 256, n = 384, k = 448;
  static const std::vector<double> a = integers(m * k, 7, 11), b = integers(n * k, 7, 12);
  static const std::vector<float> want = product(a, b, m, n, k);
  Outcome out;
  std::vector<Diagnostic> errors;
  std::unique_ptr<Module> module = Module::parse(text, "gemm.ptx", errors);
  EXPECT_TRUE(module) << messages(errors);
  if (!module)
    return out;
  Memory memory;
  uint64_t c = memory.allocate(m * n * 4, "c");
  LaunchConfig config;
  config.kernel = "tmaGemm";
  config.grid = {4}; // for 6 tiles
  config.block = {384};
  config.dynamicSharedBytes = 3 * 32768;
  addMatrixMap(config.args, upload(memory, bfloats(a), "a"), TensorType::BF16, 2, k, m, 64, 128);
  addMatrixMap(config.args, upload(memory, bfloats(b), "b"), TensorType::BF16, 2, k, n, 64, 128);
  config.args.add(c).add(m).add(n).add(k);
  setting.applyTo(config.options);
  out.result = launch(*module, memory, config);
  out.right = download<float>(memory, c, m * n) == want;
  return out;
}

TEST_F(WgmmaGemm, Pipeline) {
  for (const Setting &s : settings()) {
    Outcome out = tmaGemm(ptxText(), s);
    EXPECT_TRUE(out.result.ok) << reports(out.result);
    EXPECT_TRUE(out.right) << int(s.timing) << " " << s.seed;
  }
}

TEST_F(WgmmaGemm, PipelineFaults) {
  auto noticed = [](const std::string &from, const std::string &to, int which = -1) {
    std::string text = mutate("tmaGemm", from, to, which);
    for (const Setting &s : settings()) {
      Outcome out = tmaGemm(text, s);
      if (!out.result.ok || !out.right)
        return true;
    }
    return false;
  };
  EXPECT_TRUE(noticed("wgmma.wait_group.sync.aligned 0;", ""));
  EXPECT_TRUE(noticed("wgmma.wait_group.sync.aligned 1;", "")); // the stage is given back while it is being read
  EXPECT_TRUE(noticed("wgmma.commit_group.sync.aligned;", ""));
  EXPECT_TRUE(noticed("wgmma.fence.sync.aligned;", ""));
  EXPECT_TRUE(noticed("mbarrier.arrive.shared::cta.b64", "//"));
  EXPECT_TRUE(noticed("mbarrier.arrive.expect_tx.shared::cta.b64", "//"));
  EXPECT_TRUE(noticed("mbarrier.try_wait.parity.shared::cta.b64 p, [%r", "setp.eq.u32 p, 0, 0; // ")); // nobody waits
}

/// Whether any of the settings shows the fault, by a report or by wrong numbers.
bool caught(const std::string &text, uint64_t mode = Mode128) {
  for (const Setting &s : settings()) {
    Outcome out = gemm(text, s, mode);
    if (!out.result.ok || !out.right)
      return true;
  }
  return false;
}

TEST_F(WgmmaGemm, PlantedFaults) {
  EXPECT_FALSE(caught(ptxText()));
  EXPECT_TRUE(caught(mutate("gemm", "wgmma.wait_group.sync.aligned 0;", "")));
  EXPECT_TRUE(caught(mutate("gemm", "wgmma.wait_group.sync.aligned 1;", ""))); // the buffer is overwritten too early
  EXPECT_TRUE(caught(mutate("gemm", "wgmma.wait_group.sync.aligned 1;", "wgmma.wait_group.sync.aligned 2;")));
  EXPECT_TRUE(caught(mutate("gemm", "wgmma.fence.sync.aligned;", "")));
  EXPECT_TRUE(caught(mutate("gemm", "wgmma.commit_group.sync.aligned;", "")));
  // In the order of the PTX: in front of the loop, after the stores of the next step. (The third, after wait_group 1,
  // is not needed: each warp has waited for the whole product itself.)
  for (int which = 0; which != 2; ++which)
    EXPECT_TRUE(caught(mutate("gemm", "bar.sync \t0;", "", which))) << which;
  EXPECT_TRUE(caught(mutate("gemm", "fence.proxy.async.shared::cta;", ""))); // the race checker's part
  for (uint64_t wrong :
       {Mode128 ^ uint64_t(1) << 62, Mode128 ^ uint64_t(1) << 63, Mode128 ^ uint64_t(3) << 62, // swizzle
        Mode128 ^ uint64_t(1) << 37, Mode128 ^ uint64_t(1) << 49})                             // stride, base offset
    EXPECT_TRUE(caught(ptxText(), wrong)) << std::hex << wrong;
}

} // namespace
