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
  // A hint decides; it means four to eight.
  // CHECK: @hinted() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4,
  entry @hinted() optimization_hints=<default = {num_worker_warps_per_cta = 1}> {
    %a = constant <f32: 1.0> : tile<128x256xf32>
    return
  }
}
