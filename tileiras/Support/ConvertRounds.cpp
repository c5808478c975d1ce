//===- ConvertRounds.cpp - Tiles through a small buffer, part by part -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/ConvertPlan.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>

namespace tileiras {

/// The `kept` bits of `flat`, moved together.
static uint64_t compress(uint64_t flat, uint64_t kept) {
  uint64_t result = 0;
  for (int place = 0; kept; kept &= kept - 1)
    result |= ((flat >> std::countr_zero(kept)) & 1) << place++;
  return result;
}

/// A layout whose one output is what is left of the flat coordinate, without some register bits.
template <typename Skip>
static LinearLayout keepCoordinates(const LinearLayout &layout, uint64_t kept, Skip skipRegister) {
  std::vector<LinearLayout::InDim> ins;
  for (DimName name : {kRegister, kLane, kWarp, kBlock}) {
    LinearLayout::InDim in{name, {}};
    std::vector<uint64_t> bases = layout.flatBases(name);
    for (size_t bit = 0; bit < bases.size(); ++bit)
      if (name != kRegister || !skipRegister(int(bit)))
        in.bases.push_back({int32_t(compress(bases[bit], kept))});
    ins.push_back(std::move(in));
  }
  return LinearLayout(std::move(ins), std::vector<int32_t>{int32_t(1) << std::popcount(kept)});
}

static uint64_t allCoordinates(const LinearLayout &layout) { return (uint64_t(1) << layout.totalOutBits()) - 1; }

//===----------------------------------------------------------------------===//
// One layout
//===----------------------------------------------------------------------===//

int32_t LayoutRounds::registerOf(int32_t r, int round) const {
  int32_t result = 0;
  int bits = part.inBits(kRegister) + int(registerBits.size());
  for (int bit = 0, from = 0; bit < bits; ++bit) {
    auto found = std::find(registerBits.begin(), registerBits.end(), bit);
    if (found != registerBits.end())
      result |= ((round >> (found - registerBits.begin())) & 1) << bit;
    else
      result |= ((r >> from++) & 1) << bit;
  }
  return result;
}

LayoutRounds splitIntoRounds(const LinearLayout &layout, int wantedBits) {
  std::vector<uint64_t> registers = layout.flatBases(kRegister);
  auto isAlone = [&](size_t index) {
    if (!std::has_single_bit(registers[index]))
      return false;
    for (DimName in : {kRegister, kLane, kWarp, kBlock}) {
      std::vector<uint64_t> bases = layout.flatBases(in);
      for (size_t i = 0; i < bases.size(); ++i)
        if ((in != kRegister || i != index) && (bases[i] & registers[index]))
          return false;
    }
    return true;
  };
  LayoutRounds rounds;
  uint64_t removed = 0;
  for (size_t bit = registers.size(); bit-- > 0 && int(rounds.registerBits.size()) < wantedBits;)
    if (isAlone(bit)) {
      rounds.registerBits.push_back(int(bit));
      removed |= registers[bit];
    }
  std::reverse(rounds.registerBits.begin(), rounds.registerBits.end());
  rounds.part = keepCoordinates(layout, allCoordinates(layout) & ~removed, [&](int bit) {
    return std::find(rounds.registerBits.begin(), rounds.registerBits.end(), bit) != rounds.registerBits.end();
  });
  return rounds;
}

//===----------------------------------------------------------------------===//
// Two layouts
//===----------------------------------------------------------------------===//

namespace {
/// What one side of a conversion has to do with a coordinate bit.
struct Holder {
  bool lanes = false, warps = false, blocks = false;
  bool mixed = false; ///< some register moves it together with other bits
  bool inThread() const { return !lanes && !warps && !blocks; }
};
} // namespace

static Holder holderOf(const LinearLayout &layout, int bit) {
  Holder holder;
  uint64_t mask = uint64_t(1) << bit;
  auto any = [&](DimName in) {
    std::vector<uint64_t> bases = layout.flatBases(in);
    return std::any_of(bases.begin(), bases.end(), [&](uint64_t b) { return b & mask; });
  };
  holder.lanes = any(kLane);
  holder.warps = any(kWarp);
  holder.blocks = any(kBlock);
  for (uint64_t moved : layout.flatBases(kRegister))
    holder.mixed |= (moved & mask) && moved != mask;
  return holder;
}

/// Whether coordinate bits of the same dimension above `bit` are not cut, and how long the parts are along it.
static std::pair<bool, int32_t> partsAlong(const std::vector<int32_t> &shape, int bit, uint64_t cut) {
  int first = 0;
  for (size_t d = shape.size(); d-- > 0;) {
    int bits = std::countr_zero(uint32_t(shape[d]));
    if (bit < first + bits) {
      uint64_t mine = ((uint64_t(1) << bits) - 1) << first, above = mine & ~((uint64_t(2) << bit) - 1);
      return {(above & ~cut) != 0, shape[d] >> std::popcount(mine & cut)};
    }
    first += bits;
  }
  return {false, 1};
}

ConvertRounds cutIntoRounds(const LinearLayout &src, const LinearLayout &dst, int wantedBits) {
  ConvertRounds rounds;
  // How many registers a round has to look at on each side, as a power of two less than all.
  int savedByStores = 0, savedByLoads = 0, taken = 0;
  int64_t stores = src.inSize(kRegister), loads = dst.inSize(kRegister);
  for (; taken < wantedBits; ++taken) {
    using Cost = std::tuple<int64_t, bool, int, bool, int32_t, int>;
    std::optional<Cost> best;
    int chosen = -1;
    for (int bit = src.totalOutBits() - 1; bit >= 0; --bit) {
      if ((rounds.cut >> bit) & 1)
        continue;
      Holder from = holderOf(src, bit), to = holderOf(dst, bit);
      if (from.blocks || to.blocks)
        continue;
      // A load that other threads make as well takes a select to forget what it brought.
      int64_t work = (stores >> (savedByStores + from.inThread())) + 2 * (loads >> (savedByLoads + to.inThread()));
      // Half of the lanes make half of an access. Neighbours should stay together: halves of the longest dimension.
      auto [above, extent] = partsAlong(src.shape(), bit, rounds.cut);
      Cost cost{work, from.mixed || to.mixed, int(from.lanes) + int(to.lanes), above, -extent, -bit};
      if (best && cost >= *best)
        continue;
      best = cost;
      chosen = bit;
    }
    if (!best)
      break;
    rounds.cut |= uint64_t(1) << chosen;
    savedByStores += holderOf(src, chosen).inThread();
    savedByLoads += holderOf(dst, chosen).inThread();
  }
  uint64_t kept = allCoordinates(src) & ~rounds.cut;
  auto all = [](int) { return false; };
  rounds.source = keepCoordinates(src, kept, all);
  rounds.target = keepCoordinates(dst, kept, all);
  rounds.sourceRound = keepCoordinates(src, rounds.cut, all);
  rounds.targetRound = keepCoordinates(dst, rounds.cut, all);
  return rounds;
}

} // namespace tileiras
