//===- CudaTileHints.cpp - optimization_hints ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::cuda_tile;

//===----------------------------------------------------------------------===//
// Parse, print
//===----------------------------------------------------------------------===//

Attribute OptimizationHintsAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<NamedAttribute> entries;
  llvm::StringSet<> seen;
  auto parseEntry = [&]() -> ParseResult {
    SMLoc keyLoc = parser.getCurrentLocation();
    std::string key;
    Attribute value;
    if (failed(parser.parseOptionalKeywordOrString(&key)))
      return parser.emitError(keyLoc, "expected an architecture or 'default'");
    if (!seen.insert(key).second)
      return parser.emitError(keyLoc) << "duplicate optimization_hints key `" << key << "`";
    if (parser.parseEqual() || parser.parseAttribute(value))
      return failure();
    entries.emplace_back(StringAttr::get(parser.getContext(), key), value);
    return success();
  };
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalGreater()) && (parser.parseCommaSeparatedList(parseEntry) || parser.parseGreater()))
    return {};
  return parser.getChecked<OptimizationHintsAttr>(loc, parser.getContext(),
                                                  DictionaryAttr::get(parser.getContext(), entries));
}

ParseResult cuda_tile::parseHintsClause(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (result.attributes.get("optimization_hints"))
    return parser.emitError(loc, "optimization_hints given twice");
  if (parser.parseEqual())
    return failure();
  Attribute hints;
  OptionalParseResult full = parser.parseOptionalAttribute(hints);
  if (!full.has_value())
    hints = OptimizationHintsAttr::parse(parser, {});
  if (!hints)
    return failure();
  if (!isa<OptimizationHintsAttr>(hints))
    return parser.emitError(loc, "expected optimization hints");
  result.addAttribute("optimization_hints", hints);
  return success();
}

/// The numbers of hints are 64-bit integers, which goes without saying: `{latency = 3}`.
static void printHints(AsmPrinter &printer, DictionaryAttr hints) {
  llvm::interleaveComma(hints, printer.getStream(), [&](NamedAttribute hint) {
    printer.printKeywordOrString(hint.getName().strref());
    printer << " = ";
    Attribute value = hint.getValue();
    if (auto dictionary = dyn_cast<DictionaryAttr>(value)) {
      printer << '{';
      printHints(printer, dictionary);
      printer << '}';
    } else if (auto number = dyn_cast<IntegerAttr>(value); number && number.getType().isSignlessInteger(64)) {
      printer << number.getInt();
    } else {
      printer << value;
    }
  });
}

void OptimizationHintsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printHints(printer, getValue());
  printer << '>';
}

LogicalResult OptimizationHintsAttr::verify(EmitErrorFn emitError, DictionaryAttr value) {
  if (!value)
    return emitError() << "expected a dictionary of optimization hints";
  for (NamedAttribute entry : value)
    if (!isa<DictionaryAttr>(entry.getValue()))
      return emitError() << "expected dictionary attribute for optimization_hints entry `" << entry.getName().strref()
                         << "` got value=" << entry.getValue();
  return success();
}

//===----------------------------------------------------------------------===//
// Lookup
//===----------------------------------------------------------------------===//

Attribute OptimizationHintsAttr::lookup(StringRef arch, StringRef key) const {
  for (StringRef entry : {arch, StringRef("default")})
    if (auto dict = dyn_cast_or_null<DictionaryAttr>(getValue().get(entry)))
      if (Attribute found = dict.get(key))
        return found;
  return {};
}

std::optional<int64_t> OptimizationHintsAttr::lookupInt(StringRef arch, StringRef key) const {
  if (auto value = dyn_cast_or_null<IntegerAttr>(lookup(arch, key)))
    if (value.getValue().getSignificantBits() <= 64)
      return value.getValue().getSExtValue();
  return std::nullopt;
}

std::optional<bool> OptimizationHintsAttr::lookupBool(StringRef arch, StringRef key) const {
  if (auto value = dyn_cast_or_null<BoolAttr>(lookup(arch, key)))
    return value.getValue();
  return std::nullopt;
}

namespace {
/// A hint, the ops that know it (by their list of keys) and its legal values.
struct HintRule {
  StringRef key;
  enum Kind { PowerOfTwo, Range, Bool } kind;
  int64_t min, max;
};
} // namespace

static constexpr HintRule hintRules[] = {
    {"num_cta_in_cga", HintRule::PowerOfTwo, 1, 16},
    {"num_worker_warps_per_cta", HintRule::PowerOfTwo, 1, 32},
    {"occupancy", HintRule::Range, 1, 32},
    {"allow_tma", HintRule::Bool, 0, 1},
    {"latency", HintRule::Range, 1, 10},
};

static const HintRule *findRule(StringRef key) {
  const auto *rule = llvm::find_if(hintRules, [&](const HintRule &r) { return r.key == key; });
  return rule == std::end(hintRules) ? nullptr : rule;
}

static bool isArchitecture(StringRef key) {
  static constexpr StringRef known[] = {"sm_80",  "sm_86",  "sm_87",  "sm_88",  "sm_89",  "sm_90",  "sm_100",
                                        "sm_103", "sm_107", "sm_110", "sm_120", "sm_121", "default"};
  return llvm::is_contained(known, key);
}

static bool hasNoClusters(StringRef arch) { return arch.starts_with("sm_8"); }

/// The value if it is legal for the hint, so that a bad hint is as good as none.
static std::optional<int64_t> legalInt(OptimizationHintsAttr hints, StringRef arch, StringRef key) {
  const HintRule *rule = findRule(key);
  std::optional<int64_t> value = hints.lookupInt(arch, key);
  if (!value || *value < rule->min || *value > rule->max ||
      (rule->kind == HintRule::PowerOfTwo && !llvm::isPowerOf2_64(*value)))
    return std::nullopt;
  return value;
}

std::optional<int64_t> OptimizationHintsAttr::getNumCTAInCGA(StringRef arch) const {
  std::optional<int64_t> value = legalInt(*this, arch, "num_cta_in_cga");
  return value && hasNoClusters(arch) && *value != 1 ? std::nullopt : value;
}
std::optional<int64_t> OptimizationHintsAttr::getNumWorkerWarpsPerCTA(StringRef arch) const {
  std::optional<int64_t> value = legalInt(*this, arch, "num_worker_warps_per_cta");
  return value ? std::optional<int64_t>(std::clamp<int64_t>(*value, 4, 8)) : std::nullopt;
}
std::optional<int64_t> OptimizationHintsAttr::getOccupancy(StringRef arch) const {
  return legalInt(*this, arch, "occupancy");
}
std::optional<bool> OptimizationHintsAttr::getAllowTMA(StringRef arch) const { return lookupBool(arch, "allow_tma"); }
std::optional<int64_t> OptimizationHintsAttr::getLatency(StringRef arch) const {
  return legalInt(*this, arch, "latency");
}

//===----------------------------------------------------------------------===//
// Policy
//===----------------------------------------------------------------------===//

namespace {
struct HintOptions {
  llvm::cl::opt<bool> warn{"Wunsupported-hints", llvm::cl::desc("Warn about optimization hints that are ignored"),
                           llvm::cl::init(false)};
  llvm::cl::opt<bool> error{"Werr-hints", llvm::cl::desc("Refuse modules with unsupported optimization hints"),
                            llvm::cl::init(false)};
};
} // namespace

static llvm::ManagedStatic<HintOptions> hintOptions;

void cuda_tile::registerHintOptions() { (void)*hintOptions; }

CudaTileDialect::HintPolicy cuda_tile::getHintPolicyFromOptions() {
  if (!hintOptions.isConstructed())
    return CudaTileDialect::HintPolicy::Silent;
  if (hintOptions->error)
    return CudaTileDialect::HintPolicy::Error;
  return hintOptions->warn ? CudaTileDialect::HintPolicy::Warn : CudaTileDialect::HintPolicy::Silent;
}

/// The complaint about one hint, or an empty string.
static std::string checkHint(StringRef arch, StringRef key, Attribute value, ArrayRef<StringRef> knownKeys) {
  const HintRule *rule = findRule(key);
  if (!rule)
    return ("unknown param " + key + " for " + arch).str();
  if (!llvm::is_contained(knownKeys, key))
    return (key + " is not known hint for current Operation").str();
  std::string name = (arch + "." + key).str();
  if (rule->kind == HintRule::Bool)
    return isa<BoolAttr>(value) ? "" : "boolean value expected for " + name;
  auto integer = dyn_cast<IntegerAttr>(value);
  if (!integer || isa<BoolAttr>(value) || integer.getValue().getSignificantBits() > 64)
    return "integer value expected for " + name;
  int64_t number = integer.getValue().getSExtValue();
  bool inRange = number >= rule->min && number <= rule->max;
  if (rule->kind == HintRule::Range)
    return inRange
               ? ""
               : llvm::formatv("integer value in the range [{0}, {1}] is expected for {2}", rule->min, rule->max, name)
                     .str();
  if (!inRange || !llvm::isPowerOf2_64(number))
    return llvm::formatv("expected power-of-two \xE2\x89\xA4 {0} for {1}", rule->max, name).str();
  if (key == "num_cta_in_cga" && hasNoClusters(arch) && number != 1)
    return "expected 1 for " + name;
  return "";
}

LogicalResult cuda_tile::verifyHints(Operation *op, OptimizationHintsAttr hints, ArrayRef<StringRef> knownKeys) {
  auto policy = static_cast<CudaTileDialect *>(op->getDialect())->getHintPolicy();
  if (!hints || policy == CudaTileDialect::HintPolicy::Silent)
    return success();
  bool good = true;
  auto complain = [&](const Twine &text) {
    good = false;
    // Not op->emitWarning: that prints the op, which verifies it first, which would come back here.
    emitWarning(op->getLoc(), text);
  };
  for (NamedAttribute entry : hints.getValue()) {
    StringRef arch = entry.getName();
    if (!isArchitecture(arch)) {
      complain("unknown hint key " + arch);
      continue;
    }
    for (NamedAttribute hint : cast<DictionaryAttr>(entry.getValue()))
      if (std::string text = checkHint(arch, hint.getName(), hint.getValue(), knownKeys); !text.empty())
        complain(text);
  }
  if (!good && policy == CudaTileDialect::HintPolicy::Error)
    return op->emitOpError("Optimization hints verification failed");
  return success();
}
