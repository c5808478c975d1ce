# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""BUILD/docs/coverage-types.md from the results of op_types.py."""

import collections
import re

from op_builder import NONE, TYPES
from op_values import FLOATS

CASTS = ["ftof", "ftoi", "itof", "exti", "trunci", "bitcast"]
SHORT = {"f8E4M3FN": "e4m3", "f8E5M2": "e5m2", "f8E8M0FNU": "e8m0", "f4E2M1FN": "e2m1"}
LETTERS = {"": "n", "zero": "z", "negative_inf": "-", "positive_inf": "+", "nearest_away": "a"}


def short(t):
    return SHORT.get(t, t)


def outcome(case, results, targets):
    """What went wrong on which targets; what was not run counts as right."""
    return {t: results.get(case.name, {}).get(t) for t in targets if results.get(case.name, {}).get(t)}


def cells(cases):
    """(operation, type) -> its cases."""
    found = collections.defaultdict(list)
    for case in cases:
        for op in (case.op, *case.also):
            found[op, case.type].append(case)
    return found


def holes(cases, operations):
    """Cells nobody wrote a case for."""
    found = cells(cases)
    return [f"{op} {t}" for op in operations for t in TYPES if not found.get((op, t)) and not found.get((op, NONE))]


def cell(members, results, targets):
    allowed = [c for c in members if c.allowed]
    if not allowed:
        return "n/a"
    good = sum(not outcome(c, results, targets) for c in allowed)
    return str(good) if good == len(allowed) else f"{good} of {len(allowed)}"


def diagnostic(case, message):
    """A diagnostic with the types of the case taken out, so that one stands for all types."""
    message = re.sub(r",? but got .*", "", message or "?")
    message = re.sub(r"'?!?(cuda_tile\.)?tile<[^']*>'?", "T", message)
    return message.replace("|", "\\|").replace("<", "&lt;")


def pair_table(op, cases, results, targets):
    members = [c for c in cases if c.op == op and c.allowed]
    sources = [t for t in TYPES if any(c.type == t for c in members)]
    columns = [t for t in TYPES if any(c.pair == t for c in members)]
    text = f"| `{op}` from | " + " | ".join(short(t) for t in columns) + " |\n" + "|---" * (len(columns) + 1) + "|\n"
    for a in sources:
        row = []
        for b in columns:
            here = [c for c in members if (c.type, c.pair) == (a, b)]
            if not here:
                row.append("")
                continue
            bad = [c for c in here if outcome(c, results, targets)]
            if op == "ftof":
                row.append("".join(LETTERS[c.mode] for c in here if c not in bad) or "0")
            else:
                row.append(str(len(here) - len(bad)))
        text += f"| {short(a)} | " + " | ".join(row) + " |\n"
    return text + "\n"


def page(cases, said, results, targets, operations):
    found = cells(cases)
    allowed = [c for c in cases if c.allowed]
    wrong = [(c, outcome(c, results, targets)) for c in allowed if outcome(c, results, targets)]
    typed = sorted(op for op in operations if not found.get((op, NONE)))
    counts = collections.Counter()
    text = f"""# Operations by element type

Measured: `test/EndToEnd/op_types.py build --full --write` makes this page (`make docs`). `make test` runs a quarter of the cases and fails where
an operation has no case for an element type, or a case does not give what the table in `test/EndToEnd/op_table_*.py` says.

A number is how many modes of the operation were compiled for {', '.join(targets)}, run on the emulator without a report and gave, for
special values against each other, ties of rounding and random numbers, what the reference evaluator gives: the same bits, or for the
functions of docs/math-accuracy.md within their limits. `ptxas` assembled the PTX. A sample of the same runs for sm_86, 87, 88, 89, 103,
110 and 121, all of it with `--full --targets sm_86,sm_87,sm_88,sm_89,sm_103,sm_110,sm_121`. Of a conversion the column is the type
converted from; of operations on memory, views and pointers the type pointed to; of control flow the type carried; of matrix products
the operands' type; `ptr` is a tile of pointers. **n/a**: the verifier refuses the type, as the specification does; it was asked, and what it said stands below.

"""
    text += "| operation | " + " | ".join(short(t) for t in TYPES) + " |\n" + "|---" * (len(TYPES) + 1) + "|\n"
    for op in typed:
        row = []
        for t in TYPES:
            members = found.get((op, t), [])
            value = cell(members, results, targets) if members else "hole"
            counts["n/a" if value == "n/a" else "run" if value.isdigit() else "not"] += 1
            row.append(value)
        text += f"| `{op}` | " + " | ".join(row) + " |\n"
    text += f"\n{counts['run']} cells run, {counts['n/a']} n/a, {counts['not']} neither; {len(allowed)} cases for each of {len(targets)} targets.\n"
    text += "\nWithout an element type: " + ", ".join(f"`{op}` {cell(found[op, NONE], results, targets)}" for op in sorted(operations) if found.get((op, NONE))) + ".\n"
    text += "f8E5M3FNU (a developer preview of 13.4) is refused by name wherever a type is read.\n"

    text += "\n## Conversions\n\nModes of `ftof`: n nearest even, z toward zero, - and + toward the infinities, a nearest with ties away. Of the others: how many (signedness, `saturating`, overflow flags).\n\n"
    for op in CASTS:
        text += pair_table(op, cases, results, targets)

    text += "## Modes\n\n| operation | modes | of types |\n|---|---|---|\n"
    for op in sorted(operations):
        if op in CASTS:
            continue
        modes = collections.defaultdict(list)
        for c in allowed:
            if op == c.op and c.mode:
                modes[c.mode].append(c.type)
        full = [t for t in TYPES if any(c.op == op and c.type == t for c in allowed)]
        by_types = collections.defaultdict(list)
        for mode, types in modes.items():
            by_types["all" if types == full else ", ".join(short(t) for t in types)].append(mode)
        for types, names in by_types.items():
            text += f"| `{op}` | {'; '.join(n.replace('<', '&lt;') for n in names)} | {types} |\n"

    text += "\n## Why n/a\n\nT stands for a type.\n\n| operation | types | the verifier says |\n|---|---|---|\n"
    for op in sorted(operations):
        why = collections.defaultdict(list)
        for c in cases:
            if c.op == op and not c.allowed and not any(d.allowed for d in found[op, c.type]):
                message = diagnostic(c, said.get(c.name))
                if c.type not in why[message]:
                    why[message].append(c.type)
        for message, types in why.items():
            text += f"| `{op}` | {', '.join(short(t) for t in types)} | {message} |\n"
    if wrong:
        text += "\n## Not right\n\n| case | targets | why |\n|---|---|---|\n"
        for c, bad in wrong:
            first = next(iter(bad.values())).split("\n")[0].replace("|", "\\|").replace("<", "&lt;")
            text += f"| {c.name} | {', '.join(bad)} | {first} |\n"
    return text
