// A false assumption is a report of the reference, unless it is told to take no notice of it; then the kernel computes what it says.

// RUN: bash -c "tileiras-run %s --engine=reference 'x:i32[4]=iota(lo=1)' 'out:y:i32[4]' i32=3; test \$? -eq 6" 2>&1 | FileCheck %s --check-prefix=FALSE
// FALSE: error: assumption does not hold: element [] is 3, which 4 does not divide
// RUN: tileiras-run %s --engine=reference --ignore-assumptions 'x:i32[4]=iota(lo=1)' 'out:y:i32[4]' i32=3 --show=y | FileCheck %s
// CHECK: 4 5 6 7

cuda_tile.module @kernels {
  entry @add(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %n: tile<i32>) {
    %m = assume div_by<4>, %n : tile<i32>
    %at = iota : tile<4xi32>
    %xs = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %xb = broadcast %xs : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %xp = offset %xb, %at : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v, %t = load_ptr_tko weak %xp : tile<4xptr<i32>> -> tile<4xi32>, token
    %ms = reshape %m : tile<i32> -> tile<1xi32>
    %mb = broadcast %ms : tile<1xi32> -> tile<4xi32>
    %sum = addi %v, %mb : tile<4xi32>
    %ys = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
    %yb = broadcast %ys : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %yp = offset %yb, %at : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %u = store_ptr_tko weak %yp, %sum token=%t : tile<4xptr<i32>>, tile<4xi32> -> token
    return
  }
}
