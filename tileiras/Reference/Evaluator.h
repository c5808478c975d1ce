//===- Evaluator.h - Running cuda_tile modules on plain arrays ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The oracle: what a cuda_tile entry computes, by the words of the specification and in the
// plainest way. One tile block after the other, one operation after the other, one element
// after the other; no layouts, no threads, no memory model (program order is always a legal
// order of `_tko` operations).
//
// Where the specification leaves a choice, this is ours:
//   * elements of a load that are masked off or outside the tensor, without padding: 0
//   * reductions and scans go through the dimension in ascending order, starting from the
//     identity; matrix products accumulate in ascending k, in the accumulator's type (f16
//     accumulators: in f32, rounded at the end)
//   * x / 0 gives all ones, x rem 0 gives x, shifts by the width or more shift everything out
//   * ftoi clamps, and gives 0 for NaN; to i1 it gives 1 for all but zeros; ftof to 8- and 4-bit floats saturates
//   * a pointer to elements of 4 bits means the high half of its byte if bit 63 is set
//   * atomic addf of f32 flushes subnormals, as every GPU does
//   * functions are evaluated in a wider type and rounded once
// What is undefined and a sign of a wrong kernel is reported with the location of the
// operation: accesses outside every allocation, tile indices outside the index space of a
// view, broken `assume`, broken `inbounds`.
//
// Operations are grouped in files as the specification groups them; every file adds its
// handlers to one table.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_REFERENCE_EVALUATOR_H
#define TILEIRAS_REFERENCE_EVALUATOR_H

#include "tileiras/Reference/DeviceMemory.h"
#include "tileiras/Reference/Values.h"

#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <string>

namespace tileiras::reference {

struct GridCoordinates {
  uint32_t x = 1, y = 1, z = 1;
};

struct EvaluatorOptions {
  /// Operations executed in one launch before it is stopped; loops that never end are reported.
  uint64_t maxSteps = uint64_t(1) << 32;
  /// Only so many tile blocks are run, the first ones; 0: all.
  uint64_t blocks = 0;
  /// Whether a false `assume` is an error. Without it the kernel computes what it would on a
  /// machine whose compiler made nothing of the assumption.
  bool checkAssumptions = true;
  /// Receives what print_tko prints and failed assertions.
  std::function<void(llvm::StringRef)> print;
  /// Called with (finished, total) tile blocks.
  std::function<void(uint64_t, uint64_t)> progress;
};

struct EvaluatorStats {
  uint64_t operations = 0;
  uint64_t loadedBytes = 0, storedBytes = 0;
  uint64_t multiplyAdds = 0; ///< of matrix products
  uint64_t failedAssertions = 0;
};

/// How a block of operations was left.
enum class Flow { Yield, Continue, Break, Return };

class Evaluator;
using Handler = mlir::LogicalResult (*)(Evaluator &, mlir::Operation *);

/// Operation name -> handler.
class HandlerTable {
public:
  explicit HandlerTable(mlir::MLIRContext *context) : context(context) {}

  /// `fn` is a captureless lambda taking (Evaluator &, OpT).
  template <typename OpT, typename Fn> void add(Fn) {
    handlers[mlir::OperationName(OpT::getOperationName(), context)] = [](Evaluator &evaluator,
                                                                         mlir::Operation *op) -> mlir::LogicalResult {
      return Fn{}(evaluator, mlir::cast<OpT>(op));
    };
  }
  /// The same, for operations that compute lane by lane (see Evaluator::evaluateLanes).
  template <typename OpT, typename Fn> void addElementwise(Fn fn) {
    add<OpT>(fn);
    elementwise.insert(mlir::OperationName(OpT::getOperationName(), context));
  }
  Handler lookup(mlir::OperationName name) const { return handlers.lookup(name); }
  bool isElementwise(mlir::OperationName name) const { return elementwise.contains(name); }

private:
  mlir::MLIRContext *context;
  llvm::DenseMap<mlir::OperationName, Handler> handlers;
  llvm::DenseSet<mlir::OperationName> elementwise;
};

void addElementwiseHandlers(HandlerTable &table);
void addConversionHandlers(HandlerTable &table);
void addShapeHandlers(HandlerTable &table);
void addPointerHandlers(HandlerTable &table);
void addViewHandlers(HandlerTable &table);
void addAtomicHandlers(HandlerTable &table);
void addControlFlowHandlers(HandlerTable &table);
void addAggregateHandlers(HandlerTable &table);
void addMatrixHandlers(HandlerTable &table);
void addMiscHandlers(HandlerTable &table);
void addAssumeAndPrintHandlers(HandlerTable &table);

class Evaluator {
public:
  Evaluator(mlir::cuda_tile::ModuleOp module, DeviceMemory &memory, EvaluatorOptions options);

  /// Runs every tile block of the grid. `arguments` are bound to the entry's arguments. Failures
  /// are diagnostics at the operation, with a note that names the tile block.
  mlir::LogicalResult run(mlir::cuda_tile::EntryOp entry, GridCoordinates grid, llvm::ArrayRef<RuntimeValue> arguments);

  /// Whether an operation can be evaluated.
  bool knows(mlir::OperationName name) const { return handlers.lookup(name) != nullptr; }

  //===------------------------------------------------------------------===//
  // For handlers
  //===------------------------------------------------------------------===//

  const Tile &tile(mlir::Value value) const { return *std::get<TileRef>(lookup(value)); }
  const TensorView &tensorView(mlir::Value value) const { return *std::get<TensorViewRef>(lookup(value)); }
  const RuntimeValue &lookup(mlir::Value value) const { return values.find(value)->second; }
  /// The one element of a rank-0 tile, read as unsigned or signed.
  bool checksAssumptions() const { return options.checkAssumptions; }
  uint64_t scalar(mlir::Value value) const { return tile(value).data[0]; }
  int64_t signedScalar(mlir::Value value) const { return tile(value).asSigned(0); }

  void set(mlir::Value value, RuntimeValue result) { values[value] = std::move(result); }
  void set(mlir::Value value, Tile &&result) { values[value] = std::make_shared<const Tile>(std::move(result)); }
  void setScalar(mlir::Value value, uint64_t bits) { set(value, makeTile(value.getType(), bits)); }

  /// Executes the operations of a block up to a terminator, whose operands are left in `carried`.
  /// Failure after a diagnostic.
  mlir::FailureOr<Flow> runBlock(mlir::Block &block);
  llvm::SmallVector<RuntimeValue> carried;

  /// Host bytes of the element at `address`, or null after a diagnostic at `op` if it does not lie
  /// inside an allocation, is not aligned, or is written though constant. `what` is "load" or the
  /// like; `shape` and `position` name the element of the tile that is being moved.
  uint8_t *access(mlir::Operation *op, llvm::StringRef what, DType type, uint64_t address, bool isWrite,
                  llvm::ArrayRef<int64_t> shape, int64_t position);

  /// Leaves the running block with the operands of its terminator.
  mlir::LogicalResult leave(Flow flow, mlir::ValueRange operands);
  /// Leaves the running block the way a nested block was left.
  mlir::LogicalResult propagate(Flow flow);
  /// Binds the carried values to results or block arguments.
  void bindCarried(mlir::ValueRange targets);

  /// True if every operation of the block computes lane by lane, so that rank-0 block arguments
  /// may be bound to whole tiles of lanes.
  bool isLanewise(mlir::Block &block) const;

  DeviceMemory &memory;
  EvaluatorStats stats;
  GridCoordinates blockId, gridSize;
  EvaluatorOptions options;
  mlir::cuda_tile::ModuleOp module;
  llvm::StringMap<uint64_t> globals;       ///< symbol -> address
  llvm::SmallVector<uint64_t> stackMemory; ///< allocas of the running tile block
  uint64_t stackBytes = 0;                 ///< and their size

private:
  mlir::LogicalResult placeGlobals();

  HandlerTable handlers;
  llvm::DenseMap<mlir::Value, RuntimeValue> values;
  Flow pendingFlow = Flow::Yield; ///< How the running block is being left, if `leaving`.
  bool leaving = false;
};

/// Applies `fn` to the elements of equally shaped tiles. A tile of one element stands for all lanes.
template <typename Fn, typename... Tiles>
Tile mapLanes(DType resultType, Fn fn, const Tile &first, const Tiles &...rest) {
  const Tile *largest = &first;
  ((largest = rest.size() > largest->size() ? &rest : largest), ...);
  Tile result(resultType, largest->shape);
  auto lane = [](const Tile &tile, size_t i) { return tile.data[tile.data.size() == 1 ? 0 : i]; };
  for (size_t i = 0; i < result.data.size(); ++i)
    result.data[i] = fn(lane(first, i), lane(rest, i)...);
  return result;
}

/// "[1, 2]" for the element at a row-major position.
std::string elementName(llvm::ArrayRef<int64_t> shape, int64_t position);

} // namespace tileiras::reference

#endif // TILEIRAS_REFERENCE_EVALUATOR_H
