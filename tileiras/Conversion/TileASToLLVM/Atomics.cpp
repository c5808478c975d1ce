//===- Atomics.cpp - Atomic read-modify-writes ----------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each element is done once: by its owner among the threads that hold it (LayoutMath.h, ownerPredicate), by the first
// thread for scalars. If somebody looks at the old values, the owners hand them to the other holders through the
// exchange buffer. If nobody does, `red` takes the place of `atom`, where the ordering lets it (PTX ISA "red": .relaxed
// and .release).
//
// Reductions of elements that lie next to each other go together where the passes have proven that they may
// (AccessWidths.h) and the target has vectors of them, which are as many scalar ones in any order (PTX ISA, "Memory
// Consistency Model", vector and packed types). What the edge of the array cuts is done one by one.
//
// Ordering as for loads and stores (PointerMemory.cpp): a barrier before a release, a barrier after an acquire.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"
#include "tileiras/Conversion/TileASToLLVM/TileAccess.h"
#include "tileiras/Dialect/TileAA/IR/AccessOrder.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LinearLayout.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tilellvm;
using nv_tileaa::MemSemantic;
using nv_tileaa::RMWMode;

static bool releases(MemSemantic s) { return s == MemSemantic::Release || s == MemSemantic::AcqRel; }
static bool acquires(MemSemantic s) { return s == MemSemantic::Acquire || s == MemSemantic::AcqRel; }

namespace {

/// One atomic instruction on elements of one type, written as inline PTX: LLVM's atomicrmw has neither predicates nor
/// all orderings, and its bf16 addition needs a loop it cannot choose well.
class AtomicInstruction {
public:
  /// `mode`: nothing for compare-and-swap.
  AtomicInstruction(std::optional<RMWMode> mode, Type element, AccessOrder order, const ::tileiras::TargetInfo &target)
      : mode(mode), element(element), order(order), bits(element.getIntOrFloatBitWidth()),
        // atom.add.bf16 came with the vector forms (PTX ISA "atom").
        loop(mode == RMWMode::AddF && element.isBF16() && !target.vectorAtomics),
        widest(mode && target.vectorAtomics ? nv_tileaa::widestReduction(*mode, order.semantic, element) : 1) {}

  /// How many neighbours `reduce` takes at most.
  unsigned widestReduction() const { return widest; }

  /// Combines neighbours, the first aligned to all of them, with memory where the predicate (null: true) holds.
  void reduce(Emitter &e, Value address, ArrayRef<Value> values, Value predicate) const {
    if (values.size() == 1) {
      emit(e, address, values, predicate, Value(), /*wantOld=*/false);
      return;
    }
    // PTX ISA, "red": red{.sem}{.scope}{.global}.add.vec_32_bit.f32 and red{...}.add.noftz.vec_32_bit.packed_type; two
    // elements of 16 bits are one of packed type without a vector.
    SmallVector<Value> operands = {address}, words = wordsOfElements(e, values);
    std::string text, list, constraints = "l";
    for (Value word : words) {
      list += (list.empty() ? "$" : ", $") + std::to_string(operands.size());
      constraints += ",r";
      operands.push_back(e.bitcast(word, e.intTy(32)));
    }
    bool isVector = words.size() > 1;
    if (predicate) {
      text = "@$" + std::to_string(operands.size()) + " ";
      constraints += ",b";
      operands.push_back(predicate);
    }
    text += "red" + order.suffix() + ".global.add" + (bits == 16 ? ".noftz" : "");
    if (isVector)
      text += ".v" + std::to_string(words.size());
    text += bits == 32 ? ".f32" : element.isBF16() ? ".bf16x2" : ".f16x2";
    text += " [$0], " + (isVector ? "{" + list + "}" : list) + ";";
    inlinePtx(e, Type(), operands, text, constraints + ",~{memory}", Access::WritesGlobal,
              /*ptxVersion=*/isVector ? 81 : 80);
  }

  /// Returns the old value, `other` (null: zero) where the predicate (null: true) is false; null when nobody wants it.
  Value emit(Emitter &e, Value address, ArrayRef<Value> values, Value predicate, Value other, bool wantOld) const {
    bool reduction = !wantOld && mode && *mode != RMWMode::Xchg && !acquires(order.semantic) && !loop;
    Type reg = e.intTy(bits);
    SmallVector<Value> operands;
    std::string constraints, text, operand;
    auto add = [&](Value value, StringRef constraint) {
      operands.push_back(value);
      constraints += (constraints.empty() ? "" : ",") + constraint.str();
      return "$" + std::to_string(operands.size() - (reduction ? 1 : 0));
    };
    if (!reduction) {
      constraints = "=" + letter().str();
      if (predicate)
        add(other ? e.bitcast(other, reg) : e.zero(reg), "0");
    }
    std::string where = "[" + add(address, "l") + "]";
    if (loop) {
      Value wide = LLVM::FPExtOp::create(e.b, e.loc, e.f32Ty(), values.front());
      text = compareLoop(where, add(wide, "f"), predicate ? add(predicate, "b") : "");
    } else {
      text = (reduction ? "red" : "atom") + order.suffix() + ".global." + operation() + " ";
      text += (reduction ? "" : "$0, ") + where;
      for (Value value : values)
        text += ", " + add(e.bitcast(value, reg), letter());
      text += ";";
      if (predicate)
        text = "@" + add(predicate, "b") + " " + text;
    }
    constraints += ",~{memory}";
    // Relaxed, it says nothing about other places.
    Access access = order.semantic == MemSemantic::Relaxed && !loop ? Access::WritesGlobal : Access::Any;
    Value old = inlinePtx(e, reduction ? Type() : reg, operands, text, constraints, access);
    return old ? e.bitcast(old, element) : Value();
  }

private:
  StringRef letter() const { return bits == 16 ? "h" : bits == 32 ? "r" : "l"; }

  std::string operation() const {
    std::string width = std::to_string(bits);
    if (!mode)
      return "cas.b" + width;
    switch (*mode) {
    case RMWMode::And:
      return "and.b" + width;
    case RMWMode::Or:
      return "or.b" + width;
    case RMWMode::Xor:
      return "xor.b" + width;
    case RMWMode::Add:
      return "add.u" + width;
    case RMWMode::AddF:
      if (bits == 16)
        return element.isBF16() ? "add.noftz.bf16" : "add.noftz.f16";
      return "add.f" + width;
    case RMWMode::Max:
      return "max.s" + width;
    case RMWMode::Min:
      return "min.s" + width;
    case RMWMode::UMax:
      return "max.u" + width;
    case RMWMode::UMin:
      return "min.u" + width;
    case RMWMode::Xchg:
      return "exch.b" + width;
    }
    return "exch.b" + width;
  }

  /// bf16 addition by compare-and-swap. The sum of two bf16 in f32, rounded to bf16, is the correctly rounded sum: f32
  /// has more than twice the precision.
  std::string compareLoop(const std::string &where, const std::string &value, const std::string &predicate) const {
    AccessOrder first = order;
    first.semantic = MemSemantic::Relaxed;
    std::string text = "{\n\t.reg .pred lost;\n\t.reg .b16 seen, next;\n\t.reg .b32 word;\n\t.reg .f32 sum;\n\t";
    if (!predicate.empty())
      text += "@!" + predicate + " bra LEAVE_${:uid};\n\t";
    text += "ld" + first.suffix() + ".global.b16 $0, " + where + ";\n";
    text += "AGAIN_${:uid}:\n\tmov.b16 seen, $0;\n\tcvt.u32.u16 word, seen;\n\tshl.b32 word, word, 16;\n\t"
            "mov.b32 sum, word;\n\tadd.rn.f32 sum, sum, " +
            value + ";\n\tcvt.rn.bf16.f32 next, sum;\n\tatom" + order.suffix() + ".global.cas.b16 $0, " + where +
            ", seen, next;\n\tsetp.ne.b16 lost, $0, seen;\n\t@lost bra AGAIN_${:uid};\n";
    if (!predicate.empty())
      text += "LEAVE_${:uid}:\n";
    return text + "\t}";
  }

  std::optional<RMWMode> mode;
  Type element;
  AccessOrder order;
  unsigned bits;
  bool loop;
  unsigned widest;
};

/// Atomics through pointers. `Values`: how many value operands an element has.
template <typename Op> struct PointerAtomic : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  static constexpr bool isCas = std::is_same_v<Op, nv_tileaa::AtomicCASOp>;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = op.getResult().getType();
    Type result = this->types().convertType(type), element = this->types().convertElementType(elementOf(type));
    const ::tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
    if (!result || !element || !target)
      return op.emitOpError("of elements of ") << elementOf(type) << " is not supported";
    Emitter e(rewriter, op.getLoc());
    auto tensor = dyn_cast<RankedTensorType>(type);
    LinearLayout layout = tensor ? nv_tileas::getLinearLayout(tensor) : LinearLayout();
    AccessOrder order{op.getMemSemantic(), op.getMemScope()};
    std::optional<RMWMode> mode;
    if constexpr (!isCas)
      mode = op.getRmwMode();
    AtomicInstruction instruction(mode, element, order, *target);

    if (op->hasAttr(kBarrierBeforeAttr) || releases(order.semantic))
      e.barrier();
    bool wanted = !op.getResult().use_empty(), exchange = exchangeBytes(op) != 0;
    Value owns = tensor ? ownerPredicate(e, layout) : e.isFirstThread();
    int32_t copies = tensor ? tileiras::ownerMask(layout).registers : 0;
    SmallVector<Value> pointers = e.unpack(adaptor.getPtrs()), values = e.unpack(adaptor.getValue()), expected, masks;
    if constexpr (isCas)
      expected = e.unpack(adaptor.getCmp());
    if (adaptor.getMask())
      masks = e.unpack(adaptor.getMask());
    unsigned width = 1;
    if constexpr (!isCas)
      if (tensor && !wanted)
        width = std::min(instruction.widestReduction(),
                         pointersTogether(layout, op.getVec(), element.getIntOrFloatBitWidth()));
    if (copies & (width - 1))
      width = 1; // of neighbours that others hold, too
    SmallVector<Value> old(pointers.size());
    for (unsigned r = 0; r < pointers.size(); r += width) {
      if (r & copies) {
        old[r] = old[r & ~copies];
        continue;
      }
      Value predicate = e.both(masks.empty() ? Value() : masks[r], owns);
      if (width > 1) {
        instruction.reduce(e, pointers[r], ArrayRef(values).slice(r, width), predicate);
        continue;
      }
      SmallVector<Value> operands;
      if constexpr (isCas)
        operands.push_back(expected[r]);
      operands.push_back(values[r]);
      old[r] = instruction.emit(e, pointers[r], operands, predicate, isCas ? expected[r] : Value(), wanted);
    }
    if (exchange)
      old = broadcastFromOwners(e, op, layout, old, owns);
    else if (acquires(order.semantic))
      e.barrier();
    if (wanted)
      rewriter.replaceOp(op, {e.pack(result, old), e.i32(0)});
    else
      rewriter.replaceOp(op, {LLVM::PoisonOp::create(rewriter, op.getLoc(), result).getResult(), e.i32(0)});
    return success();
  }
};

struct TiledAtomic : TilePattern<nv_tileas::TiledAtomicRMWOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::TiledAtomicRMWOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<RankedTensorType>(op.getValue().getType());
    Type element = types().convertElementType(tile.getElementType());
    const ::tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
    if (!element || !target)
      return op.emitOpError("of elements of ") << tile.getElementType() << " is not supported";
    Emitter e(rewriter, op.getLoc());
    AccessOrder order{op.getMemSemantic(), op.getMemScope()};
    AtomicInstruction instruction(op.getRmwMode(), element, order, *target);
    if (op->hasAttr(kBarrierBeforeAttr) || releases(order.semantic))
      e.barrier();
    LinearLayout layout = nv_tileas::getLinearLayout(tile);
    int32_t copies = tileiras::ownerMask(layout).registers;
    auto accessOf = [&](unsigned width) {
      return TileAccess(e, op.getView().getType(), adaptor.getView(), op.getView(), adaptor.getIndices(), std::nullopt,
                        layout, memoryBits(element), width);
    };
    std::optional<TileAccess> access = accessOf(std::min(instruction.widestReduction(), op.getVec().value_or(1)));
    // Each element is done once, so a group must not hold copies of what another one has.
    auto hasCopies = [&](ArrayRef<unsigned> group) {
      return llvm::any_of(group, [&](unsigned r) { return ((r ^ group.front()) & copies) != 0; });
    };
    if (llvm::any_of(access->groups.groups, hasCopies))
      access.emplace(accessOf(1));
    Value owns = ownerPredicate(e, layout);
    SmallVector<Value> fields = e.unpack(adaptor.getValue());
    auto reduce = [&](Emitter &in, Value address, ArrayRef<unsigned> registers, Value predicate) {
      SmallVector<Value> values;
      for (unsigned r : registers)
        values.push_back(fields[r]);
      instruction.reduce(in, address, values, predicate);
    };
    // ptxas makes a branch of every predicate of a `red`: what has one predicate, as the sums of a row, stands in one.
    auto asked = [&](Emitter &in) {
      whereCut(in, *access, {}, [&](Emitter &in, TileAccess &access) {
        llvm::MapVector<Value, SmallVector<TileAccess::Piece>> branches;
        for (TileAccess::Piece &piece : access.pieces(copies))
          branches[piece.predicate].push_back(std::move(piece));
        for (auto &[where, pieces] : branches) {
          Value predicate = in.both(where, owns);
          bool together = predicate && pieces.size() > 1;
          auto each = [&](Emitter &one) {
            for (const TileAccess::Piece &piece : pieces)
              reduce(one, piece.address, piece.registers, together ? Value() : predicate);
          };
          if (together)
            in.onlyIf(predicate, each);
          else
            each(in);
        }
        return SmallVector<Value>();
      });
      return SmallVector<Value>();
    };
    // Where there are many, one for all of the tile spares them, unless their addresses would take registers.
    constexpr size_t few = 8, mostAddresses = 16;
    llvm::SmallDenseSet<Value> different;
    for (ArrayRef<unsigned> group : access->groups.groups)
      different.insert(access->predicate(group.front()));
    Value inside =
        different.size() > few && access->groups.groups.size() <= mostAddresses ? access->isInside() : Value();
    if (!inside) {
      asked(e);
    } else {
      SmallVector<Value> addresses;
      for (ArrayRef<unsigned> group : access->groups.groups)
        addresses.push_back(access->address(group.front()));
      e.mostly(
          inside, {},
          [&](Emitter &in) {
            for (auto [group, address] : llvm::zip_equal(access->groups.groups, addresses))
              if (!(VectorGroups::commonBits(group) & copies))
                reduce(in, address, group, owns);
            return SmallVector<Value>();
          },
          asked);
    }
    if (acquires(order.semantic))
      e.barrier();
    rewriter.replaceOp(op, e.i32(0));
    return success();
  }
};

} // namespace

void tilellvm::populateAtomicPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                      const LoweringOptions &options) {
  patterns.add<PointerAtomic<nv_tileaa::AtomicRMWOp>, PointerAtomic<nv_tileaa::AtomicCASOp>, TiledAtomic>(
      converter, patterns.getContext(), options);
}
