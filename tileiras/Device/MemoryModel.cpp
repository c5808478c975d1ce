//===- MemoryModel.cpp - Memory of the device and the host ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory from cuMemAlloc lives at addresses that the host cannot touch, so a host that does is caught by the operating
// system. Pinned, managed and registered memory is the host's, and kernels reach it at the same address where that is
// possible.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Device.h"
#include "tileiras/Device/Options.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace tileiras;
using namespace tileiras::device;

namespace {
/// Where pinned and managed memory is mapped: inside the emulator's global window, away from everything else.
constexpr uint64_t HostMemoryBase = 0x2000'0000'0000;
constexpr size_t Page = 4096;
size_t pages(size_t bytes) { return (bytes + Page - 1) / Page * Page; }

std::shared_ptr<AccessSet> touching(uint64_t to, uint64_t from, size_t bytes) {
  auto set = std::make_shared<AccessSet>();
  if (from)
    set->add(from, bytes, emu::AccessKind::Read, 0);
  if (to)
    set->add(to, bytes, emu::AccessKind::Write, 0);
  return set;
}
} // namespace

CUresult Device::allocate(uint64_t &address, size_t bytes) {
  if (!bytes)
    return CUDA_ERROR_INVALID_VALUE;
  if (bytes > deviceMemory() - std::min<uint64_t>(used, deviceMemory()))
    return CUDA_ERROR_OUT_OF_MEMORY;
  used += bytes;
  static uint64_t count = 0;
  address = memory.allocate(bytes, "allocation " + std::to_string(++count),
                            options().checkUninitialized ? emu::Memory::Init::Uninitialized : emu::Memory::Init::Zero,
                            512); // what textures ask for
  return CUDA_SUCCESS;
}

CUresult Device::allocateHost(void *&pointer, size_t bytes, HostRange::Kind kind, unsigned flags) {
  if (!bytes)
    return CUDA_ERROR_INVALID_VALUE;
  if (!mapped)
    mapped = HostMemoryBase;
  for (int attempt = 0; attempt != 64; ++attempt) {
    void *want = reinterpret_cast<void *>(mapped);
    mapped += pages(bytes) + 16 * Page;
    void *p =
        mmap(want, pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (p == MAP_FAILED)
      continue;
    if (p != want) { // a kernel that does not know the flag
      munmap(p, pages(bytes));
      continue;
    }
    uint64_t address = memory.adopt(p, bytes, kind == HostRange::Managed ? "managed memory" : "pinned memory");
    host[uintptr_t(p)] = {bytes, address, flags, kind};
    pointer = p;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult Device::registerHost(void *pointer, size_t bytes, unsigned flags) {
  if (!pointer || !bytes)
    return CUDA_ERROR_INVALID_VALUE;
  uintptr_t base;
  if (hostRange(uintptr_t(pointer), base))
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  uint64_t address = memory.adopt(pointer, bytes, "registered memory");
  if (!address)
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  host[uintptr_t(pointer)] = {bytes, address, flags, HostRange::Registered};
  return CUDA_SUCCESS;
}

bool Device::giveBack(uint64_t address) {
  emu::Allocation *a = memory.find(address);
  if (!a || a->base != address || !a->storage)
    return false;
  used -= std::min<uint64_t>(used, a->size);
  return memory.free(address);
}

CUresult Device::release(uint64_t address) {
  if (!address)
    return CUDA_SUCCESS;
  synchronize();
  if (host.count(address))
    return releaseHost(reinterpret_cast<void *>(address), HostRange::Managed);
  if (giveBack(address))
    return CUDA_SUCCESS;
  char text[96];
  std::snprintf(text, sizeof text,
                "0x%llx is not the address of an allocation: ", static_cast<unsigned long long>(address));
  complain("invalid-free", text + memory.describe(address));
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult Device::releaseHost(void *pointer, HostRange::Kind kind) {
  auto found = host.find(uintptr_t(pointer));
  if (found == host.end() || found->second.kind != kind)
    return kind == HostRange::Registered ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED : CUDA_ERROR_INVALID_VALUE;
  memory.free(found->second.device);
  if (kind != HostRange::Registered)
    munmap(pointer, pages(found->second.bytes));
  host.erase(found);
  return CUDA_SUCCESS;
}

HostRange *Device::hostRange(uintptr_t address, uintptr_t &base) {
  auto after = host.upper_bound(address);
  if (after == host.begin())
    return nullptr;
  auto &[start, range] = *std::prev(after);
  base = start;
  return address - start < range.bytes ? &range : nullptr;
}

uint8_t *Device::reach(uint64_t address, size_t bytes, bool write, const char *what) {
  if (emu::Allocation *a = memory.find(address)) {
    if (uint8_t *p = memory.hostPointer(address, bytes)) {
      if (write && a->shadow)
        std::memset(a->shadow.get() + (address - a->base), 0xff, bytes);
      return p;
    }
    complain("out-of-bounds", std::string(what) + " of " + std::to_string(bytes) + " bytes " + (write ? "to" : "from") +
                                  " an address " + memory.describe(address));
    return nullptr;
  }
  // What was a device's once, or lies just outside of one, is no address of the host.
  if (address < 0x10000 || (address >= emu::GlobalBase && address < HostMemoryBase)) {
    if (std::string text = memory.describe(address); address < 0x10000 || text != "not near any allocation") {
      char number[32];
      std::snprintf(number, sizeof number, "0x%llx", static_cast<unsigned long long>(address));
      complain("out-of-bounds", std::string(what) + " of " + std::to_string(bytes) + " bytes " +
                                    (write ? "to" : "from") + " address " + number + ": " + text);
      return nullptr;
    }
  }
  return reinterpret_cast<uint8_t *>(address);
}

/// What is known to be written of a copy's source is what is known of its destination.
static void copyShadow(emu::Memory &memory, uint64_t to, uint64_t from, size_t bytes) {
  emu::Allocation *t = memory.find(to), *f = memory.find(from);
  if (t && f && t->shadow && f->shadow)
    std::memmove(t->shadow.get() + (to - t->base), f->shadow.get() + (from - f->base), bytes);
}

CUresult Device::copyBox(Stream &stream, Box to, Box from, size_t width, size_t height, size_t depth,
                         const char *what) {
  if (!width || !height || !depth)
    return CUDA_SUCCESS;
  if ((height > 1 && (to.pitch < width || from.pitch < width)))
    return CUDA_ERROR_INVALID_VALUE;
  Work work;
  work.type = 1;
  work.name = what;
  work.run = [=, this](Stream &s) {
    ++totals.copies;
    order.begin(s.agent, !(s.flags & 1));
    auto touched = order.several() && options().checkRaces ? std::make_shared<AccessSet>() : nullptr;
    for (size_t z = 0; z != depth; ++z)
      for (size_t y = 0; y != height; ++y) {
        const uint64_t t = to.address + z * to.slice + y * to.pitch, f = from.address + z * from.slice + y * from.pitch;
        const uint8_t *source = reach(f, width, false, what);
        uint8_t *destination = source ? reach(t, width, true, what) : nullptr;
        if (!destination)
          return CUDA_ERROR_INVALID_VALUE;
        std::memmove(destination, source, width);
        copyShadow(memory, t, f, width);
        if (touched) {
          if (memory.find(f))
            touched->add(f, width, emu::AccessKind::Read, 0);
          if (memory.find(t))
            touched->add(t, width, emu::AccessKind::Write, 0);
        }
      }
    if (touched)
      if (std::string text = order.end(s.agent, what, touched); !text.empty()) {
        complain("stream-order", text);
      }
    return CUDA_SUCCESS;
  };
  return submit(stream, std::move(work));
}

CUresult Device::copy(Stream &stream, uint64_t to, uint64_t from, size_t bytes, const char *what) {
  return copyBox(stream, {to, 0, 0}, {from, 0, 0}, bytes, 1, 1, what);
}

CUresult Device::fill(Stream &stream, uint64_t to, const void *pattern, unsigned size, size_t count, const char *what) {
  if (!count)
    return CUDA_SUCCESS;
  std::vector<uint8_t> value(static_cast<const uint8_t *>(pattern), static_cast<const uint8_t *>(pattern) + size);
  if (to % size)
    return CUDA_ERROR_INVALID_VALUE;
  Work work;
  work.type = 2;
  work.name = what;
  work.run = [=, this](Stream &s) {
    ++totals.copies;
    order.begin(s.agent, !(s.flags & 1));
    uint8_t *destination = memory.find(to) || to < 0x10000 ? reach(to, size * count, true, what) : nullptr;
    if (!destination)
      return CUDA_ERROR_INVALID_VALUE;
    for (size_t k = 0; k != count; ++k)
      std::memcpy(destination + k * size, value.data(), size);
    if (order.several() && options().checkRaces)
      if (std::string text = order.end(s.agent, what, touching(to, 0, size * count)); !text.empty()) {
        complain("stream-order", text);
      }
    return CUDA_SUCCESS;
  };
  return submit(stream, std::move(work));
}
