#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GEMM of f32 that is multiplied as tf32: microseconds that the model predicts, beside another build and beside Triton, which cuts
off digits where the kernels here round.

usage: rounded_gemm.py BUILD_DIR [--before BUILD_DIR] [--gpus h200,b200,rtx5090] [--size N] [--across] [--tiles 128x128x32,...]

A is m x k; B is n x k, or with --across k x n. TILEIRAS_TRITON_PYTHON names a Python that has Triton: eight warps, three stages, loads
through pointers, B n x k.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "test" / "EndToEnd"))
from matrix_kernels import gemm

TARGETS = {"h200": "sm_90", "b200": "sm_100", "rtx5090": "sm_120"}


def measure(build, kernel, gpu, grid, size, *more):
    array = f"f32[{size}x{size}]"
    command = [pathlib.Path(build).resolve() / "bin" / "tileiras-run", kernel, f"--time={gpu}", f"--gpu-name={TARGETS[gpu]}", f"--grid={grid}",
               f"a:{array}=normal(seed=1)", f"b:{array}=normal(seed=2)", f"out:o:{array}=zeros", *[f"i32={size}"] * 3, *more]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"([\d.]+) us", done.stdout)
    if done.returncode or not found:
        raise RuntimeError((done.stdout + done.stderr)[-600:])
    return found[1]


def triton(python, build, folder, tile, gpu, grid, size):
    target = TARGETS[gpu].removeprefix("sm_")
    done = subprocess.run([python, HERE / "triton_gemm.py", folder, f"t:{tile}:8:3:fp32:0:fp32:{target}"], capture_output=True, text=True)
    if done.returncode:
        return "-"
    return measure(build, f"{folder}/t.ptx", gpu, grid, size, "ptr=0", "ptr=0", f"--dynamic-shared={pathlib.Path(folder, 't.shared').read_text()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--before")
    parser.add_argument("--gpus", default="h200,b200,rtx5090")
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--across", action="store_true")
    parser.add_argument("--tiles", default="128x128x32,128x256x32,64x64x32")
    args = parser.parse_args()
    python = os.environ.get("TILEIRAS_TRITON_PYTHON") if not args.across else None
    print("| tile | GPU |" + (" before: us |" if args.before else "") + " us |" + (" Triton: us |" if python else ""))
    print("|---|---|" + "---|" * (1 + bool(args.before) + bool(python)))
    with tempfile.TemporaryDirectory(prefix="tileiras-rounded-gemm-") as folder:
        for tile in args.tiles.split(","):
            tm, tn, tk = map(int, tile.split("x"))
            kernel = pathlib.Path(folder, "ours.mlir")
            kernel.write_text(gemm("tf32", "f32", args.size, args.size, args.size, tm, tn, tk, aligned=True, transposed=not args.across, loaded="f32").text)
            for gpu in args.gpus.split(","):
                grid = f"{args.size // tm},{args.size // tn},1"
                row = [measure(build, kernel, gpu, grid, args.size) for build in (args.before, args.build) if build]
                row += [triton(python, args.build, folder, tile, gpu, grid, args.size)] if python else []
                print(f"| {tile} | {gpu.upper()} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
