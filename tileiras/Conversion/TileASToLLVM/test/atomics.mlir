// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm | FileCheck %s

// One warp; 32 elements, one per lane, or 16, each in two lanes.
#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#copies = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [0]], warp = []>
!pi = tensor<32x!nv_tileaa.ptr<i32>, #l>
!pb = tensor<32x!nv_tileaa.ptr<bf16>, #l>
!pc = tensor<16x!nv_tileaa.ptr<i32>, #copies>
!p1 = !llvm.struct<(ptr<1>)>
!s32 = !llvm.struct<(i32)>
!sb = !llvm.struct<(bf16)>
module attributes {nv_tileaa.compute_capability = 80 : i64} {
// Nobody looks at the old values: red. No barrier, everything owned.
// CHECK-LABEL: func.func @reduction
// CHECK-NOT: barrier
// CHECK: llvm.inline_asm has_side_effects {{.*}}"red.relaxed.gpu.global.max.s32 [$0], $1;", "l,r,~{memory}"
// CHECK-NOT: barrier
func.func @reduction(%q: !p1, %w: !s32) {
  %p = builtin.unrealized_conversion_cast %q : !p1 to !pi
  %v = builtin.unrealized_conversion_cast %w : !s32 to tensor<32xi32, #l>
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<max>} : !pi -> tensor<32xi32, #l>
  return
}

// red has no acquire: atom, and a barrier after it.
// CHECK-LABEL: func.func @acquire
// CHECK: "atom.acquire.cta.global.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"
// CHECK: nvvm.barrier0
func.func @acquire(%q: !p1, %w: !s32) {
  %p = builtin.unrealized_conversion_cast %q : !p1 to !pi
  %v = builtin.unrealized_conversion_cast %w : !s32 to tensor<32xi32, #l>
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, rmw_mode = #nv_tileaa.rmw_mode<add>} : !pi -> tensor<32xi32, #l>
  return
}

// A barrier before a release; the mask is the instruction's predicate, and old values of masked-off elements are zero.
// CHECK-LABEL: func.func @release
// CHECK: nvvm.barrier0
// CHECK: "@$4 atom.acq_rel.sys.global.exch.b32 $0, [$2], $3;", "=r,0,l,r,b,~{memory}" %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} :
// CHECK: nvvm.barrier0
func.func @release(%q: !p1, %w: !s32, %m: !llvm.struct<(i1)>) -> !s32 {
  %p = builtin.unrealized_conversion_cast %q : !p1 to !pi
  %v = builtin.unrealized_conversion_cast %w : !s32 to tensor<32xi32, #l>
  %k = builtin.unrealized_conversion_cast %m : !llvm.struct<(i1)> to tensor<32xi1, #l>
  %a, %t = nv_tileaa.atomic_rmw %p, %v, mask %k {mem_scope = #nv_tileaa.mem_scope<sys>, mem_semantic = #nv_tileaa.mem_semantic<acq_rel>, rmw_mode = #nv_tileaa.rmw_mode<xchg>} : !pi, mask tensor<32xi1, #l> -> tensor<32xi32, #l>
  %r = builtin.unrealized_conversion_cast %a : tensor<32xi32, #l> to !s32
  return %r : !s32
}

// Copies: one owner does it, the others learn the old value through shared memory.
// CHECK-LABEL: func.func @copies
// CHECK: %[[LANE:.*]] = llvm.and %{{.*}}, %{{.*}} : i32
// CHECK: %[[OWNS:.*]] = llvm.icmp "eq"
// CHECK: "@$5 atom.relaxed.gpu.global.cas.b32 $0, [$2], $3, $4;", "=r,0,l,r,r,b,~{memory}" %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[OWNS]]
// CHECK: nvvm.barrier0
// CHECK: scf.if %[[OWNS]]
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
func.func @copies(%q: !p1, %w: !s32) -> !s32 {
  %p = builtin.unrealized_conversion_cast %q : !p1 to !pc
  %v = builtin.unrealized_conversion_cast %w : !s32 to tensor<16xi32, #copies>
  %a, %t = nv_tileaa.atomic_cas %p, %v, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>} : !pc -> tensor<16xi32, #copies>
  %r = builtin.unrealized_conversion_cast %a : tensor<16xi32, #copies> to !s32
  return %r : !s32
}

// A scalar: the first thread.
// CHECK-LABEL: func.func @scalar
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %{{.*}}, %{{.*}} : i32
// CHECK: "@$2 red.release.gpu.global.add.u32 [$0], $1;", "l,r,b,~{memory}" %{{.*}}, %{{.*}}, %[[FIRST]]
func.func @scalar(%q: !llvm.ptr<1>, %v: i32) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<i32>
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<release>, rmw_mode = #nv_tileaa.rmw_mode<add>} : !nv_tileaa.ptr<i32> -> i32
  return
}

// bf16 addition is an instruction from sm_90 on.
// CHECK-LABEL: func.func @loop
// CHECK: ld.relaxed.gpu.global.b16
// CHECK-SAME: cvt.rn.bf16.f32
// CHECK-SAME: atom.relaxed.gpu.global.cas.b16
// CHECK-SAME: bra AGAIN_${:uid}
func.func @loop(%q: !p1, %w: !sb) {
  %p = builtin.unrealized_conversion_cast %q : !p1 to !pb
  %v = builtin.unrealized_conversion_cast %w : !sb to tensor<32xbf16, #l>
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : !pb -> tensor<32xbf16, #l>
  return
}
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
!pb = tensor<32x!nv_tileaa.ptr<bf16>, #l>
!p1 = !llvm.struct<(ptr<1>)>
!sb = !llvm.struct<(bf16)>
!mem = !nv_tileaa.memref<?xf64, strides = [1]>
!view = !nv_tileaa.tiled_view<[32], dim_map = [0], steps = [32], !mem>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @instruction
// CHECK: "red.relaxed.gpu.global.add.noftz.bf16 [$0], $1;", "l,h,~{memory}"
func.func @instruction(%q: !p1, %w: !sb) {
  %p = builtin.unrealized_conversion_cast %q : !p1 to !pb
  %v = builtin.unrealized_conversion_cast %w : !sb to tensor<32xbf16, #l>
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : !pb -> tensor<32xbf16, #l>
  return
}

// Through a view: predicated by the bounds.
// CHECK-LABEL: func.func @view
// CHECK: %[[IN:.*]] = llvm.icmp "slt" %{{.*}} : i64
// CHECK: "@$2 red.relaxed.gpu.global.add.f64 [$0], $1;", "l,l,b,~{memory}" %{{.*}}, %{{.*}}, %[[IN]]
func.func @view(%q: !llvm.ptr<1>, %n: i32, %i: i32, %w: !llvm.struct<(f64)>) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f64>
  %v = builtin.unrealized_conversion_cast %w : !llvm.struct<(f64)> to tensor<32xf64, #l>
  %r = nv_tileaa.make_memref %p, sizes [%n], strides [] : !nv_tileaa.ptr<f64>, (i32), () -> !mem
  %b = nv_tileaa.block_tile %r : !mem -> !view
  %t = nv_tileas.tiled_atomic_rmw %b[%i], %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>} : !view, (i32), tensor<32xf64, #l>
  return
}
}

// -----

// Four neighbours in a thread's registers, 128 elements.
#l = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
!s4 = !llvm.struct<(f32, f32, f32, f32)>
!h4 = !llvm.struct<(f16, f16, f16, f16)>
!p4 = !llvm.struct<(ptr<1>, ptr<1>, ptr<1>, ptr<1>)>
!pf = tensor<128x!nv_tileaa.ptr<f32>, #l>
!ph = tensor<128x!nv_tileaa.ptr<f16>, #l>
!mem = !nv_tileaa.memref<?xf32, strides = [1]>
!view = !nv_tileaa.tiled_view<[128], dim_map = [0], steps = [128], !mem>
!even = !nv_tileaa.memref<1000xf32, strides = [1]>
!even_view = !nv_tileaa.tiled_view<[128], dim_map = [0], steps = [128], !even>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// Neighbours together; the version of PTX that has them (PTX ISA, "red").
// CHECK-LABEL: func.func @together
// CHECK: "@$5 red.relaxed.gpu.global.add.v4.f32 [$0], {{[{]}}$1, $2, $3, $4};", "l,r,r,r,r,b,~{memory}"
// CHECK-NOT: red.
func.func @together(%q: !p4, %w: !s4, %m: !llvm.struct<(i1, i1, i1, i1)>) {
  %p = builtin.unrealized_conversion_cast %q : !p4 to !pf
  %v = builtin.unrealized_conversion_cast %w : !s4 to tensor<128xf32, #l>
  %k = builtin.unrealized_conversion_cast %m : !llvm.struct<(i1, i1, i1, i1)> to tensor<128xi1, #l>
  %a, %t = nv_tileaa.atomic_rmw %p, %v, mask %k {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 4 : i32} : !pf, mask tensor<128xi1, #l> -> tensor<128xf32, #l>
  return
}

// CHECK-LABEL: func.func @pairs
// CHECK-COUNT-2: "red.relaxed.gpu.global.add.v2.f32 [$0], {{[{]}}$1, $2};", "l,r,r,~{memory}"
// CHECK-NOT: red.
func.func @pairs(%q: !p4, %w: !s4) {
  %p = builtin.unrealized_conversion_cast %q : !p4 to !pf
  %v = builtin.unrealized_conversion_cast %w : !s4 to tensor<128xf32, #l>
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 2 : i32} : !pf -> tensor<128xf32, #l>
  return
}

// Elements of 16 bits as words of two.
// CHECK-LABEL: func.func @halves
// CHECK: "red.relaxed.gpu.global.add.noftz.v2.f16x2 [$0], {{[{]}}$1, $2};", "l,r,r,~{memory}"
// CHECK-NOT: red.
// CHECK-LABEL: func.func @half_pairs
// CHECK-COUNT-2: "red.relaxed.gpu.global.add.noftz.f16x2 [$0], $1;", "l,r,~{memory}"
// CHECK-NOT: red.
func.func @halves(%q: !p4, %w: !h4) {
  %p = builtin.unrealized_conversion_cast %q : !p4 to !ph
  %v = builtin.unrealized_conversion_cast %w : !h4 to tensor<128xf16, #l>
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 4 : i32} : !ph -> tensor<128xf16, #l>
  return
}
func.func @half_pairs(%q: !p4, %w: !h4) {
  %p = builtin.unrealized_conversion_cast %q : !p4 to !ph
  %v = builtin.unrealized_conversion_cast %w : !h4 to tensor<128xf16, #l>
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 2 : i32} : !ph -> tensor<128xf16, #l>
  return
}

// `atom` has no use for them here: old values are wanted.
// CHECK-LABEL: func.func @old
// CHECK-COUNT-4: "atom.relaxed.gpu.global.add.f32 $0, [$1], $2;"
func.func @old(%q: !p4, %w: !s4) -> !s4 {
  %p = builtin.unrealized_conversion_cast %q : !p4 to !pf
  %v = builtin.unrealized_conversion_cast %w : !s4 to tensor<128xf32, #l>
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 4 : i32} : !pf -> tensor<128xf32, #l>
  %r = builtin.unrealized_conversion_cast %a : tensor<128xf32, #l> to !s4
  return %r : !s4
}

// A tile of which the edge cuts no group has a way of its own; in the other one a group is whole, or done one by one.
// CHECK-LABEL: func.func @cut
// CHECK: scf.if
// CHECK: "@$5 red.relaxed.gpu.global.add.v4.f32
// CHECK-NOT: red.
// CHECK: else
// CHECK: "@$5 red.relaxed.gpu.global.add.v4.f32
// CHECK-COUNT-4: "@$2 red.relaxed.gpu.global.add.f32
// CHECK-NOT: red.
func.func @cut(%q: !llvm.ptr<1>, %n: i32, %i: i32, %w: !s4) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
  %v = builtin.unrealized_conversion_cast %w : !s4 to tensor<128xf32, #l>
  %r = nv_tileaa.make_memref %p, sizes [%n], strides [] : !nv_tileaa.ptr<f32>, (i32), () -> !mem
  %b = nv_tileaa.block_tile %r : !mem -> !view
  %t = nv_tileas.tiled_atomic_rmw %b[%i], %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 4 : i32} : !view, (i32), tensor<128xf32, #l>
  return
}

// CHECK-LABEL: func.func @uncut
// CHECK-NOT: scf.if
// CHECK: "@$5 red.relaxed.gpu.global.add.v4.f32
// CHECK-NOT: red.
func.func @uncut(%q: !llvm.ptr<1>, %i: i32, %w: !s4) {
  %p = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !nv_tileaa.ptr<f32>
  %v = builtin.unrealized_conversion_cast %w : !s4 to tensor<128xf32, #l>
  %r = nv_tileaa.make_memref %p, sizes [], strides [] : !nv_tileaa.ptr<f32>, (), () -> !even
  %b = nv_tileaa.block_tile %r : !even -> !even_view
  %t = nv_tileas.tiled_atomic_rmw %b[%i], %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 4 : i32} : !even_view, (i32), tensor<128xf32, #l>
  return
}
}

// -----

// Targets without vectors.
#l = #nv_tileas.linear<rank = 1, register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
!s4 = !llvm.struct<(f32, f32, f32, f32)>
!p4 = !llvm.struct<(ptr<1>, ptr<1>, ptr<1>, ptr<1>)>
!pf = tensor<128x!nv_tileaa.ptr<f32>, #l>
module attributes {nv_tileaa.compute_capability = 80 : i64} {
// CHECK-LABEL: func.func @one_by_one
// CHECK-COUNT-4: "red.relaxed.gpu.global.add.f32 [$0], $1;", "l,r,~{memory}"
func.func @one_by_one(%q: !p4, %w: !s4) {
  %p = builtin.unrealized_conversion_cast %q : !p4 to !pf
  %v = builtin.unrealized_conversion_cast %w : !s4 to tensor<128xf32, #l>
  %a, %t = nv_tileaa.atomic_rmw %p, %v {mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, rmw_mode = #nv_tileaa.rmw_mode<addf>, vec = 4 : i32} : !pf -> tensor<128xf32, #l>
  return
}
}
