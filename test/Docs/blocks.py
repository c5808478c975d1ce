#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes the code blocks of the documentation, page by page, in a folder of their own, in the order in which they stand.

usage: blocks.py BUILD [--report FILE.json] [--page NAME] [--all]

Fenced blocks, by the word behind the fence:
  python          run in one interpreter per page
  sh [STATUS]     run by bash, which must end with the status (0)
  mlir FILE, python FILE, c FILE    written to FILE; C is also compiled with libtileiras.so and run
  text            the output of the block before, "..." standing for anything
Indented blocks that begin with one of our tools are run, too; those that begin with no command are drawings and outputs. Every other block
must be in the table NOT_RUN of not_run.py, with the reason; a row without a block is a failure as well.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "Package"))
from not_run import FIXTURES, LONG, NOT_RUN  # noqa: E402
from suite import Suite  # noqa: E402

TOOLS = ("mkdir ", "tileiras ", "tileiras-", "build/bin/", "cuda-tile-optimize ", "tileirdisasm ")
#: What begins a block of commands, run or not.
COMMAND = re.compile(r"(make|cmake|ninja|ctest|cc|nvcc|pip|python3?|pytest|export|mkdir|tileir\S*|cuda-tile\S*|(build(-\w+)?|test|scripts|bench|fuzz)/\S+|[A-Z_]+=\S*)(\s|$)")
DRIVER = """
import contextlib, io, json, sys, traceback
names = {"__name__": "page"}
answers = sys.stdout
for line in sys.stdin:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(json.loads(line), "page", "exec"), names)
            failed = None
        except BaseException:
            failed = traceback.format_exc()
    answers.write(json.dumps([out.getvalue(), failed]) + "\\n")
    answers.flush()
"""


class Block:
    def __init__(self, page, line, kind, argument, text):
        self.page, self.line, self.kind, self.argument, self.text = page, line, kind, argument, text

    def __str__(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page):
    lines, k = page.read_text().splitlines(), 0
    while k < len(lines):
        fence = re.match(r"^```(\w*) ?(\S*)", lines[k])
        if fence:
            end = next(j for j in range(k + 1, len(lines)) if lines[j].startswith("```"))
            yield Block(page, k + 1, fence[1] or "plain", fence[2], "\n".join(lines[k + 1:end]) + "\n")
            k = end
        elif re.match(r"^    \S", lines[k]) and (k == 0 or not lines[k - 1].strip()):
            end = k
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            text = "\n".join(line[4:] for line in lines[k:end]).rstrip() + "\n"
            yield Block(page, k + 1, "indented", "", text)
            k = end - 1
        k += 1


def matches(pattern, output):
    """Whether the output has the lines of the pattern, in which "..." is anything."""
    squeeze = lambda text: re.sub(r"\s+", " ", text).strip()  # noqa: E731
    parts = [re.escape(squeeze(part)) for part in pattern.split("...")]
    return re.search(r".*?".join(parts).replace(r"\ ", r"\s*"), squeeze(output), re.S)


class Page:
    """The folder of a page, and its interpreter."""

    def __init__(self, page, folder, build, python):
        self.page, self.folder, self.build, self.python, self.process = page, folder, build, python, None
        path = [str(build / "bin"), os.environ["PATH"]]
        self.environment = {**os.environ, "PATH": os.pathsep.join(path), "PYTHONPATH": str(ROOT / "python"), "OPEN_TILEIRAS_BUILD": str(build),
                            "PYTHONDONTWRITEBYTECODE": "1"}
        if not shutil.which("ptxas"):
            self.environment["TILEIRAS_IMAGE"] = "ptx"  # whoever wants a cubin gets PTX
        (folder / "examples").symlink_to(ROOT / "examples")
        (folder / "build").symlink_to(build)
        for name, source in FIXTURES.get(str(page.relative_to(ROOT)), {}).items():
            (folder / name).write_text(source if "\n" in source else (ROOT / source).read_text())
        # "python3" of a page is the one that has NumPy.
        (folder / ".bin").mkdir()
        (folder / ".bin" / "python3").symlink_to(python) if pathlib.Path(python).is_absolute() else None
        self.environment["PATH"] = str(folder / ".bin") + os.pathsep + self.environment["PATH"]

    def shell(self, text, status=0):
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", text], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        output = done.stdout.decode(errors="replace")
        assert done.returncode == status, f"exit status {done.returncode} instead of {status}:\n{output[-4000:]}"
        return output

    def interpret(self, text):
        if not self.process:
            self.process = subprocess.Popen([self.python, "-c", DRIVER], cwd=self.folder, env=self.environment, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(json.dumps(text) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, "the interpreter died"
        output, failed = json.loads(answer)
        assert not failed, failed
        return output

    def run(self, block):
        """The output of a block."""
        if block.kind == "python" and not block.argument:
            return self.interpret(block.text)
        if block.kind == "sh":
            return self.shell(block.text, int(block.argument or 0))
        if block.kind in ("mlir", "python", "c") and block.argument:
            (self.folder / block.argument).write_text(block.text)
            if block.kind != "c":
                return ""
            compiler = next(c for c in map(shutil.which, ("cc", "clang-22", "gcc")) if c)
            return self.shell(f"{compiler} -Wall -Werror {block.argument} -I{ROOT} -L{self.build}/lib -ltileiras -Wl,-rpath,{self.build}/lib -o a.out && ./a.out")
        # What stands in brackets may be there.
        return self.shell(re.sub(r"\[(--[^\]]*)\]", r"\1", block.text))

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--report")
    parser.add_argument("--page", help="only pages whose path contains this")
    parser.add_argument("--all", action="store_true", help="the blocks of LONG too")
    args = parser.parse_args()
    build, suite = args.build.resolve(), Suite(args.report)
    python = next((p for p in (os.environ.get("TILEIRAS_PACKAGE_PYTHON"), sys.executable, "/usr/bin/python3")
                   if p and not subprocess.run([p, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode), None)
    rows = {(page, start): False for page, start, _ in NOT_RUN + LONG}
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in pages:
        name = str(page.relative_to(ROOT))
        if args.page and args.page not in name:
            continue
        with tempfile.TemporaryDirectory(prefix="tileiras-docs-") as folder:
            session, output = Page(page, pathlib.Path(folder), build, python or sys.executable), ""
            for block in blocks(page):
                if block.kind == "indented" and not COMMAND.match(block.text):
                    continue
                row = next((k for k in rows if k[0] == name and block.text.startswith(k[1])), None)
                if row:
                    rows[row] = True
                    if not (args.all and any(row == (p, s) for p, s, _ in LONG)):
                        continue
                if block.kind == "python" and not python or block.kind == "text" and output is None:
                    output = None
                    suite.skip(str(block), "no Python with NumPy (apt-get install python3-numpy)")
                    continue
                with suite.case(str(block)):
                    if block.kind == "text":
                        assert matches(block.text, output), f"the output is\n{output}"
                    else:
                        known = block.kind in ("python", "sh") or block.argument or block.kind == "indented" and block.text.startswith(TOOLS)
                        assert known, "nobody runs this block, and not_run.py does not say why"
                        output = ""
                        output = session.run(block)
            session.close()
    if not args.page:
        with suite.case("the table of not_run.py"):
            gone = [row for row, found in rows.items() if not found]
            assert not gone, f"rows without a block: {gone}"
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
