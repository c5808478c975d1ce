//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Layouts of nv_tileas.dot, from its atom.
//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_DOT_H
#define TILEIRAS_DIALECT_TILEAS_IR_DOT_H

#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Support/DotLayouts.h"

namespace mlir::nv_tileas {

tileiras::DotShape getDotShape(RankedTensorType a, RankedTensorType b);
inline tileiras::DotShape getDotShape(DotOp op) { return getDotShape(op.getA().getType(), op.getB().getType()); }

/// The tiling an atom stands for.
tileiras::DotTiling getDotTiling(MmaAtomAttr atom);

/// The layout an operand of a product with an atom has to have in registers, with the register bits that are copies
/// (DotLayouts.h).
tileiras::LinearLayout getDotOperandLayout(DotOp op, OpOperand &operand);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_DOT_H
