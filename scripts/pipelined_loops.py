#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which loops over matrix products of the corpus are pipelined, how, and why the others are not, by the compiler's remarks.

usage: pipelined_loops.py BUILD_DIR [--corpus DIR] [--filter TEXT] [--every N] [--targets sm_80,sm_90,sm_120] [--jobs N]
                          [--least PERCENT] [--report FILE.jsonl] [--write FILE.md]

Counted is every loop that has a matrix product of its own (not one of a loop inside of it), once for each module and target.
--least: exit status 1 if less than so many percent of the loops are pipelined on a target. The corpus is the one of
test/EndToEnd/corpus.py; without it there is nothing to do.
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

ROOT = pathlib.Path(__file__).resolve().parent.parent
REMARK = re.compile(r"^(.*?): remark: \[(Passed|Missed)\] (Loop|Prefetch) \|(.*)$")
# What no pipeline of tiles can help: where a tile lies is only known when another load is done, or there is nothing to
# load ahead, or whether there is another iteration is only known at its end (the gate that is silent by contract).
CANNOT = ("depends on what the loop loads", "it loads nothing", "how often it runs is decided inside of it")
PIPELINED = ("a ring of several stages", "a ring of one stage for each stream", "in registers", "loads into registers while the product before goes on",
             "slices in turns in a few places")


def argument(text, name):
    found = re.search(rf'\b{name}=(?:"([^"]*)"|(\d+))', text)
    return found and (found[1] or found[2])


def loops_of(tool, file, target):
    """[(where, kind)] for the loops of one module with products: one of PIPELINED, or why not."""
    command = [str(tool), str(file), f"--gpu-name={target}", "-O3", "--emit=tileas", "--remarks=pipeline", "-o", os.devnull]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    if done.returncode:
        return None
    remarks = collections.defaultdict(list)
    for line in done.stdout.decode(errors="replace").splitlines():
        found = REMARK.match(line)
        if found and argument(found[4], "Products") not in (None, "0"):
            remarks[found[1]].append((found[2], found[3], found[4]))
    result = []
    for where, said in remarks.items():
        rings = [text for verdict, name, text in said if name == "Loop" and verdict == "Passed"]
        ahead = next(((verdict, text) for verdict, name, text in said if name == "Prefetch"), None)
        if rings:
            kind = PIPELINED[4] if argument(rings[0], "Places") else PIPELINED[1] if argument(rings[0], "Streams") else PIPELINED[0]
        elif ahead and ahead[0] == "Passed":
            kind = PIPELINED[2] if argument(ahead[1], "Ahead") else PIPELINED[3]
        else:
            why = argument(said[0][2], "Reason")
            if ahead:
                why += "; " + argument(ahead[1], "Reason").removeprefix("loads are not made ahead: ")
                if argument(ahead[1], "Ahead") != "0":
                    why += " (some of them are made ahead)"
            kind = why
        result.append((where, kind))
    return result


def table(counts, targets):
    kinds = [k for k in PIPELINED if any(counts[t][k] for t in targets)]
    kinds += sorted({k for t in targets for k in counts[t]} - set(PIPELINED), key=lambda k: -sum(counts[t][k] for t in targets))
    lines = ["| loops with products | " + " | ".join(targets) + " |", "|---|" + "---|" * len(targets)]
    total = {t: sum(counts[t].values()) for t in targets}
    lines.append("| all | " + " | ".join(str(total[t]) for t in targets) + " |")
    lines.append("| **pipelined** | " + " | ".join(f"**{share(counts[t]):.1f} %**" for t in targets) + " |")
    lines.append("| pipelined, of those that can be | " + " | ".join(f"{100 * pipelined(counts[t]) / max(1, possible(counts[t])):.1f} % of {possible(counts[t])}" for t in targets) + " |")
    lines += [f"| {k} | " + " | ".join(str(counts[t][k]) for t in targets) + " |" for k in kinds]
    return "\n".join(lines) + "\n"


def pipelined(counts):
    return sum(counts[k] for k in PIPELINED)


def possible(counts):
    return sum(n for k, n in counts.items() if k in PIPELINED or not any(c in k for c in CANNOT))


def share(counts):
    return 100 * pipelined(counts) / max(1, sum(counts.values()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--corpus", default=os.environ.get("TILEIRAS_CORPUS", ROOT.parent / "shared" / "corpus"))
    parser.add_argument("--filter", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--targets", default="sm_80,sm_90,sm_120")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--report")
    parser.add_argument("--write")
    args = parser.parse_args()
    corpus, tool = pathlib.Path(args.corpus), pathlib.Path(args.build).resolve() / "bin" / "tileiras"
    if not (corpus / "index.jsonl").exists():
        print(f"pipelined_loops: skipped, there is no {corpus / 'index.jsonl'}")
        return 0
    rows = [json.loads(line) for line in (corpus / "index.jsonl").read_text().splitlines()]
    rows = [r for r in rows if r.get("mma") and args.filter in r["file"] + " " + r["symbol"] + " " + r.get("test", "")][::args.every]
    targets = args.targets.split(",")
    counts, lines, refused = {t: collections.Counter() for t in targets}, [], 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = [(row, t, pool.submit(loops_of, tool, corpus / row["file"], t)) for row in rows for t in targets]
        for row, target, job in jobs:
            loops = job.result()
            refused += loops is None
            for where, kind in loops or []:
                counts[target][kind] += 1
                lines.append({"file": row["file"], "test": row.get("test", row["symbol"]), "target": target, "loop": where, "kind": kind})
    if args.report:
        pathlib.Path(args.report).write_text("".join(json.dumps(line) + "\n" for line in lines))
    text = table(counts, targets)
    print(text, end="")
    if refused:
        print(f"{refused} modules are not compiled")
    if args.write:
        options = "".join(f" --{name} {value}" for name, value in (("filter", args.filter), ("every", args.every if args.every > 1 else "")) if value)
        pathlib.Path(args.write).write_text(f"""# Pipelined loops

Loops of the corpus of real kernels (docs/corpus.md) that have a matrix product of their own, in {len(rows)} modules. How they are pipelined:
docs/pipelines.md. Generated by `scripts/pipelined_loops.py build{options} --targets {args.targets} --write {args.write}` on
{datetime.date.today()}.

""" + text)
    short = [t for t in targets if share(counts[t]) < args.least]
    if short:
        print(f"less than {args.least} % are pipelined on {', '.join(short)}")
    return 1 if short or refused else 0


if __name__ == "__main__":
    sys.exit(main())
