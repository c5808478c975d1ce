#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a prediction takes beside the functional engine, on the same blocks: all of the grid are samples, on one thread.

    bench/timing/speed.py BUILD [--report FILE]

CPU time of this process, the least of three: the wave's probe and the replays for the limiter are in it, the assembler, a process of its own that does not depend on the
number of blocks, is not. Fails beyond LIMIT times the functional engine's time. Needs nvcc for the product by mma.sync, which is skipped without.
"""

import argparse
import json
import pathlib
import random
import time

import validate
from validate import BF16, HERE, Emulator, Hidden, from_cuda, kernels, mma, tensor_map

LIMIT = 4.0


def words(*values):
    return [v.to_bytes(4, "little") for v in values]


def wgmma():
    """256 blocks of 128 x 128 x 256."""
    m, n, k = 2048, 2048, 256
    ptx, shared = kernels.wgmma_gemm(bm=128, bn=128, stages=3, consumers=2)
    maps = [tensor_map(index, BF16, rows, k, [64, 128], 128) for index, rows in enumerate((m, n))]
    a, b = (bytearray(random.Random(seed).randbytes(rows * k * 2)) for seed, rows in enumerate((m, n)))
    return ptx, (256,), [Hidden(a), Hidden(b), *maps, bytearray(m * n * 2), *words(n, k // 64, n // 128, 256)], "h100", dict(shared=shared)


def mma_sync():
    """64 blocks of 128 x 64 x 512."""
    m, n = 1024, 512
    tile = mma(128, 64, 64)
    ptx = from_cuda(HERE / "mma_gemm.cu", "80", [f"-D{key}={value}" for key, value in tile.items()])
    a, b = (bytearray(random.Random(seed).randbytes(rows * n * 2)) for seed, rows in enumerate((m, n)))
    return ptx, (m // 128 * (n // 64),), [a, b, bytearray(m * n * 2), *words(n, n)], "a100", dict(block=(128, 1, 1), shared=tile["STAGES"] * 192 * 128)


def least(run):
    best = None
    for _ in range(3):
        start = time.process_time()
        run()
        seconds = time.process_time() - start
        best = seconds if best is None else min(best, seconds)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--report")
    options = parser.parse_args()
    emulator, failed, passed, skips = Emulator(options.build), 0, 0, []
    for case, lacks in ((wgmma, validate.lacking("A")), (mma_sync, validate.lacking("C"))):
        if lacks:
            print(f"{case.__name__}: skipped, {lacks}")
            skips.append(f"{case.__name__}: {lacks}")
            continue
        ptx, grid, arguments, machine, more = case()
        functional = least(lambda: emulator.run(ptx, grid, arguments, host_threads=1, **more))
        found = []
        predicted = least(lambda: found.append(emulator.predict(ptx, grid, arguments, machine, timing={"samples": grid[0]}, host_threads=1, **more)))
        ratio = predicted / functional
        print(f"{case.__name__}, {grid[0]} blocks: functional {functional:.2f} s, predicted {predicted:.2f} s, {ratio:.2f} times (at most {LIMIT:g})", flush=True)
        # All blocks must have been run, or this compares nothing.
        good = ratio <= LIMIT and f"{grid[0]} of {grid[0]} clusters run" in found[0]["text"]
        passed, failed = passed + good, failed + (not good)
    if options.report:
        pathlib.Path(options.report).write_text(json.dumps({"passed": passed, "failed": failed, "skipped": len(skips), "skips": skips}))
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
