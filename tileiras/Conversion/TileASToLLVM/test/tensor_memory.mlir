// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-dot-layouts,tileas-place-sums,tileas-materialize-convert-layout,tileas-optimize-alloc-tensor)))' | FileCheck %s
// RUN: tileiras-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-dot-layouts,tileas-place-sums,tileas-materialize-convert-layout,tileas-optimize-alloc-tensor)),convert-nv-tile-func-to-llvm,convert-nv-tileas-to-llvm)' | FileCheck %s --check-prefix=LLVM

// Columns by lifetime, a power of two for the kernel, and 16 bytes of shared memory for their address and an mbarrier.
// CHECK-LABEL: nv_tileaa.func @product
// CHECK-SAME: {{.*}}attributes {nv_tileas.shared_bytes = 32784 : i64, nv_tileas.tensor_memory = array<i64: 64, 32768>}
// CHECK: nv_tileas.alloc_tensor {offset = 0 : i64} : tensor<128x64xf32, #tensor_memory>

// LLVM-LABEL: func.func @product
// The thread that issues products is found where the kernel begins.
// LLVM: nvvm.elect.sync
// LLVM: %[[ISSUER:.*]] = llvm.and
// LLVM: llvm.alloca
// LLVM: llvm.inline_asm has_side_effects {{.*}}"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 64;\0A\09tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"
// LLVM: "mbarrier.init.shared::cta.b64 [$0 + 8], 1;\0A\09fence.mbarrier_init.release.cluster;"
// LLVM: "tcgen05.fence::before_thread_sync;"
// LLVM: nvvm.barrier0
// LLVM: "tcgen05.fence::after_thread_sync;"
// LLVM: tcgen05.st.sync.aligned.32x32b.x64.b32
// LLVM-SAME: tcgen05.wait::st.sync.aligned;\0A\09tcgen05.fence::before_thread_sync;
// The writes of the operands end in the barrier that the product needs.
// LLVM: nvvm.fence.proxy
// LLVM-NEXT: nvvm.barrier0
// LLVM-NOT: nvvm.barrier0
// LLVM: scf.if %[[ISSUER]]
// The descriptors of further instructions are the first one plus a constant.
// LLVM: tcgen05.mma.cta_group::1.kind::f16 [$2], $0, $1, 135331856, always;\0A\09add.s64 left, $0, 2;\0A\09add.s64 right, $1, {{[0-9]+}};\0A\09tcgen05.mma.cta_group::1.kind::f16 [$2], left, right, 135331856, always;
// LLVM-SAME: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64
// LLVM: mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;
// LLVM-SAME: tcgen05.fence::after_thread_sync;
// LLVM: tcgen05.ld.sync.aligned.32x32b.x64.b32
// LLVM-SAME: tcgen05.wait::ld.sync.aligned;\0A\09tcgen05.fence::before_thread_sync;
// LLVM: nvvm.barrier0
// LLVM: tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, 64;
#l = #nv_tileas.blocked<size_per_thread = [1, 8], threads_per_warp = [8, 4], warps_per_cta = [4, 1], order = [1, 0]>
#m = #nv_tileas.blocked<size_per_thread = [1, 8], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]>
module attributes {gpu.container_module} {
  gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
    nv_tileaa.func @product(%a: tensor<128x32xf16, #l>, %b: tensor<32x64xf16, #m>, %c: tensor<128x64xf32, #m>) -> tensor<128x64xf32, #m> {
      %d = nv_tileas.dot %a, %b, %c : tensor<128x32xf16, #l>, tensor<32x64xf16, #m>, tensor<128x64xf32, #m>
      nv_tileaa.return %d : tensor<128x64xf32, #m>
    }
  }
}

// -----

// Scales, one power of two for 32 elements along k, are written to tensor memory before the product, the bytes of four
// instructions in a column: those of A, four columns, behind the sums, then those of B. An instruction names its byte, and reads
// B across (bit 16).
// CHECK-LABEL: nv_tileaa.func @scaled
// CHECK-SAME: nv_tileas.tensor_memory = array<i64: 128,
// CHECK: nv_tileas.dot {{.*}}nv_tileas.scale_columns = 64 : i64
// LLVM-LABEL: func.func @scaled
// LLVM: tcgen05.st.sync.aligned.32x32b.x4.b32 [$0 + 0], {$1, $2, $3, $4};\0A\09tcgen05.st.sync.aligned.32x32b.x2.b32 [$0 + 4], {$5, $6};\0A\09tcgen05.wait::st.sync.aligned;\0A\09tcgen05.fence::before_thread_sync;
// LLVM: nvvm.barrier0
// LLVM: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [$4], $2, $3, 143720448, [$0 + 0], [$1 + 0], always;
// LLVM-SAME: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [$4], left, right, 680591376, [$0 + 0], [$1 + 0], always;
#l = #nv_tileas.blocked<size_per_thread = [1, 8], threads_per_warp = [8, 4], warps_per_cta = [4, 1], order = [1, 0]>
module attributes {gpu.container_module} {
  gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
    nv_tileaa.func @scaled(%a: tensor<128x64xf8E4M3FN, #l>, %b: tensor<64x64xf8E4M3FN, #l>, %c: tensor<128x64xf32, #l>, %sa: tensor<128x2xf8E8M0FNU, #l>, %sb: tensor<2x64xf8E8M0FNU, #l>) -> tensor<128x64xf32, #l> {
      %d = nv_tileas.dot %a, %b, %c scales(%sa : tensor<128x2xf8E8M0FNU, #l>, %sb : tensor<2x64xf8E8M0FNU, #l>) : tensor<128x64xf8E4M3FN, #l>, tensor<64x64xf8E4M3FN, #l>, tensor<128x64xf32, #l>
      nv_tileaa.return %d : tensor<128x64xf32, #l>
    }
  }
}

// -----

// Parts of sums that a loop leaves: 32 of a thread's 64 columns each, where they are wanted.
// LLVM-LABEL: func.func @parts
// LLVM: scf.for
// LLVM-NOT: tcgen05.ld
// LLVM: tcgen05.commit
// LLVM: scf.if
// LLVM: tcgen05.ld.sync.aligned.32x32b.x32.b32 {{[^;]*}} + 0];\0A\09tcgen05.wait::ld.sync.aligned;
// LLVM: llvm.fneg
// LLVM: scf.if
// LLVM: tcgen05.ld.sync.aligned.32x32b.x32.b32 {{[^;]*}} + 32];\0A\09tcgen05.wait::ld.sync.aligned;
// LLVM-NOT: tcgen05.ld
// LLVM: tcgen05.dealloc
#l = #nv_tileas.blocked<size_per_thread = [1, 8], threads_per_warp = [8, 4], warps_per_cta = [4, 1], order = [1, 0]>
#m = #nv_tileas.blocked<size_per_thread = [1, 8], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]>
#c = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#half = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 64, warps = 4>
module attributes {gpu.container_module} {
  gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
    nv_tileaa.func @parts(%a: tensor<128x32xf16, #l>, %b: tensor<32x64xf16, #m>, %low: i32, %high: i32, %step: i32) -> tensor<128x32xf32, #half> {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #c>
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %r = scf.for %i = %low to %high step %step iter_args(%s = %zero) -> (tensor<128x64xf32, #c>) : i32 {
        %d = nv_tileas.dot %a, %b, %s {atom = #atom} : tensor<128x32xf16, #l>, tensor<32x64xf16, #m>, tensor<128x64xf32, #c>
        scf.yield %d : tensor<128x64xf32, #c>
      }
      %left = nv_tileas.extract_slice %r[%c0, %c0] : tensor<128x64xf32, #c> -> tensor<128x32xf32, #half>
      %n = arith.negf %left : tensor<128x32xf32, #half>
      %right = nv_tileas.extract_slice %r[%c0, %c1] : tensor<128x64xf32, #c> -> tensor<128x32xf32, #half>
      %sum = arith.addf %n, %right : tensor<128x32xf32, #half>
      nv_tileaa.return %sum : tensor<128x32xf32, #half>
    }
  }
}
