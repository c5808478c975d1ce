//===- DotOperand.h - Where a product fetches what it multiplies -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An operand of a matrix product, element by element, whether it is in registers or has to be fetched from shared
// memory; and its elements as the type they are multiplied in.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_DOTOPERAND_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_DOTOPERAND_H

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Support/MatrixFetch.h"

namespace mlir::tilellvm {

/// An operand by the register numbers of its full layout (DotLayouts.h), in registers or in shared memory.
class DotOperandTile {
public:
  /// `value` is the converted operand. Fails when its layout does not hold what `layout` wants. `fetch`: from shared
  /// memory by ldmatrix.
  LogicalResult init(Emitter &e, Value value, RankedTensorType type, const LinearLayout &layout, Type element,
                     std::optional<tileiras::MatrixFetch> fetch = std::nullopt);

  /// The element in register `r`; what is in shared memory is fetched when it is first asked for, with its neighbours.
  Value get(Emitter &e, unsigned r);

private:
  void fetch(Emitter &e, unsigned r);
  void fetchMatrices(Emitter &e, int instruction);

  Type element;
  SmallVector<unsigned> map; ///< register of the full layout -> register that is held
  SmallVector<Value> values; ///< null: not fetched yet
  // In shared memory:
  std::optional<TileAddresses> addresses;
  VectorGroups groups;
  SmallVector<unsigned> groupOf;
  std::optional<tileiras::MatrixFetch> matrices;
};

/// A layout without the register bits that are copies.
LinearLayout withoutCopies(const LinearLayout &layout);

/// An operand's element of a converted type, of element type `from`, as the type it is multiplied in. Exact. Null for
/// pairs that do not occur.
Value toFactor(Emitter &e, Value v, Type from, Type to, bool isSigned);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_DOTOPERAND_H
