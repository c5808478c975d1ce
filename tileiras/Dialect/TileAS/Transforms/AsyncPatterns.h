//===- AsyncPatterns.h - Waits and slices of what is under way --*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ASYNCPATTERNS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ASYNCPATTERNS_H

namespace mlir {
class Operation;
class RewritePatternSet;
namespace nv_tileas {

/// Takes waits for what has been waited for out of a function, and has slices of asynchronous tiles carry their tokens:
/// the patterns AsyncWaitOpRemoval and ExtractSliceOpToAsync, with those of populateSliceFolds. Touches nothing else.
void simplifyAsync(Operation *func);

/// Slices of constants, of equal elements, and of tiles that were put together.
void populateSliceFolds(RewritePatternSet &patterns);

} // namespace nv_tileas
} // namespace mlir

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ASYNCPATTERNS_H
