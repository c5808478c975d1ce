// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions, terminators and module-level operations that the definitions of the operations do not allow.
// RUN: tileiras-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

// expected-error @below {{'cuda_tile.module' op region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks}}
"cuda_tile.module"() <{sym_name = "m"}> ({}) : () -> ()

// -----

// expected-error @below {{'cuda_tile.module' op region should have no arguments}}
"cuda_tile.module"() <{sym_name = "m"}> ({
^bb0(%a: i32):
}) : () -> ()

// -----

// expected-note @below {{required by region isolation constraints}}
cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.print_tko' op using value defined outside the region}}
  %t = print_tko "%d", %x : tile<i32> -> token
}
%x = cuda_tile.constant <i32: 1> : tile<i32>

// -----

// expected-note @below {{see existing symbol definition here}}
cuda_tile.module @m {}
// expected-error @below {{redefinition of symbol named 'm'}}
cuda_tile.module @m {}

// -----

cuda_tile.module @m {
  // expected-note @below {{see existing symbol definition here}}
  global @g <i32: 1> : tile<1xi32>
  // expected-error @below {{redefinition of symbol named 'g'}}
  entry @g() {}
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.entry' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "cuda_tile.entry"() <{sym_name = "e", function_type = () -> ()}> ({}) : () -> ()
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.entry' op expects region #0 to have 0 or 1 blocks}}
  "cuda_tile.entry"() <{sym_name = "e", function_type = () -> ()}> ({
    "cuda_tile.return"() : () -> ()
  ^bb1:
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @m {
  // expected-error @below {{entry block must have 1 arguments to match function signature}}
  "cuda_tile.entry"() <{sym_name = "e", function_type = (!cuda_tile.tile<i32>) -> ()}> ({
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @m {
  // expected-error @below {{type of entry block argument #0('!cuda_tile.tile<f32>') must match the type of the corresponding argument in function signature('!cuda_tile.tile<i32>')}}
  "cuda_tile.entry"() <{sym_name = "e", function_type = (!cuda_tile.tile<i32>) -> ()}> ({
  ^bb0(%a: !cuda_tile.tile<f32>):
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @m {
  // expected-error @+2 {{'cuda_tile.entry' op expects regions to end with 'cuda_tile.return', found 'test.end'}}
  // expected-note @below {{the absence of terminator implies 'cuda_tile.return'}}
  "cuda_tile.entry"() <{sym_name = "e", function_type = () -> ()}> ({
    "test.end"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @m {
  %x = constant <i32: 1> : tile<i32>
  // expected-note @below {{required by region isolation constraints}}
  entry @e() {
    // expected-error @below {{'cuda_tile.addi' op using value defined outside the region}}
    %y = addi %x, %x : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    // expected-error @below {{'cuda_tile.return' op must be the last operation in the parent block}}
    return
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.global' op requires attribute 'sym_name'}}
  "cuda_tile.global"() <{value = dense<1> : tensor<1xi32>}> : () -> ()
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.global' op requires attribute 'value'}}
  "cuda_tile.global"() <{sym_name = "g"}> : () -> ()
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.global' op type must be a tile, but got 'tensor<1xi32>'}}
  "cuda_tile.global"() <{sym_name = "g", value = dense<1> : tensor<1xi32>}> : () -> ()
}

// -----

// expected-error @below {{'cuda_tile.global' op expects parent op 'cuda_tile.module'}}
cuda_tile.global @g <i32: 1> : tile<1xi32>

// -----

%i = cuda_tile.constant <i32: 1> : tile<i32>
// expected-error @below {{'cuda_tile.for' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
"cuda_tile.for"(%i, %i, %i) ({}) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()

// -----

%i = cuda_tile.constant <i32: 1> : tile<i32>
// expected-error @below {{'cuda_tile.for' op `for` is missing a valid terminator: expected `continue`}}
"cuda_tile.for"(%i, %i, %i) ({
^bb0(%k: !cuda_tile.tile<i32>):
  "test.end"() : () -> ()
}) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()

// -----

%i = cuda_tile.constant <i32: 1> : tile<i32>
// expected-error @below {{'cuda_tile.for' op failed to verify that all of {initValues, resultValues} have same type}}
%r = "cuda_tile.for"(%i, %i, %i, %i) ({
^bb0(%k: !cuda_tile.tile<i32>, %a: !cuda_tile.tile<i32>):
  "cuda_tile.continue"(%a) : (!cuda_tile.tile<i32>) -> ()
}) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<f32>

// -----

%i = cuda_tile.constant <i32: 1> : tile<i32>
%f = cuda_tile.constant <f32: 1.0> : tile<f32>
// expected-error @below {{'cuda_tile.for' op init value 0 and region iter_value 0 have different type: '!cuda_tile.tile<f32>' != '!cuda_tile.tile<i32>'}}
%r = "cuda_tile.for"(%i, %i, %i, %f) ({
^bb0(%k: !cuda_tile.tile<i32>, %a: !cuda_tile.tile<i32>):
  "cuda_tile.continue"(%f) : (!cuda_tile.tile<f32>) -> ()
}) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>

// -----

%i = cuda_tile.constant <i32: 1> : tile<i32>
cuda_tile.for %k in (%i to %i, step %i) : tile<i32> {
  // expected-error @below {{'cuda_tile.continue' op must be the last operation in the parent block}}
  continue
  continue
}

// -----

// expected-error @below {{'cuda_tile.loop' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
"cuda_tile.loop"() ({}) : () -> ()

// -----

// expected-error @below {{'cuda_tile.loop' op `loop` is missing a valid terminator: expected `continue`, `break` or `return`}}
"cuda_tile.loop"() ({
  "test.end"() : () -> ()
}) : () -> ()

// -----

// expected-error @below {{'cuda_tile.loop' op mismatch in number of region iterator values and loop iterator inits: 1 vs 0}}
"cuda_tile.loop"() ({
^bb0(%a: !cuda_tile.tile<i32>):
  "cuda_tile.break"() : () -> ()
}) : () -> ()

// -----

%f = cuda_tile.constant <f32: 1.0> : tile<f32>
// expected-error @below {{'cuda_tile.loop' op init value 0 and region iter_value 0 have different type: '!cuda_tile.tile<f32>' != '!cuda_tile.tile<i32>'}}
"cuda_tile.loop"(%f) ({
^bb0(%a: !cuda_tile.tile<i32>):
  "cuda_tile.break"() : () -> ()
}) : (!cuda_tile.tile<f32>) -> ()

// -----

cuda_tile.loop {
  // expected-error @below {{'cuda_tile.break' op must be the last operation in the parent block}}
  break
  break
}

// -----

%b = cuda_tile.constant <i1: true> : tile<i1>
// expected-error @below {{'cuda_tile.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks}}
"cuda_tile.if"(%b) ({}, {}) : (!cuda_tile.tile<i1>) -> ()

// -----

%b = cuda_tile.constant <i1: true> : tile<i1>
// expected-error @below {{'cuda_tile.if' op expects region #1 to have 0 or 1 blocks}}
"cuda_tile.if"(%b) ({
  "cuda_tile.yield"() : () -> ()
}, {
  "cuda_tile.yield"() : () -> ()
^bb1:
  "cuda_tile.yield"() : () -> ()
}) : (!cuda_tile.tile<i1>) -> ()

// -----

%b = cuda_tile.constant <i1: true> : tile<i1>
// expected-error @below {{'cuda_tile.if' op region #0 should have no arguments}}
"cuda_tile.if"(%b) ({
^bb0(%a: i32):
  "cuda_tile.yield"() : () -> ()
}, {}) : (!cuda_tile.tile<i1>) -> ()

// -----

%b = cuda_tile.constant <i1: true> : tile<i1>
// expected-error @below {{'cuda_tile.if' op then branch is missing a valid terminator}}
"cuda_tile.if"(%b) ({
  "test.end"() : () -> ()
}, {}) : (!cuda_tile.tile<i1>) -> ()

// -----

%b = cuda_tile.constant <i1: true> : tile<i1>
// expected-error @below {{'cuda_tile.if' op else branch is missing a valid terminator}}
"cuda_tile.if"(%b) ({
  "cuda_tile.yield"() : () -> ()
}, {
  "test.end"() : () -> ()
}) : (!cuda_tile.tile<i1>) -> ()

// -----

%b = cuda_tile.constant <i1: true> : tile<i1>
cuda_tile.if %b {
  // expected-error @below {{'cuda_tile.yield' op must be the last operation in the parent block}}
  yield
  yield
}

// -----

%b = cuda_tile.constant <i1: true> : tile<i1>
// expected-note @below {{see unexpected ancestor operation}}
"test.region"() ({
  cuda_tile.if %b {
    // expected-error @below {{'cuda_tile.break' op can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations}}
    break
  }
  "test.end"() : () -> ()
}) : () -> ()

// -----

%b = cuda_tile.constant <i1: true> : tile<i1>
// expected-note @below {{see unexpected ancestor operation}}
"test.region"() ({
  cuda_tile.if %b {
    // expected-error @below {{'cuda_tile.continue' op can only be nested within a ancestor chain of 'cuda_tile.for', 'cuda_tile.loop', 'cuda_tile.if' operations}}
    continue
  }
  "test.end"() : () -> ()
}) : () -> ()

// -----

%v = cuda_tile.constant <f32: 1.0> : tile<8xf32>
// expected-error @below {{'cuda_tile.reduce' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
%r = "cuda_tile.reduce"(%v) <{dim = 0 : i32, identities = [0.0 : f32]}> ({}) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<f32>

// -----

%v = cuda_tile.constant <f32: 1.0> : tile<8xf32>
// expected-error @below {{'cuda_tile.scan' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
%r = "cuda_tile.scan"(%v) <{dim = 0 : i32, identities = [0.0 : f32], reverse = false}> ({}) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<8xf32>

// -----

%v = cuda_tile.constant <f32: 1.0> : tile<8xf32>
// expected-error @below {{'cuda_tile.reduce' op expects a non-empty block}}
%r = "cuda_tile.reduce"(%v) <{dim = 0 : i32, identities = [0.0 : f32]}> ({
^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>):
}) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<f32>

// -----

%v = cuda_tile.constant <f32: 1.0> : tile<8xf32>
// expected-error @below {{'cuda_tile.reduce' op expect the body to end with 'cuda_tile.yield'}}
%r = "cuda_tile.reduce"(%v) <{dim = 0 : i32, identities = [0.0 : f32]}> ({
^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>):
  "test.end"() : () -> ()
}) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<f32>

// -----

%v = cuda_tile.constant <f32: 1.0> : tile<8xf32>
// expected-error @below {{'cuda_tile.reduce' op expect 0-rank tile type for terminator argument at index: 0 but got: '!cuda_tile.tile<8xf32>'}}
%r = "cuda_tile.reduce"(%v) <{dim = 0 : i32, identities = [0.0 : f32]}> ({
^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>):
  "cuda_tile.yield"(%v) : (!cuda_tile.tile<8xf32>) -> ()
}) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<f32>

// -----

%v = cuda_tile.constant <f32: 1.0> : tile<8xf32>
// expected-error @below {{expect same number of operands and results}}
%r:2 = cuda_tile.reduce %v dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>, tile<f32>
(%a: tile<f32>, %b: tile<f32>) {
  yield %a : tile<f32>
}
