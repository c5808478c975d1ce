/*===- open_tileiras.h - The project as one C library ---------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===
 *
 * What libtileiras.so has beyond tileiras.h (the compiler by the names that front ends know) and tileiras_emu.h (the
 * emulator): compiling with everything that the command line takes, remarks and diagnostics as JSON, the reference
 * evaluator, layouts, and the explorer's page.
 *
 *   const char *options[] = {"gpu-name=sm_90", "emit=ptx", "remarks=all", NULL};
 *   tileiras_result *r = tileiras_compile(text, size, "k.mlir", options);
 *   if (tileiras_result_status(r) == 0)
 *     fwrite(tileiras_result_output(r, &bytes), 1, bytes, stdout);
 *   else
 *     fputs(tileiras_result_messages(r), stderr);
 *   tileiras_result_destroy(r);
 *
 * Every function may be called by any number of threads at a time. No function throws, aborts or exits on bad input;
 * texts belong to the result, end with a zero and live until it is destroyed. Options are "name=value", named as on the
 * command line of the tool, ending with NULL; flags are "name=1" and "name=0".
 */
#ifndef OPEN_TILEIRAS_H
#define OPEN_TILEIRAS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The outcome of any function below; never NULL. */
typedef struct tileiras_result tileiras_result;

/* 0, or the exit code that the tool would have had (docs/tileiras.md, docs/tileiras-run.md). */
int tileiras_result_status(const tileiras_result *result);
/* Text or bytes; *size may be NULL. */
const void *tileiras_result_output(const tileiras_result *result, size_t *size);
/* What the tool would have written to standard error. */
const char *tileiras_result_messages(const tileiras_result *result);
/* A JSON object; its members are listed at each function. */
const char *tileiras_result_json(const tileiras_result *result);
void tileiras_result_destroy(tileiras_result *result);

/* "0.1.0", and the target table as JSON (`tileiras --list-targets`). Valid forever. */
const char *tileiras_version(void);
const char *tileiras_targets(void);

/* Compiles MLIR text or Tile IR bytecode. `name` stands in messages. Options: gpu-name, opt-level, emit, lineinfo,
 * device-debug, num-warps, num-ctas, dynamic-shared, static-shared, register-limits, launch-abi, pipeline-options,
 * host-arch, host-os, sanitize, ptxas-path, libdevice-path, verify-each; emit=cubin by default. remarks=all, or
 * categories, collects remarks. JSON: {"diagnostics": [...], "remarks": [...]}, as tileiras/Explorer/RemarkCollector.h
 * has them. */
tileiras_result *tileiras_compile(const void *input, size_t size, const char *name, const char *const *options);

/* Bytecode as text, with locations if `debug_info`; text is printed in its usual form. */
tileiras_result *tileiras_disassemble(const void *input, size_t size, const char *name, int debug_info);
/* Text as bytecode of the latest version, or of "13.1", "13.2", ... if `version` is not NULL. */
tileiras_result *tileiras_assemble(const void *input, size_t size, const char *name, const char *version);

/* Everything about a compilation, and the page that shows it (tileiras/Explorer/Explorer.h). Options as for
 * tileiras_compile; assemble=1 asks ptxas for resources; timing=TEXT and trace=TEXT are the JSON of a prediction and of
 * its timeline. The output is the page. JSON: all the facts. */
tileiras_result *tileiras_explore(const void *input, size_t size, const char *name, const char *const *options);

/* A parameter of a kernel of the cuda_tile dialect. */
typedef struct tileiras_argument {
  const char *name;       /* in reports; may be NULL */
  const char *type;       /* of an element: "f32", "bf16", "i4", ...; of a pointer by value "i64" */
  int is_array;           /* 0: a scalar, by value, in `bits` */
  uint64_t bits;          /* a scalar's bits, in the low end */
  uint32_t rank;          /* of an array */
  const int64_t *shape;   /* elements */
  const int64_t *strides; /* elements, >= 0; NULL: row-major */
  void *data;             /* the first element; read, and written when the kernel has run */
  size_t bytes;           /* of the memory at `data` */
} tileiras_argument;

/* Runs a kernel on the reference evaluator: by the words of the specification, on plain arrays, one tile block after
 * another. `entry` may be NULL if there is one. `max_steps`: operations, 0 is no limit. Options: ignore-assumptions.
 * Status 6: the run stopped, or reported something. The output is what the kernel printed.
 * JSON: {"reports": ["file:line:col: error: ...", ...], "stats": {...}, "seconds": s}. */
tileiras_result *tileiras_reference_run(const void *input, size_t size, const char *name, const char *entry,
                                        const uint32_t grid[3], const tileiras_argument *arguments, size_t count,
                                        uint64_t max_steps, const char *const *options);

/* Layouts in any notation of docs/layouts.md. Options: shape=16x32, to=LAYOUT, tile=(16,8), apply=OPERATION:ARGUMENT,
 * element-bits, colour, max-rows, max-columns, title; format=text (default), svg, or none for the JSON alone.
 * JSON: {"kind": "function", "text": "(4,8):(8,1)", "shape": "(4,8)", "stride": "(8,1)", "size": 32, "cosize": 32,
 * "offsets": [...]} of CuTe's layouts (after `apply`; offsets of at most 65,536 elements, in the order of the flat
 * coordinate), {"kind": "distributed" or "shared", "shape": [...], "bases": {"lane": [[0, 1], ...], ...}} of the
 * others. Status 1: no such layout, or no result. */
tileiras_result *tileiras_layout(const char *layout, const char *const *options);

/* Runs a tool as its program would run: "tileiras", "tileiras-run", "tileirdisasm". Ends the process, or returns its
 * exit code. For programs that are nothing but that. */
int tileiras_tool_main(const char *tool, int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif /* OPEN_TILEIRAS_H */
