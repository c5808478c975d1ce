//===- BindWgmma.cpp - Warpgroup matrix instructions ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions". Operands of wgmma.mma_async{.sp}:
//
//   {d}, {a} or a-desc, b-desc [, sp-meta, sp-sel], scale-d [, imm-scale-a, imm-scale-b [[, imm-trans-a], imm-trans-b]]
//
// The scales exist for floating point, the transposes for f16 and bf16, imm-trans-a only with a descriptor.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/Handlers.h"

#include <algorithm>
#include <cstdio>
#include <string>

using namespace tileiras::emu;

Binder::Bound Binder::bindWgmma(const Instruction &inst, Inst &i) {
  Handler h = nullptr;
  switch (inst.row->op) {
  case Op::Wgmma:
    break;
  case Op::WgmmaFence:
    h = handlers::wgmmaFence;
    break;
  case Op::WgmmaCommit:
    h = handlers::wgmmaCommit;
    break;
  case Op::WgmmaWait:
    h = handlers::wgmmaWait;
    break;
  default:
    return std::nullopt;
  }
  if (program.ast->target != "sm_90a")
    return error(inst.loc, "'wgmma' needs target sm_90a, the module's target is " + program.ast->target), true;
  i.e = constants.get(0xffffffffu, 4);
  if (inst.row->op == Op::Wgmma)
    return bindWgmmaMma(inst, i);
  if (inst.row->op == Op::WgmmaWait)
    i.imm = inst.operands[0].bits;
  return finish(i, h);
}

bool Binder::bindWgmmaMma(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  auto fault = [&](Loc loc, std::string text) { return error(loc, std::move(text)), true; };
  program.wgmmaAux.emplace_back();
  WgmmaAux &x = program.wgmmaAux.back();
  std::string shape;
  for (std::string_view word : inst.mods)
    if (word.substr(0, 4) == "m64n")
      shape = word;
  int end = 0;
  if (std::sscanf(shape.c_str(), "m64n%uk%u%n", &x.n, &x.k, &end) != 2 || size_t(end) != shape.size())
    return fault(inst.loc, "'." + shape + "' is not a shape of wgmma");
  x.d = inst.type(0);
  if (inst.type(1) != Type::B1) {
    x.a = inst.type(1);
    x.b = inst.type(2);
  }
  x.sparse = inst.has("sp");
  x.saturate = inst.has("satfinite");
  const bool integer = x.d == Type::S32, transposable = x.a == Type::F16 || x.a == Type::BF16;
  const uint32_t wantK = 256 / x.aBits() * (x.sparse ? 2 : 1);
  bool goodN = x.n >= 8 && x.n <= 256 && x.n % (integer && x.n > 32 ? 16 : 8) == 0;
  if (x.k != wantK || !goodN)
    return fault(inst.loc, "wgmma has no shape ." + shape + " for these types");

  const size_t needed = 4 + (x.sparse ? 2 : 0) + (integer ? 0 : 2);
  if (ops.size() < needed)
    return fault(inst.loc, "this form of 'wgmma' takes at least " + std::to_string(needed) + " operands, found " +
                               std::to_string(ops.size()));
  x.aInRegisters = ops[1].kind == Operand::Vector;
  const size_t total = needed + (!transposable ? 0 : x.aInRegisters ? 1 : 2);
  if (ops.size() != total)
    return fault(inst.loc, "this form of 'wgmma' takes " + std::to_string(total) + " operands, found " +
                               std::to_string(ops.size()));

  // Registers.
  std::vector<int32_t> seen;
  auto registers = [&](const Operand &op, size_t count, bool isD, std::vector<Row> &rows,
                       std::vector<uint32_t> &numbers) {
    if (op.kind != Operand::Vector || op.parts.size() != count)
      return error(op.loc, "expected a list of " + std::to_string(count) + " registers");
    for (const Operand &part : op.parts) {
      if (part.kind != Operand::Reg || part.negated || fn.registers[part.reg].type == Type::Pred || regBits(part) != 32)
        return error(part.loc, "expected a 32-bit register");
      if (!isD || x.d == Type::F16) {
        // As the assembler: packed fragments are not .f32 registers.
        if (fn.registers[part.reg].type == Type::F32)
          return error(part.loc,
                       "register '" + fn.registers[part.reg].name + "' of type .f32 cannot hold a packed fragment");
      }
      if (isD && std::find(seen.begin(), seen.end(), part.reg) != seen.end())
        return error(part.loc, "register '" + fn.registers[part.reg].name + "' occurs twice in the accumulator");
      seen.push_back(part.reg);
      rows.push_back(regs[part.reg]);
      numbers.push_back(uint32_t(code.asyncNumber[size_t(part.reg)]));
    }
    return true;
  };
  if (!registers(ops[0], x.d == Type::F16 ? x.n / 4 : x.n / 2, true, x.rd, x.dNumbers))
    return true;
  auto descriptor = [&](const Operand &op, Row &row) {
    if ((op.kind == Operand::Reg && (op.negated || fn.registers[op.reg].type == Type::Pred || regBits(op) != 64)) ||
        (op.kind != Operand::Reg && op.kind != Operand::Int))
      return error(op.loc, "expected a 64-bit matrix descriptor");
    row = source(op, Type::B64, 8);
    return true;
  };
  if (x.aInRegisters) {
    std::vector<Row> rows;
    if (!registers(ops[1], 4, false, rows, x.aNumbers))
      return true;
    std::copy(rows.begin(), rows.end(), x.ra);
  } else if (!descriptor(ops[1], x.ra[0])) {
    return true;
  }
  if (!descriptor(ops[2], x.rb))
    return true;

  size_t next = 3;
  auto immediate = [&](int64_t lo, int64_t hi, int64_t step, int64_t &value) {
    const Operand &op = ops[next++];
    value = int64_t(op.bits);
    if (op.kind == Operand::Int && (value == lo || value == hi || (step == 1 && value > lo && value < hi)))
      return true;
    return error(op.loc, "expected the constant " + std::to_string(lo) + (lo == hi ? "" : " or " + std::to_string(hi)));
  };
  int64_t value = 0;
  if (x.sparse) {
    const Operand &meta = ops[next++];
    if (meta.kind != Operand::Reg || meta.negated || fn.registers[meta.reg].type == Type::Pred || regBits(meta) != 32)
      return fault(meta.loc, "expected a 32-bit register of sparsity metadata");
    x.meta = regs[meta.reg];
    if (!immediate(0, x.aBits() == 8 ? 0 : 1, 1, value))
      return true;
    x.selector = uint8_t(value);
  }
  const Operand &scale = ops[next++];
  bool isPred = scale.kind == Operand::Reg ? fn.registers[scale.reg].type == Type::Pred : scale.kind == Operand::Int;
  if (!isPred)
    return fault(scale.loc, "expected a predicate for scale-d");
  x.scale = uint16_t(predSource(scale, x.scaleFlip));
  if (!integer)
    for (int k = 0; k != 2; ++k) {
      if (!immediate(-1, 1, 2, value))
        return true;
      x.negate ^= value < 0;
    }
  if (transposable) {
    if (!x.aInRegisters) {
      if (!immediate(0, 1, 1, value))
        return true;
      x.aMnMajor = value;
    }
    if (!immediate(0, 1, 1, value))
      return true;
    x.bMnMajor = value;
  }
  i.aux = &x;
  return finish(i, handlers::wgmma);
}

void Binder::bindTouches(const Instruction &inst, const Inst &like) {
  std::vector<std::pair<uint32_t, bool>> touched;
  forEachRegister(inst, [&](int32_t r, bool definition) {
    int32_t number = code.asyncNumber[size_t(r)];
    if (number >= 0)
      touched.push_back({uint32_t(number), definition});
  });
  for (size_t k = 0; k < touched.size(); k += 2) {
    Inst i;
    i.fn = handlers::touchAsync;
    i.guard = like.guard;
    i.guardFlip = like.guardFlip;
    i.flags = inst.row->op == Op::Mov ? 4 : 0;
    for (size_t j = k; j != std::min(k + 2, touched.size()); ++j) {
      i.imm |= uint64_t(touched[j].first) << 32 * i.count;
      i.flags |= uint8_t(touched[j].second) << i.count;
      ++i.count;
    }
    emit(i);
  }
}
