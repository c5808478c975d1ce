//===- CudaTileCoreOps.cpp - Constants and shape ops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"

using namespace mlir;
using namespace mlir::cuda_tile;

//===----------------------------------------------------------------------===//
// constant
//===----------------------------------------------------------------------===//

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  Type type;
  if (parseLiteralAndType(parser, result, getValueAttrName(result.name), type))
    return failure();
  result.addTypes(type);
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printDenseLiteral(printer, getValue());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
  printer << " : ";
  printCudaTileType(printer, getType());
}

LogicalResult ConstantOp::verify() { return success(); }

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// `cst_<value>_<type>`, so that text written by two tools compares equal line by line.
void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  SmallString<32> name;
  llvm::raw_svector_ostream os(name);
  Type element = getType().getElementType();
  bool splat = getValue().isSplat();
  if (isI1(element) && splat) {
    setName(getResult(), getValue().getSplatValue<APInt>().isZero() ? "false" : "true");
    return;
  }
  os << "cst";
  if (splat) {
    if (isa<FloatType>(element)) {
      APFloat value = getValue().getSplatValue<APFloat>();
      if (value.isNaN()) {
        os << "_NaN";
      } else if (value.isInteger()) {
        SmallString<16> text;
        value.toString(text);
        // Only plain integers make a readable name.
        if (text.size() <= 16 && llvm::all_of(text, [](char c) { return llvm::isDigit(c) || c == '-'; }))
          os << '_' << text;
      }
    } else {
      os << '_';
      getValue().getSplatValue<APInt>().print(os, /*isSigned=*/true);
    }
  }
  os << '_' << element;
  setName(getResult(), name);
}

//===----------------------------------------------------------------------===//
// iota, broadcast, reshape, permute
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  TileType type = getType();
  if (type.getRank() != 1)
    return emitOpError("expects result type to be 1-d tile");
  unsigned width = type.getElementType().getIntOrFloatBitWidth();
  int64_t count = type.getNumElements();
  if (width < 63 && count > (int64_t(1) << width))
    return emitOpError("the number of elements ")
           << count << " exceeds the maximum value of element type " << type.getElementType();
  return success();
}

LogicalResult BroadcastOp::verify() {
  for (auto [from, to] : llvm::zip_equal(getSource().getType().getShape(), getType().getShape()))
    if (from != to && from != 1)
      return emitOpError("expects the shape of source tile to be compatible with that of the result tile, but got: ")
             << joinInts(getSource().getType().getShape()) << " and " << joinInts(getType().getShape());
  return success();
}

LogicalResult ReshapeOp::verify() {
  if (getSource().getType().getNumElements() != getType().getNumElements())
    return emitOpError("expected source tile and result tile to have the same number of elements");
  return success();
}

LogicalResult PermuteOp::verify() {
  TileType source = getSource().getType(), result = getType();
  int64_t rank = source.getRank();
  ArrayRef<int32_t> permutation = getPermutation();
  if (rank < 2)
    return emitOpError("expects at least rank 2, but got: ") << rank;
  if (static_cast<int64_t>(permutation.size()) != rank)
    return emitOpError("expect permutation size (")
           << permutation.size() << ") to equal the rank of the source (" << rank << ")";
  SmallVector<int32_t> sorted(permutation);
  llvm::sort(sorted);
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return emitOpError("expect permutation elements to be unique");
  for (auto [i, dim] : llvm::enumerate(permutation))
    if (dim < 0 || dim >= rank)
      return emitOpError("permutation element at index ")
             << i << " (" << dim << ") is out of bound [0, " << rank << ")";
  for (auto [i, dim] : llvm::enumerate(permutation))
    if (result.getShape()[i] != source.getShape()[dim])
      return emitOpError("result shape invalid at index ")
             << i << ", expected: " << source.getShape()[dim] << ", but got: " << result.getShape()[i];
  return success();
}

void BroadcastOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), "bcast"); }
void ReshapeOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), "reshape"); }

//===----------------------------------------------------------------------===//
// cat, extract, insert
//===----------------------------------------------------------------------===//

LogicalResult CatOp::verify() {
  TileType lhs = getLhs().getType(), rhs = getRhs().getType(), result = getType();
  int64_t rank = result.getRank(), dim = static_cast<int64_t>(getDim());
  if (dim < 0 || dim >= rank)
    return emitOpError("expect dim to be [0, ") << rank << "), but got: " << dim;
  int64_t sum = lhs.getShape()[dim] + rhs.getShape()[dim];
  if (sum != result.getShape()[dim])
    return emitOpError("invalid concat at position ")
           << dim << ", expected: " << sum << " but got: " << result.getShape()[dim];
  for (int64_t i = 0; i < rank; ++i) {
    int64_t a = lhs.getShape()[i], b = rhs.getShape()[i], got = result.getShape()[i];
    if (i != dim && (a != got || b != got))
      return emitOpError("expect {lhs, rhs, and result} shape to match at non-concat position ")
             << i << ", expected: " << a << " but got: " << got;
  }
  return success();
}

/// Blocks of `block` tile `whole`, and there is one index per dimension. A constant index outside is undefined
/// behaviour, not an error: it may stand in code that never runs.
static LogicalResult verifyBlocks(Operation *op, TileType whole, StringRef wholeName, TileType block,
                                  StringRef blockName, OperandRange indices) {
  for (int64_t i = 0; i < whole.getRank(); ++i)
    if (whole.getShape()[i] % block.getShape()[i] != 0)
      return op->emitOpError() << blockName << " dim size must divide " << wholeName << " dim size evenly";
  if (static_cast<int64_t>(indices.size()) != whole.getRank())
    return op->emitOpError("incorrect number of indices, expected ")
           << whole.getRank() << ", but found " << indices.size();
  for (auto [i, index] : llvm::enumerate(indices)) {
    DenseIntElementsAttr value;
    if (!matchPattern(index, m_Constant(&value)) || !value.isSplat())
      continue;
    uint64_t at = value.getSplatValue<APInt>().getZExtValue();
    uint64_t blocks = whole.getShape()[i] / block.getShape()[i];
    if (at >= blocks)
      emitWarning(op->getLoc()) << "index " << at << " of dimension " << i << " is out of bounds [0, " << blocks << ")";
  }
  return success();
}

LogicalResult ExtractOp::verify() {
  if (getSource().getType().getElementType() != getType().getElementType())
    return emitOpError("source and result element type do not match");
  return verifyBlocks(*this, getSource().getType(), "source", getType(), "result", getIndices());
}

LogicalResult InsertOp::verify() {
  return verifyBlocks(*this, getDestination().getType(), "destination", getSource().getType(), "source", getIndices());
}

LogicalResult SelectOp::verify() {
  if (isa<Float4E2M1FNType>(getType().getElementType()))
    return emitOpError("cannot operate on sub-byte type F4E2M1FN");
  return success();
}

//===----------------------------------------------------------------------===//
// pack, unpack
//===----------------------------------------------------------------------===//

/// Bits of an element in a packed byte sequence: storage bits, except that i1 and the 4-bit types are what they are.
static int64_t getPackedBits(Type element) {
  return isa<FloatTF32Type>(element) ? 32 : element.getIntOrFloatBitWidth();
}

static LogicalResult verifyPack(Operation *op, TileType source, TileType result) {
  if (source.getRank() != 1 || result.getRank() != 1)
    return op->emitOpError("expects source and result to be rank-1 tiles");
  int64_t sourceBits = getPackedBits(source.getElementType()), resultBits = getPackedBits(result.getElementType());
  if (sourceBits == resultBits)
    return op->emitOpError("expects source and result to have different element type widths");
  int64_t sourceTotal = sourceBits * source.getNumElements(), resultTotal = resultBits * result.getNumElements();
  if (sourceTotal != resultTotal)
    return op->emitOpError("expects source and result to have the same size in bytes, but got source tile size ")
           << llvm::divideCeil(sourceTotal, 8) << " bytes and result tile size " << llvm::divideCeil(resultTotal, 8)
           << " bytes";
  return success();
}

LogicalResult PackOp::verify() { return verifyPack(*this, getSource().getType(), getType()); }
LogicalResult UnpackOp::verify() { return verifyPack(*this, getSource().getType(), getType()); }
