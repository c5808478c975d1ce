#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which products of sm_90 are wgmma: the atom of each type and order of the factors, and the corpus of real kernels.

usage: wgmma_table.py BUILD_DIR [--write FILE.md] [--corpus DIR] [--every N] [--jobs N] [--report FILE.json]

Compiles one kernel per row and reads the atom from --emit=tileas and the instruction from the PTX. Fails where a row is not multiplied by
the instruction that this file says. With --write also compiles the modules of the corpus that have products and says which are wgmma and why the others
are not (`make docs`: BUILD/docs/wgmma.md).
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "EndToEnd"))
import matrix_kernels  # noqa: E402
from harness import conclude, run_all, suite_arguments  # noqa: E402

# (elements, sums, options of matrix_kernels.gemm): multiplied by. Only 16-bit factors are read across ("tnsp"); bytes that lie
# across are turned on their way, and 8-bit floats with f16 sums are multiplied as f16.
NAMES = {"f16": "f16", "bf16": "bf16", "tf32": "tf32", "f8E4M3FN": "e4m3", "f8E5M2": "e5m2"}


def rows():
    for t, sums in (("f16", "f32"), ("f16", "f16"), ("bf16", "f32"), ("tf32", "f32"), ("f8E4M3FN", "f32"), ("f8E4M3FN", "f16"), ("f8E5M2", "f32"),
                    ("f8E5M2", "f16"), ("i8", "i32")):
        for fast in (False, True) if t.startswith("f8") and sums == "f32" else (False,):
            for signs in (("signed", "signed"), ("unsigned", "unsigned"), ("signed", "unsigned")) if t == "i8" else (None,):
                for left in (False, True):
                    for right in (False, True):
                        widened = t.startswith("f8") and sums == "f16"
                        element = "f16" if widened else NAMES.get(t)
                        k = 16 if element in ("f16", "bf16") else 8 if t == "tf32" else 32
                        kinds = ".".join(s[0] + "8" for s in signs) if signs else f"{element}.{element}"
                        yield ({"t": t, "acc": sums, "signs": signs, "left": left, "transposed": right, "fast": fast},
                               f"m64n64k{k}.{'s32' if signs else sums}.{kinds}", (left, not right) if k == 16 else (False, False))
    yield {"t": "f32", "acc": "f32"}, None, None
    yield {"t": "f64", "acc": "f64"}, None, None


def compiled(tool, source, *options):
    done = subprocess.run([str(tool), str(source), "--gpu-name=sm_90", "-o", "-", *options], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def examine(tool, folder, number, options):
    """(atom, instruction, (A is read across, B is)) of a row."""
    case = matrix_kernels.gemm(m=128, n=128, k=128, tm=64, tn=64, tk=64, aligned=True, **options)
    source = pathlib.Path(folder) / f"{number}.mlir"
    source.write_text(case.text)
    tiles, ptx = compiled(tool, source, "--emit=tileas"), compiled(tool, source, "--emit=ptx")
    if tiles is None or ptx is None:
        return "not compiled", None, None
    atom = re.search(r"atom = #nv_tileas\.(\w+_atom<.*?>)", tiles)
    found = set(re.findall(r"wgmma\.mma_async\.sync\.aligned\.(\S+) \{[^}]*\}, \S+, \S+, \w+(.*);", ptx))
    if not found:
        return atom and atom[1], None, None
    (name, rest), *others = found
    flags = [int(x) for x in rest.replace(",", " ").split()]
    across = tuple(bool(f) for f in flags[2:4]) if len(flags) == 4 else (False, False)
    return atom and atom[1], name if not others else f"{len(found)} different instructions", across


def order(row, factor):
    across = row.get("left") if factor == "A" else not row.get("transposed")
    return ("m" if factor == "A" else "n") if across else "k"


def corpus_table(corpus, tool, every, jobs):
    """The part of the page about real kernels: products by what multiplies them, and modules without wgmma."""
    rows_ = [json.loads(line) for line in (corpus / "index.jsonl").read_text().splitlines()]
    files = sorted({row["file"] for row in rows_ if row.get("mma")})[::every]
    why, chains, wgmma, without, failed = collections.Counter(), collections.Counter(), set(), {}, []

    def look(file):
        with tempfile.TemporaryDirectory(prefix="tileiras-wgmma-") as folder:
            remarks = pathlib.Path(folder) / "remarks.yaml"
            done = subprocess.run([str(tool), str(corpus / file), "--gpu-name=sm_90", "--emit=ptx", "-o", os.devnull, "--remarks=product",
                                   "--remark-format=yaml", f"--remarks-output-file={remarks}"], capture_output=True, text=True)
            if done.returncode:
                failed.append(file)
                return None
            reasons = []
            for document in remarks.read_text().split("--- "):
                if re.search(r"^Name:\s+'?Rotate", document, re.M):
                    chains[re.search(r"- Reason:\s+(.*)", document)[1].strip().strip("'\"").replace("''", "'")] += 1
                if re.search(r"^Name:\s+'?Instruction", document, re.M):
                    atom = re.search(r"- Atom:\s+(.*)", document)[1]
                    reason = re.search(r"- Reason:\s+(.*)", document)[1].strip().strip("'\"").replace("''", "'")
                    reasons.append((("wgmma_atom" in atom), reason))
            for is_wgmma, reason in reasons:
                why[("wgmma" if is_wgmma else "other", reason)] += 1
            if any(w for w, _ in reasons):
                wgmma.add(file)
            elif reasons:
                without[file] = "; ".join(sorted({r for _, r in reasons}))
        return None

    run_all([(file, lambda file=file: look(file)) for file in files], jobs, False)
    lines = [f"{len(files)} modules have products: {len(wgmma)} use wgmma, {len(without)} do not, {len(failed)} were not compiled.", "",
             "| products | multiplied by | reason |", "|---|---|---|"]
    lines += [f"| {count} | {kind if kind == 'wgmma' else 'mma.sync or multiply-adds'} | {reason} |" for (kind, reason), count in why.most_common()]
    lines += ["", "Products of wgmma whose left factor follows from another one of the same iteration, as in attention (`tileas-rotate-products`):", "",
              "| products | done side by side, or why not |", "|---|---|", *[f"| {count} | {reason} |" for reason, count in chains.most_common()]]
    lines += ["", "| module without wgmma | why |", "|---|---|"]
    lines += [f"| {file} | {reason} |" for file, reason in sorted(without.items())]
    return "\n".join(lines) + "\n"


def main():
    parser = suite_arguments(["sm_90"])
    parser.add_argument("--write")
    parser.add_argument("--corpus", default=os.environ.get("TILEIRAS_CORPUS", ROOT.parent / "shared" / "corpus"))
    parser.add_argument("--every", type=int, default=1)
    args = parser.parse_args()
    tool, table, corpus = pathlib.Path(args.build).resolve() / "bin/tileiras", {}, pathlib.Path(args.corpus)
    with tempfile.TemporaryDirectory(prefix="tileiras-wgmma-") as folder:
        def check(number, row, instruction, across):
            table[number] = examine(tool, folder, number, row)
            atom, found, how = table[number]
            if (found, how) != (instruction, across):
                return f"{row}: {found} {how} by {atom}, expected {instruction} {across}"
            return None
        work = [(f"row {number} {row['t']} {row['acc']}", lambda n=number, r=row, i=instruction, a=across: check(n, r, i, a))
                for number, (row, instruction, across) in enumerate(rows())]
        passed, failures, times = run_all([w for w in work if args.filter in w[0]], args.jobs, args.v)
    if args.write:
        lines = ["| factors | sums | A in memory, fastest | B in memory, fastest | fast_acc | atom | instruction | read across |",
                 "|---|---|---|---|---|---|---|---|"]
        for number, (row, _, _) in enumerate(rows()):
            atom, instruction, across = table.get(number, ("", None, None))
            kinds = f"{row['t']} {' x '.join(row['signs'])}" if row.get("signs") else row["t"]
            read = ", ".join(n for n, a in zip("AB", across or ()) if a) or "–"
            lines.append(f"| {kinds} | {row['acc']} | {order(row, 'A')} | {order(row, 'B')} | {'yes' if row.get('fast') else ''} | `{atom}` | "
                         f"{f'`{instruction}`' if instruction else 'no wgmma of this type'} | {read} |")
        text = "# Products on sm_90\n\nGenerated by `scripts/wgmma_table.py BUILD --write`. Tiles of 64 x 64 x 64, aligned.\n\n" + "\n".join(lines) + "\n"
        if (corpus / "index.jsonl").exists():
            text += "\n## The corpus of real kernels\n\n" + corpus_table(corpus, tool, args.every, args.jobs)
        pathlib.Path(args.write).write_text(text)
    return conclude("wgmma table:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
