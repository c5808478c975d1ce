// A kernel that needs no shared memory has no global for it.
// RUN: tileiras %s --gpu-name=sm_90 --emit=llvm -o - | FileCheck %s --implicit-check-not=global_smem
// CHECK: llvm.func @copy
cuda_tile.module @kernels {
  entry @copy(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %a, %t = load_ptr_tko weak %x : tile<ptr<f32>> -> tile<f32>, token
    %u = store_ptr_tko weak %y, %a token=%t : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
