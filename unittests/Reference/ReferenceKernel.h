//===- ReferenceKernel.h - Running kernel text on the reference evaluator -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_UNITTESTS_REFERENCE_REFERENCEKERNEL_H
#define TILEIRAS_UNITTESTS_REFERENCE_REFERENCEKERNEL_H

#include "tileiras/Runtime/LaunchArgs.h"
#include "tileiras/Runtime/ReferenceEngine.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <bit>
#include <memory>
#include <string>
#include <vector>

namespace tileiras {

/// A parsed kernel with its arguments and, after `run`, its results.
class Kernel {
public:
  explicit Kernel(const std::string &text) {
    context.loadDialect<mlir::cuda_tile::CudaTileDialect>();
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) {
      ADD_FAILURE() << d.str() << "\n" << text;
      return mlir::success();
    });
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context, "kernel.mlir");
  }

  Kernel &arg(const std::string &spec) {
    std::string error;
    EXPECT_TRUE(parseLaunchArg(spec, {}, request, error)) << error;
    return *this;
  }
  Kernel &grid(const char *text) {
    std::string error;
    EXPECT_TRUE(parseGrid(text, request.grid, error));
    return *this;
  }
  RunOutcome tryRun(uint64_t maxSteps = 1 << 20) {
    if (!module)
      return {};
    return makeReferenceEngine(*module, maxSteps)->run(request);
  }
  Kernel &run() {
    RunOutcome outcome = tryRun();
    EXPECT_TRUE(outcome.ok) << (outcome.reports.empty() ? "" : outcome.reports[0]);
    output = outcome.output;
    return *this;
  }
  uint64_t bits(int buffer, int64_t i) const { return request.buffers[size_t(buffer)].array.getAtOffset(i); }
  float f32(int buffer, int64_t i) const { return std::bit_cast<float>(uint32_t(bits(buffer, i))); }
  double value(int buffer, int64_t i) const {
    return decodeFloat(request.buffers[size_t(buffer)].array.type, bits(buffer, i));
  }
  int32_t i32(int buffer, int64_t i) const { return int32_t(bits(buffer, i)); }

  LaunchRequest request;
  std::string output;

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

inline std::string inModule(const std::string &text) { return "cuda_tile.module @m {\n" + text + "\n}\n"; }

} // namespace tileiras

#endif // TILEIRAS_UNITTESTS_REFERENCE_REFERENCEKERNEL_H
