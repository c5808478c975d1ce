//===- EmulatorCudaTest.cpp - CUDA C++ for several targets ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// More of what EmulatorNvccTest does, by feature: cooperative groups, pipelines of cp.async, tensor cores of every
// type, narrow formats, the math library, recursion, samplers of their own (refused). Compiled for several targets.
// Skipped without nvcc.
//
//===----------------------------------------------------------------------===//
#include "EmulatorNvccUtil.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

const char *source = R"cuda(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <mma.h>
namespace cg = cooperative_groups;
extern "C" __global__ void groups(const int *in, int *out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  auto warp = cg::tiled_partition<32>(block);
  int v = in[block.thread_rank()], r = cg::reduce(tile, v, cg::plus<int>());
  int s = cg::inclusive_scan(warp, v), m = cg::reduce(warp, v, cg::greater<int>());
  int odd = 0;
  if (v & 1) { auto c = cg::coalesced_threads(); odd = c.size() * 100 + c.thread_rank(); }
  auto same = cg::labeled_partition(warp, v % 3);
  int *o = out + 6 * block.thread_rank();
  o[0] = r; o[1] = s; o[2] = m; o[3] = odd; o[4] = same.size(); o[5] = tile.shfl_down(v, 3) + warp.any(v == 7);
}
extern "C" __global__ void transpose(const float *in, float *out, int w, int h) {
  __shared__ float t[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < w && y + j < h) t[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < h && y + j < w) out[(y + j) * h + x] = t[threadIdx.x][threadIdx.y + j];
}
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__constant__ int weights[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
extern "C" __global__ void recursion(int *out) { out[threadIdx.x] = fib(threadIdx.x % 9) * weights[threadIdx.x % 16]; }
extern "C" __global__ void atomics64(unsigned long long *u, double *d, unsigned *i) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(u, (unsigned long long)t << 20); atomicMax(u + 1, (unsigned long long)t * 77777777777ull);
  atomicXor(u + 2, 1ull << (t % 64)); atomicMin((long long *)u + 3, (long long)t - 5000000000ll); atomicAdd(d, 0.5 * t);
  unsigned long long old = *(volatile unsigned long long *)(u + 4), seen;
  do { seen = old; old = atomicCAS(u + 4, seen, seen + 3); } while (old != seen);
  atomicInc(i, 9); atomicAdd_block(i + 1 + blockIdx.x, 1u);
}
extern "C" __global__ void mathf(const float *x, const float *y, float *o, int n) {
  int t = threadIdx.x;
  if (t >= n) return;
  float a = x[t], b = y[t];
  float r[] = {fmodf(a, b), remainderf(a, b), sinf(a * 100), cosf(a), tanf(a), atan2f(a, b), expf(a), logf(fabsf(a)), powf(fabsf(a), b), tgammaf(b), erff(a), cbrtf(a), rintf(a), a / b, 1 / b, sqrtf(fabsf(a)), asinhf(a), log1pf(fabsf(b)), ldexpf(a, 5), hypotf(a, b)};
  for (int k = 0; k < 20; ++k) o[t * 20 + k] = r[k];
}
extern "C" __global__ void mathd(const double *x, const double *y, double *o, int n) {
  int t = threadIdx.x;
  if (t >= n) return;
  double a = x[t], b = y[t];
  double r[] = {fmod(a, b), remainder(a, b), sin(a * 100), cos(a), tan(a), atan2(a, b), exp(a), log(fabs(a)), pow(fabs(a), b), tgamma(b), erf(a), cbrt(a), rint(a), a / b, 1 / b, sqrt(fabs(a)), asinh(a), log1p(fabs(b)), ldexp(a, 5), hypot(a, b)};
  for (int k = 0; k < 20; ++k) o[t * 20 + k] = r[k];
}
extern "C" __global__ void halves(const __half2 *x, const __half2 *y, __half2 *o, unsigned *masks) {
  int t = threadIdx.x;
  __half2 a = x[t], b = y[t], *r = o + 8 * t;
  r[0] = __hadd2(a, b); r[1] = __hmul2(a, b); r[2] = __hfma2(a, b, a); r[3] = __hmax2(a, b); r[4] = __hsub2(a, b);
  r[5] = __habs2(a); r[6] = __lows2half2(a, b); r[7] = __hge2(a, b);
  masks[t] = __heq2_mask(a, __hmin2(a, b));
}
extern "C" __global__ void video(const unsigned *x, const unsigned *y, unsigned *o) {
  unsigned a = x[threadIdx.x], b = y[threadIdx.x], *r = o + 8 * threadIdx.x;
  r[0] = __vadd4(a, b); r[1] = __vsadu4(a, b); r[2] = __vsads2(a, b); r[3] = __vabsdiffu4(a, b); r[4] = __vmaxs4(a, b);
  r[5] = __vaddus4(a, b); r[6] = __vcmpgts2(a, b); r[7] = __vavgu4(a, b);
}
#if __CUDA_ARCH__ >= 800
extern "C" __global__ void bhalves(const __nv_bfloat162 *x, const __nv_bfloat162 *y, __nv_bfloat162 *o) {
  int t = threadIdx.x;
  __nv_bfloat162 a = x[t], b = y[t], *r = o + 6 * t;
  r[0] = __hadd2(a, b); r[1] = __hmul2(a, b); r[2] = __hfma2(a, b, a); r[3] = __hmax2(a, b); r[4] = __hsub2(a, b); r[5] = __hneg2(a);
}
extern "C" __global__ void fp8(const float *x, unsigned char *o, float *back) {
  int t = threadIdx.x;
  __nv_fp8_e4m3 a(x[t]); __nv_fp8_e5m2 b(x[t]);
  o[2 * t] = a.__x; o[2 * t + 1] = b.__x;
  back[2 * t] = float(a); back[2 * t + 1] = float(b);
}
// Three-stage pipeline of cp.async.
extern "C" __global__ void pipeline(const float4 *in, float *out, int tiles) {
  __shared__ float4 stage[3][64];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 2; ++k) { if (k < tiles) __pipeline_memcpy_async(&stage[k][t], in + k * 64 + t, 16); __pipeline_commit(); }
  for (int k = 0; k < tiles; ++k) {
    if (k + 2 < tiles) __pipeline_memcpy_async(&stage[(k + 2) % 3][t], in + (k + 2) * 64 + t, 16);
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    float4 v = stage[k % 3][63 - t];
    sum += v.x + 2 * v.y + 3 * v.z + 4 * v.w;
    __syncthreads();
  }
  out[t] = sum;
}
// C = A B with mma.sync: 16 x 8 per warp, K in steps.
#define MMA(name, shape, types, T, C, KK, na, nb, reg) \
extern "C" __global__ void name(const T *a, const T *b, C *c, int k) { \
  int l = threadIdx.x, g = l / 4, q = l % 4; \
  constexpr int w = 4 / sizeof(T); \
  C d[4] = {}; \
  for (int s = 0; s < k; s += KK) { \
    unsigned A[4], B[2]; \
    for (int r = 0; r < na; ++r) A[r] = *(const unsigned *)(a + (g + 8 * (r & 1)) * k + s + 4 * w * (r >> 1) + w * q); \
    for (int r = 0; r < nb; ++r) B[r] = *(const unsigned *)(b + g * k + s + 4 * w * r + w * q); \
    asm volatile("mma.sync.aligned." shape ".row.col." types " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
                 : "+" reg(d[0]), "+" reg(d[1]), "+" reg(d[2]), "+" reg(d[3]) : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1])); \
  } \
  for (int i = 0; i < 4; ++i) c[(g + 8 * (i / 2)) * 8 + 2 * q + i % 2] = d[i]; \
}
MMA(mmaHalf, "m16n8k16", "f32.f16.f16.f32", __half, float, 16, 4, 2, "f")
MMA(mmaBfloat, "m16n8k16", "f32.bf16.bf16.f32", __nv_bfloat16, float, 16, 4, 2, "f")
MMA(mmaTf32, "m16n8k8", "f32.tf32.tf32.f32", float, float, 8, 4, 2, "f")
MMA(mmaInt8, "m16n8k32", "s32.s8.s8.s32", signed char, int, 32, 4, 2, "r")
using namespace nvcuda;
extern "C" __global__ void wmmaGemm(const __half *a, const __half *b, float *c, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.5f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(fa, a + blockIdx.y * 16 * n + k, n);
    wmma::load_matrix_sync(fb, b + k * n + blockIdx.x * 16, n);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 2;
  wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, fc, n, wmma::mem_row_major);
}
#endif
)cuda";

/// PTX of `text`; empty with a failure if nvcc does not take it.
std::string compile(const std::string &text, const std::string &options) { return compileCuda(text, "-w " + options); }

struct Target {
  const char *name, *options;
  unsigned sm;
};
void PrintTo(const Target &t, std::ostream *out) { *out << t.name; }

class Cuda : public ::testing::TestWithParam<Target> {
protected:
  void SetUp() override {
    if (nvccPath().empty())
      GTEST_SKIP() << "no nvcc";
    static std::map<std::string, std::unique_ptr<Module>> modules;
    auto [it, isNew] = modules.try_emplace(GetParam().name);
    if (isNew)
      it->second = parse(compile(source, GetParam().options));
    m = it->second.get();
    ASSERT_TRUE(m);
  }
  bool needs(unsigned sm) { return GetParam().sm >= sm; }
  LaunchResult run(const char *kernel, Dim3 grid, Dim3 block, const Args &args) {
    LaunchConfig c;
    c.kernel = kernel;
    c.grid = grid;
    c.block = block;
    c.args = args;
    c.options.checkRaces = true; // all kernels here are correct
    // Without optimisation structures are copied with their padding, which nobody has written.
    c.options.checkUninitialized = !std::strstr(GetParam().options, "-G");
    LaunchResult r = launch(*m, memory, c);
    EXPECT_TRUE(r.ok) << kernel << "\n" << reports(r);
    return r;
  }
  template <typename T> uint64_t output(size_t n, T = T()) { return memory.allocate(n * sizeof(T), "out"); }
  Module *m = nullptr;
  Memory memory;
};

float halfValue(uint16_t h) {
  int e = h >> 10 & 31;
  double v = e ? std::ldexp(1024 + (h & 1023), e - 25) : std::ldexp(h & 1023, -24);
  return float(h >> 15 ? -v : v);
}
uint16_t halfBits(float f) { // of values that f16 has
  for (unsigned h = 0; h != 0x7c00; ++h)
    if (halfValue(uint16_t(h)) == std::fabs(f))
      return uint16_t(h | (std::signbit(f) ? 0x8000 : 0));
  return 0x7e00;
}
float bfloatValue(uint16_t b) { return std::bit_cast<float>(uint32_t(b) << 16); }
std::vector<int> randomInts(size_t n, uint64_t seed, int lo, int hi) {
  Rng rng(seed);
  std::vector<int> v(n);
  for (int &x : v)
    x = lo + int(rng.next() % uint64_t(hi - lo + 1));
  return v;
}

TEST_P(Cuda, CooperativeGroups) {
  std::vector<int> in = randomInts(64, 1, 0, 50);
  uint64_t o = output<int>(64 * 6);
  run("groups", {1}, {64}, Args().add(upload(memory, in, "in")).add(o));
  std::vector<int> got = download<int>(memory, o, 64 * 6);
  for (int t = 0; t != 64; ++t) {
    int tile = t / 16 * 16, warp = t / 32 * 32, odd = 0, rank = 0, same = 0, scan = 0, top = 0;
    for (int k = warp; k != warp + 32; ++k) {
      odd += in[k] & 1;
      rank += k < t && (in[k] & 1);
      same += in[k] % 3 == in[t] % 3;
      scan += k <= t ? in[k] : 0;
      top = std::max(top, in[k]);
    }
    EXPECT_EQ(got[6 * t], std::accumulate(&in[tile], &in[tile] + 16, 0));
    EXPECT_EQ(got[6 * t + 1], scan);
    EXPECT_EQ(got[6 * t + 2], top);
    EXPECT_EQ(got[6 * t + 3], in[t] & 1 ? odd * 100 + rank : 0);
    EXPECT_EQ(got[6 * t + 4], same);
    bool seven = std::count(&in[warp], &in[warp] + 32, 7);
    EXPECT_EQ(got[6 * t + 5], in[t % 16 < 13 ? t + 3 : t] + seven);
  }
}

TEST_P(Cuda, Transpose) {
  int w = 70, h = 45;
  std::vector<float> in(w * h);
  std::iota(in.begin(), in.end(), 1.f);
  uint64_t o = output<float>(w * h);
  run("transpose", {3, 2}, {32, 8}, Args().add(upload(memory, in, "in")).add(o).add(w).add(h));
  std::vector<float> got = download<float>(memory, o, w * h);
  for (int y = 0; y != h; ++y)
    for (int x = 0; x != w; ++x)
      ASSERT_EQ(got[x * h + y], in[y * w + x]);
}

TEST_P(Cuda, RecursionAndConstants) {
  const int fib[] = {0, 1, 1, 2, 3, 5, 8, 13, 21}, weights[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  uint64_t o = output<int>(64);
  run("recursion", {1}, {64}, Args().add(o));
  std::vector<int> got = download<int>(memory, o, 64);
  for (int t = 0; t != 64; ++t)
    EXPECT_EQ(got[t], fib[t % 9] * weights[t % 16]);
}

TEST_P(Cuda, Atomics64) {
  uint64_t u = upload(memory, std::vector<uint64_t>{0, 0, 0, 0, 10}, "u"),
           d = upload(memory, std::vector<double>{0}, "d"), i = upload(memory, std::vector<unsigned>(4), "i");
  run("atomics64", {3}, {100}, Args().add(u).add(d).add(i));
  uint64_t sum = 0, bits = 0;
  for (uint64_t t = 0; t != 300; ++t) {
    sum += t << 20;
    bits ^= 1ull << (t % 64);
  }
  std::vector<uint64_t> got = download<uint64_t>(memory, u, 5);
  EXPECT_EQ(got[0], sum);
  EXPECT_EQ(got[1], 299 * 77777777777ull);
  EXPECT_EQ(got[2], bits);
  EXPECT_EQ(int64_t(got[3]), -5000000000ll);
  EXPECT_EQ(got[4], 10u + 900);
  EXPECT_EQ(download<double>(memory, d, 1)[0], 0.5 * 299 * 150);
  EXPECT_EQ(download<unsigned>(memory, i, 4), (std::vector<unsigned>{0, 100, 100, 100}));
}

template <typename T> std::vector<double> mathReference(T a, T b) {
  double x = double(a), y = double(b), big = double(T(a * 100));
  return {std::fmod(x, y),
          std::remainder(x, y),
          std::sin(big),
          std::cos(x),
          std::tan(x),
          std::atan2(x, y),
          std::exp(x),
          std::log(std::fabs(x)),
          std::pow(std::fabs(x), y),
          std::tgamma(y),
          std::erf(x),
          std::cbrt(x),
          std::rint(x),
          x / y,
          1 / y,
          std::sqrt(std::fabs(x)),
          std::asinh(x),
          std::log1p(std::fabs(y)),
          std::ldexp(x, 5),
          std::hypot(x, y)};
}
template <typename T>
void checkMath(const std::vector<T> &x, const std::vector<T> &y, const std::vector<T> &got, double tolerance) {
  for (size_t t = 0; t != x.size(); ++t) {
    std::vector<double> want = mathReference(x[t], y[t]);
    for (size_t k = 0; k != 20; ++k) {
      bool exact = k < 2 || k == 12 || k == 18;
      if (exact)
        EXPECT_EQ(double(got[t * 20 + k]), double(T(want[k]))) << k << " of " << x[t] << ", " << y[t];
      else
        EXPECT_NEAR(double(got[t * 20 + k]), want[k], tolerance * std::max(1e-3, std::fabs(want[k])))
            << k << " of " << x[t] << ", " << y[t];
    }
  }
}

TEST_P(Cuda, Math) {
  Rng rng(4);
  std::vector<double> x, y;
  for (int i = 0; i != 32; ++i) {
    x.push_back((double(rng.next() >> 11) * 0x1p-53 - 0.5) * 20);
    y.push_back(double(rng.next() >> 11) * 0x1p-53 * 5 + 0.1);
  }
  std::vector<float> xf(x.begin(), x.end()), yf(y.begin(), y.end());
  uint64_t of = output<float>(640), od = output<double>(640);
  run("mathf", {1}, {64}, Args().add(upload(memory, xf, "x")).add(upload(memory, yf, "y")).add(of).add(32));
  checkMath(xf, yf, download<float>(memory, of, 640), 2e-5);
  run("mathd", {1}, {64}, Args().add(upload(memory, x, "x")).add(upload(memory, y, "y")).add(od).add(32));
  checkMath(x, y, download<double>(memory, od, 640), 1e-13);
}

TEST_P(Cuda, HalfPairs) {
  // Eighths between -4 and 4: sums and products are exact.
  std::vector<int> vx = randomInts(64, 5, -32, 32), vy = randomInts(64, 6, -32, 32);
  std::vector<uint16_t> x, y;
  for (int i = 0; i != 64; ++i) {
    x.push_back(halfBits(vx[i] / 8.f));
    y.push_back(halfBits(i % 5 ? vy[i] / 8.f : vx[i] / 8.f));
  }
  uint64_t o = output<uint16_t>(32 * 16), mo = output<uint32_t>(32);
  run("halves", {1}, {32}, Args().add(upload(memory, x, "x")).add(upload(memory, y, "y")).add(o).add(mo));
  std::vector<uint16_t> got = download<uint16_t>(memory, o, 32 * 16);
  std::vector<uint32_t> masks = download<uint32_t>(memory, mo, 32);
  for (int t = 0; t != 32; ++t)
    for (int h = 0; h != 2; ++h) {
      float a = halfValue(x[2 * t + h]), b = halfValue(y[2 * t + h]);
      float want[] = {a + b,
                      a * b,
                      a * b + a,
                      std::max(a, b),
                      a - b,
                      std::fabs(a),
                      h ? halfValue(y[2 * t]) : halfValue(x[2 * t]),
                      float(a >= b)};
      for (int k = 0; k != 8; ++k)
        EXPECT_EQ(halfValue(got[16 * t + 2 * k + h]), want[k]) << k << " of " << a << ", " << b;
      EXPECT_EQ(masks[t] >> 16 * h & 0xffff, a <= b ? 0xffffu : 0u) << a << " " << b;
    }
}

TEST_P(Cuda, VideoInstructions) {
  Rng rng(8);
  std::vector<unsigned> x, y;
  for (int i = 0; i != 64; ++i) {
    x.push_back(unsigned(rng.next()));
    y.push_back(i % 4 ? unsigned(rng.next()) : x.back() ^ 0x01000080);
  }
  uint64_t o = output<unsigned>(64 * 8);
  run("video", {1}, {64}, Args().add(upload(memory, x, "x")).add(upload(memory, y, "y")).add(o));
  std::vector<unsigned> got = download<unsigned>(memory, o, 64 * 8);
  for (int t = 0; t != 64; ++t) {
    unsigned want[8] = {};
    for (int k = 0; k != 4; ++k) {
      int a = x[t] >> 8 * k & 255, b = y[t] >> 8 * k & 255, sa = int8_t(a), sb = int8_t(b);
      want[0] |= unsigned(a + b & 255) << 8 * k;
      want[1] += unsigned(std::abs(a - b));
      want[3] |= unsigned(std::abs(a - b)) << 8 * k;
      want[4] |= unsigned(std::max(sa, sb) & 255) << 8 * k;
      want[5] |= unsigned(std::min(a + b, 255)) << 8 * k;
      want[7] |= unsigned(a + b + 1) / 2 << 8 * k;
    }
    for (int k = 0; k != 2; ++k) {
      int a = int16_t(x[t] >> 16 * k), b = int16_t(y[t] >> 16 * k);
      want[2] += unsigned(std::abs(a - b));
      want[6] |= (a > b ? 0xffffu : 0u) << 16 * k;
    }
    for (int k = 0; k != 8; ++k)
      EXPECT_EQ(got[8 * t + k], want[k]) << k << " of " << x[t] << ", " << y[t];
  }
}

TEST_P(Cuda, Bfloats) {
  if (!needs(80))
    return;
  std::vector<int> vx = randomInts(64, 9, -8, 8), vy = randomInts(64, 10, -8, 8);
  std::vector<uint16_t> x, y;
  for (int i = 0; i != 64; ++i) {
    x.push_back(uint16_t(std::bit_cast<uint32_t>(float(vx[i])) >> 16));
    y.push_back(uint16_t(std::bit_cast<uint32_t>(float(vy[i])) >> 16));
  }
  uint64_t o = output<uint16_t>(32 * 12);
  run("bhalves", {1}, {32}, Args().add(upload(memory, x, "x")).add(upload(memory, y, "y")).add(o));
  std::vector<uint16_t> got = download<uint16_t>(memory, o, 32 * 12);
  for (int i = 0; i != 64; ++i) {
    float a = float(vx[i]), b = float(vy[i]), want[] = {a + b, a * b, a * b + a, std::max(a, b), a - b, -a};
    for (int k = 0; k != 6; ++k)
      EXPECT_EQ(bfloatValue(got[i / 2 * 12 + 2 * k + i % 2]), want[k]) << k << " of " << a << ", " << b;
  }
}

TEST_P(Cuda, Fp8) {
  if (!needs(80))
    return;
  std::vector<float> x = {0.1f, -2.5f, 464, 17, 19, 448, 1e9f, 0x1p-9f, 0x1p-10f, -0.f, NAN, 3, -7, 60000, 0.003f, 1};
  const uint8_t e4m3[] = {0x1d, 0xc2, 0x7e, 0x58, 0x5a, 0x7e, 0x7e, 1, 0, 0x80, 0x7f, 0x44, 0xce, 0x7e, 2, 0x38};
  const uint8_t e5m2[] = {0x2e, 0xc1, 0x5f, 0x4c, 0x4d, 0x5f, 0x7b, 0x18,
                          0x14, 0x80, 0x7f, 0x42, 0xc7, 0x7b, 0x1a, 0x3c};
  uint64_t o = output<uint8_t>(32), back = output<float>(32);
  run("fp8", {1}, {16}, Args().add(upload(memory, x, "x")).add(o).add(back));
  std::vector<uint8_t> got = download<uint8_t>(memory, o, 32);
  for (int i = 0; i != 16; ++i) {
    EXPECT_EQ(got[2 * i], e4m3[i]) << x[i];
    EXPECT_EQ(got[2 * i + 1], e5m2[i]) << x[i];
  }
  std::vector<float> floats = download<float>(memory, back, 32);
  EXPECT_EQ(floats[2 * 11], 3);
  EXPECT_EQ(floats[2 * 12], -7);
  EXPECT_EQ(floats[2 * 5], 448);
  EXPECT_TRUE(std::isnan(floats[2 * 10]));
}

TEST_P(Cuda, AsyncCopyPipeline) {
  if (!needs(80))
    return;
  int tiles = 7;
  std::vector<float> in(tiles * 256);
  for (size_t i = 0; i != in.size(); ++i)
    in[i] = float(i % 97);
  uint64_t o = output<float>(64);
  run("pipeline", {1}, {64}, Args().add(upload(memory, in, "in")).add(o).add(tiles));
  std::vector<float> got = download<float>(memory, o, 64);
  for (int t = 0; t != 64; ++t) {
    float want = 0;
    for (int k = 0; k != tiles; ++k)
      for (int e = 0; e != 4; ++e)
        want += float(e + 1) * in[(k * 64 + 63 - t) * 4 + e];
    EXPECT_EQ(got[t], want);
  }
}

TEST_P(Cuda, TensorCores) {
  if (!needs(80))
    return;
  int k = 96;
  std::vector<int> va = randomInts(16 * k, 11, -3, 3), vb = randomInts(8 * k, 12, -3, 3);
  std::vector<float> want(128);
  for (int i = 0; i != 16; ++i)
    for (int j = 0; j != 8; ++j)
      for (int s = 0; s != k; ++s)
        want[i * 8 + j] += float(va[i * k + s] * vb[j * k + s]);
  auto check = [&](const char *kernel, auto encode, auto result) {
    using T = decltype(encode(0));
    using R = decltype(result);
    std::vector<T> a, b;
    for (int v : va)
      a.push_back(encode(v));
    for (int v : vb)
      b.push_back(encode(v));
    uint64_t o = output<R>(128);
    run(kernel, {1}, {32}, Args().add(upload(memory, a, "a")).add(upload(memory, b, "b")).add(o).add(k));
    std::vector<R> got = download<R>(memory, o, 128);
    for (int i = 0; i != 128; ++i)
      ASSERT_EQ(float(got[i]), want[i]) << kernel << " " << i;
  };
  check("mmaHalf", [](int v) { return halfBits(float(v)); }, 0.f);
  check("mmaBfloat", [](int v) { return uint16_t(std::bit_cast<uint32_t>(float(v)) >> 16); }, 0.f);
  check("mmaTf32", [](int v) { return float(v); }, 0.f);
  check("mmaInt8", [](int v) { return int8_t(v); }, 0);
}

TEST_P(Cuda, Wmma) {
  if (!needs(80))
    return;
  int n = 48;
  std::vector<int> va = randomInts(n * n, 13, -4, 4), vb = randomInts(n * n, 14, -4, 4);
  std::vector<uint16_t> a, b;
  for (int i = 0; i != n * n; ++i) {
    a.push_back(halfBits(float(va[i])));
    b.push_back(halfBits(float(vb[i])));
  }
  uint64_t o = output<float>(n * n);
  run("wmmaGemm", {3, 3}, {32}, Args().add(upload(memory, a, "a")).add(upload(memory, b, "b")).add(o).add(n));
  std::vector<float> got = download<float>(memory, o, n * n);
  for (int i = 0; i != n; ++i)
    for (int j = 0; j != n; ++j) {
      int sum = 0;
      for (int k = 0; k != n; ++k)
        sum += va[i * n + k] * vb[k * n + j];
      ASSERT_EQ(got[i * n + j], 2 * sum + 1);
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, Cuda,
                         ::testing::Values(Target{"sm_75", "-arch=sm_75 -O3", 75},
                                           Target{"sm_80_debug", "-arch=sm_80 -G", 80},
                                           Target{"sm_90", "-arch=sm_90 -O3", 90},
                                           Target{"sm_120a", "-arch=sm_120a -O3", 120}),
                         [](auto &info) { return std::string(info.param.name); });

TEST(CudaRefused, Samplers) {
  if (nvccPath().empty())
    GTEST_SKIP() << "no nvcc";
  std::string text = compile(
      "extern \"C\" __global__ void k(cudaTextureObject_t t, float *o) {\n  asm volatile(\"{ .reg .f32 a, b, c; "
      "tex.2d.v4.f32.f32 {%0, a, b, c}, [%1, %1, {%2, %2}]; }\" : \"=f\"(o[0]) : \"l\"(t), \"f\"(o[1]));\n}\n",
      "-arch=sm_80 -lineinfo");
  std::string message = parseError(text);
  EXPECT_NE(message.find("samplers of their own"), std::string::npos) << message;
  // The place is the line of the instruction in the PTX.
  size_t at = text.find("tex.2d"), line = 1 + size_t(std::count(text.begin(), text.begin() + long(at), '\n'));
  EXPECT_NE(message.find("test.ptx:" + std::to_string(line) + ":"), std::string::npos) << message;
}

} // namespace
