// skip-pipeline leaves operations of pipelines where they are, to look at what is around them: what has none compiles as ever, and of
// what has some the conversion of bodies names the first.
// RUN: split-file %s %t
// RUN: tileiras %t/none.mlir --gpu-name=sm_90 --emit=ptx -o %t/with.ptx
// RUN: tileiras %t/none.mlir --gpu-name=sm_90 --emit=ptx --pipeline-options=skip-pipeline=true -o %t/without.ptx
// RUN: diff %t/with.ptx %t/without.ptx
// RUN: tileiras %t/ring.mlir --gpu-name=sm_90 --emit=ptx -o %t/ring.ptx
// RUN: not tileiras %t/ring.mlir --gpu-name=sm_90 --emit=ptx --pipeline-options=skip-pipeline=true -o %t/none.ptx 2>&1 | FileCheck %s
// CHECK: error: failed to legalize operation 'nv_tileas.async.pipeline.

//--- none.mlir
cuda_tile.module @kernels {
  entry @copy(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %a, %t = load_ptr_tko weak %x : tile<ptr<f32>> -> tile<f32>, token
    %u = store_ptr_tko weak %y, %a token=%t : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}

//--- ring.mlir
#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!t = tensor<64xf32, #s>
!pipe = !nv_tileas.pipeline<1 x (!t)>
!iter = !nv_tileas.pipeline_iterator<1 x (!t)>
gpu.module @kernels {
  nv_tileaa.func @ring(%v: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %x = nv_tileaa.splat %v : f32 -> tensor<64xf32, #r>
    %a = nv_tileas.alloc_tensor : !t
    %p = nv_tileas.async.pipeline.create_pipeline %a {numStages = 1 : i32} : (!t) -> !pipe
    %i = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %k = nv_tileas.async.pipeline.producer_acquire %p, %i : !pipe, !iter
    %w = nv_tileas.async.pipeline.producer_write %p, %k : !pipe {
    ^bb0(%stage: !t):
      nv_tileas.copy %x, %stage : tensor<64xf32, #r>, !t
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
    %c = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
    nv_tileas.async.pipeline.consumer_release %p, %c : !pipe
    nv_tileaa.return
  }
}
