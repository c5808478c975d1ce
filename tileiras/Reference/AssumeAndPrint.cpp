//===- AssumeAndPrint.cpp - assume, assert and print_tko ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Reference/Evaluator.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace tileiras;
using namespace tileiras::reference;

//===----------------------------------------------------------------------===//
// assume: a false assumption is undefined behaviour, so it is an error here
//===----------------------------------------------------------------------===//

static InFlightDiagnostic broken(AssumeOp op, const Tile &tile, int64_t position) {
  return op.emitError("assumption does not hold: element ")
         << elementName(tile.shape, position) << " is "
         << (isPointer(cast<TileType>(op.getResult().getType()).getElementType())
                 ? "0x" + llvm::utohexstr(tile.data[size_t(position)], /*LowerCase=*/true)
                 : formatElement(tile.type, tile.data[size_t(position)]));
}

/// Divisibility of every element, or of the first of each group of `every` along a dimension,
/// whose others count up by one (pointers: by the pointee's size).
static LogicalResult checkDivisible(AssumeOp op, DivByAttr predicate, const Tile &tile) {
  uint64_t divisor = predicate.getDivisor(), increment = 1;
  Type elementType = cast<TileType>(op.getResult().getType()).getElementType();
  if (auto pointer = dyn_cast<PointerType>(elementType))
    increment = uint64_t(storageBytes(dtypeOf(pointer.getPointeeType()), 1));
  int64_t every = predicate.getEvery().value_or(1), along = predicate.getAlong().value_or(-1);
  SmallVector<int64_t> strides = rowMajorStrides(tile.shape);
  for (int64_t i = 0; i < tile.size(); ++i) {
    uint64_t value = tile.data[size_t(i)];
    if (along < 0 || every <= 1) {
      if (divisor && value % divisor != 0)
        return broken(op, tile, i) << ", which " << divisor << " does not divide";
      continue;
    }
    int64_t stride = strides[size_t(along)];
    int64_t inGroup = i / stride % tile.shape[size_t(along)] % every;
    if (inGroup == 0) {
      if (divisor && value % divisor != 0)
        return broken(op, tile, i) << ", which " << divisor << " does not divide";
      continue;
    }
    uint64_t first = tile.data[size_t(i - inGroup * stride)];
    if (maskBits(first + uint64_t(inGroup) * increment, bitWidth(tile.type)) != value)
      return broken(op, tile, i) << ", which does not continue its group of " << every;
  }
  return success();
}

static LogicalResult checkBounds(AssumeOp op, BoundedAttr predicate, const Tile &tile) {
  for (int64_t i = 0; i < tile.size(); ++i) {
    int64_t value = tile.asSigned(i);
    if (predicate.getLb() && value < *predicate.getLb())
      return broken(op, tile, i) << ", below " << *predicate.getLb();
    if (predicate.getUb() && value > *predicate.getUb())
      return broken(op, tile, i) << ", above " << *predicate.getUb();
  }
  return success();
}

static LogicalResult checkSameElements(AssumeOp op, SameElementsAttr predicate, const Tile &tile) {
  SmallVector<int64_t> strides = rowMajorStrides(tile.shape);
  for (int64_t i = 0; i < tile.size(); ++i) {
    int64_t first = 0; // the first element of the block that i lies in
    for (auto [d, block] : llvm::enumerate(predicate.getValues())) {
      int64_t index = i / strides[d] % tile.shape[d];
      first += (block > 1 ? index / block * block : index) * strides[d];
    }
    if (tile.data[size_t(first)] != tile.data[size_t(i)])
      return broken(op, tile, i) << ", unlike element " << elementName(tile.shape, first) << " of its block";
  }
  return success();
}

static LogicalResult runAssume(Evaluator &e, AssumeOp op) {
  const RuntimeValue &value = e.lookup(op.getValue());
  e.set(op.getResult(), value);
  if (!e.checksAssumptions())
    return success();
  if (auto *view = std::get_if<TensorViewRef>(&value)) {
    auto divisible = dyn_cast<DivByAttr>(op.getPredicate());
    if (divisible && divisible.getDivisor() && (*view)->base % divisible.getDivisor() != 0)
      return op.emitError("assumption does not hold: the base address 0x")
             << llvm::utohexstr((*view)->base, true) << " is not a multiple of " << divisible.getDivisor();
    return success();
  }
  auto *tile = std::get_if<TileRef>(&value);
  if (!tile)
    return success();
  return TypeSwitch<Attribute, LogicalResult>(op.getPredicate())
      .Case<DivByAttr>([&](auto predicate) { return checkDivisible(op, predicate, **tile); })
      .Case<BoundedAttr>([&](auto predicate) { return checkBounds(op, predicate, **tile); })
      .Case<SameElementsAttr>([&](auto predicate) { return checkSameElements(op, predicate, **tile); })
      .Default([](Attribute) { return success(); });
}

//===----------------------------------------------------------------------===//
// print_tko
//===----------------------------------------------------------------------===//

/// One element through one printf conversion such as "%5.2f".
static std::string formatOne(StringRef conversion, DType type, uint64_t bits) {
  char letter = conversion.back();
  StringRef flags = conversion.drop_back();
  while (!flags.empty() && StringRef("hlLqjzt").contains(flags.back()))
    flags = flags.drop_back(); // our own length modifiers replace the author's
  char buffer[512];
  if (StringRef("eEfFgGaA").contains(letter)) {
    double value = isFloat(type)       ? decodeFloat(type, bits)
                   : type == DType::I1 ? double(bits)
                                       : double(signExtend(bits, bitWidth(type)));
    std::snprintf(buffer, sizeof(buffer), (flags + Twine(letter)).str().c_str(), value);
    return buffer;
  }
  // True is 1, as C prints it.
  bool isSigned = (letter == 'd' || letter == 'i') && type != DType::I1;
  int64_t number = isFloat(type) ? int64_t(decodeFloat(type, bits))
                   : isSigned    ? signExtend(bits, bitWidth(type))
                                 : int64_t(bits);
  if (letter == 'c')
    return std::string(1, char(number));
  if (letter == 'p') {
    std::snprintf(buffer, sizeof(buffer), "0x%llx", (unsigned long long)number);
    return buffer;
  }
  if (!StringRef("diuoxX").contains(letter))
    return conversion.str(); // %s and %n have no element to show
  std::snprintf(buffer, sizeof(buffer), (flags + "ll" + Twine(letter)).str().c_str(), (long long)number);
  return buffer;
}

/// A tile prints as nested brackets, a rank-0 tile as its element.
static std::string formatTile(StringRef conversion, const Tile &tile, size_t dim, int64_t &next) {
  if (dim == tile.shape.size())
    return formatOne(conversion, tile.type, tile.data[size_t(next++)]);
  std::string text = "[";
  for (int64_t i = 0; i < tile.shape[dim]; ++i)
    text += (i ? ", " : "") + formatTile(conversion, tile, dim + 1, next);
  return text + "]";
}

static LogicalResult runPrint(Evaluator &e, PrintTkoOp op) {
  StringRef format = op.getStr();
  std::string text;
  size_t argument = 0;
  while (!format.empty()) {
    size_t percent = format.find('%');
    text += format.take_front(percent).str();
    format = format.drop_front(std::min(percent, format.size()));
    if (format.empty())
      break;
    if (format.consume_front("%%")) {
      text += '%';
      continue;
    }
    size_t end = format.find_first_of("diuoxXeEfFgGaAcsSpn", 1);
    if (end == StringRef::npos || argument >= op.getArgs().size())
      return op.emitError("format and arguments do not match");
    // Flags, width and precision only: '*' and 'n$' would read arguments that are not there.
    // Widths beyond the buffer are cut by snprintf.
    StringRef conversion = format.take_front(end + 1);
    if (conversion.drop_front().drop_back().find_first_not_of("-+ #0123456789.hlLqjzt") != StringRef::npos)
      return op.emitError("unsupported conversion '") << conversion << "'";
    int64_t next = 0;
    text += formatTile(conversion, e.tile(op.getArgs()[argument++]), 0, next);
    format = format.drop_front(end + 1);
  }
  if (e.options.print)
    e.options.print(text);
  e.set(op.getResultToken(), Token());
  return success();
}

/// Reports every false element; the kernel goes on.
static LogicalResult runAssert(Evaluator &e, AssertOp op) {
  const Tile &condition = e.tile(op.getCondition());
  for (int64_t i = 0; i < condition.size(); ++i) {
    if (condition.data[size_t(i)])
      continue;
    if (e.stats.failedAssertions++ < 16) // the first few tell the story
      op.emitWarning("assertion failed: ") << op.getMessage() << " (element " << elementName(condition.shape, i) << ")";
  }
  return success();
}

void reference::addAssumeAndPrintHandlers(HandlerTable &table) {
  table.add<AssumeOp>([](Evaluator &e, AssumeOp op) { return runAssume(e, op); });
  table.add<PrintTkoOp>([](Evaluator &e, PrintTkoOp op) { return runPrint(e, op); });
  table.add<AssertOp>([](Evaluator &e, AssertOp op) { return runAssert(e, op); });
}
