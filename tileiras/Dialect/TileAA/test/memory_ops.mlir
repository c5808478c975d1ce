// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s

!pi = !nv_tileaa.ptr<i32>
!tok = !nv_tileaa.mem_token
!mr = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!tv = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [8, 16], padding = zero, !mr>
!gv = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [1, 16], padding = zero, !mr>
!av = !nv_tileaa.tiled_view<[8, 16], dim_map = [0, 1], steps = [8, 16], !mr>

// CHECK: nv_tileaa.global "private" @table align 16 constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
nv_tileaa.global "private" @table align 16 constant dense<[1.0, 2.0]> : tensor<2xf32>
// CHECK: nv_tileaa.global @counter align 0 dense<0> : tensor<1xi32>
nv_tileaa.global @counter align 0 dense<0> : tensor<1xi32>

// CHECK-LABEL: @atomics
nv_tileaa.func @atomics(%p: tensor<64x!pi>, %q: !pi, %v: tensor<64xi32>, %w: i32, %m: tensor<64xi1>, %t: !tok, %av: !av,
                        %x: tensor<8x16xf32>, %i: i32) {
  // CHECK: nv_tileaa.atomic_rmw %{{.*}}, %{{.*}} , mask %{{.*}}, token %{{.*}} {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<umax>} : tensor<64x!nv_tileaa.ptr<i32>>, mask tensor<64xi1> -> tensor<64xi32>
  %a, %t0 = nv_tileaa.atomic_rmw %p, %v, mask %m, token %t {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<umax>} : tensor<64x!pi>, mask tensor<64xi1> -> tensor<64xi32>
  // CHECK: nv_tileaa.atomic_cas %{{.*}}, %{{.*}}, %{{.*}} {{{.*}}mem_semantic<acq_rel>} : !nv_tileaa.ptr<i32> -> i32
  %b, %t1 = nv_tileaa.atomic_cas %q, %w, %w {mem_scope = #nv_tileaa.mem_scope<sys>, mem_semantic = #nv_tileaa.mem_semantic<acq_rel>} : !pi -> i32
  // CHECK: nv_tileaa.tiled_atomic_rmw %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}}, token %{{.*}} {{{.*}}rmw_mode<addf>}
  %t2 = nv_tileaa.tiled_atomic_rmw %av[%i, %i], %x, token %t1 {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : !av, (i32, i32), tensor<8x16xf32>
  nv_tileaa.return
}

// CHECK-LABEL: @slices
nv_tileaa.func @slices(%g: !gv, %rows: tensor<8xi64>, %i: i32, %t: !tok) {
  // CHECK: nv_tileaa.gather_load %{{.*}}[%{{.*}}, %{{.*}}], token %{{.*}} {axis = 0 : i32} : <{{.*}}>, (tensor<8xi64>, i32) -> tensor<8x16xf32>
  %x, %t0 = nv_tileaa.gather_load %g[%rows, %i], token %t {axis = 0 : i32} : !gv, (tensor<8xi64>, i32) -> tensor<8x16xf32>
  // CHECK: nv_tileaa.scatter_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} {axis = 0 : i32}
  %t1 = nv_tileaa.scatter_store %g[%rows, %i], %x {axis = 0 : i32} : !gv, (tensor<8xi64>, i32), tensor<8x16xf32>
  nv_tileaa.return
}

// CHECK-LABEL: @storage
nv_tileaa.func @storage(%t: !tok, %h: tensor<64xf16>) {
  // CHECK: nv_tileaa.get_global @table : <f32>
  %g = nv_tileaa.get_global @table : !nv_tileaa.ptr<f32>
  // CHECK: nv_tileaa.alloca 64 align 16 : <f32>
  %s = nv_tileaa.alloca 64 align 16 : !nv_tileaa.ptr<f32>
  // CHECK: nv_tileaa.fence_alias token %{{.*}}
  %t0 = nv_tileaa.fence_alias token %t
  // CHECK: nv_tileaa.gdc_wait{{$}}
  %t1 = nv_tileaa.gdc_wait
  // CHECK: nv_tileaa.gdc_launch_dependents token %{{.*}}
  %t2 = nv_tileaa.gdc_launch_dependents token %t1
  // CHECK: nv_tileaa.reinterpret %{{.*}} : tensor<64xf16> -> tensor<128xi8>
  %b = nv_tileaa.reinterpret %h : tensor<64xf16> -> tensor<128xi8>
  nv_tileaa.return
}
