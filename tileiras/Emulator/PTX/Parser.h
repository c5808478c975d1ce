//===- Parser.h - PTX text to AST -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_PTX_PARSER_H
#define TILEIRAS_EMULATOR_PTX_PARSER_H

#include "tileiras/Emulator/PTX/AST.h"
#include "tileiras/Emulator/PTX/Diagnostic.h"

namespace tileiras::emu {

/// Parses a module and resolves every name in it. Instructions are not looked at beyond their syntax: that is the
/// verifier's work. Always returns a module; it is usable only if no error was added.
std::unique_ptr<ParsedModule> parsePTX(std::string_view text, std::string fileName, std::vector<Diagnostic> &errors);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_PTX_PARSER_H
