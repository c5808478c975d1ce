//===- SharedFactors.cpp - One place for a factor of several products -----===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/SharedFactors.h"
#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadPastRegisters.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/MatrixFetch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;
namespace remarks = tileiras::remarks;

namespace {

/// A conversion that brings the tile to a product.
struct Reader {
  ConvertLayoutOp convert;
  OpOperand *operand;              ///< of the product
  SmallVector<Operation *> shapes; ///< between the load and the conversion
  LdsmAttr fetch;

  DotOp dot() const { return cast<DotOp>(operand->getOwner()); }
  LinearLayout held() { return getLinearLayout(cast<RankedTensorType>(convert.getSource().getType())); }

  /// The layout of the loaded tile that gives the product's tile `memory`, and the other way round.
  std::optional<LinearLayout> asLoaded(std::optional<LinearLayout> memory) const {
    for (Operation *shape : llvm::reverse(shapes))
      if (memory)
        memory = inferOperandLayout(shape, 0, *memory);
    return memory;
  }
  std::optional<LinearLayout> asRead(std::optional<LinearLayout> memory) const {
    for (Operation *shape : shapes)
      if (memory)
        memory = inferResultLayout(shape, 0, *memory);
    return memory;
  }

  /// Whether ldmatrix finds the fragments in the loaded tile as it lies, without conflicts; `fetch` is how then.
  bool findIn(const LinearLayout &loaded, int64_t bytes) {
    std::optional<LinearLayout> memory = asRead(loaded);
    for (bool transposed : {false, true})
      if (std::optional<tileiras::MatrixFetch> matrices = getMatrixFetch(dot(), *operand, transposed);
          memory && matrices && tileiras::planMatrixFetchThrough(*memory, held(), *matrices, bytes)) {
        fetch = LdsmAttr::get(convert.getContext(), matrices->matrices(), transposed);
        return true;
      }
    return false;
  }
};

/// Where all readers find their fragments of elements of so many bytes, as the first of their shapes has the tile; none
/// if there is no such place.
std::optional<LinearLayout> placeFor(MutableArrayRef<Reader> readers, int64_t bytes) {
  for (Reader &reader : readers)
    for (bool transposed : {false, true}) {
      std::optional<tileiras::MatrixFetch> matrices = getMatrixFetch(reader.dot(), *reader.operand, transposed);
      std::optional<tileiras::SharedPlan> plan =
          matrices ? tileiras::planMatrixFetch(reader.held(), *matrices, bytes) : std::nullopt;
      std::optional<LinearLayout> memory = plan ? reader.asLoaded(plan->memory) : std::nullopt;
      if (memory && llvm::all_of(readers, [&](Reader &other) { return other.findIn(*memory, bytes); }))
        return memory;
    }
  return std::nullopt;
}

/// The readers of a loaded tile, through shapes. Fails if somebody else has it, or elsewhere.
LogicalResult collect(Operation *load, Value tile, SmallVector<Operation *> shapes,
                      function_ref<bool(ConvertLayoutOp)> mayStay, SmallVector<Reader> &readers) {
  for (Operation *user : tile.getUsers()) {
    if (user->getBlock() != load->getBlock())
      return failure();
    if (isReshape(user)) {
      SmallVector<Operation *> with = shapes;
      with.push_back(user);
      if (failed(collect(load, user->getResult(0), with, mayStay, readers)))
        return failure();
      continue;
    }
    auto convert = dyn_cast<ConvertLayoutOp>(user);
    if (!convert || !convert->hasOneUse() || !mayStay(convert))
      return failure();
    readers.push_back({convert, &*convert->use_begin(), shapes, {}});
  }
  return success();
}

/// Has the readers read `tile`, and erases what nobody uses any more.
void redirect(OpBuilder &builder, ArrayRef<Reader> readers, Value tile, StringRef what, Operation *at) {
  remarks::passed(at, remarks::kMemory, "SharedFactor")
      << remarks::figure("Products", readers.size()) << remarks::because(what);
  SmallVector<Operation *> unused;
  for (Reader reader : readers) {
    builder.setInsertionPoint(reader.convert);
    Value read = reshapeShared(builder, tile, reader.shapes);
    reader.operand->getOperandNumber() == 0 ? reader.dot().setFetchAAttr(reader.fetch)
                                            : reader.dot().setFetchBAttr(reader.fetch);
    reader.convert.replaceAllUsesWith(read);
    reader.convert.erase();
    for (Operation *shape : llvm::reverse(reader.shapes))
      if (!llvm::is_contained(unused, shape))
        unused.push_back(shape);
  }
  for (bool more = true; more;) {
    more = false;
    for (Operation *&shape : unused)
      if (shape && shape->use_empty())
        shape->erase(), shape = nullptr, more = true;
  }
}

void sortByPlace(SmallVectorImpl<Reader> &readers) {
  llvm::sort(readers, [](const Reader &a, const Reader &b) {
    return ConvertLayoutOp(a.convert)->isBeforeInBlock(ConvertLayoutOp(b.convert));
  });
}

/// Past the registers.
bool share(nv_tileaa::MemoryAccessOpInterface access, function_ref<bool(ConvertLayoutOp)> mayStay) {
  LoadForOne load{dyn_cast<TiledLoadOp>(access.getOperation()), {}, dyn_cast<LoadOp>(access.getOperation())};
  SmallVector<Reader> readers;
  if (!isIn(access.getLoaded().getType(), MemoryKind::Registers) ||
      failed(collect(access, access.getLoaded(), {}, mayStay, readers)) || readers.size() < 2)
    return false;
  sortByPlace(readers);
  Operation *first = readers.front().convert;
  Type element = load.getType().getElementType();
  int64_t bytes = getStorageBytes(element);
  if (getMemoryBits(element) != 8 * bytes || !load.mayBeFetchedBy(first))
    return false;
  std::optional<LinearLayout> memory = placeFor(readers, bytes);
  // Not narrower than through registers: the requests would be more, and use less of each sector.
  int64_t most = std::min<int64_t>(load.getVec(), 16 / bytes);
  int64_t run = memory ? load.runBytes(*memory, most, bytes) : 0;
  if (run < 4 || run < most * bytes)
    return false;
  OpBuilder builder(access);
  Value tile = load.copyPastRegisters(builder, *memory, run, first, /*asyncProxy=*/false);
  redirect(builder, readers, tile, "several products find their fragments in one place", access);
  access->erase();
  return true;
}

/// Through registers: of whatever value, also one from outside of the products' loop.
bool share(Value root, SmallVector<Reader> readers) {
  auto type = cast<RankedTensorType>(root.getType());
  int64_t bytes = getStorageBytes(type.getElementType());
  if (getMemoryBits(type.getElementType()) != 8 * bytes)
    return false;
  sortByPlace(readers);
  std::optional<LinearLayout> memory = placeFor(readers, bytes);
  LinearLayout held = getLinearLayout(type);
  std::optional<tileiras::SharedPlan> plan =
      memory ? tileiras::planSharedThrough(*memory, held, held, bytes) : std::nullopt;
  if (!plan || plan->store.conflicts())
    return false;
  Operation *first = readers.front().convert;
  OpBuilder builder(first);
  MLIRContext *context = builder.getContext();
  auto tile = AllocTensorOp::create(builder, first->getLoc(), withLayout(type, getSharedLayoutAttr(context, *memory)),
                                    IntegerAttr());
  auto store = AtomPlanAttr::get(context, /*tag=*/1, bytes << plan->store.vectorBits);
  CopyOp::create(builder, first->getLoc(), Type(), root, tile, store, UnitAttr());
  redirect(builder, readers, tile, "several products find their fragments in one place, written by the threads",
           readers.front().dot());
  return true;
}

using Groups = llvm::MapVector<std::pair<Value, Block *>, SmallVector<Reader>>;

/// The conversions of each block for products, by what their tiles have been before reshapes.
Groups groupByRoot(nv_tileaa::FuncOp func, function_ref<bool(ConvertLayoutOp)> mayStay) {
  Groups groups;
  func.walk([&](ConvertLayoutOp convert) {
    if (!isIn(convert.getSource().getType(), MemoryKind::Registers) || !convert->hasOneUse() || !mayStay(convert))
      return;
    Reader reader{convert, &*convert->use_begin(), {}, {}};
    Value root = convert.getSource();
    for (Operation *def; (def = root.getDefiningOp()) && isReshape(def); root = def->getOperand(0))
      reader.shapes.insert(reader.shapes.begin(), def);
    if (isIn(root.getType(), MemoryKind::Registers))
      groups[{root, convert->getBlock()}].push_back(std::move(reader));
  });
  return groups;
}

} // namespace

llvm::SmallPtrSet<Operation *, 8> nv_tileas::readersOfShared(nv_tileaa::FuncOp func,
                                                             function_ref<bool(ConvertLayoutOp)> mayStay) {
  llvm::SmallPtrSet<Operation *, 8> later;
  for (auto &[at, readers] : groupByRoot(func, mayStay))
    if (readers.size() > 1 &&
        placeFor(readers, getStorageBytes(cast<RankedTensorType>(at.first.getType()).getElementType())))
      for (Reader &reader : llvm::drop_begin(readers))
        later.insert(reader.convert);
  return later;
}

Value nv_tileas::reshapeShared(OpBuilder &builder, Value tile, ArrayRef<Operation *> shapes) {
  for (Operation *shape : shapes) {
    auto type = cast<RankedTensorType>(shape->getResult(0).getType());
    LinearLayout layout = *inferResultLayout(shape, 0, getLinearLayout(cast<RankedTensorType>(tile.getType())));
    IRMapping map;
    map.map(shape->getOperand(0), tile);
    Operation *again = builder.clone(*shape, map);
    again->getResult(0).setType(withLayout(type, getSharedLayoutAttr(builder.getContext(), layout)));
    tile = again->getResult(0);
  }
  return tile;
}

Value nv_tileas::unshaped(Value value, LinearLayout &memory, SmallVectorImpl<Operation *> &shapes) {
  while (Operation *def = value.getDefiningOp()) {
    std::optional<LinearLayout> before = isReshape(def) ? inferOperandLayout(def, 0, memory) : std::nullopt;
    if (!before)
      break;
    memory = *before;
    shapes.insert(shapes.begin(), def);
    value = def->getOperand(0);
  }
  return value;
}

unsigned nv_tileas::shareFactors(nv_tileaa::FuncOp func, function_ref<bool(ConvertLayoutOp)> mayStay) {
  SmallVector<nv_tileaa::MemoryAccessOpInterface> loads;
  func.walk([&](nv_tileaa::MemoryAccessOpInterface access) {
    if (isa<TiledLoadOp, LoadOp>(access.getOperation()))
      loads.push_back(access);
  });
  unsigned copied =
      llvm::count_if(loads, [&](nv_tileaa::MemoryAccessOpInterface access) { return share(access, mayStay); });
  auto written = groupByRoot(func, mayStay);
  for (auto &[at, readers] : written)
    if (readers.size() > 1)
      share(at.first, std::move(readers));
  return copied;
}
