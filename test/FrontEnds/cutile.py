#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in cuTile Python: NVIDIA's front end makes bytecode of them, tileiras compiles it, the emulator runs it, NumPy says
what is right. No GPU is needed.

    cutile.py BUILD [--report FILE] [--every N] [--targets sm_80,...|all] [--versions 13.3,...|all] [--only TEXT] [--ptxas] [--plain]

Skipped, with a message, where there is no cuTile: neither in this interpreter, nor in the one that the environment variable
TILEIRAS_CUTILE_PYTHON names (`python -m venv v; v/bin/pip install cuda-tile numpy ml_dtypes` makes one).
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import traceback

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / folder) for folder in ("EndToEnd", ".")]
import targets as build_targets  # noqa: E402

ALL_TARGETS = build_targets.names()
FILES = ["cutile_arith", "cutile_tiles", "cutile_memory", "cutile_matrix", "cutile_control", "cutile_kernels",
         "cutile_examples"]
TIMEOUT_S = 120


# Case, what is changed in its PTX: the run must fail.
FAULTS = [("copy-f32", r"@%p\d+ st\.global", "st.global"), ("softmax-f32", r"bar\.sync[^;]*;", ";"), ("layer-norm-f32", r"\bmul\.rn\.f32|\bmul\.f32", "add.f32"),
          ("whole-i32", r"\bdiv\.s32", "rem.s32"), ("atomic-add-i32", r"\.add\.(s32|u32|b32)", r".max.s32"), ("gather-2d-i16", r"@%p\d+ ld\.global", "ld.global"),
          ("compare-f32", r"setp\.lt\.f32", "setp.le.f32"), ("to-f32-i16", r"cvt\.rzi", "cvt.rni"), ("argminmax-i32", r"setp\.lt\.s32", "setp.gt.s32"),
          ("gemm-f16", r"bar\.sync[^;]*;", ";")]


class Refused(Exception):
    """The front end itself does not make bytecode of this version."""


class Suite:
    def __init__(self, build, ptxas, save):
        from emulator import Emulator
        from harness import find_ptxas

        self.tileiras = str(pathlib.Path(build) / "bin" / "tileiras")
        self.emulator = Emulator(build)
        self.ptxas_found = find_ptxas()
        self.ptxas = self.ptxas_found if ptxas else None
        self.save = save
        self.lock = threading.Lock()
        self.run_texts, self.assembled = {}, set()

    def compile(self, bytecode, target, scratch, name, options):
        path = pathlib.Path(scratch) / f"{threading.get_ident()}.bc"
        path.write_bytes(bytecode)
        if self.save:
            (pathlib.Path(self.save) / f"{name}.bc").write_bytes(bytecode)
        ptx = path.with_suffix(".ptx")
        done = subprocess.run([self.tileiras, str(path), f"--gpu-name={target}", "--lineinfo", "--emit=ptx", "-o", str(ptx), *options],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_S)
        if done.returncode:
            raise AssertionError(f"tileiras ends with {done.returncode}: {done.stdout.decode(errors='replace')[-1500:]}")
        text = ptx.read_text()
        if self.save:
            (pathlib.Path(self.save) / f"{name}.{target}.ptx").write_text(text)
        if build_targets.can_assemble(self.ptxas, target):
            digest = hashlib.sha256(text.encode()).digest()
            with self.lock:
                new = digest not in self.assembled
                self.assembled.add(digest)
            if new:
                arch = re.search(r"^\.target\s+(\w+)", text, re.M)[1]
                done = subprocess.run([self.ptxas, f"-arch={arch}", str(ptx), "-o", str(path.with_suffix(".cubin"))], stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, timeout=TIMEOUT_S)
                if done.returncode:
                    raise AssertionError(f"ptxas: {done.stdout.decode(errors='replace')[-1500:]}")
        return text

    def execute(self, case, ptx, **options):
        import numpy as np
        from cutile_case import Array, Const, List, Tuple, differs
        from emulator import EmulatorError, Hidden, Table

        passed, results = [], []

        def add(argument):
            if isinstance(argument, Const):
                return
            if isinstance(argument, Tuple):
                for item in argument.items:
                    add(item)
                return
            if isinstance(argument, List):
                words = []
                for item in argument.arrays:
                    words += [(len(passed),), *item.words()]
                    passed.append(Hidden(bytearray(item.memory.tobytes())))
                passed.extend([Table(words), np.int32(len(argument.arrays))])
                return
            if not isinstance(argument, Array):
                passed.append(np.asarray(argument))
                return
            memory = argument.memory.copy()
            view = np.ndarray(argument.data.shape, argument.data.dtype, memory, 0, argument.data.strides)
            results.append((argument, view))
            passed.append((memory, "out") if argument.out else memory)
            passed.extend(argument.words())

        for argument in case.arguments:
            add(argument)
        views = {id(a): v for a, v in results}
        said = ""
        try:
            said = self.emulator.run(ptx, case.grid, passed, capture_output=1, check_races=1, max_warp_instructions=20_000_000, **options)
        except EmulatorError as error:
            if not case.fails or case.fails not in str(error) + error.output:
                raise
            said = error.output
        else:
            if case.fails:
                raise AssertionError(f"the run does not end with '{case.fails}'")
        for index, (want, tolerance) in case.expected.items():
            wrong = differs(views[id(case.arguments[index])], np.asarray(want), tolerance)
            if wrong:
                raise AssertionError(f"argument {index}: {wrong}")
        if case.printed is not None:
            right = case.printed(said) if callable(case.printed) else case.printed == said
            if not right:
                raise AssertionError(f"printed {said!r} instead of {case.printed!r}")

    def check(self, case, version, target, plain, options, scratch):
        try:
            needs_target = tuple(map(int, version.split("."))) < (13, 3)
            bytecode = case.bytecode(version, plain, target if needs_target else None)
        except Exception as error:
            needed = re.search(r"requires? (?:tileiras|bytecode version) (\d+)\.(\d+)", str(error))
            if needed and tuple(map(int, needed.groups())) > tuple(map(int, version.split("."))):
                raise Refused(needed[0]) from error
            if needs_target and re.search(r"is not supported (by \w+ \w+ )?on sm_", str(error)):
                raise Refused("not for the target") from error
            raise
        try:
            ptx = self.compile(bytecode, target, scratch, f"{case.name}-{version}", options)
        except AssertionError as error:
            if case.refuses and case.refuses in str(error):
                return
            raise
        if case.refuses:
            raise AssertionError(f"not refused with '{case.refuses}'")
        key = (case.name, hashlib.sha256(re.sub(r"^\.(target|version).*$", "", ptx, flags=re.M).encode()).digest())
        with self.lock:
            if key in self.run_texts:
                return "same PTX as before"
            self.run_texts[key] = target
        if case.runs:
            self.execute(case, ptx)


    def faults(self, cases):
        """One result for each planted fault: None if the run notices it."""
        from emulator import EmulatorError
        with tempfile.TemporaryDirectory(prefix="tileiras-cutile-") as scratch:
            for name, pattern, replacement in FAULTS:
                case = next(c for c in cases if c.name == name)
                ptx, count = re.subn(pattern, replacement, self.compile(case.bytecode("13.4"), "sm_90", scratch, name, []))
                if not count:
                    yield f"nothing to break in {name}: '{pattern}'"
                    continue
                try:
                    self.execute(case, ptx)
                    yield f"{name}: nobody notices '{pattern}' turned into '{replacement}'"
                except (AssertionError, EmulatorError):
                    yield None


def drop_in(build):
    """What is wrong when cuTile itself looks for the compiler, asks for its versions and calls it; None if nothing is."""
    import io

    import cutile_kernels
    from cuda.tile import _compile
    from cuda.tile._exception import TileCompilerExecutionError
    from cuda.tile.compilation import export_kernel
    from cutile_arith import refused

    os.environ["PATH"] = f"{pathlib.Path(build).resolve() / 'bin'}{os.pathsep}{os.environ['PATH']}"
    os.environ["CUDA_TILE_CACHE_DIR"] = "off"
    found = _compile._find_compiler_bin()
    if pathlib.Path(found.path).resolve() != (pathlib.Path(build) / "bin" / "tileiras").resolve():
        return None  # the package with NVIDIA's compiler is installed beside cuTile, and is preferred
    case = next(c for c in cutile_kernels.cases() if c.name == "softmax-f16")
    for target in build_targets.sample():
        cubin = io.BytesIO()
        export_kernel(case.kernel, [case.signature(False)], cubin, output_format="cubin", gpu_code=target)
        if not cubin.getvalue().startswith(b"\x7fELF") or b"softmax" not in cubin.getvalue():
            return f"no kernel in the cubin for {target}"
    import numpy as np
    case = refused("words", {"x": np.ones(8, np.uint32)}, "x // x", np.uint32, "")
    try:
        export_kernel(case.kernel, [case.signature(False)], io.BytesIO(), output_format="cubin", gpu_code="sm_90")
    except TileCompilerExecutionError as error:
        return None if "not allowed with 'unsigned' flag" in str(error) else f"the diagnostic is lost: {error}"
    return "a module that is not valid was compiled"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--report")
    parser.add_argument("--targets", default="sm_80,sm_90,sm_100,sm_120")
    parser.add_argument("--versions", default="13.4", help="of the bytecode; all: 13.1 to 13.4")
    parser.add_argument("--plain", action="store_true", help="with nothing known of the arrays")
    parser.add_argument("--only", default="", help="cases whose names match this regular expression")
    parser.add_argument("--every", type=int, default=8, help="one case in N, another one for each target (default: 8; 1: all)")
    parser.add_argument("--options", default="", help="more options of tileiras")
    parser.add_argument("--ptxas", action="store_true", help="assemble")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--save", help="folder for bytecode and PTX")
    parser.add_argument("-v", action="store_true", dest="verbose")
    options = parser.parse_args()
    if options.save:
        pathlib.Path(options.save).mkdir(parents=True, exist_ok=True)
    counts = {"passed": 0, "failed": 0, "skipped": 0}

    def finish():
        if options.report:
            pathlib.Path(options.report).write_text(json.dumps(counts))
        return 1 if counts["failed"] else 0

    try:
        import importlib
        import cutile_case  # noqa: F401
        cases = [c for f in FILES if (pathlib.Path(__file__).parent / f"{f}.py").exists() for c in importlib.import_module(f).cases()]
    except ImportError as missing:
        other = os.environ.pop("TILEIRAS_CUTILE_PYTHON", None)
        if other:
            return subprocess.run([other] + sys.argv).returncode
        print(f"cutile: skipped, {missing}")
        counts["skipped"] = 1
        return finish()

    names = [c.name for c in cases]
    assert len(set(names)) == len(names), sorted(n for n in names if names.count(n) > 1)
    all_cases = cases
    cases = [c for c in cases if re.search(options.only, c.name)]
    every = 1 if options.only else options.every
    suite = Suite(options.build, options.ptxas, options.save)
    targets = ALL_TARGETS if options.targets == "all" else options.targets.split(",")
    versions = ["13.1", "13.2", "13.3", "13.4"] if options.versions == "all" else options.versions.split(",")
    work = [(c, v, t) for i, c in enumerate(cases) for j, t in enumerate(targets) for v in versions if (i + j) % every == 0]
    refused, same, start = {}, 0, time.monotonic()

    def one(item, scratch):
        case, version, target = item
        try:
            return suite.check(case, version, target, options.plain, options.options.split(), scratch), None
        except Refused as reason:
            return "refused", str(reason)
        except Exception as error:
            text = str(error) or traceback.format_exc()
            return "failed", f"{type(error).__name__}: {text}"

    if not options.only:
        try:
            wrong = drop_in(options.build) if suite.ptxas_found else None
        except Exception:
            wrong = traceback.format_exc()
        counts["failed" if wrong else "passed"] += 1
        if wrong:
            print(f"FAIL: drop-in: {wrong}", flush=True)
        for wrong in suite.faults(all_cases):
            counts["failed" if wrong else "passed"] += 1
            if wrong:
                print(f"FAIL: {wrong}", flush=True)
    with tempfile.TemporaryDirectory(prefix="tileiras-cutile-") as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (case, version, target), (outcome, text) in zip(work, pool.map(lambda i: one(i, scratch), work)):
            if outcome == "refused":
                refused[text] = refused.get(text, 0) + 1
            elif outcome == "failed":
                counts["failed"] += 1
                print(f"FAIL: {case.name} {version} {target}: {text[:1200]}", flush=True)
            else:
                same += outcome is not None
                counts["passed"] += 1
            if options.verbose:
                print(f"{outcome or 'ok'}: {case.name} {version} {target}", flush=True)
    print(f"cutile: {len(cases)} kernels, {counts['passed']} ok ({same} with PTX that had run), {counts['failed']} not ok, "
          f"{sum(refused.values())} refused by the front end, {time.monotonic() - start:.0f} s" +
          "".join(f"\n  {number} of them: {text}" for text, number in sorted(refused.items())))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
