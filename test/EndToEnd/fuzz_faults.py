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
    "float-add": Fault(replaced(r"\badd\.(r[nzmp])\.((?:ftz\.)?f(?:32|64))\b", r"sub.\1.\2"), ("mismatch",), ("addf", "mmaf", "atomic"), 20),
    # A maximum that forgets the sign.
    "signed-max": Fault(replaced(r"\bmax\.s32\b", "max.u32"), ("mismatch",), ("maxi", "max"), 20),
    # No waiting for the other threads of the block.
    "no-barrier": Fault(replaced(r"\n\s*(?:bar|barrier)(?:\.cta)?\.sync[^;]*;", "\n"), ("report", "mismatch"),
                        ("reduce", "scan", "permute", "store", "reshape", "cat", "extract", "mma", "alloca"), 20),
}

# Of these --plant says only after how many modules they show; `make test` has the ones above, which are also reduced.
FOUND = ("mismatch", "report", "timeout")
MORE = {name: Fault(replaced(pattern, text), FOUND, (), 0) for name, pattern, text in (
    ("rounds to nearest instead of toward zero", r"\b(add|sub|mul|fma|div|sqrt)\.rz\.", r"\1.rn."),
    ("rounds up instead of down", r"\b(add|sub|mul|fma|div|sqrt)\.rm\.", r"\1.rp."),
    ("keeps subnormals", r"\.ftz\b", ""),
    ("a NaN loses", r"\b(max|min)\.NaN\.", r"\1."),
    ("less or equal instead of less, signed", r"\bsetp\.lt\.s32\b", "setp.le.s32"),
    ("less or equal instead of less, f32", r"\bsetp\.lt\.f32\b", "setp.le.f32"),
    ("ordered instead of unordered", r"\bsetp\.(eq|ne|lt|le|gt|ge)u\.(f\d+)\b", r"setp.\1.\2"),
    ("shift without sign", r"\bshr\.s32\b", "shr.u32"),
    ("division without sign", r"\bdiv\.s32\b", "div.u32"),
    ("remainder without sign", r"\brem\.s64\b", "rem.u64"),
    ("extension without sign", r"\bcvt\.s64\.s32\b", "cvt.u64.u32"),
    ("low half of a product for the high one", r"\bmul\.hi\.u32\b", "mul.lo.u32"),
    ("f32 to f16 toward zero", r"\bcvt\.rn\.f16\.f32\b", "cvt.rz.f16.f32"),
    ("f32 to integers to nearest", r"\bcvt\.rzi\.(s|u)(32|64)\.f32\b", r"cvt.rni.\1\2.f32"),
    ("floor instead of ceil", r"\bcvt\.rpi\.", "cvt.rmi."),
    ("exchange instead of an atomic sum", r"\b(atom\S*)\.add\.u32\b", r"\1.exch.b32"),
    ("atomic maximum without sign", r"\b((?:atom|red)\S*)\.max\.s32\b", r"\1.max.u32"),
    ("stores for all threads", r"@%p\d+\s+(st\.global)", r"\1"),
    ("loads at the wrong lane", r"(shfl\.sync\.bfly\.b32\s.*?,\s*)1(,\s*31)", r"\g<1>2\2"),
    ("choice the other way round", r"\bselp\.b32(\s+%\w+,\s*)(%\w+),\s*(%\w+),", r"selp.b32\1\3, \2,"),
    ("wrong rows of a matrix", r"\b(ldmatrix\S*)\.trans\b", r"\1"),
    ("branch the other way round", r"@%p(\d+)(\s+bra)", r"@!%p\1\2"),
)}
