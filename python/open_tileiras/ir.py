# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules of the cuda_tile dialect (and of every dialect of the pipeline) as objects: build, parse, print, walk, bytecode.

    from open_tileiras import ir

    with ir.Context():
        module = ir.Module.parse(text)
        for op in module.walk():
            print(op.name, op.location)
        data = module.bytecode()

Operations are built at an insertion point. Attributes and types may be given as text, as MLIR prints them:

    with ir.Context():
        module = ir.Module.create()
        with ir.at_end(module.body):
            kernels = ir.cuda_tile.module(sym_name='"kernels"', regions=1)
        with ir.at_end(kernels.regions[0].append_block()):
            ...
            z = ir.cuda_tile.addf(x, y, rounding_mode="#cuda_tile.rounding<nearest_even>", results=["!cuda_tile.tile<8xf32>"])

All of it is MLIR's own C interface, which libtileiras.so exports (tileiras/CAPI/cuda_tile.h), through ctypes. Objects keep their module and
context alive. An object of an operation that was erased must not be used. Errors are IRError, with the diagnostics as text. A context is used
by one thread at a time.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import sys
from typing import Any, Callable, Iterator, Optional, Sequence, Union

from . import _library


class IRError(Exception):
    """What MLIR refused: the diagnostics, one per line."""


class _String(ctypes.Structure):  # MlirStringRef
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class _NamedAttribute(ctypes.Structure):
    _fields_ = [("name", ctypes.c_void_p), ("attribute", ctypes.c_void_p)]


class _State(ctypes.Structure):  # MlirOperationState
    _fields_ = [("name", _String), ("location", ctypes.c_void_p), ("n_results", ctypes.c_ssize_t), ("results", ctypes.c_void_p),
                ("n_operands", ctypes.c_ssize_t), ("operands", ctypes.c_void_p), ("n_regions", ctypes.c_ssize_t),
                ("regions", ctypes.c_void_p), ("n_successors", ctypes.c_ssize_t), ("successors", ctypes.c_void_p),
                ("n_attributes", ctypes.c_ssize_t), ("attributes", ctypes.c_void_p), ("infer", ctypes.c_bool)]


_Logical = ctypes.c_int8  # MlirLogicalResult, a structure with one byte
_p, _n, _b = ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_bool
_Sink = ctypes.CFUNCTYPE(None, _String, _p)
_Handler = ctypes.CFUNCTYPE(_Logical, _p, _p)
# A structure with one pointer is passed as that pointer.
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "mlirContextCreateWithThreading": (_p, [_b]), "mlirContextDestroy": (None, [_p]), "mlirContextAppendDialectRegistry": (None, [_p, _p]),
    "mlirContextLoadAllAvailableDialects": (None, [_p]), "mlirContextAttachDiagnosticHandler": (ctypes.c_uint64, [_p, _Handler, _p, _p]),
    "mlirContextIsRegisteredOperation": (_b, [_p, _String]),
    "mlirDialectRegistryCreate": (_p, []), "mlirDialectRegistryDestroy": (None, [_p]), "mlirCudaTileRegisterAllDialects": (None, [_p]),
    "mlirDiagnosticPrint": (None, [_p, _Sink, _p]), "mlirDiagnosticGetLocation": (_p, [_p]), "mlirDiagnosticGetSeverity": (ctypes.c_int, [_p]),
    "mlirIdentifierGet": (_p, [_p, _String]), "mlirIdentifierStr": (_String, [_p]),
    "mlirLocationUnknownGet": (_p, [_p]), "mlirLocationFileLineColGet": (_p, [_p, _String, ctypes.c_uint, ctypes.c_uint]),
    "mlirLocationPrint": (None, [_p, _Sink, _p]),
    "mlirModuleCreateEmpty": (_p, [_p]), "mlirModuleCreateParse": (_p, [_p, _String]), "mlirModuleDestroy": (None, [_p]),
    "mlirModuleGetOperation": (_p, [_p]), "mlirModuleGetBody": (_p, [_p]),
    "mlirOperationStateGet": (_State, [_String, _p]), "mlirOperationStateAddResults": (None, [ctypes.POINTER(_State), _n, _p]),
    "mlirOperationStateAddOperands": (None, [ctypes.POINTER(_State), _n, _p]),
    "mlirOperationStateAddOwnedRegions": (None, [ctypes.POINTER(_State), _n, _p]),
    "mlirOperationStateAddAttributes": (None, [ctypes.POINTER(_State), _n, _p]),
    "mlirOperationImplementsInterfaceStatic": (_b, [_String, _p, _p]), "mlirInferTypeOpInterfaceTypeID": (_p, []),
    "mlirOperationCreate": (_p, [ctypes.POINTER(_State)]), "mlirOperationDestroy": (None, [_p]), "mlirOperationVerify": (_b, [_p]),
    "mlirOperationGetName": (_p, [_p]), "mlirOperationGetLocation": (_p, [_p]), "mlirOperationGetNumOperands": (_n, [_p]),
    "mlirOperationGetOperand": (_p, [_p, _n]), "mlirOperationSetOperand": (None, [_p, _n, _p]), "mlirOperationGetNumResults": (_n, [_p]),
    "mlirOperationGetResult": (_p, [_p, _n]), "mlirOperationGetNumRegions": (_n, [_p]), "mlirOperationGetRegion": (_p, [_p, _n]),
    "mlirOperationGetNumAttributes": (_n, [_p]), "mlirOperationGetAttribute": (_NamedAttribute, [_p, _n]),
    "mlirOperationGetAttributeByName": (_p, [_p, _String]), "mlirOperationSetAttributeByName": (None, [_p, _String, _p]),
    "mlirOperationGetNextInBlock": (_p, [_p]), "mlirOperationGetParentOperation": (_p, [_p]), "mlirOperationPrint": (None, [_p, _Sink, _p]),
    "mlirOperationPrintWithFlags": (None, [_p, _p, _Sink, _p]), "mlirOpPrintingFlagsCreate": (_p, []),
    "mlirOpPrintingFlagsDestroy": (None, [_p]), "mlirOpPrintingFlagsEnableDebugInfo": (None, [_p, _b, _b]),
    "mlirOpPrintingFlagsPrintGenericOpForm": (None, [_p]),
    "mlirRegionCreate": (_p, []), "mlirRegionDestroy": (None, [_p]), "mlirRegionGetFirstBlock": (_p, [_p]),
    "mlirRegionAppendOwnedBlock": (None, [_p, _p]),
    "mlirBlockCreate": (_p, [_n, _p, _p]), "mlirBlockGetNextInRegion": (_p, [_p]), "mlirBlockGetFirstOperation": (_p, [_p]),
    "mlirBlockGetNumArguments": (_n, [_p]), "mlirBlockGetArgument": (_p, [_p, _n]), "mlirBlockAppendOwnedOperation": (None, [_p, _p]),
    "mlirBlockInsertOwnedOperationBefore": (None, [_p, _p, _p]), "mlirBlockGetParentOperation": (_p, [_p]), "mlirOperationGetBlock": (_p, [_p]),
    "mlirValueGetType": (_p, [_p]), "mlirValuePrint": (None, [_p, _Sink, _p]), "mlirValueReplaceAllUsesOfWith": (None, [_p, _p]),
    "mlirValueIsABlockArgument": (_b, [_p]), "mlirOpResultGetOwner": (_p, [_p]), "mlirValueEqual": (_b, [_p, _p]),
    "mlirTypeParseGet": (_p, [_p, _String]), "mlirTypePrint": (None, [_p, _Sink, _p]), "mlirTypeEqual": (_b, [_p, _p]),
    "mlirAttributeParseGet": (_p, [_p, _String]), "mlirAttributePrint": (None, [_p, _Sink, _p]), "mlirAttributeEqual": (_b, [_p, _p]),
    "mlirCudaTileWriteBytecode": (_Logical, [_p, _String, _Sink, _p]), "mlirCudaTileReadBytecode": (_p, [_p, _String]),
}


@functools.lru_cache(maxsize=None)
def _mlir() -> Any:
    lib = _library.library()
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


def _text(data: Union[str, bytes]) -> _String:
    data = data.encode() if isinstance(data, str) else data
    return _String(data, len(data))


def _bytes(text: _String) -> bytes:
    """All of a string, zeros too."""
    at = ctypes.cast(ctypes.pointer(text), ctypes.POINTER(ctypes.c_void_p))[0]
    return ctypes.string_at(at, text.length) if text.length else b""


def _collect(call: Callable[[Any], Any]) -> bytes:
    """What a function that prints piece by piece prints."""
    pieces: list[bytes] = []

    def take(piece: _String, _: Any) -> None:
        pieces.append(_bytes(piece))
    sink = _Sink(take)
    call(sink)
    return b"".join(pieces)


_contexts: list["Context"] = []
_points: list[tuple["Block", Optional["Operation"]]] = []
_locations: list["Location"] = []


class Context:
    """An MLIR context with every dialect of the pipeline. Inside `with`, it is the one that everything is made in."""

    def __init__(self) -> None:
        lib = _mlir()
        registry = lib.mlirDialectRegistryCreate()
        lib.mlirCudaTileRegisterAllDialects(registry)
        self._handle = lib.mlirContextCreateWithThreading(False)
        lib.mlirContextAppendDialectRegistry(self._handle, registry)
        lib.mlirDialectRegistryDestroy(registry)
        lib.mlirContextLoadAllAvailableDialects(self._handle)
        self._said: list[str] = []
        said = self._said  # no circle: the handler outlives nothing

        def handle(diagnostic: int, _: Any) -> int:
            place = _collect(lambda sink: lib.mlirLocationPrint(lib.mlirDiagnosticGetLocation(diagnostic), sink, None)).decode(errors="replace")
            kind = ("error", "warning", "note", "remark")[lib.mlirDiagnosticGetSeverity(diagnostic)]
            words = _collect(lambda sink: lib.mlirDiagnosticPrint(diagnostic, sink, None)).decode(errors="replace")
            said.append(f"{place}: {kind}: {words}")
            return 1
        self._handler = _Handler(handle)
        lib.mlirContextAttachDiagnosticHandler(self._handle, self._handler, None, None)

    def __del__(self) -> None:
        if getattr(self, "_handle", None) and not sys.is_finalizing():
            _mlir().mlirContextDestroy(self._handle)

    def __enter__(self) -> "Context":
        _contexts.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        _contexts.pop()

    def has_operation(self, name: str) -> bool:
        return bool(_mlir().mlirContextIsRegisteredOperation(self._handle, _text(name)))

    def _fail(self, what: str) -> IRError:
        said, self._said[:] = "\n".join(self._said), []
        return IRError(said or what)

    @staticmethod
    def current() -> "Context":
        if not _contexts:
            raise RuntimeError("there is no context: with ir.Context(): ...")
        return _contexts[-1]


class _Handle:
    """A pointer of MLIR, what it belongs to, and its printed form."""
    _print: str
    _equal: str = ""

    def __init__(self, handle: int, owner: Any):
        self._handle, self._owner = handle, owner

    @property
    def context(self) -> Context:
        at = self._owner
        while not isinstance(at, Context):
            at = at._owner
        return at

    def __str__(self) -> str:
        return _collect(lambda sink: getattr(_mlir(), self._print)(self._handle, sink, None)).decode()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._handle == other._handle

    def __hash__(self) -> int:
        return hash(self._handle)


class Type(_Handle):
    """`Type("!cuda_tile.tile<4x8xf32>")`; equal types are equal objects."""
    _print = "mlirTypePrint"

    def __init__(self, text: Union[str, "Type", int], owner: Any = None):
        if isinstance(text, int):
            super().__init__(text, owner)
            return
        context = Context.current()
        handle = text._handle if isinstance(text, Type) else _mlir().mlirTypeParseGet(context._handle, _text(text))
        if not handle:
            raise context._fail(f"no type: {text}")
        super().__init__(handle, context)


class Attribute(_Handle):
    """`Attribute("3 : i32")`, `Attribute('"name"')`: as MLIR prints it."""
    _print = "mlirAttributePrint"

    def __init__(self, text: Union[str, bool, int, "Attribute"], owner: Any = None):
        if owner is not None:
            assert isinstance(text, int)
            super().__init__(text, owner)
            return
        context = Context.current()
        if isinstance(text, bool):
            text = "true" if text else "false"
        handle = text._handle if isinstance(text, Attribute) else _mlir().mlirAttributeParseGet(context._handle, _text(str(text)))
        if not handle:
            raise context._fail(f"no attribute: {text}")
        super().__init__(handle, context)


class Location(_Handle):
    """A place in a source file; inside `with`, that of the operations that are built."""
    _print = "mlirLocationPrint"

    @staticmethod
    def file(name: str, line: int, column: int = 0) -> "Location":
        context = Context.current()
        return Location(_mlir().mlirLocationFileLineColGet(context._handle, _text(name), line, column), context)

    @staticmethod
    def unknown() -> "Location":
        context = Context.current()
        return Location(_mlir().mlirLocationUnknownGet(context._handle), context)

    def __enter__(self) -> "Location":
        _locations.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        _locations.pop()


class Value(_Handle):
    """A result of an operation or an argument of a block."""
    _print = "mlirValuePrint"

    @property
    def type(self) -> Type:
        return Type(_mlir().mlirValueGetType(self._handle), self.context)

    @property
    def operation(self) -> Optional["Operation"]:
        """The operation whose result it is; None of an argument."""
        lib = _mlir()
        return None if lib.mlirValueIsABlockArgument(self._handle) else Operation(lib.mlirOpResultGetOwner(self._handle), self._owner)

    def replace_all_uses_with(self, other: "Value") -> None:
        _mlir().mlirValueReplaceAllUsesOfWith(self._handle, other._handle)


class Block(_Handle):
    @property
    def arguments(self) -> list[Value]:
        lib = _mlir()
        return [Value(lib.mlirBlockGetArgument(self._handle, k), self._owner) for k in range(lib.mlirBlockGetNumArguments(self._handle))]

    @property
    def operations(self) -> Iterator["Operation"]:
        lib = _mlir()
        at = lib.mlirBlockGetFirstOperation(self._handle)
        while at:
            following = lib.mlirOperationGetNextInBlock(at)
            yield Operation(at, self._owner)
            at = following

    def __iter__(self) -> Iterator["Operation"]:
        return self.operations

    def __str__(self) -> str:
        return "\n".join(map(str, self.operations))


class Region(_Handle):
    @property
    def blocks(self) -> list[Block]:
        lib, found = _mlir(), []
        at = lib.mlirRegionGetFirstBlock(self._handle)
        while at:
            found.append(Block(at, self._owner))
            at = lib.mlirBlockGetNextInRegion(at)
        return found

    def append_block(self, *types: Union[str, Type]) -> Block:
        """A new block at the end, with arguments of these types."""
        with self.context:
            handles = [Type(t)._handle for t in types]
            places = [_place()._handle for _ in types]
        n = len(handles)
        block = _mlir().mlirBlockCreate(n, (ctypes.c_void_p * max(1, n))(*handles), (ctypes.c_void_p * max(1, n))(*places))
        _mlir().mlirRegionAppendOwnedBlock(self._handle, block)
        return Block(block, self._owner)

    def __str__(self) -> str:
        return "\n".join(map(str, self.blocks))


class Operation(_Handle):
    """An operation. `str` is its text as MLIR prints it."""
    _print = "mlirOperationPrint"

    @property
    def name(self) -> str:
        return _bytes(_mlir().mlirIdentifierStr(_mlir().mlirOperationGetName(self._handle))).decode()

    @property
    def location(self) -> Location:
        return Location(_mlir().mlirOperationGetLocation(self._handle), self.context)

    @property
    def operands(self) -> list[Value]:
        lib = _mlir()
        return [Value(lib.mlirOperationGetOperand(self._handle, k), self._owner) for k in range(lib.mlirOperationGetNumOperands(self._handle))]

    def set_operand(self, number: int, value: Value) -> None:
        if not 0 <= number < _mlir().mlirOperationGetNumOperands(self._handle):
            raise IndexError(f"{self.name} has no operand {number}")
        _mlir().mlirOperationSetOperand(self._handle, number, value._handle)

    @property
    def results(self) -> list[Value]:
        lib = _mlir()
        return [Value(lib.mlirOperationGetResult(self._handle, k), self._owner) for k in range(lib.mlirOperationGetNumResults(self._handle))]

    @property
    def result(self) -> Value:
        """The only result."""
        value, = self.results
        return value

    @property
    def regions(self) -> list[Region]:
        lib = _mlir()
        return [Region(lib.mlirOperationGetRegion(self._handle, k), self._owner) for k in range(lib.mlirOperationGetNumRegions(self._handle))]

    @property
    def attributes(self) -> dict[str, Attribute]:
        lib, found = _mlir(), {}
        for k in range(lib.mlirOperationGetNumAttributes(self._handle)):
            named = lib.mlirOperationGetAttribute(self._handle, k)
            found[_bytes(lib.mlirIdentifierStr(named.name)).decode()] = Attribute(named.attribute, self.context)
        return found

    def __getitem__(self, name: str) -> Attribute:
        handle = _mlir().mlirOperationGetAttributeByName(self._handle, _text(name))
        if not handle:
            raise KeyError(name)
        return Attribute(handle, self.context)

    def __setitem__(self, name: str, value: Union[str, bool, int, Attribute]) -> None:
        with self.context:
            _mlir().mlirOperationSetAttributeByName(self._handle, _text(name), Attribute(value)._handle)

    @property
    def parent(self) -> Optional["Operation"]:
        handle = _mlir().mlirOperationGetParentOperation(self._handle)
        return Operation(handle, self._owner) if handle else None

    def walk(self) -> Iterator["Operation"]:
        """This operation and all inside it, in the order in which they are printed."""
        yield self
        for region in self.regions:
            for block in region.blocks:
                for op in block.operations:
                    yield from op.walk()

    def verify(self) -> None:
        """Raises IRError if the operation, or one inside it, breaks a rule."""
        if not _mlir().mlirOperationVerify(self._handle):
            raise self.context._fail(f"{self.name} is not valid")

    def erase(self) -> None:
        """Deletes the operation, whose results nobody may use any more."""
        _mlir().mlirOperationDestroy(self._handle)
        self._handle = 0

    def text(self, *, locations: bool = False, generic: bool = False) -> str:
        lib = _mlir()
        flags = lib.mlirOpPrintingFlagsCreate()
        try:
            if locations:
                lib.mlirOpPrintingFlagsEnableDebugInfo(flags, True, False)
            if generic:
                lib.mlirOpPrintingFlagsPrintGenericOpForm(flags)
            return _collect(lambda sink: lib.mlirOperationPrintWithFlags(self._handle, flags, sink, None)).decode()
        finally:
            lib.mlirOpPrintingFlagsDestroy(flags)


class Module:
    """A builtin module; the kernels are in the cuda_tile.module inside it."""

    def __init__(self, handle: int, context: Context):
        self._handle, self._owner = handle, context

    def __del__(self) -> None:
        if getattr(self, "_handle", None) and not sys.is_finalizing():
            _mlir().mlirModuleDestroy(self._handle)

    @staticmethod
    def create() -> "Module":
        return Module(_mlir().mlirModuleCreateEmpty(_place()._handle), Context.current())

    @staticmethod
    def parse(source: Union[str, bytes]) -> "Module":
        """Text, or Tile IR bytecode. Raises IRError, with the places of the errors."""
        context, lib = Context.current(), _mlir()
        bytecode = isinstance(source, bytes) and b"\0" in source[:16]
        handle = (lib.mlirCudaTileReadBytecode if bytecode else lib.mlirModuleCreateParse)(context._handle, _text(source))
        if not handle:
            raise context._fail("the module cannot be read")
        return Module(handle, context)

    @property
    def operation(self) -> Operation:
        return Operation(_mlir().mlirModuleGetOperation(self._handle), self)

    @property
    def body(self) -> Block:
        return Block(_mlir().mlirModuleGetBody(self._handle), self)

    def walk(self) -> Iterator[Operation]:
        return self.operation.walk()

    def verify(self) -> None:
        self.operation.verify()

    def bytecode(self, version: str = "") -> bytes:
        """Its cuda_tile.module as Tile IR bytecode of a version ("13.1" to "13.4"; the latest by default)."""
        kernels = [op for op in self.body if op.name == "cuda_tile.module"]
        if len(kernels) != 1:
            raise IRError(f"bytecode holds one cuda_tile.module, the module has {len(kernels)}")
        self.verify()
        done: list[bool] = []

        def write(sink: Any) -> None:
            done.append(bool(_mlir().mlirCudaTileWriteBytecode(kernels[0]._handle, _text(version), sink, None)))
        data = _collect(write)
        if not done[0]:
            raise self._owner._fail("no bytecode")
        return data

    def __str__(self) -> str:
        return str(self.operation)


def _place() -> Location:
    return _locations[-1] if _locations else Location.unknown()


@contextlib.contextmanager
def at_end(block: Block) -> Iterator[Block]:
    """Operations that are built inside `with` go to the end of the block."""
    _points.append((block, None))
    try:
        with block.context:
            yield block
    finally:
        _points.pop()


@contextlib.contextmanager
def before(operation: Operation) -> Iterator[Block]:
    """Operations that are built inside `with` go before this one."""
    block = Block(_mlir().mlirOperationGetBlock(operation._handle), operation._owner)
    _points.append((block, operation))
    try:
        with operation.context:
            yield block
    finally:
        _points.pop()


def create(name: str, operands: Sequence[Value] = (), results: Optional[Sequence[Union[str, Type]]] = None,
           attributes: Optional[dict[str, Any]] = None, regions: int = 0, location: Optional[Location] = None) -> Operation:
    """Builds an operation at the insertion point. `results`: types; None: inferred by operations that can, else none. `attributes`: as
    for Attribute. `regions`: how many (empty ones; Region.append_block fills them). Raises IRError."""
    if not _points:
        raise RuntimeError("there is no insertion point: with ir.at_end(block): ...")
    block, following = _points[-1]
    context, lib = block.context, _mlir()
    if not context.has_operation(name):
        raise IRError(f"there is no operation {name}")

    with context:
        types = [Type(t)._handle for t in results or ()]
        pairs = [_NamedAttribute(lib.mlirIdentifierGet(context._handle, _text(k)), Attribute(v)._handle) for k, v in (attributes or {}).items()]
        # The state's arrays are MLIR's own, which frees them; the name is ours, and has to live as long.
        spelled = _text(name)
        state = lib.mlirOperationStateGet(spelled, (location or _place())._handle)
        bodies = [lib.mlirRegionCreate() for _ in range(regions)]
    lists: list[tuple[Any, list[Any], Any]] = [
        (lib.mlirOperationStateAddResults, types, _p), (lib.mlirOperationStateAddOperands, [v._handle for v in operands], _p),
        (lib.mlirOperationStateAddOwnedRegions, bodies, _p), (lib.mlirOperationStateAddAttributes, pairs, _NamedAttribute)]
    for add, items, kind in lists:
        if items:
            add(ctypes.byref(state), len(items), ctypes.addressof(array := (kind * len(items))(*items)))
    state.infer = results is None and lib.mlirOperationImplementsInterfaceStatic(spelled, context._handle, lib.mlirInferTypeOpInterfaceTypeID())
    handle = lib.mlirOperationCreate(ctypes.byref(state))
    if not handle:
        raise context._fail(f"{name} cannot be built")
    if following is None:
        lib.mlirBlockAppendOwnedOperation(block._handle, handle)
    else:
        lib.mlirBlockInsertOwnedOperationBefore(block._handle, following._handle, handle)
    return Operation(handle, block._owner)


class _Dialect:
    """`ir.cuda_tile.addf(x, y, ...)`: operands, then `results`, `regions` and attributes by name. Gives the result, a list of
    several, or the operation if it has none or has regions."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, mnemonic: str) -> Callable[..., Any]:
        if mnemonic.startswith("__"):
            raise AttributeError(mnemonic)

        def build(*operands: Value, results: Optional[Sequence[Union[str, Type]]] = None, regions: int = 0,
                  location: Optional[Location] = None, **attributes: Any) -> Any:
            op = create(f"{self._name}.{mnemonic.rstrip('_')}", operands, results, attributes, regions, location)
            if regions or not op.results:
                return op
            return op.results if len(op.results) > 1 else op.result
        return build


cuda_tile = _Dialect("cuda_tile")
nv_tileaa = _Dialect("nv_tileaa")
nv_tileas = _Dialect("nv_tileas")
