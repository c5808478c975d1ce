//===- DotProduct.h - The loops around one instruction ----------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The layouts of a product's operands say which register holds what (DotLayouts.h), and their bits stand in the order
// fragment, K, N or M, batch; so a product is four loops around one instruction. K is the outer of the inner loops: the
// fragments of one step are fetched, used for all results, and dead. Operands in shared memory are fetched only then.
//
// A family of atoms whose operands and sums end up in registers is a subclass that says how two fragments are
// multiplied. Families that read shared memory themselves have nothing of this and are classes of their own.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_DOTPRODUCT_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_DOTPRODUCT_H

#include "tileiras/Conversion/TileASToLLVM/DotOperand.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"

namespace mlir::tilellvm {

class DotProduct {
public:
  DotProduct(Emitter &e, nv_tileas::DotOp op, nv_tileas::DotOp::Adaptor adaptor, const TileLLVMTypeConverter &types);
  virtual ~DotProduct() = default;

  /// The converted result; fails with a diagnostic.
  FailureOr<Value> run();

protected:
  /// Fails with a diagnostic if the target of the family has no such instruction.
  virtual LogicalResult check() { return success(); }
  /// The elements of a fragment as the instruction takes them.
  virtual SmallVector<Value> pack(ArrayRef<Value> elements) { return SmallVector<Value>(elements); }
  /// part += rows x columns, for one fragment of each.
  virtual void multiply(ArrayRef<Value> rows, ArrayRef<Value> columns, MutableArrayRef<Value> part) = 0;

  Emitter &e;
  nv_tileas::DotOp op;
  nv_tileas::DotOp::Adaptor adaptor;
  const TileLLVMTypeConverter &types;
  nv_tileas::MmaAtomAttrInterface atom;
  tileiras::DotTiling tiling;
  tileiras::DotShape shape;
  Type factor, sum, resultElement; ///< what is multiplied, what is added up, and what the result holds
  bool signedA = true, signedB = true;
  /// The instruction multiplies by scales itself: what `multiply` gets ends in a word of them for rows and columns.
  bool scalesApart = false;

private:
  LogicalResult readOperands();
  Value fetch(bool isA, unsigned r);
  SmallVector<Value> fragment(bool isA, int32_t pass, int32_t batch, int32_t k);
  /// The register of the first element of a fragment.
  int32_t firstOf(bool isA, int32_t pass, int32_t batch, int32_t k) const;
  Value scalesOf(bool isA, int32_t pass, int32_t batch, int32_t k);
  void takeSigns(MutableArrayRef<Value> words, bool isA, int32_t first);
  LogicalResult step(int32_t batch, int32_t k);
  FailureOr<Value> writeResult();

  DotOperandTile a, b, c, scaleA, scaleB;
  LinearLayout layoutC;
  SmallVector<Value> sums;
};

/// A product by tcgen05.mma; its result is where c is, in tensor memory.
FailureOr<Value> multiplyInTensorMemory(Emitter &e, nv_tileas::DotOp op, nv_tileas::DotOp::Adaptor adaptor);
/// A product by mma.sync, multiply-adds or wgmma, as its atom says.
FailureOr<Value> multiplyBySync(Emitter &e, nv_tileas::DotOp op, nv_tileas::DotOp::Adaptor adaptor,
                                const TileLLVMTypeConverter &types);
FailureOr<Value> multiplyByThreads(Emitter &e, nv_tileas::DotOp op, nv_tileas::DotOp::Adaptor adaptor,
                                   const TileLLVMTypeConverter &types);
FailureOr<Value> multiplyByWarpgroups(Emitter &e, nv_tileas::DotOp op, nv_tileas::DotOp::Adaptor adaptor,
                                      const TileLLVMTypeConverter &types);

/// Products that go on by themselves, and the waits for them.
void populateAsyncDotPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_DOTPRODUCT_H
