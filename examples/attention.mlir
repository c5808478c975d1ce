// Causal attention with a running softmax: out = softmax(scale * q k^T, key <= query) v, tile by tile of 32 keys.
// Heads are grouped: %share heads of queries read the same head of keys and values. One tile block does 32 queries of one head.
// Three things are carried from one tile of keys to the next: the sum of weighted values, the sum of weights, and the largest
// logit so far, relative to which the weights are; when a larger one comes both sums are scaled down. exp2 is cheaper than
// exp, so the scale has a factor of log2(e) in it: 1/sqrt(64) * 1.4427.
// Keys are loaded transposed (dim_map), which costs nothing; `latency` tells the scheduler how early to load.
//
//   tileiras-run examples/attention.mlir --grid=3,4 --gpu-name=sm_90 --check --tolerance=rel:5e-3,abs:1e-3 \
//       'q:f16[4x80x64]=random(seed=1)' 'k:f16[2x80x64]=random(seed=2)' 'v:f16[2x80x64]=random(seed=3)' \
//       'out:o:f16[4x80x64]=poison' i32=4 i32=2 i32=80 i32=2 f32=0.18033688

!heads = !cuda_tile.tensor_view<?x?x64xf16, strides=[?,64,1]>
!queries = !cuda_tile.partition_view<tile=(1x32x64), padding_value = zero, !heads>
!keys = !cuda_tile.partition_view<tile=(1x64x32), padding_value = zero, !heads, dim_map=[0, 2, 1]>
!values = !cuda_tile.partition_view<tile=(1x32x64), padding_value = zero, !heads>

cuda_tile.module @kernels {
  entry @attention(%q: tile<ptr<f16>>, %k: tile<ptr<f16>>, %v: tile<ptr<f16>>, %o: tile<ptr<f16>>,
                   %query_heads: tile<i32>, %key_heads: tile<i32>, %length: tile<i32>, %share: tile<i32>, %scale: tile<f32>)
      optimization_hints=<default = {occupancy = 2}> {
    %block, %head, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c31 = constant <i32: 31> : tile<i32>
    %c32 = constant <i32: 32> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %stride = muli %length, %c64 : tile<i32>

    %tq = make_tensor_view %q, shape = [%query_heads, %length, 64], strides = [%stride, 64, 1] : tile<i32> -> !heads
    %tk = make_tensor_view %k, shape = [%key_heads, %length, 64], strides = [%stride, 64, 1] : tile<i32> -> !heads
    %tv = make_tensor_view %v, shape = [%key_heads, %length, 64], strides = [%stride, 64, 1] : tile<i32> -> !heads
    %to = make_tensor_view %o, shape = [%query_heads, %length, 64], strides = [%stride, 64, 1] : tile<i32> -> !heads
    %vq = make_partition_view %tq : !queries
    %vk = make_partition_view %tk : !keys
    %vv = make_partition_view %tv : !values
    %vo = make_partition_view %to : !queries

    %q3, %q_token = load_view_tko weak %vq[%head, %block, %c0] : !queries, tile<i32> -> tile<1x32x64xf16>, token
    %q2 = reshape %q3 : tile<1x32x64xf16> -> tile<32x64xf16>
    %key_head = divi %head, %share signed : tile<i32>

    // Positions of the queries, as a column; of the keys of a tile, as a row.
    %lane = iota : tile<32xi32>
    %first = muli %block, %c32 : tile<i32>
    %first1 = reshape %first : tile<i32> -> tile<1xi32>
    %firsts = broadcast %first1 : tile<1xi32> -> tile<32xi32>
    %rows1 = addi %firsts, %lane : tile<32xi32>
    %rows2 = reshape %rows1 : tile<32xi32> -> tile<32x1xi32>
    %rows = broadcast %rows2 : tile<32x1xi32> -> tile<32x32xi32>
    %lanes = reshape %lane : tile<32xi32> -> tile<1x32xi32>

    %scale1 = reshape %scale : tile<f32> -> tile<1x1xf32>
    %scales = broadcast %scale1 : tile<1x1xf32> -> tile<32x32xf32>
    %zeros = constant <f32: 0.0> : tile<32x32xf32>
    %hidden = constant <f32: 0xFF800000> : tile<32x32xf32>
    %no_sum = constant <f32: 0.0> : tile<32x64xf32>
    %no_weight = constant <f32: 0.0> : tile<32x1xf32>
    // Not -inf: a row that has seen no key yet must not subtract infinities.
    %no_top = constant <f32: -1.0e+30> : tile<32x1xf32>

    // Keys up to the last query of this tile.
    %end = addi %block, %c1 : tile<i32>
    %sum, %weight, %top = for %i in (%c0 to %end, step %c1) : tile<i32>
        iter_values(%sum0 = %no_sum, %weight0 = %no_weight, %top0 = %no_top) -> (tile<32x64xf32>, tile<32x1xf32>, tile<32x1xf32>) {
      %k3, %k_token = load_view_tko weak %vk[%key_head, %c0, %i] optimization_hints = <default = {latency = 2}> : !keys, tile<i32> -> tile<1x64x32xf16>, token
      %k2 = reshape %k3 : tile<1x64x32xf16> -> tile<64x32xf16>
      %qk = mmaf %q2, %k2, %zeros : tile<32x64xf16>, tile<64x32xf16>, tile<32x32xf32>
      %logits = mulf %qk, %scales : tile<32x32xf32>

      %key0 = muli %i, %c32 : tile<i32>
      %key1 = reshape %key0 : tile<i32> -> tile<1x1xi32>
      %key2 = broadcast %key1 : tile<1x1xi32> -> tile<1x32xi32>
      %key3 = addi %key2, %lanes : tile<1x32xi32>
      %keys = broadcast %key3 : tile<1x32xi32> -> tile<32x32xi32>
      %visible = cmpi less_than_or_equal %keys, %rows, signed : tile<32x32xi32> -> tile<32x32xi1>
      %masked = select %visible, %logits, %hidden : tile<32x32xi1>, tile<32x32xf32>

      %row_top = reduce %masked dim=1 identities=[0xFF800000 : f32] : tile<32x32xf32> -> tile<32xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %m = maxf %a, %b : tile<f32>
        yield %m : tile<f32>
      }
      %row_top1 = reshape %row_top : tile<32xf32> -> tile<32x1xf32>
      %top1 = maxf %top0, %row_top1 : tile<32x1xf32>
      %tops = broadcast %top1 : tile<32x1xf32> -> tile<32x32xf32>
      %below = subf %masked, %tops : tile<32x32xf32>
      %p = exp2 %below flush_to_zero : tile<32x32xf32>
      %row_weight = reduce %p dim=1 identities=[0.0 : f32] : tile<32x32xf32> -> tile<32xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %s = addf %a, %b : tile<f32>
        yield %s : tile<f32>
      }
      %row_weight1 = reshape %row_weight : tile<32xf32> -> tile<32x1xf32>

      %drop = subf %top0, %top1 : tile<32x1xf32>
      %alpha = exp2 %drop flush_to_zero : tile<32x1xf32>
      %weight1 = fma %weight0, %alpha, %row_weight1 : tile<32x1xf32>
      %alphas = broadcast %alpha : tile<32x1xf32> -> tile<32x64xf32>
      %scaled = mulf %sum0, %alphas : tile<32x64xf32>
      %v3, %v_token = load_view_tko weak %vv[%key_head, %i, %c0] optimization_hints = <default = {latency = 4}> : !values, tile<i32> -> tile<1x32x64xf16>, token
      %v2 = reshape %v3 : tile<1x32x64xf16> -> tile<32x64xf16>
      %ph = ftof %p : tile<32x32xf32> -> tile<32x32xf16>
      %sum1 = mmaf %ph, %v2, %scaled : tile<32x32xf16>, tile<32x64xf16>, tile<32x64xf32>
      continue %sum1, %weight1, %top1 : tile<32x64xf32>, tile<32x1xf32>, tile<32x1xf32>
    }
    %weights = broadcast %weight : tile<32x1xf32> -> tile<32x64xf32>
    %mean = divf %sum, %weights rounding<approx> flush_to_zero : tile<32x64xf32>
    %half = ftof %mean : tile<32x64xf32> -> tile<32x64xf16>
    %result = reshape %half : tile<32x64xf16> -> tile<1x32x64xf16>
    %stored = store_view_tko weak %result, %vo[%head, %block, %c0] : tile<1x32x64xf16>, !queries, tile<i32> -> token
    return
  }
}
