//===- Array.h - Typed, strided host arrays ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An Array is a window (dtype, shape, element strides, byte offset) on a block of bytes.
// It is what kernels get as arguments, what .npy files are read into, and what the results
// of two engines are compared as.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_RUNTIME_ARRAY_H
#define TILEIRAS_RUNTIME_ARRAY_H

#include "tileiras/Support/NumericTypes.h"

#include <functional>
#include <string>
#include <vector>

namespace tileiras {

struct Array {
  DType type = DType::F32;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides; ///< In elements, like Tile IR views.
  int64_t byteOffset = 0;       ///< Of element (0, ..., 0) in `bytes`.
  std::vector<uint8_t> bytes;

  /// A row-major array of zeros.
  static Array dense(DType type, std::vector<int64_t> shape);
  /// Zeros with the given strides (>= 0) and just enough bytes to hold every element.
  static Array strided(DType type, std::vector<int64_t> shape, std::vector<int64_t> strides, int64_t byteOffset);

  int64_t rank() const { return int64_t(shape.size()); }
  int64_t numElements() const;
  static std::vector<int64_t> rowMajorStrides(const std::vector<int64_t> &shape);

  /// Position of a multi-index, counted in elements from `byteOffset`.
  int64_t elementOffset(const std::vector<int64_t> &index) const;
  uint64_t get(const std::vector<int64_t> &index) const;
  void set(const std::vector<int64_t> &index, uint64_t bits);
  uint64_t getAtOffset(int64_t offset) const { return loadElement(type, bytes.data() + byteOffset, offset); }
  void setAtOffset(int64_t offset, uint64_t bits) { storeElement(type, bytes.data() + byteOffset, offset, bits); }

  /// Calls `visit(index, element offset)` in row-major order.
  void forEach(const std::function<void(const std::vector<int64_t> &, int64_t)> &visit) const;

  /// The same elements as a row-major array.
  Array toDense() const;
};

//===----------------------------------------------------------------------===//
// Filling
//===----------------------------------------------------------------------===//

/// xoshiro256**, seeded through splitmix64: the same numbers on every host.
class RandomSource {
public:
  explicit RandomSource(uint64_t seed);
  uint64_t next();
  double uniform(); ///< [0, 1)
  double normal();  ///< mean 0, deviation 1
  /// Uniform in [lo, hi].
  int64_t integer(int64_t lo, int64_t hi);

private:
  uint64_t state[4];
};

struct FillSpec {
  enum class Kind : uint8_t {
    Zeros,
    Ones,
    Iota,     ///< lo, lo + 1, ... (row-major), wrapped or rounded to the type.
    Value,    ///< `lo` everywhere.
    Uniform,  ///< floats in [lo, hi); integers in [lo, hi], by default the full range.
    Integers, ///< whole numbers in [lo, hi], by default [-4, 4], of floats too.
    Normal,   ///< mean `lo`, deviation `hi`; floats only.
    Special,  ///< a mix of ordinary values with zeros, infinities, NaNs, subnormals, extremes.
    Bits,     ///< every bit pattern alike.
    Poison,   ///< 0xCB bytes: memory nobody has written.
  };
  Kind kind = Kind::Zeros;
  double lo = 0, hi = 1;
  bool hasBounds = false;
  uint64_t seed = 0;
};

inline constexpr uint8_t kPoisonByte = 0xCB;

void fill(Array &array, const FillSpec &spec);

//===----------------------------------------------------------------------===//
// .npy files
//===----------------------------------------------------------------------===//
//
// bf16 and the 8-bit floats have no NumPy descriptor of their own; they are written as raw
// bytes, '<V2' and '|V1', the way `ml_dtypes` arrays are saved. tf32 is stored as '<f4'. 4-bit
// types take one byte per element ('|u1', value in the low nibble).

/// False with a message in `error` when the file cannot be written.
bool writeNpy(const std::string &path, const Array &array, std::string &error);

/// Reads a file into a dense array of `type`. The file's descriptor must be one that
/// `type` can be stored as: its own, raw bytes or unsigned integers of the same size.
bool readNpy(const std::string &path, DType type, Array &array, std::string &error);

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

struct Tolerance {
  enum class Kind : uint8_t { Exact, Ulp, Relative };
  Kind kind = Kind::Exact;
  double ulps = 0;
  double relative = 0, absolute = 0; ///< |a - e| <= absolute + relative * |e|

  /// "exact", "ulp:2", "rel:1e-3", "rel:1e-3,abs:1e-5", "abs:1e-5".
  static bool parse(std::string_view text, Tolerance &result, std::string &error);
  std::string str() const;
};

struct Comparison {
  int64_t elements = 0;
  int64_t mismatches = 0;
  int64_t inexact = 0;   ///< elements that differ at all, NaNs of any payload being equal
  double worstError = 0; ///< in units of the tolerance kind
  double worstUlps = 0;
  std::vector<int64_t> worstIndex;
  uint64_t worstActual = 0, worstExpected = 0;

  bool ok() const { return mismatches == 0; }
  /// "3 of 512 elements differ, worst at [1, 7]: got 1.5, expected 1.25 (2097152 ulp)".
  std::string describe(DType type) const;
};

/// Element-wise; types and shapes must be equal. Two NaNs are equal; +0 and -0 differ only in
/// Exact mode. Integers and i1 are always compared exactly.
Comparison compare(const Array &actual, const Array &expected, const Tolerance &tolerance);

/// Distance of two values of one float type in units of representable values.
double ulpDistance(DType type, uint64_t a, uint64_t b);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_ARRAY_H
