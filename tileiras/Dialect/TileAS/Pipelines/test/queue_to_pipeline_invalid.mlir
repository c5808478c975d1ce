// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(nv_tileaa.func(tileas-queue-to-pipeline))'

nv_tileaa.func @f(%q: !nv_tileaa.queue<f32>) {
  // expected-error @below {{expects a queue that nv_tileaa.create_queue has made}}
  %x = nv_tileaa.queue.get %q : !nv_tileaa.queue<f32> -> (f32)
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() {
  // expected-error @below {{has entries of type '!nv_tileaa.mem_token', which has no place in shared memory}}
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<!nv_tileaa.mem_token>
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  // expected-error @below {{is filled by several agents, which a pipeline has no order for}}
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<f32>
  nv_tileaa.execute [0, 1] {
    nv_tileaa.queue.put %q : !nv_tileaa.queue<f32> {
      nv_tileaa.queue.yield %x : f32
    }
  }, {
    nv_tileaa.queue.put %q : !nv_tileaa.queue<f32> {
      nv_tileaa.queue.yield %x : f32
    }
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<f32>
  nv_tileaa.execute [3, 5] {
    // expected-error @below {{names group 5, but stands in agent 3}}
    nv_tileaa.queue.put %q {producer_group = 5 : i32} : !nv_tileaa.queue<f32> {
      nv_tileaa.queue.yield %x : f32
    }
  }, {
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f(%x: f32) {
  %q = nv_tileaa.create_queue : !nv_tileaa.queue<f32>
  %p = nv_tileaa.create_queue : !nv_tileaa.queue<f32>
  nv_tileaa.queue.put %p : !nv_tileaa.queue<f32> {
    // expected-error @below {{inside of another queue operation has no pipeline}}
    %v = nv_tileaa.queue.get %q : !nv_tileaa.queue<f32> -> (f32)
    nv_tileaa.queue.yield %v : f32
  }
  nv_tileaa.return
}

// -----

nv_tileaa.func @f() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 16, clusterDim = [1, 1, 1], numCTAs = 1>} {
  // expected-error @below {{needs 48 warps, 16 for each of its 3 agents; a block has 32 at most}}
  nv_tileaa.execute [0, 1, 2] {}, {}, {}
  nv_tileaa.return
}
