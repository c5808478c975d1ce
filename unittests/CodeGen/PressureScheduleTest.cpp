//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The order of instructions around asynchronous ones: what LLVM's data flow does not
// show must survive. Every case stands beside one without the wait, where the same
// instruction does move; else the test would show nothing.
//
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/PressureSchedule.h"
#include "tileiras/CodeGen/LiveRegisters.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace {

/// The instructions of the kernel's first block after scheduling, as text. `body` may use %p (shared), %g (global),
/// %x and %i.
std::vector<std::string> schedule(const std::string &body) {
  LLVMContext context;
  SMDiagnostic error;
  std::string text = R"(
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare void @llvm.nvvm.tcgen05.wait.ld()
declare <2 x i32> @llvm.nvvm.tcgen05.ld.16x64b.x2(ptr addrspace(6), i1 immarg)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.wait.all()
declare void @llvm.nvvm.cp.async.commit.group()
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare float @llvm.fma.f32(float, float, float)
define void @kernel(ptr addrspace(3) %p, ptr addrspace(1) %g, ptr addrspace(6) %t, float %x, i32 %i) {
)" + body + "\n  ret void\n}\n!0 = !{!\"global_load\"}\n!1 = !{!\"global_store\"}\n!2 = !{!\"any\"}\n";
  std::unique_ptr<Module> module = parseAssemblyString(text, error, context);
  if (!module) {
    std::string message;
    raw_string_ostream os(message);
    error.print("test", os);
    ADD_FAILURE() << message;
    return {};
  }
  tileiras::scheduleForPressure(*module, /*countBefore=*/false, [](Function &, const tileiras::ScheduleSummary &) {});
  EXPECT_FALSE(verifyModule(*module, &errs()));
  std::vector<std::string> lines;
  for (Instruction &instruction : instructions(*module->getFunction("kernel"))) {
    std::string line;
    raw_string_ostream os(line);
    instruction.print(os);
    lines.push_back(StringRef(line).trim().str());
  }
  return lines;
}

int place(const std::vector<std::string> &lines, StringRef part) {
  for (size_t i = 0; i < lines.size(); ++i)
    if (StringRef(lines[i]).contains(part))
      return i;
  ADD_FAILURE() << "no instruction with '" << part.str() << "'";
  return -1;
}

bool before(const std::vector<std::string> &lines, StringRef first, StringRef second) {
  return place(lines, first) < place(lines, second);
}

/// A product whose accumulators are summed up after something else.
std::string product(const std::string &between) {
  return R"(
  %d = call { float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1}, 0, 0, 1, 1, 1;", "=f,=f"()
)" + between +
         R"(
  %a = extractvalue { float, float } %d, 0
  %b = extractvalue { float, float } %d, 1
  %sum = fadd float %a, %b
  store volatile float %x, ptr addrspace(1) %g
  store float %sum, ptr addrspace(1) %g
)";
}

TEST(PressureSchedule, UseOfProductStaysAfterItsWait) {
  auto waited = schedule(product("  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)"));
  EXPECT_TRUE(before(waited, "wait_group", "fadd"));
  EXPECT_TRUE(before(waited, "wait_group", "extractvalue"));
  // Fields follow what they are fields of, and a sum of two that die goes after them.
  auto free = schedule(product("  call void @llvm.nvvm.cp.async.commit.group()"));
  EXPECT_TRUE(before(free, "fadd", "commit.group"));
}

TEST(PressureSchedule, WaitWrittenAsPtx) {
  auto waited = schedule(product("  call void asm sideeffect \"wgmma.wait_group.sync.aligned 0;\", \"~{memory}\"()"));
  EXPECT_TRUE(before(waited, "wait_group", "extractvalue"));
  // Of an instruction that is known to be none the same is not assumed.
  auto known = schedule(product("  call void asm sideeffect \"membar.cta;\", \"~{memory}\"(), !nv_tileas.access !2"));
  EXPECT_TRUE(before(known, "fadd", "membar"));
}

TEST(PressureSchedule, FieldsTakenBeforeTheWait) {
  auto lines = schedule(R"(
  %d = call { float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1}, 0, 0, 1, 1, 1;", "=f,=f"()
  %a = extractvalue { float, float } %d, 0
  %b = extractvalue { float, float } %d, 1
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %sum = fadd float %a, %b
  store float %sum, ptr addrspace(1) %g
)");
  EXPECT_TRUE(before(lines, "wait_group", "fadd"));
}

TEST(PressureSchedule, LoadFromTensorMemory) {
  std::string body = R"(
  %v = call <2 x i32> @llvm.nvvm.tcgen05.ld.16x64b.x2(ptr addrspace(6) %t, i1 false)
  WAIT
  %a = extractelement <2 x i32> %v, i32 0
  %b = extractelement <2 x i32> %v, i32 1
  %sum = add i32 %a, %b
  store volatile float %x, ptr addrspace(1) %g
  store i32 %sum, ptr addrspace(1) %g
)";
  auto with = [&](const char *wait) {
    std::string text = body;
    return schedule(text.replace(text.find("WAIT"), 4, wait));
  };
  EXPECT_TRUE(before(with("call void @llvm.nvvm.tcgen05.wait.ld()"), "wait.ld", "extractelement"));
  EXPECT_TRUE(before(with("call void @llvm.nvvm.cp.async.commit.group()"), "add i32", "commit.group"));
}

/// A load from shared memory that waits for its use, which is last.
std::string load(const std::string &between) {
  return R"(
  %v = load float, ptr addrspace(3) %p
)" + between +
         R"(
  %sum = fadd float %v, %x
  store float %sum, ptr addrspace(1) %g
)";
}

TEST(PressureSchedule, LoadStaysBeforeAsynchronousCopy) {
  for (std::string between :
       {"  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %p, ptr addrspace(1) %g)",
        "  call void @llvm.nvvm.cp.async.wait.all()",
        "  %s = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) %p)",
        "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
        "  call void asm sideeffect \"cp.async.bulk.commit_group;\", \"\"()"}) {
    auto lines = schedule(load(between));
    EXPECT_EQ(place(lines, "load float"), 0) << between;
  }
  auto free = schedule(load("  store float %x, ptr addrspace(1) %g"));
  EXPECT_TRUE(before(free, "store float %x", "load float"));
}

TEST(PressureSchedule, LoadStaysBehindAWait) {
  auto lines = schedule("  call void @llvm.nvvm.cp.async.wait.all()\n" + load(""));
  EXPECT_TRUE(before(lines, "wait.all", "load float"));
}

/// What inline PTX does is what its lowering says, not what its text looks like.
TEST(PressureSchedule, FactsNotText) {
  std::string store = "  call void asm sideeffect \"st.global.b32 [$0], $1;\", \"l,r\"(ptr addrspace(1) %g, i32 %i)";
  EXPECT_EQ(place(schedule(load(store)), "load float"), 0);
  EXPECT_TRUE(before(schedule(load(store + ", !nv_tileas.access !1")), "st.global", "load float"));
  EXPECT_EQ(place(schedule(load(store + ", !nv_tileas.access !2")), "load float"), 0);
}

/// SinkInvariants computes values again inside of a loop, which is later: never before a wait that stands before them.
TEST(PressureSchedule, InvariantsOfAProductStayBehindItsWait) {
  std::string body = R"(
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {$0, $1}, 0, 0, 1, 1;", "=r,=r"()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %a = extractvalue { i32, i32 } %d, 0
)";
  std::string uses;
  for (int i = 0; i < 300; ++i) {
    std::string n = std::to_string(i);
    body += "  %v" + n + " = add i32 %a, " + std::to_string(i * 7 + 1) + "\n";
    uses += "  store volatile i32 %v" + n + ", ptr addrspace(1) %g\n";
  }
  body += "  br label %loop\nloop:\n  %k = phi i32 [ 0, %0 ], [ %next, %loop ]\n" + uses +
          "  %next = add i32 %k, 1\n  %more = icmp slt i32 %next, %i\n  br i1 %more, label %loop, label %out\nout:\n";
  auto lines = schedule(body);
  EXPECT_TRUE(before(lines, "wait_group", "extractvalue"));
  EXPECT_TRUE(before(lines, "phi", "add i32 %a")) << "nothing was sunk";
}

/// Products without tensor cores leave half of the registers to ptxas, which fetches ahead: invariants that fit beside
/// what other loops leave are computed again.
TEST(PressureSchedule, ManyMultiplyAdds) {
  auto keepsInvariants = [](unsigned multiplyAdds) {
    std::string body, loop;
    for (int i = 0; i < 150; ++i) {
      std::string n = std::to_string(i);
      body += "  %v" + n + " = add i32 %i, " + std::to_string(i * 7 + 1) + "\n";
      loop += "  store volatile i32 %v" + n + ", ptr addrspace(1) %g\n";
    }
    std::string last = "%sum";
    for (unsigned i = 0; i < multiplyAdds; ++i) {
      std::string next = "%f" + std::to_string(i);
      loop += "  " + next + " = call float @llvm.fma.f32(float %x, float " + last + ", float %x)\n";
      last = next;
    }
    body += "  br label %loop\nloop:\n  %k = phi i32 [ 0, %0 ], [ %next, %loop ]\n"
            "  %sum = phi float [ %x, %0 ], [ " +
            last + ", %loop ]\n" + loop +
            "  %next = add i32 %k, 1\n  %more = icmp slt i32 %next, %i\n  br i1 %more, label %loop, label %out\nout:\n"
            "  store float %sum, ptr addrspace(1) %g";
    auto lines = schedule(body);
    return before(lines, "add i32 %i", "phi");
  };
  EXPECT_TRUE(keepsInvariants(64));
  EXPECT_FALSE(keepsInvariants(1024));
}

/// Agents have what setmaxnreg gave them; code that no agent runs alone has what the kernel starts with.
TEST(PressureSchedule, BudgetsOfAgents) {
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseAssemblyString(R"(
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 immarg)
declare void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 immarg)
define void @kernel(i1 %c) #0 {
entry:
  br i1 %c, label %compute, label %copy
compute:
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 232)
  br label %loop
loop:
  br i1 %c, label %loop, label %end
copy:
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 40)
  br label %end
end:
  ret void
}
attributes #0 = { "nvvm.reqntid"="384,1,1" }
)",
                                                       error, context);
  ASSERT_TRUE(module) << error.getMessage().str();
  Function &kernel = *module->getFunction("kernel");
  auto registers = tileiras::registersOfBlocks(kernel, DominatorTree(kernel));
  for (BasicBlock &block : kernel)
    EXPECT_EQ(registers[&block], block.getName() == "compute" || block.getName() == "loop" ? 232u
                                 : block.getName() == "copy"                               ? 40u
                                                                                           : 168u)
        << block.getName().str();
}

} // namespace
