// Persistent kernels, executed: a product of sixteen tiles by blocks that take over tile blocks that have not started, and by
// five blocks that stay and divide them.
// RUN: tileiras-run %s --engine=reference --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' 'out:c:f32[256x256]=poison' --dump=c=%t.npy
// RUN: tileiras-opt %s --pass-pipeline="builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_100},canonicalize,cse,tileaa-expand-ops,gpu.module(nv_tileaa.func(tileas-slice-tiles,convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,canonicalize,cse,tileas-dynamic-persistent)))" -o %t100.mlir
// RUN: tileiras-run %t100.mlir --gpu-name=sm_100 --check-races --schedules=6 --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t.npy,tol=rel:1e-4/abs:1e-3}=poison'
// RUN: tileiras-opt %s --pass-pipeline="builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_120},canonicalize,cse,tileaa-expand-ops,gpu.module(nv_tileaa.func(tileas-slice-tiles,convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,canonicalize,cse,tileas-dynamic-persistent)))" -o %t120.mlir
// RUN: tileiras-run %t120.mlir --gpu-name=sm_120 --check-races --schedules=6 --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t.npy,tol=rel:1e-4/abs:1e-3}=poison'
// RUN: tileiras-opt %s --pass-pipeline="builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_80},canonicalize,cse,tileaa-expand-ops,gpu.module(nv_tileaa.func(tileas-slice-tiles,convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,canonicalize,cse,tileas-dynamic-persistent{static-stride blocks=5})))" -o %ts80.mlir
// RUN: tileiras-run %ts80.mlir --gpu-name=sm_80 --check-races --schedules=4 --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t.npy,tol=rel:1e-4/abs:1e-3}=poison'
// RUN: tileiras-opt %s --pass-pipeline="builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_90},canonicalize,cse,tileaa-expand-ops,gpu.module(nv_tileaa.func(tileas-slice-tiles,convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,canonicalize,cse,tileas-dynamic-persistent{static-stride blocks=5})))" -o %ts90.mlir
// RUN: tileiras-run %ts90.mlir --gpu-name=sm_90 --check-races --schedules=4 --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t.npy,tol=rel:1e-4/abs:1e-3}=poison'
// RUN: tileiras-opt %s --pass-pipeline="builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_120},canonicalize,cse,tileaa-expand-ops,gpu.module(nv_tileaa.func(tileas-slice-tiles,convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,canonicalize,cse,tileas-dynamic-persistent{static-stride blocks=5})))" -o %ts120.mlir
// RUN: tileiras-run %ts120.mlir --gpu-name=sm_120 --check-races --schedules=4 --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t.npy,tol=rel:1e-4/abs:1e-3}=poison'
// As many as the GPU has, here five, but not more than the largest one of the target.
// RUN: tileiras-opt %s --pass-pipeline="builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_90},canonicalize,cse,tileaa-expand-ops,gpu.module(nv_tileaa.func(tileas-slice-tiles,convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,canonicalize,cse,tileas-dynamic-persistent{static-stride})))" -o %tg90.mlir
// RUN: tileiras-run %tg90.mlir --gpu-name=sm_90 --multiprocessors=5 --check-races --schedules=4 --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t.npy,tol=rel:1e-4/abs:1e-3}=poison' --save-ptx=%t.gpu.ptx
// RUN: FileCheck %s --check-prefix=GPU < %t.gpu.ptx
// GPU: mov.u32 %[[THERE:r[0-9]+]], %nsmid;
// GPU: min.{{[us]}}32 %{{.*}}, %[[THERE]], 132;
// Blocks without a tile block leave before anything is set up, by agents and by one; those of cluster launch control all work.
// GPU-NOT: {{mbarrier|bar\.|barrier|setmaxnreg|st\.}}
// GPU: setp.ge.u64 %[[NO:p[0-9]+]], %[[OWN:rd[0-9]+]], %[[STAY:rd[0-9]+]];
// GPU-NOT: {{mbarrier|bar\.|barrier|setmaxnreg|st\.}}
// GPU: @%{{p[0-9]+}} bra $L__[[END:.*]];
// GPU: {{mbarrier|bar\.sync}}
// GPU: $L__[[END]]:
// GPU-NEXT: ret;
// RUN: tileiras %S/persistent_not.mlir --gpu-name=sm_90 --num-warps=8 --emit=ptx -o %t.agents.ptx
// RUN: FileCheck %s --check-prefix=GPU < %t.agents.ptx
// RUN: grep -q setmaxnreg %t.agents.ptx
// RUN: tileiras-run %t.agents.ptx --multiprocessors=3 --check-races --schedules=3 --grid=2,2 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t.npy,tol=rel:1e-4/abs:1e-3}=poison' i32=256 i32=256 i32=256
// RUN: not grep -q nsmid %t100.mlir
// A block that leaves although it has tile blocks.
// RUN: sed 's/\(setp.ge.u64.*\), %rd[0-9]*;/\1, 4;/' %t.gpu.ptx > %t.left.ptx
// RUN: %{exits} 7 tileiras-run %t.left.ptx --multiprocessors=5 --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t.npy,tol=rel:1e-4/abs:1e-3}=poison'
// RUN: tileiras %t100.mlir --gpu-name=sm_100 --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// PTX: mbarrier.init
// PTX: mbarrier.arrive.expect_tx
// PTX: clusterlaunchcontrol.try_cancel
// PTX: mbarrier.try_wait.parity
// RUN: FileCheck %s --check-prefix=ASKED < %t.ptx
// ASKED: clusterlaunchcontrol.query_cancel.is_canceled
// What the checks are for: the answer is read before it is there; the bytes are asked for while others still read them.
// RUN: sed 's/mbarrier.try_wait.parity.*P1.*;/setp.eq.u32 P1, 0, 0;/' %t.ptx > %t.hasty.ptx
// RUN: %{exits} 6 tileiras-run %t.hasty.ptx --check-races --schedules=6 --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' 'out:c:f32[256x256]=poison' 2>&1 | FileCheck %s --check-prefix=HASTY
// HASTY: {{race|nobody has written}}

// The loop, and what stays before it.
// RUN: FileCheck %s --check-prefix=LOOP < %t100.mlir
// LOOP: block_tile
// LOOP: scf.while
// LOOP: scf.condition
// LOOP: scf.for
// LOOP: nv_tileas.dot
// LOOP: nv_tileas.tiled_store
// LOOP: nv_tileas.with_scratch
// LOOP: %[[ID:.*]] = nv_tileaa.cancel_next_program_id
// LOOP: nv_tileaa.is_valid_program_id %[[ID]]
// LOOP: nv_tileas.program_id_coordinates %[[ID]]
// LOOP: scf.yield
// RUN: tileiras-opt %t100.mlir --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-dynamic-persistent)))" -o %t.again 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: warning: Kernel is already dynamic persistent
// RUN: diff %t100.mlir %t.again
// Left to the compiler, that is nothing to warn of.
// RUN: tileiras-opt %t100.mlir --pass-pipeline="builtin.module(gpu.module(nv_tileaa.func(tileas-dynamic-persistent{only-where-faster})))" -o %t.silent 2> %t.said
// RUN: not grep . %t.said
// RUN: diff %t100.mlir %t.silent
// Below sm_100 there is nothing to take over with.
// RUN: tileiras-opt %s --pass-pipeline="builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_90},canonicalize,cse,tileaa-expand-ops,gpu.module(nv_tileaa.func(tileas-slice-tiles,convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,canonicalize,cse,tileas-dynamic-persistent)))" --remarks-filter=schedule --remark-format=emitRemark -o %t90.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: tileiras-opt %s --pass-pipeline="builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_90},canonicalize,cse,tileaa-expand-ops,gpu.module(nv_tileaa.func(tileas-slice-tiles,convert-tileaa-to-tileas,tileas-assign-dot-layouts,tileas-assign-load-store-layouts,tileas-remove-layout-conversions,canonicalize,cse,tileas-dynamic-persistent{static-stride take-over})))" --remarks-filter=schedule --remark-format=emitRemark -o %tt90.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: Persistent {{.*}}no cluster launch control
// RUN: not grep 'nv_tileas.persistent' %t90.mlir %tt90.mlir
cuda_tile.module @kernels {
  entry @gemm(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %am = make_tensor_view %a, shape = [256, 256], strides = [256, 1] : !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>
    %bm = make_tensor_view %b, shape = [256, 256], strides = [256, 1] : !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>
    %cm = make_tensor_view %c, shape = [256, 256], strides = [256, 1] : !cuda_tile.tensor_view<256x256xf32, strides=[256,1]>
    %av = make_partition_view %am : !cuda_tile.partition_view<tile=(64x32), !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>>
    %bv = make_partition_view %bm : !cuda_tile.partition_view<tile=(32x64), !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>>
    %cv = make_partition_view %cm : !cuda_tile.partition_view<tile=(64x64), !cuda_tile.tensor_view<256x256xf32, strides=[256,1]>>
    %z = constant <f32: 0.0> : tile<64x64xf32>
    %r = for %k in (%c0 to %c8, step %c1) : tile<i32> iter_values(%acc = %z) -> (tile<64x64xf32>) {
      %x, %t1 = load_view_tko weak %av[%bx, %k] : !cuda_tile.partition_view<tile=(64x32), !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>>, tile<i32> -> tile<64x32xf16>, token
      %y, %t2 = load_view_tko weak %bv[%k, %by] : !cuda_tile.partition_view<tile=(32x64), !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>>, tile<i32> -> tile<32x64xf16>, token
      %d = mmaf %x, %y, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %t3 = store_view_tko weak %r, %cv[%bx, %by] : tile<64x64xf32>, !cuda_tile.partition_view<tile=(64x64), !cuda_tile.tensor_view<256x256xf32, strides=[256,1]>>, tile<i32> -> token
    return
  }
}
