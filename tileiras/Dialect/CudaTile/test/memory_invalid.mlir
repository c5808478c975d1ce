// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointer memory ops that must be refused.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expect one of: weak, relaxed, or acquire, but got: release}}
    %x, %t = load_ptr_tko release device %p : tile<ptr<f32>> -> tile<f32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{weak load must not have memory scope}}
    %x, %t = load_ptr_tko weak device %p : tile<ptr<f32>> -> tile<f32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{memory scope is required for acquire load}}
    %x, %t = load_ptr_tko acquire %p : tile<ptr<f32>> -> tile<f32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'memory_ordering_semantics' [weak, relaxed, acquire, release, acq_rel]}}
    %x, %t = load_ptr_tko strong %p : tile<ptr<f32>> -> tile<f32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{enum values for attribute 'memory_scope' [tl_blk, device, sys]}}
    %x, %t = load_ptr_tko acquire world %p : tile<ptr<f32>> -> tile<f32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expect one of: weak, relaxed, or release, but got: acquire}}
    %t = store_ptr_tko acquire device %p, %f : tile<ptr<f32>>, tile<f32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{weak store must not have memory scope}}
    %t = store_ptr_tko weak sys %p, %f : tile<ptr<f32>>, tile<f32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{memory scope is required for release store}}
    %t = store_ptr_tko release %p, %f : tile<ptr<f32>>, tile<f32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'memory_ordering_semantics' [weak, relaxed, acquire, release, acq_rel]}}
    %t = store_ptr_tko sometimes %p, %f : tile<ptr<f32>>, tile<f32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{`source` type is expected a pointer type of `result` type}}
    %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<i32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %s = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ps = broadcast %s : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %v = constant <f32: 1.0> : tile<4xf32>
    %m = constant <i1: true> : tile<8xi1>
    // expected-error @below {{shape of 'mask' must match the shape of 'source'}}
    %x, %t = load_ptr_tko weak %ps, %m : tile<4xptr<f32>>, tile<8xi1> -> tile<4xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %s = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ps = broadcast %s : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %v = constant <f32: 1.0> : tile<4xf32>
    %m = constant <i1: true> : tile<8xi1>
    %m4 = constant <i1: true> : tile<4xi1>
    // expected-error @below {{type of 'paddingValue' must match the type of 'result'}}
    %x, %t = load_ptr_tko weak %ps, %m4, %f : tile<4xptr<f32>>, tile<4xi1>, tile<f32> -> tile<4xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{`destination` type is expected a pointer type of `value` type}}
    %t = store_ptr_tko weak %p, %i : tile<ptr<f32>>, tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %s = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ps = broadcast %s : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %v = constant <f32: 1.0> : tile<4xf32>
    %m = constant <i1: true> : tile<8xi1>
    // expected-error @below {{shape of 'destination' must match the shape of 'mask'}}
    %t = store_ptr_tko weak %ps, %v, %m : tile<4xptr<f32>>, tile<4xf32>, tile<8xi1> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expect two or more tokens}}
    %t = join_tokens : token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %t0 = make_token : token
    // expected-error @below {{expect two or more tokens}}
    %t = join_tokens %t0 : token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{memory ordering semantics must be one of: relaxed, acquire, release, acq_rel}}
    %x, %t = atomic_rmw_tko weak device %q, add, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{'add' works only with integers i32 and i64}}
    %x, %t = atomic_rmw_tko relaxed device %p, add, %f : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{'addf' works only with floats f16, bf16, f32, and f64}}
    %x, %t = atomic_rmw_tko relaxed device %q, addf, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<i8>>, %v: tile<i8>) {
    // expected-error @below {{'xchg' works only with integers or float of 32 or 64 bitwidth}}
    %x, %t = atomic_rmw_tko relaxed device %p, xchg, %v : tile<ptr<i8>>, tile<i8> -> tile<i8>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected pointee type ('i32') to match element type of 'arg' ('i64')}}
    %x, %t = atomic_rmw_tko relaxed device %q, add, %j : tile<ptr<i32>>, tile<i64> -> tile<i64>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %s = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ps = broadcast %s : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %v = constant <f32: 1.0> : tile<4xf32>
    %m = constant <i1: true> : tile<8xi1>
    // expected-error @below {{failed to verify that all of {pointers, arg, mask} have same shape}}
    %x, %t = atomic_rmw_tko relaxed device %ps, addf, %v, %m : tile<4xptr<f32>>, tile<4xf32>, tile<8xi1> -> tile<4xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{enum values for attribute 'mode' [and, or, xor, add, addf, max, min, umax, umin, xchg]}}
    %x, %t = atomic_rmw_tko relaxed device %q, nand, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{memory ordering semantics must be one of}}
    %x, %t = atomic_cas_tko weak device %q, %i, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<i8>>, %v: tile<i8>) {
    // expected-error @below {{expect only float or integer types with 32 or 64 bit}}
    %x, %t = atomic_cas_tko relaxed device %p, %v, %v : tile<ptr<i8>>, tile<i8> -> tile<i8>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected pointee type ('i32') to match element type of 'val' ('i64')}}
    %x, %t = atomic_cas_tko relaxed device %q, %j, %j : tile<ptr<i32>>, tile<i64> -> tile<i64>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{'alignment' must be power of two}}
    %x = alloca num_elem = 4, alignment = 3 : tile<ptr<f32>>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{'alignment' (2) must be at least the natural size (4 bytes) for element type 'f32'}}
    %x = alloca num_elem = 4, alignment = 2 : tile<ptr<f32>>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{attribute 'num_elem' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0}}
    %x = alloca num_elem = -4, alignment = 4 : tile<ptr<f32>>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{result #0 must be 0D tile of Pointer type values}}
    %x = alloca num_elem = 4, alignment = 4 : tile<2xptr<f32>>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{incorrect number of operands: expected 2, found 1}}
    %t = print_tko "%d %f", %i : tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{incorrect number of operands: expected 0, found 1}}
    %t = print_tko "100%%", %i : tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{found unterminated format expression}}
    %t = print_tko "%5" -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{number of operands and types do not match: got 0 operands and 1 types}}
    %t = print_tko "x" : tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected 'token'}}
    %t = memory_fence_alias_tko -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<i32>>, %i: tile<i32>) {
    %m = constant <i1: true> : tile<8xi1>
    // expected-error @below {{failed to verify that all of {pointers, val, cmp and mask} have same shape}}
    %x, %t = atomic_cas_tko relaxed device %p, %i, %i, %m : tile<ptr<i32>>, tile<i32>, tile<8xi1> -> tile<i32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>, %b: tile<i1>, %f: tile<f32>) {
    // expected-error @below {{expected pointers, an optional mask and an optional padding value}}
    %x, %t = load_ptr_tko weak %p, %b, %f, %f : tile<ptr<f32>>, tile<i1>, tile<f32>, tile<f32> -> tile<f32>, token
  }
}

// -----

// The pointee comes before the mode, the mode before the ordering.
cuda_tile.module @m {
  entry @e(%p: tile<ptr<i16>>, %i: tile<i16>) {
    // expected-error @below {{'add' works only with integers i32 and i64}}
    %x, %t = atomic_rmw_tko weak device %p, add, %i : tile<ptr<i16>>, tile<i16> -> tile<i16>, token
  }
}
