//===- Dot.cpp - Matrix products ------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What all families of atoms with operands in registers share, and the choice of the family. See DotProduct.h.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/DotProduct.h"
#include "tileiras/Support/LinearLayout.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tilellvm;
using nv_tileas::DotOp;
using tileiras::DotOperand;

DotProduct::DotProduct(Emitter &e, DotOp op, DotOp::Adaptor adaptor, const TileLLVMTypeConverter &types)
    : e(e), op(op), adaptor(adaptor), types(types), atom(*op.getAtom()), tiling(atom.getTiling()),
      shape(nv_tileas::getDotShape(op)), factor(atom.getElement()) {
  resultElement = op.getType().getElementType();
  sum = isa<IntegerType>(factor) ? e.intTy(32) : factor.isF64() ? Type(Float64Type::get(e.context())) : e.f32Ty();
  signedA = op.getSignednessA().value_or(nv_tileaa::Signedness::Signed) == nv_tileaa::Signedness::Signed;
  signedB = op.getSignednessB().value_or(nv_tileaa::Signedness::Signed) == nv_tileaa::Signedness::Signed;
}

FailureOr<Value> DotProduct::run() {
  if (failed(check()))
    return failure();
  if (resultElement.getIntOrFloatBitWidth() > sum.getIntOrFloatBitWidth())
    return op.emitOpError("cannot sum ") << resultElement << " in " << sum;
  if (failed(readOperands()))
    return failure();
  for (int32_t batch = 0; batch < tiling.passesBatch(shape); ++batch)
    for (int32_t k = 0; k < tiling.stepsK(shape); ++k)
      if (failed(step(batch, k)))
        return failure();
  return writeResult();
}

LogicalResult DotProduct::readOperands() {
  OpOperand *operands = op->getOpOperands().data();
  auto read = [&](DotOperandTile &tile, OpOperand &operand, Value converted,
                  std::optional<nv_tileas::CopyAtomAttrInterface> atom = std::nullopt) -> LogicalResult {
    auto type = cast<RankedTensorType>(operand.get().getType());
    Type element = types.convertElementType(type.getElementType());
    std::optional<LinearLayout> layout = nv_tileas::getDotOperandLayout(op, operand);
    std::optional<tileiras::MatrixFetch> fetch;
    if (atom && !isa<nv_tileas::UniversalCopyAttr>(*atom)) {
      auto matrices = dyn_cast<nv_tileas::LdsmAttr>(*atom);
      if (matrices)
        fetch = nv_tileas::getMatrixFetch(op, operand, matrices.getTransposed());
      if (!fetch || fetch->matrices() != matrices.getMatrices())
        return op.emitOpError("operand #") << operand.getOperandNumber() << " cannot be fetched by " << *atom;
    }
    if (!element || !layout || failed(tile.init(e, converted, type, *layout, element, std::move(fetch))))
      return op.emitOpError("operand #") << operand.getOperandNumber() << " does not have the layout of the atom";
    return success();
  };
  if (failed(read(a, operands[0], adaptor.getA(), op.getFetchA())) ||
      failed(read(b, operands[1], adaptor.getB(), op.getFetchB())) || failed(read(c, operands[2], adaptor.getC())))
    return failure();
  if (op.getSfa() &&
      (failed(read(scaleA, operands[3], adaptor.getSfa())) || failed(read(scaleB, operands[4], adaptor.getSfb()))))
    return failure();
  layoutC = *nv_tileas::getDotOperandLayout(op, operands[2]);
  unsigned count = layoutC.inSize(tileiras::kRegister);
  for (unsigned r = 0; r < count; ++r) {
    Value start = c.get(e, r);
    if (start.getType() != sum)
      start = LLVM::FPExtOp::create(e.b, e.loc, sum, start);
    sums.push_back(start);
  }
  return success();
}

/// Element `r` of an operand, ready to be multiplied.
Value DotProduct::fetch(bool isA, unsigned r) {
  DotOperandTile &tile = isA ? a : b;
  Type from = (isA ? op.getA() : op.getB()).getType().getElementType();
  Value v = toFactor(e, tile.get(e, r), from, factor, isA ? signedA : signedB);
  if (!v || !op.getSfa() || scalesApart)
    return v;
  Type scaleType = op.getSfa().getType().getElementType();
  Value scale = toFactor(e, (isA ? scaleA : scaleB).get(e, r), scaleType, factor, true);
  return scale ? LLVM::FMulOp::create(e.b, e.loc, v, scale).getResult() : Value();
}

int32_t DotProduct::firstOf(bool isA, int32_t pass, int32_t batch, int32_t k) const {
  int32_t passes = isA ? tiling.passesM(shape) : tiling.passesN(shape);
  return tiling.fragmentSize(isA ? DotOperand::A : DotOperand::B) *
         (k + tiling.stepsK(shape) * (pass + passes * batch));
}

/// A fragment: the elements one after the other.
SmallVector<Value> DotProduct::fragment(bool isA, int32_t pass, int32_t batch, int32_t k) {
  int32_t first = firstOf(isA, pass, batch, k), size = tiling.fragmentSize(isA ? DotOperand::A : DotOperand::B);
  SmallVector<Value> values;
  for (int32_t i = 0; i < size; ++i) {
    Value v = fetch(isA, first + i);
    if (!v)
      return {};
    values.push_back(v);
  }
  return values;
}

/// The scales of a fragment as the instruction takes them (PTX ISA, "Block scaling for mma.sync", scale_vec::1X with
/// selectors of 0): of rows, lanes 4 g have that of row g and lanes 4 g + 1 that of row g + 8; of columns, lanes 4 g
/// that of column g. 1 where nothing is scaled. Four scales to a fragment (4X): these lanes have the scales of columns
/// 0 and 32 along k, those two further on the ones between.
Value DotProduct::scalesOf(bool isA, int32_t pass, int32_t batch, int32_t k) {
  if (!op.getSfa())
    return e.i32(0x7F7F7F7F);
  DotOperandTile &tile = isA ? scaleA : scaleB;
  int32_t first = firstOf(isA, pass, batch, k);
  int32_t word = 32 / tiling.elementBits;
  auto scaleFrom = [&](int32_t r) {
    Value scale = tile.get(e, r);
    if (isA) {
      // The registers of a word, then the other row.
      Value odd = e.icmp(LLVM::ICmpPredicate::ne, e.andi(e.lane(), e.i32(1)), e.i32(0));
      scale = e.select(odd, tile.get(e, r + word), scale);
    }
    return e.resize(scale, e.intTy(32), /*isSigned=*/false);
  };
  Value scales = scaleFrom(first);
  if (tiling.elementBits != 4)
    return scales;
  scales = e.ori(scales, e.shl(scaleFrom(first + (isA ? 2 : 1) * word), 16));
  scales = e.andi(scales, e.i32(0x007F007F)); // signs: takeSigns
  return e.ori(scales, e.shl(e.shuffleXor(scales, 2), 8));
}

/// Scales of the instruction that takes four of them have no sign (ue4m3): elements take it over.
void DotProduct::takeSigns(MutableArrayRef<Value> words, bool isA, int32_t first) {
  if (!scalesApart || tiling.elementBits != 4)
    return;
  for (auto [i, word] : llvm::enumerate(words)) {
    Value scale = e.resize((isA ? scaleA : scaleB).get(e, first + 8 * int32_t(i)), e.intTy(32), /*isSigned=*/false);
    word = e.xori(word, e.mul(e.lshr(scale, 7), e.i32(0x88888888u)));
  }
}

LogicalResult DotProduct::step(int32_t batch, int32_t k) {
  auto unsupported = [&] {
    return op.emitOpError("of elements of ")
           << op.getA().getType().getElementType() << " as " << factor << " is not supported";
  };
  SmallVector<SmallVector<Value>> columns;
  for (int32_t n = 0; n < tiling.passesN(shape); ++n) {
    SmallVector<Value> values = fragment(false, n, batch, k);
    if (values.empty())
      return unsupported();
    columns.push_back(pack(values));
    takeSigns(columns.back(), false, firstOf(false, n, batch, k));
    if (scalesApart)
      columns.back().push_back(scalesOf(false, n, batch, k));
  }
  for (int32_t m = 0; m < tiling.passesM(shape); ++m) {
    SmallVector<Value> rows = fragment(true, m, batch, k);
    if (rows.empty())
      return unsupported();
    rows = pack(rows);
    takeSigns(rows, true, firstOf(true, m, batch, k));
    if (scalesApart)
      rows.push_back(scalesOf(true, m, batch, k));
    for (int32_t n = 0; n < tiling.passesN(shape); ++n) {
      int32_t size = tiling.fragmentSize(DotOperand::C);
      int32_t first = size * (n + tiling.passesN(shape) * (m + tiling.passesM(shape) * batch));
      multiply(rows, columns[n], MutableArrayRef(sums).slice(first, size));
    }
  }
  return success();
}

FailureOr<Value> DotProduct::writeResult() {
  LinearLayout held = withoutCopies(layoutC);
  std::optional<SmallVector<unsigned>> map = mapRegisters(held, layoutC);
  Type type = types.convertType(op.getType()), element = types.convertElementType(resultElement);
  if (!map || !type)
    return failure();
  SmallVector<Value> fields(held.inSize(tileiras::kRegister));
  for (auto [full, r] : llvm::enumerate(*map)) {
    if (fields[r])
      continue; // a copy
    fields[r] = sums[full];
    if (element != sum)
      fields[r] = LLVM::FPTruncOp::create(e.b, e.loc, element, fields[r]);
  }
  return e.pack(type, fields);
}

namespace {

struct Dot : TilePattern<DotOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(DotOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    if (!op.getAtom())
      return op.emitOpError("has no atom; tileas-assign-dot-layouts chooses one");
    Emitter e(rewriter, op.getLoc());
    auto result = llvm::TypeSwitch<Attribute, FailureOr<Value>>(*op.getAtom())
                      .Case([&](nv_tileas::MmaAtomAttr) { return multiplyBySync(e, op, adaptor, types()); })
                      .Case([&](nv_tileas::FmaAtomAttr) { return multiplyByThreads(e, op, adaptor, types()); })
                      .Case([&](nv_tileas::WgmmaAtomAttr) { return multiplyByWarpgroups(e, op, adaptor, types()); })
                      .Case([&](nv_tileas::Sm100MmaAtomAttr) { return multiplyInTensorMemory(e, op, adaptor); })
                      .Default([&](Attribute atom) -> FailureOr<Value> {
                        return op.emitOpError("by ") << atom << " is not lowered";
                      });
    if (failed(result))
      return failure();
    rewriter.replaceOp(op, *result);
    return success();
  }
};

} // namespace

void tilellvm::populateDotPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                   const LoweringOptions &options) {
  patterns.add<Dot>(converter, patterns.getContext(), options);
  populateAsyncDotPatterns(converter, patterns, options);
}
