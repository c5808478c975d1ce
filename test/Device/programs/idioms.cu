// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong by the PTX ISA and written everywhere: silent as the hardware does, a class of its own on request.
#include "check.h"
// The Programming Guide's atomicAdd for doubles of old devices: a plain load says where the loop begins.
__device__ double add(double *address, double value) {
  unsigned long long *p = reinterpret_cast<unsigned long long *>(address);
  unsigned long long old = *p, assumed; // SEED
  do {
    assumed = old;
    old = atomicCAS(p, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__global__ void seeds(double *sum) { add(sum, threadIdx.x); }

// threadFenceReduction of the CUDA samples: the last block reads what the others have written, without a fence of its own.
__global__ void lastBlock(int *parts, unsigned *count, int *total) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = blockIdx.x + 1;
#ifndef BUG_PLAIN
    __threadfence();
#endif
    last = atomicInc(count, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  if (threadIdx.x < gridDim.x)
#ifdef BUG_PLAIN
    atomicAdd(total, parts[threadIdx.x]); // PLAIN
#else
    atomicAdd(total, parts[threadIdx.x]); // LAST
#endif
}

// A load that the compiler made of a condition: what nobody has written is selected away.
__global__ void speculative(int *out, int n) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  if (t < n)
    tile[t] = t;
  __syncthreads();
  int value;
  asm volatile("{ .reg .pred p; .reg .b32 v; setp.lt.s32 p, %1, %2; ld.shared.b32 v, [%3]; selp.b32 %0, v, 7, p; }"
               : "=r"(value)
               : "r"(t), "r"(n), "r"(unsigned(__cvta_generic_to_shared(tile + t)))); // SPECULATIVE
  out[t] = value;
}

int main() {
  double *sum, d;
  int *parts, *out, t[64];
  CHECK(cudaMalloc(&sum, 8));
  CHECK(cudaMemset(sum, 0, 8));
  seeds<<<4, 64>>>(sum);
  CHECK(cudaMemcpy(&d, sum, 8, cudaMemcpyDeviceToHost));
  EXPECT(d == 4 * 2016);
  CHECK(cudaMalloc(&parts, 32 * 4 + 8));
  CHECK(cudaMemset(parts, 0, 32 * 4 + 8));
  lastBlock<<<20, 32>>>(parts, reinterpret_cast<unsigned *>(parts + 32), parts + 33);
  CHECK(cudaMemcpy(t, parts + 33, 4, cudaMemcpyDeviceToHost));
  EXPECT(t[0] == 210);
  CHECK(cudaMalloc(&out, 256));
  speculative<<<1, 64>>>(out, 40);
  CHECK(cudaMemcpy(t, out, 256, cudaMemcpyDeviceToHost));
  for (int k = 0; k != 64; ++k)
    EXPECT(t[k] == (k < 40 ? k : 7));
  std::printf("good\n");
}
