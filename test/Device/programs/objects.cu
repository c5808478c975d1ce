// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant memory, variables of the device, virtual functions, function pointers, recursion, the heap, printf.
#include "check.h"
__constant__ int weights[4] = {1, 2, 3, 4};
__device__ int counter = 5;
struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int a;
  __device__ Square(int a) : a(a) {}
  __device__ int area() const override { return a * a; }
};
struct Rectangle : Shape {
  int a, b;
  __device__ Rectangle(int a, int b) : a(a), b(b) {}
  __device__ int area() const override { return a * b; }
};
__device__ int twice(int x) { return 2 * x; }
__device__ int plus(int x) { return x + 1; }
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void work(int *out) {
  int t = threadIdx.x;
  Shape *shape = t % 2 ? static_cast<Shape *>(new Square(t)) : new Rectangle(t, 3);
  int (*function)(int) = t % 3 ? twice : plus;
  out[t] = shape->area() * weights[t % 4] + function(t) + fibonacci(t % 8);
  delete shape;
  atomicAdd(&counter, 1);
  if (t == 0)
    printf("block of %d threads, %s\n", blockDim.x, "hello");
}
int main() {
  int *out, changed[4] = {10, 20, 30, 40}, count;
  CHECK(cudaMalloc(&out, 64 * 4));
  CHECK(cudaMemcpyToSymbol(weights, changed, 16));
  work<<<1, 64>>>(out);
  std::vector<int> r(64);
  CHECK(cudaMemcpy(r.data(), out, 256, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyFromSymbol(&count, counter, 4));
  EXPECT(count == 69);
  int fib[8] = {0, 1, 1, 2, 3, 5, 8, 13};
  for (int t = 0; t < 64; ++t)
    EXPECT(r[t] == (t % 2 ? t * t : 3 * t) * changed[t % 4] + (t % 3 ? 2 * t : t + 1) + fib[t % 8]);
  std::puts("good");
}
