// Maxima of scaled logits (tileas-scale-maxima): of the logits, scaled once. Where the scale is a constant that is all there is; where it is an argument of the kernel,
// a branch decides, and what is launched here are scales of both sides: positive, negative (the maximum is then that of the other end), zero, subnormal, as large as
// maxima that overflow, infinite, and NaN.
//
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o %t.ptx --remarks=schedule 2>&1 | FileCheck %s --check-prefix=KNOWN
// RUN: tileiras %S/share_exponentials.mlir --gpu-name=sm_100 --emit=ptx -o %t.2.ptx --remarks=schedule 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: tileiras-run %s --gpu-name=sm_80 --engine=reference,emulator --check --tolerance=exact 'x:f32[64x64]=special(seed=3)' 'out:o:f32[64]=poison'
// RUN: tileiras-run %s --gpu-name=sm_90 --engine=reference,emulator --check --tolerance=exact 'x:f32[64x64]=random(seed=4,lo=-1e38,hi=1e38)' 'out:o:f32[64]=poison'
// RUN: tileiras-run %s --gpu-name=sm_100 --engine=reference,emulator --check --tolerance=exact 'x:f32[64x64]=-inf' 'out:o:f32[64]=poison'
// RUN: tileiras-run %s --gpu-name=sm_120 --engine=reference,emulator --check --tolerance=exact 'x:f32[64x64]=nan' 'out:o:f32[64]=poison'
// RUN: tileiras-run %S/share_exponentials.mlir --gpu-name=sm_100 --grid=2,1 --engine=reference,emulator --check --tolerance=rel:2e-2,abs:2e-3 \
// RUN:   'q:bf16[1x256x128]=normal(seed=1)' 'k:bf16[1x256x128]=normal(seed=2)' 'v:bf16[1x256x128]=normal(seed=3)' 'out:o:bf16[1x256x128]=poison' i32=1 i32=256 f32=-0.1275
// RUN: tileiras-run %S/share_exponentials.mlir --gpu-name=sm_103 --grid=2,1 --engine=reference,emulator --check --tolerance=rel:2e-2,abs:2e-3 \
// RUN:   'q:bf16[1x256x128]=normal(seed=1)' 'k:bf16[1x256x128]=normal(seed=2)' 'v:bf16[1x256x128]=normal(seed=3)' 'out:o:bf16[1x256x128]=poison' i32=1 i32=256 f32=0.0
// RUN: tileiras-run %S/share_exponentials.mlir --gpu-name=sm_110 --grid=2,1 --engine=reference,emulator --check --tolerance=rel:2e-2,abs:2e-3 \
// RUN:   'q:bf16[1x256x128]=normal(seed=1)' 'k:bf16[1x256x128]=normal(seed=2)' 'v:bf16[1x256x128]=normal(seed=3)' 'out:o:bf16[1x256x128]=poison' i32=1 i32=256 f32=1e-39
// RUN: tileiras-run %S/share_exponentials.mlir --gpu-name=sm_100 --grid=2,1 --engine=reference,emulator --check --tolerance=rel:2e-2,abs:2e-3 \
// RUN:   'q:bf16[1x256x128]=normal(seed=1)' 'k:bf16[1x256x128]=normal(seed=2)' 'v:bf16[1x256x128]=normal(seed=3)' 'out:o:bf16[1x256x128]=poison' i32=1 i32=256 f32=inf
// RUN: tileiras-run %S/share_exponentials.mlir --gpu-name=sm_100 --grid=2,1 --engine=reference,emulator --check --tolerance=rel:2e-2,abs:2e-3 \
// RUN:   'q:bf16[1x256x128]=normal(seed=1)' 'k:bf16[1x256x128]=normal(seed=2)' 'v:bf16[1x256x128]=normal(seed=3)' 'out:o:bf16[1x256x128]=poison' i32=1 i32=256 f32=nan
//
// A branch that takes any number for a positive one (the bound is the least number instead of the least normal one) subtracts the wrong end of the logits, and powers overflow.
// RUN: tileiras-run %S/share_exponentials.mlir --gpu-name=sm_100 --grid=2,1 --engine=reference,emulator --check --tolerance=rel:2e-2,abs:2e-3 \
// RUN:   'q:bf16[1x256x128]=normal(seed=1)' 'k:bf16[1x256x128]=normal(seed=2)' 'v:bf16[1x256x128]=normal(seed=3)' 'out:o:bf16[1x256x128]=poison' i32=1 i32=256 f32=-40.0
// RUN: sed 's/\(setp.ge.f32.*\)0f00800000;/\10fFF7FFFFF;/' %t.2.ptx > %t.wrong.ptx
// RUN: tileiras-run %t.2.ptx --engine=emulator --grid=2,1 --dump=o=%t.right.npy 'q:bf16[1x256x128]=normal(seed=1)' 'k:bf16[1x256x128]=normal(seed=2)' 'v:bf16[1x256x128]=normal(seed=3)' 'o:bf16[1x256x128]=poison' i32=1 i32=256 f32=-40.0
// RUN: tileiras-run %t.wrong.ptx --engine=emulator --grid=2,1 --dump=o=%t.wrong.npy 'q:bf16[1x256x128]=normal(seed=1)' 'k:bf16[1x256x128]=normal(seed=2)' 'v:bf16[1x256x128]=normal(seed=3)' 'o:bf16[1x256x128]=poison' i32=1 i32=256 f32=-40.0
// RUN: %{exits} 1 cmp %t.right.npy %t.wrong.npy

// KNOWN-DAG: [Passed] Maxima {{.*}}Function=known | Reason="the maximum is scaled, not the elements"
// ARGUMENT: [Passed] Maxima {{.*}}Reason="the maximum is scaled, not the elements, where the scale is positive"

cuda_tile.module @kernels {
entry @known(%x: tile<ptr<f32>>, %o: tile<ptr<f32>>) {
  %c0 = constant <i32: 0> : tile<i32>
  %tx = make_tensor_view %x, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
  %vx = make_partition_view %tx : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
  %to = make_tensor_view %o, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
  %vo = make_partition_view %to : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
  %v, %t = load_view_tko weak %vx[%c0, %c0] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
  %s = constant <f32: 17.3> : tile<64x64xf32>
  %y = mulf %v, %s : tile<64x64xf32>
  %m = reduce %y dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    %r = maxf %a, %b : tile<f32>
    yield %r : tile<f32>
  }
  %done = store_view_tko weak %m, %vo[%c0] : tile<64xf32>, partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  return
}
}
