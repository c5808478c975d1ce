//===- DotWgmma.cpp - Products by wgmma -----------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The protocol is wgmma.fence, the instructions, commit_group, wait_group, in this order (PTX ISA, "wgmma.fence" and
// "wgmma.wait_group"); one product is one group. LLVM knows none of it and would move arithmetic on the sums over a
// wait that does not name them. So the text that waits also holds the sums, as operands tied to results: nobody can
// have the sums without having waited. nv_tileas.dot is issued and waited for in one text; nv_tileas.async.dot is only
// issued, and its sums go into nv_tileas.async.dot_wait as what the unit holds. MLIR's nvvm.wgmma.mma_async cannot say
// this (scale-d is an attribute, A always a descriptor), so the assembly is written here.
//
// Where an atom says a span, what the unit adds up along so much of k begins from nothing (scale-d 0), in registers of
// its own, and is added to the sums once it has been waited for: span by span and, for each, instruction's columns by
// instruction's columns. With two such tiles one is under way while the other one is added.
//
// The descriptors are the same in all threads of a warpgroup; where there are several, the number of the group comes
// from a shuffle, so that ptxas sees it is uniform.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/DotProduct.h"
#include "tileiras/Conversion/TileASToLLVM/SmemDescriptorValue.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Support/LinearLayout.h"
#include "tileiras/Support/LoweringFacts.h"
#include "llvm/ADT/Twine.h"
#include <deque>

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

/// A register of 32 bits of one, two or four elements.
Value packWord(Emitter &e, ArrayRef<Value> elements) {
  if (elements.size() == 1)
    return e.bitcast(elements.front(), e.intTy(32));
  Value vector = LLVM::PoisonOp::create(e.b, e.loc, VectorType::get(elements.size(), elements.front().getType()));
  for (auto [i, v] : llvm::enumerate(elements))
    vector = LLVM::InsertElementOp::create(e.b, e.loc, vector, v, e.i32(i));
  return e.bitcast(vector, e.intTy(32));
}

/// Its elements.
SmallVector<Value, 4> unpackWord(Emitter &e, Value word, Type element) {
  int64_t count = 32 / element.getIntOrFloatBitWidth();
  Value vector = e.bitcast(word, VectorType::get(count, element));
  SmallVector<Value, 4> elements;
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(LLVM::ExtractElementOp::create(e.b, e.loc, vector, e.i32(i)));
  return elements;
}

/// One text of assembly, its operands and constraints.
class Assembly {
public:
  /// Sums come first: results tied to operands. `apart`: a further operand of the same value gets a register of its
  /// own, as it is read when sums have been written.
  Assembly(Emitter &e, ArrayRef<Value> sums, int ptxVersion, bool apart = false)
      : e(e), ptxVersion(ptxVersion), inputs(sums.begin(), sums.end()), numSums(sums.size()) {
    for (Value sum : sums)
      constraints += std::string(constraints.empty() ? "=" : ",=") + (apart ? "&" : "") + kindOf(sum);
    for (unsigned i = 0; i < numSums; ++i)
      constraints += "," + std::to_string(i);
    text = "{\n";
  }

  void line(const Twine &instruction) { text += (instruction + ";\n").str(); }
  void label(const Twine &name) { text += (name + ":\n").str(); }
  /// "$17": how the text names a further operand.
  std::string operand(Value v) {
    constraints += std::string(",") + kindOf(v);
    inputs.push_back(v);
    return "$" + std::to_string(numSums + inputs.size() - 1);
  }
  /// "{$8, $9, ...}", some of the sums.
  static std::string sums(unsigned first, unsigned count) {
    std::string list = "{";
    for (unsigned i = first; i < first + count; ++i)
      list += (i > first ? ", $" : "$") + std::to_string(i);
    return list + "}";
  }

  SmallVector<Value> finish() {
    Type type = inputs.front().getType();
    if (numSums > 1)
      type = LLVM::LLVMStructType::getLiteral(e.context(),
                                              llvm::to_vector(ValueRange(inputs).take_front(numSums).getTypes()));
    auto op = LLVM::InlineAsmOp::create(e.b, e.loc, TypeRange{type}, inputs, text + "}", constraints + ",~{memory}",
                                        /*has_side_effects=*/true,
                                        /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                        LLVM::AsmDialectAttr(), ArrayAttr());
    // PTX ISA, "wgmma.mma_async", PTX ISA Notes.
    op->setAttr(::tileiras::kPtxVersionAttr, e.b.getI32IntegerAttr(ptxVersion));
    return numSums > 1 ? e.unpack(op.getResult(0)) : SmallVector<Value>{op.getResult(0)};
  }

private:
  static const char *kindOf(Value v) {
    Type type = v.getType();
    return type.isF32() ? "f" : type.isInteger(64) ? "l" : type.isInteger(1) ? "b" : "r";
  }

  Emitter &e;
  int ptxVersion;
  SmallVector<Value> inputs;
  unsigned numSums;
  std::string text, constraints;
};

/// Waits until at most `pending` groups are under way; nobody can have the registers that it returns before. Where
/// `valid` is false, the first `sums` are zero. That is a branch, not a choice behind the wait: it takes one
/// instruction for all registers.
///
/// ptxas (13.0) moves a wait up to another one in the same run of instructions. With `apart`, of whatever value, there
/// is a branch in front of it: where that is not taken there are two waits.
///
/// `held` are only kept until then. They are not tied to results: of equal ones (LLVM may find that a left factor is
/// all zeros) copies would be made, which read registers of the product under way.
SmallVector<Value> waitForSums(Emitter &e, ArrayRef<Value> registers, int pending, ArrayRef<Value> held = {},
                               Value valid = Value(), unsigned sums = 0, Value apart = Value()) {
  Assembly text(e, registers, /*ptxVersion=*/80);
  for (Value v : held)
    text.operand(v);
  std::string wait = ("wgmma.wait_group.sync.aligned " + Twine(pending)).str();
  // Predicates: a word that LLVM finds to be zero might be a register of the left factor.
  if (apart) {
    text.line("@" + text.operand(apart) + " bra APART_${:uid}");
    text.line(wait);
    text.label("APART_${:uid}");
  }
  text.line(wait);
  if (valid) {
    text.line("@" + text.operand(valid) + " bra DONE_${:uid}");
    for (unsigned i = 0; i < sums; ++i)
      text.line(Twine("mov.b32 $") + Twine(i) + ", 0");
    text.label("DONE_${:uid}");
  }
  return text.finish();
}

/// What the operations for products have in common.
struct ProductParts {
  Operation *op;
  Value a, b;                   ///< factors
  Value convertedA, convertedB; ///< the same for LLVM
  RankedTensorType result;
  nv_tileas::WgmmaAtomAttr atom;
  std::optional<nv_tileaa::Signedness> signednessA, signednessB;
};

/// Whether the first instruction reads the sums.
struct FirstSums {
  enum Kind { Added, Ignored, RunTime } kind = Added;
  Value word; ///< for RunTime: 0 where they are ignored
};

class WgmmaProduct {
public:
  WgmmaProduct(Emitter &e, const ProductParts &parts, const TileLLVMTypeConverter &types)
      : e(e), parts(parts), types(types), atom(parts.atom), tiling(nv_tileas::getWgmmaTiling(atom)),
        shape(nv_tileas::getDotShape(cast<RankedTensorType>(parts.a.getType()),
                                     cast<RankedTensorType>(parts.b.getType()))),
        element(atom.getElement()) {
    Type result = parts.result.getElementType();
    halfSums = element.isF16() && result.isF16();
    sumType = isa<IntegerType>(element) ? e.intTy(32) : e.f32Ty();
  }

  /// Finds the factors. Fails with a diagnostic.
  LogicalResult read() {
    for (Value factor : {parts.a, parts.b})
      if (cast<RankedTensorType>(factor.getType()).getElementType() != element)
        return parts.op->emitOpError("multiplies ") << element << " by wgmma, but its operands have other elements";
    if (nv_tileas::getLinearLayout(parts.result) != tileiras::wgmmaLayout(tiling, shape, DotOperand::C))
      return parts.op->emitOpError("does not have its sums where wgmma has them");
    return failure(failed(readA()) || failed(describe(b, DotOperand::B, parts.b, parts.convertedB)));
  }

  /// Issues all instructions as one group, and waits for it if `done`.
  SmallVector<Value> issue(SmallVector<Value> sums, FirstSums first, bool done) {
    // What the registers hold does not matter: the first instruction does not read them.
    if (first.kind == FirstSums::Ignored)
      for (Value &sum : sums)
        sum = LLVM::UndefOp::create(e.b, e.loc, sum.getType());
    Assembly text(e, sums, ptxVersion(), /*apart=*/atom.getRegistersA());
    text.line(".reg .pred always, first");
    text.line("setp.ne.b32 always, 1, 0");
    if (first.kind == FirstSums::RunTime)
      text.line("setp.ne.b32 first, " + text.operand(first.word) + ", 0");
    else
      text.line(Twine("setp.ne.b32 first, ") + (first.kind == FirstSums::Added ? "1, 0" : "0, 0"));
    text.line("wgmma.fence.sync.aligned");
    for (unsigned set = 0; set < sums.size() / setSize(); ++set)
      multiply(text, set, set * setSize(), 0, tiling.stepsK(shape));
    text.line("wgmma.commit_group.sync.aligned");
    if (done)
      text.line("wgmma.wait_group.sync.aligned 0");
    return text.finish();
  }

  /// Has the unit add up a span at a time and adds that to the sums; `none`: those hold nothing yet.
  SmallVector<Value> issueSpans(SmallVector<Value> sums, bool none) {
    /// What one group of instructions adds up.
    struct Part {
      unsigned set;
      int32_t firstStep;
      SmallVector<Value> sums;
    };
    int32_t steps = std::min(atom.getSpan() / tiling.k(), tiling.stepsK(shape));
    unsigned ahead = nv_tileas::getSpanTiles(atom, shape) - 1;
    std::deque<Part> underWay;
    auto add = [&](Part part) {
      for (auto [i, more] : llvm::enumerate(part.sums)) {
        Value &sum = sums[part.set * setSize() + i];
        sum = none && part.firstStep == 0 ? more : LLVM::FAddOp::create(e.b, e.loc, sum, more).getResult();
      }
    };
    auto addFirst = [&](int pending) {
      Part part = std::move(underWay.front());
      underWay.pop_front();
      part.sums = waitForSums(e, part.sums, pending, wordsA);
      add(std::move(part));
    };
    for (int32_t first = 0; first < tiling.stepsK(shape); first += steps)
      for (unsigned set = 0; set < sums.size() / setSize(); ++set) {
        SmallVector<Value> from(setSize(), LLVM::UndefOp::create(e.b, e.loc, sumType));
        Assembly text(e, from, ptxVersion(), /*apart=*/atom.getRegistersA());
        text.line(".reg .pred always, first");
        text.line("setp.ne.b32 always, 1, 0");
        text.line("setp.ne.b32 first, 0, 0");
        text.line("wgmma.fence.sync.aligned");
        multiply(text, set, 0, first, steps);
        text.line("wgmma.commit_group.sync.aligned");
        if (ahead == 0)
          text.line("wgmma.wait_group.sync.aligned 0");
        Part part{set, first, text.finish()};
        if (ahead == 0) {
          add(std::move(part));
          continue;
        }
        underWay.push_back(std::move(part));
        if (underWay.size() > ahead)
          addFirst(ahead);
      }
    while (!underWay.empty())
      addFirst(underWay.size() - 1);
    return sums;
  }

  /// The sums as the unit holds them, of the elements of a tile.
  SmallVector<Value> readSums(SmallVector<Value> elements) {
    if (!halfSums) {
      for (Value &v : elements)
        if (v.getType() != sumType)
          v = LLVM::FPExtOp::create(e.b, e.loc, sumType, v);
      return elements;
    }
    SmallVector<Value> words;
    for (size_t i = 0; i < elements.size(); i += 2)
      words.push_back(packWord(e, ArrayRef(elements).slice(i, 2)));
    return words;
  }

  /// The other way round.
  FailureOr<Value> writeSums(ArrayRef<Value> sums) {
    Type type = types.convertType(parts.result), wanted = types.convertElementType(parts.result.getElementType());
    if (!type || !wanted)
      return failure();
    SmallVector<Value> fields;
    for (Value sum : sums) {
      if (halfSums)
        llvm::append_range(fields, unpackWord(e, sum, wanted));
      else
        fields.push_back(wanted == sumType ? sum : LLVM::FPTruncOp::create(e.b, e.loc, wanted, sum).getResult());
    }
    return e.pack(type, fields);
  }

private:
  //===--------------------------------------------------------------------===//
  // Operands
  //===--------------------------------------------------------------------===//

  LogicalResult describe(SharedOperand &operand, DotOperand which, Value value, Value converted) {
    auto type = cast<RankedTensorType>(value.getType());
    unsigned number = which == DotOperand::A ? 0 : 1;
    if (!nv_tileas::isIn(type, nv_tileas::MemoryKind::Shared))
      return parts.op->emitOpError("operand #") << number << " is in registers; wgmma reads it from shared memory";
    LinearLayout layout = nv_tileas::getLinearLayout(type);
    std::string error;
    auto descriptor = nv_tileas::describeWgmmaOperand(atom, shape, which, layout, &error);
    if (!descriptor)
      return parts.op->emitOpError("operand #") << number << ": " << error;
    operand.descriptor = *descriptor;
    // Where the warpgroup's part begins.
    int32_t groups = which == DotOperand::A ? tiling.groupsM : tiling.groupsN,
            extent = which == DotOperand::A ? WgmmaTiling::m : tiling.n;
    int shift = which == DotOperand::A ? llvm::Log2_32(tiling.groupsN) : 0;
    int mnDim = nv_tileas::getMatrixDims(shape, which)[0];
    Value part;
    for (int bit = 0; (1 << bit) < groups; ++bit) {
      std::vector<int32_t> coords(type.getRank());
      coords[mnDim] = extent << bit;
      int32_t bytes = descriptor->startOf(coords);
      Value set = e.andi(e.lshr(warpgroup(), bit + shift), e.i32(1));
      Value here = e.mul(set, e.i32(bytes));
      part = part ? e.add(part, here) : here;
    }
    operand.first = descriptorOf(e, converted, part, descriptor->fields());
    return success();
  }

  /// The warpgroup of the running thread.
  Value warpgroup() { return group ? group : group = e.lshr(uniformWarp(e), 2); }

  LogicalResult readA() {
    if (!atom.getRegistersA())
      return describe(a, DotOperand::A, parts.a, parts.convertedA);
    if (nv_tileas::getLinearLayout(cast<RankedTensorType>(parts.a.getType())) !=
        tileiras::wgmmaLayout(tiling, shape, DotOperand::A))
      return parts.op->emitOpError("operand #0 does not have the layout of the atom");
    SmallVector<Value> elements = e.unpack(parts.convertedA);
    unsigned perWord = 32 / tiling.elementBits;
    for (size_t i = 0; i < elements.size(); i += perWord)
      wordsA.push_back(packWord(e, ArrayRef(elements).slice(i, perWord)));
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Instructions
  //===--------------------------------------------------------------------===//

  StringRef typeName(bool isA) {
    if (auto integer = dyn_cast<IntegerType>(element)) {
      auto signedness = (isA ? parts.signednessA : parts.signednessB).value_or(nv_tileaa::Signedness::Signed);
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

  /// Sets of sums: what one instruction adds to.
  unsigned setSize() const { return tiling.n / (halfSums ? 4 : 2); }

  /// `steps` instructions of a set of sums, which are the operands from `firstSum` on. Sets are numbered by columns,
  /// rows, batch.
  void multiply(Assembly &text, unsigned set, unsigned firstSum, int32_t firstStep, int32_t steps) {
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
    for (int32_t step = firstStep; step < firstStep + steps; ++step) {
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
      std::string line = name + " " + text.sums(firstSum, setSize()) + ", " + left + ", " + right +
                         (step == firstStep ? ", first" : ", always");
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
  ProductParts parts;
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

struct AsyncDotBegin : TilePattern<nv_tileas::AsyncDotBeginOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AsyncDotBeginOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Type type = types().convertType(op.getType());
    SmallVector<Value> fields = e.unpack(adaptor.getSource()), sums;
    if (!type)
      return failure();
    if (op.getType().getTile().getElementType().isF16())
      for (size_t i = 0; i < fields.size(); i += 2)
        sums.push_back(packWord(e, ArrayRef(fields).slice(i, 2)));
    rewriter.replaceOp(op, e.pack(type, sums.empty() ? fields : sums));
    return success();
  }
};

struct AsyncDot : TilePattern<nv_tileas::AsyncDotOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AsyncDotOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto atom = dyn_cast<nv_tileas::WgmmaAtomAttr>(Attribute(op.getAtom()));
    if (!atom || atom.getSpan())
      return op.emitOpError("by ") << op.getAtom() << " is not lowered";
    Emitter e(rewriter, op.getLoc());
    ProductParts parts{
        op,   op.getA(),           op.getB(),          adaptor.getA(), adaptor.getB(), op.getType().getTile(),
        atom, op.getSignednessA(), op.getSignednessB()};
    WgmmaProduct product(e, parts, types());
    if (failed(product.read()))
      return failure();
    bool fromTile = isa<RankedTensorType>(op.getC().getType());
    SmallVector<Value> sums = e.unpack(adaptor.getC());
    if (fromTile)
      sums = product.readSums(std::move(sums));
    FirstSums first;
    if (op.getAccumulate())
      first = {FirstSums::RunTime, e.resize(adaptor.getAccumulate(), e.intTy(32))};
    else if (fromTile && nv_tileas::isZeroTile(op.getC()))
      first.kind = FirstSums::Ignored;
    sums = product.issue(std::move(sums), first, /*done=*/false);
    rewriter.replaceOp(op, e.pack(types().convertType(op.getType()), sums));
    return success();
  }
};

/// A tile that goes through a wait, in words; the last one may be filled up.
SmallVector<Value> wordsOf(Emitter &e, SmallVector<Value> elements) {
  unsigned perWord = 32 / elements.front().getType().getIntOrFloatBitWidth();
  if (perWord == 1)
    return elements;
  elements.resize(llvm::alignTo(elements.size(), perWord), elements.back());
  SmallVector<Value> words;
  for (size_t i = 0; i < elements.size(); i += perWord)
    words.push_back(packWord(e, ArrayRef(elements).slice(i, perWord)));
  return words;
}

struct AsyncDotWait : TilePattern<nv_tileas::AsyncDotWaitOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AsyncDotWaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    SmallVector<Value> registers, held, results;
    SmallVector<std::pair<size_t, size_t>> counts; ///< words, and elements of tiles that go through
    for (auto [was, value, result] : llvm::zip_equal(op.getSums(), adaptor.getSums(), op.getResults())) {
      SmallVector<Value> fields = e.unpack(value);
      size_t elements = fields.size();
      if (isa<RankedTensorType>(was.getType()))
        fields = wordsOf(e, std::move(fields));
      if (isa<RankedTensorType>(was.getType()) && result.use_empty()) {
        llvm::append_range(held, fields);
        counts.emplace_back(0, 0);
        continue;
      }
      counts.emplace_back(fields.size(), elements);
      llvm::append_range(registers, fields);
    }
    unsigned sums = 0;
    for (auto [count, was] : llvm::zip_equal(counts, op.getSums()))
      sums += isa<RankedTensorType>(was.getType()) ? 0 : count.first;
    registers = waitForSums(e, registers, op.getPending(), held, adaptor.getValid(), sums, adaptor.getApart());
    size_t begin = 0;
    for (auto [count, was, value, result] : llvm::zip_equal(counts, op.getSums(), adaptor.getSums(), op.getResults())) {
      if (count.first == 0) {
        results.push_back(value);
        continue;
      }
      Type type = types().convertType(result.getType());
      if (!type)
        return failure();
      SmallVector<Value> fields(ArrayRef(registers).slice(begin, count.first));
      begin += count.first;
      auto tile = dyn_cast<RankedTensorType>(result.getType());
      Type element = tile ? types().convertElementType(tile.getElementType()) : Type();
      if (element && element.getIntOrFloatBitWidth() < 32) {
        SmallVector<Value> words = std::move(fields);
        fields.clear();
        for (Value word : words)
          llvm::append_range(fields, unpackWord(e, word, element));
        if (isa<RankedTensorType>(was.getType()))
          fields.truncate(count.second);
      }
      results.push_back(e.pack(type, fields));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

FailureOr<Value> tilellvm::multiplyByWarpgroups(Emitter &e, nv_tileas::DotOp op, nv_tileas::DotOp::Adaptor adaptor,
                                                const TileLLVMTypeConverter &types) {
  auto atom = cast<nv_tileas::WgmmaAtomAttr>(Attribute(*op.getAtom()));
  ProductParts parts{op,           op.getA(), op.getB(),           adaptor.getA(),     adaptor.getB(),
                     op.getType(), atom,      op.getSignednessA(), op.getSignednessB()};
  WgmmaProduct product(e, parts, types);
  if (failed(product.read()))
    return failure();
  bool none = nv_tileas::isZeroTile(op.getC());
  SmallVector<Value> sums = product.readSums(e.unpack(adaptor.getC()));
  if (atom.getSpan())
    return product.writeSums(product.issueSpans(std::move(sums), none));
  FirstSums first;
  if (none)
    first.kind = FirstSums::Ignored;
  return product.writeSums(product.issue(std::move(sums), first, /*done=*/true));
}

void tilellvm::populateAsyncDotPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                        const LoweringOptions &options) {
  patterns.add<AsyncDotBegin, AsyncDot, AsyncDotWait>(converter, patterns.getContext(), options);
}
