# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu.mbarrier.*: phases, tokens, transaction counts, and the barriers' memory."""

from case import SM80, SM90, Case, kernel
from formats import pack

GROUP = "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>"
GROUPS3 = "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 3>"
TOKEN = "!nvgpu.mbarrier.token"
ONE_THREAD = "%p = arith.cmpi eq, %t, %c0 : index"


def init(group, count, barrier="%c0", predicate="%p"):
    """Thread 0 makes the barrier, a CTA barrier publishes it."""
    return f"""
        {ONE_THREAD}
        %b = nvgpu.mbarrier.create -> {group}
        nvgpu.mbarrier.init %b[{barrier}], {count}, predicate = {predicate} : {group}
        gpu.barrier"""


def store_flag(value, name, out="%out"):
    """An i1 as a word per thread."""
    return f"""
        %{name}w = arith.extui {value} : i1 to i32
        memref.store %{name}w, {out}[%t] : memref<64xi32>"""


# Every thread writes its number, arrives, waits for the token's phase, and reads its neighbour's number.
def exchange(name, count, wait, between="", group=GROUP):
    return kernel(name, "%out: memref<64xi32>", f"""
        %n = arith.constant {count} : index
        %c63 = arith.constant 63 : index{init(group, "%n")}
        %i = arith.index_cast %t : index to i32
        memref.store %i, %s[%t] : memref<64xi32, 3>
        %token = nvgpu.mbarrier.arrive %b[%c0] : {group} -> {TOKEN}{between}
        {wait}
        %far = arith.xori %t, %c63 : index
        %v = memref.load %s[%far] : memref<64xi32, 3>
        memref.store %v, %out[%t] : memref<64xi32>""", workgroup="%s: memref<64xi32, 3>")


WAIT_TOKEN = f"""scf.while : () -> () {{
          %done = nvgpu.mbarrier.test.wait %b[%c0], %token : {GROUP}, {TOKEN}
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        }} do {{
          scf.yield
        }}"""
TRUE = "\n        %true = arith.constant true"
WAIT_PARITY = """%ticks = arith.constant 10000000 : index
        nvgpu.mbarrier.try_wait.parity %b[{b}], {phase}, %ticks : {group}"""


def cases():
    rows = []
    mirrored = pack([63 - i for i in range(64)], 4)

    def add(row, name, text, floor, want, **kwargs):
        rows.append(Case(row, name, text, floor, args=[(bytearray(256), "out")], expect={0: want}, block=(64,), **kwargs))

    # SM80 forms: init, arrive, test.wait. On sm_80 the token's phase is polled.
    for row, pattern in (("nvgpu.mbarrier.create", r"\.shared \.align 8 \.b8 \w*mbarrier\w*\[8\]"),
                         ("nvgpu.mbarrier.init", r"mbarrier\.init\.shared(::cta)?\.b64\s+\[%?\w+\], (%r\d+|64);"),
                         ("nvgpu.mbarrier.arrive", r"mbarrier\.arrive(\.release\.cta)?\.shared(::cta)?\.b64\s+%rd\d+, \[%?\w+\]"),
                         ("nvgpu.mbarrier.test.wait",
                          r"mbarrier\.test_wait(\.acquire\.cta)?\.shared(::cta)?\.b64\s+%p\d+, \[%?\w+\], %rd\d+;")):
        name = "barrier_" + row.split(".", 2)[2].replace(".", "_")
        add(row, name, exchange(name, 64, WAIT_TOKEN, TRUE), SM80, mirrored, ptx=(pattern,))
    # The address space decides: an object in shared memory is addressed as such, never generically.
    add("nvgpu.mbarrier.init", "barrier_space", exchange("barrier_space", 64, WAIT_TOKEN, TRUE), SM80, mirrored,
        absent=(r"mbarrier\.\w+\.b64", r"mbarrier\.arrive\.b64", r"mbarrier\.test_wait\.b64"))
    # By number too.
    text = exchange("barrier_space_3", 64, WAIT_TOKEN, TRUE).replace("#gpu.address_space<workgroup>", "3")
    add("nvgpu.mbarrier.init", "barrier_space_3", text, SM80, mirrored, ptx=(r"mbarrier\.init\.shared", r"mbarrier\.arrive[\w.]*\.shared"),
        absent=(r"mbarrier\.\w+\.b64", r"mbarrier\.arrive\.b64", r"mbarrier\.test_wait\.b64"))
    # Three barriers of one group: three objects of 8 bytes, each with its own count.
    three = f"""
        {ONE_THREAD}
        %b = nvgpu.mbarrier.create -> {GROUPS3}
        %n = arith.constant 64 : index
        nvgpu.mbarrier.init %b[%c0], %c1, predicate = %p : {GROUPS3}
        nvgpu.mbarrier.init %b[%c1], %n, predicate = %p : {GROUPS3}
        nvgpu.mbarrier.init %b[%c2], %c2, predicate = %p : {GROUPS3}
        gpu.barrier
        %token = nvgpu.mbarrier.arrive %b[%c1] : {GROUPS3} -> {TOKEN}
        gpu.barrier
        %done = nvgpu.mbarrier.test.wait %b[%c1], %token : {GROUPS3}, {TOKEN}"""
    add("nvgpu.mbarrier.create", "barrier_group", kernel("barrier_group", "%out: memref<64xi32>", three + store_flag("%done", "d")),
        SM80, pack([1] * 64, 4), ptx=(r"\.shared \.align 8 \.b8 \w*mbarrier\w*\[24\]",))
    # The address of each: 8 bytes apart, and one an arrival can be sent to.
    for type_ in ("i32", "i64"):
        name = f"barrier_get_{type_}"
        add("nvgpu.mbarrier.get", name, kernel(name, "%out: memref<64xi32>", f"""
            {ONE_THREAD}
            %b = nvgpu.mbarrier.create -> {GROUPS3}
            %n = arith.constant 64 : index
            nvgpu.mbarrier.init %b[%c2], %n, predicate = %p : {GROUPS3}
            gpu.barrier
            %b0 = nvgpu.mbarrier.get %b[%c0] : {GROUPS3} -> {type_}
            %b2 = nvgpu.mbarrier.get %b[%c2] : {GROUPS3} -> {type_}
            %far = arith.subi %b2, %b0 : {type_}
            %bytes = arith.constant 16 : {type_}
            %right = arith.cmpi eq, %far, %bytes : {type_}
            %address = llvm.inttoptr %b2 : {type_} to !llvm.ptr<3>
            %state = nvvm.mbarrier.arrive %address : !llvm.ptr<3> -> i64
            gpu.barrier
            %done = nvvm.mbarrier.test.wait %address, %state : !llvm.ptr<3>, i64 -> i1
            %ok = arith.andi %done, %right : i1""" + store_flag("%ok", "d")), SM80, pack([1] * 64, 4),
            ptx=(r"mbarrier\.arrive(\.release\.cta)?\.shared(::cta)?\.b64",))
    # A phase that lacks an arrival is not complete; arrive.nocomplete takes several at once.
    for count, done in ((64, 1), (65, 0)):
        name = f"barrier_count_{count}"
        add("nvgpu.mbarrier.test.wait", name, kernel(name, "%out: memref<64xi32>", f"""
            %n = arith.constant {count} : index{init(GROUP, "%n")}
            %token = nvgpu.mbarrier.arrive %b[%c0] : {GROUP} -> {TOKEN}
            gpu.barrier
            %done = nvgpu.mbarrier.test.wait %b[%c0], %token : {GROUP}, {TOKEN}""" + store_flag("%done", "d")),
            SM80, pack([done] * 64, 4), ptx=(r"mbarrier\.test_wait",))
    for extra, done in ((64, 1), (65, 0)):  # 64 threads with 2 early arrivals each, then 1 each
        name = f"barrier_nocomplete_{extra}"
        add("nvgpu.mbarrier.arrive.nocomplete", name, kernel(name, "%out: memref<64xi32>", f"""
            %n = arith.constant {128 + extra} : index{init(GROUP, "%n")}
            %early = nvgpu.mbarrier.arrive.nocomplete %b[%c0], %c2 : {GROUP} -> {TOKEN}
            gpu.barrier
            %token = nvgpu.mbarrier.arrive %b[%c0] : {GROUP} -> {TOKEN}
            gpu.barrier
            %done = nvgpu.mbarrier.test.wait %b[%c0], %early : {GROUP}, {TOKEN}""" + store_flag("%done", "d")),
            SM80, pack([done] * 64, 4),
            ptx=(r"mbarrier\.arrive\.noComplete(\.release\.cta)?\.shared(::cta)?\.b64\s+%rd\d+, \[%?\w+\], %r\d+;",))

    # Parity waits, which sm_80 polls for. Two phases, one after the other, and a fresh barrier that a wait for phase 1 passes at once.
    parity = exchange("barrier_parity", 64, WAIT_PARITY.format(b="%c0", phase="%false", group=GROUP),
                      "\n        %false = arith.constant false")
    add("nvgpu.mbarrier.try_wait.parity", "barrier_parity", parity, SM80, mirrored, ptx=(r"mbarrier\.(try|test)_wait\.parity",))
    add("nvgpu.mbarrier.try_wait.parity", "barrier_phases", kernel("barrier_phases", "%out: memref<64xi32>", f"""
            %n = arith.constant 64 : index
            %false = arith.constant false
            %true = arith.constant true
            %one = arith.constant 1 : i32
            %c63 = arith.constant 63 : index
            %c31 = arith.constant 31 : index
            %ticks = arith.constant 10000000 : index{init(GROUP, "%n")}
            nvgpu.mbarrier.try_wait.parity %b[%c0], %true, %ticks : {GROUP}
            %i = arith.index_cast %t : index to i32
            memref.store %i, %s[%t] : memref<64xi32, 3>
            %t0 = nvgpu.mbarrier.arrive %b[%c0] : {GROUP} -> {TOKEN}
            nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %ticks : {GROUP}
            %far = arith.xori %t, %c63 : index
            %v = memref.load %s[%far] : memref<64xi32, 3>
            %w = arith.addi %v, %one : i32
            memref.store %w, %s2[%far] : memref<64xi32, 3>
            %t1 = nvgpu.mbarrier.arrive %b[%c0] : {GROUP} -> {TOKEN}
            nvgpu.mbarrier.try_wait.parity %b[%c0], %true, %ticks : {GROUP}
            %near = arith.xori %t, %c31 : index
            %u = memref.load %s2[%near] : memref<64xi32, 3>
            memref.store %u, %out[%t] : memref<64xi32>""",
            workgroup="%s: memref<64xi32, 3>, %s2: memref<64xi32, 3>"), SM80, pack([(i ^ 31) + 1 for i in range(64)], 4),
        ptx=(r"mbarrier\.(try|test)_wait\.parity",))
    # Expected bytes hold the phase open although all have arrived, until they came: here they never come.
    for predicate, done in ((None, 0), ("%q", 0), ("%never", 1)):
        name = f"barrier_expect_{(predicate or 'all').strip('%')}"
        # Without a predicate every thread expects; with one, thread 0 alone or nobody, and all the others only arrive.
        expect = (f"nvgpu.mbarrier.arrive.expect_tx %b[%c0], %c16 : {GROUP}" if not predicate else
                  f"nvgpu.mbarrier.arrive.expect_tx %b[%c0], %c16, predicate = {predicate} : {GROUP}")
        arrivals = {None: 64, "%q": 65, "%never": 64}[predicate]
        arrive = "" if not predicate else f"%token = nvgpu.mbarrier.arrive %b[%c0] : {GROUP} -> {TOKEN}"
        add("nvgpu.mbarrier.arrive.expect_tx", name, kernel(name, "%out: memref<64xi32>", f"""
            %n = arith.constant {arrivals} : index{init(GROUP, "%n")}
            %q = arith.cmpi eq, %t, %c1 : index
            %never = arith.cmpi eq, %t, %n : index
            {expect}
            {arrive}
            gpu.barrier
            %b2 = nvgpu.mbarrier.get %b[%c0] : {GROUP} -> i32
            %address = llvm.inttoptr %b2 : i32 to !llvm.ptr<3>
            %zero = arith.constant 0 : i32
            %done = llvm.inline_asm has_side_effects asm_dialect = att
              "{{{{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [$1], $2; selp.b32 $0, 1, 0, p; }}}}", "=r,r,r"
              %address, %zero : (!llvm.ptr<3>, i32) -> i32
            memref.store %done, %out[%t] : memref<64xi32>"""), SM90, pack([done] * 64, 4),
            ptx=(r"mbarrier\.arrive\.expect_tx(\.release\.cta)?\.shared(::cta)?\.b64\s+(%rd\d+|_), \[%?\w+\], %r\d+;",))
    # An arrival without the predicate would be one too many: the phase would complete early.
    add("nvgpu.mbarrier.init", "barrier_init_all", kernel("barrier_init_all", "%out: memref<64xi32>", f"""
            %n = arith.constant 64 : index
            {ONE_THREAD}
            %b = nvgpu.mbarrier.create -> {GROUP}
            scf.if %p {{
              nvgpu.mbarrier.init %b[%c0], %n : {GROUP}
            }}
            gpu.barrier
            %token = nvgpu.mbarrier.arrive %b[%c0] : {GROUP} -> {TOKEN}
            gpu.barrier
            %done = nvgpu.mbarrier.test.wait %b[%c0], %token : {GROUP}, {TOKEN}""" + store_flag("%done", "d")),
        SM80, pack([1] * 64, 4), ptx=(r"mbarrier\.init\.shared",))

    # Planted.
    def planted(row, name, text, reports, floor=SM80, says=""):
        rows.append(Case(row, name, text, floor, args=[(bytearray(256), "out")], block=(64,), reports=reports, says=says))

    planted("nvgpu.mbarrier.test.wait", "barrier_no_wait", exchange("barrier_no_wait", 64, ""), ("race",))
    planted("nvgpu.mbarrier.init", "barrier_one_too_few", exchange("barrier_one_too_few", 63, WAIT_TOKEN, TRUE), ("race", "mbarrier"))
    planted("nvgpu.mbarrier.try_wait.parity", "barrier_one_too_many",
            exchange("barrier_one_too_many", 65, WAIT_PARITY.format(b="%c0", phase="%false", group=GROUP),
                     "\n        %false = arith.constant false"), ("deadlock", "budget"), SM80)
    planted("nvgpu.mbarrier.try_wait.parity", "barrier_wrong_phase",
            exchange("barrier_wrong_phase", 64, WAIT_PARITY.format(b="%c0", phase="%ptrue", group=GROUP),
                     "\n        %ptrue = arith.constant true"), ("race",), SM80)
    planted("nvgpu.mbarrier.arrive.expect_tx", "barrier_expect_nothing_comes",
            exchange("barrier_expect_nothing_comes", 64, WAIT_PARITY.format(b="%c0", phase="%false", group=GROUP),
                     "\n        %false = arith.constant false").replace(
                f"%token = nvgpu.mbarrier.arrive %b[%c0] : {GROUP} -> {TOKEN}",
                f"%bytes = arith.constant 16 : index\n  nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : {GROUP}"),
            ("deadlock",), SM90, says="bytes pending")
    planted("nvgpu.mbarrier.arrive", "barrier_not_made", kernel("barrier_not_made", "%out: memref<64xi32>", f"""
            %b = nvgpu.mbarrier.create -> {GROUP}
            %token = nvgpu.mbarrier.arrive %b[%c0] : {GROUP} -> {TOKEN}"""), ("mbarrier", "uninitialized"))
    planted("nvgpu.mbarrier.arrive.nocomplete", "barrier_nocomplete_completes", kernel("barrier_nocomplete_completes",
            "%out: memref<64xi32>", f"""
            %n = arith.constant 128 : index{init(GROUP, "%n")}
            %early = nvgpu.mbarrier.arrive.nocomplete %b[%c0], %c2 : {GROUP} -> {TOKEN}"""), ("mbarrier",))
    planted("nvgpu.mbarrier.init", "barrier_unpublished", exchange("barrier_unpublished", 64, WAIT_TOKEN, TRUE)
            .replace("gpu.barrier", "", 1), ("race", "mbarrier"))
    return rows
