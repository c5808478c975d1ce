#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of the five design documents ("seeds") is implemented, and where: docs/seeds/*.json, one row per observable statement.

usage: seeds.py [--write FILE.md] [--counts] [--status STATUS] [--plant]

Checks the rows: files and tests that a row names exist, its name (an operation, a pass, a text of a diagnostic, ...) occurs in one of
them, what works or is done differently is shown by a test that mentions it, and what does not work says why. A test mentions a row if
it has the row's word of docs/seeds/shows.json, or its name if there is none, which may be nothing that any text has. docs/seeds.md
has the counts; --counts brings them up to date. --write makes the full page (`make docs`: BUILD/docs/seeds.md). --status prints the
rows of one status, as `not yet`. --plant puts one fault of each kind into a row that has none, and fails unless it is found.

A row: id; section of the document; kind; what it says; status; where (files or folders with the implementation); test (what executes
it); name; note. Status: works; partial; not yet; different (on purpose, the note says why); binary (says something about the
reference compiler's binary that no one could observe).
"""

import argparse
import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER, PAGE = ROOT / "docs" / "seeds", ROOT / "docs" / "seeds.md"
SHOWS = FOLDER / "shows.json"  # {row: a word by which its test speaks of it, if that is not its name}
STATUSES = ["works", "partial", "not yet", "different", "binary"]
KEYS = {"id", "section", "kind", "what", "status", "where", "test", "name", "note"}
NAMED = {"op", "pass", "diagnostic", "option"}  # kinds whose rows need a name


def documents():
    return [json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json")) if path != SHOWS]


def with_modules(path, seen):
    """The text of a script and of the modules beside it that it imports: its cases may stand there."""
    if path in seen or not path.exists():
        return ""
    seen.add(path)
    text = path.read_text(errors="replace")
    if path.suffix != ".py":
        return text
    imported = re.findall(r"^\s*(?:from|import)\s+(\w+)", text, re.M)
    return "\n".join([text] + [with_modules(path.with_name(name + ".py"), seen) for name in imported])


def contents(path, cache={}):
    """The text of a file, or of the sources of a folder."""
    if path not in cache:
        files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix in (".h", ".cpp", ".td", ".def", ".py", ".mlir"))
        cache[path] = "\n".join(with_modules(p, set()) for p in files)
    return cache[path]


def is_weak(word):
    """A few characters, or one word of a language: a test may have it and be about something else."""
    return len(word) < 5 or re.fullmatch("[A-Za-z][a-z]*", word) is not None


def faults(row, shows):
    if set(row) - KEYS or not {"id", "kind", "what", "status"} <= set(row):
        yield f"has the keys {sorted(row)}"
        return
    where, test, status = row.get("where", []), row.get("test", []), row["status"]
    if status not in STATUSES:
        yield f"status '{status}' is none of {', '.join(STATUSES)}"
    lost = [p for p in where + test if not (ROOT / p).exists()]
    yield from (f"'{p}' does not exist" for p in lost)
    if status in ("works", "partial", "different") and not where:
        yield "does not say where it is implemented"
    if status in ("works", "different") and not test:
        yield "does not say which test " + ("executes it" if status == "works" else "shows it")
    if status != "works" and not row.get("note"):
        yield "does not say why"
    if status in ("works", "partial") and row["kind"] in NAMED and not row.get("name"):
        yield f"is of kind '{row['kind']}' and has no name to look for"
    if row.get("name") and not lost and not any(row["name"] in contents(ROOT / p) for p in where + test):
        yield f"'{row['name']}' is in none of {', '.join(where + test)}"
    shown = shows.get(row["id"])
    if shown is not None and is_weak(shown):
        yield f"'{shown}' of docs/seeds/shows.json could stand in any text: a word or a phrase of what the test shows is needed"
    word = shown or row.get("name")
    if test and not lost and not (word and not is_weak(word) and any(word in contents(ROOT / p) for p in test)):
        yield f"is mentioned by none of its tests ({', '.join(test)}): " + \
            (f"they do not have '{word}'" if word and not is_weak(word) else "it has no word of its own, as name or in docs/seeds/shows.json")


def plant(rows, shows):
    """One fault of each kind, in copies of a row that has none. The names of those that were not found."""
    sound = next(row for row in rows if row["status"] == "works" and row.get("name") and row["kind"] in NAMED and row["test"]
                 and row["name"] in contents(ROOT / row["test"][0]) and not is_weak(row["name"]) and row["id"] not in shows
                 and not list(faults(row, shows)))
    plain = next(word for word in re.findall(r"\b[a-z]{5,}\b", contents(ROOT / sound["test"][0])))
    other = "scripts/seeds.py"
    words = {"a word that any test may have": {sound["id"]: plain}}
    cases = {
        "no such test": ({"test": ["test/EndToEnd/no_such_test.py"]}, "does not exist"),
        "no such file": ({"where": ["tileiras/NoSuchFile.cpp"]}, "does not exist"),
        "a test that is about something else": ({"test": [other]}, "is mentioned by none of its tests"),
        "a name that any test may have": ({"name": plain}, "is mentioned by none of its tests"),
        "a word that any test may have": ({}, "could stand in any text"),
        "a name that is nowhere": ({"name": "no such " + "name"}, "is in none of"),
        "no test": ({"test": []}, "does not say which test executes it"),
        "a departure without a test": ({"status": "different", "note": "why", "test": []}, "does not say which test shows it"),
        "a departure without a reason": ({"status": "different", "note": ""}, "does not say why"),
        "no file": ({"where": []}, "does not say where"),
        "no name": ({"name": ""}, "has no name to look for"),
        "no such status": ({"status": "done"}, "is none of"),
        "no such key": ({"tests": []}, "has the keys"),
    }
    return [what for what, (change, text) in cases.items()
            if not any(text in fault for fault in faults({**sound, **change}, {**shows, **words.get(what, {})}))]


def counts(found):
    lines = ["| document | rows | " + " | ".join(STATUSES) + " |", "|---" * (len(STATUSES) + 2) + "|"]
    total = collections.Counter()
    for document in found:
        here = collections.Counter(row["status"] for row in document["rows"])
        total += here
        lines.append(f"| {document['title']} | {len(document['rows'])} | " + " | ".join(str(here[s]) for s in STATUSES) + " |")
    lines.append(f"| **all** | **{sum(total.values())}** | " + " | ".join(f"**{total[s]}**" for s in STATUSES) + " |")
    return "\n".join(lines) + "\n"


def with_counts(text, table):
    return re.sub(r"(?<=<!-- counts: scripts/seeds.py --counts -->\n).*?(?=<!-- end of counts -->)", lambda _: table, text, flags=re.S)


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def page(found):
    out = ["# The seeds, statement by statement", "", "Made by `scripts/seeds.py` from docs/seeds/*.json; docs/seeds.md explains it.", "", counts(found)]
    for document in found:
        out.append(f"## {document['title']}\n")
        section = None
        for row in document["rows"]:
            if row.get("section") != section:
                section = row.get("section")
                out += [f"\n### {section}\n", "| | says | status | where | test | note |", "|---|---|---|---|---|---|"]
            files = [", ".join(f"`{p}`" for p in row.get(key, [])) for key in ("where", "test")]
            out.append(f"| {row['id']} | {cell(row['what'])} | {row['status']} | {files[0]} | {files[1]} | {cell(row.get('note', ''))} |")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--status", choices=STATUSES)
    parser.add_argument("--plant", action="store_true")
    args = parser.parse_args()
    found = documents()
    rows = [row for document in found for row in document["rows"]]
    shows = json.loads(SHOWS.read_text())
    if args.status:
        for row in rows:
            if row["status"] == args.status:
                print(f"{row['id']} {row['what']}" + (f" ({row['note']})" if row.get("note") else ""))
        return 0
    if args.plant:
        missed = plant(rows, shows)
        for what in missed:
            print(f"{what}: planted and not found")
        print(f"seeds: {len(missed)} planted faults not found")
        return 1 if missed else 0
    if args.counts:
        PAGE.write_text(with_counts(PAGE.read_text(), counts(found)))
    if args.write:
        args.write.write_text(page(found))
    wrong = {row.get("id", "?"): list(faults(row, shows)) for row in rows}
    wrong.update({name: ["is in docs/seeds/shows.json and is no row"] for name in set(shows) - set(wrong)})
    twice = [name for name, n in collections.Counter(row.get("id") for row in rows).items() if n > 1]
    wrong.update({name: ["stands twice"] for name in twice})
    if with_counts(PAGE.read_text(), counts(found)) != PAGE.read_text():
        wrong["docs/seeds.md"] = ["has other counts: run scripts/seeds.py --counts"]
    wrong = {name: why for name, why in wrong.items() if why}
    for name, why in wrong.items():
        for line in why:
            print(f"{name}: {line}")
    print(f"seeds: {len(rows)} rows, {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
