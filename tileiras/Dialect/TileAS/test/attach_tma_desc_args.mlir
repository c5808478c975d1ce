// Tensor maps of the host are parameters behind those that the kernel declares; a last one says which of them there are.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-attach-tma-desc-args)))' | FileCheck %s

!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#load = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>
gpu.module @kernels {
  // CHECK-LABEL: nv_tileaa.func @one
  // CHECK-SAME: (%{{.*}}: !nv_tileaa.tiled_view<{{.*}}>, %{{.*}}: i1, %[[MAP:.*]]: !nv_tileas.tma_descriptor_iter {cute_nvgpu.grid_constant}, %{{.*}}: !nv_tileas.tma_descriptor_iter {cute_nvgpu.grid_constant}, %[[MADE:.*]]: i64)
  // CHECK: %[[BIT:.*]] = arith.shrui %[[MADE]]
  // CHECK: %[[USABLE:.*]] = arith.trunci %[[BIT]] : i64 to i1
  // CHECK-COUNT-1: nv_tileas.make_tiled_tma_desc
  // CHECK-NOT: alloc_tensor
  // CHECK: nv_tileaa.assert %[[USABLE]]
  nv_tileaa.func @one(%v: !view, %wanted: i1) attributes {"nv_tileas.num-host-tmas" = 2 : i32, "nv_tileas.num-device-tmas" = 1 : i32} {
    %scratch = nv_tileas.alloc_tensor : tensor<64xi8, #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>>
    %d, %u = nv_tileas.with_scratch %scratch : tensor<64xi8, #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>> -> !nv_tileas.tma_descriptor_iter, i1 {
      %x, %y = nv_tileas.make_tiled_tma_desc %v if %wanted {atom = #load, "nv_tileas.host-tma" = 0 : i32} : !view
      nv_tileas.yield %x, %y : !nv_tileas.tma_descriptor_iter, i1
    }
    %e, %w = nv_tileas.make_tiled_tma_desc %v {atom = #load} : !view
    %f, %z = nv_tileas.make_tiled_tma_desc %v {atom = #load, "nv_tileas.host-tma" = 1 : i32} : !view
    nv_tileaa.assert %u, "there is one" : i1
    nv_tileaa.return
  }
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#load = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>
gpu.module @kernels {
  // expected-error@below {{funcOp lack tmaDeviceNum and tmaHostNum attr}}
  nv_tileaa.func @unnumbered(%v: !view) {
    %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #load} : !view
    nv_tileaa.return
  }
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#load = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>
gpu.module @kernels {
  nv_tileaa.func @beyond(%v: !view) attributes {"nv_tileas.num-host-tmas" = 1 : i32, "nv_tileas.num-device-tmas" = 0 : i32} {
    // expected-error@below {{tmaIdx exceed tmaHostNum.}}
    %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #load, "nv_tileas.host-tma" = 1 : i32} : !view
    nv_tileaa.return
  }
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#load = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>
gpu.module @kernels {
  nv_tileaa.func @too_many(%v: !view) attributes {"nv_tileas.num-host-tmas" = 0 : i32, "nv_tileas.num-device-tmas" = 0 : i32} {
    // expected-error@below {{tmaIdx exceed tmaDeviceNum.}}
    %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #load} : !view
    nv_tileaa.return
  }
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
gpu.module @kernels {
  // expected-error@below {{not find tmaIdx.}}
  nv_tileaa.func @missing(%v: !view) attributes {"nv_tileas.num-host-tmas" = 1 : i32, "nv_tileas.num-device-tmas" = 0 : i32} {
    nv_tileaa.return
  }
}

// -----

!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
#load = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>
gpu.module @kernels {
  nv_tileaa.func @twice(%v: !view) attributes {"nv_tileas.num-host-tmas" = 1 : i32, "nv_tileas.num-device-tmas" = 0 : i32} {
    %d, %u = nv_tileas.make_tiled_tma_desc %v {atom = #load, "nv_tileas.host-tma" = 0 : i32} : !view
    // expected-error@below {{is a second tensor map with the number 0}}
    %e, %w = nv_tileas.make_tiled_tma_desc %v {atom = #load, "nv_tileas.host-tma" = 0 : i32} : !view
    nv_tileaa.return
  }
}
