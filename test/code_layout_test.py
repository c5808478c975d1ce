#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/lay_out_code.py on programs that stand for the compiler: a small one is put in order, once; one whose ordered copy
writes something else, and one that cannot be counted, stay as they were.

usage: code_layout_test.py BUILD [--report FILE]
"""

import argparse
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import lay_out_code  # noqa: E402

# Writes its own source's name to where -o says, some thousand calls later; leaves as the compiler does.
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) int step(int n, int wanted) { return wanted && n % 3 ? n * 2 + 1 : n - 1; }
int main(int count, char **words) {
  int sum = 0;
  for (int i = 0; i < 1000; ++i)
    sum += step(i, count > 1);
  for (int i = 1; i + 1 < count; ++i)
    if (!strcmp(words[i], "-o")) {
      FILE *file = fopen(words[i + 1], "w");
      if (!file)
        return 1;
      fprintf(file, "%d %s\n", sum, strrchr(words[1], '/'));
      fclose(file);
    }
  _exit(0);
}
"""


def make(folder, *options):
    """A build folder with PROGRAM as its compiler."""
    build = folder / "build"
    (build / "bin").mkdir(parents=True)
    (build / "lib").mkdir()
    (folder / "program.c").write_text(PROGRAM)
    clang = lay_out_code.program("clang")
    subprocess.run([clang, "-O1", "-no-pie", "-fuse-ld=lld", *options, folder / "program.c", "-o", build / "bin/tileiras"], check=True)
    subprocess.run([clang, "-shared", "-fPIC", ROOT / "tools/tileiras/OrderlyExit.c", "-o", build / "lib/liborderly_exit.so"], check=True)
    return build


def run(build):
    """Exit status and what was said."""
    said, before = io.StringIO(), sys.argv
    sys.argv = ["lay_out_code.py", str(build)]
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            return lay_out_code.main(), said.getvalue()
    finally:
        sys.argv = before


def is_ordered(build):
    return ".note.bolt_info" in lay_out_code.sections(build / "bin/tileiras")


def ordered_once(folder):
    build = make(folder, "-Wl,--emit-relocs")
    linked = (build / "bin/tileiras").read_bytes()
    assert run(build)[0] == 0 and is_ordered(build)
    kernel, target = next(lay_out_code.jobs())
    (folder / "linked").write_bytes(linked)
    (folder / "linked").chmod(0o755)
    assert lay_out_code.compile_kernel(build / "bin/tileiras", kernel, target, folder / "a") == \
        lay_out_code.compile_kernel(folder / "linked", kernel, target, folder / "b") != b""
    status, said = run(build)
    assert status == 0 and not said, "an ordered program is left alone"
    # Linked again, to the same: what is in store is taken, without counting.
    (build / "bin/tileiras").write_bytes(linked)
    status, said = run(build)
    assert status == 0 and not said and is_ordered(build)


def not_the_same(folder):
    build = make(folder, "-Wl,--emit-relocs")
    before, compile_kernel = (build / "bin/tileiras").read_bytes(), lay_out_code.compile_kernel
    lay_out_code.compile_kernel = lambda binary, *more: compile_kernel(binary, *more) + binary.name.encode()
    try:
        status, said = run(build)
    finally:
        lay_out_code.compile_kernel = compile_kernel
    assert status == 0 and "to something else" in said and (build / "bin/tileiras").read_bytes() == before


def no_counts(folder):
    build = make(folder, "-Wl,--emit-relocs")
    subprocess.run([lay_out_code.program("clang"), "-shared", "-x", "c", "/dev/null", "-o", build / "lib/liborderly_exit.so"], check=True)
    status, said = run(build)
    assert status == 0 and "no compilation left counts" in said and not is_ordered(build)


def no_addresses(folder):
    build = make(folder)
    status, said = run(build)
    assert status == 0 and "--emit-relocs" in said and not is_ordered(build)


def no_bolt(folder):
    build, program = make(folder, "-Wl,--emit-relocs"), lay_out_code.program
    lay_out_code.program = lambda name: None if name == "llvm-bolt" else program(name)
    try:
        status, said = run(build)
    finally:
        lay_out_code.program = program
    assert status == 0 and "without llvm-bolt" in said and not is_ordered(build)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--report", type=pathlib.Path)
    arguments = parser.parse_args()
    tools = all(lay_out_code.program(name) for name in ("llvm-bolt", "merge-fdata", "llvm-readelf", "clang"))
    cases = [ordered_once, not_the_same, no_counts, no_addresses, no_bolt] if tools else []
    failed = 0
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            try:
                case(pathlib.Path(folder))
            except (AssertionError, subprocess.CalledProcessError) as error:
                failed += 1
                print(f"{case.__name__}: {error!r} {error.__traceback__.tb_lineno}")
    skipped = 0 if tools else 1
    if skipped:
        print("skipped: no llvm-bolt here")
    if arguments.report:
        arguments.report.write_text(json.dumps({"passed": len(cases) - failed, "failed": failed, "skipped": skipped}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
