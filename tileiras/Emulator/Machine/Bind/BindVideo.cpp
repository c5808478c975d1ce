//===- BindVideo.cpp - Video instructions -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/Handlers.h"

#include <cstring>

using namespace tileiras::emu;

Binder::Bound Binder::bindVideo(const Instruction &inst, Inst &i) {
  bool simd = inst.row->op == Op::VideoSimd;
  if (!simd && inst.row->op != Op::Video)
    return std::nullopt;
  const std::vector<Operand> &ops = inst.operands;
  std::string_view name = inst.opcode;
  VideoPlan p;
  p.lanes = simd ? uint8_t(name.back() - '0') : 1;
  if (simd)
    name.remove_suffix(1);
  static const std::pair<std::string_view, VideoOp> operations[] = {
      {"vadd", VideoOp::Add}, {"vsub", VideoOp::Sub},     {"vabsdiff", VideoOp::AbsDiff}, {"vmin", VideoOp::Min},
      {"vmax", VideoOp::Max}, {"vshl", VideoOp::Shl},     {"vshr", VideoOp::Shr},         {"vmad", VideoOp::Mad},
      {"vset", VideoOp::Set}, {"vavrg", VideoOp::Average}};
  for (auto &[text, op] : operations)
    if (name == text)
      p.op = op;
  bool set = p.op == VideoOp::Set; // has no destination type
  p.signedD = !set && inst.type(0) == Type::S32;
  p.signedA = inst.type(set ? 0 : 1) == Type::S32;
  p.signedB = inst.type(set ? 1 : 2) == Type::S32;
  p.saturate = inst.has("sat");
  p.second = inst.has("add") ? 1 : inst.has("min") ? 2 : inst.has("max") ? 3 : 0;
  if (set) {
    static const char *const compares[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    for (uint8_t k = 0; k != 6; ++k)
      if (inst.has(compares[k]))
        p.mode = k;
  } else if (p.op == VideoOp::Mad) {
    p.mode = inst.has("shr7") ? 7 : inst.has("shr15") ? 15 : 0;
  } else {
    p.mode = inst.has("wrap");
  }
  if ((p.second != 0) != (ops.size() > 3) && !simd && p.op != VideoOp::Mad)
    return error(inst.loc, "the third source goes with .add, .min or .max"), true;
  i.d = destination(ops[0]);
  i.a = source(ops[1], Type::B32);
  i.b = source(ops[2], Type::B32);
  i.c = ops.size() > 3 ? source(ops[3], Type::B32) : constants.get(0, 4);
  std::memcpy(&i.imm, &p, sizeof(p));
  return finish(i, handlers::video);
}
