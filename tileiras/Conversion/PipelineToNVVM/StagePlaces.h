//===- StagePlaces.h - Which stage an iterator is at ------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Iterators move on by one stage a time, so where a loop carries one, its stage is known relative to the number of the
// iteration. (Where one moves on by a count nothing is known.) Two that a loop carries side by side count the same
// thing twice; where one is a whole round ahead of the other, it is at the same stage with the other parity, and need
// not be counted. Where iterators are the number of the filling, any other one is that number and a constant.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_PIPELINETONVVM_STAGEPLACES_H
#define TILEIRAS_CONVERSION_PIPELINETONVVM_STAGEPLACES_H

#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

namespace tileiras {

/// The number of a stage's filling, counted from the first: `offset`, plus the number of the iteration inside of
/// `loop`, or plus how many iterations it had, behind it.
struct StagePlace {
  mlir::Operation *loop = nullptr;
  bool behind = false;
  int64_t offset = 0;

  bool operator==(const StagePlace &other) const {
    return loop == other.loop && behind == other.behind && offset == other.offset;
  }
};

/// Of an iterator; nothing if it is not known.
std::optional<StagePlace> placeOfIterator(mlir::Value iterator);
/// Of the token of a producer or consumer.
std::optional<StagePlace> placeOfToken(mlir::Value token);

/// Whether iterators of a ring are the number of the filling: of so many stages.
inline bool countsFillings(int64_t stages) { return stages > 1 && llvm::isPowerOf2_64(stages); }

/// In the loops of `func`, iterators that are a round behind another one's next stage are taken from that one
/// (kWholeRoundAttr), or so many stages behind it, where they are counted, and tokens that are not there yet say of
/// which ring they are (kBeforeFirstAttr).
void mergeIterators(mlir::Operation *func);

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_PIPELINETONVVM_STAGEPLACES_H
