//===- ReservationTable.cpp - Who has which unit when ---------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/ReservationTable.h"

#include <algorithm>

namespace tileiras::schedule {

bool ReservationTable::isFree(const Node &node, int64_t cycle) const {
  for (const Reservation &use : node.reservations) {
    if (use.length > int(rows.size()))
      return false;
    size_t row = at(cycle + use.offset);
    for (int i = 0; i < use.length; ++i) {
      if (rows[row] & use.rows)
        return false;
      if (++row == rows.size())
        row = 0;
    }
  }
  // What one operation reserves may meet itself in the table, II cycles later.
  for (size_t a = 0; a < node.reservations.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      const Reservation &x = node.reservations[a], &y = node.reservations[b];
      if (!(x.rows & y.rows))
        continue;
      for (int i = 0; i < x.length; ++i)
        for (int j = 0; j < y.length; ++j)
          if (at(x.offset + i) == at(y.offset + j))
            return false;
    }
  if (node.pools.empty())
    return true;
  if (const PoolUse &use = node.pools.front(); node.pools.size() == 1 && use.length <= int(rows.size())) {
    for (int i = 0; i < use.length; ++i)
      if (pools[at(cycle + use.offset + i)][use.pool] + use.count > kPoolCapacity[use.pool])
        return false;
    return true;
  }
  std::vector<std::array<int16_t, kNumPools>> after = pools;
  for (const PoolUse &use : node.pools)
    for (int i = 0; i < use.length; ++i)
      if ((after[at(cycle + use.offset + i)][use.pool] += int16_t(use.count)) > kPoolCapacity[use.pool])
        return false;
  return true;
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
  auto overlap = [&](int64_t x, int lengthX, int64_t y, int lengthY) {
    int64_t distance = ((y - x) % interval + interval) % interval; // from x to the next y
    return distance < lengthX || interval - distance < lengthY;
  };
  for (const Reservation &x : a.reservations)
    for (const Reservation &y : b.reservations)
      if ((x.rows & y.rows) && overlap(atA + x.offset, x.length, atB + y.offset, y.length))
        return true;
  for (const PoolUse &x : a.pools)
    for (const PoolUse &y : b.pools)
      if (x.pool == y.pool && x.count + y.count > kPoolCapacity[x.pool] &&
          overlap(atA + x.offset, x.length, atB + y.offset, y.length))
        return true;
  return false;
}

} // namespace tileiras::schedule
