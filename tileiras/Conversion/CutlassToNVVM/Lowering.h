//===- Lowering.h - What the patterns of cutlass share ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a value becomes:
//
//     pipeline                the address of its mbarriers, two for each stage: full, empty (tma_store: nothing)
//     participants            nothing, the type says all
//     pipeline_state          index, phase, count
//     seq_bar                 the address of its mbarriers, `length` for each of `depth` turns
//     seq_bar_state           index, phase, group
//     tile_scheduler_params   the numbers of cutlass::Params
//     work_tile_info          the numbers of cutlass::Info
//     tile_scheduler          the address of the answer, and parameters
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_CUTLASSTONVVM_LOWERING_H
#define TILEIRAS_CONVERSION_CUTLASSTONVVM_LOWERING_H

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Conversion/TileASToLLVM/Mbarrier.h"
#include "tileiras/Dialect/Cutlass/IR/Cutlass.h"

namespace tileiras::cutlassllvm {

using mlir::Value;
using mlir::ValueRange;
using mlir::tilellvm::Emitter;

/// For every result of an operation the values that it becomes.
using Results = llvm::SmallVector<llvm::SmallVector<Value>>;

/// What patterns have to know of the target.
struct Facts {
  bool clusters = true; ///< mbarrier.try_wait and clusters
};

/// The shared memory that an operation has got, by name (set before patterns run).
inline constexpr llvm::StringLiteral kStorageAttr = "cutlass.storage";
Value storageOf(Emitter &e, mlir::Operation *op);

template <typename Op, typename Function> struct Pattern : mlir::OpConversionPattern<Op> {
  using OneToNOpAdaptor = typename mlir::OpConversionPattern<Op>::OneToNOpAdaptor;
  Pattern(const mlir::TypeConverter &converter, mlir::MLIRContext *context, const Facts &facts, Function function)
      : mlir::OpConversionPattern<Op>(converter, context), facts(facts), function(function) {}

  mlir::LogicalResult matchAndRewrite(Op op, OneToNOpAdaptor adaptor,
                                      mlir::ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Results results = function(op, adaptor, e, facts);
    if (op->getNumResults() == 0)
      rewriter.eraseOp(op);
    else
      rewriter.replaceOpWithMultiple(op, std::move(results));
    return mlir::success();
  }

  const Facts &facts;
  Function function;
};

/// Where patterns are added, each as a function (op, adaptor, emitter, facts) -> Results.
struct Patterns {
  mlir::RewritePatternSet &set;
  const mlir::TypeConverter &converter;
  const Facts &facts;

  template <typename... Ops, typename Function> void add(Function function) {
    (set.add<Pattern<Ops, Function>>(converter, set.getContext(), facts, function), ...);
  }
};

void populatePipelinePatterns(Patterns &patterns);
void populateBarrierPatterns(Patterns &patterns);
void populateSchedulerPatterns(Patterns &patterns);

/// The number of the thread's warp in the block.
Value warpNumber(Emitter &e);
/// Whether the warp is one of the group; null: nothing but where the code stands says so.
Value takesPart(Emitter &e, mlir::cutlass::GroupAttr group, bool asked);

/// How the threads around an operation meet: those of a named barrier, or of the block where `id` is none.
void meetThreads(Emitter &e, ValueRange id, ValueRange threads);
/// Thread 0 adds to flags[index] behind all threads; or waits until the flag is `value` (while it is less), before all
/// threads.
void addToFlag(Emitter &e, Value flags, Value index, Value thread, Value value, ValueRange id, ValueRange threads);
void waitForFlag(Emitter &e, Value flags, Value index, Value thread, Value value, bool whileLess, ValueRange id,
                 ValueRange threads);
Value loadStriped(Emitter &e, Value base, Value thread, int64_t threads, mlir::VectorType type);
void storeStriped(Emitter &e, Value base, Value thread, int64_t threads, Value value);
Value addFragments(Emitter &e, Value a, Value b);

} // namespace tileiras::cutlassllvm

#endif // TILEIRAS_CONVERSION_CUTLASSTONVVM_LOWERING_H
