// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s
// RUN: tileiras-opt %s -mlir-print-op-generic | tileiras-opt | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-expand-pipeline-regions))' | FileCheck %s --check-prefix=EXPAND

#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
#half = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
#word = #nv_tileas.shared<rank = 1, offset = []>
!t = tensor<64xf32, #s>
!pipe = !nv_tileas.pipeline<2 x (!t)>
!iter = !nv_tileas.pipeline_iterator<2 x (!t)>

// The sequences of a producer and of a consumer whose work goes on behind them (seed 004), and what is left of them: the
// predicate is that of the handshake.
// CHECK-LABEL: nv_tileaa.func @sequences
// CHECK: %[[N:.*]] = nv_tileas.create_none
// CHECK: %[[P:.*]]:2 = nv_tileas.async.pipeline.produce_one_async %{{.*}}, %{{.*}} if %{{.*}} : {{.*}} -> !nv_tileas.producer_token, !nv_tileas.async.token {
// CHECK: nv_tileas.async.token_to_async %{{.*}} : !nv_tileas.producer_token
// CHECK: nv_tileas.async.pipeline.producer_commit %{{.*}}, %[[P]]#0
// CHECK: nv_tileas.async.wait %[[P]]#1
// CHECK: %{{.*}}:2 = nv_tileas.async.pipeline.consume_one_async %{{.*}}, %{{.*}} {consumer_idx = 1 : i32}
// CHECK: nv_tileas.async.future_wait %[[N]]
// EXPAND-LABEL: nv_tileaa.func @sequences
// EXPAND: %[[N:.*]] = nv_tileas.create_none
// EXPAND-NEXT: %[[A:.*]] = nv_tileas.async.pipeline.producer_acquire %{{.*}}, %{{.*}} if %arg{{.*}} :
// EXPAND-NEXT: %[[W:.*]] = nv_tileas.async.pipeline.producer_write %{{.*}}, %[[A]] if %arg
// EXPAND: %[[T:.*]] = nv_tileas.async.token_to_async %[[W]]
// EXPAND-NEXT: nv_tileas.async.pipeline.producer_commit %{{.*}}, %[[W]] :
// EXPAND-NEXT: nv_tileas.async.wait %[[T]]
// EXPAND-NEXT: %[[C:.*]] = nv_tileas.async.pipeline.consumer_wait
// EXPAND: nv_tileas.async.pipeline.consumer_release %{{.*}}, %[[C]]
// EXPAND-NEXT: nv_tileas.async.wait %[[N]]
nv_tileaa.func @sequences(%p: !pipe, %i: !iter, %x: tensor<64xf32, #r>, %if: i1) {
  %none = nv_tileas.create_none
  %w, %under_way = nv_tileas.async.pipeline.produce_one_async %p, %i if %if : !pipe, !iter -> !nv_tileas.producer_token, !nv_tileas.async.token {
    %t = nv_tileas.async.pipeline.producer_acquire %p, %i : !pipe, !iter
    %u = nv_tileas.async.pipeline.producer_write %p, %t : !pipe {
    ^bb0(%stage: !t):
      nv_tileas.copy %x, %stage : tensor<64xf32, #r>, !t
      nv_tileas.async.pipeline.yield
    }
    %a = nv_tileas.async.token_to_async %u : !nv_tileas.producer_token
    nv_tileas.async.pipeline.yield %u, %a : !nv_tileas.producer_token, !nv_tileas.async.token
  }
  nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
  nv_tileas.async.wait %under_way
  %c, %read = nv_tileas.async.pipeline.consume_one_async %p, %i {consumer_idx = 1 : i32} : !pipe, !iter -> !nv_tileas.consumer_token, !nv_tileas.async.token {
    %u = nv_tileas.async.pipeline.consumer_wait %p, %i {consumer_idx = 1 : i32} : !pipe, !iter
    nv_tileas.async.pipeline.yield %u, %none : !nv_tileas.consumer_token, !nv_tileas.async.token
  }
  nv_tileas.async.pipeline.consumer_release %p, %c : !pipe
  nv_tileas.async.future_wait %none
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @values
// CHECK: nv_tileas.async.to_async %{{.*}} {kind = "storage"}
// CHECK: nv_tileas.async.to_async %{{.*}} {kind = "token"}
// CHECK: nv_tileas.async.extract_slice %{{.*}}[%{{.*}}] after %{{.*}} :
// CHECK: nv_tileas.async.pipeline.create_null_token : !nv_tileas.consumer_token
// CHECK: nv_tileas.async.mbarrier_init %{{.*}}, %{{.*}} : tensor<1xi64
// EXPAND-LABEL: nv_tileaa.func @values(%arg0:
// EXPAND: %[[T:.*]] = nv_tileas.async.to_async %arg0 {kind = "token"}
// EXPAND: nv_tileas.extract_slice %arg0[
// EXPAND: nv_tileas.async.wait %[[T]]
// EXPAND: ub.poison : !nv_tileas.consumer_token
nv_tileaa.func @values(%tile: !t, %b: tensor<1xi64, #word>, %i: i32) -> tensor<32xf32, #half> {
  %storage = nv_tileas.async.to_async %tile {kind = "storage"} : !t -> !t
  %token = nv_tileas.async.to_async %tile {kind = "token"} : !t -> !nv_tileas.async.token
  %slice, %t = nv_tileas.async.extract_slice %storage[%i] after %token : !t -> tensor<32xf32, #half>
  nv_tileas.async.wait %t
  %null = nv_tileas.async.pipeline.create_null_token : !nv_tileas.consumer_token
  %m = nv_tileas.async.mbarrier_init %b, %i : tensor<1xi64, #word>
  nv_tileaa.return %slice : tensor<32xf32, #half>
}
