//===- AsyncTokens.h - Tokens of asynchronous operations --------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_ASYNCTOKENS_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_ASYNCTOKENS_H

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"

namespace mlir::tilellvm {

/// create_none, async.to_async, async.mbarrier_init.
void populateAsyncTokenPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_ASYNCTOKENS_H
