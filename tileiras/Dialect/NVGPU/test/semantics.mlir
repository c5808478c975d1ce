// What nvgpu-verify-target refuses on any target. MLIR's verifiers take all of it.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics --nvgpu-verify-target

gpu.module @m {
  gpu.func @f() kernel {
    // expected-error @below {{mbarrier requires shared-memory operand}}
    %b = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = 1>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f() kernel {
    // expected-error @below {{the mbarrier group has no barriers}}
    %b = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = 3, num_barriers = 0>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>, %n: index) kernel {
    %c = arith.constant 2 : index
    // expected-error @below {{uses barrier 2 of a group of 2}}
    nvgpu.mbarrier.init %b[%c], %n : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>, %n: index, %p: i1) kernel {
    %c = arith.constant 7 : index
    // expected-error @below {{uses barrier 7 of a group of 2}}
    nvgpu.mbarrier.try_wait.parity %b[%c], %p, %n : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
    gpu.return
  }
}

// -----

gpu.module @m {
  memref.global "private" @four : memref<64xf32, 3>
  gpu.func @f(%g: memref<64xf32>) kernel {
    %c = arith.constant 0 : index
    %s = memref.get_global @four : memref<64xf32, 3>
    // expected-error @below {{copies 16 bytes to an address that is not a multiple of that, which L1 bypass needs}}
    %0 = nvgpu.device_async_copy %g[%c], %s[%c], 4 {bypassL1} : memref<64xf32> to memref<64xf32, 3>
    gpu.return
  }
}

// -----

gpu.module @m {
  memref.global "private" @aligned : memref<64xf32, 3> {alignment = 16}
  gpu.func @f(%g: memref<64xf32>) kernel {
    %c = arith.constant 0 : index
    %d = arith.constant 3 : index
    %s = memref.get_global @aligned : memref<64xf32, 3>
    // expected-error @below {{copies 8 bytes to an address that is not a multiple of that}}
    %0 = nvgpu.device_async_copy %g[%c], %s[%d], 2 : memref<64xf32> to memref<64xf32, 3>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%g: memref<64xf32>, %s: memref<64xf32, 3>) kernel {
    %c = arith.constant 0 : index
    %d = arith.constant 6 : index
    // expected-error @below {{copies 16 bytes from an address that is not a multiple of that}}
    %0 = nvgpu.device_async_copy %g[%d], %s[%c], 4 : memref<64xf32> to memref<64xf32, 3>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%g: memref<64xf32, 3>, %s: memref<64xf32, 3>, %c: index) kernel {
    // expected-error @below {{the source must be in global memory}}
    %0 = nvgpu.device_async_copy %g[%c], %s[%c], 4 : memref<64xf32, 3> to memref<64xf32, 3>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%g: memref<64xf32>, %s: memref<64xf32, 3>, %c: index) kernel {
    %n = arith.constant 5 : index
    // expected-error @below {{reads 5 elements and writes only 4}}
    %0 = nvgpu.device_async_copy %g[%c], %s[%c], 4, %n : memref<64xf32> to memref<64xf32, 3>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xi4, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>) kernel {
    // expected-error @below {{a tensor map has no elements of 'i4'}}
    nvgpu.tma.prefetch.descriptor %m : !nvgpu.tensormap.descriptor<tensor = memref<32x32xi4, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<2x2x2x2x2x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>) kernel {
    // expected-error @below {{a tensor map has 1 to 5 dimensions, not 6}}
    nvgpu.tma.fence.descriptor %m : !nvgpu.tensormap.descriptor<tensor = memref<2x2x2x2x2x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xi32, 3>, swizzle = none, l2promo = none, oob = nan, interleave = none>) kernel {
    // expected-error @below {{out-of-bounds elements of 'i32' cannot be NaN}}
    nvgpu.tma.fence.descriptor %m : !nvgpu.tensormap.descriptor<tensor = memref<32x32xi32, 3>, swizzle = none, l2promo = none, oob = nan, interleave = none>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<257x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>) kernel {
    // expected-error @below {{a box extends over 1 to 256 elements in each dimension}}
    nvgpu.tma.fence.descriptor %m : !nvgpu.tensormap.descriptor<tensor = memref<257x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<8x3xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>) kernel {
    // expected-error @below {{a row of the box has 12 bytes, which is no multiple of 16}}
    nvgpu.tma.fence.descriptor %m : !nvgpu.tensormap.descriptor<tensor = memref<8x3xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none>) kernel {
    // expected-error @below {{a row of the box has 128 bytes, more than the 64 of its swizzle}}
    nvgpu.tma.fence.descriptor %m : !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = interleave_16b>) kernel {
    // expected-error @below {{an interleaved tensor has at least 3 dimensions}}
    nvgpu.tma.fence.descriptor %m : !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = interleave_16b>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<8x8x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = interleave_32b>) kernel {
    // expected-error @below {{an interleave of 32 bytes needs a swizzle of 32 bytes}}
    nvgpu.tma.fence.descriptor %m : !nvgpu.tensormap.descriptor<tensor = memref<8x8x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = interleave_32b>
    gpu.return
  }
}

// -----

gpu.module @m {
  memref.global "private" @tile : memref<8x8xf32, 3>
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %i: index) kernel {
    %s = memref.get_global @tile : memref<8x8xf32, 3>
    // expected-error @below {{the tile in shared memory is aligned to 4 bytes; TMA needs 128}}
    nvgpu.tma.async.store %s to %m[%i, %i] : memref<8x8xf32, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}

// -----

gpu.module @m {
  memref.global "private" @tile64 : memref<8x8xf32, 3> {alignment = 64}
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %i: index) kernel {
    %s = memref.get_global @tile64 : memref<8x8xf32, 3>
    // expected-error @below {{the tile in shared memory is aligned to 64 bytes; TMA needs 128}}
    nvgpu.tma.async.reduce %s to %m[%i, %i], add : memref<8x8xf32, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %s: memref<8x8xf32, strided<[16, 1]>, 3>, %i: index) kernel {
    // expected-error @below {{the tile in shared memory must be contiguous: TMA writes it in one piece}}
    nvgpu.tma.async.store %s to %m[%i, %i] : memref<8x8xf32, strided<[16, 1]>, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}

// -----

gpu.module @m {
  memref.global "private" @matrix : memref<64x64xf16, 3> {alignment = 128}
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>) kernel {
    %s = memref.get_global @matrix : memref<64x64xf16, 3>
    // expected-error @below {{the matrix in shared memory is aligned to 128 bytes; its swizzle needs 1024}}
    %d = nvgpu.warpgroup.generate.descriptor %s, %m : memref<64x64xf16, 3>, !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none> -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf8E4M3FN, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf8E4M3FN, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) kernel {
    // expected-error @below {{Not a canonical GMMA_MN Layout: only 16-bit elements can be transposed, not 'f8E4M3FN'}}
    %d = nvgpu.warpgroup.mma %a, %b, %c {transposeB} : !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf8E4M3FN, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf8E4M3FN, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%a: vector<2x1xf32>, %b: vector<1x1xf32>, %c: vector<2x2xf32>) kernel {
    // expected-error @below {{f32 operands are multiplied as tf32, which needs tf32Enabled}}
    %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 4]} : (vector<2x1xf32>, vector<1x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%a: vector<4x4xi8>, %b: vector<4x4xi8>, %c: vector<2x2xi32>, %m: vector<2xi16>) kernel {
    // expected-error @below {{the sparsity selector must be 0 for k = 64 of 8-bit elements}}
    %d = nvgpu.mma.sp.sync (%a, %b, %c) metadata (%m) {mmaShape = [16, 8, 64], sparsitySelector = 1 : i32} : (vector<4x4xi8>, vector<4x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%a: vector<2x2xf16>, %b: vector<2x2xf16>, %c: vector<1x2xf32>) kernel {
    // expected-error @below {{there is no m8n8k16 of f16}}
    %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [8, 8, 16]} : (vector<2x2xf16>, vector<2x2xf16>, vector<1x2xf32>) -> vector<1x2xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%a: vector<4x2xbf16>, %b: vector<2x2xbf16>, %c: vector<2x2xbf16>) kernel {
    // expected-error @below {{products of bf16 cannot be added to 'bf16'}}
    %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xbf16>) -> vector<2x2xbf16>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%s: memref<64x64xf16, 3>, %i: index) kernel {
    // expected-error @below {{loads 3 matrices; there must be 1, 2 or 4}}
    %r = nvgpu.ldmatrix %s[%i, %i] {numTiles = 3 : i32, transpose = false} : memref<64x64xf16, 3> -> vector<3x2xf16>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%s: memref<64x64xf16, 3>, %i: index) kernel {
    // expected-error @below {{has 1 indices for a memref of rank 2}}
    %r = nvgpu.ldmatrix %s[%i] {numTiles = 4 : i32, transpose = false} : memref<64x64xf16, 3> -> vector<4x2xf16>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%s: memref<64x64xf16, strided<[1, 64]>, 3>, %i: index) kernel {
    // expected-error @below {{the source's minor-most dimension must have unit stride}}
    %r = nvgpu.ldmatrix %s[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<64x64xf16, strided<[1, 64]>, 3> -> vector<4x2xf16>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%t: !nvgpu.device.async.token) kernel {
    // expected-error @below {{cannot leave -1 groups pending}}
    nvgpu.device_async_wait %t {numGroups = -1 : i32}
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%s: memref<64x64xf16>, %m: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>) kernel {
    // expected-error @below {{the matrix must be in shared memory}}
    %r = nvgpu.warpgroup.generate.descriptor %s, %m : memref<64x64xf16>, !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none> -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) kernel {
    // expected-error @below {{cannot leave -5 groups pending}}
    %r = nvgpu.warpgroup.mma %a, %a, %c {waitGroup = -5 : i64} : !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x24xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<24x64xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) kernel {
    // expected-error @below {{k is 24, no multiple of the instruction's 16}}
    %r = nvgpu.warpgroup.mma %a, %b, %c : !nvgpu.warpgroup.descriptor<tensor = memref<64x24xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<24x64xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f() kernel {
    // expected-error @below {{wgmma accumulates in f32, f16 or i32, not in 'bf16'}}
    %a = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xbf16>>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%u: memref<*xf32>, %i: index) kernel {
    // expected-error @below {{is host code: it calls the CUDA driver}}
    %r = nvgpu.tma.create.descriptor %u box[%i, %i] : memref<*xf32> -> !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%v: vector<[4]xf32>) kernel {
    // expected-error @below {{there are no scalable vectors on this target}}
    %r = nvgpu.rcp %v {rounding = approx, ftz} : vector<[4]xf32>
    gpu.return
  }
}

// -----

// An attribution has the alignment that it says.
gpu.module @m {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %i: index) workgroup(%s: memref<8x8xf32, 3> {llvm.align = 128 : i64}, %u: memref<8x8xf32, 3>) kernel {
    nvgpu.tma.async.store %s to %m[%i, %i] : memref<8x8xf32, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    // expected-error @below {{the tile in shared memory is aligned to 4 bytes; TMA needs 128}}
    nvgpu.tma.async.store %u to %m[%i, %i] : memref<8x8xf32, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%x: f32) kernel {
    // expected-error @below {{a reduction over the block must be uniform: all its threads take part}}
    %0 = gpu.all_reduce add %x {} : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{argument 1: 'nvgpu.grid_constant' may stand on tensor map descriptors of kernels only}}
  gpu.func @f(%a: i32, %x: memref<4xf32> {nvgpu.grid_constant}) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %i: index, %s: memref<8x8xf32, 3>) kernel {
    // expected-error @below {{'nvgpu.l2_cache_hint' must be an i64, not "evict_first"}}
    nvgpu.tma.async.store %s to %m[%i, %i] {nvgpu.l2_cache_hint = "evict_first"} : memref<8x8xf32, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}

// -----

// What is not known is not refused.
gpu.module @m {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %i: index, %s: memref<8x8xf32, 3>, %g: memref<64xf32>, %d: memref<64xf32, 3>) kernel {
    nvgpu.tma.async.store %s to %m[%i, %i] : memref<8x8xf32, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    %0 = nvgpu.device_async_copy %g[%i], %d[%i], 4 {bypassL1} : memref<64xf32> to memref<64xf32, 3>
    gpu.return
  }
}
