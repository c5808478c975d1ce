//===- Memory.cpp - Global memory of the emulated device --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Memory/Memory.h"

#include "tileiras/Emulator/Machine/Launch.h"
#include "tileiras/Emulator/Machine/Memory/DeviceHeap.h"
#include "tileiras/Emulator/Machine/Program.h"
#include "tileiras/Emulator/Machine/Texture/Texture.h"

#include <algorithm>
#include <cstring>

using namespace tileiras::emu;

Memory::Memory() = default;
Memory::~Memory() = default;

TextureTable &Memory::textures() {
  if (!textureTable)
    textureTable = std::make_unique<TextureTable>();
  return *textureTable;
}

DeviceHeap &Memory::heap() {
  if (!deviceHeap)
    deviceHeap = std::make_unique<DeviceHeap>(*this);
  return *deviceHeap;
}

Allocation *Memory::insert(uint64_t base, uint64_t bytes, std::string name, Init init) {
  auto a = std::make_unique<Allocation>();
  a->base = base;
  a->size = bytes;
  a->name = std::move(name);
  a->storage = std::make_unique<uint8_t[]>(bytes + 512);
  a->data = reinterpret_cast<uint8_t *>((reinterpret_cast<uintptr_t>(a->storage.get()) + 255) & ~uintptr_t(255));
  std::memset(a->data, init == Init::Zero ? 0 : 0xcd, bytes);
  if (init == Init::Uninitialized)
    a->shadow = std::make_unique<uint8_t[]>(bytes + 64);
  auto at = std::lower_bound(sorted.begin(), sorted.end(), base,
                             [](const std::unique_ptr<Allocation> &x, uint64_t b) { return x->base < b; });
  return sorted.insert(at, std::move(a))->get();
}

uint64_t Memory::allocate(uint64_t bytes, std::string name, Init init, uint64_t align) {
  align = std::max<uint64_t>(align, 256);
  uint64_t base = (next + align - 1) & ~(align - 1);
  // A gap of at least 64 KiB after every allocation, so that overruns are seen.
  next = base + ((bytes + 0xffff) & ~uint64_t(0xffff)) + 0x10000;
  return insert(base, bytes, std::move(name), init)->base;
}

uint64_t Memory::adopt(void *host, uint64_t bytes, std::string name) {
  uint64_t base = reinterpret_cast<uintptr_t>(host);
  // Elsewhere are the windows of the other state spaces.
  if (base < GlobalBase || base + bytes > SharedWindow) {
    base = next + (reinterpret_cast<uintptr_t>(host) & 0xffff);
    next += ((bytes + 0xffff) & ~uint64_t(0xffff)) + 0x20000;
  }
  auto at = std::lower_bound(sorted.begin(), sorted.end(), base,
                             [](const std::unique_ptr<Allocation> &x, uint64_t b) { return x->base < b; });
  if ((at != sorted.end() && (*at)->base < base + bytes) ||
      (at != sorted.begin() && (*std::prev(at))->base + (*std::prev(at))->size > base))
    return 0;
  auto a = std::make_unique<Allocation>();
  a->base = base;
  a->size = bytes;
  a->name = std::move(name);
  a->data = static_cast<uint8_t *>(host);
  sorted.insert(at, std::move(a));
  return base;
}

bool Memory::free(uint64_t address) {
  auto at = std::lower_bound(sorted.begin(), sorted.end(), address,
                             [](const std::unique_ptr<Allocation> &x, uint64_t b) { return x->base < b; });
  if (at == sorted.end() || (*at)->base != address)
    return false;
  if (freed.size() == 256)
    freed.pop_front();
  freed.push_back({(*at)->base, (*at)->size, std::move((*at)->name)});
  sorted.erase(at);
  return true;
}

Allocation *Memory::find(uint64_t address) {
  auto at = std::upper_bound(sorted.begin(), sorted.end(), address,
                             [](uint64_t b, const std::unique_ptr<Allocation> &x) { return b < x->base; });
  if (at == sorted.begin())
    return nullptr;
  Allocation *a = (--at)->get();
  return address - a->base < a->size ? a : nullptr;
}

uint8_t *Memory::hostPointer(uint64_t address, uint64_t bytes) {
  Allocation *a = find(address);
  if (!a || bytes > a->size - (address - a->base))
    return nullptr;
  return a->data + (address - a->base);
}

bool Memory::copyIn(uint64_t address, const void *source, uint64_t bytes) {
  if (bytes == 0)
    return true;
  uint8_t *p = hostPointer(address, bytes);
  if (!p)
    return false;
  std::memcpy(p, source, bytes);
  Allocation *a = find(address);
  if (a->shadow)
    std::memset(a->shadow.get() + (address - a->base), 0xff, bytes);
  return true;
}

bool Memory::copyOut(uint64_t address, void *destination, uint64_t bytes) const {
  if (bytes == 0)
    return true;
  uint8_t *p = const_cast<Memory *>(this)->hostPointer(address, bytes);
  if (!p)
    return false;
  std::memcpy(destination, p, bytes);
  return true;
}

bool Memory::fill(uint64_t address, uint8_t value, uint64_t bytes) {
  if (bytes == 0)
    return true;
  uint8_t *p = hostPointer(address, bytes);
  if (!p)
    return false;
  std::memset(p, value, bytes);
  Allocation *a = find(address);
  if (a->shadow)
    std::memset(a->shadow.get() + (address - a->base), 0xff, bytes);
  return true;
}

std::string Memory::describe(uint64_t address) const {
  if (!find(address))
    for (auto f = freed.rbegin(); f != freed.rend(); ++f)
      if (address - f->base < f->size)
        return "at byte " + std::to_string(address - f->base) + " of '" + f->name + "' (" + std::to_string(f->size) +
               " bytes), which has been freed";
  const Allocation *nearest = nullptr;
  uint64_t distance = ~uint64_t(0);
  for (const auto &a : sorted) {
    uint64_t d = address < a->base ? a->base - address : address - a->base < a->size ? 0 : address - a->base - a->size;
    if (d < distance) {
      distance = d;
      nearest = a.get();
    }
  }
  if (!nearest || distance > (uint64_t(1) << 30))
    return "not near any allocation";
  char buffer[160];
  const char *where = address < nearest->base                   ? "before"
                      : address - nearest->base < nearest->size ? "inside, at byte"
                                                                : "past the end of";
  if (address >= nearest->base && address - nearest->base < nearest->size)
    std::snprintf(buffer, sizeof buffer, "at byte %llu of '%.60s' (%llu bytes)",
                  static_cast<unsigned long long>(address - nearest->base), nearest->name.c_str(),
                  static_cast<unsigned long long>(nearest->size));
  else
    std::snprintf(buffer, sizeof buffer, "%llu bytes %s '%.60s' (%llu bytes)",
                  static_cast<unsigned long long>(distance), where, nearest->name.c_str(),
                  static_cast<unsigned long long>(nearest->size));
  return buffer;
}

bool Memory::load(const Module &module, std::string &error) {
  if (!loaded.insert(module.id()).second)
    return true;
  const ParsedModule &ast = *module.program().ast;
  for (const Variable &v : ast.variables) {
    if (v.space != Space::Global || v.isExtern)
      continue;
    Allocation *a = insert(v.offset, v.size, v.name, Init::Zero); // PTX: variables without initialiser are zero
    std::memcpy(a->data, v.image.data(), std::min<uint64_t>(v.size, v.image.size()));
  }
  (void)error;
  return true;
}

uint64_t Memory::symbolAddress(const Module &module, const std::string &name) const {
  if (!loaded.count(module.id()))
    return 0;
  for (const Variable &v : module.program().ast->variables)
    if (v.space == Space::Global && v.name == name && !v.isExtern)
      return v.offset;
  return 0;
}
