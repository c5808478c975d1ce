//===- TextFault.h - What MLIR's parser does not survive -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// MLIR's parser, verifier and printer recurse into what stands in brackets, without a limit of their own, and the
// parser makes room for as many results as the number in `%value#NUMBER` says. Tools look at a text before they hand
// it over, so that a file of a million brackets is an error and not the end of the stack, and `%value#2147483648` one
// and not the end of memory.
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_SUPPORT_TEXTFAULT_H
#define TILEIRAS_SUPPORT_TEXTFAULT_H

#include <optional>
#include <string>
#include <string_view>

namespace tileiras {

/// No program comes near it; the stack holds many times as much.
constexpr unsigned maxTextNesting = 1000;

/// The largest result number, as in `%value#NUMBER`, and count of results, as in `%value:NUMBER = `.
constexpr unsigned maxTextResultNumber = 65535;

struct TextFault {
  /// Both from 1.
  unsigned line, column;
  std::string message;
};

/// The first bracket that is deeper than the limit or result number that is beyond it. Strings and comments do not
/// count, nor does the `>` of `->`.
std::optional<TextFault> findTextFault(std::string_view text);

/// "FILE:LINE:COLUMN: error: MESSAGE" for the first of the program's arguments that is a file of text with a fault, or
/// an empty string. If no argument is a file, standard input is looked at (and replaced by a copy, for the tool to
/// read). For tools whose input MLIR itself opens.
std::string checkTextFiles(int argc, const char *const *argv);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_TEXTFAULT_H
