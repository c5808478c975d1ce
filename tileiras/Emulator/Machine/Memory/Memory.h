//===- Memory.h - Global memory of the emulated device ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Global memory is a list of named allocations at virtual 64-bit addresses which are not host addresses: a pointer
// that a kernel computes wrongly can never reach the host. Between two allocations lies an unmapped gap, so an
// access that runs off the end of one array does not land in the next.
//
// An allocation is either initialised (copied in or filled by the host, or asked for as such) or has a shadow with
// one byte per byte which records what has been written; loads of unwritten bytes are reported.
//
// Not thread safe against a running launch, except for launches themselves (allocations do not change during one).
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_MEMORY_MEMORY_H
#define TILEIRAS_EMULATOR_MACHINE_MEMORY_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tileiras::emu {

class DeviceHeap;
class Module;
class TextureTable;

/// The `.global` variables of module number n live at ModuleBase + n * ModuleStride, in every Memory.
constexpr uint64_t ModuleBase = 0x0000'0100'0000'0000;
constexpr uint64_t ModuleStride = uint64_t(1) << 32;
/// "Addresses" of functions; not readable.
constexpr uint64_t FunctionWindow = 0x0000'0001'0000'0000;

/// Bases of the windows through which generic addresses reach the other state spaces. Everything in
/// [GlobalBase, SharedWindow) is global.
constexpr uint64_t GlobalBase = 0x0000'0002'0000'0000;
constexpr uint64_t SharedWindow = 0x0000'7f10'0000'0000;
constexpr uint64_t LocalWindow = 0x0000'7f20'0000'0000;
constexpr uint64_t ParamWindow = 0x0000'7f30'0000'0000;
constexpr uint64_t ConstWindow = 0x0000'7f40'0000'0000;
constexpr uint64_t WindowSize = uint64_t(1) << 32;

struct Allocation {
  uint64_t base = 0;
  uint64_t size = 0;
  std::string name;
  std::unique_ptr<uint8_t[]> storage;
  uint8_t *data = nullptr;           ///< 256-byte aligned start inside storage
  std::unique_ptr<uint8_t[]> shadow; ///< null: all bytes count as written; else 1 = written
  bool readOnly = false;
};

class Memory {
public:
  Memory();
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  enum class Init {
    Uninitialized, ///< loads before a store are reported (the bytes are filled with a pattern that is not 0)
    Zero           ///< all bytes 0, counted as written
  };

  /// Returns the virtual address, aligned to 256 (or `align`, a power of two, if larger). Size 0 gives a valid
  /// address without bytes. Names appear in reports.
  uint64_t allocate(uint64_t bytes, std::string name, Init init = Init::Uninitialized, uint64_t align = 256);
  /// Makes `bytes` of the host's memory global memory, at `address` if kernels can reach it there, else at an address
  /// of the emulator's choice, which it returns. All bytes count as written. 0 if the range overlaps an allocation.
  uint64_t adopt(void *host, uint64_t bytes, std::string name);
  /// What `malloc` and `free` of kernels work on.
  DeviceHeap &heap();
  /// Texture and surface objects (Texture/Texture.h). Not changed during a launch.
  TextureTable &textures();
  /// Frees the allocation starting at `address`; false if there is none.
  bool free(uint64_t address);

  /// Host access; false (and nothing is copied) if the range is not inside one allocation.
  bool copyIn(uint64_t address, const void *source, uint64_t bytes);
  bool copyOut(uint64_t address, void *destination, uint64_t bytes) const;
  bool fill(uint64_t address, uint8_t value, uint64_t bytes);

  /// The allocation that contains `address`, or null.
  Allocation *find(uint64_t address);
  const Allocation *find(uint64_t address) const { return const_cast<Memory *>(this)->find(address); }
  /// "12 bytes past the end of 'x' (4096 bytes at 0x200000000)", for reports.
  std::string describe(uint64_t address) const;
  /// Host pointer of a range, null if it is not inside one allocation. Valid until the allocation is freed.
  uint8_t *hostPointer(uint64_t address, uint64_t bytes);

  /// Gives the module's `.global` variables (with their initialisers) addresses in this memory. Done by the first
  /// launch; later calls do nothing. Returns false and sets `error` if an initialiser cannot be resolved.
  bool load(const Module &module, std::string &error);
  /// Address of a module-scope `.global` variable of a loaded module, 0 if unknown.
  uint64_t symbolAddress(const Module &module, const std::string &name) const;

  const std::vector<std::unique_ptr<Allocation>> &allocations() const { return sorted; }

private:
  std::vector<std::unique_ptr<Allocation>> sorted; ///< by base
  Allocation *insert(uint64_t base, uint64_t bytes, std::string name, Init init);
  std::set<uint64_t> loaded; ///< module ids
  uint64_t next = GlobalBase;
  struct Freed {
    uint64_t base, size;
    std::string name;
  };
  std::deque<Freed> freed; ///< the latest, for reports of those who still use them
  std::unique_ptr<DeviceHeap> deviceHeap;
  std::unique_ptr<TextureTable> textureTable;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_MEMORY_MEMORY_H
