/*===----------------------------------------------------------------------===*\
|* Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*===----------------------------------------------------------------------===*|
|*
|* The compiler as a C library. A program is created from its input and a
|* configuration, compiled, and asked for its output:
|*
|*   tileirasProgramConfig config = tileirasDefaultConfig();
|*   config.gpuName = "sm_90";
|*   tileirasProgram *program;
|*   if (tileirasProgramCreate(&program, &config, bytes, size) == TILEIRAS_SUCCESS &&
|*       tileirasProgramCompile(program) == TILEIRAS_SUCCESS)
|*     tileirasProgramGetOutput(program, &cubin, &cubinSize);
|*   else
|*     fputs(tileirasGetLastError(), stderr);
|*   tileirasProgramRelease(&program);
|*
|* Every function returns a tileirasResult; tileirasGetLastError says more about
|* the last failure on the calling thread. Different programs may be used from
|* different threads.
|*
\*===----------------------------------------------------------------------===*/

#ifndef TILEIRAS_COMPILER_TILEIRAS_H
#define TILEIRAS_COMPILER_TILEIRAS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tileirasResult {
  TILEIRAS_SUCCESS = 0,
  TILEIRAS_ERROR_ALLOCATION = 1,
  TILEIRAS_ERROR_CONFIGURATION = 2,
  TILEIRAS_ERROR_PARSE = 3,
  TILEIRAS_ERROR_NULL_HANDLE = 4,
  TILEIRAS_ERROR_COMPILE = 5
} tileirasResult;

typedef struct tileirasProgram tileirasProgram;

typedef struct tileirasProgramConfig {
  const char *gpuName;       /* "sm_100" */
  int optLevel;              /* 0 to 3 */
  int deviceDebug;           /* full debug info; only with optLevel 0 */
  int lineInfo;              /* line tables */
  const char *hostArch;      /* "x86_64", "aarch64", "arm64ec" */
  const char *hostOs;        /* "linux", "windows" */
  const char *sanitize;      /* "" or "memcheck" */
  const char *emit;          /* "cubin", "ptx", "llvmir", "llvm", "tileas", "tileaa", "cuda_tile" */
  const char *ptxasPath;     /* "" searches */
  const char *libdevicePath; /* "" searches, "none" does without */
} tileirasProgramConfig;

/* The defaults of the command line. */
tileirasProgramConfig tileirasDefaultConfig(void);

/* Checks the configuration and copies the input: MLIR text or Tile IR bytecode. */
tileirasResult tileirasProgramCreate(tileirasProgram **program, const tileirasProgramConfig *config, const void *input,
                                     size_t size);
tileirasResult tileirasProgramCompile(tileirasProgram *program);
/* The output belongs to the program and lives until it is released. */
tileirasResult tileirasProgramGetOutput(const tileirasProgram *program, const void **output, size_t *size);
/* Sets *program to null. Releasing null is an error, not a crash. */
tileirasResult tileirasProgramRelease(tileirasProgram **program);

/* What went wrong last on this thread, never null. For compilation failures the text starts with the diagnostics. */
const char *tileirasGetLastError(void);

#ifdef __cplusplus
}
#endif

#endif /* TILEIRAS_COMPILER_TILEIRAS_H */
