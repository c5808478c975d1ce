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
