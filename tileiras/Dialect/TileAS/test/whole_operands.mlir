// Shared memory (48 KiB on sm_80) has no room for both operands of 32 KiB: the right one, which each of eight warps would have in registers whole,
// stays there, the left one goes through it in pieces. With room for both, both stay.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-materialize-convert-layout,tileas-optimize-alloc-tensor)))' | FileCheck %s
// RUN: sed -e 's/capability = 80/capability = 120/' -e 's/"sm_80"/"sm_120"/' %s | tileiras-opt -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-materialize-convert-layout,tileas-optimize-alloc-tensor)))' | FileCheck %s --check-prefix=ROOM

#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [0, 64], [1, 0]], warp = [[2, 0], [4, 0], [8, 0]]>
#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0], [0, 0]]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  // CHECK-LABEL: nv_tileaa.func @both
  // CHECK: %[[B:.*]] = nv_tileas.alloc_tensor {{.*}} : tensor<128x128xf16, #[[SHARED:shared[0-9]*]]>
  // CHECK: nv_tileas.dot %{{.*}}, %[[B]], %{{.*}} : tensor<128x128xf16, #linear{{[0-9]*}}>, tensor<128x128xf16, #[[SHARED]]>,
  // ROOM-LABEL: nv_tileaa.func @both
  // ROOM: nv_tileas.dot {{.*}} : tensor<128x128xf16, #shared{{[0-9]*}}>, tensor<128x128xf16, #shared{{[0-9]*}}>,
  nv_tileaa.func @both(%x: tensor<128x128xf16, #rows>, %y: tensor<128x128xf16, #rows>, %z: tensor<128x128xf32, #c>)
      attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %xa = nv_tileas.convert_layout %x : tensor<128x128xf16, #rows> -> tensor<128x128xf16, #a>
    %yb = nv_tileas.convert_layout %y : tensor<128x128xf16, #rows> -> tensor<128x128xf16, #b>
    %p = nv_tileas.dot %xa, %yb, %z {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 8, 1]>} : tensor<128x128xf16, #a>, tensor<128x128xf16, #b>, tensor<128x128xf32, #c>
    %e = arith.negf %p : tensor<128x128xf32, #c>
    nv_tileaa.return
  }
}
