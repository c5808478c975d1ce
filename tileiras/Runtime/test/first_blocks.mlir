// --blocks=N runs the first N tile blocks; the kernel still sees the whole grid. Both engines leave out the same ones.

// RUN: tileiras-run %s --engine=reference,emulator --check --grid=2,2 --blocks=3 'y:i32[4]=zeros' --show=y | FileCheck %s
// CHECK: 4 8 12 0
// RUN: tileiras-run %s --engine=emulator --grid=2,2 'y:i32[4]=zeros' --show=y | FileCheck %s --check-prefix=ALL
// ALL: 4 8 12 16
// RUN: bash -c "tileiras-run %s --engine=cuda --grid=2,2 --blocks=3 'y:i32[4]=zeros'; test \$? -eq 1" 2>&1 | FileCheck %s --check-prefix=CUDA
// CUDA: error: --blocks: a GPU runs every tile block of the grid

cuda_tile.module @kernels {
  entry @number(%y: tile<ptr<i32>>) {
    %x, %row, %plane = get_tile_block_id : tile<i32>
    %width, %height, %depth = get_num_tile_blocks : tile<i32>
    %start = muli %row, %width : tile<i32>
    %at = addi %start, %x : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %n = addi %at, %one : tile<i32>
    %blocks = muli %width, %height : tile<i32>
    %value = muli %n, %blocks : tile<i32>
    %p = offset %y, %at : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = store_ptr_tko weak %p, %value : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
