// Views in front of the loops that use them: tensor maps are made once, outside of loops.
// RUN: tileiras-opt %s --tileaa-hoist-views | FileCheck %s

!array = !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
!view = !nv_tileaa.tiled_view<[16, 64], !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>

// Out of the loop and the branch in it, with the number that the array is made of; other numbers stay.
// CHECK-LABEL: @out
// CHECK-NOT: scf.for
// CHECK: %[[ROWS:.*]] = arith.muli
// CHECK: %[[ARRAY:.*]] = nv_tileaa.make_memref %{{.*}}, sizes[%[[ROWS]]]
// CHECK: %[[VIEW:.*]] = nv_tileaa.block_tile %[[ARRAY]]
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NEXT: %[[OTHER:.*]] = arith.addi
// CHECK-NEXT: nv_tileaa.tiled_load %[[VIEW]][%[[OTHER]], %{{.*}}]
nv_tileaa.func @out(%p: !nv_tileaa.ptr<f16>, %m: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = nv_tileaa.create_mem_token
  scf.for %i = %c0 to %n step %c1 : i32 {
    %some = arith.cmpi slt, %i, %m : i32
    scf.if %some {
      %rows = arith.muli %m, %n : i32
      %other = arith.addi %m, %n : i32
      %array = nv_tileaa.make_memref %p, sizes[%rows], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !array
      %view = nv_tileaa.block_tile %array : !array -> !view
      %tile, %t1 = nv_tileaa.tiled_load %view[%other, %c0], token %t : !view, (i32, i32) -> tensor<16x64xf16>
    }
  }
  nv_tileaa.return
}

// What the round decides keeps the view where it is; so does a branch that is in no loop.
// CHECK-LABEL: @stays
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: scf.if
// CHECK-NEXT: nv_tileaa.make_memref %{{.*}}, sizes[%[[I]]]
// CHECK-NEXT: nv_tileaa.block_tile
// CHECK-NEXT: nv_tileaa.tiled_load
// CHECK: scf.if
// CHECK-NEXT: nv_tileaa.make_memref
// CHECK-NEXT: nv_tileaa.block_tile
// CHECK-NEXT: scf.for
nv_tileaa.func @stays(%p: !nv_tileaa.ptr<f16>, %some: i1, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = nv_tileaa.create_mem_token
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.if %some {
      %array = nv_tileaa.make_memref %p, sizes[%i], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !array
      %view = nv_tileaa.block_tile %array : !array -> !view
      %tile, %t1 = nv_tileaa.tiled_load %view[%c0, %c0], token %t : !view, (i32, i32) -> tensor<16x64xf16>
    }
  }
  scf.if %some {
    %array = nv_tileaa.make_memref %p, sizes[%n], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !array
    scf.for %i = %c0 to %n step %c1 : i32 {
      %view = nv_tileaa.block_tile %array : !array -> !view
      %tile, %t1 = nv_tileaa.tiled_load %view[%i, %c0], token %t : !view, (i32, i32) -> tensor<16x64xf16>
    }
  }
  nv_tileaa.return
}

// A division may fail where nobody asked for it.
// CHECK-LABEL: @may_fail
// CHECK: scf.if
// CHECK-NEXT: arith.divsi
// CHECK-NEXT: nv_tileaa.make_memref
// CHECK-NEXT: nv_tileaa.block_tile
nv_tileaa.func @may_fail(%p: !nv_tileaa.ptr<f16>, %some: i1, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %t = nv_tileaa.create_mem_token
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    scf.if %some {
      %rows = arith.divsi %n, %n : i32
      %array = nv_tileaa.make_memref %p, sizes[%rows], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !array
      %view = nv_tileaa.block_tile %array : !array -> !view
      %tile, %t1 = nv_tileaa.tiled_load %view[%i, %c0], token %t : !view, (i32, i32) -> tensor<16x64xf16>
    }
  }
  nv_tileaa.return
}

// A promise holds where it stands: it leaves the loops of four rounds, and neither a branch nor a loop that may have none.
// CHECK-LABEL: @promises
// CHECK: nv_tileaa.assume
// CHECK-NEXT: nv_tileaa.make_memref
// CHECK-NEXT: nv_tileaa.block_tile
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: nv_tileaa.tiled_load
// CHECK: scf.for
// CHECK-NEXT: scf.if
// CHECK-NEXT: nv_tileaa.assume
// CHECK-NEXT: nv_tileaa.make_memref
// CHECK-NEXT: nv_tileaa.block_tile
// CHECK: scf.for
// CHECK-NEXT: nv_tileaa.assume
// CHECK-NEXT: nv_tileaa.make_memref
// CHECK-NEXT: nv_tileaa.block_tile
nv_tileaa.func @promises(%p: !nv_tileaa.ptr<f16>, %some: i1, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %t = nv_tileaa.create_mem_token
  scf.for %j = %c0 to %c4 step %c1 : i32 {
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %rows = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
      %array = nv_tileaa.make_memref %p, sizes[%rows], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !array
      %view = nv_tileaa.block_tile %array : !array -> !view
      %tile, %t1 = nv_tileaa.tiled_load %view[%i, %c0], token %t : !view, (i32, i32) -> tensor<16x64xf16>
    }
  }
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    scf.if %some {
      %rows = nv_tileaa.assume #nv_tileaa.div_by<32>, %n : i32
      %array = nv_tileaa.make_memref %p, sizes[%rows], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !array
      %view = nv_tileaa.block_tile %array : !array -> !view
      %tile, %t1 = nv_tileaa.tiled_load %view[%i, %c0], token %t : !view, (i32, i32) -> tensor<16x64xf16>
    }
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    %rows = nv_tileaa.assume #nv_tileaa.div_by<64>, %n : i32
    %array = nv_tileaa.make_memref %p, sizes[%rows], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !array
    %view = nv_tileaa.block_tile %array : !array -> !view
    %tile, %t1 = nv_tileaa.tiled_load %view[%i, %c0], token %t : !view, (i32, i32) -> tensor<16x64xf16>
  }
  nv_tileaa.return
}

// Threads multiply f32, and have no registers for what is made in front of a loop.
// CHECK-LABEL: @by_threads
// CHECK: scf.for
// CHECK: nv_tileaa.make_memref
// CHECK-NEXT: nv_tileaa.block_tile
nv_tileaa.func @by_threads(%p: !nv_tileaa.ptr<f16>, %n: i32, %a: tensor<16x16xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %t = nv_tileaa.create_mem_token
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    %array = nv_tileaa.make_memref %p, sizes[%n], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !array
    %view = nv_tileaa.block_tile %array : !array -> !view
    %tile, %t1 = nv_tileaa.tiled_load %view[%i, %c0], token %t : !view, (i32, i32) -> tensor<16x64xf16>
    %d = nv_tileaa.dot %a, %a, %a : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
  }
  nv_tileaa.return
}
