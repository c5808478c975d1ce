// RUN: tileiras-opt %s -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-async))'

#r = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>
#s = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
!t = tensor<8x16xf32, #s>
!view = !nv_tileaa.tiled_view<[8, 16], padding = zero, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
!pipe = !nv_tileas.pipeline<2 x (!t)>
!iter = !nv_tileas.pipeline_iterator<2 x (!t)>

// Two that fill a pipeline are no error by themselves (pipelined loops have them), but they have to do it alike. All
// pipelines of a function are looked at, also those that agents capture.
nv_tileaa.func @f(%v: !view, %x: tensor<8x16xf32, #r>, %a: !t, %b: !t, %c: !t, %d: !t, %i: i32) {
  %p = nv_tileas.async.pipeline.create_pipeline %a, %b {numStages = 2 : i32} : (!t, !t) -> !pipe
  %q = nv_tileas.async.pipeline.create_pipeline %c, %d {numStages = 2 : i32} : (!t, !t) -> !pipe
  %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
  %t0 = nv_tileas.async.pipeline.producer_acquire %p, %first : !pipe, !iter
  %w0 = nv_tileas.async.pipeline.producer_write %p, %t0 : !pipe {
  ^bb0(%stage: !t):
    nv_tileas.copy %x, %stage : tensor<8x16xf32, #r>, !t
    nv_tileas.async.pipeline.yield
  }
  %w1 = nv_tileas.async.pipeline.producer_write %p, %t0 : !pipe {
  ^bb0(%stage: !t):
    nv_tileas.copy %x, %stage : tensor<8x16xf32, #r>, !t
    nv_tileas.async.pipeline.yield
  }
  // expected-error @below {{there are two `produce-one-like` operations using different instructions to generate data into the same pipeline. It's a bug of MaterializeAsync Pass.}}
  %w2 = nv_tileas.async.pipeline.producer_write %p, %t0 : !pipe {
  ^bb0(%stage: !t):
    %done, %m = nv_tileas.async.tiled_load %v[%i, %i] into %stage {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #r} : !view, (i32, i32), !t
    nv_tileas.async.pipeline.yield %done : !nv_tileas.async.token
  }
  %w3 = nv_tileas.async.pipeline.producer_write %q, %t0 {producer_kind = "tma"} : !pipe {
  ^bb0(%stage: !t):
    nv_tileas.async.pipeline.yield
  }
  nv_tileas.async.pipeline.agent_switch %q : !pipe {
  ^bb0(%r: !pipe):
    // expected-error @below {{there are two `produce-one-like` operations using different instructions}}
    %w4 = nv_tileas.async.pipeline.producer_write %r, %t0 {producer_kind = "sync"} : !pipe {
    ^bb0(%stage: !t):
      nv_tileas.async.pipeline.yield
    }
  }
  nv_tileaa.return
}
