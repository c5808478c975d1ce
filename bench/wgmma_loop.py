#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The k loop of products by wgmma in machine code, ours beside Triton's of the same structure: without TMA, one stage.

usage: wgmma_loop.py BUILD_DIR [--all] [--stages N,...] [--write FILE.md] [--check] [--report FILE.json]

Both compile the same masked product for sm_90, of f16 by default, with --all of the other types, too; ptxas assembles both, nvdisasm shows the loop, the emulator counts bank conflicts.
--check fails if ours is worse in a column than Triton's with one stage, if a loop has more WARPGROUP.ARRIVE than groups of products, or
if it moves sums. Needs ptxas, nvdisasm (as scripts/inner_loop.py finds it) and a Python with Triton in TILEIRAS_TRITON_PYTHON; skipped, with a message,
where one is missing (without Triton: its rows).
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "test" / "EndToEnd")]
import inner_loop  # noqa: E402
import matrix_kernels  # noqa: E402
from harness import find_ptxas  # noqa: E402

# Tile, warps, factors, sums. Factors of 8 and 32 bits have k fastest in memory on either side.
TILES = [(64, 128, 64, 4, "f16", "f32"), (128, 128, 64, 8, "f16", "f32"), (128, 256, 64, 8, "f16", "f32")]
OTHERS = [(64, 128, 64, 4, "f16", "f16"), (128, 128, 64, 8, "f16", "f16"), (128, 256, 64, 8, "f16", "f16"), (128, 128, 64, 8, "bf16", "f32"),
          (64, 64, 32, 4, "tf32", "f32"), (128, 128, 32, 8, "tf32", "f32"), (64, 64, 128, 4, "i8", "i32"), (128, 128, 128, 8, "i8", "i32"),
          (128, 256, 128, 8, "i8", "i32")]
NAMES = {"f16": "fp16", "bf16": "bf16", "tf32": "fp32", "f32": "fp32", "i8": "i8", "i32": "i32"}
SIZE = 256  # of the arrays, for the emulator
COLUMNS = ["instructions in the loop", "products", "arrive", "waits", "moves of sums", "block barriers", "registers", "spilled bytes", "bank conflicts"]
WORSE = ["instructions in the loop", "arrive", "moves of sums", "block barriers", "spilled bytes", "bank conflicts"]


def output(words, **options):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, check=True, **options).stdout


def sums_of(loop):
    """Numbers of the registers that hold sums."""
    registers = set()
    for name, operands in loop:
        if match := re.match(r"[HIQ]GMMA\.64x(\d+)x\d+\.(\w+)", name):
            first = int(re.match(r"\s*R(\d+)", operands)[1])
            registers |= set(range(first, first + int(match[1]) // (4 if match[2] == "F16" else 2)))
    return registers


def measure(ptx, ptxas, nvdisasm, tool, shape, launch):
    cubin = ptx.with_suffix(".cubin")
    said = subprocess.run([ptxas, "-v", "-arch=sm_90a", str(ptx), "-o", str(cubin)], capture_output=True, text=True, check=True)
    said = said.stdout + said.stderr
    (_, body), *_ = inner_loop.functions(output([nvdisasm, "-c", cubin]))
    loop = inner_loop.instructions_of(body)[0]
    names, sums = [name for name, _ in loop], sums_of(loop)
    moved = [op for op in loop if "GMMA" not in op[0] and (m := re.match(r"\s*R(\d+)\b", op[1])) and int(m[1]) in sums]
    tm, tn, _, _, t, acc = shape
    fill = "random(lo=-9,hi=9)" if t == "i8" else "normal"
    # PTX that reads sums under way is not counted (Triton 3.9 does, of f16).
    ran = subprocess.run([str(w) for w in (tool, ptx, "--entry=gemm", f"--grid={SIZE // tm},{SIZE // tn},1", "--engine=emulator", "--stats", f"a:{t}[{SIZE}x{SIZE}]={fill}",
                    f"b:{t}[{SIZE}x{SIZE}]={fill}", f"out:o:{acc}[{SIZE}x{SIZE}]=poison", *[f"i32={SIZE}"] * 3, *launch)], capture_output=True, text=True)
    conflicts = re.search(r"shared bank conflicts\s+(\d+)", ran.stdout)
    if ran.returncode not in (0, 6) or (ran.returncode == 0 and not conflicts):
        raise RuntimeError(ran.stdout + ran.stderr)
    return {"instructions in the loop": len(loop), "products": sum("GMMA" in n for n in names), "arrive": names.count("WARPGROUP.ARRIVE"),
            "waits": sum(n.startswith("WARPGROUP.DEPBAR") for n in names), "moves of sums": len(moved),
            "block barriers": sum(n.startswith("BAR.") for n in names), "registers": int(re.search(r"Used (\d+) registers", said)[1]),
            "spilled bytes": sum(map(int, re.findall(r"(\d+) bytes spill", said))), "groups": ptx.read_text().count("wgmma.commit_group"),
            "bank conflicts": int(conflicts[1]) if ran.returncode == 0 else None, "warnings": len(re.findall(r"warning|C75\d\d", said))}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--stages", default="1,2")
    parser.add_argument("--write")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--report")
    args = parser.parse_args()
    python, ptxas = os.environ.get("TILEIRAS_TRITON_PYTHON"), find_ptxas()
    nvdisasm = inner_loop.find_nvdisasm()
    if not ptxas or not nvdisasm:
        missing = "ptxas" if not ptxas else "nvdisasm"
        print(f"wgmma loop: skipped, there is no {missing}")
        if args.report:
            pathlib.Path(args.report).write_text(json.dumps({"passed": 0, "failed": 0, "skipped": 1, "skips": [missing]}))
        return 0
    build, results = pathlib.Path(args.build).resolve() / "bin", []
    tiles = TILES + OTHERS if args.all else TILES
    with tempfile.TemporaryDirectory(prefix="tileiras-wgmma-loop-") as folder:
        folder = pathlib.Path(folder)
        for shape in tiles:
            t, acc = shape[4:]
            case = matrix_kernels.gemm(t, acc, SIZE, SIZE, SIZE, *shape[:3], aligned=True, transposed="16" not in t,
                                       signs=("signed", "signed") if t == "i8" else None)
            source = folder / "ours.mlir"
            source.write_text(case.text)
            ptx = folder / f"ours-{shape[0]}-{shape[1]}-{t}-{acc}.ptx"
            output([build / "tileiras", source, "--gpu-name=sm_90", f"--num-warps={shape[3]}", "--pipeline-options=pipeline-strategy=none",
                    "--emit=ptx", "-o", ptx])
            results.append((shape, "ours", measure(ptx, ptxas, nvdisasm, build / "tileiras-run", shape, [])))
        if python:
            names = {f"triton-{s[0]}-{s[1]}-{s[4]}-{s[5]}-{n}": (s, n) for s in tiles for n in map(int, args.stages.split(","))}
            output([python, ROOT / "bench/triton_gemm.py", folder, *[f"{name}:{s[0]}x{s[1]}x{s[2]}:{s[3]}:{n}:{NAMES[s[4]]}:0:{NAMES[s[5]]}" for name, (s, n) in names.items()]],
                   env=os.environ | {"PYTHONWARNINGS": "ignore"})
            for name, (shape, stages) in names.items():
                ptx = folder / f"{name}.ptx"
                hidden = len(re.findall(r"\.param", re.search(r"\.entry[^(]*\((.*?)\)", ptx.read_text(), re.S)[1])) - 6
                launch = ["i64=0"] * hidden + [f"--block={32 * shape[3]},1,1", f"--dynamic-shared={(folder / f'{name}.shared').read_text()}"]
                results.append((shape, f"Triton, {stages} stage{'s' if stages > 1 else ''}", measure(ptx, ptxas, nvdisasm, build / "tileiras-run", shape, launch)))
        else:
            print("wgmma loop: no Triton (TILEIRAS_TRITON_PYTHON), only ours")
    results.sort(key=lambda r: (tiles.index(r[0]), r[1] != "ours", r[1]))
    lines = ["| tile | factors, sums | warps | compiler | " + " | ".join(COLUMNS) + " |", "|---|---|---|---|" + "---|" * len(COLUMNS)]
    lines += [f"| {'x'.join(map(str, shape[:3]))} | {shape[4]}, {shape[5]} | {shape[3]} | {who} | " + " | ".join(str(row[c]) for c in COLUMNS) + " |" for shape, who, row in results]
    print("\n".join(lines))
    if args.write:
        pathlib.Path(args.write).write_text("# The k loop of wgmma\n\nRows and columns masked. Generated by `bench/wgmma_loop.py`.\n\n" + "\n".join(lines) + "\n")
    wrong = []
    for shape, who, row in results:
        if who == "ours":
            theirs = next((r for s, w, r in results if s == shape and w == "Triton, 1 stage"), None)
            wrong += [f"{shape}: {c} {row[c]}, Triton {theirs[c]}" for c in WORSE if theirs and theirs[c] is not None and row[c] > theirs[c]]
            wrong += [f"{shape}: {row['arrive']} arrive for {row['groups']} groups"] if row["arrive"] > row["groups"] else []
            wrong += [f"{shape}: sums are moved"] if row["moves of sums"] else []
            wrong += [f"{shape}: ptxas warns"] if row["warnings"] else []
    failed = len({line.split(":")[0] for line in wrong})
    passed = len(tiles) - failed
    print(f"wgmma loop: {passed} ok, {failed} not ok")
    if args.report:
        pathlib.Path(args.report).write_text(json.dumps({"passed": passed, "failed": failed}))
    for line in wrong:
        print("worse:", line)
    return 1 if args.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
