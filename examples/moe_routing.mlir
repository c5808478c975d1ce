// Mixture of experts: which two experts each token goes to, and where its copies lie once all are sorted by expert.
//
// @route: softmax over the experts of a token, the two largest with their weights (which then add up to 1), and how many
// tokens each expert gets, counted by atomics. The largest is found by a reduction of (value, index) pairs; the lower index
// wins among equals, so the result does not depend on the order in which the reduction combines.
//
//   tileiras-run examples/moe_routing.mlir --entry=route --grid=7 --gpu-name=sm_90 --check --tolerance=rel:1e-5,abs:1e-6 \
//       'logits:f32[50x12]=normal(seed=1,std=2)' 'out:expert:i32[50x2]=poison' 'out:weight:f32[50x2]=poison' \
//       'out:count:i32[12]=zeros' i32=50 i32=12
//
// @place: positions of the (token, choice) pairs in the list sorted by expert, in one tile block. Whether pair p goes to expert e is a
// 128 x 16 tile of zeros and ones; a running sum along the pairs says how many came before, one along the experts where each
// expert's part begins.
//
//   tileiras-run examples/moe_routing.mlir --entry=place --gpu-name=sm_90 --check \
//       'expert:i32[100]=random(seed=2,lo=0,hi=11)' 'out:sorted:i32[100]=poison' 'out:start:i32[16]=poison' i32=100

!logits = !cuda_tile.tensor_view<?x?xf32, strides=[?,1]>
!logits_tile = !cuda_tile.partition_view<tile=(8x16), padding_value = neg_inf, !logits>
!list = !cuda_tile.tensor_view<?xi32, strides=[1]>
!list_tile = !cuda_tile.partition_view<tile=(128), padding_value = zero, !list>
!starts = !cuda_tile.tensor_view<16xi32, strides=[1]>
!starts_tile = !cuda_tile.partition_view<tile=(16), !starts>

cuda_tile.module @kernels {
  entry @route(%logits: tile<ptr<f32>>, %expert: tile<ptr<i32>>, %weight: tile<ptr<f32>>, %count: tile<ptr<i32>>, %tokens: tile<i32>, %experts: tile<i32>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %tl = make_tensor_view %logits, shape = [%tokens, %experts], strides = [%experts, 1] : tile<i32> -> !logits
    %vl = make_partition_view %tl : !logits_tile
    %x, %t0 = load_view_tko weak %vl[%block, %c0] : !logits_tile, tile<i32> -> tile<8x16xf32>, token

    // Experts that are not there have logits of -inf and probabilities of 0.
    %top = reduce %x dim=1 identities=[0xFF800000 : f32] : tile<8x16xf32> -> tile<8xf32>
    (%a: tile<f32>, %b: tile<f32>) {
      %m = maxf %a, %b : tile<f32>
      yield %m : tile<f32>
    }
    %top2 = reshape %top : tile<8xf32> -> tile<8x1xf32>
    %tops = broadcast %top2 : tile<8x1xf32> -> tile<8x16xf32>
    %below = subf %x, %tops : tile<8x16xf32>
    %p = exp %below : tile<8x16xf32>

    %lane = iota : tile<16xi32>
    %lane2 = reshape %lane : tile<16xi32> -> tile<1x16xi32>
    %index = broadcast %lane2 : tile<1x16xi32> -> tile<8x16xi32>
    %p0, %e0 = reduce %p, %index dim=1 identities=[-1.0 : f32, 16 : i32] : tile<8x16xf32>, tile<8x16xi32> -> tile<8xf32>, tile<8xi32>
    (%a: tile<f32>, %b: tile<f32>, %i: tile<i32>, %j: tile<i32>) {
      %more = cmpf greater_than ordered %a, %b : tile<f32> -> tile<i1>
      %same = cmpf equal ordered %a, %b : tile<f32> -> tile<i1>
      %lower = cmpi less_than %i, %j, signed : tile<i32> -> tile<i1>
      %tie = andi %same, %lower : tile<i1>
      %first = ori %more, %tie : tile<i1>
      %v = select %first, %a, %b : tile<i1>, tile<f32>
      %k = select %first, %i, %j : tile<i1>, tile<i32>
      yield %v, %k : tile<f32>, tile<i32>
    }
    // The same again without the winner.
    %e0_2 = reshape %e0 : tile<8xi32> -> tile<8x1xi32>
    %e0s = broadcast %e0_2 : tile<8x1xi32> -> tile<8x16xi32>
    %won = cmpi equal %index, %e0s, signed : tile<8x16xi32> -> tile<8x16xi1>
    %out = constant <f32: -1.0> : tile<8x16xf32>
    %rest = select %won, %out, %p : tile<8x16xi1>, tile<8x16xf32>
    %p1, %e1 = reduce %rest, %index dim=1 identities=[-1.0 : f32, 16 : i32] : tile<8x16xf32>, tile<8x16xi32> -> tile<8xf32>, tile<8xi32>
    (%a: tile<f32>, %b: tile<f32>, %i: tile<i32>, %j: tile<i32>) {
      %more = cmpf greater_than ordered %a, %b : tile<f32> -> tile<i1>
      %same = cmpf equal ordered %a, %b : tile<f32> -> tile<i1>
      %lower = cmpi less_than %i, %j, signed : tile<i32> -> tile<i1>
      %tie = andi %same, %lower : tile<i1>
      %first = ori %more, %tie : tile<i1>
      %v = select %first, %a, %b : tile<i1>, tile<f32>
      %k = select %first, %i, %j : tile<i1>, tile<i32>
      yield %v, %k : tile<f32>, tile<i32>
    }
    %both = addf %p0, %p1 : tile<8xf32>
    %w0 = divf %p0, %both : tile<8xf32>
    %w1 = divf %p1, %both : tile<8xf32>

    // Tokens of this tile block, and which of them exist.
    %first = muli %block, %c8 : tile<i32>
    %first1 = reshape %first : tile<i32> -> tile<1xi32>
    %firsts = broadcast %first1 : tile<1xi32> -> tile<8xi32>
    %eight = iota : tile<8xi32>
    %token = addi %firsts, %eight : tile<8xi32>
    %tokens1 = reshape %tokens : tile<i32> -> tile<1xi32>
    %tokens8 = broadcast %tokens1 : tile<1xi32> -> tile<8xi32>
    %exists = cmpi less_than %token, %tokens8, signed : tile<8xi32> -> tile<8xi1>
    %even = addi %token, %token : tile<8xi32>
    %one = constant <i32: 1> : tile<8xi32>
    %odd = addi %even, %one : tile<8xi32>

    %pe = reshape %expert : tile<ptr<i32>> -> tile<1xptr<i32>>
    %pes = broadcast %pe : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %pe0 = offset %pes, %even : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %pe1 = offset %pes, %odd : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %t1 = store_ptr_tko weak %pe0, %e0, %exists : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> token
    %t2 = store_ptr_tko weak %pe1, %e1, %exists : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> token
    %pw = reshape %weight : tile<ptr<f32>> -> tile<1xptr<f32>>
    %pws = broadcast %pw : tile<1xptr<f32>> -> tile<8xptr<f32>>
    %pw0 = offset %pws, %even : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
    %pw1 = offset %pws, %odd : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
    %t3 = store_ptr_tko weak %pw0, %w0, %exists : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> token
    %t4 = store_ptr_tko weak %pw1, %w1, %exists : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> token

    %pc = reshape %count : tile<ptr<i32>> -> tile<1xptr<i32>>
    %pcs = broadcast %pc : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %pc0 = offset %pcs, %e0 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %pc1 = offset %pcs, %e1 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %old0, %t5 = atomic_rmw_tko relaxed device %pc0, add, %one, %exists : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> tile<8xi32>, token
    %old1, %t6 = atomic_rmw_tko relaxed device %pc1, add, %one, %exists : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> tile<8xi32>, token
    return
  }

  entry @place(%expert: tile<ptr<i32>>, %sorted: tile<ptr<i32>>, %start: tile<ptr<i32>>, %pairs: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %te = make_tensor_view %expert, shape = [%pairs], strides = [1] : tile<i32> -> !list
    %ve = make_partition_view %te : !list_tile
    %e, %t0 = load_view_tko weak %ve[%c0] : !list_tile, tile<i32> -> tile<128xi32>, token

    %pair = iota : tile<128xi32>
    %pairs1 = reshape %pairs : tile<i32> -> tile<1xi32>
    %pairs128 = broadcast %pairs1 : tile<1xi32> -> tile<128xi32>
    %exists = cmpi less_than %pair, %pairs128, signed : tile<128xi32> -> tile<128xi1>
    %exists2 = reshape %exists : tile<128xi1> -> tile<128x1xi1>
    %existing = broadcast %exists2 : tile<128x1xi1> -> tile<128x16xi1>

    %e2 = reshape %e : tile<128xi32> -> tile<128x1xi32>
    %es = broadcast %e2 : tile<128x1xi32> -> tile<128x16xi32>
    %lane = iota : tile<16xi32>
    %lane2 = reshape %lane : tile<16xi32> -> tile<1x16xi32>
    %lanes = broadcast %lane2 : tile<1x16xi32> -> tile<128x16xi32>
    %same = cmpi equal %es, %lanes, signed : tile<128x16xi32> -> tile<128x16xi1>
    %goes = andi %same, %existing : tile<128x16xi1>
    %ones = exti %goes unsigned : tile<128x16xi1> -> tile<128x16xi32>

    %upto = scan %ones dim=0 reverse=false identities=[0 : i32] : tile<128x16xi32> -> tile<128x16xi32>
    (%a: tile<i32>, %b: tile<i32>) {
      %s = addi %a, %b : tile<i32>
      yield %s : tile<i32>
    }
    %before = subi %upto, %ones : tile<128x16xi32>
    %counts = reduce %ones dim=0 identities=[0 : i32] : tile<128x16xi32> -> tile<16xi32>
    (%a: tile<i32>, %b: tile<i32>) {
      %s = addi %a, %b : tile<i32>
      yield %s : tile<i32>
    }
    %ends = scan %counts dim=0 reverse=false identities=[0 : i32] : tile<16xi32> -> tile<16xi32>
    (%a: tile<i32>, %b: tile<i32>) {
      %s = addi %a, %b : tile<i32>
      yield %s : tile<i32>
    }
    %begins = subi %ends, %counts : tile<16xi32>
    %begins2 = reshape %begins : tile<16xi32> -> tile<1x16xi32>
    %begin = broadcast %begins2 : tile<1x16xi32> -> tile<128x16xi32>
    %there = addi %before, %begin : tile<128x16xi32>
    %nowhere = constant <i32: 0> : tile<128x16xi32>
    %only = select %goes, %there, %nowhere : tile<128x16xi1>, tile<128x16xi32>
    %place = reduce %only dim=1 identities=[0 : i32] : tile<128x16xi32> -> tile<128xi32>
    (%a: tile<i32>, %b: tile<i32>) {
      %s = addi %a, %b : tile<i32>
      yield %s : tile<i32>
    }

    %ps = reshape %sorted : tile<ptr<i32>> -> tile<1xptr<i32>>
    %pss = broadcast %ps : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %to = offset %pss, %place : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %t1 = store_ptr_tko weak %to, %pair, %exists : tile<128xptr<i32>>, tile<128xi32>, tile<128xi1> -> token
    %ts = make_tensor_view %start, shape = [16], strides = [1] : !starts
    %vs = make_partition_view %ts : !starts_tile
    %t2 = store_view_tko weak %begins, %vs[%c0] : tile<16xi32>, !starts_tile, tile<i32> -> token
    return
  }
}
