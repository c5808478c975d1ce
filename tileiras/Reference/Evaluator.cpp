//===- Evaluator.cpp - Running cuda_tile modules on plain arrays -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Reference/Evaluator.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::reference;

Evaluator::Evaluator(cuda_tile::ModuleOp module, DeviceMemory &memory, EvaluatorOptions options)
    : memory(memory), options(std::move(options)), module(module), handlers(module.getContext()) {
  addElementwiseHandlers(handlers);
  addConversionHandlers(handlers);
  addShapeHandlers(handlers);
  addPointerHandlers(handlers);
  addViewHandlers(handlers);
  addAtomicHandlers(handlers);
  addControlFlowHandlers(handlers);
  addAggregateHandlers(handlers);
  addMatrixHandlers(handlers);
  addMiscHandlers(handlers);
}

/// Raw bits of a literal's elements.
static void literalBits(DenseIntOrFPElementsAttr literal, DType type, std::vector<uint64_t> &bits) {
  if (isFloat(type)) {
    // MLIR's tf32 has 19 bits; in memory they are the upper bits of a word.
    unsigned pad = floatFormat(type).lowPadBits;
    for (const APFloat &value : literal.getValues<APFloat>())
      bits.push_back(value.bitcastToAPInt().getZExtValue() << pad);
  } else {
    for (const APInt &value : literal.getValues<APInt>())
      bits.push_back(value.getZExtValue());
  }
}

LogicalResult Evaluator::placeGlobals() {
  for (auto global : module.getOps<cuda_tile::GlobalOp>()) {
    DType type = dtypeOf(global.getType().getElementType());
    std::vector<uint64_t> elements;
    literalBits(global.getValue(), type, elements);
    std::vector<uint8_t> bytes(size_t(storageBytes(type, int64_t(elements.size()))));
    for (size_t i = 0; i < elements.size(); ++i)
      storeElement(type, bytes.data(), int64_t(i), elements[i]);
    uint64_t alignment = std::max<uint64_t>(uint64_t(global.getAlignment()), 256);
    if (!llvm::isPowerOf2_64(alignment))
      return global.emitError("alignment must be a power of two, got ") << global.getAlignment();
    globals[global.getSymName()] =
        memory.allocate(global.getSymName().str(), std::move(bytes), alignment, global.getConstant());
  }
  return success();
}

LogicalResult Evaluator::run(cuda_tile::EntryOp entry, GridCoordinates grid, ArrayRef<RuntimeValue> arguments) {
  if (failed(placeGlobals()))
    return failure();
  Block &body = entry.getBody().front();
  gridSize = grid;
  uint64_t total = uint64_t(grid.x) * grid.y * grid.z, done = 0;
  if (options.blocks)
    total = std::min(total, options.blocks);
  for (uint32_t z = 0; z < grid.z; ++z)
    for (uint32_t y = 0; y < grid.y; ++y)
      for (uint32_t x = 0; x < grid.x; ++x) {
        blockId = {x, y, z};
        values.clear();
        for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments))
          set(argument, value);
        // Every diagnostic of this block says which block it was.
        ScopedDiagnosticHandler where(module.getContext(), [&](Diagnostic &diagnostic) {
          diagnostic.attachNote(entry.getLoc())
              << "in tile block (" << x << ", " << y << ", " << z << ") of '" << entry.getSymName() << "'";
          return failure(); // go on to the next handler
        });
        bool ok = succeeded(runBlock(body));
        for (uint64_t base : stackMemory)
          memory.release(base);
        stackMemory.clear();
        stackBytes = 0;
        if (!ok)
          return failure();
        ++done;
        if (options.progress)
          options.progress(done, total);
        if (done == total)
          return success();
      }
  return success();
}

FailureOr<Flow> Evaluator::runBlock(Block &block) {
  for (Operation &op : block) {
    if (++stats.operations > options.maxSteps)
      return op.emitError("stopped after ")
             << options.maxSteps << " operations; the kernel may not terminate (raise the limit with --max-steps)";
    Handler handler = handlers.lookup(op.getName());
    if (!handler)
      return op.emitError("the reference evaluator does not know this operation");
    if (failed(handler(*this, &op)))
      return failure();
    if (leaving) {
      leaving = false;
      return pendingFlow;
    }
  }
  return block.getParentOp()->emitError("block ends without a terminator");
}

LogicalResult Evaluator::leave(Flow flow, ValueRange operands) {
  SmallVector<RuntimeValue> left;
  for (Value operand : operands)
    left.push_back(lookup(operand));
  carried = std::move(left);
  return propagate(flow);
}

LogicalResult Evaluator::propagate(Flow flow) {
  pendingFlow = flow;
  leaving = true;
  return success();
}

void Evaluator::bindCarried(ValueRange targets) {
  for (auto [target, value] : llvm::zip(targets, carried))
    set(target, value);
}

uint8_t *Evaluator::access(Operation *op, StringRef what, DType type, uint64_t address, bool isWrite,
                           ArrayRef<int64_t> shape, int64_t position) {
  uint64_t size = uint64_t(storageBytes(type, 1));
  uint8_t *bytes = memory.resolve(address, size);
  auto fail = [&](const Twine &why) {
    op->emitError(what) << " of element " << elementName(shape, position) << " (" << std::string(dtypeName(type))
                        << "): " << why;
    return nullptr;
  };
  if (!bytes)
    return fail("out of bounds: " + memory.describe(address));
  if (address % size != 0)
    return fail("misaligned: " + memory.describe(address));
  if (isWrite && memory.find(address)->readOnly)
    return fail("writes to a constant: " + memory.describe(address));
  (isWrite ? stats.storedBytes : stats.loadedBytes) += size;
  return bytes;
}

bool Evaluator::isLanewise(Block &block) const {
  return llvm::all_of(
      block, [&](Operation &op) { return handlers.isElementwise(op.getName()) || isa<cuda_tile::YieldOp>(op); });
}

std::string reference::elementName(ArrayRef<int64_t> shape, int64_t position) {
  SmallVector<int64_t> strides = rowMajorStrides(shape);
  std::string text = "[";
  for (auto [i, stride] : llvm::enumerate(strides)) {
    text += (i ? ", " : "") + std::to_string(position / stride);
    position %= stride;
  }
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Constants and coordinates
//===----------------------------------------------------------------------===//

static Tile literalTile(DenseIntOrFPElementsAttr literal) {
  auto type = cast<cuda_tile::TileType>(literal.getType());
  Tile tile;
  tile.type = dtypeOf(type.getElementType());
  tile.shape.assign(type.getShape().begin(), type.getShape().end());
  literalBits(literal, tile.type, tile.data);
  return tile;
}

void reference::addMiscHandlers(HandlerTable &table) {
  using namespace cuda_tile;
  // A constant is the same for every lane.
  table.addElementwise<ConstantOp>([](Evaluator &e, ConstantOp op) {
    e.set(op.getResult(), literalTile(op.getValue()));
    return success();
  });
  table.add<GetTileBlockIdOp>([](Evaluator &e, GetTileBlockIdOp op) {
    e.setScalar(op.getBlockIdX(), e.blockId.x);
    e.setScalar(op.getBlockIdY(), e.blockId.y);
    e.setScalar(op.getBlockIdZ(), e.blockId.z);
    return success();
  });
  table.add<GetNumTileBlocksOp>([](Evaluator &e, GetNumTileBlocksOp op) {
    e.setScalar(op.getGridSizeX(), e.gridSize.x);
    e.setScalar(op.getGridSizeY(), e.gridSize.y);
    e.setScalar(op.getGridSizeZ(), e.gridSize.z);
    return success();
  });
  table.add<GetGlobalOp>([](Evaluator &e, GetGlobalOp op) {
    e.setScalar(op.getResult(), e.globals.lookup(op.getName()));
    return success();
  });
  addAssumeAndPrintHandlers(table);
}
