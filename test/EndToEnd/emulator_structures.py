#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The structures in python/open_tileiras/_library.py, which emulator.py uses, are those of the C header, member by member. A structure that is returned by value and is too short
on Python's side overwrites whatever lies after it.

usage: emulator_structures.py
"""

import ctypes
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "python" / "open_tileiras"))
import _library  # noqa: E402, the package's ctypes, which load nothing by themselves

HEADER = pathlib.Path(__file__).resolve().parents[2] / "tileiras" / "Emulator" / "CAPI" / "tileiras_emu.h"
TYPES = {"const char *": ctypes.c_char_p, "int ": ctypes.c_int, "uint32_t ": ctypes.c_uint32, "uint64_t ": ctypes.c_uint64,
         "double ": ctypes.c_double}


def members(header, name):
    """(name, ctypes type) of each member of a structure of the header."""
    body = re.search(rf"typedef struct {name} \{{(.*?)\}} {name};", header, re.S)[1]
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
    found = []
    for declaration in filter(None, map(str.strip, body.split(";"))):
        kind = next(k for k in TYPES if declaration.startswith(k))
        for declarator in declaration[len(kind):].split(","):
            member, count = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", declarator.strip()).groups()
            found.append((member, TYPES[kind] * int(count) if count else TYPES[kind]))
    return found


def main():
    header, wrong = HEADER.read_text(), 0
    for name, ours in (("tileiras_emu_launch", _library.Launch), ("tileiras_emu_timing", _library.Timing),
                       ("tileiras_emu_report", _library.ReportFields)):
        theirs = members(header, name)
        if ours._fields_ != theirs:
            wrong += 1
            print(f"{name} of {HEADER.name}: {theirs}\n{ours.__name__} of _library.py: {ours._fields_}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
