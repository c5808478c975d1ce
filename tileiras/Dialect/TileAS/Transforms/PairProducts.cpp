//===- PairProducts.cpp - Products of two blocks --------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/PairProducts.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/ScaleColumns.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/PairAgents.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;
using tileiras::LinearLayout;
namespace remarks = tileiras::remarks;

namespace {

/// A tile of the stages of a ring.
struct Element {
  CreatePipelineOp ring;
  unsigned number = 0;
  bool operator==(const Element &) const = default;
};

/// The layout of tiles that threads copy, its last bit along `d` given to blocks: each of them does half of it.
LinearLayout halveCopies(const LinearLayout &copies, int d, unsigned together) {
  std::vector<int32_t> last(copies.numOuts(), 0);
  last[d] = copies.shape()[d] / 2;
  std::vector<LinearLayout::InDim> dims;
  bool inThreads = false;
  for (tileiras::DimName name : copies.inNames()) {
    LinearLayout::InDim dim{name, {}};
    for (int bit = 0; bit < copies.inBits(name); ++bit)
      if (copies.basis(name, bit) != last)
        dim.bases.push_back(copies.basis(name, bit));
      else if (name != tileiras::kRegister) {
        inThreads = true;
        dim.bases.push_back(last); // replaced below
      }
    dims.push_back(dim);
  }
  if (inThreads) {
    // These threads do what others did a copy later; where there is none, nothing.
    std::vector<int32_t> instead(copies.numOuts(), 0);
    for (LinearLayout::InDim &dim : dims)
      if (dim.name == tileiras::kRegister && dim.bases.size() > together) {
        instead = dim.bases.back();
        dim.bases.pop_back();
      }
    for (LinearLayout::InDim &dim : dims)
      for (std::vector<int32_t> &basis : dim.bases)
        if (basis == last)
          basis = instead;
  }
  llvm::erase_if(dims, [](const LinearLayout::InDim &dim) { return dim.name == tileiras::kBlock; });
  dims.push_back({tileiras::kBlock, {last}});
  return LinearLayout(dims, copies.shape());
}

class Planner {
public:
  explicit Planner(nv_tileaa::FuncOp func) : func(func) {}

  std::string plan() {
    func.walk([&](DotOp dot) {
      if (dot.getAtom() && isa<Sm100MmaAtomAttr>(Attribute(*dot.getAtom())))
        dots.push_back(dot);
    });
    for (DotOp dot : dots)
      if (std::string why = planProduct(dot); !why.empty())
        return why;
    for (CreatePipelineOp ring : rings)
      if (std::string why = checkRing(ring); !why.empty())
        return why;
    WalkResult other = func.walk([&](CreatePipelineOp op) {
      bool sameType = llvm::any_of(
          rings, [&](CreatePipelineOp ring) { return ring.getPipeline().getType() == op.getPipeline().getType(); });
      return sameType && !rings.contains(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (other.wasInterrupted())
      return "another ring has stages like that of the right factor";
    for (auto [make, atom] : maps)
      for (Operation *user : usersOfTensorMap(MakeTiledTmaDescOp(make)))
        if (atoms.lookup(user) != atom && multicasts.lookup(user) != atom)
          return "a tensor map has other uses";
    return {};
  }

  int64_t numProducts() const { return dots.size(); }

  void apply() {
    auto unit = UnitAttr::get(func.getContext());
    Builder builder(func.getContext());
    // Types of rings and iterators that hold B.
    AttrTypeReplacer replacer;
    llvm::DenseMap<Type, Type> pipelines;
    for (CreatePipelineOp ring : rings) {
      auto old = cast<PipelineType>(ring.getPipeline().getType());
      SmallVector<Type> types(old.getElements());
      for (auto [element, type] : divided)
        if (element.ring == ring)
          types[element.number] = type;
      if (inAgents)
        addStages(ring, old.getElements(), types);
      pipelines[old] = PipelineType::get(func.getContext(), ring.getNumStages(), types);
      pipelines[iteratorOf(old)] = iteratorOf(cast<PipelineType>(pipelines[old]));
      for (auto [i, stage] : llvm::enumerate(ring.getStages()))
        stage.setType(types[i % types.size()]);
    }
    replacer.addReplacement([&](Type type) -> std::optional<std::pair<Type, WalkResult>> {
      if (Type now = pipelines.lookup(type))
        return std::pair(now, WalkResult::skip());
      return std::nullopt;
    });
    replacer.recursivelyReplaceElementsIn(func, /*replaceAttrs=*/false, /*replaceLocs=*/false, /*replaceTypes=*/true);
    for (auto [value, type] : values)
      value.setType(type);
    for (auto [make, atom] : maps)
      make->setAttr(MakeTiledTmaDescOp(make).getAtomAttrName(), atom);
    for (AsyncTiledTmaLoadOp load : tensorLoads) {
      load->setAttr(kCtaPairAttr, unit);
      if (Attribute atom = atoms.lookup(load)) {
        load.setAtomAttr(cast<CopyAtomAttrInterface>(atom));
        load.setTxCountAttr(builder.getI32IntegerAttr(load.getTxCount() / 2));
      } else if (Attribute atom = multicasts.lookup(load)) {
        load.setAtomAttr(cast<CopyAtomAttrInterface>(atom));
        load->setAttr(kMulticastAttr, builder.getI32IntegerAttr(2));
      }
    }
    for (AsyncTiledTmaLoadOp load : shared)
      remarks::passed(load, remarks::kMemory, "Multicast")
          << remarks::figure("Blocks", 2) << remarks::figure("BytesShared", load.getTxCount())
          << remarks::figure("Alternatives", "every block loads it")
          << remarks::because("each block copies a part to all, and the cache reads it once for the cluster");
    for (auto [load, copies] : copies)
      AsyncTiledLoadOp(load).setCopiesAttr(cast<LayoutAttrInterface>(copies));
    for (CreatePipelineOp ring : rings) {
      ring->setAttr(kCtaPairAttr, unit);
      ring->setAttr(kClusterRingAttr, builder.getI32IntegerAttr(2));
    }
    func->setAttr(kCtaPairAttr, unit);
    if (llvm::any_of(rings, isFilledByThreadsToo))
      func->setAttr(kPairRelaysAttr, unit);
    agents.apply();
  }

private:
  static PipelineIteratorType iteratorOf(PipelineType type) {
    return PipelineIteratorType::get(type.getContext(), type.getStages(), type.getElements());
  }

  static bool isFilledByThreadsToo(CreatePipelineOp ring) {
    return llvm::any_of(ring->getUsers(), [](Operation *user) {
      auto write = dyn_cast<ProducerWriteOp>(user);
      return write && !write.getBody().front().getOps<AsyncTiledTmaLoadOp>().empty() &&
             !write.getBody().front().getOps<AsyncTiledLoadOp>().empty();
    });
  }

  /// As many stages as the bytes hold that the ring had before its tiles were divided. Agents do not count them; loops
  /// of one agent run so many rounds ahead as they were made to.
  void addStages(CreatePipelineOp ring, ArrayRef<Type> before, ArrayRef<Type> after) {
    auto bytesOf = [](ArrayRef<Type> tiles) {
      int64_t bytes = 0;
      for (Type type : tiles)
        if (isIn(type, MemoryKind::Shared))
          bytes += getSharedBytes(cast<RankedTensorType>(type));
      return bytes;
    };
    int32_t stages = ring.getNumStages();
    int32_t more = int32_t(stages * bytesOf(before) / bytesOf(after)) - stages;
    // Columns of scales, which are tiles of the stage, too.
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
    int64_t columns = 0, room = target ? target->tensorMemoryColumns : 0;
    for (const SharedBuffer &buffer : SharedPlan(func, MemoryKind::Tensor).buffers) {
      room -= buffer.bytes();
      if (llvm::is_contained(ring.getStages(), buffer.firstTile()))
        columns += buffer.stride();
    }
    if (columns)
      more = std::min(more, int32_t(std::max<int64_t>(room, 0) / columns));
    OpBuilder builder(ring);
    SmallVector<Value> last(ring.getStages().take_back(after.size()));
    for (int32_t i = 0; i < more; ++i)
      for (Value tile : last)
        ring.getStagesMutable().append(builder.clone(*tile.getDefiningOp())->getResult(0));
    ring.setNumStages(stages + std::max(more, 0));
  }

  static CreatePipelineOp ringOf(Value pipeline) { return pipeline.getDefiningOp<CreatePipelineOp>(); }

  /// The tile of a ring's stage that a factor is, under other shapes perhaps.
  std::optional<Element> stageOf(Value factor, SmallVectorImpl<Operation *> &shapes) {
    while (isReshape(factor.getDefiningOp())) {
      shapes.push_back(factor.getDefiningOp());
      factor = shapes.back()->getOperand(0);
    }
    auto argument = dyn_cast<BlockArgument>(factor);
    auto read = argument ? dyn_cast<ConsumerReadOp>(argument.getOwner()->getParentOp()) : ConsumerReadOp();
    if (!read || !ringOf(read.getPipeline()))
      return std::nullopt;
    return Element{ringOf(read.getPipeline()), argument.getArgNumber()};
  }

  std::string planProduct(DotOp dot) {
    auto atom = cast<Sm100MmaAtomAttr>(Attribute(*dot.getAtom()));
    tileiras::DotShape shape = getDotShape(dot);
    if (!dot->hasAttr(kUnderWayAttr))
      return "somebody waits for a product";
    if (dot.getSfa() && !dot.getColumns())
      return "scales go through registers to tensor memory";
    if (std::string why = getAgentSwitch(dot) ? agents.checkProduct(dot) : ""; !why.empty())
      return why;
    inAgents |= bool(getAgentSwitch(dot));
    // What both have of B is half of an instruction's columns, in steps of 32 (PTX ISA, "tcgen05.mma").
    if (shape.batched || atom.getM() != 128 || shape.n != atom.getN() || shape.n % 32)
      return "an instruction of two blocks has 256 rows, and all columns of the product";
    SmallVector<Operation *> ofA, ofB;
    std::optional<Element> a = stageOf(dot.getA(), ofA), b = stageOf(dot.getB(), ofB);
    if (!a || !b || *a == *b)
      return "a factor is not of a ring";
    rings.insert(a->ring);
    rings.insert(b->ring);
    // The dimension of the stage that B's columns are.
    int d = 1;
    for (Operation *op : ofB)
      if (d = dimensionBefore(op, d); d < 0)
        return "the right factor's columns are no dimension of its stage";
    if (std::string why = divide(*b, d); !why.empty())
      return why;
    for (Operation *op : llvm::reverse(ofB))
      if (std::string why = divide(op); !why.empty())
        return why;
    std::string error;
    if (!describeOperand(atom, shape, tileiras::DotOperand::B, getLinearLayout(typeOf(dot.getB())), &error))
      return "half of the right factor does not lie as the instruction reads it: " + error;
    // Where blocks divided columns, or nothing, A is the same for both.
    return isSameEverywhere(*a) ? "the blocks do not divide the rows" : planScales(dot, *a);
  }

  /// Each block has the scales of its rows of A, and those of all columns of B (PTX ISA, "tcgen05.mma.block_scale"),
  /// in its own shared memory, from where one instruction copies them to the tensor memory of both.
  std::string planScales(DotOp dot, Element a) {
    if (!dot.getSfa())
      return {};
    SmallVector<Operation *> ofA, ofB, ofColumns;
    std::optional<Element> scalesA = stageOf(dot.getSfa(), ofA), scalesB = stageOf(dot.getSfb(), ofB),
                           columns = stageOf(dot.getColumns(), ofColumns);
    if (!scalesA || !scalesB || !columns)
      return "scales are not of a ring, in columns of their own";
    if (scalesA->ring != a.ring || scalesB->ring != a.ring || columns->ring != a.ring)
      return "scales are of another ring than the factors";
    if (!isSameEverywhere(*scalesB))
      return "the scales of the right factor are not the same for both blocks";
    planMulticast(*scalesB);
    return {};
  }

  /// What both blocks need whole each of them copies a half of to both, where tensor copies bring it, by tensor maps
  /// that nobody else uses: L2 is read once. (Where threads copy instead, for want of tensor maps, each block copies
  /// its own.)
  void planMulticast(Element tile) {
    llvm::MapVector<Operation *, Attribute> loads;
    llvm::SetVector<Operation *> makes;
    for (Operation *user : tile.ring->getUsers()) {
      auto write = dyn_cast<ProducerWriteOp>(user);
      if (!write)
        continue;
      for (Operation *filler : write.getBody().getArgument(tile.number).getUsers()) {
        auto load = dyn_cast<AsyncTiledTmaLoadOp>(filler);
        if (!load)
          continue;
        auto type = cast<RankedTensorType>(load.getDest().getType());
        std::optional<tileiras::TmaTile> half = divideAmongBlocks(*describeTma(load.getView().getType(), type), 2,
                                                                  int32_t(getStorageBytes(type.getElementType())));
        MakeTiledTmaDescOp make = getTensorMap(load.getDesc());
        if (!half || !make || !isSameInAllBlocks(load.getDesc()))
          return;
        loads[load] = getTmaLoad(func.getContext(), *half);
        makes.insert(make);
      }
    }
    for (Operation *make : makes)
      for (Operation *user : usersOfTensorMap(cast<MakeTiledTmaDescOp>(make)))
        if (loads.lookup(user) != loads.front().second)
          return;
    if (!loads.empty() && !multicasts.contains(loads.front().first)) // products may share their scales
      shared.push_back(cast<AsyncTiledTmaLoadOp>(loads.front().first));
    for (auto [load, atom] : loads)
      multicasts[load] = atom;
    for (Operation *make : makes)
      maps[make] = loads.front().second;
  }

  RankedTensorType typeOf(Value value) {
    if (Type type = values.lookup(value))
      return cast<RankedTensorType>(type);
    return cast<RankedTensorType>(value.getType());
  }

  static RankedTensorType withLayout(RankedTensorType type, const LinearLayout &layout) {
    return RankedTensorType::get(type.getShape(), type.getElementType(),
                                 getSharedLayoutAttr(type.getContext(), layout));
  }

  /// Divides a tile of a ring, and all loads that fill it.
  std::string divide(Element element, int d) {
    auto old = cast<RankedTensorType>(element.ring.getPipeline().getType().getElements()[element.number]);
    std::optional<LinearLayout> layout = divideBetweenBlocks(getLinearLayout(old), d);
    if (!layout)
      return "the right factor has no halves in shared memory";
    RankedTensorType type = withLayout(old, *layout);
    for (auto [known, knownType] : divided)
      if (known == element)
        return knownType == type ? "" : "products divide a tile in two ways";
    divided.push_back({element, type});
    for (Operation *user : element.ring->getUsers()) {
      if (!isa<ProducerWriteOp, ConsumerReadOp>(user))
        continue;
      BlockArgument argument = user->getRegion(0).getArgument(element.number);
      values[argument] = type;
      if (isa<ConsumerReadOp>(user)) {
        for (Operation *reader : argument.getUsers())
          if (!isa<DotOp>(reader) && !isReshape(reader))
            return "others read the right factor";
        continue;
      }
      for (Operation *filler : argument.getUsers())
        if (std::string why = divideLoad(filler, argument, type, d); !why.empty())
          return why;
    }
    return {};
  }

  /// What a dimension of a tile was before it got another shape; -1 if none.
  static int dimensionBefore(Operation *op, int d) {
    if (auto permute = dyn_cast<nv_tileaa::PermuteOp>(op))
      return permute.getPermutation()[d];
    auto above = [](RankedTensorType type, int d) { return ShapedType::getNumElements(type.getShape().take_front(d)); };
    auto from = cast<RankedTensorType>(op->getOperand(0).getType()),
         to = cast<RankedTensorType>(op->getResult(0).getType());
    for (int i = 0; i < from.getRank(); ++i)
      if (from.getDimSize(i) == to.getDimSize(d) && above(from, i) == above(to, d))
        return i;
    return -1;
  }

  std::string divide(Operation *shape) {
    LinearLayout source = getLinearLayout(typeOf(shape->getOperand(0)));
    auto type = cast<RankedTensorType>(shape->getResult(0).getType());
    std::vector<int32_t> extents(type.getShape().begin(), type.getShape().end());
    LinearLayout layout = source;
    if (auto permute = dyn_cast<nv_tileaa::PermuteOp>(shape)) {
      std::vector<LinearLayout::InDim> dims;
      for (tileiras::DimName name : source.inNames()) {
        LinearLayout::InDim dim{name, {}};
        for (int bit = 0; bit < source.inBits(name); ++bit) {
          std::vector<int32_t> from = source.basis(name, bit), to;
          for (int32_t i : permute.getPermutation())
            to.push_back(from[i]);
          dim.bases.push_back(to);
        }
        dims.push_back(dim);
      }
      layout = LinearLayout(dims, extents);
    } else {
      layout = source.reshapeOuts(extents);
    }
    values[shape->getResult(0)] = withLayout(type, layout);
    for (Operation *reader : shape->getResult(0).getUsers())
      if (!isa<DotOp>(reader) && !isReshape(reader))
        return "others read the right factor";
    return {};
  }

  std::string divideLoad(Operation *op, Value argument, RankedTensorType type, int d) {
    const char *different = "the right factor is not the same for both blocks";
    if (auto load = dyn_cast<AsyncTiledTmaLoadOp>(op); load && load.getDest() == argument) {
      if (!llvm::all_of(load.getIndices(), isSameInAllBlocks) || !isSameInAllBlocks(load.getDesc()))
        return different;
      std::optional<tileiras::TmaTile> boxes = describeTma(load.getView().getType(), type);
      if (!boxes)
        return "half of the right factor does not lie as tensor copies write it";
      auto atom = getTmaLoad(load.getContext(), *boxes);
      atoms[load] = atom;
      MakeTiledTmaDescOp make = getTensorMap(load.getDesc());
      if (!make)
        return "a tensor map comes from elsewhere";
      auto [known, isNew] = maps.try_emplace(make, atom);
      return known->second == atom ? "" : "a tensor map has other uses";
    }
    if (auto load = dyn_cast<AsyncTiledLoadOp>(op); load && load.getDest() == argument) {
      if (!llvm::all_of(load.getIndices(), isSameInAllBlocks) ||
          (load.getValid() && !isSameInAllBlocks(load.getValid())))
        return different;
      auto simt = dyn_cast<SimtAsyncCopyAttr>(Attribute(load.getAtom()));
      if (!simt)
        return "the right factor is copied in another way";
      unsigned together = llvm::Log2_32(simt.getBytes() / getStorageBytes(type.getElementType()));
      LinearLayout layout = load.getCopies().toLinearLayout(type.getShape());
      copies[load] = getLayoutAttr(load.getContext(), halveCopies(layout, d, together));
      return {};
    }
    return "the right factor is copied in another way";
  }

  static bool isSameEverywhere(Element tile) {
    bool same = true;
    for (Operation *user : tile.ring->getUsers())
      if (auto write = dyn_cast<ProducerWriteOp>(user))
        same &= isSameEverywhere(write, tile.number);
    return same;
  }

  static bool isSameEverywhere(ProducerWriteOp write, unsigned number) {
    return llvm::all_of(write.getBody().getArgument(number).getUsers(), [](Operation *op) {
      auto tensor = dyn_cast<AsyncTiledTmaLoadOp>(op);
      auto plain = dyn_cast<AsyncTiledLoadOp>(op);
      return (tensor && llvm::all_of(tensor.getIndices(), isSameInAllBlocks)) ||
             (plain && llvm::all_of(plain.getIndices(), isSameInAllBlocks));
    });
  }

  std::string checkRing(CreatePipelineOp ring) {
    if (ring->hasAttr(kClusterRingAttr))
      return "a ring is shared already";
    if (ring.getTma())
      return "whether TMA fills a stage is asked in every round";
    // The blocks meet where a ring is made, also before the sums of the round before are overwritten.
    for (Operation *around = ring->getParentOp(); around != func; around = around->getParentOp()) {
      auto branch = dyn_cast<Branch>(around);
      auto loop = dyn_cast<CountedLoop>(around);
      if (!(branch && isSameInAllBlocks(branch.getCondition())) && !(loop && isSameInAllBlocks(loop.getInductionVar())))
        return "not all blocks make a ring";
    }
    if (inAgents)
      if (std::string why = agents.checkRing(ring); !why.empty())
        return why;
    // Where threads copy, the blocks meet in every round: only for want of tensor maps.
    auto branch = dyn_cast<Branch>(ring->getParentOp());
    if (ring.getGroups() &&
        !(branch && branch.elseBlock() == ring->getBlock() && llvm::any_of(rings, [&](CreatePipelineOp other) {
            return other->getBlock() == branch.thenBlock() && !other.getGroups();
          })))
      return "TMA does not fill a ring";
    for (Operation *user : ring->getUsers()) {
      if (auto release = dyn_cast<ConsumerReleaseOp>(user); release && !release->hasAttr(kByProductsAttr))
        return "products do not release the stages of a ring";
      if (auto loop = user->getParentOfType<CountedLoop>(); loop && !isSameInAllBlocks(loop.getInductionVar()))
        return "not all blocks go through a loop as often";
      auto write = dyn_cast<ProducerWriteOp>(user);
      if (!write)
        continue;
      if (write.getPredicate() && !isSameInAllBlocks(write.getPredicate()))
        return "not all blocks fill a ring as often";
      write.walk([&](AsyncTiledTmaLoadOp load) { tensorLoads.insert(load); });
    }
    return {};
  }

  nv_tileaa::FuncOp func;
  bool inAgents = false; ///< products are
  PairAgents agents;
  SmallVector<DotOp> dots;
  llvm::SetVector<CreatePipelineOp> rings;
  SmallVector<std::pair<Element, RankedTensorType>> divided;
  llvm::MapVector<Value, Type> values;               ///< and the types they get
  llvm::DenseMap<Operation *, Attribute> atoms;      ///< of loads of halves
  llvm::DenseMap<Operation *, Attribute> multicasts; ///< of loads of halves for both blocks
  llvm::MapVector<Operation *, Attribute> maps, copies;
  llvm::SetVector<AsyncTiledTmaLoadOp> tensorLoads;
  SmallVector<AsyncTiledTmaLoadOp> shared; ///< one of each tile that is copied to both blocks
};

} // namespace

std::string nv_tileas::pairProducts(nv_tileaa::FuncOp func, int64_t &numProducts) {
  Planner planner(func);
  std::string why = planner.plan();
  numProducts = why.empty() ? planner.numProducts() : 0;
  if (numProducts)
    planner.apply();
  return why;
}
