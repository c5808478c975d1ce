// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --coverage: which lines threads reached, and which synchronisation none did.
// RUN: rm -rf %t && tileiras-run %s --gpu-name=sm_80 --engine=emulator --block=32 'out:y:i32[32]' i32=5 --coverage=%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=LCOV --input-file=%t/coverage.info
// RUN: FileCheck %s --check-prefix=HTML --input-file=%t/coverage.html
// A second schedule counts, too; with another argument everything is reached.
// RUN: tileiras-run %s --gpu-name=sm_80 --engine=emulator --block=32 'out:y:i32[32]' i32=-5 --schedules=2 --coverage=%t.all | FileCheck %s --check-prefix=ALL
// RUN: not tileiras-run %s --gpu-name=sm_80 --engine=emulator --block=32 'out:y:i32[32]' i32=5 --coverage=%s/x 2>&1 | FileCheck %s --check-prefix=BAD

// CHECK: coverage: {{[0-9]+}} of {{[0-9]+}} lines
// CHECK: no thread reached {{.*}}coverage.mlir:[[@LINE+18]]: bar.sync
// LCOV: SF:{{.*}}coverage.mlir
// LCOV: DA:[[@LINE+16]],0
// HTML: coverage.mlir
// ALL: coverage: [[N:[0-9]+]] of [[N]] lines
// ALL-NOT: no thread
// BAD: cannot make the folder

gpu.module @kernels {
  gpu.func @k(%y: !llvm.ptr<1>, %n: i32) kernel {
    %c0 = arith.constant 0 : i32
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %p = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %negative = arith.cmpi slt, %n, %c0 : i32
    llvm.store %t, %p : i32, !llvm.ptr<1>
    scf.if %negative {

      gpu.barrier
      llvm.store volatile %n, %p : i32, !llvm.ptr<1>
    }
    gpu.return
  }
}
