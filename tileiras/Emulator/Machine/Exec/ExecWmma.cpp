//===- ExecWmma.cpp - wmma.load, wmma.mma, wmma.store -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Matrix multiply-accumulate instructions: wmma". How a fragment is spread over the threads is not
// specified, so programs cannot depend on it; here element number i of a matrix, counted row by row, is element
// i % P of thread i / P, where P is the number of elements per thread. The operands of f16 always have eight
// registers; if that is more than P elements need, the elements are repeated, and the first copy is read.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Exec/LaneAddress.h"
#include "tileiras/Emulator/Machine/Matrix/WarpMatrix.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <bit>

using namespace tileiras::emu;

namespace {

/// Element e of a fragment, from the low end of its registers.
uint64_t readElement(const Warp &w, const std::vector<Row> &registers, unsigned bits, unsigned e, unsigned l) {
  if (bits == 64)
    return w.row<uint64_t>(registers[e])[l];
  unsigned per = 32 / bits;
  uint32_t v = w.row<uint32_t>(registers[e / per])[l] >> (e % per * bits);
  return bits == 32 ? v : v & ((1u << bits) - 1);
}

void writeElement(Warp &w, const std::vector<Row> &registers, unsigned bits, unsigned e, unsigned l, uint64_t v) {
  if (bits == 64) {
    w.row<uint64_t>(registers[e])[l] = v;
    return;
  }
  unsigned per = 32 / bits, shift = e % per * bits;
  uint32_t mask = bits == 32 ? ~0u : ((1u << bits) - 1) << shift;
  uint32_t &r = w.row<uint32_t>(registers[e / per])[l];
  r = (r & ~mask) | (uint32_t(v << shift) & mask);
}

/// Memory is accessed in runs of elements that are neighbours in the matrix and in memory, at least a byte.
struct Access {
  Access(Warp &w, const Inst &i, const WmmaAux &x) : w(w), i(i), x(x) {
    perLane = unsigned(x.rows) * x.cols / 32;
    run = x.bits < 8 ? 8 / x.bits : 1;
  }
  /// Address of element e of lane l. The instruction's address and stride are the same in all lanes.
  uint64_t address(unsigned l, unsigned e) const {
    unsigned index = l * perLane + e, row = index / x.cols, col = index % x.cols;
    uint64_t stride = x.hasStride ? w.row<uint32_t>(x.stride)[l] : x.rowMajor ? x.cols : x.rows;
    uint64_t at = x.rowMajor ? row * stride + col : col * stride + row;
    return laneAddress(w, x.mem, i.a, i.imm, l) + at * x.bits / 8;
  }
  Warp &w;
  const Inst &i;
  const WmmaAux &x;
  unsigned perLane, run;
};

/// In column-major order the elements of a byte belong to neighbouring rows; all sub-byte forms are row-major A
/// and column-major B, whose K runs through memory. So A is taken as it is, and B is transposed first.
WmmaAux oriented(const WmmaAux &x) {
  WmmaAux y = x;
  if (x.bits < 8 && !x.rowMajor) {
    std::swap(y.rows, y.cols);
    y.rowMajor = true;
  }
  return y;
}

/// Adds up a fragment as a matrix of numbers, row by row.
void gatherMatrix(const Warp &w, const std::vector<Row> &registers, Type t, unsigned elements, double *out) {
  unsigned bits = elementBits(t), perLane = elements / 32;
  const double *table = bits < 32 ? elementTable(t, bits) : nullptr;
  for (unsigned l = 0; l != 32; ++l)
    for (unsigned e = 0; e != perLane; ++e) {
      uint64_t v = readElement(w, registers, bits, e, l);
      out[l * perLane + e] = table ? table[v] : elementValue(t, v);
    }
}

} // namespace

void tileiras::emu::handlers::wmmaLoad(Warp &w, const Inst &i, uint32_t m) {
  if (!wholeWarp(w, i, m))
    return;
  const WmmaAux x = oriented(*static_cast<const WmmaAux *>(i.aux));
  Access access(w, i, x);
  unsigned bytes = std::max(1u, x.bits / 8u), held = unsigned(x.registers.size()) * (x.bits == 64 ? 1 : 32 / x.bits);
  for (unsigned e = 0; e < access.perLane; e += access.run) {
    uint64_t at[32];
    for (unsigned l = 0; l != 32; ++l)
      at[l] = access.address(l, e);
    uint8_t buffer[32 * 64] = {};
    w.gather(i, x.mem.space, m, at, bytes, buffer);
    for (unsigned l = 0; l != 32; ++l) {
      uint64_t v;
      std::memcpy(&v, buffer + 64 * l, 8);
      for (unsigned k = 0; k != access.run && (m >> l & 1); ++k)
        for (unsigned copy = e + k; copy < held; copy += access.perLane)
          writeElement(w, x.registers, x.bits, copy, l, x.bits < 8 ? v >> (k * x.bits) : v);
    }
  }
}

void tileiras::emu::handlers::wmmaStore(Warp &w, const Inst &i, uint32_t m) {
  if (!wholeWarp(w, i, m))
    return;
  const WmmaAux &x = *static_cast<const WmmaAux *>(i.aux); // accumulators: no type is below a byte
  Access access(w, i, x);
  for (unsigned e = 0; e < access.perLane; ++e) {
    uint64_t at[32];
    uint8_t buffer[32 * 64] = {};
    for (unsigned l = 0; l != 32; ++l) {
      at[l] = access.address(l, e);
      uint64_t v = readElement(w, x.registers, x.bits, e, l);
      std::memcpy(buffer + 64 * l, &v, 8);
    }
    w.scatter(i, x.mem.space, m, at, x.bits / 8, buffer);
  }
}

void tileiras::emu::handlers::wmmaMma(Warp &w, const Inst &i, uint32_t m) {
  if (!wholeWarp(w, i, m))
    return;
  const MatrixAux &x = *static_cast<const MatrixAux *>(i.aux);
  w.countMatrix(uint64_t(x.m) * x.n * x.k, elementBits(x.a));
  unsigned perLane = x.m * x.n / 32u;
  double D[32 * 32];
  if (x.a == Type::B1) {
    // 8 x 128 times 128 x 8: every lane holds 32 bits of a row of A (column of B).
    for (unsigned row = 0; row != 8; ++row)
      for (unsigned col = 0; col != 8; ++col) {
        unsigned sum = 0;
        for (unsigned k = 0; k != 4; ++k) {
          uint32_t a = w.row<uint32_t>(x.ra[0])[4 * row + k], b = w.row<uint32_t>(x.rb[0])[4 * col + k];
          sum += unsigned(std::popcount(x.bitXor ? a ^ b : a & b));
        }
        unsigned index = 8 * row + col;
        D[index] = double(int32_t(uint32_t(readElement(w, x.rc, 32, index % 2, index / 2)) + sum));
      }
  } else {
    double A[32 * 32], B[32 * 32], C[32 * 32];
    gatherMatrix(w, x.ra, x.a, x.m * x.k, A);
    gatherMatrix(w, x.rb, x.b, x.n * x.k, B);
    gatherMatrix(w, x.rc, x.c, x.m * x.n, C);
    if (elementBits(x.b) < 8) { // loaded column by column, see oriented()
      double t[32 * 32];
      for (unsigned k = 0; k != x.k; ++k)
        for (unsigned n = 0; n != x.n; ++n)
          t[k * x.n + n] = B[n * x.k + k];
      std::copy(t, t + x.k * x.n, B);
    }
    Product p;
    p.m = x.m;
    p.n = x.n;
    p.k = x.k;
    p.a = A;
    p.b = B;
    p.c = C;
    p.d = D;
    p.isF64 = x.a == Type::F64;
    p.rounding = x.rounding;
    multiply(p);
  }
  for (unsigned l = 0; l != 32; ++l)
    for (unsigned e = 0; e != perLane && (m >> l & 1); ++e)
      writeElement(w, x.rd, elementBits(x.d), e, l, accumulatorBits(x.d, D[l * perLane + e], x.saturate));
}
