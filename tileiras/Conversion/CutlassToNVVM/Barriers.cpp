//===- Barriers.cpp - Named and generic barriers, block-striped access ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A generic barrier is a number in global memory. Who arrives: all threads meet, then one adds with release at the
// scope of the device. Who waits: one thread polls with acquire, then all meet. What the threads did before they met
// the one thread's release makes visible, too: release patterns are cumulative (PTX ISA, "Memory Consistency Model").
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CutlassToNVVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"

using namespace mlir;
using namespace mlir::cutlass;
using namespace tileiras;
using namespace tileiras::cutlassllvm;
using mlir::tilellvm::Access;
using mlir::tilellvm::inlinePtx;

void cutlassllvm::meetThreads(Emitter &e, ValueRange id, ValueRange threads) {
  if (id.empty())
    NVVM::Barrier0Op::create(e.b, e.loc);
  else
    NVVM::BarrierOp::create(e.b, e.loc, TypeRange(), id[0], threads[0], NVVM::BarrierReductionAttr(), Value());
}

static Value flagAt(Emitter &e, Value flags, Value index) {
  return LLVM::GEPOp::create(e.b, e.loc, flags.getType(), e.intTy(32), flags, ArrayRef<LLVM::GEPArg>{index});
}

/// red: LLVM 22 selects atomicrmw without its ordering.
static void addAtomically(Emitter &e, Value address, Value value, StringRef semantics, StringRef type,
                          char constraint) {
  unsigned space = cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace();
  const char *memory = space == 1 ? ".global" : space == 3 ? ".shared" : "";
  inlinePtx(e, Type(), {address, value}, "red." + semantics + ".gpu" + memory + ".add." + type + " [$0], $1;",
            std::string(space == 3 ? "r," : "l,") + constraint + ",~{memory}", Access::Any);
}

static Value isZero(Emitter &e, Value number) { return e.icmp(LLVM::ICmpPredicate::eq, number, e.i32(0)); }

void cutlassllvm::addToFlag(Emitter &e, Value flags, Value index, Value thread, Value value, ValueRange id,
                            ValueRange threads) {
  meetThreads(e, id, threads);
  e.onlyIf(isZero(e, thread),
           [&](Emitter &one) { addAtomically(one, flagAt(one, flags, index), value, "release", "u32", 'r'); });
}

void cutlassllvm::waitForFlag(Emitter &e, Value flags, Value index, Value thread, Value value, bool whileLess,
                              ValueRange id, ValueRange threads) {
  e.onlyIf(isZero(e, thread), [&](Emitter &one) {
    Value flag = flagAt(one, flags, index);
    auto loop = scf::WhileOp::create(one.b, one.loc, TypeRange(), ValueRange());
    OpBuilder::InsertionGuard guard(one.b);
    one.b.createBlock(&loop.getBefore());
    auto now = LLVM::LoadOp::create(one.b, one.loc, one.intTy(32), flag, /*alignment=*/4, /*isVolatile=*/false,
                                    /*isNonTemporal=*/false, /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                    LLVM::AtomicOrdering::acquire, "device");
    Value more = one.icmp(whileLess ? LLVM::ICmpPredicate::slt : LLVM::ICmpPredicate::ne, now, value);
    scf::ConditionOp::create(one.b, one.loc, more, ValueRange());
    one.b.createBlock(&loop.getAfter());
    scf::YieldOp::create(one.b, one.loc);
  });
  meetThreads(e, id, threads);
}

//===----------------------------------------------------------------------===//
// Block-striped access
//===----------------------------------------------------------------------===//

/// Pieces of a fragment: where each of them is in memory, and its first element.
static void eachPiece(Emitter &e, Value base, Value thread, int64_t threads, VectorType type,
                      llvm::function_ref<void(Value address, int64_t first, Type piece, int64_t bytes)> use) {
  int64_t piece = getStripedPiece(type), bytes = piece * type.getElementTypeBitWidth() / 8;
  Type part = piece == 1 ? type.getElementType() : VectorType::get(piece, type.getElementType());
  Value mine = e.offsetBytes(base, e.mul(thread, e.i32(bytes)));
  for (int64_t i = 0, n = type.getNumElements() / piece; i < n; ++i)
    use(e.offsetBytes(mine, i * threads * bytes), i * piece, part, bytes);
}

Value cutlassllvm::loadStriped(Emitter &e, Value base, Value thread, int64_t threads, VectorType type) {
  Value result = LLVM::PoisonOp::create(e.b, e.loc, type);
  eachPiece(e, base, thread, threads, type, [&](Value address, int64_t first, Type piece, int64_t bytes) {
    Value part = LLVM::LoadOp::create(e.b, e.loc, piece, address, bytes);
    auto vector = dyn_cast<VectorType>(piece);
    for (int64_t i = 0, n = vector ? vector.getNumElements() : 1; i < n; ++i) {
      Value element = vector ? Value(LLVM::ExtractElementOp::create(e.b, e.loc, part, e.i32(i))) : part;
      result = LLVM::InsertElementOp::create(e.b, e.loc, result, element, e.i32(first + i));
    }
  });
  return result;
}

void cutlassllvm::storeStriped(Emitter &e, Value base, Value thread, int64_t threads, Value value) {
  auto type = cast<VectorType>(value.getType());
  eachPiece(e, base, thread, threads, type, [&](Value address, int64_t first, Type piece, int64_t bytes) {
    auto vector = dyn_cast<VectorType>(piece);
    Value part = vector ? Value(LLVM::PoisonOp::create(e.b, e.loc, vector)) : Value();
    for (int64_t i = 0, n = vector ? vector.getNumElements() : 1; i < n; ++i) {
      Value element = LLVM::ExtractElementOp::create(e.b, e.loc, value, e.i32(first + i));
      part = vector ? Value(LLVM::InsertElementOp::create(e.b, e.loc, part, element, e.i32(i))) : element;
    }
    LLVM::StoreOp::create(e.b, e.loc, part, address, bytes);
  });
}

Value cutlassllvm::addFragments(Emitter &e, Value a, Value b) {
  if (cast<VectorType>(a.getType()).getElementType().isInteger())
    return LLVM::AddOp::create(e.b, e.loc, a, b);
  return LLVM::FAddOp::create(e.b, e.loc, a, b);
}

void cutlassllvm::populateBarrierPatterns(Patterns &patterns) {
  patterns.add<NamedBarrierArriveOp>([](NamedBarrierArriveOp, auto a, Emitter &e, const Facts &) {
    NVVM::BarrierArriveOp::create(e.b, e.loc, a.getId()[0], a.getThreads()[0]);
    return Results();
  });
  patterns.add<NamedBarrierArriveAndWaitOp>([](NamedBarrierArriveAndWaitOp, auto a, Emitter &e, const Facts &) {
    meetThreads(e, a.getId(), a.getThreads());
    return Results();
  });
  patterns.add<GenericBarrierSyncOp>([](GenericBarrierSyncOp, auto a, Emitter &e, const Facts &) {
    meetThreads(e, a.getId(), a.getThreads());
    return Results();
  });
  patterns.add<GenericBarrierArriveIncrementOp>([](GenericBarrierArriveIncrementOp, auto a, Emitter &e, const Facts &) {
    addToFlag(e, a.getFlags()[0], a.getIndex()[0], a.getThread()[0], a.getValue()[0], a.getId(), a.getThreads());
    return Results();
  });
  patterns.add<GenericBarrierWaitEqOp>([](GenericBarrierWaitEqOp, auto a, Emitter &e, const Facts &) {
    waitForFlag(e, a.getFlags()[0], a.getIndex()[0], a.getThread()[0], a.getValue()[0], /*whileLess=*/false, a.getId(),
                a.getThreads());
    return Results();
  });
  patterns.add<GenericBarrierWaitLessThanOp>([](GenericBarrierWaitLessThanOp, auto a, Emitter &e, const Facts &) {
    waitForFlag(e, a.getFlags()[0], a.getIndex()[0], a.getThread()[0], a.getValue()[0], /*whileLess=*/true, a.getId(),
                a.getThreads());
    return Results();
  });

  patterns.add<BlockStripedLoadOp>([](BlockStripedLoadOp op, auto a, Emitter &e, const Facts &) {
    return Results{{loadStriped(e, a.getBase()[0], a.getThread()[0], op.getThreads(),
                                cast<VectorType>(op.getResult().getType()))}};
  });
  patterns.add<BlockStripedStoreOp>([](BlockStripedStoreOp op, auto a, Emitter &e, const Facts &) {
    storeStriped(e, a.getBase()[0], a.getThread()[0], op.getThreads(), a.getValue()[0]);
    return Results();
  });
  patterns.add<BlockStripedLoadAddOp>([](BlockStripedLoadAddOp op, auto a, Emitter &e, const Facts &) {
    Value there =
        loadStriped(e, a.getBase()[0], a.getThread()[0], op.getThreads(), cast<VectorType>(op.getValue().getType()));
    return Results{{addFragments(e, there, a.getValue()[0])}};
  });
  patterns.add<BlockStripedReduceOp>([](BlockStripedReduceOp op, auto a, Emitter &e, const Facts &) {
    auto type = cast<VectorType>(op.getValue().getType());
    int64_t bytes = type.getElementTypeBitWidth() / 8;
    bool integer = type.getElementType().isInteger();
    std::string name = (integer ? "u" : "f") + std::to_string(8 * bytes);
    char constraint = integer ? (bytes == 8 ? 'l' : 'r') : (bytes == 8 ? 'd' : 'f');
    eachPiece(e, a.getBase()[0], a.getThread()[0], op.getThreads(), type,
              [&](Value address, int64_t first, Type piece, int64_t) {
                auto vector = dyn_cast<VectorType>(piece);
                for (int64_t i = 0, n = vector ? vector.getNumElements() : 1; i < n; ++i) {
                  Value element = LLVM::ExtractElementOp::create(e.b, e.loc, a.getValue()[0], e.i32(first + i));
                  addAtomically(e, e.offsetBytes(address, i * bytes), element, "relaxed", name, constraint);
                }
              });
    return Results();
  });
}
