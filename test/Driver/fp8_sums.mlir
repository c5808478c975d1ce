// RUN: tileiras %s --gpu-name=sm_90 --pipeline-options=num-warps=4 --emit=ptx | FileCheck %s --check-prefix=PROMOTED
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx --pipeline-options="num-warps=8 fp8-sums=exact" | FileCheck %s --check-prefix=EXACT
// RUN: tileiras %s --gpu-name=sm_90 --pipeline-options=num-warps=8 --emit=ptx --remarks=resources 2>&1 >/dev/null | FileCheck %s --check-prefix=DEMAND
// RUN: tileiras-run %s --gpu-name=sm_90 --pipeline-options=num-warps=4 --engine=reference,emulator --check --async=late --schedules=4 --tolerance=rel:1.7e-2 \
// RUN:   "a:f8E4M3FN[64x256]=random(lo=0,hi=2,seed=1)" "b:f8E4M3FN[64x256]=random(lo=0,hi=2,seed=2)" "out:o:f32[64x64]=poison"
// RUN: tileiras-run %s --gpu-name=sm_90 --pipeline-options="num-warps=4 fp8-sums=exact" --engine=reference,emulator --check --tolerance=rel:1e-5 \
// RUN:   "a:f8E4M3FN[64x256]=random(lo=0,hi=2,seed=1)" "b:f8E4M3FN[64x256]=random(lo=0,hi=2,seed=2)" "out:o:f32[64x64]=poison"
// RUN: %{exits} 5 tileiras %s --gpu-name=sm_90 --emit=ptx --pipeline-options=fp8-sums=none 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not tileiras-opt %s -pass-pipeline='builtin.module(tileaa-expand-ops{fp8-sums=none})' 2>&1 | FileCheck %s --check-prefix=PASS
// Products of 8-bit floats: the unit adds up 128 of k at a time, two of them beside each other; or f16 all of it.

// The second span is issued before the first one is waited for. The first one is the sum so far, the second one is added to it.
// PROMOTED: setp.ne.b32 first, 0, 0;
// PROMOTED: wgmma.fence
// PROMOTED-COUNT-4: wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3
// PROMOTED: wgmma.commit_group
// PROMOTED-NOT: wgmma.wait_group
// PROMOTED: setp.ne.b32 first, 0, 0;
// PROMOTED: wgmma.fence
// PROMOTED-COUNT-4: wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3
// PROMOTED: wgmma.commit_group
// PROMOTED: wgmma.wait_group.sync.aligned 1;
// PROMOTED: wgmma.wait_group.sync.aligned 0;
// PROMOTED-COUNT-32: add.rn.f32
// PROMOTED-NOT: add.rn.f32

// EXACT: wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16
// EXACT-NOT: e4m3.e4m3

// Two tiles of sums beside the sums.
// DEMAND: Demand {{.*}}Words=12288

// WRONG: error: invalid value 'none' of pipeline option 'fp8-sums': expected one of promoted, exact
// PASS: expects fp8-sums to be promoted or exact, not 'none'
cuda_tile.module @m {
  entry @product(%pa: tile<ptr<f8E4M3FN>>, %pb: tile<ptr<f8E4M3FN>>, %po: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %qa = assume div_by<16>, %pa : tile<ptr<f8E4M3FN>>
    %qb = assume div_by<16>, %pb : tile<ptr<f8E4M3FN>>
    %ta = make_tensor_view %qa, shape = [64, 256], strides = [256, 1] : tensor_view<64x256xf8E4M3FN, strides=[256,1]>
    %tb = make_tensor_view %qb, shape = [64, 256], strides = [256, 1] : tensor_view<64x256xf8E4M3FN, strides=[256,1]>
    %to = make_tensor_view %po, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %va = make_partition_view %ta : partition_view<tile=(64x256), tensor_view<64x256xf8E4M3FN, strides=[256,1]>>
    %vb = make_partition_view %tb : partition_view<tile=(64x256), tensor_view<64x256xf8E4M3FN, strides=[256,1]>>
    %vo = make_partition_view %to : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %a, %t0 = load_view_tko weak %va[%c0, %c0] : partition_view<tile=(64x256), tensor_view<64x256xf8E4M3FN, strides=[256,1]>>, tile<i32> -> tile<64x256xf8E4M3FN>, token
    %bt, %t1 = load_view_tko weak %vb[%c0, %c0] : partition_view<tile=(64x256), tensor_view<64x256xf8E4M3FN, strides=[256,1]>>, tile<i32> -> tile<64x256xf8E4M3FN>, token
    %b = permute %bt [1, 0] : tile<64x256xf8E4M3FN> -> tile<256x64xf8E4M3FN>
    %z = constant <f32: 0.0> : tile<64x64xf32>
    %d = mmaf %a, %b, %z : tile<64x256xf8E4M3FN>, tile<256x64xf8E4M3FN>, tile<64x64xf32>
    %t2 = store_view_tko weak %d, %vo[%c0, %c0] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
