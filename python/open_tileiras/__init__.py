# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""open-tileiras: an open compiler for CUDA Tile IR, and an emulator that runs what it emits without a GPU.

    import numpy as np
    import open_tileiras as ot

    program = ot.compile("softmax.mlir", arch="sm_90")
    x = np.random.default_rng(0).normal(size=(37, 333)).astype(np.float32)
    y = np.empty_like(x)
    program.run(x, ot.out(y), 37, 333, grid=37)          # races, bad addresses and deadlocks are exceptions
    print(program.time(x, y, 37, 333, grid=37, machine="h200"))
    program.report("softmax.html")                       # every stage, remarks, layouts: a page to look at

`emulated` puts our compiler and our driver in front of cuTile, Triton and Numba in this process, `python -m open_tileiras` in front of
a whole program, `pytest --cuda=emulated` in front of tests. Everything is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .compiler import (CompileError, Diagnostic, Program, Remark, Resources, assemble, compile, disassemble,
                           targets)
    from .device import Device, emulated
    from .launch import KernelError, Prediction, Report, Run, out, run, time
    from .layout import Layout, LayoutError

__version__ = "0.1.0"

_HOMES = {
    "compiler": ("CompileError", "Diagnostic", "Program", "Remark", "Resources", "assemble", "compile", "disassemble", "targets"),
    "device": ("Device", "emulated"),
    "launch": ("KernelError", "Prediction", "Report", "Run", "out", "run", "time"),
    "layout": ("Layout", "LayoutError"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = [*sorted(_HOME), "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'open_tileiras' has no attribute {name!r}")
    import importlib
    value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
