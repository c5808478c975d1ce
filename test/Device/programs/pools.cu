// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools on streams, copies of every shape, memsets of elements.
#include "check.h"
__global__ void fill(int *p, int n, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = v + i;
}
int main() {
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  std::vector<int> r(300);
  for (int round = 0; round < 5; ++round) {
    int *p;
    CHECK(cudaMallocAsync(&p, 1200, s));
    fill<<<3, 128, 0, s>>>(p, 300, round * 1000);
    CHECK(cudaMemcpyAsync(r.data(), p, 1200, cudaMemcpyDeviceToHost, s));
    CHECK(cudaFreeAsync(p, s));
    CHECK(cudaStreamSynchronize(s));
    EXPECT(r[299] == round * 1000 + 299);
  }
  char *pitched;
  size_t pitch;
  CHECK(cudaMallocPitch(&pitched, &pitch, 50, 20));
  EXPECT(pitch >= 50);
  std::vector<char> image(50 * 20), back(50 * 20);
  for (int i = 0; i < 1000; ++i)
    image[i] = char(i * 7);
  CHECK(cudaMemcpy2D(pitched, pitch, image.data(), 50, 50, 20, cudaMemcpyHostToDevice));
  CHECK(cudaMemset2D(pitched + 10, pitch, 42, 5, 20));
  CHECK(cudaMemcpy2D(back.data(), 50, pitched, pitch, 50, 20, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 1000; ++i)
    EXPECT(back[i] == (i % 50 >= 10 && i % 50 < 15 ? 42 : image[i]));
  cudaExtent extent = make_cudaExtent(16, 4, 3);
  cudaPitchedPtr box;
  CHECK(cudaMalloc3D(&box, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(image.data(), 16, 16, 4), copy.dstPtr = box, copy.extent = extent,
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  std::vector<char> again(16 * 4 * 3);
  copy.srcPtr = box, copy.dstPtr = make_cudaPitchedPtr(again.data(), 16, 16, 4), copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  EXPECT(std::equal(again.begin(), again.end(), image.begin()));
  std::puts("good");
}
