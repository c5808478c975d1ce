//===- BindData.cpp - mov, cvt, addresses -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/Convert.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Memory/Memory.h"

#include <algorithm>

using namespace tileiras::emu;

Binder::Bound Binder::bindData(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  Type t = inst.type();
  switch (inst.row->op) {
  case Op::Mov:
    return bindMov(inst, i);
  case Op::Cvt:
    return bindConvert(inst, i);
  case Op::CvtPack:
    i.d = destination(ops[0]);
    i.a = source(ops[1], Type::S32);
    i.b = source(ops[2], Type::S32);
    if (ops.size() > 3)
      i.c = source(ops[3], Type::B32);
    for (auto &[name, bits, isSigned] :
         {std::tuple("u16", 16, false), std::tuple("s16", 16, true), std::tuple("u8", 8, false),
          std::tuple("s8", 8, true), std::tuple("u4", 4, false), std::tuple("s4", 4, true), std::tuple("u2", 2, false),
          std::tuple("s2", 2, true)})
      if (std::find(inst.words.begin(), inst.words.end(), name) != inst.words.end()) {
        i.count = uint8_t(bits);
        i.flags = uint8_t((isSigned ? 1 : 0) | (ops.size() > 3 ? 2 : 0));
      }
    return finish(i, selectConvertPack());
  case Op::Cvta: {
    Space space = spaceOf(inst);
    uint64_t window = space == Space::Shared  ? SharedWindow
                      : space == Space::Local ? LocalWindow
                      : space == Space::Const ? ConstWindow
                      : space == Space::Param ? ParamWindow
                                              : 0;
    // A parameter of a .func is local memory.
    if (space == Space::Param && !fn.isEntry)
      window = LocalWindow;
    i.imm = inst.has("to") ? 0 - window : window;
    i.d = destination(ops[0]);
    i.a = source(ops[1], t);
    i.count = i.flags = uint8_t(rowBytes(t));
    return finish(i, window ? handlers::addImmediate : isa.move(rowBytes(t)));
  }
  case Op::Isspacep:
    i.d = predDestination(ops[0]);
    i.a = source(ops[1], Type::U64);
    i.imm = uint64_t(spaceOf(inst));
    i.flags = inst.has("shared::cta") || inst.has("shared");
    return finish(i, handlers::isspacep);
  case Op::Mapa:
    plainOperands(inst, i);
    i.count = uint8_t(rowBytes(t));
    return finish(i, handlers::mapa);
  case Op::Getctarank:
    plainOperands(inst, i);
    i.count = uint8_t(rowBytes(t));
    return finish(i, handlers::getctarank);
  default:
    return std::nullopt;
  }
}

bool Binder::bindMov(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  Type t = inst.type();
  bool flip = false;
  if (t == Type::Pred) {
    i.d = predDestination(ops[0]);
    i.a = predSource(ops[1], flip);
    i.flags = flip;
    return finish(i, handlers::predMov);
  }
  if (ops.size() != 2)
    return error(inst.loc, "'mov' takes 2 operands, found " + std::to_string(ops.size())), true;
  unsigned bytes = rowBytes(t);
  auto registerFits = [&](const Operand &op, unsigned want) {
    if (op.kind == Operand::Sink)
      return true;
    if (op.kind != Operand::Reg)
      return error(op.loc, "expected a register");
    Type have = fn.registers[op.reg].type;
    if (have == Type::Pred || rowBytes(have) != want)
      return error(op.loc, "register '" + fn.registers[op.reg].name + "' of type ." + typeName(have) +
                               " does not fit type ." + typeName(t));
    return true;
  };
  bool pack = ops[1].kind == Operand::Vector, unpack = ops[0].kind == Operand::Vector;
  if (pack || unpack) {
    const Operand &vector = ops[pack ? 1 : 0], &scalar = ops[pack ? 0 : 1];
    unsigned n = unsigned(vector.parts.size());
    if (pack && unpack)
      return error(inst.loc, "'mov' between two vectors is not supported"), true;
    if (n == 0 || n > 8 || bytes % n)
      return error(vector.loc, "bad vector for 'mov." + std::string(typeName(t)) + "'"), true;
    program.memAux.emplace_back();
    MemAux &aux = program.memAux.back();
    aux.count = uint8_t(n);
    aux.bytes = uint8_t(bytes / n);
    unsigned element = std::max(2u, bytes / n);
    for (unsigned k = 0; k != n; ++k) {
      const Operand &part = vector.parts[k];
      if (pack) {
        if (part.kind == Operand::Reg && !registerFits(part, element))
          return true;
        aux.rows[k] = source(part, element == 2 ? Type::B16 : element == 4 ? Type::B32 : Type::B64, element);
      } else {
        if (!registerFits(part, element))
          return true;
        aux.rows[k] = destination(part);
        aux.sink[k] = part.kind == Operand::Sink;
      }
    }
    i.count = uint8_t(bytes);
    i.aux = &aux;
    if (scalar.kind == Operand::Reg && !registerFits(scalar, bytes))
      return true;
    if (pack) {
      i.d = destination(scalar);
      return finish(i, handlers::packMov);
    }
    i.a = source(scalar, t, bytes);
    return finish(i, handlers::unpackMov);
  }
  if (!registerFits(ops[0], bytes))
    return true;
  if (ops[1].kind == Operand::Reg && !registerFits(ops[1], bytes))
    return true;
  if (ops[1].kind == Operand::Name || ops[1].kind == Operand::Label)
    return error(ops[1].loc, "undefined name '" + std::string(ops[1].name) + "'"), true;
  i.d = destination(ops[0]);
  if (bytes == 16) {
    if (ops[1].kind != Operand::Reg)
      return error(ops[1].loc, "a 128-bit 'mov' needs a register"), true;
    i.a = regs[ops[1].reg];
    return finish(i, handlers::move128);
  }
  // Values that are computed anyway are computed in place.
  const Operand &s = ops[1];
  if (s.kind == Operand::Special) {
    i.fn = handlers::readSpecial;
    i.imm = uint64_t(s.special);
    i.count = uint8_t(bytes);
    emit(i);
    return true;
  }
  if (s.kind == Operand::Var && (inFrame(*s.var) || s.var->space == Space::Shared)) {
    i.fn = inFrame(*s.var) ? handlers::localAddress : handlers::sharedAddress;
    i.imm = s.var->offset + uint64_t(s.addend);
    i.count = uint8_t(bytes);
    emit(i);
    return true;
  }
  i.a = source(s, t);
  return finish(i, isa.move(bytes));
}

bool Binder::bindConvert(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  Type d = inst.type(0), s = inst.type(1);
  unsigned dstBits = ops[0].kind == Operand::Reg ? regBits(ops[0]) : 8 * rowBytes(d);
  unsigned srcBits = ops[1].kind == Operand::Reg ? regBits(ops[1]) : 8 * rowBytes(s);
  // The rounding modifier is required exactly where information can be lost.
  bool rounding = false, integral = false;
  for (std::string_view m : inst.mods) {
    rounding |= m == "rs" || m == "rn" || m == "rz" || m == "rm" || m == "rp" || m == "rna";
    integral |= m == "rni" || m == "rzi" || m == "rmi" || m == "rpi";
  }
  bool fd = isFloat(d), fs = isFloat(s);
  if (fs && !fd && !integral)
    return error(inst.loc, "conversion from float to integer needs .rni, .rzi, .rmi or .rpi"), true;
  if (!fs && fd && !rounding)
    return error(inst.loc, "conversion from integer to float needs a rounding modifier"), true;
  if (fs && fd && typeBits(d) < typeBits(s) && !rounding)
    return error(inst.loc, "narrowing conversion needs a rounding modifier"), true;
  i.d = destination(ops[0]);
  std::vector<Operand> from(ops.begin() + 1, ops.end());
  if (inst.has("rs")) {
    // d, a, b, random;  d, {a, b, e, f}, random;
    program.memAux.emplace_back();
    MemAux &aux = program.memAux.back();
    aux.rows[0] = source(from.back(), Type::B32);
    i.aux = &aux;
    from.pop_back();
    if (from.size() == 1 && from[0].kind == Operand::Vector)
      from = std::vector<Operand>(from[0].parts);
    srcBits = 32;
  }
  Row *slots[] = {&i.a, &i.b, &i.c, &i.e};
  for (size_t k = 0; k != from.size() && k != 4; ++k)
    *slots[k] = source(from[k], s, srcBits / 8);
  if (Handler h = isa.convert(inst, dstBits, srcBits)) {
    i.flags = uint8_t(64 - typeBits(s));
    i.count = uint8_t(64 - typeBits(d));
    return finish(i, h);
  }
  Handler h = selectGeneralConvert(inst, dstBits, srcBits, i.imm);
  return finish(i, h);
}
