# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Planted faults: each breaks a correct kernel in one place, and the test passes when the break is noticed.

First the unbroken PTX must pass with the same command, so that "noticed" cannot mean "failed for another reason". Results
are compared with what the reference computed (the expect= option of an array argument).
"""

import pathlib
import re
import subprocess

import kernels
import kernels_identity
import kernels_memory
import kernels_nibbles

RUN_REPORT, MISMATCH = 6, 7  # exit codes of tileiras-run


def tool(bin_dir, name, *args, stdin=None):
    done = subprocess.run([str(bin_dir / name), *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          input=stdin, timeout=120)
    return done.returncode, done.stdout.decode(errors="replace")


class Kernel:
    """A case compiled to PTX, with the reference's result as expectation."""

    def __init__(self, case, bin_dir, folder, label, target="sm_90"):
        self.case, self.bin_dir = case, bin_dir
        self.base = pathlib.Path(folder) / f"fault-{label}"
        source, self.ptx_file = self.base.with_suffix(".mlir"), self.base.with_suffix(".ptx")
        source.write_text(case.text)
        name = next(a for a in case.args if a.startswith("out:")).split(":")[1]
        expected = self.base.with_suffix(".npy")
        code, out = tool(bin_dir, "tileiras-run", source, f"--entry={case.entry}", self.grid(), "--engine=reference",
                         f"--dump={name}={expected}", *case.args)
        assert code == 0, out
        code, out = tool(bin_dir, "tileiras-run", source, f"--entry={case.entry}", self.grid(), "--engine=emulator",
                         f"--gpu-name={target}", f"--save-ptx={self.ptx_file}", *case.args)
        assert code == 0, out
        self.ptx = self.ptx_file.read_text()
        self.args = [self.expect(a, expected, case.tolerance) if a.startswith("out:") else a for a in case.args]

    @staticmethod
    def expect(arg, expected, tolerance):
        name, options, init = re.fullmatch(r"([^\]]*)\](?:\{(.*)\})?=(.*)", arg).groups()
        options = options or ""
        options = (options + "," if options else "") + f"expect={expected}" + \
            (f",tol={tolerance.split(',')[0]}" if tolerance != "exact" else "")
        return f"{name}]{{{options}}}={init}"

    def grid(self):
        return "--grid=" + ",".join(map(str, self.case.grid))

    def run(self, ptx, *options, args=None):
        self.ptx_file.write_text(ptx)
        return tool(self.bin_dir, "tileiras-run", self.ptx_file, f"--entry={self.case.entry}", self.grid(),
                    "--engine=emulator", "--check", *options, *(args or self.args))

    def must_pass(self, *options):
        code, out = self.run(self.ptx, *options)
        return None if code == 0 else f"the unbroken kernel fails already ({code}):\n{out}"

    def must_fail(self, ptx, *options, codes=(RUN_REPORT, MISMATCH), wants="", args=None):
        if ptx == self.ptx and args is None:
            return "the fault could not be planted: nothing in the PTX matched"
        code, out = self.run(ptx, *options, args=args)
        if code not in codes:
            return f"not noticed: exit status {code}\n{out}"
        if wants and not re.search(wants, out):
            return f"noticed, but without '{wants}':\n{out}"
        return None


def dropped_barrier(bin_dir, folder):
    """Without its barriers a reduction across warps reads what other warps have not written yet."""
    kernel = Kernel(kernels.softmax("f32", 5, 333, 1, 512), bin_dir, folder, "barrier")
    barrier = re.compile(r"^\s*(bar\.sync|barrier\.sync|barrier\.cta\.sync)[^;]*;\s*$", re.M)
    return kernel.must_pass("--schedules=4") or kernel.must_fail(barrier.sub("", kernel.ptx), "--schedules=4")


def one_dropped_barrier(bin_dir, folder):
    """Each barrier alone: there is none that could go unnoticed."""
    kernel = Kernel(kernels.softmax("f32", 5, 333, 1, 512), bin_dir, folder, "one-barrier")
    barrier = re.compile(r"^\s*(bar\.sync|barrier\.sync|barrier\.cta\.sync)[^;]*;\s*$", re.M)
    places = [m.span() for m in barrier.finditer(kernel.ptx)]
    if not places:
        return "no barrier in the kernel"
    for begin, end in places:
        error = kernel.must_fail(kernel.ptx[:begin] + kernel.ptx[end:], "--schedules=8")
        if error:
            return f"barrier at character {begin}: {error}"
    return None


def wrong_mask(bin_dir, folder):
    """A store without its predicate writes beyond the array."""
    kernel = Kernel(kernels.axpy("f32", 1000, 256), bin_dir, folder, "mask")
    stores = re.compile(r"@!?%p\d+\s+(st\.global)")
    if stores.search(kernel.ptx):
        return kernel.must_pass() or kernel.must_fail(stores.sub(r"\1", kernel.ptx), codes=(RUN_REPORT,), wants="out.of.bounds")
    # Branches instead of predicates: the guards of the stores never jump.
    broken = re.sub(r"^\s*@!?%p\d+\s+bra\s+[^;]*;\s*$", "", kernel.ptx, flags=re.M)
    return kernel.must_pass() or kernel.must_fail(broken, codes=(RUN_REPORT,), wants="out.of.bounds")


def false_bound(bin_dir, folder):
    """A mask that is off by one element."""
    kernel = Kernel(kernels.axpy("f32", 1000, 256), bin_dir, folder, "bound")
    args = [a.replace("i32=1000", "i32=1001") for a in kernel.args]
    return kernel.must_pass() or kernel.must_fail(kernel.ptx, codes=(RUN_REPORT,), wants="out.of.bounds", args=args)


def vector_width(bin_dir, folder):
    """A vector access that is twice as wide as proven: misaligned, or across the edge."""
    kernel = Kernel(kernels.axpy("f32", 4000, 1024, aligned=True), bin_dir, folder, "vector")
    if not re.search(r"ld\.global[.\w]*\.v4", kernel.ptx):
        return "the kernel has no vector load"
    args = [re.sub(r"^(x:[^=]*\])(\{)?", lambda m: m[1] + "{offset=4" + ("," if m[2] else "}"), a) for a in kernel.args]
    return kernel.must_pass() or kernel.must_fail(kernel.ptx, codes=(RUN_REPORT,), wants="misaligned", args=args)


def vector_off_by_one(bin_dir, folder):
    """The analysis claims one power of two more than is true, so accesses are twice as wide as the alignment allows."""
    true = kernels.axpy("f32", 4000, 1024, aligned=True)
    true.text = re.sub(r"assume div_by<16>, (%[xy]) : tile<ptr", r"assume div_by<8>, \1 : tile<ptr", true.text)
    true.args = [re.sub(r"^((?:out:)?[xy]:[^=]*\])", r"\1{offset=8}", a) for a in true.args]
    kernel = Kernel(true, bin_dir, folder, "width")
    if not re.search(r"ld\.global[.\w]*\.v2", kernel.ptx):
        return "the kernel has no vector load of two elements"
    wide = kernels.axpy("f32", 4000, 1024, aligned=True)
    source = pathlib.Path(folder) / "fault-wide.mlir"
    source.write_text(wide.text)
    code, ptx = tool(bin_dir, "tileiras", source, "--emit=ptx", "--gpu-name=sm_90", "-o", "-")
    if code != 0:
        return ptx
    return kernel.must_pass() or kernel.must_fail(ptx, codes=(RUN_REPORT,), wants="misaligned")


def replicated_owners(bin_dir, folder):
    """A tile smaller than the block is held in copies; only one owner may store. Copies that store too write more bytes than
    the array has, which the emulator's counters show."""
    kernel = Kernel(kernels.axpy("f32", 17, 4), bin_dir, folder, "owners")

    def stored(ptx, args=None):
        code, out = kernel.run(ptx, "--stats", args=args)
        found = re.search(r"global store bytes\D*(\d+)", out)
        return (int(found[1]) if found else None), code, out

    good, code, out = stored(kernel.ptx)
    if code != 0 or good != 17 * 4:
        return f"expected 68 bytes stored, got {good} ({code})\n{out}"
    # Every thread claims to be thread 0 to 3 when it asks whether it owns an element.
    broken = re.sub(r"setp\.(eq|lt|gt|ne)\.(u32|s32|b32)\s+(%p\d+), (%r\d+), (\d+);",
                    lambda m: m[0] if m[5] not in ("4", "3") else f"setp.{'ne' if m[1] == 'gt' else 'eq'}.u32 {m[3]}, {m[4]}, {m[4]};",
                    kernel.ptx)
    if broken == kernel.ptx:
        return "the fault could not be planted: no owner test found"
    bad, _, out = stored(broken)
    return None if bad != good else f"not noticed: still {bad} bytes\n{out}"


def atomic_owners(bin_dir, folder):
    """A tile smaller than the block is held in copies; every copy adding its element counts it several times."""
    kernel = Kernel(kernels_memory.histogram("add", "i32", 100, 16, 7), bin_dir, folder, "atomic-owners")
    return kernel.must_pass() or kernel.must_fail(re.sub(r"@!?%p\d+\s+(red\.)", r"\1", kernel.ptx), codes=(MISMATCH,))


def atomic_old_owners(bin_dir, folder):
    """The same where the old values are looked at: `atom` in place of `red`."""
    case = kernels_memory.old_values("add", "i32", 32, 16)
    case.args = [a.replace("out:o:", "o:") for a in case.args]  # the owner comes first, so it is the sums that are wrong
    kernel = Kernel(case, bin_dir, folder, "atomic-old")
    return kernel.must_pass() or kernel.must_fail(re.sub(r"@!?%p\d+\s+(atom\.)", r"\1", kernel.ptx), codes=(MISMATCH,))


def atomic_edge(bin_dir, folder):
    """Atomics of the part of a tile that hangs over the edge."""
    kernel = Kernel(kernels_memory.reduce_into_view("add", "i32", 50, 70, 16, 32, 13), bin_dir, folder, "atomic-edge")
    return kernel.must_pass() or kernel.must_fail(re.sub(r"@!?%p\d+\s+(red\.)", r"\1", kernel.ptx))


def sums_together(bin_dir, folder):
    """Reductions of neighbours: which instructions they are, that their bounds count, and that a wider one than the alignment allows is reported."""
    rows, at = kernels_memory.sums_in_rows, kernels_memory.sums_at_pointers
    cases = [(rows("f32", 70, 80, 32, 64, 29, 16, whole=True), r"\.v4\.f32"), (rows("f32", 70, 80, 32, 64, 29, 8, whole=True), r"\.v2\.f32"),
             (rows("bf16", 70, 80, 32, 64, 29, 16, whole=True), r"\.noftz\.v[24]\.bf16x2"), (rows("f16", 50, 70, 16, 32, 13, 8), r"\.noftz\.v2\.f16x2"),
             (rows("bf16", 50, 71, 16, 32, 13, 4), r"\.noftz\.bf16x2"), (at("f32", 3, 1300, 512, 16, 4), r"\.v4\.f32"), (at("f32", 3, 1306, 512, 16, 2), r"\.v2\.f32"),
             (at("f16", 3, 2000, 1024, 16, 8), r"\.noftz\.v4\.f16x2")]
    for number, (case, form) in enumerate(cases):
        for target in ("sm_80", "sm_90", "sm_100", "sm_120"):
            if case.name.startswith("sums-in-rows-bf16") and target == "sm_80":
                continue  # a loop
            kernel = Kernel(case, bin_dir, folder, f"sums-{number}-{target}", target)
            found = re.findall(r"red\.relaxed\.gpu\.global\.add(\S*)", kernel.ptx)
            if any(re.fullmatch(form, f) for f in found) != (target != "sm_80"):
                return f"{case.name} {target}: {sorted(set(found))}"
            if target == "sm_80":
                continue
            unbounded = re.sub(r"@!?%p\d+\s+(red\.)", r"\1", kernel.ptx)
            wider = re.sub(r"add(\.noftz)?\.v2(\.\S+)(\s+\[[^]]*\], )\{([^}]*)\}", r"add\1.v4\2\3{\4, \4}", kernel.ptx)
            problem = kernel.must_pass() or kernel.must_fail(unbounded)
            if not problem and "offset=8" in str(case.args):
                problem = kernel.must_fail(wider, codes=(RUN_REPORT,), wants="misaligned")
            if problem:
                return f"{case.name} {target}: {problem}"
    return None


def not_atomic(bin_dir, folder):
    """bf16 additions on sm_80 are a compare-and-swap loop: without the comparison's branch additions get lost."""
    kernel = Kernel(kernels_memory.histogram("addf", "bf16", 300, 128, 4), bin_dir, folder, "cas-loop", target="sm_80")
    return kernel.must_pass() or kernel.must_fail(re.sub(r"@\S+\s+bra\s+AGAIN_\d+;", "", kernel.ptx), codes=(MISMATCH,))


def gather_bounds(bin_dir, folder):
    """A gather whose coordinates are not compared with the extent."""
    kernel = Kernel(kernels_memory.gather("f32", 50, 70, 8, 32, 0), bin_dir, folder, "gather")
    return kernel.must_pass() or kernel.must_fail(re.sub(r"@!?%p\d+\s+((ld|st)\.global)", r"\1", kernel.ptx))


def half_merged_without_atomics(bin_dir, folder):
    """Two tile blocks own the halves of a byte: a load, a merge and a store may lose what the other one has written in between. So may a
    merge that is atomic for its own block only."""
    merge = re.compile(r"(@!?%p\d+ )?red\.relaxed\.gpu\.global\.(and|or)\.b32 (\[[^\]]*\]), (%r\d+);")

    def plain(m):
        p, op, at, value = m[1] or "", m[2], m[3], m[4]
        return f"{{ .reg .b32 w; {p}ld.global.b32 w, {at}; {p}{op}.b32 w, w, {value}; {p}st.global.b32 {at}, w; }}"

    for number, case in enumerate((kernels_nibbles.blocks2d(9, 7, 4, 1), kernels_nibbles.through_pointers(61, 13, 16), kernels_nibbles.scattered(5, 13, 4, 4, 1),
                                   kernels_nibbles.odd_base(48, 3, 16))):
        kernel = Kernel(case, bin_dir, folder, f"half-merge-{number}")
        problem = kernel.must_pass("--schedules=3") or kernel.must_fail(merge.sub(plain, kernel.ptx), codes=(RUN_REPORT,), wants="race") or \
            kernel.must_fail(kernel.ptx.replace("red.relaxed.gpu", "red.relaxed.cta"), codes=(RUN_REPORT,), wants="scopes")
        if problem:
            return f"{case.name}: {problem}"
    return None


def half_loaded_weakly(bin_dir, folder):
    """Blocks that change an array in place read bytes whose other half changes."""
    kernel = Kernel(kernels_nibbles.blocks2d(9, 7, 4, 1, in_place=True), bin_dir, folder, "half-load")
    return kernel.must_pass() or kernel.must_fail(kernel.ptx.replace("ld.relaxed.gpu.global.b8", "ld.global.b8"), codes=(RUN_REPORT,), wants="race")


def half_merged_once(bin_dir, folder):
    """The compare-and-swap of an ordered store without its loop: the first guess at the word is wrong."""
    kernel = Kernel(kernels_nibbles.through_pointers(61, 13, 16, "relaxed device"), bin_dir, folder, "half-loop")
    return kernel.must_pass("--schedules=3") or kernel.must_fail(re.sub(r"@!done bra AGAIN_\d+;", "", kernel.ptx), codes=(MISMATCH,))


def half_behind_the_end(bin_dir, folder):
    """Merges into the word after the array, which has 31 bytes, and merges that clear a byte after it."""
    kernel = Kernel(kernels_nibbles.through_pointers(61, 13, 16), bin_dir, folder, "half-end")
    behind = re.sub(r"(red\.relaxed\.gpu\.global\.or\.b32 \[%rd\d+)\]", r"\1+32]", kernel.ptx)
    wide = re.sub(r"(red\.relaxed\.gpu\.global\.and\.b32 \[[^\]]*\]), %r\d+;", r"\1, 0;", kernel.ptx)
    return kernel.must_pass() or kernel.must_fail(behind, codes=(RUN_REPORT,), wants="past the end") or \
        kernel.must_fail(wide, codes=(RUN_REPORT,), wants="out-of-bounds")


def identity_left_out(bin_dir, folder):
    """A maximum in which NaNs lose against the identity, which is then left out."""
    for kind in ("scan", "reduce"):
        kernel = Kernel(kernels_identity.aggregate(kind, ["maxf"], "f32", [8, 32], 1), bin_dir, folder, f"identity-{kind}")
        broken = re.sub(r"max\.f32\s+(%\w+), (%\w+), 0fFF800000;", r"mov.b32 \1, \2;", kernel.ptx)
        problem = kernel.must_pass() or kernel.must_fail(broken, codes=(MISMATCH,))
        if problem:
            return f"{kind}: {problem}"
    return None


ALL = [("identity left out", identity_left_out), ("half a byte merged without atomics", half_merged_without_atomics), ("half a byte loaded weakly", half_loaded_weakly),
       ("half a byte merged once", half_merged_once), ("half a byte after the end", half_behind_the_end),
       ("dropped barrier", dropped_barrier), ("each barrier dropped alone", one_dropped_barrier),
       ("wrong mask", wrong_mask), ("false bound", false_bound), ("misaligned vector", vector_width),
       ("vector width off by one", vector_off_by_one), ("store from replicated owners", replicated_owners),
       ("atomic from replicated owners", atomic_owners), ("old values from replicated owners", atomic_old_owners),
       ("atomic over the edge", atomic_edge), ("sums together", sums_together), ("addition without its loop", not_atomic), ("gather without bounds", gather_bounds)]
