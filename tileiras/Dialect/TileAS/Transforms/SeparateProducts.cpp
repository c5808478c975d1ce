//===- SeparateProducts.cpp - An agent for products -----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/SeparateProducts.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/Transforms/AgentSlices.h"
#include "tileiras/Dialect/TileAS/Transforms/ProductRing.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/TileBlocks.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;

namespace {

constexpr int32_t kWarpgroup = 4;
/// What a thread needs that only starts copies or products; a multiple of 8 as setmaxnreg takes it.
constexpr int32_t kFewRegisters = 64;

bool isInTensorMemory(Operation *op) {
  auto dot = dyn_cast<DotOp>(op);
  return dot && dot.getAtom() && dot.getAtom()->getCompletion() == Completion::Mbarrier;
}

/// A loop that multiplies the stages of a ring and adds up in one tile.
struct Products {
  CountedLoop loop;
  ConsumerWaitOp wait;
  ConsumerReadOp read;
  ConsumerReleaseOp release;
  SmallVector<DotOp> dots;
  AllocTensorOp sums;
};

class Separation {
public:
  Separation(AgentSwitchOp &agents, unsigned number)
      : agents(agents), number(number), body(&agents.getAgents()[number].front()) {}

  StringRef run() {
    if (StringRef why = find(); !why.empty())
      return why;
    if (all.empty())
      return {};
    for (Products &products : all)
      if (StringRef why = check(products); !why.empty())
        return why;
    stages = haveRoomTwice() ? 2 : 1;
    for (Products &products : all)
      if (StringRef why = shakeHands(products); !why.empty())
        return why;
    return divide();
  }

private:
  //===--------------------------------------------------------------------===//
  // Finding
  //===--------------------------------------------------------------------===//

  StringRef find() {
    StringRef why;
    llvm::SetVector<Operation *> reads;
    body->walk([&](DotOp dot) {
      if (!isInTensorMemory(dot))
        return;
      if (auto read = dyn_cast<ConsumerReadOp>(dot->getParentOp()))
        reads.insert(read);
      else
        why = "products in tensor memory that read no stage of a ring have no agent";
    });
    for (Operation *op : reads) {
      Products products;
      products.read = cast<ConsumerReadOp>(op);
      products.loop = dyn_cast<CountedLoop>(op->getParentOp());
      products.wait = products.read.getToken().getDefiningOp<ConsumerWaitOp>();
      for (Operation *user : products.read.getConsumed().getUsers())
        products.release = dyn_cast<ConsumerReleaseOp>(user);
      if (!products.loop || !products.wait || !products.release || products.wait->getParentOp() != products.loop ||
          products.release->getParentOp() != products.loop)
        return "the stages that products read are not waited for in their loop";
      all.push_back(products);
    }
    return why;
  }

  StringRef check(Products &products) {
    Block *region = &products.read.getBody().front();
    if (region->getTerminator()->getNumOperands())
      return "threads use what they compute of a stage";
    for (Operation &op : region->without_terminator()) {
      if (!isInTensorMemory(&op)) {
        if (!isMemoryEffectFree(&op))
          return "threads read the stages of products, too";
        continue;
      }
      auto dot = cast<DotOp>(op);
      if (dot.getSfa() &&
          (!hasColumnsOfStage(dot, region) || !isOfStage(dot.getSfa(), region) || !isOfStage(dot.getSfb(), region)))
        return "scales are written for each product by threads";
      auto sums = dot.getC().getDefiningOp<AllocTensorOp>();
      if (!sums || (products.sums && products.sums != sums) || products.loop->isAncestor(sums))
        return "sums of products do not stay in one tile of tensor memory";
      if (!isOfStage(dot.getA(), region) || !isOfStage(dot.getB(), region))
        return "a factor of a product is not of the stage";
      products.sums = sums;
      products.dots.push_back(dot);
    }
    for (Operation *user : products.sums->getUsers()) {
      if (llvm::is_contained(products.dots, user))
        continue;
      Operation *here = products.loop->getBlock()->findAncestorOpInBlock(*user);
      if (!isa<ConvertLayoutOp>(user) || !here || here == products.loop || here->isBeforeInBlock(products.loop))
        return "sums of products begin with something, or are read elsewhere than behind the loop";
    }
    for (Operation *op = products.loop->getParentOp(); op != agents; op = op->getParentOp())
      if (!isa<CountedLoop>(op))
        return "products stand in a branch";
    return {};
  }

  //===--------------------------------------------------------------------===//
  // The ring of the sums
  //===--------------------------------------------------------------------===//

  /// Whether the sums of all products may be in tensor memory twice.
  bool haveRoomTwice() {
    auto func = agents->getParentOfType<nv_tileaa::FuncOp>();
    int64_t columns = 0;
    func.walk([&](AllocTensorOp tile) {
      if (!isIn(tile.getType(), MemoryKind::Tensor))
        return;
      bool twice = llvm::any_of(all, [&](Products &products) { return isRepeated(products) && products.sums == tile; });
      int64_t words = llvm::divideCeil(
          getLinearLayout(tile.getType()).inSize(kColumn) * getStorageBytes(tile.getType().getElementType()), 4);
      columns += twice ? 2 * words : words;
    });
    return columns <= getTensorRoom(func);
  }

  /// Whether a loop around the products comes back to their sums.
  bool isRepeated(Products &products) { return products.loop->getBlock() != body; }

  StringRef shakeHands(Products &products) {
    MLIRContext *context = agents.getContext();
    int32_t stages = isRepeated(products) ? this->stages : 1;
    Location loc = products.sums.getLoc();
    auto unit = UnitAttr::get(context);
    for (DotOp dot : products.dots)
      dot->setAttr(kUnderWayAttr, unit);
    products.release->setAttr(kByProductsAttr, unit);

    OpBuilder builder(agents);
    products.sums->moveBefore(agents);
    Type tile = products.sums.getType();
    SmallVector<Value> tiles = {products.sums};
    while (int32_t(tiles.size()) < stages)
      tiles.push_back(builder.clone(*products.sums)->getResult(0));
    auto ring = CreatePipelineOp::create(builder, loc, PipelineType::get(context, stages, tile), tiles,
                                         /*barriers=*/Value(), /*tma=*/Value(), stages,
                                         /*producerGroupId=*/IntegerAttr(), /*consumerGroupId=*/IntegerAttr());
    ring.setSharedMem(false);
    auto place = PipelineIteratorType::get(context, stages, tile);
    builder.setInsertionPointToStart(body);
    Value first = CreateIteratorOp::create(builder, loc, place, ring);
    // Both sides have the same place, but each agent its own.
    Value filled = first, read = first;
    if (products.loop->getBlock() != body) {
      FailureOr<std::pair<Value, Value>> carried = carry(products, first);
      if (failed(carried))
        return "an outer loop cannot carry the place of the sums";
      std::tie(filled, read) = *carried;
    }

    builder.setInsertionPoint(products.loop);
    Value acquired =
        ProducerAcquireOp::create(builder, loc, PipelineProducerTokenType::get(context), ring, filled, Value());
    builder.setInsertionPointAfter(products.loop);
    auto commit = ProducerCommitOp::create(builder, loc, ring, acquired, Value());
    commit->setAttr(kByProductsAttr, unit);
    Value full = ConsumerWaitOp::create(builder, loc, PipelineConsumerTokenType::get(context), ring, read);
    Operation *last = full.getDefiningOp();
    SmallVector<ConvertLayoutOp> reads;
    for (Operation *user : products.sums->getUsers())
      if (auto read = dyn_cast<ConvertLayoutOp>(user)) {
        reads.push_back(read);
        if (Operation *here = last->getBlock()->findAncestorOpInBlock(*user); last->isBeforeInBlock(here))
          last = here;
      }
    builder.setInsertionPointAfter(last);
    ConsumerReleaseOp::create(builder, loc, ring, full);
    if (stages > 1) {
      for (DotOp dot : products.dots)
        addToStage(dot, ring, acquired);
      for (ConvertLayoutOp read : reads)
        readStage(read, ring, full);
    }
    mine.insert({products.wait, products.read, products.release, acquired.getDefiningOp(), commit});
    return {};
  }

  /// Has a product add to the tile of a stage.
  static void addToStage(DotOp dot, CreatePipelineOp ring, Value acquired) {
    OpBuilder builder(dot);
    auto write = ProducerWriteOp::create(builder, dot.getLoc(), acquired.getType(), ring, acquired, Value());
    Block *body = builder.createBlock(&write.getBody());
    Value tile = body->addArgument(dot.getC().getType(), dot.getLoc());
    auto yield = PipelineYieldOp::create(builder, dot.getLoc(), ValueRange());
    dot->moveBefore(yield);
    dot.getCMutable().assign(tile);
  }

  /// Has a copy to registers take the tile of a stage.
  static void readStage(ConvertLayoutOp copy, CreatePipelineOp ring, Value full) {
    OpBuilder builder(copy);
    SmallVector<Type> types = {full.getType(), copy.getType()};
    auto read = ConsumerReadOp::create(builder, copy.getLoc(), types, ring, full);
    copy.getResult().replaceAllUsesWith(read.getResult(1));
    Block *body = builder.createBlock(&read.getBody());
    Value tile = body->addArgument(copy.getSource().getType(), copy.getLoc());
    auto yield = PipelineYieldOp::create(builder, copy.getLoc(), copy.getResult());
    copy->moveBefore(yield);
    copy.getSourceMutable().assign(tile);
  }

  /// Has the loops around the products carry the places of both sides of their ring.
  FailureOr<std::pair<Value, Value>> carry(Products &products, Value first) {
    IRRewriter rewriter(agents.getContext());
    CountedLoop inner;
    std::pair<Value, Value> result;
    for (auto loop = cast<CountedLoop>(products.loop->getParentOp()); loop;
         loop = dyn_cast<CountedLoop>(loop->getParentOp())) {
      auto yields = [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) -> SmallVector<Value> {
        if (inner)
          return {inner->getResults().end()[-2], inner->getResults().end()[-1]};
        SmallVector<Value> next;
        for (BlockArgument argument : arguments.take_back(2))
          next.push_back(IncIterOp::create(b, loc, argument.getType(), argument));
        return next;
      };
      rewriter.setInsertionPoint(loop);
      FailureOr<CountedLoop> wider = loop.replaceWithAdditionalYields(rewriter, {first, first}, yields);
      if (failed(wider))
        return failure();
      loop = *wider;
      SmallVector<BlockArgument> arguments(loop.getRegionIterArgs().take_back(2));
      if (inner)
        for (auto [i, argument] : llvm::enumerate(arguments))
          inner.getInitsMutable()[inner.getInits().size() - 2 + i].assign(argument);
      else
        result = {arguments[0], arguments[1]};
      inner = loop;
    }
    return result;
  }

  //===--------------------------------------------------------------------===//
  // The agents
  //===--------------------------------------------------------------------===//

  StringRef divide() {
    AgentSlice products(body, outside, [](Operation *op) { return isMemoryEffectFree(op); });
    AgentSlice others(body, outside, [](Operation *) { return true; });
    bool blocked = false;
    std::function<void(Block *)> visit = [&](Block *block) {
      for (Operation &op : block->without_terminator()) {
        if (mine.contains(&op)) {
          blocked |= failed(products.addRoot(&op));
        } else if (isa<CountedLoop, Branch>(op)) {
          for (Region &region : op.getRegions())
            for (Block &inner : region)
              visit(&inner);
        } else if (!isMemoryEffectFree(&op) && !isa<AllocTensorOp>(op)) {
          blocked |= failed(others.addRoot(&op));
        }
      }
    };
    visit(body);
    if (blocked)
      return "how long products go on depends on what is computed";

    OpBuilder builder(agents);
    unsigned count = agents.getAgents().size();
    AgentSwitchOp more = createWithOneMore(builder, agents);
    for (unsigned i = 0; i < count; ++i)
      if (i != number)
        more->getRegion(i).takeBody(agents->getRegion(i));
    for (auto [region, slice] : {std::pair(number, &others), std::pair(count, &products)}) {
      Block *block = builder.createBlock(&more->getRegion(region));
      IRMapping map;
      for (BlockArgument argument : body->getArguments())
        map.map(argument, block->addArgument(argument.getType(), argument.getLoc()));
      slice->clone(builder, map);
      builder.setInsertionPointToEnd(block);
      PipelineYieldOp::create(builder, agents.getLoc(), ValueRange());
    }
    agents.erase();
    agents = more;
    SmallVector<int32_t> warps(more.getNumWarps()->begin(), more.getNumWarps()->end());
    warps.push_back(1);
    more.setNumWarps(warps);
    SmallVector<int32_t> single(count + 1);
    single[count] = 1;
    more->setAttr(kSingleThreadAttr, builder.getDenseI32ArrayAttr(single));
    return giveRegisters(warps);
  }

  /// The agents that compute get the registers that the others do not need, if any were to be given.
  StringRef giveRegisters(ArrayRef<int32_t> warps) {
    int32_t block = 0;
    for (int32_t count : warps)
      block = llvm::alignTo(block, std::min<int32_t>(llvm::bit_ceil(uint32_t(count)), kWarpgroup)) + count;
    block = llvm::alignTo(block, kWarpgroup);
    if (block > 32)
      return "the block has no warps left for an agent that multiplies";
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(agents);
    agents.removeMaxRegsAttr();
    if (!target || !target->setMaxNReg || shareMultiprocessor(agents->getParentOfType<nv_tileaa::FuncOp>()) ||
        llvm::any_of(ArrayRef(warps).drop_back(), [](int32_t count) { return count % kWarpgroup != 0; }))
      return {};
    int32_t groups = block / kWarpgroup, few = groups - warps[number] / kWarpgroup;
    int32_t atStart = std::min(target->registersPerSm / (32 * block) / 8 * 8, target->maxRegistersPerThread / 8 * 8);
    int32_t most = std::min((atStart * groups - few * kFewRegisters) / (groups - few) / 8 * 8, 240);
    if (atStart <= kFewRegisters || most <= atStart)
      return {};
    SmallVector<int32_t> budgets(warps.size(), kFewRegisters);
    budgets[number] = most;
    agents.setMaxRegs(budgets);
    return {};
  }

  AgentSwitchOp &agents;
  unsigned number;
  Block *body;
  SmallVector<Products> all;
  int32_t stages = 1;                      ///< of the rings of sums that a loop comes back to
  llvm::SmallPtrSet<Operation *, 16> mine; ///< of the agent that multiplies
  llvm::SetVector<Operation *> outside;    ///< nothing: what agents share stands in front of them
};

} // namespace

StringRef nv_tileas::separateProducts(AgentSwitchOp &agents, unsigned number) {
  return Separation(agents, number).run();
}
