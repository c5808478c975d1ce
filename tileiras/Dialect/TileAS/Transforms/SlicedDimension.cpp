//===- SlicedDimension.cpp - One dimension of tiles through a kernel ------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/SlicedDimension.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/IR/Dot.h"
#include "tileiras/Dialect/TileAA/IR/Extents.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace mlir::nv_tileas;
namespace aa = mlir::nv_tileaa;

static bool isAccess(Operation *op) { return isa<aa::MemoryAccessOpInterface>(op); }
bool nv_tileas::isLoad(Operation *op) {
  auto access = dyn_cast<aa::MemoryAccessOpInterface>(op);
  return access && !access.writesMemory();
}

/// The tiles that an operation takes and makes.
static SmallVector<Value> tensorsOf(Operation *op) {
  SmallVector<Value> tensors;
  for (ValueRange list : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value v : list)
      if (tensorOf(v))
        tensors.push_back(v);
  return tensors;
}

/// The tile an access moves.
static Value tileOf(Operation *op) { return cast<aa::MemoryAccessOpInterface>(op).getTile(); }

bool SlicedDimension::link(Value v, int d) {
  RankedTensorType type = tensorOf(v);
  if (!type)
    return false;
  auto [it, fresh] = dims.try_emplace(v, d);
  if (!fresh)
    return it->second == d;
  if (type.getDimSize(d) % slices != 0)
    return false;
  work.push_back(v);
  return true;
}
int64_t SlicedDimension::loadedAgain() {
  int64_t sum = 0;
  func.walk([&](Operation *op) {
    if (!isLoad(op) || dims.contains(tileOf(op)))
      return;
    // Wherever they go: factors of products need no registers.
    if (auto type = dyn_cast<RankedTensorType>(tileOf(op).getType()))
      sum += llvm::divideCeil(type.getNumElements() * getStorageBytes(type.getElementType()), 4);
  });
  return sum * (slices - 1);
}

bool SlicedDimension::follow(Value seed, int d, bool inCluster) {
  sideBySide = inCluster;
  if (!link(seed, d))
    return false;
  while (!work.empty()) {
    Value v = work.pop_back_val();
    Operation *definition = v.getDefiningOp();
    if (!relate(definition ? definition : v.getParentBlock()->getParentOp()))
      return false;
    for (Operation *user : v.getUsers())
      if (!relate(user))
        return false;
  }
  return mayReorder();
}

bool SlicedDimension::relate(Operation *op) {
  if (isa<RegionBranchOpInterface>(op))
    return relateRegions(op);
  if (isa<RegionBranchTerminatorOpInterface>(op) && isa<RegionBranchOpInterface>(op->getParentOp()))
    return relateRegions(op->getParentOp());
  if (auto access = dyn_cast<aa::MemoryAccessOpInterface>(op))
    return relateAccess(access);
  if (isa<aa::SplatOp, aa::MakeRangeOp>(op))
    return true;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (auto constant = dyn_cast<aa::ConstantTensorOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (isElementwise(op)) {
    return together(tensorsOf(op));
  }
  if (auto broadcast = dyn_cast<aa::BroadcastOp>(op)) {
    Value source = broadcast.getSource(), result = broadcast.getResult();
    if (std::optional<int> d = dimOf(source))
      return link(result, *d);
    std::optional<int> d = dimOf(result);
    return !d || tensorOf(source).getDimSize(*d) == 1 || link(source, *d);
  }
  if (isa<aa::ViewOp, aa::ExpandDimsOp>(op))
    return relateView(op->getOperand(0), op->getResult(0));
  // Bytes in a row as elements of another size: so many parts of the ones are as many parts of the others. Asked of
  // clusters, for which LegalizeFmaDot.cpp wants to know it before it packs factors.
  if (isa<aa::ReinterpretOp>(op) && sideBySide) {
    Value from = op->getOperand(0), to = op->getResult(0);
    if (!dimOf(from) && !dimOf(to))
      return true;
    return tensorOf(from) && tensorOf(to) && tensorOf(from).getRank() == 1 && tensorOf(to).getRank() == 1 &&
           tensorOf(from).getDimSize(0) % slices == 0 && tensorOf(to).getDimSize(0) % slices == 0 && link(from, 0) &&
           link(to, 0);
  }
  if (auto permute = dyn_cast<aa::PermuteOp>(op)) {
    ArrayRef<int32_t> from = permute.getPermutation(); // result dimension i is source dimension from[i]
    if (std::optional<int> d = dimOf(permute.getSource()))
      return link(permute.getResult(), llvm::find(from, *d) - from.begin());
    if (std::optional<int> d = dimOf(permute.getResult()))
      return link(permute.getSource(), from[*d]);
    return true;
  }
  if (auto reduce = dyn_cast<aa::ReduceOp>(op)) {
    int axis = reduce.getAxis();
    if (!together(reduce.getSources()))
      return false;
    std::optional<int> d = dimOf(reduce.getSources().front());
    for (Value v : reduce.getResults())
      if (std::optional<int> r = dimOf(v)) {
        d = *r < axis ? *r : *r + 1;
        break;
      }
    if (!d)
      return true;
    return *d != axis && llvm::all_of(reduce.getSources(), [&](Value v) { return link(v, *d); }) &&
           llvm::all_of(reduce.getResults(), [&](Value v) { return link(v, *d < axis ? *d : *d - 1); });
  }
  if (auto scan = dyn_cast<aa::ScanOp>(op)) {
    SmallVector<Value> all(scan.getSources());
    llvm::append_range(all, scan.getResults());
    return together(all) && dimOf(all.front()) != int(scan.getAxis());
  }
  if (isa<aa::DotOp, aa::MmaBlockScaleOp>(op))
    return relateDot(op);
  if (auto cat = dyn_cast<aa::CatOp>(op)) {
    SmallVector<Value> all = tensorsOf(op);
    return together(all) && dimOf(all.front()) != int(cat.getAxis());
  }
  if (auto part = dyn_cast<aa::ExtractSliceOp>(op)) {
    // Only along dimensions that are taken whole.
    std::optional<int> d = dimOf(part.getSource()) ? dimOf(part.getSource()) : dimOf(part.getResult());
    return !d || (tensorOf(part.getSource()).getDimSize(*d) == tensorOf(part.getResult()).getDimSize(*d) &&
                  together(tensorsOf(op)));
  }
  return false; // extract, print, ...
}

/// Whether a tile of a partition is inside of the array along a dimension, as far as it is inside of the index space.
static bool hangsOverNoEdge(aa::MemoryAccessOpInterface op, int d) {
  if (std::optional<ArrayRef<bool>> given = op.getPromisedInBounds(); given && (*given)[d])
    return true;
  auto view = cast<aa::TiledViewType>(op.getAddress().getType());
  int64_t step = view.getTraversalStrides()[d];
  return !op.isAtomic() && step == view.getTileShape()[d] && aa::getExtentDivisor(op.getAddress(), d) % step == 0;
}

bool SlicedDimension::relateAccess(aa::MemoryAccessOpInterface op) {
  if (!op.isThroughView())
    return together(tensorsOf(op));
  Value tile = op.getTile(), coordinates = op.getCoordinates();
  // The coordinates of a gather are a dimension of the tile.
  if (coordinates && dimOf(coordinates) && !link(tile, *op.getCoordinateAxis()))
    return false;
  std::optional<int> d = dimOf(tile);
  if (!d)
    return true;
  if (!op.getAddress().getDefiningOp<aa::BlockTileOp>())
    return false;
  if (coordinates && unsigned(*d) == *op.getCoordinateAxis())
    return link(coordinates, 0);
  // Loops over single elements would gain nothing.
  return tensorOf(tile).getDimSize(*d) >= 2 * slices || (sideBySide && hangsOverNoEdge(op, *d));
}

/// The leading bits of a dimension are the leading bits of a dimension of the other shape, or this is not a slice
/// there.
bool SlicedDimension::relateView(Value from, Value to) {
  auto counterpart = [&](Value a, int d, Value b) -> int {
    auto above = [](RankedTensorType type, int dim) {
      int64_t product = 1;
      for (int64_t extent : type.getShape().take_front(dim))
        product *= extent;
      return product;
    };
    for (int i = 0, rank = tensorOf(b).getRank(); i < rank; ++i)
      if (above(tensorOf(b), i) == above(tensorOf(a), d) && tensorOf(b).getDimSize(i) >= slices)
        return i;
    return -1;
  };
  for (auto [a, b] : {std::pair(from, to), std::pair(to, from)})
    if (std::optional<int> d = dimOf(a)) {
      int other = counterpart(a, *d, b);
      return other >= 0 && link(b, other);
    }
  return true;
}

bool SlicedDimension::relateDot(Operation *op) {
  Value a = op->getOperand(0), b = op->getOperand(1), c = op->getOperand(2), result = op->getResult(0);
  int rank = tensorOf(c).getRank(), m = rank - 2, n = rank - 1;
  std::optional<int> d = dimOf(c) ? dimOf(c) : dimOf(result);
  if (!d && dimOf(a))
    d = dimOf(a);
  else if (!d && dimOf(b))
    d = *dimOf(b) == m ? -1 : *dimOf(b);
  if (!d)
    return true;
  // Along k there is only one sum.
  if (*d < 0 || (!dimOf(c) && !dimOf(result) && dimOf(a) == n))
    return false;
  // Instructions have 16 rows and 8 columns.
  if (*d >= m && tensorOf(c).getDimSize(*d) / slices < 16)
    return false;
  // Nothing but tcgen05.mma multiplies pairs of 4-bit elements, 128 rows at a time.
  if (*d == m && isa<aa::MmaBlockScaleOp>(op) && aa::isPairOfF4(tensorOf(a).getElementType()) &&
      tensorOf(c).getDimSize(*d) / slices < 128)
    return false;
  if (!link(c, *d) || !link(result, *d))
    return false;
  SmallVector<Value> left = {a}, right = {b};
  if (auto scaled = dyn_cast<aa::MmaBlockScaleOp>(op)) {
    left.push_back(scaled.getSfa());
    right.push_back(scaled.getSfb());
  }
  auto linkAll = [&](ArrayRef<Value> values) { return llvm::all_of(values, [&](Value v) { return link(v, *d); }); };
  auto none = [&](ArrayRef<Value> values) {
    return llvm::none_of(values, [&](Value v) { return dimOf(v).has_value(); });
  };
  if (*d == m)
    return linkAll(left) && none(right);
  if (*d == n)
    return linkAll(right) && none(left);
  return linkAll(left) && linkAll(right);
}

bool SlicedDimension::relateRegions(Operation *op) {
  return llvm::all_of(aa::getPassedTogether(op), [&](ArrayRef<Value> group) {
    return !tensorOf(group.front()) || together(SmallVector<Value>(group));
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {

/// All accesses that a token comes after, through other accesses and loops.
class TokenHistory {
public:
  void visit(Value token) {
    if (!isa<aa::MemTokenType>(token.getType()) || !seen.insert(token).second)
      return;
    if (Operation *op = token.getDefiningOp()) {
      if (isAccess(op))
        accesses.insert(op);
      for (Value v : op->getOperands())
        visit(v);
      if (op->getNumRegions() != 0)
        for (Region &region : op->getRegions())
          for (Block &block : region)
            for (Value v : block.getTerminator()->getOperands())
              visit(v);
      return;
    }
    Operation *loop = token.getParentBlock()->getParentOp();
    for (Value v : loop->getOperands())
      visit(v);
    for (Region &region : loop->getRegions())
      for (Block &block : region)
        for (Value v : block.getTerminator()->getOperands())
          visit(v);
  }
  llvm::SmallSetVector<Operation *, 8> accesses;

private:
  DenseSet<Value> seen;
};

/// All loads that what an operation does depends on, through data and control flow.
class DataHistory {
public:
  void visit(Value v) {
    if (isa<aa::MemTokenType>(v.getType()) || !seen.insert(v).second)
      return;
    Operation *op = v.getDefiningOp();
    if (op && isAccess(op))
      loads.insert(op);
    if (!op)
      op = v.getParentBlock()->getParentOp();
    if (isa<aa::FuncOp>(op))
      return;
    for (Value operand : op->getOperands())
      visit(operand);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value yielded : block.getTerminator()->getOperands())
          visit(yielded);
  }
  llvm::SmallSetVector<Operation *, 8> loads;

private:
  DenseSet<Value> seen;
};

} // namespace

/// The pointers that an access may start from: one argument of the kernel, as a rule; several where a loop or a branch
/// chooses between them.
static DenseSet<Value> rootsOf(Value address) {
  DenseSet<Value> roots, seen;
  SmallVector<Value> work = {address};
  while (!work.empty()) {
    Value v = work.pop_back_val();
    if (!seen.insert(v).second)
      continue;
    if (SmallVector<OpOperand *, 2> sources = aa::getSources(v); !sources.empty()) {
      for (OpOperand *source : sources)
        work.push_back(source->get());
      continue;
    }
    Operation *op = v.getDefiningOp();
    if (isa_and_nonnull<aa::BlockTileOp, aa::MakeMemRefOp, aa::AddPtrOp, aa::SplatOp, aa::BroadcastOp, aa::ViewOp,
                        aa::ExpandDimsOp, aa::PermuteOp, aa::AssumeOp, aa::BitcastOp>(op))
      work.push_back(op->getOperand(0));
    else
      roots.insert(v);
  }
  return roots;
}

bool nv_tileas::mayShareArray(Value a, Value b) {
  DenseSet<Value> roots = rootsOf(a);
  return llvm::any_of(rootsOf(b), [&](Value root) { return roots.contains(root); });
}

bool nv_tileas::meetInOneSlice(aa::MemoryAccessOpInterface a, int ofA, aa::MemoryAccessOpInterface b, int ofB) {
  struct Place {
    Value memref;
    int64_t dim, extent;
    bool operator==(const Place &) const = default;
  };
  auto placeOf = [](aa::MemoryAccessOpInterface access, int d) -> std::optional<Place> {
    if (!access.isThroughView() || access.getCoordinateAxis())
      return std::nullopt;
    auto block = access.getAddress().getDefiningOp<aa::BlockTileOp>();
    auto view = cast<aa::TiledViewType>(access.getAddress().getType());
    if (!block || view.getTileShape()[d] != view.getTraversalStrides()[d])
      return std::nullopt;
    return Place{block.getSource(), view.getDimMap()[d], view.getTileShape()[d]};
  };
  std::optional<Place> place = placeOf(a, ofA);
  return place && place == placeOf(b, ofB);
}

/// Numbers that differ from element to element: a range, moved.
static bool allDiffer(Value v) {
  Operation *op = v.getDefiningOp();
  if (!op || isa<aa::MakeRangeOp>(op))
    return op;
  auto isSplat = [](Value v) { return v.getDefiningOp<aa::SplatOp>() || matchPattern(v, m_Constant()); };
  if (isa<arith::AddIOp, aa::AddPtrOp>(op))
    return (isSplat(op->getOperand(0)) && allDiffer(op->getOperand(1))) ||
           (isa<arith::AddIOp>(op) && isSplat(op->getOperand(1)) && allDiffer(op->getOperand(0)));
  return isa<arith::ExtSIOp, arith::ExtUIOp, aa::AssumeOp>(op) && allDiffer(op->getOperand(0));
}

bool SlicedDimension::neverMeet(Operation *a, Operation *b) {
  // The same pointers, all different.
  auto first = cast<aa::MemoryAccessOpInterface>(a), second = cast<aa::MemoryAccessOpInterface>(b);
  if (!first.isThroughView() && !second.isThroughView() && !first.isAtomic() && !second.isAtomic())
    return a->getOperand(0) == b->getOperand(0) && dimOf(a->getOperand(0)) && allDiffer(a->getOperand(0));
  std::optional<int> ofA = dimOf(tileOf(a)), ofB = dimOf(tileOf(b));
  return ofA && ofB && meetInOneSlice(first, *ofA, second, *ofB);
}

/// Whether `op` still comes after all of `before`; in a cluster it will if it waits.
bool SlicedDimension::isOrdered(Operation *op, Operation *before) {
  if ((isLoad(op) && isLoad(before)) || neverMeet(op, before))
    return true;
  if (sideBySide)
    waits.try_emplace(op, true).first->second &= isLoad(before);
  return sideBySide;
}

bool SlicedDimension::mayReorder() {
  WalkResult result = func.walk([&](Operation *op) -> WalkResult {
    if (isa<aa::FuncOp, aa::ReturnOp>(op) || aa::passesThroughRegions(op))
      return WalkResult::advance();
    if (isa<aa::ReduceOp, aa::ScanOp>(op))
      return WalkResult::skip();
    // Twice as many products as there were would be no gain.
    if (isa<aa::DotOp, aa::MmaBlockScaleOp>(op) && !dims.contains(op->getResult(0)))
      return WalkResult::interrupt();
    if (!isAccess(op))
      return isMemoryEffectFree(op) ? WalkResult::advance() : WalkResult::interrupt();
    aa::MemSemantic semantic = cast<aa::MemoryAccessOpInterface>(op).getMemSemantic();
    if (semantic != aa::MemSemantic::Weak && semantic != aa::MemSemantic::Relaxed)
      return WalkResult::interrupt();
    if (!isLoad(op) && !dims.contains(tileOf(op)))
      return WalkResult::interrupt();
    TokenHistory history;
    for (Value v : op->getOperands())
      history.visit(v);
    for (Operation *before : history.accesses)
      if (!isOrdered(op, before))
        return WalkResult::interrupt();
    if (isLoad(op))
      return WalkResult::advance();
    DataHistory data;
    for (Value v : op->getOperands())
      data.visit(v);
    for (Operation *load : data.loads)
      if (load != op && (sideBySide || mayShareArray(load->getOperand(0), op->getOperand(0))) && !isOrdered(op, load))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static RankedTensorType sliceOf(RankedTensorType type, int d, int64_t slices) {
  SmallVector<int64_t> shape(type.getShape());
  shape[d] /= slices;
  return RankedTensorType::get(shape, type.getElementType());
}

/// start + s * extent, ... as a range and an addition.
Value SlicedDimension::sliceOfRange(OpBuilder &b, aa::MakeRangeOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  int64_t extent = type.getNumElements();
  op.setEnd(op.getStart() + extent);
  Type element = type.getElementType();
  b.setInsertionPointAfter(op);
  Value number = slice;
  unsigned width = element.getIntOrFloatBitWidth();
  if (width > 32)
    number = arith::ExtUIOp::create(b, op.getLoc(), element, number);
  else if (width < 32)
    number = arith::TruncIOp::create(b, op.getLoc(), element, number);
  Value step =
      arith::ConstantOp::create(b, op.getLoc(), b.getIntegerAttr(element, APInt(64, extent).zextOrTrunc(width)));
  Value first = aa::SplatOp::create(b, op.getLoc(), type, arith::MulIOp::create(b, op.getLoc(), number, step));
  return arith::AddIOp::create(b, op.getLoc(), op.getResult(), first);
}

/// Tile i of a view, slice s: tile i * (step / g) + s * (extent / g) of the view whose tiles are slices and lie g
/// apart.
///
/// A tile may hang over the edge; a slice of it then lies outside altogether, which no tile of a partition does, and
/// the lowering counts on that where extents divide (TileAccess). So g is less than a slice, which makes it a view with
/// overlaps, unless the tile does not hang over.
void nv_tileas::cutAccess(OpBuilder &b, aa::MemoryAccessOpInterface op, int d, int64_t slices, Value slice) {
  b.setInsertionPoint(op);
  Location loc = op->getLoc();
  auto view = cast<aa::TiledViewType>(op->getOperand(0).getType());
  SmallVector<int64_t> shape(view.getTileShape()), steps(view.getTraversalStrides());
  shape[d] /= slices;
  // Indices are unsigned; 64 bits are enough for any place in memory.
  auto wide = [&](Value v) {
    return v.getType().isInteger(64) ? v : arith::ExtUIOp::create(b, loc, b.getI64Type(), v).getResult();
  };
  for (int i = 0, rank = view.getRank(); i < rank; ++i)
    if (OpOperand &operand = op.getCoordinateMutable(i); !tensorOf(operand.get()))
      operand.set(wide(operand.get())); // of one type
  OpOperand *index = &op.getCoordinateMutable(d);
  if (!tensorOf(index->get())) { // coordinates of gathers are sliced themselves
    int64_t apart = std::gcd(steps[d], shape[d]);
    bool inside = hangsOverNoEdge(op, d);
    if (inside) {
      std::optional<ArrayRef<bool>> given = op.getPromisedInBounds();
      SmallVector<bool> all(shape.size(), false);
      if (given)
        all.assign(given->begin(), given->end());
      all[d] = true;
      op.setPromisedInBounds(all);
    }
    if (!inside && apart == shape[d])
      apart /= 2;
    int64_t step = steps[d] / apart, offset = shape[d] / apart;
    steps[d] = apart;
    auto times = [&](Value v, int64_t factor) {
      return factor == 1
                 ? v
                 : arith::MulIOp::create(b, loc, v, arith::ConstantIntOp::create(b, loc, factor, 64)).getResult();
    };
    index->set(arith::AddIOp::create(b, loc, times(index->get(), step), times(wide(slice), offset)));
  }
  aa::TiledViewType type = view.withTiles(shape, steps);
  // Beside the view that it replaces: outside of loops, as tensor maps are made where views are.
  auto block = op->getOperand(0).getDefiningOp<aa::BlockTileOp>();
  b.setInsertionPoint(block);
  op->setOperand(0, aa::BlockTileOp::create(b, loc, type, block.getSource()));
}

void SlicedDimension::apply() {
  Block &body = func.getBody().front();
  OpBuilder b(func.getContext());
  b.setInsertionPointToStart(&body);
  Location loc = func.getLoc();
  auto number = [&](int64_t v) { return arith::ConstantIntOp::create(b, loc, v, 32); };
  Value zero = number(0), end = number(slices), one = number(1);
  auto loop = scf::ForOp::create(b, loc, zero, end, one);
  slice = loop.getInductionVar();
  loop.getBody()->getOperations().splice(std::prev(loop.getBody()->end()), body.getOperations(),
                                         std::next(Block::iterator(loop)), std::prev(body.end()));
  sliceAll(b);
}

ArrayRef<SlicedDimension::Wait> SlicedDimension::applyToCluster() {
  OpBuilder b(func.getContext());
  b.setInsertionPointToStart(&func.getBody().front());
  slice = NVVM::ClusterId::create(b, func.getLoc(), b.getI32Type());
  sliceAll(b);
  func->setAttr(kDividedClusterAttr, b.getUnitAttr());
  return waits.getArrayRef();
}

void SlicedDimension::sliceAll(OpBuilder &b) {
  for (auto [v, d] : dims)
    v.setType(sliceOf(tensorOf(v), d, slices));
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (auto access = dyn_cast<aa::MemoryAccessOpInterface>(op); access && access.isThroughView()) {
      if (std::optional<int> d = dimOf(access.getTile()))
        cutAccess(b, access, *d, slices, slice);
      continue;
    }
    if (op->getNumResults() != 1 || !dims.contains(op->getResult(0)))
      continue;
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).resizeSplat(type));
    } else if (auto constant = dyn_cast<aa::ConstantTensorOp>(op)) {
      constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).resizeSplat(type));
    } else if (auto range = dyn_cast<aa::MakeRangeOp>(op)) {
      Value all = sliceOfRange(b, range);
      range.getResult().replaceAllUsesExcept(all, all.getDefiningOp());
    }
  }
}

//===----------------------------------------------------------------------===//
// Which dimension
//===----------------------------------------------------------------------===//

void nv_tileas::separateConstants(aa::FuncOp func) {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa<aa::SplatOp, aa::ConstantTensorOp, aa::MakeRangeOp, arith::ConstantOp>(op) && tensorOf(op->getResult(0)))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getUses())
      uses.push_back(&use);
    OpBuilder b(op);
    for (OpOperand *use : ArrayRef(uses).drop_front(uses.empty() ? 0 : 1))
      use->set(b.clone(*op)->getResult(0));
  }
}

SmallVector<std::pair<Value, int>> nv_tileas::findSeeds(aa::FuncOp func, const ResourceModel &resources) {
  SmallVector<std::pair<int64_t, Value>> tiles;
  func.walk([&](Operation *op) {
    if (isa<aa::ReduceOp, aa::ScanOp>(op->getParentOp()))
      return;
    for (Value v : op->getResults())
      if (int64_t words = resources.words(v))
        tiles.push_back({isa<aa::DotOp, aa::MmaBlockScaleOp>(op) ? 2 * words : words, v});
  });
  llvm::stable_sort(tiles, [](auto &a, auto &b) { return a.first > b.first; });
  SmallVector<std::pair<Value, int>> seeds;
  for (auto [words, v] : ArrayRef(tiles).take_front(8))
    for (int d = 0, rank = tensorOf(v).getRank(); d < rank; ++d)
      if (tensorOf(v).getDimSize(d) > 1)
        seeds.push_back({v, d});
  return seeds;
}

ClusterDimension nv_tileas::findClusterDimension(aa::FuncOp func, const tileiras::TargetInfo *target, int64_t blocks) {
  ClusterDimension best;
  // Loads that are not ordered weakly may give every block another value.
  bool strong = func.walk([](Operation *op) {
                      return isLoad(op) && !cast<aa::MemoryAccessOpInterface>(op).isWeak() ? WalkResult::interrupt()
                                                                                           : WalkResult::advance();
                    })
                    .wasInterrupted();
  if (strong) {
    best.whyNot = "ordered loads may give every block another value";
    return best;
  }
  separateConstants(func);
  best.resources = std::make_unique<ResourceModel>(func, target);
  int64_t bestLoads = 0;
  for (auto [seed, d] : findSeeds(func, *best.resources)) {
    if (tensorOf(seed).getDimSize(d) % blocks != 0)
      continue;
    auto dimension = std::make_unique<SlicedDimension>(func, *best.resources, blocks);
    if (!dimension->follow(seed, d, /*inCluster=*/true))
      continue;
    int64_t loads = dimension->loadedAgain();
    if (!best.dimension || loads < bestLoads) {
      best.dimension = std::move(dimension);
      bestLoads = loads;
    }
  }
  if (!best.dimension)
    best.whyNot = "no dimension of the tiles can be divided";
  return best;
}
