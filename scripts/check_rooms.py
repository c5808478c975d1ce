#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every folder of tileiras/ includes only what the table of rooms in docs/architecture.md lets it include.

    scripts/check_rooms.py [SOURCE]      SOURCE: the root of the tree, by default the one this script is in

The table is read from the page, so page and code cannot differ. Prints one line per violation and exits with 1; also if a
folder has no row, a row no folder, or the rows allow a circle.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#?\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
SUFFIXES = {".h", ".cpp", ".td", ".c", ".def", ".inc"}
UPSTREAM = ("mlir/", "mlir-c/", "llvm/", "llvm-c/")


def read_table(page: str):
    """{room: names it may include} from the rows of the section on rooms: | `Room` | what it is | `A`, `B` |"""
    section = re.search(r"^## Rooms.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    rooms = {}
    for line in section.group().splitlines() if section else []:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 3 and cells[0].startswith("`"):
            rooms[cells[0].strip("`/")] = set(re.findall(r"`([^`]+)`|\b(MLIR)\b", cells[2]))
    return {room: {a.strip("/") or b for a, b in names} for room, names in rooms.items()}


def room_of(path: str, rooms):
    """The longest row that `path` (relative to tileiras/) lies in."""
    while path:
        if path in rooms:
            return path
        path = path.rpartition("/")[0]
    return None


def find_circle(rooms):
    done, chain = set(), []

    def visit(room):
        if room in chain:
            return chain[chain.index(room):] + [room]
        if room in done:
            return None
        chain.append(room)
        for name in sorted(rooms.get(room, ())):
            if circle := visit(name):
                return circle
        done.add(chain.pop())
        return None

    return next(filter(None, (visit(room) for room in sorted(rooms))), None)


def check(source: pathlib.Path):
    rooms = read_table((source / "docs/architecture.md").read_text())
    for room, names in sorted(rooms.items()):
        for name in sorted(names - set(rooms) - {"MLIR"}):
            yield f"docs/architecture.md: {room} may include {name}, which is no room"
        if not (source / "tileiras" / room).is_dir():
            yield f"docs/architecture.md: there is no folder tileiras/{room}"
    if circle := find_circle(rooms):
        yield "docs/architecture.md: the rooms may include each other in a circle: " + " > ".join(circle)
    for file in sorted((source / "tileiras").rglob("*")):
        path = file.relative_to(source / "tileiras").as_posix()
        if file.suffix not in SUFFIXES or "/test/" in path:
            continue
        room = room_of(path, rooms)
        if room is None:
            yield f"tileiras/{path}: the room has no row in docs/architecture.md"
            continue
        text = file.read_text()
        for match in INCLUDE.finditer(text):
            name = match.group(1)
            where = f"tileiras/{path}:{text.count(chr(10), 0, match.start(1)) + 1}"
            if name.startswith("tileiras/"):
                other = room_of(name.removeprefix("tileiras/"), rooms)
                if other != room and other not in rooms[room]:
                    yield f"{where}: {room} may not include {other or name}: \"{name}\""
            elif name.startswith(UPSTREAM) and "MLIR" not in rooms[room]:
                yield f"{where}: {room} may not include MLIR or LLVM: \"{name}\""
            elif name.startswith("../"):
                yield f"{where}: paths begin at the root of the tree: \"{name}\""


def main():
    source = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    violations = list(check(source))
    for violation in violations:
        print(violation)
    print(f"{len(violations)} violation(s) of the table of rooms" if violations else "the table of rooms holds")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
