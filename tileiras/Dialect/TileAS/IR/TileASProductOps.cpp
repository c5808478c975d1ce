//===- TileASProductOps.cpp - Products that go on by themselves -----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sums under way are in registers that a matrix unit writes at a time nobody knows. So they have one use at a time: a
// second one would need a copy, which would read them. By way of loops and branches they reach a product that adds to
// them or a wait, and nothing else; that is checked where they begin.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/Dot.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;

static LogicalResult verifyUsesOfSums(Operation *op, Value sums) {
  llvm::SetVector<Value> reached;
  reached.insert(sums);
  for (size_t i = 0; i < reached.size(); ++i) {
    Value value = reached[i];
    if (value.use_empty()) {
      InFlightDiagnostic diagnostic = op->emitOpError("sums under way are never waited for");
      if (value != sums)
        diagnostic.attachNote(value.getLoc()) << "they end here";
      return diagnostic;
    }
    if (!value.hasOneUse()) {
      InFlightDiagnostic diagnostic = op->emitOpError("sums under way have more than one use");
      for (Operation *user : value.getUsers())
        diagnostic.attachNote(user->getLoc()) << "here";
      return diagnostic;
    }
    OpOperand &use = *value.use_begin();
    Operation *user = use.getOwner();
    if (isa<AsyncDotWaitOp>(user) || (isa<AsyncDotOp>(user) && use.getOperandNumber() == 2))
      continue;
    SmallVector<Value, 2> next = nv_tileaa::getDestinations(use);
    if (auto read = dyn_cast<ConsumerReadOp>(user->getParentOp()); read && isa<PipelineYieldOp>(user))
      next = {read.getResults()[use.getOperandNumber()]};
    if (next.empty()) {
      InFlightDiagnostic diagnostic = op->emitOpError("sums under way are used by '")
                                      << user->getName() << "' before a wait";
      diagnostic.attachNote(user->getLoc()) << "nv_tileas.async.dot_wait makes a tile of them";
      return diagnostic;
    }
    reached.insert_range(next);
  }
  return success();
}

LogicalResult AsyncDotBeginOp::verify() {
  if (getResult().getType().getTile() != getSource().getType())
    return emitOpError("expects sums of type ") << getSource().getType();
  return verifyUsesOfSums(*this, getResult());
}

LogicalResult AsyncDotOp::verify() {
  auto pending = dyn_cast<PendingType>(getC().getType());
  RankedTensorType c = pending ? pending.getTile() : cast<RankedTensorType>(getC().getType());
  if (getResult().getType().getTile() != c)
    return emitOpError("expects a result of the type of its sums, ") << c;
  if (failed(nv_tileaa::verifyDot(*this, getA().getType(), getB().getType(), c, {}, {})) ||
      failed(verifyAtomOperands(*this, getAtom(), getDotShape(*this))))
    return failure();
  if (getAtom().getCompletion() != Completion::WaitGroup)
    return emitOpError("atom does not multiply while the threads go on");
  for (OpOperand *factor : {&getAMutable(), &getBMutable()})
    if (std::optional<MemoryKind> memory = getMemory(factor->get().getType());
        memory && *memory != MemoryKind::Shared &&
        llvm::none_of(factor->get().getUsers(), llvm::IsaPred<AsyncDotWaitOp>))
      return emitOpError("expects operand #")
             << factor->getOperandNumber()
             << " in shared memory, where it stays until the product is done, or in the hands of an async.dot_wait";
  if (!keepsSumsAs(getAtom().getElement(), c.getElementType()))
    return emitOpError("sums are not kept as ") << c.getElementType() << ", and rounding them needs a wait";
  return verifyUsesOfSums(*this, getResult());
}

/// How many products are certain to have been issued between that of `sums` and a wait for them: in one run of
/// operations, and in what reads stages there.
static int64_t countProductsBehind(Value sums, Operation *wait) {
  auto count = [](Operation *from, Operation *to) {
    int64_t products = 0;
    for (Operation *op = from; op && op != to; op = op->getNextNode()) {
      products += isa<AsyncDotOp>(op);
      if (auto read = dyn_cast<ConsumerReadOp>(op))
        products += llvm::range_size(read.getBody().front().getOps<AsyncDotOp>());
    }
    return products;
  };
  int64_t inside = 0;
  Operation *def = sums.getDefiningOp();
  if (auto read = dyn_cast_or_null<ConsumerReadOp>(def)) {
    Operation *end = read.getBody().front().getTerminator();
    Operation *product = end->getOperand(cast<OpResult>(sums).getResultNumber() - 1).getDefiningOp();
    if (!isa_and_nonnull<AsyncDotOp>(product) || product->getBlock() != end->getBlock())
      return 0;
    inside = count(product->getNextNode(), end);
  } else if (!isa_and_nonnull<AsyncDotOp>(def)) {
    return 0;
  }
  return def->getBlock() == wait->getBlock() ? inside + count(def->getNextNode(), wait) : 0;
}

LogicalResult AsyncDotWaitOp::verify() {
  if (getSums().size() != getNumResults())
    return emitOpError("expects as many results as sums");
  if (getPending() < 0 || getPending() > 7)
    return emitOpError("expects 0 to 7 products under way, got ") << getPending();
  for (auto [sums, result] : llvm::zip(getSums(), getResults())) {
    auto type = dyn_cast<PendingType>(sums.getType());
    if (!type) {
      Type element = getElementTypeOrSelf(sums.getType());
      if (result.getType() != sums.getType())
        return emitOpError("expects a tile to come out as it went in");
      if (!element.isIntOrFloat() || element.isInteger(1) || getStorageBytes(element) > 4)
        return emitOpError("takes tiles of 8, 16 or 32 bits, got ") << element;
      continue;
    }
    bool isDone = getPending() <= countProductsBehind(sums, *this);
    if (getValid() && !isDone)
      return emitOpError("drops sums of a product that is under way");
    if (isDone && result.getType() == type.getTile())
      continue;
    Type expected = getPending() ? Type(type) : Type(type.getTile());
    if (result.getType() != expected)
      return emitOpError("expects results of type ") << expected << " with " << getPending() << " products under way";
    if (failed(verifyUsesOfSums(*this, result)))
      return failure();
  }
  if (llvm::none_of(getSums().getTypes(), llvm::IsaPred<PendingType>))
    return emitOpError("waits for no product");
  return success();
}

/// The place of factors: one for each thread that gives them.
static LogicalResult verifyPlace(Operation *op, RankedTensorType place, int64_t rows) {
  if (!isIn(place, MemoryKind::Shared) || !place.getElementType().isF32() || place.getRank() != 1)
    return op->emitOpError("expects a row of f32 in shared memory as the place of factors, got ") << place;
  if (place.getNumElements() != rows)
    return op->emitOpError("expects a place for each of ") << rows << " rows, got " << place.getNumElements();
  return success();
}

bool nv_tileas::hasRowPerThread(RankedTensorType type) {
  tileiras::LinearLayout layout = getLinearLayout(type);
  if (type.getRank() == 0)
    return false;
  for (tileiras::DimName name : layout.inNames())
    for (int i = 0; i < layout.inBits(name); ++i)
      if (layout.basis(name, i)[0] != (name == tileiras::kLane ? 1 << i : name == tileiras::kWarp ? 32 << i : 0))
        return false;
  return true;
}

LogicalResult GiveFactorsOp::verify() {
  RankedTensorType type = getFactors().getType();
  if (!type.getElementType().isF32() || type.getRank() == 0 || type.getDimSize(0) != type.getNumElements())
    return emitOpError("expects a factor of f32 for each row, got ") << type;
  if (getLinearLayout(type).inSize(tileiras::kRegister) != 1 || !hasRowPerThread(type))
    return emitOpError("expects factors of which each thread has that of its row");
  return verifyPlace(*this, getPlace().getType(), type.getNumElements());
}

LogicalResult ScaleSumsOp::verify() {
  RankedTensorType type = getSums().getType();
  auto registers = cast<RankedTensorType>(getRegisters());
  if (!isIn(type, MemoryKind::Tensor) || !type.getElementType().isF32())
    return emitOpError("expects sums of f32 in tensor memory, got ") << type;
  if (registers.getShape() != type.getShape() || registers.getElementType() != type.getElementType() ||
      !registers.getEncoding() || isIn(registers, MemoryKind::Tensor) || isIn(registers, MemoryKind::Shared))
    return emitOpError("expects 'registers' to be the same tile in registers, got ") << registers;
  if (type.getRank() == 0 || type.getDimSize(0) % 128 != 0 || !hasRowPerThread(registers))
    return emitOpError("expects 'registers' in which each thread has one of a multiple of 128 rows");
  return verifyPlace(*this, getPlace().getType(), type.getDimSize(0));
}
