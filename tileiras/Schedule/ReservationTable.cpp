//===- ReservationTable.cpp - Who has which unit when ---------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/ReservationTable.h"

#include <algorithm>

namespace tileiras::schedule {

/// Whether two uses of one unit, repeated every `interval` cycles, meet.
static bool overlap(int64_t x, int lengthX, int64_t y, int lengthY, int interval) {
  int64_t distance = ((y - x) % interval + interval) % interval; // from x to the next y
  return distance < lengthX || interval - distance < lengthY;
}

int64_t ReservationTable::busyFor(const Node &node, int64_t cycle) const {
  const int interval = int(rows.size());
  for (const Reservation &use : node.reservations) {
    if (use.length > interval)
      return interval;
    // From its last cycle back: a start that leaves the first one found behind leaves the others behind, too.
    size_t row = at(cycle + use.offset + use.length - 1);
    for (int i = use.length; i > 0; --i) {
      if (rows[row] & use.rows)
        return i;
      row = row == 0 ? interval - 1 : row - 1;
    }
  }
  // What one operation reserves may meet itself in the table, II cycles later.
  for (size_t a = 0; a < node.reservations.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      const Reservation &x = node.reservations[a], &y = node.reservations[b];
      if ((x.rows & y.rows) && overlap(x.offset, x.length, y.offset, y.length, interval))
        return interval;
    }
  if (node.pools.empty())
    return 0;
  if (const PoolUse &use = node.pools.front(); node.pools.size() == 1 && use.length <= interval) {
    for (int i = use.length; i > 0; --i)
      if (pools[at(cycle + use.offset + i - 1)][use.pool] + use.count > kPoolCapacity[use.pool])
        return i;
    return 0;
  }
  std::vector<std::array<int16_t, kNumPools>> after = pools;
  for (const PoolUse &use : node.pools)
    for (int i = 0; i < use.length; ++i)
      if ((after[at(cycle + use.offset + i)][use.pool] += int16_t(use.count)) > kPoolCapacity[use.pool])
        return 1;
  return 0;
}

void ReservationTable::add(const Node &node, int64_t cycle, int sign) {
  for (const Reservation &use : node.reservations)
    for (int i = 0; i < use.length; ++i)
      rows[at(cycle + use.offset + i)] ^= use.rows; // set when taken, cleared when given back
  for (const PoolUse &use : node.pools)
    for (int i = 0; i < use.length; ++i)
      pools[at(cycle + use.offset + i)][use.pool] += int16_t(sign * use.count);
}
void ReservationTable::take(const Node &node, int64_t cycle) { add(node, cycle, 1); }
void ReservationTable::giveBack(const Node &node, int64_t cycle) { add(node, cycle, -1); }

bool ReservationTable::collide(const Node &a, int64_t atA, const Node &b, int64_t atB, int interval) {
  for (const Reservation &x : a.reservations)
    for (const Reservation &y : b.reservations)
      if ((x.rows & y.rows) && overlap(atA + x.offset, x.length, atB + y.offset, y.length, interval))
        return true;
  for (const PoolUse &x : a.pools)
    for (const PoolUse &y : b.pools)
      if (x.pool == y.pool && x.count + y.count > kPoolCapacity[x.pool] &&
          overlap(atA + x.offset, x.length, atB + y.offset, y.length, interval))
        return true;
  return false;
}

} // namespace tileiras::schedule
