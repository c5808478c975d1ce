// Tokens of asynchronous operations in LLVM: a token of nothing is poison, that of a stage is (stage << 1) | parity, that of a
// tile is where the tile is; no cast is left of them.
// RUN: tileiras %s --gpu-name=sm_90 -O0 --emit=llvm -o - | FileCheck %s --implicit-check-not=unrealized_conversion_cast
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx

#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#word = #nv_tileas.shared<rank = 1, offset = []>
!t = tensor<64xf32, #s>
gpu.module @kernels {
  // An mbarrier in shared memory, initialised by one thread with the count, behind which the threads meet.
  // CHECK-LABEL: llvm.func @barrier
  // CHECK: llvm.cond_br
  // CHECK: nvvm.mbarrier.init %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32
  // CHECK: nvvm.barrier
  // PTX-LABEL: .entry barrier
  // PTX: mbarrier.init.shared{{.*}}.b64 {{.*}}, %r
  // PTX: bar.sync
  nv_tileaa.func @barrier(%out: !nv_tileaa.ptr<i32>, %count: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %b = nv_tileas.alloc_tensor : tensor<1xi64, #word>
    %t = nv_tileas.async.mbarrier_init %b, %count : tensor<1xi64, #word>
    %u = nv_tileas.store %out, %count, token %t : !nv_tileaa.ptr<i32>, i32
    nv_tileaa.return
  }

  // CHECK-LABEL: llvm.func @loop
  // CHECK: llvm.mlir.poison : i32
  // CHECK: llvm.ptrtoint %{{.*}} : !llvm.ptr<3> to i32
  // CHECK: nvvm.cp.async.wait.group
  nv_tileaa.func @loop(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = nv_tileas.alloc_tensor : !t
    %none = nv_tileas.create_none
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> (!nv_tileas.async.token) : i32 {
      nv_tileas.async.wait %before
      %t = nv_tileas.async.to_async %x {kind = "token"} : !t -> !nv_tileas.async.token
      scf.yield %t : !nv_tileas.async.token
    }
    nv_tileas.async.future_wait %last
    nv_tileaa.return
  }

  // The sequences of a producer and of a consumer whose work goes on behind them (seed 004).
  // CHECK-LABEL: llvm.func @ring
  // CHECK: llvm.shl %{{.*}} : i32
  // CHECK: llvm.or
  // CHECK: mbarrier
  nv_tileaa.func @ring(%v: f32, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = nv_tileaa.splat %v : f32 -> tensor<64xf32, #r>
    %a = nv_tileas.alloc_tensor : !t
    %b = nv_tileas.alloc_tensor : !t
    %p = nv_tileas.async.pipeline.create_pipeline %a, %b {numStages = 2 : i32} : (!t, !t) -> !nv_tileas.pipeline<2 x (!t)>
    %first = nv_tileas.async.pipeline.create_iterator %p : !nv_tileas.pipeline<2 x (!t)> -> !nv_tileas.pipeline_iterator<2 x (!t)>
    %none = nv_tileas.create_none
    %e:2 = scf.for %k = %c0 to %n step %c1 iter_args(%i = %first, %before = %none) -> (!nv_tileas.pipeline_iterator<2 x (!t)>, !nv_tileas.async.token) : i32 {
      %w, %under_way = nv_tileas.async.pipeline.produce_one_async %p, %i : !nv_tileas.pipeline<2 x (!t)>, !nv_tileas.pipeline_iterator<2 x (!t)> -> !nv_tileas.producer_token, !nv_tileas.async.token {
        %t = nv_tileas.async.pipeline.producer_acquire %p, %i : !nv_tileas.pipeline<2 x (!t)>, !nv_tileas.pipeline_iterator<2 x (!t)>
        %u = nv_tileas.async.pipeline.producer_write %p, %t : !nv_tileas.pipeline<2 x (!t)> {
        ^bb0(%stage: !t):
          nv_tileas.copy %x, %stage : tensor<64xf32, #r>, !t
          nv_tileas.async.pipeline.yield
        }
        %z = nv_tileas.async.token_to_async %u : !nv_tileas.producer_token
        nv_tileas.async.pipeline.yield %u, %z : !nv_tileas.producer_token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %p, %w : !nv_tileas.pipeline<2 x (!t)>
      %c, %y, %read = nv_tileas.async.pipeline.consume_one_async %p, %i : !nv_tileas.pipeline<2 x (!t)>, !nv_tileas.pipeline_iterator<2 x (!t)> -> !nv_tileas.consumer_token, tensor<64xf32, #r>, !nv_tileas.async.token {
        %u = nv_tileas.async.pipeline.consumer_wait %p, %i : !nv_tileas.pipeline<2 x (!t)>, !nv_tileas.pipeline_iterator<2 x (!t)>
        %d, %q = nv_tileas.async.pipeline.consumer_read %p, %u : !nv_tileas.pipeline<2 x (!t)> -> tensor<64xf32, #r> {
        ^bb0(%stage: !t):
          %o = nv_tileas.convert_layout %stage : !t -> tensor<64xf32, #r>
          nv_tileas.async.pipeline.yield %o : tensor<64xf32, #r>
        }
        nv_tileas.async.pipeline.yield %d, %q, %under_way : !nv_tileas.consumer_token, tensor<64xf32, #r>, !nv_tileas.async.token
      }
      nv_tileas.async.wait %read
      nv_tileas.async.pipeline.consumer_release %p, %c : !nv_tileas.pipeline<2 x (!t)>
      %m = nv_tileaa.print "%f", %y : tensor<64xf32, #r>
      %j = nv_tileas.async.pipeline.inc_iter %i : !nv_tileas.pipeline_iterator<2 x (!t)>
      scf.yield %j, %under_way : !nv_tileas.pipeline_iterator<2 x (!t)>, !nv_tileas.async.token
    }
    nv_tileas.async.future_wait %e#1
    nv_tileaa.return
  }
}
