#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the suites of a build folder by ctest, side by side, and sums up their cases.

usage: run_tests.py [BUILD] [--all] [--jobs N] [OPTIONS OF CTEST...]

Suites labelled `long` run with --all only. Options of ctest choose suites: -L emulator, -R '^lit', ... (ctest -N lists them).

The counts are those of the individual cases, from the reports that scripts/run_suite.py writes, never from what is printed. A suite
without a report (killed, out of time, never started) is one failure. The last line is "N passed, N failed".
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

SHOWN = 20


def chosen(build, selection, every):
    """The names of the suites."""
    done = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1", *selection], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"run_tests: ctest cannot list the tests of {build}")
    properties = {test["name"]: {p["name"]: p["value"] for p in test["properties"]} for test in json.loads(done.stdout)["tests"]}
    return [name for name, mine in properties.items() if every or "long" not in mine.get("LABELS", [])]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?", default="build", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args, selection = parser.parse_known_args()
    build = args.build.resolve()
    reports = build / "test-reports"
    names = chosen(build, selection, args.all)
    for name in names:
        (reports / f"{name}.json").unlink(missing_ok=True)
    start = time.monotonic()
    regex = "^(" + "|".join(names) + ")$"
    status = subprocess.run(["ctest", "--test-dir", str(build), "--output-on-failure", "-j", str(args.jobs), "-R", regex]).returncode
    wall = time.monotonic() - start

    totals = {"passed": 0, "failed": 0, "skipped": 0}
    suites, cases, skips, lost = [], [], [], []
    for name in names:
        try:
            report = json.loads((reports / f"{name}.json").read_text())
        except (OSError, ValueError):
            lost.append(name)
            totals["failed"] += 1
            continue
        for key in totals:
            totals[key] += report[key]
        suites.append((report["seconds"], name, report))
        cases += [(seconds, f"{name}: {case}") for case, seconds in report["cases"]]
        skips += [(name, case) for case in report["skips"]]
    if status and not totals["failed"]:
        lost.append("ctest itself")
        totals["failed"] += 1

    print(f"\nThe slowest of {len(suites)} suites (s):")
    for seconds, name, report in sorted(suites, key=lambda s: -s[0])[:SHOWN]:
        print(f"  {seconds:7.1f}  {name}, {report['passed'] + report['failed']} cases")
    print("The slowest cases of those that say (s):")
    for seconds, name in sorted(cases, reverse=True)[:SHOWN]:
        print(f"  {seconds:7.1f}  {name}")
    print(f"{wall:.0f} s, {sum(s for s, _, _ in suites):.0f} s one after another, {args.jobs} at a time")
    if skips:
        print(f"skipped for want of a tool on this machine: {totals['skipped']}")
        for name in sorted({name for name, _ in skips}):
            here = [case for suite, case in skips if suite == name]
            print(f"  {name}: {', '.join(here[:12])}{f' and {len(here) - 12} more' if len(here) > 12 else ''}")
    for _, name, report in suites:
        if report["failed"]:
            print(f"failed: {name}, {report['failed']} of {report['passed'] + report['failed']}; its output is above")
    for name in lost:
        print(f"failed: {name} left no report (it crashed, ran out of time or was not started)")
    if not names:
        print("no test was found", file=sys.stderr)
        totals["failed"] += 1
    sys.stderr.flush()
    print(f"{totals['passed']} passed, {totals['failed']} failed", flush=True)
    return 1 if totals["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
