// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s
// RUN: tileiras-opt %s -mlir-print-op-generic | tileiras-opt | FileCheck %s

// CHECK-LABEL: @queues
nv_tileaa.func @queues(%i: i32, %x: tensor<8xf16>) -> tensor<8xf16> {
  // CHECK: %[[Q:.*]] = nv_tileaa.create_queue {num_stages = 3 : i32} : <tensor<8xf16>, i32>
  %q = nv_tileaa.create_queue {num_stages = 3 : i32} : !nv_tileaa.queue<tensor<8xf16>, i32>
  // CHECK: nv_tileaa.create_queue : <f32, isolated>
  %s = nv_tileaa.create_queue : !nv_tileaa.queue<f32, isolated>
  // CHECK: nv_tileaa.execute [0, 7] attributes {max_regs = array<i32: 40, 232>} {
  nv_tileaa.execute [0, 7] attributes {max_regs = array<i32: 40, 232>} {
    // CHECK: nv_tileaa.queue.put %[[Q]][%{{.*}} : i32] {producer_group = 0 : i32} : <tensor<8xf16>, i32> {
    nv_tileaa.queue.put %q[%i : i32] {producer_group = 0 : i32} : !nv_tileaa.queue<tensor<8xf16>, i32> {
      // CHECK: nv_tileaa.queue.yield %{{.*}}, %{{.*}} : tensor<8xf16>, i32
      nv_tileaa.queue.yield %x, %i : tensor<8xf16>, i32
    }
    nv_tileaa.queue.put %s : !nv_tileaa.queue<f32, isolated> {
      %c = arith.constant 1.0 : f32
      nv_tileaa.queue.yield %c : f32
    }
  // CHECK: }, {
  }, {
    // CHECK: nv_tileaa.queue.get %[[Q]][%{{.*}} : i32] : <tensor<8xf16>, i32> -> (tensor<8xf16>, i32)
    %a:2 = nv_tileaa.queue.get %q[%i : i32] : !nv_tileaa.queue<tensor<8xf16>, i32> -> (tensor<8xf16>, i32)
  }
  // CHECK: nv_tileaa.queue.get %[[Q]] {consumer_group = 1 : i32} : <tensor<8xf16>, i32> -> (tensor<8xf16>) {
  // CHECK-NEXT: ^bb0(%[[E:.*]]: tensor<8xf16>, %{{.*}}: i32):
  %r = nv_tileaa.queue.get %q {consumer_group = 1 : i32} : !nv_tileaa.queue<tensor<8xf16>, i32> -> (tensor<8xf16>) {
  ^bb0(%e: tensor<8xf16>, %n: i32):
    %d = arith.addf %e, %e : tensor<8xf16>
    nv_tileaa.queue.yield %d : tensor<8xf16>
  }
  nv_tileaa.return %r : tensor<8xf16>
}

// CHECK-LABEL: @persistent
nv_tileaa.func @persistent() -> i1 {
  // CHECK: %[[I:.*]] = nv_tileaa.cancel_next_program_id
  %i = nv_tileaa.cancel_next_program_id
  // CHECK: nv_tileaa.is_valid_program_id %[[I]]
  %v = nv_tileaa.is_valid_program_id %i
  nv_tileaa.return %v : i1
}

// CHECK-LABEL: @types(%{{.*}}: !nv_tileaa.program_id, %{{.*}}: !nv_tileaa.queue<f32, isolated>)
nv_tileaa.func @types(%p: !nv_tileaa.program_id, %q: !nv_tileaa.queue<f32, isolated>) {
  nv_tileaa.return
}
