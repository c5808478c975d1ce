#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real kernels: bytecode that cuTile Python emitted, compiled to PTX; with --check also run and compared with the reference.

usage: corpus.py BUILD_DIR [--corpus DIR] [--filter TEXT] [--every N] [--targets all|sm_90,sm_100] [--jobs N] [--check [--options NAMES] [--rotate] [--arguments FILE.jsonl]] [--versions]
                 [--ptxas N] [--report FILE.jsonl] [--write FILE.md] [-v]

The folder is $TILEIRAS_CORPUS, or `../shared/corpus` beside the repository; without one there is nothing to do and the
script says so. It holds .tileirbc files and index.jsonl with one line per file ({"file": ..., "symbol": ...}).

Compiling is the default: counts by outcome and by reason of refusal, and the slowest modules. A crash or a timeout (10 s of
processor time) is a failure, a refusal is not: it is what --write documents.

--ptxas N: ptxas assembles the PTX of every module for sm_90 (or the first target), and of every Nth module (others for every
target) for the other targets. What differs from PTX that was assembled before in the line .target only is not assembled again. What ptxas says,
an error or a warning, is a failure.

--check: of the original arguments nothing is known but what the module says, and what the reference says of guesses
(corpus_arguments.py). A kernel for which no guess is found that the reference has no complaint of says nothing and is counted as
`no arguments`. Sums of floats depend on the order: where results are further apart than the tolerance, the kernel runs again on whole
numbers, where they overflow on small ones, and on sm_90 with exact sums of 8-bit floats. --options default,O0,slices,...: names of OPTIONS, how it is compiled and run; with --rotate every module only for one of
targets x options, in turn. --arguments FILE keeps the arguments found.

--versions: every module is written in every version of the bytecode that has its operations, read again and compiled to the same PTX.
"""

import argparse
import collections
import concurrent.futures
import datetime
import hashlib
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time

import corpus_arguments
from harness import find_ptxas

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import targets as targets_of_build  # noqa: E402

AS_FRONT_ENDS_DO = ["-O3", "--lineinfo"]
ALL_TARGETS = ",".join(targets_of_build.names())
TIMEOUT_S = 60
COMPILE_LIMIT_S = 10
VERSIONS = ("13.1", "13.2", "13.3", "13.4")
MOST_STEPS = 3000000  # of the reference, to find arguments


def run(words):
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_S)
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return -1, f"timeout after {TIMEOUT_S} s"


GOOD = {"ok", "ok with whole numbers", "ok with small numbers", "ok with exact fp8 sums", "no arguments"}
OUTCOME = {0: "ok", 3: "parse", 5: "compile", 6: "report", 7: "mismatch", -1: "timeout"}
EXACT_FP8 = "--pipeline-options=fp8-sums=exact"
# What --options names: compilers and machines that must all come to the same numbers.
OPTIONS = {"default": [], "agents": ["--pipeline-options=pipeline-strategy=warp-specialize"], "O0": ["--opt-level=0"], "O1": ["--opt-level=1"], "w1": ["--pipeline-options=num-warps=1"],
           "w2": ["--pipeline-options=num-warps=2"], "w8": ["--pipeline-options=num-warps=8"], "w16": ["--pipeline-options=num-warps=16"],
           "slices": ["--pipeline-options=tile-room=1"], "own-math": ["--pipeline-options=libdevice=false"], "fp8-exact": [EXACT_FP8],
           "schedules": ["--schedules=3"], "early": ["--async=early"], "random": ["--async=random", "--schedules=2"]}


class Found:
    """Arguments of a module: words with random numbers and with whole ones, or none and why."""

    def __init__(self, flags, words, whole, assume, complaints, stores=True):
        self.flags, self.words, self.whole, self.assume, self.complaints, self.stores = flags, words, whole, assume, complaints, stores

    def row(self):
        return [self.flags, self.words, self.whole, self.assume, self.complaints, self.stores]


def find_arguments(tool, file, scratch):
    path = pathlib.Path(scratch) / f"{threading.get_ident()}.mlir"
    code, said = run([str(tool.parent / "tileiras-translate"), "-cudatilebc-to-mlir", str(file), "-o", str(path)])
    if code != 0:
        return Found(None, None, None, True, ["cannot be read: " + said])

    def ask(guess, words):
        code, said = run([str(tool), str(path), *guess.flags(), "--engine=reference", f"--max-steps={MOST_STEPS}", "--stats", *words])
        return code == 0, said

    guess, complaints = corpus_arguments.find(path.read_text(), ask)
    if not guess:
        return Found(None, None, None, True, [c[-1500:] for c in complaints[:3]])
    return Found(guess.flags(), guess.arguments(), guess.arguments(whole=True), guess.assume, [], guess.stores)


def check(tool, file, found, target, options):
    """Reference and emulator on the same arguments."""
    if found.words is None:
        return "no arguments", "\n".join(found.complaints)
    base = [str(tool), str(file), "--threads=1", "--lineinfo", f"--gpu-name={target}", "--engine=reference,emulator", "--check", *options]

    def compare(flags, words):
        words = [*base, *flags, *words]
        code, said = run(words)
        return code, " ".join(f"'{w}'" for w in words) + "\n" + said

    flags = found.flags
    code, said = compare(flags, found.words)
    if code == 6 and "blocks of a grid are ordered only by" in said and "--grid=1,1,1" not in flags:
        flags = ["--grid=1,1,1"] + [f for f in flags if not f.startswith(("--grid", "--blocks"))]  # several blocks for one tile: the grid was our guess
        code, said = compare(flags, found.words)
    if code == 7 and re.search(r"(got|expected) (-?inf|nan|[-\d.]+e\+3\d)", said):
        # A recurrence that grows without bound says nothing. Smaller numbers do not.
        again, more = compare(flags, [w.replace("random(lo=-2,hi=2", "random(lo=-0.125,hi=0.125") for w in found.words])
        if again == 0:
            return "ok with small numbers", said
    if code == 7:
        # Sums in another order differ. Those of whole numbers do not, if they are no larger than the type is exact.
        loose = ",tol=rel:1e-2/abs:1e-2}"  # products and functions still round
        again, more = compare(flags, [re.sub(r"^(\w+:b?f[^=]*\{[^}]*)\}=", rf"\1{loose}=", w) for w in found.whole])
        if again == 0:
            return "ok with whole numbers", said
        # Hopper's tensor cores sum products of 8-bit floats with 13 bits behind the point, and 8-bit results have three.
        if target.startswith("sm_90") and not any(o.startswith("--pipeline-options") for o in options) and compare([*flags, EXACT_FP8], found.words)[0] == 0:
            return "ok with exact fp8 sums", said
        return OUTCOME.get(again, f"exit status {again}"), said + more
    return OUTCOME.get(code, f"exit status {code}"), said


CODES = {1: "input or output", 2: "options", 3: "not readable", 5: "refused", -1: "timeout"}


def reason(text):
    """The first error without location, names and numbers, so that refusals of one kind count as one."""
    errors = [line for line in text.split("\n") if "error:" in line]
    message = errors[0].split("error:", 1)[1].strip() if errors else text.strip()[-160:] or "no message"
    message = re.sub(r"!?\b(cuda_tile\.)?(tile|ptr|tensor_view|partition_view|strided_view|gather_scatter_view)<[^']*>", "T", message)
    return re.sub(r"-?\b\d+\b", "N", message)[:160]


def timed(words, output):
    """Exit status, what was said and the seconds of processor time: on a busy machine the clock would tell of the others."""
    with open(output, "wb") as said:
        process = subprocess.Popen(words, stdout=said, stderr=subprocess.STDOUT,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (COMPILE_LIMIT_S, COMPILE_LIMIT_S + 1)))
        watch = threading.Timer(60 * COMPILE_LIMIT_S, process.kill)  # asleep for ever
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    killed = process.returncode < 0 and (seconds >= COMPILE_LIMIT_S - 0.5 or process.returncode == -9)
    return (-1 if killed else process.returncode), pathlib.Path(output).read_text(errors="replace"), seconds


class Assembler:
    """ptxas, asked once for every text."""

    def __init__(self, every, targets):
        self.ptxas = find_ptxas() if every else None
        self.every, self.targets = every, targets
        self.whole = "sm_90" if "sm_90" in targets else targets[0]
        self.lock, self.seen = threading.Lock(), set()
        self.counts = collections.Counter()
        self.problems, self.spills, self.seconds = [], [], 0.0
        self.known = set()
        if self.ptxas:
            self.known = set(re.findall(r"sm_\d+[af]?", subprocess.run([self.ptxas, "--help"], stdout=subprocess.PIPE).stdout.decode()))

    def assemble(self, number, target, file, path):
        place = self.targets.index(target)
        if not self.ptxas or (target != self.whole and (number + place) % self.every):
            return
        text = path.read_text()
        arch = re.search(r"^\.target\s+(\w+)", text, re.M)[1]
        if arch not in self.known:
            self.counts[target, "not known to ptxas"] += 1
            return
        digest = hashlib.sha256(re.sub(r"^\.target.*$", "", text, flags=re.M).encode()).digest()
        with self.lock:
            if digest in self.seen:
                self.counts[target, "same text"] += 1
                return
            self.seen.add(digest)
        log, cubin = path.with_suffix(".log"), path.with_suffix(".cubin")
        start = time.monotonic()
        with open(log, "wb") as said:
            code = subprocess.run([self.ptxas, "-v", f"-arch={arch}", str(path), "-o", str(cubin)], stdout=said, stderr=subprocess.STDOUT).returncode
        text = log.read_text(errors="replace")
        bad = [l for l in text.split("\n") if l.startswith("ptxas") and not l.startswith("ptxas info")]
        spilled = sum(int(n) for n in re.findall(r"(\d+) bytes spill stores", text))
        with self.lock:
            self.seconds += time.monotonic() - start
            self.counts[target, "assembled"] += 1
            if code or bad:
                self.problems.append((target, file, (bad or [text[-200:]])[0]))
            if spilled:
                self.spills.append((spilled, target, file))

    def table(self):
        kinds = ["assembled", "same text", "not known to ptxas"]
        lines = ["| target | assembled | same text as before | not known to ptxas | errors, warnings | with spills |", "|---|---|---|---|---|---|"]
        for target in self.targets:
            problems = sum(p[0] == target for p in self.problems)
            spills = sum(p[1] == target for p in self.spills)
            lines.append(f"| {target} | " + " | ".join(str(self.counts[target, k]) for k in kinds) + f" | {problems} | {spills} |")
        if self.problems:
            lines += ["", "| target | module | what ptxas says |", "|---|---|---|"]
            lines += [f"| {t} | `{f}` | {said.replace('|', ' ')[:200]} |" for t, f, said in self.problems[:40]]
        if self.spills:
            lines += ["", "Most spills: " + ", ".join(f"`{f}` {n} bytes ({t})" for n, t, f in sorted(self.spills, reverse=True)[:10]) + "."]
        return "\n".join(lines) + "\n"


def compile_only(tool, number, file, name, target, scratch, assembler):
    # Not /dev/null: a compiler that removes its output after a failure would remove the device.
    base = pathlib.Path(scratch) / str(threading.get_ident())
    output = base.with_suffix(".ptx")
    code, text, seconds = timed([str(tool), str(file), f"--gpu-name={target}", *AS_FRONT_ENDS_DO, "--emit=ptx", "-o", str(output)], base.with_suffix(".said"))
    if code == 0 and ".entry" not in output.read_text():
        return "no entry in the PTX", text, seconds
    if code == 0:
        assembler.assemble(number, target, name, output)
    return "compiled" if code == 0 else CODES.get(code, f"crash, exit status {code}"), text, seconds


def tables(results, targets):
    """Markdown: outcomes per target, then refusals by reason, then the slowest modules."""
    outcomes = [o for o, _ in collections.Counter(r["outcome"] for r in results).most_common()]
    lines = ["| target | modules | " + " | ".join(outcomes) + " | median ms | 99 % ms |", "|---|" + "---|" * (len(outcomes) + 3)]
    for target in targets:
        mine = [r for r in results if r["target"] == target]
        times = sorted(r["seconds"] * 1000 for r in mine)
        counts = collections.Counter(r["outcome"] for r in mine)
        lines.append(f"| {target} | {len(mine)} | " + " | ".join(str(counts[o]) for o in outcomes) +
                     f" | {times[len(times) // 2]:.0f} | {times[len(times) * 99 // 100]:.0f} |")
    lines += ["", "| suite, bytecode | modules | compiled |", "|---|---|---|"]
    suites = collections.Counter((r["suite"], r["version"]) for r in results)
    for key in sorted(suites):
        good = sum((r["suite"], r["version"]) == key and r["outcome"] == "compiled" for r in results)
        lines.append(f"| {key[0]}, {key[1]} | {suites[key]} | {good} |")
    bad = [r for r in results if r["outcome"] != "compiled"]
    lines += ["", "## What is not compiled", ""]
    if bad:
        lines += ["| modules | target | outcome | reason | for example |", "|---|---|---|---|---|"]
        groups = collections.defaultdict(list)
        for r in bad:
            groups[r["target"], r["outcome"], reason(r["text"])].append(r)
        for (target, outcome, why), found in sorted(groups.items(), key=lambda g: (-len(g[1]), g[0])):
            why = why.replace("|", "\\|")
            lines.append(f"| {len(found)} | {target} | {outcome} | {why} | {found[0]['test'].replace('|', ' ')} `{found[0]['file']}` |")
    else:
        lines.append("Nothing.")
    lines += ["", "## Slowest", "", "| s | target | outcome | module |", "|---|---|---|---|"]
    for r in sorted(results, key=lambda r: -r["seconds"])[:10]:
        lines.append(f"| {r['seconds']:.2f} | {r['target']} | {r['outcome']} | {r['test'].replace('|', ' ')} `{r['file']}` |")
    return "\n".join(lines) + "\n"


def compile_all(args, rows, corpus, targets):
    tool = pathlib.Path(args.build).resolve() / "bin" / "tileiras"
    if not tool.exists():
        print(f"corpus: there is no {tool}: build first", file=sys.stderr)
        return 1
    results, assembler = [], Assembler(args.ptxas, targets)
    with tempfile.TemporaryDirectory(prefix="tileiras-corpus-") as scratch, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = [(row, target, pool.submit(compile_only, tool, number, corpus / row["file"], row["file"], target, scratch, assembler))
                for target in sorted(targets, key=lambda t: t != assembler.whole) for number, row in enumerate(rows)]
        for row, target, job in jobs:
            outcome, text, seconds = job.result()
            results.append({"file": row["file"], "target": target, "suite": row.get("suite", ""), "version": row.get("version", ""),
                            "test": row.get("test", row["symbol"]), "outcome": outcome, "seconds": seconds, "text": text[-4000:]})
            if args.v or outcome not in ("compiled", "refused"):
                print(f"--- {outcome}: {row['file']} for {target}: {text.strip()[:260]}", flush=True)
    if args.report:
        pathlib.Path(args.report).write_text("".join(json.dumps(r) + "\n" for r in results))
    text = tables(results, targets)
    total = sum(r["seconds"] for r in results)
    text += f"\nAll compilations together: {total:.0f} s of processor time.\n"
    if assembler.ptxas:
        others = f"of one module in {args.ptxas} (others for each target)" if args.ptxas > 1 else "of every module"
        text += f"\n## ptxas\n\n{subprocess.run([assembler.ptxas, '--version'], stdout=subprocess.PIPE).stdout.decode().strip().split(chr(10))[-1]}, " \
                f"of every module for {assembler.whole} and {others} for the other targets. PTX that differs from\nPTX assembled before " \
                f"in the line `.target` only is not assembled again ({assembler.seconds:.0f} s in all).\n\n" + assembler.table()
    print(text, end="")
    counts = collections.Counter(r["outcome"] for r in results)
    if args.write:
        pathlib.Path(args.write).write_text(f"""# Real kernels

{len(rows)} modules of bytecode that cuTile Python emitted for its own samples and tests and for the public TileGym suite, compiled with
`tileiras --emit=ptx` for {", ".join(targets)}. They are not part of this repository
(`TILEIRAS_CORPUS` says where they are). Generated by
`test/EndToEnd/corpus.py build --targets {args.targets} --ptxas {args.ptxas} --write {args.write}` on {datetime.date.today()}. Times are processor time
of `tileiras`; the limit is {COMPILE_LIMIT_S} s.

""" + text)
    print("corpus: " + ", ".join(f"{n} {outcome}" for outcome, n in counts.most_common()))
    return 1 if set(counts) - {"compiled", "refused"} or assembler.problems else 0


def check_all(args, rows, corpus, targets):
    tool = pathlib.Path(args.build).resolve() / "bin" / "tileiras-run"
    counts, report, found = collections.defaultdict(collections.Counter), [], {}
    if args.arguments and pathlib.Path(args.arguments).exists():  # of earlier runs
        found = {r["file"]: Found(*r["found"]) for r in map(json.loads, pathlib.Path(args.arguments).read_text().splitlines())}

    runs = [(target, name) for name in args.options.split(",") for target in targets]

    def work(number, row):
        file = corpus / row["file"]
        mine = found.get(row["file"]) or find_arguments(tool, file, scratch)
        chosen = [runs[number % len(runs)]] if args.rotate else runs
        return mine, [(target, name, *check(tool, file, mine, target, OPTIONS[name])) for target, name in chosen]

    with tempfile.TemporaryDirectory(prefix="tileiras-corpus-") as scratch, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool, \
            open(args.arguments or os.devnull, "a") as keep:
        for row, job in [(row, pool.submit(work, number, row)) for number, row in enumerate(rows)]:
            mine, outcomes = job.result()
            if row["file"] not in found:
                found[row["file"]] = mine
                keep.write(json.dumps({"file": row["file"], "found": mine.row()}) + "\n")
                keep.flush()
            for target, name, outcome, text in outcomes:
                counts[target, name][outcome] += 1
                report.append({"file": row["file"], "target": target, "options": name, "outcome": outcome, "text": text[-4000:]})
                if outcome not in GOOD or args.v:
                    said = [l for l in text.split("\n") if "error:" in l or "mismatch:" in l or "warning:" in l] or [text[-200:]]
                    print(f"--- {outcome}: {row['file']} on {target}, {name}: {row.get('test', '')}\n" + "\n".join(l[:260] for l in said[:3]), flush=True)
    if args.report:
        pathlib.Path(args.report).write_text("".join(json.dumps(r) + "\n" for r in report))
    found = {row["file"]: found[row["file"]] for row in rows}
    silent = sum(not f.assume for f in found.values() if f.words is not None)
    for (target, name), outcomes in counts.items():
        print(f"corpus: {target}, {name}: " + ", ".join(f"{n} {outcome}" for outcome, n in outcomes.most_common()))
    print(f"corpus: {sum(not f.stores for f in found.values() if f.words is not None)} modules store nothing that the reference counts with any arguments")
    print(f"corpus: {silent} modules state an assumption that no arguments make true; they ran without assumptions")
    return 1 if set().union(*counts.values()) - GOOD else 0


def rewrite(tool, file, target, scratch):
    """{version: outcome}: the module written in every version of the bytecode, compiled again. `same`: the PTX is what the original gives."""
    base = pathlib.Path(scratch) / str(threading.get_ident())
    text, original, copy, ptx = (base.with_suffix(s) for s in (".mlir", ".original.ptx", ".tileirbc", ".ptx"))
    translate, flags = str(tool.parent / "tileiras-translate"), [f"--gpu-name={target}", *AS_FRONT_ENDS_DO, "--emit=ptx", "-o"]
    for words in ([translate, "-cudatilebc-to-mlir", str(file), "-o", str(text)], [str(tool), str(file), *flags, str(original)]):
        code, said = run(words)
        if code:
            return {v: "original: " + reason(said) for v in VERSIONS}
    outcomes = {}
    for version in VERSIONS:
        code, said = run([translate, "-mlir-to-cudatilebc", f"--bytecode-version={version}", str(text), "-o", str(copy)])
        if code:
            error = re.search(r"error: (.*)", said)
            outcomes[version] = error[1] if code == 1 and error else f"writer: exit status {code}"
            continue
        code, said = run([str(tool), str(copy), *flags, str(ptx)])
        outcomes[version] = reason(said) if code else "same" if ptx.read_bytes() == original.read_bytes() else "other PTX"
    return outcomes


def versions_all(args, rows, corpus, targets):
    tool = pathlib.Path(args.build).resolve() / "bin" / "tileiras"
    counts = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="tileiras-corpus-") as scratch, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = [(row, pool.submit(rewrite, tool, corpus / row["file"], targets[0], scratch)) for row in rows]
        for row, job in jobs:
            for version, outcome in job.result().items():
                counts[version, outcome] += 1
                if outcome != "same" and "is not available in bytecode version" not in outcome:
                    print(f"--- {version}: {row['file']}: {outcome}", flush=True)
    for (version, outcome), n in sorted(counts.items()):
        print(f"corpus: {version}: {n} {outcome}")
    return 1 if any(o != "same" and "is not available in bytecode version" not in o for _, o in counts) else 0


def main():
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--corpus", default=os.environ.get("TILEIRAS_CORPUS", root.parent / "shared" / "corpus"))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--versions", action="store_true")
    parser.add_argument("--options", default="default")
    parser.add_argument("--rotate", action="store_true")
    parser.add_argument("--arguments")
    parser.add_argument("--filter", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--targets", default="sm_90")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--ptxas", type=int, default=0)
    parser.add_argument("--report")
    parser.add_argument("--write")
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    corpus = pathlib.Path(args.corpus)
    if not (corpus / "index.jsonl").exists():
        print(f"corpus: skipped, there is no {corpus / 'index.jsonl'} (set TILEIRAS_CORPUS)")
        return 0
    with open(corpus / "index.jsonl") as index:
        rows = [json.loads(line) for line in index]
    rows = [r for r in rows if args.filter in r["file"] + " " + r["symbol"] + " " + r.get("test", "")][::args.every]
    if not rows:
        print(f"corpus: no module of {corpus} matches", file=sys.stderr)
        return 1
    return (check_all if args.check else versions_all if args.versions else compile_all)(args, rows, corpus, (ALL_TARGETS if args.targets == "all" else args.targets).split(","))


if __name__ == "__main__":
    sys.exit(main())
