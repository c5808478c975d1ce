#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loop of attention on sm_90, ours beside Triton's: machine instructions, registers, spilled bytes, and the time that the model predicts for H200.

usage: attention_loop.py BUILD_DIR [--before BUILD_DIR] [--way one-stage|default] [--masked] [--options TEXT] [--filter TEXT] [--write FILE.md] [--check]

16,384 rows and 2,048 keys in all, eight heads. The kernels are alike (matrix_kernels.example_attention and triton_kernels.attention): the length is a
multiple of the tile, without `causal` there is no mask, and exp2 flushes to zero. One stage: a tile is copied, waited for and multiplied, one thing after
the other, in both. Default: what our compiler does without options, and Triton with three stages. --masked: ours masks keys beyond the end
(matrix_kernels.attention), which Triton's does not. --check: fails if one of our columns is worse. --before: another build, whose figures come first. Needs ptxas, nvdisasm,
and for Triton's figures an interpreter that has it.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "test" / "EndToEnd"), str(ROOT / "test")]
import inner_loop  # noqa: E402
import matrix_kernels  # noqa: E402
import timing_table  # noqa: E402
from harness import find_ptxas  # noqa: E402

HEADS, KEYS = 8, 2048
ROWS = [("f16", (tile, tile), width, False) for width in (64, 128) for tile in (64, 128)]
ROWS += [("bf16", (128, 128), 128, False), ("f16", (64, 64), 64, True), ("f16", (128, 128), 64, True)]
MASKED_ROWS = [("f16", tile, width, False) for width in (64, 128) for tile in ((64, 64), (128, 64), (128, 128))] + [("bf16", (128, 128), 128, False)]
# Our options, Triton's stages.
WAYS = {"one-stage": ("pipeline-strategy=none", 1), "default": ("", 3)}
COLUMNS = ["instructions", "wgmma", "arrive", "registers", "spilled", "us"]


def run(words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr)[-400:])
    return done.stdout + done.stderr


def measure(ptx, tool, launch):
    said = run([find_ptxas(), "-v", "-arch=sm_90a", ptx, "-o", ptx.with_suffix(".cubin")])
    if re.search(r"warning|C75\d\d", said):
        raise RuntimeError(said)
    (_, body), *_ = inner_loop.functions(run([inner_loop.find_nvdisasm(), "-c", ptx.with_suffix(".cubin")]))
    names = [name for name, _ in inner_loop.instructions_of(body)[0]]
    return {"instructions": len(names), "wgmma": sum("GMMA" in n for n in names), "arrive": names.count("WARPGROUP.ARRIVE"),
            "registers": int(re.search(r"Used (\d+) registers", said)[1]), "spilled": sum(map(int, re.findall(r"(\d+) bytes spill", said))),
            "us": float(re.search(r"([\d.]+) us", run([tool / "tileiras-run", ptx, "--time=h200", *launch]))[1])}


def ours(build, row, folder, options, masked):
    t, (tm, tn), width, causal = row
    tool, source, ptx = pathlib.Path(build).resolve() / "bin", folder / "ours.mlir", folder / "ours.ptx"
    if masked:
        case = matrix_kernels.attention(t, HEADS * KEYS, KEYS, width, tm, tn, aligned=True)
        source.write_text(case.text)
        launch = [f"--grid={HEADS * KEYS // tm}", *[re.sub(r"=(random|poison).*", "=zeros", a) for a in case.args]]
    else:
        source.write_text(matrix_kernels.example_attention(tm, width, t, causal, whole=True))
        array = f"{t}[{HEADS}x{KEYS}x{width}]=zeros"
        launch = [f"--grid={KEYS // tm},{HEADS}", *[array] * 4, f"i32={HEADS}", f"i32={HEADS}", f"i32={KEYS}", "i32=1", "f32=0.18"]
    run([tool / "tileiras", source, "--gpu-name=sm_90", "--emit=ptx", "-o", ptx, f"--pipeline-options={options}"])
    return measure(ptx, tool, launch)


def theirs(row, build, folder, stages):
    t, (tm, tn), width, causal = row
    if tm != tn:
        return None
    text, shared, threads = timing_table.triton_ptx(("attention", dict(B=tm, D=width, CAUSAL=causal), [{"f16": "*fp16", "bf16": "*bf16"}[t]] * 4 + ["i32", "fp32"],
                                                     4 if tm == 64 else 8, stages), 90)
    ptx = folder / "theirs.ptx"
    # PTX that ptxas 13.0 knows.
    ptx.write_text(re.sub(r"\.version 9\.[1-9]", ".version 9.0", text))
    hidden = text[text.index(".entry"):text.index(")", text.index(".entry"))].count(".param") - 6
    array = f"{t}[{HEADS * KEYS}x{width}]=zeros"
    return measure(ptx, pathlib.Path(build).resolve() / "bin", [f"--grid={KEYS // tm},{HEADS}", f"--block={threads},1,1", f"--dynamic-shared={shared}",
                                                                *[array] * 4, f"i32={KEYS}", "f32=0.18", *["i64=0"] * hidden])


def worse(mine, other):
    """Columns of ours that are larger. What the model predicts is as good if it differs by less than it resolves."""
    allowed = {"us": 1.01}
    return [c for c in ("instructions", "registers", "spilled", "us") if mine[c] > other[c] * allowed.get(c, 1)]


def table(way, args, folder):
    """Lines of a table, and what is worse than Triton's."""
    options, stages = WAYS[way]
    who = (["before"] if args.before else []) + ["ours", "Triton"]
    lines = ["| tile, width | " + " | ".join(c + ": " + ", ".join(who) for c in COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    print("\n".join([way, *lines]))
    found = []
    for row in MASKED_ROWS if args.masked else ROWS:
        t, (tm, tn), width, causal = row
        name = f"{t} {tm}x{tn}, {width}" + (", causal" if causal else "")
        if args.filter not in name:
            continue
        measured = [ours(build, row, folder, f"{options} {args.options}".strip(), args.masked) for build in filter(None, [args.before, args.build])]
        try:
            measured.append(theirs(row, args.build, folder, stages))
        except ImportError:
            if args.check:
                sys.exit("nothing to compare with: this interpreter has no Triton")
            measured.append(None)
        if measured[-1]:
            found += [f"{way}: {name}: {column}" for column in worse(*measured[-2:])]
        lines.append(f"| {name} | " + " | ".join(", ".join(str(m[c]) if m else "-" for m in measured) for c in COLUMNS) + " |")
        print(lines[-1], flush=True)
    return lines, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--before")
    parser.add_argument("--way", choices=list(WAYS), action="append")
    parser.add_argument("--masked", action="store_true")
    parser.add_argument("--options", default="")
    parser.add_argument("--filter", default="")
    parser.add_argument("--write")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    text, found = "# Attention on sm_90\n\nGenerated by `bench/attention_loop.py`.\n", []
    with tempfile.TemporaryDirectory(prefix="tileiras-attention-loop-") as folder:
        for way in args.way or WAYS:
            lines, more = table(way, args, pathlib.Path(folder))
            text += f"\n## {way}\n\n" + "\n".join(lines) + "\n"
            found += more
    if args.write:
        pathlib.Path(args.write).write_text(text)
    if found and args.check:
        sys.exit("worse than Triton: " + "; ".join(found))


if __name__ == "__main__":
    sys.exit(main())
