# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiling Tile IR: `compile`, and what it gives, a `Program`."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import pathlib
import re
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from . import _library

if TYPE_CHECKING:
    from .launch import Prediction, Run

Source = Union[bytes, str, "os.PathLike[str]"]


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """An error or warning of the compiler. `line` and `column` count from 1; `file` is None where there is no location."""
    severity: str
    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None

    def __str__(self) -> str:
        place = f'loc("{self.file}":{self.line}:{self.column}): ' if self.file is not None else ""
        return f"{place}{self.severity}: {self.message}"


@dataclasses.dataclass(frozen=True)
class Remark:
    """A choice of the compiler and its reason (docs/remarks.md lists them). `kind`: "passed" (the good case), "missed"
    (something better exists), "analysis". `args`: figures and names, as text; the reason is args["Reason"]."""
    kind: str
    category: str
    name: str
    function: str
    args: Mapping[str, str]
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None

    @property
    def reason(self) -> str:
        return self.args.get("Reason", "")

    def __str__(self) -> str:
        figures = ", ".join(f"{k}={v}" for k, v in self.args.items() if k != "Reason")
        place = f"{self.file}:{self.line}: " if self.file is not None else ""
        return f"{place}[{self.kind}] {self.category}/{self.name}: {self.reason}" + (f" ({figures})" if figures else "")


@dataclasses.dataclass(frozen=True)
class Resources:
    """What `ptxas -v` says of a kernel. Registers, stack and spills are of a thread, shared memory is of a block; bytes."""
    function: str
    registers: int
    barriers: int
    shared: int
    stack: int
    spill_stores: int
    spill_loads: int


class CompileError(Exception):
    """A module was not compiled. `status` is the exit code of `tileiras` (2 options, 3 input, 5 compilation),
    `diagnostics` are the errors with their places."""

    def __init__(self, status: int, messages: str, diagnostics: list[Diagnostic]):
        super().__init__(messages.strip() or f"status {status}")
        self.status, self.diagnostics = status, diagnostics


def _read(source: Source, name: Optional[str]) -> tuple[bytes, str]:
    if isinstance(source, bytes):
        return source, name or "<input>"
    if isinstance(source, str) and ("\n" in source or "{" in source):
        return source.encode(), name or "<input>"
    path = pathlib.Path(source)
    return path.read_bytes(), name or str(path)


def _diagnostics(facts: Mapping[str, Any]) -> list[Diagnostic]:
    keys = {f.name for f in dataclasses.fields(Diagnostic)}
    return [Diagnostic(**{k: v for k, v in d.items() if k in keys}) for d in facts.get("diagnostics", [])]


def _checked(result: _library.Result) -> _library.Result:
    if result.status:
        raise CompileError(result.status, result.messages, _diagnostics(result.facts))
    return result


def _split(text: str) -> list[str]:
    """Parts between commas outside brackets."""
    parts, depth, start = [], 0, 0
    for at, c in enumerate(text):
        if c in "<([{":
            depth += 1
        elif c in ">)]}" and text[at - 1:at] != "-":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [p.strip() for p in [*parts, text[start:]] if p.strip()]


class Program:
    """A compiled module. Its stages are compiled when they are first asked for, and kept.

    >>> program = compile(text, arch="sm_90")
    >>> print(program.tileas)          # which thread holds which element
    >>> program.run(x, y, 37, 333, grid=37)
    >>> program.report("softmax.html")
    """

    def __init__(self, source: bytes, name: str, arch: str, options: tuple[str, ...], first: str = "ptx"):
        self.source, self.name, self.arch, self.options = source, name, arch, options
        self._stages: dict[str, _library.Result] = {}
        self._stage(first)

    def _stage(self, stage: str) -> _library.Result:
        if stage not in self._stages:
            options = [f"gpu-name={self.arch}", f"emit={stage}", "remarks=all", *self.options]
            self._stages[stage] = _checked(_library.call("tileiras_compile", self.source, len(self.source), self.name.encode(),
                                                         _library.option_list(options)))
        return self._stages[stage]

    def stage(self, name: str) -> str:
        """The module at a stage, as text: "cuda_tile", "tileaa" (aliases and tokens), "tileas" (layouts: which register of
        which thread holds which element), "llvm" (MLIR), "llvmir", "ptx"."""
        return self._stage(name).output.decode()

    @property
    def cuda_tile(self) -> str:
        return self.stage("cuda_tile")

    @property
    def tileaa(self) -> str:
        return self.stage("tileaa")

    @property
    def tileas(self) -> str:
        return self.stage("tileas")

    @property
    def llvm(self) -> str:
        return self.stage("llvm")

    @property
    def llvmir(self) -> str:
        return self.stage("llvmir")

    @property
    def ptx(self) -> str:
        return self.stage("ptx")

    @property
    def cubin(self) -> bytes:
        """Machine code. Raises CompileError where there is no `ptxas` (PATH, CUDA_HOME, or the wheels of NVIDIA)."""
        return self._stage("cubin").output

    @functools.cached_property
    def bytecode(self) -> bytes:
        """The module as Tile IR bytecode of the latest version."""
        return assemble(self.source, name=self.name)

    @property
    def remarks(self) -> list[Remark]:
        """The choices of the compiler, in the order they were made; of the machine code too, once `cubin` was asked for."""
        result = self._stages.get("cubin") or self._stage("ptx")
        return [Remark(**r) for r in result.facts["remarks"]]

    @property
    def resources(self) -> list[Resources]:
        """Registers, spills and shared memory of every kernel. Asks `ptxas`."""
        figures = {"registers": "Registers", "barriers": "Barriers", "shared": "SharedBytes", "stack": "StackBytes",
                   "spill_stores": "SpillStoreBytes", "spill_loads": "SpillLoadBytes"}
        return [Resources(r["function"], **{k: int(r["args"].get(v, 0)) for k, v in figures.items()})
                for r in self._stage("cubin").facts["remarks"] if r["name"] == "Spills"]

    @functools.cached_property
    def entries(self) -> dict[str, list[str]]:
        """The kernels and the types of their parameters: {"softmax": ["ptr<f32>", "ptr<f32>", "i32", "i32"]}."""
        found = {}
        for match in re.finditer(r"\bentry @(\"[^\"]*\"|[\w$.-]+)\(", disassemble(self.source, name=self.name)):
            text, depth, at = match.string, 1, match.end()
            while depth:
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at += 1
            types = [re.sub(r"^(!cuda_tile\.)?tile<(.*)>$", r"\2", re.sub(r"\s*\{.*\}$", "", p.split(":", 1)[1]).strip())
                     for p in _split(text[match.end():at - 1])]
            found[match[1].strip('"')] = types
        return found

    def run(self, *arguments: Any, **options: Any) -> "Run":
        """Runs a kernel; see `open_tileiras.run`."""
        from .launch import run
        return run(self, *arguments, **options)

    def time(self, *arguments: Any, **options: Any) -> "Prediction":
        """Predicts how long a launch takes; see `open_tileiras.time`."""
        from .launch import time
        return time(self, *arguments, **options)

    def facts(self, timing: Optional["Prediction"] = None) -> dict[str, Any]:
        """Everything the explorer shows, as one dictionary (tileiras/Explorer/Explorer.h lists its keys)."""
        return self._explore(timing).facts

    def report(self, path: Optional[Source] = None, timing: Optional["Prediction"] = None) -> str:
        """The explorer's page: source, stages, PTX, remarks, layouts, and with `timing` (from `Program.time`) roofline,
        stalls and a timeline. One HTML file that needs no network; written to `path` if there is one."""
        page = self._explore(timing).output.decode()
        if path is not None:
            pathlib.Path(os.fsdecode(path)).write_text(page, encoding="utf-8")
        return page

    def _explore(self, timing: Optional["Prediction"]) -> _library.Result:
        options = [f"gpu-name={self.arch}", "assemble=1", *self.options]
        if timing is not None:
            options += ["timing=" + json.dumps(timing.facts), "trace=" + timing.trace]
        return _checked(_library.call("tileiras_explore", self.source, len(self.source), self.name.encode(),
                                      _library.option_list(options)))

    def _repr_html_(self) -> str:
        import html
        return (f'<iframe srcdoc="{html.escape(self.report(), quote=True)}" '
                'style="width: 100%; height: 720px; border: 1px solid #8884; border-radius: 6px"></iframe>')

    def __repr__(self) -> str:
        return f"<Program {self.name!r} for {self.arch}: {', '.join(self.entries) or 'no entry'}>"


def compile(source: Source, arch: str = "sm_90", *, name: Optional[str] = None, opt_level: int = 3, lineinfo: bool = True,
            device_debug: bool = False, num_warps: Optional[int] = None, num_ctas: Optional[int] = None,
            static_shared: str = "48k", register_limits: str = "cubin", launch_abi: str = "reqntid", pipeline_options: str = "",
            ptxas_path: str = "", libdevice_path: str = "") -> Program:
    """Compiles a module of the cuda_tile dialect to PTX.

    source          bytecode (bytes), text (str), or the path of a file with either
    arch            "sm_80" ... "sm_121"; `targets()` lists them
    name            of the input in messages; the path by default
    opt_level       0 to 3
    lineinfo        `.loc` in PTX, so that reports name source lines; the instructions are the same
    device_debug    full debug information; only with opt_level=0
    num_warps       warps of a block, a power of two up to 32; None: the kernel's hints, else by the size of its tiles
    num_ctas        blocks of a cluster, a power of two up to 16
    static_shared   "48k", or "device": all of a block's shared memory on sm_80 to sm_89
    register_limits "cubin": fewer registers where that gives a multiprocessor one more block or products are by wgmma,
                    another order where kernels spill; "none"; "ptx": in PTX, too; "least": as few as there are
    The others are those of `tileiras` (docs/tileiras.md).

    Raises CompileError, with the diagnostics and their places; OSError for a file that cannot be read.
    """
    data, name = _read(source, name)
    options = [f"opt-level={opt_level}"]
    options += [f"{key}=1" for key, value in (("lineinfo", lineinfo and not device_debug), ("device-debug", device_debug)) if value]
    options += [f"{key}={value}" for key, value in (
        ("num-warps", num_warps), ("num-ctas", num_ctas), ("static-shared", static_shared), ("register-limits", register_limits), ("launch-abi", launch_abi),
        ("pipeline-options", pipeline_options), ("ptxas-path", ptxas_path), ("libdevice-path", libdevice_path)) if value]
    return Program(data, name, arch, tuple(options))


def disassemble(source: Source, *, name: Optional[str] = None, debug_info: bool = False) -> str:
    """Bytecode (or text) as text; with locations if `debug_info`. Raises CompileError."""
    data, name = _read(source, name)
    return _checked(_library.call("tileiras_disassemble", data, len(data), name.encode(), int(debug_info))).output.decode()


def assemble(source: Source, *, name: Optional[str] = None, version: Optional[str] = None) -> bytes:
    """Text as Tile IR bytecode, of `version` ("13.1" to "13.4"; the latest by default). Raises CompileError."""
    data, name = _read(source, name)
    return _checked(_library.call("tileiras_assemble", data, len(data), name.encode(),
                                  version.encode() if version else None)).output


@functools.lru_cache(maxsize=None)
def _targets() -> str:
    return str(_library.library().tileiras_targets(), "utf-8")


def targets() -> list[dict[str, Any]]:
    """The GPUs that can be compiled for: name, compiled_as, compute_capability, shared memory in bytes, registers, warps, ..."""
    return list(json.loads(_targets()))
