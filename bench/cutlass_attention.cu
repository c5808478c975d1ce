// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention forward of f16 with sums in f32 for sm_90, as CUTLASS's example 88 makes it: for bench/cutlass_loop.py, which defines ROWS, KEYS, WIDTH,
// SCHEDULE and MASK.

#include "collective/fmha_fusion.hpp"
#include "kernel/fmha_kernel_builder.hpp"

using namespace cute;

using Strides = cute::tuple<int, _1, cute::tuple<int, int>>;
using Kernel = cutlass::fmha::kernel::FmhaBuilder<cutlass::half_t, float, float, Shape<Int<ROWS>, Int<KEYS>, Int<WIDTH>>,
                                                  Strides, Strides, Strides, cutlass::fmha::collective::MASK,
                                                  cutlass::gemm::SCHEDULE>::Kernel;

extern "C" __global__ void __launch_bounds__(Kernel::MaxThreadsPerBlock, Kernel::MinBlocksPerMultiprocessor)
    cutlass_attention(__grid_constant__ Kernel::Params const params) {
  extern __shared__ char shared[];
  Kernel()(params, shared);
}
