//===- Attributes.cpp - What the device says of itself ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Device.h"
#include "tileiras/Device/Options.h"
#include "tileiras/Emulator/Machine/Occupancy.h"

#include <algorithm>
#include <unistd.h>

using namespace tileiras::device;

size_t tileiras::device::deviceMemory() {
  // The host's memory is the device's; half of it, so that both have some.
  static const size_t bytes =
      std::min(size_t(16) << 30, size_t(sysconf(_SC_PHYS_PAGES)) / 2 * size_t(sysconf(_SC_PAGESIZE)));
  return bytes;
}

const char *tileiras::device::deviceName() {
  static const std::string name = "open-tileiras emulator (" + options().target + ")";
  return name.c_str();
}

/// Sizes of textures and surfaces (Programming Guide, "Technical Specifications per Compute Capability"), by attribute.
static int textureLimit(int attribute) {
  static constexpr struct {
    int attribute, value;
  } limits[] = {{21, 131072}, {22, 131072},  {23, 65536}, {24, 16384}, {25, 16384}, {26, 16384},   {27, 32768},
                {28, 32768},  {29, 2048},    {42, 32768}, {43, 2048},  {45, 32768}, {46, 32768},   {47, 8192},
                {48, 8192},   {49, 32768},   {52, 32768}, {53, 32768}, {54, 2046},  {55, 32768},   {56, 131072},
                {57, 65536},  {58, 16384},   {59, 16384}, {60, 16384}, {61, 32768}, {62, 2048},    {63, 32768},
                {64, 32768},  {65, 2048},    {66, 32768}, {67, 32768}, {68, 2046},  {69, 1 << 28}, {70, 131072},
                {71, 65000},  {72, 2097120}, {73, 32768}, {74, 32768}, {77, 32768}};
  for (const auto &limit : limits)
    if (limit.attribute == attribute)
      return limit.value;
  return 0;
}

bool tileiras::device::deviceAttribute(int attribute, int &value) {
  const emu::SmLimits &l = *emu::limitsOf(options().target);
  const unsigned sm = unsigned(l.computeCapability);
  if (attribute < 1 || attribute > 147)
    return false;
  // CUdevice_attribute; CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". What is not here
  // (peers, graphics, decompression, processes) is 0: there is none.
  switch (attribute) {
  case 1: // MAX_THREADS_PER_BLOCK
  case 2:
  case 3:
    value = 1024;
    break;
  case 4: // MAX_BLOCK_DIM_Z
    value = 64;
    break;
  case 5: // MAX_GRID_DIM_X
    value = 0x7fffffff;
    break;
  case 6:
  case 7:
    value = 65535;
    break;
  case 8: // MAX_SHARED_MEMORY_PER_BLOCK
    value = 49152;
    break;
  case 9: // TOTAL_CONSTANT_MEMORY
    value = 65536;
    break;
  case 10: // WARP_SIZE
    value = 32;
    break;
  case 11: // MAX_PITCH
    value = 0x7fffffff;
    break;
  case 12: // MAX_REGISTERS_PER_BLOCK
  case 82: // per multiprocessor
    value = 65536;
    break;
  case 13: // CLOCK_RATE, kHz
    value = 1000000;
    break;
  case 14: // TEXTURE_ALIGNMENT
  case 30:
    value = 512;
    break;
  case 51: // TEXTURE_PITCH_ALIGNMENT
    value = 32;
    break;
  case 16: // MULTIPROCESSOR_COUNT
    value = int(l.multiprocessors);
    break;
  case 36: // MEMORY_CLOCK_RATE, kHz
    value = 1000000;
    break;
  case 37: // GLOBAL_MEMORY_BUS_WIDTH
    value = 1024;
    break;
  case 38: // L2_CACHE_SIZE
    value = 32 << 20;
    break;
  case 39: // MAX_THREADS_PER_MULTIPROCESSOR
    value = int(32 * l.warps);
    break;
  case 40: // ASYNC_ENGINE_COUNT
    value = 1;
    break;
  case 15:  // GPU_OVERLAP
  case 19:  // CAN_MAP_HOST_MEMORY
  case 31:  // CONCURRENT_KERNELS
  case 41:  // UNIFIED_ADDRESSING
  case 78:  // STREAM_PRIORITIES_SUPPORTED
  case 79:  // GLOBAL_L1_CACHE_SUPPORTED
  case 80:  // LOCAL_L1_CACHE_SUPPORTED
  case 83:  // MANAGED_MEMORY
  case 86:  // HOST_NATIVE_ATOMIC_SUPPORTED
  case 89:  // CONCURRENT_MANAGED_ACCESS
  case 90:  // COMPUTE_PREEMPTION_SUPPORTED
  case 95:  // COOPERATIVE_LAUNCH
  case 99:  // HOST_REGISTER_SUPPORTED
  case 101: // DIRECT_MANAGED_MEM_ACCESS_FROM_HOST
  case 102: // VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
  case 115: // MEMORY_POOLS_SUPPORTED
  case 129: // UNIFIED_FUNCTION_POINTERS
    value = 1;
    break;
  case 75: // COMPUTE_CAPABILITY_MAJOR
    value = int(sm / 10);
    break;
  case 76:
    value = int(sm % 10);
    break;
  case 81: // MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
    value = int(l.sharedKiB * 1024);
    break;
  case 87: // SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO
    value = sm == 70 || sm == 80 || sm == 90 || sm == 100 ? 2 : 64;
    break;
  case 97: // MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    value = int(emu::sharedBytesPerBlock(options().target));
    break;
  case 106: // MAX_BLOCKS_PER_MULTIPROCESSOR
    value = int(l.blocks);
    break;
  case 111: // RESERVED_SHARED_MEMORY_PER_BLOCK
    value = sm >= 80 ? 1024 : 0;
    break;
  case 120: // CLUSTER_LAUNCH
  case 127: // TENSOR_MAP_ACCESS_SUPPORTED
    value = sm >= 90;
    break;
  case 126: // MEM_SYNC_DOMAIN_COUNT
    value = sm >= 90 ? 4 : 1;
    break;
  case 131: // NUMA_ID
  case 134: // HOST_NUMA_ID
    value = -1;
    break;
  default:
    value = textureLimit(attribute);
  }
  return true;
}
