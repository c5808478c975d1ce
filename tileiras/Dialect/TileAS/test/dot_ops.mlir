// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s
// RUN: tileiras-opt %s -mlir-print-op-generic | tileiras-opt | FileCheck %s

// CHECK-LABEL: nv_tileaa.func @dots
nv_tileaa.func @dots(%a: tensor<16x32xf8E5M2>, %b: tensor<32x8xf8E5M2>, %c: tensor<16x8xf32>, %i: tensor<4x16x16xi8>, %j: tensor<4x16x16xi32>,
                     %s: tensor<16x1xf8E8M0FNU>, %t: tensor<1x8xf8E8M0FNU>) {
  // CHECK: nv_tileaa.dot %{{.*}}, %{{.*}}, %{{.*}} {fast_acc} : tensor<16x32xf8E5M2>, tensor<32x8xf8E5M2>, tensor<16x8xf32>
  %0 = nv_tileaa.dot %a, %b, %c {fast_acc} : tensor<16x32xf8E5M2>, tensor<32x8xf8E5M2>, tensor<16x8xf32>
  // CHECK: nv_tileaa.dot {{.*}} {signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<unsigned>}
  %1 = nv_tileaa.dot %i, %i, %j {signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<unsigned>} : tensor<4x16x16xi8>, tensor<4x16x16xi8>, tensor<4x16x16xi32>
  // CHECK: nv_tileaa.mma_block_scale
  %2 = nv_tileaa.mma_block_scale %a, %b, %c, %s, %t : tensor<16x32xf8E5M2>, tensor<32x8xf8E5M2>, tensor<16x8xf32>, tensor<16x1xf8E8M0FNU>, tensor<1x8xf8E8M0FNU>
  // CHECK: nv_tileas.dot {{.*}} scales(%{{.*}} : tensor<16x1xf8E8M0FNU>, %{{.*}} : tensor<1x8xf8E8M0FNU>) {atom = #nv_tileas.mma_atom<f64, shape = [8, 8, 4], warps = [1, 2, 2]>} :
  %3 = nv_tileas.dot %a, %b, %c scales(%s : tensor<16x1xf8E8M0FNU>, %t : tensor<1x8xf8E8M0FNU>) {atom = #nv_tileas.mma_atom<f64, shape = [8, 8, 4], warps = [1, 2, 2]>} : tensor<16x32xf8E5M2>, tensor<32x8xf8E5M2>, tensor<16x8xf32>
  // CHECK: nv_tileas.dot {{.*}} {atom = #nv_tileas.fma_atom<f32, box = [2, 2], lanes = [8, 4], warps = [1, 1, 1]>} :
  %4 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.fma_atom<f32, box = [2, 2], lanes = [8, 4], warps = [1, 1, 1]>} : tensor<16x32xf8E5M2>, tensor<32x8xf8E5M2>, tensor<16x8xf32>
  nv_tileaa.return
}
