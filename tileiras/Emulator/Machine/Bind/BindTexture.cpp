//===- BindTexture.cpp - Textures and surfaces ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Texture/TextureAux.h"

#include <algorithm>

using namespace tileiras::emu;

/// Rows of `count` registers, in braces unless there is one; `destination` says whether they are written.
/// `bytes`, if given, lets them be wider, as ld and st do, and receives their size.
bool Binder::textureRows(const Operand &op, unsigned count, Type type, bool destination_, Row *rows, uint8_t *bytes) {
  const bool braces = op.kind == Operand::Vector;
  if (braces ? op.parts.size() != count : count != 1)
    return error(op.loc, "expected " + std::to_string(count) + " registers in braces");
  unsigned size = rowBytes(type);
  if (bytes) {
    for (unsigned k = 0; k != count; ++k)
      if (const Operand &part = braces ? op.parts[k] : op; part.kind == Operand::Reg)
        size = std::max(size, regBits(part) / 8);
    *bytes = uint8_t(size);
  }
  for (unsigned k = 0; k != count; ++k) {
    const Operand &part = braces ? op.parts[k] : op;
    const bool sink = destination_ && part.kind == Operand::Sink;
    if (part.kind == Operand::Reg) {
      if (fn.registers[part.reg].type == Type::Pred || regBits(part) != 8 * size)
        return error(part.loc, "register '" + fn.registers[part.reg].name + "' of type ." +
                                   typeName(fn.registers[part.reg].type) + " does not fit type ." + typeName(type));
    } else if (!sink && (destination_ || (part.kind != Operand::Int && part.kind != Operand::Float))) {
      return error(part.loc, destination_ ? "expected a destination register" : "expected a register or a constant");
    }
    rows[k] = destination_ ? destination(part) : source(part, type, size);
  }
  return true;
}

namespace {
struct Geometry {
  std::string_view word;
  TextureShape shape;
  uint8_t dimensions;
  bool layered;
  uint8_t registers; ///< of the coordinates: the last may be there for nothing
};
constexpr Geometry geometries[] = {
    {"1d", TextureShape::D1, 1, false, 1},           {"2d", TextureShape::D2, 2, false, 2},
    {"3d", TextureShape::D3, 3, false, 4},           {"a1d", TextureShape::Layered1D, 1, true, 2},
    {"a2d", TextureShape::Layered2D, 2, true, 4},    {"cube", TextureShape::Cube, 3, false, 4},
    {"acube", TextureShape::LayeredCube, 3, true, 4}};
} // namespace

Binder::Bound Binder::bindTexture(const Instruction &inst, Inst &i) {
  const Op op = inst.row->op;
  if (op == Op::IsTexture) {
    // Handles of both kinds tell what they are; samplers are part of textures.
    plainOperands(inst, i);
    i.flags = inst.has("surfref") ? 1 : inst.has("samplerref") ? 2 : 0;
    return finish(i, handlers::isTexture);
  }
  if (op < Op::Texture || op > Op::SurfaceQuery)
    return std::nullopt;
  auto aux = std::make_shared<TextureAux>();
  program.auxes.push_back(aux);
  TextureAux &x = *aux;
  i.aux = aux.get();
  const std::vector<Operand> &ops = inst.operands;
  const bool toMemory = op == Op::SurfaceStore || op == Op::SurfaceReduce;
  const bool query = op == Op::TextureQuery || op == Op::SurfaceQuery;
  if (ops.size() < 2)
    return error(inst.loc, "'" + std::string(inst.opcode) + "' takes at least 2 operands"), true;
  const Operand &place = ops[toMemory ? 0 : 1];
  if (place.kind != Operand::Mem)
    return error(place.loc, "expected an object and coordinates in brackets"), true;
  if (place.parts.size() == 3)
    return error(place.loc, "samplers of their own (.texmode_independent) are not supported"), true;
  if (place.parts.size() != (query ? 1 : 2) || place.addend)
    return error(place.loc, query ? "expected an object in brackets" : "expected an object and coordinates"), true;
  const Operand &object = place.parts[0];
  if (object.kind != Operand::Reg || regBits(object) != 64)
    return error(object.loc, "textures and surfaces are named by a 64-bit register; .texref and .surfref variables are "
                             "not supported"),
           true;
  x.handle = regs[object.reg];

  if (query) {
    static constexpr std::pair<std::string_view, TextureQueryKind> names[] = {
        {"width", TextureQueryKind::Width},         {"height", TextureQueryKind::Height},
        {"depth", TextureQueryKind::Depth},         {"channel_data_type", TextureQueryKind::DataType},
        {"channel_order", TextureQueryKind::Order}, {"normalized_coords", TextureQueryKind::Normalized},
        {"array_size", TextureQueryKind::Layers},   {"num_mipmap_levels", TextureQueryKind::Levels},
        {"num_samples", TextureQueryKind::Samples}, {"memory_layout", TextureQueryKind::Layout}};
    for (auto &[word, kind] : names)
      if (inst.has(word))
        x.query = kind;
    i.flags = op == Op::SurfaceQuery;
    x.withLevel = inst.has("level");
    if (ops.size() != (x.withLevel ? 3u : 2u))
      return error(inst.loc, "wrong number of operands"), true;
    if (!textureRows(ops[0], 1, Type::B32, true, x.data) ||
        (x.withLevel && !textureRows(ops[2], 1, Type::B32, false, &x.level)))
      return true;
    return finish(i, handlers::textureQuery);
  }

  unsigned registers = 0;
  for (const Geometry &g : geometries)
    if (inst.has(g.word)) {
      x.shape = g.shape;
      x.dimensions = g.dimensions;
      x.layered = g.layered;
      registers = g.registers;
    }
  const bool surface = op != Op::Texture && op != Op::TextureGather;
  const Type coordinate = surface ? Type::S32 : inst.type(1);
  x.byIndex = coordinate == Type::S32;
  if (x.byIndex && !surface && x.dimensions == 3 && x.shape != TextureShape::D3)
    return error(inst.loc, "cubes take coordinates of type .f32"), true;
  const Operand &where = place.parts[1];
  std::vector<Operand> parts = where.kind == Operand::Vector ? where.parts : std::vector<Operand>{where};
  // Assemblers let vectors be longer than that.
  if (parts.size() < registers || parts.size() > 4)
    return error(where.loc, "expected " + std::to_string(registers) + " coordinates"), true;
  if (x.layered && !textureRows(parts[0], 1, Type::B32, false, &x.layer))
    return true;
  for (unsigned k = 0; k != x.dimensions; ++k)
    if (!textureRows(parts[k + x.layered], 1, coordinate == Type::F32 ? Type::F32 : Type::B32, false, &x.coords[k]))
      return true;

  if (surface) {
    x.access = op == Op::SurfaceLoad    ? TextureAux::Access::Load
               : op == Op::SurfaceStore ? TextureAux::Access::Store
                                        : TextureAux::Access::Reduce;
    x.formatted = inst.has("p");
    x.border = inst.has("clamp") ? SurfaceBorder::Clamp : inst.has("zero") ? SurfaceBorder::Zero : SurfaceBorder::Trap;
    x.type = inst.type();
    x.bytes = x.registerBytes = uint8_t(typeBits(x.type) / 8);
    x.count = inst.has("v2") ? 2 : inst.has("v4") ? 4 : 1;
    static constexpr std::pair<std::string_view, ReduceOp> reductions[] = {{"add", ReduceOp::Add},
                                                                           {"min", ReduceOp::Min},
                                                                           {"max", ReduceOp::Max},
                                                                           {"and", ReduceOp::And},
                                                                           {"or", ReduceOp::Or}};
    for (auto &[word, reduction] : reductions)
      if (inst.has(word))
        x.reduce = reduction;
    if (x.bytes * x.count > 16)
      return error(inst.loc, "a surface access has at most 16 bytes"), true;
    if (ops.size() != 2)
      return error(inst.loc, "wrong number of operands"), true;
    if (!textureRows(ops[toMemory ? 1 : 0], x.count, x.type, !toMemory, x.data,
                     x.access == TextureAux::Access::Reduce ? nullptr : &x.registerBytes))
      return true;
    return finish(i, handlers::surfaceAccess);
  }

  // tex, tld4: results, perhaps with a predicate; then level, derivatives, offsets.
  x.type = inst.type(0);
  x.gather = op == Op::TextureGather;
  if (x.gather)
    x.component = inst.has("r") ? 0 : inst.has("g") ? 1 : inst.has("b") ? 2 : 3;
  x.count = x.type == Type::F16x2 ? 2 : 4;
  x.registerBytes = uint8_t(rowBytes(x.type));
  const Operand *results = &ops[0];
  if (results->kind == Operand::Pair) {
    const Operand &p = results->parts[1];
    if (p.kind != Operand::Reg || fn.registers[p.reg].type != Type::Pred)
      return error(p.loc, "expected a predicate"), true;
    x.residency = predDestination(p);
    results = &results->parts[0];
  }
  if (!textureRows(*results, x.count, x.type, true, x.data))
    return true;
  size_t next = 2;
  x.withLevel = inst.has("level");
  x.withGradient = inst.has("grad");
  if (x.withLevel) {
    if (ops.size() <= next)
      return error(inst.loc, "the level is missing"), true;
    if (!textureRows(ops[next++], 1, coordinate, false, &x.level))
      return true;
  }
  for (unsigned g = 0; g != 2 && x.withGradient; ++g, ++next) {
    // {x}, {x, y}, {x, y, z, _}
    const unsigned given = x.dimensions == 3 ? 4 : x.dimensions;
    Row rows[4];
    if (ops.size() <= next)
      return error(inst.loc, "derivatives are missing"), true;
    if (!textureRows(ops[next], given, Type::F32, false, rows))
      return true;
    std::copy(rows, rows + x.dimensions, x.gradient[g]);
  }
  if (next < ops.size() && ops[next].kind == Operand::Vector) {
    const unsigned given = x.shape == TextureShape::D3 ? 4 : x.dimensions;
    Row rows[4];
    if (!textureRows(ops[next++], given, Type::B32, false, rows))
      return true;
    std::copy(rows, rows + x.dimensions, x.offset);
    x.hasOffset = true;
  }
  if (inst.has("base") && next != ops.size())
    ++next; // assemblers take a level here, and the base has none
  if (next != ops.size())
    return error(ops[next].loc, "comparison of depths is not supported"), true;
  return finish(i, handlers::textureFetch);
}
