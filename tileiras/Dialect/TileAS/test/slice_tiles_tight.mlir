// Attention of 128 queries by four warps: with `tight` its tiles stay whole, and the kernel says so; not with a given room,
// nor on targets with other products, nor without a reduction between them.
// RUN: sed 's/numWarps = 8/numWarps = 4/' %S/choose_warps_attention.mlir > %t.mlir
// RUN: tileiras-opt %t.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-slice-tiles{tight=true}))' --remarks-filter=".*" 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: tileiras-opt %t.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-slice-tiles))' | FileCheck %s --check-prefix=SLICES
// RUN: tileiras-opt %t.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-slice-tiles{tight=true room=20000}))' | FileCheck %s --check-prefix=SLICES
// RUN: sed 's/sm_80/sm_90/' %t.mlir | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-slice-tiles{tight=true}))' | FileCheck %s --check-prefix=OTHER
// RUN: sed '/^    .top = /,/^    }/d;/.column = /d;/.all = /d;s/, .all :/, %none :/' %t.mlir | tileiras-opt -pass-pipeline='builtin.module(nv_tileaa.func(tileas-slice-tiles{tight=true}))' | FileCheck %s --check-prefix=OTHER
// WHOLE: [Analysis] Slices | Category:slice | Function=attention | Reason="the tiles may fit in the register file, which the assembler tells", Room=23424, Slices=1, Words=28800
// WHOLE: module
// WHOLE: nv_tileaa.func @attention({{.*}}nv_tileas.tight
// WHOLE: nv_tileaa.dot {{.*}}tensor<128x128xf32>
// SLICES-NOT: nv_tileas.tight
// SLICES: nv_tileaa.dot {{.*}}tensor<64x128xf32>
// OTHER: nv_tileaa.func @attention
// OTHER-NOT: nv_tileas.tight
