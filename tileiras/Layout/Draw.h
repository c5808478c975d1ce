//===- Draw.h - From a layout's text to its picture -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What tileiras-layout and the C library are asked for: a layout in any notation, perhaps an operation of the algebra
// on it or a second layout, and how it is to be drawn.
//
//   DrawRequest request;
//   request.layout = "(8,8):(8,1)";
//   request.set("apply", "logical_divide:<4:1;2:1>");
//   if (auto picture = request.draw(error)) puts(picture->toText().c_str());
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_DRAW_H
#define TILEIRAS_LAYOUT_DRAW_H

#include "tileiras/Layout/Picture.h"

namespace tileiras::cute {

/// The names that DrawRequest::set knows, as `tileiras-layout --help` describes them.
inline constexpr const char *kDrawOptions[] = {"shape",  "tile",     "to",          "apply", "element-bits",
                                               "colour", "max-rows", "max-columns", "title"};

struct DrawRequest {
  std::string layout, to, tile, title;
  std::string apply; ///< OPERATION:ARGUMENT
  std::vector<int32_t> shape;
  ViewOptions view;

  /// False if `value` is none for the option, or there is no such option.
  bool set(std::string_view option, const std::string &value);
  /// The layout, after `apply`.
  std::optional<AnyLayout> evaluate(std::string &error) const;
  std::optional<Picture> draw(std::string &error) const;
};

/// An operation of the algebra by its name in CuTe: composition, logical_divide, zipped_divide, tiled_divide,
/// flat_divide, logical_product, zipped_product, tiled_product, flat_product (a tiler), blocked_product, raked_product,
/// complement (a layout, or a size), right_inverse, left_inverse, coalesce, flatten, filter (nothing).
std::optional<Layout> applyOperation(const Layout &layout, const std::string &operation, const std::string &argument,
                                     std::string &error);

} // namespace tileiras::cute

#endif // TILEIRAS_LAYOUT_DRAW_H
