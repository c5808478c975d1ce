// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Module level, shapes, assumptions and literals: printed as written.
// RUN: tileiras-opt %s | tileiras-opt | FileCheck %s
// RUN: tileiras-opt -mlir-print-op-generic %s | tileiras-opt | FileCheck %s

// CHECK-LABEL: cuda_tile.module @m {
cuda_tile.module @m {
  // CHECK: global @a <f32: [1.000000e+00, 2.000000e+00]> : tile<2xf32>
  global @a <f32: [1.000000e+00, 2.000000e+00]> : tile<2xf32>
  // CHECK: global private @b <i8: 3> : tile<16xi8>
  global private @b <i8: 3> : tile<16xi8>
  // CHECK: global constant @c alignment = 64 <i1: [true, false]> : tile<2xi1>
  global public constant @c alignment = 64 <i1: [true, false]> : tile<2xi1>

  // CHECK-LABEL: entry @shapes(
  entry @shapes(%i: tile<i32>, %p: tile<ptr<f32>>) {
    // CHECK: iota : tile<8xi32>
    %0 = iota : tile<8xi32>
    // CHECK: reshape {{%[a-zA-Z_0-9]+}} : tile<8xi32> -> tile<2x4xi32>
    %1 = reshape %0 : tile<8xi32> -> tile<2x4xi32>
    // CHECK: permute {{%[a-zA-Z_0-9]+}} [1, 0] : tile<2x4xi32> -> tile<4x2xi32>
    %2 = permute %1 [1, 0] : tile<2x4xi32> -> tile<4x2xi32>
    // CHECK: cat {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} dim = 1 : tile<4x2xi32>, tile<4x2xi32> -> tile<4x4xi32>
    %3 = cat %2, %2 dim = 1 : tile<4x2xi32>, tile<4x2xi32> -> tile<4x4xi32>
    // CHECK: extract {{%[a-zA-Z_0-9]+}}[{{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}] : tile<4x4xi32> -> tile<2x2xi32>
    %4 = extract %3[%i, %i] : tile<4x4xi32> -> tile<2x2xi32>
    // CHECK: insert {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}[{{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}] : tile<2x2xi32>, tile<4x4xi32>
    %5 = insert %4, %3[%i, %i] : tile<2x2xi32>, tile<4x4xi32>
    // CHECK: extract {{%[a-zA-Z_0-9]+}}[{{%[a-zA-Z_0-9]+}}] : tile<8xi32> -> tile<1xi32>
    %6 = extract %0[%i] : tile<8xi32> -> tile<1xi32>
    // CHECK: broadcast {{%[a-zA-Z_0-9]+}} : tile<1xi32> -> tile<8xi32>
    %7 = broadcast %6 : tile<1xi32> -> tile<8xi32>
    // CHECK: cmpi equal {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, signed : tile<8xi32> -> tile<8xi1>
    %8 = cmpi equal %0, %7, signed : tile<8xi32> -> tile<8xi1>
    // CHECK: select {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<8xi1>, tile<8xi32>
    %9 = select %8, %0, %7 : tile<8xi1>, tile<8xi32>
    // CHECK: offset {{%[a-zA-Z_0-9]+}}, {{%[a-zA-Z_0-9]+}} : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %10 = offset %p, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    // CHECK: pack {{%[a-zA-Z_0-9]+}} : tile<8xi32> -> tile<32xi8>
    %11 = pack %0 : tile<8xi32> -> tile<32xi8>
    // CHECK: unpack {{%[a-zA-Z_0-9]+}} : tile<32xi8> -> tile<64xi4>
    %12 = unpack %11 : tile<32xi8> -> tile<64xi4>
    // CHECK: unpack {{%[a-zA-Z_0-9]+}} : tile<32xi8> -> tile<64xf4E2M1FN>
    %13 = unpack %11 : tile<32xi8> -> tile<64xf4E2M1FN>
    // CHECK: get_global @a : tile<ptr<f32>>
    %14 = get_global @a : tile<ptr<f32>>
    // CHECK: get_tile_block_id : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    // CHECK: get_num_tile_blocks : tile<i32>
    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
    // CHECK: return
    return
  }

  // CHECK-LABEL: entry @assumptions(
  entry @assumptions(%p: tile<ptr<f32>>) {
    // CHECK: assume div_by<16>, {{%[a-zA-Z_0-9]+}} : tile<ptr<f32>>
    %0 = assume div_by<16>, %p : tile<ptr<f32>>
    // CHECK: iota : tile<8xi32>
    %1 = iota : tile<8xi32>
    // CHECK: assume div_by<4, every 2 along 0>, {{%[a-zA-Z_0-9]+}} : tile<8xi32>
    %2 = assume div_by<4, every 2 along 0>, %1 : tile<8xi32>
    // CHECK: assume same_elements<[4]>, {{%[a-zA-Z_0-9]+}} : tile<8xi32>
    %3 = assume #cuda_tile.same_elements<[4]>, %2 : tile<8xi32>
    // CHECK: assume bounded<0, ?>, {{%[a-zA-Z_0-9]+}} : tile<8xi32>
    %4 = assume bounded<0, ?>, %3 : tile<8xi32>
    // CHECK: assume bounded<?, 127>, {{%[a-zA-Z_0-9]+}} : tile<8xi32>
    %5 = assume bounded<?, 127>, %4 : tile<8xi32>
    // CHECK: assume bounded<-4, 4>, {{%[a-zA-Z_0-9]+}} : tile<8xi32>
    %6 = assume bounded<-4, 4>, %5 : tile<8xi32>
  }

  // CHECK-LABEL: entry @literals(
  entry @literals() {
    // CHECK: constant <i1: true> : tile<i1>
    %0 = constant <i1: true> : tile<i1>
    // CHECK: constant <i1: [true, false]> : tile<2xi1>
    %1 = constant <i1: [true, false]> : tile<2xi1>
    // CHECK: constant <i8: -1> : tile<i8>
    %2 = constant <i8: 255> : tile<i8>
    // CHECK: constant <i64: -9223372036854775808> : tile<4xi64>
    %3 = constant <i64: -9223372036854775808> : tile<4xi64>
    // CHECK: constant <f16: 1.500000e+00> : tile<f16>
    %4 = constant <f16: 1.5> : tile<f16>
    // CHECK: constant <bf16: -2.000000e+00> : tile<2xbf16>
    %5 = constant <bf16: -2.0> : tile<2xbf16>
    // CHECK: constant <f32: 0x7F800000> : tile<f32>
    %6 = constant <f32: 0x7F800000> : tile<f32>
    // CHECK: constant <f32: {{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00{{\]\]}}> : tile<2x2xf32>
    %7 = constant <f32: [[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tile<2x2xf32>
    // CHECK: constant <tf32: 1.000000e+00> : tile<tf32>
    %8 = constant <tf32: 1.000000e+00> : tile<tf32>
    // CHECK: constant <f8E4M3FN: [1.000000e+00, 0x7F]> : tile<2xf8E4M3FN>
    %9 = constant <f8E4M3FN: [1.0, 0x7F]> : tile<2xf8E4M3FN>
    // CHECK: constant <f8E8M0FNU: 2.000000e+00> : tile<f8E8M0FNU>
    %10 = constant <f8E8M0FNU: 2.000000e+00> : tile<f8E8M0FNU>
    // CHECK: constant <f4E2M1FN: [5.000000e-01, 6.000000e+00]> : tile<2xf4E2M1FN>
    %11 = constant <f4E2M1FN: [0.5, 6.0]> : tile<2xf4E2M1FN>
    // CHECK: constant <i32: 5> : tile<1xi32>
    %12 = constant <i32: [5]> : tile<1xi32>
    // CHECK: constant <i8: [0, 1, 2, 3, 4, 5, 6, 7]> : tile<8xi8>
    %13 = constant <i8: "0x0001020304050607"> : tile<8xi8>
    // CHECK: constant <i32: 16> : tile<i32>
    %14 = constant <i32: 0x10> : tile<i32>
    // CHECK: constant <i8: "0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F"> : tile<128xi8>
    %b = constant <i8: "0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F"> : tile<128xi8>
  }
}
