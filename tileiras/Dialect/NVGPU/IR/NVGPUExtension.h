//===- NVGPUExtension.h - Operations that MLIR's nvgpu lacks ----*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The dialect is MLIR's; these operations join it when it is loaded from a registry that has been told about them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_NVGPU_IR_NVGPUEXTENSION_H
#define TILEIRAS_DIALECT_NVGPU_IR_NVGPUEXTENSION_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tileiras/Dialect/NVGPU/IR/NVGPUExtensionEnums.h.inc"

#define GET_OP_CLASSES
#include "tileiras/Dialect/NVGPU/IR/NVGPUExtension.h.inc"

namespace mlir::nvgpu {

inline bool isFp8(PackedKind kind) { return kind == PackedKind::E4M3x2 || kind == PackedKind::E5M2x2; }
inline bool isFp6(PackedKind kind) { return kind == PackedKind::E2M3x2 || kind == PackedKind::E3M2x2; }
inline bool isFp4(PackedKind kind) { return kind == PackedKind::E2M1x2; }
/// Smaller than fp8, or a scale: what came with sm_100a.
inline bool isMicroscaled(PackedKind kind) { return isFp6(kind) || isFp4(kind) || kind == PackedKind::UE8M0x2; }

/// The number that stands for an element type in a tensor map (PTX ISA, "tensormap.replace", .elemtype); nothing if
/// none does.
std::optional<int32_t> tensorMapElementCode(Type type);

/// Adds MLIR's dialect and these operations to `registry`.
void registerNVGPUExtension(DialectRegistry &registry);

} // namespace mlir::nvgpu

#endif // TILEIRAS_DIALECT_NVGPU_IR_NVGPUEXTENSION_H
