//===- StructuralConversion.h - Types of values that agents capture -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_STRUCTURALCONVERSION_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_STRUCTURALCONVERSION_H

namespace mlir {
class ConversionTarget;
class RewritePatternSet;
class TypeConverter;
} // namespace mlir

namespace mlir::nv_tileas {

/// For conversions that leave agent_switches in place: their captures get converted types. As
/// scf::populateSCFStructuralTypeConversionsAndLegality for loops; \p converter must outlive \p target.
void populateAgentTypeConversionsAndLegality(const TypeConverter &converter, RewritePatternSet &patterns,
                                             ConversionTarget &target);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_STRUCTURALCONVERSION_H
