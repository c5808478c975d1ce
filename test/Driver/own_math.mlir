// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without libdevice functions come from the compiler's own library, f64 and the exact remainder too, and nobody has to be told.
// RUN: tileiras %s --libdevice-path=none --emit=ptx -o - 2>&1 | FileCheck %s
// RUN: tileiras %s --pipeline-options=libdevice=false --emit=ptx -o - 2>&1 | FileCheck %s
// RUN: tileiras-run %s --pipeline-options=libdevice=false --check --tolerance=ulp:1 'a:f64[128]=normal(seed=1,std=50)' 'out:f64[128]=poison'

// CHECK-NOT: warning
// CHECK-NOT: .extern .func
// CHECK: .visible .entry kernel(
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<f64>>, %o: tile<ptr<f64>>) {
    %i = iota : tile<128xi32>
    %a1 = reshape %a : tile<ptr<f64>> -> tile<1xptr<f64>>
    %a2 = broadcast %a1 : tile<1xptr<f64>> -> tile<128xptr<f64>>
    %ap = offset %a2, %i : tile<128xptr<f64>>, tile<128xi32> -> tile<128xptr<f64>>
    %o1 = reshape %o : tile<ptr<f64>> -> tile<1xptr<f64>>
    %o2 = broadcast %o1 : tile<1xptr<f64>> -> tile<128xptr<f64>>
    %op = offset %o2, %i : tile<128xptr<f64>>, tile<128xi32> -> tile<128xptr<f64>>
    %x, %t = load_ptr_tko weak %ap : tile<128xptr<f64>> -> tile<128xf64>, token
    %p = constant <f64: 7.3> : tile<128xf64>
    %y = remf %x, %p : tile<128xf64>
    %r = sin %y : tile<128xf64>
    %w = store_ptr_tko weak %op, %r : tile<128xptr<f64>>, tile<128xf64> -> token
    return
  }
}
