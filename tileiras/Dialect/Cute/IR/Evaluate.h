//===- Evaluate.h - What operations of cute mean ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One function says what an operation makes of its operands, with tileiras/Layout, where a `?` of an operand's type is
// a numbered leaf. The verifier compares the result with the declared type, the canonicaliser replaces what is known
// altogether, the lowering turns the expressions in the result into code.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUTE_IR_EVALUATE_H
#define TILEIRAS_DIALECT_CUTE_IR_EVALUATE_H

#include "tileiras/Dialect/Cute/IR/Cute.h"
#include "tileiras/Layout/Layout.h"

namespace mlir::cute {

/// A value as its type describes it.
struct Meaning {
  enum class Kind { Tuple, Layout, Tiler, Swizzle, Pointer, Tensor, Other } kind = Kind::Other;
  tileiras::cute::IntTuple tuple;             ///< Tuple
  tileiras::cute::ComposedLayout layout;      ///< Layout, Tensor
  std::optional<tileiras::cute::Tiler> tiler; ///< Tiler
  tileiras::Swizzle swizzle;                  ///< Swizzle
  /// Pointer, Tensor: an address that is `offset` elements behind that of operand `base`.
  int base = -1;
  tileiras::cute::Int offset = 0;
  Type element;
  AddressSpace space = AddressSpace::Generic;
  int64_t alignment = 1; ///< in bytes
  Type type;             ///< Other

  /// Run-time numbers in the order in which a value carries them.
  llvm::SmallVector<tileiras::cute::Int> leaves() const;
};

/// Bytes of an element.
int64_t bytesOf(Type element);

/// What a value of this type is; its `?` become leaves from `next` on. i32 and i64 are tuples of one number.
Meaning describe(Type type, unsigned &next);

/// The result of an operation with the trait Evaluated. Nothing, and why in `error`, if it has none.
std::optional<Meaning> evaluate(Operation *op, ArrayRef<Meaning> operands, std::string &error);

/// The same with operands as their types describe them.
std::optional<Meaning> evaluate(Operation *op, std::string &error);

/// (threads, values) -> column-major number, and the tile, of an operand ('A', 'B' or 'C') of an mma atom; nothing if
/// the type is no such atom.
struct MmaFragment {
  tileiras::cute::Layout layout;
  tileiras::cute::IntTuple tile;
};
std::optional<MmaFragment> getMmaFragment(Type atom, char operand);

/// The part of a thread, and how far behind the address of the tensor it begins.
struct ThreadPart {
  tileiras::cute::Layout layout;
  tileiras::cute::Int offset;
};
std::optional<ThreadPart> partitionMma(TiledMmaType type, char operand, const tileiras::cute::Layout &tensor,
                                       const tileiras::cute::Int &thread, std::string &error);
std::optional<ThreadPart> partitionCopy(TiledCopyType type, const tileiras::cute::Layout &tensor,
                                        const tileiras::cute::Int &thread, std::string &error);

} // namespace mlir::cute

#endif // TILEIRAS_DIALECT_CUTE_IR_EVALUATE_H
