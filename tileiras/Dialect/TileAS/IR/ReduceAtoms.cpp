//===- ReduceAtoms.cpp - How lanes reduce what they have ------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/ReduceAtoms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Support/F2Basis.h"
#include "tileiras/Support/LinearLayout.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nv_tileas;

/// What redux.sync calls an operation; empty if it has none such.
static StringRef kindOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](arith::AddIOp) { return "add"; })
      .Case([](arith::MinSIOp) { return "smin"; })
      .Case([](arith::MaxSIOp) { return "smax"; })
      .Case([](arith::MinUIOp) { return "umin"; })
      .Case([](arith::MaxUIOp) { return "umax"; })
      .Case([](arith::AndIOp) { return "and"; })
      .Case([](arith::OrIOp) { return "or"; })
      .Case([](arith::XOrIOp) { return "xor"; })
      .Case([](arith::MinNumFOp) { return "fmin"; })
      .Case([](arith::MaxNumFOp) { return "fmax"; })
      .Case([](arith::MinimumFOp) { return "fmin.NaN"; })
      .Case([](arith::MaximumFOp) { return "fmax.NaN"; })
      .Default([](Operation *) { return StringRef(); });
}

SmallVector<StringRef> nv_tileas::getReduxKinds(ReduceOp reduce) {
  SmallVector<StringRef> kinds;
  Block &body = reduce.getBody().front();
  for (auto [i, yielded] : llvm::enumerate(body.getTerminator()->getOperands())) {
    Operation *op = yielded.getDefiningOp();
    if (!op || op->getBlock() != &body || op->getNumOperands() != 2)
      return {};
    Value element = body.getArgument(2 * i), all = body.getArgument(2 * i + 1);
    bool ofBoth = (op->getOperand(0) == element && op->getOperand(1) == all) ||
                  (op->getOperand(0) == all && op->getOperand(1) == element);
    kinds.push_back(ofBoth ? kindOf(op) : StringRef());
    if (kinds.back().empty())
      return {};
  }
  return kinds;
}

std::string nv_tileas::whyNotRedux(ReduceOp reduce) {
  auto type = cast<RankedTensorType>(reduce.getSources().front().getType());
  for (Value source : reduce.getSources()) {
    Type element = getElementTypeOrSelf(source);
    if (!element.isInteger(32) && !element.isF32())
      return "its elements are neither 32-bit integers nor f32";
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(reduce);
    if (element.isF32() && !(target && target->reduxF32))
      return "the target has it for 32-bit integers alone";
  }
  if (getReduxKinds(reduce).empty())
    return "the body is not, for each tile, one operation of those that redux.sync has";
  if (!type.getEncoding())
    return {};
  tileiras::LinearLayout layout = getLinearLayout(type);
  if (layout.inBits(tileiras::kLane) != 5)
    return "the lanes of a warp do not all hold another element of the axis";
  // What a lane adds to the coordinate no registers or other lanes do, or it would count twice.
  tileiras::F2Basis span;
  for (int bit = 0; bit < layout.inBits(tileiras::kRegister); ++bit)
    span.insert(layout.basis(tileiras::kRegister, bit)[reduce.getAxis()]);
  for (int bit = 0; bit < 5; ++bit) {
    std::vector<int32_t> moved = layout.basis(tileiras::kLane, bit);
    bool fresh = span.insert(moved[reduce.getAxis()]);
    moved[reduce.getAxis()] = 0;
    if (!fresh || llvm::any_of(moved, [](int32_t m) { return m != 0; }))
      return "the lanes of a warp do not all hold another element of the axis";
  }
  return {};
}

bool nv_tileas::isByRedux(ReduceOp reduce) {
  auto atom = reduce->getAttrOfType<StringAttr>(kReduceAtomAttr);
  return atom && atom.getValue() == kRedux;
}

LogicalResult nv_tileas::verifyReduceAtom(ReduceOp reduce) {
  Attribute witness = reduce->getAttr(kReduceAtomAttr);
  if (!witness)
    return success();
  auto atom = dyn_cast<StringAttr>(witness);
  if (!atom || (atom.getValue() != kButterfly && atom.getValue() != kRedux))
    return reduce.emitOpError("expects '")
           << kReduceAtomAttr << "' to be \"" << kButterfly << "\" or \"" << kRedux << "\", got " << witness;
  if (std::string why = atom.getValue() == kRedux ? whyNotRedux(reduce) : ""; !why.empty())
    return reduce.emitOpError("cannot be computed by redux.sync: ") << why;
  return success();
}
