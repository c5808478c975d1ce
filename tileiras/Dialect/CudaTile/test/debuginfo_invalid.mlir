// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules that tie debug-info scopes together.
// RUN: not tileiras-opt %s -split-input-file 2>&1 | FileCheck %s

#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 3, name = "k", linkageName = "other", compileUnit = #unit>
// CHECK: 'cuda_tile.entry' op invalid function debug info scope: #cuda_tile.di_subprogram{{.*}}. Function name "k" does not match subprogram scope linkage name "other".
cuda_tile.module @m {
  entry @k() {
    return
  } loc(#cuda_tile.di_loc<loc("a.py":3:1) in #sub>)
}

// -----

#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 3, name = "k", linkageName = "k", compileUnit = #unit>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 5>
// CHECK: 'cuda_tile.entry' op invalid function debug info scope: #cuda_tile.di_lexical_block{{.*}}. Function location must have cuda_tile.di_subprogram debug info scope.
cuda_tile.module @m {
  entry @k() {
    return
  } loc(#cuda_tile.di_loc<loc("a.py":3:1) in #block>)
}

// -----

#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 3, name = "k", linkageName = "k", compileUnit = #unit>
// CHECK: 'cuda_tile.iota' op invalid operation debug info scope: #cuda_tile.di_subprogram{{.*}}. Operation has debug info scope, but function debug info scope is undefined.
cuda_tile.module @m {
  entry @k() {
    %0 = iota : tile<8xi32> loc(fused[#cuda_tile.di_loc<loc("a.py":6:3) in #sub>])
    return
  }
}

// -----

#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 3, name = "k", linkageName = "k", compileUnit = #unit>
#far = #cuda_tile.di_subprogram<file = #file, line = 9, name = "f", linkageName = "f", compileUnit = #unit>
// CHECK: error: invalid operation debug info scope: #cuda_tile.di_subprogram{{.*}}name = "f"{{.*}}. Operation debug info scope does not match function debug info scope: #cuda_tile.di_subprogram{{.*}}name = "k"{{.*}}.
cuda_tile.module @m {
  entry @k() {
    %0 = iota : tile<8xi32> loc("name"(#cuda_tile.di_loc<loc("a.py":6:3) in #far>))
    return
  } loc(#cuda_tile.di_loc<loc("a.py":3:1) in #sub>)
}

// -----

#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 3, name = "k", linkageName = "k", compileUnit = #unit>
// CHECK: 'cuda_tile.global' op invalid operation debug info scope: {{.*}}di_loc{{.*}}. Global variables must not have scope.
cuda_tile.module @m {
  global @g <i32: 1> : tile<1xi32> loc(#cuda_tile.di_loc<loc("a.py":6:3) in #sub>)
}

// -----

// CHECK: 'cuda_tile.entry' op invalid function debug info location: loc(callsite({{.*}})). Function location must not be a CallSiteLoc.
cuda_tile.module @m {
  entry @k() {
    return
  } loc(callsite("a.py":3:1 at "a.py":4:1))
}

// -----

#file = #cuda_tile.di_file<"a.py" in "/src">
// CHECK: expected the scope of a location to be a subprogram or a lexical block
cuda_tile.module @m {
  entry @k() {
    return
  } loc(#cuda_tile.di_loc<loc("a.py":3:1) in #file>)
}

// -----

#file = #cuda_tile.di_file<"a.py" in "/src">
// CHECK: expected the scope of a lexical block to be a subprogram or a lexical block
#block = #cuda_tile.di_lexical_block<scope = #file, file = #file, line = 5>

// -----

#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 3, name = "k", linkageName = "k", compileUnit = #unit>
// CHECK: expected a file, line and column location
cuda_tile.module @m {
  entry @k() {
    return
  } loc(#cuda_tile.di_loc<1 : i32 in #sub>)
}
