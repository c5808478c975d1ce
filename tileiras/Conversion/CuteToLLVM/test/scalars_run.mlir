// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division by multiplication, coordinates as predicates, comparisons, stores of vectors, prints: executed.
// RUN: tileiras-run %s --entry=divmod --gpu-name=sm_80 --engine=emulator --check-races --grid=64 --block=128 'd:i32[64]=bits(seed=7)' 'n:i32[128]=bits(seed=8)' 'out:wrong:i32[1]=zeros' --show=wrong | FileCheck %s --check-prefix=DIV
// RUN: tileiras-run %s --entry=guarded --gpu-name=sm_80 --engine=emulator --check-races --grid=2,2 --block=32 'in:i32[13x21]=iota(lo=1)' 'out:y:i32[13x21]' i32=13 i32=21 --dump=in=%t.npy
// RUN: tileiras-run %s --entry=guarded --gpu-name=sm_80 --engine=emulator --check-races --grid=2,2 --block=32 'in:i32[13x21]=iota(lo=1)' 'out:y:i32[13x21]{expect=%t.npy}' i32=13 i32=21
// RUN: tileiras-run %s --entry=others --gpu-name=sm_80 --engine=emulator --check-races --block=1 'out:y:i32[16]=9' i32=12 --show=y 2>&1 | FileCheck %s --check-prefix=OTHER

// RUN: tileiras-run %s --entry=descriptors --gpu-name=sm_80 --engine=emulator --check-races --block=1 'out:y:i32[4]' --show=y | FileCheck %s --check-prefix=DESC

// DIV: wrong: 0
// Mode 1 (128 bytes) and 1024 bytes between groups of eight rows; without swizzle 256 bytes, and 128 between columns of 16 bytes.
// DESC: y: 1073741888 1 8 16
!p = !cute.ptr<i32, gmem>
!d = !cute.fast_divmod_divisor
gpu.module @kernels {
  // Every divisor (its upper half may be set) with every dividend, and 1, 2^31 and 2^32 - 1.
  gpu.func @divmod(%ds: !llvm.ptr<1>, %ns: !llvm.ptr<1>, %wrong: !llvm.ptr<1>) kernel {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %b = arith.index_cast %bx : index to i32
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c31 = arith.constant 31 : i32
    %pd = llvm.getelementptr %ds[%b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %pn = llvm.getelementptr %ns[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %drawn = llvm.load %pd : !llvm.ptr<1> -> i32
    %n0 = llvm.load %pn : !llvm.ptr<1> -> i32
    // A few divisors are small ones and the borders.
    %shift = arith.remui %b, %c31 : i32
    %narrow = arith.shrui %drawn, %shift : i32
    %first = arith.cmpi ult, %b, %c2 : i32
    %border = arith.shli %c1, %c31 : i32
    %small = arith.addi %b, %c1 : i32
    %d0 = arith.select %first, %small, %narrow : i32
    %c5 = arith.constant 5 : i32
    %isfive = arith.cmpi eq, %b, %c5 : i32
    %d1 = arith.select %isfive, %border, %d0 : i32
    %d = arith.maxui %d1, %c1 : i32
    %t5 = arith.remui %t, %c5 : i32
    %iszero = arith.cmpi eq, %t5, %c0 : i32
    %n1 = arith.muli %d, %t : i32
    %n = arith.select %iszero, %n1, %n0 : i32
    %fast = cute.fast_divmod.create_divisor(%d) : !d
    %q, %r = cute.fast_divmod.divide(%n, %fast) : !d
    %again = cute.fast_divmod.get_divisor(%fast) : !d
    %q1 = arith.divui %n, %again : i32
    %r1 = arith.remui %n, %again : i32
    %badq = arith.cmpi ne, %q, %q1 : i32
    %badr = arith.cmpi ne, %r, %r1 : i32
    %bad = arith.ori %badq, %badr : i1
    scf.if %bad {
      %old = llvm.atomicrmw add %wrong, %c1 monotonic : !llvm.ptr<1>, i32
    }
    gpu.return
  }

  // Tiles of 8x16 of a 13x21 matrix: the tensor of coordinates, cut as the data is, says what is inside.
  gpu.func @guarded(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %m: i32, %n: i32) kernel {
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %t = arith.index_cast %tx : index to i32
    %bm = arith.index_cast %bx : index to i32
    %bn = arith.index_cast %by : index to i32
    %one = cute.static : !cute.int_tuple<"1">
    %shape = cute.make_shape(%m, %n) : (i32, i32) -> !cute.shape<"(?,?)">
    %stride = cute.make_stride(%n, %one) : (i32, !cute.int_tuple<"1">) -> !cute.stride<"(?,1)">
    %layout = cute.make_layout(%shape, %stride) : (!cute.shape<"(?,?)">, !cute.stride<"(?,1)">) -> !cute.layout<"(?,?):(?,1)">
    %pi = cute.inttoptr(%in) : (!llvm.ptr<1>) -> !p
    %po = cute.inttoptr(%out) : (!llvm.ptr<1>) -> !p
    %gi = cute.make_view(%pi, %layout) : (!p, !cute.layout<"(?,?):(?,1)">) -> !cute.memref<i32, gmem, "(?,?):(?,1)">
    %go = cute.make_view(%po, %layout) : (!p, !cute.layout<"(?,?):(?,1)">) -> !cute.memref<i32, gmem, "(?,?):(?,1)">
    %id = cute.make_identity_tensor(%shape) : (!cute.shape<"(?,?)">) -> !cute.coord_tensor<"(0,0) o (?,?):(1@0,1@1)">
    %tile = cute.static : !cute.tile<"[8:1;16:1]">
    %at = cute.make_coord(%bm, %bn) : (i32, i32) -> !cute.coord<"(?,?)">
    %ti = cute.local_tile(%gi, %tile, %at) : (!cute.memref<i32, gmem, "(?,?):(?,1)">, !cute.tile<"[8:1;16:1]">, !cute.coord<"(?,?)">) -> !cute.memref<i32, gmem, "(8,16):(?,1)">
    %to = cute.local_tile(%go, %tile, %at) : (!cute.memref<i32, gmem, "(?,?):(?,1)">, !cute.tile<"[8:1;16:1]">, !cute.coord<"(?,?)">) -> !cute.memref<i32, gmem, "(8,16):(?,1)">
    %tc = cute.local_tile(%id, %tile, %at) : (!cute.coord_tensor<"(0,0) o (?,?):(1@0,1@1)">, !cute.tile<"[8:1;16:1]">, !cute.coord<"(?,?)">) -> !cute.coord_tensor<"(?{div=8},?{div=16}) o (8,16):(1@0,1@1)">
    %threads = cute.static : !cute.layout<"(4,8):(8,1)">
    %xi = cute.local_partition(%ti, %threads, %t) : (!cute.memref<i32, gmem, "(8,16):(?,1)">, !cute.layout<"(4,8):(8,1)">, i32) -> !cute.memref<i32, gmem, "(2,2):(?{div=4},8)">
    %xo = cute.local_partition(%to, %threads, %t) : (!cute.memref<i32, gmem, "(8,16):(?,1)">, !cute.layout<"(4,8):(8,1)">, i32) -> !cute.memref<i32, gmem, "(2,2):(?{div=4},8)">
    %xc = cute.local_partition(%tc, %threads, %t) : (!cute.coord_tensor<"(?{div=8},?{div=16}) o (8,16):(1@0,1@1)">, !cute.layout<"(4,8):(8,1)">, i32) -> !cute.coord_tensor<"(?,?) o (2,2):(4@0,8@1)">
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %where = cute.crd2idx(%i, %xc) : (i32, !cute.coord_tensor<"(?,?) o (2,2):(4@0,8@1)">) -> !cute.int_tuple<"(?,?)">
      %row, %column = cute.unpack_tuple(%where) : (!cute.int_tuple<"(?,?)">) -> (i32, i32)
      %inm = arith.cmpi slt, %row, %m : i32
      %inn = arith.cmpi slt, %column, %n : i32
      %inside = arith.andi %inm, %inn : i1
      scf.if %inside {
        %v = cute.memref.load(%xi, %i) : (!cute.memref<i32, gmem, "(2,2):(?{div=4},8)">, i32) -> i32
        cute.memref.store(%xo, %i, %v) : !cute.memref<i32, gmem, "(2,2):(?{div=4},8)">, i32, i32
      }
    }
    gpu.return
  }

  // The fields of matrix descriptors, without the address.
  gpu.func @descriptors(%out: !llvm.ptr<1>) kernel {
    %c16 = arith.constant 16 : i64
    %c32 = arith.constant 32 : i64
    %mask = arith.constant 65535 : i32
    %i1 = arith.constant 1 : i32
    %i2 = arith.constant 2 : i32
    %i3 = arith.constant 3 : i32
    %p = cute.inttoptr(%out) : (!llvm.ptr<1>) -> !p
    %s = cute.memref.alloc_smem : !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((64,16),1,4):((64,1),0,16)">
    %it = cute.make_desc_iter(%s) : (!cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o ((64,16),1,4):((64,1),0,16)">) -> !cute.desc_iter<k, 128, 0, 1024>
    %d = cute.deref_desc_iter(%it) : !cute.desc_iter<k, 128, 0, 1024>
    %high64 = arith.shrui %d, %c32 : i64
    %high = arith.trunci %high64 : i64 to i32
    %low64 = arith.shrui %d, %c16 : i64
    %low32 = arith.trunci %low64 : i64 to i32
    %low = arith.andi %low32, %mask : i32
    // Pieces of 8 rows of 16 bytes: along k 128 bytes apart, along the rows 256.
    %u = cute.memref.alloc_smem : !cute.memref<f16, smem, align<128>, "(((8,8),(8,2))):(((8,128),(1,64)))">
    %iu = cute.make_desc_iter(%u) : (!cute.memref<f16, smem, align<128>, "(((8,8),(8,2))):(((8,128),(1,64)))">) -> !cute.desc_iter<k, 0, 128, 256>
    %e = cute.deref_desc_iter(%iu) : !cute.desc_iter<k, 0, 128, 256>
    %lead64 = arith.shrui %e, %c16 : i64
    %lead32 = arith.trunci %lead64 : i64 to i32
    %lead = arith.andi %lead32, %mask : i32
    %stride64 = arith.shrui %e, %c32 : i64
    %stride = arith.trunci %stride64 : i64 to i32
    %p1 = cute.add_offset(%p, %i1) : (!p, i32) -> !p
    %p2 = cute.add_offset(%p, %i2) : (!p, i32) -> !p
    %p3 = cute.add_offset(%p, %i3) : (!p, i32) -> !p
    cute.ptr.store(%p, %high) : !p, i32
    cute.ptr.store(%p1, %low) : !p, i32
    cute.ptr.store(%p2, %lead) : !p, i32
    cute.ptr.store(%p3, %stride) : !p, i32
    gpu.return
  }

  gpu.func @others(%out: !llvm.ptr<1>, %n: i32) kernel {
    %c2 = arith.constant 2 : i32
    %c7 = arith.constant 7 : i32
    %p = cute.inttoptr(%out) : (!llvm.ptr<1>) -> !p
    %shape = cute.make_shape(%n, %c2) : (i32, i32) -> !cute.shape<"(?{div=4},?)">
    %fixed = cute.static : !cute.shape<"(12,2)">
    %open = cute.derefine(%fixed) : (!cute.shape<"(12,2)">) -> !cute.shape<"(?{div=4},2)">
    %same = cute.equal(%shape, %open) : !cute.shape<"(?{div=4},?)">, !cute.shape<"(?{div=4},2)">
    %other = cute.static : !cute.shape<"(12,3)">
    %differ = cute.tuple_eq(%shape, %other) : !cute.shape<"(?{div=4},?)">, !cute.shape<"(12,3)">
    %s = arith.extui %same : i1 to i32
    %d = arith.extui %differ : i1 to i32
    cute.ptr.store(%p, %s) : !p, i32
    %c4 = arith.constant 4 : i32
    %p4 = cute.add_offset(%p, %c4) : (!p, i32) -> !p
    cute.ptr.store(%p4, %d) : !p, i32
    // A vector into every third element.
    %v = arith.constant dense<[10, 20, 30, 40]> : vector<4xi32>
    %p3 = cute.add_offset(%p, %c2) : (!p, i32) -> !p
    %thirds = cute.static : !cute.layout<"4:3">
    %t = cute.make_view(%p3, %thirds) : (!p, !cute.layout<"4:3">) -> !cute.memref<i32, gmem, "4:3">
    cute.memref.store_vec(%t, %v) : !cute.memref<i32, gmem, "4:3">, vector<4xi32>
    %tile = cute.static : !cute.tile<"[4:1;(2,4):(1,8)]">
    %l0, %l1 = cute.get_layouts_from_tile(%tile) : (!cute.tile<"[4:1;(2,4):(1,8)]">) -> (!cute.layout<"4:1">, !cute.layout<"(2,4):(1,8)">)
    %cosize = cute.cosize(%l1) : (!cute.layout<"(2,4):(1,8)">) -> !cute.int_tuple<"26">
    %c = cute.unpack_tuple(%cosize) : (!cute.int_tuple<"26">) -> i32
    %p7 = cute.add_offset(%p, %c7) : (!p, i32) -> !p
    cute.ptr.store(%p7, %c) : !p, i32
    cute.print("100% of", %shape, %n, %tile) : !cute.shape<"(?{div=4},?)">, i32, !cute.tile<"[4:1;(2,4):(1,8)]">
    gpu.return
  }
}
// OTHER-DAG: 100% of (12,2) 12 [4:1;(2,4):(1,8)]
// OTHER-DAG: y: 1 9 10 9 0 20 9 26 30 9 9 40 9
