# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases with names, counted for scripts/run_suite.py."""

import json
import pathlib
import time
import traceback


class Suite:
    """`with suite.case("name"):` counts what happens inside; `suite.skip` counts what cannot."""

    def __init__(self, report):
        self.report = report
        self.counts = {"passed": 0, "failed": 0, "skipped": 0, "skips": [], "cases": []}

    def case(self, name):
        return _Case(self, name)

    def skip(self, name, why):
        self.counts["skipped"] += 1
        self.counts["skips"].append(name)
        print(f"{name}: skipped, {why}")

    def finish(self):
        if self.report:
            pathlib.Path(self.report).write_text(json.dumps(self.counts))
        print(f"{self.counts['passed']} passed, {self.counts['failed']} failed, {self.counts['skipped']} skipped")
        return 1 if self.counts["failed"] else 0


class _Case:
    def __init__(self, suite, name):
        self.suite, self.name = suite, name

    def __enter__(self):
        self.start = time.monotonic()

    def __exit__(self, kind, error, trace):
        counts = self.suite.counts
        counts["cases"].append([self.name, time.monotonic() - self.start])
        if kind is None:
            counts["passed"] += 1
            return False
        if not issubclass(kind, Exception):
            return False
        counts["failed"] += 1
        print(f"{self.name}: FAILED")
        traceback.print_exception(kind, error, trace)
        return True
