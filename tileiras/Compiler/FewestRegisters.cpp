//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/FewestRegisters.h"

#include "tileiras/Compiler/CubinSections.h"
#include "tileiras/Compiler/StaticShared.h"
#include "tileiras/Support/Residency.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <future>

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
         Reach reach, std::vector<RegisterTrial> &trials, const AssembleFunction &assemble)
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
      std::vector<std::future<std::optional<Attempt>>> runs;
      for (unsigned limit : limits)
        runs.push_back(std::async(std::launch::async, [this, limit] { return attempt(limit); }));
      // All of them are waited for before one is kept: they read what is kept.
      SmallVector<std::optional<Attempt>, kTogether> attempts;
      for (auto &run : runs)
        attempts.push_back(run.get());
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

  /// What comes of the kernel within `limit`, if that is as good.
  std::optional<Attempt> attempt(unsigned limit) const {
    auto known = llvm::find_if(trials, [&](const RegisterTrial &trial) { return isIts(trial); });
    Attempt result;
    RegisterTrial &trial = result.trial;
    if (known != trials.end() && known->kept) {
      trial = *known;
    } else {
      trial = beginTrial(kernel, before, shared, target);
      trial.codeBefore = code;
      trial.reason = "the same is done in fewer registers";
    }
    trial.kept = true;
    trial.limit = limit;
    std::vector<RegisterTrial> limited{trial};
    llvm::copy_if(trials, std::back_inserter(limited), [&](const RegisterTrial &other) { return !isIts(other); });
    std::optional<Assembled> assembled = assemble(withRegisterLimits(ptx, all, limited, /*onlyKept=*/true));
    std::optional<PtxasResources> after = assembled ? find(assembled->said, kernel.name) : std::nullopt;
    trial.codeAfter = after ? codeBytes(assembled->cubin, kernel.name) : 0;
    if (!after || after->registers > limit || after->spillStores > before.spillStores ||
        after->spillLoads > before.spillLoads || after->stack > before.stack || !trial.codeAfter ||
        trial.codeAfter * kLonger > code * (kLonger + 1))
      return std::nullopt;
    trial.registersAfter = after->registers;
    trial.blocksAfter = beginTrial(kernel, *after, shared, target).blocksBefore;
    result.assembled = std::move(*assembled);
    return result;
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
  const AssembleFunction &assemble;
  const std::map<std::string, uint64_t> shared;
  PtxasResources before;
  uint64_t code = 0;
};
} // namespace

void tileiras::tryFewestRegisters(Assembled &kept, StringRef ptx, ArrayRef<PtxKernel> kernels, const TargetInfo &target,
                                  Reach reach, std::vector<RegisterTrial> &trials, const AssembleFunction &assemble) {
  const std::vector<PtxKernel> all = kernels.empty() ? std::vector<PtxKernel>() : findPtxKernels(ptx);
  for (const PtxKernel &kernel : kernels)
    Search(kept, ptx, all, kernel, target, reach, trials, assemble).run();
}
