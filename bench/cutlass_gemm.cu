// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of f16 with sums in f32 for sm_90, as CUTLASS's collective builder makes it: for bench/cutlass_loop.py, which defines TILE_M,
// TILE_N, TILE_K, STAGES and the two schedules. Both arrays are dense along their last dimension, m x k and k x n, as those of our kernels.

#include "cutlass/cutlass.h"
#include "cutlass/epilogue/collective/collective_builder.hpp"
#include "cutlass/gemm/collective/collective_builder.hpp"
#include "cutlass/gemm/device/gemm_universal_adapter.h"
#include "cutlass/gemm/kernel/gemm_universal.hpp"

using namespace cute;

template <int M, int N, int K> struct CutlassProduct {
  using Tile = Shape<Int<M>, Int<N>, Int<K>>;
  using Alone = Shape<_1, _1, _1>;
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Tile, Alone, cutlass::epilogue::collective::EpilogueTileAuto,
      float, float, void, cutlass::layout::RowMajor, 8, cutlass::half_t, cutlass::layout::RowMajor, 8,
      cutlass::epilogue::EPILOGUE_SCHEDULE>::CollectiveOp;
  using MainLoop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, cutlass::half_t, cutlass::layout::RowMajor, 8,
      cutlass::half_t, cutlass::layout::RowMajor, 8, float, Tile, Alone, cutlass::gemm::collective::StageCount<STAGES>,
      cutlass::gemm::MAINLOOP_SCHEDULE>::CollectiveOp;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int, int>, MainLoop, Epilogue>;
};

using Kernel = CutlassProduct<TILE_M, TILE_N, TILE_K>::Kernel;

extern "C" __global__ void __launch_bounds__(Kernel::MaxThreadsPerBlock, Kernel::MinBlocksPerMultiprocessor)
    cutlass_product(__grid_constant__ Kernel::Params const params) {
  extern __shared__ char shared[];
  Kernel()(params, shared);
}
