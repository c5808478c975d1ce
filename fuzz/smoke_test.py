#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fuzz targets without libFuzzer, both at once; see docs/fuzzing.md.

usage: smoke_test.py BUILD [--report FILE]

A number of executions, not a time: what is found must not depend on how fast the machine is. The time is only a bound, well above
what a quiet machine needs. TILEIRAS_FUZZ_SECONDS=N runs N seconds instead.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

EXECUTIONS = 30000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--report", type=pathlib.Path)
    args = parser.parse_args()
    seconds = os.environ.get("TILEIRAS_FUZZ_SECONDS", "60")
    scale = 1000 if "TILEIRAS_FUZZ_SECONDS" in os.environ else 1
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tileiras-fuzz-") as seeds:
        seeds = pathlib.Path(seeds)
        subprocess.run([sys.executable, str(pathlib.Path(__file__).parent / "seeds.py"), str(args.build), str(seeds)], check=True)
        started = []
        for name, folder in (("BytecodeReaderFuzzer", "bytecode"), ("TextFuzzer", "text")):
            # Outside the scratch folder: after a crash it is the input to look at.
            last = args.build / "fuzz" / f"{name}.last"
            command = [str(args.build / "fuzz" / name), str(EXECUTIONS * scale), seconds, str(last), "1", str(seeds / folder)]
            started.append((name, last, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)))
        for name, last, process in started:
            said = process.communicate()[0].decode(errors="replace")[-4000:]
            if process.returncode == 0:
                passed += 1
                continue
            failed += 1
            print(f"{said}{name}: exit status {process.returncode}" + (f"; the input is {last}" if last.exists() else ""))
    if args.report:
        args.report.write_text(json.dumps({"passed": passed, "failed": failed}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
