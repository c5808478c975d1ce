//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CAPI/Result.h"

#include "tileiras/Compiler/Compiler.h"
#include "tileiras/Compiler/Diagnostics.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Explorer/RemarkCollector.h"
#include "tileiras/Runtime/ReferenceEngine.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::capi;
namespace json = llvm::json;

/// The bytes from the first element to the last; nothing if the array is not described well.
static std::optional<Array> arrayOf(const tileiras_argument &argument, DType type, std::string &error) {
  std::vector<int64_t> shape(argument.shape, argument.shape + argument.rank);
  std::vector<int64_t> strides = argument.strides
                                     ? std::vector<int64_t>(argument.strides, argument.strides + argument.rank)
                                     : Array::rowMajorStrides(shape);
  for (int64_t n : shape)
    if (n < 0 || n > int64_t(1) << 40)
      error = "an extent is not between 0 and 2^40";
  for (int64_t n : strides)
    if (n < 0 || n > int64_t(1) << 40)
      error = "a stride is not between 0 and 2^40 elements";
  if (!error.empty())
    return std::nullopt;
  // Only what the caller says is there may be touched.
  __int128 last = 0;
  bool empty = false;
  for (size_t d = 0; d != shape.size(); ++d) {
    empty |= shape[d] == 0;
    last += __int128(shape[d] - 1) * strides[d];
  }
  if (!empty && (last >= int64_t(1) << 46 || storageBytes(type, int64_t(last) + 1) > argument.bytes)) {
    error = "its " + std::to_string(argument.bytes) + " bytes do not hold all of its elements";
    return std::nullopt;
  }
  Array array;
  array.type = type;
  array.shape = std::move(shape);
  array.strides = std::move(strides);
  const auto *data = static_cast<const uint8_t *>(argument.data);
  array.bytes.assign(data, data + (data ? argument.bytes : 0));
  return array;
}

/// Fills `request` from the arguments. Empty, or what is wrong with them.
static std::string readArguments(const tileiras_argument *arguments, size_t count, LaunchRequest &request) {
  for (size_t i = 0; i != count; ++i) {
    const tileiras_argument &argument = arguments[i];
    std::string what = "argument " + std::to_string(i) + ": ";
    std::optional<DType> type = parseDType(argument.type ? argument.type : "");
    if (!type)
      return what + "no type '" + (argument.type ? argument.type : "") + "'";
    KernelArg kernelArg;
    kernelArg.type = *type;
    kernelArg.bits = argument.bits;
    if (argument.is_array) {
      std::string error;
      if (argument.rank && !argument.shape)
        return what + "an array needs a shape";
      std::optional<Array> array = arrayOf(argument, *type, error);
      if (!array)
        return what + error;
      kernelArg.buffer = int(request.buffers.size());
      Buffer buffer;
      buffer.name = argument.name ? argument.name : "arg" + std::to_string(i);
      buffer.array = std::move(*array);
      request.buffers.push_back(std::move(buffer));
    }
    request.args.push_back(kernelArg);
  }
  return "";
}

extern "C" tileiras_result *tileiras_reference_run(const void *input, size_t size, const char *name, const char *entry,
                                                   const uint32_t grid[3], const tileiras_argument *arguments,
                                                   size_t count, uint64_t max_steps, const char *const *options) {
  auto *result = new tileiras_result;
  OptionList list(options);
  bool ignoreAssumptions = list.take("ignore-assumptions").value_or("0") == "1";
  if (list.unknown())
    return result->fail(1, "no option '" + *list.unknown() + "'");
  LaunchRequest request;
  request.entry = entry ? entry : "";
  request.grid = {grid[0], grid[1], grid[2]};
  if (std::string error = readArguments(arguments, count, request); !error.empty())
    return result->fail(1, error);
  onLargeStack([&] {
    registerCompilerPasses();
    DialectRegistry registry;
    registerCompilerDialects(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.printOpOnDiagnostic(false);
    llvm::raw_string_ostream os(result->messages);
    llvm::MemoryBufferRef buffer(StringRef(static_cast<const char *>(input), input ? size : 0),
                                 name ? name : "<input>");
    DiagnosticPrinter printer(context, os, buffer);
    OwningOpRef<ModuleOp> module;
    if (Status status = parseInput(buffer, context, module, CompileOptions()); status != Status::Success) {
      result->status = int(status);
      return;
    }
    std::string error;
    cuda_tile::EntryOp op = findEntry(*module, request.entry, error);
    if (op)
      error = checkArguments(op, request);
    if (!error.empty()) {
      result->fail(1, error);
      return;
    }
    RunOutcome outcome =
        makeReferenceEngine(*module, max_steps ? max_steps : UINT64_MAX, !ignoreAssumptions)->run(request);
    result->status = outcome.ok && outcome.reports.empty() ? 0 : 6;
    result->output = std::move(outcome.output);
    json::Array reports;
    for (const std::string &report : outcome.reports) {
      os << report << "\n";
      reports.push_back(explorer::utf8(report));
    }
    json::Object stats;
    for (const auto &[key, value] : outcome.stats)
      stats[key] = explorer::utf8(value);
    llvm::raw_string_ostream(result->json = "") << json::Value(
        json::Object{{"reports", std::move(reports)}, {"stats", std::move(stats)}, {"seconds", outcome.seconds}});
    for (size_t i = 0; i != count; ++i)
      if (int k = request.args[i].buffer; k >= 0 && arguments[i].data)
        std::memcpy(arguments[i].data, request.buffers[size_t(k)].array.bytes.data(), arguments[i].bytes);
  });
  return result;
}
