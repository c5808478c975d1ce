//===- PassOrder.cpp - The order of the passes of pipelines ---------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/PassOrder.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace {

struct OrderRule {
  llvm::StringLiteral first, then, why;
};

constexpr OrderRule rules[] = {
    {"tileas-queue-to-pipeline", "tileas-materialize-async", "queues become pipelines before loops get rings"},
    {"tileas-materialize-async", "tileas-generate-schedule", "loops are scheduled by their rings"},
    {"tileas-materialize-async", "tileas-materialize-schedule", "agents are made of the two sides of rings"},
    {"tileas-prepare-for-scheduling", "tileas-recompute-for-scheduling",
     "what is computed again in another stage is in its final form"},
    {"tileas-prepare-for-scheduling", "tileas-generate-schedule", "schedules are made of what has been prepared"},
    {"tileas-materialize-convert-layout", "tileas-generate-schedule",
     "conversions take shared memory, and stages of rings what is left"},
    {"tileas-materialize-convert-layout", "tileas-materialize-schedule",
     "conversions take shared memory, and stages of rings what is left"},
    {"tileas-materialize-convert-layout", "tileas-unspecialized-pipeline",
     "conversions take shared memory, and stages of rings what is left"},
    {"tileas-materialize-schedule", "tileas-unspecialized-pipeline",
     "functions that are divided among agents are not pipelined by one"},
    {"tileas-materialize-schedule", "tileas-extend-rings",
     "functions that are divided among agents have rounds behind loops of their own"},
    {"tileas-materialize-schedule", "tileas-optimize-pipeline-region", "regions shrink when they are final"},
    {"tileas-unspecialized-pipeline", "tileas-optimize-pipeline-region", "regions shrink when they are final"},
    {"tileas-optimize-pipeline-region", "tileas-expand-pipeline-regions", "what has been expanded has no regions"},
};

/// The names of the passes in the order in which they run, those of inner pass managers in their place.
SmallVector<std::string> passNames(OpPassManager &manager) {
  std::string text;
  llvm::raw_string_ostream os(text);
  manager.printAsTextualPipeline(os);
  SmallVector<std::string> names;
  std::string name;
  int inOptions = 0;
  for (char c : text) {
    inOptions += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (inOptions || c == '}')
      continue;
    if (llvm::isAlnum(c) || c == '-' || c == '_' || c == '.') {
      name += c;
      continue;
    }
    if (!name.empty() && c != '(') // a name before a parenthesis is that of an operation
      names.push_back(name);
    name.clear();
  }
  if (!name.empty())
    names.push_back(name);
  return names;
}

} // namespace

LogicalResult tileiras::checkPassOrder(OpPassManager &manager, function_ref<LogicalResult(const Twine &)> onError) {
  SmallVector<std::string> names = passNames(manager);
  auto positionOf = [&](StringRef name) { return llvm::find(names, name) - names.begin(); };
  for (const OrderRule &rule : rules) {
    auto first = positionOf(rule.first), then = positionOf(rule.then);
    if (first == std::ptrdiff_t(names.size()) || first <= then)
      continue;
    return onError("'" + Twine(rule.then) + "' (pass " + Twine(then + 1) + " of " + Twine(names.size()) +
                   ") has to come behind '" + rule.first + "' (pass " + Twine(first + 1) + "): " + rule.why);
  }
  return success();
}
