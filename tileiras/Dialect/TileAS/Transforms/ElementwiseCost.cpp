//===- ElementwiseCost.cpp - What arithmetic on tiles costs ---------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/ElementwiseCost.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::schedule::Slot;

ElementwiseCost nv_tileas::getElementwiseCost(Operation *op, double elements,
                                              const tileiras::schedule::TargetCosts &costs) {
  StringRef name = op->getName().stripDialect();
  for (StringRef function : {"exp", "log", "sqrt", "sin", "cos", "tan", "div", "pow", "erf"})
    if (name.contains(function))
      return {Slot::Xu, elements / costs.functions};
  bool floats =
      llvm::any_of(op->getResultTypes(), [](Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); });
  if (floats && !name.contains("cast") && !name.contains("max") && !name.contains("min") && name != "fptofp")
    return {Slot::Fp32x2Fp16Ultra, elements / costs.f32Operations};
  return {Slot::Alu, elements / costs.aluOperations};
}
