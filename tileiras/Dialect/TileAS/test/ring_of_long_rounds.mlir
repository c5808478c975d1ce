// A ring has no third stage where products keep the matrix unit busy for twice as long as copies take to arrive.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async{num-stages=3}))' --remarks-filter=pipeline -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: [Passed] Loop | Category:pipeline | Function=long | Bytes=49152, Products=4, Reason="the number of stages is limited by the copies, which arrive in a round", Room={{[0-9]+}}, Stages=2
// CHECK: remark: [Passed] Loop | Category:pipeline | Function=short | Bytes=65536, Products=3, Reason="the number of stages is limited by num-stages", Room={{[0-9]+}}, Stages=3

!view = !nv_tileaa.tiled_view<[128, 64], padding = zero, !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
#copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]>
#rows = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
#columns = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#sums = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#atom = #nv_tileas.wgmma_atom<f16, n = 128, groups = [2, 1]>
!a = tensor<128x64xf16, #rows>
!b = tensor<64x128xf16, #columns>
!c = tensor<128x128xf32, #sums>
module attributes {nv_tileaa.target_spec = "sm_90a", nv_tileas.static_shared = "device"} {
nv_tileaa.func @long(%v: !view, %n: i32, %z: !c) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = nv_tileas.alloc_tensor : !b
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (!c) : i32 {
    %t = nv_tileas.alloc_tensor : !a
    %done, %m = nv_tileas.async.tiled_load %v[%i, %c0] into %t {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), !a
    nv_tileas.async.wait %done
    %p = nv_tileas.dot %t, %b, %s {atom = #atom} : !a, !b, !c
    %q = nv_tileas.dot %t, %b, %p {atom = #atom} : !a, !b, !c
    %r = nv_tileas.dot %t, %b, %q {atom = #atom} : !a, !b, !c
    %u = nv_tileas.dot %t, %b, %r {atom = #atom} : !a, !b, !c
    scf.yield %u : !c
  }
  nv_tileaa.return
}

nv_tileaa.func @short(%v: !view, %n: i32, %z: !c) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = nv_tileas.alloc_tensor : !b
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (!c) : i32 {
    %t = nv_tileas.alloc_tensor : !a
    %done, %m = nv_tileas.async.tiled_load %v[%i, %c0] into %t {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), !a
    nv_tileas.async.wait %done
    %p = nv_tileas.dot %t, %b, %s {atom = #atom} : !a, !b, !c
    %q = nv_tileas.dot %t, %b, %p {atom = #atom} : !a, !b, !c
    %r = nv_tileas.dot %t, %b, %q {atom = #atom} : !a, !b, !c
    scf.yield %r : !c
  }
  nv_tileaa.return
}
}
