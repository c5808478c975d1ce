#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX that Triton compiles, run on the emulator and compared with NumPy. No GPU is needed.

    triton_ptx.py BUILD [--report FILE] [--targets 80,90,100] [--only NAME] [--seeds N] [--save FOLDER]

Skipped, with a message, where there is no Triton: neither in this interpreter, nor in the one that the environment variable
TILEIRAS_TRITON_PYTHON names (`python -m venv v; v/bin/pip install triton numpy` makes one).
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings


def parameters(ptx):
    """Number of parameters of the entry: Triton appends pointers to scratch memory."""
    return len(re.findall(r"\.param", re.search(r"\.entry[^(]*\((.*?)\)", ptx, re.S)[1]))


# What Triton 3.9 leaves out although the PTX ISA asks for it, and the words of the report. It writes no tcgen05.fence; tcgen05.ld
# and wait::ld are instructions that LLVM sees no tie between, so that users of the registers may come to stand before the wait;
# and an mbarrier goes to its tensor copy with a bar.sync alone. ptxas and today's hardware do not mind. Such a kernel runs again
# without the race checker, with registers that wait for their tcgen05.ld, and must then be right.
LEFT_OUT = {"tcgen05.fence": "no pair of tcgen05.fence", "tcgen05.wait::ld in time": "tcgen05.wait::ld is missing",
            "fence.mbarrier_init": "there is no fence.mbarrier_init or fence.proxy.async between"}


def run_case(emulator, case, target, save, seeds):
    """What of LEFT_OUT the kernel lacks."""
    from emulator import EmulatorError
    import numpy as np
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    names = case.kernel.arg_names
    signature = {name: case.arguments[i][0] if i < len(case.arguments) else "constexpr" for i, name in enumerate(names)}
    compiled = triton.compile(ASTSource(case.kernel, signature, constexprs=dict(case.constants)),
                              target=GPUTarget("cuda", target, 32),
                              options={"num_warps": case.warps, "num_stages": case.stages})
    ptx = compiled.asm["ptx"]
    if save:
        pathlib.Path(save, f"{case.name}-{target}.ptx").write_text(ptx)
    def copy(argument):
        return (argument[0].copy(), "out") if isinstance(argument, tuple) else argument.copy()
    arguments = [copy(value) for _, value in case.arguments]
    hidden = [np.uint64(0)] * (parameters(ptx) - len(arguments))
    if size := getattr(compiled.metadata, "global_scratch_size", 0):
        hidden[0] = (np.empty(size * int(np.prod(case.grid)), np.uint8), "out")  # for tensor maps
    def run(**options):
        emulator.run(ptx, case.grid, arguments + hidden, shared=compiled.metadata.shared,
                     block=(32 * compiled.metadata.num_warps, 1, 1), **options)
    def compare():
        for index, (want, tolerance) in case.expected.items():
            got = arguments[index][0] if isinstance(arguments[index], tuple) else arguments[index]
            difference = np.abs(got.astype(np.float64) - want)
            if not (difference <= tolerance).all():
                worst = np.unravel_index(np.nanargmax(difference), difference.shape)
                raise AssertionError(f"argument {index} differs, most at {worst}: {got[worst]} instead of {want[worst]}; "
                                     f"{(~(difference <= tolerance)).sum()} of {difference.size} elements")

    left_out = set()
    try:
        run(check_races=1)
    except EmulatorError as error:
        for report in error.reports:
            what = [name for name, words in LEFT_OUT.items() if words in report]
            if not what:
                raise
            left_out.update(what)
        arguments = [copy(value) for _, value in case.arguments]
        run(tensor_load_interlock=1)
    compare()
    for seed in range(seeds):  # warps and asynchronous operations in random orders
        arguments = [copy(value) for _, value in case.arguments]
        run(schedule=3, async_timing=2, seed=seed, tensor_load_interlock=1)
        compare()
    return left_out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--report")
    parser.add_argument("--targets", default="80,90,100")
    parser.add_argument("--only", default="")
    parser.add_argument("--seeds", type=int, default=1, help="further runs in random orders")
    parser.add_argument("--save", help="folder for the PTX")
    options = parser.parse_args()
    counts = {"passed": 0, "failed": 0, "skipped": 0}

    def finish():
        if options.report:
            pathlib.Path(options.report).write_text(json.dumps(counts))
        return 1 if counts["failed"] else 0

    warnings.filterwarnings("ignore", module="triton")
    cache = None
    if "TRITON_CACHE_DIR" not in os.environ:
        cache = tempfile.TemporaryDirectory(prefix="tileiras-triton-")
        os.environ["TRITON_CACHE_DIR"] = cache.name
    try:
        import triton_kernels
    except ImportError as missing:
        other = os.environ.pop("TILEIRAS_TRITON_PYTHON", None)
        if other:
            return subprocess.run([other] + sys.argv).returncode
        print(f"triton: skipped, {missing}")
        counts["skipped"] = 1
        return finish()
    from emulator import Emulator

    emulator = Emulator(options.build)
    left_out = collections.Counter()
    for target in map(int, options.targets.split(",")):
        for case in triton_kernels.cases():
            if target not in case.targets or not case.name.startswith(options.only):
                continue
            try:
                left_out.update(run_case(emulator, case, target, options.save, options.seeds))
                counts["passed"] += 1
            except Exception as error:  # a report, a difference, or Triton's own failure
                counts["failed"] += 1
                print(f"{case.name} for sm_{target}: {str(error)[:2000]}")
    print(f"triton: {counts['passed']} ok, {counts['failed']} not ok" +
          "".join(f"; {number} without {what}" for what, number in sorted(left_out.items())))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
