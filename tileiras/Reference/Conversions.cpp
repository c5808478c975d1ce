//===- Conversions.cpp - Casts between element types --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Reference/Evaluator.h"
#include "tileiras/Reference/Rounding.h"
#include "tileiras/Support/FloatArithmetic.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace tileiras;
using namespace tileiras::reference;

static DType elementDType(Value tile) { return dtypeOf(cast<TileType>(tile.getType()).getElementType()); }

/// PTX has conversions to the 8- and 4-bit formats only with `.satfinite` (PTX ISA, cvt).
static tileiras::Overflow overflowOf(DType to) {
  return bitWidth(to) <= 8 ? tileiras::Overflow::Saturate : tileiras::Overflow::ToInfinity;
}

/// Casts that keep the bits.
template <typename OpT> static void addSameBits(HandlerTable &table) {
  table.addElementwise<OpT>([](Evaluator &e, OpT op) {
    Tile result = e.tile(op.getSource());
    result.type = elementDType(op.getResult());
    e.set(op.getResult(), std::move(result));
    return success();
  });
}

void reference::addConversionHandlers(HandlerTable &table) {
  addSameBits<BitcastOp>(table);
  addSameBits<IntToPtrOp>(table);
  addSameBits<PtrToIntOp>(table);
  addSameBits<PtrToPtrOp>(table);

  table.addElementwise<ExtIOp>([](Evaluator &e, ExtIOp op) {
    const Tile &a = e.tile(op.getFrom());
    DType to = elementDType(op.getTo());
    bool isSigned = op.getSignedness() == Signedness::Signed;
    auto fn = [&](uint64_t x) {
      return isSigned ? maskBits(uint64_t(signExtend(x, bitWidth(a.type))), bitWidth(to)) : x;
    };
    e.set(op.getTo(), mapLanes(to, fn, a));
    return success();
  });
  table.addElementwise<TruncIOp>([](Evaluator &e, TruncIOp op) {
    DType to = elementDType(op.getTo());
    auto fn = [&](uint64_t x) { return maskBits(x, bitWidth(to)); };
    e.set(op.getTo(), mapLanes(to, fn, e.tile(op.getFrom())));
    return success();
  });
  table.addElementwise<FToFOp>([](Evaluator &e, FToFOp op) {
    const Tile &a = e.tile(op.getFrom());
    DType to = elementDType(op.getTo());
    Rounding mode = roundingOf(op.getRoundingMode());
    auto fn = [&](uint64_t x) { return convertFloat(a.type, to, x, mode, overflowOf(to)); };
    e.set(op.getTo(), mapLanes(to, fn, a));
    return success();
  });
  table.addElementwise<FToIOp>([](Evaluator &e, FToIOp op) {
    const Tile &a = e.tile(op.getFrom());
    DType to = elementDType(op.getTo());
    bool isSigned = op.getSignedness() == Signedness::Signed;
    bool truth = bitWidth(to) == 1 && !op.getSaturating(); // what is not zero, NaN included
    auto fn = [&](uint64_t x) {
      return truth ? uint64_t(decodeFloat(a.type, x) != 0) : floatToInteger(a.type, x, bitWidth(to), isSigned);
    };
    e.set(op.getTo(), mapLanes(to, fn, a));
    return success();
  });
  table.addElementwise<IToFOp>([](Evaluator &e, IToFOp op) {
    const Tile &a = e.tile(op.getFrom());
    DType to = elementDType(op.getTo());
    bool isSigned = op.getSignedness() == Signedness::Signed;
    auto fn = [&](uint64_t x) {
      // Overflow gives an infinity or NaN.
      return integerToFloat(x, bitWidth(a.type), isSigned, to, Rounding::NearestEven, tileiras::Overflow::ToInfinity);
    };
    e.set(op.getTo(), mapLanes(to, fn, a));
    return success();
  });
}
