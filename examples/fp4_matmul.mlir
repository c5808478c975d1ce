// c = a b^T where a and b hold f4E2M1FN, two to a byte, with a power of two (f8E8M0FNU) for every 32 neighbours along K.
// Views of 4-bit elements count elements, not bytes. mmaf_scaled multiplies the scales in.
//
//   tileiras-run examples/fp4_matmul.mlir --grid=3,2 --gpu-name=sm_120 --check --tolerance=rel:1e-5,abs:1e-2 \
//       'a:f4E2M1FN[40x128]=bits(seed=1)' 'sa:f8E8M0FNU[40x4]=random(seed=2,lo=0.25,hi=4)' \
//       'b:f4E2M1FN[24x128]=bits(seed=3)' 'sb:f8E8M0FNU[24x4]=random(seed=4,lo=0.25,hi=4)' \
//       'out:c:f32[40x24]=poison' i32=40 i32=24 i32=128 i32=4

!matrix = !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?,1]>
!a_tile = !cuda_tile.partition_view<tile=(16x64), padding_value = zero, !matrix>
!b_tile = !cuda_tile.partition_view<tile=(64x16), padding_value = zero, !matrix, dim_map=[1, 0]>
!scales = !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?,1]>
!sa_tile = !cuda_tile.partition_view<tile=(16x2), !scales>
!sb_tile = !cuda_tile.partition_view<tile=(2x16), !scales, dim_map=[1, 0]>
!result = !cuda_tile.tensor_view<?x?xf32, strides=[?,1]>
!c_tile = !cuda_tile.partition_view<tile=(16x16), !result>

cuda_tile.module @kernels {
  entry @fp4_matmul(%a: tile<ptr<f4E2M1FN>>, %sa: tile<ptr<f8E8M0FNU>>, %b: tile<ptr<f4E2M1FN>>, %sb: tile<ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>,
                    %m: tile<i32>, %n: tile<i32>, %k_: tile<i32>, %groups: tile<i32>) {
    // A row begins at a whole byte, and 16 bytes at a time are 32 elements.
    %k = assume div_by<32>, %k_ : tile<i32>
    %i, %j, %bz = get_tile_block_id : tile<i32>
    %ta = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !matrix
    %tb = make_tensor_view %b, shape = [%n, %k], strides = [%k, 1] : tile<i32> -> !matrix
    %tsa = make_tensor_view %sa, shape = [%m, %groups], strides = [%groups, 1] : tile<i32> -> !scales
    %tsb = make_tensor_view %sb, shape = [%n, %groups], strides = [%groups, 1] : tile<i32> -> !scales
    %tc = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !result
    %va = make_partition_view %ta : !a_tile
    %vb = make_partition_view %tb : !b_tile
    %vsa = make_partition_view %tsa : !sa_tile
    %vsb = make_partition_view %tsb : !sb_tile
    %vc = make_partition_view %tc : !c_tile

    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %rows, %steps = get_index_space_shape %va : !a_tile -> tile<i32>
    %zero = constant <f32: 0.0> : tile<16x16xf32>
    %sum = for %s in (%c0 to %steps, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<16x16xf32>) {
      %x, %t0 = load_view_tko weak %va[%i, %s] : !a_tile, tile<i32> -> tile<16x64xf4E2M1FN>, token
      %y, %t1 = load_view_tko weak %vb[%s, %j] : !b_tile, tile<i32> -> tile<64x16xf4E2M1FN>, token
      %p, %t2 = load_view_tko weak %vsa[%i, %s] : !sa_tile, tile<i32> -> tile<16x2xf8E8M0FNU>, token
      %q, %t3 = load_view_tko weak %vsb[%s, %j] : !sb_tile, tile<i32> -> tile<2x16xf8E8M0FNU>, token
      %next = mmaf_scaled %x, %y, %acc, %p, %q : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
      continue %next : tile<16x16xf32>
    }
    %t4 = store_view_tko weak %sum, %vc[%i, %j] : tile<16x16xf32>, !c_tile, tile<i32> -> token
    return
  }
}
