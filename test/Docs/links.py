#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether what the documentation points at exists: files and headings that Markdown links to, paths in backticks, pages that comments in the
sources cite; and whether every page can be reached from README.md.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOPS = ("tileiras", "test", "unittests", "scripts", "docs", "tools", "examples", "fuzz", "bench", "cmake")
SOURCES = {".h", ".cpp", ".td", ".def", ".py", ".cmake", ".json"}


def pages():
    yield from (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "examples" / "README.md")
    yield from sorted((ROOT / "docs").rglob("*.md"))


def anchors(path):
    """The fragments that GitHub gives the headings of a page."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def exists(path):
    """Of a path of the repository as prose writes it: perhaps with a wildcard, or without the suffix of a pair of files."""
    if "*" in path:
        return any(ROOT.glob(path))
    return (ROOT / path).exists() or any(ROOT.glob(path + ".*"))


def faults(page):
    text = page.read_text()
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", target):
            continue
        file, _, fragment = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        if not path.exists():
            yield f"the link {target} leads nowhere"
        elif fragment and path.suffix == ".md" and fragment not in anchors(path):
            yield f"the link {target} names no heading"
    for path in re.findall(rf"`((?:{'|'.join(TOPS)})/[\w.*/-]+)[^`]*`", text):
        if not exists(path.rstrip("/.")):
            yield f"`{path}` does not exist"


def lost():
    """Pages that no chain of links from README.md reaches."""
    reached, work = set(), [ROOT / "README.md"]
    while work:
        page = work.pop()
        if page in reached or page.suffix != ".md" or not page.exists():
            continue
        reached.add(page)
        work += [(page.parent / target.split("#")[0]).resolve() for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text())]
        work += [p for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()) if (page.parent / target).is_dir()
                 for p in (page.parent / target).resolve().glob("*.md")]
    return [page for page in pages() if page not in reached]


def cited(path):
    """Pages of docs/ that a source names."""
    for page in set(re.findall(r"(?<![\w/])docs/[\w/.-]+\.md\b", path.read_text(errors="replace"))):
        if not (ROOT / page).exists() and f"build/{page}" not in path.read_text(errors="replace"):
            yield f"cites {page}, which does not exist"


def main():
    failed = 0
    sources = [p for top in TOPS for p in sorted((ROOT / top).rglob("*")) if p.suffix in SOURCES and p.is_file()]
    for path, found in [(p, list(faults(p))) for p in pages()] + [(p, list(cited(p))) for p in sources] + \
            [(p, ["no link leads here from README.md"]) for p in lost()]:
        failed += bool(found)
        for fault in found:
            print(f"{path.relative_to(ROOT)}: {fault}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
