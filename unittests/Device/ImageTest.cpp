//===- ImageTest.cpp - PTX out of images ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Image.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace tileiras::device;

namespace {

template <typename T> void put(std::vector<uint8_t> &bytes, size_t at, T value) {
  if (bytes.size() < at + sizeof value)
    bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

struct Entry {
  uint16_t kind; // 1: PTX, 2: cubin
  uint32_t target;
  std::string payload;
  uint64_t flags = 0x11;
  uint64_t whole = 0;
};

std::vector<uint8_t> fatbin(const std::vector<Entry> &entries) {
  std::vector<uint8_t> f;
  put<uint32_t>(f, 0, 0xba55ed50);
  put<uint16_t>(f, 4, 1);
  put<uint16_t>(f, 6, 16);
  put<uint64_t>(f, 8, 0);
  for (const Entry &e : entries) {
    const size_t at = f.size(), padded = (e.payload.size() + 7) / 8 * 8;
    put<uint16_t>(f, at, e.kind);
    put<uint32_t>(f, at + 4, 64);
    put<uint64_t>(f, at + 8, padded);
    put<uint32_t>(f, at + 16, uint32_t(e.payload.size()));
    put<uint32_t>(f, at + 28, e.target);
    put<uint64_t>(f, at + 40, e.flags);
    put<uint64_t>(f, at + 56, e.whole);
    f.insert(f.end(), e.payload.begin(), e.payload.end());
    f.resize(at + 64 + padded);
  }
  put<uint64_t>(f, 8, f.size() - 16);
  return f;
}

TEST(DeviceImage, Text) {
  EXPECT_EQ(ptxOfImage(".version 8.0", 90).ptx, ".version 8.0");
  const char text[] = ".version 8.0\0\0\0";
  EXPECT_EQ(ptxOfImage(text, 90, sizeof text).ptx, ".version 8.0");
  EXPECT_NE(ptxOfImage("what is this", 90).error, "");
  EXPECT_NE(ptxOfImage("", 90).error, "");
  EXPECT_NE(ptxOfImage(nullptr, 90).error, "");
}

TEST(DeviceImage, Fatbin) {
  auto f =
      fatbin({{2, 80, "machine code"}, {1, 75, ".version 7.5"}, {1, 80, ".version 8.0"}, {1, 100, ".version 8.6"}});
  EXPECT_EQ(ptxOfImage(f.data(), 90).ptx, ".version 8.0");
  EXPECT_EQ(ptxOfImage(f.data(), 120).ptx, ".version 8.6");
  EXPECT_EQ(ptxOfImage(f.data(), 75).ptx, ".version 7.5");
  EXPECT_NE(ptxOfImage(f.data(), 70).error.find("no PTX for sm_70 or below"), std::string::npos);
  struct {
    uint32_t magic = 0x466243b1, version = 1;
    const void *data, *more = nullptr;
  } wrapper;
  wrapper.data = f.data();
  EXPECT_EQ(ptxOfImage(&wrapper, 90).ptx, ".version 8.0");
  put<uint64_t>(f, 16 + 8, 1 << 20); // an entry that ends after the end
  EXPECT_EQ(ptxOfImage(f.data(), 90).error, "the fatbin is damaged");
}

TEST(DeviceImage, Lz4) {
  // ".abcabcabcabcabcabcabcabcX": 4 literals, a match of 20 bytes at distance 3, 2 literals.
  const std::string packed = {'\x4f', '.', 'a', 'b', 'c', 3, 0, 1, '\x20', 'c', 'X'};
  const std::string plain = ".abc" + std::string("abcabcabcabcabcabcab") + "cX";
  std::vector<uint8_t> out(plain.size());
  ASSERT_TRUE(decompressLz4(reinterpret_cast<const uint8_t *>(packed.data()), packed.size(), out));
  EXPECT_EQ(std::string(out.begin(), out.end()), plain);
  auto f = fatbin({{1, 80, packed, 0x2011, plain.size()}});
  EXPECT_EQ(ptxOfImage(f.data(), 90).ptx, plain);
  // Every shortening and every wrong byte is an error or another text, and nothing worse.
  for (size_t n = 0; n != packed.size(); ++n) {
    std::vector<uint8_t> other(plain.size());
    EXPECT_FALSE(decompressLz4(reinterpret_cast<const uint8_t *>(packed.data()), n, other));
    for (unsigned bit = 0; bit != 8; ++bit) {
      std::string broken = packed;
      broken[n] = char(broken[n] ^ 1 << bit);
      (void)decompressLz4(reinterpret_cast<const uint8_t *>(broken.data()), broken.size(), other);
    }
  }
}

} // namespace
