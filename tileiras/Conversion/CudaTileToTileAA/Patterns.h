//===- Patterns.h - Parts of convert-cudatile-to-tileaa ---------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Private to the conversion.
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_CUDATILETOTILEAA_PATTERNS_H
#define TILEIRAS_CONVERSION_CUDATILETOTILEAA_PATTERNS_H

#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Support/TargetTable.h"
#include <optional>
#include <string>

namespace mlir::cudatile_to_tileaa {

/// What every pattern may need to know about the compilation.
struct Context {
  const ::tileiras::TargetInfo *target;
  int numWarps; ///< 0: as many as the tiles need
  int numCTAs;
  bool alternate = false; ///< two agents are to have every other tile block

  /// The key of this target in optimization hints: "sm_90".
  std::string hintKey() const { return "sm_" + std::to_string(target->computeCapability); }
};

/// cuda_tile types to builtin and nv_tileaa types. Types with no counterpart do not convert.
class TileTypeConverter : public TypeConverter {
public:
  TileTypeConverter();
};

/// Refuses, with a diagnostic, what verifies and cannot become PTX: names, entry arguments, alignments.
LogicalResult checkModule(cuda_tile::ModuleOp module);

/// Replaces cuda_tile for/if/loop/break/continue, and returns inside them, by scf operations. Types stay cuda_tile
/// types; conditions and loop bounds pass through unrealized casts. On failure a diagnostic has been emitted.
LogicalResult structurizeControlFlow(cuda_tile::EntryOp entry);

/// Parameters of type i4 become bytes, of which the lower half counts: PTX has no parameters smaller than that.
void passNibblesAsBytes(cuda_tile::EntryOp entry);

void populateIntegerPatterns(const TileTypeConverter &types, RewritePatternSet &patterns);
void populateFloatPatterns(const TileTypeConverter &types, RewritePatternSet &patterns);
void populateCastPatterns(const TileTypeConverter &types, RewritePatternSet &patterns);
void populateShapePatterns(const TileTypeConverter &types, RewritePatternSet &patterns);
void populateAggregatePatterns(const TileTypeConverter &types, RewritePatternSet &patterns);
void populateMatrixPatterns(const TileTypeConverter &types, RewritePatternSet &patterns);
void populateMemoryPatterns(const TileTypeConverter &types, RewritePatternSet &patterns, const Context &context);
void populateAtomicPatterns(const TileTypeConverter &types, RewritePatternSet &patterns);
void populateStoragePatterns(const TileTypeConverter &types, RewritePatternSet &patterns, const Context &context);
void populateFunctionPatterns(const TileTypeConverter &types, RewritePatternSet &patterns, const Context &context);

/// `value` as a constant of `type`, a scalar or tensor of integers or floats.
Value createConstant(OpBuilder &builder, Location loc, Type type, Attribute element);

nv_tileaa::MemSemanticAttr convertSemantic(MLIRContext *context, cuda_tile::MemoryOrderingSemantics semantic);
/// Null where there is none.
nv_tileaa::MemScopeAttr convertScope(MLIRContext *context, std::optional<cuda_tile::MemoryScope> scope);

/// A float tile in a plain format that holds every value of the 8-, 4- and 19-bit formats; others as they are.
Value widenToPlain(OpBuilder &builder, Location loc, Value value);

/// `type` with another element type.
Type withElementType(Type type, Type element);

} // namespace mlir::cudatile_to_tileaa

#endif // TILEIRAS_CONVERSION_CUDATILETOTILEAA_PATTERNS_H
