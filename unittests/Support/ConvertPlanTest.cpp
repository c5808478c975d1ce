//===- ConvertPlanTest.cpp - Conversion plans, run on arrays --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A plan is correct if running it moves every element where the target layout says. `Machine` runs
// plans on the registers of all threads, knows nothing of how plans are made, and counts bank
// conflicts on its own. The last tests plant faults in correct plans and demand that the machine
// sees them.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Support/ConvertPlan.h"
#include "RandomLayouts.h"
#include "tileiras/Support/LayoutBuilders.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace tileiras;

namespace {

using Ints = std::vector<int32_t>;

class Machine {
public:
  Machine(const LinearLayout &src, const LinearLayout &dst) : src(src), dst(dst) {}

  /// What is wrong with the result of the plan; empty if nothing.
  std::string run(const ConvertPlan &plan) {
    problem.clear();
    conflicts = 0;
    for (int block = 0; block < src.inSize(kBlock) && problem.empty(); ++block)
      runBlock(plan, block);
    return problem;
  }

  int conflicts = 0; ///< wavefronts beyond the unavoidable, in one warp of CTA 0
private:
  /// The element a place should hold, as a number that is never 0.
  static int64_t element(const LinearLayout &layout, int reg, int lane, int warp, int block) {
    LinearLayout::Point point;
    for (auto [name, value] : {std::pair(kRegister, reg), {kLane, lane}, {kWarp, warp}, {kBlock, block}})
      if (layout.hasIn(name))
        point.emplace_back(name, value);
    return int64_t(layout.applyFlat(layout.flattenIn(point))) + 1;
  }
  void report(const std::string &text) {
    if (problem.empty())
      problem = text;
  }

  void runBlock(const ConvertPlan &plan, int block) {
    int lanes = src.inSize(kLane), srcWarps = src.inSize(kWarp), dstWarps = dst.inSize(kWarp);
    int srcRegs = src.inSize(kRegister), dstRegs = dst.inSize(kRegister);
    using File = std::vector<std::vector<std::vector<int64_t>>>; // warp, lane, register
    File in(srcWarps, std::vector(lanes, std::vector<int64_t>(srcRegs)));
    File out(dstWarps, std::vector(lanes, std::vector<int64_t>(dstRegs, 0)));
    for (int w = 0; w < srcWarps; ++w)
      for (int l = 0; l < lanes; ++l)
        for (int r = 0; r < srcRegs; ++r)
          in[w][l][r] = element(src, r, l, w, block);

    switch (plan.kind) {
    case ConvertKind::NoOp:
      if (srcRegs != dstRegs || srcWarps != dstWarps)
        return report("no-op between different register counts");
      out = in;
      break;
    case ConvertKind::SameThread:
      for (int w = 0; w < dstWarps; ++w)
        for (int l = 0; l < lanes; ++l)
          for (int r = 0; r < dstRegs; ++r)
            out[w][l][r] = in[w][l].at(size_t(plan.registerMap.at(size_t(r))));
      break;
    case ConvertKind::IntraWarp:
      for (int w = 0; w < dstWarps; ++w) {
        for (const ShuffleRound &round : plan.rounds) {
          std::vector<int64_t> offer(lanes);
          for (int l = 0; l < lanes; ++l) {
            int r = round.sourceRegister.eval(l, w);
            if (r < 0 || r >= srcRegs)
              return report("offered register does not exist");
            offer[l] = in[w][l][r];
          }
          for (int l = 0; l < lanes; ++l) {
            int from = round.sourceLane.eval(l, w), r = round.targetRegister.eval(l, w);
            if (from < 0 || from >= lanes || r < 0 || r >= dstRegs)
              return report("lane or register does not exist");
            if (out[w][l][r])
              return report("register delivered twice");
            out[w][l][r] = offer[from];
          }
        }
        for (int l = 0; l < lanes; ++l)
          for (int r = 0; r < dstRegs; ++r)
            out[w][l][r] = out[w][l].at(size_t(plan.copies.at(size_t(r))));
      }
      break;
    case ConvertKind::SharedMemory: {
      const SharedPlan &shared = *plan.shared;
      std::vector<int64_t> memory(size_t(shared.bytes / shared.elementBytes), 0);
      access(shared.store, shared, block, srcWarps, lanes, [&](int w, int l, int r, int64_t offset) {
        if (!shared.storeOwner.owns(r, l, w))
          return;
        if (offset < 0 || offset >= int64_t(memory.size()))
          return report("store outside of the buffer");
        if (memory[offset])
          return report("two owners store one element");
        memory[offset] = in[w][l][r];
      });
      access(shared.load, shared, block, dstWarps, lanes, [&](int w, int l, int r, int64_t offset) {
        if (offset < 0 || offset >= int64_t(memory.size()))
          return report("load outside of the buffer");
        if (!memory[offset])
          return report("load of an element nobody stored");
        out[w][l][r] = memory[offset];
      });
      for (int w = 0; w < dstWarps; ++w)
        for (int l = 0; l < lanes; ++l)
          for (int r = 0; r < dstRegs; ++r)
            out[w][l][r] = out[w][l].at(size_t(shared.loadCopies.at(size_t(r))));
      if (block == 0)
        conflicts = count(shared.store, shared, lanes, shared.storeOwner.lane) + count(shared.load, shared, lanes, 0);
      break;
    }
    }
    for (int w = 0; w < dstWarps; ++w)
      for (int l = 0; l < lanes; ++l)
        for (int r = 0; r < dstRegs; ++r)
          if (out[w][l][r] != element(dst, r, l, w, block))
            return report("register " + std::to_string(r) + " of lane " + std::to_string(l) + ", warp " +
                          std::to_string(w) + " has the wrong element");
  }

  static int64_t offsetOf(const SharedAccess &a, int reg, int lane, int warp, int block) {
    return int64_t(
        a.offset.applyFlat(a.offset.flattenIn({{kRegister, reg}, {kLane, lane}, {kWarp, warp}, {kBlock, block}})));
  }

  template <typename Fn>
  void access(const SharedAccess &a, const SharedPlan &shared, int block, int warps, int lanes, Fn element) {
    if (shared.elementBytes << a.vectorBits > 16)
      return report("access wider than 16 bytes");
    for (int w = 0; w < warps; ++w)
      for (int l = 0; l < lanes; ++l)
        for (const std::vector<int32_t> &group : a.groups) {
          if (group.size() != size_t(1) << a.vectorBits)
            return report("group of the wrong size");
          int64_t start = offsetOf(a, group[0], l, w, block);
          if (start & ((1 << a.vectorBits) - 1))
            return report("misaligned access");
          for (size_t k = 0; k < group.size(); ++k)
            element(w, l, group[k], start + int64_t(k));
        }
  }

  /// Bank conflicts by looking at every byte of every access of warp 0.
  static int count(const SharedAccess &a, const SharedPlan &shared, int lanes, int inactive) {
    int bytes = shared.elementBytes << a.vectorBits, extra = 0;
    int together = bytes <= 4 ? lanes : std::min(lanes, 128 / bytes);
    for (const std::vector<int32_t> &group : a.groups)
      for (int first = 0; first < lanes; first += together) {
        std::map<int64_t, std::set<int64_t>> banks;
        for (int l = first; l < first + together; ++l)
          for (int byte = 0; byte < bytes && !(l & inactive); ++byte) {
            int64_t address = offsetOf(a, group[0], l, 0, 0) * shared.elementBytes + byte;
            banks[address / 4 % 32].insert(address / 4);
          }
        size_t most = 1;
        for (const auto &[bank, words] : banks)
          most = std::max(most, words.size());
        extra += int(most) - 1;
      }
    return extra;
  }

  const LinearLayout &src, &dst;
  std::string problem;
};

/// Two random distributed layouts of one tile.
struct Pair {
  LinearLayout src, dst;
};

/// Block bits of both sides split the tile the same way, so nothing has to cross CTAs.
Pair randomPair(Random &rng, BasisKind kind, bool replicated, bool dependent) {
  int bits = rng.below(11), lanes = 5, warps = rng.below(3), blocks = rng.chance(20) ? 1 : 0;
  auto draw = [&](const Ints &shape, int tileBits) {
    int registers = std::max(0, tileBits - lanes - warps) + (replicated ? rng.below(3) : 0);
    return randomSurjective(rng, {{"register", registers}, {"lane", lanes}, {"warp", warps}}, shape, kind, dependent);
  };
  Ints shape = randomShape(rng, bits, 2);
  LinearLayout block = LinearLayout::identity1D(1 << blocks, kBlock, dimName(rng.below(2)));
  if (!replicated && bits < lanes + warps)
    bits = lanes + warps, shape = randomShape(rng, bits, 2);
  return {draw(shape, bits) * block, draw(shape, bits) * block};
}

Pair randomBlockedPair(Random &rng) {
  int rank = 1 + rng.below(3), warps = rng.below(3);
  Ints shape = randomShape(rng, rng.below(12), rank);
  auto draw = [&] {
    Ints order(rank);
    for (int i = 0; i < rank; ++i)
      order[i] = i;
    std::shuffle(order.begin(), order.end(), rng.engine);
    return blockedLayout(shape, randomShape(rng, rng.below(5), rank), randomShape(rng, 5, rank),
                         randomShape(rng, warps, rank), order);
  };
  return {draw(), draw()};
}

/// The mma.m16n8 accumulator repeated over a tile by warps and registers.
LinearLayout mmaTile(int rows, int cols, int warpsM) {
  LinearLayout atom({{"register", {{0, 1}, {8, 0}}}, {"lane", {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}}}, {16, 8});
  return atom * LinearLayout::identity1D(warpsM, "warp", "dim0") *
         LinearLayout::identity1D(cols / 8, "register", "dim1") *
         LinearLayout::identity1D(rows / 16 / warpsM, "register", "dim0") *
         LinearLayout::identity1D(1, "block", "dim0");
}

} // namespace

TEST(ConvertPlan, RandomLayoutsAllWays) {
  Random rng(21);
  std::map<ConvertKind, int> kinds;
  int conflictFree = 0, withConflicts = 0;
  for (int round = 0; round < 500; ++round) {
    bool blocked = rng.chance(30), replicated = rng.chance(50), dependent = rng.chance(30);
    BasisKind kind = rng.chance(60) ? BasisKind::UnitPermutation : BasisKind::Invertible;
    Pair pair = blocked ? randomBlockedPair(rng) : randomPair(rng, kind, replicated, dependent);
    Machine machine(pair.src, pair.dst);
    for (int bits : {8, 16, 32, 64}) {
      ConvertOptions free{bits, 16, true, true}, shuffles{bits, 16, true, false}, shared{bits, 16, false, true};
      for (const ConvertOptions &options : {free, shuffles, shared}) {
        std::string error;
        std::optional<ConvertPlan> plan = planConvert(pair.src, pair.dst, options, &error);
        if (!plan) {
          ASSERT_FALSE(options.allowSharedMemory) << error;
          continue;
        }
        ASSERT_EQ(machine.run(*plan), "") << plan->summary() << "\n" << pair.src.toString() << pair.dst.toString();
        kinds[plan->kind]++;
        if (plan->kind == ConvertKind::SharedMemory) {
          // Predictions are exact.
          ASSERT_EQ(machine.conflicts, plan->shared->store.conflicts() + plan->shared->load.conflicts())
              << pair.src.toString() << pair.dst.toString();
          (machine.conflicts ? withConflicts : conflictFree)++;
          // Layouts with one coordinate bit per basis, that is all regular ones, are always free of
          // conflicts.
          if (blocked || (kind == BasisKind::UnitPermutation && !dependent))
            ASSERT_EQ(machine.conflicts, 0) << plan->summary() << "\n" << pair.src.toString() << pair.dst.toString();
        }
      }
    }
  }
  EXPECT_GT(kinds[ConvertKind::NoOp] + kinds[ConvertKind::SameThread], 10);
  EXPECT_GT(kinds[ConvertKind::IntraWarp], 200);
  EXPECT_GT(kinds[ConvertKind::SharedMemory], 500);
  EXPECT_GT(conflictFree, 20 * withConflicts);
}

TEST(ConvertPlan, ShufflesWhereverNoWarpIsCrossed) {
  // One warp: shuffles must be found for nearly all pairs, including transpositions.
  Random rng(22);
  int found = 0, rounds = 0;
  for (int round = 0; round < 500; ++round) {
    Ints shape = randomShape(rng, 5 + rng.below(4), 2);
    int bits = LinearLayout({}, shape).totalOutBits();
    BasisKind kind = rng.chance(50) ? BasisKind::UnitPermutation : BasisKind::Invertible;
    auto draw = [&] {
      return randomSurjective(rng, {{"register", bits - 5}, {"lane", 5}, {"warp", 0}, {"block", 0}}, shape, kind,
                              false);
    };
    LinearLayout src = draw(), dst = draw();
    ++rounds;
    std::optional<ConvertPlan> plan = planConvert(src, dst, {32, 16, true, false});
    ASSERT_TRUE(plan) << src.toString() << dst.toString();
    EXPECT_EQ(Machine(src, dst).run(*plan), "");
    // No redundancy: as many rounds as registers, not one more.
    if (plan->kind == ConvertKind::IntraWarp)
      EXPECT_EQ(plan->rounds.size(), size_t(1) << (bits - 5));
    ++found;
  }
  EXPECT_EQ(found, rounds);
}

TEST(ConvertPlan, TransposeInOneWarp) {
  // 32 x 32, a row per lane to a column per lane: the hard case of the essay, 32 rounds.
  LinearLayout rows = blockedLayout({32, 32}, {1, 32}, {32, 1}, {1, 1}, {1, 0});
  LinearLayout columns = blockedLayout({32, 32}, {32, 1}, {1, 32}, {1, 1}, {0, 1});
  std::optional<ConvertPlan> plan = planConvert(rows, columns, {32, 16, true, false});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->kind, ConvertKind::IntraWarp);
  EXPECT_EQ(plan->rounds.size(), 32u);
  EXPECT_EQ(Machine(rows, columns).run(*plan), "");
  // Selecting among 32 registers twice per round costs more than shared memory.
  EXPECT_EQ(planConvert(rows, columns)->kind, ConvertKind::SharedMemory);
}

TEST(ConvertPlan, KnownCases) {
  LinearLayout a = blockedLayout({64, 64}, {1, 8}, {4, 8}, {4, 1}, {1, 0});
  EXPECT_EQ(planConvert(a, a)->kind, ConvertKind::NoOp);
  // The same threads with registers numbered the other way round.
  LinearLayout b = blockedLayout({64, 64}, {2, 4}, {4, 8}, {4, 1}, {0, 1});
  std::optional<ConvertPlan> ab = planConvert(a, b);
  ASSERT_TRUE(ab);
  EXPECT_EQ(Machine(a, b).run(*ab), "");
  // From all in one thread's copies: a replicated source needs no movement at all.
  LinearLayout everywhere = replicatedLayout({8, 4}, 32, 4);
  LinearLayout one = blockedLayout({8, 4}, {1, 1}, {8, 4}, {4, 1}, {1, 0});
  std::optional<ConvertPlan> spread = planConvert(everywhere, one);
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->kind, ConvertKind::IntraWarp);
  for (const ShuffleRound &round : spread->rounds)
    EXPECT_TRUE(round.sourceLane.isLane()) << "a select, not a shuffle";
  EXPECT_EQ(Machine(everywhere, one).run(*spread), "");
  // Broadcasting from a register: same thread.
  LinearLayout twice = LinearLayout::zeros1D(2, kRegister, "dim0") * a;
  EXPECT_EQ(planConvert(a, twice)->kind, ConvertKind::SameThread);
  EXPECT_EQ(planConvert(twice, a)->kind, ConvertKind::SameThread);
  // mma accumulators to rows: several warps, f16; 16-byte loads after conflict-free stores.
  LinearLayout mma = mmaTile(64, 64, 4), rows = blockedLayout({64, 64}, {1, 8}, {4, 8}, {4, 1}, {1, 0});
  std::optional<ConvertPlan> epilogue = planConvert(mma, rows, {16, 16, false, true});
  ASSERT_TRUE(epilogue);
  EXPECT_EQ(epilogue->shared->store.conflicts() + epilogue->shared->load.conflicts(), 0);
  EXPECT_EQ(epilogue->shared->bytes, 64 * 64 * 2);
  EXPECT_EQ(Machine(mma, rows).run(*epilogue), "");
  // One side moves 16 bytes at a time (4 accesses), the other the 4 bytes that mma leaves together
  // (16).
  EXPECT_EQ(epilogue->shared->store.numAccesses() + epilogue->shared->load.numAccesses(), 20);
}

TEST(ConvertPlan, DifferentWarpCounts) {
  // A producer of one warp hands over to four.
  Random rng(23);
  for (int round = 0; round < 50; ++round) {
    Ints shape = randomShape(rng, 8 + rng.below(3), 2);
    int bits = LinearLayout({}, shape).totalOutBits();
    auto draw = [&](int warps) {
      return randomSurjective(rng, {{"register", bits - 5 - warps}, {"lane", 5}, {"warp", warps}, {"block", 0}}, shape,
                              BasisKind::UnitPermutation, false);
    };
    LinearLayout one = draw(rng.below(2)), four = draw(2);
    for (auto [src, dst] : {std::pair(&one, &four), {&four, &one}}) {
      std::optional<ConvertPlan> plan = planConvert(*src, *dst);
      ASSERT_TRUE(plan);
      EXPECT_EQ(plan->kind, ConvertKind::SharedMemory);
      EXPECT_EQ(Machine(*src, *dst).run(*plan), "");
    }
  }
}

TEST(ConvertPlan, Refusals) {
  std::string error;
  LinearLayout a = blockedLayout({64}, {2}, {32}, {1}, {0}), other = blockedLayout({128}, {4}, {32}, {1}, {0});
  EXPECT_FALSE(planConvert(a, other, {}, &error));
  EXPECT_EQ(error, "layouts describe tiles of different shapes");
  EXPECT_FALSE(planConvert(a, sharedLayout({64}, {0}), {}, &error));
  EXPECT_EQ(error, "only distributed layouts (register, lane, warp, block) can be converted");
  LinearLayout hole({{"register", {}}, {"lane", {{1}, {2}, {4}, {8}, {16}}}, {"warp", {}}, {"block", {}}}, {64});
  EXPECT_FALSE(planConvert(hole, a, {}, &error));
  EXPECT_EQ(error, "the source layout does not hold all elements");
  EXPECT_FALSE(planSharedConvert(hole, a, 4, 16, &error));
  // A tile split over CTAs in two ways.
  LinearLayout low = blockedLayout({64, 2}, {2, 1}, {32, 1}, {1, 1}, {0, 1}, {1, 2});
  LinearLayout high = blockedLayout({64, 2}, {1, 2}, {32, 1}, {1, 1}, {0, 1}, {2, 1});
  EXPECT_FALSE(planConvert(low, high, {}, &error));
  EXPECT_EQ(error, "elements would have to move between the CTAs of a cluster");
  EXPECT_FALSE(planSharedConvert(low, high, 4, 16, &error));
  EXPECT_FALSE(planConvert(blockedLayout({128}, {1}, {32}, {4}, {0}), blockedLayout({128}, {2}, {32}, {4}, {0}),
                           {32, 16, true, false}, &error));
  EXPECT_EQ(error, "elements move between warps and shared memory is not allowed");
}

//===----------------------------------------------------------------------===//
// Owners
//===----------------------------------------------------------------------===//

TEST(OwnerMask, ExactlyOneOwner) {
  Random rng(24);
  for (int round = 0; round < 300; ++round) {
    Pair pair = rng.chance(50) ? randomBlockedPair(rng) : randomPair(rng, BasisKind::Invertible, true, rng.chance(50));
    const LinearLayout &layout = pair.src;
    for (bool withinCta : {false, true}) {
      OwnerMask owner = ownerMask(layout, withinCta);
      for (int firstBlock = 0; firstBlock < (withinCta ? layout.inSize("block") : 1); ++firstBlock) {
        std::set<uint64_t> all, owned;
        for (uint64_t x = 0; x < uint64_t(1) << layout.totalInBits(); ++x) {
          LinearLayout::Point p = layout.unflattenIn(x);
          if (withinCta && p[3].second != firstBlock)
            continue;
          all.insert(layout.applyFlat(x));
          if (owner.owns(p[0].second, p[1].second, p[2].second, p[3].second))
            ASSERT_TRUE(owned.insert(layout.applyFlat(x)).second) << "two owners";
        }
        ASSERT_EQ(all, owned);
      }
    }
  }
  EXPECT_TRUE(ownerMask(mmaTile(64, 64, 4)).everyThread());
  EXPECT_EQ(ownerMask(replicatedLayout({4}, 32, 4)), (OwnerMask{0, 31, 3, 0}));
}

//===----------------------------------------------------------------------===//
// Planted faults
//===----------------------------------------------------------------------===//

/// Flips one bit of one basis of an input.
static LinearLayout spoil(const LinearLayout &layout, DimName in, int bit, int32_t flip) {
  std::vector<LinearLayout::InDim> ins;
  for (DimName name : layout.inNames()) {
    LinearLayout::InDim dim{name, {}};
    for (int i = 0; i < layout.inBits(name); ++i)
      dim.bases.push_back({layout.basis(name, i)[0] ^ (name == in && i == bit ? flip : 0)});
    ins.push_back(dim);
  }
  return LinearLayout(ins, std::vector<LinearLayout::OutDim>{{"offset", layout.outSize("offset")}});
}

TEST(PlantedFaults, WrongSwizzleBit) {
  LinearLayout mma = mmaTile(64, 64, 4), columns = blockedLayout({64, 64}, {8, 1}, {8, 4}, {1, 4}, {0, 1});
  std::optional<ConvertPlan> plan = planConvert(mma, columns, {16, 16, false, true});
  ASSERT_TRUE(plan);
  Machine machine(mma, columns);
  ASSERT_EQ(machine.run(*plan), "");
  ASSERT_EQ(machine.conflicts, 0);
  int planted = 0;
  for (bool store : {true, false})
    for (DimName in : {kLane, kWarp, kRegister}) {
      SharedAccess &access = store ? plan->shared->store : plan->shared->load;
      for (int bit = 0; bit < access.offset.inBits(in); ++bit)
        for (int flip = 1; flip < access.offset.outSize("offset"); flip *= 2) {
          // Registers inside a group do not enter the address.
          bool used = in != kRegister;
          for (const std::vector<int32_t> &group : access.groups)
            used |= (group[0] >> bit) & 1;
          if (!used)
            continue;
          LinearLayout good = access.offset;
          access.offset = spoil(good, in, bit, flip);
          EXPECT_NE(machine.run(*plan), "") << in.str() << " bit " << bit << " flip " << flip;
          access.offset = good;
          ++planted;
        }
    }
  EXPECT_GT(planted, 100);
  ASSERT_EQ(machine.run(*plan), "");
}

TEST(PlantedFaults, UnswizzledMemoryHasConflicts) {
  // Rows in, columns out, through row-major memory without a swizzle: 32 lanes read one bank.
  LinearLayout rows = blockedLayout({32, 32}, {1, 1}, {1, 32}, {1, 1}, {1, 0});
  LinearLayout columns = blockedLayout({32, 32}, {1, 1}, {32, 1}, {1, 1}, {0, 1});
  LinearLayout plain = *sharedLayout({32, 32}, {1, 0}).invert();
  EXPECT_EQ(countWavefronts(rows.compose(plain).flatBases(kLane), 0, 4), 1);
  EXPECT_EQ(countWavefronts(columns.compose(plain).flatBases(kLane), 0, 4), 32);
  std::optional<ConvertPlan> plan = planConvert(rows, columns, {32, 16, false, true});
  Machine machine(rows, columns);
  EXPECT_EQ(machine.run(*plan), "");
  EXPECT_EQ(machine.conflicts, 0);
  // The machine's own count sees it as well.
  for (auto [access, layout] : {std::pair(&plan->shared->store, &rows), {&plan->shared->load, &columns}}) {
    access->offset = layout->compose(plain).renameOut("offset", "offset");
    access->vectorBits = 0;
    access->groups.clear();
    for (int r = 0; r < 32; ++r)
      access->groups.push_back({r});
  }
  EXPECT_EQ(machine.run(*plan), "");
  EXPECT_EQ(machine.conflicts, 32 * 31);
}

TEST(PlantedFaults, WrongShuffle) {
  LinearLayout rows = blockedLayout({32, 8}, {1, 8}, {32, 1}, {1, 1}, {1, 0});
  LinearLayout mma = mmaTile(32, 8, 1);
  std::optional<ConvertPlan> plan = planConvert(rows, mma, {32, 16, true, false});
  ASSERT_TRUE(plan);
  Machine machine(rows, mma);
  ASSERT_EQ(machine.run(*plan), "");
  for (ShuffleRound &round : plan->rounds)
    for (AffineBits ShuffleRound::*part :
         {&ShuffleRound::sourceRegister, &ShuffleRound::sourceLane, &ShuffleRound::targetRegister})
      for (int bit = -1; bit < 5; ++bit)
        for (int flip = 1; flip < (part == &ShuffleRound::sourceLane ? 32 : 8); flip *= 2) {
          int32_t &value = bit < 0 ? (round.*part).constant : (round.*part).lane[bit];
          value ^= flip;
          EXPECT_NE(machine.run(*plan), "");
          value ^= flip;
        }
  ConvertPlan missing = *plan;
  missing.rounds.pop_back();
  EXPECT_NE(machine.run(missing), "");
  ASSERT_EQ(machine.run(*plan), "");
}

TEST(PlantedFaults, WrongRegisterMapAndOwner) {
  LinearLayout a = blockedLayout({64}, {2}, {32}, {1}, {0});
  LinearLayout twice = LinearLayout::zeros1D(2, kRegister, "dim0") * a;
  ConvertPlan plan = *planConvert(a, twice);
  Machine machine(a, twice);
  ASSERT_EQ(machine.run(plan), "");
  std::swap(plan.registerMap[0], plan.registerMap[3]);
  EXPECT_NE(machine.run(plan), "");

  LinearLayout copies = blockedLayout({64}, {1}, {32}, {4}, {0}), other = blockedLayout({64}, {2}, {32}, {4}, {0});
  ConvertPlan shared = *planConvert(copies, other, {32, 16, false, true});
  Machine second(copies, other);
  ASSERT_EQ(second.run(shared), "");
  ASSERT_EQ(shared.shared->storeOwner.warp, 2);
  shared.shared->storeOwner.warp = 0;
  EXPECT_EQ(second.run(shared), "two owners store one element");
  shared.shared->storeOwner.warp = 1;
  EXPECT_NE(second.run(shared), "");
}

TEST(LayoutRounds, PartsCoverTheTileOnce) {
  // 64 x 32 over 8 lanes and 2 warps, one warp bit a copy; rows 8, 16, 32 and columns 8, 16 are registers.
  LinearLayout layout({{kRegister, {{8, 0}, {0, 8}, {16, 0}, {0, 16}, {32, 0}}},
                       {kLane, {{0, 1}, {0, 2}, {0, 4}}},
                       {kWarp, {{1, 0}, {2, 0}, {4, 0}, {0, 0}}},
                       {kBlock, {}}},
                      Ints{64, 32});
  for (int wanted = 0; wanted <= 7; ++wanted) {
    LayoutRounds rounds = splitIntoRounds(layout, wanted);
    EXPECT_EQ(int(rounds.registerBits.size()), std::min(wanted, 5));
    EXPECT_EQ(rounds.part.totalOutBits(), layout.totalOutBits() - int(rounds.registerBits.size()));
    std::map<std::pair<int, uint64_t>, uint64_t> elementOf; // (round, number in the part) -> element
    std::set<uint64_t> seen;
    for (int round = 0; round < rounds.count(); ++round)
      for (int r = 0; r < rounds.part.inSize(kRegister); ++r)
        for (int lane = 0; lane < 8; ++lane)
          for (int warp = 0; warp < 16; ++warp) {
            auto at = [&](const LinearLayout &l, int reg) {
              return l.applyFlat(l.flattenIn({{kRegister, reg}, {kLane, lane}, {kWarp, warp}, {kBlock, 0}}));
            };
            uint64_t element = at(layout, rounds.registerOf(r, round)), number = at(rounds.part, r);
            auto [it, fresh] = elementOf.try_emplace({round, number}, element);
            EXPECT_EQ(it->second, element) << "two elements have one place";
            if (fresh)
              EXPECT_TRUE(seen.insert(element).second) << "an element has two places";
          }
    EXPECT_EQ(seen.size(), size_t(64 * 32));
  }
}

TEST(LayoutRounds, OnlyBitsOfTheirOwn) {
  // Register bit 0 moves what a lane moves too, register bit 1 moves two coordinates, bit 2 is a copy: none can be cut
  // along.
  LinearLayout layout({{kRegister, {{1, 0}, {2, 1}, {0, 0}}}, {kLane, {{1, 0}, {2, 0}}}, {kWarp, {}}, {kBlock, {}}},
                      Ints{4, 2});
  EXPECT_EQ(splitIntoRounds(layout, 3).count(), 1);
}

/// Carries a tile out in rounds, on arrays; what went wrong.
static std::string runRounds(const LinearLayout &src, const LinearLayout &dst, const ConvertRounds &rounds) {
  auto forAll = [](const LinearLayout &layout, auto body) {
    for (uint64_t point = 0; point < uint64_t(1) << layout.totalInBits(); ++point)
      body(layout.unflattenIn(point));
  };
  auto at = [](const LinearLayout &layout, const LinearLayout::Point &point) {
    return layout.applyFlat(layout.flattenIn(point));
  };
  uint64_t read = 0;
  for (int round = 0; round < rounds.count(); ++round) {
    std::map<uint64_t, uint64_t> memory;
    std::string problem;
    forAll(src, [&](const LinearLayout::Point &point) {
      if (at(rounds.sourceRound, point) != uint64_t(round))
        return;
      auto [it, fresh] = memory.try_emplace(at(rounds.source, point), at(src, point));
      if (it->second != at(src, point))
        problem = "two elements in one place";
    });
    forAll(dst, [&](const LinearLayout::Point &point) {
      if (at(rounds.targetRound, point) != uint64_t(round))
        return;
      ++read;
      auto it = memory.find(at(rounds.target, point));
      if (it == memory.end() || it->second != at(dst, point))
        problem = "another element was wanted";
    });
    if (!problem.empty())
      return problem;
  }
  return read == uint64_t(1) << dst.totalInBits() ? "" : "some register is never read, or twice";
}

TEST(ConvertRounds, EveryElementArrivesOnce) {
  Random rng(77);
  for (int trial = 0; trial < 60; ++trial) {
    int bits = 4 + rng.below(5);
    std::vector<int32_t> shape = randomShape(rng, bits, 1 + rng.below(3));
    auto layout = [&] {
      int lanes = 3, warps = rng.below(3);
      return randomSurjective(
          rng,
          {{kRegister, std::max(0, bits - lanes - warps) + rng.below(2)}, {kLane, lanes}, {kWarp, warps}, {kBlock, 0}},
          shape, rng.chance(50) ? BasisKind::Invertible : BasisKind::UnitPermutation, rng.chance(50));
    };
    LinearLayout src = layout(), dst = layout();
    int wanted = rng.below(bits + 1);
    ConvertRounds rounds = cutIntoRounds(src, dst, wanted);
    EXPECT_EQ(rounds.count(), 1 << wanted);
    EXPECT_EQ(runRounds(src, dst, rounds), "") << src.toString() << dst.toString();
    if (wanted) { // planted: one register comes a round late
      ConvertRounds wrong = rounds;
      wrong.targetRound = rounds.targetRound.sublayout({kRegister, kWarp, kBlock}, rounds.targetRound.outNames());
      std::vector<uint64_t> lanes = rounds.targetRound.flatBases(kLane);
      lanes[0] ^= 1;
      wrong.targetRound = wrong.targetRound.extendIn(kLane, lanes).transposeIns(dst.inNames());
      EXPECT_NE(runRounds(src, dst, wrong), "");
    }
  }
}

TEST(ConvertRounds, TranspositionIsCutOnBothSides) {
  // Rows are registers on one side, columns on the other: no bit is a register on both.
  auto side = [](bool turned) {
    auto c = [&](int32_t a, int32_t b) { return turned ? std::vector<int32_t>{b, a} : std::vector<int32_t>{a, b}; };
    return LinearLayout({{kRegister, {c(1, 0), c(2, 0), c(4, 0), c(8, 0)}},
                         {kLane, {c(0, 1), c(0, 2)}},
                         {kWarp, {c(0, 4), c(0, 8)}},
                         {kBlock, {}}},
                        Ints{16, 16});
  };
  LinearLayout src = side(false), dst = side(true);
  ConvertRounds rounds = cutIntoRounds(src, dst, 4);
  EXPECT_EQ(runRounds(src, dst, rounds), "");
  // Fewest accesses: two of the bits are registers of the source, two of the target; warps rather than lanes.
  EXPECT_EQ(rounds.cut, 0xCCu);
}
