//===- DotTcgen05.cpp - Products by tcgen05.mma ---------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The operands lie in shared memory, fenced for the async proxy, or A in tensor memory, and all threads have met since
// (if not, they do here).
// Then one thread has all instructions of the product carried out, in order, as they add up at the same address (PTX
// ISA, "tcgen05 memory consistency"), and commits them to the kernel's mbarrier, where everybody waits. Who goes on may
// read the sums and overwrite the operands. A product under way is committed where its stage is released; one that is
// waited for later (tileas-defer-products) to an mbarrier of its own.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/DotProduct.h"
#include "tileiras/Conversion/TileASToLLVM/SmemDescriptorValue.h"
#include "tileiras/Conversion/TileASToLLVM/TensorMemory.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/ScaleColumns.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Support/AtomTable.h"
#include "tileiras/Support/LoweringFacts.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::tilellvm;
using tileiras::DotOperand;
using tileiras::SmemDescriptor;
using tileiras::Tcgen05Instruction;
using tileiras::Tcgen05Tiling;

namespace {

/// An operand in shared memory: the descriptor of its first instruction, and how the others' differ.
struct SharedFactor {
  SmemDescriptor descriptor;
  Value address; ///< pointer

  /// `offset`: bytes behind the first, i32; null: none.
  Value first(Emitter &e, Value offset = {}) const {
    return descriptorOf(e, address, offset, descriptor.fieldsOfTcgen05());
  }
};

class Tcgen05Product {
public:
  Tcgen05Product(Emitter &e, nv_tileas::DotOp op, nv_tileas::DotOp::Adaptor adaptor)
      : e(e), op(op), adaptor(adaptor), atom(cast<nv_tileas::Sm100MmaAtomAttr>(*op.getAtom())),
        tiling(nv_tileas::getTcgen05Tiling(atom)), shape(nv_tileas::getDotShape(op)), element(atom.getElement()) {}

  FailureOr<Value> run() {
    pairs = isa<Float4E2M1FNType>(element);
    Type factor = pairs ? Type(e.intTy(8)) : element;
    if (op.getA().getType().getElementType() != factor || op.getB().getType().getElementType() != factor ||
        (pairs && !op.getSfa()))
      return op.emitOpError("multiplies ") << element << " by tcgen05.mma, but its operands have other elements";
    bool underWay = op->hasAttr(nv_tileas::kUnderWayAttr);
    auto later = op->getAttrOfType<IntegerAttr>(nv_tileas::kAwaitedAsAttr);
    pair = multipliesInPairs(e);
    nv_tileas::AgentSwitchOp agents = nv_tileas::getAgentSwitch(op);
    bool byOne = !agents || nv_tileas::isSingleThread(agents, agents.agentOf(op));
    if (pair &&
        (!underWay || later || (op.getSfa() && !op.getColumns()) || !byOne || tiling.m != 128 || shape.n != tiling.n))
      return op.emitOpError("of a pair of blocks is not lowered in this form");
    // Agents beside the warpgroups that multiply do not.
    if (agents && !underWay && !multiplyingWarpgroup(e))
      return op.emitOpError("by tcgen05.mma in an agent is not lowered yet");
    if (!nv_tileas::isIn(op.getC().getType(), nv_tileas::MemoryKind::Tensor))
      return op.emitOpError("has its sums in registers; tileas-place-sums puts them in tensor memory");
    if (failed(describe(a, DotOperand::A, op.getA(), adaptor.getA())) ||
        failed(describe(b, DotOperand::B, op.getB(), adaptor.getB())))
      return failure();
    TensorMemory memory = TensorMemory::of(e, later ? later.getInt() : 0);
    if (!memory.base)
      return op.emitOpError("is in a kernel that has no tensor memory");
    if (op.getSfa() && failed(op.getColumns() ? takeColumns() : storeScales(memory)))
      return failure();
    warpgroup = multiplyingWarpgroup(e);
    bool meetsAlone = warpgroup && op->hasAttr(nv_tileas::kMeetsByWarpgroupAttr);
    if (warpgroup && (op.getSfa() || pair || tiling.m != 128 || shape.m != 256 || !findStrides()))
      return op.emitOpError("of two warpgroups expects two times 128 rows");
    if ((op.getSfa() && !op.getColumns()) || op->hasAttr(kBarrierBeforeAttr))
      meetToMultiply(e, meetsAlone);
    e.onlyIf(issuingThread(e), [&](Emitter &one) { issue(one, underWay ? Value() : memory.barrier); });
    if (!underWay && !later) {
      memory.wait(e);
      // The other warpgroup's product may still read what both wait for.
      if (warpgroup && !meetsAlone)
        e.barrier();
    }
    return adaptor.getC();
  }

private:
  LogicalResult describe(SharedFactor &factor, DotOperand which, Value value, Value converted) {
    auto type = cast<RankedTensorType>(value.getType());
    unsigned number = which == DotOperand::A ? 0 : 1;
    if (which == DotOperand::A && nv_tileas::isIn(type, nv_tileas::MemoryKind::Tensor)) {
      if (op.getSfa())
        return op.emitOpError("with scales has its left operand in tensor memory, which is not lowered yet");
      leftPlaces = nv_tileas::getLinearLayout(type).pseudoInvert(); // columns between rows may be empty
      factor.address = converted;
      factor.descriptor.kMajor = true;
      return success();
    }
    if (!nv_tileas::isIn(type, nv_tileas::MemoryKind::Shared))
      return op.emitOpError("operand #") << number << " is in registers; tcgen05.mma reads it from shared memory";
    std::string error;
    auto descriptor = nv_tileas::describeOperand(atom, shape, which, nv_tileas::getLinearLayout(type), &error);
    if (!descriptor)
      return op.emitOpError("operand #") << number << ": " << error;
    factor = {*descriptor, converted};
    return success();
  }

  /// How far behind those of the first 128 rows the left factor and the sums of the next ones are, if that is the same
  /// everywhere.
  bool findStrides() {
    std::optional<LinearLayout> places =
        nv_tileas::getLinearLayout(cast<RankedTensorType>(op.getC().getType())).invert();
    for (int32_t column = 0; places && column < shape.n; column += tiling.n) {
      int32_t stride = offsetOf(*places, tiling.m, column) - offsetOf(*places, 0, column);
      if (column && stride != sumsStride)
        return false;
      sumsStride = stride;
    }
    for (auto [k, elements] : steps()) {
      int32_t stride = leftPlaces ? leftColumn(tiling.m, k) - leftColumn(0, k)
                                  : int32_t(a.descriptor.startOf({tiling.m, k}) - a.descriptor.startOf({0, k}));
      if (k && stride != leftStride)
        return false;
      leftStride = stride;
    }
    return places.has_value();
  }

  /// Where sums are, from the first on, as tcgen05 counts rows and columns.
  static int32_t offsetOf(const LinearLayout &places, int32_t row, int32_t column) {
    LinearLayout::Point at = places.apply({{::tileiras::dimName(0), row}, {::tileiras::dimName(1), column}});
    int32_t offset = 0;
    for (auto [dim, value] : at)
      offset += dim == nv_tileas::kRow ? value << 16 : dim == nv_tileas::kColumn ? value : 0;
    return offset;
  }

  /// The column of a left operand in tensor memory where the rows from `row` on and k are.
  int32_t leftColumn(int32_t row, int32_t k) const {
    LinearLayout::Point at = leftPlaces->apply({{::tileiras::dimName(0), row}, {::tileiras::dimName(1), k}});
    int32_t column = 0;
    for (auto [dim, value] : at)
      column += dim == nv_tileas::kColumn ? value * tiling.elementBits / 32 : 0;
    return column;
  }

  Tcgen05Instruction instruction() {
    Tcgen05Instruction i;
    i.m = pair ? 2 * tiling.m : tiling.m, i.n = tiling.n;
    i.mnMajorA = !a.descriptor.kMajor, i.mnMajorB = !b.descriptor.kMajor;
    using Kind = Tcgen05Instruction::Kind;
    if (pairs) {
      i.typeA = i.typeB = 1; // e2m1, in the descriptors of kinds mxf4 and mxf4nvf4
    } else if (isa<IntegerType>(element)) {
      auto isSigned = [](std::optional<nv_tileaa::Signedness> s) {
        return s.value_or(nv_tileaa::Signedness::Signed) == nv_tileaa::Signedness::Signed;
      };
      i.kind = Kind::I8, i.typeD = 2;
      i.typeA = isSigned(op.getSignednessA()), i.typeB = isSigned(op.getSignednessB());
    } else if (isa<FloatTF32Type>(element)) {
      i.kind = Kind::Tf32, i.typeA = i.typeB = 2;
    } else if (tiling.elementBits == 8) {
      i.kind = Kind::F8F6F4, i.typeA = i.typeB = isa<Float8E5M2Type>(element);
    } else {
      i.typeA = i.typeB = element.isBF16();
    }
    return i;
  }

  /// The thread that issues the product copies the scales to columns of tensor memory (issue).
  LogicalResult takeColumns() {
    auto [scalesA, scalesB] = nv_tileas::getScales(op);
    scaleA = LLVM::PtrToIntOp::create(e.b, e.loc, e.intTy(32), adaptor.getColumns());
    scaleB = e.add(scaleA, e.i32(scalesA.columns()));
    return success();
  }

  /// The descriptor of the first of a factor's copies: 32 rows of 16 bytes, eight of them in a row of 128 bytes.
  static Value imageOf(Emitter &e, Value address) {
    SmemDescriptor image;
    image.strideBytes = 8 * 16;
    return descriptorOf(e, address, Value(), image.fieldsOfTcgen05());
  }

  /// Each of four warps writes its part of the columns (PTX ISA, "tcgen05.st"). Whoever reads them has to come behind a
  /// barrier; who read them before, products, is done.
  LogicalResult storeScales(const TensorMemory &memory) {
    auto first = op->getAttrOfType<IntegerAttr>(nv_tileas::kScaleColumnsAttr);
    if (!first || nv_tileas::getAgentSwitch(op))
      return op.emitOpError("has no columns for its scales in tensor memory");
    auto [scalesA, scalesB] = nv_tileas::getScales(op);
    scaleA = e.add(memory.base, e.i32(first.getInt()));
    scaleB = e.add(scaleA, e.i32(scalesA.columns()));
    DotOperandTile tiles[2];
    for (auto [i, converted] : llvm::enumerate(std::array{adaptor.getSfa(), adaptor.getSfb()})) {
      OpOperand &operand = op->getOpOperand(3 + i);
      std::optional<::tileiras::LinearLayout> layout = nv_tileas::getDotOperandLayout(op, operand);
      if (!layout ||
          failed(tiles[i].init(e, converted, cast<RankedTensorType>(operand.get().getType()), *layout, e.intTy(8))))
        return op.emitOpError("operand #") << operand.getOperandNumber() << " does not have the layout of the atom";
    }
    Value warp = uniformWarp(e);
    e.onlyIf(e.icmp(LLVM::ICmpPredicate::ult, warp, e.i32(4)), [&](Emitter &four) {
      SmallVector<Value> operands = {four.add(scaleA, four.shl(warp, 21))};
      std::string text, constraints = "r";
      addStores(four, scalesA, tiles[0], 0, text, constraints, operands);
      addStores(four, scalesB, tiles[1], scalesA.columns(), text, constraints, operands);
      ptx(four, operands, text + "tcgen05.wait::st.sync.aligned;\n\ttcgen05.fence::before_thread_sync;", constraints);
    });
    return success();
  }

  /// The stores of one factor's scales, `offset` columns behind the address that is the first operand.
  static void addStores(Emitter &e, const ::tileiras::Tcgen05Scales &scales, DotOperandTile &tile, int32_t offset,
                        std::string &text, std::string &constraints, SmallVectorImpl<Value> &operands) {
    int32_t width = std::max(1, scales.extent / 32);
    for (int32_t s = 0; s < scales.count; s += 4) {
      std::string list;
      for (int32_t x = 0; x < width; ++x) {
        Value word;
        for (int32_t byte = 0; byte < std::min(4, scales.count - s); ++byte) {
          Value part = e.shl(e.resize(tile.get(e, s + byte + scales.count * x), e.intTy(32)), 8 * byte);
          word = word ? e.ori(word, part) : part;
        }
        list += (x ? ", $" : "$") + std::to_string(operands.size());
        operands.push_back(word);
        constraints += ",r";
      }
      text += "tcgen05.st.sync.aligned.32x32b.x" + std::to_string(width) + ".b32 [$0 + " +
              std::to_string(offset + scales.columnOf(0, s)) + "], {" + list + "};\n\t";
    }
  }

  static void ptx(Emitter &e, ValueRange operands, const std::string &text, const std::string &constraints) {
    auto assembly = LLVM::InlineAsmOp::create(e.b, e.loc, TypeRange(), operands, text, constraints + ",~{memory}",
                                              /*has_side_effects=*/true, /*is_align_stack=*/false,
                                              LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
    // PTX ISA, "tcgen05.mma": kind mxf4nvf4 came with 8.7, block16 and block32 with 8.8.
    int32_t version = StringRef(text).contains(".block_scale.block") ? 88 : StringRef(text).contains("nvf4") ? 87 : 86;
    assembly->setAttr(::tileiras::kPtxVersionAttr, e.b.getI32IntegerAttr(version));
  }

  /// Steps along k, in what the operands' tiles count, and how many elements each multiplies.
  std::vector<::tileiras::Tcgen05PairStep> steps() {
    std::vector<::tileiras::Tcgen05PairStep> steps;
    if (!pairs) {
      for (int32_t k = 0; k < shape.k; k += tiling.k())
        steps.push_back({k, tiling.k()});
      return steps;
    }
    const ::tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
    // The scales of k = 96 are in two groups of columns, whose distance is that of an instruction's own rows or
    // columns.
    bool may96 = target && ::tileiras::hasTcgen05K96(*target) && shape.m == tiling.m && shape.n == tiling.n;
    return ::tileiras::tcgen05PairSteps(shape.k, std::min(a.descriptor.swizzleBytes, b.descriptor.swizzleBytes), may96);
  }

  /// All instructions of the product, and the commit, if there is a barrier for it.
  void issue(Emitter &one, Value barrier) {
    SmallVector<Value> operands;
    std::string constraints;
    auto operand = [&](Value v) {
      constraints += std::string(operands.empty() ? "" : ",") + (v.getType().isInteger(64) ? "l" : "r");
      operands.push_back(v);
      return "$" + std::to_string(operands.size() - 1);
    };
    std::string text = "{\n\t.reg .pred adds, always;\n\t.reg .b64 left, right;\n\tsetp.ne.b32 always, 1, 0;\n\t"
                       "tcgen05.fence::after_thread_sync;\n\t";
    if (Value adds = adaptor.getAccumulate())
      text += "setp.ne.b32 adds, " + operand(one.resize(adds, one.intTy(32))) + ", 0;\n\t";
    Tcgen05Instruction what = instruction();
    bool scaled = bool(op.getSfa());
    const std::string blocks = pair ? "cta_group::2" : "cta_group::1", group = "tcgen05.mma." + blocks + ".kind::";
    std::string name = group + what.kindName(), idesc = std::to_string(what.descriptor()), scales;
    std::string firstScaleA = scaled ? operand(scaleA) : "", firstScaleB = scaled ? operand(scaleB) : "";
    Value leftTile =
        leftPlaces ? LLVM::PtrToIntOp::create(one.b, one.loc, one.intTy(32), a.address).getResult() : Value();
    if (warpgroup && leftPlaces)
      leftTile = one.add(leftTile, one.mul(warpgroup, one.i32(leftStride)));
    Value leftOffset = warpgroup ? one.mul(warpgroup, one.i32(leftStride)) : Value();
    std::string firstA = operand(leftPlaces ? leftTile : a.first(one, leftOffset)), firstB = operand(b.first(one));
    /// The descriptor `bytes` further on, in the register `name` unless it is the first.
    auto further = [&](const std::string &name, const std::string &first, int64_t bytes) {
      if (!bytes)
        return first;
      text += "add.s64 " + name + ", " + first + ", " + std::to_string(bytes >> 4) + ";\n\t";
      return name;
    };
    if (op.getColumns()) {
      // Products behind copies of the same thread follow them (PTX ISA, "tcgen05 memory consistency"). Of a pair, each
      // block's scales are copied to its own tensor memory.
      auto [scalesA, scalesB] = nv_tileas::getScales(op);
      for (auto [scales, first, tile] :
           {std::tuple(scalesA, firstScaleA, adaptor.getSfa()), std::tuple(scalesB, firstScaleB, adaptor.getSfb())}) {
        std::string image = operand(imageOf(one, tile));
        for (int32_t column = 0; column < scales.columns(); column += 4) {
          std::string source = further("left", image, 512 / 4 * column);
          text += "tcgen05.cp." + blocks + ".32x128b.warpx4 [" + first + " + " + std::to_string(column) + "], " +
                  source + ";\n\t";
        }
      }
    }
    /// Where the rows from `row` on and k are of a left operand in tensor memory.
    auto inTensorMemory = [&](int32_t row, int32_t k) {
      int32_t column = leftColumn(row, k);
      return "[" + firstA + (column ? " + " + std::to_string(column) : "") + "]";
    };
    Value sums = LLVM::PtrToIntOp::create(one.b, one.loc, one.intTy(32), adaptor.getC());
    std::optional<LinearLayout> places =
        nv_tileas::getLinearLayout(cast<RankedTensorType>(op.getC().getType())).invert();
    if (warpgroup)
      sums = one.add(sums, one.mul(warpgroup, one.i32(sumsStride)));
    for (int32_t row = 0; row < (warpgroup ? tiling.m : shape.m); row += tiling.m)
      for (int32_t column = 0; column < shape.n; column += tiling.n) {
        std::string d = operand(one.add(sums, one.i32(offsetOf(*places, row, column))));
        for (auto [k, elements] : steps()) {
          std::string left =
                          leftPlaces ? inTensorMemory(row, k) : further("left", firstA, a.descriptor.startOf({row, k})),
                      right = further("right", firstB, b.descriptor.startOf({k, column}));
          if (scaled) {
            auto [scalesA, scalesB] = nv_tileas::getScales(op);
            int32_t s = k / (shape.k / scalesA.count);
            ::tileiras::Tcgen05Scaling scaling;
            scaling.powers = isa<Float8E8M0FNUType>(cast<RankedTensorType>(op.getSfa().getType()).getElementType());
            scaling.block = (pairs ? 2 : 1) * shape.k / scalesA.count;
            scaling.elements = elements;
            scaling.byteA = scaling.byteB = s % 4;
            name = group + scaling.suffix();
            idesc = std::to_string(::tileiras::scaledDescriptor(what, scaling));
            scales = ", [" + firstScaleA + " + " + std::to_string(scalesA.columnOf(row, s)) + "], [" + firstScaleB +
                     " + " + std::to_string(scalesB.columnOf(column, s)) + "]";
          }
          text += name + " [" + d + "], " + left + ", " + right + ", " + idesc + scales +
                  (k == 0 && adaptor.getAccumulate() ? ", adds;\n\t" : ", always;\n\t");
        }
      }
    if (barrier)
      text += "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [" + operand(barrier) + "];\n\t";
    text += "}";
    ptx(one, operands, text, constraints);
  }

  Emitter &e;
  nv_tileas::DotOp op;
  nv_tileas::DotOp::Adaptor adaptor;
  nv_tileas::Sm100MmaAtomAttr atom;
  Tcgen05Tiling tiling;
  tileiras::DotShape shape;
  Type element;
  SharedFactor a, b;
  bool pair = false;                      ///< the product is that of two blocks
  bool pairs = false;                     ///< the factors are pairs of 4-bit elements, in bytes
  std::optional<LinearLayout> leftPlaces; ///< (row, k) -> place in tensor memory, if A is there
  Value warpgroup;                        ///< which of two issues the product of its rows, i32; null: one thread all
  int32_t leftStride = 0, sumsStride = 0; ///< from its rows to those of the next: bytes, or columns
  Value scaleA, scaleB;                   ///< their addresses in tensor memory, of a scaled product
};

} // namespace

FailureOr<Value> tilellvm::multiplyInTensorMemory(Emitter &e, nv_tileas::DotOp op, nv_tileas::DotOp::Adaptor adaptor) {
  return Tcgen05Product(e, op, adaptor).run();
}
