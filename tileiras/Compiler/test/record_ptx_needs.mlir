// RUN: tileiras-opt %s --pass-pipeline='builtin.module(gpu.module(tileir-record-ptx-needs))' | FileCheck %s
// RUN: tileiras-opt %s --pass-pipeline='builtin.module(gpu.module(tileir-record-ptx-needs,convert-nvvm-to-llvm,tileir-record-ptx-needs))' | FileCheck %s

// What operations need is found while they have names, and kept when they have become text.

// CHECK-LABEL: gpu.module @nothing attributes {nvgpu.async_products = false, nvgpu.ptx_version = 80 : i32}
gpu.module @nothing {
  llvm.func @f(%x: f32) -> f32 {
    llvm.return %x : f32
  }
}

// CHECK-LABEL: gpu.module @by_name attributes {nvgpu.async_products = false, nvgpu.ptx_version = 86 : i32}
gpu.module @by_name {
  llvm.func @f(%p: !llvm.ptr<3>) {
    nvvm.clusterlaunchcontrol.try.cancel %p, %p
    llvm.return
  }
}

// Types and not the name: e4m3 came with 8.1.
// CHECK-LABEL: gpu.module @by_type attributes {nvgpu.async_products = true, nvgpu.ptx_version = 81 : i32}
gpu.module @by_type {
  llvm.func @f(%a: i64, %b: i64, %c: !llvm.struct<(f32, f32, f32, f32)>) -> !llvm.struct<(f32, f32, f32, f32)> {
    %d = nvvm.wgmma.mma_async %a, %b, %c, <m = 64, n = 8, k = 32>, D [<f32>, <one>], A [<e4m3>, <one>, <row>], B [<e4m3>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    llvm.return %d : !llvm.struct<(f32, f32, f32, f32)>
  }
}

// The attribute counts, not the text: this is ours, and says what it needs.
// CHECK-LABEL: gpu.module @by_attribute attributes {nvgpu.async_products = false, nvgpu.ptx_version = 83 : i32}
gpu.module @by_attribute {
  llvm.func @f(%p: !llvm.ptr<1>) {
    llvm.inline_asm has_side_effects {nvgpu.ptx_version = 83 : i32} "// tcgen05, wgmma.mma_async", "" : () -> ()
    llvm.inline_asm has_side_effects {nv_tileas.access = "any"} "// .v8.b32, wgmma.mma_async", "" : () -> ()
    llvm.return
  }
}

// PTX that came with the module has nothing but its text.
// CHECK-LABEL: gpu.module @by_text attributes {nvgpu.async_products = true, nvgpu.ptx_version = 88 : i32}
gpu.module @by_text {
  llvm.func @f(%p: !llvm.ptr<1>) {
    llvm.inline_asm has_side_effects "ld.global.v8.b32 {}, [$0];", "l" %p : (!llvm.ptr<1>) -> ()
    llvm.inline_asm has_side_effects "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 ...;", "" : () -> ()
    llvm.return
  }
}
