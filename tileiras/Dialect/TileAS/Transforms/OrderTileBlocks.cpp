//===- OrderTileBlocks.cpp - tileas-order-tile-blocks ---------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where later tile blocks have more to do than earlier ones, the longest begin first.
//
//     tile block (x, head):  for i = 0 ... x           tile block (x', head'):  the same, but blocks that are started
//                                                      first have the largest x', of all heads
//
// Causal attention is such a kernel: the keys of a query are those before it. A GPU starts blocks in order, x first,
// and gives the next one to whichever multiprocessor is done. In the order of the kernel the last blocks are as long as
// any, and most multiprocessors wait for the one that began them last; the other way round the last ones are the
// shortest.
//
// Loops say which axis it is: their upper bound grows with the number of the tile block along one axis, and depends on
// nothing else that differs from block to block in the other direction. What the blocks of one number along that axis
// share, as heads do not share keys, is bounded: kTogether tile blocks of the other axes make a section, whose blocks
// begin before those of the next section, so that what they read has room in L2 and several read the same.
//
// Nothing is done where blocks synchronise through memory: programs rely on it that earlier blocks have begun. Nor
// where all blocks of a launch begin at once, or several share a multiprocessor, where one that ends early leaves the
// others what it has used.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/TileBlocks.h"
#include "tileiras/Remark/Remark.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_ORDERTILEBLOCKSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace remarks = tileiras::remarks;

namespace {

/// So many tile blocks along the other axes begin together.
constexpr int64_t kTogether = 16;

/// What becomes of a number as the tile block's number along an axis becomes larger.
enum class Growth { Same, Grows, Unknown };

class Axis {
public:
  explicit Axis(unsigned number) : number(number) {}

  Growth of(Value value) {
    if (auto known = growths.find(value); known != growths.end())
      return known->second;
    Growth growth = find(value);
    growths[value] = growth;
    return growth;
  }

private:
  static bool isPositive(Value value) {
    APInt constant;
    return matchPattern(value, m_ConstantInt(&constant)) && constant.isStrictlyPositive();
  }

  Growth find(Value value) {
    Operation *def = value.getDefiningOp();
    if (!def)
      return isa<nv_tileaa::FuncOp>(value.getParentBlock()->getParentOp()) ? Growth::Same : Growth::Unknown;
    if (isa<nv_tileaa::GetProgramIdOp>(def))
      return cast<OpResult>(value).getResultNumber() == number ? Growth::Grows : Growth::Same;
    if (def->getNumRegions())
      return Growth::Unknown;
    SmallVector<Growth, 4> its = llvm::map_to_vector<4>(def->getOperands(), [&](Value operand) { return of(operand); });
    if (llvm::all_of(its, [](Growth g) { return g == Growth::Same; }))
      return Growth::Same;
    if (llvm::is_contained(its, Growth::Unknown))
      return Growth::Unknown;
    if (isa<arith::AddIOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp, arith::ExtSIOp,
            arith::ExtUIOp, arith::IndexCastOp>(def))
      return Growth::Grows;
    bool scaled =
        isa<arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(
            def) &&
        its[0] == Growth::Grows && isPositive(def->getOperand(1));
    bool lowered = isa<arith::SubIOp, arith::ShRSIOp, arith::ShRUIOp, arith::ShLIOp>(def) && its[1] == Growth::Same;
    return scaled || lowered ? Growth::Grows : Growth::Unknown;
  }

  unsigned number;
  DenseMap<Value, Growth> growths;
};

struct OrderTileBlocksPass : nv_tileas::impl::OrderTileBlocksPassBase<OrderTileBlocksPass> {
  void runOnOperation() override {
    nv_tileaa::FuncOp func = getOperation();
    if (!func->hasAttr(nv_tileaa::kKernelSpecAttr) || !llvm::hasSingleElement(func.getBody()) ||
        func.getNumResults() != 0)
      return;
    std::optional<unsigned> axis = axisOfWork();
    if (!axis)
      return;
    if (StringRef why = obstacle(); !why.empty()) {
      remarks::missed(func, remarks::kSchedule, "Order") << remarks::because(why);
      return;
    }
    reorder(*axis);
    remarks::passed(func, remarks::kSchedule, "Order")
        << remarks::figure("Axis", int64_t(*axis)) << remarks::because("tile blocks with the most rounds begin first");
  }

private:
  /// The axis along which loops of the kernel have more and more rounds; nothing if there is none, or several, or some
  /// loop does not follow.
  std::optional<unsigned> axisOfWork() {
    std::optional<unsigned> found;
    for (unsigned number = 0; number < 3; ++number) {
      Axis axis(number);
      bool grows = false, follows = true;
      for (Operation &op : getOperation().getBody().front())
        if (auto loop = dyn_cast<CountedLoop>(&op)) {
          Growth upper = axis.of(loop.getUpperBound());
          grows |= upper == Growth::Grows;
          follows &= upper != Growth::Unknown && axis.of(loop.getLowerBound()) == Growth::Same &&
                     axis.of(loop.getStep()) == Growth::Same;
        }
      if (!grows)
        continue;
      if (!follows || found)
        return std::nullopt;
      found = number;
    }
    return found;
  }

  StringRef obstacle() {
    nv_tileaa::FuncOp func = getOperation();
    if (StringRef why = whyTileBlocksStay(func); !why.empty())
      return why;
    constexpr int32_t warps = 8; // measured (docs/scheduler.md)
    auto spec = func->getAttrOfType<nv_tileaa::KernelSpecAttr>(nv_tileaa::kKernelSpecAttr);
    return spec.getNumWarps() < warps && !isOfTwo(func)
               ? "a multiprocessor has several blocks of few warps, of which some end early"
               : "";
  }

  /// Attention of 128 rows in tensor memory, which has four warps so that two blocks share a multiprocessor: no more
  /// have room, and what they wait for is each other's arithmetic.
  static bool isOfTwo(nv_tileaa::FuncOp func) {
    bool products = false, reductions = false;
    func.walk([&](Operation *op) {
      if (!op->getParentOfType<CountedLoop>())
        return;
      auto dot = dyn_cast<DotOp>(op);
      products |=
          dot && dot.getAtom() && dot.getAtom()->getCompletion() == Completion::Mbarrier && getDotShape(dot).m == 128;
      reductions |= isa<ReduceOp>(op);
    });
    return products && reductions;
  }

  /// Another tile block for each block: of the sections in order, those with the largest numbers along the axis first.
  void reorder(unsigned axis) {
    nv_tileaa::FuncOp func = getOperation();
    SmallVector<nv_tileaa::GetProgramIdOp> old;
    func.walk([&](nv_tileaa::GetProgramIdOp op) { old.push_back(op); });
    Location loc = func.getLoc();
    OpBuilder builder(&func.getBody().front(), func.getBody().front().begin());
    Type wide = builder.getI64Type(), narrow = builder.getI32Type();
    auto id = nv_tileaa::GetProgramIdOp::create(builder, loc);
    auto grid = nv_tileaa::GetNumProgramsOp::create(builder, loc);
    SmallVector<Value> own, size;
    for (unsigned i = 0; i < 3; ++i) {
      own.push_back(arith::ExtUIOp::create(builder, loc, wide, id.getResult(i)));
      size.push_back(arith::ExtUIOp::create(builder, loc, wide, grid.getResult(i)));
    }
    unsigned inner = axis == 0 ? 1 : 0, outer = axis == 2 ? 1 : 2;
    auto mul = [&](Value a, Value b) -> Value { return arith::MulIOp::create(builder, loc, a, b); };
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
    };
    auto least = [&](Value a, Value b) -> Value { return arith::MinUIOp::create(builder, loc, a, b); };
    // Where all begin at once there is no order.
    Value others = mul(size[inner], size[outer]), all = mul(size[axis], others);
    Value there = countMultiprocessors(builder, loc, [](Operation *) {});
    if (int64_t most = multiprocessorsOfTarget(func))
      there = least(there, number(most));
    Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, all, there);
    auto choice =
        scf::IfOp::create(builder, loc, TypeRange(SmallVector<Type>(3, narrow)), some, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(builder, loc, id.getResults());
    builder.setInsertionPointToStart(choice.thenBlock());
    auto add = [&](Value a, Value b) -> Value { return arith::AddIOp::create(builder, loc, a, b); };
    auto sub = [&](Value a, Value b) -> Value { return arith::SubIOp::create(builder, loc, a, b); };
    auto div = [&](Value a, Value b) -> Value { return arith::DivUIOp::create(builder, loc, a, b); };
    auto rem = [&](Value a, Value quotient, Value b) -> Value { return sub(a, mul(quotient, b)); };
    Value block = add(own[0], mul(size[0], add(own[1], mul(size[1], own[2]))));
    Value together = least(others, number(kTogether));
    Value ofSection = mul(size[axis], together);
    Value section = div(block, ofSection), inSection = rem(block, section, ofSection);
    Value before = mul(section, together);
    Value here = least(together, sub(others, before)); // the last section may have fewer
    Value turn = div(inSection, here);
    Value other = add(before, rem(inSection, turn, here));
    SmallVector<Value, 3> ids(3);
    ids[axis] = sub(sub(size[axis], number(1)), turn);
    ids[outer] = div(other, size[inner]);
    ids[inner] = rem(other, ids[outer], size[inner]);
    for (Value &value : ids)
      value = arith::TruncIOp::create(builder, loc, narrow, value);
    scf::YieldOp::create(builder, loc, ids);
    for (nv_tileaa::GetProgramIdOp op : old) {
      op.replaceAllUsesWith(choice.getResults());
      op.erase();
    }
  }
};

} // namespace
