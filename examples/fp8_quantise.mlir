// Rows to 8-bit floats and back. Every 64 neighbours of a row share a scale: their largest magnitude becomes 448, the largest
// f8E4M3FN. sm_90 and later convert in hardware; for sm_80 the compiler writes the conversion out, with the same results to the bit.
//
//   tileiras-run examples/fp8_quantise.mlir --entry=quantise --grid=10,3 --gpu-name=sm_90 --check \
//       'x:bf16[37x192]=normal(seed=1,std=3)' 'out:y:f8E4M3FN[37x192]=poison' 'out:s:f32[37x3]=poison' i32=37 i32=192 i32=3
//   tileiras-run examples/fp8_quantise.mlir --entry=dequantise --grid=10,3 --gpu-name=sm_80 --check \
//       'x:f8E4M3FN[37x192]=random(seed=2,lo=-448,hi=448)' 's:f32[37x3]=random(seed=3,lo=0,hi=0.1)' 'out:y:bf16[37x192]=poison' i32=37 i32=192 i32=3

!wide = !cuda_tile.tensor_view<?x?xbf16, strides=[?,1]>
!wide_tile = !cuda_tile.partition_view<tile=(4x64), padding_value = zero, !wide>
!narrow = !cuda_tile.tensor_view<?x?xf8E4M3FN, strides=[?,1]>
!narrow_tile = !cuda_tile.partition_view<tile=(4x64), padding_value = zero, !narrow>
!scales = !cuda_tile.tensor_view<?x?xf32, strides=[?,1]>
!scale_tile = !cuda_tile.partition_view<tile=(4x1), padding_value = zero, !scales>

cuda_tile.module @kernels {
  entry @quantise(%x: tile<ptr<bf16>>, %y: tile<ptr<f8E4M3FN>>, %s: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %groups: tile<i32>) {
    %i, %j, %bz = get_tile_block_id : tile<i32>
    %tx = make_tensor_view %x, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !wide
    %ty = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !narrow
    %ts = make_tensor_view %s, shape = [%m, %groups], strides = [%groups, 1] : tile<i32> -> !scales
    %vx = make_partition_view %tx : !wide_tile
    %vy = make_partition_view %ty : !narrow_tile
    %vs = make_partition_view %ts : !scale_tile

    %v, %t0 = load_view_tko weak %vx[%i, %j] : !wide_tile, tile<i32> -> tile<4x64xbf16>, token
    %f = ftof %v : tile<4x64xbf16> -> tile<4x64xf32>
    %size = absf %f : tile<4x64xf32>
    %top = reduce %size dim=1 identities=[0.0 : f32] : tile<4x64xf32> -> tile<4xf32>
    (%a: tile<f32>, %b: tile<f32>) {
      %c = maxf %a, %b : tile<f32>
      yield %c : tile<f32>
    }
    // A group of zeros gets a small scale, not none.
    %least = constant <f32: 1.0e-10> : tile<4xf32>
    %most = constant <f32: 448.0> : tile<4xf32>
    %top1 = maxf %top, %least : tile<4xf32>
    %scale = divf %top1, %most : tile<4xf32>
    %scale2 = reshape %scale : tile<4xf32> -> tile<4x1xf32>
    %scale64 = broadcast %scale2 : tile<4x1xf32> -> tile<4x64xf32>
    %q = divf %f, %scale64 : tile<4x64xf32>
    %r = ftof %q : tile<4x64xf32> -> tile<4x64xf8E4M3FN>
    %t1 = store_view_tko weak %r, %vy[%i, %j] : tile<4x64xf8E4M3FN>, !narrow_tile, tile<i32> -> token
    %t2 = store_view_tko weak %scale2, %vs[%i, %j] : tile<4x1xf32>, !scale_tile, tile<i32> -> token
    return
  }

  entry @dequantise(%x: tile<ptr<f8E4M3FN>>, %s: tile<ptr<f32>>, %y: tile<ptr<bf16>>, %m: tile<i32>, %n: tile<i32>, %groups: tile<i32>) {
    %i, %j, %bz = get_tile_block_id : tile<i32>
    %tx = make_tensor_view %x, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !narrow
    %ts = make_tensor_view %s, shape = [%m, %groups], strides = [%groups, 1] : tile<i32> -> !scales
    %ty = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !wide
    %vx = make_partition_view %tx : !narrow_tile
    %vs = make_partition_view %ts : !scale_tile
    %vy = make_partition_view %ty : !wide_tile

    %v, %t0 = load_view_tko weak %vx[%i, %j] : !narrow_tile, tile<i32> -> tile<4x64xf8E4M3FN>, token
    %scale, %t1 = load_view_tko weak %vs[%i, %j] : !scale_tile, tile<i32> -> tile<4x1xf32>, token
    %f = ftof %v : tile<4x64xf8E4M3FN> -> tile<4x64xf32>
    %scale64 = broadcast %scale : tile<4x1xf32> -> tile<4x64xf32>
    %p = mulf %f, %scale64 : tile<4x64xf32>
    %r = ftof %p : tile<4x64xf32> -> tile<4x64xbf16>
    %t2 = store_view_tko weak %r, %vy[%i, %j] : tile<4x64xbf16>, !wide_tile, tile<i32> -> token
    return
  }
}
