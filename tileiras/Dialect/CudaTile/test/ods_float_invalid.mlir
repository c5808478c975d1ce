// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the definitions of floating-point operations demand: the types of operands and results, the attributes, the traits.
// One case for each; test/Dialect/diagnostics.py says when one is missing.
// RUN: tileiras-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.absf"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.absf"(%v) : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.absf"(%v) : (!cuda_tile.tile<64xf16>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>)
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.addf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #1 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.addf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.addf: Invalid attribute `rounding_mode` in property conversion: "wrong"}}
%r = "cuda_tile.addf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = "wrong"}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.addf: Invalid attribute `flush_to_zero` in property conversion: "wrong"}}
%r = "cuda_tile.addf"(%v#0, %v#1) <{flush_to_zero = "wrong", rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.addf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.addf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.atan2"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #1 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.atan2"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.atan2"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf16>, !cuda_tile.tile<64xf32>)
// expected-error @below {{failed to verify that all of {x, y, result} have same type}}
%r = "cuda_tile.atan2"(%v#0, %v#1) : (!cuda_tile.tile<64xf16>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.ceil"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.ceil"(%v) : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.ceil"(%v) : (!cuda_tile.tile<64xf16>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{for op cuda_tile.cmpf: Invalid attribute `comparison_predicate` in property conversion: "wrong"}}
%r = "cuda_tile.cmpf"(%v#0, %v#1) <{comparison_ordering = #cuda_tile.comparison_ordering<ordered>, comparison_predicate = "wrong"}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{requires attribute 'comparison_predicate'}}
%r = "cuda_tile.cmpf"(%v#0, %v#1) <{comparison_ordering = #cuda_tile.comparison_ordering<ordered>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{for op cuda_tile.cmpf: Invalid attribute `comparison_ordering` in property conversion: "wrong"}}
%r = "cuda_tile.cmpf"(%v#0, %v#1) <{comparison_ordering = "wrong", comparison_predicate = #cuda_tile.comparison_predicate<less_than>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{requires attribute 'comparison_ordering'}}
%r = "cuda_tile.cmpf"(%v#0, %v#1) <{comparison_predicate = #cuda_tile.comparison_predicate<less_than>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.cmpf"(%v#0, %v#1) <{comparison_ordering = #cuda_tile.comparison_ordering<ordered>, comparison_predicate = #cuda_tile.comparison_predicate<less_than>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #1 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.cmpf"(%v#0, %v#1) <{comparison_ordering = #cuda_tile.comparison_ordering<ordered>, comparison_predicate = #cuda_tile.comparison_predicate<less_than>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{result #0 must be tile of i1 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.cmpf"(%v#0, %v#1) <{comparison_ordering = #cuda_tile.comparison_ordering<ordered>, comparison_predicate = #cuda_tile.comparison_predicate<less_than>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf16>, !cuda_tile.tile<64xf32>)
// expected-error @below {{failed to verify that all of {lhs, rhs} have same type}}
%r = "cuda_tile.cmpf"(%v#0, %v#1) <{comparison_ordering = #cuda_tile.comparison_ordering<ordered>, comparison_predicate = #cuda_tile.comparison_predicate<less_than>}> : (!cuda_tile.tile<64xf16>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{failed to verify that Result type has i1 element type and same shape as operands}}
%r = "cuda_tile.cmpf"(%v#0, %v#1) <{comparison_ordering = #cuda_tile.comparison_ordering<ordered>, comparison_predicate = #cuda_tile.comparison_predicate<less_than>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<128xi1>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.cosh"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.cosh"(%v) : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.cosh"(%v) : (!cuda_tile.tile<64xf16>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.cos"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.cos"(%v) : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.cos"(%v) : (!cuda_tile.tile<64xf16>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>)
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.divf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #1 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.divf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.divf: Invalid attribute `rounding_mode` in property conversion: "wrong"}}
%r = "cuda_tile.divf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = "wrong"}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.divf: Invalid attribute `flush_to_zero` in property conversion: "wrong"}}
%r = "cuda_tile.divf"(%v#0, %v#1) <{flush_to_zero = "wrong", rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.divf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.divf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.exp2"(%v) <{flush_to_zero}> : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{for op cuda_tile.exp2: Invalid attribute `flush_to_zero` in property conversion: "wrong"}}
%r = "cuda_tile.exp2"(%v) <{flush_to_zero = "wrong"}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.exp2"(%v) <{flush_to_zero}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.exp2"(%v) <{flush_to_zero}> : (!cuda_tile.tile<f16>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.exp"(%v) <{rounding_mode = #cuda_tile.rounding<approx>}> : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{for op cuda_tile.exp: Invalid attribute `rounding_mode` in property conversion: "wrong"}}
%r = "cuda_tile.exp"(%v) <{rounding_mode = "wrong"}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.exp"(%v) <{rounding_mode = #cuda_tile.rounding<approx>}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.exp"(%v) <{rounding_mode = #cuda_tile.rounding<approx>}> : (!cuda_tile.tile<f16>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.fpowf"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #1 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.fpowf"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.fpowf"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf16>, !cuda_tile.tile<64xf32>)
// expected-error @below {{failed to verify that all of {result, source, exponent} have same type}}
%r = "cuda_tile.fpowf"(%v#0, %v#1) : (!cuda_tile.tile<64xf16>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.fpowi"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.fpowi"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.fpowi"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<128xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {source, exponent} have same shape}}
%r = "cuda_tile.fpowi"(%v#0, %v#1) : (!cuda_tile.tile<128xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf16>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.fpowi"(%v#0, %v#1) : (!cuda_tile.tile<64xf16>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.floor"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.floor"(%v) : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.floor"(%v) : (!cuda_tile.tile<64xf16>) -> !cuda_tile.tile<64xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.fma"(%v#0, %v#1, %v#2) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>)
// expected-error @below {{operand #1 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.fma"(%v#0, %v#1, %v#2) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #2 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.fma"(%v#0, %v#1, %v#2) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.fma: Invalid attribute `rounding_mode` in property conversion: "wrong"}}
%r = "cuda_tile.fma"(%v#0, %v#1, %v#2) <{flush_to_zero, rounding_mode = "wrong"}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.fma: Invalid attribute `flush_to_zero` in property conversion: "wrong"}}
%r = "cuda_tile.fma"(%v#0, %v#1, %v#2) <{flush_to_zero = "wrong", rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.fma"(%v#0, %v#1, %v#2) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, acc, result} have same type}}
%r = "cuda_tile.fma"(%v#0, %v#1, %v#2) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.log2"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.log2"(%v) : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.log2"(%v) : (!cuda_tile.tile<64xf16>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.log"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.log"(%v) : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.log"(%v) : (!cuda_tile.tile<64xf16>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>)
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.maxf"(%v#0, %v#1) <{flush_to_zero, propagate_nan}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #1 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.maxf"(%v#0, %v#1) <{flush_to_zero, propagate_nan}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.maxf: Invalid attribute `propagate_nan` in property conversion: "wrong"}}
%r = "cuda_tile.maxf"(%v#0, %v#1) <{flush_to_zero, propagate_nan = "wrong"}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.maxf: Invalid attribute `flush_to_zero` in property conversion: "wrong"}}
%r = "cuda_tile.maxf"(%v#0, %v#1) <{flush_to_zero = "wrong", propagate_nan}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.maxf"(%v#0, %v#1) <{flush_to_zero, propagate_nan}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.maxf"(%v#0, %v#1) <{flush_to_zero, propagate_nan}> : (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>)
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.minf"(%v#0, %v#1) <{flush_to_zero, propagate_nan}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #1 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.minf"(%v#0, %v#1) <{flush_to_zero, propagate_nan}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.minf: Invalid attribute `propagate_nan` in property conversion: "wrong"}}
%r = "cuda_tile.minf"(%v#0, %v#1) <{flush_to_zero, propagate_nan = "wrong"}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.minf: Invalid attribute `flush_to_zero` in property conversion: "wrong"}}
%r = "cuda_tile.minf"(%v#0, %v#1) <{flush_to_zero = "wrong", propagate_nan}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.minf"(%v#0, %v#1) <{flush_to_zero, propagate_nan}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.minf"(%v#0, %v#1) <{flush_to_zero, propagate_nan}> : (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x16xi32>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf32>)
// expected-error @below {{operand #0 must be mmaf operand tile type of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 values, but got '!cuda_tile.tile<16x16xi32>'}}
%r = "cuda_tile.mmaf"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<16x16xi32>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf32>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xi32>, !cuda_tile.tile<16x16xf32>)
// expected-error @below {{operand #1 must be mmaf operand tile type of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 values, but got '!cuda_tile.tile<16x16xi32>'}}
%r = "cuda_tile.mmaf"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xi32>, !cuda_tile.tile<16x16xf32>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xi32>)
// expected-error @below {{operand #2 must be mmaf acc/result tile type of f16 or f32 or f64 values, but got '!cuda_tile.tile<16x16xi32>'}}
%r = "cuda_tile.mmaf"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xi32>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf32>)
// expected-error @below {{for op cuda_tile.mmaf: Invalid attribute `fast_acc` in property conversion: "wrong"}}
%r = "cuda_tile.mmaf"(%v#0, %v#1, %v#2) <{fast_acc = "wrong"}> : (!cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf32>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf32>)
// expected-error @below {{result #0 must be mmaf acc/result tile type of f16 or f32 or f64 values, but got '!cuda_tile.tile<16x16xi32>'}}
%r = "cuda_tile.mmaf"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf32>) -> !cuda_tile.tile<16x16xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf16>)
// expected-error @below {{failed to verify that all of {acc, result} have same type}}
%r = "cuda_tile.mmaf"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf16>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf32>)
// expected-error @below {{failed to verify that all of {lhs, rhs} have the same element type}}
%r = "cuda_tile.mmaf"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf32>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<1x16x16xf16>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, acc} have same rank}}
%r = "cuda_tile.mmaf"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<1x16x16xf16>, !cuda_tile.tile<16x16xf16>, !cuda_tile.tile<16x16xf32>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<16x64xi32>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>)
// expected-error @below {{operand #0 must be mmaf_scaled operand tile type of f8E4M3FN or f8E5M2 or f4E2M1FN values, but got '!cuda_tile.tile<16x64xi32>'}}
%r = "cuda_tile.mmaf_scaled"(%v#0, %v#1, %v#2, %v#3, %v#4) : (!cuda_tile.tile<16x64xi32>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xi32>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>)
// expected-error @below {{operand #1 must be mmaf_scaled operand tile type of f8E4M3FN or f8E5M2 or f4E2M1FN values, but got '!cuda_tile.tile<64x16xi32>'}}
%r = "cuda_tile.mmaf_scaled"(%v#0, %v#1, %v#2, %v#3, %v#4) : (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xi32>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xi32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>)
// expected-error @below {{operand #2 must be mmaf_scaled result tile type of f32 values, but got '!cuda_tile.tile<16x16xi32>'}}
%r = "cuda_tile.mmaf_scaled"(%v#0, %v#1, %v#2, %v#3, %v#4) : (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xi32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xi32>, !cuda_tile.tile<2x16xf8E8M0FNU>)
// expected-error @below {{operand #3 must be mmaf_scaled scale tile type of f8E4M3FN or f8E8M0FNU values, but got '!cuda_tile.tile<16x2xi32>'}}
%r = "cuda_tile.mmaf_scaled"(%v#0, %v#1, %v#2, %v#3, %v#4) : (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xi32>, !cuda_tile.tile<2x16xf8E8M0FNU>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xi32>)
// expected-error @below {{operand #4 must be mmaf_scaled scale tile type of f8E4M3FN or f8E8M0FNU values, but got '!cuda_tile.tile<2x16xi32>'}}
%r = "cuda_tile.mmaf_scaled"(%v#0, %v#1, %v#2, %v#3, %v#4) : (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xi32>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>)
// expected-error @below {{result #0 must be mmaf_scaled result tile type of f32 values, but got '!cuda_tile.tile<16x16xi32>'}}
%r = "cuda_tile.mmaf_scaled"(%v#0, %v#1, %v#2, %v#3, %v#4) : (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>) -> !cuda_tile.tile<16x16xi32>
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<32x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>)
// expected-error @below {{failed to verify that all of {acc, result} have same type}}
%r = "cuda_tile.mmaf_scaled"(%v#0, %v#1, %v#2, %v#3, %v#4) : (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<32x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<16x64xf8E5M2>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>)
// expected-error @below {{failed to verify that all of {lhs, rhs} have the same element type}}
%r = "cuda_tile.mmaf_scaled"(%v#0, %v#1, %v#2, %v#3, %v#4) : (!cuda_tile.tile<16x64xf8E5M2>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<1x16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>)
// expected-error @below {{failed to verify that all of {lhs, rhs, acc} have same rank}}
%r = "cuda_tile.mmaf_scaled"(%v#0, %v#1, %v#2, %v#3, %v#4) : (!cuda_tile.tile<1x16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E4M3FN>, !cuda_tile.tile<2x16xf8E8M0FNU>)
// expected-error @below {{failed to verify that all of {lhs_scale, rhs_scale} have the same element type}}
%r = "cuda_tile.mmaf_scaled"(%v#0, %v#1, %v#2, %v#3, %v#4) : (!cuda_tile.tile<16x64xf8E4M3FN>, !cuda_tile.tile<64x16xf8E4M3FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E4M3FN>, !cuda_tile.tile<2x16xf8E8M0FNU>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>)
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.mulf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #1 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.mulf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.mulf: Invalid attribute `rounding_mode` in property conversion: "wrong"}}
%r = "cuda_tile.mulf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = "wrong"}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.mulf: Invalid attribute `flush_to_zero` in property conversion: "wrong"}}
%r = "cuda_tile.mulf"(%v#0, %v#1) <{flush_to_zero = "wrong", rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.mulf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.mulf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.negf"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.negf"(%v) : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.negf"(%v) : (!cuda_tile.tile<64xf16>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.remf"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #1 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.remf"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.remf"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf16>, !cuda_tile.tile<64xf32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.remf"(%v#0, %v#1) : (!cuda_tile.tile<64xf16>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.rsqrt"(%v) <{flush_to_zero}> : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{for op cuda_tile.rsqrt: Invalid attribute `flush_to_zero` in property conversion: "wrong"}}
%r = "cuda_tile.rsqrt"(%v) <{flush_to_zero = "wrong"}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.rsqrt"(%v) <{flush_to_zero}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.rsqrt"(%v) <{flush_to_zero}> : (!cuda_tile.tile<f16>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.sinh"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.sinh"(%v) : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.sinh"(%v) : (!cuda_tile.tile<64xf16>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.sin"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.sin"(%v) : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.sin"(%v) : (!cuda_tile.tile<64xf16>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.sqrt"(%v) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{for op cuda_tile.sqrt: Invalid attribute `rounding_mode` in property conversion: "wrong"}}
%r = "cuda_tile.sqrt"(%v) <{flush_to_zero, rounding_mode = "wrong"}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{for op cuda_tile.sqrt: Invalid attribute `flush_to_zero` in property conversion: "wrong"}}
%r = "cuda_tile.sqrt"(%v) <{flush_to_zero = "wrong", rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.sqrt"(%v) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.sqrt"(%v) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f16>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>)
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.subf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #1 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.subf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.subf: Invalid attribute `rounding_mode` in property conversion: "wrong"}}
%r = "cuda_tile.subf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = "wrong"}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{for op cuda_tile.subf: Invalid attribute `flush_to_zero` in property conversion: "wrong"}}
%r = "cuda_tile.subf"(%v#0, %v#1) <{flush_to_zero = "wrong", rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>)
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.subf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.subf"(%v#0, %v#1) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f16>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.tanh"(%v) <{rounding_mode = #cuda_tile.rounding<approx>}> : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{for op cuda_tile.tanh: Invalid attribute `rounding_mode` in property conversion: "wrong"}}
%r = "cuda_tile.tanh"(%v) <{rounding_mode = "wrong"}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.tanh"(%v) <{rounding_mode = #cuda_tile.rounding<approx>}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.tanh"(%v) <{rounding_mode = #cuda_tile.rounding<approx>}> : (!cuda_tile.tile<f16>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.tan"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.tan"(%v) : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf16>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.tan"(%v) : (!cuda_tile.tile<64xf16>) -> !cuda_tile.tile<64xf32>
