#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What products on sm_100 must show in their PTX and machine code, counted.

GEMM in three agents: one elected thread that issues tcgen05.mma and one that fills the ring by TMA; a loop of each without a barrier of the
block, a fence of a proxy, a division or a shuffle; one commit for each stage, and no wait for it; tensor memory allocated and freed once. With block scales the same,
but for the fence that follows copies of scales by threads, and tcgen05.cp in the place of stores to tensor memory. Of two blocks that multiply together the same: products
and commits of both, half of the right factor, and as many stages as the whole had bytes.
Attention in one agent: both products in one loop, neither waited for where it stands; P in tensor memory; one copy of the sums out of tensor memory and back; two
barriers. Nothing spills.

usage: blackwell_checklist.py BUILD_DIR [--report FILE.json] [-v] [--keep FOLDER]

Machine code is counted where there are ptxas and nvdisasm (scripts/inner_loop.py says where it is looked for). Every count is shown to notice
something that is planted in the text.
"""

import pathlib
import re
import sys

import checklist
import clusters
import matrix_kernels
from checklist import assembled, count, loop_with, loops, run, unnoticed, verdict

# Type, tile, extents, stages; bytes of an element.
GEMM = [("f16", (128, 256, 64), (320, 592, 464), 4, 2), ("bf16", (128, 128, 64), (320, 592, 464), 4, 2), ("f8E4M3FN", (128, 128, 128), (256, 256, 896), 4, 1)]
# Of two blocks: tile of both, stages that are asked for.
PAIRS = [("f16", (256, 256, 64), (512, 512, 464), 4, 2), ("f8E4M3FN", (256, 256, 128), (512, 512, 896), 4, 1)]
# Type, rows, keys, width, and how: the first product an iteration ahead; keys and values by rings of one stage, beside another block; or two warpgroups, of
# which each multiplies its own rows an iteration ahead, and does its exponentials in turns. A row is one thread's everywhere.
# Scales, tile, extents, scales of a row in a tile: nvfp4. 48 columns of scales, rounded to 64, four times beside 256 of sums.
SCALED = [("f8E4M3FN", (128, 256, 256), (256, 512, 4096), 16)]
ATTENTION = [("f16", 128, 64, 64, "ahead"), ("bf16", 128, 64, 128, "two stages each"), ("f16", 128, 128, 128, "streams"), ("bf16", 256, 128, 64, "warpgroups")]
OTHERS = r"\bbar\.|\bfence\.|\bvote\.|\bshfl|\bdiv\.|\brem\.|\.local|\bst\.|\bld\."
MOST_INSTRUCTIONS = 45  # of machine code, for four products


def of_pairs(ptx, shape):
    """Of two blocks in agents, which the compiler chooses by itself."""
    element, (m, n, k), _, stages, size = shape
    multiply, fill, whole = loop_with(ptx, "tcgen05.mma"), loop_with(ptx, "expect_tx"), ptx.splitlines()
    yield "products of both", (count(multiply, r"tcgen05\.mma\.cta_group::2\.kind::\w+ "), count(multiply, r"tcgen05\.mma")), (k * size // 32,) * 2
    yield "commits to both", count(multiply, r"tcgen05\.commit\.cta_group::2\S*\.multicast::cluster\S* "), 1
    yield "waits for full stages", count(multiply, r"mbarrier\.try_wait"), 1
    yield "other work beside products", count(multiply, OTHERS), 0
    yield "accumulators in registers", count(multiply, r"tcgen05\.(ld|st)"), 0
    yield "waits for empty stages", count(fill, r"mbarrier\.try_wait"), 1
    yield "announcements", count(fill, r"mbarrier\.arrive\.expect_tx"), 1
    copies = 1 + (n // 2 * size // 128 if size == 2 else 1)
    yield "copies that complete at the even block", count(fill, r"cp\.async\.bulk\.tensor\S*complete_tx::bytes\.cta_group::2 "), copies
    yield "tensor copies", count(fill, r"cp\.async\.bulk\.tensor"), copies
    yield "other work beside copies", count(fill, OTHERS.replace(r"|\bld\.", r"|\bld\.global")), 0
    for what in ("alloc", "relinquish_alloc_permit", "dealloc"):
        yield f"tcgen05.{what}", count(whole, rf"tcgen05\.{what}\.cta_group::2"), 1
    # Pairs stay, and take the sums of a tile block out of tensor memory while the next one is multiplied into other columns.
    yield "clusters that stay", count(whole, r"%nsmid") > 0, True
    yield "columns", int(re.search(r"tcgen05\.alloc\S* \[\S+\], (\d+);", ptx)[1]), 2 * n
    yield "shared bytes at least", int(re.search(r"global_smem\[(\d+)\]", ptx)[1]) >= stages * (m // 2 * k + k * n) * size, True


def of_gemm(ptx, shape):
    """(what, got, wanted) of everything that is counted."""
    element, (m, n, k), _, stages, size = shape
    multiply, fill, whole = loop_with(ptx, "tcgen05.mma"), loop_with(ptx, "expect_tx"), ptx.splitlines()
    yield "loop that multiplies", bool(multiply), True
    yield "loop that fills", bool(fill), True
    yield "products", count(multiply, r"tcgen05\.mma\.cta_group::1\.kind::\w+ "), m // 128 * k * size // 32
    yield "commits", count(multiply, r"tcgen05\.commit"), 1
    yield "waits for full stages", count(multiply, r"mbarrier\.try_wait"), 1
    yield "other work beside products", count(multiply, OTHERS), 0
    yield "accumulators in registers", count(multiply, r"tcgen05\.(ld|st)"), 0
    yield "waits for empty stages", count(fill, r"mbarrier\.try_wait"), 1
    yield "announcements", count(fill, r"mbarrier\.arrive\.expect_tx"), 1
    row = 128 // size  # elements in the 128 bytes of a swizzle
    yield "tensor copies", count(fill, r"cp\.async\.bulk\.tensor"), k // row + (n // row if size == 2 else max(1, n // row))
    yield "other work beside copies", count(fill, OTHERS.replace(r"|\bld\.", r"|\bld\.global")), 0
    for what in ("alloc", "relinquish_alloc_permit", "dealloc"):
        yield f"tcgen05.{what}", count(whole, rf"tcgen05\.{what}\."), 1
    yield "columns", int(re.search(r"tcgen05\.alloc\S* \[\S+\], (\d+);", ptx)[1]), max(32, n * m // 128)
    yield "one wait for each group of loads", count(whole, r"tcgen05\.wait::ld") <= count(whole, r"tcgen05\.ld\."), True
    yield "launch bounds", (count(whole, r"\.reqntid"), count(whole, r"\.minnctapersm")), (1, 1)
    yield "setmaxnreg", count(whole, r"setmaxnreg") > 0, True
    yield "shared bytes at least", min(190 * 1024, int(re.search(r"global_smem\[(\d+)\]", ptx)[1]) // 4096 * 4096), min(
        190 * 1024, stages * (m * k + k * n) * size)


def of_scaled(ptx, shape):
    """The loop that multiplies by scales from the stages of a ring."""
    _, (m, n, k), _, groups = shape
    multiply, whole = loop_with(ptx, "tcgen05.mma"), ptx.splitlines()
    yield "products", count(multiply, r"tcgen05\.mma\.\S+block_scale"), m // 128 * k // 64
    yield "copies of scales", count(multiply, r"tcgen05\.cp\.cta_group::1\.32x128b\.warpx4"), (m + n) // 128 * (groups // 4)
    yield "commits", count(multiply, r"tcgen05\.commit"), 1
    yield "waits for full stages", count(multiply, r"mbarrier\.try_wait"), 1
    yield "fences between the proxies", count(multiply, r"fence\.proxy\.async"), 1
    yield "other work beside products", count(multiply, OTHERS.replace(r"|\bfence\.", "")), 0
    yield "scales by threads", count(whole, r"tcgen05\.st\."), 0
    yield "arrivals of copies by threads", count(whole, r"cp\.async\.mbarrier\.arrive\.noinc"), 2  # with tensor maps, and without
    yield "tensor copies", count(whole, r"cp\.async\.bulk\.tensor"), 2
    yield "columns", int(re.search(r"tcgen05\.alloc\S* \[\S+\], (\d+);", ptx)[1]), 512


def of_attention(ptx, shape):
    _, m, keys, width, how = shape
    # The loop that fills the ring by cp.async or TMA, with both products in it.
    loop = max((one for one in loops(ptx) if count(one, r"tcgen05\.mma")), key=lambda one: count(one, r"tcgen05\.mma"), default=[])
    # Without the loops inside, which wait.
    parts = -(-width // 64)  # of the sums that are multiplied
    yield "products", count(loop, r"tcgen05\.mma\."), width // 16 + keys // 16
    yield "left factors in tensor memory", count(loop, r"tcgen05\.mma\.\S+ \[%r\d+\], \[%r\d+"), keys // 16
    # Of streams with rings of their own: to the threads and to the stage, or where a stage is all to both at once.
    streams = {"streams": 2, "two stages each": 4}
    yield "commits", count(loop, r"tcgen05\.commit"), streams.get(how, 3)
    yield "barriers", count(loop, r"\bbar\.sync"), 2
    yield "barriers of a warpgroup", count(loop, r"\bbar\.sync\s+%r\d+, 128;"), 2 if how == "warpgroups" else 0
    yield "waits for products, and turns", count(loop, r"mbarrier\.try_wait\.parity\.shared::cta"), 3 if how == "warpgroups" else 2
    yield "ends of turns", count(loop, r"mbarrier\.arrive\.shared::cta\.b64 _"), 1 if how == "warpgroups" else 0
    yield "scores loaded, sums loaded", count(loop, r"tcgen05\.ld\."), keys // 64 + parts
    yield "P stored, sums stored", count(loop, r"tcgen05\.st\."), 1 + parts
    yield "waits for loads", count(loop, r"tcgen05\.wait::ld"), 1 + parts
    yield "shared memory by threads", count(loop, r"\b(st|ld)\.shared"), 0
    yield "shuffles of rows", count(loop, r"shfl\.sync\.bfly"), 0
    yield "exponentials", count(loop, r"ex2\.approx"), keys + 1
    yield "conversions of P", count(loop, r"cvt\.rn\.b?f16x2\.f32"), keys // 2
    yield "sums of two at a time", count(loop, r"add\.rn\.f32x2"), keys // 2 - 1
    yield "warps that leave their sums", count(loop, r"vote\.sync\.any"), 2 if keys == width == 128 else 1  # and one so that the row is added up before
    if how not in streams:
        # The wait for the product of the iteration before comes behind the exponentials.
        text = "\n".join(loop)
        waits = [match.start() for match in re.finditer(r"mbarrier\.try_wait\.parity\.shared::cta", text)]
        exponentials = [match.start() for match in re.finditer(r"ex2\.approx", text)]
        products = [match.start() for match in re.finditer(r"tcgen05\.commit", text)]
        yield "softmax under both products", len(waits) == (3 if how == "warpgroups" else 2) and len(products) == 3 and waits[0] < products[0] < min(exponentials) and max(
            exponentials[:keys]) < waits[-1] < products[1], True
    yield "tcgen05.alloc", count(ptx.splitlines(), r"tcgen05\.alloc\."), 1


def of_machine(tools, ptx, products, stays):
    counts, (loop, _) = assembled(tools, ptx, "sm_100a", warnings=r"warning.*")
    yield from counts
    if not products:
        return
    names = [name for name, _ in loop]
    yield "products of machine code", sum(bool(re.match(r"UT\w*MMA", n)) for n in names), products
    yield f"instructions for four products at most {MOST_INSTRUCTIONS}", len(names) * 4 <= MOST_INSTRUCTIONS * max(4, products) or len(names), True
    yield "loops around products", sum("U.ANY" in n for n in names), 0
    # One more where the sums of a tile block are in one half of the columns or the other.
    yield "R2UR, one for a product at most", names.count("R2UR") <= products + stays, True
    yield "BAR, LDL, STL, fences", sum(bool(re.match("BAR|LDL|STL|MEMBAR|FENCE", n)) for n in names), 0


def case(name, kernel, options, counted, products, tools):
    source = pathlib.Path(tools.folder) / f"{name}.mlir"
    source.write_text(kernel.text)
    ptx = source.with_suffix(".ptx")
    code, said = run([tools.compiler, source, "--gpu-name=sm_100", "--emit=ptx", "-o", ptx, *options])
    if code:
        return said
    return verdict(name, [*counted(ptx.read_text()), *(of_machine(tools, ptx, products, name.startswith("pairs")) if tools.see_machine_code() else [])], tools)


# What a count must notice, planted in the text: in that of the first GEMM, and of the first attention.
PLANTED = [
    (of_pairs, PAIRS[0], "pairs-0", {
        "products of both": (r"(tcgen05\.mma[^;]*always;)", r"\1\n\1"),
        "commits to both": (r"tcgen05\.commit[^;]*\.multicast::cluster", "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster"),
        "waits for full stages": (r"(tcgen05\.commit[^;]*;)", r"\1\nmbarrier.try_wait.parity.shared::cta.b64 done, [%r1], 0;"),
        "other work beside products": (r"(tcgen05\.commit)", r"bar.sync 0;\n\1"),
        "announcements": (r"(@even mbarrier\.arrive\.expect_tx[^;]*;)", r"\1\n\1"),
        "copies that complete at the even block": (r"\.cta_group::2 \[", " ["),
        "clusters that stay": (r"%nsmid", "%smid"),
        "columns": (r"(tcgen05\.alloc\S* \[\S+\]), 512;", r"\1, 256;"),
        "tcgen05.alloc": (r"(tcgen05\.alloc[^;]*;)", r"\1\n\1"),
        "tcgen05.dealloc": (r"tcgen05\.dealloc[^;]*;", "")}),
    (of_gemm, GEMM[0], "gemm-0", {
        "other work beside products": (r"(tcgen05\.commit)", r"bar.sync 0;\n\1"),
        "waits for full stages": (r"(tcgen05\.commit[^;]*;)", r"\1\nmbarrier.try_wait.parity.shared::cta.b64 done, [%r1], 0;"),
        "commits": (r"(tcgen05\.commit[^;]*;)", r"\1\n\1"),
        "products": (r"(tcgen05\.mma[^;]*always;)", r"\1\n\1"),
        "other work beside copies": (r"(mbarrier\.arrive\.expect_tx)", r"fence.proxy.async;\n\1"),
        "tensor copies": (r"(cp\.async\.bulk\.tensor[^;]*;)", r"\1\n\1"),
        "tcgen05.alloc": (r"(tcgen05\.alloc[^;]*;)", r"\1\n\1"),
        "tcgen05.dealloc": (r"tcgen05\.dealloc[^;]*;", ""),
        "launch bounds": (r"\.minnctapersm", ".maxnctapersm")}),
    (of_scaled, SCALED[0], "scaled-0", {
        "copies of scales": (r"(tcgen05\.cp[^;]*;)", r"\1\n\1"),
        "commits": (r"(tcgen05\.commit[^;]*;)", r"\1\n\1"),
        "fences between the proxies": (r"fence\.proxy\.async[^;]*;", ""),
        "scales by threads": (r"(tcgen05\.cp[^;]*;)", r"tcgen05.st.sync.aligned.32x32b.x1.b32 [%r1], {%r2};\n\1"),
        "arrivals of copies by threads": (r"cp\.async\.mbarrier\.arrive\.noinc[^;]*;", "")}),
    (of_attention, ATTENTION[0], "attention-0", {
        "barriers": (r"(tcgen05\.ld\.)", r"bar.sync 0;\n\1"),
        "waits for products, and turns": (r"(tcgen05\.commit[^;]*;)", r"\1\nmbarrier.try_wait.parity.shared::cta.b64 done, [%r1], 0;"),
        "left factors in tensor memory": (r"(tcgen05\.mma\.\S+ \[%r\d+\]), \[%r\d+(?: \+ \d+)?\]", r"\1, left"),
        "shared memory by threads": (r"(tcgen05\.st\.)", r"st.shared.b32 [%r1], %r2;\n\1"),
        "softmax under both products": (r"(ex2\.approx)", r"mbarrier.try_wait.parity.shared::cta.b64 done, [%r1], 0;\n\1")})]


def planted(folder):
    """Whether each count notices what it is there for."""
    for counted, shape, name, changes in PLANTED:
        text = (pathlib.Path(folder) / f"{name}.ptx").read_text()
        if what := unnoticed(text, changes, lambda changed: counted(changed, shape)):
            return f"'{what}' does not notice what was planted"
    return None


def work_of(tools):
    for i, shape in enumerate(PAIRS):
        element, (m, n, k), extents, stages, size = shape
        kernel = clusters.clustered(matrix_kernels.gemm(element, "f32", *extents, m, n, k, aligned=True, transposed=size == 1), 2)
        options = [f"--pipeline-options=pipeline-strategy=auto unspecialized-pipeline-num-stages={stages}"]
        yield f"gemm of pairs {element} {m}x{n}x{k}", lambda i=i, kernel=kernel, options=options, shape=shape: case(
            f"pairs-{i}", kernel, options, lambda ptx: of_pairs(ptx, shape), shape[1][2] * shape[4] // 32, tools)
    for i, shape in enumerate(GEMM):
        element, (m, n, k), extents, stages, size = shape
        kernel = matrix_kernels.gemm(element, "f32", *extents, m, n, k, aligned=True, transposed=size == 1)
        options = [f"--pipeline-options=pipeline-strategy=warp-specialize unspecialized-pipeline-num-stages={stages}"]
        yield f"gemm {element} {m}x{n}x{k}", lambda i=i, kernel=kernel, options=options, shape=shape: case(
            f"gemm-{i}", kernel, options, lambda ptx: of_gemm(ptx, shape), shape[1][0] // 128 * shape[1][2] * shape[4] // 32, tools)
    for i, shape in enumerate(SCALED):
        scale, tile, extents, _ = shape
        kernel = matrix_kernels.fp4_gemm(scale, 16, *extents, *tile)
        options = ["--num-warps=8", "--pipeline-options=pipeline-strategy=warp-specialize"]
        yield f"gemm by scales {'x'.join(map(str, tile))}", lambda i=i, kernel=kernel, options=options, shape=shape: case(
            f"scaled-{i}", kernel, options, lambda ptx: of_scaled(ptx, shape), 0, tools)
    for i, shape in enumerate(ATTENTION):
        element, m, keys, width, _ = shape
        kernel = matrix_kernels.attention(element, 256, 1024, width, m, keys, aligned=True)
        yield f"attention {element} {m}x{keys}x{width}", lambda i=i, kernel=kernel, shape=shape: case(
            f"attention-{i}", kernel, [], lambda ptx: of_attention(ptx, shape), 0, tools)


if __name__ == "__main__":
    sys.exit(checklist.main("blackwell", work_of, planted, "stores of sums by TMA, softmax and correction in agents of their "
                            "own, one copy of three dimensions for the wide operand"))
