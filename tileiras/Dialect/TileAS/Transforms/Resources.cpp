//===- Resources.cpp - What a kernel needs, and what a block has ----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Dot.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/AccessWidths.h"
#include "tileiras/Dialect/TileAS/Transforms/AddressRuns.h"
#include "tileiras/Dialect/TileAS/Transforms/SelectMma.h"
#include "tileiras/Dialect/TileAS/Transforms/StoreParts.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::DotOperand;
namespace aa = mlir::nv_tileaa;

static RankedTensorType typeOf(Value v) { return dyn_cast<RankedTensorType>(v.getType()); }

/// Values that are cheaper to compute again than to keep.
static bool isCheap(Value v) {
  Operation *op = v.getDefiningOp();
  for (int depth = 0; op && depth < 4; ++depth) {
    if (isa<aa::SplatOp, aa::MakeRangeOp, aa::ConstantTensorOp, arith::ConstantOp>(op))
      return true;
    if (!isa<aa::BroadcastOp, aa::ViewOp, aa::ExpandDimsOp>(op))
      return false;
    op = op->getOperand(0).getDefiningOp();
  }
  return false;
}

/// The memory a factor or a sum will be in: registers where the atom takes it from there.
static MemoryKind memoryFor(MmaAtomAttrInterface atom, DotOperand operand) {
  MemorySet memories = atom.getMemories(operand);
  for (MemoryKind memory : {MemoryKind::Registers, MemoryKind::Tensor, MemoryKind::Shared})
    // What a factor is computed in decides whether it goes to tensor memory (tileas-place-sums).
    if (memories.contains(memory) && (memory != MemoryKind::Tensor || operand == DotOperand::C))
      return memory;
  return MemoryKind::Registers;
}

/// Whether products, and nobody else, have `factor` as the same operand: what one of them reads where it lies, all do.
static bool isForProducts(Value factor) {
  if (factor.use_empty())
    return false;
  unsigned number = factor.use_begin()->getOperandNumber();
  return llvm::all_of(factor.getUses(), [&](OpOperand &use) {
    return isa<aa::DotOp>(use.getOwner()) && use.getOperandNumber() == number && number < 2;
  });
}

/// A factor and the shapes that it has had since it was loaded, if it gets to where its product reads it without
/// registers: it is loaded for products alone (one, or those of several loops), and multiplied as what it is in memory.
/// Otherwise nothing.
static SmallVector<Value> arrivesAs(Type element, Value factor) {
  SmallVector<Value> names;
  Type loaded = typeOf(factor).getElementType();
  if (loaded != element && !(isa_and_present<Float4E2M1FNType>(element) && aa::isPairOfF4(loaded)))
    return names;
  while (factor.hasOneUse() || (names.empty() && isForProducts(factor))) {
    names.push_back(factor);
    Operation *def = factor.getDefiningOp();
    if (isa_and_nonnull<aa::TiledLoadOp>(def))
      return names;
    if (!isa_and_nonnull<aa::ViewOp, aa::PermuteOp>(def))
      break;
    factor = def->getOperand(0);
  }
  return {};
}

/// Whether the elements that a product adds up lie side by side in memory, of a factor that arrives without registers:
/// 8-bit ones that the unit does not read across are turned by threads otherwise. `k`: their dimension of the factor.
static bool isDenseAlong(int k, ArrayRef<Value> names) {
  for (Value name : names) {
    if (auto load = name.getDefiningOp<aa::TiledLoadOp>())
      return k == getDenseDimension(load.getView().getType());
    auto permute = name.getDefiningOp<aa::PermuteOp>();
    if (!permute)
      return false;
    k = permute.getPermutation()[k];
  }
  return false;
}

ResourceModel::ResourceModel(aa::FuncOp func, const tileiras::TargetInfo *target, Selection selection)
    : func(func), target(target), runs(findAddressRuns(func)) {
  const tileiras::TargetInfo *known = target ? target : tileiras::lookupTarget("sm_80");
  if (!selection) {
    int warps = getNumWarps(func);
    selection = [known, warps, chains = ProductChains(func)](Operation *product) {
      return selectMmaAtom(*MmaProblem::of(product, &chains), *known, warps);
    };
  }
  func.walk([&](Operation *op) {
    if (!isa<aa::DotOp, aa::MmaBlockScaleOp>(op))
      return;
    bool narrow =
        isa<aa::DotOp>(op) && isa<Float8E4M3FNType, Float8E5M2Type>(typeOf(op->getOperand(0)).getElementType());
    MmaAtomAttrInterface atom = selection(op);
    // What units whose sums are out of registers, too, take as it is in memory, no thread ever has.
    auto isUntouched = [&](unsigned number) {
      Value factor = op->getOperand(number);
      int rank = typeOf(factor).getRank();
      SmallVector<Value> names = arrivesAs(atom.getElement(), factor);
      auto sm100 = dyn_cast<Sm100MmaAtomAttr>(Attribute(atom));
      return sm100 && readsAcross(sm100) ? !names.empty() : isDenseAlong(number == 0 ? rank - 1 : rank - 2, names);
    };
    // Nor does it matter to the threads what becomes of a left factor that they have computed, and put where it is
    // read.
    auto isComputed = [&](Value factor) {
      Operation *def = factor.getDefiningOp();
      return def && isElementwise(def) && typeOf(factor).getElementType() == atom.getElement();
    };
    bool untouched = atom && atom.getCompletion() == Completion::Mbarrier &&
                     (isUntouched(0) || isComputed(op->getOperand(0))) && isUntouched(1);
    bool direct = !narrow || untouched || (target && target->fp8MmaSync && !target->fp8MmaWidened);
    // What reads its factors from shared memory has no fragments: numbers that it multiplies as wider ones become so a
    // few at a time, on their way there.
    bool fromShared = atom && atom.getCompletion() == Completion::WaitGroup &&
                      memoryFor(atom, DotOperand::B) != MemoryKind::Registers;
    direct |= fromShared;
    if (kind != aa::Products::Widened)
      kind = direct ? aa::Products::Direct : aa::Products::Widened;
    if (!atom)
      return;
    atoms[op] = atom;
    placeChanged(op, atom);
    placeReadInParts(op, atom);
    if (MemoryKind memory = memoryFor(atom, DotOperand::C); memory != MemoryKind::Registers) {
      // The result takes the place of what it was added to.
      if (memory == MemoryKind::Tensor && !elsewhere.contains(op->getResult(0)) &&
          !elsewhere.contains(op->getOperand(2)))
        sums.push_back(op->getResult(0));
      place(op->getResult(0), memory);
      place(op->getOperand(2), memory);
    }
    for (DotOperand operand : {DotOperand::A, DotOperand::B}) {
      Value factor = op->getOperand(operand == DotOperand::A ? 0 : 1);
      Type element = typeOf(factor).getElementType();
      // What is loaded for the product alone stays what it is in memory until then, four 8-bit numbers to a register.
      if (fromShared && atom.getElement() != element)
        dense.insert_range(arrivesAs(element, factor));
      MemoryKind memory = memoryFor(atom, operand);
      if (memory == MemoryKind::Registers)
        continue;
      SmallVector<Value> names = arrivesAs(atom.getElement(), factor);
      // Where threads have the sums, tiles as wide as those that the others allow leave them too few registers.
      if (atom.getCompletion() != Completion::Mbarrier && !names.empty())
        names.truncate(1);
      for (Value name : names)
        place(name, memory);
    }
  });
}

aa::DotOp ResourceModel::getOnlyProduct() const {
  auto dot = atoms.size() == 1 ? dyn_cast<aa::DotOp>(atoms.begin()->first) : nullptr;
  return dot && isa<aa::CountedLoop>(dot->getParentOp()) ? dot : nullptr;
}

/// The names of a tile: what is loaded, and the shapes that it has.
static SmallVector<Value> namesOf(Value tile) {
  SmallVector<Value> names = {tile};
  for (size_t i = 0; i < names.size(); ++i)
    for (Operation *user : names[i].getUsers())
      if (isa<aa::ViewOp, aa::PermuteOp>(user))
        names.push_back(user->getResult(0));
  return names;
}

void ResourceModel::fetchInParts() {
  constexpr int64_t stepsAtATime = 2, bytes = 16;
  std::optional<aa::AxisInfoAnalysisResult> axis;
  func.walk([&](aa::MemoryAccessOpInterface load) {
    Value tile = load.getLoaded();
    if (!tile || !isa<aa::TiledLoadOp, aa::LoadOp>(load.getOperation()) || !load.isWeak() || !typeOf(tile))
      return;
    SmallVector<Value> names = namesOf(tile);
    int64_t parts = std::numeric_limits<int64_t>::max();
    bool isFactor = false;
    for (Value name : names)
      for (OpOperand &use : name.getUses()) {
        auto dot = dyn_cast<aa::DotOp>(use.getOwner());
        if (isa<aa::ViewOp, aa::PermuteOp>(use.getOwner()))
          continue;
        MmaAtomAttrInterface atom = dot ? atoms.lookup(dot) : MmaAtomAttrInterface();
        if (!isa_and_present<MmaAtomAttr>(Attribute(atom)) || use.getOperandNumber() >= 2 ||
            atom.getElement() != typeOf(tile).getElementType())
          return;
        int64_t k = getDotShape(typeOf(dot.getA()), typeOf(dot.getB())).k;
        parts = std::min(parts, std::max<int64_t>(1, k / (stepsAtATime * atom.getInstructionShape()[2])));
        isFactor = true;
      }
    if (!isFactor)
      return;
    if (!axis)
      axis.emplace(func);
    if (analyzeAccess(load, *axis).vec * getStorageBytes(typeOf(tile).getElementType()) >= bytes)
      for (Value name : names)
        fetched[name] = parts;
  });
}

static Value factorOf(aa::DotOp dot, DotOperand factor) { return factor == DotOperand::A ? dot.getA() : dot.getB(); }

bool ResourceModel::isFetchedInParts(aa::DotOp dot, DotOperand factor) const {
  return fetched.contains(factorOf(dot, factor));
}

bool ResourceModel::isDenseAlongK(aa::DotOp dot, DotOperand factor) const {
  auto atom = atoms.find(dot);
  Value tile = factorOf(dot, factor);
  int rank = typeOf(tile).getRank();
  return atom != atoms.end() && atom->second &&
         isDenseAlong(factor == DotOperand::A ? rank - 1 : rank - 2, arrivesAs(atom->second.getElement(), tile));
}

/// What a loop carries from product to product, and multiplies by factors in between, is in tensor memory all the time,
/// and comes to registers when nothing else is there (tileas-place-sums).
void ResourceModel::placeChanged(Operation *product, MmaAtomAttrInterface atom) {
  if (!atom.getMemories(DotOperand::C).contains(MemoryKind::Tensor) || !product->getResult(0).hasOneUse())
    return;
  OpOperand &use = *product->getResult(0).use_begin();
  Operation *changed = product->getOperand(2).getDefiningOp();
  auto loop = dyn_cast<aa::CountedLoop>(product->getParentOp());
  if (!loop || use.getOwner() != loop.getBody()->getTerminator() || !changed || changed->getBlock() != loop.getBody() ||
      !isElementwise(changed) || !product->getOperand(2).hasOneUse() ||
      !llvm::is_contained(changed->getOperands(), loop.getRegionIterArg(use.getOperandNumber())))
    return;
  place(product->getResult(0), MemoryKind::Tensor);
  place(product->getOperand(2), MemoryKind::Tensor);
  sums.push_back(product->getResult(0));
}

/// Sums that begin at zero, that loops carry from product to product and whose parts are read behind them, stay in
/// tensor memory, and only a part comes to registers at a time (tileas-place-sums), if threads have some of each.
void ResourceModel::placeReadInParts(Operation *product, MmaAtomAttrInterface atom) {
  Value result = product->getResult(0), total = result, begin = product->getOperand(2);
  if (!atom.getMemories(DotOperand::C).contains(MemoryKind::Tensor) || elsewhere.contains(result))
    return;
  while (!isReadInParts(total)) {
    if (!total.hasOneUse() || !begin.hasOneUse())
      return;
    OpOperand &use = *total.use_begin();
    auto loop = dyn_cast<aa::CountedLoop>(use.getOwner()->getParentOp());
    unsigned number = use.getOperandNumber();
    if (!loop || use.getOwner() != loop.getBody()->getTerminator() || begin != loop.getRegionIterArg(number))
      return;
    total = loop->getResult(number);
    begin = loop.getInits()[number];
  }
  auto layout = atom.getRegisterLayout(getDotShape(typeOf(product->getOperand(0)), typeOf(product->getOperand(1))),
                                       DotOperand::C);
  if (!layout || total == result || !isCheap(begin) || typeOf(total) != typeOf(result))
    return;
  for (Operation *part : total.getUsers())
    if (part->getBlock() != total.getParentBlock() || !inferResultLayout(part, 0, *layout))
      return;
  place(result, MemoryKind::Tensor);
  place(product->getOperand(2), MemoryKind::Tensor);
  sums.push_back(result);
}

/// A value and those that a loop makes of it: what it begins with, carries and ends with.
void ResourceModel::place(Value v, MemoryKind memory) {
  auto ofLoop = [](Value value) {
    Operation *op = value.getDefiningOp();
    return isa_and_nonnull<LoopLikeOpInterface>(op ? op : value.getParentBlock()->getParentOp());
  };
  SmallVector<Value> work = {v};
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (!elsewhere.try_emplace(next, memory).second)
      continue;
    if (ofLoop(next)) {
      for (OpOperand *source : aa::getSources(next))
        work.push_back(source->get());
      llvm::append_range(work, aa::getTwins(next));
    }
    for (OpOperand &use : next.getUses())
      llvm::append_range(work, llvm::make_filter_range(aa::getDestinations(use), ofLoop));
  }
}

MemoryKind ResourceModel::memoryOf(Value v) const {
  auto found = elsewhere.find(v);
  return found == elsewhere.end() ? MemoryKind::Registers : found->second;
}

/// The reduction that elements of a tile go into, by way of arithmetic that each of them has for itself; null if they
/// go elsewhere, too.
static Operation *reductionOf(Value tile) {
  constexpr int most = 8;
  for (int depth = 0; depth < most; ++depth) {
    Operation *def = tile.getDefiningOp();
    if (!def || !isElementwise(def) || !tile.hasOneUse())
      return nullptr;
    Operation *user = *tile.user_begin();
    if (user->getBlock() != def->getBlock())
      return nullptr;
    if (isa<aa::ReduceOp, ReduceOp>(user))
      return user;
    if (user->getNumResults() != 1)
      return nullptr;
    tile = user->getResult(0);
  }
  return nullptr;
}

bool nv_tileas::isReducedAsMade(Value tile) {
  Operation *reduction = reductionOf(tile);
  return reduction && llvm::all_of(tile.getDefiningOp()->getOperands(), [&](Value operand) {
           if (!typeOf(operand) || isCheap(operand) || operand.getDefiningOp<aa::BroadcastOp>())
             return true;
           if (reductionOf(operand) == reduction)
             return isReducedAsMade(operand);
           Block *block = reduction->getBlock();
           return llvm::any_of(operand.getUsers(), [&](Operation *user) {
             Operation *op = block->findAncestorOpInBlock(*user);
             return !op || reduction->isBeforeInBlock(op);
           });
         });
}

/// Whether slices of a tile are factors of products: then it is in registers as it was made and, for all slices, as it
/// is multiplied, each element by several threads (tileas-legalize-fma-dot).
static bool isSlicedIntoFactors(Value v) {
  return llvm::any_of(v.getUsers(), [](Operation *slice) {
    if (!isa<aa::ExtractSliceOp>(slice))
      return false;
    while (slice->hasOneUse() && isa<arith::ExtFOp>(*slice->user_begin()))
      slice = *slice->user_begin();
    return llvm::any_of(slice->getUses(),
                        [](OpOperand &use) { return isa<aa::DotOp>(use.getOwner()) && use.getOperandNumber() < 2; });
  });
}

int64_t ResourceModel::runOf(Value address) const {
  auto found = runs.find(address);
  return found == runs.end() || address.getDefiningOp<aa::BroadcastOp>() ? 1 : found->second;
}

int64_t ResourceModel::words(Value v) const {
  RankedTensorType type = typeOf(v);
  if (!type || memoryOf(v) != MemoryKind::Registers || isCheap(v) || isReducedAsMade(v))
    return 0;
  if (auto broadcast = v.getDefiningOp<aa::BroadcastOp>())
    type = broadcast.getSource().getType(); // registers are shared, not copied
  if (auto select = v.getDefiningOp<arith::SelectOp>())
    if (isCheap(select.getTrueValue()) && isCheap(select.getFalseValue()))
      return 0;
  if (dense.contains(v))
    return llvm::divideCeil(type.getNumElements() * getStorageBytes(type.getElementType()), 4);
  if (auto parts = fetched.find(v); parts != fetched.end())
    return llvm::divideCeil(type.getNumElements() / parts->second * getStorageBytes(type.getElementType()), 4);
  int64_t copies = isSlicedIntoFactors(v) ? 2 : 1;
  int64_t elements = llvm::divideCeil(type.getNumElements(), runOf(v));
  return copies * aa::wordsOf(elements, type.getElementType(), hasProducts());
}

int64_t ResourceModel::peak(function_ref<int64_t(Value)> words, function_ref<int64_t(Value)> part) const {
  aa::FuncOp where = func;
  return aa::peakLiveWords(
      where.getBody(), [&](Value v) { return words(v) / part(v); },
      [&](Operation *op) -> int64_t {
        auto found = atoms.find(op);
        if (found == atoms.end())
          return 0;
        auto shape = getDotShape(typeOf(op->getOperand(0)), typeOf(op->getOperand(1)));
        return found->second.getCost(shape).temporaryWords * 32 * getNumWarps(func) / part(op->getResult(0));
      });
}

int64_t ResourceModel::wordsOfSharedAddresses() const {
  if (runs.empty())
    return 0;
  auto whole = [](Value) -> int64_t { return 1; };
  auto own = [&](Value v) { return words(v) * runOf(v); };
  return peak(own, whole) - demand().registerWords;
}

Demand ResourceModel::demand(function_ref<int64_t(Value)> part) const {
  Demand demand;
  demand.registerWords = peak([&](Value v) { return words(v); }, part);
  for (auto [op, atom] : atoms) {
    int64_t bytes = 0;
    for (Value v : op->getOperands().take_front(2)) {
      // Multiply-adds read every element many times, so they do not take it in pieces. (No tensor core multiplies f32.)
      bool whole = isa<FmaAtomAttr>(atom) && typeOf(v).getElementType().isF32();
      if (whole || memoryOf(v) == MemoryKind::Shared)
        bytes += typeOf(v).getNumElements() * getStorageBytes(typeOf(v).getElementType()) / part(v);
    }
    demand.sharedBytes = std::max(demand.sharedBytes, bytes);
  }
  constexpr int64_t bitsOfColumn = 128 * 32;
  for (Value v : sums) {
    int64_t bits = typeOf(v).getNumElements() * getStorageBytes(typeOf(v).getElementType()) * 8 / part(v);
    demand.tensorColumns += llvm::divideCeil(bits, bitsOfColumn);
  }
  return demand;
}

int64_t ResourceModel::room(int64_t warps, int64_t blocks) const {
  return target ? aa::roomForTiles(warps, blocks, kind, target->registersPerSm, target->maxRegistersPerThread)
                : aa::roomForTiles(warps, blocks, kind);
}

int64_t ResourceModel::wordsWith(const Demand &demand, int64_t shared) {
  constexpr int64_t copies = 4;
  int64_t words = demand.registerWords;
  return demand.sharedBytes > shared ? words + demand.sharedBytes / 4 * copies : words;
}

bool nv_tileas::isAttention(ArrayRef<aa::DotOp> products) {
  constexpr int64_t queries = 128, productsOfLoop = 2;
  return !products.empty() && llvm::all_of(products, [&](aa::DotOp dot) {
    return cast<RankedTensorType>(dot.getType()).getDimSize(0) == queries &&
           llvm::range_size(dot->getBlock()->getOps<aa::DotOp>()) == productsOfLoop &&
           !dot->getBlock()->getOps<aa::ReduceOp>().empty();
  });
}

bool nv_tileas::haveSharedRoom(const tileiras::TargetInfo &target, int64_t factorElements, Type element) {
  return factorElements * getStorageBytes(element) <= target.maxStaticShared * 3 / 4;
}

//===----------------------------------------------------------------------===//
// Shared memory, once tiles have layouts
//===----------------------------------------------------------------------===//

int64_t nv_tileas::getTensorRoom(nv_tileaa::FuncOp func) {
  const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
  auto occupancy = func->getAttrOfType<IntegerAttr>(nv_tileaa::kOccupancyAttr);
  int64_t blocks = std::max<int64_t>(occupancy ? occupancy.getInt() : 1, 8 / std::min(getNumWarps(func), 8));
  return target ? llvm::bit_floor(uint64_t(target->tensorMemoryColumns / blocks)) : 0;
}

int64_t nv_tileas::getSharedBytes(RankedTensorType tile) {
  return elementsOfBlock(tile) * getStorageBytes(tile.getElementType());
}

/// What a kernel that adds up in tensor memory has for itself behind all tiles: the address of its columns and the
/// mbarriers of its products. How many these are shows when products are deferred. At most each has one, and four are
/// for what is waited for at once, turns, factors and corrected sums (ProductsUnderWay.h), of two warpgroups.
static int64_t bytesOfTensorState(aa::FuncOp func) {
  constexpr int64_t bytes = 8, warpgroups = 2, others = 4;
  int64_t products = 0;
  func.walk([&](DotOp dot) { products += isIn(dot.getType(), MemoryKind::Tensor); });
  return products ? int64_t(llvm::alignTo(bytes + bytes * warpgroups * (products + others), 16)) : 0;
}

SharedMemory::SharedMemory(aa::FuncOp func)
    : func(func), bytes(getSharedBytes(func) - bytesOfTensorState(func)), pieceBytes(getSharedPieceBytes(func)) {}

int64_t SharedMemory::roomToKeep() const {
  aa::FuncOp kernel = func;
  auto occupancy = kernel->getAttrOfType<IntegerAttr>(aa::kOccupancyAttr);
  // Blocks that a multiprocessor has: as many as are asked for, or as fill the register file with eight warps; of a
  // persistent kernel one stays, unless more are asked for.
  auto staying = kernel->getAttrOfType<DenseI64ArrayAttr>(kStayingBlocksAttr);
  bool one = staying && staying.size() >= 2 && staying[1] == 1;
  auto sharing = kernel->getAttrOfType<IntegerAttr>(kSharingBlocksAttr);
  int64_t blocks =
      std::max<int64_t>(occupancy ? occupancy.getInt() : 1, one       ? 1
                                                            : sharing ? sharing.getInt()
                                                                      : 8 / std::min(getNumWarps(kernel), 8));
  const tileiras::TargetInfo *target = aa::getTarget(kernel);
  if (!target)
    return bytes / blocks;
  int64_t reserved = target->sharedPerSm - target->maxDynamicShared;
  return std::min<int64_t>(bytes, target->sharedPerSm / blocks - reserved);
}

int64_t SharedMemory::blocksWith(int64_t taken, int64_t columns) const {
  aa::FuncOp kernel = func;
  const tileiras::TargetInfo *target = aa::getTarget(kernel);
  if (!target)
    return 1;
  int64_t reserved = target->sharedPerSm - target->maxDynamicShared;
  int64_t blocks = std::min<int64_t>(
      {target->maxBlocksPerSm, target->maxWarpsPerSm / getNumWarps(kernel), target->sharedPerSm / (taken + reserved)});
  return columns ? std::min<int64_t>(blocks, target->tensorMemoryColumns / columns) : blocks;
}

int64_t SharedMemory::demandWithOperands(Region &region, function_ref<bool(ConvertLayoutOp)> staysWhole) const {
  auto bytesOf = [](Value tile) {
    return int64_t(llvm::alignTo(getSharedBytes(cast<RankedTensorType>(tile.getType())), 128));
  };
  int64_t most = 0;
  for (Block &block : region) {
    int64_t operands = 0, others = 0;
    for (Operation &op : block) {
      if (isa<AllocTensorOp>(op) && op.hasOneUse() && isa<WithScratchOp>(*op.user_begin()))
        others = std::max(others, bytesOf(op.getResult(0)));
      else if (isa<AllocTensorOp>(op) && isIn(op.getResult(0).getType(), MemoryKind::Shared))
        operands += bytesOf(op.getResult(0));
      else if (auto convert = dyn_cast<ConvertLayoutOp>(op); convert && staysWhole(convert))
        operands += bytesOf(convert.getResult());
      else if (convert)
        others = std::max(others, std::min(bytesOf(convert.getResult()), pieceBytes));
      for (Region &inner : op.getRegions())
        others = std::max(others, demandWithOperands(inner, staysWhole));
    }
    most = std::max(most, operands + others);
  }
  return most;
}
