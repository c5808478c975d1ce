#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Warp specialisation: the loops of pipeline_kernels.py divided among an agent that copies and one that computes
(pipeline-strategy=warp-specialize), on the emulator with the race checker on and under several schedules; products whose rings
are filled by TMA, with tensor maps and without; and with one thing wrong at a time in the PTX, which has to be reported or to give
other numbers.

usage: agents.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_80,sm_90] [--full] [--jobs N] [-v]

A case passes when every run agrees with the reference, ptxas takes the PTX without a warning, and a loop that is to be pipelined
has agents. Without --full each case runs on one of the targets in turn.
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
RING = "mbarrier.arrive"


def strategy(stages, warps=0):
    return f"--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages={stages} num-warps={warps}"


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


# What an entry of the table of tensor maps says if it is ready and not ours: there are none.
NO_MAPS = (r"ld\.acquire\.gpu\.global\.b32\s+(%r\d+), \[[^]]*\];", r"mov.b32 \1, 2;")


def products():
    """Kernels in cuda_tile whose ring an agent fills by TMA, and warps: of 1 and 2 warpgroups that compute."""
    gemm = matrix_kernels.gemm
    yield gemm("f16", "f32", 128, 128, 320, 64, 64, 64, aligned=True), 4
    yield gemm("f16", "f32", 192, 208, 336, 128, 128, 64, aligned=True), 8
    yield gemm("bf16", "f32", 128, 256, 512, 128, 256, 64, aligned=True), 8
    yield gemm("f16", "f32", 128, 128, 192, 64, 128, 64, aligned=True, transposed=True), 4
    yield gemm("i8", "i32", 128, 64, 256, 64, 64, 64, aligned=True, signs=("signed", "signed"), transposed=True), 4
    yield gemm("f16", "f32", 128, 128, 64, 64, 64, 64, aligned=True), 4  # one iteration


def check_product(case, warps, target, tool, ptxas, folder, full):
    """With tensor maps, and with a table in which all entries belong to somebody else: without."""
    base = pathlib.Path(folder) / f"{case.name}-{target}"
    source, ptx, none, cubin = (base.with_suffix(suffix) for suffix in (".mlir", ".ptx", ".none.ptx", ".cubin"))
    source.write_text(case.text)
    arguments = [f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)), "--threads=1", *case.args]
    schedules = f"--schedules={16 if full else 3}"
    for timing in ("early", "late", "random") if full else ("random",):
        command = [str(tool), str(source), "--engine=reference,emulator", "--check", f"--gpu-name={target}", f"--tolerance={case.tolerance}",
                   f"--async={timing}", schedules, f"--save-ptx={ptx}", strategy(3, warps), *arguments]
        code, output = run(command)
        if code:
            return f"{' '.join(command)}\n{output}"
    text = ptx.read_text()
    if "cp.async.bulk.tensor" not in text:
        return "no tensor copies in the PTX"
    none.write_text(re.sub(*NO_MAPS, text))
    for name, file in (("map", ptx), ("none", none)):
        code, output = run([str(tool), str(file), "--engine=emulator", "--check-races", "--async=late", schedules, *arguments, f"--dump=o={base}-{name}.npy"])
        if code:
            return f"{file}\n{output}"
    if pathlib.Path(f"{base}-map.npy").read_bytes() != pathlib.Path(f"{base}-none.npy").read_bytes():
        return "the two ways to fill the ring give different results"
    if ptxas and targets.can_assemble(ptxas, target):
        code, output = run([ptxas, "-v", f"-arch={targets.compiled_as(target)}", str(ptx), "-o", str(cubin)])
        if code or "warning" in output.lower() or "C75" in output or re.search(r"[1-9]\d* bytes spill", output):
            return f"ptxas: {output}"
    return None


WAIT = r"mbarrier\.t\w+_wait\.parity\.shared\.b64 done, [^;]*;"
ARRIVE = r"mbarrier\.arrive\.shared\.b64[^;]*;"
# What is broken, and why that is harmful. The first wait of the text is for full stages, the last for empty ones.
FAULTS = {
    "full unawaited": (rf"\A([\s\S]*?){WAIT}", r"\g<1>setp.eq.u32 done, 0, 0;", "stages are read before they are full"),
    "empty unawaited": (rf"{WAIT}((?:(?!{WAIT})[\s\S])*)\Z", r"setp.eq.u32 done, 0, 0;\g<1>", "stages are filled while they are read"),
    "not given back": (ARRIVE, "mov.pred one, one;", "the producer waits forever"),
}
OF_COPIES = {
    "not filled": (r"cp\.async\.mbarrier\.arrive\.noinc\.shared\.b64[^;]*;", "", "the consumer waits forever"),
    "full early": (r"cp\.async\.mbarrier\.arrive\.noinc\.shared\.b64\s+", "mbarrier.arrive.shared.b64 _, ", "a stage is full before its copies are done"),
    "lanes apart": (r"bar\.warp\.sync\s+-1;", "", "a lane gives back what others read"),
}
EXPECT = r"mbarrier\.arrive\.expect_tx\.shared\.b64 _, \[([^]]*)\], [^;]*;"
COPY = r"cp\.async\.bulk\.tensor[^;]*;"
OF_TMA = {
    "empty unawaited by one": (rf"{WAIT}([\s\S]{{0,400}}?{EXPECT})", r"setp.eq.u32 done, 0, 0;\g<1>", "stages are filled while they are read"),
    "bytes not announced": (EXPECT, "", "nobody arrives at full"),
    "too few bytes": (EXPECT, r"mbarrier.arrive.expect_tx.shared.b64 _, [\1], 4096;", "stages are full before their last bytes"),
    "too many bytes": (EXPECT, r"mbarrier.arrive.expect_tx.shared.b64 _, [\1], 65536;", "stages are never full"),
    "copy missing": (COPY, "", "bytes that were announced do not come"),
    "filled by all": (r"elect\.sync\s+(%r\d+)\|(%p\d+), -1;", r"setp.eq.u32 \2, 0, 0;", "every lane fills the stage"),
    "no barrier for no stage": (r"mbarrier\.init\.shared\.b64[^;]*;(?=\s*fence\.mbarrier_init)", "", "the first round gives back a stage that there is not"),
    "given back early": (r"wgmma\.wait_group\.sync\.aligned 1;", "wgmma.wait_group.sync.aligned 3;", "products read what is filled"),
    "bytes used again early": (r"bar\.sync\s+1, \d+;", "", "a warp writes its sums over what others read"),
}
WITHOUT_MAPS = {
    "copies unawaited": (r"cp\.async\.wait_group\s+\d+;", "", "a stage is full before its copies are done"),
    "one group too many": (r"cp\.async\.wait_group\s+1;", "cp.async.wait_group 2;", "a stage is full before its last copies are done"),
    "last copies unawaited": (r"cp\.async\.wait_group\s+0;", "", "the last stages are full before their copies are done"),
    "threads apart": (r"(cp\.async\.wait_group\s+\d+;[\s\S]{0,200}?)bar\.sync\s+\d+, 128;", r"\1", "one thread arrives for copies of others"),
    "no proxy fence": (r"(cp\.async\.wait_group\s+\d+;\s*)fence\.proxy\.async[^;]*;", r"\1", "products read by another proxy what threads wrote"),
    "last stages not filled": (r"(cp\.async\.wait_group\s+0;[\s\S]{0,600}?)@one mbarrier\.arrive[^;]*;", r"\1", "the consumer waits for them forever"),
}


def faulty(case, target, tool, folder, faults, warps=0, prepare=None):
    """Runs the case's PTX with something broken; yields (name, check)."""
    name = f"{case.name} {target}" + (" without maps" if prepare else "")
    source = pathlib.Path(folder) / f"fault-{name.replace(' ', '-')}.mlir"
    source.write_text(case.text)
    ptx = source.with_suffix(".ptx")
    arguments = [f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)), "--threads=1", *case.args]
    code, output = run([str(tool), str(source), "--engine=emulator", f"--gpu-name={target}", f"--save-ptx={ptx}", strategy(3, warps), *arguments])
    if code:
        yield f"{name} compiles", lambda: output
        return
    text = ptx.read_text()
    if prepare:
        text = re.sub(*prepare, text)
    for kind, (pattern, replacement, why) in faults.items():
        broken = source.with_name(f"{source.stem}-{kind.replace(' ', '-')}.ptx")
        if kind == "copy missing":
            changed, count = re.subn(pattern, replacement, text, count=1)
        else:
            changed, count = re.subn(pattern, replacement, text)
        broken.write_text(changed)

        def caught(broken=broken, why=why, count=count):
            if not count:
                return "there is nothing to break"
            for timing in ("late", "early", "random"):
                code, output = run([str(tool), str(broken), "--engine=emulator", "--check-races", f"--async={timing}", "--schedules=4", *arguments])
                if code == 6:
                    return None
            return f"not reported: {why}\n{output}"
        yield f"fault: {name} {kind}", caught


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
        if "sm_90" in names:
            for case, warps in products():
                work.append((f"by TMA: {case.name}", lambda case=case, warps=warps: check_product(case, warps, "sm_90", tool, ptxas, folder, args.full)))
        work = [w for w in work if args.filter in w[0]]
        if not args.filter or "fault".startswith(args.filter):
            work += faulty(pipeline_kernels.ranged(64, 32, 32, 6, 0, 6), "sm_80", tool, folder, FAULTS | OF_COPIES)
            case = matrix_kernels.gemm("f16", "f32", 128, 128, 512, 128, 128, 64, aligned=True)
            # There the last wait of the text is one of the branch without tensor maps.
            of_tma = {kind: fault for kind, fault in (FAULTS | OF_TMA).items() if kind != "empty unawaited"}
            work += faulty(case, "sm_90", tool, folder, of_tma, warps=8)
            work += faulty(case, "sm_90", tool, folder, WITHOUT_MAPS, warps=8, prepare=NO_MAPS)
        passed, failures, times = run_all(work, args.jobs, args.v)
    return conclude("agents:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
