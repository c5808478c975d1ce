// C = A B^T, bf16 in and out, f32 sums, one tile of 128 x 128 per block, K in steps of 64.
!matrix = !cuda_tile.tensor_view<?x?xbf16, strides=[?,1]>
!a = !cuda_tile.partition_view<tile=(128x64), padding_value = zero, !matrix>
!b = !cuda_tile.partition_view<tile=(64x128), padding_value = zero, !matrix, dim_map=[1, 0]>
!c = !cuda_tile.partition_view<tile=(128x128), !matrix>

cuda_tile.module @kernels {
  entry @gemm(%a_: tile<ptr<bf16>>, %b_: tile<ptr<bf16>>, %c_: tile<ptr<bf16>>, %m: tile<i32>, %n_: tile<i32>, %k_: tile<i32>) {
    %a = assume div_by<16>, %a_ : tile<ptr<bf16>>
    %b = assume div_by<16>, %b_ : tile<ptr<bf16>>
    %c = assume div_by<16>, %c_ : tile<ptr<bf16>>
    %n = assume div_by<16>, %n_ : tile<i32>
    %k = assume div_by<16>, %k_ : tile<i32>
    %ta = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !matrix
    %tb = make_tensor_view %b, shape = [%n, %k], strides = [%k, 1] : tile<i32> -> !matrix
    %tc = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %va = make_partition_view %ta : !a
    %vb = make_partition_view %tb : !b
    %vc = make_partition_view %tc : !c
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %rows, %steps = get_index_space_shape %va : !a -> tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %i in (%c0 to %steps, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<128x128xf32>) {
      %l, %t0 = load_view_tko weak %va[%x, %i] optimization_hints = <default = {latency = 3}> : !a, tile<i32> -> tile<128x64xbf16>, token
      %r, %t1 = load_view_tko weak %vb[%i, %y] optimization_hints = <default = {latency = 3}> : !b, tile<i32> -> tile<64x128xbf16>, token
      %s1 = mmaf %l, %r, %s : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %s1 : tile<128x128xf32>
    }
    %h = ftof %sum : tile<128x128xf32> -> tile<128x128xbf16>
    %t2 = store_view_tko weak %h, %vc[%x, %y] : tile<128x128xbf16>, !c, tile<i32> -> token
    return
  }
}
