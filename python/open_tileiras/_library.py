# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libtileiras.so through ctypes: the functions of open_tileiras.h and tileiras_emu.h. Nothing is loaded before it is needed."""

from __future__ import annotations

import ctypes
import functools
import json
import os
import pathlib
from typing import Any, Optional, Sequence

HERE = pathlib.Path(__file__).resolve().parent


def _first(*paths: pathlib.Path) -> Optional[pathlib.Path]:
    return next((p for p in paths if p.exists()), None)


def root() -> pathlib.Path:
    """The folder with `lib` and `bin`: the package itself, or a build folder (OPEN_TILEIRAS_BUILD names another one)."""
    chosen = os.environ.get("OPEN_TILEIRAS_BUILD")
    candidates = [pathlib.Path(chosen)] if chosen else [HERE, HERE.parent.parent / "build"]
    found = next((c for c in candidates if (c / "lib" / "libtileiras.so").exists()), None)
    if found is None:
        raise ImportError("libtileiras.so is not in " + ", ".join(str(c / "lib") for c in candidates)
                          + ": install the wheel, or build it (make build)")
    return found.resolve()


def tool(name: str) -> pathlib.Path:
    """The program of a tool: "tileiras", "tileiras-run", "tileirdisasm", "tileiras-emu"."""
    found = _first(root() / "bin" / name, HERE.parent.parent / "tools" / "tileiras-emu" / name)
    if found is None:
        raise FileNotFoundError(f"no program '{name}' in {root()}")
    return found


class Argument(ctypes.Structure):  # tileiras_argument
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_char_p), ("is_array", ctypes.c_int), ("bits", ctypes.c_uint64),
                ("rank", ctypes.c_uint32), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("data", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]


class Launch(ctypes.Structure):  # tileiras_emu_launch
    _fields_ = [("kernel", ctypes.c_char_p), ("grid", ctypes.c_uint32 * 3), ("block", ctypes.c_uint32 * 3),
                ("cluster", ctypes.c_uint32 * 3), ("dynamic_shared_bytes", ctypes.c_uint32),
                ("schedule", ctypes.c_int), ("async_timing", ctypes.c_int), ("seed", ctypes.c_uint64),
                ("host_threads", ctypes.c_uint32), ("max_warp_instructions", ctypes.c_uint64),
                ("check_uninitialized", ctypes.c_int), ("check_races", ctypes.c_int), ("capture_output", ctypes.c_int),
                ("tensor_load_interlock", ctypes.c_int), ("device", ctypes.c_char_p), ("multiprocessors", ctypes.c_uint32),
                ("cooperative", ctypes.c_int)]


class Timing(ctypes.Structure):  # tileiras_emu_timing
    _fields_ = [("machine", ctypes.c_char_p), ("samples", ctypes.c_uint32), ("clock_mhz", ctypes.c_double),
                ("l2_state", ctypes.c_int), ("timeline", ctypes.c_int), ("ptx", ctypes.c_char_p)]


class ReportFields(ctypes.Structure):  # tileiras_emu_report
    _fields_ = [("kind", ctypes.c_char_p), ("message", ctypes.c_char_p), ("file", ctypes.c_char_p), ("ptx", ctypes.c_char_p),
                ("source_file", ctypes.c_char_p), ("kernel", ctypes.c_char_p), ("line", ctypes.c_uint32),
                ("column", ctypes.c_uint32), ("source_line", ctypes.c_uint32), ("block", ctypes.c_uint32 * 3),
                ("thread", ctypes.c_uint32 * 3), ("address", ctypes.c_uint64), ("count", ctypes.c_uint64)]


_pointer, _size, _text, _int = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_int
_texts = ctypes.POINTER(ctypes.c_char_p)
_functions = {
    "tileiras_version": (_text, []), "tileiras_targets": (_text, []),
    "tileiras_result_status": (_int, [_pointer]), "tileiras_result_output": (_pointer, [_pointer, ctypes.POINTER(_size)]),
    "tileiras_result_messages": (_text, [_pointer]), "tileiras_result_json": (_text, [_pointer]),
    "tileiras_result_destroy": (None, [_pointer]),
    "tileiras_compile": (_pointer, [_text, _size, _text, _texts]),
    "tileiras_explore": (_pointer, [_text, _size, _text, _texts]),
    "tileiras_disassemble": (_pointer, [_text, _size, _text, _int]),
    "tileiras_assemble": (_pointer, [_text, _size, _text, _text]),
    "tileiras_layout": (_pointer, [_text, _texts]),
    "tileiras_reference_run": (_pointer, [_text, _size, _text, _text, ctypes.POINTER(ctypes.c_uint32),
                                          ctypes.POINTER(Argument), _size, ctypes.c_uint64, _texts]),
    "tileiras_emu_module_parse": (_pointer, [_text, _size, _text, ctypes.POINTER(_pointer)]),
    "tileiras_emu_module_destroy": (None, [_pointer]), "tileiras_emu_kernel_count": (_size, [_pointer]),
    "tileiras_emu_kernel_name": (_text, [_pointer, _size]),
    "tileiras_emu_memory_create": (_pointer, []), "tileiras_emu_memory_destroy": (None, [_pointer]),
    "tileiras_emu_alloc": (ctypes.c_uint64, [_pointer, _size, _text]),
    "tileiras_emu_write": (_int, [_pointer, ctypes.c_uint64, _pointer, _size]),
    "tileiras_emu_read": (_int, [_pointer, ctypes.c_uint64, _pointer, _size]),
    "tileiras_emu_launch_default": (Launch, []),
    "tileiras_emu_run": (_pointer, [_pointer, _pointer, ctypes.POINTER(Launch), ctypes.POINTER(_pointer),
                                    ctypes.POINTER(_size), _size]),
    "tileiras_emu_result_ok": (_int, [_pointer]), "tileiras_emu_result_report_count": (_size, [_pointer]),
    "tileiras_emu_result_report": (_text, [_pointer, _size]),
    "tileiras_emu_result_report_fields": (_int, [_pointer, _size, ctypes.POINTER(ReportFields)]),
    "tileiras_emu_result_output": (_text, [_pointer]), "tileiras_emu_result_stats": (_text, [_pointer]),
    "tileiras_emu_result_destroy": (None, [_pointer]),
    "tileiras_emu_timing_default": (Timing, []),
    "tileiras_emu_predict": (_pointer, [_pointer, _pointer, ctypes.POINTER(Launch), ctypes.POINTER(_pointer),
                                        ctypes.POINTER(_size), _size, ctypes.POINTER(Timing)]),
    "tileiras_emu_prediction_error": (_text, [_pointer]), "tileiras_emu_prediction_json": (_text, [_pointer]),
    "tileiras_emu_prediction_text": (_text, [_pointer]), "tileiras_emu_prediction_html": (_text, [_pointer]),
    "tileiras_emu_prediction_trace": (_text, [_pointer]), "tileiras_emu_prediction_destroy": (None, [_pointer]),
    "tileiras_emu_free_string": (None, [_pointer]),
}


@functools.lru_cache(maxsize=None)
def library() -> Any:
    """The library, with the types of its functions. Calls let other threads run."""
    lib = ctypes.CDLL(str(root() / "lib" / "libtileiras.so"))
    for name, (result, arguments) in _functions.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


class Result:
    """What became of a call: status (0, or the tool's exit code), output (bytes), messages, facts (its JSON)."""

    def __init__(self, handle: int):
        lib = library()
        size = ctypes.c_size_t()
        try:
            self.status: int = lib.tileiras_result_status(handle)
            at = lib.tileiras_result_output(handle, ctypes.byref(size))
            self.output: bytes = ctypes.string_at(at, size.value)
            self.messages: str = lib.tileiras_result_messages(handle).decode(errors="replace")
            self.facts: dict[str, Any] = json.loads(lib.tileiras_result_json(handle))
        finally:
            lib.tileiras_result_destroy(handle)


def option_list(options: Sequence[str]) -> Any:
    return (ctypes.c_char_p * (len(options) + 1))(*(o.encode() for o in options), None)


def call(name: str, *arguments: Any) -> Result:
    return Result(getattr(library(), name)(*arguments))
