//===- BindMatrix.cpp - Matrix fragments and mma.sync -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/FloatRounding.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Matrix/WarpMatrix.h"

#include <algorithm>
#include <cstdio>
#include <string>

using namespace tileiras::emu;

Binder::Bound Binder::bindMatrix(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  switch (inst.row->op) {
  case Op::Ldmatrix:
  case Op::Stmatrix: {
    bool isLoad = inst.row->op == Op::Ldmatrix;
    const Operand &data = ops[isLoad ? 0 : 1];
    program.memAux.emplace_back();
    MemAux &aux = program.memAux.back();
    address(inst, ops[isLoad ? 1 : 0], i, aux);
    aux.count = 0;
    aux.bytes = 16;
    for (const Operand &part : data.kind == Operand::Vector ? data.parts : std::vector<Operand>{data}) {
      if (part.kind == Operand::Reg && regBits(part) != 32)
        return error(part.loc, "a matrix fragment needs 32-bit registers"), true;
      aux.rows[aux.count++] = isLoad ? destination(part) : source(part, Type::B32);
    }
    i.e = constants.get(0xffffffffu, 4);
    i.flags = inst.has("trans");
    return finish(i, isLoad ? handlers::ldmatrix : handlers::stmatrix);
  }
  case Op::Ldmatrix8:
  case Op::Stmatrix8: {
    bool isLoad = inst.row->op == Op::Ldmatrix8, square = inst.has("m16n16");
    const Operand &data = ops[isLoad ? 0 : 1];
    program.memAux.emplace_back();
    MemAux &aux = program.memAux.back();
    address(inst, ops[isLoad ? 1 : 0], i, aux);
    aux.bytes = 16;
    i.count = inst.has("x4") ? 4 : inst.has("x2") ? 2 : 1;
    std::vector<Row> rows;
    if (!fragment(inst, data, i.count * (square ? 2u : 1u), 32, isLoad, rows))
      return true;
    aux.count = uint8_t(rows.size());
    std::copy(rows.begin(), rows.end(), aux.rows);
    i.e = constants.get(0xffffffffu, 4);
    i.flags = uint8_t((square ? 1 : 0) | (inst.has("b4x16_p64") ? 2 : 0) | (inst.has("b6x16_p32") ? 4 : 0));
    return finish(i, isLoad ? handlers::ldmatrix8 : handlers::stmatrix8);
  }
  case Op::Movmatrix:
    i.d = destination(ops[0]);
    i.a = source(ops[1], Type::B32);
    i.e = constants.get(0xffffffffu, 4);
    return finish(i, handlers::movmatrix);
  case Op::Mma:
    return bindMma(inst, i);
  case Op::WmmaLoad:
  case Op::WmmaStore:
    return bindWmmaAccess(inst, i);
  case Op::WmmaMma:
    return bindWmma(inst, i);
  default:
    return std::nullopt;
  }
}

bool Binder::fragment(const Instruction &inst, const Operand &op, unsigned count, unsigned bits, bool isDestination,
                      std::vector<Row> &rows) {
  std::vector<Operand> parts = op.kind == Operand::Vector ? op.parts : std::vector<Operand>{op};
  if (parts.size() != count)
    return error(op.loc, "this fragment of '" + std::string(inst.opcode) + "' has " + std::to_string(count) +
                             " registers, found " + std::to_string(parts.size()));
  for (const Operand &part : parts) {
    bool reg = part.kind == Operand::Reg;
    if ((reg && regBits(part) != bits) || (!reg && isDestination && part.kind != Operand::Sink) ||
        (reg && fn.registers[part.reg].type == Type::Pred))
      return error(part.loc, "expected a " + std::to_string(bits) + "-bit register");
    rows.push_back(isDestination ? destination(part)
                                 : source(part, bits == 64                    ? Type::F64
                                                : part.kind == Operand::Float ? Type::F32
                                                                              : Type::B32));
  }
  return true;
}

void Binder::matrixShape(const Instruction &inst, MatrixAux &x) {
  for (std::string_view word : inst.mods) {
    unsigned m, n, k;
    if (std::sscanf(std::string(word).c_str(), "m%un%uk%u", &m, &n, &k) == 3) {
      x.m = uint16_t(m);
      x.n = uint16_t(n);
      x.k = uint16_t(k);
    }
  }
}

/// Bits per element and registers of A or B.
static unsigned registersFor(unsigned elements, unsigned bits) {
  return std::max(1u, bits == 64 ? elements / 32 : elements * bits / 1024);
}

bool Binder::bindMma(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  program.matrixAux.emplace_back();
  MatrixAux &x = program.matrixAux.back();
  matrixShape(inst, x);
  x.d = inst.type(0);
  x.a = inst.type(1);
  x.b = inst.type(2);
  x.c = inst.type(3);
  x.saturate = inst.has("satfinite");
  x.rounding = directedFlags(inst);
  x.bitXor = inst.has("xor");
  x.volta = x.m == 8 && x.a == Type::F16;
  x.ordered = inst.has("sp::ordered_metadata");
  x.sparse = x.ordered || inst.has("sp");
  if (inst.has("block_scale")) {
    x.scaleVec = inst.has("scale_vec::4X") ? 4 : inst.has("scale_vec::2X") || inst.has("kind::mxf4") ? 2 : 1;
    x.scaleType = inst.type(4);
  }
  size_t want = 4 + (x.sparse ? 2 : 0) + (x.scaleVec ? 4 : 0);
  if (ops.size() != want)
    return error(inst.loc, "'mma' takes " + std::to_string(want) + " operands, found " + std::to_string(ops.size())),
           true;
  if (x.d != x.c && !x.volta)
    return error(inst.loc, "'mma' needs the same type for C and D"), true;
  // The types of four and six bits stand in bytes where they may be mixed with 8-bit ones.
  bool bytes = inst.has("kind::f8f6f4") || inst.has("kind::mxf8f6f4");
  x.bitsA = uint8_t(bytes ? 8 : elementBits(x.a));
  x.bitsB = uint8_t(bytes ? 8 : elementBits(x.b));
  unsigned wide = x.a == Type::F64 ? 64 : 32;
  unsigned na = registersFor(x.m * x.k / (x.sparse ? 2 : 1), x.bitsA), nb = registersFor(x.n * x.k, x.bitsB);
  unsigned nc = registersFor(x.m * x.n, typeBits(x.c)), nd = registersFor(x.m * x.n, typeBits(x.d));
  if (x.volta) { // four products side by side, the layout words say how A and B are spread
    na = nb = 2;
    nc = x.c == Type::F16 ? 4 : 8;
    nd = x.d == Type::F16 ? 4 : 8;
    std::vector<bool> rowMajor;
    for (std::string_view word : inst.mods)
      if (word == "row" || word == "col")
        rowMajor.push_back(word == "row");
    x.rowA = rowMajor[0];
    x.rowB = rowMajor[1];
  }
  if (!fragment(inst, ops[0], nd, wide, true, x.rd) || !fragment(inst, ops[1], na, wide, false, x.ra) ||
      !fragment(inst, ops[2], nb, wide, false, x.rb) || !fragment(inst, ops[3], nc, wide, false, x.rc))
    return true;
  size_t next = 4;
  if (x.sparse) {
    std::vector<Row> metadata;
    if (!fragment(inst, ops[4], 1, 32, false, metadata))
      return true;
    x.metadata = metadata[0];
    // How many lanes of a quad share the work decides which selectors exist.
    unsigned chunks = x.k / (x.bitsA == 32 ? 2 : x.bitsA == 4 ? 8 : 4);
    unsigned selectors = x.bitsA >= 16 ? (chunks == 4 ? 4 : 2) : chunks == 8 ? 2 : 1;
    if (ops[5].kind != Operand::Int)
      return error(ops[5].loc, "the sparsity selector must be a constant"), true;
    if (ops[5].bits >= selectors)
      return error(ops[5].loc, "the sparsity selector of this form is 0" +
                                   (selectors == 1 ? std::string() : " to " + std::to_string(selectors - 1))),
             true;
    x.selector = uint8_t(ops[5].bits);
    next = 6;
  }
  if (x.scaleVec)
    for (unsigned side = 0; side != 2; ++side) {
      const Operand &data = ops[next + 2 * side], &ids = ops[next + 2 * side + 1];
      std::vector<Row> scale;
      if (!fragment(inst, data, 1, 32, false, scale))
        return true;
      if (ids.kind != Operand::Vector || ids.parts.size() != 2)
        return error(ids.loc, "expected {byte id, thread id}"), true;
      Row id[2];
      for (unsigned k = 0; k != 2; ++k) {
        if (ids.parts[k].kind == Operand::Reg && regBits(ids.parts[k]) != 16)
          return error(ids.parts[k].loc, "expected a 16-bit register"), true;
        id[k] = source(ids.parts[k], Type::U16);
      }
      (side ? x.scaleB : x.scaleA) = scale[0];
      (side ? x.byteB : x.byteA) = id[0];
      (side ? x.threadB : x.threadA) = id[1];
    }
  i.e = constants.get(0xffffffffu, 4);
  i.aux = &x;
  return finish(i, handlers::mma);
}

//===----------------------------------------------------------------------===//
// wmma
//===----------------------------------------------------------------------===//

/// Registers of a wmma fragment: f16 operands always have eight (values may be there more than once).
static unsigned wmmaRegisters(Type t, unsigned elements, bool isOperand) {
  if (t == Type::F16)
    return isOperand ? 8 : 4;
  return registersFor(elements, elementBits(t));
}

bool Binder::bindWmmaAccess(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  bool isLoad = inst.row->op == Op::WmmaLoad;
  program.wmmaAux.emplace_back();
  WmmaAux &x = program.wmmaAux.back();
  MatrixAux shape;
  matrixShape(inst, shape);
  x.type = inst.type();
  x.bits = uint8_t(elementBits(x.type));
  bool a = inst.has("a"), b = inst.has("b");
  x.rows = b ? shape.k : shape.m;
  x.cols = a ? shape.k : shape.n;
  x.rowMajor = inst.has("row");
  unsigned wide = x.type == Type::F64 ? 64 : 32;
  const Operand &mem = ops[isLoad ? 1 : 0], &data = ops[isLoad ? 0 : 1];
  address(inst, mem, i, x.mem);
  if (!fragment(inst, data, wmmaRegisters(x.type, x.rows * x.cols, a || b), wide, isLoad, x.registers))
    return true;
  if (ops.size() > 2) {
    x.hasStride = true;
    x.stride = source(ops[2], Type::U32);
  }
  i.e = constants.get(0xffffffffu, 4);
  i.aux = &x;
  return finish(i, isLoad ? handlers::wmmaLoad : handlers::wmmaStore);
}

bool Binder::bindWmma(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  program.matrixAux.emplace_back();
  MatrixAux &x = program.matrixAux.back();
  matrixShape(inst, x);
  x.d = inst.type(0);
  if (inst.types.size() == 2) { // f16: only the types of D and C are written
    x.a = x.b = Type::F16;
    x.c = inst.type(1);
  } else {
    x.a = inst.type(1);
    x.b = inst.type(2);
    x.c = inst.type(3);
  }
  x.saturate = inst.has("satfinite");
  x.rounding = directedFlags(inst);
  x.bitXor = inst.has("xor");
  x.bitsA = uint8_t(elementBits(x.a));
  x.bitsB = uint8_t(elementBits(x.b));
  unsigned wide = x.a == Type::F64 ? 64 : 32;
  if (!fragment(inst, ops[0], wmmaRegisters(x.d, x.m * x.n, false), wide, true, x.rd) ||
      !fragment(inst, ops[1], wmmaRegisters(x.a, x.m * x.k, true), wide, false, x.ra) ||
      !fragment(inst, ops[2], wmmaRegisters(x.b, x.k * x.n, true), wide, false, x.rb) ||
      !fragment(inst, ops[3], wmmaRegisters(x.c, x.m * x.n, false), wide, false, x.rc))
    return true;
  i.e = constants.get(0xffffffffu, 4);
  i.aux = &x;
  return finish(i, handlers::wmmaMma);
}
