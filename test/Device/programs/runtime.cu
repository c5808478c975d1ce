// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime API: memory of every kind, variables, copies of every shape, attributes, errors.
#include "check.h"
#include <cstring>
__device__ int counter;
__device__ float table[64];
__constant__ float factor[4];
__managed__ int shared_count = 5;
__global__ void scale(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    b[i] = a[i] * factor[i & 3] + table[i & 63];
    atomicAdd(&counter, 1);
  }
}
__global__ void add_one(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1;
}
__global__ void count_managed() { atomicAdd(&shared_count, 1); }
__global__ void heap_make(int **place) {
  *place = (int *)malloc(16);
  (*place)[1] = 42;
}
__global__ void heap_use(int **place, int *out) {
  *out = (*place)[1];
  free(*place);
}
__global__ void dynamic(int *out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
int main() {
  const int n = 1000;
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  EXPECT(count == 1);
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  EXPECT(prop.warpSize == 32 && prop.major >= 7 && prop.multiProcessorCount > 0 && prop.sharedMemPerBlock == 49152);
  std::printf("%s %d.%d\n", prop.name, prop.major, prop.minor);

  std::vector<float> a(n), b(n), t(64);
  for (int i = 0; i < n; ++i)
    a[i] = float(i);
  for (int i = 0; i < 64; ++i)
    t[i] = 0.5f * i;
  float f[4] = {1, 2, 3, 4}, *da, *db;
  CHECK(cudaMalloc(&da, n * 4));
  CHECK(cudaMalloc(&db, n * 4));
  CHECK(cudaMemcpy(da, a.data(), n * 4, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(factor, f, sizeof f));
  CHECK(cudaMemcpyToSymbol(table, t.data(), sizeof table));
  scale<<<(n + 255) / 256, 256>>>(da, db, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(b.data(), db, n * 4, cudaMemcpyDefault));
  for (int i = 0; i < n; ++i)
    EXPECT(b[i] == a[i] * f[i & 3] + t[i & 63]);
  int k = 0;
  CHECK(cudaMemcpyFromSymbol(&k, counter, 4));
  EXPECT(k == n);

  // Pinned, registered and managed memory are reached by both sides.
  int *pinned, *managed, *alias;
  CHECK(cudaMallocHost(&pinned, 4096));
  CHECK(cudaMallocManaged(&managed, 4096));
  for (int i = 0; i < 100; ++i)
    pinned[i] = managed[i] = i;
  add_one<<<1, 128>>>(pinned, 100);
  add_one<<<1, 128>>>(managed, 100);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 100; ++i)
    EXPECT(pinned[i] == i + 1 && managed[i] == i + 1);
  std::vector<int> own(256, 7);
  CHECK(cudaHostRegister(own.data(), 1024, cudaHostRegisterMapped));
  CHECK(cudaHostGetDevicePointer(&alias, own.data(), 0));
  add_one<<<1, 256>>>(alias, 256);
  CHECK(cudaDeviceSynchronize());
  EXPECT(own[0] == 8 && own[255] == 8);
  CHECK(cudaHostUnregister(own.data()));
  count_managed<<<2, 32>>>();
  CHECK(cudaDeviceSynchronize());
  EXPECT(shared_count == 69);

  // Shapes of copies.
  char *pitched, host[10 * 20];
  size_t pitch;
  CHECK(cudaMallocPitch(&pitched, &pitch, 20, 10));
  for (int i = 0; i < 200; ++i)
    host[i] = char(i);
  CHECK(cudaMemset2D(pitched, pitch, 9, 20, 10));
  CHECK(cudaMemcpy2D(pitched, pitch, host, 20, 10, 10, cudaMemcpyHostToDevice));
  char back[200];
  CHECK(cudaMemcpy2D(back, 20, pitched, pitch, 20, 10, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 20; ++x)
      EXPECT(back[y * 20 + x] == (x < 10 ? char(y * 20 + x) : 9));

  // The device heap outlives a launch.
  int **place, *out, result = 0;
  CHECK(cudaMalloc(&place, sizeof *place));
  CHECK(cudaMalloc(&out, 4096));
  heap_make<<<1, 1>>>(place);
  heap_use<<<1, 1>>>(place, out);
  CHECK(cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost));
  EXPECT(result == 42);

  // More dynamic shared memory than a launch gets unasked.
  const int big = prop.sharedMemPerBlockOptin;
  dynamic<<<1, 256, big>>>(out);
  EXPECT(cudaGetLastError() != cudaSuccess);
  EXPECT(cudaGetLastError() == cudaSuccess);
  CHECK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, big));
  dynamic<<<1, 256, big>>>(out);
  CHECK(cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost));
  EXPECT(result == 255);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, dynamic));
  EXPECT(attributes.maxDynamicSharedSizeBytes == big);
  int blocks = 0, grid, block;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 256, big));
  EXPECT(blocks == 1);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_one));
  EXPECT(block >= 256 && grid >= prop.multiProcessorCount);

  // Errors.
  EXPECT(cudaMalloc(&pinned, size_t(1) << 60) == cudaErrorMemoryAllocation);
  EXPECT(cudaPeekAtLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaErrorMemoryAllocation);
  EXPECT(!std::strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"));
  cudaPointerAttributes pa;
  CHECK(cudaPointerGetAttributes(&pa, da));
  EXPECT(pa.type == cudaMemoryTypeDevice);
  CHECK(cudaPointerGetAttributes(&pa, managed));
  EXPECT(pa.type == cudaMemoryTypeManaged);
  CHECK(cudaFree(managed));
  CHECK(cudaFree(da));
  CHECK(cudaFree(db));
  CHECK(cudaDeviceReset());
  std::printf("good\n");
}
