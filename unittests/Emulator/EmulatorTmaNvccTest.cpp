//===- EmulatorTmaNvccTest.cpp - CUDA C++ kernels with tensor copies -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels written with the vendor's wrappers (cuda::ptx) and compiled by nvcc: a pipelined tile copy, a pipelined
// reduction with bulk copies, a halo stencil that loads boxes hanging over the edges. Each is run with every timing
// and checked for races; then with one line taken out. Skipped without nvcc.
//
//===----------------------------------------------------------------------===//
#include "EmulatorNvccUtil.h"
#include "EmulatorTmaUtil.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

const char *source = R"cuda(
#include <cuda/ptx>
#include <cuda.h>
namespace ptx = cuda::ptx;
typedef unsigned long long u64t;

__device__ void wait(uint64_t *bar, uint32_t parity) { while (!ptx::mbarrier_try_wait_parity(bar, parity)) {} }
__device__ void expect(uint64_t *bar, uint32_t bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes);
}

// Each block walks down a column of 64x16 boxes with three stages: load, y = 3 x + 1, store through another map.
extern "C" __global__ void __launch_bounds__(128) pipeline(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out, int steps) {
  constexpr int Stages = 3;
  __shared__ alignas(1024) unsigned short tile[Stages][16 * 64];
  __shared__ uint64_t full[Stages];
  int t = threadIdx.x;
  if (t == 0) {
    for (int s = 0; s < Stages; ++s) ptx::mbarrier_init(&full[s], 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster); //@init
  }
  __syncthreads(); //@start
  auto load = [&](int k) {
    int s = k % Stages;
    const int32_t at[2] = {int(blockIdx.x) * 64, k * 16};
    expect(&full[s], 2048);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile[s], &in, at, &full[s]);
  };
  if (t == 0)
    for (int k = 0; k < Stages - 1 && k < steps; ++k) load(k);
  for (int k = 0; k < steps; ++k) {
    int s = k % Stages;
    wait(&full[s], k / Stages & 1); //@full
    for (int i = t; i < 16 * 64; i += 128) tile[s][i] = (unsigned short)(3 * tile[s][i] + 1);
    ptx::fence_proxy_async(ptx::space_shared); //@proxy
    __syncthreads(); //@before-store
    if (t == 0) {
      const int32_t at[2] = {int(blockIdx.x) * 64, k * 16};
      ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &out, at, tile[s]);
      ptx::cp_async_bulk_commit_group();
      if (k + Stages - 1 < steps) {
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>{}); //@read
        load(k + Stages - 1);
      }
    }
  }
  if (t == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{}); //@end
}

// Each block sums chunks of 1024 floats into one and adds them onto out with a bulk reduction.
extern "C" __global__ void __launch_bounds__(256) sumChunks(const int *in, int *out, int chunks) {
  __shared__ alignas(128) int buffer[2][1024];
  __shared__ alignas(128) int sum[1024];
  __shared__ uint64_t bar[2];
  int t = threadIdx.x;
  if (t == 0) { ptx::mbarrier_init(&bar[0], 1); ptx::mbarrier_init(&bar[1], 1); ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster); }
  for (int i = t; i < 1024; i += 256) sum[i] = 0;
  __syncthreads();
  auto load = [&](int k) {
    expect(&bar[k & 1], 4096);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, buffer[k & 1], in + 1024 * (blockIdx.x + gridDim.x * k), 4096, &bar[k & 1]);
  };
  if (t == 0) load(0);
  for (int k = 0; k < chunks; ++k) {
    if (t == 0 && k + 1 < chunks) load(k + 1);
    wait(&bar[k & 1], k >> 1 & 1);
    for (int i = t; i < 1024; i += 256) sum[i] += buffer[k & 1][i];
    __syncthreads(); //@consumed
  }
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (t == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, sum, 4096);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
}

// 3x3 box sum of a 2-D array with zero borders: boxes of 20x18 with a halo of one, negative coordinates included.
extern "C" __global__ void __launch_bounds__(256) stencil(const __grid_constant__ CUtensorMap in, int *out, int width, int height) {
  __shared__ alignas(128) int tile[18][20];
  __shared__ uint64_t bar;
  int x = threadIdx.x % 16, y = threadIdx.x / 16, gx = blockIdx.x * 16, gy = blockIdx.y * 16;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    expect(&bar, 18 * 20 * 4);
    const int32_t at[2] = {gx - 1, gy - 1};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &in, at, &bar);
  }
  __syncthreads();
  wait(&bar, 0); //@tile
  int s = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) s += tile[y + j][x + i];
  if (gx + x < width && gy + y < height) out[(gy + y) * width + gx + x] = s;
}
)cuda";

/// The module, with the line marked `without` taken out.
std::unique_ptr<Module> compile(const std::string &without = "") {
  std::string text;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);)
    if (without.empty() || line.find("//@" + without) == std::string::npos)
      text += line + "\n";
  EXPECT_TRUE(without.empty() || text.size() + 1 < std::strlen(source)) << without;
  text = compileCuda(text, "-arch=sm_90a -lineinfo");
  return text.empty() ? nullptr : parse(text);
}

LaunchResult runPipeline(const Module &m, const LaunchOptions &o, bool &right) {
  Memory memory;
  constexpr uint32_t W = 100, H = 150, Pitch = 104; // ragged: columns of 64, steps of 16
  std::vector<uint16_t> in(Pitch * H);
  for (uint32_t i = 0; i != in.size(); ++i)
    in[i] = uint16_t(i * 7);
  uint64_t x = upload(memory, in, "x"), y = upload(memory, std::vector<uint16_t>(Pitch * H, 9), "y");
  Tensormap map;
  map.type = TensorType::U16;
  map.rank = 2;
  map.dims[0] = W, map.dims[1] = H;
  map.strides[0] = Pitch * 2;
  map.box[0] = 64, map.box[1] = 16;
  map.swizzle = TensorSwizzle::B128;
  LaunchConfig c;
  c.kernel = "pipeline";
  c.grid = {2};
  c.block = {128};
  for (uint64_t address : {x, y}) {
    map.address = address;
    MapBytes bytes = encoded(map);
    c.args.addBytes(bytes.data(), bytes.size());
  }
  c.args.add(int(10));
  c.options = o;
  LaunchResult r = launch(m, memory, c);
  auto got = download<uint16_t>(memory, y, Pitch * H);
  right = true;
  for (uint32_t i = 0; i != got.size(); ++i)
    right &= got[i] == (i % Pitch < W ? uint16_t(3 * in[i] + 1) : 9);
  return r;
}

TEST(EmulatorTmaNvcc, Kernels) {
  if (nvccPath().empty())
    GTEST_SKIP() << "no nvcc";
  std::unique_ptr<Module> m = compile();
  ASSERT_TRUE(m);
  everyTiming([&](LaunchOptions o) {
    o.hostThreads = 1;
    o.checkRaces = true;
    bool right = false;
    LaunchResult r = runPipeline(*m, o, right);
    ASSERT_TRUE(r.ok) << reports(r);
    EXPECT_TRUE(right);

    Memory memory;
    std::vector<int> in(1024 * 15);
    for (size_t i = 0; i != in.size(); ++i)
      in[i] = int(i * i % 1000);
    uint64_t x = upload(memory, in, "in"), out = upload(memory, std::vector<int>(1024, 5), "out");
    LaunchConfig c;
    c.kernel = "sumChunks";
    c.grid = {3};
    c.block = {256};
    c.args.add(x).add(out).add(int(5));
    c.options = o;
    r = launch(*m, memory, c);
    ASSERT_TRUE(r.ok) << reports(r);
    auto sums = download<int>(memory, out, 1024);
    for (int i = 0; i != 1024; ++i) {
      int want = 5;
      for (int k = 0; k != 15; ++k)
        want += in[size_t(i + 1024 * k)];
      ASSERT_EQ(sums[size_t(i)], want) << i;
    }

    constexpr int W = 40, H = 37;
    std::vector<int> image(W * H);
    for (size_t i = 0; i != image.size(); ++i)
      image[i] = int(i * 31 % 97);
    Tensormap map;
    map.type = TensorType::S32;
    map.rank = 2;
    map.dims[0] = W, map.dims[1] = H;
    map.strides[0] = W * 4;
    map.box[0] = 20, map.box[1] = 18;
    map.address = upload(memory, image, "image");
    MapBytes bytes = encoded(map);
    uint64_t result = memory.allocate(W * H * 4, "result");
    c = LaunchConfig();
    c.kernel = "stencil";
    c.grid = {3, 3};
    c.block = {256};
    c.args.addBytes(bytes.data(), bytes.size()).add(result).add(W).add(H);
    c.options = o;
    r = launch(*m, memory, c);
    ASSERT_TRUE(r.ok) << reports(r);
    auto got = download<int>(memory, result, W * H);
    for (int y = 0; y != H; ++y)
      for (int xx = 0; xx != W; ++xx) {
        int want = 0;
        for (int j = -1; j != 2; ++j)
          for (int i = -1; i != 2; ++i)
            if (y + j >= 0 && y + j < H && xx + i >= 0 && xx + i < W)
              want += image[size_t((y + j) * W + xx + i)];
        ASSERT_EQ(got[size_t(y * W + xx)], want) << y << " " << xx;
      }
  });
}

/// Every synchronising line of the pipeline matters: without it there is a report or a wrong result.
TEST(EmulatorTmaNvcc, PipelineWithoutOneLine) {
  if (nvccPath().empty())
    GTEST_SKIP() << "no nvcc";
  for (const char *line : {"start", "full", "proxy", "before-store", "read", "end"}) {
    std::unique_ptr<Module> m = compile(line);
    ASSERT_TRUE(m);
    unsigned seen = 0, runs = 0;
    everyTiming([&](LaunchOptions o) {
      o.hostThreads = 1;
      o.checkRaces = true;
      bool right = false;
      LaunchResult r = runPipeline(*m, o, right);
      seen += !r.ok || !right;
      ++runs;
    });
    // A store that is done at once leaves nothing to wait for at the end.
    if (std::string(line) == "end")
      EXPECT_GT(seen, 0u);
    else
      EXPECT_EQ(seen, runs) << "without " << line;
  }
}

} // namespace
