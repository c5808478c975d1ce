//===- LayoutAlgebraTest.cpp - Worked examples of the layout algebra ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/Linear.h"

#include <gtest/gtest.h>

using namespace tileiras;
using namespace tileiras::cute;

static Layout L(std::string_view text) {
  std::string error;
  std::optional<ComposedLayout> layout = parseLayout(text, &error);
  EXPECT_TRUE(layout && layout->isPlain()) << text << ": " << error;
  return layout ? layout->layout : Layout();
}
static Tiler T(std::string_view text) {
  std::string error;
  std::optional<Tiler> tiler = parseTiler(text, &error);
  EXPECT_TRUE(tiler) << text << ": " << error;
  return tiler ? *tiler : Tiler(Layout());
}
static IntTuple I(std::string_view text) {
  std::optional<IntTuple> tuple = parseIntTuple(text);
  EXPECT_TRUE(tuple) << text;
  return tuple ? *tuple : IntTuple();
}
static std::string str(const std::optional<Layout> &layout, const std::string &error = "") {
  return layout ? layout->toString() : "nothing: " + error;
}

TEST(Text, RoundTrip) {
  for (const char *text :
       {"4:1", "(4,8):(8,1)", "((4,8),2,1,(2,2)):((2,16),128,0,(1,256))", "S<3,4,3> o 0 o (8,64):(64,1)",
        "(?,?{div=8}):(?{i64 div=16},1)", "(4,8):(1@0,1@1)", "(2,3):(-1,4)", "((),4):((),1)"}) {
    std::string error;
    std::optional<ComposedLayout> layout = parseLayout(text, &error);
    ASSERT_TRUE(layout) << text << ": " << error;
    EXPECT_EQ(layout->toString(), text);
  }
  EXPECT_EQ(parseLayout("(8,(4,2))")->toString(), "(8,(4,2)):(1,(8,32))");
  EXPECT_EQ(parseLayout("(_8,_64):(_64,_1),swizzle<3,3,3>")->toString(), "S<3,3,3> o 0 o (8,64):(64,1)");
}

TEST(Text, Errors) {
  auto why = [](std::string_view text) {
    std::string error;
    EXPECT_FALSE(parseLayout(text, &error)) << text;
    return error;
  };
  EXPECT_EQ(why("(4,8):(1)"), "at column 10 of '(4,8):(1)': shape and stride differ in profile");
  EXPECT_EQ(why("(4,0)"), "at column 6 of '(4,0)': an extent is a positive number, not 0");
  EXPECT_EQ(why("(4,8"), "at column 5 of '(4,8': expected ')'");
  EXPECT_EQ(why("4:1 8"), "at column 5 of '4:1 8': unexpected text after the layout");
  EXPECT_EQ(why("99999999999999999999"), "at column 19 of '99999999999999999999': number too large");
  EXPECT_EQ(why("(9223372036854775807,2):(1,9223372036854775807)"),
            "at column 48 of '(9223372036854775807,2):(1,9223372036854775807)': layout too large");
  EXPECT_EQ(why("S<3,0,2> o 0 o 8"), "at column 9 of 'S<3,0,2> o 0 o 8': swizzle<B,M,S> needs S >= B and B+M+S <= 31");
  EXPECT_NE(why(std::string(100, '(')), "");
}

// CUTLASS documentation, "CuTe Layouts".
TEST(Layouts, Values) {
  Layout layout = L("(4,(2,8)):(2,(1,8))");
  EXPECT_EQ(crd2idx(I("(3,(1,5))"), layout).toString(), "47");
  EXPECT_EQ(crd2idx(I("(3,11)"), layout).toString(), "47");
  EXPECT_EQ(crd2idx(I("47"), layout).toString(), "47");
  EXPECT_EQ(cute::size(layout), Int(64));
  EXPECT_EQ(cosize(layout), Int(64));
  EXPECT_EQ(idx2crd(16, I("(3,(2,3))")).toString(), "(1,(1,2))");
  EXPECT_EQ(crd2idx(I("(1,(1,2))"), L("(3,(2,3)):(3,(12,1))")).toString(), "17");
  EXPECT_EQ(crd2idx(I("(3,5)"), makeIdentityLayout(I("(8,8)"))).toString(), "(3,5)");
}

// CUTLASS documentation, "CuTe Layout Algebra", and the worked examples of our notes on it.
TEST(Algebra, Coalesce) {
  EXPECT_EQ(coalesce(L("(2,(1,6)):(1,(6,2))")).toString(), "12:1");
  EXPECT_EQ(str(coalesce(L("(2,(1,6)):(1,(6,2))"), I("(1,1)"))), "(2,6):(1,2)");
  EXPECT_EQ(coalesce(L("((4,3),5):((15,1),3)")).toString(), "(4,15):(15,1)");
  EXPECT_EQ(coalesce(L("(?,?):(1,?)")).toString(), "(?,?):(1,?)");
}

TEST(Algebra, Composition) {
  EXPECT_EQ(str(composition(L("(6,2):(8,2)"), L("(4,3):(3,1)"))), "((2,2),3):((24,2),8)");
  EXPECT_EQ(str(composition(L("20:2"), L("(5,4):(4,1)"))), "(5,4):(8,2)");
  EXPECT_EQ(str(composition(L("(10,2):(16,4)"), L("(5,4):(1,5)"))), "(5,(2,2)):(16,(80,4))");
  EXPECT_EQ(str(composition(L("(12,(4,8)):(59,(13,1))"), T("[3:4;8:2]"))), "(3,(2,4)):(236,(26,1))");
  EXPECT_EQ(str(composition(L("(12,(4,8)):(59,(13,1))"), T("(3,8)"))), "(3,(4,2)):(59,(13,1))");
  EXPECT_EQ(str(composition(L("(8,8):(1@0,1@1)"), L("4:2@1"))), "4:2@1");
  std::string error;
  EXPECT_FALSE(composition(L("(4,6,8):(2,3,5)"), L("6:3"), &error));
  EXPECT_EQ(error, "the mode of size 4 of (4,6,8):(2,3,5) is not a multiple of the stride 3");
  // CuTe returns ((4,4):(1,1)) here, which is another function: 3 + 3 lies in the second mode.
  EXPECT_FALSE(composition(L("(4,4):(1,100)"), L("(4,4):(1,1)"), &error));
  EXPECT_EQ(error, "the inner layout crosses the end of a mode of size 4 of (4,4):(1,100)");
}

TEST(Algebra, Complement) {
  EXPECT_EQ(str(complement(L("4:1"), 24)), "6:4");
  EXPECT_EQ(str(complement(L("6:4"), 24)), "4:1");
  EXPECT_EQ(str(complement(L("(4,6):(1,4)"), 24)), "1:0");
  EXPECT_EQ(str(complement(L("4:2"), 24)), "(2,3):(1,8)");
  EXPECT_EQ(str(complement(L("(2,4):(1,6)"), 24)), "3:2");
  EXPECT_EQ(str(complement(L("(2,2):(1,6)"), 24)), "(3,2):(2,12)");
  EXPECT_EQ(str(complement(L("4:32"), 256)), "(32,2):(1,128)");
  std::string error;
  EXPECT_FALSE(complement(L("(4,4):(1,2)"), 24, &error));
  EXPECT_EQ(error, "unable to compute a complement for input (4,4):(1,2): its modes overlap or interleave");
}

TEST(Algebra, Division) {
  EXPECT_EQ(str(logicalDivide(L("128:1"), T("32:1"))), "(32,4):(1,32)");
  EXPECT_EQ(str(logicalDivide(L("(4,2,3):(2,1,8)"), T("4:2"))), "((2,2),(2,3)):((4,1),(2,8))");
  Layout a = L("(9,(4,8)):(59,(13,1))");
  EXPECT_EQ(str(logicalDivide(a, T("[3:3;(2,4):(1,8)]"))), "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))");
  EXPECT_EQ(str(zippedDivide(a, T("[3:3;(2,4):(1,8)]"))), "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))");
  EXPECT_EQ(str(tiledDivide(a, T("[3:3;(2,4):(1,8)]"))), "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))");
  EXPECT_EQ(str(flatDivide(a, T("[3:3;(2,4):(1,8)]"))), "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))");
  EXPECT_EQ(str(zippedDivide(L("(?,?):(?,1)"), T("(128,64)"))), "((128,64),(?,?)):((?,1),(?{div=128},64))");
  std::string error;
  EXPECT_FALSE(logicalDivide(L("(4,6):(1,100)"), T("3:1"), &error));
  EXPECT_EQ(error, "failed to perform a valid division of (4,6):(1,100) by 3:1: the mode of size 4 of (4,6):(1,100) is "
                   "not a multiple of the stride 3");
  EXPECT_FALSE(zippedDivide(L("4:1"), T("(2,2)"), &error));
  EXPECT_EQ(error, "expects rank(tiler) <= rank(input), but got input=4:1, tiler=[2:1;2:1]");
}

TEST(Algebra, Stencil) {
  EXPECT_EQ(str(stencilDivide(L("(10,8):(8,1)"), I("(3,3)"), I("(1,2)"))), "((3,8),(3,3)):((8,8),(1,2))");
  std::string error;
  EXPECT_FALSE(stencilDivide(L("(10,8):(8,1)"), I("(3,3)"), I("1"), &error));
  EXPECT_EQ(error, "Target and kernel shapes must be congruent.");
}

TEST(Algebra, Products) {
  EXPECT_EQ(str(logicalProduct(L("(2,2):(4,1)"), T("6:1"))), "((2,2),(2,3)):((4,1),(2,8))");
  EXPECT_EQ(str(logicalProduct(L("(2,2):(4,1)"), T("(4,2):(2,1)"))), "((2,2),(4,2)):((4,1),(8,2))");
  EXPECT_EQ(str(blockedProduct(L("(2,5):(5,1)"), L("(3,4):(1,3)"))), "(6,(5,4)):(5,(1,30))");
  EXPECT_EQ(str(rakedProduct(L("(2,5):(5,1)"), L("(3,4):(1,3)"))), "((3,2),(4,5)):((10,5),(30,1))");
  EXPECT_EQ(str(tileToShape(L("(8,64):(64,1)"), I("(128,64)"))), "(128,64):(64,1)");
  EXPECT_EQ(str(tileToShape(L("(8,64):(64,1)"), I("(128,128)"), {1, 0})), "((8,16),(64,2)):((64,1024),(1,512))");
}

TEST(Algebra, Inverses) {
  EXPECT_EQ(str(rightInverse(L("(4,8):(8,1)"))), "(8,4):(4,1)");
  EXPECT_EQ(str(rightInverse(L("(4,8):(1,5)"))), "4:1");
  EXPECT_EQ(str(leftInverse(L("(4,8):(8,1)"))), "(8,4):(4,1)");
  EXPECT_EQ(maxCommonVector(L("(8,8):(1,8)"), L("(4,16):(1,4)")), Int(64));
  EXPECT_EQ(maxCommonVector(L("(8,8):(1,16)"), L("(8,8):(1,8)")), Int(8));
  EXPECT_EQ(maxCommonVector(L("(8,8):(1,8)"), L("(8,8):(8,1)")), Int(1));
}

TEST(Algebra, Recast) {
  EXPECT_EQ(str(recast(L("(8,64):(64,1)"), 16, 128)), "(8,8):(8,1)");
  EXPECT_EQ(str(recast(L("(8,8):(8,1)"), 128, 16)), "(8,64):(64,1)");
  std::string error;
  EXPECT_FALSE(recast(L("(8,6):(6,1)"), 16, 64, &error));
  EXPECT_EQ(error, "the mode 8:6 of (8,6):(6,1) cannot be cut into vectors of 4");
}

TEST(Algebra, GroupAndSlice) {
  EXPECT_EQ(str(cute::groupModes(L("(2,3,5,7):(3,6,18,90)"), 1, 3)), "(2,(3,5),7):(3,(6,18),90)");
  std::string error;
  EXPECT_FALSE(cute::groupModes(L("(2,3):(1,2)"), 2, 2, &error));
  EXPECT_EQ(error, "expects begin in the range of [-rank , rank-1], but got begin [2] and rank [2]");
  auto part = slice(I("(_,(1,_))"), L("(4,(2,8)):(2,(1,8))"));
  ASSERT_TRUE(part);
  EXPECT_EQ(part->first.toString(), "(4,(8)):(2,(8))");
  EXPECT_EQ(part->second.toString(), "1");
  part = slice(I("(2,_)"), L("(4,8):(1@0,1@1)"));
  ASSERT_TRUE(part);
  EXPECT_EQ(part->first.toString(), "(8):(1@1)");
  EXPECT_EQ(part->second.toString(), "(2)");
}

// The accumulator of mma.m16n8 (PTX ISA), thread-value to column-major element of the 16x8 tile.
TEST(Algebra, ThreadValue) {
  auto tv = makeTVLayout(L("(4,8):(8,1)"), L("(2,2):(2,1)"));
  ASSERT_TRUE(tv);
  EXPECT_EQ(tv->tile.toString(), "(8,16)");
  EXPECT_EQ(tv->layout.toString(), "((8,4),(2,2)):((16,2),(8,1))");
  Layout accumulator = L("((4,8),(2,2)):((32,1),(16,8))");
  std::optional<LinearLayout> linear = toLinear(accumulator, {"lane", "register"}, {{"column", 8}, {"row", 16}});
  ASSERT_TRUE(linear);
  EXPECT_EQ(linear->coords({{"lane", 13}, {"register", 2}}), (std::vector<int32_t>{2, 11}));
  EXPECT_TRUE(linear->isPermutation());
  EXPECT_EQ(fromLinear(*linear)->toString(), accumulator.toString());
}

TEST(Linear, SwizzleAndRefusals) {
  ComposedLayout swizzled = *parseLayout("S<3,3,3> o 0 o (64,8):(1,64)");
  std::optional<LinearLayout> linear = toLinear(swizzled, {"column", "row"});
  ASSERT_TRUE(linear);
  EXPECT_EQ(fromLinear(*linear)->toString(), swizzled.toString());
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 64; ++column)
      EXPECT_EQ(linear->coords({{"column", column}, {"row", row}})[0],
                row * 64 + ((column / 8) ^ row) * 8 + column % 8);
  std::string error;
  EXPECT_FALSE(toLinear(L("3:1"), {"x"}, &error));
  EXPECT_EQ(error, "the extent 3 is not a power of two");
  EXPECT_FALSE(toLinear(L("(4,4):(1,1)"), {"x", "y"}, &error));
  EXPECT_EQ(error, "the mode 4:1 adds to bits that something else sets: sums and XORs differ");
  EXPECT_FALSE(toLinear(*parseLayout("3 o (4,4):(1,4)"), {"x", "y"}, &error));
  EXPECT_EQ(error, "a linear map has no offset");
}
