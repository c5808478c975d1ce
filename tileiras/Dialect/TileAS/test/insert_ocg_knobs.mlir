// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-opt %s -split-input-file --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-insert-OCG-knobs{emit=true})))' -verify-diagnostics | FileCheck %s
// RUN: sed 's/expected-error/ignored/' %s | tileiras-opt -split-input-file --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-insert-OCG-knobs)))' | FileCheck %s --check-prefix=OFF
// OFF-NOT: ocg_directive
// OFF-NOT: inline_asm

gpu.module @sm_90 attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
  // CHECK-LABEL: @directives
  // CHECK-NEXT: llvm.inline_asm has_side_effects {nv_tileas.access = "any"} ".pragma \22before $$1\22;\0A", ""
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: llvm.inline_asm has_side_effects {nv_tileas.access = "any"} ".pragma \22after\22;\0A", ""
  // CHECK-NEXT: nv_tileaa.message "for people"
  // CHECK-NEXT: llvm.inline_asm has_side_effects {nv_tileas.access = "any"} ".pragma \22next knob FenceCode\22;\0A", ""
  // CHECK-NEXT: nvvm.cluster.arrive
  nv_tileaa.func @directives(%x: i32) {
    nv_tileaa.message "before $1" {nv_tileaa.ocg_directive}
    %y = arith.addi %x, %x : i32
    nv_tileaa.message "after" {nv_tileaa.ocg_directive}
    nv_tileaa.message "for people"
    nvvm.cluster.arrive
    nv_tileaa.return
  }
}

// -----

gpu.module @sm_100 attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a"} {
  // CHECK-LABEL: @no_product
  // CHECK-NEXT: nv_tileaa.return
  nv_tileaa.func @no_product() {
    nv_tileaa.return
  }
}

// -----

gpu.module @bad attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"} {
  nv_tileaa.func @quote() {
    // expected-error @below {{directive 'a"b' cannot be written as a string of PTX}}
    nv_tileaa.message "a\22b" {nv_tileaa.ocg_directive}
    nv_tileaa.return
  }
}
