// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Managed memory that host and device take turns at, hints, and memory of the host that the device reads.
#include "check.h"
struct Node {
  int value;
  Node *next;
};
__managed__ int total = 0;
__global__ void walk(Node *list) {
  int sum = 0;
  for (Node *n = list; n; n = n->next)
    sum += n->value, n->value = -n->value;
  total += sum;
}
__global__ void scale(const int *host, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = host[i] * 3;
}
int main() {
  Node *nodes;
  CHECK(cudaMallocManaged(&nodes, 100 * sizeof(Node)));
  for (int i = 0; i < 100; ++i)
    nodes[i] = {i, i < 99 ? &nodes[i + 1] : nullptr};
  cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemPrefetchAsync(nodes, 100 * sizeof(Node), device, 0, 0));
  walk<<<1, 1>>>(nodes);
  CHECK(cudaDeviceSynchronize());
  EXPECT(total == 4950 && nodes[7].value == -7);
  walk<<<1, 1>>>(nodes);
  CHECK(cudaDeviceSynchronize());
  EXPECT(total == 0);
  int *pinned, *out;
  CHECK(cudaHostAlloc(&pinned, 1000 * 4, cudaHostAllocMapped));
  CHECK(cudaMallocManaged(&out, 1000 * 4));
  for (int i = 0; i < 1000; ++i)
    pinned[i] = i;
  int *view;
  CHECK(cudaHostGetDevicePointer(&view, pinned, 0));
  scale<<<8, 128>>>(view, out, 1000);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 1000; ++i)
    EXPECT(out[i] == 3 * i);
  std::puts("good");
}
