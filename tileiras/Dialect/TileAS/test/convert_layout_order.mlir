// Conversions are planned from the last one of a function to the first.
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout))' --remarks-filter=".*" -o /dev/null 2>&1 | FileCheck %s
// CHECK: convert_layout_order.mlir:16:8: remark: [Passed] Conversion
// CHECK: convert_layout_order.mlir:15:8: remark: [Missed] Conversion
// CHECK: convert_layout_order.mlir:13:10: remark: [Missed] Conversion
// CHECK-NOT: Conversion

#a = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
#b = #nv_tileas.linear<rank = 1, register = [], lane = [[4], [8], [16], [32], [64]], warp = [[1], [2]]>
#c = #nv_tileas.linear<rank = 1, register = [], lane = [[16], [8], [4], [2], [1]], warp = [[32], [64]]>
nv_tileaa.func @order(%x: tensor<128xf32, #a>, %p: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  scf.if %p {
    %y = nv_tileas.convert_layout %x : tensor<128xf32, #a> -> tensor<128xf32, #b>
  }
  %z = nv_tileas.convert_layout %x : tensor<128xf32, #a> -> tensor<128xf32, #b>
  %w = nv_tileas.convert_layout %x : tensor<128xf32, #a> -> tensor<128xf32, #c>
  nv_tileaa.return
}
