# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The emulator from Python, through its C interface (tileiras/Emulator/CAPI/tileiras_emu.h) and ctypes. Needs no NumPy, and
takes NumPy arrays."""

import ctypes
import dataclasses
import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "python" / "open_tileiras"))
from _library import Launch, Timing  # noqa: E402, the structures of the C interface; nothing is loaded by that

EARLY, LATE, RANDOM = range(3)


class EmulatorError(Exception):
    """`reports`; `kinds`: their short names ("race", "deadlock"); `output`: what the kernel printed."""

    def __init__(self, reports, kinds=(), output=""):
        super().__init__("\n".join(reports))
        self.reports, self.kinds, self.output = reports, kinds, output


@dataclasses.dataclass
class TensorMap:
    """A tensor map of the argument with number `array`; dimension 0 is the innermost, strides are in bytes and lack it,
    enumerations are the driver's. By value, or the address of a copy in global memory."""
    array: int
    type: int
    dims: list
    strides: list
    box: list
    interleave: int = 0
    swizzle: int = 0
    l2: int = 0
    fill: int = 0
    by_value: bool = False


@dataclasses.dataclass
class Hidden:
    """An array in memory that the kernel does not get as an argument."""
    array: bytearray


@dataclasses.dataclass
class Table:
    """The address of 64-bit words in memory; (N,) stands for the address of the argument with number N."""
    words: list


class Emulator:
    def __init__(self, build):
        self.lib = lib = ctypes.CDLL(str(pathlib.Path(build) / "lib" / "libtileiras_emu.so"))
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        for name, result, arguments in (
                ("module_parse", pointer, [ctypes.c_char_p, size, ctypes.c_char_p, ctypes.POINTER(pointer)]),
                ("module_destroy", None, [pointer]), ("memory_create", pointer, []), ("memory_destroy", None, [pointer]),
                ("alloc", ctypes.c_uint64, [pointer, size, ctypes.c_char_p]),
                ("write", ctypes.c_int, [pointer, ctypes.c_uint64, pointer, size]),
                ("read", ctypes.c_int, [pointer, ctypes.c_uint64, pointer, size]),
                ("launch_default", Launch, []),
                ("run", pointer, [pointer, pointer, ctypes.POINTER(Launch), ctypes.POINTER(pointer),
                                  ctypes.POINTER(size), size]),
                ("result_ok", ctypes.c_int, [pointer]), ("result_report", ctypes.c_char_p, [pointer, size]),
                ("result_report_kind", ctypes.c_char_p, [pointer, size]),
                ("result_output", ctypes.c_char_p, [pointer]),
                ("timing_default", Timing, []),
                ("predict", pointer, [pointer, pointer, ctypes.POINTER(Launch), ctypes.POINTER(pointer),
                                      ctypes.POINTER(size), size, ctypes.POINTER(Timing)]),
                ("prediction_error", ctypes.c_char_p, [pointer]), ("prediction_json", ctypes.c_char_p, [pointer]),
                ("prediction_text", ctypes.c_char_p, [pointer]), ("prediction_destroy", None, [pointer]),
                ("result_destroy", None, [pointer]), ("free_string", None, [pointer]),
                ("tensormap_tiled", pointer, [pointer, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint64] + [pointer] * 4 +
                 [ctypes.c_uint] * 4)):
            function = getattr(lib, "tileiras_emu_" + name)
            function.restype, function.argtypes = result, arguments

    def tensor_map(self, m, address):
        """The 128 bytes of a TensorMap whose array lies at `address`."""
        bytes_ = ctypes.create_string_buffer(128)
        rank = len(m.dims)
        lists = [(kind * max(len(values), 1))(*values) for kind, values in
                 ((ctypes.c_uint64, m.dims), (ctypes.c_uint64, m.strides), (ctypes.c_uint32, m.box),
                  (ctypes.c_uint32, [1] * rank))]
        error = self.lib.tileiras_emu_tensormap_tiled(bytes_, m.type, rank, address, *lists, m.interleave, m.swizzle, m.l2,
                                                      m.fill)
        if error:
            raise EmulatorError([self._take_string(error)])
        return bytes_.raw

    def _take_string(self, error):
        message = ctypes.string_at(error).decode()
        self.lib.tileiras_emu_free_string(error)
        return message

    def parse(self, ptx, name="kernel.ptx"):
        """A module, to be run any number of times; release() it."""
        error = ctypes.c_void_p()
        text = ptx.encode()
        module = self.lib.tileiras_emu_module_parse(text, len(text), name.encode(), ctypes.byref(error))
        if not module:
            raise EmulatorError([self._take_string(error)])
        return module

    def release(self, module):
        self.lib.tileiras_emu_module_destroy(module)

    def predict(self, ptx, grid, arguments, machine, *, timing=None, **launch):
        """How long the launch would take on `machine`: a dictionary, with the report for people as "text". `timing`: fields
        of Timing; the rest is as for run(). Only samples of the grid are run."""
        return self.run(ptx, grid, arguments, predict={**(timing or {}), "machine": machine.encode(),
                                                       "ptx": ptx.encode()}, **launch)

    def _predict(self, module, memory, launch, values, fields):
        lib, n = self.lib, len(values)
        timing = lib.tileiras_emu_timing_default()
        for name, value in fields.items():
            setattr(timing, name, value)
        prediction = lib.tileiras_emu_predict(module, memory, ctypes.byref(launch),
                                              (ctypes.c_void_p * n)(*(ctypes.addressof(v) for v in values)),
                                              (ctypes.c_size_t * n)(*(len(v) for v in values)), n, ctypes.byref(timing))
        try:
            if (error := lib.tileiras_emu_prediction_error(prediction)) is not None:
                raise EmulatorError([error.decode()])
            return json.loads(lib.tileiras_emu_prediction_json(prediction)) | {
                "text": lib.tileiras_emu_prediction_text(prediction).decode()}
        finally:
            lib.tileiras_emu_prediction_destroy(prediction)

    def run(self, ptx, grid, arguments, *, kernel=None, block=(1, 1, 1), shared=0, seed=0, cluster=(), predict=None,
            **options):
        """`ptx`: text, or what parse() gave. `arguments`: writable buffers (NumPy arrays, bytearrays), read and written in
        place, (buffer, "out") for ones that start unwritten; NumPy scalars or bytes, passed by value; TensorMap; Hidden; Table.
        Returns what the kernel printed if capture_output is set. Raises EmulatorError with the reports."""
        lib = self.lib
        module = self.parse(ptx) if isinstance(ptx, str) else ptx
        memory = lib.tileiras_emu_memory_create()
        values, arrays, addresses = [], [], {}

        def allocate(size, data, name):
            address = lib.tileiras_emu_alloc(memory, size, name.encode())
            if data is not None:
                lib.tileiras_emu_write(memory, address, data, size)
            return address

        def by_value(data):
            values.append(ctypes.create_string_buffer(data, len(data)))

        try:
            for index, argument in enumerate(arguments):
                if isinstance(argument, TensorMap):
                    data = self.tensor_map(argument, addresses[argument.array])
                    by_value(data if argument.by_value else
                             allocate(128, data, f"tensor map {index}").to_bytes(8, "little"))
                elif isinstance(argument, bytes):
                    by_value(argument)
                elif isinstance(argument, Table):
                    words = [addresses[w[0]] if isinstance(w, tuple) else int(w) for w in argument.words]
                    data = b"".join((w & (1 << 64) - 1).to_bytes(8, "little") for w in words)
                    by_value(allocate(len(data), data, f"table {index}").to_bytes(8, "little"))
                else:
                    array, written = (argument[0], False) if isinstance(argument, tuple) else (argument, True)
                    passed = not isinstance(array, Hidden)
                    array = array if passed else array.array
                    if getattr(array, "ndim", 1) == 0:  # a NumPy scalar
                        by_value(array.tobytes())
                        continue
                    view = memoryview(array).cast("B") if isinstance(array, bytearray) else None
                    size = len(view) if view is not None else array.nbytes
                    data = (ctypes.c_char * size).from_buffer(array) if view is not None else array.ctypes.data
                    addresses[index] = allocate(size, data if written else None, f"argument {index}")
                    arrays.append((data, addresses[index], size))
                    if passed:
                        by_value(addresses[index].to_bytes(8, "little"))
            launch = lib.tileiras_emu_launch_default()
            launch.kernel = kernel.encode() if kernel else None
            for k in range(3):
                launch.grid[k] = grid[k] if k < len(grid) else 1
                launch.block[k] = block[k] if k < len(block) else 1
                launch.cluster[k] = cluster[k] if k < len(cluster) else 1
            launch.dynamic_shared_bytes, launch.seed = shared, seed
            for name, value in options.items():
                setattr(launch, name, value)
            if predict:
                return self._predict(module, memory, launch, values, predict)
            n = len(values)
            result = lib.tileiras_emu_run(module, memory, ctypes.byref(launch),
                                          (ctypes.c_void_p * n)(*(ctypes.addressof(v) for v in values)),
                                          (ctypes.c_size_t * n)(*(len(v) for v in values)), n)
            ok = lib.tileiras_emu_result_ok(result)
            reports, kinds = [], []
            while (report := lib.tileiras_emu_result_report(result, len(reports))) is not None:
                kinds.append(lib.tileiras_emu_result_report_kind(result, len(reports)).decode())
                reports.append(report.decode())
            output = lib.tileiras_emu_result_output(result).decode(errors="replace")
            lib.tileiras_emu_result_destroy(result)
            for data, address, size in arrays:
                lib.tileiras_emu_read(memory, address, data, size)
            if not ok:
                raise EmulatorError(reports, kinds, output)
            return output
        finally:
            lib.tileiras_emu_memory_destroy(memory)
            if isinstance(ptx, str):
                self.release(module)
