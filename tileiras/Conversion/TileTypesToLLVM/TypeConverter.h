//===- TypeConverter.h - The one LLVM type converter ------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every pass that leaves the tile dialects for LLVM uses this converter, so that they agree on the shape of each
// value (docs/contract.md, "The lowering to LLVM"):
//
//   integer, f16/bf16/f32/f64   the LLVM scalar; tf32 is f32; f8, f6, f4 are i8
//   index                       integer of the pass's index width
//   !nv_tileaa.ptr<T>           !llvm.ptr<1>
//   tensor with register layout !llvm.struct<(T x N)>, one field per register of a thread
//   tensor with shared layout   !llvm.ptr<3>
//   tensor of one element, rank 0   the scalar
//   memref, tiled_view          !llvm.struct<(ptr<1>, i64 per dynamic extent, i64 per dynamic stride)>; what
//                               the type already says is not carried
//   tokens                      i32 (a placeholder that keeps the data flow connected)
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILETYPESTOLLVM_TYPECONVERTER_H
#define TILEIRAS_CONVERSION_TILETYPESTOLLVM_TYPECONVERTER_H

#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"

namespace mlir {

class TileLLVMTypeConverter : public LLVMTypeConverter {
public:
  explicit TileLLVMTypeConverter(MLIRContext *context, unsigned indexBitwidth = 32);

  /// What a thread holds of one element.
  Type convertElementType(Type type) const;

  /// Converts a kernel or helper signature; says "failed to convert function signature type for: " at `loc` when an
  /// argument or result has no LLVM form.
  FailureOr<FunctionType> convertTileSignature(Location loc, FunctionType type, SignatureConversion &conversion) const;
};

namespace tilellvm {
/// LLVM address spaces of NVPTX.
enum AddressSpace : unsigned { kGeneric = 0, kGlobal = 1, kShared = 3, kConstant = 4, kTensor = 6 };
} // namespace tilellvm

} // namespace mlir

#endif // TILEIRAS_CONVERSION_TILETYPESTOLLVM_TYPECONVERTER_H
