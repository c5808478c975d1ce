// Attention with 128 queries gets four warps, which go through them in slices of 64: not if more blocks are asked for than they leave registers to, nor without a reduction between
// the products, nor where values come through registers.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps,tileas-slice-tiles))' --remarks-filter=".*" 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps,tileas-slice-tiles))' | FileCheck %s --check-prefix=FOUR
// RUN: sed 's/kernel_spec =/occupancy = 8 : i32, nv_tileaa.kernel_spec =/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' | FileCheck %s --check-prefix=EIGHT
// RUN: sed 's/div_by<16>, \(.arg2\)/div_by<2>, \1/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' --remarks-filter=".*" 2>&1 | FileCheck %s --check-prefixes=THREADS,EIGHT
// RUN: sed '/^    .top = /,/^    }/d;/.column = /d;/.all = /d;s/, .all :/, %none :/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' | FileCheck %s --check-prefix=EIGHT
// WHY: [Passed] Warps | Category:resources | Function=attention | Alternatives=8, Reason="with more sums for each warp less is fetched from shared memory", Warps=4
// WHY: [Passed] Slices | Category:slice | Function=attention | {{.*}}Slices=2
// THREADS: [Missed] Warps | Category:resources | Function=attention | Fewer=4, Reason="a factor comes to shared memory by way of registers", Warps=8
// FOUR: nv_tileaa.func @attention
// FOUR-SAME: numWarps = 4
// FOUR: nv_tileaa.dot {{.*}}tensor<64x128xf32>
// EIGHT: nv_tileaa.func @attention
// EIGHT-SAME: numWarps = 8
!memref = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
module attributes {nv_tileaa.target_spec = "sm_80"} {
nv_tileaa.func @attention(%arg0: !nv_tileaa.ptr<f16>, %arg1: !nv_tileaa.ptr<f16>, %arg2: !nv_tileaa.ptr<f16>, %arg3: !nv_tileaa.ptr<f32>, %n: i32, %d16: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %x, %y, %z = nv_tileaa.get_program_id
  %pq = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg0 : !nv_tileaa.ptr<f16>
  %pk = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg1 : !nv_tileaa.ptr<f16>
  %pv = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg2 : !nv_tileaa.ptr<f16>
  %d = nv_tileaa.assume #nv_tileaa.div_by<16>, %d16 : i32
  %mq = nv_tileaa.make_memref %pq, sizes[%n, %d], strides[%d] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
  %mk = nv_tileaa.make_memref %pk, sizes[%n, %d], strides[%d] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
  %mv = nv_tileaa.make_memref %pv, sizes[%n, %d], strides[%d] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
  %mo = nv_tileaa.make_memref %arg3, sizes[%n, %d], strides[%d] : <f32>, (i32, i32), (i32) -> <?x?xf32, strides = [?, 1]>
  %vq = nv_tileaa.block_tile %mq : <?x?xf16, strides = [?, 1]> -> <[128, 64], padding = zero, !memref>
  %vk = nv_tileaa.block_tile %mk : <?x?xf16, strides = [?, 1]> -> <[64, 128], dim_map = [1, 0], padding = zero, !memref>
  %vv = nv_tileaa.block_tile %mv : <?x?xf16, strides = [?, 1]> -> <[128, 64], padding = zero, !memref>
  %vo = nv_tileaa.block_tile %mo : <?x?xf32, strides = [?, 1]> -> <[128, 64], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
  %q, %tq = nv_tileaa.tiled_load %vq[%x, %c0] : <[128, 64], padding = zero, !memref>, (i32, i32) -> tensor<128x64xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %zero) -> (tensor<128x64xf32>) : i32 {
    %k, %tk = nv_tileaa.tiled_load %vk[%c0, %i] : <[64, 128], dim_map = [1, 0], padding = zero, !memref>, (i32, i32) -> tensor<64x128xf16>
    %s = nv_tileaa.dot %q, %k, %none : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    %top = nv_tileaa.reduce %s {axis = 1 : i32, identities = [0xFF800000 : f32]} : tensor<128x128xf32> -> tensor<128xf32> {
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      nv_tileaa.yield %m : f32
    }
    %column = nv_tileaa.view %top : tensor<128xf32> -> tensor<128x1xf32>
    %all = nv_tileaa.broadcast %column : tensor<128x1xf32> -> tensor<128x128xf32>
    %low = arith.subf %s, %all : tensor<128x128xf32>
    %e = nv_tileaa.exp2 %low {ftz} : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %v, %tv = nv_tileaa.tiled_load %vv[%i, %c0] : <[128, 64], padding = zero, !memref>, (i32, i32) -> tensor<128x64xf16>
    %w = nv_tileaa.dot %p, %v, %o : tensor<128x128xf16>, tensor<128x64xf16>, tensor<128x64xf32>
    scf.yield %w : tensor<128x64xf32>
  }
  %t = nv_tileaa.tiled_store %vo[%x, %c0], %r : <[128, 64], !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>, (i32, i32), tensor<128x64xf32>
  nv_tileaa.return
}
}
