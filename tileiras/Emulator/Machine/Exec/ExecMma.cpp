//===- ExecMma.cpp - mma.sync, dense, sparse and block-scaled ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions". Notation: lane l, g = l / 4, t = l % 4, r a register
// of the fragment, w elements per register. One rule holds for all shapes but the m8n8k4 of f16:
//
//   A, 16 rows  row g + 8 (r & 1), k = 4w (r >> 1) + w t + e        A, 8 rows  row g, k = 4w r + w t + e
//   B           k = 4w r + w t + e, column g
//   C, D        row g + 8 (i >> 1), column 2t + (i & 1)
//
// Sparse A is stored along k with half of its values; the rule then counts stored values.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Matrix/WarpMatrix.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <bit>

using namespace tileiras::emu;

namespace {

constexpr unsigned MaxK = 128;

/// Calls f(element, value) for the elements of register row `row` of lane l, from the low end.
struct Reader {
  Reader(Type t, unsigned bits) : type(t), bits(bits), table(bits < 32 ? elementTable(t, bits) : nullptr) {}
  template <typename F> void operator()(const Warp &w, Row row, unsigned l, F f) const {
    if (bits == 64) {
      f(0u, w.row<double>(row)[l]);
    } else if (bits == 32) {
      f(0u, elementValue(type, w.row<uint32_t>(row)[l]));
    } else {
      uint32_t v = w.row<uint32_t>(row)[l];
      for (unsigned e = 0; e != 32 / bits; ++e)
        f(e, table[v >> (e * bits) & ((1u << bits) - 1)]);
    }
  }
  unsigned perRegister() const { return bits >= 32 ? 1 : 32 / bits; }
  Type type;
  unsigned bits;
  const double *table;
};

/// C or D: f(register, half, row, column) for every accumulator of lane l; half is 0 but for the upper f16.
template <typename F> void eachAccumulator(const std::vector<Row> &rows, Type t, unsigned l, F f) {
  unsigned g = l / 4, q = l % 4;
  for (unsigned r = 0; r != rows.size(); ++r)
    for (unsigned h = 0; h != (t == Type::F16 ? 2u : 1u); ++h) {
      unsigned index = t == Type::F16 ? 2 * r + h : r;
      f(rows[r], h, g + 8 * (index >> 1), 2 * q + (index & 1));
    }
}

double readAccumulator(const Warp &w, Row row, Type t, unsigned half, unsigned l) {
  if (t == Type::F64)
    return w.row<double>(row)[l];
  return accumulatorValue(t, w.row<uint32_t>(row)[l] >> 16 * half);
}
void writeAccumulator(Warp &w, Row row, Type t, unsigned half, unsigned l, double v, bool saturate) {
  uint64_t bits = accumulatorBits(t, v, saturate);
  if (t == Type::F64)
    w.row<uint64_t>(row)[l] = bits;
  else if (t != Type::F16)
    w.row<uint32_t>(row)[l] = uint32_t(bits);
  else
    w.row<uint16_t>(row)[2 * l + half] = uint16_t(bits);
}

void invalid(Warp &w, const Inst &i, unsigned lane, const std::string &text) {
  w.report(ReportKind::InvalidOperation, i, lane, text);
}

//===----------------------------------------------------------------------===//
// Sparse A: where the stored values belong
//===----------------------------------------------------------------------===//

/// Fills where[row][j]. Sections "Sparse matrix storage" and "Matrix fragments for sparse mma": the metadata is four
/// bits per chunk, and which lane of a quad holds it depends on the shape.
void readMetadata(Warp &w, const Inst &i, const MatrixAux &x, uint8_t *where) {
  const uint32_t *meta = w.row<uint32_t>(x.metadata);
  unsigned bits = x.bitsA;
  // Values per chunk as stored, and logical elements per chunk.
  unsigned perChunk = bits == 32 ? 1 : bits == 4 ? 4 : 2;
  unsigned chunks = x.k / (2 * perChunk);
  for (unsigned row = 0; row != 16; ++row)
    for (unsigned c = 0; c != chunks; ++c) {
      unsigned g = row % 8, h = row / 8, lane, shift;
      if (bits >= 16) { // both rows in one register, four chunks each; eight chunks take two lanes
        lane = chunks == 4 ? 4 * g + x.selector : 4 * g + 2 * x.selector + c / 4;
        shift = 16 * h + 4 * (c % 4);
      } else { // one row per register, eight chunks; sixteen chunks take all four lanes
        lane = chunks == 8 ? 4 * g + 2 * x.selector + h : 4 * g + 2 * (c / 8) + h;
        shift = 4 * (c % 8);
      }
      unsigned code = meta[lane] >> shift & 15, low = code & 3, high = code >> 2;
      bool good = bits == 32 ? code == 4 || code == 14 : x.ordered ? low < high : low != high;
      if (!good)
        invalid(w, i, lane,
                "sparsity metadata " + std::to_string(code) + " of row " + std::to_string(row) + ", chunk " +
                    std::to_string(c) + " is not valid" + (x.ordered && low > high ? " for ordered metadata" : ""));
      uint8_t *to = where + row * (x.k / 2) + c * perChunk;
      if (bits == 32) {
        to[0] = uint8_t(2 * c + (low >> 1));
      } else if (bits == 4) { // the indices name pairs
        for (unsigned j = 0; j != 4; ++j)
          to[j] = uint8_t(8 * c + 2 * (j < 2 ? low : high) + j % 2);
      } else {
        to[0] = uint8_t(4 * c + low);
        to[1] = uint8_t(4 * c + high);
      }
    }
}

//===----------------------------------------------------------------------===//
// Block scaling
//===----------------------------------------------------------------------===//

/// scale[index][s] for 16 rows of A (`isA`) or 8 columns of B. Section "Block Scaling".
void readScales(Warp &w, const Inst &i, const MatrixAux &x, bool isA, double (&scale)[16][4]) {
  const uint32_t *data = w.row<uint32_t>(isA ? x.scaleA : x.scaleB);
  unsigned byte = w.row<uint16_t>(isA ? x.byteA : x.byteB)[0], thread = w.row<uint16_t>(isA ? x.threadA : x.threadB)[0];
  const char *name = isA ? "A" : "B";
  if (thread > (isA ? 1u : 3u)) {
    invalid(w, i, 0,
            std::string("thread id ") + std::to_string(thread) + " of the scale of " + name + " is out of range");
    thread &= isA ? 1 : 3;
  }
  if (byte + x.scaleVec > 4 || byte % x.scaleVec) {
    invalid(w, i, 0, std::string("byte id ") + std::to_string(byte) + " of the scale of " + name + " is out of range");
    byte = 0;
  }
  const double *table = elementTable(x.scaleType, 8);
  for (unsigned n = 0; n != (isA ? 16u : 8u); ++n) {
    unsigned lane = isA ? 4 * (n % 8) + 2 * thread + n / 8 : 4 * n + thread;
    for (unsigned s = 0; s != x.scaleVec; ++s)
      scale[n][s] = table[data[lane] >> (8 * (byte + s)) & 255];
  }
}

//===----------------------------------------------------------------------===//
// Forms with rules of their own
//===----------------------------------------------------------------------===//

/// Single bits: popcount of and / xor.
void mmaBits(Warp &w, const Inst &i, uint32_t m, const MatrixAux &x) {
  uint32_t A[16][8] = {}, B[8][8] = {};
  for (unsigned l = 0; l != 32; ++l) {
    unsigned g = l / 4, t = l % 4;
    for (unsigned r = 0; r != x.ra.size(); ++r) {
      uint32_t v = w.row<uint32_t>(x.ra[r])[l];
      (x.m == 16 ? A[g + 8 * (r & 1)][4 * (r >> 1) + t] : A[g][t]) = v;
    }
    for (unsigned r = 0; r != x.rb.size(); ++r)
      B[g][4 * r + t] = w.row<uint32_t>(x.rb[r])[l];
  }
  uint32_t sum[16][8];
  for (unsigned row = 0; row != x.m; ++row)
    for (unsigned col = 0; col != 8; ++col) {
      uint32_t s = 0;
      for (unsigned k = 0; k != x.k / 32u; ++k)
        s += uint32_t(std::popcount(x.bitXor ? A[row][k] ^ B[col][k] : A[row][k] & B[col][k]));
      sum[row][col] = s;
    }
  for (unsigned l = 0; l != 32; ++l) {
    uint32_t out[4];
    unsigned n = 0;
    eachAccumulator(x.rc, Type::S32, l,
                    [&](Row row, unsigned, unsigned r, unsigned c) { out[n++] = w.row<uint32_t>(row)[l] + sum[r][c]; });
    if (m >> l & 1)
      for (unsigned k = 0; k != n; ++k)
        w.row<uint32_t>(x.rd[k])[l] = out[k];
  }
}

/// m8n8k4 of f16, the form of sm_70: four independent products, each of the lanes 4q..4q+3 and 16+4q..19+4q.
void mmaVolta(Warp &w, const Inst &i, uint32_t m, const MatrixAux &x) {
  const double *half = elementTable(Type::F16, 16);
  double D[4][64];
  auto accumulator = [](Type t, unsigned l, unsigned n, unsigned &row, unsigned &col) {
    unsigned h = l / 16;
    row = t == Type::F16 ? l % 4 + 4 * h : (l & 1) + (n & 2) + 4 * h;
    col = t == Type::F16 ? n : (n & 4) + (l & 2) + (n & 1);
  };
  for (unsigned q = 0; q != 4; ++q) {
    double A[8 * 4], B[4 * 8], C[64];
    for (unsigned h = 0; h != 2; ++h)
      for (unsigned j = 0; j != 4; ++j) {
        unsigned l = 16 * h + 4 * q + j;
        for (unsigned n = 0; n != 4; ++n) {
          double a = half[w.row<uint32_t>(x.ra[n / 2])[l] >> 16 * (n % 2) & 0xffff];
          double b = half[w.row<uint32_t>(x.rb[n / 2])[l] >> 16 * (n % 2) & 0xffff];
          (x.rowA ? A[(j + 4 * h) * 4 + n] : A[(n + 4 * h) * 4 + j]) = a;
          (x.rowB ? B[j * 8 + n + 4 * h] : B[n * 8 + j + 4 * h]) = b;
        }
        for (unsigned n = 0; n != 8; ++n) {
          unsigned row, col;
          accumulator(x.c, l, n, row, col);
          bool packed = x.c == Type::F16;
          C[row * 8 + col] = readAccumulator(w, x.rc[packed ? n / 2 : n], x.c, packed ? n % 2 : 0, l);
        }
      }
    Product p;
    p.m = p.n = 8;
    p.k = 4;
    p.a = A;
    p.b = B;
    p.c = C;
    p.d = D[q];
    multiply(p);
  }
  for (unsigned l = 0; l != 32; ++l)
    for (unsigned n = 0; n != 8 && (m >> l & 1); ++n) {
      unsigned row, col;
      accumulator(x.d, l, n, row, col);
      bool packed = x.d == Type::F16;
      writeAccumulator(w, x.rd[packed ? n / 2 : n], x.d, packed ? n % 2 : 0, l, D[l / 4 % 4][row * 8 + col], false);
    }
}

} // namespace

void tileiras::emu::handlers::mma(Warp &w, const Inst &i, uint32_t m) {
  if (!wholeWarp(w, i, m))
    return;
  const MatrixAux &x = *static_cast<const MatrixAux *>(i.aux);
  w.countMatrix(uint64_t(x.m) * x.n * x.k * (x.volta ? 4 : 1), x.a == Type::TF32 ? 32 : x.bitsA, x.sparse);
  if (x.a == Type::B1)
    return mmaBits(w, i, m, x);
  if (x.volta)
    return mmaVolta(w, i, m, x);
  double A[16 * MaxK], B[MaxK * 8], C[16 * 8], D[16 * 8];
  uint8_t where[16 * MaxK / 2];
  Reader readA(x.a, x.bitsA), readB(x.b, x.bitsB);
  unsigned wa = readA.perRegister(), wb = readB.perRegister(), stored = x.sparse ? x.k / 2u : x.k;
  for (unsigned l = 0; l != 32; ++l) {
    unsigned g = l / 4, t = l % 4;
    for (unsigned r = 0; r != x.ra.size(); ++r) {
      double *to = x.m == 16 ? A + (g + 8 * (r & 1)) * stored + 4 * wa * (r >> 1) + wa * t
                             : A + g * stored + 4 * wa * r + wa * t;
      readA(w, x.ra[r], l, [&](unsigned e, double v) { to[e] = v; });
    }
    for (unsigned r = 0; r != x.rb.size(); ++r) {
      double *to = B + (4 * wb * r + wb * t) * 8 + g;
      readB(w, x.rb[r], l, [&](unsigned e, double v) { to[e * 8] = v; });
    }
    eachAccumulator(x.rc, x.c, l, [&](Row row, unsigned h, unsigned r, unsigned c) {
      C[r * 8 + c] = readAccumulator(w, row, x.c, h, l);
    });
  }
  Product p;
  p.m = x.m;
  p.n = 8;
  p.k = x.k;
  p.a = A;
  p.b = B;
  p.c = C;
  p.d = D;
  p.isF64 = x.a == Type::F64;
  p.rounding = x.rounding;
  if (x.sparse) {
    readMetadata(w, i, x, where);
    p.where = where;
  }
  if (x.scaleVec) {
    double scale[16][4];
    unsigned block = x.k / x.scaleVec;
    readScales(w, i, x, true, scale);
    for (unsigned row = 0; row != 16; ++row)
      for (unsigned j = 0; j != stored; ++j)
        A[row * stored + j] *= scale[row][(x.sparse ? where[row * stored + j] : j) / block];
    readScales(w, i, x, false, scale);
    for (unsigned k = 0; k != x.k; ++k)
      for (unsigned col = 0; col != 8; ++col)
        B[k * 8 + col] *= scale[col][k / block];
  }
  multiply(p);
  for (unsigned l = 0; l != 32; ++l)
    if (m >> l & 1)
      eachAccumulator(x.rd, x.d, l, [&](Row row, unsigned h, unsigned r, unsigned c) {
        writeAccumulator(w, row, x.d, h, l, D[r * 8 + c], x.saturate);
      });
}
