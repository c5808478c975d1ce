//===- DeviceHeap.h - What malloc and free of a kernel work on --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_MEMORY_DEVICEHEAP_H
#define TILEIRAS_EMULATOR_MACHINE_MEMORY_DEVICEHEAP_H

#include "tileiras/Emulator/Machine/Memory/Memory.h"

#include <cstring>
#include <map>
#include <mutex>

namespace tileiras::emu {

/// One allocation of a Memory, cut into pieces. Used by blocks of several host threads, and by one launch after
/// another: what a kernel has allocated is there for the next one.
class DeviceHeap {
public:
  explicit DeviceHeap(Memory &m) : memory(m) {}

  /// CUDA's default is 8 MiB (cudaLimitMallocHeapSize). False once something has been allocated.
  bool resize(uint64_t size) {
    std::lock_guard<std::mutex> lock(mutex);
    if (base)
      return false;
    bytes = size;
    return true;
  }
  uint64_t size() const { return bytes; }

  /// 0 when there is no room. Pieces are a multiple of 16 bytes; what they held before counts as
  /// unwritten.
  uint64_t allocate(uint64_t wanted) {
    std::lock_guard<std::mutex> lock(mutex);
    if (wanted > bytes || !open())
      return 0;
    uint64_t size = std::max<uint64_t>(16, (wanted + 15) & ~uint64_t(15)), address;
    // Pieces given back are taken only when there is nothing else: the driver orders their two lives, which the race
    // checker cannot know.
    if (size <= base + bytes - pieces.next) {
      address = pieces.next;
      pieces.next += size;
    } else if (auto found = pieces.freed.find(size); found != pieces.freed.end()) {
      address = found->second;
      pieces.freed.erase(found);
    } else {
      return 0;
    }
    pieces.live[address] = size;
    Allocation *heap = memory.find(base);
    std::memset(heap->shadow.get() + (address - base), 0, size);
    return address;
  }

  /// False if nothing of that address is in use. Null is fine, as in C.
  bool release(uint64_t address) {
    if (!address)
      return true;
    std::lock_guard<std::mutex> lock(mutex);
    auto found = pieces.live.find(address);
    if (found == pieces.live.end())
      return false;
    pieces.freed.emplace(found->second, address);
    pieces.live.erase(found);
    return true;
  }

  /// Before the blocks run: allocations do not change during a launch.
  bool open() {
    if (!base)
      base = pieces.next = memory.allocate(bytes, "device heap");
    return base;
  }

  /// Which pieces are in use, between launches; to be put back after blocks that shall not have run.
  struct Pieces {
    uint64_t next = 0;                       ///< behind the last one; 0: none yet
    std::map<uint64_t, uint64_t> live;       ///< address -> size
    std::multimap<uint64_t, uint64_t> freed; ///< size -> address
  };
  const Pieces &state() const { return pieces; }
  void restore(Pieces before) {
    std::lock_guard<std::mutex> lock(mutex);
    pieces = std::move(before);
    if (!pieces.next)
      pieces.next = base;
  }

private:
  std::mutex mutex;
  Memory &memory;
  uint64_t bytes = uint64_t(8) << 20, base = 0;
  Pieces pieces;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_MEMORY_DEVICEHEAP_H
