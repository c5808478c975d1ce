//===- Mbarrier.cpp - Waiting for and arriving at mbarriers ---------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/Mbarrier.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"

using namespace mlir;
using mlir::tilellvm::Emitter;

void tileiras::initBarrier(Emitter &one, Value base, int64_t offset, Value count) {
  LLVM::CallIntrinsicOp::create(one.b, one.loc, one.b.getStringAttr("llvm.nvvm.mbarrier.init.shared"),
                                ValueRange{one.offsetBytes(base, offset), count});
}

Value tileiras::testBarrier(Emitter &e, const Barrier &barrier, Value parity, bool canSleep, bool ofCluster) {
  // The predicate leaves as a word: inline assembly has no predicates.
  std::string scope = ofCluster ? ".parity.acquire.cluster.shared::cta.b64" : ".parity.shared.b64";
  std::string text = std::string("{\n\t.reg .pred done;\n\tmbarrier.") + (canSleep ? "try_wait" : "test_wait") + scope +
                     " done, " + barrier.text(1) + ", $2;\n\tselp.b32 $0, 1, 0, done;\n\t}";
  return LLVM::InlineAsmOp::create(e.b, e.loc, TypeRange{e.intTy(32)}, ValueRange{barrier.stage, parity}, text,
                                   "=r,r,r,~{memory}", /*has_side_effects=*/true, /*is_align_stack=*/false,
                                   LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

void tileiras::spinOn(Emitter &e, const Barrier &barrier, Value parity, bool canSleep, bool ofCluster) {
  auto loop = scf::WhileOp::create(e.b, e.loc, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(e.b);
  e.b.createBlock(&loop.getBefore());
  Value done = testBarrier(e, barrier, parity, canSleep, ofCluster);
  scf::ConditionOp::create(e.b, e.loc, e.icmp(LLVM::ICmpPredicate::eq, done, e.i32(0)), ValueRange());
  e.b.createBlock(&loop.getAfter());
  scf::YieldOp::create(e.b, e.loc);
}

void tileiras::arriveOnce(Emitter &e, const Barrier &barrier, Value first, Value condition) {
  Value one = e.both(first, condition);
  tilellvm::inlinePtx(e, Type(), {barrier.stage, one},
                      "{\n\t.reg .pred one;\n\tmov.pred one, $1;\n\t@one mbarrier.arrive.shared.b64 _, " +
                          barrier.text(0) + ";\n\t}",
                      "r,b,~{memory}", tilellvm::Access::Any);
}

void tileiras::arriveAtFirstBlock(Emitter &e, const Barrier &barrier, Value first, Value condition) {
  tilellvm::inlinePtx(e, Type(), {barrier.stage, e.both(first, condition)},
                      "{\n\t.reg .pred one;\n\t.reg .b32 there;\n\tmov.pred one, $1;\n\tadd.u32 there, $0, " +
                          std::to_string(barrier.offset) +
                          ";\n\tmapa.shared::cluster.u32 there, there, 0;\n\t"
                          "@one mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n\t}",
                      "r,b,~{memory}", tilellvm::Access::Any);
}

void tileiras::meetInCluster(Emitter &e) {
  NVVM::ClusterArriveOp::create(e.b, e.loc, e.b.getUnitAttr());
  NVVM::ClusterWaitOp::create(e.b, e.loc, e.b.getUnitAttr());
}

void tileiras::arriveInCluster(Emitter &e, Value stage, int64_t offset, int32_t blocks, Value condition) {
  SmallVector<Value> operands = {stage, e.lane()};
  std::string text = "{\n\t.reg .pred one;\n\t.reg .b32 there;\n\tsetp.lt.u32 one, $1, " + std::to_string(blocks) + ";";
  if (condition) {
    operands.push_back(e.resize(condition, e.intTy(32)));
    text =
        "{\n\t.reg .pred one, wanted;\n\t.reg .b32 there;\n\tsetp.ne.u32 wanted, $2, 0;\n\tsetp.lt.and.u32 one, $1, " +
        std::to_string(blocks) + ", wanted;";
  }
  text += "\n\tadd.u32 there, $0, " + std::to_string(offset) +
          ";\n\t@one mapa.shared::cluster.u32 there, there, $1;\n\t"
          "@one mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n\t}";
  tilellvm::inlinePtx(e, Type(), operands, text, condition ? "r,r,r,~{memory}" : "r,r,~{memory}",
                      tilellvm::Access::Any);
}

std::pair<Value, Value> tileiras::nextPlace(Emitter &e, Value number, Value parity, int32_t stages) {
  if (stages == 1)
    return {number, e.xori(parity, e.i32(1))};
  if (stages == 2)
    return {e.xori(number, e.i32(1)), e.xori(parity, number)};
  Value next = e.add(number, e.i32(1));
  Value wraps = e.icmp(LLVM::ICmpPredicate::eq, next, e.i32(stages));
  return {e.select(wraps, e.i32(0), next), e.xori(parity, e.resize(wraps, e.intTy(32)))};
}

std::pair<Value, Value> tileiras::placeAfter(Emitter &e, Value number, Value parity, Value count, int32_t stages) {
  // Two rounds of the ring lead back to the same place, so what is added is less.
  Value further = LLVM::URemOp::create(e.b, e.loc, count, e.i32(2 * stages)), next = e.add(number, further);
  Value wraps = e.icmp(LLVM::ICmpPredicate::uge, next, e.i32(stages));
  Value twice = e.icmp(LLVM::ICmpPredicate::uge, next, e.i32(2 * stages));
  next = e.sub(next, e.select(twice, e.i32(2 * stages), e.select(wraps, e.i32(stages), e.i32(0))));
  Type word = e.intTy(32);
  return {next, e.xori(parity, e.xori(e.resize(wraps, word), e.resize(twice, word)))};
}
