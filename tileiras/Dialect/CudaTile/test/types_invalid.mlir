// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types that must be refused.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

cuda_tile.module @m {
// expected-error @below {{expected static shape}}
  entry @e(%a: tile<?xf32>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{all dimensions must be positive constants, got }}
  entry @e(%a: tile<0xf32>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{all dimensions must be powers of two, got }}
  entry @e(%a: tile<3xf32>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{tile would exceed the maximum of 16777216 elements}}
  entry @e(%a: tile<33554432xf32>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{tile would exceed the maximum of 16777216 elements}}
  entry @e(%a: tile<4096x8192xf32>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{invalid dimension}}
  entry @e(%a: tile<9223372036854775808xf32>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{F4E2M1FN tiles must have an even number of elements}}
  entry @e(%a: tile<f4E2M1FN>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{F4E2M1FN tiles must have an even number of elements}}
  entry @e(%a: tile<1x1xf4E2M1FN>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{failed to verify 'elementType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64 or Pointer type or i4, but got 'index'}}
  entry @e(%a: tile<4xindex>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{failed to verify 'elementType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64 or Pointer type or i4, but got 'si32'}}
  entry @e(%a: tile<4xsi32>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{failed to verify 'elementType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64 or Pointer type or i4, but got '!cuda_tile.tile<f32>'}}
  entry @e(%a: tile<4xtile<f32>>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{element type f8E5M3FNU (developer preview of 13.4) is not supported}}
  entry @e(%a: tile<4xf8E5M3FNU>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{failed to verify 'pointeeType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64, but got 'i4'}}
  entry @e(%a: tile<ptr<i4>>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{failed to verify 'pointeeType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64, but got '!cuda_tile.ptr<f32>'}}
  entry @e(%a: tile<ptr<ptr<f32>>>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{expected a 'ptr_attr' attribute}}
  entry @e(%a: tile<ptr<f32, 3 : i32>>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{expected 'strides'}}
  entry @e(%a: tensor_view<4xf32>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{strides must not be provided for 0-d tiles}}
  entry @e(%a: tensor_view<f32, strides=[]>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{expected shape and stride to be of same rank but got shape of rank 1 and stride of rank 2}}
  entry @e(%a: tensor_view<4xf32, strides=[1,1]>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{dimensions must have strictly positive constant sizes but got [0]}}
  entry @e(%a: tensor_view<0xf32, strides=[1]>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{expected strictly positive integer, got 0}}
  entry @e(%a: tensor_view<4xf32, strides=[0]>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{failed to verify 'elementType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64, but got 'i4'}}
  entry @e(%a: tensor_view<4xi4, strides=[1]>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{expected tensor_view rank and tile rank to match, got tensor_view of rank 2 and tiles of rank 1}}
  entry @e(%a: partition_view<tile=(8), tensor_view<8x8xf32, strides=[8,1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{tile shape dimensions must have power of two length but got [3]}}
  entry @e(%a: partition_view<tile=(3), tensor_view<8xf32, strides=[1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{tile dimension 0 exceeds i32 limitations (got 0, expected strictly positive and less than or equal to 2147483647)}}
  entry @e(%a: partition_view<tile=(0), tensor_view<8xf32, strides=[1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{0-dimension tile shape is not supported}}
  entry @e(%a: partition_view<tile=(), tensor_view<f32>>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{padding_value nan can only be used with floating point element types, got 'i32'}}
  entry @e(%a: partition_view<tile=(8), padding_value = nan, tensor_view<8xi32, strides=[1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{invalid padding_value attribute specification. Got "big" but expect one of: zero, neg_zero, nan, pos_inf, neg_inf}}
  entry @e(%a: partition_view<tile=(8), padding_value = big, tensor_view<8xi32, strides=[1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{expected dim_map to map exactly all 2 dimensions of the tile, got 1 mappings}}
  entry @e(%a: partition_view<tile=(8x8), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0]>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{target dimension 0 mapped at least twice (for tile dimensions 0 and 1)}}
  entry @e(%a: partition_view<tile=(8x8), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0, 0]>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{target dimension is outside of tensor view dimensions, expected strictly less than 2, got 2}}
  entry @e(%a: partition_view<tile=(8x8), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0, 2]>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{target dimension must not be negative, got -1}}
  entry @e(%a: partition_view<tile=(8x8), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0, -1]>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{expected 'tensor_view' type, but got '!cuda_tile.tile<8xf32>'}}
  entry @e(%a: partition_view<tile=(8), tile<8xf32>>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{expected 1 traversal strides, got 2}}
  entry @e(%a: strided_view<tile=(8), traversal_strides=[1,2], tensor_view<8xf32, strides=[1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{traversal strides must be strictly positive but got [0]}}
  entry @e(%a: strided_view<tile=(8), traversal_strides=[0], tensor_view<8xf32, strides=[1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{gather dimension is outside of tensor view dimensions, expected strictly less than 1, got 1}}
  entry @e(%a: gather_scatter_view<tile=(8), tensor_view<8xf32, strides=[1]>, sparse_dim=1>) {
    return
  }
}

// -----

cuda_tile.module @m {
// expected-error @below {{expected ','}}
  entry @e(%a: gather_scatter_view<tile=(8), tensor_view<8xf32, strides=[1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{unknown type: tensor_viev}}
  entry @e(%a: tensor_viev<4xf32>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{expected valid keyword}}
  entry @e(%a: {}) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{all dimensions must be positive constants, got 1, 0, 2}}
  entry @e(%a: tile<1x0x2xf32>) {
    return
  }
}

// -----

// The first bad dimension counts.
cuda_tile.module @m {
  // expected-error @below {{all dimensions must be powers of two, got 3, 0}}
  entry @e(%a: tile<3x0xf32>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{expected either 64-bit integer or question mark}}
  entry @e(%a: tensor_view<4x4xf32, strides=[, 32]>) {
    return
  }
}

// -----

// The number that means a question mark inside is not one in the text.
cuda_tile.module @m {
  // expected-error @below {{expected strictly positive integer, got -9223372036854775808}}
  entry @e(%a: tensor_view<4xf32, strides=[-9223372036854775808]>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{unexpected token after element type in 0-d tensor_view}}
  entry @e(%a: tensor_view<f32,>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{expected a 'ptr_attr' attribute}}
  entry @e(%a: tensor_view<4xf32, strides=[1], 3 : i32>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{expected padding_value keyword}}
  entry @e(%a: partition_view<tile=(4), padding_value = 0, tensor_view<4xf32, strides=[1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{tile dimension 0 exceeds i32 limitations (got 1099511627776, expected strictly positive and less than or equal to 2147483647)}}
  entry @e(%a: partition_view<tile=(1099511627776x1024), tensor_view<4x4xf32, strides=[4,1]>>) {
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{tile would exceed the maximum of 16777216 elements}}
  entry @e(%a: partition_view<tile=(8192x4096), tensor_view<4x4xf32, strides=[4,1]>>) {
    return
  }
}
