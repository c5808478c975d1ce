// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape ops, module-level ops and assumptions that must be refused.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expects result type to be 1-d tile}}
    %x = iota : tile<2x4xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{the number of elements 512 exceeds the maximum value of element type 'i8'}}
    %x = iota : tile<512xi8>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %x = iota : tile<4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    // expected-error @below {{expects the shape of source tile to be compatible with that of the result tile, but got: 2, 8 and 4, 8}}
    %x = broadcast %c28 : tile<2x8xf32> -> tile<4x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c4 = constant <f32: 1.0> : tile<4xf32>
    // expected-error @below {{failed to verify that all of {source, result} have same rank}}
    %x = broadcast %c4 : tile<4xf32> -> tile<4x4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{requires the same element type for all operands and results}}
    %x = broadcast %f : tile<f32> -> tile<f16>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c4 = constant <f32: 1.0> : tile<4xf32>
    // expected-error @below {{expected source tile and result tile to have the same number of elements}}
    %x = reshape %c4 : tile<4xf32> -> tile<8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c4 = constant <f32: 1.0> : tile<4xf32>
    // expected-error @below {{requires the same element type for all operands and results}}
    %x = reshape %c4 : tile<4xf32> -> tile<4xf16>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c4 = constant <f32: 1.0> : tile<4xf32>
    // expected-error @below {{expects at least rank 2, but got: 1}}
    %x = permute %c4 [0] : tile<4xf32> -> tile<4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    // expected-error @below {{expect permutation elements to be unique}}
    %x = permute %c28 [0, 0] : tile<2x8xf32> -> tile<2x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    // expected-error @below {{permutation element at index 1 (2) is out of bound [0, 2)}}
    %x = permute %c28 [0, 2] : tile<2x8xf32> -> tile<2x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    // expected-error @below {{result shape invalid at index 0, expected: 8, but got: 2}}
    %x = permute %c28 [1, 0] : tile<2x8xf32> -> tile<2x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    // expected-error @below {{expect permutation size (1) to equal the rank of the source (2)}}
    %x = permute %c28 [0] : tile<2x8xf32> -> tile<2x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    // expected-error @below {{expect dim to be [0, 2), but got: 2}}
    %x = cat %c28, %c28 dim = 2 : tile<2x8xf32>, tile<2x8xf32> -> tile<4x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    // expected-error @below {{expect dim to be [0, 2), but got: -1}}
    %x = cat %c28, %c28 dim = -1 : tile<2x8xf32>, tile<2x8xf32> -> tile<4x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    // expected-error @below {{invalid concat at position 0, expected: 4 but got: 8}}
    %x = cat %c28, %c28 dim = 0 : tile<2x8xf32>, tile<2x8xf32> -> tile<8x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    %d = constant <f32: 1.0> : tile<2x4xf32>
    // expected-error @below {{expect {lhs, rhs, and result} shape to match at non-concat position 1, expected: 8 but got: 8}}
    %x = cat %c28, %d dim = 0 : tile<2x8xf32>, tile<2x4xf32> -> tile<4x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    // expected-error @below {{incorrect number of indices, expected 2, but found 1}}
    %x = extract %c28[%i] : tile<2x8xf32> -> tile<2x4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    // expected-error @below {{result dim size must divide source dim size evenly}}
    %x = extract %c28[%i, %i] : tile<2x8xf32> -> tile<4x4xf32>
  }
}

// -----

cuda_tile.module @m {
  // expected-note @below {{prior use here}}
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    // expected-error @below {{use of value '%j' expects different type than prior uses}}
    %x = extract %c28[%j, %j] : tile<2x8xf32> -> tile<2x4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    %k = constant <i32: 2> : tile<i32>
    // expected-warning @below {{index 2 of dimension 1 is out of bounds [0, 2)}}
    %x = extract %c28[%i, %k] : tile<2x8xf32> -> tile<2x4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    %c4 = constant <f32: 1.0> : tile<4xf32>
    // expected-error @below {{failed to verify that all of {source, destination} have same rank}}
    %x = insert %c4, %c28[%i, %i] : tile<4xf32>, tile<2x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    %d = constant <f16: 1.0> : tile<2x4xf16>
    // expected-error @below {{failed to verify that all of {source, destination} have the same element type}}
    %x = insert %d, %c28[%i, %i] : tile<2x4xf16>, tile<2x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    %d = constant <f32: 1.0> : tile<4x4xf32>
    // expected-error @below {{source dim size must divide destination dim size evenly}}
    %x = insert %d, %c28[%i, %i] : tile<4x4xf32>, tile<2x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c4 = constant <f32: 1.0> : tile<4xf32>
    // expected-error @below {{failed to verify that all of {cond, val_if_true, val_if_false, result} have same shape}}
    %x = select %b, %c4, %c4 : tile<i1>, tile<4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{operand #0 must be tile of i1 values}}
    %x = select %i, %f, %f : tile<i32>, tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %c = constant <i1: true> : tile<2xi1>
    %v = constant <f4E2M1FN: 1.0> : tile<2xf4E2M1FN>
    // expected-error @below {{cannot operate on sub-byte type F4E2M1FN}}
    %x = select %c, %v, %v : tile<2xi1>, tile<2xf4E2M1FN>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %o = iota : tile<4xi32>
    // expected-error @below {{requires the same shape for all operands and results}}
    %x = offset %p, %o : tile<ptr<f32>>, tile<4xi32> -> tile<ptr<f32>>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{operand #0 must be tile of Pointer type values}}
    %x = offset %f, %i : tile<f32>, tile<i32> -> tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c28 = constant <f32: 1.0> : tile<2x8xf32>
    // expected-error @below {{expects source and result to be rank-1 tiles}}
    %x = pack %c28 : tile<2x8xf32> -> tile<64xi8>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %d = iota : tile<4xi8>
    // expected-error @below {{expects source and result to have different element type widths}}
    %x = pack %d : tile<4xi8> -> tile<4xi8>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c4 = constant <f32: 1.0> : tile<4xf32>
    // expected-error @below {{expects source and result to have the same size in bytes, but got source tile size 16 bytes and result tile size 8 bytes}}
    %x = pack %c4 : tile<4xf32> -> tile<8xi8>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %c4 = constant <f32: 1.0> : tile<4xf32>
    // expected-error @below {{operand #0 must be tile of i8 values}}
    %x = unpack %c4 : tile<4xf32> -> tile<16xi8>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{result #0 must be 0D tile of i32 values}}
    %x, %y, %z = get_tile_block_id : tile<i64>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{'nowhere' does not reference a valid global}}
    %x = get_global @nowhere : tile<ptr<f32>>
  }
}

// -----

cuda_tile.module @m {
  global @g <f32: [1.0, 2.0]> : tile<2xf32>
  entry @e() {
// expected-error @below {{pointee type of result type '!cuda_tile.ptr<i32>' does not match type 'f32' of the global @g}}
    %x = get_global @g : tile<ptr<i32>>
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{type must have rank 1}}
  global @g <f32: 1.0> : tile<f32>
}

// -----

cuda_tile.module @m {
// expected-error @below {{alignment must be zero or a power of two, but got 3}}
  global @g alignment = 3 <f32: 1.0> : tile<1xf32>
}

// -----

cuda_tile.module @m {
  entry @e() {
// expected-error @below {{expects parent op 'cuda_tile.module'}}
    global @g <f32: 1.0> : tile<1xf32>
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{entry op must have scalar types (rank 0 !cuda_tile.tile)}}
  entry @e(%a: tile<4xf32>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{entry op must not return values}}
  entry @e() -> tile<f32> {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-note @below {{see existing symbol definition here}}
  entry @e() {
    return
  }
// expected-error @below {{redefinition of symbol named 'e'}}
  entry @e() {
    return
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{unknown assume predicate attribute: sometimes (expected 'div_by', 'same_elements', or 'bounded')}}
    %x = assume sometimes<3>, %i : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected assume predicate attribute}}
    %x = assume 3 : i32, %i : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{'cuda_tile.div_by' divisor must be a power of 2}}
    %x = assume div_by<3>, %i : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{'cuda_tile.div_by' divisor is too large}}
    %x = assume div_by<9223372036854775808>, %i : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{'cuda_tile.div_by' is valid only for tile of integer/pointer or tensor_view values}}
    %x = assume div_by<4>, %f : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{'every'/'along' cannot be used if the constrained value is a 0D tile}}
    %x = assume div_by<4, every 2 along 0>, %i : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = iota : tile<4xi32>
    // expected-error @below {{every_dim (1) must be >= 0 and < tile rank (1)}}
    %x = assume div_by<4, every 2 along 1>, %v : tile<4xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = iota : tile<4xi32>
    // expected-error @below {{every_dim to be within 0 and the size of the respective dimension (4)}}
    %x = assume div_by<4, every 8 along 0>, %v : tile<4xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    // expected-error @below {{'every'/'along' cannot be used if the constrained value is a tensor_view}}
    %x = assume div_by<4, every 2 along 0>, %tv : tensor_view<4xf32, strides=[1]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected number of values in 'cuda_tile.same_elements' (1) to match rank of constrained tile (0)}}
    %x = assume same_elements<[1]>, %i : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = iota : tile<4xi32>
    // expected-error @below {{expected 'cuda_tile.same_elements' value 0 to be within 0 and the size of the respective dimension (4)}}
    %x = assume same_elements<[8]>, %v : tile<4xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{'cuda_tile.bounded' is valid only for tile of integer values}}
    %x = assume bounded<0, ?>, %f : tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%s: tile<i8>) {
    // expected-error @below {{expects lower bound to be within [-128, 127]}}
    %x = assume bounded<-129, ?>, %s : tile<i8>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%s: tile<i8>) {
    // expected-error @below {{expects upper bound to be within [-128, 127]}}
    %x = assume bounded<?, 128>, %s : tile<i8>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expects lower bound to be less than or equal to upper bound}}
    %x = assume bounded<4, 3>, %i : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%i: tile<i32>) {
    %v = iota : tile<8xi32>
    // expected-error @below {{source and result element type do not match}}
    %x = extract %v[%i] : tile<8xi32> -> tile<4xi16>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %v = constant <f32: 1.0> : tile<4xf32>
    // expected-error @below {{'cuda_tile.same_elements' is valid only for tile of integer/pointer values}}
    %x = assume same_elements<[4]>, %v : tile<4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%i: tile<i32>) {
    // expected-error @+2 {{expected attribute name}}
    // expected-error @below {{expected valid keyword}}
    %x = assume %i : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %v = iota : tile<4xi32>
    // expected-error @below {{expected 'cuda_tile.div_by' every_dim to be within 0 and the size of the respective dimension (4)}}
    %x = assume div_by<4, every -1 along 0>, %v : tile<4xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %v = iota : tile<4xi32>
    %r = reshape %v : tile<4xi32> -> tile<2x2xi32>
    // expected-error @below {{expect permutation elements to be unique}}
    %x = permute %r [5, 5] : tile<2x2xi32> -> tile<2x2xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @twice() attributes {a = 1 : i32} {
    return
  // expected-error @+1 {{attribute 'a' occurs more than once}}
  } {a = 2 : i32}
}

// -----

cuda_tile.module @m {
  entry @name() {
    return
  // expected-error @+1 {{attribute 'sym_name' occurs more than once}}
  } {sym_name = "other"}
}
