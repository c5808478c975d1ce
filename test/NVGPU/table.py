# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which rows of the contract (tileiras/Dialect/NVGPU/contract.json) a kernel exercises, and the page of results."""

import importlib.util
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

_spec = importlib.util.spec_from_file_location("nvgpu_contract", ROOT / "scripts" / "nvgpu_contract.py")
_contract = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_contract)
ROWS = {(row["op"], row["form"]): row for row in _contract.rows()}

# How a kernel's text shows that it has a form. One form only: the plain operation is in every kernel that names it.
_MMA = {"f16": "f16", "bf16": "bf16", "tf32": "f32", "f64": "f64", "s8": "i8", "s4": "i4"}
_WGMMA = {"f16": "f16", "bf16": "bf16", "tf32": "tf32", "e4m3": "f8E4M3FN", "e5m2": "f8E5M2"}
_PACKED = {"fp8": "e[45]m[23]x2", "fp6": "e[23]m[23]x2", "fp4": "e2m1x2", "ue8m0": "ue8m0x2"}
FORMS = {
    ("nvgpu.device_async_copy", "bypassL1"): r"device_async_copy [^\n]*bypassL1",
    ("nvgpu.device_async_copy", "srcElements"): r"device_async_copy [^\n]*\], \d+, %",
    ("nvgpu.tma.async.load", "multicast"): r"multicast_mask",
    **{(f"nvgpu.tma.async.{op}", "l2CacheHint"): rf"nvgpu\.tma\.async\.{op} [^\n]*nvgpu\.l2_cache_hint" for op in ("load", "store")},
    ("nvgpu.ldmatrix", "transpose"): r"nvgpu\.ldmatrix [^\n]*transpose = true",
    ("nvgpu.stmatrix", "transpose"): r"nvgpu\.stmatrix [^\n]*\{transpose\}",
    ("gpu.subgroup_reduce", "uniform i32"): r"gpu\.subgroup_reduce [^\n]*uniform : \(i32\)",
    **{("nvgpu.mma.sync", form): rf"nvgpu\.mma\.sync\([^\n]*\n\s*: \(vector<\d+x\d+x{type_}>" for form, type_ in _MMA.items()},
    **{("nvgpu.mma.sp.sync", form): rf"nvgpu\.mma\.sp\.sync\([^\n]*\n\s*: \(vector<\d+x\d+x{type_}>" for form, type_ in _MMA.items()},
    **{("nvgpu.warpgroup.mma", form): rf"warpgroup\.mma %[^\n]*\n\s*: !nvgpu\.warpgroup\.descriptor<tensor = memref<\d+x\d+x{type_},"
       for form, type_ in _WGMMA.items()},
    **{(f"nvgpu.cvt_{op}", form): rf"cvt_{op} %\w+, {kind}\b" for op in ("fpext", "fptrunc") for form, kind in _PACKED.items()},
}


def covers(key, target):
    """Whether the contract says that a target has a row. Host code has no target."""
    row = ROWS[key]
    return not row["targets"] or any(_contract.covers(floor, target) for floor in _contract.floors(row))


def exercised(case):
    text = case.text + case.host
    names = set(re.findall(r"\b(?:nvgpu|gpu|cf)\.[\w.]+", text))
    return [(op, form) for op, form in ROWS
            if op in names and (not form or ((op, form) in FORMS and re.search(FORMS[op, form], text)))]


def shown(case, ptx, module):
    """The rows a kernel exercises whose instructions, as the contract writes them, are in its PTX. An operation has several
    (a shuffle or redux.sync), so not every kernel shows every row. Directives stand outside the kernel."""
    return [key for key in exercised(case)
            if all(re.search(_contract.glob(text), module if text.startswith(".") else ptx) for text in ROWS[key]["ptx"])]


def cells(cases, results, targets):
    """(op, form) -> [planted mistakes, what stands in each target's column], and what is missing."""
    table, missing = {}, []
    for key in ROWS:
        planted = sum(1 for case in cases if case.hostile and case.row == key[0] and
                      (key in exercised(case) if key[1] == "multicast" else not key[1]))
        line = [str(planted or "")]
        for target in targets:
            kind = "run" if covers(key, target) else "refused"
            count = sum(1 for r in results if r.target == target and r.kind == kind and key in r.rows)
            if not count:
                missing.append(f"{key[0]}{f' ({key[1]})' if key[1] else ''}: no kernel is {kind} for {target}")
            elif kind == "run" and not any(r.target == target and key in r.shown for r in results):
                missing.append(f"{key[0]}{f' ({key[1]})' if key[1] else ''}: no kernel's PTX for {target} has {ROWS[key]['ptx']}")
            line.append(str(count) if kind == "run" else "refused")
        table[key] = line
    return table, missing


HEAD = """# nvgpu: executed tests

Made by `test/NVGPU/run.py BUILD --targets=all --write` (`make docs`).

A number counts kernels that have the operation, were compiled for the target, assembled by `ptxas`, searched for the row's
instruction and executed on the emulator, with the race checker, copies as early and as late as allowed, and left exactly the bytes that an oracle in
Python expects. `refused`: the target lacks it, and the compiler says so in one error at the operation. "planted" counts kernels with a
mistake (a missing wait, barrier or fence, a wrong byte count, phase or group) that the emulator must report.
docs/dialects/nvgpu.md says how to run a part of this.

"""


def page(table, targets):
    lines = [f"| operation | form | planted | {' | '.join(targets)} |", "|---|---|---|" + "---|" * len(targets)]
    lines += [f"| `{op}` | {form} | {' | '.join(line)} |" for (op, form), line in table.items()]
    return HEAD + "\n".join(lines) + "\n"
