// RUN: tileiras-opt %s -split-input-file --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-take-over-blocks)))' | FileCheck %s
// RUN: tileiras-opt %s -split-input-file --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-take-over-blocks)))' --remarks-filter=schedule --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// Two agents. The first one asks, the eight warps of the other release each answer. No block leaves before it begins:
// each has a tile block.
// CHECK-LABEL: nv_tileaa.func @agents
// CHECK-NOT: nv_tileas.staying_blocks
// CHECK: %[[MEMORY:.*]] = nv_tileas.alloc_tensor : tensor<128xi8
// CHECK: nv_tileas.takeover.create %[[MEMORY]] {releases = 8 : i32}
// CHECK: nv_tileas.async.pipeline.agent_switch
// CHECK: %[[X:.*]], %[[Y:.*]], %[[Z:.*]] = nv_tileaa.get_program_id
// CHECK: %[[GO:.*]] = arith.constant true
// CHECK: scf.while (%[[R0:.*]] = %{{.*}}, %[[X0:.*]] = %[[X]], %[[Y0:.*]] = %[[Y]], %[[Z0:.*]] = %[[Z]], %[[S0:.*]] = %{{.*}}, %[[ANY:.*]] = %[[GO]])
// CHECK: scf.condition(%[[ANY]]) %[[R0]], %[[X0]], %[[Y0]], %[[Z0]], %[[S0]]
// CHECK: ^bb0(%[[R:.*]]: i32, %[[XR:.*]]: i32, %[[YR:.*]]: i32, %[[ZR:.*]]: i32, %[[S:.*]]: i32)
// CHECK: nv_tileas.takeover.ask %[[MEMORY]], %[[R]] {releases = 8 : i32}
// CHECK: %[[NEW:.*]] = arith.addi %[[S]], %[[XR]]
// CHECK: %[[ID:.*]] = nv_tileas.takeover.answer %[[MEMORY]], %[[R]] {asks}
// CHECK: %[[VALID:.*]] = nv_tileaa.is_valid_program_id %[[ID]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[R]], %{{.*}}
// CHECK: %[[XN:.*]], %[[YN:.*]], %[[ZN:.*]] = nv_tileas.program_id_coordinates %[[ID]]
// CHECK: scf.yield %[[NEXT]], %[[XN]], %[[YN]], %[[ZN]], %[[NEW]], %[[VALID]]
// CHECK: attributes {nv_tileas.persistent}
// The other one does not need to know which tile block it is, but whether it is the first, and whether there is another
// one: the answer is read where that is asked first.
// CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (i32, i1) -> i32
// CHECK: ^bb0(%[[R:.*]]: i32)
// CHECK-NOT: takeover.ask
// CHECK: %[[LATER:.*]] = arith.cmpi ne, %[[R]], %{{.*}}
// CHECK: %[[ID:.*]] = nv_tileas.takeover.answer %[[MEMORY]], %[[R]] :
// CHECK: %[[VALID:.*]] = nv_tileaa.is_valid_program_id %[[ID]]
// CHECK: scf.if %[[LATER]]
// CHECK: arith.xori %[[LATER]], %[[VALID]]
// CHECK-NOT: takeover
// CHECK: nv_tileaa.return
// WHY: TakeOver {{.*}}a block takes over tile blocks that have not started
gpu.module @kernels {
  nv_tileaa.func @agents(%begin: i32, %end: i32, %step: i32, %divided: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>, nv_tileas.staying_blocks = array<i64: 148, 1>} {
    %zero = arith.constant 0 : i32
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 8>} {
      %s = scf.for %t = %begin to %end step %step iter_args(%sum = %zero) -> (i32) : i32 {
        %x, %y, %z = nv_tileas.program_id_of_round %t, %divided
        %new = arith.addi %sum, %x : i32
        scf.yield %new : i32
      } {nv_tileas.persistent, nv_tileas.takes_over}
    }, {
      scf.for %t = %begin to %end step %step : i32 {
        %later = arith.cmpi ne, %t, %begin : i32
        scf.if %later {
          %left = arith.subi %end, %t : i32
          %more = arith.cmpi ugt, %left, %step : i32
          %both = arith.xori %later, %more : i1
        }
      } {nv_tileas.persistent, nv_tileas.takes_over}
    }
    nv_tileaa.return
  }
}

// -----

// No agents: all warps ask and read. One loop on each side of a branch is one loop for each thread.
// CHECK-LABEL: nv_tileaa.func @branch
// CHECK: nv_tileas.takeover.create %[[MEMORY:.*]] {releases = 0 : i32}
// CHECK: scf.if
// CHECK: scf.while
// CHECK: nv_tileas.takeover.ask %[[MEMORY]], %{{.*}} {releases = 0 : i32}
// CHECK: nv_tileas.takeover.answer %[[MEMORY]], %{{.*}} {asks}
// CHECK: else
// CHECK: scf.while
// CHECK: nv_tileas.takeover.ask
// CHECK: nv_tileas.takeover.answer
// CHECK-NOT: scf.for
// WHY: TakeOver {{.*}}a block takes over tile blocks that have not started
gpu.module @kernels {
  nv_tileaa.func @branch(%begin: i32, %end: i32, %step: i32, %divided: i1, %usable: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    scf.if %usable {
      scf.for %t = %begin to %end step %step : i32 {
        %x, %y, %z = nv_tileas.program_id_of_round %t, %divided
      } {nv_tileas.takes_over}
    } else {
      scf.for %t = %begin to %end step %step : i32 {
        %x, %y, %z = nv_tileas.program_id_of_round %t, %divided
      } {nv_tileas.takes_over}
    }
    nv_tileaa.return
  }
}

// -----

// A counter that counts something else, too: the blocks divide the tile blocks, and those without any leave.
// CHECK-LABEL: nv_tileaa.func @counts
// CHECK-SAME: nv_tileas.staying_blocks = array<i64: 148, 1>
// CHECK-NOT: takeover
// CHECK: scf.for %[[T:.*]] =
// CHECK: %[[GX:.*]], %[[GY:.*]], %{{.*}} = nv_tileaa.get_num_programs
// CHECK: scf.if
// CHECK: %[[Q:.*]] = arith.divui %[[T]], %[[GX]]
// CHECK: arith.divui %[[Q]], %[[GY]]
// CHECK-NOT: {{takes_over|program_id_of_round}}
// WHY: TakeOver {{.*}}blocks divide the tile blocks: the loop counts for more than its tile blocks
gpu.module @kernels {
  nv_tileaa.func @counts(%begin: i32, %end: i32, %step: i32, %divided: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>, nv_tileas.staying_blocks = array<i64: 148, 1>} {
    scf.for %t = %begin to %end step %step : i32 {
      %x, %y, %z = nv_tileas.program_id_of_round %t, %divided
      %more = arith.muli %t, %x : i32
    } {nv_tileas.takes_over}
    nv_tileaa.return
  }
}

// -----

// An agent that would not know of the answers: no place would ever be free.
// CHECK-LABEL: nv_tileaa.func @other
// CHECK-NOT: takeover
// CHECK: scf.for
// WHY: TakeOver {{.*}}an agent has no part in the loop over tile blocks, or several
gpu.module @kernels {
  nv_tileaa.func @other(%begin: i32, %end: i32, %step: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>} {
      scf.for %t = %begin to %end step %step : i32 {
        %later = arith.cmpi ne, %t, %begin : i32
      } {nv_tileas.takes_over}
    }, {
      %sum = arith.addi %begin, %end : i32
    }
    nv_tileaa.return
  }
}

// -----

// A loop in one branch only.
// CHECK-LABEL: nv_tileaa.func @half
// CHECK-NOT: takeover
// CHECK: scf.for
// WHY: TakeOver {{.*}}an agent has no part in the loop over tile blocks, or several
gpu.module @kernels {
  nv_tileaa.func @half(%begin: i32, %end: i32, %step: i32, %usable: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    scf.if %usable {
      scf.for %t = %begin to %end step %step : i32 {
        %later = arith.cmpi ne, %t, %begin : i32
      } {nv_tileas.takes_over}
    }
    nv_tileaa.return
  }
}
