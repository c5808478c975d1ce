//===- Picture.cpp - Panels of cells as text and SVG ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/Picture.h"

#include <algorithm>
#include <cstdio>

namespace tileiras::cute {

static const char *const kColours[8] = {"#8ccbf0", "#f2b84b", "#63c5a5", "#f5ec7a",
                                        "#5f9fd6", "#ec8f55", "#dda0c3", "#c8c8c8"};

std::string Picture::toText() const {
  std::string text = title.empty() ? "" : title + "\n";
  for (const Panel &panel : panels) {
    if (!text.empty())
      text += "\n";
    text += panel.title + "\n";
    auto cellText = [&](int r, int c) {
      const Cell &cell = panel.cells[size_t(r) * size_t(panel.columns) + size_t(c)];
      return cell.lower.empty() ? cell.upper : cell.upper + ":" + cell.lower;
    };
    size_t head = 0, width = 1;
    for (const std::string &name : panel.rowHeads)
      head = std::max(head, name.size());
    for (const std::string &name : panel.columnHeads)
      width = std::max(width, name.size());
    for (int r = 0; r < panel.rows; ++r)
      for (int c = 0; c < panel.columns; ++c)
        width = std::max(width, cellText(r, c).size());
    auto pad = [](std::string word, size_t to) { return std::string(to - std::min(to, word.size()), ' ') + word; };
    auto line = [&](std::string out) {
      out.erase(out.find_last_not_of(' ') + 1);
      text += out + "\n";
    };
    if (!panel.columnHeads.empty()) {
      std::string out = std::string(head, ' ') + " |";
      for (int c = 0; c < panel.columns; ++c)
        out += " " + pad(panel.columnHeads[size_t(c)], width);
      line(out);
      line(std::string(head + 1, '-') + "+" + std::string(size_t(panel.columns) * (width + 1), '-'));
    }
    for (int r = 0; r < panel.rows; ++r) {
      std::string out = panel.rowHeads.empty() ? "" : pad(panel.rowHeads[size_t(r)], head) + " |";
      for (int c = 0; c < panel.columns; ++c)
        out += " " + pad(cellText(r, c), width);
      line(out);
    }
    for (const std::string &note : panel.notes)
      text += "  " + note + "\n";
  }
  for (const std::string &note : notes)
    text += note + "\n";
  return text;
}

static std::string escape(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
}

namespace {
/// Collects shapes. Boxes of one colour become one path, and fonts are classes: a picture of a thousand cells stays
/// small.
class Canvas {
public:
  /// `style` is one of the classes below: h1 h2 (headings), t (text), s (small), m (small, centred), e (small, to the
  /// left), u and l (upper and lower line of a cell).
  void text(double x, double y, const std::string &content, double size, const char *style) {
    body += std::string("<text class=\"") + style + "\" x=\"" + round(x) + "\" y=\"" + round(y) + "\">" +
            escape(content) + "</text>\n";
    width = std::max(width, x + double(content.size()) * size * 0.56);
    height = std::max(height, y + 4);
  }
  void box(double x, double y, double w, double h, int colour) {
    boxes[colour < 0 ? 8 : colour % 8] +=
        "M" + round(x) + " " + round(y) + "h" + round(w) + "v" + round(h) + "h-" + round(w) + "z";
    width = std::max(width, x + w);
    height = std::max(height, y + h);
  }
  std::string svg() const {
    std::string result;
    for (int i = 0; i < 9; ++i)
      if (!boxes[i].empty())
        result += "<path fill=\"" + std::string(i == 8 ? "#fff" : kColours[i]) +
                  "\" stroke=\"#555\" stroke-width=\"0.6\" d=\"" + boxes[i] + "\"/>\n";
    return result + body;
  }
  double width = 0, height = 0;

private:
  static std::string round(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    std::string result = text;
    return result.ends_with(".0") ? result.substr(0, result.size() - 2) : result;
  }
  std::string body, boxes[9];
};
} // namespace

static double letters(const std::string &text, double size) { return double(text.size()) * size * 0.6; }

/// Draws a panel with its upper left corner at (x, y); returns how far down it reaches.
static double draw(Canvas &canvas, const Panel &panel, double x, double y) {
  const double font = 10, small = 9;
  double cellWidth = 24, head = 0;
  bool twoLines = false;
  for (const Cell &cell : panel.cells) {
    cellWidth = std::max({cellWidth, letters(cell.upper, font) + 6, letters(cell.lower, small) + 6});
    twoLines |= !cell.lower.empty();
  }
  for (const std::string &name : panel.columnHeads)
    cellWidth = std::max(cellWidth, letters(name, small) + 4);
  for (const std::string &name : panel.rowHeads)
    head = std::max(head, letters(name, small) + 8);
  double cellHeight = twoLines ? 27 : 19;
  canvas.text(x, y + 13, panel.title, 13, "h2");
  y += 22;
  if (!panel.columnHeads.empty()) {
    if (!panel.columnName.empty() || !panel.rowName.empty()) {
      std::string axes = panel.rowName.empty() ? panel.columnName + " \xe2\x86\x92"
                                               : panel.rowName + " \xe2\x86\x93, " + panel.columnName + " \xe2\x86\x92";
      canvas.text(x, y + 9, axes, small, "s");
      y += 15;
    }
    for (int c = 0; c < panel.columns; ++c)
      canvas.text(x + head + (c + 0.5) * cellWidth, y + 9, panel.columnHeads[size_t(c)], small, "m");
    y += 13;
  }
  for (int r = 0; r < panel.rows; ++r) {
    double top = y + r * cellHeight;
    if (!panel.rowHeads.empty())
      canvas.text(x + head - 5, top + cellHeight / 2 + 3, panel.rowHeads[size_t(r)], small, "e");
    for (int c = 0; c < panel.columns; ++c) {
      const Cell &cell = panel.cells[size_t(r) * size_t(panel.columns) + size_t(c)];
      double left = x + head + c * cellWidth;
      canvas.box(left, top, cellWidth, cellHeight, cell.colour);
      canvas.text(left + cellWidth / 2, top + (twoLines ? 12 : 13), cell.upper, font, "u");
      if (!cell.lower.empty())
        canvas.text(left + cellWidth / 2, top + 23, cell.lower, small, "l");
    }
  }
  y += panel.rows * cellHeight + 8;
  double at = x + head;
  for (const auto &[colour, meaning] : panel.legend) {
    double wide = 18 + letters(meaning, small) + 10;
    if (at + wide > std::max(canvas.width, x + head + 420) && at > x + head) {
      at = x + head;
      y += 17;
    }
    canvas.box(at, y, 12, 12, colour);
    canvas.text(at + 17, y + 10, meaning, small, "s");
    at += wide;
  }
  if (!panel.legend.empty())
    y += 20;
  for (const std::string &note : panel.notes) {
    canvas.text(x, y + 11, note, 11, "t");
    y += 16;
  }
  return y + 14;
}

std::string Picture::toSVG(int pageWidth) const {
  Canvas canvas;
  double y = 12;
  if (!title.empty()) {
    canvas.text(12, y + 14, title, 16, "h1");
    y += 30;
  }
  // Panels stand beside each other while they fit.
  double x = 12, rowBottom = y;
  for (const Panel &panel : panels) {
    Canvas trial;
    draw(trial, panel, 0, 0);
    if (x > 12 && x + trial.width > 1100) {
      x = 12;
      y = rowBottom;
    }
    rowBottom = std::max(rowBottom, draw(canvas, panel, x, y));
    x += trial.width + 30;
  }
  y = rowBottom;
  for (const std::string &note : notes) {
    canvas.text(12, y + 11, note, 11, "t");
    y += 16;
  }
  double width = canvas.width + 14, height = std::max(canvas.height, y) + 10;
  double scale = std::min(1.0, pageWidth / width);
  char head[900];
  std::snprintf(head, sizeof head,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
                "font-family=\"Helvetica, Arial, sans-serif\">\n<style>.h1{font:bold 16px Helvetica,Arial,sans-serif}"
                ".h2{font:bold 13px Helvetica,Arial,sans-serif}.t{font-size:11px}.s{font-size:9px;fill:#333}"
                ".m{font-size:9px;fill:#333;text-anchor:middle}.e{font-size:9px;fill:#333;text-anchor:end}"
                ".u{font-size:10px;text-anchor:middle}.l{font-size:9px;fill:#222;text-anchor:middle}</style>\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                width * scale, height * scale, width, height);
  return head + canvas.svg() + "</svg>\n";
}

} // namespace tileiras::cute
