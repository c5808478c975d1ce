// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nv_tileaa.plugin: the conversion of the bodies lets it pass with operands of LLVM's types, a file of PDL patterns then says what it
// is, and the kernel is executed. Without the file it is left, and an error at translation.
// RUN: split-file %s %t
// RUN: tileiras %t/kernel.mlir --gpu-name=sm_90 --emit=ptx --pipeline-options=pdl-files=%t/square.pdl -o %t/kernel.ptx
// RUN: tileiras-run %t/kernel.ptx --check-races --grid=5 --block=128 'out:y:i32[5]=poison' i32=3 --show=y | FileCheck %s --check-prefix=VALUES
// RUN: tileiras %t/kernel.mlir --gpu-name=sm_80 -O0 --emit=ptx --pipeline-options=pdl-files=%t/square.pdl -o %t/kernel.80.ptx
// RUN: tileiras-run %t/kernel.80.ptx --check-races --grid=5 --block=128 'out:y:i32[5]=poison' i32=3 --show=y | FileCheck %s --check-prefix=VALUES
// VALUES: 9 16 25 36 49
// RUN: not tileiras %t/kernel.mlir --gpu-name=sm_90 --emit=ptx -o %t/none.ptx 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: kernel.mlir":10:{{.*}} error: 'nv_tileaa.plugin' op is not lowered: no pattern has taken the plugin "square"
// RUN: tileiras %t/kernel.mlir --gpu-name=sm_90 --emit=llvm | FileCheck %s --check-prefix=LLVM
// LLVM: nv_tileaa.plugin "square"(%{{.*}}) : (i32) -> i32
// RUN: tileiras-opt %t/tiles.mlir --convert-nv-tile-func-to-llvm --convert-nv-tileas-to-llvm | FileCheck %s --check-prefix=TILES
// TILES: nv_tileaa.plugin "mine"(%{{.*}}, %{{.*}}) {config = {depth = 2 : i64}} : (!llvm.struct<(f32, f32)>, !llvm.ptr<1>) -> !llvm.struct<(f32, f32)>

//--- square.pdl
pdl.pattern @square : benefit(1) {
  %type = pdl.type
  %name = pdl.attribute = "square"
  %x = pdl.operand : %type
  %root = pdl.operation "nv_tileaa.plugin"(%x : !pdl.value) {"name" = %name} -> (%type : !pdl.type)
  pdl.rewrite %root {
    %product = pdl.operation "arith.muli"(%x, %x : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    pdl.replace %root with %product
  }
}

//--- kernel.mlir
// y[b] = (b + n)^2
gpu.module @kernels {
  nv_tileaa.func @squares(%y: !nv_tileaa.ptr<i32>, %n: i32)
      attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %b, %y0, %z0 = nv_tileaa.get_program_id
    %i = arith.addi %b, %n : i32
    %p = nv_tileaa.addptr %y, %b : !nv_tileaa.ptr<i32>, i32
    // What nobody here knows.

    %v = nv_tileaa.plugin "square"(%i) : (i32) -> i32
    %t = nv_tileaa.store %p, %v : !nv_tileaa.ptr<i32>, i32
    nv_tileaa.return
  }
}

//--- tiles.mlir
#l = #nv_tileas.linear<rank = 1, register = [[128]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>
gpu.module @kernels attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func @tiles(%x: f32, %p: !nv_tileaa.ptr<f32>)
      attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>} {
    %t = nv_tileaa.splat %x : f32 -> tensor<256xf32, #l>
    %u = nv_tileaa.plugin "mine"(%t, %p) {config = {depth = 2}} : (tensor<256xf32, #l>, !nv_tileaa.ptr<f32>) -> tensor<256xf32, #l>
    nv_tileaa.return
  }
}
