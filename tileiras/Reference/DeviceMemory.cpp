//===- DeviceMemory.cpp - Memory as the reference evaluator sees it ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Reference/DeviceMemory.h"

#include <algorithm>
#include <cstdio>

using namespace tileiras::reference;

/// Unmapped space after every allocation: an index that is wrong by thousands of rows must not end in the next array.
static constexpr uint64_t kGap = 1 << 30;
/// How far from an allocation an address is described by it.
static constexpr uint64_t kNear = 1 << 16;

uint64_t DeviceMemory::allocate(std::string name, std::vector<uint8_t> bytes, uint64_t alignment, bool readOnly) {
  Allocation allocation;
  allocation.name = std::move(name);
  allocation.base = (next + alignment - 1) & ~(alignment - 1);
  allocation.readOnly = readOnly;
  next = allocation.base + bytes.size() + kGap;
  allocation.bytes = std::move(bytes);
  allocations.push_back(std::move(allocation)); // addresses only grow: stays sorted
  return allocations.back().base;
}

void DeviceMemory::release(uint64_t base) {
  auto it = std::find_if(allocations.begin(), allocations.end(), [&](const Allocation &a) { return a.base == base; });
  if (it != allocations.end())
    allocations.erase(it);
  lastHit = 0;
}

DeviceMemory::Allocation *DeviceMemory::lookup(uint64_t address) {
  if (lastHit < allocations.size()) {
    Allocation &last = allocations[lastHit];
    if (address >= last.base && address - last.base < last.bytes.size())
      return &last;
  }
  auto it = std::upper_bound(allocations.begin(), allocations.end(), address,
                             [](uint64_t a, const Allocation &b) { return a < b.base; });
  if (it == allocations.begin())
    return nullptr;
  --it;
  lastHit = size_t(it - allocations.begin());
  return address - it->base < it->bytes.size() ? &*it : nullptr;
}

uint8_t *DeviceMemory::resolve(uint64_t address, uint64_t size) {
  Allocation *allocation = lookup(address);
  if (!allocation || allocation->bytes.size() - (address - allocation->base) < size)
    return nullptr;
  return allocation->bytes.data() + (address - allocation->base);
}

const DeviceMemory::Allocation *DeviceMemory::find(uint64_t address) const {
  return const_cast<DeviceMemory *>(this)->lookup(address);
}

std::string DeviceMemory::describe(uint64_t address) const {
  char hex[32];
  std::snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)address);
  std::string text = std::string("address ") + hex;
  // The nearest allocation, if there is one near.
  const Allocation *nearest = nullptr;
  uint64_t best = kNear;
  for (const Allocation &a : allocations) {
    uint64_t end = a.base + a.bytes.size();
    uint64_t distance = address < a.base ? a.base - address : address >= end ? address - end : 0;
    if (distance >= best)
      continue;
    best = distance;
    nearest = &a;
  }
  if (!nearest)
    return text + " is in no allocation";
  std::string array = "'" + nearest->name + "' (" + std::to_string(nearest->bytes.size()) + " bytes)";
  uint64_t end = nearest->base + nearest->bytes.size();
  if (address < nearest->base)
    return text + " is " + std::to_string(nearest->base - address) + " bytes before " + array;
  if (address >= end)
    return text + " is " + std::to_string(address - end) + " bytes past the end of " + array;
  return text + " is byte " + std::to_string(address - nearest->base) + " of " + array;
}
