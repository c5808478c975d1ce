//===- LaunchControl.cpp - Taking over tile blocks that have not started --===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, clusterlaunchcontrol. One thread asks; the answer, 16 bytes that only query_cancel understands, arrives in
// shared memory as an mbarrier's transaction; all threads read it. The mbarrier lives for one question, so that no
// phase has to be remembered from round to round:
//
//     all meet              whoever used these bytes before is done
//     one thread:           mbarrier.init; fence; arrive.expect_tx 16; try_cancel
//     all meet, wait        for the phase 0; read the answer; meet
//     one thread:           mbarrier.inval
//
// A program id is that answer, an i128.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/LaunchControl.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/Mbarrier.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

using namespace mlir;
using namespace mlir::tilellvm;
using tileiras::Barrier;
using tileiras::initBarrier;

static void call(Emitter &e, StringRef name, ValueRange args) {
  LLVM::CallIntrinsicOp::create(e.b, e.loc, e.b.getStringAttr(name), args);
}

void tilellvm::askForBlock(Emitter &one, Value answer, Value barrier) {
  // The answer is written through the async proxy, over what threads may have read and written there.
  one.asyncProxyFence();
  inlinePtx(one, Type(), ValueRange{barrier, one.i32(kAnswerBytes)},
            "mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;", "r,r,~{memory}", Access::Any);
  call(one, "llvm.nvvm.clusterlaunchcontrol.try_cancel.async.shared", {answer, barrier});
}

Value tilellvm::readAnswer(Emitter &e, Value answer) {
  return LLVM::LoadOp::create(e.b, e.loc, e.intTy(128), answer, kAnswerBytes);
}

Value tilellvm::isBlock(Emitter &e, Value id) {
  return e.intrinsic("llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled", e.intTy(1), id);
}

SmallVector<Value> tilellvm::blockCoordinates(Emitter &e, Value id) {
  SmallVector<Value> coordinates;
  for (StringRef axis : {"x", "y", "z"})
    coordinates.push_back(
        inlinePtx(e, e.intTy(32), id,
                  "{\n\t.reg .pred taken;\n\tclusterlaunchcontrol.query_cancel.is_canceled.pred.b128 taken, $1;\n\t"
                  "mov.b32 $0, 0;\n\t@taken clusterlaunchcontrol.query_cancel.get_first_ctaid::" +
                      axis + ".b32.b128 $0, $1;\n\t}",
                  "=r,q", Access::None));
  return coordinates;
}

namespace {

struct CancelNextProgramId : TilePattern<nv_tileaa::CancelNextProgramIdOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::CancelNextProgramIdOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Value answer = exchangeAddress(e, op), barrier = e.offsetBytes(answer, kAnswerBytes);
    e.barrier();
    e.onlyIf(e.isFirstThread(), [&](Emitter &one) {
      initBarrier(one, barrier, 0, one.i32(1));
      askForBlock(one, answer, barrier);
    });
    e.barrier();
    NVVM::MBarrierTryWaitParityOp::create(rewriter, op.getLoc(), barrier, e.i32(0), e.i32(1000));
    Value id = readAnswer(e, answer);
    e.barrier();
    e.onlyIf(e.isFirstThread(), [&](Emitter &one) {
      LLVM::CallIntrinsicOp::create(one.b, one.loc, one.b.getStringAttr("llvm.nvvm.mbarrier.inval.shared"),
                                    ValueRange{barrier});
    });
    rewriter.replaceOp(op, id);
    return success();
  }
};

struct IsValidProgramId : TilePattern<nv_tileaa::IsValidProgramIdOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::IsValidProgramIdOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, isBlock(e, adaptor.getId()));
    return success();
  }
};

struct ProgramIdCoordinates : TilePattern<nv_tileas::ProgramIdCoordinatesOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::ProgramIdCoordinatesOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, blockCoordinates(e, adaptor.getId()));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Agents that ask
//===----------------------------------------------------------------------===//

constexpr int32_t kQuestions = nv_tileas::TakeoverCreateOp::kQuestions;
constexpr int64_t kFirstFull = kQuestions * kAnswerBytes,
                  kFirstEmpty = kFirstFull + kQuestions * ::tileiras::kBarrierBytes;

/// Where the question of a round has its answer and its barriers. The barriers are at one distance from the address.
struct Question {
  Question(Emitter &e, Value memory, Value round) {
    Value number = e.andi(round, e.i32(kQuestions - 1));
    parity = e.andi(e.lshr(round, llvm::Log2_32(kQuestions)), e.i32(1));
    answer = e.offsetBytes(memory, e.mul(number, e.i32(kAnswerBytes)));
    barriers = e.offsetBytes(memory, e.mul(number, e.i32(::tileiras::kBarrierBytes)));
  }
  Barrier full() const { return {barriers, kFirstFull}; }
  Barrier empty() const { return {barriers, kFirstEmpty}; }
  Value answer, barriers, parity;
};

/// Whether one thread alone runs `op`.
bool isOfOneThread(Operation *op) {
  nv_tileas::AgentSwitchOp agents = nv_tileas::getAgentSwitch(op);
  return op->hasAttr(nv_tileas::kElectedAttr) || (agents && nv_tileas::isSingleThread(agents, agents.agentOf(op)));
}

struct TakeoverCreate : TilePattern<nv_tileas::TakeoverCreateOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::TakeoverCreateOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    // The answers come through the async proxy, over what threads had there.
    e.asyncProxyFence();
    e.barrier();
    e.onlyIf(e.isFirstThread(), [&](Emitter &one) {
      for (int32_t i = 0; i < kQuestions; ++i) {
        initBarrier(one, adaptor.getMemory(), kFirstFull + i * ::tileiras::kBarrierBytes, one.i32(1));
        if (op.getReleases())
          initBarrier(one, adaptor.getMemory(), kFirstEmpty + i * ::tileiras::kBarrierBytes, one.i32(op.getReleases()));
      }
      NVVM::FenceMbarrierInitOp::create(one.b, one.loc);
    });
    e.barrier();
    rewriter.eraseOp(op);
    return success();
  }
};

struct TakeoverAsk : TilePattern<nv_tileas::TakeoverAskOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::TakeoverAskOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    e.onlyIf(isOfOneThread(op) ? Value() : electedThread(e), [&](Emitter &one) {
      Question question(one, adaptor.getMemory(), adaptor.getRound());
      if (op.getReleases()) // the first questions find their places empty
        ::tileiras::spinOn(one, question.empty(), one.xori(question.parity, one.i32(1)), /*canSleep=*/true);
      askForBlock(one, question.answer, question.full().address(one));
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct TakeoverAnswer : TilePattern<nv_tileas::TakeoverAnswerOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::TakeoverAnswerOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Question question(e, adaptor.getMemory(), adaptor.getRound());
    ::tileiras::spinOn(e, question.full(), question.parity, /*canSleep=*/true);
    Value id = readAnswer(e, question.answer);
    // The next answer there is written through another proxy than this one has been read by (PTX ISA, "Proxies").
    e.asyncProxyFence();
    bool alone = isOfOneThread(op);
    if (op.getAsks()) {
      if (!alone)
        e.barrier(); // one of them asks again
    } else if (alone) {
      e.intrinsic("llvm.nvvm.mbarrier.arrive.shared", e.intTy(64), question.empty().address(e));
    } else {
      NVVM::SyncWarpOp::create(e.b, e.loc, e.i32(-1));
      ::tileiras::arriveOnce(e, question.empty(), e.icmp(LLVM::ICmpPredicate::eq, e.lane(), e.i32(0)));
    }
    rewriter.replaceOp(op, id);
    return success();
  }
};

} // namespace

void tilellvm::populateLaunchControlPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                             const LoweringOptions &options) {
  patterns.add<TakeoverCreate, TakeoverAsk, TakeoverAnswer>(converter, patterns.getContext(), options);
  patterns.add<CancelNextProgramId, IsValidProgramId, ProgramIdCoordinates>(converter, patterns.getContext(), options);
}
