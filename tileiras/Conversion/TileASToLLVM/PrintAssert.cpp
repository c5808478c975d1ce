//===- PrintAssert.cpp - vprintf and __assertfail -------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A print without tiles happens once per tile block, in its first thread. With tiles it happens once per element, in the
// thread that owns the element, preceded by the element's coordinates: "[2, 5] text".
// An assertion reports each element that is zero, from its owner.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Support/ConvertPlan.h"

using namespace mlir;
using namespace mlir::tilellvm;

namespace {

/// Makes the length modifiers of a format agree with the types that are really passed: i64 integers and doubles.
FailureOr<std::string> normalizeFormat(StringRef format, size_t arguments) {
  std::string text;
  size_t used = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    text += format[i];
    if (format[i] != '%')
      continue;
    if (i + 1 < format.size() && format[i + 1] == '%') {
      text += format[++i];
      continue;
    }
    ++i;
    while (i < format.size() && StringRef("-+ #0123456789.").contains(format[i]))
      text += format[i++];
    while (i < format.size() && StringRef("hlLqjzt").contains(format[i]))
      ++i;
    if (i == format.size() || ++used > arguments)
      return failure();
    if (StringRef("diuoxX").contains(format[i]))
      text += "ll";
    else if (!StringRef("eEfFgGaAcp").contains(format[i]))
      return failure();
    text += format[i];
  }
  if (used != arguments)
    return failure();
  return text;
}

/// An argument as vprintf's buffer wants it: 8 bytes.
Value promote(Emitter &e, Value value, Type original) {
  Type f64 = Float64Type::get(e.context());
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return LLVM::PtrToIntOp::create(e.b, e.loc, e.intTy(64), value);
  if (isa<IntegerType>(value.getType())) {
    bool isSigned = !value.getType().isInteger(1);
    return e.resize(value, e.intTy(64), isSigned);
  }
  return value.getType().isF64() ? value : LLVM::FPExtOp::create(e.b, e.loc, f64, value).getResult();
}

/// Space in the frame of the function, outside of loops.
Value allocateBuffer(Emitter &e, Operation *op, int64_t bytes) {
  OpBuilder::InsertionGuard guard(e.b);
  auto func = op->getParentOfType<FunctionOpInterface>();
  e.b.setInsertionPointToStart(&func.getFunctionBody().front());
  Value count = e.i32(bytes);
  return LLVM::AllocaOp::create(e.b, e.loc, e.ptrTy(kGeneric), e.intTy(8), count, /*alignment=*/8);
}

void callPrintf(Emitter &e, StringRef format, ArrayRef<Value> arguments, Value buffer) {
  for (auto [i, value] : llvm::enumerate(arguments))
    LLVM::StoreOp::create(e.b, e.loc, value, e.offsetBytes(buffer, int64_t(8 * i)), 8);
  Value text = e.stringAddress("format", format);
  Value data = arguments.empty() ? LLVM::ZeroOp::create(e.b, e.loc, e.ptrTy(kGeneric)).getResult() : buffer;
  e.callExternal("vprintf", e.intTy(32), {text, data});
}

struct Print : TilePattern<nv_tileaa::PrintOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::PrintOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FailureOr<std::string> format = normalizeFormat(op.getFormat(), op.getArgs().size());
    if (failed(format))
      return op.emitOpError("format does not fit the arguments");
    RankedTensorType tile;
    for (Value argument : op.getArgs()) {
      Type element = elementOf(argument.getType());
      if (auto fp = dyn_cast<FloatType>(element); fp && fp.getWidth() < 16)
        return op.emitOpError("of ") << element << " is not supported";
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (type && tile && (type.getShape() != tile.getShape() || type.getEncoding() != tile.getEncoding()))
        return op.emitOpError("of tiles of different shapes or layouts is not supported");
      if (type)
        tile = type;
    }
    Emitter e(rewriter, op.getLoc());
    int64_t slots = op.getArgs().size() + (tile ? tile.getRank() : 0);
    Value buffer = slots ? allocateBuffer(e, op, 8 * slots) : Value();
    std::vector<SmallVector<Value>> columns;
    for (Value argument : adaptor.getArgs())
      columns.push_back(e.unpack(argument));
    auto row = [&](Emitter &inner, unsigned r, SmallVector<Value> arguments) {
      for (auto [column, original] : llvm::zip_equal(columns, op.getArgs()))
        arguments.push_back(promote(inner, column.size() == 1 ? column.front() : column[r],
                                    elementOf(original.getType())));
      return arguments;
    };
    if (!tile) {
      Value first = e.icmp(LLVM::ICmpPredicate::eq, e.threadId(), e.i32(0));
      e.onlyIf(first, [&](Emitter &inner) { callPrintf(inner, *format, row(inner, 0, {}), buffer); });
      rewriter.replaceOp(op, e.i32(0));
      return success();
    }
    LinearLayout layout = nv_tileas::getLinearLayout(tile);
    ThreadLayout thread(e, layout);
    int32_t copies = tileiras::ownerMask(layout).registers;
    std::string place = "[";
    for (int64_t d = 0; d < tile.getRank(); ++d) {
      place += d ? ", %lld" : "%lld";
      thread.threadPart(d);
    }
    place += "] ";
    e.onlyIf(ownerPredicate(e, layout), [&](Emitter &inner) {
      for (unsigned r = 0; r < thread.numRegisters(); ++r) {
        if (r & copies)
          continue;
        SmallVector<Value> coordinates;
        for (int64_t d = 0; d < tile.getRank(); ++d)
          coordinates.push_back(inner.resize(thread.coordinate(d, r), inner.intTy(64)));
        callPrintf(inner, place + *format, row(inner, r, coordinates), buffer);
      }
    });
    rewriter.replaceOp(op, e.i32(0));
    return success();
  }
};

struct Assert : TilePattern<nv_tileaa::AssertOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    std::string file = "unknown";
    int64_t line = 0;
    if (auto where = op.getLoc()->findInstanceOf<FileLineColLoc>()) {
      file = where.getFilename().str();
      line = where.getLine();
    }
    auto func = op->getParentOfType<FunctionOpInterface>();
    Value owns;
    int32_t copies = 0;
    if (auto tile = dyn_cast<RankedTensorType>(op.getCondition().getType())) {
      LinearLayout layout = nv_tileas::getLinearLayout(tile);
      owns = ownerPredicate(e, layout);
      copies = tileiras::ownerMask(layout).registers;
    } else {
      owns = e.icmp(LLVM::ICmpPredicate::eq, e.threadId(), e.i32(0));
    }
    for (auto [r, condition] : llvm::enumerate(e.unpack(adaptor.getCondition()))) {
      if (r & copies)
        continue;
      Value failed = e.both(e.xori(condition, e.i1(true)), owns);
      e.onlyIf(failed, [&](Emitter &inner) {
        Value message = inner.stringAddress("assert", op.getMessage()), path = inner.stringAddress("assert", file);
        Value name = inner.stringAddress("assert", func.getName());
        // void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t charSize)
        inner.callExternal("__assertfail", Type(), {message, path, inner.i32(line), name, inner.i64(1)});
      });
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilellvm::populatePrintAssertPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                           const LoweringOptions &options) {
  patterns.add<Print, Assert>(converter, patterns.getContext(), options);
}
