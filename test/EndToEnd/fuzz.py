#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differential testing: random kernels, compiled for every target, run on the emulator, compared with the reference.

usage: fuzz.py BUILD_DIR [--seed N] [--count N | --seconds S] [--targets all|sm_80,sm_90] [--runs N] [--jobs N] [--save DIR]
               [--every-ptxas N] [--no-reduce] [--fault NAME] [--report FILE.json]
       fuzz.py BUILD_DIR --show SEED | --again FILE | --reduce FILE | --coverage [--count N] [--tables] | --choose N | --plant

A seed is a kernel with its arguments and a list of runs (target, options); the same number gives the same everywhere. Kernels
come from build/fuzz/GenerateModule (tileiras/Testing): what they compute is defined and exact to the bit, but for some results
of approximate functions, which leave the kernel at once and are compared with a tolerance. A few kernels are inexact: they only have
to compile and to run without a report.

A finding is a crash, a timeout, a refusal, a report of the emulator (race, bad address, ...), an error of ptxas or a
mismatch. It is reduced with build/fuzz/ReduceModule as long as it stays a finding of the same kind, and saved with the command
that shows it. --again runs a saved file, --reduce reduces it.

Without --count and --seconds: the fixed seeds of `make test`, and faults planted in the PTX that must be found and reduced.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

import corpus
import fuzz_coverage
import fuzz_faults
from harness import find_ptxas
from run import compiled_as, targets

TARGETS = corpus.ALL_TARGETS.split(",")
OPTIONS = {"default": [], "O0": ["--opt-level=0"], "O1": ["--opt-level=1"], "O2": ["--opt-level=2"],
           "w1": ["--pipeline-options=num-warps=1"], "w2": ["--pipeline-options=num-warps=2"],
           "w8": ["--pipeline-options=num-warps=8"], "w16": ["--pipeline-options=num-warps=16"],
           "schedules": ["--schedules=3"], "cluster": ["--pipeline-options=num-ctas=2"], "early": ["--async=early"],
           "random": ["--async=random", "--schedules=2"], "slices": ["--pipeline-options=tile-room=1"],
           "own-math": ["--pipeline-options=libdevice=false"], "w32": ["--pipeline-options=num-warps=32"],
           "few-slices": ["--pipeline-options=tile-room=256"], "O0-slices": ["--opt-level=0", "--pipeline-options=tile-room=1 num-warps=2"],
           "cluster-4": ["--pipeline-options=num-ctas=4 num-warps=8"], "abi": ["--pipeline-options=launch-abi=blocksareclusters"],
           "dynamic-shared": ["--pipeline-options=dynamic-shared=true"],
           "agents": ["--pipeline-options=pipeline-strategy=warp-specialize", "--async=random", "--schedules=2"],
           "agents-w8": ["--pipeline-options=pipeline-strategy=warp-specialize num-warps=8 unspecialized-pipeline-num-stages=3"],
           "agents-persistent": ["--pipeline-options=pipeline-strategy=warp-specialize dynamic-persistent=true num-warps=8"],
           "agents-alternate": ["--pipeline-options=pipeline-strategy=warp-specialize dynamic-persistent=true turns=tile-blocks num-warps=4", "--async=random"],
           "one-stage": ["--pipeline-options=pipeline-strategy=none"],
           "two-stages": ["--pipeline-options=pipeline-strategy=unspecialize unspecialized-pipeline-num-stages=2", "--async=random", "--schedules=2"],
           "three-stages": ["--pipeline-options=pipeline-strategy=unspecialize unspecialized-pipeline-num-stages=3 num-warps=8"],
           "bytecode": [], "debug": [], "passes": []}
# From sm_90 on.
CLUSTERS = ("cluster", "cluster-4", "abi")
# Of the option "passes": cuda_tile to cuda_tile, bit for bit the same (fuse-fma is not).
PASSES = ["--canonicalize", "--cse", "--loop-invariant-code-motion", "--loop-split", "--canonicalize", "--cse"]
# Of `make test`: what --choose 36 says.
FIXED_SEEDS = (52, 62, 65, 69, 70, 80, 83, 115, 139, 147, 148, 180, 182, 206, 212, 256, 277, 318, 338, 346, 353, 358, 363,
               393, 398, 416, 428, 486, 487, 498, 511, 520, 540, 542, 574, 584)
TIMEOUT_S = 60
MEMORY = 16 << 30
MATH = 1 << 2  # GeneratorOptions::Math
ALL_FEATURES = (1 << 17) - 1
OK = "ok"


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT_S, TIMEOUT_S + 5))


def execute(words):
    """(exit status, output); None as status is a timeout. Processor time counts: the machine may be busy with other things."""
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60 * TIMEOUT_S, preexec_fn=limit)
        return None if done.returncode == -signal.SIGXCPU else done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as expired:
        return None, (expired.stdout or b"").decode(errors="replace")


def reason(text):
    """What a report says, without names and numbers: findings of one kind say the same."""
    tag = re.search(r"error: (?:[^\n:]*: )?\[([a-z][a-z ,-]*)\]", text)
    if tag:
        return tag[1]
    if "error:" in text:
        return corpus.reason(text)
    found = [l for l in text.split("\n") if l.strip() and not l.startswith(("ok:", "value", "warning:"))]
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'|\"[^\"]*\"|0x[0-9a-fA-F]+|%\S+", "*", found[0] if found else "no message"))[:140]


def kind_of(code, text):
    """One word, then what tells findings of that kind apart."""
    if code == 0:
        return OK
    if code is None:
        return "timeout"
    if code < 0 or "PLEASE submit a bug report" in text or "Stack dump" in text:
        return f"crash: {reason(text)}"
    names = {1: "usage", 3: "parse", 5: "refused", 6: "report", 7: "mismatch"}
    return names.get(code, f"exit status {code}") + ("" if code == 7 else f": {reason(text)}")


class Sample:
    """A module as text with the comments GenerateModule puts after it."""

    def __init__(self, text):
        self.text = text
        self.grid = "1,1,1"
        self.exact = "\n// inexact\n" not in text
        self.arguments = []
        # Of several kernels the last one runs: reduced modules and those of the generator have theirs there.
        entries = re.findall(r"\bentry @(\w+)", text)
        self.entry = [f"--entry={entries[-1]}"] if len(entries) > 1 else []
        for line in text.split("\n"):
            if line.startswith("// grid: "):
                self.grid = line[9:]
            elif line.startswith("// argument: "):
                self.arguments.append(line[13:])

    def operations(self):
        """Lines of the kernel that are operations."""
        body = self.text.rsplit("entry @", 1)[-1].split("\n")[1:]
        return [l.strip() for l in body if l.strip() and l.strip()[0] not in "}()/" and l.strip() not in ("return", "module @")]


class Generator:
    """One process that makes all modules."""

    def __init__(self, build, fixed=""):
        self.fixed = dict(word.split("=") for word in fixed.split(",") if word)
        self.lock = threading.Lock()
        self.process = subprocess.Popen([str(build / "fuzz" / "GenerateModule")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def options(self, seed):
        rng = random.Random(f"module {seed}")
        features = ALL_FEATURES
        if rng.random() < 0.3:  # a few things, closer together
            features = 0b11 | sum(1 << bit for bit in rng.sample(range(2, 17), 5))
        operations = rng.choice([4, 6, 12, 18, 25, 25, 40, 60])
        elements = rng.choice([1, 8, 32, 128, 256, 256, 512, 1024, 2048, 4096])
        blocks = rng.choice([1, 2, 2, 4, 6, 8])
        if rng.random() < 0.08:  # few operations on large tiles
            operations, elements, blocks = rng.randint(2, 8), 1 << rng.randint(13, 16), rng.choice([1, 1, 2])
            if rng.random() < 0.8:
                features &= ~MATH
        return {"operations": operations, "elements": elements,
                "depth": rng.choice([1, 2, 2, 3]), "blocks": blocks, "rank": rng.choice([3, 8]),
                "parameters": int(rng.random() < 0.85), "version": rng.choice([1, 2, 3, 4, 4, 4, 4, 4]), "exact": int(rng.random() < 0.92),
                "features": features, **self.fixed}

    def make(self, seed):
        with self.lock:
            self.process.stdin.write(f"{seed} " + " ".join(f"{k}={v}" for k, v in self.options(seed).items()) + "\n")
            self.process.stdin.flush()
            lines = []
            for line in self.process.stdout:
                if line == "// end\n":
                    return Sample("".join(lines))
                lines.append(line)
        raise RuntimeError(f"GenerateModule ended at seed {seed}")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def runs_of(seed, targets, count):
    """What to do with a module: all targets get their turn, and all options."""
    rng = random.Random(f"runs {seed}")
    names = list(OPTIONS)
    runs = [(targets[(seed * count + i) % len(targets)], names[0] if i == 0 else rng.choice(names)) for i in range(count)]
    return [(target, names[0] if options in CLUSTERS and int(target[3:]) < 90 else options) for target, options in runs]


class Tester:
    def __init__(self, args, scratch):
        self.bin = args.build / "bin"
        self.args, self.scratch = args, pathlib.Path(scratch)
        self.edited = 0  # texts that a planted fault has changed
        self.ptxas = find_ptxas() if args.every_ptxas else None
        self.targets = TARGETS if args.targets == "all" else args.targets.split(",")

    def command(self, sample, path, target, options, extra=()):
        return [str(self.bin / "tileiras-run"), str(path), *sample.entry, f"--grid={sample.grid}", "--engine=reference,emulator",
                "--check" if sample.exact else "--check-races", f"--gpu-name={target}", "--threads=1", "--max-steps=20000000", *OPTIONS[options], *extra, *sample.arguments]

    def base(self, suffix):
        return self.scratch / f"{threading.get_ident()}{suffix}"

    def run(self, sample, target, options, with_ptxas=False):
        """(kind, output) of one run."""
        path, ptx = self.base(".mlir"), self.base(".ptx")
        path.write_text(sample.text)
        if self.args.fault:
            return self.run_faulty(sample, path, target, options)
        if options == "passes":
            return self.run_optimized(sample, path)
        if options == "dynamic-shared":
            return self.run_compiled(sample, path, target, ["--dynamic-shared"])
        if options == "debug":
            return self.run_compiled(sample, path, target, ["-O0", "-g", "--lineinfo"])
        if options == "bytecode":
            text, path = path, self.base(".tileirbc")
            code, said = execute([str(self.bin / "tileiras-translate"), "-mlir-to-cudatilebc", str(text), "-o", str(path)])
            if code != 0:
                return f"refused: {reason(said)}" if code and code > 0 else kind_of(code, said), said
        extra = [f"--save-ptx={ptx}"] if with_ptxas and targets.can_assemble(self.ptxas, target) else []
        code, text = execute(self.command(sample, path, target, options, extra))
        kind = kind_of(code, text)
        if options in ("w1", "w2") and code == 5 and "elements per thread are supported" in text:
            return OK, text  # too few threads for so large a tile: it was we who asked for them
        if kind == OK and sample.exact and "schedules" not in " ".join(OPTIONS[options]):
            # What both printed: the reference first. The blocks of a grid print in any order.
            said = [l for l in text.split("\n") if l.startswith("value ")]
            if sorted(said[:len(said) // 2]) != sorted(said[len(said) // 2:]):
                kind = "mismatch: print"
        if kind == OK and extra:
            code, text = execute([self.ptxas, f"-arch={compiled_as(target)}", str(ptx), "-o",
                                  str(self.base(".cubin"))])
            if code != 0 or "warning" in text:
                kind = f"ptxas: {reason(text)}"
        return kind, text

    def run_faulty(self, sample, path, target, options):
        """The same, of PTX that somebody has changed."""
        ptx = self.base(".ptx")
        level = [o.replace("--opt-level=", "-O") for o in OPTIONS[options] if "opt-level" in o or "pipeline" in o]
        code, text = execute([str(self.bin / "tileiras"), str(path), f"--gpu-name={target}", "--emit=ptx", "-o", str(ptx),
                              *level])
        if code != 0:
            return kind_of(code, text), text
        edited = {**fuzz_faults.ALL, **fuzz_faults.MORE}[self.args.fault].edit(ptx.read_text())
        if edited is None:
            return OK, ""
        ptx.write_text(edited)
        self.edited += 1
        return self.run_expecting(sample, path, [str(ptx), "--engine=emulator", "--check-races"])

    def run_compiled(self, sample, path, target, options):
        """The same with options of the compiler that tileiras-run does not have; shared memory as much as the PTX asks for."""
        ptx = self.base(".ptx")
        code, text = execute([str(self.bin / "tileiras"), str(path), f"--gpu-name={target}", "--emit=ptx", *options, "-o", str(ptx)])
        if code != 0:
            return kind_of(code, text), text
        needs = re.search(r"^// kernel needs (\d+) bytes of dynamic", ptx.read_text(), re.M)
        return self.run_expecting(sample, path, [str(ptx), "--engine=emulator", "--check-races",
                                                 *([f"--dynamic-shared={needs[1]}"] if needs else [])])

    def run_optimized(self, sample, path):
        """The same, of what the passes on cuda_tile make of the module: on the reference, which has to find no difference."""
        optimized = self.base(".opt.mlir")
        code, text = execute([str(self.bin / "tileiras-opt"), str(path), *PASSES, "-o", str(optimized)])
        if code != 0:
            return f"refused: {reason(text)}" if code and code > 0 else kind_of(code, text), text
        return self.run_expecting(sample, path, [str(optimized), "--engine=reference"])

    def run_expecting(self, sample, path, words):
        """Runs something that has to give what the reference makes of the module."""
        base = [str(self.bin / "tileiras-run"), *sample.entry, f"--grid={sample.grid}", "--threads=1", "--max-steps=20000000"]
        if not sample.exact:  # has to run without a report, no more
            code, text = execute([*base, *words, *sample.arguments])
            return kind_of(code, text), text
        names = [m[1] for m in (re.match(r"(?:out:)?(\w+):\w+\[", a) for a in sample.arguments) if m]
        dumps = {name: self.base(f".{name}.npy") for name in names}
        code, text = execute([*base, str(path), "--engine=reference", *(f"--dump={n}={f}" for n, f in dumps.items()),
                              *sample.arguments])
        if code != 0:
            return kind_of(code, text), text

        def expecting(argument):
            match = re.match(r"((?:out:)?(\w+):\w+\[[^]]*\])(?:\{(.*?)\})?(=.*)?$", argument)
            if not match:
                return argument
            options = ([match[3]] if match[3] else []) + [f"expect={dumps[match[2]]}"]
            return f"{match[1]}{{{','.join(options)}}}{match[4] or ''}"

        code, text = execute([*base, *words, *map(expecting, sample.arguments)])
        for dump in dumps.values():
            dump.unlink(missing_ok=True)
        return kind_of(code, text), text

    def reduce(self, sample, target, options, kind, seconds):
        """The smallest module found that gives a finding of the same kind."""
        start, tried = time.monotonic(), 0
        path = self.base(".reduce.mlir")
        path.write_text(sample.text)
        process = subprocess.Popen([str(self.args.build / "fuzz" / "ReduceModule"), str(path)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        best, lines = sample, []
        wants_ptxas = kind.startswith("ptxas")
        for line in process.stdout:
            if line != "// end\n":
                lines.append(line)
                continue
            candidate, lines = Sample("".join(lines)), []
            tried += 1
            same = self.run(candidate, target, options, wants_ptxas)[0] == kind
            if same:
                best = candidate
            if time.monotonic() - start > seconds:
                break
            try:
                process.stdin.write("yes\n" if same else "no\n")
                process.stdin.flush()
            except BrokenPipeError:
                break
        process.stdin.close()
        process.stdout.close()
        said = process.stderr.read()
        process.stderr.close()
        code = process.wait()
        if code != 0 and said:
            print(f"ReduceModule: {said.strip()[-300:]}", flush=True)
        return best, tried

    def save(self, sample, name, target, options, kind, text):
        folder = pathlib.Path(self.args.save)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.mlir"
        words = self.command(sample, path, target, options)
        said = [l for l in text.split("\n") if "error:" in l or l.startswith("mismatch:")][:3]
        path.write_text(f"{sample.text.rstrip()}\n// target: {target}\n// options: {options}\n// finding: {kind}\n" +
                        "".join(f"// {l[:300]}\n" for l in said) + "// " + " ".join(f"'{w}'" for w in words) + "\n")
        return path


def findings_of_seed(tester, generator, seed, count):
    """[(seed, target, options, kind, text, sample)], and how many runs there were."""
    sample = generator.make(seed)
    found = []
    for i, (target, options) in enumerate(runs_of(seed, tester.targets, count)):
        with_ptxas = bool(tester.ptxas) and (seed * count + i) % tester.args.every_ptxas == 0
        kind, text = tester.run(sample, target, options, with_ptxas)
        if kind != OK:
            found.append((seed, target, options, kind, text, sample))
    return found


def say_finding(finding):
    seed, target, options, kind, text, _ = finding
    said = [l for l in text.split("\n") if "error:" in l or l.startswith("mismatch:")] or text.split("\n")[:3]
    print(f"--- seed {seed}, {target}, {options}: {kind}\n" + "\n".join("    " + l[:240] for l in said[:3]), flush=True)


def search(tester, generator, seeds, deadline):
    """Runs seeds until there are no more or time is up; (modules, runs, findings)."""
    args, modules, findings = tester.args, 0, []
    kinds = collections.Counter()
    last_said = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        waiting = collections.deque()
        seeds = iter(seeds)
        while True:
            while len(waiting) < 2 * args.jobs and (deadline is None or time.monotonic() < deadline):
                seed = next(seeds, None)
                if seed is None:
                    break
                waiting.append(pool.submit(findings_of_seed, tester, generator, seed, args.runs))
            if not waiting:
                break
            found = waiting.popleft().result()
            modules += 1
            for finding in found[:1]:  # of one module, one
                findings.append(finding)
                seed, target, options, kind, text, sample = finding
                kinds[kind] += 1
                say_finding(finding)
                tester.save(sample, f"seed-{seed}", target, options, kind, text)
                # The third of its kind tells little that the first two did not; mismatches all sound alike.
                if args.reduce_seconds and (kinds[kind] <= 2 or kind == "mismatch" and kinds[kind] <= 20):
                    small, tried = tester.reduce(sample, target, options, kind, args.reduce_seconds)
                    again = tester.run(small, target, options, kind.startswith("ptxas"))[1]
                    path = tester.save(small, f"seed-{seed}-reduced", target, options, kind, again)
                    print(f"    {len(sample.operations())} operations reduced to {len(small.operations())} in {tried} steps: "
                          f"{path}", flush=True)
            if time.monotonic() - last_said > 60:
                last_said = time.monotonic()
                print(f"fuzz: {modules} modules, {modules * args.runs} runs, {len(findings)} findings so far", flush=True)
    return modules, modules * args.runs, findings


def plant_faults(args, scratch):
    """Faults in the PTX have to be found within a few seeds and reduced to a few operations, one of them the guilty."""
    problems = []
    # Small modules of few kinds of operations: integers, floats, conversions, shapes, aggregates, pointers. Additions of functions would
    # be to blame, too.
    generator = Generator(args.build, fixed="operations=20,elements=64,exact=1,version=4,parameters=1,features=219")
    for name, fault in fuzz_faults.ALL.items():
        mine = argparse.Namespace(**{**vars(args), "fault": name, "every_ptxas": 0})
        tester = Tester(mine, scratch)
        for seed in range(300):
            sample = generator.make(seed)
            if not any(o in sample.text for o in fault.operations) or len(sample.operations()) > 700:
                continue
            target, options = runs_of(seed, tester.targets, 1)[0]
            kind, _ = tester.run(sample, target, options)
            if kind != OK and kind.startswith(fault.kinds):
                break
        else:
            problems.append(f"fault {name}: not found")
            continue
        small, tried = tester.reduce(sample, target, options, kind, 300)
        operations = small.operations()
        print(f"fault {name}: seed {seed}, {target}: {kind}; {len(sample.operations())} operations reduced to {len(operations)} in "
              f"{tried} steps", flush=True)
        if len(operations) > fault.most:
            problems.append(f"fault {name}: still {len(operations)} operations\n{small.text}")
        elif not any(o in line for line in operations for o in fault.operations):
            problems.append(f"fault {name}: none of {fault.operations} is left\n{small.text}")
    generator.close()
    return problems


def plant_more(args, scratch, generator):
    """After how many modules, in how many runs of PTX that has it, every fault of the longer list shows."""
    missed = 0
    print("| fault | seed | modules whose PTX it changes |\n|---|---|---|")
    for name, fault in fuzz_faults.MORE.items():
        tester = Tester(argparse.Namespace(**{**vars(args), "fault": name, "every_ptxas": 0}), scratch)
        for seed in range(args.seed, args.seed + (args.count or 400)):
            sample = generator.make(seed)
            target, options = runs_of(seed, tester.targets, 1)[0]
            kind, _ = tester.run(sample, target, options) if sample.exact and len(sample.operations()) < 500 else (OK, "")
            if kind != OK and kind.startswith(fault.kinds):
                print(f"| {name} | {seed} | {tester.edited} |", flush=True)
                break
        else:
            missed += 1
            print(f"| {name} | not found | {tester.edited} |", flush=True)
    return missed


def saved(path):
    """Sample, target, options and kind of a file that save() wrote."""
    text = pathlib.Path(path).read_text()
    fact = {k: v for k, v in re.findall(r"^// (target|options|finding): (.*)$", text, re.M)}
    return Sample(text), fact.get("target", "sm_90"), fact.get("options", "default"), fact.get("finding", "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=0, help="of the first module")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--targets", default="all")
    parser.add_argument("--runs", type=int, default=4, help="of each module: targets and options")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--save", default="fuzz-findings")
    parser.add_argument("--every-ptxas", type=int, default=16, help="assemble the PTX of every Nth run; 0: never")
    parser.add_argument("--reduce-seconds", type=float, default=120)
    parser.add_argument("--no-reduce", dest="reduce_seconds", action="store_const", const=0)
    parser.add_argument("--fault", choices=sorted(fuzz_faults.ALL))
    parser.add_argument("--generate", default="", metavar="NAME=N,...", help="options of GenerateModule for all modules: elements=65536,operations=6")
    parser.add_argument("--options", help="only these of the options, as default,O0")
    parser.add_argument("--report")
    parser.add_argument("--show", type=int)
    parser.add_argument("--again")
    parser.add_argument("--reduce")
    parser.add_argument("--plant", action="store_true", help="plant faults in the PTX, one after another, and say which seed shows it")
    parser.add_argument("--coverage", action="store_true", help="say what --count modules (2000) contain, and what none of them has")
    parser.add_argument("--live", action="store_true", help="with --coverage: without what has no use")
    parser.add_argument("--choose", type=int, metavar="N", help="N of the first 600 seeds that contain much and take little time")
    parser.add_argument("--tables", action="store_true", help="with --coverage: all the numbers")
    args = parser.parse_args()
    args.build = args.build.resolve()
    for name in [n for n in OPTIONS if args.options and n not in args.options.split(",")]:
        del OPTIONS[name]
    if not (args.build / "fuzz" / "GenerateModule").exists():
        print(f"fuzz: there is no {args.build / 'fuzz' / 'GenerateModule'}: build first", file=sys.stderr)
        return 1
    generator = Generator(args.build, fixed=args.generate)
    fixed = args.count is None and args.seconds is None
    if fixed:
        args.runs, args.every_ptxas = 2, 0
    with tempfile.TemporaryDirectory(prefix="tileiras-fuzz-") as scratch:
        tester = Tester(args, scratch)
        if args.show is not None:
            sample = generator.make(args.show)
            print(sample.text + "// " + str(generator.options(args.show)))
            for target, options in runs_of(args.show, tester.targets, args.runs):
                print("// " + " ".join(f"'{w}'" for w in tester.command(sample, "FILE", target, options)))
            return 0
        if args.choose:
            seeds, things = fuzz_coverage.choose(generator, range(600), args.choose)
            print(f"FIXED_SEEDS = {tuple(seeds)}\n{things} things of --coverage")
            return 0
        if args.plant:
            return 1 if plant_more(args, scratch, generator) else 0
        if args.coverage:
            coverage = fuzz_coverage.Coverage()
            for seed in range(args.seed, args.seed + (args.count or 2000)):
                sample = generator.make(seed)
                if args.live:
                    done = subprocess.run([str(tester.bin / "tileiras-opt"), "--canonicalize", "-"], input=sample.text, stdout=subprocess.PIPE, text=True)
                    sample.text = done.stdout
                coverage.add(sample)
            return 1 if coverage.say(0.002, args.tables)[0] else 0
        if args.again or args.reduce:
            sample, target, options, kind = saved(args.again or args.reduce)
            found, text = tester.run(sample, target, options, kind.startswith("ptxas"))
            print(f"{found}\n{text}")
            if args.reduce and found != OK:
                small, tried = tester.reduce(sample, target, options, found, args.reduce_seconds or 120)
                print(small.text + f"// {tried} steps")
            return 0 if found == OK else 1
        start = time.monotonic()
        if fixed:
            seeds, deadline = FIXED_SEEDS, None
        elif args.count is not None:
            seeds, deadline = range(args.seed, args.seed + args.count), None
        else:
            seeds, deadline = iter(range(args.seed, 1 << 62)), start + args.seconds
            print(f"fuzz: from seed {args.seed} for {args.seconds:.0f} s, {args.runs} runs of each module", flush=True)
        modules, runs, findings = search(tester, generator, seeds, deadline)
        problems = plant_faults(args, scratch) if fixed else []
        for problem in problems:
            print(problem)
    generator.close()
    kinds = collections.Counter(f[3] for f in findings)
    print(f"fuzz: {modules} modules, {runs} runs, {len(findings)} findings in {time.monotonic() - start:.0f} s" +
          (f" (seeds {sorted({f[0] for f in findings})}, in {args.save})" if findings else ""))
    for kind, count in kinds.most_common():
        print(f"  {count} x {kind}")
    if args.report:
        failed = len(findings) + len(problems)
        passed = modules - len({f[0] for f in findings}) + (len(fuzz_faults.ALL) - len(problems) if fixed else 0)
        pathlib.Path(args.report).write_text(json.dumps({"passed": passed, "failed": failed}))
    return 1 if findings or problems or not modules else 0


if __name__ == "__main__":
    sys.exit(main())
