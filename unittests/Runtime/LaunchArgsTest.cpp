//===- LaunchArgsTest.cpp - The argument language of tileiras-run -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Runtime/LaunchArgs.h"

#include "gtest/gtest.h"

using namespace tileiras;

namespace {

struct Parsed : LaunchRequest {
  std::string error;
  bool add(const char *spec, ArgDefaults defaults = {}) { return parseLaunchArg(spec, defaults, *this, error); }
};

TEST(LaunchArgs, Scalars) {
  Parsed p;
  ASSERT_TRUE(p.add("i32=-5")) << p.error;
  ASSERT_TRUE(p.add("alpha:f32=1.5")) << p.error;
  ASSERT_TRUE(p.add("i1=true"));
  ASSERT_TRUE(p.add("ptr=0x10"));
  ASSERT_TRUE(p.add("f16=0.1"));
  ASSERT_TRUE(p.add("i8=255")); // the unsigned reading of a byte
  EXPECT_EQ(p.args[0].bits, 0xFFFFFFFBu);
  EXPECT_EQ(p.args[0].bytes(), 4u);
  EXPECT_EQ(p.args[1].bits, 0x3FC00000u);
  EXPECT_EQ(p.args[2].bytes(), 1u);
  EXPECT_EQ(p.args[3].bytes(), 8u);
  EXPECT_EQ(p.args[4].bits, 0x2E66u);
  EXPECT_TRUE(p.buffers.empty());
}

TEST(LaunchArgs, ArraysAndPassing) {
  Parsed p;
  ArgDefaults defaults{PassMode::Array, 7};
  ASSERT_TRUE(p.add("x:f16[4x6]=random(lo=2,hi=3)", defaults)) << p.error;
  ASSERT_EQ(p.args.size(), 5u); // pointer, 2 extents, 2 strides
  EXPECT_EQ(p.args[0].buffer, 0);
  EXPECT_EQ(p.args[2].bits, 6u);
  EXPECT_EQ(p.args[3].bits, 6u);
  EXPECT_EQ(p.args[4].bits, 1u);
  for (int i = 0; i < 24; ++i) {
    double x = decodeFloat(DType::F16, p.buffers[0].array.getAtOffset(i));
    EXPECT_TRUE(x >= 2 && x <= 3) << x;
  }
  ASSERT_TRUE(p.add("out:y:i8[3]{strides=2,offset=5,pass=ptr,tol=ulp:1}", defaults)) << p.error;
  ASSERT_EQ(p.args.size(), 6u);
  Buffer y = p.buffers[1];
  EXPECT_TRUE(y.poison);
  EXPECT_EQ(y.array.bytes.size(), 10u);
  EXPECT_EQ(y.array.bytes[9], kPoisonByte);
  EXPECT_TRUE(y.hasTolerance);
  ASSERT_TRUE(p.add("z:i32[]{pass=array64}=42"));
  EXPECT_EQ(p.buffers[2].array.getAtOffset(0), 42u);
  EXPECT_EQ(p.args.size(), 7u); // no dimensions, only the pointer
  ASSERT_TRUE(p.add("w:f32[2]{tol=rel:0.5/abs:2}=ones")) << p.error;
  EXPECT_EQ(p.buffers[3].tolerance.str(), "rel:0.5,abs:2");
  std::vector<bool> covered = elementBytes(y.array);
  EXPECT_EQ(covered, (std::vector<bool>{0, 0, 0, 0, 0, 1, 0, 1, 0, 1}));
}

TEST(LaunchArgs, Lists) {
  Parsed p;
  ASSERT_TRUE(p.add("a:f32[3]{pass=none}=zeros") && p.add("out:b:f32[2x4]{pass=none,offset=8}"));
  EXPECT_TRUE(p.args.empty());
  ASSERT_TRUE(p.add("l:list=b,a")) << p.error;
  ASSERT_EQ(p.args.size(), 2u);
  EXPECT_EQ(p.args[0].buffer, 2);
  EXPECT_EQ(p.args[1].bits, 2u);
  relocate(p.buffers, {0x1000, 0x2000, 0x3000});
  const uint64_t words[] = {0x2008, 2, 4, 4, 1, 0x1000, 3, 1};
  ASSERT_EQ(p.buffers[2].array.numElements(), 8);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(p.buffers[2].array.getAtOffset(i), words[i]);
  p.buffers[2].array.setAtOffset(5, 7); // the kernel overwrote an address
  unrelocate(p.buffers, {0x1000, 0x2000, 0x3000});
  EXPECT_EQ(p.buffers[2].array.getAtOffset(0), 0u);
  EXPECT_EQ(p.buffers[2].array.getAtOffset(5), 7u);
  EXPECT_FALSE(p.add("m:list=nothing"));
}

TEST(LaunchArgs, SeedsDiffer) {
  Parsed p;
  ASSERT_TRUE(p.add("a:i32[16]") && p.add("b:i32[16]") && p.add("c:i32[16]=random(seed=0)"));
  EXPECT_NE(p.buffers[0].array.bytes, p.buffers[1].array.bytes);
  EXPECT_EQ(p.buffers[0].array.bytes, p.buffers[2].array.bytes);
}

TEST(LaunchArgs, Mistakes) {
  const char *bad[] = {"f33=1",
                       "i32",
                       "i32=",
                       "i32=1.5",
                       "i8=300",
                       "f32=x",
                       "out:i32=5",
                       "x:f32[4",
                       "x:f32[-1]",
                       "x:f32[4]{",
                       "x:f32[4]{a=1}",
                       "x:f32[4]=wat",
                       "x:f32[4]=random(lo=1",
                       "x:f32[4]=random(mean=1)",
                       "x:f32[2x2]{strides=1}",
                       "x:f32[99999999999]",
                       "x:f32[4]=missing.npy",
                       ":f32[4]",
                       "x:f32[4]{tol=3}",
                       "x:f32[4]{align=3}",
                       "ptr[4]",
                       "x:f32[4]y",
                       "x:i32[4]=random(lo=2,hi=1)",
                       "x:f32[4]=integers(lo=0.2,hi=0.8)"};
  for (const char *spec : bad) {
    Parsed p;
    EXPECT_FALSE(p.add(spec)) << spec;
    EXPECT_NE(p.error.find(spec), std::string::npos) << p.error; // names the argument
    EXPECT_TRUE(p.args.empty());
  }
  Parsed twice;
  EXPECT_TRUE(twice.add("x:f32[1]"));
  EXPECT_FALSE(twice.add("x:f32[1]"));
}

TEST(LaunchArgs, Grids) {
  Grid grid;
  std::string error;
  EXPECT_TRUE(parseGrid("7", grid, error));
  EXPECT_EQ(grid.count(), 7u);
  EXPECT_TRUE(parseGrid("4,3,2", grid, error));
  EXPECT_EQ(grid.z, 2u);
  for (const char *bad : {"", "0", "1,0", "1,2,3,4", "a", "-1", "1,"}) {
    bool ok = parseGrid(bad, grid, error);
    EXPECT_EQ(ok, std::string(bad) == "1,") << bad; // a trailing comma is forgiven
  }
}

TEST(CompareBuffers, SeesWritesBetweenElements) {
  Parsed p;
  ASSERT_TRUE(p.add("x:i8[3]{strides=2}=zeros"));
  std::vector<Buffer> actual = p.buffers;
  EXPECT_TRUE(compareBuffers(actual, p.buffers, {})[0].ok);
  actual[0].array.bytes[1] = 0; // a gap byte
  BufferComparison result = compareBuffers(actual, p.buffers, {})[0];
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.text.find("byte 1"), std::string::npos);
}

TEST(CudaEngine, SaysWhyThereIsNone) {
  std::string error;
  EXPECT_EQ(makeCudaEngine(0, "/nonexistent/libcuda.so.1", error), nullptr);
  EXPECT_NE(error.find("no CUDA driver"), std::string::npos) << error;
}

TEST(LaunchArgs, TensorMaps) {
  Parsed p;
  ASSERT_TRUE(p.add("x:bf16[20x40x64]{pass=none,strides=3200x80x1}")) << p.error;
  EXPECT_TRUE(p.args.empty());
  ASSERT_TRUE(p.add("m:map=x{box=1x16x32,steps=1x2x1,swizzle=64B,fill=nan,l2=128B}")) << p.error;
  ASSERT_EQ(p.args.size(), 1u);
  EXPECT_EQ(p.args[0].map, 0);
  EXPECT_EQ(p.args[0].bytes(), 128u);
  const TensorMapArg m = p.maps[0];
  EXPECT_EQ(m.name, "m");
  EXPECT_EQ(m.buffer, 0);
  EXPECT_EQ(m.type, 9u); // CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
  EXPECT_EQ(m.dims, (std::vector<uint64_t>{64, 40, 20}));
  EXPECT_EQ(m.strides, (std::vector<uint64_t>{160, 6400}));
  EXPECT_EQ(m.box, (std::vector<uint32_t>{32, 16, 1}));
  EXPECT_EQ(m.steps, (std::vector<uint32_t>{1, 2, 1}));
  EXPECT_EQ(m.swizzle, 2u);
  EXPECT_EQ(m.fill, 1u);
  EXPECT_EQ(m.l2, 2u);
  ASSERT_TRUE(p.add("map=x{mode=im2col,channels=64,pixels=128,lower=-1,upper=-2,type=u16}")) << p.error;
  EXPECT_EQ(p.maps[1].lower, (std::vector<int>{-1}));
  EXPECT_EQ(p.maps[1].pixels, 128u);
  EXPECT_EQ(p.maps[1].type, 1u);
  const std::pair<const char *, const char *> mistakes[] = {
      {"map=y{box=1x1x8}", "no array 'y'"},
      {"map=x", "{options}"},
      {"map=x{box=8x8}", "one extent per dimension"},
      {"map=x{box=1x1x8,swizzle=16B}", "known: none 32B"},
      {"map=x{box=1x1x8,type=f32}", "not as wide"},
      {"map=x{box=1x1x8,colour=red}", "unknown option 'colour'"},
      {"map=x{box=1xx8}", "bad value"},
      {"map=x{mode=im2col,channels=8,pixels=8,lower=0x0,upper=0}", "1 corner"},
  };
  for (auto [spec, message] : mistakes) {
    EXPECT_FALSE(p.add(spec)) << spec;
    EXPECT_NE(p.error.find(message), std::string::npos) << p.error;
  }
}

} // namespace
