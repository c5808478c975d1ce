//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the options of `tileir{...}` may be. The names are the reference tool's, so
// every one is known; a value that asks for something which nothing here does is
// refused, because a kernel that silently lacks it would be worse. The row of an
// option goes when what it asks for is there.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Pipelines.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tileiras {

namespace {

using Options = TileIRPipelineOptions;

/// An option that takes one of a few words or numbers.
struct Choice {
  const char *name;
  std::string (*value)(const Options &);
  std::vector<StringRef> allowed;
};

template <auto Member> std::string number(const Options &options) {
  return std::to_string((options.*Member).getValue());
}
template <auto Member> std::string text(const Options &options) { return (options.*Member).getValue(); }
template <auto Member> std::string flag(const Options &options) {
  return (options.*Member).getValue() ? "true" : "false";
}

const std::vector<StringRef> kLevels = {"0", "1", "2", "3"};

/// What is understood.
const Choice choices[] = {
    {"opt-level", number<&Options::optLevel>, kLevels},
    {"v2-opt-level", number<&Options::v2OptLevel>, kLevels},
    {"pipeline-strategy", text<&Options::pipelineStrategy>, {"none", "unspecialize", "warp-specialize", "auto"}},
    {"cluster-loads", text<&Options::clusterLoads>, {"auto", "own"}},
    {"turns", text<&Options::turns>, {"auto", "always", "tile-blocks", "never"}},
    {"persistent-blocks", text<&Options::persistentBlocks>, {"auto", "never", "take-over"}},
    {"emit-line-info", text<&Options::emitLineInfo>, {"none", "FromInput", "Frontend", "TileasBoundary"}},
    {"index-bitwidth", number<&Options::indexBitwidth>, {"0", "32", "64"}},
    {"tma-descriptors", text<&Options::tmaDescriptors>, {"device", "host"}},
    {"launch-abi", text<&Options::launchAbi>, {"reqntid", "blocksareclusters", "simt"}},
    {"exponentials", text<&Options::exponentials>, {"auto", "special"}},
    {"fp8-sums", text<&Options::fp8Sums>, {"promoted", "exact"}},
};

/// Of what is understood, what is also done where that is not all of it, and what is missing for the rest.
struct Done {
  const char *name;
  std::string (*value)(const Options &);
  std::vector<StringRef> values;
  const char *missing;
};

const Done done[] = {
    {"emit-line-info", text<&Options::emitLineInfo>, {"none", "FromInput"}, "snapshots of the module with its lines"},
    {"dump-host", text<&Options::dumpHost>, {""}, "the host module"},
    {"host-triple", text<&Options::hostTriple>, {"native"}, "the host module"},
    {"approx", flag<&Options::approx>, {"false"}, "approximation of operations that do not ask for it"},
    {"ftz", flag<&Options::ftz>, {"false"}, "flushing to zero in operations that do not ask for it"},
    {"enable-random-delay", flag<&Options::enableRandomDelay>, {"false"}, "random delays"},
    {"enable-debug-logging", flag<&Options::enableDebugLogging>, {"false"}, "the log of decisions"},
};

} // namespace

LogicalResult checkPipelineOptions(const TileIRPipelineOptions &options, bool ofTiles,
                                   function_ref<LogicalResult(const Twine &)> onError) {
  for (const Choice &choice : choices)
    if (std::string value = choice.value(options); !is_contained(choice.allowed, value))
      return onError(Twine("invalid value '") + value + "' of pipeline option '" + choice.name + "': expected one of " +
                     llvm::join(choice.allowed, ", "));
  for (const Done &row : done)
    if (std::string value = row.value(options); !is_contained(row.values, value))
      return onError(Twine("pipeline option '") + row.name + "=" + value + "' is not supported: " + row.missing +
                     " is not implemented yet");
  for (const auto *size : {&options.numWarps, &options.numCtas, &options.tileRoom})
    if (size->getValue() < 0)
      return onError(Twine("invalid value ") + Twine(size->getValue()) + " of pipeline option '" + size->getArgStr() +
                     "': expected a number that is not negative");
  for (const auto *limit : {&options.rrtSizeThreshold, &options.maxConstraintIterations})
    if (limit->getValue() < 0)
      return onError(Twine("invalid value ") + Twine(limit->getValue()) + " of pipeline option '" + limit->getArgStr() +
                     "': expected a number that is not negative");
  if (!options.scheduleTraceFile.empty() && options.pipelineStrategy != "warp-specialize" &&
      options.pipelineStrategy != "auto")
    return onError("pipeline option 'schedule-trace-file' needs pipeline-strategy=warp-specialize: nothing else makes "
                   "schedules");
  if (options.numStages < 1)
    return onError("invalid value " + Twine(options.numStages) +
                   " of pipeline option 'unspecialized-pipeline-num-stages': expected at least 1");
  if (ofTiles && !options.ptxVersion.empty())
    return onError("pipeline option 'ptx-version' is for modules of gpu and nvgpu operations; a module of tiles gets "
                   "the lowest version that has what it needs");
  return success();
}

} // namespace tileiras
