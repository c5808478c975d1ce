//===- ModuleGeneratorTest.cpp - Properties of random modules -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Text -> module -> text, generic text and bytecode lose nothing; and the modules are as well-behaved as promised.
//===----------------------------------------------------------------------===//

#include "tileiras/Testing/ModuleGenerator.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "unittests/Reference/ReferenceKernel.h"

#include "mlir/IR/Verifier.h"
#include <set>

using namespace tileiras;
using namespace mlir;
namespace ct = mlir::cuda_tile;

namespace {

class ModuleGeneratorTest : public ::testing::Test {
protected:
  ModuleGeneratorTest()
      : context(MLIRContext::Threading::DISABLED), handler(&context, [this](Diagnostic &diag) {
          messages += diag.str() + "\n";
          return success();
        }) {
    context.loadDialect<ct::CudaTileDialect>();
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    messages.clear();
    return parseSourceString<ModuleOp>(text, ParserConfig(&context));
  }

  static std::string print(Operation *op, bool generic = false) {
    OpPrintingFlags flags;
    if (generic)
      flags.printGenericOpForm();
    std::string text;
    llvm::raw_string_ostream os(text);
    op->print(os, flags);
    return StringRef(text).rtrim().str(); // an operation at top level ends in a line break, a nested one does not
  }

  static ct::ModuleOp kernels(ModuleOp module) { return cast<ct::ModuleOp>(module.getBody()->front()); }

  MLIRContext context;
  std::string messages;
  ScopedDiagnosticHandler handler;
};

GeneratorOptions withSeed(uint64_t seed) {
  GeneratorOptions options;
  options.seed = seed;
  // Small and large modules of every version.
  options.numOperations = 10 + seed * 7 % 60;
  options.maxElements = int64_t(1) << (seed % 10);
  options.minorVersion = 1 + seed % 4;
  options.exact = seed % 3 == 0;
  if (seed % 2) { // whole kernels, as the differential tests want them
    options.maxBlocks = 1 + seed % 7;
    options.maxRank = 8;
    options.parameters = true;
  }
  return options;
}

TEST_F(ModuleGeneratorTest, RoundTrips) {
  std::set<std::string> operations;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    GeneratorOptions options = withSeed(seed);
    GeneratedModule generated = generateModule(options);
    OwningOpRef<ModuleOp> module = parse(generated.text);
    ASSERT_TRUE(module && succeeded(verify(*module))) << "seed " << seed << "\n" << messages << generated.text;
    module->walk([&](Operation *op) { operations.insert(op->getName().stripDialect().str()); });

    std::string text = print(*module);
    OwningOpRef<ModuleOp> again = parse(text);
    ASSERT_TRUE(again) << "seed " << seed << "\n" << messages << text;
    ASSERT_EQ(print(*again), text) << "seed " << seed;

    std::string generic = print(*module, true);
    OwningOpRef<ModuleOp> fromGeneric = parse(generic);
    ASSERT_TRUE(fromGeneric) << "seed " << seed << "\n" << messages << generic;
    ASSERT_EQ(print(*fromGeneric, true), generic) << "seed " << seed;
    ASSERT_EQ(print(*fromGeneric), text) << "seed " << seed;

    std::string inner = print(kernels(*module));
    for (ct::BytecodeVersion version : ct::BytecodeVersion::all()) {
      if (version.minorNumber < options.minorVersion)
        continue;
      std::string bytes;
      llvm::raw_string_ostream os(bytes);
      messages.clear();
      ASSERT_TRUE(succeeded(ct::writeBytecode(os, kernels(*module), version)))
          << "seed " << seed << " " << version.str() << "\n"
          << messages << text;
      OwningOpRef<ct::ModuleOp> read = ct::readBytecode(ArrayRef(bytes.data(), bytes.size()), &context);
      ASSERT_TRUE(read) << "seed " << seed << " " << version.str() << "\n" << messages << text;
      ASSERT_EQ(print(*read), inner) << "seed " << seed << " " << version.str();
    }
  }
  // A generator that had lost its way would pass the above with empty modules.
  EXPECT_GE(operations.size(), 100u);
  for (const char *name : {"for",
                           "loop",
                           "if",
                           "break",
                           "reduce",
                           "scan",
                           "mmaf",
                           "mmai",
                           "insert",
                           "extract",
                           "cat",
                           "load_view_tko",
                           "store_view_tko",
                           "make_strided_view",
                           "make_gather_scatter_view",
                           "atomic_cas_tko",
                           "atomic_rmw_tko",
                           "atomic_red_view_tko",
                           "assume",
                           "alloca",
                           "get_global",
                           "fpowi",
                           "print_tko",
                           "assert",
                           "bitcast",
                           "get_index_space_shape",
                           "join_tokens"})
    EXPECT_TRUE(operations.count(name)) << name;
}

/// What the kernel left in its arrays, or the report of why it did not finish.
std::vector<std::vector<uint8_t>> execute(ModuleOp module, const GeneratedModule &generated, std::string &report) {
  LaunchRequest request;
  request.entry = generated.entry;
  request.grid = {uint32_t(generated.grid[0]), uint32_t(generated.grid[1]), uint32_t(generated.grid[2])};
  for (const std::string &argument : generated.arguments)
    if (!parseLaunchArg(argument, {}, request, report))
      return {};
  RunOutcome outcome = makeReferenceEngine(module, 1 << 22)->run(request);
  if (!outcome.ok)
    report = outcome.reports.empty() ? "failed" : outcome.reports[0];
  std::vector<std::vector<uint8_t>> arrays;
  for (const Buffer &buffer : request.buffers)
    arrays.emplace_back(buffer.array.bytes.begin(), buffer.array.bytes.end());
  return arrays;
}

TEST_F(ModuleGeneratorTest, RunsAreDefined) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    GeneratedModule generated = generateModule(withSeed(seed));
    OwningOpRef<ModuleOp> module = parse(generated.text);
    ASSERT_TRUE(module) << messages;
    std::string report;
    auto arrays = execute(*module, generated, report);
    ASSERT_TRUE(report.empty()) << "seed " << seed << ": " << report << "\n" << messages << generated.text;

    // What bytecode brings back computes the same.
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    ASSERT_TRUE(succeeded(ct::writeBytecode(os, kernels(*module)))) << messages;
    OwningOpRef<ModuleOp> outer = ModuleOp::create(UnknownLoc::get(&context));
    OwningOpRef<ct::ModuleOp> read = ct::readBytecode(ArrayRef(bytes.data(), bytes.size()), &context);
    ASSERT_TRUE(read) << messages;
    outer->push_back(read.release());
    ASSERT_EQ(execute(*outer, generated, report), arrays) << "seed " << seed << "\n" << report;
  }
}

// The engine that says so would notice accesses out of bounds: with every array cut to one element most modules fail.
TEST_F(ModuleGeneratorTest, BoundsAreTight) {
  unsigned failures = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    GeneratorOptions options = withSeed(seed);
    options.maxElements = 256;
    GeneratedModule generated = generateModule(options);
    for (std::string &argument : generated.arguments)
      if (size_t open = argument.find('['); open != std::string::npos)
        argument = argument.substr(0, open) + "[1" + argument.substr(argument.find(']'));
    OwningOpRef<ModuleOp> module = parse(generated.text);
    ASSERT_TRUE(module) << messages;
    std::string report;
    execute(*module, generated, report);
    failures += !report.empty();
  }
  EXPECT_GE(failures, 30u);
}

TEST_F(ModuleGeneratorTest, ObeysItsOptions) {
  std::set<std::string> texts;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    GeneratorOptions options = withSeed(seed);
    EXPECT_EQ(generateModule(options).text, generateModule(options).text);
    texts.insert(generateModule(options).text);

    options.features = GeneratorOptions::Integers | GeneratorOptions::ControlFlow;
    options.maxDepth = 1;
    OwningOpRef<ModuleOp> module = parse(generateModule(options).text);
    ASSERT_TRUE(module) << messages;
    module->walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (auto tile = dyn_cast<ct::TileType>(type))
          EXPECT_FALSE(isa<FloatType>(tile.getElementType())) << op->getName().getStringRef().str();
      EXPECT_FALSE((isa<ct::ReduceOp, ct::ScanOp, ct::LoadPtrTkoOp, ct::AtomicRMWTkoOp>(op)));
      auto loop = op->getParentOfType<ct::ForOp>();
      EXPECT_FALSE((loop && isa<ct::ForOp, ct::LoopOp>(op)));
    });
  }
  EXPECT_EQ(texts.size(), 50u);
}

} // namespace
