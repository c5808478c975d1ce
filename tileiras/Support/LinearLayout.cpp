//===- LinearLayout.cpp - Where every element of a tile lives -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/LinearLayout.h"

#include "tileiras/Support/F2Basis.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tileiras {

/// Flat points are 64-bit words and F2Basis numbers 64 vectors; stay below both.
static constexpr int kMaxBits = 62;

static bool isPowerOfTwo(int32_t size) { return size > 0 && std::has_single_bit(uint32_t(size)); }
static int log2Exact(int32_t size) {
  assert(isPowerOfTwo(size) && "sizes of layouts are powers of two");
  return std::countr_zero(uint32_t(size));
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

std::optional<LinearLayout> LinearLayout::create(std::vector<InDim> inDims, std::vector<OutDim> outDims,
                                                 std::string *error) {
  auto fail = [&](std::string message) -> std::optional<LinearLayout> {
    if (error)
      *error = std::move(message);
    return std::nullopt;
  };
  LinearLayout result;
  int bits = 0;
  for (OutDim &out : outDims) {
    if (!isPowerOfTwo(out.size))
      return fail("size " + std::to_string(out.size) + " of '" + out.name.str() + "' is not a power of two");
    if (result.hasOut(out.name))
      return fail("output dimension '" + out.name.str() + "' occurs twice");
    bits += log2Exact(out.size);
    result.outs.push_back({out.name, log2Exact(out.size)});
  }
  if (bits > kMaxBits)
    return fail("more than 2^" + std::to_string(kMaxBits) + " output points");
  bits = 0;
  for (InDim &in : inDims) {
    if (result.hasIn(in.name))
      return fail("input dimension '" + in.name.str() + "' occurs twice");
    bits += int(in.bases.size());
    if (in.bases.size() > 31 || bits > kMaxBits)
      return fail("too many bits in input dimension '" + in.name.str() + "'");
    In flat{in.name, {}};
    for (const std::vector<int32_t> &basis : in.bases) {
      if (basis.size() != outDims.size())
        return fail("a basis of '" + in.name.str() + "' has " + std::to_string(basis.size()) +
                    " coordinates, expected " + std::to_string(outDims.size()));
      for (size_t i = 0; i < basis.size(); ++i)
        if (basis[i] < 0 || basis[i] >= outDims[i].size)
          return fail("coordinate " + std::to_string(basis[i]) + " of a basis of '" + in.name.str() +
                      "' is outside of its dimension of size " + std::to_string(outDims[i].size));
      flat.bases.push_back(result.flattenOut(basis));
    }
    result.ins.push_back(std::move(flat));
  }
  return result;
}

LinearLayout::LinearLayout(std::vector<InDim> inDims, std::vector<OutDim> outDims) {
  std::optional<LinearLayout> made = create(std::move(inDims), std::move(outDims));
  assert(made && "not a layout: use LinearLayout::create for data from outside");
  *this = std::move(*made);
}

static std::vector<LinearLayout::OutDim> namedShape(const std::vector<int32_t> &shape) {
  std::vector<LinearLayout::OutDim> outs;
  for (size_t i = 0; i < shape.size(); ++i)
    outs.push_back({dimName(int(i)), shape[i]});
  return outs;
}

LinearLayout::LinearLayout(std::vector<InDim> inDims, const std::vector<int32_t> &shape)
    : LinearLayout(std::move(inDims), namedShape(shape)) {}

LinearLayout LinearLayout::identity1D(int32_t size, DimName in, DimName out) { return strided1D(size, 1, in, out); }

LinearLayout LinearLayout::strided1D(int32_t size, int32_t stride, DimName in, DimName out) {
  In dim{in, {}};
  int shift = log2Exact(stride), bits = log2Exact(size);
  for (int i = 0; i < bits; ++i)
    dim.bases.push_back(uint64_t(1) << (i + shift));
  return LinearLayout(Raw(), {std::move(dim)}, {{out, bits + shift}});
}

LinearLayout LinearLayout::zeros1D(int32_t size, DimName in, DimName out, int32_t outSize) {
  In dim{in, std::vector<uint64_t>(log2Exact(size), 0)};
  return LinearLayout(Raw(), {std::move(dim)}, {{out, log2Exact(outSize)}});
}

//===----------------------------------------------------------------------===//
// Inspection
//===----------------------------------------------------------------------===//

int LinearLayout::inIndex(DimName name) const {
  for (size_t i = 0; i < ins.size(); ++i)
    if (ins[i].name == name)
      return int(i);
  return -1;
}

int LinearLayout::outIndex(DimName name) const {
  for (size_t i = 0; i < outs.size(); ++i)
    if (outs[i].name == name)
      return int(i);
  return -1;
}

int LinearLayout::outShift(int index) const {
  int shift = 0;
  for (size_t i = index + 1; i < outs.size(); ++i)
    shift += outs[i].bits;
  return shift;
}

uint64_t LinearLayout::outMask(int index) const { return (uint64_t(1) << outs[index].bits) - 1; }

int32_t LinearLayout::outPart(uint64_t flat, int index) const {
  return int32_t((flat >> outShift(index)) & outMask(index));
}

std::vector<DimName> LinearLayout::inNames() const {
  std::vector<DimName> names;
  for (const In &in : ins)
    names.push_back(in.name);
  return names;
}

std::vector<DimName> LinearLayout::outNames() const {
  std::vector<DimName> names;
  for (const Out &out : outs)
    names.push_back(out.name);
  return names;
}

int LinearLayout::inBits(DimName name) const {
  int i = inIndex(name);
  return i < 0 ? 0 : int(ins[i].bases.size());
}

int LinearLayout::outBits(DimName name) const {
  int i = outIndex(name);
  return i < 0 ? 0 : outs[i].bits;
}

int32_t LinearLayout::inSize(DimName name) const { return int32_t(1) << inBits(name); }
int32_t LinearLayout::outSize(DimName name) const { return int32_t(1) << outBits(name); }

int LinearLayout::totalInBits() const {
  int bits = 0;
  for (const In &in : ins)
    bits += int(in.bases.size());
  return bits;
}

int LinearLayout::totalOutBits() const {
  int bits = 0;
  for (const Out &out : outs)
    bits += out.bits;
  return bits;
}

std::vector<int32_t> LinearLayout::shape() const {
  std::vector<int32_t> result;
  for (const Out &out : outs)
    result.push_back(int32_t(1) << out.bits);
  return result;
}

uint64_t LinearLayout::flatBasis(DimName in, int bit) const {
  int i = inIndex(in);
  assert(i >= 0 && bit >= 0 && bit < int(ins[i].bases.size()) && "no such input bit");
  return ins[i].bases[bit];
}

std::vector<int32_t> LinearLayout::basis(DimName in, int bit) const { return unflattenOut(flatBasis(in, bit)); }

int32_t LinearLayout::basis(DimName in, int bit, DimName out) const {
  int o = outIndex(out);
  assert(o >= 0 && "no such output");
  return outPart(flatBasis(in, bit), o);
}

std::vector<uint64_t> LinearLayout::flatBases(DimName in) const {
  int i = inIndex(in);
  return i < 0 ? std::vector<uint64_t>() : ins[i].bases;
}

std::vector<uint64_t> LinearLayout::flatBases() const {
  std::vector<uint64_t> all;
  for (const In &in : ins)
    all.insert(all.end(), in.bases.begin(), in.bases.end());
  return all;
}

int LinearLayout::rank() const { return F2Basis(flatBases()).rank(); }

bool LinearLayout::isZero(const std::vector<DimName> &inSubset, const std::vector<DimName> &outSubset) const {
  for (DimName in : inSubset)
    for (uint64_t basis : flatBases(in))
      for (DimName out : outSubset)
        if (int o = outIndex(out); o >= 0 && outPart(basis, o) != 0)
          return false;
  return true;
}

std::vector<std::pair<DimName, int32_t>> LinearLayout::freeVariableMasks(const std::vector<DimName> &order) const {
  std::vector<std::pair<DimName, int32_t>> masks;
  for (const In &in : ins)
    masks.emplace_back(in.name, 0);
  std::vector<int> sequence;
  for (DimName name : order)
    if (int i = inIndex(name); i >= 0)
      sequence.push_back(i);
  for (int i = 0; i < numIns(); ++i)
    if (std::find(sequence.begin(), sequence.end(), i) == sequence.end())
      sequence.push_back(i);
  F2Basis basis;
  for (int i : sequence)
    for (size_t bit = 0; bit < ins[i].bases.size(); ++bit)
      if (!basis.insert(ins[i].bases[bit]))
        masks[i].second |= int32_t(1) << bit;
  return masks;
}

//===----------------------------------------------------------------------===//
// Application
//===----------------------------------------------------------------------===//

uint64_t LinearLayout::applyFlat(uint64_t flatIn) const {
  uint64_t result = 0;
  for (const In &in : ins)
    for (uint64_t basis : in.bases) {
      if (flatIn & 1)
        result ^= basis;
      flatIn >>= 1;
    }
  return result;
}

uint64_t LinearLayout::flattenIn(const Point &point) const {
  uint64_t flat = 0;
  for (const auto &[name, value] : point) {
    int shift = 0, i = inIndex(name);
    assert(value >= 0 && value < inSize(name) && "input outside of its dimension");
    if (i < 0)
      continue; // a dimension that is not there has size 1
    for (int k = 0; k < i; ++k)
      shift += int(ins[k].bases.size());
    flat |= uint64_t(value) << shift;
  }
  return flat;
}

LinearLayout::Point LinearLayout::unflattenIn(uint64_t flat) const {
  Point point;
  for (const In &in : ins) {
    point.emplace_back(in.name, int32_t(flat & ((uint64_t(1) << in.bases.size()) - 1)));
    flat >>= in.bases.size();
  }
  return point;
}

uint64_t LinearLayout::flattenOut(const std::vector<int32_t> &coords) const {
  assert(coords.size() == outs.size() && "one coordinate per output");
  uint64_t flat = 0;
  for (size_t i = 0; i < outs.size(); ++i) {
    assert(uint64_t(coords[i]) <= outMask(int(i)) && "coordinate outside of its dimension");
    flat = (flat << outs[i].bits) | uint64_t(coords[i]);
  }
  return flat;
}

std::vector<int32_t> LinearLayout::unflattenOut(uint64_t flat) const {
  std::vector<int32_t> coords(outs.size());
  for (size_t i = outs.size(); i-- > 0;) {
    coords[i] = int32_t(flat & outMask(int(i)));
    flat >>= outs[i].bits;
  }
  return coords;
}

std::vector<int32_t> LinearLayout::coords(const Point &point) const {
  return unflattenOut(applyFlat(flattenIn(point)));
}

LinearLayout::Point LinearLayout::apply(const Point &point) const {
  std::vector<int32_t> values = coords(point);
  Point result;
  for (size_t i = 0; i < outs.size(); ++i)
    result.emplace_back(outs[i].name, values[i]);
  return result;
}

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

template <typename Fn> LinearLayout LinearLayout::mapBases(std::vector<Out> newOuts, Fn fn) const {
  std::vector<In> newIns = ins;
  for (In &in : newIns)
    for (uint64_t &basis : in.bases)
      basis = fn(basis);
  return LinearLayout(Raw(), std::move(newIns), std::move(newOuts));
}

LinearLayout operator*(const LinearLayout &a, const LinearLayout &b) {
  LinearLayout result;
  result.outs = a.outs;
  for (const LinearLayout::Out &out : b.outs) {
    if (int i = result.outIndex(out.name); i >= 0)
      result.outs[i].bits += out.bits;
    else
      result.outs.push_back(out);
  }
  auto append = [&](const LinearLayout &from, const LinearLayout *below) {
    for (const LinearLayout::In &in : from.ins) {
      int i = result.inIndex(in.name);
      if (i < 0) {
        i = result.numIns();
        result.ins.push_back({in.name, {}});
      }
      for (uint64_t basis : in.bases) {
        uint64_t moved = 0;
        for (int o = 0; o < from.numOuts(); ++o) {
          int target = result.outIndex(from.outs[o].name);
          int above = below ? below->outBits(from.outs[o].name) : 0;
          moved |= uint64_t(from.outPart(basis, o)) << (result.outShift(target) + above);
        }
        result.ins[i].bases.push_back(moved);
      }
    }
  };
  append(a, nullptr);
  append(b, &a);
  assert(result.totalInBits() <= kMaxBits && result.totalOutBits() <= kMaxBits && "layout too large");
  return result;
}

LinearLayout LinearLayout::compose(const LinearLayout &outer) const {
  assert(outer.numIns() == numOuts() && "compose: dimensions differ");
  return mapBases(outer.outs, [&](uint64_t basis) {
    Point point;
    for (int o = 0; o < numOuts(); ++o) {
      assert(outer.hasIn(outs[o].name) && outer.inBits(outs[o].name) >= outs[o].bits && "compose: dimensions differ");
      point.emplace_back(outs[o].name, outPart(basis, o));
    }
    return outer.applyFlat(outer.flattenIn(point));
  });
}

std::optional<LinearLayout> LinearLayout::pseudoInvert() const {
  F2Basis basis(flatBases());
  if (basis.rank() != totalOutBits())
    return std::nullopt;
  LinearLayout result;
  for (const In &in : ins)
    result.outs.push_back({in.name, int(in.bases.size())});
  for (int o = 0; o < numOuts(); ++o) {
    In dim{outs[o].name, {}};
    for (int bit = 0; bit < outs[o].bits; ++bit) {
      uint64_t flatIn = *basis.solve(uint64_t(1) << (outShift(o) + bit));
      std::vector<int32_t> coords;
      for (const auto &[name, value] : unflattenIn(flatIn))
        coords.push_back(value);
      dim.bases.push_back(result.flattenOut(coords));
    }
    result.ins.push_back(std::move(dim));
  }
  return result;
}

std::optional<LinearLayout> LinearLayout::invert() const { return isInjective() ? pseudoInvert() : std::nullopt; }

std::optional<LinearLayout> LinearLayout::invertAndCompose(const LinearLayout &other) const {
  assert(outs == other.outs && "invertAndCompose: outputs differ");
  F2Basis basis(other.flatBases());
  std::vector<Out> newOuts;
  for (const In &in : other.ins)
    newOuts.push_back({in.name, int(in.bases.size())});
  LinearLayout frame(Raw(), {}, newOuts);
  bool reached = true;
  LinearLayout result = mapBases(newOuts, [&](uint64_t v) -> uint64_t {
    std::optional<uint64_t> flatIn = basis.solve(v);
    if (!flatIn) {
      reached = false;
      return 0;
    }
    std::vector<int32_t> coords;
    for (const auto &[name, value] : other.unflattenIn(*flatIn))
      coords.push_back(value);
    return frame.flattenOut(coords);
  });
  if (!reached)
    return std::nullopt;
  return result;
}

std::optional<LinearLayout> LinearLayout::divideLeft(const LinearLayout &divisor) const {
  LinearLayout q;
  for (const Out &out : outs) {
    int taken = divisor.outBits(out.name);
    if (taken > out.bits)
      return std::nullopt;
    q.outs.push_back({out.name, out.bits - taken});
  }
  for (const Out &out : divisor.outs)
    if (!hasOut(out.name))
      return std::nullopt;
  for (const In &in : divisor.ins)
    if (!hasIn(in.name))
      return std::nullopt;
  for (const In &in : ins) {
    int taken = divisor.inBits(in.name);
    if (taken > int(in.bases.size()))
      return std::nullopt;
    In rest{in.name, {}};
    for (int bit = 0; bit < int(in.bases.size()); ++bit) {
      std::vector<int32_t> above(outs.size());
      for (int o = 0; o < numOuts(); ++o) {
        int32_t value = outPart(in.bases[bit], o);
        int low = divisor.outBits(outs[o].name);
        if (bit < taken) {
          if (value != (divisor.hasOut(outs[o].name) ? divisor.basis(in.name, bit, outs[o].name) : 0))
            return std::nullopt;
        } else if (value & ((1 << low) - 1)) {
          return std::nullopt;
        }
        above[o] = value >> low;
      }
      if (bit >= taken)
        rest.bases.push_back(q.flattenOut(above));
    }
    q.ins.push_back(std::move(rest));
  }
  return q;
}

std::optional<LinearLayout> LinearLayout::quotient(const std::vector<DimName> &names) const {
  auto named = [&](DimName name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  for (DimName name : names)
    if (!hasIn(name) || !hasOut(name) || inBits(name) != outBits(name))
      return std::nullopt;
  std::vector<DimName> restIns, restOuts;
  for (const Out &out : outs)
    if (!named(out.name))
      restOuts.push_back(out.name);
  for (const In &in : ins) {
    if (!named(in.name)) {
      restIns.push_back(in.name);
      if (!isZero({in.name}, names))
        return std::nullopt;
      continue;
    }
    for (size_t bit = 0; bit < in.bases.size(); ++bit)
      if (in.bases[bit] != uint64_t(1) << (outShift(outIndex(in.name)) + int(bit)))
        return std::nullopt;
  }
  return sublayout(restIns, restOuts);
}

//===----------------------------------------------------------------------===//
// Reshaping
//===----------------------------------------------------------------------===//

LinearLayout LinearLayout::removeZeroBasesAlongDim(DimName in) const {
  LinearLayout result = *this;
  if (int i = inIndex(in); i >= 0)
    std::erase(result.ins[i].bases, uint64_t(0));
  return result;
}

LinearLayout LinearLayout::removeRedundantBasesAlongDim(DimName in) const {
  LinearLayout result = *this;
  if (int i = inIndex(in); i >= 0) {
    F2Basis basis;
    std::erase_if(result.ins[i].bases, [&](uint64_t v) { return !basis.insert(v); });
  }
  return result;
}

LinearLayout LinearLayout::transposeOuts(const std::vector<int32_t> &perm) const {
  assert(perm.size() == outs.size() && "one entry per output");
  std::vector<Out> newOuts;
  for (size_t i = 0; i < perm.size(); ++i)
    newOuts.push_back({outs[i].name, outs[perm[i]].bits});
  LinearLayout frame(Raw(), {}, newOuts);
  return mapBases(newOuts, [&](uint64_t basis) {
    std::vector<int32_t> old = unflattenOut(basis), moved(perm.size());
    for (size_t i = 0; i < perm.size(); ++i)
      moved[i] = old[perm[i]];
    return frame.flattenOut(moved);
  });
}

LinearLayout LinearLayout::reshapeOuts(const std::vector<int32_t> &newShape) const {
  std::vector<Out> newOuts;
  for (size_t i = 0; i < newShape.size(); ++i)
    newOuts.push_back({dimName(int(i)), log2Exact(newShape[i])});
  LinearLayout result(Raw(), ins, newOuts);
  assert(result.totalOutBits() == totalOutBits() && "reshape keeps the number of elements");
  return result;
}

void LinearLayout::renumber(std::vector<Out> &outs) {
  for (const Out &out : outs)
    if (!out.name.isTileDim())
      return;
  for (size_t i = 0; i < outs.size(); ++i)
    outs[i].name = dimName(int(i));
}

LinearLayout LinearLayout::dropOutDim(int index) const {
  assert(index >= 0 && index < numOuts() && "no such output");
  std::vector<Out> newOuts = outs;
  newOuts.erase(newOuts.begin() + index);
  renumber(newOuts);
  int shift = outShift(index), bits = outs[index].bits;
  uint64_t low = (uint64_t(1) << shift) - 1;
  return mapBases(newOuts, [&](uint64_t v) { return (v & low) | ((v >> (shift + bits)) << shift); });
}

LinearLayout LinearLayout::resizeOutDim(int index, int32_t newSize) const {
  assert(index >= 0 && index < numOuts() && "no such output");
  std::vector<Out> newOuts = outs;
  newOuts[index].bits = log2Exact(newSize);
  LinearLayout frame(Raw(), {}, newOuts);
  return mapBases(newOuts, [&](uint64_t basis) {
    std::vector<int32_t> coords = unflattenOut(basis);
    coords[index] &= newSize - 1;
    return frame.flattenOut(coords);
  });
}

LinearLayout LinearLayout::sublayout(const std::vector<DimName> &inSubset,
                                     const std::vector<DimName> &outSubset) const {
  std::vector<int> keep;
  LinearLayout result;
  for (DimName name : outSubset) {
    int o = outIndex(name);
    assert(o >= 0 && "no such output");
    keep.push_back(o);
    result.outs.push_back(outs[o]);
  }
  for (DimName name : inSubset) {
    int i = inIndex(name);
    assert(i >= 0 && "no such input");
    In dim{name, {}};
    for (uint64_t basis : ins[i].bases) {
      std::vector<int32_t> coords;
      for (int o : keep)
        coords.push_back(outPart(basis, o));
      dim.bases.push_back(result.flattenOut(coords));
    }
    result.ins.push_back(std::move(dim));
  }
  return result;
}

LinearLayout LinearLayout::concatIns(const LinearLayout &other) const {
  assert(outs == other.outs && "concatIns: outputs differ");
  LinearLayout result = *this;
  for (const In &in : other.ins) {
    assert(!hasIn(in.name) && "concatIns: input in both");
    result.ins.push_back(in);
  }
  return result;
}

LinearLayout LinearLayout::concatOuts(const LinearLayout &other) const {
  assert(numIns() == other.numIns() && "concatOuts: inputs differ");
  LinearLayout result = *this;
  for (const Out &out : other.outs) {
    assert(!hasOut(out.name) && "concatOuts: output in both");
    result.outs.push_back(out);
  }
  for (int i = 0; i < numIns(); ++i) {
    assert(ins[i].name == other.ins[i].name && ins[i].bases.size() == other.ins[i].bases.size() &&
           "concatOuts: inputs differ");
    for (size_t bit = 0; bit < ins[i].bases.size(); ++bit)
      result.ins[i].bases[bit] = (ins[i].bases[bit] << other.totalOutBits()) | other.ins[i].bases[bit];
  }
  return result;
}

LinearLayout LinearLayout::extendIn(DimName in, const std::vector<uint64_t> &flat) const {
  LinearLayout result = *this;
  int i = inIndex(in);
  if (i < 0) {
    i = numIns();
    result.ins.push_back({in, {}});
  }
  result.ins[i].bases.insert(result.ins[i].bases.end(), flat.begin(), flat.end());
  assert(result.totalInBits() <= kMaxBits && "layout too large");
  return result;
}

LinearLayout LinearLayout::renameIn(DimName from, DimName to) const {
  LinearLayout result = *this;
  int i = inIndex(from);
  assert(i >= 0 && (from == to || !hasIn(to)) && "renameIn: no such input, or the new name is taken");
  result.ins[i].name = to;
  return result;
}

LinearLayout LinearLayout::renameOut(DimName from, DimName to) const {
  LinearLayout result = *this;
  int o = outIndex(from);
  assert(o >= 0 && (from == to || !hasOut(to)) && "renameOut: no such output, or the new name is taken");
  result.outs[o].name = to;
  return result;
}

LinearLayout LinearLayout::transposeIns(const std::vector<DimName> &order) const {
  assert(int(order.size()) == numIns() && "one entry per input");
  return sublayout(order, outNames());
}

//===----------------------------------------------------------------------===//
// Value semantics
//===----------------------------------------------------------------------===//

bool LinearLayout::operator==(const LinearLayout &other) const { return ins == other.ins && outs == other.outs; }

size_t LinearLayout::hash() const {
  uint64_t h = 0xcbf29ce484222325u; // FNV-1a
  auto mix = [&](uint64_t v) { h = (h ^ v) * 0x100000001b3u; };
  for (const In &in : ins) {
    mix(in.name.number());
    for (uint64_t basis : in.bases) {
      mix(basis & 0xffffffffu);
      mix(basis >> 32);
    }
    mix(in.bases.size());
  }
  for (const Out &out : outs) {
    mix(out.name.number());
    mix(uint64_t(out.bits));
  }
  return size_t(h ^ (h >> 29));
}

std::string LinearLayout::toString() const {
  std::string text;
  for (const In &in : ins) {
    text += in.name.str() + ":";
    for (size_t bit = 0; bit < in.bases.size(); ++bit) {
      text += " " + std::to_string(uint64_t(1) << bit) + "->(";
      std::vector<int32_t> coords = unflattenOut(in.bases[bit]);
      for (size_t i = 0; i < coords.size(); ++i)
        text += (i ? ", " : "") + std::to_string(coords[i]);
      text += ")";
    }
    text += "\n";
  }
  text += "to";
  for (size_t i = 0; i < outs.size(); ++i)
    text += (i ? " x " : " ") + outs[i].name.str() + ":" + std::to_string(int64_t(1) << outs[i].bits);
  return text + "\n";
}

} // namespace tileiras
