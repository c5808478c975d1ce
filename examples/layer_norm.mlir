// Layer normalisation of rows that are longer than a tile: y = (x - mean) / sqrt(variance + eps) * w + b.
// One tile block per row. A first loop collects sums and sums of squares element by element, so that the reduction across
// threads happens once and not once per tile; a second one reads the row again and writes the result.
// %n need not be a multiple of the tile: beyond the row zeros are read and nothing is written.
// The promises (`assume`) let loads and stores move 16 bytes at a time; without them they move one element.
//
//   tileiras-run examples/layer_norm.mlir --grid=5 --gpu-name=sm_100 --check --tolerance=rel:1.6e-2,abs:4e-3 \
//       'x:bf16[5x1040]=normal(seed=1,mean=1,std=2)' 'w:f32[1040]=random(seed=2)' 'b:f32[1040]=random(seed=3)' \
//       'out:y:bf16[5x1040]=poison' i32=5 i32=1040 f32=1e-5

!matrix = !cuda_tile.tensor_view<?x?xbf16, strides=[?,1]>
!row = !cuda_tile.partition_view<tile=(1x512), padding_value = zero, !matrix>
!vector = !cuda_tile.tensor_view<?xf32, strides=[1]>
!part = !cuda_tile.partition_view<tile=(512), padding_value = zero, !vector>

cuda_tile.module @kernels {
  entry @layer_norm(%x_: tile<ptr<bf16>>, %w_: tile<ptr<f32>>, %b_: tile<ptr<f32>>, %y_: tile<ptr<bf16>>, %m: tile<i32>, %n_: tile<i32>,
                    %eps: tile<f32>) {
    %x = assume div_by<16>, %x_ : tile<ptr<bf16>>
    %w = assume div_by<16>, %w_ : tile<ptr<f32>>
    %b = assume div_by<16>, %b_ : tile<ptr<f32>>
    %y = assume div_by<16>, %y_ : tile<ptr<bf16>>
    %n0 = assume bounded<0, ?>, %n_ : tile<i32>
    %n = assume div_by<16>, %n0 : tile<i32>

    %tx = make_tensor_view %x, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %ty = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %tw = make_tensor_view %w, shape = [%n], strides = [1] : tile<i32> -> !vector
    %tb = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !vector
    %vx = make_partition_view %tx : !row
    %vy = make_partition_view %ty : !row
    %vw = make_partition_view %tw : !part
    %vb = make_partition_view %tb : !part

    %row, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %rows, %tiles = get_index_space_shape %vx : !row -> tile<i32>
    %zero = constant <f32: 0.0> : tile<1x512xf32>
    %sums, %squares = for %j in (%c0 to %tiles, step %c1) : tile<i32> iter_values(%s = %zero, %q = %zero) -> (tile<1x512xf32>, tile<1x512xf32>) {
      %v, %t = load_view_tko weak %vx[%row, %j] : !row, tile<i32> -> tile<1x512xbf16>, token
      %f = ftof %v : tile<1x512xbf16> -> tile<1x512xf32>
      %s1 = addf %s, %f : tile<1x512xf32>
      %q1 = fma %f, %f, %q : tile<1x512xf32>
      continue %s1, %q1 : tile<1x512xf32>, tile<1x512xf32>
    }
    // Both sums in one reduction.
    %sum, %square = reduce %sums, %squares dim=1 identities=[0.0 : f32, 0.0 : f32] : tile<1x512xf32>, tile<1x512xf32> -> tile<1xf32>, tile<1xf32>
    (%s0: tile<f32>, %s1: tile<f32>, %q0: tile<f32>, %q1: tile<f32>) {
      %s = addf %s0, %s1 : tile<f32>
      %q = addf %q0, %q1 : tile<f32>
      yield %s, %q : tile<f32>, tile<f32>
    }
    %nf0 = itof %n signed : tile<i32> -> tile<f32>
    %nf = reshape %nf0 : tile<f32> -> tile<1xf32>
    %mean = divf %sum, %nf : tile<1xf32>
    %mean_square = divf %square, %nf : tile<1xf32>
    %square_mean = mulf %mean, %mean : tile<1xf32>
    %variance = subf %mean_square, %square_mean : tile<1xf32>
    %eps1 = reshape %eps : tile<f32> -> tile<1xf32>
    %positive = addf %variance, %eps1 : tile<1xf32>
    %rstd = rsqrt %positive : tile<1xf32>
    %mean2 = reshape %mean : tile<1xf32> -> tile<1x1xf32>
    %means = broadcast %mean2 : tile<1x1xf32> -> tile<1x512xf32>
    %rstd2 = reshape %rstd : tile<1xf32> -> tile<1x1xf32>
    %rstds = broadcast %rstd2 : tile<1x1xf32> -> tile<1x512xf32>

    for %j in (%c0 to %tiles, step %c1) : tile<i32> {
      %v, %t0 = load_view_tko weak %vx[%row, %j] : !row, tile<i32> -> tile<1x512xbf16>, token
      %w1, %t1 = load_view_tko weak %vw[%j] : !part, tile<i32> -> tile<512xf32>, token
      %b1, %t2 = load_view_tko weak %vb[%j] : !part, tile<i32> -> tile<512xf32>, token
      %w2 = reshape %w1 : tile<512xf32> -> tile<1x512xf32>
      %b2 = reshape %b1 : tile<512xf32> -> tile<1x512xf32>
      %f = ftof %v : tile<1x512xbf16> -> tile<1x512xf32>
      %d = subf %f, %means : tile<1x512xf32>
      %h = mulf %d, %rstds : tile<1x512xf32>
      %r = fma %h, %w2, %b2 : tile<1x512xf32>
      %g = ftof %r : tile<1x512xf32> -> tile<1x512xbf16>
      %t3 = store_view_tko weak %g, %vy[%row, %j] : tile<1x512xbf16>, !row, tile<i32> -> token
    }
    return
  }
}
