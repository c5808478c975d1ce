// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative groups inside a warp: tiles, reductions, scans, votes, matches, coalesced threads.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void work(const int *in, int *out) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto eight = cg::tiled_partition<8>(warp);
  int v = in[block.thread_rank()], *o = out + 8 * block.thread_rank();
  o[0] = cg::reduce(warp, v, cg::plus<int>());
  o[1] = cg::inclusive_scan(eight, v);
  o[2] = eight.shfl(v, 3);
  o[3] = warp.any(v == 17);
  o[4] = __popc(__match_any_sync(0xffffffff, v % 4));
  o[5] = __reduce_max_sync(0xffffffff, v);
  o[6] = -1;
  if (v % 3 == 0) {
    auto some = cg::coalesced_threads();
    o[6] = some.size() * 100 + some.thread_rank();
  }
  o[7] = __ballot_sync(0xffffffff, v & 1) != 0;
}
int main() {
  const int n = 64;
  std::vector<int> host(n), r(8 * n);
  for (int i = 0; i < n; ++i)
    host[i] = i * 5 % 23;
  int *in, *out;
  CHECK(cudaMalloc(&in, n * 4));
  CHECK(cudaMalloc(&out, 8 * n * 4));
  CHECK(cudaMemcpy(in, host.data(), n * 4, cudaMemcpyHostToDevice));
  work<<<1, n>>>(in, out);
  CHECK(cudaMemcpy(r.data(), out, 8 * n * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    int w = i / 32 * 32, sum = 0, most = 0, prefix = 0, same = 0, rank = 0, size = 0, seventeen = 0;
    for (int j = w; j < w + 32; ++j) {
      sum += host[j], most = std::max(most, host[j]), same += host[j] % 4 == host[i] % 4, seventeen |= host[j] == 17;
      prefix += j >= i / 8 * 8 && j <= i ? host[j] : 0;
      size += host[j] % 3 == 0, rank += j < i && host[j] % 3 == 0;
    }
    EXPECT(r[8 * i] == sum && r[8 * i + 1] == prefix && r[8 * i + 2] == host[i / 8 * 8 + 3]);
    EXPECT(r[8 * i + 3] == seventeen && r[8 * i + 4] == same && r[8 * i + 5] == most && r[8 * i + 7] == 1);
    EXPECT(r[8 * i + 6] == (host[i] % 3 ? -1 : size * 100 + rank));
  }
  std::puts("good");
}
