// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout{reinterpret-to-i8=true}))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout{reg2reg-vec-size=2}))' | FileCheck %s --check-prefix=NARROW
// RUN: not tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout{reg2reg-vec-size=3}))' 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout{reg2reg-vec-size=1}))' 2>&1 | FileCheck %s --check-prefix=WIDE

#a = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]]>
#b = #nv_tileas.linear<rank = 2, register = [[1, 0], [2, 0], [4, 0]], lane = [[8, 0], [0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16]]>

// 8-bit floats pass as bytes: what is planned, copied and read is a tile of bytes, and the reader says so.
// CHECK-LABEL: nv_tileaa.func @floats
// CHECK: %[[BYTES:.*]] = arith.bitcast %{{.*}} : tensor<16x32xf8E4M3FN, #{{.*}}> to tensor<16x32xi8, #{{.*}}>
// CHECK: %[[TILE:.*]] = nv_tileas.alloc_tensor : tensor<16x32xi8, #shared>
// CHECK: nv_tileas.copy %[[BYTES]], %[[TILE]]
// CHECK: %[[READ:.*]] = nv_tileas.convert_layout %[[TILE]] {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = {{[0-9]+}}>, reinterpret_byte}
// CHECK: arith.bitcast %[[READ]] : tensor<16x32xi8, #{{.*}}> to tensor<16x32xf8E4M3FN, #{{.*}}>
// Accesses are no wider than the option says; without reinterpret-to-i8 nothing is a byte.
// NARROW-LABEL: nv_tileaa.func @floats
// NARROW-NOT: bitcast
// NARROW: nv_tileas.copy {{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = {{[12]}}>}
// NARROW: nv_tileas.convert_layout {{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = {{[12]}}>} :
// RANGE: error: failed to query target spec for convert_layout
// RANGE: note: reg2reg-vec-size is 1, 2, 4, 8 or 16 bytes, not 3
nv_tileaa.func @floats(%s: f8E4M3FN) {
  %x = nv_tileaa.splat %s : f8E4M3FN -> tensor<16x32xf8E4M3FN, #a>
  %y = nv_tileas.convert_layout %x : tensor<16x32xf8E4M3FN, #a> -> tensor<16x32xf8E4M3FN, #b>
  %z = arith.bitcast %y : tensor<16x32xf8E4M3FN, #b> to tensor<16x32xi8, #b>
  nv_tileaa.return
}

// What is wider than a byte does not.
// CHECK-LABEL: nv_tileaa.func @halves
// CHECK-NOT: bitcast
// CHECK: nv_tileaa.return
// WIDE: error: failed to query target spec for convert_layout
// WIDE: note: elements of 2 bytes, reg2reg-vec-size = 1
nv_tileaa.func @halves(%s: f16) {
  %x = nv_tileaa.splat %s : f16 -> tensor<16x32xf16, #a>
  %y = nv_tileas.convert_layout %x : tensor<16x32xf16, #a> -> tensor<16x32xf16, #b>
  %z = arith.negf %y : tensor<16x32xf16, #b>
  nv_tileaa.return
}

// Floats of six bits take a byte each in shared memory, and no other type.
// CHECK-LABEL: nv_tileaa.func @sixes
// CHECK-NOT: bitcast
// CHECK: %[[TILE:.*]] = nv_tileas.alloc_tensor : tensor<16x32xf6E3M2FN, #shared>
// CHECK: nv_tileas.copy %{{.*}}, %[[TILE]]
// CHECK-NOT: reinterpret_byte
// CHECK: nv_tileaa.return
nv_tileaa.func @sixes(%x: tensor<16x32xf6E3M2FN, #a>) -> tensor<16x32xf6E3M2FN, #b> {
  %y = nv_tileas.convert_layout %x : tensor<16x32xf6E3M2FN, #a> -> tensor<16x32xf6E3M2FN, #b>
  nv_tileaa.return %y : tensor<16x32xf6E3M2FN, #b>
}
