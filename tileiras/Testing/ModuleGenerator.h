//===- ModuleGenerator.h - Random cuda_tile modules -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Modules for property tests and for comparing engines. One entry, made from a
// seed; the same seed and options give the same text on every host.
//
// The modules are valid, and running them is defined: every access is in
// bounds, memory operations hang on one chain of tokens, stores of one
// operation do not overlap, divisors are not zero, shifts are not too far,
// assumptions hold. They are meant for the grid that is given with them.
//
// It writes text, not operations, so that it needs no MLIR and also tests the parser.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_TESTING_MODULEGENERATOR_H
#define TILEIRAS_TESTING_MODULEGENERATOR_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tileiras {

struct GeneratorOptions {
  /// What the module may use; combine with |.
  enum Feature : uint32_t {
    Integers = 1u << 0,
    Floats = 1u << 1,
    Math = 1u << 2, ///< exp, sin, ...: results differ in the last bits between implementations
    Conversions = 1u << 3,
    Shapes = 1u << 4,
    ControlFlow = 1u << 5,
    Aggregates = 1u << 6, ///< reduce, scan
    Pointers = 1u << 7,   ///< load_ptr_tko, store_ptr_tko
    Views = 1u << 8,
    Atomics = 1u << 9,
    Matrix = 1u << 10,
    Assumes = 1u << 11,
    Hints = 1u << 12,
    Globals = 1u << 13,
    Locals = 1u << 14,      ///< alloca
    Prints = 1u << 15,      ///< print_tko, assert
    SmallFloats = 1u << 16, ///< tf32 and the 8- and 4-bit formats
    AllFeatures = (1u << 17) - 1,
  };

  uint64_t seed = 0;
  uint32_t features = AllFeatures;
  unsigned numOperations = 40; ///< about; helpers of an operation are not counted
  unsigned maxDepth = 2;       ///< of nested control flow
  int64_t maxElements = 256;   ///< of a tile, at least 1
  unsigned minorVersion = 4;   ///< the module can be written as bytecode of 13.minorVersion
  /// Only operations of which every implementation must give the same bits: no approximations, no sums of floats in an
  /// unspecified order, no bits of NaNs.
  bool exact = false;
  bool parameters = false; ///< numbers that matter (bounds of loops, extents) are often parameters, not constants
  unsigned maxRank = 3;    ///< of a tile; a few tiles have more
  unsigned maxBlocks = 1;  ///< of the grid; each works on its own part of every array that is written
};

struct GeneratedModule {
  std::string text;
  std::string entry; ///< the entry's name
  /// One per parameter, in the form of tileiras-run's ARGs.
  std::vector<std::string> arguments;
  std::array<int64_t, 3> grid{1, 1, 1};
};

GeneratedModule generateModule(const GeneratorOptions &options);

} // namespace tileiras

#endif // TILEIRAS_TESTING_MODULEGENERATOR_H
