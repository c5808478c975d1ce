//===- Wgmma.cpp - Warpgroup matrix multiplications in flight ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Matrix/Wgmma.h"

#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Exec/Isa.h"
#include "tileiras/Emulator/Machine/Matrix/MatrixKernels.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace tileiras::emu;

WgmmaOp::WgmmaOp(Warp &first, const Inst &inst, uint32_t lane)
    : AsyncOp(AsyncUnit::Wgmma, first, inst, lane), aux(*static_cast<const WgmmaAux *>(inst.aux)) {
  bytes = uint64_t(64) * aux.n * aux.k;
}

void WgmmaOp::observeUnits(std::vector<uint32_t> units) {
  std::sort(units.begin(), units.end());
  for (size_t i = 0; i != units.size();) {
    uint32_t lo = units[i], end = lo + 16;
    while (++i != units.size() && units[i] <= end)
      end = std::max(end, units[i] + 16);
    observe(Space::Shared, uint64_t(cta->rank) << 24 | lo, end - lo, false);
  }
}

bool WgmmaOp::locate(char which, uint64_t bits, const SmemTile &tile, std::vector<uint32_t> &units) {
  std::string fault;
  if (smemUnits(wgmmaDescriptor(bits), tile, units, fault))
    return true;
  char text[64];
  std::snprintf(text, sizeof text, "descriptor 0x%016llx of matrix %c: ", static_cast<unsigned long long>(bits), which);
  report(ReportKind::Descriptor, text + fault);
  faulty = true;
  return false;
}

void WgmmaOp::copy(char which, uint64_t bits, const std::vector<uint32_t> &units, uint32_t warps, uint8_t *to) {
  const bool all = warps == 15;
  auto wanted = [&](size_t i) { return all || (warps >> warpOf(i) & 1); };
  uint32_t lo = ~0u, hi = 0;
  for (size_t i = 0; i != units.size(); ++i)
    if (wanted(i)) {
      lo = std::min(lo, units[i]);
      hi = std::max(hi, units[i]);
    }
  const uint64_t window = uint64_t(cta->rank) << 24;
  Region r;
  if (hi + 16 > (1u << 24) || !warp->region(Space::Shared, window + lo, window + hi + 16, false, r)) {
    faulty = true;
    for (uint32_t u : units) {
      Region one;
      if (!warp->region(Space::Shared, window + u, window + u + 16, false, one)) {
        char text[96];
        std::snprintf(text, sizeof text, "matrix %c of descriptor 0x%016llx reaches shared address 0x%x: ", which,
                      static_cast<unsigned long long>(bits), u);
        report(ReportKind::OutOfBounds, text + warp->describe(Space::Shared, window + u), window + u);
        break;
      }
    }
    return;
  }
  for (size_t i = 0; i != units.size(); ++i)
    if (wanted(i))
      std::memcpy(to + 16 * i, r.host + (units[i] - lo), 16);
  if (!warp->checkInit || !r.shadow)
    return;
  for (size_t i = 0; i != units.size(); ++i) {
    if (!wanted(i))
      continue;
    const uint8_t *shadow = r.shadow + (units[i] - lo);
    uint64_t written[2];
    std::memcpy(written, shadow, 16);
    if ((written[0] & written[1]) == ~uint64_t(0))
      continue;
    uint64_t address = window + units[i] + uint64_t(std::find(shadow, shadow + 16, 0) - shadow);
    report(ReportKind::Uninitialized,
           std::string("matrix ") + which + " has a byte nobody has written, at shared address " +
               std::to_string(address & 0xffffff) + ": " + warp->describe(Space::Shared, address),
           address);
    break;
  }
}

void WgmmaOp::readOperands(uint32_t warps, bool b) {
  static thread_local std::vector<uint32_t> units;
  warps &= ~readA;
  if (warps && !aux.aInRegisters) {
    bytesA.resize(64 * 32);
    if (locate('A', aDescriptor, tileA(), units))
      copy('A', aDescriptor, units, warps, bytesA.data());
  }
  readA |= warps;
  if (b && !readB) {
    bytesB.resize(size_t(aux.n) * aux.k * aux.aBits() / 8);
    if (locate('B', bDescriptor, tileB(), units))
      copy('B', bDescriptor, units, 15, bytesB.data());
    readB = true;
  }
}

/// PTX ISA, "Sparse matrix storage" of wgmma.mma_async.sp: of 4 neighbours in a row of A 2 are stored, of tf32 1 of 2;
/// 4 bits of metadata say which. A row's bits are in lane 4g + q of the row's warp (g = row % 8):
///   16-bit, tf32: q = 2 * selector + c, low half for row g, high half for row g + 8; c-th half of the row;
///   8-bit: q = 2c + h, all 32 bits for row g + 8h, c-th half of the row.
bool WgmmaOp::expandSparse(const std::vector<double> &stored, std::vector<double> &a) {
  const uint32_t k = aux.k, kept = k / 2, group = aux.a == Type::TF32 ? 2 : 4, chunks = k / group;
  const bool narrow = aux.aBits() == 8;
  a.assign(size_t(64) * k, 0);
  for (uint32_t row = 0; row != 64; ++row) {
    const Part &part = parts[row / 16];
    uint32_t g = row % 8, h = row / 8 % 2;
    for (uint32_t c = 0; c != chunks; ++c) {
      uint32_t half = c / (chunks / 2), index = c % (chunks / 2);
      uint32_t lane = 4 * g + (narrow ? 2 * half + h : 2 * aux.selector + half);
      uint32_t nibble = part.meta[lane] >> (4 * index + (narrow ? 0 : 16 * h)) & 15;
      const double *from = &stored[size_t(row) * kept + c * (group / 2)];
      double *to = &a[size_t(row) * k + c * group];
      if (group == 2 ? nibble == 4 || nibble == 14 : (nibble & 3) != nibble >> 2) {
        if (group == 2) {
          to[nibble == 14] = from[0];
        } else {
          to[nibble & 3] = from[0];
          to[nibble >> 2] = from[1];
        }
        continue;
      }
      report(ReportKind::InvalidOperation, "sparsity metadata " + std::to_string(nibble) + " of row " +
                                               std::to_string(row) + ", chunk " + std::to_string(c) +
                                               (group == 2 ? ": must be 4 or 14" : ": its two indices are equal"));
      return false;
    }
  }
  return true;
}

bool WgmmaOp::step() {
  static thread_local std::vector<double> a, b, dense;
  const MatrixKernels &kernels = *currentIsa().matrix;
  const uint32_t storedK = tileA().k;
  const size_t elements = size_t(64) * storedK;
  readOperands(15, true);
  warp->countMatrix(bytes, aux.aBits(), aux.sparse);
  if (cta->cluster->observer && !faulty) {
    std::vector<uint32_t> units;
    if (!aux.aInRegisters && locate('A', aDescriptor, tileA(), units))
      for (unsigned v = 0; v != 4; ++v) {
        std::vector<uint32_t> own;
        for (size_t i = 0; i != units.size(); ++i)
          if (warpOf(i) == v)
            own.push_back(units[i]);
        onBehalfOf = parts[v].warp;
        observeUnits(std::move(own));
      }
    onBehalfOf = nullptr;
    if (locate('B', bDescriptor, tileB(), units))
      observeUnits(units);
  }
  if (faulty)
    return true; // reported; D stays as it is
  if (aux.aInRegisters) {
    // Register r of lane l: bytes 16 * (r / 2) + 4 * (l % 4) of row l / 4 + 8 * (r % 2).
    bytesA.assign(64 * 32, 0);
    for (unsigned v = 0; v != 4; ++v) {
      Frame *frame = parts[v].frame;
      if (!frame)
        continue;
      for (unsigned r = 0; r != 4; ++r) {
        const uint32_t *row = reinterpret_cast<const uint32_t *>(frame->regs + aux.ra[r]);
        for (unsigned l = 0; l != 32; ++l)
          std::memcpy(&bytesA[(16 * v + l / 4 + 8 * (r & 1)) * 32 + 16 * (r >> 1) + 4 * (l % 4)], &row[l], 4);
      }
    }
  }
  a.resize(elements);
  kernels.decode(aux.a, bytesA.data(), elements, a.data());
  if (!aux.aInRegisters && aux.aMnMajor) {
    dense.resize(elements);
    for (uint32_t k = 0; k != storedK; ++k)
      for (uint32_t row = 0; row != 64; ++row)
        dense[row * storedK + k] = a[k * 64 + row];
    a.swap(dense);
  }
  if (aux.sparse) {
    if (!expandSparse(a, dense))
      return true;
    a.swap(dense);
  }
  b.resize(size_t(aux.n) * aux.k);
  kernels.decode(aux.b, bytesB.data(), b.size(), b.data());

  WarpgroupProduct p;
  p.n = aux.n;
  p.k = aux.k;
  p.a = a.data();
  p.b = b.data();
  p.bMnMajor = aux.bMnMajor;
  p.negate = aux.negate;
  p.scale = scale;
  p.saturate = aux.saturate;
  p.d = aux.d;
  if (aux.a == Type::E4M3 || aux.a == Type::E5M2) {
    p.fractionBits = 13;
    p.minExponentA = aux.a == Type::E4M3 ? -6 : -14;
    p.minExponentB = aux.b == Type::E4M3 ? -6 : -14;
  }
  uint8_t *rows[4][128];
  for (unsigned v = 0; v != 4; ++v) {
    if (!parts[v].frame)
      continue;
    for (size_t i = 0; i != aux.rd.size(); ++i)
      rows[v][i] = parts[v].frame->regs + aux.rd[i];
    p.rows[v] = rows[v];
  }
  kernels.product(p);
  bytesA = bytesB = {};
  return true;
}
