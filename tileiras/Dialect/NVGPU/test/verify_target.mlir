// Where nvgpu-verify-target has the target and the PTX version from. (Which operation needs what: scripts/nvgpu_contract.py --test.)
// RUN: split-file %s %t
// RUN: tileiras-opt %t/none.mlir --nvgpu-verify-target | FileCheck %s --check-prefix=NONE
// RUN: tileiras-opt %t/none.mlir --nvgpu-verify-target=chip=sm_90a | FileCheck %s --check-prefix=NOTED
// RUN: %{exits} 1 tileiras-opt %t/none.mlir --nvgpu-verify-target=chip=sm_80 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: %{exits} 1 tileiras-opt %t/none.mlir --nvgpu-verify-target="chip=sm_90a ptx-version=8.2" 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: %{exits} 1 tileiras-opt %t/none.mlir --nvgpu-verify-target=chip=hopper 2>&1 | FileCheck %s --check-prefix=NOCHIP
// RUN: %{exits} 1 tileiras-opt %t/none.mlir --nvgpu-verify-target=ptx-version=8 2>&1 | FileCheck %s --check-prefix=NOVERSION
// RUN: %{exits} 1 tileiras-opt %t/attached.mlir --nvgpu-verify-target 2>&1 | FileCheck %s --check-prefix=ATTACHED
// RUN: %{exits} 1 tileiras-opt %t/attached.mlir --nvgpu-verify-target=chip=sm_100a 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: %{exits} 5 tileiras --emit=ptx --gpu-name=sm_80 %t/none.mlir 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: tileiras --emit=ptx --gpu-name=sm_90 %t/none.mlir | FileCheck %s --check-prefix=PTX
// RUN: tileiras --emit=ptx --gpu-name=sm_90 --pipeline-options=ptx-version=8.5 %t/none.mlir | FileCheck %s --check-prefix=PTX85

// NONE: gpu.module @m {
// NOTED: gpu.module @m attributes {nvgpu.chip = "sm_90a", nvgpu.ptx_version = 83 : i32}
// CHIP: error: 'nvgpu.tma.fence.descriptor' needs sm_90 or later; the target is sm_80
// CHIP-NOT: needs
// VERSION: error: 'nvgpu.tma.fence.descriptor' needs PTX 8.3 on sm_90a; the PTX version is 8.2
// NOCHIP: error: 'hopper' is no chip; expected sm_80, sm_90a, sm_100f, ...
// NOVERSION: error: '8' is no PTX version; expected 8.0, ...
// ATTACHED: error: 'nvgpu.tma.fence.descriptor' needs PTX 8.3 on sm_90a; the PTX version is 8.1
// OTHER: error: the module is for sm_90a, but the target is sm_100a
// PTX: .version 8.3
// PTX85: .version 8.5

//--- none.mlir
gpu.module @m {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>) kernel {
    nvgpu.tma.fence.descriptor %m : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}
//--- attached.mlir
gpu.module @m [#nvvm.target<chip = "sm_90a", features = "+ptx81">] {
  gpu.func @f(%m: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>) kernel {
    nvgpu.tma.fence.descriptor %m : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}
