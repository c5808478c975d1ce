//===- PrintAssert.cpp - vprintf and __assertfail -------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Printing happens once per tile block, in its first thread; tiles come out as nested lists.
// An assertion reports each element that is zero, from its owner.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"
#include "tileiras/Conversion/TileASToLLVM/PrintPhase.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LinearLayout.h"

using namespace mlir;
using namespace mlir::tilellvm;

namespace {

/// A part of the output: text with conversions of scalars, or one tile.
struct Piece {
  std::string format; ///< of the text; of one element of the tile
  SmallVector<unsigned> arguments;
  bool isTile = false;
  SmallVector<char> conversions; ///< the letter of each argument
};

/// Cuts a format where tiles are printed, and makes its length modifiers agree with the types that are really passed:
/// i64 integers and doubles.
FailureOr<std::vector<Piece>> cutFormat(StringRef format, ValueRange arguments) {
  std::vector<Piece> pieces(1);
  unsigned used = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    std::string text(1, format[i]);
    if (format[i] == '%' && i + 1 < format.size() && format[i + 1] == '%')
      text += format[++i];
    if (text != "%") {
      pieces.back().format += text;
      continue;
    }
    ++i;
    while (i < format.size() && StringRef("-+ #0123456789.").contains(format[i]))
      text += format[i++];
    while (i < format.size() && StringRef("hlLqjzt").contains(format[i]))
      ++i;
    if (i == format.size() || used == arguments.size())
      return failure();
    if (StringRef("diuoxX").contains(format[i]))
      text += "ll";
    else if (!StringRef("eEfFgGaAcp").contains(format[i]))
      return failure();
    text += format[i];
    bool isTile = isa<RankedTensorType>(arguments[used].getType());
    if (isTile && !pieces.back().format.empty())
      pieces.emplace_back();
    Piece &piece = pieces.back();
    piece.isTile = isTile;
    piece.format += text;
    piece.arguments.push_back(used++);
    piece.conversions.push_back(format[i]);
    if (isTile)
      pieces.emplace_back();
  }
  if (used != arguments.size())
    return failure();
  if (pieces.back().format.empty() && pieces.size() > 1)
    pieces.pop_back();
  return pieces;
}

/// An argument of the kind that its conversion asks for, in 8 bytes.
Value promote(Emitter &e, Value value, char conversion) {
  bool wantsFloat = StringRef("eEfFgGaA").contains(conversion);
  bool isSigned = (conversion == 'd' || conversion == 'i') && !value.getType().isInteger(1);
  Type f64 = Float64Type::get(e.context()), i64 = e.intTy(64);
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    value = LLVM::PtrToIntOp::create(e.b, e.loc, i64, value);
  if (isa<IntegerType>(value.getType())) {
    value = e.resize(value, i64, isSigned || (wantsFloat && !value.getType().isInteger(1)));
    return wantsFloat ? LLVM::SIToFPOp::create(e.b, e.loc, f64, value).getResult() : value;
  }
  if (!value.getType().isF64())
    value = LLVM::FPExtOp::create(e.b, e.loc, f64, value);
  return wantsFloat ? value : LLVM::FPToSIOp::create(e.b, e.loc, i64, value).getResult();
}

Value asVararg(Emitter &e, Value promoted, char conversion) {
  return conversion == 'c' ? e.resize(promoted, e.intTy(32)) : promoted;
}

/// Space in the frame of the function, outside of loops.
Value allocateBuffer(Emitter &e, Operation *op, int64_t bytes) {
  OpBuilder::InsertionGuard guard(e.b);
  auto func = op->getParentOfType<FunctionOpInterface>();
  e.b.setInsertionPointToStart(&func.getFunctionBody().front());
  Value count = e.i32(bytes);
  return LLVM::AllocaOp::create(e.b, e.loc, e.ptrTy(kGeneric), e.intTy(8), count, /*alignment=*/8);
}

/// vprintf's buffer is a C struct of the promoted arguments: a character is an int of 4 bytes there, at a multiple
/// of 4.
void callPrintf(Emitter &e, StringRef format, ArrayRef<Value> arguments, Value buffer) {
  int64_t offset = 0;
  for (Value value : arguments) {
    int64_t size = value.getType().isInteger(32) ? 4 : 8;
    offset = llvm::alignTo(offset, size);
    LLVM::StoreOp::create(e.b, e.loc, value, e.offsetBytes(buffer, offset), unsigned(size));
    offset += size;
  }
  Value text = e.stringAddress("format", format);
  Value data = arguments.empty() ? LLVM::ZeroOp::create(e.b, e.loc, e.ptrTy(kGeneric)).getResult() : buffer;
  e.callExternal("vprintf", e.intTy(32), {text, data});
}

/// Elements of a tile that pass through shared memory at a time.
constexpr int64_t kPrintedTogether = 256;

/// One thread prints what all hold, as nested lists: the elements go to shared memory in row-major order, as 8 bytes
/// each, a part of the tile at a time.
struct TilePrinter {
  Emitter &e;
  Value first, buffer; ///< whether this is the printing thread; vprintf's arguments
  Value shared;

  void print(const Piece &piece, RankedTensorType type, ValueRange registers) {
    LinearLayout layout = nv_tileas::getLinearLayout(type);
    ThreadLayout thread(e, layout);
    Value owns = ownerPredicate(e, layout);
    int32_t copies = tileiras::ownerMask(layout).registers;
    SmallVector<Value> places, words;
    for (unsigned r = 0; r < thread.numRegisters(); ++r) {
      Value place = e.i32(0);
      for (int64_t d = 0, rank = type.getRank(); d < rank; ++d) {
        place = LLVM::MulOp::create(e.b, e.loc, place, e.i32(type.getDimSize(d)));
        place = e.add(place, thread.coordinate(d, r));
      }
      places.push_back(place);
      words.push_back(e.bitcast(promote(e, registers[r], piece.conversions.front()), e.intTy(64)));
    }
    int64_t total = type.getNumElements(), together = std::min(total, kPrintedTogether);
    auto part = [&](Emitter &inner, Value begin) {
      inner.barrier(); // what was there before has been read
      for (unsigned r = 0; r < places.size(); ++r) {
        if (r & copies)
          continue;
        Value place = inner.sub(places[r], begin);
        Value mine = inner.both(inner.icmp(LLVM::ICmpPredicate::ult, place, inner.i32(together)), owns);
        inner.onlyIf(mine, [&](Emitter &store) {
          storeShared(store, store.offsetBytes(shared, store.shl(place, 3)), words[r]);
        });
      }
      inner.barrier();
      inner.onlyIf(first, [&](Emitter &one) {
        loop(one, together, 1, [&](Emitter &each, Value i) {
          Value word = loadShared(each, each.offsetBytes(shared, each.shl(i, 3)), each.intTy(64), 1).front();
          element(each, piece.format, type, each.add(begin, i), asVararg(each, word, piece.conversions.front()));
        });
      });
    };
    if (total == together)
      return part(e, e.i32(0));
    loop(e, total, together, part);
  }

private:
  static void loop(Emitter &e, int64_t end, int64_t step, function_ref<void(Emitter &, Value)> body) {
    auto loop = scf::ForOp::create(e.b, e.loc, e.i32(0), e.i32(end), e.i32(step));
    OpBuilder::InsertionGuard guard(e.b);
    e.b.setInsertionPointToStart(loop.getBody());
    body(e, loop.getInductionVar());
  }

  /// Element number `place` with what surrounds it: a comma unless it is the first, a bracket for each list that begins
  /// or ends.
  void element(Emitter &e, StringRef format, RankedTensorType type, Value place, Value word) {
    int64_t rank = type.getRank();
    Value begun = e.i32(0), ended = e.i32(0), next = e.add(place, e.i32(1));
    int64_t length = 1;
    for (int64_t d = rank - 1; d >= 0; --d) {
      length *= type.getDimSize(d); // a power of two
      for (auto [count, at] : {std::pair(&begun, place), std::pair(&ended, next)}) {
        Value edge = e.icmp(LLVM::ICmpPredicate::eq, e.andi(at, e.i32(length - 1)), e.i32(0));
        *count = e.add(*count, e.resize(edge, e.intTy(32)));
      }
    }
    auto lastOf = [&](const std::string &text, Value count) { // the last `count` characters
      return e.offsetBytes(e.stringAddress("print", text), e.resize(e.sub(e.i32(text.size()), count), e.intTy(64)));
    };
    Value comma = e.select(e.icmp(LLVM::ICmpPredicate::eq, place, e.i32(0)), e.i32(0), e.i32(2));
    SmallVector<Value> arguments = {lastOf(", ", comma), lastOf(std::string(rank, '['), begun), word,
                                    lastOf(std::string(rank, ']'), ended)};
    callPrintf(e, ("%s%s" + format + "%s").str(), arguments, buffer);
  }
};

/// Says so if there are none.
FailureOr<std::vector<Piece>> piecesOf(nv_tileaa::PrintOp op) {
  FailureOr<std::vector<Piece>> pieces = cutFormat(op.getFormat(), op.getArgs());
  if (failed(pieces))
    return op.emitOpError(
        "format does not fit the arguments: each takes one of %d %i %u %o %x %X %e %E %f %F %g %G %a %A %c %p, "
        "with flags, width and precision as numbers");
  for (Value argument : op.getArgs()) {
    Type element = elementOf(argument.getType());
    if (auto fp = dyn_cast<FloatType>(element); fp && fp.getWidth() < 16)
      return op.emitOpError("of ") << element << " is not supported";
  }
  return pieces;
}

struct Print : TilePattern<nv_tileaa::PrintOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::PrintOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FailureOr<std::vector<Piece>> pieces = piecesOf(op);
    if (failed(pieces))
      return failure();
    Emitter e(rewriter, op.getLoc());
    size_t slots = 0;
    for (const Piece &piece : *pieces)
      slots = std::max(slots, piece.isTile ? 4 : piece.arguments.size());
    Value buffer = slots ? allocateBuffer(e, op, 8 * slots) : Value();
    Value first = e.isFirstThread();
    for (const Piece &piece : *pieces) {
      if (piece.isTile) {
        unsigned i = piece.arguments.front();
        TilePrinter{e, first, buffer, exchangeAddress(e, op)}.print(
            piece, cast<RankedTensorType>(op.getArgs()[i].getType()), e.unpack(adaptor.getArgs()[i]));
        continue;
      }
      e.onlyIf(first, [&](Emitter &inner) {
        SmallVector<Value> arguments;
        for (auto [i, conversion] : llvm::zip_equal(piece.arguments, piece.conversions))
          arguments.push_back(asVararg(inner, promote(inner, adaptor.getArgs()[i], conversion), conversion));
        callPrintf(inner, piece.format, arguments, buffer);
      });
    }
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
      owns = e.isFirstThread();
    }
    for (auto [r, condition] : llvm::enumerate(e.unpack(adaptor.getCondition()))) {
      if (r & copies)
        continue;
      Value failed = e.both(e.xori(condition, e.i1(true)), owns);
      e.onlyIf(failed, [&](Emitter &inner) {
        Value message = inner.stringAddress("assert", op.getMessage()), path = inner.stringAddress("assert", file);
        Value name = inner.stringAddress("assert", func.getName());
        // void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t
        // charSize)
        inner.callExternal("__assertfail", Type(), {message, path, inner.i32(line), name, inner.i64(1)});
      });
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

int64_t tilellvm::printExchangeBytes(nv_tileaa::PrintOp op) {
  int64_t most = 0;
  for (Type type : op.getArgs().getTypes())
    if (auto tile = dyn_cast<RankedTensorType>(type))
      most = std::max(most, std::min(tile.getNumElements(), kPrintedTogether));
  return 8 * most;
}

LogicalResult tilellvm::checkPrints(Operation *func) {
  WalkResult walk = func->walk(
      [](nv_tileaa::PrintOp op) { return failed(piecesOf(op)) ? WalkResult::interrupt() : WalkResult::advance(); });
  return walk.wasInterrupted() ? func->emitError("fails to decompose print ops") : success();
}

void tilellvm::populatePrintAssertPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                           const LoweringOptions &options) {
  patterns.add<Print, Assert>(converter, patterns.getContext(), options);
}
