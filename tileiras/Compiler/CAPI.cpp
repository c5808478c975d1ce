//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/tileiras.h"

#include "tileiras/Compiler/Compiler.h"
#include "tileiras/Compiler/Diagnostics.h"
#include "tileiras/Compiler/Register.h"

using namespace tileiras;

struct tileirasProgram {
  CompileOptions options;
  std::string input;
  std::string output;
  bool compiled = false;
};

static thread_local std::string lastError;

static tileirasResult fail(Status status, llvm::StringRef message) {
  lastError = message.str();
  return static_cast<tileirasResult>(status);
}

static std::string orEmpty(const char *text) { return text ? text : ""; }

extern "C" {

tileirasProgramConfig tileirasDefaultConfig(void) {
  tileirasProgramConfig config = {};
  config.gpuName = "sm_100";
  config.optLevel = 3;
  config.hostArch = "x86_64";
  config.hostOs = "linux";
  config.sanitize = "";
  config.emit = "cubin";
  config.ptxasPath = "";
  config.libdevicePath = "";
  return config;
}

tileirasResult tileirasProgramCreate(tileirasProgram **program, const tileirasProgramConfig *config, const void *input,
                                     size_t size) {
  if (!program)
    return fail(Status::NullHandle, "output pointer is null");
  *program = nullptr;
  if (!config)
    return fail(Status::InvalidConfiguration, "configuration is null");
  if (!input)
    return fail(Status::InvalidConfiguration, "input buffer is null");
  auto created = std::make_unique<tileirasProgram>();
  CompileOptions &options = created->options;
  options.gpuName = orEmpty(config->gpuName);
  options.optLevel = config->optLevel;
  options.deviceDebug = config->deviceDebug != 0;
  options.lineInfo = config->lineInfo != 0;
  options.hostArch = orEmpty(config->hostArch);
  options.hostOs = orEmpty(config->hostOs);
  options.sanitize = orEmpty(config->sanitize);
  options.emit = orEmpty(config->emit);
  options.ptxasPath = orEmpty(config->ptxasPath);
  options.libdevicePath = orEmpty(config->libdevicePath);
  std::string error;
  if (Status status = checkOptions(options, error); status != Status::Success)
    return fail(status, error);
  created->input.assign(static_cast<const char *>(input), size);
  *program = created.release();
  return TILEIRAS_SUCCESS;
}

tileirasResult tileirasProgramCompile(tileirasProgram *program) {
  if (!program)
    return fail(Status::NullHandle, "program is null");
  registerCompilerPasses();
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  // One thread per compilation: callers who want more compile several programs at once.
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);

  context.printOpOnDiagnostic(false);

  std::string log;
  llvm::raw_string_ostream os(log);
  llvm::MemoryBufferRef input(program->input, "<input>");
  DiagnosticPrinter printer(context, os, input);
  program->compiled = false;
  program->output.clear();

  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (Status status = parseInput(input, context, module, program->options); status != Status::Success)
    return fail(status, log);
  if (Status status = compile(*module, program->options, program->output); status != Status::Success)
    return fail(status, log + "error: failed to compile Tile IR program\n");
  program->compiled = true;
  return TILEIRAS_SUCCESS;
}

tileirasResult tileirasProgramGetOutput(const tileirasProgram *program, const void **output, size_t *size) {
  if (!program)
    return fail(Status::NullHandle, "program is null");
  if (!output || !size)
    return fail(Status::NullHandle, "output pointer is null");
  if (!program->compiled)
    return fail(Status::CompilationFailure, "program has not been compiled");
  *output = program->output.data();
  *size = program->output.size();
  return TILEIRAS_SUCCESS;
}

tileirasResult tileirasProgramRelease(tileirasProgram **program) {
  if (!program || !*program)
    return fail(Status::NullHandle, "program is null");
  delete *program;
  *program = nullptr;
  return TILEIRAS_SUCCESS;
}

const char *tileirasGetLastError(void) { return lastError.c_str(); }

} // extern "C"
