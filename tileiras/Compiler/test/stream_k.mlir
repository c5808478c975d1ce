// Stream-K, executed: the 128 steps along k of a product of sixteen tiles, eight each, are divided among five blocks, none of which
// ends with a tile, and what blocks have of a tile they share is added up in memory. Compared with one block for each tile, by the reference.
// RUN: split-file %s %t
// RUN: tileiras-run %t/same.mlir --engine=reference --grid=4,4 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' 'out:c:f32[256x256]=poison' \
// RUN:   --dump=c=%t/c.npy
// RUN: tileiras-run %t/stream_k.mlir --gpu-name=sm_80 --check-races --schedules=3 --grid=5 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t/c.npy,tol=rel:1e-4/abs:1e-3}=zeros'
// RUN: tileiras-run %t/stream_k.mlir --gpu-name=sm_90 --check-races --schedules=3 --grid=5 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t/c.npy,tol=rel:1e-4/abs:1e-3}=zeros'
// RUN: tileiras-run %t/stream_k.mlir --gpu-name=sm_120 --check-races --schedules=3 --grid=5 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t/c.npy,tol=rel:1e-4/abs:1e-3}=zeros'
// What the comparison is for: plain stores, by which the last block of a tile would decide.
// RUN: sed 's/atomic_red_view_tko relaxed device %%cv\[%%i, %%j\], addf, %%sum : tile<64x64xf32>, !cv, tile<i32> -> token/store_view_tko weak %%sum, %%cv[%%i, %%j] : tile<64x64xf32>, !cv, tile<i32> -> token/' \
// RUN:   %t/stream_k.mlir > %t/plain.mlir && not diff -q %t/stream_k.mlir %t/plain.mlir
// RUN: not tileiras-run %t/plain.mlir --gpu-name=sm_80 --check-races --grid=5 'a:f16[256x256]=normal(seed=1)' 'b:f16[256x256]=normal(seed=2)' \
// RUN:   'out:c:f32[256x256]{expect=%t/c.npy,tol=rel:1e-4/abs:1e-3}=zeros'

//--- stream_k.mlir
!am = !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>
!cm = !cuda_tile.tensor_view<256x256xf32, strides=[256,1]>
!av = !cuda_tile.partition_view<tile=(64x32), !am>
!bv = !cuda_tile.partition_view<tile=(32x64), !am>
!cv = !cuda_tile.partition_view<tile=(64x64), !cm>
cuda_tile.module @kernels {
  entry @gemm(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %blocks, %gy, %gz = get_num_tile_blocks : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c4 = constant <i32: 4> : tile<i32>
    %c7 = constant <i32: 7> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %c128 = constant <i32: 128> : tile<i32>
    %am = make_tensor_view %a, shape = [256, 256], strides = [256, 1] : !am
    %bm = make_tensor_view %b, shape = [256, 256], strides = [256, 1] : !am
    %cm = make_tensor_view %c, shape = [256, 256], strides = [256, 1] : !cm
    %av = make_partition_view %am : !av
    %bv = make_partition_view %bm : !bv
    %cv = make_partition_view %cm : !cv
    %z = constant <f32: 0.0> : tile<64x64xf32>
    // The steps of this block, and the tiles they are of.
    %p0 = muli %block, %c128 : tile<i32>
    %begin = divi %p0, %blocks signed : tile<i32>
    %next = addi %block, %c1 : tile<i32>
    %p1 = muli %next, %c128 : tile<i32>
    %end = divi %p1, %blocks signed : tile<i32>
    %first = divi %begin, %c8 signed : tile<i32>
    %up = addi %end, %c7 : tile<i32>
    %last = divi %up, %c8 signed : tile<i32>
    for %t in (%first to %last, step %c1) : tile<i32> {
      %i = divi %t, %c4 signed : tile<i32>
      %j = remi %t, %c4 signed : tile<i32>
      %start = muli %t, %c8 : tile<i32>
      %k0 = subi %begin, %start : tile<i32>
      %k1 = subi %end, %start : tile<i32>
      %from = maxi %k0, %c0 signed : tile<i32>
      %to = mini %k1, %c8 signed : tile<i32>
      %sum = for %k in (%from to %to, step %c1) : tile<i32> iter_values(%acc = %z) -> (tile<64x64xf32>) {
        %x, %t1 = load_view_tko weak %av[%i, %k] : !av, tile<i32> -> tile<64x32xf16>, token
        %y, %t2 = load_view_tko weak %bv[%k, %j] : !bv, tile<i32> -> tile<32x64xf16>, token
        %d = mmaf %x, %y, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
        continue %d : tile<64x64xf32>
      }
      %t3 = atomic_red_view_tko relaxed device %cv[%i, %j], addf, %sum : tile<64x64xf32>, !cv, tile<i32> -> token
      continue
    }
    return
  }
}

//--- same.mlir
!am = !cuda_tile.tensor_view<256x256xf16, strides=[256,1]>
!cm = !cuda_tile.tensor_view<256x256xf32, strides=[256,1]>
!av = !cuda_tile.partition_view<tile=(64x32), !am>
!bv = !cuda_tile.partition_view<tile=(32x64), !am>
!cv = !cuda_tile.partition_view<tile=(64x64), !cm>
cuda_tile.module @kernels {
  entry @gemm(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %i, %j, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %am = make_tensor_view %a, shape = [256, 256], strides = [256, 1] : !am
    %bm = make_tensor_view %b, shape = [256, 256], strides = [256, 1] : !am
    %cm = make_tensor_view %c, shape = [256, 256], strides = [256, 1] : !cm
    %av = make_partition_view %am : !av
    %bv = make_partition_view %bm : !bv
    %cv = make_partition_view %cm : !cv
    %z = constant <f32: 0.0> : tile<64x64xf32>
    %sum = for %k in (%c0 to %c8, step %c1) : tile<i32> iter_values(%acc = %z) -> (tile<64x64xf32>) {
      %x, %t1 = load_view_tko weak %av[%i, %k] : !av, tile<i32> -> tile<64x32xf16>, token
      %y, %t2 = load_view_tko weak %bv[%k, %j] : !bv, tile<i32> -> tile<32x64xf16>, token
      %d = mmaf %x, %y, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %t3 = store_view_tko weak %sum, %cv[%i, %j] : tile<64x64xf32>, !cv, tile<i32> -> token
    return
  }
}
