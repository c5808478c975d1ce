//===- Views.cpp - What a layout looks like -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/Picture.h"
#include "tileiras/Support/ConvertPlan.h"

#include <algorithm>
#include <bit>
#include <map>

namespace tileiras::cute {

static std::nullopt_t fail(std::string *error, std::string message) {
  if (error)
    *error = std::move(message);
  return std::nullopt;
}

static std::string number(int64_t value) { return std::to_string(value); }

/// A panel of at most the wanted size over a grid of rows x columns, with numbers as heads.
static Panel grid(const std::string &title, int64_t rows, int64_t columns, const ViewOptions &options) {
  Panel panel;
  panel.title = title;
  panel.rows = int(std::min<int64_t>(rows, options.maxRows));
  panel.columns = int(std::min<int64_t>(columns, options.maxColumns));
  panel.cells.resize(size_t(panel.rows) * size_t(panel.columns));
  for (int r = 0; r < panel.rows; ++r)
    panel.rowHeads.push_back(number(r));
  for (int c = 0; c < panel.columns; ++c)
    panel.columnHeads.push_back(number(c));
  if (panel.rows < rows || panel.columns < columns)
    panel.notes.push_back("Shown: " + number(panel.rows) + " of " + number(rows) + " rows, " + number(panel.columns) +
                          " of " + number(columns) + " columns.");
  return panel;
}

static std::string shapeText(const std::vector<int32_t> &shape) {
  std::string text;
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "x" : "") + number(shape[i]);
  return text.empty() ? "1" : text;
}

namespace {
struct Owner {
  int64_t thread = -1, lane = 0, warp = 0, reg = 0;
  int64_t copies = 0;
};
} // namespace

static void paintOwners(Panel &panel, const std::vector<Owner> &owners, int64_t columns, bool manyWarps,
                        const ViewOptions &options) {
  ViewOptions::Colour by = options.colour;
  if (by == ViewOptions::Colour::Automatic)
    by = manyWarps ? ViewOptions::Colour::Warp : ViewOptions::Colour::Lane;
  bool used[8] = {}, copies = false;
  for (int r = 0; r < panel.rows; ++r)
    for (int c = 0; c < panel.columns; ++c) {
      const Owner &owner = owners[size_t(r) * size_t(columns) + size_t(c)];
      Cell &cell = panel.cells[size_t(r) * size_t(panel.columns) + size_t(c)];
      if (owner.thread < 0) {
        cell.upper = "-";
        continue;
      }
      int64_t key = by == ViewOptions::Colour::Warp   ? owner.warp
                    : by == ViewOptions::Colour::Lane ? owner.lane
                                                      : owner.reg;
      cell.colour = int(key % 8);
      cell.upper = "T" + number(owner.thread);
      cell.lower = "r" + number(owner.reg);
      if (owner.copies > 1) {
        cell.lower += " x" + number(owner.copies);
        copies = true;
      }
      used[cell.colour] = true;
    }
  const char *name = by == ViewOptions::Colour::Warp ? "warp" : by == ViewOptions::Colour::Lane ? "lane" : "register";
  for (int i = 0; i < 8; ++i)
    if (used[i])
      panel.legend.push_back({i, std::string(name) + " mod 8 = " + number(i)});
  panel.notes.push_back(std::string("T: thread of the block, r: its register") +
                        (copies ? "; x: number of places that hold the element, the first is named." : "."));
}

std::optional<Panel> ownerPanel(const LinearLayout &layout, const std::string &title, const ViewOptions &options,
                                std::string *error) {
  if (layout.totalInBits() > 22 || layout.totalOutBits() > 22)
    return fail(error, "the layout is too large for a picture");
  std::vector<int32_t> shape = layout.shape();
  int64_t columns = shape.empty() ? 1 : shape.back(), elements = int64_t(1) << layout.totalOutBits();
  if (shape.size() == 1 && columns > options.maxColumns)
    columns = 16; // a long row is folded
  Panel panel = grid(title, elements / columns, columns, options);
  panel.rowName = shape.size() == 2 ? "dim 0" : shape.size() == 1 ? "" : "dims 0.." + number(int64_t(shape.size()) - 2);
  panel.columnName = shape.empty() ? "" : "dim " + number(int64_t(shape.size()) - 1);
  if (shape.size() == 1 && columns != shape.back())
    for (int r = 0; r < panel.rows; ++r)
      panel.rowHeads[size_t(r)] = number(r * columns) + "+";
  std::vector<Owner> owners(static_cast<size_t>(elements));
  int64_t lanes = layout.inSize(kLane);
  uint64_t points = uint64_t(1) << layout.totalInBits();
  for (uint64_t flat = 0; flat < points; ++flat) {
    int64_t reg = 0, lane = 0, warp = 0;
    for (const auto &[name, value] : layout.unflattenIn(flat)) {
      if (name == kRegister)
        reg = value;
      else if (name == kLane)
        lane = value;
      else
        warp = name == kWarp ? warp + value : warp + int64_t(value) * layout.inSize(kWarp);
    }
    Owner &owner = owners[layout.applyFlat(flat)];
    if (owner.copies++ == 0)
      owner = {warp * lanes + lane, lane, warp, reg, 1};
  }
  paintOwners(panel, owners, columns, layout.inSize(kWarp) * layout.inSize(kBlock) > 1, options);
  panel.notes.push_back("Tile " + shapeText(shape) + ", " + number(lanes * layout.inSize(kWarp)) + " threads, " +
                        number(layout.inSize(kRegister)) + " registers each.");
  return panel;
}

std::optional<Panel> threadValuePanel(const Layout &layout, const IntTuple &tile, const std::string &title,
                                      const ViewOptions &options, std::string *error) {
  Int elements = size(tile), threads = size(layout.mode(0)), all = size(layout);
  if (layout.rank() != 2 || layout.shape.isLeaf())
    return fail(error, "a layout of threads and values has two modes, not " + layout.toString());
  if (!elements.isStatic() || !all.isStatic() || elements.constant() > 1 << 20 || all.constant() > 1 << 22)
    return fail(error, "the layout is too large for a picture");
  int64_t rows = tile.isLeaf() ? 1 : size(tile.mode(0)).constant(), columns = elements.constant() / rows;
  Panel panel = grid(title, rows, columns, options);
  panel.rowName = tile.isLeaf() ? "" : "mode 0";
  panel.columnName = tile.isLeaf() ? "index" : "mode 1";
  std::vector<Owner> owners(static_cast<size_t>(elements.constant()));
  for (int64_t i = 0; i < all.constant(); ++i) {
    int64_t thread = i % threads.constant(), value = i / threads.constant(), at = offsetOf(layout, i);
    if (at < 0 || at >= elements.constant())
      return fail(error, "value " + number(value) + " of thread " + number(thread) + " is element " + number(at) +
                             ", outside the tile " + tile.toString());
    Owner &owner = owners[size_t((at % rows) * columns + at / rows)];
    if (owner.copies++ == 0)
      owner = {thread, thread % 32, thread / 32, value, 1};
  }
  paintOwners(panel, owners, columns, threads.constant() > 32, options);
  panel.notes.push_back("(thread, value) -> element: " + layout.toString());
  return panel;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

std::optional<std::vector<Panel>> memoryPanels(const LinearLayout &layout, const std::string &title,
                                               const ViewOptions &options, std::string *error) {
  std::optional<LinearLayout> toOffset = layout.invert();
  if (!toOffset || layout.numIns() != 1)
    return fail(error, "a shared layout has one place for each element");
  int bits = layout.totalInBits();
  if (bits > 22)
    return fail(error, "the layout is too large for a picture");
  int64_t bytes = std::max(1, options.elementBits / 8);
  std::vector<int32_t> shape = layout.shape();
  int rank = int(shape.size());
  // The dimension that runs along memory, and how many neighbours stay together, up to 16 bytes.
  int inner = rank - 1;
  if (bits > 0)
    for (int d = 0; d < rank; ++d)
      if (layout.basis(kOffset, 0, dimName(d)) == 1)
        inner = d;
  int unitBits = 0;
  while (unitBits < bits && (bytes << (unitBits + 1)) <= 16) {
    std::vector<int32_t> wanted(static_cast<size_t>(rank));
    wanted[size_t(inner)] = 1 << unitBits;
    if (layout.basis(kOffset, unitBits) != wanted)
      break;
    ++unitBits;
  }
  int64_t unit = int64_t(1) << unitBits, unitBytes = unit * bytes;
  int64_t innerExtent = rank ? shape[size_t(inner)] : 1, elements = int64_t(1) << bits;
  auto coordinates = [&](int64_t row, int64_t column) {
    std::vector<int32_t> result(static_cast<size_t>(rank));
    if (rank)
      result[size_t(inner)] = int32_t(column);
    for (int d = rank - 1; d >= 0; --d)
      if (d != inner) {
        result[size_t(d)] = int32_t(row % shape[size_t(d)]);
        row /= shape[size_t(d)];
      }
    return result;
  };
  auto offsetOfPoint = [&](const std::vector<int32_t> &point) {
    LinearLayout::Point named;
    for (int d = 0; d < rank; ++d)
      named.push_back({dimName(d), point[size_t(d)]});
    return int64_t(toOffset->coords(named)[0]);
  };
  auto pointText = [&](const std::vector<int32_t> &point) {
    std::string text;
    for (size_t d = 0; d < point.size(); ++d)
      text += (d ? "," : "") + number(point[d]);
    return text;
  };
  std::string rows = rank == 2 ? "dim " + number(1 - inner) : rank > 2 ? "other dims" : "";

  Panel tile =
      grid(title + ": banks of the tile", elements / innerExtent, std::max<int64_t>(1, innerExtent / unit), options);
  tile.rowName = rows;
  tile.columnName = "dim " + number(inner) + (unit > 1 ? ", " + number(unit) + " elements a cell" : "");
  for (int c = 0; c < tile.columns; ++c)
    tile.columnHeads[size_t(c)] = number(c * unit);
  for (int r = 0; r < tile.rows; ++r)
    for (int c = 0; c < tile.columns; ++c) {
      int64_t address = offsetOfPoint(coordinates(r, c * unit)) * bytes;
      int64_t bank = address / 4 % 32, last = (address + unitBytes - 1) / 4 % 32;
      Cell &cell = tile.cells[size_t(r) * size_t(tile.columns) + size_t(c)];
      cell.upper = number(bank) + (last != bank ? "-" + number(last) : "");
      cell.lower = "@" + number(address);
      cell.colour = int(bank / 4);
    }
  for (int i = 0; i < 8; ++i)
    tile.legend.push_back({i, "banks " + number(4 * i) + "-" + number(4 * i + 3)});
  tile.notes.push_back("Above: banks of 4 bytes; below: address in bytes. Elements of " + number(bytes) + " bytes.");

  int64_t perLine = std::max<int64_t>(1, 128 / unitBytes), units = elements / unit;
  Panel lines =
      grid(title + ": lines of 128 bytes", (units + perLine - 1) / perLine, std::min(perLine, units), options);
  lines.rowName = "line";
  lines.columnName = "bank";
  for (int c = 0; c < lines.columns; ++c)
    lines.columnHeads[size_t(c)] = number(c * unitBytes / 4);
  bool used[8] = {};
  for (int r = 0; r < lines.rows; ++r)
    for (int c = 0; c < lines.columns; ++c) {
      int64_t index = (r * perLine + c) * unit;
      Cell &cell = lines.cells[size_t(r) * size_t(lines.columns) + size_t(c)];
      if (index >= elements)
        continue;
      std::vector<int32_t> point = layout.coords({{kOffset, int32_t(index)}});
      cell.upper = pointText(point);
      int64_t row = 0;
      for (int d = 0; d < rank; ++d)
        if (d != inner)
          row = row * shape[size_t(d)] + point[size_t(d)];
      cell.colour = int(row % 8);
      used[cell.colour] = true;
    }
  for (int i = 0; i < 8; ++i)
    if (used[i] && rank > 1)
      lines.legend.push_back({i, (rank == 2 ? rows : "row") + " mod 8 = " + number(i)});
  lines.notes.push_back("Cells: the first of " + number(unit) + " element" + (unit > 1 ? "s" : "") +
                        " by coordinates.");

  // Usual accesses of a warp.
  auto wavefronts = [&](const std::vector<std::vector<int32_t>> &laneBits, int vectorBits, int32_t inactive) {
    std::vector<uint64_t> offsets;
    for (const std::vector<int32_t> &point : laneBits)
      offsets.push_back(uint64_t(offsetOfPoint(point)));
    offsets.resize(5);
    return countWavefronts(offsets, vectorBits, int(bytes), inactive);
  };
  auto along = [&](int dim, int from, int count) {
    std::vector<std::vector<int32_t>> result;
    for (int i = 0; i < count; ++i) {
      std::vector<int32_t> point(static_cast<size_t>(rank));
      point[size_t(dim)] = from << i;
      result.push_back(point);
    }
    return result;
  };
  auto say = [&](const std::string &access, int count, int ideal) {
    lines.notes.push_back(access + ": " + number(count) + " wavefront" + (count == 1 ? "" : "s") +
                          (count > ideal ? ", " + number(ideal) + " without conflicts" : ", no conflict"));
  };
  for (int d = 0; d < rank; ++d)
    if (shape[size_t(d)] >= 32)
      say("32 lanes along dim " + number(d) + ", an element each", wavefronts(along(d, 1, 5), 0, 0),
          std::max<int>(1, int(bytes / 4)));
  if (rank == 2 && unitBytes == 16 && shape[size_t(1 - inner)] >= 8)
    say("8 lanes along dim " + number(1 - inner) + ", 16 bytes each (ldmatrix)",
        wavefronts(along(1 - inner, 1, 3), unitBits, 0x18), 1);
  return std::vector<Panel>{tile, lines};
}

//===----------------------------------------------------------------------===//
// Functions and conversions
//===----------------------------------------------------------------------===//

std::optional<Panel> functionPanel(const ComposedLayout &layout, const std::string &title, const ViewOptions &options,
                                   std::string *error) {
  Int count = size(layout.layout);
  if (!count.isStatic() || count.constant() > 1 << 22)
    return fail(error, "the layout is too large for a picture");
  bool plane = !layout.layout.shape.isLeaf() && layout.layout.rank() > 1;
  int64_t rows = plane ? size(layout.layout.mode(0)).constant() : 1, columns = count.constant() / rows;
  Panel panel = grid(title, rows, columns, options);
  panel.rowName = plane ? "mode 0" : "";
  panel.columnName = !plane ? "index" : layout.layout.rank() == 2 ? "mode 1" : "the other modes";
  bool tuples = false;
  for (const Int &stride : layout.layout.stride.leaves())
    tuples |= !stride.basis().empty();
  bool swizzled = !layout.swizzle.isNone(), used[8] = {};
  int64_t bytes = std::max(1, options.elementBits / 8);
  for (int r = 0; r < panel.rows; ++r)
    for (int c = 0; c < panel.columns; ++c) {
      Cell &cell = panel.cells[size_t(r) * size_t(panel.columns) + size_t(c)];
      int64_t index = r + c * rows;
      if (tuples) {
        cell.upper = crd2idx(IntTuple(index), layout.layout).toString();
        continue;
      }
      int64_t value = offsetOf(layout, index);
      cell.upper = number(value);
      cell.colour = int((((swizzled ? value * bytes / 16 : value) % 8) + 8) % 8);
      used[cell.colour] = true;
    }
  for (int i = 0; i < 8; ++i)
    if (used[i])
      panel.legend.push_back(
          {i, swizzled ? "banks " + number(4 * i) + "-" + number(4 * i + 3) : "offset mod 8 = " + number(i)});
  panel.notes.push_back(layout.toString() +
                        (tuples ? "" : ", size " + count.toString() + ", cosize " + cosize(layout.layout).toString()));
  return panel;
}

std::optional<std::vector<Panel>> panelsOf(const AnyLayout &layout, const std::string &title,
                                           const ViewOptions &options, std::string *error) {
  ViewOptions own = options;
  if (layout.elementBits)
    own.elementBits = layout.elementBits;
  std::optional<Panel> panel;
  switch (layout.kind) {
  case AnyLayout::Kind::Shared:
    return memoryPanels(layout.linear, title, own, error);
  case AnyLayout::Kind::Distributed:
    panel = ownerPanel(layout.linear, title, own, error);
    break;
  case AnyLayout::Kind::Function:
    panel = functionPanel(layout.function, title, own, error);
    break;
  }
  if (!panel)
    return std::nullopt;
  return std::vector<Panel>{*panel};
}

/// 3, lane ^ 4, or bit by bit: 4 ^ l0*2 ^ w1*8 with l0 the lowest bit of the lane, w1 one of the warp.
static std::string affineText(const AffineBits &bits) {
  if (bits.isConstant())
    return number(bits.constant);
  std::string text = bits.constant ? number(bits.constant) : "";
  auto add = [&](const char *name, const std::vector<int32_t> &images) {
    bool identity = true;
    for (size_t i = 0; i < images.size(); ++i)
      identity &= images[i] == 1 << i;
    if (identity && images.size() == 5) {
      text += std::string(text.empty() ? "" : " ^ ") + name;
      return;
    }
    for (size_t i = 0; i < images.size(); ++i)
      if (images[i])
        text += (text.empty() ? "" : " ^ ") + std::string(1, name[0]) + number(int64_t(i)) +
                (images[i] == 1 ? "" : "*" + number(images[i]));
  };
  add("lane", bits.lane);
  add("warp", bits.warp);
  return text;
}

std::optional<Picture> conversionPicture(const LinearLayout &source, const LinearLayout &target,
                                         const ViewOptions &options, std::string *error) {
  ConvertOptions convert;
  convert.elementBits = options.elementBits;
  std::optional<ConvertPlan> plan = planConvert(source, target, convert, error);
  if (!plan)
    return std::nullopt;
  Picture picture;
  std::optional<Panel> before = ownerPanel(source, "Before", options, error);
  std::optional<Panel> after = ownerPanel(target, "After", options, error);
  if (!before || !after)
    return std::nullopt;
  picture.panels = {*before, *after};
  picture.notes.push_back("Path: " + plan->summary());
  switch (plan->kind) {
  case ConvertKind::NoOp:
    picture.notes.push_back("Every register is where it should be.");
    break;
  case ConvertKind::SameThread: {
    std::string map = "Registers are renamed; new register k is old register";
    for (size_t i = 0; i < plan->registerMap.size() && i < 32; ++i)
      map += " " + number(plan->registerMap[i]);
    picture.notes.push_back(map + (plan->registerMap.size() > 32 ? " ..." : ""));
    break;
  }
  case ConvertKind::IntraWarp:
    picture.notes.push_back("Each round every lane offers a register and takes what another lane offers (shfl.idx); "
                            "l0, l1, ... are the bits of its lane number:");
    for (size_t i = 0; i < plan->rounds.size(); ++i) {
      if (i == 8) {
        picture.notes.push_back("  ... " + number(int64_t(plan->rounds.size()) - 8) + " more rounds");
        break;
      }
      const ShuffleRound &round = plan->rounds[i];
      picture.notes.push_back("  " + number(int64_t(i)) + ": offers register " + affineText(round.sourceRegister) +
                              ", takes from lane " + affineText(round.sourceLane) + ", as its register " +
                              affineText(round.targetRegister));
    }
    break;
  case ConvertKind::SharedMemory: {
    ViewOptions memory = options;
    memory.elementBits = plan->shared->elementBytes * 8;
    std::optional<std::vector<Panel>> panels =
        memoryPanels(plan->shared->memory, "Shared memory between", memory, error);
    if (!panels)
      return std::nullopt;
    // The accesses that matter here are those of the plan.
    for (Panel &panel : *panels) {
      std::erase_if(panel.notes, [](const std::string &note) { return note.find("lanes along") != std::string::npos; });
      picture.panels.push_back(panel);
    }
    auto side = [&](const char *name, const SharedAccess &access) {
      picture.notes.push_back(std::string(name) + ": " + number(access.numAccesses()) + " accesses of " +
                              number(int64_t(plan->shared->elementBytes) << access.vectorBits) + " bytes per thread, " +
                              number(access.wavefronts) + " wavefronts each, " + number(access.idealWavefronts) +
                              " without conflicts");
    };
    side("Store", plan->shared->store);
    side("Load", plan->shared->load);
    break;
  }
  }
  return picture;
}

} // namespace tileiras::cute
