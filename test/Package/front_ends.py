#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Front ends behind the Python package: cuTile, Triton and Numba programs by python -m open_tileiras, in a context, and in pytest.

usage: front_ends.py BUILD [--report FILE.json]

TILEIRAS_CUTILE_PYTHON, TILEIRAS_TRITON_PYTHON and TILEIRAS_CUDA_PYTHON (Numba) name interpreters that have them; without, the cases are skipped.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from suite import Suite

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: A kernel of cuTile, launched without PyTorch; all blocks of `clash` store to one place.
KERNELS = '''import ctypes
import numpy as np
import cuda.tile as ct

driver = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    assert getattr(driver, name)(*arguments) == 0, name


class DeviceArray:
    def __init__(self, data):
        self.data, self.address = data, ctypes.c_uint64()
        call("cuMemAlloc_v2", ctypes.byref(self.address), ctypes.c_size_t(data.nbytes))
        call("cuMemcpyHtoD_v2", self.address, data.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(data.nbytes))
        self.__cuda_array_interface__ = {"shape": data.shape, "strides": data.strides, "typestr": data.dtype.str,
                                         "data": (self.address.value, False), "version": 3, "stream": None}

    def result(self):
        call("cuMemcpyDtoH_v2", self.data.ctypes.data_as(ctypes.c_void_p), self.address, ctypes.c_size_t(self.data.nbytes))
        return self.data


def enter():
    call("cuInit", 0)
    context = ctypes.c_void_p()
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)


@ct.kernel
def add(a, b, c, tile: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(c, index=(i,), tile=ct.load(a, index=(i,), shape=(tile,)) + ct.load(b, index=(i,), shape=(tile,)))


@ct.kernel
def clash(a, c, tile: ct.Constant[int]):
    x = ct.load(a, index=(ct.bid(0),), shape=(tile,))
    ct.store(c, index=(0,), tile=x)  # the line of the report


def run_add():
    x = np.arange(1024, dtype=np.float32)
    a, b, c = DeviceArray(x), DeviceArray(2 * x), DeviceArray(np.zeros_like(x))
    ct.launch(0, (8, 1, 1), add, (a, b, c, 128))
    assert (c.result() == 3 * x).all()


def run_clash():
    a, c = DeviceArray(np.arange(1024, dtype=np.float32)), DeviceArray(np.zeros(128, np.float32))
    ct.launch(0, (8, 1, 1), clash, (a, c, 128))
    call("cuCtxSynchronize")
'''
CONTEXT = '''import open_tileiras as ot
with ot.emulated("sm_90") as device:
    import kernels
    kernels.enter()
    kernels.run_add()
    assert not device.reports, device.reports
    kernels.run_clash()
    report = device.reports[0]
    print(report.kind, report.file, report.line)
'''
TESTS = '''import kernels
kernels.enter()


def test_add():
    kernels.run_add()


def test_clash():
    kernels.run_clash()
'''


#: A sum of neighbours through shared memory; with an argument the threads do not wait for each other.
NUMBA = '''import sys
import warnings
import numpy as np
from numba import cuda, float32

warnings.simplefilter("ignore")
WAITS = len(sys.argv) == 1


@cuda.jit
def neighbours(x, y):
    row = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * 128 + t
    row[t] = x[i]
    if WAITS:
        cuda.syncthreads()
    y[i] = row[t] + row[127 - t]


x = np.arange(512, dtype=np.float32)
y = np.zeros_like(x)
neighbours[4, 128](x, y)
assert not WAITS or np.array_equal(y.reshape(4, 128), x.reshape(4, 128) + x.reshape(4, 128)[:, ::-1])
print("good")
'''


def has(python, *modules):
    code = "import " + ", ".join(modules)
    return bool(python) and not subprocess.run([python, "-c", code], stderr=subprocess.DEVNULL).returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--report")
    args = parser.parse_args()
    suite = Suite(args.report)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")]), "OPEN_TILEIRAS_BUILD": str(args.build.resolve()),
                   "PYTHONDONTWRITEBYTECODE": "1"}

    def run(python, *arguments, folder=ROOT):
        return subprocess.run([python, *map(str, arguments)], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    cutile, triton = os.environ.get("TILEIRAS_CUTILE_PYTHON"), os.environ.get("TILEIRAS_TRITON_PYTHON")
    if has(cutile, "cuda.tile", "numpy", "ml_dtypes"):
        with suite.case("cutile-m"):
            done = run(cutile, "-m", "open_tileiras", "--device=sm_90", ROOT / "test/Device/cutile_launch.py")
            assert done.returncode == 0 and "good" in done.stdout and "0 reports" in done.stdout, done.stdout
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            (folder / "kernels.py").write_text(KERNELS)
            (folder / "context.py").write_text(CONTEXT)
            (folder / "test_kernels.py").write_text(TESTS)
            line = KERNELS.splitlines().index(next(x for x in KERNELS.splitlines() if "the line of the report" in x)) + 1
            with suite.case("cutile-context"):
                done = run(cutile, "context.py", folder=folder)
                assert done.returncode == 0 and f"race {folder.resolve()}/kernels.py {line}\n" in done.stdout, done.stdout
            if has(cutile, "pytest"):
                with suite.case("cutile-pytest"):
                    done = run(cutile, "-m", "pytest", "-q", "-p", "open_tileiras.pytest_plugin", "-p", "no:cacheprovider", "--cuda=emulated", folder=folder)
                    assert "1 failed, 1 passed" in done.stdout and f"> {line:5}     ct.store(c, index=(0,)" in done.stdout, done.stdout
            else:
                suite.skip("cutile-pytest", "the interpreter of cuTile has no pytest")
    else:
        suite.skip("cutile", "no cuTile (TILEIRAS_CUTILE_PYTHON)")
    if has(triton, "triton"):
        with suite.case("triton-m"):
            done = run(triton, "-m", "open_tileiras", "--device=sm_90", ROOT / "test/Device/triton_launch.py")
            assert done.returncode == 0 and "good" in done.stdout and "0 reports" in done.stdout, done.stdout
    else:
        suite.skip("triton", "no Triton (TILEIRAS_TRITON_PYTHON)")
    numba = os.environ.get("TILEIRAS_CUDA_PYTHON")
    if has(numba, "numba_cuda", "numpy"):
        with tempfile.TemporaryDirectory() as scratch:
            program = pathlib.Path(scratch) / "neighbours.py"
            program.write_text(NUMBA)
            with suite.case("numba-m"):
                done = run(numba, "-m", "open_tileiras", "--device=sm_90", program)
                assert done.returncode == 0 and "good" in done.stdout and "0 reports" in done.stdout, done.stdout
            with suite.case("numba-m without a barrier"):
                done = run(numba, "-m", "open_tileiras", "--device=sm_90", program, "race")
                assert done.returncode == 99 and "race" in done.stdout, done.stdout
    else:
        suite.skip("numba", "no numba-cuda (TILEIRAS_CUDA_PYTHON)")
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
