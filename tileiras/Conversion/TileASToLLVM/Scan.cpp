//===- Scan.cpp - Inclusive prefixes along an axis ------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The axis coordinate is a string of bits, each of which is a register, lane or warp bit of the layout. They are
// worked through from the lowest to the highest. Before bit k, cut the axis into aligned blocks of 2^k elements; every element
// has
//
//     prefix   the combination of the elements of its block up to itself
//     total    the combination of the whole block, the same for all its elements
//
// and joining two neighbouring blocks is
//
//     in the later one    prefix = total(earlier) . prefix
//     in both             total  = total(earlier) . total(later)
//
// For a register bit both blocks are in the same thread; for a lane bit the totals come by a butterfly shuffle; neighbouring warp bits are
// done together, with the totals of all warps in the exchange buffer. The order of elements is kept, so the body need only be
// associative. A reverse scan reads every bit the other way round.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"
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
  if (!collect(flat.reg, AxisBit::Register) || !collect(flat.lane, AxisBit::Lane) ||
      !collect(flat.warp, AxisBit::Warp))
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

  void joinRegisters(unsigned bit);
  void joinLanes(unsigned bit);
  void joinWarps(ArrayRef<unsigned> bits);

  nv_tileas::ScanOp op;
  nv_tileas::ScanOp::Adaptor adaptor;
  const TileLLVMTypeConverter &types;
  ConversionPatternRewriter &rewriter;
  Emitter e;
  LinearLayout layout;
  FlatLayout flat;
  std::vector<Values> prefix;        ///< per register
  std::map<unsigned, Values> total; ///< per block, under its lowest register
  unsigned joined = 0;               ///< register bits already worked through
};

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
}

/// Neighbouring axis bits that are all warp bits, lowest first.
void ScanLowering::joinWarps(ArrayRef<unsigned> bits) {
  // One slot per block and warp: blocks that differ in anything but these bits are different. Lanes of one block hold the same total.
  unsigned laneCount = 1u << flat.lane.size(), warpCount = 1u << flat.warp.size(), parts = 1u << bits.size();
  Value base = exchangeAddress(e);
  Value lane = e.andi(e.lane(), e.i32(laneCount - 1)), warp = e.andi(e.warp(), e.i32(warpCount - 1));
  unsigned warpMask = 0;
  for (unsigned bit : bits)
    warpMask |= 1u << bit;
  unsigned slots = laneCount * warpCount;
  int64_t position = 0;
  std::map<unsigned, SmallVector<int64_t>> regions; // per block and operand: byte offset of its slots
  for (auto &[block, value] : total)
    for (Value v : value) {
      int64_t bytes = memoryBits(v.getType()) / 8;
      position = llvm::alignTo(position, bytes);
      regions[block].push_back(position);
      position += slots * bytes;
    }
  auto slotAddress = [&](Value warpId, int64_t region, Type type) {
    Value slot = e.add(e.mul(warpId, e.i32(laneCount)), lane);
    return e.offsetBytes(e.offsetBytes(base, region), e.mul(slot, e.i32(memoryBits(type) / 8)));
  };
  e.barrier(); // readers of the previous exchange are done
  for (auto &[block, value] : total)
    for (auto [v, region] : llvm::zip_equal(value, regions[block]))
      storeShared(e, slotAddress(warp, region, v.getType()), v);
  e.barrier();

  // My part among the warps, in scan order.
  Value rest = e.andi(warp, e.i32(~int64_t(warpMask)));
  Value mine = e.i32(0);
  for (auto [j, bit] : llvm::enumerate(bits))
    mine = e.ori(mine, e.shl(e.andi(e.lshr(warp, bit), e.i32(1)), j));
  if (op.getReverse())
    mine = e.sub(e.i32(parts - 1), mine);
  for (auto &[block, value] : total) {
    Values sum, before;
    for (unsigned part = 0; part < parts; ++part) {
      unsigned place = op.getReverse() ? parts - 1 - part : part, warpBits = 0;
      for (auto [j, bit] : llvm::enumerate(bits))
        if ((place >> j) & 1)
          warpBits |= 1u << bit;
      Values read;
      for (auto [v, region] : llvm::zip_equal(value, regions[block]))
        read.push_back(loadShared(e, slotAddress(e.ori(rest, e.i32(warpBits)), region, v.getType()), v.getType(), 1)
                           .front());
      if (part > 0) {
        Value isMine = e.icmp(LLVM::ICmpPredicate::eq, mine, e.i32(part));
        before = before.empty() ? sum : choose(isMine, sum, before);
        sum = combine(sum, read);
      } else {
        sum = read;
      }
    }
    Value isFirst = e.icmp(LLVM::ICmpPredicate::eq, mine, e.i32(0));
    for (unsigned r = 0; r < prefix.size(); ++r)
      if (blockOf(r) == block)
        prefix[r] = choose(isFirst, prefix[r], combine(before, prefix[r]));
    value = sum;
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
    total[r] = row;
  }
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
  int64_t most = 0;
  unsigned joinedRegisters = 0;
  for (const AxisBit &bit : *bits) {
    if (bit.kind == AxisBit::Register)
      ++joinedRegisters;
    if (bit.kind != AxisBit::Warp)
      continue;
    int64_t slots = int64_t(1) << (flat.lane.size() + flat.warp.size() + flat.reg.size() - joinedRegisters), bytes = 0;
    for (Value source : op.getSources())
      bytes += nv_tileas::getStorageBytes(elementOf(source.getType())) * slots + 8;
    most = std::max(most, bytes);
  }
  return most;
}

void tilellvm::populateScanPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                    const LoweringOptions &options) {
  patterns.add<Scan>(converter, patterns.getContext(), options);
}
