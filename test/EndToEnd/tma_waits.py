#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor copies outside of rings: loads that complete on an mbarrier of their own and are waited for by `async.wait ... on`, and loads that
tokens order behind what threads have written.

usage: tma_waits.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--targets sm_90,sm_100] [--jobs N] [-v]

Each case is a kernel in nv_tileas, executed on the emulator with the race checker on and compared with what is computed here. Then what
synchronises it is left out or changed, one piece at a time: the bytes that are announced, the arrival, the wait, its phase, the fence
between the proxies, the barrier behind it.
"""

import pathlib
import random
import re
import sys
import tempfile

from harness import conclude, find_ptxas, run_all, suite_arguments
from run import compiled_as, reported, run
from tma import Case as Tile
from tma_rows import npy
import targets

TARGETS = ["sm_90", "sm_100", "sm_120"]

HEAD = """
!memref = !nv_tileaa.memref<?x{columns}x{e}, strides = [{columns}, 1]>
!view = !nv_tileaa.tiled_view<[16, 32], padding = zero, !memref>
#shared = {shared}
#held = {held}
#word = #nv_tileas.shared<rank = 1, offset = []>
#load = #nv_tileas.tma_load<{atom}>
!tile = tensor<16x32x{e}, #shared>
!held = tensor<16x32x{e}, #held>
!bar = tensor<1xi64, #word>
gpu.module @kernels {{
  nv_tileaa.func @copy(%x: !nv_tileaa.ptr<{e}>, %y: !nv_tileaa.ptr<{e}>, %z: !nv_tileaa.ptr<{e}>, %rows: i32) attributes {{nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = {warps}, clusterDim = [1, 1, 1], numCTAs = 1>}} {{
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %bx, %by, %bz = nv_tileaa.get_program_id
    %xm = nv_tileaa.make_memref %x, sizes [%rows], strides [] : !nv_tileaa.ptr<{e}>, (i32), () -> !memref
    %ym = nv_tileaa.make_memref %y, sizes [%rows], strides [] : !nv_tileaa.ptr<{e}>, (i32), () -> !memref
    %zm = nv_tileaa.make_memref %z, sizes [%rows], strides [] : !nv_tileaa.ptr<{e}>, (i32), () -> !memref
    %xv = nv_tileaa.block_tile %xm : !memref -> !view
    %yv = nv_tileaa.block_tile %ym : !memref -> !view
    %zv = nv_tileaa.block_tile %zm : !memref -> !view
"""
LOAD = "{{atom = #load, tx_count = {bytes} : i32}} : !view, (i32, i32), !tile"
READ = "{{atom_plan = #nv_tileas.atom_plan<tag = 1, vec = {size}>}} : !tile -> !held"

# Two loads to a phase, as many phases as the row has pairs of tiles.
OWN_BARRIER = HEAD + """
    %rounds = arith.constant {rounds} : i32
    %dx, %ux = nv_tileas.make_tiled_tma_desc %xv {{atom = #load}} : !view
    %a = nv_tileas.alloc_tensor : !tile
    %b = nv_tileas.alloc_tensor : !tile
    %bar = nv_tileas.alloc_tensor : !bar
    %made = nv_tileas.async.mbarrier_init %bar, %c2 : !bar
    scf.for %i = %c0 to %rounds step %c1 : i32 {{
      %k = arith.muli %i, %c2 : i32
      %l = arith.addi %k, %c1 : i32
      %phase = arith.remui %i, %c2 : i32
      %d0, %m0 = nv_tileas.async.tiled_tma_load %dx, %xv[%bx, %k] into %a barrier %bar : !bar """ + LOAD + """
      %d1, %m1 = nv_tileas.async.tiled_tma_load %dx, %xv[%bx, %l] into %b barrier %bar : !bar """ + LOAD + """
      nv_tileas.async.wait %d0, %d1 on %bar : !bar phase %phase
      %v = nv_tileas.convert_layout %a """ + READ + """
      %w = nv_tileas.convert_layout %b """ + READ + """
      %t0 = nv_tileas.tiled_store %yv[%bx, %k], %v : !view, (i32, i32), !held
      %t1 = nv_tileas.tiled_store %zv[%bx, %l], %w : !view, (i32, i32), !held
    }}
    nv_tileaa.return
  }}
}}
"""

# Twice the tile goes to y, from there by TMA to shared memory, and to z. {between} leads from one token to the other.
TOKEN = HEAD + """
    %dy, %uy = nv_tileas.make_tiled_tma_desc %yv {{atom = #load}} : !view
    %v, %t0 = nv_tileas.tiled_load %xv[%bx, %by] : !view, (i32, i32) -> !held
    %w = arith.add{kind} %v, %v : !held
    {made}
    {write}
    {between}
    {load}
    %t4 = nv_tileas.tiled_store %zv[%bx, %by], %r : !view, (i32, i32), !held
    nv_tileaa.return
  }}
}}
"""
STORE = "%t1 = nv_tileas.tiled_store %yv[%bx, %by], %w : !view, (i32, i32), !held"
ADD = ("%t1 = nv_tileas.tiled_atomic_rmw %yv[%bx, %by], %w {{rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, "
       "mem_scope = #nv_tileaa.mem_scope<gpu>}} : !view, (i32, i32), !held")
AT_ONCE = "%t2 = nv_tileaa.join_mem_token %t1, %t0"
# Only the load is the direct predecessor.
BY_A_LOAD = "%again, %t2 = nv_tileas.tiled_load %yv[%bx, %by], token %t1 : !view, (i32, i32) -> !held"
BY_A_BRANCH = """%some = arith.cmpi sgt, %rows, %c0 : i32
    %t2 = scf.if %some -> !nv_tileaa.mem_token {{
      %j = nv_tileaa.join_mem_token %t1, %t0
      scf.yield %j : !nv_tileaa.mem_token
    }} else {{
      scf.yield %t0 : !nv_tileaa.mem_token
    }}"""
ALONE_MADE = """%a = nv_tileas.alloc_tensor : !tile
    %bar = nv_tileas.alloc_tensor : !bar
    %made = nv_tileas.async.mbarrier_init %bar, %c1 : !bar"""
ALONE = """%d0, %m0 = nv_tileas.async.tiled_tma_load %dy, %yv[%bx, %by] into %a barrier %bar : !bar, token %t2 """ + LOAD + """
    nv_tileas.async.wait %d0 on %bar : !bar phase %c0
    %r = nv_tileas.convert_layout %a """ + READ
RING_MADE = """%stage = nv_tileas.alloc_tensor : !tile
    %p = nv_tileas.async.pipeline.create_pipeline %stage {{numStages = 1 : i32}} : (!tile) -> !nv_tileas.pipeline<1 x (!tile)>
    %it = nv_tileas.async.pipeline.create_iterator %p : !nv_tileas.pipeline<1 x (!tile)> -> !nv_tileas.pipeline_iterator<1 x (!tile)>"""
RING = """%p0 = nv_tileas.async.pipeline.producer_acquire %p, %it : !nv_tileas.pipeline<1 x (!tile)>, !nv_tileas.pipeline_iterator<1 x (!tile)>
    %p1 = nv_tileas.async.pipeline.producer_write %p, %p0 : !nv_tileas.pipeline<1 x (!tile)> {{
    ^bb0(%s: !tile):
      %done, %m = nv_tileas.async.tiled_tma_load %dy, %yv[%bx, %by] into %s, token %t2 """ + LOAD + """
      nv_tileas.async.pipeline.yield %done : !nv_tileas.async.token
    }}
    nv_tileas.async.pipeline.producer_commit %p, %p1 : !nv_tileas.pipeline<1 x (!tile)>
    %q0 = nv_tileas.async.pipeline.consumer_wait %p, %it : !nv_tileas.pipeline<1 x (!tile)>, !nv_tileas.pipeline_iterator<1 x (!tile)>
    %q1, %r = nv_tileas.async.pipeline.consumer_read %p, %q0 : !nv_tileas.pipeline<1 x (!tile)> -> !held {{
    ^bb0(%s: !tile):
      %h = nv_tileas.convert_layout %s """ + READ + """
      nv_tileas.async.pipeline.yield %h : !held
    }}
    nv_tileas.async.pipeline.consumer_release %p, %q1 : !nv_tileas.pipeline<1 x (!tile)>"""


class Case:
    """The array has `rows` x `columns` elements, `factor` says what y and z become of x."""

    def __init__(self, name, text, element, rows, columns, warps=4, **parts):
        self.name, self.element, self.rows, self.columns = name, element, rows, columns
        shape = Tile(name, element, [rows, columns], [16, 32], 128 if element in ("i32", "f32") else 64)
        numbers = {"columns": columns, "e": element, "shared": shape.shared(), "held": held(warps), "atom": shape.atom(), "warps": warps,
                   "bytes": 16 * 32 * shape.size, "size": shape.size, "rounds": columns // 64, "kind": "f" if element[0] == "f" else "i"}
        if "load" in parts:
            parts["made"] = ALONE_MADE if parts["load"] is ALONE else RING_MADE
        for part, value in parts.items():
            numbers[part] = value.format(**numbers)
        self.text = text.format(**numbers)
        self.own = text is OWN_BARRIER

    def launch(self, base):
        noise = random.Random(self.name)
        x = [noise.randrange(-100, 100) for _ in range(self.rows * self.columns)]
        if self.own:
            # Tiles in turn go to y and to z.
            y = [v if i % self.columns // 32 % 2 == 0 else 0 for i, v in enumerate(x)]
            z = [v - w for v, w in zip(x, y)]
        else:
            y = z = [2 * v for v in x]
        shape = f"{self.element}[{self.rows}x{self.columns}]"
        files = {name: base.with_suffix(f".{name}.npy") for name in "xyz"}
        for name, values in (("x", x), ("y", y), ("z", z)):
            npy(files[name], self.element, [self.rows, self.columns], values)
        return [f"--grid={-(-self.rows // 16)}" + ("" if self.own else f",{-(-self.columns // 32)}"), f"x:{shape}={files['x']}",
                f"out:y:{shape}{{expect={files['y']}}}=zeros", f"out:z:{shape}{{expect={files['z']}}}=zeros", f"i32={self.rows}"]


def held(warps):
    """Rows of 32 elements: a lane has four of them, and the warps have the rows in turns."""
    bits = [[0, 1], [0, 2]], [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], [[4, 0], [8, 0]]
    many = {1: 0, 2: 1, 4: 2}[warps]
    return f"#nv_tileas.linear<rank = 2, register = {bits[0] + bits[2][many:]}, lane = {bits[1]}, warp = {bits[2][:many]}>"


def cases():
    yield Case("own barrier", OWN_BARRIER, "i32", 40, 192)
    yield Case("own barrier f16", OWN_BARRIER, "f16", 70, 320, warps=2)
    yield Case("own barrier one round", OWN_BARRIER, "f32", 5, 64, warps=1)
    yield Case("token", TOKEN, "i32", 40, 96, write=STORE, between=AT_ONCE, load=ALONE)
    yield Case("token f16 behind a load", TOKEN, "f16", 33, 72, write=STORE, between=BY_A_LOAD, load=ALONE, warps=2)
    yield Case("token of a reduction", TOKEN, "i32", 20, 64, write=ADD, between=AT_ONCE, load=ALONE)
    yield Case("token in a ring", TOKEN, "f32", 50, 64, write=STORE, between=AT_ONCE, load=RING)
    yield Case("token in a ring behind a branch", TOKEN, "i32", 16, 36, write=STORE, between=BY_A_BRANCH, load=RING)


EXPECT = r"mbarrier\.arrive\.expect_tx\.shared\.b64 _, (\[[^]]*\]), (%r\d+|\d+);"
WAIT = r"mbarrier\.try_wait\S* done, \[[^]]*\], (%r\d+|\d+);"
BARRIER = r"\bbar(?:rier)?\.(?:cta\.)?sync[^;]*;"
FAULTS = {
    "own barrier": [
        ("no bytes are announced", EXPECT, r"mbarrier.arrive.shared.b64 _, \1;"),
        ("fewer bytes are announced than come", EXPECT, r"mbarrier.arrive.expect_tx.shared.b64 _, \1, 1024;"),
        ("more bytes are announced than come", EXPECT, r"mbarrier.arrive.expect_tx.shared.b64 _, \1, 4096;"),
        ("the bytes are announced, and nobody arrives", EXPECT, r"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 \1, 2048;"),
        ("nobody waits", WAIT, "setp.eq.b32 done, 0, 0;"),
        ("the wait is always for the first phase", WAIT, None),
        ("tiles are written again while threads read them", r"(fence\.proxy\.async\.shared::cta;)(\s*)" + BARRIER, r"\1\2"),
        ("what had the bytes before comes after the copy", r"fence\.proxy\.async\.shared::cta;", ""),
    ],
    "token": [
        ("the other proxy is not told", r"fence\.proxy\.async;", ""),
        ("threads do not meet behind the fence", r"fence\.proxy\.async;[\s\S]*?cp\.async\.bulk\.tensor", lambda m: re.sub(BARRIER, "", m[0])),
    ],
}
FAULTS["token in a ring"] = FAULTS["token of a reduction"] = FAULTS["token f16 behind a load"] = FAULTS["token"]


def check(case, target, tool, ptxas, folder):
    base = pathlib.Path(folder) / f"{case.name.replace(' ', '-')}-{target}"
    source, ptx = base.with_suffix(".mlir"), base.with_suffix(".ptx")
    source.write_text(case.text)
    for timing in ("early", "late", "random"):
        command = [str(tool), str(source), f"--gpu-name={target}", "--check-races", "--schedules=4", f"--async={timing}", "--threads=1",
                   f"--save-ptx={ptx}", *case.launch(base)]
        code, output = run(command)
        if code:
            return f"{' '.join(command)}\nexit status {code}\n{output}"
    text = ptx.read_text()
    if "cp.async.bulk.tensor" not in text or bool(re.search(r"fence\.proxy\.async;", text)) == case.own:
        return "no tensor copies, or other fences than tokens ask for"
    if targets.can_assemble(ptxas, target):
        code, output = run([ptxas, f"-arch={compiled_as(target)}", str(ptx), "-o", str(base.with_suffix(".cubin"))])
        if code or "warning" in output.lower():
            return f"ptxas: {output}"
    return None


def faulty(case, target, tool, folder):
    base = pathlib.Path(folder) / f"fault-{case.name.replace(' ', '-')}-{target}"
    source, ptx = base.with_suffix(".mlir"), base.with_suffix(".ptx")
    source.write_text(case.text)
    arguments = case.launch(base)
    code, output = run([str(tool), str(source), f"--gpu-name={target}", f"--save-ptx={ptx}", "--threads=1", *arguments])
    if code:
        yield f"fault: {case.name} compiles", lambda: output
        return
    text = ptx.read_text()
    for number, (why, pattern, replacement) in enumerate(FAULTS[case.name]):
        changed = re.sub(pattern, replacement if replacement is not None else (lambda m: m[0].replace(m[1] + ";", "0;")), text)
        broken = base.with_name(f"{base.name}-{number}.ptx")
        broken.write_text(changed)

        def caught(broken=broken, why=why, changed=changed):
            if changed == text:
                return "found no place to break"
            return reported(tool, broken, arguments, why)
        yield f"fault: {case.name} {target}: {why}", caught


def main():
    parser = suite_arguments(TARGETS)
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    tool, ptxas = pathlib.Path(args.build).resolve() / "bin/tileiras-run", find_ptxas()
    chosen = [t for t in args.targets.split(",") if t in TARGETS] or TARGETS
    with tempfile.TemporaryDirectory(prefix="tileiras-waits-") as folder:
        work = []
        for i, case in enumerate(cases()):
            on = chosen if args.full or i in (0, 3) else chosen[i % len(chosen):][:1]
            work += [(f"{case.name} {target}", lambda case=case, target=target: check(case, target, tool, ptxas, folder)) for target in on]
            if case.name in FAULTS and (not args.filter or "fault" in args.filter):
                for target in on if args.full else on[:1]:
                    work += faulty(case, target, tool, folder)
        passed, failures, times = run_all([w for w in work if args.filter in w[0]], args.jobs, args.v)
    return conclude("tma waits:", passed, failures, times, args.report)


if __name__ == "__main__":
    sys.exit(main())
