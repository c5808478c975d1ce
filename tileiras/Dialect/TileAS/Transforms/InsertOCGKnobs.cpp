//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-insert-OCG-knobs: directives for NVIDIA's assembler as `.pragma` lines.
//
// tileaa-expand-ops leaves the directives of a `pragma` as messages with a mark, where its region began and ended;
// they have effects, so that nothing moves across them. Here they become inline PTX, or, by default, go: the strings
// are knobs of one assembler, which ptxas 13.0 reports as unsupported. With `emit` two knobs of the reference tool's
// own join them, one at the entry of kernels with matrix products on targets with tensor memory, one before fences
// and barriers of clusters.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Dialect/TileAA/IR/Directives.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Support/LoweringFacts.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_INSERTOCGKNOBSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

constexpr StringLiteral kProductKnob = "global knob SchedResBusyXU64=1";
constexpr StringLiteral kFenceKnob = "next knob FenceCode";

void createPragma(OpBuilder &b, Location loc, StringRef directive) {
  std::string text = ".pragma \"";
  for (char c : directive)
    text += c == '$' ? "$$" : std::string(1, c); // LLVM's operands begin with a dollar
  text += "\";\n";
  auto op = LLVM::InlineAsmOp::create(
      b, loc, TypeRange(), ValueRange(), text, /*constraints=*/"", /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  op->setAttr(tileiras::kAccessFact, b.getStringAttr(tileiras::kAccessesAny));
}

/// What is ordered with other threads of a cluster or another proxy.
bool isFence(Operation *op) {
  return isa<NVVM::ClusterArriveOp, NVVM::ClusterArriveRelaxedOp, NVVM::ClusterWaitOp, NVVM::FenceProxyOp,
             NVVM::FenceProxyAcquireOp, NVVM::FenceProxyReleaseOp, NVVM::FenceMbarrierInitOp, NVVM::MBarrierArriveOp,
             NVVM::MBarrierArriveNocompleteOp, NVVM::MBarrierArriveExpectTxOp>(op);
}

struct InsertOCGKnobsPass : nv_tileas::impl::InsertOCGKnobsPassBase<InsertOCGKnobsPass> {
  using InsertOCGKnobsPassBase::InsertOCGKnobsPassBase;

  void runOnOperation() override {
    SmallVector<nv_tileaa::MessageOp> marks;
    getOperation().walk([&](nv_tileaa::MessageOp op) {
      if (op->hasAttr(nv_tileaa::kOcgDirectiveAttr))
        marks.push_back(op);
    });
    for (nv_tileaa::MessageOp op : marks) {
      if (emit && !llvm::all_of(op.getText(), [](char c) { return llvm::isPrint(c) && c != '"' && c != '\\'; })) {
        op.emitError("directive '") << op.getText() << "' cannot be written as a string of PTX";
        return signalPassFailure();
      }
      OpBuilder b(op);
      if (emit)
        createPragma(b, op.getLoc(), op.getText());
      ++(emit ? numEmitted : numDropped);
      op.erase();
    }
    if (emit && !getOperation().isExternal())
      insertOwn();
  }

  void insertOwn() {
    FailureOr<StringRef> spec = nv_tileaa::getTargetSpec(getOperation());
    const tileiras::TargetInfo *target = succeeded(spec) ? tileiras::lookupTarget(*spec) : nullptr;
    bool hasProduct = getOperation().walk([](DotOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (target && target->hasTcgen05() && hasProduct) {
      OpBuilder b = OpBuilder::atBlockBegin(&getOperation().getBody().front());
      createPragma(b, getOperation().getLoc(), kProductKnob);
    }
    SmallVector<Operation *> fences;
    getOperation().walk([&](Operation *op) {
      if (isFence(op))
        fences.push_back(op);
    });
    for (Operation *op : fences) {
      OpBuilder b(op);
      createPragma(b, op->getLoc(), kFenceKnob);
    }
  }
};

} // namespace
