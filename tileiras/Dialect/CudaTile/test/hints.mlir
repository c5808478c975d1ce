// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unsupported hints: silent, warned about, or refused.
// RUN: tileiras-opt %s -split-input-file 2>&1 | FileCheck %s --check-prefix=SILENT
// RUN: tileiras-opt %s -split-input-file -Wunsupported-hints 2>&1 >/dev/null | FileCheck %s --check-prefix=WARN
// RUN: not tileiras-opt %s -split-input-file -Wunsupported-hints -Werr-hints 2>&1 | FileCheck %s --check-prefix=ERROR

// SILENT-NOT: warning
// ERROR-COUNT-9: Optimization hints verification failed

cuda_tile.module @m {
  // Good ones, then none at all (which prints as nothing).
  // SILENT: entry @good() optimization_hints=<default = {num_worker_warps_per_cta = 8}, sm_100 = {num_cta_in_cga = 2, occupancy = 32}> {
  entry @good() optimization_hints=<sm_100 = {num_cta_in_cga = 2, occupancy = 32}, default = {num_worker_warps_per_cta = 8}> {
  }
  // SILENT: entry @none() {
  entry @none() optimization_hints=<> {
  }
}

// -----

cuda_tile.module @m {
  // SILENT: sm_1 = {occupancy = 1}
  // WARN: warning: unknown hint key sm_1
  entry @e() optimization_hints=<sm_1 = {occupancy = 1}> {
  }
}

// -----

cuda_tile.module @m {
  // WARN: warning: unknown param speed for sm_90
  entry @e() optimization_hints=<sm_90 = {speed = 1}> {
  }
}

// -----

cuda_tile.module @m {
  // WARN: warning: latency is not known hint for current Operation
  entry @e() optimization_hints=<sm_90 = {latency = 1}> {
  }
}

// -----

cuda_tile.module @m {
  // WARN: warning: integer value expected for sm_90.occupancy
  entry @e() optimization_hints=<sm_90 = {occupancy = "high"}> {
  }
}

// -----

cuda_tile.module @m {
  // WARN: warning: integer value in the range [1, 32] is expected for sm_90.occupancy
  entry @e() optimization_hints=<sm_90 = {occupancy = 33}> {
  }
}

// -----

cuda_tile.module @m {
  // WARN: warning: expected power-of-two ≤ 16 for sm_90.num_cta_in_cga
  entry @e() optimization_hints=<sm_90 = {num_cta_in_cga = 3}> {
  }
}

// -----

cuda_tile.module @m {
  // WARN: warning: expected 1 for sm_86.num_cta_in_cga
  entry @e() optimization_hints=<sm_86 = {num_cta_in_cga = 2}> {
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>) {
    // WARN: warning: integer value in the range [1, 10] is expected for default.latency
    %v, %t = load_ptr_tko weak %p optimization_hints = <default = {latency = 11}> : tile<ptr<f32>> -> tile<f32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %tv = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
    // WARN: warning: boolean value expected for sm_90.allow_tma
    %v, %t = load_view_tko weak %pv[%i] optimization_hints = <sm_90 = {allow_tma = 1}> : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}
