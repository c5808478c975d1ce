#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What blocks that divide the tile blocks of a product gain, by the model: microseconds with a block for each tile block, and as the compiler chooses.

usage: persistent.py BUILD_DIR [--gpu h200] [--filter TEXT] [--turns] [--epilogue NAME] [--type TYPE] [--unaligned] [MxNxK-TMxTNxTK ...]

--turns: eight warps that share a tile block (turns=never), two agents of four warps that have every other one (turns=tile-blocks), and what the compiler chooses; the gain is that
of the choice over eight warps. --epilogue: what is computed with the sums (test/EndToEnd/epilogues.py), as silu or bias-relu.

Products of bf16 (f16, f8E4M3FN), stored as such (f8: as f16), whose extents are known at run time only. The first launch, which finds no tensor maps. The last column but one says in how
many rounds the multiprocessors would do the tile blocks.
"""

import argparse
import math
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "test" / "EndToEnd"), str(ROOT / "test")]
import matrix_kernels  # noqa: E402
from epilogues import with_epilogue  # noqa: E402
from tensor_stores import converted  # noqa: E402

SHAPES = ["4096x4096x4096-128x256x64", "8192x8192x8192-128x256x64", "8192x8192x1024-128x256x64", "8192x8192x1024-128x128x64", "4096x4096x1024-128x256x64",
          "3008x3008x1000-128x128x64", "2048x2048x1024-128x128x64", "2048x2048x128-128x128x64", "1280x1536x4096-128x256x64", "4096x512x4096-128x128x64",
          "2048x2048x512-128x256x64", "2048x1024x512-128x128x64", "1024x1024x1024-128x128x64", "1024x1024x512-128x128x64", "1024x1024x256-128x256x64"]
TURNS = ("pipeline-strategy=auto turns=never", "pipeline-strategy=auto turns=tile-blocks", "pipeline-strategy=auto")
WAYS = ("pipeline-strategy=auto persistent-blocks=never", "pipeline-strategy=auto")
MULTIPROCESSORS = {"h200": 132, "h100": 132}


def measure(tool, case, target, gpu, options, folder):
    source = pathlib.Path(folder) / "product.mlir"
    source.write_text(case.text)
    args = [re.sub(r"=(random|poison).*", "=zeros", a) for a in case.args]
    done = subprocess.run([tool / "tileiras-run", source, f"--time={gpu}", f"--gpu-name={target}", "--grid=" + ",".join(map(str, case.grid)),
                           f"--pipeline-options={options}", *args], capture_output=True, text=True)
    found = re.search(r"([\d.]+) us", done.stdout)
    if done.returncode or not found:
        raise RuntimeError((done.stdout + done.stderr)[-400:])
    return float(found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("shapes", nargs="*")
    parser.add_argument("--gpu", choices=list(MULTIPROCESSORS), default="h200")
    parser.add_argument("--filter", default="")
    parser.add_argument("--turns", action="store_true")
    parser.add_argument("--epilogue", default="none")
    parser.add_argument("--type", default="bf16")
    parser.add_argument("--unaligned", action="store_true")
    args = parser.parse_intermixed_args()
    tool = pathlib.Path(args.build).resolve() / "bin"
    print(f"| m x n x k | tile | {'eight warps share | every other one' if args.turns else 'a block for each'} | by default | rounds | gain |\n|---|---|---|---|---|---|{'---|' if args.turns else ''}")
    with tempfile.TemporaryDirectory(prefix="tileiras-persistent-") as folder:
        for shape in args.shapes or SHAPES:
            if args.filter not in shape:
                continue
            extents, tile = shape.split("-")
            (m, n, k), (tm, tn, tk) = (map(int, text.split("x")) for text in (extents, tile))
            bytes_ = args.type.startswith("f8")
            case = converted(matrix_kernels.gemm(args.type, "f32", m, n, k, tm, tn, tk, aligned=not args.unaligned, transposed=bytes_), "f16" if bytes_ else args.type)
            case = with_epilogue(case, args.epilogue)
            before, *others, after = (measure(tool, case, "sm_90", args.gpu, way, folder) for way in (TURNS if args.turns else WAYS))
            rounds = math.ceil(m / tm) * math.ceil(n / tn) / MULTIPROCESSORS[args.gpu]
            print(f"| {extents} | {tile} | " + "".join(f"{us} | " for us in (before, *others, after)) + f"{rounds:.2f} | {100 * (before / after - 1):+.1f} % |", flush=True)


if __name__ == "__main__":
    main()
