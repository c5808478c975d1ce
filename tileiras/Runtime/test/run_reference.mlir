// RUN: tileiras-run %s --entry=scale --grid=3 x:f32[10]=iota out:y:f32[10] f32=0.5 i32=10 --show=y --stats | FileCheck %s
// CHECK: reference: {{[0-9.]+}} s
// CHECK: operations: {{[1-9]}}
// CHECK: stored bytes: 40
// CHECK: y: 0 0.5 1 1.5 2 2.5 3 3.5 4 4.5

// What a kernel prints goes to standard output, once per tile block.
// RUN: tileiras-run %s --entry=hello --grid=2,1,1 i32=-7 | FileCheck %s --check-prefix=PRINT
// PRINT: block 0 of 2: -7
// PRINT-NEXT: block 1 of 2: -7
// PRINT-NOT: block

// A result can be written, and be the expectation of the next run.
// RUN: tileiras-run %s --entry=scale --grid=3 x:f32[10]=iota out:y:f32[10] f32=0.5 i32=10 --dump=y=%t.npy
// RUN: tileiras-run %s --entry=scale --grid=3 x:f32=%t.npy 'out:y:f32[10]{expect=%t.npy}' f32=1 i32=10 --engine=reference --check | FileCheck %s --check-prefix=SAME
// SAME: ok: reference against {{.*}}.npy: 'y': all 10 elements equal
// RUN: bash -c "tileiras-run %s --entry=scale --grid=3 x:f32=%t.npy 'out:y:f32[10]{expect=%t.npy}' f32=2 i32=10 --engine=reference; test \$? -eq 7" 2>&1 | FileCheck %s --check-prefix=DIFFERENT
// DIFFERENT: mismatch: reference against {{.*}}.npy: 'y': 9 of 10 elements differ, worst at [1]: got 1 (0x3f800000), expected 0.5 (0x3f000000)
// RUN: tileiras-run %s --entry=scale --grid=3 x:f32=%t.npy 'out:y:f32[10]{expect=%t.npy,tol=rel:1}' f32=2 i32=10 --engine=reference --check | FileCheck %s --check-prefix=NEAR
// NEAR: ok: {{.*}} 9 of 10 elements differ within the tolerance

// A wrong address is a located report with status 6.
// RUN: bash -c "tileiras-run %s --entry=scale --grid=3 x:f32[10] out:y:f32[9] f32=1 i32=10; test \$? -eq 6" 2>&1 | FileCheck %s --check-prefix=BOUNDS
// BOUNDS: run_reference.mlir:[[#]]:{{.*}} error: store of element [1] (f32): out of bounds: address 0x{{.*}} is 0 bytes past the end of 'y' (36 bytes)
// BOUNDS: note: in tile block (2, 0, 0) of 'scale'

cuda_tile.module @kernels {
  entry @hello(%n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
    %t = print_tko "block %d of %d: %d\n", %x, %gx, %n : tile<i32>, tile<i32>, tile<i32> -> token
    return
  }
  entry @scale(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %a: tile<f32>, %n: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %tx = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %ty = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %vx = make_partition_view %tx : partition_view<tile=(4), padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %vy = make_partition_view %ty : partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>
    %v, %t0 = load_view_tko weak %vx[%b] : partition_view<tile=(4), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %a1 = reshape %a : tile<f32> -> tile<1xf32>
    %ab = broadcast %a1 : tile<1xf32> -> tile<4xf32>
    %r = mulf %v, %ab : tile<4xf32>
    %t1 = store_view_tko weak %r, %vy[%b] : tile<4xf32>, partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
