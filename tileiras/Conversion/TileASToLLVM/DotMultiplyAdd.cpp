//===- DotMultiplyAdd.cpp - Products by multiply-adds of every thread -----===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/DotProduct.h"

using namespace mlir;
using namespace mlir::tilellvm;

namespace {

class MultiplyAddProduct : public DotProduct {
public:
  using DotProduct::DotProduct;

private:
  /// Column index in the low bits of a result's number, as in dotLayout.
  void multiply(ArrayRef<Value> rows, ArrayRef<Value> columns, MutableArrayRef<Value> part) override {
    for (size_t m = 0; m < rows.size(); ++m)
      for (size_t n = 0; n < columns.size(); ++n) {
        Value &s = part[m * columns.size() + n];
        s = isa<IntegerType>(sum) ? e.add(e.mul(rows[m], columns[n]), s)
                                  : LLVM::FMAOp::create(e.b, e.loc, rows[m], columns[n], s).getResult();
      }
  }
};

} // namespace

FailureOr<Value> tilellvm::multiplyByThreads(Emitter &e, nv_tileas::DotOp op, nv_tileas::DotOp::Adaptor adaptor,
                                             const TileLLVMTypeConverter &types) {
  return MultiplyAddProduct(e, op, adaptor, types).run();
}
