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

/// One allocation of the launch, cut into pieces. Used by blocks of several host threads.
class DeviceHeap {
public:
  /// CUDA's default (cudaLimitMallocHeapSize).
  static constexpr uint64_t kBytes = uint64_t(8) << 20;

  void open(Memory &m) {
    memory = &m;
    base = next = m.allocate(kBytes, "device heap");
  }
  void close() {
    if (memory)
      memory->free(base);
  }

  /// 0 when there is no room (or no heap). Pieces are a multiple of 16 bytes; what they held before counts as
  /// unwritten.
  uint64_t allocate(uint64_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!memory || bytes > kBytes)
      return 0;
    uint64_t size = std::max<uint64_t>(16, (bytes + 15) & ~uint64_t(15)), address;
    // Pieces given back are taken only when there is nothing else: the driver orders their two lives, which the race
    // checker cannot know.
    if (size <= base + kBytes - next) {
      address = next;
      next += size;
    } else if (auto found = freed.find(size); found != freed.end()) {
      address = found->second;
      freed.erase(found);
    } else {
      return 0;
    }
    live[address] = size;
    Allocation *heap = memory->find(base);
    std::memset(heap->shadow.get() + (address - base), 0, size);
    return address;
  }

  /// False if nothing of that address is in use. Null is fine, as in C.
  bool release(uint64_t address) {
    if (!address)
      return true;
    std::lock_guard<std::mutex> lock(mutex);
    auto found = live.find(address);
    if (found == live.end())
      return false;
    freed.emplace(found->second, address);
    live.erase(found);
    return true;
  }

private:
  std::mutex mutex;
  Memory *memory = nullptr;
  uint64_t base = 0, next = 0;
  std::map<uint64_t, uint64_t> live;       ///< address -> size
  std::multimap<uint64_t, uint64_t> freed; ///< size -> address
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_MEMORY_DEVICEHEAP_H
