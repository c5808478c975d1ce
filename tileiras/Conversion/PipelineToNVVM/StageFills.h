//===- StageFills.h - How a stage is filled ---------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the region of a producer_write becomes in a ring that tensor copies fill: behind the wait for the empty stage,
// with the arrivals at its full barrier.
//
//     tensor copies                 one thread: arrive.expect_tx, the copies
//     copies by threads             instead, where there are no tensor maps: all threads copy, wait, meet; one arrives
//     both in one stage             one thread as above, all threads: cp.async, and an arrival when these are done
//
// Of the last kind are stages with scales, which lie in shared memory as no tensor copy writes them. Their full barrier
// counts all threads and that one, which arrives for nothing where there are no tensor maps.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_PIPELINETONVVM_STAGEFILLS_H
#define TILEIRAS_CONVERSION_PIPELINETONVVM_STAGEFILLS_H

#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Conversion/PipelineToNVVM/Stages.h"

namespace tileiras {

/// The first thread of a producer whose threads have copied, and met, arrives at full, if `condition` holds.
void arriveForAll(mlir::tilellvm::Emitter &e, const Ring &ring, Stage at, mlir::Value condition);

/// Announces the bytes of the tensor copies in a block, and tells the copies where they complete.
void announce(mlir::tilellvm::Emitter &one, const Ring &ring, Stage at, mlir::Block &copies,
              mlir::ConversionPatternRewriter &rewriter);

/// What matrix units and others may read when every thread has arrived. `tiles` are the block's arguments.
void fillByThreads(mlir::tilellvm::Emitter &e, const Ring &ring, Stage at, mlir::Block &block, mlir::ValueRange tiles,
                   mlir::ConversionPatternRewriter &rewriter, LaggingArrival lagging = {});

/// Both in one stage. Who reads the stage by the async proxy has the fence for what threads wrote.
void fillTogether(mlir::tilellvm::Emitter &e, const Ring &ring, Stage at, mlir::Block &block, mlir::ValueRange tiles,
                  mlir::ConversionPatternRewriter &rewriter);

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_PIPELINETONVVM_STAGEFILLS_H
