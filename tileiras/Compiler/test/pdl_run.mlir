// An operation that no pattern of the compiler takes (math.clampf on tiles), rewritten by a file of PDL patterns into two that they do
// take, executed and compared with the same kernel in cuda_tile, by the reference.
// RUN: split-file %s %t
// RUN: tileiras-run %t/same.mlir --engine=reference --grid=1 'x:f32[256]=normal(seed=4,std=2)' 'out:y:f32[256]=poison' --dump=y=%t/y.npy
// RUN: tileiras %t/kernel.mlir --gpu-name=sm_90 --emit=ptx --pipeline-options=pdl-files=%t/clamp.pdl -o %t/kernel.ptx
// RUN: tileiras-run %t/kernel.ptx --check-races --grid=1 --block=128 'x:f32[256]=normal(seed=4,std=2)' 'out:y:f32[256]{expect=%t/y.npy}=poison'
// RUN: not tileiras %t/kernel.mlir --gpu-name=sm_90 --emit=ptx -o %t/none.ptx 2>&1 | FileCheck %s
// CHECK: failed to legalize operation 'math.clampf'

//--- clamp.pdl
pdl.pattern @clamp : benefit(1) {
  %type = pdl.type
  %x = pdl.operand : %type
  %low = pdl.operand : %type
  %high = pdl.operand : %type
  %root = pdl.operation "math.clampf"(%x, %low, %high : !pdl.value, !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.rewrite %root {
    %larger = pdl.operation "arith.maximumf"(%x, %low : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %value = pdl.result 0 of %larger
    %smaller = pdl.operation "arith.minimumf"(%value, %high : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    pdl.replace %root with %smaller
  }
}

//--- kernel.mlir
!m = !nv_tileaa.memref<256xf32, strides = [1]>
!v = !nv_tileaa.tiled_view<[256], !m>
#l = #nv_tileas.linear<rank = 1, register = [[128]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
gpu.module @kernels {
  nv_tileaa.func @clamp(%x: !nv_tileaa.ptr<f32>, %y: !nv_tileaa.ptr<f32>)
      attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %xm = nv_tileaa.make_memref %x, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !m
    %ym = nv_tileaa.make_memref %y, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !m
    %xv = nv_tileaa.block_tile %xm : !m -> !v
    %yv = nv_tileaa.block_tile %ym : !m -> !v
    %a, %t0 = nv_tileas.tiled_load %xv[%c0] {vec = 1 : i32} : !v, (i32) -> tensor<256xf32, #l>
    %low = arith.constant -1.0 : f32
    %high = arith.constant 1.5 : f32
    %l = nv_tileaa.splat %low : f32 -> tensor<256xf32, #l>
    %h = nv_tileaa.splat %high : f32 -> tensor<256xf32, #l>
    %b = math.clampf %a to [%l, %h] : tensor<256xf32, #l>
    %t1 = nv_tileas.tiled_store %yv[%c0], %b {vec = 1 : i32} : !v, (i32), tensor<256xf32, #l>
    nv_tileaa.return
  }
}

//--- same.mlir
!m = !cuda_tile.tensor_view<256xf32, strides=[1]>
!v = !cuda_tile.partition_view<tile=(256), !m>
cuda_tile.module @kernels {
  entry @clamp(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %low = constant <f32: -1.0> : tile<256xf32>
    %high = constant <f32: 1.5> : tile<256xf32>
    %xm = make_tensor_view %x, shape = [256], strides = [1] : !m
    %ym = make_tensor_view %y, shape = [256], strides = [1] : !m
    %xv = make_partition_view %xm : !v
    %yv = make_partition_view %ym : !v
    %a, %t0 = load_view_tko weak %xv[%c0] : !v, tile<i32> -> tile<256xf32>, token
    %b = maxf %a, %low : tile<256xf32>
    %c = minf %b, %high : tile<256xf32>
    %t1 = store_view_tko weak %c, %yv[%c0] : tile<256xf32>, !v, tile<i32> -> token
    return
  }
}
