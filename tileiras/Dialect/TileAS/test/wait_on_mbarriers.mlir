// Waits on mbarriers are not for tokens alone: one on another barrier, or for another phase, is another wait.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-materialize-async,tileas-optimize-alloc-tensor,tileas-overlap-products)))' | FileCheck %s

#word = #nv_tileas.shared<rank = 1, offset = []>

// Two barriers are alive at a time, and nothing else takes their place: they are apart.
// CHECK-LABEL: @two
// CHECK: %[[A:.*]] = nv_tileas.alloc_tensor {offset = 0 : i64}
// CHECK: %[[B:.*]] = nv_tileas.alloc_tensor {offset = {{[1-9]}}
// CHECK: async.wait on %[[A]] : {{.*}} phase %{{.*}}
// CHECK: async.wait on %[[B]] : {{.*}} phase %{{.*}}
// CHECK: async.wait on %[[B]] : {{.*}} phase %{{.*}}
gpu.module @kernels {
  nv_tileaa.func @two() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = nv_tileas.alloc_tensor : tensor<1xi64, #word>
    %t0 = nv_tileas.async.mbarrier_init %a, %c1 : tensor<1xi64, #word>
    %b = nv_tileas.alloc_tensor : tensor<1xi64, #word>
    %t1 = nv_tileas.async.mbarrier_init %b, %c1 : tensor<1xi64, #word>
    nv_tileas.async.wait on %a : tensor<1xi64, #word> phase %c0
    nv_tileas.async.wait on %b : tensor<1xi64, #word> phase %c0
    nv_tileas.async.wait on %b : tensor<1xi64, #word> phase %c1
    nv_tileaa.return
  }
}
