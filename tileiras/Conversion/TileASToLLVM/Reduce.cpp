//===- Reduce.cpp - Reductions inside threads, warps and the block --------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The elements that make up one result differ in the axis coordinate only. By linearity they are reached by adding, to
// any of them, combinations of "directions": sets of register, lane or warp bits that together move the axis coordinate
// and nothing else. So there are three stages:
//
//   1. each thread combines registers that share their other coordinates, as a balanced tree in axis order, three by
//      three where there is an instruction for the largest or smallest of three; sums of many f32 the even and the odd
//      elements side by side where there is one for two additions (PackedFloat.h);
//   2. lanes combine along each lane direction by butterfly shuffles, after which all of them have the sum, or by the
//      one instruction that the reduction's witness names (ReduceAtoms.h);
//   3. warps leave their part in the scratch tile, at (result element, number of the part). Of a few parts every thread
//      combines all of its results in axis order. Of many, no thread reads them all: the lanes of a warp take one part
//      of a result each and combine them by shuffles, the warps share the results, and every thread reads what it
//      needs of the combined ones. (One result: every warp combines it for itself, without another trip.)
//
// and last the identity comes in front, once per result: an identity need not be one for every value (a maximum in
// which NaNs lose has none that keeps NaN, and 0 + -0 is 0), and what the reference computes is body(...
// body(body(identity, x0), x1) ...).
//
// The order of combination is fixed by the layout alone, so results are reproducible and all copies of a result are
// equal. Where the body is not evidently commutative the operand with the lower axis coordinate always comes first.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"
#include "tileiras/Conversion/TileASToLLVM/PackedFloat.h"
#include "tileiras/Conversion/TileASToLLVM/TensorMemory.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/ReduceAtoms.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/F2Basis.h"
#include "tileiras/Support/LinearLayout.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>

using namespace mlir;
using namespace mlir::tilellvm;

SmallVector<Value> tilellvm::inlineBody(Emitter &e, RewriterBase &rewriter, Block &body, ArrayRef<Value> arguments) {
  IRMapping mapping;
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments)) {
    Value bound = value;
    if (bound.getType() != argument.getType())
      bound = UnrealizedConversionCastOp::create(rewriter, e.loc, argument.getType(), bound).getResult(0);
    mapping.map(argument, bound);
  }
  for (Operation &inner : body.without_terminator())
    rewriter.clone(inner, mapping);
  SmallVector<Value> results;
  size_t perValue = arguments.size() / body.getTerminator()->getNumOperands();
  for (auto [index, yielded] : llvm::enumerate(body.getTerminator()->getOperands())) {
    Value value = mapping.lookupOrDefault(yielded);
    Type type = arguments[index * perValue].getType();
    if (value.getType() != type)
      value = UnrealizedConversionCastOp::create(rewriter, e.loc, type, value).getResult(0);
    results.push_back(value);
  }
  return results;
}

FailureOr<SmallVector<Value>> tilellvm::identityValues(Emitter &e, Operation *op, ArrayAttr identities,
                                                       ArrayRef<Value> like) {
  SmallVector<Value> values;
  for (auto [identity, value] : llvm::zip(identities, like)) {
    FailureOr<Value> constant = scalarConstant(e, identity, value.getType());
    if (failed(constant) || constant->getType() != value.getType())
      return op->emitOpError("identity ") << identity << " is not of the operand's element type";
    values.push_back(*constant);
  }
  if (values.size() != like.size())
    return op->emitOpError("expects one identity per operand");
  return values;
}

namespace {

using Values = SmallVector<Value>;

/// So many values may be alive beside each other wherever LLVM wants them.
constexpr size_t kFewResults = 16;

/// A set of bits of one input that moves the axis coordinate by `axis` and nothing else.
struct Direction {
  unsigned mask;
  unsigned pivot; ///< a bit of the mask that no other direction has
  uint64_t axis;
};

/// Directions among the bits of one input that reach axis coordinates not reached before (`span` collects those that
/// are).
SmallVector<Direction> findDirections(ArrayRef<uint64_t> bases, FlatLayout::Field axis, tileiras::F2Basis &span) {
  uint64_t axisMask = ((uint64_t(1) << axis.bits) - 1) << axis.shift;
  SmallVector<Direction> directions;
  tileiras::F2Basis others;
  for (auto [bit, basis] : llvm::enumerate(bases)) {
    std::optional<uint64_t> combination = others.solve(basis & ~axisMask);
    others.insert(basis & ~axisMask);
    if (!combination)
      continue;
    unsigned mask = unsigned(*combination) | 1u << bit;
    uint64_t moved = 0;
    for (auto [b, value] : llvm::enumerate(bases))
      if ((mask >> b) & 1)
        moved ^= axis.of(value);
    if (moved != 0 && span.insert(moved))
      directions.push_back({mask, unsigned(bit), moved});
  }
  return directions;
}

class ReduceLowering {
public:
  ReduceLowering(nv_tileas::ReduceOp op, nv_tileas::ReduceOp::Adaptor adaptor, const TileLLVMTypeConverter &types,
                 ConversionPatternRewriter &rewriter)
      : op(op), adaptor(adaptor), types(types), rewriter(rewriter), e(rewriter, op.getLoc()),
        sourceType(cast<RankedTensorType>(op.getSources().front().getType())),
        layout(nv_tileas::getLinearLayout(sourceType)), flat(layout), axis(flat.dims[op.getAxis()]),
        kept(layout.dropOutDim(op.getAxis())), commutative(isCommutative()) {}

  LogicalResult run();

private:
  bool isCommutative();
  bool takesThree();
  Values combine(ArrayRef<Value> lower, ArrayRef<Value> upper);
  Values tree(ArrayRef<Values> parts);
  bool addsInPairs(size_t count);
  Values sumOfPairs(ArrayRef<Values> parts);
  LogicalResult combineRegisters();
  void combineLanes(ArrayRef<Direction> directions, bool thenWarps);
  void combineLanesByRedux();
  LogicalResult voteOfWarp();
  void combineWithLane(Values &mine, unsigned mask, Value isUpper);
  Value computedHere(Value v);
  LogicalResult combineWarps(ArrayRef<Direction> directions);
  std::vector<Values> readScratch(ArrayRef<LinearLayout> offsets);
  void readDirectly(const tileiras::LayoutRounds &rounds, int round, ArrayRef<LinearLayout> offsets);
  std::vector<Values> combinePartsByLanes(ArrayRef<LinearLayout> offsets, unsigned partBits);

  nv_tileas::ReduceOp op;
  nv_tileas::ReduceOp::Adaptor adaptor;
  const TileLLVMTypeConverter &types;
  ConversionPatternRewriter &rewriter;
  Emitter e;
  RankedTensorType sourceType;
  LinearLayout layout;
  FlatLayout flat;
  FlatLayout::Field axis;
  LinearLayout kept; ///< the layout without the axis
  bool commutative;
  LinearLayout resultLayout;
  std::vector<Values> results; ///< per result register, one value per operand
};

/// For every tile one operation, of its own element and accumulator, that does not mind their order.
bool ReduceLowering::isCommutative() {
  Block &body = op.getBody().front();
  for (auto [i, yielded] : llvm::enumerate(body.getTerminator()->getOperands())) {
    Operation *only = yielded.getDefiningOp();
    if (!only || only->getBlock() != &body || only->getNumOperands() != 2 ||
        !(only->hasTrait<OpTrait::IsCommutative>() || isa<nv_tileaa::AddFOp, nv_tileaa::MulFOp>(only)))
      return false;
    Value element = body.getArgument(2 * i), all = body.getArgument(2 * i + 1);
    if (!(only->getOperand(0) == element && only->getOperand(1) == all) &&
        !(only->getOperand(0) == all && only->getOperand(1) == element))
      return false;
  }
  return true;
}

/// Whether the target has an instruction that does it to three (PTX ISA, "max", with a third input, which came with
/// f32x2; ptxas makes one of two).
bool ReduceLowering::takesThree() {
  const tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
  Operation *end = op.getBody().front().getTerminator();
  return target && target->f32x2 && commutative && llvm::all_of(end->getOperands(), [](Value yielded) {
           return yielded.getType().isF32() &&
                  isa<arith::MaxNumFOp, arith::MaximumFOp, arith::MinNumFOp, arith::MinimumFOp, nv_tileaa::MaxFOp,
                      nv_tileaa::MinFOp>(yielded.getDefiningOp());
         });
}

/// The body applied to two partial results: block arguments are (element, accumulator) per operand.
Values ReduceLowering::combine(ArrayRef<Value> lower, ArrayRef<Value> upper) {
  Values arguments;
  for (auto [l, u] : llvm::zip_equal(lower, upper))
    arguments.append({u, l});
  return inlineBody(e, rewriter, op.getBody().front(), arguments);
}

/// Combines neighbours, then neighbours of those, ...
Values ReduceLowering::tree(ArrayRef<Values> parts) {
  std::vector<Values> level(parts.begin(), parts.end());
  const size_t together = takesThree() ? 3 : 2;
  while (level.size() > 1) {
    std::vector<Values> next;
    for (size_t i = 0; i < level.size(); i += together) {
      Values all = level[i];
      for (size_t j = i + 1; j < std::min(i + together, level.size()); ++j)
        all = combine(all, level[j]);
      next.push_back(all);
    }
    level = std::move(next);
  }
  return level.front();
}

/// Whether it adds up so many f32 of one tile, rounded to nearest, two of which the target adds at a time.
bool ReduceLowering::addsInPairs(size_t count) {
  Operation *end = op.getBody().front().getTerminator();
  auto add = dyn_cast_if_present<arith::AddFOp>(end->getOperand(0).getDefiningOp());
  return commutative && add && end->getNumOperands() == 1 && add.getType().isF32() &&
         add.getFastmath() == arith::FastMathFlags::none && packsFloats(op, count);
}

Values ReduceLowering::sumOfPairs(ArrayRef<Values> parts) {
  Values level;
  for (size_t i = 0; i < parts.size(); i += 2)
    level.push_back(packFloats(e, parts[i].front(), parts[i + 1].front()));
  // Four sums side by side hide the latency of an addition, and each element is used up when it is made; then these
  // four as a tree.
  constexpr size_t chains = 4;
  for (size_t i = chains; i < level.size(); ++i)
    level[i % chains] = LLVM::FAddOp::create(e.b, e.loc, level[i % chains], level[i]);
  level.resize(std::min(level.size(), chains));
  while (level.size() > 1) {
    Values next;
    for (size_t i = 0; i + 1 < level.size(); i += 2)
      next.push_back(LLVM::FAddOp::create(e.b, e.loc, level[i], level[i + 1]));
    if (level.size() % 2)
      next.push_back(level.back());
    level = std::move(next);
  }
  Values sum = combine({unpackFloat(e, level.front(), 0)}, {unpackFloat(e, level.front(), 1)});
  // LLVM adds where the sum is used, perhaps much later, and keeps all elements until then.
  return op->hasAttr(kComputedHereAttr) ? Values{computedHere(sum.front())} : sum;
}

LogicalResult ReduceLowering::combineRegisters() {
  // Registers by the result element they belong to, then by axis coordinate; copies count once.
  FlatLayout keptFlat(kept);
  std::map<uint64_t, std::map<uint64_t, unsigned>> groups;
  for (unsigned r = 0; r < flat.numRegisters(); ++r)
    groups[keptFlat.ofRegister(r)].try_emplace(axis.of(flat.ofRegister(r)), r);
  std::vector<Values> columns;
  for (Value source : adaptor.getSources())
    columns.push_back(e.unpack(source));
  std::map<uint64_t, Values> sums;
  for (auto &[element, members] : groups) {
    std::vector<Values> parts;
    for (auto [coordinate, r] : members) {
      Values &row = parts.emplace_back();
      for (const Values &column : columns)
        row.push_back(column[r]);
    }
    sums[element] = addsInPairs(parts.size()) ? sumOfPairs(parts) : tree(parts);
  }
  // To the result's registers.
  FlatLayout resultFlat(resultLayout);
  for (unsigned r = 0; r < resultFlat.numRegisters(); ++r) {
    auto found = sums.find(resultFlat.ofRegister(r));
    if (found == sums.end())
      return failure();
    results.push_back(found->second);
  }
  return success();
}

/// The value with that of the lane at distance `mask`; `isUpper` (null: it does not matter) says that this lane's has
/// the higher axis coordinate.
void ReduceLowering::combineWithLane(Values &mine, unsigned mask, Value isUpper) {
  Values other;
  for (Value v : mine)
    other.push_back(e.shuffleXor(v, mask));
  if (!isUpper) {
    mine = combine(mine, other);
    return;
  }
  Values lower, upper;
  for (auto [m, o] : llvm::zip_equal(mine, other)) {
    lower.push_back(e.select(isUpper, o, m));
    upper.push_back(e.select(isUpper, m, o));
  }
  mine = combine(lower, upper);
}

void ReduceLowering::combineLanes(ArrayRef<Direction> directions, bool thenWarps) {
  ThreadLayout thread(e, layout);
  for (const Direction &direction : directions) {
    Value isUpper;
    if (!commutative) {
      Value coordinate = thread.threadPart(op.getAxis());
      isUpper = e.icmp(LLVM::ICmpPredicate::ne, e.andi(coordinate, e.i32(llvm::bit_floor(direction.axis))), e.i32(0));
    }
    for (Values &mine : results) {
      combineWithLane(mine, direction.mask, isUpper);
      // Stored by the owners alone, of many results.
      if (thenWarps && &direction == &directions.back() && results.size() > kFewResults)
        for (Value &v : mine)
          v = computedHere(v);
    }
  }
}

/// All lanes of a warp by one instruction (PTX ISA, "redux.sync"), whose result all of them get. The verifier has
/// compared it with body and layout.
void ReduceLowering::combineLanesByRedux() {
  for (auto [i, name] : llvm::enumerate(nv_tileas::getReduxKinds(op))) {
    auto kind = llvm::StringSwitch<NVVM::ReduxKind>(name)
                    .Case("add", NVVM::ReduxKind::ADD)
                    .Case("smin", NVVM::ReduxKind::MIN)
                    .Case("smax", NVVM::ReduxKind::MAX)
                    .Case("umin", NVVM::ReduxKind::UMIN)
                    .Case("umax", NVVM::ReduxKind::UMAX)
                    .Case("and", NVVM::ReduxKind::AND)
                    .Case("or", NVVM::ReduxKind::OR)
                    .StartsWith("fmin", NVVM::ReduxKind::FMIN)
                    .StartsWith("fmax", NVVM::ReduxKind::FMAX)
                    .Default(NVVM::ReduxKind::XOR);
    for (Values &mine : results)
      mine[i] = NVVM::ReduxOp::create(rewriter, e.loc, mine[i].getType(), mine[i], kind, e.i32(-1), /*abs=*/false,
                                      /*nan=*/name.ends_with(".NaN"));
  }
}

/// Whether something that the warp has is true (PTX ISA, "vote.sync").
LogicalResult ReduceLowering::voteOfWarp() {
  auto last = dyn_cast_if_present<arith::OrIOp>(op.getBody().front().getTerminator()->getOperand(0).getDefiningOp());
  if (!last || !commutative || results.size() != 1 || results.front().size() != 1 ||
      !results.front().front().getType().isInteger(1))
    return op.emitOpError("of a warp expects one tile of i1 with one dimension, and 'or'");
  rewriter.replaceOpWithNewOp<NVVM::VoteSyncOp>(op, e.intTy(1), e.i32(-1), results.front().front(),
                                                NVVM::VoteSyncKind::any);
  return success();
}

/// A layout with the same lanes, other registers and warps, and one output of `size`.
LinearLayout withWarpParts(const LinearLayout &result, ArrayRef<std::pair<unsigned, uint64_t>> warpBits,
                           ArrayRef<uint64_t> moreRegisters, int32_t size) {
  auto list = [&](tileiras::DimName name) {
    LinearLayout::InDim in{name, {}};
    for (uint64_t basis : result.flatBases(name))
      in.bases.push_back({int32_t(basis)});
    return in;
  };
  std::vector<LinearLayout::InDim> ins = {list(tileiras::kRegister), list(tileiras::kLane), list(tileiras::kWarp),
                                          list(tileiras::kBlock)};
  for (uint64_t basis : moreRegisters)
    ins[0].bases.push_back({int32_t(basis)});
  for (auto [bit, value] : warpBits)
    ins[2].bases[bit][0] ^= int32_t(value);
  return LinearLayout(std::move(ins), std::vector<int32_t>{size});
}

/// LLVM moves what is computed from the parts, or of what lanes have exchanged, to where it is used: after the next
/// barrier, or in the branch of those who store it. The parts themselves cannot go there, and all of them would be live
/// (twice as many values as there are results). An empty instruction that it must not move uses the result here.
Value ReduceLowering::computedHere(Value v) {
  if (!v.getType().isIntOrFloat())
    return v;
  unsigned bits = v.getType().getIntOrFloatBitWidth();
  if (bits != 16 && bits != 32 && bits != 64)
    return v;
  StringRef constraint = bits == 16 ? "=h,0" : bits == 32 ? "=r,0" : "=l,0";
  Type type = e.intTy(bits);
  return e.bitcast(inlinePtx(e, type, e.bitcast(v, type), "", constraint, Access::Any), v.getType());
}

/// The parts of one result, in the order of the axis: the sums of a basis of the span of `directions` whose vectors
/// have their highest bits for themselves are sorted as their combinations are. Gives for each direction the number of
/// the part that it leads to.
SmallVector<uint64_t> numberParts(ArrayRef<Direction> directions) {
  SmallVector<uint64_t> sorted = {0};
  for (const Direction &direction : directions)
    for (size_t i = 0, n = sorted.size(); i < n; ++i)
      sorted.push_back(sorted[i] ^ direction.axis);
  llvm::sort(sorted);
  SmallVector<uint64_t> numbers;
  for (const Direction &direction : directions)
    numbers.push_back(llvm::find(sorted, direction.axis) - sorted.begin());
  return numbers;
}

/// Where the scratch tile has part `part` of result element 0, of which there are 2^elementBits: linear over XOR. Lanes
/// that read different parts of one element, or of neighbours, meet in no bank.
uint64_t placeOfPart(uint64_t part, unsigned elementBits, bool swizzled) {
  constexpr unsigned bankBits = 5;
  uint64_t place = part << elementBits;
  if (swizzled)
    place ^= (part >> (bankBits - std::min(bankBits, elementBits))) & ((uint64_t(1) << elementBits) - 1);
  return place;
}

/// How the threads share the work of combining parts: the low lane bits are the parts of one element, the others and
/// the warps the elements; what remains are registers. Without `withParts`: where the combined elements are.
LinearLayout sharedWork(unsigned partBits, unsigned elementBits, const LinearLayout &threads, bool withParts) {
  std::vector<LinearLayout::InDim> ins;
  for (tileiras::DimName name : {tileiras::kRegister, tileiras::kLane, tileiras::kWarp, tileiras::kBlock})
    ins.push_back({std::string(name), {}});
  SmallVector<uint64_t> elements; // bits in the order they are given out
  auto give = [&](unsigned from, unsigned to) {
    for (unsigned bit = from; bit < std::min(to, elementBits); ++bit)
      elements.push_back(uint64_t(1) << bit);
  };
  give(partBits, 5);
  give(0, std::min(partBits, 5u));
  give(5, elementBits);
  size_t next = 0;
  auto element = [&]() -> int32_t { return next < elements.size() ? int32_t(elements[next++]) : 0; };
  for (unsigned bit = 0; bit < 5; ++bit)
    ins[1].bases.push_back({bit >= partBits ? element()
                            : withParts     ? int32_t(placeOfPart(1u << bit, elementBits, true))
                                            : 0});
  for (int bit = 0; bit < threads.inBits(tileiras::kWarp); ++bit)
    ins[2].bases.push_back({element()});
  while (next < elements.size())
    ins[0].bases.push_back({element()});
  ins[3].bases.assign(threads.inBits(tileiras::kBlock), {0});
  return LinearLayout(std::move(ins), std::vector<int32_t>{int32_t(1) << (elementBits + partBits)});
}

/// Per operand, what the scratch tile has for each register.
std::vector<Values> ReduceLowering::readScratch(ArrayRef<LinearLayout> offsets) {
  std::vector<Values> read;
  for (auto [i, layout] : llvm::enumerate(offsets))
    read.push_back(loadSharedTile(e, adaptor.getScratch()[i], layout, results.front()[i].getType()));
  return read;
}

/// A few parts: every thread combines those of its results.
void ReduceLowering::readDirectly(const tileiras::LayoutRounds &rounds, int round, ArrayRef<LinearLayout> offsets) {
  std::vector<Values> read = readScratch(offsets); // registers, then parts
  unsigned count = rounds.part.inSize(tileiras::kRegister), parts = read.front().size() / count;
  for (unsigned r = 0; r < count; ++r) {
    std::vector<Values> rows(parts);
    for (unsigned part = 0; part < parts; ++part)
      for (const Values &column : read)
        rows[part].push_back(column[part * count + r]);
    Values &result = results[rounds.registerOf(r, round)] = tree(rows);
    if (count * parts > kFewResults)
      for (Value &v : result)
        v = computedHere(v);
  }
}

/// Many parts: reads those of this thread's share and combines them over the lanes, neighbours first.
std::vector<Values> ReduceLowering::combinePartsByLanes(ArrayRef<LinearLayout> offsets, unsigned partBits) {
  std::vector<Values> columns = readScratch(offsets), rows(columns.front().size());
  for (auto [r, row] : llvm::enumerate(rows))
    for (const Values &column : columns)
      row.push_back(column[r]);
  for (unsigned bit = 0; bit < partBits; ++bit) {
    Value isUpper;
    if (!commutative)
      isUpper = e.icmp(LLVM::ICmpPredicate::ne, e.andi(e.lane(), e.i32(1 << bit)), e.i32(0));
    for (Values &row : rows) {
      combineWithLane(row, 1u << bit, isUpper);
      if (bit + 1 == partBits && rows.size() > kFewResults)
        for (Value &v : row)
          v = computedHere(v);
    }
  }
  return rows;
}

LogicalResult ReduceLowering::combineWarps(ArrayRef<Direction> directions) {
  if (op.getScratch().size() != op.getSources().size())
    return op.emitOpError("along an axis that is spread over warps needs scratch tiles");
  unsigned partBits = directions.size(), parts = 1u << partBits;
  int64_t all = (int64_t(1) << resultLayout.totalOutBits()) * parts;
  // Scratch tiles may hold the results of one round (tileas-legalize-reduce).
  int64_t held = cast<RankedTensorType>(op.getScratch().front().getType()).getNumElements();
  tileiras::LayoutRounds rounds = tileiras::splitIntoRounds(resultLayout, held < all ? llvm::Log2_64(all / held) : 0);
  unsigned elementBits = rounds.part.totalOutBits();
  int32_t size = int32_t(parts) << elementBits;
  // Up to four parts are no more than one access of four words; lanes have room for 32.
  constexpr unsigned few = 4, lanesOfAWarp = 32;
  bool byLanes = parts > few && parts <= lanesOfAWarp;
  SmallVector<std::pair<unsigned, uint64_t>> warpBits;
  SmallVector<uint64_t> partBases;
  for (auto [direction, number] : llvm::zip_equal(directions, numberParts(directions)))
    warpBits.push_back({direction.pivot, placeOfPart(number, elementBits, byLanes)});
  for (unsigned bit = 0; bit < partBits && !byLanes; ++bit)
    partBases.push_back(placeOfPart(uint64_t(1) << bit, elementBits, false));
  LinearLayout writer = withWarpParts(rounds.part, warpBits, {}, size);
  // What a thread reads in the end: its results' parts, or combined results, which take the place of the first part.
  LinearLayout reader = withWarpParts(rounds.part, {}, partBases, size);
  LinearLayout work = sharedWork(partBits, elementBits, resultLayout, /*withParts=*/true);
  LinearLayout combined = sharedWork(partBits, elementBits, resultLayout, /*withParts=*/false);

  Value owns = ownerPredicate(e, writer);
  unsigned count = rounds.part.inSize(tileiras::kRegister);
  std::vector<Values> addresses;
  SmallVector<LinearLayout> readOffsets, workOffsets, combinedOffsets;
  for (auto [i, scratch] : llvm::enumerate(op.getScratch())) {
    auto scratchType = cast<RankedTensorType>(scratch.getType());
    Type element = results.front()[i].getType();
    LinearLayout memory = nv_tileas::getLinearLayout(scratchType);
    if (scratchType.getRank() != 1 || scratchType.getNumElements() != size || !memoryBits(element))
      return op.emitOpError("expects scratch tiles of ") << size << " elements";
    auto offsets = [&](const LinearLayout &l) {
      auto composed = l.invertAndCompose(memory);
      return composed ? composed->sublayout(composed->inNames(), {tileiras::kOffset}) : LinearLayout();
    };
    TileAddresses where(e, offsets(writer), adaptor.getScratch()[i], memoryBits(element) / 8);
    Values &column = addresses.emplace_back();
    for (unsigned r = 0; r < count; ++r)
      column.push_back(where.of(e, r));
    readOffsets.push_back(offsets(reader));
    workOffsets.push_back(offsets(work));
    combinedOffsets.push_back(offsets(combined));
  }
  for (int round = 0; round < rounds.count(); ++round) {
    if (round > 0 || !op.getNoWarBarrier())
      e.barrier();
    e.onlyIf(owns, [&](Emitter &inner) {
      for (auto [i, column] : llvm::enumerate(addresses))
        for (unsigned r = 0; r < count; ++r)
          storeShared(inner, column[r], results[rounds.registerOf(r, round)][i]);
    });
    e.barrier();
    if (!byLanes) {
      readDirectly(rounds, round, readOffsets);
      continue;
    }
    if (elementBits == 0) {
      results[rounds.registerOf(0, round)] = combinePartsByLanes(workOffsets, partBits).front();
      continue;
    }
    // Warps without a share of their own would read what the others replace.
    tileiras::OwnerMask mask = tileiras::ownerMask(work);
    mask.warp |= warpsWithCopies(e.threads(), work);
    Value works, writes = ownerPredicate(e, combined);
    if (mask.warp)
      works = e.icmp(LLVM::ICmpPredicate::eq, e.andi(e.warp(), e.i32(mask.warp)), e.i32(0));
    e.onlyIf(works, [&](Emitter &inner) {
      std::vector<Values> rows = combinePartsByLanes(workOffsets, partBits);
      // So would lanes.
      if (mask.lane)
        NVVM::SyncWarpOp::create(inner.b, inner.loc, inner.i32(-1));
      inner.onlyIf(writes, [&](Emitter &writer) {
        for (auto [i, offsets] : llvm::enumerate(combinedOffsets)) {
          TileAddresses where(writer, offsets, adaptor.getScratch()[i], memoryBits(rows.front()[i].getType()) / 8);
          for (auto [r, row] : llvm::enumerate(rows))
            storeShared(writer, where.of(writer, r), row[i]);
        }
      });
    });
    e.barrier();
    std::vector<Values> read = readScratch(readOffsets);
    for (unsigned r = 0; r < count; ++r) {
      Values &result = results[rounds.registerOf(r, round)];
      for (auto [i, column] : llvm::enumerate(read))
        result[i] = column[r];
    }
  }
  return success();
}

LogicalResult ReduceLowering::run() {
  auto badLayout = [&] { return op.emitOpError("layout of the operand is not supported along this axis"); };
  // Result layout: given by the result's type; scalars are held by everybody.
  auto resultType = dyn_cast<RankedTensorType>(op.getResult(0).getType());
  if (resultType) {
    resultLayout = nv_tileas::getLinearLayout(resultType);
    for (tileiras::DimName name : {tileiras::kLane, tileiras::kWarp, tileiras::kBlock}) {
      std::vector<uint64_t> given = resultLayout.flatBases(name), wanted = kept.flatBases(name);
      size_t bits = std::max(given.size(), wanted.size());
      given.resize(bits);
      wanted.resize(bits);
      if (given != wanted)
        return op.emitOpError("result layout is not the operand's without the axis");
    }
  } else {
    // One element; the registers of a 1-element tile.
    std::vector<LinearLayout::InDim> ins;
    for (tileiras::DimName name : {tileiras::kRegister, tileiras::kLane, tileiras::kWarp, tileiras::kBlock}) {
      LinearLayout::InDim in{name, {}};
      if (name != tileiras::kRegister)
        in.bases.assign(layout.inBits(name), {0});
      ins.push_back(std::move(in));
    }
    resultLayout = LinearLayout(std::move(ins), std::vector<int32_t>{1});
  }

  tileiras::F2Basis span;
  findDirections(flat.reg, axis, span);
  SmallVector<Direction> lanes = findDirections(flat.lane, axis, span);
  SmallVector<Direction> warps = findDirections(flat.warp, axis, span);
  if (span.rank() != int(axis.bits))
    return badLayout();
  llvm::stable_sort(lanes, [](const Direction &a, const Direction &b) { return a.axis < b.axis; });
  if (failed(combineRegisters()))
    return op.emitOpError("result layout is not the operand's without the axis");
  if (op->hasAttr(nv_tileas::kOfWarpAttr))
    return voteOfWarp();
  if (nv_tileas::isByRedux(op))
    combineLanesByRedux();
  else
    combineLanes(lanes, /*thenWarps=*/!warps.empty());
  if (!warps.empty() && failed(combineWarps(warps)))
    return failure();
  FailureOr<Values> identities = identityValues(e, op, op.getIdentities(), results.front());
  if (failed(identities))
    return failure();
  for (Values &result : results)
    result = combine(*identities, result);

  Values packed;
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Values column;
    for (const Values &row : results)
      column.push_back(row[i]);
    packed.push_back(e.pack(types.convertType(result.getType()), column));
  }
  rewriter.replaceOp(op, packed);
  return success();
}

struct Reduce : TilePattern<nv_tileas::ReduceOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    for (Value v : op.getSources())
      if (!types().convertType(v.getType()))
        return rewriter.notifyMatchFailure(op, "operand type has no conversion");
    return ReduceLowering(op, adaptor, types(), rewriter).run();
  }
};

} // namespace

void tilellvm::populateReducePatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                      const LoweringOptions &options) {
  patterns.add<Reduce>(converter, patterns.getContext(), options);
}
