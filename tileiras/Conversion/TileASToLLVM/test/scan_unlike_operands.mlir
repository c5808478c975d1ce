// Totals of warps lie in shared memory without holes between those of 32 bits and those of one: several are loaded at once, and nothing that nobody has written. A running count that begins anew at marks.
// RUN: tileiras-run %s --gpu-name=sm_80 --pipeline-options=num-warps=2 --engine=reference,emulator --check --check-races 'in:i32[128]=random(seed=1,lo=0,hi=9)' 'out:o:i32[128]=poison'
// RUN: tileiras-run %s --gpu-name=sm_103 --pipeline-options=num-warps=4 --engine=reference,emulator --check --check-races 'in:i32[128]=random(seed=2,lo=0,hi=9)' 'out:o:i32[128]=poison'
cuda_tile.module @kernels {
  entry @kernel(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %i = iota : tile<128xi32>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %from = offset %ins, %i : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %x, %t0 = load_ptr_tko weak %from : tile<128xptr<i32>> -> tile<128xi32>, token
    %seven = constant <i32: 7> : tile<128xi32>
    %one = constant <i32: 1> : tile<128xi32>
    %mark = cmpi greater_than %x, %seven, signed : tile<128xi32> -> tile<128xi1>
    %sum:2 = scan %one, %mark dim=0 reverse=false identities=[0 : i32, false] : tile<128xi32>, tile<128xi1> -> tile<128xi32>, tile<128xi1>
    (%a: tile<i32>, %b: tile<i32>, %c: tile<i1>, %d: tile<i1>) {
      %added = addi %b, %a : tile<i32>
      %kept = select %d, %b, %added : tile<i1>, tile<i32>
      %either = ori %d, %c : tile<i1>
      yield %kept, %either : tile<i32>, tile<i1>
    }
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %to = offset %outs, %i : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %t1 = store_ptr_tko weak %to, %sum#0 : tile<128xptr<i32>>, tile<128xi32> -> token
    return
  }
}
