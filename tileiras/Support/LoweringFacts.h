//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a lowering tells the passes on LLVM IR about code that these cannot look into.
//
// LLVM takes inline PTX with side effects for a write of any memory. Whoever writes such
// an instruction knows better, and says so with an attribute on llvm.inline_asm, which
// becomes metadata of the same name on the call. Inline PTX without it may be anything,
// an asynchronous instruction too.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_LOWERINGFACTS_H
#define TILEIRAS_SUPPORT_LOWERINGFACTS_H

namespace tileiras {

/// On llvm.inline_asm, and metadata on its call: a string, one of the following. All of them say that the instruction
/// is synchronous: its results are there, and its accesses done or in order, when it has been issued.
inline constexpr const char *kAccessFact = "nv_tileas.access";
/// Only reads global memory, and orders nothing.
inline constexpr const char *kReadsGlobal = "global_load";
/// Reads and writes no memory but global memory, and orders nothing.
inline constexpr const char *kWritesGlobal = "global_store";
/// May access, or order accesses to, any memory.
inline constexpr const char *kAccessesAny = "any";

/// On llvm.inline_asm, the PTX version, times ten, that its text needs; on a gpu.module, that all its operations need.
inline constexpr const char *kPtxVersionAttr = "nvgpu.ptx_version";

/// On a kernel: the bytes of shared memory that its launch must give it, an i64.
inline constexpr const char *kDynamicSharedBytesAttr = "nv_tileas.dynamic_shared_bytes";

/// String "device", on a gpu.module: kernels may have all the shared memory that the device gives a block, also where a
/// static array is limited to 48 KiB (Compiler/StaticShared.h). What exceeds the limit is dynamic in PTX.
inline constexpr const char *kStaticSharedAttr = "nv_tileas.static_shared";

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_LOWERINGFACTS_H
