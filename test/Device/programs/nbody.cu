// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All pairs of bodies, tiles in dynamic shared memory, rsqrt and multiply-adds, occupancy asked.
#include "check.h"
#include <cmath>
__global__ void forces(const float4 *bodies, float3 *out, int n) {
  extern __shared__ float4 tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 own = bodies[i];
  float3 f = {0, 0, 0};
  for (int start = 0; start < n; start += blockDim.x) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j) {
      float x = tile[j].x - own.x, y = tile[j].y - own.y, z = tile[j].z - own.z;
      float d = rsqrtf(x * x + y * y + z * z + 0.01f), s = tile[j].w * d * d * d;
      f.x += x * s, f.y += y * s, f.z += z * s;
    }
    __syncthreads();
  }
  out[i] = f;
}
int main() {
  const int n = 256;
  std::vector<float4> b(n);
  std::vector<float3> r(n);
  for (int i = 0; i < n; ++i)
    b[i] = {float(i % 11), float(i % 7), float(i % 5), 1 + i % 3 * 0.5f};
  float4 *in;
  float3 *out;
  CHECK(cudaMalloc(&in, n * sizeof(float4)));
  CHECK(cudaMalloc(&out, n * sizeof(float3)));
  CHECK(cudaMemcpy(in, b.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, forces, 64, 64 * sizeof(float4)));
  EXPECT(blocks > 0);
  forces<<<n / 64, 64, 64 * sizeof(float4)>>>(in, out, n);
  CHECK(cudaMemcpy(r.data(), out, n * sizeof(float3), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    double want[3] = {};
    for (int j = 0; j < n; ++j) {
      double x = b[j].x - b[i].x, y = b[j].y - b[i].y, z = b[j].z - b[i].z;
      double s = b[j].w * std::pow(x * x + y * y + z * z + 0.01, -1.5);
      want[0] += x * s, want[1] += y * s, want[2] += z * s;
    }
    EXPECT(std::fabs(r[i].x - want[0]) < 1e-2 && std::fabs(r[i].y - want[1]) < 1e-2 &&
           std::fabs(r[i].z - want[2]) < 1e-2);
  }
  std::puts("good");
}
