#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wheel: it is made, installed into a bare venv, and used as docs/python.md prints it, without a CUDA toolkit in sight.

usage: wheel.py BUILD [--report FILE.json]
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from suite import Suite

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent


def interpreter():
    """One that can make a venv and has NumPy, which a venv then sees; no network is needed."""
    for python in (os.environ.get("TILEIRAS_PACKAGE_PYTHON"), sys.executable, "/usr/bin/python3"):
        if python and not subprocess.run([python, "-c", "import numpy, venv, ensurepip"], stderr=subprocess.DEVNULL).returncode:
            return python
    return None


def run(command, folder, **variables):
    """Output of a command with almost no environment. Raises with the output if it fails."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), **variables}
    done = subprocess.run([str(c) for c in command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise AssertionError(f"{command}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.M | re.S)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--report")
    args = parser.parse_args()
    suite = Suite(args.report)
    build = args.build.resolve()
    base = interpreter()
    if not base:
        suite.skip("wheel", "no Python with numpy and venv (apt-get install python3-numpy python3-venv)")
        return suite.finish()
    with tempfile.TemporaryDirectory(prefix="tileiras-wheel-") as scratch:
        folder = pathlib.Path(scratch)
        wheels = []
        with suite.case("make"):
            print(run([sys.executable, ROOT / "scripts" / "make_wheel.py", build], ROOT, PATH=os.environ["PATH"]).strip())
            wheels = list((build / "wheel").glob("open_tileiras-*-py3-none-manylinux_2_*.whl"))
            assert len(wheels) == 1 and wheels[0].stat().st_size < 60e6, wheels
        if not wheels:
            return suite.finish()
        run([base, "-m", "venv", folder / "venv"], folder)
        binaries = folder / "venv" / "bin"
        python = binaries / "python"
        # The packages of the other interpreter (NumPy, pytest), without installing anything.
        others = run([base, "-c", "import numpy, os; print(os.path.dirname(os.path.dirname(numpy.__file__)))"], folder)
        site = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip()
        pathlib.Path(site, "others.pth").write_text(others)
        with suite.case("install"):
            run([python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", wheels[0]], folder)
        with suite.case("import takes less than 100 ms"):
            code = "import time; t = time.perf_counter(); import open_tileiras; print(time.perf_counter() - t)"
            best = min(float(run([python, "-c", code], folder)) for _ in range(5))
            print(f"import: {best * 1e3:.1f} ms")
            assert best < 0.1, best
        with suite.case("the lines of docs/python.md as printed"):
            (folder / "page.py").write_text("\n".join(blocks(ROOT / "docs" / "python.md", "python")))
            output = run([python, "page.py"], folder)
            assert ".visible .entry scale(" in output and "out-of-bounds at line" in output and "limited by" in output, output
            assert (folder / "scale.html").stat().st_size < 5e6
        with suite.case("the tools are commands"):
            kernel = ROOT / "examples" / "softmax.mlir"
            ptx = run([binaries / "tileiras", kernel, "--gpu-name=sm_90", "--emit=ptx", "-o", "-"], folder)
            assert ".entry softmax(" in ptx
            assert "open-tileiras" in run([binaries / "tileiras", "--version"], folder)
            output = run([binaries / "tileiras-run", kernel, "--grid=4", "--check", "--tolerance=rel:1e-5,abs:1e-7", "--summary",
                          "x:f32[4x333]=normal(seed=1,std=3)", "out:y:f32[4x333]=poison", "i32=4", "i32=333"], folder)
            assert "PASS" in output, output
            assert "entry @softmax" in run([binaries / "tileirdisasm", kernel], folder)
            assert "--device" in run([binaries / "tileiras-emu", "--help"], folder)
        with suite.case("the wheel has what static analysis and C programs want"):
            package = pathlib.Path(run([python, "-c", "import open_tileiras as o; print(o.__path__[0])"], folder).strip())
            assert (package / "py.typed").exists() and (package / "include/tileiras/CAPI/open_tileiras.h").exists()
            (folder / "c.c").write_text('#include "tileiras/CAPI/open_tileiras.h"\n#include <stdio.h>\n'
                                        'int main(void) { puts(tileiras_version()); return 0; }\n')
            compiler = next((c for c in ("/usr/bin/cc", "/usr/bin/clang-22", "/usr/bin/gcc") if os.access(c, os.X_OK)), None)
            if compiler:
                run([compiler, "c.c", f"-I{package}/include", f"-L{package}/lib", "-ltileiras", f"-Wl,-rpath,{package}/lib", "-o", "c"],
                    folder)
                assert run([folder / "c"], folder).strip() == "0.1.0"
        for line in run([python, HERE / "api.py", ROOT], folder).splitlines():
            name, _, outcome = line.partition(": ")
            if outcome.startswith("skipped"):
                suite.skip(name, outcome[8:])
            elif outcome in ("ok", "FAILED"):
                with suite.case(name):
                    assert outcome == "ok"
            else:
                print(line)
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
