//===- Idioms.cpp - Wrong by the letter, written everywhere -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/Idioms.h"

#include "tileiras/Emulator/Machine/RegisterAllocation.h"
#include "tileiras/Emulator/PTX/InstructionTable.h"

#include <algorithm>
#include <set>

using namespace tileiras::emu;

/// The one register that the load writes; -1 if there are several.
static int32_t resultOf(const Instruction &load) {
  const Operand &d = load.operands[0];
  return load.row->op == Op::Ld && d.kind == Operand::Reg ? d.reg : -1;
}

static bool mentions(const Operand &op, int32_t reg) {
  return (op.kind == Operand::Reg && op.reg == reg) ||
         std::any_of(op.parts.begin(), op.parts.end(), [&](const Operand &part) { return mentions(part, reg); });
}

static bool reads(const Instruction &inst, int32_t reg) {
  bool found = false;
  forEachRegister(inst, [&](int32_t r, bool definition) { found |= r == reg && !definition; });
  return found;
}

bool tileiras::emu::isSeedOfCasLoop(const Function &function, size_t inst) {
  const int32_t seed = resultOf(function.body[inst]);
  if (seed < 0)
    return false;
  // Registers that hold the value itself: copies, as phis make them.
  std::set<int32_t> copies = {seed};
  bool compared = false;
  for (size_t before = 0; before != copies.size();) {
    before = copies.size();
    for (const Instruction &user : function.body)
      if (user.row->op == Op::Mov && user.operands[0].kind == Operand::Reg && user.operands[1].kind == Operand::Reg &&
          copies.count(user.operands[1].reg))
        copies.insert(user.operands[0].reg);
  }
  for (const Instruction &user : function.body)
    for (int32_t reg : copies) {
      if (!reads(user, reg))
        continue;
      if (user.row->op == Op::Atom && user.has("cas")) {
        compared |= mentions(user.operands[2], reg);
        continue;
      }
      // Anything may be computed from it on the way to the new value, but no memory or control flow may depend on it
      // other than by comparing it with what the operation returned.
      switch (user.row->op) {
      case Op::St:
      case Op::Red:
      case Op::Call:
      case Op::Brx:
        return false;
      default:
        for (const Operand &op : user.operands)
          if (op.kind == Operand::Mem && mentions(op, reg))
            return false;
      }
    }
  return compared;
}

bool tileiras::emu::isSpeculativeLoad(const Function &function, size_t inst) {
  const int32_t value = resultOf(function.body[inst]);
  if (value < 0)
    return false;
  bool used = false;
  for (const Instruction &user : function.body) {
    if (!reads(user, value))
      continue;
    used = true;
    if ((user.row->op != Op::Selp && user.row->op != Op::Slct) || mentions(user.operands.back(), value))
      return false;
  }
  return used;
}
