#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tensor maps that a kernel makes itself cost: cycles of the model from the start of a block to its first tensor copy, with an empty table of tensor
maps, with one that has them, and with one that has those of other arguments; products of few rounds; two launches that run at the same time.

usage: first_copy.py BUILD_DIR [--machines h200,b200,rtx5090] [--write FILE.md]

Products of f16 whose arrays and k are known at run time only. Launches of one memory find what earlier ones have left in the module's table, as
those of a module do on a GPU (tileiras/Emulator/CAPI/tileiras_emu.h). Two launches with different arguments are started without waiting, and have to give
what they give alone; the table then has one tensor map for each array.
"""

import argparse
import ctypes
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "test" / "EndToEnd")]
import matrix_kernels  # noqa: E402
from emulator import Emulator, EmulatorError  # noqa: E402

TARGETS = {"h200": "sm_90", "b200": "sm_100", "rtx5090": "sm_120"}
TABLE, ENTRY, STATE, BUILDING = b"tileir_tensormaps", 256, 128, 1
EXTENT = 2048
ARRAYS = 6  # of two launches, two that are read and one that is written
LOAD = re.compile(r"cp\.async\.bulk\.tensor\.\dd\.shared")  # stores name global memory first


class Session:
    """Launches of one kernel that share a memory, and with it the module's table."""

    def __init__(self, build, ptx):
        self.emulator, self.ptx = Emulator(build), ptx
        self.lib, pointer = self.emulator.lib, ctypes.c_void_p
        for name, result, arguments in (("prediction_trace", ctypes.c_char_p, [pointer]),
                                        ("start", pointer, self.lib.tileiras_emu_run.argtypes + [pointer, ctypes.c_size_t]),
                                        ("wait", pointer, [pointer]),
                                        ("symbol", ctypes.c_uint64, [pointer, pointer, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64)])):
            function = getattr(self.lib, "tileiras_emu_" + name)
            function.restype, function.argtypes = result, arguments
        self.module, self.memory = self.emulator.parse(ptx), self.lib.tileiras_emu_memory_create()

    def close(self):
        self.lib.tileiras_emu_memory_destroy(self.memory)
        self.emulator.release(self.module)

    def array(self, data):
        address = self.lib.tileiras_emu_alloc(self.memory, len(data), b"array")
        self.lib.tileiras_emu_write(self.memory, address, data, len(data))
        return address

    def read(self, address, size):
        data = ctypes.create_string_buffer(size)
        self.lib.tileiras_emu_read(self.memory, address, data, size)
        return data.raw

    def _launch(self, grid, arrays, extents):
        launch = self.lib.tileiras_emu_launch_default()
        launch.grid[0], launch.grid[1] = grid
        values = [ctypes.create_string_buffer(struct.pack("<Q", a), 8) for a in arrays] + [ctypes.create_string_buffer(struct.pack("<i", e), 4) for e in extents]
        n = len(values)
        return launch, values, ((ctypes.c_void_p * n)(*(ctypes.addressof(v) for v in values)), (ctypes.c_size_t * n)(*(len(v) for v in values)), n)

    def predict(self, machine, grid, arrays, extents):
        """Microseconds, and the cycle of the first tensor copy of a block; None without one."""
        launch, _values, arguments = self._launch(grid, arrays, extents)
        timing = self.lib.tileiras_emu_timing_default()
        timing.machine, timing.timeline, timing.ptx = machine.encode(), 1, self.ptx.encode()
        prediction = self.lib.tileiras_emu_predict(self.module, self.memory, ctypes.byref(launch), *arguments, ctypes.byref(timing))
        try:
            if (error := self.lib.tileiras_emu_prediction_error(prediction)) is not None:
                raise EmulatorError([error.decode()])
            microseconds = json.loads(self.lib.tileiras_emu_prediction_json(prediction))["microseconds"]
            events = json.loads(self.lib.tileiras_emu_prediction_trace(prediction))["traceEvents"]
        finally:
            self.lib.tileiras_emu_prediction_destroy(prediction)
        begins = [e["ts"] for e in events if e.get("cat") == "async" and LOAD.match(e["name"])]
        return microseconds, min(begins, default=None)

    def start(self, grid, arrays, extents):
        launch, values, arguments = self._launch(grid, arrays, extents)
        return self.lib.tileiras_emu_start(self.module, self.memory, ctypes.byref(launch), *arguments, None, 0)

    def finish(self, pending):
        result = self.lib.tileiras_emu_wait(pending)
        ok, report = self.lib.tileiras_emu_result_ok(result), self.lib.tileiras_emu_result_report(result, 0)
        self.lib.tileiras_emu_result_destroy(result)
        if not ok:
            raise EmulatorError([report.decode() if report else "a launch failed"])

    def ready(self):
        """How many tensor maps the table has."""
        size = ctypes.c_uint64()
        table = self.lib.tileiras_emu_symbol(self.module, self.memory, TABLE, ctypes.byref(size))
        data = self.read(table, size.value)
        return sum(struct.unpack_from("<Q", data, at + STATE)[0] > BUILDING for at in range(0, size.value, ENTRY))


def compile_gemm(build, folder, target, tile, options="", prefer=None):
    case = matrix_kernels.gemm("f16", "f32", EXTENT, EXTENT, 1024, *tile, aligned=True)
    source, ptx = folder / "gemm.mlir", folder / "gemm.ptx"
    source.write_text(case.text)
    environment = dict(os.environ)
    environment.pop("TILEIR_PREFER_TMA_FOR_LOAD_STORE", None)
    if prefer:
        environment["TILEIR_PREFER_TMA_FOR_LOAD_STORE"] = prefer
    subprocess.run([str(pathlib.Path(build).resolve() / "bin" / "tileiras"), str(source), f"--gpu-name={target}", "--emit=ptx", "-o", str(ptx),
                    f"--pipeline-options={options}"], check=True, env=environment)
    return ptx.read_text()


def arrays_for(session, k, extent=EXTENT):
    return [session.array(bytes(2 * extent * k)), session.array(bytes(2 * extent * k)), session.array(bytes(4 * extent * extent))]


def first_copies(build, folder, machines):
    yield "| GPU, tile | who copies | empty table | own maps | others' maps |\n|---|---|---|---|---|"
    k = 1024
    for machine in machines:
        for tile in ((128, 128, 64), (128, 256, 64)):
            for who, options in (("one agent", "pipeline-strategy=unspecialize"), ("an agent", "pipeline-strategy=warp-specialize")):
                session = Session(build, compile_gemm(build, folder, TARGETS[machine], tile, options, prefer="true"))
                grid, extents = (EXTENT // tile[0], EXTENT // tile[1]), (EXTENT, EXTENT, k)
                ours = arrays_for(session, k)
                _, cold = session.predict(machine, grid, ours, extents)
                _, warm = session.predict(machine, grid, ours, extents)
                _, others = session.predict(machine, grid, arrays_for(session, k), extents)
                session.close()
                name = f"{machine}, {'x'.join(map(str, tile))}"
                yield f"| {name} | {who} | {cold:,.0f} | {warm:,.0f} | {others:,.0f} |"


def short_products(build, folder, machines):
    ways = (("by default", "", None), ("no ring", "pipeline-strategy=none", None), ("one agent", "pipeline-strategy=unspecialize", "false"),
            ("one agent, TMA", "pipeline-strategy=unspecialize", "true"), ("agents, TMA", "pipeline-strategy=warp-specialize", "true"))
    yield "| GPU, k | " + " | ".join(name for name, *_ in ways) + " |\n|---" + "|---" * len(ways) + "|"
    tile = (128, 128, 64)
    for machine in machines:
        kernels = [compile_gemm(build, folder, TARGETS[machine], tile, options, prefer) for _, options, prefer in ways]
        for k in (128, 512, 4096):
            times = []
            for ptx in kernels:
                session = Session(build, ptx)
                times.append(session.predict(machine, (EXTENT // tile[0], EXTENT // tile[1]), arrays_for(session, k), (EXTENT, EXTENT, k))[0])
                session.close()
            yield f"| {machine}, {k} | " + " | ".join(f"{t:.1f}" for t in times) + " |"


def two_launches(build, folder, target):
    """Both at the same time, each with arrays of its own."""
    tile, extent = (128, 128, 64), 256
    ptx = compile_gemm(build, folder, target, tile, prefer="true")

    def run(both):
        session, results = Session(build, ptx), []
        launches = []
        for number, k in enumerate((128, 192)):
            a = b"".join(struct.pack("<e", (i * 7 + number) % 5 - 2) for i in range(extent * k))
            b = b"".join(struct.pack("<e", (i * 3 + number) % 7 - 3) for i in range(extent * k))
            arrays = [session.array(a), session.array(b), session.array(bytes(4 * extent * extent))]
            launches.append((arrays, (extent, extent, k)))
        pending = []
        for arrays, extents in launches:
            pending.append(session.start((extent // tile[0], extent // tile[1]), arrays, extents))
            if not both:
                session.finish(pending.pop())
        for p in pending:
            session.finish(p)
        results = [session.read(arrays[2], 4 * extent * extent) for arrays, _ in launches]
        ready = session.ready()
        session.close()
        return results, ready

    (alone, maps), (together, maps_together) = run(False), run(True)
    if alone != together or maps != ARRAYS or maps_together != ARRAYS:
        raise SystemExit(f"{target}: two launches at the same time: results {'differ' if alone != together else 'agree'}, "
                         f"{maps_together} tensor maps ({ARRAYS} are wanted), one after the other {maps}")
    return f"{target}: two launches at the same time give what they give one after the other; the table has {ARRAYS} tensor maps, one for each array."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--machines", default="h200,b200,rtx5090")
    parser.add_argument("--write")
    args = parser.parse_args()
    machines, lines = args.machines.split(","), []

    def say(line):
        lines.append(line)
        print(line, flush=True)

    with tempfile.TemporaryDirectory(prefix="tileiras-first-copy-") as folder:
        folder = pathlib.Path(folder)
        say("Cycles from the start of a block to its first tensor copy:\n")
        for line in first_copies(args.build, folder, machines):
            say(line)
        say(f"\nPredicted microseconds of {EXTENT}x{EXTENT}xk, tiles of 128x128x64, first launch:\n")
        for line in short_products(args.build, folder, machines):
            say(line)
        say("")
        for machine in machines:
            say(two_launches(args.build, folder, TARGETS[machine]))
    if args.write:
        pathlib.Path(args.write).write_text("# The first tensor copy\n\nGenerated by `bench/first_copy.py`.\n\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
