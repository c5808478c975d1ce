# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments for kernels of which only the module is left.

cuTile passes an array as its address, its extents and its strides, each a parameter of its own. Which parameter is what follows
from the order and from the operations that make views; what values are allowed follows from `assume`. How large arrays have to be
for the accesses to be in bounds is tried: candidates() gives one set of arguments after the other.
"""

import re

TOLERANCE = {"f64": "rel:1e-6/abs:1e-6", "f32": "rel:1e-3/abs:1e-3", "f16": "rel:2e-2/abs:2e-2", "bf16": "rel:5e-2/abs:5e-2"}
MOST_ELEMENTS = 1 << 22


class Entry:
    """Parameters of the entry, and what is known of them."""

    def __init__(self, text):
        match = re.search(r"entry @\S+?\((.*?)\)(?: optimization_hints=<.*>)? \{\n", text)
        self.parameters = re.findall(r"(%[\w-]+): tile<(ptr<\w+>|\w+)>", match[1]) if match else []
        # The mangled name of the entry says the rank of every array: A2f32_... It is there if the kernel takes no lists.
        symbol = re.search(r"entry @(\S+?)\(", text)
        self.ranks = [int(r) for r in re.findall(r"_A(\d)(?=[a-z])", symbol[1])] if symbol else []
        if len(self.ranks) != sum(t.startswith("ptr<") for _, t in self.parameters):
            self.ranks = None
        names = {name: i for i, (name, _) in enumerate(self.parameters)}
        self.divisor = [1] * len(names)
        self.views = {}  # pointer -> (static extents or None, static strides or None)
        for line in text.split("\n"):
            found = re.match(r"\s*(%[\w-]+) = assume (\w+)<([^>]*)>, (%[\w-]+) :", line)
            if found and found[4] in names:
                names[found[1]] = names[found[4]]
                number = re.match(r"(\d+)$", found[3])
                if found[2] == "div_by" and number:
                    self.divisor[names[found[4]]] = max(self.divisor[names[found[4]]], int(number[1]))
                continue
            found = re.match(r"\s*%[\w-]+ = make_tensor_view (%[\w-]+), shape = .*tensor_view<((?:[\d?]+x)*)\w+, strides=\[([^\]]*)\]>", line)
            if found and found[1] in names:
                fixed = [None if d == "?" else int(d) for d in found[2].split("x") if d]
                steps = [None if s.strip() == "?" else int(s) for s in found[3].split(",") if s.strip()]
                self.views.setdefault(names[found[1]], (fixed, steps))

    def arrays(self):
        """[(pointer, rank)] and the other parameters."""
        found, rest, i = [], [], 0
        while i < len(self.parameters):
            if not self.parameters[i][1].startswith("ptr<"):
                rest.append(i)
                i += 1
                continue
            numbers = 0
            while i + 1 + numbers < len(self.parameters) and self.parameters[i + 1 + numbers][1] in ("i32", "i64"):
                numbers += 1
            if self.ranks:
                rank = self.ranks[len(found)]
            else:
                rank = len(self.views[i][0]) if i in self.views else min(numbers // 2, 1)
            if 2 * rank > numbers:
                rank = numbers // 2
            found.append((i, rank))
            i += 1 + 2 * rank
        return found, rest


def fill(element, seed, whole):
    if element[0] == "i":
        return "random(lo=0,hi=1)" if element == "i1" else f"integers(lo=1,hi=3,seed={seed})"  # 0 divides badly
    return f"integers(lo=-2,hi=2,seed={seed})" if whole else f"random(lo=-2,hi=2,seed={seed})"


def arguments(entry, extent, whole):
    """Arguments with arrays of `extent` in every dimension (less for more dimensions), or None."""
    arrays, rest = entry.arrays()
    words = {i: f"{entry.parameters[i][1]}=" + ("0.5" if entry.parameters[i][1][0] in "fb" else str(entry.divisor[i])) for i in rest}
    for number, (pointer, rank) in enumerate(arrays):
        element = entry.parameters[pointer][1][4:-1]
        fixed, steps = entry.views.get(pointer, ([None] * rank, [None] * rank))
        fixed, steps = (list(fixed) + [None] * rank)[:rank], (list(steps) + [None] * rank)[:rank]
        size = extent if rank < 3 else max(extent // 4, 1)

        def rounded(value, at):
            step = entry.divisor[at]
            return (value + step - 1) // step * step

        extents = [f if f is not None else rounded(size, pointer + 1 + d) for d, f in enumerate(fixed)]
        # The innermost dimension is the one whose stride is said to be 1, else the last.
        inner = [d for d in range(rank) if steps[d] == 1 and extents[d] != 1] or [d for d in range(rank) if steps[d] == 1]
        if not inner:  # else the last that may be 1
            inner = [d for d in range(rank) if entry.divisor[pointer + 1 + rank + d] == 1]
        order = [d for d in range(rank) if d not in inner[-1:]] + inner[-1:]
        strides, step = [0] * rank, 1
        for d in reversed(order):
            strides[d] = steps[d] if steps[d] is not None else rounded(step, pointer + 1 + rank + d)
            step = max(step, strides[d] * extents[d])
        if step > MOST_ELEMENTS:
            return None
        tolerance = f"tol={TOLERANCE[element]}" if element in TOLERANCE and not whole else ""
        if rank == 0:
            words[pointer] = f"a{number}:{element}[{extent * extent}]" + (f"{{{tolerance}}}" if tolerance else "") + f"={fill(element, number, whole)}"
            continue
        facts = ["strides=" + "x".join(map(str, strides))] + ([tolerance] if tolerance else [])
        words[pointer] = f"a{number}:{element}[{'x'.join(map(str, extents))}]{{{','.join(facts)}}}={fill(element, number, whole)}"
        for d in range(rank):
            words[pointer + 1 + d] = f"{entry.parameters[pointer + 1 + d][1]}={extents[d]}"
            words[pointer + 1 + rank + d] = f"{entry.parameters[pointer + 1 + rank + d][1]}={strides[d]}"
    return [words[i] for i in range(len(entry.parameters))]


def candidates(text, whole=False):
    """(grid, arguments) to try, the more telling ones first."""
    entry = Entry(text)
    for extent in (64, 128, 16, 256, 2048, 32, 1):
        words = arguments(entry, extent, whole)
        if words is not None:
            for grid in ("2,2,1", "1"):
                yield grid, words
