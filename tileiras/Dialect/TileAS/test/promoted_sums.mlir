// RUN: tileiras-opt %s -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(convert-tileaa-to-tileas,tileas-assign-dot-layouts)))' -o %t --remarks-filter="product" 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t
// How 8-bit floats are multiplied on sm_90: as what they are, with the unit's sums added up in f32 every 128 of k; without that where one span
// is all there is or the module allows it; as f16 where sums have to be exact, are of f16, or a factor lies across.

!m = !nv_tileaa.memref<256x64xf8E4M3FN, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<[256, 64], !m>
gpu.module @sm90 attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
  // REMARK: Instruction {{.*}}Function=plain {{.*}}Reason="the unit's sums of 8-bit floats are added up in f32 every 128 of k"
  // CHECK-LABEL: @plain
  // CHECK: nv_tileas.dot {{.*}}#nv_tileas.wgmma_atom<f8E4M3FN promoted by 128, n = 64, groups = [1, 1]>
  nv_tileaa.func @plain(%a_s: f8E4M3FN, %b_s: f8E4M3FN, %c_s: f32) {
    %a = nv_tileaa.splat %a_s : f8E4M3FN -> tensor<64x256xf8E4M3FN>
    %b = nv_tileaa.splat %b_s : f8E4M3FN -> tensor<256x64xf8E4M3FN>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<64x256xf8E4M3FN>, tensor<256x64xf8E4M3FN>, tensor<64x64xf32>
    %e = arith.negf %d : tensor<64x64xf32>
    nv_tileaa.return
  }
  // Instructions have fewer columns where their sums have no room beside all of them.
  // CHECK-LABEL: @wide
  // CHECK: nv_tileas.dot {{.*}}#nv_tileas.wgmma_atom<f8E5M2 promoted by 128, n = 64, groups = [2, 1]>
  nv_tileaa.func @wide(%a_s: f8E5M2, %b_s: f8E5M2, %c_s: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %a = nv_tileaa.splat %a_s : f8E5M2 -> tensor<128x128xf8E5M2>
    %b = nv_tileaa.splat %b_s : f8E5M2 -> tensor<128x256xf8E5M2>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<128x256xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<128x128xf8E5M2>, tensor<128x256xf8E5M2>, tensor<128x256xf32>
    %e = arith.negf %d : tensor<128x256xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: @fast
  // CHECK: nv_tileas.dot {{.*}}#nv_tileas.wgmma_atom<f8E4M3FN, n = 64, groups = [1, 1]>
  nv_tileaa.func @fast(%a_s: f8E4M3FN, %b_s: f8E4M3FN, %c_s: f32) {
    %a = nv_tileaa.splat %a_s : f8E4M3FN -> tensor<64x256xf8E4M3FN>
    %b = nv_tileaa.splat %b_s : f8E4M3FN -> tensor<256x64xf8E4M3FN>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %c {fast_acc} : tensor<64x256xf8E4M3FN>, tensor<256x64xf8E4M3FN>, tensor<64x64xf32>
    %e = arith.negf %d : tensor<64x64xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: @one_span
  // CHECK: nv_tileas.dot {{.*}}#nv_tileas.wgmma_atom<f8E4M3FN, n = 64, groups = [1, 1]>
  nv_tileaa.func @one_span(%a_s: f8E4M3FN, %b_s: f8E4M3FN) {
    %zero = arith.constant 0.0 : f32
    %a = nv_tileaa.splat %a_s : f8E4M3FN -> tensor<64x128xf8E4M3FN>
    %b = nv_tileaa.splat %b_s : f8E4M3FN -> tensor<128x64xf8E4M3FN>
    %c = nv_tileaa.splat %zero : f32 -> tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<64x128xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<64x64xf32>
    %e = arith.negf %d : tensor<64x64xf32>
    nv_tileaa.return
  }
  // REMARK: Instruction {{.*}}Function=exact {{.*}}Reason="sums of 8-bit floats are exact only as f16"
  // CHECK-LABEL: @exact
  // CHECK: nv_tileas.dot {{.*}}#nv_tileas.wgmma_atom<f16, n = 64, groups = [1, 1]>
  nv_tileaa.func @exact(%a_s: f8E4M3FN, %b_s: f8E4M3FN, %c_s: f32) attributes {nv_tileaa.exact_sums} {
    %a = nv_tileaa.splat %a_s : f8E4M3FN -> tensor<64x256xf8E4M3FN>
    %b = nv_tileaa.splat %b_s : f8E4M3FN -> tensor<256x64xf8E4M3FN>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %c : tensor<64x256xf8E4M3FN>, tensor<256x64xf8E4M3FN>, tensor<64x64xf32>
    %e = arith.negf %d : tensor<64x64xf32>
    nv_tileaa.return
  }
  // CHECK-LABEL: @half
  // CHECK: nv_tileas.dot {{.*}}#nv_tileas.wgmma_atom<f16, n = 64, groups = [1, 1]>
  nv_tileaa.func @half(%a_s: f8E4M3FN, %b_s: f8E4M3FN, %c_s: f16) {
    %a = nv_tileaa.splat %a_s : f8E4M3FN -> tensor<64x256xf8E4M3FN>
    %b = nv_tileaa.splat %b_s : f8E4M3FN -> tensor<256x64xf8E4M3FN>
    %c = nv_tileaa.splat %c_s : f16 -> tensor<64x64xf16>
    %d = nv_tileaa.dot %a, %b, %c : tensor<64x256xf8E4M3FN>, tensor<256x64xf8E4M3FN>, tensor<64x64xf16>
    %e = arith.negf %d : tensor<64x64xf16>
    nv_tileaa.return
  }
  // REMARK: Instruction {{.*}}Function=across {{.*}}Reason="as f16, 8-bit floats need not be turned, and sums are exact"
  // CHECK-LABEL: @across
  // CHECK: nv_tileas.dot {{.*}}#nv_tileas.wgmma_atom<f16, n = 64, groups = [1, 1]>
  nv_tileaa.func @across(%pb: !nv_tileaa.ptr<f8E4M3FN>, %a_s: f8E4M3FN, %c_s: f32) {
    %zero = arith.constant 0 : i32
    %t = nv_tileaa.create_mem_token
    %m = nv_tileaa.make_memref %pb, sizes[], strides[] : !nv_tileaa.ptr<f8E4M3FN>, (), () -> !m
    %v = nv_tileaa.block_tile %m : !m -> !v
    %b, %t1 = nv_tileaa.tiled_load %v[%zero, %zero], token %t : !v, (i32, i32) -> tensor<256x64xf8E4M3FN>
    %a = nv_tileaa.splat %a_s : f8E4M3FN -> tensor<64x256xf8E4M3FN>
    %c = nv_tileaa.splat %c_s : f32 -> tensor<64x64xf32>
    %d = nv_tileaa.dot %a, %b, %c {fast_acc} : tensor<64x256xf8E4M3FN>, tensor<256x64xf8E4M3FN>, tensor<64x64xf32>
    %e = arith.negf %d : tensor<64x64xf32>
    nv_tileaa.return
  }
}
