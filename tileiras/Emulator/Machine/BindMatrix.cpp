//===- BindMatrix.cpp - Matrix fragments and mma.sync -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Binder.h"

#include "tileiras/Emulator/Machine/FloatRounding.h"
#include "tileiras/Emulator/Machine/Handlers.h"

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
  case Op::Movmatrix:
    i.d = destination(ops[0]);
    i.a = source(ops[1], Type::B32);
    i.e = constants.get(0xffffffffu, 4);
    return finish(i, handlers::movmatrix);
  case Op::Mma:
    return bindMma(inst, i);
  default:
    return std::nullopt;
  }
}

bool Binder::bindMma(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  if (ops.size() != 4)
    return error(inst.loc, "'mma' takes 4 operands, found " + std::to_string(ops.size())), true;
  program.matrixAux.emplace_back();
  MatrixAux &x = program.matrixAux.back();
  for (std::string_view word : inst.mods) {
    unsigned m, n, k;
    if (std::sscanf(std::string(word).c_str(), "m%un%uk%u", &m, &n, &k) == 3) {
      x.m = uint8_t(m);
      x.n = uint8_t(n);
      x.k = uint8_t(k);
    }
  }
  x.d = inst.type(0);
  x.a = inst.type(1);
  x.b = inst.type(2);
  x.c = inst.type(3);
  if (x.d != x.c)
    return error(inst.loc, "'mma' needs the same type for C and D"), true;
  x.saturate = inst.has("satfinite");
  x.rounding = directedFlags(inst);
  auto fragment = [&](const Operand &op, Type t, unsigned elements, bool isD, std::vector<Row> &rows) {
    unsigned bits = t == Type::F64 ? 64 : 32;
    unsigned count = std::max(1u, elements * (t == Type::TF32 ? 32 : typeBits(t)) / 32 / bits);
    std::vector<Operand> parts = op.kind == Operand::Vector ? op.parts : std::vector<Operand>{op};
    if (parts.size() != count)
      return error(op.loc, "this fragment of 'mma' has " + std::to_string(count) + " registers, found " +
                               std::to_string(parts.size()));
    for (const Operand &part : parts) {
      bool reg = part.kind == Operand::Reg;
      if ((reg && regBits(part) != bits) || (!reg && isD && part.kind != Operand::Sink) ||
          (reg && fn.registers[part.reg].type == Type::Pred))
        return error(part.loc, "expected a " + std::to_string(bits) + "-bit register");
      rows.push_back(isD ? destination(part) : source(part, bits == 64 ? Type::F64 : part.kind == Operand::Float ? Type::F32 : Type::B32));
    }
    return true;
  };
  if (!fragment(ops[0], x.d, x.m * x.n, true, x.rd) || !fragment(ops[1], x.a, x.m * x.k, false, x.ra) ||
      !fragment(ops[2], x.b, x.n * x.k, false, x.rb) || !fragment(ops[3], x.c, x.m * x.n, false, x.rc))
    return true;
  i.e = constants.get(0xffffffffu, 4);
  i.aux = &x;
  return finish(i, handlers::mma);
}
