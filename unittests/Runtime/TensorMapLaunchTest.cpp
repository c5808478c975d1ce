//===- TensorMapLaunchTest.cpp - Tensor maps from the command line ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Argument text, the emulator's encoder and a kernel that copies through two maps, together.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Runtime/EmulatorEngine.h"
#include "tileiras/Runtime/LaunchArgs.h"

#include "gtest/gtest.h"

using namespace tileiras;

namespace {

/// Copies the box at (3, 2) of `in` to (0, 1) of `result`; its size in bytes is the last parameter.
const char *const text = R"(.version 8.7
.target sm_90a
.address_size 64
.visible .entry copy(.param .align 64 .b8 in[128], .param .align 64 .b8 result[128], .param .u32 bytes)
.reqntid 32
{
  .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<4>;
  .shared .align 128 .b8 box[4096];
  .shared .align 8 .b64 full;
  mov.b64 %d0, in; cvta.param.u64 %d1, %d0; mov.b64 %d0, result; cvta.param.u64 %d2, %d0;
  mov.u32 %r0, %tid.x; mov.u32 %r3, box; ld.param.u32 %r4, [bytes]; setp.ne.u32 %p0, %r0, 0;
  @%p0 bra DONE;
  mbarrier.init.shared::cta.b64 [full], 1;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], %r4;
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r3], [%d1, {3, 2}], [full];
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
  @!%p1 bra WAIT;
  cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d2, {0, 1}], [%r3];
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
DONE:
  ret;
}
)";

RunOutcome run(std::vector<const char *> specs, LaunchRequest &request) {
  std::string error;
  for (const char *spec : specs)
    EXPECT_TRUE(parseLaunchArg(spec, {}, request, error)) << error;
  emu::LaunchOptions options;
  options.checkRaces = true;
  std::unique_ptr<Engine> engine = makeEmulatorEngine(text, "copy.ptx", options, error);
  EXPECT_TRUE(engine) << error;
  request.entry = "copy";
  return engine ? engine->run(request) : RunOutcome();
}

TEST(TensorMapLaunch, CopiesABox) {
  LaunchRequest request;
  RunOutcome outcome = run({"x:f32[10x12]{strides=16x1,pass=none,offset=64}=iota(lo=1)", "y:f32[6x8]{pass=none}=zeros",
                            "map=x{box=4x8,swizzle=32B}", "map=y{box=4x8,swizzle=32B}", "i32=128"},
                           request);
  ASSERT_TRUE(outcome.ok) << (outcome.reports.empty() ? "" : outcome.reports[0]);
  for (int64_t r = 0; r != 6; ++r)
    for (int64_t c = 0; c != 8; ++c) {
      bool moved = r >= 1 && r < 5;
      double want = moved ? double((r - 1 + 2) * 12 + c + 3 + 1) : 0;
      EXPECT_EQ(decodeFloat(DType::F32, request.buffers[1].array.get({r, c})), want) << r << " " << c;
    }
}

TEST(TensorMapLaunch, Mistakes) {
  LaunchRequest request;
  // The address of the first element must be a multiple of 16.
  RunOutcome outcome = run({"x:f32[10x12]{strides=16x1,pass=none,offset=8}", "y:f32[6x8]{pass=none}",
                            "wrong:map=x{box=4x8}", "map=y{box=4x8}", "i32=128"},
                           request);
  EXPECT_FALSE(outcome.ok);
  ASSERT_EQ(outcome.reports.size(), 1u);
  EXPECT_EQ(outcome.reports[0], "tensor map 'wrong': the global address is not a multiple of 16");
  // A box with another size than the kernel waits for.
  request = {};
  outcome = run(
      {"x:f32[10x12]{strides=16x1,pass=none}", "y:f32[6x8]{pass=none}", "map=x{box=2x8}", "map=y{box=4x8}", "i32=128"},
      request);
  EXPECT_FALSE(outcome.ok);
  ASSERT_FALSE(outcome.reports.empty());
  EXPECT_NE(outcome.reports[0].find("64 bytes pending"), std::string::npos) << outcome.reports[0];
}

} // namespace
