// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// View ops that must be refused.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

cuda_tile.module @m {
  // expected-note @below {{prior use here}}
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{use of value '%q' expects different type than prior uses}}
    %t = make_tensor_view %q, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{input shape dimension 0 does not match tensor_view type (expected 64, got 32)}}
    %t = make_tensor_view %p, shape = [32], strides = [1] : tensor_view<64xf32, strides=[1]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{input shape dimension 0 does not match tensor_view type (expected 64, got dynamic)}}
    %t = make_tensor_view %p, shape = [%i], strides = [1] : tile<i32> -> tensor_view<64xf32, strides=[1]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{input stride dimension 0 does not match tensor_view type (expected dynamic, got 1)}}
    %t = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[?]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected shape declaration to contain 1 elements due to tensor_view type, but 2 were provided}}
    %t = make_tensor_view %p, shape = [64, 1], strides = [1] : tensor_view<64xf32, strides=[1]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected stride declaration to contain 1 elements due to tensor_view type, but 2 were provided}}
    %t = make_tensor_view %p, shape = [64], strides = [1, 1] : tensor_view<64xf32, strides=[1]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected either integer or SSA value}}
    %t = make_tensor_view %p, shape = [x], strides = [1] : tensor_view<64xf32, strides=[1]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected '->'}}
    %t = make_tensor_view %p, shape = [%i], strides = [1] : tensor_view<?xf32, strides=[1]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected pointer to 'f32' to build tensor_view of this type, got 'i32'}}
    %t = "cuda_tile.make_tensor_view"(%q) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<i32>>) -> !cuda_tile.tensor_view<64xf32, strides=[1]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected 1 dynamic shape operands, got 0}}
    %t = "cuda_tile.make_tensor_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<?xf32, strides=[1]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected 1 dynamic stride operands, got 0}}
    %t = "cuda_tile.make_tensor_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<4xf32, strides=[?]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    // expected-error @below {{expected 'partition_view' type, but got '!cuda_tile.tile<8xf32>'}}
    %v = make_partition_view %tv : tile<8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-note @below {{prior use here}}
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    // expected-error @below {{use of value '%tv' expects different type than prior uses}}
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[?]>>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    // expected-error @below {{expected the type of the provided tensor_view value ('!cuda_tile.tensor_view<64xf32, strides=[1]>') to be the same as the view's tensor_view type ('!cuda_tile.tensor_view<64xf32, strides=[?]>')}}
    %v = "cuda_tile.make_partition_view"(%tv) : (!cuda_tile.tensor_view<64xf32, strides=[1]>) -> !cuda_tile.partition_view<tile=(8), tensor_view<64xf32, strides=[?]>>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{expected 1 index operands (based on view type), got 2}}
    %x, %t = load_view_tko weak %v[%i, %i] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{expected tile type to be '!cuda_tile.tile<8xf32>' (based on view type), got '!cuda_tile.tile<4xf32>'}}
    %x, %t = load_view_tko weak %v[%i] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{invalid memory_ordering_semantics attribute specification. Got "strong" but expect one of: weak, relaxed, acquire, release, acq_rel}}
    %x, %t = load_view_tko strong %v[%i] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{operation specifies weak memory ordering semantics, but then provides "device" scope, expected no memory scope.}}
    %x, %t = load_view_tko weak device %v[%i] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{invalid memory_scope attribute specification. Got "world" but expect one of: tl_blk, device, sys}}
    %x, %t = load_view_tko relaxed world %v[%i] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{memory scope is required for relaxed load}}
    %x, %t = load_view_tko relaxed %v[%i] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    %c8 = constant <f32: 1.0> : tile<8xf32>
    // expected-error @below {{expect one of: weak, relaxed, or release, but got: acquire}}
    %t = store_view_tko acquire device %c8, %v[%i] : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    %t0 = make_token : token
    // expected-error @below {{expected index type to be a tile type, got '!cuda_tile.token'}}
    %x, %t = load_view_tko weak %v[%t0] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, token -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    %l = iota : tile<4xi32>
    // expected-error @below {{expected index type to be a scalar tile, got '!cuda_tile.tile<4xi32>'}}
    %x, %t = load_view_tko weak %v[%l] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<4xi32> -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{expected 1 inbounds values (one per index), got 2}}
    %x, %t = load_view_tko weak %v[%i] inbounds = [true, false] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{expected 'true' or 'false'}}
    %x, %t = load_view_tko weak %v[%i] inbounds = [1] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
    %v = make_partition_view %tv : partition_view<tile=(4x8), tensor_view<64x32xf32, strides=[32,1]>>
    // expected-error @below {{expected index type 1 to be the same as other index types ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'}}
    %x, %t = load_view_tko weak %v[%i, %j] : partition_view<tile=(4x8), tensor_view<64x32xf32, strides=[32,1]>>, tile<i32>, tile<i64> -> tile<4x8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
    %g = make_gather_scatter_view %tv : gather_scatter_view<tile=(4x8), tensor_view<64x32xf32, strides=[32,1]>, sparse_dim=0>
    // expected-error @below {{expected index at sparse_dim position 0 to be a 1D tensor for GatherScatterView, got rank 0}}
    %x, %t = load_view_tko weak %g[%i, %i] : gather_scatter_view<tile=(4x8), tensor_view<64x32xf32, strides=[32,1]>, sparse_dim=0>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
    %g = make_gather_scatter_view %tv : gather_scatter_view<tile=(4x8), tensor_view<64x32xf32, strides=[32,1]>, sparse_dim=0>
    %l = iota : tile<8xi32>
    // expected-error @below {{expected gather/scatter index size (8) to match tile shape at gather/scatter dimension 0 (4)}}
    %x, %t = load_view_tko weak %g[%l, %i] : gather_scatter_view<tile=(4x8), tensor_view<64x32xf32, strides=[32,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
    %g = make_gather_scatter_view %tv : gather_scatter_view<tile=(4x8), tensor_view<64x32xf32, strides=[32,1]>, sparse_dim=0>
    %l = iota : tile<4xi32>
    // expected-error @below {{expected index 1 to be a scalar tile for GatherScatterView}}
    %x, %t = load_view_tko weak %g[%l, %l] : gather_scatter_view<tile=(4x8), tensor_view<64x32xf32, strides=[32,1]>, sparse_dim=0>, tile<4xi32> -> tile<4x8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
    %g = make_gather_scatter_view %tv : gather_scatter_view<tile=(4x8), tensor_view<64x32xf32, strides=[32,1]>, sparse_dim=0>
    %l = iota : tile<4xi32>
    // expected-error @below {{expected one index type or one for each of the 2 indices, got 3}}
    %x, %t = load_view_tko weak %g[%l, %i] : gather_scatter_view<tile=(4x8), tensor_view<64x32xf32, strides=[32,1]>, sparse_dim=0>, tile<4xi32>, tile<i32>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    %c4 = constant <f32: 1.0> : tile<4xf32>
    // expected-error @below {{view tile shape 8 must match value shape 4 for element-wise atomic operations}}
    %t = atomic_red_view_tko relaxed device %v[%i], addf, %c4 : tile<4xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    %c8 = constant <f32: 1.0> : tile<8xf32>
    // expected-error @below {{only 'relaxed' memory ordering is supported for view-based atomic reductions}}
    %t = atomic_red_view_tko acquire device %v[%i], addf, %c8 : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    %c8 = constant <f32: 1.0> : tile<8xf32>
    // expected-error @below {{memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or 'device' for TMA compatibility}}
    %t = atomic_red_view_tko relaxed sys %v[%i], addf, %c8 : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    %c8 = constant <f32: 1.0> : tile<8xf32>
    // expected-error @below {{atomic_red_view_tko op cannot use xchg operation}}
    %t = atomic_red_view_tko relaxed device %v[%i], xchg, %c8 : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    %c8 = constant <f16: 1.0> : tile<8xf16>
    // expected-error @below {{view element type ('f32') must match value element type ('f16')}}
    %t = atomic_red_view_tko relaxed device %v[%i], addf, %c8 : tile<8xf16>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    %c8 = constant <f32: 1.0> : tile<8xf32>
    // expected-error @below {{expected 1 index operand(s) for view with tile rank 1, got 2}}
    %t = atomic_red_view_tko relaxed device %v[%i, %i], addf, %c8 : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    %c8 = constant <f32: 1.0> : tile<8xf32>
    // expected-error @below {{'add' works only with integers i32 and i64}}
    %t = atomic_red_view_tko relaxed device %v[%i], add, %c8 : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
    %g = make_gather_scatter_view %tv : gather_scatter_view<tile=(4x8), tensor_view<64x32xf32, strides=[32,1]>, sparse_dim=0>
    %l = iota : tile<4xi32>
    %c = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{gather_scatter_view is not supported; use partition_view instead}}
    %t = atomic_red_view_tko relaxed device %g[%l, %i], addf, %c : tile<4x8xf32>, gather_scatter_view<tile=(4x8), tensor_view<64x32xf32, strides=[32,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>
    %c8 = constant <f32: 1.0> : tile<8xf32>
    // expected-error @below {{views with padding_value are not supported for atomic reductions}}
    %t = atomic_red_view_tko relaxed device %v[%i], addf, %c8 : tile<8xf32>, partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    // expected-error @below {{expected 1 results due to tensor rank, but got 0}}
    "cuda_tile.get_tensor_shape"(%tv) : (!cuda_tile.tensor_view<64xf32, strides=[1]>) -> ()
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{expected 1 results due to view index space rank, but got 0}}
    "cuda_tile.get_index_space_shape"(%v) : (!cuda_tile.partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>) -> ()
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    // expected-error @below {{operation defines 1 results but was provided 2 to bind}}
    %n:2 = get_tensor_shape %tv : tensor_view<64xf32, strides=[1]> -> tile<i64>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>, %f: tile<f32>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{expected index type to be a tile of integers, got '!cuda_tile.tile<f32>'}}
    %x, %t = load_view_tko weak %v[%f] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<f32> -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>, %f: tile<f32>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %g = make_gather_scatter_view %tv : gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>
    // expected-error @below {{expected index type to be a tile of integers, got '!cuda_tile.tile<f32>'}}
    %x, %t = load_view_tko weak %g[%f] : gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>, tile<f32> -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>, %i: tile<i32>, %j: tile<i64>) {
    %tv = make_tensor_view %p, shape = [4, 4, 4], strides = [16, 4, 1] : tensor_view<4x4x4xf32, strides=[16,4,1]>
    %g = make_gather_scatter_view %tv : gather_scatter_view<tile=(4x4x4), tensor_view<4x4x4xf32, strides=[16,4,1]>, sparse_dim=0>
    %l = iota : tile<4xi32>
    // expected-error @below {{expected scalar index 2 to have the same type as other scalar indices ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'}}
    %x, %t = load_view_tko weak %g[%l, %i, %j] : gather_scatter_view<tile=(4x4x4), tensor_view<4x4x4xf32, strides=[16,4,1]>, sparse_dim=0>, tile<4xi32>, tile<i32>, tile<i64> -> tile<4x4x4xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32, #cuda_tile.ptr_attr<none>>>) {
    // expected-error @below {{expected the pointer attribute of the base ('!cuda_tile.ptr<f32, #cuda_tile.ptr_attr<none>>') and of the tensor_view ('!cuda_tile.tensor_view<4xf32, strides=[1]>') to be the same}}
    %v = "cuda_tile.make_tensor_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32, #cuda_tile.ptr_attr<none>>>) -> !cuda_tile.tensor_view<4xf32, strides=[1]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>, %i: tile<i32>, %j: tile<i64>) {
    // expected-error @below {{expected dynamic shape index 1 to be of the same type as the other dynamic values ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'}}
    %v = "cuda_tile.make_tensor_view"(%p, %i, %j) <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> !cuda_tile.tensor_view<?x?xf32, strides=[1,1]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>, %i: tile<i32>, %j: tile<i64>) {
    // expected-error @below {{expected dynamic stride index 0 to be of the same type as the other dynamic values ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'}}
    %v = "cuda_tile.make_tensor_view"(%p, %i, %j) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> !cuda_tile.tensor_view<?xf32, strides=[?]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>) {
    // expected-error @below {{expected 'tensor_view' type, but got '!cuda_tile.tile<i32>'}}
    %v = make_tensor_view %p, shape = [4], strides = [1] : tile<i32> -> tensor_view<4xf32, strides=[1]>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>) {
    %tv = make_tensor_view %p, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xf32, strides=[4,1]>
    // expected-error @below {{expected all results to have the same type}}
    %n:2 = "cuda_tile.get_tensor_shape"(%tv) : (!cuda_tile.tensor_view<4x4xf32, strides=[4,1]>) -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i64>)
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{inbounds given twice}}
    %x, %t = load_view_tko weak %v[%i] inbounds = [true] inbounds = [true] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{optimization_hints given twice}}
    %x, %t = load_view_tko weak %v[%i] optimization_hints = <sm_90 = {latency = 1}> optimization_hints = <sm_90 = {latency = 1}> : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>, %i: tile<i32>, %f: tile<8xf32>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{expected an atomic operation: and, or, xor, add, addf, max, min, umax, umin}}
    %t = atomic_red_view_tko relaxed device %v[%i], nand, %f : tile<8xf32>, partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // A word after `weak` is taken for a scope before it is looked up.
    // expected-error @below {{operation specifies weak memory ordering semantics, but then provides "world" scope, expected no memory scope.}}
    %x, %t = load_view_tko weak world %v[%i] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @+2 {{invalid memory_ordering_semantics attribute specification. Got "" but expect one of: weak, relaxed, acquire, release, acq_rel}}
    // expected-error @below {{expected valid keyword}}
    %x, %t = load_view_tko %v[%i] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

// The tile comes before the indices, the indices before the ordering.
cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>, %f: tile<f32>) {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
    // expected-error @below {{expected tile type to be '!cuda_tile.tile<8xf32>' (based on view type), got '!cuda_tile.tile<4xf32>'}}
    %x, %t = load_view_tko release device %v[%f] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<f32> -> tile<4xf32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @e(%p: tile<ptr<f32>>) {
    // expected-error @below {{expected tensor_view, got '!cuda_tile.tile<ptr<f32>>'}}
    %n = get_tensor_shape %p : tile<ptr<f32>> -> tile<i32>
  }
}
