// Loads in branches: which could be made ahead, if somebody did, and which could not, as the place is loaded first, by an inner loop and a branch.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-materialize-async)))' --remarks-filter=pipeline -o /dev/null 2>&1 | FileCheck %s

!view = !nv_tileaa.tiled_view<[8, 8], !nv_tileaa.memref<?x8xf32, strides = [8, 1]>>
!sizes = !nv_tileaa.tiled_view<[1], !nv_tileaa.memref<?xi32, strides = [1]>>

gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK: Loop {{.*}}Function=counted {{.*}}Reason="its loads are in branches"
nv_tileaa.func @counted(%v: !view, %n: i32, %to: !view) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %odd = arith.andi %i, %c1 : i32
    %yes = arith.cmpi eq, %odd, %c1 : i32
    scf.if %yes {
      %x, %t = nv_tileas.tiled_load %v[%i, %c0] : !view, (i32, i32) -> tensor<8x8xf32>
      %y = nv_tileas.dot %x, %x, %x : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
      %s = nv_tileas.tiled_store %to[%i, %c0], %y : !view, (i32, i32), tensor<8x8xf32>
    }
  }
  nv_tileaa.return
}
// CHECK: Loop {{.*}}Function=found {{.*}}Reason="its loads are in branches, and where they come from depends on what the loop loads"
nv_tileaa.func @found(%v: !view, %n: i32, %to: !view, %sizes: !sizes) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %at = scf.for %g = %c0 to %n step %c1 iter_args(%sum = %i) -> (i32) : i32 {
      %size, %t = nv_tileas.tiled_load %sizes[%g] : !sizes, (i32) -> tensor<1xi32>
      %number = nv_tileaa.extract %size : tensor<1xi32> -> i32
      %next = arith.addi %sum, %number : i32
      scf.yield %next : i32
    }
    %some = arith.cmpi sgt, %at, %c0 : i32
    %place = scf.if %some -> (i32) {
      %before = arith.subi %at, %c1 : i32
      scf.yield %before : i32
    } else {
      scf.yield %c0 : i32
    }
    scf.if %some {
      %x, %t = nv_tileas.tiled_load %v[%place, %c0] : !view, (i32, i32) -> tensor<8x8xf32>
      %y = nv_tileas.dot %x, %x, %x : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
      %s = nv_tileas.tiled_store %to[%i, %c0], %y : !view, (i32, i32), tensor<8x8xf32>
    }
  }
  nv_tileaa.return
}
}
