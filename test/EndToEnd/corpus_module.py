# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the text of a module says of the arguments of its kernel.

cuTile passes an array as its address, its extents and its strides, each a parameter of its own, and a list of arrays as the address of
a table and a count. Which parameter is what follows from the entry's mangled name, else from the operations that make views. roots()
follows a value back to the parameters it comes from.
"""

import re

PASS = {"assume", "reshape", "broadcast", "exti", "trunci", "ftoi", "itof", "bitcast", "extract", "permute", "ptr_to_int", "int_to_ptr",
        "unpack", "pack", "ptr_to_ptr", "cat", "reduce", "scan"}
GROW = {"addi", "maxi", "mini", "muli", "ori", "xori", "shli", "remi", "andi"}  # no smaller with larger operands, or nearly
SHRINK = {"subi", "divi", "shri"}  # smaller with a larger second operand


class Array:
    def __init__(self, at, element, rank, wide=False):
        self.at, self.element, self.rank, self.wide = at, element, rank, wide  # `at`: the number of its first parameter
        self.fixed, self.steps = [None] * rank, [None] * rank  # extents and strides that the views state
        self.listed = False
        self.words = 0  # of a row of the table, for lists

    def __repr__(self):
        return f"{'list of ' if self.listed else ''}{self.element} rank {self.rank} at {self.at}"


class Root:
    """A parameter that a value comes from: `kind` is parameter, data (of the array at `number`), or grid (along axis `number`).
    `sign` -1: the value grows when the root shrinks."""

    def __init__(self, kind, number, sign):
        self.kind, self.number, self.sign = kind, number, sign

    def key(self):
        return self.kind, self.number, self.sign


class Module:
    def __init__(self, text):
        self.lines = text.split("\n")
        match = re.search(r"entry @(\S+?)\((.*?)\)(?: optimization_hints=<.*>)? \{\n", text)
        self.symbol = match[1] if match else ""
        self.parameters = re.findall(r"(%[\w-]+): tile<(ptr<\w+>|\w+)>", match[2]) if match else []
        self.number = {name: i for i, (name, _) in enumerate(self.parameters)}
        self.definitions = {}  # name -> [(line, op, names of the operands, text, number of the result)], by line
        self.divisor = [1] * len(self.parameters)
        for at, line in enumerate(self.lines, 1):
            self.define(at, line)
        self.find_arrays()
        self.find_facts()

    def define(self, at, line):
        found = re.match(r"\s*(%[^=]*?) = (?:cuda_tile\.)?([\w.]+)(.*)", line)
        if not found:
            return
        results, op, rest = found.groups()
        # Types, attributes and hints name no values.
        operands = re.findall(r"%[\w-]+(?:#\d+)?", rest.split(" : ")[0] if op != "for" else rest)
        for place, name in enumerate(re.findall(r"%[\w-]+", results)):
            self.definitions.setdefault(name, []).append((at, op, operands, line, place))
        for name, start in re.findall(r"(%iterArg\w*) = (%[\w-]+(?:#\d+)?)", rest):
            self.definitions.setdefault(name, []).append((at, "carried", [start], line, 0))
        if op == "for":
            loop = re.match(r"\s*(?:unsigned )?(%[\w-]+) in \((%\S+) to (%\S+), step (%\S+)\)", rest)
            if loop:
                self.definitions.setdefault(loop[1], []).append((at, "index", [loop[2], loop[3]], line, 0))

    def definition(self, name, line):
        """What defines `name` as seen from `line`; names are used again in blocks beside each other."""
        before = [d for d in self.definitions.get(name.split("#")[0], []) if d[0] <= line]
        return before[-1] if before else None

    #===------------------------------------------------------------------------===#
    # Arrays
    #===------------------------------------------------------------------------===#

    def find_arrays(self):
        """self.arrays and self.rest, the numbers of the parameters that belong to no array."""
        pointers = [i for i, (_, t) in enumerate(self.parameters) if t.startswith("ptr<")]
        # ..._A2f32_1v4l0_2t1_p16..., with LiA2f32 for lists; a `w` at the end of p16w for 64-bit extents.
        named = re.findall(r"_(L[a-z])?A(\d)([a-z]\w*?)(?=_(?:\d+[a-z]|p\d|[A-Z])|_?$)((?:_\d+[a-z]\d*(?:[a-z]\d+)*)*)(?:_p\d+(w?))?", self.symbol)
        if len(named) != len(pointers):
            named = None
        self.arrays, self.rest, i = [], [], 0
        while i < len(self.parameters):
            kind = self.parameters[i][1]
            if not kind.startswith("ptr<"):
                self.rest.append(i)
                i += 1
                continue
            numbers = 0
            while i + 1 + numbers < len(self.parameters) and self.parameters[i + 1 + numbers][1] in ("i32", "i64"):
                numbers += 1
            name = named[len(self.arrays)] if named else None
            if name and name[0] and kind == "ptr<i64>":
                array = Array(i, LIST_ELEMENT.get(name[2], name[2]), int(name[1]))
                array.listed = True
                for mask, step in re.findall(r"_(\d+)(?:[a-z]\d+)*?t(\d+)", name[3]):
                    for d in range(array.rank):
                        if int(mask) >> d & 1:
                            array.steps[d] = int(step)
                self.arrays.append(array)
                i += 2
                continue
            rank = int(name[1]) if name else self.rank_by_views(i, numbers)
            if 2 * rank > numbers:
                rank = numbers // 2
            self.arrays.append(Array(i, kind[4:-1], rank))
            i += 1 + 2 * rank

    def rank_by_views(self, at, numbers):
        for line in self.lines:
            found = re.match(r"\s*%[\w-]+ = make_tensor_view (%[\w-]+).*tensor_view<((?:[\d?]+x)*)\w+, strides", line)
            if found and self.parameter(found[1]) == at:
                return found[2].count("x")
        return min(numbers // 2, 1)

    def parameter(self, name):
        """The parameter that a value is, or None; assumptions change nothing."""
        for _ in range(20):
            if name in self.number:
                return self.number[name]
            found = self.definition(name, len(self.lines))
            if not found or found[1] != "assume":
                return None
            name = found[2][-1]
        return None

    def find_facts(self):
        at = {a.at: a for a in self.arrays}
        for line in self.lines:
            found = re.match(r"\s*%[\w-]+ = assume div_by<(\d+)>, (%[\w-]+) :", line)
            if found and self.parameter(found[2]) is not None:
                p = self.parameter(found[2])
                self.divisor[p] = max(self.divisor[p], int(found[1]))
            found = re.match(r"\s*%[\w-]+ = make_tensor_view (%[\w-]+).*tensor_view<((?:[\d?]+x)*)\w+, strides=\[([^\]]*)\]>", line)
            array = at.get(self.parameter(found[1])) if found else None
            if array and not array.listed and found[2].count("x") == array.rank and not any(array.fixed + array.steps):
                array.fixed = [None if d == "?" else int(d) for d in found[2].split("x") if d]
                array.steps = [None if s.strip() == "?" else int(s) for s in found[3].split(",") if s.strip()]

    def role(self, parameter):
        """("extent" | "stride" | "address" | "count", array, dimension) or ("scalar", None, parameter)."""
        for array in self.arrays:
            place = parameter - array.at
            if array.listed and place in (0, 1):
                return ("address", "count")[place], array, 0
            if place == 0:
                return "address", array, 0
            if not array.listed and 0 < place <= array.rank:
                return "extent", array, place - 1
            if not array.listed and 0 < place <= 2 * array.rank:
                return "stride", array, place - 1 - array.rank
        return "scalar", None, parameter

    #===------------------------------------------------------------------------===#
    # Where values come from
    #===------------------------------------------------------------------------===#

    def base_array(self, name, line, seen=None):
        """The array that a pointer or a view leads to."""
        seen = set() if seen is None else seen
        if name in self.number:
            return next((a for a in self.arrays if a.at == self.number[name]), None)
        found = self.definition(name, line)
        if not found or (name, found[0]) in seen:
            return None
        seen.add((name, found[0]))
        return self.base_array(found[2][0] if found[1] != "assume" else found[2][-1], found[0], seen) if found[2] else None

    def roots(self, name, line, sign=1, seen=None):
        seen = set() if seen is None else seen
        if name in self.number:
            return [Root("parameter", self.number[name], sign)]
        found = self.definition(name, line)
        if not found or (name, found[0], sign) in seen:
            return []
        seen.add((name, found[0], sign))
        at, op, operands, text, place = found

        def of(names, s=sign):
            return [r for n in names for r in self.roots(n, at, s, seen)]

        if op in PASS:
            return of(operands)
        if op == "get_tile_block_id":
            return [Root("grid", place, sign)]
        if op == "get_num_tile_blocks":
            return [Root("grid", place, sign)]
        if op in SHRINK:
            return of(operands[:1]) + of(operands[1:], -sign)
        if op == "select":
            return of(operands[1:])
        if op == "index":
            return of(operands[::-1])
        if op in ("load_view_tko", "load_ptr_tko", "atomic_rmw_tko", "atomic_cas_tko"):
            array = self.base_array(re.search(r"%[\w-]+", text.split(" = ", 1)[1])[0], at)
            return [Root("data", array.at, sign)] if array else []
        if op == "get_index_space_shape":
            extents = self.view_extents(operands[0], at)
            return self.roots(extents[place], at, sign, seen) if extents and place < len(extents) and extents[place][0] == "%" else []
        if op in ("for", "loop", "if", "carried"):
            return of([o for o in operands if not o.startswith(("%loopIdx", "%iterArg"))][-8:] if op != "carried" else operands) + \
                self.carried_roots(found, sign, seen)
        if op in GROW or op == "offset":
            return of(operands)
        return of(operands)

    def loop_end(self, name, line):
        """The constant that a loop variable ends at, or None."""
        found = self.definition(name, line)
        step = re.search(r"step (%[\w-]+)\)", found[3]) if found and found[1] == "index" else None
        # A loop over every Nth tile ends early enough in a large grid.
        return self.constant(found[2][1], found[0]) if step and self.constant(step[1], found[0]) is not None else None

    def block_axes(self):
        """Which axes of the grid the kernel asks for."""
        used = set()
        for line in self.lines:
            found = re.match(r"\s*(%[^=]*) = get_tile_block_id", line)
            for axis, name in enumerate(re.findall(r"%[\w-]+", found[1]) if found else []):
                if sum(len(re.findall(re.escape(name) + r"\b", other)) for other in self.lines) > 1:
                    used.add(axis)
        return used

    def sizes(self):
        """[(operand, elements)]: extents that constant indices of views and loops with constant ends need."""
        for line, text in enumerate(self.lines, 1):
            access = re.search(r"_view_tko .*?(%[\w-]+)\[([^\]]*)\].*partition_view<tile=\(([\dx]+)\)", text)
            if not access:
                continue
            extents, tile = self.view_extents(access[1], line), [int(d) for d in access[3].split("x")]
            indices = [n.strip() for n in access[2].split(",")]
            for d, (index, size) in enumerate(zip(indices, tile)):
                end = self.loop_end(index, line)
                if end is None:
                    end = (self.constant(index, line) or 0) + 1
                if extents and d < len(extents) and extents[d].startswith("%") and end < 1 << 20:
                    yield extents[d], (end - 1) * size + 1

    def constant(self, name, line):
        found = self.definition(name, line)
        number = re.search(r"constant <i\d+: (\d+)>", found[3]) if found and found[1] == "constant" else None
        return int(number[1]) if number else None

    def carried_roots(self, found, sign, seen):
        """What the body of a loop hands on."""
        at, depth = found[0], len(found[3]) - len(found[3].lstrip())
        for number in range(at, len(self.lines)):
            line = self.lines[number]
            if re.match(r"\s*(continue|break|yield) %", line):
                inner = [r for n in re.findall(r"%[\w-]+", line.split(" : ")[0])[:4] for r in self.roots(n, number + 1, sign, seen)]
                return inner
            if number > at and line.strip() == "}" and len(line) - len(line.lstrip()) <= depth:
                break
        return []

    def view_extents(self, name, line):
        """Operands or numbers in `shape = [...]` of the tensor view behind a view, in the order of the view's dimensions."""
        order = None
        for _ in range(20):
            found = self.definition(name, line)
            if not found:
                return None
            mapped = re.search(r"dim_map=\[([\d, ]*)\]", found[3])
            if mapped and order is None:
                order = [int(d) for d in mapped[1].split(",") if d.strip()]
            if found[1] == "make_tensor_view":
                shape = re.search(r"shape = \[([^\]]*)\]", found[3])
                extents = [s.strip() for s in shape[1].split(",")] if shape else []
                return [extents[d] for d in order] if order and len(order) == len(extents) else extents
            if not found[2]:
                return None
            name, line = found[2][0] if found[1] != "assume" else found[2][-1], found[0]
        return None


LIST_ELEMENT = {"f8m3fn": "f8E4M3FN", "f8m2": "f8E5M2", "f8m0fnu": "f8E8M0FNU", "b8": "i8", "u8": "i8", "u16": "i16", "u32": "i32", "u64": "i64"}
