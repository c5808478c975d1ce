//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// One more block for fewer registers, with scripts that say what ptxas would.
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/RegisterLimit.h"
#include "FakeCubin.h"
#include "FakeTool.h"
#include "mlir/IR/MLIRContext.h"
#include "tileiras/CodeGen/Toolchain.h"
#include "tileiras/Compiler/Compiler.h"
#include "tileiras/Compiler/CubinSections.h"
#include "tileiras/Support/Residency.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tileiras;

namespace {

/// As LLVM prints it.
std::string kernel(StringRef name, StringRef directives, StringRef body = "") {
  return ("\n.visible .entry " + name + "(\n\t.param .u64 " + name + "_param_0\n)\n" + directives +
          "{\n\t.reg .b32 \t%r<9>;\n\tmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {}, {}, {}, {};\n" + body +
          "\tret;\n\n}\n")
      .str();
}
std::string eightWarps(StringRef body = "") { return kernel("k", ".reqntid 256\n.minnctapersm 1\n", body); }

constexpr StringLiteral kExponential = "\tex2.approx.ftz.f32 \t%r2, %r3;\n";

/// What `ptxas -v` says of k.
std::string said(unsigned registers, unsigned spilled = 0, unsigned stack = 0, StringRef name = "k",
                 unsigned shared = 65536) {
  return ("ptxas info    : Compiling entry function '" + name + "' for 'sm_90a'\n    " + Twine(stack) +
          " bytes stack frame, " + Twine(spilled) + " bytes spill stores, " + Twine(spilled) +
          " bytes spill loads\nptxas info    : Used " + Twine(registers) + " registers, used 1 barriers, " +
          Twine(shared) + " bytes smem\n")
      .str();
}

constexpr StringLiteral kLimited = "grep -q '^[.]maxnreg 128' /proc/self/fd/3";
constexpr StringLiteral kUntold = "! grep -q '^[.]minnctapersm' /proc/self/fd/3";

/// Counts its runs; what it says and writes depends on whether the text has .maxnreg, or is as `isSecond` asks.
struct FakePtxas {
  explicit FakePtxas(StringRef first, StringRef second, uint64_t firstCode = 4096, uint64_t secondCode = 4096,
                     StringRef end = "", StringRef isSecond = kLimited)
      : tool("d=$(dirname $0); echo run >> $d/runs; n=first; " + isSecond.str() + " && n=second; " +
             "cp /proc/self/fd/3 $d/$n.ptx; cat $d/$n.txt; cat $d/$n.elf > /proc/self/fd/4; " + end.str()) {
    write("first.txt", first);
    write("second.txt", second);
    write("first.elf", elf({{".text.k", llvm::ELF::SHT_PROGBITS, firstCode}}));
    write("second.elf", elf({{".text.k", llvm::ELF::SHT_PROGBITS, secondCode}}));
    write("runs", "");
  }
  void write(StringRef name, StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream((tool.folder + "/" + name).str(), error) << text;
  }
  std::string read(StringRef name) {
    auto buffer = llvm::MemoryBuffer::getFile((tool.folder + "/" + name).str());
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  unsigned runs() { return StringRef(read("runs")).count("run"); }
  FakeTool tool;
};

struct Outcome {
  uint64_t code = 0;
  unsigned runs = 0;
  std::string ptx; ///< that limitRegisters writes
  std::vector<RegisterTrial> trials;
};

Outcome assemble(FakePtxas &ptxas, const std::string &ptx, StringRef gpu = "sm_90", StringRef limits = "cubin",
                 int level = 3) {
  MLIRContext context;
  CompileOptions options;
  options.ptxasPath = ptxas.tool.path;
  options.gpuName = gpu.str();
  options.registerLimits = limits.str();
  options.optLevel = level;
  std::string cubin;
  AssemblyReport report;
  Outcome outcome;
  outcome.ptx = ptx;
  EXPECT_TRUE(succeeded(assemblePTX(outcome.ptx, UnknownLoc::get(&context), options, cubin, ModuleOp(), &report)));
  outcome.code = codeBytes(cubin, "k");
  outcome.trials = report.trials;
  EXPECT_EQ(outcome.ptx, ptx);
  outcome.runs = ptxas.runs();
  EXPECT_TRUE(succeeded(limitRegisters(outcome.ptx, UnknownLoc::get(&context), options, ModuleOp())));
  if (outcome.runs > 1)
    EXPECT_EQ(ptxas.runs(), 2 * outcome.runs) << "the same questions";
  return outcome;
}

TEST(RegisterLimit, OneMoreBlockIsKept) {
  FakePtxas ptxas(said(132), said(110), 4096, 4224);
  Outcome outcome = assemble(ptxas, eightWarps());
  EXPECT_EQ(outcome.runs, 2u);
  EXPECT_EQ(outcome.code, 4224u);
  ASSERT_EQ(outcome.trials.size(), 1u);
  EXPECT_TRUE(outcome.trials[0].kept) << outcome.trials[0].reason;
  EXPECT_EQ(outcome.trials[0].limit, 128u);
  EXPECT_EQ(outcome.trials[0].blocksBefore, 1u);
  EXPECT_EQ(outcome.trials[0].blocksAfter, 2u);
  // The limit has the place of .minnctapersm, and nothing else differs.
  EXPECT_EQ(outcome.ptx, kernel("k", ".reqntid 256\n.maxnreg 128\n"));
  EXPECT_EQ(ptxas.read("second.ptx"), outcome.ptx);
}

TEST(RegisterLimit, WithoutMinnctapersmItStandsBeforeTheBody) {
  FakePtxas ptxas(said(132), said(128));
  EXPECT_EQ(assemble(ptxas, kernel("k", ".reqntid 256\n")).ptx, kernel("k", ".reqntid 256\n.maxnreg 128\n"));
}

TEST(RegisterLimit, WhatIsWorseIsNotKept) {
  struct {
    std::string second;
    uint64_t code;
    const char *reason;
  } cases[] = {{said(128, 16, 16), 4096, "values would be spilled"},
               {said(128, 0, 8), 4096, "a thread would take more of the stack"},
               {said(130), 4096, "ptxas does not keep to the limit"},
               {said(110), 4096 + 4096 / 8, "the code would be longer"},
               {"", 4096, "ptxas refuses the limit"}};
  for (auto &c : cases) {
    FakePtxas ptxas(said(132), c.second, 4096, c.code);
    Outcome outcome = assemble(ptxas, eightWarps());
    EXPECT_EQ(outcome.runs, 2u);
    EXPECT_EQ(outcome.code, 4096u);
    ASSERT_EQ(outcome.trials.size(), 1u);
    EXPECT_FALSE(outcome.trials[0].kept);
    EXPECT_EQ(outcome.trials[0].reason, c.reason);
    EXPECT_EQ(outcome.ptx, eightWarps());
  }
}

TEST(RegisterLimit, ARefusalIsNoError) {
  FakePtxas ptxas(said(132), "ptxas fatal   : (C7602) Insufficient registers (128)", 4096, 4096,
                  "[ $n = first ] || exit 255");
  Outcome outcome = assemble(ptxas, eightWarps());
  EXPECT_EQ(outcome.code, 4096u);
  ASSERT_EQ(outcome.trials.size(), 1u);
  EXPECT_EQ(outcome.trials[0].reason, "ptxas refuses the limit");
}

TEST(RegisterLimit, SpillsThatAreThereAlreadyMayStay) {
  FakePtxas ptxas(said(132, 16, 16), said(128, 16, 16), 4096, 4000);
  EXPECT_EQ(assemble(ptxas, eightWarps()).code, 4000u);
}

TEST(RegisterLimit, NobodyIsAskedAgainWhereNothingCouldBeGained) {
  std::string withoutProducts = eightWarps();
  size_t product = withoutProducts.find("\tmma");
  withoutProducts.erase(product, withoutProducts.find("\tret") - product);
  struct {
    std::string ptx, first;
    const char *why;
  } cases[] = {
      {eightWarps(), said(132, 0, 0, "k", 120 * 1024), "shared memory has no room"},
      {eightWarps(), said(128), "there is room already"},
      {eightWarps(), said(184), "out of reach"},
      {eightWarps("\tsetmaxnreg.dec.sync.aligned.u32 40;\n"), said(132), "warps give registers to each other"},
      {eightWarps("\tmov.u32 \t%r1, %nsmid;\n"), said(132), "one block for each multiprocessor stays"},
      {kernel("k", ".reqntid 256\n.minnctapersm 1\n.maxnreg 160\n"), said(132), "has a limit"},
      {kernel("k", ".reqntid 128\n.minnctapersm 3\n", kExponential), said(139, 0, 0, "k", 16384),
       "as many as were asked for"},
      {kernel("k", ".reqntid 128\n.minnctapersm 1\n", kExponential), said(100, 0, 0, "k", 16384), "enough warps"},
      {kernel("k", ".reqntid 128\n.minnctapersm 1\n"), said(139, 0, 0, "k", 16384), "enough for products alone"},
      {withoutProducts, said(132), "nothing is multiplied"},
      {kernel("k", ".minnctapersm 1\n"), said(132), "the launch decides how many warps there are"}};
  for (auto &c : cases) {
    FakePtxas ptxas(c.first, said(110));
    Outcome outcome = assemble(ptxas, c.ptx);
    EXPECT_EQ(outcome.runs, 1u) << c.why;
    EXPECT_TRUE(outcome.trials.empty()) << c.why;
    EXPECT_EQ(outcome.ptx, c.ptx) << c.why;
  }
}

/// Of so many registers ptxas may need fewer when it is not told that one block is enough.
TEST(RegisterLimit, ManyRegistersAreAskedForAgain) {
  struct {
    unsigned registers, spilled;
    uint64_t code;
    const char *reason;
    bool kept;
    unsigned blocks;
  } cases[] = {{164, 0, 4096, "the same is done in fewer registers", true, 1},
               {128, 0, 4480, "nothing is spilled for one more block", true, 2},
               {164, 0, 4112, "the code would be longer", false, 1},
               {217, 0, 4096, "a thread would get as many registers", false, 1},
               {164, 8, 4096, "values would be spilled", false, 1}};
  for (auto &c : cases) {
    FakePtxas ptxas(said(224), said(c.registers, c.spilled), 4096, c.code, "", kUntold);
    Outcome outcome = assemble(ptxas, eightWarps());
    EXPECT_EQ(outcome.runs, 2u);
    ASSERT_EQ(outcome.trials.size(), 1u);
    EXPECT_EQ(outcome.trials[0].reason, c.reason);
    EXPECT_EQ(outcome.trials[0].kept, c.kept);
    EXPECT_EQ(outcome.trials[0].blocksAfter, c.blocks);
    EXPECT_EQ(outcome.code, c.kept ? c.code : 4096u);
    EXPECT_EQ(outcome.ptx, c.kept ? kernel("k", ".reqntid 256\n") : eightWarps());
  }
  // Who has asked for two blocks has been told two.
  FakePtxas ptxas(said(224), said(164), 4096, 4096, "", kUntold);
  EXPECT_EQ(assemble(ptxas, kernel("k", ".reqntid 256\n.minnctapersm 2\n")).runs, 1u);
}

std::string byWgmma(std::string ptx) {
  ptx.replace(ptx.find("mma.sync"), 8, "wgmma.mma_async.sync");
  return ptx;
}

/// What ptxas says of a text whose first kernel has a limit; it refuses the limits that it knows nothing of.
struct FakeLimits : FakePtxas {
  struct Answer {
    unsigned limit; ///< 0: none
    std::string said;
    uint64_t code = 4096;
  };
  FakeLimits(std::initializer_list<Answer> answers) : FakePtxas("", "") {
    write("ptxas", "#!/bin/sh\nd=$(dirname $0); echo run >> $d/runs; "
                   "n=$(sed -n 's/^[.]maxnreg //p' /proc/self/fd/3 | head -1); cat $d/a${n:-0}.txt && "
                   "cat $d/a${n:-0}.elf > /proc/self/fd/4\n");
    for (const Answer &answer : answers) {
      std::string name = "a" + std::to_string(answer.limit);
      write(name + ".txt", answer.said);
      write(name + ".elf",
            elf({{".text.k", llvm::ELF::SHT_PROGBITS, answer.code}, {".text.l", llvm::ELF::SHT_PROGBITS, 4096}}));
    }
  }
};

/// 168 registers: 144, 152 and 160 are tried at once.
TEST(FewestRegisters, TheLeastThatIsAsGoodIsKept) {
  auto one = [](unsigned registers, unsigned spilled = 0, unsigned stack = 0) {
    return said(registers, spilled, stack, "k", 120 * 1024); // shared memory has no room for a second block
  };
  struct {
    FakeLimits ptxas;
    unsigned limit, registers;
    const char *why;
  } cases[] = {
      {{{0, one(162)}, {152, one(150, 32, 32)}, {160, one(154), 4259}}, 160, 154, "refused, spilled, hardly longer"},
      {{{0, one(162)}, {152, one(150)}, {160, one(154)}}, 152, 150, "the least"},
      {{{0, one(162)}, {144, one(144)}, {152, one(150, 32, 32)}, {160, one(154)}}, 144, 144, "whatever is between"},
      {{{0, one(162)}, {160, one(154), 4272}}, 0, 0, "longer by more than a twenty-fifth"},
      {{{0, one(162)}, {160, one(162)}}, 0, 0, "ptxas does not keep to the limit"},
      {{{0, one(162)}, {160, one(154, 0, 8)}}, 0, 0, "more of the stack"},
      {{{0, one(162, 8, 8)}, {160, one(154, 8, 8)}}, 160, 154, "spilled anyway"},
      {{{0, one(162)}}, 0, 0, "all are refused"}};
  for (auto &c : cases) {
    Outcome outcome = assemble(c.ptxas, byWgmma(eightWarps()));
    EXPECT_EQ(outcome.runs, 4u) << c.why;
    ASSERT_EQ(outcome.trials.size(), c.limit ? 1u : 0u) << c.why;
    EXPECT_EQ(outcome.ptx,
              byWgmma(c.limit ? kernel("k", (".reqntid 256\n.maxnreg " + Twine(c.limit) + "\n").str()) : eightWarps()))
        << c.why;
    if (!c.limit)
      continue;
    const RegisterTrial &trial = outcome.trials[0];
    EXPECT_TRUE(trial.kept) << c.why;
    EXPECT_EQ(trial.limit, c.limit) << c.why;
    EXPECT_EQ(trial.registersBefore, 162u) << c.why;
    EXPECT_EQ(trial.registersAfter, c.registers) << c.why;
    EXPECT_EQ(outcome.code, trial.codeAfter) << c.why;
    EXPECT_EQ(trial.reason, "the same is done in fewer registers");
  }
}

/// What is found is looked around at: 256 registers, of which 224 are within reach.
TEST(FewestRegisters, SeveralRounds) {
  FakeLimits ptxas{{0, said(255)}, {232, said(232)}, {240, said(240)}, {248, said(248)}};
  Outcome outcome = assemble(ptxas, byWgmma(eightWarps()));
  ASSERT_EQ(outcome.trials.size(), 1u);
  EXPECT_EQ(outcome.trials[0].limit, 232u);
  // Of those, ptxas took fewer than the limit.
  FakeLimits fewer{{0, said(255)}, {248, said(225)}, {224, said(224, 8, 8)}};
  EXPECT_EQ(assemble(fewer, byWgmma(eightWarps())).trials.at(0).registersAfter, 225u);
}

/// Where a block is won, limits below are looked for, and other kernels keep theirs.
TEST(FewestRegisters, BehindABlock) {
  FakeLimits ptxas{{0, said(132)}, {128, said(128)}, {120, said(118)}};
  Outcome outcome = assemble(ptxas, byWgmma(eightWarps()));
  ASSERT_EQ(outcome.trials.size(), 1u);
  EXPECT_EQ(outcome.trials[0].limit, 120u);
  EXPECT_EQ(outcome.trials[0].blocksAfter, 2u);
  EXPECT_EQ(outcome.trials[0].reason, "nothing is spilled for one more block");

  std::string other = kernel("l", ".reqntid 256\n.minnctapersm 1\n");
  FakeLimits two{{0, said(132) + said(132, 0, 0, "l")},
                 {128, said(128) + said(128, 0, 0, "l")},
                 {120, said(118) + said(128, 0, 0, "l")}};
  EXPECT_EQ(assemble(two, byWgmma(eightWarps()) + other).ptx,
            byWgmma(kernel("k", ".reqntid 256\n.maxnreg 120\n")) + kernel("l", ".reqntid 256\n.maxnreg 128\n"));
}

/// Who asks for the least gets it of every product, from three quarters on.
TEST(FewestRegisters, WhereTheyAreAskedFor) {
  auto asked = [](const std::string &ptx, StringRef limits = "cubin") {
    FakeLimits ptxas{{0, said(128)}, {104, said(104)}, {112, said(112)}, {120, said(120)}};
    return assemble(ptxas, ptx, "sm_90", limits).ptx;
  };
  EXPECT_EQ(asked(eightWarps(), "least"), kernel("k", ".reqntid 256\n.maxnreg 104\n"));
  EXPECT_EQ(asked(eightWarps()), eightWarps());
  EXPECT_EQ(asked(byWgmma(eightWarps())), byWgmma(kernel("k", ".reqntid 256\n.maxnreg 112\n")));
  // Agents divide what there is at the start.
  std::string agents = byWgmma(eightWarps("\tsetmaxnreg.dec.sync.aligned.u32 40;\n"));
  EXPECT_EQ(asked(agents), agents);
}

TEST(RegisterLimit, MoreThanAskedForMayBecomeMore) {
  FakePtxas ptxas(said(139, 0, 0, "k", 40960), said(120, 0, 0, "k", 40960));
  Outcome outcome = assemble(ptxas, kernel("k", ".reqntid 128\n.minnctapersm 2\n", kExponential));
  ASSERT_EQ(outcome.trials.size(), 1u);
  EXPECT_EQ(outcome.trials[0].blocksAfter, 4u);
  EXPECT_TRUE(outcome.trials[0].kept);
}

TEST(RegisterLimit, DynamicSharedMemoryCounts) {
  FakePtxas ptxas(said(132, 0, 0, "k", 0), said(110));
  Outcome outcome = assemble(ptxas, eightWarps() + "// k needs 98304 bytes of dynamic shared memory\n", "sm_80");
  EXPECT_EQ(outcome.runs, 1u);
}

TEST(RegisterLimit, TensorMemoryCounts) {
  FakePtxas ptxas(said(132, 0, 0, "k", 0), said(110));
  Outcome outcome =
      assemble(ptxas, eightWarps("\ttcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 512;\n"), "sm_100");
  EXPECT_EQ(outcome.runs, 1u);
}

TEST(RegisterLimit, SwitchedOff) {
  for (auto [limits, level] : {std::pair("none", 3), std::pair("cubin", 0)}) {
    FakePtxas ptxas(said(132), said(110));
    Outcome outcome = assemble(ptxas, eightWarps(), "sm_90", limits, level);
    EXPECT_EQ(outcome.runs, 1u);
    EXPECT_EQ(outcome.ptx, eightWarps());
  }
}

/// Two kernels, of which one spills: the third run has the limit of the other one alone.
TEST(RegisterLimit, KernelsOfAModuleAreJudgedAlone) {
  std::string first = said(132) + said(132, 0, 0, "l"), second = said(110) + said(128, 8, 8, "l");
  FakePtxas ptxas(first, second);
  for (const char *name : {"first.elf", "second.elf"})
    ptxas.write(name, elf({{".text.k", llvm::ELF::SHT_PROGBITS, 4096}, {".text.l", llvm::ELF::SHT_PROGBITS, 4096}}));
  std::string ptx = eightWarps() + kernel("l", ".reqntid 256\n.minnctapersm 1\n");
  Outcome outcome = assemble(ptxas, ptx);
  EXPECT_EQ(outcome.runs, 3u);
  ASSERT_EQ(outcome.trials.size(), 2u);
  EXPECT_TRUE(outcome.trials[0].kept);
  EXPECT_FALSE(outcome.trials[1].kept);
  EXPECT_EQ(outcome.ptx, kernel("k", ".reqntid 256\n.maxnreg 128\n") + kernel("l", ".reqntid 256\n.minnctapersm 1\n"));
}

/// Two kernels, of which the assembler refuses one with a limit: it is asked about each alone, and about what is left.
TEST(RegisterLimit, ARefusalIsThatOfOneKernel) {
  std::string first = said(132) + said(132, 0, 0, "l"), second = said(110) + said(132, 0, 0, "l");
  FakePtxas ptxas(first, second, 4096, 4096,
                  "grep -A5 'entry l' /proc/self/fd/3 | grep -q '^[.]maxnreg' && exit 255; true");
  for (const char *name : {"first.elf", "second.elf"})
    ptxas.write(name, elf({{".text.k", llvm::ELF::SHT_PROGBITS, 4096}, {".text.l", llvm::ELF::SHT_PROGBITS, 4096}}));
  Outcome outcome = assemble(ptxas, eightWarps() + kernel("l", ".reqntid 256\n.minnctapersm 1\n"));
  EXPECT_EQ(outcome.runs, 5u);
  ASSERT_EQ(outcome.trials.size(), 2u);
  EXPECT_TRUE(outcome.trials[0].kept);
  EXPECT_FALSE(outcome.trials[1].kept);
  EXPECT_EQ(outcome.trials[1].reason, "ptxas refuses the limit");
  EXPECT_EQ(outcome.ptx, kernel("k", ".reqntid 256\n.maxnreg 128\n") + kernel("l", ".reqntid 256\n.minnctapersm 1\n"));
}

TEST(Residency, RegistersComeByTheWarpAndTheQuarter) {
  BlockRoom hopper(*lookupTarget("sm_90"));
  auto blocks = [&](uint32_t warps, uint32_t registers, uint32_t shared = 0) {
    return residentBlocks({warps, registers, shared}, hopper);
  };
  EXPECT_EQ(blocks(8, 128).blocks, 2u);
  EXPECT_EQ(blocks(8, 129).blocks, 1u);
  EXPECT_EQ(blocks(4, 139).blocks, 3u);
  EXPECT_EQ(blocks(1, 104).blocks, 16u); // 4 warps of each quarter, not a part of a fifth
  EXPECT_STREQ(blocks(8, 129).limit, "registers");
  EXPECT_EQ(blocks(8, 32, 112 * 1024).blocks, 2u);
  EXPECT_STREQ(blocks(8, 32, 112 * 1024).limit, "shared memory");
  EXPECT_STREQ(blocks(8, 16).limit, "threads");
  EXPECT_STREQ(blocks(1, 16).limit, "blocks per SM");
  EXPECT_STREQ(residentBlocks({4, 32, 0, 256}, BlockRoom(*lookupTarget("sm_100"))).limit, "tensor memory");
  EXPECT_EQ(registersForBlocks(2, 8, hopper), 128u);
  EXPECT_EQ(registersForBlocks(4, 4, hopper), 128u);
  EXPECT_EQ(registersForBlocks(3, 4, hopper), 168u);
  for (uint32_t warps = 1; warps <= 32; warps *= 2)
    for (uint32_t b = 1; b * warps <= 64 && b <= 32; ++b) {
      uint32_t most = registersForBlocks(b, warps, hopper);
      EXPECT_GE(residentBlocks({warps, most}, hopper).blocks, b);
      if (most < 255)
        EXPECT_LT(residentBlocks({warps, most + 1}, hopper).blocks, b);
    }
}

} // namespace
