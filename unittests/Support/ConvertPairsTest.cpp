//===- ConvertPairsTest.cpp - Plans for every pair of many layouts --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// More than 500 layouts of one tile as kernels have them: blocked, accumulators and operands of products, slices of
// tiles with a dimension more, permuted ones, others. For every ordered pair the plan is carried out on the registers
// of all threads and an array for shared memory, and must give what the second layout says; stores and loads are
// counted bank by bank, and none may take more wavefronts than the bytes need. Also from and to 64 layouts of shared
// memory. The test takes every 61st pair; all of them with TILEIRAS_ALL_PAIRS=1 (suite convert-pairs-all).
//
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/DotLayouts.h"
#include "tileiras/Support/LayoutBuilders.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <set>

using namespace tileiras;

namespace {

constexpr int kRows = 16, kColumns = 32, kWarps = 2, kLanes = 32;
using Ints = std::vector<int32_t>;
const Ints kShape = {kRows, kColumns};

/// Values of a map over (register, lane, warp), from its bases.
class Table {
public:
  Table(const LinearLayout &layout)
      : bases{layout.flatBases(kRegister), layout.flatBases(kLane), layout.flatBases(kWarp)} {}
  uint64_t at(uint32_t reg, uint32_t lane, uint32_t warp) const { return part(0, reg) ^ part(1, lane) ^ part(2, warp); }
  uint32_t registers() const { return 1u << bases[0].size(); }

private:
  uint64_t part(int which, uint32_t bits) const {
    uint64_t sum = 0;
    for (size_t i = 0; i < bases[which].size(); ++i)
      sum ^= (bits >> i & 1) ? bases[which][i] : 0;
    return sum;
  }
  std::array<std::vector<uint64_t>, 3> bases;
};

struct Named {
  std::string kind;
  LinearLayout layout;
};

/// A layout with two warps and no register twice; nothing if there are more, or they do not hold the tile.
void keep(std::vector<Named> &into, std::set<std::string> &seen, const char *kind, LinearLayout layout) {
  layout = layout.removeRedundantBasesAlongDim(kRegister);
  if (layout.inBits(kWarp) != std::countr_zero(unsigned(kWarps)) || layout.inBits(kLane) != 5 ||
      layout.inBits(kRegister) > 7)
    return;
  if (seen.insert(layout.toString()).second)
    into.push_back({kind, std::move(layout)});
}

std::vector<Named> layouts() {
  std::vector<Named> all;
  std::set<std::string> seen;
  for (Ints order : {Ints{1, 0}, Ints{0, 1}})
    for (int sizeM : {1, 2, 4, 8})
      for (int sizeN : {1, 2, 4, 8})
        for (int lanesM : {1, 2, 4, 8, 16, 32})
          for (int warpsM : {1, 2})
            if (sizeM * sizeN <= 16)
              keep(all, seen, "blocked",
                   blockedLayout(kShape, {sizeM, sizeN}, {lanesM, kLanes / lanesM}, {warpsM, kWarps / warpsM}, order));
  size_t blocked = all.size();
  for (auto [m, k, bits] : {std::array{16, 16, 16}, std::array{16, 8, 16}, std::array{16, 8, 32}, std::array{16, 4, 32},
                            std::array{8, 4, 64}, std::array{16, 32, 8}, std::array{16, 16, 8}})
    for (int warpsM : {1, 2}) {
      DotTiling t;
      t.m = m, t.k = k, t.elementBits = bits, t.warpsM = warpsM, t.warpsN = kWarps / warpsM;
      DotShape asA{1, kRows, 8, kColumns}, asB{1, 16, kColumns, kRows}, asC{1, kRows, kColumns, 64};
      keep(all, seen, "operand", dotLayout(t, asA, DotOperand::A));
      if (k <= kRows)
        keep(all, seen, "operand", dotLayout(t, asB, DotOperand::B));
      keep(all, seen, "mma", dotLayout(t, asC, DotOperand::C));
    }
  for (int warps : {2})
    for (DotOperand operand : {DotOperand::A, DotOperand::B, DotOperand::C}) {
      DotShape shape{1, operand == DotOperand::B ? 32 : kRows, operand == DotOperand::A ? 32 : kColumns,
                     operand == DotOperand::A ? kColumns : kRows};
      keep(all, seen, "multiply-add", dotLayout(multiplyAddTiling(shape, 32, warps), shape, operand));
    }
  // What is left of a tile of three dimensions when one is reduced: its threads hold copies.
  for (int dim : {0, 1, 2})
    for (int lanes : {2, 4, 8})
      for (int size : {1, 2, 4})
        for (int warps : {1, 2}) {
          Ints shape = {kRows, kColumns}, threads = {32 / lanes / 2, 2}, sizes = {1, size}, across = {2 / warps, 1},
               order = {2, 1, 0};
          shape.insert(shape.begin() + dim, 4);
          threads.insert(threads.begin() + dim, lanes);
          sizes.insert(sizes.begin() + dim, 2);
          across.insert(across.begin() + dim, warps);
          LinearLayout whole = blockedLayout(shape, sizes, threads, across, order);
          std::vector<LinearLayout::InDim> ins;
          for (std::string_view in : {kRegister, kLane, kWarp, kBlock}) {
            LinearLayout::InDim kept{std::string(in), {}};
            for (int bit = 0; bit < whole.inBits(in); ++bit) {
              Ints basis = whole.basis(in, bit);
              basis.erase(basis.begin() + dim);
              kept.bases.push_back(basis);
            }
            ins.push_back(std::move(kept));
          }
          keep(all, seen, "sliced", LinearLayout(std::move(ins), kShape));
        }
  // Registers, lanes and warps change places.
  Random rng(5);
  for (int i = 0; i < 120; ++i) {
    const LinearLayout &from = all[size_t(rng.below(int(blocked)))].layout;
    std::vector<uint64_t> bases;
    for (std::string_view in : {kRegister, kLane, kWarp})
      for (uint64_t basis : from.flatBases(in))
        bases.push_back(basis);
    std::shuffle(bases.begin(), bases.end(), rng.engine);
    size_t registers = bases.size() - 6;
    LinearLayout permuted = from.sublayout({}, from.outNames());
    permuted = permuted.extendIn(kRegister, {bases.begin(), bases.begin() + registers})
                   .extendIn(kLane, {bases.begin() + registers, bases.begin() + registers + 5})
                   .extendIn(kWarp, {bases.begin() + registers + 5, bases.end()})
                   .extendIn(kBlock, {});
    keep(all, seen, "permuted", permuted);
  }
  while (all.size() < 520)
    keep(all, seen, "other",
         randomSurjective(rng, {{"register", 3 + rng.below(2)}, {"lane", 5}, {"warp", 1}, {"block", 0}}, kShape,
                          BasisKind::UnitPermutation, false));
  return all;
}

/// Wavefronts beyond those that the bytes take, of all accesses of a warp; equal words are one.
int conflicts(const SharedAccess &access, const Table &offsets, int bytes, int warp, int32_t inactive) {
  int lanesTogether = std::min(32, 128 / std::max(4, bytes << access.vectorBits)), extra = 0;
  for (const std::vector<int32_t> &group : access.groups)
    for (int first = 0; first < 32; first += lanesTogether) {
      std::array<std::set<uint64_t>, 32> banks;
      for (int lane = first; lane < first + lanesTogether; ++lane)
        if (!(lane & inactive))
          for (int byte = 0; byte < bytes << access.vectorBits; byte += std::min(4, bytes << access.vectorBits)) {
            uint64_t word = (offsets.at(group[0], lane, warp) * bytes + byte) / 4;
            banks[word % 32].insert(word);
          }
      size_t most = 1;
      for (const std::set<uint64_t> &words : banks)
        most = std::max(most, words.size());
      extra += int(most) - 1;
    }
  return extra;
}

/// What is wrong with a plan; empty if nothing.
std::string carryOut(const ConvertPlan &plan, const Table &src, const Table &dst, int *extra) {
  std::array<std::array<std::vector<int64_t>, kLanes>, kWarps> out;
  for (int w = 0; w < kWarps; ++w)
    for (int l = 0; l < kLanes; ++l)
      out[w][l].assign(dst.registers(), -1);
  switch (plan.kind) {
  case ConvertKind::NoOp:
  case ConvertKind::SameThread:
    for (int w = 0; w < kWarps; ++w)
      for (int l = 0; l < kLanes; ++l)
        for (uint32_t r = 0; r < dst.registers(); ++r)
          out[w][l][r] = int64_t(src.at(plan.registerMap.empty() ? r : uint32_t(plan.registerMap[r]), l, w));
    break;
  case ConvertKind::IntraWarp:
    for (int w = 0; w < kWarps; ++w)
      for (int l = 0; l < kLanes; ++l) {
        for (const ShuffleRound &round : plan.rounds) {
          int from = round.sourceLane.eval(l, w), r = round.targetRegister.eval(l, w);
          if (from < 0 || from >= kLanes || r < 0 || r >= int(dst.registers()))
            return "a shuffle from or to nowhere";
          out[w][l][r] = int64_t(src.at(round.sourceRegister.eval(from, w), from, w));
        }
        for (uint32_t r = 0; r < dst.registers(); ++r)
          out[w][l][r] = out[w][l][plan.copies[r]];
      }
    break;
  case ConvertKind::SharedMemory: {
    const SharedPlan &shared = *plan.shared;
    std::vector<int64_t> memory(size_t(shared.bytes / shared.elementBytes), -1);
    Table store(shared.store.offset), load(shared.load.offset);
    for (int w = 0; w < kWarps; ++w)
      for (int l = 0; l < kLanes; ++l)
        for (const std::vector<int32_t> &group : shared.store.groups)
          for (size_t i = 0; i < group.size(); ++i) {
            uint64_t offset = store.at(group[0], l, w) + i;
            if (!shared.storeOwner.owns(group[i], l, w))
              continue;
            if (offset >= memory.size() || memory[offset] >= 0)
              return "a store outside, or of two owners";
            if (store.at(group[i], l, w) != offset)
              return "registers of a store are not neighbours";
            memory[offset] = int64_t(src.at(group[i], l, w));
          }
    for (int w = 0; w < kWarps; ++w)
      for (int l = 0; l < kLanes; ++l) {
        for (const std::vector<int32_t> &group : shared.load.groups)
          for (size_t i = 0; i < group.size(); ++i)
            out[w][l][group[i]] = memory.at(load.at(group[0], l, w) + i);
        for (uint32_t r = 0; r < dst.registers(); ++r)
          out[w][l][r] = out[w][l][shared.loadCopies[r]];
      }
    for (int w = 0; w < kWarps; ++w)
      *extra += conflicts(shared.store, store, shared.elementBytes, w, shared.storeOwner.lane) +
                conflicts(shared.load, load, shared.elementBytes, w, 0);
    break;
  }
  }
  for (int w = 0; w < kWarps; ++w)
    for (int l = 0; l < kLanes; ++l)
      for (uint32_t r = 0; r < dst.registers(); ++r)
        if (out[w][l][r] != int64_t(dst.at(r, l, w)))
          return "register " + std::to_string(r) + " of lane " + std::to_string(l) + ", warp " + std::to_string(w);
  return "";
}

size_t stride() { return std::getenv("TILEIRAS_ALL_PAIRS") ? 1 : 61; }

} // namespace

TEST(ConvertPairs, OfRegisters) {
  std::vector<Named> all = layouts();
  ASSERT_GE(all.size(), 500u);
  std::vector<Table> tables;
  std::map<std::string, int> sources, ways;
  for (const Named &named : all)
    tables.emplace_back(named.layout), ++sources[named.kind];
  EXPECT_EQ(sources.size(), 7u);
  size_t pairs = 0;
  for (size_t pair = 0; pair < all.size() * all.size(); pair += stride(), ++pairs) {
    size_t s = pair / all.size(), d = pair % all.size();
    // Elements of 4 bits take a byte, as the pass plans them.
    int bits = std::array{4, 8, 16, 32, 64}[(s + d) % 5];
    std::string error;
    std::optional<ConvertPlan> plan =
        planConvert(all[s].layout, all[d].layout, {std::max(8, bits), 16, pair % 3 != 0, true}, &error);
    ASSERT_TRUE(plan) << error << all[s].layout.toString() << all[d].layout.toString();
    int extra = 0;
    ASSERT_EQ(carryOut(*plan, tables[s], tables[d], &extra), "")
        << plan->summary() << "\n"
        << all[s].layout.toString() << all[d].layout.toString();
    // Each basis is one coordinate bit, so there is always a layout of memory without conflicts (ConvertPlan.h).
    ASSERT_EQ(extra, 0) << plan->summary() << "\n" << all[s].layout.toString() << all[d].layout.toString();
    ++ways[toString(plan->kind)];
  }
  EXPECT_GT(pairs, 4000u);
  EXPECT_EQ(ways.size(), 4u) << "not every kind of plan occurs";
}

// Registers to and from tiles that stand in shared memory: offsets cover the tile once, and what is read is what the
// layout of the registers says.
TEST(ConvertPairs, OfSharedMemory) {
  std::vector<Named> all = layouts();
  std::vector<LinearLayout> memories;
  for (Ints order : {Ints{1, 0}, Ints{0, 1}})
    for (int panel : {0, 8, 16})
      for (Swizzle swizzle :
           {Swizzle{}, Swizzle{1, 3, 3}, Swizzle{2, 3, 3}, Swizzle{3, 3, 3}, Swizzle{2, 2, 3}, Swizzle{3, 2, 4},
            Swizzle{1, 0, 5}, Swizzle{2, 4, 3}, Swizzle{3, 1, 4}, Swizzle{2, 0, 5}, Swizzle{1, 4, 4}})
        if (panel < kShape[order[0]])
          memories.push_back(sharedLayout(kShape, order, swizzle, panel));
  ASSERT_GE(memories.size(), 50u);
  size_t step = stride() == 1 ? 1 : 13;
  for (size_t pair = 0; pair < all.size() * memories.size(); pair += step) {
    const LinearLayout &registers = all[pair / memories.size()].layout, &memory = memories[pair % memories.size()];
    std::optional<LinearLayout> offsets = registers.invertAndCompose(memory);
    ASSERT_TRUE(offsets) << registers.toString() << memory.toString();
    Table places(offsets->sublayout(offsets->inNames(), {std::string(kOffset)})), elements(registers);
    std::vector<uint64_t> content = memory.flatBases(kOffset);
    std::set<uint64_t> seen;
    for (int w = 0; w < kWarps; ++w)
      for (int l = 0; l < kLanes; ++l)
        for (uint32_t r = 0; r < elements.registers(); ++r) {
          uint64_t at = places.at(r, l, w), held = 0;
          for (size_t i = 0; i < content.size(); ++i)
            held ^= (at >> i & 1) ? content[i] : 0;
          ASSERT_EQ(held, elements.at(r, l, w)) << registers.toString() << memory.toString();
          seen.insert(at);
        }
    ASSERT_EQ(seen.size(), size_t(kRows * kColumns));
  }
}

// The machine sees what is wrong.
TEST(ConvertPairs, PlantedFaults) {
  LinearLayout rows = blockedLayout(kShape, {1, 4}, {4, 8}, {2, 1}, {1, 0}),
               columns = blockedLayout(kShape, {4, 1}, {2, 16}, {1, 2}, {0, 1});
  std::optional<ConvertPlan> plan = planConvert(rows, columns, {16, 16, false, true});
  ASSERT_TRUE(plan && plan->shared);
  int extra = 0;
  EXPECT_EQ(carryOut(*plan, rows, columns, &extra), "");
  EXPECT_EQ(extra, 0);
  ConvertPlan wrong = *plan;
  std::swap(wrong.shared->loadCopies.front(), wrong.shared->loadCopies.back());
  EXPECT_NE(carryOut(wrong, rows, columns, &extra), "");
  // A buffer without swizzle: every column's elements in one bank.
  ConvertPlan plain = *plan;
  extra = 0;
  for (SharedAccess *access : {&plain.shared->store, &plain.shared->load}) {
    const LinearLayout &side = access == &plain.shared->store ? rows : columns;
    LinearLayout memory = sharedLayout(kShape, {1, 0});
    access->offset = side.invertAndCompose(memory)->sublayout(side.inNames(), {std::string(kOffset)});
    access->vectorBits = 0;
    access->groups.clear();
    for (int r = 0; r < side.inSize(kRegister); ++r)
      access->groups.push_back({r});
  }
  EXPECT_EQ(carryOut(plain, rows, columns, &extra), "");
  EXPECT_GT(extra, 0);
}
