// Powers of two in loops that multiply in tensor memory: where they take special functions about as long as the products take the tensor core, of three or four pairs of
// registers one is left to the multiply-adds. Executed: test/Driver/share_exponentials.mlir and share_exponentials_range.mlir, test/EndToEnd/tcgen05.py.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-share-exponentials)))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-share-exponentials{pairs=0})))' | FileCheck %s --check-prefix=NONE
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-share-exponentials{pairs=5})))' | FileCheck %s --check-prefix=FIVE
// RUN: tileiras-opt %s -o %t.mlir -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-share-exponentials)))' --remarks-filter=schedule --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

#tile = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#values = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0], [0, 64]]>
#tmem = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#row = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
!tile = tensor<128x128xf32, #tile>
!row = tensor<128xf32, #row>
!sums = tensor<128x128xf32, #tmem>
!left = tensor<128x128xf16, #tmem>
!values = tensor<128x128xf16, #values>

// NONE-NOT: pairs_with_polynomial
// FIVE-COUNT-3: pairs_with_polynomial = 5

gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {

// As long as both products; the factor of a row is one register, and is left alone.
// CHECK-LABEL: @shared
// CHECK: nv_tileaa.exp2 %{{.*}}nv_tileas.pairs_with_polynomial = 3 : i64
// CHECK-NOT: pairs_with_polynomial
// REMARK-DAG: [Passed] Exponentials | Category:schedule | Function=shared | Functions=1032, More=298, Pairs=3, Products=1024, {{.*}}multiply-adds do a part
nv_tileaa.func @shared(%n: i32, %x: !tile, %y: !row) -> (!tile, !row) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %o = nv_tileas.alloc_tensor : !sums
  %p = nv_tileas.alloc_tensor : !left
  %v = nv_tileas.alloc_tensor : !values
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %f = %y) -> (!tile, !row) : i32 {
    %s = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %e = nv_tileaa.exp2 %a {ftz} : !tile
    %g = nv_tileaa.exp2 %f {ftz} : !row
    %t = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    scf.yield %e, %g : !tile, !row
  }
  nv_tileaa.return %r#0, %r#1 : !tile, !row
}

// Half as long as the products.
// CHECK-LABEL: @hidden
// CHECK-NOT: pairs_with_polynomial
// REMARK-DAG: [Missed] Exponentials {{.*}}Function=hidden | Functions=1024, {{.*}}Products=2048, {{.*}}hide behind the products
nv_tileaa.func @hidden(%n: i32, %x: !tile, %hide: i1) -> !tile attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %o = nv_tileas.alloc_tensor : !sums
  %p = nv_tileas.alloc_tensor : !left
  %v = nv_tileas.alloc_tensor : !values
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!tile) : i32 {
    %s0 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %s1 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %s2 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %s3 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %e = nv_tileaa.exp2 %a {ftz} : !tile
    scf.yield %e : !tile
  }
  nv_tileaa.return %r : !tile
}

// The polynomial has no results below the normal numbers.
// CHECK-LABEL: @subnormal
// CHECK-NOT: pairs_with_polynomial
// REMARK-DAG: [Missed] Exponentials {{.*}}Function=subnormal {{.*}}below the normal numbers
nv_tileaa.func @subnormal(%n: i32, %x: !tile, %hide: i1) -> !tile attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %o = nv_tileas.alloc_tensor : !sums
  %p = nv_tileas.alloc_tensor : !left
  %v = nv_tileas.alloc_tensor : !values
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!tile) : i32 {
    %s0 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %s1 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %e = nv_tileaa.exp2 %a : !tile
    scf.yield %e : !tile
  }
  nv_tileaa.return %r : !tile
}

// Other arithmetic takes 896 slots, and the polynomials 224: more than the 1024 clocks of the special functions. (Divisions stand for what is not packed.)
// CHECK-LABEL: @busy
// CHECK-NOT: pairs_with_polynomial
// REMARK-DAG: [Missed] Exponentials {{.*}}Function=busy {{.*}}More=224, Pairs=4, {{.*}}no slots for polynomials{{.*}}Threads=1024
nv_tileaa.func @busy(%n: i32, %x: !tile, %hide: i1) -> !tile attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %o = nv_tileas.alloc_tensor : !sums
  %p = nv_tileas.alloc_tensor : !left
  %v = nv_tileas.alloc_tensor : !values
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!tile) : i32 {
    %s0 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %s1 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %b0 = arith.divf %a, %x : !tile
    %b1 = arith.divf %b0, %x : !tile
    %b2 = arith.divf %b1, %x : !tile
    %b3 = arith.divf %b2, %x : !tile
    %b4 = arith.divf %b3, %x : !tile
    %b5 = arith.divf %b4, %x : !tile
    %b6 = arith.divf %b5, %x : !tile
    %e = nv_tileaa.exp2 %b6 {ftz} : !tile
    scf.yield %e : !tile
  }
  nv_tileaa.return %r : !tile
}

// The same where most rounds do not come.
// CHECK-LABEL: @branch
// CHECK: pairs_with_polynomial = 3
// REMARK-DAG: [Passed] Exponentials {{.*}}Function=branch {{.*}}Threads=128
nv_tileaa.func @branch(%n: i32, %x: !tile, %hide: i1) -> !tile attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %o = nv_tileas.alloc_tensor : !sums
  %p = nv_tileas.alloc_tensor : !left
  %v = nv_tileas.alloc_tensor : !values
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!tile) : i32 {
    %s0 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %s1 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %b = scf.if %hide -> (!tile) {
      %b0 = arith.divf %a, %x : !tile
      %b1 = arith.divf %b0, %x : !tile
      %b2 = arith.divf %b1, %x : !tile
      %b3 = arith.divf %b2, %x : !tile
      %b4 = arith.divf %b3, %x : !tile
      %b5 = arith.divf %b4, %x : !tile
      %b6 = arith.divf %b5, %x : !tile
      scf.yield %b6 : !tile
    } else {
      scf.yield %a : !tile
    }
    %e = nv_tileaa.exp2 %b {ftz} : !tile
    scf.yield %e : !tile
  }
  nv_tileaa.return %r : !tile
}

// Sums that are multiplied in most rounds take slots, too: a fourth, and not a third.
// CHECK-LABEL: @scaled
// CHECK: pairs_with_polynomial = 4
// REMARK-DAG: [Passed] Exponentials {{.*}}Function=scaled {{.*}}Pairs=4, {{.*}}Threads=128
nv_tileaa.func @scaled(%n: i32, %x: !tile, %any: i1) -> !tile attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %o = nv_tileas.alloc_tensor : !sums
  %p = nv_tileas.alloc_tensor : !left
  %v = nv_tileas.alloc_tensor : !values
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!tile) : i32 {
    %s0 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %s1 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %e = nv_tileaa.exp2 %a {ftz} : !tile
    scf.if %any {
      %old = nv_tileas.convert_layout %o : !sums -> !tile
      %b0 = arith.divf %a, %x : !tile
      %b1 = arith.divf %old, %b0 : !tile
      %b2 = arith.divf %b1, %x : !tile
      nv_tileas.copy %b2, %o {no_war_barrier} : !tile, !sums
    } {nv_tileas.usual}
    scf.yield %e : !tile
  }
  nv_tileaa.return %r : !tile
}

// A mask that only some rounds have.
// CHECK-LABEL: @masked
// CHECK-NOT: pairs_with_polynomial
// REMARK-DAG: [Missed] Exponentials {{.*}}Function=masked {{.*}}only some rounds have masks
nv_tileaa.func @masked(%n: i32, %x: !tile, %hide: i1) -> !tile attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %o = nv_tileas.alloc_tensor : !sums
  %p = nv_tileas.alloc_tensor : !left
  %v = nv_tileas.alloc_tensor : !values
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!tile) : i32 {
    %s0 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %s1 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %b = scf.if %hide -> (!tile) {
      %d = arith.cmpf olt, %a, %x : !tile
      %m = arith.select %d, %a, %x : tensor<128x128xi1, #tile>, !tile
      scf.yield %m : !tile
    } else {
      scf.yield %a : !tile
    }
    %e = nv_tileaa.exp2 %b {ftz} : !tile
    scf.yield %e : !tile
  }
  nv_tileaa.return %r : !tile
}

// Two warpgroups with turns.
// CHECK-LABEL: @turns
// CHECK-NOT: pairs_with_polynomial
// REMARK-DAG: [Missed] Exponentials {{.*}}Function=turns {{.*}}take turns
nv_tileaa.func @turns(%n: i32, %x: !tile, %hide: i1) -> !tile attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %o = nv_tileas.alloc_tensor : !sums
  %p = nv_tileas.alloc_tensor : !left
  %v = nv_tileas.alloc_tensor : !values
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!tile) : i32 {
    %s0 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>, nv_tileas.awaited_as = 1 : i64} : !left, !values, !sums
    %s1 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>, nv_tileas.awaited_as = 2 : i64} : !left, !values, !sums
    %e = nv_tileaa.exp2 %a {ftz} : !tile
    %h = arith.truncf %e : !tile to tensor<128x128xf16, #tile>
    nv_tileas.copy %h, %p {nv_tileas.ends_turn} : tensor<128x128xf16, #tile>, !left
    scf.yield %e : !tile
  }
  nv_tileaa.return %r : !tile
}

// A product is waited for where it stands: nothing is under the powers.
// CHECK-LABEL: @turns_at_once
// CHECK: pairs_with_polynomial = 3
// REMARK-DAG: [Passed] Exponentials {{.*}}Function=turns_at_once 
nv_tileaa.func @turns_at_once(%n: i32, %x: !tile, %hide: i1) -> !tile attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %o = nv_tileas.alloc_tensor : !sums
  %p = nv_tileas.alloc_tensor : !left
  %v = nv_tileas.alloc_tensor : !values
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!tile) : i32 {
    %s0 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %s1 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %e = nv_tileaa.exp2 %a {ftz} : !tile
    %h = arith.truncf %e : !tile to tensor<128x128xf16, #tile>
    nv_tileas.copy %h, %p {nv_tileas.ends_turn} : tensor<128x128xf16, #tile>, !left
    scf.yield %e : !tile
  }
  nv_tileaa.return %r : !tile
}

// No product of the loop adds up in tensor memory.
// CHECK-LABEL: @alone
// CHECK-NOT: pairs_with_polynomial
nv_tileaa.func @alone(%n: i32, %x: !tile) -> !tile attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!tile) : i32 {
    %e = nv_tileaa.exp2 %a {ftz} : !tile
    scf.yield %e : !tile
  }
  nv_tileaa.return %r : !tile
}
}

gpu.module @fast attributes {nv_tileaa.compute_capability = 103 : i32, nv_tileaa.target_spec = "sm_103a"} {

// sm_103 has twice as many powers of two a clock.
// CHECK-LABEL: @twice
// CHECK-NOT: pairs_with_polynomial
// REMARK-DAG: [Missed] Exponentials {{.*}}Function=twice | Functions=512, {{.*}}hide behind the products
nv_tileaa.func @twice(%n: i32, %x: !tile, %hide: i1) -> !tile attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %o = nv_tileas.alloc_tensor : !sums
  %p = nv_tileas.alloc_tensor : !left
  %v = nv_tileas.alloc_tensor : !values
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!tile) : i32 {
    %s0 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %s1 = nv_tileas.dot %p, %v, %o if %true {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 128, warps = 4>} : !left, !values, !sums
    %e = nv_tileaa.exp2 %a {ftz} : !tile
    scf.yield %e : !tile
  }
  nv_tileaa.return %r : !tile
}
}
