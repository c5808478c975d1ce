// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-slice-tiles)))' | FileCheck %s

// Two blocks of a cluster take 32 of the 64 rows each. Nothing says that the arrays are two: all load before any stores.
!ma = !nv_tileaa.memref<64x64xf32, strides = [64, 1]>
!va = !nv_tileaa.tiled_view<[64, 64], !nv_tileaa.memref<64x64xf32, strides = [64, 1]>>
#two = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [2, 1, 1], numCTAs = 2>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: nv_tileaa.func @copy
// CHECK-SAME: nv_tileas.divided_cluster
// CHECK: %[[R:.*]] = nvvm.read.ptx.sreg.cluster.ctarank : i32
// CHECK: arith.extui %[[R]]
// CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<32x64xf32>
// CHECK: nvvm.cluster.arrive {aligned, nv_tileas.after_loads}
// CHECK-NEXT: nvvm.cluster.wait {aligned, nv_tileas.after_loads}
// CHECK-NEXT: nv_tileaa.tiled_store {{.*}} tensor<32x64xf32>
nv_tileaa.func @copy(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %i: i32) attributes {nv_tileaa.kernel_spec = #two} {
  %ma = nv_tileaa.make_memref %a, sizes[], strides[] : <f32>, (), () -> !ma
  %mb = nv_tileaa.make_memref %b, sizes[], strides[] : <f32>, (), () -> !ma
  %va = nv_tileaa.block_tile %ma : !ma -> !va
  %vb = nv_tileaa.block_tile %mb : !ma -> !va
  %x, %t = nv_tileaa.tiled_load %va[%i, %i] : !va, (i32, i32) -> tensor<64x64xf32>
  %t2 = nv_tileaa.tiled_store %vb[%i, %i], %x, token %t : !va, (i32, i32), tensor<64x64xf32>
  nv_tileaa.return
}

// The second store comes after the first one, which has other slices: the blocks meet for more than the load.
// CHECK-LABEL: nv_tileaa.func @over_a_store
// CHECK: nvvm.cluster.arrive {aligned, nv_tileas.after_loads}
// CHECK: nv_tileaa.tiled_store {{.*}} tensor<32x64xf32>
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK-NEXT: nv_tileaa.tiled_store {{.*}} tensor<64x32xf32>
nv_tileaa.func @over_a_store(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %i: i32) attributes {nv_tileaa.kernel_spec = #two} {
  %ma = nv_tileaa.make_memref %a, sizes[], strides[] : <f32>, (), () -> !ma
  %mb = nv_tileaa.make_memref %b, sizes[], strides[] : <f32>, (), () -> !ma
  %va = nv_tileaa.block_tile %ma : !ma -> !va
  %vb = nv_tileaa.block_tile %mb : !ma -> !va
  %x, %t = nv_tileaa.tiled_load %va[%i, %i] : !va, (i32, i32) -> tensor<64x64xf32>
  %t2 = nv_tileaa.tiled_store %vb[%i, %i], %x, token %t : !va, (i32, i32), tensor<64x64xf32>
  %y = nv_tileaa.permute %x [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %t3 = nv_tileaa.tiled_store %vb[%i, %i], %y, token %t2 : !va, (i32, i32), tensor<64x64xf32>
  nv_tileaa.return
}

// The slice that is loaded is the slice that is stored: nobody waits.
// CHECK-LABEL: nv_tileaa.func @in_place
// CHECK-SAME: nv_tileas.divided_cluster
// CHECK-NOT: nvvm.cluster.arrive
// CHECK: nv_tileaa.tiled_store {{.*}} tensor<32x64xf32>
nv_tileaa.func @in_place(%a: !nv_tileaa.ptr<f32>, %i: i32) attributes {nv_tileaa.kernel_spec = #two} {
  %ma = nv_tileaa.make_memref %a, sizes[], strides[] : <f32>, (), () -> !ma
  %va = nv_tileaa.block_tile %ma : !ma -> !va
  %x, %t = nv_tileaa.tiled_load %va[%i, %i] : !va, (i32, i32) -> tensor<64x64xf32>
  %y = arith.addf %x, %x : tensor<64x64xf32>
  %t2 = nv_tileaa.tiled_store %va[%i, %i], %y, token %t : !va, (i32, i32), tensor<64x64xf32>
  nv_tileaa.return
}

// A loop that adds up both dimensions leaves none to divide; a strong load may show each block something else.
// CHECK-LABEL: nv_tileaa.func @sum
// CHECK-NOT: divided_cluster
// CHECK-NOT: ctarank
// CHECK-LABEL: nv_tileaa.func @strong
// CHECK-NOT: divided_cluster
// CHECK-NOT: ctarank
nv_tileaa.func @sum(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %i: i32) attributes {nv_tileaa.kernel_spec = #two} {
  %ma = nv_tileaa.make_memref %a, sizes[], strides[] : <f32>, (), () -> !ma
  %va = nv_tileaa.block_tile %ma : !ma -> !va
  %x, %t = nv_tileaa.tiled_load %va[%i, %i] : !va, (i32, i32) -> tensor<64x64xf32>
  %r = nv_tileaa.reduce %x {axis = 1 : i32, identities = [0.0 : f32]} : tensor<64x64xf32> -> tensor<64xf32> {
  ^bb0(%e: f32, %acc: f32):
    %u = arith.addf %e, %acc : f32
    nv_tileaa.yield %u : f32
  }
  %s = nv_tileaa.reduce %r {axis = 0 : i32, identities = [0.0 : f32]} : tensor<64xf32> -> f32 {
  ^bb0(%e: f32, %acc: f32):
    %u = arith.addf %e, %acc : f32
    nv_tileaa.yield %u : f32
  }
  %t2 = nv_tileaa.store %b, %s : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}
nv_tileaa.func @strong(%a: !nv_tileaa.ptr<f32>, %i: i32, %p: !nv_tileaa.ptr<i32>) attributes {nv_tileaa.kernel_spec = #two} {
  %f, %tf = nv_tileaa.load %p {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>} : !nv_tileaa.ptr<i32> -> i32
  %ma = nv_tileaa.make_memref %a, sizes[], strides[] : <f32>, (), () -> !ma
  %va = nv_tileaa.block_tile %ma : !ma -> !va
  %x, %t = nv_tileaa.tiled_load %va[%f, %i] : !va, (i32, i32) -> tensor<64x64xf32>
  %t2 = nv_tileaa.tiled_store %va[%f, %i], %x, token %t : !va, (i32, i32), tensor<64x64xf32>
  nv_tileaa.return
}
}

// -----

// Turned in place, in slices one after the other: slice 1 would load what slice 0 has stored. Too large a tile all the same is better.
!mr = !nv_tileaa.memref<512x512xf32, strides = [512, 1]>
!mc = !nv_tileaa.memref<512x512xf32, strides = [1, 512]>
!vr = !nv_tileaa.tiled_view<[512, 512], !nv_tileaa.memref<512x512xf32, strides = [512, 1]>>
!vc = !nv_tileaa.tiled_view<[512, 512], !nv_tileaa.memref<512x512xf32, strides = [1, 512]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: nv_tileaa.func @turn
// CHECK-NOT: scf.for
// CHECK-LABEL: nv_tileaa.func @turn_elsewhere
// CHECK: scf.for
nv_tileaa.func @turn(%a: !nv_tileaa.ptr<f32>, %i: i32)
    attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %mr = nv_tileaa.make_memref %a, sizes[], strides[] : <f32>, (), () -> !mr
  %mc = nv_tileaa.make_memref %a, sizes[], strides[] : <f32>, (), () -> !mc
  %vr = nv_tileaa.block_tile %mr : !mr -> !vr
  %vc = nv_tileaa.block_tile %mc : !mc -> !vc
  %x, %t = nv_tileaa.tiled_load %vr[%i, %i] : !vr, (i32, i32) -> tensor<512x512xf32>
  %t2 = nv_tileaa.tiled_store %vc[%i, %i], %x : !vc, (i32, i32), tensor<512x512xf32>
  nv_tileaa.return
}
nv_tileaa.func @turn_elsewhere(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %i: i32)
    attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %mr = nv_tileaa.make_memref %a, sizes[], strides[] : <f32>, (), () -> !mr
  %mc = nv_tileaa.make_memref %b, sizes[], strides[] : <f32>, (), () -> !mc
  %vr = nv_tileaa.block_tile %mr : !mr -> !vr
  %vc = nv_tileaa.block_tile %mc : !mc -> !vc
  %x, %t = nv_tileaa.tiled_load %vr[%i, %i] : !vr, (i32, i32) -> tensor<512x512xf32>
  %t2 = nv_tileaa.tiled_store %vc[%i, %i], %x : !vc, (i32, i32), tensor<512x512xf32>
  nv_tileaa.return
}
}

// -----

// One row for each block: of an array that is known to end with a tile. A row outside of another one nobody would ask for.
!m = !nv_tileaa.memref<?x1xf32, strides = [1, 1]>
!v = !nv_tileaa.tiled_view<[2, 1], !nv_tileaa.memref<?x1xf32, strides = [1, 1]>>
#two = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [2, 1, 1], numCTAs = 2>
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-LABEL: nv_tileaa.func @even
// CHECK-SAME: nv_tileas.divided_cluster
// CHECK: nv_tileaa.tiled_load {{.*}} {in_bounds = array<i1: true, false>} : {{.*}}<[1, 1], {{.*}} -> tensor<1x1xf32>
// CHECK: nv_tileaa.tiled_store {{.*}} {in_bounds = array<i1: true, false>}
// CHECK-LABEL: nv_tileaa.func @unknown
// CHECK-NOT: nv_tileas.divided_cluster
// CHECK: nv_tileaa.tiled_load {{.*}} -> tensor<2x1xf32>
nv_tileaa.func @even(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %n_: i32, %i: i32) attributes {nv_tileaa.kernel_spec = #two} {
  %n = nv_tileaa.assume #nv_tileaa.div_by<2>, %n_ : i32
  %ma = nv_tileaa.make_memref %a, sizes[%n], strides[] : <f32>, (i32), () -> !m
  %mb = nv_tileaa.make_memref %b, sizes[%n], strides[] : <f32>, (i32), () -> !m
  %va = nv_tileaa.block_tile %ma : !m -> !v
  %vb = nv_tileaa.block_tile %mb : !m -> !v
  %x, %t = nv_tileaa.tiled_load %va[%i, %i] : !v, (i32, i32) -> tensor<2x1xf32>
  %t2 = nv_tileaa.tiled_store %vb[%i, %i], %x, token %t : !v, (i32, i32), tensor<2x1xf32>
  nv_tileaa.return
}
nv_tileaa.func @unknown(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %n: i32, %i: i32) attributes {nv_tileaa.kernel_spec = #two} {
  %ma = nv_tileaa.make_memref %a, sizes[%n], strides[] : <f32>, (i32), () -> !m
  %mb = nv_tileaa.make_memref %b, sizes[%n], strides[] : <f32>, (i32), () -> !m
  %va = nv_tileaa.block_tile %ma : !m -> !v
  %vb = nv_tileaa.block_tile %mb : !m -> !v
  %x, %t = nv_tileaa.tiled_load %va[%i, %i] : !v, (i32, i32) -> tensor<2x1xf32>
  %t2 = nv_tileaa.tiled_store %vb[%i, %i], %x, token %t : !v, (i32, i32), tensor<2x1xf32>
  nv_tileaa.return
}
}
