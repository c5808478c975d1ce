//===- F2Basis.h - Gaussian elimination over GF(2), one vector at a time ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A vector over GF(2) is a 64-bit word, addition is XOR. F2Basis collects vectors and answers: is
// this one a sum of those before it, and of which? Vectors are numbered by insertion, up to 64 of
// them. A vector that depends on earlier ones takes a number but is never used in an answer, so
// answers prefer the vectors inserted first; read as a binary number (insertion 0 = least
// significant bit), the answer is the smallest there is.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_F2BASIS_H
#define TILEIRAS_SUPPORT_F2BASIS_H

#include <bit>
#include <cassert>
#include <cstdint>
#include <optional>
#include <vector>

namespace tileiras {

class F2Basis {
public:
  F2Basis() = default;
  explicit F2Basis(const std::vector<uint64_t> &vectors) {
    for (uint64_t v : vectors)
      insert(v);
  }

  /// Adds a vector; true if it was independent of those already there.
  bool insert(uint64_t v) {
    assert(inserted < 64 && "combinations are 64-bit masks");
    uint64_t combination = uint64_t(1) << inserted++;
    reduce(v, combination);
    if (v == 0)
      return false;
    rows.push_back({v, combination});
    return true;
  }

  /// Which inserted vectors sum to `v`; nothing if none do.
  std::optional<uint64_t> solve(uint64_t v) const {
    uint64_t combination = 0;
    reduce(v, combination);
    if (v != 0)
      return std::nullopt;
    return combination;
  }

  bool contains(uint64_t v) const { return solve(v).has_value(); }
  int rank() const { return int(rows.size()); }
  int size() const { return inserted; }

private:
  struct Row {
    uint64_t vector; ///< its highest set bit is in no later row
    uint64_t combination;
  };

  void reduce(uint64_t &v, uint64_t &combination) const {
    for (const Row &row : rows) {
      if (v & std::bit_floor(row.vector)) {
        v ^= row.vector;
        combination ^= row.combination;
      }
    }
  }

  std::vector<Row> rows;
  int inserted = 0;
};

/// A basis of span(a) ∩ span(b). The zero-sum pairs (x in a, y in b, x = y) are what b's vectors
/// reduce to.
inline std::vector<uint64_t> intersectSpans(const std::vector<uint64_t> &a, const std::vector<uint64_t> &b) {
  std::vector<uint64_t> independent;
  F2Basis basis;
  for (uint64_t v : a)
    if (!basis.contains(v)) {
      basis.insert(v);
      independent.push_back(v);
    }
  size_t numA = independent.size();
  std::vector<uint64_t> result;
  F2Basis found;
  for (uint64_t v : b) {
    if (std::optional<uint64_t> c = basis.solve(v)) {
      uint64_t inA = 0;
      for (size_t i = 0; i < numA; ++i)
        if ((*c >> i) & 1)
          inA ^= independent[i];
      if (!found.contains(inA)) {
        found.insert(inA);
        result.push_back(inA);
      }
    } else {
      basis.insert(v);
    }
  }
  return result;
}

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_F2BASIS_H
