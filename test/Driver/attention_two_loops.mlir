// Attention of 256 queries whose last tile of keys has a loop of its own, as front ends write it. Queries are written to shared memory once, for both loops, and on
// sm_100 the second loop goes on with the sums that the first one has left in tensor memory. On sm_90, where the sums have no room in registers, two slices of 128
// queries are computed one after the other; views stand in front of them, so that there are tensor maps, and in agents both loops fill and empty the same rings.
//
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o %t.ptx --remarks=product,memory,slice 2>&1 | FileCheck %s --check-prefix=SUMS
// SUMS-DAG: [Analysis] Slices {{.*}}Slices=1
// SUMS-DAG: [Passed] InvariantTile {{.*}}Reason="an operand that several loops read is written once before the first of them"
// SUMS-DAG: [Passed] Sums {{.*}}Columns=256
// SUMS-DAG: [Passed] Sums {{.*}}Columns=256
// SUMS-DAG: [Passed] Warpgroups
// SUMS-NOT: [Missed] Warpgroups
// RUN: tileiras-opt %s --tileir="compute-capability=sm_100 opt-level=2 pipeline-strategy=auto dynamic-shared=true" --mlir-print-ir-after=tileas-place-sums -o %t.o.mlir 2> %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=PLACE
// PLACE: %[[O:.*]] = nv_tileas.alloc_tensor : tensor<256x128xf32, #nv_tileas.tensor_memory
// PLACE-NEXT: nv_tileas.copy {{.*}}, %[[O]]
// PLACE: scf.for
// PLACE: nv_tileas.dot {{.*}}, %[[O]]
// PLACE: scf.yield
// PLACE-NOT: convert_layout %[[O]]
// PLACE: scf.for
// PLACE: nv_tileas.dot {{.*}}, %[[O]]
// PLACE: scf.yield
// PLACE: convert_layout %[[O]]
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o %t.90.ptx --remarks=schedule,memory,slice 2>&1 | FileCheck %s --check-prefix=SLICES
// SLICES-DAG: [Passed] Slices {{.*}}Slices=2
// SLICES-DAG: [Passed] InvariantTile {{.*}}Reason="an operand that several loops read is written once before the first of them"
// SLICES-DAG: [Passed] Agents
// SLICES-DAG: [Passed] Tma
// Keys and values have two stages each, of one ring for both loops, with two mbarriers.
// RUN: grep -c mbarrier.init %t.90.ptx | FileCheck %s --check-prefix=BARRIERS
// BARRIERS: {{^8$}}
// RUN: tileiras-run %s --gpu-name=sm_100 --check --tolerance=rel:5e-3,abs:1e-4 'q:f16[256x128]=random(seed=41)' 'k:f16[404x128]=random(seed=42)' 'v:f16[404x128]=random(seed=43,lo=0.5,hi=2)' 'out:o:f32[256x128]=poison' i32=256 i32=404 i32=128
// RUN: tileiras-run %s --gpu-name=sm_90 --check --tolerance=rel:5e-3,abs:1e-4 'q:f16[256x128]=random(seed=41)' 'k:f16[404x128]=random(seed=42)' 'v:f16[404x128]=random(seed=43,lo=0.5,hi=2)' 'out:o:f32[256x128]=poison' i32=256 i32=404 i32=128

cuda_tile.module @kernels {
  entry @attention(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %po: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %d: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %q_p = assume div_by<16>, %pq : tile<ptr<f16>>
    %q_n = assume div_by<16>, %d : tile<i32>
    %q_s = assume div_by<16>, %d : tile<i32>
    %q_t = make_tensor_view %q_p, shape = [%m, %q_n], strides = [%q_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %q = make_partition_view %q_t : partition_view<tile=(256x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %k_p = assume div_by<16>, %pk : tile<ptr<f16>>
    %k_n = assume div_by<16>, %d : tile<i32>
    %k_s = assume div_by<16>, %d : tile<i32>
    %k_t = make_tensor_view %k_p, shape = [%n, %k_n], strides = [%k_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %k = make_partition_view %k_t : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %v_p = assume div_by<16>, %pv : tile<ptr<f16>>
    %v_n = assume div_by<16>, %d : tile<i32>
    %v_s = assume div_by<16>, %d : tile<i32>
    %v_t = make_tensor_view %v_p, shape = [%n, %v_n], strides = [%v_s, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %v = make_partition_view %v_t : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<f32>>
    %o_n = assume div_by<16>, %d : tile<i32>
    %o_s = assume div_by<16>, %d : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(256x128), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %x, %tx = load_view_tko weak %q[%bx, %c0] : partition_view<tile=(256x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<256x128xf16>, token
    %zs = constant <f32: 0.0> : tile<256x128xf32>
    %zo = constant <f32: 0.0> : tile<256x128xf32>
    %zr = constant <f32: 0.0> : tile<256xf32>
    %low = constant <f32: -1.0e+30> : tile<256xf32>
    %lows = constant <f32: -1.0e+30> : tile<256x128xf32>
    %c = constant <f32: 0.3> : tile<256x128xf32>
    %ks:2 = get_index_space_shape %k : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
    %size = constant <i32: 128> : tile<i32>
    %iota = iota : tile<128xi32>
    %whole = divi %n, %size signed rounding<zero> : tile<i32>
    %acc0, %max0, %sum0 = for %i in (%c0 to %whole, step %c1) : tile<i32> iter_values(%o0 = %zo, %m0 = %low, %l0 = %zr) -> (tile<256x128xf32>, tile<256xf32>, tile<256xf32>) {
      %y, %ty = load_view_tko weak %k[%i, %c0] : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x128xf16>, token
      %yt = permute %y [1, 0] : tile<128x128xf16> -> tile<128x128xf16>
      %s = mmaf %x, %yt, %zs : tile<256x128xf16>, tile<128x128xf16>, tile<256x128xf32>
      %sc = mulf %s, %c : tile<256x128xf32>
      %first = muli %i, %size : tile<i32>
      %left = subi %n, %first : tile<i32>
      %leftr = reshape %left : tile<i32> -> tile<1xi32>
      %leftb = broadcast %leftr : tile<1xi32> -> tile<128xi32>
      %in = cmpi less_than %iota, %leftb, signed : tile<128xi32> -> tile<128xi1>
      %inr = reshape %in : tile<128xi1> -> tile<1x128xi1>
      %inb = broadcast %inr : tile<1x128xi1> -> tile<256x128xi1>
      %rowmax = reduce %sc dim=1 identities=[-1.0e+30 : f32] : tile<256x128xf32> -> tile<256xf32>
      (%e: tile<f32>, %w: tile<f32>) {
        %u = maxf %e, %w : tile<f32>
        yield %u : tile<f32>
      }
      %m1 = maxf %m0, %rowmax : tile<256xf32>
      %m1r = reshape %m1 : tile<256xf32> -> tile<256x1xf32>
      %m1b = broadcast %m1r : tile<256x1xf32> -> tile<256x128xf32>
      %dist = subf %sc, %m1b : tile<256x128xf32>
      %p = exp2 %dist : tile<256x128xf32>
      %rowsum = reduce %p dim=1 identities=[0.0 : f32] : tile<256x128xf32> -> tile<256xf32>
      (%e: tile<f32>, %w: tile<f32>) {
        %u = addf %e, %w : tile<f32>
        yield %u : tile<f32>
      }
      %dm = subf %m0, %m1 : tile<256xf32>
      %alpha = exp2 %dm : tile<256xf32>
      %l1 = mulf %l0, %alpha : tile<256xf32>
      %l2 = addf %l1, %rowsum : tile<256xf32>
      %ar = reshape %alpha : tile<256xf32> -> tile<256x1xf32>
      %ab = broadcast %ar : tile<256x1xf32> -> tile<256x128xf32>
      %o1 = mulf %o0, %ab : tile<256x128xf32>
      %ph = ftof %p : tile<256x128xf32> -> tile<256x128xf16>
      %z, %tz = load_view_tko weak %v[%i, %c0] : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x128xf16>, token
      %o2 = mmaf %ph, %z, %o1 : tile<256x128xf16>, tile<128x128xf16>, tile<256x128xf32>
      continue %o2, %m1, %l2 : tile<256x128xf32>, tile<256xf32>, tile<256xf32>
    }
    %acc, %max, %sum = for %i in (%whole to %ks#0, step %c1) : tile<i32> iter_values(%o0 = %acc0, %m0 = %max0, %l0 = %sum0) -> (tile<256x128xf32>, tile<256xf32>, tile<256xf32>) {
      %y, %ty = load_view_tko weak %k[%i, %c0] : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x128xf16>, token
      %yt = permute %y [1, 0] : tile<128x128xf16> -> tile<128x128xf16>
      %s = mmaf %x, %yt, %zs : tile<256x128xf16>, tile<128x128xf16>, tile<256x128xf32>
      %sc = mulf %s, %c : tile<256x128xf32>
      %first = muli %i, %size : tile<i32>
      %left = subi %n, %first : tile<i32>
      %leftr = reshape %left : tile<i32> -> tile<1xi32>
      %leftb = broadcast %leftr : tile<1xi32> -> tile<128xi32>
      %in = cmpi less_than %iota, %leftb, signed : tile<128xi32> -> tile<128xi1>
      %inr = reshape %in : tile<128xi1> -> tile<1x128xi1>
      %inb = broadcast %inr : tile<1x128xi1> -> tile<256x128xi1>
      %sm = select %inb, %sc, %lows : tile<256x128xi1>, tile<256x128xf32>
      %rowmax = reduce %sm dim=1 identities=[-1.0e+30 : f32] : tile<256x128xf32> -> tile<256xf32>
      (%e: tile<f32>, %w: tile<f32>) {
        %u = maxf %e, %w : tile<f32>
        yield %u : tile<f32>
      }
      %m1 = maxf %m0, %rowmax : tile<256xf32>
      %m1r = reshape %m1 : tile<256xf32> -> tile<256x1xf32>
      %m1b = broadcast %m1r : tile<256x1xf32> -> tile<256x128xf32>
      %dist = subf %sm, %m1b : tile<256x128xf32>
      %p = exp2 %dist : tile<256x128xf32>
      %rowsum = reduce %p dim=1 identities=[0.0 : f32] : tile<256x128xf32> -> tile<256xf32>
      (%e: tile<f32>, %w: tile<f32>) {
        %u = addf %e, %w : tile<f32>
        yield %u : tile<f32>
      }
      %dm = subf %m0, %m1 : tile<256xf32>
      %alpha = exp2 %dm : tile<256xf32>
      %l1 = mulf %l0, %alpha : tile<256xf32>
      %l2 = addf %l1, %rowsum : tile<256xf32>
      %ar = reshape %alpha : tile<256xf32> -> tile<256x1xf32>
      %ab = broadcast %ar : tile<256x1xf32> -> tile<256x128xf32>
      %o1 = mulf %o0, %ab : tile<256x128xf32>
      %ph = ftof %p : tile<256x128xf32> -> tile<256x128xf16>
      %z, %tz = load_view_tko weak %v[%i, %c0] : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x128xf16>, token
      %o2 = mmaf %ph, %z, %o1 : tile<256x128xf16>, tile<128x128xf16>, tile<256x128xf32>
      continue %o2, %m1, %l2 : tile<256x128xf32>, tile<256xf32>, tile<256xf32>
    }
    %lr = reshape %sum : tile<256xf32> -> tile<256x1xf32>
    %lb = broadcast %lr : tile<256x1xf32> -> tile<256x128xf32>
    %res = divf %acc, %lb : tile<256x128xf32>
    %t2 = store_view_tko weak %res, %o[%bx, %c0] : tile<256x128xf32>, partition_view<tile=(256x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
