// RUN: not tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_90 2>&1 | FileCheck %s
// CHECK: nested_module.mlir:[[#@LINE+2]]:3: error: 'cuda_tile.module' op inside another module is not supported: entries and globals belong to one module
cuda_tile.module @kernels {
  cuda_tile.module @inner {
    entry @k() {
      return
    }
  }
}
