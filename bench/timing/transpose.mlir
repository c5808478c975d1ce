// y = x^T, f32, tiles of 64 x 64.
!matrix = !cuda_tile.tensor_view<?x?xf32, strides=[?,1]>
!part = !cuda_tile.partition_view<tile=(64x64), padding_value = zero, !matrix>

cuda_tile.module @kernels {
  entry @transpose(%x_: tile<ptr<f32>>, %y_: tile<ptr<f32>>, %m_: tile<i32>, %n_: tile<i32>) {
    %x = assume div_by<16>, %x_ : tile<ptr<f32>>
    %y = assume div_by<16>, %y_ : tile<ptr<f32>>
    %m = assume div_by<16>, %m_ : tile<i32>
    %n = assume div_by<16>, %n_ : tile<i32>
    %tx = make_tensor_view %x, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %ty = make_tensor_view %y, shape = [%n, %m], strides = [%m, 1] : tile<i32> -> !matrix
    %vx = make_partition_view %tx : !part
    %vy = make_partition_view %ty : !part
    %i, %j, %k = get_tile_block_id : tile<i32>
    %v, %t0 = load_view_tko weak %vx[%i, %j] : !part, tile<i32> -> tile<64x64xf32>, token
    %w = permute %v [1, 0] : tile<64x64xf32> -> tile<64x64xf32>
    %t1 = store_view_tko weak %w, %vy[%j, %i] : tile<64x64xf32>, !part, tile<i32> -> token
    return
  }
}
