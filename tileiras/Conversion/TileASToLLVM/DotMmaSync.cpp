//===- DotMmaSync.cpp - Products by mma.sync ------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/DotProduct.h"

using namespace mlir;
using namespace mlir::tilellvm;

namespace {

class MmaSyncProduct : public DotProduct {
public:
  MmaSyncProduct(Emitter &e, nv_tileas::DotOp op, nv_tileas::DotOp::Adaptor adaptor, const TileLLVMTypeConverter &types)
      : DotProduct(e, op, adaptor, types) {
    // f16 sums are what is asked for where the operands are f16 too; 8-bit floats have only f32 sums.
    halfSums = factor.isF16() && op.getA().getType().getElementType().isF16() && resultElement.isF16();
    if (halfSums)
      sum = Float16Type::get(e.context());
    scalesApart = cast<nv_tileas::MmaAtomAttr>(Attribute(atom)).getBlockScaled();
  }

private:
  LogicalResult check() override {
    if (hasInstruction())
      return success();
    return op.emitOpError("has no instruction m") << tiling.m << "n" << tiling.n << "k" << tiling.k << " of " << factor;
  }

  /// Elements as the registers the instruction takes: LLVM wants f16 as pairs and everything else below 64 bits as i32.
  SmallVector<Value> pack(ArrayRef<Value> elements) override {
    unsigned bits = elements.front().getType().getIntOrFloatBitWidth();
    if (bits == 64)
      return SmallVector<Value>(elements);
    SmallVector<Value> words;
    if (tiling.elementBits == 4) {
      for (size_t i = 0; i < elements.size(); i += 8)
        words.push_back(packNibbles(elements.slice(i, 8)));
      return words;
    }
    for (size_t i = 0, w = 32 / bits; i < elements.size(); i += w) {
      words.push_back(packWord(elements.slice(i, w)));
      if (isa<Float4E2M1FNType>(factor)) // four bits of a byte: bits 5 to 2 are read
        words.back() = LLVM::ShlOp::create(e.b, e.loc, words.back(), e.i32(2));
    }
    return words;
  }

  /// Eight elements of four bits, each of which is the low half of a byte.
  Value packNibbles(ArrayRef<Value> elements) {
    SmallVector<Value> halves;
    for (ArrayRef<Value> four : {elements.take_front(4), elements.take_back(4)}) {
      Value bytes = packWord(four); // bytes 0 and 2 become pairs
      halves.push_back(e.ori(e.andi(bytes, e.i32(0x0F0F0F0F)), e.andi(e.lshr(bytes, 4), e.i32(0xF0F0F0F0u))));
    }
    return e.intrinsic("llvm.nvvm.prmt", e.intTy(32), {halves[0], halves[1], e.i32(0x6420)});
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
    if (isa<Float4E2M1FNType>(factor))
      return scalesApart && is(16, {32, 64});
    return factor.isInteger(8) && is(16, {16, 32});
  }

  /// llvm.nvvm.mma.<shape>.row.col.<types>.
  std::string intrinsicName() const {
    if (scalesApart && tiling.elementBits == 4)
      return "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3";
    if (scalesApart) {
      std::string type = isa<Float4E2M1FNType>(factor) ? "e2m1" : isa<Float8E5M2Type>(factor) ? "e5m2" : "e4m3";
      return "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32." + type + "." + type + ".f32.ue8m0";
    }
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

  void multiply(ArrayRef<Value> rows, ArrayRef<Value> columns, MutableArrayRef<Value> part) override {
    size_t apart = scalesApart ? 1 : 0;
    SmallVector<Value> arguments(rows.drop_back(apart));
    llvm::append_range(arguments, columns.drop_back(apart));
    SmallVector<Value> start = halfSums ? pack(part) : SmallVector<Value>(part.begin(), part.end());
    llvm::append_range(arguments, start);
    if (scalesApart) {
      Value zero = LLVM::ConstantOp::create(e.b, e.loc, e.b.getI16IntegerAttr(0)); // which byte, which lanes
      for (Value scales : {rows.back(), columns.back()})
        arguments.append({scales, zero, zero});
    }
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

  bool halfSums = false;
};

} // namespace

FailureOr<Value> tilellvm::multiplyBySync(Emitter &e, nv_tileas::DotOp op, nv_tileas::DotOp::Adaptor adaptor,
                                          const TileLLVMTypeConverter &types) {
  return MmaSyncProduct(e, op, adaptor, types).run();
}
