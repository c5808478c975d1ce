/*===- EmulatorCAPITest.c - The C interface, from C ----------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#include "tileiras/Emulator/CAPI/tileiras_emu.h"

#include <stdio.h>
#include <string.h>

static const char ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                          ".visible .entry scale(.param .u64 x, .param .f32 a)\n{\n"
                          ".reg .b64 %rd<3>; .reg .b32 %r<2>; .reg .f32 %f<3>;\n"
                          "ld.param.u64 %rd0, [x]; ld.param.f32 %f0, [a]; mov.u32 %r0, %tid.x;\n"
                          "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1;\n"
                          "ld.global.f32 %f1, [%rd1]; mul.f32 %f1, %f1, %f0; st.global.f32 [%rd1], %f1; ret;\n}\n";
/* All threads write x[0]. */
static const char racy[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".visible .entry race(.param .u64 x)\n{\n"
                           ".reg .b64 %rd<2>; .reg .b32 %r<2>;\n"
                           "ld.param.u64 %rd0, [x]; mov.u32 %r0, %tid.x; st.global.u32 [%rd0], %r0; ret;\n}\n";
/* Prints one line with vprintf. */
static const char talkative[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 text[4] = {104, 105, 10, 0};\n"
    ".visible .entry talk()\n{\n.reg .b64 %rd<3>;\n"
    "mov.b64 %rd0, text; cvta.global.u64 %rd0, %rd0; mov.b64 %rd1, 0;\n"
    "{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd0; st.param.b64 [a], %rd1;\n"
    "call.uni (r), vprintf, (f, a); }\nret;\n}\n";
/* Each block adds a constant to a variable. */
static const char variables[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                                ".const .align 4 .u32 factor = 1;\n.visible .global .align 4 .u32 total;\n"
                                ".visible .entry add()\n{\n.reg .b32 %r<2>;\n"
                                "ld.const.u32 %r0, [factor]; red.global.add.u32 [total], %r0; ret;\n}\n";
/* Waits until the flag is set, then adds what stands beside it; or sets both. */
static const char waiting[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry take(.param .u64 x)\n{\n.reg .b64 %rd<2>; .reg .b32 %r<3>; .reg .pred %p<2>;\n"
    "ld.param.u64 %rd0, [x];\nL: ld.acquire.gpu.global.u32 %r0, [%rd0]; setp.eq.u32 %p0, %r0, 0; @%p0 bra L;\n"
    "ld.global.u32 %r1, [%rd0+4]; red.relaxed.gpu.global.add.u32 [%rd0+8], %r1; ret;\n}\n"
    ".visible .entry give(.param .u64 x, .param .u32 v)\n{\n.reg .b64 %rd<2>; .reg .b32 %r<3>;\n"
    "ld.param.u64 %rd0, [x]; ld.param.u32 %r0, [v]; st.global.u32 [%rd0+4], %r0;\n"
    "mov.u32 %r1, 1; st.release.gpu.global.u32 [%rd0], %r1; ret;\n}\n";
static int failures;
static void check(int ok, const char *what) {
  printf("[ %s ] %s\n", ok ? "      OK" : "  FAILED", what);
  failures += !ok;
}

int main(void) {
  char *error = NULL;
  check(!tileiras_emu_module_parse("garbage", 7, "bad.ptx", &error) && error && strstr(error, "bad.ptx"),
        "a parse error comes back as text");
  tileiras_emu_free_string(error);
  tileiras_emu_module *module = tileiras_emu_module_parse(ptx, strlen(ptx), "scale.ptx", &error);
  check(module && !error && tileiras_emu_kernel_count(module) == 1 &&
            !strcmp(tileiras_emu_kernel_name(module, 0), "scale") && !tileiras_emu_kernel_name(module, 1),
        "the module knows its kernel");
  if (!module)
    return 1;
  tileiras_emu_memory *memory = tileiras_emu_memory_create();
  float data[64], back[64];
  for (int i = 0; i != 64; ++i)
    data[i] = (float)i - 20.5f;
  uint64_t x = tileiras_emu_alloc(memory, sizeof data, "x");
  check(tileiras_emu_write(memory, x, data, sizeof data) && !tileiras_emu_write(memory, x + 4, data, sizeof data),
        "copies stay inside allocations");
  tileiras_emu_launch launch = tileiras_emu_launch_default();
  launch.block[0] = 64;
  float a = 3.0f;
  const void *values[] = {&x, &a};
  const size_t sizes[] = {sizeof x, sizeof a};
  tileiras_emu_result *result = tileiras_emu_run(module, memory, &launch, values, sizes, 2);
  check(tileiras_emu_result_ok(result) && tileiras_emu_result_report_count(result) == 0, "the kernel runs");
  int same = tileiras_emu_read(memory, x, back, sizeof back);
  for (int i = 0; i != 64; ++i)
    same = same && back[i] == data[i] * 3.0f;
  check(same, "and computes");
  check(strstr(tileiras_emu_result_stats(result), "thread instructions") != NULL, "counters");
  tileiras_emu_result_destroy(result);
  launch.block[0] = 65; /* one thread too many */
  result = tileiras_emu_run(module, memory, &launch, values, sizes, 2);
  check(!tileiras_emu_result_ok(result) && tileiras_emu_result_report_count(result) > 0 &&
            !strcmp(tileiras_emu_result_report_kind(result, 0), "out-of-bounds") &&
            strstr(tileiras_emu_result_report(result, 0), "'x'"),
        "an overrun is reported with the array's name");
  tileiras_emu_result_destroy(result);
  result = tileiras_emu_run(module, memory, &launch, values, sizes, 1);
  check(!tileiras_emu_result_ok(result) && !strcmp(tileiras_emu_result_report_kind(result, 0), "launch"),
        "a missing argument");
  tileiras_emu_result_destroy(result);
  launch.schedule = 17;
  result = tileiras_emu_run(module, memory, &launch, values, sizes, 2);
  check(!tileiras_emu_result_ok(result), "a bad option");
  tileiras_emu_result_destroy(result);
  tileiras_emu_module *race = tileiras_emu_module_parse(racy, strlen(racy), "race.ptx", &error);
  check(race != NULL, "the racy kernel is a module");
  if (!race)
    return 1;
  launch = tileiras_emu_launch_default();
  launch.block[0] = 64;
  result = tileiras_emu_run(race, memory, &launch, values, sizes, 1);
  check(tileiras_emu_result_ok(result), "races are not looked for unless asked");
  tileiras_emu_result_destroy(result);
  launch.check_races = 1;
  result = tileiras_emu_run(race, memory, &launch, values, sizes, 1);
  check(!tileiras_emu_result_ok(result) && tileiras_emu_result_report_count(result) > 0 &&
            strstr(tileiras_emu_result_report_kind(result, 0), "race"),
        "and reported if so");
  tileiras_emu_result_destroy(result);
  tileiras_emu_module_destroy(race);
  tileiras_emu_module *talk = tileiras_emu_module_parse(talkative, strlen(talkative), "talk.ptx", &error);
  check(talk != NULL, "the printing kernel is a module");
  if (!talk)
    return 1;
  launch = tileiras_emu_launch_default();
  launch.block[0] = 2;
  launch.capture_output = 1;
  result = tileiras_emu_run(talk, memory, &launch, NULL, NULL, 0);
  check(tileiras_emu_result_ok(result) && !strcmp(tileiras_emu_result_output(result), "hi\nhi\n"),
        "output is captured");
  tileiras_emu_result_destroy(result);
  tileiras_emu_module_destroy(talk);
  unsigned char map[128];
  const uint64_t dims[] = {64, 8}, strides[] = {256}, oddStrides[] = {250};
  const uint32_t box[] = {8, 8}, steps[] = {1, 1};
  enum { F32 = 7 /* CU_TENSOR_MAP_DATA_TYPE_FLOAT32 */ };
  check(!tileiras_emu_tensormap_tiled(map, F32, 2, x, dims, strides, box, steps, 0, 0, 0, 0), "a tensor map");
  error = tileiras_emu_tensormap_tiled(map, F32, 2, x, dims, oddStrides, box, steps, 0, 0, 0, 0);
  check(error && strstr(error, "stride"), "a tensor map that breaks a rule");
  tileiras_emu_free_string(error);
  error = tileiras_emu_tensormap_tiled(map, 99, 2, x, dims, strides, box, steps, 0, 0, 0, 0);
  check(error != NULL, "a tensor map of an unknown type");
  tileiras_emu_free_string(error);
  launch = tileiras_emu_launch_default();
  launch.block[0] = 64;
  tileiras_emu_timing timing = tileiras_emu_timing_default();
  tileiras_emu_prediction *slow = tileiras_emu_predict(module, memory, &launch, values, sizes, 2, &timing);
  check(!tileiras_emu_prediction_error(slow) && tileiras_emu_prediction_cycles(slow) > 100 &&
            tileiras_emu_prediction_seconds(slow) > 1e-7,
        "a prediction");
  check(strstr(tileiras_emu_prediction_text(slow), "limited by") &&
            strstr(tileiras_emu_prediction_json(slow), "cycles") &&
            strstr(tileiras_emu_prediction_html(slow), "roofline") &&
            strstr(tileiras_emu_prediction_trace(slow), "traceEvents"),
        "its texts");
  tileiras_emu_prediction_destroy(slow);
  timing.machine = "voodoo";
  slow = tileiras_emu_predict(module, memory, &launch, values, sizes, 2, &timing);
  check(tileiras_emu_prediction_error(slow) && strstr(tileiras_emu_prediction_error(slow), "voodoo"),
        "a machine that is not known");
  tileiras_emu_prediction_destroy(slow);
  check(tileiras_emu_free(memory, x) && !tileiras_emu_free(memory, x), "free");
  tileiras_emu_module_destroy(module);

  /* Variables and constants by name. */
  module = tileiras_emu_module_parse(variables, strlen(variables), "variables.ptx", &error);
  size_t bytes = 0;
  uint32_t factor = 7, total = 5;
  uint64_t constant = tileiras_emu_symbol(module, memory, "factor", &bytes);
  uint64_t variable = tileiras_emu_symbol(module, memory, "total", NULL);
  check(constant && variable && bytes == 4 && !tileiras_emu_symbol(module, memory, "nobody", NULL) &&
            constant == tileiras_emu_symbol(module, memory, "factor", NULL),
        "addresses of symbols");
  check(tileiras_emu_write(memory, constant, &factor, 4) && tileiras_emu_write(memory, variable, &total, 4),
        "constants can be written");
  launch = tileiras_emu_launch_default();
  launch.device = "sm_120";
  launch.multiprocessors = 1;
  launch.cooperative = 1;
  launch.grid[0] = 3;
  result = tileiras_emu_run(module, memory, &launch, NULL, NULL, 0);
  check(tileiras_emu_result_ok(result) && tileiras_emu_read(memory, variable, &total, 4) && total == 5 + 3 * 7,
        "a kernel sees them");
  tileiras_emu_result_destroy(result);
  launch.grid[0] = 25;
  result = tileiras_emu_run(module, memory, &launch, NULL, NULL, 0);
  check(!tileiras_emu_result_ok(result) && strstr(tileiras_emu_result_report(result, 0), "holds 24 at a time"),
        "a cooperative launch that is too large");
  tileiras_emu_result_destroy(result);

  /* Tensor maps of images. */
  uint64_t extents[4] = {64, 8, 8, 2}, pitches[3] = {128, 1024, 8192};
  int lower[2] = {-1, -1}, upper[2] = {-1, -1};
  uint32_t ones[4] = {1, 1, 1, 1};
  unsigned char im2col[128];
  uint64_t images = tileiras_emu_alloc(memory, 16384, "images");
  char *why =
      tileiras_emu_tensormap_im2col(im2col, 6, 4, images, extents, pitches, lower, upper, 64, 16, ones, 0, 3, 0, 0);
  check(!why, why ? why : "an im2col map");
  why = tileiras_emu_tensormap_im2col(im2col, 6, 2, images, extents, pitches, lower, upper, 64, 16, ones, 0, 3, 0, 0);
  check(why != NULL, "an im2col map of rank 2");
  tileiras_emu_free_string(why);

  /* Launches under way at the same time: one that waits for another, and one in order behind both. */
  tileiras_emu_module *pair = tileiras_emu_module_parse(waiting, strlen(waiting), "waiting.ptx", NULL);
  uint64_t mailbox = tileiras_emu_alloc(memory, 12, "mailbox");
  uint32_t zeros[3] = {0, 0, 0}, gift = 11, letters[3];
  check(pair && tileiras_emu_write(memory, mailbox, zeros, 12), "a mailbox");
  const void *gifts[] = {&mailbox, &gift};
  const size_t widths[] = {8, 4};
  tileiras_emu_launch wait = tileiras_emu_launch_default();
  wait.kernel = "take";
  wait.host_threads = 1;
  tileiras_emu_pending *taker = tileiras_emu_start(pair, memory, &wait, gifts, widths, 1, NULL, 0);
  wait.kernel = "give";
  tileiras_emu_pending *giver = tileiras_emu_start(pair, memory, &wait, gifts, widths, 2, NULL, 0);
  gift = 5; /* arguments have been copied */
  tileiras_emu_pending *both[] = {taker, giver};
  wait.kernel = "take";
  tileiras_emu_pending *last = tileiras_emu_start(pair, memory, &wait, gifts, widths, 1, both, 2);
  result = tileiras_emu_wait(taker);
  check(tileiras_emu_result_ok(result), "a launch that waits for another one");
  tileiras_emu_result_destroy(result);
  result = tileiras_emu_wait(giver);
  check(tileiras_emu_result_ok(result), "the one it waits for");
  tileiras_emu_result_destroy(result);
  result = tileiras_emu_wait(last);
  check(tileiras_emu_result_ok(result) && tileiras_emu_read(memory, mailbox, letters, 12) && letters[2] == 22,
        "a launch behind both");
  tileiras_emu_result_destroy(result);
  wait.kernel = "nobody";
  result = tileiras_emu_wait(tileiras_emu_start(pair, memory, &wait, NULL, NULL, 0, NULL, 0));
  check(!tileiras_emu_result_ok(result) && tileiras_emu_result_report_count(result) == 1, "a kernel that is not there");
  tileiras_emu_result_destroy(result);
  tileiras_emu_module_destroy(pair);
  tileiras_emu_memory_destroy(memory);
  tileiras_emu_module_destroy(module);
  printf(failures ? "[  FAILED  ] %d\n" : "[  PASSED  ] all\n", failures);
  return failures != 0;
}
