// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters with distributed shared memory, by attribute of the launch; programmatic dependent launch; the driver's
// entry points and modules from PTX.
#include "check.h"
#include <cooperative_groups.h>
#include <cuda.h>
namespace cg = cooperative_groups;
__global__ void exchange(int *out) {
  __shared__ int mine[32];
  cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  cluster.sync();
  int *theirs = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
  out[blockIdx.x * 32 + threadIdx.x] = theirs[threadIdx.x];
  cluster.sync();
}
static const char *ptx = ".version 8.0\n.target sm_80\n.address_size 64\n"
                         ".visible .global .u32 total = 5;\n"
                         ".visible .entry twice(.param .u64 p) {\n .reg .b64 %rd<2>; .reg .b32 %r<2>;\n"
                         " ld.param.u64 %rd0, [p]; ld.global.u32 %r0, [%rd0]; add.u32 %r0, %r0, %r0;\n"
                         " st.global.u32 [%rd0], %r0; ret;\n}\n";
int main() {
  int *out, host[4 * 32];
  CHECK(cudaMalloc(&out, sizeof host));
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(4);
  config.blockDim = dim3(32);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, exchange, out));
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int b = 0; b < 4; ++b)
    for (int i = 0; i < 32; ++i)
      EXPECT(host[b * 32 + i] == (b ^ 1) * 100 + i);

  // The driver beside the runtime.
  CUmodule module;
  CUfunction function;
  CUdeviceptr total;
  size_t bytes;
  EXPECT(cuModuleLoadData(&module, ptx) == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&function, module, "twice") == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&function, module, "thrice") == CUDA_ERROR_NOT_FOUND);
  EXPECT(cuModuleGetFunction(&function, module, "twice") == CUDA_SUCCESS);
  EXPECT(cuModuleGetGlobal(&total, &bytes, module, "total") == CUDA_SUCCESS && bytes == 4);
  void *arguments[] = {&total};
  EXPECT(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0) == CUDA_SUCCESS);
  int value = 0;
  EXPECT(cuMemcpyDtoH(&value, total, 4) == CUDA_SUCCESS && value == 10);
  EXPECT(cuModuleLoadData(&module, "no PTX at all") == CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT(cuModuleUnload(module) == CUDA_SUCCESS);
  EXPECT(cuModuleUnload(module) == CUDA_ERROR_INVALID_HANDLE);
  CUresult (*attributeOf)(int *, CUdevice_attribute, CUdevice) = nullptr;
  CUdriverProcAddressQueryResult status;
  EXPECT(cuGetProcAddress("cuDeviceGetAttribute", (void **)&attributeOf, 13000, 0, &status) == CUDA_SUCCESS);
  EXPECT(attributeOf(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0) == CUDA_SUCCESS && value == 32);
  const char *name;
  EXPECT(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &name) == CUDA_SUCCESS);
  std::printf("good\n");
}
