#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What stands in the innermost loop with matrix instructions of a cubin, by kind of machine instruction.

usage: inner_loop.py FILE.cubin... [--nvdisasm FILE]

Any compiler's cubin will do. A kernel without such a loop is counted as a whole. nvdisasm is looked for in TILEIRAS_NVDISASM, PATH,
CUDA_HOME and the packages of this Python (`pip install nvidia-cuda-nvdisasm`).
"""

import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

MMA = r"[HQIBDO]MMA|[HQIB]GMMA|UTC\w*MMA"
KINDS = [("mma", MMA), ("ldsm", "LDSM"), ("stsm", "STSM"), ("lds", "LDS"), ("sts", "STS"), ("ldgsts", "LDGSTS"), ("ldg", "LDG"),
         ("stg", "STG"), ("tma", "UTMA|UBLKCP"), ("local", "LDL|STL"), ("bar", "BAR"), ("wait", "WARPGROUP|DEPBAR|LDGDEPBAR|SYNCS"),
         ("mov", "MOV|UMOV|R2UR|S2R|CS2R"), ("prmt", "PRMT"), ("shfl", "SHFL"), ("mufu", "MUFU"), ("nop", "NOP"), ("branch", "BRA|BSSY|BSYNC|CALL|RET|EXIT")]
KINDS = [(name, re.compile(f"^(?:{pattern})")) for name, pattern in KINDS]


def find_nvdisasm():
    places = [os.environ.get("TILEIRAS_NVDISASM"), shutil.which("nvdisasm"), os.path.join(os.environ.get("CUDA_HOME", "/nowhere"), "bin/nvdisasm")]
    for folder in sys.path:
        places += map(str, sorted(pathlib.Path(folder or ".").glob("nvidia/*/bin/nvdisasm")) if folder.endswith("-packages") else [])
    return next((p for p in places if p and os.access(p, os.X_OK)), None)


def kind_of(opcode):
    return next((name for name, pattern in KINDS if pattern.match(opcode)), "other")


def functions(text):
    """(name, lines) of the kernels in what nvdisasm said."""
    name, body = None, []
    for line in text.splitlines():
        section = re.match(r"^\s*\.section\s+\.text\.([^,\s]+)", line)
        if section:
            if name:
                yield name, body
            name, body = section[1], []
        else:
            body.append(line)
    if name:
        yield name, body


def next_of(code, labels):
    """Where each instruction goes on."""
    for i, (opcode, rest, predicated) in enumerate(code):
        name, to = opcode.split(".")[0], re.search(r"\((\.L_\w+)\)", rest)
        jumps = name in ("BRA", "JMP") and to and to[1] in labels
        always = (jumps and "BRA.DIV" not in opcode and not re.match(r"\s*!?UP\d", rest)) or name in ("EXIT", "RET")
        yield ([labels[to[1]]] if jumps else []) + ([] if always and not predicated else [i + 1])


def passes_by(flow, avoided, to):
    """Whether the code comes to `to` from its start by a way that leaves `avoided` out."""
    work, seen = [0], {avoided}
    while work:
        at = work.pop()
        if at == to:
            return True
        if at not in seen and at < len(flow):
            seen.add(at)
            work += flow[at]
    return False


def instructions_of(body):
    """(opcode, what follows it) of the smallest loop with a matrix instruction (None without one), and of everything. A branch back is a loop only
    if there is no other way to it than by its target: waits that seldom go round stand behind the end of the kernel, and return from there."""
    labels, code, loops = {}, [], []
    for line in body:
        if label := re.match(r"^\s*(\.L_\w+):", line):
            labels[label[1]] = len(code)
        elif found := re.match(r"^\s*/\*[0-9a-f]+\*/\s+\{?\s*(@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)(.*)", line):
            code.append((found[2], found[3], bool(found[1])))
    flow = list(next_of(code, labels))
    for end, (opcode, rest, _) in enumerate(code):
        to = re.search(r"\((\.L_\w+)\)", rest)
        if opcode.startswith("BRA") and to and labels.get(to[1], end + 1) <= end:
            inside = code[labels[to[1]]:end + 1]
            if any(kind_of(o) == "mma" for o, _, _ in inside) and not passes_by(flow, labels[to[1]], end):
                loops.append(inside)
    loop = min(loops, key=len, default=None)
    return loop and [one[:2] for one in loop], [one[:2] for one in code]


def loop_of(body):
    """The opcodes alone, without NOP of everything."""
    loop, code = instructions_of(body)
    return loop and [o for o, _ in loop], [o for o, _ in code if not o.startswith("NOP")]


def count(nvdisasm, cubin):
    """{kernel: {"loop": instructions of the loop or 0, "total": of the kernel, "kinds": Counter of the loop, or else of the kernel}}"""
    done = subprocess.run([nvdisasm, "-c", str(cubin)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    result = {}
    for name, body in functions(done.stdout):
        loop, everything = loop_of(body)
        result[name] = {"loop": len(loop or []), "total": len(everything), "kinds": collections.Counter(map(kind_of, loop or everything))}
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cubin", nargs="+")
    parser.add_argument("--nvdisasm", default=find_nvdisasm())
    args = parser.parse_args()
    if not args.nvdisasm:
        sys.exit("inner_loop: no nvdisasm")
    for cubin in args.cubin:
        for name, found in count(args.nvdisasm, cubin).items():
            mma = found["kinds"]["mma"]
            what = f"loop of {found['loop']} instructions, {found['loop'] / mma:.2f} per mma" if found["loop"] else f"{found['total']} instructions, no loop with mma"
            print(f"{cubin}: {name}: {what}: " + ", ".join(f"{kind} {n}" for kind, n in found["kinds"].most_common()))


if __name__ == "__main__":
    main()
