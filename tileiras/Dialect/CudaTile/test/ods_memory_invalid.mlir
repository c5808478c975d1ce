// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the definitions of operations on memory and views demand: the types of operands and results, the attributes, the traits.
// One case for each; test/Dialect/diagnostics.py says when one is missing.
// RUN: tileiras-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

// expected-error @below {{for op cuda_tile.alloca: Invalid attribute `num_elem` in property conversion: "wrong"}}
%r = "cuda_tile.alloca"() <{alignment = 4 : i64, global, num_elem = "wrong"}> : () -> !cuda_tile.tile<ptr<f32>>
// -----
// expected-error @below {{requires attribute 'num_elem'}}
%r = "cuda_tile.alloca"() <{alignment = 4 : i64, global}> : () -> !cuda_tile.tile<ptr<f32>>
// -----
// expected-error @below {{for op cuda_tile.alloca: Invalid attribute `alignment` in property conversion: "wrong"}}
%r = "cuda_tile.alloca"() <{alignment = "wrong", global, num_elem = 4 : i64}> : () -> !cuda_tile.tile<ptr<f32>>
// -----
// expected-error @below {{requires attribute 'alignment'}}
%r = "cuda_tile.alloca"() <{global, num_elem = 4 : i64}> : () -> !cuda_tile.tile<ptr<f32>>
// -----
// expected-error @below {{for op cuda_tile.alloca: Invalid attribute `global` in property conversion: "wrong"}}
%r = "cuda_tile.alloca"() <{alignment = 4 : i64, global = "wrong", num_elem = 4 : i64}> : () -> !cuda_tile.tile<ptr<f32>>
// -----
// expected-error @below {{result #0 must be 0D tile of Pointer type values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.alloca"() <{alignment = 4 : i64, global, num_elem = 4 : i64}> : () -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{for op cuda_tile.assume: Invalid attribute `predicate` in property conversion: "wrong"}}
%r = "cuda_tile.assume"(%v) <{predicate = "wrong"}> : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{requires attribute 'predicate'}}
%r = "cuda_tile.assume"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xf32>
// expected-error @below {{failed to verify that all of {value, result} have same type}}
%r = "cuda_tile.assume"(%v) <{predicate = #cuda_tile.bounded<0, 7>}> : (!cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xi32>
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.atomic_cas_tko: Invalid attribute `memory_ordering_semantics` in property conversion: "wrong"}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = "wrong", memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{requires attribute 'memory_ordering_semantics'}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.atomic_cas_tko: Invalid attribute `memory_scope` in property conversion: "wrong"}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = "wrong", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{requires attribute 'memory_scope'}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<4xi32>'}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi4>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<4xi4>'}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi4>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi4>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{operand #2 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<4xi4>'}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi4>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.token)
// expected-error @below {{operand #3 must be tile of i1 values, but got '!cuda_tile.tile<4xi32>'}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #4 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<i32>) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<4xi4>'}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi4>, !cuda_tile.token)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{result #1 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.tile<i32>)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{operand count (5) does not match with the total size (6) specified in attribute 'operandSegmentSizes'}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 2, 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<8xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{failed to verify that all of {pointers, cmp, val, result} have same shape}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!cuda_tile.tile<8xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{failed to verify that all of {cmp, val, result} have same type}}
%r:2 = "cuda_tile.atomic_cas_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.atomic_rmw_tko: Invalid attribute `memory_ordering_semantics` in property conversion: "wrong"}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = "wrong", memory_scope = 1 : i32, mode = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{requires attribute 'memory_ordering_semantics'}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_scope = 1 : i32, mode = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.atomic_rmw_tko: Invalid attribute `memory_scope` in property conversion: "wrong"}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 1 : i32, memory_scope = "wrong", mode = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{requires attribute 'memory_scope'}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 1 : i32, mode = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<4xi32>'}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.atomic_rmw_tko: Invalid attribute `mode` in property conversion: "wrong"}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = "wrong", operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{requires attribute 'mode'}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi4>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<4xi4>'}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi4>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.token)
// expected-error @below {{operand #2 must be tile of i1 values, but got '!cuda_tile.tile<4xi32>'}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #3 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<i32>) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<4xi4>'}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi4>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{result #1 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.tile<i32>)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{operand count (4) does not match with the total size (5) specified in attribute 'operandSegmentSizes'}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 3 : i32, operandSegmentSizes = array<i32: 2, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<8xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{failed to verify that all of {pointers, arg, result} have same shape}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<8xptr<i32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{failed to verify that all of {arg, result} have same type}}
%r:2 = "cuda_tile.atomic_rmw_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cuda_tile.tile<4xptr<i32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> (!cuda_tile.tile<4xi32>, !cuda_tile.token)
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.atomic_red_view_tko: Invalid attribute `memory_ordering_semantics` in property conversion: "wrong"}}
%r = "cuda_tile.atomic_red_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = "wrong", memory_scope = 1 : i32, mode = 4 : i32, operandSegmentSizes = array<i32: 1, 2, 1, 1>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// expected-error @below {{requires attribute 'memory_ordering_semantics'}}
%r = "cuda_tile.atomic_red_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_scope = 1 : i32, mode = 4 : i32, operandSegmentSizes = array<i32: 1, 2, 1, 1>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.atomic_red_view_tko: Invalid attribute `memory_scope` in property conversion: "wrong"}}
%r = "cuda_tile.atomic_red_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = "wrong", mode = 4 : i32, operandSegmentSizes = array<i32: 1, 2, 1, 1>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// expected-error @below {{requires attribute 'memory_scope'}}
%r = "cuda_tile.atomic_red_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, mode = 4 : i32, operandSegmentSizes = array<i32: 1, 2, 1, 1>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.token, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// expected-error @below {{operand #0 must be TileView instance, but got '!cuda_tile.token'}}
%r = "cuda_tile.atomic_red_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 4 : i32, operandSegmentSizes = array<i32: 1, 2, 1, 1>}> : (!cuda_tile.token, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.atomic_red_view_tko: Invalid attribute `mode` in property conversion: "wrong"}}
%r = "cuda_tile.atomic_red_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = "wrong", operandSegmentSizes = array<i32: 1, 2, 1, 1>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// expected-error @below {{requires attribute 'mode'}}
%r = "cuda_tile.atomic_red_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 2, 1, 1>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xi4>, !cuda_tile.token)
// expected-error @below {{operand #3 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<4x8xi4>'}}
%r = "cuda_tile.atomic_red_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 4 : i32, operandSegmentSizes = array<i32: 1, 2, 1, 1>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xi4>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #4 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.atomic_red_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 4 : i32, operandSegmentSizes = array<i32: 1, 2, 1, 1>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.tile<i32>) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// expected-error @below {{result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.atomic_red_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 4 : i32, operandSegmentSizes = array<i32: 1, 2, 1, 1>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token) -> !cuda_tile.tile<i32>
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// expected-error @below {{operand count (5) does not match with the total size (6) specified in attribute 'operandSegmentSizes'}}
%r = "cuda_tile.atomic_red_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 4 : i32, operandSegmentSizes = array<i32: 2, 2, 1, 1>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.gdc_launch_dependents_tko"(%v) : (!cuda_tile.tile<i32>) -> !cuda_tile.token
// -----
%v = "test.values"() : () -> !cuda_tile.token
// expected-error @below {{result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.gdc_launch_dependents_tko"(%v) : (!cuda_tile.token) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.gdc_wait_tko"(%v) : (!cuda_tile.tile<i32>) -> !cuda_tile.token
// -----
%v = "test.values"() : () -> !cuda_tile.token
// expected-error @below {{result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.gdc_wait_tko"(%v) : (!cuda_tile.token) -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.token
// expected-error @below {{operand #0 must be TileView instance, but got '!cuda_tile.token'}}
%r:2 = "cuda_tile.get_index_space_shape"(%v) : (!cuda_tile.token) -> (!cuda_tile.tile<i64>, !cuda_tile.tile<i64>)
// -----
%v = "test.values"() : () -> !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>
// expected-error @below {{result #0 must be variadic of 0D tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
%r:2 = "cuda_tile.get_index_space_shape"(%v) : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>) -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i64>)
// -----
%v = "test.values"() : () -> !cuda_tile.token
// expected-error @below {{operand #0 must be tensor view type, but got '!cuda_tile.token'}}
%r:2 = "cuda_tile.get_tensor_shape"(%v) : (!cuda_tile.token) -> (!cuda_tile.tile<i64>, !cuda_tile.tile<i64>)
// -----
%v = "test.values"() : () -> !cuda_tile.tensor_view<?x32xf32, strides=[?,1]>
// expected-error @below {{result #0 must be variadic of 0D tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
%r:2 = "cuda_tile.get_tensor_shape"(%v) : (!cuda_tile.tensor_view<?x32xf32, strides=[?,1]>) -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i64>)
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{operand #0 must be variadic of cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.join_tokens"(%v#0, %v#1) : (!cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.token, !cuda_tile.token)
// expected-error @below {{result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.join_tokens"(%v#0, %v#1) : (!cuda_tile.token, !cuda_tile.token) -> !cuda_tile.tile<i32>
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.load_ptr_tko: Invalid attribute `memory_ordering_semantics` in property conversion: "wrong"}}
%r:2 = "cuda_tile.load_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = "wrong", memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token)
// expected-error @below {{requires attribute 'memory_ordering_semantics'}}
%r:2 = "cuda_tile.load_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.load_ptr_tko: Invalid attribute `memory_scope` in property conversion: "wrong"}}
%r:2 = "cuda_tile.load_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 2 : i32, memory_scope = "wrong", operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token)
// expected-error @below {{operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<4xi32>'}}
%r:2 = "cuda_tile.load_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xf32>, !cuda_tile.token)
// expected-error @below {{operand #1 must be tile of i1 values, but got '!cuda_tile.tile<4xi32>'}}
%r:2 = "cuda_tile.load_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<4xf32>, !cuda_tile.token) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xi4>, !cuda_tile.token)
// expected-error @below {{operand #2 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<4xi4>'}}
%r:2 = "cuda_tile.load_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xi4>, !cuda_tile.token) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #3 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r:2 = "cuda_tile.load_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<i32>) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.load_ptr_tko: Invalid attribute `optimization_hints` in property conversion: "wrong"}}
%r:2 = "cuda_tile.load_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = "wrong"}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token)
// expected-error @below {{result #0 must be Tile type, but got '!cuda_tile.token'}}
%r:2 = "cuda_tile.load_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token) -> (!cuda_tile.token, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token)
// expected-error @below {{result #1 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r:2 = "cuda_tile.load_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token) -> (!cuda_tile.tile<4xf32>, !cuda_tile.tile<i32>)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token)
// expected-error @below {{operand count (4) does not match with the total size (5) specified in attribute 'operandSegmentSizes'}}
%r:2 = "cuda_tile.load_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 2, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<4xf32>, !cuda_tile.token) -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.load_view_tko: Invalid attribute `memory_ordering_semantics` in property conversion: "wrong"}}
%r:2 = "cuda_tile.load_view_tko"(%v#0, %v#1, %v#2, %v#3) <{inbounds = array<i1: true, false>, memory_ordering_semantics = "wrong", memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{requires attribute 'memory_ordering_semantics'}}
%r:2 = "cuda_tile.load_view_tko"(%v#0, %v#1, %v#2, %v#3) <{inbounds = array<i1: true, false>, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.load_view_tko: Invalid attribute `memory_scope` in property conversion: "wrong"}}
%r:2 = "cuda_tile.load_view_tko"(%v#0, %v#1, %v#2, %v#3) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 2 : i32, memory_scope = "wrong", operandSegmentSizes = array<i32: 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.token, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{operand #0 must be TileView instance, but got '!cuda_tile.token'}}
%r:2 = "cuda_tile.load_view_tko"(%v#0, %v#1, %v#2, %v#3) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.token, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #3 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r:2 = "cuda_tile.load_view_tko"(%v#0, %v#1, %v#2, %v#3) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.load_view_tko: Invalid attribute `optimization_hints` in property conversion: "wrong"}}
%r:2 = "cuda_tile.load_view_tko"(%v#0, %v#1, %v#2, %v#3) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 2, 1>, optimization_hints = "wrong"}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.load_view_tko: Invalid attribute `inbounds` in property conversion: "wrong"}}
%r:2 = "cuda_tile.load_view_tko"(%v#0, %v#1, %v#2, %v#3) <{inbounds = "wrong", memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{result #0 must be Tile type, but got '!cuda_tile.token'}}
%r:2 = "cuda_tile.load_view_tko"(%v#0, %v#1, %v#2, %v#3) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> (!cuda_tile.token, !cuda_tile.token)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{result #1 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r:2 = "cuda_tile.load_view_tko"(%v#0, %v#1, %v#2, %v#3) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.tile<i32>)
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{operand count (4) does not match with the total size (5) specified in attribute 'operandSegmentSizes'}}
%r:2 = "cuda_tile.load_view_tko"(%v#0, %v#1, %v#2, %v#3) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 2 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 2, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.token)
// -----
%v = "test.values"() : () -> !cuda_tile.token
// expected-error @below {{operand #0 must be tensor view type, but got '!cuda_tile.token'}}
%r = "cuda_tile.make_gather_scatter_view"(%v) : (!cuda_tile.token) -> !cuda_tile.gather_scatter_view<tile=(8x16), tensor_view<16x32xf32, strides=[32,1]>, sparse_dim=0>
// -----
%v = "test.values"() : () -> !cuda_tile.tensor_view<16x32xf32, strides=[32,1]>
// expected-error @below {{result #0 must be gather scatter view type, but got '!cuda_tile.token'}}
%r = "cuda_tile.make_gather_scatter_view"(%v) : (!cuda_tile.tensor_view<16x32xf32, strides=[32,1]>) -> !cuda_tile.token
// -----
%v = "test.values"() : () -> !cuda_tile.token
// expected-error @below {{operand #0 must be tensor view type, but got '!cuda_tile.token'}}
%r = "cuda_tile.make_partition_view"(%v) : (!cuda_tile.token) -> !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>
// -----
%v = "test.values"() : () -> !cuda_tile.tensor_view<?x32xf32, strides=[?,1]>
// expected-error @below {{result #0 must be partition view type, but got '!cuda_tile.token'}}
%r = "cuda_tile.make_partition_view"(%v) : (!cuda_tile.tensor_view<?x32xf32, strides=[?,1]>) -> !cuda_tile.token
// -----
%v = "test.values"() : () -> !cuda_tile.token
// expected-error @below {{operand #0 must be tensor view type, but got '!cuda_tile.token'}}
%r = "cuda_tile.make_strided_view"(%v) : (!cuda_tile.token) -> !cuda_tile.strided_view<tile=(8x16), traversal_strides=[4,16], tensor_view<16x32xf32, strides=[32,1]>>
// -----
%v = "test.values"() : () -> !cuda_tile.tensor_view<16x32xf32, strides=[32,1]>
// expected-error @below {{result #0 must be strided view type, but got '!cuda_tile.token'}}
%r = "cuda_tile.make_strided_view"(%v) : (!cuda_tile.tensor_view<16x32xf32, strides=[32,1]>) -> !cuda_tile.token
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #0 must be 0D tile of Pointer type values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.make_tensor_view"(%v#0, %v#1, %v#2) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<?x32xf32, strides=[?,1]>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<f32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #1 must be variadic of 0D tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
%r = "cuda_tile.make_tensor_view"(%v#0, %v#1, %v#2) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<?x32xf32, strides=[?,1]>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>)
// expected-error @below {{operand #2 must be variadic of 0D tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
%r = "cuda_tile.make_tensor_view"(%v#0, %v#1, %v#2) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tensor_view<?x32xf32, strides=[?,1]>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// expected-error @below {{result #0 must be tensor view type, but got '!cuda_tile.token'}}
%r = "cuda_tile.make_tensor_view"(%v#0, %v#1, %v#2) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.token
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand count (3) does not match with the total size (4) specified in attribute 'operandSegmentSizes'}}
%r = "cuda_tile.make_tensor_view"(%v#0, %v#1, %v#2) <{operandSegmentSizes = array<i32: 2, 1, 1>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<?x32xf32, strides=[?,1]>
// -----
// expected-error @below {{result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.make_token"() : () -> !cuda_tile.tile<i32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.memory_fence_alias_tko"(%v) : (!cuda_tile.tile<i32>) -> !cuda_tile.token
// -----
%v = "test.values"() : () -> !cuda_tile.token
// expected-error @below {{result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.memory_fence_alias_tko"(%v) : (!cuda_tile.token) -> !cuda_tile.tile<i32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.print_tko: Invalid attribute `str` in property conversion: 1 : i32}}
%r = "cuda_tile.print_tko"(%v#0, %v#1) <{operandSegmentSizes = array<i32: 1, 1>, str = 1 : i32}> : (!cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{requires attribute 'str'}}
%r = "cuda_tile.print_tko"(%v#0, %v#1) <{operandSegmentSizes = array<i32: 1, 1>}> : (!cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.token, !cuda_tile.token)
// expected-error @below {{operand #0 must be variadic of Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.print_tko"(%v#0, %v#1) <{operandSegmentSizes = array<i32: 1, 1>, str = "%d"}> : (!cuda_tile.token, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #1 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.print_tko"(%v#0, %v#1) <{operandSegmentSizes = array<i32: 1, 1>, str = "%d"}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.token
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.print_tko"(%v#0, %v#1) <{operandSegmentSizes = array<i32: 1, 1>, str = "%d"}> : (!cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.tile<i32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{operand count (2) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
%r = "cuda_tile.print_tko"(%v#0, %v#1) <{operandSegmentSizes = array<i32: 2, 1>, str = "%d"}> : (!cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.store_ptr_tko: Invalid attribute `memory_ordering_semantics` in property conversion: "wrong"}}
%r = "cuda_tile.store_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = "wrong", memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{requires attribute 'memory_ordering_semantics'}}
%r = "cuda_tile.store_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.store_ptr_tko: Invalid attribute `memory_scope` in property conversion: "wrong"}}
%r = "cuda_tile.store_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 3 : i32, memory_scope = "wrong", operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<4xi32>'}}
%r = "cuda_tile.store_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.token, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{operand #1 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.store_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.token, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi32>, !cuda_tile.token)
// expected-error @below {{operand #2 must be tile of i1 values, but got '!cuda_tile.tile<4xi32>'}}
%r = "cuda_tile.store_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #3 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.store_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.tile<i32>) -> !cuda_tile.token
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.store_ptr_tko: Invalid attribute `optimization_hints` in property conversion: "wrong"}}
%r = "cuda_tile.store_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = "wrong"}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.store_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> !cuda_tile.tile<i32>
// -----
%v:4 = "test.values"() : () -> (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token)
// expected-error @below {{operand count (4) does not match with the total size (5) specified in attribute 'operandSegmentSizes'}}
%r = "cuda_tile.store_ptr_tko"(%v#0, %v#1, %v#2, %v#3) <{memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 2, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4xptr<f32>>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi1>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.store_view_tko: Invalid attribute `memory_ordering_semantics` in property conversion: "wrong"}}
%r = "cuda_tile.store_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{inbounds = array<i1: true, false>, memory_ordering_semantics = "wrong", memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{requires attribute 'memory_ordering_semantics'}}
%r = "cuda_tile.store_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{inbounds = array<i1: true, false>, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.store_view_tko: Invalid attribute `memory_scope` in property conversion: "wrong"}}
%r = "cuda_tile.store_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 3 : i32, memory_scope = "wrong", operandSegmentSizes = array<i32: 1, 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.token, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{operand #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.store_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.token, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.token, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{operand #1 must be TileView instance, but got '!cuda_tile.token'}}
%r = "cuda_tile.store_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4x8xf32>, !cuda_tile.token, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #4 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.store_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.store_view_tko: Invalid attribute `optimization_hints` in property conversion: "wrong"}}
%r = "cuda_tile.store_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 2, 1>, optimization_hints = "wrong"}> : (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{for op cuda_tile.store_view_tko: Invalid attribute `inbounds` in property conversion: "wrong"}}
%r = "cuda_tile.store_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{inbounds = "wrong", memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.store_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.tile<i32>
// -----
%v:5 = "test.values"() : () -> (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token)
// expected-error @below {{operand count (5) does not match with the total size (6) specified in attribute 'operandSegmentSizes'}}
%r = "cuda_tile.store_view_tko"(%v#0, %v#1, %v#2, %v#3, %v#4) <{inbounds = array<i1: true, false>, memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 2, 1, 2, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 1 : i64}>}> : (!cuda_tile.tile<4x8xf32>, !cuda_tile.partition_view<tile=(4x8), tensor_view<?x32xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
