// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-dot-layouts)))' | FileCheck %s

// The instruction follows from operands, K and target; the warps from the shape.
gpu.module @sm80 attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"} {
  // CHECK-LABEL: nv_tileaa.func @f16
  // CHECK: nv_tileas.convert_layout %{{.*}} -> tensor<64x32xf16, #{{.*}}>
  // CHECK: nv_tileas.convert_layout %{{.*}} -> tensor<32x64xf16, #{{.*}}>
  // CHECK: nv_tileas.convert_layout %{{.*}} -> tensor<64x64xf32, #[[C:.*]]>
  // CHECK: %[[R:.*]] = nv_tileas.dot %{{.*}} {atom = #nv_tileas.mma_atom<f16, shape = [16, 8, 16], warps = [1, 2, 2]>}
  // CHECK: nv_tileas.convert_layout %[[R]] : tensor<64x64xf32, #[[C]]> -> tensor<64x64xf32, #blocked
  nv_tileaa.func @f16(%a_s: f16, %b_s: f16, %c_s: f32) {
    %a = nv_tileaa.splat %a_s : f16 -> tensor<64x32xf16>
    %b = nv_tileaa.splat %b_s : f16 -> tensor<32x64xf16>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    %e = arith.negf %d : tensor<64x64xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: nv_tileaa.func @small_k
  // CHECK: #nv_tileas.mma_atom<f16, shape = [16, 8, 8],
  // CHECK: #nv_tileas.fma_atom<f32, box = [{{.*}}], lanes = [{{.*}}], warps = [
  nv_tileaa.func @small_k(%a_s: f16, %b_s: f16, %x_s: f16, %y_s: f16, %c_s: f32) {
    %a = nv_tileaa.splat %a_s : f16 -> tensor<64x8xf16>
    %b = nv_tileaa.splat %b_s : f16 -> tensor<8x64xf16>
    %x = nv_tileaa.splat %x_s : f16 -> tensor<64x4xf16>
    %y = nv_tileaa.splat %y_s : f16 -> tensor<4x64xf16>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<64x8xf16>, tensor<8x64xf16>, tensor<64x64xf32>
    %e = nv_tileaa.dot %x, %y, %d : tensor<64x4xf16>, tensor<4x64xf16>, tensor<64x64xf32>
    nv_tileaa.return
  }
  // No fp8 product on this target: f16, exactly.
  // CHECK-LABEL: nv_tileaa.func @fp8_80
  // CHECK: #nv_tileas.mma_atom<f16, shape = [16, 8, 16],
  nv_tileaa.func @fp8_80(%a_s: f8E4M3FN, %b_s: f8E4M3FN, %c_s: f32) {
    %a = nv_tileaa.splat %a_s : f8E4M3FN -> tensor<64x32xf8E4M3FN>
    %b = nv_tileaa.splat %b_s : f8E4M3FN -> tensor<32x64xf8E4M3FN>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<64x32xf8E4M3FN>, tensor<32x64xf8E4M3FN>, tensor<64x64xf32>
    nv_tileaa.return
  }
}

gpu.module @sm90 attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
  // wgmma, and exact sums: the operands become f16.
  // CHECK-LABEL: nv_tileaa.func @fp8_90
  // CHECK-COUNT-2: arith.extf {{.*}}f8E4M3FN{{.*}} to tensor<{{.*}}xf16
  // CHECK: #nv_tileas.wgmma_atom<f16, n = 64, groups = [1, 1]>
  nv_tileaa.func @fp8_90(%a_s: f8E4M3FN, %b_s: f8E4M3FN, %c_s: f32) attributes {nv_tileaa.exact_sums} {
    %a = nv_tileaa.splat %a_s : f8E4M3FN -> tensor<64x32xf8E4M3FN>
    %b = nv_tileaa.splat %b_s : f8E4M3FN -> tensor<32x64xf8E4M3FN>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<64x32xf8E4M3FN>, tensor<32x64xf8E4M3FN>, tensor<64x64xf32>
    nv_tileaa.return
  }
  // f32 is never rounded to tf32.
  // CHECK-LABEL: nv_tileaa.func @others
  // CHECK: #nv_tileas.fma_atom<f32, box = [{{.*}}], lanes = [{{.*}}], warps = [
  // CHECK: #nv_tileas.mma_atom<tf32, shape = [16, 8, 8],
  // CHECK: #nv_tileas.mma_atom<f64, shape = [8, 8, 4],
  // CHECK: #nv_tileas.mma_atom<i8, shape = [16, 8, 32],
  nv_tileaa.func @others(%a_s: f32, %b_s: tf32, %c_s: f64, %d_s: i8, %e_s: i32) {
    %a = nv_tileaa.splat %a_s : f32 -> tensor<32x32xf32>
    %b = nv_tileaa.splat %b_s : tf32 -> tensor<32x32xtf32>
    %c = nv_tileaa.splat %c_s : f64 -> tensor<32x32xf64>
    %d = nv_tileaa.splat %d_s : i8 -> tensor<32x32xi8>
    %e = nv_tileaa.splat %e_s : i32 -> tensor<32x32xi32>
    %0 = nv_tileaa.dot %a, %a, %a : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
    %1 = nv_tileaa.dot %b, %b, %0 : tensor<32x32xtf32>, tensor<32x32xtf32>, tensor<32x32xf32>
    %2 = nv_tileaa.dot %c, %c, %c : tensor<32x32xf64>, tensor<32x32xf64>, tensor<32x32xf64>
    %3 = nv_tileaa.dot %d, %d, %e {signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>} : tensor<32x32xi8>, tensor<32x32xi8>, tensor<32x32xi32>
    nv_tileaa.return
  }
  // Batches first; with scales in f64.
  // CHECK-LABEL: nv_tileaa.func @batched
  // CHECK: warps = [4, 1, 1]
  // CHECK: nv_tileas.dot {{.*}} scales(%{{.*}} : tensor<8x32x1xf8E8M0FNU, {{.*}}>, %{{.*}} : tensor<8x1x32xf8E8M0FNU, {{.*}}>) {atom = #nv_tileas.mma_atom<f64, shape = [8, 8, 4], warps = [4, 1, 1]>}
  nv_tileaa.func @batched(%a_s: f16, %c_s: f32, %x_s: f8E5M2, %s_s: f8E8M0FNU, %t_s: f8E8M0FNU) {
    %a = nv_tileaa.splat %a_s : f16 -> tensor<8x32x32xf16>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<8x32x32xf32>
    %x = nv_tileaa.splat %x_s : f8E5M2 -> tensor<8x32x32xf8E5M2>
    %s = nv_tileaa.splat %s_s : f8E8M0FNU -> tensor<8x32x1xf8E8M0FNU>
    %t = nv_tileaa.splat %t_s : f8E8M0FNU -> tensor<8x1x32xf8E8M0FNU>
    %0 = nv_tileaa.dot %a, %a, %c : tensor<8x32x32xf16>, tensor<8x32x32xf16>, tensor<8x32x32xf32>
    %1 = nv_tileaa.mma_block_scale %x, %x, %c, %s, %t : tensor<8x32x32xf8E5M2>, tensor<8x32x32xf8E5M2>, tensor<8x32x32xf32>, tensor<8x32x1xf8E8M0FNU>, tensor<8x1x32xf8E8M0FNU>
    nv_tileaa.return
  }
  // One product's result is the other's operand, which stays in registers, and in the same layout.
  // CHECK-LABEL: nv_tileaa.func @chain
  // CHECK: nv_tileas.dot {{.*}}#nv_tileas.wgmma_atom<f16, n = 64, groups = [1, 1]>} : {{.*}}tensor<64x64xf32, #[[SUMS:.*]]>
  // CHECK: nv_tileas.convert_layout {{.*}} -> tensor<64x64xf16, #[[SUMS]]>
  // CHECK: nv_tileas.dot {{.*}}#nv_tileas.wgmma_atom<f16, n = 64, groups = [1, 1], registers_a = true>
  nv_tileaa.func @chain(%a_s: f16, %b_s: f16, %c_s: f32) {
    %a = nv_tileaa.splat %a_s : f16 -> tensor<64x64xf16>
    %b = nv_tileaa.splat %b_s : f16 -> tensor<64x64xf16>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %0 = nv_tileaa.dot %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %1 = math.exp2 %0 : tensor<64x64xf32>
    %2 = arith.truncf %1 : tensor<64x64xf32> to tensor<64x64xf16>
    %3 = nv_tileaa.dot %2, %b, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    nv_tileaa.return
  }
}

// Tensor memory: a batch of one is a matrix there, and sums are 32 bits wide.
gpu.module @sm100 attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  // CHECK-LABEL: nv_tileaa.func @batch_of_one
  // CHECK: arith.extf {{.*}} : tensor<128x64xf16, #{{.*}}> to tensor<128x64xf32
  // CHECK: nv_tileas.dot {{.*}} {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 64, warps = 4>} : tensor<128x64xf16, #{{.*}}>, tensor<64x64xf16, #{{.*}}>, tensor<128x64xf32
  // CHECK: arith.truncf {{.*}} to tensor<128x64xf16
  // CHECK: nv_tileas.view {{.*}} -> tensor<1x128x64xf16
  nv_tileaa.func @batch_of_one(%a_s: f16) {
    %a = nv_tileaa.splat %a_s : f16 -> tensor<1x128x64xf16>
    %b = nv_tileaa.splat %a_s : f16 -> tensor<1x64x64xf16>
    %d = nv_tileaa.dot %a, %b, %a : tensor<1x128x64xf16>, tensor<1x64x64xf16>, tensor<1x128x64xf16>
    %e = arith.negf %d : tensor<1x128x64xf16>
    nv_tileaa.return
  }
  // Batches, and fewer than 64 rows.
  // CHECK-LABEL: nv_tileaa.func @otherwise
  // CHECK-NOT: sm100_mma_atom
  // CHECK: mma_atom<bf16
  // CHECK: mma_atom<bf16
  nv_tileaa.func @otherwise(%a_s: bf16, %c_s: f32) {
    %a = nv_tileaa.splat %a_s : bf16 -> tensor<2x64x64xbf16>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<2x64x64xf32>
    %d = nv_tileaa.dot %a, %a, %c : tensor<2x64x64xbf16>, tensor<2x64x64xbf16>, tensor<2x64x64xf32>
    %x = nv_tileaa.splat %a_s : bf16 -> tensor<32x64xbf16>
    %y = nv_tileaa.splat %a_s : bf16 -> tensor<64x64xbf16>
    %z = nv_tileaa.splat %c_s : f32 -> tensor<32x64xf32>
    %e = nv_tileaa.dot %x, %y, %z : tensor<32x64xbf16>, tensor<64x64xbf16>, tensor<32x64xf32>
    nv_tileaa.return
  }
}

// sm_103 multiplies no bytes by tcgen05.
gpu.module @sm103 attributes {nv_tileaa.compute_capability = 103 : i32, nv_tileaa.target_spec = "sm_103a"} {
  // CHECK-LABEL: nv_tileaa.func @bytes
  // CHECK-NOT: sm100_mma_atom
  // CHECK: mma_atom<i8
  nv_tileaa.func @bytes(%a_s: i8, %c_s: i32) {
    %a = nv_tileaa.splat %a_s : i8 -> tensor<64x64xi8>
    %c = nv_tileaa.splat %c_s : i32 -> tensor<64x64xi32>
    %d = nv_tileaa.dot %a, %a, %c {signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>} : tensor<64x64xi8>, tensor<64x64xi8>, tensor<64x64xi32>
    nv_tileaa.return
  }
}

// 8-bit floats are twice as fast with scales, which are 1 where the product has none; scaled elements stay what they are.
gpu.module @sm120 attributes {nv_tileaa.compute_capability = 120 : i32, nv_tileaa.target_spec = "sm_120a"} {
  // CHECK-LABEL: nv_tileaa.func @f8_120
  // CHECK: nv_tileas.dot {{.*}}#nv_tileas.mma_atom<f8E5M2, shape = [16, 8, 32], warps = [{{.*}}], block_scaled = true>
  // CHECK: nv_tileas.dot {{.*}}scales({{.*}}#nv_tileas.mma_atom<f8E5M2, shape = [16, 8, 32], warps = [{{.*}}], block_scaled = true>
  nv_tileaa.func @f8_120(%a_s: f8E5M2, %c_s: f32, %s: f8E8M0FNU) {
    %a = nv_tileaa.splat %a_s : f8E5M2 -> tensor<64x64xf8E5M2>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %sa = nv_tileaa.splat %s : f8E8M0FNU -> tensor<64x2xf8E8M0FNU>
    %sb = nv_tileaa.splat %s : f8E8M0FNU -> tensor<2x64xf8E8M0FNU>
    %d = nv_tileaa.dot %a, %a, %c : tensor<64x64xf8E5M2>, tensor<64x64xf8E5M2>, tensor<64x64xf32>
    %e = nv_tileaa.mma_block_scale %a, %a, %d, %sa, %sb : tensor<64x64xf8E5M2>, tensor<64x64xf8E5M2>, tensor<64x64xf32>, tensor<64x2xf8E8M0FNU>, tensor<2x64xf8E8M0FNU>
    nv_tileaa.return
  }
}
