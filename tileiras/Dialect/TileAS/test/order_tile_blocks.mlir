// Tile blocks with the most rounds begin first. Executed, with more tile blocks than a section has: test/EndToEnd/agents.py.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-order-tile-blocks)))' --remarks-filter=schedule --remark-format=emitRemark 2>&1 | FileCheck %s

gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
// CHECK-DAG: [Passed] Order | Category:schedule | Function=causal | Axis=0, Reason="tile blocks with the most rounds begin first"
// CHECK-DAG: [Passed] Order | Category:schedule | Function=along_y | Axis=1,
// CHECK-DAG: [Missed] Order | Category:schedule | Function=ordered | Reason="blocks may synchronise through memory, or agents divide the warps"
// CHECK-DAG: [Missed] Order | Category:schedule | Function=few_warps | Reason="a multiprocessor has several blocks of few warps, of which some end early"
// CHECK-DAG: [Missed] Order | Category:schedule | Function=signals | Reason="something else knows the number of the block"
// CHECK-DAG: [Missed] Order | Category:schedule | Function=special_register | Reason="something else knows the number of the block"
// CHECK-DAG: [Missed] Order | Category:schedule | Function=text_register | Reason="something else knows the number of the block"
// CHECK-DAG: [Missed] Order | Category:schedule | Function=takes_over | Reason="something else knows the number of the block"
// CHECK-DAG: [Missed] Order | Category:schedule | Function=somebody_else | Reason="blocks may synchronise through memory, or agents divide the warps"
// CHECK-DAG: [Missed] Order | Category:schedule | Function=impure_text | Reason="blocks may synchronise through memory, or agents divide the warps"
// CHECK-DAG: [Missed] Order | Category:schedule | Function=counts | Reason="blocks may synchronise through memory, or agents divide the warps"
// CHECK-DAG: [Passed] Order | Category:schedule | Function=says_so | Axis=0,
// CHECK-NOT: Function=as_it_is

// Sections of 16 tile blocks of y and z; in each, x from the last one on.
// CHECK-LABEL: nv_tileaa.func @causal(%arg0
// CHECK: %[[X:.*]], %[[Y:.*]], %[[Z:.*]] = nv_tileaa.get_program_id
// CHECK: %[[NX:.*]], %[[NY:.*]], %[[NZ:.*]] = nv_tileaa.get_num_programs
// CHECK: %[[OX:.*]] = arith.extui %[[X]]
// CHECK: %[[SX:.*]] = arith.extui %[[NX]]
// CHECK: %[[OY:.*]] = arith.extui %[[Y]]
// CHECK: %[[SY:.*]] = arith.extui %[[NY]]
// CHECK: %[[OZ:.*]] = arith.extui %[[Z]]
// CHECK: %[[SZ:.*]] = arith.extui %[[NZ]]
// CHECK: %[[OTHERS:.*]] = arith.muli %[[SY]], %[[SZ]]
// CHECK: %[[ALL:.*]] = arith.muli %[[SX]], %[[OTHERS]]
// CHECK: %[[SM:.*]] = nvvm.read.ptx.sreg.nsmid
// CHECK: %[[WIDE:.*]] = arith.extui %[[SM]]
// CHECK: %[[C132:.*]] = arith.constant 132 : i64
// CHECK: %[[THERE:.*]] = arith.minui %[[WIDE]], %[[C132]]
// CHECK: %[[SOME:.*]] = arith.cmpi ugt, %[[ALL]], %[[THERE]]
// CHECK: %[[IDS:.*]]:3 = scf.if %[[SOME]]
// CHECK: %[[YZ:.*]] = arith.muli %[[SY]], %[[OZ]]
// CHECK: %[[LINE:.*]] = arith.addi %[[OY]], %[[YZ]] : i64
// CHECK: %[[LINES:.*]] = arith.muli %[[SX]], %[[LINE]]
// CHECK: %[[BLOCK:.*]] = arith.addi %[[OX]], %[[LINES]]
// CHECK: %[[C16:.*]] = arith.constant 16 : i64
// CHECK: %[[TOGETHER:.*]] = arith.minui %[[OTHERS]], %[[C16]]
// CHECK: %[[SIZE:.*]] = arith.muli %[[SX]], %[[TOGETHER]]
// CHECK: %[[SECTION:.*]] = arith.divui %[[BLOCK]], %[[SIZE]]
// CHECK: %[[HERE:.*]] = arith.minui %[[TOGETHER]]
// CHECK: %[[TURN:.*]] = arith.divui %{{.*}}, %[[HERE]]
// CHECK: %[[LAST:.*]] = arith.subi %[[SX]], %{{.*}}
// CHECK: %[[MINE:.*]] = arith.subi %[[LAST]], %[[TURN]]
// CHECK: arith.divui %{{.*}}, %[[SY]]
// CHECK: %[[NEW:.*]] = arith.trunci %[[MINE]]
// CHECK: scf.yield %[[NEW]],
// CHECK: } else {
// CHECK: scf.yield %[[X]], %[[Y]], %[[Z]]
// CHECK: %[[BOUND:.*]] = arith.addi %[[IDS]]#0, %{{.*}}
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[BOUND]]
nv_tileaa.func @causal(%n: i32, %view: !nv_tileaa.tiled_view<[16], !nv_tileaa.memref<?xf32, strides = [1]>>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %end = arith.addi %x, %c1 : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
    %a, %t = nv_tileaa.tiled_load %view[%i] : !nv_tileaa.tiled_view<[16], !nv_tileaa.memref<?xf32, strides = [1]>>, (i32) -> tensor<16xf32>
  }
  nv_tileaa.return
}

// Along y, through what bounds, scales and divides a number.
// CHECK-LABEL: nv_tileaa.func @along_y(%arg0
// CHECK: arith.constant 16 : i64
nv_tileaa.func @along_y(%n: i32, %view: !nv_tileaa.tiled_view<[16], !nv_tileaa.memref<?xf32, strides = [1]>>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c32 = arith.constant 32 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %next = arith.addi %y, %c1 : i32
  %rows = arith.muli %next, %c64 : i32
  %tiles = arith.ceildivsi %rows, %c32 : i32
  %end = arith.minsi %tiles, %n : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
    %a, %t = nv_tileaa.tiled_load %view[%x] : !nv_tileaa.tiled_view<[16], !nv_tileaa.memref<?xf32, strides = [1]>>, (i32) -> tensor<16xf32>
  }
  nv_tileaa.return
}

// Another block may wait for this one.
// CHECK-LABEL: nv_tileaa.func @ordered(%arg0
// CHECK-NOT: get_num_programs
nv_tileaa.func @ordered(%view: !nv_tileaa.tiled_view<[16], !nv_tileaa.memref<?xf32, strides = [1]>>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  scf.for %i = %c0 to %x step %c1 : i32 {
    %a, %t = nv_tileaa.tiled_load %view[%i] {mem_semantic = #nv_tileaa.mem_semantic<acquire>, mem_scope = #nv_tileaa.mem_scope<gpu>} : !nv_tileaa.tiled_view<[16], !nv_tileaa.memref<?xf32, strides = [1]>>, (i32) -> tensor<16xf32>
  }
  nv_tileaa.return
}

// Fewer and fewer rounds, as many for all, of two axes, and by a factor that may be negative.
// CHECK-LABEL: nv_tileaa.func @as_it_is_lower(%arg0
// CHECK-NOT: get_num_programs
nv_tileaa.func @as_it_is_lower(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  scf.for %i = %x to %n step %c1 : i32 {
  }
  nv_tileaa.return
}
nv_tileaa.func @as_it_is_fewer(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %end = arith.subi %n, %x : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
  }
  nv_tileaa.return
}
nv_tileaa.func @as_it_is_two(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %end = arith.addi %x, %y : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
  }
  nv_tileaa.return
}
nv_tileaa.func @as_it_is_factor(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %end = arith.muli %x, %n : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
  }
  nv_tileaa.return
}

// Several of them share a multiprocessor.
// CHECK-LABEL: nv_tileaa.func @few_warps(
// CHECK-NOT: get_num_programs
nv_tileaa.func @few_warps() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %end = arith.addi %x, %c1 : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
  }
  nv_tileaa.return
}

// Blocks take turns: another one would wait for a block that has not begun.
// CHECK-LABEL: nv_tileaa.func @signals(
// CHECK-NOT: get_num_programs
nv_tileaa.func @signals(%p: !llvm.ptr<1>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %end = arith.addi %x, %c1 : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
  }
  cutlass.generic_barrier.wait_eq %p[%c0] by %c0, %x : !llvm.ptr<1>
  cutlass.generic_barrier.arrive_increment %p[%c0] by %c0, %c1 : !llvm.ptr<1>
  nv_tileaa.return
}

// Part of the kernel would be of one tile block and part of another.
// CHECK-LABEL: nv_tileaa.func @special_register(
// CHECK-NOT: get_num_programs
nv_tileaa.func @special_register(%view: !nv_tileaa.tiled_view<[16], !nv_tileaa.memref<?xf32, strides = [1]>>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %end = arith.addi %x, %c1 : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
  }
  %own = nvvm.read.ptx.sreg.ctaid.x : i32
  %a, %t = nv_tileaa.tiled_load %view[%own] : !nv_tileaa.tiled_view<[16], !nv_tileaa.memref<?xf32, strides = [1]>>, (i32) -> tensor<16xf32>
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @text_register(
// CHECK-NOT: get_num_programs
nv_tileaa.func @text_register(%v: tensor<16xi32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %end = arith.addi %x, %c1 : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
  }
  %own = nv_tileaa.elementwise_inline_asm "mov.u32 $0, %ctaid.x;", "=r,r"(%v) {pure} : (tensor<16xi32>) -> tensor<16xi32>
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @takes_over(
// CHECK-NOT: get_num_programs
nv_tileaa.func @takes_over(%view: !nv_tileaa.tiled_view<[16], !nv_tileaa.memref<?xf32, strides = [1]>>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %end = arith.addi %x, %c1 : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
  }
  %next = nv_tileaa.cancel_next_program_id
  %valid = nv_tileaa.is_valid_program_id %next
  %nx, %ny, %nz = nv_tileas.program_id_coordinates %next
  scf.if %valid {
    %a, %t = nv_tileaa.tiled_load %view[%nx] : !nv_tileaa.tiled_view<[16], !nv_tileaa.memref<?xf32, strides = [1]>>, (i32) -> tensor<16xf32>
  }
  nv_tileaa.return
}

// Nobody knows what these do, and counting in memory is how blocks wait for each other.
// CHECK-LABEL: nv_tileaa.func @somebody_else(
// CHECK-NOT: get_num_programs
nv_tileaa.func @somebody_else() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %end = arith.addi %x, %c1 : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
  }
  nv_tileaa.inject_ir "func.func @f() { return }"() : () -> ()
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @impure_text(
// CHECK-NOT: get_num_programs
nv_tileaa.func @impure_text(%v: tensor<16xi32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %end = arith.addi %x, %c1 : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
  }
  %own = nv_tileaa.elementwise_inline_asm "mov.u32 $0, $1;", "=r,r"(%v) : (tensor<16xi32>) -> tensor<16xi32>
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @counts(
// CHECK-NOT: get_num_programs
nv_tileaa.func @counts(%view: !nv_tileaa.tiled_view<[16], !nv_tileaa.memref<?xf32, strides = [1]>>, %v: tensor<16xf32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %end = arith.addi %x, %c1 : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
  }
  %t = nv_tileaa.tiled_atomic_rmw %view[%x], %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : !nv_tileaa.tiled_view<[16], !nv_tileaa.memref<?xf32, strides = [1]>>, (i32), tensor<16xf32>
  nv_tileaa.return
}

// Text for people.
// CHECK-LABEL: nv_tileaa.func @says_so(
// CHECK: get_num_programs
nv_tileaa.func @says_so(%v: tensor<16xi1>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y, %z = nv_tileaa.get_program_id
  %end = arith.addi %x, %c1 : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
  }
  %t = nv_tileaa.print "%d\0A", %x : i32
  nv_tileaa.assert %v, "zero" : tensor<16xi1>
  nv_tileaa.return
}
}
