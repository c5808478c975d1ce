//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileTypesToLLVM/PdlPatterns.h"

#include "mlir/Conversion/PDLToPDLInterp/PDLToPDLInterp.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDL/IR/PDLOps.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;

void tilellvm::registerPdlDialects(DialectRegistry &registry, ArrayRef<std::string> files) {
  if (!files.empty()) // loading them takes time
    registry.insert<pdl::PDLDialect, pdl_interp::PDLInterpDialect>();
}

/// The functions that registerConversionPDLFunctions brings. What else a file calls would only be missed by the
/// interpreter, which takes it for granted.
static LogicalResult checkFunctions(ModuleOp module) {
  constexpr StringLiteral known[] = {"convertValue", "convertValues", "convertType", "convertTypes"};
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    StringRef name;
    if (auto rewrite = dyn_cast<pdl::ApplyNativeRewriteOp>(op))
      name = rewrite.getName();
    else if (auto constraint = dyn_cast<pdl::ApplyNativeConstraintOp>(op))
      name = constraint.getName();
    else if (auto rewrite = dyn_cast<pdl::RewriteOp>(op); rewrite && rewrite.getName())
      name = *rewrite.getName();
    else
      return WalkResult::advance();
    if (isa<pdl::ApplyNativeRewriteOp>(op) && is_contained(known, name))
      return WalkResult::advance();
    return op->emitOpError("there is no function '")
           << name << "'; rewrites may call convertValue, convertValues, convertType and convertTypes";
  });
  return failure(result.wasInterrupted());
}

/// Whether the interpreter takes the patterns: where they are installed, that would be a fatal error.
static LogicalResult compile(ModuleOp module) {
  OwningOpRef<ModuleOp> trial = module.clone();
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(createConvertPDLToPDLInterpPass());
  if (succeeded(manager.run(*trial)))
    return success();
  return module.emitError("failed to lower PDL pattern module to the PDL Interpreter");
}

LogicalResult tilellvm::addPdlPatterns(Location loc, ArrayRef<std::string> files, const TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  for (const std::string &file : files) {
    if (!llvm::sys::fs::exists(file))
      return emitError(loc) << "there is no file of patterns '" << file << "'";
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, ParserConfig(loc.getContext()));
    if (!module || failed(checkFunctions(*module)) || failed(compile(*module)))
      return emitError(loc) << "cannot use the patterns of '" << file << "'";
    if (module->getOps<pdl::PatternOp>().empty())
      return emitError(loc) << "there is no pdl.pattern in '" << file << "'";
    patterns.add(PDLPatternModule(std::move(module), PDLConversionConfig(&converter)));
  }
  if (!files.empty())
    registerConversionPDLFunctions(patterns);
  return success();
}
