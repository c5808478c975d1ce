# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts: CuTe's algebra, and who owns which element of a tile, to compute with and to look at."""

from __future__ import annotations

import functools
from typing import Any, Optional, Sequence, Union

from . import _library


class LayoutError(ValueError):
    """No such layout, or an operation without a result; the text says why."""




class Layout:
    """A layout in any notation of docs/layouts.md: CuTe's `(8,64):(64,1)`, `S<3,4,3> o 0 o (8,64):(64,1)`; ours,
    `#nv_tileas.linear<...>`; Triton's, `#ttg.nvidia_mma<{...}>`. `shape` (elements) is for those that do not name their tile.

    >>> a = Layout("(8,8):(8,1)")
    >>> a.logical_divide("<4:1;2:1>")
    Layout('((4,2),(2,4)):((8,32),(1,2))')
    >>> a(9)                # the offset of the flat coordinate 9, the first mode fastest
    9
    >>> print(a)            # a table of offsets; in notebooks a picture

    Operations raise LayoutError where there is no layout of the wanted function.
    """

    def __init__(self, text: Union[str, "Layout"], *, shape: Optional[Sequence[int]] = None):
        self.text: str = text.text if isinstance(text, Layout) else text
        self._shape = tuple(shape) if shape is not None else None
        self._facts  # wrong text fails here

    def _call(self, form: str, **options: Any) -> _library.Result:
        if self._shape is not None:
            options.setdefault("shape", "x".join(map(str, self._shape)))
        pairs = [f"{k.replace('_', '-')}={v}" for k, v in options.items() if v is not None]
        result = _library.call("tileiras_layout", self.text.encode(), _library.option_list([f"format={form}", *pairs]))
        if result.status:
            raise LayoutError(result.messages.strip().removeprefix("error: "))
        return result

    @functools.cached_property
    def _facts(self) -> dict[str, Any]:
        return self._call("none").facts

    @property
    def kind(self) -> str:
        """"function" (coordinate to offset), "distributed" (register, lane, warp, block to coordinate), "shared" (offset to
        coordinate)."""
        return str(self._facts["kind"])

    @property
    def size(self) -> int:
        """Elements of the domain of a function."""
        return int(self._function("size"))

    @property
    def cosize(self) -> int:
        """The largest offset plus one."""
        return int(self._function("cosize"))

    @property
    def offsets(self) -> list[int]:
        """The offset of every flat coordinate, of layouts of at most 65,536 elements."""
        return list(self._function("offsets"))

    @property
    def bases(self) -> dict[str, list[list[int]]]:
        """What each bit of a register, lane, ... number adds (by XOR) to the coordinates; of layouts that are no functions."""
        if "bases" not in self._facts:
            raise LayoutError("CuTe's layouts have strides, not bases")
        return dict(self._facts["bases"])

    def _function(self, name: str) -> Any:
        if name not in self._facts:
            raise LayoutError(f"{self.text} has no {name}: it is no static function of one number, or too large")
        return self._facts[name]

    def __call__(self, coordinate: int) -> int:
        """The offset of a flat coordinate, 0 <= coordinate < size."""
        return self.offsets[coordinate]

    def __len__(self) -> int:
        return self.size

    def apply(self, operation: str, argument: Union[str, int, "Layout"] = "") -> "Layout":
        """An operation of the algebra by CuTe's name."""
        text = argument.text if isinstance(argument, Layout) else str(argument)
        return Layout(self._call("none", apply=f"{operation}:{text}").facts["text"])

    def composition(self, other: Union[str, "Layout"]) -> "Layout":
        """R(c) = self(other(c))."""
        return self.apply("composition", other)

    def complement(self, size: int) -> "Layout":
        """The offsets below `size` that this one leaves out."""
        return self.apply("complement", size)

    def logical_divide(self, tiler: Union[str, "Layout"]) -> "Layout":
        return self.apply("logical_divide", tiler)

    def zipped_divide(self, tiler: Union[str, "Layout"]) -> "Layout":
        return self.apply("zipped_divide", tiler)

    def tiled_divide(self, tiler: Union[str, "Layout"]) -> "Layout":
        return self.apply("tiled_divide", tiler)

    def flat_divide(self, tiler: Union[str, "Layout"]) -> "Layout":
        return self.apply("flat_divide", tiler)

    def logical_product(self, tiler: Union[str, "Layout"]) -> "Layout":
        return self.apply("logical_product", tiler)

    def blocked_product(self, tiler: Union[str, "Layout"]) -> "Layout":
        return self.apply("blocked_product", tiler)

    def raked_product(self, tiler: Union[str, "Layout"]) -> "Layout":
        return self.apply("raked_product", tiler)

    def right_inverse(self) -> "Layout":
        return self.apply("right_inverse")

    def left_inverse(self) -> "Layout":
        return self.apply("left_inverse")

    def coalesce(self) -> "Layout":
        return self.apply("coalesce")

    def flatten(self) -> "Layout":
        return self.apply("flatten")

    def draw(self, form: str = "svg", *, to: Union[str, "Layout", None] = None, tile: Optional[str] = None,
             colour: Optional[str] = None, element_bits: Optional[int] = None, max_rows: Optional[int] = None,
             max_columns: Optional[int] = None, title: Optional[str] = None) -> str:
        """A picture ("svg") or "text". `to`: draw the conversion to that layout of registers; `tile`: this is CuTe's (thread,
        value) layout of a tile of that shape, "(16,8)"; `colour`: "lane", "warp" or "register"."""
        if form not in ("svg", "text"):
            raise ValueError(f"form={form!r} is neither svg nor text")
        return self._call(form, to=to.text if isinstance(to, Layout) else to, tile=tile, colour=colour,
                          element_bits=element_bits, max_rows=max_rows, max_columns=max_columns, title=title).output.decode()

    def __str__(self) -> str:
        return self.draw("text")

    def _repr_svg_(self) -> str:
        return self.draw("svg")

    def __repr__(self) -> str:
        return f"Layout({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self.text == other.text and self._shape == other._shape

    def __hash__(self) -> int:
        return hash((self.text, self._shape))
