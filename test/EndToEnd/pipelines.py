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

import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import matrix_kernels
import pipeline_kernels
import targets
from harness import conclude, find_ptxas, run_all, suite_arguments
from run import run

TARGETS = ["sm_80", "sm_89", "sm_90", "sm_100", "sm_120"]
WAIT = re.compile(r"cp\.async\.wait_group\s+(\d+);")


AHEAD = re.compile(r'\[Passed\] Prefetch ')


def check_ahead(case, target, tool, ptxas, folder, full):
    """Loads ahead in registers: the remark says so, and nothing else changes."""
    compiler = [str(tool.parent / "tileiras"), f"--gpu-name={target}", "--emit=tileas", "--remarks=pipeline", "-o", "/dev/null"]
    source = pathlib.Path(folder) / f"{case.name}-ahead-{target}.mlir"
    source.write_text(case.text)
    code, output = run([*compiler, str(source)])
    if code or not AHEAD.search(output):
        return f"not ahead: {output}"
    return check(case, None, 3, target, tool, ptxas, folder, full)


def check(case, pipelined, stages, target, tool, ptxas, folder, full):
    base = pathlib.Path(folder) / f"{case.name}-{stages}-{target}"
    source, ptx, cubin = (base.with_name(base.name + suffix) for suffix in (".mlir", ".ptx", ".cubin"))
    source.write_text(case.text)
    strategy = f"pipeline-strategy=unspecialize unspecialized-pipeline-num-stages={stages}" if stages else "pipeline-strategy=none"
    for number, timing in enumerate(("early", "late", "random") if full else ("late",)):
        command = [str(tool), str(source), f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)), "--engine=reference,emulator",
                   "--check", f"--gpu-name={target}", f"--tolerance={case.tolerance}", f"--save-ptx={ptx}", "--threads=1",
                   f"--async={timing}", f"--schedules={16 if full else 2}", f"--seed={number + 1}", f"--pipeline-options={strategy}", *case.args]
        code, output = run(command)
        if code:
            return f"{' '.join(command)}\nexit status {code}\n{output}"
    waits = [int(n) for n in WAIT.findall(ptx.read_text())]
    if pipelined is not None:
        # Stages are fewer where the loop is short, a hint asks for it or shared memory is short.
        ahead = max(waits, default=0)
        if ahead > max(stages - 2, 0):
            return f"waits for groups {waits}: more than {stages} stages"
        if pipelined and stages > 2 and not ahead:
            return f"waits for groups {waits}: not pipelined"
        if not pipelined and ahead:
            return f"waits for groups {waits}: pipelined"
    if ptxas and targets.can_assemble(ptxas, target):
        code, output = run([ptxas, "-v", f"-arch={targets.compiled_as(target)}", str(ptx), "-o", str(cubin)])
        if code or "warning" in output.lower():
            return f"ptxas: {output}"
    return None


# What is broken, and why that is harmful. The kernel has two warps or more, and nothing else in its loop orders them.
FAULTS = {
    "no wait": (r"(cp\.async\.wait_group\s+)1;", "", "the copies of the stage may be under way when it is read"),
    "one more pending": (r"(cp\.async\.wait_group\s+)1;", r"\g<1>2;", "the group that is read may be the one that is not waited for"),
    "no barrier": (r"(cp\.async\.wait_group\s+1;[^b]*?)bar\.sync\s+0;", r"\g<1>", "other threads' copies are read, and their stages overwritten"),
    "wrong stage": (r"(mov\.b32\s+%r\d+,) 2;", r"\g<1> 1;", "the producer fills a stage behind the one that is empty"),
    "no group": (r"cp\.async\.commit_group;(?![\s\S]*cp\.async\.commit_group)", "", "the last commit of the text, that of the loop: the wait counts one less"),
}


def faulty(case, target, tool, folder):
    """Runs the case's PTX with something broken; yields (name, check)."""
    source = pathlib.Path(folder) / f"fault-{case.name}-{target}.mlir"
    source.write_text(case.text)
    ptx = source.with_suffix(".ptx")
    arguments = [f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)), "--threads=1", *case.args]
    # The loop that cp.async fills, and no other.
    code, output = run(["env", "TILEIR_PREFER_TMA_FOR_LOAD_STORE=false", str(tool), str(source), "--engine=emulator", f"--gpu-name={target}",
                        f"--save-ptx={ptx}",
                        "--pipeline-options=pipeline-strategy=unspecialize unspecialized-pipeline-num-stages=3", *arguments])
    if code:
        yield f"{case.name} compiles", lambda: output
        return
    text = ptx.read_text()
    for kind, (pattern, replacement, why) in FAULTS.items():
        broken = source.with_name(f"{source.stem}-{kind.replace(' ', '-')}.ptx")
        changed, count = re.subn(pattern, replacement, text)
        broken.write_text(changed)

        def caught(broken=broken, why=why, count=count):
            if count != 1:
                return f"expected one place to break, found {count}"
            for timing in ("late", "early", "random"):
                code, output = run([str(tool), str(broken), "--engine=emulator", "--check-races", f"--async={timing}", "--schedules=4", *arguments])
                if code == 6:
                    return None
            return f"not reported: {why}\n{output}"
        yield f"fault: {case.name} {target} {kind}", caught


# The same of two rings of one stage each, keys and values of attention: one thing at a time, wherever it stands in the loop.
STREAM_FAULTS = {
    "no wait": (r"cp\.async\.wait_group\s+[01];", "", "the copies of the stage may be under way when it is read", 2),
    "one more pending, keys": (r"(cp\.async\.wait_group\s+)0;", r"\g<1>1;", "keys are the latest group where they are waited for", 1),
    "one more pending, values": (r"(cp\.async\.wait_group\s+)1;", r"\g<1>2;", "values are the latest group but one", 1),
    "no barrier behind the wait": (r"(cp\.async\.wait_group\s+[01];\s*)bar\.sync\s+0;", r"\g<1>", "other threads' copies are read, or overwritten", 2),
    "no barrier before the copies": (r"(mma\.sync[^;]*;\s*)bar\.sync\s+0;(?=[^;]*(?:;[^;]*){0,60}cp\.async\.cg)", r"\g<1>",
                                     "keys are overwritten that others still read", 1),
}


def faulty_streams(target, tool, folder):
    case = matrix_kernels.attention("f16", 128, 384, 64, 128, 128, aligned=True)
    source = pathlib.Path(folder) / f"fault-{case.name}-{target}.mlir"
    source.write_text(case.text)
    ptx = source.with_suffix(".ptx")
    arguments = [f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)), "--threads=1", *case.args]
    code, output = run([str(tool), str(source), "--engine=emulator", f"--gpu-name={target}", f"--save-ptx={ptx}", *arguments])
    if code:
        yield f"{case.name} compiles", lambda: output
        return
    text = ptx.read_text()
    for kind, (pattern, replacement, why, expected) in STREAM_FAULTS.items():
        places = list(re.finditer(pattern, text))

        def caught(broken, why):
            for timing in ("late", "early", "random"):
                code, output = run([str(tool), str(broken), "--engine=emulator", "--check-races", f"--async={timing}", "--schedules=4", *arguments])
                if code == 6:
                    return None
            return f"not reported: {why}\n{output}"
        if len(places) != expected:
            yield f"fault: {case.name} {target} {kind}", lambda n=len(places), expected=expected: f"expected {expected} places to break, found {n}"
        for number, place in enumerate(places):
            broken = source.with_name(f"{source.stem}-{re.sub('[ ,]+', '-', kind)}-{number}.ptx")
            broken.write_text(text[:place.start()] + place.expand(replacement) + text[place.end():])
            yield f"fault: {case.name} {target} {kind} {number}", lambda broken=broken, why=why: caught(broken, why)


def main():
    parser = suite_arguments(TARGETS)
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    tool, ptxas = pathlib.Path(args.build).resolve() / "bin/tileiras-run", find_ptxas()
    names = args.targets.split(",")
    with tempfile.TemporaryDirectory(prefix="tileiras-pipelines-") as folder:
        work, turn = [], 0
        for stages in (0, 2, 3, 4):
            for case, pipelined in pipeline_kernels.cases(stages or 3):
                turn += 1
                if not args.full and (stages == 0 or "chased" not in case.name) and turn % 3 and not args.filter:
                    continue  # a sample
                for target in names if args.full else [names[turn % len(names)]]:
                    work.append((f"{case.name} {stages} stages {target}",
                                 lambda case=case, pipelined=pipelined, stages=stages, target=target: check(
                                     case, pipelined, stages, target, tool, ptxas, folder, args.full)))
        for turn, case in enumerate(pipeline_kernels.ahead()):
            for target in names if args.full else [names[turn % len(names)]]:
                work.append((f"ahead: {case.name} {target}", lambda case=case, target=target: check_ahead(
                    case, target, tool, ptxas, folder, args.full)))
        work = [w for w in work if args.filter in w[0]]
        if not args.filter or "fault".startswith(args.filter):
            for target in ("sm_80", "sm_90"):
                work += faulty(pipeline_kernels.ranged(64, 32, 32, 6, 0, 6), target, tool, folder)
            work += faulty_streams("sm_80", tool, folder)
        passed, failures, times = run_all(work, args.jobs, args.v)
    return conclude("pipelines:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
