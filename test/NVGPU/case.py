# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one test is: a kernel, its arguments, what it must leave behind, and where it must run."""

import dataclasses
import pathlib
import re
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import targets  # noqa: E402

# Compiled and executed. "a" targets have what only they have; the family names show that a floor is about them too.
TARGETS = targets.assembled()

# What `make test` takes of them.
SAMPLE = [targets.compiled_as(name) for name in targets.sample()[:3]]  # sm_80, sm_90a, sm_100a


def capability(target):
    return int(re.fullmatch(r"sm_(\d+)[af]?", target).group(1))


@dataclasses.dataclass(frozen=True)
class Floor:
    """The targets that have an instruction. `only`: the capabilities of an instruction that did not survive; `arch`: it
    needs an "a" target."""
    minimum: int
    arch: bool = False
    only: tuple = ()
    family: bool = False  # "f" will do, too

    def has(self, target):
        sm = capability(target)
        if self.only and sm not in self.only:
            return False
        return sm >= self.minimum and (not self.arch or target.endswith("a") or (self.family and target.endswith("f")))

    def __str__(self):
        return f"sm_{self.minimum}" + ("a" if self.arch else "")


SM70, SM75, SM80, SM89, SM90, SM100 = (Floor(sm) for sm in (70, 75, 80, 89, 90, 100))
SM90A = Floor(90, arch=True, only=(90,))          # wgmma: Hopper and nothing after it
SM90A_UP = Floor(90, arch=True, family=True)      # tensormap.replace
SMALL_FLOATS = Floor(100, arch=True, family=True)  # conversions from and to fp6, fp4, ue8m0


@dataclasses.dataclass
class Case:
    row: str                      # of the contract table: the op this is about
    name: str                     # the kernel
    text: str                     # the gpu.func, and what else belongs into the gpu.module
    floor: Floor
    args: list = dataclasses.field(default_factory=list)    # for Emulator.run
    expect: dict = dataclasses.field(default_factory=dict)  # argument number -> bytes it must hold afterwards
    ptx: tuple = ()               # regular expressions the kernel's PTX must contain
    absent: tuple = ()            # and must not contain
    output: str = None            # what the kernel must print
    grid: tuple = (1,)
    block: tuple = (32,)
    cluster: tuple = ()
    shared: int = 0
    reports: tuple = ()           # hostile: the kinds of report of which one must come; otherwise none may
    says: str = ""                # hostile: and what its text must contain
    host: str = ""                # a module of host code, converted by itself and put where the text says @HOST@
    timings: tuple = (0, 1)       # of asynchronous operations: early, late

    def __post_init__(self):
        self.text = textwrap.dedent(self.text)

    @property
    def hostile(self):
        return bool(self.reports)


def kernel(name, params, body, *, workgroup=""):
    """A gpu.func whose body may use the thread number %t, the lane %lane and the constants %c0 to %c4."""
    memory = f" workgroup({workgroup})" if workgroup else ""
    constants = "\n".join(f"  %c{n} = arith.constant {n} : index" for n in (0, 1, 2, 3, 4, 8, 16, 32) if f"%c{n}" in body + "%c32")
    return (f"gpu.func @{name}({params}){memory} kernel {{\n{constants}\n"
            f"  %t = gpu.thread_id x\n  %lane = arith.remui %t, %c32 : index\n{textwrap.indent(textwrap.dedent(body), '  ')}\n"
            f"  gpu.return\n}}\n")
