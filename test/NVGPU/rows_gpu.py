# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gpu dialect at kernel level: ids, barriers, shuffles, reductions, gpu.warp_execute_on_lane_0, assertions, printf."""

import struct

from case import SM80, SM90, Case, kernel
from formats import Random, pack


def ids(name, expressions, count, extra=""):
    """Every thread of a 3-dimensional launch writes `expressions` (index values) to its own row."""
    stores = "\n".join(f"""        %w{i} = arith.index_cast %e{i} : index to i32
        %k{i} = arith.constant {i} : index
        memref.store %w{i}, %out[%row, %k{i}] : memref<{count}x{len(expressions)}xi32>""" for i in range(len(expressions)))
    values = "\n".join(f"        %e{i} = {e}" for i, e in enumerate(expressions))
    return kernel(name, f"%out: memref<{count}x{len(expressions)}xi32>", f"""
        %tx = gpu.thread_id x
        %ty = gpu.thread_id y
        %tz = gpu.thread_id z
        %bx = gpu.block_id x
        %by = gpu.block_id y
        %bz = gpu.block_id z
        %dx = gpu.block_dim x
        %dy = gpu.block_dim y
        %dz = gpu.block_dim z
        %gx = gpu.grid_dim x
        %gy = gpu.grid_dim y
        {extra}
        %a0 = arith.muli %bz, %gy : index
        %a1 = arith.addi %a0, %by : index
        %a2 = arith.muli %a1, %gx : index
        %block = arith.addi %a2, %bx : index
        %a4 = arith.muli %block, %dz : index
        %a5 = arith.addi %a4, %tz : index
        %a6 = arith.muli %a5, %dy : index
        %a7 = arith.addi %a6, %ty : index
        %a8 = arith.muli %a7, %dx : index
        %row = arith.addi %a8, %tx : index
{values}
{stores}""")


def launches(grid, block):
    for bz in range(grid[2]):
        for by in range(grid[1]):
            for bx in range(grid[0]):
                for tz in range(block[2]):
                    for ty in range(block[1]):
                        for tx in range(block[0]):
                            yield (bx, by, bz), (tx, ty, tz)


def pair(name, type_, width, body, lanes=32, params="", row="gpu.shuffle", floor=SM80, ptx=(), random=None, values=None, want=None,
         block=(32,), **kwargs):
    """Every lane has a value %v from %in; the body makes %r, which goes to %out."""
    n = block[0]
    integer = f"i{8 * width}"
    to_type = f"%v = arith.bitcast %raw : {integer} to {type_}" if type_[0] in "fb" else ""
    from_type = f"%res = arith.bitcast %r : {type_} to {integer}" if type_[0] in "fb" else ""
    text = kernel(name, f"%in: memref<{n}x{integer}>, %out: memref<{n}x{integer}>{params}", f"""
        {'%raw' if to_type else '%v'} = memref.load %in[%t] : memref<{n}x{integer}>
        {to_type}
        {body}
        {from_type}
        memref.store {'%res' if from_type else '%r'}, %out[%t] : memref<{n}x{integer}>""")
    return Case(row, name, text, floor, args=[bytearray(pack(values, width)), (bytearray(n * width), "out")],
                expect={1: pack(want, width)} if want is not None else {}, ptx=ptx, block=block, **kwargs)


def shuffle_source(mode, lane, offset, width):
    segment = lane // width * width
    at = {"xor": lane ^ offset, "down": lane + offset, "up": lane - offset, "idx": segment + offset % width}[mode]
    inside = segment <= at < segment + width
    return (at, 1) if inside else (lane, 0)


def cases():
    rows = []
    random = Random(41)
    grid, block = (2, 3, 2), (4, 3, 6)
    every = ["gpu.thread_id x", "gpu.thread_id y", "gpu.thread_id z", "gpu.block_id x", "gpu.block_id y", "gpu.block_id z",
             "gpu.block_dim x", "gpu.block_dim y", "gpu.block_dim z", "gpu.grid_dim x", "gpu.grid_dim y", "gpu.grid_dim z",
             "gpu.global_id x", "gpu.global_id y", "gpu.global_id z"]
    want = []
    for b, t in launches(grid, block):
        want += [*t, *b, *block, *grid, *(b[k] * block[k] + t[k] for k in range(3))]
    text = ids("ids", every, len(want) // len(every))
    rows.append(Case("gpu.thread_id", "ids", text, SM80, grid=grid, block=block, args=[(bytearray(4 * len(want)), "out")],
                     expect={0: pack(want, 4)}, ptx=(r"%tid\.x", r"%tid\.z", r"%ctaid\.y", r"%ntid\.z", r"%nctaid\.x")))
    warps = ["gpu.lane_id", "gpu.subgroup_id : index", "gpu.num_subgroups : index", "gpu.subgroup_size : index"]
    want = []
    for k, _ in enumerate(launches((2, 1, 1), (32, 4, 1))):
        want += [k % 32, k % 128 // 32, 4, 32]
    text = ids("warp_ids", warps, 256)
    rows.append(Case("gpu.lane_id", "warp_ids", text, SM80, grid=(2, 1, 1), block=(32, 4, 1), args=[(bytearray(4 * len(want)), "out")],
                     expect={0: pack(want, 4)}, ptx=(r"%laneid",)))
    clusters = ["gpu.cluster_id x", "gpu.cluster_dim x", "gpu.cluster_block_id x", "gpu.cluster_dim_blocks x"]
    want = []
    for b, _ in launches((4, 1, 1), (32, 1, 1)):
        want += [b[0] // 2, 2, b[0] % 2, 2]
    text = ids("cluster_ids", clusters, 128)
    rows.append(Case("gpu.cluster_id", "cluster_ids", text, SM90, grid=(4,), cluster=(2,), args=[(bytearray(4 * len(want)), "out")],
                     expect={0: pack(want, 4)}, ptx=(r"%clusterid\.x", r"%nclusterid\.x", r"%cluster_ctaid\.x", r"%cluster_nctaid\.x")))

    # Barriers: every thread reads what another warp wrote.
    def exchange(name, barrier):
        return kernel(name, "%out: memref<128xi32>", f"""
        %c127 = arith.constant 127 : index
        %i = arith.index_cast %t : index to i32
        memref.store %i, %s[%t] : memref<128xi32, 3>
        {barrier}
        %far = arith.xori %t, %c127 : index
        %v = memref.load %s[%far] : memref<128xi32, 3>
        memref.store %v, %out[%t] : memref<128xi32>""", workgroup="%s: memref<128xi32, 3>")

    want = pack([127 - i for i in range(128)], 4)
    rows.append(Case("gpu.barrier", "barrier", exchange("barrier", "gpu.barrier"), SM80, block=(128,),
                     args=[(bytearray(512), "out")], expect={0: want}, ptx=(r"(bar|barrier)\.(cta\.)?sync\s+0;",)))
    rows.append(Case("gpu.barrier", "barrier_missing", exchange("barrier_missing", ""), SM80, block=(128,),
                     args=[(bytearray(512), "out")], reports=("race",)))
    # Dynamic shared memory.
    text = exchange("dynamic_memory", "gpu.barrier").replace(" workgroup(%s: memref<128xi32, 3>)", "").replace(
        "%c127 =", """%bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  %s0 = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xi32, #gpu.address_space<workgroup>>
  %c127 =""").replace("%s[", "%s0[").replace("memref<128xi32, 3>", "memref<128xi32, #gpu.address_space<workgroup>>")
    text = text.replace("%t = gpu.thread_id x", "%c0 = arith.constant 0 : index\n  %t = gpu.thread_id x", 1) if "%c0 =" not in text else text
    rows.append(Case("gpu.dynamic_shared_memory", "dynamic_memory", text, SM80, block=(128,), shared=512,
                     args=[(bytearray(512), "out")], expect={0: want}, ptx=(r"__dynamic_shmem__\w+",)))
    # Beside static memory, none of which it may touch.
    both = text.replace("dynamic_memory", "dynamic_and_static").replace(
        ") kernel {", ") workgroup(%a: memref<128xi32, 3>, %z: memref<128xi32, 3>) kernel {", 1).replace(
        "memref.store %i, %s0[%t]", """memref.store %i, %a[%t] : memref<128xi32, 3>
  memref.store %i, %z[%t] : memref<128xi32, 3>
  gpu.barrier
  memref.store %i, %s0[%t]""").replace("memref.store %v, %out", """%va = memref.load %a[%far] : memref<128xi32, 3>
  %vz = memref.load %z[%far] : memref<128xi32, 3>
  %o = arith.ori %va, %vz : i32
  %x = arith.xori %o, %v : i32
  %u = arith.addi %x, %v : i32
  memref.store %u, %out""").replace("memref.store %i, %s0", "%w = arith.muli %i, %i : i32\n  memref.store %w, %s0")
    rows.append(Case("gpu.dynamic_shared_memory", "dynamic_and_static", both, SM80, block=(128,), shared=512,
                     args=[(bytearray(512), "out")],
                     expect={0: pack([((127 - i) ^ (127 - i) ** 2) + (127 - i) ** 2 for i in range(128)], 4)}, ptx=(r"__dynamic_shmem__\w+",)))

    # Shuffles: every mode, within segments, and whether the source was inside.
    for mode in ("xor", "up", "down", "idx"):
        # Only the first `width` lanes take part.
        for width, offset_ in ((32, 1), (32, 5), (16, 3), (8, 7)):
            values = [random.bits(32) for _ in range(width)]
            sources = [shuffle_source(mode, lane, offset_, width) for lane in range(width)]
            name = f"shuffle_{mode}_{width}_{offset_}"
            rows.append(pair(name, "i32", 4, f"""%o = arith.constant {offset_} : i32
        %w = arith.constant {width} : i32
        %m, %ok = gpu.shuffle {mode} %v, %o, %w : i32
        %zero = arith.constant 0 : i32
        %r = arith.select %ok, %m, %zero : i32""", values=values, want=[values[s] if ok else 0 for s, ok in sources], block=(width,),
                             ptx=(rf"shfl\.sync\.{'bfly' if mode == 'xor' else mode}\.b32",)))
    for type_, width in (("f32", 4), ("i64", 8), ("f64", 8), ("f16", 2), ("bf16", 2), ("i8", 1), ("i16", 2)):
        values = [random.bits(8 * width) for _ in range(32)]
        name = f"shuffle_type_{type_}"
        rows.append(pair(name, type_, width, f"""%o = arith.constant 9 : i32
        %w = arith.constant 32 : i32
        %r, %ok = gpu.shuffle xor %v, %o, %w : {type_}""", values=values, want=[values[i ^ 9] for i in range(32)],
                         ptx=(r"shfl\.sync\.bfly\.b32",)))

    # Reductions over a warp and over a block.
    def signed(v, bits):
        return v - (1 << bits) if v >> (bits - 1) else v

    reductions = {"add": lambda l: sum(l), "mul": lambda l: product(l), "minui": min, "maxui": max,
                  "minsi": lambda l: min(l, key=lambda v: signed(v, 32)), "maxsi": lambda l: max(l, key=lambda v: signed(v, 32)),
                  "and": lambda l: fold(l, lambda a, b: a & b), "or": lambda l: fold(l, lambda a, b: a | b),
                  "xor": lambda l: fold(l, lambda a, b: a ^ b)}

    def product(l):
        r = 1
        for v in l:
            r = r * v & 0xFFFFFFFF
        return r

    def fold(l, f):
        r = l[0]
        for v in l[1:]:
            r = f(r, v)
        return r

    for element, count in (("f16", 2), ("i8", 4), ("f32", 2), ("f32", 4), ("i8", 2)):
        bits = {"f16": 16, "i8": 8, "f32": 32}[element]
        size = bits * count // 8
        words = f"memref<32x{count}x{element}>"
        values = random.bytes(32 * size)
        name = f"shuffle_vector_{count}x{element}"
        rows.append(Case("gpu.shuffle", name, kernel(name, f"%in: {words}, %out: {words}", f"""
        %o = arith.constant 3 : i32
        %w = arith.constant 32 : i32
        %v = vector.load %in[%t, %c0] : {words}, vector<{count}x{element}>
        %r, %ok = gpu.shuffle xor %v, %o, %w : vector<{count}x{element}>
        vector.store %r, %out[%t, %c0] : {words}, vector<{count}x{element}>"""), SM80,
                         args=[bytearray(values), (bytearray(32 * size), "out")],
                         expect={1: b"".join(values[size * (i ^ 3):size * (i ^ 3) + size] for i in range(32))},
                         ptx=(r"shfl\.sync\.bfly\.b32",)))
    for op, f in reductions.items():
        values = [random.bits(32) for _ in range(32)]
        for uniform in (" uniform", ""):
            redux = {"add": "add.s32", "minui": "min.u32", "maxui": "max.u32", "minsi": "min.s32", "maxsi": "max.s32"}.get(op, f"{op}.b32")
            name = f"subgroup_reduce_{op}{uniform.strip()}"
            rows.append(pair(name, "i32", 4, f"%r = gpu.subgroup_reduce {op} %v{uniform} : (i32) -> i32", row="gpu.subgroup_reduce",
                             values=values, want=[f(values) & 0xFFFFFFFF] * 32,
                             ptx=(rf"redux\.sync\.{redux}" if uniform and op != "mul" else r"shfl\.sync\.bfly\.b32",)))
    for size, stride in ((8, 1), (4, 8), (16, 2)):
        values = [random.below(1000) for _ in range(32)]

        def members(lane):
            first = lane % stride + lane // (stride * size) * stride * size
            return [first + stride * k for k in range(size)]

        name = f"subgroup_reduce_cluster_{size}_{stride}"
        clustered = f"cluster(size = {size}, stride = {stride})" if stride > 1 else f"cluster(size = {size})"
        rows.append(pair(name, "i32", 4, f"%r = gpu.subgroup_reduce add %v {clustered} : (i32) -> i32", row="gpu.subgroup_reduce",
                         values=values, want=[sum(values[m] for m in members(lane)) for lane in range(32)]))
    floats = [float(random.between(-50, 50)) for _ in range(32)]
    patterns = [struct.unpack("<I", struct.pack("<f", v))[0] for v in floats]
    for op, f in (("add", sum), ("minnumf", min), ("maxnumf", max)):
        total, = struct.unpack("<I", struct.pack("<f", float(f(floats))))
        rows.append(pair(f"subgroup_reduce_f32_{op}", "f32", 4, f"%r = gpu.subgroup_reduce {op} %v : (f32) -> f32",
                         row="gpu.subgroup_reduce", values=patterns, want=[total] * 32))
    for op in ("add", "maxsi"):
        values = [random.below(1 << 20) for _ in range(128)]
        rows.append(pair(f"all_reduce_{op}", "i32", 4, f"%r = gpu.all_reduce {op} %v uniform {{}} : (i32) -> i32", row="gpu.all_reduce",
                         values=values, want=[(sum if op == "add" else max)(values) & 0xFFFFFFFF] * 128, block=(128,)))

    rows += lane_0_cases(random)

    # printf and assertions.
    text = kernel("print", "", """
        %n = arith.constant 2 : index
        %first = arith.cmpi ult, %t, %n : index
        scf.if %first {
          %i = arith.index_cast %t : index to i32
          %f = arith.sitofp %i : i32 to f32
          %half = arith.constant 5.000000e-01 : f32
          %g = arith.addf %f, %half : f32
          %l = arith.index_cast %t : index to i64
          gpu.printf "thread %d has %f and %lld\\0A", %i, %g, %l : i32, f32, i64
        }""")
    rows.append(Case("gpu.printf", "print", text, SM80, output="thread 0 has 0.500000 and 0\nthread 1 has 1.500000 and 1\n",
                     ptx=(r"vprintf",)))
    rows.append(Case("gpu.printf", "print_plain", kernel("print_plain", "", """
        %p = arith.cmpi eq, %t, %c0 : index
        scf.if %p {
          gpu.printf "100%% of nothing\\0A"
        }"""), SM80, output="100% of nothing\n"))
    for name, bound, reports in (("assert_holds", 32, ()), ("assert_fails", 31, ("trap",))):
        text = kernel(name, "", f"""
        %n = arith.constant {bound} : index
        %inside = arith.cmpi ult, %t, %n : index
        cf.assert %inside, "thread out of range" """)
        rows.append(Case("cf.assert", name, text, SM80, reports=reports, ptx=(r"__assertfail",),
                         says="thread out of range" if reports else ""))
    return rows


def lane_0_cases(random):
    rows = []

    def lane_0(name, body, values, want, ptx=(r"shfl\.sync\.idx\.b32",), type_="i32", width=4):
        rows.append(pair(name, type_, width, body, row="gpu.warp_execute_on_lane_0", values=values, want=want, ptx=ptx))

    values = [random.bits(32) for _ in range(32)]
    lane_0("lane_0_result", """%r = gpu.warp_execute_on_lane_0(%lane)[32] -> (i32) {
          %c = arith.constant 5 : i32
          %s = arith.addi %v, %c : i32
          gpu.yield %s : i32
        }""", values, [values[0] + 5 & 0xFFFFFFFF] * 32)
    for type_, width in (("f32", 4), ("i64", 8), ("f16", 2)):
        values = [random.bits(8 * width) & ~(1 << 8 * width - 2) for _ in range(32)]
        lane_0(f"lane_0_{type_}", f"""%r = gpu.warp_execute_on_lane_0(%lane)[32] -> ({type_}) {{
          gpu.yield %v : {type_}
        }}""", values, [values[0]] * 32, type_=type_, width=width)
    # The body runs once: it counts itself.
    values = [random.bits(32) for _ in range(32)]
    lane_0("lane_0_once", """%one = arith.constant 1 : i32
        %zero = arith.constant 0 : i32
        %cell = memref.alloca() : memref<1xi32>
        memref.store %zero, %cell[%c0] : memref<1xi32>
        gpu.warp_execute_on_lane_0(%lane)[32] {
          memref.store %one, %cell[%c0] : memref<1xi32>
        }
        %r = memref.load %cell[%c0] : memref<1xi32>""", values, [1] + [0] * 31, ptx=())
    # Vectors: each lane's part goes in, the whole is worked on by lane 0, each lane gets its part back.
    values = [random.below(1 << 16) for _ in range(32)]
    lane_0("lane_0_vectors", """%mine = vector.broadcast %v : i32 to vector<1xi32>
        %o = gpu.warp_execute_on_lane_0(%lane)[32] args(%mine : vector<1xi32>) -> (vector<1xi32>) {
        ^bb0(%all: vector<32xi32>):
          %r0 = vector.reduction <add>, %all : vector<32xi32> into i32
          %sums = vector.broadcast %r0 : i32 to vector<32xi32>
          %d = arith.subi %sums, %all : vector<32xi32>
          gpu.yield %d : vector<32xi32>
        }
        %r = vector.extract %o[0] : i32 from vector<1xi32>""", values, [sum(values) - v & 0xFFFFFFFF for v in values])
    return rows
