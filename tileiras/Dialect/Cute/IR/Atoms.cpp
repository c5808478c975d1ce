//===- Atoms.cpp - What atoms of copies and products are ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/Cute/IR/Atoms.h"
#include "tileiras/Dialect/Cute/IR/Evaluate.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::cute;
using namespace mlir::cute_nvgpu;
namespace alg = tileiras::cute;

Type cute::getAtom(Type type) {
  if (auto copy = dyn_cast<TiledCopyType>(type))
    return copy.getAtom();
  if (auto mma = dyn_cast<TiledMmaType>(type))
    return mma.getAtom();
  return type;
}

int64_t cute::getCopyBits(Type atom) {
  auto copy = dyn_cast<CopyAtomTypeInterface>(atom);
  return copy ? copy.getCopyBits() : 0;
}

std::optional<Matrices> cute::getMatrices(Type atom) {
  auto copy = dyn_cast<CopyAtomTypeInterface>(atom);
  return copy ? copy.getMoved() : std::nullopt;
}

std::optional<SmallVector<int64_t>> cute::getBox(Type atom) {
  auto tma = dyn_cast<TmaAtomTypeInterface>(atom);
  if (!tma)
    return std::nullopt;
  SmallVector<int64_t> box;
  for (const alg::Int &extent : alg::parseIntTuple(std::string_view(tma.getBox()))->leaves())
    box.push_back(extent.constant());
  return box;
}

std::optional<int32_t> cute::tensorMapElement(Type element) {
  if (element.isF16())
    return 6;
  if (element.isBF16())
    return 10;
  if (element.isF32())
    return 7;
  if (element.isF64())
    return 9;
  switch (element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0) { // bytes of no kind
  case 8:
    return 0;
  case 16:
    return 1;
  case 32:
    return 2;
  case 64:
    return 4;
  default:
    return std::nullopt;
  }
}

Type Product::element(char operand) const {
  Type type = operand == 'A' ? a : operand == 'B' ? b : c;
  return isa<FloatTF32Type>(type) ? Type(Float32Type::get(type.getContext())) : type;
}

AddressSpace Product::spaceOf(char operand) const {
  if (operand == 'A' || operand == 'B')
    return shared && !(operand == 'A' && registersA) ? AddressSpace::Shared : AddressSpace::Register;
  return tensor ? AddressSpace::Tensor : AddressSpace::Register;
}

int64_t Product::columnsOf(char operand) const {
  if (operand == 'E')
    return a.getIntOrFloatBitWidth() == 8 ? 2 : 1;
  return llvm::divideCeil(operand == 'T' ? n : m, 32);
}

std::optional<Product> cute::getProduct(Type atom) {
  auto mma = dyn_cast<MmaAtomTypeInterface>(atom);
  return mma ? std::optional(mma.getProduct()) : std::nullopt;
}

/// (shape):(stride) with the extents of 1 left out.
static alg::Layout layoutOf(ArrayRef<std::pair<int64_t, int64_t>> modes) {
  std::vector<alg::IntTuple> shape, stride;
  for (auto [extent, step] : modes)
    if (extent != 1) {
      shape.push_back(alg::IntTuple(extent));
      stride.push_back(alg::IntTuple(step));
    }
  if (shape.empty())
    return alg::Layout(alg::IntTuple(1), alg::IntTuple(0));
  if (shape.size() == 1)
    return alg::Layout(shape[0], stride[0]);
  return alg::Layout(alg::IntTuple(shape), alg::IntTuple(stride));
}

/// PTX ISA, "Matrix fragments for mma.m16n8k...": a register has `pack` elements along k; t is the lane modulo 4, g the
/// lane by 4. The numbers are column-major, M or N first.
///
///     A   t -> k pack   g -> row     values: k, row 8, k 4 pack
///     B   t -> k pack   g -> column  values: k, k 4 pack
///     C   t -> column 2 g -> row     values: column, row 8, (wgmma: column 8)
///
/// wgmma has warps at rows 16, 32, 48, and reads B, and A where it is not in registers, itself: to all threads they are
/// the same. tcgen05 also adds up itself, and has scales and metadata in tensor memory, words in 128 lanes.
std::optional<MmaFragment> cute::getMmaFragment(Type atom, char operand) {
  std::optional<Product> product = getProduct(atom);
  if (!product)
    return std::nullopt;
  int64_t m = product->m, n = product->n, k = product->k;
  auto fragment = [&](alg::Layout threads, alg::Layout values, int64_t rows, int64_t columns) {
    return MmaFragment{alg::makeLayout({threads, values}), alg::IntTuple{alg::IntTuple(rows), alg::IntTuple(columns)}};
  };
  if (product->tensor) {
    bool scales = operand == 'S' || operand == 'T';
    if ((scales && !product->scaled) || (operand == 'E' && !product->sparse))
      return std::nullopt;
    bool words = scales || operand == 'E';
    int64_t rows = words ? 128 : product->rowsOf(operand);
    int64_t columns = words            ? product->columnsOf(operand)
                      : operand == 'C' ? n
                      : operand == 'A' ? product->storedK()
                                       : k;
    return fragment(layoutOf({}), layoutOf({{rows, 1}, {columns, rows}}), rows, columns);
  }
  if (product->threads == 1)
    return MmaFragment{alg::parseLayout("(1,1):(0,0)")->layout, alg::IntTuple{alg::IntTuple(1), alg::IntTuple(1)}};
  if (operand == 'S' || operand == 'T') {
    if (!product->scaled)
      return std::nullopt;
    // PTX ISA, "Block scaling", scale_vec::1X with thread ids 0: of a quad, lanes 0 and 1 have the scales of rows g and
    // g + 8, lane 0 that of column g. What the others have does not matter.
    return operand == 'S' ? fragment(layoutOf({{2, 8}, {2, 0}, {8, 1}}), layoutOf({}), m, 1)
                          : fragment(layoutOf({{4, 0}, {8, 1}}), layoutOf({}), n, 1);
  }
  if (operand == 'E') {
    auto sparse = dyn_cast<SparseMetadataAtomTypeInterface>(atom);
    if (!sparse)
      return std::nullopt;
    // PTX ISA, "Matrix fragments for sparse mma.m16n8k...", selector 0. Of a quad, lanes 0 and 1 have words of rows g
    // and g + 8 as values, k blocks by lane; of bytes, rows by lane, k blocks as values and, where there are four, by
    // lane.
    int64_t blocks = k / sparse.getMetadataBlock();
    if (product->a.getIntOrFloatBitWidth() == 8)
      return fragment(layoutOf({{2, 8}, {2, blocks == 4 ? 2 * m : 0}, {8, 1}}), layoutOf({{2, m}}), m, blocks);
    return fragment(layoutOf({{2, blocks == 2 ? m : 0}, {2, 0}, {8, 1}}), layoutOf({{2, 8}}), m, blocks);
  }
  if (operand == 'C')
    return product->shared
               ? fragment(layoutOf({{4, 2 * m}, {8, 1}, {4, 16}}), layoutOf({{2, m}, {2, 8}, {n / 8, 8 * m}}), m, n)
               : fragment(layoutOf({{4, 2 * m}, {8, 1}}), layoutOf({{2, m}, {2, 8}}), m, n);
  int64_t rows = operand == 'A' ? m : n;
  if (operand == 'A')
    k = product->storedK();
  bool registersA = operand == 'A' && product->registersA;
  if (product->shared && !registersA) {
    alg::Layout all(alg::IntTuple(product->threads), alg::IntTuple(0));
    return fragment(all, layoutOf({{rows, 1}, {k, rows}}), rows, k);
  }
  Type element = operand == 'A' ? product->a : product->b;
  int64_t pack = isa<FloatTF32Type>(element) ? 1 : 32 / element.getIntOrFloatBitWidth();
  alg::Layout threads = layoutOf({{4, pack * rows}, {8, 1}, {registersA ? 4 : 1, 16}});
  return operand == 'A'
             ? fragment(threads, layoutOf({{pack, rows}, {2, 8}, {k / (4 * pack), 4 * pack * rows}}), rows, k)
             : fragment(threads, layoutOf({{pack, rows}, {k / (4 * pack), 4 * pack * rows}}), rows, k);
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// PTX ISA, "Strides" and "Matrix Descriptor Format"; the table is in Support/SmemDescriptor.h. A candidate takes its
/// two byte offsets from where they show first, and is right if every element is where it says.
std::optional<DescIterType> cute::describeMatrix(CuteMemRefType tensor, std::string &error) {
  unsigned next = 0;
  const alg::Layout layout = describe(tensor, next).layout.layout;
  if (layout.shape.isLeaf() || layout.mode(0).shape.rank() != 2 || !layout.mode(0).isStatic()) {
    error = "expects ((rows, k), ...) as its modes, got " + layout.toString();
    return std::nullopt;
  }
  return describeMatrix(tensor, layout.mode(0), error);
}

std::optional<DescIterType> cute::describeMatrix(CuteMemRefType tensor, const alg::Layout &matrix, std::string &error) {
  auto fail = [&](std::string message) {
    error = std::move(message);
    return std::nullopt;
  };
  unsigned next = 0;
  Meaning meaning = describe(tensor, next);
  if (tensor.getSpace() != AddressSpace::Shared)
    return fail("expects a matrix in smem");
  int64_t bytes = bytesOf(tensor.getElement());
  int64_t mn = alg::size(matrix.mode(0)).constant(), k = alg::size(matrix.mode(1)).constant();
  // The widest pattern that the swizzle can be.
  int64_t swizzle = 0;
  if (!meaning.layout.swizzle.isNone()) {
    for (int64_t width : {32, 64, 128})
      if (meaning.layout.swizzle == ::tileiras::Swizzle::hardware(int(width), int(bytes)))
        swizzle = width;
    if (!swizzle)
      return fail("the swizzle is none of the hardware's");
  }
  int64_t row = swizzle ? swizzle : 16;
  if (swizzle && tensor.getAlignment() % (8 * swizzle))
    return fail("a swizzle of " + std::to_string(swizzle) + " bytes takes an alignment of " +
                std::to_string(8 * swizzle) + ", got " + std::to_string(tensor.getAlignment()));
  if (tensor.getAlignment() % 16)
    return fail("expects an alignment of at least 16 bytes");
  auto at = [&](int64_t i, int64_t j) {
    return (alg::offsetOf(matrix.mode(0), i) + alg::offsetOf(matrix.mode(1), j)) * bytes;
  };
  int64_t inRow = row / bytes;
  for (bool kMajor : {true, false}) {
    if (!kMajor && bytes != 2)
      continue; // only elements of two bytes can be turned
    int64_t along = kMajor ? k : mn, across = kMajor ? mn : k;
    auto offset = [&](int64_t i, int64_t j) { return kMajor ? at(j, i) : at(i, j); }; // (along, across)
    int64_t rows = along > inRow ? offset(inRow, 0) : 0, eights = across > 8 ? offset(0, 8) : 0;
    bool fits = rows % 16 == 0 && eights % 16 == 0 && rows >= 0 && eights >= 0;
    for (int64_t i = 0; fits && i < along; ++i)
      for (int64_t j = 0; fits && j < across; ++j)
        fits = offset(i, j) == (i % inRow) * bytes + (i / inRow) * rows + (j % 8) * row + (j / 8) * eights;
    if (!fits)
      continue;
    bool swapped = !swizzle && !kMajor;
    return DescIterType::get(tensor.getContext(), kMajor ? "k" : "mn", swizzle, swapped ? eights : rows,
                             swapped ? rows : eights);
  }
  return fail("Not a canonical GMMA_MN Layout: " + meaning.layout.toString());
}

bool cute::areRowsOfTensorMemory(const alg::Layout &layout, int64_t rows, int64_t columns) {
  if (layout.shape.isLeaf() ? columns != 1 : layout.rank() != 2)
    return false;
  alg::Layout lanes = layout.shape.isLeaf() ? layout : layout.mode(0);
  if (!(alg::size(lanes) == alg::Int(rows)) || !(alg::size(layout) == alg::Int(rows * columns)))
    return false;
  for (int64_t row = 0; row < rows; ++row)
    if (alg::offsetOf(lanes, row) != row << 16)
      return false;
  for (int64_t column = 0; column < columns; ++column)
    if (alg::offsetOf(layout, rows * column) != column)
      return false;
  return true;
}
