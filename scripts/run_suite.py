#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one suite of tests and writes what became of it to BUILD/test-reports/NAME.json. ctest calls this for every suite.

usage: run_suite.py BUILD NAME KIND [--jobs N] COMMAND...

KIND says how the cases of the suite are counted:
  gtest   a GoogleTest binary, by its own JSON report
  lit     arguments of lit (folders of tests), by its own JSON report
  script  a script of ours that takes --report FILE and writes {"passed": N, "failed": N} there, perhaps with "skipped": N,
          "skips": [NAME], "cases": [[NAME, SECONDS]]
  check   any other command: one case, which passes when the exit status is 0

The report: {"passed", "failed", "skipped", "seconds", "skips": [NAME], "cases": [[NAME, SECONDS]]}. It is the last thing written. A
suite that dies before its runner has written a report counts as one failure, and so does one without a report of ours
(scripts/run_tests.py), so that a crash cannot hide.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

KEPT_CASES = 40  # the slowest ones
LIT = os.environ.get("LIT", "/usr/lib/llvm-22/bin/lit")


def gtest_counts(report):
    counts = {"passed": 0, "failed": 0, "skipped": 0, "skips": [], "cases": []}
    for suite in json.loads(report.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            name = f"{case['classname']}.{case['name']}"
            if case.get("result") == "SKIPPED":
                counts["skipped"] += 1
                counts["skips"].append(name)
            elif case.get("status") == "RUN":
                counts["failed" if case.get("failures") else "passed"] += 1
                counts["cases"].append([name, float(case["time"].rstrip("s"))])
    return counts


def lit_counts(report):
    counts = {"passed": 0, "failed": 0, "skipped": 0, "skips": [], "cases": []}
    for test in json.loads(report.read_text())["tests"]:
        name = test["name"].split(" :: ")[-1]
        if test["code"] in ("PASS", "FLAKYPASS", "XFAIL"):
            counts["passed"] += 1
        elif test["code"] in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            counts["skipped"] += 1
            counts["skips"].append(name)
        else:  # FAIL, XPASS, TIMEOUT, UNRESOLVED
            counts["failed"] += 1
            print(f"{test['code']}: {name}")
        counts["cases"].append([name, test.get("elapsed") or 0.0])
    return counts


def run(kind, command, report, jobs):
    """The counts of the suite, and its exit status."""
    if kind == "gtest":
        command = [*command, f"--gtest_output=json:{report}", "--gtest_brief=1"]
    elif kind == "lit":
        command = [LIT, "-sv", f"-j{jobs}", "-o", str(report), *command]
    elif kind == "script":
        command = [sys.executable, *command, "--report", str(report)]
    print("$ " + " ".join(command), flush=True)
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE if kind == "gtest" else None, stderr=subprocess.STDOUT)
    except OSError as error:
        print(f"cannot be started: {error}")
        return {}, -1
    output = (done.stdout or b"").decode(errors="replace")
    print(output, end="", flush=True)
    counts = {}
    if kind == "check":
        counts = {"passed": int(done.returncode == 0), "failed": int(done.returncode != 0)}
    elif report.exists():
        read = {"gtest": gtest_counts, "lit": lit_counts, "script": lambda r: json.loads(r.read_text())}[kind]
        counts = read(report)
    elif kind == "gtest" and "[       OK ]" in output:  # a test without GoogleTest, which prints the same marks
        counts = {"passed": output.count("[       OK ]"), "failed": output.count("[   FAILED ]")}
    return counts, done.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("name")
    parser.add_argument("kind", choices=("gtest", "lit", "script", "check"))
    parser.add_argument("--jobs", type=int, default=1, help="of lit")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    folder = args.build.resolve() / "test-reports"
    folder.mkdir(exist_ok=True)
    final, own = folder / f"{args.name}.json", folder / f"{args.name}.runner.json"
    recorded = os.environ.get("TILEIRAS_EMULATOR_COVERAGE")  # tests append to it
    for old in (final, own, *([pathlib.Path(recorded)] if recorded else [])):
        old.unlink(missing_ok=True)
    start = time.monotonic()
    try:
        counts, status = run(args.kind, args.command, own, args.jobs)
    except (ValueError, KeyError) as error:  # half a report is none
        print(f"{args.name}: the runner's report cannot be read: {error}")
        counts, status = {}, -1
    counts = {"passed": 0, "failed": 0, "skipped": 0, "skips": [], "cases": [], **counts}
    if status != 0 and not counts["failed"]:
        print(f"{args.name}: exit status {status} without a failed test")
        counts["failed"] = 1
    elif not counts["passed"] + counts["failed"] + counts["skipped"]:
        print(f"{args.name}: no test was found")
        counts["failed"] = 1
    if counts["skipped"] and not counts["skips"]:
        counts["skips"] = [args.name]
    counts["cases"] = sorted(counts["cases"], key=lambda case: -case[1])[:KEPT_CASES]
    counts["seconds"] = time.monotonic() - start
    half = final.with_suffix(".part")
    half.write_text(json.dumps(counts))
    half.replace(final)
    print(f"{args.name}: {counts['passed']} ok, {counts['failed']} not ok, {counts['skipped']} skipped ({counts['seconds']:.1f} s)")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
