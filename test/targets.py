# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The targets of a build, from the compiler's own table (`tileiras --list-targets`), for every script that needs a list of them."""

import functools
import json
import pathlib
import re
import subprocess
import sys


@functools.lru_cache(maxsize=None)
def rows():
    """The table of the build that the script was started with: its first argument that is one, else `build`."""
    root = pathlib.Path(__file__).resolve().parent.parent
    tools = [pathlib.Path(folder) / "bin" / "tileiras" for folder in (*sys.argv[1:], root / "build")]
    tool = next((tool.resolve() for tool in tools if tool.exists()), None)
    if not tool:
        sys.exit("no build folder with bin/tileiras among the arguments")
    return json.loads(subprocess.run([str(tool), "--list-targets"], check=True, stdout=subprocess.PIPE).stdout)


def names():
    """All of them, ascending: sm_80, sm_86, ..."""
    return [row["name"] for row in rows()]


def sample():
    """One of each kind of code: the first with each pair of copies and products (sm_80, sm_90, sm_100, sm_120)."""
    kinds = {}
    for row in rows():
        kinds.setdefault((row["copies"], row["products"]), row["name"])
    return list(kinds.values())


def others():
    return [name for name in names() if name not in sample()]


def compiled_as(target):
    """What ptxas is told: sm_90a for sm_90."""
    return next((row["compiled_as"] for row in rows() if row["name"] == target), target)


def assembled():
    """The names that code is assembled for, and one family of each kind: sm_80, ..., sm_90a, sm_100f, sm_100a, ..."""
    return [name for row in rows() for name in (row["name"] in sample() and row["family"], row["compiled_as"]) if name]


NOT_ASSEMBLED = set()  # targets that were left out


def can_assemble(ptxas, target):
    """Whether there is a ptxas and it knows the target. An older one is no reason to fail: its PTX is not assembled."""
    if ptxas and compiled_as(target) not in known_to(ptxas):
        NOT_ASSEMBLED.add(target)
        return False
    return bool(ptxas)


@functools.lru_cache(maxsize=None)
def known_to(ptxas):
    """What this ptxas can assemble for."""
    said = subprocess.run([ptxas, "--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode(errors="replace")
    return frozenset(re.findall(r"'(sm_\d+[af]?)'", said))
