# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix product in Triton for bench/wgmma_loop.py, fp8_loop.py and rounded_gemm.py: argv are the folder to write PTX and cubins to,
and NAME:MxNxK:WARPS:STAGES[:TYPE:IMPRECISE:SUMS:TARGET] of each. Of TYPEs of 8 and 32 bits B is stored n x k, and IMPRECISE is max_num_imprecise_acc (0: its
default)."""

import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def gemm(pa, pb, po, m, n, k, TM: tl.constexpr, TN: tl.constexpr, TK: tl.constexpr, TURNED: tl.constexpr, IMPRECISE: tl.constexpr,
         SUMS: tl.constexpr):
    rows = tl.program_id(0) * TM + tl.arange(0, TM)
    columns = tl.program_id(1) * TN + tl.arange(0, TN)
    steps = tl.arange(0, TK)
    a = pa + rows[:, None] * k + steps[None, :]
    b = pb + columns[None, :] * k + steps[:, None] if TURNED else pb + steps[:, None] * n + columns[None, :]
    sums = tl.zeros((TM, TN), SUMS)
    for i in range(0, tl.cdiv(k, TK)):
        left = k - i * TK
        x = tl.load(a, mask=(rows[:, None] < m) & (steps[None, :] < left), other=0.0)
        y = tl.load(b, mask=(steps[:, None] < left) & (columns[None, :] < n), other=0.0)
        sums = tl.dot(x, y, sums, max_num_imprecise_acc=IMPRECISE, out_dtype=SUMS)
        a += TK
        b += TK if TURNED else TK * n
    tl.store(po + rows[:, None] * n + columns[None, :], sums, mask=(rows[:, None] < m) & (columns[None, :] < n))


for argument in sys.argv[2:]:
    parts = argument.split(":")
    name, shape, warps, stages, element, imprecise, sums, target = parts + ["fp16", "0", "fp32", "90"][len(parts) - 4:]
    tm, tn, tk = map(int, shape.split("x"))
    types = {"pa": f"*{element}", "pb": f"*{element}", "po": f"*{sums}", "m": "i32", "n": "i32", "k": "i32"}
    constants = {"TM": tm, "TN": tn, "TK": tk, "TURNED": "16" not in element, "IMPRECISE": int(imprecise) or None,
                 "SUMS": {"fp16": tl.float16, "fp32": tl.float32, "i32": tl.int32}[sums]}
    source = ASTSource(gemm, types | dict.fromkeys(constants, "constexpr"), constexprs=constants,
                       attrs={(i,): [["tt.divisibility", 16]] for i in range(len(types))})
    compiled = triton.compile(source, target=GPUTarget("cuda", int(target), 32), options={"num_warps": int(warps), "num_stages": int(stages), "ptx_version": 86})
    pathlib.Path(sys.argv[1], f"{name}.ptx").write_text(compiled.asm["ptx"])
    pathlib.Path(sys.argv[1], f"{name}.shared").write_text(str(compiled.metadata.shared))
