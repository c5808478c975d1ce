//===- Layouts.h - Fields of types, attributes and debug records ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each layout is written down once, as a function over a codec `C`: FieldReader fills the fields, FieldWriter writes
// them. A codec has
//   version()  byte  varint  svarint  u32  string  type  constant  code(enum, attr)  i32s  i64s  attribute  debug
//   flags(value, known)    a varint of flag bits of which only `known` may be set
//   require(isUsed, since, what)    fails if something is used that is newer than the version
// and every step fails with a diagnostic of its own.
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_BYTECODE_LAYOUTS_H
#define TILEIRAS_BYTECODE_LAYOUTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "tileiras/Bytecode/Enums.h"
#include "tileiras/Bytecode/Format.h"

namespace mlir::cuda_tile::bytecode {

/// Runs steps until one fails.
template <typename... Steps> LogicalResult inOrder(Steps &&...steps) { return success((succeeded(steps()) && ...)); }
#define STEP(...) [&]() -> LogicalResult { return __VA_ARGS__; }

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Since 13.4 pointers and tensor views start with flags: bit 0, a ptr_attr follows at the end.
template <typename C> LogicalResult codePtrAttrFlag(C &c, uint64_t &flags) {
  if (c.version() >= v13_4)
    return c.flags(flags, 1);
  return c.require(flags != 0, v13_4, "pointer attribute");
}

template <typename C> LogicalResult codePointer(C &c, Type &pointee, Attribute &ptrAttr) {
  uint64_t flags = ptrAttr ? 1 : 0;
  return inOrder(STEP(codePtrAttrFlag(c, flags)), STEP(c.type(pointee)),
                 STEP(flags & 1 ? c.code(ptrAttrEnum(), ptrAttr) : success()));
}

template <typename C> LogicalResult codeTile(C &c, Type &element, SmallVectorImpl<int64_t> &shape) {
  return inOrder(STEP(c.type(element)), STEP(c.i64s(shape)));
}

template <typename C>
LogicalResult codeTensorView(C &c, Type &element, SmallVectorImpl<int64_t> &shape, SmallVectorImpl<int64_t> &strides,
                             Attribute &ptrAttr) {
  uint64_t flags = ptrAttr ? 1 : 0;
  return inOrder(STEP(codePtrAttrFlag(c, flags)), STEP(c.type(element)), STEP(c.i64s(shape)), STEP(c.i64s(strides)),
                 STEP(flags & 1 ? c.code(ptrAttrEnum(), ptrAttr) : success()));
}

struct ViewFields {
  SmallVector<int32_t> tile, traversal, dimMap;
  Type tensorView;
  uint32_t sparseDim = 0;
  Attribute padding;
};

template <typename C> LogicalResult codePartitionView(C &c, ViewFields &view) {
  uint64_t flags = view.padding ? 1 : 0;
  // Before 13.3 the padding has a presence byte of its own in place of the flag.
  bool leadingFlags = c.version() >= v13_3;
  auto presence = [&]() -> LogicalResult {
    uint8_t present = static_cast<uint8_t>(flags);
    if (failed(c.byte(present)))
      return failure();
    flags = present;
    return present > 1 ? c.fail("invalid presence byte of the padding value") : success();
  };
  return inOrder(STEP(leadingFlags ? c.flags(flags, 1) : success()), STEP(c.i32s(view.tile)),
                 STEP(c.type(view.tensorView)), STEP(c.i32s(view.dimMap)), STEP(leadingFlags ? success() : presence()),
                 STEP(flags & 1 ? c.code(paddingEnum(), view.padding) : success()));
}

template <typename C> LogicalResult codeStridedView(C &c, ViewFields &view) {
  uint64_t flags = view.padding ? 1 : 0;
  return inOrder(STEP(c.flags(flags, 1)), STEP(c.i32s(view.tile)), STEP(c.i32s(view.traversal)),
                 STEP(c.type(view.tensorView)), STEP(c.i32s(view.dimMap)),
                 STEP(flags & 1 ? c.code(paddingEnum(), view.padding) : success()));
}

template <typename C> LogicalResult codeGatherScatterView(C &c, ViewFields &view) {
  uint64_t flags = view.padding ? 1 : 0;
  return inOrder(STEP(c.flags(flags, 1)), STEP(c.i32s(view.tile)), STEP(c.type(view.tensorView)),
                 STEP(c.u32(view.sparseDim, "sparse dimension")),
                 STEP(flags & 1 ? c.code(paddingEnum(), view.padding) : success()));
}

template <typename C>
LogicalResult codeFunctionType(C &c, SmallVectorImpl<Type> &inputs, SmallVectorImpl<Type> &results) {
  return inOrder(STEP(c.types(inputs)), STEP(c.types(results)));
}

//===----------------------------------------------------------------------===//
// Self-contained attributes
//===----------------------------------------------------------------------===//

/// A number of `width` bits: a byte for i1, else a varint of the zero-extended bits.
template <typename C> LogicalResult codeIntegerBits(C &c, unsigned width, uint64_t &bits) {
  if (width == 1) {
    uint8_t value = static_cast<uint8_t>(bits);
    if (failed(c.byte(value)))
      return failure();
    bits = value;
  } else if (failed(c.varint(bits))) {
    return failure();
  }
  if (width < 64 && (bits >> width) != 0)
    return c.fail("value " + Twine(bits) + " does not fit in " + Twine(width) + " bits");
  return success();
}

/// A float of `width` bits: a byte up to 8 bits, else the zigzag varint of the pattern read as an unsigned number.
template <typename C> LogicalResult codeFloatBits(C &c, unsigned width, uint64_t &bits) {
  if (width <= 8) {
    uint8_t value = static_cast<uint8_t>(bits);
    if (failed(c.byte(value)))
      return failure();
    bits = value;
  } else {
    if (failed(c.patternVarint(bits)))
      return failure();
  }
  if (width < 64 && (bits >> width) != 0)
    return c.fail("value " + Twine(bits) + " does not fit in " + Twine(width) + " bits");
  return success();
}

/// Two optional numbers after a byte that says which are there.
template <typename C>
LogicalResult codeTwoOptional(C &c, std::optional<int64_t> &first, std::optional<int64_t> &second) {
  uint8_t flags = (first ? 1 : 0) | (second ? 2 : 0);
  if (failed(c.byte(flags)))
    return failure();
  if (flags > 3)
    return c.fail("invalid flags " + Twine(unsigned(flags)));
  auto one = [&](bool present, std::optional<int64_t> &value) -> LogicalResult {
    if (!present)
      return success();
    int64_t number = value.value_or(0);
    if (failed(c.svarint(number)))
      return failure();
    value = number;
    return success();
  };
  return inOrder(STEP(one(flags & 1, first)), STEP(one(flags & 2, second)));
}

template <typename C>
LogicalResult codeDivBy(C &c, uint64_t &divisor, std::optional<int64_t> &every, std::optional<int64_t> &along) {
  return inOrder(STEP(c.varint(divisor)), STEP(codeTwoOptional(c, every, along)));
}

//===----------------------------------------------------------------------===//
// Debug records; `debug` is an index into the records plus one, 0 for none
//===----------------------------------------------------------------------===//

struct DebugFields {
  Attribute file, scope, compileUnit, callee, caller;
  StringAttr name, directory, linkageName;
  uint32_t line = 0, column = 0, scopeLine = 0;
};

template <typename C> LogicalResult codeDebugRecord(C &c, DebugTag tag, DebugFields &f) {
  switch (tag) {
  case DebugTag::Unknown:
    return success();
  case DebugTag::CompileUnit:
    return c.debug(f.file);
  case DebugTag::File:
    return inOrder(STEP(c.string(f.name)), STEP(c.string(f.directory)));
  case DebugTag::LexicalBlock:
    return inOrder(STEP(c.debug(f.scope)), STEP(c.debug(f.file)), STEP(c.u32(f.line, "line")),
                   STEP(c.u32(f.column, "column")));
  case DebugTag::Location: // its file is a string
    return inOrder(STEP(c.debug(f.scope)), STEP(c.string(f.name)), STEP(c.u32(f.line, "line")),
                   STEP(c.u32(f.column, "column")));
  case DebugTag::Subprogram:
    return inOrder(STEP(c.debug(f.file)), STEP(c.u32(f.line, "line")), STEP(c.string(f.name)),
                   STEP(c.string(f.linkageName)), STEP(c.debug(f.compileUnit)), STEP(c.u32(f.scopeLine, "scope line")));
  case DebugTag::CallSite:
    return inOrder(STEP(c.debug(f.callee)), STEP(c.debug(f.caller)));
  }
  return c.fail("unknown debug record");
}

#undef STEP

} // namespace mlir::cuda_tile::bytecode

#endif // TILEIRAS_BYTECODE_LAYOUTS_H
