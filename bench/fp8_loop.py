#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of 8-bit floats on sm_90 in the three ways of adding up, beside Triton's: the k loop in machine code, and the time that the model
predicts for H200.

usage: fp8_loop.py BUILD_DIR [--size N] [--filter TEXT] [--write FILE.md]

e4m3 factors, f32 sums, B stored n x k. exact: multiplied as f16; promoted: the unit's sums are added up in f32 every 128 of k (what is done without
fast_acc); fast_acc: the unit adds up everything. Triton's max_num_imprecise_acc says how much its unit adds up; by default that is everything.
Needs ptxas, nvdisasm, and for Triton's rows a Python that has it in TILEIRAS_TRITON_PYTHON.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "test" / "EndToEnd")]
import inner_loop  # noqa: E402
import matrix_kernels  # noqa: E402
from harness import find_ptxas  # noqa: E402

TILES = [(128, 256, 128, 8), (128, 128, 128, 8), (64, 64, 128, 4)]
WAYS = {"exact": (False, "fp8-sums=exact"), "promoted": (False, ""), "fast_acc": (True, "")}
COLUMNS = ["instructions", "products", "arrive", "waits", "additions", "moves", "registers", "spilled", "us"]


def run(words, **options):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, **options)
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr)[-600:])
    return done.stdout + done.stderr


def predicted(ptx, tool, launch):
    """Microseconds. Triton 3.9 reads sums that it promotes while they are under way, which the emulator refuses, and leaves it to ptxas to put the wait in
    (C7517): such PTX is timed with that wait."""
    try:
        return float(re.search(r"([\d.]+) us", run([tool / "tileiras-run", ptx, "--time=h200", *launch]))[1])
    except RuntimeError as error:
        if "a wgmma.wait_group is missing" not in str(error):
            raise
    text = ptx.read_text()
    early = re.sub(r"(wgmma\.mma_async[^\n]*\n(?:\s*\n|\s*//[^\n]*\n)*)(\s*add\.f32)", r"\1wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n\2", text)
    ptx.write_text(early)
    return float(re.search(r"([\d.]+) us", run([tool / "tileiras-run", ptx, "--time=h200", *launch]))[1])


def measure(ptx, tool, launch, mine=True):
    said = run([find_ptxas(), "-v", "-arch=sm_90a", ptx, "-o", ptx.with_suffix(".cubin")])
    if mine and re.search(r"warning|C75\d\d", said):
        raise RuntimeError(said)
    (_, body), *_ = inner_loop.functions(run([inner_loop.find_nvdisasm(), "-c", ptx.with_suffix(".cubin")]))
    loop, everything = inner_loop.instructions_of(body)
    names = [name for name, _ in loop or everything]
    return {"instructions": len(names), "products": sum("GMMA" in n for n in names), "arrive": names.count("WARPGROUP.ARRIVE"),
            "waits": sum(n.startswith("WARPGROUP.DEPBAR") for n in names), "additions": sum(n.startswith("FADD") for n in names),
            "moves": sum(re.match(r"(I?MOV|MOV)\b", n) is not None for n in names), "registers": int(re.search(r"Used (\d+) registers", said)[1]),
            "spilled": sum(map(int, re.findall(r"(\d+) bytes spill", said))),
            "us": predicted(ptx, tool, launch)}


def ours(tool, shape, way, size, folder):
    tm, tn, tk, _ = shape
    fast, options = WAYS[way]
    case = matrix_kernels.gemm("f8E4M3FN", "f32", size, size, size, tm, tn, tk, aligned=True, transposed=True, fast=fast)
    source, ptx = folder / "ours.mlir", folder / f"ours-{tm}-{tn}-{way}.ptx"
    source.write_text(case.text)
    run([tool / "tileiras", source, "--gpu-name=sm_90", "--emit=ptx", "-o", ptx, f"--pipeline-options={options}"])
    return measure(ptx, tool, [f"--grid={size // tm},{size // tn}", *[re.sub(r"=(random|poison).*", "=zeros", a) for a in case.args]])


def theirs(tool, shape, imprecise, size, folder, python):
    tm, tn, tk, warps = shape
    name = f"triton-{tm}-{tn}-{imprecise}"
    run([python, ROOT / "bench/triton_gemm.py", folder, f"{name}:{tm}x{tn}x{tk}:{warps}:3:fp8e4nv:{imprecise}"], env=os.environ | {"PYTHONWARNINGS": "ignore"})
    ptx = folder / f"{name}.ptx"
    hidden = len(re.findall(r"\.param", re.search(r"\.entry[^(]*\((.*?)\)", ptx.read_text(), re.S)[1])) - 6
    array = f"[{size}x{size}]=zeros"
    return measure(ptx, tool, [f"--grid={size // tm},{size // tn}", f"--block={32 * warps},1,1", f"--dynamic-shared={(folder / f'{name}.shared').read_text()}",
                               "f8E4M3FN" + array, "f8E4M3FN" + array, "f32" + array, *[f"i32={size}"] * 3, *["i64=0"] * hidden], mine=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--filter", default="")
    parser.add_argument("--write")
    args = parser.parse_args()
    tool, python = pathlib.Path(args.build).resolve() / "bin", os.environ.get("TILEIRAS_TRITON_PYTHON")
    lines = ["| tile | sums | " + " | ".join(COLUMNS) + " |", "|---|---|" + "---|" * len(COLUMNS)]
    print("\n".join(lines))
    with tempfile.TemporaryDirectory(prefix="tileiras-fp8-loop-") as folder:
        folder = pathlib.Path(folder)
        for shape in TILES:
            work = [(way, lambda way=way: ours(tool, shape, way, args.size, folder)) for way in WAYS]
            if python:
                work += [(f"Triton, {'its default' if not n else f'max_num_imprecise_acc={n}'}",
                          lambda n=n: theirs(tool, shape, n, args.size, folder, python)) for n in (0, 128)]
            for who, of in work:
                if args.filter not in f"{shape} {who}":
                    continue
                row = of()
                lines.append(f"| {'x'.join(map(str, shape[:3]))} | {who} | " + " | ".join(str(row[c]) for c in COLUMNS) + " |")
                print(lines[-1], flush=True)
    if args.write:
        pathlib.Path(args.write).write_text(f"# Products of e4m3 on sm_90\n\n{args.size}^3. Generated by `bench/fp8_loop.py`.\n\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
