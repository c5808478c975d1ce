//===- Verifier.cpp - Instructions against the table ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/Verifier.h"

#include <algorithm>

using namespace tileiras::emu;

namespace {

Type doubled(Type t) {
  switch (t) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  case Type::S32:
    return Type::S64;
  default:
    return t;
  }
}

/// .b8 registers are kept in 16-bit rows.
unsigned registerBits(Type t) { return t == Type::Pred ? 1 : std::max(16u, typeBits(t)); }

std::string quoted(std::string_view s) { return "'" + std::string(s) + "'"; }

class Checker {
public:
  Checker(const Function &fn, const Instruction &inst) : fn(fn), inst(inst) {}

  bool check(const InstructionRow &row, const std::vector<Type> &types, const std::vector<std::string_view> &mods) {
    const std::vector<OperandSpec> &specs = row.operandSpecs;
    size_t least = 0;
    bool open = false;
    for (const OperandSpec &s : specs) {
      if (s.kind == '*')
        open = true;
      else if (!s.optional)
        ++least;
    }
    if (inst.operands.size() < least || (!open && inst.operands.size() > specs.size())) {
      std::string want = least == specs.size() || open ? std::to_string(least)
                                                       : std::to_string(least) + " to " + std::to_string(specs.size());
      return fail(inst.loc,
                  quoted(inst.opcode) + " takes " + want + " operands, found " + std::to_string(inst.operands.size()));
    }
    for (size_t i = 0; i != specs.size() && i != inst.operands.size(); ++i) {
      if (specs[i].kind == '*')
        return true;
      if (!operand(specs[i], inst.operands[i], types, mods))
        return false;
    }
    return true;
  }

  std::string message;
  Loc where;

private:
  bool fail(Loc loc, std::string text) {
    if (message.empty()) {
      message = std::move(text);
      where = loc;
    }
    return false;
  }

  std::string regName(const Operand &op) const { return quoted(fn.registers[op.reg].name); }

  bool registerType(const Operand &op, Type want, bool relaxed) {
    Type have = fn.registers[op.reg].type;
    std::string text =
        "register " + regName(op) + " of type ." + typeName(have) + " does not fit type ." + typeName(want);
    if (have == Type::Pred || want == Type::Pred)
      return have == want || fail(op.loc, text);
    unsigned hb = registerBits(have), wb = registerBits(want);
    if (relaxed ? hb < wb : hb != wb)
      return fail(op.loc, text);
    // Scalar float against integer is an error; untyped and packed forms agree with anything of their size.
    auto plainFloat = [](Type t) { return t == Type::F32 || t == Type::F64; };
    if (!relaxed && ((plainFloat(have) && isInteger(want)) || (plainFloat(want) && isInteger(have))))
      return fail(op.loc, text);
    return true;
  }

  bool source(const Operand &op, Type want, bool relaxed, bool predicate) {
    switch (op.kind) {
    case Operand::Reg:
      if (op.negated && !predicate)
        return fail(op.loc, "only predicates can be negated");
      return registerType(op, want, relaxed);
    case Operand::Int:
      if (want == Type::Pred)
        // LLVM writes true as -1.
        return op.bits <= 1 || op.bits == ~uint64_t(0) || fail(op.loc, "a predicate constant is 0, 1 or -1");
      if (want == Type::F32 || want == Type::F64 || want == Type::F16 || want == Type::BF16)
        return fail(op.loc, std::string("integer constant where type .") + typeName(want) + " is expected");
      return true;
    case Operand::Float:
      if (want == Type::F32 || want == Type::F64 || isBits(want))
        return true;
      return fail(op.loc, std::string("floating-point constant where type .") + typeName(want) + " is expected");
    case Operand::Special: {
      if (op.type == Type::Pred || want == Type::Pred)
        return op.type == want || fail(op.loc, quoted(op.name) + " does not fit type ." + typeName(want));
      unsigned sb = typeBits(op.type), wb = typeBits(want);
      // %clock64 and friends are 64-bit, everything else 32-bit; PTX lets 32-bit ones be read as 64-bit.
      return (sb <= wb && !isFloat(want) && wb >= 16) || wb == 16 ||
             fail(op.loc, quoted(op.name) + " does not fit type ." + typeName(want));
    }
    case Operand::Var:
    case Operand::Func:
      if ((typeBits(want) == 64 || typeBits(want) == 32) && !isFloat(want))
        return true;
      return fail(op.loc, std::string("an address does not fit type .") + typeName(want));
    case Operand::Sink:
      return fail(op.loc, "'_' cannot be read");
    case Operand::Name:
      return fail(op.loc, "undefined name " + quoted(op.name));
    default:
      return fail(op.loc, "expected a register or a constant");
    }
  }

  bool destination(const Operand &op, Type want, bool relaxed) {
    if (op.kind == Operand::Sink)
      return true;
    if (op.kind == Operand::Name)
      return fail(op.loc, "undefined name " + quoted(op.name));
    if (op.kind != Operand::Reg || op.negated)
      return fail(op.loc, "expected a destination register");
    return registerType(op, want, relaxed);
  }

  unsigned vectorCount(const std::vector<std::string_view> &mods) const {
    for (std::string_view m : mods)
      if (m == "v2" || m == "v4" || m == "v8" || m == "x2" || m == "x4") // xN: matrices of ldmatrix
        return unsigned(m[1] - '0');
    return 1;
  }

  bool operand(const OperandSpec &spec, const Operand &op, const std::vector<Type> &types,
               const std::vector<std::string_view> &mods) {
    Type want = operandType(spec, types);
    switch (spec.kind) {
    case 'd':
      return destination(op, want, spec.relaxed);
    case 'a':
      return source(op, want, spec.relaxed, false);
    case 'e':
      if (op.kind == Operand::Pair)
        return destination(op.parts[0], want, spec.relaxed) && destination(op.parts[1], Type::Pred, false);
      return destination(op, want, spec.relaxed);
    case 'p':
      return destination(op, Type::Pred, false);
    case 'q':
      if (op.kind == Operand::Pair)
        return destination(op.parts[0], Type::Pred, false) && destination(op.parts[1], Type::Pred, false);
      return destination(op, Type::Pred, false);
    case 'P':
      return source(op, Type::Pred, false, true);
    case 'R':
    case 'r':
      if (op.kind != Operand::Vector)
        return spec.kind == 'R' ? destination(op, want, false) : source(op, want, false, false);
      for (const Operand &part : op.parts)
        if (!(spec.kind == 'R' ? destination(part, want, false) : source(part, want, false, false)))
          return false;
      return true;
    case 'V':
      if (op.kind != Operand::Vector || op.parts.size() != 4)
        return fail(op.loc, "expected a vector of 4 registers");
      for (const Operand &part : op.parts)
        if (!source(part, want, false, false))
          return false;
      return true;
    case 'D':
    case 'S': {
      unsigned n = vectorCount(mods);
      if (n == 1) {
        // A braced single register is accepted where ptxas accepts it.
        const Operand &o = op.kind == Operand::Vector && op.parts.size() == 1 ? op.parts[0] : op;
        return spec.kind == 'D' ? destination(o, want, true) : source(o, want, true, false);
      }
      if (op.kind != Operand::Vector || op.parts.size() != n)
        return fail(op.loc, "expected a vector of " + std::to_string(n) + " registers");
      // Stores of 256 bits leave elements of '_' as they are (PTX ISA, st); ptxas takes it in no others.
      const bool skips = spec.kind == 'S' && n * typeBits(want) == 256;
      if (skips &&
          std::all_of(op.parts.begin(), op.parts.end(), [](const Operand &part) { return part.kind == Operand::Sink; }))
        return fail(op.loc, "a vector of nothing but '_' is not stored");
      for (const Operand &part : op.parts)
        if (!(skips && part.kind == Operand::Sink) &&
            !(spec.kind == 'D' ? destination(part, want, true) : source(part, want, true, false)))
          return false;
      return true;
    }
    case 'm': {
      if (op.kind != Operand::Mem)
        return fail(op.loc, "expected an address in brackets");
      const Operand &base = op.parts[0];
      if (base.kind == Operand::Name)
        return fail(base.loc, "undefined name " + quoted(base.name));
      if (base.kind == Operand::Reg) {
        unsigned bits = typeBits(fn.registers[base.reg].type);
        if (bits != 32 && bits != 64)
          return fail(base.loc, "address register " + regName(base) + " must have 32 or 64 bits");
        if (base.negated)
          return fail(base.loc, "expected an address");
      } else if (base.kind != Operand::Var && base.kind != Operand::Int) {
        return fail(base.loc, "expected an address");
      }
      return op.parts.size() == 1 || fail(op.parts[1].loc, "unexpected second part of an address");
    }
    case 'i':
      return op.kind == Operand::Int || fail(op.loc, "expected an integer constant");
    case 'l':
      if (op.kind == Operand::Label)
        return true;
      return fail(op.loc, op.name.empty() ? "expected a label" : "undefined label " + quoted(op.name));
    case 't':
      return op.kind == Operand::Table || fail(op.loc, "expected a .branchtargets label");
    }
    return true;
  }

  const Function &fn;
  const Instruction &inst;
};

bool verifyInstruction(const ParsedModule &module, const Function &fn, Instruction &inst,
                       std::vector<Diagnostic> &errors) {
  auto error = [&](Loc loc, std::string message) {
    errors.push_back({module.fileName, loc.line, loc.column, std::move(message)});
    return false;
  };
  const auto &rows = rowsOf(inst.opcode);
  std::string full(inst.opcode);
  for (std::string_view w : inst.words)
    full += "." + std::string(w);
  if (rows.empty())
    return error(inst.loc, "unsupported instruction '" + full + "'");
  bool anyWords = false;
  std::string message;
  Loc where;
  unsigned needs = 0;
  std::vector<Type> types;
  std::vector<std::string_view> mods;
  for (const InstructionRow *row : rows) {
    if (!matchWords(*row, inst.words, types, mods))
      continue;
    anyWords = true;
    Checker checker(fn, inst);
    if (!checker.check(*row, types, mods)) {
      if (message.empty()) {
        message = checker.message;
        where = checker.where;
      }
      continue;
    }
    if (row->sm > module.sm) {
      needs = row->sm;
      continue;
    }
    inst.row = row;
    inst.types = types;
    inst.mods = mods;
    return true;
  }
  if (needs)
    return error(inst.loc,
                 "'" + full + "' needs sm_" + std::to_string(needs) + ", the module's target is " + module.target);
  if (!anyWords)
    return error(inst.loc, "unsupported instruction '" + full + "': no form of '" + std::string(inst.opcode) +
                               "' has these modifiers");
  return error(where, message);
}

} // namespace

Type tileiras::emu::operandType(const OperandSpec &spec, const std::vector<Type> &types) {
  if (spec.typeIndex == -1)
    return spec.fixedType;
  if (spec.typeIndex == -2)
    return types.empty() ? Type::None : doubled(types[0]);
  return size_t(spec.typeIndex) < types.size() ? types[spec.typeIndex] : Type::None;
}

bool tileiras::emu::verifyPTX(ParsedModule &module, std::vector<Diagnostic> &errors) {
  size_t before = errors.size();
  for (Function &fn : module.functions)
    for (Instruction &inst : fn.body) {
      verifyInstruction(module, fn, inst, errors);
      if (errors.size() >= before + 20)
        return false;
    }
  return errors.size() == before;
}
