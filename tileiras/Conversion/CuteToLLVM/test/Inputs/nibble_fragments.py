# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fragments of mma.m16n8k64 and m16n8k32 of 4-bit integers, as tileiras-layout draws them, against the formulas of the PTX ISA.

usage: nibble_fragments.py TILEIRAS_LAYOUT FILE

PTX ISA, "Matrix Fragments for mma.m16n8k64" and "mma.m16n8k32" with .u4/.s4, for lane l, g = l / 4, t = l % 4:

    A   k 64  a_i  row g for i in 0..7 and 16..23, else g + 8     column 8 t + i % 8, from i = 16 on 32 more
        k 32  a_i  row g for i in 0..7, else g + 8                column 8 t + i % 8
    B   b_i   column g    row 8 t + i % 8, from i = 8 on 32 more
    C   c_i   row g for i < 2, else g + 8                         column 2 t + i % 2
"""

import re
import subprocess
import sys


def expected(k):
    cells = {"A": {}, "B": {}, "C": {}}
    for lane in range(32):
        g, t = lane // 4, lane % 4
        for i in range(k // 2):
            upper = i < 8 or 16 <= i < 24
            cells["A"][(g if upper else g + 8, 8 * t + i % 8 + (32 if i >= 16 else 0))] = (lane, i)
        for i in range(k // 4):
            cells["B"][(g, 8 * t + i % 8 + (32 if i >= 8 else 0))] = (lane, i)  # drawn as columns by k
        for i in range(4):
            cells["C"][(g if i < 2 else g + 8, 2 * t + i % 2)] = (lane, i)
    return cells


def drawn(tool, file, op):
    text = subprocess.run([tool, file, f"--op={op}", "--max-rows=64", "--max-columns=64"], capture_output=True, text=True, check=True).stdout
    found, operand = {}, None
    for line in text.splitlines():
        title = re.search(r"result: ([ABC]) of one atom", line)
        row = re.match(r"\s*(\d+) \|(.*)", line)
        if title:
            operand = title[1]
            found[operand] = {}
        elif row and operand:
            for column, (lane, value) in enumerate(re.findall(r"T(\d+):r(\d+)", row[2])):
                found[operand][(int(row[1]), column)] = (int(lane), int(value))
    return found


def main():
    tool, file = sys.argv[1:]
    for op, k in enumerate([64, 32]):
        want, got = expected(k), drawn(tool, file, op)
        if [len(cells) for cells in want.values()] != [16 * k, 8 * k, 128]:
            sys.exit("the formulas leave elements out")
        for operand in "ABC":
            wrong = [cell for cell in want[operand] if got[operand].get(cell) != want[operand][cell]]
            if wrong or len(got[operand]) != len(want[operand]):
                sys.exit(f"k = {k}, {operand}: {len(wrong)} of {len(want[operand])} elements are elsewhere, as {wrong[:4]}")
        print(f"k = {k}: every element is where the PTX ISA has it")


if __name__ == "__main__":
    main()
