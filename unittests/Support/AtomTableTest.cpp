//===- AtomTableTest.cpp - What multiplies on which target ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/AtomTable.h"

#include <gtest/gtest.h>

using namespace tileiras;

static MmaAtomRow best(const char *target, AtomOperands operands, int64_t k = 64) {
  return chooseMmaAtom(*lookupTarget(target), operands, k);
}

// The shapes of the PTX ISA, "mma": an instruction multiplies 16 rows (8 of f64) by 8 columns, a register's worth of k
// for each of four threads, once or twice.
TEST(AtomTable, ShapesAreThoseOfThePtxIsa) {
  auto bits = [](AtomElement element) {
    switch (element) {
    case AtomElement::F64:
      return 64;
    case AtomElement::TF32:
      return 32;
    case AtomElement::F16:
    case AtomElement::BF16:
      return 16;
    default:
      return 8; // e2m1 has a byte in kind::mxf8f6f4
    }
  };
  int instructions = 0;
  for (const TargetInfo &target : allTargets())
    for (int element = 0; element <= int(AtomElement::E2M1); ++element)
      for (int block : {0, 16, 32}) {
        std::vector<MmaAtomRow> rows = mmaAtoms(target, {AtomElement(element), block, true});
        ASSERT_FALSE(rows.empty());
        EXPECT_TRUE(rows.back().isMultiplyAdd());
        EXPECT_EQ(rows.back().name, "universal_fma");
        for (size_t i = 0; i + 1 < rows.size(); ++i, ++instructions) {
          const MmaAtomRow &row = rows[i];
          bool wide = row.multiplied == AtomElement::F64;
          EXPECT_EQ(row.m, wide ? 8 : 16);
          EXPECT_EQ(row.n, 8);
          int word = std::max(1, 32 / bits(row.multiplied)) * 4; // what four threads have in a register each
          EXPECT_TRUE(row.k == word || (!wide && row.k == 2 * word)) << row.k;
          EXPECT_EQ(row.scales, row.name == "SM120.mma_bs");
        }
      }
  EXPECT_GT(instructions, 100);
}

TEST(AtomTable, TheLongestThatFits) {
  EXPECT_EQ(best("sm_80", {AtomElement::F16}, 16).k, 16);
  EXPECT_EQ(best("sm_80", {AtomElement::F16}, 8).k, 8);
  EXPECT_EQ(best("sm_80", {AtomElement::F16}, 4).name, "universal_fma");
  EXPECT_EQ(best("sm_80", {AtomElement::TF32}, 4).k, 4);
  EXPECT_EQ(best("sm_80", {AtomElement::I8}, 16).k, 16);
  EXPECT_EQ(best("sm_80", {AtomElement::I8}, 8).multiplied, AtomElement::I32);
}

// Which generation brought what.
TEST(AtomTable, Generations) {
  for (const TargetInfo &target : allTargets()) {
    const char *name = target.name;
    bool consumer = target.computeCapability >= 120;
    MmaAtomRow f8 = best(name, {AtomElement::E4M3});
    EXPECT_EQ(f8.name, consumer ? "SM120.mma_bs" : target.computeCapability >= 89 ? "sm89.mma" : "sm80.mma") << name;
    EXPECT_EQ(f8.multiplied, target.computeCapability >= 89 ? AtomElement::E4M3 : AtomElement::F16) << name;
    EXPECT_EQ(f8.exact, target.computeCapability >= 89) << name;
    for (AtomElement element : {AtomElement::E4M3, AtomElement::E5M2, AtomElement::E2M1}) {
      MmaAtomRow scaled = best(name, {element, 32, true});
      EXPECT_EQ(scaled.multiplied, consumer ? element : AtomElement::F64) << name;
      // Sixteen to a scale, or scales that are no powers of two: there is none, but for e2m1 with both.
      EXPECT_EQ(best(name, {element, 16, true}).multiplied, AtomElement::F64) << name;
      // A digit and a half by three and a half, of small exponents: f16 holds that.
      EXPECT_EQ(best(name, {element, 32, false}).multiplied,
                element == AtomElement::E2M1 ? AtomElement::F16 : AtomElement::F64)
          << name;
    }
    MmaAtomRow fours = best(name, {AtomElement::E2M1, 16, false});
    EXPECT_EQ(fours.name, consumer ? "SM120.mma_bs" : "sm80.mma") << name;
    EXPECT_EQ(fours.k, consumer ? 64 : 16) << name;
    EXPECT_EQ(best(name, {AtomElement::E4M3, 16, false}).multiplied, AtomElement::F64) << name;
    EXPECT_EQ(best(name, {AtomElement::F32}).name, "universal_fma") << name;
    EXPECT_TRUE(best(name, {AtomElement::F32}).exact) << name;
  }
}
