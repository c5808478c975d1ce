//===- CuteValues.cpp - Pictures of values of cute ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CuteValues.h"

#include "tileiras/Dialect/Cute/IR/Evaluate.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace tileiras;
using mlir::cute::Meaning;
namespace alg = tileiras::cute;

static bool isDrawn(Type type) {
  if (isa<mlir::cute::TiledCopyType>(type))
    return true;
  if (auto mma = dyn_cast<mlir::cute::TiledMmaType>(type))
    return mlir::cute::getProduct(mma.getAtom())->threads > 1;
  unsigned next = 0;
  Meaning meaning = mlir::cute::describe(type, next);
  return meaning.kind == Meaning::Kind::Layout || meaning.kind == Meaning::Kind::Tensor ||
         meaning.kind == Meaning::Kind::Coords;
}

SmallVector<CuteValue> tileiras::cuteValuesOf(Operation *op) {
  SmallVector<CuteValue> values;
  if (!isa_and_present<mlir::cute::CuteDialect>(op->getDialect()))
    return values;
  llvm::SmallPtrSet<Type, 4> seen;
  auto add = [&](const char *role, unsigned index, unsigned count, Type type) {
    if (isDrawn(type) && seen.insert(type).second)
      values.push_back({count == 1 ? role : (Twine(role) + " " + Twine(index)).str(), type});
  };
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    add("operand", i, op->getNumOperands(), operand.getType());
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    add("result", i, op->getNumResults(), result.getType());
  return values;
}

std::string tileiras::summaryOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::optional<std::vector<alg::Panel>> tileiras::panelsOf(const CuteValue &value, const alg::ViewOptions &view,
                                                          std::string &error) {
  std::vector<alg::Panel> panels;
  auto add = [&](std::optional<alg::Panel> panel) {
    if (panel)
      panels.push_back(*panel);
    return panel.has_value();
  };
  if (auto copy = dyn_cast<mlir::cute::TiledCopyType>(value.type)) {
    alg::Layout layout = alg::parseLayout(std::string_view(copy.getLayout()))->layout;
    alg::IntTuple tile = *alg::parseIntTuple(std::string_view(copy.getTile()));
    if (!add(alg::threadValuePanel(layout, tile, value.role + ": tile " + tile.toString(), view, &error)))
      return std::nullopt;
    return panels;
  }
  if (auto mma = dyn_cast<mlir::cute::TiledMmaType>(value.type)) {
    for (char operand : {'A', 'B', 'C'}) {
      mlir::cute::MmaFragment fragment = *mlir::cute::getMmaFragment(mma.getAtom(), operand);
      std::string title = value.role + ": " + operand + " of one atom, " + fragment.tile.toString();
      // What all threads share has no owner: how it is numbered.
      bool shared = !alg::size(fragment.layout.mode(0)).is(1) && alg::size(alg::filter(fragment.layout.mode(0))).is(1);
      if (!add(shared ? alg::functionPanel(fragment.layout.mode(1), title + ", read from shared memory", view, &error)
                      : alg::threadValuePanel(fragment.layout, fragment.tile, title, view, &error)))
        return std::nullopt;
    }
    return panels;
  }
  unsigned next = 0;
  Meaning meaning = mlir::cute::describe(value.type, next);
  if (next) {
    error = "known at run time only: " + meaning.layout.toString();
    return std::nullopt;
  }
  alg::ViewOptions own = view;
  if (meaning.element)
    own.elementBits = int(8 * mlir::cute::bytesOf(meaning.element));
  if (!add(alg::functionPanel(meaning.layout, value.role + ": " + meaning.layout.toString(), own, &error)))
    return std::nullopt;
  return panels;
}
