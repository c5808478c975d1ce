// RUN: tileiras-opt %s -tileaa-int-range-optimizations -canonicalize | FileCheck %s

// Bounds that are promised decide masks.
// CHECK-LABEL: @bounds
nv_tileaa.func @bounds(%p: tensor<64x!nv_tileaa.ptr<f32>>, %n: i32) -> (tensor<64xf32>, tensor<64xf32>) {
  %i = nv_tileaa.make_range(0, 64) : tensor<64xi32>
  %m = nv_tileaa.assume #nv_tileaa.bounded<lb = 64>, %n : i32
  %s = nv_tileaa.splat %m : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %i, %s : tensor<64xi32>
  // CHECK: nv_tileaa.load %arg0 : tensor<64x!nv_tileaa.ptr<f32>> -> tensor<64xf32>
  %0, %t0 = nv_tileaa.load %p, mask %in : tensor<64x!nv_tileaa.ptr<f32>>, mask tensor<64xi1> -> tensor<64xf32>
  // One less would not do.
  %m1 = nv_tileaa.assume #nv_tileaa.bounded<lb = 63>, %n : i32
  %s1 = nv_tileaa.splat %m1 : i32 -> tensor<64xi32>
  %in1 = arith.cmpi slt, %i, %s1 : tensor<64xi32>
  // CHECK: nv_tileaa.load %arg0 , mask
  %1, %t1 = nv_tileaa.load %p, mask %in1 : tensor<64x!nv_tileaa.ptr<f32>>, mask tensor<64xi1> -> tensor<64xf32>
  nv_tileaa.return %0, %1 : tensor<64xf32>, tensor<64xf32>
}

// Through shapes; ids are not negative.
// CHECK-LABEL: @shapes
nv_tileaa.func @shapes(%n: i32) -> (tensor<8x4xi1>, i1, i1, i1) {
  // CHECK-DAG: %[[T:.*]] = arith.constant true
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<true> : tensor<8x4xi1>
  %x, %y, %z = nv_tileaa.get_program_id
  %gx, %gy, %gz = nv_tileaa.get_num_programs
  %r = nv_tileaa.make_range(4, 8) : tensor<4xi32>
  %v = nv_tileaa.view %r : tensor<4xi32> -> tensor<1x4xi32>
  %b = nv_tileaa.broadcast %v : tensor<1x4xi32> -> tensor<8x4xi32>
  %c = nv_tileaa.cat %b, %b {axis = 0 : i32} : tensor<8x4xi32>, tensor<8x4xi32> -> tensor<16x4xi32>
  %e = nv_tileaa.extract_slice %c[%x, %x] : tensor<16x4xi32> -> tensor<8x4xi32>
  %seven = arith.constant dense<7> : tensor<8x4xi32>
  %0 = arith.cmpi sle, %e, %seven : tensor<8x4xi32>
  %zero = arith.constant 0 : i32
  %1 = arith.cmpi sge, %x, %zero : i32
  %2 = arith.cmpi sgt, %gx, %zero : i32
  // A promise that contradicts another is no reason to stop.
  %p = nv_tileaa.assume #nv_tileaa.bounded<lb = 5>, %n : i32
  %q = nv_tileaa.assume #nv_tileaa.bounded<ub = 3>, %p : i32
  %3 = arith.cmpi sgt, %q, %n : i32
  // CHECK: nv_tileaa.return %[[A]], %[[T]], %[[T]], %
  nv_tileaa.return %0, %1, %2, %3 : tensor<8x4xi1>, i1, i1, i1
}

// The smallest integer divided and rounded up is negative: MLIR's own pass has 1 for the first, and takes the second for no
// negative number. Others are decided.
// CHECK-LABEL: @rounded_up
func.func @rounded_up(%n: i16) -> (i16, i1, i1) {
  %least = arith.constant -32768 : i16
  %large = arith.constant 32766 : i16
  // CHECK: %[[Q:.*]] = arith.ceildivsi %c-32768_i16, %c32766_i16
  %q = arith.ceildivsi %least, %large : i16
  %zero = arith.constant 0 : i16
  %three = arith.constant 3 : i16
  %down = arith.minsi %n, %zero : i16
  %r = arith.ceildivsi %down, %three : i16
  // CHECK: %[[C:.*]] = arith.cmpi sge
  %c = arith.cmpi sge, %r, %zero : i16
  %up = arith.maxsi %n, %zero : i16
  %s = arith.ceildivsi %up, %three : i16
  %d = arith.cmpi sge, %s, %zero : i16
  // CHECK: return %[[Q]], %[[C]], %true
  return %q, %c, %d : i16, i1, i1
}

// Divisions of numbers that are not negative are unsigned ones; others stay.
// CHECK-LABEL: @not_negative
nv_tileaa.func @not_negative(%n: i32) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, i32, i32, i32) {
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %c7 = arith.constant 7 : i32
  %by = arith.constant dense<48> : tensor<64xi32>
  // The last of so many rounds of 64 is the largest integer: nothing wraps.
  %i = nv_tileaa.assume #nv_tileaa.bounded<lb = 0 ub = 33554431>, %n : i32
  %start = arith.muli %i, %c64 : i32
  %s = nv_tileaa.splat %start : i32 -> tensor<64xi32>
  %r = nv_tileaa.make_range(0, 64) : tensor<64xi32>
  %k = arith.addi %s, %r : tensor<64xi32>
  // CHECK: arith.divui
  %0 = arith.floordivsi %k, %by : tensor<64xi32>
  // CHECK: arith.remui
  %1 = arith.remsi %k, %by : tensor<64xi32>
  // One round more would.
  %j = nv_tileaa.assume #nv_tileaa.bounded<lb = 0 ub = 33554432>, %n : i32
  %start1 = arith.muli %j, %c64 : i32
  %s1 = nv_tileaa.splat %start1 : i32 -> tensor<64xi32>
  %k1 = arith.addi %s1, %r : tensor<64xi32>
  // CHECK: arith.remsi
  %2 = arith.remsi %k1, %by : tensor<64xi32>
  // Positions of 128 programs' elements are numbers of 31 bits, those of 256 are not.
  %x, %y, %z = nv_tileaa.get_program_id
  %c128 = arith.constant 128 : i32
  %p = arith.muli %x, %c128 : i32
  // CHECK: arith.divui
  %3 = arith.divsi %p, %c7 : i32
  %q = arith.muli %x, %c256 : i32
  // CHECK: arith.divsi
  %4 = arith.divsi %q, %c7 : i32
  // By a number that may be negative.
  // CHECK: arith.ceildivsi
  %5 = arith.ceildivsi %p, %n : i32
  nv_tileaa.return %0, %1, %2, %3, %4, %5 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, i32, i32, i32
}

// A loop over the tiles of an array whose extent has 32 bits: the numbers of their columns have 31. They might have more if the extent has 64.
// CHECK-LABEL: @rounds
nv_tileaa.func @rounds(%w: !nv_tileaa.ptr<f16>, %n: i32, %long: i64, %s: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %m = nv_tileaa.make_memref %w, sizes[%n, %n], strides[%s] : <f16>, (i32, i32), (i32) -> <?x?xf16, strides = [?, 1]>
  %v = nv_tileaa.block_tile %m : <?x?xf16, strides = [?, 1]> -> <[64, 128], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %tiles = nv_tileaa.get_dim_size %v {axis = 0 : i32} : !nv_tileaa.tiled_view<[64, 128], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>> -> i32
  // CHECK: scf.for
  scf.for %i = %c0 to %tiles step %c1 : i32 {
    %k = arith.muli %i, %c64 : i32
    // CHECK: arith.remui
    %r = arith.remsi %k, %c32 : i32
    %t = nv_tileaa.print "%i", %r : i32
  }
  %m2 = nv_tileaa.make_memref %w, sizes[%long, %n], strides[%s] : <f16>, (i64, i32), (i32) -> <?x?xf16, strides = [?, 1]>
  %v2 = nv_tileaa.block_tile %m2 : <?x?xf16, strides = [?, 1]> -> <[64, 128], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %tiles2 = nv_tileaa.get_dim_size %v2 {axis = 0 : i32} : !nv_tileaa.tiled_view<[64, 128], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>> -> i32
  scf.for %i = %c0 to %tiles2 step %c1 : i32 {
    %k = arith.muli %i, %c64 : i32
    // CHECK: arith.remsi
    %r = arith.remsi %k, %c32 : i32
    %t = nv_tileaa.print "%i", %r : i32
  }
  nv_tileaa.return
}
