#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Warp specialisation: the loops of pipeline_kernels.py divided among an agent that copies and one that computes
(pipeline-strategy=warp-specialize), on the emulator with the race checker on and under several schedules; and with one thing
wrong at a time in the PTX, which has to be reported or to give other numbers.

usage: agents.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_80,sm_90] [--full] [--jobs N] [-v]

A case passes when every run agrees with the reference, ptxas takes the PTX without a warning, and a loop that is to be pipelined
has agents. Without --full each case runs on one of the targets in turn.
"""

import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import pipeline_kernels
import targets
from harness import conclude, find_ptxas, run_all, suite_arguments
from run import run

TARGETS = ["sm_80", "sm_89", "sm_90", "sm_100", "sm_120"]
RING = "mbarrier.arrive"


def strategy(stages):
    return f"--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages={stages}"


def check(case, pipelined, stages, target, tool, ptxas, folder, full):
    base = pathlib.Path(folder) / f"{case.name}-{stages}-{target}"
    source, ptx, cubin = (base.with_name(base.name + suffix) for suffix in (".mlir", ".ptx", ".cubin"))
    source.write_text(case.text)
    for number, timing in enumerate(("early", "late", "random") if full else ("late",)):
        command = [str(tool), str(source), f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)), "--engine=reference,emulator",
                   "--check", f"--gpu-name={target}", f"--tolerance={case.tolerance}", f"--save-ptx={ptx}", "--threads=1",
                   f"--async={timing}", f"--schedules={16 if full else 2}", f"--seed={number + 1}", strategy(stages), *case.args]
        code, output = run(command)
        if code:
            return f"{' '.join(command)}\nexit status {code}\n{output}"
    # Whether two stages fit is not the same question for one agent and for two, which share no bytes: see the remark.
    if pipelined is False and RING in ptx.read_text():
        return "has a ring, although the loop cannot be pipelined"
    if ptxas and targets.can_assemble(ptxas, target):
        code, output = run([ptxas, "-v", f"-arch={targets.compiled_as(target)}", str(ptx), "-o", str(cubin)])
        if code or "warning" in output.lower() or "ignored" in output:
            return f"ptxas: {output}"
    return None


WAIT = r"mbarrier\.t\w+_wait\.parity\.shared\.b64 done, [^;]*;"
# What is broken, and why that is harmful. The first wait of the text is for full stages, the last for empty ones.
FAULTS = {
    "full unawaited": (rf"\A([\s\S]*?){WAIT}", r"\g<1>setp.eq.u32 done, 0, 0;", "stages are read before they are full"),
    "empty unawaited": (rf"{WAIT}((?:(?!{WAIT})[\s\S])*)\Z", r"setp.eq.u32 done, 0, 0;\g<1>", "stages are filled while they are read"),
    "not given back": (r"mbarrier\.arrive\.shared\.b64[^;]*;", "", "the producer waits forever"),
    "not filled": (r"cp\.async\.mbarrier\.arrive\.noinc\.shared\.b64[^;]*;", "", "the consumer waits forever"),
    "full early": (r"cp\.async\.mbarrier\.arrive\.noinc\.shared", "mbarrier.arrive.shared", "a stage is full before its copies are done"),
}


def faulty(case, target, tool, folder):
    """Runs the case's PTX with something broken; yields (name, check)."""
    source = pathlib.Path(folder) / f"fault-{case.name}-{target}.mlir"
    source.write_text(case.text)
    ptx = source.with_suffix(".ptx")
    arguments = [f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)), "--threads=1", *case.args]
    code, output = run([str(tool), str(source), "--engine=emulator", f"--gpu-name={target}", f"--save-ptx={ptx}", strategy(3), *arguments])
    if code:
        yield f"{case.name} compiles", lambda: output
        return
    text = ptx.read_text()
    for kind, (pattern, replacement, why) in FAULTS.items():
        broken = source.with_name(f"{source.stem}-{kind.replace(' ', '-')}.ptx")
        changed, count = re.subn(pattern, replacement, text)
        if kind == "full early":
            changed = re.sub(r"(mbarrier\.arrive\.shared\.b64\s+)(\[)", r"\g<1>_, \g<2>", changed)
        broken.write_text(changed)

        def caught(broken=broken, why=why, count=count):
            if not count:
                return "there is nothing to break"
            for timing in ("late", "early", "random"):
                code, output = run([str(tool), str(broken), "--engine=emulator", "--check-races", f"--async={timing}", "--schedules=4", *arguments])
                if code == 6:
                    return None
            return f"not reported: {why}\n{output}"
        yield f"fault: {case.name} {target} {kind}", caught


def main():
    parser = suite_arguments(TARGETS)
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    tool, ptxas = pathlib.Path(args.build).resolve() / "bin/tileiras-run", find_ptxas()
    names = args.targets.split(",")
    with tempfile.TemporaryDirectory(prefix="tileiras-agents-") as folder:
        work, turn = [], 0
        for stages in (2, 3, 4):
            for case, pipelined in pipeline_kernels.cases(stages):
                turn += 1
                if not args.full and turn % 4 and not args.filter:
                    continue  # a sample
                for target in names if args.full else [names[turn // 4 % len(names)]]:
                    work.append((f"{case.name} {stages} stages {target}",
                                 lambda case=case, pipelined=pipelined, stages=stages, target=target: check(
                                     case, pipelined, stages, target, tool, ptxas, folder, args.full)))
        work = [w for w in work if args.filter in w[0]]
        if not args.filter or "fault".startswith(args.filter):
            for target in ("sm_80", "sm_90"):
                work += faulty(pipeline_kernels.ranged(64, 32, 32, 6, 0, 6), target, tool, folder)
        passed, failures, times = run_all(work, args.jobs, args.v)
    return conclude("agents:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
