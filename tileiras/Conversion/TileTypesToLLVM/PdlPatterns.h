//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Patterns in PDL, beside those in C++: a file of `pdl.pattern` operations, read when a
// conversion to LLVM starts (option `pdl-files`). They are for what no pattern of the pass
// takes; a pattern with a benefit above 2 comes before those of the pass.
//
// The operands of a rewrite are of the types from before the conversion. `convertValue`
// and `convertValues` give what has become of them, `convertType` and `convertTypes` what
// a type becomes (MLIR's registerConversionPDLFunctions).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILETYPESTOLLVM_PDLPATTERNS_H
#define TILEIRAS_CONVERSION_TILETYPESTOLLVM_PDLPATTERNS_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/Location.h"
#include "mlir/Transforms/DialectConversion.h"
#include <string>

namespace mlir::tilellvm {

/// Loads what the files need; for a pass's getDependentDialects.
void registerPdlDialects(DialectRegistry &registry, ArrayRef<std::string> files);

/// Adds the patterns of `files` to `patterns`, which already hold those of the pass. Every file is compiled to the PDL
/// interpreter here; one that cannot be read or compiled, or calls a function that nobody has, is an error at `loc`.
LogicalResult addPdlPatterns(Location loc, ArrayRef<std::string> files, const TypeConverter &converter,
                             RewritePatternSet &patterns);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILETYPESTOLLVM_PDLPATTERNS_H
