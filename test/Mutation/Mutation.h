//===- Mutation.h - Removing and altering synchronisation -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How good are the checks of the emulator? Correct asynchronous kernels (*.ptx in this folder) are broken in one place
// at a time: a synchronising instruction is removed or altered. A mutant is caught when some run of several seeds has a
// report or another result than the original.
//
// A kernel file is PTX with an entry k(in, out). Its first line says how it is launched:
//
//   // launch: threads=128 blocks=2 cluster=2
//
// Mutants that change nothing are marked where they happen, with the mutation and the reason:
//
//   bar.sync 0; // harmless: remove: nothing is read afterwards
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_TEST_MUTATION_MUTATION_H
#define TILEIRAS_TEST_MUTATION_MUTATION_H

#include "tileiras/Emulator/Machine/Launch.h"

#include <map>
#include <string>
#include <vector>

namespace tileiras::emu::mutation {

struct Mutant {
  uint32_t line = 0;       ///< 1-based
  std::string operation;   ///< "remove", "parity", ...
  std::string instruction; ///< before
  std::string text;        ///< of the whole module
  std::string harmless;    ///< the reason, if the kernel marks it so
};

struct Outcome {
  bool ran = false; ///< the mutant is a valid program
  unsigned byReport = 0, byResult = 0, seeds = 0;
  std::map<std::string, unsigned> kinds; ///< seeds with a report of each kind
  bool caught() const { return byReport || byResult; }
};

class Kernel {
public:
  /// False with a message when the file cannot be used.
  bool load(const std::string &file, std::string &error);
  /// Runs the original over `seeds` seeds: no report, and one result. False with a message otherwise.
  bool checkOriginal(unsigned seeds, std::string &error);
  std::vector<Mutant> mutants() const;
  Outcome run(const Mutant &mutant, unsigned seeds) const;
  std::string name;

private:
  LaunchResult launchOnce(const Module &module, unsigned seed, std::vector<uint8_t> &out) const;
  std::string text;
  Dim3 grid, block, cluster;
  std::vector<uint8_t> expected;
};

/// The kernel files of a folder, sorted.
std::vector<std::string> kernelFiles(const std::string &folder);

} // namespace tileiras::emu::mutation

#endif // TILEIRAS_TEST_MUTATION_MUTATION_H
