#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TileGym's attention, as its front end emits it: time and TFLOP/s that the model predicts for H200 and B200, with the limiter.

usage: corpus_attention.py BUILD_DIR [--corpus DIR] [--before BUILD_DIR] [--gpus h200,b200] [--heads N] [--length N] [--filter TEXT]

Tiles of 256 queries and 128 keys, width 128 (latent attention: 64 more that are multiplied apart), elements random (standard normal). In causal attention whole tiles
of keys have a loop of their own, and half of the operations count. The corpus is looked for in TILEIRAS_CORPUS. --before: another build, whose time comes first.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

TARGETS = {"h200": "sm_90", "b200": "sm_100"}
# Name, module, element type, causal, width of what is multiplied apart.
KERNELS = [("bf16, causal", "tilegym/e2bbc38ae55d2d91", "bf16", True, 0), ("f16", "tilegym/6e14b40c64328527", "f16", False, 0),
           ("f8E5M2, causal", "tilegym/8660ea9f5a798e0c", "f8E5M2", True, 0), ("f8E5M2", "tilegym/58849215557b6de5", "f8E5M2", False, 0),
           ("latent, bf16, causal", "tilegym/cc75a054d17cc9a3", "bf16", True, 64)]
ROWS, WIDTH = 256, 128


def array(name, element, shape, init="normal(seed=1)"):
    strides, count = [], 1
    for extent in reversed(shape):
        strides.insert(0, count)
        count *= extent
    return [f"{name}:{element}[{count}]={init}", *(f"i32={x}" for x in [*shape, *strides])]


def arguments(element, heads, length, more):
    whole = [1, heads, length, WIDTH]
    if more:
        inputs = [("q", whole), ("q2", [1, heads, length, more]), ("k", whole), ("k2", [1, 1, length, more]), ("v", whole)]
        tail = ["f32=0.07", f"i32={heads}"]
    else:
        inputs, tail = [(name, whole) for name in "qkv"], ["f32=0.08838", "i32=0"]
    return [word for name, shape in inputs for word in array(name, element, shape)] + array("out:o", element, whole, "zeros") + tail


def measure(build, module, gpu, heads, length, args):
    command = [pathlib.Path(build).resolve() / "bin" / "tileiras-run", module, f"--time={gpu}", f"--gpu-name={TARGETS[gpu]}", f"--grid={length // ROWS},{heads},1", *args]
    done = subprocess.run(command, capture_output=True, text=True)
    found, limit = re.search(r"([\d.]+) us", done.stdout), re.search(r"limited by: ([^,:(]*)", done.stdout)
    if done.returncode or not found:
        raise RuntimeError((done.stdout + done.stderr)[-600:])
    return float(found[1]), limit[1].strip() if limit else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--corpus", type=pathlib.Path, default=os.environ.get("TILEIRAS_CORPUS"))
    parser.add_argument("--before")
    parser.add_argument("--gpus", default="h200,b200")
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--length", type=int, default=4096)
    parser.add_argument("--filter", default="")
    args = parser.parse_args()
    if not args.corpus or not pathlib.Path(args.corpus).is_dir():
        sys.exit("corpus_attention: no corpus (TILEIRAS_CORPUS)")
    print("| kernel | GPU |" + (" before: us |" if args.before else "") + " us | TFLOP/s | limited by |\n|---|---|---|---|---|" + ("---|" if args.before else ""))
    for name, module, element, causal, more in KERNELS:
        for gpu in args.gpus.split(","):
            if args.filter not in name:
                continue
            work = (2 * WIDTH * 2 + 2 * more) * args.length**2 * args.heads * (0.5 if causal else 1)
            where = (f"{args.corpus}/{module}.tileirbc", gpu, args.heads, args.length, arguments(element, args.heads, args.length, more))
            before = f" {measure(args.before, *where)[0]} |" if args.before else ""
            us, limit = measure(args.build, *where)
            print(f"| {name} | {gpu.upper()} |{before} {us} | {work / us / 1e6:.0f} | {limit} |", flush=True)


if __name__ == "__main__":
    main()
