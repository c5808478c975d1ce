//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-materialize-convert-layout (docs/contract.md, "Layout conversions").
//
// Decides for every layout conversion how the elements travel and writes that
// down as operations: register to register (tag 0: `copy` inside a thread, `shuffle`
// between the lanes of a warp) or through shared memory (tag 1: alloc_tensor, `copy` into it, and
// a terminal convert_layout out of it that carries the atom_plan). The plans and their costs
// are plain mathematics on the two layouts, see tileiras/Support/ConvertPlan.h; they are sorted stably by
// cost and the first feasible one is taken. Operands of matrix products stay in shared memory. A tile that would take
// too much of it goes half by half, where a half is a matter of registers alone on both sides, else in rounds, part by
// part through one buffer (a `copy` with a destination and a result).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/MatrixStore.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/ConversionHalves.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadPastRegisters.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedFactors.h"
#include "tileiras/Dialect/TileAS/Transforms/StageScales.h"
#include "tileiras/Dialect/TileAS/Transforms/WholeOperands.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LinearLayout.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>
#include <tuple>

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_MATERIALIZECONVERTLAYOUTPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::ConvertKind;
using tileiras::ConvertPlan;
using tileiras::LinearLayout;

namespace {

struct MaterializeConvertLayoutPass : nv_tileas::impl::MaterializeConvertLayoutPassBase<MaterializeConvertLayoutPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    SharedMemory shared(getOperation());
    pieceBytes = shared.piece();
    roomForAll = shared.room();
    llvm::SmallPtrSet<Operation *, 8> later = readersOfShared(getOperation(), feedsProducts);
    int64_t operands = shared.demandWithOperands(
        getOperation().getBody(), [&](ConvertLayoutOp op) { return feedsProducts(op) && !later.contains(op); });
    wholeOperands = operands <= roomForAll;
    if (!wholeOperands)
      whole = chooseWholeOperands(getOperation(), shared, feedsProducts);
    besideRings = bytesOfRings();
    reportOperands(operands);
    dropFreeConversions();
    numAsync += 2 * stageScales(getOperation());
    // A shared tile lives from the first of its products to the last one.
    if (wholeOperands)
      numAsync += shareFactors(getOperation(), feedsProducts);
    SmallVector<ConvertLayoutOp> conversions;
    getOperation().walk([&](ConvertLayoutOp op) {
      if (isIn(op.getSource().getType(), MemoryKind::Registers))
        conversions.push_back(op);
    });
    for (ConvertLayoutOp op : llvm::reverse(conversions))
      if (failed(checkOptions(op)) || failed(materialize(op)))
        return signalPassFailure();
    stageOperands();
  }

  /// Whether an operand of a product is in shared memory whole.
  bool staysWhole(Operation *op) const { return wholeOperands || whole.contains(op); }

  /// How a product wants an operand in shared memory that is still in registers; none if it does not.
  static std::optional<LinearLayout> getStaging(DotOp dot, OpOperand &operand) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    if (!dot.getAtom() || !isIn(type, MemoryKind::Registers))
      return std::nullopt;
    return dot.getAtom()->getStagingLayout(getDotShape(dot), getDotOperand(operand),
                                           getStorageBytes(type.getElementType()), getLinearLayout(type));
  }

  /// Whether products of the block alone use a tile, all of which want it in shared memory in one way, as attention
  /// backward multiplies queries twice; `dot` is the first of them.
  static bool isForProductsAlike(DotOp dot, Value tile, const LinearLayout &memory) {
    return llvm::all_of(tile.getUses(), [&](OpOperand &use) {
      auto user = dyn_cast<DotOp>(use.getOwner());
      if (!user || user->getBlock() != dot->getBlock() || (user != dot && !dot->isBeforeInBlock(user)) ||
          (&use != &user.getAMutable() && &use != &user.getBMutable()))
        return false;
      std::optional<LinearLayout> its = getStaging(user, use);
      return its && *its == memory;
    });
  }

  /// What is loaded for products alone goes to shared memory past the registers. Null if it cannot.
  Value stagePastRegisters(OpBuilder &builder, DotOp dot, Value operand, LinearLayout memory) {
    std::optional<LoadForOne> found = LoadForOne::ofAny(operand, isForProductsAlike(dot, operand, memory));
    if (!wholeOperands || !found || !found->mayBeFetchedBy(dot))
      return {};
    Type element = found->getType().getElementType();
    int64_t bytes = getStorageBytes(element);
    if (getMemoryBits(element) != 8 * bytes)
      return {};
    for (Operation *shape : found->shapes) {
      std::optional<LinearLayout> before = inferOperandLayout(shape, 0, memory);
      if (!before)
        return {};
      memory = *before;
    }
    int64_t most = std::min<int64_t>(found->getVec(), 16 / bytes);
    int64_t run = found->runBytes(memory, most, bytes);
    // Words that the product wants turned: threads write four at once (TurnedLoads.h), copies one, into few banks.
    bool isTurned = bytes == 4 && run < most * bytes && most * bytes == 16;
    return run < 4 || isTurned ? Value() : copyPastRegisters(builder, *found, memory, run, dot, /*asyncProxy=*/true);
  }

  /// What the rings of the loop whose products read most from shared memory will take, as deep as they have to be: a
  /// stage that is read and one that is filled, and one more where products read theirs after the threads have gone on;
  /// no more than rings are going to have.
  /// What is computed first, say widened, is no stage: it has one tile, which is written in every round.
  int64_t bytesOfRings() {
    DenseMap<Block *, std::pair<llvm::SmallDenseSet<Value>, int64_t>> loops;
    getOperation().walk([&](DotOp dot) {
      if (!dot.getAtom() || !isa<LoopLikeOpInterface>(dot->getParentOp()))
        return;
      auto &[operands, bytes] = loops[dot->getBlock()];
      int64_t stages = dot.getAtom()->getCompletion() == Completion::AtOnce ? 2 : 3;
      if (numStages > 0)
        stages = std::min<int64_t>(stages, numStages);
      for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()}) {
        Value tile = operand->get();
        if (tile.getParentBlock() == dot->getBlock() &&
            dot.getAtom()->getMemories(getDotOperand(*operand)).contains(MemoryKind::Shared) &&
            operands.insert(tile).second)
          bytes += (isLoaded(tile) ? stages : 1) * getSharedBytes(cast<RankedTensorType>(tile.getType()));
      }
    });
    int64_t most = 0;
    for (auto &loop : loops)
      most = std::max(most, loop.second.second);
    return most;
  }

  /// Whether a tile is what a load brings, in whatever shape and layout.
  static bool isLoaded(Value tile) {
    Operation *def = tile.getDefiningOp();
    while (def && (isReshape(def) || isa<ConvertLayoutOp>(def)))
      def = def->getOperand(0).getDefiningOp();
    auto access = dyn_cast_if_present<nv_tileaa::MemoryAccessOpInterface>(def);
    return access && access.readsMemory();
  }

  /// Of a conversion that stands outside of the loop with the products, say of sums on their way to a store: what it
  /// may take without the block taking more shared memory than the rings do, which are free by then. Small tiles are
  /// worth no barriers.
  int64_t roomBesideRings(ConvertLayoutOp op) {
    constexpr int64_t small = 16 << 10;
    bool amongProducts = llvm::any_of(*op->getBlock(), llvm::IsaPred<DotOp>);
    for (Operation *around = op->getParentOp(); around && !amongProducts && around != getOperation();
         around = around->getParentOp())
      amongProducts = llvm::any_of(*around->getBlock(), llvm::IsaPred<DotOp>);
    return amongProducts || !besideRings ? pieceBytes : std::min(pieceBytes, std::max(besideRings, small));
  }

  /// What a product reads from shared memory may arrive in any layout.
  void dropFreeConversions() {
    getOperation().walk([](DotOp dot) {
      if (!dot.getAtom())
        return;
      for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()})
        while (auto convert = operand->get().getDefiningOp<ConvertLayoutOp>()) {
          if (getDotOperandLayout(dot, *operand) || !isIn(convert.getSource().getType(), MemoryKind::Registers))
            break;
          operand->set(convert.getSource());
          if (convert.use_empty())
            convert.erase();
        }
    });
  }

  /// Puts operands that their products read from shared memory, and that are still in registers, there.
  void stageOperands() {
    // What several operands are shapes of lies there once: keys, and keys transposed.
    struct Place {
      Value root;
      RankedTensorType type;
      SmallVector<Operation *> shapes;
    };
    auto placeOf = [&](Value operand, LinearLayout memory) {
      Place place;
      place.root = unshaped(operand, memory, place.shapes);
      place.type = withLayout(cast<RankedTensorType>(place.root.getType()), getSharedLayoutAttr(&getContext(), memory));
      return place;
    };
    DenseMap<std::tuple<Value, Type, Block *>, llvm::SmallDenseSet<Value>> operands;
    getOperation().walk([&](DotOp dot) {
      for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()})
        if (std::optional<LinearLayout> memory = getStaging(dot, *operand)) {
          Place place = placeOf(operand->get(), *memory);
          operands[{place.root, place.type, dot->getBlock()}].insert(operand->get());
        }
    });
    DenseMap<std::tuple<Value, Type, Block *>, Value> staged;
    getOperation().walk([&](DotOp dot) {
      if (!dot.getAtom())
        return;
      for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()}) {
        auto type = cast<RankedTensorType>(operand->get().getType());
        std::optional<LinearLayout> memory = getStaging(dot, *operand);
        if (!memory)
          continue;
        OpBuilder builder(dot);
        if (Value tile = stagePastRegisters(builder, dot, operand->get(), *memory)) {
          operand->get().replaceAllUsesWith(tile);
          for (Operation *unused : replaced)
            unused->erase();
          replaced.clear();
          continue;
        }
        Place place = placeOf(operand->get(), *memory);
        if (!wholeOperands || operands[{place.root, place.type, dot->getBlock()}].size() < 2)
          place = {operand->get(), withLayout(type, getSharedLayoutAttr(&getContext(), *memory)), {}};
        Value &tile = staged[{place.root, place.type, dot->getBlock()}];
        if (!tile) {
          tile = AllocTensorOp::create(builder, dot.getLoc(), place.type, IntegerAttr());
          auto store = AtomPlanAttr::get(&getContext(), /*tag=*/1, /*vectorBytes=*/16);
          auto copy = CopyOp::create(builder, dot.getLoc(), Type(), place.root, tile, store, UnitAttr());
          copy->setAttr(kAsyncProxyAttr, builder.getUnitAttr());
          if (StsmAttr stsm =
                  matrixStoresInto(cast<RankedTensorType>(place.root.getType()), getLinearLayout(place.type)))
            copy->setAttr(kStoreAtomAttr, stsm);
        }
        operand->set(reshapeShared(builder, tile, place.shapes));
      }
    });
  }

  /// Candidate plans, cheapest first.
  SmallVector<ConvertPlan, 2> candidates(const LinearLayout &source, const LinearLayout &target, int64_t elementBytes,
                                         std::string &error) {
    SmallVector<ConvertPlan, 2> plans;
    tileiras::ConvertOptions options;
    options.elementBits = elementBytes * 8;
    options.maxVectorBytes = int(reg2regVecSize);
    if (elementBytes > reg2regVecSize) {
      error = "elements of " + std::to_string(elementBytes) +
              " bytes, reg2reg-vec-size = " + std::to_string(reg2regVecSize);
      return plans;
    }
    options.allowSharedMemory = false;
    if (auto plan = tileiras::planConvert(source, target, options, &error))
      plans.push_back(std::move(*plan));
    options.allowSharedMemory = true;
    options.allowShuffles = false;
    if (auto plan = tileiras::planConvert(source, target, options, &error))
      plans.push_back(std::move(*plan));
    llvm::stable_sort(plans, [](const ConvertPlan &a, const ConvertPlan &b) { return a.cost < b.cost; });
    return plans;
  }

  /// Matrix products take operands from shared memory, part by part; then the whole is never in registers. A product in
  /// a loop that the conversion is outside of does not: the tile would be occupied for the whole loop.
  static bool feedsProducts(ConvertLayoutOp op) {
    return !op->use_empty() && llvm::all_of(op->getUses(), [&](OpOperand &use) {
      auto dot = dyn_cast<DotOp>(use.getOwner());
      return dot && dot.getAtom() && dot.getAtom()->getMemories(getDotOperand(use)).contains(MemoryKind::Shared) &&
             getDotOperandLayout(dot, use) && dot->getBlock() == op->getBlock();
    });
  }

  /// An option out of range has the diagnostic of a plan that does not exist.
  LogicalResult checkOptions(ConvertLayoutOp op) {
    if (llvm::isPowerOf2_32(reg2regVecSize) && reg2regVecSize <= 16)
      return success();
    InFlightDiagnostic diagnostic = op.emitError("failed to query target spec for convert_layout");
    diagnostic.attachNote() << "reg2reg-vec-size is 1, 2, 4, 8 or 16 bytes, not " << reg2regVecSize.getValue();
    return diagnostic;
  }

  /// reinterpret-to-i8: floats of 8 bits pass through the conversion as bytes; what is planned is a tile of bytes.
  /// Operands of products stay what they are, in shared memory they are bytes anyway.
  ConvertLayoutOp viewAsBytes(OpBuilder &builder, ConvertLayoutOp op) {
    auto sourceType = cast<RankedTensorType>(op.getSource().getType()), type = cast<RankedTensorType>(op.getType());
    auto narrow = dyn_cast<FloatType>(type.getElementType());
    if (!reinterpretToI8 || !narrow || narrow.getWidth() != 8)
      return op;
    Type byte = builder.getI8Type();
    Value bytes = arith::BitcastOp::create(builder, op.getLoc(), sourceType.clone(byte), op.getSource());
    auto moved = ConvertLayoutOp::create(builder, op.getLoc(), type.clone(byte), bytes);
    moved.setReinterpretByte(true);
    Value back = arith::BitcastOp::create(builder, op.getLoc(), type, moved.getResult());
    op.replaceAllUsesWith(back);
    op.erase();
    builder.setInsertionPoint(moved);
    return moved;
  }

  LogicalResult materialize(ConvertLayoutOp op) {
    OpBuilder builder(op);
    std::string error;
    OpOperand *product = feedsProducts(op) ? &*op->getUses().begin() : nullptr;
    if (!product)
      op = viewAsBytes(builder, op);
    asBytes = op.getReinterpretByte();
    report(op, product);
    fetch = {};
    room = product ? pieceBytes : roomBesideRings(op);
    isWhole = product && (staysWhole(op) || LoadForOne::takesTurns(op.getSource()));
    Value result = product ? copyPastRegisters(builder, op, *product) : Value();
    if (result) {
      tileiras::remarks::passed(op, tileiras::remarks::kMemory, "AsyncCopy")
          << tileiras::remarks::because("an operand goes from global to shared memory without registers");
    } else {
      fetch = {}; // What was planned for a copy that is not made.
      result = convert(builder, op.getLoc(), op.getSource(), cast<RankedTensorType>(op.getType()), product, error);
    }
    if (!result) {
      InFlightDiagnostic diagnostic = op.emitError("failed to query target spec for convert_layout");
      if (!error.empty())
        diagnostic.attachNote() << error;
      return diagnostic;
    }
    if (fetch)
      for (OpOperand &use : op->getUses()) {
        auto dot = cast<DotOp>(use.getOwner());
        use.getOperandNumber() == 0 ? dot.setFetchAAttr(fetch) : dot.setFetchBAttr(fetch);
      }
    if (product && isIn(result.getType(), MemoryKind::Shared))
      reportFetch(cast<DotOp>(product->getOwner()), *product);
    op.replaceAllUsesWith(result);
    op.erase();
    for (Operation *unused : replaced)
      unused->erase();
    replaced.clear();
    return success();
  }

  /// Instructions that put words of fragments together where a load does not bring them whole: it is narrower than a
  /// word, or what comes in one word belongs to several.
  static int64_t regroupings(const tileiras::SharedAccess &load, int64_t bytes) {
    int64_t accessBytes = bytes << load.vectorBits;
    if (accessBytes < 4)
      return load.numAccesses();
    for (int bit = 0; bytes << bit < 4; ++bit)
      if (load.offset.flatBasis(tileiras::kRegister, bit) != uint64_t(1) << bit)
        return load.numAccesses() * accessBytes / 4;
    return 0;
  }

  /// Whether a loop that multiplies hardly has registers to load its next tiles ahead. There pieces that ld brings,
  /// alive beside the words that are made of them, cost more than their instructions. (Measured: 178 registers, and
  /// the loads not ahead, or 223 with all of them.)
  static bool isShortOfRegisters(OpOperand &product) {
    constexpr int64_t kWordsOfSums = 48, kOfOuterLoop = 16;
    auto loop = product.getOwner()->getParentOfType<LoopLikeOpInterface>();
    if (!loop)
      return false;
    int64_t sums = wordsOf(cast<DotOp>(product.getOwner()).getResult().getType());
    return sums + (loop->getParentOfType<LoopLikeOpInterface>() ? kOfOuterLoop : 0) >= kWordsOfSums;
  }

  /// Shared memory for an operand of a product, and the atom that fetches it from there: ldmatrix where the rows of its
  /// matrices can lie without bank conflicts and that takes no longer, or little longer where registers are short.
  tileiras::SharedPlan planForProduct(const LinearLayout &from, const LinearLayout &to, OpOperand &product,
                                      int64_t bytes, const tileiras::SharedPlan &otherwise, bool throughRegisters,
                                      bool forTensorCopy = false) {
    tileiras::SharedPlan best = otherwise;
    LinearLayout apart = withStepsApart(to, product);
    int64_t steps = std::max(1, to.inSize(tileiras::kRegister) / apart.inSize(tileiras::kRegister));
    auto costOf = [&](const tileiras::SharedAccess &store, const tileiras::SharedAccess &load) {
      return int64_t(store.numAccesses()) * (1 + store.wavefronts) +
             steps * (load.numAccesses() * (1 + load.wavefronts) + regroupings(load, bytes));
    };
    // What a loop over steps reads is written once, but read step by step.
    auto withSteps = [&](const tileiras::SharedAccess &store, const tileiras::SharedAccess &load) {
      return costOf(store, load) + regroupings(store, bytes);
    };
    if (auto better = tileiras::planSharedConvert(from, apart, bytes, 16, nullptr, {}, withSteps))
      best = std::move(*better);
    int64_t cost = costOf(best.store, best.load);
    whyFetch = "the fragments are no matrices of ldmatrix";
    for (bool transposed : {false, true}) {
      std::optional<tileiras::MatrixFetch> matrices =
          getMatrixFetch(cast<DotOp>(product.getOwner()), product, transposed);
      if (!matrices)
        continue;
      std::optional<tileiras::SharedPlan> plan = tileiras::planMatrixFetch(from, *matrices, bytes);
      if (!plan ||
          plan->cost() > (throughRegisters && !fetch && isShortOfRegisters(product) ? cost + cost / 4 : cost)) {
        if (!fetch)
          whyFetch = plan ? "ldmatrix would take longer" : "the rows of its matrices cannot lie whole in shared memory";
        continue;
      }
      whyFetch = "one instruction fetches several matrices, without bank conflicts";
      // Rows as TMA leaves them, where that costs nothing.
      if (std::optional<tileiras::SharedPlan> tensorCopy =
              forTensorCopy ? planForTensorCopy(from, *matrices, bytes, *plan) : std::nullopt;
          tensorCopy && tensorCopy->cost() <= plan->cost())
        plan = std::move(tensorCopy);
      cost = plan->cost();
      best = std::move(*plan);
      fetch = LdsmAttr::get(product.getOwner()->getContext(), matrices->matrices(), transposed);
    }
    return best;
  }

  /// Whether operands of products stay in shared memory whole.
  void reportOperands(int64_t bytes) {
    namespace remarks = tileiras::remarks;
    if (!remarks::enabled(&getContext()) ||
        !getOperation().walk([](DotOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return;
    (wholeOperands ? remarks::passed(getOperation(), remarks::kResources, "Operands")
                   : remarks::missed(getOperation(), remarks::kResources, "Operands"))
        << remarks::figure("SharedBytes", bytes) << remarks::figure("SharedRoom", roomForAll)
        << remarks::because(wholeOperands   ? "operands of products stay in shared memory whole"
                            : whole.empty() ? "shared memory has no room for all operands of products at once: they go "
                                              "through it in pieces, by way of registers"
                                            : "shared memory has no room for all operands of products at once: those "
                                              "that take most registers stay there, the others go through it in "
                                              "pieces");
  }

  /// How a product fetches its operand from shared memory, and why not by less.
  void reportFetch(DotOp dot, OpOperand &operand) {
    namespace remarks = tileiras::remarks;
    if (!remarks::enabled(&getContext()))
      return;
    auto remark =
        fetch ? remarks::passed(dot, remarks::kProduct, "Fetch") : remarks::missed(dot, remarks::kProduct, "Fetch");
    if (fetch)
      remark << remarks::figure("Atom", Attribute(fetch));
    else
      remark << remarks::figure("Atom", "ld");
    remark << remarks::figure("Operand", operand.getOperandNumber() == 0 ? "a" : "b") << remarks::because(whyFetch);
  }

  /// Whether TMA may bring the tile of a load (lower-tma-load-store-to-async).
  bool mayBeTensorCopy(TiledLoadOp load) {
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(getOperation());
    BoolAttr allowed = load.getAllowTmaAttr();
    return target && target->hasTma() && getTmaPreference() != TmaPreference::Never &&
           (!allowed || allowed.getValue()) && whyNoTma(load.getView().getType()).empty();
  }

  /// The same rows in a layout that TMA could have written.
  std::optional<tileiras::SharedPlan> planForTensorCopy(const LinearLayout &from, const tileiras::MatrixFetch &matrices,
                                                        int64_t bytes, const tileiras::SharedPlan &plan) {
    if (plan.memory.inBits(tileiras::kOffset) == 0)
      return std::nullopt;
    std::vector<int32_t> first = plan.memory.basis(tileiras::kOffset, 0);
    auto dense = llvm::find(first, 1);
    return dense == first.end() ? std::nullopt
                                : tileiras::planMatrixFetchOfTma(from, matrices, bytes, int(dense - first.begin()));
  }

  /// How the conversion is done, and why not by less.
  void report(ConvertLayoutOp op, bool toProduct) {
    namespace remarks = tileiras::remarks;
    if (!remarks::enabled(op.getContext()))
      return;
    std::string error;
    auto type = op.getType();
    int64_t element = getStorageBytes(type.getElementType()), bytes = type.getNumElements() * element;
    SmallVector<ConvertPlan, 2> plans = candidates(getLinearLayout(cast<RankedTensorType>(op.getSource().getType())),
                                                   getLinearLayout(type), element, error);
    if (plans.empty())
      return;
    auto describe = [&](remarks::InFlight remark, StringRef how, const Twine &why) {
      remark << remarks::figure("How", how) << remarks::figure("Bytes", bytes) << remarks::because(why);
    };
    switch (plans.front().kind) {
    case ConvertKind::NoOp:
    case ConvertKind::SameThread:
      return describe(remarks::passed(op, remarks::kLayout, "Conversion"), "registers",
                      "every thread has what it needs");
    case ConvertKind::IntraWarp:
      return describe(remarks::passed(op, remarks::kLayout, "Conversion"), "shuffles",
                      "every warp has what its threads need");
    case ConvertKind::SharedMemory:
      break;
    }
    if (toProduct && bytes <= pieceBytes)
      return describe(remarks::passed(op, remarks::kLayout, "Conversion"), "shared memory",
                      "a product takes its operand from there");
    describe(remarks::missed(op, remarks::kLayout, "Conversion"), "shared memory",
             plans.size() > 1 ? "shuffles would cost more" : "threads need what other warps have");
  }

  /// A product reads one step along k after the other: registers of different steps should not come with one access,
  /// they would all be live from the first step on. So for the plan they count as different warps.
  static LinearLayout withStepsApart(const LinearLayout &layout, OpOperand &operand) {
    auto dot = cast<DotOp>(operand.getOwner());
    unsigned number = operand.getOperandNumber();
    if (number > 1)
      return layout;
    int32_t dim = layout.numOuts() - (number == 0 ? 1 : 2), step = dot.getAtom()->getInstructionShape()[2];
    std::vector<LinearLayout::InDim> ins;
    for (tileiras::DimName name : {tileiras::kRegister, tileiras::kLane, tileiras::kWarp, tileiras::kBlock}) {
      LinearLayout::InDim in{name, {}};
      for (int bit = 0; bit < layout.inBits(name); ++bit) {
        std::vector<int32_t> basis = layout.basis(name, bit);
        if (name != tileiras::kRegister || basis[dim] < step)
          in.bases.push_back(basis);
      }
      if (name == tileiras::kWarp)
        for (int bit = 0; bit < layout.inBits(tileiras::kRegister); ++bit)
          if (std::vector<int32_t> basis = layout.basis(tileiras::kRegister, bit); basis[dim] >= step)
            in.bases.push_back(basis);
      ins.push_back(std::move(in));
    }
    return LinearLayout(std::move(ins), layout.shape());
  }

  /// `source` in the layout of `targetType`, or the shared tile it went to if it is for a `product`. Null on failure.
  Value convert(OpBuilder &builder, Location loc, Value source, RankedTensorType targetType, OpOperand *product,
                std::string &error) {
    auto sourceType = cast<RankedTensorType>(source.getType());
    LinearLayout from = getLinearLayout(sourceType), to = getLinearLayout(targetType);
    int64_t bytes = getStorageBytes(sourceType.getElementType());
    SmallVector<ConvertPlan, 2> plans = candidates(from, to, bytes, error);
    if (plans.empty())
      return {};
    const ConvertPlan &plan = plans.front();
    MLIRContext *context = builder.getContext();
    switch (plan.kind) {
    case ConvertKind::NoOp:
    case ConvertKind::SameThread:
      return rename(builder, loc, source, targetType);
    case ConvertKind::IntraWarp: {
      ++numShuffled;
      auto atom = AtomPlanAttr::get(context, /*tag=*/0, bytes);
      return ShuffleOp::create(builder, loc, targetType, source, atom);
    }
    case ConvertKind::SharedMemory:
      break;
    }
    int64_t tileBytes = sourceType.getNumElements() * bytes;
    int bits = 0;
    while (tileBytes >> bits > (product && isWhole ? roomForAll : pieceBytes))
      ++bits;
    if (bits || (!product && tileBytes > room)) {
      // Halves are tiles like others, which ptxas makes more of (fewer spills on the corpus); a transposition has none.
      if (std::optional<CoordinateBit> bit = splittableBit(from, to))
        return convertHalves(builder, loc, source, targetType, *bit, error);
      if (bits)
        return convertInRounds(builder, loc, source, targetType, bits);
    }
    tileiras::SharedPlan shared = *plan.shared;
    StsmAttr stsm;
    if (product) {
      shared = planForProduct(from, to, *product, bytes, shared, /*throughRegisters=*/true);
      stsm = matrixStoresInto(sourceType, shared.memory);
    } else {
      stsm = planMatrixStores(sourceType, to, shared);
    }
    auto sharedType = withLayout(sourceType, getSharedLayoutAttr(context, shared.memory));
    Value tile = AllocTensorOp::create(builder, loc, sharedType, IntegerAttr());
    auto store = AtomPlanAttr::get(context, /*tag=*/1, bytes << shared.store.vectorBits);
    auto load = AtomPlanAttr::get(context, /*tag=*/1, bytes << shared.load.vectorBits);
    ++numShared;
    auto copy = CopyOp::create(builder, loc, Type(), source, tile, store, UnitAttr());
    if (stsm)
      copy->setAttr(kStoreAtomAttr, stsm);
    if (product)
      return tile;
    return ConvertLayoutOp::create(builder, loc, targetType, tile, load, asBytes);
  }

  /// The atom that writes the tile, and the shared memory for it in place of `plan`, where that takes less: stmatrix on
  /// targets that have it. It is no wider than a register of each thread, so a cap on the width leaves it alone.
  StsmAttr planMatrixStores(RankedTensorType source, const LinearLayout &to, tileiras::SharedPlan &plan) {
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(getOperation());
    StsmAttr atom;
    if (!target || !target->stmatrix || reg2regVecSize < 16)
      return atom;
    for (bool transposed : {false, true}) {
      std::optional<tileiras::MatrixFetch> rows = getMatrixStore(source, transposed);
      if (!rows)
        continue;
      std::optional<tileiras::SharedPlan> better = tileiras::planMatrixStore(*rows, to, /*elementBytes=*/2);
      if (!better || better->cost() >= plan.cost())
        continue;
      plan = std::move(*better);
      atom = StsmAttr::get(source.getContext(), rows->matrices(), transposed);
    }
    return atom;
  }

  /// The atom that writes a tile in fragments where its products want it, without conflicts; null: threads store their
  /// registers.
  StsmAttr matrixStoresInto(RankedTensorType source, const LinearLayout &memory) {
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(getOperation());
    StsmAttr atom = target && target->stmatrix ? getMatrixStoreInto(source, memory) : StsmAttr();
    std::optional<tileiras::MatrixFetch> rows =
        atom ? getMatrixStore(source, atom.getTransposed()) : std::optional<tileiras::MatrixFetch>();
    std::optional<tileiras::SharedPlan> plan =
        rows ? tileiras::planSharedThrough(memory, rows->rows, rows->rows, /*elementBytes=*/2) : std::nullopt;
    return plan && plan->store.conflicts() == 0 ? atom : StsmAttr();
  }

  /// The same elements in every thread, in other registers.
  Value rename(OpBuilder &builder, Location loc, Value source, RankedTensorType targetType) {
    ++numRenamed;
    auto atom = AtomPlanAttr::get(builder.getContext(), /*tag=*/0, getStorageBytes(targetType.getElementType()));
    auto copy = CopyOp::create(builder, loc, targetType, source, Value(), atom, UnitAttr());
    if (reg2regVecSize <= 15)
      copy->setAttr(kRootRegToRegCopyAttr, builder.getUnitAttr());
    return copy.getResult();
  }

  //===--------------------------------------------------------------------===//
  // Tiles too large for shared memory
  //===--------------------------------------------------------------------===//

  /// One half after the other, through the same shared memory.
  Value convertHalves(OpBuilder &builder, Location loc, Value source, RankedTensorType targetType, CoordinateBit where,
                      std::string &error) {
    auto sourceType = cast<RankedTensorType>(source.getType());
    int dim = where.dim;
    int64_t extent = sourceType.getDimSize(dim), low = int64_t(1) << where.bit;
    if (2 * low != extent) {
      // As a dimension of its own.
      SmallVector<int64_t> shape(sourceType.getShape());
      shape[dim] = low;
      shape.insert(shape.begin() + dim, {extent / low / 2, 2});
      auto apart = [&](RankedTensorType type) {
        LinearLayout layout = getLinearLayout(type).reshapeOuts(std::vector<int32_t>(shape.begin(), shape.end()));
        return RankedTensorType::get(shape, type.getElementType(), getLayoutAttr(builder.getContext(), layout));
      };
      Value view = ViewOp::create(builder, loc, apart(sourceType), source);
      Value moved = convertHalves(builder, loc, view, apart(targetType), {dim + 1, 0}, error);
      return moved ? ViewOp::create(builder, loc, targetType, moved).getResult() : Value();
    }
    auto half = [&](RankedTensorType type) {
      SmallVector<int64_t> shape(type.getShape());
      shape[dim] /= 2;
      LinearLayout layout = getLinearLayout(type).resizeOutDim(dim, shape[dim]);
      return RankedTensorType::get(shape, type.getElementType(), getLayoutAttr(builder.getContext(), layout));
    };
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32),
          one = arith::ConstantIntOp::create(builder, loc, 1, 32);
    SmallVector<Value> halves;
    for (Value index : {zero, one}) {
      SmallVector<Value> indices(sourceType.getRank(), zero);
      indices[dim] = index;
      Value part = ExtractSliceOp::create(builder, loc, half(sourceType), source, indices);
      Value moved = convert(builder, loc, part, half(targetType), /*product=*/nullptr, error);
      if (!moved)
        return {};
      halves.push_back(moved);
    }
    // cat puts the halves' register bit on top.
    LinearLayout joined = getLinearLayout(half(targetType)).resizeOutDim(dim, sourceType.getDimSize(dim));
    std::vector<int32_t> top(joined.numOuts());
    top[dim] = sourceType.getDimSize(dim) / 2;
    joined = joined.extendIn(tileiras::kRegister, {joined.flattenOut(top)});
    auto joinedType = withLayout(targetType, getLayoutAttr(builder.getContext(), joined));
    Value whole = nv_tileaa::CatOp::create(builder, loc, joinedType, halves[0], halves[1], dim);
    return joinedType == targetType ? whole : rename(builder, loc, whole, targetType);
  }

  /// One part after the other through a buffer, whoever holds what.
  Value convertInRounds(OpBuilder &builder, Location loc, Value source, RankedTensorType targetType, int bits) {
    auto sourceType = cast<RankedTensorType>(source.getType());
    LinearLayout from = getLinearLayout(sourceType), to = getLinearLayout(targetType);
    int64_t bytes = getStorageBytes(sourceType.getElementType());
    tileiras::ConvertRounds rounds = tileiras::cutIntoRounds(from, to, bits);
    std::optional<tileiras::SharedPlan> plan = tileiras::planSharedConvert(rounds.source, rounds.target, bytes);
    if (!plan)
      return {};
    MLIRContext *context = builder.getContext();
    auto type = RankedTensorType::get({plan->memory.shape()[0]}, sourceType.getElementType(),
                                      getSharedLayoutAttr(context, plan->memory));
    Value part = AllocTensorOp::create(builder, loc, type, IntegerAttr());
    auto store = AtomPlanAttr::get(context, /*tag=*/1, bytes << plan->store.vectorBits);
    return CopyOp::create(builder, loc, targetType, source, part, store, UnitAttr()).getResult();
  }

  //===--------------------------------------------------------------------===//
  // Copies past the registers
  //===--------------------------------------------------------------------===//

  /// The tile that a load brings for a product goes from global to shared memory by cp.async, if it lies there in runs
  /// of at least 4 bytes as it does in global memory. Null if not.
  Value copyPastRegisters(OpBuilder &builder, ConvertLayoutOp op, OpOperand &product) {
    std::optional<LoadForOne> found = LoadForOne::ofAny(op.getSource());
    if (!isWhole || !found || !found->mayBeFetchedBy(op))
      return {};
    auto sourceType = cast<RankedTensorType>(op.getSource().getType());
    int64_t bytes = getStorageBytes(sourceType.getElementType());
    if (getMemoryBits(sourceType.getElementType()) != 8 * bytes)
      return {};
    LinearLayout from = getLinearLayout(sourceType), to = getLinearLayout(op.getType());
    std::optional<tileiras::SharedPlan> plan = tileiras::planSharedConvert(from, to, bytes);
    if (!plan)
      return {};
    plan = planForProduct(from, to, product, bytes, *plan, /*throughRegisters=*/false,
                          found->load && mayBeTensorCopy(found->load));
    std::optional<LinearLayout> memory = plan->memory;
    for (Operation *shape : found->shapes)
      if (memory = inferOperandLayout(shape, 0, *memory); !memory)
        return {};
    // Not narrower than through registers: the requests would be more, and use less of each sector.
    int64_t most = std::min<int64_t>(found->getVec(), 16 / bytes);
    int64_t run = found->runBytes(*memory, most, bytes);
    if (run < most * bytes && found->shapes.empty())
      if (std::optional<tileiras::SharedPlan> inRuns = planInRuns(from, to, product, bytes, most, *plan)) {
        fetch = {};
        whyFetch = "numbers are fetched one by one in less time than it takes to put them in order";
        memory = inRuns->memory;
        run = found->runBytes(*memory, most, bytes);
      }
    if (run < 4 || run < most * bytes)
      return {};

    return copyPastRegisters(builder, *found, *memory, run, op);
  }

  /// Shared memory that has the `most` elements which a load brings at once side by side, where a product fetches them
  /// from there, without bank conflicts, in no more time than threads take to write them as `otherwise` has them and to
  /// fetch that. Neighbours of a vector that threads write are moved next to each other first, each of them.
  std::optional<tileiras::SharedPlan> planInRuns(const LinearLayout &from, const LinearLayout &to, OpOperand &product,
                                                 int64_t bytes, int64_t most, const tileiras::SharedPlan &otherwise) {
    int bits = llvm::Log2_64(most);
    if (bits == 0 || from.inBits(tileiras::kRegister) < bits)
      return std::nullopt;
    std::vector<uint64_t> together;
    for (int bit = 0; bit < bits; ++bit)
      together.push_back(from.flatBasis(tileiras::kRegister, bit));
    LinearLayout apart = withStepsApart(to, product);
    int64_t steps = std::max(1, to.inSize(tileiras::kRegister) / apart.inSize(tileiras::kRegister));
    auto fetched = [&](const tileiras::SharedAccess &load) {
      return steps * (load.numAccesses() * (1 + load.wavefronts) + regroupings(load, bytes));
    };
    std::optional<tileiras::SharedPlan> plan = tileiras::planSharedConvert(
        from, apart, bytes, 16, nullptr, together,
        [&](const tileiras::SharedAccess &, const tileiras::SharedAccess &load) { return fetched(load); });
    if (!plan || plan->load.conflicts() != 0)
      return std::nullopt;
    const tileiras::SharedAccess &store = otherwise.store;
    int64_t moved = store.vectorBits ? int64_t(store.numAccesses()) << store.vectorBits : 0;
    int64_t written = int64_t(store.numAccesses()) * (1 + store.wavefronts) + moved;
    return fetched(plan->load) <= written + fetched(otherwise.load) ? plan : std::nullopt;
  }

  /// The load and the shapes behind it are `replaced`.
  Value copyPastRegisters(OpBuilder &builder, LoadForOne &found, const LinearLayout &memory, int64_t run,
                          Operation *user, bool asyncProxy = false) {
    ++numAsync;
    replaced.assign(found.shapes.begin(), found.shapes.end());
    replaced.push_back(found.access());
    return found.copyPastRegisters(builder, memory, run, user, asyncProxy);
  }

  int64_t pieceBytes = 0, roomForAll = 0, besideRings = 0;
  /// What the conversion at hand should take at a time.
  int64_t room = 0;
  bool wholeOperands = false;
  /// Where not all operands stay in shared memory: those that do.
  llvm::SmallPtrSet<Operation *, 8> whole;
  /// The conversion at hand brings such an operand.
  bool isWhole = false;
  /// The conversion at hand moves bytes that are parts of something else.
  bool asBytes = false;
  /// How the product of the conversion at hand fetches its operand; null: by ld.
  CopyAtomAttrInterface fetch;
  StringRef whyFetch;
  /// What a copy past the registers has made superfluous, users first.
  SmallVector<Operation *> replaced;
};

} // namespace
