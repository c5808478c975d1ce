//===- SmemDescriptorValue.h - Descriptors as values ------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The descriptor of a tile in shared memory (PTX ISA, "Matrix-descriptor-format") is 64 bits, of which only the low 14
// depend on where the tile is. In a loop over the stages of a ring the tile moves by multiples of 16 bytes, so its
// descriptor is `low + stage * (bytes of a stage / 16)`, one instruction of 32 bits, beside a high half that is
// constant; and the descriptors of the tile's instructions are that one plus constants, one instruction each.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_SMEMDESCRIPTORVALUE_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_SMEMDESCRIPTORVALUE_H

#include "tileiras/Conversion/TileASToLLVM/Emitter.h"

namespace mlir::tilellvm {

/// The descriptor, i64, of what begins `offset` bytes (i32, a multiple of 16; null: none) behind `address`, a pointer
/// to shared memory. `fields`: all of the descriptor but the address. LLVM does not look into the result, so that
/// constants that are added to it stay constants of additions.
///
///     %first = descriptor(%tile + %stage * 16384, %group * 8192, fields)   // 2 instructions in the loop
///     %next = add %first, 2                                               // the next 32 bytes
Value descriptorOf(Emitter &e, Value address, Value offset, uint64_t fields);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_SMEMDESCRIPTORVALUE_H
