//===- Aggregates.cpp - Reductions and scans ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Both walk one dimension and combine an accumulator, which starts as the identity, with one
// element after the other by running the body. A body whose operations all work element by
// element is run once per step for all positions of the other dimensions together: its rank-0
// arguments are bound to tiles of lanes. Any other body is run once per position.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Reference/Evaluator.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace tileiras;
using namespace tileiras::reference;

namespace {

/// A tile cut along one dimension: position = (outer * length + k) * inner + i.
struct Cut {
  int64_t outer = 1, length = 1, inner = 1;
  SmallVector<int64_t, 4> lanesShape;

  Cut(ArrayRef<int64_t> shape, int64_t dim) : length(shape[size_t(dim)]) {
    for (auto [d, extent] : llvm::enumerate(shape)) {
      if (int64_t(d) == dim)
        continue;
      lanesShape.push_back(extent);
      (int64_t(d) < dim ? outer : inner) *= extent;
    }
  }
  int64_t lanes() const { return outer * inner; }
  size_t position(int64_t lane, int64_t k) const { return size_t((lane / inner * length + k) * inner + lane % inner); }
};

uint64_t identityBits(Attribute identity, DType type) {
  if (auto number = dyn_cast<FloatAttr>(identity)) {
    bool lossless = false;
    APFloat value = number.getValue();
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossless);
    return encodeFloat(type, value.convertToDouble());
  }
  return maskBits(cast<IntegerAttr>(identity).getValue().getZExtValue(), bitWidth(type));
}

class Aggregate {
public:
  Aggregate(Evaluator &e, Operation *op, Block &body, ValueRange operands, int64_t dim, ArrayAttr identities,
            bool elementFirst)
      : e(e), op(op), body(body), cut(e.tile(operands[0]).shape, dim), elementFirst(elementFirst) {
    for (auto [operand, identity] : llvm::zip(operands, identities)) {
      sources.push_back(std::get<TileRef>(e.lookup(operand)));
      DType type = sources.back()->type;
      accumulators.push_back(Tile(type, cut.lanesShape, identityBits(identity, type)));
    }
  }

  /// accumulators = body(element k, accumulators), for every lane.
  LogicalResult step(int64_t k) { return e.isLanewise(body) ? stepAllLanes(k) : stepEachLane(k); }

  Evaluator &e;
  Operation *op;
  Block &body;
  Cut cut;
  bool elementFirst; ///< order of each pair of block arguments
  SmallVector<TileRef> sources;
  SmallVector<Tile> accumulators;

private:
  void bind(size_t operand, Tile element, Tile accumulator) {
    e.set(body.getArgument(unsigned(2 * operand + !elementFirst)), std::move(element));
    e.set(body.getArgument(unsigned(2 * operand + elementFirst)), std::move(accumulator));
  }
  LogicalResult runBody() {
    FailureOr<Flow> flow = e.runBlock(body);
    if (failed(flow))
      return failure();
    if (*flow != Flow::Yield)
      return op->emitError("the body must end in yield");
    return success();
  }

  LogicalResult stepAllLanes(int64_t k) {
    for (size_t n = 0; n < sources.size(); ++n) {
      Tile element(sources[n]->type, cut.lanesShape);
      for (int64_t lane = 0; lane < cut.lanes(); ++lane)
        element.data[size_t(lane)] = sources[n]->data[cut.position(lane, k)];
      bind(n, std::move(element), accumulators[n]);
    }
    if (failed(runBody()))
      return failure();
    for (size_t n = 0; n < sources.size(); ++n) {
      const Tile &result = *std::get<TileRef>(e.carried[n]);
      for (int64_t lane = 0; lane < cut.lanes(); ++lane) // one element: the same for all lanes
        accumulators[n].data[size_t(lane)] = result.data[result.size() == 1 ? 0 : size_t(lane)];
    }
    return success();
  }

  LogicalResult stepEachLane(int64_t k) {
    for (int64_t lane = 0; lane < cut.lanes(); ++lane) {
      for (size_t n = 0; n < sources.size(); ++n)
        bind(n, Tile(sources[n]->type, {}, sources[n]->data[cut.position(lane, k)]),
             Tile(sources[n]->type, {}, accumulators[n].data[size_t(lane)]));
      if (failed(runBody()))
        return failure();
      for (size_t n = 0; n < sources.size(); ++n)
        accumulators[n].data[size_t(lane)] = std::get<TileRef>(e.carried[n])->data[0];
    }
    return success();
  }
};

LogicalResult runReduce(Evaluator &e, ReduceOp op) {
  Aggregate aggregate(e, op, op.getRegion().front(), op.getOperands(), op.getDim(), op.getIdentities(),
                      /*elementFirst=*/true);
  for (int64_t k = 0; k < aggregate.cut.length; ++k)
    if (failed(aggregate.step(k)))
      return failure();
  for (auto [result, value] : llvm::zip(op.getResults(), aggregate.accumulators))
    e.set(result, std::move(value));
  return success();
}

LogicalResult runScan(Evaluator &e, ScanOp op) {
  Aggregate aggregate(e, op, op.getRegion().front(), op.getOperands(), op.getDim(), op.getIdentities(),
                      /*elementFirst=*/false);
  const Cut &cut = aggregate.cut;
  SmallVector<Tile> results;
  for (const TileRef &source : aggregate.sources)
    results.push_back(Tile(source->type, source->shape));
  for (int64_t i = 0; i < cut.length; ++i) {
    int64_t k = op.getReverse() ? cut.length - 1 - i : i;
    if (failed(aggregate.step(k)))
      return failure();
    for (auto [result, accumulator] : llvm::zip(results, aggregate.accumulators))
      for (int64_t lane = 0; lane < cut.lanes(); ++lane)
        result.data[cut.position(lane, k)] = accumulator.data[size_t(lane)];
  }
  for (auto [result, value] : llvm::zip(op.getResults(), results))
    e.set(result, std::move(value));
  return success();
}

} // namespace

void reference::addAggregateHandlers(HandlerTable &table) {
  table.add<ReduceOp>([](Evaluator &e, ReduceOp op) { return runReduce(e, op); });
  table.add<ScanOp>([](Evaluator &e, ScanOp op) { return runScan(e, op); });
}
