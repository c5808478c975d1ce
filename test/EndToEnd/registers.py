#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Large tiles and full-width accesses.

usage: registers.py BUILD_DIR [--report FILE.json] [--all] [--filter TEXT] [--jobs N] [-v]

  * tiles of 16,384 to 131,072 elements, which have to be sliced or spread over more warps: executed, compared with the reference,
    and (where ptxas is found) assembled without a spill; for one target each, with --all for four;
  * the real kernels at natural tile sizes (real_natural.py, which real_kernels.py runs) and the examples: for four targets each, none
    may spill;
  * accesses of the basic kernels, counted by the emulator: a request of a warp moves 512 bytes (128 bits per lane) in 16
    sectors of 32 bytes, and no access to shared memory conflicts;
  * planted faults: a product that is not sliced must be seen to spill, of the natural kernels, too; a kernel without alignment to have
    narrow accesses.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import sys
import tempfile

import kernels
import matrix_kernels
import run as endtoend
from harness import find_ptxas


def reduce_middle(t, shape, box):
    """Along the middle dimension, which is spread over warps while both others have many results."""
    va, pa = matrix_kernels.static_view("a", "pa", shape, box, t, "neg_inf")
    kept = [box[0], box[2]]
    vo, po = matrix_kernels.static_view("o", "po", [shape[0], shape[2]], kept, t)
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n" + va + vo
    body += f"%x, %t0 = load_view_tko weak %a[%bx, %c0, %c0] : {pa}, tile<i32> -> {kernels.tile(box, t)}, token\n"
    body += (f"%r = reduce %x dim=1 identities=[0xFF800000 : {t}] : {kernels.tile(box, t)} -> {kernels.tile(kept, t)}\n"
             f"(%e: tile<{t}>, %acc: tile<{t}>) {{\n  %u = maxf %e, %acc : tile<{t}>\n  yield %u : tile<{t}>\n}}\n")
    body += f"%t1 = store_view_tko weak %r, %o[%bx, %c0] : {kernels.tile(kept, t)}, {po}, tile<i32> -> token\n"
    text = kernels.module("middle", f"%pa: tile<ptr<{t}>>, %po: tile<ptr<{t}>>", body)
    size = "x".join(map(str, shape))
    return kernels.Case(f"middle-{t}-{size}-t{'x'.join(map(str, box))}", text, "middle", (kernels.ceil_div(shape[0], box[0]), 1, 1),
                        [f"a:{t}[{size}]=normal(seed=31)", f"out:o:{t}[{shape[0]}x{shape[2]}]=poison"])


def large():
    k, m = kernels, matrix_kernels
    return [k.axpy("f32", 20001, 16384), k.axpy("f16", 140003, 131072), k.axpy("f64", 33008, 32768, aligned=True),
            k.elementwise("f32", 300, 201, 256, 128), k.elementwise("f16", 130, 700, 128, 512), k.elementwise("i32", 70, 1100, 64, 1024),
            k.elementwise("bf16", 200, 1040, 128, 1024, True), k.softmax("f32", 21, 4001, 8, 4096), k.softmax("bf16", 37, 1999, 32, 2048),
            k.transpose("f32", 200, 150, 128, 128), k.transpose("f16", 270, 300, 256, 256), k.reduction("f32", "max", 1, 300, 129, 128, 128),
            k.reduction("f32", "max", 0, 65, 1030, 64, 1024), reduce_middle("f32", [17, 32, 64], [16, 32, 64]),
            m.gemm("f16", "f32", 300, 290, 72, 256, 256, 64), m.gemm("bf16", "f32", 130, 520, 72, 128, 512, 64),
            m.gemm("f16", "f32", 270, 136, 72, 256, 128, 64, transposed=True), m.gemm("f8E4M3FN", "f32", 272, 144, 64, 128, 128, 64, aligned=True),
            m.attention("f16", 300, 200, 64, 64, 64), m.attention("bf16", 140, 130, 64, 128, 128)]


def basic():
    k, m = kernels, matrix_kernels
    return [k.axpy("f32", 4096, 1024, aligned=True), k.axpy("f16", 4096, 1024, aligned=True), k.elementwise("f32", 64, 128, 32, 64, True),
            k.elementwise("f16", 64, 128, 32, 64, True), k.softmax("f32", 16, 512, 4, 512, True), k.softmax("f16", 16, 1024, 2, 1024, True),
            k.transpose("f32", 128, 128, 32, 32, True), k.transpose("f16", 128, 128, 64, 64, True), k.transpose("i8", 128, 128, 64, 64, True),
            m.gemm("f16", "f32", 128, 128, 64, 64, 64, 32, aligned=True), m.gemm("f16", "f32", 128, 128, 128, 64, 64, 64, aligned=True),
            m.gemm("f32", "f32", 128, 128, 64, 64, 64, 32, aligned=True)]


def execute(tool, case, target, folder, options):
    base = pathlib.Path(folder) / f"{case.name}-{target}"
    base.with_suffix(".mlir").write_text(case.text)
    ptx = base.with_suffix(".ptx")
    return ptx, endtoend.run([str(tool), str(base.with_suffix(".mlir")), f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)),
                              f"--gpu-name={target}", f"--save-ptx={ptx}", "--threads=1", *options, *case.args])


def check_large(case, target, tool, ptxas, folder, options=()):
    ptx, (code, text) = execute(tool, case, target, folder,
                                ["--engine=reference,emulator", "--check", f"--tolerance={case.within(target)}", *options])
    if code == 0 and endtoend.targets.can_assemble(ptxas, target):
        code, text = endtoend.run([ptxas, "-v", f"-arch={endtoend.compiled_as(target)}", str(ptx), "-o", "/dev/null"])
        if code == 0 and endtoend.spilled_bytes(text):
            return f"spills {endtoend.spilled_bytes(text)} bytes"
    return None if code == 0 else f"exit status {code}\n{text}"


def minima(t, infinity):
    """The least of each of 16 matrices: 64 numbers to a thread of sixteen warps, and as many results in between."""
    box, view = "16x32x64", f"tensor_view<16x32x64x{t}, strides=[2048,64,1]>"
    body = "%c0 = constant <i32: 0> : tile<i32>\n"
    body += f"%a = assume div_by<16>, %p : tile<ptr<{t}>>\n%v = make_tensor_view %a, shape = [16, 32, 64], strides = [2048, 64, 1] : {view}\n"
    body += f"%w = make_partition_view %v : partition_view<tile=({box}), {view}>\n"
    body += f"%x, %t0 = load_view_tko weak %w[%c0, %c0, %c0] : partition_view<tile=({box}), {view}>, tile<i32> -> tile<{box}x{t}>, token\n"
    for result, source, shape, less in (("y", "x", box, "16x64"), ("z", "y", "16x64", "16")):
        body += f"%{result} = reduce %{source} dim=1 identities=[{infinity} : {t}] : tile<{shape}x{t}> -> tile<{less}x{t}>\n"
        body += f"(%l: tile<{t}>, %r: tile<{t}>) {{\n%m = minf %l, %r : tile<{t}>\nyield %m : tile<{t}>\n}}\n"
    out = f"tensor_view<16x{t}, strides=[1]>"
    body += f"%ov = make_tensor_view %o, shape = [16], strides = [1] : {out}\n%ow = make_partition_view %ov : partition_view<tile=(16), {out}>\n"
    body += f"%t1 = store_view_tko weak %z, %ow[%c0] : tile<16x{t}>, partition_view<tile=(16), {out}>, tile<i32> -> token\n"
    return kernels.module("minima", f"%p: tile<ptr<{t}>>, %o: tile<ptr<{t}>>", body)


def spillable():
    """Modules that no target may spill."""
    import real_natural
    examples = pathlib.Path(__file__).resolve().parents[2] / "examples"
    natural = [(case.name, case.text) for case in real_natural.cases()]
    natural += [("minima-f32", minima("f32", "0x7F800000")), ("minima-bf16", minima("bf16", "0x7F80"))]
    return natural + [(e.stem, e.read_text()) for e in sorted(examples.glob("*.mlir"))]


def check_spills(name, text, target, compiler, ptxas, folder, options=()):
    base = pathlib.Path(folder) / f"spills-{name}-{target}-{len(options)}"
    source, ptx = base.with_suffix(".mlir"), base.with_suffix(".ptx")
    source.write_text(text)
    code, said = endtoend.run([str(compiler), str(source), f"--gpu-name={target}", "--emit=ptx", "-o", str(ptx), *options])
    if code == 0 and not endtoend.targets.can_assemble(ptxas, target):
        return None
    if code == 0:
        code, said = endtoend.run([ptxas, "-v", f"-arch={endtoend.compiled_as(target)}", str(ptx), "-o", "/dev/null"])
    if code == 0 and endtoend.spilled_bytes(said):
        return f"spills {endtoend.spilled_bytes(said)} bytes"
    return None if code == 0 else f"exit status {code}\n{said}"


def check_accesses(case, target, tool, folder):
    _, (code, text) = execute(tool, case, target, folder, ["--engine=emulator", "--stats"])
    if code != 0:
        return f"exit status {code}\n{text}"

    def counter(name):
        return int(re.search(name + r"\s+(\d+)", text)[1])

    moved = counter("global load bytes") + counter("global store bytes")
    found = (moved / counter("global requests"), moved / counter("global sectors"), counter("shared bank conflicts"))
    return None if found == (512, 32, 0) else "{} bytes per request, {} of 32 bytes per sector used, {} bank conflicts".format(*found)


def planted(tool, ptxas, folder):
    """What the checks must find."""
    faults = []
    if ptxas:
        name, text = next(m for m in spillable() if m[0].startswith("attention-f16"))
        said = check_spills(name, text, "sm_90", tool.parent / "tileiras", ptxas, folder, ["--pipeline-options=tile-room=1000000000"])
        # Or is beyond what ptxas can do at all.
        found = said and (said.startswith("spills") or "Register allocation failed" in said)
        faults.append(None if found else f"{name} that is not sliced does not spill: {said}")
        whole = matrix_kernels.gemm("f16", "f32", 256, 256, 64, 256, 256, 64)
        said = check_large(whole, "sm_90", tool, ptxas, folder, ["--pipeline-options=tile-room=1000000000"])
        faults.append(None if said and said.startswith("spills") else f"a product that is not sliced does not spill: {said}")
    said = check_accesses(kernels.softmax("f32", 16, 511, 4, 512), "sm_90", tool, folder)
    faults.append(None if said and "per request" in said else f"rows without alignment have full-width accesses: {said}")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--report")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--filter", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    tool, ptxas = pathlib.Path(args.build).resolve() / "bin" / "tileiras-run", find_ptxas()
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tileiras-registers-") as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        work = []
        for number, case in enumerate(large()):
            targets = endtoend.TARGETS if args.all else [endtoend.TARGETS[number % len(endtoend.TARGETS)]]
            work += [(f"large {case.name} {t}", check_large, (case, t, tool, ptxas, folder)) for t in targets]
        work += [(f"accesses {case.name} {t}", check_accesses, (case, t, tool, folder)) for case in basic() for t in ("sm_80", "sm_100")]
        if ptxas:
            work += [(f"spills {name} {t}", check_spills, (name, text, t, tool.parent / "tileiras", ptxas, folder))
                     for name, text in spillable() for t in endtoend.TARGETS]
        work = [w for w in work if args.filter in w[0]]
        jobs = [(name, pool.submit(check, *rest)) for name, check, rest in work]
        results = [(name, job.result()) for name, job in jobs]
        results += [("planted", fault) for fault in planted(tool, ptxas, folder)]
    for name, error in results:
        failed, passed = failed + bool(error), passed + (not error)
        if error or args.v:
            print(f"{'FAIL' if error else 'ok'}: {name}" + (f": {error[-2000:]}" if error else ""), flush=True)
    print(f"registers: {passed} ok, {failed} not ok" + ("" if ptxas else "; no ptxas here, spills not looked for"))
    if args.report:
        pathlib.Path(args.report).write_text(json.dumps({"passed": passed, "failed": failed}))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
