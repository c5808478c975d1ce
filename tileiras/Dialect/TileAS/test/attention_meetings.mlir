// Attention of 128 rows by eight warps on sm_100, a loop over whole blocks of keys and one over the last. All threads meet four times in a round: when
// keys have come, when both halves of the maxima and of the sums of a row have been written, when values have come. Scratch tiles of the two
// reductions lie apart, weights and sums of both loops have the same columns, and nobody else meets. The views are other ones in every round (after
// a million, which nobody waits for), so that threads copy and no product is issued early.
// RUN: tileiras %s --gpu-name=sm_100 --emit=ptx -o %t.ptx --pipeline-options='num-warps=8 unspecialized-pipeline-num-stages=2' && FileCheck %s --input-file=%t.ptx
// CHECK: cp.async.wait_group
// CHECK: bar.sync
// CHECK-NOT: bar.sync
// CHECK: tcgen05.mma
// CHECK-NOT: bar.sync
// CHECK: st.shared.b32 [%[[S:rd[0-9]+]]+81920]
// CHECK-NEXT: bar.sync
// CHECK-NOT: bar.sync
// CHECK: st.shared.b32 [%[[S]]+82944]
// CHECK-NEXT: bar.sync
// CHECK-NOT: bar.sync
// CHECK: cp.async.wait_group
// CHECK: bar.sync
// CHECK-NOT: bar.sync
// CHECK: tcgen05.mma
// RUN: tileiras-run %s --gpu-name=sm_100 --pipeline-options='num-warps=8 unspecialized-pipeline-num-stages=2' --check --schedules=3 'q:f16[1x1x128x64]{pass=array}=random(seed=1,lo=-1,hi=1)' 'k:f16[1x1x400x64]{pass=array}=random(seed=2,lo=-1,hi=1)' 'v:f16[1x1x400x64]{pass=array}=random(seed=3,lo=-1,hi=1)' 'out:o:f16[1x1x128x64]{pass=array,tol=rel:4e-3/abs:2e-3}=poison' f32=0.125 i32=272
// Each of the eight in the two rounds is missed.
// RUN: awk '/bar\.sync/ && ++n == 4 {next} 1' %t.ptx > %t.4.ptx && not tileiras-run %t.4.ptx --check-races --schedules=2 'q:f16[1x1x128x64]{pass=array}=random(seed=1,lo=-1,hi=1)' 'k:f16[1x1x400x64]{pass=array}=random(seed=2,lo=-1,hi=1)' 'v:f16[1x1x400x64]{pass=array}=random(seed=3,lo=-1,hi=1)' 'out:o:f16[1x1x128x64]{pass=array}=poison' f32=0.125 i32=272 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: awk '/bar\.sync/ && ++n == 5 {next} 1' %t.ptx > %t.5.ptx && not tileiras-run %t.5.ptx --check-races --schedules=2 'q:f16[1x1x128x64]{pass=array}=random(seed=1,lo=-1,hi=1)' 'k:f16[1x1x400x64]{pass=array}=random(seed=2,lo=-1,hi=1)' 'v:f16[1x1x400x64]{pass=array}=random(seed=3,lo=-1,hi=1)' 'out:o:f16[1x1x128x64]{pass=array}=poison' f32=0.125 i32=272 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: awk '/bar\.sync/ && ++n == 6 {next} 1' %t.ptx > %t.6.ptx && not tileiras-run %t.6.ptx --check-races --schedules=2 'q:f16[1x1x128x64]{pass=array}=random(seed=1,lo=-1,hi=1)' 'k:f16[1x1x400x64]{pass=array}=random(seed=2,lo=-1,hi=1)' 'v:f16[1x1x400x64]{pass=array}=random(seed=3,lo=-1,hi=1)' 'out:o:f16[1x1x128x64]{pass=array}=poison' f32=0.125 i32=272 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: awk '/bar\.sync/ && ++n == 7 {next} 1' %t.ptx > %t.7.ptx && not tileiras-run %t.7.ptx --check-races --schedules=2 'q:f16[1x1x128x64]{pass=array}=random(seed=1,lo=-1,hi=1)' 'k:f16[1x1x400x64]{pass=array}=random(seed=2,lo=-1,hi=1)' 'v:f16[1x1x400x64]{pass=array}=random(seed=3,lo=-1,hi=1)' 'out:o:f16[1x1x128x64]{pass=array}=poison' f32=0.125 i32=272 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: awk '/bar\.sync/ && ++n == 12 {next} 1' %t.ptx > %t.12.ptx && not tileiras-run %t.12.ptx --check-races --schedules=2 'q:f16[1x1x128x64]{pass=array}=random(seed=1,lo=-1,hi=1)' 'k:f16[1x1x400x64]{pass=array}=random(seed=2,lo=-1,hi=1)' 'v:f16[1x1x400x64]{pass=array}=random(seed=3,lo=-1,hi=1)' 'out:o:f16[1x1x128x64]{pass=array}=poison' f32=0.125 i32=272 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: awk '/bar\.sync/ && ++n == 13 {next} 1' %t.ptx > %t.13.ptx && not tileiras-run %t.13.ptx --check-races --schedules=2 'q:f16[1x1x128x64]{pass=array}=random(seed=1,lo=-1,hi=1)' 'k:f16[1x1x400x64]{pass=array}=random(seed=2,lo=-1,hi=1)' 'v:f16[1x1x400x64]{pass=array}=random(seed=3,lo=-1,hi=1)' 'out:o:f16[1x1x128x64]{pass=array}=poison' f32=0.125 i32=272 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: awk '/bar\.sync/ && ++n == 14 {next} 1' %t.ptx > %t.14.ptx && not tileiras-run %t.14.ptx --check-races --schedules=2 'q:f16[1x1x128x64]{pass=array}=random(seed=1,lo=-1,hi=1)' 'k:f16[1x1x400x64]{pass=array}=random(seed=2,lo=-1,hi=1)' 'v:f16[1x1x400x64]{pass=array}=random(seed=3,lo=-1,hi=1)' 'out:o:f16[1x1x128x64]{pass=array}=poison' f32=0.125 i32=272 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: awk '/bar\.sync/ && ++n == 15 {next} 1' %t.ptx > %t.15.ptx && not tileiras-run %t.15.ptx --check-races --schedules=2 'q:f16[1x1x128x64]{pass=array}=random(seed=1,lo=-1,hi=1)' 'k:f16[1x1x400x64]{pass=array}=random(seed=2,lo=-1,hi=1)' 'v:f16[1x1x400x64]{pass=array}=random(seed=3,lo=-1,hi=1)' 'out:o:f16[1x1x128x64]{pass=array}=poison' f32=0.125 i32=272 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: error: [{{race|async}}]

cuda_tile.module @kernels {
  entry @fmha(%q: tile<ptr<f16>>, %q_d0: tile<i32>, %q_d1: tile<i32>, %q_d2: tile<i32>, %q_d3: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %q_s2: tile<i32>, %q_s3: tile<i32>, %k: tile<ptr<f16>>, %k_d0: tile<i32>, %k_d1: tile<i32>, %k_d2: tile<i32>, %k_d3: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %k_s2: tile<i32>, %k_s3: tile<i32>, %v: tile<ptr<f16>>, %v_d0: tile<i32>, %v_d1: tile<i32>, %v_d2: tile<i32>, %v_d3: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %v_s2: tile<i32>, %v_s3: tile<i32>, %o: tile<ptr<f16>>, %o_d0: tile<i32>, %o_d1: tile<i32>, %o_d2: tile<i32>, %o_d3: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %o_s2: tile<i32>, %o_s3: tile<i32>, %scale: tile<f32>, %offset: tile<i32>) optimization_hints=<sm_100 = {num_cta_in_cga = 1, occupancy = 2}, default = {occupancy = 2}> {
    %v1 = make_token : token
    %v2 = assume div_by<16>, %q : tile<ptr<f16>>
    %v3 = assume bounded<0, ?>, %q_d0 : tile<i32>
    %v4 = assume bounded<0, ?>, %q_d1 : tile<i32>
    %v5 = assume bounded<0, ?>, %q_d2 : tile<i32>
    %v6 = assume div_by<16>, %v5 : tile<i32>
    %v7 = assume bounded<0, ?>, %q_d3 : tile<i32>
    %v8 = assume div_by<16>, %v7 : tile<i32>
    %v9 = assume bounded<0, ?>, %q_s0 : tile<i32>
    %v10 = assume div_by<8>, %v9 : tile<i32>
    %v11 = assume bounded<0, ?>, %q_s1 : tile<i32>
    %v12 = assume div_by<8>, %v11 : tile<i32>
    %v13 = assume bounded<0, ?>, %q_s2 : tile<i32>
    %v14 = assume div_by<8>, %v13 : tile<i32>
    %v15 = make_tensor_view %v2, shape = [%v3, %v4, %v6, %v8], strides = [%v10, %v12, %v14, 1] : tile<i32> -> tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>
    %v16 = assume div_by<16>, %k : tile<ptr<f16>>
    %v17 = assume bounded<0, ?>, %k_d0 : tile<i32>
    %v18 = assume bounded<0, ?>, %k_d1 : tile<i32>
    %v19 = assume bounded<0, ?>, %k_d2 : tile<i32>
    %v20 = assume div_by<16>, %v19 : tile<i32>
    %v21 = assume bounded<0, ?>, %k_d3 : tile<i32>
    %v22 = assume div_by<16>, %v21 : tile<i32>
    %v23 = assume bounded<0, ?>, %k_s0 : tile<i32>
    %v24 = assume div_by<8>, %v23 : tile<i32>
    %v25 = assume bounded<0, ?>, %k_s1 : tile<i32>
    %v26 = assume div_by<8>, %v25 : tile<i32>
    %v27 = assume bounded<0, ?>, %k_s2 : tile<i32>
    %v28 = assume div_by<8>, %v27 : tile<i32>
    %v29 = make_tensor_view %v16, shape = [%v17, %v18, %v20, %v22], strides = [%v24, %v26, %v28, 1] : tile<i32> -> tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>
    %v30 = assume div_by<16>, %v : tile<ptr<f16>>
    %v31 = assume bounded<0, ?>, %v_d0 : tile<i32>
    %v32 = assume bounded<0, ?>, %v_d1 : tile<i32>
    %v33 = assume bounded<0, ?>, %v_d2 : tile<i32>
    %v34 = assume div_by<16>, %v33 : tile<i32>
    %v35 = assume bounded<0, ?>, %v_d3 : tile<i32>
    %v36 = assume div_by<16>, %v35 : tile<i32>
    %v37 = assume bounded<0, ?>, %v_s0 : tile<i32>
    %v38 = assume div_by<8>, %v37 : tile<i32>
    %v39 = assume bounded<0, ?>, %v_s1 : tile<i32>
    %v40 = assume div_by<8>, %v39 : tile<i32>
    %v41 = assume bounded<0, ?>, %v_s2 : tile<i32>
    %v42 = assume div_by<8>, %v41 : tile<i32>
    %v43 = make_tensor_view %v30, shape = [%v31, %v32, %v34, %v36], strides = [%v38, %v40, %v42, 1] : tile<i32> -> tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>
    %v44 = assume div_by<16>, %o : tile<ptr<f16>>
    %v45 = assume bounded<0, ?>, %o_d0 : tile<i32>
    %v46 = assume bounded<0, ?>, %o_d1 : tile<i32>
    %v47 = assume bounded<0, ?>, %o_d2 : tile<i32>
    %v48 = assume div_by<16>, %v47 : tile<i32>
    %v49 = assume bounded<0, ?>, %o_d3 : tile<i32>
    %v50 = assume div_by<16>, %v49 : tile<i32>
    %v51 = assume bounded<0, ?>, %o_s0 : tile<i32>
    %v52 = assume div_by<8>, %v51 : tile<i32>
    %v53 = assume bounded<0, ?>, %o_s1 : tile<i32>
    %v54 = assume div_by<8>, %v53 : tile<i32>
    %v55 = assume bounded<0, ?>, %o_s2 : tile<i32>
    %v56 = assume div_by<8>, %v55 : tile<i32>
    %v57 = make_tensor_view %v44, shape = [%v45, %v46, %v48, %v50], strides = [%v52, %v54, %v56, 1] : tile<i32> -> tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>
    %v58, %v59, %v60 = get_tile_block_id : tile<i32>
    %v61 = constant <i32: 1> : tile<i32>
    %v62 = divi %v59, %v61 signed rounding<negative_inf> : tile<i32>
    %v63 = constant <i32: 1> : tile<i32>
    %v64 = remi %v59, %v63 signed : tile<i32>
    %v65 = constant <i32: 1> : tile<i32>
    %v66 = divi %v64, %v65 signed rounding<negative_inf> : tile<i32>
    %v67 = constant <f32: 1.442695041e+00> : tile<f32>
    %v68 = mulf %scale, %v67 : tile<f32>
    %v69 = constant <i32: 128> : tile<i32>
    %v70 = muli %v58, %v69 : tile<i32>
    %v71 = addi %v70, %offset : tile<i32>
    %v72 = iota : tile<128xi32>
    %v73 = reshape %v71 : tile<i32> -> tile<1xi32>
    %v74 = broadcast %v73 : tile<1xi32> -> tile<128xi32>
    %v75 = addi %v74, %v72 : tile<128xi32>
    %v76 = reshape %v75 : tile<128xi32> -> tile<128x1xi32>
    %v77 = iota : tile<128xi32>
    %v78 = reshape %v77 : tile<128xi32> -> tile<1x128xi32>
    %v79 = make_partition_view %v15 : partition_view<tile=(1x1x128x64), padding_value = zero, tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>
    %v80 = constant <i32: 0> : tile<i32>
    %v81, %v82 = load_view_tko weak %v79[%v62, %v64, %v58, %v80] token = %v1 : partition_view<tile=(1x1x128x64), padding_value = zero, tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>, tile<i32> -> tile<1x1x128x64xf16>, token
    %v83 = reshape %v81 : tile<1x1x128x64xf16> -> tile<128x64xf16>
    %v84 = constant <i32: 127> : tile<i32>
    %v85 = addi %v20, %v84 : tile<i32>
    %v86 = constant <i32: 128> : tile<i32>
    %v87 = divi %v85, %v86 signed rounding<negative_inf> : tile<i32>
    %v88 = constant <i32: 128> : tile<i32>
    %v89 = divi %v20, %v88 signed rounding<negative_inf> : tile<i32>
    %v90 = constant <i32: 0> : tile<i32>
    %v91 = constant <f32: 0.000000000e+00> : tile<128x64xf32>
    %v92 = constant <f32: 0.000000000e+00> : tile<128x1xf32>
    %v93 = constant <f32: -1.000000000e+30> : tile<128x1xf32>
    %v94 = constant <i32: 1> : tile<i32>
    %v138, %v139, %v140 = for %v95 in (%v90 to %v89, step %v94) : tile<i32> iter_values(%v96 = %v91, %v97 = %v92, %v98 = %v93) -> (tile<128x64xf32>, tile<128x1xf32>, tile<128x1xf32>) {
      %w10 = constant <i32: 1048576> : tile<i32>
      %w11 = divi %v95, %w10 signed rounding<negative_inf> : tile<i32>
      %w12 = addi %v17, %w11 : tile<i32>
      %w13 = make_tensor_view %v16, shape = [%w12, %v18, %v20, %v22], strides = [%v24, %v26, %v28, 1] : tile<i32> -> tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>
      %v99 = make_partition_view %w13 : partition_view<tile=(1x1x64x128), padding_value = zero, tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>, dim_map=[0, 1, 3, 2]>
      %v100 = constant <i32: 0> : tile<i32>
      %v101, %v102 = load_view_tko weak %v99[%v62, %v66, %v100, %v95] token = %v1 optimization_hints = <default = {latency = 2}> : partition_view<tile=(1x1x64x128), padding_value = zero, tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>, dim_map=[0, 1, 3, 2]>, tile<i32> -> tile<1x1x64x128xf16>, token
      %v103 = reshape %v101 : tile<1x1x64x128xf16> -> tile<64x128xf16>
      %v104 = constant <f32: 0.000000000e+00> : tile<128x128xf32>
      %v105 = mmaf %v83, %v103, %v104 : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      %v109 = reduce %v105 dim=1 identities=[0xFF800000 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%v106: tile<f32>, %v107: tile<f32>) {
        %v108 = maxf %v106, %v107 : tile<f32>
        yield %v108 : tile<f32>
      }
      %v110 = reshape %v109 : tile<128xf32> -> tile<128x1xf32>
      %v111 = reshape %v68 : tile<f32> -> tile<1x1xf32>
      %v112 = broadcast %v111 : tile<1x1xf32> -> tile<128x1xf32>
      %v113 = mulf %v110, %v112 : tile<128x1xf32>
      %v114 = maxf %v98, %v113 : tile<128x1xf32>
      %v115 = broadcast %v114 : tile<128x1xf32> -> tile<128x128xf32>
      %v116 = negf %v115 : tile<128x128xf32>
      %v117 = reshape %v68 : tile<f32> -> tile<1x1xf32>
      %v118 = broadcast %v117 : tile<1x1xf32> -> tile<128x128xf32>
      %v119 = fma %v105, %v118, %v116 : tile<128x128xf32>
      %v120 = exp2 %v119 flush_to_zero : tile<128x128xf32>
      %v121 = subf %v98, %v114 : tile<128x1xf32>
      %v122 = exp2 %v121 flush_to_zero : tile<128x1xf32>
      %v126 = reduce %v120 dim=1 identities=[0.000000000e+00 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%v123: tile<f32>, %v124: tile<f32>) {
        %v125 = addf %v123, %v124 : tile<f32>
        yield %v125 : tile<f32>
      }
      %v127 = reshape %v126 : tile<128xf32> -> tile<128x1xf32>
      %v128 = fma %v97, %v122, %v127 : tile<128x1xf32>
      %w20 = constant <i32: 1048576> : tile<i32>
      %w21 = divi %v95, %w20 signed rounding<negative_inf> : tile<i32>
      %w22 = addi %v31, %w21 : tile<i32>
      %w23 = make_tensor_view %v30, shape = [%w22, %v32, %v34, %v36], strides = [%v38, %v40, %v42, 1] : tile<i32> -> tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>
      %v129 = make_partition_view %w23 : partition_view<tile=(1x1x128x64), padding_value = zero, tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>
      %v130 = constant <i32: 0> : tile<i32>
      %v131, %v132 = load_view_tko weak %v129[%v62, %v66, %v95, %v130] token = %v1 optimization_hints = <default = {latency = 4}> : partition_view<tile=(1x1x128x64), padding_value = zero, tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>, tile<i32> -> tile<1x1x128x64xf16>, token
      %v133 = reshape %v131 : tile<1x1x128x64xf16> -> tile<128x64xf16>
      %v134 = ftof %v120 : tile<128x128xf32> -> tile<128x128xf16>
      %v135 = broadcast %v122 : tile<128x1xf32> -> tile<128x64xf32>
      %v136 = mulf %v96, %v135 : tile<128x64xf32>
      %v137 = mmaf %v134, %v133, %v136 : tile<128x128xf16>, tile<128x64xf16>, tile<128x64xf32>
      continue %v137, %v128, %v114 : tile<128x64xf32>, tile<128x1xf32>, tile<128x1xf32>
    }
    %v141 = maxi %v90, %v89 signed : tile<i32>
    %v142 = constant <i32: 1> : tile<i32>
    %v203, %v204, %v205 = for %v143 in (%v141 to %v87, step %v142) : tile<i32> iter_values(%v144 = %v138, %v145 = %v139, %v146 = %v140) -> (tile<128x64xf32>, tile<128x1xf32>, tile<128x1xf32>) {
      %w30 = constant <i32: 1048576> : tile<i32>
      %w31 = divi %v143, %w30 signed rounding<negative_inf> : tile<i32>
      %w32 = addi %v17, %w31 : tile<i32>
      %w33 = make_tensor_view %v16, shape = [%w32, %v18, %v20, %v22], strides = [%v24, %v26, %v28, 1] : tile<i32> -> tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>
      %v147 = make_partition_view %w33 : partition_view<tile=(1x1x64x128), padding_value = zero, tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>, dim_map=[0, 1, 3, 2]>
      %v148 = constant <i32: 0> : tile<i32>
      %v149, %v150 = load_view_tko weak %v147[%v62, %v66, %v148, %v143] token = %v1 optimization_hints = <default = {latency = 2}> : partition_view<tile=(1x1x64x128), padding_value = zero, tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>, dim_map=[0, 1, 3, 2]>, tile<i32> -> tile<1x1x64x128xf16>, token
      %v151 = reshape %v149 : tile<1x1x64x128xf16> -> tile<64x128xf16>
      %v152 = constant <f32: 0.000000000e+00> : tile<128x128xf32>
      %v153 = mmaf %v83, %v151, %v152 : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      %v154 = constant <i32: 128> : tile<i32>
      %v155 = muli %v143, %v154 : tile<i32>
      %v156 = reshape %v155 : tile<i32> -> tile<1x1xi32>
      %v157 = broadcast %v156 : tile<1x1xi32> -> tile<1x128xi32>
      %v158 = addi %v157, %v78 : tile<1x128xi32>
      %v159 = reshape %v20 : tile<i32> -> tile<1x1xi32>
      %v160 = broadcast %v159 : tile<1x1xi32> -> tile<1x128xi32>
      %v161 = cmpi less_than %v158, %v160, signed : tile<1x128xi32> -> tile<1x128xi1>
      %v162 = constant <f32: 0xFF800000> : tile<f32>
      %v163 = constant <f32: 0.000000000e+00> : tile<f32>
      %v164 = reshape %v163 : tile<f32> -> tile<1x1xf32>
      %v165 = broadcast %v164 : tile<1x1xf32> -> tile<1x128xf32>
      %v166 = reshape %v162 : tile<f32> -> tile<1x1xf32>
      %v167 = broadcast %v166 : tile<1x1xf32> -> tile<1x128xf32>
      %v168 = select %v161, %v165, %v167 : tile<1x128xi1>, tile<1x128xf32>
      %v169 = broadcast %v168 : tile<1x128xf32> -> tile<128x128xf32>
      %v170 = addf %v153, %v169 : tile<128x128xf32>
      %v174 = reduce %v170 dim=1 identities=[0xFF800000 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%v171: tile<f32>, %v172: tile<f32>) {
        %v173 = maxf %v171, %v172 : tile<f32>
        yield %v173 : tile<f32>
      }
      %v175 = reshape %v174 : tile<128xf32> -> tile<128x1xf32>
      %v176 = reshape %v68 : tile<f32> -> tile<1x1xf32>
      %v177 = broadcast %v176 : tile<1x1xf32> -> tile<128x1xf32>
      %v178 = mulf %v175, %v177 : tile<128x1xf32>
      %v179 = maxf %v146, %v178 : tile<128x1xf32>
      %v180 = broadcast %v179 : tile<128x1xf32> -> tile<128x128xf32>
      %v181 = negf %v180 : tile<128x128xf32>
      %v182 = reshape %v68 : tile<f32> -> tile<1x1xf32>
      %v183 = broadcast %v182 : tile<1x1xf32> -> tile<128x128xf32>
      %v184 = fma %v170, %v183, %v181 : tile<128x128xf32>
      %v185 = exp2 %v184 flush_to_zero : tile<128x128xf32>
      %v186 = subf %v146, %v179 : tile<128x1xf32>
      %v187 = exp2 %v186 flush_to_zero : tile<128x1xf32>
      %v191 = reduce %v185 dim=1 identities=[0.000000000e+00 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%v188: tile<f32>, %v189: tile<f32>) {
        %v190 = addf %v188, %v189 : tile<f32>
        yield %v190 : tile<f32>
      }
      %v192 = reshape %v191 : tile<128xf32> -> tile<128x1xf32>
      %v193 = fma %v145, %v187, %v192 : tile<128x1xf32>
      %w40 = constant <i32: 1048576> : tile<i32>
      %w41 = divi %v143, %w40 signed rounding<negative_inf> : tile<i32>
      %w42 = addi %v31, %w41 : tile<i32>
      %w43 = make_tensor_view %v30, shape = [%w42, %v32, %v34, %v36], strides = [%v38, %v40, %v42, 1] : tile<i32> -> tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>
      %v194 = make_partition_view %w43 : partition_view<tile=(1x1x128x64), padding_value = zero, tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>
      %v195 = constant <i32: 0> : tile<i32>
      %v196, %v197 = load_view_tko weak %v194[%v62, %v66, %v143, %v195] token = %v1 optimization_hints = <default = {latency = 4}> : partition_view<tile=(1x1x128x64), padding_value = zero, tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>, tile<i32> -> tile<1x1x128x64xf16>, token
      %v198 = reshape %v196 : tile<1x1x128x64xf16> -> tile<128x64xf16>
      %v199 = ftof %v185 : tile<128x128xf32> -> tile<128x128xf16>
      %v200 = broadcast %v187 : tile<128x1xf32> -> tile<128x64xf32>
      %v201 = mulf %v144, %v200 : tile<128x64xf32>
      %v202 = mmaf %v199, %v198, %v201 : tile<128x128xf16>, tile<128x64xf16>, tile<128x64xf32>
      continue %v202, %v193, %v179 : tile<128x64xf32>, tile<128x1xf32>, tile<128x1xf32>
    }
    %v206 = broadcast %v204 : tile<128x1xf32> -> tile<128x64xf32>
    %v207 = divf %v203, %v206 rounding<approx> flush_to_zero : tile<128x64xf32>
    %v208 = ftof %v207 : tile<128x64xf32> -> tile<128x64xf16>
    %v209 = reshape %v208 : tile<128x64xf16> -> tile<1x1x128x64xf16>
    %v210 = make_partition_view %v57 : partition_view<tile=(1x1x128x64), tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>
    %v211 = constant <i32: 0> : tile<i32>
    %v212 = store_view_tko weak %v209, %v210[%v62, %v64, %v58, %v211] token = %v1 : tile<1x1x128x64xf16>, partition_view<tile=(1x1x128x64), tensor_view<?x?x?x?xf16, strides=[?,?,?,1]>>, tile<i32> -> token
    return
  }
}
