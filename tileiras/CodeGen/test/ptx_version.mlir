// The PTX version is the lowest that has what the kernel uses.
// RUN: split-file %s %t
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_90 %t/plain.mlir | FileCheck %s --check-prefix=PLAIN
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_90 %t/clusters.mlir | FileCheck %s --check-prefix=CLUSTERS
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_90 %t/tensormap.mlir | FileCheck %s --check-prefix=TENSORMAP
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_89 %t/fp8.mlir | FileCheck %s --check-prefix=FP8
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_100 %t/plain.mlir | FileCheck %s --check-prefix=BLACKWELL
// RUN: tileiras-translate --llvm-to-ptx --gpu-name=sm_100 %t/wide.mlir | FileCheck %s --check-prefix=WIDE

// PLAIN: .version 8.0
// BLACKWELL: .version 8.6
// CLUSTERS: .version 9.0
// CLUSTERS: .blocksareclusters
// TENSORMAP: .version 8.3
// FP8: .version 8.4
// WIDE: .version 8.8

//--- plain.mlir
gpu.module @m {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} { llvm.return }
}
//--- clusters.mlir
gpu.module @m {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, nvvm.cluster_dim = array<i32: 2, 1, 1>,
                             nvvm.blocksareclusters} { llvm.return }
}
//--- tensormap.mlir
gpu.module @m {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
    llvm.inline_asm has_side_effects "tensormap.replace.tile.rank.global.b1024.b32 [$0], 1;", "l" %p : (!llvm.ptr<1>) -> ()
    llvm.return
  }
}
//--- fp8.mlir
gpu.module @m {
  llvm.func @k(%a: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
    %z = llvm.mlir.constant(0.0 : f32) : f32
    %r = llvm.inline_asm has_side_effects "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {$0, $1, $2, $3}, {$4, $4, $4, $4}, {$4, $4}, {$5, $5, $5, $5};", "=f,=f,=f,=f,r,f" %a, %z : (i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    llvm.return
  }
}
//--- wide.mlir
gpu.module @m {
  llvm.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
    %v = llvm.load %p {alignment = 32 : i64} : !llvm.ptr<1> -> vector<8xf32>
    llvm.store %v, %q {alignment = 32 : i64} : vector<8xf32>, !llvm.ptr<1>
    llvm.return
  }
}
