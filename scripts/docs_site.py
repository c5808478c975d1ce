#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the documentation a site with search: BUILD/site/index.html.

usage: docs_site.py BUILD [--check]      --check: only whether it can be made, without a warning; nothing is left

mkdocs with the Material theme makes it. It is taken from PATH or TILEIRAS_MKDOCS, else installed into BUILD/docs-venv by pip (which needs a network).
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAVIGATION = [
    ("First hour", ["index.md", "python.md", "guide/check.md", "guide/read.md", "guide/slow.md", "guide/front-ends.md", "guide/fails.md", "install.md"]),
    ("Looking", ["explorer.md", "remarks.md", "layouts.md", "timing.md"]),
    ("Tools", ["tileiras.md", "tileiras-run.md", "device.md", "tileiras-opt.md", "tileiras-translate.md", "cuda-tile-optimize.md", "editor.md"]),
    ("The compiler", ["architecture.md", "contract.md", "seeds.md", "agents.md", "pipelines.md", "scheduler.md", "hints.md", "clusters.md", "coalescing.md", "bytecode.md",
                      "dialects/cuda_tile.md", "dialects/nv_tileaa.md", "dialects/nv_tileas.md", "dialects/nvgpu.md", "dialects/cute.md", "dialects/cutlass.md"]),
    ("The emulator", ["emulator.md", "emulator-pipeline.md", "emulator-tma.md", "emulator-tcgen05.md", "mutation.md"]),
    ("Measurements", ["performance.md", "math-accuracy.md", "spills.md", "real-kernels.md", "corpus.md", "front-ends.md"]),
    ("Working on it", ["contributing.md", "fuzzing.md", "upstream-mlir.md"]),
]
#: Pages from outside of the folder.
MOVED = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md"}
CONFIGURATION = """site_name: open-tileiras
site_description: An open compiler for CUDA Tile IR, and an emulator that runs what it emits without a GPU
docs_dir: docs
site_dir: {site}
use_directory_urls: false
theme:
  name: material
  font: false
  features: [navigation.tabs, navigation.indexes, toc.follow, search.suggest, search.highlight, content.code.copy]
  palette:
    - media: "(prefers-color-scheme: light)"
      scheme: default
      toggle: {{icon: material/weather-night, name: Dark}}
    - media: "(prefers-color-scheme: dark)"
      scheme: slate
      toggle: {{icon: material/weather-sunny, name: Light}}
plugins: [search, offline]
markdown_extensions: [tables, attr_list, toc, pymdownx.superfences, pymdownx.highlight]
validation:
  omitted_files: warn
  not_found: warn
  anchors: warn
nav:
"""


def find_mkdocs(build, install):
    """The command, or None."""
    for program in (os.environ.get("TILEIRAS_MKDOCS"), shutil.which("mkdocs"), str(build / "docs-venv" / "bin" / "mkdocs")):
        if program and pathlib.Path(program).exists():
            python = shutil.which("python3", path=str(pathlib.Path(program).parent)) or sys.executable
            if not subprocess.run([python, "-c", "import material"], stderr=subprocess.DEVNULL).returncode:
                return program
    if not install:
        return None
    folder = build / "docs-venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    subprocess.run([str(folder / "bin" / "pip"), "install", "-q", "mkdocs-material"], check=True)
    return str(folder / "bin" / "mkdocs")


def site_page(text, page):
    """A page for the site: links to sources become their text, those to pages outside of docs lead to their copies."""
    def link(match):
        label, target = match[1], match[2]
        if re.match(r"\w+:|#", target):
            return match[0]
        path, _, fragment = target.partition("#")
        whole = os.path.normpath(os.path.join(os.path.dirname(page), path))
        whole = f"docs/{MOVED[whole]}" if whole in MOVED else whole
        if not whole.startswith("docs/") or not re.search(r"\.(md|svg|webp|png)$", whole):
            return label
        home = "docs" if page in MOVED else os.path.dirname(page)
        return f"[{label}]({os.path.relpath(whole, home)}{'#' + fragment if fragment else ''})"
    # A word behind the language of a fence is for the test that runs the block.
    text = re.sub(r"(?m)^```(\w+) \S+$", r"```\1", text)
    return re.sub(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)", link, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    build = args.build.resolve()
    named = {page for _, pages in NAVIGATION for page in pages} - set(MOVED.values())
    there = {str(p.relative_to(ROOT / "docs")) for p in (ROOT / "docs").rglob("*.md")}
    if named != there:
        sys.exit(f"docs_site: NAVIGATION lacks {sorted(there - named)} and has in vain {sorted(named - there)}")
    mkdocs = find_mkdocs(build, install=not args.check)
    if not mkdocs:
        print("docs_site: there is no mkdocs with the Material theme; only the list of pages was checked")
        return 0
    with tempfile.TemporaryDirectory(prefix="tileiras-site-") as scratch:
        folder = pathlib.Path(scratch)
        shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("CMakeLists.txt", "*.json"))
        for page in (folder / "docs").rglob("*.md"):
            page.write_text(site_page(page.read_text(), str(page.relative_to(folder))))
        for source, name in MOVED.items():
            (folder / "docs" / name).write_text(site_page((ROOT / source).read_text(), source))
        site = folder / "site" if args.check else build / "site"
        lines = [CONFIGURATION.format(site=site)]
        for title, pages in NAVIGATION:
            lines += [f"  - {title}:\n"] + [f"      - {page}\n" for page in pages]
        (folder / "mkdocs.yml").write_text("".join(lines))
        done = subprocess.run([mkdocs, "build", "--strict", "--quiet", "-f", str(folder / "mkdocs.yml")],
                              env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
        if done.returncode:
            return 1
        index = (site / "index.html").read_text()
        if "search" not in index or not (site / "guide" / "check.html").exists():
            sys.exit("docs_site: the site lacks pages")
        print(f"{site}/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
