//===- LayoutMath.h - Linear layouts as run-time values ---------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A linear layout maps (register, lane, warp, block) to numbers. Registers are known at compile time, the other three
// at run time, and the map is linear over XOR, so
//
//     L(register, lane, warp, block) = L(register, 0, 0, 0)  xor  L(0, lane, warp, block)
//
// The second part is computed once per thread with a few shifts and masks; the first is a constant per register. Where
// both have no bit in common the XOR is an addition, and the constant becomes the immediate offset of an access. All
// index and address arithmetic of the lowering comes out of this file.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_LAYOUTMATH_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_LAYOUTMATH_H

#include "tileiras/Conversion/TileASToLLVM/Emitter.h"
#include <optional>

namespace tileiras {
class LinearLayout;
}

namespace mlir::tilellvm {

using tileiras::LinearLayout;

/// The bases of a layout as flat outputs, for speed.
struct FlatLayout {
  explicit FlatLayout(const LinearLayout &layout);

  /// An output dimension's position in a flat output.
  struct Field {
    unsigned shift, bits;
    uint64_t of(uint64_t flat) const { return (flat >> shift) & ((uint64_t(1) << bits) - 1); }
  };
  SmallVector<uint64_t> reg, lane, warp, block;
  SmallVector<Field> dims;

  unsigned numRegisters() const { return 1u << reg.size(); }
  uint64_t ofRegister(unsigned r) const;
  /// All output bits that depend on the thread.
  uint64_t threadBits() const;
  /// The field of the whole flat output.
  Field whole() const;
};

/// Evaluates a layout for the running thread.
class ThreadLayout {
public:
  ThreadLayout(Emitter &e, const LinearLayout &layout) : e(e), flat(layout) { parts.resize(flat.dims.size() + 1); }

  const FlatLayout &layout() const { return flat; }
  unsigned numRegisters() const { return flat.numRegisters(); }

  /// L(0, lane, warp, block), one coordinate of it, as i32.
  Value threadPart(unsigned dim);
  /// The same, of the flat output.
  Value threadFlat();
  /// Compile-time part of a coordinate.
  uint64_t registerPart(unsigned dim, unsigned r) const { return flat.dims[dim].of(flat.ofRegister(r)); }
  /// True if thread and register parts of this dimension never have a bit in common, so that their sum is their XOR.
  bool isSum(unsigned dim) const;

  /// The coordinate of register `r` as i32.
  Value coordinate(unsigned dim, unsigned r);
  /// The flat output of register `r` as i32.
  Value flatIndex(unsigned r);

private:
  Value part(FlatLayout::Field field, Value &cache);
  Value join(Value thread, uint64_t constant, FlatLayout::Field field);

  Emitter &e;
  FlatLayout flat;
  SmallVector<Value> parts;
};

/// Addresses of a tile in memory, from a layout whose first output is the offset in elements:
///
///     base + bytes * (thread part  xor  register part)
///
/// Bits of the register part that no thread has are added as the immediate offset of the access; only the others (the
/// swizzle's) need an address of their own. So a tile has a handful of addresses in registers however many accesses it
/// takes, which matters most in loops, where all of them are invariant and stay live.
class TileAddresses {
public:
  TileAddresses(Emitter &e, const LinearLayout &offsets, Value base, unsigned bytes)
      : thread(e, offsets), base(base), bytes(bytes) {}

  ThreadLayout &layout() { return thread; }
  /// The address of register `r`.
  Value of(Emitter &e, unsigned r);

private:
  ThreadLayout thread;
  Value base, scaled;
  int64_t bytes;
  SmallVector<std::pair<uint64_t, Value>> crossing; ///< register bits that threads have too, and the address they make
};

/// Registers that one access can move: groups of `width` registers that lie next to each other along an output field,
/// the first aligned to the width in every thread. Numbers within a group need not ascend: a swizzle permutes them.
struct VectorGroups {
  unsigned width = 1;
  SmallVector<SmallVector<unsigned>> groups;

  /// The bits that the numbers of a group's registers have in common: a group with a redundant one among them is a
  /// copy.
  static unsigned commonBits(ArrayRef<unsigned> group) {
    unsigned common = ~0u;
    for (unsigned r : group)
      common &= r;
    return common;
  }
};
VectorGroups vectorGroups(const FlatLayout &layout, FlatLayout::Field field, unsigned maxWidth);

/// How many elements of so many bits, whose addresses are in neighbouring registers, one access moves: what the
/// operation says, as far as the low register bits run along one dimension and 16 bytes allow.
unsigned pointersTogether(const LinearLayout &layout, std::optional<uint32_t> vec, unsigned bits);

/// Bits of the warp number beyond those of the layout: warps that have one of them set hold copies. 0 if the layout
/// spans all warps that run the code.
int32_t warpsWithCopies(const nv_tileas::ExecutionContext &threads, const LinearLayout &layout);

/// True in exactly one thread for each element: the thread whose redundant lane, warp and block bits are zero. Null if
/// every thread owns what it holds.
Value ownerPredicate(Emitter &e, const LinearLayout &layout);

/// True if some element is held by several threads.
bool isReplicated(const LinearLayout &layout);

/// For each register of `wanted` the register of `source` that holds the same element in the same thread. Both have the
/// same outputs. Nothing if some element would have to come from another thread.
std::optional<SmallVector<unsigned>> mapRegisters(const LinearLayout &source, const LinearLayout &wanted);

/// For each register of `block` the register of `source` that holds that element of the block which begins at `origin`.
/// Nothing if another thread has it.
std::optional<SmallVector<unsigned>> registersOfBlock(RankedTensorType source, RankedTensorType block,
                                                      ArrayRef<int32_t> origin);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_LAYOUTMATH_H
