//===- EmulatorNvccTest.cpp - CUDA C++ kernels through nvcc -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX that a real compiler makes, run and compared with the same computation on the host. Skipped without nvcc.
//
//===----------------------------------------------------------------------===//
#include "EmulatorNvccUtil.h"

#include <cmath>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

const char *source = R"cuda(
#include <cuda_fp16.h>
#include <cassert>
#include <cstdio>
extern "C" __global__ void reduceSum(const float *in, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) v += in[i];
  s[t] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void histogram(const unsigned char *in, unsigned *out, int n) {
  __shared__ unsigned h[256];
  h[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&h[in[i]], 1);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], h[threadIdx.x]);
}
extern "C" __global__ void warpScan(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  for (int d = 1; d < 32; d <<= 1) {
    int o = __shfl_up_sync(0xffffffffu, v, d);
    if ((t & 31) >= d) v += o;
  }
  out[t] = v;
}
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float A[16][16], B[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  float s = 0;
  for (int k = 0; k < n; k += 16) {
    A[y][x] = a[(blockIdx.y * 16 + y) * n + k + x];
    B[y][x] = b[(k + y) * n + blockIdx.x * 16 + x];
    __syncthreads();
    for (int i = 0; i < 16; ++i) s = fmaf(A[y][i], B[i][x], s);
    __syncthreads();
  }
  c[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x] = s;
}
__device__ __noinline__ float choose(float a, int k) {
  switch (k) {
  case 0: return a + 1;
  case 1: return a * a;
  case 2: return sqrtf(a);
  case 3: return floorf(a * 7);
  case 4: return a / 3;
  case 5: return fabsf(a - 1);
  case 6: return fminf(a, 0.5f);
  case 9: return -a;
  default: return a;
  }
}
extern "C" __global__ void switches(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = choose(in[i], (i * 7) % 11);
}
extern "C" __global__ void libm(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = in[i];
  out[8 * i] = sinf(a * 100);
  out[8 * i + 1] = cosf(a * 100000.0f);
  out[8 * i + 2] = expf(a);
  out[8 * i + 3] = logf(a);
  out[8 * i + 4] = powf(a, 2.5f);
  out[8 * i + 5] = tanhf(a);
  out[8 * i + 6] = erff(a);
  out[8 * i + 7] = cbrtf(a);
}
// C = A * B, f16 to f32: tiles of 16 x 16 by cp.async into two buffers, ldmatrix, mma.sync. 64 threads.
extern "C" __global__ void tensorMatmul(const __half *a, const __half *b, float *c, int n, int k, int wait) {
  __shared__ __align__(16) __half A[2][16][16], B[2][16][16];
  int t = threadIdx.x, l = t & 31, w = t >> 5, m0 = blockIdx.y * 16, n0 = blockIdx.x * 16;
  float d[4] = {0, 0, 0, 0};
  auto fetch = [&](int kk) {
    int buffer = kk / 16 & 1, row = l >> 1, col = (l & 1) * 8;
    if (kk < k) {
      const __half *from = w == 0 ? &a[(m0 + row) * k + kk + col] : &b[(kk + row) * n + n0 + col];
      unsigned to = (unsigned)__cvta_generic_to_shared(w == 0 ? &A[buffer][row][col] : &B[buffer][row][col]);
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  fetch(0);
  for (int kk = 0; kk < k; kk += 16) {
    fetch(kk + 16);
    if (wait) asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    int buffer = kk / 16 & 1;
    unsigned x[4], y[2];
    unsigned pa = (unsigned)__cvta_generic_to_shared(&A[buffer][l & 15][(l >> 4) * 8]);
    unsigned pb = (unsigned)__cvta_generic_to_shared(&B[buffer][l & 15][w * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(pa) : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(y[0]), "=r"(y[1]) : "r"(pb) : "memory");
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) c[(m0 + l / 4 + (i >> 1) * 8) * n + n0 + w * 8 + l % 4 * 2 + (i & 1)] = d[i];
}
extern "C" __global__ void doubles(const double *in, double *out) {
  int i = threadIdx.x;
  double a = in[i];
  out[6 * i] = sin(a * 1e6);
  out[6 * i + 1] = exp(a);
  out[6 * i + 2] = pow(a, 1.7);
  out[6 * i + 3] = fmod(a * 10, 0.3);
  out[6 * i + 4] = log(a);
  out[6 * i + 5] = 1.0 / sqrt(a);
}
extern "C" __global__ void integers(const long long *a, unsigned long long *o) {
  int i = threadIdx.x;
  long long x = a[2 * i], y = a[2 * i + 1];
  unsigned long long *r = o + 12 * i;
  r[0] = x / (y | 1);
  r[1] = x % (y | 1);
  r[2] = __mul64hi(x, y);
  r[3] = __popcll(x) + 100 * __clzll(y);
  r[4] = __brev((unsigned)x);
  r[5] = __ffs((int)y);
  r[6] = __byte_perm((unsigned)x, (unsigned)y, 0x3715);
  r[7] = __funnelshift_l((unsigned)x, (unsigned)y, 7);
  r[8] = (unsigned)__dp4a((int)x, (int)y, 5);
  r[9] = (unsigned long long)x / ((unsigned)y | 1);
  r[10] = (int)x / ((int)y | 1);
  unsigned __int128 p = (unsigned __int128)x * (unsigned long long)y + (unsigned long long)x;
  r[11] = (unsigned long long)(p >> 64);
}
extern "C" __global__ void votes(const int *a, unsigned *o) {
  int t = threadIdx.x, p;
  unsigned *r = o + 10 * t;
  r[0] = __ballot_sync(0xffffffffu, a[t] > 3);
  r[1] = __match_any_sync(0xffffffffu, a[t]);
  r[2] = __match_all_sync(0xffffffffu, a[t] & 32, &p);
  r[3] = p;
  r[4] = __any_sync(0xffffffffu, a[t] == 1) * 2 + __all_sync(0xffffffffu, a[t] < 9);
  r[5] = __reduce_add_sync(0xffffffffu, a[t]);
  r[6] = __reduce_max_sync(0xffffffffu, a[t]);
  r[7] = __syncthreads_count(a[t] & 1);
  r[8] = __syncthreads_or(a[t] == 7) != 0;
  if (a[t] & 1) r[9] = __activemask(); else r[9] = __activemask();
}
struct S { int a[7]; float b; };
extern "C" __global__ void structs(S s, S *o) {
  S t = s;
  t.a[threadIdx.x % 7] += 1;
  o[threadIdx.x] = t;
}
__device__ int table[4] = {10, 20, 30, 40};
__constant__ float ctable[8] = {1.5f, 2, 3, 4, 5, 6, 7, 8};
__device__ int *pointer = &table[2];
extern "C" __global__ void globals(float *o) {
  o[threadIdx.x] = ctable[threadIdx.x % 8] + table[threadIdx.x % 4] + *pointer;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&table[2], 1);
}
typedef float (*FP)(float);
__device__ float twice(float a) { return a * 2; }
__device__ float plus3(float a) { return a + 3; }
__device__ FP functions[2] = {twice, plus3};
extern "C" __global__ void indirect(float *o, int k) {
  o[threadIdx.x] = functions[(threadIdx.x + k) & 1](o[threadIdx.x]);
}
extern "C" __global__ void localArray(float *o, int k) {
  float a[32];
  for (int i = 0; i < 32; ++i) a[i] = i * k;
  int j = threadIdx.x;
  for (int i = 0; i < k; ++i) a[(j * 7 + i) & 31] += a[(j + i * 3) & 31];
  o[j] = a[j & 31];
}
extern "C" __global__ void dynamicShared(float *o) {
  extern __shared__ float sm[];
  sm[threadIdx.x] = threadIdx.x;
  __syncthreads();
  o[threadIdx.x] = sm[blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void prints(int x) {
  if (threadIdx.x < 3) printf("t%d: %d %s %.2f %5u|%-4x|%c %lld%%\n", threadIdx.x, x, "str", 1.5 * threadIdx.x, 42u, 255, 'z', -5ll);
}
extern "C" __global__ void asserts(int x) { assert(x > (int)threadIdx.x); }
extern "C" __global__ void halves(const __half *a, const __half *b, __half *c) {
  int i = threadIdx.x;
  c[4 * i] = __hfma(a[i], b[i], a[i]);
  c[4 * i + 1] = __hadd(a[i], b[i]);
  __half2 h = __hmul2(__halves2half2(a[i], b[i]), __half2half2(a[i]));
  c[4 * i + 2] = __low2half(h);
  c[4 * i + 3] = __high2half(h);
}
extern "C" __global__ void collatz(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long v = in[i];
  int steps = 0;
  while (true) {
    if (v == 1) break;
    if (steps > 500) { steps = -1; break; }
    if (v & 1) { v = 3 * v + 1; if (v < 0) continue; } else v >>= 1;
    ++steps;
  }
  out[i] = steps;
}
extern "C" __global__ void lock(int *mutex, int *counter) {
  // Threads of one warp compete for a lock: needs progress of every thread.
  bool done = false;
  while (!done) {
    if (atomicCAS(mutex, 0, 1) == 0) {
      *(volatile int *)counter += 1;
      __threadfence();
      atomicExch(mutex, 0);
      done = true;
    }
  }
}
)cuda";

/// The module for sm_80 at -O3 and with -G (unoptimised, with debug information); null without nvcc.
Module *module(bool debug) {
  static std::unique_ptr<Module> modules[2];
  static bool tried[2];
  if (tried[debug])
    return modules[debug].get();
  tried[debug] = true;
  if (std::string text = compileCuda(source, std::string("-arch=sm_80 ") + (debug ? "-G" : "-lineinfo")); !text.empty())
    modules[debug] = parse(text);
  return modules[debug].get();
}

class Nvcc : public ::testing::TestWithParam<bool> {
protected:
  void SetUp() override {
    if (nvccPath().empty())
      GTEST_SKIP() << "no nvcc";
    m = module(GetParam());
    ASSERT_TRUE(m);
  }
  LaunchResult run(const char *kernel, Dim3 grid, Dim3 block, const Args &args, bool expectOk = true) {
    LaunchConfig c;
    c.kernel = kernel;
    c.grid = grid;
    c.block = block;
    c.args = args;
    c.dynamicSharedBytes = dynamicShared;
    c.options.checkRaces = checkRaces;
    c.options.asyncTiming = lateAsync ? AsyncTiming::Late : AsyncTiming::Early;
    c.options.print = [this](std::string_view s) { printed += s; };
    LaunchResult r = launch(*m, memory, c);
    EXPECT_EQ(r.ok, expectOk) << reports(r);
    return r;
  }
  Module *m = nullptr;
  Memory memory;
  uint32_t dynamicShared = 0;
  bool lateAsync = true;
  bool checkRaces = true; ///< the kernels are right
  std::string printed;
};

std::vector<float> randomFloats(size_t n, uint64_t seed, float scale = 1) {
  Rng rng(seed);
  std::vector<float> v(n);
  for (float &x : v)
    x = (float(rng.next() >> 40) / float(1 << 24) + 0.001f) * scale;
  return v;
}

TEST_P(Nvcc, Reduction) {
  std::vector<float> in = randomFloats(10000, 1);
  for (float &f : in)
    f = std::round(f * 100); // sums are exact
  uint64_t a = upload(memory, in, "in"), o = memory.allocate(16, "out");
  run("reduceSum", {4}, {256}, Args().add(a).add(o).add(10000));
  float sum = 0, expect = 0;
  for (float f : download<float>(memory, o, 4))
    sum += f;
  for (float f : in)
    expect += f;
  EXPECT_EQ(sum, expect);
}

TEST_P(Nvcc, Histogram) {
  Rng rng(2);
  std::vector<uint8_t> in(20000);
  std::vector<uint32_t> expect(256), zero(256);
  for (uint8_t &b : in)
    ++expect[b = uint8_t(rng.next() & rng.next())];
  uint64_t a = upload(memory, in, "in"), o = upload(memory, zero, "out");
  LaunchResult r = run("histogram", {5}, {256}, Args().add(a).add(o).add(20000));
  EXPECT_EQ(download<uint32_t>(memory, o, 256), expect);
  EXPECT_EQ(r.stats.atomics, 20000u + 5 * 256);
}

TEST_P(Nvcc, WarpScan) {
  std::vector<int> in(64), expect(64);
  for (int i = 0; i != 64; ++i) {
    in[i] = i * i % 17;
    expect[i] = in[i] + (i % 32 ? expect[i - 1] : 0);
  }
  uint64_t a = upload(memory, in, "in"), o = memory.allocate(256, "out");
  run("warpScan", {1}, {64}, Args().add(a).add(o));
  EXPECT_EQ(download<int>(memory, o, 64), expect);
}

TEST_P(Nvcc, Matmul) {
  const int n = 48;
  std::vector<float> a = randomFloats(n * n, 3), b = randomFloats(n * n, 4), expect(n * n);
  for (int y = 0; y != n; ++y)
    for (int x = 0; x != n; ++x) {
      float s = 0;
      for (int k = 0; k != n; ++k)
        s = std::fma(a[y * n + k], b[k * n + x], s);
      expect[y * n + x] = s;
    }
  uint64_t pa = upload(memory, a, "a"), pb = upload(memory, b, "b"), pc = memory.allocate(n * n * 4, "c");
  run("matmul", {3, 3}, {16, 16}, Args().add(pa).add(pb).add(pc).add(n));
  EXPECT_EQ(download<float>(memory, pc, n * n), expect);
}

TEST_P(Nvcc, TensorMatmul) {
  const int m = 32, n = 48, k = 80;
  Rng rng(11);
  auto matrix = [&](std::vector<_Float16> &v) {
    for (_Float16 &f : v)
      f = _Float16(float(int(rng.next() % 17) - 8) / 4); // sums are exact
  };
  std::vector<_Float16> a(m * k), b(k * n);
  matrix(a);
  matrix(b);
  std::vector<float> expect(m * n);
  for (int y = 0; y != m; ++y)
    for (int x = 0; x != n; ++x)
      for (int i = 0; i != k; ++i)
        expect[y * n + x] += float(a[y * k + i]) * float(b[i * n + x]);
  uint64_t pa = upload(memory, a, "a"), pb = upload(memory, b, "b"), pc = memory.allocate(m * n * 4, "c");
  for (bool late : {false, true}) {
    lateAsync = late;
    run("tensorMatmul", {n / 16, m / 16}, {64}, Args().add(pa).add(pb).add(pc).add(n).add(k).add(1));
    EXPECT_EQ(download<float>(memory, pc, m * n), expect);
  }
  // Without the wait.
  LaunchResult r =
      run("tensorMatmul", {n / 16, m / 16}, {64}, Args().add(pa).add(pb).add(pc).add(n).add(k).add(0), false);
  EXPECT_TRUE(hasReport(r, ReportKind::Uninitialized)) << reports(r);
}

TEST_P(Nvcc, Switches) {
  std::vector<float> in = randomFloats(500, 5, 3), out;
  uint64_t a = upload(memory, in, "in"), o = memory.allocate(2000, "out");
  run("switches", {4}, {128}, Args().add(a).add(o).add(500));
  out = download<float>(memory, o, 500);
  for (int i = 0; i != 500; ++i) {
    float x = in[i], e = x;
    switch (i * 7 % 11) {
    case 0:
      e = x + 1;
      break;
    case 1:
      e = x * x;
      break;
    case 2:
      e = std::sqrt(x);
      break;
    case 3:
      e = std::floor(x * 7);
      break;
    case 4:
      e = x / 3;
      break;
    case 5:
      e = std::fabs(x - 1);
      break;
    case 6:
      e = std::fmin(x, 0.5f);
      break;
    case 9:
      e = -x;
      break;
    }
    ASSERT_EQ(out[i], e) << i;
  }
}

TEST_P(Nvcc, Libm) {
  std::vector<float> in = randomFloats(200, 6, 2);
  uint64_t a = upload(memory, in, "in"), o = memory.allocate(200 * 32, "out");
  run("libm", {2}, {128}, Args().add(a).add(o).add(200));
  std::vector<float> out = download<float>(memory, o, 1600);
  for (int i = 0; i != 200; ++i) {
    float x = in[i];
    double expect[8] = {std::sin(double(x * 100)), std::cos(double(x * 100000.0f)),
                        std::exp(double(x)),       std::log(double(x)),
                        std::pow(double(x), 2.5),  std::tanh(double(x)),
                        std::erf(double(x)),       std::cbrt(double(x))};
    for (int k = 0; k != 8; ++k)
      ASSERT_NEAR(out[8 * i + k], expect[k], 4e-7 * std::max(1.0, std::fabs(expect[k]))) << x << " function " << k;
  }
}

TEST_P(Nvcc, Doubles) {
  std::vector<double> in(64);
  for (int i = 0; i != 64; ++i)
    in[i] = 0.013 + i * 0.37;
  uint64_t a = upload(memory, in, "in"), o = memory.allocate(64 * 48, "out");
  run("doubles", {1}, {64}, Args().add(a).add(o));
  std::vector<double> out = download<double>(memory, o, 64 * 6);
  for (int i = 0; i != 64; ++i) {
    double x = in[i];
    double expect[6] = {std::sin(x * 1e6),      std::exp(x), std::pow(x, 1.7),
                        std::fmod(x * 10, 0.3), std::log(x), 1 / std::sqrt(x)};
    for (int k = 0; k != 6; ++k)
      ASSERT_NEAR(out[6 * i + k], expect[k], 1e-15 * std::max(1.0, std::fabs(expect[k]))) << x << " function " << k;
  }
}

TEST_P(Nvcc, Integers) {
  Rng rng(7);
  std::vector<int64_t> in(128);
  for (int64_t &v : in)
    v = int64_t(rng.next()) >> (rng.next() % 60);
  uint64_t a = upload(memory, in, "in"), o = memory.allocate(64 * 96, "out");
  run("integers", {1}, {64}, Args().add(a).add(o));
  std::vector<uint64_t> out = download<uint64_t>(memory, o, 64 * 12);
  for (int i = 0; i != 64; ++i) {
    int64_t x = in[2 * i], y = in[2 * i + 1];
    uint32_t ux = uint32_t(x), uy = uint32_t(y), rev = 0;
    for (int b = 0; b != 32; ++b)
      rev |= (ux >> b & 1) << (31 - b);
    uint8_t pool[8];
    std::memcpy(pool, &ux, 4);
    std::memcpy(pool + 4, &uy, 4);
    int dp = 5;
    for (int b = 0; b != 4; ++b)
      dp += int8_t(ux >> 8 * b) * int8_t(uy >> 8 * b);
    unsigned __int128 p = (unsigned __int128)x * uint64_t(y) + uint64_t(x);
    uint64_t expect[12] = {uint64_t(x / (y | 1)),
                           uint64_t(x % (y | 1)),
                           uint64_t((__int128(x) * y) >> 64),
                           uint64_t(__builtin_popcountll(x) + 100 * (y ? __builtin_clzll(y) : 64)),
                           rev,
                           uint64_t(__builtin_ffs(int(y))),
                           uint64_t(pool[5] | pool[1] << 8 | pool[7] << 16 | uint32_t(pool[3]) << 24),
                           uint32_t((uint64_t(uy) << 32 | ux) << 7 >> 32),
                           uint32_t(dp),
                           uint64_t(x) / (uy | 1),
                           uint64_t(int64_t(int(x) / (int(y) | 1))),
                           uint64_t(p >> 64)};
    for (int k = 0; k != 12; ++k)
      ASSERT_EQ(out[12 * i + k], expect[k]) << x << " " << y << " operation " << k;
  }
}

TEST_P(Nvcc, Votes) {
  std::vector<int> in(64);
  for (int i = 0; i != 64; ++i)
    in[i] = i * i % 13;
  uint64_t a = upload(memory, in, "in"), o = memory.allocate(64 * 40, "out");
  run("votes", {1}, {64}, Args().add(a).add(o));
  std::vector<uint32_t> out = download<uint32_t>(memory, o, 640);
  for (int t = 0; t != 64; ++t) {
    uint32_t ballot = 0, match = 0, odd = 0, sum = 0, max = 0, any1 = 0, all9 = 1, count = 0, or7 = 0;
    for (int k = 0; k != 64; ++k) {
      count += in[k] & 1;
      or7 |= in[k] == 7;
      if (k / 32 != t / 32)
        continue;
      uint32_t bit = 1u << (k % 32);
      ballot |= in[k] > 3 ? bit : 0;
      match |= in[k] == in[t] ? bit : 0;
      odd |= in[k] & 1 ? bit : 0;
      sum += in[k];
      max = std::max(max, uint32_t(in[k]));
      any1 |= in[k] == 1;
      all9 &= in[k] < 9;
    }
    uint32_t expect[9] = {ballot, match, 0xffffffffu, 1, any1 * 2 + all9, sum, max, count, or7};
    for (int k = 0; k != 9; ++k)
      ASSERT_EQ(out[10 * t + k], expect[k]) << t << " " << k;
    // Both sides may be merged into one by the compiler.
    uint32_t active = out[10 * t + 9];
    ASSERT_TRUE(active == 0xffffffffu || active == (in[t] & 1 ? odd : ~odd)) << std::hex << active;
  }
}

TEST_P(Nvcc, Structs) {
  struct S {
    int a[7];
    float b;
  } s = {{1, 2, 3, 4, 5, 6, 7}, 2.5f};
  uint64_t o = memory.allocate(40 * sizeof(S), "out");
  run("structs", {1}, {40}, Args().add(s).add(o));
  std::vector<S> out = download<S>(memory, o, 40);
  for (int t = 0; t != 40; ++t) {
    for (int k = 0; k != 7; ++k)
      ASSERT_EQ(out[t].a[k], k + 1 + (t % 7 == k));
    ASSERT_EQ(out[t].b, 2.5f);
  }
}

TEST_P(Nvcc, Globals) {
  uint64_t o = memory.allocate(256, "out");
  for (int round = 0; round != 2; ++round) { // variables keep their values between launches
    run("globals", {1}, {64}, Args().add(o));
    std::vector<float> out = download<float>(memory, o, 64);
    float c[8] = {1.5f, 2, 3, 4, 5, 6, 7, 8}, g[4] = {10, 20, 30.0f + round, 40};
    for (int t = 0; t != 64; ++t)
      ASSERT_EQ(out[t], c[t % 8] + g[t % 4] + g[2]);
  }
  EXPECT_NE(memory.symbolAddress(*m, "table"), 0u);
}

TEST_P(Nvcc, IndirectCalls) {
  std::vector<float> in(64);
  for (int i = 0; i != 64; ++i)
    in[i] = float(i);
  uint64_t o = upload(memory, in, "o");
  run("indirect", {1}, {64}, Args().add(o).add(1));
  std::vector<float> out = download<float>(memory, o, 64);
  for (int t = 0; t != 64; ++t)
    ASSERT_EQ(out[t], (t + 1) & 1 ? float(t + 3) : float(2 * t));
}

TEST_P(Nvcc, LocalArray) {
  uint64_t o = memory.allocate(256, "o");
  run("localArray", {1}, {64}, Args().add(o).add(21));
  std::vector<float> out = download<float>(memory, o, 64);
  for (int j = 0; j != 64; ++j) {
    float a[32];
    for (int i = 0; i < 32; ++i)
      a[i] = float(i * 21);
    for (int i = 0; i < 21; ++i)
      a[(j * 7 + i) & 31] += a[(j + i * 3) & 31];
    ASSERT_EQ(out[j], a[j & 31]);
  }
}

TEST_P(Nvcc, DynamicShared) {
  uint64_t o = memory.allocate(400, "o");
  dynamicShared = 400;
  run("dynamicShared", {1}, {100}, Args().add(o));
  std::vector<float> out = download<float>(memory, o, 100);
  for (int t = 0; t != 100; ++t)
    ASSERT_EQ(out[t], float(99 - t));
  dynamicShared = 396; // one float short
  LaunchResult r = run("dynamicShared", {1}, {100}, Args().add(o), false);
  EXPECT_TRUE(hasReport(r, ReportKind::OutOfBounds));
}

TEST_P(Nvcc, Printf) {
  run("prints", {1}, {32}, Args().add(7));
  EXPECT_EQ(printed,
            "t0: 7 str 0.00    42|ff  |z -5%\nt1: 7 str 1.50    42|ff  |z -5%\nt2: 7 str 3.00    42|ff  |z -5%\n");
}

TEST_P(Nvcc, Assert) {
  run("asserts", {1}, {32}, Args().add(32));
  LaunchResult r = run("asserts", {1}, {32}, Args().add(20), false);
  const Report *report = findReport(r, ReportKind::Trap);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->thread.x, 20u);
  EXPECT_NE(report->message.find("Assertion `x > (int)threadIdx.x' failed"), std::string::npos) << report->message;
}

TEST_P(Nvcc, Halves) {
  // _Float16 arithmetic of the host compiler goes through float and rounds once: add and mul are exact oracles.
  std::vector<uint16_t> a(64), b(64);
  std::vector<_Float16> fa(64), fb(64);
  Rng rng(8);
  for (int i = 0; i != 64; ++i) {
    fa[i] = _Float16(float(int(rng.next() % 2000) - 1000) / 64);
    fb[i] = _Float16(float(int(rng.next() % 2000) - 1000) / 512);
    std::memcpy(&a[i], &fa[i], 2);
    std::memcpy(&b[i], &fb[i], 2);
  }
  uint64_t pa = upload(memory, a, "a"), pb = upload(memory, b, "b"), pc = memory.allocate(512, "c");
  run("halves", {1}, {64}, Args().add(pa).add(pb).add(pc));
  std::vector<uint16_t> out = download<uint16_t>(memory, pc, 256);
  auto bits = [](_Float16 h) {
    uint16_t v;
    std::memcpy(&v, &h, 2);
    return v;
  };
  for (int i = 0; i != 64; ++i) {
    ASSERT_EQ(out[4 * i], bits(_Float16(double(fa[i]) * double(fb[i]) + double(fa[i]))));
    ASSERT_EQ(out[4 * i + 1], bits(fa[i] + fb[i]));
    ASSERT_EQ(out[4 * i + 2], bits(fa[i] * fa[i]));
    ASSERT_EQ(out[4 * i + 3], bits(fb[i] * fa[i]));
  }
}

TEST_P(Nvcc, DivergentLoops) {
  std::vector<int> in(300), expect(300);
  for (int i = 0; i != 300; ++i) {
    in[i] = i * 37 + 1;
    int64_t v = in[i];
    int steps = 0;
    while (v != 1) {
      v = v & 1 ? 3 * v + 1 : v >> 1;
      ++steps;
    }
    expect[i] = steps;
  }
  uint64_t a = upload(memory, in, "in"), o = memory.allocate(1200, "out");
  run("collatz", {3}, {128}, Args().add(a).add(o).add(300));
  EXPECT_EQ(download<int>(memory, o, 300), expect);
}

TEST_P(Nvcc, LockBetweenThreadsOfAWarp) {
  uint64_t mutex = upload(memory, std::vector<int>{0}, "mutex"),
           counter = upload(memory, std::vector<int>{0}, "counter");
  run("lock", {3}, {64}, Args().add(mutex).add(counter));
  EXPECT_EQ(download<int>(memory, counter, 1)[0], 192);
}

INSTANTIATE_TEST_SUITE_P(Modes, Nvcc, ::testing::Values(false, true),
                         [](const auto &info) { return info.param ? "Debug" : "Optimised"; });

} // namespace
