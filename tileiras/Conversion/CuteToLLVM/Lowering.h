//===- Lowering.h - Values of cute as numbers and addresses -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_CUTETOLLVM_LOWERING_H
#define TILEIRAS_CONVERSION_CUTETOLLVM_LOWERING_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "tileiras/Dialect/Cute/IR/Evaluate.h"
#include "llvm/ADT/DenseMap.h"

namespace tileiras {

/// Accesses that one operation may be unrolled into.
inline constexpr int64_t kMostAccesses = 4096;

/// A value of cute: the numbers that its type leaves open, in the order of their `?`, and the address of pointers and
/// tensors.
struct Lowered {
  mlir::cute::Meaning meaning; ///< leaf i is numbers[i]
  llvm::SmallVector<mlir::Value> numbers;
  mlir::Value address;
};

/// Lowers the operations of one module, in the order in which they stand.
class CuteLowering {
public:
  explicit CuteLowering(mlir::Operation *root) : root(root) {}
  mlir::LogicalResult run();

private:
  mlir::LogicalResult lower(mlir::Operation *op);
  mlir::LogicalResult lowerAlgebra(mlir::Operation *op);
  mlir::LogicalResult lowerMemory(mlir::Operation *op);
  mlir::LogicalResult lowerCopy(mlir::Operation *op);
  mlir::LogicalResult lowerGemm(mlir::Operation *op);
  mlir::LogicalResult allocate(mlir::Operation *op);
  /// Nothing, with a diagnostic at `user`, for values that come through block arguments.
  mlir::FailureOr<Lowered> get(mlir::Value value, mlir::Operation *user);

  mlir::Operation *root;
  llvm::DenseMap<mlir::Value, Lowered> values;
  unsigned globals = 0;
};

/// Turns expressions of leaves into arithmetic.
class Emitter {
public:
  Emitter(mlir::ImplicitLocOpBuilder &builder, llvm::ArrayRef<mlir::Value> numbers)
      : builder(builder), numbers(numbers) {}
  /// As an integer of this many bits; by default as many as it has.
  mlir::Value emit(const cute::Int &value, int width = 0);
  /// The address of the element so many elements behind another.
  mlir::Value advance(mlir::Value address, mlir::Type element, const cute::Int &offset);

private:
  mlir::Value compute(const cute::Int &value);
  mlir::ImplicitLocOpBuilder &builder;
  llvm::ArrayRef<mlir::Value> numbers;
  llvm::DenseMap<const cute::Int::Expr *, mlir::Value> done;
  std::vector<cute::Int> kept; ///< keeps the keys of `done` alive
};

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_CUTETOLLVM_LOWERING_H
