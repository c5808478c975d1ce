// Row softmax: out[i, :] = exp(x[i, :] - max) / sum, one row per tile block.
// A row of %n elements is read as one tile of 512; what the tile has beyond the row
// reads as -inf and so adds exp(-inf) = 0 to the sum. Nothing beyond it is written.
//
//   tileiras-run examples/softmax.mlir --grid=37 --gpu-name=sm_90 --check --tolerance=rel:1e-5,abs:1e-7 \
//       'x:f32[37x333]=normal(seed=1,std=3)' 'out:y:f32[37x333]=poison' i32=37 i32=333

cuda_tile.module @kernels {
  entry @softmax(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
    %row, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>

    %tx = make_tensor_view %x, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %vx = make_partition_view %tx : partition_view<tile=(1x512), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>
    %ty = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %vy = make_partition_view %ty : partition_view<tile=(1x512), tensor_view<?x?xf32, strides=[?,1]>>

    %v, %t0 = load_view_tko weak %vx[%row, %c0] : partition_view<tile=(1x512), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<1x512xf32>, token
    %max = reduce %v dim=1 identities=[0xFF800000 : f32] : tile<1x512xf32> -> tile<1xf32>
    (%e: tile<f32>, %acc: tile<f32>) {
      %u = maxf %e, %acc : tile<f32>
      yield %u : tile<f32>
    }
    %max1 = reshape %max : tile<1xf32> -> tile<1x1xf32>
    %maxb = broadcast %max1 : tile<1x1xf32> -> tile<1x512xf32>
    %d = subf %v, %maxb : tile<1x512xf32>
    %p = exp %d : tile<1x512xf32>
    %sum = reduce %p dim=1 identities=[0.0 : f32] : tile<1x512xf32> -> tile<1xf32>
    (%e: tile<f32>, %acc: tile<f32>) {
      %u = addf %e, %acc : tile<f32>
      yield %u : tile<f32>
    }
    %sum1 = reshape %sum : tile<1xf32> -> tile<1x1xf32>
    %sumb = broadcast %sum1 : tile<1x1xf32> -> tile<1x512xf32>
    %r = divf %p, %sumb : tile<1x512xf32>
    %t1 = store_view_tko weak %r, %vy[%row, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
