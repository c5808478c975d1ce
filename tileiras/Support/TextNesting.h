//===- TextNesting.h - How deeply text nests -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// MLIR's parser, verifier and printer recurse into what stands in brackets, without a limit of their own. Tools look
// at a text before they hand it over, so that a file of a million brackets is an error and not the end of the stack.
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_SUPPORT_TEXTNESTING_H
#define TILEIRAS_SUPPORT_TEXTNESTING_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tileiras {

/// No program comes near it; the stack holds many times as much.
constexpr unsigned maxTextNesting = 1000;

/// Where the text is too deep: both from 1.
struct TextPlace {
  unsigned line, column;
};

/// The first bracket that is deeper than the limit. Strings and comments do not count, nor does the `>` of `->`.
std::optional<TextPlace> findTooDeepNesting(std::string_view text, unsigned limit = maxTextNesting);

/// "FILE:LINE:COLUMN: error: nested too deeply: more than N brackets are open" for the first of the program's
/// arguments that is a file of too deep text, or an empty string. For tools whose input MLIR itself opens.
std::string checkTextNesting(int argc, const char *const *argv);

/// The same text without file and place.
std::string tooDeepNestingMessage(unsigned limit = maxTextNesting);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_TEXTNESTING_H
