// Before sm_90 addresses of a stage that differ by some bits are made from each other (DeriveAddresses.h).
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_80 %s | FileCheck %s
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_120 %s | FileCheck --check-prefix=UNIFORM %s

module {
  gpu.module @kernels {
    llvm.mlir.global internal @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<32768 x i8> {
      %undef = llvm.mlir.undef : !llvm.array<32768 x i8>
      llvm.return %undef : !llvm.array<32768 x i8>
    }

    // The second tile of the stage is 16,384 bytes behind the first, which the load says.
    // CHECK-LABEL: .visible .entry ring(
    // CHECK-NOT: xor.b32
    // CHECK: mov.b64 [[SMEM:%rd[0-9]+]], smem;
    // CHECK-NEXT: add.s64 [[BASE:%rd[0-9]+]], [[SMEM]], %rd{{[0-9]+}};
    // CHECK-NEXT: add.s64 [[STAGE:%rd[0-9]+]], [[BASE]], %rd{{[0-9]+}};
    // CHECK: ld.volatile.shared.b32 %r{{[0-9]+}}, {{\[}}[[STAGE]]];
    // CHECK: xor.b64 [[OTHER:%rd[0-9]+]], [[STAGE]], 32;
    // CHECK: ld.volatile.shared.b32 %r{{[0-9]+}}, {{\[}}[[OTHER]]];
    // CHECK: xor.b64 [[THIRD:%rd[0-9]+]], [[STAGE]], 96;
    // CHECK: ld.volatile.shared.b32 %r{{[0-9]+}}, {{\[}}[[THIRD]]+16384];
    // CHECK: ret;
    // UNIFORM-LABEL: .visible .entry ring(
    // UNIFORM: xor.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 32;
    // UNIFORM-NOT: xor.b64
    // UNIFORM: ret;
    llvm.func @ring(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c13 = llvm.mlir.constant(13 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c96 = llvm.mlir.constant(96 : i32) : i32
      %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
      %right = llvm.getelementptr %smem[16384] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %mine = llvm.shl %tid, %c4 : i32
      %a = llvm.zext %mine : i32 to i64
      %flipped = llvm.xor %mine, %c32 : i32
      %b = llvm.zext %flipped : i32 to i64
      %both = llvm.xor %mine, %c96 : i32
      %c = llvm.zext %both : i32 to i64
      llvm.br ^loop(%c0, %c0 : i32, i32)
    ^loop(%i: i32, %sum: i32):
      llvm.inline_asm has_side_effects "bar.warp.sync -1;", "" : () -> ()
      %stage = llvm.and %i, %c1 : i32
      %bytes = llvm.shl %stage, %c13 : i32
      %offset = llvm.zext %bytes : i32 to i64
      %tile = llvm.getelementptr %smem[%offset] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
      %pa = llvm.getelementptr %tile[%a] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
      %x = llvm.load volatile %pa : !llvm.ptr<3> -> i32
      %pb = llvm.getelementptr %tile[%b] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
      %y = llvm.load volatile %pb : !llvm.ptr<3> -> i32
      %second = llvm.getelementptr %right[%offset] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
      %pc = llvm.getelementptr %second[%c] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
      %z = llvm.load volatile %pc : !llvm.ptr<3> -> i32
      %s0 = llvm.add %sum, %x : i32
      %s1 = llvm.add %s0, %y : i32
      %s2 = llvm.add %s1, %z : i32
      %next = llvm.add %i, %c1 : i32
      %more = llvm.icmp "ult" %next, %n : i32
      llvm.cond_br %more, ^loop(%next, %s2 : i32, i32), ^end
    ^end:
      llvm.store %s2, %p : i32, !llvm.ptr<1>
      llvm.return
    }

    // A stage of 48 bytes has no bits to spare.
    // CHECK-LABEL: .visible .entry unaligned(
    // CHECK: xor.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 32;
    // CHECK-NOT: xor.b64
    // CHECK: ret;
    llvm.func @unaligned(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c48 = llvm.mlir.constant(48 : i32) : i32
      %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %mine = llvm.shl %tid, %c4 : i32
      %a = llvm.zext %mine : i32 to i64
      %flipped = llvm.xor %mine, %c32 : i32
      %b = llvm.zext %flipped : i32 to i64
      llvm.br ^loop(%c0, %c0 : i32, i32)
    ^loop(%i: i32, %sum: i32):
      llvm.inline_asm has_side_effects "bar.warp.sync -1;", "" : () -> ()
      %stage = llvm.and %i, %c1 : i32
      %bytes = llvm.mul %stage, %c48 : i32
      %offset = llvm.zext %bytes : i32 to i64
      %tile = llvm.getelementptr %smem[%offset] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
      %pa = llvm.getelementptr %tile[%a] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
      %x = llvm.load volatile %pa : !llvm.ptr<3> -> i32
      %pb = llvm.getelementptr %tile[%b] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
      %y = llvm.load volatile %pb : !llvm.ptr<3> -> i32
      %s0 = llvm.add %sum, %x : i32
      %s1 = llvm.add %s0, %y : i32
      %next = llvm.add %i, %c1 : i32
      %more = llvm.icmp "ult" %next, %n : i32
      llvm.cond_br %more, ^loop(%next, %s1 : i32, i32), ^end
    ^end:
      llvm.store %s1, %p : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}
