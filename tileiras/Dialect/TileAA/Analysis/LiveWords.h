//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How much of a kernel's tiles is alive at once: an estimate of what the register file of one block has to hold, in
// 32-bit words. Structured control flow only, no layouts: it is asked before there are any, to choose the number of
// warps, the occupancy, and whether tiles have to be sliced.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_ANALYSIS_LIVEWORDS_H
#define TILEIRAS_DIALECT_TILEAA_ANALYSIS_LIVEWORDS_H

#include "mlir/IR/Operation.h"

namespace mlir::nv_tileaa {

/// Words that `elements` elements of a type take in all threads together. Elements of 16 bits and less are pairs where
/// matrix products use them (`packed`), else one to a register; predicates are recomputed.
int64_t wordsOf(int64_t elements, Type element, bool packed);

/// The largest sum of `words` over values that are alive together, anywhere in `region`. `words` of a value is 0 where
/// it is computed again when needed; `during` of an operation is what it takes beside them while it is done.
int64_t peakLiveWords(
    Region &region, function_ref<int64_t(Value)> words,
    function_ref<int64_t(Operation *)> during = [](Operation *) -> int64_t { return 0; });

/// How matrix products of a kernel take their operands.
enum class Products {
  None,
  Direct, ///< as they are in memory
  Widened ///< some are 8-bit floats, and multiplied as f16
};

/// Words of tiles that a block of `warps` warps can hold when `blocks` of them share a multiprocessor with `registers`
/// registers of which a thread has at most `perThread`. Addresses, loop counters and the fragments of matrix products
/// have their registers, too.
int64_t roomForTiles(int64_t warps, int64_t blocks, Products products, int64_t registers = 65536,
                     int64_t perThread = 255);

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_ANALYSIS_LIVEWORDS_H
