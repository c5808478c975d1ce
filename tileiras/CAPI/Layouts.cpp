//===- Layouts.cpp - Layouts through the C library --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CAPI/Result.h"

#include "tileiras/Layout/Draw.h"

using namespace tileiras;
using namespace tileiras::capi;
using namespace tileiras::cute;

/// More offsets than that are nothing to look at.
static constexpr int64_t kMaxOffsets = 65536;

static std::string numbers(const std::vector<int32_t> &values) {
  std::string text = "[";
  for (size_t i = 0; i != values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

/// No character of a layout's text needs escaping.
static std::string describe(const AnyLayout &layout) {
  if (layout.kind == AnyLayout::Kind::Function) {
    const ComposedLayout &f = layout.function;
    std::string text = "{\"kind\": \"function\", \"text\": \"" + (f.isPlain() ? f.layout.toString() : f.toString()) +
                       "\", \"shape\": \"" + f.layout.shape.toString() + "\", \"stride\": \"" +
                       f.layout.stride.toString() + "\"";
    // A layout with bases (1@0) has tuples as values.
    bool plain = f.layout.isStatic() && f.offset.isStatic() && text.find('@') == text.npos;
    if (Int n = cute::size(f.layout); plain && n.isStatic()) {
      text += ", \"size\": " + std::to_string(n.constant()) +
              ", \"cosize\": " + std::to_string(cosize(f.layout).constant());
      if (n.constant() <= kMaxOffsets) {
        text += ", \"offsets\": [";
        for (int64_t i = 0; i != n.constant(); ++i)
          text += (i ? ", " : "") + std::to_string(offsetOf(f, i));
        text += "]";
      }
    }
    return text + "}";
  }
  std::string text = std::string("{\"kind\": \"") +
                     (layout.kind == AnyLayout::Kind::Shared ? "shared" : "distributed") +
                     "\", \"shape\": " + numbers(layout.linear.shape()) + ", \"bases\": {";
  bool first = true;
  for (DimName in : layout.linear.inNames()) {
    text += (first ? "\"" : ", \"") + in.str() + "\": [";
    first = false;
    for (int bit = 0; bit != layout.linear.inBits(in); ++bit)
      text += (bit ? ", " : "") + numbers(layout.linear.basis(in, bit));
    text += "]";
  }
  return text + "}}";
}

extern "C" tileiras_result *tileiras_layout(const char *layout, const char *const *options) {
  auto *result = new tileiras_result;
  OptionList list(options);
  DrawRequest request;
  request.layout = layout ? layout : "";
  std::string format = list.take("format").value_or("text"), error;
  for (const char *name : kDrawOptions)
    if (std::optional<std::string> value = list.take(name))
      if (!request.set(name, *value))
        return result->fail(1, std::string(name) + ": '" + *value + "' is no value for it");
  if (list.unknown())
    return result->fail(1, "no option '" + *list.unknown() + "'");
  if (format != "text" && format != "svg" && format != "none")
    return result->fail(1, "format: '" + format + "' is not text, svg or none");
  std::optional<AnyLayout> final = request.evaluate(error);
  if (!final)
    return result->fail(1, error);
  result->json = describe(*final);
  if (format == "none")
    return result;
  std::optional<Picture> picture = request.draw(error);
  if (!picture)
    return result->fail(1, error);
  result->output = format == "svg" ? picture->toSVG() : picture->toText();
  return result;
}
