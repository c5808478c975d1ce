// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck %s

// CHECK-LABEL: gpu.module @kernels attributes
// CHECK-SAME: nv_tileaa.compute_capability = 90 : i32
// CHECK-SAME: nv_tileaa.target_spec = "sm_90a"
cuda_tile.module @kernels {
  // CHECK-LABEL: nv_tileaa.func @integers(%arg0: i32, %arg1: i32, %arg2: i64)
  // CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>
  entry @integers(%a: tile<i32>, %b: tile<i32>, %c: tile<i64>) {
    // CHECK-NEXT: arith.addi %arg0, %arg1 : i32
    %0 = addi %a, %b : tile<i32>
    // CHECK-NEXT: arith.addi %arg0, %arg1 overflow<nsw> : i32
    %1 = addi %a, %b overflow<no_signed_wrap> : tile<i32>
    // CHECK-NEXT: arith.subi %arg0, %arg1 overflow<nuw> : i32
    %2 = subi %a, %b overflow<no_unsigned_wrap> : tile<i32>
    // CHECK-NEXT: arith.muli %arg0, %arg1 overflow<nsw, nuw> : i32
    %3 = muli %a, %b overflow<no_wrap> : tile<i32>
    // CHECK-NEXT: arith.divsi
    %4 = divi %a, %b signed : tile<i32>
    // CHECK-NEXT: arith.divui
    %5 = divi %a, %b unsigned : tile<i32>
    // CHECK-NEXT: arith.floordivsi
    %6 = divi %a, %b signed rounding<negative_inf> : tile<i32>
    // CHECK-NEXT: arith.ceildivsi
    %7 = divi %a, %b signed rounding<positive_inf> : tile<i32>
    // CHECK-NEXT: arith.ceildivui
    %8 = divi %a, %b unsigned rounding<positive_inf> : tile<i32>
    // CHECK-NEXT: arith.remsi
    %9 = remi %a, %b signed : tile<i32>
    // CHECK-NEXT: arith.remui
    %10 = remi %a, %b unsigned : tile<i32>
    // CHECK-NEXT: arith.maxsi
    %11 = maxi %a, %b signed : tile<i32>
    // CHECK-NEXT: arith.minui
    %12 = mini %a, %b unsigned : tile<i32>
    // CHECK-NEXT: arith.andi
    %13 = andi %a, %b : tile<i32>
    // CHECK-NEXT: arith.ori
    %14 = ori %a, %b : tile<i32>
    // CHECK-NEXT: arith.xori
    %15 = xori %a, %b : tile<i32>
    // CHECK-NEXT: math.absi
    %16 = absi %a : tile<i32>
    // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
    // CHECK-NEXT: arith.subi %[[ZERO]], %arg0 overflow<nsw> : i32
    %17 = negi %a overflow<no_signed_wrap> : tile<i32>
    // CHECK-NEXT: nv_tileaa.mulhiui %arg2, %arg2 : i64
    %18 = mulhii %c, %c : tile<i64>
    // CHECK-NEXT: arith.cmpi eq,
    %19 = cmpi equal %a, %b, signed : tile<i32> -> tile<i1>
    // CHECK-NEXT: arith.cmpi ne,
    %20 = cmpi not_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    // CHECK-NEXT: arith.cmpi slt,
    %21 = cmpi less_than %a, %b, signed : tile<i32> -> tile<i1>
    // CHECK-NEXT: arith.cmpi ule,
    %22 = cmpi less_than_or_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    // CHECK-NEXT: arith.cmpi ugt,
    %23 = cmpi greater_than %a, %b, unsigned : tile<i32> -> tile<i1>
    // CHECK-NEXT: %[[C:.*]] = arith.cmpi sge,
    %24 = cmpi greater_than_or_equal %a, %b, signed : tile<i32> -> tile<i1>
    // CHECK-NEXT: arith.select %[[C]], %arg0, %arg1 : i32
    %25 = select %24, %a, %b : tile<i1>, tile<i32>
    // CHECK-NEXT: nv_tileaa.return
    return
  }

  // Amounts of the width or more give 0 or the sign; arith alone would make them poison.
  // CHECK-LABEL: @shifts
  entry @shifts(%a: tile<i32>, %b: tile<i32>, %p: tile<i1>) {
    // CHECK: %[[W:.*]] = arith.constant 32 : i32
    // CHECK-NEXT: %[[OK:.*]] = arith.cmpi ult, %arg1, %[[W]] : i32
    // CHECK-NEXT: %[[S:.*]] = arith.shli %arg0, %arg1 : i32
    // CHECK-NEXT: %[[Z:.*]] = arith.constant 0 : i32
    // CHECK-NEXT: arith.select %[[OK]], %[[S]], %[[Z]] : i32
    %0 = shli %a, %b : tile<i32>
    // CHECK: %[[OK:.*]] = arith.cmpi ult, %arg1
    // CHECK-NEXT: %[[S:.*]] = arith.shrui %arg0, %arg1 : i32
    // CHECK: arith.select %[[OK]], %[[S]]
    %1 = shri %a, %b unsigned : tile<i32>
    // CHECK-NEXT: %[[W:.*]] = arith.constant 31 : i32
    // CHECK-NEXT: %[[B:.*]] = arith.minui %arg1, %[[W]] : i32
    // CHECK-NEXT: arith.shrsi %arg0, %[[B]] : i32
    %2 = shri %a, %b signed : tile<i32>
    // CHECK-NEXT: %[[C:.*]] = arith.constant 5 : i32
    %c5 = constant <i32: 5> : tile<i32>
    // CHECK-NEXT: arith.shli %arg0, %[[C]] overflow<nsw> : i32
    %3 = shli %a, %c5 overflow<no_signed_wrap> : tile<i32>
    // CHECK-NEXT: nv_tileaa.splat %[[C]]
    %c1 = reshape %c5 : tile<i32> -> tile<1xi32>
    // CHECK-NEXT: nv_tileaa.broadcast
    %c4 = broadcast %c1 : tile<1xi32> -> tile<4xi32>
    // CHECK-NEXT: make_range
    %r = iota : tile<4xi32>
    // CHECK-NEXT: arith.shrui {{.*}} : tensor<4xi32>
    %4 = shri %r, %c4 unsigned : tile<4xi32>
    // CHECK-NEXT: arith.constant dense<[1, 2, 3, 32]>
    %cb = constant <i32: [1, 2, 3, 32]> : tile<4xi32>
    // CHECK: arith.minui
    // CHECK-NEXT: arith.shrsi {{.*}} : tensor<4xi32>
    %5 = shri %r, %cb signed : tile<4xi32>
    // CHECK: arith.cmpi eq, %arg2
    // CHECK-NEXT: arith.shli %arg2, %arg2 : i1
    %6 = shli %p, %p : tile<i1>
    return
  }

  // CHECK-LABEL: @casts
  entry @casts(%a: tile<i32>, %p: tile<i1>, %f: tile<f32>, %h: tile<f16>, %d: tile<f64>, %bf: tile<bf16>) {
    // CHECK-NEXT: arith.extsi %arg1 : i1 to i32
    %0 = exti %p signed : tile<i1> -> tile<i32>
    // CHECK-NEXT: arith.extui %arg1 : i1 to i32
    %1 = exti %p unsigned : tile<i1> -> tile<i32>
    // CHECK-NEXT: arith.trunci %arg0 : i32 to i8
    %2 = trunci %a : tile<i32> -> tile<i8>
    // CHECK-NEXT: arith.trunci %arg0 overflow<nuw> : i32 to i8
    %3 = trunci %a overflow<no_unsigned_wrap> : tile<i32> -> tile<i8>
    // CHECK-NEXT: arith.extf %arg3 : f16 to f32
    %4 = ftof %h : tile<f16> -> tile<f32>
    // CHECK-NEXT: arith.truncf %arg4 : f64 to f16
    %5 = ftof %d : tile<f64> -> tile<f16>
    // CHECK-NEXT: nv_tileaa.fp_to_fp %arg5 : bf16 -> f16
    %6 = ftof %bf : tile<bf16> -> tile<f16>
    // CHECK-NEXT: %[[F8:.*]] = nv_tileaa.fp_to_fp %arg2 : f32 -> f8E4M3FN
    %7 = ftof %f : tile<f32> -> tile<f8E4M3FN>
    // CHECK-NEXT: nv_tileaa.fp_to_fp %[[F8]] : f8E4M3FN -> f32
    %8 = ftof %7 : tile<f8E4M3FN> -> tile<f32>
    // CHECK-NEXT: nv_tileaa.fp_to_fp %arg2 {rounding_mode = #nv_tileaa.rounding_mode<positive_inf>} : f32 -> f8E8M0FNU
    %9 = ftof %f rounding<positive_inf> : tile<f32> -> tile<f8E8M0FNU>
    // CHECK-NEXT: nv_tileaa.fp_to_fp %arg2 : f32 -> tf32
    %10 = ftof %f : tile<f32> -> tile<tf32>
    // CHECK-NEXT: arith.fptosi %arg2 : f32 to i8
    %11 = ftoi %f signed : tile<f32> -> tile<i8>
    // CHECK-NEXT: arith.fptoui %arg3 : f16 to i64
    %12 = ftoi %h unsigned : tile<f16> -> tile<i64>
    // CHECK-NEXT: %[[W:.*]] = nv_tileaa.fp_to_fp %[[F8]] : f8E4M3FN -> f32
    // CHECK-NEXT: arith.fptosi %[[W]] : f32 to i32
    %13 = ftoi %7 signed : tile<f8E4M3FN> -> tile<i32>
    // CHECK-NEXT: arith.sitofp %arg1 : i1 to f32
    %14 = itof %p signed : tile<i1> -> tile<f32>
    // CHECK-NEXT: arith.uitofp %arg0 : i32 to bf16
    %15 = itof %a unsigned : tile<i32> -> tile<bf16>
    // CHECK-NEXT: %[[W:.*]] = arith.sitofp %arg0 : i32 to f32
    // CHECK-NEXT: %[[R:.*]] = nv_tileaa.fp_to_fp %[[W]] : f32 -> f8E5M2
    // Beyond the largest number: infinities.
    // CHECK: %[[A:.*]] = arith.cmpf oge, %[[W]], %{{.*}} : f32
    // CHECK: %[[S:.*]] = arith.select %[[A]], %{{.*}}, %[[R]] : f8E5M2
    // CHECK: %[[B:.*]] = arith.cmpf ole, %[[W]], %{{.*}} : f32
    // CHECK: arith.select %[[B]], %{{.*}}, %[[S]] : f8E5M2
    %16 = itof %a signed : tile<i32> -> tile<f8E5M2>
    // CHECK: arith.bitcast %arg2 : f32 to i32
    %17 = bitcast %f : tile<f32> -> tile<i32>
    return
  }

  // Clamped at both ends, NaN to 0; f16 cannot hold the bounds.
  // CHECK-LABEL: @saturate
  entry @saturate(%h: tile<f16>) {
    // CHECK-NEXT: %[[X:.*]] = arith.extf %arg0 : f16 to f32
    // CHECK-NEXT: %[[I:.*]] = arith.fptosi %[[X]] : f32 to i32
    // CHECK-NEXT: %[[HI:.*]] = arith.constant 2.14748365E+9 : f32
    // CHECK: arith.cmpf oge, %[[X]], %[[HI]]
    // CHECK-NEXT: arith.constant 2147483647 : i32
    // CHECK-NEXT: arith.select
    // CHECK-NEXT: %[[LO:.*]] = arith.constant -2.14748365E+9 : f32
    // CHECK-NEXT: arith.cmpf olt, %[[X]], %[[LO]]
    // CHECK-NEXT: arith.constant -2147483648 : i32
    // CHECK-NEXT: arith.select
    // CHECK-NEXT: arith.cmpf uno, %[[X]], %[[X]]
    // CHECK-NEXT: arith.constant 0 : i32
    // CHECK-NEXT: arith.select
    %0 = ftoi %h signed saturating : tile<f16> -> tile<i32>
    return
  }
}
