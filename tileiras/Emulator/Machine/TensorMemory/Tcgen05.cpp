//===- Tcgen05.cpp - Tensor memory operations in flight ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/TensorMemory/Tcgen05.h"

#include "tileiras/Emulator/Machine/Cta.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

using namespace tileiras::emu;

//===----------------------------------------------------------------------===//
// TensorOp
//===----------------------------------------------------------------------===//

void TensorOp::finishEarlier() {
  for (const AsyncRef &op : after)
    cta->cluster->async.finish(*op);
  auto isCommit = [](const AsyncOp &op) { return op.function->body[op.inst->source].row->op == Op::Tcgen05Commit; };
  if (isCommit(*this)) // observers want to know what a commit covers
    std::erase_if(after, [&](const AsyncRef &op) { return isCommit(*op); });
  else
    after.clear();
}

std::vector<Cta *> TensorOp::blocks(uint8_t group) const {
  if (group == 1)
    return {cta};
  auto &ctas = cta->cluster->ctas;
  return {ctas[cta->rank & ~1u].get(), ctas[cta->rank | 1].get()};
}

static uint64_t cellAddress(const Cta &where, uint32_t lane, uint32_t column) {
  return tensorCellAddress(where.rank, lane, column);
}

void TensorOp::observeCells(Cta &where, uint32_t lane, uint32_t column, uint32_t count, bool isWrite) {
  if (cta->cluster->observer)
    observe(Space::Tensor, cellAddress(where, lane, column), uint64_t(count) * 4, isWrite);
}

bool TensorOp::owned(Cta &where, uint32_t column, uint32_t count, const char *what) {
  const bool inside = column < TensorColumns && count <= TensorColumns - column;
  if (inside && where.tensorMemory().owned(column, count))
    return true;
  if (!told)
    report(ReportKind::TensorMemory,
           std::string(what) +
               (inside ? " is in columns of tensor memory that are not allocated: "
                       : " reaches beyond column 511 of tensor memory: ") +
               std::to_string(column) + " to " + std::to_string(uint64_t(column) + count - 1) +
               (&where == cta ? "" : " of the block of rank " + std::to_string(where.rank)),
           cellAddress(where, 0, inside ? column : 0));
  told = true;
  return false;
}

bool TensorOp::load(Cta &where, uint32_t lane, uint32_t column, uint32_t count, uint32_t *to, const char *what,
                    uint8_t need) {
  TensorMemory &memory = where.tensorMemory();
  std::memcpy(to, memory.cell(lane, column), size_t(count) * 4);
  observeCells(where, lane, column, count, false);
  if (!warp->checkInit || told)
    return true;
  const uint8_t *written = memory.written(lane, column);
  uint8_t all = 15;
  for (uint32_t i = 0; i != count; ++i)
    all &= written[i];
  if ((all & need) == need)
    return true;
  uint32_t at = 0;
  while ((written[at] & need) == need)
    ++at;
  told = true;
  report(ReportKind::Uninitialized,
         std::string(what) + " has a cell of tensor memory nobody has written: lane " + std::to_string(lane) +
             ", column " + std::to_string(column + at) +
             (&where == cta ? "" : " of the block of rank " + std::to_string(where.rank)),
         cellAddress(where, lane, column + at));
  return false;
}

void TensorOp::store(Cta &where, uint32_t lane, uint32_t column, uint32_t count, const uint32_t *from, uint8_t bytes) {
  TensorMemory &memory = where.tensorMemory();
  observeCells(where, lane, column, count, true);
  std::memcpy(memory.cell(lane, column), from, size_t(count) * 4);
  std::memset(memory.written(lane, column), bytes, count);
}

bool TensorOp::readMatrix(Cta &where, uint64_t bits, const SmemTile &tile, const char *what, std::vector<uint8_t> &to) {
  static thread_local std::vector<uint32_t> units;
  std::string fault;
  char text[96];
  const SmemDescriptor descriptor = tcgen05Descriptor(bits);
  if (!smemUnits(descriptor, tile, units, fault)) {
    std::snprintf(text, sizeof text, "descriptor 0x%016llx of %s: ", static_cast<unsigned long long>(bits), what);
    report(ReportKind::Descriptor, text + fault);
    return false;
  }
  const uint64_t window = uint64_t(where.rank) << 24;
  auto [low, high] = std::minmax_element(units.begin(), units.end());
  const uint32_t lo = *low, end = *high + 16;
  Region r;
  if (!warp->region(Space::Shared, window + lo, window + end, false, r)) {
    for (uint32_t u : units)
      if (Region one; !warp->region(Space::Shared, window + u, window + u + 16, false, one)) {
        std::snprintf(text, sizeof text, "%s of descriptor 0x%016llx reaches shared address 0x%x: ", what,
                      static_cast<unsigned long long>(bits), u);
        report(ReportKind::OutOfBounds, text + warp->describe(Space::Shared, window + u), window + u);
        return false;
      }
    return false;
  }
  to.resize(units.size() * 16);
  for (size_t i = 0; i != units.size(); ++i)
    std::memcpy(&to[16 * i], r.host + (units[i] - lo), 16);
  if (warp->checkInit && r.shadow)
    for (uint32_t u : units) {
      uint64_t written[2];
      std::memcpy(written, r.shadow + (u - lo), 16);
      if ((written[0] & written[1]) == ~uint64_t(0))
        continue;
      const uint8_t *shadow = r.shadow + (u - lo);
      // The last bytes of a unit of four- or six-bit elements are padding, which need not be written.
      uint32_t needed = tile.paddedBytes ? tile.paddedBytes : 16,
               at = uint32_t(std::find(shadow, shadow + needed, 0) - shadow);
      if (at == needed)
        continue;
      report(ReportKind::Uninitialized,
             std::string(what) + " has a byte nobody has written, at shared address " + std::to_string(u + at) + ": " +
                 warp->describe(Space::Shared, window + u + at),
             window + u + at);
      break;
    }
  if (cta->cluster->observer) {
    std::sort(units.begin(), units.end());
    for (size_t i = 0; i != units.size();) {
      uint32_t first = units[i], last = first + 16;
      while (++i != units.size() && units[i] <= last)
        last = std::max(last, units[i] + 16);
      observe(Space::Shared, window + first, last - first, false);
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// ld, st
//===----------------------------------------------------------------------===//

TensorMoveOp::TensorMoveOp(Warp &w, const Inst &i, uint32_t l, uint32_t address, bool isLoad)
    : TensorOp(w, i, l), frame(w.frame), aux(*static_cast<const TensorAux *>(i.aux)), baseLane(address >> 16),
      baseColumn(address & 0xffff), isLoad(isLoad) {
  bytes = uint64_t(aux.rows.size()) * 128;
}

bool TensorMoveOp::step() {
  // Columns the instruction reaches: of the last register, or of the second half.
  const uint32_t last = uint32_t(aux.rows.size()) - 1, scale = aux.packed ? 2 : 1;
  uint32_t reach = 0;
  for (uint32_t t : {0u, 3u, 16u, 31u})
    reach = std::max(reach, tensorCell(aux.shape, 0, t, last).column);
  reach = (reach + 1) * scale;
  const char *what = isLoad ? "the source of tcgen05.ld" : "the destination of tcgen05.st";
  if (aux.shape == TensorShape::S16x32x2) {
    if (!owned(*cta, baseColumn, reach, what) || !owned(*cta, baseColumn + aux.half, reach, what))
      return true;
  } else if (!owned(*cta, baseColumn, reach, what)) {
    return true;
  }
  if (cta->cluster->observer)
    observeAll();
  if (!isLoad)
    storeAll();
  else if (frame)
    loadAll();
  return true;
}

void TensorMoveOp::observeAll() {
  // Runs of cells, lane by lane.
  std::vector<std::pair<uint32_t, uint32_t>> cells;
  for (uint32_t r = 0; r != aux.rows.size(); ++r)
    for (uint32_t t = 0; t != 32; ++t) {
      TensorCell c = aux.packed ? tensorPackedCell(aux.shape, aux.half, t, r) : tensorCell(aux.shape, aux.half, t, r);
      for (uint32_t p = 0; p != (aux.packed ? 2u : 1u); ++p)
        cells.push_back({baseLane + c.lane, baseColumn + c.column + p});
    }
  std::sort(cells.begin(), cells.end());
  for (size_t i = 0; i != cells.size();) {
    size_t begin = i;
    while (++i != cells.size() && cells[i].first == cells[begin].first && cells[i].second <= cells[i - 1].second + 1) {
    }
    observeCells(*cta, cells[begin].first, cells[begin].second, cells[i - 1].second - cells[begin].second + 1, !isLoad);
  }
}

void TensorMoveOp::loadAll() {
  TensorMemory &memory = cta->tensorMemory();
  const uint8_t need = aux.packed ? 3 : 15;
  auto fetch = [&](uint32_t lane, uint32_t column) {
    if ((*memory.written(lane, column) & need) != need && warp->checkInit && !told) {
      told = true;
      report(ReportKind::Uninitialized,
             "tcgen05.ld reads a cell of tensor memory nobody has written: lane " + std::to_string(lane) + ", column " +
                 std::to_string(column),
             cellAddress(*cta, lane, column));
    }
    return *memory.cell(lane, column);
  };
  for (uint32_t r = 0; r != aux.rows.size(); ++r) {
    uint32_t *row = reinterpret_cast<uint32_t *>(frame->regs + aux.rows[r]);
    for (uint32_t t = 0; t != 32; ++t) {
      TensorCell c = aux.packed ? tensorPackedCell(aux.shape, aux.half, t, r) : tensorCell(aux.shape, aux.half, t, r);
      uint32_t lane = baseLane + c.lane;
      if (!aux.packed) {
        row[t] = fetch(lane, baseColumn + c.column);
        continue;
      }
      uint32_t low = fetch(lane, baseColumn + c.column), high = fetch(lane, baseColumn + c.column + 1);
      row[t] = (low & 0xffff) | high << 16;
    }
  }
  if (aux.reduction)
    reduce();
}

void TensorMoveOp::reduce() {
  // PTX ISA, tcgen05.ld.red: over the thread's own registers. NaNs are ignored without .NaN, -0 is less than +0.
  uint32_t *result = reinterpret_cast<uint32_t *>(frame->regs + aux.reduced);
  const bool min = aux.reduction == 1;
  for (uint32_t t = 0; t != 32; ++t) {
    bool any = false, nan = false;
    uint32_t best = 0;
    for (Row row : aux.rows) {
      uint32_t v = reinterpret_cast<const uint32_t *>(frame->regs + row)[t];
      int64_t key, bestKey;
      if (aux.reduceType == Type::F32) {
        if (aux.reduceAbs)
          v &= 0x7fffffffu;
        if ((v & 0x7fffffffu) > 0x7f800000u) {
          nan = true;
          continue;
        }
        auto order = [](uint32_t x) { return x >> 31 ? -int64_t(x & 0x7fffffffu) - 1 : int64_t(x); };
        key = order(v);
        bestKey = order(best);
      } else {
        key = aux.reduceType == Type::S32 ? int64_t(int32_t(v)) : int64_t(v);
        bestKey = aux.reduceType == Type::S32 ? int64_t(int32_t(best)) : int64_t(best);
      }
      if (!any || (min ? key < bestKey : key > bestKey))
        best = v;
      any = true;
    }
    result[t] = nan && (aux.reduceNaN || !any) ? 0x7fffffffu : best;
  }
}

void TensorMoveOp::storeAll() {
  TensorMemory &memory = cta->tensorMemory();
  for (uint32_t r = 0; r != aux.rows.size(); ++r)
    for (uint32_t t = 0; t != 32; ++t) {
      TensorCell c = aux.packed ? tensorPackedCell(aux.shape, aux.half, t, r) : tensorCell(aux.shape, aux.half, t, r);
      uint32_t lane = baseLane + c.lane, value = values[32 * r + t];
      if (!aux.packed) {
        *memory.cell(lane, baseColumn + c.column) = value;
        *memory.written(lane, baseColumn + c.column) = 15;
        continue;
      }
      // What becomes of the upper halves is not known: nobody may read them.
      for (uint32_t p = 0; p != 2; ++p) {
        *memory.cell(lane, baseColumn + c.column + p) = 0xcdcd0000u | (value >> 16 * p & 0xffff);
        *memory.written(lane, baseColumn + c.column + p) = 3;
      }
    }
}

//===----------------------------------------------------------------------===//
// cp, shift, commit
//===----------------------------------------------------------------------===//

TensorCopyOp::TensorCopyOp(Warp &w, const Inst &i, uint32_t l, uint32_t address, uint64_t descriptor)
    : TensorOp(w, i, l), aux(*static_cast<const TensorAux *>(i.aux)), address(address), descriptor(descriptor) {
  bytes = uint64_t(aux.copyRows) * aux.copyBytes;
}

bool TensorCopyOp::step() {
  static thread_local std::vector<uint8_t> source;
  finishEarlier();
  const uint32_t column = address & 0xffff, columns = aux.copyBytes / 4;
  SmemTile tile{false, aux.copyRows, aux.copyBytes, 8};
  if (aux.expandBits)
    tile.paddedBytes = aux.expandBits == 4 ? 8 : 12;
  for (Cta *where : blocks(aux.group)) {
    if (!owned(*where, column, columns, "the destination of tcgen05.cp") ||
        !readMatrix(*where, descriptor, tile, "the source matrix", source))
      continue;
    if (aux.expandBits)
      for (size_t u = 0; u < source.size(); u += 16) {
        // 16 elements from the low end; 4-bit codes go to bits 5:2 of their bytes, 6-bit codes to bits 5:0.
        uint64_t low, high;
        std::memcpy(&low, &source[u], 8);
        std::memcpy(&high, &source[u + 8], 8);
        for (unsigned e = 0; e != 16; ++e) {
          unsigned at = e * aux.expandBits;
          uint64_t v = at >= 64 ? high >> (at - 64) : low >> at | (at ? high << (64 - at) : 0);
          source[u + e] = aux.expandBits == 4 ? uint8_t((v & 15) << 2) : uint8_t(v & 63);
        }
      }
    for (uint32_t row = 0; row != aux.copyRows; ++row) {
      uint32_t lanes[4], count = 1;
      switch (aux.multicast) {
      case TensorMulticast::None:
        lanes[0] = aux.copyRows == 4 ? 32 * row : row;
        break;
      case TensorMulticast::Warps02And13:
        count = 2;
        lanes[0] = row;
        lanes[1] = row + 64;
        break;
      case TensorMulticast::Warps01And23:
        count = 2;
        lanes[0] = 64 * (row / 32) + row % 32;
        lanes[1] = lanes[0] + 32;
        break;
      case TensorMulticast::AllWarps:
        count = 4;
        for (uint32_t p = 0; p != 4; ++p)
          lanes[p] = row + 32 * p;
        break;
      }
      uint32_t cells[8];
      std::memcpy(cells, &source[size_t(row) * aux.copyBytes], aux.copyBytes);
      for (uint32_t c = 0; c != count; ++c)
        if (uint32_t lane = lanes[c] + (address >> 16); lane < TensorLanes)
          store(*where, lane, column, columns, cells);
    }
  }
  return true;
}

bool TensorShiftOp::step() {
  // PTX ISA, tcgen05.shift: 32 bytes of each lane move to the lane before it; the last lane of each partition keeps its
  // own. Cells nobody has written stay that.
  finishEarlier();
  const uint32_t column = address & 0xffff;
  for (Cta *where : blocks(group)) {
    if (!owned(*where, column, 8, "the matrix that tcgen05.shift moves"))
      continue;
    TensorMemory &memory = where->tensorMemory();
    for (uint32_t lane = address >> 16; lane < TensorLanes; ++lane) {
      observeCells(*where, lane, column, 8, false);
      if (lane % 32 == 31)
        continue;
      observeCells(*where, lane, column, 8, true);
      std::memcpy(memory.cell(lane, column), memory.cell(lane + 1, column), 32);
      std::memcpy(memory.written(lane, column), memory.written(lane + 1, column), 8);
    }
  }
  return true;
}

void TensorCommitOp::arrive(bool here) {
  if (here && std::exchange(arrivedHere, true))
    return;
  if (here)
    for (const auto &earlier : std::exchange(earlierHere, {}))
      if (!earlier->done)
        earlier->arrive(true);
  finishEarlier();
  for (uint64_t barrier : barriers)
    if ((barrier >> 24 == cta->rank) == here)
      mbarrierArrive({warp, inst, lane, this, {true, false, true, 2}}, barrier, 1, 0);
}

bool TensorCommitOp::step() {
  arrive(true);
  arrive(false);
  return true;
}
