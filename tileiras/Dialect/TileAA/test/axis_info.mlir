// RUN: tileiras-opt %s -test-print-axis-info -o /dev/null | FileCheck %s

// The pointers of a vector addition: base and block start aligned by a promise.
// CHECK-LABEL: @vector_add
nv_tileaa.func @vector_add(%p: !nv_tileaa.ptr<f32>, %n: i32) {
  // CHECK-NEXT: nv_tileaa.assume: contiguity = [1], divisibility = [16], constancy = [1]{{$}}
  %a = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
  // CHECK-NEXT: nv_tileaa.assume: contiguity = [1], divisibility = [8], constancy = [1]{{$}}
  %m = nv_tileaa.assume #nv_tileaa.div_by<8>, %n : i32
  // CHECK-COUNT-3: get_program_id: contiguity = [1], divisibility = [1], constancy = [1], non-negative
  %x, %y, %z = nv_tileaa.get_program_id
  // CHECK-NEXT: arith.constant: contiguity = [1], divisibility = [256], constancy = [1], constant = 256, non-negative
  %c256 = arith.constant 256 : i32
  // CHECK-NEXT: arith.muli: contiguity = [1], divisibility = [256], constancy = [1]{{$}}
  %start = arith.muli %x, %c256 : i32
  // CHECK-NEXT: make_range: contiguity = [256], divisibility = [4611686018427387904], constancy = [1], non-negative
  %lane = nv_tileaa.make_range(0, 256) : tensor<256xi32>
  // CHECK-NEXT: splat: contiguity = [1], divisibility = [256], constancy = [256]{{$}}
  %s = nv_tileaa.splat %start : i32 -> tensor<256xi32>
  // CHECK-NEXT: arith.addi: contiguity = [256], divisibility = [256], constancy = [1]{{$}}
  %i = arith.addi %s, %lane : tensor<256xi32>
  // CHECK-NEXT: splat: contiguity = [1], divisibility = [8], constancy = [256]{{$}}
  %ns = nv_tileaa.splat %m : i32 -> tensor<256xi32>
  // The bound is a multiple of 8: the mask changes only between groups of 8.
  // CHECK-NEXT: arith.cmpi: contiguity = [1], divisibility = [1], constancy = [8]{{$}}
  %mask = arith.cmpi slt, %i, %ns : tensor<256xi32>
  // CHECK-NEXT: splat: contiguity = [1], divisibility = [16], constancy = [256]{{$}}
  %ps = nv_tileaa.splat %a : !nv_tileaa.ptr<f32> -> tensor<256x!nv_tileaa.ptr<f32>>
  // CHECK-NEXT: addptr: contiguity = [256], divisibility = [16], constancy = [1]{{$}}
  %pp = nv_tileaa.addptr %ps, %i : tensor<256x!nv_tileaa.ptr<f32>>, tensor<256xi32>
  // CHECK-NEXT: vector of 4, order [0]
  %v, %t = nv_tileaa.load %pp, mask %mask : tensor<256x!nv_tileaa.ptr<f32>>, mask tensor<256xi1> -> tensor<256xf32>
  nv_tileaa.return
}

// Nothing promised: neighbours are known, their alignment is not.
// CHECK-LABEL: @unaligned
nv_tileaa.func @unaligned(%p: !nv_tileaa.ptr<f16>, %k: i32) {
  %lane = nv_tileaa.make_range(0, 64) : tensor<64xi32>
  %s = nv_tileaa.splat %k : i32 -> tensor<64xi32>
  // CHECK: arith.addi: contiguity = [64], divisibility = [1], constancy = [1]{{$}}
  %i = arith.addi %s, %lane : tensor<64xi32>
  %q = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %ps = nv_tileaa.splat %q : !nv_tileaa.ptr<f16> -> tensor<64x!nv_tileaa.ptr<f16>>
  // CHECK: addptr: contiguity = [64], divisibility = [2], constancy = [1]{{$}}
  %pp = nv_tileaa.addptr %ps, %i : tensor<64x!nv_tileaa.ptr<f16>>, tensor<64xi32>
  // CHECK-NEXT: vector of 1, order [0]
  %v, %t = nv_tileaa.load %pp : tensor<64x!nv_tileaa.ptr<f16>> -> tensor<64xf16>
  nv_tileaa.return
}

// Rows times stride plus columns, built as the front ends do: reshape, broadcast, permute.
// CHECK-LABEL: @rows_and_columns
nv_tileaa.func @rows_and_columns(%p: !nv_tileaa.ptr<f16>, %stride: i32) {
  %q = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f16>
  %st = nv_tileaa.assume #nv_tileaa.div_by<8>, %stride : i32
  %r = nv_tileaa.make_range(0, 32) : tensor<32xi32>
  // CHECK: nv_tileaa.view: contiguity = [32, 1], divisibility = [4611686018427387904, 1], constancy = [1, 1], non-negative
  %rv = nv_tileaa.view %r : tensor<32xi32> -> tensor<32x1xi32>
  // CHECK-NEXT: broadcast: contiguity = [32, 1], divisibility = [4611686018427387904, 1], constancy = [1, 64], non-negative
  %rb = nv_tileaa.broadcast %rv : tensor<32x1xi32> -> tensor<32x64xi32>
  // CHECK-NEXT: splat: contiguity = [1, 1], divisibility = [8, 8], constancy = [32, 64]{{$}}
  %ss = nv_tileaa.splat %st : i32 -> tensor<32x64xi32>
  // CHECK-NEXT: muli: contiguity = [1, 1], divisibility = [8, 8], constancy = [1, 64]{{$}}
  %ro = arith.muli %rb, %ss : tensor<32x64xi32>
  %c = nv_tileaa.make_range(0, 64) : tensor<64xi32>
  // CHECK: expand_dims: contiguity = [1, 64], divisibility = [1, 4611686018427387904], constancy = [1, 1], non-negative
  %cv = nv_tileaa.expand_dims %c {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %cb = nv_tileaa.broadcast %cv : tensor<1x64xi32> -> tensor<32x64xi32>
  // CHECK: addi: contiguity = [1, 64], divisibility = [1, 8], constancy = [1, 1]{{$}}
  %o = arith.addi %ro, %cb : tensor<32x64xi32>
  // CHECK-NEXT: extsi: contiguity = [1, 64], divisibility = [1, 8], constancy = [1, 1]{{$}}
  %o64 = arith.extsi %o : tensor<32x64xi32> to tensor<32x64xi64>
  %ps = nv_tileaa.splat %q : !nv_tileaa.ptr<f16> -> tensor<32x64x!nv_tileaa.ptr<f16>>
  // CHECK: addptr: contiguity = [1, 64], divisibility = [2, 16], constancy = [1, 1]{{$}}
  %pp = nv_tileaa.addptr %ps, %o64 : tensor<32x64x!nv_tileaa.ptr<f16>>, tensor<32x64xi64>
  // CHECK-NEXT: vector of 8, order [1, 0]
  %v, %t = nv_tileaa.load %pp : tensor<32x64x!nv_tileaa.ptr<f16>> -> tensor<32x64xf16>
  // CHECK-NEXT: permute: contiguity = [64, 1], divisibility = [16, 2], constancy = [1, 1]{{$}}
  %pt = nv_tileaa.permute %pp [1, 0] : tensor<32x64x!nv_tileaa.ptr<f16>> -> tensor<64x32x!nv_tileaa.ptr<f16>>
  // CHECK-NEXT: vector of 8, order [0, 1]
  %w, %t2 = nv_tileaa.load %pt : tensor<64x32x!nv_tileaa.ptr<f16>> -> tensor<64x32xf16>
  nv_tileaa.return
}

// i / 8 and i % 8 for a range: rounding to zero needs non-negative numbers.
// CHECK-LABEL: @div_rem
nv_tileaa.func @div_rem(%n: i32) {
  %r = nv_tileaa.make_range(0, 64) : tensor<64xi32>
  %c8 = arith.constant dense<8> : tensor<64xi32>
  // CHECK: divsi: contiguity = [1], divisibility = [1], constancy = [8], non-negative
  %d = arith.divsi %r, %c8 : tensor<64xi32>
  // CHECK-NEXT: remsi: contiguity = [8], divisibility = [8], constancy = [1], non-negative
  %m = arith.remsi %r, %c8 : tensor<64xi32>
  %b = nv_tileaa.assume #nv_tileaa.div_by<64>, %n : i32
  %bs = nv_tileaa.splat %b : i32 -> tensor<64xi32>
  // CHECK: addi: contiguity = [64], divisibility = [64], constancy = [1]{{$}}
  %s = arith.addi %r, %bs : tensor<64xi32>
  // CHECK-NEXT: divsi: contiguity = [1], divisibility = [1], constancy = [1]{{$}}
  %ds = arith.divsi %s, %c8 : tensor<64xi32>
  // CHECK-NEXT: divui: contiguity = [1], divisibility = [1], constancy = [8]{{$}}
  %du = arith.divui %s, %c8 : tensor<64xi32>
  // CHECK-NEXT: remsi: contiguity = [1], divisibility = [1], constancy = [1]{{$}}
  %ms = arith.remsi %s, %c8 : tensor<64xi32>
  // CHECK-NEXT: remui: contiguity = [8], divisibility = [8], constancy = [1]{{$}}
  %mu = arith.remui %s, %c8 : tensor<64xi32>
  // CHECK-NEXT: shrsi: contiguity = [1], divisibility = [1], constancy = [64]{{$}}
  %sh = arith.shrsi %s, %c8 : tensor<64xi32>
  %c7 = arith.constant dense<7> : tensor<64xi32>
  // CHECK: andi: contiguity = [8], divisibility = [8], constancy = [1], non-negative
  %an = arith.andi %s, %c7 : tensor<64xi32>
  %cm8 = arith.constant dense<-8> : tensor<64xi32>
  // CHECK: andi: contiguity = [1], divisibility = [8], constancy = [8]{{$}}
  %am = arith.andi %s, %cm8 : tensor<64xi32>
  // CHECK-NEXT: ori: contiguity = [8], divisibility = [8], constancy = [1], non-negative
  %or = arith.ori %r, %c8 : tensor<64xi32>
  // CHECK-NEXT: shli: contiguity = [1], divisibility = [256], constancy = [1]{{$}}
  %sl = arith.shli %r, %c8 : tensor<64xi32>
  nv_tileaa.return
}

// A wrapped block is not contiguous after an extension.
// CHECK-LABEL: @wrap
nv_tileaa.func @wrap() {
  %r = nv_tileaa.make_range(0, 256) : tensor<256xi8>
  // CHECK: extsi: contiguity = [128], divisibility = [128], constancy = [1]{{$}}
  %s = arith.extsi %r : tensor<256xi8> to tensor<256xi32>
  // CHECK-NEXT: extui: contiguity = [256], divisibility = [4611686018427387904], constancy = [1], non-negative
  %u = arith.extui %r : tensor<256xi8> to tensor<256xi32>
  %b = nv_tileaa.make_range(0, 2) : tensor<2xi1>
  // CHECK: extsi: contiguity = [1], divisibility = [1], constancy = [1]{{$}}
  %e = arith.extsi %b : tensor<2xi1> to tensor<2xi32>
  nv_tileaa.return
}

// Loops: carried pointers advance by a multiple, the induction variable starts and steps by multiples.
// CHECK-LABEL: @loop
nv_tileaa.func @loop(%p: !nv_tileaa.ptr<f32>, %n: i32, %c: i1) {
  %q = nv_tileaa.assume #nv_tileaa.div_by<32>, %p : !nv_tileaa.ptr<f32>
  %r = nv_tileaa.make_range(0, 128) : tensor<128xi32>
  %ps = nv_tileaa.splat %q : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>>
  // CHECK: addptr: contiguity = [128], divisibility = [32], constancy = [1]{{$}}
  %p0 = nv_tileaa.addptr %ps, %r : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
  %zero = arith.constant 0 : i32
  %step = arith.constant 48 : i32
  %four = arith.constant dense<4> : tensor<128xi32>
  // CHECK: iv: contiguity = [1], divisibility = [16], constancy = [1], non-negative
  // CHECK-NEXT: iter_arg: contiguity = [128], divisibility = [16], constancy = [1]{{$}}
  // CHECK-NEXT: scf.for: contiguity = [128], divisibility = [16], constancy = [1]{{$}}
  %end = scf.for %i = %zero to %n step %step iter_args(%pi = %p0) -> (tensor<128x!nv_tileaa.ptr<f32>>) : i32 {
    %v, %t = nv_tileaa.load %pi : tensor<128x!nv_tileaa.ptr<f32>> -> tensor<128xf32>
    // CHECK: vector of 4
    %pn = nv_tileaa.addptr %pi, %four : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
    scf.yield %pn : tensor<128x!nv_tileaa.ptr<f32>>
  }
  %two = arith.constant dense<2> : tensor<128xi32>
  %r2 = arith.muli %r, %two : tensor<128xi32>
  // CHECK: scf.if: contiguity = [1], divisibility = [1], constancy = [1]{{$}}
  %if = scf.if %c -> (tensor<128xi32>) {
    scf.yield %r : tensor<128xi32>
  } else {
    scf.yield %r2 : tensor<128xi32>
  }
  nv_tileaa.return
}

// Promises on tiles.
// CHECK-LABEL: @assume
nv_tileaa.func @assume(%p: tensor<8x32x!nv_tileaa.ptr<f16>>, %i: tensor<8x32xi32>) {
  // CHECK-NEXT: assume: contiguity = [1, 16], divisibility = [1, 64], constancy = [1, 1]{{$}}
  %a = nv_tileaa.assume #nv_tileaa.div_by<64, every 16 along 1>, %p : tensor<8x32x!nv_tileaa.ptr<f16>>
  // CHECK-NEXT: vector of 16, order [1, 0]
  %v, %t = nv_tileaa.load %a : tensor<8x32x!nv_tileaa.ptr<f16>> -> tensor<8x32xf16>
  // CHECK-NEXT: assume: contiguity = [1, 1], divisibility = [4, 4], constancy = [1, 1]{{$}}
  %b = nv_tileaa.assume #nv_tileaa.div_by<4>, %i : tensor<8x32xi32>
  // CHECK-NEXT: assume: contiguity = [1, 1], divisibility = [4, 4], constancy = [2, 8]{{$}}
  %c = nv_tileaa.assume #nv_tileaa.same_elements<[2, 8]>, %b : tensor<8x32xi32>
  // CHECK-NEXT: assume: contiguity = [1, 1], divisibility = [4, 4], constancy = [2, 8], non-negative
  %d = nv_tileaa.assume #nv_tileaa.bounded<lb = 0>, %c : tensor<8x32xi32>
  // CHECK-NEXT: view: contiguity = [1], divisibility = [4], constancy = [8], non-negative
  %e = nv_tileaa.view %d : tensor<8x32xi32> -> tensor<256xi32>
  // CHECK-NEXT: view: contiguity = [1, 1, 1], divisibility = [4, 4, 4], constancy = [2, 2, 4], non-negative
  %f = nv_tileaa.view %d : tensor<8x32xi32> -> tensor<8x8x4xi32>
  nv_tileaa.return
}

// Constants, tables, slices, halves; layout encodings make no difference.
// CHECK-LABEL: @tables
nv_tileaa.func @tables(%k: i32) {
  // CHECK-NEXT: constant: contiguity = [4], divisibility = [4], constancy = [1], non-negative
  %t = arith.constant dense<[4, 5, 6, 7, 12, 13, 14, 15]> : tensor<8xi32>
  // CHECK-NEXT: constant_tensor: contiguity = [1, 2], divisibility = [1, 2], constancy = [2, 1], non-negative
  %u = nv_tileaa.constant_tensor dense<[[2, 3, 8, 9], [2, 3, 8, 9]]> : tensor<2x4xi32> : tensor<2x4xi32>
  // CHECK-NEXT: cat: contiguity = [4], divisibility = [4], constancy = [1], non-negative
  %c = nv_tileaa.cat %t, %t {axis = 0 : i32} : tensor<8xi32>, tensor<8xi32> -> tensor<16xi32>
  // CHECK-NEXT: extract_slice: contiguity = [2], divisibility = [2], constancy = [1], non-negative
  %e = nv_tileaa.extract_slice %t[%k] : tensor<8xi32> -> tensor<2xi32>
  // CHECK-NEXT: make_range: contiguity = [32], divisibility = [4611686018427387904]
  %r = nv_tileaa.make_range(0, 32) : tensor<32xi32, "layout">
  // CHECK-NEXT: make_range: contiguity = [32], divisibility = [8]
  %r8 = nv_tileaa.make_range(8, 40) : tensor<32xi32>
  // CHECK-NEXT: constant: {{.*}} constancy = [32], constant = 3
  %c3 = arith.constant dense<3> : tensor<32xi32>
  // CHECK-NEXT: muli: contiguity = [1], divisibility = [1], constancy = [1]
  %m = arith.muli %r8, %c3 : tensor<32xi32>
  // CHECK-NEXT: trunci: contiguity = [32], divisibility = [8], constancy = [1]{{$}}
  %tr = arith.trunci %r8 : tensor<32xi32> to tensor<32xi16>
  // x <= 3 is x < 4.
  // CHECK-NEXT: cmpi: {{.*}} constancy = [4]{{$}}
  %le = arith.cmpi sle, %r8, %c3 : tensor<32xi32>
  // CHECK-NEXT: cmpi: {{.*}} constancy = [1]{{$}}
  %lt = arith.cmpi slt, %r8, %c3 : tensor<32xi32>
  // CHECK-NEXT: select: contiguity = [1], divisibility = [1], constancy = [1], non-negative
  %s = arith.select %le, %r8, %c3 : tensor<32xi1>, tensor<32xi32>
  // CHECK-NEXT: select: contiguity = [4], divisibility = [4], constancy = [1], non-negative
  %s2 = arith.select %le, %r8, %r8 : tensor<32xi1>, tensor<32xi32>
  nv_tileaa.return
}

// Pointers to pointers are moved by 8 bytes.
// CHECK-LABEL: @table
nv_tileaa.func @table(%p: !nv_tileaa.ptr<!nv_tileaa.ptr<f16>>) {
  %a = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<!nv_tileaa.ptr<f16>>
  %lane = nv_tileaa.make_range(0, 32) : tensor<32xi32>
  %ps = nv_tileaa.splat %a : !nv_tileaa.ptr<!nv_tileaa.ptr<f16>> -> tensor<32x!nv_tileaa.ptr<!nv_tileaa.ptr<f16>>>
  // CHECK: addptr: contiguity = [32], divisibility = [16], constancy = [1]{{$}}
  %pp = nv_tileaa.addptr %ps, %lane : tensor<32x!nv_tileaa.ptr<!nv_tileaa.ptr<f16>>>, tensor<32xi32>
  // CHECK: vector of 2, order [0]
  %v, %t = nv_tileaa.load %pp : tensor<32x!nv_tileaa.ptr<!nv_tileaa.ptr<f16>>> -> tensor<32x!nv_tileaa.ptr<f16>>
  nv_tileaa.return
}
