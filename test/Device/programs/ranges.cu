// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory: a range that grows, one piece of memory at two addresses, access that is given and taken.
#include "check.h"
#include <cuda.h>
#define DRIVER(call) EXPECT((call) == CUDA_SUCCESS)
__global__ void count(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += i; // NO_ACCESS
}
int main() {
  CHECK(cudaFree(nullptr));
  CUmemAllocationProp p = {};
  p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  size_t piece = 0;
  DRIVER(cuMemGetAllocationGranularity(&piece, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr range, other;
  DRIVER(cuMemAddressReserve(&range, 4 * piece, 0, 0, 0));
  DRIVER(cuMemAddressReserve(&other, piece, 0, 0, 0));
  CUmemGenericAllocationHandle a, b;
  CUmemAccessDesc access = {p.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  DRIVER(cuMemCreate(&a, piece, &p, 0));
  DRIVER(cuMemMap(range, piece, 0, a, 0));
#ifndef BUG_NO_ACCESS
  DRIVER(cuMemSetAccess(range, piece, &access, 1));
#endif
  int *x = reinterpret_cast<int *>(range);
  const int n = int(piece / 4);
  count<<<n / 256, 256>>>(x, n);
  CHECK(cudaDeviceSynchronize());
  // The range grows, and what was there stays.
  DRIVER(cuMemCreate(&b, piece, &p, 0));
  DRIVER(cuMemMap(range + piece, piece, 0, b, 0));
  DRIVER(cuMemSetAccess(range, 2 * piece, &access, 1));
  CHECK(cudaMemset(x + n, 0, piece));
  count<<<2 * n / 256, 256>>>(x, 2 * n);
  int r[2];
  CHECK(cudaMemcpy(r, x + n - 1, 4, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(r + 1, x + n, 4, cudaMemcpyDeviceToHost));
  EXPECT(r[0] == 2 * (n - 1) && r[1] == n);
  // The first piece once more, elsewhere, to be read only.
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  DRIVER(cuMemMap(other, piece, 0, a, 0));
  DRIVER(cuMemSetAccess(other, piece, &access, 1));
  unsigned long long flags = 0;
  DRIVER(cuMemGetAccess(&flags, &p.location, other));
  EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_READ);
  CHECK(cudaMemcpy(r, reinterpret_cast<int *>(other) + 77, 4, cudaMemcpyDeviceToHost));
  EXPECT(r[0] == 2 * 77);
  CUmemGenericAllocationHandle same;
  DRIVER(cuMemRetainAllocationHandle(&same, reinterpret_cast<void *>(other)));
  EXPECT(same == a);
  DRIVER(cuMemRelease(same));
  DRIVER(cuMemRelease(a)); // the mappings keep it
  DRIVER(cuMemUnmap(range, 2 * piece));
  EXPECT(cuMemAddressFree(other, piece) == CUDA_ERROR_INVALID_VALUE); // still mapped
  CHECK(cudaMemcpy(r, reinterpret_cast<int *>(other) + 78, 4, cudaMemcpyDeviceToHost));
  EXPECT(r[0] == 2 * 78);
  DRIVER(cuMemUnmap(other, piece));
  DRIVER(cuMemRelease(b));
  DRIVER(cuMemAddressFree(range, 4 * piece));
  DRIVER(cuMemAddressFree(other, piece));
  std::puts("good");
}
