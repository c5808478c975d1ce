# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments for kernels of which only the module is left.

What the module says (corpus_module.py) gives a first guess: every array of one extent, random numbers, scalars 1, a grid of 2 x 2,
extents as the constant indices of views ask for. The
reference runs it, and what it complains of says what to change: an index outside of a view makes the view's array larger, or
what the index comes from smaller (the numbers in an index array, a scalar, the grid); a pointer outside of an array makes the array
longer; a false assumption rounds what it speaks of. find() goes on until the reference has no complaint.
"""

import re
import time

from corpus_module import Module

TOLERANCE = {"f64": "rel:1e-6/abs:1e-6", "f32": "rel:1e-3/abs:1e-3", "f16": "rel:2e-2/abs:2e-2", "bf16": "rel:5e-2/abs:5e-2"}
BYTES = {"f64": 8, "i64": 8, "f32": 4, "tf32": 4, "i32": 4, "f16": 2, "bf16": 2, "i16": 2}
MOST_ELEMENTS = 1 << 24
MOST_EXTENT = 1 << 15
ROUNDS = 40  # of repairing one guess
SECONDS = 90  # for one module: its constants may ask for more work than is worth it
NARROWER = {(1, 3): (0, 1), (0, 1): (0, 0)}  # numbers in integer arrays; 0 divides badly, so not at first


class Guess:
    """A set of arguments that can be changed."""

    def __init__(self, module, extent, grid, blocks):
        self.module, self.grid, self.blocks = module, grid, blocks
        self.extents = {(a.at, d): a.fixed[d] or (extent if a.rank < 3 else max(extent // 4, 1)) for a in module.arrays for d in range(a.rank)}
        self.values = {i: module.divisor[i] for i in module.rest}
        self.multiple = list(module.divisor)
        self.range = {a.at: (1, 3) for a in module.arrays}
        self.count = {a.at: 2 for a in module.arrays if a.listed}
        self.room = {}  # elements of memory after arrays, if more than their extents take
        self.extent = extent
        self.assume = True
        self.stores = True
        self.tried, self.grown = {}, set()
        for operand, needed in module.sizes():
            parameter = module.parameter(operand)
            role, array, d = module.role(parameter) if parameter is not None else ("", None, 0)
            if role == "extent" and needed > self.shape(array)[d]:
                self.grow(array, d, needed / self.shape(array)[d])

    def flags(self):
        return [f"--grid={self.grid}"] + ([f"--blocks={self.blocks}"] if self.blocks else []) + ([] if self.assume else ["--ignore-assumptions"])

    def element(self, at):
        return next(a.element for a in self.module.arrays if a.at == at)

    def rounded(self, value, parameter):
        step = self.multiple[parameter]
        return (value + step - 1) // step * step

    def shape(self, array):
        listed = array.listed
        return [array.fixed[d] or (self.extents[array.at, d] if listed else self.rounded(self.extents[array.at, d], array.at + 1 + d))
                for d in range(array.rank)]

    def strides(self, array, extents):
        # The innermost dimension is the one whose stride is said to be 1, else the last that may be 1.
        rank, steps = array.rank, array.steps
        inner = [d for d in range(rank) if steps[d] == 1 and extents[d] != 1] or [d for d in range(rank) if steps[d] == 1]
        if not inner and not array.listed:
            inner = [d for d in range(rank) if self.multiple[array.at + 1 + rank + d] == 1]
        order = [d for d in range(rank) if d not in inner[-1:]] + inner[-1:]
        strides, step = [0] * rank, 1
        for d in reversed(order):
            strides[d] = steps[d] if steps[d] is not None else step if array.listed else self.rounded(step, array.at + 1 + rank + d)
            step = max(step, strides[d] * extents[d])
        return strides, step

    def fill(self, array, number, whole):
        if array.element == "i1":
            return "random(lo=0,hi=1)"
        if array.element[0] == "i":
            lo, hi = self.range[array.at]
            return f"integers(lo={lo},hi={hi},seed={number})"
        return f"{'integers' if whole else 'random'}(lo=-2,hi=2,seed={number})"

    def arguments(self, whole=False):
        """Words for tileiras-run, or None if the arrays are too large."""
        module = self.module
        words = {i: f"{module.parameters[i][1]}=" + ("0.5" if module.parameters[i][1][0] in "fb" else str(v)) for i, v in self.values.items()}
        before, total = [], 0
        for number, array in enumerate(module.arrays):
            extents = self.shape(array)
            strides, size = self.strides(array, extents)
            room = self.room.get(array.at, 0)
            total += max(size, room)
            if total > MOST_ELEMENTS:
                return None
            facts = [f"tol={TOLERANCE[array.element]}"] if array.element in TOLERANCE and not whole else []
            if array.listed:
                names = [f"a{number}x{k}" for k in range(self.count[array.at])]
                for k, name in enumerate(names):
                    options = ",".join(["strides=" + "x".join(map(str, strides)), "pass=none"] + facts)
                    before.append(f"{name}:{array.element}[{'x'.join(map(str, extents))}]{{{options}}}={self.fill(array, 100 * number + k, whole)}")
                words[array.at], words[array.at + 1] = f"l{number}:list={','.join(names)}", None
                continue
            for d in range(array.rank):
                words[array.at + 1 + d] = f"{module.parameters[array.at + 1 + d][1]}={extents[d]}"
                words[array.at + 1 + array.rank + d] = f"{module.parameters[array.at + 1 + array.rank + d][1]}={strides[d]}"
            if room > size or array.rank == 0:  # longer than the kernel is told
                dims = str(max(size, room) if array.rank else max(room, self.extent * self.extent))
            else:
                dims, facts = "x".join(map(str, extents)), ["strides=" + "x".join(map(str, strides))] + facts
            options = f"{{{','.join(facts)}}}" if facts else ""
            words[array.at] = f"a{number}:{array.element}[{dims}]{options}={self.fill(array, number, whole)}"
        return before + [words[i] for i in range(len(module.parameters)) if words[i] is not None]

    #===------------------------------------------------------------------------===#
    # Changes. Each returns whether it changed something.
    #===------------------------------------------------------------------------===#

    def larger(self, root, factor):
        if root.sign < 0:
            return self.smaller_value(root)
        if root.kind == "data" and self.element(root.number)[0] == "i":
            old = max(self.range[root.number][1], 1)  # lengths in an array: all alike
            new = min(max(int(old * factor), old + 1), MOST_EXTENT)
            self.range[root.number] = (new, new)
            return new != old
        if root.kind != "parameter":
            return False
        role, array, place = self.module.role(root.number)
        if role == "scalar":
            old = self.values[root.number]
            self.values[root.number] = self.rounded(min(max(int(old * factor), old + 1, 16 if factor > 1.5 else 1), MOST_EXTENT), root.number)
            return self.values[root.number] != old
        if role == "count":
            return False
        return self.grow(array, place, factor) if role == "extent" else False

    def grow(self, array, d, factor):
        if array.fixed[d]:
            return False
        before = {k: e for k, e in self.extents.items() if k[0] == array.at}
        old = self.shape(array)[d]
        new = self.extents[array.at, d] = min(max(int(old * factor + 0.999), old + 1), MOST_EXTENT)
        self.grown.add((array.at, d))
        # Where that becomes too large, what nobody asked for becomes small.
        for other in [None] + [k for k in before if k not in self.grown]:
            if other:
                self.extents[other] = 1
            if new > old and self.strides(array, self.shape(array))[1] <= MOST_ELEMENTS // 4:
                return True
        self.extents |= before
        return False

    def smaller_value(self, root):
        """What the root stands for becomes smaller."""
        if root.kind == "grid":
            sides = [int(s) for s in (self.grid + ",1,1").split(",")[:3]]
            if sides[root.number] == 1:
                return False
            sides[root.number] = 1
            self.grid = ",".join(map(str, sides))
            return True
        if root.kind == "data":
            if self.range[root.number] not in NARROWER:
                return False
            self.range[root.number] = NARROWER[self.range[root.number]]
            return True
        role, array, place = self.module.role(root.number)
        if role == "scalar":
            old = self.values[root.number]
            self.values[root.number] = old // 2 // self.multiple[root.number] * self.multiple[root.number]
            return self.values[root.number] != old
        if role == "extent" and not array.fixed[place]:
            old = self.shape(array)[place]
            self.extents[array.at, place] = max(old // 2, 1)
            return self.shape(array)[place] != old
        return False

    def smaller(self, root):
        return root.sign > 0 and self.smaller_value(root)

    def attempt(self, *key):
        self.tried[key] = self.tried.get(key, 0) + 1
        return self.tried[key]


def distinct(roots):
    return list({r.key(): r for r in roots}.values())


def repair(guess, said):
    """Changes the guess because of what the reference said; False if nothing can be done."""
    module = guess.module
    found = re.search(r":(\d+):\d+: error: (.*)", said)
    if not found:
        return False
    line, message = int(found[1]), found[2]
    text = module.lines[line - 1]
    tries = guess.attempt(line, re.sub(r"\d+", "", message)[:40])
    operation = re.search(r"= (\w+)", text) or re.search(r"^\s*(\w+)", text)

    outside = re.match(r"index (-?\d+) along dimension (\d+) is outside the index space of the view \((\d+) tiles\)", message)
    if outside:
        index, d, tiles = map(int, outside.groups())
        view = re.search(r"(%[\w-]+)\[([^\]]*)\]", text)
        indices = [n.strip() for n in view[2].split(",")]
        extents = module.view_extents(view[1], line)
        changed = False
        if index < 1 << 16 and tries <= 16 and extents and d < len(extents) and extents[d].startswith("%"):
            # A loop would ask for one tile more each time.
            needed = max(index + 1, module.loop_end(indices[d], line) or 2 * index * (tries > 1))
            factor = needed / tiles if tiles else 16
            for root in distinct(module.roots(extents[d], line)):
                changed |= guess.larger(root, factor)
        if not changed:
            for root in distinct(module.roots(indices[d], line)):
                changed |= guess.smaller(root)
        return changed

    if "out of bounds" in message and operation:
        view = re.search(r"(%[\w-]+)\[", text)
        pointer = view[1] if view else re.search(r"%[\w-]+", text.split(" = ", 1)[-1].split("_tko", 1)[-1])[0]
        past = re.search(r"is (\d+) bytes past the end of '(\w+)' \((\d+) bytes\)", message)
        if past and re.match(r"a\d+$", past[2]):
            array = module.arrays[int(past[2][1:])]
            size = BYTES.get(array.element, 1)
            needed = (int(past[1]) + int(past[3])) // size + 1
            extents = guess.shape(array)
            if tries <= 4 and array.rank == 1 and needed <= MOST_EXTENT and guess.grow(array, 0, needed / extents[0]):
                return True
            needed = 1 << needed.bit_length()
            if tries <= 16 and needed <= MOST_ELEMENTS // 4:
                guess.room[array.at] = needed
                return True
        changed = False
        roots = [r for r in distinct(module.roots(pointer, line)) if r.kind != "parameter" or module.role(r.number)[0] == "scalar"]
        data = [r for r in roots if r.kind == "data"]
        for root in data or roots:
            changed |= guess.smaller(root)
        array = None if changed else module.base_array(pointer, line)
        if array and not array.listed and guess.room.get(array.at, 0) < MOST_ELEMENTS // 4:
            guess.room[array.at] = 4 * guess.room.get(array.at, 1 << 14)
            changed = True
        return changed

    if "assumption does not hold" in message:
        value = re.search(r"= assume .*?(%[\w-]+) :", text)[1]
        roots = distinct(module.roots(value, line))
        parameters = [r for r in roots if r.kind == "parameter" and module.role(r.number)[0] != "address"]
        divided = re.search(r"which (\d+) does not divide", message)
        if not roots:
            guess.assume = False  # of a constant, or of what no argument has a part in
            return True
        changed = False
        if divided:
            step = int(divided[1])
            for root in parameters:
                if guess.multiple[root.number] % step:
                    guess.multiple[root.number] = max(step, guess.multiple[root.number])
                    if module.role(root.number)[0] == "scalar":
                        guess.values[root.number] = guess.rounded(guess.values[root.number], root.number)
                    changed = True
            if not changed and tries <= 4:
                for root in roots:
                    changed |= guess.smaller(root)
        elif "below" in message:
            for root in roots:
                changed |= guess.larger(root, 16)
        else:
            for root in roots:
                changed |= guess.smaller(root)
        if not changed and guess.assume:
            guess.assume = False
            return True
        return changed

    if "is outside the" in message or "stopped after" in message:
        names = re.findall(r"%[\w-]+", text.split(" = ", 1)[-1].split(" : ")[0])[1:] if "outside" in message else []
        changed = False
        for root in distinct([r for n in names for r in module.roots(n, line)]):
            changed |= guess.smaller(root)
        return changed

    if "must be positive" in message or "negative" in message:
        changed = False
        for name in re.findall(r"%[\w-]+", text.split(" = ", 1)[-1].split(" : ")[0]):
            for root in distinct(module.roots(name, line)):
                changed |= guess.larger(root, 2)
        return changed
    return False


def find(text, run):
    """(guess, complaints). `run(guess, arguments)` asks the reference: (whether it has no complaint, what it said). The guess
    is None if there are no arguments. Arguments with which nothing is stored are taken if there are no better ones."""
    module, complaints, poor = Module(text), [], None
    axes = module.block_axes()
    grids = list(dict.fromkeys([(",".join("2" if axis in axes and axis < 2 else "1" for axis in range(3)), 0), ("1,1,1", 0)]))
    if "get_num_tile_blocks" in text:
        # The blocks share the work. Two of very many have little of it, whatever the constants of the kernel say.
        grids.insert(0, ("4096,1,1", 2))
    end = time.monotonic() + SECONDS
    for extent in (64, 128, 16, 256, 2048, 32, 1):
        for grid, blocks in grids:
            guess = Guess(module, extent, grid, blocks)
            for _ in range(ROUNDS):
                words = guess.arguments()
                if time.monotonic() > end:
                    return poor, complaints + [f"no arguments in {SECONDS} s, the last --grid={guess.grid} {' '.join(words or [])}"]
                if words is None:
                    complaints.append(f"extent {extent}: arrays too large")
                    break
                good, said = run(guess, words)
                if good and not re.search(r"stored bytes\W+0\b", said):
                    return guess, complaints
                if good:
                    guess.stores = False
                    poor = poor or guess
                    break
                if not repair(guess, said):
                    complaints.append(f"--grid={guess.grid} {' '.join(words)}\n{said}")
                    break
            else:
                complaints.append(f"--grid={guess.grid} {' '.join(words)}\n{said}\nstill after {ROUNDS} repairs")
    return poor, complaints
