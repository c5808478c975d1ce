// A slice of a tile of which each thread would have to hold many elements to choose is read from
// shared memory; slices of tiles of several shapes and types, executed for every block number, in loops and beyond the tile's
// end by a mask, and compared with the reference. Without the barriers around the writing there is a race (there are no others in the loop).
// RUN: tileiras %s --gpu-name=sm_90 --emit=tileas -o - | FileCheck %s
// RUN: tileiras-run %s --entry=slices --engine=reference,emulator --gpu-name=sm_80 --check --check-races --schedules=4 --grid=64 'a:f32[2048]=normal(seed=1)' 'b:i8[64x64]=integers(lo=-100,hi=100,seed=2)' 'c:f16[32x128]=normal(seed=3)' 'out:o:f32[128]=poison' 'out:p:i8[64x64]=poison' 'out:q:f16[64x16]=poison' 'out:r:i32[64]=poison'
// RUN: tileiras-run %s --entry=slices --engine=reference,emulator --gpu-name=sm_90 --check --check-races --schedules=4 --grid=64 'a:f32[2048]=normal(seed=1)' 'b:i8[64x64]=integers(lo=-100,hi=100,seed=2)' 'c:f16[32x128]=normal(seed=3)' 'out:o:f32[128]=poison' 'out:p:i8[64x64]=poison' 'out:q:f16[64x16]=poison' 'out:r:i32[64]=poison'
// RUN: tileiras-run %s --entry=slices --engine=reference,emulator --gpu-name=sm_100 --check --check-races --schedules=4 --grid=64 'a:f32[2048]=normal(seed=1)' 'b:i8[64x64]=integers(lo=-100,hi=100,seed=2)' 'c:f16[32x128]=normal(seed=3)' 'out:o:f32[128]=poison' 'out:p:i8[64x64]=poison' 'out:q:f16[64x16]=poison' 'out:r:i32[64]=poison'
// RUN: tileiras-run %s --entry=slices --engine=reference,emulator --gpu-name=sm_120 --check --check-races --schedules=4 --grid=64 'a:f32[2048]=normal(seed=1)' 'b:i8[64x64]=integers(lo=-100,hi=100,seed=2)' 'c:f16[32x128]=normal(seed=3)' 'out:o:f32[128]=poison' 'out:p:i8[64x64]=poison' 'out:q:f16[64x16]=poison' 'out:r:i32[64]=poison'
// RUN: tileiras-run %s --entry=slices --engine=reference,emulator --gpu-name=sm_90 --opt-level=0 --check --check-races --grid=64 'a:f32[2048]=normal(seed=1)' 'b:i8[64x64]=integers(lo=-100,hi=100,seed=2)' 'c:f16[32x128]=normal(seed=3)' 'out:o:f32[128]=poison' 'out:p:i8[64x64]=poison' 'out:q:f16[64x16]=poison' 'out:r:i32[64]=poison'
// RUN: tileiras-run %s --entry=loop --engine=reference,emulator --gpu-name=sm_80 --check --check-races --schedules=4 --grid=3 'a:f32[6144]=normal(seed=4)' 'out:o:f32[12]=poison' i32=7
// RUN: tileiras-run %s --entry=loop --engine=reference,emulator --gpu-name=sm_90 --check --check-races --schedules=4 --grid=3 'a:f32[6144]=normal(seed=4)' 'out:o:f32[12]=poison' i32=7
// RUN: tileiras-run %s --entry=loop --engine=reference,emulator --gpu-name=sm_120 --check --check-races --schedules=4 --grid=3 'a:f32[6144]=normal(seed=4)' 'out:o:f32[12]=poison' i32=7
// RUN: tileiras-run %s --entry=known --engine=reference,emulator --gpu-name=sm_90 --check --check-races --schedules=4 --grid=3 'a:f32[2048]=normal(seed=5)' 'out:o:f32[128]=poison'
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o %t.ptx
// RUN: sed 's/bar.sync.*//;s/barrier.sync.*//' %t.ptx > %t.racy.ptx
// RUN: not tileiras-run %t.racy.ptx --entry=loop --check-races --schedules=4 --grid=3 'a:f32[6144]=normal(seed=4)' 'out:o:f32[12]=poison' i32=7 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: race

// CHECK-LABEL: nv_tileaa.func @slices
// CHECK: %[[I:.*]] = arith.andi %{{.*}}, %{{.*}} : i32
// CHECK: %[[T:.*]] = nv_tileas.alloc_tensor {{.*}}: tensor<2048xf32, #shared{{.*}}>
// CHECK: nv_tileas.copy %{{.*}}, %[[T]]
// CHECK: %[[S:.*]] = nv_tileas.extract_slice %[[T]][%[[I]]] : tensor<2048xf32, #shared{{.*}}> -> tensor<2xf32, #shared{{.*}}>
// CHECK: nv_tileas.convert_layout %[[S]]
// CHECK-NOT: nv_tileas.copy
// CHECK: nv_tileas.extract_slice %[[T]][
// CHECK-LABEL: nv_tileaa.func @known
// CHECK: nv_tileas.extract_slice %{{.*}} : tensor<2048xf32, #shared{{.*}}>
// Of 128 or fewer registers one is chosen where they are.
// CHECK-LABEL: nv_tileaa.func @few
// CHECK-NOT: #shared

!T = !cuda_tile.tensor_view<2048xf32, strides=[1]>
!P = !cuda_tile.partition_view<tile=(2048), !T>
!TB = !cuda_tile.tensor_view<64x64xi8, strides=[64, 1]>
!PB = !cuda_tile.partition_view<tile=(64x64), !TB>
!TC = !cuda_tile.tensor_view<32x128xf16, strides=[128, 1]>
!PC = !cuda_tile.partition_view<tile=(32x128), !TC>
!TO = !cuda_tile.tensor_view<128xf32, strides=[1]>
!PO = !cuda_tile.partition_view<tile=(2), !TO>
!PP = !cuda_tile.partition_view<tile=(1x64), !TB>
!TQ = !cuda_tile.tensor_view<64x16xf16, strides=[16, 1]>
!PQ = !cuda_tile.partition_view<tile=(1x16), !TQ>
!TR = !cuda_tile.tensor_view<64xi32, strides=[1]>
!PR = !cuda_tile.partition_view<tile=(1), !TR>
!TL = !cuda_tile.tensor_view<?xf32, strides=[1]>
!PL = !cuda_tile.partition_view<tile=(2048), !TL>
!PF = !cuda_tile.partition_view<tile=(16), !TL>
!PM = !cuda_tile.partition_view<tile=(4), !TL>
cuda_tile.module @kernels {
  entry @slices(%a: tile<ptr<f32>>, %b: tile<ptr<i8>>, %c: tile<ptr<f16>>, %o: tile<ptr<f32>>, %p: tile<ptr<i8>>, %q: tile<ptr<f16>>, %r: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %c15 = constant <i32: 15> : tile<i32>
    %ta = make_tensor_view %a, shape = [2048], strides = [1] : !T
    %tb = make_tensor_view %b, shape = [64, 64], strides = [64, 1] : !TB
    %tc = make_tensor_view %c, shape = [32, 128], strides = [128, 1] : !TC
    %to = make_tensor_view %o, shape = [128], strides = [1] : !TO
    %tp = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : !TB
    %tq = make_tensor_view %q, shape = [64, 16], strides = [16, 1] : !TQ
    %tr = make_tensor_view %r, shape = [64], strides = [1] : !TR
    %va = make_partition_view %ta : !P
    %vb = make_partition_view %tb : !PB
    %vc = make_partition_view %tc : !PC
    %vo = make_partition_view %to : !PO
    %vp = make_partition_view %tp : !PP
    %vq = make_partition_view %tq : !PQ
    %vr = make_partition_view %tr : !PR
    // Two elements of 2048.
    %la, %t0 = load_view_tko weak %va[%c0] : !P, tile<i32> -> tile<2048xf32>, token
    %ea = extract %la[%x] : tile<2048xf32> -> tile<2xf32>
    // And two more of the same tile, where it lies already.
    %again = addi %x, %c15 : tile<i32>
    %eaa = extract %la[%again] : tile<2048xf32> -> tile<2xf32>
    %eab = addf %ea, %eaa rounding<nearest_even> : tile<2xf32>
    %s0 = store_view_tko weak %eab, %vo[%x] : tile<2xf32>, !PO, tile<i32> -> token
    // A row of bytes.
    %lb, %t1 = load_view_tko weak %vb[%c0, %c0] : !PB, tile<i32> -> tile<64x64xi8>, token
    %eb = extract %lb[%x, %c0] : tile<64x64xi8> -> tile<1x64xi8>
    %s1 = store_view_tko weak %eb, %vp[%x, %c0] : tile<1x64xi8>, !PP, tile<i32> -> token
    // Part of a row, at two indices.
    %lc, %t2 = load_view_tko weak %vc[%c0, %c0] : !PC, tile<i32> -> tile<32x128xf16>, token
    %row = divi %x, %c8 signed : tile<i32>
    %column = remi %x, %c8 signed : tile<i32>
    %ec = extract %lc[%row, %column] : tile<32x128xf16> -> tile<1x16xf16>
    %s2 = store_view_tko weak %ec, %vq[%x, %c0] : tile<1x16xf16>, !PQ, tile<i32> -> token
    // One truth value.
    %zeros = constant <f32: 0.0> : tile<2048xf32>
    %mask = cmpf greater_than ordered %la, %zeros : tile<2048xf32> -> tile<2048xi1>
    %far = muli %x, %c15 : tile<i32>
    %ed = extract %mask[%far] : tile<2048xi1> -> tile<1xi1>
    %n = exti %ed unsigned : tile<1xi1> -> tile<1xi32>
    %s3 = store_view_tko weak %n, %vr[%x] : tile<1xi32>, !PR, tile<i32> -> token
    return
  }
  // The tile is another one in every round, and so is the index.
  entry @loop(%a: tile<ptr<f32>>, %o: tile<ptr<f32>>, %start: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %length = constant <i32: 6144> : tile<i32>
    %out = constant <i32: 12> : tile<i32>
    %ta = make_tensor_view %a, shape = [%length], strides = [1] : tile<i32> -> !TL
    %to = make_tensor_view %o, shape = [%out], strides = [1] : tile<i32> -> !TL
    %va = make_partition_view %ta : !PL
    %vo = make_partition_view %to : !PM
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %c97 = constant <i32: 97> : tile<i32>
    %zero = constant <f32: 0.0> : tile<4xf32>
    %sum = for %i in (%c0 to %c3, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<4xf32>) {
      %l, %t0 = load_view_tko weak %va[%i] : !PL, tile<i32> -> tile<2048xf32>, token
      %scaled = muli %i, %c97 : tile<i32>
      %moved = addi %scaled, %start : tile<i32>
      %index = addi %moved, %x : tile<i32>
      %e = extract %l[%index] : tile<2048xf32> -> tile<4xf32>
      %next = addf %acc, %e rounding<nearest_even> : tile<4xf32>
      continue %next : tile<4xf32>
    }
    %s = store_view_tko weak %sum, %vo[%x] : tile<4xf32>, !PM, tile<i32> -> token
    return
  }
  // At an index that is known, of what is computed along the tile.
  entry @known(%a: tile<ptr<f32>>, %o: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %ta = make_tensor_view %a, shape = [2048], strides = [1] : !T
    %to = make_tensor_view %o, shape = [128], strides = [1] : !TO
    %va = make_partition_view %ta : !P
    %vo = make_partition_view %to : !PO
    %l, %t0 = load_view_tko weak %va[%c0] : !P, tile<i32> -> tile<2048xf32>, token
    %m = scan %l dim=0 reverse=false identities=[0xFF800000 : f32] : tile<2048xf32> -> tile<2048xf32>
    (%e: tile<f32>, %f: tile<f32>) {
      %g = maxf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %c779 = constant <i32: 779> : tile<i32>
    %e = extract %m[%c779] : tile<2048xf32> -> tile<2xf32>
    %s = store_view_tko weak %e, %vo[%x] : tile<2xf32>, !PO, tile<i32> -> token
    return
  }
  entry @few(%a: tile<ptr<f32>>, %o: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %length = constant <i32: 16> : tile<i32>
    %ta = make_tensor_view %a, shape = [%length], strides = [1] : tile<i32> -> !TL
    %to = make_tensor_view %o, shape = [%length], strides = [1] : tile<i32> -> !TL
    %va = make_partition_view %ta : !PF
    %vo = make_partition_view %to : !PM
    %l, %t0 = load_view_tko weak %va[%c0] : !PF, tile<i32> -> tile<16xf32>, token
    %e = extract %l[%x] : tile<16xf32> -> tile<4xf32>
    %s = store_view_tko weak %e, %vo[%x] : tile<4xf32>, !PM, tile<i32> -> token
    return
  }
}
