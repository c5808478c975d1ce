//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/Analysis/LiveWords.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>

using namespace mlir;

int64_t nv_tileaa::wordsOf(int64_t elements, Type element, bool packed) {
  if (!element.isIntOrFloat())
    return 2 * elements; // pointers
  unsigned bits = element.getIntOrFloatBitWidth();
  if (bits == 1)
    return 0;
  return bits <= 16 && packed ? elements / 2 : elements * ((bits + 31) / 32);
}

/// The only block of an operation that is gone through once, null of others.
static Block *getBlockOnce(Operation *op) {
  return op->getNumRegions() == 1 && op->getRegion(0).hasOneBlock() && !isa<LoopLikeOpInterface>(op)
             ? &op->getRegion(0).front()
             : nullptr;
}

/// Of one block, without what is defined outside of it but `handed`, which nobody has afterwards.
static int64_t peakOfBlock(Block &block, function_ref<int64_t(Value)> words, function_ref<int64_t(Operation *)> during,
                           const DenseSet<Value> &handed = {}) {
  DenseMap<Value, Operation *> last;
  for (Operation &op : block)
    op.walk([&](Operation *inner) {
      for (Value v : inner->getOperands())
        if (v.getParentBlock() == &block || handed.contains(v))
          last[v] = &op;
    });
  int64_t live = 0, peak = 0;
  for (Value v : block.getArguments())
    if (last.contains(v))
      live += words(v);
  for (Value v : handed)
    live += words(v);
  for (Operation &op : block) {
    int64_t dying = 0, passed = 0, made = 0, inside = 0;
    DenseSet<Value> seen, within;
    for (Value v : op.getOperands())
      if (auto it = last.find(v); it != last.end() && it->second == &op && seen.insert(v).second)
        passed += words(v);
    op.walk([&](Operation *inner) {
      for (Value v : inner->getOperands())
        if (auto it = last.find(v); it != last.end() && it->second == &op && seen.insert(v).second) {
          dying += words(v);
          within.insert(v);
        }
    });
    Block *once = getBlockOnce(&op);
    int64_t before = live - (once ? dying : isa<LoopLikeOpInterface>(op) ? passed : 0);
    dying += passed;
    for (Value v : op.getResults())
      if (!v.use_empty())
        made += words(v);
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        inside = std::max(inside, peakOfBlock(inner, words, during, once ? within : DenseSet<Value>()));
    // What a loop is started with becomes its arguments, and what a block that is gone through once has last ends
    // there. Everything else works element by element, or sums in place.
    if (op.getNumRegions() != 0)
      peak = std::max(peak, before + inside);
    live += made - dying;
    peak = std::max({peak, live + during(&op), live - made + dying});
  }
  return peak;
}

int64_t nv_tileaa::peakLiveWords(Region &region, function_ref<int64_t(Value)> words,
                                 function_ref<int64_t(Operation *)> during) {
  int64_t peak = 0;
  for (Block &block : region)
    peak = std::max(peak, peakOfBlock(block, words, during));
  return peak;
}

int64_t nv_tileaa::roomForTiles(int64_t warps, int64_t blocks, Products products, int64_t registers,
                                int64_t perThread) {
  int64_t threads = 32 * warps;
  int64_t limit = std::min(perThread, registers / (threads * std::max<int64_t>(blocks, 1)) / 8 * 8);
  // Measured on the corpus: what ptxas needs beside the tiles (docs/spills.md).
  int64_t others = products == Products::None ? 32 : products == Products::Direct ? 72 : 128;
  // 1,024 threads also read a part of every warp's to finish a reduction.
  if (products == Products::None && limit <= 64)
    others = 48;
  return threads * std::max<int64_t>(limit - others, 8);
}
