//===- HeldReductions.cpp - Sums are added to memory by who has them ------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/HeldReductions.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/ConvertPlan.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;
namespace remarks = tileiras::remarks;

static constexpr int64_t kSectorBytes = 32, kLeastBytes = 8;

/// How many neighbours along `dim` a thread has in registers that follow each other, `most` at the most, if they and
/// those of the lanes beside it fill sectors, and nobody has what others have; 1 if not.
static int64_t neighbours(const LinearLayout &held, int dim, int64_t bytes, int64_t most) {
  tileiras::OwnerMask owners = tileiras::ownerMask(held, /*withinCta=*/true);
  if (owners.registers || !owners.everyThread())
    return 1;
  auto isStep = [&](tileiras::DimName in, int bit, int64_t step) {
    std::vector<int32_t> wanted(held.numOuts());
    wanted[dim] = int32_t(step);
    return held.basis(in, bit) == wanted;
  };
  int64_t run = 1;
  for (int bit = 0; run < most && bit < held.inBits(tileiras::kRegister) && isStep(tileiras::kRegister, bit, run);
       ++bit)
    run *= 2;
  for (int64_t step = run; step * bytes < kSectorBytes; step *= 2) {
    bool found = false;
    for (int bit = 0; bit < held.inBits(tileiras::kLane); ++bit)
      found |= isStep(tileiras::kLane, bit, step);
    if (!found)
      return 1;
  }
  return run;
}

int64_t nv_tileas::reduceAsHeld(nv_tileaa::FuncOp func) {
  int64_t count = 0;
  func.walk([&](TiledAtomicRMWOp op) {
    auto convert = op.getValue().getDefiningOp<ConvertLayoutOp>();
    int64_t vec = op.getVec().value_or(1);
    if (!convert || vec < 2 || !isIn(convert.getSource().getType(), MemoryKind::Registers))
      return;
    auto source = cast<RankedTensorType>(convert.getSource().getType());
    nv_tileaa::TiledViewType view = op.getView().getType();
    int dense = -1;
    for (int t = 0; t < int(view.getRank()); ++t)
      if (view.getSource().getStrides()[view.getDimMap()[t]] == 1)
        dense = t;
    int64_t bytes = getStorageBytes(source.getElementType());
    LinearLayout held = getLinearLayout(source);
    int64_t run = dense < 0 ? 1 : neighbours(held, dense, bytes, vec);
    tileiras::ConvertOptions options;
    options.elementBits = int(bytes * 8);
    options.allowSharedMemory = false;
    if (run * bytes < kLeastBytes || 2 * run < vec ||
        tileiras::planConvert(held, getLinearLayout(convert.getType()), options))
      return;
    op.getValueMutable().assign(convert.getSource());
    op.setVec(run);
    remarks::passed(op, remarks::kMemory, "HeldReduction")
        << remarks::figure("Elements", run)
        << remarks::because("neighbouring threads of the product fill sectors: the tile stays in their registers");
    if (convert.use_empty())
      convert.erase();
    ++count;
  });
  return count;
}
