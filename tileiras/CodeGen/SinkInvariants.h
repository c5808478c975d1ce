//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The opposite of moving invariants out of loops, where registers are short.
//
// Every shared tile has a handful of addresses that depend on the thread alone. LLVM computes all of them before the
// loop, and in a kernel with five tiles a hundred registers hold what two or three instructions could make from the
// thread's number again.
//
// Which values to keep and which to compute inside is a minimum cut: between what there is outside of the loop and what
// is used in it, each value is either kept (cost: its registers), or computed again (cost: its instruction) from values
// of which the same is true. What lives in the loop for another reason costs nothing. The price of an instruction says
// how many of them a register is worth.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_SINKINVARIANTS_H
#define TILEIRAS_CODEGEN_SINKINVARIANTS_H

#include "llvm/IR/ValueHandle.h"
#include <vector>

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace tileiras {

/// The cost of a register where an instruction costs `price`.
constexpr unsigned kRegisterCost = 16;

/// What stands in front of a loop, and a copy of it that is computed again.
using SunkCopies = std::vector<std::pair<llvm::WeakVH, llvm::WeakVH>>;

/// Which values are computed again: what the loop uses, and what is used behind it; the latter also behind a loop that
/// may be left out; or that alone, of what the loop itself does not use.
enum class Sink { InLoop, Everywhere, BehindLoop };

/// Computes inside of `loop`, and after it, what is cheaper there than kept. Adds the copies to `copies`. True if
/// anything has changed.
bool sinkInvariants(llvm::Loop &loop, const llvm::LoopInfo &loops, const llvm::DominatorTree &dominators,
                    unsigned price, Sink which, SunkCopies &copies);

/// What is computed in front of a loop as well would be the same expression to the code generator, which keeps one of
/// them. It does not see through an assembly whose text nothing else has (LiveRegisters.h, copiedBy): what the copies
/// begin with gets another name by one, and what follows from that is another expression.
void keepApart(SunkCopies &copies);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_SINKINVARIANTS_H
