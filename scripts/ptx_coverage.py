#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes BUILD/docs/ptx-coverage.md: which PTX instructions the emulator knows, executes, shows to the race checker, and which its
tests execute.

    ptx_coverage.py BUILD            runs the emulator's unit tests and writes the page
    ptx_coverage.py BUILD --check    fails where a form of an instruction is executed by no unit test
    ... --recorded FOLDER            what a test run recorded (TILEIRAS_EMULATOR_COVERAGE, *.ptx-rows) instead of a run of its own

The rows come from the instruction table (tileiras/Emulator/PTX/Table*.cpp). "Executed", "seen" and "tested" are measured:
tileiras/Emulator/Machine/Coverage.h. What was run on hardware is listed in docs/ptx-hardware.txt, one instruction per line.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tileiras" / "Emulator"
HARDWARE = ROOT / "docs" / "ptx-hardware.txt"

Row = collections.namedtuple("Row", "opcode op cls words operands sm family")
SECTIONS = {"Arithmetic": "Arithmetic, logic, comparison, conversion", "Memory": "Data movement and atomics",
            "Video": "Video", "Warp": "Warps, barriers, fences, control flow", "Matrix": "Matrices",
            "Wgmma": "wgmma",
            "Async": "Asynchronous copies of threads, mbarrier", "Tma": "Bulk and tensor copies", "Tcgen05": "tcgen05"}
# What does not touch memory and orders nothing.
REGISTER_ONLY = {"Integer", "Logic", "Float32", "Float64", "Half", "Convert", "Compare", "Move", "Special", "Branch", "Call"}
TYPE = re.compile(r"[busf]\d+(x2)?|bf16(x2)?|tf32|pred|u?e\dm\d(x\d)?|ue8m0(x2)?|\$\w+")
SHAPE = re.compile(r"m\d+n\d+(k\d+)?")
NOT_A_NAME = {"row", "col", "hi", "rn", "rna", "sat", "satfinite", "approx", "ftz", "block_scale"}


def rows():
    text = r'"((?:[^"]|"\s*")*)"'
    row = re.compile(r"\{" + text + r",\s*Op::(\w+),\s*C::(\w+),\s*" + text + r",\s*" + text + r",\s*(\d+)\}")
    for file in sorted((FOLDER / "PTX").glob("Table*.cpp")):
        source = file.read_text()
        for name, value in re.findall(r'^#define (\w+) (".*")$', source, re.M):
            source = re.sub(rf"\b{name}\b", lambda _: value, source)
        for m in row.finditer(source):
            opcode, op, cls, words, operands, sm = (re.sub(r'"\s*"', "", g) for g in m.groups())
            yield Row(opcode, op, cls, words, operands, int(sm), file.stem[len("Table"):])


def name_of(row):
    """The opcode and the words that make it another instruction: "cp.async.commit_group", "fence.proxy.async"."""
    parts = [row.opcode]
    for word in row.words.split():
        if word in ("sync", "aligned", "$sp") or SHAPE.match(word):
            parts += ["sp"] if word == "$sp" else []
            continue
        if word.startswith("sp::"):
            word = "sp"
        if word.endswith("?") or "|" in word or "$" in word or "*" in word or word in NOT_A_NAME or TYPE.fullmatch(word):
            break
        parts.append(word)
    return ".".join(parts)


def no_effect():
    """Operations that are bound to a handler that does nothing."""
    found = set()
    for file in (FOLDER / "Machine").rglob("Bind*.cpp"):
        for m in re.finditer(r"((?:case Op::\w+:\s*)+)return finish\(i, handlers::nop\);", file.read_text()):
            found.update(re.findall(r"Op::(\w+)", m[1]))
    return found


def record(build, file):
    environment = dict(os.environ, TILEIRAS_EMULATOR_COVERAGE=str(file))
    for test in sorted((build / "unittests").glob("Emulator*Test")):
        done = subprocess.run([str(test), "--gtest_brief=1"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            sys.exit(f"{test.name} fails, so nothing can be said about what it tests:\n{done.stdout.decode(errors='replace')[-2000:]}")


def page(table, executed, observed):
    hardware = set(HARDWARE.read_text().split()) if HARDWARE.exists() else set()
    nops = no_effect()
    out = ["# PTX coverage", "",
           "Made by `scripts/ptx_coverage.py` (`make docs`, `make test`). A form that no unit test executes fails `make test`.", "",
           "One line per instruction, with the number of its forms: combinations of modifiers and types that the verifier tells",
           "apart (rows of the instruction table). Everything that is not here is refused by name, with its place in the text.", "",
           "* **executed**: `yes`, or `no effect` for hints that change no result.",
           "* **races**: forms whose accesses or synchronisation the race checker was told of in the tests; `-` where there is",
           "  nothing to tell, because only registers are touched.",
           "* **tested**: forms that unit tests execute.",
           "* **hardware**: compared with a GPU.", ""]
    families = collections.OrderedDict((k, collections.OrderedDict()) for k in SECTIONS)
    for row in table:
        families.setdefault(row.family, collections.OrderedDict()).setdefault(name_of(row), []).append(row)
    total = [0, 0]
    for family, names in families.items():
        if not names:
            continue
        out += [f"## {SECTIONS.get(family, family)}", "", "| instruction | forms | from | executed | races | tested | hardware |",
                "|---|---|---|---|---|---|---|"]
        for name in sorted(names):
            forms = names[name]
            keys = [(r.opcode, r.words, r.operands) for r in forms]
            tested, seen = sum(k in executed for k in keys), sum(k in observed for k in keys)
            total[0] += tested
            total[1] += len(forms)
            quiet = all(r.cls in REGISTER_ONLY for r in forms)
            hint = all(r.op in nops for r in forms)
            oldest = min(r.sm for r in forms)
            out.append(f"| `{name}` | {len(forms)} | {f'sm_{oldest}' if oldest else ''} | {'no effect' if hint else 'yes'} | "
                       f"{'-' if quiet and not seen or hint else seen} | {tested} | {'yes' if name in hardware else 'no'} |")
        out.append("")
    out += [f"{total[0]} of {total[1]} forms are executed by unit tests.", ""]
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--recorded", type=pathlib.Path)
    options = parser.parse_args()
    table = list(rows())
    with tempfile.TemporaryDirectory(prefix="tileiras-ptx-") as folder:
        recorded = options.recorded
        if not recorded:
            recorded = pathlib.Path(folder) / "rows"
            record(options.build, recorded)
        sets = {"executed": set(), "observed": set()}
        for file in sorted(recorded.glob("*.ptx-rows")) if recorded.is_dir() else [recorded]:
            for line in file.read_text().splitlines():
                kind, *key = line.split("\t")
                sets[kind].add(tuple(key))
    known = {(r.opcode, r.words, r.operands) for r in table}
    strange = (sets["executed"] | sets["observed"]) - known
    if strange:
        print(f"the tests executed rows that this script does not find in the table, for example {sorted(strange)[0]}")
        return 1
    folder = options.build / "docs"
    folder.mkdir(exist_ok=True)
    (folder / "ptx-coverage.md").write_text(page(table, sets["executed"], sets["observed"]))
    if not options.check:
        return 0
    holes = [row for row in table if (row.opcode, row.words, row.operands) not in sets["executed"]]
    for row in holes:
        print(f"no unit test executes `{row.opcode}` {row.words} {row.operands} (Table{row.family}.cpp)")
    return 1 if holes else 0


if __name__ == "__main__":
    sys.exit(main())
