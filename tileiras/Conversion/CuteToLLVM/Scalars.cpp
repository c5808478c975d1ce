//===- Scalars.cpp - Comparisons, divisors and prints ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CuteToLLVM/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace tileiras;
using mlir::cute::Meaning;
namespace alg = tileiras::cute;

LogicalResult CuteLowering::lowerComparison(Operation *op) {
  FailureOr<Lowered> lhs = get(op->getOperand(0), op), rhs = get(op->getOperand(1), op);
  if (failed(lhs) || failed(rhs))
    return failure();
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  const Meaning &a = lhs->meaning, &b = rhs->meaning;
  std::vector<alg::Int> left = a.everyNumber(), right = b.everyNumber();
  bool same = a.kind == b.kind && left.size() == right.size() && a.layout.swizzle == b.layout.swizzle;
  if (a.kind == Meaning::Kind::Tuple)
    same = same && alg::congruent(a.tuple, b.tuple);
  else
    same = same && alg::congruent(a.layout.layout.shape, b.layout.layout.shape);
  for (size_t i = 0; same && i < left.size(); ++i)
    same = left[i].basis() == right[i].basis() && (left[i].isDynamic() || right[i].isDynamic() || left[i] == right[i]);
  Value result = arith::ConstantOp::create(builder, builder.getBoolAttr(same));
  Emitter first(builder, lhs->numbers), second(builder, rhs->numbers);
  for (size_t i = 0; same && i < left.size(); ++i) {
    if (!left[i].isDynamic() && !right[i].isDynamic())
      continue;
    Value equal = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, first.emit(left[i].withoutBasis(), 64),
                                        second.emit(right[i].withoutBasis(), 64));
    result = arith::AndIOp::create(builder, result, equal);
  }
  op->getResult(0).replaceAllUsesWith(result);
  return success();
}

/// Division of any 32-bit number n by d as in Granlund and Montgomery, "Division by Invariant Integers using
/// Multiplication", figure 4.1: q = (t + ((n - t) >> shift1)) >> shift2 with t = the upper half of multiplier * n.
LogicalResult CuteLowering::lowerDivmod(Operation *op) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto constant = [&](Type type, int64_t value) -> Value {
    return arith::ConstantOp::create(builder, builder.getIntegerAttr(type, value));
  };
  auto wide = [&](Value value) -> Value { return arith::ExtUIOp::create(builder, i64, value); };
  auto narrow = [&](Value value) -> Value { return arith::TruncIOp::create(builder, i32, value); };
  auto keep = [&](Value result, ArrayRef<Value> numbers) {
    unsigned next = 0;
    values[result] = Lowered{mlir::cute::describe(result.getType(), next), SmallVector<Value>(numbers), {}, {}};
    return success();
  };
  if (auto make = dyn_cast<mlir::cute::MakeDivisorOp>(op))
    return keep(make.getResult(), {make.getDivisor(), make.getMultiplier(), make.getShift1(), make.getShift2()});
  if (auto create = dyn_cast<mlir::cute::CreateDivisorOp>(op)) {
    Value d = create.getDivisor(), one = constant(i32, 1);
    Value zeros = LLVM::CountLeadingZerosOp::create(builder, i32, arith::SubIOp::create(builder, d, one),
                                                    /*is_zero_poison=*/false);
    Value log = arith::SubIOp::create(builder, constant(i32, 32), zeros);
    Value power = arith::ShLIOp::create(builder, constant(i64, 1), wide(log));
    Value rest = arith::ShLIOp::create(builder, arith::SubIOp::create(builder, power, wide(d)), constant(i64, 32));
    Value multiplier = arith::AddIOp::create(builder, narrow(arith::DivUIOp::create(builder, rest, wide(d))), one);
    Value shift1 = arith::MinSIOp::create(builder, log, one);
    Value shift2 = arith::MaxSIOp::create(builder, arith::SubIOp::create(builder, log, one), constant(i32, 0));
    return keep(create.getResult(), {d, multiplier, shift1, shift2});
  }
  FailureOr<Lowered> divisor = get(op->getOperand(op->getNumOperands() - 1), op);
  if (failed(divisor))
    return failure();
  ArrayRef<Value> numbers = divisor->numbers;
  if (isa<mlir::cute::GetDivisorOp>(op)) {
    op->getResult(0).replaceAllUsesWith(numbers[0]);
    return success();
  }
  Value n = op->getOperand(0);
  Value full = arith::MulIOp::create(builder, wide(n), wide(numbers[1]));
  Value upper = narrow(arith::ShRUIOp::create(builder, full, constant(i64, 32)));
  Value half = arith::ShRUIOp::create(builder, arith::SubIOp::create(builder, n, upper), numbers[2]);
  Value quotient = arith::ShRUIOp::create(builder, arith::AddIOp::create(builder, upper, half), numbers[3]);
  Value product = arith::MulIOp::create(builder, quotient, numbers[0]);
  op->getResult(0).replaceAllUsesWith(quotient);
  op->getResult(1).replaceAllUsesWith(arith::SubIOp::create(builder, n, product));
  return success();
}

/// A text with a format for every number that the value carries, `%` doubled.
static std::string formatOf(const Meaning &meaning) {
  std::string text;
  if (meaning.kind == Meaning::Kind::Tuple)
    text = meaning.tuple.toString();
  else if (meaning.kind == Meaning::Kind::Tiler)
    text = meaning.tiler->toString();
  else
    text = meaning.layout.toString();
  std::string result;
  SmallVector<alg::Int> leaves = meaning.leaves();
  size_t leaf = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '?') {
      result += text[i];
      continue;
    }
    result += leaves[leaf++].width() == 64 ? "%lld" : "%d";
    if (i + 1 < text.size() && text[i + 1] == '{') // what is known of it
      i = text.find('}', i);
  }
  return result;
}

LogicalResult CuteLowering::lowerPrint(Operation *op) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  auto print = dyn_cast<mlir::cute::PrintOp>(op);
  if (!print) {
    Value address = op->getOperand(0);
    if (isCuteType(address.getType())) {
      FailureOr<Lowered> pointer = get(address, op);
      if (failed(pointer))
        return failure();
      address = pointer->address;
    }
    if (!address || !isa<LLVM::LLVMPointerType>(address.getType()))
      return op->emitOpError("expects the address of a tensor map, got ") << op->getOperand(0).getType();
    for (int line = 0; line < 4; ++line) {
      SmallVector<Value> words;
      for (int word = 0; word < 4; ++word) {
        Value at = LLVM::GEPOp::create(builder, address.getType(), builder.getI64Type(), address,
                                       ArrayRef<LLVM::GEPArg>{int32_t(4 * line + word)});
        words.push_back(LLVM::LoadOp::create(builder, builder.getI64Type(), at, 8));
      }
      gpu::PrintfOp::create(builder, "0x%016llx 0x%016llx 0x%016llx 0x%016llx\n", words);
    }
    return success();
  }
  std::string format;
  for (char c : print.getText())
    format += c == '%' ? std::string("%%") : std::string(1, c);
  SmallVector<Value> numbers;
  for (Value value : print.getValues()) {
    format += format.empty() ? "" : " ";
    if (value.getType().isF32() || value.getType().isF64()) {
      format += "%f";
      numbers.push_back(value);
      continue;
    }
    FailureOr<Lowered> lowered = get(value, op);
    if (failed(lowered))
      return failure();
    if (lowered->address) {
      format += "%p ";
      numbers.push_back(LLVM::PtrToIntOp::create(builder, builder.getI64Type(), lowered->address));
    }
    if (lowered->meaning.kind != Meaning::Kind::Pointer)
      format += formatOf(lowered->meaning);
    llvm::append_range(numbers, lowered->numbers);
  }
  gpu::PrintfOp::create(builder, format + "\n", numbers);
  return success();
}
