//===- Version.cpp - Versions of Tile IR bytecode -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Bytecode/Version.h"

using namespace mlir::cuda_tile;

llvm::ArrayRef<BytecodeVersion> BytecodeVersion::all() {
  static constexpr BytecodeVersion versions[] = {v13_1, v13_2, v13_3, v13_4};
  return versions;
}

std::string BytecodeVersion::str() const { return std::to_string(majorNumber) + "." + std::to_string(minorNumber); }

std::string BytecodeVersion::supportedRange() { return oldest().str() + " - " + latest().str(); }

std::optional<BytecodeVersion> BytecodeVersion::parse(llvm::StringRef text) {
  auto [first, second] = text.trim().split('.');
  BytecodeVersion version;
  if (first.getAsInteger(10, version.majorNumber) || second.getAsInteger(10, version.minorNumber) ||
      !version.isSupported())
    return std::nullopt;
  return version;
}
