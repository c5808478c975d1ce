//===- AST.h - A parsed PTX module ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the parser makes of PTX text. Names are already resolved: operands hold register numbers, pointers to
// variables, label numbers. The verifier (Verifier.h) then finds each instruction's row in the instruction table
// and fills `Instruction::row`, `types` and `mods`.
//
// The tree refers to the text it was parsed from through string_views; ParsedModule owns a copy of that text.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_PTX_AST_H
#define TILEIRAS_EMULATOR_PTX_AST_H

#include "tileiras/Emulator/PTX/SpecialRegisters.h"
#include "tileiras/Emulator/PTX/Types.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tileiras::emu {

struct InstructionRow;
struct Function;

struct Register {
  std::string name;
  Type type = Type::None;
};

/// One scalar of a variable's initialiser.
struct InitPiece {
  uint64_t offset = 0;  ///< in the variable
  uint32_t size = 0;    ///< bytes
  uint64_t bits = 0;    ///< value, or addend of `symbol`
  std::string symbol;   ///< address of this variable or function, if not empty
  bool generic = false; ///< written generic(symbol)
  int byteOf = -1;      ///< 0xFF00(symbol) forms: which byte of the address
  Loc loc;
};

struct Variable {
  std::string name;
  Space space = Space::Global;
  Type type = Type::None;
  unsigned vec = 1;
  uint32_t align = 1;
  uint64_t size = 0; ///< bytes
  bool isExtern = false;
  bool unsized = false; ///< `name[]`: dynamic shared memory
  std::vector<InitPiece> init;
  Loc loc;
  /// Filled in by layout: offset inside its space (frame for .local and function .param).
  uint64_t offset = 0;
  Function *owner = nullptr;  ///< null at module scope
  std::vector<uint8_t> image; ///< initial bytes, for .global and .const; made by layout
};

struct Operand {
  enum Kind : uint8_t {
    None,
    Reg,     ///< reg, negated for !p
    Int,     ///< bits
    Float,   ///< bits, in the width of `type` (F32 or F64)
    Var,     ///< address of var, plus addend
    Func,    ///< address of fn
    Label,   ///< label number in reg
    Table,   ///< .branchtargets number in reg
    Proto,   ///< .callprototype / .calltargets number in reg
    Special, ///< special
    Vector,  ///< { parts }
    Pair,    ///< parts[0] | parts[1]
    List,    ///< ( parts )
    Mem,     ///< [ parts[0] + addend , parts[1..] ]
    Sink,    ///< _
    Name     ///< not resolved yet
  };
  Kind kind = None;
  Type type = Type::None;
  bool negated = false;
  bool minus = false; ///< -name in front of a register (never legal, kept for the message)
  int32_t reg = -1;
  emu::Special special = emu::Special::None;
  uint64_t bits = 0;
  int64_t addend = 0;
  Variable *var = nullptr;
  Function *fn = nullptr;
  std::string_view name;
  std::string_view selector; ///< of video instructions: "h1" of %r3.h1
  std::vector<Operand> parts;
  Loc loc;
};

struct Instruction {
  Loc loc;
  std::string_view text; ///< without guard and semicolon
  int32_t guard = -1;
  bool guardNegated = false;
  std::string_view opcode;
  std::vector<std::string_view> words; ///< everything after the opcode, split at the dots
  std::vector<Operand> operands;
  uint32_t sourceFile = 0, sourceLine = 0; ///< from .loc
  uint32_t callFile = 0, callLine = 0;     ///< of a function that was inlined: the outermost call

  // Filled in by the verifier.
  const InstructionRow *row = nullptr;
  std::vector<Type> types;            ///< the type words, in order
  std::vector<std::string_view> mods; ///< the other words
  bool has(std::string_view mod) const {
    for (std::string_view m : mods)
      if (m == mod)
        return true;
    return false;
  }
  Type type(unsigned i = 0) const { return i < types.size() ? types[i] : Type::None; }
};

struct Label {
  std::string_view name;
  uint32_t inst = 0; ///< index of the instruction it stands before
  Loc loc;
};

struct BranchTable {
  std::string_view name;
  std::vector<Operand> targets; ///< kind Label
  Loc loc;
};

/// A call's shape: `.callprototype`, or `.calltargets` with the functions allowed.
struct CallPrototype {
  std::string_view name;
  std::vector<Variable> returns, params;
  std::vector<Operand> targets;
  Loc loc;
};

struct Extent {
  bool given = false;
  uint32_t x = 1, y = 1, z = 1;
};

struct Function {
  std::string name;
  bool isEntry = false;
  bool isDefined = false;
  bool noReturn = false;
  Loc loc;
  std::deque<Variable> params, returns; ///< deque: addresses stay valid
  std::deque<Variable> variables;       ///< .local, .shared, .param, ... of the body
  /// For parameters in the .reg space: register number, else -1.
  std::vector<int32_t> paramRegs, returnRegs;
  std::vector<Register> registers;
  std::vector<Instruction> body;
  std::vector<Label> labels;
  std::vector<BranchTable> tables;
  std::vector<CallPrototype> prototypes;
  Extent reqntid, maxntid, reqnctapercluster;
  uint32_t minnctapersm = 0, maxnreg = 0, maxclusterrank = 0;
  bool explicitCluster = false, blocksAreClusters = false;
  uint32_t number = 0; ///< index in the module
};

struct ParsedModule {
  std::string text;
  std::string fileName;
  unsigned versionMajor = 0, versionMinor = 0;
  std::string target; ///< "sm_90a"
  unsigned sm = 0;    ///< 90
  unsigned addressSize = 64;
  std::deque<Variable> variables;
  std::deque<Function> functions;
  std::map<uint32_t, std::string> files; ///< .file
  Function *function(std::string_view name) {
    for (Function &f : functions)
      if (f.name == name)
        return &f;
    return nullptr;
  }
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_PTX_AST_H
