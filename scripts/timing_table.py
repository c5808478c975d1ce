#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What share of a GPU's peak the timing model gives our kernels, beside Triton's. No GPU is needed.

    scripts/timing_table.py BUILD [--machines a100,h200,b200,rtx5090] [--only NAME] [--small] [--report FILE] [--columns NAME=OPTIONS;...]

Writes a table in Markdown. Ours is what the compiler does by default; --columns names more, each with the pipeline options that it stands for
(default: "one stage", what it did before loops were pipelined, and "agents", with warps specialised). A kernel that cannot be predicted, or that would be faster than the peak, is a failure; --report counts them. Triton's columns are empty where there is no Triton: neither in this interpreter nor in the one that
TILEIRAS_TRITON_PYTHON names. Matrix kernels are measured in FLOP, the others in bytes that must be moved. --small: a tenth of
the size, for tests.
"""

import argparse
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "test" / "EndToEnd"), str(ROOT / "bench" / "timing")]
import matrix_kernels  # noqa: E402

TARGETS = {"a100": "sm_80", "h100": "sm_90a", "h200": "sm_90a", "rtx4090": "sm_89", "b200": "sm_100a", "rtx5090": "sm_120a"}


def word(value):
    return int(value).to_bytes(4, "little")


def real(value):
    return struct.pack("<f", value)


def cases(small):
    """name, what must be done (FLOP, or bytes if False), our source or the file that has it, grid and arguments, Triton's kernel and the same."""
    n = 1024 if small else 4096
    array = bytearray
    yield ("GEMM bf16", f"{n}^3", (2.0 * n ** 3, True), "bench/timing/gemm.mlir", (n // 128, n // 128),
           lambda: [array(n * n * 2), array(n * n * 2), array(n * n * 2), word(n), word(n), word(n)],
           ("gemm", dict(BM=128, BN=128, BK=64), ["*bf16", "*bf16", "*bf16", "i32", "i32", "i32"], 8, 3),
           (n // 128, n // 128), lambda: [array(n * n * 2), array(n * n * 2), array(n * n * 2), word(n), word(n), word(n)])
    if not small:
        text = matrix_kernels.gemm("f16", "f32", n, n, n, 128, 256, 64, aligned=True).text
        yield ("GEMM f16, 128x256x64", f"{n}^3", (2.0 * n ** 3, True), text, (n // 128, n // 256),
               lambda: [array(n * n * 2), array(n * n * 2), array(n * n * 4), word(n), word(n), word(n)],
               ("gemm", dict(BM=128, BN=256, BK=64), ["*fp32", "*fp16", "*fp16", "i32", "i32", "i32"], 8, 3),
               (n // 128, n // 256), lambda: [array(n * n * 4), array(n * n * 2), array(n * n * 2), word(n), word(n), word(n)])
    heads, length = (4, 512) if small else (32, 2048)
    size = heads * length * 64 * 2
    yield ("attention f16, causal, D = 64", f"{heads} x {length}", (2.0 * heads * length * length * 64, True),
           matrix_kernels.example_attention(64), (length // 64, heads),
           lambda: [array(size) for _ in range(4)] + [word(heads), word(heads), word(length), word(1), real(0.18)],
           ("attention", dict(B=64, D=64, CAUSAL=True), ["*fp16"] * 4 + ["i32", "fp32"], 4, 3), (length // 64, heads),
           lambda: [array(size) for _ in range(4)] + [word(length), real(0.18)])
    rows = 4096 if small else 65536
    yield ("softmax f32", f"{rows} x 512", (rows * 512 * 8.0, False), "bench/timing/softmax.mlir", (rows,),
           lambda: [array(rows * 2048), array(rows * 2048), word(rows), word(512)],
           ("softmax", dict(B=512), ["*fp32", "*fp32", "i32", "i32"], 4, 3), (rows,),
           lambda: [array(rows * 2048), array(rows * 2048), word(512), word(512)])
    rows, width = (512, 4096) if small else (8192, 4096)
    yield ("layer norm bf16", f"{rows} x {width}", (rows * width * 4.0, False), "examples/layer_norm.mlir", (rows,),
           lambda: [array(rows * width * 2), array(width * 4), array(width * 4), array(rows * width * 2), word(rows), word(width), real(1e-5)],
           ("layer_norm", dict(B=1024), ["*bf16", "*bf16", "*fp32", "*fp32", "i32", "fp32"], 4, 3), (rows,),
           lambda: [array(rows * width * 2), array(rows * width * 2), array(width * 4), array(width * 4), word(width), real(1e-5)])
    side = 1024 if small else 8192
    yield ("transpose f32", f"{side} x {side}", (side * side * 8.0, False), "bench/timing/transpose.mlir", (side // 64, side // 64),
           lambda: [array(side * side * 4), array(side * side * 4), word(side), word(side)],
           ("transpose", dict(B=64), ["*fp32", "*fp32", "i32", "i32"], 4, 3), (side // 64, side // 64),
           lambda: [array(side * side * 4), array(side * side * 4), word(side), word(side)])


def triton_ptx(case, capability):
    """PTX, shared memory, threads, hidden arguments."""
    import triton
    import triton_kernels
    import triton_transpose
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    name, constants, types, warps, stages = case
    kernel = getattr(triton_kernels, name, None) or getattr(triton_transpose, name)
    signature = {a: types[i] if i < len(types) else "constexpr" for i, a in enumerate(kernel.arg_names)}
    attributes = {(i,): [["tt.divisibility", 16]] for i, t in enumerate(types) if t != "fp32"}
    compiled = triton.compile(ASTSource(kernel, signature, constexprs=constants, attrs=attributes),
                              target=GPUTarget("cuda", capability, 32), options={"num_warps": warps, "num_stages": stages})
    # A newer version than the assembler's may stand there; nothing newer is used. Without this the model would count Triton's instructions in
    # PTX and ours in machine code.
    ptx = re.sub(r"^\.version 9\.\d$", ".version 9.0", compiled.asm["ptx"], flags=re.M)
    return ptx, compiled.metadata.shared, 32 * compiled.metadata.num_warps


def share(prediction, amount):
    what, is_flop = amount
    if is_flop:
        return what / prediction["microseconds"] * 1e-6 / prediction["peak_tflops"]
    return what / prediction["microseconds"] * 1e-3 / prediction["peak_gbs"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--machines", default="a100,h200,b200,rtx5090")
    parser.add_argument("--only")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--report")
    parser.add_argument("--columns", default="one stage=pipeline-strategy=none;agents=pipeline-strategy=warp-specialize")
    options = parser.parse_args()
    ways = [*(column.split("=", 1) for column in options.columns.split(";") if column), ("ours", "")]
    warnings.filterwarnings("ignore", module="triton")
    cache = None
    if "TRITON_CACHE_DIR" not in os.environ:
        cache = tempfile.TemporaryDirectory(prefix="tileiras-triton-")
        os.environ["TRITON_CACHE_DIR"] = cache.name
    try:
        import triton  # noqa: F401
        have_triton = True
    except ImportError:
        python = os.environ.get("TILEIRAS_TRITON_PYTHON")
        if python and os.environ.get("TIMING_TABLE_CHILD") != "1":
            return subprocess.call([python, __file__, *sys.argv[1:]], env={**os.environ, "TIMING_TABLE_CHILD": "1"})
        have_triton = False
    from emulator import Emulator
    emulator = Emulator(options.build)
    tileiras = pathlib.Path(options.build) / "bin" / "tileiras"
    machines = options.machines.split(",")
    print("| kernel | size |" + "".join("".join(f" {m}: {way} |" for way, _ in ways) + " Triton |" for m in machines))
    print("|---|---|" + "---|" * (len(ways) + 1) * len(machines))
    counts = {"passed": 0, "failed": 0, "skipped": 0, "skips": []}

    def cell(predict, amount):
        try:
            p = predict()
            if not 0 < share(p, amount) <= 1:
                raise RuntimeError(f"{100 * share(p, amount):.1f} % of the peak is predicted")
        except Exception as error:  # of the compiler, the emulator, Triton
            counts["failed"] += 1
            print(f"{name}: {error}", file=sys.stderr)
            return "failed"
        counts["passed"] += 1
        limiter = p["limiter"].split(":")[0].split(";")[0]
        return f"{100 * share(p, amount):.0f} % ({limiter})"

    for name, size, amount, source, grid, arguments, kernel, triton_grid, triton_arguments in cases(options.small):
        if options.only and options.only not in name:
            continue
        row = f"| {name} | {size} |"
        for machine in machines:
            target = TARGETS[machine]

            def ours(way):
                with tempfile.NamedTemporaryFile(suffix=".ptx") as out, tempfile.NamedTemporaryFile("w", suffix=".mlir") as text:
                    if "\n" in source:
                        text.write(source)
                        text.flush()
                    done = subprocess.run([tileiras, text.name if "\n" in source else ROOT / source, f"--gpu-name={target}", "--emit=ptx", "-o", out.name,
                                           *([f"--pipeline-options={way}"] if way else [])],
                                          capture_output=True, text=True)
                    if done.returncode:
                        raise RuntimeError(done.stderr)
                    ptx = pathlib.Path(out.name).read_text()
                return emulator.predict(ptx, grid, arguments(), machine)

            def theirs():
                ptx, shared, threads = triton_ptx(kernel, int(target[3:].rstrip("a")))
                hidden = [bytes(8)] * (ptx[ptx.index(".entry"):ptx.index(")", ptx.index(".entry"))].count(".param") -
                                       len(triton_arguments()))
                return emulator.predict(ptx, triton_grid, triton_arguments() + hidden, machine, shared=shared,
                                        block=(threads, 1, 1), tensor_load_interlock=1)

            for _, way in ways:
                row += f" {cell(lambda: ours(way), amount)} |"
            row += f" {cell(theirs, amount) if have_triton else ''} |"
        print(row, flush=True)
    if not have_triton:
        print("Triton's columns: skipped, this interpreter has no Triton and TILEIRAS_TRITON_PYTHON names none that has")
        counts["skipped"], counts["skips"] = 1, ["Triton"]
    if options.report:
        pathlib.Path(options.report).write_text(json.dumps(counts))
    return int(counts["failed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
