//===- Products.h - Instructions that multiply ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_CUTETOLLVM_PRODUCTS_H
#define TILEIRAS_CONVERSION_CUTETOLLVM_PRODUCTS_H

#include "tileiras/Conversion/CuteToLLVM/Lowering.h"

namespace tileiras {

/// What PTX calls elements, and the shape of a product: "f16", "m16n8k16".
std::string nameOf(mlir::Type element);
std::string shapeOf(const mlir::cute::Product &product);

/// One text of inline PTX: sums, which are results tied to operands, and further operands.
class Assembly {
public:
  explicit Assembly(mlir::ImplicitLocOpBuilder &builder, llvm::ArrayRef<mlir::Value> sums = {});
  /// The name of an operand in the text: "$3".
  std::string operand(mlir::Value value);
  /// "{$3, $4}".
  std::string operands(llvm::ArrayRef<mlir::Value> values);
  /// The sums' names, as results and as operands.
  std::string sums() const;
  /// The sums, changed. `ordered`: nothing that accesses memory may pass it.
  llvm::SmallVector<mlir::Value> finish(llvm::StringRef text, bool ordered, int ptxVersion);

private:
  mlir::ImplicitLocOpBuilder &builder;
  llvm::SmallVector<mlir::Value> inputs;
  size_t count;
  std::string constraints;
};

/// Of one mma.sync: the registers of each operand. `metadata` says which elements of A are stored, `scales` are those
/// of A and B; both may be missing. Returns the sums.
llvm::SmallVector<mlir::Value> multiplyWords(mlir::ImplicitLocOpBuilder &builder, const mlir::cute::Product &product,
                                             llvm::ArrayRef<mlir::Value> a, llvm::ArrayRef<mlir::Value> b,
                                             llvm::ArrayRef<mlir::Value> c, llvm::ArrayRef<mlir::Value> scales,
                                             mlir::Value metadata);

/// What one instruction of each step along k reads: descriptors of A and B; or registers of A in the place of its own.
struct DescriptorStep {
  mlir::Value a, b;
  llvm::SmallVector<mlir::Value> wordsA = {};
  /// tcgen05: where in tensor memory the scales of A and B or the metadata begin, as i32.
  mlir::Value scalesA = {}, scalesB = {}, metadata = {};
  int64_t byteA = 0, byteB = 0; ///< of the words of scales
  int64_t selector = 0;         ///< which of two columns has the metadata
};
/// wgmma of all steps: fence and instructions. Who asks for all sums of a group puts `wait` behind the last. Whether M
/// or N is the contiguous mode of A and B is `turnA`, `turnB`.
llvm::SmallVector<mlir::Value> multiplyByWarpgroup(mlir::ImplicitLocOpBuilder &builder,
                                                   const mlir::cute::Product &product, llvm::ArrayRef<mlir::Value> sums,
                                                   llvm::ArrayRef<DescriptorStep> steps, bool turnA, bool turnB,
                                                   bool wait);
/// The wait for all wgmma so far.
llvm::SmallVector<mlir::Value> waitForWarpgroup(mlir::ImplicitLocOpBuilder &builder, llvm::ArrayRef<mlir::Value> sums);

/// tcgen05.mma of all steps by one thread, to `sums` in tensor memory; the first overwrites them where `accumulate`
/// (null: never) is false. Descriptors are those of wgmma.
void multiplyInTensorMemory(mlir::ImplicitLocOpBuilder &builder, const mlir::cute::Product &product, mlir::Value sums,
                            llvm::ArrayRef<DescriptorStep> steps, bool turnA, bool turnB, mlir::Value accumulate);

/// tcgen05.cp of a matrix in shared memory, whose descriptor is that of wgmma; `shape` as PTX writes it.
void copyToTensorMemory(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef shape, mlir::Value descriptor,
                        mlir::Value target);

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_CUTETOLLVM_PRODUCTS_H
