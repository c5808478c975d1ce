// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic in half, bfloat16 and 8-bit floats.
#include "check.h"
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
__global__ void work(const float *in, float *out) {
  int t = threadIdx.x;
  float x = in[2 * t], y = in[2 * t + 1], *o = out + 6 * t;
  half2 h = __hfma2(__floats2half2_rn(x, y), __float2half2_rn(2.f), __float2half2_rn(1.f));
  o[0] = __low2float(h), o[1] = __high2float(h);
  __nv_bfloat162 b = __hadd2(__floats2bfloat162_rn(x, y), __float2bfloat162_rn(1.f));
  o[2] = __low2float(b), o[3] = __high2float(b);
  o[4] = float(__nv_fp8_e4m3(x));
  o[5] = float(__nv_fp8_e5m2(y));
}
int main() {
  const int n = 64;
  std::vector<float> host(2 * n), r(6 * n);
  for (int i = 0; i < 2 * n; ++i)
    host[i] = (i - n) * 0.125f;
  float *in, *out;
  CHECK(cudaMalloc(&in, 2 * n * 4));
  CHECK(cudaMalloc(&out, 6 * n * 4));
  CHECK(cudaMemcpy(in, host.data(), 2 * n * 4, cudaMemcpyHostToDevice));
  work<<<1, n>>>(in, out);
  CHECK(cudaMemcpy(r.data(), out, 6 * n * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    float x = host[2 * i], y = host[2 * i + 1];
    EXPECT(r[6 * i] == 2 * x + 1 && r[6 * i + 1] == 2 * y + 1);
    EXPECT(r[6 * i + 2] == __bfloat162float(__float2bfloat16(__bfloat162float(__float2bfloat16(x)) + 1)));
    EXPECT(std::fabs(r[6 * i + 4] - x) <= std::fabs(x) / 16 + 1e-3f &&
           std::fabs(r[6 * i + 5] - y) <= std::fabs(y) / 8 + 1e-3f);
  }
  std::puts("good");
}
