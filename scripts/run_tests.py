#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the unit tests, the lit suite, the end-to-end tests, every operation on every element type, the examples of the
dialect reference, whether every diagnostic has a test, the coverage check and the fuzz targets of a build folder and sums
the results.

What is counted comes from the runners' own machine-readable reports, never from parsing what they print. A
binary that dies before writing its report counts as one failure, so a crash cannot hide.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

TIMEOUT_S = 1200


def run_unit_test(binary: pathlib.Path, scratch: pathlib.Path):
    report = scratch / (binary.name + ".json")
    command = [str(binary), f"--gtest_output=json:{report}", "--gtest_brief=1"]
    try:
        # The emulator's tests note which PTX instructions they execute, for docs/ptx-coverage.md.
        environment = dict(os.environ)
        if binary.name.startswith("Emulator"):
            environment["TILEIRAS_EMULATOR_COVERAGE"] = str(scratch / "ptx-rows")
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_S,
                              env=environment)
        output, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as expired:
        output, code = expired.stdout or b"", f"timeout after {TIMEOUT_S} s"
    except OSError as error:
        output, code = str(error).encode(), "cannot be started"
    passed = failed = skipped = 0
    if report.exists():
        for suite in json.loads(report.read_text())["testsuites"]:
            for case in suite["testsuite"]:
                if case.get("result") == "SKIPPED":
                    skipped += 1
                elif case.get("status") != "RUN":
                    continue
                elif case.get("failures"):
                    failed += 1
                else:
                    passed += 1
    else:  # a test without GoogleTest, which prints the same marks
        lines = output if isinstance(output, bytes) else output.encode()
        passed, failed = lines.count(b"[       OK ]"), lines.count(b"[   FAILED ]")
    if code != 0 and failed == 0:
        failed = 1
        output += f"\n{binary.name}: exit status {code} without a failed test\n".encode()
    return passed, failed, skipped, output.decode(errors="replace") if failed else ""


def run_lit(build: pathlib.Path, scratch: pathlib.Path):
    suite = build / "test"
    if not (suite / "lit.site.cfg.py").exists():
        return 0, 1, 0, f"no lit suite at {suite}: configure the build first\n"
    report = scratch / "lit.json"
    lit = os.environ.get("LIT", "/usr/lib/llvm-22/bin/lit")
    try:
        done = subprocess.run([lit, "-sv", "-o", str(report), str(suite)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=2 * TIMEOUT_S)
        output, code = done.stdout.decode(errors="replace"), done.returncode
    except subprocess.TimeoutExpired as expired:
        output = (expired.stdout or b"").decode(errors="replace") + f"\nlit: timeout after {2 * TIMEOUT_S} s\n"
        code = 1
    passed = failed = skipped = 0
    failing = []
    if report.exists():
        for test in json.loads(report.read_text())["tests"]:
            verdict = test["code"]
            if verdict in ("PASS", "FLAKYPASS", "XFAIL"):
                passed += 1
            elif verdict in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
                skipped += 1
            else:  # FAIL, XPASS, TIMEOUT, UNRESOLVED
                failed += 1
                failing.append(f"{verdict}: {test['name']}")
    if code != 0 and failed == 0:
        failed = 1
    if failed:
        output += "\n".join(failing) + "\n"
    return passed, failed, skipped, output if failed else ""


def run_script(script: str, build: pathlib.Path, scratch: pathlib.Path):
    """A test script that counts its cases itself."""
    script = pathlib.Path(__file__).resolve().parent.parent / "test" / script
    report = scratch / (script.stem + ".json")
    done = subprocess.run([sys.executable, str(script), str(build), "--report", str(report)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    counts = json.loads(report.read_text()) if report.exists() else {"passed": 0, "failed": 1}
    failed = counts["failed"] or (1 if done.returncode else 0)
    return counts["passed"], failed, counts.get("skipped", 0), done.stdout.decode(errors="replace")


def run_ptx_coverage(build: pathlib.Path, scratch: pathlib.Path):
    """Whether docs/ptx-coverage.md is what the unit tests recorded."""
    script = pathlib.Path(__file__).resolve().parent / "ptx_coverage.py"
    done = subprocess.run([sys.executable, str(script), str(build), "--check", "--recorded", str(scratch / "ptx-rows")],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return int(done.returncode == 0), int(done.returncode != 0), 0, done.stdout.decode(errors="replace")


def run_nvgpu_contract(build: pathlib.Path, scratch: pathlib.Path):
    """Whether the table of nvgpu is current, and true of every row and target."""
    script = pathlib.Path(__file__).resolve().parent / "nvgpu_contract.py"
    report = scratch / "nvgpu_contract.json"
    current = subprocess.run([sys.executable, str(script), str(build), "--check"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    done = subprocess.run([sys.executable, str(script), str(build), "--test", "--report", str(report)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    counts = json.loads(report.read_text()) if report.exists() else {"passed": 0, "failed": 1}
    failed = counts["failed"] + int(current.returncode != 0)
    return counts["passed"] + int(current.returncode == 0), failed, 0, (current.stdout + done.stdout).decode(errors="replace")


def run_coverage(build: pathlib.Path):
    """Whether docs/coverage.md is what this build gives."""
    script = pathlib.Path(__file__).resolve().parent / "coverage.py"
    try:
        done = subprocess.run([sys.executable, str(script), str(build), "--check"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=TIMEOUT_S)
        output, code = done.stdout.decode(errors="replace"), done.returncode
    except subprocess.TimeoutExpired as expired:
        output, code = (expired.stdout or b"").decode(errors="replace") + f"\ncoverage: timeout after {TIMEOUT_S} s\n", 1
    return int(code == 0), int(code != 0), 0, output if code else ""


def run_fuzz_smoke(build: pathlib.Path, scratch: pathlib.Path):
    """The fuzz targets without libFuzzer, both at once; see docs/fuzzing.md."""
    root = pathlib.Path(__file__).resolve().parent.parent
    seeds = scratch / "fuzz-seeds"
    made = subprocess.run([sys.executable, str(root / "fuzz" / "seeds.py"), str(build), str(seeds)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if made.returncode:
        return 0, 1, 0, "fuzz-smoke: no seeds\n" + made.stdout.decode(errors="replace")
    # A number of executions, not a time: what is found must not depend on how fast the machine is. The time is only a
    # bound, well above what a quiet machine needs.
    seconds = os.environ.get("TILEIRAS_FUZZ_SECONDS", "60")
    scale = 1000 if "TILEIRAS_FUZZ_SECONDS" in os.environ else 1
    started = []
    for name, folder, executions in (("BytecodeReaderFuzzer", "bytecode", 30000), ("TextFuzzer", "text", 30000)):
        # Outside the scratch folder: after a crash it is the input to look at.
        last = build / "fuzz" / f"{name}.last"
        command = [str(build / "fuzz" / name), str(executions * scale), seconds, str(last), "1", str(seeds / folder)]
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except OSError as error:
            process = error
        started.append((name, last, process))
    passed = failed = 0
    output = ""
    for name, last, process in started:
        if isinstance(process, OSError):
            said, code = f"{process}\n", "cannot be started"
        else:
            said, code = process.communicate()[0].decode(errors="replace")[-4000:], process.returncode
        if code == 0:
            passed += 1
        else:
            failed += 1
            output += f"{said}{name}: exit status {code}" + (f"; the input is {last}\n" if last.exists() else "\n")
    return passed, failed, 0, output


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
    binaries = [p for p in sorted((build / "unittests").glob("*"))
                if p.is_file() and os.access(p, os.X_OK)]
    totals = [0, 0, 0]
    with tempfile.TemporaryDirectory(prefix="tileiras-test-") as folder:
        scratch = pathlib.Path(folder)
        parts = [(b.name, lambda b=b: run_unit_test(b, scratch)) for b in binaries]
        parts.append(("lit", lambda: run_lit(build, scratch)))
        parts.append(("descriptions", lambda: run_script("Dialect/descriptions.py", build, scratch)))
        parts.append(("diagnostics", lambda: run_script("Dialect/diagnostics.py", build, scratch)))
        parts.append(("nvgpu contract", lambda: run_nvgpu_contract(build, scratch)))
        parts.append(("end-to-end", lambda: run_script("EndToEnd/run.py", build, scratch)))
        parts.append(("examples", lambda: run_script("EndToEnd/examples.py", build, scratch)))
        parts.append(("corpus-arguments", lambda: run_script("EndToEnd/corpus_selftest.py", build, scratch)))
        parts.append(("coalescing", lambda: run_script("EndToEnd/coalescing.py", build, scratch)))
        parts.append(("hints", lambda: run_script("EndToEnd/hints.py", build, scratch)))
        parts.append(("registers", lambda: run_script("EndToEnd/registers.py", build, scratch)))
        parts.append(("large-tiles", lambda: run_script("EndToEnd/large_tiles.py", build, scratch)))
        parts.append(("real-kernels", lambda: run_script("EndToEnd/real_kernels.py", build, scratch)))
        parts.append(("nvgpu", lambda: run_script("NVGPU/run.py", build, scratch)))
        parts.append(("op-types", lambda: run_script("EndToEnd/op_types.py", build, scratch)))
        parts.append(("triton", lambda: run_script("EndToEnd/triton_ptx.py", build, scratch)))
        parts.append(("cutile", lambda: run_script("FrontEnds/cutile.py", build, scratch)))
        parts.append(("coverage", lambda: run_coverage(build)))
        parts.append(("ptx-coverage", lambda: run_ptx_coverage(build, scratch)))
        parts.append(("fuzz", lambda: run_script("EndToEnd/fuzz.py", build, scratch)))
        parts.append(("fuzz-smoke", lambda: run_fuzz_smoke(build, scratch)))
        for name, part in parts:
            start = time.monotonic()
            passed, failed, skipped, output = part()
            for i, n in enumerate((passed, failed, skipped)):
                totals[i] += n
            if output:
                print(output)
            note = f", {skipped} skipped" if skipped else ""
            print(f"{name}: {passed} ok, {failed} not ok{note} ({time.monotonic() - start:.1f} s)", flush=True)
    passed, failed, skipped = totals
    if passed + failed == 0:
        print("no test was found", file=sys.stderr)
        failed = 1
    if skipped:
        print(f"skipped for want of a tool on this machine: {skipped}")
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
