# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our compiler and our device in front: CUDA programs (cuTile, Triton, Numba, the driver API) run on the emulator."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import json
import os
import pathlib
import tempfile
from typing import Iterator, Optional

from . import _library
from .launch import Report

#: What the device was told when it was loaded; it reads its settings once.
_loaded: Optional[dict[str, str]] = None
_reports: Optional[pathlib.Path] = None


@dataclasses.dataclass
class Device:
    """The device of `emulated`: `reports` are those since it was entered."""
    _file: pathlib.Path
    _begin: int

    @property
    def reports(self) -> list[Report]:
        return read_reports(self._file, self._begin)


def read_reports(file: pathlib.Path, begin: int = 0) -> list[Report]:
    """The reports in a file that TILEIRAS_REPORTS names, from an offset on."""
    if not file.exists():
        return []
    with open(file, encoding="utf-8") as lines:
        lines.seek(begin)
        return [Report(kind=r["kind"], message=r["message"], file=r["source_file"] or None, line=r["source_line"] or None,
                       ptx_line=r["line"] or None, ptx=r["ptx"], kernel=r["kernel"], block=tuple(r["block"]),
                       thread=tuple(r["thread"]), address=r["address"] or None, count=r["count"], text=r["text"])
                for r in map(json.loads, lines)]


def environment(device: str = "sm_90", check: str = "race") -> dict[str, str]:
    """The variables with which a program that is started finds our tools and libraries first (docs/device.md)."""
    root = _library.root()
    tools = _library.tool("tileiras").parent
    scripts = _library.tool("tileiras-emu").parent
    variables = {
        "PATH": os.pathsep.join([str(tools), str(scripts), os.environ.get("PATH", "")]),
        "LD_LIBRARY_PATH": os.pathsep.join(filter(None, [str(root / "lib" / "device"), os.environ.get("LD_LIBRARY_PATH", "")])),
        "TILEIRAS_DEVICE": device, "TILEIRAS_CHECK": check, "TILEIRAS_IMAGE": "ptx"}
    assembler = str(_library.tool("tileiras-emu-ptxas"))
    return variables | {"TRITON_PTXAS_PATH": assembler, "TRITON_PTXAS_BLACKWELL_PATH": assembler}


@contextlib.contextmanager
def emulated(device: str = "sm_90", check: str = "race", *, fail: bool = False) -> Iterator[Device]:
    """Within it, CUDA libraries that this process loads find our driver and our compiler:

        with open_tileiras.emulated("sm_90") as device:
            import cuda.tile as ct
            ct.launch(stream, grid, kernel, arguments)
            print(device.reports)

    device   "sm_80" ... "sm_121": what the program sees
    check    "memory" (always on), "race", "init", "all", with commas
    fail     raise KernelError at the end if there were reports

    To be entered before the program's first use of CUDA; RuntimeError if another libcuda is already there, or if the device was
    entered with other settings: it reads them once in a process. `python -m open_tileiras script.py` does the same for a whole
    program, and is the way for programs that look for libraries by their path.
    """
    global _loaded, _reports
    variables = environment(device, check)
    if _loaded is None:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            if any("libcuda.so" in line for line in maps):
                raise RuntimeError("a libcuda is loaded already: enter open_tileiras.emulated before the first use of CUDA, or run "
                                   "the program with python -m open_tileiras")
        handle, name = tempfile.mkstemp(prefix="open_tileiras-", suffix=".jsonl")
        os.close(handle)
        _reports = pathlib.Path(name)
        import atexit
        atexit.register(_reports.unlink, missing_ok=True)
    elif (_loaded["TILEIRAS_DEVICE"], _loaded["TILEIRAS_CHECK"]) != (device, check):
        raise RuntimeError(f"the device of this process is {_loaded['TILEIRAS_DEVICE']} with check={_loaded['TILEIRAS_CHECK']}")
    assert _reports is not None
    variables["TILEIRAS_REPORTS"] = str(_reports)
    before = {k: os.environ.get(k) for k in variables}
    os.environ.update(variables)
    try:
        if _loaded is None:
            # By their names: whoever asks the loader for libcuda.so.1 from now on gets ours.
            folder = _library.root() / "lib" / "device"
            for library in ("libcuda.so.1", "libcudart.so.13", "libnvJitLink.so.13"):
                ctypes.CDLL(str(folder / library), mode=ctypes.RTLD_GLOBAL)
            ctypes.CDLL("libcuda.so.1").cuInit(0)
            _loaded = variables
        entered = Device(_reports, _reports.stat().st_size)
        yield entered
        if fail and entered.reports:
            from .launch import KernelError, Run
            raise KernelError(Run("device", entered.reports, "", {}))
    finally:
        for key, value in before.items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value
