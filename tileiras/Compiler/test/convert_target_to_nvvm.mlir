// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -nv-tile-ir-convert-target-to-nvvm | FileCheck %s
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics -nv-tile-ir-convert-target-to-nvvm="opt-level=0 device-debug=true use-nvgpucomp=true" | FileCheck %s --check-prefix=DEBUG

// The name wins over the number.
// CHECK: gpu.module @spec [#nvvm.target<O = 3, chip = "sm_100f", flags = {"-Xopt", "-fma" = 0 : i32, "-pragma-unroll-threshold" = 9900000 : i32}>]
// DEBUG: gpu.module @spec [#nvvm.target<O = 0, chip = "sm_100f", flags = {"-Xopt", "-fma" = 0 : i32, "-g", "-pragma-unroll-threshold" = 9900000 : i32, libNVVMUseNVGpuComp = true}>]
gpu.module @spec attributes {nv_tileaa.target_spec = "sm_100f", nv_tileaa.compute_capability = 90 : i32} {}

// -----

// The number of an architecture means its arch-specific form.
// CHECK: gpu.module @number [#nvvm.target<O = 3, chip = "sm_90a"
gpu.module @number attributes {nv_tileaa.compute_capability = 90 : i32} {}

// -----

// From a parent, and over an older target.
module attributes {nv_tileaa.compute_capability = 80 : i32} {
  // CHECK: gpu.module @parent [#nvvm.target<O = 3, chip = "sm_80"
  gpu.module @parent [#nvvm.target<chip = "sm_50">] {}
}

// -----

// expected-error @below {{missing compute capability for NVVM target}}
gpu.module @nothing {}

// -----

// expected-error @below {{unknown GPU target 'sm_42'}}
gpu.module @unknown attributes {nv_tileaa.target_spec = "sm_42"} {}
