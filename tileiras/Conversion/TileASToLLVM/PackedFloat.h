//===- PackedFloat.h - Two f32 at a time ------------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where the target adds and multiplies two f32 by one instruction (PTX ISA, "add", .f32x2), and a thread has many
// elements, neighbouring registers are computed together. It takes as long in the pipe as two instructions, but one
// slot of the scheduler, which others need (the softmax of attention: special functions of two warps, and conversions).
// Both halves are rounded as one alone is.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_PACKEDFLOAT_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_PACKEDFLOAT_H

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"

namespace mlir::tilellvm {

/// Whether packed arithmetic on tiles of so many registers of a thread is worth it for the target.
bool packsFloats(Operation *op, size_t registers);

/// Two f32 as one value, and each of them again.
Value packFloats(Emitter &e, Value low, Value high);
Value unpackFloat(Emitter &e, Value pair, unsigned which);

void populatePackedFloatPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_PACKEDFLOAT_H
