// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck %s

cuda_tile.module @kernels {
  // CHECK: nv_tileaa.global "private" @table align 32 constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  global private constant @table alignment = 32 <f32: [1.0, 2.0]> : tile<2xf32>
  // CHECK: nv_tileaa.global @count align 0 dense<0> : tensor<1xi32>
  global @count <i32: [0]> : tile<1xi32>

  // CHECK-LABEL: nv_tileaa.func @k
  entry @k(%i: tile<i64>) {
    // CHECK: nv_tileaa.get_global @table : <f32>
    %g = get_global @table : tile<ptr<f32>>
    // CHECK: nv_tileaa.alloca 64 align 16 : <f32>
    %s = alloca num_elem = 64, alignment = 16 : tile<ptr<f32>>
    // CHECK: %[[T0:.*]] = nv_tileaa.create_mem_token
    %t0 = make_token : token
    // CHECK: %[[T1:.*]] = nv_tileaa.fence_alias token %[[T0]]
    %t1 = memory_fence_alias_tko token=%t0 -> token
    // CHECK: %[[T2:.*]] = nv_tileaa.gdc_wait token %[[T1]]
    %t2 = gdc_wait_tko token = %t1 -> token
    // CHECK: nv_tileaa.gdc_launch_dependents{{$}}
    %t3 = gdc_launch_dependents_tko -> token
    %x = constant <f16: 1.0> : tile<64xf16>
    // CHECK: %[[B:.*]] = nv_tileaa.reinterpret %{{.*}} : tensor<64xf16> -> tensor<128xi8>
    %b = pack %x : tile<64xf16> -> tile<128xi8>
    // CHECK: nv_tileaa.reinterpret %[[B]] : tensor<128xi8> -> tensor<256xf4E2M1FN>
    %f = unpack %b : tile<128xi8> -> tile<256xf4E2M1FN>
    // Small formats are printed as f32.
    // CHECK: %[[W:.*]] = nv_tileaa.fp_to_fp %{{.*}} : tensor<256xf4E2M1FN> -> tensor<256xf32>
    // CHECK: nv_tileaa.print "%f", %[[W]] : tensor<256xf32>
    %p = print_tko "%f", %f : tile<256xf4E2M1FN> -> token
    // 64-bit integers reach tf32 with one rounding.
    // CHECK: arith.select
    // CHECK: arith.sitofp %{{.*}} : i64 to f64
    // CHECK: nv_tileaa.fp_to_fp %{{.*}} : f64 -> tf32
    %n = itof %i signed : tile<i64> -> tile<tf32>
    return
  }
}
