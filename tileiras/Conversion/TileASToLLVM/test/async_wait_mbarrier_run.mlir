// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// async.wait on an mbarrier: a loop of try_wait (test_wait before sm_90) on the parity of a phase, behind which the threads meet. One thread writes
// a number and arrives, in two phases; all threads wait and read it. Without the arrival nobody goes on.
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// CHECK: mbarrier.try_wait.parity.shared.b64
// CHECK: bar.sync
// RUN: tileiras %s --gpu-name=sm_80 --emit=ptx -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx --check-prefix=OLD
// OLD: mbarrier.test_wait.parity.shared.b64
// RUN: tileiras-run %t.ptx --check-races --schedules=3 --grid=1 --block=128 'out:y:i32[130]=zeros' --show=y | FileCheck %s --check-prefix=VALUES
// RUN: tileiras-run %t.80.ptx --check-races --schedules=3 --grid=1 --block=128 'out:y:i32[130]=zeros' --show=y | FileCheck %s --check-prefix=VALUES
// VALUES: 40 41 81 81 81
// RUN: sed 's/nvvm.mbarrier.arrive %at.*//' %s > %t.lost.mlir
// RUN: tileiras %t.lost.mlir --gpu-name=sm_90 --emit=ptx -o %t.lost.ptx
// RUN: not tileiras-run %t.lost.ptx --check-races --grid=1 --block=128 'out:y:i32[130]=zeros' 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: deadlock

#word = #nv_tileas.shared<rank = 1, offset = []>
gpu.module @kernels {
  nv_tileaa.func @wait(%y: !nv_tileaa.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c40 = arith.constant 40 : i32
    %barrier = nv_tileas.alloc_tensor : tensor<1xi64, #word>
    %t0 = nv_tileas.async.mbarrier_init %barrier, %c1 : tensor<1xi64, #word>
    %at = builtin.unrealized_conversion_cast %barrier : tensor<1xi64, #word> to !llvm.ptr<3>
    %to = builtin.unrealized_conversion_cast %y : !nv_tileaa.ptr<i32> to !llvm.ptr<1>
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = arith.cmpi eq, %t, %c0 : i32
    %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %c0) -> (i32) : i32 {
      %p = llvm.getelementptr %to[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      scf.if %first {
        %v = arith.addi %c40, %i : i32
        llvm.store %v, %p : i32, !llvm.ptr<1>
        nvvm.mbarrier.arrive %at : !llvm.ptr<3> -> i64
      }
      nv_tileas.async.wait on %barrier : tensor<1xi64, #word> phase %i
      %v = llvm.load %p : !llvm.ptr<1> -> i32
      %s = arith.addi %acc, %v : i32
      scf.yield %s : i32
    }
    %k = arith.addi %t, %c2 : i32
    %q = llvm.getelementptr %to[%k] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %sum, %q : i32, !llvm.ptr<1>
    nv_tileaa.return
  }
}
