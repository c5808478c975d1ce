#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registers and spills of the corpus, as `ptxas -v` reports them.

usage: spills.py BUILD_DIR [--corpus DIR] [--filter TEXT] [--largest N] [--every N] [--targets sm_80,sm_90] [--jobs N]
                 [--report FILE.jsonl] [--against FILE.jsonl] [--write FILE.md]

Every module is compiled to PTX and assembled; what spills once more with --register-limits=ptx, which is what a cubin is
made of. Per kernel: warps, registers per thread, bytes of spill stores and loads per thread, and how long compiler and
assembler took. The corpus is the one of test/EndToEnd/corpus.py. --largest takes the N modules with the largest tiles,
--every then each N-th of them. --report keeps the numbers, --against compares with kept ones.
"""

import argparse
import collections
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "EndToEnd"))
import run as endtoend  # noqa: E402
from harness import find_ptxas  # noqa: E402

COMPILE_S, ASSEMBLE_S = 120, 120
CLASSES = [(4096, "up to 4,096"), (8192, "8,192"), (16384, "16,384"), (32768, "32,768"), (65536, "65,536"), (1 << 62, "131,072 and more")]


def largest_tile(row):
    return max([int(name.split("|n")[1]) for name in row.get("tile_types", [])] + [0])  # some rows say nothing of tiles


def assembled(text):
    """Registers, spill stores and loads of the kernel that spills most in what ptxas said."""
    registers = [int(n) for n in re.findall(r"Used (\d+) registers", text)]
    loads = [int(n) for n in re.findall(r"(\d+) bytes spill loads", text)]
    return max(registers, default=0), endtoend.spilled_bytes(text), max(loads, default=0)


def timed(words, seconds):
    start = time.monotonic()
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
        return done.returncode, done.stdout.decode(errors="replace"), time.monotonic() - start
    except subprocess.TimeoutExpired:
        return -1, f"timeout after {seconds} s", time.monotonic() - start


def measure(tool, ptxas, file, target):
    """The numbers of one module, with `outcome` "ok", or what went wrong."""
    with tempfile.TemporaryDirectory(prefix="tileiras-spills-") as scratch:
        ptx = pathlib.Path(scratch) / "kernel.ptx"
        compiler = [str(tool), str(file), f"--gpu-name={target}", "--emit=ptx", "-o", str(ptx)]
        assembler = [ptxas, "-v", f"-arch={endtoend.compiled_as(target)}", str(ptx), "-o", "/dev/null"]
        code, text, seconds = timed(compiler, COMPILE_S)
        result = {"compile_s": round(seconds, 3)}
        if code:
            return {**result, "outcome": "not compiled", "text": text[-600:]}
        body = ptx.read_text()
        threads = [int(n) for n in re.findall(r"\.(?:reqntid|maxntid) (\d+)", body)]
        result |= {"ptx_lines": body.count("\n"), "warps": max(threads, default=0) // 32}
        code, text, seconds = timed(assembler, ASSEMBLE_S)
        result["ptxas_s"] = round(seconds, 3)
        if code:
            return {**result, "outcome": "not assembled", "text": text[-600:]}
        usually = assembled(text)[1]
        if usually:  # a cubin has the order that spills least
            for words in ([*compiler, "--register-limits=ptx", f"--ptxas-path={ptxas}"], assembler):
                code, text, seconds = timed(words, COMPILE_S + 4 * ASSEMBLE_S)
                if code:
                    return {**result, "outcome": "not assembled", "text": text[-600:]}
            result["spilled_usually"] = usually
        registers, stores, loads = assembled(text)
        return {**result, "outcome": "ok", "registers": registers, "spill_stores": stores, "spill_loads": loads}


def table(results, targets):
    lines = ["| target | largest tile | modules | measured | spilling | spill stores, bytes per thread: median, largest | most registers |",
             "|---|---|---|---|---|---|---|"]
    for target in targets:
        below = 0
        for bound, name in CLASSES:
            mine = [r for r in results if r["target"] == target and below < r["tile"] <= bound]
            below = bound
            good = [r for r in mine if r["outcome"] == "ok"]
            spilling = sorted(r["spill_stores"] for r in good if r["spill_stores"])
            if mine:
                amount = f"{spilling[len(spilling) // 2]}, {spilling[-1]}" if spilling else "–"
                lines.append(f"| {target} | {name} | {len(mine)} | {len(good)} | {len(spilling)} | {amount} | "
                             f"{max((r['registers'] for r in good), default=0)} |")
    lines += ["", "The twenty kernels that spill most:", "", "| target | kernel | largest tile | warps | registers | spill stores | loads |",
              "|---|---|---|---|---|---|---|"]
    worst = sorted((r for r in results if r.get("spill_stores")), key=lambda r: -r["spill_stores"])[:20]
    for r in worst:
        lines.append(f"| {r['target']} | {r['test'].split('::')[-1][:70].replace('|', ' ')} `{r['file']}` | {r['tile']} | {r['warps']} | "
                     f"{r['registers']} | {r['spill_stores']} | {r['spill_loads']} |")
    return "\n".join(lines) + "\n"


def compare(results, before):
    old = {(r["file"], r["target"]): r for r in before}
    changes = []
    for r in results:
        was = old.get((r["file"], r["target"]))
        if was and (r["outcome"], r.get("spill_stores")) != (was["outcome"], was.get("spill_stores")):
            changes.append((r.get("spill_stores", 0) - was.get("spill_stores", 0), was, r))
    for _, was, r in sorted(changes, key=lambda c: -c[0]):
        print(f"{r['target']} {r['file']}: {was['outcome']} {was.get('spill_stores', '')} -> {r['outcome']} {r.get('spill_stores', '')}"
              f"  {r['test'].split('::')[-1][:80]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--corpus", default=os.environ.get("TILEIRAS_CORPUS", ROOT.parent / "shared" / "corpus"))
    parser.add_argument("--filter", default="")
    parser.add_argument("--largest", type=int, default=0)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--targets", default="sm_80,sm_90")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--report")
    parser.add_argument("--against")
    parser.add_argument("--write")
    args = parser.parse_args()
    corpus, tool, ptxas = pathlib.Path(args.corpus), pathlib.Path(args.build).resolve() / "bin" / "tileiras", find_ptxas()
    if not (corpus / "index.jsonl").exists() or not ptxas:
        print(f"spills: skipped, there is no {'ptxas' if not ptxas else corpus / 'index.jsonl'}")
        return 0
    rows = [json.loads(line) for line in (corpus / "index.jsonl").read_text().splitlines()]
    rows = [r for r in rows if args.filter in r["file"] + " " + r["symbol"] + " " + r.get("test", "")]
    if args.largest:
        rows = sorted(rows, key=lambda r: -largest_tile(r))[:args.largest]
    rows = rows[::args.every]
    targets, results = args.targets.split(","), []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = [(row, target, pool.submit(measure, tool, ptxas, corpus / row["file"], target)) for row in rows for target in targets]
        for row, target, job in jobs:
            results.append({"file": row["file"], "target": target, "test": row.get("test", row["symbol"]), "tile": largest_tile(row),
                            "mma": bool(row.get("mma")), **job.result()})
    if args.report:
        pathlib.Path(args.report).write_text("".join(json.dumps(r) + "\n" for r in results))
    text = table(results, targets)
    print(text, end="")
    if args.against:
        compare(results, [json.loads(line) for line in pathlib.Path(args.against).read_text().splitlines()])
    if args.write:
        pathlib.Path(args.write).write_text(f"""# Registers and spills

{len(rows)} modules of the corpus of real kernels (docs/corpus.md), assembled by `ptxas -v`. Spills are bytes per thread. Generated by
`scripts/spills.py build{f' --largest {args.largest}' if args.largest else ''}{f' --every {args.every}' if args.every > 1 else ''} --targets {args.targets} --write {args.write}`
on {datetime.date.today()}.

""" + text)
    outcomes = collections.Counter(r["outcome"] for r in results)
    spilled = sum(r.get("spill_stores", 0) for r in results)
    others = [r for r in results if "spilled_usually" in r]
    print(f"spills: {len(others)} in the usual order of instructions, {sum(r['spilled_usually'] for r in others)} bytes per thread in all")
    print("spills: " + ", ".join(f"{n} {o}" for o, n in outcomes.most_common()) +
          f"; {sum(bool(r.get('spill_stores')) for r in results)} spill, {spilled} bytes per thread in all")
    return 1 if set(outcomes) - {"ok"} else 0


if __name__ == "__main__":
    sys.exit(main())
