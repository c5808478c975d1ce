//===- MathLibrary.cpp - Functions in place of libdevice ----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/MathLibrary.h"

namespace {
const unsigned char exponential[] = {
#include "Exponential.bc.inc"
};
const unsigned char trigonometric[] = {
#include "Trigonometric.bc.inc"
};

template <size_t size> llvm::StringRef text(const unsigned char (&bytes)[size]) {
  return {reinterpret_cast<const char *>(bytes), size};
}
} // namespace

llvm::ArrayRef<llvm::StringRef> tileiras::mathLibrary() {
  static const llvm::StringRef parts[] = {text(exponential), text(trigonometric)};
  return parts;
}
