// turns=auto: two agents have every other tile block where what is computed with the sums takes long enough, four warps can hold it, and TMA is sure to copy. Each condition alone
// turns it off, and so does whoever asks for something else.
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o %t.ptx --remarks=schedule 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o %t.asked "--pipeline-options=turns=tile-blocks" && sed '/generated/d' %t.asked > %t.a && sed '/generated/d' %t.ptx > %t.b && cmp %t.a %t.b
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o - "--pipeline-options=turns=never" --remarks=schedule 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o - "--pipeline-options=persistent-blocks=never" --remarks=schedule 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o - --remarks=schedule 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: tileiras %s --gpu-name=sm_90 --num-warps=8 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: sed 's/%k: tile<i32>) {/%k: tile<i32>) optimization_hints=<sm_90 = {num_worker_warps_per_cta = 8}> {/' %s | tileiras - --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: sed 's/%k: tile<i32>) {/%k: tile<i32>) optimization_hints=<sm_90 = {occupancy = 1}> {/' %s | tileiras - --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s
// RUN: sed 's/%k: tile<i32>) {/%k: tile<i32>) optimization_hints=<sm_90 = {occupancy = 2}> {/' %s | tileiras - --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=OCCUPANCY
// RUN: sed 's/exp2 %e0/absf %e0/; s/divf %c/mulf %c/' %s | tileiras - --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=CHEAP
// RUN: sed 's/%a_s = assume div_by<16>/%a_s = assume div_by<4>/' %s | tileiras - --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: sed 's/%b_p = assume div_by<16>/%b_p = assume div_by<8>/' %s | tileiras - --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=BASE
// RUN: sed 's/load_view_tko weak %b\[%kk, %by\]/& optimization_hints = <sm_90 = {allow_tma = false}>/' %s | tileiras - --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=HINT
// RUN: tileiras %s --gpu-name=sm_90 --emit=ptx -o /dev/null "--pipeline-options=unspecialized-pipeline-num-stages=3" --remarks=schedule 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: sed 's/128x128/256x128/g; s/128x64/256x64/g' %s | tileiras - --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: sed 's/128x128/64x128/g; s/128x64/64x64/g' %s | tileiras - --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: sed 's/to %ks#1, step/to %bx, step/' %s | tileiras - --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=ROUNDS
// RUN: sed 's/^ *%e0 = mulf %c, %kk1/%g0, %gt = load_view_tko weak %o[%bx, %by] : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x128xbf16>, token\n%g1 = ftof %g0 : tile<128x128xbf16> -> tile<128x128xf32>\n%e0 = mulf %c, %g1/' %s | tileiras - --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=REGISTERS
// RUN: sed 's/^ *\(%.1 = mmaf\) %x,/%x1 = negf %x : tile<128x64xbf16>\n\1 %x1,/' %s | tileiras - --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=COMPUTED
// RUN: sed '/%o_t/{s/\[%m, %o_n\], strides = \[%o_s, 1\] : tile<i32> ->/[1024, 1024], strides = [1024, 1] :/;}; /%o_t\|%o\[/s/?x?xbf16, strides=\[?,1\]/1024x1024xbf16, strides=[1024,1]/' %s > %t.few.mlir
// RUN: tileiras %t.few.mlir --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: sed 's/\[1024, 1024\]/[2048, 1024]/; s/1024x1024xbf16/2048x1024xbf16/' %t.few.mlir > %t.some.mlir
// RUN: tileiras %t.some.mlir --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: sed 's/\[1024, 1024\]/[4096, 1024]/; s/1024x1024xbf16/4096x1024xbf16/' %t.few.mlir > %t.many.mlir
// RUN: tileiras %t.many.mlir --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s
// RUN: sed 's/mulf %c, %kk1/maxf %c, %kk1/; s/divf %c, %e2/divf %e0, %e2/' %s | tileiras - --gpu-name=sm_90 --emit=ptx -o /dev/null --remarks=schedule 2>&1 | FileCheck %s --check-prefix=REPLACED
// CHECK: [Passed] TileTurns {{.*}}Alternatives=turns=never, Epilogue=2432, {{.*}}Round=512, Turns=756, Warps=4
// CHECK: [Passed] Persistent
// CHECK: [Passed] Turns {{.*}}Alternatives=turns=never
// PTX: bar.sync 13, 256
// NEVER-NOT: TileTurns
// NEVER-NOT: bar.sync {{.*}}13, 256
// WARPS: [Missed] TileTurns {{.*}}so many warps were asked for
// OCCUPANCY: [Missed] TileTurns {{.*}}the blocks that share a multiprocessor store while others multiply
// CHEAP: [Missed] TileTurns {{.*}}Epilogue=640, {{.*}}takes no longer than handing over the turn{{.*}}Turns=756
// STRIDE: [Missed] TileTurns {{.*}}TMA may not be able to copy its factors: the stride of dimension 0 is not known to be a larger multiple
// BASE: [Missed] TileTurns {{.*}}TMA may not be able to copy its factors: the base is not known to be better aligned
// HINT: [Missed] TileTurns {{.*}}a hint keeps TMA from copying
// STAGES: [Missed] TileTurns {{.*}}the stages of the rings hold too little for agents
// LARGE: [Missed] TileTurns {{.*}}four warps cannot hold the sums of a tile block
// SMALL: [Missed] TileTurns {{.*}}tiles of less than 128x128 sums are stored too soon to gain by it
// ROUNDS: [Missed] TileTurns {{.*}}tile blocks have different numbers of rounds
// REGISTERS: [Missed] TileTurns {{.*}}what is done with the sums needs more registers than theirs
// FEW: [Missed] TileTurns {{.*}}no multiprocessor has a second tile block
// REPLACED: [Missed] TileTurns {{.*}}tiles take the place of the sums before the last step
// COMPUTED: [Missed] TileTurns {{.*}}factors are computed, not copied
cuda_tile.module @kernels {
  entry @gemm(%pa: tile<ptr<bf16>>, %pb: tile<ptr<bf16>>, %po: tile<ptr<bf16>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_p = assume div_by<16>, %pa : tile<ptr<bf16>>
    %a_n = assume div_by<16>, %k : tile<i32>
    %a_s = assume div_by<16>, %k : tile<i32>
    %a_t = make_tensor_view %a_p, shape = [%m, %a_n], strides = [%a_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %a = make_partition_view %a_t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %b_p = assume div_by<16>, %pb : tile<ptr<bf16>>
    %b_n = assume div_by<16>, %n : tile<i32>
    %b_s = assume div_by<16>, %n : tile<i32>
    %b_t = make_tensor_view %b_p, shape = [%k, %b_n], strides = [%b_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %b = make_partition_view %b_t : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>
    %o_p = assume div_by<16>, %po : tile<ptr<bf16>>
    %o_n = assume div_by<16>, %n : tile<i32>
    %o_s = assume div_by<16>, %n : tile<i32>
    %o_t = make_tensor_view %o_p, shape = [%m, %o_n], strides = [%o_s, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %o = make_partition_view %o_t : partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %ks:2 = get_index_space_shape %a : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>> -> tile<i32>
    %z = constant <f32: 0.0> : tile<128x128xf32>
    %c = for %kk in (%c0 to %ks#1, step %c1) : tile<i32> iter_values(%s = %z) -> (tile<128x128xf32>) {
      %x, %t0 = load_view_tko weak %a[%bx, %kk] : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<128x64xbf16>, token
      %y, %t1 = load_view_tko weak %b[%kk, %by] : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<64x128xbf16>, token
      %s1 = mmaf %x, %y, %s : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
      continue %s1 : tile<128x128xf32>
    }
    %ones = constant <f32: 1.0> : tile<128x128xf32>
    %kk1 = constant <f32: -1.4427> : tile<128x128xf32>
    %e0 = mulf %c, %kk1 : tile<128x128xf32>
    %e1 = exp2 %e0 : tile<128x128xf32>
    %e2 = addf %e1, %ones : tile<128x128xf32>
    %g = divf %c, %e2 : tile<128x128xf32>
    %half = ftof %g : tile<128x128xf32> -> tile<128x128xbf16>
    %t2 = store_view_tko weak %half, %o[%bx, %by] : tile<128x128xbf16>, partition_view<tile=(128x128), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
