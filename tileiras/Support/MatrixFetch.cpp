//===- MatrixFetch.cpp - Fragments by ldmatrix ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/MatrixFetch.h"
#include "tileiras/Support/F2Basis.h"
#include "tileiras/Support/LayoutBuilders.h"

#include <algorithm>
#include <bit>

namespace tileiras {

static int32_t gather(int32_t value, const std::vector<int> &bits) {
  int32_t result = 0;
  for (size_t i = 0; i < bits.size(); ++i)
    result |= ((value >> bits[i]) & 1) << i;
  return result;
}

static int32_t scatter(int32_t value, const std::vector<int> &bits) {
  int32_t result = 0;
  for (size_t i = 0; i < bits.size(); ++i)
    result |= ((value >> i) & 1) << bits[i];
  return result;
}

int MatrixFetch::instructionOf(int32_t r) const { return gather(r, otherBits); }
int MatrixFetch::matrixOf(int32_t r) const { return gather(r, matrixBits); }
int32_t MatrixFetch::registerOf(int instruction, int matrix, int i) const {
  return scatter(instruction, otherBits) | scatter(matrix, matrixBits) | i;
}

bool MatrixFetch::readsFrom(const LinearLayout &offsets) const {
  uint64_t inside = (uint64_t(1) << rowBits) - 1;
  for (DimName in : {kRegister, kLane, kWarp, kBlock})
    for (int bit = 0; bit < offsets.inBits(in); ++bit) {
      uint64_t low = offsets.flatBasis(in, bit) & inside;
      bool element = in == kRegister && bit < rowBits;
      if (element ? offsets.flatBasis(in, bit) != uint64_t(1) << bit : low != 0)
        return false;
    }
  return true;
}

std::optional<MatrixFetch> matrixFetch(const LinearLayout &fragments, int elementBytes, bool transposed,
                                       const std::vector<int> &order) {
  bool known = elementBytes == 1 || elementBytes == 2 || (elementBytes == 4 && !transposed);
  if (!known || fragments.inBits(kLane) != 5)
    return std::nullopt;
  MatrixFetch fetch;
  fetch.transposed = transposed;
  fetch.wordBits = std::countr_zero(unsigned(4 / elementBytes));
  if (fragments.inBits(kRegister) < fetch.wordBits)
    return std::nullopt;
  std::vector<uint64_t> registers = fragments.flatBases(kRegister), lanes = fragments.flatBases(kLane);
  // What goes on inside a word, and from lane to lane of four.
  std::vector<uint64_t> quad(registers.begin(), registers.begin() + fetch.wordBits);
  quad.insert(quad.end(), lanes.begin(), lanes.begin() + 2);
  std::vector<uint64_t> groups(lanes.begin() + 2, lanes.end());
  std::vector<uint64_t> content = transposed ? groups : quad, select = transposed ? quad : groups;
  if (transposed && elementBytes == 1) {
    std::vector<int32_t> next = fragments.basis(kLane, 4);
    for (int32_t &coordinate : next)
      coordinate *= 2;
    for (int bit = fetch.wordBits; bit < fragments.inBits(kRegister) && fetch.matrixBits.empty(); ++bit)
      if (fragments.basis(kRegister, bit) == next)
        fetch.matrixBits.push_back(bit);
    if (fetch.matrixBits.empty())
      return std::nullopt; // rows of 8 bytes
    content.push_back(registers[fetch.matrixBits.front()]);
  }
  std::vector<int> inRows = fetch.matrixBits;
  F2Basis independent;
  for (uint64_t v : content)
    if (!independent.insert(v))
      return std::nullopt; // lanes that hold copies: a row would be shorter than 16 bytes
  fetch.rowBits = int(content.size());

  for (int bit : order)
    if (fetch.matrixBits.size() < 2 && bit >= fetch.wordBits && bit < fragments.inBits(kRegister) &&
        std::find(inRows.begin(), inRows.end(), bit) == inRows.end())
      fetch.matrixBits.push_back(bit);
  for (int bit = fetch.wordBits; bit < fragments.inBits(kRegister); ++bit)
    if (std::find(fetch.matrixBits.begin(), fetch.matrixBits.end(), bit) == fetch.matrixBits.end())
      fetch.otherBits.push_back(bit);

  for (int bit : fetch.otherBits)
    content.push_back(registers[bit]);
  for (int bit : fetch.matrixBits)
    if (std::find(inRows.begin(), inRows.end(), bit) == inRows.end())
      select.push_back(registers[bit]);
  select.resize(5);
  LinearLayout none = fragments.sublayout({}, fragments.outNames());
  fetch.rows = none.extendIn(kRegister, content)
                   .extendIn(kLane, select)
                   .extendIn(kWarp, fragments.flatBases(kWarp))
                   .extendIn(kBlock, fragments.flatBases(kBlock));
  return fetch;
}

/// Whether the plan's loads can be ldmatrix.
static bool suits(const SharedPlan &plan, const MatrixFetch &fetch) {
  if (plan.load.vectorBits != fetch.rowBits || plan.load.wavefronts > plan.load.idealWavefronts)
    return false;
  // The planner may swizzle with bits inside a row, where that spares the writes conflicts.
  std::optional<LinearLayout> offsets = fetch.rows.invertAndCompose(plan.memory);
  return offsets && fetch.readsFrom(offsets->sublayout(offsets->inNames(), {kOffset}));
}

std::optional<SharedPlan> planMatrixFetch(const LinearLayout &src, const MatrixFetch &fetch, int elementBytes) {
  std::vector<uint64_t> row = fetch.rows.flatBases(kRegister);
  row.resize(fetch.rowBits);
  std::optional<SharedPlan> plan = planSharedConvert(src, fetch.rows, elementBytes, 16, nullptr, row);
  return plan && suits(*plan, fetch) ? plan : std::nullopt;
}

std::optional<SharedPlan> planMatrixStore(const MatrixFetch &rows, const LinearLayout &dst, int elementBytes) {
  std::vector<uint64_t> row = rows.rows.flatBases(kRegister);
  row.resize(rows.rowBits);
  std::optional<SharedPlan> plan = planSharedConvert(rows.rows, dst, elementBytes, 16, nullptr, row);
  if (!plan || plan->store.vectorBits != rows.rowBits || plan->store.wavefronts > plan->store.idealWavefronts)
    return std::nullopt;
  std::optional<LinearLayout> offsets = rows.rows.invertAndCompose(plan->memory);
  return offsets && rows.readsFrom(offsets->sublayout(offsets->inNames(), {kOffset})) ? plan : std::nullopt;
}

std::optional<SharedPlan> planMatrixFetchThrough(const LinearLayout &memory, const LinearLayout &src,
                                                 const MatrixFetch &fetch, int elementBytes) {
  std::optional<SharedPlan> plan = planSharedThrough(memory, src, fetch.rows, elementBytes);
  return plan && suits(*plan, fetch) ? plan : std::nullopt;
}

std::optional<SharedPlan> planMatrixFetchOfTma(const LinearLayout &src, const MatrixFetch &fetch, int elementBytes,
                                               int dense) {
  std::vector<int32_t> shape = src.shape(), order = {dense};
  for (int d = int(shape.size()) - 1; d >= 0; --d)
    if (d != dense)
      order.push_back(d);
  int32_t width = std::min(shape[dense] * elementBytes, 128);
  if (width < 32 || src.inBits(kBlock) != 0)
    return std::nullopt;
  LinearLayout memory = sharedLayout(shape, order, Swizzle::hardware(width, elementBytes), width / elementBytes);
  return planMatrixFetchThrough(memory, src, fetch, elementBytes);
}

} // namespace tileiras
