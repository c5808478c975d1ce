//===- TargetTable.h - What each GPU target can do, as data -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One row per sm. A pass that wants to know "can this target do X" reads a field of the row; it
// never compares compute capabilities. Adding a target is adding a row.
//
// The name a user gives and the name we compile for differ. The plain targets sm_90 and up lack the
// architecture-specific instructions (wgmma, tcgen05, block-scaled mma, tensormap.replace), and
// the assembler holds them to 48 KiB of static shared memory, while every front end launches with
// zero bytes of dynamic shared memory. So "sm_90" is compiled as "sm_90a", and so on. A family name
// ("sm_100f") is taken at its word: portable inside the family, without what only the `a` target
// has.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_TARGETTABLE_H
#define TILEIRAS_SUPPORT_TARGETTABLE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tileiras {

/// How tiles travel from global to shared memory.
enum class CopyFamily : uint8_t {
  CpAsync, ///< cp.async, completion by commit/wait groups
  Tma,     ///< bulk tensor copies completing on mbarriers (cp.async exists as well)
};

/// The best matrix unit of the target.
enum class MmaFamily : uint8_t {
  MmaSync, ///< warp-wide mma.sync with operands in registers
  Wgmma,   ///< warpgroup-wide wgmma.mma_async, operands in shared memory (sm_90a only)
  Tcgen05, ///< tcgen05.mma with accumulators in tensor memory
};

const char *toString(CopyFamily family);
const char *toString(MmaFamily family);

struct TargetInfo {
  const char *name;       ///< what the user writes: "sm_90"
  const char *compiledAs; ///< `.target` and -mcpu: "sm_90a"
  int computeCapability;  ///< 90, 100, ...
  int minPtx;             ///< lowest PTX ISA version that knows `compiledAs`, times ten: 80 is PTX 8.0
  CopyFamily copyFamily;
  MmaFamily mmaFamily;

  // Shared memory, in bytes for one block.
  int maxStaticShared;  ///< largest `.shared` array the assembler takes for `compiledAs`
  int maxDynamicShared; ///< largest amount with the opt-in launch attribute
  int sharedPerSm;      ///< what the resident blocks of one SM divide between them

  // Occupancy.
  int registersPerSm;
  int maxRegistersPerThread;
  int maxWarpsPerSm;
  int maxBlocksPerSm;
  int tensorMemoryColumns; ///< 32-bit columns of 128 lanes; 0 without tensor memory

  /// Widest ld/st.global, in bytes (ld.v8.b32 from PTX 8.8 on sm_100+). Shared accesses stop at 16
  /// everywhere.
  int maxGlobalVectorBytes;

  bool clusters;         ///< thread block clusters, distributed shared memory, fence.proxy.async, mbarrier
                         ///< tx
  bool dependentLaunch;  ///< griddepcontrol
  bool launchControl;    ///< clusterlaunchcontrol
  bool archSpecific;     ///< an `a` target
  bool familySpecific;   ///< an `a` or `f` target
  bool setMaxNReg;       ///< setmaxnreg
  bool tensormapReplace; ///< building TMA descriptors on the device
  bool stmatrix;
  bool ldmatrixB8;    ///< ldmatrix/stmatrix of 8-bit matrices and of packed 4/6-bit ones
  bool bf16Arith;     ///< add/sub/mul.bf16; below it only fma, min, max, neg, abs
  bool bf16IntCvt;    ///< cvt between bf16 and integers or f16
  bool tf32RnCvt;     ///< cvt.rn.tf32 (cvt.rna.tf32 exists everywhere)
  bool fp8Cvt;        ///< cvt e4m3x2, e5m2x2
  bool fp8MmaSync;    ///< mma.sync on e4m3/e5m2
  bool fp8MmaWidened; ///< ptxas makes it of f16 products, as registers and code size show (docs/spills.md)
  bool fp6fp4Cvt;     ///< cvt e2m1x2, e2m3x2, e3m2x2, ue8m0x2
  bool stochasticCvt; ///< cvt.rs
  bool f32x2;         ///< packed two-lane f32 add, mul, fma
  bool reduxF32;      ///< redux.sync.{min,max}.f32
  /// ptxas counts loops in uniform registers, of which addresses of shared memory take one beside a thread's own
  /// register and a number (ptxas 13.0: [R98+UR4+0x200] in every loop of mma.sync from sm_90 on, in none before).
  bool uniformAddresses;
  bool vectorAtomics;  ///< vector and bf16 atom/red on global memory
  bool blockScaledMma; ///< mma.sync.block_scale or tcgen05.mma.block_scale
  bool tcgen05Int8;    ///< tcgen05.mma kind::i8

  /// "+ptx80": what LLVM's NVPTX back end wants for this PTX version, never lower than the target
  /// needs.
  std::string ptxFeature(int ptxVersion = 0) const;

  bool hasTma() const { return copyFamily == CopyFamily::Tma; }
  bool hasTcgen05() const { return mmaFamily == MmaFamily::Tcgen05; }
  bool hasWgmma() const { return mmaFamily == MmaFamily::Wgmma; }
};

/// What a multiprocessor has, by compute capability: CUDA C++ Programming Guide, "Technical Specifications per Compute
/// Capability". Every one has 65536 registers. Also of GPUs that are no targets of the compiler: the emulator runs
/// their PTX.
struct SmLimits {
  int computeCapability;
  int warps, blocks;
  int sharedKiB;         ///< what its blocks divide between them
  int reservedPerBlock;  ///< bytes of that which the system keeps of each block
  int sharedGranularity; ///< bytes in which it is allocated
  /// Dense f16 multiply-adds a cycle, from the data sheets' peak rate, boost clock and number of SMs (0: not known).
  /// Other types go by the bits of an element: twice as many of 8 bits, half as many of tf32.
  int f16MultiplyAdds;
  /// Of V100, Xavier, T4, A100, RTX 3090, Orin, RTX 4090, H100 SXM, B200, B300, Thor, RTX PRO 6000, GB10 (0: not
  /// known).
  int multiprocessors;
};

/// The row of a compute capability, or null.
const SmLimits *lookupSmLimits(int computeCapability);

/// All rows the user may name in their plain form, ascending.
const std::vector<TargetInfo> &allTargets();

/// Finds a target by any of its names: "sm_90", "sm_90a", "sm_100f", "compute_90", "90", "90a".
/// Returns null when there is none and then says in `error` which names would do.
const TargetInfo *lookupTarget(std::string_view name, std::string *error = nullptr);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_TARGETTABLE_H
