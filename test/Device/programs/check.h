// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>
#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    cudaError_t e_ = (call);                                                                                           \
    if (e_ != cudaSuccess) {                                                                                           \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(e_));                               \
      std::exit(2);                                                                                                    \
    }                                                                                                                  \
  } while (0)
#define EXPECT(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      std::printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                                            \
      std::exit(3);                                                                                                    \
    }                                                                                                                  \
  } while (0)
