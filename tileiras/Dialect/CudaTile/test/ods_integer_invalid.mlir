// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the definitions of integer operations and conversions demand: the types of operands and results, the attributes, the traits.
// One case for each; test/Dialect/diagnostics.py says when one is missing.
// RUN: tileiras-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.absi"(%v) : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.absi"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi1>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.absi"(%v) : (!cuda_tile.tile<64xi1>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.addi"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.addi"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{for op cuda_tile.addi: Invalid attribute `overflow` in property conversion: "wrong"}}
%r = "cuda_tile.addi"(%v#0, %v#1) <{overflow = "wrong"}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.addi"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.addi"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.andi"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.andi"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.andi"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.andi"(%v#0, %v#1) : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi4>
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<64xi4>'}}
%r = "cuda_tile.bitcast"(%v) : (!cuda_tile.tile<64xi4>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<64xi4>'}}
%r = "cuda_tile.bitcast"(%v) : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi4>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<128xf32>
// expected-error @below {{failed to verify that all of {source, result} have same shape}}
%r = "cuda_tile.bitcast"(%v) : (!cuda_tile.tile<128xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{for op cuda_tile.cmpi: Invalid attribute `comparison_predicate` in property conversion: "wrong"}}
%r = "cuda_tile.cmpi"(%v#0, %v#1) <{comparison_predicate = "wrong", signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{requires attribute 'comparison_predicate'}}
%r = "cuda_tile.cmpi"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.cmpi"(%v#0, %v#1) <{comparison_predicate = #cuda_tile.comparison_predicate<less_than>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.cmpi"(%v#0, %v#1) <{comparison_predicate = #cuda_tile.comparison_predicate<less_than>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{for op cuda_tile.cmpi: Invalid attribute `signedness` in property conversion: "wrong"}}
%r = "cuda_tile.cmpi"(%v#0, %v#1) <{comparison_predicate = #cuda_tile.comparison_predicate<less_than>, signedness = "wrong"}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{requires attribute 'signedness'}}
%r = "cuda_tile.cmpi"(%v#0, %v#1) <{comparison_predicate = #cuda_tile.comparison_predicate<less_than>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of i1 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.cmpi"(%v#0, %v#1) <{comparison_predicate = #cuda_tile.comparison_predicate<less_than>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {lhs, rhs} have same type}}
%r = "cuda_tile.cmpi"(%v#0, %v#1) <{comparison_predicate = #cuda_tile.comparison_predicate<less_than>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that Result type has i1 element type and same shape as operands}}
%r = "cuda_tile.cmpi"(%v#0, %v#1) <{comparison_predicate = #cuda_tile.comparison_predicate<less_than>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<128xi1>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
%r = "cuda_tile.divi"(%v#0, %v#1) <{rounding = #cuda_tile.rounding<positive_inf>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
%r = "cuda_tile.divi"(%v#0, %v#1) <{rounding = #cuda_tile.rounding<positive_inf>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// expected-error @below {{for op cuda_tile.divi: Invalid attribute `signedness` in property conversion: "wrong"}}
%r = "cuda_tile.divi"(%v#0, %v#1) <{rounding = #cuda_tile.rounding<positive_inf>, signedness = "wrong"}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// expected-error @below {{requires attribute 'signedness'}}
%r = "cuda_tile.divi"(%v#0, %v#1) <{rounding = #cuda_tile.rounding<positive_inf>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// expected-error @below {{for op cuda_tile.divi: Invalid attribute `rounding` in property conversion: "wrong"}}
%r = "cuda_tile.divi"(%v#0, %v#1) <{rounding = "wrong", signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
%r = "cuda_tile.divi"(%v#0, %v#1) <{rounding = #cuda_tile.rounding<positive_inf>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i1>, !cuda_tile.tile<i32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.divi"(%v#0, %v#1) <{rounding = #cuda_tile.rounding<positive_inf>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<i1>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 or i4 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.exti"(%v) <{signedness = #cuda_tile.signedness<unsigned>}> : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi8>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi1>
// expected-error @below {{for op cuda_tile.exti: Invalid attribute `signedness` in property conversion: "wrong"}}
%r = "cuda_tile.exti"(%v) <{signedness = "wrong"}> : (!cuda_tile.tile<64xi1>) -> !cuda_tile.tile<64xi8>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi1>
// expected-error @below {{requires attribute 'signedness'}}
%r = "cuda_tile.exti"(%v) : (!cuda_tile.tile<64xi1>) -> !cuda_tile.tile<64xi8>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi1>
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 or i4 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.exti"(%v) <{signedness = #cuda_tile.signedness<unsigned>}> : (!cuda_tile.tile<64xi1>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<128xi1>
// expected-error @below {{failed to verify that all of {from, to} have same shape}}
%r = "cuda_tile.exti"(%v) <{signedness = #cuda_tile.signedness<unsigned>}> : (!cuda_tile.tile<128xi1>) -> !cuda_tile.tile<64xi8>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.ftof"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf16>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{for op cuda_tile.ftof: Invalid attribute `rounding_mode` in property conversion: "wrong"}}
%r = "cuda_tile.ftof"(%v) <{rounding_mode = "wrong"}> : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xf16>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.ftof"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<128xf32>
// expected-error @below {{failed to verify that all of {from, to} have same shape}}
%r = "cuda_tile.ftof"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<128xf32>) -> !cuda_tile.tile<64xf16>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.ftoi"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_int_to_zero>, saturating, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{for op cuda_tile.ftoi: Invalid attribute `signedness` in property conversion: "wrong"}}
%r = "cuda_tile.ftoi"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_int_to_zero>, saturating, signedness = "wrong"}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{requires attribute 'signedness'}}
%r = "cuda_tile.ftoi"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_int_to_zero>, saturating}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{for op cuda_tile.ftoi: Invalid attribute `rounding_mode` in property conversion: "wrong"}}
%r = "cuda_tile.ftoi"(%v) <{rounding_mode = "wrong", saturating, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{for op cuda_tile.ftoi: Invalid attribute `saturating` in property conversion: "wrong"}}
%r = "cuda_tile.ftoi"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_int_to_zero>, saturating = "wrong", signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<f32>
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
%r = "cuda_tile.ftoi"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_int_to_zero>, saturating, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<1xf32>
// expected-error @below {{failed to verify that all of {from, to} have same shape}}
%r = "cuda_tile.ftoi"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_int_to_zero>, saturating, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<1xf32>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.itof"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_even>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{for op cuda_tile.itof: Invalid attribute `signedness` in property conversion: "wrong"}}
%r = "cuda_tile.itof"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_even>, signedness = "wrong"}> : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{requires attribute 'signedness'}}
%r = "cuda_tile.itof"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{for op cuda_tile.itof: Invalid attribute `rounding_mode` in property conversion: "wrong"}}
%r = "cuda_tile.itof"(%v) <{rounding_mode = "wrong", signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{result #0 must be tile of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.itof"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_even>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<128xi32>
// expected-error @below {{failed to verify that all of {from, to} have same shape}}
%r = "cuda_tile.itof"(%v) <{rounding_mode = #cuda_tile.rounding<nearest_even>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<128xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be tile of i64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.int_to_ptr"(%v) : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<ptr<i32>>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i64>
// expected-error @below {{result #0 must be tile of Pointer type values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.int_to_ptr"(%v) : (!cuda_tile.tile<i64>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<1xi64>
// expected-error @below {{failed to verify that all of {source, result} have same shape}}
%r = "cuda_tile.int_to_ptr"(%v) : (!cuda_tile.tile<1xi64>) -> !cuda_tile.tile<ptr<i32>>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.maxi"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.maxi"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{for op cuda_tile.maxi: Invalid attribute `signedness` in property conversion: "wrong"}}
%r = "cuda_tile.maxi"(%v#0, %v#1) <{signedness = "wrong"}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{requires attribute 'signedness'}}
%r = "cuda_tile.maxi"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.maxi"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.maxi"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.mini"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.mini"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{for op cuda_tile.mini: Invalid attribute `signedness` in property conversion: "wrong"}}
%r = "cuda_tile.mini"(%v#0, %v#1) <{signedness = "wrong"}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{requires attribute 'signedness'}}
%r = "cuda_tile.mini"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.mini"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.mini"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x32xi32>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>)
// expected-error @below {{operand #0 must be mmai operand tile type of i8 values, but got '!cuda_tile.tile<16x32xi32>'}}
%r = "cuda_tile.mmai"(%v#0, %v#1, %v#2) <{signedness_lhs = #cuda_tile.signedness<signed>, signedness_rhs = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<16x32xi32>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>) -> !cuda_tile.tile<16x16xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi32>, !cuda_tile.tile<16x16xi32>)
// expected-error @below {{operand #1 must be mmai operand tile type of i8 values, but got '!cuda_tile.tile<32x16xi32>'}}
%r = "cuda_tile.mmai"(%v#0, %v#1, %v#2) <{signedness_lhs = #cuda_tile.signedness<signed>, signedness_rhs = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi32>, !cuda_tile.tile<16x16xi32>) -> !cuda_tile.tile<16x16xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xf32>)
// expected-error @below {{operand #2 must be mmai acc tile type of i32 values, but got '!cuda_tile.tile<16x16xf32>'}}
%r = "cuda_tile.mmai"(%v#0, %v#1, %v#2) <{signedness_lhs = #cuda_tile.signedness<signed>, signedness_rhs = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xf32>) -> !cuda_tile.tile<16x16xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>)
// expected-error @below {{for op cuda_tile.mmai: Invalid attribute `signedness_lhs` in property conversion: "wrong"}}
%r = "cuda_tile.mmai"(%v#0, %v#1, %v#2) <{signedness_lhs = "wrong", signedness_rhs = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>) -> !cuda_tile.tile<16x16xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>)
// expected-error @below {{requires attribute 'signedness_lhs'}}
%r = "cuda_tile.mmai"(%v#0, %v#1, %v#2) <{signedness_rhs = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>) -> !cuda_tile.tile<16x16xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>)
// expected-error @below {{for op cuda_tile.mmai: Invalid attribute `signedness_rhs` in property conversion: "wrong"}}
%r = "cuda_tile.mmai"(%v#0, %v#1, %v#2) <{signedness_lhs = #cuda_tile.signedness<signed>, signedness_rhs = "wrong"}> : (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>) -> !cuda_tile.tile<16x16xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>)
// expected-error @below {{requires attribute 'signedness_rhs'}}
%r = "cuda_tile.mmai"(%v#0, %v#1, %v#2) <{signedness_lhs = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>) -> !cuda_tile.tile<16x16xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>)
// expected-error @below {{result #0 must be mmai result tile type of i32 values, but got '!cuda_tile.tile<16x16xf32>'}}
%r = "cuda_tile.mmai"(%v#0, %v#1, %v#2) <{signedness_lhs = #cuda_tile.signedness<signed>, signedness_rhs = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>) -> !cuda_tile.tile<16x16xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<32x16xi32>)
// expected-error @below {{failed to verify that all of {acc, result} have same type}}
%r = "cuda_tile.mmai"(%v#0, %v#1, %v#2) <{signedness_lhs = #cuda_tile.signedness<signed>, signedness_rhs = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<32x16xi32>) -> !cuda_tile.tile<16x16xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<1x16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, acc} have same rank}}
%r = "cuda_tile.mmai"(%v#0, %v#1, %v#2) <{signedness_lhs = #cuda_tile.signedness<signed>, signedness_rhs = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<1x16x32xi8>, !cuda_tile.tile<32x16xi8>, !cuda_tile.tile<16x16xi32>) -> !cuda_tile.tile<16x16xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.muli"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.muli"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{for op cuda_tile.muli: Invalid attribute `overflow` in property conversion: "wrong"}}
%r = "cuda_tile.muli"(%v#0, %v#1) <{overflow = "wrong"}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.muli"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.muli"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.mulhii"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.mulhii"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.mulhii"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {x, y, result} have same type}}
%r = "cuda_tile.mulhii"(%v#0, %v#1) : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.negi"(%v) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{for op cuda_tile.negi: Invalid attribute `overflow` in property conversion: "wrong"}}
%r = "cuda_tile.negi"(%v) <{overflow = "wrong"}> : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.negi"(%v) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi1>
// expected-error @below {{failed to verify that all of {source, result} have same type}}
%r = "cuda_tile.negi"(%v) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi1>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.ori"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.ori"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.ori"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.ori"(%v#0, %v#1) : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.ptr_to_int"(%v) : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i64>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<ptr<i32>>
// expected-error @below {{result #0 must be tile of i64 values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.ptr_to_int"(%v) : (!cuda_tile.tile<ptr<i32>>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<1xptr<i32>>
// expected-error @below {{failed to verify that all of {source, result} have same shape}}
%r = "cuda_tile.ptr_to_int"(%v) : (!cuda_tile.tile<1xptr<i32>>) -> !cuda_tile.tile<i64>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.ptr_to_ptr"(%v) : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<ptr<i32>>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<ptr<f32>>
// expected-error @below {{result #0 must be tile of Pointer type values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.ptr_to_ptr"(%v) : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<1xptr<f32>>
// expected-error @below {{failed to verify that all of {source, result} have same shape}}
%r = "cuda_tile.ptr_to_ptr"(%v) : (!cuda_tile.tile<1xptr<f32>>) -> !cuda_tile.tile<ptr<i32>>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.remi"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.remi"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{for op cuda_tile.remi: Invalid attribute `signedness` in property conversion: "wrong"}}
%r = "cuda_tile.remi"(%v#0, %v#1) <{signedness = "wrong"}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{requires attribute 'signedness'}}
%r = "cuda_tile.remi"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.remi"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {result, lhs, rhs} have same type}}
%r = "cuda_tile.remi"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.shli"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.shli"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{for op cuda_tile.shli: Invalid attribute `overflow` in property conversion: "wrong"}}
%r = "cuda_tile.shli"(%v#0, %v#1) <{overflow = "wrong"}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.shli"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.shli"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.shri"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.shri"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{for op cuda_tile.shri: Invalid attribute `signedness` in property conversion: "wrong"}}
%r = "cuda_tile.shri"(%v#0, %v#1) <{signedness = "wrong"}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{requires attribute 'signedness'}}
%r = "cuda_tile.shri"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.shri"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.shri"(%v#0, %v#1) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.subi"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.subi"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{for op cuda_tile.subi: Invalid attribute `overflow` in property conversion: "wrong"}}
%r = "cuda_tile.subi"(%v#0, %v#1) <{overflow = "wrong"}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.subi"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.subi"(%v#0, %v#1) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 or i4 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.trunci"(%v) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi8>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{for op cuda_tile.trunci: Invalid attribute `overflow` in property conversion: "wrong"}}
%r = "cuda_tile.trunci"(%v) <{overflow = "wrong"}> : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi8>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 or i4 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.trunci"(%v) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<128xi32>
// expected-error @below {{failed to verify that all of {from, to} have same shape}}
%r = "cuda_tile.trunci"(%v) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<128xi32>) -> !cuda_tile.tile<64xi8>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.xori"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.xori"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.xori"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same type}}
%r = "cuda_tile.xori"(%v#0, %v#1) : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
