// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow and aggregates: printed as written, empty terminators left out.
// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s
// RUN: tileiras-opt -mlir-print-op-generic %s | tileiras-opt | FileCheck %s

// CHECK-LABEL: cuda_tile.module @m {
cuda_tile.module @m {
  // CHECK-LABEL: entry @loops(
  entry @loops(%i: tile<i32>, %j: tile<i32>, %f: tile<f32>, %b: tile<i1>) {
    // CHECK: for {{%[a-zA-Z_0-9]+}} in ({{%[a-zA-Z_0-9]+}} to {{%[a-zA-Z_0-9]+}}, step {{%[a-zA-Z_0-9]+}}) : tile<i32> {
    for %k in (%i to %j, step %i) : tile<i32> {
    }
    // CHECK: for unsigned {{%[a-zA-Z_0-9]+}} in ({{%[a-zA-Z_0-9]+}} to {{%[a-zA-Z_0-9]+}}, step {{%[a-zA-Z_0-9]+}}) : tile<i32> {
    for unsigned %k in (%i to %j, step %i) : tile<i32> {
      continue
    }
    // CHECK: for {{%[a-zA-Z_0-9]+}} in ({{%[a-zA-Z_0-9]+}} to {{%[a-zA-Z_0-9]+}}, step {{%[a-zA-Z_0-9]+}}) : tile<i32> iter_values({{%[a-zA-Z_0-9]+}} = {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} = {{%[a-zA-Z_0-9]+}}) -> (tile<f32>, tile<i32>) {
    %r:2 = for %k in (%i to %j, step %i) : tile<i32> iter_values(%a = %f, %c = %i) -> (tile<f32>, tile<i32>) {
    // CHECK: if {{%[a-zA-Z_0-9]+}} {
      if %b {
    // CHECK: continue {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<f32>, tile<i32>
        continue %a, %k : tile<f32>, tile<i32>
    // CHECK: }
      }
    // CHECK: continue {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<f32>, tile<i32>
      continue %a, %c : tile<f32>, tile<i32>
    }
    // CHECK: loop {
    loop {
    // CHECK: break
      break
    }
    // CHECK: loop : tile<i32> {
    %l = loop : tile<i32> {
    // CHECK: break {{%[a-zA-Z_0-9]+}} : tile<i32>
      break %i : tile<i32>
    }
    // CHECK: loop iter_values({{%[a-zA-Z_0-9]+}} = {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} = {{%[a-zA-Z_0-9]+}}) : tile<i32>, tile<f32> -> tile<f32>, tile<i32> {
    %m, %n = loop iter_values(%a = %i, %c = %f) : tile<i32>, tile<f32> -> tile<f32>, tile<i32> {
    // CHECK: if {{%[a-zA-Z_0-9]+}} -> (tile<f32>) {
      %s = if %b -> (tile<f32>) {
    // CHECK: yield {{%[a-zA-Z_0-9]+}} : tile<f32>
        yield %f : tile<f32>
    // CHECK: } else {
      } else {
    // CHECK: break {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<f32>, tile<i32>
        break %f, %i : tile<f32>, tile<i32>
    // CHECK: }
      }
    // CHECK: continue {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<i32>, tile<f32>
      continue %a, %s : tile<i32>, tile<f32>
    }
    // CHECK: loop iter_values({{%[a-zA-Z_0-9]+}} = {{%[a-zA-Z_0-9]+}}) : tile<i32> {
    loop iter_values(%a = %i) : tile<i32> {
    // CHECK: if {{%[a-zA-Z_0-9]+}} {
      if %b {
    // CHECK: return
        return
    // CHECK: } else {
      } else {
      }
    // CHECK: continue {{%[a-zA-Z_0-9]+}} : tile<i32>
      continue %a : tile<i32>
    }
    // CHECK: if {{%[a-zA-Z_0-9]+}} {
    if %b {
    // CHECK: } {cuda_tile.note = 1 : i32}
    } {cuda_tile.note = 1 : i32}
  }

  // CHECK-LABEL: entry @aggregates(
  entry @aggregates() {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    %w = constant <i32: 1> : tile<4x8xi32>
    // CHECK: reduce {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} dim=0 identities=[0.000000e+00 : f32, 0 : i32] : tile<4x8xf32>, tile<4x8xi32> -> tile<8xf32>, tile<8xi32>
    %r0:2 = reduce %v, %w dim=0 identities=[0.000000e+00 : f32, 0 : i32] : tile<4x8xf32>, tile<4x8xi32> -> tile<8xf32>, tile<8xi32>
    // CHECK: ({{%[a-zA-Z_0-9]+}}: tile<f32>, {{%[a-zA-Z_0-9]+}}: tile<f32>, {{%[a-zA-Z_0-9]+}}: tile<i32>, {{%[a-zA-Z_0-9]+}}: tile<i32>) {
    (%a: tile<f32>, %c: tile<f32>, %d: tile<i32>, %e: tile<i32>) {
    // CHECK: yield {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<f32>, tile<i32>
      yield %a, %d : tile<f32>, tile<i32>
    }
    // CHECK: scan {{%[a-zA-Z_0-9]+}} dim=1 reverse=true identities=[0 : i32] : tile<4x8xi32> -> tile<4x8xi32>
    %r1 = scan %w dim=1 reverse=true identities=[0 : i32] : tile<4x8xi32> -> tile<4x8xi32>
    // CHECK: ({{%[a-zA-Z_0-9]+}}: tile<i32>, {{%[a-zA-Z_0-9]+}}: tile<i32>) {
    (%a: tile<i32>, %c: tile<i32>) {
      %d = divi %a, %c signed : tile<i32>
    // CHECK: yield {{%[a-zA-Z_0-9]+}} : tile<i32>
      yield %d : tile<i32>
    }
    %h = constant <bf16: 1.0> : tile<4xbf16>
    // CHECK: reduce {{%[a-zA-Z_0-9]+}} dim=0 identities=[0.000000e+00 : f16] : tile<4xbf16> -> tile<bf16>
    %r2 = reduce %h dim=0 identities=[0.000000e+00 : f16] : tile<4xbf16> -> tile<bf16>
    (%a: tile<bf16>, %c: tile<bf16>) {
      yield %a : tile<bf16>
    }
  }
}
