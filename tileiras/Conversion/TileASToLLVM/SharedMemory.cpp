//===- SharedMemory.cpp - Tiles in shared memory --------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A shared layout maps offsets to coordinates, a register layout maps (register, lane, warp) to coordinates; the second
// followed by the inverse of the first is a map from (register, lane, warp) to offsets, swizzle included, and
// everything else is a matter of evaluating it and finding registers that lie next to each other.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/MatrixStore.h"
#include "tileiras/Support/ByteTurn.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LinearLayout.h"
#include <map>
#include <memory>

using namespace mlir;
using namespace mlir::tilellvm;

Value tilellvm::sharedAddress(Emitter &e, int64_t offset) {
  Operation *func = e.b.getInsertionBlock()->getParentOp();
  while (func && !func->hasAttr(kSmemSymbolAttr))
    func = func->getParentOp();
  assert(func && "shared memory was not planned");
  StringRef name = func->getAttrOfType<FlatSymbolRefAttr>(kSmemSymbolAttr).getValue();
  Value base = LLVM::AddressOfOp::create(e.b, e.loc, e.ptrTy(kShared), name);
  return e.offsetBytes(base, offset);
}

/// The offsets as a layout with the one output "offset".
static std::optional<LinearLayout> offsetsOf(const LinearLayout &registers, const LinearLayout &memory) {
  std::optional<LinearLayout> offsets = registers.invertAndCompose(memory);
  if (!offsets)
    return std::nullopt;
  return offsets->sublayout(offsets->inNames(), {tileiras::kOffset});
}

/// Bytes of an access that a plan allows.
static unsigned planBytes(std::optional<nv_tileas::AtomPlanAttr> plan) { return plan ? plan->getVectorBytes() : 16; }

SmallVector<Value> tilellvm::loadSharedTile(Emitter &e, Value base, const LinearLayout &offsets, Type element,
                                            unsigned maxBytes) {
  unsigned bytes = memoryBits(element) / 8;
  TileAddresses addresses(e, offsets, base, bytes);
  const FlatLayout &flat = addresses.layout().layout();
  VectorGroups groups = vectorGroups(flat, flat.dims[0], std::max(1u, maxBytes / bytes));
  SmallVector<Value> values(flat.numRegisters());
  for (ArrayRef<unsigned> group : groups.groups)
    for (auto [r, value] : llvm::zip_equal(group, loadShared(e, addresses.of(e, group.front()), element, groups.width)))
      values[r] = value;
  return values;
}

namespace {

struct AllocTensor : TilePattern<nv_tileas::AllocTensorOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AllocTensorOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!nv_tileas::isIn(op.getType(), nv_tileas::MemoryKind::Shared))
      return failure();
    if (!op.getOffset())
      return op.emitOpError("has no offset in shared memory");
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, sharedAddress(e, *op.getOffset()));
    return success();
  }
};

/// What follows the writes of a copy into a shared tile.
void finish(Emitter &e, nv_tileas::CopyOp op) {
  // Behind its own writes, before the barrier: the fence of a thread orders what that thread wrote.
  if (op->hasAttr(nv_tileas::kAsyncProxyAttr))
    e.asyncProxyFence();
  if (!op->hasAttr(nv_tileas::kNoRawBarrierAttr))
    e.barrier();
}

/// copy into a shared tile: owners write, between two barriers.
struct CopyToShared : TilePattern<nv_tileas::CopyOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::CopyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getDest() || op.getResult() || !nv_tileas::isIn(op.getDest().getType(), nv_tileas::MemoryKind::Shared))
      return failure();
    auto source = cast<RankedTensorType>(op.getSource().getType());
    Type element = types().convertElementType(source.getElementType());
    unsigned bits = element ? memoryBits(element) : 0;
    if (!bits)
      return op.emitOpError("of elements of ") << source.getElementType() << " is not supported";
    LinearLayout layout = nv_tileas::getLinearLayout(source),
                 memory = nv_tileas::getLinearLayout(cast<RankedTensorType>(op.getDest().getType()));
    auto offsets = offsetsOf(layout, memory);
    if (!offsets)
      return op.emitOpError("destination does not hold every element of the source");
    Emitter e(rewriter, op.getLoc());
    if (Attribute atom = op->getAttr(nv_tileas::kStoreAtomAttr)) {
      auto stsm = dyn_cast<nv_tileas::StsmAttr>(atom);
      if (!stsm || failed(bits == 8 ? storeTurned(e, op, adaptor, stsm, layout, memory)
                                    : storeMatrices(e, op, adaptor, stsm, source, memory)))
        return op.emitOpError("cannot be written by ") << atom;
      rewriter.eraseOp(op);
      return success();
    }
    TileAddresses addresses(e, *offsets, adaptor.getDest(), bits / 8);
    const FlatLayout &flat = addresses.layout().layout();
    VectorGroups groups = vectorGroups(flat, flat.dims[0], std::max(1u, planBytes(op.getAtomPlan()) * 8 / bits));
    SmallVector<Value> fields = e.unpack(adaptor.getSource());
    tileiras::OwnerMask mask = tileiras::ownerMask(layout, /*withinCta=*/true);
    Value owns = ownerPredicate(e, layout);
    if (!op.getNoWarBarrier())
      e.barrier();
    e.onlyIf(owns, [&](Emitter &inner) {
      for (ArrayRef<unsigned> group : groups.groups) {
        if (VectorGroups::commonBits(group) & mask.registers)
          continue;
        SmallVector<Value> values;
        for (unsigned r : group)
          values.push_back(fields[r]);
        storeShared(inner, addresses.of(inner, group.front()), values);
      }
    });
    finish(e, op);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// By stmatrix: each lane gives the address of a row, and what it holds of all of them.
  LogicalResult storeMatrices(Emitter &e, nv_tileas::CopyOp op, OpAdaptor adaptor, nv_tileas::StsmAttr atom,
                              RankedTensorType source, const LinearLayout &memory) const {
    std::optional<tileiras::MatrixFetch> rows = nv_tileas::getMatrixStore(source, atom.getTransposed());
    if (!rows || rows->matrices() != atom.getMatrices())
      return failure();
    auto places = offsetsOf(rows->rows, memory);
    if (!places || !rows->readsFrom(*places))
      return failure();
    TileAddresses addresses(e, *places, adaptor.getDest(), /*elementBytes=*/2);
    SmallVector<Value> fields = e.unpack(adaptor.getSource());
    std::string name = "llvm.nvvm.stmatrix.sync.aligned.m8n8.x" + std::to_string(rows->matrices()) +
                       (rows->transposed ? ".trans" : "") + ".b16.p3";
    if (!op.getNoWarBarrier())
      e.barrier();
    for (int instruction = 0; instruction < 1 << rows->otherBits.size(); ++instruction) {
      SmallVector<Value> operands = {addresses.of(e, unsigned(instruction) << rows->rowBits)};
      for (int matrix = 0; matrix < rows->matrices(); ++matrix) {
        Value pair = LLVM::PoisonOp::create(e.b, e.loc, VectorType::get(2, fields.front().getType()));
        for (int i = 0; i < 2; ++i)
          pair = LLVM::InsertElementOp::create(e.b, e.loc, pair, fields[rows->registerOf(instruction, matrix, i)],
                                               e.i32(i));
        operands.push_back(e.bitcast(pair, e.intTy(32)));
      }
      LLVM::CallIntrinsicOp::create(e.b, e.loc, e.b.getStringAttr(name), operands);
    }
    finish(e, op);
    return success();
  }

  /// Bytes by stmatrix, as pairs that prmt puts together of two rows (ByteTurn.h).
  LogicalResult storeTurned(Emitter &e, nv_tileas::CopyOp op, OpAdaptor adaptor, nv_tileas::StsmAttr atom,
                            const LinearLayout &held, const LinearLayout &memory) const {
    std::optional<tileiras::ByteStore> store = tileiras::byteStore(held);
    if (!store || !atom.getTransposed() || store->rows.matrices() != atom.getMatrices())
      return failure();
    const tileiras::MatrixFetch &rows = store->rows;
    auto places = offsetsOf(rows.rows, memory);
    if (!places || !rows.readsFrom(*places))
      return failure();
    TileAddresses addresses(e, *places, adaptor.getDest(), /*elementBytes=*/1);
    SmallVector<Value> fields = e.unpack(adaptor.getSource());
    auto wordAt = [&](int32_t first) { return wordsOfElements(e, ArrayRef(fields).slice(first, 4)).front(); };
    Value odd = e.icmp(LLVM::ICmpPredicate::ne, e.andi(e.lane(), e.i32(1)), e.i32(0));
    Value lower = e.i32(0x5140), upper = e.i32(0x7362);
    Value selectors[] = {e.select(odd, upper, lower), e.select(odd, lower, upper)};
    std::string name = "llvm.nvvm.stmatrix.sync.aligned.m8n8.x" + std::to_string(rows.matrices()) + ".trans.b16.p3";
    if (!op.getNoWarBarrier())
      e.barrier();
    for (int instruction = 0; instruction < 1 << rows.otherBits.size(); ++instruction) {
      SmallVector<Value> operands = {addresses.of(e, unsigned(instruction) << rows.rowBits)};
      for (int matrix = 0; matrix < rows.matrices(); ++matrix) {
        int32_t first = rows.registerOf(instruction, matrix & ~1, 0);
        operands.push_back(e.intrinsic("llvm.nvvm.prmt", e.intTy(32),
                                       {wordAt(first), wordAt(first | 1 << store->rowBit), selectors[matrix & 1]}));
      }
      LLVM::CallIntrinsicOp::create(e.b, e.loc, e.b.getStringAttr(name), operands);
    }
    finish(e, op);
    return success();
  }
};

/// copy by way of a shared tile that holds a part of it: in each round the threads write what they have of one part and
/// read what they want of it (ConvertPlan.h, "Rounds").
struct CopyInRounds : TilePattern<nv_tileas::CopyOp> {
  using TilePattern::TilePattern;

  /// Which registers belong to which round, in which threads.
  struct Turns {
    ThreadLayout number;
    VectorGroups groups;
    Emitter &e;

    Turns(Emitter &e, const LinearLayout &rounds, const FlatLayout &offsets, unsigned width) : number(e, rounds), e(e) {
      // An access must not reach into another round.
      bool apart = llvm::all_of(llvm::zip_equal(offsets.reg, number.layout().reg),
                                [](auto bases) { return std::get<0>(bases) == 0 || std::get<1>(bases) == 0; });
      groups = vectorGroups(offsets, offsets.dims[0], apart ? width : 1);
    }
    bool sameInAllThreads() const { return number.layout().threadBits() == 0; }
    /// Calls `body` with the accesses of each kind that may be this round's, and when they are (null: always).
    void inRound(unsigned round, function_ref<void(Value, ArrayRef<ArrayRef<unsigned>>)> body) {
      std::map<uint64_t, SmallVector<ArrayRef<unsigned>>> kinds;
      for (ArrayRef<unsigned> group : groups.groups)
        kinds[number.layout().ofRegister(group.front())].push_back(group);
      for (auto &[part, members] : kinds) {
        uint64_t wanted = part ^ round;
        if (sameInAllThreads() ? wanted == 0 : (wanted & ~number.layout().threadBits()) == 0)
          body(sameInAllThreads() ? Value() : e.icmp(LLVM::ICmpPredicate::eq, number.threadFlat(), e.i32(wanted)),
               members);
      }
    }
  };

  LogicalResult matchAndRewrite(nv_tileas::CopyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getDest() || !op.getResult())
      return failure();
    auto source = cast<RankedTensorType>(op.getSource().getType()),
         target = cast<RankedTensorType>(op.getResult().getType());
    auto part = cast<RankedTensorType>(op.getDest().getType());
    Type element = types().convertElementType(source.getElementType());
    unsigned bits = element ? memoryBits(element) : 0;
    if (!bits)
      return op.emitOpError("of elements of ") << source.getElementType() << " is not supported";
    LinearLayout from = nv_tileas::getLinearLayout(source), to = nv_tileas::getLinearLayout(target),
                 memory = nv_tileas::getLinearLayout(part);
    tileiras::ConvertRounds rounds =
        tileiras::cutIntoRounds(from, to, llvm::Log2_64(source.getNumElements() / part.getNumElements()));
    if (rounds.source.shape()[0] != part.getNumElements())
      return op.emitOpError("cannot be done in rounds of ") << part.getNumElements() << " elements";
    auto stored = offsetsOf(rounds.source, memory), loaded = offsetsOf(rounds.target, memory);
    if (!stored || !loaded)
      return op.emitOpError("destination does not hold every element of a round");
    Emitter e(rewriter, op.getLoc());
    TileAddresses storeTo(e, *stored, adaptor.getDest(), bits / 8), loadFrom(e, *loaded, adaptor.getDest(), bits / 8);
    Turns stores(e, rounds.sourceRound, storeTo.layout().layout(), 128 / bits);
    Turns loads(e, rounds.targetRound, loadFrom.layout().layout(), 128 / bits);
    int32_t copies = tileiras::ownerMask(from, /*withinCta=*/true).registers;
    Value owns = ownerPredicate(e, from);
    SmallVector<Value> fields = e.unpack(adaptor.getSource()), values(loadFrom.layout().numRegisters());
    // Addresses are the same in every round: here, where all rounds see them.
    for (auto [turns, where] : {std::pair(&stores, &storeTo), std::pair(&loads, &loadFrom)})
      for (ArrayRef<unsigned> group : turns->groups.groups)
        where->of(e, group.front());
    for (int round = 0; round < rounds.count(); ++round) {
      if (round > 0 || !op.getNoWarBarrier())
        e.barrier();
      stores.inRound(round, [&](Value mine, ArrayRef<ArrayRef<unsigned>> groups) {
        e.onlyIf(e.both(mine, owns), [&](Emitter &inner) {
          for (ArrayRef<unsigned> group : groups) {
            if (VectorGroups::commonBits(group) & copies)
              continue;
            SmallVector<Value> together;
            for (unsigned r : group)
              together.push_back(fields[r]);
            storeShared(inner, storeTo.of(inner, group.front()), together);
          }
        });
      });
      e.barrier();
      loads.inRound(round, [&](Value mine, ArrayRef<ArrayRef<unsigned>> groups) {
        for (ArrayRef<unsigned> group : groups)
          for (auto [r, value] :
               llvm::zip_equal(group, loadShared(e, loadFrom.of(e, group.front()), element, loads.groups.width)))
            values[r] = mine && values[r] ? e.select(mine, value, values[r]) : value;
      });
    }
    rewriter.replaceOp(op, e.pack(types().convertType(target), values));
    return success();
  }
};

/// The terminal convert_layout: out of shared memory.
struct LoadFromShared : TilePattern<nv_tileas::ConvertLayoutOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::ConvertLayoutOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getSource().getType());
    auto result = cast<RankedTensorType>(op.getType());
    if (!nv_tileas::isIn(source, nv_tileas::MemoryKind::Shared))
      return op.emitOpError("between register layouts must have been materialized");
    Type element = types().convertElementType(result.getElementType());
    if (!element || !memoryBits(element))
      return op.emitOpError("of elements of ") << result.getElementType() << " is not supported";
    Emitter e(rewriter, op.getLoc());
    if (Attribute atom = op->getAttr(nv_tileas::kLoadAtomAttr)) {
      // Words are written as soon as they are turned: all of them at once are too many beside the sums of large tiles.
      auto copy = dyn_cast_or_null<nv_tileas::CopyOp>(op->getNextNode());
      std::unique_ptr<TileAddresses> to;
      if (copy && copy.getSource() == op.getResult() && op.getResult().hasOneUse())
        to = placesOfWords(e, copy, rewriter.getRemappedValue(copy.getDest()));
      if (to && !copy.getNoWarBarrier())
        e.barrier();
      std::optional<SmallVector<Value>> turned =
          loadTurned(e, op, adaptor.getSource(), element, [&](unsigned first, ArrayRef<Value> word) {
            if (to)
              storeShared(e, to->of(e, first), word);
          });
      if (!turned)
        return op.emitOpError("cannot be read by ") << atom;
      if (to) {
        finish(e, copy);
        rewriter.eraseOp(copy);
        rewriter.eraseOp(op);
        return success();
      }
      rewriter.replaceOp(op, e.pack(types().convertType(result), *turned));
      return success();
    }
    auto offsets = offsetsOf(nv_tileas::getLinearLayout(result), nv_tileas::getLinearLayout(source));
    if (!offsets)
      return op.emitOpError("source does not hold every element of the result");
    SmallVector<Value> values = loadSharedTile(e, adaptor.getSource(), *offsets, element, planBytes(op.getAtomPlan()));
    rewriter.replaceOp(op, e.pack(types().convertType(result), values));
    return success();
  }

private:
  /// Where a copy writes words of four bytes that threads hold; none if it does not.
  static std::unique_ptr<TileAddresses> placesOfWords(Emitter &e, nv_tileas::CopyOp copy, Value dest) {
    if (!dest || !copy.getDest() || copy.getResult() || copy->hasAttr(nv_tileas::kStoreAtomAttr) ||
        !nv_tileas::isIn(copy.getDest().getType(), nv_tileas::MemoryKind::Shared))
      return nullptr;
    LinearLayout held = nv_tileas::getLinearLayout(cast<RankedTensorType>(copy.getSource().getType()));
    auto offsets = offsetsOf(held, nv_tileas::getLinearLayout(cast<RankedTensorType>(copy.getDest().getType())));
    if (!offsets || tileiras::ownerMask(held, /*withinCta=*/true).registers)
      return nullptr;
    // In order, and no swizzle inside a word.
    for (tileiras::DimName in : {tileiras::kRegister, tileiras::kLane, tileiras::kWarp})
      for (int bit = 0; bit < offsets->inBits(in); ++bit) {
        bool inWord = in == tileiras::kRegister && bit < 2;
        uint64_t basis = offsets->flatBasis(in, bit);
        if (inWord ? basis != uint64_t(1) << bit : (basis & 3) != 0)
          return nullptr;
      }
    return std::make_unique<TileAddresses>(e, *offsets, dest, /*bytes=*/1);
  }

  /// Bytes by ldmatrix, as pairs, and two prmt for each pair of matrices (ByteTurn.h). `word` is called for each word
  /// with the number of its first register.
  static std::optional<SmallVector<Value>> loadTurned(Emitter &e, nv_tileas::ConvertLayoutOp op, Value base,
                                                      Type element,
                                                      function_ref<void(unsigned, ArrayRef<Value>)> word) {
    auto atom = dyn_cast<nv_tileas::LdsmAttr>(op->getAttr(nv_tileas::kLoadAtomAttr));
    LinearLayout layout = nv_tileas::getLinearLayout(cast<RankedTensorType>(op.getType()));
    std::optional<tileiras::ByteTurn> turn = tileiras::byteTurn(layout);
    if (!atom || !atom.getTransposed() || !turn || memoryBits(element) != 8)
      return std::nullopt;
    const tileiras::MatrixFetch &fetch = turn->fetch;
    auto places = offsetsOf(fetch.rows, nv_tileas::getLinearLayout(cast<RankedTensorType>(op.getSource().getType())));
    int pairs = fetch.matrices(); // of matrices
    if (!places || !fetch.readsFrom(*places) || atom.getMatrices() != 2 * pairs)
      return std::nullopt;
    TileAddresses addresses(e, *places, base, /*elementBytes=*/1);
    Value even = e.i32(0x6420), odd = e.i32(0x7531);
    if (turn->alternates) {
      Value upper = e.icmp(LLVM::ICmpPredicate::ne, e.andi(e.lane(), e.i32(16)), e.i32(0));
      Value first = e.select(upper, odd, even);
      odd = e.select(upper, even, odd);
      even = first;
    }
    Type wordType = e.intTy(32);
    Type brought = LLVM::LLVMStructType::getLiteral(e.context(), SmallVector<Type>(2 * pairs, wordType));
    std::string name = "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x" + std::to_string(2 * pairs) + ".trans.b16.p3";
    SmallVector<Value> values(layout.inSize(tileiras::kRegister));
    for (int instruction = 0; instruction < 1 << fetch.otherBits.size(); ++instruction) {
      SmallVector<Value> words =
          e.unpack(e.intrinsic(name, brought, addresses.of(e, unsigned(instruction) << fetch.rowBits)));
      for (int pair = 0; pair < pairs; ++pair)
        for (int which = 0; which < 2; ++which) {
          Value turned =
              e.intrinsic("llvm.nvvm.prmt", wordType, {words[2 * pair], words[2 * pair + 1], which ? odd : even});
          int32_t first = fetch.registerOf(instruction, pair, which << turn->pairBit);
          SmallVector<Value> elements = elementsOfWords(e, turned, element);
          for (auto [i, value] : llvm::enumerate(elements))
            values[first | int32_t(i)] = value;
          word(unsigned(first), elements);
        }
    }
    return values;
  }
};

/// Evaluates constant xor (bases of the set lane and warp bits).
Value evaluate(Emitter &e, const tileiras::AffineBits &bits) {
  Value sum;
  auto addBits = [&](ArrayRef<int32_t> bases, Value in) {
    for (auto [bit, basis] : llvm::enumerate(bases)) {
      if (!basis)
        continue;
      // All ones where the bit is set.
      Value spread = e.sub(e.i32(0), e.andi(e.lshr(in, bit), e.i32(1)));
      Value term = e.andi(spread, e.i32(basis));
      sum = sum ? e.xori(sum, term) : term;
    }
  };
  addBits(bits.lane, e.lane());
  addBits(bits.warp, e.warp());
  if (!sum)
    return e.i32(bits.constant);
  return bits.constant ? e.xori(sum, e.i32(bits.constant)) : sum;
}

/// fields[index] where the index is only known at run time: a tree of selects over the bits that vary.
Value selectRegister(Emitter &e, ArrayRef<Value> fields, const tileiras::AffineBits &index) {
  if (index.isConstant())
    return fields[index.constant];
  int32_t varying = 0;
  for (int32_t basis : index.lane)
    varying |= basis;
  for (int32_t basis : index.warp)
    varying |= basis;
  Value run = evaluate(e, index);
  // Bits that do not vary are those of the constant.
  SmallVector<std::pair<int32_t, Value>> candidates;
  for (int32_t r = 0; r < int32_t(fields.size()); ++r)
    if ((r & ~varying) == (index.constant & ~varying))
      candidates.push_back({r, fields[r]});
  for (int bit = 0; (1 << bit) <= varying; ++bit) {
    if (!(varying & (1 << bit)))
      continue;
    Value set = e.icmp(LLVM::ICmpPredicate::ne, e.andi(run, e.i32(1 << bit)), e.i32(0));
    SmallVector<std::pair<int32_t, Value>> next;
    for (auto [r, value] : candidates)
      if (!(r & (1 << bit)))
        for (auto [other, otherValue] : candidates)
          if (other == (r | (1 << bit)))
            next.push_back({r, e.select(set, otherValue, value)});
    candidates = next;
  }
  return candidates.front().second;
}

/// shuffle: the rounds of the plan (ConvertPlan.h). In each, every lane offers one register and fetches one value.
struct Shuffle : TilePattern<nv_tileas::ShuffleOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::ShuffleOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getSource().getType());
    auto result = cast<RankedTensorType>(op.getType());
    tileiras::ConvertOptions options;
    options.elementBits = nv_tileas::getStorageBytes(source.getElementType()) * 8;
    options.allowSharedMemory = false;
    std::string error;
    auto plan =
        tileiras::planConvert(nv_tileas::getLinearLayout(source), nv_tileas::getLinearLayout(result), options, &error);
    if (!plan)
      return op.emitOpError("cannot be done by lane shuffles: ") << error;
    Emitter e(rewriter, op.getLoc());
    SmallVector<Value> fields = e.unpack(adaptor.getSource());
    unsigned count = nv_tileas::getLinearLayout(result).inSize(tileiras::kRegister);
    SmallVector<Value> values(count);
    switch (plan->kind) {
    case tileiras::ConvertKind::NoOp:
      values = fields;
      break;
    case tileiras::ConvertKind::SameThread:
      for (unsigned r = 0; r < count; ++r)
        values[r] = fields[plan->registerMap[r]];
      break;
    case tileiras::ConvertKind::SharedMemory:
      return op.emitOpError("cannot be done by lane shuffles");
    case tileiras::ConvertKind::IntraWarp:
      runRounds(e, *plan, fields, values);
      break;
    }
    rewriter.replaceOp(op, e.pack(types().convertType(result), values));
    return success();
  }

  static void runRounds(Emitter &e, const tileiras::ConvertPlan &plan, ArrayRef<Value> fields,
                        MutableArrayRef<Value> values) {
    // What each round delivers, and to which register: the target may depend on the thread as well.
    struct Delivered {
      Value value;
      const tileiras::AffineBits *target;
    };
    SmallVector<Delivered> delivered;
    for (const tileiras::ShuffleRound &round : plan.rounds) {
      Value offered = selectRegister(e, fields, round.sourceRegister);
      Value value;
      if (round.sourceLane.isLane())
        value = offered;
      else if (round.sourceLane.isLaneXor())
        value = e.shuffleXor(offered, round.sourceLane.constant);
      else
        value = e.shuffleIndex(offered, evaluate(e, round.sourceLane));
      delivered.push_back({value, &round.targetRegister});
    }
    for (unsigned r = 0; r < values.size(); ++r) {
      if (plan.copies[r] != int32_t(r))
        continue;
      Value value;
      for (const Delivered &d : delivered) {
        if (d.target->isConstant()) {
          if (d.target->constant == int32_t(r))
            value = d.value;
          continue;
        }
        int32_t varying = 0;
        for (int32_t basis : d.target->lane)
          varying |= basis;
        for (int32_t basis : d.target->warp)
          varying |= basis;
        if ((int32_t(r) & ~varying) != (d.target->constant & ~varying))
          continue;
        Value here = e.icmp(LLVM::ICmpPredicate::eq, evaluate(e, *d.target), e.i32(r));
        value = value ? e.select(here, d.value, value) : d.value;
      }
      values[r] = value;
    }
    for (unsigned r = 0; r < values.size(); ++r)
      if (plan.copies[r] != int32_t(r))
        values[r] = values[plan.copies[r]];
  }
};

} // namespace

void tilellvm::populateSharedMemoryPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                            const LoweringOptions &options) {
  patterns.add<AllocTensor, CopyToShared, CopyInRounds, LoadFromShared, Shuffle>(converter, patterns.getContext(),
                                                                                 options);
}
