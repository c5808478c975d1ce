//===- Matrix.cpp - Matrix products ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Reference/Evaluator.h"

#include <bit>
#include <cmath>

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace tileiras;
using namespace tileiras::reference;

namespace {

/// [batch,] m x k times [batch,] k x n.
struct Extents {
  int64_t batch = 1, m, n, k;
  Extents(const Tile &lhs, const Tile &rhs) {
    size_t rank = lhs.shape.size();
    if (rank == 3)
      batch = lhs.shape[0];
    m = lhs.shape[rank - 2];
    k = lhs.shape[rank - 1];
    n = rhs.shape[rank - 1];
  }
};

/// acc[m][n] += lhs[m][k] * rhs[k][n] for one batch, k ascending, `step(a, b, acc)` being one
/// multiply-add. The loop over n is innermost so that rows are walked in memory order; the order
/// of the additions of one element is the same.
template <typename In, typename Acc, typename Step>
void multiply(const Extents &x, const In *lhs, const In *rhs, Acc *acc, Step step) {
  for (int64_t m = 0; m < x.m; ++m)
    for (int64_t k = 0; k < x.k; ++k) {
      In a = lhs[m * x.k + k];
      for (int64_t n = 0; n < x.n; ++n)
        acc[m * x.n + n] = step(a, rhs[k * x.n + n], acc[m * x.n + n]);
    }
}

template <typename T> std::vector<T> decodeAll(const Tile &tile) {
  std::vector<T> values(tile.data.size());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = T(decodeFloat(tile.type, tile.data[i]));
  return values;
}

template <typename T> Tile product(const Tile &lhs, const Tile &rhs, const Tile &acc) {
  Extents x(lhs, rhs);
  std::vector<T> a = decodeAll<T>(lhs), b = decodeAll<T>(rhs), c = decodeAll<T>(acc);
  for (int64_t i = 0; i < x.batch; ++i)
    multiply(x, a.data() + i * x.m * x.k, b.data() + i * x.k * x.n, c.data() + i * x.m * x.n,
             [](T p, T q, T r) { return std::fma(p, q, r); });
  Tile result(acc.type, acc.shape);
  for (size_t i = 0; i < c.size(); ++i)
    result.data[i] = encodeFloat(acc.type, double(c[i]));
  return result;
}

void multiplyFloats(Evaluator &e, MmaFOp op) {
  const Tile &lhs = e.tile(op.getLhs()), &rhs = e.tile(op.getRhs()), &acc = e.tile(op.getAcc());
  // Every operand type but f64 is exact in binary32, and an f16 accumulator is kept in it.
  e.set(op.getResult(), lhs.type == DType::F64 ? product<double>(lhs, rhs, acc) : product<float>(lhs, rhs, acc));
}

void multiplyIntegers(Evaluator &e, MmaIOp op) {
  const Tile &lhs = e.tile(op.getLhs()), &rhs = e.tile(op.getRhs());
  Extents x(lhs, rhs);
  auto read = [](const Tile &tile, Signedness sign) {
    std::vector<int32_t> values(tile.data.size());
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = int32_t(sign == Signedness::Signed ? tile.asSigned(int64_t(i)) : int64_t(tile.data[i]));
    return values;
  };
  std::vector<int32_t> a = read(lhs, op.getSignednessLhs()), b = read(rhs, op.getSignednessRhs());
  Tile result = e.tile(op.getAcc());
  for (int64_t i = 0; i < x.batch; ++i)
    multiply(x, a.data() + i * x.m * x.k, b.data() + i * x.k * x.n, result.data.data() + i * x.m * x.n,
             [](int32_t p, int32_t q, uint64_t r) {
               return maskBits(r + uint64_t(int64_t(p) * q), 32); // wraps
             });
  e.set(op.getResult(), std::move(result));
}

/// lhs and rhs elements are multiplied by the scale of their block along k first. The scaled
/// operands are exact in double; each product is added in binary64 and rounded to binary32.
void multiplyScaled(Evaluator &e, MmaFScaledOp op) {
  const Tile &lhs = e.tile(op.getLhs()), &rhs = e.tile(op.getRhs()), &acc = e.tile(op.getAcc());
  const Tile &lhsScale = e.tile(op.getLhsScale()), &rhsScale = e.tile(op.getRhsScale());
  Extents x(lhs, rhs);
  int64_t scalesAlongK = lhsScale.shape.back();
  int64_t block = x.k / scalesAlongK;
  std::vector<double> a = decodeAll<double>(lhs), b = decodeAll<double>(rhs);
  std::vector<double> sa = decodeAll<double>(lhsScale), sb = decodeAll<double>(rhsScale);
  for (size_t i = 0; i < a.size(); ++i) { // lhs [b, m, k], its scales [b, m, k / block]
    int64_t row = int64_t(i) / x.k, k = int64_t(i) % x.k;
    a[i] *= sa[size_t(row * scalesAlongK + k / block)];
  }
  for (size_t i = 0; i < b.size(); ++i) { // rhs [b, k, n], its scales [b, k / block, n]
    int64_t n = int64_t(i) % x.n, k = int64_t(i) / x.n % x.k, batch = int64_t(i) / x.n / x.k;
    b[i] *= sb[size_t((batch * scalesAlongK + k / block) * x.n + n)];
  }
  std::vector<float> c = decodeAll<float>(acc);
  for (int64_t i = 0; i < x.batch; ++i)
    multiply(x, a.data() + i * x.m * x.k, b.data() + i * x.k * x.n, c.data() + i * x.m * x.n,
             [](double p, double q, float r) { return float(std::fma(p, q, double(r))); });
  Tile result(acc.type, acc.shape);
  for (size_t i = 0; i < c.size(); ++i)
    result.data[i] = std::bit_cast<uint32_t>(c[i]);
  e.set(op.getResult(), std::move(result));
}

template <typename OpT> void count(Evaluator &e, OpT op) {
  Extents x(e.tile(op.getLhs()), e.tile(op.getRhs()));
  e.stats.multiplyAdds += uint64_t(x.batch * x.m * x.n * x.k);
}

} // namespace

void reference::addMatrixHandlers(HandlerTable &table) {
  table.add<MmaFOp>([](Evaluator &e, MmaFOp op) {
    count(e, op);
    multiplyFloats(e, op);
    return success();
  });
  table.add<MmaIOp>([](Evaluator &e, MmaIOp op) {
    count(e, op);
    multiplyIntegers(e, op);
    return success();
  });
  table.add<MmaFScaledOp>([](Evaluator &e, MmaFScaledOp op) {
    count(e, op);
    multiplyScaled(e, op);
    return success();
  });
}
