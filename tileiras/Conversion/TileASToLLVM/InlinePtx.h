//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Instructions that LLVM has no intrinsic for, with what passes on LLVM IR must know
// about them (Support/LoweringFacts.h). PTX 8.0 has all of them that do not say otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_INLINEPTX_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_INLINEPTX_H

#include "tileiras/Conversion/TileASToLLVM/Emitter.h"

namespace mlir::tilellvm {

/// What an instruction does beside computing its result.
enum class Access {
  None,         ///< nothing: it may be moved, and left out
  ReadsGlobal,  ///< reads global memory, and orders nothing
  WritesGlobal, ///< reads and writes global memory only, and orders nothing
  Any           ///< may access any memory, or order accesses to it
};

/// `text` in PTX, its operands $0, $1, ... the results followed by `operands`, with LLVM's `constraints`. A null
/// `result` is none. `ptxVersion`, times ten, is the one that brought the instruction.
///
///     inlinePtx(e, e.f32Ty(), {x}, "tanh.approx.f32 $0, $1;", "=f,f", Access::None)
Value inlinePtx(Emitter &e, Type result, ValueRange operands, const Twine &text, StringRef constraints, Access access,
                int ptxVersion = 80);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_INLINEPTX_H
