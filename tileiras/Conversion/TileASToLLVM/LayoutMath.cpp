//===- LayoutMath.cpp - Linear layouts as run-time values -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/LayoutMath.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/F2Basis.h"
#include "tileiras/Support/LinearLayout.h"
#include <map>

using namespace mlir;
using namespace mlir::tilellvm;

FlatLayout::FlatLayout(const LinearLayout &layout) {
  auto take = [&](tileiras::DimName name) {
    std::vector<uint64_t> bases = layout.flatBases(name);
    return SmallVector<uint64_t>(bases.begin(), bases.end());
  };
  reg = take(tileiras::kRegister);
  lane = take(tileiras::kLane);
  warp = take(tileiras::kWarp);
  block = take(tileiras::kBlock);
  unsigned shift = layout.totalOutBits();
  for (tileiras::DimName name : layout.outNames()) {
    unsigned bits = layout.outBits(name);
    shift -= bits;
    dims.push_back({shift, bits});
  }
}

uint64_t FlatLayout::ofRegister(unsigned r) const {
  uint64_t value = 0;
  for (auto [bit, basis] : llvm::enumerate(reg))
    if ((r >> bit) & 1)
      value ^= basis;
  return value;
}

uint64_t FlatLayout::threadBits() const {
  uint64_t bits = 0;
  for (ArrayRef<uint64_t> list : {ArrayRef(lane), ArrayRef(warp), ArrayRef(block)})
    for (uint64_t basis : list)
      bits |= basis;
  return bits;
}

FlatLayout::Field FlatLayout::whole() const { return {0, dims.empty() ? 0 : dims.front().shift + dims.front().bits}; }

Value ThreadLayout::part(FlatLayout::Field field, Value &cache) {
  if (cache)
    return cache;
  Value sum;
  auto addInput = [&](ArrayRef<uint64_t> bases, function_ref<Value()> input) {
    // Input bits that move by the same distance are moved together: distance -> mask of input bits.
    std::map<int, uint32_t> moves;
    for (auto [bit, basis] : llvm::enumerate(bases)) {
      uint64_t value = field.of(basis);
      for (unsigned k = 0; k < field.bits; ++k)
        if ((value >> k) & 1)
          moves[int(k) - int(bit)] |= 1u << bit;
    }
    if (moves.empty())
      return;
    Value in = input();
    uint32_t all = (uint64_t(1) << bases.size()) - 1;
    for (auto [distance, mask] : moves) {
      Value term = in;
      // The warp id has no bits above the layout's, so its full mask is free; so is the lane's.
      if (mask != all)
        term = e.andi(in, e.i32(mask));
      term = distance >= 0 ? e.shl(term, distance) : e.lshr(term, -distance);
      sum = sum ? e.xori(sum, term) : term;
    }
  };
  addInput(flat.lane, [&] { return e.lane(); });
  addInput(flat.warp, [&] {
    // A layout may span fewer warps than the block has (a tile that one agent works on).
    return e.andi(e.warp(), e.i32((1 << flat.warp.size()) - 1));
  });
  addInput(flat.block, [&] { return e.block(); });
  return cache = sum ? sum : e.i32(0);
}

Value ThreadLayout::threadPart(unsigned dim) { return part(flat.dims[dim], parts[dim]); }
Value ThreadLayout::threadFlat() { return part(flat.whole(), parts.back()); }

static uint64_t registerBits(const FlatLayout &flat) {
  uint64_t bits = 0;
  for (uint64_t basis : flat.reg)
    bits |= basis;
  return bits;
}

bool ThreadLayout::isSum(unsigned dim) const {
  return (flat.dims[dim].of(flat.threadBits()) & flat.dims[dim].of(registerBits(flat))) == 0;
}

Value ThreadLayout::join(Value thread, uint64_t constant, FlatLayout::Field field) {
  if (constant == 0)
    return thread;
  if ((field.of(flat.threadBits()) & constant) == 0)
    return e.add(thread, e.i32(constant));
  return e.xori(thread, e.i32(constant));
}

Value ThreadLayout::coordinate(unsigned dim, unsigned r) {
  return join(threadPart(dim), registerPart(dim, r), flat.dims[dim]);
}

Value ThreadLayout::flatIndex(unsigned r) { return join(threadFlat(), flat.ofRegister(r), flat.whole()); }

Value TileAddresses::of(Emitter &e, unsigned r) {
  const FlatLayout &flat = thread.layout();
  uint64_t part = thread.registerPart(0, r), crossed = part & flat.dims[0].of(flat.threadBits());
  auto found = llvm::find_if(crossing, [&](auto &entry) { return entry.first == crossed; });
  if (found == crossing.end()) {
    if (!scaled)
      scaled = e.mul(thread.threadPart(0), e.i32(bytes));
    Value offset = crossed ? e.xori(scaled, e.i32(int64_t(crossed) * bytes)) : scaled;
    crossing.push_back({crossed, e.offsetBytes(base, offset)});
    found = std::prev(crossing.end());
  }
  return e.offsetBytes(found->second, int64_t(part ^ crossed) * bytes);
}

VectorGroups tilellvm::vectorGroups(const FlatLayout &layout, FlatLayout::Field field, unsigned maxWidth) {
  SmallVector<unsigned> bits;
  uint64_t chosen = 0;
  for (unsigned i = 0; i < field.bits && (2u << i) <= maxWidth; ++i) {
    auto found = llvm::find(layout.reg, uint64_t(1) << (field.shift + i));
    if (found == layout.reg.end())
      break;
    bits.push_back(found - layout.reg.begin());
    chosen |= uint64_t(1) << bits.back();
  }
  // Other registers may permute what is inside an access (a swizzle); other threads may not.
  uint64_t low = 0;
  for (ArrayRef<uint64_t> list : {ArrayRef(layout.lane), ArrayRef(layout.warp), ArrayRef(layout.block)})
    for (uint64_t basis : list)
      low |= field.of(basis);
  while (!bits.empty() && (low & ((1u << bits.size()) - 1))) {
    chosen &= ~(uint64_t(1) << bits.back());
    bits.pop_back();
  }
  VectorGroups result;
  result.width = 1u << bits.size();
  for (unsigned r = 0; r < layout.numRegisters(); ++r) {
    if (r & chosen)
      continue;
    uint64_t first = field.of(layout.ofRegister(r)) & (result.width - 1);
    SmallVector<unsigned> &group = result.groups.emplace_back();
    for (unsigned j = 0; j < result.width; ++j) {
      unsigned member = r;
      for (auto [i, bit] : llvm::enumerate(bits))
        if (((j ^ first) >> i) & 1)
          member |= 1u << bit;
      group.push_back(member);
    }
  }
  return result;
}

unsigned tilellvm::pointersTogether(const LinearLayout &layout, std::optional<uint32_t> vec, unsigned bits) {
  if (!vec)
    return 1;
  FlatLayout flat(layout);
  for (FlatLayout::Field field : flat.dims) {
    unsigned width = std::min<unsigned>({*vec, 128 / bits, flat.numRegisters()});
    VectorGroups groups = vectorGroups(flat, field, llvm::bit_floor(width));
    // Neighbours in the tile must be neighbouring registers, too.
    if (groups.width > 1 && llvm::all_of(groups.groups, [&](ArrayRef<unsigned> group) {
          return group.back() == group.front() + groups.width - 1;
        }))
      return groups.width;
  }
  return 1;
}

int32_t tilellvm::warpsWithCopies(const nv_tileas::ExecutionContext &threads, const LinearLayout &layout) {
  if (!threads.isDeclared)
    return 0;
  int32_t warps = 1 << layout.inBits(tileiras::kWarp), all = llvm::bit_ceil(uint32_t(threads.numTileWarps()));
  return all > warps ? all - warps : 0;
}

Value tilellvm::ownerPredicate(Emitter &e, const LinearLayout &layout) {
  tileiras::OwnerMask mask = tileiras::ownerMask(layout);
  mask.warp |= warpsWithCopies(e.threads(), layout);
  Value predicate;
  auto mustBeZero = [&](int32_t bits, function_ref<Value()> in) {
    if (bits)
      predicate = e.both(predicate, e.icmp(LLVM::ICmpPredicate::eq, e.andi(in(), e.i32(bits)), e.i32(0)));
  };
  mustBeZero(mask.lane, [&] { return e.lane(); });
  mustBeZero(mask.warp, [&] { return e.warp(); });
  mustBeZero(mask.block, [&] { return e.block(); });
  return predicate;
}

bool tilellvm::isReplicated(const LinearLayout &layout) { return !tileiras::ownerMask(layout).everyThread(); }

std::optional<SmallVector<unsigned>> tilellvm::mapRegisters(const LinearLayout &source, const LinearLayout &wanted) {
  if (source.totalOutBits() != wanted.totalOutBits())
    return std::nullopt;
  FlatLayout from(source), to(wanted);
  // A layout may leave out trailing inputs that have no effect (warps of a small tile).
  auto agree = [](ArrayRef<uint64_t> a, ArrayRef<uint64_t> b) {
    for (size_t i = 0, e = std::max(a.size(), b.size()); i < e; ++i)
      if ((i < a.size() ? a[i] : 0) != (i < b.size() ? b[i] : 0))
        return false;
    return true;
  };
  if (!agree(from.lane, to.lane) || !agree(from.warp, to.warp) || !agree(from.block, to.block))
    return std::nullopt;
  tileiras::F2Basis basis(std::vector<uint64_t>(from.reg.begin(), from.reg.end()));
  SmallVector<uint64_t> combination;
  for (uint64_t b : to.reg) {
    std::optional<uint64_t> solved = basis.solve(b);
    if (!solved)
      return std::nullopt;
    combination.push_back(*solved);
  }
  SmallVector<unsigned> map(to.numRegisters());
  for (unsigned r = 0; r < map.size(); ++r)
    for (size_t bit = 0; bit < combination.size(); ++bit)
      if ((r >> bit) & 1)
        map[r] ^= combination[bit];
  return map;
}

std::optional<SmallVector<unsigned>> tilellvm::registersOfBlock(RankedTensorType source, RankedTensorType block,
                                                                ArrayRef<int32_t> origin) {
  LinearLayout layout = nv_tileas::getLinearLayout(source), wanted = nv_tileas::getLinearLayout(block);
  uint64_t first = 0; // the flat coordinate
  for (auto [d, extent] : llvm::enumerate(source.getShape())) {
    wanted = wanted.resizeOutDim(d, extent);
    first = first * extent + origin[d];
  }
  FlatLayout from(layout);
  auto map = mapRegisters(layout, wanted);
  for (unsigned r = 0; map && r < from.numRegisters(); ++r)
    if (from.ofRegister(r) == first) {
      for (unsigned &number : *map)
        number ^= r;
      return map;
    }
  return std::nullopt;
}
