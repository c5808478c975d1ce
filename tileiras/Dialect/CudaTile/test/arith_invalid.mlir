// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and conversions that must be refused.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
    %x = addf %i, %i : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  // expected-note @below {{prior use here}}
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{use of value '%h' expects different type than prior uses}}
    %x = addf %f, %h : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
    %x = "cuda_tile.addf"(%f, %h) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f16>) -> !cuda_tile.tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'approx'}}
    %x = addf %f, %f rounding<approx> : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
    %x = addf %h, %h flush_to_zero : tile<f16>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'nearest_away'}}
    %x = mulf %f, %f rounding<nearest_away> : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'nearest_int_to_zero'}}
    %x = subf %f, %f rounding<nearest_int_to_zero> : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{flush_to_zero modifier only supported for f32}}
    %x = fma %h, %h, %h flush_to_zero : tile<f16>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expect one of [nearest_even, zero, negative_inf, positive_inf, approx, full]}}
    %x = divf %f, %f rounding<nearest_int_to_zero> : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{full modifier only supported for f32 data type, but got: 'f16'}}
    %x = divf %h, %h rounding<full> : tile<f16>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expect one of [nearest_even, zero, negative_inf, positive_inf, approx]}}
    %x = sqrt %f rounding<full> : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{approx modifier only supported for f32 data type, but got: 'f16'}}
    %x = sqrt %h rounding<approx> : tile<f16>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [approx, full]}}
    %x = exp %f rounding<zero> : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [approx, full]}}
    %x = tanh %f rounding<zero> : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{approx modifier only supported for f32}}
    %x = tanh %h rounding<approx> : tile<f16>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{flush_to_zero modifier only supported for f32}}
    %x = exp2 %h flush_to_zero : tile<f16>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{flush_to_zero modifier only supported for f32}}
    %x = rsqrt %h flush_to_zero : tile<f16>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{flush_to_zero modifier only supported for f32}}
    %x = maxf %h, %h flush_to_zero : tile<f16>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'sideways'}}
    %x = addf %f, %f rounding<sideways> : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{operand #0 must be tile of f16}}
    %x = absf %i : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{result #0 must be tile of i1 values}}
    %x = cmpf equal ordered %f, %f : tile<f32> -> tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4xf32>
    // expected-error @below {{failed to verify that Result type has i1 element type and same shape as operands}}
    %x = cmpf equal ordered %v, %v : tile<4xf32> -> tile<i1>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected 'comparison_predicate' to be one of: {'equal', 'not_equal', 'less_than', 'less_than_or_equal', 'greater_than', 'greater_than_or_equal'}}}
    %x = cmpf sometimes ordered %f, %f : tile<f32> -> tile<i1>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @+2 {{expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}}}
    // expected-error @below {{expected valid keyword}}
    %x = cmpf equal %f, %f : tile<f32> -> tile<i1>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @+2 {{expected signedness to be one of: {'signed', 'unsigned'}}}
    // expected-error @below {{expected valid keyword}}
    %x = cmpi equal %i, %i, : tile<i32> -> tile<i1>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @+2 {{expected signedness to be one of: {'signed', 'unsigned'}}}
    // expected-error @below {{expected valid keyword}}
    %x = divi %i, %i : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [zero, negative_inf, positive_inf]}}
    %x = divi %i, %i signed rounding<nearest_even> : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{rounding mode 'negative_inf' is not allowed with 'unsigned' flag}}
    %x = divi %i, %i unsigned rounding<negative_inf> : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{'no_unsigned_wrap' overflow flag is not supported}}
    %x = negi %i overflow<no_unsigned_wrap> : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %x = addi %f, %f : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 values}}
    %x = fpowi %f, %j : tile<f32>, tile<i64>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <i32: 1> : tile<4xi32>
    // expected-error @below {{failed to verify that all of {source, exponent} have same shape}}
    %x = fpowi %f, %v : tile<f32>, tile<4xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<4x8xf16>
    %B = constant <f16: 1.0> : tile<4x8xf16>
    %C = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{ shape error: dim 1 of lhs (8) and dim 0 of rhs (4) must match, but got lhs shape (4, 8) and rhs shape (4, 8)}}
    %D = mmaf %A, %B, %C : tile<4x8xf16>, tile<4x8xf16>, tile<4x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<4x8xf16>
    %B = constant <f16: 1.0> : tile<8x4xf16>
    %C = constant <f32: 1.0> : tile<8x4xf32>
    // expected-error @below {{ shape error: dim 0 of lhs (4) and dim 0 of acc (8) must match}}
    %D = mmaf %A, %B, %C : tile<4x8xf16>, tile<8x4xf16>, tile<8x4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<4x8xf16>
    %B = constant <f16: 1.0> : tile<8x4xf16>
    %C = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{ shape error: dim 1 of rhs (4) and dim 1 of acc (8) must match}}
    %D = mmaf %A, %B, %C : tile<4x8xf16>, tile<8x4xf16>, tile<4x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<2x4x8xf16>
    %B = constant <f16: 1.0> : tile<4x8x4xf16>
    %C = constant <f32: 1.0> : tile<2x4x4xf32>
    // expected-error @below {{shape error: dim 0 of lhs (2) and dim 0 of rhs (4) must match}}
    %D = mmaf %A, %B, %C : tile<2x4x8xf16>, tile<4x8x4xf16>, tile<2x4x4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<8xf16>
    %B = constant <f16: 1.0> : tile<8xf16>
    %C = constant <f32: 1.0> : tile<8xf32>
    // expected-error @below {{operands must be 2D or 3D tiles}}
    %D = mmaf %A, %B, %C : tile<8xf16>, tile<8xf16>, tile<8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <bf16: 1.0> : tile<4x8xbf16>
    %B = constant <bf16: 1.0> : tile<8x4xbf16>
    %C = constant <f16: 1.0> : tile<4x4xf16>
    // expected-error @below {{unsupported combination of element types. Input type 'bf16' expects accumulator/result type to be one of {'f32'}, but got 'f16'}}
    %D = mmaf %A, %B, %C : tile<4x8xbf16>, tile<8x4xbf16>, tile<4x4xf16>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<4x8xf16>
    %B = constant <f16: 1.0> : tile<8x4xf16>
    %C = constant <f64: 1.0> : tile<4x4xf64>
    // expected-error @below {{unsupported combination of element types. Input type 'f16' expects accumulator/result type to be one of {'f16', 'f32'}, but got 'f64'}}
    %D = mmaf %A, %B, %C : tile<4x8xf16>, tile<8x4xf16>, tile<4x4xf64>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<4x8xf16>
    %B = constant <bf16: 1.0> : tile<8x4xbf16>
    %C = constant <f32: 1.0> : tile<4x4xf32>
    // expected-error @below {{failed to verify that all of {lhs, rhs} have the same element type}}
    %D = mmaf %A, %B, %C : tile<4x8xf16>, tile<8x4xbf16>, tile<4x4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <i32: 0> : tile<4x8xi32>
    %B = constant <i32: 0> : tile<8x4xi32>
    %C = constant <i32: 0> : tile<4x4xi32>
    // expected-error @below {{operand #0 must be mmai operand tile type of i8 values}}
    %D = mmai %A, %B, %C signed signed : tile<4x8xi32>, tile<8x4xi32>, tile<4x4xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <i8: 0> : tile<4x8xi8>
    %B = constant <i8: 0> : tile<8x4xi8>
    %C = constant <i32: 0> : tile<4x4xi32>
    // expected-error @+2 {{expected signedness to be one of: {'signed', 'unsigned'}}}
    // expected-error @below {{expected valid keyword}}
    %D = mmai %A, %B, %C signed : tile<4x8xi8>, tile<8x4xi8>, tile<4x4xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <i8: 0> : tile<4x8xi8>
    %B = constant <i8: 0> : tile<8x4xi8>
    %C = constant <f32: 1.0> : tile<4x4xf32>
    // expected-error @below {{operand #0 must be mmaf operand tile type of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 values}}
    %D = mmaf %A, %B, %C : tile<4x8xi8>, tile<8x4xi8>, tile<4x4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f8E4M3FN: 1.0> : tile<16x64xf8E4M3FN>
    %B = constant <f8E4M3FN: 1.0> : tile<64x16xf8E4M3FN>
    %C = constant <f32: 0.0> : tile<16x16xf32>
    %S = constant <f8E8M0FNU: 1.0> : tile<16x4xf8E8M0FNU>
    %R = constant <f8E8M0FNU: 1.0> : tile<4x16xf8E8M0FNU>
    // expected-error @below {{shape error: f8 element type requires block scale factor of lhs_scale and rhs_scale to be 32, but got 16}}
    %D = mmaf_scaled %A, %B, %C, %S, %R : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, tile<16x4xf8E8M0FNU>, tile<4x16xf8E8M0FNU>
  }
}

// -----

// What the parser does not let through can still stand in the generic form and in bytecode.
%f = cuda_tile.constant <f32: 1.0> : tile<f32>
// expected-error @below {{'cuda_tile.addf' op invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]}}
%x = "cuda_tile.addf"(%f, %f) <{rounding_mode = #cuda_tile.rounding<approx>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>

// -----

%f = cuda_tile.constant <f32: 1.0> : tile<f32>
// expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', 'approx', 'full'}}
%x = cuda_tile.divf %f, %f rounding<near_exact> : tile<f32>

// -----

%f = cuda_tile.constant <f32: 1.0> : tile<f32>
// expected-error @below {{expected '>'}}
%x = cuda_tile.divf %f, %f rounding<approx, full> : tile<f32>

// -----

%f = cuda_tile.constant <f32: 1.0> : tile<f32>
// expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', 'approx'}}
%x = cuda_tile.sqrt %f rounding<up> : tile<f32>

// -----

%f = cuda_tile.constant <f32: 1.0> : tile<f32>
// expected-error @below {{expected rounding mode to be one of: 'approx', 'full'}}
%x = cuda_tile.exp %f rounding<up> : tile<f32>
