//===- MathLibrary.h - Functions in place of libdevice ------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Without a CUDA toolkit there is no libdevice.10.bc. The functions that cuda_tile needs of it are written out in
// MathLibrary/*.c, under the same names, compiled to bitcode when the compiler is built and kept inside it. Those of
// f64 are within one unit in the last place, those of f32 are f64's, rounded: more exact than libdevice, and slower on
// GPUs with few f64 units.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CODEGEN_MATHLIBRARY_H
#define TILEIRAS_CODEGEN_MATHLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tileiras {

/// The bitcode of its parts.
llvm::ArrayRef<llvm::StringRef> mathLibrary();

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_MATHLIBRARY_H
