/*===- tileiras_emu.h - C interface of the PTX emulator -----------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===
 *
 * Runs PTX kernels on the CPU. No function throws, aborts or exits; errors come back as text. Objects may be used by
 * one thread at a time; several modules and memories may be used by several threads. tileiras_emu_start has several
 * launches of one memory under way at the same time.
 *
 *   char *error = NULL;
 *   tileiras_emu_module *module = tileiras_emu_module_parse(ptx, strlen(ptx), "k.ptx", &error);
 *   tileiras_emu_memory *memory = tileiras_emu_memory_create();
 *   uint64_t x = tileiras_emu_alloc(memory, bytes, "x");
 *   tileiras_emu_write(memory, x, data, bytes);
 *   tileiras_emu_launch launch = tileiras_emu_launch_default();
 *   launch.kernel = "k";
 *   launch.block[0] = 256;
 *   const void *values[] = {&x};
 *   const size_t sizes[] = {8};
 *   tileiras_emu_result *result = tileiras_emu_run(module, memory, &launch, values, sizes, 1);
 *   if (!tileiras_emu_result_ok(result)) puts(tileiras_emu_result_report(result, 0));
 */
#ifndef TILEIRAS_EMU_H
#define TILEIRAS_EMU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tileiras_emu_module tileiras_emu_module;
typedef struct tileiras_emu_memory tileiras_emu_memory;
typedef struct tileiras_emu_result tileiras_emu_result;

/* Parses PTX text; NULL on errors, with their text in *error (free it with tileiras_emu_free_string). `name` stands in
 * messages. */
tileiras_emu_module *tileiras_emu_module_parse(const char *ptx, size_t length, const char *name, char **error);
void tileiras_emu_module_destroy(tileiras_emu_module *module);
size_t tileiras_emu_kernel_count(const tileiras_emu_module *module);
/* Valid as long as the module; NULL if there are not so many. */
const char *tileiras_emu_kernel_name(const tileiras_emu_module *module, size_t index);

/* Device memory. Addresses are virtual: kernels can reach what was allocated, and nothing else. */
tileiras_emu_memory *tileiras_emu_memory_create(void);
void tileiras_emu_memory_destroy(tileiras_emu_memory *memory);
/* Unwritten bytes of an allocation count as uninitialised. Returns the address, aligned to 256. */
uint64_t tileiras_emu_alloc(tileiras_emu_memory *memory, size_t bytes, const char *name);
/* 1 on success, 0 if the range does not lie in one allocation. */
int tileiras_emu_write(tileiras_emu_memory *memory, uint64_t address, const void *data, size_t bytes);
int tileiras_emu_read(const tileiras_emu_memory *memory, uint64_t address, void *data, size_t bytes);
int tileiras_emu_free(tileiras_emu_memory *memory, uint64_t address);
/* Address of a `.global` or `.const` variable of the module, for tileiras_emu_write and read, and its size; 0 if there
 * is none of that name. Variables have one value in each memory, constants one in each module. */
uint64_t tileiras_emu_symbol(const tileiras_emu_module *module, tileiras_emu_memory *memory, const char *name,
                             size_t *bytes);

/* The 128 bytes of a tensor map (CUtensorMap), to be passed by value or placed in memory, 64 bytes aligned. Takes what
 * cuTensorMapEncodeTiled takes and enforces the same rules; enumerations have the driver's values, dimension 0 is the
 * innermost. NULL, or why not (free it with tileiras_emu_free_string). */
char *tileiras_emu_tensormap_tiled(void *map, unsigned type, unsigned rank, uint64_t address, const uint64_t *dims,
                                   const uint64_t *strides, const uint32_t *box, const uint32_t *element_strides,
                                   unsigned interleave, unsigned swizzle, unsigned l2_promotion, unsigned fill);

/* The same for cuTensorMapEncodeIm2col: `lower` and `upper` have rank - 2 corners of the bounding box. */
char *tileiras_emu_tensormap_im2col(void *map, unsigned type, unsigned rank, uint64_t address, const uint64_t *dims,
                                    const uint64_t *strides, const int *lower, const int *upper, uint32_t channels,
                                    uint32_t pixels, const uint32_t *element_strides, unsigned interleave,
                                    unsigned swizzle, unsigned l2_promotion, unsigned fill);

enum { TILEIRAS_EMU_ROUND_ROBIN, TILEIRAS_EMU_FORWARD, TILEIRAS_EMU_REVERSE, TILEIRAS_EMU_RANDOM };
enum { TILEIRAS_EMU_EARLY, TILEIRAS_EMU_LATE, TILEIRAS_EMU_ASYNC_RANDOM };

typedef struct tileiras_emu_launch {
  const char *kernel; /* NULL: the only one of the module */
  uint32_t grid[3], block[3];
  uint32_t cluster[3]; /* {1,1,1}: what the kernel says */
  uint32_t dynamic_shared_bytes;
  int schedule;                   /* TILEIRAS_EMU_ROUND_ROBIN ... */
  int async_timing;               /* when asynchronous operations land */
  uint64_t seed;                  /* of all random choices */
  uint32_t host_threads;          /* 0: one per core */
  uint64_t max_warp_instructions; /* of a block; 0: no limit */
  int check_uninitialized;
  int check_races;           /* data races, missing waits and fences; one host thread then */
  int capture_output;        /* keep what the kernel prints for tileiras_emu_result_output; else it goes to stdout */
  int tensor_load_interlock; /* 1: rules "as the hardware does", 0: "as the ISA promises" (docs/emulator.md) */
  const char *device;        /* "sm_90": whose limits count; NULL: what the module was compiled for */
  uint32_t multiprocessors;  /* 0: those of the best-known device of that target; more blocks run at the same time */
  int cooperative;           /* all blocks must run at the same time; grid.sync() works */
} tileiras_emu_launch;

tileiras_emu_launch tileiras_emu_launch_default(void);

/* Runs the kernel to its end. `values` and `sizes` are the arguments in order. Never NULL. */
tileiras_emu_result *tileiras_emu_run(const tileiras_emu_module *module, tileiras_emu_memory *memory,
                                      const tileiras_emu_launch *launch, const void *const *values, const size_t *sizes,
                                      size_t count);
/* The same without waiting: the launch runs in a thread of its own, as kernels of different streams do on a GPU.
 * Launches of one memory see each other's writes (a kernel may poll what another one writes; so polling for ever is no
 * deadlock, and max_warp_instructions is what ends it). The launch begins when those of `after` are over, which may
 * have been handed to tileiras_emu_wait by then. Arguments are copied. Cooperative launches run alone, and so begins
 * the first launch of a module. Functions that use the memory (alloc, free, read, write, symbol, run, predict) wait for
 * its launches that have begun. Reports about the order of two launches are not made. */
typedef struct tileiras_emu_pending tileiras_emu_pending;
tileiras_emu_pending *tileiras_emu_start(const tileiras_emu_module *module, tileiras_emu_memory *memory,
                                         const tileiras_emu_launch *launch, const void *const *values,
                                         const size_t *sizes, size_t count, tileiras_emu_pending *const *after,
                                         size_t after_count);
/* 1 if tileiras_emu_wait would not wait. */
int tileiras_emu_pending_done(const tileiras_emu_pending *pending);
/* Waits for the end; never NULL. `pending` is gone then. Every launch wants its wait, before its module is destroyed.
 */
tileiras_emu_result *tileiras_emu_wait(tileiras_emu_pending *pending);
/* 1: every block ran to its end and there is no report. */
int tileiras_emu_result_ok(const tileiras_emu_result *result);
size_t tileiras_emu_result_report_count(const tileiras_emu_result *result);
/* Text of a report with its place; NULL if there are not so many. Valid as long as the result. */
const char *tileiras_emu_result_report(const tileiras_emu_result *result, size_t index);
/* Short stable name of the fault: "out-of-bounds", "deadlock", ... */
const char *tileiras_emu_result_report_kind(const tileiras_emu_result *result, size_t index);
/* The parts of a report. Texts are valid as long as the result, and "" where there is nothing to say. */
typedef struct tileiras_emu_report {
  const char *kind;        /* "out-of-bounds", "race", ... */
  const char *message;     /* one sentence */
  const char *file;        /* of the PTX, as it was parsed */
  const char *ptx;         /* the instruction */
  const char *source_file; /* from `.loc` */
  const char *kernel;
  uint32_t line, column; /* of the PTX, from 1; 0: none */
  uint32_t source_line;
  uint32_t block[3], thread[3];
  uint64_t address; /* of memory faults */
  uint64_t count;   /* how often, on this line */
} tileiras_emu_report;
/* 1, or 0 if there are not so many reports. */
int tileiras_emu_result_report_fields(const tileiras_emu_result *result, size_t index, tileiras_emu_report *fields);
/* What the kernel printed, if the launch asked for it. */
const char *tileiras_emu_result_output(const tileiras_emu_result *result);
/* Counters as lines "name value". */
const char *tileiras_emu_result_stats(const tileiras_emu_result *result);
void tileiras_emu_result_destroy(tileiras_emu_result *result);

/* How long the launch would take on a GPU, from samples of its grid (docs/timing.md). Memory changes as those samples
 * change it. */
typedef struct tileiras_emu_prediction tileiras_emu_prediction;
typedef struct tileiras_emu_timing {
  const char *machine; /* "a100", "h100", "h200", "rtx4090", "b200", "rtx5090", or a file *.gpu */
  uint32_t samples;    /* clusters that are run, at most */
  double clock_mhz;    /* 0: of the machine's description */
  int l2_state; /* L2 before: 0 what others wrote, 1 arrays that fit are there already, 2 empty (a profiler's flush) */
  int timeline; /* keep what tileiras_emu_prediction_trace wants */
  const char *ptx; /* the module's text, so that ptxas can be asked for registers; NULL: they are estimated */
} tileiras_emu_timing;

tileiras_emu_timing tileiras_emu_timing_default(void);
/* Never NULL. */
tileiras_emu_prediction *tileiras_emu_predict(const tileiras_emu_module *module, tileiras_emu_memory *memory,
                                              const tileiras_emu_launch *launch, const void *const *values,
                                              const size_t *sizes, size_t count, const tileiras_emu_timing *timing);
/* NULL, or why there is no prediction. The texts are valid as long as the prediction. */
const char *tileiras_emu_prediction_error(const tileiras_emu_prediction *prediction);
double tileiras_emu_prediction_cycles(const tileiras_emu_prediction *prediction);
double tileiras_emu_prediction_seconds(const tileiras_emu_prediction *prediction);
/* The report: for a terminal, as JSON, as a page, as trace events in cycles. */
const char *tileiras_emu_prediction_text(const tileiras_emu_prediction *prediction);
const char *tileiras_emu_prediction_json(const tileiras_emu_prediction *prediction);
const char *tileiras_emu_prediction_html(const tileiras_emu_prediction *prediction);
const char *tileiras_emu_prediction_trace(const tileiras_emu_prediction *prediction);
void tileiras_emu_prediction_destroy(tileiras_emu_prediction *prediction);

void tileiras_emu_free_string(char *text);

#ifdef __cplusplus
}
#endif

#endif /* TILEIRAS_EMU_H */
