//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTXEmission.cpp counts the combinations of instructions in LLVM's default pipeline and leaves out some, by their
// number. With another LLVM, whose pipeline has more of them or fewer, it would leave out others, and code would only
// get longer: this test says so.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <map>

using namespace llvm;

namespace {

/// The names of passes, in order, without their options and those that nest others.
std::vector<std::string> defaultPipeline(OptimizationLevel level) {
  PassInstrumentationCallbacks callbacks;
  PassBuilder builder(/*TM=*/nullptr, PipelineTuningOptions(), std::nullopt, &callbacks);
  ModuleAnalysisManager modules;
  CGSCCAnalysisManager callGraph;
  FunctionAnalysisManager functions;
  LoopAnalysisManager loops;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  std::string text;
  raw_string_ostream os(text);
  builder.buildPerModuleDefaultPipeline(level).printPipeline(
      os, [&](StringRef name) { return callbacks.getPassNameForClassName(name); });
  std::vector<std::string> names;
  std::string name;
  int options = 0;
  for (char c : text) {
    options += (c == '<') - (c == '>');
    if (options || c == '>')
      continue;
    if (!StringRef(",()").contains(c)) {
      name += c;
      continue;
    }
    if (!name.empty() && c != '(')
      names.push_back(name);
    name.clear();
  }
  if (!name.empty())
    names.push_back(name);
  return names;
}

/// What of `landmarks` ran last before each pass of that name.
std::vector<std::string> before(const std::vector<std::string> &names, StringRef pass, ArrayRef<StringRef> landmarks) {
  std::vector<std::string> found;
  std::string last;
  for (const std::string &name : names) {
    if (name == pass)
      found.push_back(last);
    if (is_contained(landmarks, name))
      last = name;
  }
  return found;
}

using Names = std::vector<std::string>;

TEST(DefaultPipeline, CombinationsStandWhereTheyAreCounted) {
  StringRef landmarks[] = {"globalopt", "speculative-execution", "tailcallelim",   "simple-loop-unswitch", "bdce",
                           "memcpyopt", "loop-vectorize",        "vector-combine", "loop-unroll"};
  for (OptimizationLevel level : {OptimizationLevel::O2, OptimizationLevel::O3})
    EXPECT_EQ(before(defaultPipeline(level), "instcombine", landmarks),
              (Names{"globalopt", "speculative-execution", "simple-loop-unswitch", "bdce", "memcpyopt",
                     "loop-vectorize", "vector-combine", "loop-unroll"}));
}

TEST(DefaultPipeline, ExpressionsAreUnifiedTwice) {
  for (OptimizationLevel level : {OptimizationLevel::O2, OptimizationLevel::O3})
    EXPECT_EQ(before(defaultPipeline(level), "early-cse", {"globalopt", "inline"}), (Names{"", "inline"}));
}

TEST(DefaultPipeline, RangesOfBranchesAreAskedForTwice) {
  for (OptimizationLevel level : {OptimizationLevel::O2, OptimizationLevel::O3})
    EXPECT_EQ(before(defaultPipeline(level), "correlated-propagation", {"early-cse", "bdce"}),
              (Names{"early-cse", "bdce"}));
}

} // namespace
