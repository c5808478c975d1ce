#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real kernels: bytecode that cuTile Python emitted, compiled, run on the emulator and compared with the reference.

usage: corpus.py BUILD_DIR CORPUS_DIR [--filter TEXT] [--every N] [--targets sm_90] [--jobs N] [--report FILE.jsonl] [-v]

CORPUS_DIR holds .tileirbc files and index.jsonl with one line per file ({"file": ..., "symbol": ...}). Nothing is known of the
original arguments but the kernel's mangled name, which says rank, element type, static strides and divisibility of each
array. All extents are 64, in arrays of rank 3 and more 16 (1 where the name says so), so that most extents which have to agree do. A kernel that leaves its arrays
with such arguments, as the reference sees it, says nothing and is counted as `no arguments`.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

EXTENT = 64
TIMEOUT_S = 60
DTYPES = {"u8": "i8", "u16": "i16", "u32": "i32", "u64": "i64", "b8": "i1", "f8e4m3fn": "f8E4M3FN", "f8e5m2": "f8E5M2",
          "f8e8m0fnu": "f8E8M0FNU", "f4e2m1fn": "f4E2M1FN"}
TOLERANCE = {"f64": "rel:1e-6/abs:1e-6", "f32": "rel:1e-3/abs:1e-3", "f16": "rel:2e-2/abs:2e-2", "bf16": "rel:5e-2/abs:5e-2"}


def dtype(text):
    return DTYPES.get(text, text)


def array(text, name, passing, seed):
    """`A2f16_1v8l0_2t1_3i16_p16`: rank 2, f16; hexadecimal masks of dimensions, each with properties."""
    match = re.match(r"(\d)([a-z]+\d*[a-z0-9]*)((?:_[0-9a-z]*)*)$", text)
    if not match or int(match[1]) > 5:
        return None
    rank, element, facts = int(match[1]), match[2], match[3]
    extents, unit = [EXTENT if rank < 3 else 16] * rank, None
    for fact in facts.split("_")[1:]:
        found = re.match(r"([0-9a-f]+?)((?:[svtil]\d+)+)$", fact)
        if not found:
            continue  # pointer alignment
        mask = int(found[1], 16)
        for kind, value in re.findall(r"([svtil])(\d+)", found[2]):
            for d in range(rank):
                if mask >> d & 1:
                    if kind == "s":
                        extents[d] = int(value)
                    elif kind == "t" and value == "1" and extents[d] != 1:
                        unit = d
    order = [d for d in range(rank) if d != unit] + ([unit] if unit is not None else [])
    strides, step = [0] * rank, 1
    for d in reversed(order):
        strides[d] = step
        step *= max(extents[d], 16)
    t = dtype(element)
    shape = "x".join(map(str, extents)) if rank else ""
    options = [f"pass={passing}"] + ([f"strides={'x'.join(map(str, strides))}"] if rank else [])
    if t in TOLERANCE:
        options.append(f"tol={TOLERANCE[t]}")
    fill = f"random(lo=-2,hi=2,seed={seed})" if t[0] in "fb" else f"random(lo=0,hi=3,seed={seed})"
    return f"{name}:{t}[{shape}]{{{','.join(options)}}}={fill}"


def arguments(symbol):
    """Arguments for a mangled symbol, or None if it says something we do not know."""
    match = re.match(r".*?_Kt\d+_(.*)$", symbol)
    if not match:
        return None
    parts, result, names = [], [], 0
    for piece in match[1].split("_"):
        # A property group continues an array; anything else starts an argument.
        if re.match(r"(A\d|L[il]A\d|S[a-z]|I|B\d|F)", piece):
            parts.append(piece)
        elif parts:
            parts[-1] += "_" + piece
        else:
            return None
    for part in parts:
        if part.startswith("A"):
            result.append(array(part[1:], f"a{names}", "array", names))
            names += 1
        elif part.startswith("L"):
            for _ in range(2):
                result.append(array(part[3:], f"a{names}", "none", names))
                names += 1
            result.append(f"list{names}:list=a{names - 2},a{names - 1}")
        elif part.startswith("S"):
            t = dtype(part[1:])
            result.append(f"{t}=" + ("0.5" if t[0] in "fb" else "1"))
    return None if None in result else result


def run(words):
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_S)
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return -1, f"timeout after {TIMEOUT_S} s"


OUTCOME = {0: "ok", 3: "parse", 5: "compile", 6: "report", 7: "mismatch", -1: "timeout"}


def check(tool, file, symbol, target):
    args = arguments(symbol)
    if args is None:
        return "no arguments", ""
    base = [str(tool), str(file), "--threads=1", f"--gpu-name={target}"]  # one entry per file; index names may be cut short
    for grid in ("--grid=2,2,1", "--grid=1"):
        code, text = run([*base, grid, "--engine=reference", "--max-steps=20000000", *args])
        if code == 0:
            break
    if code != 0:
        return ("parse", text) if code == 3 else ("no arguments", text)
    words = [*base, grid, "--engine=reference,emulator", "--check", *args]
    code, text = run(words)
    return OUTCOME.get(code, f"exit status {code}"), " ".join(f"'{w}'" for w in words) + "\n" + text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("corpus")
    parser.add_argument("--filter", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--targets", default="sm_90")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--report")
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    corpus = pathlib.Path(args.corpus)
    if not (corpus / "index.jsonl").exists():
        print(f"corpus: skipped, there is no {corpus / 'index.jsonl'}")
        return 0
    rows = [json.loads(line) for line in open(corpus / "index.jsonl")]
    rows = [r for r in rows if args.filter in r["file"] + " " + r["symbol"] + " " + r.get("test", "")][::args.every]
    tool = pathlib.Path(args.build).resolve() / "bin" / "tileiras-run"
    counts, report = collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = [(row, target, pool.submit(check, tool, corpus / row["file"], row["symbol"], target))
                for row in rows for target in args.targets.split(",")]
        for row, target, job in jobs:
            outcome, text = job.result()
            counts[outcome] += 1
            report.append({"file": row["file"], "target": target, "outcome": outcome, "text": text[-4000:]})
            if outcome not in ("ok", "no arguments") or args.v:
                said = [l for l in text.split("\n") if "error:" in l or "mismatch:" in l or "warning:" in l] or [text[-200:]]
                print(f"--- {outcome}: {row['file']} on {target}: {row.get('test', '')}\n" + "\n".join(l[:260] for l in said[:3]), flush=True)
    if args.report:
        pathlib.Path(args.report).write_text("".join(json.dumps(r) + "\n" for r in report))
    print("corpus: " + ", ".join(f"{n} {outcome}" for outcome, n in counts.most_common()))
    return 1 if set(counts) - {"ok", "no arguments"} else 0


if __name__ == "__main__":
    sys.exit(main())
