//===- EmulatorWgmmaRulesTest.cpp - Order and registers of wgmma -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WgmmaTestUtil.h"

#include "tileiras/Emulator/Machine/Async/Tensormap.h"
#include "tileiras/Emulator/Machine/Matrix/SmemDescriptor.h"
#include "tileiras/Emulator/Machine/Warp.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;
using namespace tileiras::emu::test::wgmma;

namespace {

const AsyncTiming timings[] = {AsyncTiming::Early, AsyncTiming::Late, AsyncTiming::Random};

/// Runs `middle` for a plain m64n8 bf16 case and returns the outcome.
Outcome runMiddle(const std::string &middle, AsyncTiming timing, Case *used = nullptr) {
  Case c = plain(8, "bf16", "bf16", "f32");
  c.timing = timing;
  Rng rng(21);
  Operands o = randomOperands(c, rng);
  if (used)
    *used = c;
  return run(c, o, kernel(c, middle));
}
const std::string
    mma1 = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %rdb, %p, 1, 1, 0, 0;\n",
    mma2 = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%e0, %e1, %e2, %e3}, %rda, %rdb, %p, 1, 1, 0, 0;\n",
    rs = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, %rdb, %p, 1, "
         "1, 0;\n",
    fence = "wgmma.fence.sync.aligned;\n", commit = "wgmma.commit_group.sync.aligned;\n",
    wait0 = "wgmma.wait_group.sync.aligned 0;\n", wait1 = "wgmma.wait_group.sync.aligned 1;\n",
    more = ".reg .f32 %e<4>; mov.f32 %e0, 0f00000000; mov.f32 %e1, %e0; mov.f32 %e2, %e0; mov.f32 %e3, %e0;\n";

void clean(const std::string &middle) {
  for (AsyncTiming t : timings) {
    Outcome out = runMiddle(middle, t);
    EXPECT_TRUE(out.result.ok) << reports(out.result) << middle;
  }
}
void caught(const std::string &middle, ReportKind kind, const std::string &text) {
  for (AsyncTiming t : timings) {
    Outcome out = runMiddle(middle, t);
    const Report *r = findReport(out.result, kind);
    ASSERT_TRUE(r) << middle << reports(out.result);
    EXPECT_NE(r->message.find(text), std::string::npos) << r->message;
  }
}

TEST(WgmmaRules, Clean) {
  clean(fence + mma1 + mma1 + commit + wait0);
  clean(more + fence + mma1 + commit + mma2 + commit + wait1 + "add.f32 %d0, %d0, %d1;\n" + wait0 +
        "add.f32 %d0, %e0, %d0;\n");
  clean(fence + rs + commit + wait0);
  clean(fence + rs + rs + commit + wait0 + "add.u32 %a0, %a0, 1;\n" + fence + rs + commit + wait0);
  clean(fence + commit + wait0);                                              // empty group
  clean(fence + mma1 + commit + commit + wait1 + "add.f32 %d0, %d0, %d0;\n"); // the older group is complete
  clean(fence + mma1 + commit + wait1 + wait0);
  clean(fence + "mov.f32 %d1, 0f3F800000;\n" + mma1 + commit + wait0); // moves need no fence
}

TEST(WgmmaRules, MissingWait) {
  caught(fence + mma1 + commit + "st.global.f32 [%rd7], %d1;\n" + wait0, ReportKind::Async, "'%d1' is read while");
  caught(fence + mma1 + commit + wait1 + "mov.f32 %d2, 0f00000000;\n" + wait0, ReportKind::Async,
         "'%d2' is written while");
  caught(fence + mma1 + wait0, ReportKind::Async, "wgmma.wait_group is missing"); // never committed
  caught(fence + rs + commit + "mov.b32 %a3, 0;\n" + wait0, ReportKind::Async, "as matrix A");
  caught(more + fence + mma1 + commit + mma2 + commit + wait1 + "add.f32 %d0, %d0, %e0;\n" + wait0, ReportKind::Async,
         "'%e0' is read");
  caught(fence + mma1 + commit + "ret;\n", ReportKind::Async, "the warp exits while the wgmma.mma_async");
}

TEST(WgmmaRules, MissingFence) {
  caught(mma1 + commit + wait0, ReportKind::Async, "no wgmma.fence before the warp's first");
  caught(fence + mma1 + commit + wait0 + "add.f32 %d0, %d0, %d1;\n" + mma1 + commit + wait0, ReportKind::Async,
         "since the last wgmma.fence");
  caught(fence + "add.u32 %a1, %a1, 1;\n" + rs + commit + wait0, ReportKind::Async, "'%a1' has been accessed");
  caught(more + fence + mma1 +
             "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3, %e0, %e1, %e2, "
             "%e3}, %rda, %rdb, %p, 1, 1, 0, 0;\n" +
             commit + wait0,
         ReportKind::Async, "with another shape");
}

/// With the wait gone, late timing shows old values, and with early timing nothing but the report tells.
TEST(WgmmaRules, LateMeansLate) {
  Case c = plain(8, "bf16", "bf16", "f32");
  Rng rng(21);
  Operands o = randomOperands(c, rng);
  std::vector<double> want = expected(c, o);
  for (AsyncTiming t : {AsyncTiming::Early, AsyncTiming::Late}) {
    Outcome out = runMiddle(fence + mma1 + commit + "bar.sync 0;\n", t);
    EXPECT_FALSE(out.result.ok);
    EXPECT_EQ(out.d == want, t == AsyncTiming::Early);
    // At the latest, the operation is performed when the first warp exits.
    EXPECT_EQ(std::equal(out.d.begin(), out.d.begin() + 16 * c.n, o.d.begin()), t == AsyncTiming::Late);
  }
}

/// Between the stores of the operands and the instruction there must be a barrier: nobody says that the first warp's
/// share of it waits for the last warp. A warp's own rows of A are its own affair.
TEST(WgmmaRules, WarpsDoNotWaitForEachOther) {
  Case c = plain(8, "bf16", "bf16", "f32");
  Rng rng(41);
  Operands o = randomOperands(c, rng);
  std::vector<double> want = expected(c, o);
  std::string text = kernel(c, standard(c)), barrier = "bar.sync 0;";
  text.erase(text.find(barrier), barrier.size());
  for (AsyncTiming t : {AsyncTiming::Early, AsyncTiming::Late}) {
    c.timing = t;
    Outcome out = run(c, o, text);
    EXPECT_EQ(out.result.ok, t == AsyncTiming::Late) << reports(out.result);
    EXPECT_EQ(out.d == want, t == AsyncTiming::Late);
  }
  // Each warp stores 16 rows of A (2048 bytes) itself, after the barrier.
  c.timing = AsyncTiming::Early;
  std::string mine = standard(c);
  mine.insert(
      0, R"(  .reg .b32 %w<8>; shr.u32 %w0, %r1, 5; shl.b32 %w0, %w0, 11; and.b32 %w1, %r1, 31; shl.b32 %w1, %w1, 4;
  add.u32 %w0, %w0, %w1; cvt.u64.u32 %rd10, %w0; add.u64 %rd10, %rd10, %rd1; add.u32 %w2, %r2, %w0;
)" + [] {
        std::string s;
        for (int i = 0; i != 4; ++i)
          s += "  ld.global.v4.b32 {%w3, %w4, %w5, %w6}, [%rd10+" + std::to_string(512 * i) +
               "]; st.shared.v4.b32 [%w2+" + std::to_string(512 * i) + "], {%w3, %w4, %w5, %w6};\n";
        return s;
      }() + "  fence.proxy.async.shared::cta; bar.warp.sync -1;\n");
  text = kernel(c, mine);
  text.insert(text.find("st.shared.v4.b32 [%r5]"), "setp.ge.u32 %q, %r3, 8192; @%q ");
  Outcome out = run(c, o, text);
  EXPECT_TRUE(out.result.ok) << reports(out.result);
  EXPECT_EQ(out.d, want);
}

/// What checkers and tracers are told.
TEST(WgmmaRules, Events) {
  struct Log : Observer {
    std::string &text;
    explicit Log(std::string &text) : text(text) {}
    void fence(Warp &w, const Inst &, uint32_t, FenceKind k, MemoryOrder, Space, uint64_t) override {
      if (k == FenceKind::WgmmaFence)
        text += "f" + std::to_string(w.index) + " ";
    }
    void asyncJoin(AsyncOp &, Warp &w, const Inst &, uint32_t m) override {
      text += "j" + std::to_string(w.index) + (m == ~0u ? " " : "? ");
    }
    void asyncIssue(AsyncOp &op) override { text += "issue" + std::to_string(op.bytes) + " "; }
    void asyncAccess(AsyncOp &op, Space s, uint64_t address, uint64_t bytes, AccessKind k) override {
      EXPECT_EQ(s, Space::Shared);
      EXPECT_EQ(k, AccessKind::Read);
      text += (op.onBehalfOf ? "a" + std::to_string(op.onBehalfOf->index) : std::string("b")) + ":" +
              std::to_string(address) + "+" + std::to_string(bytes) + " ";
    }
    void asyncReadsDone(AsyncOp &) override { text += "read "; }
    void asyncDone(AsyncOp &) override { text += "done "; }
    void asyncWaited(AsyncOp &, Warp &w, const Inst &, uint32_t, bool) override {
      text += "w" + std::to_string(w.index) + " ";
    }
  };
  Case c = plain(8, "bf16", "bf16", "f32");
  c.la = tile(None, false, 64, 16, 16); // two stacks of eight 128-byte matrices
  c.la.leading = 1024;
  c.lb = tile(None, false, 8, 16, 16);
  c.lb.leading = 128;
  c.lb.start = 2048;
  Rng rng(51);
  Operands o = randomOperands(c, rng);
  std::string log;
  observers = {[&log] { return std::make_unique<Log>(log); }};
  Outcome out = run(c, o, kernel(c, standard(c)));
  observers.clear();
  EXPECT_TRUE(out.result.ok) << reports(out.result);
  EXPECT_EQ(log,
            "f0 j0 f1 j1 f2 j2 f3 j3 issue8192 a0:1024+256 a0:2048+256 a1:1280+256 a1:2304+256 a2:1536+256 a2:2560+256 "
            "a3:1792+256 a3:2816+256 b:3072+256 read done w3 w0 w1 w2 ");
}

TEST(WgmmaRules, Warpgroup) {
  // One warp of four does not execute it: the others wait for ever, and that is said.
  Outcome out =
      runMiddle(".reg .pred %w; setp.ge.u32 %w, %r1, 96; @%w bra $skip;\n" + fence + mma1 + commit + wait0 + "$skip:\n",
                AsyncTiming::Late);
  const Report *r = findReport(out.result, ReportKind::Deadlock);
  ASSERT_TRUE(r) << reports(out.result);
  EXPECT_NE(r->message.find("warpgroup"), std::string::npos) << r->message;
  // Different instructions.
  out = runMiddle(".reg .pred %w; setp.ge.u32 %w, %r1, 96;\n" + fence + "@%w bra $other;\n" + mma1 +
                      "bra $join;\n$other:\n" + mma1 + "$join:\n" + commit + wait0,
                  AsyncTiming::Late);
  ASSERT_TRUE(r = findReport(out.result, ReportKind::InvalidOperation)) << reports(out.result);
  EXPECT_NE(r->message.find("different wgmma.mma_async"), std::string::npos) << r->message;
  // Half a warp.
  out = runMiddle(".reg .pred %w; .reg .b32 %l; and.b32 %l, %r1, 16; setp.ne.u32 %w, %l, 0; @%w exit;\n" + fence +
                      mma1 + commit + wait0,
                  AsyncTiming::Late);
  EXPECT_TRUE(hasReport(out.result, ReportKind::WarpSync)) << reports(out.result);
  // Different descriptors in the warps.
  out =
      runMiddle(".reg .pred %w; setp.ge.u32 %w, %r1, 96; @%w add.u64 %rdb, %rdb, 2;\n" + fence + mma1 + commit + wait0,
                AsyncTiming::Late);
  EXPECT_TRUE(hasReport(out.result, ReportKind::Descriptor)) << reports(out.result);
  // Three warps.
  std::string text = kernel(plain(8, "bf16", "bf16", "f32"), fence + mma1 + commit + wait0);
  text.replace(text.find(".reqntid 128"), 12, ".reqntid 96");
  Memory memory;
  LaunchConfig config;
  config.block = {96};
  uint64_t big = memory.allocate(ImageBytes, "big");
  for (int k = 0; k != 5; ++k)
    config.args.add(big);
  config.args.add(uint64_t(0)).add(uint64_t(0)).add(uint32_t(0));
  LaunchResult result = launch(*parse(ptx(text)), memory, config);
  EXPECT_TRUE(hasReport(result, ReportKind::InvalidOperation)) << reports(result);
}

/// In a cluster, descriptors name the block's own shared memory.
TEST(WgmmaRules, Cluster) {
  Case c = plain(8, "bf16", "bf16", "f32");
  Rng rng(61);
  Operands o = randomOperands(c, rng);
  std::string text = kernel(c, standard(c));
  text.insert(text.find(".reqntid"), ".reqnctapercluster 2\n");
  // Bits 31:24 of a shared address may name the block; a descriptor has 18 bits. Block 1 stores, block 0 exits first.
  text.replace(text.find("shr.u32 %r4, %r2, 4"), 19, "and.b32 %r4, %r2, 0x3ffff; shr.u32 %r4, %r4, 4");
  text.insert(text.find("  st.global.b32 [%rd7+"),
              "mov.u32 %r7, %cluster_ctarank; setp.eq.u32 %q, %r7, 0; @%q exit;\n");
  for (AsyncTiming t : timings) {
    c.timing = t;
    grid = Dim3{2};
    Outcome out = run(c, o, text);
    grid = Dim3{1};
    EXPECT_TRUE(out.result.ok) << reports(out.result);
    EXPECT_EQ(out.d, expected(c, o));
    EXPECT_EQ(out.result.stats.matrixInstructions, 2u);
    EXPECT_EQ(out.result.stats.matrixProducts, 2u * 64 * 8 * 16);
  }
}

/// A function whose registers are accumulators must wait before it returns.
TEST(WgmmaRules, Functions) {
  std::string body = R"(.func (.reg .f32 %r0) f(.reg .b64 %da, .reg .b64 %db)
{
  .reg .f32 %x<4>;
  mov.f32 %x0, 0f00000000; mov.f32 %x1, 0f00000000; mov.f32 %x2, 0f00000000; mov.f32 %x3, 0f00000000;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%x0, %x1, %x2, %x3}, %da, %db, 1, 1, 1, 0, 0;
  wgmma.commit_group.sync.aligned;
  WAIT
  mov.f32 %r0, RESULT;
  ret;
}
)";
  Case c = plain(8, "bf16", "bf16", "f32");
  c.scale = false;
  Rng rng(71);
  Operands o = randomOperands(c, rng);
  std::vector<double> want = expected(c, o);
  auto text = [&](const std::string &wait, const std::string &result) {
    std::string f = body;
    f.replace(f.find("WAIT"), 4, wait);
    f.replace(f.find("RESULT"), 6, result);
    return f + kernel(c, "  call (%d0), f, (%rda, %rdb);\n");
  };
  for (AsyncTiming t : timings) {
    c.timing = t;
    Outcome out = run(c, o, text(wait0, "%x0"));
    EXPECT_TRUE(out.result.ok) << reports(out.result);
    for (unsigned row = 0; row != 64; row += row % 8 == 7 ? 9 : 1) // register 0: rows g, columns 2t
      for (unsigned col = 0; col != 8; col += 2)
        EXPECT_EQ(out.d[row * 8 + col], want[row * 8 + col]) << row << " " << col;
    out = run(c, o, text("", "0f00000000"));
    const Report *r = findReport(out.result, ReportKind::Async);
    ASSERT_TRUE(r) << reports(out.result);
    EXPECT_NE(r->message.find("the function returns while the wgmma.mma_async at line"), std::string::npos)
        << r->message;
  }
}

/// A matrix in a buffer that is aligned to 128 bytes only lies where a tensor copy puts it: swizzles act on absolute
/// addresses.
TEST(WgmmaRules, SwizzleOfUnalignedBuffers) {
  static constexpr std::pair<SmemSwizzle, TensorSwizzle> modes[] = {{SmemSwizzle::B128, TensorSwizzle::B128},
                                                                    {SmemSwizzle::B64, TensorSwizzle::B64},
                                                                    {SmemSwizzle::B32, TensorSwizzle::B32}};
  for (auto [mode, copied] : modes)
    for (uint32_t start = 0; start != 2048; start += 128) {
      SmemDescriptor d;
      d.start = start;
      d.swizzle = mode;
      d.stride = 8 * smemSwizzleWidth(mode);
      SmemTile tile;
      tile.mn = 16;
      tile.k = smemSwizzleWidth(mode) / 2;
      tile.elementBits = 16;
      std::vector<uint32_t> units;
      std::string fault;
      ASSERT_TRUE(smemUnits(d, tile, units, fault)) << fault;
      ASSERT_EQ(units.size(), 16 * smemSwizzleWidth(mode) / 16);
      for (size_t u = 0; u != units.size(); ++u)
        ASSERT_EQ(units[u], tensorSwizzle(copied, start + 16 * u)) << start << " " << u;
    }
}

TEST(WgmmaRules, Descriptors) {
  caught(fence + "or.b64 %rda, %rda, 0x4000;\n" + mma1 + commit + wait0, ReportKind::Descriptor, "reserved bits");
  caught(fence + "or.b64 %rda, %rda, 0x2000000000000;\n" + mma1 + commit + wait0, ReportKind::Descriptor,
         "base offset 1");
  caught(fence + "or.b64 %rda, %rda, 0x3fc0;\n" + mma1 + commit + wait0, ReportKind::OutOfBounds, "matrix A");
  // Another swizzle reads other bytes.
  Case c = plain(8, "bf16", "bf16", "f32");
  Rng rng(31);
  Operands o = randomOperands(c, rng);
  std::vector<double> want = expected(c, o);
  c.lb.swizzle = S64;
  c.lb.stride = 512;
  Outcome out = run(c, o, kernel(c, standard(c)));
  EXPECT_TRUE(out.result.ok) << reports(out.result);
  EXPECT_NE(out.d, want);
  // Bytes nobody has written.
  c = plain(8, "bf16", "bf16", "f32");
  std::string text = kernel(c, standard(c)), copy = "st.shared.v4.b32 [%r5]";
  text.insert(text.find(copy), "setp.lt.u32 %q, %r3, 8192; @%q ");
  out = run(c, o, text);
  const Report *r = findReport(out.result, ReportKind::Uninitialized);
  ASSERT_TRUE(r) << reports(out.result);
  EXPECT_NE(r->message.find("matrix B has a byte nobody has written, at shared address 9216"), std::string::npos)
      << r->message;
}

TEST(WgmmaRules, Refused) {
  Case c = plain(8, "bf16", "bf16", "f32");
  auto refused = [&](const std::string &middle, const std::string &text, const std::string &target = "sm_90a") {
    std::string e = parseError(ptx(kernel(c, middle), target));
    EXPECT_NE(e.find(text), std::string::npos) << e;
  };
  refused(fence, "'wgmma' needs target sm_90a, the module's target is sm_90", "sm_90");
  refused(mma1, "needs target sm_90a, the module's target is sm_100a", "sm_100a");
  refused("wgmma.mma_async.sync.aligned.m64n12k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %rdb, %p, 1, 1, 0, 0;\n",
          "no shape .m64n12k16");
  refused("wgmma.mma_async.sync.aligned.m64n8k8.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %rdb, %p, 1, 1, 0, 0;\n",
          "no shape .m64n8k8");
  refused("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%d0, %d1, %d2}, %rda, %rdb, %p, 1, 1, 0, 0;\n",
          "a list of 4 registers");
  refused("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %r1, %p, 1, 1, 0, 0;\n",
          "64-bit matrix descriptor");
  refused("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %rdb, %p, 0, 1, 0, 0;\n",
          "expected the constant -1 or 1");
  refused("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %rdb, %p;\n",
          "at least 6 operands");
  refused("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%d0, %d1, %d2, %d3}, %rda, %rdb, %p, 1, 1, 0, 0;\n",
          "takes 6 operands");
  refused("wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.xor.popc {%d0, %d1, %d2, %d3}, %rda, %rdb, %p;\n",
          "unsupported instruction");
  refused("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %rdb, %meta, 2, %p, 1, "
          "1, 0, 0;\n",
          "expected the constant 0 or 1");
}

} // namespace
