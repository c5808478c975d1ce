//===- CudaEngineTest.cpp - The CUDA driver engine against a fake driver -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Runtime/LaunchArgs.h"

#include "gtest/gtest.h"

#include <bit>
#include <dlfcn.h>

using namespace tileiras;

namespace {

LaunchRequest axpy(const char *entry) {
  LaunchRequest request;
  std::string error;
  for (const char *spec : {"x:f32[10]=iota", "y:f32[10]{offset=12,align=4096}=1", "f32=0.5", "i32=10"})
    EXPECT_TRUE(parseLaunchArg(spec, {}, request, error)) << error;
  request.entry = entry;
  request.grid = {3, 1, 1};
  return request;
}

RunOutcome runFake(const std::string &image, LaunchRequest &request) {
  std::string error;
  std::unique_ptr<CudaEngine> engine = makeCudaEngine(0, FAKE_CUDA_DRIVER, error);
  EXPECT_TRUE(engine) << error;
  if (engine)
    engine->setImage(image);
  RunOutcome outcome = engine ? engine->run(request) : RunOutcome();
  void *library = dlopen(FAKE_CUDA_DRIVER, RTLD_NOW);
  auto leaks = reinterpret_cast<int (*)()>(dlsym(library, "fakeLeaks"));
  EXPECT_EQ(leaks(), 0);
  return outcome;
}

TEST(CudaEngine, RunsAndCopiesBack) {
  LaunchRequest request = axpy("axpy");
  RunOutcome outcome = runFake(".version 9.0", request);
  EXPECT_TRUE(outcome.ok) << (outcome.reports.empty() ? "" : outcome.reports[0]);
  EXPECT_EQ(outcome.stats[0].second, "Fake (sm_90)");
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(decodeFloat(DType::F32, request.buffers[1].array.getAtOffset(i)), 1 + 0.5 * i);
}

TEST(CudaEngine, SeesWritesPastAnArray) {
  LaunchRequest request = axpy("stray");
  RunOutcome outcome = runFake("", request);
  EXPECT_FALSE(outcome.ok);
  ASSERT_EQ(outcome.reports.size(), 1u);
  EXPECT_EQ(outcome.reports[0], "the kernel wrote 0 bytes past the end of array 'y'");
}

TEST(CudaEngine, ReportsDriverErrors) {
  LaunchRequest request = axpy("axpy");
  RunOutcome outcome = runFake("fail load", request);
  EXPECT_FALSE(outcome.ok);
  ASSERT_EQ(outcome.reports.size(), 1u);
  EXPECT_EQ(outcome.reports[0], "cuModuleLoadDataEx failed: a PTX JIT compilation failed (CUDA error 218)\n"
                                "ptxas fatal: line 7");
  outcome = runFake("fail sync", request);
  ASSERT_EQ(outcome.reports.size(), 1u);
  EXPECT_EQ(outcome.reports[0], "cuCtxSynchronize failed: unspecified launch failure (CUDA error 719)");
  request.entry = "nothing";
  outcome = runFake("", request);
  ASSERT_EQ(outcome.reports.size(), 1u);
  EXPECT_EQ(outcome.reports[0], "cuModuleGetFunction failed: named symbol not found (CUDA error 500): entry 'nothing'");
}

TEST(CudaEngine, ChecksTheDeviceNumber) {
  std::string error;
  EXPECT_FALSE(makeCudaEngine(1, FAKE_CUDA_DRIVER, error));
  EXPECT_EQ(error, "no CUDA device 1: the driver sees 1");
}

} // namespace
