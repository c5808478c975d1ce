//===- Emitter.h - Short hands for LLVM and NVVM operations -----*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lowering code writes many small LLVM operations. An Emitter is a builder and a location, with one method per thing
// that lowering code says often. Everything is pure construction; folding and common subexpressions are left to CSE and
// LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_EMITTER_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_EMITTER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "tileiras/Dialect/TileAS/IR/ExecutionContext.h"
#include <optional>

namespace mlir::tilellvm {

class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc) : b(builder), loc(loc) {}
  OpBuilder &b;
  Location loc;

  // Types ----------------------------------------------------------------------
  MLIRContext *context() const { return b.getContext(); }
  Type intTy(unsigned bits) const { return IntegerType::get(context(), bits); }
  Type f32Ty() const { return Float32Type::get(context()); }
  Type ptrTy(unsigned space) const { return LLVM::LLVMPointerType::get(context(), space); }

  // Constants ------------------------------------------------------------------
  /// Zero-extended or truncated to the type's width.
  Value constant(Type intType, int64_t value);
  Value i32(int64_t value) { return constant(intTy(32), value); }
  Value i64(int64_t value) { return constant(intTy(64), value); }
  Value i1(bool value) { return constant(intTy(1), value); }
  Value constantFloat(Type type, const APFloat &value);
  Value constantFloat(Type type, double value);
  /// Zero of any scalar type, null for pointers.
  Value zero(Type type);
  /// A constant held by a null-terminated string; its address in generic space.
  Value stringAddress(StringRef prefix, StringRef text);

  // Integers -------------------------------------------------------------------
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value andi(Value a, Value b);
  Value ori(Value a, Value b);
  Value xori(Value a, Value b);
  Value shl(Value a, unsigned amount);
  Value lshr(Value a, unsigned amount);
  Value icmp(LLVM::ICmpPredicate predicate, Value a, Value b);
  Value select(Value condition, Value a, Value b);
  Value umin(Value a, Value b);
  /// To an integer type of any width; extension by sign or zero.
  Value resize(Value a, Type type, bool isSigned = false);
  /// Conjunction where a null value stands for "true".
  Value both(Value a, Value b);
  Value bitcast(Value a, Type type);

  // Aggregates -----------------------------------------------------------------
  SmallVector<Value> unpack(Value structure);
  Value pack(Type structType, ValueRange fields);
  Value field(Value structure, int64_t index);

  // Addresses ------------------------------------------------------------------
  /// ptr + offset bytes.
  Value offsetBytes(Value ptr, Value offset);
  Value offsetBytes(Value ptr, int64_t offset);

  // Threads --------------------------------------------------------------------
  /// Who runs the code being built: all warps of the block, or those of an agent. The next four count from its first
  /// thread.
  const nv_tileas::ExecutionContext &threads();
  Value threadId();
  Value warp();
  /// True in the one thread that acts for all.
  Value isFirstThread();
  Value lane();
  /// Rank in the cluster.
  Value block();
  /// The threads that run this code meet.
  void barrier();
  /// What the thread wrote to shared memory is there for matrix units and bulk copies too, once the threads have met.
  void asyncProxyFence();
  /// The value another lane holds; any element type. `laneMask` is XORed into the lane id.
  Value shuffleXor(Value value, unsigned laneMask);
  /// The value of lane `source`.
  Value shuffleIndex(Value value, Value source);

  /// Runs `body` in the threads where `condition` holds (everywhere when it is null).
  void onlyIf(Value condition, function_ref<void(Emitter &)> body);
  /// What `then` returns where `condition` holds, which is nearly always, else what `otherwise` returns, whose code
  /// goes out of the way. What the first builds, the other cannot use.
  SmallVector<Value> mostly(Value condition, TypeRange results, function_ref<SmallVector<Value>(Emitter &)> then,
                            function_ref<SmallVector<Value>(Emitter &)> otherwise);

  // Calls ----------------------------------------------------------------------
  /// llvm.call_intrinsic "name"(args) : type.
  Value intrinsic(StringRef name, Type type, ValueRange args);
  /// A call of an external C function (null type: void), declared in the module when it is not there yet.
  Value callExternal(StringRef name, Type type, ValueRange args);

  /// The module (or gpu.module) that holds the function being built.
  Operation *symbolTable();

private:
  std::optional<nv_tileas::ExecutionContext> running;
  Value shuffle(Value value, Value selector, NVVM::ShflKind kind);
};

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_EMITTER_H
