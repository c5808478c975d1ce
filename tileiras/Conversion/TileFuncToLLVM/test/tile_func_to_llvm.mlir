// RUN: tileiras-opt %s -split-input-file -convert-nv-tile-func-to-llvm | FileCheck %s

#spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>
module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90a"} {
  // CHECK-LABEL: func.func @kernel
  // CHECK-SAME: (%{{.*}}: !llvm.ptr<1>, %{{.*}}: i32, %{{.*}}: f16)
  // CHECK-SAME: attributes {cute.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128>}
  // CHECK-NOT: kernel_spec
  nv_tileaa.func @kernel(%p: !nv_tileaa.ptr<f32>, %n: i32, %h: f16) attributes {nv_tileaa.kernel_spec = #spec} {
    // CHECK: %[[P:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
    // CHECK: nv_tileaa.addptr %[[P]]
    %q = nv_tileaa.addptr %p, %n : !nv_tileaa.ptr<f32>, i32
    // CHECK: return
    nv_tileaa.return
  }

  // A helper: only the signature changes.
  // CHECK-LABEL: func.func @helper(%{{.*}}: !llvm.ptr<1>) -> i32 {
  nv_tileaa.func @helper(%p: !nv_tileaa.ptr<f32>) -> i32 {
    %c = arith.constant 1 : i32
    // CHECK: return %{{.*}} : i32
    nv_tileaa.return %c : i32
  }
}

// -----

// Occupancy 2 with 256 threads: 65536 / 512 = 128 registers. Clusters of two.
#spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [2, 1, 1], numCTAs = 2>
module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90a"} {
  // CHECK-LABEL: func.func @clusters
  // CHECK-SAME: cute.kernel, nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.maxnreg = 128 : i32, nvvm.minctasm = 2 : i32, nvvm.reqntid = array<i32: 256>
  nv_tileaa.func @clusters() attributes {nv_tileaa.kernel_spec = #spec, nv_tileaa.occupancy = 2 : i32} {
    nv_tileaa.return
  }
}

// -----

// An SM of sm_120 holds 48 warps: 6 blocks of 8, which leaves 65536 / 1536 = 42 registers, in units of 8.
#spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>
module attributes {nv_tileaa.compute_capability = 120 : i64, nv_tileaa.target_spec = "sm_120a"} {
  // CHECK-LABEL: func.func @more_than_there_is_room_for
  // CHECK-SAME: nvvm.maxnreg = 40 : i32, nvvm.minctasm = 6 : i32
  nv_tileaa.func @more_than_there_is_room_for() attributes {nv_tileaa.kernel_spec = #spec, nv_tileaa.occupancy = 32 : i32} {
    nv_tileaa.return
  }
}

// -----

// No clusters before sm_90. One block of 128 threads per SM could use 512 registers a thread: no limit.
#spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [2, 1, 1], numCTAs = 2>
module attributes {nv_tileaa.compute_capability = 89 : i64, nv_tileaa.target_spec = "sm_89"} {
  // CHECK-LABEL: func.func @before_clusters
  // CHECK-SAME: attributes {cute.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128>}
  nv_tileaa.func @before_clusters() attributes {nv_tileaa.kernel_spec = #spec, nv_tileaa.occupancy = 1 : i32} {
    nv_tileaa.return
  }
}

// -----

// Without a target this is not the kernel path: the signature alone.
#spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>
// CHECK-LABEL: func.func @no_target(%{{.*}}: !llvm.ptr<1>) attributes {nv_tileaa.kernel_spec = #{{.*}}} {
nv_tileaa.func @no_target(%p: !nv_tileaa.ptr<i8>) attributes {nv_tileaa.kernel_spec = #spec} {
  nv_tileaa.return
}

// -----

// A cast to the converted type of its operand is nothing.
// CHECK-LABEL: func.func @casts
// CHECK: llvm.load %arg0 : !llvm.ptr<1>
nv_tileaa.func @casts(%p: !nv_tileaa.ptr<f32>) {
  %q = builtin.unrealized_conversion_cast %p : !nv_tileaa.ptr<f32> to !llvm.ptr<1>
  %r = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
  %s = builtin.unrealized_conversion_cast %r : !nv_tileaa.ptr<f32> to !llvm.ptr<1>
  %v = llvm.load %s : !llvm.ptr<1> -> f32
  nv_tileaa.return
}
