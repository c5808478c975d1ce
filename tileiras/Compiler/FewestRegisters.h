//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// ptxas takes as many registers as make its code shortest, which may be a tenth
// or a quarter more than it needs for code of nearly the same length. What it
// leaves is room for another block, or for those of other kernels.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_FEWESTREGISTERS_H
#define TILEIRAS_COMPILER_FEWESTREGISTERS_H

#include "tileiras/Compiler/RegisterLimit.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace tileiras {

/// What one run of ptxas has made of a text, and what it said (`-v`).
struct Assembled {
  std::string cubin, said;
};
/// Runs ptxas for each of some texts, all at a time; nothing for a text that it refuses.
using AssembleFunction = llvm::function_ref<std::vector<std::optional<Assembled>>(llvm::ArrayRef<std::string> texts)>;

/// The part of what ptxas took below which it is not asked for less.
struct Reach {
  unsigned numerator, denominator;
};

/// As few registers as ptxas has for the same code, give or take a twenty-fifth of it: each of `kernels` by itself.
/// `kept` is what came of `ptx` with those limits of `trials` that are kept; both have what is kept in the end. Limits
/// are multiples of eight, as a warp gets registers, between the least that is known to be enough and the most that is
/// not, or what is within reach. Three of them are tried at a time, evenly spaced, whatever the number of processors:
/// what is found does not depend on it.
///
///     176 registers taken, 7/8 within reach: 152, 160 and 168; 152 spills, so 160
void tryFewestRegisters(Assembled &kept, llvm::StringRef ptx, llvm::ArrayRef<PtxKernel> kernels,
                        const TargetInfo &target, Reach reach, std::vector<RegisterTrial> &trials,
                        AssembleFunction assemble);

} // namespace tileiras

#endif // TILEIRAS_COMPILER_FEWESTREGISTERS_H
