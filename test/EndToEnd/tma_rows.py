#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows that are chosen one by one, copied by TMA: async.gather_tma_load (tile::gather4) and async.scatter_tma_store (tile::scatter4).

usage: tma_rows.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_100,sm_120] [--jobs N] [-v]

Each case is a kernel in nv_tileas: the numbers of rows are loaded and written to shared memory, a stage of a ring is filled with the
rows they name, read into registers, written to another shared tile, and stored to other rows (where the target has that) or in
order. Rows outside of the array are zero, or are not written. On the emulator, with the race checker on, compared with the same
copy done here; and with the synchronisation left out, one piece at a time. Cache hints are passed on.
"""

import pathlib
import random
import re
import struct
import sys
import tempfile

from harness import conclude, find_ptxas, run_all, suite_arguments
from run import compiled_as, reported, run
import targets

# Elements as tileiras-run names them, and as .npy and struct do.
CODES = {"f16": ("<f2", "e"), "f32": ("<f4", "f"), "i8": ("|i1", "b"), "i32": ("<i4", "i"), "i64": ("<i8", "q")}
SIZE = {"f16": 2, "f32": 4, "i8": 1, "i32": 4, "i64": 8}


def npy(path, kind, shape, values):
    code = CODES[kind]
    text = f"{{'descr': '{code[0]}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + struct.pack(f"<{len(values)}{code[1]}", *values))


class Case:
    """`rows` x `columns`: the array; `tile`: rows and columns of a tile; `scatter`: store to chosen rows; `wild`: how many of the numbers
    are of no row."""

    def __init__(self, name, element, rows, columns, tile, swizzle, scatter=False, wild=0, hint=False):
        self.name, self.element, self.rows, self.columns, self.tile, self.swizzle = name, element, rows, columns, tile, swizzle
        self.scatter, self.wild, self.hint, self.size = scatter, wild, hint, SIZE[element]

    def data(self):
        noise = random.Random(self.name)
        x = [noise.randrange(-100, 100) for _ in range(self.rows * self.columns)]
        chosen = [noise.randrange(self.rows) for _ in range(self.tile[0])]
        # Stores go to different rows, so that it does not matter who comes last.
        target = noise.sample(range(max(self.rows, self.tile[0])), self.tile[0])
        for i in range(self.wild):
            chosen[(5 * i) % self.tile[0]] = noise.choice([-1, self.rows, 2**31 - 1, -2**31])
            target[(3 * i) % self.tile[0]] = noise.choice([-1, self.rows, 2**31 - 1, -2**31])
        return x, chosen, target

    def expected(self):
        x, chosen, target = self.data()
        out_rows = self.rows if self.scatter else self.tile[0]
        y = [0] * (out_rows * self.columns)
        for i, row in enumerate(chosen):
            where = target[i] if self.scatter else i
            if 0 <= where < out_rows:
                values = x[row * self.columns:(row + 1) * self.columns] if 0 <= row < self.rows else [0] * self.columns
                y[where * self.columns:(where + 1) * self.columns] = values
        return y

    def layouts(self):
        rows, columns = self.tile
        inner = self.swizzle // self.size if self.swizzle else min(columns, 256)
        bits = lambda n: range(n.bit_length() - 1)  # noqa: E731
        plain = [[0, 1 << b] for b in bits(inner)] + [[1 << b, 0] for b in bits(rows)]
        plain += [[0, inner << b] for b in bits(columns // inner)]
        log, span = self.size.bit_length() - 1, {0: 0, 32: 1, 64: 2, 128: 3}[self.swizzle]
        shared = [[a + c for a, c in zip(v, plain[b - 3] if 7 - log <= b < 7 - log + span else [0, 0])] for b, v in enumerate(plain)]
        held = [[0, 1 << b] for b in bits(columns)] + [[1 << b, 0] for b in bits(rows)]
        lanes, warps, registers = held[:5], held[5:7], held[7:]
        lanes += [[0, 0]] * (5 - len(lanes))
        warps += [[0, 0]] * (2 - len(warps))
        numbers = [[1 << b] for b in bits(rows)]
        number_lanes, number_warps, number_registers = numbers[:5], numbers[5:7], numbers[7:]
        number_lanes += [[0]] * (5 - len(number_lanes))
        number_warps += [[0]] * (2 - len(number_warps))
        return (inner, f"#nv_tileas.shared<rank = 2, offset = {shared}>",
                f"#nv_tileas.linear<rank = 2, register = {registers}, lane = {lanes}, warp = {warps}>",
                f"#nv_tileas.shared<rank = 1, offset = {numbers}>",
                f"#nv_tileas.linear<rank = 1, register = {number_registers}, lane = {number_lanes}, warp = {number_warps}>")

    def text(self):
        e, (rows, columns) = self.element, self.tile
        inner, shared, held, in_order, numbers = self.layouts()
        out_rows = self.rows if self.scatter else rows
        hint = " cache_hint %hint" if self.hint else ""
        policy = ('%hint = llvm.inline_asm "createpolicy.fractional.L2::evict_first.b64 $0, 1.0;", "=l" : () -> i64' if self.hint else "")
        if self.scatter:
            store = f"""
    %sn, %tk2 = nv_tileas.tiled_load %nv2[%c0] : !numbers_view, (i32) -> !numbers
    %to = nv_tileas.alloc_tensor : !chosen
    nv_tileas.copy %sn, %to : !numbers, !chosen
    %dy, %uy = nv_tileas.make_tiled_tma_desc %yv {{atom = #store}} : !yview
    %out = nv_tileas.alloc_tensor : !tile
    nv_tileas.copy %v, %out {{nv_tileas.async_proxy}} : !held, !tile
    %stored, %m = nv_tileas.async.scatter_tma_store %dy, %out, %yv[%to, %bx] {{atom = #store}} : !tile, !yview, (!chosen, i32)
    nv_tileas.async.wait %stored"""
        else:
            store = "\n    %t = nv_tileas.tiled_store %yv[%c0, %bx], %v : !yview, (i32, i32), !held"
        return f"""
!xmemref = !nv_tileaa.memref<?x{self.columns}x{e}, strides = [{self.columns}, 1]>
!ymemref = !nv_tileaa.memref<{out_rows}x{self.columns}x{e}, strides = [{self.columns}, 1]>
!nmemref = !nv_tileaa.memref<{rows}xi32, strides = [1]>
!view = !nv_tileaa.tiled_view<[{rows}, {columns}], padding = zero, !xmemref>
!yview = !nv_tileaa.tiled_view<[{rows}, {columns}], padding = zero, !ymemref>
!numbers_view = !nv_tileaa.tiled_view<[{rows}], !nmemref>
#shared = {shared}
#held = {held}
#in_order = {in_order}
#numbers = {numbers}
#load = #nv_tileas.tma_load<box = [1, {inner}], order = [1, 0], swizzle = {self.swizzle}>
#store = #nv_tileas.tma_store<box = [1, {inner}], order = [1, 0], swizzle = {self.swizzle}>
!tile = tensor<{rows}x{columns}x{e}, #shared>
!held = tensor<{rows}x{columns}x{e}, #held>
!chosen = tensor<{rows}xi32, #in_order>
!numbers = tensor<{rows}xi32, #numbers>
!pipe = !nv_tileas.pipeline<1 x (!tile)>
!iter = !nv_tileas.pipeline_iterator<1 x (!tile)>
gpu.module @kernels {{
  nv_tileaa.func @rows(%x: !nv_tileaa.ptr<{e}>, %y: !nv_tileaa.ptr<{e}>, %from: !nv_tileaa.ptr<i32>, %goes: !nv_tileaa.ptr<i32>, %n: i32) attributes {{nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 4, clusterDim = [1, 1, 1], numCTAs = 1>}} {{
    %c0 = arith.constant 0 : i32
    %bx, %by, %bz = nv_tileaa.get_program_id
    %xm = nv_tileaa.make_memref %x, sizes [%n], strides [] : !nv_tileaa.ptr<{e}>, (i32), () -> !xmemref
    %ym = nv_tileaa.make_memref %y, sizes [], strides [] : !nv_tileaa.ptr<{e}>, (), () -> !ymemref
    %nm = nv_tileaa.make_memref %from, sizes [], strides [] : !nv_tileaa.ptr<i32>, (), () -> !nmemref
    %nm2 = nv_tileaa.make_memref %goes, sizes [], strides [] : !nv_tileaa.ptr<i32>, (), () -> !nmemref
    %xv = nv_tileaa.block_tile %xm : !xmemref -> !view
    %yv = nv_tileaa.block_tile %ym : !ymemref -> !yview
    %nv = nv_tileaa.block_tile %nm : !nmemref -> !numbers_view
    %nv2 = nv_tileaa.block_tile %nm2 : !nmemref -> !numbers_view
    %rn, %tk = nv_tileas.tiled_load %nv[%c0] : !numbers_view, (i32) -> !numbers
    %chosen = nv_tileas.alloc_tensor : !chosen
    nv_tileas.copy %rn, %chosen : !numbers, !chosen
    {policy}
    %dx, %ux = nv_tileas.make_tiled_tma_desc %xv {{atom = #load}} : !view
    %stage = nv_tileas.alloc_tensor : !tile
    %p = nv_tileas.async.pipeline.create_pipeline %stage {{numStages = 1 : i32}} : (!tile) -> !pipe
    %it = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
    %t0 = nv_tileas.async.pipeline.producer_acquire %p, %it : !pipe, !iter
    %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 : !pipe {{
    ^bb0(%s: !tile):
      %done, %m = nv_tileas.async.gather_tma_load %dx, %xv[%chosen, %bx] into %s{hint} {{atom = #load, tx_count = {rows * columns * self.size} : i32}} : !view, (!chosen, i32), !tile
      nv_tileas.async.pipeline.yield %done : !nv_tileas.async.token
    }}
    nv_tileas.async.pipeline.producer_commit %p, %t1 : !pipe
    %q0 = nv_tileas.async.pipeline.consumer_wait %p, %it : !pipe, !iter
    %q1, %v = nv_tileas.async.pipeline.consumer_read %p, %q0 : !pipe -> !held {{
    ^bb0(%s: !tile):
      %r = nv_tileas.convert_layout %s {{atom_plan = #nv_tileas.atom_plan<tag = 1, vec = {self.size}>}} : !tile -> !held
      nv_tileas.async.pipeline.yield %r : !held
    }}
    nv_tileas.async.pipeline.consumer_release %p, %q1 : !pipe{store}
    nv_tileaa.return
  }}
}}
"""

    def launch(self, base):
        x, chosen, target = self.data()
        files = {k: base.with_suffix(f".{k}.npy") for k in ("x", "y", "from", "goes")}
        out_rows = self.rows if self.scatter else self.tile[0]
        npy(files["x"], self.element, [self.rows, self.columns], x)
        npy(files["y"], self.element, [out_rows, self.columns], self.expected())
        npy(files["from"], "i32", [self.tile[0]], chosen)
        npy(files["goes"], "i32", [self.tile[0]], target)
        grid = -(-self.columns // self.tile[1])
        return [f"--grid={grid}", f"x:{self.element}[{self.rows}x{self.columns}]={files['x']}",
                f"out:y:{self.element}[{out_rows}x{self.columns}]{{expect={files['y']}}}=zeros", f"from:i32[{self.tile[0]}]={files['from']}",
                f"goes:i32[{self.tile[0]}]={files['goes']}", f"i32={self.rows}"]


def cases():
    yield Case("f16-128", "f16", 100, 96, (32, 64), 128)
    yield Case("f16-128-panels", "f16", 70, 200, (16, 128), 128, wild=5)
    yield Case("f16-64", "f16", 33, 40, (64, 32), 64, wild=3)
    yield Case("i8-32", "i8", 300, 64, (128, 32), 32)
    yield Case("f32-none", "f32", 50, 48, (8, 16), 0, wild=2)
    yield Case("i64-128", "i64", 20, 24, (4, 16), 128)
    yield Case("f16-256-rows", "f16", 500, 64, (256, 64), 128)
    yield Case("f16-hint", "f16", 100, 96, (32, 64), 128, hint=True)
    yield Case("scatter-f16-128", "f16", 100, 96, (32, 64), 128, scatter=True)
    yield Case("scatter-f16-panels", "f16", 70, 200, (16, 128), 128, scatter=True, wild=5)
    yield Case("scatter-f32-64", "f32", 90, 48, (64, 16), 64, scatter=True, wild=9)
    yield Case("scatter-i32-none", "i32", 40, 40, (8, 32), 0, scatter=True)
    yield Case("scatter-i8-128", "i8", 130, 128, (128, 128), 128, scatter=True)


def check(case, target, tool, ptxas, folder):
    base = pathlib.Path(folder) / f"{case.name}-{target}"
    source, ptx = base.with_suffix(".mlir"), base.with_suffix(".ptx")
    source.write_text(case.text())
    command = [str(tool), str(source), f"--gpu-name={target}", "--check-races", "--schedules=3", "--async=random", "--threads=1",
               f"--save-ptx={ptx}", *case.launch(base)]
    code, output = run(command)
    if code:
        return f"{' '.join(command)}\nexit status {code}\n{output}"
    text = ptx.read_text()
    count = case.tile[0] // 4 * (case.tile[1] // (case.swizzle // case.size if case.swizzle else case.tile[1]))
    if text.count("tile::gather4") != count or text.count("tile::scatter4") != (count if case.scatter else 0):
        return f"{text.count('tile::gather4')} gathers and {text.count('tile::scatter4')} scatters, expected {count}"
    if case.hint and text.count(".L2::cache_hint") != count:
        return "the cache hint is not passed on"
    if targets.can_assemble(ptxas, target):
        code, output = run([ptxas, f"-arch={compiled_as(target)}", str(ptx), "-o", str(base.with_suffix(".cubin"))])
        if code or "warning" in output.lower():
            return f"ptxas: {output}"
    return None


FAULTS = [
    (r"mbarrier\.arrive\.expect_tx\.shared\.b64 _, (\[[^]]*\]), %r\d+;", r"mbarrier.arrive.shared.b64 _, \1;", "nobody waits for the bytes"),
    ("FULL", "setp.eq.b32 done, 0, 0;", "the stage is read before the copies have arrived"),
    (r"fence\.mbarrier_init[^;]*;", "", "tensor copies may not find the barriers initialised"),
    ("BARRIER", "", "the numbers of rows are read while others write them"),
    (r"fence\.proxy\.async\.shared::cta;(?![\s\S]*fence\.proxy\.async\.shared::cta)", "", "what threads wrote is not ordered before the store"),
    (r"cp\.async\.bulk\.commit_group;", "", "the wait covers no stores"),
    (r"cp\.async\.bulk\.wait_group\s+0;", "", "the block ends before the store has"),
]


def faulty(case, target, tool, folder):
    base = pathlib.Path(folder) / f"fault-{case.name}"
    source, ptx = base.with_suffix(".mlir"), base.with_suffix(".ptx")
    source.write_text(case.text())
    arguments = case.launch(base)
    code, output = run([str(tool), str(source), f"--gpu-name={target}", f"--save-ptx={ptx}", "--threads=1", *arguments])
    if code:
        yield f"{case.name} compiles", lambda: output
        return
    text = ptx.read_text()
    for number, (pattern, replacement, why) in enumerate(FAULTS):
        if pattern == "FULL":
            waits = set(map(int, re.findall(r"mbarrier\.try_wait\S* done, \[%r\d+\+(\d+)\]", text)))
            pattern = rf"mbarrier\.try_wait\S* done, \[%r\d+\+{min(waits)}\], %r\d+;" if waits else "no such wait"
        # The last meeting before the gathers is behind the writes of the numbers, or of what comes after them.
        if pattern == "BARRIER":
            before, gathers = text[:text.index("tile::gather4")], text[text.index("tile::gather4"):]
            first = before.index("st.shared")
            changed = before[:first] + re.sub(r"bar(rier)?\.(cta\.)?sync[^;]*;", "", before[first:]) + gathers
        else:
            changed = re.sub(pattern, replacement, text)
        broken = base.with_name(f"{base.name}-{number}.ptx")
        broken.write_text(changed)

        def caught(broken=broken, why=why, changed=changed):
            if changed == text:
                return "found no place to break"
            return reported(tool, broken, arguments, why)
        yield f"fault: {case.name} {number}", caught


def refused(case, target, message, tool, folder):
    source = pathlib.Path(folder) / f"refused-{target}.mlir"
    source.write_text(case.text())
    code, output = run([str(tool.with_name("tileiras")), str(source), f"--gpu-name={target}", "--emit=ptx"])
    return None if code == 5 and message in output else f"exit status {code}\n{output}"


def main():
    chips = [t for t in targets.sample() if int(re.search(r"\d+", t)[0]) >= 100]
    args = suite_arguments(chips).parse_args()
    tool, ptxas = pathlib.Path(args.build).resolve() / "bin/tileiras-run", find_ptxas()
    chosen = [t for t in args.targets.split(",") if t in chips] or chips
    with tempfile.TemporaryDirectory(prefix="tileiras-rows-") as folder:
        work = []
        for i, case in enumerate(cases()):
            # tile::scatter4 is of the targets with tensor memory.
            able = [t for t in chosen if not case.scatter or int(re.search(r"\d+", t)[0]) < 120]
            for target in able if i in (0, 8) else able[i % max(len(able), 1):][:1]:
                work.append((f"{case.name} {target}", lambda case=case, target=target: check(case, target, tool, ptxas, folder)))
        one, other = Case("refused", "f16", 60, 96, (16, 64), 128), Case("refused", "f16", 60, 96, (16, 64), 128, scatter=True)
        work.append(("refused on sm_90", lambda: refused(one, "sm_90", "needs tile::gather4, which begins with sm_100", tool, folder)))
        work.append(("refused on sm_120", lambda: refused(other, "sm_120", "needs tile::scatter4, which this target does not have", tool, folder)))
        if not args.filter or "fault" in args.filter:
            work += faulty(Case("scatter", "f16", 60, 96, (16, 64), 128, scatter=True), "sm_100", tool, folder)
        passed, failures, times = run_all([w for w in work if args.filter in w[0]], args.jobs, args.v)
    return conclude("tma rows:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
