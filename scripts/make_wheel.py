#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the Python wheel out of a build folder: BUILD/wheel/open_tileiras-*.whl.

usage: make_wheel.py BUILD

Libraries and programs are installed and stripped into a copy of python/, libraries that manylinux does not promise go beside them, and
setuptools makes the wheel; nothing is compiled and nothing is downloaded. The platform tag is the oldest glibc that everything in it runs with.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 60_000_000
#: Of those that libtileiras.so needs, what PEP 600 lets a wheel expect of its system.
EXPECTED = re.compile(r"(libc|libm|libdl|libpthread|librt|libz|libgcc_s|libstdc\+\+)\.so\.|ld-linux|linux-vdso")


def builder():
    """An interpreter with setuptools and wheel."""
    probe = "from setuptools.command.bdist_wheel import bdist_wheel"
    older = "import setuptools, wheel.bdist_wheel"
    for python in (sys.executable, "/usr/bin/python3"):
        for code in (probe, older):
            if shutil.which(python) and not subprocess.run([python, "-c", code], stderr=subprocess.DEVNULL).returncode:
                return python
    sys.exit("make_wheel: no setuptools with wheel (apt-get install python3-setuptools python3-wheel)")


def elves(folder):
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF":
            yield path


def needed_glibc(folder):
    """The highest version of glibc that anything in the folder asks for."""
    highest = (2, 17)
    for path in elves(folder):
        text = subprocess.run(["objdump", "-p", str(path)], stdout=subprocess.PIPE, check=True, text=True).stdout
        for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", text):
            highest = max(highest, (int(major), int(minor)))
    return highest


def bundle(folder):
    """Copies what else is needed; the libraries look beside themselves first."""
    for path in list(elves(folder)):
        listed = subprocess.run(["ldd", str(path)], stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL).stdout
        for name, place in re.findall(r"(\S+) => (\S+)", listed):
            target = folder / "lib" / name
            if not EXPECTED.match(name) and not str(place).startswith(str(folder)) and not target.exists():
                shutil.copy(place, target)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    wheels, stage = build / "wheel", build / "wheel" / "stage"
    shutil.rmtree(wheels, ignore_errors=True)
    shutil.copytree(ROOT / "python", stage, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "tests"))
    package = stage / "open_tileiras"
    for component in ("Library", "Device", "Package"):
        subprocess.run(["cmake", "--install", str(build), "--component", component, "--prefix", str(package), "--strip"],
                       check=True, stdout=subprocess.DEVNULL)
    for folder in ("lib/cmake", "lib/pkgconfig"):  # of a system, not of a package
        shutil.rmtree(package / folder, ignore_errors=True)
    (package / "lib" / "open-tileiras" / "device").rename(package / "lib" / "device")
    (package / "lib" / "open-tileiras").rmdir()
    bundle(package)
    # A wheel has no links; programs look for the name with the number.
    for link in [p for p in package.rglob("*") if p.is_symlink()]:
        link.unlink()
    shutil.copy(ROOT / "LICENSE", stage / "LICENSE")
    shutil.copy(ROOT / "docs" / "python.md", stage / "README.md")
    machine = os.uname().machine
    tag = "manylinux_{}_{}_{}".format(*needed_glibc(package), machine)
    environment = {**os.environ, "OPEN_TILEIRAS_PLATFORM": tag, "SOURCE_DATE_EPOCH": "315532800"}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run([builder(), "-c", f"from setuptools import build_meta; build_meta.build_wheel({str(wheels)!r})"], cwd=stage,
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(done.stdout + "make_wheel: setuptools failed")
    shutil.rmtree(stage)
    wheel, = wheels.glob("*.whl")
    size = wheel.stat().st_size
    print(f"{wheel}: {size / 1e6:.1f} MB")
    return 0 if size < LIMIT else f"make_wheel: more than {LIMIT / 1e6:.0f} MB"


if __name__ == "__main__":
    sys.exit(main())
