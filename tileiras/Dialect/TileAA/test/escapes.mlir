// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s
// RUN: tileiras-opt %s -mlir-print-op-generic | tileiras-opt | FileCheck %s

nv_tileaa.func @helper(%a: tensor<8xf32>) -> tensor<8xf32> {
  nv_tileaa.return %a : tensor<8xf32>
}
nv_tileaa.func @kernel(%p: !nv_tileaa.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
  nv_tileaa.return
}

// CHECK-LABEL: @calls
nv_tileaa.func @calls(%a: tensor<8xf32>, %p: !nv_tileaa.ptr<f32>, %n: i32) {
  // CHECK: nv_tileaa.call @helper(%{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
  %0 = nv_tileaa.call @helper(%a) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: nv_tileaa.launch_func @kernel grid(%{{.*}}, %{{.*}}, %{{.*}}) args(%{{.*}} : !nv_tileaa.ptr<f32>)
  nv_tileaa.launch_func @kernel grid(%n, %n, %n) args(%p : !nv_tileaa.ptr<f32>)
  nv_tileaa.return
}

// CHECK-LABEL: @tiles
nv_tileaa.func @tiles(%i: tensor<64xi32>, %m: tensor<64xi1>, %x: tensor<8xf32>) {
  // CHECK: nv_tileaa.generate : tensor<4x8xi32> {
  // CHECK-NEXT: ^bb0(%{{.*}}: i32, %{{.*}}: i32):
  %0 = nv_tileaa.generate : tensor<4x8xi32> {
  ^bb0(%r: i32, %c: i32):
    %s = arith.addi %r, %c : i32
    nv_tileaa.yield %s : i32
  }
  // CHECK: nv_tileaa.histogram %{{.*}}, mask %{{.*}} : tensor<64xi1> : tensor<64xi32> -> tensor<16xi32>
  %1 = nv_tileaa.histogram %i, mask %m : tensor<64xi1> : tensor<64xi32> -> tensor<16xi32>
  // CHECK: nv_tileaa.clampf %{{.*}}, %{{.*}}, %{{.*}} {propagate_nan = #nv_tileaa.propagate_nan<all>} : tensor<8xf32>
  %2 = nv_tileaa.clampf %x, %x, %x {propagate_nan = #nv_tileaa.propagate_nan<all>} : tensor<8xf32>
  // CHECK: nv_tileaa.clampf %{{.*}}, %{{.*}}, %{{.*}} : tensor<8xf32>
  %3 = nv_tileaa.clampf %x, %x, %x : tensor<8xf32>
  nv_tileaa.return
}

// CHECK-LABEL: @convolution
nv_tileaa.func @convolution(%m: !nv_tileaa.memref<2x32x32x16xf16, strides = [16384, 512, 16, 1]>, %a: tensor<64x16xf16>, %b: tensor<16x32xf16>, %c: tensor<64x32xf32>) {
  // CHECK: nv_tileaa.conv_tile %{{.*}} {activation_layout = #nv_tileaa.activation_layout<nhwc>, conv_params = #nv_tileaa.conv_params<pad_low = [1, 1], pad_high = [1, 1], strides = [1, 1], dilations = [1, 1]>}
  %v = nv_tileaa.conv_tile %m {activation_layout = #nv_tileaa.activation_layout<nhwc>, conv_params = #nv_tileaa.conv_params<pad_low = [1, 1], pad_high = [1, 1], strides = [1, 1], dilations = [1, 1]>}
      : <2x32x32x16xf16, strides = [16384, 512, 16, 1]> -> <[1, 8, 8, 16], padding = zero, !nv_tileaa.memref<2x32x32x16xf16, strides = [16384, 512, 16, 1]>>
  // CHECK: nv_tileaa.conv_dot
  %d = nv_tileaa.conv_dot %a, %b, %c {activation_layout = #nv_tileaa.activation_layout<nwc>, conv_params = #nv_tileaa.conv_params<pad_low = [0], pad_high = [2], strides = [2], dilations = [1]>}
      : tensor<64x16xf16>, tensor<16x32xf16>, tensor<64x32xf32>
  nv_tileaa.return
}

// CHECK-LABEL: @elementwise
nv_tileaa.func @elementwise(%x: tensor<8xf32>, %s: f32) {
  // CHECK: nv_tileaa.call_elementwise_intrinsic "llvm.nvvm.ex2.approx.f"(%{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
  %0 = nv_tileaa.call_elementwise_intrinsic "llvm.nvvm.ex2.approx.f"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: nv_tileaa.extern_elementwise "__nv_fmaxf" of "libdevice" at ""(%{{.*}}, %{{.*}}) {pure} : (tensor<8xf32>, f32) -> tensor<8xf32>
  %1 = nv_tileaa.extern_elementwise "__nv_fmaxf" of "libdevice" at ""(%x, %s) {pure} : (tensor<8xf32>, f32) -> tensor<8xf32>
  // CHECK: nv_tileaa.elementwise_inline_asm "add.f32 $0, $1, $2;", "=f,f,f"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
  %2 = nv_tileaa.elementwise_inline_asm "add.f32 $0, $1, $2;", "=f,f,f"(%s, %s) : (f32, f32) -> f32
  nv_tileaa.return
}

// CHECK-LABEL: @annotations
nv_tileaa.func @annotations(%x: tensor<8xf32>) {
  // CHECK: nv_tileaa.plugin "mine"(%{{.*}}) {config = {depth = 2 : i64}} : (tensor<8xf32>) -> tensor<8xf32>
  %0 = nv_tileaa.plugin "mine"(%x) {config = {depth = 2}} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: nv_tileaa.inject_ir "func.func @f() { return }"() : () -> ()
  nv_tileaa.inject_ir "func.func @f() { return }"() : () -> ()
  // CHECK: nv_tileaa.mark_for_reuse %{{.*}} : tensor<8xf32>
  %1 = nv_tileaa.mark_for_reuse %x : tensor<8xf32>
  // CHECK: nv_tileaa.optimization_barrier %{{.*}} : tensor<8xf32>
  %2 = nv_tileaa.optimization_barrier %1 : tensor<8xf32>
  // CHECK: nv_tileaa.message "hello"
  nv_tileaa.message "hello"
  // CHECK: nv_tileaa.pragma {ocgEnterDirectives = ["a"], ocgLeaveDirectives = ["b"]} -> (tensor<8xf32>) {
  %3 = nv_tileaa.pragma {ocgEnterDirectives = ["a"], ocgLeaveDirectives = ["b"]} -> (tensor<8xf32>) {
    %y = arith.negf %2 : tensor<8xf32>
    nv_tileaa.yield %y : tensor<8xf32>
  }
  nv_tileaa.return
}

// CHECK-LABEL: @caches
nv_tileaa.func @caches(%p: !nv_tileaa.ptr<f32>) {
  // CHECK: nv_tileaa.load %{{.*}} {cache_modifier = #nv_tileaa.cache_modifier<cg>, eviction_policy = #nv_tileaa.eviction_policy<first>} : !nv_tileaa.ptr<f32> -> f32
  %0, %t = nv_tileaa.load %p {cache_modifier = #nv_tileaa.cache_modifier<cg>, eviction_policy = #nv_tileaa.eviction_policy<first>} : !nv_tileaa.ptr<f32> -> f32
  nv_tileaa.return
}
