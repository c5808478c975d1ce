// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-place-sums,tileas-materialize-convert-layout,tileas-keep-invariant-tiles,tileas-defer-products)))' | FileCheck %s
// A product with scales writes them to tensor memory itself: it waits for that of the iteration before when it stands
// there, behind what comes before it.

#l = #nv_tileas.blocked<size_per_thread = [1, 1], threads_per_warp = [4, 8], warps_per_cta = [2, 2], order = [1, 0]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  // CHECK-LABEL: nv_tileaa.func @scaled
  // CHECK: scf.for
  // CHECK: math.exp2
  // CHECK: nv_tileas.async.await_product 1{{$}}
  // CHECK-NEXT: nv_tileas.dot {{.*}} scales({{.*}}nv_tileas.awaited_as = 1
  // CHECK: scf.yield
  // CHECK: nv_tileas.async.await_product {{[0-9]+}} behind_loop
  nv_tileaa.func @scaled(%a: tensor<128x64xf8E4M3FN, #l>, %b: tensor<64x64xf8E4M3FN, #l>, %c: tensor<128x64xf32, #c>, %sa: tensor<128x2xf8E8M0FNU, #l>, %sb: tensor<2x64xf8E8M0FNU, #l>, %x: tensor<128x64xf32, #c>, %n: i32) -> tensor<128x64xf32, #c> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c, %y = %x) -> (tensor<128x64xf32, #c>, tensor<128x64xf32, #c>) : i32 {
      %e = math.exp2 %y : tensor<128x64xf32, #c>
      %d = nv_tileas.dot %a, %b, %s scales(%sa : tensor<128x2xf8E8M0FNU, #l>, %sb : tensor<2x64xf8E8M0FNU, #l>) {atom = #nv_tileas.sm100_mma_atom<f8E4M3FN, m = 128, n = 64, warps = 4>} : tensor<128x64xf8E4M3FN, #l>, tensor<64x64xf8E4M3FN, #l>, tensor<128x64xf32, #c>
      scf.yield %d, %e : tensor<128x64xf32, #c>, tensor<128x64xf32, #c>
    }
    %t = arith.addf %r#0, %r#1 : tensor<128x64xf32, #c>
    nv_tileaa.return %t : tensor<128x64xf32, #c>
  }
}
