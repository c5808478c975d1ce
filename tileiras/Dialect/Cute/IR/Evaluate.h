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

#include "tileiras/Dialect/Cute/IR/Atoms.h"

namespace mlir::cute {

/// A value as its type describes it.
struct Meaning {
  enum class Kind { Tuple, Layout, Tiler, Swizzle, Pointer, Tensor, Coords, Divisor, Other } kind = Kind::Other;
  tileiras::cute::IntTuple tuple;             ///< Tuple, Divisor (its number, multiplier and shifts)
  tileiras::cute::ComposedLayout layout;      ///< Layout, Tensor, Coords
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
  /// All numbers of a tuple, layout or tensor, known ones too, in the same order.
  std::vector<tileiras::cute::Int> everyNumber() const;
};

/// Bytes of an element.
int64_t bytesOf(Type element);

/// What a value of this type is; its `?` become leaves from `next` on. i32 and i64 are tuples of one number.
Meaning describe(Type type, unsigned &next);

/// The result of an operation with the trait Evaluated. Nothing, and why in `error`, if it has none.
std::optional<Meaning> evaluate(Operation *op, ArrayRef<Meaning> operands, std::string &error);

/// The same with operands as their types describe them.
std::optional<Meaning> evaluate(Operation *op, std::string &error);

/// The part of a thread, and how far behind the address of the tensor it begins.
struct ThreadPart {
  tileiras::cute::Layout layout;
  tileiras::cute::IntTuple offset; ///< a coordinate in tensors of coordinates
};
std::optional<ThreadPart> partitionMma(TiledMmaType type, char operand, const tileiras::cute::Layout &tensor,
                                       const tileiras::cute::Int &thread, std::string &error);
std::optional<ThreadPart> partitionCopy(TiledCopyType type, bool source, const tileiras::cute::Layout &tensor,
                                        const tileiras::cute::Int &thread, std::string &error);
/// A fragment (values, M, N) of elements of so many bytes, as a tiled copy has it.
std::optional<tileiras::cute::Layout> retile(TiledCopyType type, const tileiras::cute::Layout &fragment,
                                             int64_t elementBytes, std::string &error);

} // namespace mlir::cute

#endif // TILEIRAS_DIALECT_CUTE_IR_EVALUATE_H
