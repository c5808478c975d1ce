// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-legalize-tmem-copy)))' | FileCheck %s

#t = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4]]>
#rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
#columns = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  // CHECK-DAG: #[[ROWS:.*]] = #nv_tileas.linear<rank = 2, register = {{\[\[}}0, 1], [0, 2], [0, 4]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = {{\[\[}}32, 0], [64, 0]]>
  // CHECK-DAG: #[[COLUMNS:.*]] = #nv_tileas.linear<rank = 2, register = {{\[\[}}1, 0], [2, 0], [4, 0]]
  // What the instructions have stays as it is; for the rest, registers are converted.
  // CHECK-LABEL: nv_tileaa.func @copies
  nv_tileaa.func @copies(%x: tensor<128x8xf32, #rows>, %y: tensor<128x8xf32, #columns>) {
    // CHECK: %[[T:.*]] = nv_tileas.alloc_tensor
    %tile = nv_tileas.alloc_tensor : tensor<128x8xf32, #t>
    // CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[T]] : tensor<128x8xf32, #[[ROWS]]>, tensor<128x8xf32, #tensor_memory>
    nv_tileas.copy %x, %tile : tensor<128x8xf32, #rows>, tensor<128x8xf32, #t>
    // CHECK-NEXT: nv_tileas.convert_layout %[[T]] : tensor<128x8xf32, #tensor_memory> -> tensor<128x8xf32, #[[ROWS]]>
    %a = nv_tileas.convert_layout %tile : tensor<128x8xf32, #t> -> tensor<128x8xf32, #rows>
    // CHECK-NEXT: %[[M:.*]] = nv_tileas.convert_layout %{{.*}} : tensor<128x8xf32, #[[COLUMNS]]> -> tensor<128x8xf32, #[[ROWS]]>
    // CHECK-NEXT: nv_tileas.copy %[[M]], %[[T]]
    nv_tileas.copy %y, %tile : tensor<128x8xf32, #columns>, tensor<128x8xf32, #t>
    // CHECK-NEXT: %[[L:.*]] = nv_tileas.convert_layout %[[T]] : tensor<128x8xf32, #tensor_memory> -> tensor<128x8xf32, #[[ROWS]]>
    // CHECK-NEXT: nv_tileas.convert_layout %[[L]] : tensor<128x8xf32, #[[ROWS]]> -> tensor<128x8xf32, #[[COLUMNS]]>
    %b = nv_tileas.convert_layout %tile : tensor<128x8xf32, #t> -> tensor<128x8xf32, #columns>
    nv_tileaa.return
  }
}

// -----

#t = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], column = [[0, 1], [0, 2], [0, 4]]>
#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 4], [0, 0]]>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  nv_tileaa.func @too_few_rows_to_load() {
    %tile = nv_tileas.alloc_tensor : tensor<32x8xf32, #t>
    // expected-error @below {{failed to infer register layout from tmem layout}}
    %a = nv_tileas.convert_layout %tile : tensor<32x8xf32, #t> -> tensor<32x8xf32, #l>
    nv_tileaa.return
  }
}

// -----

#t = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], column = [[0, 1], [0, 2], [0, 4]]>
#l = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 4], [0, 0]]>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  nv_tileaa.func @too_few_rows_to_store(%x: tensor<32x8xf32, #l>) {
    %tile = nv_tileas.alloc_tensor : tensor<32x8xf32, #t>
    // expected-error @below {{failed to infer source layout from tmem layout}}
    nv_tileas.copy %x, %tile : tensor<32x8xf32, #l>, tensor<32x8xf32, #t>
    nv_tileaa.return
  }
}
