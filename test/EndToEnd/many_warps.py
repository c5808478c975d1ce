# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: many_warps.py: reductions over 8, 16 and 32 warps, whose parts the lanes of a warp combine (Conversion/TileASToLLVM/Reduce.cpp).

Executed on odd shapes, several types and hostile schedules with the race checker on, compared with the reference; what a thread
reads of shared memory is counted; and without any of its barriers the kernel is reported. The tools are those on PATH.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import kernels
import kernels_identity


CASES = [  # warps, results of a tile, case
    (32, 1, kernels.reduction("f32", "add", 1, 3, 3001, 1, 4096)),
    (8, 2, kernels.reduction("f64", "add", 0, 601, 3, 1024, 2)),  # fewer results than lanes
    (16, 8, kernels.reduction("f16", "max", 0, 701, 13, 1024, 8)),
    (32, 16, kernels.reduction("i32", "max", 0, 999, 29, 1024, 16)),
    (32, 128, kernels.reduction("i8", "max", 0, 501, 130, 512, 128)),
    (8, 16, kernels.reduction("i64", "add", 0, 277, 20, 256, 16)),
    (16, 4, kernels.reduction("f32", "max", 1, 5, 1000, 4, 1024)),
    # Two operands, and bodies whose operands the compiler does not know to commute.
    (32, 64, kernels_identity.aggregate("reduce", ["maxf", "minf propagate_nan"], "f32", [256, 64], 0)),
    (8, 4, kernels_identity.aggregate("reduce", ["addi", "maxi signed"], "i32", [512, 4], 0)),
    (32, 1, kernels_identity.aggregate("reduce", ["maxf", "minf"], "f64", [1, 2048], 1)),
]


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    return done.returncode, done.stdout.decode(errors="replace")


def words_read(ptx):
    """Of shared memory, by one thread; the accesses of a kernel without loops, counted in its text."""
    total = 0
    for vector, bits in re.findall(r"ld\.shared(?:\.(v[248]))?\.[a-z]*(\d+)", ptx):
        total += int(vector[1:] if vector else 1) * max(int(bits), 32) // 32
    return total


def main():
    failures = []
    with tempfile.TemporaryDirectory(prefix="tileiras-many-warps-") as folder:
        source, ptx = pathlib.Path(folder) / "k.mlir", pathlib.Path(folder) / "k.ptx"
        for number, (warps, results, case) in enumerate(CASES):
            source.write_text(case.text)
            target = ("sm_90", "sm_80", "sm_120")[number % 3]
            base = ["--grid=" + ",".join(map(str, case.grid)), "--threads=1", *case.args]
            code, said = run("tileiras-run", str(source), "--engine=reference,emulator", "--check", f"--gpu-name={target}", "--schedules=4",
                             f"--tolerance={case.tolerance}", f"--pipeline-options=num-warps={warps}", f"--save-ptx={ptx}", *base)
            if code:
                failures.append(f"{case.name}, {warps} warps: exit status {code}\n{said}")
                continue
            text = ptx.read_text()
            barriers = [m for m in re.finditer(r"(?m)^.*\b(bar\.sync|barrier\.sync|bar\.warp\.sync)\b.*;$", text)]
            print(f"{case.name}: {warps} warps, {words_read(text)} words read by a thread, {len(barriers)} barriers")
            # Every part of its results, which are at least these many.
            if words_read(text) >= warps * max(1, results // 32):
                failures.append(f"{case.name}: a thread reads {words_read(text)} words for parts of {warps} warps")
            # Without any of its barriers: somebody reads what another still writes.
            for barrier in barriers:
                if "st.shared" not in text[:barrier.start()]:
                    continue  # nothing was written before it
                broken = ptx.with_name("broken.ptx")
                broken.write_text(text[:barrier.start()] + text[barrier.end():])
                code, said = run("tileiras-run", str(broken), "--engine=emulator", "--check-races", "--schedules=2", *base)
                if code != 6 or "race" not in said:
                    failures.append(f"{case.name}: without '{barrier.group().strip()}' nothing is reported (exit status {code})\n{said[:1500]}")
    for failure in failures:
        print("FAILED " + failure)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
