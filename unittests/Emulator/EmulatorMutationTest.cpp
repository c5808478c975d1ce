//===- EmulatorMutationTest.cpp - Broken kernels are caught ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels of test/Mutation: no report on an original, and no mutant that survives, except those marked as
// harmless. emulator-mutate prints the details.
//
//===----------------------------------------------------------------------===//
#include "test/Mutation/Mutation.h"

#include <gtest/gtest.h>

using namespace tileiras::emu::mutation;

namespace {

class EmulatorMutation : public ::testing::TestWithParam<std::string> {};

TEST_P(EmulatorMutation, Caught) {
  Kernel kernel;
  std::string error;
  ASSERT_TRUE(kernel.load(GetParam(), error)) << error;
  ASSERT_TRUE(kernel.checkOriginal(8, error)) << error;
  unsigned caught = 0;
  for (const Mutant &m : kernel.mutants()) {
    Outcome o = kernel.run(m, 8);
    if (!o.ran)
      continue;
    caught += o.caught();
    EXPECT_EQ(o.caught(), m.harmless.empty())
        << kernel.name << ":" << m.line << ": " << m.operation << " `" << m.instruction << "`";
  }
  EXPECT_GT(caught, 0u);
}

INSTANTIATE_TEST_SUITE_P(Kernels, EmulatorMutation,
                         ::testing::ValuesIn(kernelFiles(TILEIRAS_SOURCE_DIR "/test/Mutation")), [](const auto &info) {
                           std::string name = info.param.substr(info.param.find_last_of('/') + 1);
                           name.resize(name.size() - 4);
                           for (char &c : name)
                             c = c == '-' ? '_' : c;
                           return name;
                         });

} // namespace
