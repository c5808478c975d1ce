/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compiles the module of its argument to PTX with each of the library's interfaces, and runs it on the emulator. */
#include "tileiras/CAPI/open_tileiras.h"
#include "tileiras/Compiler/tileiras.h"
#include "tileiras/Emulator/CAPI/tileiras_emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  return 1;
}

int main(int argc, char **argv) {
  static char text[1 << 16];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return fail("usage", "consumer FILE.mlir");
  size_t size = fread(text, 1, sizeof text, file);
  fclose(file);

  tileirasProgramConfig config = tileirasDefaultConfig();
  config.gpuName = "sm_80";
  config.emit = "ptx";
  tileirasProgram *program;
  const void *first;
  size_t bytes;
  if (tileirasProgramCreate(&program, &config, text, size) != TILEIRAS_SUCCESS ||
      tileirasProgramCompile(program) != TILEIRAS_SUCCESS ||
      tileirasProgramGetOutput(program, &first, &bytes) != TILEIRAS_SUCCESS)
    return fail("tileirasProgramCompile", tileirasGetLastError());

  const char *options[] = {"gpu-name=sm_80", "emit=ptx", NULL};
  tileiras_result *result = tileiras_compile(text, size, argv[1], options);
  if (tileiras_result_status(result))
    return fail("tileiras_compile", tileiras_result_messages(result));
  size_t again;
  const void *second = tileiras_result_output(result, &again);
  if (again != bytes || memcmp(first, second, bytes))
    return fail("tileiras_compile", "the two interfaces differ");

  char *error = NULL;
  tileiras_emu_module *module = tileiras_emu_module_parse(second, again, "k.ptx", &error);
  if (!module)
    return fail("tileiras_emu_module_parse", error);
  tileiras_emu_memory *memory = tileiras_emu_memory_create();
  float data[4] = {1, 2, 3, 4};
  uint64_t address = tileiras_emu_alloc(memory, sizeof data, "p");
  tileiras_emu_write(memory, address, data, sizeof data);
  tileiras_emu_launch launch = tileiras_emu_launch_default();
  const void *values[] = {&address};
  const size_t sizes[] = {sizeof address};
  tileiras_emu_result *run = tileiras_emu_run(module, memory, &launch, values, sizes, 1);
  if (!tileiras_emu_result_ok(run))
    return fail("tileiras_emu_run", tileiras_emu_result_report(run, 0));
  tileiras_emu_read(memory, address, data, sizeof data);
  printf("%g %g %g %g\n", data[0], data[1], data[2], data[3]);

  tileiras_emu_result_destroy(run);
  tileiras_emu_memory_destroy(memory);
  tileiras_emu_module_destroy(module);
  tileiras_result_destroy(result);
  tileirasProgramRelease(&program);
  return 0;
}
