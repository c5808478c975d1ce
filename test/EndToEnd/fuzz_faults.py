# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults to plant in PTX: what a compiler that does something wrong would have written. fuzz.py must find them."""

import re


class Fault:
    """`edit` gives changed PTX, or None where there is nothing to change. `kinds`: how a finding may begin. `operations`: of which
    one is to blame, and remains in a module of at most `most` operations."""

    def __init__(self, edit, kinds, operations, most):
        self.edit, self.kinds, self.operations, self.most = edit, kinds, operations, most


def replaced(pattern, text):
    def edit(ptx):
        changed, count = re.subn(pattern, text, ptx)
        return changed if count else None

    return edit


ALL = {
    # An addition that subtracts.
    "float-add": Fault(replaced(r"\badd\.rn\.f32\b", "sub.rn.f32"), ("mismatch",), ("addf", "mmaf", "atomic"), 20),
    # A maximum that forgets the sign.
    "signed-max": Fault(replaced(r"\bmax\.s32\b", "max.u32"), ("mismatch",), ("maxi", "max"), 20),
    # No waiting for the other threads of the block.
    "no-barrier": Fault(replaced(r"\n\s*(?:bar|barrier)(?:\.cta)?\.sync[^;]*;", "\n"), ("report", "mismatch"),
                        ("reduce", "scan", "permute", "store", "reshape", "cat", "extract", "mma", "alloca"), 20),
}
