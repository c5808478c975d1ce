// What the bank keeps of an operation besides its operands: rounding, what may be assumed of numbers, predicates.
// RUN: tileiras-opt %s -convert-tileaa-to-tileas | FileCheck %s

// CHECK-LABEL: nv_tileaa.func @attributes
nv_tileaa.func @attributes(%x: f32, %i: i32) {
  %a = nv_tileaa.splat %x : f32 -> tensor<64xf32>
  %k = nv_tileaa.splat %i : i32 -> tensor<64xi32>
  // CHECK: arith.truncf %{{.*}} to_nearest_even : tensor<64xf32, #{{.*}}> to tensor<64xf16, #
  %b = arith.truncf %a to_nearest_even : tensor<64xf32> to tensor<64xf16>
  // CHECK: arith.truncf %{{.*}} toward_zero : tensor<64xf32, #
  %c = arith.truncf %a toward_zero : tensor<64xf32> to tensor<64xf16>
  // CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<nnan> : tensor<64xf32, #
  %d = arith.addf %a, %a fastmath<nnan> : tensor<64xf32>
  // CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract,afn> : tensor<64xf32, #
  %e = arith.mulf %d, %a fastmath<contract,afn> : tensor<64xf32>
  // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw, nuw> : tensor<64xi32, #
  %f = arith.addi %k, %k overflow<nsw, nuw> : tensor<64xi32>
  // CHECK: arith.cmpf ult, %{{.*}}, %{{.*}} fastmath<ninf> : tensor<64xf32, #
  %g = arith.cmpf ult, %e, %a fastmath<ninf> : tensor<64xf32>
  nv_tileaa.return
}
