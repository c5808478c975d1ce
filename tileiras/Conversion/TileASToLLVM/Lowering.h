//===- Lowering.h - What the pattern files share ----------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Private to convert-nv-tileas-to-llvm.
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_LOWERING_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_LOWERING_H

#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Conversion/TileASToLLVM/Emitter.h"
#include "tileiras/Conversion/TileASToLLVM/LayoutMath.h"
#include "tileiras/Conversion/TileTypesToLLVM/TypeConverter.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"

namespace mlir::tilellvm {

/// Pass options the patterns look at.
struct LoweringOptions {
  /// Mathematical functions are calls of libdevice; otherwise they stay math operations on scalars.
  bool libdevice = true;
};

/// Base of all patterns: the converter under its own type and the options.
template <typename Op> struct TilePattern : OpConversionPattern<Op> {
  TilePattern(const TileLLVMTypeConverter &converter, MLIRContext *context, const LoweringOptions &options,
              PatternBenefit benefit = 2)
      : OpConversionPattern<Op>(converter, context, benefit), options(options) {}
  const TileLLVMTypeConverter &types() const {
    return *static_cast<const TileLLVMTypeConverter *>(this->getTypeConverter());
  }
  const LoweringOptions &options;
};

// Attributes the pass puts on functions and operations for its own patterns, and removes in the end.
using nv_tileas::kBarrierBeforeAttr;
using nv_tileas::kSmemSymbolAttr;
using nv_tileas::kStoresHalvesAttr;

/// Address of byte `offset` of the kernel's shared memory, ptr<3>.
Value sharedAddress(Emitter &e, int64_t offset);

/// Bytes of the exchange buffer that an operation needs (0 for most): values that one thread has and others need.
int64_t exchangeBytes(Operation *op);

/// Hands the values held by the owners of each element to all threads that hold a copy, through the exchange buffer.
SmallVector<Value> broadcastFromOwners(Emitter &e, Operation *op, const LinearLayout &layout, ArrayRef<Value> values,
                                       Value owner);

/// Marks the memory operations that need a barrier before them because an operation whose token they take may have been
/// executed by other threads.
void planMemoryOrder(Operation *func);

/// Tells waits what they wait for. A wait that names nothing waits for loads.
void planWaits(Operation *func);

/// Marks functions that store halves of bytes.
void planHalves(Operation *func);

/// Builds the body of a reduce or scan here, its block arguments being `arguments` (converted types); returns what it
/// yields.
SmallVector<Value> inlineBody(Emitter &e, RewriterBase &rewriter, Block &body, ArrayRef<Value> arguments);

/// The identities of a reduce or scan as constants of the types of `like`; fails with a diagnostic.
FailureOr<SmallVector<Value>> identityValues(Emitter &e, Operation *op, ArrayAttr identities, ArrayRef<Value> like);

/// Address of the scratch memory of an operation that needs some (nv_tileas.with_scratch).
Value exchangeAddress(Emitter &e, Operation *op);
/// Bytes of it that a scan needs.
int64_t scanExchangeBytes(nv_tileas::ScanOp op);
/// Bytes of it that printing tiles needs.
int64_t printExchangeBytes(nv_tileaa::PrintOp op);

void populateElementwisePatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateFloatPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateFloatConversionPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateMathPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateConstructorPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateShapePatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populatePointerMemoryPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateTiledMemoryPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateAtomicPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateStoragePatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateSharedMemoryPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateReducePatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateScanPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateDotPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateAsyncCopyPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateTmaCopyPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateTmaDescriptorPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
void populateControlAndIdPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);
/// Leaves agent_switches in place, with converted captures: their regions say who runs the code.
void populateAgentPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, ConversionTarget &,
                           const LoweringOptions &);
/// Branches by warp in place of the agent_switches of a function whose body has been converted.
LogicalResult lowerAgentSwitches(Operation *func);
void populatePrintAssertPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);

/// Applies `compute` register by register: operands of an element-wise operation that are scalars are the same
/// for all registers. Returns the packed result.
Value mapElements(Emitter &e, Type resultType, ValueRange operands, function_ref<Value(ValueRange)> compute);

/// The same lists for an operation pattern written as "element types in, element out".
inline Type elementOf(Type type) { return nv_tileaa::getElementTypeOrSelf(type); }

/// An operation on f32 where the value is f16 or bf16: widen, compute, round to nearest even.
Value computeInF32(Emitter &e, ValueRange operands, function_ref<Value(ValueRange)> compute);

/// The call of a libdevice function, e.g. "exp": __nv_expf for f32, __nv_exp for f64.
Value callLibdevice(Emitter &e, StringRef name, ValueRange operands);

/// Appends the bytes of a number as it lies in memory, little endian, to what a constant of `width` bits per element
/// holds; nothing for other attributes.
LogicalResult appendElement(std::string &bytes, Attribute value, unsigned width);

/// A scalar constant of a converted type from an attribute of the original element type.
FailureOr<Value> scalarConstant(Emitter &e, Attribute value, Type element);

/// Reads the tile at `base` in shared memory whose element offsets for each register `offsets` gives.
SmallVector<Value> loadSharedTile(Emitter &e, Value base, const LinearLayout &offsets, Type element,
                                  unsigned maxBytes = 16);

/// A float in a converted type, of element type `from`, as a wider type that holds it exactly. Null if there is no such
/// conversion.
Value widenFloat(Emitter &e, Value value, Type from, Type to);

/// The tf32 number in a register that may hold more bits than the type: the lower 13 are dropped, as a product drops
/// them.
Value upperTF32(Emitter &e, Value v);

/// An f32 rounded to tf32, to nearest, ties to even; `byInstruction` where the target has `cvt.rn.tf32.f32`
/// (TargetInfo::tf32RnCvt).
Value roundToTF32(Emitter &e, Value v, bool byInstruction);

/// Rounds an f32 value to a narrower type in a directed mode.
Value roundDirected(Emitter &e, Value value, Type type, nv_tileaa::RoundingMode mode);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_LOWERING_H
