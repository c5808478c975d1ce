//===- LegalizeFmaDot.cpp - tileas-legalize-fma-dot -----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Products for which the target has no matrix instruction as they stand, only multiply-adds or, of scaled elements,
// products of f64, and products of scaled 4-bit floats that tensor memory has kinds for, are brought into a form for
// which it has one, where that is cheaper by the atoms' own costs. Tiles have no layouts yet, so what is added here is
// laid out, sliced and copied like everything else.
//
//   k too short     the factors get zeros along k, up to the smallest instruction's. Zeros add nothing.
//   scales for less the instruction has a scale for 32 elements, the product one for 16 or 8: zeros between the blocks,
//   than 32         as many as they lack. A block keeps its scale.
//   scaled pairs    the factors are pairs of 4-bit elements in bytes (PackFactors.h), which tcgen05.mma multiplies.
//   scale blocks    scales that lie in memory in blocks of 128 rows are loaded in rows of bytes (ScaleViews.h), for
//                   targets that bring them to tensor memory by tcgen05.cp.
//   other scales    a product of the elements of each block, for which the target has an instruction, times the scales:
//                       c = fma(dot(a_j, b_j, 0) * s, t, c)      s t = sfa_j sfb_j
//                   The scales are powers of two, 2^(p + q) from 2^-254 to 2^254. As 2^s' = 2^(p/2 + q/2) and what
//                   remains they are numbers of f32, and a product overflows or vanishes on the way only if the result
//                   does.
//   other elements  what mma.sync multiplies as a wider type is widened as a tile, once, not by every warp that fetches
//                   it.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/ExecutionContext.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/PackFactors.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/ScaleViews.h"
#include "tileiras/Dialect/TileAS/Transforms/SelectMma.h"
#include "tileiras/Dialect/TileAS/Transforms/SlicedDimension.h"
#include "tileiras/Remark/Remark.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_LEGALIZEFMADOTPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
namespace aa = mlir::nv_tileaa;
namespace remarks = tileiras::remarks;

namespace {

/// Operations on tiles without layouts, at one place.
class TileBuilder {
public:
  explicit TileBuilder(Operation *at) : b(at), loc(at->getLoc()) {}

  Value splat(RankedTensorType type, TypedAttr number) {
    return aa::SplatOp::create(b, loc, type, arith::ConstantOp::create(b, loc, number));
  }
  Value zeros(RankedTensorType type) { return splat(type, b.getZeroAttr(type.getElementType())); }
  Value integers(Value like, int32_t number) { return splat(tensorOf(like), b.getI32IntegerAttr(number)); }
  Value view(Value v, ArrayRef<int64_t> shape) { return aa::ViewOp::create(b, loc, tensorOf(v).clone(shape), v); }
  /// Twice as long along `axis`; what comes behind is zero.
  Value withZeros(Value v, int64_t axis) {
    SmallVector<int64_t> shape(tensorOf(v).getShape());
    shape[axis] *= 2;
    return aa::CatOp::create(b, loc, tensorOf(v).clone(shape), v, zeros(tensorOf(v)), b.getI32IntegerAttr(axis));
  }
  /// Slice `number` of as many as there are of `extent` along `axis`.
  Value slice(Value v, int64_t axis, int64_t extent, int64_t number) {
    SmallVector<int64_t> shape(tensorOf(v).getShape());
    shape[axis] = extent;
    SmallVector<Value> indices(shape.size(), arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0)));
    indices[axis] = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(number)));
    return aa::ExtractSliceOp::create(b, loc, tensorOf(v).clone(shape), v, indices);
  }

  OpBuilder b;
  Location loc;
};

struct LegalizeFmaDotPass : nv_tileas::impl::LegalizeFmaDotPassBase<LegalizeFmaDotPass> {
  void runOnOperation() override {
    const tileiras::TargetInfo *found = aa::getTarget(getOperation());
    if (!found)
      return; // tileas-assign-dot-layouts says so
    target = found;
    SmallVector<Operation *> products;
    getOperation().walk([&](Operation *op) {
      if (isa<aa::DotOp, aa::MmaBlockScaleOp>(op))
        products.push_back(op);
    });
    if (target->hasTcgen05())
      loadBlocksOfScales(products);
    divided.clear();
    findDivided(products);
    FactorPacking packing(getOperation());
    for (Operation *op : products) {
      parts = divided.contains(op) ? divided.at(op) : std::pair(1, 1);
      MmaProblem problem = *MmaProblem::of(op);
      if (problem.pairs || multiplyPairs(op, problem, packing))
        continue;
      if (auto plain = dyn_cast<aa::DotOp>(op)) {
        lengthen(plain, problem);
        widen(plain);
      }
      if (auto scaled = dyn_cast<aa::MmaBlockScaleOp>(op); !scaled || !isSlow(problem, getNumWarps(op)))
        continue;
      else if (!spread(scaled, problem))
        multiplyBlocks(scaled, problem);
    }
    packing.chainLoads();
  }

private:
  const tileiras::TargetInfo *target = nullptr;
  /// Into how many parts rows and columns are divided: of each product, and of the one at hand.
  DenseMap<Operation *, std::pair<int, int>> divided;
  std::pair<int, int> parts = {1, 1};

  /// Scales that lie in memory as copies to tensor memory want them: before anything is asked of their loads.
  static void loadBlocksOfScales(ArrayRef<Operation *> products) {
    for (Operation *op : products)
      if (auto scaled = dyn_cast<aa::MmaBlockScaleOp>(op))
        if (int factors = loadScalesInRows(scaled))
          remarks::passed(op, remarks::kProduct, "ScaleBlocks")
              << remarks::figure("Factors", factors)
              << remarks::because("blocks of scales are runs of memory, which are loaded in rows of 256 elements");
  }

  /// What the blocks of a cluster will divide of scaled products (tileas-slice-tiles), along rows or columns. Asked
  /// before any of them changes.
  void findDivided(ArrayRef<Operation *> products) {
    int blocks = ExecutionContext::of(getOperation().getOperation()).numCtas;
    if (blocks < 2 || !llvm::isPowerOf2_32(blocks) || llvm::none_of(products, llvm::IsaPred<aa::MmaBlockScaleOp>))
      return;
    ClusterDimension cluster = findClusterDimension(getOperation(), target, blocks);
    if (!cluster.dimension)
      return;
    for (Operation *op : products)
      if (std::optional<int> d = cluster.dimension->dimOf(op->getResult(0)); d && isa<aa::MmaBlockScaleOp>(op)) {
        int64_t rank = tensorOf(op->getResult(0)).getRank();
        divided[op] = {*d == rank - 2 ? blocks : 1, *d == rank - 1 ? blocks : 1};
      }
  }

  /// With scales the sums of a tile, and the scales beside them, may have room in tensor memory only where the blocks
  /// of a cluster divide it.
  MmaAtomAttrInterface select(const MmaProblem &problem, int warps) {
    MmaAtomAttrInterface whole = selectMmaAtom(problem, *target, warps);
    MmaProblem share = problem;
    share.shape.m /= parts.first, share.shape.n /= parts.second;
    if (parts == std::pair(1, 1) || !problem.scaled || share.shape.m < 128 || isa_and_present<Sm100MmaAtomAttr>(whole))
      return whole;
    MmaAtomAttrInterface atom = selectMmaAtom(share, *target, warps);
    return isa_and_present<Sm100MmaAtomAttr>(atom) ? atom : whole;
  }
  bool isSlow(const MmaProblem &problem, int warps) {
    MmaAtomAttrInterface atom = select(problem, warps);
    return isa<FmaAtomAttr>(Attribute(atom)) || (problem.scaled && atom.getElement().isF64());
  }
  int64_t cycles(const MmaProblem &problem, int warps) { return select(problem, warps).getCost(problem.shape).cycles; }

  static void report(Operation *op, StringRef what, int64_t before, int64_t after, const Twine &why) {
    remarks::passed(op, remarks::kProduct, "Legalized")
        << remarks::figure("As", what) << remarks::figure("CyclesBefore", before) << remarks::figure("Cycles", after)
        << remarks::because(why);
  }

  /// Elements of 4 bits as they lie in memory, if they are multiplied in tensor memory.
  bool multiplyPairs(Operation *op, const MmaProblem &problem, FactorPacking &packing) {
    auto scaled = dyn_cast<aa::MmaBlockScaleOp>(op);
    if (!scaled || !isa<Float4E2M1FNType>(problem.element))
      return false;
    MmaProblem pairs = problem;
    pairs.pairs = true;
    pairs.shape.k /= 2;
    int warps = getNumWarps(op);
    MmaAtomAttrInterface atom = select(pairs, warps);
    if (!atom)
      return false;
    int64_t before = cycles(problem, warps), after = atom.getCost(pairs.shape).cycles;
    remarks::passed(op, remarks::kProduct, "Legalized")
        << remarks::figure("As", "pairs of 4-bit elements") << remarks::figure("CyclesBefore", before)
        << remarks::figure("Cycles", after)
        << remarks::because("tensor memory has products of 4-bit elements as they lie in memory, with scales for " +
                            Twine(problem.scaleBlock));
    if (int inRegisters = packing.pack(scaled))
      remarks::missed(getOperation(), remarks::kProduct, "Packed")
          << remarks::figure("Factors", inRegisters)
          << remarks::because("a factor is computed, lies across in memory, or its rows may begin in the middle of a "
                              "byte; its elements become pairs in registers");
    return true;
  }

  /// Zeros along k up to the smallest instruction's.
  void lengthen(aa::DotOp op, const MmaProblem &problem) {
    int warps = getNumWarps(op);
    if (!isSlow(problem, warps))
      return;
    constexpr int32_t longest = 64; // of any instruction
    MmaProblem longer = problem;
    do {
      if (longer.shape.k >= longest)
        return;
      longer.shape.k *= 2;
    } while (isSlow(longer, warps));
    int64_t before = cycles(problem, warps), after = cycles(longer, warps);
    if (after >= before)
      return;
    TileBuilder t(op);
    int64_t rank = tensorOf(op.getResult()).getRank();
    for (int32_t k = problem.shape.k; k < longer.shape.k; k *= 2) {
      op.getAMutable().assign(t.withZeros(op.getA(), rank - 1));
      op.getBMutable().assign(t.withZeros(op.getB(), rank - 2));
    }
    ++numLengthened;
    report(op, "zeros along k", before, after,
           "the smallest instruction multiplies " + Twine(longer.shape.k) + " along k, this product " +
               Twine(problem.shape.k));
  }

  /// Factors as the type that they are multiplied as.
  void widen(aa::DotOp op) {
    MmaProblem problem = *MmaProblem::of(op);
    MmaAtomAttrInterface atom = select(problem, getNumWarps(op));
    Type to = atom.getElement();
    if (!isa<MmaAtomAttr>(Attribute(atom)) || to == problem.element || !isa<FloatType>(to) ||
        getStorageBytes(to) <= getStorageBytes(problem.element))
      return;
    TileBuilder t(op);
    for (OpOperand *factor : {&op.getAMutable(), &op.getBMutable()})
      factor->set(arith::ExtFOp::create(t.b, t.loc, tensorOf(factor->get()).clone(to), factor->get()));
    ++numWidened;
    report(op, "factors of a wider type", atom.getCost(problem.shape).cycles, atom.getCost(problem.shape).cycles,
           "the target has no product of this type; it is exact in the other");
  }

  /// Zeros between blocks of less than 32 elements, where the target has scales for 32.
  bool spread(aa::MmaBlockScaleOp op, const MmaProblem &problem) {
    constexpr int unit = 32;
    int warps = getNumWarps(op);
    if (problem.scaleBlock >= unit)
      return false;
    MmaProblem wider = problem;
    wider.shape.k *= unit / problem.scaleBlock;
    wider.scaleBlock = unit;
    if (isSlow(wider, warps) || cycles(wider, warps) >= cycles(problem, warps))
      return false;
    TileBuilder t(op);
    for (OpOperand *factor : {&op.getAMutable(), &op.getBMutable()}) {
      Value v = factor->get();
      SmallVector<int64_t> shape(tensorOf(v).getShape());
      int64_t k = shape.size() - (factor->getOperandNumber() == 0 ? 1 : 2);
      SmallVector<int64_t> blocks = shape;
      blocks[k] /= problem.scaleBlock;
      blocks.insert(blocks.begin() + k + 1, problem.scaleBlock);
      v = t.view(v, blocks);
      for (int block = problem.scaleBlock; block < unit; block *= 2)
        v = t.withZeros(v, k + 1);
      shape[k] *= unit / problem.scaleBlock;
      factor->set(t.view(v, shape));
    }
    ++numSpread;
    report(op, "zeros between blocks", cycles(problem, warps), cycles(wider, warps),
           "the instruction has a scale for 32 elements, the product one for " + Twine(problem.scaleBlock));
    return true;
  }

  /// 2^p, which is `scales`, as the half of its exponent and the rest, two numbers of f32. No number stays none.
  static std::pair<Value, Value> rootsOf(TileBuilder &t, Value scales) {
    constexpr int32_t bias = 127, fraction = 23, none = 255;
    RankedTensorType words = tensorOf(scales).clone(t.b.getI32Type()), numbers = words.clone(t.b.getF32Type());
    Value bytes = arith::BitcastOp::create(t.b, t.loc, words.clone(t.b.getI8Type()), scales);
    Value code = arith::ExtUIOp::create(t.b, t.loc, words, bytes);
    Value exponent = arith::SubIOp::create(t.b, t.loc, code, t.integers(code, bias));
    Value half = arith::ShRSIOp::create(t.b, t.loc, exponent, t.integers(code, 1));
    Value rest = arith::SubIOp::create(t.b, t.loc, exponent, half);
    auto number = [&](Value e) -> Value {
      Value biased = arith::AddIOp::create(t.b, t.loc, e, t.integers(e, bias));
      Value bits = arith::ShLIOp::create(t.b, t.loc, biased, t.integers(e, fraction));
      return arith::BitcastOp::create(t.b, t.loc, numbers, bits);
    };
    Value isNone = arith::CmpIOp::create(t.b, t.loc, arith::CmpIPredicate::eq, code, t.integers(code, none));
    Value nan = t.splat(numbers, t.b.getF32FloatAttr(std::numeric_limits<float>::quiet_NaN()));
    return {arith::SelectOp::create(t.b, t.loc, isNone, nan, number(half)), number(rest)};
  }

  /// A product for each block, times its scales.
  void multiplyBlocks(aa::MmaBlockScaleOp op, const MmaProblem &problem) {
    RankedTensorType type = op.getType();
    if (!isa<Float8E8M0FNUType>(problem.scale) || !type.getElementType().isF32())
      return;
    int warps = getNumWarps(op);
    int64_t rank = type.getRank(), block = problem.scaleBlock, count = problem.shape.k / block;
    MmaProblem part = problem;
    part.scaled = false, part.scaleBlock = 0, part.scale = Type();
    part.shape.k = block;
    if (isa<Float4E2M1FNType>(part.element))
      part.element = Float16Type::get(op.getContext()); // holds them
    if (MmaAtomAttrInterface atom = select(part, warps); isa<MmaAtomAttr>(Attribute(atom)))
      part.element = atom.getElement();
    if (isSlow(part, warps))
      return;
    // Four operations for each sum, of 32 lanes in two cycles.
    int64_t sums = int64_t(problem.shape.batch) * problem.shape.m * problem.shape.n;
    int64_t before = cycles(problem, warps);
    int64_t after = count * (cycles(part, warps) + std::max<int64_t>(1, sums / (32 * warps)) * 4 * 2);
    if (after >= before)
      return;
    TileBuilder t(op);
    Value a = op.getA(), b = op.getB(), c = op.getC();
    auto widened = [&](Value v) -> Value {
      RankedTensorType wide = tensorOf(v).clone(part.element);
      return wide == v.getType() ? v : arith::ExtFOp::create(t.b, t.loc, wide, v).getResult();
    };
    // Slices of both factors are in the registers of all warps that multiply them: of the right one, which fewer warps
    // share, as narrow as it is.
    a = widened(a);
    Value zero = t.zeros(type);
    for (int64_t j = 0; j < count; ++j) {
      // The roots of one block's scales at a time: those of all would fill the registers.
      auto [halfA, restA] = rootsOf(t, t.slice(op.getSfa(), rank - 1, 1, j));
      auto [halfB, restB] = rootsOf(t, t.slice(op.getSfb(), rank - 2, 1, j));
      auto both = [&](Value ofA, Value ofB) -> Value {
        Value rows = aa::BroadcastOp::create(t.b, t.loc, type, ofA);
        return arith::MulFOp::create(t.b, t.loc, rows, aa::BroadcastOp::create(t.b, t.loc, type, ofB));
      };
      Value product =
          aa::DotOp::create(t.b, t.loc, type, t.slice(a, rank - 1, block, j), widened(t.slice(b, rank - 2, block, j)),
                            zero, aa::SignednessAttr(), aa::SignednessAttr(), UnitAttr());
      Value scaled = arith::MulFOp::create(t.b, t.loc, product, both(halfA, halfB));
      c = aa::FmaOp::create(t.b, t.loc, type, scaled, both(restA, restB), c, aa::RoundingMode::NearestEven, false);
    }
    ++numByBlocks;
    report(op, "a product for each block", before, after, "scaled elements and their products are exact in f64 only");
    op.getResult().replaceAllUsesWith(c);
    op.erase();
  }
};

} // namespace
