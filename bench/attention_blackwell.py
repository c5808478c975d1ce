#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward on Blackwell: TFLOP/s that the model predicts for B200, with the limiter, registers and spilled bytes.

usage: attention_blackwell.py BUILD_DIR [--before BUILD_DIR] [--heads N] [--length N] [--filter TEXT] [--gpu b200] [--options TEXT] [--kept]

Heads of `length` queries and keys, a multiple of the tiles, bf16 with sums in f32; logits are scaled and lowered in one step and exp2 flushes to zero, as
front ends write it. Causal: keys behind the query are hidden, and keys behind the last query of a tile are not read; half of the operations count. Elements
are random (standard normal), so that maxima grow as they do. --kept: the kernel raises the maximum of a row when it has grown by more than 8, as
FlashAttention-4 does; powers are 256 at most then, and the quotient of both sums is what it was. --before: another build, whose time comes first. Needs ptxas for registers.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "test" / "EndToEnd"), str(ROOT / "test")]
from harness import find_ptxas  # noqa: E402

# Queries and keys of a tile, width of a head, causal.
ROWS = [(128, 128, 128, False), (256, 64, 128, False), (256, 128, 128, False), (128, 64, 128, False), (128, 128, 64, False), (256, 128, 64, False),
        (128, 128, 128, True), (256, 64, 128, True), (128, 128, 64, True), (256, 128, 64, True)]


def kernel(m, n, width, causal, kept=False):
    def view(name, tile, order=""):
        heads = f"!cuda_tile.tensor_view<?x?x{width}xbf16, strides=[?,{width},1]>"
        part = f"!cuda_tile.partition_view<tile=(1x{tile}), padding_value = zero, {heads}{order}>"
        text = (f"%a{name} = assume div_by<16>, %{name} : tile<ptr<bf16>>\n%t{name} = make_tensor_view %a{name}, shape = [%heads, %length, {width}], "
                f"strides = [%stride, {width}, 1] : tile<i32> -> {heads}\n%v{name} = make_partition_view %t{name} : {part}\n")
        return text, part

    (q, tq), (k, tk), (v, tv), (o, to) = (view("q", f"{m}x{width}"), view("k", f"{width}x{n}", ", dim_map=[0, 2, 1]"), view("v", f"{n}x{width}"),
                                          view("o", f"{m}x{width}"))
    S, P, O, R = f"tile<{m}x{n}xf32>", f"tile<{m}x{n}xbf16>", f"tile<{m}x{width}xf32>", f"tile<{m}x1xf32>"
    reduce = ("reduce %{} dim=1 identities=[{} : f32] : " + S + f" -> tile<{m}xf32>\n(%a: tile<f32>, %b: tile<f32>) {{{{\n%r = {{}} %a, %b : tile<f32>\n"
              "yield %r : tile<f32>\n}}\n")
    positions, mask, logits, lower = "", "", "scaled", (f"%lowered = negf %tops : {S}\n%below = fma %qk, %scales, %lowered : {S}\n")
    end = "%end = divi %length, %cn signed rounding<positive_inf> : tile<i32>\n"
    if causal:
        end = (f"%next = addi %block, %c1 : tile<i32>\n%last = muli %next, %cm : tile<i32>\n"
               "%end = divi %last, %cn signed rounding<positive_inf> : tile<i32>\n")
        positions = (f"%im = iota : tile<{m}xi32>\n%in = iota : tile<{n}xi32>\n%first = muli %block, %cm : tile<i32>\n%f1 = reshape %first : tile<i32> -> tile<1xi32>\n"
                     f"%f2 = broadcast %f1 : tile<1xi32> -> tile<{m}xi32>\n%rows1 = addi %f2, %im : tile<{m}xi32>\n%rows2 = reshape %rows1 : tile<{m}xi32> -> tile<{m}x1xi32>\n"
                     f"%rows = broadcast %rows2 : tile<{m}x1xi32> -> tile<{m}x{n}xi32>\n%hidden = constant <f32: 0xFF800000> : {S}\n"
                     f"%lanes = reshape %in : tile<{n}xi32> -> tile<1x{n}xi32>\n")
        mask = (f"%key = muli %i, %cn : tile<i32>\n%key1 = reshape %key : tile<i32> -> tile<1x1xi32>\n%key2 = broadcast %key1 : tile<1x1xi32> -> tile<1x{n}xi32>\n"
                f"%key3 = addi %key2, %lanes : tile<1x{n}xi32>\n%keys = broadcast %key3 : tile<1x{n}xi32> -> tile<{m}x{n}xi32>\n"
                f"%visible = cmpi less_than_or_equal %keys, %rows, signed : tile<{m}x{n}xi32> -> tile<{m}x{n}xi1>\n"
                f"%masked = select %visible, %scaled, %hidden : tile<{m}x{n}xi1>, {S}\n")
        logits, lower = "masked", f"%below = subf %masked, %tops : {S}\n"
    top = f"%top1 = maxf %mtop, %rowtop1 : {R}\n"
    if kept:
        top = (f"%higher = maxf %mtop, %rowtop1 : {R}\n%more = subf %higher, %mtop : {R}\n%eight = constant <f32: 8.0> : {R}\n"
               f"%far = cmpf greater_than ordered %more, %eight : {R} -> tile<{m}x1xi1>\n%top1 = select %far, %higher, %mtop : tile<{m}x1xi1>, {R}\n")
    return f"""cuda_tile.module @kernels {{
entry @attention(%q: tile<ptr<bf16>>, %k: tile<ptr<bf16>>, %v: tile<ptr<bf16>>, %o: tile<ptr<bf16>>, %heads: tile<i32>, %size: tile<i32>, %scale: tile<f32>) {{
%length = assume div_by<{max(m, n)}>, %size : tile<i32>
%block, %head, %z = get_tile_block_id : tile<i32>
%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%cm = constant <i32: {m}> : tile<i32>
%cn = constant <i32: {n}> : tile<i32>
%cw = constant <i32: {width}> : tile<i32>
%stride = muli %length, %cw : tile<i32>
{q}{k}{v}{o}%q3, %tokenq = load_view_tko weak %vq[%head, %block, %c0] : {tq}, tile<i32> -> tile<1x{m}x{width}xbf16>, token
%q2 = reshape %q3 : tile<1x{m}x{width}xbf16> -> tile<{m}x{width}xbf16>
{positions}%s1 = reshape %scale : tile<f32> -> tile<1x1xf32>
%scales = broadcast %s1 : tile<1x1xf32> -> {S}
%zeros = constant <f32: 0.0> : {S}
%o0 = constant <f32: 0.0> : {O}
%w0 = constant <f32: 0.0> : {R}
%m0 = constant <f32: -1.0e+30> : {R}
{end}%sum, %weight, %top = for %i in (%c0 to %end, step %c1) : tile<i32> iter_values(%osum = %o0, %wsum = %w0, %mtop = %m0) -> ({O}, {R}, {R}) {{
%k3, %tokenk = load_view_tko weak %vk[%head, %c0, %i] : {tk}, tile<i32> -> tile<1x{width}x{n}xbf16>, token
%k2 = reshape %k3 : tile<1x{width}x{n}xbf16> -> tile<{width}x{n}xbf16>
%qk = mmaf %q2, %k2, %zeros : tile<{m}x{width}xbf16>, tile<{width}x{n}xbf16>, {S}
%scaled = mulf %qk, %scales : {S}
{mask}%rowtop = {reduce.format(logits, "0xFF800000", "maxf")}%rowtop1 = reshape %rowtop : tile<{m}xf32> -> {R}
{top}%tops = broadcast %top1 : {R} -> {S}
{lower}%p = exp2 %below flush_to_zero : {S}
%rowsum = {reduce.format("p", "0.0", "addf")}%rowsum1 = reshape %rowsum : tile<{m}xf32> -> {R}
%drop = subf %mtop, %top1 : {R}
%alpha = exp2 %drop flush_to_zero : {R}
%weight1 = fma %wsum, %alpha, %rowsum1 : {R}
%alphas = broadcast %alpha : {R} -> {O}
%changed = mulf %osum, %alphas : {O}
%v3, %tokenv = load_view_tko weak %vv[%head, %i, %c0] : {tv}, tile<i32> -> tile<1x{n}x{width}xbf16>, token
%v2 = reshape %v3 : tile<1x{n}x{width}xbf16> -> tile<{n}x{width}xbf16>
%ph = ftof %p : {S} -> {P}
%sum1 = mmaf %ph, %v2, %changed : {P}, tile<{n}x{width}xbf16>, {O}
continue %sum1, %weight1, %top1 : {O}, {R}, {R}
}}
%weights = broadcast %weight : {R} -> {O}
%mean = divf %sum, %weights rounding<approx> flush_to_zero : {O}
%half = ftof %mean : {O} -> tile<{m}x{width}xbf16>
%result = reshape %half : tile<{m}x{width}xbf16> -> tile<1x{m}x{width}xbf16>
%stored = store_view_tko weak %result, %vo[%head, %block, %c0] : tile<1x{m}x{width}xbf16>, {to}, tile<i32> -> token
return
}}
}}
"""


def run(words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        sys.exit((done.stdout + done.stderr)[-800:])
    return done.stdout + done.stderr


def measure(build, row, args, folder):
    m, n, width, causal = row
    tool, source, ptx = pathlib.Path(build).resolve() / "bin", folder / "k.mlir", folder / "k.ptx"
    source.write_text(kernel(*row, args.kept))
    run([tool / "tileiras", source, "--gpu-name=sm_100", "--emit=ptx", "-o", ptx, f"--pipeline-options={args.options}"])
    array = f"bf16[{args.heads}x{args.length}x{width}]"
    said = run([tool / "tileiras-run", ptx, f"--time={args.gpu}", f"--grid={args.length // m},{args.heads}", *(f"{x}:{array}=normal(seed={i})" for i, x in enumerate("qkv", 1)),
                f"o:{array}=zeros", f"i32={args.heads}", f"i32={args.length}", f"f32={1.4427 / width ** 0.5}"])
    us, error = map(float, re.search(r"([\d.]+) us \+- (\d+) %", said).groups())
    flops = 4 * args.heads * args.length ** 2 * width * (0.5 if causal else 1)
    made = run([find_ptxas(), "-v", "-arch=sm_100a", ptx, "-o", ptx.with_suffix(".cubin")])
    return {"us": us, "error": error, "TFLOP/s": round(flops / us / 1e6), "limiter": re.search(r"limited by: ([^,(\n]*)", said)[1].strip(),
            "registers": int(re.search(r"Used (\d+) registers", made)[1]), "spilled": sum(map(int, re.findall(r"(\d+) bytes spill", made)))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--before")
    parser.add_argument("--heads", type=int, default=16)
    parser.add_argument("--length", type=int, default=4096)
    parser.add_argument("--filter", default="")
    parser.add_argument("--gpu", default="b200")
    parser.add_argument("--options", default="")
    parser.add_argument("--kept", action="store_true")
    args = parser.parse_args()
    print("| tile, width | " + ("before: TFLOP/s | " if args.before else "") + "us | TFLOP/s | error bar | limited by | registers, spilled bytes |")
    print("|---" * (7 if args.before else 6) + "|")
    with tempfile.TemporaryDirectory(prefix="tileiras-attention-") as folder:
        for row in ROWS:
            name = f"{row[0]}x{row[1]}, {row[2]}" + (", causal" if row[3] else "")
            if args.filter not in name:
                continue
            before = f"{measure(args.before, row, args, pathlib.Path(folder))['TFLOP/s']} | " if args.before else ""
            now = measure(args.build, row, args, pathlib.Path(folder))
            print(f"| {name} | {before}{now['us']} | {now['TFLOP/s']} | {now['error']:.0f} % | {now['limiter']} | {now['registers']}, {now['spilled']} |", flush=True)


if __name__ == "__main__":
    main()
