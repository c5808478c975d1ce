#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loops of products and attention on sm_90, ours beside CUTLASS's: machine instructions of the agent that multiplies, by kind, and what the kernel takes.

usage: cutlass_loop.py BUILD_DIR [--cutlass FOLDER] [--filter TEXT]

Both have one agent that copies by TMA and two warpgroups that compute, with the same tile and stages, f16 and sums in f32, arrays dense along their last
dimension. CUTLASS's are bench/cutlass_gemm.cu (its collective builder) and bench/cutlass_attention.cu (its example 88), compiled by nvcc; the headers are
looked for in --cutlass, TILEIRAS_CUTLASS (a source tree) and the Python package nvidia-cutlass. Attention masks keys beyond the end in neither. `moved`: MOV,
R2UR and the like. Fails where the loops do not multiply alike. Needs nvcc, ptxas and nvdisasm.
"""

import argparse
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "test" / "EndToEnd"), str(ROOT / "test")]
import inner_loop  # noqa: E402
import matrix_kernels  # noqa: E402
from harness import find_ptxas  # noqa: E402

# Tile and stages of products: m, n, k and how the warpgroups divide the work; rows, keys and width of attention.
PRODUCTS = [((128, 256, 64), 4, "Cooperative"), ((128, 128, 64), 5, "Cooperative"), ((128, 128, 128), 3, "Cooperative"), ((128, 128, 64), 5, "Pingpong")]
ATTENTION = [((128, 128, 128), "Cooperative"), ((128, 128, 128), "Pingpong")]
COLUMNS = ["instructions", "wgmma", "moved", "barriers", "branches", "registers", "spilled"]


def run(words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr)[-800:])
    return done.stdout + done.stderr


def find_cutlass(given):
    """The folder with CUTLASS's include/ and examples/."""
    package = importlib.util.find_spec("cutlass_library")
    places = [given, os.environ.get("TILEIRAS_CUTLASS")] + [f"{p}/source" for p in (package.submodule_search_locations if package else [])]
    return next((pathlib.Path(p) for p in places if p and (pathlib.Path(p) / "include/cutlass/cutlass.h").exists()), None)


def measure(cubin, said):
    (_, body), *_ = inner_loop.functions(run([inner_loop.find_nvdisasm(), "-c", cubin]))
    loop, everything = inner_loop.instructions_of(body)
    if not loop:
        raise RuntimeError(f"{cubin}: no loop with matrix instructions")
    kinds = [inner_loop.kind_of(name) for name, _ in loop]
    return {"instructions": sum(name != "NOP" for name, _ in loop), "wgmma": kinds.count("mma"), "moved": kinds.count("mov"), "barriers": kinds.count("bar"),
            "branches": kinds.count("branch"), "registers": int(re.search(r"Used (\d+) registers", said)[1]),
            "spilled": sum(map(int, re.findall(r"(\d+) bytes spill", said)))}


def ours(build, case, stages, pingpong, folder):
    source, ptx, cubin = (folder / f"ours{suffix}" for suffix in (".mlir", ".ptx", ".cubin"))
    source.write_text(case)
    run([pathlib.Path(build).resolve() / "bin/tileiras", source, "--gpu-name=sm_90", "--emit=ptx", "-o", ptx,
         f"--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages={stages} "
         + ("dynamic-persistent=true turns=tile-blocks num-warps=4" if pingpong else "num-warps=8")])
    return measure(cubin, run([find_ptxas(), "-v", "-arch=sm_90a", ptx, "-o", cubin]))


def theirs(cutlass, name, macros, folder):
    cubin = folder / "cutlass.cubin"
    said = run(["nvcc", "-std=c++17", "-arch=sm_90a", "-cubin", "-O3", "--expt-relaxed-constexpr", "-Xptxas", "-v", f"-I{cutlass}/include", f"-I{cutlass}/tools/util/include",
                f"-I{cutlass}/examples/common", f"-I{cutlass}/examples/88_hopper_fmha", *[f"-D{k}={v}" for k, v in macros.items()], ROOT / "bench" / name, "-o", cubin])
    return measure(cubin, said)


def rows():
    """Name, our kernel, stages, whether agents have every other tile block of it, CUTLASS's source, and what it defines."""
    for (m, n, k), stages, way in PRODUCTS:
        kernel = matrix_kernels.gemm("f16", "f32", 4 * m, 4 * n, 64 * k, m, n, k, aligned=True).text
        macros = {"TILE_M": m, "TILE_N": n, "TILE_K": k, "STAGES": stages, "MAINLOOP_SCHEDULE": f"KernelTmaWarpSpecialized{way}",
                  "EPILOGUE_SCHEDULE": "TmaWarpSpecialized" + way.replace("Pingpong", "")}
        yield f"product {m}x{n}x{k}, {way.lower()}", kernel, stages, way == "Pingpong", "cutlass_gemm.cu", macros
    for (m, n, width), way in ATTENTION:
        kernel = matrix_kernels.example_attention(m, width, "f16", False, whole=True)
        yield f"attention {m}x{n}, width {width}, {way.lower()}", kernel, 2, False, "cutlass_attention.cu", {
            "ROWS": m, "KEYS": n, "WIDTH": width, "SCHEDULE": f"KernelTmaWarpSpecialized{way}", "MASK": "DefaultFusion"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--cutlass")
    parser.add_argument("--filter", default="")
    args = parser.parse_args()
    cutlass = find_cutlass(args.cutlass)
    if not cutlass or not shutil.which("nvcc"):
        sys.exit("cutlass_loop: no nvcc, or no CUTLASS: pip install nvidia-cutlass")
    print("| loop | " + " | ".join(f"{c}: ours, CUTLASS" for c in COLUMNS) + " |\n" + "|---" * (len(COLUMNS) + 1) + "|")
    unlike = []
    with tempfile.TemporaryDirectory(prefix="tileiras-cutlass-loop-") as folder:
        for name, kernel, stages, pingpong, source, macros in rows():
            if args.filter not in name:
                continue
            mine, other = ours(args.build, kernel, stages, pingpong, pathlib.Path(folder)), theirs(cutlass, source, macros, pathlib.Path(folder))
            print(f"| {name} | " + " | ".join(f"{mine[c]}, {other[c]}" for c in COLUMNS) + " |", flush=True)
            if mine["wgmma"] != other["wgmma"]:
                unlike.append(f"{name}: loops of {mine['wgmma']} and {other['wgmma']} products are not alike")
    if unlike:
        sys.exit("; ".join(unlike))


if __name__ == "__main__":
    main()
