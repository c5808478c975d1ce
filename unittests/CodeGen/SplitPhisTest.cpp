//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/SplitPhis.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace {

struct Counts {
  bool changed = false;
  unsigned structPhis = 0, phis = 0, inserts = 0, extracts = 0;
};

/// A loop that carries %s and, at its end, makes %next of it; `after` may use %s.
Counts split(const std::string &body, const std::string &after = "", const std::string &first = "zeroinitializer") {
  LLVMContext context;
  SMDiagnostic error;
  std::string text = R"(
declare void @take({ float, i32 })
define void @kernel(i32 %n, ptr %p, { float, i32 } %argument) {
entry:
  br label %loop
loop:
  %s = phi { float, i32 } [ )" +
                     first + R"(, %entry ], [ %next, %loop ]
  %a = extractvalue { float, i32 } %s, 0
  %b = extractvalue { float, i32 } %s, 1
)" + body + R"(
  %again = icmp slt i32 %b, %n
  br i1 %again, label %loop, label %end
end:
  store float %a, ptr %p
)" + after + "  ret void\n}\n";
  std::unique_ptr<Module> module = parseAssemblyString(text, error, context);
  if (!module) {
    std::string message;
    raw_string_ostream os(message);
    error.print("test", os);
    ADD_FAILURE() << message;
    return {};
  }
  Counts counts;
  Function &function = *module->getFunction("kernel");
  counts.changed = tileiras::splitPhis(function);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  for (Instruction &instruction : instructions(function)) {
    counts.phis += isa<PHINode>(instruction);
    counts.structPhis += isa<PHINode>(instruction) && instruction.getType()->isStructTy();
    counts.inserts += isa<InsertValueInst>(instruction);
    counts.extracts += isa<ExtractValueInst>(instruction);
  }
  return counts;
}

const std::string kPutTogether = R"(
  %x = fadd float %a, 1.0
  %y = add i32 %b, 1
  %t = insertvalue { float, i32 } poison, float %x, 0
  %next = insertvalue { float, i32 } %t, i32 %y, 1
)";

TEST(SplitPhis, FieldsThatArePutTogether) {
  Counts counts = split(kPutTogether);
  EXPECT_TRUE(counts.changed);
  EXPECT_EQ(counts.phis, 2u);
  EXPECT_EQ(counts.structPhis + counts.inserts + counts.extracts, 0u);
}

TEST(SplitPhis, AFieldThatStaysAsItIs) {
  Counts counts = split("  %x = fadd float %a, 1.0\n  %next = insertvalue { float, i32 } %s, float %x, 0\n");
  EXPECT_EQ(counts.phis, 2u);
  EXPECT_EQ(counts.structPhis + counts.inserts + counts.extracts, 0u);
}

TEST(SplitPhis, WhoNeedsTheWholeGetsIt) {
  Counts counts = split(kPutTogether, "  call void @take({ float, i32 } %s)\n");
  EXPECT_TRUE(counts.changed);
  EXPECT_EQ(counts.structPhis, 0u);
  EXPECT_EQ(counts.inserts, 2u);
}

TEST(SplitPhis, ResultsOfInstructionsStayWhole) {
  // They may be on their way: nobody may touch them before a wait.
  Counts counts =
      split("  %next = call { float, i32 } asm sideeffect \"product $0, $1;\", \"=f,=r,0,1\"(float %a, i32 %b)\n");
  EXPECT_FALSE(counts.changed);
  EXPECT_EQ(counts.structPhis, 1u);
}

TEST(SplitPhis, SoDoesWhatFlowsIntoThem) { EXPECT_FALSE(split(kPutTogether, "", "%argument").changed); }

} // namespace
