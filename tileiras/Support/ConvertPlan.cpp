//===- ConvertPlan.cpp - How a tile gets from one layout to another -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/ConvertPlan.h"

#include "tileiras/Support/F2Basis.h"

#include <algorithm>
#include <bit>

namespace tileiras {

//===----------------------------------------------------------------------===//
// Small things
//===----------------------------------------------------------------------===//

const char *toString(ConvertKind kind) {
  switch (kind) {
  case ConvertKind::NoOp:
    return "no-op";
  case ConvertKind::SameThread:
    return "same-thread";
  case ConvertKind::IntraWarp:
    return "intra-warp";
  case ConvertKind::SharedMemory:
    return "shared-memory";
  }
  return "unknown";
}

OwnerMask ownerMask(const LinearLayout &layout, bool withinCta) {
  OwnerMask owner;
  std::vector<DimName> ins;
  for (DimName name : layout.inNames())
    if (!(withinCta && name == kBlock))
      ins.push_back(name);
  LinearLayout relevant = layout.sublayout(ins, layout.outNames());
  for (const auto &[name, mask] : relevant.freeVariableMasks({kLane, kWarp, kBlock})) {
    if (name == kRegister)
      owner.registers = mask;
    else if (name == kLane)
      owner.lane = mask;
    else if (name == kWarp)
      owner.warp = mask;
    else if (name == kBlock)
      owner.block = mask;
  }
  return owner;
}

/// XOR of the bases of the set bits.
template <typename T> static T combine(const std::vector<T> &bases, uint64_t mask) {
  T result = 0;
  for (size_t i = 0; i < bases.size(); ++i)
    if ((mask >> i) & 1)
      result ^= bases[i];
  return result;
}

int32_t AffineBits::eval(int32_t laneId, int32_t warpId) const {
  return constant ^ combine(lane, uint64_t(laneId)) ^ combine(warp, uint64_t(warpId));
}

bool AffineBits::isConstant() const {
  auto zero = [](int32_t v) { return v == 0; };
  return std::all_of(lane.begin(), lane.end(), zero) && std::all_of(warp.begin(), warp.end(), zero);
}

bool AffineBits::isLaneXor() const {
  for (size_t i = 0; i < lane.size(); ++i)
    if (lane[i] != int32_t(1) << i)
      return false;
  return std::all_of(warp.begin(), warp.end(), [](int32_t v) { return v == 0; });
}

int32_t AffineBits::numValues() const {
  return int32_t(1) << F2Basis(std::vector<uint64_t>(lane.begin(), lane.end())).rank();
}

//===----------------------------------------------------------------------===//
// Where every element comes from
//===----------------------------------------------------------------------===//

namespace {
/// A place in the source: what a bit of the target reads.
struct Source {
  int32_t reg = 0, lane = 0, warp = 0;
};

/// For each bit of the target's inputs its nearest source, relative to the thread itself for lane,
/// warp and block bits.
struct SourceMap {
  std::vector<Source> reg, lane, warp, block;
  bool withinThread = true; ///< no bit looks at another lane or warp
  bool withinWarp = true;
};
} // namespace

static std::vector<uint64_t> concat(std::vector<uint64_t> a, const std::vector<uint64_t> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

static bool fail(std::string *error, const char *message) {
  if (error)
    *error = message;
  return false;
}

static bool checkInputs(const LinearLayout &src, const LinearLayout &dst, std::string *error) {
  if (src.outNames() != dst.outNames() || src.shape() != dst.shape())
    return fail(error, "layouts describe tiles of different shapes");
  for (const LinearLayout *layout : {&src, &dst})
    for (DimName name : layout->inNames())
      if (name != kRegister && name != kLane && name != kWarp && name != kBlock)
        return fail(error, "only distributed layouts (register, lane, warp, block) can be converted");
  if (src.inBits(kLane) != dst.inBits(kLane))
    return fail(error, "layouts have different numbers of lanes");
  if (src.inBits(kBlock) != dst.inBits(kBlock))
    return fail(error, "layouts have different numbers of CTAs");
  return true;
}

/// Finds the nearest sources; nothing if some element is not in the CTA that wants it.
static std::optional<SourceMap> findSources(const LinearLayout &src, const LinearLayout &dst, std::string *error) {
  std::vector<uint64_t> regs = src.flatBases(kRegister), lanes = src.flatBases(kLane), warps = src.flatBases(kWarp);
  int numRegs = int(regs.size()), numLanes = int(lanes.size());
  F2Basis inThread(regs), inWarp(concat(regs, lanes)), inCta(concat(concat(regs, lanes), warps));
  SourceMap map;
  auto split = [&](uint64_t combination) {
    Source s;
    s.reg = int32_t(combination & ((uint64_t(1) << numRegs) - 1));
    s.lane = int32_t((combination >> numRegs) & ((uint64_t(1) << numLanes) - 1));
    s.warp = int32_t(combination >> (numRegs + numLanes));
    return s;
  };
  bool sameWarps = src.inBits(kWarp) == dst.inBits(kWarp);
  if (!sameWarps)
    map.withinThread = map.withinWarp = false;
  auto find = [&](DimName in, int bit, std::vector<Source> &result) {
    uint64_t wanted = dst.flatBasis(in, bit);
    bool isLane = in == kLane, isWarp = in == kWarp && sameWarps, isBlock = in == kBlock;
    uint64_t own = isLane ? lanes[bit] : isWarp ? warps[bit] : isBlock ? src.flatBasis(kBlock, bit) : 0;
    if (std::optional<uint64_t> c = inThread.solve(wanted ^ own)) {
      Source s = split(*c);
      s.lane = isLane ? int32_t(1) << bit : 0;
      s.warp = isWarp ? int32_t(1) << bit : 0;
      result.push_back(s);
      return true;
    }
    map.withinThread = false;
    uint64_t ownWarp = isLane ? 0 : own;
    if (std::optional<uint64_t> c = inWarp.solve(wanted ^ ownWarp)) {
      Source s = split(*c);
      s.warp = isWarp ? int32_t(1) << bit : 0;
      result.push_back(s);
      return true;
    }
    map.withinWarp = false;
    uint64_t ownCta = isBlock ? own : 0;
    if (std::optional<uint64_t> c = inCta.solve(wanted ^ ownCta)) {
      result.push_back(split(*c));
      return true;
    }
    F2Basis anywhere(src.flatBases());
    return fail(error, anywhere.contains(wanted) ? "elements would have to move between the CTAs of a cluster"
                                                 : "the source layout does not hold all elements");
  };
  auto findAll = [&](DimName in, std::vector<Source> &result) {
    for (int bit = 0; bit < dst.inBits(in); ++bit)
      if (!find(in, bit, result))
        return false;
    return true;
  };
  if (!findAll(kRegister, map.reg) || !findAll(kLane, map.lane) || !findAll(kWarp, map.warp) ||
      !findAll(kBlock, map.block))
    return std::nullopt;
  return map;
}

/// Target registers that hold the same element in every thread share one representative.
static std::vector<int32_t> registerRepresentatives(const LinearLayout &dst) {
  std::vector<uint64_t> bases = dst.flatBases(kRegister);
  F2Basis basis(bases);
  std::vector<int32_t> result(size_t(1) << bases.size());
  for (size_t r = 0; r < result.size(); ++r)
    result[r] = int32_t(*basis.solve(combine(bases, r)));
  return result;
}

//===----------------------------------------------------------------------===//
// Same thread
//===----------------------------------------------------------------------===//

static bool allZero(const std::vector<Source> &sources, int32_t Source::*field) {
  return std::all_of(sources.begin(), sources.end(), [&](const Source &s) { return s.*field == 0; });
}

/// The source register is the same for all threads: fills the map.
static bool planSameThread(const SourceMap &map, const LinearLayout &src, ConvertPlan &plan) {
  if (!map.withinThread || !allZero(map.lane, &Source::reg) || !allZero(map.warp, &Source::reg) ||
      !allZero(map.block, &Source::reg))
    return false;
  std::vector<int32_t> bases;
  for (const Source &s : map.reg)
    bases.push_back(s.reg);
  bool identity = src.inBits(kRegister) == int(bases.size());
  plan.registerMap.resize(size_t(1) << bases.size());
  for (size_t r = 0; r < plan.registerMap.size(); ++r) {
    plan.registerMap[r] = combine(bases, r);
    identity &= plan.registerMap[r] == int32_t(r);
  }
  plan.kind = identity ? ConvertKind::NoOp : ConvertKind::SameThread;
  plan.cost = 0; // renaming is free
  return true;
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// A set of vectors completing `inside` (given by its span) to the span of `inside` and
/// `candidates`, in order.
static std::vector<uint64_t> complete(F2Basis inside, const std::vector<uint64_t> &candidates) {
  std::vector<uint64_t> added;
  for (uint64_t v : candidates)
    if (!inside.contains(v)) {
      inside.insert(v);
      added.push_back(v);
    }
  return added;
}

/// D of the essay: for each lane bit the bits by which the delivered register differs. Points of
/// the target are written as register | lane << numRegs, where only the `regMask` registers count.
static std::optional<std::vector<int32_t>> findSkew(const SourceMap &map, int32_t regMask) {
  int numRegs = int(map.reg.size()), numLanes = int(map.lane.size());
  std::vector<uint64_t> units, regUnits, laneUnits;
  std::vector<uint64_t> sourceLane; // of each unit
  std::vector<uint64_t> sourceBoth;
  auto add = [&](const Source &s, uint64_t unit, std::vector<uint64_t> &kind) {
    units.push_back(unit);
    kind.push_back(unit);
    sourceLane.push_back(uint64_t(s.lane));
    sourceBoth.push_back(uint64_t(s.lane) | uint64_t(s.reg) << numLanes);
  };
  for (int i = 0; i < numLanes; ++i)
    add(map.lane[i], uint64_t(1) << (numRegs + i), laneUnits);
  for (int i = 0; i < numRegs; ++i)
    if ((regMask >> i) & 1)
      add(map.reg[i], uint64_t(1) << i, regUnits);
  // The kernel of a map on the units.
  auto kernel = [&](const std::vector<uint64_t> &images) {
    std::vector<uint64_t> result;
    F2Basis basis;
    for (size_t i = 0; i < units.size(); ++i) {
      std::optional<uint64_t> c = basis.solve(images[i]);
      if (c)
        result.push_back(units[i] ^ combine(units, *c));
      basis.insert(images[i]);
    }
    return result;
  };
  std::vector<uint64_t> same = kernel(sourceBoth);     // K: points that read the very same place
  std::vector<uint64_t> conflict = kernel(sourceLane); // N: points that read the same lane

  // G: contains K, meets the registers R only in 0 and N only in K. Modulo K: R = I + A, N = I + B,
  // G = pairs(A, B) + the rest.
  F2Basis modK(same);
  std::vector<uint64_t> r = complete(modK, regUnits), n = complete(modK, conflict);
  F2Basis rk(concat(same, r)), nk(concat(same, n));
  std::vector<uint64_t> common = complete(modK, intersectSpans(concat(same, r), concat(same, n)));
  F2Basis base(concat(same, common));
  std::vector<uint64_t> a = complete(base, r), b = complete(base, n);
  if (b.size() > a.size())
    return std::nullopt;
  std::vector<uint64_t> g = same;
  for (size_t i = 0; i < b.size(); ++i)
    g.push_back(a[i] ^ b[i]);
  F2Basis both(concat(concat(concat(same, common), a), b));
  for (uint64_t v : complete(both, laneUnits))
    g.push_back(v);

  // G is the graph of D: solve for the points with exactly one lane bit.
  std::vector<uint64_t> lanePart;
  for (uint64_t v : g)
    lanePart.push_back(v >> numRegs);
  F2Basis lanes(lanePart);
  std::vector<int32_t> skew;
  for (int i = 0; i < numLanes; ++i) {
    std::optional<uint64_t> c = lanes.solve(uint64_t(1) << i);
    if (!c)
      return std::nullopt;
    skew.push_back(int32_t(combine(g, *c) & ((uint64_t(1) << numRegs) - 1)));
  }
  return skew;
}

static bool planShuffles(const SourceMap &map, const LinearLayout &dst, int elementBits, ConvertPlan &plan) {
  // Block bits of the target could select registers; the code would need the CTA's rank. No layout
  // in use does that.
  if (!map.withinWarp || !allZero(map.block, &Source::reg) || !allZero(map.block, &Source::lane))
    return false;
  int numRegs = int(map.reg.size()), numLanes = int(map.lane.size()), numWarps = int(map.warp.size());
  plan.copies = registerRepresentatives(dst);
  int32_t regMask = 0;
  for (int i = 0; i < numRegs; ++i)
    if (plan.copies[size_t(1) << i] == int32_t(1) << i)
      regMask |= int32_t(1) << i;

  std::vector<int32_t> regOfReg, laneOfReg;
  for (const Source &s : map.reg) {
    regOfReg.push_back(s.reg);
    laneOfReg.push_back(s.lane);
  }
  // T and S: where lane l fetches its skewed register from, and which one.
  auto along = [&](const std::vector<int32_t> &skew, std::vector<int32_t> &t, std::vector<int32_t> &s) {
    t.clear();
    s.clear();
    for (int i = 0; i < numLanes; ++i) {
      t.push_back(map.lane[i].lane ^ combine(laneOfReg, uint64_t(skew[i])));
      s.push_back(map.lane[i].reg ^ combine(regOfReg, uint64_t(skew[i])));
    }
  };
  // Lanes that fetch from one lane fetch one register: S is a function of T.
  auto works = [&](const std::vector<int32_t> &t, const std::vector<int32_t> &s) {
    F2Basis basis;
    for (int i = 0; i < numLanes; ++i) {
      if (std::optional<uint64_t> c = basis.solve(uint64_t(t[i])); c && combine(s, *c) != s[i])
        return false;
      basis.insert(uint64_t(t[i]));
    }
    return true;
  };
  std::vector<int32_t> t, s, skew(numLanes, 0);
  along(skew, t, s);
  if (!works(t, s)) {
    std::optional<std::vector<int32_t>> found = findSkew(map, regMask);
    if (!found)
      return false;
    skew = *found;
    along(skew, t, s);
    if (!works(t, s))
      return false;
  }
  // Write S as a function of the offering lane: S'(T(l)) = S(l), zero on lanes nobody fetches from.
  F2Basis basis;
  for (int i = 0; i < numLanes; ++i)
    basis.insert(uint64_t(t[i]));
  for (int i = 0; i < numLanes; ++i)
    basis.insert(uint64_t(1) << i);
  std::vector<int32_t> offered;
  for (int i = 0; i < numLanes; ++i)
    offered.push_back(combine(s, *basis.solve(uint64_t(1) << i) & ((uint64_t(1) << numLanes) - 1)));

  for (int32_t j = 0; j < int32_t(1) << numRegs; ++j) {
    if (j & ~regMask)
      continue;
    ShuffleRound round;
    round.targetRegister = {j, skew, std::vector<int32_t>(numWarps, 0)};
    round.sourceLane = {combine(laneOfReg, uint64_t(j)), t, {}};
    round.sourceRegister = {
        combine(regOfReg, uint64_t(j)) ^ combine(offered, uint64_t(round.sourceLane.constant)), offered, {}};
    for (const Source &w : map.warp) {
      round.sourceLane.warp.push_back(w.lane);
      round.sourceRegister.warp.push_back(w.reg ^ combine(offered, uint64_t(w.lane)));
    }
    plan.rounds.push_back(std::move(round));
  }
  std::stable_sort(plan.rounds.begin(), plan.rounds.end(), [](const ShuffleRound &x, const ShuffleRound &y) {
    return x.sourceLane.constant < y.sourceLane.constant;
  });

  // A shuffle moves 32 bits; choosing one of n registers takes n - 1 selects.
  int perShuffle = std::max(1, 32 / std::max(8, elementBits)), words = std::max(1, elementBits / 32);
  plan.cost = 0;
  for (size_t i = 0; i < plan.rounds.size();) {
    size_t end = i;
    while (end < plan.rounds.size() && plan.rounds[end].sourceLane == plan.rounds[i].sourceLane)
      ++end;
    int count = int(end - i);
    bool moves = !plan.rounds[i].sourceLane.isLane();
    int selects = plan.rounds[i].sourceRegister.numValues() + plan.rounds[i].targetRegister.numValues() - 2;
    plan.cost += (moves ? 2 * ((count + perShuffle - 1) / perShuffle) * words : 0) + count * selects * words;
    i = end;
  }
  plan.kind = ConvertKind::IntraWarp;
  return true;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Two barriers and the latency of a round trip, in issue slots.
static constexpr int kSharedOverhead = 40;

std::optional<ConvertPlan> planConvert(const LinearLayout &src, const LinearLayout &dst, const ConvertOptions &options,
                                       std::string *error) {
  if (!checkInputs(src, dst, error))
    return std::nullopt;
  std::optional<SourceMap> map = findSources(src, dst, error);
  if (!map)
    return std::nullopt;
  ConvertPlan plan;
  if (planSameThread(*map, src, plan))
    return plan;
  ConvertPlan shuffles, shared;
  bool haveShuffles = options.allowShuffles && planShuffles(*map, dst, options.elementBits, shuffles);
  bool haveShared = false;
  if (options.allowSharedMemory) {
    int bytes = std::max(1, options.elementBits / 8);
    shared.kind = ConvertKind::SharedMemory;
    shared.shared = planSharedConvert(src, dst, bytes, options.maxVectorBytes, error);
    haveShared = shared.shared.has_value();
    if (haveShared) {
      const SharedAccess &store = shared.shared->store, &load = shared.shared->load;
      shared.cost =
          kSharedOverhead + store.numAccesses() * (1 + store.wavefronts) + load.numAccesses() * (1 + load.wavefronts);
    }
  }
  if (haveShuffles && (!haveShared || shuffles.cost <= shared.cost))
    return shuffles;
  if (haveShared)
    return shared;
  fail(error, map->withinWarp ? "no shuffle sequence found and shared memory is not allowed"
                              : "elements move between warps and shared memory is not allowed");
  return std::nullopt;
}

std::string ConvertPlan::summary() const {
  std::string text = toString(kind);
  if (kind == ConvertKind::IntraWarp)
    text += ": " + std::to_string(rounds.size()) + " rounds";
  if (shared)
    text += ": " + std::to_string(shared->bytes) + " bytes, " + std::to_string(shared->store.numAccesses()) +
            " stores of " + std::to_string(shared->elementBytes << shared->store.vectorBits) + " bytes, " +
            std::to_string(shared->load.numAccesses()) + " loads of " +
            std::to_string(shared->elementBytes << shared->load.vectorBits) + " bytes, " +
            std::to_string(shared->store.conflicts() + shared->load.conflicts()) + " bank conflicts";
  return text + ", cost " + std::to_string(cost);
}

} // namespace tileiras
