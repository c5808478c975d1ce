//===- Scheduler.cpp - Which warp runs next ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Scheduler.h"

#include <algorithm>

using namespace tileiras::emu;

namespace {

/// Agents that wait in a loop for another one give up their turn after this many basic blocks.
constexpr unsigned LongSlice = 1 << 14, ShortSlice = 32;

class RoundRobinScheduler : public Scheduler {
public:
  Turn next(const std::vector<unsigned> &runnable) override {
    auto it = std::upper_bound(runnable.begin(), runnable.end(), last);
    last = it == runnable.end() ? runnable.front() : *it;
    return {last, ShortSlice};
  }

private:
  unsigned last = ~0u;
};

/// Runs one agent until it waits. An agent that used up a whole long slice goes after the others, or a spinning
/// agent would never be answered.
class OrderedScheduler : public Scheduler {
public:
  explicit OrderedScheduler(bool reverse) : reverse(reverse) {}
  Turn next(const std::vector<unsigned> &runnable) override {
    if (std::binary_search(runnable.begin(), runnable.end(), last)) {
      // Still runnable: it was stopped by its slice.
      auto it = std::upper_bound(runnable.begin(), runnable.end(), last);
      if (reverse)
        last = it - 1 == runnable.begin() ? runnable.back() : *(it - 2);
      else
        last = it == runnable.end() ? runnable.front() : *it;
    } else {
      last = reverse ? runnable.back() : runnable.front();
    }
    return {last, LongSlice};
  }

private:
  bool reverse;
  unsigned last = ~0u;
};

class RandomScheduler : public Scheduler {
public:
  RandomScheduler(uint64_t seed, uint64_t stream)
      : state(seed * 0x9e3779b97f4a7c15ull ^ (stream + 1) * 0xd1342543de82ef95ull) {}
  Turn next(const std::vector<unsigned> &runnable) override {
    uint64_t r = random();
    unsigned agent = runnable[(r >> 32) % runnable.size()];
    // Slices of 1 to 256 blocks, short ones more often.
    return {agent, 1u << (r & 7) | unsigned(r >> 8 & 0xff) >> (8 - (r & 7))};
  }

private:
  uint64_t random() { // splitmix64
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  uint64_t state;
};

constexpr std::pair<Schedule, const char *> names[] = {{Schedule::RoundRobin, "round-robin"},
                                                       {Schedule::Forward, "forward"},
                                                       {Schedule::Reverse, "reverse"},
                                                       {Schedule::Random, "random"}};

} // namespace

const char *tileiras::emu::scheduleName(Schedule schedule) {
  for (auto &[s, name] : names)
    if (s == schedule)
      return name;
  return "?";
}

bool tileiras::emu::parseSchedule(std::string_view text, Schedule &schedule) {
  for (auto &[s, name] : names)
    if (text == name) {
      schedule = s;
      return true;
    }
  return false;
}

std::unique_ptr<Scheduler> tileiras::emu::makeScheduler(Schedule schedule, uint64_t seed, uint64_t stream) {
  switch (schedule) {
  case Schedule::RoundRobin:
    return std::make_unique<RoundRobinScheduler>();
  case Schedule::Forward:
    return std::make_unique<OrderedScheduler>(false);
  case Schedule::Reverse:
    return std::make_unique<OrderedScheduler>(true);
  case Schedule::Random:
    return std::make_unique<RandomScheduler>(seed, stream);
  }
  return nullptr;
}
