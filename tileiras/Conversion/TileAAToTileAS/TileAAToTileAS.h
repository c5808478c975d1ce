//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// convert-tileaa-to-tileas: gives every tensor a layout and turns memory,
// aggregate and view operations into nv_tileas (docs/contract.md).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEAATOTILEAS_TILEAATOTILEAS_H
#define TILEIRAS_CONVERSION_TILEAATOTILEAS_TILEAATOTILEAS_H

#include "mlir/Transforms/DialectConversion.h"

namespace mlir {

namespace nv_tileas {

/// tensor<SxT> becomes tensor<SxT, #blocked>, the default layout for the function's warps.
class TileASTypeConverter : public TypeConverter {
public:
  TileASTypeConverter(MLIRContext *context, int numWarps);
  int getNumWarps() const { return numWarps; }

private:
  int numWarps;
};

/// The 43 arith operations in the order of docs/seeds.md (S1-045), plus the benefit-20 constant specialist.
void populateArithBank(const TypeConverter &converter, RewritePatternSet &patterns);
/// math.* and the element-wise and constructing operations of nv_tileaa: the same operation on layout-carrying types.
void populateMathPatterns(const TypeConverter &converter, RewritePatternSet &patterns);
/// Matrix products. Like the next, makes the operations illegal that become others.
void populateDotPatterns(const TypeConverter &converter, RewritePatternSet &patterns, ConversionTarget &target);
/// Memory, shape and aggregate operations.
void populateCorePatterns(const TypeConverter &converter, RewritePatternSet &patterns, ConversionTarget &target);

namespace detail {
template <typename Op> Op sourceOf(const OpConversionPattern<Op> &);
} // namespace detail

/// Adds patterns whose operations become others: what they match is illegal.
template <typename... Patterns>
void addReplacing(const TypeConverter &converter, RewritePatternSet &patterns, ConversionTarget &target) {
  patterns.add<Patterns...>(converter, patterns.getContext());
  target.addIllegalOp<decltype(detail::sourceOf(std::declval<Patterns>()))...>();
}

} // namespace nv_tileas
} // namespace mlir

#endif // TILEIRAS_CONVERSION_TILEAATOTILEAS_TILEAATOTILEAS_H
