#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the pictures of docs/layouts.md with tileiras-layout.

usage: scripts/layout_pictures.py TOOL [FOLDER]       writes FOLDER/*.svg (default docs/images/layouts)
       scripts/layout_pictures.py TOOL --check        says which of the pictures are not what the tool draws
"""
import pathlib
import subprocess
import sys
import tempfile

MMA = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>"
WGMMA = "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>"
ROWS = "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>"
PAIRS = "#ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>"
WARPS = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>"
COLUMNS = "#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>"

PICTURES = {
    "mma-a": [f"#ttg.dot_op<{{opIdx = 0, parent = {MMA}, kWidth = 2}}>", "--shape", "16x16",
              "--title", "mma.m16n8k16: left operand A (f16)"],
    "mma-b": [f"#ttg.dot_op<{{opIdx = 1, parent = {MMA}, kWidth = 2}}>", "--shape", "16x8",
              "--title", "mma.m16n8k16: right operand B (f16)"],
    "mma-c": [MMA, "--shape", "16x8", "--title", "mma.m16n8: accumulator"],
    "wgmma-accumulator": [WGMMA, "--shape", "64x32", "--max-rows", "32",
                          "--title", "wgmma.m64n32: accumulator of four warps"],
    "swizzle-128": ["#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>",
                    "--shape", "16x64", "--title", "128-byte swizzle, 16 rows of 64 f16"],
    "no-swizzle": ["#ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>",
                   "--shape", "16x64", "--title", "The same tile without swizzle"],
    "tma-box": ["#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>",
                "--shape", "16x64", "--title", "Two TMA boxes of 16x32 f16, 64-byte swizzle: panels behind each other"],
    "conversion-shuffle": [ROWS, "--to", PAIRS, "--shape", "8x8", "--element-bits", "32",
                           "--title", "A conversion inside a warp: shuffles"],
    "conversion-shared": [WARPS, "--to", COLUMNS, "--shape", "32x32", "--element-bits", "32", "--max-columns", "16", "--max-rows", "16",
                          "--title", "A transposition between warps: shared memory with XORs chosen for it"],
    "tiled-copy": ["((4,8),(4,2)):((64,1),(16,8))", "--tile", "(16,16)",
                   "--title", "CuTe: thread-value layout of a tiled copy, four columns each"],
    "zipped-divide": ["(8,12):(12,1)", "--apply", "zipped_divide:(4,3)",
                      "--title", "CuTe: a row-major layout divided into tiles of 4x3"],
}


def draw(tool, name, folder):
    out = pathlib.Path(folder) / f"{name}.svg"
    subprocess.run([tool, *PICTURES[name], "--svg", str(out)], check=True)
    return out


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    tool = sys.argv[1]
    place = pathlib.Path(__file__).resolve().parent.parent / "docs" / "images" / "layouts"
    if sys.argv[2:] == ["--check"]:
        with tempfile.TemporaryDirectory() as scratch:
            stale = [name for name in PICTURES
                     if not (place / f"{name}.svg").exists()
                     or draw(tool, name, scratch).read_text() != (place / f"{name}.svg").read_text()]
        if stale:
            sys.exit("not what tileiras-layout draws (scripts/layout_pictures.py makes them): " + ", ".join(stale))
        print(f"{len(PICTURES)} pictures are what tileiras-layout draws")
        return
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else place
    folder.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        draw(tool, name, folder)


if __name__ == "__main__":
    main()
