#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the code of the compiler in the order in which it runs, by LLVM's BOLT.

usage: lay_out_code.py BUILD [--tool bin/tileiras] [--force]

Most of what `tileiras` executes is LLVM's and MLIR's, from archives which are compiled once for everybody: a hundred
megabytes, of which a compilation runs some thousands of functions here and there. BOLT counts which blocks of them are
run while the kernels of examples/ are compiled for several targets, and writes the program again with those side by
side, branches falling through. The same instructions, far fewer misses (docs/performance.md, "Compile time").

`make build` does it behind the linker; `ninja` alone does not, so that the daily loop does not wait. What comes out
must compile the same kernels to the same bytes, or the program stays as it was linked. Nothing is done, and the exit
status is 0, where BOLT is not installed or the program is in order already. Takes some two minutes and 3 GiB.
"""

import argparse
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNELS = ("attention", "fp4_matmul", "fp8_quantise", "layer_norm", "moe_routing", "softmax")
TARGETS = ("sm_80", "sm_90", "sm_100", "sm_120")
LAYOUT = ["-reorder-blocks=ext-tsp", "-reorder-functions=cdsort", "-split-functions", "-split-all-cold", "-split-eh"]


def program(name):
    return shutil.which(name + "-22") or shutil.which(name)


def call(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed ({done.returncode}): {(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def sections(binary):
    return call(program("llvm-readelf"), "--sections", "--wide", binary)


def jobs():
    """Every kernel for two targets, in turn: pairs of a source and a target."""
    for index, kernel in enumerate(KERNELS):
        for step in range(2):
            yield ROOT / "examples" / f"{kernel}.mlir", TARGETS[(index + 2 * step) % len(TARGETS)]


def compile_kernel(binary, kernel, target, output, environment=None):
    """The text of the program, or None where the target has no such kernel (products of fp4)."""
    done = subprocess.run([binary, kernel, f"--gpu-name={target}", "-O3", "--emit=ptx", "-o", output],
                          env=environment, capture_output=True)
    return output.read_bytes() if done.returncode == 0 else None


def profile(binary, orderly_exit, work):
    """Counts of one file for all jobs."""
    counts, total = work / "counts.fdata", work / "total.fdata"
    instrumented = work / "instrumented"
    call(program("llvm-bolt"), binary, "-instrument", f"--instrumentation-file={counts}", "-o", instrumented)
    # The counts are written by what runs at exit, which the compiler does without.
    environment = {**os.environ, "LD_PRELOAD": str(orderly_exit)}
    for kernel, target in jobs():
        counts.unlink(missing_ok=True)
        compile_kernel(instrumented, kernel, target, work / "out.ptx", environment)
        if not counts.exists():
            continue  # refused, before anything is worth counting
        if not total.exists():
            counts.rename(total)
            continue
        call(program("merge-fdata"), counts, total, "-o", work / "sum.fdata")
        (work / "sum.fdata").rename(total)
    if not total.exists():
        raise RuntimeError("no compilation left counts")
    return total


def differs(linked, ordered, work):
    """The first job for which the two programs do not write the same, or None."""
    written = 0
    for kernel, target in jobs():
        expected = compile_kernel(linked, kernel, target, work / "a.ptx")
        if compile_kernel(ordered, kernel, target, work / "b.ptx") != expected:
            return f"{kernel.name} for {target}"
        written += expected is not None
    return None if written else "no kernel compiles"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--tool", default="bin/tileiras")
    parser.add_argument("--force", action="store_true", help="also if the same program has been put in order before")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    binary, orderly_exit = build / arguments.tool, build / "lib" / "liborderly_exit.so"

    missing = [name for name in ("llvm-bolt", "merge-fdata", "llvm-readelf") if not program(name)]
    if missing or not orderly_exit.exists():
        print(f"lay_out_code: without {missing[0] if missing else orderly_exit.name}: {binary.name} stays as it was linked")
        return 0
    table = sections(binary)
    if ".note.bolt_info" in table:
        return 0
    if ".rela.text" not in table:
        print(f"lay_out_code: {binary.name} was linked without -Wl,--emit-relocs: it stays as it is")
        return 0

    store = build / "code-layout"
    store.mkdir(exist_ok=True)
    ordered, stamp = store / binary.name, store / (binary.name + ".sha256")
    digest = hashlib.sha256(binary.read_bytes()).hexdigest()
    if arguments.force or not ordered.exists() or not stamp.exists() or stamp.read_text() != digest:
        print(f"lay_out_code: ordering {binary.name} by how often its blocks run (about two minutes)", flush=True)
        with tempfile.TemporaryDirectory(dir=store) as folder:
            work = pathlib.Path(folder)
            try:
                counts = profile(binary, orderly_exit, work)
                call(program("llvm-bolt"), binary, f"-data={counts}", *LAYOUT, "-o", work / "ordered")
                difference = differs(binary, work / "ordered", work)
            except RuntimeError as error:
                print(f"lay_out_code: {error}; {binary.name} stays as it was linked", file=sys.stderr)
                return 0
            if difference:
                print(f"lay_out_code: the ordered program compiles {difference} to something else; "
                      f"{binary.name} stays as it was linked", file=sys.stderr)
                return 0
            stamp.unlink(missing_ok=True)
            (work / "ordered").rename(ordered)
            stamp.write_text(digest)
    # By renaming: whoever runs the program goes on with the one that it was.
    copy = binary.with_name(binary.name + ".ordered")
    shutil.copy2(ordered, copy)
    copy.rename(binary)
    return 0


if __name__ == "__main__":
    sys.exit(main())
