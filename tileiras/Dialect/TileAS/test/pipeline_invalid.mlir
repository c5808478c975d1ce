// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<2 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile)>
func.func @f(%a: !tile) {
  // expected-error @below {{expects 2 tiles, 1 for each of 2 stages, got 1}}
  %p = nv_tileas.async.pipeline.create_pipeline %a {numStages = 2 : i32} : (!tile) -> !pipe
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<2 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile)>
func.func @f(%a: !tile) {
  // expected-error @below {{expects a pipeline of 3 stages, the type has 2}}
  %p = nv_tileas.async.pipeline.create_pipeline %a, %a, %a {numStages = 3 : i32} : (!tile, !tile, !tile) -> !pipe
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<2 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile)>
func.func @f(%a: !tile, %b: tensor<32xf32>) {
  // expected-error @below {{expects tile 1 of type}}
  %p = nv_tileas.async.pipeline.create_pipeline %a, %b {numStages = 2 : i32} : (!tile, tensor<32xf32>) -> !pipe
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<2 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile)>
func.func @f(%a: !tile) {
  // expected-error @below {{expects stages in shared memory}}
  %p = nv_tileas.async.pipeline.create_pipeline %a, %a {numStages = 2 : i32, sharedMem = false} : (!tile, !tile) -> !pipe
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<2 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile)>
func.func @f(%a: !tile) {
  // expected-error @below {{expects two i64 in shared memory per stage as 'barriers', got}}
  %p = nv_tileas.async.pipeline.create_pipeline %a, %a barriers %a : !tile {numStages = 2 : i32} : (!tile, !tile) -> !pipe
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<2 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile)>
func.func @f(%p: !pipe) {
  // expected-error @below {{expects an iterator of}}
  %i = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !nv_tileas.pipeline_iterator<3 x (!tile)>
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<2 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile)>
func.func @f(%p: !pipe, %t: !nv_tileas.producer_token) {
  // expected-error @below {{expects region arguement types to match with producer types [}}
  %u = nv_tileas.async.pipeline.producer_write %p, %t : !pipe {
  ^bb0(%s: tensor<32xf32>):
    nv_tileas.async.pipeline.yield
  }
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<2 x (!tile)>
func.func @f(%p: !pipe, %t: !nv_tileas.consumer_token, %x: i32) {
  // expected-error @below {{expects region arguement types to match with consumer types [}}
  %u, %y = nv_tileas.async.pipeline.consumer_read %p, %t : !pipe -> i32 {
  ^bb0(%s: tensor<32xf32>):
    nv_tileas.async.pipeline.yield %x : i32
  }
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<2 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile)>
func.func @f(%p: !pipe, %t: !nv_tileas.producer_token, %x: i32) {
  // expected-error @below {{expects region result types to be match with operation result types []}}
  %u = nv_tileas.async.pipeline.producer_write %p, %t : !pipe {
  ^bb0(%s: !tile):
    nv_tileas.async.pipeline.yield %x : i32
  }
  return
}

// -----

#m = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!tile = tensor<64xf32, #m>
!pipe = !nv_tileas.pipeline<2 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<2 x (!tile)>
func.func @f(%p: !pipe, %t: !nv_tileas.consumer_token, %x: i32) {
  // expected-error @below {{expects region result types to be match with operation result types [f32], but got: [i32]}}
  %u, %y = nv_tileas.async.pipeline.consumer_read %p, %t : !pipe -> f32 {
  ^bb0(%s: !tile):
    nv_tileas.async.pipeline.yield %x : i32
  }
  return
}

// -----

// expected-error @below {{expects a pipeline of at least one stage, got 0}}
func.func private @f(!nv_tileas.pipeline<0 x (f32)>)

// -----

// expected-error @below {{expects stages of tiles in shared memory, got 'f32'}}
func.func private @f(!nv_tileas.pipeline<2 x (f32)>)
