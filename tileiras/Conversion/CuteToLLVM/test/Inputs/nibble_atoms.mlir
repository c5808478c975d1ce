// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drawn by tileiras-layout for nibble_fragments.py.
func.func @atoms() {
  %long = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x64, i4, ui4, i32>, "(1,1,1)">
  %short = cute.make_atom : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x32, i4, i4, i32>, "(1,1,1)">
  return
}
