//===- ReferenceKernelsTest.cpp - Whole kernels on the reference evaluator ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ReferenceKernel.h"
#include "tileiras/Reference/Evaluator.h"

#include <cmath>
#include <map>
#include <numeric>

using namespace tileiras;

namespace {

const char *kAxpy = R"(
  entry @axpy(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %a: tile<f32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %base = muli %bx, %c64 : tile<i32>
    %lane = iota : tile<64xi32>
    %b1 = reshape %base : tile<i32> -> tile<1xi32>
    %bb = broadcast %b1 : tile<1xi32> -> tile<64xi32>
    %i = addi %bb, %lane : tile<64xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %nn = broadcast %n1 : tile<1xi32> -> tile<64xi32>
    %in = cmpi less_than %i, %nn, signed : tile<64xi32> -> tile<64xi1>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xs = broadcast %x1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %xp = offset %xs, %i : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %z = constant <f32: 1.0> : tile<64xf32>
    %v, %t0 = load_ptr_tko weak %xp, %in, %z : tile<64xptr<f32>>, tile<64xi1>, tile<64xf32> -> tile<64xf32>, token
    %y1 = reshape %y : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ys = broadcast %y1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %yp = offset %ys, %i : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %w, %t1 = load_ptr_tko weak %yp, %in : tile<64xptr<f32>>, tile<64xi1> -> tile<64xf32>, token
    %a1 = reshape %a : tile<f32> -> tile<1xf32>
    %aa = broadcast %a1 : tile<1xf32> -> tile<64xf32>
    %r = fma %aa, %v, %w : tile<64xf32>
    %t2 = store_ptr_tko weak %yp, %r, %in token=%t1 : tile<64xptr<f32>>, tile<64xf32>, tile<64xi1> -> token
    return
  })";

TEST(ReferenceKernels, Axpy) {
  Kernel k(inModule(kAxpy));
  k.arg("x:f32[200]=special").arg("y:f32[200]").arg("f32=-1.75").arg("i32=200").grid("4");
  std::vector<Buffer> before = k.request.buffers;
  k.run();
  for (int i = 0; i < 200; ++i) {
    float x = float(decodeFloat(DType::F32, before[0].array.getAtOffset(i)));
    float y = float(decodeFloat(DType::F32, before[1].array.getAtOffset(i)));
    float want = std::fma(-1.75f, x, y);
    EXPECT_TRUE(k.f32(1, i) == want || (std::isnan(want) && std::isnan(k.f32(1, i)))) << i;
  }
}

TEST(ReferenceKernels, OutOfBoundsIsLocated) {
  Kernel k(inModule(kAxpy)); // one block too many elements: n says 201, the arrays hold 200
  k.arg("x:f32[200]").arg("y:f32[200]").arg("f32=2").arg("i32=201").grid("4");
  RunOutcome outcome = k.tryRun();
  EXPECT_FALSE(outcome.ok);
  ASSERT_EQ(outcome.reports.size(), 1u);
  const std::string &text = outcome.reports[0];
  EXPECT_NE(text.find("kernel.mlir:18:"), std::string::npos) << text;
  EXPECT_NE(text.find("load of element [8] (f32): out of bounds"), std::string::npos) << text;
  EXPECT_NE(text.find("0 bytes past the end of 'x' (800 bytes)"), std::string::npos) << text;
  EXPECT_NE(text.find("in tile block (3, 0, 0) of 'axpy'"), std::string::npos) << text;
}

TEST(ReferenceKernels, WrongArgumentsAreExplained) {
  auto message = [](std::vector<const char *> specs) {
    Kernel k(inModule(kAxpy));
    for (const char *spec : specs)
      k.arg(spec);
    RunOutcome outcome = k.tryRun();
    EXPECT_FALSE(outcome.ok);
    return outcome.reports.empty() ? "" : outcome.reports[0];
  };
  EXPECT_NE(message({"x:f32[4]"}).find("takes 4 arguments, got 1"), std::string::npos);
  EXPECT_NE(message({"x:f16[4]", "y:f32[4]", "f32=1", "i32=1"}).find("'x' holds f16"), std::string::npos);
  EXPECT_NE(message({"x:f32[4]", "y:f32[4]", "f16=1", "i32=1"}).find("argument 2 is a scalar of type f16"),
            std::string::npos);
}

/// C = A * B with tiles that hang over every edge, through partition views with cuTile arguments.
TEST(ReferenceKernels, RaggedGemm) {
  Kernel k(inModule(R"(
  entry @gemm(%A: tile<ptr<f16>>, %am: tile<i32>, %ak: tile<i32>, %as0: tile<i32>, %as1: tile<i32>,
              %B: tile<ptr<f16>>, %bk: tile<i32>, %bn: tile<i32>, %bs0: tile<i32>, %bs1: tile<i32>,
              %C: tile<ptr<f32>>, %cm: tile<i32>, %cn: tile<i32>, %cs0: tile<i32>, %cs1: tile<i32>) {
    %ta = make_tensor_view %A, shape = [%am, %ak], strides = [%as0, %as1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,?]>
    %tb = make_tensor_view %B, shape = [%bk, %bn], strides = [%bs0, %bs1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,?]>
    %tc = make_tensor_view %C, shape = [%cm, %cn], strides = [%cs0, %cs1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,?]>
    %va = make_partition_view %ta : partition_view<tile=(16x8), padding_value = zero, tensor_view<?x?xf16, strides=[?,?]>>
    %vb = make_partition_view %tb : partition_view<tile=(8x16), padding_value = zero, tensor_view<?x?xf16, strides=[?,?]>>
    %vc = make_partition_view %tc : partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,?]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %ka:2 = get_index_space_shape %va : partition_view<tile=(16x8), padding_value = zero, tensor_view<?x?xf16, strides=[?,?]>> -> tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %acc0 = constant <f32: 0.0> : tile<16x16xf32>
    %acc = for %kk in (%c0 to %ka#1, step %c1) : tile<i32> iter_values(%s = %acc0) -> (tile<16x16xf32>) {
      %l, %t1 = load_view_tko weak %va[%x, %kk] : partition_view<tile=(16x8), padding_value = zero, tensor_view<?x?xf16, strides=[?,?]>>, tile<i32> -> tile<16x8xf16>, token
      %r, %t2 = load_view_tko weak %vb[%kk, %y] : partition_view<tile=(8x16), padding_value = zero, tensor_view<?x?xf16, strides=[?,?]>>, tile<i32> -> tile<8x16xf16>, token
      %s2 = mmaf %l, %r, %s : tile<16x8xf16>, tile<8x16xf16>, tile<16x16xf32>
      continue %s2 : tile<16x16xf32>
    }
    %t = store_view_tko weak %acc, %vc[%x, %y] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,?]>>, tile<i32> -> token
    return
  })"));
  const int M = 37, K = 21, NN = 19;
  k.arg("a:f16[37x21]{pass=array,strides=24x1}").arg("b:f16[21x19]{pass=array,strides=1x32}");
  k.arg("out:c:f32[37x19]{pass=array,strides=20x1}").grid("3,2").run();
  const LaunchRequest &r = k.request;
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < NN; ++n) {
      float want = 0;
      for (int kk = 0; kk < K; ++kk)
        want = std::fma(float(decodeFloat(DType::F16, r.buffers[0].array.get({m, kk}))),
                        float(decodeFloat(DType::F16, r.buffers[1].array.get({kk, n}))), want);
      EXPECT_EQ(float(decodeFloat(DType::F32, r.buffers[2].array.get({m, n}))), want) << m << "," << n;
    }
  EXPECT_EQ(r.buffers[2].array.bytes[19 * 4], kPoisonByte); // the gap between rows stays
}

//===----------------------------------------------------------------------===//
// Kernels over one 2-D tile: out = f(in), written through partition views
//===----------------------------------------------------------------------===//

std::string tileKernel(const std::string &inShape, const std::string &inType, const std::string &outShape,
                       const std::string &outType, const std::string &body) {
  auto view = [](const std::string &shape, const std::string &type) {
    size_t x = shape.find('x');
    std::string strides = x == std::string::npos ? "1" : shape.substr(x + 1) + ",1";
    return "tensor_view<" + shape + "x" + type + ", strides=[" + strides + "]>";
  };
  auto list = [](std::string shape) {
    size_t x = shape.find('x');
    return x == std::string::npos ? shape : shape.replace(x, 1, ", ");
  };
  auto strides = [](const std::string &shape) {
    size_t x = shape.find('x');
    return x == std::string::npos ? std::string("1") : shape.substr(x + 1) + ", 1";
  };
  auto indices = [](const std::string &shape) { return shape.find('x') == std::string::npos ? "%c0" : "%c0, %c0"; };
  std::string pi = "partition_view<tile=(" + inShape + "), " + view(inShape, inType) + ">";
  std::string po = "partition_view<tile=(" + outShape + "), " + view(outShape, outType) + ">";
  return inModule("entry @k(%pi: tile<ptr<" + inType + ">>, %po: tile<ptr<" + outType + ">>) {\n" +
                  "%c0 = constant <i32: 0> : tile<i32>\n" + "%ti = make_tensor_view %pi, shape = [" + list(inShape) +
                  "], strides = [" + strides(inShape) + "] : " + view(inShape, inType) + "\n" +
                  "%to = make_tensor_view %po, shape = [" + list(outShape) + "], strides = [" + strides(outShape) +
                  "] : " + view(outShape, outType) + "\n" + "%vi = make_partition_view %ti : " + pi +
                  "\n%vo = make_partition_view %to : " + po + "\n" + "%in, %t0 = load_view_tko weak %vi[" +
                  indices(inShape) + "] : " + pi + ", tile<i32> -> tile<" + inShape + "x" + inType + ">, token\n" +
                  body + "\n" + "%t1 = store_view_tko weak %out, %vo[" + indices(outShape) + "] : tile<" + outShape +
                  "x" + outType + ">, " + po + ", tile<i32> -> token\nreturn\n}");
}

std::unique_ptr<Kernel> runTile(const std::string &inShape, const std::string &inType, const std::string &outShape,
                                const std::string &outType, const std::string &body, const char *fill = "random") {
  auto k = std::make_unique<Kernel>(tileKernel(inShape, inType, outShape, outType, body));
  k->arg("in:" + inType + "[" + inShape + "]=" + fill).arg("out:out:" + outType + "[" + outShape + "]").run();
  return k;
}

TEST(ReferenceKernels, Reductions) {
  const std::string sum =
      "(%e: tile<f32>, %acc: tile<f32>) {\n %u = addf %e, %acc : tile<f32>\n yield %u : tile<f32>\n}";
  // The same body, with a reshape in it: not lane by lane any more, so run once per position.
  const std::string slowSum = "(%e: tile<f32>, %acc: tile<f32>) {\n %w = reshape %e : tile<f32> -> tile<f32>\n"
                              " %u = addf %w, %acc : tile<f32>\n yield %u : tile<f32>\n}";
  for (const std::string &body : {sum, slowSum}) {
    auto rows = runTile("16x8", "f32", "16", "f32",
                        "%out = reduce %in dim=1 identities=[0.0 : f32] : tile<16x8xf32> -> tile<16xf32>\n" + body);
    auto columns = runTile("16x8", "f32", "8", "f32",
                           "%out = reduce %in dim=0 identities=[0.0 : f32] : tile<16x8xf32> -> tile<8xf32>\n" + body);
    for (int i = 0; i < 16; ++i) {
      float want = 0;
      for (int j = 0; j < 8; ++j)
        want = rows->f32(0, i * 8 + j) + want;
      EXPECT_EQ(rows->f32(1, i), want);
    }
    for (int j = 0; j < 8; ++j) {
      float want = 0;
      for (int i = 0; i < 16; ++i)
        want = columns->f32(0, i * 8 + j) + want;
      EXPECT_EQ(columns->f32(1, j), want);
    }
  }
}

TEST(ReferenceKernels, ArgMax) {
  auto k = runTile("4x32", "f32", "4", "i32", R"(
    %i = iota : tile<32xi32>
    %i1 = reshape %i : tile<32xi32> -> tile<1x32xi32>
    %index = broadcast %i1 : tile<1x32xi32> -> tile<4x32xi32>
    %best, %out = reduce %in, %index dim=1 identities=[0xFF800000 : f32, 0 : i32] : tile<4x32xf32>, tile<4x32xi32> -> tile<4xf32>, tile<4xi32>
    (%v: tile<f32>, %va: tile<f32>, %n: tile<i32>, %na: tile<i32>) {
      %gt = cmpf greater_than ordered %v, %va : tile<f32> -> tile<i1>
      %r0 = select %gt, %v, %va : tile<i1>, tile<f32>
      %r1 = select %gt, %n, %na : tile<i1>, tile<i32>
      yield %r0, %r1 : tile<f32>, tile<i32>
    })");
  for (int i = 0; i < 4; ++i) {
    int best = 0;
    for (int j = 1; j < 32; ++j)
      if (k->f32(0, i * 32 + j) > k->f32(0, i * 32 + best))
        best = j;
    EXPECT_EQ(k->i32(1, i), best);
  }
}

TEST(ReferenceKernels, Scans) {
  for (bool reverse : {false, true})
    for (int dim : {0, 1}) {
      auto k = runTile("8x4", "i32", "8x4", "i32",
                       "%out = scan %in dim=" + std::to_string(dim) + " reverse=" + (reverse ? "true" : "false") +
                           " identities=[0 : i32] : tile<8x4xi32> -> tile<8x4xi32>\n(%q: tile<i32>, %w: tile<i32>) {\n"
                           "%u = addi %q, %w : tile<i32>\nyield %u : tile<i32>\n}");
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 4; ++j) {
          uint32_t want = 0;
          int at = dim == 0 ? i : j, end = dim == 0 ? 8 : 4;
          for (int s = reverse ? at : 0; s < (reverse ? end : at + 1); ++s)
            want += uint32_t(dim == 0 ? k->i32(0, s * 4 + j) : k->i32(0, i * 4 + s));
          EXPECT_EQ(uint32_t(k->i32(1, i * 4 + j)), want) << dim << reverse << i << j;
        }
    }
}

TEST(ReferenceKernels, ShapeOperations) {
  auto permuted = runTile("4x8", "i8", "8x4", "i8", "%out = permute %in [1, 0] : tile<4x8xi8> -> tile<8x4xi8>");
  auto reshaped = runTile("4x8", "i8", "2x16", "i8", "%out = reshape %in : tile<4x8xi8> -> tile<2x16xi8>");
  auto joined =
      runTile("4x8", "i8", "4x16", "i8",
              "%n = negi %in : tile<4x8xi8>\n%out = cat %in, %n dim = 1 : tile<4x8xi8>, tile<4x8xi8> -> tile<4x16xi8>");
  auto stacked =
      runTile("4x8", "i8", "8x8", "i8",
              "%n = negi %in : tile<4x8xi8>\n%out = cat %in, %n dim = 0 : tile<4x8xi8>, tile<4x8xi8> -> tile<8x8xi8>");
  auto part =
      runTile("4x8", "i8", "2x4", "i8",
              "%c1 = constant <i32: 1> : tile<i32>\n%out = extract %in[%c1, %c0] : tile<4x8xi8> -> tile<2x4xi8>");
  auto patched = runTile("4x8", "i8", "4x8", "i8",
                         "%c1 = constant <i32: 1> : tile<i32>\n%s = constant <i8: [[1, 2], [3, 4]]> : tile<2x2xi8>\n"
                         "%out = insert %s, %in[%c0, %c1] : tile<2x2xi8>, tile<4x8xi8>");
  auto widened = runTile("4x1", "i8", "4x8", "i8", "%out = broadcast %in : tile<4x1xi8> -> tile<4x8xi8>");
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) {
      EXPECT_EQ(permuted->bits(1, j * 4 + i), permuted->bits(0, i * 8 + j));
      EXPECT_EQ(reshaped->bits(1, i * 8 + j), reshaped->bits(0, i * 8 + j));
      EXPECT_EQ(joined->bits(1, i * 16 + j), joined->bits(0, i * 8 + j));
      EXPECT_EQ(joined->bits(1, i * 16 + 8 + j), (0 - joined->bits(0, i * 8 + j)) & 0xFF);
      EXPECT_EQ(stacked->bits(1, i * 8 + j), stacked->bits(0, i * 8 + j));
      EXPECT_EQ(stacked->bits(1, (4 + i) * 8 + j), (0 - stacked->bits(0, i * 8 + j)) & 0xFF);
      EXPECT_EQ(widened->bits(1, i * 8 + j), widened->bits(0, i));
      bool inside = i < 2 && j >= 2 && j < 4;
      EXPECT_EQ(patched->bits(1, i * 8 + j), inside ? uint64_t(i * 2 + j - 1) : patched->bits(0, i * 8 + j));
    }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      EXPECT_EQ(part->bits(1, i * 4 + j), part->bits(0, (2 + i) * 8 + j));
}

TEST(ReferenceKernels, PackingFollowsMemory) {
  auto packed = runTile("8", "f16", "16", "i8", "%out = pack %in : tile<8xf16> -> tile<16xi8>");
  EXPECT_EQ(packed->request.buffers[0].array.bytes, packed->request.buffers[1].array.bytes);
  auto nibbles =
      runTile("8", "i8", "16", "i8",
              "%u = unpack %in : tile<8xi8> -> tile<16xi4>\n%out = exti %u unsigned : tile<16xi4> -> tile<16xi8>");
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(nibbles->bits(1, i), nibbles->bits(0, i / 2) >> (i % 2 * 4) & 15); // low nibble first
  auto fours = runTile("16", "f4E2M1FN", "16", "f32", "%out = ftof %in : tile<16xf4E2M1FN> -> tile<16xf32>", "bits");
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(fours->value(1, i), fours->value(0, i));
}

TEST(ReferenceKernels, MatrixProducts) {
  auto ints = runTile("16x16", "i8", "16x16", "i32", R"(
    %acc = constant <i32: 7> : tile<16x16xi32>
    %out = mmai %in, %in, %acc signed unsigned : tile<16x16xi8>, tile<16x16xi8>, tile<16x16xi32>)");
  auto doubles =
      runTile("8x8", "f64", "8x8", "f64", "%out = mmaf %in, %in, %in : tile<8x8xf64>, tile<8x8xf64>, tile<8x8xf64>");
  auto halves =
      runTile("8x8", "f16", "8x8", "f16", "%out = mmaf %in, %in, %in : tile<8x8xf16>, tile<8x8xf16>, tile<8x8xf16>");
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 16; ++n) {
      int32_t want = 7;
      for (int k = 0; k < 16; ++k)
        want += int32_t(int8_t(ints->bits(0, m * 16 + k))) * int32_t(uint8_t(ints->bits(0, k * 16 + n)));
      EXPECT_EQ(ints->i32(1, m * 16 + n), want);
    }
  for (int m = 0; m < 8; ++m)
    for (int n = 0; n < 8; ++n) {
      double want = doubles->value(0, m * 8 + n);
      float half = float(halves->value(0, m * 8 + n));
      for (int k = 0; k < 8; ++k) {
        want = std::fma(doubles->value(0, m * 8 + k), doubles->value(0, k * 8 + n), want);
        half = std::fma(float(halves->value(0, m * 8 + k)), float(halves->value(0, k * 8 + n)), half);
      }
      EXPECT_EQ(doubles->value(1, m * 8 + n), want);
      EXPECT_EQ(halves->bits(1, m * 8 + n), encodeFloat(DType::F16, half));
    }
}

TEST(ReferenceKernels, BlockScaledProduct) {
  auto k = runTile("4x32", "f8E4M3FN", "4x4", "f32", R"(
    %b = permute %in [1, 0] : tile<4x32xf8E4M3FN> -> tile<32x4xf8E4M3FN>
    %sa = constant <f8E8M0FNU: [[2.0], [4.0], [0.5], [1.0]]> : tile<4x1xf8E8M0FNU>
    %sb = constant <f8E8M0FNU: [[1.0, 8.0, 0.25, 2.0]]> : tile<1x4xf8E8M0FNU>
    %acc = constant <f32: 0.0> : tile<4x4xf32>
    %out = mmaf_scaled %in, %b, %acc, %sa, %sb : tile<4x32xf8E4M3FN>, tile<32x4xf8E4M3FN>, tile<4x4xf32>, tile<4x1xf8E8M0FNU>, tile<1x4xf8E8M0FNU>)");
  const float sa[] = {2, 4, 0.5, 1}, sb[] = {1, 8, 0.25, 2};
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n) {
      double want = 0;
      for (int i = 0; i < 32; ++i)
        want += k->value(0, m * 32 + i) * sa[m] * k->value(0, n * 32 + i) * sb[n];
      EXPECT_NEAR(k->f32(1, m * 4 + n), want, 1e-5);
    }
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

TEST(ReferenceKernels, PaddingAndDimMap) {
  // A 3x5 tensor read as 8x4 tiles of its transpose.
  Kernel k(inModule(R"(
  entry @k(%p: tile<ptr<f32>>, %o: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %t = make_tensor_view %p, shape = [3, 5], strides = [5, 1] : tensor_view<3x5xf32, strides=[5,1]>
    %v = make_partition_view %t : partition_view<tile=(8x4), padding_value = neg_inf, tensor_view<3x5xf32, strides=[5,1]>, dim_map=[1, 0]>
    %x, %t0 = load_view_tko weak %v[%c0, %c0] : partition_view<tile=(8x4), padding_value = neg_inf, tensor_view<3x5xf32, strides=[5,1]>, dim_map=[1, 0]>, tile<i32> -> tile<8x4xf32>, token
    %to = make_tensor_view %o, shape = [8, 4], strides = [4, 1] : tensor_view<8x4xf32, strides=[4,1]>
    %vo = make_partition_view %to : partition_view<tile=(8x4), tensor_view<8x4xf32, strides=[4,1]>>
    %t1 = store_view_tko weak %x, %vo[%c0, %c0] : tile<8x4xf32>, partition_view<tile=(8x4), tensor_view<8x4xf32, strides=[4,1]>>, tile<i32> -> token
    return
  })"));
  k.arg("p:f32[3x5]").arg("out:o:f32[8x4]").run();
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j)
      EXPECT_EQ(k.f32(1, i * 4 + j), i < 5 && j < 3 ? k.f32(0, j * 5 + i) : -INFINITY) << i << j;
}

TEST(ReferenceKernels, IndicesStayInTheIndexSpace) {
  auto kernel = [](const char *index) {
    Kernel k(inModule(std::string(R"(
  entry @k(%p: tile<ptr<i32>>) {
    %i = constant <i32: )") +
                      index + R"(> : tile<i32>
    %t = make_tensor_view %p, shape = [10], strides = [1] : tensor_view<10xi32, strides=[1]>
    %v = make_partition_view %t : partition_view<tile=(4), tensor_view<10xi32, strides=[1]>>
    %x, %t0 = load_view_tko weak %v[%i] inbounds = [true] : partition_view<tile=(4), tensor_view<10xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    return
  })"));
    k.arg("p:i32[10]");
    RunOutcome outcome = k.tryRun();
    return outcome.reports.empty() ? std::string() : outcome.reports[0];
  };
  EXPECT_EQ(kernel("1"), "");
  EXPECT_NE(kernel("2").find("element [2] of the tile is outside the tensor along dimension 0, which 'inbounds'"),
            std::string::npos)
      << kernel("2");
  EXPECT_NE(kernel("3").find("index 3 along dimension 0 is outside the index space of the view (3 tiles)"),
            std::string::npos)
      << kernel("3");
  EXPECT_NE(kernel("-1").find("index 4294967295"), std::string::npos) << kernel("-1");
}

TEST(ReferenceKernels, StridedAndGatherViews) {
  Kernel k(inModule(R"(
  entry @k(%p: tile<ptr<i32>>, %s: tile<ptr<i32>>, %g: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %t = make_tensor_view %p, shape = [10, 4], strides = [4, 1] : tensor_view<10x4xi32, strides=[4,1]>
    %sv = make_strided_view %t : strided_view<tile=(4x4), traversal_strides=[3,1], padding_value = zero, tensor_view<10x4xi32, strides=[4,1]>>
    %n:2 = get_index_space_shape %sv : strided_view<tile=(4x4), traversal_strides=[3,1], padding_value = zero, tensor_view<10x4xi32, strides=[4,1]>> -> tile<i32>
    %x, %t0 = load_view_tko weak %sv[%c2, %c0] : strided_view<tile=(4x4), traversal_strides=[3,1], padding_value = zero, tensor_view<10x4xi32, strides=[4,1]>>, tile<i32> -> tile<4x4xi32>, token
    %nn = reshape %n#0 : tile<i32> -> tile<1x1xi32>
    %nb = broadcast %nn : tile<1x1xi32> -> tile<4x4xi32>
    %xn = addi %x, %nb : tile<4x4xi32>
    %to = make_tensor_view %s, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xi32, strides=[4,1]>
    %vo = make_partition_view %to : partition_view<tile=(4x4), tensor_view<4x4xi32, strides=[4,1]>>
    %t1 = store_view_tko weak %xn, %vo[%c0, %c0] : tile<4x4xi32>, partition_view<tile=(4x4), tensor_view<4x4xi32, strides=[4,1]>>, tile<i32> -> token
    %rows = constant <i32: [7, 0, 9, 100]> : tile<4xi32>
    %gv = make_gather_scatter_view %t : gather_scatter_view<tile=(4x2), padding_value = zero, tensor_view<10x4xi32, strides=[4,1]>, sparse_dim=0>
    %c1 = constant <i32: 1> : tile<i32>
    %y, %t2 = load_view_tko weak %gv[%rows, %c1] : gather_scatter_view<tile=(4x2), padding_value = zero, tensor_view<10x4xi32, strides=[4,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> tile<4x2xi32>, token
    %tg = make_tensor_view %g, shape = [4, 2], strides = [2, 1] : tensor_view<4x2xi32, strides=[2,1]>
    %vg = make_partition_view %tg : partition_view<tile=(4x2), tensor_view<4x2xi32, strides=[2,1]>>
    %t3 = store_view_tko weak %y, %vg[%c0, %c0] : tile<4x2xi32>, partition_view<tile=(4x2), tensor_view<4x2xi32, strides=[2,1]>>, tile<i32> -> token
    return
  })"));
  k.arg("p:i32[10x4]=iota").arg("out:s:i32[4x4]").arg("out:g:i32[4x2]").run();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) // tile 2 starts at row 6; 4 tiles: ceil(10 / 3)
      EXPECT_EQ(k.i32(1, i * 4 + j), (6 + i) * 4 + j + 4);
  const int rows[] = {7, 0, 9};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 2; ++j)
      EXPECT_EQ(k.i32(2, i * 2 + j), i < 3 ? rows[i] * 4 + 1 + j : 0);
}

//===----------------------------------------------------------------------===//
// Control flow, atomics, the rest
//===----------------------------------------------------------------------===//

/// A kernel that stores the i32 scalar %out to %p.
std::string scalarKernel(const std::string &body, const std::string &signature = "") {
  return inModule("entry @k(%p: tile<ptr<i32>>" + signature + ") {\n" + body +
                  "\n%ts = store_ptr_tko weak %p, %out : tile<ptr<i32>>, tile<i32> -> token\nreturn\n}");
}

int32_t runScalar(const std::string &body, std::vector<const char *> args = {}, const std::string &signature = "") {
  Kernel k(scalarKernel(body, signature));
  k.arg("out:p:i32[1]");
  for (const char *arg : args)
    k.arg(arg);
  k.run();
  return k.i32(0, 0);
}

TEST(ReferenceKernels, Loops) {
  const std::string collatz = R"(
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %out = loop iter_values(%v = %n, %steps = %c0) : tile<i32>, tile<i32> -> tile<i32> {
      %done = cmpi equal %v, %c1, signed : tile<i32> -> tile<i1>
      if %done {
        break %steps : tile<i32>
      }
      %s1 = addi %steps, %c1 : tile<i32>
      %bit = andi %v, %c1 : tile<i32>
      %odd = cmpi equal %bit, %c1, signed : tile<i32> -> tile<i1>
      if %odd {
        %t = muli %v, %c3 : tile<i32>
        %u = addi %t, %c1 : tile<i32>
        continue %u, %s1 : tile<i32>, tile<i32>
      }
      %h = divi %v, %c2 unsigned : tile<i32>
      continue %h, %s1 : tile<i32>, tile<i32>
    })";
  EXPECT_EQ(runScalar(collatz, {"i32=27"}, ", %n: tile<i32>"), 111);
  // for with a step, a carried pair, and continue from inside an if
  const std::string sums = R"(
    %lo = constant <i32: -5> : tile<i32>
    %hi = constant <i32: 20> : tile<i32>
    %st = constant <i32: 3> : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %a, %b = for %i in (%lo to %hi, step %st) : tile<i32> iter_values(%x = %c0, %y = %c0) -> (tile<i32>, tile<i32>) {
      %neg = cmpi less_than %i, %c0, signed : tile<i32> -> tile<i1>
      %x1 = addi %x, %i : tile<i32>
      if %neg {
        continue %x1, %y : tile<i32>, tile<i32>
      }
      %y1 = addi %y, %i : tile<i32>
      continue %x1, %y1 : tile<i32>, tile<i32>
    }
    %c100 = constant <i32: 100> : tile<i32>
    %h = muli %a, %c100 : tile<i32>
    %out = addi %h, %b : tile<i32>)";
  int a = 0, b = 0;
  for (int i = -5; i < 20; i += 3) {
    a += i;
    if (i >= 0)
      b += i;
  }
  EXPECT_EQ(runScalar(sums), a * 100 + b);
  // Unsigned bounds: 1 to 0xFFFFFFFE in steps of 0xFFFFFFFE runs once, 0xFFFFFFFF to 0 not at all.
  const std::string unsignedFor = R"(
    %lo = constant <i32: -2> : tile<i32>
    %hi = constant <i32: -1> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %a = for unsigned %i in (%c1 to %lo, step %lo) : tile<i32> iter_values(%x = %c0) -> (tile<i32>) {
      %x1 = addi %x, %c1 : tile<i32>
      continue %x1 : tile<i32>
    }
    %out = for unsigned %i in (%hi to %c0, step %c1) : tile<i32> iter_values(%x = %a) -> (tile<i32>) {
      %x1 = addi %x, %c1 : tile<i32>
      continue %x1 : tile<i32>
    })";
  EXPECT_EQ(runScalar(unsignedFor), 1);
}

TEST(ReferenceKernels, IfWithResults) {
  const std::string body = R"(
    %c0 = constant <i32: 0> : tile<i32>
    %neg = cmpi less_than %n, %c0, signed : tile<i32> -> tile<i1>
    %out = if %neg -> (tile<i32>) {
      %m = negi %n : tile<i32>
      yield %m : tile<i32>
    } else {
      yield %n : tile<i32>
    })";
  EXPECT_EQ(runScalar(body, {"i32=-7"}, ", %n: tile<i32>"), 7);
  EXPECT_EQ(runScalar(body, {"i32=9"}, ", %n: tile<i32>"), 9);
}

TEST(ReferenceKernels, StepBudgetEndsEndlessLoops) {
  Kernel k(scalarKernel("%out = constant <i32: 0> : tile<i32>\nloop {\n continue\n}"));
  k.arg("out:p:i32[1]");
  RunOutcome outcome = k.tryRun(1000);
  EXPECT_FALSE(outcome.ok);
  ASSERT_FALSE(outcome.reports.empty());
  EXPECT_NE(outcome.reports[0].find("stopped after 1000 operations"), std::string::npos) << outcome.reports[0];
  EXPECT_NE(outcome.reports[0].find("kernel.mlir:"), std::string::npos);
}

TEST(ReferenceKernels, Atomics) {
  // Every block adds its id to a histogram bin, takes the maximum, and swaps.
  Kernel k(inModule(R"(
  entry @k(%sum: tile<ptr<i32>>, %max: tile<ptr<i32>>, %f: tile<ptr<f16>>, %old: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
    %row = muli %y, %nx : tile<i32>
    %id = addi %row, %x : tile<i32>
    %a, %t0 = atomic_rmw_tko relaxed device %sum, add, %id : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %b, %t1 = atomic_rmw_tko relaxed device %max, max, %id : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %h = constant <f16: 0.5> : tile<f16>
    %c, %t2 = atomic_rmw_tko relaxed device %f, addf, %h : tile<ptr<f16>>, tile<f16> -> tile<f16>, token
    %po = offset %old, %id : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t3 = store_ptr_tko weak %po, %a : tile<ptr<i32>>, tile<i32> -> token
    %c5 = constant <i32: 5> : tile<i32>
    %m = constant <i32: 1000> : tile<i32>
    %d, %t4 = atomic_cas_tko relaxed device %max, %c5, %m : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    return
  })"));
  k.arg("sum:i32[1]=10").arg("max:i32[1]=-4").arg("f:f16[1]=0").arg("out:old:i32[8]").grid("4,2").run();
  EXPECT_EQ(k.i32(0, 0), 10 + 28);
  EXPECT_EQ(k.i32(1, 0), 1000); // swapped in when the maximum was 5
  EXPECT_EQ(k.value(2, 0), 4.0);
  int sum = 10;
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(k.i32(3, i), sum);
    sum += i;
  }
}

TEST(ReferenceKernels, AtomicReductionOnAView) {
  Kernel k(inModule(R"(
  entry @k(%p: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %t = make_tensor_view %p, shape = [6], strides = [2] : tensor_view<6xi32, strides=[2]>
    %v = make_partition_view %t : partition_view<tile=(4), tensor_view<6xi32, strides=[2]>>
    %i = iota : tile<4xi32>
    %t0 = atomic_red_view_tko relaxed device %v[%x], add, %i : tile<4xi32>, partition_view<tile=(4), tensor_view<6xi32, strides=[2]>>, tile<i32> -> token
    return
  })"));
  k.arg("p:i32[6]{strides=2}=100").grid("2").run();
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(k.i32(0, 2 * i), 100 + i % 4);
}

TEST(ReferenceKernels, PrintFormats) {
  Kernel k(inModule(R"(
  entry @k(%n: tile<i32>) {
    %f = constant <f32: [0.0, 5.0]> : tile<2xf32>
    %m = constant <i8: [[1, -2], [3, 4]]> : tile<2x2xi8>
    %t = print_tko "n = %d (%5.1f%%)\n", %n, %f : tile<i32>, tile<2xf32> -> token
    %t2 = print_tko "Data: %f\n", %f token=%t : tile<2xf32> -> token
    %t3 = print_tko "%i %x\n", %m, %n : tile<2x2xi8>, tile<i32> -> token
    return
  })"));
  k.arg("i32=-1").grid("2").run();
  std::string once = "n = -1 ([  0.0,   5.0]%)\nData: [0.000000, 5.000000]\n[[1, -2], [3, 4]] ffffffff\n";
  EXPECT_EQ(k.output, once + once); // once per tile block
}

TEST(ReferenceKernels, AssertionsAndAssumptions) {
  auto reports = [](const std::string &body) {
    Kernel k(inModule("entry @k(%n: tile<i32>) {\n" + body + "\nreturn\n}"));
    k.arg("i32=12");
    RunOutcome outcome = k.tryRun();
    EXPECT_EQ(outcome.ok, outcome.reports.empty());
    return outcome.reports.empty() ? std::string() : outcome.reports[0];
  };
  EXPECT_EQ(reports("%a = assume div_by<4>, %n : tile<i32>"), "");
  EXPECT_NE(reports("%a = assume div_by<8>, %n : tile<i32>").find("element [] is 12, which 8 does not divide"),
            std::string::npos);
  EXPECT_EQ(reports("%a = assume bounded<0, 12>, %n : tile<i32>"), "");
  EXPECT_NE(reports("%a = assume bounded<?, 11>, %n : tile<i32>").find("above 11"), std::string::npos);
  EXPECT_EQ(reports("%i = iota : tile<8xi32>\n%a = assume div_by<4, every 4 along 0>, %i : tile<8xi32>"), "");
  EXPECT_NE(reports("%i = iota : tile<8xi32>\n%a = assume div_by<8, every 4 along 0>, %i : tile<8xi32>")
                .find("element [4] is 4"),
            std::string::npos);
  EXPECT_NE(reports("%i = iota : tile<8xi32>\n%a = assume same_elements<[2]>, %i : tile<8xi32>")
                .find("element [1] is 1, unlike element [0]"),
            std::string::npos);
  std::string failedAssert = reports("%f = constant <i1: [true, false]> : tile<2xi1>\nassert %f, \"odd\" : tile<2xi1>");
  EXPECT_NE(failedAssert.find("assertion failed: odd (element [1])"), std::string::npos) << failedAssert;
}

TEST(ReferenceKernels, ListsOfArrays) {
  // Adds the first elements of all arrays of a list: words are (address, extent, stride).
  Kernel k(scalarKernel(R"(
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %out = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %c0) -> (tile<i32>) {
      %w = muli %i, %c3 : tile<i32>
      %q = offset %l, %w : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
      %a, %t0 = load_ptr_tko weak %q : tile<ptr<i64>> -> tile<i64>, token
      %x = int_to_ptr %a : tile<i64> -> tile<ptr<i32>>
      %v, %t1 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
      %s1 = addi %s, %v : tile<i32>
      continue %s1 : tile<i32>
    })",
                        ", %l: tile<ptr<i64>>, %n: tile<i32>"));
  k.arg("x:i32[4]{pass=none}=100").arg("y:i32[2]{pass=none,offset=4}=23").arg("out:p:i32[1]").arg("l:list=x,y").run();
  EXPECT_EQ(k.i32(2, 0), 123);
}

TEST(ReferenceKernels, GlobalsAndAlloca) {
  Kernel k(inModule(R"(
  global @lut alignment = 16 <i32: [5, 6, 7, 8]> : tile<4xi32>
  entry @k(%p: tile<ptr<i32>>) {
    %g = get_global @lut : tile<ptr<i32>>
    %c3 = constant <i32: 3> : tile<i32>
    %q = offset %g, %c3 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t0 = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token
    %l = alloca num_elem = 2, alignment = 4 : tile<ptr<i32>>
    %t1 = store_ptr_tko weak %l, %v token=%t0 : tile<ptr<i32>>, tile<i32> -> token
    %w, %t2 = load_ptr_tko weak %l token=%t1 : tile<ptr<i32>> -> tile<i32>, token
    %t3 = store_ptr_tko weak %p, %w : tile<ptr<i32>>, tile<i32> -> token
    return
  })"));
  k.arg("out:p:i32[1]").run();
  EXPECT_EQ(k.i32(0, 0), 8);
}

TEST(ReferenceKernels, EveryOperationIsKnown) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::cuda_tile::CudaTileDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(inModule(""), &context);
  reference::DeviceMemory memory;
  reference::Evaluator evaluator(findTileModules(*module)[0], memory, {});
  unsigned known = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperationsByDialect("cuda_tile")) {
    llvm::StringRef text = name.getStringRef();
    if (text == "cuda_tile.module" || text == "cuda_tile.entry" || text == "cuda_tile.global" ||
        text.contains("testing$"))
      continue;
    EXPECT_TRUE(evaluator.knows(name)) << text.str();
    ++known;
  }
  EXPECT_GE(known, 102u);
}

TEST(ReferenceKernels, HugeAllocationsAreRefused) {
  Kernel k(inModule(R"(
  entry @k() {
    %l = alloca num_elem = 4611686018427387904, alignment = 8 : tile<ptr<i64>>
    return
  })"));
  RunOutcome outcome = k.tryRun();
  ASSERT_EQ(outcome.reports.size(), 1u);
  EXPECT_NE(outcome.reports[0].find("a tile block may allocate"), std::string::npos);
}

TEST(ReferenceKernels, ConstantsMayNotBeWritten) {
  Kernel k(inModule(R"(
  global constant @lut alignment = 16 <i32: [5, 6]> : tile<2xi32>
  entry @k() {
    %g = get_global @lut : tile<ptr<i32>>
    %c = constant <i32: 1> : tile<i32>
    %t = store_ptr_tko weak %g, %c : tile<ptr<i32>>, tile<i32> -> token
    return
  })"));
  RunOutcome outcome = k.tryRun();
  ASSERT_EQ(outcome.reports.size(), 1u);
  EXPECT_NE(outcome.reports[0].find("writes to a constant"), std::string::npos) << outcome.reports[0];
}

} // namespace
