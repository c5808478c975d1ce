//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/FewestRegisters.h"

#include "tileiras/Compiler/CubinSections.h"
#include "tileiras/Compiler/StaticShared.h"
#include "tileiras/Support/Residency.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace tileiras;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

/// A warp gets its registers in so many for each thread.
static constexpr unsigned kUnit = 8;
/// Code may become longer by so small a part: it is what of a loop goes to the uniform datapath, and back, in fewer
/// registers.
static constexpr unsigned kLonger = 25;
/// Limits that are tried at a time.
static constexpr unsigned kTogether = 3;

static std::optional<PtxasResources> find(StringRef said, StringRef kernel) {
  for (PtxasResources &resources : parsePtxasResources(said))
    if (resources.function == kernel)
      return resources;
  return std::nullopt;
}

/// Up to three multiples of a unit between two others, evenly spaced, the least one first.
static SmallVector<unsigned, kTogether> limitsBetween(unsigned tooFew, unsigned enough) {
  SmallVector<unsigned, kTogether> limits;
  const unsigned steps = enough > tooFew ? (enough - tooFew) / kUnit : 0;
  const unsigned count = std::min(kTogether, steps ? steps - 1 : 0);
  for (unsigned i = 1; i <= count; ++i)
    limits.push_back(tooFew + steps * i / (count + 1) * kUnit);
  return limits;
}

namespace {
/// The search for one kernel.
class Search {
public:
  Search(Assembled &kept, StringRef ptx, ArrayRef<PtxKernel> all, const PtxKernel &kernel, const TargetInfo &target,
         Reach reach, std::vector<RegisterTrial> &trials, AssembleFunction assemble)
      : kept(kept), ptx(ptx), all(all), kernel(kernel), target(target), reach(reach), trials(trials),
        assemble(assemble), shared(dynamicSharedNeeds(ptx)) {}

  void run() {
    std::optional<PtxasResources> found = find(kept.said, kernel.name);
    if (!found)
      return;
    before = *found;
    code = codeBytes(kept.cubin, kernel.name);
    unsigned enough = occupiedRegisters(before.registers);
    unsigned tooFew = enough * reach.numerator / reach.denominator / kUnit * kUnit;
    tooFew -= std::min(tooFew, kUnit);
    while (true) {
      SmallVector<unsigned, kTogether> limits = limitsBetween(tooFew, enough);
      if (limits.empty())
        return;
      SmallVector<std::optional<Attempt>, kTogether> attempts = attempt(limits);
      auto good = llvm::find_if(attempts, [](const std::optional<Attempt> &attempt) { return attempt.has_value(); });
      size_t bad = good - attempts.begin();
      if (bad > 0)
        tooFew = limits[bad - 1];
      if (good == attempts.end())
        continue;
      enough = std::min(limits[bad], occupiedRegisters((*good)->trial.registersAfter));
      keep(std::move(**good));
    }
  }

private:
  struct Attempt {
    RegisterTrial trial;
    Assembled assembled;
  };

  bool isIts(const RegisterTrial &trial) const { return trial.kernel == kernel.name; }

  /// The trial of `limit`, before anything has come of it.
  RegisterTrial trialOf(unsigned limit) const {
    auto known = llvm::find_if(trials, [&](const RegisterTrial &trial) { return isIts(trial) && trial.kept; });
    RegisterTrial trial = known != trials.end() ? *known : beginTrial(kernel, before, shared, target);
    if (!trial.kept) {
      trial.codeBefore = code;
      trial.reason = "the same is done in fewer registers";
    }
    trial.kept = true;
    trial.limit = limit;
    return trial;
  }

  /// What comes of the kernel within each of `limits`, where that is as good.
  SmallVector<std::optional<Attempt>, kTogether> attempt(ArrayRef<unsigned> limits) const {
    std::vector<std::string> texts;
    for (unsigned limit : limits) {
      std::vector<RegisterTrial> limited{trialOf(limit)};
      llvm::copy_if(trials, std::back_inserter(limited), [&](const RegisterTrial &other) { return !isIts(other); });
      texts.push_back(withRegisterLimits(ptx, all, limited, /*onlyKept=*/true));
    }
    SmallVector<std::optional<Attempt>, kTogether> attempts;
    for (auto [limit, assembled] : llvm::zip_equal(limits, assemble(texts))) {
      Attempt &attempt = attempts.emplace_back(Attempt{trialOf(limit), {}}).value();
      std::optional<PtxasResources> after = assembled ? find(assembled->said, kernel.name) : std::nullopt;
      uint64_t codeAfter = after ? codeBytes(assembled->cubin, kernel.name) : 0;
      if (!after || after->registers > limit || after->spillStores > before.spillStores ||
          after->spillLoads > before.spillLoads || after->stack > before.stack || !codeAfter ||
          codeAfter * kLonger > code * (kLonger + 1)) {
        attempts.back() = std::nullopt;
        continue;
      }
      attempt.trial.registersAfter = after->registers;
      attempt.trial.codeAfter = codeAfter;
      attempt.trial.blocksAfter = beginTrial(kernel, *after, shared, target).blocksBefore;
      attempt.assembled = std::move(*assembled);
    }
    return attempts;
  }

  void keep(Attempt attempt) {
    llvm::erase_if(trials, [&](const RegisterTrial &trial) { return isIts(trial); });
    trials.push_back(std::move(attempt.trial));
    kept = std::move(attempt.assembled);
  }

  Assembled &kept;
  StringRef ptx;
  ArrayRef<PtxKernel> all; ///< of the text
  const PtxKernel &kernel;
  const TargetInfo &target;
  const Reach reach;
  std::vector<RegisterTrial> &trials;
  AssembleFunction assemble;
  const std::map<std::string, uint64_t> shared;
  PtxasResources before;
  uint64_t code = 0;
};
} // namespace

void tileiras::tryFewestRegisters(Assembled &kept, StringRef ptx, ArrayRef<PtxKernel> kernels, const TargetInfo &target,
                                  Reach reach, std::vector<RegisterTrial> &trials, AssembleFunction assemble) {
  const std::vector<PtxKernel> all = kernels.empty() ? std::vector<PtxKernel>() : findPtxKernels(ptx);
  for (const PtxKernel &kernel : kernels)
    Search(kept, ptx, all, kernel, target, reach, trials, assemble).run();
}
