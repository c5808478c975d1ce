#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA programs, compiled by nvcc and run as they are on libcuda and libcudart of ours.

  run.py BUILD [--only=NAME] [--report FILE]

Right programs must print "good", exit with 0 and have no report, with the race checker on and off. Then each bug of the
list is compiled in: it must be reported, at its file and line, and the exit code must say so. Then programs of numba-cuda,
cuda-python and cuTile Python. Skipped where nvcc or a package is missing; TILEIRAS_CUDA_PYTHON names an interpreter that has them.
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
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import targets  # noqa: E402

PROGRAMS = HERE / "programs"
# name, architecture that nvcc compiles for, device, checks, link options
RIGHT = [
    ("runtime", "sm_80", "sm_80", "memory", []), ("runtime", "sm_75", "sm_120", "all", []),
    ("streams", "sm_80", "sm_90", "memory", []), ("streams", "sm_80", "sm_90", "race", []),
    ("cooperative", "sm_80", "sm_90", "memory", []), ("cooperative", "sm_80", "sm_80", "race", []),
    ("clusters", "sm_90", "sm_90", "all", ["-lcuda"]), ("library", "sm_80", "sm_80", "memory", []),
    ("threads", "sm_80", "sm_80", "memory", []), ("threads", "sm_80", "sm_80", "race", []),
    ("faults", "sm_80", "sm_80", "all", []), ("proxy", "sm_90", "sm_90", "all", []),
    ("textures", "sm_80", "sm_80", "all", []), ("idioms", "sm_80", "sm_90", "all", []),
]
# Further right programs, with --full: nvcc takes seconds for each.
MORE = [(name, "sm_80", device, check, [])
        for name in ("lookback", "wmma", "pipeline", "groups", "objects", "managed", "nbody", "radix", "halves", "graphs", "nodes", "pools")
        for device, check in (("sm_80", "memory"), ("sm_90", "all"))]
MORE += [("ranges", "sm_80", device, check, ["-lcuda"]) for device, check in (("sm_80", "memory"), ("sm_90", "all"))]
# program, macro (or a name, of what is there anyway), checks, kind of report, what the report must name, exit code
BUGS = [
    ("faults", "BUG_RACE", "race", "race", "RACE", 99), ("faults", "BUG_SYNC", "race", "race", "SYNC", 99),
    ("faults", "BUG_BOUNDS", "memory", "out-of-bounds", "BOUNDS", 1),
    ("faults", "BUG_UNINIT", "init", "uninitialized", "UNINIT", 99),
    ("faults", "BUG_ASSERT", "memory", "trap", "ASSERT", 1),
    ("faults", "BUG_FREED", "memory", "out-of-bounds", "which has been freed", 1),
    ("faults", "BUG_COPY", "memory", "out-of-bounds", "cuMemcpy", 99),
    ("faults", "BUG_FREE", "memory", "invalid-free", "is not the address of an allocation", 99),
    ("proxy", "BUG_PROXY", "race", "proxy", "PROXY", 99),
    ("streams", "BUG_ORDER", "race", "stream-order", "reads what stream s has written", 99),
    ("cooperative", "BUG_TOO_MANY", "memory", "deadlock", "cannot begin", 2),
    ("textures", "BUG_SURFACE", "memory", "out-of-bounds", "SURFACE", 2),
    # Correct in practice: silent unless it is asked for.
    ("idioms", "SEED", "idioms", "idiom", "SEED", 99), ("idioms", "LAST", "idioms", "idiom", "LAST", 99),
    ("idioms", "SPECULATIVE", "idioms,init", "idiom", "SPECULATIVE", 99),
    ("idioms", "BUG_PLAIN", "race", "race", "PLAIN", 99),
]
# Further ones, with --full.
MORE_BUGS = [
    ("ranges", "BUG_NO_ACCESS", "memory", "out-of-bounds", "NO_ACCESS", 2),
    ("textures", "BUG_TEXTURE_RACE", "race", "race", "TEXTURE_RACE", 99),
    ("textures", "BUG_TEXTURE_FREED", "memory", "out-of-bounds", "which has been freed", 2),
]
# Case of python_cases.py, packages, device, checks.
PYTHON = [
    ("numba_add", ["numba", "numba_cuda", "numpy"], "sm_80", "all"),
    ("numba_shared", ["numba", "numba_cuda", "numpy"], "sm_90", "race"),
    ("numba_atomics", ["numba", "numba_cuda", "numpy"], "sm_80", "memory"),
    *((f"numba_{case}", ["numba", "numba_cuda", "numpy"], "sm_90", "race") for case in
      ("reduce", "scan", "transpose", "mandelbrot", "sort", "stencil", "records", "events", "vectorize")),
    ("triton_launch", ["triton", "numpy"], "sm_80", "race"),
    ("triton_launch", ["triton", "numpy"], "sm_90", "race"),
    ("triton_launch", ["triton", "numpy"], "sm_120", "memory"),
    ("cuda_core", ["cuda.bindings", "numpy"], "sm_90", "all"),
    ("cuda_core_objects", ["cuda.core", "numpy"], "sm_90", "all"),
    ("cutile_add", ["cuda.tile", "numba_cuda", "numpy"], "sm_90", "race"),
    ("cutile_add", ["cuda.tile", "numba_cuda", "numpy"], "sm_120", "memory"),
    *(("cutile_launch", ["cuda.tile", "ml_dtypes", "numpy"], sm, "race") for sm in targets.sample()),
    ("cutile_tune", ["cuda.tile", "ml_dtypes", "numpy"], "sm_90", "memory"),
    ("cutile_fault", ["cuda.tile", "ml_dtypes", "numpy"], "sm_90", "memory"),
]


class Suite:
    def __init__(self, build, nvcc, folder, only, everything):
        self.everything = everything
        self.emu = build / "bin" / "tileiras-emu"
        self.nvcc, self.folder, self.only = nvcc, folder, only
        self.counts = {"passed": 0, "failed": 0, "skipped": 0, "skips": [], "cases": []}
        self.binaries = {}

    def compile(self, name, arch, macros=(), link=()):
        key = (name, arch, tuple(macros))
        if key not in self.binaries:
            binary = self.folder / "-".join([name, arch, *macros])
            command = [self.nvcc, "-cudart", "shared", "-lineinfo", "-std=c++17", f"-arch={arch}", *(f"-D{m}" for m in macros),
                       "-o", str(binary), str(PROGRAMS / f"{name}.cu"), *link]
            done = subprocess.run(command, capture_output=True, text=True)
            self.binaries[key] = (binary, done.stdout + done.stderr if done.returncode else "")
        return self.binaries[key]

    def run(self, binary, device, check):
        done = subprocess.run([sys.executable, self.emu, f"--device={device}", f"--check={check}", str(binary)],
                              capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout, done.stderr

    def case(self, name, body):
        if self.only and self.only not in name:
            return
        start = time.time()
        problem = body()
        self.counts["cases"].append([name, round(time.time() - start, 2)])
        self.counts["failed" if problem else "passed"] += 1
        print(f"{'FAIL' if problem else 'ok  '} {name}" + (f"\n{problem}" if problem else ""), flush=True)

    def right(self, name, arch, device, check, link):
        binary, problem = self.compile(name, arch, link=link)
        if problem:
            return problem
        code, out, err = self.run(binary, device, check)
        good = name == "faults" and "cudaSuccess" in out or out.rstrip().endswith("good")
        if code == 0 and good and " 0 reports" in err and "error:" not in err:
            return ""
        return f"exit code {code}\n{out}{err}"

    def time(self):
        """Predicted times come at the end, and the sample that they take leaves no trace in memory."""
        binary, problem = self.compile("runtime", "sm_80")
        if problem:
            return problem
        done = subprocess.run([sys.executable, self.emu, "--device=sm_80", "--time=a100", str(binary)], capture_output=True,
                              text=True, timeout=300)
        rows = re.findall(r"^ +[0-9.]+ us +[0-9]+ x +[0-9.]+ us  \S+ <", done.stderr, re.MULTILINE)
        unknown = subprocess.run([sys.executable, self.emu, "--time=gtx", str(binary)], capture_output=True, text=True, timeout=300)
        good = (done.returncode == 0 and done.stdout.rstrip().endswith("good") and "predicted on a100" in done.stderr and rows
                and "no machine 'gtx'" in unknown.stderr)
        return "" if good else f"exit code {done.returncode}\n{done.stdout}{done.stderr}{unknown.stderr}"

    def bug(self, name, macro, check, kind, text, want):
        arch = "sm_90" if name == "proxy" else "sm_80"
        binary, problem = self.compile(name, arch, [macro] if macro.startswith("BUG_") else [], ["-lcuda"] if name == "ranges" else [])
        if problem:
            return problem
        code, out, err = self.run(binary, arch, check)
        found = f"[{kind}]" in err
        if re.fullmatch("[A-Z_]+", text):
            source = (PROGRAMS / f"{name}.cu").read_text().splitlines()
            line = 1 + next(k for k, s in enumerate(source) if s.endswith(f"// {text}"))
            found = found and re.search(rf"{name}\.cu:{line}\b", err)
        elif text.startswith("reads what"):
            found = found and f"{name}.cu:" in err and "kernel '" in err
        else:
            found = found and text in err
        return "" if found and code == want else f"exit code {code}, not {want}; wanted [{kind}] {text}\n{out}{err}"

    def python(self, interpreter, name, device, check):
        environment = dict(os.environ)
        environment["PATH"] = f"{self.emu.parent}:{environment.get('PATH', '')}"
        if name == "cutile_tune":
            environment["TILEIRAS_TIME"] = "h200"
        own = HERE / f"{name}.py"
        script = [str(own), *(["--all"] if self.everything else [])] if own.exists() else [str(HERE / "python_cases.py"), name]
        done = subprocess.run([sys.executable, self.emu, f"--device={device}", f"--check={check}", interpreter, *script],
                              capture_output=True, text=True, timeout=1200, env=environment)
        if name == "cutile_fault":
            lines = (HERE / "python_cases.py").read_text().splitlines()
            line = 1 + next(k for k, text in enumerate(lines) if text.endswith("# BOUNDS"))
            good = done.returncode == 99 and "[out-of-bounds]" in done.stderr and f"python_cases.py:{line}" in done.stderr
            return "" if good else f"exit code {done.returncode}\n{done.stdout}{done.stderr[-3000:]}"
        if done.returncode == 0 and done.stdout.rstrip().endswith("good") and " 0 reports" in done.stderr:
            return ""
        return f"exit code {done.returncode}\n{done.stdout}{done.stderr[-3000:]}"


def missing(interpreter, packages):
    """Packages that the interpreter does not have."""
    code = "import importlib.util as u\nfor p in %r:\n  try: print(p if u.find_spec(p) is None else '')\n  except Exception: print(p)" % packages
    return " ".join(subprocess.run([interpreter, "-c", code], capture_output=True, text=True).stdout.split())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", default="1")
    parser.add_argument("--full", action="store_true", help="the program with CUB too, and every case of cutile_launch.py")
    parser.add_argument("--report", type=pathlib.Path)
    options = parser.parse_args()
    toolkits = [os.environ.get("CUDA_HOME"), "/usr/local/cuda"]
    nvcc = shutil.which("nvcc") or next((f"{t}/bin/nvcc" for t in toolkits if t and os.access(f"{t}/bin/nvcc", os.X_OK)), None)
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(options.build.resolve(), nvcc, pathlib.Path(folder), options.only, options.full)
        if nvcc:
            for name, arch, device, check, link in RIGHT + (MORE if options.full else []):
                if name == "library" and not options.full:  # CUB takes nvcc half a minute
                    continue
                suite.case(f"{name} on {device}, check={check}", lambda: suite.right(name, arch, device, check, link))
            suite.case("runtime with --time", suite.time)
            for name, macro, check, kind, text, want in BUGS + (MORE_BUGS if options.full else []):
                suite.case(f"{name} with {macro}", lambda: suite.bug(name, macro, check, kind, text, want))
        else:
            print("skipped: no nvcc")
            suite.counts["skipped"] = 1
            suite.counts["skips"] = ["CUDA programs (no nvcc)"]
        for name, packages, device, check in PYTHON:
            variable = "TILEIRAS_TRITON_PYTHON" if name == "triton_launch" else "TILEIRAS_CUDA_PYTHON"
            interpreter = os.environ.get(variable) or sys.executable
            if absent := missing(interpreter, packages):
                print(f"skipped: {name} on {device}: no {absent}")
                suite.counts["skipped"] += 1
                suite.counts["skips"].append(f"{name} on {device} (no {absent})")
                continue
            suite.case(f"{name} on {device}, check={check}", lambda: suite.python(interpreter, name, device, check))
    counts = suite.counts
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    if options.report:
        options.report.write_text(json.dumps(counts))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
