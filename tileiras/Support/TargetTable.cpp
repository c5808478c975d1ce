//===- TargetTable.cpp - What each GPU target can do, as data -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/TargetTable.h"

#include <algorithm>
#include <cassert>

namespace tileiras {

const char *toString(CopyFamily family) { return family == CopyFamily::Tma ? "tma" : "cp.async"; }

const char *toString(MmaFamily family) {
  switch (family) {
  case MmaFamily::MmaSync:
    return "mma.sync";
  case MmaFamily::Wgmma:
    return "wgmma";
  case MmaFamily::Tcgen05:
    return "tcgen05";
  }
  return "unknown";
}

//===----------------------------------------------------------------------===//
// The rows
//===----------------------------------------------------------------------===//
//
// Static shared memory: what ptxas 13.0 accepts (48 KiB for plain and `f` targets, more for `a`).
// Dynamic shared memory, registers, warps: CUDA programming guide, "Technical specifications per
// compute capability" (SmLimits). sm_88 is not in that table; its row repeats the smaller neighbour sm_86.

static constexpr int kKiB = 1024;
static constexpr int kStaticDefault = 48 * kKiB;

static constexpr SmLimits smLimits[] = {
    {70, 64, 32, 96, 0, 256, 512, 80},        {72, 64, 32, 96, 0, 256, 512, 8},
    {75, 32, 16, 64, 0, 256, 512, 40},        {80, 64, 32, 164, kKiB, 128, 1024, 108},
    {86, 48, 16, 100, kKiB, 128, 512, 82},    {87, 48, 16, 164, kKiB, 128, 512, 16},
    {88, 48, 16, 100, kKiB, 128, 0, 0},       {89, 48, 24, 100, kKiB, 128, 512, 128},
    {90, 64, 32, 228, kKiB, 128, 2048, 132},  {100, 64, 32, 228, kKiB, 128, 4096, 148},
    {103, 64, 32, 228, kKiB, 128, 4096, 148}, {110, 48, 24, 228, kKiB, 128, 0, 20},
    {120, 48, 24, 100, kKiB, 128, 512, 188},  {121, 48, 24, 100, kKiB, 128, 512, 48},
};

const SmLimits *lookupSmLimits(int computeCapability) {
  for (const SmLimits &limits : smLimits)
    if (limits.computeCapability == computeCapability)
      return &limits;
  return nullptr;
}

/// What all sm_8x have in common.
static TargetInfo ampere(const char *name, int cc, int minPtx) {
  assert(lookupSmLimits(cc) && "a target needs a row of limits");
  const SmLimits &sm = *lookupSmLimits(cc);
  TargetInfo t{};
  t.name = t.compiledAs = name;
  t.computeCapability = cc;
  t.minPtx = minPtx;
  t.copyFamily = CopyFamily::CpAsync;
  t.mmaFamily = MmaFamily::MmaSync;
  t.maxStaticShared = kStaticDefault;
  t.sharedPerSm = sm.sharedKiB * kKiB;
  t.maxDynamicShared = t.sharedPerSm - sm.reservedPerBlock;
  t.registersPerSm = 65536;
  t.maxRegistersPerThread = 255;
  t.maxWarpsPerSm = sm.warps;
  t.maxBlocksPerSm = sm.blocks;
  t.maxGlobalVectorBytes = 16;
  t.fp8Cvt = t.fp8MmaSync = cc >= 89;
  t.fp8MmaWidened = cc >= 90 && cc < 120;
  return t;
}

/// What sm_90a and everything after it have in common.
static TargetInfo hopper(const char *name, const char *compiledAs, int cc, int minPtx) {
  TargetInfo t = ampere(name, cc, minPtx);
  t.compiledAs = compiledAs;
  t.maxStaticShared = t.maxDynamicShared;
  t.copyFamily = CopyFamily::Tma;
  t.mmaFamily = MmaFamily::Wgmma;
  t.clusters = t.dependentLaunch = t.archSpecific = t.familySpecific = t.setMaxNReg = t.tensormapReplace = true;
  t.stmatrix = t.bf16Arith = t.bf16IntCvt = t.tf32RnCvt = t.vectorAtomics = t.uniformAddresses = true;
  return t;
}

/// What all of sm_100a .. sm_121a have in common.
static TargetInfo blackwell(const char *name, const char *compiledAs, int cc, int minPtx, MmaFamily mma) {
  TargetInfo t = hopper(name, compiledAs, cc, minPtx);
  t.mmaFamily = mma;
  t.tensorMemoryColumns = mma == MmaFamily::Tcgen05 ? 512 : 0;
  t.maxGlobalVectorBytes = 32;
  t.launchControl = t.ldmatrixB8 = t.fp6fp4Cvt = t.f32x2 = t.blockScaledMma = true;
  t.stochasticCvt = t.reduxF32 = cc == 100 || cc == 103;
  t.tcgen05Int8 = cc == 100 || cc == 110;
  return t;
}

static std::vector<TargetInfo> makeTargets() {
  constexpr MmaFamily mmaSync = MmaFamily::MmaSync, tcgen05 = MmaFamily::Tcgen05;
  return {
      ampere("sm_80", 80, 70),
      ampere("sm_86", 86, 71),
      ampere("sm_87", 87, 74),
      ampere("sm_88", 88, 90),
      ampere("sm_89", 89, 78),
      hopper("sm_90", "sm_90a", 90, 80),
      blackwell("sm_100", "sm_100a", 100, 86, tcgen05),
      blackwell("sm_103", "sm_103a", 103, 88, tcgen05),
      blackwell("sm_110", "sm_110a", 110, 90, tcgen05),
      blackwell("sm_120", "sm_120a", 120, 87, mmaSync),
      blackwell("sm_121", "sm_121a", 121, 88, mmaSync),
  };
}

/// The family variant of an `a` row: portable over the family, so without what only the `a` target
/// has.
static TargetInfo makeFamily(TargetInfo t, const char *familyName) {
  t.name = t.compiledAs = familyName;
  t.minPtx = std::max(t.minPtx, 88);
  t.maxStaticShared = kStaticDefault;
  t.archSpecific = t.stochasticCvt = t.tcgen05Int8 = false;
  return t;
}

const std::vector<TargetInfo> &allTargets() {
  static const std::vector<TargetInfo> targets = makeTargets();
  return targets;
}

static const std::vector<TargetInfo> &familyTargets() {
  static const std::vector<TargetInfo> targets = [] {
    static constexpr std::pair<int, const char *> names[] = {
        {100, "sm_100f"}, {103, "sm_103f"}, {110, "sm_110f"}, {120, "sm_120f"}, {121, "sm_121f"}};
    std::vector<TargetInfo> result;
    for (auto [cc, name] : names)
      for (const TargetInfo &base : allTargets())
        if (base.computeCapability == cc)
          result.push_back(makeFamily(base, name));
    return result;
  }();
  return targets;
}

//===----------------------------------------------------------------------===//
// Lookup
//===----------------------------------------------------------------------===//

const TargetInfo *lookupTarget(std::string_view name, std::string *error) {
  std::string_view rest = name;
  for (std::string_view prefix : {"sm_", "compute_"}) {
    if (rest.starts_with(prefix)) {
      rest.remove_prefix(prefix.size());
      break;
    }
  }
  std::string full = "sm_" + std::string(rest);
  for (const TargetInfo &t : allTargets())
    if (full == t.name || full == t.compiledAs)
      return &t;
  for (const TargetInfo &t : familyTargets())
    if (full == t.name)
      return &t;
  if (error) {
    *error = "unknown GPU target '" + std::string(name) + "'; supported targets are";
    const char *separator = " ";
    for (const TargetInfo &t : allTargets()) {
      *error += separator;
      *error += t.name;
      separator = ", ";
    }
    *error += " (from sm_90 on also with the suffix 'a', from sm_100 on also 'f')";
  }
  return nullptr;
}

std::string TargetInfo::ptxFeature(int ptxVersion) const {
  return "+ptx" + std::to_string(std::max(ptxVersion, minPtx));
}

} // namespace tileiras
