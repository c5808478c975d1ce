# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The emulator from Python, through its C interface (tileiras/Emulator/CAPI/tileiras_emu.h) and ctypes."""

import ctypes
import pathlib


class Launch(ctypes.Structure):
    _fields_ = [("kernel", ctypes.c_char_p), ("grid", ctypes.c_uint32 * 3), ("block", ctypes.c_uint32 * 3),
                ("cluster", ctypes.c_uint32 * 3), ("dynamic_shared_bytes", ctypes.c_uint32),
                ("schedule", ctypes.c_int), ("async_timing", ctypes.c_int), ("seed", ctypes.c_uint64),
                ("host_threads", ctypes.c_uint32), ("max_warp_instructions", ctypes.c_uint64),
                ("check_uninitialized", ctypes.c_int)]


class EmulatorError(Exception):
    pass


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
                ("result_destroy", None, [pointer]), ("free_string", None, [pointer])):
            function = getattr(lib, "tileiras_emu_" + name)
            function.restype, function.argtypes = result, arguments

    def run(self, ptx, grid, arguments, *, kernel=None, block=(1, 1, 1), shared=0, seed=0, **options):
        """`arguments`: NumPy arrays, read and written in place, (array, "out") for ones that start unwritten, NumPy scalars.
        Raises EmulatorError with the reports."""
        lib = self.lib
        error = ctypes.c_void_p()
        text = ptx.encode()
        module = lib.tileiras_emu_module_parse(text, len(text), b"kernel.ptx", ctypes.byref(error))
        if not module:
            message = ctypes.string_at(error).decode()
            lib.tileiras_emu_free_string(error)
            raise EmulatorError(message)
        memory = lib.tileiras_emu_memory_create()
        try:
            values, sizes, arrays = [], [], []
            for index, argument in enumerate(arguments):
                if isinstance(argument, tuple):  # (array, "out"): its bytes count as unwritten
                    array, written = argument[0], False
                else:
                    array, written = argument, True
                if array.ndim:
                    address = lib.tileiras_emu_alloc(memory, array.nbytes, f"argument {index}".encode())
                    if written:
                        lib.tileiras_emu_write(memory, address, array.ctypes.data, array.nbytes)
                    arrays.append((array, address))
                    value = ctypes.c_uint64(address)
                    values.append(ctypes.cast(ctypes.pointer(value), ctypes.c_void_p))
                    sizes.append(8)
                else:
                    data = ctypes.create_string_buffer(array.tobytes())
                    values.append(ctypes.cast(data, ctypes.c_void_p))
                    sizes.append(array.nbytes)
            launch = lib.tileiras_emu_launch_default()
            launch.kernel = kernel.encode() if kernel else None
            for k in range(3):
                launch.grid[k] = grid[k] if k < len(grid) else 1
                launch.block[k] = block[k]
            launch.dynamic_shared_bytes, launch.seed = shared, seed
            for name, value in options.items():
                setattr(launch, name, value)
            n = len(values)
            result = lib.tileiras_emu_run(module, memory, ctypes.byref(launch), (ctypes.c_void_p * n)(*values),
                                          (ctypes.c_size_t * n)(*sizes), n)
            ok = lib.tileiras_emu_result_ok(result)
            reports, k = [], 0
            while (report := lib.tileiras_emu_result_report(result, k)) is not None:
                reports.append(report.decode())
                k += 1
            lib.tileiras_emu_result_destroy(result)
            if not ok:
                raise EmulatorError("\n".join(reports))
            for array, address in arrays:
                lib.tileiras_emu_read(memory, address, array.ctypes.data, array.nbytes)
        finally:
            lib.tileiras_emu_memory_destroy(memory)
            lib.tileiras_emu_module_destroy(module)
