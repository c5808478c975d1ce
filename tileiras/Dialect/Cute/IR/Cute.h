//===- Cute.h - The cute and cute_nvgpu dialects ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUTE_IR_CUTE_H
#define TILEIRAS_DIALECT_CUTE_IR_CUTE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/Cute/IR/AtomKinds.h"

namespace mlir::cute {

/// Where an address points. rmem is the memory of one thread, which becomes registers. tmem is tensor memory: an
/// address counts columns of 32 bits, and rows in units of 65536.
enum class AddressSpace { Generic, Global, Shared, Register, Tensor };

/// Verifies an operation against what Evaluate.h makes of its operands.
LogicalResult verifyEvaluated(Operation *op);

} // namespace mlir::cute

namespace mlir::OpTrait::cute {
template <typename ConcreteType> class Evaluated : public TraitBase<ConcreteType, Evaluated> {
public:
  static LogicalResult verifyTrait(Operation *op) { return ::mlir::cute::verifyEvaluated(op); }
};
} // namespace mlir::OpTrait::cute

#include "tileiras/Dialect/Cute/IR/AtomInterfaces.h.inc"
#include "tileiras/Dialect/Cute/IR/CuteDialect.h.inc"
#include "tileiras/Dialect/Cute/IR/CuteNvgpuDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/Cute/IR/CuteTypes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/Cute/IR/CuteNvgpuTypes.h.inc"
#define GET_OP_CLASSES
#include "tileiras/Dialect/Cute/IR/CuteOps.h.inc"
#define GET_OP_CLASSES
#include "tileiras/Dialect/Cute/IR/CuteNvgpuOps.h.inc"

#endif // TILEIRAS_DIALECT_CUTE_IR_CUTE_H
