// -O0 leaves out what only makes code better: equal operations stay two. The result is the same at every level.
// RUN: tileiras %s --gpu-name=sm_90 -O0 --emit=tileaa -o - | FileCheck %s --check-prefix=TWICE
// RUN: tileiras %s --gpu-name=sm_90 -O1 --emit=tileaa -o - | FileCheck %s --check-prefix=ONCE
// RUN: tileiras %s --gpu-name=sm_90 -O3 --emit=tileaa -o - | FileCheck %s --check-prefix=ONCE
// RUN: tileiras %s --gpu-name=sm_90 --pipeline-options=clean-up=false --emit=tileaa -o - | FileCheck %s --check-prefix=TWICE
// RUN: tileiras-run %s --opt-level=0 --engine=reference,emulator --check x:i32[64]=random out:y:i32[64]=poison
// RUN: tileiras-run %s --opt-level=3 --engine=reference,emulator --check x:i32[64]=random out:y:i32[64]=poison

// TWICE-COUNT-2: arith.muli
// ONCE: arith.muli
// ONCE-NOT: arith.muli
cuda_tile.module @m {
  entry @twice(%px: tile<ptr<i32>>, %py: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %vx = make_tensor_view %px, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %vy = make_tensor_view %py, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %wx = make_partition_view %vx : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>
    %wy = make_partition_view %vy : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>
    %x, %t0 = load_view_tko weak %wx[%zero] : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %a = muli %x, %x : tile<64xi32>
    %b = muli %x, %x : tile<64xi32>
    %s = addi %a, %b : tile<64xi32>
    %t1 = store_view_tko weak %s, %wy[%zero] : tile<64xi32>, partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
