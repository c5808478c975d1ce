//===- DotLayouts.cpp - Who holds what in a matrix product ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/DotLayouts.h"
#include "tileiras/Support/LinearLayout.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <tuple>

namespace tileiras {

namespace {

/// Collects bases. Coordinates that do not exist in the tile give zero bases: copies.
class Bases {
public:
  explicit Bases(std::vector<int32_t> shape) : shape(std::move(shape)) {}

  using List = std::vector<std::vector<int32_t>>;
  List registers, lanes, warps;

  /// `count` positions along `dim`, `stride` apart. No dimension: copies.
  void add(List &list, int dim, int32_t stride, int32_t count) const {
    for (int32_t i = 1; i < count; i *= 2) {
      std::vector<int32_t> basis(shape.size());
      if (dim >= 0 && int64_t(stride) * i < shape[dim])
        basis[dim] = stride * i;
      list.push_back(std::move(basis));
    }
  }

  LinearLayout layout() && {
    return LinearLayout(
        {{kRegister, std::move(registers)}, {kLane, std::move(lanes)}, {kWarp, std::move(warps)}, {kBlock, {}}}, shape);
  }

private:
  std::vector<int32_t> shape;
};

int32_t passes(int32_t extent, int32_t covered) { return std::max(1, extent / covered); }

/// Elements of one 32-bit register; an f64 has a register of its own.
int32_t perRegister(const DotTiling &t) { return std::max(1, 32 / t.elementBits); }

/// Dimensions of an operand's tile; -1 where it has none.
struct Dims {
  int batch = -1, m = -1, n = -1, k = -1;
  std::vector<int32_t> shape;
};

Dims dimsOf(const DotShape &shape, DotOperand operand, int32_t scaleBlock) {
  Dims d;
  int next = 0;
  auto take = [&](int &dim, int32_t extent) {
    dim = next++;
    d.shape.push_back(extent);
  };
  if (shape.batched)
    take(d.batch, shape.batch);
  if (operand != DotOperand::B)
    take(d.m, shape.m);
  if (operand == DotOperand::B)
    take(d.k, shape.k / scaleBlock);
  if (operand != DotOperand::A)
    take(d.n, shape.n);
  if (operand == DotOperand::A)
    take(d.k, shape.k / scaleBlock);
  return d;
}

/// `block` neighbours along k share one coordinate (block 1: an operand, more: its scales).
LinearLayout build(const DotTiling &t, const DotShape &shape, DotOperand operand, int32_t block) {
  assert(t.whyNot(shape).empty() && "the tiling does not fit");
  Dims d = dimsOf(shape, operand, block);
  Bases b(d.shape);
  auto alongK = [&](Bases::List &list, int32_t stride, int32_t count) {
    for (int32_t i = 1; i < count; i *= 2)
      stride *i < block ? b.add(list, -1, 1, 2) : b.add(list, d.k, stride * i / block, 2);
  };
  bool hasM = d.m >= 0, hasN = d.n >= 0, hasK = d.k >= 0;

  if (t.usesInstruction()) {
    int32_t w = perRegister(t), half = t.m == 16 ? 2 : 1;
    if (operand == DotOperand::C) {
      b.add(b.registers, d.n, 1, 2);
      b.add(b.registers, d.m, 8, half);
      b.add(b.lanes, d.n, 2, 4);
      b.add(b.lanes, d.m, 1, 8);
    } else {
      alongK(b.registers, 1, w);
      if (hasM)
        b.add(b.registers, d.m, 8, half);
      alongK(b.registers, 4 * w, t.k / (4 * w));
      alongK(b.lanes, w, 4);
      b.add(b.lanes, hasM ? d.m : d.n, 1, 8);
    }
  } else {
    if (hasN)
      b.add(b.registers, d.n, 1, t.n);
    if (hasM)
      b.add(b.registers, d.m, 1, t.m);
    b.add(b.lanes, d.n, t.n, t.lanesN);
    b.add(b.lanes, d.m, t.m, t.lanesM);
  }

  // 16 neighbouring columns of 8-bit elements in one warp: a row of ldmatrix's transposed matrices (MatrixFetch.h).
  int32_t pair = t.usesInstruction() && t.elementBits == 8 && t.passesN(shape) > 1 ? 2 : 1;
  b.add(b.warps, d.n, pair * t.warpColumns(), t.warpsN);
  b.add(b.warps, d.m, t.warpRows(), t.warpsM);
  b.add(b.warps, d.batch, 1, t.warpsBatch);

  if (hasK)
    alongK(b.registers, t.k, t.stepsK(shape));
  if (hasN) {
    b.add(b.registers, d.n, t.warpColumns(), pair);
    b.add(b.registers, d.n, pair * t.warpColumns() * t.warpsN, t.passesN(shape) / pair);
  }
  if (hasM)
    b.add(b.registers, d.m, t.warpRows() * t.warpsM, t.passesM(shape));
  b.add(b.registers, d.batch, t.warpsBatch, t.passesBatch(shape));
  return std::move(b).layout();
}

} // namespace

int32_t DotTiling::fragmentSize(DotOperand operand) const {
  if (usesInstruction())
    return (operand == DotOperand::A ? m * k : operand == DotOperand::B ? k * n : m * n) / 32;
  return operand == DotOperand::A ? m : operand == DotOperand::B ? n : m * n;
}

int32_t DotTiling::passesM(const DotShape &s) const { return passes(s.m, warpRows() * warpsM); }
int32_t DotTiling::passesN(const DotShape &s) const { return passes(s.n, warpColumns() * warpsN); }
int32_t DotTiling::passesBatch(const DotShape &s) const { return passes(s.batch, warpsBatch); }

std::string DotTiling::whyNot(const DotShape &s) const {
  for (int32_t v : {m, n, k, warpsBatch, warpsM, warpsN, s.batch, s.m, s.n, s.k})
    if (v <= 0 || !std::has_single_bit(uint32_t(v)))
      return "expects powers of two, got " + std::to_string(v);
  if (usesInstruction()) {
    if (lanesN != 0 || (m != 16 && m != 8) || n != 8)
      return "expects fragments of 8 or 16 rows and 8 columns";
    if (elementBits != 4 && elementBits != 8 && elementBits != 16 && elementBits != 32 && elementBits != 64)
      return "expects elements of 4, 8, 16, 32 or 64 bits";
    if (k < 4 * perRegister(*this))
      return "expects a k of at least " + std::to_string(4 * perRegister(*this));
  } else if (k != 1 || lanesN <= 0 || lanesM * lanesN != 32) {
    return "expects 32 lanes and a k of 1";
  }
  if (s.k < k)
    return "expects K to be at least " + std::to_string(k) + ", got " + std::to_string(s.k);
  return {};
}

LinearLayout dotLayout(const DotTiling &tiling, const DotShape &shape, DotOperand operand) {
  return build(tiling, shape, operand, 1);
}

LinearLayout dotScaleLayout(const DotTiling &tiling, const DotShape &shape, DotOperand operand, int32_t block) {
  assert(operand != DotOperand::C && "only operands have scales");
  return build(tiling, shape, operand, block);
}

std::pair<int32_t, int32_t> distributeWarps(const DotTiling &t, const DotShape &s, int32_t warps, bool rowsOnly) {
  int32_t m = 1, n = 1;
  while (m * n < warps) {
    int32_t rows = s.m / m, columns = s.n / n; // what is left for each warp
    bool canM = rows > t.warpRows(), canN = columns > t.warpColumns();
    if (canM && (rowsOnly || !canN || rows >= columns))
      m *= 2;
    else
      n *= 2;
  }
  return {m, n};
}

DotTiling multiplyAddTiling(const DotShape &s, int32_t elementBits, int32_t warps) {
  DotTiling t;
  t.elementBits = elementBits;
  t.k = 1;
  t.warpsBatch = std::min(warps, s.batch);
  // Results of one product of a batch: larger boxes would leave lanes without work.
  int64_t perThread = std::max<int64_t>(1, int64_t(s.m) * s.n / (32 * int64_t(warps / t.warpsBatch)));
  t.n = int32_t(std::min<int64_t>({4, s.n, perThread}));
  t.m = int32_t(std::min<int64_t>({4, s.m, std::max<int64_t>(1, perThread / t.n)}));
  // A warp covers about a square, unless the tile has no room for it.
  int32_t roomN = std::max(1, s.n / t.n), roomM = std::max(1, s.m / t.m);
  t.lanesN = std::min(8, roomN);
  t.lanesM = std::min(32 / t.lanesN, roomM);
  t.lanesN = std::min(32 / t.lanesM, roomN);
  t.lanesM = 32 / t.lanesN; // what is left over computes copies
  std::tie(t.warpsM, t.warpsN) = distributeWarps(t, s, warps / t.warpsBatch, false);
  return t;
}

} // namespace tileiras
