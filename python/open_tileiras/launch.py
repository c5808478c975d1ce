# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running kernels on NumPy arrays without a GPU, and predicting how long they would take on one."""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import json
import re
import struct
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _library
from .compiler import CompileError, Program, Source, compile as compile_module

#: Element types by the name of the NumPy (or ml_dtypes) type.
_TYPES = {"bool": "i1", "int8": "i8", "uint8": "i8", "int16": "i16", "uint16": "i16", "int32": "i32", "uint32": "i32",
          "int64": "i64", "uint64": "i64", "float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16",
          "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2", "float8_e8m0fnu": "f8E8M0FNU"}
_INTEGERS = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8}


@dataclasses.dataclass(frozen=True)
class Report:
    """Something that is wrong with a run.

    kind         "out-of-bounds", "misaligned", "uninitialized", "race", "barrier", "deadlock", "trap", "mbarrier", "proxy",
                 "async", ...; "assertion" and "error" of the reference
    message      one sentence
    file, line   the source line, of the kernel's debug locations, or of the module's text
    ptx_line     line of the PTX, from 1, and `ptx` its instruction; None of the reference
    kernel, block, thread    who met it first: (x, y, z)
    address      of memory faults
    count        how often it was met on this line
    """
    kind: str
    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    ptx_line: Optional[int] = None
    ptx: str = ""
    kernel: str = ""
    block: tuple[int, int, int] = (0, 0, 0)
    thread: tuple[int, int, int] = (0, 0, 0)
    address: Optional[int] = None
    count: int = 1
    text: str = dataclasses.field(default="", repr=False)

    def __str__(self) -> str:
        return self.text or f"[{self.kind}] {self.message}"


class KernelError(Exception):
    """A run that reported something; `run` is the Run with its reports."""

    def __init__(self, run: "Run"):
        super().__init__("\n".join(map(str, run.reports)) or "the run failed")
        self.run, self.reports = run, run.reports


@dataclasses.dataclass
class Run:
    """What became of a launch: `reports` (none if all is well), `output` (what the kernel printed), `stats` (counters)."""
    engine: str
    reports: list[Report]
    output: str
    stats: dict[str, float]

    @property
    def ok(self) -> bool:
        return not self.reports


@dataclasses.dataclass
class Prediction:
    """How long a launch would take on a GPU that need not be there (docs/timing.md has what it relies on).

    `cycles` of the multiprocessors' clock, `microseconds` with the launch, `error_percent` of the cycles; `limiter` and
    `second` name what holds it back, `hangs_on` how much of the time hangs on what, in points; `units` and `stalls` are
    shares of the time. `facts` has everything, `text` is for a terminal, `html` a page, `trace` a timeline for
    Perfetto, in cycles.
    """
    facts: dict[str, Any]
    text: str
    html: str = dataclasses.field(repr=False)
    trace: str = dataclasses.field(repr=False)

    def __getattr__(self, name: str) -> Any:
        facts = self.__dict__.get("facts", {})
        if name in facts:
            return facts[name]
        raise AttributeError(f"a prediction has no '{name}': {', '.join(facts)}")

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        import html
        return f'<iframe srcdoc="{html.escape(self.html, quote=True)}" style="width: 100%; height: 640px; border: 0"></iframe>'


class out:
    """`out(y)`: an array that the kernel writes. It starts unwritten: loads of it are reported."""

    def __init__(self, array: Any):
        self.array = array


class _Array:
    """The memory of a NumPy array, from its first element to its last."""

    def __init__(self, array: Any, unwritten: bool):
        if not hasattr(array, "__array_interface__"):
            raise TypeError(f"an array must be NumPy's, not {type(array).__name__}")
        if type(array).__module__.split(".")[0] != "numpy":
            import numpy
            array = numpy.asarray(array)
        if array.dtype.name not in _TYPES:
            raise TypeError(f"no element type for {array.dtype.name}: {', '.join(_TYPES)}")
        if any(s < 0 or s % array.itemsize for s in array.strides):
            raise ValueError("strides of an array must be multiples of its elements, and not negative")
        self.array, self.unwritten = array, unwritten
        self.type = _TYPES[array.dtype.name]
        self.shape = array.shape
        self.strides = [s // array.itemsize for s in array.strides]
        empty = any(n == 0 for n in array.shape)
        self.bytes = 0 if empty else array.itemsize + sum((n - 1) * s for n, s in zip(array.shape, array.strides))
        self.writable = bool(array.flags.writeable)
        self.address = array.ctypes.data


def _float_bits(value: float, kind: str) -> int:
    if kind == "bf16":
        import numpy
        bits = numpy.float32(value).view(numpy.uint32).item()
        return 0x7FC0 if value != value else (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    code = {"f16": "<e", "f32": "<f", "tf32": "<f", "f64": "<d"}.get(kind)
    if code is None:
        raise TypeError(f"a number cannot be passed as {kind}")
    return int.from_bytes(struct.pack(code, value), "little")


def _scalar(value: Any, wanted: Optional[str]) -> tuple[str, int, int]:
    """(type, bits, bytes) of a number, of the type that the kernel wants if that is known."""
    if hasattr(value, "dtype") and hasattr(value, "tobytes"):
        kind = _TYPES.get(value.dtype.name)
        if kind is None:
            raise TypeError(f"no element type for {value.dtype.name}")
        if wanted in (None, kind):
            data = value.tobytes()
            return kind, int.from_bytes(data, "little"), len(data)
        value = value.item()
    if isinstance(value, (bool, int)):
        kind = "i64" if wanted and wanted.startswith("ptr") else wanted or ("i32" if -2**31 <= value < 2**32 else "i64")
        if kind in _INTEGERS:
            size = _INTEGERS[kind]
            if not -(1 << 8 * size - 1) <= value < 1 << 8 * size:
                raise OverflowError(f"{value} does not fit into {kind}")
            return kind, value & (1 << 8 * size) - 1, size
        value = float(value)
    if not isinstance(value, float):
        raise TypeError(f"an argument must be an array or a number, not {type(value).__name__}")
    kind = wanted or "f32"
    if kind in _INTEGERS:
        raise TypeError(f"{value} is passed where the kernel takes {kind}")
    return kind, _float_bits(value, kind), {"f16": 2, "bf16": 2, "f64": 8}.get(kind, 4)


def _grid(grid: Union[int, Sequence[int]]) -> list[int]:
    values = [grid] if isinstance(grid, int) else list(grid)
    if not 1 <= len(values) <= 3 or any(v < 1 for v in values):
        raise ValueError(f"a grid has one to three extents of at least 1, not {grid!r}")
    return values + [1] * (3 - len(values))


def _entry(entries: Mapping[str, Any], entry: Optional[str]) -> str:
    if entry is None and len(entries) == 1:
        return next(iter(entries))
    if entry is None or entry not in entries:
        raise ValueError(f"entry={entry!r}: the module has {', '.join(entries) or 'none'}")
    return entry


_PTX_TYPES = {"f16": "f16", "f32": "f32", "f64": "f64", "u8": "i8", "s8": "i8", "b8": "i8", "u16": "i16", "s16": "i16", "u32": "i32",
              "s32": "i32", "u64": "i64", "s64": "i64", "b16": None, "b32": None, "b64": None}


@functools.lru_cache(maxsize=64)
def _ptx_entries(ptx: str) -> dict[str, list[Optional[str]]]:
    """Kernels of PTX text and the types of their parameters, None where PTX does not say."""
    found: dict[str, list[Optional[str]]] = {}
    for match in re.finditer(r"\.entry\s+([\w$%]+)\s*(\(([^)]*)\))?", ptx):
        found[match[1]] = [_PTX_TYPES.get(m) for m in re.findall(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)", match[3] or "")]
    return found


class _Arguments:
    """The parameters of a launch: arrays become addresses, as the calling convention says."""

    def __init__(self, values: Iterable[Any], arrays: str):
        if arrays not in ("ptr", "array", "array64"):
            raise ValueError(f"arrays={arrays!r} is not ptr, array or array64")
        self.items: list[Any] = []
        for value in values:
            unwritten = isinstance(value, out)
            value = value.array if unwritten else value
            # A NumPy scalar has no dimensions, and neither has an array of one element.
            if hasattr(value, "__array_interface__") and (getattr(value, "shape", None) or type(value).__name__ == "ndarray"):
                array = _Array(value, unwritten)
                self.items.append(array)
                if arrays != "ptr":
                    self.items += [("i32" if arrays == "array" else "i64", n) for n in [*array.shape, *array.strides]]
            else:
                self.items.append(value)

    def typed(self, types: Sequence[Optional[str]], what: str) -> list[Any]:
        """Arrays, and (type, bits, bytes) of numbers."""
        if len(types) != len(self.items):
            raise TypeError(f"{what} takes {len(types)} arguments ({', '.join(t or '?' for t in types)}), not {len(self.items)}")
        typed: list[Any] = []
        for number, (item, wanted) in enumerate(zip(self.items, types)):
            if isinstance(item, _Array):
                element = wanted[4:-1] if wanted and wanted.startswith("ptr<") else None
                if wanted and not (element or wanted == "i64"):
                    raise TypeError(f"argument {number} of {what} is {wanted}, not an array")
                if element and element != item.type and element != "tf32":
                    raise TypeError(f"argument {number} of {what} is {wanted}; the array holds {item.type}")
                typed.append(item)
            elif isinstance(item, tuple):
                typed.append(_scalar(item[1], item[0]))
            else:
                typed.append(_scalar(item, wanted))
        return typed


def _run_reference(program: Program, entry: str, arguments: list[Any], grid: list[int], max_steps: int,
                   ignore_assumptions: bool) -> Run:
    table = (_library.Argument * max(1, len(arguments)))()
    kept: list[Any] = []
    for number, (slot, item) in enumerate(zip(table, arguments)):
        if isinstance(item, _Array):
            shape = (ctypes.c_int64 * max(1, len(item.shape)))(*item.shape)
            strides = (ctypes.c_int64 * max(1, len(item.shape)))(*item.strides)
            address = item.address
            if not item.writable:
                copy = ctypes.create_string_buffer(ctypes.string_at(address, item.bytes), max(1, item.bytes))
                kept.append(copy)
                address = ctypes.addressof(copy)
            kept += [shape, strides]
            slot.name, slot.type, slot.is_array = f"arg{number}".encode(), item.type.encode(), 1
            slot.rank, slot.shape, slot.strides = len(item.shape), shape, strides
            slot.data, slot.bytes = address, item.bytes
        else:
            slot.type, slot.bits = item[0].encode(), item[1]
    result = _library.call("tileiras_reference_run", program.source, len(program.source), program.name.encode(), entry.encode(),
                           (ctypes.c_uint32 * 3)(*grid), table, len(arguments), max_steps,
                           _library.option_list([f"ignore-assumptions={int(ignore_assumptions)}"]))
    if result.status not in (0, 6):
        raise (TypeError if result.status == 1 else RuntimeError)(result.messages.strip())
    reports = []
    for text in result.facts.get("reports", []):
        place = re.match(r"(.*?):(\d+):\d+: (?:error|warning): (.*)", text, re.S)
        message = (place[3] if place else text).partition("\n")[0]
        reports.append(Report("assertion" if "ssert" in message else "error", message, place[1] if place else None,
                              int(place[2]) if place else None, kernel=entry, text=text))
    if result.status == 6 and not reports:
        reports = [Report("error", result.messages.strip() or "the run stopped", kernel=entry)]
    stats = {k: float(v) for k, v in result.facts.get("stats", {}).items()}
    return Run("reference", reports, result.output.decode(errors="replace"), stats)


class _Emulation:
    """A parsed module, memory with the arrays, and the arguments of a launch."""

    def __init__(self, ptx: str, name: str, arguments: list[Any]):
        self.lib = lib = _library.library()
        error = ctypes.c_void_p()
        text = ptx.encode()
        self.memory = None
        self.module = lib.tileiras_emu_module_parse(text, len(text), name.encode(), ctypes.byref(error))
        if not self.module:
            message = ctypes.string_at(error.value).decode() if error.value else "no PTX"
            lib.tileiras_emu_free_string(error)
            raise CompileError(3, message, [])
        self.memory = lib.tileiras_emu_memory_create()
        self.arrays: list[tuple[_Array, int]] = []
        self.values = []
        for number, item in enumerate(arguments):
            if isinstance(item, _Array):
                at = lib.tileiras_emu_alloc(self.memory, item.bytes, f"argument {number}".encode())
                if not item.unwritten:
                    lib.tileiras_emu_write(self.memory, at, item.address, item.bytes)
                self.arrays.append((item, at))
                data = at.to_bytes(8, "little")
            else:
                data = item[1].to_bytes(item[2], "little")
            self.values.append(ctypes.create_string_buffer(data, len(data)))

    def __enter__(self) -> "_Emulation":
        return self

    def __exit__(self, *_: Any) -> None:
        self.lib.tileiras_emu_memory_destroy(self.memory)
        self.lib.tileiras_emu_module_destroy(self.module)

    def parameters(self) -> tuple[Any, Any, int]:
        n = len(self.values)
        return ((ctypes.c_void_p * n)(*(ctypes.addressof(v) for v in self.values)),
                (ctypes.c_size_t * n)(*(len(v) for v in self.values)), n)

    def read_back(self) -> None:
        for item, at in self.arrays:
            if item.writable and item.bytes:
                self.lib.tileiras_emu_read(self.memory, at, item.address, item.bytes)

    def run(self, launch: _library.Launch) -> Run:
        lib = self.lib
        result = lib.tileiras_emu_run(self.module, self.memory, ctypes.byref(launch), *self.parameters())
        try:
            reports = []
            fields = _library.ReportFields()
            for index in range(lib.tileiras_emu_result_report_count(result)):
                lib.tileiras_emu_result_report_fields(result, index, ctypes.byref(fields))
                reports.append(Report(
                    fields.kind.decode(), fields.message.decode(), fields.source_file.decode() or None, fields.source_line or None,
                    fields.line or None, fields.ptx.decode(), fields.kernel.decode(), tuple(fields.block),
                    tuple(fields.thread), fields.address or None, fields.count,
                    lib.tileiras_emu_result_report(result, index).decode()))
            ok = lib.tileiras_emu_result_ok(result)
            output = lib.tileiras_emu_result_output(result).decode(errors="replace")
            pairs = (line.rpartition(" ") for line in lib.tileiras_emu_result_stats(result).decode().splitlines())
            stats = {k.strip(): float(v) for k, _, v in pairs if re.fullmatch(r"[\d.]+", v)}
        finally:
            lib.tileiras_emu_result_destroy(result)
        if not ok and not reports:
            reports.append(Report("error", "the run failed"))
        return Run("emulator", reports, output, stats)


_SCHEDULES = {"round-robin": 0, "forward": 1, "reverse": 2, "random": 3}
_ASYNC = {"early": 0, "late": 1, "random": 2}


def _prepare(kernel: Union[Program, Source], arguments: Iterable[Any], arrays: str, grid: Any, block: Any, entry: Optional[str],
             arch: Optional[str], dynamic_shared: int) -> tuple[str, str, list[Any], _library.Launch]:
    """PTX, its name, typed arguments and a launch with the sizes in it."""
    program = None
    if isinstance(kernel, Program):
        program = kernel
    elif isinstance(kernel, str) and ".version" in kernel:
        ptx, name = kernel, "kernel.ptx"
    elif not isinstance(kernel, bytes) and "\n" not in str(kernel) and str(kernel).endswith(".ptx"):
        with open(kernel, encoding="utf-8") as file:
            ptx, name = file.read(), str(kernel)
    else:
        program = compile_module(kernel, arch or "sm_90")
    collected = _Arguments(arguments, arrays)
    if program is not None:
        ptx, name = program.ptx, program.name + ".ptx"
        entry = _entry(program.entries, entry)
        typed = collected.typed(program.entries[entry], f"entry '{entry}'")
        # docs/tileiras.md, --static-shared: a comment says how much a kernel needs.
        needs = re.search(rf"// {re.escape(entry)} needs (\d+) bytes of dynamic shared memory", ptx)
        dynamic_shared = dynamic_shared or (int(needs[1]) if needs else 0)
    else:
        entries = _ptx_entries(ptx)
        entry = _entry(entries, entry)
        typed = collected.typed(entries[entry], f"kernel '{entry}'")
    launch = _library.library().tileiras_emu_launch_default()
    launch.kernel = entry.encode()
    for k, (g, b) in enumerate(zip(_grid(grid), _grid(block))):
        launch.grid[k], launch.block[k] = g, b
    launch.dynamic_shared_bytes = dynamic_shared
    return ptx, name, typed, launch


def run(kernel: Union[Program, Source], *arguments: Any, grid: Union[int, Sequence[int]] = 1, engine: str = "emulator",
        entry: Optional[str] = None, arch: Optional[str] = None, arrays: str = "ptr", check: bool = True,
        check_races: bool = True, check_uninitialized: bool = True, block: Union[int, Sequence[int]] = 1,
        dynamic_shared: int = 0, schedule: str = "round-robin", async_timing: str = "late", seed: int = 0, threads: int = 0,
        rules: str = "isa", max_steps: int = 0, ignore_assumptions: bool = False) -> Run:
    """Runs a kernel on NumPy arrays, which are read and written in place, without a GPU.

    kernel        a Program, a module (as for `compile`), PTX text, or the path of a .ptx file
    arguments     one per parameter: arrays (their type must be the pointer's), `out(array)` for ones that start unwritten, and
                  numbers, which take the type of the parameter. bfloat16 and 8-bit floats are those of ml_dtypes
    grid          tile blocks: x, (x, y) or (x, y, z)
    engine        "emulator": the compiled PTX with all checks; "reference": the module, by the words of the specification
    entry         which kernel; not needed if there is one
    arrays        "ptr": an array is its address. "array": address, extents, strides (elements) as i32: cuTile's convention;
                  "array64": as i64
    check         raise KernelError if there are reports; else they are in the result
    check_races, check_uninitialized    of the emulator
    block, dynamic_shared    threads of a block and bytes of shared memory, for PTX that does not say them itself
    schedule      of warps: "round-robin", "forward", "reverse", "random" (with `seed`)
    async_timing  when asynchronous operations land: "late", "early", "random"
    threads       of the host; 0: one per core (one with check_races)
    rules         "isa": what the PTX ISA demands; "hardware": what today's GPUs need
    max_steps     operations (emulator: warp instructions of a block) after which a run is stopped; 0: never

    Raises KernelError (reports), CompileError, TypeError and ValueError (arguments that do not fit).
    """
    if engine == "reference":
        program = kernel if isinstance(kernel, Program) else compile_module(kernel, arch or "sm_90")
        entry = _entry(program.entries, entry)
        typed = _Arguments(arguments, arrays).typed(program.entries[entry], f"entry '{entry}'")
        done = _run_reference(program, entry, typed, _grid(grid), max_steps, ignore_assumptions)
    elif engine == "emulator":
        for what, value, known in (("schedule", schedule, _SCHEDULES), ("async_timing", async_timing, _ASYNC),
                                   ("rules", rules, ("isa", "hardware"))):
            if value not in known:
                raise ValueError(f"{what}={value!r} is not {', '.join(known)}")
        ptx, name, typed, launch = _prepare(kernel, arguments, arrays, grid, block, entry, arch, dynamic_shared)
        launch.schedule, launch.async_timing, launch.seed = _SCHEDULES[schedule], _ASYNC[async_timing], seed
        launch.check_races, launch.check_uninitialized = int(check_races), int(check_uninitialized)
        launch.host_threads, launch.max_warp_instructions, launch.capture_output = threads, max_steps, 1
        launch.tensor_load_interlock = int(rules == "hardware")
        with _Emulation(ptx, name, typed) as emulation:
            done = emulation.run(launch)
            emulation.read_back()
    else:
        raise ValueError(f"engine={engine!r} is neither emulator nor reference")
    if check and done.reports:
        raise KernelError(done)
    return done


def time(kernel: Union[Program, Source], *arguments: Any, grid: Union[int, Sequence[int]] = 1, machine: str = "h200",
         entry: Optional[str] = None, arch: Optional[str] = None, arrays: str = "ptr", block: Union[int, Sequence[int]] = 1,
         dynamic_shared: int = 0, samples: int = 4, clock_mhz: float = 0, l2: str = "cold") -> Prediction:
    """Predicts how long a launch takes on `machine` ("a100", "h100", "h200", "rtx4090", "b200", "rtx5090", or a file *.gpu), and
    what holds it back. Only `samples` clusters of the grid are run, on copies of the arrays. `arch` and the rest are as for
    `run`; without `arch` a module is compiled for the machine. What L2 holds before: what others wrote ("cold"), the arrays of this
    launch as far as they fit ("warm"), nothing ("empty", as after a profiler's flush). Raises as `run` does, ValueError for
    another `l2`, and RuntimeError where there is no prediction.
    """
    states = ("cold", "warm", "empty")
    if l2 not in states:
        raise ValueError(f"l2 is {l2!r}, not one of {', '.join(states)}")
    arch = arch or {"a100": "sm_80", "h100": "sm_90", "h200": "sm_90", "rtx4090": "sm_89", "b200": "sm_100",
                    "rtx5090": "sm_120"}.get(machine, "sm_90")
    ptx, name, typed, launch = _prepare(kernel, arguments, arrays, grid, block, entry, arch, dynamic_shared)
    lib = _library.library()
    timing = lib.tileiras_emu_timing_default()
    text = ptx.encode()
    timing.machine, timing.samples, timing.clock_mhz = machine.encode(), samples, clock_mhz
    timing.l2_state, timing.timeline, timing.ptx = states.index(l2), 1, text
    with _Emulation(ptx, name, typed) as emulation:
        prediction = lib.tileiras_emu_predict(emulation.module, emulation.memory, ctypes.byref(launch),
                                              *emulation.parameters(), ctypes.byref(timing))
        try:
            error = lib.tileiras_emu_prediction_error(prediction)
            if error is not None:
                raise RuntimeError(error.decode())
            get = {k: getattr(lib, f"tileiras_emu_prediction_{k}")(prediction).decode() for k in ("json", "text", "html", "trace")}
        finally:
            lib.tileiras_emu_prediction_destroy(prediction)
    return Prediction(json.loads(get["json"]), get["text"], get["html"], get["trace"])
