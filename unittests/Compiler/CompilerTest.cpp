//===- CompilerTest.cpp - Options, the C API, ptxas -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Compiler.h"
#include "FakeTool.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/CodeGen/PTXEmission.h"
#include "tileiras/CodeGen/Toolchain.h"
#include "tileiras/Compiler/Diagnostics.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Compiler/tileiras.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <csignal>
#include <unistd.h>

using namespace mlir;
using namespace tileiras;

namespace {

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

Status check(llvm::function_ref<void(CompileOptions &)> change, std::string &error) {
  CompileOptions options;
  change(options);
  return checkOptions(options, error);
}

TEST(CompileOptionsTest, DefaultsAreValid) {
  std::string error;
  EXPECT_EQ(checkOptions(CompileOptions(), error), Status::Success) << error;
}

TEST(CompileOptionsTest, EveryTargetAndItsSuffixedName) {
  for (const TargetInfo &target : allTargets())
    for (std::string name : {target.name, target.compiledAs}) {
      std::string error;
      EXPECT_EQ(check([&](CompileOptions &o) { o.gpuName = name; }, error), Status::Success) << error;
    }
}

TEST(CompileOptionsTest, SaysWhatIsWrong) {
  std::string error;
  EXPECT_EQ(check([](CompileOptions &o) { o.gpuName = "sm_1"; }, error), Status::InvalidConfiguration);
  EXPECT_EQ(error.find("unsupported GPU target"), 0u) << error;
  EXPECT_EQ(check([](CompileOptions &o) { o.optLevel = -1; }, error), Status::InvalidConfiguration);
  EXPECT_EQ(error.find("invalid optimization level"), 0u) << error;
  EXPECT_EQ(check([](CompileOptions &o) { o.deviceDebug = true; }, error), Status::InvalidConfiguration);
  EXPECT_EQ(error, "optimized debugging is not supported, change optimization level to 0 or disable full debug info");
  EXPECT_EQ(check([](CompileOptions &o) { o.deviceDebug = true, o.optLevel = 0; }, error), Status::Success);
  EXPECT_EQ(check([](CompileOptions &o) { o.numWarps = 6; }, error), Status::InvalidConfiguration);
}

TEST(StageTest, NamesRoundTrip) {
  for (Stage stage :
       {Stage::CudaTile, Stage::TileAA, Stage::TileAS, Stage::LLVM, Stage::LLVMIR, Stage::PTX, Stage::Cubin})
    EXPECT_EQ(parseStage(stringifyStage(stage)), stage);
  EXPECT_FALSE(parseStage("sass"));
}

//===----------------------------------------------------------------------===//
// The C API
//===----------------------------------------------------------------------===//

TEST(CApiTest, ErrorCodesAndTexts) {
  tileirasProgramConfig config = tileirasDefaultConfig();
  tileirasProgram *program = nullptr;
  EXPECT_EQ(tileirasProgramCreate(&program, nullptr, "x", 1), TILEIRAS_ERROR_CONFIGURATION);
  EXPECT_STREQ(tileirasGetLastError(), "configuration is null");
  EXPECT_EQ(tileirasProgramCreate(&program, &config, nullptr, 0), TILEIRAS_ERROR_CONFIGURATION);
  EXPECT_STREQ(tileirasGetLastError(), "input buffer is null");
  EXPECT_EQ(tileirasProgramCreate(nullptr, &config, "x", 1), TILEIRAS_ERROR_NULL_HANDLE);
  EXPECT_STREQ(tileirasGetLastError(), "output pointer is null");
  EXPECT_EQ(tileirasProgramCompile(nullptr), TILEIRAS_ERROR_NULL_HANDLE);
  EXPECT_STREQ(tileirasGetLastError(), "program is null");
  EXPECT_EQ(tileirasProgramRelease(nullptr), TILEIRAS_ERROR_NULL_HANDLE);
  EXPECT_EQ(tileirasProgramRelease(&program), TILEIRAS_ERROR_NULL_HANDLE);
  config.gpuName = "sm_1";
  EXPECT_EQ(tileirasProgramCreate(&program, &config, "x", 1), TILEIRAS_ERROR_CONFIGURATION);
  EXPECT_EQ(program, nullptr);
}

TEST(CApiTest, ParseFailureAndUncompiledOutput) {
  tileirasProgramConfig config = tileirasDefaultConfig();
  tileirasProgram *program = nullptr;
  const char text[] = "cuda_tile.module @m { make_coffee }";
  ASSERT_EQ(tileirasProgramCreate(&program, &config, text, sizeof text - 1), TILEIRAS_SUCCESS);
  const void *output = nullptr;
  size_t size = 0;
  EXPECT_EQ(tileirasProgramGetOutput(program, &output, &size), TILEIRAS_ERROR_COMPILE);
  EXPECT_STREQ(tileirasGetLastError(), "program has not been compiled");
  EXPECT_EQ(tileirasProgramCompile(program), TILEIRAS_ERROR_PARSE);
  EXPECT_EQ(std::string(tileirasGetLastError()).find("loc(\"<input>\":1:23): error: "), 0u) << tileirasGetLastError();
  EXPECT_EQ(tileirasProgramGetOutput(program, nullptr, &size), TILEIRAS_ERROR_NULL_HANDLE);
  EXPECT_EQ(tileirasProgramRelease(&program), TILEIRAS_SUCCESS);
  EXPECT_EQ(program, nullptr);
}

TEST(CApiTest, TextStage) {
  tileirasProgramConfig config = tileirasDefaultConfig();
  config.emit = "cuda_tile";
  tileirasProgram *program = nullptr;
  const char text[] = "cuda_tile.module @m { }";
  ASSERT_EQ(tileirasProgramCreate(&program, &config, text, sizeof text - 1), TILEIRAS_SUCCESS);
  ASSERT_EQ(tileirasProgramCompile(program), TILEIRAS_SUCCESS) << tileirasGetLastError();
  const void *output = nullptr;
  size_t size = 0;
  ASSERT_EQ(tileirasProgramGetOutput(program, &output, &size), TILEIRAS_SUCCESS);
  EXPECT_NE(llvm::StringRef(static_cast<const char *>(output), size).find("cuda_tile.module @m"),
            llvm::StringRef::npos);
  EXPECT_EQ(tileirasProgramRelease(&program), TILEIRAS_SUCCESS);
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

TEST(DiagnosticPrinterTest, ReducesLocationsToOneFilePosition) {
  MLIRContext context;
  auto at = [&](unsigned line) { return FileLineColLoc::get(&context, "k.py", line, 5); };
  std::string text;
  llvm::raw_string_ostream os(text);
  DiagnosticPrinter printer(context, os);
  emitError(at(1)) << "plain";
  emitError(NameLoc::get(StringAttr::get(&context, "x"), at(2))) << "named";
  emitError(FusedLoc::get(&context, {UnknownLoc::get(&context), at(3)})) << "fused";
  emitError(CallSiteLoc::get(at(4), at(9))) << "call";
  emitError(UnknownLoc::get(&context)) << "nowhere";
  emitWarning(at(6)) << "bytes \xff";
  emitRemark(at(7)) << "hidden";
  EXPECT_EQ(text, "loc(\"k.py\":1:5): error: plain\nloc(\"k.py\":2:5): error: named\nloc(\"k.py\":3:5): error: fused\n"
                  "loc(\"k.py\":4:5): error: call\nerror: nowhere\nloc(\"k.py\":6:5): warning: bytes \xEF\xBF\xBD\n");
  EXPECT_EQ(printer.errorCount(), 5u);
}

TEST(DiagnosticPrinterTest, StopsAfterTwentyErrors) {
  MLIRContext context;
  std::string text;
  llvm::raw_string_ostream os(text);
  DiagnosticPrinter printer(context, os);
  for (int i = 0; i < 100; ++i)
    emitError(UnknownLoc::get(&context)) << "again";
  EXPECT_EQ(llvm::StringRef(text).count("again"), 20u);
  EXPECT_EQ(llvm::StringRef(text).count("further errors"), 1u);
}

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

TEST(ToolchainTest, RunsWithInputAndOutput) {
  FakeTool tool("tr a-z A-Z < $1 > $2; echo done; echo oops >&2");
  std::string output;
  ProcessResult result = runTool(tool.path, {"{in}", "{out}"}, "some text", output);
  EXPECT_EQ(result.exitCode, 0) << result.failure;
  EXPECT_EQ(output, "SOME TEXT");
  EXPECT_EQ(result.standardError, "done\noops\n");
}

TEST(ToolchainTest, LargeDataDoesNotBlock) {
  std::string input(3 << 20, 'x'), output;
  FakeTool tool("cat $1; cat $1 > $2");
  ProcessResult result = runTool(tool.path, {"{in}", "{out}"}, input, output);
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(output, input);
  EXPECT_EQ(result.standardError.size(), input.size());
}

TEST(ToolchainTest, ReportsExitCodesSignalsAndMissingPrograms) {
  std::string output;
  FakeTool exits("exit 42"), dies("kill -SEGV $$");
  EXPECT_EQ(runTool(exits.path, {}, "", output).exitCode, 42);
  ProcessResult result = runTool(dies.path, {}, "", output);
  EXPECT_EQ(result.exitCode, -1);
  EXPECT_EQ(result.failure, "ended by signal 11");
  EXPECT_EQ(runTool("/no/such/tool", {}, "", output).exitCode, 127);
}

/// Each waits for the other, and says more than a pipe holds before anybody listens.
TEST(ToolchainTest, SeveralToolsRunAtATime) {
  FakeTool tool(
      "d=$(dirname $0); touch $d/$1; n=0; while [ ! -e $d/$2 ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n + 1)); "
      "done; [ -e $d/$2 ] || exit 3; yes $1 | head -100000; cat /proc/self/fd/3 > /proc/self/fd/4");
  std::vector<RunningTool> running;
  running.emplace_back(tool.path, std::vector<std::string>{"one", "two"}, "first");
  running.emplace_back(tool.path, std::vector<std::string>{"two", "one"}, "second");
  std::string output;
  ProcessResult second = running[1].wait(output);
  EXPECT_EQ(second.exitCode, 0);
  EXPECT_EQ(output, "second");
  EXPECT_EQ(second.standardError.size(), 400000u);
  EXPECT_EQ(running[0].wait(output).exitCode, 0);
  EXPECT_EQ(output, "first");
}

TEST(ToolchainTest, NobodyWaits) {
  FakeTool tool("d=$(dirname $0); echo $$ > $d/its; mv $d/its $d/process; sleep 100");
  std::string file = (tool.folder + "/process").str();
  {
    RunningTool running(tool.path, {}, "");
    while (!llvm::sys::fs::exists(file))
      ::usleep(1000);
  }
  auto number = llvm::MemoryBuffer::getFile(file);
  ASSERT_TRUE(bool(number));
  int process = 0;
  ASSERT_FALSE((*number)->getBuffer().trim().getAsInteger(10, process));
  EXPECT_EQ(::kill(process, 0), -1) << "it is gone, and has been waited for";
}

TEST(ToolchainTest, FindsWhatIsNamed) {
  FakeTool tool("exit 0");
  EXPECT_EQ(findPtxas(tool.path), tool.path);
  EXPECT_EQ(findPtxas(tool.folder), tool.path);
  EXPECT_EQ(findPtxas("/no/such/ptxas"), "");
  EXPECT_EQ(findLibdevice("none"), "");
  EXPECT_EQ(findLibdevice("/no/such/file.bc"), "");
}

struct Assembled {
  bool ok;
  std::string cubin, log;
};

Assembled assemble(std::string ptx, CompileOptions options) {
  MLIRContext context;
  Assembled result;
  llvm::raw_string_ostream os(result.log);
  DiagnosticPrinter printer(context, os);
  result.ok = succeeded(assemblePTX(ptx, FileLineColLoc::get(&context, "k.py", 3, 1), options, result.cubin,
                                    /*source=*/ModuleOp()));
  return result;
}

TEST(AssembleTest, ForwardsWhatPtxasSays) {
  FakeTool tool("echo \"ptxas error   : Entry function 'k' uses too much shared data (0xc010 bytes, 0xc000 max)\" >&2; "
                "exit 255");
  CompileOptions options;
  options.ptxasPath = tool.path;
  Assembled result = assemble("", options);
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.log.find("loc(\"k.py\":3:1): error: " + tool.path + " exited with status 255\n"), 0u) << result.log;
  EXPECT_NE(result.log.find("uses too much shared data (0xc010 bytes, 0xc000 max)"), std::string::npos);
}

TEST(AssembleTest, AnEmptyCubinIsAnError) {
  FakeTool tool("exit 0");
  CompileOptions options;
  options.ptxasPath = tool.path;
  Assembled result = assemble("", options);
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.log.find("wrote no cubin"), std::string::npos) << result.log;
}

TEST(AssembleTest, PassesTargetAndLevel) {
  FakeTool tool("echo \"$@\" > /proc/self/fd/4");
  CompileOptions options;
  options.ptxasPath = tool.path;
  options.gpuName = "sm_90";
  options.optLevel = 2;
  options.lineInfo = true;
  Assembled result = assemble("", options);
  ASSERT_TRUE(result.ok) << result.log;
  EXPECT_EQ(result.cubin, "-arch=sm_90a -O2 --fmad=false /proc/self/fd/3 -o /proc/self/fd/4 -lineinfo\n");
}

TEST(AssembleTest, MissingPtxas) {
  CompileOptions options;
  options.ptxasPath = "/no/such/ptxas";
  Assembled result = assemble("", options);
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.log.find("no ptxas at '/no/such/ptxas'"), std::string::npos) << result.log;
}

/// An older ptxas than the table's newest target is no error.
bool knowsTarget(StringRef name) {
  std::string nothing;
  static const std::string help = runTool(findPtxas(), {"--help"}, "", nothing).standardError;
  return StringRef(help).contains(("'" + name + "'").str());
}

TEST(AssembleTest, EveryTargetAssembles) {
  if (findPtxas().empty())
    GTEST_SKIP() << "no ptxas on this machine";
  std::vector<std::string> unknown;
  DialectRegistry registry;
  registerCompilerDialects(registry);
  for (const TargetInfo &target : allTargets()) {
    MLIRContext context(registry);
    auto module = parseSourceString<ModuleOp>(R"(
      gpu.module @m {
        llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
          llvm.store %x, %p : f32, !llvm.ptr<1>
          llvm.return
        }
      })",
                                              &context);
    ASSERT_TRUE(module);
    CompileOptions options;
    options.gpuName = target.name;
    if (!knowsTarget(target.compiledAs)) {
      unknown.push_back(target.compiledAs);
      continue;
    }
    std::string ptx;
    ASSERT_TRUE(succeeded(emitPTX(*module, emissionOptions(options, Stage::PTX), ptx)));
    EXPECT_NE(ptx.find(std::string(".target ") + target.compiledAs + "\n"), std::string::npos) << ptx;
    Assembled result = assemble(ptx, options);
    EXPECT_TRUE(result.ok) << target.name << "\n" << result.log << ptx;
    EXPECT_EQ(result.cubin.substr(0, 4), "\x7f"
                                         "ELF");
    EXPECT_FALSE(assemble(ptx + "nonsense", options).ok);
  }
  if (!unknown.empty())
    GTEST_SKIP() << "this ptxas does not know " << llvm::join(unknown, ", ");
}

} // namespace
