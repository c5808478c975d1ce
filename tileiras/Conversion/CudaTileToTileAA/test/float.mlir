// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=100 | FileCheck %s

// CHECK: nv_tileaa.target_spec = "sm_100a"
cuda_tile.module @kernels {
  // CHECK-LABEL: @binary
  entry @binary(%a: tile<f32>, %b: tile<f32>, %h: tile<f16>) {
    // CHECK-NEXT: arith.addf %arg0, %arg1 : f32
    %0 = addf %a, %b : tile<f32>
    // CHECK-NEXT: nv_tileaa.addf %arg0, %arg1 {rounding_mode = #nv_tileaa.rounding_mode<zero>} : f32
    %1 = addf %a, %b rounding<zero> : tile<f32>
    // CHECK-NEXT: nv_tileaa.subf %arg0, %arg1 {ftz} : f32
    %2 = subf %a, %b flush_to_zero : tile<f32>
    // CHECK-NEXT: nv_tileaa.mulf %arg0, %arg1 {ftz, rounding_mode = #nv_tileaa.rounding_mode<positive_inf>} : f32
    %3 = mulf %a, %b rounding<positive_inf> flush_to_zero : tile<f32>
    // CHECK-NEXT: arith.divf %arg0, %arg1 : f32
    %4 = divf %a, %b : tile<f32>
    // CHECK-NEXT: nv_tileaa.divf %arg0, %arg1 {rounding_mode = #nv_tileaa.rounding_mode<full>} : f32
    %5 = divf %a, %b rounding<full> : tile<f32>
    // CHECK-NEXT: nv_tileaa.divf %arg0, %arg1 {ftz, rounding_mode = #nv_tileaa.rounding_mode<approx>} : f32
    %6 = divf %a, %b rounding<approx> flush_to_zero : tile<f32>
    // CHECK-NEXT: arith.remf
    %7 = remf %a, %b : tile<f32>
    // CHECK-NEXT: math.powf
    %8 = fpowf %a, %b : tile<f32>
    // CHECK-NEXT: math.atan2 %arg0, %arg1
    %9 = atan2 %a, %b : tile<f32>
    // CHECK-NEXT: math.fma %arg0, %arg1, %arg0 : f32
    %10 = fma %a, %b, %a : tile<f32>
    // CHECK-NEXT: nv_tileaa.fma %arg0, %arg1, %arg0 {rounding_mode = #nv_tileaa.rounding_mode<negative_inf>} : f32
    %11 = fma %a, %b, %a rounding<negative_inf> : tile<f32>
    // CHECK-NEXT: arith.maxnumf
    %12 = maxf %a, %b : tile<f32>
    // CHECK-NEXT: arith.maximumf
    %13 = maxf %a, %b propagate_nan : tile<f32>
    // CHECK-NEXT: nv_tileaa.maxf %arg0, %arg1 {ftz, propagate_nan} : f32
    %14 = maxf %a, %b flush_to_zero propagate_nan : tile<f32>
    // CHECK-NEXT: arith.minnumf
    %15 = minf %a, %b : tile<f32>
    // CHECK-NEXT: arith.minimumf
    %16 = minf %a, %b propagate_nan : tile<f32>
    // CHECK-NEXT: nv_tileaa.minf %arg0, %arg1 {ftz} : f32
    %17 = minf %a, %b flush_to_zero : tile<f32>
    // CHECK-NEXT: arith.addf %arg2, %arg2 : f16
    %18 = addf %h, %h : tile<f16>
    return
  }

  // CHECK-LABEL: @unary
  entry @unary(%a: tile<f32>, %d: tile<f64>, %i: tile<i8>, %p: tile<i1>, %n: tile<i32>) {
    // CHECK-NEXT: math.absf
    %0 = absf %a : tile<f32>
    // CHECK-NEXT: arith.negf
    %1 = negf %a : tile<f32>
    // CHECK-NEXT: math.ceil
    %2 = ceil %a : tile<f32>
    // CHECK-NEXT: math.floor
    %3 = floor %a : tile<f32>
    // CHECK-NEXT: math.cos
    %4 = cos %a : tile<f32>
    // CHECK-NEXT: math.sin
    %5 = sin %a : tile<f32>
    // CHECK-NEXT: math.tan
    %6 = tan %a : tile<f32>
    // CHECK-NEXT: math.cosh
    %7 = cosh %a : tile<f32>
    // CHECK-NEXT: math.sinh
    %8 = sinh %a : tile<f32>
    // CHECK-NEXT: math.log
    %9 = log %a : tile<f32>
    // CHECK-NEXT: math.log2
    %10 = log2 %a : tile<f32>
    // CHECK-NEXT: math.exp %arg0 : f32
    %11 = exp %a : tile<f32>
    // CHECK-NEXT: math.exp %arg0 fastmath<afn> : f32
    %12 = exp %a rounding<approx> : tile<f32>
    // CHECK-NEXT: math.tanh %arg0 : f32
    %13 = tanh %a : tile<f32>
    // CHECK-NEXT: math.tanh %arg0 fastmath<afn> : f32
    %14 = tanh %a rounding<approx> : tile<f32>
    // CHECK-NEXT: math.exp2 %arg0 : f32
    %15 = exp2 %a : tile<f32>
    // CHECK-NEXT: nv_tileaa.exp2 %arg0 {ftz} : f32
    %16 = exp2 %a flush_to_zero : tile<f32>
    // CHECK-NEXT: math.rsqrt %arg1 : f64
    %17 = rsqrt %d : tile<f64>
    // CHECK-NEXT: nv_tileaa.rsqrt %arg0 {ftz} : f32
    %18 = rsqrt %a flush_to_zero : tile<f32>
    // CHECK-NEXT: math.sqrt %arg0 : f32
    %19 = sqrt %a : tile<f32>
    // CHECK-NEXT: nv_tileaa.sqrt %arg0 {rounding_mode = #nv_tileaa.rounding_mode<approx>} : f32
    %20 = sqrt %a rounding<approx> : tile<f32>
    // CHECK-NEXT: %[[E:.*]] = arith.extsi %arg2 : i8 to i32
    // CHECK-NEXT: math.fpowi %arg0, %[[E]] : f32, i32
    %21 = fpowi %a, %i : tile<f32>, tile<i8>
    // CHECK-NEXT: math.fpowi %arg1, %arg4 : f64, i32
    %22 = fpowi %d, %n : tile<f64>, tile<i32>
    return
  }

  // CHECK-LABEL: @compare
  entry @compare(%a: tile<f32>, %b: tile<f32>) {
    // CHECK-NEXT: cmpf oeq
    %0 = cmpf equal ordered %a, %b : tile<f32> -> tile<i1>
    // CHECK-NEXT: cmpf one
    %1 = cmpf not_equal ordered %a, %b : tile<f32> -> tile<i1>
    // CHECK-NEXT: cmpf une
    %2 = cmpf not_equal unordered %a, %b : tile<f32> -> tile<i1>
    // CHECK-NEXT: cmpf ult
    %3 = cmpf less_than unordered %a, %b : tile<f32> -> tile<i1>
    // CHECK-NEXT: cmpf ole
    %4 = cmpf less_than_or_equal ordered %a, %b : tile<f32> -> tile<i1>
    // CHECK-NEXT: cmpf ogt
    %5 = cmpf greater_than ordered %a, %b : tile<f32> -> tile<i1>
    // CHECK-NEXT: cmpf uge
    %6 = cmpf greater_than_or_equal unordered %a, %b : tile<f32> -> tile<i1>
    return
  }
}
