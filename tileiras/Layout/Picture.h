//===- Picture.h - Layouts drawn as text and SVG ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A picture is a column of panels, a panel a grid of coloured cells with a legend and notes below. The views build them
// from layouts: who owns which element, where shared memory has it and in which bank, what a conversion does.
//
// The eight colours are those of Okabe and Ito, lightened for black text; they can be told apart with any colour
// vision, and nothing is said by colour alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_PICTURE_H
#define TILEIRAS_LAYOUT_PICTURE_H

#include "tileiras/Layout/Notation.h"

namespace tileiras::cute {

struct Cell {
  std::string upper, lower; ///< two lines in a picture, `upper:lower` in text
  int colour = -1;          ///< 0..7, or none
};

struct Panel {
  std::string title;
  int rows = 0, columns = 0;
  std::vector<Cell> cells; ///< row-major
  std::vector<std::string> rowHeads, columnHeads;
  std::string rowName, columnName;
  std::vector<std::pair<int, std::string>> legend;
  std::vector<std::string> notes;
};

struct Picture {
  std::string title;
  std::vector<Panel> panels;
  std::vector<std::string> notes;

  std::string toText() const;
  /// At most `width` wide on the page.
  std::string toSVG(int width = 1080) const;
};

struct ViewOptions {
  enum class Colour { Automatic, Lane, Warp, Register } colour = Colour::Automatic;
  int maxRows = 32, maxColumns = 32; ///< cells of a panel; the rest is cut off, and said so
  int elementBits = 16;              ///< where the layout does not say
};

/// (register, lane, warp, block) -> coordinate: which thread and register has each element.
std::optional<Panel> ownerPanel(const LinearLayout &layout, const std::string &title, const ViewOptions &options,
                                std::string *error = nullptr);

/// offset -> coordinate: banks of each element, and what the lines of 128 bytes hold. Notes say how many wavefronts the
/// usual accesses of a warp take.
std::optional<std::vector<Panel>> memoryPanels(const LinearLayout &layout, const std::string &title,
                                               const ViewOptions &options, std::string *error = nullptr);

/// Values of a CuTe layout; mode 0 downwards, the other modes across.
std::optional<Panel> functionPanel(const ComposedLayout &layout, const std::string &title, const ViewOptions &options,
                                   std::string *error = nullptr);

/// A CuTe layout (thread, value) -> column-major number in a tile: who owns what, of any size.
std::optional<Panel> threadValuePanel(const Layout &layout, const IntTuple &tile, const std::string &title,
                                      const ViewOptions &options, std::string *error = nullptr);

/// The panels of any of these.
std::optional<std::vector<Panel>> panelsOf(const AnyLayout &layout, const std::string &title,
                                           const ViewOptions &options, std::string *error = nullptr);

/// Source, target, and the way between them.
std::optional<Picture> conversionPicture(const LinearLayout &source, const LinearLayout &target,
                                         const ViewOptions &options, std::string *error = nullptr);

} // namespace tileiras::cute

#endif // TILEIRAS_LAYOUT_PICTURE_H
