//===- RandomLayouts.h - Seeded random layouts for property tests -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_UNITTESTS_SUPPORT_RANDOMLAYOUTS_H
#define TILEIRAS_UNITTESTS_SUPPORT_RANDOMLAYOUTS_H

#include "tileiras/Support/F2Basis.h"
#include "tileiras/Support/LinearLayout.h"

#include <algorithm>
#include <random>

namespace tileiras {

struct Random {
  std::mt19937_64 engine;
  explicit Random(uint64_t seed) : engine(seed) {}
  /// Uniform in [0, n).
  int below(int n) { return int(engine() % uint64_t(n)); }
  bool chance(int percent) { return below(100) < percent; }
  uint64_t bits(int n) { return n == 0 ? 0 : engine() >> (64 - n); }
};

/// Splits `bits` over `parts` extents at random.
inline std::vector<int32_t> randomShape(Random &rng, int bits, int parts) {
  std::vector<int32_t> shape(parts, 1);
  for (int i = 0; i < bits; ++i)
    shape[rng.below(parts)] *= 2;
  return shape;
}

enum class BasisKind {
  UnitPermutation, ///< every nonzero basis one bit: what blocked and mma layouts look like
  Invertible,      ///< a random invertible matrix
};

/// A surjective layout from the named inputs (with bit counts) onto `shape`. `extraZero` input bits
/// become redundant: zero, or with `dependent` a random sum of the others. The number of input bits
/// must be at least that of the tile.
inline LinearLayout randomSurjective(Random &rng, const std::vector<std::pair<DimName, int>> &ins,
                                     const std::vector<int32_t> &shape, BasisKind kind, bool dependent) {
  LinearLayout result({}, shape);
  int outBits = result.totalOutBits(), inBits = 0;
  for (const auto &[name, bits] : ins)
    inBits += bits;
  std::vector<uint64_t> bases;
  if (kind == BasisKind::UnitPermutation) {
    for (int i = 0; i < outBits; ++i)
      bases.push_back(uint64_t(1) << i);
  } else {
    F2Basis span;
    while (int(bases.size()) < outBits)
      if (uint64_t v = rng.bits(outBits); !span.contains(v)) {
        span.insert(v);
        bases.push_back(v);
      }
  }
  while (int(bases.size()) < inBits)
    bases.push_back(dependent ? rng.bits(outBits) : 0);
  std::shuffle(bases.begin(), bases.end(), rng.engine);
  size_t next = 0;
  for (const auto &[name, bits] : ins) {
    result = result.extendIn(name, {bases.begin() + next, bases.begin() + next + bits});
    next += bits;
  }
  return result;
}

/// Any linear map whatsoever.
inline LinearLayout randomAny(Random &rng, const std::vector<std::pair<DimName, int>> &ins,
                              const std::vector<int32_t> &shape) {
  LinearLayout result({}, shape);
  for (const auto &[name, bits] : ins) {
    std::vector<uint64_t> bases;
    for (int i = 0; i < bits; ++i)
      bases.push_back(rng.chance(20) ? 0 : rng.bits(result.totalOutBits()));
    result = result.extendIn(name, bases);
  }
  return result;
}

} // namespace tileiras

#endif // TILEIRAS_UNITTESTS_SUPPORT_RANDOMLAYOUTS_H
