//===- Dot.cpp - Matrix products ------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The layouts of a product's operands say which register holds what (DotLayouts.h), and their bits stand in the order
// fragment, K, N or M, batch; so the product is four loops around one mma.sync, or around multiply-adds. K is the outer
// of the inner loops: the fragments of one step are fetched, used for all results, and dead. Operands in shared memory
// are fetched only then.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"

using namespace mlir;
using namespace mlir::tilellvm;
using nv_tileas::DotOp;
using P = LLVM::ICmpPredicate;
using tileiras::DotOperand;
using tileiras::DotShape;
using tileiras::DotTiling;

namespace {

LinearLayout withoutCopies(const LinearLayout &layout) {
  return layout.removeRedundantBasesAlongDim(tileiras::kRegister);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// An operand by the register numbers of its full layout, in registers or in shared memory.
class OperandTile {
public:
  /// `value` is the converted operand. Fails when its layout does not hold what `layout` wants.
  LogicalResult init(Emitter &e, Value value, RankedTensorType type, const LinearLayout &layout, Type element) {
    this->element = element;
    LinearLayout held = withoutCopies(layout), actual = nv_tileas::getLinearLayout(type);
    if (cast<nv_tileas::LayoutAttrInterface>(type.getEncoding()).isShared()) {
      std::optional<LinearLayout> offsets = held.invertAndCompose(actual);
      if (!offsets || !memoryBits(element))
        return failure();
      unsigned bytes = memoryBits(element) / 8;
      addresses.emplace(e, offsets->sublayout(offsets->inNames(), {std::string(tileiras::kOffset)}), value, bytes);
      const FlatLayout &flat = addresses->layout().layout();
      groups = vectorGroups(flat, flat.dims[0], 16 / bytes);
      values.resize(flat.numRegisters());
      groupOf.resize(values.size());
      for (auto [i, group] : llvm::enumerate(groups.groups))
        for (unsigned r : group)
          groupOf[r] = i;
    } else {
      if (withoutCopies(actual) != held)
        return failure();
      values = e.unpack(value);
    }
    std::optional<SmallVector<unsigned>> registers = mapRegisters(held, layout);
    if (!registers)
      return failure();
    map = std::move(*registers);
    return success();
  }

  Value get(Emitter &e, unsigned r) {
    Value &value = values[map[r]];
    if (!value)
      fetch(e, groups.groups[groupOf[map[r]]]);
    return values[map[r]];
  }

private:
  void fetch(Emitter &e, ArrayRef<unsigned> group) {
    for (auto [r, value] :
         llvm::zip_equal(group, loadShared(e, addresses->of(e, group.front()), element, groups.width)))
      values[r] = value;
  }

  Type element;
  SmallVector<unsigned> map; ///< register of the full layout -> register that is held
  SmallVector<Value> values; ///< null: not fetched yet
  // In shared memory:
  std::optional<TileAddresses> addresses;
  VectorGroups groups;
  SmallVector<unsigned> groupOf;
};

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// e8m0: 2^(x - 127), all ones is NaN.
Value decodeE8M0(Emitter &e, Value v) {
  Type i64 = e.intTy(64);
  Value power = e.shl(e.add(e.resize(v, i64), e.i64(1023 - 127)), 52);
  Value nan = e.icmp(P::eq, v, e.constant(v.getType(), 0xFF));
  return e.bitcast(e.select(nan, e.i64(0x7FF8000000000000), power), Float64Type::get(e.context()));
}

/// e2m1 in the low four bits. The three bits of the magnitude at the place of an f16's last exponent and first fraction
/// bits are 2^-14 of the value, subnormals included.
Value decodeE2M1(Emitter &e, Value v) {
  Type i16 = e.intTy(16), f16 = Float16Type::get(e.context());
  Value wide = e.resize(v, i16);
  Value magnitude = e.bitcast(e.shl(e.andi(wide, e.constant(i16, 7)), 9), f16);
  Value scaled = LLVM::FMulOp::create(e.b, e.loc, magnitude, e.constantFloat(f16, 16384.0));
  Value sign = e.shl(e.andi(wide, e.constant(i16, 8)), 12);
  return e.bitcast(e.ori(e.bitcast(scaled, i16), sign), f16);
}

/// An operand's element as the type it is multiplied in. Exact. Null for pairs that do not occur.
Value toFactor(Emitter &e, Value v, Type from, Type to, bool isSigned) {
  if (from == to)
    return v;
  if (auto integer = dyn_cast<IntegerType>(to))
    return isa<IntegerType>(from) ? e.resize(v, integer, isSigned) : Value();
  if (isa<IntegerType>(from))
    return {};
  if (isa<Float8E8M0FNUType>(from)) {
    if (!to.isF64())
      return {};
    return decodeE8M0(e, v);
  }
  if (isa<Float4E2M1FNType>(from)) {
    v = decodeE2M1(e, v);
    from = v.getType();
  }
  if (isa<FloatTF32Type>(from)) {
    v = upperTF32(e, v);
    from = e.f32Ty();
  }
  return widenFloat(e, v, from, to);
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

class Product {
public:
  Product(Emitter &e, DotOp op, DotOp::Adaptor adaptor, const TileLLVMTypeConverter &types)
      : e(e), op(op), adaptor(adaptor), types(types), tiling(nv_tileas::getDotTiling(*op.getAtom())),
        shape(nv_tileas::getDotShape(op)), factor(op.getAtom()->getElement()) {
    resultElement = op.getType().getElementType();
    Type in = op.getA().getType().getElementType();
    // f16 sums are what is asked for where the operands are f16 too; 8-bit floats have only f32 sums.
    halfSums = tiling.usesInstruction() && factor.isF16() && in.isF16() && resultElement.isF16();
    sum = isa<IntegerType>(factor) ? e.intTy(32)
          : factor.isF64()         ? Type(Float64Type::get(e.context()))
          : halfSums               ? Type(Float16Type::get(e.context()))
                                   : e.f32Ty();
    signedA = op.getSignednessA().value_or(nv_tileaa::Signedness::Signed) == nv_tileaa::Signedness::Signed;
    signedB = op.getSignednessB().value_or(nv_tileaa::Signedness::Signed) == nv_tileaa::Signedness::Signed;
  }

  FailureOr<Value> run() {
    if (tiling.usesInstruction() && !hasInstruction())
      return op.emitOpError("has no instruction m")
             << tiling.m << "n" << tiling.n << "k" << tiling.k << " of " << factor;
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

private:
  LogicalResult readOperands() {
    OpOperand *operands = op->getOpOperands().data();
    auto read = [&](OperandTile &tile, OpOperand &operand, Value converted) -> LogicalResult {
      auto type = cast<RankedTensorType>(operand.get().getType());
      Type element = types.convertElementType(type.getElementType());
      if (!element || failed(tile.init(e, converted, type, nv_tileas::getDotOperandLayout(op, operand), element)))
        return op.emitOpError("operand #") << operand.getOperandNumber() << " does not have the layout of the atom";
      return success();
    };
    if (failed(read(a, operands[0], adaptor.getA())) || failed(read(b, operands[1], adaptor.getB())) ||
        failed(read(c, operands[2], adaptor.getC())))
      return failure();
    if (op.getSfa() &&
        (failed(read(scaleA, operands[3], adaptor.getSfa())) || failed(read(scaleB, operands[4], adaptor.getSfb()))))
      return failure();
    layoutC = nv_tileas::getDotOperandLayout(op, operands[2]);
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
  Value fetch(bool isA, unsigned r) {
    OperandTile &tile = isA ? a : b;
    Type from = (isA ? op.getA() : op.getB()).getType().getElementType();
    Value v = toFactor(e, tile.get(e, r), from, factor, isA ? signedA : signedB);
    if (!v || !op.getSfa())
      return v;
    Type scaleType = op.getSfa().getType().getElementType();
    Value scale = toFactor(e, (isA ? scaleA : scaleB).get(e, r), scaleType, factor, true);
    return scale ? LLVM::FMulOp::create(e.b, e.loc, v, scale).getResult() : Value();
  }

  /// A fragment: the elements one after the other.
  SmallVector<Value> fragment(bool isA, int32_t pass, int32_t batch, int32_t k) {
    int32_t size = tiling.fragmentSize(isA ? DotOperand::A : DotOperand::B);
    int32_t passes = isA ? tiling.passesM(shape) : tiling.passesN(shape);
    int32_t first = size * (k + tiling.stepsK(shape) * (pass + passes * batch));
    SmallVector<Value> values;
    for (int32_t i = 0; i < size; ++i) {
      Value v = fetch(isA, first + i);
      if (!v)
        return {};
      values.push_back(v);
    }
    return values;
  }

  LogicalResult step(int32_t batch, int32_t k) {
    auto unsupported = [&] {
      return op.emitOpError("of elements of ")
             << op.getA().getType().getElementType() << " as " << factor << " is not supported";
    };
    SmallVector<SmallVector<Value>> columns;
    for (int32_t n = 0; n < tiling.passesN(shape); ++n) {
      SmallVector<Value> values = fragment(false, n, batch, k);
      if (values.empty())
        return unsupported();
      columns.push_back(tiling.usesInstruction() ? packWords(values) : values);
    }
    for (int32_t m = 0; m < tiling.passesM(shape); ++m) {
      SmallVector<Value> rows = fragment(true, m, batch, k);
      if (rows.empty())
        return unsupported();
      if (tiling.usesInstruction())
        rows = packWords(rows);
      for (int32_t n = 0; n < tiling.passesN(shape); ++n) {
        int32_t size = tiling.fragmentSize(DotOperand::C);
        int32_t first = size * (n + tiling.passesN(shape) * (m + tiling.passesM(shape) * batch));
        auto part = MutableArrayRef(sums).slice(first, size);
        if (tiling.usesInstruction())
          multiplyMatrix(rows, columns[n], part);
        else
          multiplyAdd(rows, columns[n], part);
      }
    }
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Multiply-adds
  //===--------------------------------------------------------------------===//

  /// Column index in the low bits of a result's number, as in dotLayout.
  void multiplyAdd(ArrayRef<Value> rows, ArrayRef<Value> columns, MutableArrayRef<Value> part) {
    for (size_t m = 0; m < rows.size(); ++m)
      for (size_t n = 0; n < columns.size(); ++n) {
        Value &s = part[m * columns.size() + n];
        s = isa<IntegerType>(sum) ? e.add(e.mul(rows[m], columns[n]), s)
                                  : LLVM::FMAOp::create(e.b, e.loc, rows[m], columns[n], s).getResult();
      }
  }

  //===--------------------------------------------------------------------===//
  // mma.sync
  //===--------------------------------------------------------------------===//

  /// Elements as the registers the instruction takes: LLVM wants f16 as pairs and everything else below 64 bits as i32.
  SmallVector<Value> packWords(ArrayRef<Value> elements) {
    unsigned bits = elements.front().getType().getIntOrFloatBitWidth();
    if (bits == 64)
      return SmallVector<Value>(elements);
    SmallVector<Value> words;
    for (size_t i = 0, w = 32 / bits; i < elements.size(); i += w)
      words.push_back(packWord(elements.slice(i, w)));
    return words;
  }

  Value packWord(ArrayRef<Value> elements) {
    if (elements.size() == 1)
      return e.bitcast(elements.front(), e.intTy(32));
    Type type = elements.front().getType();
    Value vector = LLVM::PoisonOp::create(e.b, e.loc, VectorType::get(elements.size(), type));
    for (auto [i, v] : llvm::enumerate(elements))
      vector = LLVM::InsertElementOp::create(e.b, e.loc, vector, v, e.i32(i));
    return type.isF16() ? vector : e.bitcast(vector, e.intTy(32));
  }

  /// The dense shapes every target has (PTX ISA, "mma"), and of fp8 the one that came with sm_89.
  bool hasInstruction() const {
    auto is = [&](int m, std::initializer_list<int> ks) { return tiling.m == m && llvm::is_contained(ks, tiling.k); };
    if (factor.isF16() || factor.isBF16())
      return is(16, {8, 16});
    if (factor.isF64())
      return is(8, {4});
    if (isa<FloatTF32Type>(factor))
      return is(16, {4, 8});
    if (isa<Float8E4M3FNType, Float8E5M2Type>(factor))
      return is(16, {32});
    return factor.isInteger(8) && is(16, {16, 32});
  }

  /// llvm.nvvm.mma.<shape>.row.col.<types>.
  std::string intrinsicName() const {
    std::string name = "llvm.nvvm.mma.m" + std::to_string(tiling.m) + "n" + std::to_string(tiling.n) + "k" +
                       std::to_string(tiling.k) + ".row.col.";
    if (factor.isF16())
      return name + (halfSums ? "f16.f16" : "f32.f32");
    if (factor.isBF16())
      return name + "bf16";
    if (factor.isF64())
      return name + "f64";
    if (isa<FloatTF32Type>(factor))
      return name + "tf32";
    if (isa<Float8E4M3FNType>(factor))
      return name + "f32.e4m3.e4m3.f32";
    if (isa<Float8E5M2Type>(factor))
      return name + "f32.e5m2.e5m2.f32";
    std::string typeA = signedA ? "s8" : "u8", typeB = signedB ? "s8" : "u8";
    return name + (typeA == typeB ? typeA : typeA + "." + typeB);
  }

  void multiplyMatrix(ArrayRef<Value> rows, ArrayRef<Value> columns, MutableArrayRef<Value> part) {
    SmallVector<Value> arguments(rows);
    llvm::append_range(arguments, columns);
    SmallVector<Value> start = halfSums ? packWords(part) : SmallVector<Value>(part.begin(), part.end());
    llvm::append_range(arguments, start);
    SmallVector<Type> fields(start.size(), start.front().getType());
    Value result = e.intrinsic(intrinsicName(), LLVM::LLVMStructType::getLiteral(e.context(), fields), arguments);
    SmallVector<Value> words = e.unpack(result);
    if (!halfSums) {
      llvm::copy(words, part.begin());
      return;
    }
    for (auto [i, word] : llvm::enumerate(words))
      for (int half = 0; half < 2; ++half)
        part[2 * i + half] = LLVM::ExtractElementOp::create(e.b, e.loc, word, e.i32(half));
  }

  //===--------------------------------------------------------------------===//
  // The result
  //===--------------------------------------------------------------------===//

  FailureOr<Value> writeResult() {
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

  Emitter &e;
  DotOp op;
  DotOp::Adaptor adaptor;
  const TileLLVMTypeConverter &types;
  DotTiling tiling;
  DotShape shape;
  Type factor, sum, resultElement;
  bool halfSums = false, signedA = true, signedB = true;
  OperandTile a, b, c, scaleA, scaleB;
  LinearLayout layoutC;
  SmallVector<Value> sums;
};

struct Dot : TilePattern<DotOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(DotOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    if (!op.getAtom())
      return op.emitOpError("has no atom; tileas-assign-dot-layouts chooses one");
    Emitter e(rewriter, op.getLoc());
    FailureOr<Value> result = Product(e, op, adaptor, types()).run();
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
}
