// Tensor memory has no operations of nvgpu: NVVM's go through to PTX, on every target that has it, also those that NVVM does
// not list; elsewhere they are refused by name.
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_103 --emit=ptx | FileCheck %s
// RUN: tileiras %s --gpu-name=sm_110 --emit=ptx | FileCheck %s
// CHECK: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32
// CHECK: tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned
// CHECK: tcgen05.st.sync.aligned.32x32b.x1.b32
// CHECK: tcgen05.wait::st.sync.aligned
// CHECK: tcgen05.ld.sync.aligned.32x32b.x1.b32
// CHECK: tcgen05.wait::ld.sync.aligned
// CHECK: tcgen05.dealloc.cta_group::1.sync.aligned.b32
// RUN: %{exits} 5 tileiras %s --gpu-name=sm_120 --emit=ptx 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: nvvm_tcgen05.mlir":[[#@LINE+19]]:7): error: 'nvvm.tcgen05.alloc' needs a target with tensor memory; the target is sm_120{{a?}}
// RUN: tileiras-run %s --gpu-name=sm_100 --check-races --schedules=3 --block=128 'in:i32[128]=random(seed=1)' 'out:o:i32[128]=poison' --dump=in=%t.in.npy
// RUN: tileiras-run %s --gpu-name=sm_100 --check-races --schedules=3 --block=128 'in:i32[128]=%t.in.npy' 'out:o:i32[128]{expect=%t.in.npy}=poison'
// Who does not wait for what it loads does not have it.
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx | sed '/wait::ld/d' > %t.hasty.ptx
// RUN: not tileiras-run %t.hasty.ptx --check-races --schedules=3 --block=128 'in:i32[128]=%t.in.npy' 'out:o:i32[128]{expect=%t.in.npy}=poison'

gpu.module @kernels {
  gpu.func @through(%in: memref<128xi32>, %out: memref<128xi32>) workgroup(%slot : memref<4xi32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %n = arith.constant 32 : i32
    %tid = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %lead = arith.cmpi ult, %tid, %c32 : index
    %i = memref.extract_aligned_pointer_as_index %slot : memref<4xi32, #gpu.address_space<workgroup>> -> index
    %i32 = arith.index_cast %i : index to i32
    %p = llvm.inttoptr %i32 : i32 to !llvm.ptr<3>
    %x = memref.load %in[%tid] : memref<128xi32>
    scf.if %lead {
      nvvm.tcgen05.alloc %p, %n : !llvm.ptr<3>, i32
      nvvm.tcgen05.relinquish_alloc_permit
    }
    gpu.barrier
    %a = memref.load %slot[%c0] : memref<4xi32, #gpu.address_space<workgroup>>
    %tm = llvm.inttoptr %a : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %tm, %x {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    nvvm.tcgen05.wait <store>
    %v = nvvm.tcgen05.ld %tm {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    nvvm.tcgen05.wait <load>
    memref.store %v, %out[%tid] : memref<128xi32>
    gpu.barrier
    scf.if %lead {
      nvvm.tcgen05.dealloc %tm, %n : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
