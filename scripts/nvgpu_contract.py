#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is made from tileiras/Dialect/NVGPU/contract.json.

usage: nvgpu_contract.py --cpp FILE     the table as C++, at build time
       nvgpu_contract.py [--check]      docs/dialects/nvgpu.md, or whether it is current
"""

import argparse
import difflib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tileiras" / "Dialect" / "NVGPU" / "contract.json"
PAGE = ROOT / "docs" / "dialects" / "nvgpu.md"
TEXT = ROOT / "docs" / "dialects" / "nvgpu.md.in"

REQUIRED = {"op", "form", "class", "origin", "seed", "emits", "ptx", "targets", "ptx_min"}
OPTIONAL = {"when", "isa", "note", "operands"}
VALUES = {"origin": {"upstream", "overridden", "ours"}, "seed": {"interned", "absent", "beyond"}}
TARGET = re.compile(r"sm_(\d+)([af]?)(?:@(\d+\.\d))?$")


def rows():
    """The rows, checked."""
    found, seen = json.loads(TABLE.read_text())["rows"], set()
    for row in found:
        name = f"{TABLE.name}: {row.get('op')} {row.get('form')!r}"
        if missing := REQUIRED - row.keys():
            sys.exit(f"{name}: lacks {sorted(missing)}")
        if unknown := row.keys() - REQUIRED - OPTIONAL:
            sys.exit(f"{name}: unknown key {sorted(unknown)}")
        for key, values in VALUES.items():
            if row[key] not in values:
                sys.exit(f"{name}: {key} is {row[key]!r}, not one of {sorted(values)}")
        if (row["op"], row["form"]) in seen:
            sys.exit(f"{name}: twice")
        seen.add((row["op"], row["form"]))
        if row["targets"] and not re.fullmatch(r"\d+\.\d", row["ptx_min"]):
            sys.exit(f"{name}: ptx_min is {row['ptx_min']!r}")
        for target in row["targets"]:
            if not TARGET.match(target):
                sys.exit(f"{name}: target {target!r}")
    return found


def floors(row):
    """(number, suffix, PTX version times ten) of each target."""
    for target in row["targets"]:
        number, suffix, version = TARGET.match(target).groups()
        yield int(number), suffix, int((version or row["ptx_min"]).replace(".", ""))


def covers(floor, target):
    """Whether a target's name is covered: contract.json's words on `targets`, as Floor::covers in Contract.cpp."""
    number, suffix, _ = floor
    have, have_suffix, _ = TARGET.match(target).groups()
    have = int(have)
    if suffix == "a":
        return have == number and have_suffix == "a"
    if suffix == "f":
        return have // 10 == number // 10 and have >= number and have_suffix != ""
    return have >= number


def cpp():
    lines = ["// Made by scripts/nvgpu_contract.py from contract.json.", ""]
    table = []
    for index, row in enumerate(rows()):
        members = ", ".join(f"{{{{{n}, {repr(s) if s else 0}}}, {v}}}" for n, s, v in floors(row))
        if members:
            lines.append(f"static constexpr Floor floors{index}[] = {{{members}}};")
        applies = "nullptr"
        if "when" in row:
            applies = f"applies{index}"
            lines.append(f"static bool {applies}(Operation *operation) {{ auto op = cast<{row['class']}>(operation); "
                         f"(void)op; return {row['when']}; }}")
        # A row whose class is another operation's would never apply: an error instead.
        lines.append(f'static_assert(std::string_view({row["class"]}::getOperationName().data()) == "{row["op"]}");')
        table.append(f'    {{"{row["op"]}", "{row["form"]}", {applies}, {f"floors{index}" if members else "{}"}}},')
    return "\n".join(lines + ["", "static const ContractRow table[] = {", *table, "};"]) + "\n"


def code(texts):
    return "<br>".join(f"`{text}`" for text in texts) if texts else "–"


def needs(row):
    if not row["targets"]:
        return "–"
    texts = []
    for number, suffix, version in floors(row):
        later = "" if suffix else "+"
        texts.append(f"sm_{number}{suffix}{later} (PTX {version // 10}.{version % 10})")
    return ", ".join(texts)


def page():
    table = ["| operation | form | by | emits | PTX | needs | |", "|---|---|---|---|---|---|---|"]
    for row in rows():
        note = row.get("note", "")
        if row["seed"] == "absent":
            note = "; ".join(filter(None, ["absent from the reference tool", note]))
        elif row["seed"] == "beyond":
            note = "; ".join(filter(None, ["not in the reference's table", note]))
        table.append("| " + " | ".join([f"`{row['op']}`", row["form"], row["origin"], code(row["emits"]), code(row["ptx"]),
                                        needs(row), note]) + " |")
    operations = len({row["op"] for row in rows()})
    return (TEXT.read_text().replace("@TABLE@", "\n".join(table)).replace("@ROWS@", str(len(rows())))
            .replace("@OPERATIONS@", str(operations)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cpp", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.cpp:
        options.cpp.write_text(cpp())
        return
    made, current = page(), PAGE.read_text() if PAGE.exists() else ""
    if options.check:
        if made != current:
            sys.stdout.writelines(difflib.unified_diff(current.splitlines(True), made.splitlines(True), str(PAGE), "made"))
            sys.exit("nvgpu_contract: docs/dialects/nvgpu.md is not current; run scripts/nvgpu_contract.py")
        return
    PAGE.write_text(made)


if __name__ == "__main__":
    main()
