// The views of tensor maps as host code: a function for each kernel that calls the driver, a string that says what the
// parameters are. What depends on more than parameters stays the kernel's, and what only the host can make is refused then.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics --tileas-separate-host-tma | FileCheck %s

!matrix = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !matrix>
#load = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>
#spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>

// CHECK-LABEL: gpu.module @kernels
// CHECK: nv_tileaa.func @two
// CHECK-SAME: "nv_tileas.num-device-tmas" = 1 : i32, "nv_tileas.num-host-tmas" = 1 : i32
// CHECK: make_tiled_tma_desc {{.*}}"nv_tileas.host-tma" = 0 : i32
// CHECK: make_tiled_tma_desc
// CHECK-NOT: host-tma
// CHECK: nv_tileaa.func @none
// CHECK: module @host attributes {{.*}}nv_tileas.host-code
// CHECK: llvm.func @cuTensorMapEncodeTiled(!llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, i32) -> i32
// CHECK: llvm.func @two_tensor_maps(%[[PARAMS:.*]]: !llvm.ptr, %[[HIDDEN:.*]]: !llvm.ptr) -> i64 attributes {{.*}}nv_tileas.host-code
// The parameters, in the order in which they are met: the base, then the extents. 2 is added to one, 8 bytes to the other.
// CHECK: %[[A:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[BASE:.*]] = llvm.load %[[A]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: llvm.getelementptr %[[BASE]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: llvm.add %{{.*}}, %{{.*}} : i32
// CHECK: llvm.sext %{{.*}} : i32 to i64
// CHECK: %[[CODE:.*]] = llvm.call @cuTensorMapEncodeTiled
// CHECK: %[[MADE:.*]] = llvm.icmp "eq" %[[CODE]], %{{.*}} : i32
// CHECK: llvm.and %{{.*}}, %[[MADE]] : i1
// CHECK: llvm.return %{{.*}} : i64
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.mlir.global external constant @two_parameters({{.*}}tensor_map
// CHECK: llvm.func @none_tensor_maps
// CHECK-NEXT: %[[ZERO:.*]] = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT: llvm.return %[[ZERO]] : i64
gpu.module @kernels {
  nv_tileaa.func @two(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %m: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #spec} {
    %c2 = arith.constant 2 : i32
    %four = nv_tileaa.constant_tensor dense<4> : tensor<1xi32> : tensor<1xi32>
    %further = nv_tileaa.extract %four : tensor<1xi32> -> i32
    %base = nv_tileaa.addptr %a, %further : !nv_tileaa.ptr<f16>, i32
    // A tensor is a scalar on the host: SplatOpHostConversion and ExtractOpHostConversion hand the word through.
    %spread = nv_tileaa.splat %m : i32 -> tensor<1xi32>
    %one = nv_tileaa.extract %spread : tensor<1xi32> -> i32
    %rows = arith.addi %one, %c2 : i32
    %mem = nv_tileaa.make_memref %base, sizes [%rows, %k], strides [%k] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !matrix
    %view = nv_tileaa.block_tile %mem : !matrix -> !view
    %map, %usable = nv_tileas.make_tiled_tma_desc %view {atom = #load} : !view
    // Where the block's number says where the tensor is, the kernel makes the map.
    %bx, %by, %bz = nv_tileaa.get_program_id
    %own = nv_tileaa.addptr %b, %bx : !nv_tileaa.ptr<f16>, i32
    %mem2 = nv_tileaa.make_memref %own, sizes [%m, %k], strides [%k] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !matrix
    %view2 = nv_tileaa.block_tile %mem2 : !matrix -> !view
    %map2, %usable2 = nv_tileas.make_tiled_tma_desc %view2 {atom = #load} : !view
    nv_tileaa.return
  }
  nv_tileaa.func @none(%a: !nv_tileaa.ptr<f16>) attributes {nv_tileaa.kernel_spec = #spec} {
    nv_tileaa.return
  }
}

// -----

// CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B.
!words = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!panels = !nv_tileaa.tiled_view<[16, 64], padding = zero, !words>
#spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>

// CHECK-LABEL: llvm.func @wide_atoms_tensor_maps
// CHECK: %[[NOT_INTERLEAVED:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT: %[[SWIZZLE:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK: llvm.call @cuTensorMapEncodeTiled({{.*}}, %[[NOT_INTERLEAVED]], %[[SWIZZLE]], %{{[0-9]+}}, %{{[0-9]+}})
// CHECK: @wide_atoms_parameters({{.*}}swizzle\22:128,\22swizzle_atom\22:32
gpu.module @kernels {
  nv_tileaa.func @wide_atoms(%a: !nv_tileaa.ptr<f32>, %m: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #spec} {
    %mem = nv_tileaa.make_memref %a, sizes [%m, %k], strides [%k] : !nv_tileaa.ptr<f32>, (i32, i32), (i32) -> !words
    %view = nv_tileaa.block_tile %mem : !words -> !panels
    %map, %usable = nv_tileas.make_tiled_tma_desc %view {atom = #nv_tileas.tma_load<box = [16, 32], order = [1, 0], swizzle = 160>} : !panels
    nv_tileaa.return
  }
}

// -----

!images = !nv_tileaa.memref<?x8x8x64xf16, strides = [4096, 512, 64, 1]>
!view = !nv_tileaa.tiled_view<[1, 1, 64, 64], steps = [1, 1, 1, 64], padding = zero, !images>
#pixels = #nv_tileas.tma_im2col_load<box = [1, 1, 64, 64], order = [3, 2, 1, 0], swizzle = 128, lower = [-1, -1], upper = [-1, -1], steps = [1, 1, 1, 1]>
#spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>

gpu.module @kernels {
  // Only the host can make this one, and it does not know the number of the block.
  // expected-error@below {{expect lower MakeTiledTMADescOp}}
  nv_tileaa.func @by_block(%a: !nv_tileaa.ptr<f16>) attributes {nv_tileaa.kernel_spec = #spec} {
    // expected-error@below {{failed to legalize operation 'nv_tileaa.get_program_id'}}
    %bx, %by, %bz = nv_tileaa.get_program_id
    %mem = nv_tileaa.make_memref %a, sizes [%bx], strides [] : !nv_tileaa.ptr<f16>, (i32), () -> !images
    %view = nv_tileaa.block_tile %mem : !images -> !view
    %map, %usable = nv_tileas.make_tiled_tma_desc %view {atom = #pixels} : !view
    nv_tileaa.return
  }
}

// -----

!images = !nv_tileaa.memref<?x8x8x64xf16, strides = [4096, 512, 64, 1]>
!view = !nv_tileaa.tiled_view<[1, 1, 64, 64], steps = [1, 1, 1, 64], padding = zero, !images>
#pixels = #nv_tileas.tma_im2col_load<box = [1, 1, 64, 64], order = [3, 2, 1, 0], swizzle = 128, lower = [-1, -1], upper = [-1, -1], steps = [1, 1, 1, 1]>
#spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>

gpu.module @kernels {
  nv_tileaa.func @chosen(%a: !nv_tileaa.ptr<f16>, %n: i32, %m: i32, %c: i1) attributes {nv_tileaa.kernel_spec = #spec} {
    %images = scf.if %c -> i32 {
      scf.yield %n : i32
    } else {
      scf.yield %m : i32
    }
    %mem = nv_tileaa.make_memref %a, sizes [%images], strides [] : !nv_tileaa.ptr<f16>, (i32), () -> !images
    %view = nv_tileaa.block_tile %mem : !images -> !view
    // expected-error@below {{expected MakeTiledTMADescOp not depends on scf}}
    %map, %usable = nv_tileas.make_tiled_tma_desc %view {atom = #pixels} : !view
    nv_tileaa.return
  }
}

// -----

!images = !nv_tileaa.memref<?x8x8x64xf16, strides = [4096, 512, 64, 1]>
!view = !nv_tileaa.tiled_view<[1, 1, 64, 64], steps = [1, 1, 1, 64], padding = zero, !images>
#pixels = #nv_tileas.tma_im2col_load<box = [1, 1, 64, 64], order = [3, 2, 1, 0], swizzle = 128, lower = [-1, -1], upper = [-1, -1], steps = [1, 1, 1, 1]>
#spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>

gpu.module @kernels {
  nv_tileaa.func @computed(%a: !nv_tileaa.ptr<f16>, %n: i32) attributes {nv_tileaa.kernel_spec = #spec} {
    %bits = math.ctpop %n : i32
    %mem = nv_tileaa.make_memref %a, sizes [%bits], strides [] : !nv_tileaa.ptr<f16>, (i32), () -> !images
    %view = nv_tileaa.block_tile %mem : !images -> !view
    // expected-error@below {{math dialect not suppourt in separateHostTMA pass in the moment.}}
    %map, %usable = nv_tileas.make_tiled_tma_desc %view {atom = #pixels} : !view
    nv_tileaa.return
  }
}
