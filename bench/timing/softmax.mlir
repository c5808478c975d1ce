// The row softmax of examples/softmax.mlir with the promises that Triton's kernel beside it has: arrays and rows are aligned to 16 bytes.

cuda_tile.module @kernels {
  entry @softmax(%x0: tile<ptr<f32>>, %y0: tile<ptr<f32>>, %m: tile<i32>, %n0: tile<i32>) {
    %x = assume div_by<16>, %x0 : tile<ptr<f32>>
    %y = assume div_by<16>, %y0 : tile<ptr<f32>>
    %n = assume div_by<16>, %n0 : tile<i32>
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
