//===- Main.cpp - emulator-mutate -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   emulator-mutate [--seeds N] [--markdown] [-v] FOLDER|FILE...
//
// Breaks every kernel in every way and prints the score; survivors with -v also the caught mutants. Exit status 1 when
// an original is reported or a mutant survives that is not marked as harmless.
//
//===----------------------------------------------------------------------===//
#include "Mutation.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace tileiras::emu;
using namespace tileiras::emu::mutation;

int main(int argc, char **argv) {
  unsigned seeds = 8;
  bool verbose = false, markdown = false;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    std::string a = argv[i];
    if (a == "--seeds" && i + 1 < argc)
      seeds = unsigned(std::atoi(argv[++i]));
    else if (a == "-v")
      verbose = true;
    else if (a == "--markdown")
      markdown = true;
    else if (std::filesystem::is_directory(a))
      for (std::string &f : kernelFiles(a))
        files.push_back(std::move(f));
    else
      files.push_back(a);
  }
  if (files.empty() || !seeds) {
    std::fprintf(stderr, "usage: emulator-mutate [--seeds N] [--markdown] [-v] FOLDER|FILE...\n");
    return 1;
  }
  bool good = true;
  unsigned all = 0, caught = 0, harmless = 0, byReport = 0, everySeed = 0;
  std::string survivors;
  if (markdown)
    std::printf("| kernel | mutants | harmless | caught | by reports | in every run |\n|---|---|---|---|---|---|\n");
  for (const std::string &file : files) {
    Kernel kernel;
    std::string error;
    if (!kernel.load(file, error) || !kernel.checkOriginal(seeds, error)) {
      std::fprintf(stderr, "%s: the original fails:\n%s\n", kernel.name.c_str(), error.c_str());
      good = false;
      continue;
    }
    unsigned mine = 0, myCaught = 0, myHarmless = 0, myReports = 0, myEvery = 0;
    for (const Mutant &m : kernel.mutants()) {
      Outcome o = kernel.run(m, seeds);
      if (!o.ran)
        continue;
      ++mine;
      std::string kinds;
      for (auto &[kind, n] : o.kinds)
        kinds += " " + kind + ":" + std::to_string(n);
      if (verbose)
        std::printf("%s:%u %s `%s`: %u of %u runs reported, %u with other results;%s\n", kernel.name.c_str(), m.line,
                    m.operation.c_str(), m.instruction.c_str(), o.byReport, o.seeds, o.byResult, kinds.c_str());
      if (o.caught()) {
        ++myCaught;
        myReports += o.byReport != 0;
        myEvery += o.byReport + o.byResult == o.seeds;
        if (!m.harmless.empty()) {
          std::fprintf(stderr, "%s:%u: %s is marked as harmless, but was caught\n", kernel.name.c_str(), m.line,
                       m.operation.c_str());
          good = false;
        }
        continue;
      }
      if (!m.harmless.empty())
        ++myHarmless;
      else
        good = false;
      survivors += (markdown ? "| " : "") + kernel.name + ":" + std::to_string(m.line) + (markdown ? " | " : " ") +
                   m.operation + (markdown ? " | `" : " `") + m.instruction + (markdown ? "` | " : "`: ") +
                   (m.harmless.empty() ? "**gap**" : m.harmless) + (markdown ? " |\n" : "\n");
    }
    if (markdown)
      std::printf("| %s | %u | %u | %u | %u | %u |\n", kernel.name.c_str(), mine, myHarmless, myCaught, myReports,
                  myEvery);
    else
      std::printf("%-28s %3u mutants, %2u harmless, %3u caught (%u by reports, %u in every run)\n", kernel.name.c_str(),
                  mine, myHarmless, myCaught, myReports, myEvery);
    all += mine;
    caught += myCaught;
    harmless += myHarmless;
    byReport += myReports;
    everySeed += myEvery;
  }
  std::printf("%s%u of %u harmful mutants caught (%.1f %%), %u of them by reports, %u in every run%s\n",
              markdown ? "\n" : "", caught, all - harmless, all == harmless ? 0.0 : 100.0 * caught / (all - harmless),
              byReport, everySeed, markdown ? "\n" : "");
  if (!survivors.empty())
    std::printf(markdown ? "| survivor | mutation | instruction | why |\n|---|---|---|---|\n%s" : "survivors:\n%s",
                survivors.c_str());
  return good ? 0 : 1;
}
