#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products with block scales on Blackwell: microseconds and TFLOP/s that the model predicts for B200, with the limiter and what comes through L2.

usage: block_scaled.py BUILD_DIR [--before BUILD_DIR] [--filter TEXT] [--gpu b200] [--options TEXT]

nvfp4 (f4E2M1FN, f8E4M3FN for 16), mxfp4 (f4E2M1FN, f8E8M0FNU for 32) and mxfp8 (f8E4M3FN, f8E8M0FNU for 32), sums and results in f32, both factors with k
dense, random data. Scales lie in rows, as a plain array, or in blocks of 128 x 4, as cuBLAS and Triton want them (which the kernel sees as 32 x 4 x 4). Two
blocks: num_cta_in_cga = 2. --before: another build, whose time comes first.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "test" / "EndToEnd"), str(ROOT / "test")]
import clusters  # noqa: E402
import matrix_kernels  # noqa: E402

# Format, m = n = k, tile, blocks of a cluster.
ROWS = [("nvfp4", 8192, (256, 256, 256), 2), ("nvfp4", 8192, (128, 256, 256), 1), ("nvfp4", 8192, (256, 128, 256), 2), ("nvfp4", 4096, (256, 256, 256), 2),
        ("nvfp4", 2048, (256, 256, 256), 2), ("nvfp4", 2048, (128, 256, 256), 1), ("mxfp4", 8192, (256, 256, 256), 2), ("mxfp8", 8192, (256, 256, 128), 2),
        ("mxfp8", 8192, (128, 256, 128), 1), ("mxfp8", 4096, (256, 256, 128), 2)]


def kernel(form, size, tile, blocks, of):
    if form == "mxfp8":
        case = matrix_kernels.scaled_gemm("f8E4M3FN", size, size, size, *tile, transposed=True, by_rows=True, blocks=of)
    else:
        case = matrix_kernels.fp4_gemm(*(("f8E4M3FN", 16) if form == "nvfp4" else ("f8E8M0FNU", 32)), size, size, size, *tile, blocks=of)
    return clusters.clustered(case, blocks) if blocks > 1 else case


def measure(build, case, args, folder):
    source = folder / "k.mlir"
    source.write_text(case.text)
    words = [pathlib.Path(build).resolve() / "bin" / "tileiras-run", source, f"--time={args.gpu}", "--gpu-name=sm_100", f"--grid={','.join(map(str, case.grid))}",
             f"--pipeline-options={args.options}", *case.args]
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, env={**os.environ, "TILEIR_PREFER_TMA_FOR_LOAD_STORE": "true"})
    if done.returncode:
        sys.exit((done.stdout + done.stderr)[-800:])
    said = done.stdout + done.stderr
    us, error = map(float, re.search(r"([\d.]+) us \+- (\d+) %", said).groups())
    return us, error, re.search(r"limited by: ([^,(\n]*)", said)[1].strip(), float(re.search(r"([\d.]+) MB through L2", said)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--before")
    parser.add_argument("--filter", default="")
    parser.add_argument("--gpu", default="b200")
    parser.add_argument("--options", default="")
    args = parser.parse_args()
    print("| format, m = n = k | tile, blocks | scales | " + ("before: us | " if args.before else "") + "us | TFLOP/s | error bar | limited by | MB through L2 |")
    print("|---" * (9 if args.before else 8) + "|")
    with tempfile.TemporaryDirectory(prefix="tileiras-scaled-") as folder:
        for form, size, tile, blocks in ROWS:
            for name, of in (("rows", None), ("blocks", (32, 4, 4))):
                row = f"| {form}, {size} | {'x'.join(map(str, tile))}, {blocks} | {name} |"
                if args.filter not in row:
                    continue
                case = kernel(form, size, tile, blocks, of)
                before = f" {measure(args.before, case, args, pathlib.Path(folder))[0]} |" if args.before else ""
                us, error, limiter, megabytes = measure(args.build, case, args, pathlib.Path(folder))
                print(f"{row}{before} {us} | {2 * size ** 3 / us / 1e6:,.0f} | {error:.0f} % | {limiter} | {megabytes:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
