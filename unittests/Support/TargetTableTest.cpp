//===- TargetTableTest.cpp - The target table -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/TargetTable.h"

#include <gtest/gtest.h>

using namespace tileiras;

TEST(TargetTable, EveryNameFindsItsRow) {
  for (const TargetInfo &t : allTargets()) {
    std::string number = std::to_string(t.computeCapability);
    for (const std::string &name : {std::string(t.name), std::string(t.compiledAs), number, "compute_" + number})
      EXPECT_EQ(lookupTarget(name), &t) << name;
    EXPECT_EQ(std::string(t.name), "sm_" + number);
  }
}

TEST(TargetTable, UnknownNamesListTheKnownOnes) {
  std::string known;
  for (const TargetInfo &t : allTargets())
    known += (known.empty() ? "" : ", ") + std::string(t.name);
  for (const char *name : {"", "sm_", "sm_1", "sm_9999", "sm_80a", "sm_90f", "sm_100b", "gfx942", "sm_sm_90", "0"}) {
    std::string error;
    EXPECT_EQ(lookupTarget(name, &error), nullptr) << name;
    EXPECT_NE(error.find("'" + std::string(name) + "'"), std::string::npos) << error;
    EXPECT_NE(error.find(known), std::string::npos) << error;
  }
  EXPECT_EQ(lookupTarget("sm_1"), nullptr);
}

TEST(TargetTable, LimitsStandInOneTable) {
  for (const TargetInfo &t : allTargets()) {
    const SmLimits *limits = lookupSmLimits(t.computeCapability);
    ASSERT_TRUE(limits) << t.name;
    EXPECT_EQ(limits->warps, t.maxWarpsPerSm) << t.name;
    EXPECT_EQ(limits->blocks, t.maxBlocksPerSm) << t.name;
    EXPECT_EQ(limits->sharedKiB * 1024, t.sharedPerSm) << t.name;
    EXPECT_EQ(t.sharedPerSm - limits->reservedPerBlock, t.maxDynamicShared) << t.name;
  }
  // GPUs that are no targets, of the emulator.
  EXPECT_TRUE(lookupSmLimits(75));
  EXPECT_FALSE(lookupTarget("sm_75"));
  EXPECT_FALSE(lookupSmLimits(1));
}

// Values measured with ptxas 13.0: the assembler takes exactly these sizes and refuses one byte
// more.
TEST(TargetTable, StaticSharedMemoryAsTheAssemblerTakesIt) {
  const std::pair<const char *, int> expected[] = {
      {"sm_80", 49152},   {"sm_86", 49152},   {"sm_89", 49152},   {"sm_90", 232448},  {"sm_100", 232448},
      {"sm_103", 232448}, {"sm_110", 232448}, {"sm_120", 101376}, {"sm_121", 101376}, {"sm_100f", 49152}};
  for (auto [name, bytes] : expected)
    EXPECT_EQ(lookupTarget(name)->maxStaticShared, bytes) << name;
}

TEST(TargetTable, PtxVersions) {
  EXPECT_EQ(lookupTarget("sm_80")->ptxFeature(), "+ptx70");
  EXPECT_EQ(lookupTarget("sm_90")->ptxFeature(), "+ptx80");
  EXPECT_EQ(lookupTarget("sm_90")->ptxFeature(90), "+ptx90");
  EXPECT_EQ(lookupTarget("sm_103")->ptxFeature(86), "+ptx88") << "never below what the target needs";
  EXPECT_EQ(lookupTarget("sm_120f")->ptxFeature(), "+ptx88");
}

TEST(TargetTable, Families) {
  const TargetInfo *ampere = lookupTarget("sm_80"), *ada = lookupTarget("sm_89"), *hopper = lookupTarget("sm_90"),
                   *b200 = lookupTarget("sm_100"), *b300 = lookupTarget("sm_103"), *consumer = lookupTarget("sm_120");
  EXPECT_EQ(ampere->mmaFamily, MmaFamily::MmaSync);
  EXPECT_EQ(hopper->mmaFamily, MmaFamily::Wgmma);
  EXPECT_EQ(b200->mmaFamily, MmaFamily::Tcgen05);
  EXPECT_EQ(consumer->mmaFamily, MmaFamily::MmaSync);
  EXPECT_FALSE(ampere->hasTma());
  EXPECT_TRUE(hopper->hasTma() && consumer->hasTma());
  EXPECT_FALSE(ampere->fp8Cvt);
  EXPECT_TRUE(ada->fp8Cvt && ada->fp8MmaSync);
  EXPECT_FALSE(ada->bf16Arith || ada->clusters);
  EXPECT_TRUE(b200->tcgen05Int8);
  EXPECT_FALSE(b300->tcgen05Int8);
  EXPECT_EQ(b200->tensorMemoryColumns, 512);
  EXPECT_EQ(consumer->tensorMemoryColumns, 0);
  EXPECT_EQ(hopper->maxGlobalVectorBytes, 16);
  EXPECT_EQ(b200->maxGlobalVectorBytes, 32);
  const TargetInfo *family = lookupTarget("sm_100f");
  EXPECT_TRUE(family->familySpecific && family->hasTcgen05());
  EXPECT_FALSE(family->archSpecific || family->tcgen05Int8 || family->stochasticCvt);
}
