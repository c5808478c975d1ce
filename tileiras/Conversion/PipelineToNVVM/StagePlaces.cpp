//===- StagePlaces.cpp - Which stage an iterator is at --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/PipelineToNVVM/StagePlaces.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using tileiras::StagePlace;

namespace {

/// What a loop carries from round to round in an iterator's place: a block argument or a result. Null if `iterator` is
/// neither.
BlockArgument carriedBy(Value iterator, CountedLoop &loop) {
  auto argument = dyn_cast<BlockArgument>(iterator);
  loop = argument ? dyn_cast<CountedLoop>(argument.getOwner()->getParentOp()) : iterator.getDefiningOp<CountedLoop>();
  if (!loop || argument == loop.getInductionVar())
    return {};
  return argument ? argument : loop.getTiedLoopRegionIterArg(cast<OpResult>(iterator));
}

/// The create_iterator that an iterator comes from.
CreateIteratorOp originOf(Value iterator) {
  while (true) {
    if (auto create = iterator.getDefiningOp<CreateIteratorOp>())
      return create;
    CountedLoop loop;
    if (auto next = iterator.getDefiningOp<IncIterOp>())
      iterator = next.getIterator();
    else if (BlockArgument argument = carriedBy(iterator, loop))
      iterator = loop.getTiedLoopInit(argument)->get();
    else
      return {};
  }
}

Value iteratorOf(Value token) {
  if (auto write = token.getDefiningOp<ProducerWriteOp>())
    return iteratorOf(write.getToken());
  if (auto read = token.getDefiningOp<ConsumerReadOp>())
    return iteratorOf(read.getToken());
  if (auto acquire = token.getDefiningOp<ProducerAcquireOp>())
    return acquire.getIterator();
  if (auto wait = token.getDefiningOp<ConsumerWaitOp>())
    return wait.getIterator();
  return {};
}

} // namespace

std::optional<StagePlace> tileiras::placeOfIterator(Value iterator) {
  if (iterator.getDefiningOp<CreateIteratorOp>())
    return StagePlace();
  if (auto next = iterator.getDefiningOp<IncIterOp>()) {
    std::optional<StagePlace> place = placeOfIterator(next.getIterator());
    if (next.getCount())
      return std::nullopt;
    if (place)
      ++place->offset;
    return place;
  }
  CountedLoop loop;
  BlockArgument argument = carriedBy(iterator, loop);
  if (!argument)
    return std::nullopt;
  auto next = loop.getTiedLoopYieldedValue(argument)->get().getDefiningOp<IncIterOp>();
  std::optional<StagePlace> first = placeOfIterator(loop.getTiedLoopInit(argument)->get());
  if (!next || next.getIterator() != argument || next.getCount() || !first || first->loop)
    return std::nullopt;
  return StagePlace{loop, iterator != argument, first->offset};
}

std::optional<StagePlace> tileiras::placeOfToken(Value token) {
  Value iterator = iteratorOf(token);
  return iterator ? placeOfIterator(iterator) : std::nullopt;
}

/// The iterator so many stages later.
static Value later(OpBuilder &builder, Value iterator, int64_t stages) {
  for (; stages; --stages)
    iterator = IncIterOp::create(builder, iterator.getLoc(), iterator.getType(), iterator);
  return iterator;
}

void tileiras::mergeIterators(Operation *func) {
  func->walk([](CountedLoop loop) {
    struct Carried {
      BlockArgument argument;
      Value pipeline;
      int64_t offset;
    };
    SmallVector<Carried> all;
    for (BlockArgument argument : loop.getRegionIterArgs()) {
      if (!isa<PipelineIteratorType>(argument.getType()))
        continue;
      std::optional<StagePlace> place = placeOfIterator(argument);
      if (place && place->loop == loop)
        all.push_back({argument, originOf(argument).getPipeline(), place->offset});
    }
    for (const Carried &ahead : all)
      for (const Carried &behind : all) {
        int64_t stages = cast<PipelineIteratorType>(ahead.argument.getType()).getStages();
        if (countsFillings(stages)) {
          int64_t distance = ahead.offset - behind.offset;
          if (ahead.pipeline != behind.pipeline || distance < 1 || distance > stages)
            continue;
          OpBuilder inside(loop.getBody(), loop.getBody()->begin()), after(loop->getBlock(), ++loop->getIterator());
          BlockArgument argument = ahead.argument;
          argument.replaceAllUsesWith(later(inside, behind.argument, distance));
          Value result = loop.getTiedLoopResult(argument);
          result.replaceAllUsesWith(later(after, loop.getTiedLoopResult(behind.argument), distance));
          break;
        }
        if (ahead.pipeline != behind.pipeline || stages == 1 || ahead.offset + 1 != behind.offset + stages)
          continue;
        auto next = loop.getTiedLoopYieldedValue(ahead.argument)->get().getDefiningOp<IncIterOp>();
        if (loop.getTiedLoopYieldedValue(behind.argument)->get().getDefiningOp()->hasAttr(kWholeRoundAttr))
          continue;
        next.getIteratorMutable().assign(behind.argument);
        next->setAttr(kWholeRoundAttr, UnitAttr::get(next.getContext()));
        break;
      }
  });
  func->walk([](CountedLoop loop) {
    for (OpOperand &init : loop.getInitsMutable()) {
      auto none = init.get().getDefiningOp<ub::PoisonOp>();
      if (!none || !isa<PipelineConsumerTokenType, PipelineProducerTokenType>(init.get().getType()))
        continue;
      Value iterator = iteratorOf(loop.getTiedLoopYieldedValue(loop.getTiedLoopRegionIterArg(&init))->get());
      std::optional<StagePlace> place = iterator ? placeOfIterator(iterator) : std::nullopt;
      if (place && place->loop == loop && !place->behind && place->offset == 0)
        none->setAttr(kBeforeFirstAttr, IntegerAttr::get(IntegerType::get(none.getContext(), 32),
                                                         cast<PipelineIteratorType>(iterator.getType()).getStages()));
    }
  });
}
