//===- Bytecode.h - Tile IR bytecode: read and write ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Tile IR bytecode is the interface between front ends and compiler: a file of sections (functions, globals,
// constants, types, strings, debug records) in versions 13.1 to 13.4.
//
// What the format looks like is written down once, as data:
//   OpTable.def   every op: opcode, since when, results, attributes, operands, regions
//   Enums.cpp     the codes of enumerations and the version each appeared in
//   Layouts.h     the fields of types, attributes and debug records, for reading and writing alike
// Reader and writer walk these tables; neither knows a single op.
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_BYTECODE_BYTECODE_H
#define TILEIRAS_BYTECODE_BYTECODE_H

#include "mlir/IR/OwningOpRef.h"
#include "tileiras/Bytecode/Version.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir::cuda_tile {

/// Whether the bytes start like a Tile IR bytecode file.
bool isTileIRBytecode(StringRef bytes);
/// Whether the bytes start like MLIR's own bytecode, which is another format.
bool isMLIRBytecode(StringRef bytes);

/// Reads and verifies a module. Null on error; errors are diagnostics "error at offset N: ..." at an unknown
/// location, or the verifier's. Input may be hostile: reading neither crashes nor takes more memory than a small
/// multiple of the input's size (and 64 MiB for constants).
OwningOpRef<ModuleOp> readBytecode(ArrayRef<char> bytes, MLIRContext *context);
OwningOpRef<ModuleOp> readBytecode(llvm::MemoryBufferRef buffer, MLIRContext *context);

/// The version a bytecode file says it has, if it has a good header.
std::optional<BytecodeVersion> peekBytecodeVersion(StringRef bytes);

/// Writes a module. Fails with a diagnostic if it has something that the version cannot express.
LogicalResult writeBytecode(raw_ostream &os, ModuleOp module, BytecodeVersion version = BytecodeVersion::latest());

} // namespace mlir::cuda_tile

#endif // TILEIRAS_BYTECODE_BYTECODE_H
