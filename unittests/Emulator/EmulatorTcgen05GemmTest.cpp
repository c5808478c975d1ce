//===- EmulatorTcgen05GemmTest.cpp - Blackwell matrix products through nvcc -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// CUDA C++ with tcgen05 in inline PTX, compiled by nvcc for sm_100a, under every timing of asynchronous operations; and
// the same PTX with a synchronising instruction removed or altered, which must be noticed. Skipped without nvcc.
//
//===----------------------------------------------------------------------===//
#include "EmulatorNvccUtil.h"
#include "Tcgen05TestUtil.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

const char *source = R"cuda(
#include <cstdint>
#define DEV __device__ __forceinline__
DEV unsigned sharedAddress(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
enum Kind { BF16, F8, MXF8, NVF4 };

template <int G> DEV void alloc(unsigned where) {
  if (G == 1) asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 512;" ::"r"(where) : "memory");
  else asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], 512;" ::"r"(where) : "memory");
}
template <int G> DEV void release(unsigned t) {
  if (G == 1) asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 512;" ::"r"(t));
  else asm volatile("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned; tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, 512;" ::"r"(t));
}
template <int G> DEV void commit(unsigned bar) {
  if (G == 1) asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(bar) : "memory");
  else asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(bar), "h"((short)3) : "memory");
}
template <int G> DEV void copyScales(unsigned t, uint64_t d) {
  if (G == 1) asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" ::"r"(t), "l"(d));
  else asm volatile("tcgen05.cp.cta_group::2.32x128b.warpx4 [%0], %1;" ::"r"(t), "l"(d));
}
#define MMA(G, K) asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0; tcgen05.mma.cta_group::" G ".kind::" K " [%0], %1, %2, %3, p; }" ::"r"(d), "l"(a), "l"(b), "r"(i), "r"(e))
#define MMAS(G, K) asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0; tcgen05.mma.cta_group::" G ".kind::" K " [%0], %1, %2, %3, [%5], [%6], p; }" ::"r"(d), "l"(a), "l"(b), "r"(i), "r"(e), "r"(sa), "r"(sb))
template <int G, int K> DEV void mma(unsigned d, uint64_t a, uint64_t b, unsigned i, unsigned e, unsigned sa, unsigned sb) {
  if (G == 1) {
    if (K == BF16) MMA("1", "f16"); else if (K == F8) MMA("1", "f8f6f4");
    else if (K == MXF8) MMAS("1", "mxf8f6f4.block_scale.block32"); else MMAS("1", "mxf4nvf4.block_scale.block16");
  } else {
    if (K == BF16) MMA("2", "f16"); else if (K == F8) MMA("2", "f8f6f4");
    else if (K == MXF8) MMAS("2", "mxf8f6f4.block_scale.block32"); else MMAS("2", "mxf4nvf4.block_scale.block16");
  }
}
DEV void waitStage(unsigned bar, unsigned parity) {
  unsigned done;
  do asm volatile("{ .reg .pred pstage; mbarrier.try_wait.parity.shared::cta.b64 pstage, [%1], %2; selp.u32 %0, 1, 0, pstage; }" : "=r"(done) : "r"(bar), "r"(parity) : "memory");
  while (!done);
}
DEV void waitFinal(unsigned bar, unsigned parity) {
  unsigned done;
  do asm volatile("{ .reg .pred pfinal; mbarrier.try_wait.parity.shared::cta.b64 pfinal, [%1], %2; selp.u32 %0, 1, 0, pfinal; }" : "=r"(done) : "r"(bar), "r"(parity) : "memory");
  while (!done);
}
template <int G> DEV void syncAll() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  if (G == 1) __syncthreads();
  else asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

// C = A * B^T, rows of kb bytes. 128 threads; each block has 128 rows of A and (alone) 128, (in a pair) 256 columns, of
// which it loads 128. K tiles of 128 bytes, two buffers. Scale factors come as images of 512 bytes per 128 rows and four
// scales: [row tile][K tile][image].
template <int G, int K> DEV void gemm(const uint8_t *a, const uint8_t *b, const uint8_t *fa, const uint8_t *fb, float *c, int n, int kb,
                                      unsigned idesc, int skew) {
  extern __shared__ __align__(1024) unsigned char s[];
  __shared__ uint64_t bars[3];
  __shared__ unsigned where;
  constexpr int Scales = K == BF16 || K == F8 ? 0 : K == MXF8 ? 1 : 4; // images per 128 rows and K tile
  constexpr int Stage = 32768 + 512 * Scales * (1 + G);
  constexpr int Bytes = (Stage + 1023) / 1024 * 1024;
  const int t = threadIdx.x, rank = G == 2 ? blockIdx.x & 1 : 0;
  const int m0 = (G == 2 ? (blockIdx.x & ~1) : blockIdx.x) * 128, n0 = blockIdx.y * 128 * G, steps = kb / 128;
  if (t < 32) alloc<G>(sharedAddress(&where));
  if (t == 0) {
    for (int i = 0; i < 3; ++i) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(&bars[i])));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  syncAll<G>();
  const unsigned d = where;
  for (int step = 0; step < steps; ++step) {
    const int stage = step & 1;
    unsigned char *buffer = s + stage * Bytes;
    if (step >= 2) waitStage(sharedAddress(&bars[stage]), ((step >> 1) - 1) & 1);
    for (int i = t; i < 256 * 8; i += 128) {
      int row = i / 8, unit = i % 8;
      const uint8_t *from = row < 128 ? a + (size_t)(m0 + rank * 128 + row) * kb : b + (size_t)(n0 + rank * 128 + row - 128) * kb;
      *(uint4 *)(buffer + row * 128 + ((unit ^ (row & 7)) * 16)) = *(const uint4 *)(from + step * 128 + unit * 16);
    }
    for (int i = t; i < 32 * Scales * (1 + G); i += 128) {
      int image = i / 32, tile = image / Scales, which = image % Scales; // tile 0: A
      const uint8_t *from = tile == 0 ? fa + ((size_t)((m0 / 128 + rank) * steps + step) * Scales + which) * 512
                                      : fb + ((size_t)((n0 / 128 + tile - 1) * steps + step) * Scales + which) * 512;
      *(uint4 *)(buffer + 32768 + i * 16) = *(const uint4 *)(from + i % 32 * 16);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    syncAll<G>();
    if (t == 0 && rank == 0) {
      const unsigned base = sharedAddress(buffer);
      const uint64_t mode = 0x4000404000010000ull, plain = 8ull << 32 | 1ull << 46;
      const unsigned sa = d + 256 + stage * 64, sb = sa + 16;
      for (int i = 0; i < Scales; ++i) copyScales<G>(sa + 4 * i, plain | ((base + 32768 + 512 * i) & 0x3ffff) >> 4);
      for (int tile = 0; tile < G; ++tile)
        for (int i = 0; i < Scales; ++i)
          copyScales<G>(sb + 4 * G * i + 4 * tile, plain | ((base + 32768 + 512 * (Scales * (1 + tile) + i)) & 0x3ffff) >> 4);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        unsigned id = K == MXF8 ? idesc | j << 4 | j << 29 : idesc;
        mma<G, K>(d, mode | ((base + 32 * j) & 0x3ffff) >> 4, mode | ((base + 16384 + 32 * j) & 0x3ffff) >> 4, id, step || j,
                  K == NVF4 ? sa + 4 * j : sa, K == NVF4 ? sb + 4 * G * j : sb);
      }
      commit<G>(sharedAddress(&bars[stage]));
      if (step == steps - 1) commit<G>(sharedAddress(&bars[2]));
    }
  }
  waitFinal(sharedAddress(&bars[2]), 0);
  // Commits that signal two blocks need not arrive in order, and no block may exit before.
  for (int step = steps < 2 ? 0 : steps - 2; G == 2 && step < steps; ++step) waitStage(sharedAddress(&bars[step & 1]), step >> 1 & 1);
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  __syncwarp();
  for (int col = 0; col < 128 * G; col += 8) {
    float v[8];
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];\n\ttcgen05.wait::ld.sync.aligned;"
                 : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]), "=f"(v[4]), "=f"(v[5]), "=f"(v[6]), "=f"(v[7])
                 : "r"(d + ((t / 32 * 32) << 16) + col + skew));
    for (int i = 0; i < 8; ++i) c[(size_t)(m0 + rank * 128 + t) * n + n0 + col + i] = v[i];
  }
  syncAll<G>();
  if (t < 32) release<G>(d);
}

// The same product with tensor copies and roles: warp 4 loads, warp 5 multiplies, warps 0 to 3 drain. Three stages. In a
// pair, both blocks' loads complete on the barrier of the even one, which multiplies for both.
struct alignas(64) Map { char bytes[128]; };
template <int G> DEV void pipe(const Map &ma, const Map &mb, float *c, int n, int kb, unsigned idesc) {
  extern __shared__ __align__(1024) unsigned char s[];
  __shared__ uint64_t full[3], empty[3], drained[1];
  __shared__ unsigned where;
  const int t = threadIdx.x, w = t / 32, rank = G == 2 ? blockIdx.x & 1 : 0;
  const int m0 = (G == 2 ? (blockIdx.x & ~1) : blockIdx.x) * 128, n0 = blockIdx.y * 128 * G, steps = kb / 128;
  if (w == 0) alloc<G>(sharedAddress(&where));
  if (t == 0) {
    for (int i = 0; i < 3; ++i) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(&full[i])));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(&empty[i])));
    }
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(drained)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  syncAll<G>();
  const unsigned d = where;
  if (t == 128) {
    for (int step = 0; step < steps; ++step) {
      const int stage = step % 3;
      if (step >= 3) waitStage(sharedAddress(&empty[stage]), (step / 3 - 1) & 1);
      unsigned bar = sharedAddress(&full[stage]), to = sharedAddress(s + stage * 32768);
      if (rank == 0)
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(32768 * G) : "memory");
      for (int which = 0; which < 2; ++which) {
        const Map *map = which ? &mb : &ma;
        int x = step * 128, y = (which ? n0 : m0) + rank * 128;
        if (G == 1)
          asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                       ::"r"(to + which * 16384), "l"(map), "r"(x), "r"(y), "r"(bar) : "memory");
        else
          asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::2 [%0], [%1, {%2, %3}], [%4];"
                       ::"r"(to + which * 16384), "l"(map), "r"(x), "r"(y), "r"(bar & 0xfeffffff) : "memory");
      }
    }
    for (int step = steps < 3 ? 0 : steps - 3; G == 2 && step < steps; ++step) waitStage(sharedAddress(&empty[step % 3]), step / 3 & 1);
  } else if (t == 160 && rank == 0) {
    for (int step = 0; step < steps; ++step) {
      const int stage = step % 3;
      waitStage(sharedAddress(&full[stage]), step / 3 & 1);
      asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
      const unsigned base = sharedAddress(s + stage * 32768);
#pragma unroll
      for (int j = 0; j < 4; ++j)
        mma<G, BF16>(d, 0x4000404000010000ull | ((base + 32 * j) & 0x3ffff) >> 4, 0x4000404000010000ull | ((base + 16384 + 32 * j) & 0x3ffff) >> 4,
                     idesc, step || j, 0, 0);
      commit<G>(sharedAddress(&empty[stage]));
      if (step == steps - 1) commit<G>(sharedAddress(drained));
    }
  }
  __syncwarp();
  if (w < 4) {
    waitFinal(sharedAddress(drained), 0);
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
    __syncwarp();
    for (int col = 0; col < 128 * G; col += 8) {
      float v[8];
      asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];\n\ttcgen05.wait::ld.sync.aligned;"
                   : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]), "=f"(v[4]), "=f"(v[5]), "=f"(v[6]), "=f"(v[7])
                   : "r"(d + ((w * 32) << 16) + col));
      for (int i = 0; i < 8; ++i) c[(size_t)(m0 + rank * 128 + t) * n + n0 + col + i] = v[i];
    }
  }
  syncAll<G>();
  if (w == 0) release<G>(d);
}
extern "C" __global__ void __launch_bounds__(192) pipe_1(const __grid_constant__ Map a, const __grid_constant__ Map b, float *c, int n, int kb,
                                                         unsigned idesc) { pipe<1>(a, b, c, n, kb, idesc); }
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(192) pipe_2(const __grid_constant__ Map a, const __grid_constant__ Map b,
                                                                                   float *c, int n, int kb, unsigned idesc) { pipe<2>(a, b, c, n, kb, idesc); }
#define KERNEL(name, G, K, cluster)                                                                                     \
  extern "C" __global__ void cluster __launch_bounds__(128) name(const uint8_t *a, const uint8_t *b, const uint8_t *fa,  \
      const uint8_t *fb, float *c, int n, int kb, unsigned idesc, int skew) { gemm<G, K>(a, b, fa, fb, c, n, kb, idesc, skew); }
KERNEL(bf16_1, 1, BF16, )
KERNEL(f8_1, 1, F8, )
KERNEL(mxf8_1, 1, MXF8, )
KERNEL(nvf4_1, 1, NVF4, )
KERNEL(bf16_2, 2, BF16, __cluster_dims__(2, 1, 1))
KERNEL(f8_2, 2, F8, __cluster_dims__(2, 1, 1))
KERNEL(mxf8_2, 2, MXF8, __cluster_dims__(2, 1, 1))
KERNEL(nvf4_2, 2, NVF4, __cluster_dims__(2, 1, 1))
)cuda";

/// The PTX, compiled once; empty without nvcc.
const std::string &ptxText() {
  static const std::string text = compileCuda(source, "-arch=sm_100a -O3");
  return text;
}

class Tcgen05Gemm : public NvccTest {
protected:
  const std::string &compiled() const override { return ptxText(); }
};

std::vector<Setting> settings() { return test::settings(4, true); }

struct Problem {
  int m = 256, n = 256, kb = 640; // bytes of K
  std::vector<uint8_t> a, b, fa, fb;
  std::vector<float> c;
};

/// Operands of a kind and the product.
const Problem &problem(const std::string &kind) {
  static std::map<std::string, Problem> made;
  Problem &p = made[kind];
  if (!p.a.empty())
    return p;
  Rng rng(kind.size() + uint8_t(kind[0]));
  const unsigned bits = kind == "bf16" ? 16 : kind == "nvf4" ? 4 : 8, k = unsigned(p.kb) * 8 / bits;
  const std::string type = kind == "bf16" ? "bf16" : kind == "nvf4" ? "e2m1" : "e4m3";
  auto matrix = [&](int rows, std::vector<uint8_t> &bytes, std::vector<double> &values) {
    bytes.assign(size_t(rows * p.kb), 0);
    values.resize(size_t(rows) * k);
    for (size_t i = 0; i != values.size(); ++i) {
      tcgen05::Element e = tcgen05::randomElement(type, rng);
      if (kind == "bf16") {
        e.value = double(int(rng.next() >> 40 & 7)) - 3;
        e.code = wgmma::encode("bf16", e.value);
      }
      values[i] = e.value;
      for (unsigned bit = 0; bit < bits; bit += 4)
        bytes[(i * bits + bit) / 8] |= uint8_t((e.code >> bit & 15) << (i * bits + bit) % 8);
    }
  };
  std::vector<double> a, b;
  matrix(p.m, p.a, a);
  matrix(p.n, p.b, b);
  const unsigned images = kind == "mxf8"   ? 1
                          : kind == "nvf4" ? 4
                                           : 0,
                 steps = unsigned(p.kb) / 128, block = kind == "nvf4" ? 16 : 32;
  auto scales = [&](int rows, std::vector<uint8_t> &bytes, std::vector<double> &values) {
    bytes.assign(std::max<size_t>(16, size_t(rows) / 128 * steps * images * 512), 0);
    for (unsigned row = 0; row != unsigned(rows); ++row)
      for (unsigned x = 0; x != k; ++x) {
        // Scale number s of the row: in K tile s / (4 * images), image s / 4 % images, byte 4 * (row / 32) + s % 4 of
        // line row % 32.
        unsigned s = x / block;
        uint8_t &byte = bytes[((size_t(row / 128) * steps + s / (4 * images)) * images + s / 4 % images) * 512 +
                              row % 32 * 16 + row / 32 % 4 * 4 + s % 4];
        if (x % block == 0)
          byte = kind == "nvf4" ? uint8_t((5 + (rng.next() >> 30) % 4) << 3 | ((rng.next() >> 30) & 7))
                                : uint8_t(125 + (rng.next() >> 30) % 5);
        values[size_t(row) * k + x] *=
            kind == "nvf4" ? std::ldexp(1 + (byte & 7) / 8.0, (byte >> 3) - 7) : std::ldexp(1.0, byte - 127);
      }
  };
  if (images) {
    scales(p.m, p.fa, a);
    scales(p.n, p.fb, b);
  } else {
    p.fa.assign(16, 0);
    p.fb.assign(16, 0);
  }
  // Each instruction rounds its sum once.
  const unsigned per = 256 / bits;
  p.c.assign(size_t(p.m) * p.n, 0);
  for (int i = 0; i != p.m; ++i)
    for (int j = 0; j != p.n; ++j) {
      float sum = 0;
      for (unsigned x0 = 0; x0 != k; x0 += per) {
        double s = sum;
        for (unsigned x = x0; x != x0 + per; ++x)
          s += a[size_t(i) * k + x] * b[size_t(j) * k + x];
        sum = float(s);
      }
      p.c[size_t(i) * p.n + j] = sum;
    }
  return p;
}

Outcome gemm(const std::string &text, const std::string &kind, int group, const Setting &setting, int skew = 0) {
  const Problem &p = problem(kind);
  Outcome out;
  std::vector<Diagnostic> errors;
  std::unique_ptr<Module> module = Module::parse(text, "gemm.ptx", errors);
  EXPECT_TRUE(module) << messages(errors);
  if (!module)
    return out;
  // PTX ISA, "Instruction descriptor".
  const unsigned m = 128 * unsigned(group), n = 128 * unsigned(group);
  unsigned idesc = n / 8 << 17 | (kind == "bf16" || kind == "f8" ? m / 16 << 24 | 1u << 4 : m / 128 << 27);
  idesc |= kind == "bf16" ? 1u << 7 | 1u << 10 : kind == "nvf4" ? 1u << 7 | 1u << 10 : kind == "mxf8" ? 1u << 23 : 0;
  Memory memory;
  uint64_t c = memory.allocate(p.c.size() * 4, "c");
  LaunchConfig config;
  config.kernel = kind + "_" + std::to_string(group);
  config.grid = {uint32_t(p.m / 128), uint32_t(p.n) / n};
  config.block = {128};
  config.dynamicSharedBytes = 2 * (32768 + 6144 + 1024);
  config.args.add(upload(memory, p.a, "a"))
      .add(upload(memory, p.b, "b"))
      .add(upload(memory, p.fa, "fa"))
      .add(upload(memory, p.fb, "fb"));
  config.args.add(c).add(p.n).add(p.kb).add(idesc).add(skew);
  setting.applyTo(config.options);
  out.result = launch(*module, memory, config);
  out.right = download<float>(memory, c, p.c.size()) == p.c;
  return out;
}

TEST_F(Tcgen05Gemm, Right) {
  for (const char *kind : {"bf16", "f8", "mxf8", "nvf4"})
    for (int group = 1; group <= 2; ++group)
      for (const Setting &s : settings()) {
        Outcome out = gemm(ptxText(), kind, group, s);
        EXPECT_TRUE(out.result.ok) << kind << " " << group << " " << reports(out.result);
        EXPECT_TRUE(out.right) << kind << " " << group << " " << int(s.timing) << " " << s.seed;
      }
}

/// Whether any of the settings shows the fault, by a report or by wrong numbers.
bool caught(const std::string &text, const std::string &kind, int group, int skew = 0) {
  for (const Setting &s : settings()) {
    Outcome out = gemm(text, kind, group, s, skew);
    if (!out.result.ok || !out.right)
      return true;
  }
  return false;
}

/// Replaces `from` up to the semicolon in one kernel's text.
std::string mutate(const std::string &kernel, const std::string &from, const std::string &to) {
  return mutated(ptxText(), kernel, from, to, -1, true);
}

Outcome pipeline(const std::string &text, int group, const Setting &setting) {
  const Problem &p = problem("bf16");
  Outcome out;
  std::vector<Diagnostic> errors;
  std::unique_ptr<Module> module = Module::parse(text, "pipe.ptx", errors);
  EXPECT_TRUE(module) << messages(errors);
  if (!module)
    return out;
  const unsigned m = 128 * unsigned(group);
  Memory memory;
  uint64_t c = memory.allocate(p.c.size() * 4, "c");
  LaunchConfig config;
  config.kernel = "pipe_" + std::to_string(group);
  config.grid = {uint32_t(p.m / 128), uint32_t(p.n) / m};
  config.block = {192};
  config.dynamicSharedBytes = 3 * 32768;
  addMatrixMap(config.args, upload(memory, p.a, "a"), TensorType::U8, 1, uint64_t(p.kb), uint64_t(p.m), 128, 128);
  addMatrixMap(config.args, upload(memory, p.b, "b"), TensorType::U8, 1, uint64_t(p.kb), uint64_t(p.n), 128, 128);
  config.args.add(c).add(p.n).add(p.kb).add(m / 8 << 17 | m / 16 << 24 | 1u << 4 | 1u << 7 | 1u << 10);
  setting.applyTo(config.options);
  out.result = launch(*module, memory, config);
  out.right = download<float>(memory, c, p.c.size()) == p.c;
  return out;
}

TEST_F(Tcgen05Gemm, TensorCopies) {
  for (int group = 1; group <= 2; ++group) {
    for (const Setting &s : settings()) {
      Outcome out = pipeline(ptxText(), group, s);
      EXPECT_TRUE(out.result.ok) << group << " " << reports(out.result);
      EXPECT_TRUE(out.right) << group << " " << int(s.timing) << " " << s.seed;
      EXPECT_EQ(out.result.stats.matrixInstructions,
                5u * 4 * 4 / (group * group)); // K tiles, each of four, for 2x2 tiles or one
      EXPECT_EQ(out.result.stats.matrixProducts, 256u * 256 * 320);
      EXPECT_NE(out.result.stats.str().find("tensor cores busy at most"), std::string::npos);
    }
    for (auto [from, to] : {std::pair("mbarrier.try_wait.parity.shared::cta.b64 pfinal", "setp.eq.u32 pfinal, 0, 0;"),
                            std::pair("mbarrier.try_wait.parity.shared::cta.b64 pstage", "setp.eq.u32 pstage, 0, 0;"),
                            std::pair("mbarrier.arrive.expect_tx", ""), std::pair("tcgen05.commit", "")}) {
      std::string text = mutate("pipe_" + std::to_string(group), from, to);
      bool seen = false;
      for (const Setting &s : settings()) {
        Outcome out = pipeline(text, group, s);
        seen |= !out.result.ok || !out.right;
      }
      EXPECT_TRUE(seen) << group << " " << from;
    }
  }
}

TEST_F(Tcgen05Gemm, PlantedFaults) {
  for (auto [kind, group] : {std::pair("bf16", 1), std::pair("mxf8", 2)}) {
    std::string k = std::string(kind) + "_" + std::to_string(group);
    EXPECT_TRUE(
        caught(mutate(k, "mbarrier.try_wait.parity.shared::cta.b64 pfinal", "setp.eq.u32 pfinal, 0, 0;"), kind, group));
    EXPECT_TRUE(
        caught(mutate(k, "mbarrier.try_wait.parity.shared::cta.b64 pstage", "setp.eq.u32 pstage, 0, 0;"), kind, group));
    EXPECT_TRUE(caught(mutate(k, "tcgen05.wait::ld", ""), kind, group));
    EXPECT_TRUE(caught(mutate(k, "tcgen05.commit", ""), kind, group));
    EXPECT_TRUE(caught(mutate(k, "tcgen05.dealloc", ""), kind, group));
    EXPECT_TRUE(caught(ptxText(), kind, group, 1));
  }
  EXPECT_TRUE(caught(mutate("bf16_1", "bar.sync", ""), "bf16", 1));
  EXPECT_TRUE(caught(mutate("mxf8_2", "tcgen05.cp.", ""), "mxf8", 2));
}

} // namespace
