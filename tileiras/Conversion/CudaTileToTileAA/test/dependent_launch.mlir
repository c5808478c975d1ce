// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_86 | FileCheck %s

// Dependent launches exist from sm_90 on; below they do nothing.
cuda_tile.module @kernels {
  // CHECK-LABEL: nv_tileaa.func @k
  entry @k() {
    // CHECK-NEXT: %[[T:.*]] = nv_tileaa.create_mem_token
    %t = gdc_wait_tko -> token
    // CHECK-NEXT: nv_tileaa.join_mem_token %[[T]], %[[T]]
    %t1 = gdc_launch_dependents_tko token=%t -> token
    %t2 = join_tokens %t, %t1 : token
    return
  }
}
