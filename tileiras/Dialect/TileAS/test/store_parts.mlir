// Tiles that are loaded for the result of a product whose sums are stored in parts (StoreParts.h) are loaded in parts, too.
// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-slice-tiles)))' | FileCheck %s

// In place: the load of a part comes before its store, which its token joins; what came after the store comes after those of all parts. So does
// what came after the load.
!ma = !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
!mb = !nv_tileaa.memref<64x?xf16, strides = [?, 1]>
!mc = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!va = !nv_tileaa.tiled_view<[256, 64], !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
!vb = !nv_tileaa.tiled_view<[64, 128], !nv_tileaa.memref<64x?xf16, strides = [?, 1]>>
!vc = !nv_tileaa.tiled_view<[256, 128], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
!vz = !nv_tileaa.tiled_view<[256, 128], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
!vo = !nv_tileaa.tiled_view<[256, 128], steps = [256, 64], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
// CHECK-LABEL: nv_tileaa.func @in_place
// CHECK: scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}}, %[[READ:.*]] = %{{.*}}) -> (!nv_tileaa.mem_token, !nv_tileaa.mem_token)
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: %[[C0:.*]], %[[L0:.*]] = nv_tileaa.tiled_load {{.*}} token %[[OLD]] : <[256, 64], steps = [256, 32], padding = zero, {{.*}} -> tensor<256x64xf16>
// CHECK: %[[J0:.*]] = nv_tileaa.join_mem_token %[[OLD]], %[[L0]]
// CHECK: %[[W0:.*]] = arith.extf %[[C0]] : tensor<256x64xf16> to tensor<256x64xf32>
// CHECK: %[[P0:.*]] = nv_tileaa.extract_slice %[[SUM]][%c0_i32{{.*}}, %c0_i32{{.*}}]
// CHECK: arith.addf %[[P0]], %[[W0]] : tensor<256x64xf32>
// CHECK: %[[S0:.*]] = nv_tileaa.tiled_store {{.*}}, token %[[J0]] : <[256, 64], steps = [256, 32], {{.*}}, tensor<256x64xf16>
// CHECK: %[[C1:.*]], %[[L1:.*]] = nv_tileaa.tiled_load {{.*}} token %[[OLD]] : {{.*}} -> tensor<256x64xf16>
// CHECK: %[[J1:.*]] = nv_tileaa.join_mem_token %[[OLD]], %[[L1]]
// CHECK: %[[S1:.*]] = nv_tileaa.tiled_store {{.*}}, token %[[J1]]
// CHECK-NOT: tiled_store
// CHECK: %[[STORED:.*]] = nv_tileaa.join_mem_token %[[S0]], %[[S1]]
// CHECK: %[[LOADED:.*]] = nv_tileaa.join_mem_token %[[L0]], %[[L1]]
// CHECK: scf.yield %[[STORED]], %[[LOADED]]
nv_tileaa.func @in_place(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f16>, %m: i32, %n: i32)
    attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %zero = arith.constant dense<0.0> : tensor<256x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %t = nv_tileaa.create_mem_token
  %ra = nv_tileaa.make_memref %a, sizes[%m], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !ma
  %rb = nv_tileaa.make_memref %b, sizes[%n], strides[%n] : !nv_tileaa.ptr<f16>, (i32), (i32) -> !mb
  %rc = nv_tileaa.make_memref %c, sizes[%m, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !mc
  %pa = nv_tileaa.block_tile %ra : !ma -> !va
  %pb = nv_tileaa.block_tile %rb : !mb -> !vb
  %pc = nv_tileaa.block_tile %rc : !mc -> !vc
  %pz = nv_tileaa.block_tile %rc : !mc -> !vz
  %u:2 = scf.for %x = %c0 to %c8 step %c1 iter_args(%old = %t, %read = %t) -> (!nv_tileaa.mem_token, !nv_tileaa.mem_token) : i32 {
    %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<256x128xf32>) : i32 {
      %l, %t1 = nv_tileaa.tiled_load %pa[%x, %k], token %t : !va, (i32, i32) -> tensor<256x64xf16>
      %r, %t2 = nv_tileaa.tiled_load %pb[%k, %x], token %t : !vb, (i32, i32) -> tensor<64x128xf16>
      %d = nv_tileaa.dot %l, %r, %acc : tensor<256x64xf16>, tensor<64x128xf16>, tensor<256x128xf32>
      scf.yield %d : tensor<256x128xf32>
    }
    %add, %t3 = nv_tileaa.tiled_load %pz[%x, %x], token %old : !vz, (i32, i32) -> tensor<256x128xf16>
    %t4 = nv_tileaa.join_mem_token %old, %t3
    %wide = arith.extf %add : tensor<256x128xf16> to tensor<256x128xf32>
    %e = arith.addf %sum, %wide : tensor<256x128xf32>
    %h = arith.truncf %e : tensor<256x128xf32> to tensor<256x128xf16>
    %t5 = nv_tileaa.tiled_store %pc[%x, %x], %h, token %t4 : !vc, (i32, i32), tensor<256x128xf16>
    scf.yield %t5, %t3 : !nv_tileaa.mem_token, !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// Of the array that is stored, at steps of half a tile: the load of a part would see what the part before has stored. Slices of rows it is.
// CHECK-LABEL: nv_tileaa.func @overlapping
// CHECK: scf.for %{{.*}} = %{{.*}} to %c2_i32
// CHECK-NOT: extract_slice
// CHECK: tiled_store {{.*}} tensor<128x128xf16>
nv_tileaa.func @overlapping(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f16>, %m: i32, %n: i32)
    attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %zero = arith.constant dense<0.0> : tensor<256x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %ra = nv_tileaa.make_memref %a, sizes[%m], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !ma
  %rb = nv_tileaa.make_memref %b, sizes[%n], strides[%n] : !nv_tileaa.ptr<f16>, (i32), (i32) -> !mb
  %rc = nv_tileaa.make_memref %c, sizes[%m, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !mc
  %x, %y, %z = nv_tileaa.get_program_id
  %pa = nv_tileaa.block_tile %ra : !ma -> !va
  %pb = nv_tileaa.block_tile %rb : !mb -> !vb
  %pc = nv_tileaa.block_tile %rc : !mc -> !vc
  %po = nv_tileaa.block_tile %rc : !mc -> !vo
  %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<256x128xf32>) : i32 {
    %l, %t1 = nv_tileaa.tiled_load %pa[%x, %k] : !va, (i32, i32) -> tensor<256x64xf16>
    %r, %t2 = nv_tileaa.tiled_load %pb[%k, %y] : !vb, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %l, %r, %acc : tensor<256x64xf16>, tensor<64x128xf16>, tensor<256x128xf32>
    scf.yield %d : tensor<256x128xf32>
  }
  %add, %t3 = nv_tileaa.tiled_load %po[%x, %y] : !vo, (i32, i32) -> tensor<256x128xf16>
  %wide = arith.extf %add : tensor<256x128xf16> to tensor<256x128xf32>
  %e = arith.addf %sum, %wide : tensor<256x128xf32>
  %h = arith.truncf %e : tensor<256x128xf32> to tensor<256x128xf16>
  %t4 = nv_tileaa.tiled_store %pc[%x, %y], %h, token %t3 : !vc, (i32, i32), tensor<256x128xf16>
  nv_tileaa.return
}

// Something else is stored when the tile has been loaded, and before the result is: loads of parts would come after it.
// CHECK-LABEL: nv_tileaa.func @between
// CHECK-NOT: extract_slice
// CHECK: nv_tileaa.return
nv_tileaa.func @between(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f16>, %o: !nv_tileaa.ptr<f16>, %m: i32, %n: i32)
    attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %zero = arith.constant dense<0.0> : tensor<256x128xf32>
  %new = arith.constant dense<1.0> : tensor<256x128xf16>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %ra = nv_tileaa.make_memref %a, sizes[%m], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !ma
  %rb = nv_tileaa.make_memref %b, sizes[%n], strides[%n] : !nv_tileaa.ptr<f16>, (i32), (i32) -> !mb
  %rc = nv_tileaa.make_memref %c, sizes[%m, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !mc
  %ro = nv_tileaa.make_memref %o, sizes[%m, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !mc
  %x, %y, %z = nv_tileaa.get_program_id
  %pa = nv_tileaa.block_tile %ra : !ma -> !va
  %pb = nv_tileaa.block_tile %rb : !mb -> !vb
  %pc = nv_tileaa.block_tile %rc : !mc -> !vc
  %po = nv_tileaa.block_tile %ro : !mc -> !vc
  %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<256x128xf32>) : i32 {
    %l, %t1 = nv_tileaa.tiled_load %pa[%x, %k] : !va, (i32, i32) -> tensor<256x64xf16>
    %r, %t2 = nv_tileaa.tiled_load %pb[%k, %y] : !vb, (i32, i32) -> tensor<64x128xf16>
    %d = nv_tileaa.dot %l, %r, %acc : tensor<256x64xf16>, tensor<64x128xf16>, tensor<256x128xf32>
    scf.yield %d : tensor<256x128xf32>
  }
  %add, %t3 = nv_tileaa.tiled_load %pc[%x, %y] : !vc, (i32, i32) -> tensor<256x128xf16>
  %t4 = nv_tileaa.tiled_store %pc[%x, %y], %new, token %t3 : !vc, (i32, i32), tensor<256x128xf16>
  %wide = arith.extf %add : tensor<256x128xf16> to tensor<256x128xf32>
  %e = arith.addf %sum, %wide : tensor<256x128xf32>
  %h = arith.truncf %e : tensor<256x128xf32> to tensor<256x128xf16>
  %t5 = nv_tileaa.tiled_store %po[%x, %y], %h : !vc, (i32, i32), tensor<256x128xf16>
  nv_tileaa.return
}
}

// -----

// A row that is added to all rows is loaded in parts as well, whatever shapes it has in between. 256 columns of 128 rows are read in parts by four
// warps, where eight would divide the columns.
!ma = !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
!mb = !nv_tileaa.memref<64x?xf16, strides = [?, 1]>
!mc = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!mr = !nv_tileaa.memref<?xf16, strides = [1]>
!va = !nv_tileaa.tiled_view<[128, 64], !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
!vb = !nv_tileaa.tiled_view<[64, 256], !nv_tileaa.memref<64x?xf16, strides = [?, 1]>>
!vc = !nv_tileaa.tiled_view<[128, 256], !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
!vr = !nv_tileaa.tiled_view<[256], !nv_tileaa.memref<?xf16, strides = [1]>>
gpu.module @m attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
// CHECK-LABEL: nv_tileaa.func @row
// CHECK-SAME: numWarps = 4
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: %[[R:.*]], %{{.*}} = nv_tileaa.tiled_load {{.*}} : <[64], steps = [32], {{.*}} -> tensor<64xf16>
// CHECK: tiled_load {{.*}} -> tensor<128x64xf16>
// CHECK: %[[W:.*]] = arith.extf %[[R]] : tensor<64xf16> to tensor<64xf32>
// CHECK: %[[V:.*]] = nv_tileaa.view %[[W]] : tensor<64xf32> -> tensor<1x64xf32>
// CHECK: %[[B:.*]] = nv_tileaa.broadcast %[[V]] : tensor<1x64xf32> -> tensor<128x64xf32>
// CHECK: %[[S:.*]] = nv_tileaa.extract_slice %[[SUM]]
// CHECK: arith.addf %[[S]], %[[B]] : tensor<128x64xf32>
// CHECK-COUNT-4: nv_tileaa.tiled_store {{.*}} tensor<128x64xf16>
// CHECK-NOT: tiled_store
// Who has a hint for eight warps keeps them.
// CHECK-LABEL: nv_tileaa.func @hinted
// CHECK-SAME: numWarps = 8
// CHECK-NOT: extract_slice
nv_tileaa.func @row(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f16>, %o: !nv_tileaa.ptr<f16>, %row: !nv_tileaa.ptr<f16>, %m: i32, %n: i32)
    attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %s = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %a : !nv_tileaa.ptr<f16>
  %qb = nv_tileaa.assume #nv_tileaa.div_by<16>, %b : !nv_tileaa.ptr<f16>
  %ra = nv_tileaa.make_memref %qa, sizes[%m], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !ma
  %rb = nv_tileaa.make_memref %qb, sizes[%s], strides[%s] : !nv_tileaa.ptr<f16>, (i32), (i32) -> !mb
  %rc = nv_tileaa.make_memref %c, sizes[%m, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !mc
  %ro = nv_tileaa.make_memref %o, sizes[%m, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !mc
  %rr = nv_tileaa.make_memref %row, sizes[%n], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !mr
  %x, %y, %z = nv_tileaa.get_program_id
  %pa = nv_tileaa.block_tile %ra : !ma -> !va
  %pb = nv_tileaa.block_tile %rb : !mb -> !vb
  %pc = nv_tileaa.block_tile %rc : !mc -> !vc
  %po = nv_tileaa.block_tile %ro : !mc -> !vc
  %pr = nv_tileaa.block_tile %rr : !mr -> !vr
  %bias, %t0 = nv_tileaa.tiled_load %pr[%y] : !vr, (i32) -> tensor<256xf16>
  %more, %t6 = nv_tileaa.tiled_load %pc[%x, %y] : !vc, (i32, i32) -> tensor<128x256xf16>
  %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<128x256xf32>) : i32 {
    %l, %t1 = nv_tileaa.tiled_load %pa[%x, %k] : !va, (i32, i32) -> tensor<128x64xf16>
    %r, %t2 = nv_tileaa.tiled_load %pb[%k, %y] : !vb, (i32, i32) -> tensor<64x256xf16>
    %d = nv_tileaa.dot %l, %r, %acc : tensor<128x64xf16>, tensor<64x256xf16>, tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %w = arith.extf %bias : tensor<256xf16> to tensor<256xf32>
  %v = nv_tileaa.view %w : tensor<256xf32> -> tensor<1x256xf32>
  %wide = nv_tileaa.broadcast %v : tensor<1x256xf32> -> tensor<128x256xf32>
  %e = arith.addf %sum, %wide : tensor<128x256xf32>
  %g = arith.extf %more : tensor<128x256xf16> to tensor<128x256xf32>
  %f = arith.addf %e, %g : tensor<128x256xf32>
  %h = arith.truncf %f : tensor<128x256xf32> to tensor<128x256xf16>
  %t3 = nv_tileaa.tiled_store %po[%x, %y], %h : !vc, (i32, i32), tensor<128x256xf16>
  nv_tileaa.return
}
nv_tileaa.func @hinted(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f16>, %o: !nv_tileaa.ptr<f16>, %m: i32, %n: i32)
    attributes {nv_tileaa.hinted_warps, nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %s = nv_tileaa.assume #nv_tileaa.div_by<16>, %n : i32
  %qa = nv_tileaa.assume #nv_tileaa.div_by<16>, %a : !nv_tileaa.ptr<f16>
  %qb = nv_tileaa.assume #nv_tileaa.div_by<16>, %b : !nv_tileaa.ptr<f16>
  %ra = nv_tileaa.make_memref %qa, sizes[%m], strides[] : !nv_tileaa.ptr<f16>, (i32), () -> !ma
  %rb = nv_tileaa.make_memref %qb, sizes[%s], strides[%s] : !nv_tileaa.ptr<f16>, (i32), (i32) -> !mb
  %rc = nv_tileaa.make_memref %c, sizes[%m, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !mc
  %ro = nv_tileaa.make_memref %o, sizes[%m, %n], strides[%n] : !nv_tileaa.ptr<f16>, (i32, i32), (i32) -> !mc
  %x, %y, %z = nv_tileaa.get_program_id
  %pa = nv_tileaa.block_tile %ra : !ma -> !va
  %pb = nv_tileaa.block_tile %rb : !mb -> !vb
  %pc = nv_tileaa.block_tile %rc : !mc -> !vc
  %po = nv_tileaa.block_tile %ro : !mc -> !vc
  %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<128x256xf32>) : i32 {
    %l, %t1 = nv_tileaa.tiled_load %pa[%x, %k] : !va, (i32, i32) -> tensor<128x64xf16>
    %r, %t2 = nv_tileaa.tiled_load %pb[%k, %y] : !vb, (i32, i32) -> tensor<64x256xf16>
    %d = nv_tileaa.dot %l, %r, %acc : tensor<128x64xf16>, tensor<64x256xf16>, tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %more, %t6 = nv_tileaa.tiled_load %pc[%x, %y] : !vc, (i32, i32) -> tensor<128x256xf16>
  %g = arith.extf %more : tensor<128x256xf16> to tensor<128x256xf32>
  %f = arith.addf %sum, %g : tensor<128x256xf32>
  %h = arith.truncf %f : tensor<128x256xf32> to tensor<128x256xf16>
  %t3 = nv_tileaa.tiled_store %po[%x, %y], %h : !vc, (i32, i32), tensor<128x256xf16>
  nv_tileaa.return
}
}
