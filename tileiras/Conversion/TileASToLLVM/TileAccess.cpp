//===- TileAccess.cpp - Addresses and bounds of a tile --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/TileAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Dialect/TileAA/IR/Extents.h"
#include "tileiras/Support/LinearLayout.h"
#include <set>

using namespace mlir;
using namespace mlir::tilellvm;
using P = LLVM::ICmpPredicate;

MemRefParts::MemRefParts(Emitter &e, Value structure, nv_tileaa::MemRefType type) : type(type) {
  SmallVector<Value> fields = e.unpack(structure);
  base = fields.front();
  size_t next = 1;
  for (int64_t extent : type.getShape())
    sizes.push_back(ShapedType::isDynamic(extent) ? fields[next++] : Value());
  for (int64_t stride : type.getStrides())
    strides.push_back(ShapedType::isDynamic(stride) ? fields[next++] : Value());
}

SliceCoordinates::SliceCoordinates(Emitter &e, int axis, Value converted, RankedTensorType type,
                                   const LinearLayout &tile)
    : axis(axis) {
  SmallVector<Value> fields = e.unpack(converted);
  LinearLayout wanted = tile;
  for (int d = tile.numOuts() - 1; d >= 0; --d)
    if (d != axis)
      wanted = wanted.dropOutDim(d);
  // Passes keep the coordinates in this layout (getMemoryOperandLayout); the verifier of this stage has no say in it.
  auto map = mapRegisters(nv_tileas::getLinearLayout(type), wanted);
  if (!map)
    return;
  for (unsigned r : *map)
    ofRegister.push_back(fields[r]);
}

TileAccess::TileAccess(Emitter &e, nv_tileaa::TiledViewType view, Value viewStruct, Value viewValue, ValueRange indices,
                       std::optional<ArrayRef<bool>> inBounds, const LinearLayout &layout, unsigned elementBits,
                       unsigned vec, SliceCoordinates slices, ArrayRef<int32_t> comparisons)
    : e(e), view(view), memref(e, viewStruct, view.getSource()), thread(e, layout),
      bytes(std::max(1u, elementBits / 8)), slices(std::move(slices)), comparisons(comparisons) {
  unsigned rank = view.getRank();
  Value origin = memref.base;
  if (elementBits < 8) {
    // The base may be a high half itself.
    Nibble first = nibbleOf(e, memref.base);
    memref.base = first.byte;
    origin = LLVM::IntToPtrOp::create(e.b, e.loc, memref.base.getType(), e.resize(first.high, e.intTy(64)));
  }
  for (unsigned t = 0; t < rank; ++t) {
    unsigned d = view.getDimMap()[t];
    int64_t step = view.getTraversalStrides()[t], extent = view.getTileShape()[t];
    if (int(t) == this->slices.axis) {
      if (!inBounds || !(*inBounds)[t])
        axisExtent = memref.size(e, d);
      rest.push_back(Value());
      starts.push_back(Value());
      divisors.push_back(1);
      continue;
    }
    Value index = e.resize(indices[t], e.intTy(64));
    Value start = e.mul(index, e.i64(step));
    if (indices[t].getType().getIntOrFloatBitWidth() <= 32 && llvm::isPowerOf2_64(step) &&
        nv_tileaa::getExtentBits(viewValue, t) <= 32)
      tiles[t] = e.resize(indices[t], e.intTy(32));
    origin = e.offsetBytes(origin, e.mul(scaled(d), start));
    // A whole number of tiles: every tile inside the index space is inside the memref.
    int64_t divisor = nv_tileaa::getExtentDivisor(viewValue, t);
    bool whole = (inBounds && (*inBounds)[t]) || (step == extent && divisor % extent == 0);
    rest.push_back(whole ? Value() : e.sub(memref.size(e, d), start));
    starts.push_back(start);
    divisors.push_back(std::min(divisor, startDivisor(t, vec)));
  }
  // The thread's own part of the address, where it can be added.
  for (unsigned t = 0; t < rank; ++t)
    if (thread.isSum(t) && int(t) != this->slices.axis)
      origin = e.offsetBytes(origin, e.mul(scaled(view.getDimMap()[t]), e.resize(thread.threadPart(t), e.intTy(64))));
  base = origin;
  limits.resize(rank);
  chooseVectors(vec);
}

ArrayRef<bool> tilellvm::nearOf(Operation *op) {
  auto near = op->getAttrOfType<DenseBoolArrayAttr>(kNearAttr);
  return near ? near.asArrayRef() : ArrayRef<bool>();
}

Value TileAccess::limit(unsigned t) {
  if (!rest[t] || limits[t])
    return limits[t];
  auto number = tiles.find(t);
  if (number == tiles.end()) {
    Value cut = LLVM::SMaxOp::create(e.b, e.loc, rest[t], e.i64(0));
    cut = LLVM::SMinOp::create(e.b, e.loc, cut, e.i64(view.getTileShape()[t]));
    return limits[t] = e.resize(cut, e.intTy(32));
  }
  // Of less than 2^31 elements there are as many left as the low words say, if the tile is one of those that begin
  // before the end, whose number loops do not change.
  int64_t step = view.getTraversalStrides()[t];
  Value size = e.resize(memref.size(e, view.getDimMap()[t]), e.intTy(32));
  size = LLVM::SMaxOp::create(e.b, e.loc, size, e.i32(0));
  Value count = e.lshr(e.add(size, e.i32(step - 1)), llvm::Log2_64(step));
  Value left = e.sub(size, e.mul(number->second, e.i32(step)));
  return limits[t] = e.select(e.icmp(P::ult, number->second, count), left, e.i32(0));
}

Value TileAccess::signedLimit(unsigned t) {
  if (auto number = tiles.find(t); number != tiles.end() && rest[t] && t < near.size() && near[t])
    return e.sub(e.resize(memref.size(e, view.getDimMap()[t]), e.intTy(32)),
                 e.mul(number->second, e.i32(view.getTraversalStrides()[t])));
  return limit(t);
}

bool TileAccess::fewPlaces(unsigned t) const {
  // Of many accesses the numbers in 64 bits would take registers.
  constexpr size_t few = 2, fewAccesses = 4;
  if (narrow || groups.groups.size() > fewAccesses)
    return false;
  int64_t together = int(t) == contiguous && uniform ? groups.width : 1;
  std::set<int64_t> parts;
  for (unsigned r = 0; r < thread.numRegisters() && parts.size() <= few; ++r)
    parts.insert(thread.registerPart(t, r) / together);
  return parts.size() <= few;
}

Value TileAccess::cutsNone() {
  if (uniform)
    return {};
  // Of the tile's own elements.
  Value inside = LLVM::UMinOp::create(e.b, e.loc, limit(contiguous), e.i32(view.getTileShape()[contiguous]));
  return e.icmp(P::eq, e.andi(inside, e.i32(groups.width - 1)), e.i32(0));
}

TileAccess TileAccess::uncut() const {
  TileAccess other = *this;
  other.uniform = true;
  return other;
}

SmallVector<TileAccess::Piece> TileAccess::pieces(int32_t copies) {
  SmallVector<Piece> pieces;
  for (const SmallVector<unsigned> &group : groups.groups) {
    if (VectorGroups::commonBits(group) & copies)
      continue;
    unsigned r = group.front();
    Value at = address(r), first = predicate(r);
    if (uniform || !first) {
      pieces.push_back({at, first, group});
      continue;
    }
    Value whole = predicate(r, groups.width - 1);
    pieces.push_back({at, whole, group});
    Value cut = e.xori(whole, e.i1(true));
    for (unsigned j = 0; j < groups.width; ++j)
      pieces.push_back({e.offsetBytes(at, j * bytes), e.andi(cut, predicate(r, j)), {group[j]}});
  }
  return pieces;
}

SmallVector<Value> tilellvm::whereCut(Emitter &e, TileAccess &tile, TypeRange results,
                                      function_ref<SmallVector<Value>(Emitter &, TileAccess &)> access) {
  Value cutsNone = tile.cutsNone();
  if (!cutsNone)
    return access(e, tile);
  for (ArrayRef<unsigned> group : tile.groups.groups)
    tile.address(group.front()); // what both use is computed before
  TileAccess uncut = tile.uncut();
  return e.mostly(
      cutsNone, results, [&](Emitter &in) { return access(in, uncut); }, [&](Emitter &in) { return access(in, tile); });
}

Value TileAccess::address(unsigned r) {
  Value pointer = base;
  int64_t constant = 0;
  for (unsigned t = 0; t < rest.size(); ++t) {
    unsigned d = view.getDimMap()[t];
    if (int(t) == slices.axis) {
      Value coordinate = slices.ofRegister[r];
      Value &offset = sliceOffsets[coordinate.getAsOpaquePointer()];
      if (!offset)
        offset = e.mul(scaled(d), e.resize(coordinate, e.intTy(64)));
      pointer = e.offsetBytes(pointer, offset);
      continue;
    }
    if (!thread.isSum(t)) {
      pointer = e.offsetBytes(pointer, e.mul(scaled(d), e.resize(thread.coordinate(t, r), e.intTy(64))));
      continue;
    }
    uint64_t part = thread.registerPart(t, r);
    if (!memref.strides[d]) {
      constant += int64_t(part) * memref.type.getStrides()[d] * bytes;
    } else {
      pointer = stepAlong(t, part, pointer);
    }
  }
  return e.offsetBytes(pointer, constant);
}

Nibble TileAccess::nibble(unsigned r) {
  return nibbleAt(e, memref.base, LLVM::PtrToIntOp::create(e.b, e.loc, e.intTy(64), address(r)));
}

/// `part` steps along dimension t, one bit after the other: as many products with the stride as there are bits, and not
/// one for each place, all of which would be live in a loop.
Value TileAccess::stepAlong(unsigned t, uint64_t part, Value from) {
  if (part == 0)
    return from;
  if (auto found = steps.find({t, part, from.getAsOpaquePointer()}); found != steps.end())
    return found->second;
  uint64_t lowest = part & -part;
  Value before = stepAlong(t, part ^ lowest, from);
  Value &offset = offsets[{t, lowest}];
  if (!offset)
    offset = e.mul(scaled(view.getDimMap()[t]), e.i64(lowest));
  return steps[{t, part, from.getAsOpaquePointer()}] = e.offsetBytes(before, offset);
}

Value TileAccess::predicate(unsigned r, unsigned ahead) {
  Value all;
  if (axisExtent) {
    Value coordinate = slices.ofRegister[r];
    Value &inside = sliceInsides[coordinate.getAsOpaquePointer()];
    if (!inside)
      inside = e.icmp(P::ult, e.resize(coordinate, e.intTy(64)), axisExtent);
    all = inside;
  }
  for (unsigned t = 0; t < rest.size(); ++t)
    all = e.both(all, predicateAlong(t, r, int(t) == contiguous ? ahead : 0));
  return e.both(all, valid);
}

Value TileAccess::predicateAlong(unsigned t, unsigned r, unsigned shift) {
  if (!rest[t])
    return {};
  uint64_t key = thread.registerPart(t, r) + (uint64_t(shift) << 32);
  Value &inside = insides[{t, key}];
  if (inside)
    return inside;
  if (thread.isSum(t) && !limits[t] && fewPlaces(t)) {
    auto comparison = comparisons.empty() ? nv_tileaa::Comparison::Wide : nv_tileaa::Comparison(comparisons[t]);
    auto number = tiles.find(t);
    Value &place = places[t];
    if (comparison != nv_tileaa::Comparison::Wide && number != tiles.end()) {
      if (!place)
        place = e.add(e.mul(number->second, e.i32(view.getTraversalStrides()[t])), thread.threadPart(t));
      Value extent = e.resize(memref.size(e, view.getDimMap()[t]), e.intTy(32));
      return inside = e.icmp(comparison == nv_tileaa::Comparison::Signed ? P::slt : P::ult,
                             e.add(place, e.i32(thread.registerPart(t, r) + shift)), extent);
    }
    // start + thread < extent - constant, whose right side loops do not change.
    if (!place)
      place = e.add(starts[t], LLVM::ZExtOp::create(e.b, e.loc, e.intTy(64), thread.threadPart(t)));
    Value extent = memref.size(e, view.getDimMap()[t]);
    inside = e.icmp(P::slt, place, e.sub(extent, e.i64(thread.registerPart(t, r) + shift)));
  } else if (thread.isSum(t)) {
    // thread + constant < limit as constant < limit - thread: one register for all accesses, and immediates.
    Value &left = room[t];
    if (!left)
      left = e.sub(signedLimit(t), thread.threadPart(t));
    inside = e.icmp(P::sgt, left, e.i32(thread.registerPart(t, r) + shift));
  } else {
    Value coordinate = thread.coordinate(t, r);
    if (shift)
      coordinate = e.add(coordinate, e.i32(shift));
    inside = e.icmp(P::ult, coordinate, limit(t));
  }
  return inside;
}

Value TileAccess::isInside() {
  Value all;
  for (unsigned t = 0; t < rest.size(); ++t)
    if (rest[t])
      all = e.both(all, e.icmp(P::sge, rest[t], e.i64(view.getTileShape()[t])));
  return e.both(all, valid);
}

Value TileAccess::elementsInside(unsigned r) {
  Value width = e.i32(groups.width);
  if (uniform || !rest[contiguous]) {
    Value inside = predicate(r);
    return inside ? e.select(inside, width, e.i32(0)) : Value();
  }
  Value left = e.sub(limit(contiguous), thread.coordinate(contiguous, r));
  left = LLVM::SMinOp::create(e.b, e.loc, LLVM::SMaxOp::create(e.b, e.loc, left, e.i32(0)), width);
  Value others = valid;
  for (unsigned t = 0; t < rest.size(); ++t)
    if (int(t) != contiguous)
      others = e.both(others, predicateAlong(t, r, 0));
  return others ? e.select(others, left, e.i32(0)) : left;
}

Value TileAccess::scaled(unsigned d) {
  Value &value = byteStrides[d];
  if (!value)
    value = memref.strides[d] ? e.mul(memref.strides[d], e.i64(bytes)) : e.i64(memref.type.getStrides()[d] * bytes);
  return value;
}

/// A power of two that divides the first coordinate of the tile. That of a gather is the index itself: `vec` says what
/// is known of it.
int64_t TileAccess::startDivisor(unsigned t, unsigned vec) const {
  int64_t step = view.getTraversalStrides()[t];
  return slices.axis >= 0 ? std::max<int64_t>(step & -step, llvm::bit_floor(vec)) : step & -step;
}

/// Neighbouring elements lie in the tile dimension whose memref stride is 1.
void TileAccess::chooseVectors(unsigned vec) {
  for (unsigned t = 0; t < rest.size(); ++t)
    if (memref.type.getStrides()[view.getDimMap()[t]] == 1 && int(t) != slices.axis)
      contiguous = t;
  unsigned width = contiguous < 0 ? 1 : std::min<unsigned>(vec, 16 / bytes);
  if (contiguous >= 0)
    width = std::min<int64_t>(llvm::bit_floor(width), startDivisor(contiguous, vec));
  FlatLayout::Field field = contiguous < 0 ? FlatLayout::Field{0, 0} : thread.layout().dims[contiguous];
  groups = vectorGroups(thread.layout(), field, std::max(width, 1u));
  if (groups.width > 1 && rest[contiguous])
    uniform = divisors[contiguous] % groups.width == 0;
}
