//===- AxisInfo.h - Contiguity, divisibility, constancy ---------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What can be said about the numbers in a tile without running the kernel.
//
// For every dimension of a tensor of integers or pointers three powers of two are kept:
//
//   contiguity C    cut the dimension into aligned blocks of C elements: inside a block the elements count up
//                   by one (pointers: by the pointee's size);
//   divisibility D  the FIRST element of every such block is a multiple of D (pointers: in bytes). Where C is 1
//                   every element is a first element, so D then bounds the whole tensor;
//   constancy K     cut the dimension into aligned blocks of K elements: inside a block all elements are equal.
//
// A scalar is described as one dimension of extent 1.
//
// Arithmetic wraps. A block that counts up may pass the largest integer, and after a later extension to 64 bits it
// no longer counts up there. An aligned block never does that: if the first of s consecutive numbers is a multiple
// of s (s a power of two), nothing wraps between them. So C alone says in which direction neighbours lie (good
// for choosing a layout), while a claim that s elements may be moved by one access needs min(C, D) >= s. All
// transfer functions keep to this, and so does maxVectorElements.
//
// The same operations appear at the nv_tileaa and the nv_tileas stage; layout encodings are not looked at.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_ANALYSIS_AXISINFO_H
#define TILEIRAS_DIALECT_TILEAA_ANALYSIS_AXISINFO_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>

namespace mlir {
class Operation;
class DataFlowSolver;

namespace nv_tileaa {

struct AxisInfo {
  SmallVector<int64_t> contiguity, divisibility, constancy;

  /// The value of all elements, sign-extended.
  std::optional<int64_t> constantValue;

  /// No element is negative (read as signed).
  bool nonNegative = false;

  /// By how much neighbours in a contiguous block differ: bytes of the pointee for pointers, else 1.
  int64_t unit = 1;

  /// The divisibility of zero.
  static constexpr int64_t kMaxDivisibility = int64_t(1) << 62;

  /// Nothing known yet: the bottom of the lattice.
  bool isUninitialized() const { return contiguity.empty(); }
  unsigned getRank() const { return contiguity.size(); }

  /// What holds for any value of `type`.
  static AxisInfo getPessimistic(Type type);

  /// Divisibility of the first element of every aligned block of `block` elements along `dim`.
  int64_t getDivisibility(unsigned dim, int64_t block) const;

  /// Largest aligned block along `dim` that is contiguous for certain, wrap-around included.
  int64_t getExactContiguity(unsigned dim) const;

  /// A power of two that divides every element.
  int64_t getElementDivisibility() const;

  /// What holds for both.
  static AxisInfo join(const AxisInfo &lhs, const AxisInfo &rhs);
  bool operator==(const AxisInfo &rhs) const;
  void print(raw_ostream &os) const;
};

/// Runs the analysis on `top` (a function, or a module of functions) and keeps the answers. They are valid until
/// the IR changes.
class AxisInfoAnalysisResult {
public:
  explicit AxisInfoAnalysisResult(Operation *top);
  ~AxisInfoAnalysisResult();
  AxisInfoAnalysisResult(AxisInfoAnalysisResult &&);

  /// Null when nothing is known: a value in dead code, or one created after the analysis.
  const AxisInfo *get(Value value) const;

  /// Dimensions of `ptrs`, the one with the longest contiguous blocks first; ties keep the last dimension first.
  SmallVector<unsigned> getOrder(Value ptrs) const;

  /// How many neighbours along `dim` (default: the first of getOrder) one access may move: they are contiguous,
  /// the first is aligned to the whole access, and the mask (may be null) is uniform over them. A power of two,
  /// at least 1; the target's widest access is not considered.
  unsigned maxVectorElements(Value ptrs, Value mask, unsigned elemBytes,
                             std::optional<unsigned> dim = std::nullopt) const;

  /// Whether a scalar pointer to elements narrower than a byte is sure to name the first of its byte: an argument, a
  /// pointer to whole bytes, memory of the kernel's own, moved by whole bytes.
  bool beginsWithByte(Value pointer) const;

private:
  std::unique_ptr<DataFlowSolver> solver;
};

} // namespace nv_tileaa

} // namespace mlir

#endif // TILEIRAS_DIALECT_TILEAA_ANALYSIS_AXISINFO_H
