// math.ctlz, cttz, ctpop and trunc, which no front end makes, in a kernel of nv_tileaa, executed and compared with numpy.
// RUN: %python %S/Inputs/bit_counts.py %t
// RUN: tileiras-run %s --gpu-name=sm_80 --check-races --grid=1 x:i32[256]=%t.x.npy f:f32[256]=%t.f.npy 'out:lz:i32[256]{expect=%t.lz.npy}=poison' \
// RUN:   'out:tz:i32[256]{expect=%t.tz.npy}=poison' 'out:pc:i32[256]{expect=%t.pc.npy}=poison' 'out:tr:f32[256]{expect=%t.tr.npy}=poison'
// RUN: tileiras %s --gpu-name=sm_80 --emit=ptx | FileCheck %s
// CHECK-DAG: clz.b32
// CHECK-DAG: popc.b32
// CHECK-DAG: cvt.rzi.f32.f32

!i = !nv_tileaa.tiled_view<[256], !nv_tileaa.memref<256xi32, strides = [1]>>
!f = !nv_tileaa.tiled_view<[256], !nv_tileaa.memref<256xf32, strides = [1]>>
!im = !nv_tileaa.memref<256xi32, strides = [1]>
!fm = !nv_tileaa.memref<256xf32, strides = [1]>
!pi = !nv_tileaa.ptr<i32>
!pf = !nv_tileaa.ptr<f32>
gpu.module @kernels {
  nv_tileaa.func @counts(%x: !pi, %f: !pf, %lz: !pi, %tz: !pi, %pc: !pi, %tr: !pf)
      attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %xm = nv_tileaa.make_memref %x, sizes [], strides [] : !pi, (), () -> !im
    %fm = nv_tileaa.make_memref %f, sizes [], strides [] : !pf, (), () -> !fm
    %lm = nv_tileaa.make_memref %lz, sizes [], strides [] : !pi, (), () -> !im
    %tm = nv_tileaa.make_memref %tz, sizes [], strides [] : !pi, (), () -> !im
    %pm = nv_tileaa.make_memref %pc, sizes [], strides [] : !pi, (), () -> !im
    %rm = nv_tileaa.make_memref %tr, sizes [], strides [] : !pf, (), () -> !fm
    %xv = nv_tileaa.block_tile %xm : !im -> !i
    %fv = nv_tileaa.block_tile %fm : !fm -> !f
    %lv = nv_tileaa.block_tile %lm : !im -> !i
    %tv = nv_tileaa.block_tile %tm : !im -> !i
    %pv = nv_tileaa.block_tile %pm : !im -> !i
    %rv = nv_tileaa.block_tile %rm : !fm -> !f
    %a, %t0 = nv_tileaa.tiled_load %xv[%c0] : !i, (i32) -> tensor<256xi32>
    %b, %t1 = nv_tileaa.tiled_load %fv[%c0] : !f, (i32) -> tensor<256xf32>
    %0 = math.ctlz %a : tensor<256xi32>
    %1 = math.cttz %a : tensor<256xi32>
    %2 = math.ctpop %a : tensor<256xi32>
    %3 = math.trunc %b : tensor<256xf32>
    %t2 = nv_tileaa.tiled_store %lv[%c0], %0 : !i, (i32), tensor<256xi32>
    %t3 = nv_tileaa.tiled_store %tv[%c0], %1 : !i, (i32), tensor<256xi32>
    %t4 = nv_tileaa.tiled_store %pv[%c0], %2 : !i, (i32), tensor<256xi32>
    %t5 = nv_tileaa.tiled_store %rv[%c0], %3 : !f, (i32), tensor<256xf32>
    nv_tileaa.return
  }
}
