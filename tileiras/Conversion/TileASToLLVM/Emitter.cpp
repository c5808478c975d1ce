//===- Emitter.cpp - Short hands for LLVM and NVVM operations -------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/Emitter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::tilellvm;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value Emitter::constant(Type type, int64_t value) {
  unsigned width = type.getIntOrFloatBitWidth();
  return LLVM::ConstantOp::create(b, loc, type, IntegerAttr::get(type, APInt(64, value, true).sextOrTrunc(width)));
}

Value Emitter::constantFloat(Type type, const APFloat &value) {
  return LLVM::ConstantOp::create(b, loc, type, FloatAttr::get(type, value));
}

Value Emitter::constantFloat(Type type, double value) {
  APFloat number(value);
  bool lost;
  number.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
  return constantFloat(type, number);
}

Value Emitter::zero(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::ZeroOp::create(b, loc, type);
  if (isa<FloatType>(type))
    return constantFloat(type, 0.0);
  return constant(type, 0);
}

Operation *Emitter::symbolTable() { return SymbolTable::getNearestSymbolTable(b.getInsertionBlock()->getParentOp()); }

Value Emitter::stringAddress(StringRef prefix, StringRef text) {
  Operation *table = symbolTable();
  std::string stored = text.str();
  stored.push_back('\0');
  // Named by content, so equal strings share one global.
  std::string name = (prefix + "_" + llvm::utohexstr(llvm::xxh3_64bits(stored), true)).str();
  auto type = LLVM::LLVMArrayType::get(intTy(8), stored.size());
  if (!SymbolTable::lookupSymbolIn(table, name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&table->getRegion(0).front());
    LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name, b.getStringAttr(stored),
                           /*alignment=*/1, 1);
  }
  Value address = LLVM::AddressOfOp::create(b, loc, ptrTy(1), name);
  return LLVM::AddrSpaceCastOp::create(b, loc, ptrTy(0), address);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

Value Emitter::add(Value x, Value y) { return LLVM::AddOp::create(b, loc, x, y); }
Value Emitter::sub(Value x, Value y) { return LLVM::SubOp::create(b, loc, x, y); }
Value Emitter::mul(Value x, Value y) { return LLVM::MulOp::create(b, loc, x, y); }
Value Emitter::andi(Value x, Value y) { return LLVM::AndOp::create(b, loc, x, y); }
Value Emitter::ori(Value x, Value y) { return LLVM::OrOp::create(b, loc, x, y); }
Value Emitter::xori(Value x, Value y) { return LLVM::XOrOp::create(b, loc, x, y); }
Value Emitter::shl(Value x, unsigned amount) {
  return amount ? LLVM::ShlOp::create(b, loc, x, constant(x.getType(), amount)) : x;
}
Value Emitter::lshr(Value x, unsigned amount) {
  return amount ? LLVM::LShrOp::create(b, loc, x, constant(x.getType(), amount)) : x;
}
Value Emitter::icmp(LLVM::ICmpPredicate predicate, Value x, Value y) {
  return LLVM::ICmpOp::create(b, loc, predicate, x, y);
}
Value Emitter::select(Value condition, Value x, Value y) { return LLVM::SelectOp::create(b, loc, condition, x, y); }
Value Emitter::umin(Value x, Value y) { return LLVM::UMinOp::create(b, loc, x, y); }

Value Emitter::resize(Value x, Type type, bool isSigned) {
  unsigned from = x.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (from == to)
    return x;
  if (from > to)
    return LLVM::TruncOp::create(b, loc, type, x);
  if (isSigned)
    return LLVM::SExtOp::create(b, loc, type, x);
  return LLVM::ZExtOp::create(b, loc, type, x);
}

Value Emitter::both(Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  return x == y ? x : andi(x, y);
}

Value Emitter::bitcast(Value x, Type type) {
  return x.getType() == type ? x : LLVM::BitcastOp::create(b, loc, type, x).getResult();
}

//===----------------------------------------------------------------------===//
// Aggregates and addresses
//===----------------------------------------------------------------------===//

Value Emitter::field(Value structure, int64_t index) { return LLVM::ExtractValueOp::create(b, loc, structure, index); }

SmallVector<Value> Emitter::unpack(Value structure) {
  auto type = dyn_cast<LLVM::LLVMStructType>(structure.getType());
  if (!type)
    return {structure};
  // What has been packed just now is there already: to fold one extraction after another is quadratic in the fields.
  SmallVector<Value> fields(type.getBody().size());
  while (auto insert = structure.getDefiningOp<LLVM::InsertValueOp>()) {
    if (insert.getPosition().size() != 1)
      break;
    Value &value = fields[insert.getPosition().front()];
    if (!value)
      value = insert.getValue();
    structure = insert.getContainer();
  }
  for (auto [i, value] : llvm::enumerate(fields))
    if (!value)
      value = field(structure, i);
  return fields;
}

Value Emitter::pack(Type type, ValueRange fields) {
  if (!isa<LLVM::LLVMStructType>(type)) {
    assert(fields.size() == 1 && "a scalar has one field");
    return fields.front();
  }
  Value structure = LLVM::PoisonOp::create(b, loc, type);
  for (auto [index, value] : llvm::enumerate(fields))
    structure = LLVM::InsertValueOp::create(b, loc, structure, value, int64_t(index));
  return structure;
}

Value Emitter::offsetBytes(Value ptr, Value offset) {
  return LLVM::GEPOp::create(b, loc, ptr.getType(), intTy(8), ptr, ArrayRef<LLVM::GEPArg>{offset});
}

Value Emitter::offsetBytes(Value ptr, int64_t offset) {
  if (offset == 0)
    return ptr;
  if (offset == int32_t(offset))
    return LLVM::GEPOp::create(b, loc, ptr.getType(), intTy(8), ptr, ArrayRef<LLVM::GEPArg>{int32_t(offset)});
  return offsetBytes(ptr, i64(offset));
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

const nv_tileas::ExecutionContext &Emitter::threads() {
  if (!running)
    running = nv_tileas::ExecutionContext::of(b.getInsertionBlock()->getParent());
  return *running;
}

Value Emitter::threadId() {
  Value thread = NVVM::ThreadIdXOp::create(b, loc, intTy(32));
  return threads().firstThread() ? sub(thread, i32(threads().firstThread())) : thread;
}
Value Emitter::warp() { return lshr(threadId(), 5); }
Value Emitter::isFirstThread() { return icmp(LLVM::ICmpPredicate::eq, threadId(), i32(0)); }
Value Emitter::lane() { return andi(NVVM::ThreadIdXOp::create(b, loc, intTy(32)), i32(31)); }
Value Emitter::block() { return NVVM::ClusterId::create(b, loc, intTy(32)); }

void Emitter::asyncProxyFence() {
  NVVM::FenceProxyOp::create(b, loc, NVVM::ProxyKind::async_shared,
                             NVVM::SharedSpaceAttr::get(context(), NVVM::SharedSpace::shared_cta));
}

void Emitter::barrier() {
  if (threads().isWholeBlock)
    NVVM::Barrier0Op::create(b, loc);
  else if (threads().needsNamedBarrier())
    NVVM::BarrierOp::create(b, loc, TypeRange(), i32(threads().barrierId.value_or(0)), i32(threads().numThreads()),
                            NVVM::BarrierReductionAttr(), Value());
  else // memory accesses of the warp's lanes are ordered, too
    NVVM::SyncWarpOp::create(b, loc, i32(-1));
}

Value Emitter::shuffle(Value value, Value selector, NVVM::ShflKind kind) {
  Type type = value.getType();
  Type word = intTy(32);
  auto word32 = [&](Value v) -> Value {
    return NVVM::ShflOp::create(b, loc, word, i32(-1), v, selector, i32(31), kind, UnitAttr());
  };
  if (isa<LLVM::LLVMPointerType>(type)) {
    Value bits = LLVM::PtrToIntOp::create(b, loc, intTy(64), value);
    return LLVM::IntToPtrOp::create(b, loc, type, shuffle(bits, selector, kind));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  Type bitsType = intTy(width);
  Value bits = bitcast(value, bitsType);
  if (width <= 32)
    return bitcast(resize(word32(resize(bits, word)), bitsType), type);
  Value low = word32(resize(bits, word));
  Value high = word32(resize(lshr(bits, 32), word));
  Value joined = ori(resize(low, bitsType), shl(resize(high, bitsType), 32));
  return bitcast(joined, type);
}

Value Emitter::shuffleXor(Value value, unsigned laneMask) {
  return shuffle(value, i32(laneMask), NVVM::ShflKind::bfly);
}
Value Emitter::shuffleIndex(Value value, Value source) { return shuffle(value, source, NVVM::ShflKind::idx); }

void Emitter::onlyIf(Value condition, function_ref<void(Emitter &)> body) {
  if (!condition)
    return body(*this);
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  body(*this);
}

SmallVector<Value> Emitter::mostly(Value condition, TypeRange results, function_ref<SmallVector<Value>(Emitter &)> then,
                                   function_ref<SmallVector<Value>(Emitter &)> otherwise) {
  Value expected = LLVM::ExpectOp::create(b, loc, condition, i1(true));
  auto branch = scf::IfOp::create(b, loc, results, expected, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  for (auto [region, build] : {std::pair(&branch.getThenRegion(), then), {&branch.getElseRegion(), otherwise}}) {
    b.setInsertionPointToEnd(&region->front());
    SmallVector<Value> values = build(*this);
    scf::YieldOp::create(b, loc, values);
  }
  return branch.getResults();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value Emitter::intrinsic(StringRef name, Type type, ValueRange args) {
  return LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr(name), args).getResult(0);
}

Value Emitter::callExternal(StringRef name, Type type, ValueRange args) {
  Operation *table = symbolTable();
  if (!SymbolTable::lookupSymbolIn(table, name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&table->getRegion(0).front());
    SmallVector<Type> inputs(args.getTypes());
    Type result = type ? type : LLVM::LLVMVoidType::get(context());
    LLVM::LLVMFuncOp::create(b, loc, name, LLVM::LLVMFunctionType::get(result, inputs));
  }
  auto call = LLVM::CallOp::create(b, loc, type ? TypeRange{type} : TypeRange(), name, args);
  return type ? call.getResult() : Value();
}
