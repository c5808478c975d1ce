// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight threads launch in eight streams; many launches do not make the process grow.
#include "check.h"
#include <cstring>
#include <thread>
__global__ void step(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += i;
}
static long resident() { // pages
  long size = 0, pages = 0;
  FILE *f = std::fopen("/proc/self/statm", "r");
  if (f) {
    if (std::fscanf(f, "%ld %ld", &size, &pages) != 2)
      pages = 0;
    std::fclose(f);
  }
  return pages;
}
int main() {
  const int n = 200, launches = 200;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([] {
      cudaStream_t stream;
      CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      int *p;
      std::vector<int> host(n, 0);
      CHECK(cudaMallocAsync(&p, n * 4, stream));
      CHECK(cudaMemcpyAsync(p, host.data(), n * 4, cudaMemcpyHostToDevice, stream));
      for (int k = 0; k < launches; ++k)
        step<<<2, 128, 0, stream>>>(p, n);
      CHECK(cudaMemcpyAsync(host.data(), p, n * 4, cudaMemcpyDeviceToHost, stream));
      CHECK(cudaStreamSynchronize(stream));
      for (int i = 0; i < n; ++i)
        EXPECT(host[i] == i * launches);
      CHECK(cudaFreeAsync(p, stream));
      CHECK(cudaStreamDestroy(stream));
    });
  for (std::thread &t : threads)
    t.join();
  int *p;
  CHECK(cudaMalloc(&p, n * 4));
  CHECK(cudaMemset(p, 0, n * 4));
  auto many = [&](int count) {
    for (int k = 0; k < count; ++k) {
      int *q;
      CHECK(cudaMalloc(&q, 1000));
      step<<<1, 32>>>(p, n);
      CHECK(cudaFree(q));
    }
    CHECK(cudaDeviceSynchronize());
    return resident();
  };
  many(500);
  long before = many(500), after = many(3000);
  EXPECT(after - before < 256); // a MiB
  std::printf("good\n");
}
