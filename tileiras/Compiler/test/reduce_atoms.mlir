// Reductions of 32-bit integers over all lanes of a warp are one redux.sync, by the witness that tileas-legalize-reduce gives them;
// executed with the operations that there are, along both axes, over one warp and over several, compared with the reference.
// RUN: split-file %s %t
// RUN: tileiras-run %t/rows.mlir --engine=reference 'x:i32[64x128]=random(lo=-1000000,hi=1000000,seed=3)' 'out:y:i32[8x64]=poison' 'out:z:i32[2x128]=poison' --dump=y=%t/y.npy --dump=z=%t/z.npy
// RUN: tileiras-run %t/rows.mlir --gpu-name=sm_80 --check-races --schedules=3 'x:i32[64x128]=random(lo=-1000000,hi=1000000,seed=3)' 'out:y:i32[8x64]{expect=%t/y.npy}=poison' 'out:z:i32[2x128]{expect=%t/z.npy}=poison'
// RUN: tileiras-run %t/rows.mlir --gpu-name=sm_90 --check-races --schedules=3 'x:i32[64x128]=random(lo=-1000000,hi=1000000,seed=3)' 'out:y:i32[8x64]{expect=%t/y.npy}=poison' 'out:z:i32[2x128]{expect=%t/z.npy}=poison'
// RUN: tileiras-run %t/rows.mlir --gpu-name=sm_100 --check-races --schedules=3 'x:i32[64x128]=random(lo=-1000000,hi=1000000,seed=3)' 'out:y:i32[8x64]{expect=%t/y.npy}=poison' 'out:z:i32[2x128]{expect=%t/z.npy}=poison'
// RUN: tileiras-run %t/rows.mlir --gpu-name=sm_120 --check-races --schedules=3 'x:i32[64x128]=random(lo=-1000000,hi=1000000,seed=3)' 'out:y:i32[8x64]{expect=%t/y.npy}=poison' 'out:z:i32[2x128]{expect=%t/z.npy}=poison'
// RUN: tileiras %t/rows.mlir --gpu-name=sm_90 --emit=ptx -o %t/rows.ptx
// RUN: FileCheck %s < %t/rows.ptx
// CHECK-DAG: redux.sync.add.s32
// CHECK-DAG: redux.sync.min.s32
// CHECK-DAG: redux.sync.max.s32
// CHECK-DAG: redux.sync.min.u32
// CHECK-DAG: redux.sync.max.u32
// CHECK-DAG: redux.sync.and.b32
// CHECK-DAG: redux.sync.or.b32
// CHECK-DAG: redux.sync.xor.b32
// RUN: tileiras %t/rows.mlir --gpu-name=sm_90 --emit=tileas | FileCheck %s --check-prefix=ATOM
// ATOM: nv_tileas.reduce {{.*}}nv_tileas.reduce_atom = "redux"

// Another operation than the body's is noticed.
// RUN: sed 's/redux.sync.add.s32/redux.sync.min.s32/' %t/rows.ptx > %t/wrong.ptx
// RUN: not tileiras-run %t/wrong.ptx 'x:i32[64x128]=random(lo=-1000000,hi=1000000,seed=3)' 'out:y:i32[8x64]{expect=%t/y.npy}=poison' 'out:z:i32[2x128]{expect=%t/z.npy}=poison'

// Who asks for shuffles gets them; products, floats and bodies of more than one operation have no other way.
// RUN: tileiras-opt %t/asked.mlir -pass-pipeline='builtin.module(nv_tileaa.func(tileas-legalize-reduce))' | FileCheck %s --check-prefix=ASKED
// ASKED-LABEL: @asked
// ASKED: nv_tileas.reduce {{.*}}nv_tileas.reduce_atom = "butterfly"
// ASKED: nv_tileas.reduce {{.*}}nv_tileas.reduce_atom = "redux"
// ASKED-LABEL: @others
// ASKED-NOT: reduce_atom
// ASKED: nv_tileaa.return
// RUN: tileiras-opt %t/lowered.mlir -convert-nv-tileas-to-llvm | FileCheck %s --check-prefix=LLVM
// LLVM-LABEL: @shuffled
// LLVM-COUNT-5: nvvm.shfl.sync bfly
// LLVM-LABEL: @together
// LLVM-NOT: shfl
// LLVM: nvvm.redux.sync max

// What the instruction does not compute is refused.
// RUN: tileiras-opt %t/invalid.mlir -split-input-file -verify-diagnostics

//--- rows.mlir
!x = !cuda_tile.tensor_view<64x128xi32, strides=[128,1]>
!y = !cuda_tile.tensor_view<8x64xi32, strides=[64,1]>
!z = !cuda_tile.tensor_view<2x128xi32, strides=[128,1]>
cuda_tile.module @kernels {
  entry @rows(%px: tile<ptr<i32>>, %py: tile<ptr<i32>>, %pz: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %xm = make_tensor_view %px, shape = [64, 128], strides = [128, 1] : !x
    %ym = make_tensor_view %py, shape = [8, 64], strides = [64, 1] : !y
    %zm = make_tensor_view %pz, shape = [2, 128], strides = [128, 1] : !z
    %xv = make_partition_view %xm : !cuda_tile.partition_view<tile=(64x128), !x>
    %yv = make_partition_view %ym : !cuda_tile.partition_view<tile=(1x64), !y>
    %zv = make_partition_view %zm : !cuda_tile.partition_view<tile=(1x128), !z>
    %a, %t0 = load_view_tko weak %xv[%c0, %c0] : !cuda_tile.partition_view<tile=(64x128), !x>, tile<i32> -> tile<64x128xi32>, token
    %i0 = constant <i32: 0> : tile<i32>
    %r0 = reduce %a dim=1 identities=[0 : i32] : tile<64x128xi32> -> tile<64xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %v = addi %p, %q : tile<i32>
      yield %v : tile<i32>
    }
    %s0 = reshape %r0 : tile<64xi32> -> tile<1x64xi32>
    %t0a = store_view_tko weak %s0, %yv[%i0, %c0] : tile<1x64xi32>, !cuda_tile.partition_view<tile=(1x64), !y>, tile<i32> -> token
    %i1 = constant <i32: 1> : tile<i32>
    %r1 = reduce %a dim=1 identities=[2147483647 : i32] : tile<64x128xi32> -> tile<64xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %v = mini %p, %q signed : tile<i32>
      yield %v : tile<i32>
    }
    %s1 = reshape %r1 : tile<64xi32> -> tile<1x64xi32>
    %t1a = store_view_tko weak %s1, %yv[%i1, %c0] : tile<1x64xi32>, !cuda_tile.partition_view<tile=(1x64), !y>, tile<i32> -> token
    %i2 = constant <i32: 2> : tile<i32>
    %r2 = reduce %a dim=1 identities=[-2147483648 : i32] : tile<64x128xi32> -> tile<64xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %v = maxi %p, %q signed : tile<i32>
      yield %v : tile<i32>
    }
    %s2 = reshape %r2 : tile<64xi32> -> tile<1x64xi32>
    %t2a = store_view_tko weak %s2, %yv[%i2, %c0] : tile<1x64xi32>, !cuda_tile.partition_view<tile=(1x64), !y>, tile<i32> -> token
    %i3 = constant <i32: 3> : tile<i32>
    %r3 = reduce %a dim=1 identities=[-1 : i32] : tile<64x128xi32> -> tile<64xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %v = mini %p, %q unsigned : tile<i32>
      yield %v : tile<i32>
    }
    %s3 = reshape %r3 : tile<64xi32> -> tile<1x64xi32>
    %t3a = store_view_tko weak %s3, %yv[%i3, %c0] : tile<1x64xi32>, !cuda_tile.partition_view<tile=(1x64), !y>, tile<i32> -> token
    %i4 = constant <i32: 4> : tile<i32>
    %r4 = reduce %a dim=1 identities=[0 : i32] : tile<64x128xi32> -> tile<64xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %v = maxi %p, %q unsigned : tile<i32>
      yield %v : tile<i32>
    }
    %s4 = reshape %r4 : tile<64xi32> -> tile<1x64xi32>
    %t4a = store_view_tko weak %s4, %yv[%i4, %c0] : tile<1x64xi32>, !cuda_tile.partition_view<tile=(1x64), !y>, tile<i32> -> token
    %i5 = constant <i32: 5> : tile<i32>
    %r5 = reduce %a dim=1 identities=[-1 : i32] : tile<64x128xi32> -> tile<64xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %v = andi %p, %q : tile<i32>
      yield %v : tile<i32>
    }
    %s5 = reshape %r5 : tile<64xi32> -> tile<1x64xi32>
    %t5a = store_view_tko weak %s5, %yv[%i5, %c0] : tile<1x64xi32>, !cuda_tile.partition_view<tile=(1x64), !y>, tile<i32> -> token
    %i6 = constant <i32: 6> : tile<i32>
    %r6 = reduce %a dim=1 identities=[0 : i32] : tile<64x128xi32> -> tile<64xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %v = ori %p, %q : tile<i32>
      yield %v : tile<i32>
    }
    %s6 = reshape %r6 : tile<64xi32> -> tile<1x64xi32>
    %t6a = store_view_tko weak %s6, %yv[%i6, %c0] : tile<1x64xi32>, !cuda_tile.partition_view<tile=(1x64), !y>, tile<i32> -> token
    %i7 = constant <i32: 7> : tile<i32>
    %r7 = reduce %a dim=1 identities=[0 : i32] : tile<64x128xi32> -> tile<64xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %v = xori %p, %q : tile<i32>
      yield %v : tile<i32>
    }
    %s7 = reshape %r7 : tile<64xi32> -> tile<1x64xi32>
    %t7a = store_view_tko weak %s7, %yv[%i7, %c0] : tile<1x64xi32>, !cuda_tile.partition_view<tile=(1x64), !y>, tile<i32> -> token
    %k0 = reduce %a dim=0 identities=[0 : i32] : tile<64x128xi32> -> tile<128xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %v = addi %p, %q : tile<i32>
      yield %v : tile<i32>
    }
    %m0 = reshape %k0 : tile<128xi32> -> tile<1x128xi32>
    %n0 = store_view_tko weak %m0, %zv[%i0, %c0] : tile<1x128xi32>, !cuda_tile.partition_view<tile=(1x128), !z>, tile<i32> -> token
    %k1 = reduce %a dim=0 identities=[0 : i32] : tile<64x128xi32> -> tile<128xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %v = xori %p, %q : tile<i32>
      yield %v : tile<i32>
    }
    %m1 = reshape %k1 : tile<128xi32> -> tile<1x128xi32>
    %n1 = store_view_tko weak %m1, %zv[%i1, %c0] : tile<1x128xi32>, !cuda_tile.partition_view<tile=(1x128), !z>, tile<i32> -> token
    return
  }
}
//--- asked.mlir
#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
#half = #nv_tileas.linear<rank = 2, register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = [[0, 0]]>
#copies = #nv_tileas.linear<rank = 1, register = [[16]], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
#rows = #nv_tileas.linear<rank = 1, register = [], lane = [[0], [0], [0], [0], [1]], warp = [[0]]>
#spec = #nv_tileaa.kernel_spec<numWarps = 2, clusterDim = [1, 1, 1], numCTAs = 1>
nv_tileaa.func @asked(%x: tensor<64xi32, #l>) attributes {nv_tileaa.kernel_spec = #spec} {
  %a = nv_tileas.reduce %x {axis = 0 : i32, identities = [0 : i32], nv_tileas.reduce_atom = "butterfly"} : tensor<64xi32, #l> -> i32 {
  ^bb0(%element: i32, %all: i32):
    %next = arith.addi %element, %all : i32
    nv_tileas.yield %next : i32
  }
  %b = nv_tileas.reduce %x {axis = 0 : i32, identities = [0 : i32]} : tensor<64xi32, #l> -> i32 {
  ^bb0(%element: i32, %all: i32):
    %next = arith.maxsi %all, %element : i32
    nv_tileas.yield %next : i32
  }
  nv_tileaa.return
}
nv_tileaa.func @others(%x: tensor<64xi32, #l>, %f: tensor<64xf32, #l>, %h: tensor<2x16xi32, #half>, %k: tensor<32xi32, #copies>, %w: tensor<64xi64, #l>) attributes {nv_tileaa.kernel_spec = #spec} {
  // A product; a float; half of a warp; lanes that hold what registers do; 64 bits; two operations.
  %a = nv_tileas.reduce %x {axis = 0 : i32, identities = [1 : i32]} : tensor<64xi32, #l> -> i32 {
  ^bb0(%element: i32, %all: i32):
    %next = arith.muli %element, %all : i32
    nv_tileas.yield %next : i32
  }
  %b = nv_tileas.reduce %f {axis = 0 : i32, identities = [0.0 : f32]} : tensor<64xf32, #l> -> f32 {
  ^bb0(%element: f32, %all: f32):
    %next = arith.addf %element, %all : f32
    nv_tileas.yield %next : f32
  }
  %c = nv_tileas.reduce %h {axis = 1 : i32, identities = [0 : i32]} : tensor<2x16xi32, #half> -> tensor<2xi32, #rows> {
  ^bb0(%element: i32, %all: i32):
    %next = arith.addi %element, %all : i32
    nv_tileas.yield %next : i32
  }
  %d = nv_tileas.reduce %k {axis = 0 : i32, identities = [0 : i32]} : tensor<32xi32, #copies> -> i32 {
  ^bb0(%element: i32, %all: i32):
    %next = arith.addi %element, %all : i32
    nv_tileas.yield %next : i32
  }
  %e = nv_tileas.reduce %w {axis = 0 : i32, identities = [0 : i64]} : tensor<64xi64, #l> -> i64 {
  ^bb0(%element: i64, %all: i64):
    %next = arith.addi %element, %all : i64
    nv_tileas.yield %next : i64
  }
  %g = nv_tileas.reduce %x {axis = 0 : i32, identities = [0 : i32]} : tensor<64xi32, #l> -> i32 {
  ^bb0(%element: i32, %all: i32):
    %twice = arith.addi %element, %element : i32
    %next = arith.addi %twice, %all : i32
    nv_tileas.yield %next : i32
  }
  nv_tileaa.return
}
//--- lowered.mlir
#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @shuffled(%s: !llvm.struct<(i32, i32)>) -> i32 {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(i32, i32)> to tensor<64xi32, #l>
  %a = nv_tileas.reduce %x {axis = 0 : i32, identities = [0 : i32], nv_tileas.reduce_atom = "butterfly"} : tensor<64xi32, #l> -> i32 {
  ^bb0(%element: i32, %all: i32):
    %next = arith.maxsi %element, %all : i32
    nv_tileas.yield %next : i32
  }
  return %a : i32
}
func.func @together(%s: !llvm.struct<(i32, i32)>) -> i32 {
  %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(i32, i32)> to tensor<64xi32, #l>
  %a = nv_tileas.reduce %x {axis = 0 : i32, identities = [0 : i32], nv_tileas.reduce_atom = "redux"} : tensor<64xi32, #l> -> i32 {
  ^bb0(%element: i32, %all: i32):
    %next = arith.maxsi %element, %all : i32
    nv_tileas.yield %next : i32
  }
  return %a : i32
}
}
//--- invalid.mlir
#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
nv_tileaa.func @another(%x: tensor<64xi32, #l>) {
  // expected-error @below {{cannot be computed by redux.sync: the body is not, for each tile, one operation of those that redux.sync has}}
  %a = nv_tileas.reduce %x {axis = 0 : i32, identities = [0 : i32], nv_tileas.reduce_atom = "redux"} : tensor<64xi32, #l> -> i32 {
  ^bb0(%element: i32, %all: i32):
    %next = arith.muli %element, %all : i32
    nv_tileas.yield %next : i32
  }
  nv_tileaa.return
}

// -----

#half = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [0]], warp = [[0]]>
nv_tileaa.func @half(%x: tensor<16xi32, #half>) {
  // expected-error @below {{the lanes of a warp do not all hold another element of the axis}}
  %a = nv_tileas.reduce %x {axis = 0 : i32, identities = [0 : i32], nv_tileas.reduce_atom = "redux"} : tensor<16xi32, #half> -> i32 {
  ^bb0(%element: i32, %all: i32):
    %next = arith.addi %element, %all : i32
    nv_tileas.yield %next : i32
  }
  nv_tileaa.return
}

// -----

#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
nv_tileaa.func @no_such(%x: tensor<64xi32, #l>) {
  // expected-error @below {{expects 'nv_tileas.reduce_atom' to be "butterfly" or "redux", got "tree"}}
  %a = nv_tileas.reduce %x {axis = 0 : i32, identities = [0 : i32], nv_tileas.reduce_atom = "tree"} : tensor<64xi32, #l> -> i32 {
  ^bb0(%element: i32, %all: i32):
    %next = arith.addi %element, %all : i32
    nv_tileas.yield %next : i32
  }
  nv_tileaa.return
}
