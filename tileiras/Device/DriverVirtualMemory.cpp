//===- DriverVirtualMemory.cpp - Address ranges and what is mapped there -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cuMemAddressReserve, cuMemCreate, cuMemMap and the like. Physical memory is a file without a name, so one piece may
// be mapped at several addresses. Kernels reach a mapping once cuMemSetAccess allows it, and no earlier, as on a GPU.
// Each mapping is an allocation of its own to the checks.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Device.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace tileiras;
using namespace tileiras::device;

namespace {

constexpr size_t Granularity = size_t(2) << 20;
/// Where ranges are: inside the emulator's global window, away from everything else.
constexpr uint64_t VirtualBase = 0x3000'0000'0000;

struct Physical {
  int file = -1;
  size_t bytes = 0;
  unsigned references = 1; ///< of the program, and one for each mapping
  char properties[32] = {};
};
struct Mapping {
  size_t bytes = 0;
  unsigned long long handle = 0;
  unsigned access = 0; ///< 1 read, 3 read and write
};
struct Space {
  std::map<uint64_t, size_t> ranges; ///< reserved
  std::map<uint64_t, Mapping> mappings;
  std::unordered_map<unsigned long long, Physical> pieces;
  uint64_t next = VirtualBase;
  unsigned long long made = 0;
};
Space &space() {
  static Space *s = new Space(); // never destroyed, like the device
  return *s;
}

void drop(unsigned long long handle) {
  auto piece = space().pieces.find(handle);
  if (--piece->second.references)
    return;
  close(piece->second.file);
  space().pieces.erase(piece);
}

/// Does one reserved range contain [address, address + bytes)?
bool reserved(uint64_t address, size_t bytes) {
  auto after = space().ranges.upper_bound(address);
  if (after == space().ranges.begin())
    return false;
  auto &[begin, size] = *std::prev(after);
  return bytes <= size && address - begin <= size - bytes;
}

/// Calls f for the mappings that make up [address, address + bytes); false if that is not exactly what is mapped.
template <typename F> bool eachMapping(uint64_t address, size_t bytes, F f) {
  const uint64_t end = address + bytes;
  std::vector<uint64_t> found;
  for (uint64_t at = address; at < end;) {
    auto m = space().mappings.find(at);
    if (m == space().mappings.end() || m->second.bytes > end - at)
      return false;
    found.push_back(at);
    at += m->second.bytes;
  }
  for (uint64_t at : found)
    f(at, space().mappings.at(at));
  return true;
}

} // namespace

TILEIRAS_API cuMemGetAllocationGranularity(size_t *granularity, const void *, int) {
  TILEIRAS_CALL();
  if (!granularity)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *granularity = Granularity;
  return CUDA_SUCCESS;
}

TILEIRAS_API cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wanted,
                                 unsigned long long flags) {
  TILEIRAS_CALL();
  if (!address || !bytes || bytes % Granularity || (alignment & (alignment - 1)) || flags)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  auto take = [&](uint64_t at) {
    void *p = mmap(reinterpret_cast<void *>(at), bytes, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (p == MAP_FAILED)
      return false;
    if (uint64_t(uintptr_t(p)) == at)
      return true;
    munmap(p, bytes); // a kernel that does not know the flag
    return false;
  };
  // The wish is a hint: only in the window, where the emulator's kernels can go.
  if (wanted >= VirtualBase && wanted < 2 * VirtualBase && wanted % Granularity == 0 && take(wanted)) {
    *address = wanted;
  } else {
    const uint64_t align = std::max<uint64_t>(alignment, Granularity);
    int tries = 0;
    do {
      if (++tries > 64)
        return call.done(CUDA_ERROR_OUT_OF_MEMORY);
      *address = (space().next + align - 1) / align * align;
      space().next = *address + bytes + Granularity;
    } while (!take(*address));
  }
  space().ranges[*address] = bytes;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  TILEIRAS_CALL();
  auto range = space().ranges.find(address);
  if (range == space().ranges.end() || range->second != bytes)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  auto inside = space().mappings.lower_bound(address);
  if (inside != space().mappings.end() && inside->first < address + bytes)
    return call.done(CUDA_ERROR_INVALID_VALUE); // something is still mapped there
  munmap(reinterpret_cast<void *>(address), bytes);
  space().ranges.erase(range);
  return CUDA_SUCCESS;
}

TILEIRAS_API cuMemCreate(unsigned long long *handle, size_t bytes, const void *properties, unsigned long long flags) {
  TILEIRAS_CALL();
  if (!handle || !properties || !bytes || bytes % Granularity || flags)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  Physical piece;
  piece.file = memfd_create("tileiras", MFD_CLOEXEC);
  piece.bytes = bytes;
  std::memcpy(piece.properties, properties, sizeof piece.properties); // CUmemAllocationProp
  if (piece.file < 0 || bytes > deviceMemory() || ftruncate(piece.file, off_t(bytes)) != 0) {
    if (piece.file >= 0)
      close(piece.file);
    return call.done(CUDA_ERROR_OUT_OF_MEMORY);
  }
  *handle = ++space().made;
  space().pieces[*handle] = piece;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemRelease(unsigned long long handle) {
  TILEIRAS_CALL(Call::Init);
  if (!space().pieces.count(handle))
    return call.done(CUDA_ERROR_INVALID_VALUE);
  drop(handle);
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemRetainAllocationHandle(unsigned long long *handle, void *address) {
  TILEIRAS_CALL();
  const uint64_t at = reinterpret_cast<uintptr_t>(address);
  auto after = space().mappings.upper_bound(at);
  if (!handle || after == space().mappings.begin() || at - std::prev(after)->first >= std::prev(after)->second.bytes)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *handle = std::prev(after)->second.handle;
  ++space().pieces.at(*handle).references;
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemGetAllocationPropertiesFromHandle(void *properties, unsigned long long handle) {
  TILEIRAS_CALL();
  auto piece = space().pieces.find(handle);
  if (!properties || piece == space().pieces.end())
    return call.done(CUDA_ERROR_INVALID_VALUE);
  std::memcpy(properties, piece->second.properties, sizeof piece->second.properties);
  return CUDA_SUCCESS;
}

TILEIRAS_API cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, unsigned long long handle,
                      unsigned long long flags) {
  TILEIRAS_CALL();
  auto piece = space().pieces.find(handle);
  // The offset must be 0, says the documentation.
  if (piece == space().pieces.end() || !bytes || bytes % Granularity || address % Granularity || offset || flags ||
      bytes > piece->second.bytes || !reserved(address, bytes))
    return call.done(CUDA_ERROR_INVALID_VALUE);
  auto after = space().mappings.lower_bound(address);
  if ((after != space().mappings.end() && after->first < address + bytes) ||
      (after != space().mappings.begin() && std::prev(after)->first + std::prev(after)->second.bytes > address))
    return call.done(CUDA_ERROR_INVALID_VALUE);
  if (mmap(reinterpret_cast<void *>(address), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, piece->second.file,
           0) == MAP_FAILED)
    return call.done(CUDA_ERROR_OUT_OF_MEMORY);
  ++piece->second.references;
  space().mappings[address] = {bytes, handle, 0};
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemUnmap(CUdeviceptr address, size_t bytes) {
  TILEIRAS_CALL();
  device.synchronize();
  std::vector<uint64_t> gone;
  if (!eachMapping(address, bytes, [&](uint64_t at, Mapping &) { gone.push_back(at); }))
    return call.done(CUDA_ERROR_INVALID_VALUE);
  for (uint64_t at : gone) {
    const Mapping m = space().mappings.at(at);
    if (m.access)
      device.memory.free(at);
    mmap(reinterpret_cast<void *>(at), m.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
         0);
    space().mappings.erase(at);
    drop(m.handle);
  }
  return CUDA_SUCCESS;
}

namespace {
struct AccessDescriptor {
  CUmemLocation location;
  int flags; ///< 0 none, 1 read, 3 read and write
};
} // namespace

TILEIRAS_API cuMemSetAccess(CUdeviceptr address, size_t bytes, const AccessDescriptor *list, size_t count) {
  TILEIRAS_CALL();
  if (!list || !count)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  for (size_t k = 0; k != count; ++k) {
    if (list[k].location.type != 1) // CU_MEM_LOCATION_TYPE_DEVICE; the host's access does not concern kernels
      continue;
    const unsigned access = unsigned(list[k].flags);
    if (list[k].location.id != 0 || (access != 0 && access != 1 && access != 3))
      return call.done(CUDA_ERROR_INVALID_VALUE);
    const bool mapped = eachMapping(address, bytes, [&](uint64_t at, Mapping &m) {
      if (m.access)
        device.memory.free(at);
      m.access = access;
      if (!access)
        return;
      device.memory.adopt(reinterpret_cast<void *>(at), m.bytes, "virtual memory");
      if (emu::Allocation *a = device.memory.find(at))
        a->readOnly = access == 1;
    });
    if (!mapped)
      return call.done(CUDA_ERROR_INVALID_VALUE);
  }
  return CUDA_SUCCESS;
}
TILEIRAS_API cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address) {
  TILEIRAS_CALL();
  auto after = space().mappings.upper_bound(address);
  if (!flags || !location || after == space().mappings.begin() ||
      address - std::prev(after)->first >= std::prev(after)->second.bytes)
    return call.done(CUDA_ERROR_INVALID_VALUE);
  *flags = location->type == 1 ? std::prev(after)->second.access : 0;
  return CUDA_SUCCESS;
}
