// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck %s
// RUN: tileiras-opt %s -convert-cudatile-to-tileaa="compute-capability=sm_90 num-warps=2" | FileCheck %s --check-prefix=OPTION

// Without a hint or an option, a thread holds at most 64 words of a tile, as far as warps go.
cuda_tile.module @kernels {
  // CHECK: @small() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4,
  // OPTION: @small() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 2,
  entry @small() {
    %a = constant <f32: 1.0> : tile<64x128xf32>
    return
  }
  // CHECK: @large() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 16,
  entry @large() {
    %a = constant <f16: 1.0> : tile<128x256xf16>
    return
  }
  // Pointers and 64-bit numbers take two words.
  // CHECK: @wide() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8,
  entry @wide() {
    %a = constant <i64: 1> : tile<64x128xi64>
    return
  }
  // CHECK: @huge() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 32,
  // So many elements do not fit into two warps, whatever was asked for.
  // OPTION: @huge() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4,
  entry @huge() {
    %a = constant <i8: 1> : tile<131072xi8>
    return
  }
  // CHECK: @product() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8,
  entry @product() {
    %a = constant <f16: 1.0> : tile<256x16xf16>
    %b = constant <f16: 1.0> : tile<16x256xf16>
    %c = constant <f32: 0.0> : tile<256x256xf32>
    %d = mmaf %a, %b, %c : tile<256x16xf16>, tile<16x256xf16>, tile<256x256xf32>
    return
  }
  // Two tiles that are alive together fit into four warps, five do not.
  // CHECK: @few({{.*}}) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4,
  entry @few(%x: tile<f32>) {
    %r = reshape %x : tile<f32> -> tile<1x1xf32>
    %b = broadcast %r : tile<1x1xf32> -> tile<64x128xf32>
    %v0 = exp %b : tile<64x128xf32>
    %v1 = exp2 %b : tile<64x128xf32>
    %s0 = negf %v1 : tile<64x128xf32>
    %s1 = addf %s0, %v0 : tile<64x128xf32>
    return
  }
  // The broadcast takes no registers of its own.
  // CHECK: @alive({{.*}}) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8,
  entry @alive(%x: tile<f32>) {
    %r = reshape %x : tile<f32> -> tile<1x1xf32>
    %b = broadcast %r : tile<1x1xf32> -> tile<64x128xf32>
    %v0 = exp %b : tile<64x128xf32>
    %v1 = exp2 %b : tile<64x128xf32>
    %v2 = log %b : tile<64x128xf32>
    %v3 = sin %b : tile<64x128xf32>
    %v4 = cos %b : tile<64x128xf32>
    %s0 = negf %v4 : tile<64x128xf32>
    %s1 = addf %s0, %v0 : tile<64x128xf32>
    %s2 = addf %s1, %v1 : tile<64x128xf32>
    %s3 = addf %s2, %v2 : tile<64x128xf32>
    %s4 = addf %s3, %v3 : tile<64x128xf32>
    return
  }
  // A hint decides; it means four to eight.
  // CHECK: @hinted() attributes {nv_tileaa.hinted_warps, nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4,
  entry @hinted() optimization_hints=<default = {num_worker_warps_per_cta = 1}> {
    %a = constant <f32: 1.0> : tile<128x256xf32>
    return
  }
}
