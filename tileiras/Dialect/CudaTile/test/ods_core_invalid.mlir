// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the definitions of operations that move values, of control flow and of modules demand: the types of operands and results, the attributes, the traits.
// One case for each; test/Dialect/diagnostics.py says when one is missing.
// RUN: tileiras-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be tile of i1 values, but got '!cuda_tile.tile<i32>'}}
"cuda_tile.assert"(%v) <{message = "few tile blocks"}> : (!cuda_tile.tile<i32>) -> ()
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i1>
// expected-error @below {{for op cuda_tile.assert: Invalid attribute `message` in property conversion: 1 : i32}}
"cuda_tile.assert"(%v) <{message = 1 : i32}> : (!cuda_tile.tile<i1>) -> ()
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i1>
// expected-error @below {{requires attribute 'message'}}
"cuda_tile.assert"(%v) : (!cuda_tile.tile<i1>) -> ()
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>)
// expected-error @below {{expects parent op to be one of 'cuda_tile.if, cuda_tile.loop'}}
"cuda_tile.break"(%v#0, %v#1) : (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> ()
// -----
%v = "test.values"() : () -> !cuda_tile.token
// expected-error @below {{operand #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.broadcast"(%v) : (!cuda_tile.token) -> !cuda_tile.tile<4xptr<f32>>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<1xptr<f32>>
// expected-error @below {{result #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.broadcast"(%v) : (!cuda_tile.tile<1xptr<f32>>) -> !cuda_tile.token
// -----
%v = "test.values"() : () -> !cuda_tile.tile<1xi32>
// expected-error @below {{requires the same element type for all operands and results}}
%r = "cuda_tile.broadcast"(%v) : (!cuda_tile.tile<1xi32>) -> !cuda_tile.tile<4xptr<f32>>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<1x1xptr<f32>>
// expected-error @below {{failed to verify that all of {source, result} have same rank}}
%r = "cuda_tile.broadcast"(%v) : (!cuda_tile.tile<1x1xptr<f32>>) -> !cuda_tile.tile<4xptr<f32>>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.token, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.cat"(%v#0, %v#1) <{dim = 0 : i64}> : (!cuda_tile.token, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<128xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.token)
// expected-error @below {{operand #1 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.cat"(%v#0, %v#1) <{dim = 0 : i64}> : (!cuda_tile.tile<64xf32>, !cuda_tile.token) -> !cuda_tile.tile<128xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{for op cuda_tile.cat: Invalid attribute `dim` in property conversion: "wrong"}}
%r = "cuda_tile.cat"(%v#0, %v#1) <{dim = "wrong"}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<128xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{requires attribute 'dim'}}
%r = "cuda_tile.cat"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<128xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{result #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.cat"(%v#0, %v#1) <{dim = 0 : i64}> : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.token
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have the same element type}}
%r = "cuda_tile.cat"(%v#0, %v#1) <{dim = 0 : i64}> : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<128xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<1x64xf32>, !cuda_tile.tile<64xf32>)
// expected-error @below {{failed to verify that all of {lhs, rhs, result} have same rank}}
%r = "cuda_tile.cat"(%v#0, %v#1) <{dim = 0 : i64}> : (!cuda_tile.tile<1x64xf32>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<128xf32>
// -----
// expected-error @below {{for op cuda_tile.constant: Invalid attribute `value` in property conversion: "wrong"}}
%r = "cuda_tile.constant"() <{value = "wrong"}> : () -> !cuda_tile.tile<4xi1>
// -----
// expected-error @below {{requires attribute 'value'}}
%r = "cuda_tile.constant"() : () -> !cuda_tile.tile<4xi1>
// -----
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<4xi4>'}}
%r = "cuda_tile.constant"() <{value = dense<true> : !cuda_tile.tile<4xi1>}> : () -> !cuda_tile.tile<4xi4>
// -----
// expected-error @below {{failed to verify that all of {value, result} have same type}}
%r = "cuda_tile.constant"() <{value = dense<true> : !cuda_tile.tile<4xi1>}> : () -> !cuda_tile.tile<4xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>)
// expected-error @below {{expects parent op to be one of 'cuda_tile.for, cuda_tile.if, cuda_tile.loop'}}
"cuda_tile.continue"(%v#0, %v#1) : (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> ()
// -----
// expected-error @below {{for op cuda_tile.entry: Invalid attribute `sym_name` in property conversion: 1 : i32}}
"cuda_tile.entry"() <{sym_name = 1 : i32, function_type = () -> (), arg_attrs = [], res_attrs = [], optimization_hints = #cuda_tile.optimization_hints<>}> ({ "cuda_tile.return"() : () -> () }) : () -> ()
// -----
// expected-error @below {{requires attribute 'sym_name'}}
"cuda_tile.entry"() <{function_type = () -> (), arg_attrs = [], res_attrs = [], optimization_hints = #cuda_tile.optimization_hints<>}> ({ "cuda_tile.return"() : () -> () }) : () -> ()
// -----
// expected-error @below {{for op cuda_tile.entry: Invalid attribute `function_type` in property conversion: "wrong"}}
"cuda_tile.entry"() <{sym_name = "e", function_type = "wrong", arg_attrs = [], res_attrs = [], optimization_hints = #cuda_tile.optimization_hints<>}> ({ "cuda_tile.return"() : () -> () }) : () -> ()
// -----
// expected-error @below {{requires attribute 'function_type'}}
"cuda_tile.entry"() <{sym_name = "e", arg_attrs = [], res_attrs = [], optimization_hints = #cuda_tile.optimization_hints<>}> ({ "cuda_tile.return"() : () -> () }) : () -> ()
// -----
// expected-error @below {{for op cuda_tile.entry: Invalid attribute `arg_attrs` in property conversion: "wrong"}}
"cuda_tile.entry"() <{sym_name = "e", function_type = () -> (), arg_attrs = "wrong", res_attrs = [], optimization_hints = #cuda_tile.optimization_hints<>}> ({ "cuda_tile.return"() : () -> () }) : () -> ()
// -----
// expected-error @below {{for op cuda_tile.entry: Invalid attribute `res_attrs` in property conversion: "wrong"}}
"cuda_tile.entry"() <{sym_name = "e", function_type = () -> (), arg_attrs = [], res_attrs = "wrong", optimization_hints = #cuda_tile.optimization_hints<>}> ({ "cuda_tile.return"() : () -> () }) : () -> ()
// -----
// expected-error @below {{for op cuda_tile.entry: Invalid attribute `optimization_hints` in property conversion: "wrong"}}
"cuda_tile.entry"() <{sym_name = "e", function_type = () -> (), arg_attrs = [], res_attrs = [], optimization_hints = "wrong"}> ({ "cuda_tile.return"() : () -> () }) : () -> ()
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.token, !cuda_tile.tile<i32>)
// expected-error @below {{operand #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.extract"(%v#0, %v#1) : (!cuda_tile.token, !cuda_tile.tile<i32>) -> !cuda_tile.tile<16xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<f32>)
// expected-error @below {{operand #1 must be variadic of 0D tile of i32 values, but got '!cuda_tile.tile<f32>'}}
%r = "cuda_tile.extract"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<16xf32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xf32>, !cuda_tile.tile<i32>)
// expected-error @below {{result #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.extract"(%v#0, %v#1) : (!cuda_tile.tile<64xf32>, !cuda_tile.tile<i32>) -> !cuda_tile.token
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<1x64xf32>, !cuda_tile.tile<i32>)
// expected-error @below {{failed to verify that all of {source, result} have same rank}}
%r = "cuda_tile.extract"(%v#0, %v#1) : (!cuda_tile.tile<1x64xf32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<16xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #0 must be 0D tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
"cuda_tile.for"(%v#0, %v#1, %v#2) <{unsignedCmp}> ({ ^bb0(%i: !cuda_tile.tile<i32>): "cuda_tile.continue"() : () -> () }) : (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #1 must be 0D tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
"cuda_tile.for"(%v#0, %v#1, %v#2) <{unsignedCmp}> ({ ^bb0(%i: !cuda_tile.tile<i32>): "cuda_tile.continue"() : () -> () }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> ()
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>)
// expected-error @below {{operand #2 must be 0D tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
"cuda_tile.for"(%v#0, %v#1, %v#2) <{unsignedCmp}> ({ ^bb0(%i: !cuda_tile.tile<i32>): "cuda_tile.continue"() : () -> () }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> ()
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// expected-error @below {{for op cuda_tile.for: Invalid attribute `unsignedCmp` in property conversion: "wrong"}}
"cuda_tile.for"(%v#0, %v#1, %v#2) <{unsignedCmp = "wrong"}> ({ ^bb0(%i: !cuda_tile.tile<i32>): "cuda_tile.continue"() : () -> () }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<i1>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// expected-error @below {{failed to verify that all of {lowerBound, upperBound, step} have same type}}
"cuda_tile.for"(%v#0, %v#1, %v#2) <{unsignedCmp}> ({ ^bb0(%i: !cuda_tile.tile<i32>): "cuda_tile.continue"() : () -> () }) : (!cuda_tile.tile<i1>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
// -----
// expected-error @below {{for op cuda_tile.get_global: Invalid attribute `name` in property conversion: "wrong"}}
%r = "cuda_tile.get_global"() <{name = "wrong"}> : () -> !cuda_tile.tile<ptr<i32>>
// -----
// expected-error @below {{requires attribute 'name'}}
%r = "cuda_tile.get_global"() : () -> !cuda_tile.tile<ptr<i32>>
// -----
// expected-error @below {{result #0 must be 0D tile of Pointer type values, but got '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.get_global"() <{name = @table}> : () -> !cuda_tile.tile<i32>
// -----
// expected-error @below {{result #0 must be 0D tile of i32 values, but got '!cuda_tile.tile<f32>'}}
%r:3 = "cuda_tile.get_num_tile_blocks"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// -----
// expected-error @below {{result #0 must be 0D tile of i32 values, but got '!cuda_tile.tile<f32>'}}
%r:3 = "cuda_tile.get_num_tile_blocks"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// -----
// expected-error @below {{result #0 must be 0D tile of i32 values, but got '!cuda_tile.tile<f32>'}}
%r:3 = "cuda_tile.get_num_tile_blocks"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// -----
// expected-error @below {{result #0 must be 0D tile of i32 values, but got '!cuda_tile.tile<f32>'}}
%r:3 = "cuda_tile.get_tile_block_id"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// -----
// expected-error @below {{result #0 must be 0D tile of i32 values, but got '!cuda_tile.tile<f32>'}}
%r:3 = "cuda_tile.get_tile_block_id"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// -----
// expected-error @below {{result #0 must be 0D tile of i32 values, but got '!cuda_tile.tile<f32>'}}
%r:3 = "cuda_tile.get_tile_block_id"() : () -> (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
// -----
// expected-error @below {{for op cuda_tile.global: Invalid attribute `sym_name` in property conversion: 1 : i32}}
"cuda_tile.global"() <{alignment = 0 : i64, sym_name = 1 : i32, symbol_visibility = #cuda_tile.symbol_visibility<public>, value = dense<[3, 1, 4, 1]> : !cuda_tile.tile<4xi32>}> : () -> ()
// -----
// expected-error @below {{for op cuda_tile.global: Invalid attribute `value` in property conversion: "wrong"}}
"cuda_tile.global"() <{alignment = 0 : i64, sym_name = "table", symbol_visibility = #cuda_tile.symbol_visibility<public>, value = "wrong"}> : () -> ()
// -----
// expected-error @below {{for op cuda_tile.global: Invalid attribute `alignment` in property conversion: "wrong"}}
"cuda_tile.global"() <{alignment = "wrong", sym_name = "table", symbol_visibility = #cuda_tile.symbol_visibility<public>, value = dense<[3, 1, 4, 1]> : !cuda_tile.tile<4xi32>}> : () -> ()
// -----
// expected-error @below {{for op cuda_tile.global: Invalid attribute `constant` in property conversion: "wrong"}}
"cuda_tile.global"() <{alignment = 0 : i64, sym_name = "table", symbol_visibility = #cuda_tile.symbol_visibility<public>, value = dense<[3, 1, 4, 1]> : !cuda_tile.tile<4xi32>, constant = "wrong"}> : () -> ()
// -----
// expected-error @below {{for op cuda_tile.global: Invalid attribute `symbol_visibility` in property conversion: "wrong"}}
"cuda_tile.global"() <{alignment = 0 : i64, sym_name = "table", symbol_visibility = "wrong", value = dense<[3, 1, 4, 1]> : !cuda_tile.tile<4xi32>}> : () -> ()
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{operand #0 must be 0D tile of i1 values, but got '!cuda_tile.tile<i32>'}}
"cuda_tile.if"(%v) ({ "cuda_tile.yield"() : () -> () }, {}) : (!cuda_tile.tile<i32>) -> ()
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.token, !cuda_tile.tile<64xf32>, !cuda_tile.tile<i32>)
// expected-error @below {{operand #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.insert"(%v#0, %v#1, %v#2) : (!cuda_tile.token, !cuda_tile.tile<64xf32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<64xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16xf32>, !cuda_tile.token, !cuda_tile.tile<i32>)
// expected-error @below {{operand #1 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.insert"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<16xf32>, !cuda_tile.token, !cuda_tile.tile<i32>) -> !cuda_tile.tile<64xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16xf32>, !cuda_tile.tile<64xf32>, !cuda_tile.tile<f32>)
// expected-error @below {{operand #2 must be variadic of 0D tile of i32 values, but got '!cuda_tile.tile<f32>'}}
%r = "cuda_tile.insert"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<16xf32>, !cuda_tile.tile<64xf32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<64xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16xf32>, !cuda_tile.tile<64xf32>, !cuda_tile.tile<i32>)
// expected-error @below {{result #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.insert"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<16xf32>, !cuda_tile.tile<64xf32>, !cuda_tile.tile<i32>) -> !cuda_tile.token
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16xf32>, !cuda_tile.tile<64xi32>, !cuda_tile.tile<i32>)
// expected-error @below {{failed to verify that all of {destination, result} have same type}}
%r = "cuda_tile.insert"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<16xf32>, !cuda_tile.tile<64xi32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<64xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<16xi32>, !cuda_tile.tile<64xf32>, !cuda_tile.tile<i32>)
// expected-error @below {{failed to verify that all of {source, destination} have the same element type}}
%r = "cuda_tile.insert"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<16xi32>, !cuda_tile.tile<64xf32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<64xf32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<1x16xf32>, !cuda_tile.tile<64xf32>, !cuda_tile.tile<i32>)
// expected-error @below {{failed to verify that all of {source, destination} have same rank}}
%r = "cuda_tile.insert"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<1x16xf32>, !cuda_tile.tile<64xf32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<64xf32>
// -----
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.iota"() : () -> !cuda_tile.tile<64xf32>
// -----
// expected-error @below {{for op cuda_tile.module: Invalid attribute `sym_name` in property conversion: 1 : i32}}
"cuda_tile.module"() <{sym_name = 1 : i32, producer = "p"}> ({ }) : () -> ()
// -----
// expected-error @below {{requires attribute 'sym_name'}}
"cuda_tile.module"() <{producer = "p"}> ({ }) : () -> ()
// -----
// expected-error @below {{for op cuda_tile.module: Invalid attribute `producer` in property conversion: 1 : i32}}
"cuda_tile.module"() <{sym_name = "m", producer = 1 : i32}> ({ }) : () -> ()
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.offset"(%v#0, %v#1) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xptr<f32>>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xptr<f32>>, !cuda_tile.tile<64xf32>)
// expected-error @below {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<64xf32>'}}
%r = "cuda_tile.offset"(%v#0, %v#1) : (!cuda_tile.tile<64xptr<f32>>, !cuda_tile.tile<64xf32>) -> !cuda_tile.tile<64xptr<f32>>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xptr<f32>>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be tile of Pointer type values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.offset"(%v#0, %v#1) : (!cuda_tile.tile<64xptr<f32>>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xptr<f32>>, !cuda_tile.tile<128xi32>)
// expected-error @below {{requires the same shape for all operands and results}}
%r = "cuda_tile.offset"(%v#0, %v#1) : (!cuda_tile.tile<64xptr<f32>>, !cuda_tile.tile<128xi32>) -> !cuda_tile.tile<64xptr<f32>>
// -----
%v:2 = "test.values"() : () -> (!cuda_tile.tile<64xptr<i32>>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {result, ptr} have same type}}
%r = "cuda_tile.offset"(%v#0, %v#1) : (!cuda_tile.tile<64xptr<i32>>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xptr<f32>>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xptr<f32>>
// expected-error @below {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i4 values, but got '!cuda_tile.tile<64xptr<f32>>'}}
%r = "cuda_tile.pack"(%v) : (!cuda_tile.tile<64xptr<f32>>) -> !cuda_tile.tile<256xi8>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<64xi32>
// expected-error @below {{result #0 must be tile of i8 values, but got '!cuda_tile.tile<256xi32>'}}
%r = "cuda_tile.pack"(%v) : (!cuda_tile.tile<64xi32>) -> !cuda_tile.tile<256xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.token
// expected-error @below {{operand #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.permute"(%v) <{permutation = array<i32: 1, 0>}> : (!cuda_tile.token) -> !cuda_tile.tile<16x8xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8x16xf32>
// expected-error @below {{for op cuda_tile.permute: Invalid attribute `permutation` in property conversion: "wrong"}}
%r = "cuda_tile.permute"(%v) <{permutation = "wrong"}> : (!cuda_tile.tile<8x16xf32>) -> !cuda_tile.tile<16x8xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8x16xf32>
// expected-error @below {{requires attribute 'permutation'}}
%r = "cuda_tile.permute"(%v) : (!cuda_tile.tile<8x16xf32>) -> !cuda_tile.tile<16x8xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8x16xf32>
// expected-error @below {{result #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.permute"(%v) <{permutation = array<i32: 1, 0>}> : (!cuda_tile.tile<8x16xf32>) -> !cuda_tile.token
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8x16xi32>
// expected-error @below {{failed to verify that all of {source, result} have the same element type}}
%r = "cuda_tile.permute"(%v) <{permutation = array<i32: 1, 0>}> : (!cuda_tile.tile<8x16xi32>) -> !cuda_tile.tile<16x8xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<1x8x16xf32>
// expected-error @below {{failed to verify that all of {source, result} have same rank}}
%r = "cuda_tile.permute"(%v) <{permutation = array<i32: 1, 0>}> : (!cuda_tile.tile<1x8x16xf32>) -> !cuda_tile.tile<16x8xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.token
// expected-error @below {{operand #0 must be variadic of Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.reduce"(%v) <{dim = 0 : i32, identities = [0.0 : f32]}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.token) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8xf32>
// expected-error @below {{for op cuda_tile.reduce: Invalid attribute `dim` in property conversion: "wrong"}}
%r = "cuda_tile.reduce"(%v) <{dim = "wrong", identities = [0.0 : f32]}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8xf32>
// expected-error @below {{requires attribute 'dim'}}
%r = "cuda_tile.reduce"(%v) <{identities = [0.0 : f32]}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8xf32>
// expected-error @below {{for op cuda_tile.reduce: Invalid attribute `identities` in property conversion: "wrong"}}
%r = "cuda_tile.reduce"(%v) <{dim = 0 : i32, identities = "wrong"}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8xf32>
// expected-error @below {{requires attribute 'identities'}}
%r = "cuda_tile.reduce"(%v) <{dim = 0 : i32}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<f32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8xf32>
// expected-error @below {{result #0 must be variadic of Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.reduce"(%v) <{dim = 0 : i32, identities = [0.0 : f32]}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.token
// -----
%v = "test.values"() : () -> !cuda_tile.token
// expected-error @below {{operand #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.reshape"(%v) : (!cuda_tile.token) -> !cuda_tile.tile<1xptr<f32>>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<ptr<f32>>
// expected-error @below {{result #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.reshape"(%v) : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.token
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{requires the same element type for all operands and results}}
%r = "cuda_tile.reshape"(%v) : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<1xptr<f32>>
// -----
%v = "test.values"() : () -> !cuda_tile.token
// expected-error @below {{operand #0 must be variadic of Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.scan"(%v) <{dim = 0 : i32, identities = [0.0 : f32], reverse = false}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.token) -> !cuda_tile.tile<8xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8xf32>
// expected-error @below {{for op cuda_tile.scan: Invalid attribute `dim` in property conversion: "wrong"}}
%r = "cuda_tile.scan"(%v) <{dim = "wrong", identities = [0.0 : f32], reverse = false}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<8xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8xf32>
// expected-error @below {{requires attribute 'dim'}}
%r = "cuda_tile.scan"(%v) <{identities = [0.0 : f32], reverse = false}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<8xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8xf32>
// expected-error @below {{for op cuda_tile.scan: Invalid attribute `reverse` in property conversion: "wrong"}}
%r = "cuda_tile.scan"(%v) <{dim = 0 : i32, identities = [0.0 : f32], reverse = "wrong"}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<8xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8xf32>
// expected-error @below {{requires attribute 'reverse'}}
%r = "cuda_tile.scan"(%v) <{dim = 0 : i32, identities = [0.0 : f32]}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<8xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8xf32>
// expected-error @below {{for op cuda_tile.scan: Invalid attribute `identities` in property conversion: "wrong"}}
%r = "cuda_tile.scan"(%v) <{dim = 0 : i32, identities = "wrong", reverse = false}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<8xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8xf32>
// expected-error @below {{requires attribute 'identities'}}
%r = "cuda_tile.scan"(%v) <{dim = 0 : i32, reverse = false}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<8xf32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<8xf32>
// expected-error @below {{result #0 must be variadic of Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.scan"(%v) <{dim = 0 : i32, identities = [0.0 : f32], reverse = false}> ({ ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>): "cuda_tile.yield"(%a) : (!cuda_tile.tile<f32>) -> () }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.token
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #0 must be tile of i1 values, but got '!cuda_tile.tile<64xi32>'}}
%r = "cuda_tile.select"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.token, !cuda_tile.tile<64xi32>)
// expected-error @below {{operand #1 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.select"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<64xi1>, !cuda_tile.token, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>, !cuda_tile.token)
// expected-error @below {{operand #2 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.select"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>, !cuda_tile.token) -> !cuda_tile.tile<64xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{result #0 must be Tile type, but got '!cuda_tile.token'}}
%r = "cuda_tile.select"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.token
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {val_if_true, val_if_false, result} have same type}}
%r = "cuda_tile.select"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<64xi1>, !cuda_tile.tile<64xf32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v:3 = "test.values"() : () -> (!cuda_tile.tile<128xi1>, !cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>)
// expected-error @below {{failed to verify that all of {cond, val_if_true, val_if_false, result} have same shape}}
%r = "cuda_tile.select"(%v#0, %v#1, %v#2) : (!cuda_tile.tile<128xi1>, !cuda_tile.tile<64xi32>, !cuda_tile.tile<64xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<256xi32>
// expected-error @below {{operand #0 must be tile of i8 values, but got '!cuda_tile.tile<256xi32>'}}
%r = "cuda_tile.unpack"(%v) : (!cuda_tile.tile<256xi32>) -> !cuda_tile.tile<64xi32>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<256xi8>
// expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i4 values, but got '!cuda_tile.tile<64xptr<f32>>'}}
%r = "cuda_tile.unpack"(%v) : (!cuda_tile.tile<256xi8>) -> !cuda_tile.tile<64xptr<f32>>
// -----
%v = "test.values"() : () -> !cuda_tile.tile<i32>
// expected-error @below {{expects parent op to be one of 'cuda_tile.if, cuda_tile.reduce, cuda_tile.scan'}}
"cuda_tile.yield"(%v) : (!cuda_tile.tile<i32>) -> ()
