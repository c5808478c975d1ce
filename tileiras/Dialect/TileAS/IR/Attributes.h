//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The discardable attributes of nv_tileas: names, where they stand, what they say.
// (Those that reach LLVM IR: tileiras/Support/LoweringFacts.h.)
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_ATTRIBUTES_H
#define TILEIRAS_DIALECT_TILEAS_IR_ATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::nv_tileas {

// On kernels.

/// Unit: the blocks of its cluster share the work (tileas-slice-tiles). Without it the first block does everything.
inline constexpr llvm::StringLiteral kDividedClusterAttr = "nv_tileas.divided_cluster";
/// i64: bytes of shared memory that alloc_tensor operations take (tileas-optimize-alloc-tensor).
inline constexpr llvm::StringLiteral kSharedBytesAttr = "nv_tileas.shared_bytes";

/// Two i64: the columns of tensor memory that the kernel takes, and the offset in its shared memory of 16 bytes, for
/// their address and for the mbarrier at which products arrive (tileas-optimize-alloc-tensor).
inline constexpr llvm::StringLiteral kTensorMemoryAttr = "nv_tileas.tensor_memory";

/// Symbol, on kernels during convert-nv-tileas-to-llvm: the global that is their shared memory.
inline constexpr llvm::StringLiteral kSmemSymbolAttr = "nv_tileas.global_smem";

/// Unit, likewise: it stores halves of bytes, which threads share (Conversion/TileASToLLVM/NibbleMemory.h).
inline constexpr llvm::StringLiteral kStoresHalvesAttr = "nv_tileas.stores_halves";

// On operations.

/// i64, likewise: byte offset of the operation's scratch memory (nv_tileas.with_scratch).
inline constexpr llvm::StringLiteral kScratchOffsetAttr = "nv_tileas.scratch_offset";

/// Unit, on memory operations during convert-nv-tileas-to-llvm: all threads must meet before it (MemoryOrder.cpp).
inline constexpr llvm::StringLiteral kBarrierBeforeAttr = "nv_tileas.barrier_before";

/// Unit, on copies: each thread reads from shared memory what it wrote itself (tileas-optimize-alloc-tensor).
inline constexpr llvm::StringLiteral kNoRawBarrierAttr = "nv_tileas.no_raw_barrier";
/// Unit, on copies into shared memory and waits for asynchronous ones: matrix units or bulk copies, which reach memory
/// through the async proxy, read the tile. Who writes it says so with a proxy fence before the threads meet (PTX ISA,
/// "Async proxy").
inline constexpr llvm::StringLiteral kAsyncProxyAttr = "nv_tileas.async_proxy";
/// Unit, on copies: the root of a copy between registers that moves element by element
/// (tileas-materialize-convert-layout).
inline constexpr llvm::StringLiteral kRootRegToRegCopyAttr = "nv_tileas.root_reg_to_reg_copy_op";

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_ATTRIBUTES_H
