#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What our kernels look like beside Triton's: registers, spills, shared memory, machine instructions of the loop. No GPU is needed.

usage: static_quality.py BUILD [--targets sm_80,sm_89,sm_90,sm_100,sm_120] [--only TEXT] [--write FILE.md] [--json FILE] [--no-best] [--own-stages] [--keep DIR]
                         [--jobs N]
       static_quality.py BUILD --check [--report FILE.json]

The same kernel with the same tile and warps (three stages in Triton), and Triton's own best of a few numbers of warps and stages, with tensor maps and
without: whichever the model of the target's GPU (tileiras-run --time) expects to be fastest on a problem that fills it, or, of rows and transpositions, has
the fewest instructions. A table of its own has Triton's best beside ours in that configuration (as many warps, and stages as Triton's has buffers; by tensor maps only where
Triton's is), and one more beside ours as it is by default, which chooses warps and stages, both with times. Else ours has rings of
as many stages as Triton's has buffers at most: two, and three where products are asynchronous (wgmma), of which Triton keeps one more (ours leaves the third out where copies
arrive in a round); --own-stages: as many as ours takes by itself. Shared memory beyond 48 KiB is dynamic before sm_90 (`--static-shared=device`), as Triton's is; --check compiles as is default. Where ours divides its warps among agents by itself and Triton's has none (`setmaxnreg` tells), there are two rows: one agent, in as many
stages, and the agents, whose rings are as deep as shared memory allows and whose registers are those at entry: beside Triton's by warps with roles, too, and products beside its kernel that stays and stores by TMA, as ours does. Under the table stands what is worse than Triton
with the same warps. Triton's kernels of products and attention are written twice, with loads through pointers and with tensor maps that the kernel makes, as ours does;
where ours copies by TMA, and Triton's with tensor maps compiles and runs, the row's Triton is that one, and a second row has the other one beside ours that copies by threads,
too (compiled with TILEIR_PREFER_TMA_FOR_LOAD_STORE=false). Gradients of attention
are added up in memory, through a tensor map in that one of Triton's, and so in ours beside it (compiled with TILEIR_PREFER_TMA_FOR_LOAD_STORE=true), by `red` in both beside the other one.
Columns: how many blocks a multiprocessor has room for at a time, which is what the next ones are counted for; registers per thread and bytes spilled,
from `ptxas -v` of the same ptxas, ours with the limits on registers that its cubins have by default (tileiras --register-limits=ptx; registers are worse where a block occupies more: a warp gets
them in eights a thread, so that 47 and 48 are the same); shared memory of a block (worse where a block occupies more: it gets that in 128 bytes, so that 65,560 and 65,600 are the
same); machine instructions
per matrix instruction of the innermost loop with products, and its block barriers (scripts/inner_loop.py); without products the
instructions of the whole kernel, compiled once more with a `.pragma "nounroll"` in every loop of both (ptxas writes small loops four
times, so that fewer instructions become more); columns of tensor memory that the kernel allocates; bank conflicts and sectors of 32 bytes of global memory, from the emulator's run of one tile block
(what TMA copies is counted in sectors, too; ours copies short loops like these by threads, since making tensor maps takes longer),
in a second launch: ours finds the tensor maps that the first has made, Triton's makes its own in every block of every launch.
Without a Triton (in this interpreter, or in the one that TILEIRAS_TRITON_PYTHON names) its columns are empty. --check compiles
ours alone and fails on a spill, on a bank conflict, and on more instructions per product than LIMITS.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "test" / "EndToEnd"), str(ROOT / "bench" / "timing")]
import inner_loop  # noqa: E402
import kernels  # noqa: E402
import matrix_kernels  # noqa: E402
import real_attention  # noqa: E402
import real_matrix  # noqa: E402
import real_norms  # noqa: E402
import run as endtoend  # noqa: E402
from harness import find_ptxas  # noqa: E402

# Our type, Triton's, accumulator, warps and tiles (rows, columns, k).
PRODUCTS = [("f16", "fp16", "f32", [(8, (128, 256, 64)), (8, (128, 128, 64)), (4, (128, 128, 32)), (4, (64, 64, 64))]),
            ("bf16", "bf16", "f32", [(8, (128, 128, 64)), (4, (64, 128, 32))]),
            ("tf32", "fp32", "f32", [(8, (128, 128, 32)), (4, (64, 64, 32))]),
            ("i8", "i8", "i32", [(8, (128, 128, 128)), (4, (64, 128, 64))]),
            ("f8E4M3FN", "fp8e4nv", "f32", [(8, (128, 128, 128)), (4, (128, 128, 64))])]
# Machine instructions per matrix instruction in the loop that --check allows, by type: a tenth above what they are. 8-bit
# elements of a row-major right operand are put together byte by byte before sm_120; sm_80 multiplies f8 as f16.
LIMITS = {"f16": 4.6, "bf16": 4.5, "tf32": 5.2, "i8": 17, "i8 sm_80": 9.1, "i8 sm_120": 6.4, "f8E4M3FN": 16.5, "f8E4M3FN sm_120": 6.4, "f8E4M3FN sm_80": 40, "attention": 6.9,
          # By tcgen05.mma: instructions of the loop that issues, of which one multiplies.
          "f16 sm_100": 55, "bf16 sm_100": 26, "tf32 sm_100": 22, "i8 sm_100": 26, "f8E4M3FN sm_100": 55, "attention sm_100": 48, "attention backward": 6, "attention backward sm_100": 17.7, "convolution": 7, "convolution sm_100": 36}
# Bank conflicts that --check allows: gradients of logits, a row for each thread as tensor memory has them, are turned on their way to shared memory.
CONFLICTS = {"attention backward sm_100": 320}
REDUCED = "attention backward"  # rows whose kernel adds up in memory
MAPS = ("f16", "bf16", "tf32", "i8", "f8E4M3FN", "attention", "attention backward")  # kinds of rows whose kernel Triton has with tensor maps, too
BEST = [(4, 3), (8, 3), (4, 2), (8, 4)]  # Triton's warps and stages
GPUS = {"sm_80": "a100", "sm_89": "rtx4090", "sm_90": "h200", "sm_100": "b200", "sm_120": "rtx5090"}


class Row:
    """name; ours: a Case of the end-to-end suite; theirs: kernel, constants, types of arguments, arguments as for tileiras-run. targets: those that have
    the row, else all."""

    def __init__(self, name, kind, warps, case, kernel, constants, types, arguments, targets=None):
        self.name, self.kind, self.warps, self.case, self.targets = name, kind, warps, case, targets
        self.kernel, self.constants, self.types, self.arguments = kernel, constants, types, arguments

    def large(self):
        """A problem that fills a GPU: its grid, arguments of ours and of Triton's. None of rows and transpositions."""
        c = self.constants
        if self.kernel == "gemm":
            m, n, k, total = 4096, 4096, 1024, "i32" if self.kind == "i8" else "f32"
            factors, sums = [f"a:{self.kind}[{m}x{k}]=zeros", f"b:{self.kind}[{k}x{n}]=zeros"], [f"out:c:{total}[{m}x{n}]=zeros"]
            extents = [f"i32={e}" for e in (m, n, k)]
            return (m // c["BM"], n // c["BN"], 1), factors + sums + extents, sums + factors + extents
        heads, length = 48, 2048
        if self.kernel == "attention":
            mine = [f"{x}:f16[1x{heads}x{length}x{c['D']}]{{pass=array}}=zeros" for x in ("q", "k", "v", "out:o")]
            other = [f"{x}:f16[{heads * length}x{c['D']}]=zeros" for x in ("out:o", "q", "k", "v")]
            return (length // c["B"], heads, 1), mine + ["f32=0.125", "i32=0"], other + [f"i32={length}", "f32=0.18"]
        if self.kernel == "attention_backward":
            tiles, rows_of, results = ("q", "k", "v", "do"), ("lse", "delta"), (("out:dq", "f32"), ("out:dk", "f16"), ("out:dv", "f16"))
            every = [*((x, "f16") for x in tiles), *((x, "") for x in rows_of), *results]
            mine = [f"{x}:{t}[{heads}x{length}x{c['D']}]{{pass=array}}=zeros" if t else f"{x}:f32[{heads}x{length}]{{pass=array}}=zeros" for x, t in every]
            every = [*results, *((x, "f16") for x in tiles), *((x, "") for x in rows_of)]
            other = [f"{x}:{t}[{heads * length}x{c['D']}]=zeros" if t else f"{x}:f32[{heads * length}]=zeros" for x, t in every]
            return (length // c["B"], heads, 1), mine, other + [f"i32={length}"]
        if self.kernel == "convolution":
            images, depth, image = 1024, 9 * c["C"], c["OH"] * c["OW"] * c["C"]
            pixels = images * c["OH"] * c["OW"]
            mine = [f"x:f16[{images}x{c['OH']}x{c['OW']}x{c['C']}]{{pass=array}}=zeros", f"w:f16[{depth}x{c['BN']}]{{pass=array}}=zeros",
                    f"out:y:f32[{pixels}x{c['BN']}]{{pass=array}}=zeros"]
            other = [f"out:y:f32[{pixels}x{c['BN']}]=zeros", f"x:f16[{images * image}]=zeros", f"w:f16[{depth}x{c['BN']}]=zeros",
                     *(f"i32={x}" for x in (pixels, c["BN"], depth, c["OH"], c["OW"], image, c["OW"] * c["C"], c["C"]))]
            return (pixels // c["BM"], 1, 1), mine, other
        return None


def transposed(t):
    """64 x 64 elements of an array of known size: Triton's kernel has no masks either."""
    box = [64, 64]
    (lines, pa), (more, po) = matrix_kernels.static_view("a", "pa", box, box, t), matrix_kernels.static_view("o", "po", box, box, t)
    body = "%c0 = constant <i32: 0> : tile<i32>\n" + "".join(f"%{p}d = assume div_by<16>, %{p} : tile<ptr<{t}>>\n" for p in ("pa", "po"))
    body += lines.replace("%pa,", "%pad,") + more.replace("%po,", "%pod,")
    body += f"%x, %t0 = load_view_tko weak %a[%c0, %c0] : {pa}, tile<i32> -> {kernels.tile(box, t)}, token\n"
    body += f"%y = permute %x [1, 0] : {kernels.tile(box, t)} -> {kernels.tile(box, t)}\n"
    body += f"%t1 = store_view_tko weak %y, %o[%c0, %c0] : {kernels.tile(box, t)}, {po}, tile<i32> -> token\n"
    text = kernels.module("transpose", f"%pa: tile<ptr<{t}>>, %po: tile<ptr<{t}>>", body)
    return kernels.Case(f"transpose-{t}", text, "transpose", (1, 1, 1), [f"a:{t}[64x64]=random(seed=9)", f"out:o:{t}[64x64]=poison"])


def softmax(t, width):
    """With the hardware's exp2 and division, as Triton compiles tl.exp and /."""
    case = kernels.softmax(t, 1, width, 1, width, aligned=True)
    f = kernels.tile([1, width], "f32")
    case.text = case.text.replace(f"%ex = exp %d : {f}", f"%log2e = constant <f32: 1.44269504> : {f}\n%ds = mulf %d, %log2e : {f}\n%ex = exp2 %ds : {f}")
    case.text = case.text.replace(f"%smb : {f}", f"%smb rounding<approx> : {f}")
    assert "exp2" in case.text and "approx" in case.text
    return case


def layer_norm(t, n, width):
    """With the hardware's division and square root, as Triton compiles / and tl.sqrt, and its contraction of squares and sums; one number for
    the extents and strides of all arrays, as Triton's kernel has it, and without the mean and 1/std, which that does not store."""
    case = real_norms.layer_norm(t, 1, n, width)
    case.text = re.sub(r"(assume bounded<0, \?>, )%(?:[wb]_d0|y_d1|[xy]_s0) :", r"\1%x_d1 :", case.text)
    case.text = re.sub(r"%v\d+ = fpowf (%v\d+), %v\d+ : (\S+)\n(\s*%v\d+ = )addf (%v\d+), %v\d+ :", r"\3fma \1, \1, \4 :", case.text)
    case.text = re.sub(r"(%v\d+ = divf .*) :", r"\1 rounding<full> :", case.text)
    case.text = re.sub(r"(%v\d+ = sqrt .*) :", r"\1 rounding<approx> :", case.text)
    stores = [line for line in case.text.splitlines(True) if "store_view_tko" in line and "tile<1xf32>" in line]
    assert len(stores) == 2 and case.text.count("<full>") == 3 and case.text.count("sqrt") == 1
    assert case.text.count("%x_d1 :") == 6 and case.text.count("fma ") == 2 and "fpowf" not in case.text
    for line in stores:
        case.text = case.text.replace(line, "")
    for p in case.params:
        if not isinstance(p, str) and p.name in ("mean", "rstd"):
            p.wanted, p.is_output = None, False
    return case


def rows():
    for t, triton_type, acc, tiles in PRODUCTS:
        for warps, (m, n, k) in tiles:
            c = "*i32" if acc == "i32" else "*fp32"
            # tl.dot leaves sums of 8-bit floats to the matrix unit, which is fast_acc; asked for exact ones, both promote them.
            for kernel in ("gemm", "gemm_promoted") if t.startswith("f8") else ("gemm",):
                case = matrix_kernels.gemm(t, acc, m, n, 4 * k, m, n, k, ("signed", "signed") if t == "i8" else None, aligned=True,
                                           fast=t.startswith("f8") and kernel == "gemm")
                yield Row(f"gemm {t} {m}x{n}x{k}" + (", promoted" if kernel != "gemm" else ""), t, warps, case, kernel, {"BM": m, "BN": n, "BK": k},
                          [c, *["*" + triton_type] * 2, "i32", "i32", "i32"],
                          [f"out:c:{acc}[{m}x{n}]=zeros", f"a:{t}[{m}x{4 * k}]=zeros", f"b:{t}[{4 * k}x{n}]=zeros", f"i32={m}", f"i32={n}", f"i32={4 * k}"],
                          ("sm_90",) if kernel != "gemm" else None)
    for warps, b in ((4, 64), (8, 128)):
        case = real_attention.flash("f16", 1, 1, 1, b, 2 * b, 64, b, b)
        q, kv = f"f16[{b}x64]", f"f16[{2 * b}x64]"
        yield Row(f"attention f16 {b}x{b}, D = 64", "attention", warps, case, "attention", {"B": b, "D": 64, "CAUSAL": False},
                  ["*fp16"] * 4 + ["i32", "fp32"], [f"out:o:{q}=zeros", f"q:{q}=zeros", f"k:{kv}=zeros", f"v:{kv}=zeros", f"i32={2 * b}", "f32=0.18"])
    # Of keys that a block owns and queries that it walks over; dq is added up in memory. By mma.sync tiles of 128 have no room in registers (Triton
    # spills 13 KB on sm_80), nor has Triton's any in shared memory on sm_89, sm_100 and sm_120.
    for warps, b, d in ((4, 64, 64), (8, 128, 64)):
        case = real_attention.flash_backward("f16", 1, 2 * b, d, b, False, base2=True)
        for p in case.params:  # one of two blocks runs, and twice
            p.wanted = None
        tile, sums = f"f16[{2 * b}x{d}]", f"f32[{2 * b}]"
        yield Row(f"attention backward f16 {b}x{b}, D = {d}", "attention backward", warps, case, "attention_backward", {"B": b, "D": d, "SCALE": d ** -0.5, "CAUSAL": False},
                  ["*fp32", *["*fp16"] * 6, *["*fp32"] * 2, "i32"],
                  [f"out:dq:f32[{2 * b}x{d}]=zeros", f"out:dk:{tile}=zeros", f"out:dv:{tile}=zeros", *(f"{x}:{tile}=zeros" for x in ("q", "k", "v", "do")),
                   f"lse:{sums}=zeros", f"delta:{sums}=zeros", f"i32={2 * b}"], ("sm_90",) if b == 128 else None)
    for warps, (m, n, k) in ((4, (64, 64, 32)), (8, (128, 128, 64))):
        channels, (height, width) = 32, (8, m // 8)
        case = real_matrix.convolution_as_gemm("f16", 1, height, width, channels, n, 3, 1, 1, (m, n, k))
        image = width * height * channels
        yield Row(f"convolution f16 3x3, {m}x{n}x{k}", "convolution", warps, case, "convolution",
                  {"OH": height, "OW": width, "C": channels, "SIZE": 3, "STRIDE": 1, "BORDER": 1, "BM": m, "BN": n, "BK": k},
                  ["*fp32", *["*fp16"] * 2, *["i32"] * 8],
                  [f"out:y:f32[{m}x{n}]=zeros", f"x:f16[{image}]=zeros", f"w:f16[{9 * channels}x{n}]=zeros",
                   *(f"i32={x}" for x in (m, n, 9 * channels, height, width, image, width * channels, channels))])
    for t, triton_type, width in (("f32", "*fp32", 1024), ("f16", "*fp16", 4096)):
        yield Row(f"softmax {t} {width}", "rows", 4, softmax(t, width), "softmax", {"B": width},
                  [triton_type, triton_type, "i32", "i32"], [f"out:o:{t}[{width}]=zeros", f"x:{t}[{width}]=zeros", f"i32={width}", f"i32={width}"])
    yield Row("layer norm bf16 4096 by 1024", "rows", 4, layer_norm("bf16", 4096, 1024), "layer_norm", {"B": 1024},
              ["*bf16", "*bf16", "*bf16", "*bf16", "i32", "fp32"],
              ["out:o:bf16[4096]=zeros", "x:bf16[4096]=zeros", "w:bf16[4096]=zeros", "b:bf16[4096]=zeros", "i32=4096", "f32=0.00001"])
    for t, triton_type in (("f32", "*fp32"), ("f16", "*fp16")):
        yield Row(f"transpose {t} 64x64", "rows", 4, transposed(t), "transpose", {"B": 64},
                  [triton_type, triton_type, "i32", "i32"], [f"x:{t}[64x64]=zeros", f"out:y:{t}[64x64]=zeros", "i32=64", "i32=64"])


def allocated(registers):
    """What a thread occupies that ptxas gives so many registers. A warp gets them in units of 256, eight a thread, on every target of ours:
    "register allocation unit size" of the occupancy calculator (CUDA C++ Best Practices Guide, "Calculating Occupancy"; Nsight Compute has its table)."""
    return -(-registers // 8) * 8


def occupied(shared):
    """What a block occupies of shared memory: it comes in units of 128 bytes on every target of ours ("shared memory allocation unit size" of the same
    calculator and table, compute capability 8.0 and later)."""
    return -(-shared // 128) * 128


def resident(target, numbers, warps):
    """How many blocks of so many warps a multiprocessor has room for at a time, by what a kernel takes of everything. Registers are given out by
    the warp, from the quarter of the register file that the warp's scheduler has; a block has 1 KiB of shared memory beside its own."""
    has = next(r for r in endtoend.targets.rows() if r["name"] == target)
    by_registers = 4 * (has["registers"] // 4 // (allocated(numbers["registers"]) * 32))
    room = [has["blocks"], has["warps"] // warps, by_registers // warps, (has["dynamic_shared_bytes"] + 1024) // (occupied(numbers["shared"]) + 1024)]
    if numbers["columns"]:
        room.append(has["tensor_memory_columns"] // numbers["columns"])
    return min(room)


def measure(tools, ptx, target, arguments, extra=(), shared=0, warps=None):
    """The numbers of one PTX file. A block has as many warps as the kernel requires, if it does, else `warps`."""
    tileiras_run, ptxas, nvdisasm = tools
    cubin = ptx.with_suffix(".cubin")
    code, text = endtoend.run([ptxas, "-v", f"-arch={endtoend.compiled_as(target)}", str(ptx), "-o", str(cubin)])
    if code:
        raise RuntimeError(text[-500:])
    static = re.search(r"(\d+) bytes smem", text)
    numbers = {"registers": max(int(n) for n in re.findall(r"Used (\d+) registers", text)), "spills": endtoend.spilled_bytes(text),
               "shared": shared + (int(static[1]) if static else 0), "agents": "setmaxnreg" in ptx.read_text(),
               "tma": "cp.async.bulk.tensor" in ptx.read_text(), "threads": False,
               "columns": sum(int(n) for n in re.findall(r"tcgen05\.alloc\.\S+ \[[^\]]*\], (\d+);", ptx.read_text()))}
    threads = re.search(r"\.(?:reqntid|maxntid) (\d+)", ptx.read_text())
    numbers["resident"] = resident(target, numbers, int(threads[1]) // 32 if threads else warps)
    [found] = inner_loop.count(nvdisasm, cubin).values()
    mma = found["kinds"]["mma"]
    if found["loop"]:
        numbers |= {"per_mma": round(found["loop"] / mma, 2), "loop": found["loop"], "mma": mma, "barriers": found["kinds"]["bar"]}
    else:
        rolled = ptx.with_suffix(".rolled.ptx")
        rolled.write_text(re.sub(r"^(\$L__BB\w+:)", r'\1\n.pragma "nounroll";', ptx.read_text(), flags=re.M))
        cubin = rolled.with_suffix(".cubin")
        code, text = endtoend.run([ptxas, f"-arch={endtoend.compiled_as(target)}", str(rolled), "-o", str(cubin)])
        if code:
            raise RuntimeError(text[-500:])
        [found] = inner_loop.count(nvdisasm, cubin).values()
        numbers |= {"total": found["total"], "barriers": found["kinds"]["bar"]}
    code, text = endtoend.run([str(tileiras_run), str(ptx), "--engine=emulator", "--stats", "--rules=hardware", "--threads=1", "--launches=2", *extra, *arguments])
    if code and "wgmma.wait_group is missing" in text:
        # Triton's promoted sums are read before they are waited for, which ptxas mends; what such a kernel counts is nothing to compare with.
        return numbers | {"conflicts": "wrong", "sectors": "wrong"}
    if code:
        raise RuntimeError(text[-500:])
    for name, words in (("conflicts", "shared bank conflicts"), ("sectors", "global sectors")):
        numbers[name] = int(re.search(words + r"\s+(\d+)", text)[1])
    numbers["sectors"] += sum(map(int, re.findall(r"TMA sectors\s+(\d+)", text)))
    return numbers


def predict(tileiras_run, ptx, target, grid, arguments, extra=()):
    """Microseconds by the model of the target's GPU."""
    report = ptx.with_suffix(".time.json")
    code, text = endtoend.run([str(tileiras_run), str(ptx), f"--time={GPUS[target]}", f"--time-json={report}", "--grid=" + ",".join(map(str, grid)), *extra, *arguments])
    if code:
        raise RuntimeError(text[-500:])
    found = json.loads(report.read_text())
    return (found[0] if isinstance(found, list) else found)["microseconds"]


def products(target):
    return next(r["products"] for r in endtoend.targets.rows() if r["name"] == target)


def buffers(target, stages=3):
    """Of so many stages in Triton, which keeps a buffer more where products are asynchronous (wgmma)."""
    return stages if products(target) == "wgmma" else max(stages - 1, 1)


def ours(row, target, tools, build, folder, stages=None, strategy=None, room="48k", by_itself=False, by_tma=None, warps=None):
    """by_itself: with the warps and stages that are default; with the time then, and where warps are given. by_tma: with TMA wherever it can be, or nowhere."""
    kind = ("-by-itself" if by_itself else f"-by-{warps}-{stages}" if warps else "") + ("" if by_tma is None else "-by-tma" if by_tma else "-by-threads")
    source = folder / f"ours-{re.sub('[^a-zA-Z0-9]+', '-', row.name)}-{target}{kind}.mlir"
    source.write_text(row.case.text)
    ptx = source.with_suffix(f".{strategy}.ptx" if strategy else ".ptx")
    options = ([] if by_itself else [f"num-warps={warps or row.warps}"]) + ([f"unspecialized-pipeline-num-stages={stages}"] if stages else []) + ([f"pipeline-strategy={strategy}"] if strategy else [])
    asked = [] if by_tma is None else ["env", f"TILEIR_PREFER_TMA_FOR_LOAD_STORE={str(by_tma).lower()}"]
    code, text = endtoend.run([*asked, str(build / "bin/tileiras"), str(source), f"--gpu-name={target}", "--emit=ptx", "-o", str(ptx), f"--static-shared={room}", "--register-limits=ptx",
                               "--pipeline-options=" + " ".join(options)])
    if code:
        raise RuntimeError(text[-500:])
    case = row.case
    dynamic = re.search(r"^// \S+ needs (\d+) bytes of dynamic shared memory", ptx.read_text(), re.M)  # tileiras-run launches with them by itself
    numbers = measure(tools, ptx, target, case.args if isinstance(case, kernels.Case) else case.arguments(folder), shared=int(dynamic[1]) if dynamic else 0)
    numbers["threads"] = by_tma is False
    if by_itself or warps:
        grid, mine, _ = row.large()
        numbers |= {"us": predict(tools[0], ptx, target, grid, mine), "warps": int(re.search(r"\.(?:reqntid|maxntid) (\d+)", ptx.read_text())[1]) // 32}
    return numbers


def theirs_that_stay(row, target, warps, stages, tools, folder):
    """Triton's kernel that stays and stores by TMA, as ours in agents does: in two parts where shared memory has no room for the whole tile."""
    return in_parts(lambda parts: theirs(row, target, warps, stages, tools, folder, "_persistent", {"PROGRAMS": 132, "ROLES": False, "PARTS": parts}))


def theirs_with_roles(row, target, stages, tools, folder):
    """Triton's kernel by warps with roles. It divides kernels that ask for four warps, among four that copy and four for every 64 rows of the product."""
    if row.kernel == "attention":
        return theirs(row, target, 4, stages, tools, folder, "_roles")
    return in_parts(lambda parts: theirs(row, target, 4, stages, tools, folder, "_persistent", {"PROGRAMS": 132, "ROLES": True, "PARTS": parts}))


def in_parts(build):
    """The whole tile stored at once, or in halves where shared memory has no room for that."""
    try:
        return build(1)
    except RuntimeError:
        return build(2)


def theirs(row, target, warps, stages, tools, folder, form="", more=None, timed=False):
    import triton
    import triton_kernels
    import triton_transpose
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    kernel = getattr(triton_kernels, row.kernel + form, None) or getattr(triton_transpose, row.kernel)
    signature = {name: row.types[i] if i < len(row.types) else "constexpr" for i, name in enumerate(kernel.arg_names)}
    attributes = {(i,): [["tt.divisibility", 16]] for i, t in enumerate(row.types) if t != "fp32"}
    compiled = triton.compile(ASTSource(kernel, signature, constexprs=row.constants | (more or {}), attrs=attributes),
                              target=GPUTarget("cuda", int(target[3:]), 32), options={"num_warps": warps, "num_stages": stages})
    text = compiled.asm["ptx"]
    known = re.search(r"release (\d+)\.(\d+)", endtoend.run([tools[1], "--version"])[1])
    newest = (int(known[1]) - 4, int(known[2])) if known else (9, 0)  # ptxas 13.0 knows PTX 9.0
    if tuple(map(int, re.search(r"\.version (\d+)\.(\d+)", text).groups())) > newest:
        text = re.sub(r"\.version \S+", ".version {}.{}".format(*newest), text)
    ptx = folder / f"theirs-{re.sub('[^a-zA-Z0-9]+', '-', row.name)}-{target}-{warps}-{stages}{form.replace('_', '-')}.ptx"
    ptx.write_text(text)
    hidden = len(re.findall(r"\.param", re.search(r"\.entry[^(]*\((.*?)\)", text, re.S)[1])) - len(row.arguments)
    shared, room = compiled.metadata.shared, next(r["dynamic_shared_bytes"] for r in endtoend.targets.rows() if r["name"] == target)
    if shared > room:
        raise RuntimeError(f"takes {shared} bytes of shared memory")
    scratch = compiled.metadata.global_scratch_size  # of tensor maps, the first of Triton's own parameters
    own = ([f"scratch:i8[{scratch}]=zeros"] if scratch else ["i64=0"]) + ["i64=0"] * (hidden - 1)
    launch = [f"--block={32 * compiled.metadata.num_warps},1,1", f"--dynamic-shared={shared}"]
    numbers = measure(tools, ptx, target, row.arguments + own[:hidden], launch, shared, compiled.metadata.num_warps) | {"warps": warps, "stages": stages}
    if timed and (large := row.large()):
        grid, _, arguments = large
        if scratch:  # of every block
            own[0] = f"scratch:i8[{scratch * grid[0] * grid[1]}]=zeros"
        numbers["us"] = predict(tools[0], ptx, target, grid, arguments + own[:hidden], launch)
    return numbers


def worth(numbers):
    """What makes one configuration of Triton better than another: the time that a model expects, where there is one."""
    if "us" in numbers:
        return 0, numbers["us"], 0
    return 1 + numbers["spills"], numbers.get("per_mma") or numbers["total"] * numbers["warps"], numbers["registers"]


COLUMNS = [("resident", "blocks at a time"), ("registers", "registers"), ("spills", "spilled"), ("shared", "shared"), ("columns", "tensor memory"), ("barriers", "barriers"), ("conflicts", "bank conflicts"),
           ("sectors", "sectors")]


def cell(numbers, key):
    return "" if numbers is None else str(numbers.get(key, numbers.get("total", "")))


def beside_best(pairs, target, title, what):
    """Ours and Triton's best, of rows that have both."""
    lines = [f"### {title}, {target}", "", f"{what}, and the fastest of Triton's, by the model of {GPUS[target]} (docs/timing.md); ours / Triton's.", "",
             "| kernel | microseconds | warps, stages | instructions per MMA | blocks at a time | registers | spilled | shared | bank conflicts | sectors |", "|---" * 10 + "|"]
    worse, slower = [], []
    for row, mine, best in pairs:
        cells = [row.name]
        for key, title in (("us", "microseconds"), (None, ""), ("per_mma", "instructions"), *((k, t) for k, t in COLUMNS if k in ("resident", "registers", "spills", "shared", "conflicts", "sectors"))):
            if key is None:
                cells.append(f"{mine['warps']} / {best['warps']}, {best['stages']}{' by TMA' if best['tma'] else ''}")
                continue
            values = [v.get(key, "") for v in (mine, best)]
            unit = {"registers": allocated, "shared": occupied, "us": lambda us: round(us, 1)}.get(key, float)
            known = all(isinstance(v, (int, float)) for v in values)
            behind = known and (unit(values[0]) < unit(values[1]) if key == "resident" else unit(values[0]) > unit(values[1]))
            shown = [f"{v:.1f}" if key == "us" else str(v) for v in values]
            if behind:
                (slower if key == "us" else worse).append(f"{row.name}: {title} {shown[0]} and {shown[1]}" + (f" ({best['spills']} bytes spilled)" if best["spills"] else ""))
            cells.append((f"**{shown[0]}**" if behind else shown[0]) + " / " + shown[1])
        lines.append("| " + " | ".join(cells) + " |")
    return lines + ["", "Worse, ours and Triton's: " + ("; ".join(worse) or "nothing") + ".", "", "Slower: " + ("; ".join(slower) or "none") + ".", ""]


def tables(results, target, have_triton):
    """Of the kernels that multiply matrices, and of the others."""
    lines = [f"## {target}", "", "Ours / Triton with the same warps / Triton's best." if have_triton else "Ours alone: no Triton here.", ""]
    for title, others in (("Products and attention", False), ("Rows and transpositions", True)):
        if chosen := [r for r in results if (r[0].kind == "rows") == others]:
            lines += [f"### {title}, {target}", "", *table(chosen, have_triton)]
    return lines


def table(results, have_triton):
    behind, divided, unlike = [], [], []
    lines = ["| kernel | warps | instructions per MMA, or in all | " + " | ".join(title for _, title in COLUMNS) + " | Triton's best |",
             "|---" * (len(COLUMNS) + 4) + "|"]
    for row, (mine, same, best) in results:
        agents = isinstance(mine, dict) and mine["agents"]
        by_tma = isinstance(mine, dict) and mine["tma"]
        beside_pointers = row.kind in MAPS and by_tma and isinstance(same, dict) and not same["tma"]
        name = row.name + (", agents" if agents else "") + (", Triton's with roles" if agents and isinstance(same, dict) and same["agents"] else "") + (", Triton's by pointers" if beside_pointers else ", both by threads" if isinstance(mine, dict) and mine["threads"] else "")
        cells = [name, str(row.warps)]
        for key in ("per_mma", *(key for key, _ in COLUMNS)):
            values = [cell(v, key) if isinstance(v, dict) else v or "" for v in (mine, same, best)]
            both = isinstance(mine, dict) and isinstance(same, dict) and "wrong" not in values
            unit = {"registers": allocated, "shared": occupied}.get(key, float)
            compared = [unit(float(v)) for v in values[:2]] if both else []
            worse = both and (compared[0] < compared[1] if key == "resident" else compared[0] > compared[1])
            if worse:
                free = key in ("registers", "shared", "columns") and mine["resident"] >= same["resident"]
                alone = agents and isinstance(same, dict) and not same["agents"]
                (unlike if beside_pointers else divided if alone else behind).append(f"{name}: {'instructions' if key == 'per_mma' else dict(COLUMNS)[key]} {values[0]} and {values[1]}"
                              + (f" (for {mine['resident']} blocks at a time, Triton's {same['resident']})" if free else ""))
            cells.append(("**" + values[0] + "**" if worse else values[0]) + (f" / {values[1]} / {values[2]}" if have_triton else ""))
        cells.append(f"{best['warps']} warps, {best['stages']} stages" if isinstance(best, dict) else "")
        lines.append("| " + " | ".join(cells) + " |")
    if have_triton:
        lines += ["", "Worse, ours and Triton's: " + ("; ".join(behind) or "nothing") + "."]
        if divided:
            lines += ["", "Worse in agents, beside Triton's without any (products: its kernel that stays): " + "; ".join(divided) + "."]
        if unlike:
            lines += ["", "Worse where ours copies by TMA, beside Triton's that loads through pointers: " + "; ".join(unlike) + "."]
    return lines + [""]


def check(build, tools, folder, targets, only, report, jobs):
    found = [(row, t) for t in targets for row in rows() if only in f"{row.name} {t}" and t in (row.targets or (t,))]
    failed = []

    def one(item):
        row, target = item
        try:
            n = ours(row, target, tools, build, folder)
        except Exception as error:
            return f"{row.name} {target}: {error}"
        wrong = [f"spills {n['spills']} bytes"] if n["spills"] else []
        wrong += [f"{n['conflicts']} bank conflicts"] if n["conflicts"] > CONFLICTS.get(f"{row.kind} {target}", 0) else []
        limit = LIMITS.get(f"{row.kind} {target}") or LIMITS.get(row.kind)
        wrong += [f"{n['per_mma']} instructions per product, {limit} are allowed"] if limit and n.get("per_mma", 0) > limit else []
        return f"{row.name} {target}: {'; '.join(wrong)}" if wrong else None

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        failed = [f for f in pool.map(one, found) if f]
    print("\n".join(failed))
    print(f"static quality: {len(found) - len(failed)} ok, {len(failed)} not ok")
    if report:
        pathlib.Path(report).write_text(json.dumps({"passed": len(found) - len(failed), "failed": len(failed)}))
    return int(bool(failed) or not found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--targets", default="sm_80,sm_89,sm_90,sm_100,sm_120")
    parser.add_argument("--only", default="")
    parser.add_argument("--write")
    parser.add_argument("--json")
    parser.add_argument("--no-best", action="store_true")
    parser.add_argument("--own-stages", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--report")
    parser.add_argument("--keep", help="the folder that the sources, PTX and cubins of both are left in")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    build = args.build.resolve()
    warnings.filterwarnings("ignore", module="triton")
    other = os.environ.get("TILEIRAS_TRITON_PYTHON")
    try:
        import triton  # noqa: F401
        have_triton = True
    except ImportError:
        if other and not os.environ.get("STATIC_QUALITY_CHILD"):
            return subprocess.call([other, __file__, *sys.argv[1:]], env={**os.environ, "STATIC_QUALITY_CHILD": "1"})
        have_triton = False
    tools = build / "bin/tileiras-run", find_ptxas(), inner_loop.find_nvdisasm()
    if not tools[1] or not tools[2]:
        print(f"static quality: skipped, no {'nvdisasm' if tools[1] else 'ptxas'} here")
        if args.report:
            pathlib.Path(args.report).write_text(json.dumps({"passed": 0, "failed": 0, "skipped": 1, "skips": ["nvdisasm"]}))
        return 0
    os.environ.setdefault("TRITON_CACHE_DIR", str(build / "triton-cache"))
    with tempfile.TemporaryDirectory(prefix="tileiras-quality-") as scratch:
        folder = pathlib.Path(args.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        if args.check:
            return check(build, tools, folder, args.targets.split(","), args.only, args.report, args.jobs)
        text, everything = [], {}
        for target in args.targets.split(","):
            results, pairs, alikes = [], [], []
            for row in rows():
                if args.only not in row.name or target not in (row.targets or (target,)):
                    continue

                def attempt(measured):
                    try:
                        return measured()
                    except Exception as error:  # of a compiler, an assembler or the emulator: told in the table
                        print(f"{row.name} {target}: {str(error)[-300:]}", file=sys.stderr)
                        return "failed"
                mine = attempt(lambda: ours(row, target, tools, build, folder, None if args.own_stages else buffers(target), room="device"))
                found, like = [None, None], False
                if have_triton:
                    same = attempt(lambda: theirs(row, target, row.warps, 3, tools, folder))
                    maps = row.kind in MAPS and isinstance(mine, dict) and mine["tma"] and attempt(lambda: theirs(row, target, row.warps, 3, tools, folder, "_by_maps"))
                    usable = [n for n in (same, maps) if isinstance(n, dict)]
                    if not args.no_best:
                        forms = ("", "_by_maps") if isinstance(maps, dict) else ("",)
                        tried = [lambda w=w, s=s, f=f: theirs(row, target, w, s, tools, folder, f, timed=True) for w, s in sorted({(row.warps, 3), *BEST}) for f in forms]
                        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
                            usable = [n for n in pool.map(attempt, tried) if isinstance(n, dict)] or usable
                        best = min(usable, key=worth) if usable else None
                        if row.large() and best and "us" in best:
                            own = attempt(lambda: ours(row, target, tools, build, folder, room="device", by_itself=True))
                            alike = attempt(lambda: ours(row, target, tools, build, folder, buffers(target, best["stages"]), room="device", warps=best["warps"], by_tma=None if best["tma"] else False))
                            for numbers, where, name in ((own, pairs, "as each is best"), (alike, alikes, "as Triton's best")):
                                if isinstance(numbers, dict):
                                    where.append((row, numbers, best))
                                    everything[f"{row.name}, {name} {target}"] = [numbers, best]
                    found = [same, min(usable, key=worth) if usable else "failed"]
                    like = isinstance(maps, dict) and maps["tma"]
                alone = isinstance(mine, dict) and mine["agents"] and attempt(
                    lambda: ours(row, target, tools, build, folder, None if args.own_stages else buffers(target), "unspecialize", "device"))
                # Ours in agents stays on its multiprocessor; so does Triton's then, if it has that kernel.
                stays = have_triton and alone and row.kernel == "gemm" and attempt(lambda: theirs_that_stay(row, target, row.warps, 3, tools, folder))
                roles = have_triton and alone and row.kernel in ("gemm", "attention") and attempt(lambda: theirs_with_roles(row, target, 3, tools, folder))
                stages = None if args.own_stages else buffers(target)
                added = like and row.kind == REDUCED and attempt(lambda: ours(row, target, tools, build, folder, stages, room="device", by_tma=True))
                # Beside Triton's by pointers ours copies by threads, too: by one agent, as agents copy by TMA.
                threads = like and attempt(lambda: ours(row, target, tools, build, folder, stages, "unspecialize" if alone else None, "device", by_tma=False))
                beside = [(maps, ""), (found[0], ", pointers")] if like else [(found[0], "")]
                for same, kind in beside:
                    for numbers, agents in [(threads, "")] if kind else ((alone, ", one agent"), (None if isinstance(stays, dict) else added or mine, "")):
                        if numbers:
                            results.append((row, (numbers, same, found[1])))
                            everything[f"{row.name}{kind}{agents} {target}"] = results[-1][1]
                for numbers, kind in ((stays, ""), (roles if isinstance(roles, dict) and roles["agents"] else None, ", roles")):
                    if isinstance(numbers, dict):
                        results.append((row, (mine, numbers, found[1])))
                        everything[f"{row.name}{kind} {target}"] = results[-1][1]
                print(f"{target} {row.name}: {mine} | {found}", file=sys.stderr, flush=True)
            text += tables(results, target, have_triton)
            if alikes:
                text += beside_best(alikes, target, "As Triton's best", "Ours with the warps of Triton's best configuration, as many stages as it has buffers, and tensor maps only where it has any")
            if pairs:
                text += beside_best(pairs, target, "As each is best", "Ours as it is by default")
    head = ["# Static quality beside Triton's", "", "Made by scripts/static_quality.py, which says what the columns are. Bold: worse than Triton with the same warps.", ""]
    (pathlib.Path(args.write).write_text if args.write else print)("\n".join(head + text))
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(everything, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
