#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is made from tileiras/Dialect/NVGPU/contract.json, and whether it is true.

usage: nvgpu_contract.py --cpp FILE                the table as C++, at build time
       nvgpu_contract.py BUILD                     writes BUILD/docs/nvgpu-table.md, and the operands into the table
       nvgpu_contract.py BUILD --check             whether the operands in the table are current
       nvgpu_contract.py BUILD --test [--report F] every row's example for every target: with the target it is converted to
                                                   what the row says, without it is refused as the row says
       nvgpu_contract.py --ptxas PATH              whether ptxas agrees with the table about targets and versions
"""

import argparse
import bisect
import difflib
import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test"))

import targets  # noqa: E402

TABLE = ROOT / "tileiras" / "Dialect" / "NVGPU" / "contract.json"

REQUIRED = {"op", "form", "class", "origin", "seed", "emits", "ptx", "targets", "ptx_min", "example"}
OPTIONAL = {"when", "isa", "note", "probe", "operands", "attributes", "results"}
LINES = [["op", "form", "class", "when"], ["origin", "seed", "operands", "attributes", "results"],
         ["emits", "ptx", "targets", "ptx_min", "isa"], ["note"], ["probe"], ["example"]]
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
        if row["op"] not in row["example"]:
            sys.exit(f"{name}: the example has no {row['op']}")
        for target in row["targets"]:
            if not TARGET.match(target):
                sys.exit(f"{name}: target {target!r}")
    return found


def dump(found):
    """The file's own form: a few short lines per row, so that changes can be read."""
    comment = ",\n".join("    " + json.dumps(line) for line in json.loads(TABLE.read_text())["comment"])
    body = []
    for row in found:
        lines = [", ".join(f"{json.dumps(k)}: {json.dumps(row[k])}" for k in keys if k in row) for keys in LINES]
        body.append("    {" + ",\n     ".join(filter(None, lines)) + "}")
    return '{\n  "comment": [\n' + comment + '\n  ],\n  "rows": [\n' + ",\n".join(body) + "\n  ]\n}\n"


def setting(build, name, default):
    cache = pathlib.Path(build) / "CMakeCache.txt"
    found = re.search(rf"^{name}:\w+=(.+)$", cache.read_text(), re.M) if cache.exists() else None
    return found[1] if found else default


DEFINITIONS = ["mlir/Dialect/NVGPU/IR/NVGPUOps.td", "mlir/Dialect/GPU/IR/GPUOps.td",
               "mlir/Dialect/ControlFlow/IR/ControlFlowOps.td", "tileiras/Dialect/NVGPU/IR/NVGPUExtension.td"]


def definitions(build):
    """Operation -> (operands, attributes, results) as ODS has them."""
    tool = setting(build, "MLIR_TBLGEN", "/usr/lib/llvm-22/bin/mlir-tblgen")
    include = pathlib.Path(setting(build, "MLIR_DIR", "/usr/lib/llvm-22/lib/cmake/mlir")).parents[2] / "include"
    found = {}
    for file in DEFINITIONS:
        path = ROOT / file if file.startswith("tileiras") else include / file
        done = subprocess.run([tool, "-print-records", str(path), f"-I{ROOT}", f"-I{include}"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"nvgpu_contract: mlir-tblgen failed:\n{done.stderr}")
        records = dict(re.findall(r"^def (\w+) \{\t// (.*)$", done.stdout, re.M))
        for record in re.finditer(r"^def \w+ \{\t// [^\n]*\bOp\b.*?^\}$", done.stdout, re.M | re.S):
            name = re.search(r'^  string opName = "(.*)";$', record[0], re.M)
            dialect = re.search(r"^  Dialect opDialect = (\w+);$", record[0], re.M)
            if not name or not dialect:
                continue
            parts = ([], [], [])
            for dag, (into, attributes) in {"arguments": (parts[0], parts[1]), "results": (parts[2], parts[2])}.items():
                for kind, argument in re.findall(r"(\w+):\$(\w+)", re.search(rf"^  dag {dag} = \((.*)\);$", record[0], re.M)[1]):
                    classes = records.get(kind, "").split()
                    left_out = {"Optional", "OptionalAttr", "DefaultValuedAttr", "DefaultValuedOptionalAttr"} & set(classes)
                    mark = "..." if "Variadic" in classes else "?" if left_out or kind == "UnitAttr" else ""
                    (attributes if "Attr" in classes else into).append(argument + mark)
            prefix = {"ControlFlow_Dialect": "cf", "NVGPU_Dialect": "nvgpu", "GPU_Dialect": "gpu"}.get(dialect[1])
            found[f"{prefix}.{name[1]}"] = parts
    return found


def with_operands(build):
    known, filled = definitions(build), []
    for row in rows():
        row = {k: v for k, v in row.items() if k not in ("operands", "attributes", "results")}
        if row["op"] not in known:
            sys.exit(f"{TABLE.name}: {row['op']} is defined nowhere")
        if not row["form"]:
            row.update(zip(("operands", "attributes", "results"), known[row["op"]]))
        filled.append(row)
    return filled


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


# ------------------------------------------------------------------------------------------------------------------------
# The page
# ------------------------------------------------------------------------------------------------------------------------


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


def page(found):
    table = ["| operation | form | by | emits | PTX | needs | |", "|---|---|---|---|---|---|---|"]
    operands = ["| operation | operands | attributes | results |", "|---|---|---|---|"]
    for row in found:
        note = row.get("note", "")
        if row["seed"] == "absent":
            note = "; ".join(filter(None, ["absent from the reference tool", note]))
        table.append("| " + " | ".join([f"`{row['op']}`", row["form"], row["origin"], code(row["emits"]), code(row["ptx"]),
                                        needs(row), note]) + " |")
        if not row["form"]:
            operands.append("| " + " | ".join([f"`{row['op']}`"] + [", ".join(row[k]) for k in ("operands", "attributes", "results")]) + " |")
    count = len({row["op"] for row in found})
    return f"""# nvgpu: the table

{len(found)} rows for {count} operations. A row with a form holds for instances of the operation that have it, on top of the operation's own
row. Where a row names no emitted operation a later pass converts it. "needs" names the lowest target (`+`: and all later ones; `a`: only this
one; `f`: its family) with the PTX version.

{chr(10).join(table)}

## Operands

`?` may be left out, `...` stands for any number. The descriptions of the operations that are ours are in nvgpu.md beside this page.

{chr(10).join(operands)}
"""


# ------------------------------------------------------------------------------------------------------------------------
# The examples
# ------------------------------------------------------------------------------------------------------------------------

@functools.lru_cache(maxsize=None)
def all_targets():
    """The compiler's, each with its family and the name that has all its features; before them, what nvgpu has and tiles do not."""
    names = ["sm_70", "sm_75"]
    for row in targets.rows():
        names += [name for name in (row["name"], row["family"], row["compiled_as"]) if name and name not in names]
    return names


MAP = "!nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>"
GROUP = "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>"


def warpgroup(shape):
    return f"!nvgpu.warpgroup.descriptor<tensor = memref<{shape}, 3>>"


#: Values that examples use: arguments of the kernel, and what is computed from nothing.
ARGUMENTS = {
    "p": "i1", "n": "i32", "n32": "i32", "l": "i64", "mask": "i16", "f": "f32", "gf32": "memref<64x64xf32>", "desc": MAP,
    "pair": "vector<2xf32>", "meta": "vector<2xi16>",
    **{f"wd_{name}{b}": warpgroup(f"{k}x64x{t}" if b else f"64x{k}x{t}") for b in ("", "b") for name, t, k in (
        ("f16", "f16", 64), ("bf16", "bf16", 64), ("tf32", "tf32", 32), ("e4m3", "f8E4M3FN", 128), ("e5m2", "f8E5M2", 128))},
    **{name: f"vector<{shape}>" for name, shape in (pair.split() for pair in """
        a_f16 4x2xf16, b_f16 2x2xf16, c_f32 2x2xf32, a_bf16 4x2xbf16, b_bf16 2x2xbf16, a_tf32 2x1xf32, b_tf32 1x1xf32,
        a_tf32s 2x1xf32, b_tf32s 2x1xf32, a_f64 1x1xf64, b_f64 1x1xf64, c_f64 1x2xf64, a_s8 2x4xi8, b_s8 1x4xi8, a_s8s 2x4xi8,
        b_s8s 2x4xi8, c_s32 2x2xi32, a_s4 2x8xi4, b_s4 1x8xi4, a_s4s 2x8xi4, b_s4s 2x8xi4, a_f16s 2x2xf16,
        a_bf16s 2x2xbf16""".split(","))},
}
VALUES_OF = {
    "i0": "%i0 = arith.constant 0 : index", "i64": "%i64 = arith.constant 64 : index",
    "t": "%t = gpu.thread_id x", "lane": "%lane = gpu.lane_id", "bars": f"%bars = nvgpu.mbarrier.create -> {GROUP}",
    "sf32": "%sf32 = memref.get_global @sf32 : memref<64x64xf32, 3>",
    "sf16": "%sf16 = memref.get_global @sf16 : memref<64x64xf16, 3>",
    "mail": "%mail = memref.get_global @mail : memref<128xi8, 3>",
}
GLOBALS = {"sf32": "64x64xf32", "sf16": "64x64xf16", "mail": "128xi8"}


def module(row):
    """A module with the row's example. What needs no target is host code."""
    used = set(re.findall(r"%(\w+)", row["example"]))
    arguments = ", ".join(f"%{name}: {type_}" for name, type_ in ARGUMENTS.items() if name in used)
    if not row["targets"]:
        lines = [f"func.func @k({arguments}) {{"] + [text for name, text in VALUES_OF.items() if name in used]
        return "\n".join(lines + row["example"].split("\n") + ["return", "}"]) + "\n"
    lines = ["gpu.module @m {"]
    lines += [f'memref.global "private" @{n} : memref<{shape}, 3> {{alignment = 1024}}' for n, shape in GLOBALS.items() if n in used]
    lines += [f"gpu.func @k({arguments}) kernel {{"] + [text for name, text in VALUES_OF.items() if name in used]
    return "\n".join(lines + row["example"].split("\n") + ["gpu.return", "}", "}"]) + "\n"


def glob(text):
    """contract.json's words on `emits` and `ptx`."""
    return re.escape(text).replace(r"\*", r"[^\s]*")


def run_opt(build, found, *passes):
    """One run of tileiras-opt over the rows' modules: for each row its output ("" if it failed) and its errors."""
    command = [str(pathlib.Path(build) / "bin" / "tileiras-opt"), "-", "--split-input-file", *passes]
    text, starts = "", []
    for row in found:
        starts.append(text.count("\n") + 1)
        text += module(row) + "// -----\n"
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    errors = [[] for _ in found]
    for line, error in re.findall(r"^<stdin>:(\d+):\d+: error: (.*)$", done.stderr, re.M):
        errors[bisect.bisect_right(starts, int(line)) - 1].append(error)
    outputs = done.stdout.split("// -----\n")
    if len(outputs) < len(found):
        sys.exit(f"nvgpu contract: tileiras-opt {' '.join(passes)} gave {len(outputs)} of {len(found)} modules: {done.stderr[-2000:]}")
    return list(zip(outputs, errors))


def needed(row, found, target):
    """The rows that hold for the row's example and that the target lacks. An example may be of other forms too: of those
    this cannot know, and none asks for more than the row itself."""
    mine = [r for r in found if r["op"] == row["op"] and r["form"] in ("", row["form"])]
    return [r for r in mine if r["targets"] and not any(covers(floor, target) for floor in floors(r))]


def test_targets(build, found, wrong):
    """Each target: refused with one error of the right words, or not refused."""
    devices = [row for row in found if row["targets"]]
    for target in all_targets():
        for row, (_, errors) in zip(devices, run_opt(build, devices, f"--nvgpu-verify-target=chip={target}")):
            own = [e for e in errors if e.startswith(f"'{row['op']}'")]
            if not needed(row, found, target):
                if own:
                    wrong[row_name(row)].append(f"refused on {target}: {own[0]}")
            elif len(own) != 1:
                wrong[row_name(row)].append(f"{len(own)} errors on {target} instead of one")
            elif not re.fullmatch(rf"'{re.escape(row['op'])}'( \([\w ]+\))? needs sm_\w+( or later)?(, sm_\w+( or later)?)*; "
                                  rf"the target is {target}", own[0]):
                wrong[row_name(row)].append(f"on {target} it says: {own[0]}")


def test_versions(build, found, wrong):
    """One PTX version less than is needed, on the last target that has the operation."""
    groups = {}
    for row in found:
        here = [t for t in all_targets() if not needed(row, found, t)]
        if row["targets"] and here:
            needs_version = max(min(v for n, s, v in floors(r) if covers((n, s, v), here[-1])) for r in found
                                if r["op"] == row["op"] and r["form"] in ("", row["form"]))
            groups.setdefault((here[-1], needs_version), []).append(row)
    for (chip, version), group in groups.items():
        less = f"{(version - 1) // 10}.{(version - 1) % 10}"
        for row, (_, errors) in zip(group, run_opt(build, group, f"--nvgpu-verify-target=chip={chip} ptx-version={less}")):
            text = f"needs PTX {version // 10}.{version % 10} on {chip}; the PTX version is {less}"
            if not any(e.startswith(f"'{row['op']}'") and e.endswith(text) for e in errors):
                wrong[row_name(row)].append(f"PTX {less} is not refused on {chip}: {errors}")


def test_conversion(build, found, wrong):
    groups = {}
    for row in found:
        here = [t for t in all_targets() if not needed(row, found, t)]
        if not here:
            wrong[row_name(row)].append("no target has it")
            continue
        groups.setdefault(here[-1] if row["targets"] else "", []).append(row)
    for chip, group in groups.items():
        passes = ([f"--nvgpu-verify-target=chip={chip}"] if chip else []) + ["--convert-nvgpu-to-nvvm"]
        for row, (output, errors) in zip(group, run_opt(build, group, *passes)):
            if errors:
                wrong[row_name(row)].append(f"not converted for {chip}: {errors[0]}")
                continue
            wrong[row_name(row)] += [f"is not converted to {emitted}" for emitted in row["emits"]
                                     if not re.search(glob(emitted), output)]
            if row["emits"] and re.search(rf"(?<!\w){re.escape(row['op'])}(?![\w.])", output):
                wrong[row_name(row)].append("is still there after the conversion")


def row_name(row):
    return f"{row['op']} {row['form']}".strip()


def test(build, report):
    found = rows()
    wrong = {row_name(row): [] for row in found}
    for part in (test_targets, test_versions, test_conversion):
        part(build, found, wrong)
    for name, lines in wrong.items():
        for line in lines:
            print(f"{name}: {line}")
    failed = sum(bool(lines) for lines in wrong.values())
    print(f"nvgpu contract: {len(found) - failed} rows ok, {failed} not ok")
    if report:
        report.write_text(json.dumps({"passed": len(found) - failed, "failed": failed}))
    return failed


# ------------------------------------------------------------------------------------------------------------------------
# ptxas
# ------------------------------------------------------------------------------------------------------------------------

VERSIONS = [63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90]
PROBE = """.version {major}.{minor}
.target {target}
.address_size 64
.visible .entry k(.param .u64 a) {{
  .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .b16 %h<4>; .reg .pred %p<3>; .reg .f32 %f<9>; .reg .f64 %fd<4>;
  .shared .align 128 .b8 s[1024];
  ld.param.u64 %rd1, [a];
  {text}
  ret;
}}
"""


def assembles(ptxas, target, version, text):
    ptx = PROBE.format(major=version // 10, minor=version % 10, target=target, text=text)
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(ptx)
        file.flush()
        done = subprocess.run([ptxas, f"-arch={target}", file.name, "-o", "/dev/null"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode == 0


def test_ptxas(ptxas):
    found, wrong, asked = rows(), [], 0
    lowest = {}
    for target in all_targets():  # a target that this ptxas has forgotten (sm_70) has no version
        lowest[target] = next((v for v in VERSIONS if assembles(ptxas, target, v, "")), None)
    for row in found:
        for target in all_targets() if "probe" in row else []:
            if not lowest[target]:
                continue
            asked += 1
            name = f"{row_name(row)} on {target}"
            mine = [r for r in found if r["op"] == row["op"] and r["form"] in ("", row["form"])]
            if needed(row, found, target):
                if assembles(ptxas, target, VERSIONS[-1], row["probe"]):
                    wrong.append(f"{name}: the table says no, ptxas takes it")
                continue
            version = max(min(v for n, s, v in floors(r) if covers((n, s, v), target)) for r in mine)
            version = max(version, lowest[target])
            if not assembles(ptxas, target, version, row["probe"]):
                wrong.append(f"{name}: ptxas does not take it with PTX {version / 10}")
            elif version > lowest[target] and assembles(ptxas, target, VERSIONS[VERSIONS.index(version) - 1], row["probe"]):
                wrong.append(f"{name}: ptxas takes it before PTX {version / 10}")
    for line in wrong:
        print(line)
    print(f"nvgpu contract: ptxas agrees {asked - len(wrong)} times, disagrees {len(wrong)} times")
    return len(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?", default=ROOT / "build")
    parser.add_argument("--cpp", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--test", action="store_true")
    parser.add_argument("--ptxas")
    parser.add_argument("--report", type=pathlib.Path)
    options = parser.parse_args()
    if options.cpp:
        options.cpp.write_text(cpp())
        return
    if options.ptxas:
        sys.exit(1 if test_ptxas(options.ptxas) else 0)
    if options.test:
        sys.exit(1 if test(options.build, options.report) else 0)
    found = with_operands(options.build)
    made, current = dump(found), TABLE.read_text()
    if options.check:
        sys.stdout.writelines(difflib.unified_diff(current.splitlines(True), made.splitlines(True), TABLE.name, "made"))
        sys.exit(f"nvgpu_contract: {TABLE.name} is not current; run scripts/nvgpu_contract.py BUILD" if made != current else 0)
    if made != current:
        TABLE.write_text(made)
    folder = pathlib.Path(options.build) / "docs"
    folder.mkdir(exist_ok=True)
    (folder / "nvgpu-table.md").write_text(page(found))


if __name__ == "__main__":
    main()
