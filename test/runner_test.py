#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/run_suite.py and run_tests.py: what passes, fails, is skipped, crashes, hangs or is never started is counted as such;
and of the suites' harness: cases that write one file are found.

usage: runner_test.py [--report FILE]
"""

import argparse
import contextlib
import functools
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test/EndToEnd"))
import harness  # noqa: E402

GTEST = """#!/bin/sh
for word; do case $word in --gtest_output=json:*) file=${word#--gtest_output=json:};; esac; done
%s
"""
REPORT = """cat > $file <<'END'
{"testsuites": [{"testsuite": [
  {"name": "One", "classname": "S", "status": "RUN", "result": "COMPLETED", "time": "0.5s"},
  {"name": "Two", "classname": "S", "status": "RUN", "result": "COMPLETED", "time": "0s"%s},
  {"name": "NeedsATool", "classname": "S", "status": "RUN", "result": "SKIPPED", "time": "0s"},
  {"name": "Off", "classname": "S", "status": "NOTRUN", "result": "SUPPRESSED", "time": "0s"}]}]}
END
exit %d"""
COUNTS = "import json, sys; json.dump({'passed': %d, 'failed': %d}, open(sys.argv[sys.argv.index('--report') + 1], 'w')); sys.exit(%d)"
FAILURE = ', "failures": [{"failure": "no"}]'

# name: kind, program, (passed, failed, skipped) or None for no report, properties
SUITES = {
    "good": ("gtest", GTEST % (REPORT % ("", 0)), (2, 0, 1), ""),
    "bad": ("gtest", GTEST % (REPORT % (FAILURE, 1)), (1, 1, 1), ""),
    "crash": ("gtest", GTEST % "kill -SEGV $$", (0, 1, 0), ""),
    "crash-after-report": ("gtest", GTEST % (REPORT % ("", 0)).replace("exit 0", "kill -ABRT $$"), (2, 1, 1), ""),
    "half-report": ("gtest", GTEST % "echo '{\"testsuites\": [' > $file", (0, 1, 0), ""),
    "no-report": ("gtest", GTEST % "exit 0", (0, 1, 0), ""),
    "marks": ("gtest", GTEST % "echo '[       OK ] a'; echo '[       OK ] b'", (2, 0, 0), ""),
    "script": ("script", COUNTS % (5, 0, 0), (5, 0, 0), ""),
    "script-fails": ("script", COUNTS % (3, 2, 1), (3, 2, 0), ""),
    "script-lies": ("script", COUNTS % (3, 0, 1), (3, 1, 0), ""),
    "script-dies": ("script", "raise SystemExit(3)", (0, 1, 0), ""),
    "script-empty": ("script", COUNTS % (0, 0, 0), (0, 1, 0), ""),
    "check": ("check", "#!/bin/sh\nexit 0\n", (1, 0, 0), ""),
    "check-fails": ("check", "#!/bin/sh\nexit 1\n", (0, 1, 0), ""),
    "hangs": ("check", "#!/bin/sh\nexec sleep 60\n", None, "TIMEOUT 1"),
    "waits-for-setup": ("check", "#!/bin/sh\nexit 0\n", None, "FIXTURES_REQUIRED broken"),
    "setup": ("check", "#!/bin/sh\nexit 1\n", (0, 1, 0), "FIXTURES_SETUP broken"),
    "takes-hours": ("check", "#!/bin/sh\nexit 1\n", None, "LABELS long"),
}


def make(folder):
    lines = []
    for name, (kind, text, _, properties) in SUITES.items():
        program = folder / name
        program.write_text(text)
        program.chmod(0o755)
        lines.append(f'add_test({name} "{sys.executable}" "{ROOT / "scripts/run_suite.py"}" "{folder}" {name} {kind} "{program}")')
        if properties:
            lines.append(f"set_tests_properties({name} PROPERTIES {properties})")
    (folder / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n")


def run(folder, *options):
    command = [sys.executable, str(ROOT / "scripts/run_tests.py"), str(folder), "--jobs", "4", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={k: v for k, v in os.environ.items() if k != "TILEIRAS_EMULATOR_COVERAGE"})
    return done.returncode, done.stdout.strip().split("\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--report", type=pathlib.Path)
    args = parser.parse_args()
    passed, problems = 0, []

    def expect(what, got, wanted):
        nonlocal passed
        if got == wanted:
            passed += 1
        else:
            problems.append(f"{what}: {got!r}, not {wanted!r}")

    with tempfile.TemporaryDirectory(prefix="tileiras-runner-") as name:
        folder = pathlib.Path(name)
        make(folder)
        (folder / "test-reports").mkdir()
        (folder / "test-reports" / "hangs.json").write_text('{"passed": 9, "failed": 0, "skipped": 0, "seconds": 1, "skips": [], "cases": []}')
        code, lines = run(folder)
        here = {n: s[2] for n, s in SUITES.items() if "long" not in s[3]}
        wanted = [sum((counts or (0, 1, 0))[i] for counts in here.values()) for i in range(3)]
        expect("last line", lines[-1], f"{wanted[0]} passed, {wanted[1]} failed")
        expect("exit status", code, 1)
        for suite, counts in here.items():
            file = folder / "test-reports" / f"{suite}.json"
            report = json.loads(file.read_text()) if file.exists() else None
            expect(suite, report and tuple(report[k] for k in ("passed", "failed", "skipped")), counts)
        text = "\n".join(lines)
        for words in ("good: S.NeedsATool", "hangs left no report", "waits-for-setup left no report", "failed: script-lies, 1 of 4", "good: S.One"):
            expect(f"says '{words}'", words in text, True)
        expect("long suites stay out", "takes-hours" in text, False)
        code, lines = run(folder, "-R", "^(good|script|check|marks)$")
        expect("all good", (code, lines[-1]), (0, "10 passed, 0 failed"))
        code, lines = run(folder, "--all", "-R", "^takes-hours$")
        expect("a long suite, asked for", (code, lines[-1]), (1, "0 passed, 1 failed"))
        code, lines = run(folder, "-R", "^nothing$")
        expect("no suite", (code, lines[-1]), (1, "0 passed, 1 failed"))

        def write(path):
            path.write_text("")

        def save(path):
            subprocess.run([sys.executable, "-c", "", f"--save-ptx={path}", "-o", os.devnull], check=True)

        def make_temporary(path):
            with tempfile.NamedTemporaryFile("w", dir=path.parent) as file:
                file.write("")

        cases = [("zero", make_temporary, "e"), ("also", make_temporary, "e"), ("one", write, "a"), ("two", write, "a"), ("three", write, "b"), ("four", save, "c"), ("five", save, "c"), ("six", save, "d")]
        with contextlib.redirect_stdout(io.StringIO()):
            count, failures, _ = harness.run_all([(n, functools.partial(f, folder / to)) for n, f, to in cases], 1, False)
        expect("cases that write one file", (count, [n for n, _ in failures]), (6, ["two", "five"]))
    for problem in problems:
        print(problem)
    if args.report:
        args.report.write_text(json.dumps({"passed": passed, "failed": len(problems)}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
