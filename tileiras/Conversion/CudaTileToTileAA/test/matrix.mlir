// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_80 | FileCheck %s

cuda_tile.module @kernels {
  // CHECK-LABEL: nv_tileaa.func @products
  entry @products() {
    %a = constant <f16: 1.0> : tile<2x16x32xf16>
    %b = constant <f16: 2.0> : tile<2x32x8xf16>
    %c = constant <f32: 0.0> : tile<2x16x8xf32>
    // CHECK: nv_tileaa.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x16x32xf16>, tensor<2x32x8xf16>, tensor<2x16x8xf32>
    %d = mmaf %a, %b, %c : tile<2x16x32xf16>, tile<2x32x8xf16>, tile<2x16x8xf32>
    // CHECK: nv_tileaa.dot %{{.*}}, %{{.*}}, %{{.*}} {fast_acc}
    %e = mmaf %a, %b, %d fast_acc : tile<2x16x32xf16>, tile<2x32x8xf16>, tile<2x16x8xf32>
    %i = constant <i8: 3> : tile<16x16xi8>
    %j = constant <i32: 0> : tile<16x16xi32>
    // CHECK: nv_tileaa.dot {{.*}} {signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<unsigned>}
    %k = mmai %i, %i, %j signed unsigned : tile<16x16xi8>, tile<16x16xi8>, tile<16x16xi32>
    print_tko "%f %i", %e, %k : tile<2x16x8xf32>, tile<16x16xi32> -> token
    return
  }

  // CHECK-LABEL: nv_tileaa.func @scaled
  entry @scaled() {
    %a = constant <f8E4M3FN: 1.0> : tile<16x64xf8E4M3FN>
    %b = constant <f8E4M3FN: 2.0> : tile<64x8xf8E4M3FN>
    %c = constant <f32: 0.0> : tile<16x8xf32>
    %s = constant <f8E8M0FNU: 2.0> : tile<16x2xf8E8M0FNU>
    %t = constant <f8E8M0FNU: 4.0> : tile<2x8xf8E8M0FNU>
    // CHECK: nv_tileaa.mma_block_scale {{.*}} : tensor<16x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<16x8xf32>, tensor<16x2xf8E8M0FNU>, tensor<2x8xf8E8M0FNU>
    %d = mmaf_scaled %a, %b, %c, %s, %t : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU>
    print_tko "%f", %d : tile<16x8xf32> -> token
    return
  }
}
