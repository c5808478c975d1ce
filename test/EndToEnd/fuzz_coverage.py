# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the random modules of fuzz.py contain: how many of them have an operation with an element type, a rank, an attribute value.

What there is to have: operations and element types are those of op_table.py, which op_types.py runs; modes stand in MODES.
"""

import collections
import itertools
import re

import op_table

SHORT = {"f8E4M3FN": "e4m3", "f8E5M2": "e5m2", "f8E8M0FNU": "e8m0", "f4E2M1FN": "e2m1"}
INTS = "i1 i8 i16 i32 i64".split()
BASE = "f16 bf16 f32 f64".split()
SMALL = "tf32 e4m3 e5m2 e8m0 e2m1".split()
FLOATS = BASE + SMALL
NUMBERS = INTS + FLOATS
COLUMNS = "i1 i4 i8 i16 i32 i64 f16 bf16 f32 tf32 f64 e4m3 e5m2 e8m0 e2m1 ptr".split()
SCOPES = ("tl_blk", "device", "sys")
ORDERS = ("relaxed", "acquire", "release", "acq_rel")
IEEE = ("nearest_even", "zero", "negative_inf", "positive_inf")
SIGNS = ("signed", "unsigned")
WRAPS = ("none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap")
PREDICATES = ("equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal")
PADDINGS = ("zero", "neg_zero", "nan", "pos_inf", "neg_inf")
INT_ATOMICS = ("and", "or", "xor", "add", "max", "min", "umax", "umin")


def words(op, prefix, values, types=None, spell="{}"):
    """Modes that are a word in the text of the operation."""
    return [(op, f"{prefix}{v}", re.compile(r"(?<![\w<])" + re.escape(spell.format(v)) + r"(?!\w)"), types) for v in values]


def modes():
    """(operation, name, pattern in the line, element types it is counted for or None)."""
    for op in ("addf", "subf", "mulf", "fma", "divf", "sqrt"):
        yield from words(op, "", IEEE, BASE, "rounding<{}>")
        yield from words(op, "", ["flush_to_zero"], ["f32"])
        # Rounding and flushing together.
        yield op, "rounding and flush", re.compile("rounding<.*flush_to_zero"), ["f32"]
    yield from words("divf", "", ("approx", "full"), ["f32"], "rounding<{}>")
    yield from words("sqrt", "", ("approx",), ["f32"], "rounding<{}>")
    for op in ("maxf", "minf"):
        yield from words(op, "", ["propagate_nan"], BASE)
        yield from words(op, "", ["flush_to_zero"], ["f32"])
    for op in ("exp", "tanh"):
        yield from words(op, "", ["approx"], ["f32"], "rounding<{}>")
        yield from words(op, "", ["full"], BASE, "rounding<{}>")
    for op in ("exp2", "rsqrt"):
        yield from words(op, "", ["flush_to_zero"], ["f32"])
    for predicate, order in itertools.product(PREDICATES, ("ordered", "unordered")):
        yield "cmpf", f"{predicate} {order}", re.compile(rf"cmpf {predicate} {order} "), BASE
    for predicate, sign in itertools.product(PREDICATES, SIGNS):
        yield "cmpi", f"{predicate} {sign}", re.compile(rf"cmpi {predicate} .*, {sign} :"), INTS
    for op in ("maxi", "mini", "remi", "shri"):
        yield from words(op, "", SIGNS, INTS)
    for sign, rounding in (("signed", ""), ("unsigned", ""), ("signed", "zero"), ("signed", "negative_inf"), ("signed", "positive_inf"), ("unsigned", "positive_inf")):
        yield "divi", f"{sign} {rounding}".strip(), re.compile(rf" {sign}" + (f" rounding<{rounding}>" if rounding else " :")), INTS
    for op in ("addi", "subi", "muli", "shli"):
        yield from words(op, "", WRAPS, INTS, "overflow<{}>")
    yield from words("negi", "", WRAPS[:2], INTS, "overflow<{}>")
    yield from words("trunci", "", WRAPS, ["i4"] + INTS[1:], "overflow<{}>")
    widths = ["i1", "i4", "i8", "i16", "i32", "i64"]
    for low, high in itertools.combinations(widths, 2):
        yield "trunci", f"to {low}", re.compile(rf"-> tile<[\dx]*{low}>"), [high]
        for sign in SIGNS:
            yield "exti", f"{sign} to {high}", re.compile(rf" {sign} .*-> tile<[\dx]*{high}>"), [low]
    for sign, to in itertools.product(SIGNS, [f for f in FLOATS if f != "e8m0"]):
        yield "itof", f"{sign} to {to}", re.compile(rf" {sign} .*-> tile<[\dx]*{to}>"), INTS
    for sign, to, how in itertools.product(SIGNS, INTS, ("", "saturating")):
        yield "ftoi", f"{sign} {how} to {to}".replace("  ", " "), re.compile(rf" {sign}(?: rounding<\w+>)?{' ' + how if how else ''} : .*-> tile<[\dx]*{to}>"), FLOATS
    yield from words("ftoi", "", ["rounding<nearest_int_to_zero>"])
    yield from words("itof", "", ["rounding<nearest_even>"])
    for source, to, rounding in ftof_modes():
        spelled = f"rounding<{rounding}>" if rounding != "nearest_even" else "(?:rounding<nearest_even>)?"
        yield "ftof", f"{rounding} to {to}", re.compile(rf"ftof \S+ ?{spelled} ?: .*-> tile<[\dx]*{to}>"), [source]
    for group in (["i8", "e4m3", "e5m2", "e8m0"], ["i16", "f16", "bf16"], ["i32", "f32"], ["i64", "f64"], ["i1"], ["tf32"], ["e2m1"]):
        for source, to in itertools.product(group, group):
            yield "bitcast", f"to {to}", re.compile(rf"-> tile<[\dx]*{to}>"), [source]
    for op, orders in (("load_ptr_tko", ORDERS[:2]), ("store_ptr_tko", (ORDERS[0], ORDERS[2]))):
        for order in ["weak"] + [" ".join(w) for w in itertools.product(orders, SCOPES)]:
            yield op, order, re.compile(rf"{op} {order} "), None
        yield op, "masked", re.compile(r": tile<[\dx]*ptr<[^>]*>>, .*tile<[\dx]*i1>"), NUMBERS
        yield from words(op, "hint ", ["latency"])
    for op, orders in (("load_view_tko", ORDERS[:2]), ("store_view_tko", (ORDERS[0], ORDERS[2]))):
        for order in ["weak"] + [" ".join(w) for w in itertools.product(orders, SCOPES)]:
            yield op, order, re.compile(rf"{op} {order} "), None
        for kind in ("partition_view", "strided_view", "gather_scatter_view"):
            yield op, kind, re.compile(rf": .*{kind}<"), NUMBERS
        yield from words(op, "hint ", ["latency", "allow_tma = true", "allow_tma = false"])
        for index in INTS:
            yield op, f"index {index}", re.compile(rf">, (?:tile<[\dx]*\w+>, )*tile<[\dx]*{index}>.* -> "), None
        yield op, "inbounds", re.compile(r"inbounds = \["), None
    for kind in ("partition_view", "strided_view", "gather_scatter_view"):
        for padding in PADDINGS:
            yield f"make_{kind}", f"padding {padding}", re.compile(rf"padding_value = {padding},"), NUMBERS if padding == "zero" else FLOATS
        yield f"make_{kind}", "no padding", re.compile(r"tile=\([\dx]*\),(?! traversal_strides=\[[\d, ]*\], padding)(?! padding)"), None
        yield f"make_{kind}", "dim_map" if kind[0] != "g" else "sparse_dim > 0", re.compile(r"dim_map=\[|sparse_dim=[1-9]"), None
    for extent in INTS[1:]:
        yield "make_tensor_view", f"dynamic {extent}", re.compile(rf": tile<{extent}> -> "), None
    for name, pattern in (("dynamic extent", r"tensor_view<[\dx?]*\?"), ("dynamic stride", r"strides=\[[^\]]*\?"), ("transposed", r"strides=\[1,"),
                          ("inner stride", r"strides=\[[\d,?]*?(?:\?|[2-9]|\d\d+)\]"), ("ptr_attr", "ptr_attr")):
        yield "make_tensor_view", name, re.compile(pattern), None
    for order, scope in itertools.product(ORDERS, SCOPES):
        for op in ("atomic_rmw_tko", "atomic_cas_tko"):
            yield op, f"{order} {scope}", re.compile(rf"{op} {order} {scope} "), None
    for mode in INT_ATOMICS:
        yield "atomic_rmw_tko", mode, re.compile(rf", {mode}, "), ["i32", "i64"]
        yield "atomic_red_view_tko", mode, re.compile(rf", {mode}, "), ["i32", "i64"]
    yield "atomic_rmw_tko", "xchg", re.compile(", xchg, "), ["i32", "i64", "f32", "f64"]
    yield "atomic_rmw_tko", "addf", re.compile(", addf, "), BASE
    yield "atomic_red_view_tko", "addf", re.compile(", addf, "), BASE
    for op in ("atomic_rmw_tko", "atomic_cas_tko"):
        yield op, "masked", re.compile(r": .*tile<[\dx]*i1> ->"), None
    for scope in SCOPES[:2]:
        yield "atomic_red_view_tko", scope, re.compile(rf"relaxed {scope} "), None
    yield "atomic_red_view_tko", "strided_view", re.compile(r"strided_view<"), None
    for sign, counter in itertools.product(("", "unsigned "), INTS):
        if sign or counter != "i1":
            yield "for", f"{sign}{counter}", re.compile(rf"= for {sign}%\w+ in .*: tile<{counter}> iter"), None
    for op in ("reduce", "scan"):
        for dim in range(3):
            yield op, f"dim {dim}", re.compile(f"dim={dim} "), None
        for count in (1, 2):
            yield op, f"{count} operands", re.compile(rf"{op} %[\w#]+(?:, %[\w#]+){{{count - 1}}} dim"), None
    for reverse in ("true", "false"):
        yield "scan", f"reverse {reverse}", re.compile(f"reverse={reverse}"), [t for t in COLUMNS if t not in ("e2m1", "ptr")]
    for dim in range(3):
        yield "cat", f"dim {dim}", re.compile(f"dim = {dim} "), None
    rows = {"f16": ("f16", "f32"), "bf16": ("f32",), "tf32": ("f32",), "f32": ("f32",), "f64": ("f64",), "e4m3": ("f16", "f32"), "e5m2": ("f16", "f32")}
    for source, sums in rows.items():
        for to in sums:
            yield "mmaf", f"to {to}", re.compile(rf"<[\dx]*{to}>$"), [source]
            yield "mmaf", f"to {to}, batched", re.compile(rf"<\d+x\d+x\d+x{to}>$"), [source]
    yield from words("mmaf", "", ["fast_acc"], ["e4m3", "e5m2"])
    for a, b in itertools.product(SIGNS, SIGNS):
        yield "mmai", f"{a} {b}", re.compile(f" {a} {b} :"), None
    yield "mmai", "batched", re.compile(r"<\d+x\d+x\d+xi8>"), None
    for source, scale in (("e4m3", "e8m0"), ("e5m2", "e8m0"), ("e2m1", "e4m3"), ("e2m1", "e8m0")):
        for batched in (False, True):
            extents = r"\d+x\d+x\d+x" if batched else r"\d+x\d+x"
            yield "mmaf_scaled", f"scale {scale}" + (", batched" if batched else ""), re.compile(rf"<{extents}{scale}>$"), [source]
    for block in (16, 32):
        yield "mmaf_scaled", f"e2m1 by e8m0, {block} of one scale", (lambda line, block=block: scaled_block(line) == block), None
    for conversion in ("%d", "%i", "%u", "%x", "%lld", "%llx", "%f", "%e", "%g", "%c", "%%"):
        yield "print_tko", conversion, re.compile('"[^"]*' + (re.escape(conversion) if conversion == "%%" else re.escape(conversion[0]) + r"[\d.]*" + conversion[1:]) + "[^\"]*\""), None
    yield "print_tko", "no operand", re.compile(r'print_tko "[^"]*"(?! *,)'), None
    yield "print_tko", "several operands", re.compile(r'", %[\w#]+, %'), None
    integers = ["i1", "i4"] + INTS[1:]
    yield "assume", "bounded, both", re.compile(r"bounded<-?\d+, -?\d+>"), integers
    yield "assume", "bounded, below", re.compile(r"bounded<-?\d+, \?>"), None
    yield "assume", "bounded, above", re.compile(r"bounded<\?, -?\d+>"), None
    yield "assume", "div_by", re.compile(r"div_by<\d+>"), integers + ["ptr"]
    yield "assume", "div_by every", re.compile(r"div_by<\d+, every"), None
    yield "assume", "same_elements", re.compile(r"same_elements<"), integers + ["ptr"]
    yield "assume", "of a tensor view", re.compile(r": tensor_view<"), None
    for name, pattern in (("constant", " constant @"), ("private", "global private"), ("alignment", "alignment = ")):
        yield "global", name, re.compile(pattern), None
    yield "alloca", "global", re.compile("alloca .*global"), None
    for name, pattern in (("occupancy", "occupancy = "), ("num_cta_in_cga 1", "num_cta_in_cga = 1"), ("num_cta_in_cga above 1", "num_cta_in_cga = (?!1})"),
                          ("num_worker_warps_per_cta", "num_worker_warps_per_cta = "), ("key default", "default = "), ("key of a target", r"sm_\d+ = "),
                          ("ptr_attr", "ptr_attr")):
        yield "entry", name, re.compile(pattern), None
    yield "module", "producer", re.compile("producer = "), None
    yield "module", "several entries", (lambda line: False), None
    yield "module", "several globals", (lambda line: False), None
    for name in WHOLE:
        yield "kernel", name, (lambda line: False), None


WHOLE = ["more than one tile block", "grid of two dimensions", "grid of three dimensions", "tile of 1 element", "tile of 2 to 1,024 elements", "tile of 1,025 to 8,191 elements",
         "tile of 8,192 to 16,383 elements", "tile of 16,384 to 32,767 elements", "tile of 32,768 to 65,536 elements", "loop in a loop", "return within if", "return within loop",
         "break within for's if", "continue within if", "infinity", "NaN", "subnormal", "negative zero", "least integer", "greatest integer", "unaligned array", "special values", "any bits"]


# Operations of which every rank is asked for, from the least there is.
RANKED = {"addi": 0, "addf": 0, "select": 0, "reshape": 0, "broadcast": 1, "permute": 2, "cat": 1, "extract": 1, "insert": 1, "reduce": 1, "scan": 1,
          "load_ptr_tko": 0, "store_ptr_tko": 0, "load_view_tko": 1, "store_view_tko": 1}


def scaled_block(line):
    """K / (K / V) of a product of e2m1 by e8m0."""
    types = re.findall(r"tile<([\dx]*)x(\w+)>", line)
    if len(types) != 5 or types[0][1] != "e2m1" or types[3][1] != "e8m0":
        return 0
    return int(types[0][0].split("x")[-1]) // int(types[3][0].split("x")[-1])


def ftof_modes():
    """(from, to, rounding mode) of all conversions between floats."""
    for case in op_table.cases():
        if case.op == "ftof" and case.allowed:
            yield SHORT.get(case.type, case.type), SHORT.get(case.pair, case.pair), case.mode or "nearest_even"


def cells():
    """{operation: element types} that the verifier accepts."""
    allowed = collections.defaultdict(set)
    for case in op_table.cases():
        for op in (case.op, *case.also) if case.allowed else ():
            allowed[op].add(SHORT.get(case.type, case.type))
    return {op: [t for t in COLUMNS if t in types] for op, types in sorted(allowed.items()) if types & set(COLUMNS)}


TILE = re.compile(r"tile<((?:\d+x)*)(ptr<[^>]*>|\w+)>")
SHORTEN = re.compile("|".join(SHORT))
CONTROL = ("for", "loop", "if", "continue", "break", "yield")
OF_POINTER = ("load_ptr_tko", "store_ptr_tko", "atomic_rmw_tko", "atomic_cas_tko", "alloca", "get_global")
OF_VIEW = ("load_view_tko", "store_view_tko", "make_tensor_view", "make_partition_view", "make_strided_view", "make_gather_scatter_view", "atomic_red_view_tko")


def types_of(op, line):
    """The element types an operation is counted for, and its rank."""
    if op in OF_VIEW:
        found = re.search(r"tensor_view<(?:[\d?]+x)*(\w+)", line)
        tile = re.search(r"tile=\(([\dx]*)\)", line)
        rank = len(tile[1].split("x")) if tile else line.partition("strides=[")[2].partition("]")[0].count(",") + 1
        return [found[1]] if found else [], rank
    tiles = TILE.findall(line)
    if op in ("get_tensor_shape", "get_index_space_shape"):
        tiles = TILE.findall(line.rpartition("->")[2])
    if not tiles:
        return [], None
    rank = tiles[0][0].count("x")
    names = ["ptr" if t.startswith("ptr") else t for _, t in tiles]
    if op in OF_POINTER:
        return [re.match(r"ptr<(\w+)", next(t for _, t in tiles if t.startswith("ptr")))[1]], rank
    if op in CONTROL:
        rest = line.rpartition("-> ")[2] if op in ("for", "loop", "if") else line
        return ["ptr" if t.startswith("ptr") else t for _, t in TILE.findall(rest)], rank
    if op == "select":
        return names[1:], rank
    if op == "unpack":
        return names[-1:], rank
    if op in ("print_tko", "entry", "reduce", "scan", "offset"):
        return names, rank
    return names[:1], rank


class Coverage:
    def __init__(self):
        self.cells = cells()
        self.modes = collections.defaultdict(list)
        for op, name, pattern, types in modes():
            self.modes[op].append((name, pattern if callable(pattern) else pattern.search, types))
        self.types, self.ranks, self.found = collections.Counter(), collections.Counter(), collections.Counter()
        self.operations, self.modules, self.lines = collections.Counter(), 0, 0

    def add(self, sample):
        """One module."""
        self.modules += 1
        types, ranks, found, operations = set(), set(), set(), set()
        nesting = []
        text = SHORTEN.sub(lambda m: SHORT[m[0]], sample.text)
        for line in text.split("\n"):
            match = re.match(r"\s*(?:%[^=(]*? = )?(?:cuda_tile\.)?([a-z_0-9]+)\b", line)
            if line.lstrip().startswith("}"):
                if nesting and "else" not in line:
                    nesting.pop()
                continue
            if not match or line.startswith("//"):
                continue
            op = match[1]
            self.lines += 1
            operations.add(op)
            elements, rank = types_of(op, line)
            types.update((op, t) for t in elements)
            if rank is not None:
                ranks.add((op, rank))
            for name, search, wanted in self.modes[op]:
                if (wanted is None or any(t in wanted for t in elements)) and search(line):
                    found.update((op, name, t) for t in ([None] if wanted is None else elements))
            self.whole(op, line, nesting, found)
            if op in ("for", "loop", "if", "entry"):
                nesting.append(op)
            elif op in ("reduce", "scan"):
                nesting.append(op)
        self.of_launch(sample, text, found)
        self.types.update(types)
        self.ranks.update(ranks)
        self.found.update(found)
        self.operations.update(operations)

    @staticmethod
    def whole(op, line, nesting, found):
        for extents, _ in TILE.findall(line):
            count = 1
            for extent in extents.split("x")[:-1]:
                count *= int(extent)
            found.add(("kernel", WHOLE[3 + (count > 1) + (count > 1024) + (count >= 8192) + (count >= 16384) + (count >= 32768)], None))
        loops = [n for n in nesting if n in ("for", "loop")]
        if op in ("for", "loop") and loops:
            found.add(("kernel", "loop in a loop", None))
        if nesting and nesting[-1] == "if":
            if op == "return":
                found.add(("kernel", "return within loop" if loops else "return within if", None))
            if op == "continue":
                found.add(("kernel", "continue within if", None))
            if op == "break":
                found.add(("kernel", "break within for's if", None))

    @staticmethod
    def of_launch(sample, text, found):
        grid = [int(n) for n in sample.grid.split(",")]
        facts = {"more than one tile block": max(grid) > 1, "grid of two dimensions": sum(n > 1 for n in grid) > 1, "grid of three dimensions": min(grid) > 1,
                 "infinity": re.search(r"0x(?:7C00|7F80|[7F]F800000|7FF0000000000000)\b", text), "NaN": re.search(r"0x(?:7E00|7FC0|7FC00000|7FF8000000000000)\b", text),
                 "subnormal": re.search(r"f(?:16|32|64): .*0x[08]0*[1-9]\b", text), "negative zero": re.search(r"0x80+\b|-0\.0", text),
                 "least integer": re.search(r"-(?:128|32768|2147483648|9223372036854775808)\b", text), "greatest integer": re.search(r"\b(?:127|32767|2147483647|9223372036854775807)\b", text),
                 "unaligned array": "offset=" in text, "special values": "=special(" in text, "any bits": "=bits(" in text}
        found.update(("kernel", name, None) for name, said in facts.items() if said)
        found.update(("module", f"several {what}", None) for what, op in (("entries", "entry @"), ("globals", " global ")) if text.count(op) > 1)

    def wanted(self):
        """[(what, count)] of everything there is to have."""
        for op, columns in self.cells.items():
            yield from ((f"{op} {t}", self.types[op, t]) for t in columns)
        for op in ("make_token", "join_tokens", "memory_fence_alias_tko", "gdc_wait_tko", "gdc_launch_dependents_tko", "return", "module"):
            yield op, self.operations[op]
        for op, list_ in self.modes.items():
            for name, _, types in list_:
                yield from ((f"{op} {name}" + (f" {t}" if t else ""), self.found[op, name, t]) for t in (types or [None]))
        for op in RANKED:
            yield from ((f"{op} rank {rank}", self.ranks[op, rank]) for rank in range(RANKED[op], 7))

    def say(self, least, full=False):
        """The tables, and what is in less than `least` of the modules."""
        print(f"{self.modules} modules, {self.lines} operations; how many of the modules have\n")
        if full:
            print("| operation | " + " | ".join(COLUMNS) + " |\n" + "|---" * 17 + "|")
            for op, columns in self.cells.items():
                print(f"| `{op}` | " + " | ".join(str(self.types[op, t]) if t in columns else "" for t in COLUMNS) + " |")
            print("\n| operation | " + " | ".join(f"rank {r}" for r in range(9)) + " |\n" + "|---" * 10 + "|")
            for op in self.cells:
                print(f"| `{op}` | " + " | ".join(str(self.ranks[op, r] or "") for r in range(9)) + " |")
            print("\n| operation | mode | modules, by element type |\n|---|---|---|")
            for op, list_ in self.modes.items():
                for name, _, types in list_:
                    print(f"| `{op}` | {name} | " + " ".join(f"{t} {self.found[op, name, t]}" if t else str(self.found[op, name, t]) for t in (types or [None])) + " |")
            print()
        wanted = list(self.wanted())
        never = [what for what, count in wanted if count == 0]
        rare = [f"{what} ({count})" for what, count in wanted if 0 < count < least * self.modules]
        print(f"{len(wanted)} things to have: {len(never)} in none, {len(rare)} in less than {100 * least:g} %, {len(wanted) - len(never) - len(rare)} in more")
        for title, list_ in (("in none", never), ("rare", rare)):
            if list_:
                print(f"{title}: " + "; ".join(list_))
        return never, rare


def work_of(sample):
    """About how long a module takes: its operations, more if its tiles are large."""
    elements = 1
    for extents, _ in TILE.findall(sample.text):
        count = 1
        for extent in extents.split("x")[:-1]:
            count *= int(extent)
        elements = max(elements, count)
    for extent in sample.grid.split(","):
        elements *= int(extent)
    return 60 + len(sample.operations()) * (1 + elements / 2048)


def choose(generator, seeds, count):
    """`count` of the seeds whose modules contain much and take little; and how much they contain."""
    found, work = {}, {}
    for seed in seeds:
        sample = generator.make(seed)
        if len(sample.operations()) <= 350:
            one = Coverage()
            one.add(sample)
            found[seed], work[seed] = {what for what, n in one.wanted() if n}, work_of(sample)
    chosen, covered = [], set()
    while len(chosen) < count:
        best = max((s for s in found if s not in chosen), key=lambda s: len(found[s] - covered) / work[s])
        chosen.append(best)
        covered |= found[best]
    return sorted(chosen), len(covered)
