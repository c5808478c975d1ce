# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples in the documentation of the installed cuTile whose output it states: bodies of kernels that print. They are read
from its docstrings when the suite runs; none of them is kept here."""

import inspect
import re
import textwrap

import cuda.tile as ct

from cutile_case import *


def documented():
    """(name, code, output) of every example that is the body of a kernel."""
    seen = set()
    places = [(n, getattr(ct, n)) for n in ct.__all__]
    places += [(f"{c.__name__}.{n}", v) for c in (ct.Array, ct.Tile, ct.TiledView) for n, v in vars(c).items()]
    for name, thing in places:
        text = inspect.getdoc(thing) or ""
        blocks = re.split(r"^( *)\.\. (testcode|testoutput)::\n", text, flags=re.M)
        code = None
        for indent, kind, rest in zip(*(blocks[k::3] for k in (1, 2, 3))):
            lines, body, options = rest.split("\n"), [], []
            for line in lines:
                if line.strip() and not line.startswith(indent + " "):
                    break
                (options if line.strip().startswith(":") and not body else body).append(line)
            body = textwrap.dedent("\n".join(body)).strip("\n")
            if kind == "testcode":
                code = body if any("kernel_wrapper" in o for o in options) else None
            elif code and not any("option" in o for o in options):
                if (name, code) not in seen:
                    seen.add((name, code))
                    yield name, code, body
                code = None


def cases():
    number = {}
    for name, code, output in documented():
        if "raise " in code or "@" in code.split("\n")[0]:
            continue
        number[name] = number.get(name, 0) + 1
        yield Case(f"example-{name}-{number[name]}", ct.kernel(function("", code if "\n" in code else code + "\nreturn")), (1,), [],
                   printed=lambda said, want=output: said.strip() == want.strip())
