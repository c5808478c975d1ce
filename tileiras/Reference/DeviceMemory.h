//===- DeviceMemory.h - Memory as the reference evaluator sees it -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A list of allocations at made-up 64-bit addresses with unmapped space between them, so
// that every stray pointer is found.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_REFERENCE_DEVICEMEMORY_H
#define TILEIRAS_REFERENCE_DEVICEMEMORY_H

#include <cstdint>
#include <string>
#include <vector>

namespace tileiras::reference {

class DeviceMemory {
public:
  struct Allocation {
    std::string name;
    uint64_t base = 0;
    std::vector<uint8_t> bytes;
    bool readOnly = false;
  };

  /// Returns the address. `alignment` is a power of two.
  uint64_t allocate(std::string name, std::vector<uint8_t> bytes, uint64_t alignment = 256, bool readOnly = false);
  void release(uint64_t base);

  /// Host memory behind [address, address + size), or null when it is not inside one allocation.
  uint8_t *resolve(uint64_t address, uint64_t size);
  const Allocation *find(uint64_t address) const;

  /// Where an address lies, for messages: "12 bytes past the end of 'x' (64 bytes)".
  std::string describe(uint64_t address) const;

private:
  Allocation *lookup(uint64_t address);

  std::vector<Allocation> allocations; ///< by base
  size_t lastHit = 0;
  uint64_t next = 0x200000000;
};

} // namespace tileiras::reference

#endif // TILEIRAS_REFERENCE_DEVICEMEMORY_H
