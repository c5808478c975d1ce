//===- ArrayTest.cpp - Arrays, .npy files and comparisons -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Runtime/Array.h"

#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <set>
#include <tuple>
#include <unistd.h>

using namespace tileiras;

namespace {

std::string temporaryFile(const char *name) {
  return testing::TempDir() + "/tileiras-" + std::to_string(getpid()) + "-" + name;
}

TEST(Array, StridedViewsAndOffsets) {
  Array array = Array::strided(DType::I16, {2, 3}, {10, 2}, 6);
  EXPECT_EQ(array.bytes.size(), 6u + 2 * (10 + 2 * 2 + 1));
  array.set({1, 2}, 0x1234);
  uint16_t raw;
  std::memcpy(&raw, array.bytes.data() + 6 + 2 * 14, 2);
  EXPECT_EQ(raw, 0x1234);
  Array dense = array.toDense();
  EXPECT_EQ(dense.strides, (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(dense.getAtOffset(5), 0x1234u);
  EXPECT_EQ(Array::dense(DType::F32, {}).numElements(), 1);
  EXPECT_EQ(Array::dense(DType::F32, {4, 0, 2}).bytes.size(), 0u);
}

TEST(Array, FillsAreReproducible) {
  for (unsigned t = 0; t < kNumDTypes; ++t) {
    Array a = Array::dense(DType(t), {64}), b = a, c = a;
    FillSpec spec{FillSpec::Kind::Special};
    spec.seed = 5;
    fill(a, spec);
    fill(b, spec);
    EXPECT_EQ(a.bytes, b.bytes);
    spec.seed = 6;
    fill(c, spec);
    EXPECT_NE(a.bytes, c.bytes) << dtypeName(DType(t));
  }
}

TEST(Array, NumbersSaturateButInfinityStays) {
  for (auto [type, large, infinite] :
       {std::tuple(DType::F16, 0x7BFFu, 0x7C00u), std::tuple(DType::BF16, 0x7F7Fu, 0x7F80u),
        std::tuple(DType::F8E4M3FN, 0x7Eu, 0x7Eu)}) {
    Array array = Array::dense(type, {1});
    FillSpec spec{FillSpec::Kind::Value};
    spec.lo = 1e300;
    fill(array, spec);
    EXPECT_EQ(array.getAtOffset(0), large);
    spec.lo = std::numeric_limits<double>::infinity();
    fill(array, spec);
    EXPECT_EQ(array.getAtOffset(0), infinite);
  }
}

TEST(Array, UniformStaysInBounds) {
  FillSpec spec{FillSpec::Kind::Uniform, -3, 5, true, 1};
  Array ints = Array::dense(DType::I8, {1000}), floats = Array::dense(DType::F32, {1000});
  fill(ints, spec);
  fill(floats, spec);
  std::set<int64_t> seen;
  double sum = 0;
  for (int i = 0; i < 1000; ++i) {
    seen.insert(signExtend(ints.getAtOffset(i), 8));
    double x = decodeFloat(DType::F32, floats.getAtOffset(i));
    EXPECT_GE(x, -3);
    EXPECT_LE(x, 5);
    sum += x;
  }
  EXPECT_EQ(seen.size(), 9u); // every value of [-3, 5]
  EXPECT_NEAR(sum / 1000, 1, 0.3);
  FillSpec iota{FillSpec::Kind::Iota};
  Array bytes = Array::dense(DType::I8, {300});
  fill(bytes, iota);
  EXPECT_EQ(bytes.getAtOffset(299), uint64_t(299 - 256));
}

TEST(Npy, RoundTripsEveryType) {
  std::string path = temporaryFile("roundtrip.npy"), error;
  for (unsigned t = 0; t < kNumDTypes; ++t) {
    Array a = Array::strided(DType(t), {3, 5, 2}, {40, 4, 2}, 16), b;
    FillSpec spec{FillSpec::Kind::Bits};
    spec.seed = t;
    fill(a, spec);
    ASSERT_TRUE(writeNpy(path, a, error)) << error;
    ASSERT_TRUE(readNpy(path, DType(t), b, error)) << error;
    EXPECT_EQ(b.shape, a.shape);
    EXPECT_EQ(b.bytes, a.toDense().bytes) << dtypeName(DType(t));
  }
  std::remove(path.c_str());
}

void writeFile(const std::string &path, const std::string &header, const std::string &data, char version = 1) {
  std::ofstream file(path, std::ios::binary);
  file << "\x93NUMPY" << version << '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    file << char(header.size() >> (8 * i));
  file << header << data;
}

TEST(Npy, ReadsWhatNumPyWrites) {
  std::string path = temporaryFile("foreign.npy"), error;
  Array array;
  writeFile(path, "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n",
            std::string("\1\0\2\0\3\0\4\0\5\0\6\0", 12), 2);
  ASSERT_TRUE(readNpy(path, DType::I16, array, error)) << error;
  EXPECT_EQ(array.get({0, 1}), 3u); // column-major file
  EXPECT_EQ(array.get({1, 2}), 6u);
  writeFile(path, "{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }", "\x80\x3f");
  ASSERT_TRUE(readNpy(path, DType::BF16, array, error)) << error;
  EXPECT_EQ(decodeFloat(DType::BF16, array.getAtOffset(0)), 1.0);
  writeFile(path, "{'descr': '<f4', 'fortran_order': False, 'shape': (), }", std::string("\0\0\x80\x3f", 4));
  ASSERT_TRUE(readNpy(path, DType::F32, array, error)) << error;
  EXPECT_EQ(array.numElements(), 1);
  std::remove(path.c_str());
}

TEST(Npy, RefusesBadFiles) {
  std::string path = temporaryFile("bad.npy");
  auto message = [&](const std::string &header, const std::string &data) {
    writeFile(path, header, data);
    Array array;
    std::string error;
    EXPECT_FALSE(readNpy(path, DType::I16, array, error));
    return error;
  };
  EXPECT_NE(message("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "abcd").find("'<f4'"),
            std::string::npos);
  EXPECT_NE(message("{'descr': '>i2', 'fortran_order': False, 'shape': (1,)}", "ab").find("'>i2'"), std::string::npos);
  EXPECT_NE(message("{'descr': '<i2', 'fortran_order': False, 'shape': (4,)}", "ab").find("data ends"),
            std::string::npos);
  EXPECT_NE(
      message("{'descr': '<i2', 'fortran_order': False, 'shape': (9999999999999, 99999999999)}", "").find("too large"),
      std::string::npos);
  EXPECT_NE(message("{'descr': [('a', '<i2')]}", "").find("descr"), std::string::npos);
  EXPECT_NE(message("{'descr': '<i2', 'fortran_order': False, 'shape': (-1,)}", "").find("shape"), std::string::npos);
  Array array;
  std::string error;
  EXPECT_FALSE(readNpy(path + ".missing", DType::I8, array, error));
  std::remove(path.c_str());
}

Array floats(std::vector<float> values) {
  Array array = Array::dense(DType::F32, {int64_t(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    array.setAtOffset(int64_t(i), std::bit_cast<uint32_t>(values[i]));
  return array;
}

TEST(Compare, FindsTheWorstElement) {
  Array expected = floats({1, 2, 3, NAN, INFINITY});
  Array actual = floats({1, 2.5, 3.25, NAN, INFINITY});
  Tolerance exact, loose;
  std::string error;
  Comparison result = compare(actual, expected, exact);
  EXPECT_EQ(result.mismatches, 2);
  EXPECT_EQ(result.worstIndex, (std::vector<int64_t>{1}));
  EXPECT_NE(result.describe(DType::F32).find("at [1]: got 2.5"), std::string::npos);
  ASSERT_TRUE(Tolerance::parse("rel:0.1", loose, error));
  result = compare(actual, expected, loose);
  EXPECT_EQ(result.mismatches, 1);
  EXPECT_EQ(result.worstIndex, (std::vector<int64_t>{1}));
  ASSERT_TRUE(Tolerance::parse("rel:0,abs:0.5", loose, error));
  EXPECT_TRUE(compare(actual, expected, loose).ok());
}

TEST(Compare, UlpsAndSpecialValues) {
  std::string error;
  Tolerance ulp;
  ASSERT_TRUE(Tolerance::parse("ulp:2", ulp, error));
  float next = std::nextafter(std::nextafter(1.0f, 2.0f), 2.0f);
  EXPECT_TRUE(compare(floats({next, 0.0f}), floats({1.0f, -0.0f}), ulp).ok());
  EXPECT_FALSE(compare(floats({std::nextafter(next, 2.0f)}), floats({1.0f}), ulp).ok());
  EXPECT_FALSE(compare(floats({NAN}), floats({1.0f}), ulp).ok());
  EXPECT_FALSE(compare(floats({1.0f}), floats({NAN}), ulp).ok());
  EXPECT_EQ(ulpDistance(DType::F32, std::bit_cast<uint32_t>(-0x1p-149f), std::bit_cast<uint32_t>(0x1p-149f)), 2);
  EXPECT_EQ(ulpDistance(DType::F64, std::bit_cast<uint64_t>(1.0), std::bit_cast<uint64_t>(std::nextafter(1.0, 2.0))),
            1);
  Tolerance relative;
  ASSERT_TRUE(Tolerance::parse("rel:1,abs:1", relative, error));
  EXPECT_FALSE(compare(floats({1e30f}), floats({INFINITY}), relative).ok());
  EXPECT_FALSE(Tolerance::parse("ulps:1", ulp, error));
  EXPECT_FALSE(Tolerance::parse("rel:-1", ulp, error));
  // Integers are exact under every tolerance.
  Array a = Array::dense(DType::I32, {1}), b = a;
  b.setAtOffset(0, 1);
  EXPECT_FALSE(compare(a, b, relative).ok());
}

} // namespace
