# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Planted faults in matrix products."""

import re

import kernels
import matrix_kernels
from faults import MISMATCH, RUN_REPORT, Kernel

MMA = re.compile(r"(mma\.sync[^{;]*?)\{([^}]*)\},\s*\{([^}]*)\},\s*\{([^}]*)\},\s*\{([^}]*)\};")


def exchanged_fragments(bin_dir, folder):
    """Two registers of one fragment change places, in every instruction: what a wrong layout would do."""
    cases = [matrix_kernels.gemm("f16", "f32", 50, 45, 70, 32, 32, 32), matrix_kernels.gemm("tf32", "f32", 50, 45, 70, 32, 32, 32),
             matrix_kernels.gemm("i8", "i32", 50, 45, 70, 32, 32, 32, ("signed", "unsigned")),
             matrix_kernels.gemm("f8E4M3FN", "f32", 50, 45, 70, 32, 32, 32), matrix_kernels.gemm("f16", "f16", 50, 45, 70, 32, 32, 32)]
    for number, case in enumerate(cases):
        kernel = Kernel(case, bin_dir, folder, f"fragments{number}")
        error = kernel.must_pass()
        for which in range(4):  # D, A, B, C

            def exchange(match):
                fragments = [match[2], match[3], match[4], match[5]]
                registers = fragments[which].split(",")
                registers[0], registers[1] = registers[1], registers[0]
                fragments[which] = ",".join(registers)
                return match[1] + ", ".join("{" + f + "}" for f in fragments) + ";"

            # Sums that start at zero have no order at first, but after the first instruction they have.
            error = error or kernel.must_fail(MMA.sub(exchange, kernel.ptx), codes=(MISMATCH,))
            if error:
                return f"{case.name}, fragment {'DABC'[which]}: {error}"
    return None


def wrong_signs(bin_dir, folder):
    """A byte read with the other sign."""
    kernel = Kernel(matrix_kernels.gemm("i8", "i32", 50, 45, 70, 32, 32, 32, ("signed", "unsigned")), bin_dir, folder, "signs")
    return (kernel.must_pass() or kernel.must_fail(kernel.ptx.replace(".s32.s8.u8.s32", ".s32.s8.s8.s32"), codes=(MISMATCH,)) or
            kernel.must_fail(kernel.ptx.replace(".s32.s8.u8.s32", ".s32.u8.u8.s32"), codes=(MISMATCH,)))


def dropped_barriers(bin_dir, folder):
    """Each barrier alone: operands read before all warps have written them, or overwritten before all have read them."""
    kernel = Kernel(matrix_kernels.gemm("f16", "f32", 50, 45, 170, 32, 32, 32), bin_dir, folder, "operand-barrier")
    barriers = list(re.finditer(r"^\s*(bar\.sync|barrier\.sync|barrier\.cta\.sync)[^;]*;\s*$", kernel.ptx, flags=re.M))
    if len(barriers) < 3:
        return f"only {len(barriers)} barriers"
    error = kernel.must_pass("--schedules=8")
    for barrier in barriers:
        broken = kernel.ptx[:barrier.start()] + kernel.ptx[barrier.end():]
        error = error or kernel.must_fail(broken, "--schedules=8", codes=(RUN_REPORT, MISMATCH))
        if error:
            return f"barrier at character {barrier.start()}: {error}"
    return None


def copies_past_the_registers(bin_dir, folder):
    """cp.async and ldmatrix: no wait, no zero fill at the edge, no transposition, registers of a fetch exchanged."""
    kernel = Kernel(matrix_kernels.gemm("f16", "f32", 144, 128, 64, 128, 128, 32, aligned=True), bin_dir, folder, "asynchronous", "sm_80")
    error = kernel.must_pass("--schedules=4")
    broken = {"no wait": (r"cp\.async\.wait_group\s+\d+;", "", "--schedules=4"),
              "no zero fill": (r"(cp\.async\.cg\.shared\.global[^;]*, 16), %r\d+;", r"\1;", "--schedules=1"),
              "not transposed": (r"\.trans\.", ".", "--schedules=1"),
              "registers exchanged": (r"(ldmatrix[^{]*)\{([^,]*), ([^,]*),", r"\1{\3, \2,", "--schedules=1")}
    for name, (pattern, replacement, option) in broken.items():
        error = error or kernel.must_fail(re.sub(pattern, replacement, kernel.ptx), option)
        if error:
            return f"{name}: {error}"
    return None


def matrices_to_and_fro(bin_dir, folder):
    """stmatrix of sums, and ldmatrix of 8-bit elements with rows the other way round: registers exchanged, no barrier behind the writes."""
    case = matrix_kernels.gemm("f16", "f16", 144, 128, 64, 128, 128, 32, aligned=True)  # by eight warps, which exchange rows
    case.text = kernels.hinted(case.text, "sm_120 = {num_worker_warps_per_cta = 8}")
    stores = Kernel(case, bin_dir, folder, "stmatrix", "sm_120")
    error = stores.must_pass("--schedules=4")
    written = list(re.finditer(r"stmatrix[^;]*;", stores.ptx))
    barrier = written and re.compile(r"bar\.sync[^;]*;|barrier\.cta\.sync[^;]*;").search(stores.ptx, written[-1].end())
    if not barrier:
        return error or "no stmatrix with a barrier behind it"
    for broken in (re.sub(r"(stmatrix[^{]*)\{([^,]*), ([^,]*),", r"\1{\3, \2,", stores.ptx),
                   stores.ptx[:barrier.start()] + stores.ptx[barrier.end():]):
        error = error or stores.must_fail(broken, "--schedules=4", codes=(RUN_REPORT, MISMATCH))
    fetches = Kernel(matrix_kernels.gemm("i8", "i32", 64, 128, 128, 64, 128, 64, ("signed", "signed"), aligned=True), bin_dir, folder, "bytes", "sm_120")
    exchanged = re.sub(r"(ldmatrix[^{]*m16n16[^{]*)\{([^,]*), ([^,]*),", r"\1{\3, \2,", fetches.ptx)
    if exchanged == fetches.ptx:
        return error or "no ldmatrix of bytes"
    return error or fetches.must_pass() or fetches.must_fail(exchanged, codes=(MISMATCH,))


def scales_of_sixteen(bin_dir, folder):
    """Products of e2m1 with e4m3 scales: signs of scales left out, scales of another lane."""
    case = matrix_kernels.scaled("f4E2M1FN", "f8E4M3FN", 64, 32, 128, 16, signs=True)
    case.args = ["out:" + a if a.startswith("o:") else a for a in case.args]
    case.tolerance = "abs:2e-2"
    kernel = Kernel(case, bin_dir, folder, "sixteen", "sm_120")
    if "scale_vec::4X" not in kernel.ptx:
        return "the target's instruction is not used"
    error = kernel.must_pass()
    for pattern, replacement in ((r"-2004318072", "0"), (r"(shfl\.sync\.bfly\.b32[^;]*,) 2,", r"\1 1,")):
        broken = re.sub(pattern, replacement, kernel.ptx)
        if broken == kernel.ptx:
            return error or f"nothing like {pattern}"
        error = error or kernel.must_fail(broken, codes=(MISMATCH,))
        if error:
            return f"{pattern}: {error}"
    return None


ALL = [("exchanged fragment registers", exchanged_fragments), ("wrong signs of bytes", wrong_signs),
       ("dropped barriers of operands", dropped_barriers),
       ("copies past the registers", copies_past_the_registers), ("matrices to and fro", matrices_to_and_fro),
       ("scales of sixteen", scales_of_sixteen)]
