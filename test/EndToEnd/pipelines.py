#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Software pipelining: loops of every kind with no stages and with 2, 3 and 4, around every number of iterations where
something happens, on the emulator with the race checker on and under several schedules; and with one thing wrong at a time
in the PTX, which has to be reported or to give other numbers.

usage: pipelines.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_80,sm_90] [--full] [--jobs N] [-v]

A case passes when every run agrees with the reference, ptxas takes the PTX without a warning, and the PTX waits for all
copies but those of the stages ahead where the loop is to be pipelined. Without --full each case runs on one of the
targets in turn.
"""

import dataclasses
import itertools
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import agents
import matrix_kernels
import pipeline_kernels
from harness import conclude, find_ptxas, run_all, suite_arguments
from run import run
from under_test import TIMINGS, Bench

TARGETS = ["sm_80", "sm_89", "sm_90", "sm_100", "sm_120"]
STAGED_TARGETS = ("sm_80", "sm_89", "sm_120")  # whose products threads wait for
WAIT = re.compile(r"cp\.async\.wait_group\s+(\d+);")


AHEAD = re.compile(r'\[Passed\] Prefetch ')


def check_ahead(bench, case, target):
    """Loads ahead in registers: the remark says so, and nothing else changes."""
    compiler = [str(bench.tool.parent / "tileiras"), f"--gpu-name={target}", "--emit=tileas", "--remarks=pipeline", "-o", "/dev/null"]
    code, output = run([*compiler, str(bench.source(f"{case.name}-ahead-{target}", case))])
    if code or not AHEAD.search(output):
        return f"not ahead: {output}"
    return check(bench, case, None, 3, target)


STAGED = re.compile(r'\[Passed\] Loop ')


def check_staged(bench, case, target):
    """Tiles that come through a ring as they are in memory: the remark says so, unless there are too few rounds, and nothing else changes."""
    compiler = [str(bench.tool.parent / "tileiras"), f"--gpu-name={target}", "--emit=tileas", "--remarks=pipeline", "-o", "/dev/null",
                "--pipeline-options=pipeline-strategy=unspecialize unspecialized-pipeline-num-stages=3"]
    code, output = run([*compiler, str(bench.source(f"{case.name}-staged-{target}", case))])
    if code or not STAGED.search(output):
        return f"not in a ring: {output}"
    return check(bench, case, None, 3, target)


def check(bench, case, pipelined, stages, target):
    name = f"{case.name}-{stages}-{target}"
    strategy = f"pipeline-strategy=unspecialize unspecialized-pipeline-num-stages={stages}" if stages else "pipeline-strategy=none"
    error, ptx = bench.compare(name, case, target, f"--pipeline-options={strategy}", timings=TIMINGS if bench.full else ("late",))
    if error:
        return error
    waits = [int(n) for n in WAIT.findall(ptx)]
    if pipelined is not None:
        # Stages are fewer where the loop is short, a hint asks for it or shared memory is short.
        ahead = max(waits, default=0)
        # A ring of its own for each stream has a group of its own in each stage.
        streams = int(found[1]) if (found := re.search(r"-(\d+)-streams", case.name)) else 1
        if ahead > max((stages - 1) * streams - 1, 0):
            return f"waits for groups {waits}: more than {stages} stages"
        if pipelined and stages > 2 and not ahead:
            return f"waits for groups {waits}: not pipelined"
        if not pipelined and ahead:
            return f"waits for groups {waits}: pipelined"
    return bench.assemble(name, target)


def check_gathers(bench, case, pipelined, stages, target):
    """Tiles through pointers come by copies into the ring: nothing but the rows' numbers goes through registers."""
    error = check(bench, case, pipelined, stages, target)
    if error or not pipelined:
        return error
    text, output = bench.compile(f"{case.name}-{stages}-{target}-loads", case, target,
                                 f"--pipeline-options=pipeline-strategy=unspecialize unspecialized-pipeline-num-stages={stages}")
    if text is None:
        return output
    # The rows' numbers are words, and none of the tiles' elements is one.
    loads = re.findall(r"ld\.global(?!\.b32)\S*", text)
    return f"elements are loaded into registers: {loads}" if loads else None


# What is broken, and why that is harmful. The kernel has two warps or more, and nothing else in its loop orders them.
FAULTS = {
    "no wait": (r"(cp\.async\.wait_group\s+)1;", "", "the copies of the stage may be under way when it is read"),
    "one more pending": (r"(cp\.async\.wait_group\s+)1;", r"\g<1>2;", "the group that is read may be the one that is not waited for"),
    "no barrier": (r"(cp\.async\.wait_group\s+1;[^b]*?)bar\.sync\s+0;", r"\g<1>", "other threads' copies are read, and their stages overwritten"),
    "wrong stage": (r"(mov\.b32\s+%r\d+,) 2;", r"\g<1> 1;", "the producer fills a stage behind the one that is empty"),
    "no group": (r"cp\.async\.commit_group;(?![\s\S]*cp\.async\.commit_group)", "", "the last commit of the text, that of the loop: the wait counts one less"),
}


def faulty(bench, case, target):
    """Runs the case's PTX with something broken; yields (name, check)."""
    name = f"fault-{case.name}-{target}"
    # The loop that cp.async fills, and no other.
    text, output = bench.compile(name, case, target, "--pipeline-options=pipeline-strategy=unspecialize unspecialized-pipeline-num-stages=3",
                                 prefix=["env", "TILEIR_PREFER_TMA_FOR_LOAD_STORE=false"])
    if text is None:
        yield f"{case.name} compiles", lambda: output
        return
    for kind, (pattern, replacement, why) in FAULTS.items():
        broken, count = re.subn(pattern, replacement, text)
        yield f"fault: {case.name} {target} {kind}", lambda kind=kind, broken=broken, why=why, count=count: (
            bench.noticed(f"{name}-{kind}", broken, why, *bench.launch(case)) if count == 1 else f"expected one place to break, found {count}")


# Of a gather beside: copies that do not ask the mask, and those of which a part does not.
GATHER_FAULTS = FAULTS | {
    "no mask": (r"selp\.b32 (%r\d+), 16, 0, %p\d+;", r"mov.b32 \1, 16;", "rows and columns that are not of the array are multiplied"),
}


def faulty_gathers(bench, target):
    case = pipeline_kernels.gathered(64, 32, 32, 6, 0, 6, rows=50, width=176, views=False, ordered=True)
    name = f"fault-{case.name}-{target}"
    text, output = bench.compile(name, case, target, "--pipeline-options=pipeline-strategy=unspecialize unspecialized-pipeline-num-stages=3")
    if text is None:
        yield f"{case.name} compiles", lambda: output
        return
    for kind, (pattern, replacement, why) in GATHER_FAULTS.items():
        broken, count = re.subn(pattern, replacement, text)
        expected = 2 if kind == "no mask" else 1
        yield f"fault: {case.name} {target} {kind}", lambda kind=kind, broken=broken, why=why, count=count, expected=expected: (
            bench.noticed(f"{name}-{kind}", broken, why, *bench.launch(case)) if count >= expected else f"expected {expected} places to break, found {count}")


def faulty_staged(bench, target):
    """A ring of tiles as they come: a thread reads what it has copied, so only its own wait orders the two."""
    case = pipeline_kernels.ranged(64, 64, 64, 6, 0, 6, raw="f8E5M2", occupancy=4)
    name = f"fault-{case.name}-{target}"
    text, output = bench.compile(name, case, target, "--pipeline-options=pipeline-strategy=unspecialize unspecialized-pipeline-num-stages=3")
    if text is None:
        yield f"{case.name} compiles", lambda: output
        return
    for kind in ("no wait", "one more pending", "no group"):
        pattern, replacement, why = FAULTS[kind]
        broken, count = re.subn(pattern, replacement, text)
        yield f"fault: {case.name} {target} {kind}", lambda kind=kind, broken=broken, why=why, count=count: (
            bench.noticed(f"{name}-{kind}", broken, why, *bench.launch(case)) if count == 1 else f"expected one place to break, found {count}")


# The same of two rings of one stage each, keys and values of attention: one thing at a time, wherever it stands in the loop.
STREAM_FAULTS = {
    "no wait": (r"cp\.async\.wait_group\s+[01];", "", "the copies of the stage may be under way when it is read", 2),
    "one more pending, keys": (r"(cp\.async\.wait_group\s+)0;", r"\g<1>1;", "keys are the latest group where they are waited for", 1),
    "one more pending, values": (r"(cp\.async\.wait_group\s+)1;", r"\g<1>2;", "values are the latest group but one", 1),
    "no barrier behind the wait": (r"(cp\.async\.wait_group\s+[01];\s*)bar\.sync\s+0;", r"\g<1>", "other threads' copies are read, or overwritten", 2),
    "no barrier before the copies": (r"(mma\.sync[^;]*;\s*)bar\.sync\s+0;(?=[^;]*(?:;[^;]*){0,60}cp\.async\.cg)", r"\g<1>",
                                     "keys are overwritten that others still read", 1),
}


def faulty_streams(bench, target):
    case = matrix_kernels.attention("f16", 128, 384, 64, 128, 128, aligned=True)
    name = f"fault-{case.name}-{target}"
    text, output = bench.compile(name, case, target)
    if text is None:
        yield f"{case.name} compiles", lambda: output
        return
    for kind, (pattern, replacement, why, expected) in STREAM_FAULTS.items():
        places = list(re.finditer(pattern, text))
        if len(places) != expected:
            yield f"fault: {case.name} {target} {kind}", lambda n=len(places), expected=expected: f"expected {expected} places to break, found {n}"
        for number, place in enumerate(places):
            broken = text[:place.start()] + place.expand(replacement) + text[place.end():]
            yield f"fault: {case.name} {target} {kind} {number}", lambda kind=kind, number=number, broken=broken, why=why: bench.noticed(
                f"{name}-{kind}-{number}", broken, why, *bench.launch(case))


TURNS = re.compile(r'\[Passed\] Loop .*Places=')


def turning():
    """(case, target): attention whose keys and values have no room in 48 KiB, so that slices of them take turns. As many rounds as there are slices of
    keys, and fewer; edges that cut a slice; none, where the first key is beyond the last."""
    for keys, tm in ((128, 64), (130, 64), (256, 64), (384, 64), (640, 64), (300, 128)):
        for t in ("f16", "bf16"):
            yield matrix_kernels.attention(t, 64 + keys % 50, keys, 128, tm, 128, aligned=True)
        # Whole slices of a tile outside of the array, which is known to be a number of slices long.
        narrow = matrix_kernels.attention("f16", 64, keys, 128, tm, 128, aligned=True)
        yield dataclasses.replace(narrow, name=narrow.name + "-width48", args=[a.replace("x128]", "x48]") for a in narrow.args[:-1]] + ["i32=48"])
    none = matrix_kernels.attention("f16", 64, 128, 128, 64, 128, aligned=True)
    text = none.text.replace("in (%c0 to %ks#0", "in (%c1 to %ks#0").replace("%res = divf %acc, %lb", "%res = addf %acc, %lb")
    yield dataclasses.replace(none, name=none.name + "-no-round", text=text)


def check_turns(bench, case, target):
    compiler = [str(bench.tool.parent / "tileiras"), f"--gpu-name={target}", "--emit=tileas", "--remarks=pipeline", "-o", "/dev/null"]
    code, output = run([*compiler, str(bench.source(f"{case.name}-turns-{target}", case))])
    if code or (not TURNS.search(output) and "t128x128" not in case.name):
        return f"slices take no turns: {output}"
    error, _ = bench.compare(f"{case.name}-turns-{target}", case, target, timings=TIMINGS)
    return error or bench.assemble(f"{case.name}-turns-{target}", target)


# One place that several rings have in turns: each wait, each count and each meeting, one at a time.
TURN_FAULTS = {
    "no wait": (r"cp\.async\.wait_group\s+\d+;", "", "the copies of the slice may be under way when it is read"),
    "one more pending": (r"(cp\.async\.wait_group\s+)(\d+);", lambda m: f"{m[1]}{int(m[2]) + 1};", "the slice is the latest group but so many"),
    "no barrier behind the wait": (r"(cp\.async\.wait_group\s+\d+;\s*)bar\.sync\s+0;", r"\g<1>", "others' copies are read, and a slice is overwritten that others still read"),
}


def faulty_turns(bench, target):
    case = matrix_kernels.attention("f16", 64, 640, 128, 64, 128, aligned=True)
    name = f"fault-turns-{case.name}-{target}"
    text, output = bench.compile(name, case, target)
    if text is None:
        yield f"{case.name} compiles", lambda: output
        return
    for kind, (pattern, replacement, why) in TURN_FAULTS.items():
        places = list(re.finditer(pattern, text))
        if len(places) < 4:
            yield f"fault: turns {target} {kind}", lambda n=len(places): f"expected four places to break or more, found {n}"
        for number, place in enumerate(places):
            instead = replacement(place) if callable(replacement) else place.expand(replacement)
            broken = text[:place.start()] + instead + text[place.end():]
            yield f"fault: turns {target} {kind} {number}", lambda kind=kind, number=number, broken=broken, why=why: bench.noticed(
                f"{name}-{kind}-{number}", broken, why, *bench.launch(case))


def extended():
    """(case, stages, target, warps): what is multiplied behind a loop is one more round of its ring, in one agent. What agents are tested with, the factors of a last
    product behind loops of none, one and two rounds, of one less than stages, as many and one more, and attention with as many."""
    yield from agents.rounds()
    around = {stages: sorted({0, 1, 2, stages - 1, stages, stages + 1}) for stages in (2, 3, 4)}
    for target, stages in (("sm_80", 3), ("sm_89", 4), ("sm_90", 4), ("sm_120", 3), ("sm_120", 2)):
        for rounds in around[stages]:
            yield agents.with_last_behind(matrix_kernels.gemm("f16", "f32", 120, 64, 32 * rounds + 32, 64, 64, 32, aligned=True)), stages, target, 4
    known = agents.with_last_behind(matrix_kernels.gemm("bf16", "f32", 120, 64, 128, 64, 64, 32, aligned=True))
    for target, rounds in (("sm_80", 3), ("sm_120", 3), ("sm_90", 2)):
        yield dataclasses.replace(known, name=f"{known.name}-{rounds}", text=known.text.replace("%last = subi %ks#1, %c1 :", f"%last = constant <i32: {rounds}> :")), 3, target, 4
    for depth, stages in ((64, 3), (64, 4), (128, 2)):
        for rounds in around[stages]:
            if rounds:
                yield matrix_kernels.attention("f16", 134, 64 * rounds - 6 * (rounds % 2), depth, 128, 64, aligned=True), stages, "sm_90", 8
    yield matrix_kernels.attention_of_whole_tiles("f16", 3, 384, 64, 128, True), 3, "sm_90", 8


def extended_options(stages, warps):
    return f"--pipeline-options=pipeline-strategy=unspecialize unspecialized-pipeline-num-stages={stages} num-warps={warps}"


FILLS = {"threads": "false", "tma": "true"}  # who fills rings, and TILEIR_PREFER_TMA_FOR_LOAD_STORE


def check_extended(bench, case, stages, target, warps, fills):
    """The remark says that it is one round more (not of two stages that wgmma reads), and nothing else changes, by threads and by TMA, with tensor maps and without."""
    name, schedules = f"extended-{case.name}-{target}-{stages}-{fills}", 16 if bench.full else 2
    prefix = ["env", f"TILEIR_PREFER_TMA_FOR_LOAD_STORE={FILLS[fills]}"]
    options = extended_options(stages, warps)
    error, text = bench.compare(name, case, target, options, prefix=prefix, timings=TIMINGS if bench.full else ("random",), schedules=schedules)
    if error:
        return error
    compiler = [*prefix, str(bench.tool.parent / "tileiras"), f"--gpu-name={target}", "--emit=tileas", "--remarks=pipeline", "-o", "/dev/null"]
    code, said = run([*compiler, str(bench.path(name, ".mlir")), options])
    found, wanted = re.search(r"\[Passed\] RingRound .*Tiles=(\d)", said), "2" if "last-behind" in case.name else "1"
    if re.search(r"\[Passed\] Loop .*\bStages=2", said) and target == "sm_90":
        # A product that is read until the next round leaves no stage to fill.
        if code or found or "of two stages one is read until the next round" not in said:
            return f"a tile is one more round of a ring of two stages\n{said}"
    elif code or not found or found[1] != wanted:
        return f"{found[1] if found else 'no'} tiles are one more round of a ring\n{said}"
    if fills == "tma" and (error := agents.fills_alike(bench, name, case, text, schedules)):
        return error
    return bench.assemble(name, target, lambda output: "C75" in output or re.search(r"[1-9]\d* bytes spill", output))


# Of the round behind the loop, and of what fills it.
EXTENDED_FAULTS = {
    "threads": {
        "no wait": (r"cp\.async\.wait_group\s+1;", "", "the last values may be under way when they are multiplied"),
        "one more pending": (r"(cp\.async\.wait_group\s+)1;", r"\g<1>2;", "the group of the last values may be the one that is not waited for"),
        "no fence": (r"(cp\.async\.wait_group\s+1;\s*)fence\.proxy\.async\.shared::cta;", r"\g<1>", "the matrix unit reads by another proxy what threads have copied"),
        "no barrier": (r"(cp\.async\.wait_group\s+1;\s*fence\.proxy\.async\.shared::cta;\s*)bar\.sync\s+0;", r"\g<1>", "others' copies of the last values are multiplied"),
    },
    "tma": {
        "no wait": (r"mbarrier\.try_wait\.parity\.shared\.b64 done, \[%r\d+\+0\], %r\d+;", "setp.eq.b32 done, 0, 0;", "the last values may be under way when they are multiplied"),
        "other phase": (r"(mbarrier\.try_wait\.parity\.shared\.b64 done, \[%r\d+\+0\], )(%r\d+);", r"{ .reg .b32 other; xor.b32 other, \2, 1; \1other; }",
                        "the phase before the last values' has ended"),
        "no release": (r"(wgmma\.wait_group[^@]*?)@one mbarrier\.arrive\.shared\.b64 _, \[%r\d+\+8\];", r"\g<1>", "nobody tells the thread that copies that a stage has been read"),
    },
}


def faulty_extended(bench, fills):
    """One thing at a time, in the loop and behind it. Nobody waits for what is released behind it."""
    case = matrix_kernels.attention("f16", 128, 640, 64, 128, 128, aligned=True)
    name = f"fault-extended-{case.name}-{fills}"
    text, output = bench.compile(name, case, "sm_90", extended_options(3, 8), prefix=["env", f"TILEIR_PREFER_TMA_FOR_LOAD_STORE={FILLS[fills]}"])
    if text is None:
        yield f"{case.name} compiles", lambda: output
        return
    for kind, (pattern, replacement, why) in EXTENDED_FAULTS[fills].items():
        places = list(re.finditer(pattern, text))
        if len(places) < 2:
            yield f"fault: extended {fills} {kind}", lambda n=len(places): f"expected two places to break or more, found {n}"
            continue
        for number, place in enumerate(places[:1] if kind == "no release" else places):
            broken = text[:place.start()] + place.expand(replacement) + text[place.end():]
            yield f"fault: extended {fills} {kind} {number}", lambda kind=kind, number=number, broken=broken, why=why: bench.noticed(
                f"{name}-{kind}-{number}", broken, why, *bench.launch(case))


def main():
    parser = suite_arguments(TARGETS)
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    names = args.targets.split(",")
    with tempfile.TemporaryDirectory(prefix="tileiras-pipelines-") as folder:
        bench = Bench(args.build, find_ptxas(), folder, args.full)
        work, turn = [], 0
        for stages in (0, 2, 3, 4):
            for case, pipelined in pipeline_kernels.cases(stages or 3):
                turn += 1
                if not args.full and (stages == 0 or "chased" not in case.name) and turn % 3 and not args.filter:
                    continue  # a sample
                for target in names if args.full else [names[turn % len(names)]]:
                    work.append((f"{case.name} {stages} stages {target}",
                                 lambda case=case, pipelined=pipelined, stages=stages, target=target: check(bench, case, pipelined, stages, target)))
        for turn, case in enumerate(itertools.chain(pipeline_kernels.ahead(), pipeline_kernels.in_branches())):
            for target in names if args.full else [names[turn % len(names)]]:
                work.append((f"ahead: {case.name} {target}", lambda case=case, target=target: check_ahead(bench, case, target)))
        for stages in (2, 3, 4):
            for turn, (case, pipelined) in enumerate(pipeline_kernels.gathers(stages)):
                for target in names if args.full else [names[(turn + stages) % len(names)]]:
                    work.append((f"gathers: {case.name} {stages} stages {target}", lambda case=case, pipelined=pipelined, stages=stages, target=target: check_gathers(
                        bench, case, pipelined, stages, target)))
        for turn, case in enumerate(pipeline_kernels.staged()):
            of_ring = [t for t in names if t in STAGED_TARGETS]
            for target in of_ring if args.full else of_ring[turn % len(of_ring):][:1] if of_ring else []:
                work.append((f"staged: {case.name} {target}", lambda case=case, target=target: check_staged(bench, case, target)))
        for turn, case in enumerate(turning()):
            narrow = [t for t in names if t in ("sm_80", "sm_89")]
            for target in narrow if args.full else narrow[turn % len(narrow):][:1] if narrow else []:
                work.append((f"turns: {case.name} {target}", lambda case=case, target=target: check_turns(bench, case, target)))
        for turn, (case, stages, target, warps) in enumerate(extended()):
            both = [fills for fills in FILLS if fills == "threads" or target not in ("sm_80", "sm_89")]
            for fills in (both if args.full else both[turn % len(both):][:1]) if target in names else []:
                work.append((f"extended: {case.name} {stages} stages {warps} warps {target} {fills}", lambda case=case, stages=stages, target=target, warps=warps, fills=fills:
                             check_extended(bench, case, stages, target, warps, fills)))
        work = [w for w in work if args.filter in w[0]]
        if not args.filter or "fault".startswith(args.filter):
            for target in ("sm_80", "sm_90"):
                work += faulty(bench, pipeline_kernels.ranged(64, 32, 32, 6, 0, 6), target)
            work += [w for target in ("sm_80", "sm_90") for w in faulty_gathers(bench, target)]
            work += faulty_staged(bench, "sm_80")
            work += faulty_streams(bench, "sm_80")
            work += faulty_turns(bench, "sm_80")
            work += [w for fills in FILLS for w in faulty_extended(bench, fills)]
        passed, failures, times = run_all(work, args.jobs, args.v)
    return conclude("pipelines:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
