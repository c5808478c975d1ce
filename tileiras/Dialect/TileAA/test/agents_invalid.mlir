// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

nv_tileaa.func @f() {
  // expected-error @below {{expects at least one stage, got 0}}
  %q = nv_tileaa.create_queue {num_stages = 0 : i32} : !nv_tileaa.queue<f32>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%q: !nv_tileaa.queue<f32>) {
  // expected-error @below {{expects no block arguments}}
  nv_tileaa.queue.put %q : !nv_tileaa.queue<f32> {
  ^bb0(%x: f32):
    nv_tileaa.queue.yield %x : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%q: !nv_tileaa.queue<f32>, %i: i32) {
  // expected-error @below {{expects yielded values of types ('f32'), but got ('i32')}}
  nv_tileaa.queue.put %q : !nv_tileaa.queue<f32> {
    nv_tileaa.queue.yield %i : i32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%q: !nv_tileaa.queue<f32>, %i: i32) {
  // expected-error @below {{expects the region to end with nv_tileaa.queue.yield}}
  nv_tileaa.queue.put %q : !nv_tileaa.queue<f32> {
    %c = arith.constant 1.0 : f32
    llvm.unreachable
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%q: !nv_tileaa.queue<f32>) {
  // expected-error @below {{expects results of types ('f32'), but got ('f16')}}
  %x = nv_tileaa.queue.get %q : !nv_tileaa.queue<f32> -> (f16)
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%q: !nv_tileaa.queue<f32>) {
  // expected-error @below {{expects block arguments of types ('f32'), but got ('i32')}}
  %x = nv_tileaa.queue.get %q : !nv_tileaa.queue<f32> -> (i32) {
  ^bb0(%e: i32):
    nv_tileaa.queue.yield %e : i32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%q: !nv_tileaa.queue<f32>) {
  // expected-error @below {{expects yielded values of types ('f16'), but got ('f32')}}
  %x = nv_tileaa.queue.get %q : !nv_tileaa.queue<f32> -> (f16) {
  ^bb0(%e: f32):
    nv_tileaa.queue.yield %e : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects one agent id per region, got 2 for 1}}
  nv_tileaa.execute [0, 1] {
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects agent ids that are different and not negative, got 3}}
  nv_tileaa.execute [3, 3] {
  }, {
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects one register budget per region}}
  nv_tileaa.execute [0] attributes {max_regs = array<i32: 40, 40>} {
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects register budgets in steps of 8 from 24 to 256, got 36}}
  nv_tileaa.execute [0] attributes {max_regs = array<i32: 36>} {
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{expects at least one agent}}
  "nv_tileaa.execute"() {agent_ids = array<i32>} : () -> ()
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%q: !nv_tileaa.queue<f32, isolated>, %x: f32) {
  nv_tileaa.queue.put %q : !nv_tileaa.queue<f32, isolated> {
    // expected-error @below {{uses a value from outside the region of an isolated queue}}
    nv_tileaa.queue.yield %x : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  nv_tileaa.execute [0] {
    // expected-error @below {{expects parent op to be one of 'nv_tileaa.queue.put, nv_tileaa.queue.get'}}
    nv_tileaa.queue.yield %x : f32
  }
  nv_tileaa.return
}

// -----

// expected-error @below {{expects at least one type}}
nv_tileaa.func private @f(!nv_tileaa.queue<isolated>)

// -----

// expected-error @below {{expects values in a queue, not queues}}
nv_tileaa.func private @f(!nv_tileaa.queue<!nv_tileaa.queue<f32>>)

// -----

// expected-error @below {{expects nothing after 'isolated'}}
nv_tileaa.func private @f(!nv_tileaa.queue<isolated, f32>)
