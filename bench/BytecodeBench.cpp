//===- BytecodeBench.cpp - Speed of the bytecode reader and writer --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Reads (and verifies), writes and prints every file of the corpus of real modules, on one thread. The corpus is
// $TILEIRAS_CORPUS or `../shared/corpus` beside the repository; without one, a module that has every op stands in.
// Target: 20 MB/s or 2000 modules/s.
//===----------------------------------------------------------------------===//
#include "mlir/Parser/Parser.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <benchmark/benchmark.h>

using namespace mlir;

static std::string readAllOps() {
  auto text = llvm::MemoryBuffer::getFile(TILEIRAS_SOURCE_DIR "/tileiras/Bytecode/test/all_ops.mlir");
  if (!text)
    return {};
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  auto module = parseSourceString<ModuleOp>((*text)->getBuffer(), ParserConfig(&context));
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (!module || failed(cuda_tile::writeBytecode(os, cast<cuda_tile::ModuleOp>(module->getBody()->front()))))
    return {};
  return bytes;
}

static const std::vector<std::string> &corpus() {
  static const std::vector<std::string> files = [] {
    std::vector<std::string> result;
    SmallString<128> folder;
    if (const char *path = std::getenv("TILEIRAS_CORPUS"))
      folder = path;
    else
      llvm::sys::path::append(folder, TILEIRAS_SOURCE_DIR, "..", "shared", "corpus");
    std::error_code error;
    for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error; it.increment(error))
      if (StringRef(it->path()).ends_with(".tileirbc"))
        if (auto buffer = llvm::MemoryBuffer::getFile(it->path(), false, false))
          result.push_back((*buffer)->getBuffer().str());
    if (result.empty())
      result.push_back(readAllOps());
    return result;
  }();
  return files;
}

static size_t totalBytes() {
  size_t bytes = 0;
  for (const std::string &file : corpus())
    bytes += file.size();
  return bytes;
}

static OwningOpRef<cuda_tile::ModuleOp> read(const std::string &file, MLIRContext &context) {
  return cuda_tile::readBytecode(ArrayRef(file.data(), file.size()), &context);
}

static void report(benchmark::State &state) {
  state.SetBytesProcessed(state.iterations() * totalBytes());
  state.counters["modules/s"] =
      benchmark::Counter(static_cast<double>(state.iterations() * corpus().size()), benchmark::Counter::kIsRate);
}

/// One context for all: what a compile server would do.
static void readSharedContext(benchmark::State &state) {
  for (auto _ : state) {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    for (const std::string &file : corpus()) {
      auto module = read(file, context);
      if (!module)
        return state.SkipWithError("a file was refused");
    }
  }
  report(state);
}
BENCHMARK(readSharedContext)->Unit(benchmark::kMillisecond);

/// A new context per module, as a process per kernel has; the dialect is loaded anew each time.
static void readFreshContext(benchmark::State &state) {
  for (auto _ : state)
    for (const std::string &file : corpus()) {
      MLIRContext context(MLIRContext::Threading::DISABLED);
      auto module = read(file, context);
      if (!module)
        return state.SkipWithError("a file was refused");
    }
  report(state);
}
BENCHMARK(readFreshContext)->Unit(benchmark::kMillisecond);

static void write(benchmark::State &state) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::vector<OwningOpRef<cuda_tile::ModuleOp>> modules;
  for (const std::string &file : corpus())
    modules.push_back(read(file, context));
  for (auto _ : state)
    for (auto &module : modules) {
      llvm::raw_null_ostream os;
      if (!module || failed(cuda_tile::writeBytecode(os, *module)))
        return state.SkipWithError("a module was refused");
    }
  report(state);
}
BENCHMARK(write)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
