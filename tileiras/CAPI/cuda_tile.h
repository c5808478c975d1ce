/*===- cuda_tile.h - The public dialect for users of MLIR's C interface ----------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===
 *
 * libtileiras.so exports MLIR's own C interface (mlir-c/IR.h and what is with it) together with these functions:
 *
 *   MlirContext context = mlirContextCreate();
 *   mlirDialectHandleLoadDialect(mlirGetDialectHandle__cuda_tile__(), context);
 *   MlirModule module = mlirModuleCreateParse(context, text);
 *
 * A context of one libmlir must not be given to functions of another.
 */
#ifndef TILEIRAS_CAPI_CUDA_TILE_H
#define TILEIRAS_CAPI_CUDA_TILE_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(CudaTile, cuda_tile);

/* Every dialect of the pipeline, from cuda_tile to llvm and nvvm. */
MLIR_CAPI_EXPORTED void mlirCudaTileRegisterAllDialects(MlirDialectRegistry registry);
/* Every pass of tileiras-opt, for pass managers by name. */
MLIR_CAPI_EXPORTED void mlirCudaTileRegisterAllPasses(void);

/* Writes a cuda_tile.module as Tile IR bytecode of a version ("13.1" to "13.4", the latest if empty). A failure is a
 * diagnostic of the context. */
MLIR_CAPI_EXPORTED MlirLogicalResult mlirCudaTileWriteBytecode(MlirOperation module, MlirStringRef version,
                                                               MlirStringCallback callback, void *userData);
/* Reads bytecode: a builtin module with the cuda_tile.module in it, or null and a diagnostic. */
MLIR_CAPI_EXPORTED MlirModule mlirCudaTileReadBytecode(MlirContext context, MlirStringRef bytes);

#ifdef __cplusplus
}
#endif

#endif /* TILEIRAS_CAPI_CUDA_TILE_H */
