//===- ParserImpl.h - Private parts of the PTX parser -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_PTX_PARSERIMPL_H
#define TILEIRAS_EMULATOR_PTX_PARSERIMPL_H

#include "tileiras/Emulator/PTX/Lexer.h"
#include "tileiras/Emulator/PTX/Parser.h"

#include <array>
#include <map>
#include <unordered_map>

namespace tileiras::emu {

/// `.reg .b32 %r<10>` makes ten registers, but only those that are used become real ones.
struct RegisterRange {
  Type type;
  uint32_t count;
};

/// One `{ }` of a function body. Labels are found from inside and from behind their definition, so uses are
/// resolved when the function ends.
struct Scope {
  int parent = -1;
  std::unordered_map<std::string_view, int32_t> registers;
  std::unordered_map<std::string_view, unsigned> vectors; ///< name -> components, for `.reg .v4 .f32 v`
  std::unordered_map<std::string_view, RegisterRange> ranges;
  std::unordered_map<std::string_view, Variable *> variables;
  std::unordered_map<std::string_view, int32_t> labels, tables, prototypes;
};

class PTXParser {
public:
  PTXParser(ParsedModule &module, std::vector<Diagnostic> &errors)
      : module(module), errors(errors), lexer(module.text) {
    advance();
  }
  void parseModule();

private:
  // Tokens.
  void advance();
  bool accept(char c);
  bool acceptDot(std::string_view word);
  bool expect(char c, const char *where);
  bool expectInt(uint64_t &value, const char *what);
  bool expectIdent(std::string_view &name, const char *what);
  bool error(Loc loc, std::string message); ///< always false
  bool error(std::string message) { return error(tok.loc, std::move(message)); }
  bool tooMany() const { return errors.size() >= 20; }
  void skipStatement();
  std::string found() const; ///< "found 'x'"

  // Module level.
  bool parseTopLevel();
  bool parseVersion();
  void checkTargetVersion();
  bool parseTarget();
  bool parseFile();
  bool parseSection();
  bool parseFunction(bool isEntry, bool isExtern);
  bool parseFunctionDirectives(Function &f);
  bool parseExtent(Extent &e);
  bool parseParamList(Function *f, std::deque<Variable> &vars, std::vector<int32_t> *regs, char close);
  bool parseVariables(Space space, bool isExtern, Function *owner);
  bool parseVariableType(Variable &v);
  bool parseDeclarator(Variable &v, bool isParam);
  bool parseInitializer(Variable &v);
  bool parseInitList(Variable &v, const std::vector<uint64_t> &dims, unsigned depth, uint64_t &element);
  bool parseInitSymbol(InitPiece &p);
  bool parseInitScalar(Variable &v, uint64_t offset);
  bool finishNames();

  // Bodies.
  bool parseBody(Function &f);
  bool parseStatement();
  bool parseRegisters();
  bool parseLoc();
  bool parseInstruction();
  bool parseOperand(Operand &op, bool allowPair);
  bool parsePair(Operand &op);
  bool parseMemory(Operand &op);
  bool parseName(Operand &op);
  bool parseLabelled(std::string_view name, Loc loc);
  bool parsePrototype(CallPrototype &p);
  int32_t findRegister(std::string_view name);
  bool findVector(std::string_view name, unsigned &components);
  int32_t addRegister(std::string_view name, Type type);
  bool resolve(Operand &op, int scope);
  bool resolveLabels();

  // Constant expressions.
  struct Constant {
    bool isFloat = false, isSingle = false;
    uint64_t bits = 0;
  };
  bool parseConstant(Constant &c, int minPrecedence = 0);
  bool parseUnary(Constant &c);

  ParsedModule &module;
  std::vector<Diagnostic> &errors;
  Lexer lexer;
  Token tok;
  size_t previousEnd = 0; ///< offset behind the last consumed token

  Function *fn = nullptr;
  std::vector<Scope> scopes;
  int scope = -1;
  uint32_t locFile = 0, locLine = 0, callFile = 0, callLine = 0;
  /// Where the code of a place (file, line, column) was inlined, by `.loc ... inlined_at`.
  std::map<std::array<uint64_t, 3>, std::array<uint64_t, 3>> calls;
  bool inCall = false;
  bool inVideo = false; ///< a video instruction: registers may have selectors
  struct Pending {
    size_t inst;
    int scope;
  };
  std::vector<Pending> pending; ///< instructions with unresolved names
  std::vector<int> tableScopes;
  std::unordered_map<std::string, Variable *> globals;
  std::unordered_map<std::string, Function *> functions;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_PTX_PARSERIMPL_H
