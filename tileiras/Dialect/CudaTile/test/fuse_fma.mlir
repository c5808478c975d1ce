// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-opt %s --fuse-fma | FileCheck %s
// RUN: tileiras-opt %s --pass-pipeline='builtin.module(cuda_tile.module(cuda_tile.entry(fuse-fma)))' | FileCheck %s

cuda_tile.module @m {
  // CHECK-LABEL: entry @sum
  // CHECK-NEXT: %[[R:.*]] = fma %arg0, %arg1, %arg2 : tile<f32>
  // CHECK-NEXT: print_tko "%f", %[[R]]
  entry @sum(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) {
    %p = mulf %a, %b : tile<f32>
    %r = addf %p, %c : tile<f32>
    %t = print_tko "%f", %r : tile<f32> -> token
  }

  // The product may stand on either side of a sum.
  // CHECK-LABEL: entry @product_right
  // CHECK-NEXT: fma %arg0, %arg1, %arg2 : tile<f16>
  // CHECK-NOT: mulf
  // CHECK-NOT: addf
  entry @product_right(%a: tile<f16>, %b: tile<f16>, %c: tile<f16>) {
    %p = mulf %a, %b : tile<f16>
    %r = addf %c, %p : tile<f16>
    %t = print_tko "%f", %r : tile<f16> -> token
  }

  // CHECK-LABEL: entry @difference
  // CHECK-NEXT: %[[N:.*]] = negf %arg2 : tile<f64>
  // CHECK-NEXT: fma %arg0, %arg1, %[[N]] : tile<f64>
  // CHECK-NOT: subf
  entry @difference(%a: tile<f64>, %b: tile<f64>, %c: tile<f64>) {
    %p = mulf %a, %b : tile<f64>
    %r = subf %p, %c : tile<f64>
    %t = print_tko "%f", %r : tile<f64> -> token
  }

  // c - a*b would need a negated factor: not fused, and nothing is left behind of an attempt.
  // CHECK-LABEL: entry @product_subtracted
  // CHECK-NEXT: mulf
  // CHECK-NEXT: subf
  // CHECK-NEXT: print_tko
  entry @product_subtracted(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) {
    %p = mulf %a, %b : tile<f32>
    %r = subf %c, %p : tile<f32>
    %t = print_tko "%f", %r : tile<f32> -> token
  }

  // CHECK-LABEL: entry @modifiers
  // CHECK-NEXT: fma %arg0, %arg1, %arg2 rounding<zero> flush_to_zero : tile<f32>
  entry @modifiers(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) {
    %p = mulf %a, %b rounding<zero> flush_to_zero : tile<f32>
    %r = addf %p, %c rounding<zero> flush_to_zero : tile<f32>
    %t = print_tko "%f", %r : tile<f32> -> token
  }

  // CHECK-LABEL: entry @other_rounding
  // CHECK-NEXT: mulf %arg0, %arg1 rounding<zero>
  // CHECK-NEXT: addf
  // CHECK-NEXT: print_tko
  entry @other_rounding(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) {
    %p = mulf %a, %b rounding<zero> : tile<f32>
    %r = addf %p, %c : tile<f32>
    %t = print_tko "%f", %r : tile<f32> -> token
  }

  // CHECK-LABEL: entry @other_flush
  // CHECK-NEXT: mulf
  // CHECK-NEXT: subf {{.*}} flush_to_zero
  // CHECK-NEXT: print_tko
  entry @other_flush(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) {
    %p = mulf %a, %b : tile<f32>
    %r = subf %p, %c flush_to_zero : tile<f32>
    %t = print_tko "%f", %r : tile<f32> -> token
  }

  // CHECK-LABEL: entry @product_used_twice
  // CHECK-NEXT: mulf
  // CHECK-NEXT: addf
  // CHECK-NEXT: print_tko
  entry @product_used_twice(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) {
    %p = mulf %a, %b : tile<f32>
    %r = addf %p, %c : tile<f32>
    %t = print_tko "%f %f", %r, %p : tile<f32>, tile<f32> -> token
  }

  // Twice by one operation is twice.
  // CHECK-LABEL: entry @doubled
  // CHECK-NEXT: mulf
  // CHECK-NEXT: addf
  // CHECK-NEXT: print_tko
  entry @doubled(%a: tile<f32>, %b: tile<f32>) {
    %p = mulf %a, %b : tile<f32>
    %r = addf %p, %p : tile<f32>
    %t = print_tko "%f", %r : tile<f32> -> token
  }

  // Of two products the left one is fused.
  // CHECK-LABEL: entry @two_products
  // CHECK-NEXT: %[[Q:.*]] = mulf %arg2, %arg0
  // CHECK-NEXT: fma %arg0, %arg1, %[[Q]]
  entry @two_products(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) {
    %p = mulf %a, %b : tile<f32>
    %q = mulf %c, %a : tile<f32>
    %r = addf %p, %q : tile<f32>
    %t = print_tko "%f", %r : tile<f32> -> token
  }

  // A chain, inside a loop and a reduction; equal constants are not merged.
  // CHECK-LABEL: entry @nested
  // CHECK-COUNT-2: constant <i32: 4>
  // CHECK: for
  // CHECK-NEXT: %[[X:.*]] = fma %{{.*}}, %arg0, %arg1 : tile<f32>
  // CHECK-NEXT: fma %[[X]], %arg0, %arg1 : tile<f32>
  // CHECK: reduce
  // CHECK: fma
  // CHECK-NOT: mulf
  entry @nested(%a: tile<f32>, %b: tile<f32>) {
    %also4 = constant <i32: 4> : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c4 = constant <i32: 4> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %s = for %i in (%c0 to %c4, step %c1) : tile<i32> iter_values(%x = %a) -> (tile<f32>) {
      %p = mulf %x, %a : tile<f32>
      %y = addf %p, %b : tile<f32>
      %q = mulf %y, %a : tile<f32>
      %z = addf %b, %q : tile<f32>
      continue %z : tile<f32>
    }
    %v = constant <f32: [1.0, 2.0]> : tile<2xf32>
    %w = reduce %v dim=0 identities=[0.0 : f32] : tile<2xf32> -> tile<f32>
    (%e: tile<f32>, %acc: tile<f32>) {
      %p = mulf %e, %e : tile<f32>
      %u = addf %p, %acc : tile<f32>
      yield %u : tile<f32>
    }
    %t = print_tko "%f %f %i", %s, %w, %also4 : tile<f32>, tile<f32>, tile<i32> -> token
  }
}
