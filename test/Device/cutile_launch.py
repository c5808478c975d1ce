# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuTile's programs through its own launcher: the kernels of test/FrontEnds, which that folder only compiles to bytecode, are
launched with ct.launch and compared with NumPy. Runs under tileiras-emu: cutile_launch.py [--all]

Without --all: whole kernels (softmax, layer norm, attention, matrix product, sorting, top-k, ...) and the documented example.

Cases that the launcher takes other than as they are written there (types that NumPy and the array interface do not have,
64-bit scalars, prints, faults that are wanted) are left out.
"""
import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FrontEnds"))

import cuda.tile as ct
import numpy as np

import cutile_control
import cutile_examples
import cutile_kernels
import cutile_matrix
import cutile_memory
from cutile_case import Array, Const, differs

driver = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    result = getattr(driver, name)(*arguments)
    assert result == 0, f"{name}: {result}"


class DeviceArray:
    """A copy of an array's whole memory on the device, and the view of it."""

    def __init__(self, array):
        self.array, self.memory = array, np.ascontiguousarray(array.memory)
        self.address = ctypes.c_uint64()
        call("cuMemAlloc_v2", ctypes.byref(self.address), ctypes.c_size_t(max(1, self.memory.nbytes)))
        call("cuMemcpyHtoD_v2", self.address, self.memory.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(self.memory.nbytes))

    @property
    def __cuda_array_interface__(self):
        data = self.array.data
        return {"shape": data.shape, "strides": data.strides, "typestr": data.dtype.str, "data": (self.address.value, False),
                "version": 3, "stream": None}

    def result(self):
        call("cuMemcpyDtoH_v2", self.memory.ctypes.data_as(ctypes.c_void_p), self.address, ctypes.c_size_t(self.memory.nbytes))
        data = self.array.data
        return np.lib.stride_tricks.as_strided(self.memory.reshape(-1), data.shape, data.strides)


def simple(case):
    for a in case.arguments:
        if isinstance(a, Array):
            if a.data.dtype.isbuiltin != 1 or a.shape or a.index is not ct.int32 or a.internal:
                return False
        elif not isinstance(a, (Const, np.int32, np.float32)):
            return False
    # Clusters of more than 8 blocks need an attribute that the launcher does not set.
    return case.name != "hint-ctas-16" and case.runs and not case.fails and not case.refuses and not case.printed


def main():
    passed = failed = 0
    call("cuInit", 0)
    context = ctypes.c_void_p()
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    modules = [cutile_kernels, cutile_examples]
    if "--all" in sys.argv:
        modules += [cutile_matrix, cutile_memory, cutile_control]
    for case in (c for module in modules for c in module.cases()):
        if not simple(case):
            continue
        arrays = {k: DeviceArray(a) for k, a in enumerate(case.arguments) if isinstance(a, Array)}
        arguments = [arrays[k] if k in arrays else a.value if isinstance(a, Const) else a.item()
                     for k, a in enumerate(case.arguments)]
        grid = tuple(case.grid) + (1,) * (3 - len(case.grid))
        ct.launch(0, grid, case.kernel, tuple(arguments))
        call("cuCtxSynchronize")
        wrong = [w for k, (want, tolerance) in case.expected.items()
                 if (w := differs(arrays[k].result(), np.asarray(want), tolerance))]
        print(f"{case.name}: {wrong[0] if wrong else 'ok'}", flush=True)
        passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    if passed and not failed:
        print("good")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
