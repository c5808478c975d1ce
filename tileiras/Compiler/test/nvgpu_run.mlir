// A kernel in nvgpu, compiled and executed: a box of a tensor is fetched by TMA. Its map comes from the host as a
// parameter (@from_host) or is made by the kernel itself (@own_map). out[r][c] = in[r + 4][c + 32].
// RUN: tileiras-run %s --entry=from_host --gpu-name=sm_90 --block=32 --check-races --show=out \
// RUN:   'in:f32[16x64]{pass=none}=iota' 'm:map=in{box=8x32}' 'out:out:f32[8x32]=poison' | FileCheck %s
// RUN: tileiras-run %s --entry=own_map --gpu-name=sm_90 --block=32 --check-races --show=out \
// RUN:   'in:f32[16x64]=iota' 'slot:i8[128]=zeros' 'out:out:f32[8x32]=poison' | FileCheck %s
// RUN: tileiras-run %s --entry=own_map --gpu-name=sm_120 --block=32 --check-races --show=out \
// RUN:   'in:f32[16x64]=iota' 'slot:i8[128]=zeros' 'out:out:f32[8x32]=poison' | FileCheck %s
// RUN: tileiras --emit=ptx --gpu-name=sm_90 %s | FileCheck %s --check-prefix=PTX
// RUN: %{exits} 5 tileiras-run %s --entry=own_map --gpu-name=sm_89 2>&1 | FileCheck %s --check-prefix=ADA

// CHECK: out:
// CHECK-NEXT: 288 289 290
// CHECK-NEXT: 352 353 354
// CHECK: 736 737 738

// PTX: .entry from_host(
// PTX-NEXT: .param .align 64 .b8 from_host_param_0[128],
// PTX-NEXT: .param .u64

// ADA: error: 'nvgpu.mbarrier.arrive.expect_tx' needs sm_90 or later; the target is sm_89

!map = !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
gpu.module @kernels {
  memref.global "private" @mailbox : memref<128xi8, 3> {alignment = 128}
  memref.global "private" @tile : memref<8x32xf32, 3> {alignment = 128}
  gpu.func @own_map(%in: memref<16x64xf32>, %slot: !map, %out: memref<8x32xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %bytes = arith.constant 1024 : index
    %ticks = arith.constant 1000000 : index
    %even = arith.constant false
    %all = arith.constant -1 : i32
    %columns = arith.constant 64 : i32
    %rows = arith.constant 16 : i32
    %row_bytes = arith.constant 256 : i64
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %mailbox = memref.get_global @mailbox : memref<128xi8, 3>
    %tile = memref.get_global @tile : memref<8x32xf32, 3>
    %barrier = nvgpu.mbarrier.create -> !bar
    %base = memref.extract_aligned_pointer_as_index %in : memref<16x64xf32> -> index
    %address = arith.index_cast %base : index to i64
    scf.if %first {
      nvgpu.mbarrier.init %barrier[%c0], %c1 : !bar
      nvvm.fence.mbarrier.init
      %zero = arith.constant dense<0> : vector<128xi8>
      vector.store %zero, %mailbox[%c0] : memref<128xi8, 3>, vector<128xi8>
      nvgpu.tensormap.init %mailbox as !map : memref<128xi8, 3>
      nvgpu.tensormap.update.global_address %mailbox, %address : memref<128xi8, 3>
      nvgpu.tensormap.update.global_dim %mailbox, %columns {ord = 0 : i32} : memref<128xi8, 3>
      nvgpu.tensormap.update.global_dim %mailbox, %rows {ord = 1 : i32} : memref<128xi8, 3>
      nvgpu.tensormap.update.global_stride %mailbox, %row_bytes {ord = 0 : i32} : memref<128xi8, 3>
    }
    gpu.barrier
    nvgpu.tensormap.publish %mailbox to %slot : memref<128xi8, 3>, !map
    nvgpu.tma.fence.descriptor %slot : !map
    nvgpu.mbarrier.arrive.expect_tx %barrier[%c0], %bytes, predicate = %first : !bar
    nvgpu.tma.async.load %slot[%c32, %c4], %barrier[%c0] to %tile, predicate = %first : !map, !bar -> memref<8x32xf32, 3>
    nvgpu.mbarrier.try_wait.parity %barrier[%c0], %even, %ticks : !bar
    scf.for %r = %c0 to %c8 step %c1 {
      %v = memref.load %tile[%r, %t] : memref<8x32xf32, 3>
      memref.store %v, %out[%r, %t] : memref<8x32xf32>
    }
    gpu.return
  }

  gpu.func @from_host(%map: !map {nvgpu.grid_constant}, %out: memref<8x32xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %bytes = arith.constant 1024 : index
    %ticks = arith.constant 1000000 : index
    %even = arith.constant false
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %tile = memref.get_global @tile : memref<8x32xf32, 3>
    %barrier = nvgpu.mbarrier.create -> !bar
    nvgpu.mbarrier.init %barrier[%c0], %c1, predicate = %first : !bar
    nvvm.fence.mbarrier.init
    gpu.barrier
    nvgpu.mbarrier.arrive.expect_tx %barrier[%c0], %bytes, predicate = %first : !bar
    nvgpu.tma.async.load %map[%c32, %c4], %barrier[%c0] to %tile, predicate = %first : !map, !bar -> memref<8x32xf32, 3>
    nvgpu.mbarrier.try_wait.parity %barrier[%c0], %even, %ticks : !bar
    scf.for %r = %c0 to %c8 step %c1 {
      %v = memref.load %tile[%r, %t] : memref<8x32xf32, 3>
      memref.store %v, %out[%r, %t] : memref<8x32xf32>
    }
    gpu.return
  }
}
