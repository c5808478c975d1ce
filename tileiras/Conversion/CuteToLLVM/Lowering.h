//===- Lowering.h - Values of cute as numbers and addresses -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_CUTETOLLVM_LOWERING_H
#define TILEIRAS_CONVERSION_CUTETOLLVM_LOWERING_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "tileiras/Dialect/Cute/IR/Evaluate.h"
#include "llvm/ADT/DenseMap.h"

namespace tileiras {

/// LLVM's number of tensor memory.
inline constexpr unsigned kTensorSpace = 6;

/// Accesses that one operation may be unrolled into.
inline constexpr int64_t kMostAccesses = 4096;

/// A value of cute: the numbers that its type leaves open, in the order of their `?`, and the address of pointers and
/// tensors.
struct Lowered {
  mlir::cute::Meaning meaning; ///< leaf i is numbers[i]
  llvm::SmallVector<mlir::Value> numbers;
  mlir::Value address; ///< of a TMA atom, that of the tensor map
  mlir::Value barrier; ///< of a TMA load

  /// As loweredTypes says.
  llvm::SmallVector<mlir::Value> parts() const;
};

/// Whether values of this type are lowered here.
bool isCuteType(mlir::Type type);
/// What a value of this type is at run time: its address if it has one (of an atom, its tensor map and its mbarrier),
/// then a number for each `?`.
llvm::SmallVector<mlir::Type> loweredTypes(mlir::Type type);
mlir::LLVM::LLVMPointerType pointerType(mlir::MLIRContext *context, mlir::cute::AddressSpace space);

/// An integer for elements that LLVM has no type for, else the element.
mlir::Type storedType(mlir::Type element);

/// Arguments of functions and blocks, and results of structured control flow, become what loweredTypes says;
/// unrealized_conversion_casts connect them with the operations of cute, whose operands and results stay.
mlir::LogicalResult expandBlockArguments(mlir::Operation *root);

/// Why an operation of cute_nvgpu is only known by name; empty for others.
llvm::StringRef whyRefused(mlir::Operation *op);

/// A or B of a product that reads shared memory (Gemm.cpp).
struct SharedFactor;

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
  mlir::LogicalResult lowerMatrixCopy(mlir::Operation *op, const Lowered &source, const Lowered &target);
  mlir::LogicalResult lowerTensorMemoryCopy(mlir::Operation *op, const Lowered &source, const Lowered &target);
  mlir::LogicalResult lowerTmaCopy(mlir::Operation *op, const Lowered &source, const Lowered &target);
  mlir::LogicalResult lowerPrefetch(mlir::Operation *op);
  mlir::LogicalResult lowerGemm(mlir::Operation *op);
  mlir::LogicalResult lowerS2tCopy(mlir::Operation *op, const Lowered &source, const Lowered &target);
  mlir::LogicalResult multiplyTensorMemory(mlir::Operation *op, const mlir::cute::Product &product,
                                           llvm::ArrayRef<Lowered> tensors, const SharedFactor &a,
                                           const SharedFactor &b);
  mlir::LogicalResult lowerDescriptorGemm(mlir::Operation *op, llvm::ArrayRef<Lowered> tensors);
  mlir::LogicalResult lowerNvgpu(mlir::Operation *op);
  mlir::LogicalResult lowerTensorMap(mlir::Operation *op);
  mlir::LogicalResult changeTensorMap(mlir::Operation *op);
  mlir::LogicalResult lowerTensorMemory(mlir::Operation *op);
  mlir::LogicalResult lowerArchMma(mlir::Operation *op);
  /// The address of a tensor map, of cute or of LLVM, as a generic one.
  mlir::FailureOr<mlir::Value> genericAddress(mlir::Value value, mlir::Operation *user);
  mlir::LogicalResult lowerCast(mlir::UnrealizedConversionCastOp cast);
  mlir::LogicalResult lowerComparison(mlir::Operation *op);
  mlir::LogicalResult lowerDivmod(mlir::Operation *op);
  mlir::LogicalResult lowerPrint(mlir::Operation *op);
  mlir::FailureOr<mlir::Value> allocateShared(mlir::Operation *op, mlir::Type element, int64_t elements,
                                              int64_t alignment);
  mlir::FailureOr<mlir::Value> allocateRegisters(mlir::Operation *op, mlir::Type element, int64_t elements);
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

/// The element's place in a tensor in memory; a failure with a diagnostic for tensors of coordinates.
mlir::FailureOr<cute::Int> offsetOf(mlir::Operation *op, const cute::IntTuple &coord,
                                    const mlir::cute::Meaning &tensor);
/// Why vectors of `count` elements, numbered as in the layout, are not pieces of memory aligned to their size; empty if
/// they are.
std::string whyNoVectors(const mlir::cute::Meaning &tensor, int64_t count);

/// tcgen05.ld and st of neighbouring columns, a row to a lane, and the wait for them. The address is the lane's, or the
/// first lane's.
llvm::SmallVector<mlir::Value> loadTensorMemory(mlir::ImplicitLocOpBuilder &builder, mlir::Value address,
                                                int64_t columns);
void storeTensorMemory(mlir::ImplicitLocOpBuilder &builder, mlir::Value address, mlir::ValueRange words);

/// The matrix descriptor of the matrix at an address in shared memory.
mlir::Value descriptorAt(mlir::ImplicitLocOpBuilder &builder, mlir::Value address, mlir::cute::DescIterType type);

/// Elements of a fragment in registers, (values, rows, columns).
class Fragment {
public:
  Fragment(mlir::ImplicitLocOpBuilder &builder, const Lowered &tensor);
  int64_t extent(int mode) const;
  mlir::Value load(int64_t value, int64_t row, int64_t column);
  void store(mlir::Value element, int64_t value, int64_t row, int64_t column);
  /// Values from `first` on that make 32 bits, as an i32; narrower ones have zeros above.
  mlir::Value loadWord(int64_t first, int64_t row, int64_t column);
  void storeWord(mlir::Value word, int64_t first, int64_t row, int64_t column);

private:
  int64_t perWord() const;
  mlir::Value address(int64_t value, int64_t row, int64_t column);
  mlir::ImplicitLocOpBuilder &builder;
  const Lowered &tensor;
  Emitter emitter;
};

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_CUTETOLLVM_LOWERING_H
