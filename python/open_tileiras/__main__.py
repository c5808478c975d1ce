# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m open_tileiras [OPTIONS] SCRIPT.py ARGUMENTS...

Runs a Python program that uses CUDA (cuTile, Triton, Numba, cuda.core) on the emulator: our compiler is first on its PATH, our
driver is what it finds as libcuda.so.1. The options are those of tileiras-emu (--device=sm_90, --check=race, --time=h200, ...); races
are checked unless --check says otherwise. The exit code is the program's, or 99 if it was 0 and there were reports.
"""

import os
import sys

from . import _library, device


def main() -> int:
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if arguments else 1
    at = next((k for k, a in enumerate(arguments) if not a.startswith("-")), len(arguments))
    options, program = arguments[:at], arguments[at:]
    if "-m" in options:
        at = arguments.index("-m")
        options, program = arguments[:at], arguments[at:]
    if not program:
        print("python -m open_tileiras: no script; see --help", file=sys.stderr)
        return 1
    if not any(o.startswith("--check") for o in options):
        options.append("--check=race")
    variables = device.environment()
    for name in ("TILEIRAS_DEVICE", "TILEIRAS_CHECK", "LD_LIBRARY_PATH"):
        del variables[name]  # tileiras-emu sets them
    os.environ.update(variables)
    os.environ["TILEIRAS_LIBRARIES"] = str(_library.root() / "lib" / "device")
    emu = str(_library.tool("tileiras-emu"))
    os.execv(sys.executable, [sys.executable, emu, *options, sys.executable, *program])


if __name__ == "__main__":
    sys.exit(main())
