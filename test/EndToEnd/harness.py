# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the suites of this folder have in common: where ptxas is, many checks at a time, and what is said at the end."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from targets import NOT_ASSEMBLED  # noqa: E402


def find_ptxas():
    for candidate in (shutil.which("ptxas"), os.path.join(os.environ.get("CUDA_HOME", "/nowhere"), "bin/ptxas"),
                      "/usr/local/cuda/bin/ptxas"):
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    return None


class Writes:
    """Who wrote which file, by the interpreter's audit events. Two cases that write one file are a fault of the suite even
    where they happened not to run at once: on a busier machine one of them reads what the other has just cut off."""

    def __init__(self):
        self.case = threading.local()
        self.writers = {}
        self.shared = {}
        sys.addaudithook(self.note)

    def note(self, event, args):
        if getattr(self.case, "name", None) is None:
            return
        if event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax"):
            self.wrote(args[0])
        elif event == "subprocess.Popen" and not isinstance(args[1], str):
            words = [str(word) for word in args[1]]
            for word, after in zip(words, words[1:] + [""]):
                if word.startswith(("--save-ptx=", "--output=")):
                    self.wrote(word.partition("=")[2])
                elif word == "-o":
                    self.wrote(after)

    def wrote(self, path):
        if os.path.isdir(path):  # where tempfile makes a file that nobody else has
            return
        other = self.writers.setdefault(str(path), self.case.name)
        if other != self.case.name and path not in (os.devnull, "-"):
            self.shared.setdefault(self.case.name, f"writes {path}, as {other} does; cases run at once")


def run_all(work, jobs, verbose):
    """Runs (name, check) pairs, check() being None or what is wrong; returns the number that passed, (name, error) of
    the others, and (seconds, name) of all."""

    writes = Writes()

    def timed(item):
        start = time.monotonic()
        writes.case.name = item[0]
        try:
            result = item[1]()
        except Exception as error:  # a broken harness is a failed test, not a lost one
            result = f"{type(error).__name__}: {error}"
        writes.case.name = None
        return result or writes.shared.get(item[0]), time.monotonic() - start

    passed, failures, times = 0, [], []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (name, _), (error, seconds) in zip(work, pool.map(timed, work)):
            times.append((seconds, name))
            if error is None:
                passed += 1
            else:
                failures.append((name, error))
            if verbose or error is not None:
                print(f"{'ok' if error is None else 'FAIL'}: {name} ({seconds:.2f} s)", flush=True)
    return passed, failures, times


def conclude(title, passed, failures, times, report):
    """Prints what failed, what took long and the counts; returns the exit status. `title` ends in a colon."""
    for name, error in failures[:40]:
        print(f"--- {name}\n{error[-3000:]}")
    for seconds, name in sorted(times, reverse=True)[:3]:
        print(f"slowest: {name} {seconds:.2f} s")
    print(f"{title} {passed} ok, {len(failures)} not ok, {sum(s for s, _ in times):.0f} s in all" +
          ("" if find_ptxas() else "; no ptxas here, PTX not assembled") +
          (f"; this ptxas does not know {', '.join(sorted(NOT_ASSEMBLED))}: not assembled" if NOT_ASSEMBLED else ""))
    if report:
        slowest = [[name, seconds] for seconds, name in sorted(times, reverse=True)[:40]]
        pathlib.Path(report).write_text(json.dumps({"passed": passed, "failed": len(failures), "cases": slowest}))
    return 1 if failures or not passed else 0


def basic_arguments():
    """The arguments that all suites have."""
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--report")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-v", action="store_true")
    return parser


def suite_arguments(targets):
    """Those that most suites have."""
    parser = basic_arguments()
    parser.add_argument("--filter", default="")
    parser.add_argument("--targets", default=",".join(targets))
    return parser
