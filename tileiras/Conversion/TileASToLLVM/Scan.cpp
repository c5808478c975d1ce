//===- Scan.cpp - Inclusive prefixes along an axis ------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The axis coordinate is a string of bits, each of which is a register, lane or warp bit of the layout. They are
// worked through from the lowest to the highest. Before bit k, cut the axis into aligned blocks of 2^k elements; every
// element has
//
//     prefix   the combination of the elements of its block up to itself
//     total    the combination of the whole block, the same for all its elements
//
// and joining two neighbouring blocks is
//
//     in the later one    prefix = total(earlier) . prefix
//     in both             total  = total(earlier) . total(later)
//
// For a register bit both blocks are in the same thread; for a lane bit the totals come by a butterfly shuffle;
// neighbouring warp bits are done together, with the totals of all warps in the exchange buffer, some blocks at a time.
// The order of elements is kept, so the body need only be associative. A reverse scan reads every bit the other way
// round.
//
// The first element is not x but body(identity, x), as in the reference: an identity need not be one for every value
// (Reduce.cpp).
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"
#include "tileiras/Support/LinearLayout.h"
#include <map>

using namespace mlir;
using namespace mlir::tilellvm;

namespace {

using Values = SmallVector<Value>;

/// Who provides a bit of the axis coordinate.
struct AxisBit {
  enum Kind { Register, Lane, Warp } kind;
  unsigned bit;
};

/// What goes through the exchange buffer together: for some blocks and operands the totals of all warps.
struct ExchangeRound {
  struct Item {
    unsigned block, operand;
    int64_t offset; ///< of its slots
  };
  SmallVector<Item> items;
  int64_t bytes = 0;
};

/// Values of `sizes` bytes for each of so many blocks, in `slots` places each, as many at a time as a buffer of 16 KiB
/// takes. The larger ones come first: without holes between them, loads of several at once read nothing that nobody has
/// written.
std::vector<ExchangeRound> exchangeRounds(ArrayRef<int64_t> sizes, unsigned blocks, int64_t slots) {
  constexpr int64_t most = 16 * 1024;
  std::vector<ExchangeRound> rounds;
  for (unsigned block = 0; block < blocks; ++block)
    for (auto [operand, size] : llvm::enumerate(sizes)) {
      if (rounds.empty() || rounds.back().bytes + slots * size > most)
        rounds.emplace_back();
      rounds.back().items.push_back({block, unsigned(operand), 0});
      rounds.back().bytes += slots * size;
    }
  for (ExchangeRound &round : rounds) {
    int64_t offset = 0;
    for (int64_t size = most; size > 0; size /= 2)
      for (ExchangeRound::Item &item : round.items)
        if (sizes[item.operand] == size) {
          item.offset = offset;
          offset += slots * size;
        }
  }
  return rounds;
}

/// The providers of all axis bits, lowest first; nothing if the layout mixes bits.
std::optional<SmallVector<AxisBit>> axisBits(const FlatLayout &flat, FlatLayout::Field axis) {
  SmallVector<std::optional<AxisBit>> found(axis.bits);
  auto collect = [&](ArrayRef<uint64_t> bases, AxisBit::Kind kind) {
    for (auto [bit, basis] : llvm::enumerate(bases)) {
      uint64_t part = axis.of(basis);
      if (!part)
        continue;
      unsigned position = llvm::countr_zero(part);
      if (basis != part << axis.shift || !llvm::isPowerOf2_64(part) || found[position])
        return false;
      found[position] = AxisBit{kind, unsigned(bit)};
    }
    return true;
  };
  if (!collect(flat.reg, AxisBit::Register) || !collect(flat.lane, AxisBit::Lane) || !collect(flat.warp, AxisBit::Warp))
    return std::nullopt;
  SmallVector<AxisBit> result;
  for (const std::optional<AxisBit> &bit : found) {
    if (!bit)
      return std::nullopt;
    result.push_back(*bit);
  }
  return result;
}

class ScanLowering {
public:
  ScanLowering(nv_tileas::ScanOp op, nv_tileas::ScanOp::Adaptor adaptor, const TileLLVMTypeConverter &types,
               ConversionPatternRewriter &rewriter)
      : op(op), adaptor(adaptor), types(types), rewriter(rewriter), e(rewriter, op.getLoc()),
        layout(nv_tileas::getLinearLayout(cast<RankedTensorType>(op.getSources().front().getType()))), flat(layout) {}

  LogicalResult run();

private:
  /// The body's arguments are (accumulator, element) per operand.
  Values combine(ArrayRef<Value> earlier, ArrayRef<Value> later) {
    Values arguments;
    for (auto [a, b] : llvm::zip_equal(earlier, later))
      arguments.append({a, b});
    return inlineBody(e, rewriter, op.getBody().front(), arguments);
  }
  Values choose(Value condition, ArrayRef<Value> a, ArrayRef<Value> b) {
    Values chosen;
    for (auto [x, y] : llvm::zip_equal(a, b))
      chosen.push_back(e.select(condition, x, y));
    return chosen;
  }
  /// Registers that stand for the block of register r.
  unsigned blockOf(unsigned r) const { return r & ~joined; }

  LogicalResult putIdentityFirst();
  void joinRegisters(unsigned bit);
  void joinLanes(unsigned bit);
  void joinWarps(ArrayRef<unsigned> bits);
  /// Some bits of a number, moved together.
  Value bitsOf(Value number, ArrayRef<unsigned> bits) {
    Value result = e.i32(0);
    for (auto [j, bit] : llvm::enumerate(bits))
      result = e.ori(result, e.shl(e.andi(e.lshr(number, bit), e.i32(1)), j));
    return result;
  }

  nv_tileas::ScanOp op;
  nv_tileas::ScanOp::Adaptor adaptor;
  const TileLLVMTypeConverter &types;
  ConversionPatternRewriter &rewriter;
  Emitter e;
  LinearLayout layout;
  FlatLayout flat;
  std::vector<Values> prefix;       ///< per register
  std::map<unsigned, Values> total; ///< per block, under its lowest register
  unsigned joined = 0;              ///< register bits already worked through
  unsigned joinedLanes = 0;         ///< lane bits, likewise
};

/// In the registers that may hold the first element.
LogicalResult ScanLowering::putIdentityFirst() {
  FailureOr<Values> identities = identityValues(e, op, op.getIdentities(), prefix.front());
  if (failed(identities))
    return failure();
  unsigned axis = op.getAxis();
  FlatLayout::Field field = flat.dims[axis];
  uint64_t registerBits = 0, allBits = (uint64_t(1) << field.bits) - 1;
  for (uint64_t basis : flat.reg)
    registerBits |= field.of(basis);
  uint64_t first = op.getReverse() ? allBits : 0;
  ThreadLayout thread(e, layout);
  Value isFirst;
  if (registerBits != allBits)
    isFirst = e.icmp(LLVM::ICmpPredicate::eq, thread.threadPart(axis), e.i32(first & ~registerBits));
  for (unsigned r = 0; r < prefix.size(); ++r) {
    if (thread.registerPart(axis, r) != (first & registerBits))
      continue;
    Values with = combine(*identities, prefix[r]);
    prefix[r] = isFirst ? choose(isFirst, with, prefix[r]) : with;
  }
  return success();
}

void ScanLowering::joinRegisters(unsigned bit) {
  unsigned mask = 1u << bit;
  std::map<unsigned, Values> next;
  for (unsigned r = 0; r < prefix.size(); ++r) {
    bool isLater = ((r & mask) != 0) != op.getReverse();
    if (isLater)
      prefix[r] = combine(total[blockOf(r ^ mask)], prefix[r]);
  }
  for (auto &[block, value] : total)
    if (!(block & mask))
      next[block] = op.getReverse() ? combine(total[block | mask], value) : combine(value, total[block | mask]);
  total = std::move(next);
  joined |= mask;
}

void ScanLowering::joinLanes(unsigned bit) {
  Value set = e.icmp(LLVM::ICmpPredicate::ne, e.andi(e.lane(), e.i32(1u << bit)), e.i32(0));
  Value isLater = op.getReverse() ? e.xori(set, e.i1(true)) : set;
  std::map<unsigned, Values> other;
  for (auto &[block, value] : total)
    for (Value v : value)
      other[block].push_back(e.shuffleXor(v, 1u << bit));
  for (unsigned r = 0; r < prefix.size(); ++r)
    prefix[r] = choose(isLater, combine(other[blockOf(r)], prefix[r]), prefix[r]);
  for (auto &[block, value] : total)
    value = combine(choose(isLater, other[block], value), choose(isLater, value, other[block]));
  joinedLanes |= 1u << bit;
}

/// Neighbouring axis bits that are all warp bits, lowest first.
void ScanLowering::joinWarps(ArrayRef<unsigned> bits) {
  // One slot per block, warp and lane: blocks that differ in anything but these bits are different. Lanes of one block
  // hold the same total, so one of them writes it.
  SmallVector<unsigned> apart;
  for (unsigned bit = 0; bit < flat.lane.size(); ++bit)
    if (!((joinedLanes >> bit) & 1))
      apart.push_back(bit);
  unsigned warpCount = 1u << flat.warp.size(), parts = 1u << bits.size();
  Value base = exchangeAddress(e, op);
  Value lane = bitsOf(e.lane(), apart), warp = e.andi(e.warp(), e.i32(warpCount - 1));
  Value writes;
  if (joinedLanes)
    writes = e.icmp(LLVM::ICmpPredicate::eq, e.andi(e.lane(), e.i32(joinedLanes)), e.i32(0));
  if (int32_t copies = warpsWithCopies(e.threads(), layout))
    writes = e.both(writes, e.icmp(LLVM::ICmpPredicate::eq, e.andi(e.warp(), e.i32(copies)), e.i32(0)));
  unsigned warpMask = 0;
  for (unsigned bit : bits)
    warpMask |= 1u << bit;

  // My part among the warps, in scan order.
  Value rest = e.andi(warp, e.i32(~int64_t(warpMask)));
  Value mine = bitsOf(warp, bits);
  if (op.getReverse())
    mine = e.sub(e.i32(parts - 1), mine);
  SmallVector<Value> slots; // of all parts in scan order, then my own
  for (unsigned part = 0; part < parts; ++part) {
    unsigned place = op.getReverse() ? parts - 1 - part : part, warpBits = 0;
    for (auto [j, bit] : llvm::enumerate(bits))
      if ((place >> j) & 1)
        warpBits |= 1u << bit;
    slots.push_back(e.add(e.shl(e.ori(rest, e.i32(warpBits)), apart.size()), lane));
  }
  Value ownSlot = e.add(e.shl(warp, apart.size()), lane);
  Value isFirst = e.icmp(LLVM::ICmpPredicate::eq, mine, e.i32(0));
  SmallVector<Value> isMine;
  for (unsigned part = 0; part < parts; ++part)
    isMine.push_back(part == 0 ? isFirst : e.icmp(LLVM::ICmpPredicate::eq, mine, e.i32(part)));

  SmallVector<int64_t> sizes;
  for (Value v : total.begin()->second)
    sizes.push_back(memoryBits(v.getType()) / 8);
  SmallVector<unsigned> blocks;
  for (auto &[block, value] : total)
    blocks.push_back(block);
  std::vector<Values> read; // of the current block: per operand the totals of all parts
  for (const ExchangeRound &round : exchangeRounds(sizes, blocks.size(), int64_t(warpCount) << apart.size())) {
    e.barrier(); // readers of the previous exchange are done
    e.onlyIf(writes, [&](Emitter &inner) {
      for (const ExchangeRound::Item &item : round.items) {
        Value v = total[blocks[item.block]][item.operand];
        storeShared(
            inner,
            inner.offsetBytes(inner.offsetBytes(base, item.offset), inner.mul(ownSlot, inner.i32(sizes[item.operand]))),
            v);
      }
    });
    e.barrier();
    for (const ExchangeRound::Item &item : round.items) {
      unsigned block = blocks[item.block];
      Type type = total[block][item.operand].getType();
      Values &column = read.emplace_back();
      for (Value slot : slots)
        column.push_back(
            loadShared(e, e.offsetBytes(e.offsetBytes(base, item.offset), e.mul(slot, e.i32(sizes[item.operand]))),
                       type, 1)
                .front());
      if (read.size() < sizes.size())
        continue;
      Values sum, before;
      for (unsigned part = 0; part < parts; ++part) {
        Values row;
        for (const Values &values : read)
          row.push_back(values[part]);
        if (part > 0) {
          before = before.empty() ? sum : choose(isMine[part], sum, before);
          sum = combine(sum, row);
        } else {
          sum = row;
        }
      }
      for (unsigned r = 0; r < prefix.size(); ++r)
        if (blockOf(r) == block)
          prefix[r] = choose(isFirst, prefix[r], combine(before, prefix[r]));
      total[block] = sum;
      read.clear();
    }
  }
}

LogicalResult ScanLowering::run() {
  FlatLayout::Field axis = flat.dims[op.getAxis()];
  std::optional<SmallVector<AxisBit>> bits = axisBits(flat, axis);
  if (!bits)
    return op.emitOpError("layout of the operand is not supported along this axis");
  std::vector<Values> columns;
  for (Value source : adaptor.getSources())
    columns.push_back(e.unpack(source));
  for (unsigned r = 0; r < flat.numRegisters(); ++r) {
    Values &row = prefix.emplace_back();
    for (const Values &column : columns)
      row.push_back(column[r]);
    if (llvm::any_of(row, [](Value v) { return memoryBits(v.getType()) == 0; }))
      return op.emitOpError("of these elements is not supported");
  }
  if (failed(putIdentityFirst()))
    return failure();
  for (unsigned r = 0; r < flat.numRegisters(); ++r)
    total[r] = prefix[r];
  for (size_t i = 0; i < bits->size(); ++i) {
    switch ((*bits)[i].kind) {
    case AxisBit::Register:
      joinRegisters((*bits)[i].bit);
      break;
    case AxisBit::Lane:
      joinLanes((*bits)[i].bit);
      break;
    case AxisBit::Warp: {
      SmallVector<unsigned> run = {(*bits)[i].bit};
      while (i + 1 < bits->size() && (*bits)[i + 1].kind == AxisBit::Warp)
        run.push_back((*bits)[++i].bit);
      joinWarps(run);
      break;
    }
    }
  }
  Values packed;
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Values column;
    for (const Values &row : prefix)
      column.push_back(row[i]);
    packed.push_back(e.pack(types.convertType(result.getType()), column));
  }
  rewriter.replaceOp(op, packed);
  return success();
}

struct Scan : TilePattern<nv_tileas::ScanOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::ScanOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    for (Value v : op.getSources())
      if (!types().convertType(v.getType()))
        return rewriter.notifyMatchFailure(op, "operand type has no conversion");
    return ScanLowering(op, adaptor, types(), rewriter).run();
  }
};

} // namespace

int64_t tilellvm::scanExchangeBytes(nv_tileas::ScanOp op) {
  FlatLayout flat(nv_tileas::getLinearLayout(cast<RankedTensorType>(op.getSources().front().getType())));
  std::optional<SmallVector<AxisBit>> bits = axisBits(flat, flat.dims[op.getAxis()]);
  if (!bits)
    return 0;
  SmallVector<int64_t> sizes;
  for (Value source : op.getSources())
    sizes.push_back(nv_tileas::getStorageBytes(elementOf(source.getType())));
  int64_t most = 0;
  unsigned registers = flat.reg.size(), lanes = flat.lane.size();
  for (const AxisBit &bit : *bits) {
    registers -= bit.kind == AxisBit::Register;
    lanes -= bit.kind == AxisBit::Lane;
    if (bit.kind == AxisBit::Warp)
      for (const ExchangeRound &round :
           exchangeRounds(sizes, 1u << registers, int64_t(1) << (lanes + flat.warp.size())))
        most = std::max(most, round.bytes);
  }
  return most;
}

void tilellvm::populateScanPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                    const LoweringOptions &options) {
  patterns.add<Scan>(converter, patterns.getContext(), options);
}
