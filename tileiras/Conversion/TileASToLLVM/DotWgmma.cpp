//===- DotWgmma.cpp - Products by wgmma -----------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The protocol is wgmma.fence, the instructions, commit_group, wait_group, in this order (PTX ISA, "wgmma.fence" and
// "wgmma.wait_group"); one product is one group. LLVM knows none of it and would move arithmetic on the sums over a
// wait that does not name them. So the text that waits also holds the sums, as operands tied to results: nobody can
// have the sums without having waited. MLIR's nvvm.wgmma.mma_async cannot say this (scale-d is an attribute, A always a
// descriptor), so the assembly is written here.
//
// The descriptors are the same in all threads of a warpgroup; where there are several, the number of the group comes
// from a shuffle, so that ptxas sees it is uniform.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Matchers.h"
#include "tileiras/Conversion/TileASToLLVM/DotProduct.h"
#include "tileiras/Support/LinearLayout.h"
#include "tileiras/Support/LoweringFacts.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::tilellvm;
using tileiras::DotOperand;
using tileiras::SmemDescriptor;
using tileiras::WgmmaTiling;

namespace {

/// An operand in shared memory: the descriptor of its first instruction, and how the others' differ.
struct SharedOperand {
  SmemDescriptor descriptor;
  Value first; ///< i64
  Value at(Emitter &e, const std::vector<int32_t> &coords) const {
    return e.add(first, e.i64(descriptor.startOf(coords) >> 4));
  }
};

/// One text of assembly, its operands and constraints.
class Assembly {
public:
  /// Sums come first: results tied to operands.
  Assembly(Emitter &e, ArrayRef<Value> sums, int ptxVersion)
      : e(e), ptxVersion(ptxVersion), inputs(sums.begin(), sums.end()), numSums(sums.size()) {
    for (Value sum : sums)
      constraints += std::string(constraints.empty() ? "=" : ",=") + kindOf(sum);
    for (unsigned i = 0; i < numSums; ++i)
      constraints += "," + std::to_string(i);
    text = "{\n.reg .pred never, always;\nsetp.ne.b32 never, 0, 0;\nsetp.ne.b32 always, 1, 0;\n";
  }

  void line(const Twine &instruction) { text += (instruction + ";\n").str(); }
  /// "$17": how the text names a further operand.
  std::string operand(Value v) {
    constraints += std::string(",") + kindOf(v);
    inputs.push_back(v);
    return "$" + std::to_string(numSums + inputs.size() - 1);
  }
  /// "{$0, $1, ...}", the sums.
  std::string sums() const {
    std::string list = "{";
    for (unsigned i = 0; i < numSums; ++i)
      list += (i ? ", $" : "$") + std::to_string(i);
    return list + "}";
  }

  SmallVector<Value> finish() {
    Type type = inputs.front().getType();
    if (numSums > 1)
      type = LLVM::LLVMStructType::getLiteral(e.context(), SmallVector<Type>(numSums, type));
    auto op = LLVM::InlineAsmOp::create(e.b, e.loc, TypeRange{type}, inputs, text + "}", constraints + ",~{memory}",
                                        /*has_side_effects=*/true,
                                        /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                        LLVM::AsmDialectAttr(), ArrayAttr());
    // PTX ISA, "wgmma.mma_async", PTX ISA Notes.
    op->setAttr(::tileiras::kPtxVersionAttr, e.b.getI32IntegerAttr(ptxVersion));
    return numSums > 1 ? e.unpack(op.getResult(0)) : SmallVector<Value>{op.getResult(0)};
  }

private:
  static const char *kindOf(Value v) { return v.getType().isF32() ? "f" : v.getType().isInteger(64) ? "l" : "r"; }

  Emitter &e;
  int ptxVersion;
  SmallVector<Value> inputs;
  unsigned numSums;
  std::string text, constraints;
};

class WgmmaProduct {
public:
  WgmmaProduct(Emitter &e, nv_tileas::DotOp op, nv_tileas::DotOp::Adaptor adaptor, const TileLLVMTypeConverter &types)
      : e(e), op(op), adaptor(adaptor), types(types), atom(cast<nv_tileas::WgmmaAtomAttr>(*op.getAtom())),
        tiling(nv_tileas::getWgmmaTiling(atom)), shape(nv_tileas::getDotShape(op)), element(atom.getElement()) {
    Type result = op.getType().getElementType();
    halfSums = element.isF16() && result.isF16();
    sumType = isa<IntegerType>(element) ? e.intTy(32) : e.f32Ty();
  }

  FailureOr<Value> run() {
    if (op.getA().getType().getElementType() != element || op.getB().getType().getElementType() != element)
      return op.emitOpError("multiplies ") << element << " by wgmma, but its operands have other elements";
    if (nv_tileas::getLinearLayout(op.getType()) != tileiras::wgmmaLayout(tiling, shape, DotOperand::C))
      return op.emitOpError("does not have its sums where wgmma has them");
    if (failed(readA()) || failed(describe(b, DotOperand::B, op.getB(), adaptor.getB())))
      return failure();
    SmallVector<Value> sums = readSums();
    bool fromZero = startsAtZero();
    if (fromZero)
      sums = zeroes(sums);
    // Sets of sums: what one instruction adds to.
    unsigned setSize = tiling.n / (halfSums ? 4 : 2), sets = sums.size() / setSize;
    for (unsigned set = 0; set < sets; ++set) {
      Assembly text(e, ArrayRef(sums).slice(set * setSize, setSize), ptxVersion());
      text.line("wgmma.fence.sync.aligned");
      multiply(text, set, fromZero);
      if (sets == 1)
        wait(text);
      llvm::copy(text.finish(), sums.begin() + set * setSize);
    }
    if (sets > 1) {
      Assembly text(e, sums, ptxVersion());
      wait(text);
      sums = text.finish();
    }
    return writeSums(sums);
  }

private:
  //===--------------------------------------------------------------------===//
  // Operands
  //===--------------------------------------------------------------------===//

  LogicalResult describe(SharedOperand &operand, DotOperand which, Value value, Value converted) {
    auto type = cast<RankedTensorType>(value.getType());
    unsigned number = which == DotOperand::A ? 0 : 1;
    if (!nv_tileas::isIn(type, nv_tileas::MemoryKind::Shared))
      return op.emitOpError("operand #") << number << " is in registers; wgmma reads it from shared memory";
    LinearLayout layout = nv_tileas::getLinearLayout(type);
    std::string error;
    auto descriptor = nv_tileas::describeWgmmaOperand(atom, shape, which, layout, &error);
    if (!descriptor)
      return op.emitOpError("operand #") << number << ": " << error;
    operand.descriptor = *descriptor;
    Value address = LLVM::PtrToIntOp::create(e.b, e.loc, e.intTy(32), converted);
    // Where the warpgroup's part begins.
    int32_t groups = which == DotOperand::A ? tiling.groupsM : tiling.groupsN,
            extent = which == DotOperand::A ? WgmmaTiling::m : tiling.n;
    int shift = which == DotOperand::A ? llvm::Log2_32(tiling.groupsN) : 0;
    int mnDim = nv_tileas::getMatrixDims(shape, which)[0];
    for (int bit = 0; (1 << bit) < groups; ++bit) {
      std::vector<int32_t> coords(type.getRank());
      coords[mnDim] = extent << bit;
      int32_t bytes = descriptor->startOf(coords);
      Value set = e.andi(e.lshr(warpgroup(), bit + shift), e.i32(1));
      address = e.add(address, e.mul(set, e.i32(bytes)));
    }
    // 18 bits of address, in units of 16 bytes.
    Value start = e.lshr(e.andi(address, e.i32(0x3FFFF)), 4);
    operand.first = e.ori(e.resize(start, e.intTy(64)), e.i64(int64_t(descriptor->fields())));
    return success();
  }

  /// The warpgroup of the running thread, the same in a register of every lane.
  Value warpgroup() {
    if (!group)
      group = e.shuffleIndex(e.lshr(e.warp(), 2), e.i32(0));
    return group;
  }

  LogicalResult readA() {
    if (!atom.getRegistersA())
      return describe(a, DotOperand::A, op.getA(), adaptor.getA());
    if (nv_tileas::getLinearLayout(op.getA().getType()) != tileiras::wgmmaLayout(tiling, shape, DotOperand::A))
      return op.emitOpError("operand #0 does not have the layout of the atom");
    SmallVector<Value> elements = e.unpack(adaptor.getA());
    unsigned perWord = 32 / tiling.elementBits;
    for (size_t i = 0; i < elements.size(); i += perWord)
      wordsA.push_back(packWord(ArrayRef(elements).slice(i, perWord)));
    return success();
  }

  Value packWord(ArrayRef<Value> elements) {
    if (elements.size() == 1)
      return e.bitcast(elements.front(), e.intTy(32));
    Value vector = LLVM::PoisonOp::create(e.b, e.loc, VectorType::get(elements.size(), elements.front().getType()));
    for (auto [i, v] : llvm::enumerate(elements))
      vector = LLVM::InsertElementOp::create(e.b, e.loc, vector, v, e.i32(i));
    return e.bitcast(vector, e.intTy(32));
  }

  //===--------------------------------------------------------------------===//
  // Sums
  //===--------------------------------------------------------------------===//

  bool startsAtZero() {
    DenseElementsAttr constant;
    if (!matchPattern(op.getC(), m_Constant(&constant)) || !constant.isSplat())
      return false;
    if (isa<FloatType>(constant.getElementType()))
      return constant.getSplatValue<APFloat>().isPosZero();
    return constant.getSplatValue<APInt>().isZero();
  }

  SmallVector<Value> readSums() {
    SmallVector<Value> elements = e.unpack(adaptor.getC());
    if (!halfSums) {
      for (Value &v : elements)
        if (v.getType() != sumType)
          v = LLVM::FPExtOp::create(e.b, e.loc, sumType, v);
      return elements;
    }
    SmallVector<Value> words;
    for (size_t i = 0; i < elements.size(); i += 2)
      words.push_back(packWord(ArrayRef(elements).slice(i, 2)));
    return words;
  }

  /// What the registers hold does not matter: the first instruction does not read them.
  SmallVector<Value> zeroes(ArrayRef<Value> like) {
    return llvm::map_to_vector(like, [&](Value v) -> Value { return LLVM::UndefOp::create(e.b, e.loc, v.getType()); });
  }

  FailureOr<Value> writeSums(ArrayRef<Value> sums) {
    Type type = types.convertType(op.getType()), wanted = types.convertElementType(op.getType().getElementType());
    if (!type || !wanted)
      return failure();
    SmallVector<Value> fields;
    for (Value sum : sums) {
      if (halfSums) {
        Value pair = e.bitcast(sum, VectorType::get(2, wanted));
        for (int half = 0; half < 2; ++half)
          fields.push_back(LLVM::ExtractElementOp::create(e.b, e.loc, pair, e.i32(half)));
      } else {
        fields.push_back(wanted == sumType ? sum : LLVM::FPTruncOp::create(e.b, e.loc, wanted, sum).getResult());
      }
    }
    return e.pack(type, fields);
  }

  //===--------------------------------------------------------------------===//
  // Instructions
  //===--------------------------------------------------------------------===//

  static void wait(Assembly &text) {
    text.line("wgmma.commit_group.sync.aligned");
    text.line("wgmma.wait_group.sync.aligned 0");
  }

  StringRef typeName(bool isA) {
    if (auto integer = dyn_cast<IntegerType>(element)) {
      auto signedness = (isA ? op.getSignednessA() : op.getSignednessB()).value_or(nv_tileaa::Signedness::Signed);
      return signedness == nv_tileaa::Signedness::Signed ? "s8" : "u8";
    }
    if (element.isF16())
      return "f16";
    if (element.isBF16())
      return "bf16";
    if (isa<FloatTF32Type>(element))
      return "tf32";
    return isa<Float8E4M3FNType>(element) ? "e4m3" : "e5m2";
  }

  /// Signed by unsigned bytes came with PTX 8.4, 8-bit floats with 8.1.
  int ptxVersion() {
    return typeName(true) != typeName(false) ? 84 : isa<FloatType>(element) && tiling.elementBits == 8 ? 81 : 80;
  }

  /// All instructions of a set of sums. Sets are numbered by columns, rows, batch.
  void multiply(Assembly &text, unsigned set, bool fromZero) {
    int32_t pn = set % tiling.passesN(shape), rest = set / tiling.passesN(shape);
    int32_t pm = rest % tiling.passesM(shape), batch = rest / tiling.passesM(shape);
    int32_t row = WgmmaTiling::m * tiling.groupsM * pm, column = tiling.n * tiling.groupsN * pn;
    bool isInteger = isa<IntegerType>(element), is16 = tiling.elementBits == 16;
    std::string name = (Twine("wgmma.mma_async.sync.aligned.m64n") + Twine(tiling.n) + "k" + Twine(tiling.k()) +
                        (halfSums    ? ".f16."
                         : isInteger ? ".s32."
                                     : ".f32.") +
                        typeName(true) + "." + typeName(false))
                           .str();
    for (int32_t step = 0; step < tiling.stepsK(shape); ++step) {
      int32_t k = step * tiling.k();
      auto coordsOf = [&](int32_t first, int32_t second) {
        return shape.batched ? std::vector<int32_t>{batch, first, second} : std::vector<int32_t>{first, second};
      };
      std::string left;
      if (atom.getRegistersA()) {
        unsigned firstWord = 4 * (step + tiling.stepsK(shape) * (pm + tiling.passesM(shape) * batch));
        for (unsigned i = 0; i < 4; ++i)
          left += (i ? ", " : "{") + text.operand(wordsA[firstWord + i]);
        left += "}";
      } else {
        left = text.operand(a.at(e, coordsOf(row, k)));
      }
      std::string right = text.operand(b.at(e, coordsOf(k, column)));
      std::string line =
          name + " " + text.sums() + ", " + left + ", " + right + (fromZero && step == 0 ? ", never" : ", always");
      if (!isInteger)
        line += ", 1, 1"; // neither is negated
      if (is16 && !atom.getRegistersA())
        line += a.descriptor.kMajor ? ", 0" : ", 1";
      if (is16)
        line += b.descriptor.kMajor ? ", 0" : ", 1";
      text.line(line);
    }
  }

  Emitter &e;
  nv_tileas::DotOp op;
  nv_tileas::DotOp::Adaptor adaptor;
  const TileLLVMTypeConverter &types;
  nv_tileas::WgmmaAtomAttr atom;
  WgmmaTiling tiling;
  tileiras::DotShape shape;
  Type element, sumType;
  bool halfSums;
  SharedOperand a, b;
  SmallVector<Value> wordsA;
  Value group;
};

} // namespace

FailureOr<Value> tilellvm::multiplyByWarpgroups(Emitter &e, nv_tileas::DotOp op, nv_tileas::DotOp::Adaptor adaptor,
                                                const TileLLVMTypeConverter &types) {
  return WgmmaProduct(e, op, adaptor, types).run();
}
