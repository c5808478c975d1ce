#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor maps that the host makes: kernels compiled with tma-descriptors=host, and the host code that --emit=host writes for them.

usage: host_maps.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_90,sm_120] [--jobs N] [-v]

The host code is compiled into a shared library together with a driver that writes down what it is asked to encode, and is called with
the kernel's parameters. The calls have to be what the arrays are; what was recorded becomes the tensor maps with which the kernel
runs on the emulator, with the race checker on, compared with the reference. Products, where a base is not aligned (the driver
refuses, the kernel goes another way), and convolutions, whose images are loaded in im2col mode, or in boxes of pixels, beside the
filters in tile mode. A program that links the host code and launches the kernel by the driver's API runs on tileiras-emu.
"""

import ctypes
import json
import math
import os
import pathlib
import re
import shutil
import sys
import tempfile

import matrix_kernels
import tma_reductions
from convolutions import Convolution
from harness import conclude, find_ptxas, run_all, suite_arguments
from run import compiled_as, run
import targets

RECORDER = r"""
#include <stdint.h>
#include <string.h>
struct call { int im2col, type; uint32_t rank; uint64_t address, dims[5], strides[4]; uint32_t box[5], steps[5]; int lower[3], upper[3];
              uint32_t channels, pixels; int interleave, swizzle, l2, fill; void *map; } calls[32];
int count;
static struct call *next(int im2col, void *map, int type, uint32_t rank, void *address, const uint64_t *dims, const uint64_t *strides,
                         const uint32_t *steps, int interleave, int swizzle, int l2, int fill) {
  struct call *c = &calls[count++];
  memset(map, count, 128);
  c->im2col = im2col, c->map = map, c->type = type, c->rank = rank, c->address = (uint64_t)address;
  for (uint32_t k = 0; k < rank; ++k) c->dims[k] = dims[k], c->steps[k] = steps[k];
  for (uint32_t k = 0; k + 1 < rank; ++k) c->strides[k] = strides[k];
  c->interleave = interleave, c->swizzle = swizzle, c->l2 = l2, c->fill = fill;
  return c;
}
/* What the driver asks of addresses and strides. */
static int code(struct call *c) {
  int bad = c->address % 16 != 0;
  for (uint32_t k = 0; k + 1 < c->rank; ++k) bad |= c->strides[k] % 16 != 0 || c->strides[k] >> 40;
  return bad;
}
int cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, void *address, const uint64_t *dims, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *steps, int interleave, int swizzle, int l2, int fill) {
  struct call *c = next(0, map, type, rank, address, dims, strides, steps, interleave, swizzle, l2, fill);
  for (uint32_t k = 0; k < rank; ++k) c->box[k] = box[k];
  return code(c);
}
int cuTensorMapEncodeIm2col(void *map, int type, uint32_t rank, void *address, const uint64_t *dims, const uint64_t *strides,
                            const int *lower, const int *upper, uint32_t channels, uint32_t pixels, const uint32_t *steps,
                            int interleave, int swizzle, int l2, int fill) {
  struct call *c = next(1, map, type, rank, address, dims, strides, steps, interleave, swizzle, l2, fill);
  for (uint32_t k = 0; k + 2 < rank; ++k) c->lower[k] = lower[k], c->upper[k] = upper[k];
  c->channels = channels, c->pixels = pixels;
  return code(c);
}
"""
TYPES = ["u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16"]
SWIZZLES, L2 = ["none", "32B", "64B", "128B", "128B_ATOM_32B"], ["none", "64B", "128B", "256B"]
SIZE = {"i8": 1, "f16": 2, "bf16": 2, "f32": 4, "tf32": 4, "i32": 4, "i64": 8}


class Call(ctypes.Structure):
    _fields_ = [("im2col", ctypes.c_int), ("type", ctypes.c_int), ("rank", ctypes.c_uint32), ("address", ctypes.c_uint64),
                ("dims", ctypes.c_uint64 * 5), ("strides", ctypes.c_uint64 * 4), ("box", ctypes.c_uint32 * 5),
                ("steps", ctypes.c_uint32 * 5), ("lower", ctypes.c_int * 3), ("upper", ctypes.c_int * 3),
                ("channels", ctypes.c_uint32), ("pixels", ctypes.c_uint32), ("interleave", ctypes.c_int),
                ("swizzle", ctypes.c_int), ("l2", ctypes.c_int), ("fill", ctypes.c_int), ("map", ctypes.c_void_p)]


def find_clang():
    return shutil.which("clang-22") or shutil.which("clang", path="/usr/lib/llvm-22/bin") or shutil.which("clang")


class Kernel:
    """`args` as tileiras-run takes them: arrays and scalars, one for each parameter. `expected`: a file for each array that the kernel
    writes, or None to ask the reference."""

    def __init__(self, name, entry, text, grid, args, tolerance="exact", expected=None, refused=(), flags=()):
        self.name, self.entry, self.text, self.grid, self.args = name, entry, text, grid, args
        self.tolerance, self.expected, self.refused, self.flags = tolerance, expected, refused, list(flags)


def array_of(argument):
    """Name, element type, shape and offset of an array; None for a scalar."""
    match = re.match(r"(?:out:)?(\w+):(\w+)\[([\dx]+)\](\{[^}]*\})?=", argument)
    if not match:
        return None
    offset = re.search(r"offset=(\d+)", match[4] or "")
    return match[1], match[2], [int(v) for v in match[3].split("x")], int(offset[1]) if offset else 0


def host_library(case, base, tool, target):
    """The host code and the recorder as a shared library."""
    ir, library, recorder = base.with_suffix(".host.ll"), base.with_suffix(".host.so"), base.with_suffix(".recorder.c")
    code, output = run([str(tool.with_name("tileiras")), str(base.with_suffix(".mlir")), f"--gpu-name={target}", "--emit=host", "-o", str(ir), *case.flags])
    if code:
        return None, f"--emit=host: {output}"
    recorder.write_text(RECORDER)
    code, output = run([find_clang(), "-shared", "-fPIC", "-O1", "-Wno-override-module", str(ir), str(recorder), "-o", str(library)])
    if code:
        return None, f"clang: {output}"
    return ctypes.CDLL(str(library)), None


def record(case, library):
    """Calls the host code with parameters at made-up addresses. (calls by number of the map, mask, note), or what is wrong."""
    note = json.loads(ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(library, f"{case.entry}_parameters"))))
    values, bases = [], {}
    for number, argument in enumerate(case.args):
        array = array_of(argument)
        if array:
            address = (number + 1) << 36 | array[3]
            bases[address] = array
            values.append(ctypes.c_uint64(address))
        else:
            kind, value = argument.split("=")
            values.append({"i32": ctypes.c_int32, "i64": ctypes.c_int64}[kind](int(value)))
    if note["declared"] != len(values) or len(note["parameters"]) != note["declared"] + note["hidden"]:
        return None, f"the note is not of {len(values)} parameters: {note}"
    params = (ctypes.c_void_p * (len(values) + note["hidden"]))(*[ctypes.addressof(v) for v in values])
    memory = (ctypes.c_char * (note["hidden_bytes"] + 128))()
    hidden = (ctypes.addressof(memory) + 63) & ~63
    fill = getattr(library, f"{case.entry}_tensor_maps")
    fill.restype, fill.argtypes = ctypes.c_uint64, [ctypes.c_void_p, ctypes.c_void_p]
    mask = fill(ctypes.addressof(params), hidden)
    for i in range(note["hidden"]):
        if params[len(values) + i] != hidden + 128 * i:
            return None, f"hidden parameter {i} is not where it belongs"
    maps = note["hidden"] - 1 if note["hidden"] else 0
    if note["hidden"] and ctypes.c_uint64.from_address(hidden + 128 * maps).value != mask:
        return None, "the last parameter is not the mask"
    count = ctypes.c_int.in_dll(library, "count").value
    calls = (Call * 32).in_dll(library, "calls")
    if count != maps:
        return None, f"{count} tensor maps were encoded, {maps} are parameters"
    result = []
    for i in range(maps):
        call = next((c for c in calls[:count] if c.map == hidden + 128 * i), None)
        if not call or call.address not in bases:
            return None, f"map {i} is of no array"
        result.append((call, bases[call.address]))
    return (result, mask, note), None


def map_argument(number, call, array, note):
    """The map= argument of tileiras-run; or what the call has of the array otherwise."""
    name, element, shape, _ = array
    rank = call.rank
    dims = list(reversed(call.dims[:rank]))
    if math.prod(dims) != math.prod(shape) or (len(shape) == rank and dims != shape):
        return None, f"the map of {name} has extents {dims}, the array {shape}"
    dense, strides = [1], list(call.strides[:rank - 1])
    for extent in call.dims[:rank - 1]:
        dense.append(dense[-1] * extent)
    if strides != [d * SIZE[element] for d in dense[1:]]:
        return None, f"the map of {name} has strides {strides}"
    if call.interleave or call.fill or SIZE[element] * 8 != int(re.search(r"\d+", TYPES[call.type])[0]):
        return None, f"the map of {name} has another type, interleaved or filled otherwise"
    said = note["parameters"][note["declared"] + number]
    options = [f"swizzle={SWIZZLES[call.swizzle]}", f"l2={L2[call.l2]}", f"type={TYPES[call.type]}",
               "steps=" + "x".join(map(str, reversed(call.steps[:rank])))]
    if call.im2col:
        corners = ["x".join(map(str, reversed(corner[:rank - 2]))) for corner in (call.lower, call.upper)]
        options += ["mode=im2col", f"channels={call.channels}", f"pixels={call.pixels}", f"lower={corners[0]}", f"upper={corners[1]}"]
        box = [1] * (rank - 2) + [call.pixels, call.channels]
    else:
        box = list(reversed(call.box[:rank]))
        options.append("box=" + "x".join(map(str, box)))
    if said["mode"] != ("im2col" if call.im2col else "tile") or said["box"] != box or SWIZZLES.index(SWIZZLES[call.swizzle]) != {
            (0, 16): 0, (32, 16): 1, (64, 16): 2, (128, 16): 3, (128, 32): 4}[said["swizzle"], said.get("swizzle_atom", 16)] or L2[call.l2] != ("none" if not said["l2_promotion"] else f"{said['l2_promotion']}B"):
        return None, f"the note says otherwise of map {number}: {said}"
    return f"m{number}:map={name}{{{','.join(options)}}}", None


def expectations(case, base, tool):
    """The arguments, with files to compare with."""
    if case.expected:
        files = case.expected
    else:
        outs = [array_of(a)[0] for a in case.args if a.startswith("out:")]
        files = {name: f"{base}.{name}.npy" for name in outs}
        code, output = run([str(tool), str(base.with_suffix(".mlir")), f"--entry={case.entry}", "--engine=reference",
                            "--grid=" + ",".join(map(str, case.grid)), *case.args, *[f"--dump={n}={f}" for n, f in files.items()]])
        if code:
            return None, f"reference: {output}"
    arguments = []
    for argument in case.args:
        array = array_of(argument)
        if array and argument.startswith("out:"):
            tolerance = case.tolerance.replace(",", "/")
            options = f"expect={files[array[0]]},tol={tolerance}"
            argument = re.sub(r"\]\{", f"]{{{options},", argument, count=1) if "]{" in argument else argument.replace("]=", f"]{{{options}}}=", 1)
        arguments.append(argument)
    return arguments, None


def prepare(case, target, tool, folder, tag=""):
    """PTX and arguments for a launch, or what is wrong."""
    base = pathlib.Path(folder) / f"{case.name}-{target}{tag}"
    base.with_suffix(".mlir").write_text(case.text)
    ptx = base.with_suffix(".ptx")
    code, output = run([str(tool.with_name("tileiras")), str(base.with_suffix(".mlir")), f"--gpu-name={target}", "--emit=ptx",
                        "--pipeline-options=tma-descriptors=host", "-o", str(ptx), *case.flags])
    if code:
        return None, f"does not compile: {output}"
    library, error = host_library(case, base, tool, target)
    if error:
        return None, error
    recorded, error = record(case, library)
    if error:
        return None, error
    calls, mask, note = recorded
    text = ptx.read_text()
    parameters = len(re.findall(r"\.param [^;]*?" + case.entry + r"_param_\d+(?:\[128\])?,?$", text, re.MULTILINE))
    maps = len(re.findall(r"\.param \.align 64 \.b8 " + case.entry + r"_param_\d+\[128\]", text))
    if maps != len(calls) or parameters != len(note["parameters"]):
        return None, f"the kernel has {parameters} parameters, {maps} maps; the note says {len(note['parameters'])}"
    arguments, error = expectations(case, base, tool)
    if error:
        return None, error
    launch = list(arguments)
    for number, (call, array) in enumerate(calls):
        made = bool(mask >> number & 1)
        if made == (array[0] in case.refused):
            return None, f"map {number} of {array[0]} is {'there' if made else 'not there'}"
        if made:
            argument, error = map_argument(number, call, array, note)
            if error:
                return None, error
            launch.append(argument)
        else:  # no map: any other of the same size stands in its place, which the kernel must not use
            launch.append(f"m{number}:map=" + launch[-1].split("map=", 1)[1] if "map=" in launch[-1] else None)
    if None in launch:
        spare = next(a for a in (f"m:map={array_of(x)[0]}" for x in case.args if array_of(x) and array_of(x)[0] not in case.refused))
        name = spare.split("=")[1]
        shape = next(array_of(x)[2] for x in case.args if array_of(x) and array_of(x)[0] == name)
        launch = [a if a else f"{spare}{{box={'x'.join('8' for _ in shape)}}}" for a in launch]
    if calls:
        launch.append(f"i64={mask}")
    return (base, ptx, text, launch, mask), None


def launch(tool, ptx, case, arguments, *more):
    command = [str(tool), str(ptx), f"--entry={case.entry}", "--engine=emulator", "--check-races", "--threads=1",
               "--grid=" + ",".join(map(str, case.grid)), *more, *arguments]
    code, output = run(command)
    return code, f"{' '.join(command)}\nexit status {code}\n{output}"


def check(case, target, tool, ptxas, folder, wanted):
    prepared, error = prepare(case, target, tool, folder)
    if error:
        return error
    base, ptx, text, arguments, mask = prepared
    if wanted is not None and sum("map=" in a for a in arguments) != wanted:
        return f"{sum('map=' in a for a in arguments)} maps, expected {wanted}"
    if case.name.endswith("-im2col") and not re.search(r"cp\.async\.bulk\.tensor\.4d\.shared::cta\.global\.im2col\.", text):
        return "no copies in im2col mode"
    if case.name.endswith("-across") and sum("swizzle=128B_ATOM_32B" in a for a in arguments) != 2:
        return "the factors have other maps than with atoms of 32 bytes"
    if case.name.endswith("-cluster") and ".multicast::cluster" not in text and ".cta_group::2" not in text:
        return "the blocks of a cluster do not load together"
    if "tensormap.replace" in text or "tileir_tensormaps" in text:
        return "the kernel makes tensor maps itself"
    code, output = launch(tool, ptx, case, arguments, "--schedules=3", "--async=random")
    if code:
        return output
    # The kernel believes the mask: without maps it goes another way, if it has one.
    if mask and not case.expected:
        code, output = launch(tool, ptx, case, arguments[:-1] + ["i64=0"], "--schedules=2")
        if code:
            return f"without maps: {output}"
    if targets.can_assemble(ptxas, target):
        code, output = run([ptxas, f"-arch={compiled_as(target)}", str(ptx), "-o", str(base.with_suffix(".cubin"))])
        if code or "warning" in output.lower() or "C75" in output:
            return f"ptxas: {output}"
    return None


FAULTS = [
    (r"mbarrier\.arrive\.expect_tx\.shared\.b64 _, (\[[^]]*\]), %r\d+;", r"mbarrier.arrive.shared.b64 _, \1;", "nobody waits for the bytes"),
    ("FULL", "setp.eq.b32 done, 0, 0;", "stages are read before the copies have arrived"),
    (r"fence\.mbarrier_init[^;]*;", "", "tensor copies may not find the barriers initialised"),
]


def faulty(case, target, tool, folder):
    prepared, error = prepare(case, target, tool, folder, "-fault")
    if error:
        yield f"{case.name} is prepared", lambda: error
        return
    base, ptx, text, arguments, mask = prepared

    def broken(number, changed, why):
        path = base.with_name(f"{base.name}-{number}.ptx")
        path.write_text(changed)

        def caught():
            if changed == text:
                return "found no place to break"
            for timing in ("late", "early", "random"):
                code, output = launch(tool, path, case, arguments, "--schedules=4", f"--async={timing}")
                if code == 6:
                    return None
            return f"not reported: {why}\n{output}"
        return caught

    for number, (pattern, replacement, why) in enumerate(FAULTS):
        if pattern == "FULL":
            waits = set(map(int, re.findall(r"mbarrier\.try_wait\S* done, \[%r\d+\+(\d+)\]", text)))
            pattern = rf"mbarrier\.try_wait\S* done, \[%r\d+\+{min(waits)}\], %r\d+;" if waits else "no such wait"
        yield f"fault: {case.name} {number}", broken(number, re.sub(pattern, replacement, text), why)

    def wrong_map():
        for i, argument in enumerate(arguments):
            if "map=" in argument and "swizzle=128B" in argument:
                changed = arguments[:i] + [argument.replace("swizzle=128B", "swizzle=none")] + arguments[i + 1:]
                code, output = launch(tool, ptx, case, changed, "--schedules=2")
                return None if code in (6, 7) else f"a map with another swizzle makes no difference\n{output}"
        return "no map with a swizzle"
    yield f"fault: {case.name} swizzle", wrong_map


#
# Kernels
#

def products():
    for case, maps in ((matrix_kernels.gemm("f16", "f32", 208, 144, 528, 64, 64, 64, aligned=True), 3),
                       (matrix_kernels.gemm("bf16", "f32", 192, 128, 256, 128, 128, 64, aligned=True), 3),
                       (matrix_kernels.gemm("i8", "i32", 128, 64, 256, 64, 64, 64, aligned=True, signs=("signed", "signed"), transposed=True), 3),
                       (matrix_kernels.attention("f16", 64, 512, 128, 64, 128, aligned=True), None)):
        yield Kernel(case.name, case.entry, case.text, case.grid, case.args, case.tolerance), maps


def unaligned():
    """The base of A is where cp.async still copies, and the driver makes no map."""
    case = matrix_kernels.gemm("f16", "f32", 128, 128, 320, 64, 64, 64, aligned=True)
    text = case.text.replace("assume div_by<16>, %pa", "assume div_by<4>, %pa")
    args = [re.sub(r"^(a:f16\[[^]]*\])=", r"\1{offset=4}=", a) for a in case.args]
    return Kernel(case.name + "-unaligned", case.entry, text, case.grid, args, case.tolerance, refused=("a",))


def convolution(conv, mode, target, folder):
    text, grid, args, result = conv.launch(mode, target, pathlib.Path(folder))
    return Kernel(f"{conv.name}-{mode}", "conv", text, grid, args, "exact", expected={"y": str(result)})


def convolutions():
    yield Convolution("conv3x3", 2, 9, 11, 64, 3, 3), ("im2col", "tile")
    yield Convolution("conv3x3-padded", 2, 7, 9, 64, 3, 3, pad=1), ("im2col",)
    yield Convolution("conv5x3-strided", 3, 11, 13, 64, 5, 3, pad=1, stride=2), ("im2col",)
    yield Convolution("conv2x2-deep", 1, 10, 17, 128, 2, 2), ("im2col", "tile")


LAUNCHER = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK(call) do { int code = (call); if (code) { printf("%s: %d\n", #call, code); return 1; } } while (0)
int cuInit(unsigned); int cuDeviceGet(int *, int); int cuDevicePrimaryCtxRetain(void **, int); int cuCtxSetCurrent(void *);
int cuModuleLoad(void **, const char *); int cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(uint64_t *, size_t); int cuMemcpyHtoD_v2(uint64_t, const void *, size_t); int cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int cuCtxSynchronize(void);
uint64_t gemm_tensor_maps(void **params, void *hidden), conv_tensor_maps(void **params, void *hidden);
static uint16_t half(int v) { return v == 0 ? 0 : v == 1 ? 0x3C00 : v == 2 ? 0x4000 : v == -1 ? 0xBC00 : 0xC000; }
"""

GEMM = LAUNCHER + r"""
enum { M = 96, N = 80, K = 144 };
int main(int argc, char **argv) {
  static int a[M][K], b[K][N]; static uint16_t ha[M][K], hb[K][N]; static float c[M][N];
  for (int i = 0; i < M; ++i) for (int j = 0; j < K; ++j) a[i][j] = (i * 3 + j) % 5 - 2, ha[i][j] = half(a[i][j]);
  for (int i = 0; i < K; ++i) for (int j = 0; j < N; ++j) b[i][j] = (i + j * 7) % 5 - 2, hb[i][j] = half(b[i][j]);
  int device, m = M, n = N, k = K; void *context, *module, *kernel; uint64_t da, db, dc;
  CHECK(cuInit(0)); CHECK(cuDeviceGet(&device, 0)); CHECK(cuDevicePrimaryCtxRetain(&context, device)); CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, argv[1])); CHECK(cuModuleGetFunction(&kernel, module, "gemm"));
  CHECK(cuMemAlloc_v2(&da, sizeof ha)); CHECK(cuMemAlloc_v2(&db, sizeof hb)); CHECK(cuMemAlloc_v2(&dc, sizeof c));
  CHECK(cuMemcpyHtoD_v2(da, ha, sizeof ha)); CHECK(cuMemcpyHtoD_v2(db, hb, sizeof hb));
  void *params[16] = {&da, &db, &dc, &m, &n, &k};
  _Alignas(64) char hidden[16 * 128 + 8];
  uint64_t made = gemm_tensor_maps(params, hidden);
  if (made != 7) { printf("maps %llx\n", (unsigned long long)made); return 1; }
  CHECK(cuLaunchKernel(kernel, (M + 63) / 64, (N + 63) / 64, 1, 1, 1, 1, 0, 0, params, 0)); CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH_v2(c, dc, sizeof c));
  for (int i = 0; i < M; ++i) for (int j = 0; j < N; ++j) {
    int sum = 0;
    for (int l = 0; l < K; ++l) sum += a[i][l] * b[l][j];
    if (c[i][j] != sum) { printf("%d %d: %g, not %d\n", i, j, c[i][j], sum); return 1; }
  }
  return 0;
}
"""


CONVOLUTION = LAUNCHER + r"""
int main(int argc, char **argv) {
  static uint16_t x[COUNT * HEIGHT * WIDTH * 64], f[ROWS * COLUMNS * 64 * 64]; static float y[COUNT * OH * OW][64];
  int n = COUNT, xs = sizeof x / 2, fs = sizeof f / 2;
  for (int i = 0; i < xs; ++i) x[i] = half((i * 7 + i / 13) % 5 - 2);
  for (int i = 0; i < fs; ++i) f[i] = half((i * 5 + i / 11) % 3 - 1);
  int device; void *context, *module, *kernel; uint64_t dx, df, dy;
  CHECK(cuInit(0)); CHECK(cuDeviceGet(&device, 0)); CHECK(cuDevicePrimaryCtxRetain(&context, device)); CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, argv[1])); CHECK(cuModuleGetFunction(&kernel, module, "conv"));
  CHECK(cuMemAlloc_v2(&dx, sizeof x)); CHECK(cuMemAlloc_v2(&df, sizeof f)); CHECK(cuMemAlloc_v2(&dy, sizeof y));
  CHECK(cuMemcpyHtoD_v2(dx, x, sizeof x)); CHECK(cuMemcpyHtoD_v2(df, f, sizeof f));
  void *params[16] = {&dx, &df, &dy, &n};
  _Alignas(64) char hidden[16 * 128 + 8];
  if (conv_tensor_maps(params, hidden) != 3) { printf("not all maps\n"); return 1; }
  CHECK(cuLaunchKernel(kernel, (COUNT * OH * OW + 63) / 64, 1, 1, 1, 1, 1, 0, 0, params, 0)); CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH_v2(y, dy, sizeof y));
  for (int p = 0; p < COUNT * OH * OW; ++p) for (int k = 0; k < 64; ++k) {
    int sum = 0, image = p / (OH * OW), i = p / OW % OH, j = p % OW;
    for (int r = 0; r < ROWS; ++r) for (int s = 0; s < COLUMNS; ++s) {
      int v = i * STRIDE + r - PAD, w = j * STRIDE + s - PAD;
      if (v < 0 || w < 0 || v >= HEIGHT || w >= WIDTH) continue;
      for (int c = 0; c < 64; ++c) {
        int a = ((image * HEIGHT + v) * WIDTH + w) * 64 + c, b = ((r * COLUMNS + s) * 64 + c) * 64 + k;
        sum += ((a * 7 + a / 13) % 5 - 2) * ((b * 5 + b / 11) % 3 - 1);
      }
    }
    if (y[p][k] != sum) { printf("%d %d: %g, not %d\n", p, k, y[p][k], sum); return 1; }
  }
  return 0;
}
"""


def program(name, text, launcher, defines, tool, folder):
    """C that links the host code and the driver, which is the emulator's."""
    base = pathlib.Path(folder) / name
    base.with_suffix(".mlir").write_text(text)
    base.with_suffix(".c").write_text(launcher)
    compiler = str(tool.with_name("tileiras"))
    device = tool.parent.parent / "lib/device"
    for command in ([compiler, f"{base}.mlir", "--gpu-name=sm_90", "--emit=ptx", "--pipeline-options=tma-descriptors=host", "-o", f"{base}.ptx"],
                    [compiler, f"{base}.mlir", "--gpu-name=sm_90", "--emit=host", "-o", f"{base}.ll"],
                    [find_clang(), "-O1", "-Wno-override-module", *defines, f"{base}.ll", f"{base}.c", str(device / "libcuda.so.1"), "-o", str(base)],
                    [str(tool.with_name("tileiras-emu")), "--check=race", str(base), f"{base}.ptx"]):
        code, output = run(command)
        if code:
            return f"{' '.join(command)}\nexit status {code}\n{output}"
    return None


def refused(tool, folder):
    """PTX cannot describe bounding boxes, so the kernel does not make such a map."""
    base = pathlib.Path(folder) / "refused.mlir"
    base.write_text(Convolution("refused", 1, 8, 8, 64, 3, 3).text("im2col", "sm_90"))
    code, output = run([str(tool.with_name("tileiras")), str(base), "--gpu-name=sm_90", "--emit=ptx"])
    return None if code == 5 and "in im2col mode is made by the host (tma-descriptors=host)" in output else output


def main():
    chips = ["sm_90", "sm_100", "sm_120"]
    args = suite_arguments(chips).parse_args()

    os.environ["TILEIR_PREFER_TMA_FOR_LOAD_STORE"] = "true"
    tool, ptxas = pathlib.Path(args.build).resolve() / "bin/tileiras-run", find_ptxas()
    chosen = [t for t in args.targets.split(",") if t in chips] or chips
    with tempfile.TemporaryDirectory(prefix="tileiras-host-") as folder:
        work = []
        for i, (case, maps) in enumerate(products()):
            for target in chosen if i == 0 else [chosen[i % len(chosen)]]:
                work.append((f"{case.name} {target}", lambda case=case, target=target, maps=maps: check(case, target, tool, ptxas, folder, maps)))
        # The blocks of a cluster load for each other, by narrower boxes.
        case = matrix_kernels.gemm("f16", "f32", 512, 256, 256, 128, 128, 64, aligned=True)
        case = Kernel(case.name + "-cluster", case.entry, case.text, case.grid, case.args, case.tolerance, flags=["--num-ctas=2"])
        for target in ("sm_90", "sm_100"):
            work.append((f"{case.name} {target}", lambda case=case, target=target: check(case, target, tool, ptxas, folder, 3)))
        # tf32 that lies across, as tcgen05.mma reads it.
        case = matrix_kernels.gemm("tf32", "f32", 192, 128, 256, 128, 128, 32, aligned=True, left=True)
        case = Kernel(case.name + "-across", case.entry, case.text, case.grid, case.args, case.tolerance)
        for target in ("sm_100", "sm_110"):
            work.append((f"{case.name} {target}", lambda case=case, target=target: check(case, target, tool, ptxas, folder, None)))
        # Tensor stores that keep the larger of two numbers, with sign: the type of the map says so.
        for mode, target in (("max", "sm_90"), ("umin", "sm_120")):
            case = tma_reductions.fold(mode, "i32", 70, 128, 32, 64, 32, gap=0)
            case = Kernel(case.name, case.entry, case.text, case.grid, case.args)
            work.append((f"{case.name} {target}", lambda case=case, target=target: check(case, target, tool, ptxas, folder, 1)))
        case = unaligned()
        work.append((case.name, lambda case=case: check(case, "sm_90", tool, ptxas, folder, 3)))
        for i, (conv, modes) in enumerate(convolutions()):
            for mode in modes:
                for target in chosen if i == 0 else [chosen[i % len(chosen)]]:
                    kernel = convolution(conv, mode, target, folder)
                    work.append((f"{kernel.name} {target}", lambda kernel=kernel, target=target: check(kernel, target, tool, ptxas, folder, 2)))
        if "fault".startswith(args.filter) or "fault" in args.filter or not args.filter:
            work += faulty(convolution(Convolution("conv-fault", 1, 8, 8, 64, 3, 3, pad=1), "im2col", "sm_90", folder), "sm_90", tool, folder)
            work += faulty(next(products())[0], "sm_90", tool, folder)
        work.append(("im2col without the host", lambda: refused(tool, folder)))
        product = matrix_kernels.gemm("f16", "f32", 96, 80, 144, 64, 64, 64, aligned=True)
        work.append(("a product in a program", lambda: program("product", product.text, GEMM, [], tool, folder)))
        # Another padding and filter along each dimension.
        conv = Convolution("program", 2, 9, 12, 64, 4, 2, pad=1)
        sizes = [f"-D{k}={v}" for k, v in (("COUNT", conv.n), ("HEIGHT", conv.h), ("WIDTH", conv.w), ("ROWS", conv.r), ("COLUMNS", conv.s),
                                           ("PAD", conv.pad), ("STRIDE", conv.stride), ("OH", conv.oh), ("OW", conv.ow))]
        work.append(("a convolution in a program", lambda: program("conv", conv.text("im2col", "sm_90"), CONVOLUTION, sizes, tool, folder)))
        passed, failures, times = run_all([w for w in work if args.filter in w[0]], args.jobs, args.v)
    return conclude("host maps:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
