//===- Register.h - Everything the tools know -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_COMPILER_REGISTER_H
#define TILEIRAS_COMPILER_REGISTER_H

namespace mlir {
class DialectRegistry;
}

namespace tileiras {

/// Our dialects and the upstream ones that the pipeline goes through.
void registerAllDialects(mlir::DialectRegistry &registry);
/// Our passes and the upstream ones that are useful from the command line.
void registerAllPasses();

} // namespace tileiras

#endif // TILEIRAS_COMPILER_REGISTER_H
