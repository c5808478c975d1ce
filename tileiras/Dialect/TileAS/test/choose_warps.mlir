// Four warps instead of eight, where these fetch less of 128 x 128 sums' factors from shared memory: 16-bit ones in any order.
// RUN: sed 's/TARGET/sm_80/;s/TYPE/f16/g;s/ORDER/[?, 1]/g' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' --remarks-filter=".*" 2>&1 | FileCheck %s --check-prefixes=FOUR,WHY4
// RUN: sed 's/TARGET/sm_120/;s/TYPE/bf16/g;s/ORDER/[1, ?]/g' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' | FileCheck %s --check-prefix=FOUR
// Running it again changes nothing.
// RUN: sed 's/TARGET/sm_80/;s/TYPE/f16/g;s/ORDER/[?, 1]/g' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps,tileas-choose-warps))' | FileCheck %s --check-prefix=FOUR
// Bytes of which n is dense are put together by threads, unless ldmatrix turns them; of which k is dense it fetches them as they lie.
// RUN: sed 's/TARGET/sm_89/;s/TYPE/f8E4M3FN/g;s/ORDER/[?, 1]/g' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' --remarks-filter=".*" 2>&1 | FileCheck %s --check-prefixes=EIGHT,TURNED
// RUN: sed 's/TARGET/sm_120/;s/TYPE/f8E4M3FN/g;s/ORDER/[?, 1]/g' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' | FileCheck %s --check-prefix=FOUR
// RUN: sed 's/TARGET/sm_89/;s/TYPE/f8E4M3FN/g;s/ORDER/[1, ?]/g' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' | FileCheck %s --check-prefix=FOUR
// Not where somebody has said how many there are, where elements have to be loaded one by one, where two blocks are asked for, nor where a warpgroup multiplies.
// RUN: sed 's/TARGET/sm_80/;s/TYPE/f16/g;s/ORDER/[?, 1]/g' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps{fixed-warps=true}))' | FileCheck %s --check-prefix=EIGHT
// RUN: sed 's/TARGET/sm_80/;s/TYPE/f16/g;s/ORDER/[?, 1]/g;s/kernel_spec =/hinted_warps, nv_tileaa.kernel_spec =/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' | FileCheck %s --check-prefix=EIGHT
// RUN: sed 's/TARGET/sm_80/;s/TYPE/f16/g;s/ORDER/[?, 1]/g;s/div_by<16>/div_by<2>/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' --remarks-filter=".*" 2>&1 | FileCheck %s --check-prefixes=EIGHT,THREADS
// RUN: sed 's/TARGET/sm_80/;s/TYPE/f16/g;s/ORDER/[?, 1]/g;s/kernel_spec =/occupancy = 3 : i32, nv_tileaa.kernel_spec =/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' --remarks-filter=".*" 2>&1 | FileCheck %s --check-prefixes=EIGHT,ROOM
// RUN: sed 's/TARGET/sm_90/;s/TYPE/f16/g;s/ORDER/[?, 1]/g' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' | FileCheck %s --check-prefix=EIGHT
// Rings of eight warps leave room for a second block, unless so few stages are asked for that these are to be whole, or elements are loaded one by one.
// RUN: sed 's/TARGET/sm_80/;s/TYPE/f16/g;s/ORDER/[?, 1]/g' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps{fixed-warps=true}))' --remarks-filter=".*" 2>&1 | FileCheck %s --check-prefixes=WHY2,TWO
// RUN: sed 's/TARGET/sm_80/;s/TYPE/f16/g;s/ORDER/[?, 1]/g' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps{fixed-warps=true num-stages=2}))' | FileCheck %s --check-prefix=ONE
// RUN: sed 's/TARGET/sm_80/;s/TYPE/f16/g;s/ORDER/[?, 1]/g;s/div_by<16>/div_by<2>/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps{fixed-warps=true}))' | FileCheck %s --check-prefix=ONE
// Those of four warps with as many sums leave room for three, where shared memory has so much for each; 128 sums of a thread are too many.
// RUN: sed 's/TARGET/sm_80/;s/TYPE/f16/g;s/ORDER/[?, 1]/g;s/128x128xf32/64x128xf32/g;s/\[128, 64\]/[64, 64]/g;s/128x64xf16/64x64xf16/g;s/numWarps = 8/numWarps = 4/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' | FileCheck %s --check-prefix=THREE
// RUN: sed 's/TARGET/sm_89/;s/TYPE/f16/g;s/ORDER/[?, 1]/g;s/128x128xf32/64x128xf32/g;s/\[128, 64\]/[64, 64]/g;s/128x64xf16/64x64xf16/g;s/numWarps = 8/numWarps = 4/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' | FileCheck %s --check-prefix=ONE
// RUN: sed 's/TARGET/sm_80/;s/TYPE/f16/g;s/ORDER/[?, 1]/g;s/numWarps = 8/numWarps = 4/' %s | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-choose-warps))' | FileCheck %s --check-prefix=ONE
// THREE: nv_tileaa.func @gemm
// THREE-SAME: nv_tileas.sharing_blocks = 3 : i64
// WHY2: [Passed] Blocks | Category:resources | Function=gemm | Alternatives=1, Blocks=2, Reason="registers may have room for so many blocks, and while one waits at a barrier another multiplies"
// TWO: nv_tileaa.func @gemm
// TWO-SAME: nv_tileas.sharing_blocks = 2 : i64
// ONE: nv_tileaa.func @gemm
// ONE-NOT: sharing_blocks
// ONE: nv_tileaa.return
// WHY4: [Passed] Warps | Category:resources | Function=gemm | Alternatives=8, Reason="with more sums for each warp less is fetched from shared memory", Warps=4
// TURNED: [Missed] Warps | Category:resources | Function=gemm | Fewer=4, Reason="a factor is fetched number by number", Warps=8
// THREADS: [Missed] Warps | Category:resources | Function=gemm | Fewer=4, Reason="a factor comes to shared memory by way of registers", Warps=8
// ROOM: [Missed] Warps | Category:resources | Function=gemm | Fewer=4, Reason="the tiles have no room in the registers of four warps", Warps=8
// FOUR: nv_tileaa.func @gemm
// FOUR-SAME: numWarps = 4
// EIGHT: nv_tileaa.func @gemm
// EIGHT-SAME: numWarps = 8
module attributes {nv_tileaa.target_spec = "TARGET"} {
nv_tileaa.func @gemm(%arg0: !nv_tileaa.ptr<TYPE>, %arg1: !nv_tileaa.ptr<TYPE>, %m: i32, %n16: i32, %k16: i32, %zero: tensor<128x128xf32>) -> tensor<128x128xf32> attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %pa = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg0 : !nv_tileaa.ptr<TYPE>
  %pb = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg1 : !nv_tileaa.ptr<TYPE>
  %n = nv_tileaa.assume #nv_tileaa.div_by<16>, %n16 : i32
  %k = nv_tileaa.assume #nv_tileaa.div_by<16>, %k16 : i32
  %ma = nv_tileaa.make_memref %pa, sizes[%m, %k], strides[%k] : <TYPE>, (i32, i32), (i32) -> <?x?xTYPE, strides = [?, 1]>
  %mb = nv_tileaa.make_memref %pb, sizes[%k, %n], strides[%n] : <TYPE>, (i32, i32), (i32) -> <?x?xTYPE, strides = ORDER>
  %va = nv_tileaa.block_tile %ma : <?x?xTYPE, strides = [?, 1]> -> <[128, 64], padding = zero, !nv_tileaa.memref<?x?xTYPE, strides = [?, 1]>>
  %vb = nv_tileaa.block_tile %mb : <?x?xTYPE, strides = ORDER> -> <[64, 128], padding = zero, !nv_tileaa.memref<?x?xTYPE, strides = ORDER>>
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %a, %ta = nv_tileaa.tiled_load %va[%c0, %i] : <[128, 64], padding = zero, !nv_tileaa.memref<?x?xTYPE, strides = [?, 1]>>, (i32, i32) -> tensor<128x64xTYPE>
    %b, %tb = nv_tileaa.tiled_load %vb[%i, %c0] : <[64, 128], padding = zero, !nv_tileaa.memref<?x?xTYPE, strides = ORDER>>, (i32, i32) -> tensor<64x128xTYPE>
    %d = nv_tileaa.dot %a, %b, %s : tensor<128x64xTYPE>, tensor<64x128xTYPE>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  nv_tileaa.return %r : tensor<128x128xf32>
}
}
