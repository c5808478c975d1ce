//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CAPI/cuda_tile.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"

using namespace mlir;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(CudaTile, cuda_tile, cuda_tile::CudaTileDialect)

void mlirCudaTileRegisterAllDialects(MlirDialectRegistry registry) {
  tileiras::registerCompilerDialects(*unwrap(registry));
}

void mlirCudaTileRegisterAllPasses(void) { tileiras::registerCompilerPasses(); }

MlirLogicalResult mlirCudaTileWriteBytecode(MlirOperation module, MlirStringRef version, MlirStringCallback callback,
                                            void *userData) {
  Operation *op = unwrap(module);
  auto kernels = dyn_cast<cuda_tile::ModuleOp>(op);
  std::optional<cuda_tile::BytecodeVersion> wanted = cuda_tile::BytecodeVersion::latest();
  if (version.length)
    wanted = cuda_tile::BytecodeVersion::parse(unwrap(version));
  if (!kernels)
    return wrap(LogicalResult(op->emitOpError("is no cuda_tile.module, and cannot be written as Tile IR bytecode")));
  if (!wanted)
    return wrap(LogicalResult(op->emitOpError("cannot be written as bytecode of version '")
                              << unwrap(version) << "': supported are "
                              << cuda_tile::BytecodeVersion::supportedRange()));
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (failed(cuda_tile::writeBytecode(os, kernels, *wanted)))
    return wrap(failure());
  callback(wrap(StringRef(bytes)), userData);
  return wrap(success());
}

MlirModule mlirCudaTileReadBytecode(MlirContext context, MlirStringRef bytes) {
  StringRef text = unwrap(bytes);
  OwningOpRef<cuda_tile::ModuleOp> kernels =
      cuda_tile::readBytecode(llvm::MemoryBufferRef(text, "<bytecode>"), unwrap(context));
  if (!kernels)
    return MlirModule{nullptr};
  auto module = ModuleOp::create(UnknownLoc::get(unwrap(context)));
  module.push_back(kernels.release());
  return wrap(module);
}
