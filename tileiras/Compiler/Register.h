//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the tools have to register. The compiler proper registers only what the
// pipeline uses: registration is part of the start-up time of every compilation.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_REGISTER_H
#define TILEIRAS_COMPILER_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tileiras {

/// Our dialects and the ones they are lowered to, with their interfaces for conversion and translation.
void registerCompilerDialects(mlir::DialectRegistry &registry);

/// The translation of facts about inline PTX (Support/LoweringFacts.h) to LLVM IR. Part of the above.
void registerFactTranslation(mlir::DialectRegistry &registry);

/// Our passes, the upstream passes of the pipeline, and the pipeline itself. May be called again.
void registerCompilerPasses();

/// For tileiras-opt: the above, further dialects, MLIR's general passes and our test passes. In a file of its own, so
/// that the compiler does not link them.
void registerAllDialects(mlir::DialectRegistry &registry);
void registerAllPasses();

} // namespace tileiras

#endif // TILEIRAS_COMPILER_REGISTER_H
