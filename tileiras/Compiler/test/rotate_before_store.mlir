// A right factor that a store of the same round overwrites is not read a round later: the product stays where it is.
// RUN: tileiras-run %s --engine=reference,emulator --check --gpu-name=sm_90 --grid=1,1,1 --schedules=2 --tolerance=rel:1e-2,abs:1e-2 'q:f16[64x64]=random(seed=1,lo=-1,hi=1)' \
// RUN:   'k:f16[160x64]=random(seed=2,lo=-1,hi=1)' 'out:v:f16[160x64]=random(seed=3)' 'out:o:f32[64x64]=poison' i32=160 i32=0 i32=5
!qT = !cuda_tile.tensor_view<64x64xf16, strides=[64,1]>
!qP = !cuda_tile.partition_view<tile=(64x64), !qT>
!kT = !cuda_tile.tensor_view<?x64xf16, strides=[64,1]>
!kP = !cuda_tile.partition_view<tile=(64x32), padding_value = zero, !kT, dim_map=[1, 0]>
!vP = !cuda_tile.partition_view<tile=(32x64), padding_value = zero, !kT>
!oT = !cuda_tile.tensor_view<64x64xf32, strides=[64,1]>
!oP = !cuda_tile.partition_view<tile=(64x64), !oT>
cuda_tile.module @kernels {
  entry @k(%q: tile<ptr<f16>>, %k: tile<ptr<f16>>, %v: tile<ptr<f16>>, %o: tile<ptr<f32>>, %len: tile<i32>, %lo: tile<i32>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %q : tile<ptr<f16>>
    %ka = assume div_by<16>, %k : tile<ptr<f16>>
    %va = assume div_by<16>, %v : tile<ptr<f16>>
    %tq = make_tensor_view %qa, shape = [64, 64], strides = [64, 1] : !qT
    %tk = make_tensor_view %ka, shape = [%len, 64], strides = [64, 1] : tile<i32> -> !kT
    %tv = make_tensor_view %va, shape = [%len, 64], strides = [64, 1] : tile<i32> -> !kT
    %to = make_tensor_view %o, shape = [64, 64], strides = [64, 1] : !oT
    %vq = make_partition_view %tq : !qP
    %vk = make_partition_view %tk : !kP
    %vv = make_partition_view %tv : !vP
    %vo = make_partition_view %to : !oP
    %q2, %qt = load_view_tko weak %vq[%c0, %c0] : !qP, tile<i32> -> tile<64x64xf16>, token
    %zs = constant <f32: 0.0> : tile<64x32xf32>
    %zo = constant <f32: 0.0> : tile<64x64xf32>
    %zv = constant <f16: 0.0> : tile<32x64xf16>
    %sum = for %i in (%lo to %n, step %c1) : tile<i32> iter_values(%acc = %zo) -> (tile<64x64xf32>) {
      %k2, %kt = load_view_tko weak %vk[%c0, %i] : !kP, tile<i32> -> tile<64x32xf16>, token
      %s = mmaf %q2, %k2, %zs : tile<64x64xf16>, tile<64x32xf16>, tile<64x32xf32>
      %p = exp2 %s : tile<64x32xf32>
      %v2, %vt = load_view_tko weak %vv[%i, %c0] : !vP, tile<i32> -> tile<32x64xf16>, token
      %ph = ftof %p : tile<64x32xf32> -> tile<64x32xf16>
      %d = mmaf %ph, %v2, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      %st = store_view_tko weak %zv, %vv[%i, %c0] token=%vt : tile<32x64xf16>, !vP, tile<i32> -> token
      continue %d : tile<64x64xf32>
    }
    %stored = store_view_tko weak %sum, %vo[%c0, %c0] : tile<64x64xf32>, !oP, tile<i32> -> token
    return
  }
}
