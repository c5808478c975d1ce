//===- InstClass.h - Statistics classes of instructions ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_PTX_INSTCLASS_H
#define TILEIRAS_EMULATOR_PTX_INSTCLASS_H

#include <cstdint>

namespace tileiras::emu {

/// What an instruction is counted as.
enum class InstClass : uint8_t {
  Integer,
  Logic,
  Float32,
  Float64,
  Half,
  Convert,
  Compare,
  Move,
  Special,
  Load,
  Store,
  Atomic,
  Branch,
  Call,
  Barrier,
  Warp,
  Fence,
  Async,
  Matrix,
  Other,
  Count
};
constexpr unsigned NumInstClasses = unsigned(InstClass::Count);
const char *instClassName(InstClass c);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_PTX_INSTCLASS_H
