//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How many registers LLVM IR keeps alive: liveness over the whole function, then, for a block and any order of its
// instructions, the largest sum. It is what PressureSchedule compares orders by.
//
// An estimate of what ptxas will need, from the same side: constants, parameters and predicates cost nothing, shared
// addresses are 32 bits, an address that is another plus a constant is the other, fields of a result are values of
// their own.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_LIVEREGISTERS_H
#define TILEIRAS_CODEGEN_LIVEREGISTERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class Instruction;
class Type;
class Value;
} // namespace llvm

namespace tileiras {

/// Half registers that a value of this type takes; a predicate is counted as one.
unsigned halfRegisters(const llvm::Type *type);

/// What an assembly without an instruction is another name of; null if `value` is none.
const llvm::Value *copiedBy(const llvm::Value &value);

/// Registers a thread of a kernel may have, by the number of threads it is launched with.
unsigned registersPerThread(const llvm::Function &function);

/// The same for each block: behind a setmaxnreg that dominates it a thread has what that says.
llvm::DenseMap<const llvm::BasicBlock *, unsigned> registersOfBlocks(const llvm::Function &function,
                                                                     const llvm::DominatorTree &dominators);

class LiveRegisters {
public:
  explicit LiveRegisters(const llvm::Function &function);

  /// Registers alive at once when the instructions of `block` between PHIs and terminator stand in this order. Only the
  /// order of one block may differ from the function's, since what is alive between blocks does not depend on it.
  /// `atEnds`: of these, how many the first and the last of them find, in any order.
  unsigned peak(const llvm::BasicBlock &block, llvm::ArrayRef<const llvm::Instruction *> order,
                unsigned *atEnds = nullptr) const;

private:
  /// The number of the value that stands for `value`; -1: costs nothing.
  int numberOf(const llvm::Value *value) const;
  /// Looks up what an instruction uses, which is asked for once for each order that is tried.
  void noteUses(const llvm::Instruction &instruction);
  template <typename Visit> void visitUses(const llvm::Instruction &instruction, Visit visit) const;

  llvm::DenseMap<const llvm::Value *, unsigned> numbers;
  std::vector<unsigned> weights;
  std::vector<unsigned> used; ///< numbers of operands, instruction after instruction
  llvm::DenseMap<const llvm::Instruction *, std::pair<unsigned, unsigned>> uses; ///< where its are in there, how many
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> liveOut;
};

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_LIVEREGISTERS_H
