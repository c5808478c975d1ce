//===- SelectMma.cpp - Which instruction multiplies -----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// On a target with wgmma (sm_90a) products of f16, bf16, tf32, i8 and f8 of at least 64 rows, and 32 bytes along k, by
// whole warpgroups are wgmma's: B is read from shared memory, A too, unless it is computed from the result of another
// product and so in the registers of the threads that need it already. The unit's own sums of 8-bit floats keep 13 bits
// behind the point. So it adds up kPromotedSpan of k only, and the threads add that up in f32, unless the product says
// fast_acc; or they are multiplied as f16, which holds them, where the kernel asks for exact sums
// (docs/math-accuracy.md).
//
// On a target with tensor memory (sm_100a, sm_103a, sm_110a) the same products are tcgen05.mma's, 8-bit floats as what
// they are and bytes where the target has them: operands are read from shared memory, sums are in tensor memory. So are
// products of 8-bit floats, and of 4-bit ones as such, with a power of two for 32 elements along k, of 128 rows or
// more; and those of 4-bit floats that lie in pairs, with scales for 16 or 32 (tileas-legalize-fma-dot makes the
// pairs).
//
// Else it is the first row of the target's table (Support/AtomTable.h) whose k is not larger than the product's.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/SelectMma.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Dot.h"
#include "tileiras/Dialect/TileAA/IR/Extents.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Support/AtomTable.h"
#include "tileiras/Support/Tcgen05Scales.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include <tuple>

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::DotShape;
using tileiras::DotTiling;
using tileiras::TargetInfo;
using tileiras::Tcgen05Tiling;
using tileiras::WgmmaTiling;

static bool isProduct(Operation *op) { return isa<DotOp, nv_tileaa::DotOp, nv_tileaa::MmaBlockScaleOp>(op); }

/// Calls `found` for the uses by products of what is computed from `product` in its block, by operations that `follow`
/// accepts.
static void walkChain(Operation *product, function_ref<bool(Operation *)> follow,
                      function_ref<void(OpOperand &)> found) {
  llvm::SetVector<Operation *> reached;
  reached.insert(product);
  for (size_t i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i]->getUses()) {
      Operation *user = use.getOwner();
      if (isProduct(user)) {
        if (use.getOperandNumber() != 2)
          found(use);
      } else if (user->getNumRegions() == 0 && user->getBlock() == product->getBlock() && follow(user)) {
        reached.insert(user);
      }
    }
}

ProductChains::ProductChains(Operation *kernel) {
  kernel->walk([&](Operation *op) {
    if (!isProduct(op))
      return;
    walkChain(
        op, [](Operation *) { return true; },
        [&](OpOperand &use) {
          members.insert(op);
          members.insert(use.getOwner());
        });
    // What is turned changes its threads.
    walkChain(
        op, [](Operation *user) { return !isa<nv_tileaa::PermuteOp>(user); },
        [&](OpOperand &use) {
          if (use.getOperandNumber() == 0)
            left.insert(use.getOwner());
        });
  });
}

bool nv_tileas::isKFastest(OpOperand &factor) {
  Value tile = factor.get();
  int64_t rank = cast<RankedTensorType>(tile.getType()).getRank(),
          k = factor.getOperandNumber() == 0 ? rank - 1 : rank - 2;
  auto isFastest = [&](nv_tileaa::TiledViewType view) {
    return k < int64_t(view.getDimMap().size()) && view.getSource().getStrides()[view.getDimMap()[k]] == 1;
  };
  while (Operation *def = tile.getDefiningOp()) {
    if (auto permute = dyn_cast<nv_tileaa::PermuteOp>(def))
      k = permute.getPermutation()[k];
    else if (auto load = dyn_cast<TiledLoadOp>(def))
      return isFastest(load.getView().getType());
    else if (auto load = dyn_cast<nv_tileaa::TiledLoadOp>(def))
      return isFastest(load.getView().getType());
    else if (!isa<ConvertLayoutOp>(def))
      return true;
    tile = def->getOperand(0);
  }
  return true;
}

/// Whether a factor that lies across is loaded in each round of a loop for this product alone, in rows that ldmatrix
/// can turn (tileas-stage-loads, Support/ByteTurn.h).
static bool isTurnedOnTheWay(OpOperand &factor) {
  Value tile = factor.get();
  for (;;) {
    Operation *def = tile.getDefiningOp();
    if (!def || !tile.hasOneUse() || def->getBlock() != factor.getOwner()->getBlock())
      return false;
    if (isa<TiledLoadOp, nv_tileaa::TiledLoadOp>(def)) {
      if (nv_tileaa::getRowDivisor(def->getOperand(0), 1) < 4)
        return false; // nor copied without registers
      break;
    }
    if (!isa<ConvertLayoutOp, nv_tileaa::PermuteOp>(def))
      return false;
    tile = def->getOperand(0);
  }
  return isa_and_nonnull<LoopLikeOpInterface>(factor.getOwner()->getParentOp()) &&
         llvm::count_if(cast<RankedTensorType>(tile.getType()).getShape(),
                        [](int64_t extent) { return extent >= 16; }) >= 2;
}

std::optional<MmaProblem> MmaProblem::of(Operation *product, const ProductChains *chains) {
  if (!isProduct(product))
    return std::nullopt;
  auto dot = dyn_cast<DotOp>(product);
  auto plain = dyn_cast<nv_tileaa::DotOp>(product);
  auto a = cast<RankedTensorType>(product->getOperand(0).getType()),
       b = cast<RankedTensorType>(product->getOperand(1).getType());
  MmaProblem problem;
  problem.shape = getDotShape(a, b);
  problem.element = a.getElementType();
  auto apart = dyn_cast<nv_tileaa::MmaBlockScaleOp>(product);
  if (Value scales = dot ? dot.getSfa() : apart ? apart.getSfa() : Value()) {
    auto type = cast<RankedTensorType>(scales.getType());
    auto other = cast<RankedTensorType>((dot ? dot.getSfb() : apart.getSfb()).getType());
    auto sums = cast<RankedTensorType>(product->getResult(0).getType());
    uint64_t shape = nv_tileaa::verifyBlockScaled(product, a, b, sums, type, other);
    if (!shape)
      return std::nullopt;
    problem.scaled = true;
    problem.scaleBlock = int(uint32_t(shape));
    problem.scale = type.getElementType();
    problem.pairs = nv_tileaa::isPairOfF4(problem.element);
    if (problem.pairs)
      problem.element = Float4E2M1FNType::get(product->getContext());
  }
  problem.fastAcc = (dot && dot.getFastAcc()) || (plain && plain.getFastAcc());
  problem.sum = cast<RankedTensorType>(product->getResult(0).getType()).getElementType();
  problem.fromZero = isZeroTile(product->getOperand(2));
  bool leftAcross = !isKFastest(product->getOpOperand(0)), rightAcross = !isKFastest(product->getOpOperand(1));
  problem.across = leftAcross || rightAcross;
  problem.rightAcross = rightAcross && !leftAcross;
  problem.turnedOnTheWay = (!leftAcross || isTurnedOnTheWay(product->getOpOperand(0))) &&
                           (!rightAcross || isTurnedOnTheWay(product->getOpOperand(1)));
  if (auto func = product->getParentOfType<nv_tileaa::FuncOp>())
    problem.exactSums = func->hasAttr(nv_tileaa::kExactSumsAttr);
  problem.chained = chains && chains->contains(product);
  problem.byAgent = bool(getAgentSwitch(product));
  problem.leftComputed = chains && chains->takeLeft(product);
  return problem;
}

namespace {

using tileiras::AtomElement;

AtomElement elementOf(Type type) {
  return llvm::TypeSwitch<Type, AtomElement>(type)
      .Case([](Float16Type) { return AtomElement::F16; })
      .Case([](BFloat16Type) { return AtomElement::BF16; })
      .Case([](FloatTF32Type) { return AtomElement::TF32; })
      .Case([](Float64Type) { return AtomElement::F64; })
      .Case([](Float8E4M3FNType) { return AtomElement::E4M3; })
      .Case([](Float8E5M2Type) { return AtomElement::E5M2; })
      .Case([](Float4E2M1FNType) { return AtomElement::E2M1; })
      .Case([](IntegerType type) { return type.getWidth() == 8 ? AtomElement::I8 : AtomElement::I32; })
      .Default([](Type) { return AtomElement::F32; });
}

Type typeOf(AtomElement element, Type in) {
  Builder b(in.getContext());
  switch (element) {
  case AtomElement::F16:
    return b.getF16Type();
  case AtomElement::F32:
    return b.getF32Type();
  case AtomElement::F64:
    return b.getF64Type();
  case AtomElement::I32:
    return b.getI32Type();
  default: // it is multiplied as it is
    return in;
  }
}

tileiras::AtomOperands operandsOf(const MmaProblem &problem) {
  return {elementOf(problem.element), problem.scaleBlock, isa_and_nonnull<Float8E8M0FNUType>(problem.scale)};
}

/// So much of k the unit adds up by itself: four instructions. cuBLAS and Triton (max_num_imprecise_acc) promote as
/// often where they do; twice as often would take as many additions as a quarter of the unit's time.
constexpr int32_t kPromotedSpan = 128;

/// Words of sums of a thread beside which bytes are turned and spans added up.
constexpr int32_t kWordsWhereTurned = 96;

int32_t wordsOfSums(const DotShape &shape, const WgmmaTiling &tiling) {
  return shape.batch * tiling.passesM(shape) * tiling.passesN(shape) * tiling.n / 2;
}

MmaAlternative byWarpgroups(const MmaProblem &problem, const TargetInfo &target, int warps) {
  MmaAlternative result{{}, "wgmma", {}};
  Type in = problem.element;
  bool narrow = isa<Float8E4M3FNType, Float8E5M2Type>(in);
  if (problem.scaled || !(in.isF16() || in.isBF16() || in.isInteger(8) || isa<FloatTF32Type>(in) || narrow)) {
    result.whyNot = "wgmma has no product of this type";
    return result;
  }
  // Sums of f16 are f16's own. What lies across and cannot be turned by ldmatrix would be turned number by number,
  // which takes longer than multiplying it as f16, whichever way round.
  bool ready = !problem.across || problem.turnedOnTheWay;
  bool asItIs = !narrow || (ready && (problem.fastAcc || !(problem.exactSums || problem.sum.isF16())));
  // The threads that turn also copy; beside so many sums, and as many again of spans, ptxas keeps addresses in memory.
  if (narrow && asItIs && problem.across && !problem.fastAcc) {
    std::string why;
    std::optional<WgmmaTiling> tiling = WgmmaTiling::choose(problem.shape, 8, warps, &why);
    asItIs = tiling && wordsOfSums(problem.shape, *tiling) <= kWordsWhereTurned;
  }
  Type element = asItIs ? in : Float16Type::get(in.getContext());
  int64_t bytes = getStorageBytes(element);
  std::optional<WgmmaTiling> tiling = WgmmaTiling::choose(problem.shape, bytes * 8, warps, &result.whyNot);
  if (!tiling)
    return result;
  // The other product has its columns, this one's k, in the same warpgroups only if there is one of them along n.
  bool registersA = problem.leftComputed && tiling->groupsN == 1;
  const DotShape &shape = problem.shape;
  // What is one span, from zero, is its own sum.
  int32_t span =
      narrow && asItIs && !problem.fastAcc && (shape.k > kPromotedSpan || !problem.fromZero) ? kPromotedSpan : 0;
  if (span) {
    // Narrower instructions where one's sums have no room beside all of them.
    int32_t sums = wordsOfSums(shape, *tiling);
    while (tiling->n > 64 && sums + tiling->n / 2 > kWordsForSpans)
      tiling->n /= 2;
  }
  result.atom =
      WgmmaAtomAttr::get(in.getContext(), element, tiling->n, {tiling->groupsM, tiling->groupsN}, registersA, span);
  int64_t elements = int64_t(shape.batch) * shape.k * (shape.n + (registersA ? 0 : shape.m));
  if (!haveSharedRoom(target, elements, element))
    result.whyNot = "its operands take too much shared memory";
  return result;
}

/// Batches of one are matrices there, and 8-bit floats what they are: sums have all digits of an f32.
MmaAlternative inTensorMemory(const MmaProblem &problem, const TargetInfo &target, int warps) {
  MmaAlternative result{{}, "tcgen05", {}};
  Type in = problem.element;
  auto no = [&](std::string why) {
    result.whyNot = std::move(why);
    return result;
  };
  bool byPowers = problem.scaled && isa<Float8E8M0FNUType>(problem.scale) && problem.scaleBlock % 32 == 0;
  if (byPowers && !problem.pairs && isa<Float4E2M1FNType>(in))
    in = Float8E4M3FNType::get(in.getContext()); // which holds them
  if (!(in.isF16() || in.isBF16() || (in.isInteger(8) && target.tcgen05Int8) || problem.pairs ||
        isa<FloatTF32Type, Float8E4M3FNType, Float8E5M2Type>(in)))
    return no("the target has no product of this type in tensor memory");
  if (problem.scaled && !problem.pairs && !(byPowers && isa<Float8E4M3FNType, Float8E5M2Type>(in)))
    return no("its scales are powers of two for 32 elements or more");
  if (problem.byAgent)
    return no("an agent's products are multiplied by its own warps");
  DotShape shape = problem.shape;
  shape.batched = shape.batch > 1;
  int64_t bytes = getStorageBytes(in);
  std::optional<Tcgen05Tiling> tiling = Tcgen05Tiling::choose(shape, bytes * 8, warps, &result.whyNot);
  if (!tiling)
    return result;
  if (problem.scaled) {
    int32_t scales = (problem.pairs ? 2 : 1) * shape.k / problem.scaleBlock;
    if (shape.batched || tiling->m != 128)
      return no("scaled products are of matrices of at least 128 rows");
    // Of all columns, and a power of two of them.
    if (tiling->columns(shape) + tileiras::Tcgen05Scales{shape.m, scales}.columns() +
            tileiras::Tcgen05Scales{shape.n, scales}.columns() >
        target.tensorMemoryColumns)
      return no("tensor memory has no room for its scales");
  }
  if (!haveSharedRoom(target, int64_t(shape.k) * (shape.n + shape.m), in))
    return no("its operands take too much shared memory");
  result.atom = Sm100MmaAtomAttr::get(in.getContext(), in, tiling->m, tiling->n, tiling->warps);
  return result;
}

constexpr const char *kPairsElsewhere = "pairs of 4-bit elements are multiplied in tensor memory only";

MmaAlternative bySync(const MmaProblem &problem, const TargetInfo &target, int warps) {
  MmaAlternative result{{}, "mma.sync", {}};
  if (problem.pairs) {
    result.whyNot = kPairsElsewhere;
    return result;
  }
  tileiras::MmaAtomRow row = tileiras::chooseMmaAtom(target, operandsOf(problem), problem.shape.k);
  if (row.isMultiplyAdd()) {
    result.whyNot = problem.element.isF32()
                        ? "tf32 would round the operands"
                        : "the smallest instruction takes more than K = " + std::to_string(problem.shape.k);
    return result;
  }
  DotTiling t;
  t.m = row.m, t.n = row.n, t.k = row.k;
  t.warpsBatch = std::min(warps, problem.shape.batch);
  std::tie(t.warpsM, t.warpsN) =
      tileiras::distributeWarps(t, problem.shape, warps / t.warpsBatch, /*rowsOnly=*/problem.chained);
  // A fragment of a right factor of 32-bit numbers with n first is fetched number by number, one of a left factor by
  // the matrix. So of two parts for a warp that are turned against each other, the one with fewer columns.
  int32_t rows = problem.shape.m / t.warpsM, columns = problem.shape.n / t.warpsN;
  bool byNumbers = problem.rightAcross && getStorageBytes(problem.element) == 4;
  if (byNumbers && !problem.chained && t.warpsM > 1 && columns == 2 * rows && columns > t.warpColumns()) {
    t.warpsM /= 2;
    t.warpsN *= 2;
  }
  result.atom = MmaAtomAttr::get(problem.element.getContext(), typeOf(row.multiplied, problem.element), {t.m, t.n, t.k},
                                 {t.warpsBatch, t.warpsM, t.warpsN}, row.scales);
  return result;
}

MmaAlternative byThreads(const MmaProblem &problem, const TargetInfo &target, int warps) {
  if (problem.pairs)
    return {{}, "fma", kPairsElsewhere};
  Type element = typeOf(tileiras::mmaAtoms(target, operandsOf(problem)).back().multiplied, problem.element);
  DotTiling t = tileiras::multiplyAddTiling(problem.shape, element.getIntOrFloatBitWidth(), warps);
  return {FmaAtomAttr::get(problem.element.getContext(), element, {t.m, t.n}, {t.lanesM, t.lanesN},
                           {t.warpsBatch, t.warpsM, t.warpsN}),
          "fma",
          {}};
}

} // namespace

SmallVector<MmaAlternative, 3> nv_tileas::getMmaAlternatives(const MmaProblem &problem, const TargetInfo &target,
                                                             int warps) {
  SmallVector<MmaAlternative, 3> all;
  if (target.hasTcgen05())
    all.push_back(inTensorMemory(problem, target, warps));
  if (target.hasWgmma())
    all.push_back(byWarpgroups(problem, target, warps));
  all.push_back(bySync(problem, target, warps));
  all.push_back(byThreads(problem, target, warps));
  for (MmaAlternative &alternative : all)
    if (alternative.atom)
      alternative.cycles = alternative.atom.getCost(problem.shape).cycles;
  return all;
}

MmaAtomAttrInterface nv_tileas::selectMmaAtom(const MmaProblem &problem, const TargetInfo &target, int warps) {
  SmallVector<MmaAlternative, 3> all = getMmaAlternatives(problem, target, warps);
  auto fits = llvm::find_if(all, [](const MmaAlternative &a) { return a.whyNot.empty(); });
  return fits == all.end() ? MmaAtomAttrInterface() : fits->atom;
}

int64_t nv_tileas::getTurningCycles(MmaAtomAttrInterface atom, int64_t elements, bool kFastest, bool onTheWay) {
  if (kFastest || isa<FmaAtomAttr>(Attribute(atom)) || getStorageBytes(atom.getElement()) == 2)
    return 0;
  if (auto sm100 = dyn_cast<Sm100MmaAtomAttr>(Attribute(atom)); sm100 && readsAcross(sm100))
    return 0;
  constexpr int64_t lanesPerCycle = 32; // that reach shared memory, of all warps together
  // Words of four bytes, read and written.
  if (onTheWay && atom.getCompletion() == Completion::WaitGroup && getStorageBytes(atom.getElement()) == 1)
    return 2 * elements / (4 * lanesPerCycle);
  return elements / lanesPerCycle;
}
