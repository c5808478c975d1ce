// RUN: tileiras-opt %s --convert-nvgpu-to-nvvm | FileCheck %s

// CHECK-LABEL: @extend
// CHECK-SAME: (%[[N:.*]]: i32
func.func @extend(%n: i32) -> (vector<2xf16>, vector<2xf32>, vector<2xf16>, vector<2xf16>, vector<2xbf16>, vector<2xf32>) {
  // CHECK: %[[LOW:.*]] = llvm.trunc %[[N]] : i32 to i16
  // CHECK: %[[BYTES:.*]] = llvm.bitcast %[[LOW]] : i16 to vector<2xi8>
  // CHECK: nvvm.convert.f8x2.to.f16x2 %[[BYTES]] : vector<2xi8>(f8E4M3FN) -> vector<2xf16>
  %0 = nvgpu.cvt_fpext %n, e4m3x2 : i32 -> vector<2xf16>
  // f32 through f16, which holds every value.
  // CHECK: %[[HALVES:.*]] = nvvm.convert.f8x2.to.f16x2 %{{.*}} {relu = true} : vector<2xi8>(f8E5M2) -> vector<2xf16>
  // CHECK: llvm.fpext %[[HALVES]] : vector<2xf16> to vector<2xf32>
  %1 = nvgpu.cvt_fpext %n, e5m2x2 relu : i32 -> vector<2xf32>
  // CHECK: nvvm.convert.f6x2.to.f16x2 %{{.*}} : vector<2xi8>(f6E3M2FN) -> vector<2xf16>
  %2 = nvgpu.cvt_fpext %n, e3m2x2 : i32 -> vector<2xf16>
  // CHECK: %[[BYTE:.*]] = llvm.trunc %[[N]] : i32 to i8
  // CHECK: nvvm.convert.f4x2.to.f16x2 %[[BYTE]] : i8(f4E2M1FN) -> vector<2xf16>
  %3 = nvgpu.cvt_fpext %n, e2m1x2 : i32 -> vector<2xf16>
  // CHECK: nvvm.convert.f8x2.to.bf16x2 %{{.*}} : vector<2xi8>(f8E8M0FNU) -> vector<2xbf16>
  %4 = nvgpu.cvt_fpext %n, ue8m0x2 : i32 -> vector<2xbf16>
  // CHECK: %[[PAIR:.*]] = llvm.bitcast %[[N]] : i32 to vector<2xbf16>
  // CHECK: llvm.fpext %[[PAIR]] : vector<2xbf16> to vector<2xf32>
  %5 = nvgpu.cvt_fpext %n, bf16x2 : i32 -> vector<2xf32>
  return %0, %1, %2, %3, %4, %5 : vector<2xf16>, vector<2xf32>, vector<2xf16>, vector<2xf16>, vector<2xbf16>, vector<2xf32>
}

// CHECK-LABEL: @truncate
// CHECK-SAME: (%[[V:.*]]: vector<2xf32>, %[[H:.*]]: vector<2xf16>)
func.func @truncate(%v: vector<2xf32>, %h: vector<2xf16>) -> (i32, i32, i32, i32, i32, i32) {
  // PTX names the upper one first.
  // CHECK: %[[C0:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[LOWER:.*]] = llvm.extractelement %[[V]][%[[C0]] : i32]
  // CHECK: %[[UPPER:.*]] = llvm.extractelement %[[V]]
  // CHECK: %[[E4M3:.*]] = nvvm.convert.f32x2.to.f8x2 %[[UPPER]], %[[LOWER]] {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16(f8E4M3FN)
  // CHECK: llvm.zext %[[E4M3]] : i16 to i32
  %0 = nvgpu.cvt_fptrunc %v, e4m3x2 : vector<2xf32> -> i32
  // CHECK: nvvm.convert.f16x2.to.f8x2 %[[H]] : vector<2xf16> -> i16(f8E5M2)
  %1 = nvgpu.cvt_fptrunc %h, e5m2x2 : vector<2xf16> -> i32
  // There is none from f16: through f32, which holds every value.
  // CHECK: llvm.fpext %[[H]] : vector<2xf16> to vector<2xf32>
  // CHECK: nvvm.convert.f32x2.to.f6x2 {{.*}} {relu = true} : i16(f6E2M3FN)
  %2 = nvgpu.cvt_fptrunc %h, e2m3x2 relu : vector<2xf16> -> i32
  // CHECK: %[[E2M1:.*]] = nvvm.convert.f32x2.to.f4x2 {{.*}} : i8(f4E2M1FN)
  // CHECK: llvm.zext %[[E2M1]] : i8 to i32
  %3 = nvgpu.cvt_fptrunc %v, e2m1x2 : vector<2xf32> -> i32
  // CHECK: nvvm.convert.f32x2.to.f8x2 {{.*}} {rnd = #nvvm.fp_rnd_mode<rp>, sat = #nvvm.sat_mode<satfinite>} : i16(f8E8M0FNU)
  %4 = nvgpu.cvt_fptrunc %v, ue8m0x2, rp : vector<2xf32> -> i32
  // CHECK: %[[BF:.*]] = nvvm.convert.f32x2.to.bf16x2 {{.*}} {rnd = #nvvm.fp_rnd_mode<rz>} : vector<2xbf16>
  // CHECK: llvm.bitcast %[[BF]] : vector<2xbf16> to i32
  %5 = nvgpu.cvt_fptrunc %v, bf16x2, rz : vector<2xf32> -> i32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}

// CHECK-LABEL: @arithmetic
func.func @arithmetic(%a: vector<2xf32>, %b: vector<2xf32>, %c: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>) {
  // CHECK: llvm.inline_asm asm_dialect = att {nvgpu.ptx_version = 86 : i32} "fma.rm.ftz.f32x2 $0, $1, $2, $3;", "=l,l,l,l"
  %0 = nvgpu.fma.packed.f32x2 %a, %b, %c, rm ftz : vector<2xf32>
  // CHECK: llvm.inline_asm asm_dialect = att {nvgpu.ptx_version = 86 : i32} "mul.rn.f32x2 $0, $1, $2;", "=l,l,l"
  %1 = nvgpu.mul.packed.f32x2 %a, %b : vector<2xf32>
  return %0, %1 : vector<2xf32>, vector<2xf32>
}
