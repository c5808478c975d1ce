//===- Array.cpp - Typed, strided host arrays --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Runtime/Array.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

using namespace tileiras;

std::vector<int64_t> Array::rowMajorStrides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= shape[i];
  }
  return strides;
}

Array Array::dense(DType type, std::vector<int64_t> shape) {
  std::vector<int64_t> strides = rowMajorStrides(shape);
  return strided(type, std::move(shape), std::move(strides), 0);
}

Array Array::strided(DType type, std::vector<int64_t> shape, std::vector<int64_t> strides, int64_t byteOffset) {
  Array array;
  array.type = type;
  int64_t extent = 1; // one past the last element
  for (size_t i = 0; i < shape.size(); ++i)
    extent = shape[i] == 0 ? 0 : extent == 0 ? 0 : extent + (shape[i] - 1) * strides[i];
  array.shape = std::move(shape);
  array.strides = std::move(strides);
  array.byteOffset = byteOffset;
  array.bytes.assign(size_t(byteOffset + storageBytes(type, extent)), 0);
  return array;
}

int64_t Array::numElements() const {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return count;
}

int64_t Array::elementOffset(const std::vector<int64_t> &index) const {
  int64_t offset = 0;
  for (size_t i = 0; i < index.size(); ++i)
    offset += index[i] * strides[i];
  return offset;
}

uint64_t Array::get(const std::vector<int64_t> &index) const { return getAtOffset(elementOffset(index)); }

void Array::set(const std::vector<int64_t> &index, uint64_t bits) { setAtOffset(elementOffset(index), bits); }

void Array::forEach(const std::function<void(const std::vector<int64_t> &, int64_t)> &visit) const {
  if (numElements() == 0)
    return;
  std::vector<int64_t> index(shape.size(), 0);
  for (;;) {
    visit(index, elementOffset(index));
    size_t d = shape.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1])
      index[--d] = 0;
    if (d == 0)
      return;
  }
}

Array Array::toDense() const {
  Array result = dense(type, shape);
  int64_t next = 0;
  forEach([&](const std::vector<int64_t> &, int64_t offset) { result.setAtOffset(next++, getAtOffset(offset)); });
  return result;
}

//===----------------------------------------------------------------------===//
// Filling
//===----------------------------------------------------------------------===//

RandomSource::RandomSource(uint64_t seed) {
  for (uint64_t &word : state) { // splitmix64
    seed += 0x9E3779B97F4A7C15;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    word = z ^ (z >> 31);
  }
}

uint64_t RandomSource::next() { // xoshiro256**
  uint64_t result = std::rotl(state[1] * 5, 7) * 9;
  uint64_t t = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= t;
  state[3] = std::rotl(state[3], 45);
  return result;
}

double RandomSource::uniform() { return double(next() >> 11) * 0x1p-53; }

double RandomSource::normal() { // Box-Muller, one value of the pair
  double u = 1.0 - uniform();
  double v = uniform();
  return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
}

int64_t RandomSource::integer(int64_t lo, int64_t hi) {
  uint64_t span = uint64_t(hi) - uint64_t(lo) + 1; // 0 stands for 2^64
  if (span == 0)
    return int64_t(next());
  return int64_t(uint64_t(lo) + uint64_t((unsigned __int128)next() * span >> 64));
}

static uint64_t specialElement(DType type, RandomSource &random) {
  const FloatFormat &format = floatFormat(type);
  uint64_t sign = random.next() & 1 ? format.signBit() : 0;
  uint64_t smallestNormal = uint64_t(1) << (format.mantissaBits + format.lowPadBits);
  switch (random.next() % 12) {
  case 0:
    return sign; // zero (2^-127 in f8E8M0FNU)
  case 1:
    return format.hasInfinity ? sign | format.infinity() : sign | format.maxFinite();
  case 2:
    return format.canonicalNaN();
  case 3:
    return sign | (random.next() % smallestNormal >> format.lowPadBits << format.lowPadBits);
  case 4:
    return sign | smallestNormal;
  case 5:
    return sign | format.maxFinite();
  default:
    return encodeFloat(type, random.normal() * 4, Rounding::NearestEven, Overflow::Saturate);
  }
}

static uint64_t fillElement(DType type, const FillSpec &spec, RandomSource &random, int64_t i) {
  bool floating = isFloat(type);
  unsigned width = bitWidth(type);
  auto fromNumber = [&](double value) -> uint64_t {
    // Who asks for infinity gets it where there is one.
    if (floating)
      return encodeFloat(type, value, Rounding::NearestEven,
                         std::isinf(value) && floatFormat(type).hasInfinity ? Overflow::ToInfinity
                                                                            : Overflow::Saturate);
    return maskBits(uint64_t(int64_t(value)), width);
  };
  auto anyBits = [&] {
    uint64_t bits = maskBits(random.next(), width);
    return floating ? bits >> floatFormat(type).lowPadBits << floatFormat(type).lowPadBits : bits;
  };
  switch (spec.kind) {
  case FillSpec::Kind::Zeros:
    return floating && !floatFormat(type).hasZero ? 0 : fromNumber(0);
  case FillSpec::Kind::Ones:
    return fromNumber(1);
  case FillSpec::Kind::Value:
    return fromNumber(spec.lo);
  case FillSpec::Kind::Iota:
    return fromNumber((spec.hasBounds ? spec.lo : 0) + double(i));
  case FillSpec::Kind::Uniform:
    if (floating) {
      double lo = spec.hasBounds ? spec.lo : -1, hi = spec.hasBounds ? spec.hi : 1;
      if (!floatFormat(type).isSigned)
        lo = std::max(lo, 0.0);
      return fromNumber(lo + (hi - lo) * random.uniform());
    }
    if (!spec.hasBounds)
      return anyBits();
    return maskBits(uint64_t(random.integer(int64_t(spec.lo), int64_t(spec.hi))), width);
  case FillSpec::Kind::Integers: {
    int64_t number = random.integer(int64_t(std::ceil(spec.lo)), int64_t(std::floor(spec.hi)));
    return floating ? fromNumber(double(number)) : maskBits(uint64_t(number), width);
  }
  case FillSpec::Kind::Normal: {
    double mean = spec.hasBounds ? spec.lo : 0, deviation = spec.hasBounds ? spec.hi : 1;
    double value = mean + deviation * random.normal();
    if (floating && !floatFormat(type).isSigned)
      value = std::fabs(value);
    return fromNumber(floating ? value : std::nearbyint(value));
  }
  case FillSpec::Kind::Special:
    return floating ? specialElement(type, random) : anyBits();
  case FillSpec::Kind::Bits:
    return anyBits();
  case FillSpec::Kind::Poison:
    break;
  }
  return 0;
}

void tileiras::fill(Array &array, const FillSpec &spec) {
  if (spec.kind == FillSpec::Kind::Poison) {
    std::fill(array.bytes.begin(), array.bytes.end(), kPoisonByte);
    return;
  }
  RandomSource random(spec.seed);
  int64_t next = 0;
  array.forEach([&](const std::vector<int64_t> &, int64_t offset) {
    array.setAtOffset(offset, fillElement(array.type, spec, random, next++));
  });
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

bool Tolerance::parse(std::string_view text, Tolerance &result, std::string &error) {
  result = Tolerance();
  if (text == "exact" || text == "0")
    return true;
  std::string whole(text);
  while (!text.empty()) {
    size_t comma = std::min(text.find(','), text.size());
    std::string part(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    size_t colon = part.find(':');
    char *end = nullptr;
    double value = colon == std::string::npos ? -1 : std::strtod(part.c_str() + colon + 1, &end);
    std::string key = part.substr(0, colon);
    if (!(value >= 0) || !end || *end || end == part.c_str() + colon + 1 ||
        (key != "ulp" && key != "rel" && key != "abs")) {
      error = "bad tolerance '" + whole + "': expected exact, ulp:N, rel:X, abs:X or rel:X,abs:Y";
      return false;
    }
    if (key == "ulp") {
      result.kind = Kind::Ulp;
      result.ulps = value;
    } else {
      result.kind = Kind::Relative;
      (key == "rel" ? result.relative : result.absolute) = value;
    }
  }
  return true;
}

std::string Tolerance::str() const {
  char buffer[96];
  switch (kind) {
  case Kind::Exact:
    return "exact";
  case Kind::Ulp:
    std::snprintf(buffer, sizeof(buffer), "ulp:%g", ulps);
    return buffer;
  case Kind::Relative:
    std::snprintf(buffer, sizeof(buffer), "rel:%g,abs:%g", relative, absolute);
    return buffer;
  }
  return "";
}

/// Values in order as consecutive integers: ... -1 = -smallest, 0 = both zeros, 1 ...
static int64_t orderedInteger(DType type, uint64_t bits) {
  const FloatFormat &format = floatFormat(type);
  int64_t magnitude = int64_t((bits & ~format.signBit()) >> format.lowPadBits);
  return bits & format.signBit() ? -magnitude : magnitude;
}

double tileiras::ulpDistance(DType type, uint64_t a, uint64_t b) {
  bool aNaN = isNaNBits(type, a), bNaN = isNaNBits(type, b);
  if (aNaN || bNaN)
    return aNaN && bNaN ? 0 : std::numeric_limits<double>::infinity();
  // The difference first: neighbouring 64-bit integers are one and the same double.
  return std::fabs(double((__int128)orderedInteger(type, a) - orderedInteger(type, b)));
}

Comparison tileiras::compare(const Array &actual, const Array &expected, const Tolerance &tolerance) {
  Comparison result;
  DType type = expected.type;
  bool floating = isFloat(type);
  double worstRank = -1;
  expected.forEach([&](const std::vector<int64_t> &index, int64_t offset) {
    ++result.elements;
    uint64_t e = expected.getAtOffset(offset), a = actual.get(index);
    bool bothNaN = floating && isNaNBits(type, a) && isNaNBits(type, e);
    if (a == e || bothNaN)
      return;
    ++result.inexact;
    double ulps = floating ? ulpDistance(type, a, e)
                           : std::fabs(double(signExtend(a, bitWidth(type))) - double(signExtend(e, bitWidth(type))));
    double error = ulps;
    bool match = false;
    if (floating && tolerance.kind == Tolerance::Kind::Ulp) {
      match = ulps <= tolerance.ulps;
    } else if (floating && tolerance.kind == Tolerance::Kind::Relative) {
      double x = decodeFloat(type, a), y = decodeFloat(type, e);
      double difference = std::fabs(x - y);
      match = difference <= tolerance.absolute + tolerance.relative * std::fabs(y);
      error =
          std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference / std::max(std::fabs(y), 1e-30);
      if (std::isinf(y) || std::isinf(x)) { // equal infinities never come here
        match = false;
        error = std::numeric_limits<double>::infinity();
      }
    }
    if (!match)
      ++result.mismatches;
    // A mismatch outranks any accepted difference.
    double rank = match ? error : std::numeric_limits<double>::max();
    bool worse = rank > worstRank || (rank == worstRank && error > result.worstError);
    result.worstUlps = std::max(result.worstUlps, ulps);
    if (worse) {
      worstRank = rank;
      result.worstError = error;
      result.worstIndex = index;
      result.worstActual = a;
      result.worstExpected = e;
    }
  });
  return result;
}

std::string Comparison::describe(DType type) const {
  if (inexact == 0)
    return "all " + std::to_string(elements) + " elements equal";
  std::string text;
  if (mismatches)
    text = std::to_string(mismatches) + " of " + std::to_string(elements) + " elements differ, worst at [";
  else
    text = std::to_string(inexact) + " of " + std::to_string(elements) +
           " elements differ within the tolerance, worst at [";
  for (size_t i = 0; i < worstIndex.size(); ++i)
    text += (i ? ", " : "") + std::to_string(worstIndex[i]);
  char buffer[160];
  unsigned digits = (bitWidth(type) + 3) / 4;
  std::snprintf(buffer, sizeof(buffer), "]: got %s (0x%0*llx), expected %s (0x%0*llx)",
                formatElement(type, worstActual).c_str(), int(digits), (unsigned long long)worstActual,
                formatElement(type, worstExpected).c_str(), int(digits), (unsigned long long)worstExpected);
  text += buffer;
  if (isFloat(type)) {
    std::snprintf(buffer, sizeof(buffer), ", %g ulp", ulpDistance(type, worstActual, worstExpected));
    text += buffer;
  }
  return text;
}
