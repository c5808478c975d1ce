// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and row kernels as published measurements describe them, for bench/timing/validate.py: one block per row, sixteen bytes at
// a time, the row kept in registers between the passes.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void copy(const uint4 *x, uint4 *y, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = x[i];
}

extern "C" __global__ void add(const float *a, const float *b, float *c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

extern "C" __global__ void triad(const double2 *a, const double2 *b, double2 *c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double2 u = a[i], v = b[i];
    c[i] = make_double2(u.x + 3.0 * v.x, u.y + 3.0 * v.y);
  }
}

extern "C" __global__ void stream(const double *__restrict__ a, const double *__restrict__ b, double *c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] * 1.2 + b[i];
}

extern "C" __global__ void sum(const int4 *x, int *out, unsigned n) {
  int s = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int4 v = x[i];
    s += v.x + v.y + v.z + v.w;
  }
  for (int d = 16; d; d /= 2)
    s += __shfl_xor_sync(~0u, s, d);
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, s);
}

__device__ float all(float v, float *part, bool largest) {
  for (int d = 16; d; d /= 2) {
    float o = __shfl_xor_sync(~0u, v, d);
    v = largest ? fmaxf(v, o) : v + o;
  }
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  v = part[0];
  for (unsigned w = 1; w < blockDim.x / 32; ++w)
    v = largest ? fmaxf(v, part[w]) : v + part[w];
  __syncthreads();
  return v;
}

template <int Vectors> __device__ void rmsnorm(const uint4 *x, const uint4 *w, uint4 *y, float eps) {
  __shared__ float part[32];
  const unsigned width = blockDim.x * Vectors;
  uint4 v[Vectors];
  float s = 0;
#pragma unroll
  for (int k = 0; k < Vectors; ++k)
    v[k] = x[size_t(blockIdx.x) * width + k * blockDim.x + threadIdx.x];
#pragma unroll
  for (int k = 0; k < Vectors; ++k) {
    const __nv_bfloat162 *h = reinterpret_cast<const __nv_bfloat162 *>(&v[k]);
    for (int j = 0; j < 4; ++j) {
      float2 f = __bfloat1622float2(h[j]);
      s += f.x * f.x + f.y * f.y;
    }
  }
  const float r = rsqrtf(all(s, part, false) / float(width * 8) + eps);
#pragma unroll
  for (int k = 0; k < Vectors; ++k) {
    uint4 g = w[k * blockDim.x + threadIdx.x], out;
    const __nv_bfloat162 *h = reinterpret_cast<const __nv_bfloat162 *>(&v[k]), *q = reinterpret_cast<__nv_bfloat162 *>(&g);
    for (int j = 0; j < 4; ++j) {
      float2 f = __bfloat1622float2(h[j]), e = __bfloat1622float2(q[j]);
      reinterpret_cast<__nv_bfloat162 *>(&out)[j] = __floats2bfloat162_rn(f.x * r * e.x, f.y * r * e.y);
    }
    y[size_t(blockIdx.x) * width + k * blockDim.x + threadIdx.x] = out;
  }
}
extern "C" __global__ void rmsnorm2(const uint4 *x, const uint4 *w, uint4 *y, float eps) { rmsnorm<2>(x, w, y, eps); }
extern "C" __global__ void rmsnorm4(const uint4 *x, const uint4 *w, uint4 *y, float eps) { rmsnorm<4>(x, w, y, eps); }
extern "C" __global__ void rmsnorm8(const uint4 *x, const uint4 *w, uint4 *y, float eps) { rmsnorm<8>(x, w, y, eps); }

template <int Vectors> __device__ void softmax(const uint4 *x, uint4 *y) {
  __shared__ float part[32];
  const unsigned width = blockDim.x * Vectors;
  float f[Vectors * 8], top = -INFINITY, s = 0;
#pragma unroll
  for (int k = 0; k < Vectors; ++k) {
    uint4 v = x[size_t(blockIdx.x) * width + k * blockDim.x + threadIdx.x];
    const __nv_bfloat162 *h = reinterpret_cast<const __nv_bfloat162 *>(&v);
    for (int j = 0; j < 4; ++j) {
      float2 g = __bfloat1622float2(h[j]);
      f[8 * k + 2 * j] = g.x;
      f[8 * k + 2 * j + 1] = g.y;
      top = fmaxf(top, fmaxf(g.x, g.y));
    }
  }
  top = all(top, part, true);
#pragma unroll
  for (int k = 0; k < Vectors * 8; ++k) {
    f[k] = exp2f((f[k] - top) * 1.4426950408889634f);
    s += f[k];
  }
  const float r = 1 / all(s, part, false);
#pragma unroll
  for (int k = 0; k < Vectors; ++k) {
    uint4 out;
    for (int j = 0; j < 4; ++j)
      reinterpret_cast<__nv_bfloat162 *>(&out)[j] = __floats2bfloat162_rn(f[8 * k + 2 * j] * r, f[8 * k + 2 * j + 1] * r);
    y[size_t(blockIdx.x) * width + k * blockDim.x + threadIdx.x] = out;
  }
}
extern "C" __global__ void softmax2(const uint4 *x, uint4 *y) { softmax<2>(x, y); }
extern "C" __global__ void softmax4(const uint4 *x, uint4 *y) { softmax<4>(x, y); }
extern "C" __global__ void softmax8(const uint4 *x, uint4 *y) { softmax<8>(x, y); }
