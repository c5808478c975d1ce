// RUN: tileiras-opt %s -canonicalize | FileCheck %s

!pf = !nv_tileaa.ptr<f32>
!pi = !nv_tileaa.ptr<i32>

// CHECK-LABEL: @dot
nv_tileaa.func @dot(%b: tensor<16x16xi8>, %c: tensor<16x16xi32>, %fb: tensor<16x16xf16>, %fc: tensor<16x16xf32>) -> (tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xf32>) {
  %z = arith.constant dense<0> : tensor<16x16xi8>
  %0 = nv_tileaa.dot %z, %b, %c {signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>} : tensor<16x16xi8>, tensor<16x16xi8>, tensor<16x16xi32>
  %1 = nv_tileaa.dot %b, %z, %c {signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>} : tensor<16x16xi8>, tensor<16x16xi8>, tensor<16x16xi32>
  // Zero times infinity is not zero.
  // CHECK: %[[D:.*]] = nv_tileaa.dot
  %fz = arith.constant dense<0.0> : tensor<16x16xf16>
  %2 = nv_tileaa.dot %fz, %fb, %fc : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
  // CHECK: nv_tileaa.return %arg1, %arg1, %[[D]]
  nv_tileaa.return %0, %1, %2 : tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xf32>
}

// CHECK-LABEL: @addptr
nv_tileaa.func @addptr(%p: !pf, %t: tensor<8x!pf>) -> (!pf, !pf, tensor<8x!pf>, !pf) {
  // CHECK-DAG: %[[C:.*]] = arith.constant 12 : i32
  // CHECK-DAG: %[[M:.*]] = arith.constant 127 : i8
  // CHECK-DAG: %[[V:.*]] = arith.constant dense<7> : tensor<8xi32>
  %zero = arith.constant 0 : i32
  %a = arith.constant 5 : i32
  %b = arith.constant 7 : i32
  %m = arith.constant 127 : i8
  %0 = nv_tileaa.addptr %p, %zero : !pf, i32
  // CHECK-DAG: %[[X:.*]] = nv_tileaa.addptr %arg0, %[[C]] : !nv_tileaa.ptr<f32>, i32
  %1 = nv_tileaa.addptr %p, %a : !pf, i32
  %2 = nv_tileaa.addptr %1, %b : !pf, i32
  // CHECK-DAG: %[[Y:.*]] = nv_tileaa.addptr %arg1, %[[V]]
  %three = arith.constant dense<3> : tensor<8xi32>
  %four = arith.constant dense<4> : tensor<8xi32>
  %3 = nv_tileaa.addptr %t, %three : tensor<8x!pf>, tensor<8xi32>
  %4 = nv_tileaa.addptr %3, %four : tensor<8x!pf>, tensor<8xi32>
  // The sum does not fit: offsets are extended first.
  // CHECK-DAG: %[[P:.*]] = nv_tileaa.addptr %arg0, %[[M]] : !nv_tileaa.ptr<f32>, i8
  // CHECK-DAG: %[[Q:.*]] = nv_tileaa.addptr %[[P]], %[[M]] : !nv_tileaa.ptr<f32>, i8
  %5 = nv_tileaa.addptr %p, %m : !pf, i8
  %6 = nv_tileaa.addptr %5, %m : !pf, i8
  // CHECK: nv_tileaa.return %arg0, %[[X]], %[[Y]], %[[Q]]
  nv_tileaa.return %0, %2, %4, %6 : !pf, !pf, tensor<8x!pf>, !pf
}

// CHECK-LABEL: @assume
nv_tileaa.func @assume(%n: i32) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, i32, i32) {
  // CHECK-DAG: %[[A:.*]] = nv_tileaa.assume #nv_tileaa.div_by<16>, %arg0 : i32
  // CHECK-DAG: %[[S:.*]] = nv_tileaa.splat %[[A]] : i32 -> tensor<8xi32>
  // CHECK-DAG: %[[T:.*]] = nv_tileaa.splat %arg0 : i32 -> tensor<8xi32>
  %0 = nv_tileaa.splat %n : i32 -> tensor<8xi32>
  %1 = nv_tileaa.assume #nv_tileaa.div_by<16>, %0 : tensor<8xi32>
  %2 = nv_tileaa.assume #nv_tileaa.same_elements<[8]>, %0 : tensor<8xi32>
  // CHECK-DAG: %[[E:.*]] = nv_tileaa.assume #nv_tileaa.div_by<16, every 8 along 0>, %[[T]]
  %3 = nv_tileaa.assume #nv_tileaa.div_by<16, every 8 along 0>, %0 : tensor<8xi32>
  // CHECK-DAG: %[[C:.*]] = arith.constant 32 : i32
  %c = arith.constant 32 : i32
  %4 = nv_tileaa.assume #nv_tileaa.div_by<16>, %c : i32
  %5 = nv_tileaa.assume #nv_tileaa.bounded<lb = 0>, %n : i32
  // CHECK-DAG: %[[B:.*]] = nv_tileaa.assume #nv_tileaa.bounded<lb = 0>, %arg0 : i32
  %6 = nv_tileaa.assume #nv_tileaa.bounded<lb = 0>, %5 : i32
  // CHECK: nv_tileaa.return %[[S]], %[[T]], %[[E]], %[[C]], %[[B]]
  nv_tileaa.return %1, %2, %3, %4, %6 : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, i32, i32
}

// CHECK-LABEL: @select
nv_tileaa.func @select(%c: i1, %x: f32, %y: f32) -> tensor<8xf32> {
  %0 = nv_tileaa.splat %c : i1 -> tensor<8xi1>
  %1 = nv_tileaa.splat %x : f32 -> tensor<8xf32>
  %2 = nv_tileaa.splat %y : f32 -> tensor<8xf32>
  // CHECK: %[[S:.*]] = arith.select %arg0, %arg1, %arg2 : f32
  // CHECK: %[[R:.*]] = nv_tileaa.splat %[[S]]
  %3 = arith.select %0, %1, %2 : tensor<8xi1>, tensor<8xf32>
  // CHECK: nv_tileaa.return %[[R]]
  nv_tileaa.return %3 : tensor<8xf32>
}

// CHECK-LABEL: @masks
nv_tileaa.func @masks(%p: tensor<8x!pi>, %x: tensor<8xi32>, %t: !nv_tileaa.mem_token) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  %on = arith.constant dense<true> : tensor<8xi1>
  %no = arith.constant false
  %off = nv_tileaa.splat %no : i1 -> tensor<8xi1>
  // CHECK-DAG: %[[Z:.*]] = arith.constant dense<0> : tensor<8xi32>
  // CHECK: %[[L:.*]], %{{.*}} = nv_tileaa.load %arg0{{ ?}}, token %arg2 : tensor<8x!nv_tileaa.ptr<i32>> -> tensor<8xi32>
  %0, %t0 = nv_tileaa.load %p, mask %on, other %x, token %t : tensor<8x!pi>, mask tensor<8xi1> -> tensor<8xi32>
  // CHECK-NOT: nv_tileaa.load
  %1, %t1 = nv_tileaa.load %p, mask %off, other %x, token %t : tensor<8x!pi>, mask tensor<8xi1> -> tensor<8xi32>
  %2, %t2 = nv_tileaa.load %p, mask %off : tensor<8x!pi>, mask tensor<8xi1> -> tensor<8xi32>
  // CHECK: nv_tileaa.store %arg0, %arg1{{ ?}}, token %arg2 : tensor<8x!nv_tileaa.ptr<i32>>, tensor<8xi32>
  %t3 = nv_tileaa.store %p, %x, mask %on, token %t : tensor<8x!pi>, tensor<8xi32>, mask tensor<8xi1>
  // CHECK-NOT: nv_tileaa.store
  %t4 = nv_tileaa.store %p, %x, mask %off, token %t : tensor<8x!pi>, tensor<8xi32>, mask tensor<8xi1>
  // CHECK-NOT: nv_tileaa.atomic
  %3, %t5 = nv_tileaa.atomic_rmw %p, %x, mask %off {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<add>} : tensor<8x!pi>, mask tensor<8xi1> -> tensor<8xi32>
  %4, %t6 = nv_tileaa.atomic_cas %p, %x, %0, mask %off {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>} : tensor<8x!pi>, mask tensor<8xi1> -> tensor<8xi32>
  // CHECK: nv_tileaa.return %[[L]], %arg1, %[[Z]], %[[Z]], %arg1
  nv_tileaa.return %0, %1, %2, %3, %4 : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}

// CHECK-LABEL: @identities
nv_tileaa.func @identities(%p: tensor<8x!pi>, %x: tensor<8xi32>, %scalar: !pi) {
  %zero = arith.constant dense<0> : tensor<8xi32>
  %ones = arith.constant dense<-1> : tensor<8xi32>
  %low = arith.constant dense<-2147483648> : tensor<8xi32>
  // CHECK: nv_tileaa.load %arg0{{ +}}{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>} : tensor<8x!nv_tileaa.ptr<i32>> -> tensor<8xi32>
  %0, %t0 = nv_tileaa.atomic_rmw %p, %zero {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<add>} : tensor<8x!pi> -> tensor<8xi32>
  // CHECK: nv_tileaa.load %arg0{{ +}}{mem_scope = #nv_tileaa.mem_scope<sys>, mem_semantic = #nv_tileaa.mem_semantic<acquire>}
  %1, %t1 = nv_tileaa.atomic_rmw %p, %ones {mem_scope = #nv_tileaa.mem_scope<sys>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, rmw_mode = #nv_tileaa.rmw_mode<and>} : tensor<8x!pi> -> tensor<8xi32>
  // CHECK: nv_tileaa.load %arg0
  %2, %t2 = nv_tileaa.atomic_rmw %p, %low {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<max>} : tensor<8x!pi> -> tensor<8xi32>
  // CHECK: nv_tileaa.load %arg0
  %3, %t3 = nv_tileaa.atomic_cas %p, %x, %x {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>} : tensor<8x!pi> -> tensor<8xi32>
  // A load does not release, and 0 is not the identity of max.
  // CHECK: nv_tileaa.atomic_rmw
  %4, %t4 = nv_tileaa.atomic_rmw %p, %zero {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acq_rel>, rmw_mode = #nv_tileaa.rmw_mode<add>} : tensor<8x!pi> -> tensor<8xi32>
  // CHECK: nv_tileaa.atomic_rmw
  %5, %t5 = nv_tileaa.atomic_rmw %p, %zero {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<max>} : tensor<8x!pi> -> tensor<8xi32>
  // Nor are scalars replaced, which do not say whether loads have become nv_tileas.load.
  // CHECK: nv_tileaa.atomic_rmw
  %none = arith.constant 0 : i32
  %6, %t6 = nv_tileaa.atomic_rmw %scalar, %none {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<add>} : !pi -> i32
  nv_tileaa.return
}

// CHECK-LABEL: @tokens
nv_tileaa.func @tokens(%a: !nv_tileaa.mem_token, %b: !nv_tileaa.mem_token) -> (!nv_tileaa.mem_token, !nv_tileaa.mem_token, !nv_tileaa.mem_token) {
  %n = nv_tileaa.create_mem_token
  // CHECK-DAG: %[[F:.*]] = nv_tileaa.create_mem_token
  // CHECK-DAG: %[[J:.*]] = nv_tileaa.join_mem_token %arg0, %arg1
  %0 = nv_tileaa.join_mem_token %a, %n, %a, %b
  %1 = nv_tileaa.join_mem_token %n, %a
  %2 = nv_tileaa.join_mem_token
  // CHECK: nv_tileaa.return %[[J]], %arg0, %[[F]]
  nv_tileaa.return %0, %1, %2 : !nv_tileaa.mem_token, !nv_tileaa.mem_token, !nv_tileaa.mem_token
}

// CHECK-LABEL: @extract
nv_tileaa.func @extract(%a: tensor<1xf32>, %b: tensor<1x1xf32>) -> (f32, f32, f32, tensor<4x8xf32>) {
  // CHECK-DAG: %[[C:.*]] = arith.constant 2.000000e+00 : f32
  // CHECK-DAG: %[[A:.*]] = nv_tileaa.extract %arg0 : tensor<1xf32> -> f32
  // CHECK-DAG: %[[B:.*]] = nv_tileaa.extract %arg1 : tensor<1x1xf32> -> f32
  // CHECK: %[[S:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
  %0 = nv_tileaa.expand_dims %a {axis = 0 : i32} : tensor<1xf32> -> tensor<1x1xf32>
  %1 = nv_tileaa.extract %0 : tensor<1x1xf32> -> f32
  %2 = arith.mulf %b, %b : tensor<1x1xf32>
  %3 = nv_tileaa.extract %2 : tensor<1x1xf32> -> f32
  %4 = arith.constant dense<2.0> : tensor<1xf32>
  %5 = nv_tileaa.extract %4 : tensor<1xf32> -> f32
  %6 = nv_tileaa.splat %1 : f32 -> tensor<4x8xf32>
  %7 = nv_tileaa.permute %6 [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK: nv_tileaa.return %[[A]], %[[S]], %[[C]]
  nv_tileaa.return %1, %3, %5, %7 : f32, f32, f32, tensor<4x8xf32>
}

// CHECK-LABEL: @dead
nv_tileaa.func @dead(%q: !nv_tileaa.queue<f32, i32>, %x: f32) -> (i32, f32) {
  // CHECK: %[[G:.*]] = nv_tileaa.queue.get %arg0 : <f32, i32> -> (i32) {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %[[E:.*]]: i32):
  // CHECK-NEXT: nv_tileaa.queue.yield %[[E]] : i32
  %0:2 = nv_tileaa.queue.get %q : !nv_tileaa.queue<f32, i32> -> (f32, i32)
  // CHECK: %[[P:.*]] = nv_tileaa.pragma {ocgEnterDirectives = ["a"]} -> (f32) {
  // CHECK-NEXT: %[[N:.*]] = arith.negf
  // CHECK-NEXT: nv_tileaa.yield %[[N]] : f32
  %1:2 = nv_tileaa.pragma {ocgEnterDirectives = ["a"]} -> (f32, f32) {
    %a = arith.negf %x : f32
    %b = arith.addf %x, %x : f32
    nv_tileaa.yield %b, %a : f32, f32
  }
  // CHECK: nv_tileaa.return %[[G]], %[[P]]
  nv_tileaa.return %0#1, %1#1 : i32, f32
}
