//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Explorer/Explorer.h"

using namespace llvm;

namespace tileiras::explorer {

static constexpr char kHtml[] = {
#include "page.html.inc"
};
static constexpr char kStyle[] = {
#include "page.css.inc"
};
static constexpr char kScript[] = {
#include "page.js.inc"
};

/// Inside a script element nothing may look like its end, or like a comment. JSON has "<" only within strings.
static std::string forScript(const json::Value &value) {
  std::string text, safe;
  raw_string_ostream(text) << value;
  safe.reserve(text.size());
  for (char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

std::string makePage(const json::Object &facts, StringRef timing, StringRef trace, std::string &error) {
  json::Object all = facts;
  for (auto [key, text] : {std::pair<const char *, StringRef>("timing", timing), {"trace", trace}}) {
    if (text.trim().empty())
      continue;
    Expected<json::Value> value = json::parse(text);
    if (!value) {
      error = (Twine(key) + ": " + toString(value.takeError())).str();
      return "";
    }
    all[key] = std::move(*value);
  }
  std::string page;
  StringRef rest(kHtml, sizeof kHtml);
  const std::pair<StringRef, std::string> parts[] = {{"/*STYLE*/", std::string(kStyle, sizeof kStyle)},
                                                     {"/*FACTS*/", forScript(std::move(all))},
                                                     {"/*SCRIPT*/", std::string(kScript, sizeof kScript)}};
  for (const auto &[mark, text] : parts) {
    auto [before, after] = rest.split(mark);
    page += before;
    page += text;
    rest = after;
  }
  page += rest;
  return page;
}

} // namespace tileiras::explorer
