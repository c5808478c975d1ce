//===- Warp.cpp - gpu.warp_execute_on_lane_0 to NVVM ----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The body runs where the lane is 0; what goes in and out travels by shuffles (S2-093). MLIR's own lowering takes it
// through shared memory that the caller must provide.
//
//   vector<2xf32> per lane  ->  vector<64xf32> in the region: every lane's part is read by all, in the order of lanes
//   vector<64xf32> yielded  ->  vector<2xf32> per lane: every element is sent to all, each keeps its own
//   equal types             ->  what lane 0 has
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tileiras/Conversion/NVGPUToNVVM/Patterns.h"

using namespace mlir;

namespace tileiras {
namespace {

/// Moves values between the lanes of a warp.
class Shuffler {
public:
  Shuffler(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  /// What lane `from` holds, in every lane. Null for types that are no registers.
  Value broadcast(Value value, int64_t from) {
    Type type = value.getType();
    if (auto vector = dyn_cast<VectorType>(type)) {
      Value flat = flatten(value), result = zero(cast<VectorType>(flat.getType()));
      for (int64_t i = 0; i < vector.getNumElements(); ++i)
        result = insert(broadcast(extract(flat, i), from), result, i);
      return vector::ShapeCastOp::create(b, loc, vector, result);
    }
    if (isa<IndexType>(type)) {
      Value wide = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
      return arith::IndexCastOp::create(b, loc, type, broadcast(wide, from));
    }
    unsigned bits = type.getIntOrFloatBitWidth();
    if (isa<FloatType>(type)) {
      Type integer = b.getIntegerType(bits);
      Value moved = broadcast(arith::BitcastOp::create(b, loc, integer, value), from);
      return arith::BitcastOp::create(b, loc, type, moved);
    }
    Type i32 = b.getI32Type();
    if (bits == 32)
      return shuffle(value, from);
    if (bits < 32)
      return arith::TruncIOp::create(b, loc, type, shuffle(arith::ExtUIOp::create(b, loc, i32, value), from));
    Value half = arith::ConstantIntOp::create(b, loc, type, 32);
    Value upper = arith::TruncIOp::create(b, loc, i32, arith::ShRUIOp::create(b, loc, value, half));
    Value lower = shuffle(arith::TruncIOp::create(b, loc, i32, value), from);
    upper = shuffle(upper, from);
    Value high = arith::ShLIOp::create(b, loc, arith::ExtUIOp::create(b, loc, type, upper), half);
    return arith::OrIOp::create(b, loc, high, arith::ExtUIOp::create(b, loc, type, lower));
  }

  Value flatten(Value vector) {
    auto type = cast<VectorType>(vector.getType());
    return vector::ShapeCastOp::create(b, loc, VectorType::get(type.getNumElements(), type.getElementType()), vector);
  }
  Value zero(VectorType type) { return arith::ConstantOp::create(b, loc, b.getZeroAttr(type)); }
  Value extract(Value vector, int64_t at) { return vector::ExtractOp::create(b, loc, vector, at); }
  Value insert(Value element, Value vector, int64_t at) {
    return vector::InsertOp::create(b, loc, element, vector, at);
  }

private:
  Value shuffle(Value value, int64_t from) {
    Type i32 = b.getI32Type();
    auto constant = [&](int64_t v) { return arith::ConstantIntOp::create(b, loc, i32, v); };
    return NVVM::ShflOp::create(b, loc, i32, constant(-1), value, constant(from), constant(31), NVVM::ShflKind::idx,
                                UnitAttr());
  }

  OpBuilder &b;
  Location loc;
};

/// How the lanes divide a vector: along each dimension by the ratio of the extents, the last dimension's lanes first.
struct Distribution {
  SmallVector<int64_t> whole, part, lanes;

  static FailureOr<Distribution> of(Type whole, Type part, int64_t warpSize) {
    auto wholeType = dyn_cast<VectorType>(whole), partType = dyn_cast<VectorType>(part);
    if (!wholeType || !partType || wholeType.getRank() != partType.getRank() || wholeType.isScalable())
      return failure();
    Distribution d;
    int64_t lanes = 1;
    for (auto [w, p] : llvm::zip_equal(wholeType.getShape(), partType.getShape())) {
      if (w % p)
        return failure();
      d.whole.push_back(w);
      d.part.push_back(p);
      d.lanes.push_back(w / p);
      lanes *= w / p;
    }
    if (lanes != warpSize)
      return failure();
    return d;
  }

  /// The position in the whole of element `index` of `lane`'s part.
  int64_t position(int64_t lane, int64_t index) const {
    int64_t result = 0, scale = 1;
    for (int64_t dim = whole.size() - 1; dim >= 0; --dim) {
      result += scale * (lane % lanes[dim] * part[dim] + index % part[dim]);
      lane /= lanes[dim];
      index /= part[dim];
      scale *= whole[dim];
    }
    return result;
  }
};

bool movable(Type type) {
  Type element = isa<VectorType>(type) ? cast<VectorType>(type).getElementType() : type;
  return isa<IndexType>(element) || (element.isIntOrFloat() && element.getIntOrFloatBitWidth() <= 64);
}

struct WarpExecuteOnLane0 : OpConversionPattern<gpu::WarpExecuteOnLane0Op> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(gpu::WarpExecuteOnLane0Op op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    constexpr int64_t kLanes = 32;
    Location loc = op.getLoc();
    if (op.getWarpSize() != kLanes)
      return op.emitOpError() << "has a warp of " << op.getWarpSize() << " lanes; there are " << kLanes;
    Block *body = op.getBody();
    Operation *terminator = body->getTerminator();
    for (Type type : llvm::concat<const Type>(body->getArgumentTypes(), terminator->getOperandTypes()))
      if (!movable(type))
        return op.emitOpError() << "cannot move " << type << " between lanes";

    // What goes in, while all lanes are there.
    Shuffler outside(rewriter, loc);
    SmallVector<Value> inputs;
    for (auto [given, argument] : llvm::zip_equal(adaptor.getArgs(), body->getArguments())) {
      if (given.getType() == argument.getType()) {
        inputs.push_back(given);
        continue;
      }
      FailureOr<Distribution> d = Distribution::of(argument.getType(), given.getType(), kLanes);
      if (failed(d))
        return op.emitOpError() << "cannot collect " << argument.getType() << " from the lanes' " << given.getType();
      auto wholeType = cast<VectorType>(argument.getType());
      Value flat = outside.flatten(given);
      Value whole = outside.zero(VectorType::get(wholeType.getNumElements(), wholeType.getElementType()));
      for (int64_t lane = 0; lane < kLanes; ++lane)
        for (int64_t i = 0, e = cast<VectorType>(flat.getType()).getNumElements(); i < e; ++i)
          whole = outside.insert(outside.broadcast(outside.extract(flat, i), lane), whole, d->position(lane, i));
      inputs.push_back(vector::ShapeCastOp::create(rewriter, loc, wholeType, whole));
    }

    // The body, on lane 0; the others yield zeros.
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value first = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, op.getLaneid(), zero);
    SmallVector<Type> yielded(terminator->getOperandTypes());
    auto branch = scf::IfOp::create(rewriter, loc, yielded, first, /*addThenBlock=*/true,
                                    /*addElseBlock=*/!yielded.empty());
    {
      OpBuilder::InsertionGuard guard(rewriter);
      Block *then = branch.thenBlock();
      if (!then->empty())
        rewriter.eraseOp(&then->back());
      rewriter.inlineBlockBefore(body, then, then->end(), inputs);
      rewriter.setInsertionPoint(terminator);
      rewriter.replaceOpWithNewOp<scf::YieldOp>(terminator, terminator->getOperands());
      if (!yielded.empty()) {
        rewriter.setInsertionPointToStart(branch.elseBlock());
        SmallVector<Value> nothing;
        for (Type type : yielded)
          nothing.push_back(arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type)));
        scf::YieldOp::create(rewriter, loc, nothing);
      }
    }

    // What comes out, when all lanes are back.
    rewriter.setInsertionPointAfter(branch);
    Value mask = arith::ConstantIntOp::create(rewriter, loc, rewriter.getI32Type(), -1);
    NVVM::SyncWarpOp::create(rewriter, loc, mask);
    Shuffler after(rewriter, loc);
    SmallVector<Value> results;
    for (auto [value, result] : llvm::zip_equal(branch.getResults(), op.getResults())) {
      Value everywhere = after.broadcast(value, 0);
      if (value.getType() == result.getType()) {
        results.push_back(everywhere);
        continue;
      }
      FailureOr<Distribution> d = Distribution::of(value.getType(), result.getType(), kLanes);
      if (failed(d))
        return op.emitOpError() << "cannot spread " << value.getType() << " over the lanes as " << result.getType();
      results.push_back(
          ownPart(rewriter, loc, after, everywhere, *d, cast<VectorType>(result.getType()), op.getLaneid()));
    }
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// Element i of lane l's part is at base(l) + offset(i): one multiplication and addition per dimension.
  static Value ownPart(OpBuilder &b, Location loc, Shuffler &shuffler, Value whole, const Distribution &d,
                       VectorType type, Value lane) {
    Value flat = shuffler.flatten(whole);
    Value base = arith::ConstantIndexOp::create(b, loc, 0), rest = lane;
    int64_t scale = 1;
    for (int64_t dim = d.whole.size() - 1; dim >= 0; --dim) {
      if (d.lanes[dim] > 1) {
        Value count = arith::ConstantIndexOp::create(b, loc, d.lanes[dim]);
        Value step = arith::ConstantIndexOp::create(b, loc, scale * d.part[dim]);
        Value here = arith::RemUIOp::create(b, loc, rest, count);
        base = arith::AddIOp::create(b, loc, base, arith::MulIOp::create(b, loc, here, step));
        rest = arith::DivUIOp::create(b, loc, rest, count);
      }
      scale *= d.whole[dim];
    }
    Value part = shuffler.zero(VectorType::get(type.getNumElements(), type.getElementType()));
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      Value at = arith::AddIOp::create(b, loc, base, arith::ConstantIndexOp::create(b, loc, d.position(0, i)));
      part = shuffler.insert(vector::ExtractOp::create(b, loc, flat, at), part, i);
    }
    return vector::ShapeCastOp::create(b, loc, type, part);
  }
};

} // namespace

void populateWarpPatterns(RewritePatternSet &patterns) { patterns.add<WarpExecuteOnLane0>(patterns.getContext()); }

} // namespace tileiras
