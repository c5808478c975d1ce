// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every arithmetic, matrix and conversion op: printed as written, defaults left out.
// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s
// RUN: tileiras-opt -mlir-print-op-generic %s | tileiras-opt | FileCheck %s

// CHECK-LABEL: cuda_tile.module @m {
cuda_tile.module @m {
  // CHECK-LABEL: entry @float(
  entry @float() {
    %f = constant <f32: 1.0> : tile<8xf32>
    %h = constant <f16: 1.0> : tile<8xf16>
    %d = constant <f64: 1.0> : tile<8xf64>
    %i = constant <i32: 1> : tile<8xi32>
    %c = constant <i1: 1> : tile<8xi1>
    // CHECK: absf {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %absf0 = absf %f : tile<8xf32>
    // CHECK: negf {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %negf0 = negf %f : tile<8xf32>
    // CHECK: ceil {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %ceil0 = ceil %f : tile<8xf32>
    // CHECK: floor {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %floor0 = floor %f : tile<8xf32>
    // CHECK: cos {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %cos0 = cos %f : tile<8xf32>
    // CHECK: sin {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %sin0 = sin %f : tile<8xf32>
    // CHECK: tan {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %tan0 = tan %f : tile<8xf32>
    // CHECK: cosh {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %cosh0 = cosh %f : tile<8xf32>
    // CHECK: sinh {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %sinh0 = sinh %f : tile<8xf32>
    // CHECK: log {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %log0 = log %f : tile<8xf32>
    // CHECK: log2 {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %log20 = log2 %f : tile<8xf32>
    // CHECK: exp {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %exp0 = exp %f : tile<8xf32>
    // CHECK: exp2 {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %exp20 = exp2 %f : tile<8xf32>
    // CHECK: rsqrt {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %rsqrt0 = rsqrt %f : tile<8xf32>
    // CHECK: sqrt {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %sqrt0 = sqrt %f : tile<8xf32>
    // CHECK: tanh {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %tanh0 = tanh %f : tile<8xf32>
    // CHECK: exp {{%[a-zA-Z_0-9]+}} rounding<approx> : tile<8xf32>
    %e1 = exp %f rounding<approx> : tile<8xf32>
    // CHECK: exp {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %e2 = exp %f rounding<full> : tile<8xf32>
    // CHECK: exp2 {{%[a-zA-Z_0-9]+}} flush_to_zero : tile<8xf32>
    %e3 = exp2 %f flush_to_zero : tile<8xf32>
    // CHECK: rsqrt {{%[a-zA-Z_0-9]+}} flush_to_zero : tile<8xf32>
    %e4 = rsqrt %f flush_to_zero : tile<8xf32>
    // CHECK: sqrt {{%[a-zA-Z_0-9]+}} rounding<approx> flush_to_zero : tile<8xf32>
    %e5 = sqrt %f rounding<approx> flush_to_zero : tile<8xf32>
    // CHECK: sqrt {{%[a-zA-Z_0-9]+}} rounding<zero> : tile<8xf16>
    %e6 = sqrt %h rounding<zero> : tile<8xf16>
    // CHECK: tanh {{%[a-zA-Z_0-9]+}} rounding<approx> : tile<8xf32>
    %e7 = tanh %f rounding<approx> : tile<8xf32>
    // CHECK: addf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} rounding<positive_inf> flush_to_zero : tile<8xf32>
    %addf1 = addf %f, %f rounding<positive_inf> flush_to_zero : tile<8xf32>
    // CHECK: addf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xf64>
    %addf2 = addf %d, %d rounding<nearest_even> : tile<8xf64>
    // CHECK: subf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} rounding<positive_inf> flush_to_zero : tile<8xf32>
    %subf1 = subf %f, %f rounding<positive_inf> flush_to_zero : tile<8xf32>
    // CHECK: subf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xf64>
    %subf2 = subf %d, %d rounding<nearest_even> : tile<8xf64>
    // CHECK: mulf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} rounding<positive_inf> flush_to_zero : tile<8xf32>
    %mulf1 = mulf %f, %f rounding<positive_inf> flush_to_zero : tile<8xf32>
    // CHECK: mulf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xf64>
    %mulf2 = mulf %d, %d rounding<nearest_even> : tile<8xf64>
    // CHECK: divf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} rounding<full> flush_to_zero : tile<8xf32>
    %g0 = divf %f, %f rounding<full> flush_to_zero : tile<8xf32>
    // CHECK: divf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} rounding<approx> : tile<8xf32>
    %g1 = divf %f, %f rounding<approx> : tile<8xf32>
    // CHECK: remf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xf16>
    %g2 = remf %h, %h : tile<8xf16>
    // CHECK: fma {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} rounding<negative_inf> flush_to_zero : tile<8xf32>
    %g3 = fma %f, %f, %f rounding<negative_inf> flush_to_zero : tile<8xf32>
    // CHECK: fma {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xf64>
    %g4 = fma %d, %d, %d : tile<8xf64>
    // CHECK: maxf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} flush_to_zero propagate_nan : tile<8xf32>
    %g5 = maxf %f, %f flush_to_zero propagate_nan : tile<8xf32>
    // CHECK: minf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} flush_to_zero propagate_nan : tile<8xf32>
    %g6 = minf %f, %f propagate_nan flush_to_zero : tile<8xf32>
    // CHECK: fpowf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %g7 = fpowf %f, %f : tile<8xf32>
    // CHECK: fpowf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xf16>
    %g8 = pow %h, %h : tile<8xf16>
    // CHECK: fpowi {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xf32>, tile<8xi32>
    %g9 = fpowi %f, %i : tile<8xf32>, tile<8xi32>
    // CHECK: atan2 {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xf32>
    %ga = atan2 %f, %f : tile<8xf32>
    // CHECK: cmpf less_than ordered {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xf32> -> tile<8xi1>
    %gb = cmpf less_than ordered %f, %f : tile<8xf32> -> tile<8xi1>
    // CHECK: cmpf not_equal unordered {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xf64> -> tile<8xi1>
    %gc = cmpf not_equal unordered %d, %d : tile<8xf64> -> tile<8xi1>
    // CHECK: addf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} {note = 1 : i32} : tile<8xf32>
    %gd = addf %f, %f {note = 1 : i32} : tile<8xf32>
  }

  // CHECK-LABEL: entry @int(
  entry @int() {
    %i = constant <i32: 1> : tile<8xi32>
    %s = constant <i8: 1> : tile<8xi8>
    %l = constant <i64: 1> : tile<8xi64>
    %c = constant <i1: 1> : tile<8xi1>
    // CHECK: absi {{%[a-zA-Z_0-9]+}} : tile<8xi32>
    %0 = absi %i : tile<8xi32>
    // CHECK: negi {{%[a-zA-Z_0-9]+}} overflow<no_signed_wrap> : tile<8xi32>
    %1 = negi %i overflow<no_signed_wrap> : tile<8xi32>
    // CHECK: negi {{%[a-zA-Z_0-9]+}} : tile<8xi8>
    %2 = negi %s : tile<8xi8>
    // CHECK: addi {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} overflow<no_wrap> : tile<8xi32>
    %3 = addi %i, %i overflow<no_wrap> : tile<8xi32>
    // CHECK: subi {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} overflow<no_unsigned_wrap> : tile<8xi32>
    %4 = subi %i, %i overflow<no_unsigned_wrap> : tile<8xi32>
    // CHECK: muli {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xi64>
    %5 = muli %l, %l : tile<8xi64>
    // CHECK: shli {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xi32>
    %6 = shli %i, %i overflow<none> : tile<8xi32>
    // CHECK: shri {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} signed : tile<8xi32>
    %7 = shri %i, %i signed : tile<8xi32>
    // CHECK: remi {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} unsigned : tile<8xi32>
    %8 = remi %i, %i unsigned : tile<8xi32>
    // CHECK: maxi {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} signed : tile<8xi32>
    %9 = maxi %i, %i signed : tile<8xi32>
    // CHECK: mini {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} unsigned : tile<8xi32>
    %10 = mini %i, %i unsigned : tile<8xi32>
    // CHECK: andi {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xi1>
    %11 = andi %c, %c : tile<8xi1>
    // CHECK: ori {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xi32>
    %12 = ori %i, %i : tile<8xi32>
    // CHECK: xori {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xi8>
    %13 = xori %s, %s : tile<8xi8>
    // CHECK: mulhii {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xi32>
    %14 = mulhii %i, %i : tile<8xi32>
    // CHECK: divi {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} signed : tile<8xi32>
    %15 = divi %i, %i signed : tile<8xi32>
    // CHECK: divi {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} signed rounding<negative_inf> : tile<8xi32>
    %16 = divi %i, %i signed rounding<negative_inf> : tile<8xi32>
    // CHECK: divi {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} unsigned rounding<positive_inf> : tile<8xi32>
    %17 = divi %i, %i unsigned rounding<positive_inf> : tile<8xi32>
    // CHECK: divi {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} unsigned : tile<8xi32>
    %18 = divi %i, %i unsigned rounding<zero> : tile<8xi32>
    // CHECK: cmpi greater_than_or_equal {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, unsigned : tile<8xi64> -> tile<8xi1>
    %19 = cmpi greater_than_or_equal %l, %l, unsigned : tile<8xi64> -> tile<8xi1>
  }

  // CHECK-LABEL: entry @mma(
  entry @mma() {
    %a = constant <f16: 1.0> : tile<16x32xf16>
    %b = constant <f16: 1.0> : tile<32x8xf16>
    %c = constant <f32: 0.0> : tile<16x8xf32>
    // CHECK: mmaf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<16x32xf16>, tile<32x8xf16>, tile<16x8xf32>
    %0 = mmaf %a, %b, %c : tile<16x32xf16>, tile<32x8xf16>, tile<16x8xf32>
    // CHECK: mmaf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} fast_acc : tile<16x32xf16>, tile<32x8xf16>, tile<16x8xf32>
    %1 = mmaf %a, %b, %c fast_acc : tile<16x32xf16>, tile<32x8xf16>, tile<16x8xf32>
  }

  // CHECK-LABEL: entry @mmai(
  entry @mmai() {
    %a = constant <i8: 1> : tile<16x32xi8>
    %b = constant <i8: 1> : tile<32x8xi8>
    %c = constant <i32: 0> : tile<16x8xi32>
    // CHECK: mmai {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} signed unsigned : tile<16x32xi8>, tile<32x8xi8>, tile<16x8xi32>
    %0 = mmai %a, %b, %c signed unsigned : tile<16x32xi8>, tile<32x8xi8>, tile<16x8xi32>
    %x = constant <tf32: 1.0> : tile<2x4x8xtf32>
    %y = constant <tf32: 1.0> : tile<2x8x4xtf32>
    %z = constant <f32: 1.0> : tile<2x4x4xf32>
    // CHECK: mmaf {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<2x4x8xtf32>, tile<2x8x4xtf32>, tile<2x4x4xf32>
    %1 = mmaf %x, %y, %z : tile<2x4x8xtf32>, tile<2x8x4xtf32>, tile<2x4x4xf32>
  }

  // CHECK-LABEL: entry @scaled(
  entry @scaled() {
    %A = constant <f8E5M2: 1.0> : tile<16x64xf8E5M2>
    %B = constant <f8E5M2: 1.0> : tile<64x16xf8E5M2>
    %C = constant <f32: 0.0> : tile<16x16xf32>
    %S = constant <f8E8M0FNU: 1.0> : tile<16x2xf8E8M0FNU>
    %T = constant <f8E8M0FNU: 1.0> : tile<2x16xf8E8M0FNU>
    // CHECK: mmaf_scaled {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<16x64xf8E5M2>, tile<64x16xf8E5M2>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
    %0 = mmaf_scaled %A, %B, %C, %S, %T : tile<16x64xf8E5M2>, tile<64x16xf8E5M2>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
    %D = constant <f4E2M1FN: 1.0> : tile<16x64xf4E2M1FN>
    %E = constant <f4E2M1FN: 1.0> : tile<64x16xf4E2M1FN>
    %U = constant <f8E4M3FN: 1.0> : tile<16x4xf8E4M3FN>
    %V = constant <f8E4M3FN: 1.0> : tile<4x16xf8E4M3FN>
    // CHECK: mmaf_scaled {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x4xf8E4M3FN>, tile<4x16xf8E4M3FN>
    %1 = mmaf_scaled %D, %E, %C, %U, %V : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x4xf8E4M3FN>, tile<4x16xf8E4M3FN>
  }

  // CHECK-LABEL: entry @convert(
  entry @convert() {
    %f = constant <f32: 1.0> : tile<8xf32>
    %h = constant <f16: 1.0> : tile<8xf16>
    %d = constant <f64: 1.0> : tile<8xf64>
    %i = constant <i32: 1> : tile<8xi32>
    %c = constant <i1: 1> : tile<8xi1>
    %l = constant <i64: 1> : tile<8xi64>
    %t = constant <tf32: 1.0> : tile<8xtf32>
    %e = constant <f8E8M0FNU: 1.0> : tile<8xf8E8M0FNU>
    // CHECK: bitcast {{%[a-zA-Z_0-9]+}} : tile<8xf32> -> tile<8xi32>
    %0 = bitcast %f : tile<8xf32> -> tile<8xi32>
    // CHECK: exti {{%[a-zA-Z_0-9]+}} unsigned : tile<8xi1> -> tile<8xi32>
    %1 = exti %c unsigned : tile<8xi1> -> tile<8xi32>
    // CHECK: trunci {{%[a-zA-Z_0-9]+}} : tile<8xi32> -> tile<8xi4>
    %2 = trunci %i : tile<8xi32> -> tile<8xi4>
    // CHECK: exti {{%[a-zA-Z_0-9]+}} signed : tile<8xi4> -> tile<8xi8>
    %3 = exti %2 signed : tile<8xi4> -> tile<8xi8>
    // CHECK: trunci {{%[a-zA-Z_0-9]+}} overflow<no_signed_wrap> : tile<8xi32> -> tile<8xi8>
    %4 = trunci %i overflow<no_signed_wrap> : tile<8xi32> -> tile<8xi8>
    // CHECK: ftof {{%[a-zA-Z_0-9]+}} : tile<8xf32> -> tile<8xf16>
    %5 = ftof %f : tile<8xf32> -> tile<8xf16>
    // CHECK: ftof {{%[a-zA-Z_0-9]+}} rounding<zero> : tile<8xf32> -> tile<8xbf16>
    %6 = ftof %f rounding<zero> : tile<8xf32> -> tile<8xbf16>
    // CHECK: ftof {{%[a-zA-Z_0-9]+}} rounding<nearest_away> : tile<8xf32> -> tile<8xtf32>
    %7 = ftof %f rounding<nearest_away> : tile<8xf32> -> tile<8xtf32>
    // CHECK: ftof {{%[a-zA-Z_0-9]+}} rounding<negative_inf> : tile<8xf64> -> tile<8xf32>
    %8 = ftof %d rounding<negative_inf> : tile<8xf64> -> tile<8xf32>
    // CHECK: ftof {{%[a-zA-Z_0-9]+}} rounding<zero> : tile<8xf32> -> tile<8xf8E8M0FNU>
    %9 = ftof %f rounding<zero> : tile<8xf32> -> tile<8xf8E8M0FNU>
    // CHECK: ftof {{%[a-zA-Z_0-9]+}} rounding<nearest_away> : tile<8xf16> -> tile<8xf32>
    %10 = ftof %h rounding<nearest_away> : tile<8xf16> -> tile<8xf32>
    // CHECK: ftof {{%[a-zA-Z_0-9]+}} : tile<8xf8E8M0FNU> -> tile<8xf32>
    %11 = ftof %e : tile<8xf8E8M0FNU> -> tile<8xf32>
    // CHECK: ftof {{%[a-zA-Z_0-9]+}} : tile<8xtf32> -> tile<8xf32>
    %12 = ftof %t : tile<8xtf32> -> tile<8xf32>
    // CHECK: ftof {{%[a-zA-Z_0-9]+}} rounding<positive_inf> : tile<8xf8E8M0FNU> -> tile<8xf64>
    %13 = ftof %e rounding<positive_inf> : tile<8xf8E8M0FNU> -> tile<8xf64>
    // CHECK: ftof {{%[a-zA-Z_0-9]+}} : tile<8xf32> -> tile<8xf4E2M1FN>
    %14 = ftof %f : tile<8xf32> -> tile<8xf4E2M1FN>
    // CHECK: ftoi {{%[a-zA-Z_0-9]+}} signed : tile<8xf32> -> tile<8xi32>
    %15 = ftoi %f signed : tile<8xf32> -> tile<8xi32>
    // CHECK: ftoi {{%[a-zA-Z_0-9]+}} unsigned saturating : tile<8xf32> -> tile<8xi64>
    %16 = ftoi %f unsigned rounding<nearest_int_to_zero> saturating : tile<8xf32> -> tile<8xi64>
    // CHECK: itof {{%[a-zA-Z_0-9]+}} signed : tile<8xi32> -> tile<8xf16>
    %17 = itof %i signed : tile<8xi32> -> tile<8xf16>
    // CHECK: itof {{%[a-zA-Z_0-9]+}} unsigned : tile<8xi64> -> tile<8xf64>
    %18 = itof %l unsigned rounding<nearest_even> : tile<8xi64> -> tile<8xf64>
    // CHECK: int_to_ptr {{%[a-zA-Z_0-9]+}} : tile<8xi64> -> tile<8xptr<f16>>
    %19 = int_to_ptr %l : tile<8xi64> -> tile<8xptr<f16>>
    // CHECK: ptr_to_ptr {{%[a-zA-Z_0-9]+}} : tile<8xptr<f16>> -> tile<8xptr<i32>>
    %20 = ptr_to_ptr %19 : tile<8xptr<f16>> -> tile<8xptr<i32>>
    // CHECK: ptr_to_int {{%[a-zA-Z_0-9]+}} : tile<8xptr<i32>> -> tile<8xi64>
    %21 = ptr_to_int %20 : tile<8xptr<i32>> -> tile<8xi64>
  }
}
