//===- TensorMemoryAccess.cpp - What threads do in tensor memory ----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads, stores, sums that are multiplied where they are, and the waits for products. A warp reaches the 32 rows of its
// quarter (PTX ISA, "tcgen05.ld").
//
// The text that waits for loads has their registers as results: nobody can have them earlier.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Conversion/TileASToLLVM/PackedFloat.h"
#include "tileiras/Conversion/TileASToLLVM/TensorMemory.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Support/LoweringFacts.h"
#include "tileiras/Support/Tcgen05.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::tilellvm;
using nv_tileas::MemoryKind;

namespace {

/// Places of a warp's registers, and the registers in groups of neighbouring columns.
class Copies {
public:
  /// Registers that one text moves: results of inline assembly are named one by one.
  static constexpr unsigned kMost = 128;

  /// `packed`: the most elements that a word may hold.
  static FailureOr<Copies> plan(Operation *op, RankedTensorType registers, RankedTensorType memory, unsigned packed) {
    Type element = memory.getElementType();
    unsigned together = 32 / std::clamp(element.getIntOrFloatBitWidth(), 1u, 32u);
    if (together > packed || 32 != together * element.getIntOrFloatBitWidth())
      return op->emitOpError("of elements of ") << element << " from or to tensor memory is not lowered yet";
    auto plan =
        ::tileiras::planTensorMemoryCopy(nv_tileas::getLinearLayout(registers), nv_tileas::getLinearLayout(memory));
    if (!plan)
      return op->emitOpError("between tensor memory and registers in which a warp does not have its 32 rows");
    Copies copies;
    copies.layout = std::move(*plan);
    copies.together = together;
    if (unsigned(copies.layout.width) < together)
      return op->emitOpError("between tensor memory and registers in which a thread does not have whole words");
    copies.count = nv_tileas::getLinearLayout(registers).inSize(::tileiras::kRegister) / together;
    copies.width = std::min<unsigned>({unsigned(copies.layout.width) / together, copies.count, 64});
    return copies;
  }

  /// The column of a word among those of a thread.
  int32_t columnOf(unsigned word) const { return layout.columnOf(word * together) / int32_t(together); }

  /// Where the running warp's rows and columns begin. `others`: those of the warp so many behind it.
  Value address(Emitter &e, Value tile, int32_t others = 0) const {
    // The same in all lanes, and so that ptxas sees it.
    Value warp = e.shuffleIndex(e.warp(), e.i32(0));
    if (others)
      warp = e.add(warp, e.i32(others));
    Value at = e.add(LLVM::PtrToIntOp::create(e.b, e.loc, e.intTy(32), tile), e.shl(e.andi(warp, e.i32(3)), 21));
    for (auto [bit, column] : llvm::enumerate(layout.warps))
      if (column)
        at = e.add(at, e.mul(e.andi(e.lshr(warp, bit + 2), e.i32(1)), e.i32(column / int32_t(together))));
    return at;
  }

  /// "tcgen05.ld.sync.aligned.32x32b.x64.b32", and so on.
  std::string name(StringRef what) const {
    return ("tcgen05." + what + ".sync.aligned.32x32b.x" + Twine(width) + ".b32 ").str();
  }
  /// "{$3, $4, ...}": operands of a text.
  std::string list(unsigned first) const {
    std::string text = "{";
    for (unsigned i = 0; i < width; ++i)
      text += (Twine(i ? ", $" : "$") + Twine(first + i)).str();
    return text + "}";
  }

  ::tileiras::TensorMemoryCopy layout;
  unsigned together = 1;         ///< elements in a word
  unsigned count = 0, width = 1; ///< words of a thread, and of an instruction
};

struct AllocInTensorMemory : TilePattern<nv_tileas::AllocTensorOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AllocTensorOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!nv_tileas::isIn(op.getType(), MemoryKind::Tensor))
      return failure();
    Emitter e(rewriter, op.getLoc());
    TensorMemory memory = TensorMemory::of(e);
    if (!op.getOffset() || !memory.base)
      return op.emitOpError("has no columns in tensor memory");
    Value address = e.add(memory.base, e.i32(*op.getOffset()));
    rewriter.replaceOpWithNewOp<LLVM::IntToPtrOp>(op, e.ptrTy(kTensor), address);
    return success();
  }
};

/// The registers of a tile that somebody wants: those of its parts, if nobody takes it as a whole.
BitVector registersRead(nv_tileas::ConvertLayoutOp op) {
  RankedTensorType type = op.getType();
  BitVector read(nv_tileas::getLinearLayout(type).inSize(::tileiras::kRegister));
  for (Operation *user : op->getUsers()) {
    auto part = dyn_cast<nv_tileas::ExtractSliceOp>(user);
    SmallVector<int32_t> origin;
    for (int64_t d = 0; part && d < type.getRank(); ++d) {
      int64_t extent = cast<RankedTensorType>(part.getType()).getDimSize(d);
      std::optional<int64_t> index = getConstantIntValue(part.getIndices()[d]);
      if (!index || *index < 0 || (*index + 1) * extent > type.getDimSize(d))
        part = {};
      else
        origin.push_back(*index * extent);
    }
    auto registers = part ? registersOfBlock(type, cast<RankedTensorType>(part.getType()), origin) : std::nullopt;
    if (!registers)
      return read.set();
    for (unsigned r : *registers)
      read.set(r);
  }
  return read;
}

/// Out of tensor memory.
struct LoadFromTensorMemory : TilePattern<nv_tileas::ConvertLayoutOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::ConvertLayoutOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getSource().getType());
    if (!nv_tileas::isIn(source, MemoryKind::Tensor))
      return failure();
    FailureOr<Copies> copies = Copies::plan(op, op.getType(), source, /*packed=*/1);
    if (failed(copies))
      return failure();
    Emitter e(rewriter, op.getLoc());
    Value address = copies->address(e, adaptor.getSource());
    Type element = types().convertElementType(source.getElementType());
    BitVector read = registersRead(op);
    // No part of an instruction for nothing.
    auto isCut = [&](unsigned first) {
      int unread = read.find_first_unset_in(first, first + copies->width);
      return unread >= 0 && read.find_first_in(first, first + copies->width) >= 0;
    };
    for (unsigned first = 0; first < copies->count && copies->width > 1;)
      if (isCut(first)) {
        copies->width /= 2;
        first = 0;
      } else {
        first += copies->width;
      }
    SmallVector<unsigned> starts; // of what an instruction loads
    for (unsigned first = 0; first < copies->count; first += copies->width)
      if (read.find_first_in(first, first + copies->width) >= 0)
        starts.push_back(first);
    SmallVector<Value> values(copies->count);
    ArrayRef<unsigned> rest = starts;
    while (!rest.empty()) {
      ArrayRef<unsigned> firsts = rest.take_front(Copies::kMost / copies->width);
      rest = rest.drop_front(firsts.size());
      unsigned here = firsts.size() * copies->width;
      std::string text, constraints;
      for (unsigned i = 0; i < here; ++i)
        constraints += i ? ",=r" : "=r";
      for (auto [i, first] : llvm::enumerate(firsts))
        text += copies->name("ld") + copies->list(i * copies->width) +
                (", [$" + Twine(here) + " + " + Twine(copies->columnOf(first)) + "];\n\t").str();
      text += "tcgen05.wait::ld.sync.aligned;\n\ttcgen05.fence::before_thread_sync;";
      Type word = e.intTy(32),
           result = here == 1 ? word : LLVM::LLVMStructType::getLiteral(e.context(), SmallVector<Type>(here, word));
      Value loaded = tcgen05Ptx(e, {result}, {address}, text, constraints + ",r")->getResult(0);
      for (auto [i, v] : llvm::enumerate(here == 1 ? SmallVector<Value>{loaded} : e.unpack(loaded)))
        values[firsts[i / copies->width] + i % copies->width] = e.bitcast(v, element);
    }
    for (Value &v : values)
      if (!v)
        v = LLVM::PoisonOp::create(e.b, e.loc, element);
    rewriter.replaceOp(op, e.pack(types().convertType(op.getType()), values));
    return success();
  }
};

/// 32 bits of neighbouring elements, the first in the lowest bits.
Value wordOf(Emitter &e, ArrayRef<Value> elements) {
  if (elements.size() == 1)
    return e.bitcast(elements.front(), e.intTy(32));
  Type vector = VectorType::get(elements.size(), elements.front().getType());
  Value word = LLVM::PoisonOp::create(e.b, e.loc, vector);
  for (auto [i, element] : llvm::enumerate(elements))
    word = LLVM::InsertElementOp::create(e.b, e.loc, word, element, e.i32(i));
  return e.bitcast(word, e.intTy(32));
}

/// Words of a part of sums that are multiplied where they are.
constexpr unsigned kPart = 64;
/// The same where others compute meanwhile, with the registers of the warps that multiply.
constexpr unsigned kPartBeside = 32;

/// Multiplies the words of a thread in tensor memory, part by part: it need not have all of them at once.
void changeSums(Emitter &e, Copies copies, Value address, unsigned most, bool pairs,
                function_ref<Value(unsigned)> factor) {
  const unsigned part = std::min(most, copies.count);
  copies.width = std::min(copies.width, part);
  for (unsigned first = 0; first < copies.count; first += part) {
    std::string load, store, results, operands = "r";
    for (unsigned i = 0; i < part; ++i) {
      results += i ? ",=r" : "=r";
      operands += ",r";
    }
    for (unsigned i = 0; i < part; i += copies.width) {
      load += copies.name("ld") + copies.list(i) +
              (", [$" + Twine(part) + " + " + Twine(copies.columnOf(first + i)) + "];\n\t").str();
      store += copies.name("st") + ("[$0 + " + Twine(copies.columnOf(first + i)) + "], ").str() + copies.list(1 + i) +
               ";\n\t";
    }
    Type result = LLVM::LLVMStructType::getLiteral(e.context(), SmallVector<Type>(part, e.intTy(32)));
    Value loaded =
        tcgen05Ptx(e, {result}, {address}, load + "tcgen05.wait::ld.sync.aligned;", results + ",r")->getResult(0);
    SmallVector<Value> sums, words{address};
    for (Value word : e.unpack(loaded))
      sums.push_back(e.bitcast(word, e.f32Ty()));
    for (unsigned i = 0; i < part; i += 2)
      if (pairs) {
        Value pair = LLVM::FMulOp::create(e.b, e.loc, packFloats(e, sums[i], sums[i + 1]),
                                          packFloats(e, factor(first + i), factor(first + i + 1)));
        sums[i] = unpackFloat(e, pair, 0);
        sums[i + 1] = unpackFloat(e, pair, 1);
      } else {
        sums[i] = LLVM::FMulOp::create(e.b, e.loc, sums[i], factor(first + i));
        sums[i + 1] = LLVM::FMulOp::create(e.b, e.loc, sums[i + 1], factor(first + i + 1));
      }
    for (Value sum : sums)
      words.push_back(e.bitcast(sum, e.intTy(32)));
    bool isLast = first + part >= copies.count;
    tcgen05Ptx(e, {}, words,
               store + (isLast ? "tcgen05.wait::st.sync.aligned;\n\ttcgen05.fence::before_thread_sync;" : ""),
               operands);
  }
}

/// Sums that are multiplied and put back (what tileas-place-sums makes of sums that change between products).
struct ChangeInTensorMemory : TilePattern<nv_tileas::ConvertLayoutOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(nv_tileas::ConvertLayoutOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getSource().getType());
    if (!nv_tileas::isIn(source, MemoryKind::Tensor) || !op->hasOneUse())
      return failure();
    auto product = dyn_cast<arith::MulFOp>(*op->user_begin());
    auto copy =
        product && product->hasOneUse() ? dyn_cast<nv_tileas::CopyOp>(*product->user_begin()) : nv_tileas::CopyOp();
    if (!copy || copy.getDest() != op.getSource() || !copy.getNoWarBarrier() || copy->hasAttr(nv_tileas::kAwaitsAttr) ||
        copy->hasAttr(nv_tileas::kEndsTurnAttr) || product.getFastmath() != arith::FastMathFlags::none ||
        !source.getElementType().isF32() || product->getBlock() != op->getBlock() || copy->getBlock() != op->getBlock())
      return failure();
    Value other = product.getLhs() == op.getResult() ? product.getRhs() : product.getLhs();
    Value factors = rewriter.getRemappedValue(other);
    FailureOr<Copies> copies = Copies::plan(op, op.getType(), source, /*packed=*/1);
    if (failed(copies) || !factors || copies->count <= kPart || factors.getType() != types().convertType(op.getType()))
      return failure();
    // Nothing but arithmetic in between, which may as well be done behind.
    for (Operation *at = op->getNextNode(); at != copy; at = at->getNextNode())
      if (at != product && !isMemoryEffectFree(at))
        return failure();
    Emitter e(rewriter, op.getLoc());
    if (ownerPredicate(e, nv_tileas::getLinearLayout(op.getType())))
      return failure();
    SmallVector<Value> each = e.unpack(factors);
    changeSums(e, *copies, copies->address(e, adaptor.getSource()), kPart, packsFloats(op, copies->count),
               [&](unsigned i) { return each[i]; });
    rewriter.eraseOp(copy);
    rewriter.eraseOp(product);
    rewriter.eraseOp(op);
    return success();
  }
};

/// One thread of the warp arrives at an mbarrier.
void arriveOnce(Emitter &e, Value barrier) {
  e.onlyIf(electedLane(e),
           [&](Emitter &one) { tcgen05Ptx(one, {}, {barrier}, "mbarrier.arrive.shared::cta.b64 _, [$0];", "r"); });
}

/// The same when all lanes have done what they had to.
void arriveOfWarp(Emitter &e, Value barrier) {
  NVVM::SyncWarpOp::create(e.b, e.loc, e.i32(-1));
  arriveOnce(e, barrier);
}

/// Into tensor memory.
struct StoreToTensorMemory : TilePattern<nv_tileas::CopyOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::CopyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getDest() || !nv_tileas::isIn(op.getDest().getType(), MemoryKind::Tensor))
      return failure();
    auto source = cast<RankedTensorType>(op.getSource().getType());
    FailureOr<Copies> copies = Copies::plan(op, source, cast<RankedTensorType>(op.getDest().getType()), /*packed=*/4);
    if (failed(copies))
      return failure();
    Emitter e(rewriter, op.getLoc());
    // With four warps a row is one thread's, whatever tile it is of, and who reads it without being a thread, a
    // product, is waited for by all of them.
    if (!op.getNoWarBarrier() && e.threads().numTileWarps() > 4) {
      e.barrier();
      afterThreadSync(e);
    }
    Value address = copies->address(e, adaptor.getDest());
    SmallVector<Value> words, elements = e.unpack(adaptor.getSource());
    for (unsigned first = 0; first < elements.size(); first += copies->together)
      words.push_back(wordOf(e, ArrayRef(elements).slice(first, copies->together)));
    // Warps that hold copies leave the writing to others; lanes never do.
    Value owner = ownerPredicate(e, nv_tileas::getLinearLayout(source));
    TensorMemory awaited;
    Value parity;
    if (auto number = op->getAttrOfType<IntegerAttr>(nv_tileas::kAwaitsAttr)) {
      awaited = TensorMemory::of(e, number.getInt());
      if (!awaited.base || !awaited.phase)
        return op.emitOpError("waits for a product that the kernel does not have");
      if (owner)
        awaited.wait(e);
      else // in the text of the first stores, whose operands have been computed then
        parity = awaited.nextParity(e);
    }
    e.onlyIf(owner, [&](Emitter &inner) {
      for (unsigned first = 0; first < copies->count; first += Copies::kMost) {
        unsigned here = std::min(Copies::kMost, copies->count - first);
        std::string text, constraints = "r";
        SmallVector<Value> operands{address};
        for (unsigned i = 0; i < here; ++i) {
          constraints += ",r";
          operands.push_back(words[first + i]);
        }
        if (first == 0 && parity) {
          text = TensorMemory::waitText(operands.size()) + "\n\t";
          operands.append({awaited.barrier, parity});
          constraints += ",r,r";
        }
        for (unsigned i = 0; i < here; i += copies->width)
          text += copies->name("st") + ("[$0 + " + Twine(copies->columnOf(first + i)) + "], ").str() +
                  copies->list(1 + i) + ";\n\t";
        tcgen05Ptx(inner, {}, operands, text + "tcgen05.wait::st.sync.aligned;\n\ttcgen05.fence::before_thread_sync;",
                   constraints);
      }
    });
    if (op->hasAttr(nv_tileas::kEndsTurnAttr))
      endTurn(e);
    rewriter.eraseOp(op);
    return success();
  }

  /// Arrives where the other warpgroup waits.
  static void endTurn(Emitter &e) {
    func::FuncOp func = functionAround(e);
    int64_t number = func->getAttrOfType<IntegerAttr>(nv_tileas::kTurnNumberAttr).getInt();
    int64_t each = func->getAttrOfType<IntegerAttr>(nv_tileas::kByWarpgroupAttr).getInt();
    TensorMemory memory = TensorMemory::of(e, number);
    // The barriers of the first warpgroup, then those of the other.
    Value step = e.mul(e.xori(multiplyingWarpgroup(e), e.i32(1)), e.i32(8 * each));
    Value own = e.mul(multiplyingWarpgroup(e), e.i32(8 * each));
    Value other = e.add(e.sub(memory.barrier, own), step);
    arriveOnce(e, other);
  }
};

/// The wait for a product that is in tensor memory.
struct WaitForProduct : TilePattern<nv_tileas::AwaitProductOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AwaitProductOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    TensorMemory memory = TensorMemory::of(e, op.getProduct());
    if (!memory.base || !memory.phase)
      return op.emitOpError("waits for a product that the kernel does not have");
    memory.wait(e, op.getBehindLoop());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Where the factor of a thread is.
Value factorAddress(Emitter &e, Value place, int32_t firstThread) {
  Value thread = e.threadId();
  if (firstThread)
    thread = e.add(thread, e.i32(firstThread));
  return e.offsetBytes(place, e.shl(thread, 2));
}

struct GiveFactorsLowering : TilePattern<nv_tileas::GiveFactorsOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::GiveFactorsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    TensorMemory given = TensorMemory::of(e, op.getNumber());
    if (!given.base || !given.phase || 32 * e.threads().numWarps != op.getFactors().getType().getNumElements())
      return op.emitOpError("is not lowered in a kernel without tensor memory, or by more threads than rows");
    LLVM::StoreOp::create(rewriter, op.getLoc(), e.unpack(adaptor.getFactors()).front(),
                          factorAddress(e, adaptor.getPlace(), 0));
    arriveOfWarp(e, given.barrier);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ScaleSumsLowering : TilePattern<nv_tileas::ScaleSumsOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::ScaleSumsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    auto registers = cast<RankedTensorType>(op.getRegisters());
    FailureOr<Copies> copies = Copies::plan(op, registers, op.getSums().getType(), /*packed=*/1);
    if (failed(copies))
      return failure();
    if (e.threads().numWarps != kWarpsOfTurn || e.threads().firstWarp % kWarpsOfTurn)
      return op.emitOpError("expects an agent of four warps, one warpgroup");
    TensorMemory given = TensorMemory::of(e, op.getNumber());
    if (!given.base || !given.phase)
      return op.emitOpError("is in a kernel that has no tensor memory");
    Value parity = given.nextParity(e);
    int32_t groups = registers.getDimSize(0) / (32 * kWarpsOfTurn);
    for (int32_t group = 0; group < groups; ++group) {
      tcgen05Ptx(e, {}, {TensorMemory::of(e, op.getNumber(), group).barrier, parity}, TensorMemory::waitText(0), "r,r");
      Value factor = LLVM::LoadOp::create(rewriter, op.getLoc(), e.f32Ty(),
                                          factorAddress(e, adaptor.getPlace(), 32 * kWarpsOfTurn * group));
      Value differs = LLVM::FCmpOp::create(rewriter, op.getLoc(), LLVM::FCmpPredicate::une, factor,
                                           e.constantFloat(e.f32Ty(), 1.0));
      Value any =
          NVVM::VoteSyncOp::create(rewriter, op.getLoc(), e.intTy(1), e.i32(-1), differs, NVVM::VoteSyncKind::any);
      e.onlyIf(any, [&](Emitter &inner) {
        changeSums(inner, *copies, copies->address(inner, adaptor.getSums(), kWarpsOfTurn * group), kPartBeside,
                   packsFloats(op, copies->count), [&](unsigned) { return factor; });
      });
      arriveOfWarp(e, TensorMemory::of(e, op.getNumber() + 1, group).barrier);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilellvm::populateTensorMemoryPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                            const LoweringOptions &options) {
  // Before the patterns for shared memory.
  patterns.add<AllocInTensorMemory, LoadFromTensorMemory, StoreToTensorMemory, WaitForProduct, GiveFactorsLowering,
               ScaleSumsLowering>(converter, patterns.getContext(), options, /*benefit=*/3);
  patterns.add<ChangeInTensorMemory>(converter, patterns.getContext(), options, /*benefit=*/4);
}
