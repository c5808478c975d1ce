//===- StageScales.cpp - Scales that tcgen05.cp brings --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/StageScales.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ScaleColumns.h"
#include "tileiras/Dialect/TileAS/Transforms/AccessWidths.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadPastRegisters.h"
#include "tileiras/Remark/Remark.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;
namespace remarks = tileiras::remarks;

namespace {

/// How the scales of one factor are copied to shared memory.
struct Copies {
  LoadForOne found;
  Operation *convert = nullptr; ///< between the load and the product
  LinearLayout memory;          ///< of the tile as it is loaded
  Attribute threads;            ///< which of them copy what
  int64_t run;                  ///< scales that one of them copies at once
};

/// Four scales along k are the least that cp.async copies, and lie together in shared memory; 16 the most, where as
/// many do in global memory, too.
constexpr int64_t kLeast = 4, kMost = 16;

/// Who copies what: runs of a row side by side are those of neighbouring lanes, then rows that lie side by side in
/// shared memory.
LinearLayout copiesOf(const LinearLayout &memory, int k, int64_t run, int warpBits) {
  LinearLayout::InDim registers{tileiras::kRegister, {}}, lanes{tileiras::kLane, {}}, warps{tileiras::kWarp, {}};
  std::vector<std::vector<int32_t>> runs, rows;
  for (int bit = 0; bit < memory.inBits(tileiras::kOffset); ++bit) {
    std::vector<int32_t> basis = memory.basis(tileiras::kOffset, bit);
    (1 << bit < run ? registers.bases : basis[k] ? runs : rows).push_back(basis);
  }
  runs.insert(runs.end(), rows.begin(), rows.end());
  for (size_t i = 0; i < std::max<size_t>(runs.size(), 5 + warpBits); ++i)
    (i < 5                      ? lanes
     : i < size_t(5 + warpBits) ? warps
                                : registers)
        .bases.push_back(i < runs.size() ? runs[i] : std::vector<int32_t>(memory.numOuts()));
  return LinearLayout({registers, lanes, warps, {tileiras::kBlock, {}}}, memory.shape());
}

/// Says `why` not, if there is no way.
std::optional<Copies> plan(DotOp dot, unsigned factor, nv_tileaa::AxisInfoAnalysisResult &axis, StringRef &why) {
  Value scales = dot->getOperand(3 + factor);
  auto convert = scales.getDefiningOp<ConvertLayoutOp>();
  if (convert && convert->hasOneUse())
    scales = convert.getSource();
  std::optional<LoadForOne> found = LoadForOne::of(scales);
  if (!found || !found->mayBeFetchedBy(dot)) {
    why = "they go through registers: they are not loaded for this product alone, with zeros as padding";
    return std::nullopt;
  }
  auto [a, b] = getScales(dot);
  std::optional<LinearLayout> memory = factor ? b.image(1) : a.image(0);
  for (Operation *shape : found->shapes)
    if (memory = inferOperandLayout(shape, 0, *memory); !memory) {
      why = "they go through registers: they are loaded in another shape";
      return std::nullopt;
    }
  AccessWidth width = analyzeAccess(found->load, axis);
  int k = width.order.front();
  int64_t run = 1;
  for (int bit = 0; bit < memory->inBits(tileiras::kOffset) && run < std::min<int64_t>(width.vec, kMost) &&
                    memory->basis(tileiras::kOffset, bit)[k] == run;
       ++bit)
    run *= 2;
  if (run < kLeast) {
    why = "they go through registers: four along k are not known to lie together in memory, at a multiple of four "
          "bytes";
    return std::nullopt;
  }
  auto type = cast<RankedTensorType>(found->load.getResult().getType());
  LinearLayout copies = copiesOf(*memory, k, run, getLinearLayout(type).inBits(tileiras::kWarp));
  return Copies{std::move(*found), convert, std::move(*memory), getLayoutAttr(dot.getContext(), copies), run};
}

bool stage(DotOp dot, nv_tileaa::AxisInfoAnalysisResult &axis) {
  StringRef why;
  RankedTensorType columns = getScaleTile(dot);
  if (!columns)
    why = "they go through registers: tcgen05.cp is for 128 rows or columns and four scales along k, or multiples";
  SmallVector<Copies, 2> all;
  for (unsigned factor = 0; factor < 2 && why.empty(); ++factor)
    if (std::optional<Copies> copies = plan(dot, factor, axis, why))
      all.push_back(std::move(*copies));
  if (!why.empty()) {
    remarks::missed(dot, remarks::kProduct, "Scales") << remarks::because(why);
    return false;
  }
  OpBuilder builder(dot);
  for (auto [factor, copies] : llvm::enumerate(all)) {
    Value loaded = copies.found.load.getResult();
    loaded.setType(withLayout(cast<RankedTensorType>(loaded.getType()), copies.threads));
    Value tile = copies.found.copyPastRegisters(builder, copies.memory, copies.run, dot, /*asyncProxy=*/true);
    dot->setOperand(3 + factor, tile);
    if (copies.convert)
      copies.convert->erase();
    for (Operation *shape : copies.found.shapes)
      shape->erase();
    copies.found.load.erase();
  }
  builder.setInsertionPoint(dot);
  dot.getColumnsMutable().assign(AllocTensorOp::create(builder, dot.getLoc(), columns, IntegerAttr()).getResult());
  remarks::passed(dot, remarks::kProduct, "Scales")
      << remarks::figure("Columns", columns.getDimSize(1))
      << remarks::because("they go from shared to tensor memory by tcgen05.cp");
  return true;
}

} // namespace

unsigned nv_tileas::stageScales(nv_tileaa::FuncOp func) {
  SmallVector<DotOp> dots;
  func.walk([&](DotOp dot) {
    if (dot.getSfa() && !dot.getColumns() && isa_and_present<Sm100MmaAtomAttr>(dot.getAtomAttr()))
      dots.push_back(dot);
  });
  if (dots.empty())
    return 0;
  nv_tileaa::AxisInfoAnalysisResult axis(func);
  return llvm::count_if(dots, [&](DotOp dot) { return stage(dot, axis); });
}
