#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""optimization_hints: what each of them does to the PTX, which entry counts, and kernels that clusters divide.

usage: hints.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_80,sm_90] [--jobs N] [-v]

A hint without effect must at least do no harm: the PTX is that without it. Kernels with num_cta_in_cga run on the emulator
under several orders of warps, with its race checker, and are compared with the reference; the blocks of a cluster must
share the work: together they load and store what one block would, not each of them everything.
"""

import functools
import pathlib
import re
import sys
import tempfile

from harness import conclude, run_all, suite_arguments
from kernels import module, splat, tile, view2d
from run import TARGETS, run


def plain(hints, load=""):
    """y = 2 x, one tile of 64 x 64 per block, rows and columns overhanging."""
    lines, view = view2d("x", "a", "m", "n", "n", 64, 64, "f32", "zero")
    more, out = view2d("y", "b", "m", "n", "n", 64, 64, "f32")
    body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + lines + more
    body += f"%v, %t0 = load_view_tko weak %x[%bx, %by]{load} : {view}, tile<i32> -> tile<64x64xf32>, token\n"
    body += "%w = addf %v, %v : tile<64x64xf32>\n"
    body += f"%t1 = store_view_tko weak %w, %y[%bx, %by] token=%t0 : tile<64x64xf32>, {out}, tile<i32> -> token\n"
    return module("k", "%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>", body,
                  f" optimization_hints=<{hints}>" if hints else "")


def ptx_of(text, target, bin_dir, folder):
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".mlir") as source:
        source.write(text)
        source.flush()
        code, output = run([str(bin_dir / "tileiras"), source.name, "--emit=ptx", f"--gpu-name={target}"])
    return (None, output) if code == 0 else (output, "")


def expects(hints, what, bin_dir, folder, target, load=""):
    """what: texts of the PTX, those that begin with ! must not be there; empty: the PTX without hints."""
    error, ptx = ptx_of(plain(hints, load), target, bin_dir, folder)
    if error is not None:
        return f"<{hints}> {target}: {error}"
    if not what:
        error, without = ptx_of(plain(""), target, bin_dir, folder)
        return None if ptx == without else f"<{hints}> {target}: changes the PTX"
    for text in what:
        if (text.lstrip("!") in ptx) == text.startswith("!"):
            return f"<{hints}> {target}: {'has' if text.startswith('!') else 'lacks'} {text.lstrip('!')}"
    return None


def hint_checks(target):
    """(hints, texts)"""
    clusters = int(target[3:]) >= 90
    other = "sm_90" if target != "sm_90" else "sm_100"
    c2 = [".reqnctapercluster 2", ".blocksareclusters"] if clusters else []
    return [
        ("default = {num_worker_warps_per_cta = 8}", [".reqntid 256"]),
        ("default = {num_worker_warps_per_cta = 4}", [".reqntid 128"]),
        # The entry of the target goes first, entry by entry: what it does not say comes from default.
        (f"{target} = {{num_worker_warps_per_cta = 8}}, default = {{num_worker_warps_per_cta = 4}}", [".reqntid 256"]),
        (f"{target} = {{occupancy = 3}}, default = {{num_worker_warps_per_cta = 8, occupancy = 2}}", [".reqntid 256", ".minnctapersm 3"]),
        (f"{other} = {{num_worker_warps_per_cta = 8, occupancy = 4}}", []),
        # Beyond 4 and 8 the getter clamps; what is no power of two is no hint.
        ("default = {num_worker_warps_per_cta = 32}", [".reqntid 256"]),
        ("default = {num_worker_warps_per_cta = 1}", [".reqntid 128"]),
        ("default = {num_worker_warps_per_cta = 6}", []),
        ("default = {num_worker_warps_per_cta = 64}", []),
        ("default = {occupancy = 2}", [".minnctapersm 2"]),
        ("default = {occupancy = 0}", []), ("default = {occupancy = 33}", []), ("default = {occupancy = -1}", []),
        ("default = {occupancy = \"two\"}", []),
        ("default = {num_cta_in_cga = 2}", c2), ("default = {num_cta_in_cga = 3}", []), ("default = {num_cta_in_cga = 32}", []),
        ("default = {num_cta_in_cga = 1}", []),
        # Unknown architectures and hints are silently ignored (-Wunsupported-hints of the opt tools reports them).
        ("sm_75 = {occupancy = 2}", []), ("default = {colour = 3}", []), ("default = {latency = 3}", []), ("default = {}", []),
    ]


def cluster_kernels():
    """(name, text without hints' <>, grid, args, tolerance, divided)"""
    out = [("copy", lambda h: plain(h), (2, 3, 1), ["a:f32[100x150]=random(seed=1)", "out:b:f32[100x150]=poison", "i32=100", "i32=150"], "exact", True)]

    def rows(h):
        lines, view = view2d("x", "a", "m", "n", "n", 32, 128, "f32", "neg_inf")
        more, store = view2d("y", "b", "m", "n", "n", 32, 128, "f32")
        t, r = "tile<32x128xf32>", "tile<32xf32>"
        body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n%z = constant <i32: 0> : tile<i32>\n" + lines + more
        body += f"%v, %t0 = load_view_tko weak %x[%bx, %z] : {view}, tile<i32> -> {t}, token\n"
        body += (f"%mx = reduce %v dim=1 identities=[0xFF800000 : f32] : {t} -> {r}\n(%e: tile<f32>, %acc: tile<f32>) {{\n"
                 "  %u = maxf %e, %acc : tile<f32>\n  yield %u : tile<f32>\n}\n")
        body += f"%m1 = reshape %mx : {r} -> tile<32x1xf32>\n%mb = broadcast %m1 : tile<32x1xf32> -> {t}\n%d = subf %v, %mb : {t}\n%p = exp %d : {t}\n"
        body += (f"%s = reduce %p dim=1 identities=[0.0 : f32] : {t} -> {r}\n(%e2: tile<f32>, %acc2: tile<f32>) {{\n"
                 "  %u2 = addf %e2, %acc2 : tile<f32>\n  yield %u2 : tile<f32>\n}\n")
        body += f"%s1 = reshape %s : {r} -> tile<32x1xf32>\n%sb = broadcast %s1 : tile<32x1xf32> -> {t}\n%q = divf %p, %sb : {t}\n"
        body += f"%t1 = store_view_tko weak %q, %y[%bx, %z] token=%t0 : {t}, {store}, tile<i32> -> token\n"
        return module("k", "%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>", body, f" optimization_hints=<{h}>" if h else "")
    out.append(("softmax", rows, (3, 1, 1), ["a:f32[90x111]=random(seed=2)", "out:b:f32[90x111]=poison", "i32=90", "i32=111"], "rel:1e-5,abs:1e-6", True))

    def turn(h):
        """A square array turned in place: each element is loaded before its place is written, by another block perhaps."""
        tv = "tensor_view<64x64xf32, strides=[64,1]>"
        back = "tensor_view<64x64xf32, strides=[1,64]>"
        pv, pb = f"partition_view<tile=(64x64), {tv}>", f"partition_view<tile=(64x64), {back}>"
        body = "%z = constant <i32: 0> : tile<i32>\n"
        body += f"%x_t = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : {tv}\n%x = make_partition_view %x_t : {pv}\n"
        body += f"%y_t = make_tensor_view %b, shape = [64, 64], strides = [1, 64] : {back}\n%y = make_partition_view %y_t : {pb}\n"
        body += f"%v, %t0 = load_view_tko weak %x[%z, %z] : {pv}, tile<i32> -> tile<64x64xf32>, token\n"
        body += f"%t1 = store_view_tko weak %v, %y[%z, %z] : tile<64x64xf32>, {pb}, tile<i32> -> token\n"
        return module("k", "%a: tile<ptr<f32>>, %b: tile<ptr<f32>>", body, f" optimization_hints=<{h}>" if h else "")
    out.append(("turn", turn, (1, 1, 1), ["a:f32[64x64]=random(seed=3)", "out:b:f32[64x64]=poison"], "exact", True))

    def same(h):
        """The same through one argument: nobody may write before all have loaded."""
        return turn(h).replace("%y_t = make_tensor_view %b", "%y_t = make_tensor_view %a")
    out.append(("turn-in-place", same, (1, 1, 1), ["out:a:f32[64x64]=random(seed=3)", "out:b:f32[64x64]=poison"], "exact", True))

    def product(h):
        body = "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
        views = {}
        for name, base, shape, t in (("x", "a", (64, 64), "f16"), ("w", "b", (64, 32), "f16"), ("y", "c", (64, 32), "f32")):
            tv = f"tensor_view<128x128x{t}, strides=[128,1]>"
            views[name] = f"partition_view<tile=({shape[0]}x{shape[1]}), {tv}>"
            body += f"%{name}_t = make_tensor_view %{base}, shape = [128, 128], strides = [128, 1] : {tv}\n%{name} = make_partition_view %{name}_t : {views[name]}\n"
        body += "%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n%c2 = constant <i32: 2> : tile<i32>\n"
        body += "%acc0 = constant <f32: 0.0> : tile<64x32xf32>\n"
        body += "%acc = for %k in (%c0 to %c2, step %c1) : tile<i32> iter_values(%s = %acc0) -> (tile<64x32xf32>) {\n"
        body += f"  %l, %tl = load_view_tko weak %x[%bx, %k] : {views['x']}, tile<i32> -> tile<64x64xf16>, token\n"
        body += f"  %r, %tr = load_view_tko weak %w[%k, %by] : {views['w']}, tile<i32> -> tile<64x32xf16>, token\n"
        body += "  %s2 = mmaf %l, %r, %s : tile<64x64xf16>, tile<64x32xf16>, tile<64x32xf32>\n  continue %s2 : tile<64x32xf32>\n}\n"
        body += f"%ts = store_view_tko weak %acc, %y[%bx, %by] : tile<64x32xf32>, {views['y']}, tile<i32> -> token\n"
        return module("k", "%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>", body, f" optimization_hints=<{h}>" if h else "")
    out.append(("product", product, (2, 4, 1), ["a:f16[128x128]=random(seed=4)", "b:f16[128x128]=random(seed=5)", "out:c:f32[128x128]=poison"],
                "rel:1e-3,abs:1e-3", True))

    def counts(h):
        """A scalar atomic: has no dimension to divide."""
        body = "%one = constant <i32: 1> : tile<i32>\n%o, %t = atomic_rmw_tko relaxed device %a, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n"
        return module("k", "%a: tile<ptr<i32>>", body, f" optimization_hints=<{h}>" if h else "")
    out.append(("counter", counts, (5, 1, 1), ["out:a:i32[1]=zeros"], "exact", False))
    return out


def counters_of(output):
    return {name: float(value) for name, value in re.findall(r"^\s*([a-z-]+(?: [a-z-]+)*?)\s+(\d+)$", output, re.M)}


def check_cluster(kernel, ctas, target, bin_dir, folder):
    name, make, grid, args, tolerance, divided = kernel
    outputs = []
    for count in (1, ctas):
        source = pathlib.Path(folder) / f"cluster-{name}-{count}-of-{ctas}-{target}.mlir"
        source.write_text(make(f"default = {{num_cta_in_cga = {count}, num_worker_warps_per_cta = 4}}"))
        ptx = source.with_suffix(".ptx")
        command = [str(bin_dir / "tileiras-run"), str(source), "--grid=" + ",".join(map(str, grid)), "--engine=reference,emulator", "--check",
                   "--stats", f"--save-ptx={ptx}", "--schedules=4", f"--tolerance={tolerance}", f"--gpu-name={target}", "--threads=1", *args]
        code, output = run(command)
        if code:
            return f"{' '.join(command)}\nexit status {code}\n{output}"
        outputs.append((counters_of(output), ptx.read_text()))
    (one, _), (many, text) = outputs
    if many["blocks"] != ctas * one["blocks"]:
        return f"{many['blocks']} blocks, want {ctas} times {one['blocks']}"
    if many["global store bytes"] != one["global store bytes"]:
        return f"stores {many['global store bytes']} bytes, one block {one['global store bytes']}"
    if name == "product" and ctas == 8:
        divided = False  # instructions have 16 rows
    # What decides how long a block takes.
    # A product of few rows is mostly what every block does, fetching the other operand; its own work are the products, done
    # once in all.
    if divided and name == "product":
        if many["matrix multiply-adds"] != one["matrix multiply-adds"]:
            return f"{many['matrix multiply-adds']} multiply-adds in all, one block alone has {one['matrix multiply-adds']}"
    elif divided and many["thread instructions"] / ctas > 0.8 * one["thread instructions"]:
        return f"{many['thread instructions'] / ctas} instructions per block, one alone has {one['thread instructions']}"
    if divided != ("%cluster_ctarank" in text and "barrier.cluster" in text):
        return "is divided" if not divided else "is not divided"
    return None


FAULTS = {
    "blocks do not wait for each other": ("turn-in-place", re.compile(r"^\s*barrier\.cluster\.[a-z.]+;\n", re.M), "", "race"),
    "blocks do not wait, but only arrive": ("turn-in-place", re.compile(r"^\s*barrier\.cluster\.wait[a-z.]*;\n", re.M), "", "race"),
    "all blocks take the first slice": ("softmax", re.compile(r"%cluster_ctarank"), "0", "race|poison|differ"),
}


def check_fault(fault, bin_dir, folder, target):
    """PTX of a divided kernel that somebody has broken: has to be noticed."""
    kernel_name, wrong, instead, said = FAULTS[fault]
    name, make, grid, args, tolerance, _ = next(k for k in cluster_kernels() if k[0] == kernel_name)
    source = pathlib.Path(folder) / f"fault-{list(FAULTS).index(fault)}-{target}.mlir"
    source.write_text(make("default = {num_cta_in_cga = 4, num_worker_warps_per_cta = 4}"))
    ptx, expected = source.with_suffix(".ptx"), source.with_suffix(".npy")
    out = next(a for a in args if a.startswith("out:"))
    label = out.split(":")[1]
    common = [str(bin_dir / "tileiras-run"), "--grid=" + ",".join(map(str, grid)), f"--tolerance={tolerance}", "--threads=1"]
    code, output = run([*common, str(source), "--engine=reference,emulator", "--check", f"--gpu-name={target}", f"--save-ptx={ptx}", f"--dump={label}={expected}", *args])
    if code:
        return f"before it was broken:\n{output}"
    text, count = wrong.subn(instead, ptx.read_text())
    if not count:
        return "nothing to break"
    ptx.write_text(text)
    expecting = out.replace("=", f"{{expect={expected}}}=", 1)
    code, output = run([*common, str(ptx), "--engine=emulator", "--check-races", *[expecting if a == out else a for a in args]])
    return None if code and re.search(said, output) else f"not noticed ({code}):\n{output}"


def main():
    parser = suite_arguments(TARGETS)
    args = parser.parse_args()
    bin_dir = pathlib.Path(args.build).resolve() / "bin"
    with tempfile.TemporaryDirectory(prefix="tileiras-hints-") as folder:
        work = []
        for target in args.targets.split(","):
            work += [(f"hint {hints} {target}", functools.partial(expects, hints, texts, bin_dir, folder, target))
                     for hints, texts in hint_checks(target)]
            work += [(f"hint of load {hint} {target}", functools.partial(expects, "", [], bin_dir, folder, target, f" optimization_hints = <{hint}>"))
                     for hint in ("default = {latency = 5}", "default = {latency = 11}", "default = {allow_tma = false}", "default = {allow_tma = true}",
                                  f"{target} = {{latency = 1, allow_tma = false}}")]
            if int(target[3:]) >= 90:
                work += [(f"cluster {kernel[0]} {ctas} {target}", functools.partial(check_cluster, kernel, ctas, target, bin_dir, folder))
                         for kernel in cluster_kernels() for ctas in (2, 4, 8) if ctas == 2 or target == "sm_90"]
                work += [(f"fault {fault} {target}", functools.partial(check_fault, fault, bin_dir, folder, target)) for fault in FAULTS]
        work = [w for w in work if args.filter in w[0]]
        outcome = run_all(work, args.jobs, args.v)
    return conclude("hints:", *outcome, args.report)


if __name__ == "__main__":
    sys.exit(main())
