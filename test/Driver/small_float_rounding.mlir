// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-run %s --grid=64 --engine=reference,emulator --check --gpu-name=sm_80 --tolerance=exact out:a:i8[131072]=zeros out:b:i8[131072]=zeros out:c:f32[131072]=zeros
// RUN: tileiras-run %s --grid=64 --engine=reference,emulator --check --gpu-name=sm_89 --tolerance=exact out:a:i8[131072]=zeros out:b:i8[131072]=zeros out:c:f32[131072]=zeros

// Every sign, exponent and leading 8 bits of an f32 below them, with the bits behind zero, one, or something else: all
// halves between numbers of 8 and 4 bits, what lies just beside them, subnormals, infinities and NaNs, by integer
// operations where the target has no instruction. NaNs of e5m2, which has several, are stored as one.

cuda_tile.module @m {
  entry @k(%pa: tile<ptr<i8>>, %pb: tile<ptr<i8>>, %pc: tile<ptr<f32>>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %n = constant <i32: 2048> : tile<i32>
    %first = muli %block, %n : tile<i32>
    %r = reshape %first : tile<i32> -> tile<1xi32>
    %base = broadcast %r : tile<1xi32> -> tile<2048xi32>
    %lane = iota : tile<2048xi32>
    %i = addi %base, %lane : tile<2048xi32>
    %fifteen = constant <i32: 15> : tile<2048xi32>
    %high = shli %i, %fifteen : tile<2048xi32>
    %three = constant <i32: 3> : tile<2048xi32>
    %zero = constant <i32: 0> : tile<2048xi32>
    %one = constant <i32: 1> : tile<2048xi32>
    %other = constant <i32: 19088> : tile<2048xi32>
    %m = remi %i, %three unsigned : tile<2048xi32>
    %isone = cmpi equal %m, %one, signed : tile<2048xi32> -> tile<2048xi1>
    %iszero = cmpi equal %m, %zero, signed : tile<2048xi32> -> tile<2048xi1>
    %t = select %isone, %one, %other : tile<2048xi1>, tile<2048xi32>
    %low = select %iszero, %zero, %t : tile<2048xi1>, tile<2048xi32>
    %bits = ori %high, %low : tile<2048xi32>
    %x = bitcast %bits : tile<2048xi32> -> tile<2048xf32>
    %f = ftof %x : tile<2048xf32> -> tile<2048xf8E4M3FN>
    %a = bitcast %f : tile<2048xf8E4M3FN> -> tile<2048xi8>
    %g = ftof %x : tile<2048xf32> -> tile<2048xf8E5M2>
    %b0 = bitcast %g : tile<2048xf8E5M2> -> tile<2048xi8>
    %bf = ftof %g : tile<2048xf8E5M2> -> tile<2048xf32>
    %bnumber = cmpf equal ordered %bf, %bf : tile<2048xf32> -> tile<2048xi1>
    %minus = constant <i8: -1> : tile<2048xi8>
    %b = select %bnumber, %b0, %minus : tile<2048xi1>, tile<2048xi8>
    %h = ftof %x : tile<2048xf32> -> tile<2048xf4E2M1FN>
    %c = ftof %h : tile<2048xf4E2M1FN> -> tile<2048xf32>
    %ra = reshape %pa : tile<ptr<i8>> -> tile<1xptr<i8>>
    %ba = broadcast %ra : tile<1xptr<i8>> -> tile<2048xptr<i8>>
    %qa = offset %ba, %i : tile<2048xptr<i8>>, tile<2048xi32> -> tile<2048xptr<i8>>
    %ta = store_ptr_tko weak %qa, %a : tile<2048xptr<i8>>, tile<2048xi8> -> token
    %rb = reshape %pb : tile<ptr<i8>> -> tile<1xptr<i8>>
    %bb = broadcast %rb : tile<1xptr<i8>> -> tile<2048xptr<i8>>
    %qb = offset %bb, %i : tile<2048xptr<i8>>, tile<2048xi32> -> tile<2048xptr<i8>>
    %tb = store_ptr_tko weak %qb, %b : tile<2048xptr<i8>>, tile<2048xi8> -> token
    %rc = reshape %pc : tile<ptr<f32>> -> tile<1xptr<f32>>
    %bc = broadcast %rc : tile<1xptr<f32>> -> tile<2048xptr<f32>>
    %qc = offset %bc, %i : tile<2048xptr<f32>>, tile<2048xi32> -> tile<2048xptr<f32>>
    %tc = store_ptr_tko weak %qc, %c : tile<2048xptr<f32>>, tile<2048xf32> -> token
    return
  }
}
