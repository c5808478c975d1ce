//===- Layout.h - CuTe layouts and their algebra ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A layout `(shape):(stride)` is a function from coordinates to offsets: every leaf of the shape counts, and its count
// times the stride at the same place is added up.
//
//     (4,(2,8)):(2,(1,8))      at (3,(1,5)):  3*2 + 1*1 + 5*8 = 47
//
// A coordinate may be given flat at any level: 47 of a shape (4,16) is (3,11), the first mode runs fastest. So every
// layout is also a function of one number, and two layouts can be composed.
//
// The operations are those of CUTLASS's public documentation ("CuTe Layout Algebra"), with one difference: where the
// result of a composition cannot be written as a layout, or a division is not exact, they say so instead of returning
// a layout of another function. For static arguments the check is exact. With run-time arguments what cannot be
// decided is relied on, as in CuTe.
//
// All operations return nothing, and the reason in `error`, where they have no result.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_LAYOUT_H
#define TILEIRAS_LAYOUT_LAYOUT_H

#include "tileiras/Layout/IntTuple.h"
#include "tileiras/Support/LayoutBuilders.h"

namespace tileiras::cute {

struct Layout {
  IntTuple shape = 1;
  IntTuple stride = 0;

  Layout() = default;
  /// Congruent trees.
  Layout(IntTuple shape, IntTuple stride) : shape(std::move(shape)), stride(std::move(stride)) {}
  /// Compact, first mode fastest.
  explicit Layout(IntTuple shape) : shape(shape), stride(compactColMajor(shape)) {}

  int rank() const { return shape.rank(); }
  Layout mode(int index) const { return {shape.mode(index), stride.mode(index)}; }
  std::vector<Layout> modes() const;
  bool isStatic() const { return shape.isStatic() && stride.isStatic(); }
  bool isValid() const { return shape.isValid() && stride.isValid(); }
  bool operator==(const Layout &other) const = default;
  std::string toString() const { return shape.toString() + ":" + stride.toString(); }
};

/// `S<B,M,S> o offset o layout`: the layout, then the offset added, then the swizzle.
struct ComposedLayout {
  Swizzle swizzle;
  IntTuple offset = 0;
  Layout layout;

  ComposedLayout() = default;
  ComposedLayout(Layout layout) : layout(std::move(layout)) {}
  ComposedLayout(Swizzle swizzle, IntTuple offset, Layout layout)
      : swizzle(swizzle), offset(std::move(offset)), layout(std::move(layout)) {}
  bool isPlain() const { return swizzle.isNone() && offset.isLeaf() && offset.asInt().is(0); }
  bool operator==(const ComposedLayout &other) const = default;
  std::string toString() const;
};

/// What a layout is cut by: a layout, a tuple of tilers for the modes, or `_`, which leaves its mode alone. An integer
/// n is the layout n:1.
struct Tiler {
  std::optional<Layout> layout;
  std::vector<Tiler> modes;
  bool any = false;

  Tiler(Layout layout) : layout(std::move(layout)) {}
  Tiler(std::vector<Tiler> modes) : modes(std::move(modes)) {}
  /// A shape.
  explicit Tiler(const IntTuple &shape);
  bool isTuple() const { return !layout && !any; }
  std::string toString() const;
};

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

inline Int size(const Layout &layout) { return size(layout.shape); }
/// Largest offset plus one.
Int cosize(const Layout &layout);
/// The offset of a coordinate, flat at any level. A layout with bases (`1@0`) gives a tuple.
IntTuple crd2idx(const IntTuple &coord, const Layout &layout);
std::optional<Int> crd2idx(const IntTuple &coord, const ComposedLayout &layout);
/// For static layouts.
int64_t offsetOf(const Layout &layout, int64_t index);
int64_t offsetOf(const ComposedLayout &layout, int64_t index);
/// No two coordinates have the same offset. Static layouts.
bool isInjective(const Layout &layout);

//===----------------------------------------------------------------------===//
// Rearrangement: the function of one number stays the same
//===----------------------------------------------------------------------===//

Layout makeLayout(const std::vector<Layout> &modes);
Layout flatten(const Layout &layout);
/// As few modes as possible; with a profile, each of its leaves' modes for itself.
Layout coalesce(const Layout &layout);
std::optional<Layout> coalesce(const Layout &layout, const IntTuple &profile, std::string *error = nullptr);
std::optional<Layout> groupModes(const Layout &layout, int begin, int end, std::string *error = nullptr);

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Modes with stride 0 shrink to one element / are removed, with those of one element.
Layout filterZeros(const Layout &layout);
Layout filter(const Layout &layout);
/// The modes where the coordinate has `_`, and the offset of the rest.
std::optional<std::pair<Layout, IntTuple>> slice(const IntTuple &coord, const Layout &layout,
                                                 std::string *error = nullptr);

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

/// R(c) = a(b(c)), with the shape of b.
std::optional<Layout> composition(const Layout &a, const Layout &b, std::string *error = nullptr);
std::optional<Layout> composition(const Layout &a, const Tiler &b, std::string *error = nullptr);
std::optional<ComposedLayout> composition(const ComposedLayout &a, const Tiler &b, std::string *error = nullptr);
/// The offsets below `cotarget` that the layout leaves out: (layout, complement) reaches each of them once.
std::optional<Layout> complement(const Layout &layout, const Int &cotarget, std::string *error = nullptr);
/// layout(R(i)) = i for the longest run of offsets from 0 that the layout reaches.
std::optional<Layout> rightInverse(const Layout &layout, std::string *error = nullptr);
/// R(layout(i)) = i, for injective layouts.
std::optional<Layout> leftInverse(const Layout &layout, std::string *error = nullptr);
/// As many elements, from 0, as are contiguous in both.
Int maxCommonVector(const Layout &a, const Layout &b);
/// Elements of `fromBits` become elements of `toBits`; offsets count the new ones.
std::optional<Layout> recast(const Layout &layout, int64_t fromBits, int64_t toBits, std::string *error = nullptr);

/// Every divided mode becomes (tile, rest).
std::optional<Layout> logicalDivide(const Layout &layout, const Tiler &tiler, std::string *error = nullptr);
/// ((tiles), (rests)).
std::optional<Layout> zippedDivide(const Layout &layout, const Tiler &tiler, std::string *error = nullptr);
/// ((tiles), rest, rest, ...).
std::optional<Layout> tiledDivide(const Layout &layout, const Tiler &tiler, std::string *error = nullptr);
/// (tile, tile, ..., rest, rest, ...).
std::optional<Layout> flatDivide(const Layout &layout, const Tiler &tiler, std::string *error = nullptr);
/// Windows that may overlap: mode i becomes (window_i, positions_i), windows `strides_i` apart, all inside.
std::optional<Layout> stencilDivide(const Layout &layout, const IntTuple &window, const IntTuple &strides,
                                    std::string *error = nullptr);

/// (layout, copies of it in the order of the tiler).
std::optional<Layout> logicalProduct(const Layout &layout, const Tiler &tiler, std::string *error = nullptr);
std::optional<Layout> zippedProduct(const Layout &layout, const Tiler &tiler, std::string *error = nullptr);
std::optional<Layout> tiledProduct(const Layout &layout, const Tiler &tiler, std::string *error = nullptr);
std::optional<Layout> flatProduct(const Layout &layout, const Tiler &tiler, std::string *error = nullptr);
/// Mode by mode (element of the block, block) / (block, element of the block).
std::optional<Layout> blockedProduct(const Layout &block, const Layout &tiler, std::string *error = nullptr);
std::optional<Layout> rakedProduct(const Layout &block, const Layout &tiler, std::string *error = nullptr);
/// Repeats the layout over a shape, blocks in the given order of modes (first mode fastest if empty).
std::optional<Layout> tileToShape(const Layout &block, const IntTuple &shape, const std::vector<int> &order = {},
                                  std::string *error = nullptr);

/// Compact, modes in the given order; equal keys keep theirs.
std::optional<Layout> makeOrderedLayout(const IntTuple &shape, const IntTuple &order, std::string *error = nullptr);
/// Strides 1@0, 1@1, ...: the layout whose values are its coordinates.
Layout makeIdentityLayout(const IntTuple &shape);

/// Who holds what when `threads` threads with `values` each cover a tile: ((threads), (values)) -> column-major number
/// of the element, and the tile's shape.
struct TVLayout {
  IntTuple tile;
  Layout layout;
};
std::optional<TVLayout> makeTVLayout(const Layout &threads, const Layout &values, std::string *error = nullptr);

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// `(4,8):(8,1)`, `S<3,4,3> o 0 o (8,64):(64,1)`, or our `(8,64):(64,1),swizzle<3,4,3>`. A shape alone is compact.
std::optional<ComposedLayout> parseLayout(std::string_view text, std::string *error = nullptr);
/// `<4:1;8:2>`, `[4:1, 8:2]`, `(4,8)`, or a layout.
std::optional<Tiler> parseTiler(std::string_view text, std::string *error = nullptr);

} // namespace tileiras::cute

#endif // TILEIRAS_LAYOUT_LAYOUT_H
