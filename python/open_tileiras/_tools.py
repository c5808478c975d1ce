# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tools of the package as commands: each becomes the program itself."""

import os
import sys

from . import _library


def _become(name: str) -> None:
    program = str(_library.tool(name))
    os.execv(program, [program, *sys.argv[1:]])


def tileiras() -> None:
    _become("tileiras")


def tileiras_run() -> None:
    _become("tileiras-run")


def tileirdisasm() -> None:
    _become("tileirdisasm")


def tileiras_emu() -> None:
    program = str(_library.tool("tileiras-emu"))
    os.environ.setdefault("TILEIRAS_LIBRARIES", str(_library.root() / "lib" / "device"))
    os.execv(sys.executable, [sys.executable, program, *sys.argv[1:]])
