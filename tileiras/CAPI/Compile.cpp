//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CAPI/Result.h"

#include "mlir/Pass/PassManager.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Compiler/Compiler.h"
#include "tileiras/Compiler/Diagnostics.h"
#include "tileiras/Compiler/ListTargets.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Explorer/Explorer.h"
#include "tileiras/Explorer/RemarkCollector.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::capi;
namespace json = llvm::json;

/// The options of the command line. Empty, or what is wrong.
static std::string readOptions(OptionList &list, CompileOptions &options) {
  std::string error;
  auto text = [&](const char *name, std::string &field) {
    if (std::optional<std::string> value = list.take(name))
      field = *value;
  };
  auto number = [&](const char *name, int &field) {
    if (std::optional<std::string> value = list.take(name))
      if (StringRef(*value).getAsInteger(10, field))
        error = std::string(name) + ": '" + *value + "' is not a number";
  };
  auto flag = [&](const char *name, bool &field) {
    if (std::optional<std::string> value = list.take(name)) {
      if (*value != "0" && *value != "1")
        error = std::string(name) + ": '" + *value + "' is neither 0 nor 1";
      field = *value == "1";
    }
  };
  text("gpu-name", options.gpuName);
  number("opt-level", options.optLevel);
  text("emit", options.emit);
  flag("lineinfo", options.lineInfo);
  flag("device-debug", options.deviceDebug);
  number("num-warps", options.numWarps);
  number("num-ctas", options.numCtas);
  flag("dynamic-shared", options.dynamicShared);
  text("static-shared", options.staticShared);
  text("register-limits", options.registerLimits);
  text("launch-abi", options.launchAbi);
  text("pipeline-options", options.pipelineOptions);
  text("host-arch", options.hostArch);
  text("host-os", options.hostOs);
  text("sanitize", options.sanitize);
  text("ptxas-path", options.ptxasPath);
  text("libdevice-path", options.libdevicePath);
  flag("verify-each", options.verifyEach);
  return error;
}

static std::string toText(json::Object object) {
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(object));
  return text;
}

/// A context with all dialects, whose diagnostics become the result's messages and JSON.
namespace {
struct Session {
  Session(tileiras_result &result, llvm::MemoryBufferRef input)
      : os(result.messages), context(makeRegistry(), MLIRContext::Threading::DISABLED),
        printer((context.printOpOnDiagnostic(false), context), os, input), collector(context) {}

  static DialectRegistry makeRegistry() {
    registerCompilerPasses();
    DialectRegistry registry;
    registerCompilerDialects(registry);
    return registry;
  }

  llvm::raw_string_ostream os;
  MLIRContext context;
  DiagnosticPrinter printer;
  explorer::DiagnosticCollector collector;
};
} // namespace

static llvm::MemoryBufferRef buffer(const void *input, size_t size, const char *name) {
  return llvm::MemoryBufferRef(StringRef(static_cast<const char *>(input), input ? size : 0), name ? name : "<input>");
}

extern "C" {

const char *tileiras_targets(void) {
  static const std::string text = [] {
    std::string s;
    llvm::raw_string_ostream os(s);
    printTargets(os);
    return s;
  }();
  return text.c_str();
}

tileiras_result *tileiras_compile(const void *input, size_t size, const char *name, const char *const *options) {
  auto *result = new tileiras_result;
  OptionList list(options);
  CompileOptions compileOptions;
  std::string error = readOptions(list, compileOptions);
  std::string wanted = list.take("remarks").value_or("");
  if (error.empty() && list.unknown())
    error = "no option '" + *list.unknown() + "'";
  Status status = Status::InvalidConfiguration;
  if (error.empty())
    status = checkOptions(compileOptions, error);
  if (!error.empty())
    return result->fail(int(status), error);
  onLargeStack([&] {
    json::Array remarks;
    Session session(*result, buffer(input, size, name));
    if (!explorer::collectRemarks(session.context, wanted, remarks, error)) {
      result->fail(int(Status::InvalidConfiguration), error);
      return;
    }
    OwningOpRef<ModuleOp> module;
    Status status = parseInput(buffer(input, size, name), session.context, module, compileOptions);
    if (status == Status::Success) {
      status = compile(*module, compileOptions, result->output);
      if (status != Status::Success)
        session.os << "error: failed to compile Tile IR program\n";
    }
    result->status = int(status);
    if (status != Status::Success)
      result->output.clear();
    result->json = toText(json::Object{{"diagnostics", session.collector.take()}, {"remarks", std::move(remarks)}});
  });
  return result;
}

tileiras_result *tileiras_disassemble(const void *input, size_t size, const char *name, int debug_info) {
  auto *result = new tileiras_result;
  onLargeStack([&] {
    Session session(*result, buffer(input, size, name));
    OwningOpRef<ModuleOp> module;
    Status status = parseInput(buffer(input, size, name), session.context, module, CompileOptions());
    result->status = int(status);
    if (status == Status::Success) {
      OpPrintingFlags flags;
      if (debug_info)
        flags.enableDebugInfo(true, /*prettyForm=*/false);
      llvm::raw_string_ostream os(result->output);
      for (Operation &op : *module->getBody()) {
        op.print(os, flags);
        os << "\n";
      }
    }
    result->json = toText(json::Object{{"diagnostics", session.collector.take()}});
  });
  return result;
}

tileiras_result *tileiras_assemble(const void *input, size_t size, const char *name, const char *version) {
  auto *result = new tileiras_result;
  std::optional<cuda_tile::BytecodeVersion> wanted = cuda_tile::BytecodeVersion::latest();
  if (version && !(wanted = cuda_tile::BytecodeVersion::parse(version)))
    return result->fail(int(Status::InvalidConfiguration), std::string("no bytecode version '") + version + "'");
  onLargeStack([&] {
    Session session(*result, buffer(input, size, name));
    OwningOpRef<ModuleOp> module;
    Status status = parseInput(buffer(input, size, name), session.context, module, CompileOptions());
    if (status == Status::Success) {
      auto kernels = llvm::to_vector(module->getOps<cuda_tile::ModuleOp>());
      llvm::raw_string_ostream os(result->output);
      if (kernels.size() != 1) {
        emitError(module->getLoc()) << "bytecode holds one cuda_tile.module, the input has " << kernels.size();
        status = Status::CompilationFailure;
      } else if (failed(cuda_tile::writeBytecode(os, kernels.front(), *wanted))) {
        status = Status::CompilationFailure;
      }
    }
    result->status = int(status);
    if (status != Status::Success)
      result->output.clear();
    result->json = toText(json::Object{{"diagnostics", session.collector.take()}});
  });
  return result;
}

tileiras_result *tileiras_explore(const void *input, size_t size, const char *name, const char *const *options) {
  auto *result = new tileiras_result;
  OptionList list(options);
  explorer::Request request;
  request.input = buffer(input, size, name);
  std::string error = readOptions(list, request.options);
  request.assemble = list.take("assemble").value_or("0") == "1";
  std::string timing = list.take("timing").value_or(""), trace = list.take("trace").value_or("");
  if (error.empty() && list.unknown())
    error = "no option '" + *list.unknown() + "'";
  if (!error.empty())
    return result->fail(int(Status::InvalidConfiguration), error);
  onLargeStack([&] {
    json::Object facts = explorer::explore(request);
    result->status = int(facts.getInteger("status").value_or(0));
    result->output = explorer::makePage(facts, timing, trace, error);
    result->json = toText(std::move(facts));
  });
  return error.empty() ? result : result->fail(int(Status::InvalidConfiguration), error);
}

} // extern "C"
