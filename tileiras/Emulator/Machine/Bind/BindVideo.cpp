//===- BindVideo.cpp - Video instructions -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Exec/Handlers.h"

#include <memory>

using namespace tileiras::emu;

/// Selector of a scalar: 0 all, 1 to 4 a byte, 5 and 6 a half; -1 for what is none.
static int partOf(std::string_view text) {
  if (text.empty())
    return 0;
  if (text.size() == 2 && text[0] == 'b' && text[1] >= '0' && text[1] <= '3')
    return 1 + text[1] - '0';
  return text == "h0" ? 5 : text == "h1" ? 6 : -1;
}

/// ".h32", ".b7531": which element of {b, a} each element is, the first named the last.
static bool elementsOf(std::string_view text, unsigned lanes, unsigned first, uint8_t *elements) {
  for (unsigned k = 0; k != lanes; ++k)
    elements[k] = uint8_t(first + k);
  if (text.empty())
    return true;
  if (text.size() != lanes + 1 || text[0] != (lanes == 2 ? 'h' : 'b'))
    return false;
  for (unsigned k = 0; k != lanes; ++k) {
    const unsigned digit = unsigned(text[lanes - k] - '0');
    if (digit >= 2 * lanes)
      return false;
    elements[k] = uint8_t(digit);
  }
  return true;
}

/// ".h1", ".b210": which elements are written; 0 for what is no mask.
static uint8_t maskOf(std::string_view text, unsigned lanes) {
  if (text.empty())
    return uint8_t((1u << lanes) - 1);
  if (text[0] != (lanes == 2 ? 'h' : 'b'))
    return 0;
  uint8_t mask = 0;
  unsigned before = lanes;
  for (char c : text.substr(1)) {
    const unsigned digit = unsigned(c - '0');
    if (digit >= before)
      return 0;
    mask |= uint8_t(1u << digit);
    before = digit;
  }
  return mask;
}

Binder::Bound Binder::bindVideo(const Instruction &inst, Inst &i) {
  const bool simd = inst.row->op == Op::VideoSimd;
  if (!simd && inst.row->op != Op::Video)
    return std::nullopt;
  const std::vector<Operand> &ops = inst.operands;
  std::string_view name = inst.opcode;
  auto plan = std::make_shared<VideoPlan>();
  program.auxes.push_back(plan);
  i.aux = plan.get();
  VideoPlan &p = *plan;
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
  const bool set = p.op == VideoOp::Set, mad = p.op == VideoOp::Mad; // set has no destination type
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
  } else if (mad) {
    p.mode = inst.has("shr7") ? 7 : inst.has("shr15") ? 15 : 0;
    if (inst.has("po"))
      p.negate = 3;
    else if (ops[1].minus != ops[2].minus)
      p.negate = 1;
    else if (ops[3].minus)
      p.negate = 2;
    // The sum is signed if any part of it is.
    p.signedD = p.signedA || p.signedB || p.negate == 1 || p.negate == 2;
  } else {
    p.mode = inst.has("wrap");
  }
  for (size_t k = 0; k != ops.size(); ++k) {
    if (ops[k].minus && !mad)
      return error(ops[k].loc, "operands of '" + std::string(inst.opcode) + "' cannot be negated"), true;
    if (!ops[k].selector.empty() && (k == 3 || (k == 0 && mad)))
      return error(ops[k].loc, "this operand has no selector"), true;
  }
  if (simd) {
    p.selectD = maskOf(ops[0].selector, p.lanes);
    if (!p.selectD)
      return error(ops[0].loc, "'." + std::string(ops[0].selector) + "' is no mask of elements"), true;
    if (!elementsOf(ops[1].selector, p.lanes, 0, p.selectA))
      return error(ops[1].loc, "'." + std::string(ops[1].selector) + "' does not select elements"), true;
    if (!elementsOf(ops[2].selector, p.lanes, p.lanes, p.selectB))
      return error(ops[2].loc, "'." + std::string(ops[2].selector) + "' does not select elements"), true;
  } else {
    uint8_t *parts[] = {&p.selectD, p.selectA, p.selectB};
    for (unsigned k = 0; k != 3; ++k) {
      const int part = partOf(ops[k].selector);
      if (part < 0)
        return error(ops[k].loc, "'." + std::string(ops[k].selector) + "' selects no byte or half"), true;
      *parts[k] = uint8_t(part);
    }
    if (p.second && ops.size() < 4)
      return error(inst.loc, "the third source goes with .add, .min or .max"), true;
    if (p.selectD && (p.second || ops.size() < 4))
      return error(ops[0].loc, "a selected destination takes its other bits from the third source"), true;
  }
  i.d = destination(ops[0]);
  i.a = source(ops[1], Type::B32);
  i.b = source(ops[2], Type::B32);
  i.c = ops.size() > 3 ? source(ops[3], Type::B32) : constants.get(0, 4);
  return finish(i, handlers::video);
}
