//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Other orders of instructions for kernels that spill, with scripts that say what ptxas would.
//===----------------------------------------------------------------------===//

#include "FakeCubin.h"
#include "FakeTool.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Compiler/Compiler.h"
#include "tileiras/Compiler/CubinSections.h"
#include "tileiras/Compiler/Register.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tileiras;

namespace {

/// A loop that reads `invariants` numbers computed before it. 150 of them fit beside what is usually left to ptxas;
/// they are computed in the loop where it is left twice as many registers.
std::string kernel(unsigned invariants) {
  std::string text = R"(
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 256>} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
)";
  std::string loop;
  for (unsigned i = 0; i < invariants; ++i) {
    std::string n = std::to_string(i);
    text += "      %c" + n + " = llvm.mlir.constant(" + std::to_string(i * 7 + 1) + " : i32) : i32\n      %v" + n +
            " = llvm.xor %n, %c" + n + " : i32\n";
    loop += "      llvm.store volatile %v" + n + ", %p : i32, !llvm.ptr<1>\n";
  }
  return text + R"(
      llvm.br ^loop(%zero : i32)
    ^loop(%k: i32):
)" + loop +
         R"(
      %next = llvm.add %k, %one : i32
      %more = llvm.icmp "slt" %next, %n : i32
      llvm.cond_br %more, ^loop(%next : i32), ^end
    ^end:
      llvm.return
    }
  }
}
)";
}

/// What `ptxas -v` says of k.
std::string said(unsigned spilled) {
  return ("ptxas info    : Compiling entry function 'k' for 'sm_90a'\n    8 bytes stack frame, " + Twine(spilled) +
          " bytes spill stores, " + Twine(spilled) +
          " bytes spill loads\nptxas info    : Used 168 registers, used 1 barriers\n")
      .str();
}

struct Outcome {
  uint64_t code = 0; ///< bytes, which tell the cubins apart
  unsigned runs = 0;
  std::string ptx;
  OrderTrial order;
};

/// ptxas spills `spilled[i]` bytes and writes `code[i]` bytes of code in its i-th run.
Outcome assemble(ArrayRef<unsigned> spilled, ArrayRef<uint64_t> code, unsigned invariants = 150,
                 StringRef limits = "cubin", int level = 3, bool hasSource = true) {
  FakeTool tool(
      "d=$(dirname $0); echo run >> $d/runs; n=$(grep -c run $d/runs); cat $d/$n.txt; cat $d/$n.elf > /proc/self/fd/4");
  auto write = [&](const std::string &name, StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream((tool.folder + "/" + name).str(), error) << text;
  };
  for (size_t i = 0; i < spilled.size(); ++i) {
    write(std::to_string(i + 1) + ".txt", said(spilled[i]));
    write(std::to_string(i + 1) + ".elf", elf({{".text.k", llvm::ELF::SHT_PROGBITS, code[i]}}));
  }
  DialectRegistry registry;
  registerCompilerDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kernel(invariants), &context);
  Outcome outcome;
  if (!module) {
    ADD_FAILURE() << "the kernel cannot be read";
    return outcome;
  }
  CompileOptions options;
  options.ptxasPath = tool.path;
  options.gpuName = "sm_90";
  options.optLevel = level;
  options.registerLimits = limits.str();
  EXPECT_TRUE(succeeded(emitPTX(*module, emissionOptions(options, Stage::PTX), outcome.ptx)));
  std::string cubin;
  AssemblyReport report;
  EXPECT_TRUE(
      succeeded(assemblePTX(outcome.ptx, module->getLoc(), options, cubin, hasSource ? *module : ModuleOp(), &report)));
  outcome.code = codeBytes(cubin, "k");
  outcome.order = report.order;
  auto runs = llvm::MemoryBuffer::getFile((tool.folder + "/runs").str());
  outcome.runs = runs ? (*runs)->getBuffer().count("run") : 0;
  return outcome;
}

TEST(OtherOrder, NoneWithoutSpills) {
  Outcome outcome = assemble({0}, {4096});
  EXPECT_EQ(outcome.runs, 1u);
  EXPECT_EQ(outcome.code, 4096u);
  EXPECT_EQ(outcome.order.attempts, 0u);
}

TEST(OtherOrder, TheOneThatSpillsLessIsKept) {
  // Half of the spare registers gives the same text, which is not assembled again.
  Outcome usual = assemble({0}, {4096}), outcome = assemble({8, 0}, {4096, 4200});
  EXPECT_EQ(outcome.runs, 2u);
  EXPECT_EQ(outcome.code, 4200u);
  EXPECT_EQ(outcome.order.kernel, "k");
  EXPECT_EQ(outcome.order.attempts, 1u);
  EXPECT_EQ(outcome.order.spilledBefore, 8u);
  EXPECT_EQ(outcome.order.spilledKept, 0u);
  EXPECT_NE(outcome.ptx, usual.ptx);
}

TEST(OtherOrder, WhatIsWorseIsNotKept) {
  Outcome usual = assemble({0}, {4096});
  for (auto [spilled, code] : {std::pair(8u, 4096u), std::pair(12u, 4096u), std::pair(0u, 4600u)}) {
    Outcome outcome = assemble({8, spilled}, {4096, code});
    EXPECT_EQ(outcome.runs, 2u);
    EXPECT_EQ(outcome.code, 4096u);
    EXPECT_EQ(outcome.order.spilledKept, 8u);
    EXPECT_EQ(outcome.ptx, usual.ptx);
  }
}

TEST(OtherOrder, OnlyWhereItMayBe) {
  EXPECT_EQ(assemble({8}, {4096}, 150, "none").runs, 1u);
  EXPECT_EQ(assemble({8}, {4096}, 150, "cubin", /*level=*/0).runs, 1u);
  EXPECT_EQ(assemble({8}, {4096}, 150, "cubin", 3, /*hasSource=*/false).runs, 1u);
  // No other order is another text.
  EXPECT_EQ(assemble({8}, {4096}, 4).runs, 1u);
}

} // namespace
