#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which instruction multiplies, and which fetches the operands, for every type of operands, either order of both arrays, and
every target: no product may pass on a fallback unseen.

usage: atoms.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets LIST] [--full] [--write FILE.md] [--jobs N] [-v]

Every row is compiled at a natural tile; its atom has to be the one that `expected` derives from the type and the kind of the target,
and its operands may come by ld only where `by_ld` says why. Then it is executed, with odd extents and the race checker on, and compared
with the reference: on one target each in turn, with --full on all. --write makes the table (`make docs`: build/docs/atoms.md).
"""

import functools
import pathlib
import re
import sys
import tempfile

import matrix_kernels
from harness import conclude, find_ptxas, run_all, suite_arguments
from run import run, spilled_bytes
import run as endtoend

targets = endtoend.targets

# Operands, sums, and the tile (rows, columns, k).
TYPES = [("f16", "f32", (64, 64, 32)), ("f16", "f16", (64, 64, 32)), ("bf16", "f32", (64, 64, 32)), ("tf32", "f32", (64, 64, 32)),
         ("f32", "f32", (64, 32, 32)), ("f64", "f64", (32, 32, 16)), ("i8", "i32", (64, 64, 64)), ("f8E4M3FN", "f32", (64, 64, 64)),
         ("f8E5M2", "f32", (64, 64, 64))]
SCALED = [("f8E4M3FN", "f8E8M0FNU", 32), ("f8E5M2", "f8E8M0FNU", 32), ("f4E2M1FN", "f8E8M0FNU", 32), ("f4E2M1FN", "f8E8M0FNU", 16),
          ("f4E2M1FN", "f8E4M3FN", 16)]
# Bytes, in stores and loads together: all 255 registers are taken.
KNOWN_SPILLS = {("f4E2M1FN scaled by f8E8M0FNU, 16 to a scale", "sm_90"): 24}
BY_BLOCKS = "a product for each block, times its scales"
TURNED = {"": {}, "B n x k": {"transposed": True}, "A k x m": {"left": True}, "A k x m, B n x k": {"left": True, "transposed": True}}


def expected(target, t, scale=None, block=0, turned=()):
    """Texts of which the atom has to begin with one, and why it is not an instruction of the operands' own type."""
    row = next(r for r in targets.rows() if r["name"] == target)
    sm, products = row["compute_capability"], row["products"]
    sync = products == "mma.sync"
    if scale:
        if sm >= 120 and scale == "f8E8M0FNU" and block == 32:
            return [f"mma_atom<{t}, shape = [16, 8, 32]", "block_scaled = true"], ""
        if sm >= 120 and t == "f4E2M1FN" and scale == "f8E4M3FN" and block == 16:
            return [f"mma_atom<{t}, shape = [16, 8, 64]", "block_scaled = true"], ""
        if sm >= 120 and t == "f4E2M1FN" and scale == "f8E8M0FNU" and block == 16:
            return [f"mma_atom<{t}, shape = [16, 8, 32]", "block_scaled = true"], "zeros between blocks: the instruction has a scale for 32"
        if t.startswith("f4") and scale == "f8E4M3FN":
            return ["mma_atom<f16, shape = [16, 8, 16]"], "scaled elements are exact in f16, and their products in f32"
        # tileas-legalize-fma-dot; on units of more than a warp, as plain products of f16 are.
        if t.startswith("f4"):
            return [{"wgmma": "wgmma_atom<f16", "tcgen05": "sm100_mma_atom<f16"}.get(products, "mma_atom<f16, shape = [16, 8, 16]")], BY_BLOCKS
        return ["mma_atom<f16, shape = [16, 8, 16]" if sm < 89 else f"mma_atom<{t}, shape = [16, 8, 32]"], BY_BLOCKS
    own = {"f16": "[16, 8, 16]", "bf16": "[16, 8, 16]", "tf32": "[16, 8, 8]", "f64": "[8, 8, 4]", "i8": "[16, 8, 32]",
           "f8E4M3FN": "[16, 8, 32]", "f8E5M2": "[16, 8, 32]"}
    if t == "f32":
        return ["fma_atom<f32"], "tf32 would round the operands"
    if products == "wgmma" and t != "f64":
        return [f"wgmma_atom<{t}{' promoted by 128' if t.startswith('f8') else ''}"], ""
    if t.startswith("f8") and sm < 89:
        return ["mma_atom<f16, shape = [16, 8, 16]"], "the target has no product of this type; f16 holds it"
    element = "i8" if t == "i8" else t
    atom = [f"mma_atom<{element}, shape = {own[t]}"]
    if t.startswith("f8") and sm >= 120:
        atom.append("block_scaled = true")  # with scales of 1
    return atom, "" if sync or t == "f64" else f"{products} is used for some products only"


def by_ld(t, turned, operand, atom, scaled):
    """Why an operand may be fetched from shared memory by ld, element by element."""
    if scaled and "block_scaled" not in atom:
        return "slices along k of a tile in registers"
    if "f64" in atom or (t.startswith("f4") and "f16" in atom):
        return "elements are scaled before they are multiplied"
    if t == "f4E2M1FN":
        return "elements of 4 bits that have been unpacked are in registers"
    k_fastest = {"a": "left" not in turned, "b": "transposed" in turned}[operand]
    if t in ("f32", "f64"):
        return "ldmatrix fetches rows of 16 bytes for fragments of 32 bits"
    return None if k_fastest or t in ("f16", "bf16") else "ldmatrix turns 16-bit elements only"


def product_of(text):
    """The operation of the product, whatever waits for it."""
    return next((line.strip() for line in text.splitlines() if re.search(r"nv_tileas\.\S*dot\S* .*atom = ", line)), "")


def compiled(case, target, tool, folder):
    base = pathlib.Path(folder) / f"{case.name}-{target}"
    base.with_suffix(".mlir").write_text(case.text)
    code, text = run([str(tool.parent / "tileiras"), str(base.with_suffix(".mlir")), f"--gpu-name={target}", "--emit=tileas", "-o", "-"])
    return (text, None) if code == 0 else ("", f"exit status {code}\n{text}")


def check(label, case, t, turned, scaled, want, target, tool, ptxas, folder, table, execute):
    text, error = compiled(case, target, tool, folder)
    if error:
        return error
    product = product_of(text)
    atom = re.search(r"#nv_tileas\.(\w+_atom<[^>]*>)", product)
    fetches = {operand: re.search(rf"fetch_{operand} = #nv_tileas\.(\w+<[^>]*>)", product) for operand in "ab"}
    texts, reason = want
    wgmma = texts[0].startswith("wgmma")
    shown = atom[1] if atom else "none"
    names = {operand: found[1] if found else ("itself" if wgmma else "ld") for operand, found in fetches.items()}
    # Products may move to a better unit than mma.sync where the target has one (tcgen05); never to a lesser one.
    better = "not used" in reason or reason.endswith("only")
    table[label, target] = (shown, names["a"], names["b"], reason)
    if not atom or (not better and not all(part in product for part in texts)):
        return f"is multiplied by {shown}, expected {' ... '.join(texts)}\n{product}"
    if "sm100" not in shown and not wgmma and not shown.startswith("fma"):
        for operand, found in fetches.items():
            if not found and not by_ld(t, turned, operand, shown, scaled):
                return f"operand {operand} is fetched by ld\n{product}"
    if not execute:
        return None
    ptx = pathlib.Path(folder) / f"{case.name}-{target}.ptx"
    command = [str(tool), str(ptx.with_suffix(".mlir")), "--grid=" + ",".join(map(str, case.grid)), "--engine=reference,emulator", "--check",
               f"--gpu-name={target}", f"--tolerance={case.within(target)}", f"--save-ptx={ptx}", "--threads=1", "--schedules=2", *case.args]
    code, output = run(command)
    if code:
        return f"{' '.join(command)}\nexit status {code}\n{output}"
    if ptxas and targets.can_assemble(ptxas, target):
        code, output = run([ptxas, "-v", f"-arch={endtoend.compiled_as(target)}", str(ptx), "-o", "/dev/null"])
        if code or "warning" in output.lower() or spilled_bytes(output) > KNOWN_SPILLS.get((label, target), 0):
            return f"ptxas: {output}"
    return None


def rows():
    for t, acc, (m, n, k) in TYPES:
        for name, turned in TURNED.items():
            signs = ("signed", "signed") if t == "i8" else None
            # An odd number of tiles along each extent, the last of them cut.
            yield f"{t}, {acc} sums{', ' if name else ''}{name}", matrix_kernels.gemm(t, acc, m + 16, n + 16, k + max(16, k // 2), m, n, k, signs, aligned=True, **turned), \
                t, turned, None, 0
    for t, scale, block in SCALED:
        yield f"{t} scaled by {scale}, {block} to a scale", matrix_kernels.scaled(t, scale, 64, 64, 128, block, aligned=True), t, {}, scale, block


def main():
    parser = suite_arguments(targets.names())
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--write")
    args = parser.parse_args()
    tool, ptxas = pathlib.Path(args.build).resolve() / "bin/tileiras-run", find_ptxas()
    table, chosen = {}, args.targets.split(",")
    with tempfile.TemporaryDirectory(prefix="tileiras-atoms-") as folder:
        work = []
        for number, (label, case, t, turned, scale, block) in enumerate(rows()):
            for place, target in enumerate(chosen):
                execute = args.full or (number + place) % len(chosen) == 0
                work.append((f"{label} {target}", functools.partial(check, label, case, t, turned, scale, expected(target, t, scale, block, turned), target, tool, ptxas,
                                                                     folder, table, execute)))
        passed, failures, times = run_all([w for w in work if args.filter in w[0]], args.jobs, args.v)
    if args.write:
        lines = ["# Atoms of products", "", "Made by test/EndToEnd/atoms.py. How operands come from shared memory: A, B.", ""]
        for target in chosen:
            lines += [f"## {target}", "", "| product | atom | A | B | why not the operands' own type |", "|---|---|---|---|---|"]
            lines += [f"| {label} | `{atom}` | {a} | {b} | {why} |" for (label, of), (atom, a, b, why) in table.items() if of == target] + [""]
        pathlib.Path(args.write).write_text("\n".join(lines))
    return conclude("atoms:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
