//===- SharedConvert.cpp - Conversion through conflict-free shared memory --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The mathematics is in ConvertPlan.h, "Shared memory without bank conflicts and without padding".
// Coordinates are flat words here, a layout of memory is a list of them: entry i is the coordinate
// that offset bit i flips.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/F2Basis.h"
#include "tileiras/Support/MatrixFetch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <set>

namespace tileiras {

using Vectors = std::vector<uint64_t>;

/// 32 banks of 4 bytes.
static constexpr int kWavefrontBytesLog2 = 7;
static constexpr int kWordBytesLog2 = 2;

static int log2Of(int64_t v) { return std::countr_zero(uint64_t(v)); }

static Vectors concat(Vectors a, const Vectors &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

static uint64_t combine(const Vectors &bases, uint64_t mask) {
  uint64_t result = 0;
  for (size_t i = 0; i < bases.size(); ++i)
    if ((mask >> i) & 1)
      result ^= bases[i];
  return result;
}

/// What has to be added, in the order of `candidates`, to reach their span.
static Vectors complete(F2Basis inside, const Vectors &candidates) {
  Vectors added;
  for (uint64_t v : candidates)
    if (!inside.contains(v)) {
      inside.insert(v);
      added.push_back(v);
    }
  return added;
}

static Vectors firstOf(Vectors v, size_t n) {
  v.resize(std::min(v.size(), n));
  return v;
}

//===----------------------------------------------------------------------===//
// Counting wavefronts
//===----------------------------------------------------------------------===//

/// Lanes served together: all for up to 4 bytes each, half a warp for 8, a quarter for 16.
static int lanesTogetherLog2(int accessBytesLog2, int numLaneBits) {
  return std::min(numLaneBits, kWavefrontBytesLog2 - std::max(accessBytesLog2, kWordBytesLog2));
}

int countWavefronts(const std::vector<uint64_t> &laneOffsets, int vectorBits, int elementBytes, int32_t inactive) {
  int accessLog2 = vectorBits + log2Of(elementBytes);
  int together = lanesTogetherLog2(accessLog2, int(laneOffsets.size()));
  int lanes = 1 << laneOffsets.size(), wavefronts = 0;
  for (int first = 0; first < lanes; first += 1 << together) {
    std::array<std::set<uint64_t>, 32> words;
    for (int lane = first; lane < first + (1 << together); ++lane) {
      if (lane & inactive)
        continue;
      uint64_t address = combine(laneOffsets, uint64_t(lane)) * uint64_t(elementBytes);
      for (uint64_t byte = 0; byte < uint64_t(1) << accessLog2; byte += std::min(4, 1 << accessLog2)) {
        uint64_t word = (address + byte) >> kWordBytesLog2;
        words[word % 32].insert(word);
      }
    }
    size_t most = 0;
    for (const std::set<uint64_t> &bank : words)
      most = std::max(most, bank.size());
    wavefronts += int(most);
  }
  return std::max(1, wavefronts);
}

//===----------------------------------------------------------------------===//
// One side of the trip
//===----------------------------------------------------------------------===//

/// Expresses a distributed layout in offsets of `memory` and forms the widest accesses that all
/// threads can make with the registers outside of `leftOut`. For block bits only the difference to
/// `reference` (the layout that decides which CTA holds what) counts.
static std::optional<SharedAccess> makeAccess(const LinearLayout &layout, const LinearLayout &reference,
                                              const Vectors &memory, int32_t leftOut, int32_t inactiveLanes,
                                              int elementBytes, int maxVectorBytes) {
  F2Basis basis(memory);
  SharedAccess access;
  access.offset = LinearLayout({}, {{kOffset, int32_t(1) << memory.size()}});
  Vectors others;
  for (DimName in : {kRegister, kLane, kWarp, kBlock}) {
    Vectors offsets;
    for (int bit = 0; bit < layout.inBits(in); ++bit) {
      uint64_t v = layout.flatBasis(in, bit) ^ (in == kBlock ? reference.flatBasis(kBlock, bit) : 0);
      std::optional<uint64_t> offset = basis.solve(v);
      if (!offset)
        return std::nullopt;
      offsets.push_back(*offset);
    }
    if (in != kRegister)
      others = concat(others, offsets);
    access.offset = access.offset.extendIn(in, offsets);
  }

  // Registers as a function of the offset.
  Vectors registers, registerOffsets;
  for (int bit = 0; bit < layout.inBits(kRegister); ++bit)
    if (!((leftOut >> bit) & 1)) {
      registers.push_back(uint64_t(1) << bit);
      registerOffsets.push_back(access.offset.flatBasis(kRegister, bit));
    }
  F2Basis byOffset(registerOffsets);

  // An access may cover the low v offset bits if every thread can vary them by registers alone and
  // starts at a multiple of 2^v.
  int limit = std::max(0, log2Of(maxVectorBytes) - log2Of(elementBytes));
  auto startsAligned = [&](int v) {
    return std::all_of(others.begin(), others.end(), [&](uint64_t o) { return (o & ((uint64_t(1) << v) - 1)) == 0; });
  };
  while (access.vectorBits < std::min(limit, int(memory.size())) &&
         byOffset.contains(uint64_t(1) << access.vectorBits) && startsAligned(access.vectorBits + 1))
    ++access.vectorBits;

  uint64_t low = (uint64_t(1) << access.vectorBits) - 1;
  for (uint64_t n = 0; n < uint64_t(1) << registers.size(); ++n) {
    uint64_t first = combine(registers, n), offset = combine(registerOffsets, n);
    if (offset & low)
      continue;
    std::vector<int32_t> &group = access.groups.emplace_back();
    for (uint64_t k = 0; k <= low; ++k)
      group.push_back(int32_t(first ^ combine(registers, *byOffset.solve(k))));
  }
  Vectors laneOffsets = access.offset.flatBases(kLane);
  access.wavefronts = countWavefronts(laneOffsets, access.vectorBits, elementBytes, inactiveLanes);
  // Without conflicts a wavefront moves 128 different bytes (of words that are used at least in
  // part).
  int accessLog2 = access.vectorBits + log2Of(elementBytes);
  int together = lanesTogetherLog2(accessLog2, int(laneOffsets.size()));
  int waves = 0;
  for (int first = 0; first < 1 << laneOffsets.size(); first += 1 << together)
    for (int lane = first; lane < first + (1 << together); ++lane)
      if (!(lane & inactiveLanes)) {
        ++waves;
        break;
      }
  access.idealWavefronts = std::max(1, waves);
  return access;
}

//===----------------------------------------------------------------------===//
// The layout of memory
//===----------------------------------------------------------------------===//

namespace {
/// One side, as far as the choice of memory is concerned.
struct Side {
  Vectors registers, lanes, warps;
};
} // namespace

/// The memory layout for given vector bits (offset bits 0, 1, ...).
static Vectors layoutFor(const Vectors &vector, const Side &store, const Side &load, int elementBytes) {
  int elementLog2 = log2Of(elementBytes);
  Vectors whole = complete({}, concat(concat(concat(store.lanes, load.lanes), concat(store.registers, load.registers)),
                                      concat(store.warps, load.warps)));
  size_t total = whole.size();

  // Bits inside a 4-byte word: two lanes in one word never conflict, so let neighbours in both
  // layouts share it.
  Vectors low = vector;
  size_t wordBits = size_t(std::max(0, kWordBytesLog2 - elementLog2));
  if (low.size() < wordBits) {
    Vectors candidates =
        concat(intersectSpans(store.lanes, load.lanes), concat(concat(store.lanes, load.lanes), whole));
    low = concat(low, firstOf(complete(F2Basis(low), candidates), wordBits - low.size()));
  }
  Vectors word = firstOf(low, wordBits);

  // What one wavefront touches.
  auto touched = [&](const Side &side) {
    F2Basis registers(side.registers);
    Vectors own;
    for (uint64_t v : vector) {
      if (!registers.contains(v))
        break;
      own.push_back(v);
    }
    int together = lanesTogetherLog2(int(own.size()) + elementLog2, int(side.lanes.size()));
    return complete({}, concat(concat(word, own), firstOf(side.lanes, size_t(together))));
  };
  Vectors a = touched(store), b = touched(load), common = intersectSpans(a, b);

  // Segments avoid both: first what is in neither, then sums of one from each.
  size_t bankBits = size_t(kWavefrontBytesLog2 - elementLog2);
  size_t segmentCount = total > bankBits ? total - bankBits : 0;
  Vectors onlyA = complete(F2Basis(common), a), onlyB = complete(F2Basis(common), b);
  Vectors segments = complete(F2Basis(concat(concat(common, onlyA), onlyB)), whole);
  // Vector bits of the wider side may not be in either set if its registers gave out; they are
  // never segments.
  segments = complete(F2Basis(concat(low, concat(concat(common, onlyA), onlyB))), segments);
  for (size_t i = 0; i < std::min(onlyA.size(), onlyB.size()) && segments.size() < segmentCount; ++i) {
    uint64_t pair = onlyA[i] ^ onlyB[i];
    if (!F2Basis(concat(low, segments)).contains(pair))
      segments.push_back(pair);
  }
  segments = firstOf(segments, segmentCount);

  // Everything else selects banks.
  Vectors banks = complete(F2Basis(concat(low, segments)), concat(concat(store.lanes, load.lanes), whole));
  return concat(concat(low, banks), segments);
}

/// The plan through the cheapest of the memory layouts that `memories` makes of the two sides.
static std::optional<SharedPlan>
planThroughCheapest(const LinearLayout &src, const LinearLayout &dst, int elementBytes, int maxVectorBytes,
                    std::string *error,
                    const std::function<std::vector<Vectors>(const Side &store, const Side &load)> &memories,
                    const AccessCosts &costOf = {}) {
  auto sideOf = [](const LinearLayout &layout) {
    return Side{layout.flatBases(kRegister), layout.flatBases(kLane), layout.flatBases(kWarp)};
  };
  auto fail = [&](const char *message) {
    if (error)
      *error = message;
    return std::nullopt;
  };
  if (src.shape() != dst.shape() || src.inBits(kBlock) != dst.inBits(kBlock) || src.inBits(kLane) != dst.inBits(kLane))
    return fail("layouts describe tiles of different shapes, lanes or CTAs");
  Side store = sideOf(src), load = sideOf(dst);
  F2Basis held(concat(concat(store.registers, store.lanes), store.warps));
  for (uint64_t v : concat(concat(load.registers, load.lanes), load.warps))
    if (!held.contains(v))
      return fail("the source layout does not hold all elements in the CTA that wants them");
  SharedPlan plan;
  plan.elementBytes = elementBytes;
  plan.storeOwner = ownerMask(src, /*withinCta=*/true);
  plan.loadCopies.resize(size_t(1) << dst.inBits(kRegister));
  F2Basis loadRegisters(load.registers);
  for (size_t r = 0; r < plan.loadCopies.size(); ++r)
    plan.loadCopies[r] = int32_t(*loadRegisters.solve(combine(load.registers, r)));
  int32_t notLoaded = 0;
  for (int bit = 0; bit < dst.inBits(kRegister); ++bit)
    if (plan.loadCopies[size_t(1) << bit] != int32_t(1) << bit)
      notLoaded |= int32_t(1) << bit;

  int64_t best = -1;
  for (const Vectors &memory : memories(store, load)) {
    std::optional<SharedAccess> stores =
        makeAccess(src, src, memory, plan.storeOwner.registers, plan.storeOwner.lane, elementBytes, maxVectorBytes);
    std::optional<SharedAccess> loads = makeAccess(dst, src, memory, notLoaded, 0, elementBytes, maxVectorBytes);
    if (!stores || !loads)
      return fail("elements would have to move between the CTAs of a cluster");
    // Wavefronts, then instructions, then XORs in the addresses.
    int64_t cost = costOf ? costOf(*stores, *loads)
                          : int64_t(stores->numAccesses()) * (1 + stores->wavefronts) +
                                int64_t(loads->numAccesses()) * (1 + loads->wavefronts);
    int64_t xors = 0;
    for (const SharedAccess *access : {&*stores, &*loads})
      for (uint64_t offset : access->offset.flatBases())
        xors += std::popcount(offset);
    cost = cost * 4096 + std::min<int64_t>(xors, 4095);
    if (best >= 0 && cost >= best)
      continue;
    best = cost;
    plan.store = std::move(*stores);
    plan.load = std::move(*loads);
    plan.memory = src.sublayout({}, src.outNames()).extendIn(kOffset, memory);
    plan.bytes = int64_t(elementBytes) << memory.size();
  }
  return plan;
}

std::optional<SharedPlan> planSharedConvert(const LinearLayout &src, const LinearLayout &dst, int elementBytes,
                                            int maxVectorBytes, std::string *error, const std::vector<uint64_t> &wanted,
                                            const AccessCosts &costOf) {
  auto memories = [&](const Side &store, const Side &load) {
    // Candidates for the vector bits: registers both sides have, as many as fit; then more of one
    // side.
    size_t limit = size_t(std::max(0, log2Of(maxVectorBytes) - log2Of(elementBytes)));
    Vectors shared = firstOf(intersectSpans(store.registers, load.registers), limit);
    std::vector<Vectors> candidates;
    if (!wanted.empty())
      candidates.push_back(wanted);
    for (size_t n = shared.size() + 1; wanted.empty() && n-- > 0;)
      candidates.push_back(firstOf(shared, n));
    for (const Side *side : {&store, &load}) {
      if (!wanted.empty())
        break;
      Vectors more = complete(F2Basis(shared), side->registers);
      for (size_t n = 1; shared.size() + n <= limit && n <= more.size(); ++n)
        candidates.push_back(concat(shared, firstOf(more, n)));
    }
    std::vector<Vectors> memories;
    for (const Vectors &vector : candidates)
      memories.push_back(layoutFor(vector, store, load, elementBytes));
    return memories;
  };
  return planThroughCheapest(src, dst, elementBytes, maxVectorBytes, error, memories, costOf);
}

std::optional<SharedPlan> planSharedThrough(const LinearLayout &memory, const LinearLayout &src,
                                            const LinearLayout &dst, int elementBytes) {
  auto given = [&](const Side &, const Side &) { return std::vector<Vectors>{memory.flatBases(kOffset)}; };
  return planThroughCheapest(src, dst, elementBytes, /*maxVectorBytes=*/16, nullptr, given);
}

} // namespace tileiras
