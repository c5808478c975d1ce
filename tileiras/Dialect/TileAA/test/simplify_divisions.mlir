// Divisions by powers of two: what is left of them where a promise decides the low bits, and where nothing is known.
// Values, negative ones and the least one among them: test/EndToEnd/kernels_divisions.py.
// RUN: tileiras-opt %s --tileaa-simplify-divisions | FileCheck %s

// CHECK-LABEL: @exact
// CHECK-SAME: (%[[SIZE:.*]]: i32)
// CHECK: %[[N:.*]] = nv_tileaa.assume
// CHECK: %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK-NEXT: %[[UP:.*]] = arith.shrsi %[[N]], %[[SEVEN]] : i32
// CHECK-NEXT: %[[FIVE:.*]] = arith.constant 5 : i32
// CHECK-NEXT: %[[ZERO:.*]] = arith.shrsi %[[N]], %[[FIVE]] : i32
// CHECK-NEXT: %[[NONE:.*]] = arith.constant 0 : i32
// CHECK-NEXT: return %[[UP]], %[[ZERO]], %[[NONE]], %[[N]]
nv_tileaa.func @exact(%size: i32) -> (i32, i32, i32, i32) {
  %c128 = arith.constant 128 : i32
  %c32 = arith.constant 32 : i32
  %c1 = arith.constant 1 : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<128>, %size : i32
  %up = arith.ceildivsi %n, %c128 : i32
  %zero = arith.divsi %n, %c32 : i32
  %rest = arith.remsi %n, %c32 : i32
  %one = arith.floordivsi %n, %c1 : i32
  nv_tileaa.return %up, %zero, %rest, %one : i32, i32, i32, i32
}

// Rounding towards zero is no shift where the number may be negative and something may be left.
// CHECK-LABEL: @inexact
// CHECK-SAME: (%[[N:.*]]: tensor<4xi16>)
// CHECK: %[[C:.*]] = arith.constant dense<16> : tensor<4xi16>
// CHECK: %[[FOUR:.*]] = arith.constant dense<4> : tensor<4xi16>
// CHECK: %[[DOWN:.*]] = arith.shrsi %[[N]], %[[FOUR]]
// CHECK: %[[MASK:.*]] = arith.constant dense<15> : tensor<4xi16>
// CHECK: %[[LOW:.*]] = arith.andi %[[N]], %[[MASK]]
// CHECK: %[[SOME:.*]] = arith.cmpi ne, %[[LOW]],
// CHECK: %[[CARRY:.*]] = arith.extui %[[SOME]]
// CHECK: %[[UP:.*]] = arith.addi %[[DOWN]], %[[CARRY]]
// CHECK: %[[FLOOR:.*]] = arith.shrsi %[[N]],
// CHECK: %[[UNSIGNED:.*]] = arith.shrui %[[N]],
// CHECK: %[[MODULO:.*]] = arith.andi %[[N]],
// CHECK: %[[ZERO:.*]] = arith.divsi %[[N]], %[[C]]
// CHECK: %[[REST:.*]] = arith.remsi %[[N]], %[[C]]
// CHECK: return %[[UP]], %[[FLOOR]], %[[UNSIGNED]], %[[MODULO]], %[[ZERO]], %[[REST]]
nv_tileaa.func @inexact(%n: tensor<4xi16>) -> (tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, tensor<4xi16>) {
  %c = arith.constant dense<16> : tensor<4xi16>
  %up = arith.ceildivsi %n, %c : tensor<4xi16>
  %floor = arith.floordivsi %n, %c : tensor<4xi16>
  %unsigned = arith.divui %n, %c : tensor<4xi16>
  %modulo = arith.remui %n, %c : tensor<4xi16>
  %zero = arith.divsi %n, %c : tensor<4xi16>
  %rest = arith.remsi %n, %c : tensor<4xi16>
  nv_tileaa.return %up, %floor, %unsigned, %modulo, %zero, %rest : tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, tensor<4xi16>
}

// Not by negative powers, by the least number, or by what is not constant.
// CHECK-LABEL: @not_these
// CHECK: arith.floordivsi
// CHECK: arith.divui
// CHECK: arith.ceildivsi
nv_tileaa.func @not_these(%n: i32, %m: i32) -> (i32, i32, i32) {
  %minus = arith.constant -8 : i32
  %least = arith.constant -2147483648 : i32
  %a = arith.floordivsi %n, %minus : i32
  %b = arith.divui %n, %least : i32
  %c = arith.ceildivsi %n, %m : i32
  nv_tileaa.return %a, %b, %c : i32, i32, i32
}

// Of what is not negative every division rounds down.
// CHECK-LABEL: @not_negative
// CHECK: %[[N:.*]] = nv_tileaa.make_range
// CHECK: arith.shrsi %[[N]],
// CHECK: arith.andi %[[N]],
// CHECK-NOT: arith.{{div|rem}}
nv_tileaa.func @not_negative() -> (tensor<64xi32>, tensor<64xi32>) {
  %c = arith.constant dense<8> : tensor<64xi32>
  %n = nv_tileaa.make_range(3, 67) : tensor<64xi32>
  %zero = arith.divsi %n, %c : tensor<64xi32>
  %rest = arith.remsi %n, %c : tensor<64xi32>
  nv_tileaa.return %zero, %rest : tensor<64xi32>, tensor<64xi32>
}

// Divisions of what divisions gave: what is known of a number that is gone is not what is known of one that is new.
// CHECK-LABEL: @chain
// CHECK: arith.divsi
// CHECK: arith.remsi
nv_tileaa.func @chain(%x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %n = nv_tileaa.assume #nv_tileaa.div_by<1024>, %x : i32
  %d0 = arith.divsi %n, %c4 : i32
  %d1 = arith.floordivsi %y, %c2 : i32
  %d2 = arith.divsi %d1, %c4 : i32
  %d3 = arith.remsi %d1, %c4 : i32
  nv_tileaa.return %d0, %d1, %d2, %d3 : i32, i32, i32, i32
}
