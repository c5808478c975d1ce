# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Planted faults in the real kernels. In the kernel itself (a mask, a padding, a rescaling left out): the reference and the
emulator then agree on the wrong result, and only the formulas can tell. In the compiled code (a barrier, a predicate left
out): the emulator has to tell. The unbroken kernel passes in the same way first."""

import pathlib
import re
import tempfile

import real_attention
import real_kernels
import real_norms
import real_quant
import real_routing
import run

RUN_REPORT, MISMATCH = 6, 7  # exit codes of tileiras-run
BARRIER = re.compile(r"^\s*(bar\.sync|barrier\.sync|barrier\.cta\.sync)[^;]*;\s*$", re.M)


def in_source(case, pattern, replacement, label):
    """Breaks the module's text; both engines run it and must both differ from what is expected."""
    def check(tool, folder):
        folder = pathlib.Path(tempfile.mkdtemp(dir=folder))  # other faults are of the same kernel
        code, out = run.run(real_kernels.command_of(case, "sm_90", tool, folder))
        if code != 0:
            return f"the unbroken kernel fails already ({code}):\n{out}"
        broken = re.sub(pattern, replacement, case.text)
        if broken == case.text:
            return "the fault could not be planted: nothing in the module matched"
        path = folder / f"{case.name}-{label}.mlir"
        path.write_text(broken)
        command = real_kernels.command_of(case, "sm_90", tool, folder)
        command[1] = str(path)
        code, out = run.run(command)
        if code != MISMATCH:
            return f"not noticed: exit status {code}\n{out}"
        for engine in ("reference", "emulator"):
            if not re.search(f"mismatch: {engine} against [^\n]*-expect.npy", out):
                return f"the {engine}'s result was taken for right\n{out}"
        return None
    return f"{case.name}: {label}", check


def in_code(case, breaks, label, codes=(RUN_REPORT, MISMATCH), target="sm_90", options=()):
    """Breaks the PTX in each place that `breaks` gives, one at a time; the emulator compares with what is expected."""
    def check(tool, folder):
        folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        ptx = folder / f"{case.name}-{label}.ptx"
        code, out = run.run(real_kernels.command_of(case, target, tool, folder, f"--save-ptx={ptx}", *options))
        if code != 0:
            return f"the unbroken kernel fails already ({code}):\n{out}"
        text = ptx.read_text()
        texts = breaks(text)
        if not texts or any(t == text for t in texts):
            return "the fault could not be planted: nothing in the PTX matched"
        command = [str(tool), str(ptx), f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)), "--engine=emulator", "--check",
                   "--threads=1", "--schedules=4", *case.arguments(folder)]
        for i, broken in enumerate(texts):
            ptx.write_text(broken)
            code, out = run.run(command)
            if code not in codes:
                return f"place {i} not noticed: exit status {code}\n{out}"
        return None
    return f"{case.name} {target}: {label}", check


def each_wait(text):
    """Each wait for copies or products dropped alone."""
    return [text[:m.start()] + text[m.end():] for m in re.finditer(r"(cp\.async\.wait_group\s+\d+|wgmma\.wait_group\.sync\.aligned \d+);", text)]


def each_published(text):
    """Each barrier behind writes to shared memory, or waits for them, dropped alone; but the first one, in front of a loop that begins with another."""
    place = re.compile(r"((?:st\.shared|stmatrix|cp\.async\.wait_group|fence\.proxy\.async)[^;]*;\s*(?://[^\n]*\n\s*)*)bar\.sync\s+0;")
    return [text[:m.start()] + m[1] + text[m.end():] for m in place.finditer(text)][1:]


def each_barrier(text):
    return [text[:m.start()] + text[m.end():] for m in BARRIER.finditer(text)]


def unguarded_stores(text):
    return [re.sub(r"@!?%p\d+\s+(st\.global)", r"\1", text)]


def all_faults():
    causal = real_attention.flash("f16", 1, 2, 1, 40, 40, 32, 16, 16, causal=True, lse=True)
    softmax, norm = real_norms.softmax_row("f32", 5, 333, 512), real_norms.layer_norm("f32", 3, 333, 256)
    backward = real_attention.flash_backward("f16", 1, 256, 64, 64, causal=False)  # whose tiles are multiplied twice
    eight = ("--pipeline-options=num-warps=8",)
    quant, top = real_quant.fp4_blocks("f32", 6, 64, 4, 32, "f8E4M3FN", packed=False), real_routing.router("f32", 19, 12, 16, 2)
    return [in_source(causal, r"cmpi greater_than_or_equal (%v\d+), (%v\d+), signed : tile<16x16xi32>", r"cmpi equal \1, \1, signed : tile<16x16xi32>",
                      "no causal mask"),
            in_source(causal, r"= fma (%v\d+), (%v\d+), (%v\d+) : tile<16x1xf32>", r"= addf \1, \3 : tile<16x1xf32>", "sum not rescaled"),
            in_source(softmax, "padding_value = neg_inf", "padding_value = zero", "padding that counts"),
            in_source(norm, r"select (%v\d+), (%v\d+), %v\d+ :", r"select \1, \2, \2 :", "no mask in the variance"),
            in_source(top, r"cmpi less_than (%v\d+), (%v\d+), signed : tile<i32>", r"cmpi greater_than \1, \2, signed : tile<i32>", "the last of equals"),
            in_code(softmax, each_barrier, "each barrier dropped alone"), in_code(norm, each_barrier, "each barrier dropped alone"),
            in_code(real_attention.flash("f32", 1, 1, 1, 20, 33, 16, 16, 16, causal=True), unguarded_stores, "stores without predicates"),
            in_code(quant, unguarded_stores, "fp4 stores without predicates"),
            # Four warps have no room for copies ahead on sm_120, and wait twice for those of one round.
            *(in_code(backward, each_published, "each barrier behind writes dropped alone", target=target, options=eight) for target in ("sm_80", "sm_90", "sm_120")),
            *(in_code(backward, each_wait, "each wait dropped alone", target=target, options=eight) for target in ("sm_90", "sm_120"))]
