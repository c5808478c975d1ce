//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The heap of `tileiras` (tools/tileiras/ProcessHeap.cpp), which is that of this program, too.
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

/// A block that is filled with a byte of its own, so that whoever writes into it, or gets it as well, is found out.
struct Held {
  unsigned char *at;
  size_t size;
  unsigned char byte;
};

bool whole(const Held &held, size_t size) {
  return std::all_of(held.at, held.at + size, [&](unsigned char b) { return b == held.byte; });
}

/// Takes, grows, shrinks and frees blocks at random; what is wrong, or nothing. What is left goes into `left`.
std::string churn(unsigned seed, int steps, std::vector<Held> &held) {
  std::mt19937 random(seed);
  auto aSize = [&]() -> size_t {
    switch (random() % 16) {
    case 0:
      return random() % (3 << 20); // some beyond what the heap has classes for
    case 1:
    case 2:
      return random() % 20000;
    default:
      return random() % 700;
    }
  };
  for (int step = 0; step < steps; ++step) {
    unsigned what = held.size() > 300 ? 4 : random() % 6;
    if (held.empty())
      what %= 3;
    if (what < 3) {
      size_t size = aSize(), alignment = what == 2 ? size_t(16) << random() % 5 : 16;
      void *block = what == 0 ? calloc(1, size) : what == 1 ? malloc(size) : nullptr;
      if (what == 2 && posix_memalign(&block, alignment, size))
        return "posix_memalign has failed";
      if (!block || reinterpret_cast<uintptr_t>(block) % alignment)
        return "a block of " + std::to_string(size) + " bytes is not aligned to " + std::to_string(alignment);
      Held fresh{static_cast<unsigned char *>(block), size, 0};
      if (what == 0 && !whole(fresh, size))
        return "calloc has not cleared " + std::to_string(size) + " bytes";
      fresh.byte = static_cast<unsigned char>(random());
      std::memset(block, fresh.byte, size);
      held.push_back(fresh);
      continue;
    }
    size_t which = random() % held.size();
    Held &one = held[which];
    if (!whole(one, one.size))
      return "a block of " + std::to_string(one.size) + " bytes was written by somebody else";
    if (what == 3) {
      size_t size = 1 + aSize();
      one.at = static_cast<unsigned char *>(realloc(one.at, size));
      if (!one.at || !whole(one, std::min(size, one.size)))
        return "realloc to " + std::to_string(size) + " bytes has lost some";
      one.size = size;
      std::memset(one.at, one.byte, size);
    } else {
      free(one.at);
      one = held.back();
      held.pop_back();
    }
  }
  return "";
}

TEST(ProcessHeap, BlocksKeepWhatIsInThem) {
  std::vector<Held> held;
  EXPECT_EQ(churn(1, 30000, held), "");
  for (const Held &one : held) {
    EXPECT_TRUE(whole(one, one.size));
    free(one.at);
  }
}

TEST(ProcessHeap, BlocksTravelBetweenThreads) {
  constexpr unsigned count = 4;
  std::vector<Held> held[count];
  std::string wrong[count];
  for (int round = 0; round < 4; ++round) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < count; ++i)
      threads.emplace_back([&, i] { wrong[i] = churn(17 * round + i, 3000, held[(i + round) % count]); });
    for (std::thread &thread : threads)
      thread.join();
    for (const std::string &what : wrong)
      EXPECT_EQ(what, "");
  }
  for (std::vector<Held> &some : held)
    for (const Held &one : some)
      free(one.at);
}

/// What one thread has freed, another one does not get.
TEST(ProcessHeap, ThreadsHaveListsOfTheirOwn) {
  void *first = malloc(48), *second = nullptr;
  free(first);
  std::thread([&] { second = malloc(48); }).join();
  EXPECT_NE(second, first);
  EXPECT_EQ(malloc(48), first);
  free(first);
  free(second);
}

TEST(ProcessHeap, EverySizeHasRoom) {
  for (size_t size = 0; size <= 70000; size += size < 5000 ? 1 : 97) {
    auto *a = static_cast<char *>(malloc(size)), *b = static_cast<char *>(malloc(size));
    ASSERT_TRUE(a && b);
    ASSERT_GE(size_t(std::abs(a - b)), std::max<size_t>(size, 1)) << size;
    free(a);
    free(b);
  }
}

TEST(ProcessHeap, FreedBlocksComeBack) {
  void *first = malloc(48);
  free(first);
  EXPECT_EQ(malloc(40), first);
  free(first);
}

TEST(ProcessHeap, WhatCannotBeIsRefused) {
  volatile size_t huge = SIZE_MAX / 2 + 1;
  EXPECT_EQ(calloc(huge, 2), nullptr);
  EXPECT_EQ(malloc(huge), nullptr);
  void *kept = malloc(100);
  EXPECT_EQ(realloc(kept, huge), nullptr);
  free(kept);
  void *none = nullptr;
  EXPECT_EQ(posix_memalign(&none, 3, 8), EINVAL);
  EXPECT_EQ(none, nullptr);
}

} // namespace
